//! How live results fold.

use wisp_engine::protocol::{
    ApprovalId, Event, EventId, EventMsg, RunId, RunOutcome, SessionId, Usage,
};
use wisp_qa::{Choice, Line, Report};

use super::live::ANSWER_AFTER;
use super::*;

fn event(session: &str, id: u64, msg: EventMsg) -> Event {
    Event {
        id: EventId(id),
        session: SessionId::new(session),
        at: id,
        msg,
    }
}

fn step() -> EventMsg {
    EventMsg::StepStarted {
        run: RunId::new("r"),
        step: 1,
    }
}

fn end() -> EventMsg {
    EventMsg::RunFinished {
        run: RunId::new("r"),
        outcome: RunOutcome::Done,
        side_effects: false,
        steps: 1,
        usage: Usage::default(),
        millis: 40,
    }
}

fn report(name: &str, ok: bool) -> Report {
    Report {
        scenario: name.to_owned(),
        lines: vec![Line {
            what: "out|come".to_owned(),
            expected: "done".to_owned(),
            seen: "do\nne".to_owned(),
            ok,
        }],
    }
}

/// Plays one to its comparison.
fn play(qa: &mut Qa, name: &str, ok: bool, violations: Vec<String>) {
    qa.begin(name, true).unwrap();
    let live = qa.live.as_mut().unwrap();
    live.session = Some(SessionId::new("mine"));
    live.stage = Stage::Running;
    assert!(!qa.take_event(&event("mine", 1, step())));
    assert!(!qa.take_event(&event("other", 2, end())), "another session");
    assert!(qa.take_event(&event("mine", 3, end())));
    qa.take_report(report(name, ok), violations);
}

#[test]
fn what_a_live_run_reported_becomes_its_result() {
    let mut qa = Qa::default();
    assert!(qa.scenario("hello").is_some() && qa.scenario("fault-429").is_some());
    assert!(qa.scenario("bench-loop").is_none());
    play(&mut qa, "hello", true, Vec::new());
    let result = &qa.results["hello"];
    assert!(result.passed());
    assert_eq!((result.steps, result.millis), (1, 40));
    assert!(!qa.is_running() && !qa.live.as_ref().unwrap().wants_picture);

    play(&mut qa, "hello", false, Vec::new());
    assert!(!qa.results["hello"].passed());
    assert!(qa.live.as_ref().unwrap().wants_picture);
    // A wrong request fails a run that looks right from this side.
    play(&mut qa, "hello", true, vec!["a wrong request".to_owned()]);
    assert!(!qa.results["hello"].passed());
}

#[test]
fn one_goes_on_at_a_time_and_one_that_breaks_off_has_failed() {
    let mut qa = Qa::default();
    qa.begin("hello", false).unwrap();
    assert!(qa.begin("chat", false).is_none());
    assert!(qa.begin_all().is_none());
    qa.break_off("no folder");
    assert!(!qa.results["hello"].passed());
    assert_eq!(qa.results["hello"].report.lines[0].seen, "no folder");
    assert!(qa.begin("chat", false).is_some());
}

#[test]
fn all_of_them_end_with_a_summary_that_names_what_failed() {
    let mut qa = Qa::default();
    let mut next = qa.begin_all();
    let mut count = 0;
    while let Some(name) = next {
        play(&mut qa, &name, name != "chat", Vec::new());
        count += 1;
        next = qa.next_of_batch();
    }
    assert_eq!(count, wisp_qa::builtin().len() - 1);
    assert_eq!(qa.shown, Shown::Summary);
    let played = qa.batch.as_ref().unwrap().played.clone();
    assert_eq!(qa.tally(played.iter()), (count - 1, vec!["chat"]));
}

#[test]
fn an_approval_is_answered_by_itself_after_it_could_be_seen() {
    let mut qa = Qa::default();
    qa.begin("demo-write", true).unwrap();
    assert_eq!(qa.next_choice(), Choice::Approve);
    let live = qa.live.as_mut().unwrap();
    let card = ApprovalId::new("a");
    assert_eq!(live.answer_due(Some(&card), 1.0), None);
    assert_eq!(
        live.answer_due(Some(&card), 1.0 + ANSWER_AFTER - 0.01),
        None
    );
    assert_eq!(
        live.answer_due(Some(&card), 1.0 + ANSWER_AFTER),
        Some(card.clone())
    );
    live.by_itself = false;
    assert_eq!(live.answer_due(Some(&card), 9.0), None);
    assert_eq!(
        live.answer_due(Some(&card), 99.0),
        None,
        "the person answers"
    );
}

#[test]
fn a_report_holds_every_result_in_both_forms() {
    let mut qa = Qa::default();
    play(&mut qa, "hello", true, Vec::new());
    play(&mut qa, "chat", false, vec!["it was wrong".to_owned()]);
    let value = json(&qa.results);
    assert_eq!((&value["passed"], &value["failed"]), (&1.into(), &1.into()));
    assert_eq!(value["results"][0]["violations"][0], "it was wrong");
    let text = markdown(&qa.results);
    let (failed, passed) = (text.find("## chat: FAILED"), text.find("## hello: passed"));
    assert!(failed.unwrap() < passed.unwrap(), "{text}");
    assert!(
        text.contains("| ✗ | out\\|come | done | do<br>ne |"),
        "{text}"
    );
}
