//! One actor a session: takes what clients ask of it and lends its state to one run at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::files::Workspace;
use crate::models::HistoryItem;
use crate::protocol::{
    Answer, ApprovalId, Decision, EventMsg, Failure, FailureKind, RunId, RunOptions, SessionId,
    SessionSummary, SubmissionId,
};

use super::folder;
use super::history;
use super::journal::Journal;
use super::questions::Questions;
use super::run::{RunInputs, SessionState, Work, conduct};
use super::shared::Shared;
use super::store::plain_line;

/// How long a session keeps its history in memory after the last request.
const IDLE: Duration = Duration::from_mins(10);

/// What can be asked of a session that exists.
#[derive(Debug)]
pub(crate) enum SessionOp {
    Run {
        text: String,
        options: RunOptions,
    },
    Call {
        tool: String,
        arguments: String,
    },
    Decide {
        approval: ApprovalId,
        decision: Decision,
    },
    Cancel {
        run: Option<RunId>,
    },
    Rename {
        title: String,
    },
    Delete,
}

/// One thing that wakes an actor up.
enum Wake {
    Asked(SubmissionId, SessionOp),
    RunEnded(RunEnd),
    /// Nobody has asked for anything for a while.
    Idle,
    /// No client can ask any more.
    Closed,
}

/// What a run gives back: the state, unless it can't be trusted any more.
type RunEnd = Result<Option<SessionState>, tokio::task::JoinError>;

/// The run that goes on.
struct Current {
    run: RunId,
    cancel: CancellationToken,
    /// Set before its end is shown: from then on a client may ask for the next run, and must not hear
    /// that this one still goes on.
    ending: Arc<AtomicBool>,
    task: JoinHandle<Option<SessionState>>,
}

/// One session.
pub(crate) struct Actor {
    id: SessionId,
    shared: Arc<Shared>,
    inbox: mpsc::Receiver<(SubmissionId, SessionOp)>,
    questions: Questions,
    /// `None`: not read yet, lent to a run, or to be read again.
    state: Option<SessionState>,
    current: Option<Current>,
}

impl Actor {
    /// For a session that the store knows, or will refuse when asked of it.
    pub(crate) fn new(
        id: SessionId,
        shared: Arc<Shared>,
        inbox: mpsc::Receiver<(SubmissionId, SessionOp)>,
    ) -> Self {
        Self {
            id,
            shared,
            inbox,
            questions: Questions::default(),
            state: None,
            current: None,
        }
    }

    /// Lives until no client can ask any more and no run goes on, or the session is deleted.
    pub(crate) async fn live(mut self) {
        loop {
            match self.wake().await {
                Wake::Asked(re, op) => {
                    let deleting = matches!(op, SessionOp::Delete);
                    let answer = self.take(re, op).await;
                    let deleted = deleting && matches!(answer, Some(Answer::Ok));
                    if let Some(answer) = answer {
                        self.shared.answer(re, answer).await;
                    }
                    if deleted {
                        self.refuse_the_rest().await;
                        return;
                    }
                }
                Wake::RunEnded(end) => self.run_ended(end).await,
                // Its history can be read again; until then it needs no memory.
                Wake::Idle => self.state = None,
                Wake::Closed => {
                    if let Some(current) = self.current.take() {
                        let end = current.task.await;
                        self.run_ended(end).await;
                    }
                    return;
                }
            }
        }
    }

    async fn wake(&mut self) -> Wake {
        let asked = self.inbox.recv();
        match &mut self.current {
            None if self.state.is_some() => tokio::time::timeout(IDLE, asked)
                .await
                .map_or(Wake::Idle, |asked| {
                    asked.map_or(Wake::Closed, |(re, op)| Wake::Asked(re, op))
                }),
            None => asked
                .await
                .map_or(Wake::Closed, |(re, op)| Wake::Asked(re, op)),
            Some(current) => {
                tokio::select! {
                    biased;
                    end = &mut current.task => Wake::RunEnded(end),
                    op = asked => op.map_or(Wake::Closed, |(re, op)| Wake::Asked(re, op)),
                }
            }
        }
    }

    /// Answers what was asked of a session while it was being deleted.
    async fn refuse_the_rest(&mut self) {
        self.inbox.close();
        while let Some((re, _)) = self.inbox.recv().await {
            let failure = Failure::new(
                FailureKind::NotFound,
                format!("There is no session {} any more.", self.id),
            );
            self.shared.answer(re, Answer::Refused { failure }).await;
        }
    }

    /// `None`: answered already.
    async fn take(&mut self, re: SubmissionId, op: SessionOp) -> Option<Answer> {
        let done = match op {
            SessionOp::Run { text, options } => {
                return self.start(re, |shared| shared.request(text, options)).await;
            }
            SessionOp::Call { tool, arguments } => {
                return self.start(re, |_| Ok(Work::Call { tool, arguments })).await;
            }
            SessionOp::Decide { approval, decision } => self.decide(&approval, decision),
            SessionOp::Cancel { run } => self.cancel(run.as_ref()),
            SessionOp::Rename { title } => self.rename(title).await,
            SessionOp::Delete => self.delete().await,
        };
        Some(done.map_or_else(|failure| Answer::Refused { failure }, |()| Answer::Ok))
    }

    /// Starts a run and says so, before its first event.
    async fn start(
        &mut self,
        re: SubmissionId,
        work: impl FnOnce(&Shared) -> Result<Work, Failure>,
    ) -> Option<Answer> {
        match self.ready(work).await {
            Err(failure) => Some(Answer::Refused { failure }),
            Ok((state, work, workspace)) => {
                let run = RunId::new(Uuid::now_v7().simple().to_string());
                self.shared
                    .answer(
                        re,
                        Answer::RunAccepted {
                            session: self.id.clone(),
                            run: run.clone(),
                        },
                    )
                    .await;
                self.launch(run, state, work, workspace);
                None
            }
        }
    }

    async fn ready(
        &mut self,
        work: impl FnOnce(&Shared) -> Result<Work, Failure>,
    ) -> Result<(SessionState, Work, Option<Arc<Workspace>>), Failure> {
        self.not_busy().await?;
        let work = work(&self.shared)?;
        let summary = self.summary().await?;
        let workspace = match &summary.folder {
            Some(path) => {
                let denied = self.shared.denied_folders.clone();
                Some(folder::reopen(path.clone(), denied).await?)
            }
            None => None,
        };
        let state = match self.state.take() {
            Some(state) => state,
            None => self.read(&summary).await?,
        };
        Ok((state, work, workspace))
    }

    /// Waits for a run whose end has been shown; one that still goes on makes the session busy.
    async fn not_busy(&mut self) -> Result<(), Failure> {
        match self.current.take() {
            None => Ok(()),
            Some(mut current) if current.ending.load(Ordering::Acquire) => {
                let end = (&mut current.task).await;
                self.current = Some(current);
                self.run_ended(end).await;
                Ok(())
            }
            Some(current) => {
                self.current = Some(current);
                Err(Failure::new(
                    FailureKind::Busy,
                    "The session is busy with a run.",
                ))
            }
        }
    }

    fn launch(
        &mut self,
        run: RunId,
        mut state: SessionState,
        work: Work,
        workspace: Option<Arc<Workspace>>,
    ) {
        let cancel = self.shared.stopping.child_token();
        let ending = Arc::new(AtomicBool::new(false));
        let inputs = RunInputs {
            run: run.clone(),
            ending: Arc::clone(&ending),
            journal: self.journal(),
            questions: self.questions.clone(),
            cancel: cancel.clone(),
            stopping: self.shared.stopping.clone(),
            workspace,
            writer: self.shared.writer.clone(),
            previews: self.shared.previews.clone(),
        };
        let task = tokio::spawn(async move {
            match conduct(&mut state, inputs, work).await {
                Ok(()) => Some(state),
                Err(failure) => {
                    // The store has raised the alarm; what isn't stored must not be built upon.
                    tracing::error!(%failure, "a run could not be stored to its end");
                    None
                }
            }
        });
        self.current = Some(Current {
            run,
            cancel,
            ending,
            task,
        });
    }

    async fn run_ended(&mut self, end: RunEnd) {
        let ended = self.current.take();
        match end {
            Ok(state) => self.state = state,
            Err(error) => {
                tracing::error!(%error, "a run broke down");
                let closed = match ended {
                    Some(ended) => self.close_broken(&ended.run).await,
                    None => Ok(()),
                };
                if let Err(failure) = closed {
                    tracing::error!(%failure, "a broken run could not be closed");
                }
            }
        }
    }

    /// A run broke down in the program itself: its end is written in its stead.
    async fn close_broken(&self, run: &RunId) -> Result<(), Failure> {
        let failure = Failure::new(
            FailureKind::Internal,
            "The run broke down by a fault of the program.",
        );
        self.shared.close_run(&self.id, run, Some(failure)).await
    }

    fn decide(&self, approval: &ApprovalId, decision: Decision) -> Result<(), Failure> {
        if self.questions.answer(approval, decision) {
            Ok(())
        } else {
            Err(Failure::new(
                FailureKind::NotFound,
                "That question is not open: it was answered already, or its run has ended.",
            ))
        }
    }

    fn cancel(&self, run: Option<&RunId>) -> Result<(), Failure> {
        match &self.current {
            Some(current) if run.is_none_or(|run| *run == current.run) => {
                current.cancel.cancel();
                Ok(())
            }
            _ => Err(Failure::new(FailureKind::NotFound, "No such run goes on.")),
        }
    }

    async fn rename(&self, title: String) -> Result<(), Failure> {
        let title = plain_line(&title);
        if title.is_empty() {
            return Err(Failure::new(
                FailureKind::BadSubmission,
                "The title is empty.",
            ));
        }
        self.summary().await?;
        let journal = self.journal();
        journal.event(EventMsg::SessionRenamed { title }).await?;
        journal.settle(false).await
    }

    async fn delete(&mut self) -> Result<(), Failure> {
        self.not_busy().await?;
        self.summary().await?;
        self.shared.store.delete(&self.id).await
    }

    async fn summary(&self) -> Result<SessionSummary, Failure> {
        let id = self.id.clone();
        self.shared
            .store
            .read(move |reader| reader.summary(&id))
            .await
    }

    /// Reads the model's history, and completes what an earlier end left open in it.
    async fn read(&self, summary: &SessionSummary) -> Result<SessionState, Failure> {
        if summary.running {
            self.shared.close_last_run(&self.id).await?;
        }
        let mut items = Vec::new();
        for body in self.shared.store.items(&self.id).await? {
            let item: HistoryItem = serde_json::from_str(&body).map_err(|error| {
                Failure::new(
                    FailureKind::Store,
                    format!("The private history of this session can't be read ({error})."),
                )
                .with_advice("The session can still be read and exported. Go on in a new one.")
            })?;
            items.push(item);
        }
        let left = self.shared.left_open(&self.id).await?;
        if !items.is_empty() {
            let journal = self.journal();
            for item in history::closers(&items, &left.text, |call| left.why(call)) {
                items.push(journal.item(item).await?);
            }
        }
        Ok(SessionState {
            mode: summary.mode,
            memory_lost: items.is_empty() && left.asked_the_model,
            items,
            conversation: None,
        })
    }

    fn journal(&self) -> Journal {
        Journal::new(
            self.id.clone(),
            self.shared.store.renewed(),
            self.shared.redactor.clone(),
        )
    }
}
