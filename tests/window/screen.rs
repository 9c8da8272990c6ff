//! A virtual display with a window manager, gone when dropped.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::PATIENCE;
use crate::program::output_within;

/// Xvfb and openbox on a display number of their own.
pub(crate) struct Screen {
    server: Child,
    manager: Option<Child>,
    name: String,
}

impl Screen {
    /// Starts both. The reason, when a program for it is not there.
    pub(crate) fn start() -> Result<Self, String> {
        for helper in ["openbox", "xdotool", "import"] {
            if !is_on_path(helper) {
                return Err(format!("{helper} is not on the path"));
            }
        }
        // The server chooses a free number itself and writes it to descriptor 1 when it is ready.
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x800x24",
                "-nolisten",
                "tcp",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb could not be started: {error}"))?;
        let number = first_line(server.stdout.take().unwrap());
        let mut screen = Self {
            server,
            manager: None,
            name: format!(":{}", number.as_deref().unwrap_or_default()),
        };
        assert!(number.is_some(), "Xvfb had no display in time");
        // A window that asks to be shown while openbox still starts (it may be reading fonts for the first
        // time) is never shown; its startup command runs when it is ready.
        let mut manager = screen
            .on("openbox")
            .args(["--sm-disable", "--startup", "echo ready"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("openbox could not be started: {error}"))?;
        let ready = first_line(manager.stdout.take().unwrap());
        screen.manager = Some(manager);
        assert!(ready.is_some(), "openbox was not ready in time");
        Ok(screen)
    }

    /// What `DISPLAY` must be.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Waits for a visible window whose title is matched; its id.
    pub(crate) fn find_window(&self, title: &str, deadline: Instant) -> Option<String> {
        let mut search = self.on("xdotool");
        search.args(["search", "--sync", "--onlyvisible", "--name", title]);
        let found = output_within(&mut search, remaining(deadline))?;
        let found = String::from_utf8(found).ok()?;
        found.lines().next().map(str::to_owned)
    }

    /// The pixels of a window, three bytes each; nothing when it could not be taken.
    pub(crate) fn picture(&self, window: &str, deadline: Instant) -> Vec<u8> {
        let mut import = self.on("import");
        import.args(["-silent", "-window", window, "-depth", "8", "rgb:-"]);
        output_within(&mut import, remaining(deadline)).unwrap_or_default()
    }

    /// Presses keys, as a person would.
    pub(crate) fn press(&self, keys: &str, deadline: Instant) {
        output_within(self.on("xdotool").args(["key", keys]), remaining(deadline));
    }

    fn on(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name);
        command
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            // An error means that it has ended already.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// The first line a program prints, if it comes in time; what comes after it is read and dropped.
fn first_line(pipe: impl Read + Send + 'static) -> Option<String> {
    let (sender, receiver) = sync_channel(1);
    thread::Builder::new()
        .name("first line".into())
        .spawn(move || {
            let mut lines = BufReader::new(pipe).lines().map_while(Result::ok);
            if let Some(line) = lines.next() {
                // Nobody may be waiting any more.
                drop(sender.send(line));
            }
            lines.for_each(drop);
        })
        .unwrap();
    receiver.recv_timeout(PATIENCE).ok()
}

fn remaining(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    })
}
