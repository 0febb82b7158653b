//! Limits on every request, whatever its route.

use std::net::Ipv6Addr;

use axum::http::{HeaderMap, Request, Version, header};

use crate::http::app::Shared;
use crate::http::problem::Problem;
use crate::level::error::ParameterError;

/// Rejects a request that does not say which host it is for, a URL that is too long, a body in a transfer coding that
/// hyper leaves as it is, and one whose `Content-Length` is too large. A body that declares no length is limited while
/// it is read.
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
    // hyper decodes the last coding, chunked, and hands the others to the service as if they were the body
    let codings = request.headers().get_all(header::TRANSFER_ENCODING).iter();
    if codings.enumerate().any(|(index, coding)| index > 0 || !coding.as_bytes().eq_ignore_ascii_case(b"chunked")) {
        return Err(Problem::UnsupportedTransferCoding);
    }
    let declared: Option<u64> =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    match declared {
        Some(bytes) if bytes > app.max_body_bytes => Err(Problem::BodyTooLarge { max_bytes: app.max_body_bytes }),
        _ => Ok(()),
    }
}

/// Whether a request names one host (RFC 9112, 3.2). Only HTTP/1.0 may leave it out. Of two hosts a proxy and this
/// service could each take another one for the right one.
pub(super) fn has_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().is_ok_and(is_host),
        (None, _) => version < Version::HTTP_11,
        _ => false,
    }
}

/// Whether this is a name or an address, with or without a port (RFC 3986, 3.2.2). A request may leave the name empty.
fn is_host(text: &str) -> bool {
    let (is_host, port) = match text.strip_prefix('[') {
        None => {
            let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            (name.bytes().all(is_of_name), port)
        }
        Some(rest) => {
            let (address, port) = rest.split_once(']').unwrap_or((rest, "]"));
            (address.parse::<Ipv6Addr>().is_ok(), port)
        }
    };
    is_host && (port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit())))
}

/// Whether the name of a host can have this byte.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::fixtures::app;

    #[test]
    fn a_declared_length_and_a_url_may_be_the_longest_and_not_one_byte_longer() {
        let app = app(&["--max-body-bytes", "1000", "--max-url-bytes", "64"]);
        let checked = |path: &str, length: u32| {
            let request = Request::builder().uri(path).header("host", "a").header("content-length", length);
            check(&request.body(()).unwrap(), &app)
        };
        let path = |bytes: usize| format!("/{}", "a".repeat(bytes - 1));
        assert_eq!(checked("/", 1000), Ok(()));
        assert_eq!(checked("/", 1001), Err(Problem::BodyTooLarge { max_bytes: 1000 }));
        assert_eq!(checked(&path(64), 0), Ok(()));
        assert_eq!(checked(&path(65), 0), Err(Problem::UrlTooLong { bytes: 65, max_bytes: 64 }));
    }

    #[test]
    fn a_body_has_no_coding_but_chunked_and_that_once() {
        let app = app(&[]);
        for (lines, is_known) in [
            (&[][..], true),
            (&["chunked"], true),
            (&["Chunked"], true),
            (&["gzip"], false),
            (&["gzip, chunked"], false),
            (&["chunked", "chunked"], false),
            (&["chunked", "gzip"], false),
        ] {
            let request = Request::builder().uri("/").header("host", "a");
            let request = lines.iter().fold(request, |request, line| request.header("transfer-encoding", *line));
            let expected = if is_known { Ok(()) } else { Err(Problem::UnsupportedTransferCoding) };
            assert_eq!(check(&request.body(()).unwrap(), &app), expected, "{lines:?}");
        }
    }
}
