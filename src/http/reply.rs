//! Responses with what caches need: the body, its canonical URL, its entity tag, and how long it stays valid.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::render::Coding;
use crate::service::{CacheStatus, Key, Outcome, Weigh};

/// The header that RFC 9211 defines.
pub(super) const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// For responses that never change.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// For responses that no cache may keep.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// For responses that change with the release: a cache must revalidate its copy.
pub(super) const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// The request headers that the choice of a format and of a coding depend on.
const VARY: HeaderValue = HeaderValue::from_static("accept, accept-encoding");

/// The body of a response, as the service caches it: in one coding.
#[derive(Debug)]
pub(super) struct CachedBody {
    pub(super) bytes: Bytes,
    pub(super) media_type: &'static str,
    /// `None` if all clients get the response in one form, whatever codings they prefer.
    pub(super) coding: Option<Coding>,
    /// `None` if no canonical URL names the response.
    pub(super) etag: Option<HeaderValue>,
}

impl Weigh for CachedBody {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.bytes.len() + self.etag.as_ref().map_or(0, HeaderValue::len)
    }
}

/// What a cache may do with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CachePolicy {
    /// Keep it for ever, under its entity tag.
    Immutable,
    /// Nothing: the response is for one client, once.
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
    /// A 304: the client has the response with this entity tag.
    NotModified(Option<HeaderValue>),
}

impl Reply {
    /// A response with a body.
    pub(super) fn new(outcome: Outcome<CachedBody>, policy: CachePolicy) -> Self {
        Self { content: Content::Body(outcome.value, outcome.status), location: None, policy }
    }

    /// A 304, for a client that has the response already.
    pub(super) const fn not_modified(etag: Option<HeaderValue>) -> Self {
        Self { content: Content::NotModified(etag), location: None, policy: CachePolicy::Immutable }
    }

    /// Adds the canonical URL.
    pub(super) fn located(self, url: Option<&Key>) -> Self {
        // canonical URLs are ASCII without control characters, so a header can hold any of them
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
                if let Some(spec) = body.coding.and_then(Coding::spec) {
                    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(spec.name));
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_body_weighs_its_bytes_and_its_tag() {
        let body = |bytes: usize, etag| CachedBody {
            bytes: vec![0; bytes].into(),
            media_type: "text/plain",
            coding: None,
            etag,
        };
        let empty = body(0, None).bytes();
        assert!(empty >= size_of::<CachedBody>());
        assert_eq!(body(1000, None).bytes(), empty + 1000);
        assert_eq!(body(1000, Some(HeaderValue::from_static("\"tag\""))).bytes(), empty + 1005);
    }
}
