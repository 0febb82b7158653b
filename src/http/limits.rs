//! Limits on every request, whatever its route.

use axum::http::{Request, header};

use crate::http::app::Shared;
use crate::http::problem::Problem;

/// Rejects a URL that is too long, and a body whose `Content-Length` is too large. A body that declares no length is
/// limited while it is read.
pub(super) fn check<B>(request: &Request<B>, app: &Shared) -> Result<(), Problem> {
    let uri = request.uri();
    let bytes = uri.path().len() + uri.query().map_or(0, |query| 1 + query.len());
    if bytes > app.max_url_bytes {
        return Err(Problem::UrlTooLong { bytes, max_bytes: app.max_url_bytes });
    }
    let declared: Option<u64> =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    match declared {
        Some(bytes) if bytes > app.max_body_bytes => Err(Problem::BodyTooLarge { max_bytes: app.max_body_bytes }),
        _ => Ok(()),
    }
}
