//! Conditional requests: entity tags and `If-None-Match`.
//!
//! A level never changes, so its entity tag is a function of the request and of the revisions of the code that makes
//! the response. The tag is known before any work: a client that has the response gets 304, and no level is made.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::level::rng::hash_text;

/// The strong entity tag of the response that a canonical URL names. The revisions are those of algorithm, query and
/// format.
pub(super) fn entity_tag(url: &str, [algorithm, query, format]: [u32; 3]) -> Option<HeaderValue> {
    let tag = format!("\"{:016x}-{algorithm}.{query}.{format}\"", hash_text(url));
    HeaderValue::from_maybe_shared(bytes::Bytes::from(tag)).ok()
}

/// What the client has already, as `If-None-Match` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precondition {
    /// Not this response.
    None,
    /// Exactly this response.
    ThisVersion,
    /// Any version (`*`): the client wants 304 if the response exists at all.
    AnyVersion,
}

impl Precondition {
    /// Compares `If-None-Match` weakly with a tag, as RFC 9110 demands. A tag that cannot be parsed counts as not sent.
    pub(super) fn read(headers: &HeaderMap, tag: Option<&HeaderValue>) -> Self {
        let Some(tag) = tag.map(HeaderValue::as_bytes) else { return Self::None };
        let lists = headers.get_all(header::IF_NONE_MATCH).iter().map(HeaderValue::as_bytes);
        let results = lists.map(|list| {
            if list.trim_ascii() == b"*" {
                Self::AnyVersion
            } else if tags(list).any(|listed| listed == tag) {
                Self::ThisVersion
            } else {
                Self::None
            }
        });
        results.into_iter().find(|listed| *listed != Self::None).unwrap_or(Self::None)
    }
}

/// The entity tags of a list, with their quotes, and without the `W/` of weak ones. It ends at the first tag that
/// cannot be parsed. (The parser of the `headers` crate, 0.4.2, panics in debug builds at a tag with a space.)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match_is_read_as_a_list_and_compared_weakly() {
        let value = entity_tag("/maze?algo=dfs&size=41&seed=7", [1, 1, 1]).unwrap();
        let tag = value.to_str().unwrap().to_owned();
        for (sent, expected) in [
            (vec![tag.clone()], Precondition::ThisVersion),
            (vec![format!("W/{tag}")], Precondition::ThisVersion),
            (vec![format!("\"a\", {tag}")], Precondition::ThisVersion),
            (vec!["\"a\"".into(), tag.clone()], Precondition::ThisVersion),
            (vec!["\"a,b\", W/\"c\"".into()], Precondition::None),
            (vec!["*".into()], Precondition::AnyVersion),
            (vec![tag.trim_matches('"').into()], Precondition::None),
            (vec![String::new()], Precondition::None),
            (vec!["\"".into()], Precondition::None),
            (vec![format!("\"a b\",\"\",W/{tag}")], Precondition::ThisVersion),
            (vec![format!("\"a\" nonsense, {tag}")], Precondition::None),
            (vec![], Precondition::None),
        ] {
            let mut headers = HeaderMap::new();
            for value in &sent {
                headers.append(header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            }
            assert_eq!(Precondition::read(&headers, Some(&value)), expected, "{sent:?}");
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
