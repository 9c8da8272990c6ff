//! Every scenario, once with every change approved and once with every change denied.

use tempfile::TempDir;
use wisp_engine::protocol::{Event, EventMsg};
use wisp_qa::{Choice, Scenario, builtin, check};
use wisp_tests::{Desk, Say, wisp};

fn play(scenario: &Scenario, denied: bool) {
    // Where the model says nothing for ever, the limit is what ends the run.
    let says_nothing = scenario
        .turns
        .iter()
        .any(|turn| turn.fault.as_ref().is_some_and(|fault| fault.comments_only));
    let mut desk = Desk::with(builtin(), |settings| {
        settings.api_key.clone_from(&scenario.require_key);
        if says_nothing {
            settings.idle_seconds = 1;
        }
    });
    desk.show_tabs();
    desk.lay(scenario);
    let session = desk.session();
    desk.start(&session, &scenario.prompt, scenario.max_steps);
    let events = desk.to_the_end(&session, |asked| {
        if denied || scenario.decision(asked) == Choice::Deny {
            Say::Deny
        } else {
            Say::Approve
        }
    });
    let report = check(scenario, &events, desk.folder.path());
    assert!(report.passed(), "{report}");
    assert_eq!(
        desk.stored(&session)[1..],
        without_pieces_of_whole_answers(events),
        "{}: what was shown is what is stored",
        scenario.name
    );
    desk.assert_requests_were_right();
    let asked = desk.simulator.log().requests.len();
    assert_eq!(
        asked,
        usize::try_from(scenario.expect.requests).unwrap(),
        "{}: requests",
        scenario.name
    );
}

/// What a session reads back as: a piece of an answer only where the answer is not there as a whole.
fn without_pieces_of_whole_answers(mut events: Vec<Event>) -> Vec<Event> {
    let whole: Vec<u32> = events
        .iter()
        .filter_map(|event| match event.msg {
            EventMsg::StepFinished { step, .. } => Some(step),
            _ => None,
        })
        .collect();
    events.retain(
        |event| !matches!(&event.msg, EventMsg::TextDelta { step, .. } if whole.contains(step)),
    );
    events
}

/// Through the program, whose trash is the test's own and not that of the person who runs it.
fn play_with_a_trash_of_its_own(scenario: &Scenario) {
    let (home, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    wisp_qa::lay(scenario.workspace.as_deref().unwrap(), folder.path()).unwrap();
    let output = wisp(home.path())
        .args([
            "exec",
            "--simulate",
            "--json",
            "--approve",
            "all",
            &scenario.prompt,
            "--dir",
        ])
        .arg(folder.path())
        .output()
        .unwrap();
    let events: Vec<Event> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let report = check(scenario, &events, folder.path());
    assert!(report.passed(), "{report}");
    let trashed = home.path().join("Trash/files");
    assert_eq!(
        std::fs::read_dir(trashed).unwrap().count(),
        scenario.expect.approved.gone.len()
    );
}

#[test]
fn each_scenario_comes_out_as_it_says_when_all_is_approved() {
    for scenario in &builtin() {
        if scenario.name == "demo-trash" {
            play_with_a_trash_of_its_own(scenario);
        } else {
            play(scenario, false);
        }
    }
}

#[test]
fn each_scenario_comes_out_as_it_says_when_all_is_denied() {
    for scenario in &builtin() {
        play(scenario, true);
    }
}
