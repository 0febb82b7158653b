//! Cross-origin requests: whether pages of other origins may read responses in a browser (the CORS protocol of
//! <https://fetch.spec.whatwg.org>). It is off unless a setting names their origins.

use std::time::Duration;

use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, Any, Cors};

use crate::config::Origins;
use crate::http::caller::REQUEST_ID;
use crate::http::reply::CACHE_STATUS;

/// How long a browser may remember what it was allowed.
const MAX_AGE: Duration = Duration::from_hours(24);

/// The response headers that a page may read beside those that the protocol always allows.
const EXPOSED: [HeaderName; 5] =
    [header::ETAG, header::CONTENT_LOCATION, CACHE_STATUS, header::RETRY_AFTER, REQUEST_ID];

/// The origins as the library takes them; `None` if there are none.
pub(super) fn allowed(origins: &Origins) -> Option<AllowOrigin> {
    match origins {
        Origins::None => None,
        Origins::Any => Some(AllowOrigin::any()),
        Origins::Listed(origins) => {
            let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
            Some(AllowOrigin::list(origins))
        }
    }
}

/// Adds to the responses of a service what lets pages of these origins read them.
pub(super) fn around<S>(service: S, origins: AllowOrigin) -> Cors<S> {
    Cors::new(service)
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers(Any)
        .expose_headers(EXPOSED)
        .max_age(MAX_AGE)
}

/// Whether a browser sends this request ahead of another one, to learn whether it may send that.
pub(super) fn is_preflight(head: &Parts) -> bool {
    head.method == Method::OPTIONS
        && head.headers.contains_key(header::ORIGIN)
        && head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[test]
    fn only_an_options_request_with_both_headers_is_a_preflight() {
        let is_preflight = |method: Method, headers: &[header::HeaderName]| {
            let request = Request::builder().method(method);
            let request = headers.iter().fold(request, |request, name| request.header(name, "GET"));
            is_preflight(&request.body(()).unwrap().into_parts().0)
        };
        let both = [header::ORIGIN, header::ACCESS_CONTROL_REQUEST_METHOD];
        assert!(is_preflight(Method::OPTIONS, &both));
        assert!(!is_preflight(Method::GET, &both));
        assert!(!is_preflight(Method::OPTIONS, &both[..1]) && !is_preflight(Method::OPTIONS, &both[1..]));
    }
}
