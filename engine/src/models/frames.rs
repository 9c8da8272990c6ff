//! Cuts a body into the data of server-sent events.
//!
//! `sse-stream` does the cutting: line ends of every kind, comments, a byte order mark, several data
//! lines, strict UTF-8. Around it is what it lacks: a bound on what it holds back for a frame without an
//! end, and a blank line after the body's end, without which it would drop a last event that has none.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::stream::{BoxStream, Chain, Iter};
use futures_util::{Stream, StreamExt, stream};
use sse_stream::SseByteStream;

/// The most bytes of a body between two events, 16 MiB: far above any frame a server sends, far below
/// what would hurt. Comments count too, so it also ends a flood of them.
pub(super) const MAX_FRAME_BYTES: usize = 16 * 1024 * 1024;

/// The body of an answer, with errors as words.
pub(super) type Body = BoxStream<'static, Result<Bytes, BodyError>>;

/// The connection broke within the body.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct BodyError(pub(super) String);

/// Why there are no more frames.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FrameError {
    /// The connection broke.
    Cut(String),
    /// Bytes that are no UTF-8.
    NotText,
    /// A frame over the limit.
    TooLarge,
}

/// The data of each event, in turn.
pub(super) struct Frames {
    events: SseByteStream<BoxStream<'static, Result<Bytes, Guarded>>>,
    since_event: Arc<AtomicUsize>,
}

/// What the guard lets through instead of bytes.
#[derive(Debug, thiserror::Error)]
enum Guarded {
    #[error("{0}")]
    Body(BodyError),
    #[error("frame too large")]
    TooLarge,
}

impl Frames {
    /// Of a body whose first bytes may have been read already.
    pub(super) fn new(head: Bytes, body: Body) -> Self {
        let since_event = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&since_event);
        let bytes = with_ends(head, body).map(move |piece| {
            let piece = piece.map_err(Guarded::Body)?;
            let before = counter.fetch_add(piece.len(), Ordering::Relaxed);
            if before.saturating_add(piece.len()) > MAX_FRAME_BYTES {
                return Err(Guarded::TooLarge);
            }
            Ok(piece)
        });
        Self {
            events: SseByteStream::new(bytes.boxed()),
            since_event,
        }
    }

    /// The next event's data; events without data are passed over.
    pub(super) async fn next(&mut self) -> Option<Result<String, FrameError>> {
        loop {
            let event = match self.events.next().await? {
                Ok(event) => event,
                Err(error) => return Some(Err(reason(error))),
            };
            self.since_event.store(0, Ordering::Relaxed);
            if let Some(data) = event.data.filter(|data| !data.trim().is_empty()) {
                return Some(Ok(data));
            }
        }
    }

    /// Reads what is left, so that the connection can be used again.
    pub(super) async fn drain(mut self) {
        while let Some(Ok(_)) = self.next().await {}
    }
}

type Ends = Iter<std::array::IntoIter<Result<Bytes, BodyError>, 1>>;

fn with_ends(head: Bytes, body: Body) -> Chain<Chain<Ends, Body>, Ends> {
    stream::iter([Ok(head)])
        .chain(body)
        .chain(stream::iter([Ok(Bytes::from_static(b"\n\n"))]))
}

fn reason(error: sse_stream::Error) -> FrameError {
    match error {
        sse_stream::Error::Utf8Parse(_) => FrameError::NotText,
        sse_stream::Error::Body(inner) => match inner.downcast::<Guarded>().map(|guarded| *guarded)
        {
            Ok(Guarded::Body(error)) => FrameError::Cut(error.0),
            Ok(Guarded::TooLarge) => FrameError::TooLarge,
            Err(other) => FrameError::Cut(other.to_string()),
        },
        other => FrameError::Cut(other.to_string()),
    }
}

/// What a body begins as.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Perhaps a stream of events.
    Stream(Bytes),
    /// A JSON value.
    Json(Bytes),
    /// A web page.
    Page,
    /// Nothing at all.
    Empty,
}

/// Reads until the first byte that tells. Content types are not asked: good streams come under any.
/// Blank lines before it, which some servers send to keep the connection alive, are dropped.
pub(super) async fn open(
    body: &mut (impl Stream<Item = Result<Bytes, BodyError>> + Unpin),
) -> Result<Opening, BodyError> {
    let mut blank = Vec::new();
    while let Some(piece) = body.next().await {
        let mut piece = piece?;
        let text = piece.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&piece);
        let Some(first) = text.trim_ascii_start().first().copied() else {
            blank.extend_from_slice(text);
            if let Some(end) = blank.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
                blank.drain(..=end);
            }
            continue;
        };
        if !blank.is_empty() {
            blank.extend_from_slice(&piece);
            piece = Bytes::from(blank);
        }
        return Ok(match first {
            b'{' | b'[' => Opening::Json(piece),
            b'<' => Opening::Page,
            _ => Opening::Stream(piece),
        });
    }
    Ok(Opening::Empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(pieces: Vec<Vec<u8>>) -> Body {
        stream::iter(pieces)
            .map(|piece| Ok(Bytes::from(piece)))
            .boxed()
    }

    fn frames(pieces: Vec<Vec<u8>>) -> Vec<Result<String, FrameError>> {
        let mut frames = Frames::new(Bytes::new(), body(pieces));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut all = Vec::new();
            while let Some(frame) = frames.next().await {
                all.push(frame);
            }
            all
        })
    }

    fn ok(texts: &[&str]) -> Vec<Result<String, FrameError>> {
        texts.iter().map(|text| Ok((*text).to_owned())).collect()
    }

    #[test]
    fn every_line_end_comment_mark_and_last_event_counts_at_any_split() {
        let text = "\u{feff}: hello\r\rdata: é1\r\rdata:2\ndata: 3\r\n\r\nevent: x\n\ndata:\n\n: c\n\nid: 7\ndata: 4";
        let bytes = text.as_bytes();
        let expected = ok(&["é1", "2\n3", "4"]);
        for cut in 0..=bytes.len() {
            let (left, right) = bytes.split_at(cut);
            assert_eq!(
                frames(vec![left.to_vec(), right.to_vec()]),
                expected,
                "at {cut}"
            );
        }
        let single = bytes.iter().map(|byte| vec![*byte]).collect();
        assert_eq!(frames(single), expected);
    }

    #[test]
    fn bytes_that_are_no_text_break_the_stream() {
        let got = frames(vec![b"data: a\n\ndata: \xff\xfe\n\ndata: b\n\n".to_vec()]);
        assert_eq!(got, [Ok("a".to_owned()), Err(FrameError::NotText)]);
        // Half a character at the end is no text either.
        assert_eq!(
            frames(vec![b"data: \xc3".to_vec()]),
            [Err(FrameError::NotText)]
        );
    }

    #[test]
    fn a_frame_may_reach_the_limit_and_not_pass_it() {
        let mut exact = b"data: ".to_vec();
        exact.resize(MAX_FRAME_BYTES - 2, b'x');
        let got = frames(vec![exact.clone()]);
        assert_eq!(got.len(), 1);
        assert!(got[0].is_ok());
        exact.push(b'x');
        assert_eq!(frames(vec![exact]), [Err(FrameError::TooLarge)]);
    }

    #[test]
    fn a_body_tells_by_its_first_byte_what_it_is() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let opening = |pieces: &[&str]| {
            let pieces = pieces
                .iter()
                .map(|piece| piece.as_bytes().to_vec())
                .collect();
            runtime.block_on(open(&mut body(pieces))).unwrap()
        };
        assert_eq!(
            opening(&["\n", " \n", "{\"a\""]),
            Opening::Json("{\"a\"".into())
        );
        assert_eq!(opening(&["\u{feff}<!doctype"]), Opening::Page);
        assert_eq!(
            opening(&["\r\n", "data: {"]),
            Opening::Stream("data: {".into())
        );
        assert_eq!(opening(&[": k"]), Opening::Stream(": k".into()));
        assert_eq!(opening(&[" ", ""]), Opening::Empty);
        assert_eq!(
            opening(&["\n ", "data: x"]),
            Opening::Stream(" data: x".into())
        );
        assert_eq!(opening(&[]), Opening::Empty);
    }
}
