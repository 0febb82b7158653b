//! The service from outside: a real server on a port of its own, asked over HTTP. Every answer of every test is held to
//! `openapi.yaml` on its way in.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod api;
mod bad_input;
mod caching;
mod catalogue;
mod examples;
mod forms;
mod largest;
mod levels;
mod reference;
mod routes;
mod schema;
mod seeds;
