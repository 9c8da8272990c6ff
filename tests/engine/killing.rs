//! `kill -9` in each phase of a run, then a start on the same data folder: the run is interrupted, nothing
//! is replayed, nothing that was shown is lost, and the session goes on.

use tempfile::TempDir;
use wisp_engine::History;
use wisp_engine::protocol::{CallStatus, Event, EventMsg, RunOutcome, SessionId};
use wisp_qa::{Scenario, Simulator};
use wisp_tests::{DEADLINE, Program, outcome, statuses, wisp, with_input};

const SCRIPT: &str = r#"
name = "killed"
title = "Is killed in each phase"
tag = "[killed]"
prompt = "Work [killed]"
workspace = """
//- /a.txt
one
"""

[[turns]]
text = "The scripted model looks first, and says so in a sentence of some length."
calls = [{ name = "files_read", arguments = { path = "a.txt" } }]
stream = { chunk = "words" }
FIRST

[[turns]]
calls = [{ name = "files_mkdir", arguments = { path = "made" } }]

[[turns]]
text = "The scripted model has made it, and says so in a sentence of some length."
stream = { chunk = "words" }
LAST

[expect]
outcome = "done"
answer = ["."]
requests = 3
"#;

struct Scene {
    simulator: Simulator,
    home: TempDir,
    folder: TempDir,
}

impl Scene {
    fn new(first: &str, last: &str) -> Self {
        let script = SCRIPT.replace("FIRST", first).replace("LAST", last);
        let scenario = Scenario::parse(&script).unwrap();
        let folder = TempDir::new().unwrap();
        wisp_qa::lay(scenario.workspace.as_deref().unwrap(), folder.path()).unwrap();
        Self {
            simulator: Simulator::start(vec![scenario], 0).unwrap(),
            home: TempDir::new().unwrap(),
            folder,
        }
    }

    fn exec(&self, more: &[&str]) -> std::process::Command {
        let mut command = wisp(self.home.path());
        command
            .env("WISP_BASE_URL", self.simulator.base_url())
            .env("WISP_PROVIDER", "deepseek")
            .args(["exec", "--json"])
            .args(more);
        command
    }

    fn start(&self, approve: &str) -> Program {
        let folder = self.folder.path().to_str().unwrap();
        Program::start(
            self.exec(&["--dir", folder, "--approve", approve, "Work [killed]"])
                .stdin(std::process::Stdio::piped()),
        )
    }

    /// The only session, before and after the program's next start on the folder.
    fn events(&self) -> (SessionId, Vec<Event>) {
        let history = History::of(self.home.path());
        let session = history.sessions().unwrap().remove(0).id;
        let (_, events) = history.session(&session).unwrap();
        (session, events)
    }

    /// Starts again and goes on in the session; gives what the restart added to it.
    fn after_the_kill(&self) -> Vec<Event> {
        let (session, before) = self.events();
        assert!(
            !before
                .iter()
                .any(|event| matches!(event.msg, EventMsg::RunFinished { .. })),
            "the kill came too late"
        );
        let asked_before = self.simulator.log().requests.len();
        let output = with_input(
            &mut self.exec(&[
                "--session",
                session.as_str(),
                "--approve",
                "all",
                "Work [killed]",
            ]),
            "",
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let (_, after) = self.events();
        assert_eq!(
            &after[..before.len()],
            &before[..],
            "what was there before has changed"
        );
        let closing: Vec<Event> = after[before.len()..]
            .iter()
            .take_while(|event| !matches!(event.msg, EventMsg::RunStarted { .. }))
            .cloned()
            .collect();
        assert_eq!(outcome(&closing), RunOutcome::Interrupted);
        assert_eq!(outcome(&after), RunOutcome::Done);
        let new_requests = self.simulator.log().requests.len() - asked_before;
        assert_eq!(new_requests, 3, "only the new run asks the model");
        let violations = self.simulator.log().violations;
        assert!(violations.is_empty(), "{violations:#?}");
        closing
    }
}

#[test]
fn while_it_waits_for_the_first_token() {
    let scene = Scene::new(r#"hold = { before = "here" }"#, "");
    let mut program = scene.start("all");
    program.wait_for("step_started");
    assert!(scene.simulator.wait_for("here", DEADLINE));
    program.kill();
    scene.simulator.release("here");
    assert!(statuses(&scene.after_the_kill()).is_empty());
}

#[test]
fn in_the_middle_of_the_text() {
    let scene = Scene::new(r#"hold = { mid = "here" }"#, "");
    let mut program = scene.start("all");
    program.wait_for("text_delta");
    assert!(scene.simulator.wait_for("here", DEADLINE));
    program.kill();
    scene.simulator.release("here");
    assert!(statuses(&scene.after_the_kill()).is_empty());
}

#[test]
fn while_an_approval_waits() {
    let scene = Scene::new("", "");
    let mut program = scene.start("ask");
    program.wait_for("approval_requested");
    program.kill();
    assert!(!scene.folder.path().join("made").exists());
    assert_eq!(statuses(&scene.after_the_kill()), [CallStatus::Cancelled]);
}

#[test]
fn after_the_change_while_the_model_answers() {
    let scene = Scene::new("", r#"hold = { mid = "here" }"#);
    let mut program = scene.start("all");
    program.wait_for(r#""tool":"files_mkdir","report""#);
    program.wait_for("text_delta");
    assert!(scene.simulator.wait_for("here", DEADLINE));
    program.kill();
    scene.simulator.release("here");
    assert!(scene.folder.path().join("made").is_dir());
    assert!(
        statuses(&scene.after_the_kill()).is_empty(),
        "the finished change is not touched again"
    );
}

#[test]
fn a_signal_to_end_is_a_cancel() {
    let scene = Scene::new(r#"hold = { mid = "here" }"#, "");
    let mut program = scene.start("all");
    program.wait_for("text_delta");
    program.signal("INT");
    program.wait_for("cancelled");
    assert_eq!(program.end().code(), Some(130));
}
