//! How a reply goes over the wire: which bytes, in which pieces, with what going wrong.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use wisp_engine::protocol::Usage;

use super::reply::{MODEL_NAME, Reply};
use crate::scenario::{Chunk, Fault, Stream, Turn};

/// What an answer is.
#[derive(Debug)]
pub(super) enum Plan {
    /// One body.
    Body {
        status: u16,
        content_type: &'static str,
        retry_after: Option<u64>,
        body: String,
    },
    /// A stream of events.
    Stream(Vec<Piece>),
}

/// One step of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// These bytes, as one HTTP chunk.
    Send(Bytes),
    /// A pause.
    Pause(Duration),
    /// A wait for a test.
    Hold(String),
    /// The end of the connection.
    Cut,
    /// Comments until the client leaves.
    Comments,
}

/// How long it is between two comments when nothing else comes.
pub(super) const COMMENT_EVERY: Duration = Duration::from_millis(50);
/// A comment, as servers send it to keep a connection open.
pub(super) const COMMENT: &str = ": keep-alive\n\n";
/// What a broken event holds.
const MALFORMED: &str = r#"{"id":"wisp-scripted","choices":[{"delta":{"content":"unfinis"#;

impl Plan {
    /// An error in the form in which model servers give it.
    pub(super) fn error(status: u16, kind: &str, message: &str) -> Self {
        Self::Body {
            status,
            content_type: "application/json",
            retry_after: None,
            body: error_json(kind, message),
        }
    }

    /// The answer's status.
    pub(super) fn status(&self) -> u16 {
        match self {
            Self::Body { status, .. } => *status,
            Self::Stream(_) => 200,
        }
    }

    /// The answer to one try of a turn.
    pub(super) fn new(turn: &Turn, reply: &Reply, usage: Usage, fault: Option<&Fault>) -> Self {
        if let Some(fault) = fault
            && let Some(status) = fault.status
        {
            return status_plan(fault, status);
        }
        if turn.stream.single_piece && fault.is_none() {
            return Self::Body {
                status: 200,
                content_type: "application/json",
                retry_after: None,
                body: reply.completion(usage),
            };
        }
        Self::Stream(pieces(turn, reply, usage, fault))
    }
}

fn status_plan(fault: &Fault, status: u16) -> Plan {
    let body = fault.body.clone().unwrap_or_else(|| {
        let kind = match status {
            401 => "authentication_error",
            402 => "insufficient_quota",
            429 => "rate_limit_error",
            400..500 => "invalid_request_error",
            503 => "overloaded_error",
            _ => "server_error",
        };
        error_json(kind, &format!("Scripted fault: status {status}."))
    });
    Plan::Body {
        status,
        content_type: if fault.html {
            "text/html; charset=utf-8"
        } else {
            "application/json"
        },
        retry_after: fault.retry_after,
        body,
    }
}

fn pieces(turn: &Turn, reply: &Reply, usage: Usage, fault: Option<&Fault>) -> Vec<Piece> {
    let nothing = Fault::default();
    let fault = fault.unwrap_or(&nothing);
    let empty = Reply::empty();
    let reply = if fault.empty { &empty } else { reply };
    let stream = &turn.stream;

    let mut content = reply.events(stream);
    let mut end = reply.ending(usage, !fault.no_finish);
    if !fault.no_done {
        end.push("[DONE]".to_owned());
    }
    if let Some(after) = fault.malformed_after {
        content.insert(after.min(content.len()), MALFORMED.to_owned());
    }
    if let Some(after) = fault.error_after {
        content.truncate(after);
        let kind = fault.error_type.as_deref().unwrap_or("server_error");
        content.push(error_json(kind, "Scripted fault: an error in the stream."));
        end.clear();
    }
    let mut cut = false;
    if let Some(after) = fault.cut_events {
        end.truncate(after.saturating_sub(content.len()));
        content.truncate(after);
        cut = true;
    }
    let wire = |events: Vec<String>| -> Vec<Vec<u8>> {
        events.iter().map(|event| frame(event, stream)).collect()
    };
    let (mut content, mut end) = (wire(content), wire(end));
    if let Some(after) = fault.cut_bytes {
        let left = truncate(&mut content, after);
        truncate(&mut end, left);
        cut = true;
    }

    let mut out = Sections::new(stream);
    out.hold(turn.hold.start.as_deref());
    if fault.comments_only {
        out.pieces.push(Piece::Comments);
        return out.pieces;
    }
    // The first event only opens the reply. The middle comes after something of it was said.
    let said = content.len().saturating_sub(1);
    let middle = content.len().min(1 + said.div_ceil(2));
    let second_half = content.split_off(middle);
    out.frames(content);
    out.hold(turn.hold.mid.as_deref());
    out.frames(second_half);
    out.hold(turn.hold.after.as_deref());
    out.frames(end);
    out.flush();
    if cut {
        out.pieces.push(Piece::Cut);
    }
    out.pieces
}

/// Collects frames and cuts them into chunks wherever a hold or the end comes.
struct Sections<'a> {
    stream: &'a Stream,
    waiting: Vec<Vec<u8>>,
    pieces: Vec<Piece>,
}

impl<'a> Sections<'a> {
    fn new(stream: &'a Stream) -> Self {
        Self {
            stream,
            waiting: Vec::new(),
            pieces: Vec::new(),
        }
    }

    fn frames(&mut self, frames: Vec<Vec<u8>>) {
        self.waiting.extend(frames);
    }

    fn hold(&mut self, point: Option<&str>) {
        if let Some(point) = point {
            self.flush();
            self.pieces.push(Piece::Hold(point.to_owned()));
        }
    }

    fn flush(&mut self) {
        let frames = std::mem::take(&mut self.waiting);
        let chunks: Vec<Bytes> = match self.stream.chunk {
            Chunk::Events | Chunk::Words => frames.into_iter().map(Bytes::from).collect(),
            Chunk::Whole => vec![Bytes::from(frames.concat())],
            Chunk::Bytes(size) => {
                let all = Bytes::from(frames.concat());
                (0..all.len())
                    .step_by(size)
                    .map(|from| all.slice(from..all.len().min(from + size)))
                    .collect()
            }
        };
        for chunk in chunks.into_iter().filter(|chunk| !chunk.is_empty()) {
            if self.stream.pace_millis > 0 {
                let pause = Duration::from_millis(self.stream.pace_millis);
                self.pieces.push(Piece::Pause(pause));
            }
            self.pieces.push(Piece::Send(chunk));
        }
    }
}

fn frame(event: &str, stream: &Stream) -> Vec<u8> {
    let comment = if stream.keepalive_comments {
        COMMENT
    } else {
        ""
    };
    let frame = format!("{comment}data: {event}\n\n");
    if stream.crlf {
        frame.replace('\n', "\r\n").into_bytes()
    } else {
        frame.into_bytes()
    }
}

/// Keeps the first `bytes` bytes of the frames; gives how many more there might have been.
fn truncate(frames: &mut Vec<Vec<u8>>, bytes: usize) -> usize {
    let mut left = bytes;
    for frame in frames.iter_mut() {
        frame.truncate(left);
        left -= frame.len();
    }
    frames.retain(|frame| !frame.is_empty());
    left
}

fn error_json(kind: &str, message: &str) -> String {
    json!({"error": {"message": message, "type": kind, "param": null, "code": kind}}).to_string()
}

/// The list of models.
pub(super) fn models() -> Plan {
    Plan::Body {
        status: 200,
        content_type: "application/json",
        retry_after: None,
        body: json!({"object": "list", "data": [
            {"id": MODEL_NAME, "object": "model", "owned_by": "wisp"}
        ]})
        .to_string(),
    }
}
