//! Who sent a request: the address of the client, and the names by which other logs know the request.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::config::TrustedProxies;
use crate::http::random;

/// The header with the id of a request.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The header that <https://www.w3.org/TR/trace-context/> defines.
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// The longest id that is taken from a client.
const MAX_ID_BYTES: usize = 128;

/// The sender of a request.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// The id that the client gave the request, or a new one.
    pub(super) id: HeaderValue,
    /// A valid `traceparent`.
    trace_parent: Option<HeaderValue>,
    pub(super) address: IpAddr,
}

impl Caller {
    /// Reads the headers of a request on a connection from `peer`.
    pub(super) fn read(headers: &HeaderMap, peer: IpAddr, trusted: &TrustedProxies) -> Self {
        let given = headers.get(REQUEST_ID).filter(|id| is_id(id.as_bytes()));
        Self {
            id: given.cloned().unwrap_or_else(new_id),
            trace_parent: headers.get(TRACE_PARENT).filter(|value| is_trace_parent(value.as_bytes())).cloned(),
            address: client(headers, peer, trusted),
        }
    }

    /// The id, as text.
    pub(super) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    /// The id of the trace that the request belongs to.
    pub(super) fn trace_id(&self) -> Option<&str> {
        self.trace_parent.as_ref()?.to_str().ok()?.get(3..35)
    }
}

/// Whether an id can stand in a log line: visible ASCII characters, and not too many.
fn is_id(id: &[u8]) -> bool {
    (1..=MAX_ID_BYTES).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

fn new_id() -> HeaderValue {
    // the characters of a number are valid in a header
    format!("{:016x}", random::number()).try_into().unwrap_or_else(|_| HeaderValue::from_static("none"))
}

/// Whether this is `version-trace-parent-flags` in lower-case hexadecimal digits. A later version may add fields.
fn is_trace_parent(value: &[u8]) -> bool {
    let is_hex = |field: &[u8]| field.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_some = |field: &[u8]| is_hex(field) && field.iter().any(|byte| *byte != b'0');
    let Some((known, more)) = value.split_at_checked(55) else { return false };
    let (version, trace, parent, flags) = (&known[..2], &known[3..35], &known[36..52], &known[53..]);
    let ends_here = if version == b"00" { more.is_empty() } else { matches!(more, [] | [b'-', ..]) };
    let is_separated = [2, 35, 52].iter().all(|place| known[*place] == b'-');
    ends_here
        && is_separated
        && is_hex(version)
        && version != b"ff"
        && is_some(trace)
        && is_some(parent)
        && is_hex(flags)
}

/// The address of the client. Each proxy adds the address that a request came from at the end of `X-Forwarded-For`;
/// what stands before the entries of trusted proxies may be invented.
fn client(headers: &HeaderMap, peer: IpAddr, trusted: &TrustedProxies) -> IpAddr {
    let lists = headers.get_all(FORWARDED_FOR).iter().rev();
    let mut entries = lists.flat_map(|list| list.to_str().unwrap_or_default().rsplit(','));
    let mut client = peer;
    while trusted.contains(client) {
        let Some(address) = entries.next().and_then(|entry| address(entry.trim())) else { break };
        client = address;
    }
    client
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(headers: &[(&HeaderName, &str)], peer: &str, trusted: &str) -> Caller {
        let headers = headers.iter().map(|(name, value)| ((*name).clone(), HeaderValue::from_str(value).unwrap()));
        Caller::read(&headers.collect(), peer.parse().unwrap(), &trusted.parse().unwrap())
    }

    #[test]
    fn an_id_is_taken_if_it_is_short_and_visible() {
        let longest = "x".repeat(128);
        for id in ["a", "0b7f-44", "~!", &longest] {
            assert_eq!(read(&[(&REQUEST_ID, id)], "::1", "none").id(), id);
        }
        for id in ["", "two words", "tab\there", &format!("{longest}x")] {
            let made = read(&[(&REQUEST_ID, id)], "::1", "none");
            assert!(
                made.id().len() == 16 && made.id().bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{id:?}: {made:?}"
            );
        }
        assert_ne!(read(&[], "::1", "none").id(), read(&[], "::1", "none").id());
    }

    #[test]
    fn the_trace_is_that_of_a_valid_parent() {
        let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
        for text in [format!("00-{trace}-{parent}-01"), format!("cc-{trace}-{parent}-00-more")] {
            assert_eq!(read(&[(&TRACE_PARENT, &text)], "::1", "none").trace_id(), Some(trace), "{text}");
        }
        for text in [
            String::new(),
            format!("00-{trace}-{parent}"),
            format!("00-{trace}-{parent}-01-more"),
            format!("cc-{trace}-{parent}-01more"),
            format!("ff-{trace}-{parent}-01"),
            format!("00_{trace}-{parent}-01"),
            format!("00-{}-{parent}-01", trace.to_uppercase()),
            format!("00-{}-{parent}-01", "0".repeat(32)),
            format!("00-{trace}-{}-01", "0".repeat(16)),
            format!("00-{trace}-{parent}-0x"),
        ] {
            assert_eq!(read(&[(&TRACE_PARENT, &text)], "::1", "none").trace_id(), None, "{text}");
        }
    }

    #[test]
    fn only_trusted_proxies_say_which_client_they_forward() {
        let (name, proxies) = (FORWARDED_FOR, "10.0.0.0/8, 192.0.2.1, fd00::/8");
        for (peer, lists, client) in [
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("10.1.2.3", &[], "10.1.2.3"),
            ("10.1.2.3", &["198.51.100.1"], "198.51.100.1"),
            ("::ffff:10.1.2.3", &["198.51.100.1"], "198.51.100.1"),
            ("fd00::7", &["198.51.100.1:4711"], "198.51.100.1"),
            ("fd00::7", &["[2001:db8::1]:4711"], "2001:db8::1"),
            // the client invented the first entry
            ("10.1.2.3", &["127.0.0.1, 198.51.100.1,192.0.2.1"], "198.51.100.1"),
            ("10.1.2.3", &["127.0.0.1", "198.51.100.1", "192.0.2.1"], "198.51.100.1"),
            ("10.1.2.3", &["192.0.2.1"], "192.0.2.1"),
            ("10.1.2.3", &["198.51.100.1, unknown"], "10.1.2.3"),
        ] {
            let lists: Vec<_> = lists.iter().map(|list| (&name, *list)).collect();
            let peer = peer.parse::<IpAddr>().unwrap().to_canonical().to_string();
            assert_eq!(read(&lists, &peer, proxies).address.to_string(), client, "{peer} {lists:?}");
        }
        let forged = [(&name, "198.51.100.1")];
        assert_eq!(read(&forged, "10.1.2.3", "none").address.to_string(), "10.1.2.3");
    }
}
