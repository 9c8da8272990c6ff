//! A virtual display with a window manager, gone when dropped.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::running::{first_line, output_within, remaining};

/// How long a window may take to show, to close or to answer, on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Wider than the window by more than the window manager's frame.
const SIZE: [u32; 2] = [1600, 1000];

/// Xvfb and openbox on a display number of their own.
pub struct Screen {
    server: Child,
    manager: Option<Child>,
    name: String,
}

impl Screen {
    /// Starts both. The reason, when they or one of these programs is not there.
    pub fn start(helpers: &[&str]) -> Result<Self, String> {
        Self::of_size(SIZE, helpers)
    }

    /// The same with a screen of this width and height in pixels.
    pub fn of_size(size: [u32; 2], helpers: &[&str]) -> Result<Self, String> {
        let mut screen = Self::serve(size, helpers)?;
        screen.manage()?;
        Ok(screen)
    }

    /// Starts Xvfb alone, without a window manager.
    pub fn bare(helpers: &[&str]) -> Result<Self, String> {
        Self::serve(SIZE, helpers)
    }

    fn serve([width, height]: [u32; 2], helpers: &[&str]) -> Result<Self, String> {
        if let Some(helper) = helpers.iter().find(|helper| !is_on_path(helper)) {
            return Err(format!("{helper} is not on the path"));
        }
        // The server chooses a free number itself and writes it to descriptor 1 when it is ready.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
            .arg(format!("{width}x{height}x24"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb could not be started: {error}"))?;
        let number = first_line(server.stdout.take().unwrap(), PATIENCE);
        let screen = Self {
            server,
            manager: None,
            name: format!(":{}", number.as_deref().unwrap_or_default()),
        };
        assert!(number.is_some(), "Xvfb had no display in time");
        Ok(screen)
    }

    fn manage(&mut self) -> Result<(), String> {
        // A window that asks to be shown while openbox still starts (it may be reading fonts for the first
        // time) is never shown; its startup command runs when it is ready.
        let mut manager = self
            .on("openbox")
            .args(["--sm-disable", "--startup", "echo ready"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("openbox could not be started: {error}"))?;
        let ready = first_line(manager.stdout.take().unwrap(), PATIENCE);
        self.manager = Some(manager);
        assert!(ready.is_some(), "openbox was not ready in time");
        Ok(())
    }

    /// A screen, or nothing where a person tests without what it takes, which is said. Where a check runs by
    /// itself there must be one.
    pub fn or_skip(helpers: &[&str]) -> Option<Self> {
        Self::start(helpers).inspect_err(|reason| skip(reason)).ok()
    }

    /// [`Self::or_skip`] with a screen of this width and height in pixels.
    pub fn of_size_or_skip(size: [u32; 2], helpers: &[&str]) -> Option<Self> {
        Self::of_size(size, helpers)
            .inspect_err(|reason| skip(reason))
            .ok()
    }

    /// What `DISPLAY` must be.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets a command open its windows here.
    pub fn show<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env("DISPLAY", &self.name)
    }

    /// Waits for a visible window whose title is matched; its id. Takes `xdotool`.
    pub fn find_window(&self, title: &str, deadline: Instant) -> Option<String> {
        let mut search = self.on("xdotool");
        search.args(["search", "--sync", "--onlyvisible", "--name", title]);
        let found = output_within(&mut search, remaining(deadline))?;
        let found = String::from_utf8(found).ok()?;
        found.lines().next().map(str::to_owned)
    }

    /// The pixels of a window, three bytes each; nothing when it could not be taken. Takes `import`.
    pub fn picture(&self, window: &str, deadline: Instant) -> Vec<u8> {
        let mut import = self.on("import");
        import.args(["-silent", "-window", window, "-depth", "8", "rgb:-"]);
        output_within(&mut import, remaining(deadline)).unwrap_or_default()
    }

    /// The window that has the keyboard, inside another or not. Takes `xdotool`.
    pub fn focused_window(&self, deadline: Instant) -> Option<String> {
        let mut ask = self.on("xdotool");
        let found = output_within(ask.args(["getwindowfocus", "-f"]), remaining(deadline))?;
        Some(String::from_utf8(found).ok()?.trim().to_owned())
    }

    /// Presses keys, as a person would, named as `xdotool` names them.
    pub fn press(&self, keys: &str, deadline: Instant) {
        output_within(self.on("xdotool").args(["key", keys]), remaining(deadline));
    }

    /// Types text key by key, as a person would. Takes `xdotool`.
    pub fn type_text(&self, text: &str, deadline: Instant) {
        let mut command = self.on("xdotool");
        output_within(command.args(["type", "--", text]), remaining(deadline));
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

/// Says that something is left out and why. Where a check runs by itself, nothing may be.
pub fn skip(reason: &str) {
    let ci = std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
    assert!(!ci, "CI is set, and {reason}");
    // Not by a macro: what a passing test prints is not shown.
    let mut terminal = std::io::stderr();
    writeln!(terminal, "SKIPPED: {reason}").unwrap();
}

fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    })
}
