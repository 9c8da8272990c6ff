//! However the page process ends, the window is told once, nothing stays behind, and the next page starts anew.

use std::process::Command;
use std::time::{Duration, Instant};

use wisp::pages::{ChildProcess, FailureKind, PageEvent, PageHost as _, Program};

use crate::server::{Answer, Server};
use crate::stage::{PATIENCE, Stage};

/// How often it is killed.
const TIMES: usize = 50;

/// A process's parent, and whether it is one that nobody has reaped.
fn parent(process: u32) -> Option<(u32, bool)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let is_zombie = fields.next()? == "Z";
    Some((fields.next()?.parse().ok()?, is_zombie))
}

/// All processes that a process has started, and theirs.
pub(crate) fn descendants(of: u32) -> Vec<u32> {
    let processes: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let process = entry.ok()?.file_name().to_str()?.parse().ok()?;
            Some((process, parent(process)?.0))
        })
        .collect();
    let mut found = vec![of];
    let mut at = 0;
    while at < found.len() {
        let children = processes.iter().filter(|(_, parent)| *parent == found[at]);
        let children: Vec<u32> = children.map(|(process, _)| *process).collect();
        found.extend(children);
        at += 1;
    }
    found.remove(0);
    found
}

/// A process's name, cut by the kernel.
pub(crate) fn name(process: u32) -> String {
    let name = std::fs::read_to_string(format!("/proc/{process}/comm"));
    name.unwrap_or_default().trim().to_owned()
}

/// Ends a process as a power cut would.
pub(crate) fn kill(process: u32) {
    let killed = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

/// Waits until none of these processes is there any more.
fn all_gone(processes: &[u32]) {
    let deadline = Instant::now() + PATIENCE;
    for process in processes {
        // A zombie of another parent's is that parent's to reap.
        while parent(*process).is_some_and(|(_, is_zombie)| !is_zombie) {
            assert!(
                Instant::now() < deadline,
                "{} {process} stays behind",
                name(*process)
            );
            std::thread::yield_now();
        }
    }
}

fn server() -> Server {
    Server::start(|_| Answer::page("<title>x</title><body>x"))
}

#[test]
fn a_page_process_that_is_killed_leaves_nothing_and_the_next_page_opens() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = server();
    let mut longest = Duration::ZERO;
    for time in 0..TIMES {
        let start = Instant::now();
        let (page, version) = stage.show(&server.url("/"));
        longest = longest.max(start.elapsed());
        if time == 0 {
            let host = stage.host.process().unwrap();
            println!("the first page took {longest:?}, {} MB", resident(host));
        }
        assert_eq!(stage.read(page, version).unwrap().text, "x", "{time}");
        let host = stage.host.process().unwrap();
        let mut processes = descendants(host);
        assert!(processes.len() >= 2, "{processes:?}");
        processes.push(host);
        kill(host);
        let reason = stage.wait("the end", |event| match event {
            PageEvent::Died { reason } => Some(reason.clone()),
            _ => None,
        });
        assert!(reason.contains("signal: 9"), "{reason}");
        assert!(parent(host).is_none(), "it was not reaped");
        all_gone(&processes);
    }
    println!("the longest of {TIMES} took {longest:?}");
    let deaths = |event: &&PageEvent| matches!(event, PageEvent::Died { .. });
    assert_eq!(stage.seen().iter().filter(deaths).count(), TIMES);
}

/// Megabytes of a process and all it has started: what each has for itself, and its share of what they have in common.
fn resident(process: u32) -> u64 {
    let mut all = descendants(process);
    all.push(process);
    let share = |process: &u32| {
        let file = format!("/proc/{process}/smaps_rollup");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    all.iter().filter_map(share).sum::<u64>() / 1000
}

#[test]
fn a_host_that_is_dropped_takes_everything_along() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server =
        Server::start(|_| Answer::page("<title>x</title><body><script>for (;;);</script>"));
    let page = stage.open(&server.url("/"));
    stage.wait("the page", |event| match event {
        PageEvent::Moved { page: of, .. } if *of == page => Some(()),
        _ => None,
    });
    let host = stage.host.process().unwrap();
    let mut processes = descendants(host);
    processes.push(host);
    drop(stage);
    assert!(parent(host).is_none(), "it was not reaped");
    all_gone(&processes);
}

#[test]
fn a_page_process_ends_when_its_window_is_gone() {
    let Some(stage) = Stage::without_manager() else {
        return;
    };
    let mut command = stage.on_screen(wisp_tests::wisp_pages().to_str().unwrap());
    command.args(["--host", &stage.window.to_string()]);
    command.stdin(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    drop(process.stdin.take());
    assert!(process.wait().unwrap().success());
    let mut command = stage.on_screen(wisp_tests::wisp_pages().to_str().unwrap());
    command
        .args(["--host", "1"])
        .stdin(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    // Its input stays open, so that it ends by itself.
    let input = process.stdin.take();
    let output = process.wait_with_output().unwrap();
    drop(input);
    assert!(!output.status.success());
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("there is no window 1"), "{words}");
}

#[test]
fn without_a_program_or_a_window_the_page_says_so() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let missing = Program {
        path: stage.home.path().join("missing"),
        variables: Vec::new(),
    };
    let wake = std::sync::Arc::new(|| {});
    for (window, words) in [
        (Some(stage.window), "could not be started"),
        (None, "X11 window"),
    ] {
        stage.host = ChildProcess::new(missing.clone(), window, wake.clone());
        for _ in 0..2 {
            let page = stage.open("http://127.0.0.1:9/");
            let deadline = Instant::now() + PATIENCE;
            let failure = loop {
                if let Some(event) = stage.host.try_next() {
                    let PageEvent::Failed {
                        page: of, failure, ..
                    } = event
                    else {
                        panic!("{event:?}")
                    };
                    assert_eq!(of, page);
                    break failure;
                }
                assert!(Instant::now() < deadline, "nothing is said");
                std::thread::yield_now();
            };
            assert_eq!(failure.kind, FailureKind::Host);
            assert!(failure.detail.contains(words), "{}", failure.detail);
        }
    }
}

#[test]
fn a_process_that_talks_nonsense_is_ended() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let path = stage.home.path().join("nonsense");
    std::fs::write(&path, "#!/bin/sh\necho last words >&2\nyes nonsense\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let variables = Vec::new();
    stage.replace(Program { path, variables });
    stage.open("http://127.0.0.1:9/");
    let reason = stage.wait("the end", |event| match event {
        PageEvent::Died { reason } => Some(reason.clone()),
        _ => None,
    });
    assert!(reason.contains("too long"), "{reason}");
    assert!(reason.contains("last words"), "{reason}");
}
