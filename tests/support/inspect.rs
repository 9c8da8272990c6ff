//! The real window as it runs, seen and driven through eframe's inspection port.
//!
//! What is sent are the events that a keyboard and a pointer would give, so that the window can't tell. Each
//! wait looks again at the widgets until they are there, or the program has ended, or time is up; whatever
//! goes wrong is said with all that the window shows.

use std::io::BufReader;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use eframe::egui::accesskit::{Action, ActionRequest, Role, TreeId};
use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_inspection::protocol::read_handshake;
use egui_inspection::{INSPECTION_ENV_VAR, PROTOCOL_VERSION, Request, Response};

use crate::desk::DEADLINE;
use crate::running::Running;
use crate::screen::{PATIENCE, Screen};
use crate::tree::{Tree, Widget};
use crate::typing::{character, key_event};

/// How long to leave the program alone between two looks at it.
const PAUSE: Duration = Duration::from_millis(25);
/// How long a key may take to show what it did.
const BETWEEN_PRESSES: Duration = Duration::from_millis(500);
/// Frames after which a window that is never still is taken as it is.
const RESTLESS: u64 = 100;

/// A window of the program, on a screen. The program is ended when this is dropped.
pub struct Window {
    /// How long anything that is waited for may take.
    pub patience: Duration,
    running: Running,
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    /// What was seen last.
    seen: Tree,
}

impl Window {
    /// Starts the program, which must have been built with its feature `inspection`, and waits for its first
    /// frame.
    #[track_caller]
    pub fn open(screen: &Screen, command: &mut Command) -> Self {
        // Free a moment ago; the program takes it at once.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr())
            .unwrap()
            .port();
        screen
            .show(command)
            .env(INSPECTION_ENV_VAR, format!("127.0.0.1:{port}"));
        let mut running = Running::start(command);
        let deadline = Instant::now() + PATIENCE;
        let stream = loop {
            if let Ok(stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
                break stream;
            }
            if let Some(status) = running.wait(PAUSE) {
                panic!("the program ended with {status}: {}", running.kill());
            }
            assert!(
                Instant::now() < deadline,
                "nothing listens on the inspection port; was the program built with `--features \
                 wisp/inspection`? It said: {}",
                running.kill()
            );
        };
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut window = Self {
            patience: DEADLINE,
            running,
            writer: stream.try_clone().unwrap(),
            reader: BufReader::new(stream),
            seen: Tree::default(),
        };
        let version = read_handshake(&mut window.reader)
            .unwrap_or_else(|error| window.fail(&format!("there is no handshake ({error})")));
        assert_eq!(
            version, PROTOCOL_VERSION,
            "the port speaks another language"
        );
        window.tree();
        window
    }

    /// What the window shows now.
    #[track_caller]
    pub fn tree(&mut self) -> Tree {
        match self.ask(&Request::GetTree) {
            Response::Tree {
                step, accesskit, ..
            } => {
                if let Some(update) = accesskit {
                    self.seen = Tree::new(&update, step);
                }
                self.seen.clone()
            }
            other => self.fail(&format!("there is no tree but {other:?}")),
        }
    }

    /// Waits until what is shown gives something; `what` says what in an error.
    #[track_caller]
    pub fn wait_until<T>(&mut self, what: &str, found: impl Fn(&Tree) -> Option<T>) -> T {
        let deadline = Instant::now() + self.patience;
        loop {
            let tree = self.tree();
            if let Some(found) = found(&tree) {
                return found;
            }
            if Instant::now() >= deadline {
                self.fail(&format!("{what} did not come"));
            }
            if let Some(status) = self.running.wait(PAUSE) {
                self.fail(&format!(
                    "the program ended with {status} before {what} came"
                ));
            }
        }
    }

    /// Waits for a widget of this name.
    #[track_caller]
    pub fn wait_for(&mut self, name: &str) -> Widget {
        self.wait_until(&format!("{name:?}"), |tree| tree.find(None, name).cloned())
    }

    /// Waits for a widget of this role and name.
    #[track_caller]
    pub fn wait_for_role(&mut self, role: Role, name: &str) -> Widget {
        self.wait_until(&format!("{role:?} {name:?}"), |tree| {
            tree.find(Some(role), name).cloned()
        })
    }

    /// Waits for words, wherever they are.
    #[track_caller]
    pub fn wait_for_words(&mut self, words: &str) -> Widget {
        self.wait_until(&format!("{words:?}"), |tree| {
            tree.with_words(words).cloned()
        })
    }

    /// Waits until no widget has this name.
    #[track_caller]
    pub fn wait_until_gone(&mut self, name: &str) {
        self.wait_until(&format!("the end of {name:?}"), |tree| {
            tree.find(None, name).is_none().then_some(())
        });
    }

    /// Waits until the window draws no more frames by itself.
    #[track_caller]
    pub fn settle(&mut self) {
        match self.ask(&Request::Settle {
            max_steps: RESTLESS,
        }) {
            Response::Settled { .. } => {}
            other => self.fail(&format!("it does not settle but gives {other:?}")),
        }
    }

    /// Waits for a widget of this name that can be used, and clicks its middle.
    #[track_caller]
    pub fn click(&mut self, name: &str) {
        let middle = self.wait_until(&format!("{name:?}, to be clicked,"), |tree| {
            let mut widgets = tree.all(None, name);
            widgets
                .find(|widget| widget.enabled && widget.role != Role::Label)
                .or(tree.find(None, name).filter(|widget| widget.enabled))
                .and_then(Widget::middle)
        });
        self.click_at(middle);
    }

    /// Clicks at a place, in points.
    #[track_caller]
    pub fn click_at(&mut self, place: Pos2) {
        let button = |pressed| Event::PointerButton {
            pos: place,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        // A frame for each: what lies under the pointer is known after a frame.
        self.apply(vec![Event::PointerMoved(place)]);
        self.apply(vec![button(true)]);
        self.apply(vec![button(false)]);
    }

    /// Asks a widget to do something, as assistive technology does: `Action::Focus`, `ScrollIntoView`, `Click`.
    #[track_caller]
    pub fn act(&mut self, widget: &Widget, action: Action) {
        let request = ActionRequest {
            action,
            target_tree: TreeId::ROOT,
            target_node: widget.id,
            data: None,
        };
        self.apply(vec![Event::AccessKitActionRequest(request)]);
    }

    /// Gives the keyboard to a widget of this name.
    #[track_caller]
    pub fn focus(&mut self, name: &str) {
        let widget = self.wait_for(name);
        self.act(&widget, Action::Focus);
    }

    /// Types a line of text key by key, wherever the keyboard is.
    #[track_caller]
    pub fn type_text(&mut self, text: &str) {
        assert!(
            !text.contains(['\n', '\r']),
            "a line's end is a key, which does something: press it"
        );
        let mut events = Vec::new();
        for character in text.chars() {
            let text = Event::Text(character.to_string());
            match Key::from_name(&character.to_uppercase().to_string()) {
                Some(key) => {
                    events.push(key_event(key, true, Modifiers::NONE));
                    events.push(text);
                    events.push(key_event(key, false, Modifiers::NONE));
                }
                None => events.push(text),
            }
        }
        self.apply(events);
    }

    /// Presses a key with modifiers and lets it go. One that writes a character writes it.
    #[track_caller]
    pub fn press(&mut self, key: Key, modifiers: Modifiers) {
        let mut events = vec![
            Event::ModifiersChanged(modifiers),
            key_event(key, true, modifiers),
        ];
        events.extend(character(key, modifiers).map(Event::Text));
        self.apply(events);
        self.apply(vec![
            key_event(key, false, modifiers),
            Event::ModifiersChanged(Modifiers::NONE),
        ]);
    }

    /// Presses a key again and again until what is shown is as it should be: a card that has just come takes
    /// no key yet, so that nobody approves it by typing on. `what` says in an error what did not come.
    #[track_caller]
    pub fn press_until(&mut self, key: Key, what: &str, is_so: impl Fn(&Tree) -> bool) {
        let deadline = Instant::now() + self.patience;
        loop {
            self.press(key, Modifiers::NONE);
            let next_press = Instant::now() + BETWEEN_PRESSES;
            while Instant::now() < next_press {
                if is_so(&self.tree()) {
                    return;
                }
                if let Some(status) = self.running.wait(PAUSE) {
                    self.fail(&format!(
                        "the program ended with {status} before {what} came"
                    ));
                }
            }
            if Instant::now() >= deadline {
                self.fail(&format!("{what} did not come"));
            }
        }
    }

    /// Pastes text.
    #[track_caller]
    pub fn paste(&mut self, text: &str) {
        self.apply(vec![Event::Paste(text.to_owned())]);
    }

    /// Sends events as they are, in one frame, and waits for its end.
    #[track_caller]
    pub fn apply(&mut self, events: Vec<Event>) {
        match self.ask(&Request::ApplyEvents { events }) {
            Response::Done => {}
            other => self.fail(&format!("the events gave {other:?}")),
        }
    }

    /// Gives the window this size, in points, and waits until it has it.
    #[track_caller]
    pub fn resize(&mut self, width: u32, height: u32) {
        match self.ask(&Request::Resize { width, height }) {
            Response::Done => {}
            other => self.fail(&format!("the size gave {other:?}")),
        }
        let deadline = Instant::now() + self.patience;
        while self.picture().0 != [width, height] {
            if Instant::now() >= deadline {
                self.fail(&format!("the window did not become {width}×{height}"));
            }
        }
    }

    /// The window's width and height, in points.
    #[track_caller]
    pub fn size(&mut self) -> [u32; 2] {
        self.picture().0
    }

    /// Waits until the window has a size that fits; `what` says which in an error.
    #[track_caller]
    pub fn wait_until_size(&mut self, what: &str, fits: impl Fn([u32; 2]) -> bool) {
        let deadline = Instant::now() + self.patience;
        loop {
            let size = self.size();
            if fits(size) {
                return;
            }
            if Instant::now() >= deadline {
                self.fail(&format!("the window did not become {what} but is {size:?}"));
            }
        }
    }

    /// Saves a picture of the window, once it is still, as a PNG file. Folders are made.
    #[track_caller]
    pub fn screenshot(&mut self, path: &Path) {
        self.settle();
        let (_, bytes) = self.picture();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(path, bytes).unwrap();
    }

    /// The size in points and the bytes of a picture.
    #[track_caller]
    fn picture(&mut self) -> ([u32; 2], Vec<u8>) {
        let wish = Request::GetScreenshot {
            pixels_per_point: Some(1.0),
        };
        match self.ask(&wish) {
            Response::Screenshot(picture) => (picture.size, picture.bytes),
            other => self.fail(&format!("there is no picture but {other:?}")),
        }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.running.id()
    }

    /// Its status, when the program ends within this time.
    pub fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        self.running.wait(time)
    }

    /// Ends the program as a power cut would; what it said.
    pub fn kill(mut self) -> String {
        self.running.kill()
    }

    #[track_caller]
    fn ask(&mut self, request: &Request) -> Response {
        let asked = egui_inspection::write_message(&mut self.writer, request);
        let answer = asked.and_then(|()| egui_inspection::read_message(&mut self.reader));
        match answer {
            Ok(Response::Error { message }) => self.fail(&message),
            Ok(answer) => answer,
            Err(error) => self.fail(&format!("the window does not answer ({error})")),
        }
    }

    /// Stops here, with what there is to know.
    #[track_caller]
    fn fail(&mut self, what: &str) -> ! {
        let said = self.running.kill();
        panic!(
            "{what}.\nThe window showed, in frame {}:\n{}The program said: {said}",
            self.seen.frame, self.seen
        )
    }
}
