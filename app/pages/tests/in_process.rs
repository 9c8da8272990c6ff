//! Pages in this process: opened, read, drawn and closed, inside a bare window on a virtual display.
//!
//! GTK wants the first thread of a process, and its display in the environment from the start. So this is a program
//! of its own, which starts itself once more on the display.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test starts programs and watches the clock by itself, and fails by panicking"
)]

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::process::Command;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, sync_channel};
    use std::time::Instant;

    use wisp::pages::{PageCommand, PageEvent, PageHost, PageId, PixelRect, Storage};
    use wisp_pages::in_process::InProcess;
    use wisp_tests::{PATIENCE, Screen};
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::{ConnectionExt as _, CreateWindowAux, WindowClass};
    use x11rb::rust_connection::RustConnection;
    use x11rb::wrapper::ConnectionExt as _;

    /// Names the display to the second start.
    const INNER: &str = "WISP_TEST_IN_PROCESS";
    const PAGE: PageId = PageId(1);

    pub(super) fn main() {
        if std::env::var_os(INNER).is_some() {
            return shows_a_page();
        }
        let screen = match Screen::bare(&[]) {
            Ok(screen) => screen,
            Err(reason) => return wisp_tests::skip(&reason),
        };
        let mut again = Command::new(std::env::current_exe().unwrap());
        screen.show(&mut again).env(INNER, "1");
        again.env("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        assert!(again.status().unwrap().success());
    }

    fn shows_a_page() {
        let (x, number) = RustConnection::connect(None).unwrap();
        let root = &x.setup().roots[number];
        let window = x.generate_id().unwrap();
        let wanted = CreateWindowAux::new();
        let (class, visual) = (WindowClass::INPUT_OUTPUT, root.root_visual);
        x.create_window(
            0, window, root.root, 0, 0, 800, 600, 0, class, visual, &wanted,
        )
        .unwrap();
        x.map_window(window).unwrap();
        x.sync().unwrap();
        let home = tempfile::TempDir::new().unwrap();
        let (wake, woken) = sync_channel(1_000);
        let mut host = InProcess::new(
            Some(window),
            Arc::new(move || {
                let _full = wake.try_send(());
            }),
        );
        host.send(PageCommand::Open {
            page: PAGE,
            url: serve(),
            storage: Storage {
                data: home.path().join("data"),
                downloads: home.path().join("downloads"),
            },
            place: PixelRect {
                x: 100,
                y: 50,
                width: 400,
                height: 300,
            },
            visible: true,
            zoom: 1.0,
        });
        let version = wait(&mut host, &woken, |event| match event {
            PageEvent::Finished { version, .. } => Some(version),
            PageEvent::Failed { failure, .. } => panic!("{failure:?}"),
            _ => None,
        });
        host.send(PageCommand::Read {
            page: PAGE,
            request: 1,
            version,
        });
        let read = wait(&mut host, &woken, |event| match event {
            PageEvent::Read { outcome, .. } => Some(outcome),
            _ => None,
        });
        assert_eq!(read.unwrap().text, "In this process.");
        let (page, request) = (PAGE, 2);
        host.send(PageCommand::Picture { page, request });
        let picture = wait(&mut host, &woken, |event| match event {
            PageEvent::Picture { picture, .. } => Some(picture),
            _ => None,
        });
        let picture = picture.expect("no picture");
        assert_eq!((picture.width, picture.height), (400, 300));
        assert_eq!(picture.rgba.last_chunk::<4>(), Some(&[0, 0xaa, 0, 0xff]));
        host.send(PageCommand::Close { page });
        host.send(PageCommand::CheckUnsaved { page, request: 3 });
        let gone = wait(&mut host, &woken, |event| match event {
            PageEvent::Unsaved { unsaved, .. } => Some(!unsaved),
            _ => None,
        });
        assert!(gone, "a page that is closed has nothing to lose");
    }

    fn wait<T>(
        host: &mut InProcess,
        woken: &Receiver<()>,
        take: impl Fn(PageEvent) -> Option<T>,
    ) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            while let Some(event) = host.try_next() {
                if let Some(taken) = take(event) {
                    return taken;
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            woken.recv_timeout(left).expect("nothing more came");
        }
    }

    /// One page, on this computer.
    fn serve() -> String {
        const PAGE: &str = "<title>x</title><body style='background:#0a0'>In this process.";
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answers = move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut request = [0; 4_096];
                let asked = stream.read(&mut request).unwrap_or(0);
                let length = PAGE.len();
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\
                     Connection: close\r\n\r\n{PAGE}"
                );
                if asked > 0 && stream.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        };
        let server = std::thread::Builder::new().name("server".to_owned());
        server.spawn(answers).unwrap();
        format!("http://127.0.0.1:{port}/")
    }
}
