//! Limits on every request, whatever its route.

use axum::http::{HeaderMap, Request, Version, header};

use crate::http::app::Shared;
use crate::http::problem::Problem;
use crate::level::error::ParameterError;

/// Rejects a request that does not say which host it is for, a URL that is too long, and a body whose `Content-Length`
/// is too large. A body that declares no length is limited while it is read.
pub(super) fn check<B>(request: &Request<B>, app: &Shared) -> Result<(), Problem> {
    if !has_host(request.version(), request.headers()) {
        let message = "must be named by exactly one Host header, as a name or address with or without a port";
        return Err(Problem::BadParameters(vec![ParameterError::new("host", message)]));
    }
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

/// Whether the head names one host (RFC 9112, 3.2). Only HTTP/1.0 may leave it out. A proxy and this service could each
/// take another one of two hosts for the right one.
fn has_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.as_bytes().iter().all(|byte| is_of_host(*byte)),
        (None, _) => version < Version::HTTP_11,
        _ => false,
    }
}

/// Whether a host or its port can have this byte (RFC 3986, 3.2.2).
const fn is_of_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'%'
                | b'!'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'['
                | b']'
        )
}
