//! The questions that wait for the person, of all sessions.

use wisp_engine::protocol::{ApprovalId, ApprovalRequest, Event, EventMsg, RunId, SessionId};

/// How long a key does nothing on a card that has just appeared under the focus, in seconds: a key that was
/// meant for something else is in flight that long.
pub const KEY_GUARD: f64 = 0.4;

/// One question.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its session.
    pub session: SessionId,
    /// Its run.
    pub run: RunId,
    /// What is asked.
    pub request: ApprovalRequest,
    /// Since when, in milliseconds since 1970 (UTC).
    pub at: u64,
    /// Whether the person's answer is on its way.
    pub answered: bool,
}

/// All questions, the oldest first.
#[derive(Debug, Default)]
pub struct Approvals {
    list: Vec<Pending>,
}

impl Approvals {
    /// Takes an event in. One that is in already changes nothing.
    pub fn apply(&mut self, event: &Event) {
        match &event.msg {
            EventMsg::ApprovalRequested { run, approval, .. }
                if self.get(&approval.id).is_none() =>
            {
                self.list.push(Pending {
                    session: event.session.clone(),
                    run: run.clone(),
                    request: approval.clone(),
                    at: event.at,
                    answered: false,
                });
            }
            EventMsg::ApprovalResolved { approval, .. } => {
                self.list.retain(|pending| pending.request.id != *approval);
            }
            EventMsg::RunFinished { run, .. } => self.list.retain(|pending| pending.run != *run),
            _ => {}
        }
    }

    /// Forgets those of a session.
    pub fn forget(&mut self, session: &SessionId) {
        self.list.retain(|pending| pending.session != *session);
    }

    /// Those that wait, the oldest first.
    pub fn all(&self) -> &[Pending] {
        &self.list
    }

    /// The one with this id.
    pub fn get(&self, id: &ApprovalId) -> Option<&Pending> {
        self.list.iter().find(|pending| pending.request.id == *id)
    }

    /// The first one of a session.
    pub fn of(&self, session: &SessionId) -> Option<&Pending> {
        self.list.iter().find(|pending| pending.session == *session)
    }

    /// Its place among all, counted from 1.
    pub fn position(&self, id: &ApprovalId) -> Option<usize> {
        let place = self
            .list
            .iter()
            .position(|pending| pending.request.id == *id);
        place.map(|place| place + 1)
    }

    /// The one before or after, round at the ends.
    pub fn neighbour(&self, id: &ApprovalId, forward: bool) -> Option<&Pending> {
        let place = self
            .list
            .iter()
            .position(|pending| pending.request.id == *id)?;
        let step = if forward { 1 } else { self.list.len() - 1 };
        let next = self.list.get((place + step) % self.list.len())?;
        Some(next).filter(|next| next.request.id != *id)
    }

    /// Marks the answer as on its way, or as not taken. Tells whether the question is there and changed.
    pub fn mark(&mut self, id: &ApprovalId, answered: bool) -> bool {
        let found = self
            .list
            .iter_mut()
            .find(|pending| pending.request.id == *id);
        match found {
            Some(pending) if pending.answered != answered => {
                pending.answered = answered;
                true
            }
            _ => false,
        }
    }
}
