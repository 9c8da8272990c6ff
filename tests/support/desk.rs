//! An engine with a scripted model, a data folder and a folder to work on, driven through its queues.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use wisp_engine::protocol::{
    Answer, CallStatus, Decision, Event, EventMsg, Failure, Mode, Op, RunId, RunOptions,
    RunOutcome, SessionId, SubmissionId, Update,
};
use wisp_engine::{EngineConfig, EngineHandle, Settings, StoreLocation};
use wisp_qa::{MODEL_NAME, Scenario, Simulator};

use crate::tabs::Tabs;

/// Nothing here takes this long on a machine that works.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// What to say to every approval of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// Yes.
    Approve,
    /// No.
    Deny,
}

impl Say {
    /// As an answer to the engine.
    pub fn decision(self) -> Decision {
        match self {
            Self::Approve => Decision::Approve,
            Self::Deny => Decision::Deny {
                reason: Some("not today".to_owned()),
            },
        }
    }
}

/// The engine and all it works with. Dropping it stops everything.
pub struct Desk {
    // Dropped in this order: the engine before the model it may be talking to.
    engine: Option<EngineHandle>,
    /// The scripted model.
    pub simulator: Simulator,
    /// The data folder.
    pub home: TempDir,
    /// The folder that sessions work on.
    pub folder: TempDir,
    settings: Settings,
    window: bool,
    /// Who takes tickets up by itself, with [`Desk::show_tabs`].
    pub tabs: Option<Tabs>,
    runtime: tokio::runtime::Runtime,
}

impl Default for Desk {
    fn default() -> Self {
        Self::with(wisp_qa::builtin(), |_| {})
    }
}

impl Desk {
    /// With these scenarios and with changed settings.
    pub fn with(scenarios: Vec<Scenario>, change: impl FnOnce(&mut Settings)) -> Self {
        let simulator = Simulator::start(scenarios, 0).unwrap();
        let mut settings = Settings {
            base_url: simulator.base_url(),
            model: MODEL_NAME.to_owned(),
            provider: Some("deepseek".to_owned()),
            ..Settings::default()
        };
        change(&mut settings);
        let home = TempDir::new().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        Self {
            engine: Some(start(home.path(), &settings, false).unwrap()),
            window: false,
            tabs: None,
            simulator,
            home,
            folder: TempDir::new().unwrap(),
            settings,
            runtime,
        }
    }

    /// With one scenario, whose folder is laid.
    pub fn for_scenario(scenario: &Scenario) -> Self {
        let desk = Self::with(vec![scenario.clone()], |_| {});
        desk.lay(scenario);
        desk
    }

    /// Starts the engine anew, for a client that takes tickets up.
    pub fn show_window(&mut self) {
        self.window = true;
        self.restart();
    }

    /// The same, with tabs that answer by themselves.
    pub fn show_tabs(&mut self) {
        self.tabs = Some(Tabs::default());
        self.show_window();
    }

    /// Lays a scenario's files.
    pub fn lay(&self, scenario: &Scenario) {
        wisp_qa::lay(
            scenario.workspace.as_deref().unwrap_or_default(),
            self.folder.path(),
        )
        .unwrap();
    }

    /// Gives the running engine other settings, which a restart keeps.
    pub fn configure(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.engine
            .as_ref()
            .unwrap()
            .configure(self.settings.clone());
    }

    /// Stops the engine.
    pub fn stop(&mut self) {
        self.engine = None;
    }

    /// Stops the engine and starts one on the same data folder.
    pub fn restart(&mut self) {
        self.stop();
        self.engine = Some(start(self.home.path(), &self.settings, self.window).unwrap());
    }

    /// Submits without waiting for the answer.
    pub fn submit(&self, op: Op) -> SubmissionId {
        self.engine.as_ref().unwrap().submit(op).unwrap()
    }

    /// The next update.
    pub fn update(&mut self) -> Update {
        let engine = self.engine.as_mut().unwrap();
        let update = self
            .runtime
            .block_on(async { tokio::time::timeout(DEADLINE, engine.next()).await })
            .expect("the engine says nothing any more")
            .expect("the engine has stopped");
        if let (Update::Ticket { ticket }, Some(tabs)) = (&update, &mut self.tabs) {
            for op in tabs.take(ticket) {
                self.submit(op);
            }
        }
        update
    }

    /// Submits and waits for the answer; what comes before it is dropped.
    pub fn ask(&mut self, op: Op) -> Answer {
        let id = self.submit(op);
        loop {
            if let Update::Answer { re, answer } = self.update()
                && re == id
            {
                return answer;
            }
        }
    }

    /// The failure of a submission that must be refused.
    pub fn refused(&mut self, op: Op) -> Failure {
        match self.ask(op) {
            Answer::Refused { failure } => failure,
            other => panic!("not refused: {other:?}"),
        }
    }

    /// A new session on the folder.
    pub fn session(&mut self) -> SessionId {
        let folder = Some(self.folder.path().to_owned());
        match self.ask(Op::CreateSession {
            folder,
            mode: Mode::Chat,
        }) {
            Answer::SessionReady { session, .. } => session.id,
            other => panic!("no session: {other:?}"),
        }
    }

    /// All events of a session as they are stored.
    pub fn stored(&mut self, session: &SessionId) -> Vec<Event> {
        match self.ask(Op::OpenSession {
            session: session.clone(),
        }) {
            Answer::SessionReady { events, .. } => events,
            other => panic!("no session: {other:?}"),
        }
    }

    /// Starts a run.
    pub fn start(&mut self, session: &SessionId, text: &str, max_steps: Option<u32>) -> RunId {
        let op = Op::StartRun {
            session: session.clone(),
            text: text.to_owned(),
            options: RunOptions { max_steps },
        };
        match self.ask(op) {
            Answer::RunAccepted { run, .. } => run,
            other => panic!("no run: {other:?}"),
        }
    }

    /// Events until one that fits, that one included.
    pub fn until(&mut self, fits: impl Fn(&EventMsg) -> bool) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            match self.update() {
                Update::Event(event) => {
                    let last = fits(&event.msg);
                    events.push(event);
                    if last {
                        return events;
                    }
                }
                Update::Answer { .. } | Update::Ticket { .. } | Update::TicketDropped { .. } => {}
                Update::Alarm { failure } => panic!("{failure}"),
            }
        }
    }

    /// Answers every approval until the run's end.
    pub fn to_the_end(&mut self, session: &SessionId, say: impl Fn(usize) -> Say) -> Vec<Event> {
        let mut events = Vec::new();
        let mut asked = 0;
        loop {
            let more = self.until(|msg| {
                matches!(
                    msg,
                    EventMsg::ApprovalRequested { .. } | EventMsg::RunFinished { .. }
                )
            });
            let approval = match more.last().map(|event| &event.msg) {
                Some(EventMsg::ApprovalRequested { approval, .. }) => Some(approval.id.clone()),
                _ => None,
            };
            events.extend(more);
            let Some(approval) = approval else {
                return events;
            };
            self.submit(Op::Decide {
                session: session.clone(),
                approval,
                decision: say(asked).decision(),
            });
            asked += 1;
        }
    }

    /// A whole run.
    pub fn run(&mut self, session: &SessionId, text: &str, say: Say) -> Vec<Event> {
        self.start(session, text, None);
        self.to_the_end(session, |_| say)
    }

    /// What a model server would hold against the requests it got: nothing.
    pub fn assert_requests_were_right(&self) {
        let violations = self.simulator.log().violations;
        assert!(violations.is_empty(), "{violations:#?}");
    }
}

fn start(home: &Path, settings: &Settings, window: bool) -> Result<EngineHandle, Failure> {
    wisp_engine::start(EngineConfig {
        store: StoreLocation::Folder(home.to_owned()),
        home: Some(home.to_owned()),
        settings: settings.clone(),
        window,
        waker: Arc::new(|| {}),
    })
}

/// How a run ended.
pub fn outcome(events: &[Event]) -> RunOutcome {
    events
        .iter()
        .rev()
        .find_map(|event| match &event.msg {
            EventMsg::RunFinished { outcome, .. } => Some(outcome.clone()),
            _ => None,
        })
        .expect("the run has not ended")
}

/// How its calls ended.
pub fn statuses(events: &[Event]) -> Vec<CallStatus> {
    events
        .iter()
        .filter_map(|event| match &event.msg {
            EventMsg::CallFinished { report, .. } => Some(report.status),
            _ => None,
        })
        .collect()
}
