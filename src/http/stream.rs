//! The stream to a client: it gives up on one that reads nothing, and hands large answers over in pieces.
//!
//! Hyper limits how long a request's head may take, but waits for ever to send an answer: a client that never reads
//! would hold its connection and the answer's bytes as long as it likes.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes fail once none of them got on for `limit`.
///
/// This is a lowest speed too: the system calls a socket writable again only after the peer took a good part of the
/// send buffer, so bytes read one at a time do not count as getting on.
#[derive(Debug)]
pub(super) struct ClientStream {
    stream: TcpStream,
    limit: Duration,
    /// Made when a write has to wait for the first time: most answers fit the send buffer and never need it.
    timer: Option<Pin<Box<Sleep>>>,
    waiting: bool,
}

/// Most bytes of one write. The system copies all of a write before it sends the first of it, so the head of a large
/// answer goes alone, and its body in pieces: the first byte of 8 MB is with the client as soon as that of 5 kB.
const PIECE: usize = 256 << 10;

impl ClientStream {
    pub(super) fn new(stream: TcpStream, limit: Duration) -> Self {
        Self { stream, limit, timer: None, waiting: false }
    }

    /// Passes on what a write came to; where it has to wait, the clock runs from the first poll that had to.
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
