//! Pages in a process of their own: the program `wisp-pages`, which shows them inside the window.
//!
//! Three threads stand between the window and that process, and so the window never waits: one starts it and
//! writes to it, one reads what it tells, one keeps its last words. When the process ends, however it does, the
//! reading one reaps it and says so once. When the host is dropped, the process is ended and reaped before that
//! returns. WebKit's own processes end with the one that started them.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of the page process: it is not a model's, and needs nothing of a shell"
)]

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::factory::{HostFactory, HostWindow, Waker};
use super::wire;
use super::{FailureKind, PageCommand, PageEvent, PageFailure, PageHost, PageId};

/// The program.
const PROGRAM: &str = "wisp-pages";
/// Names another program, for tests.
const PROGRAM_VARIABLE: &str = "WISP_PAGES";
/// What makes it a page process; the window's number follows.
pub const HOST_ARGUMENT: &str = "--host";
/// Settings of the window that are no business of a process that runs strangers' scripts.
const SECRETS: [&str; 1] = ["WISP_API_KEY"];
/// Commands that may wait for the process. One that takes none for so long has stopped working.
const MOST_COMMANDS: usize = 1_000;
/// Events that may wait for the window; then the process waits.
const MOST_EVENTS: usize = 1_000;
/// Of what it says on standard error, the last lines are kept for the reason of its end.
const LAST_LINES: usize = 8;
/// How long its last words are waited for once it has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Bytes that are read of one line.
const LINE_BYTES: u64 = 500;

/// How the page process is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Variables of its environment besides those of this process.
    pub variables: Vec<(OsString, OsString)>,
}

/// Shows pages through a process of its own. See [`PageHost`].
pub struct ChildProcess {
    program: Program,
    /// `None` once the process was given up.
    commands: Option<SyncSender<PageCommand>>,
    events: Option<Receiver<PageEvent>>,
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
    /// What the window is told before anything else.
    ahead: VecDeque<PageEvent>,
    window: Option<u32>,
    keys: Option<PageCommand>,
}

/// What all threads know.
struct Shared {
    /// The process that runs now.
    child: Mutex<Option<Child>>,
    /// Whether the host is being dropped, and nothing need be told any more.
    ends: AtomicBool,
    wake: Waker,
}

impl ChildProcess {
    /// Pages inside the X11 window of this number; without one, each page fails with the reason. Nothing is
    /// started yet. `wake` is called when an event has come.
    pub fn new(program: Program, window: Option<u32>, wake: Waker) -> Self {
        Self {
            program,
            commands: None,
            events: None,
            shared: Arc::new(Shared {
                child: Mutex::default(),
                ends: AtomicBool::new(false),
                wake,
            }),
            writer: None,
            ahead: VecDeque::new(),
            window,
            keys: None,
        }
    }

    /// Makes such hosts.
    pub fn factory() -> HostFactory {
        Box::new(|window: HostWindow| {
            Box::new(Self::new(Program::usual(), window.xid(), window.wake))
        })
    }

    /// The number of the process that runs now.
    pub fn process(&self) -> Option<u32> {
        self.shared.child().as_ref().map(Child::id)
    }

    /// Makes the threads ready. The process is started by them.
    fn start(&mut self, window: u32) -> std::io::Result<()> {
        self.end();
        let (commands, asked) = sync_channel(MOST_COMMANDS);
        let (tell, events) = sync_channel(MOST_EVENTS);
        let (program, shared) = (self.program.clone(), self.shared.clone());
        let writer = Builder::new()
            .name("pages".to_owned())
            .spawn(move || write_commands(&program, window, &asked, &tell, &shared))?;
        self.writer = Some(writer);
        self.events = Some(events);
        if let Some(keys) = &self.keys {
            drop(commands.try_send(keys.clone()));
        }
        self.commands = Some(commands);
        Ok(())
    }

    /// Ends the process and its threads, and waits for that.
    fn end(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        self.commands = None;
        // Whoever waits to tell something need wait no longer.
        self.events = None;
        self.shared.kill();
        if let Some(writer) = self.writer.take() {
            // It ends by a panic only where that was said already.
            drop(writer.join());
        }
        self.shared.ends.store(false, Ordering::SeqCst);
    }

    fn fail(&mut self, page: PageId, url: String, detail: &str) {
        self.ahead.push_back(host_failure(page, url, detail));
        (self.shared.wake)();
    }
}

impl PageHost for ChildProcess {
    fn send(&mut self, command: PageCommand) {
        if let PageCommand::Shortcuts { .. } = command {
            self.keys = Some(command.clone());
        }
        if let (PageCommand::Open { page, url, .. }, None) = (&command, &self.commands) {
            let (page, url) = (*page, url.clone());
            let Some(window) = self.window else {
                let words = "pages need an X11 window, and this one is none";
                return self.fail(page, url, words);
            };
            if let Err(error) = self.start(window) {
                return self.fail(page, url, &error.to_string());
            }
        }
        let Some(commands) = &self.commands else {
            return;
        };
        if let Err(TrySendError::Full(_)) = commands.try_send(command) {
            // Its pipe is full and has been for a thousand commands. The reading thread sees the end.
            self.shared.kill();
        }
    }

    fn try_next(&mut self) -> Option<PageEvent> {
        if let Some(event) = self.ahead.pop_front() {
            return Some(event);
        }
        match self.events.as_ref()?.try_recv() {
            Ok(event) => {
                if let PageEvent::Died { .. } = event {
                    // The next page starts anew.
                    self.commands = None;
                }
                Some(event)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.commands = None;
                self.events = None;
                None
            }
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.end();
    }
}

impl std::fmt::Debug for ChildProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChildProcess")
            .field("window", &self.window)
            .field("runs", &self.commands.is_some())
            .finish_non_exhaustive()
    }
}

impl Program {
    /// The one beside the program that runs.
    pub fn usual() -> Self {
        let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
        let path = match (std::env::var_os(PROGRAM_VARIABLE), std::env::current_exe()) {
            (Some(named), _) => named.into(),
            (None, Ok(running)) => running.with_file_name(name),
            (None, Err(_)) => name.into(),
        };
        let variables = Vec::new();
        Self { path, variables }
    }
}

impl Shared {
    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the process that runs now. It is reaped by the reading thread, which sees its pipe end.
    fn kill(&self) {
        if let Some(child) = &mut *self.child() {
            // An error means that it has ended already.
            drop(child.kill());
        }
    }

    /// Ends and reaps it. How it ended, in words.
    fn reap(&self) -> String {
        let Some(mut child) = self.child().take() else {
            return "it has ended".to_owned();
        };
        drop(child.kill());
        match child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// Tells the window, unless nobody listens any more.
    fn tell(&self, events: &SyncSender<PageEvent>, event: PageEvent) {
        if events.send(event).is_ok() {
            (self.wake)();
        }
    }
}

/// The writing thread: starts the process for the first page, hands it what is asked for, and waits for its end.
/// Where it can't be started the page fails, and the next one tries again.
fn write_commands(
    program: &Program,
    window: u32,
    asked: &Receiver<PageCommand>,
    events: &SyncSender<PageEvent>,
    shared: &Arc<Shared>,
) {
    let mut keys = None;
    let mut started = None;
    for command in asked {
        if started.is_none() {
            match &command {
                PageCommand::Shortcuts { .. } => {
                    keys = Some(command);
                    continue;
                }
                PageCommand::Open { page, url, .. } => {
                    match start_program(program, window, events, shared) {
                        Ok(running) => started = Some(running),
                        Err(reason) => {
                            shared.tell(events, host_failure(*page, url.clone(), &reason));
                            continue;
                        }
                    }
                }
                _ => continue,
            }
        }
        let Some((pipe, _)) = &mut started else {
            continue;
        };
        let first = keys.take();
        let mut both = first.iter().chain([&command]);
        if both.any(|command| wire::write_command(pipe, command).is_err()) {
            break;
        }
    }
    if let Some((pipe, reader)) = started {
        // It ends when its input does; should it not, it is made to.
        drop(pipe);
        shared.kill();
        drop(reader.join());
    }
}

type Started = (BufWriter<ChildStdin>, JoinHandle<()>);

fn start_program(
    program: &Program,
    window: u32,
    events: &SyncSender<PageEvent>,
    shared: &Arc<Shared>,
) -> Result<Started, String> {
    let mut command = Command::new(&program.path);
    command
        .envs(program.variables.iter().map(|(name, value)| (name, value)))
        .args([HOST_ARGUMENT, &window.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in SECRETS {
        command.env_remove(name);
    }
    let words = |error: std::io::Error| {
        let name = program.path.to_string_lossy();
        format!("the program that shows pages could not be started: {error}: {name}")
    };
    let mut child = command.spawn().map_err(words)?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    *shared.child() = Some(child);
    if shared.ends.load(Ordering::SeqCst) {
        // The host was dropped in between, and saw no process to end.
        shared.kill();
    }
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        shared.reap();
        return Err("the program that shows pages has no pipes".to_owned());
    };
    let events = events.clone();
    let reads = shared.clone();
    let reader = Builder::new()
        .name("pages-events".to_owned())
        .spawn(move || read_events(stdout, stderr, &events, &reads));
    match reader {
        Ok(reader) => Ok((BufWriter::new(stdin), reader)),
        Err(error) => {
            shared.reap();
            Err(words(error))
        }
    }
}

/// The reading thread: tells what the process tells, and its end.
fn read_events(
    stdout: ChildStdout,
    stderr: ChildStderr,
    events: &SyncSender<PageEvent>,
    shared: &Shared,
) {
    let lines = Arc::new(Mutex::new(VecDeque::new()));
    let (said_all, all_said) = sync_channel::<()>(0);
    let kept = lines.clone();
    let listens = Builder::new()
        .name("pages-words".to_owned())
        .spawn(move || {
            keep_last_lines(stderr, &kept);
            drop(said_all);
        });
    let mut pipe = BufReader::new(stdout);
    let broken = loop {
        match wire::read_event(&mut pipe) {
            Ok(Some(event)) => {
                if events.send(event).is_err() {
                    break None;
                }
                (shared.wake)();
            }
            Ok(None) => break None,
            Err(error) => break Some(error.to_string()),
        }
    };
    let status = shared.reap();
    if shared.ends.load(Ordering::SeqCst) {
        return;
    }
    // Its own children write to the same pipe, and may take a moment to end.
    if listens.is_ok() {
        // It never says anything: either its other end is gone or the time is over.
        let _ended = all_said.recv_timeout(LAST_WORDS);
    }
    let lines = std::mem::take(&mut *lines.lock().unwrap_or_else(PoisonError::into_inner));
    let mut reason = broken.map_or(status.clone(), |broken| {
        format!("{status}; its last message: {broken}")
    });
    for line in lines {
        reason.push('\n');
        reason.push_str(&line);
    }
    shared.tell(events, PageEvent::Died { reason });
}

/// Keeps the last lines of a pipe until it ends. A line that is too long is cut into several.
fn keep_last_lines(pipe: ChildStderr, lines: &Mutex<VecDeque<String>>) {
    let mut pipe = BufReader::new(pipe);
    loop {
        let mut line = Vec::new();
        match pipe.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        if !line.is_empty() {
            tracing::debug!(%line, "the page process says");
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            if lines.len() == LAST_LINES {
                lines.pop_front();
            }
            lines.push_back(line);
        }
    }
}

fn host_failure(page: PageId, url: String, detail: &str) -> PageEvent {
    PageEvent::Failed {
        page,
        url,
        failure: PageFailure {
            kind: FailureKind::Host,
            detail: detail.to_owned(),
        },
    }
}
