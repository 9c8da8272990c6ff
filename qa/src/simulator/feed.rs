//! Hands a plan over to the HTTP server, piece by piece.

use std::{collections::VecDeque, io, sync::Arc};

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use futures_util::stream;

use super::{
    holds::Holds,
    log::{Delivery, Recorder},
    plan::{COMMENT, COMMENT_EVERY, Piece, Plan},
};

/// A stream that is being sent. When it is dropped before its end, the client has left.
struct Feed {
    pieces: VecDeque<Piece>,
    holds: Arc<Holds>,
    recorder: Arc<Recorder>,
    request: usize,
    delivery: Delivery,
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.recorder.delivered(self.request, self.delivery);
    }
}

impl Feed {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            let Some(piece) = self.pieces.pop_front() else {
                self.delivery = Delivery::Whole;
                return None;
            };
            match piece {
                Piece::Send(bytes) => return Some(Ok(bytes)),
                Piece::Pause(pause) => tokio::time::sleep(pause).await,
                Piece::Hold(point) => self.holds.pass(&point).await,
                Piece::Cut => {
                    // The server sends what it has when it must wait; then the connection goes.
                    tokio::task::yield_now().await;
                    self.delivery = Delivery::Cut;
                    return Some(Err(io::Error::other("cut as the scenario says")));
                }
                Piece::Comments => {
                    self.pieces.push_front(Piece::Comments);
                    tokio::time::sleep(COMMENT_EVERY).await;
                    return Some(Ok(Bytes::from_static(COMMENT.as_bytes())));
                }
            }
        }
    }
}

/// The HTTP answer to the request with this number in the log.
pub(super) fn response(
    plan: Plan,
    holds: &Arc<Holds>,
    recorder: &Arc<Recorder>,
    request: usize,
) -> Response<Body> {
    let mut response;
    match plan {
        Plan::Body {
            status,
            content_type,
            retry_after,
            body,
        } => {
            response = Response::new(Body::from(body));
            *response.status_mut() =
                StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
            if let Some(seconds) = retry_after {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            recorder.delivered(request, Delivery::Whole);
        }
        Plan::Stream(pieces) => {
            let feed = Feed {
                pieces: pieces.into(),
                holds: Arc::clone(holds),
                recorder: Arc::clone(recorder),
                request,
                delivery: Delivery::Left,
            };
            let events = stream::unfold(feed, |mut feed| async move {
                feed.next().await.map(|next| (next, feed))
            });
            response = Response::new(Body::from_stream(events));
            let headers = response.headers_mut();
            headers.insert(
                header::CONTENT_TYPE,
                HeaderValue::from_static("text/event-stream; charset=utf-8"),
            );
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
    }
    response
}
