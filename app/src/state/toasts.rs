//! Short words at the window's edge, and the deletions that can still be undone.

use wisp_engine::protocol::SessionId;

/// How long a word stays, in seconds.
pub const STAY: f64 = 6.0;
/// How long a deletion can be undone, in seconds.
pub const UNDO: f64 = 8.0;
/// Words that are shown at once; the oldest goes.
const SHOWN: usize = 4;

/// What a toast is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToastKind {
    /// Something went well.
    Good,
    /// Something to know.
    Note,
    /// Something failed.
    Bad,
    /// A session was deleted and can be brought back.
    Deleted(SessionId),
}

/// One word.
#[derive(Clone, Debug)]
pub struct Toast {
    /// Its number.
    pub id: u64,
    /// What it is about.
    pub kind: ToastKind,
    /// What it says.
    pub text: String,
    /// When it goes, in the window's seconds.
    pub until: f64,
}

/// What is shown now.
#[derive(Debug, Default)]
pub struct Toasts {
    list: Vec<Toast>,
    next: u64,
}

impl Toasts {
    /// Shows a word from `now` on. The same word is not shown twice.
    pub fn show(&mut self, kind: ToastKind, text: impl Into<String>, now: f64) {
        let text = text.into();
        self.list
            .retain(|toast| toast.text != text || toast.kind != kind);
        let stay = if matches!(kind, ToastKind::Deleted(_)) {
            UNDO
        } else {
            STAY
        };
        self.next += 1;
        self.list.push(Toast {
            id: self.next,
            kind,
            text,
            until: now + stay,
        });
    }

    /// Those on screen, the oldest first.
    pub fn all(&self) -> &[Toast] {
        &self.list
    }

    /// Takes one away.
    pub fn dismiss(&mut self, id: u64) -> Option<Toast> {
        let place = self.list.iter().position(|toast| toast.id == id)?;
        Some(self.list.remove(place))
    }

    /// Takes away what has been there long enough, or is too many. Gives them.
    pub fn expire(&mut self, now: f64) -> Vec<Toast> {
        let too_many = self.list.len().saturating_sub(SHOWN);
        let mut place = 0;
        let gone = |toast: &mut Toast| {
            place += 1;
            toast.until <= now || place <= too_many
        };
        self.list.extract_if(.., gone).collect()
    }

    /// Seconds until the next one goes.
    pub fn next_change(&self, now: f64) -> Option<f64> {
        let soonest = self.list.iter().map(|toast| toast.until).reduce(f64::min);
        soonest.map(|until| (until - now).max(0.0))
    }

    /// The toast of a deletion.
    pub fn of_deleted(&self, session: &SessionId) -> Option<u64> {
        let about = |toast: &&Toast| toast.kind == ToastKind::Deleted(session.clone());
        self.list.iter().find(about).map(|toast| toast.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_in_time_and_too_many_push_the_oldest_out() {
        let mut toasts = Toasts::default();
        for n in 0..SHOWN {
            toasts.show(ToastKind::Note, n.to_string(), 0.0);
        }
        assert!(toasts.expire(STAY - 0.1).is_empty());
        toasts.show(ToastKind::Note, "more", STAY - 0.1);
        let gone = toasts.expire(STAY - 0.1);
        assert_eq!(gone.len(), 1);
        assert_eq!(gone[0].text, "0");
        assert_eq!(toasts.expire(STAY).len(), SHOWN - 1);
        assert!((toasts.next_change(STAY).unwrap() - (STAY - 0.1)).abs() < 0.01);
    }

    #[test]
    fn a_deletion_can_be_undone_for_longer() {
        let mut toasts = Toasts::default();
        let session = SessionId::new("s");
        toasts.show(ToastKind::Deleted(session.clone()), "x", 0.0);
        assert!(toasts.expire(UNDO - 0.01).is_empty());
        assert!(toasts.of_deleted(&session).is_some());
        assert_eq!(toasts.expire(UNDO).len(), 1);
        assert!(toasts.of_deleted(&session).is_none());
    }
}
