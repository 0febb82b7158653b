//! The system's side of a listener: the connections that it has opened for clients and the server has not accepted.

use tokio::net::TcpListener;

/// Makes the system ignore clients that begin to connect from now on. Connections that are open already, or about to
/// be, can still be accepted.
///
/// Closing a listener resets the connections that wait in its queue. Their clients have sent a request perhaps, and
/// learn nothing of what became of it. A client that is ignored tries again by itself after a second, finds the
/// listener closed, and knows that nothing was sent.
#[cfg(target_os = "linux")]
pub(super) fn ignore_new_connections(listener: &TcpListener) {
    use socket2::{SockFilter, SockRef};

    /// Where a TCP segment has its flags.
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    const ACK: u32 = 0x10;
    // codes of <https://docs.kernel.org/networking/filter.html>
    const LOAD_BYTE: u16 = 0x30;
    const AND: u16 = 0x54;
    const JUMP_IF_EQUAL: u16 = 0x15;
    const RETURN: u16 = 0x06;
    let keep_all_but_first_segments = [
        SockFilter::new(LOAD_BYTE, 0, 0, FLAGS),
        SockFilter::new(AND, 0, 0, SYN | ACK),
        SockFilter::new(JUMP_IF_EQUAL, 0, 1, SYN),
        SockFilter::new(RETURN, 0, 0, 0),
        SockFilter::new(RETURN, 0, 0, u32::MAX),
    ];
    if let Err(error) = SockRef::from(listener).attach_filter(&keep_all_but_first_segments) {
        tracing::debug!(%error, "a connection that opens just now may be reset");
    }
}

/// Other systems have no such filter.
#[cfg(not(target_os = "linux"))]
pub(super) fn ignore_new_connections(_: &TcpListener) {}
