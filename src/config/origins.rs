//! The setting that names origins of web pages.

/// The origins whose pages may read responses in a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    /// Only those of the service itself.
    None,
    /// All of them.
    Any,
    /// These, each as a browser writes it in its `Origin` header.
    Listed(Vec<String>),
}

/// Reads `none`, `*`, or a list of origins with commas between them.
pub(super) fn origins(text: &str) -> Result<Origins, String> {
    match text.trim() {
        "none" => Ok(Origins::None),
        "*" => Ok(Origins::Any),
        list => list.split(',').map(|origin| listed(origin.trim())).collect::<Result<_, _>>().map(Origins::Listed),
    }
}

/// An origin as browsers write it: in lower case. One that no browser would send could never match.
fn listed(origin: &str) -> Result<String, String> {
    let lower = origin.to_ascii_lowercase();
    let (scheme, host) = lower.split_once("://").unwrap_or_default();
    let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let is_default_port =
        matches!((scheme, host.rsplit_once(':')), ("http", Some((_, "80"))) | ("https", Some((_, "443"))));
    if scheme.is_empty() || host.is_empty() || !host.bytes().all(is_of_host) || is_default_port {
        return Err(format!(
            "{origin:?} is no origin; give * for any, or a list such as https://play.example,http://localhost:3000, \
             without paths and default ports"
        ));
    }
    Ok(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_a_host_with_its_port() {
        assert_eq!((origins("none"), origins("*")), (Ok(Origins::None), Ok(Origins::Any)));
        for (text, expected) in [
            ("https://play.example", vec!["https://play.example"]),
            ("https://Play.Example, http://localhost:3000", vec!["https://play.example", "http://localhost:3000"]),
            ("http://[::1]:8080", vec!["http://[::1]:8080"]),
            ("capacitor://localhost", vec!["capacitor://localhost"]),
        ] {
            assert_eq!(origins(text), Ok(Origins::Listed(expected.into_iter().map(str::to_owned).collect())), "{text}");
        }
        for text in [
            "",
            "play.example",
            "https://",
            "https://play.example/",
            "https://play.example/game",
            "https://a@play.example",
            "https://play.example:443",
            "http://play.example:80",
            "https://*.example",
            "https://play.example,",
            "https://play.example,*",
            "null",
        ] {
            let message = origins(text).unwrap_err();
            assert!(message.contains("such as https://play.example"), "{text}: {message}");
        }
    }
}
