//! Which of the offered media types a client prefers (RFC 9110, 12.5.1).

use axum::http::{HeaderMap, header};
use mediatype::{MediaType, MediaTypeList, ReadParams, names};

/// The index of the offered media type that the `Accept` header prefers, and among equal ones the first. `None` if the
/// header excludes all of them. A header that is missing, empty or malformed excludes nothing.
pub(super) fn choose<'a>(headers: &HeaderMap, offered: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    let mut lists = headers.get_all(header::ACCEPT).iter().filter(|list| !list.is_empty()).peekable();
    if lists.peek().is_none() {
        return Some(0);
    }
    // a list that is not ASCII is malformed; `?` stands for it, which is malformed too
    let lists: Vec<_> = lists.map(|list| list.to_str().unwrap_or("?")).collect();
    let ranges = || lists.iter().flat_map(|list| MediaTypeList::new(list));
    let (mut best, mut unnamed) = (None, None);
    for (number, media_type) in offered.into_iter().enumerate() {
        let Ok(media_type) = MediaType::parse(media_type) else { continue };
        // the most specific range that matches decides, wherever it stands in the list
        let matching =
            ranges().flatten().filter_map(|range| Some((specificity(&range, &media_type)?, quality(&range))));
        let Some((_, quality)) = matching.reduce(|best, next| if next.0 > best.0 { next } else { best }) else {
            unnamed = unnamed.or(Some(number));
            continue;
        };
        if quality > 0.0 && best.is_none_or(|(_, highest)| quality > highest) {
            best = Some((number, quality));
        }
    }
    let is_unreadable = ranges().any(|range| range.is_err());
    best.map(|(number, _)| number).or(if is_unreadable { unnamed } else { None })
}

/// How specifically a range names a media type; `None` if it does not match.
fn specificity(range: &MediaType, media_type: &MediaType) -> Option<u8> {
    // mediatype compares names without regard to case
    match (range.ty.as_str(), range.subty.as_str()) {
        ("*", "*") => Some(1),
        (_, "*") if range.ty == media_type.ty => Some(2),
        _ if range.essence() == media_type.essence() => Some(3),
        _ => None,
    }
}

/// The quality value of a range, from 0 to 1.
fn quality(range: &MediaType) -> f32 {
    range.get_param(names::Q).and_then(|quality| quality.as_str().parse().ok()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn accept(accept: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())])
    }

    #[test]
    fn json_is_chosen_unless_the_header_excludes_it() {
        for (header, accepted) in [
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
            assert_eq!(choose(&accept(header), ["application/json"]).is_some(), accepted, "{header}");
        }
        assert_eq!(choose(&HeaderMap::new(), ["application/json"]), Some(0));
        let latin = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_bytes(b"caf\xe9").unwrap())]);
        assert_eq!(choose(&latin, ["application/json"]), Some(0));
    }

    #[test]
    fn of_several_types_the_one_that_the_client_prefers_is_chosen() {
        let offered = ["application/json", "image/png", "image/svg+xml"];
        for (header, chosen) in [
            ("image/png", Some(1)),
            ("image/*", Some(1)),
            ("image/*, application/json;q=0.5", Some(1)),
            ("image/*;q=0.5, application/json", Some(0)),
            ("image/png;q=0.1, image/*;q=0.5", Some(2)),
            ("*/*;q=0.2, image/svg+xml;q=0.3", Some(2)),
            ("*/*", Some(0)),
            ("text/html", None),
            ("image/*;q=0, */*;q=0.1", Some(0)),
            ("image/png;q=0, nonsense", Some(0)),
            ("application/json;q=0, nonsense", Some(1)),
            ("nonsense, image/svg+xml", Some(2)),
            ("image/png, image/png;q=0", Some(1)),
        ] {
            assert_eq!(choose(&accept(header), offered), chosen, "{header}");
        }
    }
}
