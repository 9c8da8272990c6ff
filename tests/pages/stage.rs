//! A bare X11 window with a page process in it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wisp::pages::{
    ChildProcess, PageCommand, PageEvent, PageFailure, PageHost, PageId, PageText, PixelRect,
    Pixels, Program, ReadFailure, Storage,
};
use wisp_tests::Screen;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, InputFocus, PropMode, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// Where a page is in the window.
pub(crate) const PLACE: PixelRect = PixelRect {
    x: 300,
    y: 100,
    width: 600,
    height: 500,
};

/// A window on a virtual display, and who shows pages in it.
pub(crate) struct Stage {
    // In this order they end: the pages before their window, and that before its display.
    pub(crate) host: ChildProcess,
    woken: Receiver<()>,
    pub(crate) x: RustConnection,
    pub(crate) window: u32,
    pub(crate) screen: Screen,
    pub(crate) home: TempDir,
    seen: Vec<PageEvent>,
    last: u64,
}

impl Stage {
    /// With a window manager; nothing where there is no virtual display, which is said.
    pub(crate) fn set() -> Option<Self> {
        Some(Self::on(Screen::or_skip(&["xdotool", "import"])?))
    }

    /// Without a window manager.
    pub(crate) fn without_manager() -> Option<Self> {
        let screen = Screen::bare(&["xdotool", "import"]);
        let screen = screen.inspect_err(|reason| wisp_tests::skip(reason)).ok()?;
        Some(Self::on(screen))
    }

    fn on(screen: Screen) -> Self {
        let (x, number) = RustConnection::connect(Some(screen.name())).unwrap();
        let root = &x.setup().roots[number];
        let window = x.generate_id().unwrap();
        let wanted = CreateWindowAux::new()
            .background_pixel(0x0020_4060)
            .event_mask(
                EventMask::STRUCTURE_NOTIFY
                    | EventMask::KEY_PRESS
                    | EventMask::FOCUS_CHANGE
                    | EventMask::BUTTON_PRESS,
            );
        x.create_window(
            x11rb::COPY_DEPTH_FROM_PARENT,
            window,
            root.root,
            0,
            0,
            1000,
            700,
            0,
            WindowClass::INPUT_OUTPUT,
            root.root_visual,
            &wanted,
        )
        .unwrap();
        x.change_property8(
            PropMode::REPLACE,
            window,
            AtomEnum::WM_NAME,
            AtomEnum::STRING,
            b"stage",
        )
        .unwrap();
        x.map_window(window).unwrap();
        x.flush().unwrap();
        // A window manager that has read the request while it waited for another answer sees it with the next
        // event, so it gets events until the window is shown.
        let deadline = Instant::now() + PATIENCE;
        while !matches!(
            x.poll_for_event().unwrap(),
            Some(x11rb::protocol::Event::MapNotify(_))
        ) {
            assert!(Instant::now() < deadline, "the window is never shown");
            x.change_property8(
                PropMode::REPLACE,
                root.root,
                AtomEnum::WM_COMMAND,
                AtomEnum::STRING,
                b"stage",
            )
            .unwrap();
            x.sync().unwrap();
        }
        x.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
            .unwrap();
        x.sync().unwrap();
        let pages = Program {
            path: program(),
            variables: Vec::new(),
        };
        let (host, woken) = host(&screen, window, pages);
        Self {
            host,
            woken,
            x,
            window,
            screen,
            home: TempDir::new().unwrap(),
            seen: Vec::new(),
            last: 0,
        }
    }

    /// Lets another program show pages.
    pub(crate) fn replace(&mut self, program: Program) {
        (self.host, self.woken) = host(&self.screen, self.window, program);
    }

    /// A session's storage, by its name.
    pub(crate) fn storage(&self, session: &str) -> Storage {
        let folder = self.home.path().join(session);
        Storage {
            data: folder.join("data"),
            downloads: folder.join("downloads"),
        }
    }

    /// Opens a page in the place for pages, in a session of this name.
    pub(crate) fn open_in(&mut self, session: &str, url: &str) -> PageId {
        self.last += 1;
        let page = PageId(self.last);
        let storage = self.storage(session);
        self.host.send(PageCommand::Open {
            page,
            url: url.to_owned(),
            storage,
            place: PLACE,
            visible: true,
            zoom: 1.0,
        });
        page
    }

    /// Opens a page.
    pub(crate) fn open(&mut self, url: &str) -> PageId {
        self.open_in("one", url)
    }

    /// Opens a page and waits until it is there; its version.
    pub(crate) fn show(&mut self, url: &str) -> (PageId, u64) {
        let page = self.open(url);
        let version = self.finished(page);
        (page, version)
    }

    /// Waits for the end of a page's load; its version.
    pub(crate) fn finished(&mut self, page: PageId) -> u64 {
        self.wait("the end of the load", |event| match event {
            PageEvent::Finished { page: of, version } if *of == page => Some(*version),
            PageEvent::Failed {
                page: of, failure, ..
            } if *of == page => panic!("the page failed: {failure:?}"),
            _ => None,
        })
    }

    /// Waits for a page's failure.
    pub(crate) fn failed(&mut self, page: PageId) -> PageFailure {
        self.wait("a failure", |event| match event {
            PageEvent::Failed {
                page: of, failure, ..
            } if *of == page => Some(failure.clone()),
            _ => None,
        })
    }

    /// Reads a page of this version.
    pub(crate) fn read(&mut self, page: PageId, version: u64) -> Result<PageText, ReadFailure> {
        self.last += 1;
        let request = self.last;
        self.host.send(PageCommand::Read {
            page,
            request,
            version,
        });
        self.wait("what was read", |event| match event {
            PageEvent::Read {
                request: of,
                outcome,
            } if *of == request => Some(outcome.clone()),
            _ => None,
        })
    }

    /// Whether something typed would be lost.
    pub(crate) fn unsaved(&mut self, page: PageId) -> bool {
        self.last += 1;
        let request = self.last;
        self.host.send(PageCommand::CheckUnsaved { page, request });
        self.wait("whether something is unsaved", |event| match event {
            PageEvent::Unsaved {
                request: of,
                unsaved,
            } if *of == request => Some(*unsaved),
            _ => None,
        })
    }

    /// A picture of a page.
    pub(crate) fn picture(&mut self, page: PageId) -> Option<Pixels> {
        self.last += 1;
        let request = self.last;
        self.host.send(PageCommand::Picture { page, request });
        self.wait("a picture", |event| match event {
            PageEvent::Picture {
                request: of,
                picture,
            } if *of == request => Some(picture.clone()),
            _ => None,
        })
    }

    /// Waits for an event that this takes.
    pub(crate) fn wait<T>(&mut self, what: &str, take: impl Fn(&PageEvent) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            while let Some(event) = self.host.try_next() {
                let taken = take(&event);
                self.seen.push(event);
                if let Some(taken) = taken {
                    return taken;
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                self.woken.recv_timeout(left).is_ok(),
                "{what} never came; until then: {:#?}",
                self.seen
            );
        }
    }

    /// Takes everything that comes within a time.
    pub(crate) fn within(&mut self, time: Duration) -> Vec<PageEvent> {
        let deadline = Instant::now() + time;
        let mut events = Vec::new();
        loop {
            events.extend(std::iter::from_fn(|| self.host.try_next()));
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.woken.recv_timeout(left).is_err() {
                return events;
            }
        }
    }

    /// All events that were waited through.
    pub(crate) fn seen(&self) -> &[PageEvent] {
        &self.seen
    }

    /// A program that works on this display.
    pub(crate) fn on_screen(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        self.screen.show(&mut command);
        command
    }
}

/// A host for a window.
fn host(screen: &Screen, window: u32, mut program: Program) -> (ChildProcess, Receiver<()>) {
    let (wake, woken) = sync_channel(10_000);
    program.variables.extend([
        ("DISPLAY".into(), screen.name().into()),
        ("NO_AT_BRIDGE".into(), "1".into()),
    ]);
    // When it is full the test has been woken often enough.
    let wake = std::sync::Arc::new(move || {
        let _full = wake.try_send(());
    });
    (ChildProcess::new(program, Some(window), wake), woken)
}

/// The `wisp-pages` of these sources, built now unless it lies beside the program that tests are to use.
fn program() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(wisp_tests::wisp_pages).clone()
}
