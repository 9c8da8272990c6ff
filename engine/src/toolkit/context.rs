//! What a tool may use of the engine.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::files::{Workspace, Writer};
use crate::preview::Previews;
use crate::protocol::{PreviewRequest, RunId, SessionId, TicketOutcome, ToolDescription};

use super::{ToolError, ToolResult};

/// Handed to each call. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ToolContext {
    /// The session.
    pub(crate) session: SessionId,
    /// The run.
    pub(crate) run: RunId,
    /// The session's folder, if it has one.
    pub(crate) workspace: Option<Arc<Workspace>>,
    /// The one writer of files, over all sessions.
    pub(crate) writer: Writer,
    /// The window's tabs, if there is a window.
    pub(crate) previews: Previews,
    /// The run's tools, for `tool_introspect`.
    pub(crate) tools: Arc<[ToolDescription]>,
    /// Cancelled with the run.
    pub(crate) cancel: CancellationToken,
}

impl ToolContext {
    /// The session's folder, or the error that there is none.
    pub(crate) fn workspace(&self) -> ToolResult<Arc<Workspace>> {
        self.workspace.clone().ok_or_else(|| {
            ToolError::new(
                crate::protocol::ToolErrorKind::Unsupported,
                "This session has no folder, so there are no files to work on.",
            )
        })
    }

    /// Asks the window for something. What it refuses is an error for the model.
    pub(crate) async fn ask_window(&self, request: PreviewRequest) -> ToolResult<TicketOutcome> {
        self.previews
            .ask(&self.session, &self.run, request, &self.cancel)
            .await
    }

    /// Runs blocking work that only reads on a thread of its own. On cancel it returns at once; the
    /// thread sees the same token and stops at its next look.
    pub(crate) async fn read_blocking<T, F>(&self, work: F) -> ToolResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&CancellationToken) -> ToolResult<T> + Send + 'static,
    {
        let token = self.cancel.clone();
        let task = tokio::task::spawn_blocking(move || work(&token));
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(ToolError::Cancelled),
            done = task => flatten(done),
        }
    }

    /// Runs blocking work that changes files on a thread of its own and waits for its end, so that
    /// the result says what happened. The work looks at the token between its steps.
    pub(crate) async fn change_blocking<T, F>(&self, work: F) -> ToolResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&CancellationToken) -> ToolResult<T> + Send + 'static,
    {
        let token = self.cancel.clone();
        flatten(tokio::task::spawn_blocking(move || work(&token)).await)
    }
}

fn flatten<T>(done: Result<ToolResult<T>, tokio::task::JoinError>) -> ToolResult<T> {
    done.unwrap_or_else(|error| {
        Err(ToolError::failed(format!(
            "The tool broke down ({error}). What it had done until then is not known: look before you go on."
        )))
    })
}
