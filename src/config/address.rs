//! Where the service listens.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::str::FromStr;

/// An IP address or a host name, and a port. Without the address (`:8080`) it stands for all interfaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    host: Host,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Host {
    All,
    Ip(IpAddr),
    Name(String),
}

impl Address {
    /// Whether the system chooses the port.
    pub fn takes_a_free_port(&self) -> bool {
        self.port == 0
    }

    /// The socket addresses that the name stands for, in the order in which to try them. IPv4 comes first, because
    /// most clients use it; all interfaces are those of both versions where the system has both.
    ///
    /// # Errors
    /// If the system cannot resolve the name. The call waits for its answer.
    pub fn resolve(&self) -> io::Result<Vec<SocketAddr>> {
        let port = self.port;
        Ok(match &self.host {
            // a listener on all IPv6 addresses gets the clients of IPv4 too
            Host::All => {
                vec![SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)), SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))]
            }
            Host::Ip(address) => vec![SocketAddr::from((*address, port))],
            Host::Name(name) => {
                let mut addresses: Vec<_> = (name.as_str(), port).to_socket_addrs()?.collect();
                addresses.sort_by_key(SocketAddr::is_ipv6);
                addresses
            }
        })
    }
}

/// Where the service listens for operators, if it does.
// clap takes an Option as a flag that may be missing, and would show no default
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminAddress(pub Option<Address>);

/// Reads an address or `none`.
pub(super) fn address_or_none(text: &str) -> Result<AdminAddress, String> {
    if text == "none" {
        return Ok(AdminAddress(None));
    }
    text.parse().map(|address| AdminAddress(Some(address))).map_err(|message: String| format!("{message}; or none"))
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':').and_then(|(host, port)| {
            let is_plain = !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
            Some((host, port.parse().ok().filter(|_| is_plain)?))
        });
        let host = |host: &str| {
            let is_name = !host.is_empty()
                && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
                // 127.1 or 10.0.0.256 are IP addresses with a mistake, and 8080 is a port
                && !host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let ipv6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
            match (host, ipv6) {
                ("", _) => Some(Host::All),
                (_, Some(address)) => address.parse().ok().map(|address: Ipv6Addr| Host::Ip(address.into())),
                _ => match host.parse() {
                    Ok(address) => Some(Host::Ip(Ipv4Addr::into(address))),
                    Err(_) => is_name.then(|| Host::Name(host.to_owned())),
                },
            }
        };
        let address = parts.and_then(|(text, port)| Some(Self { host: host(text)?, port }));
        address.ok_or_else(|| {
            "give an IP address or a host name, and a port: 127.0.0.1:8080, localhost:8080 or [::1]:8080; 0.0.0.0:8080 \
             or :8080 for all interfaces"
                .to_owned()
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::All => write!(f, ":{}", self.port),
            Host::Ip(address) => write!(f, "{}", SocketAddr::from((*address, self.port))),
            Host::Name(name) => write!(f, "{name}:{}", self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str) -> Vec<String> {
        let addresses = text.parse::<Address>().unwrap().resolve().unwrap();
        addresses.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_address_is_an_ip_address_a_name_or_all_interfaces() {
        for text in ["127.0.0.1:8080", "0.0.0.0:0", "[::1]:80", "[::]:65535"] {
            assert_eq!(resolved(text), [text]);
        }
        assert_eq!(resolved(":8080"), ["[::]:8080", "0.0.0.0:8080"]);
        assert_eq!(resolved("localhost:8080")[0], "127.0.0.1:8080");
        for text in ["127.0.0.1:8080", "[::1]:80", ":8080", "localhost:8080", "mazed-1.games_2.local:9"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn another_text_is_refused_with_examples() {
        for bad in [
            "",
            ":",
            "8080",
            "localhost",
            "localhost:",
            "localhost:http",
            "localhost:65536",
            "localhost:+80",
            "localhost:-1",
            "127.1:80",
            "10.0.0.256:80",
            "::1:8080",
            "[::1:8080",
            "[127.0.0.1]:80",
            "http://a:80",
            "a b:80",
            "[::1]",
            "8080:",
        ] {
            assert!(bad.parse::<Address>().unwrap_err().contains("localhost:8080"), "{bad:?}");
        }
    }
}
