//! Which of the offered media types and codings a client prefers (RFC 9110, 12.5).

use axum::http::{HeaderMap, header};
use mediatype::{MediaType, MediaTypeList, ReadParams, names};

use crate::render::Coding;
use crate::render::coding::CODINGS;

/// What a client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepted {
    /// The index of the media type that it prefers among those that were offered. `None` if it excludes all of them.
    pub(super) format: Option<usize>,
    /// The coding that it prefers.
    pub(super) coding: Coding,
}

impl Accepted {
    /// Reads `Accept` and `Accept-Encoding`.
    pub(super) fn read<'a>(headers: &HeaderMap, offered: impl IntoIterator<Item = &'a str>) -> Self {
        Self { format: choose(headers, offered), coding: coding(headers) }
    }
}

/// The coding that the `Accept-Encoding` header prefers; among those that it likes equally well a compressed one. A
/// header that excludes every coding there is gets the identity, as the RFC allows.
pub(super) fn coding(headers: &HeaderMap) -> Coding {
    // a line that is not ASCII names nothing
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let listed: Vec<_> = lines.flat_map(|line| line.split(',')).filter_map(weighted).collect();
    let weight = |names: &[&str]| {
        let is_named = |(name, _): &&(&str, f32)| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        listed.iter().find(is_named).map(|(_, weight)| *weight)
    };
    let others = weight(&["*"]);
    // a client that names none of them accepts the identity, but a list that it wrote comes first
    let mut best = (Coding::Identity, weight(&["identity"]).or(others).unwrap_or(f32::MIN_POSITIVE));
    for spec in CODINGS.iter().rev() {
        let weight = match spec.coding {
            Coding::Gzip => weight(&["gzip", "x-gzip"]).or(others),
            // many that accept any coding by a `*` are older than this one
            Coding::Zstd | Coding::Identity => weight(&[spec.name]),
        };
        if let Some(weight) = weight.filter(|weight| *weight > 0.0 && *weight >= best.1) {
            best = (spec.coding, weight);
        }
    }
    best.0
}

/// An entry of `Accept-Encoding`: a name, and a weight from 0 to 1. `None` if the weight is malformed.
fn weighted(entry: &str) -> Option<(&str, f32)> {
    let (name, parameter) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let (key, weight) = parameter.split_once('=')?;
    let weight = weight.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight))?;
    key.trim().eq_ignore_ascii_case("q").then_some((name.trim(), weight))
}

/// The index of the offered media type that the `Accept` header prefers, and among equal ones the first. `None` if the
/// header excludes all of them. A header that is missing, empty or malformed excludes nothing.
fn choose<'a>(headers: &HeaderMap, offered: impl IntoIterator<Item = &'a str>) -> Option<usize> {
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

    #[test]
    fn the_coding_with_the_greatest_weight_is_chosen() {
        for (header, chosen) in [
            ("", Coding::Identity),
            ("gzip", Coding::Gzip),
            ("x-gzip", Coding::Gzip),
            ("GZip ; Q=0.5", Coding::Gzip),
            ("zstd", Coding::Zstd),
            ("gzip, deflate, br", Coding::Gzip),
            ("gzip, deflate, br, zstd", Coding::Zstd),
            ("gzip;q=1.0, zstd;q=0.9", Coding::Gzip),
            ("gzip;q=0.4, identity;q=0.5", Coding::Identity),
            ("identity;q=0.5, gzip;q=0.5", Coding::Gzip),
            ("identity", Coding::Identity),
            ("identity, gzip", Coding::Gzip),
            ("gzip;q=0", Coding::Identity),
            ("gzip;q=0, *", Coding::Identity),
            ("zstd;q=0, gzip;q=0.001", Coding::Gzip),
            ("*", Coding::Gzip),
            ("*;q=0", Coding::Identity),
            ("*;q=0, zstd;q=0.2", Coding::Zstd),
            ("identity;q=0", Coding::Identity),
            ("identity;q=0, *", Coding::Gzip),
            ("br", Coding::Identity),
            ("br, deflate, compress", Coding::Identity),
            ("gzip;q=nan", Coding::Identity),
            ("gzip;q=2", Coding::Identity),
            ("gzip;level=9", Coding::Identity),
            (";;,=,gzip", Coding::Gzip),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, header.parse().unwrap())]);
            assert_eq!(coding(&headers), chosen, "{header}");
        }
        assert_eq!(coding(&HeaderMap::new()), Coding::Identity);
        let lines = ["gzip;q=0.2", "zstd;q=0.1"].map(|line| (header::ACCEPT_ENCODING, line.parse().unwrap()));
        let headers = lines.into_iter().fold(HeaderMap::new(), |mut headers, (name, line)| {
            headers.append(name, line);
            headers
        });
        assert_eq!(coding(&headers), Coding::Gzip, "two lines");
        let latin = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_bytes(b"gzip, \xe9").unwrap())]);
        assert_eq!(coding(&latin), Coding::Identity);
    }
}
