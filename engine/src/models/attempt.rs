//! One try of a model request: sent once, read to its end.
//!
//! It tells what becomes known on the way and gives the outcome. It must not send anything twice: that is
//! the driver's business, which knows what has been tried before.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, TryStreamExt};
use reqwest::Response;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout, timeout_at};

use crate::protocol::FailureKind;
use crate::support::clock;

use super::assembler::{Assembler, Ending, Fed};
use super::chunk::Chunk;
use super::client::{CONNECT_LIMIT, Inner};
use super::event::ModelEvent;
use super::frames::{self, Body, BodyError, FrameError, Frames, MAX_FRAME_BYTES, Opening};
use super::retry;
use super::server_error::ServerError;
use super::watch::{Silence, Watch};
use super::wording::{Break, Trouble};

/// How much of an error's body is read, 64 KiB: more than any words for a person.
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// How long an error's body may take; the status alone says enough.
const ERROR_LIMIT: Duration = Duration::from_secs(5);
/// How long the figures may take that follow the reason of the end, counted from it, whatever else comes.
const AFTER_FINISH: Duration = Duration::from_secs(5);
/// How long a finished reply waits for its connection to become free for the next request. As a rule
/// the end has come in the same packet.
const DRAIN_WAIT: Duration = Duration::from_millis(200);
/// After that, how long the connection may still take before it is closed.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);
/// Text of pieces that came together is told as one; at this size, 8 KiB, it is told in any case.
const MAX_UNTOLD_BYTES: usize = 8 * 1024;

/// What came of it.
pub(super) enum Outcome {
    /// The server ended it; with the text that was told.
    Ended(Ending, String),
    /// It failed; with the text that was told.
    Broken(Trouble, String),
}

/// One try.
pub(super) struct Attempt<'a> {
    client: &'a Inner,
    events: &'a Sender<ModelEvent>,
    watch: Watch,
    reply: Assembler,
    /// When the last sign of thinking was given.
    sign: Instant,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(client: &'a Inner, events: &'a Sender<ModelEvent>) -> Self {
        let seed = uuid::Uuid::now_v7().simple().to_string();
        Self {
            client,
            events,
            watch: Watch::new(client.settings.idle, client.tick),
            reply: Assembler::new(seed),
            sign: Instant::now(),
        }
    }

    /// Sends it and reads the answer.
    pub(super) async fn run(mut self, body: Bytes) -> Outcome {
        let done = self.exchange(body).await;
        if done.is_ok() {
            self.reply.announce_rest();
        }
        self.flush().await;
        let text = self.reply.shown().to_owned();
        match done {
            Ok(()) => {
                let limit = self.client.provider.output_limit.map(|(_, tokens)| tokens);
                Outcome::Ended(self.reply.finish(limit), text)
            }
            Err(mut trouble) => {
                // The first piece of anything ends the time of retries (contract C17).
                trouble.transient &= !self.reply.has_started();
                Outcome::Broken(trouble, text)
            }
        }
    }

    async fn exchange(&mut self, body: Bytes) -> Result<(), Trouble> {
        let client = self.client;
        let sent = client
            .http
            .post(client.endpoint.url.clone())
            .headers(client.headers.clone())
            .body(body)
            .send();
        let response = match self.watch.guard(self.events, sent).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(client.wording.unreachable(error, CONNECT_LIMIT)),
            Err(Silence) => return Err(self.silent()),
        };
        let status = response.status();
        if status.is_redirection() {
            return Err(client.wording.redirect(status.as_u16()));
        }
        if !status.is_success() {
            return Err(self.refused(response).await);
        }
        let mut body: Body = response
            .bytes_stream()
            .map_err(|error| BodyError(innermost(error)))
            .boxed();
        let opening = self.watch.guard(self.events, frames::open(&mut body)).await;
        match opening {
            Ok(Ok(Opening::Stream(head))) => self.stream(Frames::new(head, body)).await,
            Ok(Ok(Opening::Json(head))) => self.whole(head, body).await,
            Ok(Ok(Opening::Page)) => Err(client.wording.page()),
            Ok(Ok(Opening::Empty)) => Err(self.broken(&Break::Ended)),
            Ok(Err(error)) => Err(self.broken(&Break::Frame(FrameError::Cut(error.0)))),
            Err(Silence) => Err(self.silent()),
        }
    }

    /// An answer that is an error.
    async fn refused(&self, mut response: Response) -> Trouble {
        let status = response.status().as_u16();
        let asked = retry::asked_wait(response.headers(), clock::now_millis());
        let mut body = Vec::new();
        let reading = async {
            while let Ok(Some(piece)) = response.chunk().await {
                body.extend_from_slice(&piece);
                if body.len() > MAX_ERROR_BYTES {
                    break;
                }
            }
        };
        // Late or cut, what has come is used.
        drop(timeout(ERROR_LIMIT, reading).await);
        let error = ServerError::read(&String::from_utf8_lossy(&body), Some(status));
        let mut trouble = self.client.wording.server(&error);
        if matches!(error.kind, FailureKind::RateLimit | FailureKind::Overload) {
            trouble.asked_wait = asked;
            trouble.failure = trouble.failure.with_retry_after(asked.map(whole_seconds));
        }
        trouble
    }

    /// An answer in pieces.
    async fn stream(&mut self, mut frames: Frames) -> Result<(), Trouble> {
        // From the reason of the end on; then the reply is whole.
        let mut deadline = None;
        loop {
            if deadline.is_none() && self.reply.has_finish() {
                let limit = AFTER_FINISH.min(self.client.settings.idle);
                deadline = Some(Instant::now() + limit);
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Ok(());
            }
            let frame = if let Some(frame) = frames.next().now_or_never() {
                frame
            } else {
                self.flush().await;
                let Some(frame) = self.wait(&mut frames, deadline).await? else {
                    return Ok(());
                };
                frame
            };
            let data = match frame {
                Some(Ok(data)) => data,
                // After the reason of the end nothing was missing but figures.
                None | Some(Err(FrameError::Cut(_))) if self.reply.has_finish() => return Ok(()),
                None => return Err(self.broken(&Break::Ended)),
                Some(Err(error)) => return Err(self.broken(&Break::Frame(error))),
            };
            match self.reply.feed(&data) {
                Fed::Nothing => {}
                Fed::Output => self.note_output().await,
                Fed::Done => {
                    self.flush().await;
                    release(frames).await;
                    return Ok(());
                }
                fed => return Err(self.fault(&fed)),
            }
        }
    }

    /// The next frame when none is there yet; `None` if none comes until the deadline.
    async fn wait(
        &mut self,
        frames: &mut Frames,
        deadline: Option<Instant>,
    ) -> Result<Option<Option<Result<String, FrameError>>>, Trouble> {
        if let Some(deadline) = deadline {
            return Ok(timeout_at(deadline, frames.next()).await.ok());
        }
        match self.watch.guard(self.events, frames.next()).await {
            Ok(frame) => Ok(Some(frame)),
            Err(Silence) => Err(self.silent()),
        }
    }

    /// An answer in one piece.
    async fn whole(&mut self, head: Bytes, mut body: Body) -> Result<(), Trouble> {
        let mut json = head.to_vec();
        loop {
            match self.watch.guard(self.events, body.next()).await {
                Err(Silence) => return Err(self.silent()),
                Ok(None) => break,
                Ok(Some(Err(error))) => {
                    return Err(self.broken(&Break::Frame(FrameError::Cut(error.0))));
                }
                Ok(Some(Ok(piece))) => {
                    if !piece.trim_ascii().is_empty() {
                        self.watch.progress();
                    }
                    json.extend_from_slice(&piece);
                }
            }
            if json.len() > MAX_FRAME_BYTES {
                return Err(self.broken(&Break::TooLong));
            }
        }
        let Ok(text) = std::str::from_utf8(&json) else {
            return Err(self.broken(&Break::Frame(FrameError::NotText)));
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with('[') {
            let error = ServerError::read(text, None);
            return Err(self.client.wording.server(&error));
        }
        match self.reply.feed(text) {
            Fed::Nothing | Fed::Output | Fed::Done => {}
            fed => return Err(self.fault(&fed)),
        }
        match Chunk::read(text) {
            Ok(chunk) if chunk.has_choices() => Ok(()),
            _ => Err(self.client.wording.foreign()),
        }
    }

    async fn note_output(&mut self) {
        self.watch.progress();
        if self.reply.untold_bytes() >= MAX_UNTOLD_BYTES {
            self.flush().await;
        }
        // Long thinking gives a sign of life now and then.
        if self.reply.is_thinking() && self.sign.elapsed() >= self.client.tick {
            self.flush().await;
            self.send(ModelEvent::ReasoningActive).await;
        }
    }

    async fn flush(&mut self) {
        for event in self.reply.take_events() {
            self.send(event).await;
        }
    }

    async fn send(&mut self, event: ModelEvent) {
        if event == ModelEvent::ReasoningActive {
            self.sign = Instant::now();
        }
        // Nobody listens: the stream that drives this is being dropped.
        drop(self.events.send(event).await);
    }

    fn fault(&self, fed: &Fed) -> Trouble {
        match fed {
            Fed::Error(error) => self.client.wording.server(error),
            Fed::TooLarge => self.broken(&Break::TooLong),
            Fed::TooManyCalls => self.broken(&Break::TooManyCalls),
            _ => self.broken(&Break::NoJson),
        }
    }

    fn broken(&self, how: &Break) -> Trouble {
        self.client.wording.broken(how, self.reply.has_started())
    }

    fn silent(&self) -> Trouble {
        self.client.wording.silent(self.client.settings.idle)
    }
}

/// Reads a finished body to its end, so that the connection serves the next request. Most often the
/// end is there; if it is late the reply doesn't wait for it.
async fn release(frames: Frames) {
    let mut drain = Box::pin(frames.drain());
    if drain.as_mut().now_or_never().is_some() || timeout(DRAIN_WAIT, &mut drain).await.is_ok() {
        return;
    }
    drop(tokio::spawn(timeout(DRAIN_LIMIT, drain)));
}

/// Rounded up, so that nobody comes back too early.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// The cause below all wrapping.
fn innermost(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
