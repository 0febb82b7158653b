//! Responses that are the same for every request until the next release or the next start with other settings: the
//! catalogue and the description of the API. Clients keep a copy and ask with its entity tag whether it still holds.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::http::precondition::Precondition;
use crate::http::problem::Problem;
use crate::http::reply::NO_CACHE;
use crate::render::json;

/// A body with its media type and entity tag.
pub(super) struct Document {
    media_type: HeaderValue,
    body: Bytes,
    /// A digest of the body.
    etag: Option<HeaderValue>,
}

impl Document {
    pub(super) fn new(media_type: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&body));
        let etag = HeaderValue::from_maybe_shared(Bytes::from(format!("\"{digest}\""))).ok();
        Self { media_type: HeaderValue::from_static(media_type), body, etag }
    }

    /// A document of JSON.
    pub(super) fn json(value: &serde_json::Value) -> Self {
        Self::new(json::MEDIA_TYPE, value.to_string())
    }

    /// The response to a request with these headers: the body, or 304 if the client has it.
    pub(super) fn reply(&self, headers: &HeaderMap) -> Result<Response, Problem> {
        let mut response = match Precondition::read(headers, self.etag.as_ref()) {
            Precondition::Failed => return Err(Problem::PreconditionFailed),
            Precondition::ThisVersion | Precondition::AnyVersion => StatusCode::NOT_MODIFIED.into_response(),
            Precondition::None => {
                let mut response = self.body.clone().into_response();
                response.headers_mut().insert(header::CONTENT_TYPE, self.media_type.clone());
                response
            }
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, NO_CACHE);
        if let Some(etag) = &self.etag {
            headers.insert(header::ETAG, etag.clone());
        }
        Ok(response)
    }
}
