//! Each sample shows what it says, in memory alone.

use std::collections::HashSet;

use wisp_engine::protocol::{CallStatus, Decision, RunOutcome, SessionId};

use super::story::CHANGE_SECONDS;
use super::*;
use crate::state::AppState;
use crate::state::qa::is_sample;
use crate::state::transcript::{CallState, Phase, Run};

const TODAY: u64 = 1_800_000_000_000;

fn played(key: &str, language: Language) -> AppState {
    let mut state = AppState::default();
    state.play_sample(script(key, language, 1), 10.0, TODAY);
    state
}

fn last_run(state: &AppState) -> &Run {
    let open = state.open_session().unwrap();
    open.transcript.runs.last().unwrap()
}

fn first_call(state: &AppState) -> &CallState {
    let open = state.open_session().unwrap();
    &open.transcript.runs[0].steps[0].calls[0].state
}

/// What a sample shows, by its key.
fn check(key: &str, state: &AppState) {
    let outcome = || last_run(state).end.as_ref().map(|end| &end.outcome);
    let phase = || last_run(state).steps.last().map(|step| &step.phase);
    let cards = state.approvals.all().len();
    let ok = match key {
        "replace" | "write" | "mkdir" | "move" | "trash" | "hostile" | "open-page" => {
            let here = state.current.as_ref().unwrap();
            cards == 1 && state.approvals.of(here).is_some()
        }
        "two-cards" => cards == 2 && state.qa.play.as_ref().unwrap().sessions().len() == 2,
        "search" | "list" | "json" | "text" | "read-page" | "tab-action" => {
            matches!(first_call(state), CallState::Ended(report) if report.result.is_some())
                && outcome() == Some(&RunOutcome::Done)
        }
        "markdown" => outcome() == Some(&RunOutcome::Done) && last_run(state).steps.len() == 1,
        "notices" => last_run(state).notices.len() == 5,
        "budget" => matches!(outcome(), Some(RunOutcome::BudgetSpent { .. })),
        "guard" => matches!(outcome(), Some(RunOutcome::GuardStopped { .. })),
        "failed-settings" => matches!(outcome(), Some(RunOutcome::Failed { .. })),
        "failed-kept" => {
            matches!(outcome(), Some(RunOutcome::Failed { .. }))
                && !last_run(state).steps[2].reply.is_empty()
        }
        "failed-changed" => last_run(state).end.as_ref().unwrap().side_effects,
        "failed-each" => {
            let runs = &state.open_session().unwrap().transcript.runs;
            let kinds: HashSet<_> = (runs.iter())
                .map(|run| match &run.end.as_ref().unwrap().outcome {
                    RunOutcome::Failed { failure } => failure.kind,
                    other => panic!("{other:?}"),
                })
                .collect();
            kinds.len() == ends::KINDS.len()
        }
        "failed-calls" => {
            let calls = &last_run(state).steps[0].calls;
            let ended = |place: usize, wanted: CallStatus| matches!(&calls[place].state, CallState::Ended(report) if report.status == wanted);
            ended(0, CallStatus::Done)
                && ended(1, CallStatus::Failed)
                && ended(2, CallStatus::Denied)
                && ended(4, CallStatus::Unknown)
                && calls[5].state == CallState::NeverRun
        }
        "unreadable" => state.open_session().unwrap().failure.is_some(),
        "interrupted" => outcome() == Some(&RunOutcome::Interrupted),
        "cancelled" => outcome() == Some(&RunOutcome::Cancelled),
        "waiting" => matches!(phase(), Some(Phase::Waiting(15))),
        "retry" => matches!(phase(), Some(Phase::Retrying { attempt: 2, .. })),
        "thinking" => phase() == Some(&Phase::Thinking),
        "calling" => matches!(phase(), Some(Phase::Calling(tool)) if tool == "files_write"),
        "calls-5000" => {
            let calls = last_run(state).steps.iter().map(|step| step.calls.len());
            calls.sum::<usize>() == 5_000
        }
        "message-10mb" => last_run(state).text.len() > heavy::LARGE - 4,
        "long-line" => last_run(state).text.chars().count() == heavy::LINE,
        _ => panic!("nothing is known of {key}"),
    };
    assert!(ok, "{key}");
}

#[test]
fn every_sample_shows_what_it_says_and_no_more_than_samples() {
    let mut keys = HashSet::new();
    for sample in SAMPLES {
        assert!(keys.insert(sample.key), "{} is there twice", sample.key);
        for language in Language::ALL {
            let state = played(sample.key, *language);
            check(sample.key, &state);
            for session in state.qa.play.as_ref().unwrap().sessions() {
                assert!(is_sample(session), "{session}");
                assert!(state.sessions.summary(session).is_some());
            }
            assert!(state.sessions.shown().next().is_none(), "in the sidebar");
            assert!(state.sessions.groups().is_empty());
        }
    }
}

#[test]
fn every_answer_to_a_card_changes_memory_in_its_time() {
    for key in ["replace", "write", "mkdir", "move", "trash", "hostile"] {
        let mut state = played(key, Language::English);
        let card = state.approvals.all()[0].request.id.clone();
        state.decide_sample(&card, &Decision::Approve, 20.0, TODAY);
        assert!(state.approvals.all().is_empty(), "{key}");
        assert!(matches!(first_call(&state), CallState::Running(_)), "{key}");
        state.tick_sample(20.0 + CHANGE_SECONDS - 0.01, TODAY);
        assert!(matches!(first_call(&state), CallState::Running(_)), "{key}");
        state.tick_sample(20.0 + CHANGE_SECONDS, TODAY);
        let done =
            matches!(first_call(&state), CallState::Ended(r) if r.status == CallStatus::Done);
        assert!(done, "{key}");
        state.tick_sample(40.0, TODAY);
        assert!(!last_run(&state).is_running(), "{key}");
        assert_eq!(state.qa.play.as_ref().unwrap().next_change(40.0), None);

        let mut state = played(key, Language::Chinese);
        let card = state.approvals.all()[0].request.id.clone();
        let no = Decision::Deny { reason: None };
        state.decide_sample(&card, &no, 20.0, TODAY);
        let denied =
            matches!(first_call(&state), CallState::Ended(r) if r.status == CallStatus::Denied);
        assert!(denied, "{key}: at once");
        state.tick_sample(40.0, TODAY);
        assert!(
            last_run(&state).steps[1].reply.text().contains("拒绝"),
            "{key}"
        );
    }
}

#[test]
fn a_sample_can_be_stopped_and_talked_to() {
    let mut state = played("thinking", Language::English);
    let session = state.current.clone().unwrap();
    assert!(
        !state.say_in_sample(&session, "x".into(), "y", TODAY),
        "it goes on"
    );
    state.stop_sample(&session, TODAY);
    assert!(!last_run(&state).is_running());
    assert!(state.say_in_sample(&session, "hello".into(), "no model", TODAY));
    assert_eq!(last_run(&state).steps[0].reply.text(), "no model");

    // A card that waits goes with the run, and nothing follows later.
    let mut state = played("trash", Language::English);
    let session = state.current.clone().unwrap();
    state.stop_sample(&session, TODAY);
    assert!(state.approvals.all().is_empty());
    state.tick_sample(99.0, TODAY);
    assert_eq!(*first_call(&state), CallState::NeverRun);
}

#[test]
fn leaving_forgets_the_samples_and_shows_what_was_there_before() {
    let mut state = AppState {
        current: Some(SessionId::new("real")),
        ..AppState::default()
    };
    state.play_sample(script("two-cards", Language::English, 1), 1.0, TODAY);
    state.play_sample(script("write", Language::English, 2), 2.0, TODAY);
    assert_eq!(state.approvals.all().len(), 1, "the first ones are gone");
    state.leave_samples();
    assert_eq!(state.current, Some(SessionId::new("real")));
    assert!(state.approvals.all().is_empty());
    assert!(state.qa.play.is_none());
}

#[test]
fn a_card_of_a_hostile_path_holds_the_path_as_it_is() {
    let state = played("hostile", Language::English);
    let target = &state.approvals.all()[0].request.target;
    assert_eq!(target, change::HOSTILE);
    assert!(target.contains('\n') && target.contains('\u{202e}'));
}
