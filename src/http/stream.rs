//! The stream to a client. It fails if the client reads nothing for too long, and it writes large responses in pieces.
//!
//! Hyper limits how long a request's head may take, but waits for ever to send a response: a client that never reads
//! would hold its connection and the bytes of the response as long as it likes.

use std::io::{self, ErrorKind, IoSlice};
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
}

/// The most bytes of one write. The system copies a whole write before it sends the first byte. So the head of a large
/// response is written alone and its body in pieces: the first byte of 8 MB reaches the client as soon as that of 5 kB.
const PIECE: usize = 256 << 10;

impl ClientStream {
    pub(super) fn new(stream: TcpStream, limit: Duration) -> Self {
        Self { stream, limit, timer: None, waiting: false }
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

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}
