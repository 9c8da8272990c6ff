//! The program as it is built, run with its own data folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};

use super::DEADLINE;

/// A command that runs the `wisp` of these sources: the one that `cargo xtask test` has built and names in
/// `WISP_TEST_BINARY`, else one that is built now. It has no settings of the person who runs the tests.
pub fn wisp(home: &Path) -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM
        .get_or_init(|| std::env::var_os("WISP_TEST_BINARY").map_or_else(build, PathBuf::from));
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WISP_") {
            command.env_remove(name);
        }
    }
    command
        .env("WISP_HOME", home)
        // It must not look for keys of the person who runs the tests.
        .env("WISP_KEYRING", "off")
        // What it trashes must not outlive the test.
        .env("XDG_DATA_HOME", home)
        .stdin(Stdio::null());
    command
}

/// The `wisp-pages` of these sources: beside the program that `WISP_TEST_BINARY` names, else built now.
pub fn wisp_pages() -> PathBuf {
    let name = format!("wisp-pages{}", std::env::consts::EXE_SUFFIX);
    if let Some(wisp) = std::env::var_os("WISP_TEST_BINARY") {
        return PathBuf::from(wisp).with_file_name(name);
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package", "wisp-pages"]);
    // Together with a test, so that what it is made of is built once for both.
    cargo.args([
        "--bin",
        "wisp-pages",
        "--package",
        "wisp-tests",
        "--test",
        "pages",
    ]);
    assert!(
        cargo.status().unwrap().success(),
        "{name} could not be built"
    );
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().join(name)
}

fn build() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package", "wisp"]);
    if cfg!(debug_assertions) {
        // Together with a test, so that it has the features that it has beside the tests: the inspection port.
        cargo.args([
            "--bin",
            "wisp",
            "--package",
            "wisp-tests",
            "--test",
            "window",
        ]);
    } else {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success(), "wisp could not be built");
    // A test is target/PROFILE/deps/NAME-…, the program target/PROFILE/wisp.
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    profile.join(format!("wisp{}", std::env::consts::EXE_SUFFIX))
}

/// A program that was started and is watched by its lines. Killed when it is dropped.
pub struct Program {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Program {
    /// Starts it. Its standard output is read line by line, its standard error is dropped.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (line, lines) = sync_channel(10_000);
        std::thread::Builder::new()
            .name("program-output".to_owned())
            .spawn(move || {
                for read in output.lines().map_while(Result::ok) {
                    if line.send(read).is_err() {
                        return;
                    }
                }
            })
            .unwrap();
        Self {
            child,
            lines,
            seen: Vec::new(),
        }
    }

    /// Types into it, where its standard input is a pipe.
    pub fn type_in(&mut self, text: &str) {
        use std::io::Write;
        let input = self
            .child
            .stdin
            .as_mut()
            .expect("its standard input is no pipe");
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Waits for a line that holds this.
    pub fn wait_for(&mut self, part: &str) -> String {
        loop {
            match self.lines.recv_timeout(DEADLINE) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if line.contains(part) {
                        return line;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    panic!("{part} never came; until then: {:#?}", self.seen)
                }
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("it ended without {part}; until then: {:#?}", self.seen)
                }
            }
        }
    }

    /// Ends it as a power cut would: without a word.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Waits for its end.
    pub fn end(mut self) -> ExitStatus {
        // The lines end when the program does.
        while self.lines.recv_timeout(DEADLINE).is_ok() {}
        self.child.wait().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Runs a command with this on its standard input, to its end.
pub fn with_input(command: &mut Command, input: &str) -> Output {
    use std::io::Write;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}
