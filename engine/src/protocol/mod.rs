//! The plain data that the engine and its clients exchange, and nothing else.
//!
//! The window, the command line and the tests are equal clients: each sends [`Submission`]s and
//! receives [`Update`]s. This module does no input or output and uses nothing of the engine, so that
//! a client which only speaks the protocol can never depend on how the engine works. There is no type
//! here that could carry a model's reasoning: it lives in the private store alone.

mod approval;
mod call;
mod event;
mod failure;
mod ids;
mod op;
mod preview;
mod preview_file;
mod session;
mod usage;

pub use approval::{ApprovalRequest, ChangedLines, Decision, DecisionSource, Detail, DetailLabel};
pub use call::{CallReport, CallRequest, CallStatus, ToolDescription, ToolErrorKind, ToolFailure};
pub use event::{Answer, Event, EventMsg, NoticeKind, RunOutcome, Update};
pub use failure::{Failure, FailureKind};
pub use ids::{ApprovalId, CallId, EventId, RunId, SessionId, SubmissionId, TabId, TicketId};
pub use op::{Op, RunOptions, Submission};
pub use preview::{
    PageContent, PageLink, PreviewRequest, Refusal, TabAction, TabInfo, TabKind, Ticket,
    TicketOutcome,
};
pub use preview_file::{
    Preview, PreviewEntry, PreviewFolder, PreviewKind, PreviewLineEnds, PreviewPicture,
    PreviewText, Saved,
};
pub use session::{Mode, SearchHit, SessionSummary};
pub use usage::Usage;
