//! Takes submissions one after another and hands each to whoever answers it.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::preview;
use crate::protocol::{Answer, Failure, Op, SessionId, Submission, SubmissionId};
use crate::session::actor::SessionOp;
use crate::session::registry::Registry;
use crate::session::shared::Shared;
use crate::toolkit::snapshot::Snapshot;

/// Runs until the client is gone, then stops every session.
pub(crate) async fn route(shared: Arc<Shared>, mut submissions: mpsc::Receiver<Submission>) {
    let mut registry = Registry::new(Arc::clone(&shared));
    while let Some(Submission { id, op }) = submissions.recv().await {
        if let Err(failure) = take(&shared, &mut registry, id, op) {
            shared.answer(id, Answer::Refused { failure }).await;
        }
    }
    registry.stop().await;
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method by itself is not general enough over the reader's lifetime"
)]
/// One line an op: a session's own go to its actor, the others read the store beside the loop.
fn take(
    shared: &Arc<Shared>,
    registry: &mut Registry,
    id: SubmissionId,
    op: Op,
) -> Result<(), Failure> {
    let ask = |registry: &mut Registry, session: &SessionId, op| registry.ask(id, session, op);
    match op {
        Op::CreateSession { folder, mode } => beside(shared, id, move |s| async move {
            s.create_session(folder, mode).await.map(ready)
        }),
        Op::OpenSession { session } => beside(shared, id, move |s| async move {
            s.store
                .read(move |reader| reader.session(&session))
                .await
                .map(ready)
        }),
        Op::ListSessions => beside(shared, id, |s| async move {
            let sessions = s.store.read(|reader| reader.sessions()).await?;
            Ok(Answer::Sessions { sessions })
        }),
        Op::SearchSessions { query, limit } => beside(shared, id, move |s| async move {
            let hits = s
                .store
                .read(move |reader| reader.search(&query, limit))
                .await?;
            Ok(Answer::Hits { hits })
        }),
        Op::ReadPreview { session, path } => beside(shared, id, move |s| async move {
            preview::read(&s, session, path).await
        }),
        Op::SavePreview {
            session,
            path,
            text,
            sha256,
        } => beside(shared, id, move |s| async move {
            preview::save(&s, session, path, text, sha256).await
        }),
        Op::ListTools { mode, folder } => beside(shared, id, move |_| async move {
            let tools = Snapshot::capture(mode, folder).descriptions().to_vec();
            Ok(Answer::Tools { tools })
        }),
        Op::ClaimTicket { session, ticket } => {
            let answer = shared.previews.claim(&session, &ticket);
            beside(shared, id, move |_| async move { answer });
        }
        Op::FinishTicket {
            session,
            ticket,
            outcome,
        } => {
            let answer = shared.previews.finish(&session, &ticket, outcome);
            beside(shared, id, move |_| async move { answer });
        }
        Op::StartRun {
            session,
            text,
            options,
        } => return ask(registry, &session, SessionOp::Run { text, options }),
        Op::CallTool {
            session,
            tool,
            arguments,
        } => return ask(registry, &session, SessionOp::Call { tool, arguments }),
        Op::Decide {
            session,
            approval,
            decision,
        } => return ask(registry, &session, SessionOp::Decide { approval, decision }),
        Op::CancelRun { session, run } => {
            return ask(registry, &session, SessionOp::Cancel { run });
        }
        Op::RenameSession { session, title } => {
            return ask(registry, &session, SessionOp::Rename { title });
        }
        Op::DeleteSession { session } => return ask(registry, &session, SessionOp::Delete),
    }
    Ok(())
}

fn ready(session: crate::session::store::StoredSession) -> Answer {
    Answer::SessionReady {
        session: session.summary,
        events: session.events,
    }
}

fn beside<F, Fut>(shared: &Arc<Shared>, id: SubmissionId, work: F)
where
    F: FnOnce(Arc<Shared>) -> Fut,
    Fut: Future<Output = Result<Answer, Failure>> + Send + 'static,
{
    let work = work(Arc::clone(shared));
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let answer = work
            .await
            .unwrap_or_else(|failure| Answer::Refused { failure });
        shared.answer(id, answer).await;
    });
}
