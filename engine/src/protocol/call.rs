//! Tools and their calls, as a client sees them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CallId;

/// One tool of a run's snapshot: what the model is told, and all that `tool_introspect` gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDescription {
    /// The name the model calls it by.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// JSON schema of its arguments.
    pub input_schema: Value,
    /// Whether a call waits for the user in this run's mode.
    pub requires_approval: bool,
}

/// A call as the model asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRequest {
    /// The call.
    pub call: CallId,
    /// The tool it names.
    pub tool: String,
    /// Its arguments: JSON text, as the model wrote it.
    pub arguments: String,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// It did what was asked.
    Done,
    /// It didn't; the model was told why.
    Failed,
    /// The user said no.
    Denied,
    /// The run was cancelled before or while it ran.
    Cancelled,
    /// The program ended, or the run was stopped, before it was known what the call did.
    Unknown,
}

/// A finished call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallReport {
    /// How it ended.
    pub status: CallStatus,
    /// What the tool gave back; `None` when it gave nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<Value>,
    /// Why it didn't do what was asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<ToolFailure>,
    /// A word of the engine to the model that went along with the result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// How long it ran, in milliseconds; waiting for the user is not counted.
    pub millis: u64,
}

/// Why a tool didn't do what was asked, for the model first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFailure {
    /// The class.
    pub kind: ToolErrorKind,
    /// What was wrong and what to do differently.
    pub message: String,
}

/// The classes of tool errors that a model and a script can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// A rule forbids it, whoever approves.
    Refused,
    /// The user said no.
    Denied,
    /// There is no such tool in this run.
    UnknownTool,
    /// The arguments are missing, of a wrong type, or contradict each other.
    BadArguments,
    /// There is nothing at that path, or nothing that matches.
    NotFound,
    /// It changed since it was looked at.
    Conflict,
    /// It is over a limit.
    TooLarge,
    /// It is no text.
    Binary,
    /// This system or this session can't do it.
    Unsupported,
    /// More than one place matches.
    Ambiguous,
    /// The target is taken.
    Exists,
    /// The system said no: rights, space, a fault.
    Failed,
}
