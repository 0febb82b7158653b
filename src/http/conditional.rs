//! What a cache may do with an answer: entity tags, `If-None-Match`, and the headers that go with them.
//!
//! A level never changes, so the tag is a function of the request and the revisions of whatever makes the answer. It is
//! known before any work, and a client that has the answer is told so without making it again.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use bytes::Bytes;

use crate::level::rng::hash_text;
use crate::service::Origin;

/// The media type of answers.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The header of RFC 9211.
pub(super) const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// For answers that are the same for ever.
pub(super) const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// For answers that must not be kept.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// For answers that change with the release.
pub(super) const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// The strong entity tag of the answer that `address` names.
pub(super) fn entity_tag(address: &str, revisions: [u32; 3]) -> Bytes {
    let [algorithm, solver, format] = revisions;
    format!("\"{:016x}-{algorithm}.{solver}.{format}\"", hash_text(address)).into()
}

/// What the client has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Not this answer.
    Other,
    /// This very answer.
    This,
    /// Any, whatever it is: to be told 304 where there is an answer at all.
    Any,
}

/// Compares `If-None-Match` weakly with `tag`, as RFC 9110 demands. What cannot be read counts as not sent.
pub(super) fn held(headers: &HeaderMap, tag: &[u8]) -> Held {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().map(HeaderValue::as_bytes);
    let found = lists.map(|list| {
        if list.trim_ascii() == b"*" {
            Held::Any
        } else if tags(list).any(|held| held == tag) {
            Held::This
        } else {
            Held::Other
        }
    });
    found.into_iter().find(|held| *held != Held::Other).unwrap_or(Held::Other)
}

/// The entity tags of a list, quotes included, the mark of weak ones left out; ends where the list cannot be read.
/// (The parser of the `headers` crate, 0.4.2, panics in debug builds at a tag with a space.)
fn tags(mut list: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        while let [b' ' | b'\t' | b',', rest @ ..] = list {
            list = rest;
        }
        let tag = list.strip_prefix(b"W/").unwrap_or(list);
        let length = tag.strip_prefix(b"\"")?.iter().position(|byte| *byte == b'"')? + 2;
        list = &tag[length..];
        Some(&tag[..length])
    })
}

/// `Cache-Status` (RFC 9211).
pub(super) const fn cache_status(origin: Origin) -> HeaderValue {
    HeaderValue::from_static(match origin {
        Origin::Hit => "mazed; hit",
        Origin::Miss => "mazed; fwd=miss",
        Origin::Collapsed => "mazed; fwd=miss; collapsed",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match_is_read_as_a_list_and_compared_weakly() {
        let tag = entity_tag("/maze?algo=dfs&size=41&seed=7", [1, 1, 1]);
        let tag = std::str::from_utf8(&tag).unwrap().to_owned();
        for (sent, expected) in [
            (vec![tag.clone()], Held::This),
            (vec![format!("W/{tag}")], Held::This),
            (vec![format!("\"a\", {tag}")], Held::This),
            (vec!["\"a\"".into(), tag.clone()], Held::This),
            (vec!["\"a,b\", W/\"c\"".into()], Held::Other),
            (vec!["*".into()], Held::Any),
            (vec![tag.trim_matches('"').into()], Held::Other),
            (vec![String::new()], Held::Other),
            (vec!["\"".into()], Held::Other),
            (vec![format!("\"a b\",\"\",W/{tag}")], Held::This),
            (vec![format!("\"a\" nonsense, {tag}")], Held::Other),
            (vec![], Held::Other),
        ] {
            let mut headers = HeaderMap::new();
            for value in &sent {
                headers.append(header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            }
            assert_eq!(held(&headers, tag.as_bytes()), expected, "{sent:?}");
        }
    }

    #[test]
    fn a_tag_changes_with_the_request_and_with_each_revision() {
        let tags = [
            entity_tag("/a", [1, 1, 1]),
            entity_tag("/b", [1, 1, 1]),
            entity_tag("/a", [2, 1, 1]),
            entity_tag("/a", [1, 2, 1]),
            entity_tag("/a", [1, 1, 2]),
        ];
        for (i, tag) in tags.iter().enumerate() {
            assert!(!tags[i + 1..].contains(tag));
        }
    }
}
