//! Responses that are the same for every request until the next release or the next start with other settings: the
//! catalogue and the description of the API. Clients keep a copy and ask with its entity tag whether it still holds.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::http::negotiation;
use crate::http::precondition::Precondition;
use crate::http::problem::Problem;
use crate::http::reply::NO_CACHE;
use crate::level::work::Cancel;
use crate::render::coding::CODINGS;
use crate::render::{Coding, json};

/// A body with its media type, in every coding.
pub(super) struct Document {
    media_type: HeaderValue,
    /// The forms of the body, the identity first.
    forms: Vec<Form>,
}

/// A document in one coding.
struct Form {
    coding: Coding,
    body: Bytes,
    /// A digest of the body.
    etag: Option<HeaderValue>,
}

/// The request header that the choice of a form depends on.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");

impl Document {
    pub(super) fn new(media_type: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let compressed = CODINGS.iter().filter_map(|spec| {
            // nothing cancels this
            let body = spec.coding.encode(body.to_vec(), Cancel::never()).ok()?;
            Some(Form::new(spec.coding, body.into()))
        });
        let forms = std::iter::once(Form::new(Coding::Identity, body.clone())).chain(compressed).collect();
        Self { media_type: HeaderValue::from_static(media_type), forms }
    }

    /// A document of JSON.
    pub(super) fn json(value: &serde_json::Value) -> Self {
        Self::new(json::MEDIA_TYPE, value.to_string())
    }

    /// The response to a request with these headers: the body, or 304 if the client has it.
    pub(super) fn reply(&self, headers: &HeaderMap) -> Result<Response, Problem> {
        let preferred = negotiation::coding(headers);
        let Some(form) = self.forms.iter().find(|form| form.coding == preferred).or(self.forms.first()) else {
            return Err(Problem::Internal("a document has no form".into()));
        };
        let mut response = match Precondition::read(headers, form.etag.as_ref()) {
            Precondition::Failed => return Err(Problem::PreconditionFailed),
            Precondition::ThisVersion | Precondition::AnyVersion => StatusCode::NOT_MODIFIED.into_response(),
            Precondition::None => {
                let mut response = form.body.clone().into_response();
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_TYPE, self.media_type.clone());
                if let Some(spec) = form.coding.spec() {
                    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(spec.name));
                }
                response
            }
        };
        let headers = response.headers_mut();
        headers.insert(header::VARY, VARY);
        headers.insert(header::CACHE_CONTROL, NO_CACHE);
        if let Some(etag) = &form.etag {
            headers.insert(header::ETAG, etag.clone());
        }
        Ok(response)
    }
}

impl Form {
    fn new(coding: Coding, body: Bytes) -> Self {
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&body));
        let etag = HeaderValue::from_maybe_shared(Bytes::from(format!("\"{digest}\""))).ok();
        Self { coding, body, etag }
    }
}
