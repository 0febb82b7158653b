//! The service as its callers see it: over sockets and signals.

#![expect(clippy::expect_used, clippy::panic, unreachable_pub, reason = "all of this crate is tests and their tools")]

mod harness;
mod server;
