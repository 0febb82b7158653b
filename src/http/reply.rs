//! Responses that caches understand: the body of an answer, its canonical URL, its entity tag, and how long it is good.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::service::{CacheStatus, Key, Outcome, Weigh};

/// The header of RFC 9211.
const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// For answers that never change.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// For answers that no cache may keep.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// For answers that change with the release.
pub(super) const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// The header that the choice of a format depends on.
const VARY: HeaderValue = HeaderValue::from_static("accept");

/// The body of an answer, as the service caches it.
#[derive(Debug)]
pub(super) struct CachedBody {
    pub(super) bytes: Bytes,
    pub(super) media_type: &'static str,
    /// `None` where no canonical URL names the answer.
    pub(super) etag: Option<HeaderValue>,
}

impl Weigh for CachedBody {
    fn bytes(&self) -> usize {
        self.bytes.len() + self.etag.as_ref().map_or(0, HeaderValue::len)
    }
}

/// What a cache may do with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CachePolicy {
    /// Keep it for ever, under its entity tag.
    Immutable,
    /// Nothing: it is for this client and this time.
    NoStore,
}

/// A response about a level.
pub(super) struct Reply {
    content: Content,
    location: Option<HeaderValue>,
    policy: CachePolicy,
}

enum Content {
    Body(Arc<CachedBody>, CacheStatus),
    /// The client has the answer of this entity tag.
    NotModified(Option<HeaderValue>),
}

impl Reply {
    /// An answer.
    pub(super) fn new(outcome: Outcome<CachedBody>, policy: CachePolicy) -> Self {
        Self { content: Content::Body(outcome.value, outcome.status), location: None, policy }
    }

    /// The client has the answer already.
    pub(super) const fn not_modified(etag: Option<HeaderValue>) -> Self {
        Self { content: Content::NotModified(etag), location: None, policy: CachePolicy::Immutable }
    }

    /// Adds the canonical URL.
    pub(super) fn located(self, url: Option<&Key>) -> Self {
        // canonical URLs are ASCII without control characters, so the header can hold each
        Self { location: url.and_then(|url| HeaderValue::from_maybe_shared(url.clone()).ok()), ..self }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let (mut response, etag) = match self.content {
            Content::Body(body, status) => {
                let mut response = Response::new(body.bytes.clone().into());
                let headers = response.headers_mut();
                headers.reserve(8);
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(body.media_type));
                headers.insert(CACHE_STATUS, cache_status(status));
                (response, body.etag.clone())
            }
            Content::NotModified(etag) => (StatusCode::NOT_MODIFIED.into_response(), etag),
        };
        let headers = response.headers_mut();
        if let Some(location) = self.location {
            headers.insert(header::CONTENT_LOCATION, location);
        }
        headers.insert(header::VARY, VARY);
        match self.policy {
            CachePolicy::Immutable => {
                if let Some(etag) = etag {
                    headers.insert(header::ETAG, etag);
                }
                headers.insert(header::CACHE_CONTROL, IMMUTABLE);
            }
            CachePolicy::NoStore => {
                headers.insert(header::CACHE_CONTROL, NO_STORE);
            }
        }
        response
    }
}

/// `Cache-Status` (RFC 9211).
const fn cache_status(status: CacheStatus) -> HeaderValue {
    HeaderValue::from_static(match status {
        CacheStatus::Hit => "mazed; hit",
        CacheStatus::Miss => "mazed; fwd=miss",
        CacheStatus::Collapsed => "mazed; fwd=miss; collapsed",
    })
}
