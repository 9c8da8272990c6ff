//! What the person is typing for a session, and what they sent before.

/// A pasted text over this becomes an attachment instead of words in the field, in bytes: a field lays out
/// all it holds with every key.
pub const MAX_TYPED_BYTES: usize = 16_000;

/// A message being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The words in the field.
    pub text: String,
    /// Long texts that were pasted, sent after the words.
    pub pasted: Vec<Pasted>,
    /// Which earlier message the field shows: 0 is the newest; `None` is the draft itself.
    recalled: Option<usize>,
    /// The draft while an earlier message is shown.
    kept: String,
}

/// A long text that was pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    /// The text.
    pub text: String,
    /// How many lines it has.
    pub lines: usize,
}

impl Draft {
    /// Whether there is nothing to send or to keep.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.pasted.is_empty()
    }

    /// Attaches a pasted text.
    pub fn attach(&mut self, text: String) {
        let lines = text.lines().count();
        self.pasted.push(Pasted { text, lines });
    }

    /// The message as it is sent; the draft is empty afterwards. `None` when there is nothing to send.
    pub fn take(&mut self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let draft = std::mem::take(self);
        let mut message = draft.text.trim().to_owned();
        for pasted in draft.pasted {
            if !message.is_empty() {
                message.push_str("\n\n");
            }
            message.push_str(&pasted.text);
        }
        Some(message)
    }

    /// Puts a message that could not be sent back before what has been typed since.
    pub fn give_back(&mut self, message: String) {
        if message.len() > MAX_TYPED_BYTES {
            self.attach(message);
        } else if self.text.trim().is_empty() {
            self.text = message;
        } else {
            self.text = format!("{message}\n{}", self.text);
        }
    }

    /// Shows an older (`older`) or newer message of `sent`, newest first. Tells whether the field changed.
    pub fn recall(&mut self, sent: &[&str], older: bool) -> bool {
        let next = match (self.recalled, older) {
            (None, true) => Some(0),
            (Some(at), true) => Some(at + 1),
            (Some(0), false) => None,
            (Some(at), false) => Some(at - 1),
            (None, false) => return false,
        };
        let Some(at) = next else {
            self.text = std::mem::take(&mut self.kept);
            self.recalled = None;
            return true;
        };
        let Some(message) = sent.get(at).filter(|text| text.len() <= MAX_TYPED_BYTES) else {
            return false;
        };
        if self.recalled.is_none() {
            self.kept = std::mem::take(&mut self.text);
        }
        (*message).clone_into(&mut self.text);
        self.recalled = Some(at);
        true
    }

    /// Whether an earlier message is shown.
    pub fn is_recalled(&self) -> bool {
        self.recalled.is_some()
    }

    /// What was typed is a draft of its own from here on.
    pub fn edited(&mut self) {
        self.recalled = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_messages_come_back_and_the_draft_is_not_lost() {
        let mut draft = Draft {
            text: "half".into(),
            ..Draft::default()
        };
        let sent = ["newest", "older"];
        assert!(draft.recall(&sent, true));
        assert_eq!(draft.text, "newest");
        assert!(draft.recall(&sent, true));
        assert_eq!(draft.text, "older");
        assert!(!draft.recall(&sent, true), "there is none before it");
        assert!(draft.recall(&sent, false) && draft.recall(&sent, false));
        assert_eq!(draft.text, "half");
        assert!(!draft.recall(&sent, false));
    }

    #[test]
    fn what_is_pasted_is_sent_after_the_words() {
        let mut draft = Draft::default();
        assert_eq!(draft.take(), None);
        draft.text = " look ".into();
        draft.attach("a\nb".into());
        assert_eq!(draft.pasted[0].lines, 2);
        assert_eq!(draft.take().unwrap(), "look\n\na\nb");
        assert!(draft.is_empty());
    }

    #[test]
    fn a_message_that_was_refused_comes_back_before_what_was_typed_since() {
        let mut draft = Draft::default();
        draft.give_back("first".into());
        draft.give_back("zeroth".into());
        assert_eq!(draft.text, "zeroth\nfirst");
        draft.give_back("x".repeat(MAX_TYPED_BYTES + 1));
        assert_eq!(draft.pasted.len(), 1);
        draft.give_back("y".repeat(MAX_TYPED_BYTES));
        assert_eq!(draft.pasted.len(), 1);
    }
}
