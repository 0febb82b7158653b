//! The stream to a client. It fails if a head takes too long or the client reads too slowly, writes large responses in
//! pieces and turns, and at its end waits for the client to close its side.
//!
//! Hyper limits how long an idle connection may wait for a head together with the time that the head takes, and waits
//! for ever to send a response: a client that never reads would hold its connection and the bytes of the response as
//! long as it likes.

use std::io::{self, ErrorKind, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use crate::http::activity::Activity;
use crate::http::pace::Pace;

/// The times that a client may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientTimes {
    /// For a head: from its first byte, or from the start of the connection.
    pub(super) head: Duration,
    /// To read something of a response, and to be measured.
    pub(super) idle: Duration,
}

/// A stream to a client, with limits on its times.
#[derive(Debug)]
pub(super) struct ClientStream {
    stream: TcpStream,
    times: ClientTimes,
    activity: Arc<Activity>,
    head_timer: Option<Pin<Box<Sleep>>>,
    pace: Pace,
    /// Made when a write has to wait for the first time: most responses fit into the send buffer and need no timer.
    pace_timer: Option<Pin<Box<Sleep>>>,
    /// Bytes that were written since other tasks had a turn.
    written_in_turn: usize,
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

/// The most bytes that are written before other tasks get a turn. A client that reads as fast as the server writes
/// would otherwise hold a thread of the runtime for the whole response.
const TURN: usize = 2 * PIECE;

impl ClientStream {
    pub(super) fn new(stream: TcpStream, times: ClientTimes, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            times,
            activity,
            head_timer: None,
            pace: Pace::default(),
            pace_timer: None,
            written_in_turn: 0,
            may_send: false,
            linger: None,
        }
    }

    /// Ends the turn of this task if it has written enough. The task runs again after the others.
    fn poll_turn(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.written_in_turn < TURN {
            return Poll::Ready(());
        }
        self.written_in_turn = 0;
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Returns the result of a write, or an error if the client reads too slowly.
    fn watch(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            let bytes = *written.as_ref().unwrap_or(&0);
            self.written_in_turn += bytes;
            self.pace.wrote(bytes);
            return Poll::Ready(written);
        }
        self.written_in_turn = 0;
        loop {
            let Ok(deadline) = self.pace.blocked(Instant::now(), self.times.idle) else {
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            };
            ready!(poll_timer(&mut self.pace_timer, deadline, context));
        }
    }

    /// Fails if the head that is awaited takes too long.
    fn poll_head_time(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(since) = self.activity.head_since() else { return Poll::Pending };
        poll_timer(&mut self.head_timer, since + self.times.head, context).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

/// Polls a timer, which is made or set if need be.
fn poll_timer(timer: &mut Option<Pin<Box<Sleep>>>, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
    let timer = timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
    if timer.deadline() != deadline {
        timer.as_mut().reset(deadline);
    }
    timer.as_mut().poll(context)
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(context));
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
        ready!(self.poll_turn(context));
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Hyper flushes the stream when it has written all that it had to write.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.written_in_turn = 0;
        if self.activity.flushed() {
            self.pace = Pace::default();
        }
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
        if read.is_pending() {
            return self.poll_head_time(context);
        }
        self.may_send = buffer.filled().len() > before;
        if self.may_send {
            self.activity.received();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};
    use std::thread;

    use tokio::net::TcpListener;

    use super::*;

    /// Counts how often a task was woken.
    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[tokio::test]
    async fn other_tasks_get_a_turn_while_a_fast_client_reads_a_large_response() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let reader = thread::spawn(move || while client.read(&mut vec![0; 1 << 20]).unwrap() > 0 {});
        let times = ClientTimes { head: Duration::from_secs(20), idle: Duration::from_secs(20) };
        let mut stream = ClientStream::new(listener.accept().await.unwrap().0, times, Activity::new());
        let bytes = vec![0; 1 << 20];
        let wakes = Arc::new(Wakes::default());
        let (mut left, mut in_turn, mut full_turns) = (64 << 20, 0, 0);
        while left > 0 {
            let waker = Waker::from(Arc::clone(&wakes));
            let before = wakes.0.load(Ordering::Relaxed);
            match Pin::new(&mut stream).poll_write(&mut Context::from_waker(&waker), &bytes) {
                Poll::Ready(written) => {
                    let written = written.unwrap();
                    in_turn += written;
                    left -= written.min(left);
                    assert!(in_turn < TURN + PIECE);
                }
                Poll::Pending => {
                    if in_turn >= TURN {
                        assert!(wakes.0.load(Ordering::Relaxed) > before, "the task runs again");
                        full_turns += 1;
                    }
                    in_turn = 0;
                    tokio::task::yield_now().await;
                }
            }
        }
        drop(stream);
        reader.join().unwrap();
        assert!(full_turns > 0);
    }
}
