//! Conditional requests: entity tags, `If-Match` and `If-None-Match`, in the order of RFC 9110, 13.2.2.
//!
//! A level never changes, so its entity tag is a function of the request and of the revisions of the code that makes
//! the response. The tag is known before any work: a client that has the response gets 304, and no level is made.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::level::rng::hash_text;
use crate::render::Coding;

/// The strong entity tag of the response that a canonical URL names, in one coding. The revisions are those of
/// algorithm, query and format.
pub(super) fn entity_tag(url: &str, [algorithm, query, format]: [u32; 3], coding: Coding) -> Option<HeaderValue> {
    let coding = coding.spec().map(|spec| format!("-{}.{}", spec.name, spec.revision)).unwrap_or_default();
    let tag = format!("\"{:016x}-{algorithm}.{query}.{format}{coding}\"", hash_text(url));
    HeaderValue::from_maybe_shared(bytes::Bytes::from(tag)).ok()
}

/// What `If-Match` and `If-None-Match` say about a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precondition {
    /// The client wants only another response: `If-Match` does not name this one.
    Failed,
    /// The client wants the response.
    None,
    /// The client has exactly this response.
    ThisVersion,
    /// The client has some version (`*`): it wants 304 if the response exists at all.
    AnyVersion,
}

impl Precondition {
    /// Compares `If-Match` strongly, and then `If-None-Match` weakly, with the tag of the response, as RFC 9110 wants.
    /// A tag that cannot be parsed matches no response. There are no dates to compare: no response has `Last-Modified`.
    pub(super) fn read(headers: &HeaderMap, tag: Option<&HeaderValue>) -> Self {
        let tag = tag.map(HeaderValue::as_bytes);
        let has_tag = |listed: &EntityTag| tag == Some(listed.tag);
        let mut wanted = headers.get_all(header::IF_MATCH).iter().map(HeaderValue::as_bytes).peekable();
        if wanted.peek().is_some()
            && !wanted.any(|list| is_any(list) || tags(list).any(|listed| !listed.is_weak && has_tag(&listed)))
        {
            return Self::Failed;
        }
        if tag.is_none() {
            return Self::None;
        }
        for list in headers.get_all(header::IF_NONE_MATCH).iter().map(HeaderValue::as_bytes) {
            if is_any(list) {
                return Self::AnyVersion;
            }
            if tags(list).any(|listed| has_tag(&listed)) {
                return Self::ThisVersion;
            }
        }
        Self::None
    }
}

/// Whether a list stands for any response.
fn is_any(list: &[u8]) -> bool {
    list.trim_ascii() == b"*"
}

/// An entity tag of a list.
struct EntityTag<'a> {
    /// With its quotes.
    tag: &'a [u8],
    /// Whether `W/` stands before it.
    is_weak: bool,
}

/// The entity tags of a list. It ends at the first one that cannot be parsed. (The parser of the `headers` crate,
/// 0.4.2, panics in debug builds at a tag with a space.)
fn tags(mut list: &[u8]) -> impl Iterator<Item = EntityTag<'_>> {
    std::iter::from_fn(move || {
        while let [b' ' | b'\t' | b',', rest @ ..] = list {
            list = rest;
        }
        let weak = list.strip_prefix(b"W/");
        let tag = weak.unwrap_or(list);
        let length = tag.strip_prefix(b"\"")?.iter().position(|byte| *byte == b'"')? + 2;
        list = &tag[length..];
        Some(EntityTag { tag: &tag[..length], is_weak: weak.is_some() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match_is_read_as_a_list_and_compared_weakly() {
        let value = entity_tag("/maze?algo=dfs&size=41&seed=7", [1, 1, 1], Coding::Identity).unwrap();
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
    fn if_match_is_compared_strongly_and_comes_first() {
        let value = entity_tag("/maze?algo=dfs&size=41&seed=7", [1, 1, 1], Coding::Identity).unwrap();
        let tag = value.to_str().unwrap().to_owned();
        let weak = format!("W/{tag}");
        for (if_match, if_none_match, with_tag, without_tag) in [
            (&*tag, None, Precondition::None, Precondition::Failed),
            (&*weak, None, Precondition::Failed, Precondition::Failed),
            ("\"a\"", None, Precondition::Failed, Precondition::Failed),
            ("", None, Precondition::Failed, Precondition::Failed),
            ("nonsense", None, Precondition::Failed, Precondition::Failed),
            (" * ", None, Precondition::None, Precondition::None),
            ("\"a\"", Some(&*tag), Precondition::Failed, Precondition::Failed),
            ("\"a\"", Some("*"), Precondition::Failed, Precondition::Failed),
            (&*tag, Some(&*tag), Precondition::ThisVersion, Precondition::Failed),
            (&*tag, Some(&*weak), Precondition::ThisVersion, Precondition::Failed),
            ("*", Some("*"), Precondition::AnyVersion, Precondition::None),
            (&*tag, Some("\"a\""), Precondition::None, Precondition::Failed),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_MATCH, if_match.parse().unwrap());
            if let Some(list) = if_none_match {
                headers.insert(header::IF_NONE_MATCH, list.parse().unwrap());
            }
            let read = [Some(&value), None].map(|tag| Precondition::read(&headers, tag));
            assert_eq!(read, [with_tag, without_tag], "{if_match} {if_none_match:?}");
        }
        let lines = ["\"a\"", &*tag].map(|tag| (header::IF_MATCH, tag.parse().unwrap()));
        let headers = lines.into_iter().fold(HeaderMap::new(), |mut headers, (name, tag)| {
            headers.append(name, tag);
            headers
        });
        assert_eq!(Precondition::read(&headers, Some(&value)), Precondition::None, "two lines");
    }

    #[test]
    fn a_tag_changes_with_the_request_with_each_revision_and_with_the_coding() {
        let tags = [
            entity_tag("/a", [1, 1, 1], Coding::Identity),
            entity_tag("/b", [1, 1, 1], Coding::Identity),
            entity_tag("/a", [2, 1, 1], Coding::Identity),
            entity_tag("/a", [1, 2, 1], Coding::Identity),
            entity_tag("/a", [1, 1, 2], Coding::Identity),
            entity_tag("/a", [1, 1, 1], Coding::Gzip),
            entity_tag("/a", [1, 1, 1], Coding::Zstd),
        ];
        for (i, tag) in tags.iter().enumerate() {
            assert!(!tags[i + 1..].contains(tag));
        }
    }
}
