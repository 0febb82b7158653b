//! mazed

pub mod config;
pub mod healthcheck;
pub mod http;
pub mod level;
pub mod telemetry;
