//! The path of a URL in its normal form, so that all spellings of a path find its route.

use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// Decodes the escapes of characters that need none: letters, digits and `-._~` (RFC 3986, 6.2.2.2). Any other escape
/// stays, for its character may mean something else than its escape.
pub(super) fn normalize(uri: &mut Uri) {
    if uri.path().contains('%') {
        let path = with_unreserved_decoded(uri.path());
        let path = uri.query().map_or(path.clone(), |query| format!("{path}?{query}"));
        if let Ok(target) = path.parse::<PathAndQuery>() {
            let mut parts = std::mem::take(uri).into_parts();
            parts.path_and_query = Some(target);
            *uri = Uri::from_parts(parts).unwrap_or_default();
        }
    }
}

fn with_unreserved_decoded(path: &str) -> String {
    let mut pieces = path.split('%');
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).map(char::from);
        match code {
            Some(letter) if letter.is_ascii_alphanumeric() || "-._~".contains(letter) => {
                decoded.push(letter);
                decoded.push_str(&piece[2..]);
            }
            _ => {
                decoded.push('%');
                decoded.push_str(piece);
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_escapes_of_characters_that_need_none_are_decoded() {
        for (sent, normal) in [
            ("/maze?seed=%61", "/maze?seed=%61"),
            ("/%6daze", "/maze"),
            ("/%6Daze?seed=%61", "/maze?seed=%61"),
            ("/%6d%61%7a%65", "/maze"),
            ("/openapi%2Eyaml", "/openapi.yaml"),
            ("/a%2Fb%3Fc%25d%20e", "/a%2Fb%3Fc%25d%20e"),
            ("/%2F%6d", "/%2Fm"),
            ("/%C3%A9", "/%C3%A9"),
            ("/%2561", "/%2561"),
            ("/%", "/%"),
            ("/%6", "/%6"),
            ("/%zz", "/%zz"),
            ("/%+1", "/%+1"),
            ("/%7E%7e%5F%2d", "/~~_-"),
            ("http://mazed/%6daze?seed=7", "http://mazed/maze?seed=7"),
        ] {
            let mut uri: Uri = sent.parse().unwrap();
            normalize(&mut uri);
            assert_eq!(uri.to_string(), normal, "{sent}");
        }
    }
}
