//! The query of a request as decoded pairs. Strict where the usual decoders are lenient: a percent sign that begins no
//! escape, or bytes that are no UTF-8, are faults of their parameter, never another value than the one that was meant.

use std::borrow::Cow;

use axum::http::Uri;
use percent_encoding::percent_decode_str;

use super::problem::Problem;
use crate::level::parameters::Parameters;

/// The pairs of `uri`'s query, form-urlencoded, in the order in which they stand.
///
/// # Errors
/// [`Problem::UrlTooLong`] above `max_bytes`.
pub(super) fn parameters(uri: &Uri, max_bytes: usize) -> Result<Parameters<'_>, Problem> {
    let query = uri.query().unwrap_or_default();
    let bytes = uri.path().len() + 1 + query.len();
    if bytes > max_bytes {
        return Err(Problem::UrlTooLong { bytes, max_bytes });
    }
    let mut pairs = Vec::with_capacity(8);
    let mut broken = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match (decode(name), decode(value)) {
            (Ok(name), Ok(value)) => pairs.push((name, value)),
            (name, value) => {
                let message = name.as_ref().err().or(value.as_ref().err()).copied().unwrap_or_default();
                broken.push((name.unwrap_or(Cow::Borrowed(name_as_sent(pair))), message));
            }
        }
    }
    // a broken value stays a parameter that was given, so that nobody misses it or fills in its default
    let mut given = Parameters::new(pairs);
    for (name, message) in broken {
        given.broken(name, message);
    }
    Ok(given)
}

fn name_as_sent(pair: &str) -> &str {
    pair.split('=').next().unwrap_or(pair)
}

fn decode(text: &str) -> Result<Cow<'_, str>, &'static str> {
    if !text.bytes().any(|byte| byte == b'%' || byte == b'+') {
        return Ok(Cow::Borrowed(text));
    }
    let escapes_are_whole = text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    if !escapes_are_whole {
        return Err("has a percent sign without two hexadecimal digits behind it; write %25 for the sign itself");
    }
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().map(Cow::into_owned);
    decoded.map(Cow::Owned).map_err(|_| "is not UTF-8 once its percent escapes are decoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &'static str) -> Parameters<'static> {
        let uri = Box::leak(Box::new(Uri::try_from(format!("/maze?{query}")).unwrap()));
        parameters(uri, 4096).unwrap()
    }

    #[test]
    fn values_are_decoded_as_forms_are() {
        let mut given = read("a=1&b=x+y&c=%ED%95%9C&d&e=&&f=a%2Bb&g=1=2");
        for (name, value) in [("a", "1"), ("b", "x y"), ("c", "한"), ("d", ""), ("e", ""), ("f", "a+b"), ("g", "1=2")]
        {
            assert_eq!(given.text(name).as_deref(), Some(value), "{name}");
        }
    }

    #[test]
    fn broken_escapes_and_bytes_are_faults_of_their_parameter() {
        for (query, name) in
            [("a=%", "a"), ("a=%4", "a"), ("a=%zz", "a"), ("a=%ff", "a"), ("a=%ED%95", "a"), ("%zz=1", "%zz")]
        {
            let mut given = read(query);
            assert!(given.has(name), "{query}");
            assert_eq!(given.text(name), None, "{query}");
            let faults = given.finish(Some(()), &[]).unwrap_err();
            assert_eq!(faults.len(), 1, "{query}");
            assert_eq!(faults[0].parameter, name);
        }
    }

    #[test]
    fn a_url_past_the_limit_is_refused() {
        let uri = Uri::try_from(format!("/maze?seed={}", "x".repeat(4096))).unwrap();
        assert!(matches!(parameters(&uri, 4096), Err(Problem::UrlTooLong { .. })));
    }
}
