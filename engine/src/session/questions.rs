//! Questions to the user that are open: each is answered once, or ends with its run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::permission::gate::Asker;
use crate::protocol::{ApprovalId, ApprovalRequest, Decision, DecisionSource, EventMsg, RunId};
use crate::toolkit::dispatch::Question;

use super::journal::Journal;

/// The open questions of one session. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    open: Arc<Mutex<HashMap<ApprovalId, oneshot::Sender<Decision>>>>,
}

impl Questions {
    /// Answers one. `false`: there is no such open question, or it was answered already.
    pub(crate) fn answer(&self, approval: &ApprovalId, decision: Decision) -> bool {
        let waiting = self.lock().remove(approval);
        waiting.is_some_and(|waiting| waiting.send(decision).is_ok())
    }

    fn open(&self, approval: ApprovalId) -> oneshot::Receiver<Decision> {
        let (answer, answered) = oneshot::channel();
        self.lock().insert(approval, answer);
        answered
    }

    fn close(&self, approval: &ApprovalId) {
        self.lock().remove(approval);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ApprovalId, oneshot::Sender<Decision>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts the gate's questions of one step to the user.
pub(crate) struct AskUser {
    pub(crate) journal: Journal,
    pub(crate) questions: Questions,
    pub(crate) run: RunId,
    pub(crate) step: u32,
}

impl Asker<Question> for AskUser {
    async fn ask(&self, question: Question, cancel: &CancellationToken) -> Option<Decision> {
        let id = ApprovalId::new(Uuid::now_v7().simple().to_string());
        let call = question.call.call.clone();
        let answered = self.questions.open(id.clone());
        let asked = self
            .journal
            .event(EventMsg::ApprovalRequested {
                run: self.run.clone(),
                step: self.step,
                approval: ApprovalRequest {
                    id: id.clone(),
                    call: call.clone(),
                    tool: question.call.tool,
                    sentence: question.card.sentence,
                    target: question.card.target,
                    details: question.card.details,
                },
            })
            .await;
        let decision = if asked.is_ok() {
            tokio::select! {
                biased;
                () = cancel.cancelled() => None,
                decision = answered => decision.ok(),
            }
        } else {
            None
        };
        self.questions.close(&id);
        let source = if decision.is_some() {
            DecisionSource::User
        } else {
            DecisionSource::RunEnded
        };
        let noted = self
            .journal
            .event(EventMsg::ApprovalResolved {
                run: self.run.clone(),
                approval: id,
                call,
                decision: decision.clone().unwrap_or(Decision::Deny { reason: None }),
                source,
            })
            .await;
        // What was said must outlive a power cut before anything is changed on its strength.
        let kept = match noted {
            Ok(()) => self.journal.settle(true).await,
            failed => failed,
        };
        kept.ok().and(decision)
    }
}
