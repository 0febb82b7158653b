//! The stream to a client. It fails if the client reads nothing for too long, writes large responses in pieces, and at
//! its end waits for the client to close its side.
//!
//! Hyper limits how long a request's head may take, but waits for ever to send a response: a client that never reads
//! would hold its connection and the bytes of the response as long as it likes.

use std::io::{self, ErrorKind, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes fail if none of them makes progress for `limit`.
///
/// This also sets a minimum speed. The system reports a socket as writable again only after the client has read a good
/// part of the send buffer, so a client that reads single bytes makes no progress.
#[derive(Debug)]
pub(super) struct ClientStream {
    stream: TcpStream,
    limit: Duration,
    /// Made when a write has to wait for the first time: most responses fit into the send buffer and need no timer.
    timer: Option<Pin<Box<Sleep>>>,
    waiting: bool,
    /// Whether the client may still send: it has sent something, and has not closed its side.
    may_send: bool,
    /// Made when the stream begins to linger.
    linger: Option<Linger>,
}

/// The end of a stream whose client may still be sending. A system resets a connection that is closed while bytes of
/// the client are unread or on their way, and at a reset the client discards the response that it has not read yet. So
/// the server closes its side only, discards what arrives, and waits for the client to close the other side (RFC 9112,
/// 9.6).
#[derive(Debug)]
struct Linger {
    silence: Pin<Box<Sleep>>,
    end: Instant,
    bytes_left: usize,
}

impl Linger {
    /// The client has this long to send something or to close its side.
    const SILENCE: Duration = Duration::from_secs(1);
    /// The longest time in all.
    const TIME: Duration = Duration::from_secs(5);
    /// The most bytes that are discarded: more than a head can have. The bodies of requests are discarded elsewhere.
    const BYTES: usize = 2 << 20;

    fn new() -> Self {
        let now = Instant::now();
        Self { silence: Box::pin(sleep(Self::SILENCE)), end: now + Self::TIME, bytes_left: Self::BYTES }
    }

    /// Records the number of bytes that arrived. Returns false if that was enough.
    fn goes_on_after(&mut self, bytes: usize) -> bool {
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        let silence_end = Instant::now() + Self::SILENCE;
        self.silence.as_mut().reset(silence_end.min(self.end));
        bytes > 0 && self.bytes_left > 0
    }
}

/// The most bytes of one write. The system copies a whole write before it sends the first byte. So the head of a large
/// response is written alone and its body in pieces: the first byte of 8 MB reaches the client as soon as that of 5 kB.
const PIECE: usize = 256 << 10;

impl ClientStream {
    pub(super) fn new(stream: TcpStream, limit: Duration) -> Self {
        Self { stream, limit, timer: None, waiting: false, may_send: false, linger: None }
    }

    /// Returns the result of a write. If writes have had to wait for `limit`, counted from the first poll that had to,
    /// returns an error.
    fn watch(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waiting = false;
            return written;
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(self.limit)));
        if !self.waiting {
            timer.as_mut().reset(Instant::now() + self.limit);
            self.waiting = true;
        }
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, &bytes[..bytes.len().min(PIECE)]);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let bytes: usize = slices.iter().map(|slice| slice.len()).sum();
        if bytes > PIECE {
            let first = slices.iter().find(|slice| !slice.is_empty()).map_or(&[][..], |slice| slice);
            return self.poll_write(context, first);
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// Closes the server's side, and ends when the client has closed the other one or lingering has lasted long enough.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, may_send, linger, .. } = &mut *self;
        if !*may_send {
            return Pin::new(stream).poll_shutdown(context);
        }
        let linger = if let Some(linger) = linger {
            linger
        } else {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
            linger.insert(Linger::new())
        };
        let mut bytes = [MaybeUninit::uninit(); 4 << 10];
        loop {
            let mut buffer = ReadBuf::uninit(&mut bytes);
            match Pin::new(&mut *stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if linger.goes_on_after(buffer.filled().len()) => {}
                // an error means that the client has left
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return linger.silence.as_mut().poll(context).map(Ok),
            }
        }
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.may_send = buffer.filled().len() > before;
        }
        read
    }
}
