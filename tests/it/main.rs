//! The service as its callers see it: a real server on a port of its own, asked over HTTP, and its sockets and signals.
//! Every answer of the API's tests is held to `openapi.yaml` on its way in.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod api;
mod bad_input;
mod caching;
mod catalogue;
mod deadline;
mod examples;
mod foreign_bytes;
mod formats;
mod forms;
mod harness;
mod help;
mod largest;
mod levels;
mod log_lines;
mod not_cached;
mod overload;
mod pages;
mod posted;
mod queries;
mod reference;
mod rooms_in_masks;
mod routes;
mod schema;
mod seeds;
mod server;
mod shedding;
