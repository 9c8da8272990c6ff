//! The state folded from events, as the engine sends them.

use wisp_engine::protocol::{
    ApprovalId, ApprovalRequest, CallId, CallReport, CallRequest, CallStatus, Decision,
    DecisionSource, Event, EventId, EventMsg, Mode, RunId, RunOutcome, SessionId, SessionSummary,
    ToolErrorKind, ToolFailure, Usage,
};

use super::AppState;
use super::folds::FoldKey;
use super::transcript::{CallState, Phase, StepState};

/// Makes events of one session, each with the next number.
struct Log {
    session: SessionId,
    next: u64,
}

impl Log {
    fn new(session: &str) -> Self {
        Self {
            session: SessionId::new(session),
            next: 1,
        }
    }

    fn event(&mut self, msg: EventMsg) -> Event {
        self.next += 1;
        Event {
            id: EventId(self.next),
            session: self.session.clone(),
            at: self.next * 1_000,
            msg,
        }
    }
}

fn run() -> RunId {
    RunId::new("run")
}

fn call() -> CallId {
    CallId::new("call")
}

fn summary(id: &str, folder: &str, updated_at: u64) -> SessionSummary {
    SessionSummary {
        id: SessionId::new(id),
        title: id.to_owned(),
        folder: Some(folder.into()),
        mode: Mode::Chat,
        created_at: 0,
        updated_at,
        runs: 0,
        running: false,
    }
}

fn started() -> EventMsg {
    EventMsg::RunStarted {
        run: run(),
        text: "do it".into(),
        max_steps: 8,
    }
}

fn asked(run: RunId, question: &str) -> EventMsg {
    EventMsg::ApprovalRequested {
        run,
        step: 1,
        approval: ApprovalRequest {
            id: ApprovalId::new(question),
            call: call(),
            tool: "files_write".into(),
            sentence: "Write a file.".into(),
            target: "/a".into(),
            details: Vec::new(),
        },
    }
}

fn report(status: CallStatus, millis: u64) -> CallReport {
    CallReport {
        status,
        result: None,
        error: None,
        note: None,
        millis,
    }
}

fn requested() -> EventMsg {
    EventMsg::CallsRequested {
        run: run(),
        step: 1,
        calls: vec![CallRequest {
            call: call(),
            tool: "files_write".into(),
            arguments: "{}".into(),
        }],
    }
}

fn finished(step: u32, status: CallStatus) -> EventMsg {
    EventMsg::CallFinished {
        run: run(),
        step,
        call: call(),
        tool: "files_write".into(),
        report: report(status, 40),
    }
}

fn ended(outcome: RunOutcome) -> EventMsg {
    EventMsg::RunFinished {
        run: run(),
        outcome,
        side_effects: false,
        steps: 1,
        usage: Usage::default(),
        millis: 5,
    }
}

/// A state that looks at one session, with these events folded in.
fn folded(log: &mut Log, messages: Vec<EventMsg>) -> AppState {
    let mut state = AppState::default();
    state.sessions.open_or_new(&log.session).ready = true;
    state.sessions.put(summary(log.session.as_str(), "/p", 0));
    state.current = Some(log.session.clone());
    for msg in messages {
        let event = log.event(msg);
        state.apply(&event);
    }
    state
}

fn first_call(state: &AppState) -> &CallState {
    &state.open_session().unwrap().transcript.runs[0].steps[0].calls[0].state
}

#[test]
fn a_call_goes_from_its_turn_to_the_question_to_its_end() {
    let mut log = Log::new("s");
    let step = EventMsg::StepStarted {
        run: run(),
        step: 1,
    };
    let mut state = folded(&mut log, vec![started(), step, requested()]);
    assert_eq!(*first_call(&state), CallState::Queued);
    let question = log.event(asked(run(), "question"));
    state.apply(&question);
    let asking = CallState::Asking(ApprovalId::new("question"));
    assert_eq!(*first_call(&state), asking);
    assert!(state.approvals.of(&log.session).is_some());
    let resolved = log.event(EventMsg::ApprovalResolved {
        run: run(),
        approval: ApprovalId::new("question"),
        call: call(),
        decision: Decision::Approve,
        source: DecisionSource::User,
    });
    state.apply(&resolved);
    assert!(state.approvals.all().is_empty());
    assert!(matches!(first_call(&state), CallState::Running(_)));
    let done = log.event(finished(1, CallStatus::Done));
    state.apply(&done);
    let step = &state.open_session().unwrap().transcript.runs[0].steps[0];
    assert_eq!(step.state(false), StepState::Well);
    assert_eq!(step.total_millis(), 40);
}

#[test]
fn an_event_that_comes_twice_counts_once() {
    let mut log = Log::new("s");
    let mut state = folded(&mut log, vec![started()]);
    let delta = log.event(EventMsg::TextDelta {
        run: run(),
        step: 1,
        text: "ab".into(),
    });
    state.apply(&delta);
    state.apply(&delta);
    let question = log.event(asked(run(), "question"));
    state.apply(&question);
    state.approvals.apply(&question);
    let open = state.open_session().unwrap();
    assert_eq!(open.transcript.runs[0].steps[0].reply.text(), "ab");
    assert_eq!(state.approvals.all().len(), 1);
}

#[test]
fn of_a_run_that_is_over_nothing_goes_on() {
    for (outcome, status) in [
        (RunOutcome::Cancelled, CallStatus::Cancelled),
        (RunOutcome::Interrupted, CallStatus::Unknown),
    ] {
        let mut log = Log::new("s");
        let begun = EventMsg::CallStarted {
            run: run(),
            step: 1,
            call: call(),
            tool: "files_write".into(),
        };
        let messages = vec![started(), requested(), begun, ended(outcome)];
        let state = folded(&mut log, messages);
        let over = CallState::Ended(Box::new(report(status, 0)));
        assert_eq!(*first_call(&state), over);
        let open = state.open_session().unwrap();
        assert!(open.transcript.running().is_none());
    }
    let mut log = Log::new("s");
    let question = asked(run(), "question");
    let messages = vec![
        started(),
        requested(),
        question,
        ended(RunOutcome::Cancelled),
    ];
    let state = folded(&mut log, messages);
    assert_eq!(*first_call(&state), CallState::NeverRun);
    assert!(state.approvals.all().is_empty(), "its card is gone");
}

#[test]
fn the_whole_reply_is_what_counts_in_the_end() {
    let mut log = Log::new("s");
    let mut messages = vec![started()];
    messages.extend(["Hel", "lo"].map(|text| EventMsg::TextDelta {
        run: run(),
        step: 1,
        text: text.into(),
    }));
    messages.push(EventMsg::StepFinished {
        run: run(),
        step: 1,
        text: "Hello!".into(),
        usage: Usage {
            input: 10,
            cached: 5,
            output: 2,
            reasoning: 0,
        },
        millis: 9,
    });
    let state = folded(&mut log, messages);
    let transcript = &state.open_session().unwrap().transcript;
    let step = &transcript.runs[0].steps[0];
    assert_eq!((step.reply.text(), &step.phase), ("Hello!", &Phase::Done));
    let (last, total) = transcript.usage();
    assert_eq!((last.unwrap().cached, total.input), (5, 10));
}

#[test]
fn a_log_without_steps_is_one_step_and_nothing_is_invented() {
    let mut log = Log::new("s");
    let messages = vec![
        started(),
        finished(0, CallStatus::Done),
        ended(RunOutcome::Done),
    ];
    let state = folded(&mut log, messages);
    let run = &state.open_session().unwrap().transcript.runs[0];
    assert_eq!((run.steps.len(), run.steps[0].number), (1, 0));
    assert!(run.steps[0].reply.is_empty());
    assert_eq!(run.steps[0].state(true), StepState::Well);
}

#[test]
fn a_step_folds_when_it_went_well_and_stays_as_the_person_wants() {
    let mut state = AppState::default();
    let open = |state: &AppState, how| state.folds.step_is_open(&run(), 1, how);
    assert!(open(&state, StepState::Running) && open(&state, StepState::Trouble));
    assert!(!open(&state, StepState::Well));
    state.folds.set(FoldKey::Step(run(), 1), true);
    assert!(open(&state, StepState::Well));
    state.folds.set(FoldKey::Step(run(), 1), false);
    assert!(!open(&state, StepState::Trouble));
}

#[test]
fn two_questions_have_places_and_neighbours() {
    let mut state = AppState::default();
    for (session, question) in [("a", "one"), ("b", "two")] {
        let event = Log::new(session).event(asked(RunId::new(session), question));
        state.apply(&event);
    }
    let (one, two) = (ApprovalId::new("one"), ApprovalId::new("two"));
    assert_eq!(state.approvals.position(&two), Some(2));
    for forward in [true, false] {
        let next = |id| state.approvals.neighbour(id, forward).unwrap();
        assert_eq!(next(&one).request.id, two);
        assert_eq!(next(&two).request.id, one);
    }
    assert!(state.approvals.mark(&one, true));
    assert!(!state.approvals.mark(&one, true), "an answer counts once");
    state.approvals.forget(&SessionId::new("b"));
    assert!(state.approvals.neighbour(&one, true).is_none());
}

#[test]
fn sessions_stand_by_folder_and_only_a_request_moves_them() {
    let mut log = Log::new("old");
    let mut state = AppState::default();
    state.sessions.set_list(vec![
        summary("new", "/b", 20),
        summary("other", "/a", 15),
        summary("old", "/b", 10),
    ]);
    let order = |state: &AppState| -> Vec<String> {
        let shown = state.sessions.shown();
        shown.map(|session| session.id.to_string()).collect()
    };
    let piece = log.event(EventMsg::TextDelta {
        run: run(),
        step: 1,
        text: "x".into(),
    });
    state.apply(&piece);
    assert_eq!(order(&state), ["new", "other", "old"]);
    log.next = 100;
    let begun = log.event(started());
    state.apply(&begun);
    assert_eq!(order(&state), ["old", "new", "other"]);
    assert!(state.sessions.summary(&log.session).unwrap().running);
    let groups = state.sessions.groups();
    assert_eq!((groups.len(), groups[0].sessions.len()), (2, 2));
    state.sessions.hide(&log.session);
    assert_eq!(order(&state), ["new", "other"]);
    state.sessions.unhide(&log.session);
    assert_eq!(order(&state).len(), 3);
    state.sessions.forget(&log.session);
    assert_eq!(order(&state), ["new", "other"]);
}

#[test]
fn long_ago_transcripts_go_and_drafts_stay() {
    let mut state = AppState::default();
    let id = |n: usize| SessionId::new(format!("s{n}"));
    state.sessions.open_or_new(&id(0)).draft.text = "half a thought".into();
    for n in 1..20 {
        state.sessions.open_or_new(&id(n)).ready = true;
    }
    let first = state.sessions.open(&id(0)).unwrap();
    assert_eq!(first.draft.text, "half a thought");
    assert!(state.sessions.open(&id(1)).is_none());
    assert!(state.sessions.open(&id(19)).is_some());
}

#[test]
fn what_happens_while_a_session_is_read_comes_after_what_was_read() {
    let mut log = Log::new("s");
    let before = log.event(started());
    let during = log.event(ended(RunOutcome::Done));
    let mut state = AppState::default();
    state.sessions.open_or_new(&log.session).begin_reading();
    state.apply(&during);
    let open = state.sessions.open_mut(&log.session).unwrap();
    assert!(open.transcript.runs.is_empty() && !open.ready);
    open.take_events(std::slice::from_ref(&before));
    let runs = &open.transcript.runs;
    assert!(open.ready && runs.len() == 1 && !runs[0].is_running());
    // One that was never looked at takes nothing in: all of it is read when somebody looks.
    let other = Log::new("other").event(started());
    state.sessions.open_or_new(&other.session).draft.text = "half".into();
    state.apply(&other);
    let open = state.sessions.open_mut(&other.session).unwrap();
    assert!(open.transcript.runs.is_empty());
    open.take_events(std::slice::from_ref(&other));
    assert_eq!(open.transcript.runs.len(), 1);
}

#[test]
fn a_failed_call_opens_by_itself_but_not_in_a_long_batch() {
    for (calls, by_itself) in [(11, true), (12, false)] {
        let mut log = Log::new("s");
        let mut messages = vec![started()];
        for number in 0..calls {
            messages.push(EventMsg::CallFinished {
                run: run(),
                step: 1,
                call: CallId::new(number.to_string()),
                tool: "files_read".into(),
                report: CallReport {
                    error: Some(ToolFailure {
                        kind: ToolErrorKind::NotFound,
                        message: "Nothing is there.".into(),
                    }),
                    ..report(CallStatus::Failed, 1)
                },
            });
        }
        let mut state = folded(&mut log, messages);
        let open = |state: &AppState| {
            let run = &state.open_session().unwrap().transcript.runs[0];
            let step = &run.steps[0];
            state.folds.call_is_open(run, step, &step.calls[0])
        };
        assert_eq!(open(&state), by_itself, "{calls}");
        let key = FoldKey::Call(run(), 1, CallId::new("0"));
        state.folds.set(key, !by_itself);
        assert_eq!(open(&state), !by_itself);
    }
}
