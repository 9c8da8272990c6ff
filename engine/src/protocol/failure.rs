//! Errors as a person reads them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What went wrong, what to do next, and the class by which a client may translate or react.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The class.
    pub kind: FailureKind,
    /// What happened, in one English sentence. Never holds a key.
    pub message: String,
    /// What the person can do next, in one English sentence.
    pub advice: String,
    /// Seconds after which another try makes sense, where the other side said so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after_seconds: Option<u64>,
}

impl Failure {
    /// A failure with the class's usual advice.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            advice: kind.advice().to_owned(),
            retry_after_seconds: None,
        }
    }

    /// The same with other advice.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    /// The same with the time the other side asked to wait.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: Option<u64>) -> Self {
        self.retry_after_seconds = seconds;
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stop = if self.message.ends_with(['.', '!', '?', '…']) {
            ""
        } else {
            "."
        };
        write!(f, "{}{stop} {}", self.message, self.advice)
    }
}

impl std::error::Error for Failure {}

/// The classes of failure that a client tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// The model server didn't accept the key, or there is none.
    Authentication,
    /// The account has no balance or quota left.
    Quota,
    /// Too many requests in a time.
    RateLimit,
    /// The model server is overloaded or broken for the moment.
    Overload,
    /// The conversation no longer fits the model's window.
    ContextLength,
    /// The provider withheld the answer.
    ContentFilter,
    /// The stream ended before its end, or held what is no answer.
    BrokenStream,
    /// The model sent nothing for the idle limit.
    Idle,
    /// No connection to the model server: no such host, refused, cut off.
    Network,
    /// The model server refused the request for another reason.
    BadRequest,
    /// No such address or model at the server.
    ModelNotFound,
    /// The answer had neither text nor calls, twice.
    EmptyReply,
    /// The answer was cut at the model's output limit before it said anything.
    OutputLimit,
    /// A setting is missing or makes no sense.
    Settings,
    /// The folder of the session is gone, unreadable or no folder.
    Folder,
    /// The data folder can't be written or read: full disk, rights, damage.
    Store,
    /// The data folder belongs to a newer version of the program.
    StoreNewer,
    /// Another copy of the program uses the data folder.
    StoreLocked,
    /// There is no such session, run or approval (any more).
    NotFound,
    /// The session is busy with a run.
    Busy,
    /// The request itself makes no sense.
    BadSubmission,
    /// A fault of the program.
    Internal,
}

impl FailureKind {
    /// What usually helps, in one English sentence.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Authentication => "Check the API key in the settings or in WISP_API_KEY.",
            Self::Quota => {
                "Top up the account or choose another model, then send the request again."
            }
            Self::RateLimit => "Wait a little, then send the request again.",
            Self::Overload => "Nothing is wrong here: wait a little, then send the request again.",
            Self::ContextLength => "Start a new session, or ask about less text at once.",
            Self::ContentFilter => "Put the request in other words.",
            Self::BrokenStream => {
                "What arrived was kept and is marked as unfinished. Send the request again."
            }
            Self::Idle => "Send the request again. For a slow local model raise WISP_IDLE_SECONDS.",
            Self::Network => "Check the base URL and the network, then send the request again.",
            Self::BadRequest => "Check the model's name and settings, then send the request again.",
            Self::ModelNotFound => "Check the base URL and the model's name in the settings.",
            Self::EmptyReply => "Send the request again, in other words if need be.",
            Self::OutputLimit => "Ask for less at once.",
            Self::Settings => "Correct the setting, then try again.",
            Self::Folder => "Put the folder back or start a session on another folder.",
            Self::Store => "Free some space or mend the folder's rights, then start again.",
            Self::StoreNewer => "Start the newer version, or point WISP_HOME at another folder.",
            Self::StoreLocked => "Close the other copy, or point WISP_HOME at another folder.",
            Self::NotFound => "Look at the list of sessions.",
            Self::Busy => "Wait for the run's end or cancel it.",
            Self::BadSubmission => "Correct the request and send it again.",
            Self::Internal => "Please report this, with what you did before it.",
        }
    }
}
