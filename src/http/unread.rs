//! Request bodies that the service answers before it has read them: too large, for a route without a body, refused
//! under load.
//!
//! A client that is still sending reads the response only afterwards, or sees a broken connection instead of it if the
//! server closes first. So the server reads on and discards the rest, within limits of bytes and time (RFC 9112, 9.6).

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::http::activity::Activity;

/// The connection stays open for the next request if no more than this is left of the body.
const SMALL: u64 = 64 << 10;

/// The most bytes of a body that are discarded: thirty times the largest body that is accepted by default.
const MAX_DISCARDED: usize = 64 << 20;

/// The longest time in which a body is discarded.
const DISCARD_TIME: Duration = Duration::from_secs(30);

/// A client that sends nothing for this long has read the response and waits for the end of the connection.
const SILENCE: Duration = Duration::from_secs(5);

/// A body in the hands of a handler. If the handler drops it before its end, the rest goes back.
struct LentBody {
    /// `None` once it has gone back.
    body: Option<Incoming>,
    /// Whether the handler has asked for any of it. Until then a client that expects `100 Continue` need not send it.
    is_wanted: bool,
    is_at_end: bool,
    back: Option<oneshot::Sender<Left>>,
}

/// What a handler left of a body.
enum Left {
    Rest {
        body: Incoming,
        is_wanted: bool,
    },
    /// The body broke off or is malformed: nothing after it can be read.
    Broken,
}

/// Gets the rest of a body that was lent.
pub(super) struct Lender {
    left: oneshot::Receiver<Left>,
    expects_continue: bool,
    /// That of the connection.
    activity: Option<Arc<Activity>>,
}

/// Lends a body to a handler. Most requests have none; then nothing is lent.
pub(super) fn lend(body: Incoming, head: &mut Parts) -> (Body, Option<Lender>) {
    if body.is_end_stream() {
        return (Body::empty(), None);
    }
    let (back, left) = oneshot::channel();
    let lent = LentBody { body: Some(body), is_wanted: false, is_at_end: false, back: Some(back) };
    let expects_continue = head.headers.contains_key(header::EXPECT);
    (Body::new(lent), Some(Lender { left, expects_continue, activity: head.extensions.remove() }))
}

impl Lender {
    /// Begins to discard what the handler left of the body. Returns whether the connection must be closed after the
    /// response.
    pub(super) fn discard_rest(mut self, status: StatusCode) -> bool {
        let (body, is_wanted) = match self.left.try_recv() {
            Ok(Left::Rest { body, is_wanted }) => (body, is_wanted),
            Ok(Left::Broken) => return true,
            Err(_) => return false,
        };
        if self.expects_continue && !is_wanted {
            // a read would send `100 Continue` to a client that need not send the body now
            return true;
        }
        let is_small = body.size_hint().upper().is_some_and(|bytes| bytes <= SMALL);
        let discarding = self.activity.map(Activity::begin_discard);
        tokio::spawn(async move {
            let _elapsed = timeout(DISCARD_TIME, discard(body)).await;
            drop(discarding);
        });
        !is_small || status == StatusCode::REQUEST_TIMEOUT
    }
}

/// Reads a body until its end, until the limit on bytes, or until the client falls silent. Hyper then closes the
/// connection unless the body has ended.
async fn discard(mut body: Incoming) {
    let mut left = MAX_DISCARDED;
    while let Ok(Some(Ok(frame))) = timeout(SILENCE, body.frame()).await {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        let Some(after) = left.checked_sub(bytes) else { return };
        left = after;
    }
}

impl HttpBody for LentBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        self.is_wanted = true;
        let frame = ready!(polled);
        self.is_at_end = !matches!(frame, Some(Ok(_)));
        if let Some(Err(_)) = frame
            && let Some(back) = self.back.take()
        {
            _ = back.send(Left::Broken);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(SizeHint::default, Incoming::size_hint)
    }
}

impl Drop for LentBody {
    fn drop(&mut self) {
        let is_at_end = self.is_at_end || self.is_end_stream();
        if let (false, Some(body), Some(back)) = (is_at_end, self.body.take(), self.back.take()) {
            _ = back.send(Left::Rest { body, is_wanted: self.is_wanted });
        }
    }
}
