//! Waiting for a program with a deadline.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that may wait for somebody to take them.
const LINES: usize = 10_000;

/// A program that was started, and is ended when this is dropped.
pub struct Running {
    child: Child,
    /// Gets all that the program said, when it has closed its output.
    said: Receiver<Vec<u8>>,
    /// Gets each line as it comes; what nobody takes is left out.
    lines: Receiver<String>,
    output: Vec<u8>,
}

impl Running {
    /// Starts it, without input; what it says on standard error is kept.
    pub fn start(command: &mut Command) -> Self {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap_or_else(|error| {
            panic!(
                "{} could not be started: {error}",
                command.get_program().display()
            )
        });
        let (said, lines) = follow(child.stderr.take().unwrap());
        Self {
            child,
            said,
            lines,
            output: Vec::new(),
        }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line that it says on standard error, if one comes within this time.
    pub fn next_line(&self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// Its status, when it ends within this time.
    pub fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        self.output = self.said.recv_timeout(time).ok()?;
        Some(self.child.wait().unwrap())
    }

    /// Ends it as a power cut would, if it still runs; what it said on standard error.
    pub fn kill(&mut self) -> String {
        // An error means that it has ended already.
        drop(self.child.kill());
        drop(self.child.wait());
        if let Ok(output) = self.said.recv_timeout(Duration::from_secs(5)) {
            self.output = output;
        }
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a helper program prints, when it ends well within this time.
pub fn output_within(command: &mut Command, time: Duration) -> Option<Vec<u8>> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let output = collect(child.stdout.take()?).recv_timeout(time);
    if output.is_err() {
        drop(child.kill());
    }
    let status = child.wait().ok()?;
    output.ok().filter(|_| status.success())
}

/// The first line that a program prints, if it comes in time; what comes after it is read and dropped.
pub fn first_line(pipe: impl Read + Send + 'static, time: Duration) -> Option<String> {
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
    receiver.recv_timeout(time).ok()
}

/// How long it is until then; nothing when it is past.
pub(crate) fn remaining(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Reads a pipe to its end on a thread of its own: all of it at the end, and each line as it comes.
fn follow(pipe: impl Read + Send + 'static) -> (Receiver<Vec<u8>>, Receiver<String>) {
    let (all, said) = sync_channel(1);
    let (line, lines) = sync_channel(LINES);
    thread::Builder::new()
        .name("pipe reader".into())
        .spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut bytes = Vec::new();
            let mut latest = Vec::new();
            while pipe
                .read_until(b'\n', &mut latest)
                .is_ok_and(|read| read > 0)
            {
                let text = String::from_utf8_lossy(&latest).trim_end().to_owned();
                bytes.append(&mut latest);
                // Nobody may be reading them.
                drop(line.try_send(text));
            }
            drop(all.send(bytes));
        })
        .unwrap();
    (said, lines)
}

/// Reads a pipe to its end on a thread of its own.
fn collect(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    thread::Builder::new()
        .name("pipe reader".into())
        .spawn(move || {
            let mut bytes = Vec::new();
            if pipe.read_to_end(&mut bytes).is_ok() {
                // Nobody may be waiting any more.
                drop(sender.send(bytes));
            }
        })
        .unwrap();
    receiver
}
