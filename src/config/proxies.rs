//! The setting that names proxies.

use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use ipnet::IpNet;

/// The proxies that are believed when they name the client of a request. A clone is the same list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    /// Whether this address is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|net| net.contains(&address))
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    /// Reads `none`, or a list of addresses and networks with commas between them.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|_| text.trim() != "none");
        let nets = parts.map(|part| {
            let net = part.parse::<IpNet>().ok().or_else(|| Some(part.parse::<IpAddr>().ok()?.into()));
            net.ok_or_else(|| {
                format!("{part:?} is no address; give none, or a list of addresses and networks such as 10.0.0.0/8,::1")
            })
        });
        nets.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_addresses_and_networks() {
        let proxies: TrustedProxies = "10.0.0.0/8, 192.0.2.1,::1".parse().unwrap();
        for (address, is_trusted) in
            [("10.255.0.1", true), ("11.0.0.1", false), ("192.0.2.1", true), ("192.0.2.2", false), ("::1", true)]
        {
            assert_eq!(proxies.contains(address.parse().unwrap()), is_trusted, "{address}");
        }
        assert!(!TrustedProxies::from_str("none").unwrap().contains("10.0.0.1".parse().unwrap()));
        for text in ["", "10.0.0.0/33", "localhost", "10.0.0.1,", "none,::1"] {
            assert!(TrustedProxies::from_str(text).is_err(), "{text}");
        }
    }
}
