//! Names for the things that events speak of.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes a name as it came, from a command line, a model or the store.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// A conversation. Made by the engine; sorts by the time it was made.
    SessionId
);
text_id!(
    /// One user request and all that follows from it. Made by the engine.
    RunId
);
text_id!(
    /// One tool call. The model's own id, made unique within its batch.
    CallId
);
text_id!(
    /// One question about one call, answered once. Made by the engine.
    ApprovalId
);

text_id!(
    /// A one-time request from a tool to the window. Made by the engine.
    TicketId
);
text_id!(
    /// One right-hand preview. Made by the window; says nothing about what it shows.
    TabId
);

/// The client's number for a [`Submission`](super::Submission); answers carry it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SubmissionId(pub u64);

/// The store's number for an [`Event`](super::Event): larger than that of every event the data folder
/// holds at the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(pub u64);
