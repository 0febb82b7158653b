//! The system's side of a listener and its connections: the queue of those that the server has not accepted, and their
//! options.

use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};

/// The most connections that wait to be accepted. The system may have a lower limit, on Linux 4,096 by default.
const BACKLOG: i32 = 4096;

/// The send buffer of a connection. Without this the system lets it grow to several MB for each client, outside of the
/// budgets of the service. The system takes twice as much for its own bookkeeping.
const SEND_BUFFER: usize = 256 << 10;

/// Lets more clients wait to be accepted than a listener does by default.
pub(super) fn widen(listener: &TcpListener) {
    // a listener may be told again how long its queue is
    if let Err(error) = SockRef::from(listener).listen(BACKLOG) {
        tracing::debug!(%error, "the queue of clients that wait to be accepted keeps its length");
    }
}

/// Bounds the memory of the system for what a connection has to send, and lets a small response leave before the client
/// has acknowledged the one before it. Without these a connection works too.
pub(super) fn set_options(stream: &TcpStream) {
    let _best_effort = SockRef::from(stream).set_send_buffer_size(SEND_BUFFER).and_then(|()| stream.set_nodelay(true));
}

/// Makes the system ignore clients that begin to connect from now on. Connections that are open already, or about to
/// be, can still be accepted.
///
/// Closing a listener resets the connections that wait in its queue. Their clients have sent a request perhaps, and
/// learn nothing of what became of it. A client that is ignored tries again by itself after a second, finds the
/// listener closed, and knows that nothing was sent.
#[cfg(target_os = "linux")]
pub(super) fn ignore_new_connections(listener: &TcpListener) {
    use socket2::SockFilter;

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
