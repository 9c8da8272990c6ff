//! How a sample's session is told: the events of runs, steps and calls in their order.

use std::path::PathBuf;

use serde_json::Value;
use wisp_engine::protocol::{
    ApprovalId, ApprovalRequest, CallId, CallReport, CallRequest, CallStatus, Detail, EventMsg,
    Failure, NoticeKind, RunId, RunOutcome, SessionId, ToolErrorKind, ToolFailure, Usage,
};

use crate::i18n::Language;
use crate::state::folds::FoldKey;
use crate::state::qa::{Reaction, SampleSession, Script, Timed};

/// How long a change of files takes in a sample, in seconds: long enough to see that it goes on
/// (`design/ui.md`, "QA panel").
pub(super) const CHANGE_SECONDS: f64 = 1.8;
/// The pause before a sample's answer follows a call, in seconds.
const ANSWER_SECONDS: f64 = 0.4;
/// The step budget of a sample's run.
const MAX_STEPS: u32 = 25;

/// What a sample is told for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) language: Language,
    pub(super) number: u64,
}

impl Stage {
    /// A session of this sample.
    pub(super) fn story(&self, key: &str, title: &str) -> Story {
        Story {
            id: format!("sample-{}-{key}", self.number),
            title: title.to_owned(),
            events: Vec::new(),
            reactions: Vec::new(),
            open: Vec::new(),
            failure: None,
            runs: 0,
            step: 0,
            calls: 0,
            usage: Usage::default(),
        }
    }

    /// The words of its language.
    pub(super) fn say<'a>(&self, english: &'a str, chinese: &'a str) -> &'a str {
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}

/// A session while it is told.
pub(super) struct Story {
    id: String,
    title: String,
    events: Vec<Timed>,
    reactions: Vec<Reaction>,
    open: Vec<FoldKey>,
    failure: Option<Failure>,
    runs: usize,
    step: u32,
    calls: usize,
    usage: Usage,
}

/// A card of a story.
pub(super) struct CardOf<'a> {
    pub(super) tool: &'a str,
    pub(super) arguments: Value,
    pub(super) sentence: &'a str,
    pub(super) target: &'a str,
    pub(super) details: Vec<Detail>,
    /// What the tool gives back after yes.
    pub(super) result: Value,
    /// What the model says then.
    pub(super) done: &'a str,
    /// What it says after no.
    pub(super) denied: &'a str,
}

impl Story {
    fn push(&mut self, msg: EventMsg) {
        self.events.push(Timed { after: 0.0, msg });
    }

    fn run(&self) -> RunId {
        RunId::new(format!("{}-run-{}", self.id, self.runs))
    }

    /// The user asks for something.
    pub(super) fn ask(&mut self, text: impl Into<String>) {
        self.runs += 1;
        self.step = 0;
        self.usage = Usage::default();
        let (run, text) = (self.run(), text.into());
        self.push(EventMsg::RunStarted {
            run,
            text,
            max_steps: MAX_STEPS,
        });
    }

    /// A model request begins.
    pub(super) fn step(&mut self) {
        self.step += 1;
        let (run, step) = (self.run(), self.step);
        self.push(EventMsg::StepStarted { run, step });
    }

    /// Something that happens in the step, made from its run and its number.
    pub(super) fn in_step(&mut self, msg: impl FnOnce(RunId, u32) -> EventMsg) {
        let msg = msg(self.run(), self.step);
        self.push(msg);
    }

    /// A piece of text of the step.
    pub(super) fn text(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.in_step(|run, step| EventMsg::TextDelta { run, step, text });
    }

    /// The step's reply is whole.
    pub(super) fn replied(&mut self, text: impl Into<String>) {
        let msg = self.reply_msg(self.step, text.into());
        self.push(msg);
    }

    fn reply_msg(&mut self, step: u32, text: String) -> EventMsg {
        let usage = Usage {
            input: 420,
            cached: 1_800 * u64::from(step.min(MAX_STEPS)),
            output: 90,
            reasoning: 20,
        };
        self.usage = self.usage.plus(usage);
        EventMsg::StepFinished {
            run: self.run(),
            step,
            text,
            usage,
            millis: 900,
        }
    }

    /// The reply asks for these calls: tools and arguments. Gives their ids.
    pub(super) fn calls(&mut self, calls: Vec<(&str, Value)>) -> Vec<CallId> {
        let mut ids = Vec::new();
        let mut requests = Vec::new();
        for (tool, arguments) in calls {
            self.calls += 1;
            let call = CallId::new(format!("call-{}", self.calls));
            ids.push(call.clone());
            requests.push(CallRequest {
                call,
                tool: tool.to_owned(),
                arguments: arguments.to_string(),
            });
        }
        self.in_step(|run, step| EventMsg::CallsRequested {
            run,
            step,
            calls: requests,
        });
        ids
    }

    /// A call is taken up.
    pub(super) fn starts(&mut self, call: &CallId, tool: &str) {
        let (call, tool) = (call.clone(), tool.to_owned());
        self.in_step(|run, step| EventMsg::CallStarted {
            run,
            step,
            call,
            tool,
        });
    }

    /// A call ends with this.
    pub(super) fn gives(&mut self, call: &CallId, tool: &str, report: CallReport) {
        let msg = self.gives_msg(call, tool, report);
        self.push(msg);
    }

    fn gives_msg(&self, call: &CallId, tool: &str, report: CallReport) -> EventMsg {
        EventMsg::CallFinished {
            run: self.run(),
            step: self.step,
            call: call.clone(),
            tool: tool.to_owned(),
            report,
        }
    }

    /// The same as [`Self::one_call`], opened so that what it gave is seen.
    pub(super) fn open_call(&mut self, text: &str, tool: &str, arguments: Value, result: Value) {
        self.one_call(text, tool, arguments, result);
        let (run, step) = (self.run(), self.step);
        let call = CallId::new(format!("call-{}", self.calls));
        self.open.push(FoldKey::Step(run.clone(), step));
        self.open.push(FoldKey::Call(run, step, call));
    }

    /// A whole step of one call that went well.
    pub(super) fn one_call(&mut self, text: &str, tool: &str, arguments: Value, result: Value) {
        let mut report = Some(well(result));
        self.step();
        if !text.is_empty() {
            self.text(text);
        }
        self.replied(text);
        for call in self.calls(vec![(tool, arguments)]) {
            self.starts(&call, tool);
            if let Some(report) = report.take() {
                self.gives(&call, tool, report);
            }
        }
    }

    /// A whole step that is nothing but the answer, and the run's end.
    pub(super) fn answer(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.step();
        self.text(text.clone());
        self.replied(text);
        self.ends(RunOutcome::Done, false);
    }

    /// The person is told something.
    pub(super) fn notice(&mut self, notice: NoticeKind, message: &str) {
        let (run, message) = (self.run(), message.to_owned());
        self.push(EventMsg::Notice {
            run,
            notice,
            message,
        });
    }

    /// The run ends.
    pub(super) fn ends(&mut self, outcome: RunOutcome, side_effects: bool) {
        let msg = self.end_msg(self.step, outcome, side_effects);
        self.push(msg);
    }

    fn end_msg(&self, steps: u32, outcome: RunOutcome, side_effects: bool) -> EventMsg {
        EventMsg::RunFinished {
            run: self.run(),
            outcome,
            side_effects,
            steps,
            usage: self.usage,
            millis: 2_300 * u64::from(steps.max(1)),
        }
    }

    /// Its events can't be read.
    pub(super) fn unreadable(&mut self, failure: Failure) {
        self.failure = Some(failure);
    }

    /// A step whose one call asks, and what follows either answer.
    pub(super) fn card(&mut self, card: CardOf<'_>) {
        self.step();
        self.replied("");
        let Some(call) = self.calls(vec![(card.tool, card.arguments)]).pop() else {
            return;
        };
        self.starts(&call, card.tool);
        let approval = ApprovalId::new(format!("{}-card-{}", self.id, self.calls));
        let request = ApprovalRequest {
            id: approval.clone(),
            call: call.clone(),
            tool: card.tool.to_owned(),
            sentence: card.sentence.to_owned(),
            target: card.target.to_owned(),
            details: card.details,
        };
        self.in_step(|run, step| EventMsg::ApprovalRequested {
            run,
            step,
            approval: request,
        });
        let done = self.gives_msg(&call, card.tool, well(card.result));
        let denied = self.gives_msg(&call, card.tool, denied_report());
        let approved = self.follows(CHANGE_SECONDS, done, card.done);
        let denied = self.follows(0.0, denied, card.denied);
        self.reactions.push(Reaction {
            approval,
            approved,
            denied,
        });
    }

    /// A call's end, then a step with the answer.
    fn follows(&mut self, after: f64, end: EventMsg, answer: &str) -> Vec<Timed> {
        let (run, step) = (self.run(), self.step + 1);
        let usage = self.usage;
        let mut events = vec![
            Timed { after, msg: end },
            Timed {
                after: ANSWER_SECONDS,
                msg: EventMsg::StepStarted {
                    run: run.clone(),
                    step,
                },
            },
        ];
        for piece in answer.split_inclusive([' ', '，', '。']) {
            events.push(Timed {
                after: 0.04,
                msg: EventMsg::TextDelta {
                    run: run.clone(),
                    step,
                    text: piece.to_owned(),
                },
            });
        }
        let reply = self.reply_msg(step, answer.to_owned());
        let end = self.end_msg(step, RunOutcome::Done, true);
        events.extend([reply, end].map(|msg| Timed { after: 0.0, msg }));
        self.usage = usage;
        events
    }

    /// The session as told.
    pub(super) fn session(self) -> SampleSession {
        SampleSession {
            id: SessionId::new(self.id),
            title: self.title,
            folder: Some(PathBuf::from("/sample/lantern")),
            failure: self.failure,
            events: self.events,
            reactions: self.reactions,
            open: self.open,
        }
    }

    /// The session as a whole sample.
    pub(super) fn script(self) -> Script {
        Script {
            sessions: vec![self.session()],
        }
    }
}

/// A call that did what was asked.
pub(super) fn well(result: Value) -> CallReport {
    CallReport {
        status: CallStatus::Done,
        result: Some(result),
        error: None,
        note: None,
        millis: 12,
    }
}

/// A call that ended otherwise.
pub(super) fn ill(status: CallStatus, kind: ToolErrorKind, message: &str) -> CallReport {
    CallReport {
        status,
        result: None,
        error: Some(ToolFailure {
            kind,
            message: message.to_owned(),
        }),
        note: None,
        millis: 3,
    }
}

fn denied_report() -> CallReport {
    let message = "The user said no. Nothing was changed.";
    ill(CallStatus::Denied, ToolErrorKind::Denied, message)
}
