//! The service as its clients see it: a real server on a free port, requests over HTTP, sockets and signals. The client
//! of the API's tests checks every response against `openapi.yaml`.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod admin;
mod api;
mod bad_input;
mod behind_nginx;
mod cache_memory;
mod caching;
mod catalogue;
mod compression;
mod conditions;
mod connections;
mod cors;
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
mod menus;
mod metrics;
mod not_cached;
mod numbers;
mod overload;
mod pages;
mod posted;
mod programs;
mod queries;
mod reference;
mod refused_bodies;
mod rooms_in_masks;
mod routes;
mod schema;
mod seeds;
mod sent_back;
mod server;
mod settings;
mod shedding;
mod shutdown;
mod unread_log;
