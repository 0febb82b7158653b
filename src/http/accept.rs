//! Which answers a client accepts.

use axum::http::{HeaderMap, header};
use mediatype::{MediaTypeList, ReadParams, names};

use crate::http::problem::Problem;

/// Refuses where the `Accept` header excludes JSON. A header that is missing, empty or cannot be read excludes
/// nothing.
///
/// # Errors
/// [`Problem::NotAcceptable`].
pub(super) fn json(headers: &HeaderMap) -> Result<(), Problem> {
    let mut lists = headers.get_all(header::ACCEPT).iter().filter(|list| !list.is_empty()).peekable();
    if lists.peek().is_none() {
        return Ok(());
    }
    // the most specific range that fits decides, whatever its place in the list
    let mut best = (0, false);
    let mut readable = true;
    for list in lists {
        // what is not ASCII is no media type
        for range in MediaTypeList::new(list.to_str().unwrap_or("?")) {
            let Ok(range) = range else {
                readable = false;
                continue;
            };
            let application = range.ty.as_str().eq_ignore_ascii_case("application");
            let rank = match (range.ty.as_str(), range.subty.as_str()) {
                ("*", "*") => 1,
                (_, "*") if application => 2,
                (_, subtype) if application && subtype.eq_ignore_ascii_case("json") => 3,
                _ => 0,
            };
            let refused = range.get_param(names::Q).is_some_and(|q| q.as_str().parse() == Ok(0.0));
            if rank > best.0 {
                best = (rank, !refused);
            }
        }
    }
    if best.1 || (best.0 == 0 && !readable) { Ok(()) } else { Err(Problem::NotAcceptable) }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn json_is_accepted_unless_the_header_excludes_it() {
        for (accept, accepted) in [
            ("*/*", true),
            ("application/json", true),
            ("application/*", true),
            ("Application/JSON; charset=utf-8", true),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true),
            ("image/png", false),
            ("image/png, text/*", false),
            ("application/json;q=0", false),
            ("*/*, application/json;q=0.0", false),
            ("application/json;q=0.001, */*;q=0", true),
            ("nonsense", true),
            ("APPLICATION/*", true),
            ("", true),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(json(&headers).is_ok(), accepted, "{accept}");
        }
        assert!(json(&HeaderMap::new()).is_ok());
        let latin = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_bytes(b"caf\xe9").unwrap())]);
        assert!(json(&latin).is_ok());
    }
}
