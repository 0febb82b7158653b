//! Form-urlencoded text as decoded pairs: the query string of a request, or a recipe as one text. It is stricter than
//! the usual decoders: a percent sign that begins no escape, or bytes that are not UTF-8, are an error of their
//! parameter. The usual decoders would read another value than the client meant.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::level::parameters::body_fields::body_only;
use crate::level::parameters::reader::Parameters;
use crate::level::parameters::value::Value;

/// More pairs than any request needs. The limit bounds the size of the response: each pair may be wrong, and its error
/// takes more bytes than the pair.
pub const MAX_PAIRS: usize = 64;

/// The names and values of a text, decoded as those of a form, in its order; at most [`MAX_PAIRS`].
pub fn parameters(text: &str) -> Parameters<'_> {
    let mut text = text.split('&').filter(|pair| !pair.is_empty());
    let mut pairs = Vec::with_capacity(8);
    for pair in text.by_ref().take(MAX_PAIRS) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        pairs.push(match decode(name) {
            Ok(name) => match body_only(&name) {
                Some(message) => (name, Err(message)),
                None => (name, decode(value).map(Value::Bare)),
            },
            // a name that cannot be decoded stands in the error as the client sent it
            Err(message) => (Cow::Borrowed(name), Err(message)),
        });
    }
    let mut params = Parameters::new(pairs);
    if let Some(pair) = text.next() {
        let name = pair.split('=').next().unwrap_or(pair);
        params.add_error(name, format!("is one too many: at most {MAX_PAIRS} parameters are read"));
    }
    params
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
    use crate::level::parameters::ParameterType;

    #[test]
    fn values_are_decoded_as_forms_are() {
        let mut params = parameters("a=1&b=x+y&c=%ED%95%9C&d&e=&&f=a%2Bb&g=1=2");
        for (name, value) in [("a", "1"), ("b", "x y"), ("c", "한"), ("d", ""), ("e", ""), ("f", "a+b"), ("g", "1=2")]
        {
            assert_eq!(
                params.value(name, ParameterType::Name, |text| Ok(text.to_owned())).as_deref(),
                Some(value),
                "{name}"
            );
        }
    }

    #[test]
    fn broken_escapes_and_bytes_are_errors_of_their_parameter() {
        for (query, name) in
            [("a=%", "a"), ("a=%4", "a"), ("a=%zz", "a"), ("a=%ff", "a"), ("a=%ED%95", "a"), ("%zz=1", "%zz")]
        {
            let mut params = parameters(query);
            assert!(params.has(name), "{query}");
            assert_eq!(params.value(name, ParameterType::Name, |_| Ok(())), None, "{query}");
            let errors = params.finish(Some(()), Vec::new).unwrap_err();
            assert_eq!(errors.len(), 1, "{query}");
            assert_eq!(errors[0].parameter, name);
        }
    }

    #[test]
    fn of_too_many_parameters_the_first_ones_get_their_errors() {
        let errors = |text: &str| parameters(text).finish(Some(()), || vec!["b"]).unwrap_err().len();
        assert_eq!(errors(&"a=1&".repeat(1_000)), 3, "unknown, repeated, too many");
        let names: Vec<_> = (0..1_000).map(|i| i.to_string()).collect();
        assert_eq!(errors(&names.join("&")), MAX_PAIRS + 1);
    }
}
