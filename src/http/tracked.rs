//! The service of one connection: the service of the server, which reports to the connection when a request begins and
//! when its response ends.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::BoxError;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::service::Service;
use hyper::{Request, Response};
use pin_project_lite::pin_project;

use crate::http::activity::Answering;
use crate::http::connections::Slot;

/// A service that answers the requests of connections: any hyper service that can move between threads.
pub trait Answer:
    Service<Request<Incoming>, Response = Response<Self::Body>, Future: Send, Error: Into<BoxError> + Send>
    + Clone
    + Send
    + 'static
{
    /// The bodies of its responses.
    type Body: Body<Data: Send, Error: Into<BoxError>> + Send + 'static;
}

impl<S, B> Answer for S
where
    S: Service<Request<Incoming>, Response = Response<B>, Future: Send, Error: Into<BoxError> + Send>,
    S: Clone + Send + 'static,
    B: Body<Data: Send, Error: Into<BoxError>> + Send + 'static,
{
    type Body = B;
}

/// On a request: its connection is above the limit, so only probes are answered.
#[derive(Debug, Clone)]
pub(super) struct KeptBack(pub(super) Arc<Slot>);

/// The service of one connection.
pub(super) struct Tracked<S> {
    service: S,
    slot: Arc<Slot>,
}

impl<S> Tracked<S> {
    pub(super) const fn new(service: S, slot: Arc<Slot>) -> Self {
        Self { service, slot }
    }
}

impl<S: Answer> Service<Request<Incoming>> for Tracked<S> {
    type Response = Response<TrackedBody<S::Body>>;
    type Error = S::Error;
    type Future = TrackedFuture<S::Future>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let answering = self.slot.activity().begin_request();
        if !request.body().is_end_stream() {
            // a handler may leave the body unread
            request.extensions_mut().insert(Arc::clone(self.slot.activity()));
        }
        let kept_back = self.slot.is_kept_back().then(|| KeptBack(Arc::clone(&self.slot)));
        if let Some(kept_back) = kept_back.clone() {
            request.extensions_mut().insert(kept_back);
        }
        TrackedFuture { answer: self.service.call(request), kept_back, answering: Some(answering) }
    }
}

pin_project! {
    /// A request under way.
    pub(super) struct TrackedFuture<F> {
        #[pin]
        answer: F,
        kept_back: Option<KeptBack>,
        answering: Option<Answering>,
    }
}

impl<F, B, E> Future for TrackedFuture<F>
where
    F: Future<Output = Result<Response<B>, E>>,
{
    type Output = Result<Response<TrackedBody<B>>, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut response = ready!(this.answer.poll(context))?;
        if this.kept_back.as_ref().is_some_and(|KeptBack(slot)| slot.is_kept_back()) {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        let answering = this.answering.take();
        Poll::Ready(Ok(response.map(|body| TrackedBody { body, _answering: answering })))
    }
}

pin_project! {
    /// The body of a response. Hyper drops it as soon as it has all of it.
    pub(super) struct TrackedBody<B> {
        #[pin]
        body: B,
        _answering: Option<Answering>,
    }
}

impl<B: Body> Body for TrackedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        self.project().body.poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
