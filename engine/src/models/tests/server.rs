//! A model server whose every answer a test gives.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::serve::ListenerExt;
use bytes::Bytes;
use futures_util::stream;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::super::*;
use crate::protocol::Failure;
use crate::support::redact::Redactor;

/// No test waits longer for anything.
pub(super) const DEADLINE: Duration = Duration::from_secs(20);

/// One answer.
pub(super) enum Answer {
    /// A status, headers and a whole body.
    Whole(u16, Vec<(&'static str, String)>, String),
    /// Pieces as the test sends them; the end is the sender's.
    Pieces(mpsc::Receiver<Piece>),
    /// None: the request is never answered.
    Never,
}

/// A piece of a body.
pub(super) enum Piece {
    /// Bytes.
    Bytes(Vec<u8>),
    /// The connection is cut.
    Cut,
}

/// A request as it came.
pub(super) struct Seen {
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: serde_json::Value,
    pub(super) bytes: Bytes,
}

struct Shared {
    answers: Mutex<VecDeque<Answer>>,
    seen: Mutex<Vec<Seen>>,
    connections: AtomicUsize,
    arrived: mpsc::UnboundedSender<()>,
}

/// The server.
pub(super) struct Server {
    shared: Arc<Shared>,
    pub(super) base_url: String,
    pub(super) arrivals: mpsc::UnboundedReceiver<()>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// With these answers, in turn.
    pub(super) async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let (arrived, arrivals) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            answers: Mutex::new(answers.into_iter().collect()),
            seen: Mutex::default(),
            connections: AtomicUsize::new(0),
            arrived,
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1/", listener.local_addr().unwrap());
        let counted = Arc::clone(&shared);
        let listener = listener.tap_io(move |stream| {
            stream.set_nodelay(true).unwrap();
            counted.connections.fetch_add(1, Ordering::SeqCst);
        });
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            shared,
            base_url,
            arrivals,
            task,
        }
    }

    pub(super) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    pub(super) fn requests(&self) -> usize {
        self.shared.seen.lock().unwrap().len()
    }

    pub(super) fn seen<T>(&self, place: usize, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.shared.seen.lock().unwrap()[place])
    }

    pub(super) fn settings(&self) -> ModelSettings {
        let mut settings =
            ModelSettings::new(&self.base_url, Some("sk-secret".to_owned()), "test-model");
        settings.idle = DEADLINE;
        settings.retry.base = Duration::from_millis(1);
        settings
    }

    pub(super) fn client(&self) -> ModelClient {
        ModelClient::new(self.settings(), Redactor::default()).unwrap()
    }
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    shared.seen.lock().unwrap().push(Seen {
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body: serde_json::from_slice(&bytes).unwrap_or_default(),
        bytes,
    });
    shared.arrived.send(()).unwrap_or_default();
    let answer = shared.answers.lock().unwrap().pop_front();
    match answer {
        Some(Answer::Whole(status, headers, body)) => {
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Body::from(body)).unwrap()
        }
        Some(Answer::Pieces(receiver)) => {
            let body = stream::unfold(receiver, |mut receiver| async {
                match receiver.recv().await? {
                    Piece::Bytes(bytes) => Some((Ok(Bytes::from(bytes)), receiver)),
                    Piece::Cut => {
                        // What was written before goes out while the body has nothing ready.
                        tokio::task::yield_now().await;
                        Some((Err(std::io::Error::other("cut")), receiver))
                    }
                }
            });
            Response::new(Body::from_stream(body))
        }
        Some(Answer::Never) => std::future::pending::<Result<Response, Infallible>>()
            .await
            .unwrap(),
        None => Response::builder()
            .status(418)
            .body(Body::from("no answer left"))
            .unwrap(),
    }
}

pub(super) fn whole(status: u16, body: impl Into<String>) -> Answer {
    Answer::Whole(status, Vec::new(), body.into())
}

/// A good stream of these frames and its end.
pub(super) fn good(frames: &[&str]) -> Answer {
    let body: String = frames
        .iter()
        .copied()
        .chain(["[DONE]"])
        .flat_map(|frame| ["data: ", frame, "\n\n"])
        .collect();
    whole(200, body)
}

/// A reply that says this.
pub(super) fn says(text: &str) -> Answer {
    good(&[&content(text), STOP])
}

pub(super) const STOP: &str = concat!(
    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"#,
    r#""usage":{"prompt_tokens":3,"completion_tokens":2}}"#
);

pub(super) fn content(text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(r#"{{"choices":[{{"index":0,"delta":{{"content":{text}}}}}]}}"#)
}

pub(super) fn data(frame: &str) -> Piece {
    Piece::Bytes(format!("data: {frame}\n\n").into_bytes())
}

/// An answer whose pieces the test sends.
pub(super) fn paced() -> (mpsc::Sender<Piece>, Answer) {
    let (sender, receiver) = mpsc::channel(16);
    (sender, Answer::Pieces(receiver))
}

/// An answer of these pieces.
pub(super) fn pieces(pieces: Vec<Piece>) -> Answer {
    let (sender, receiver) = mpsc::channel(pieces.len().max(1));
    for piece in pieces {
        assert!(sender.try_send(piece).is_ok());
    }
    Answer::Pieces(receiver)
}

pub(super) fn question(client: &ModelClient) -> Conversation {
    let mut conversation = Conversation::new(client);
    conversation.push(&HistoryItem::User { text: "q".into() });
    conversation
}

pub(super) fn ask(client: &ModelClient) -> ModelStream {
    ask_with(client, &question(client))
}

pub(super) fn ask_with(client: &ModelClient, conversation: &Conversation) -> ModelStream {
    client.start(
        conversation,
        &client.encode_tools(&[]),
        &CancellationToken::new(),
    )
}

pub(super) async fn next(stream: &mut ModelStream) -> Option<ModelEvent> {
    tokio::time::timeout(DEADLINE, stream.next())
        .await
        .expect("no event in time")
}

pub(super) async fn all(mut stream: ModelStream) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    while let Some(event) = next(&mut stream).await {
        events.push(event);
    }
    events
}

/// All events of the one question to a server with these answers.
pub(super) async fn events(answers: impl IntoIterator<Item = Answer>) -> Vec<ModelEvent> {
    let server = Server::start(answers).await;
    all(ask(&server.client())).await
}

pub(super) fn reply(events: &[ModelEvent]) -> &Reply {
    match events.last() {
        Some(ModelEvent::Finished(reply)) => reply,
        other => panic!("no reply: {other:?}"),
    }
}

pub(super) fn failed(events: &[ModelEvent]) -> (&Failure, &str) {
    match events.last() {
        Some(ModelEvent::Failed { failure, text }) => (failure, text),
        other => panic!("no failure: {other:?}"),
    }
}

pub(super) fn retries(events: &[ModelEvent]) -> usize {
    events
        .iter()
        .filter(|event| matches!(event, ModelEvent::Retry { .. }))
        .count()
}
