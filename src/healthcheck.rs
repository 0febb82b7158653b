//! Asks a running service whether it is alive, for container images without another program (such as curl) to do so.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::config::Address;

/// Time for the whole conversation: below the three seconds after which orchestrators commonly give up.
const TIMEOUT: Duration = Duration::from_millis(2500);

/// Asks the service that listens on `address`.
///
/// # Errors
/// If the service does not answer 200 in time.
pub fn ask(address: &Address) -> io::Result<()> {
    let deadline = Instant::now() + TIMEOUT;
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    for addr in address.resolve()?.into_iter().map(reachable) {
        match TcpStream::connect_timeout(&addr, TIMEOUT) {
            Ok(stream) => return converse(stream, addr, deadline),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Asks the service at the other end of a connection.
fn converse(mut stream: TcpStream, addr: SocketAddr, deadline: Instant) -> io::Result<()> {
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /healthz HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\n\r\n")?;

    let mut start = [0; b"HTTP/1.1 200".len()];
    let mut filled = 0;
    while filled < start.len() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut start[filled..])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => filled += read,
        }
    }
    if &start == b"HTTP/1.1 200" { Ok(()) } else { Err(io::Error::other(String::from_utf8_lossy(&start))) }
}

/// The address to connect to: loopback if the service listens on all addresses.
fn reachable(mut addr: SocketAddr) -> SocketAddr {
    if addr.ip().is_unspecified() {
        addr.set_ip(if addr.is_ipv4() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { IpAddr::V6(Ipv6Addr::LOCALHOST) });
    }
    addr
}
