//! Mazes and room maps for games, over HTTP: the same level from the same recipe, every time and everywhere.
//!
//! The modules, from the ground up; each uses only itself and those above it in this list:
//!
//! - [`level`]: recipes, the algorithms that turn them into levels, the solvers that walk these, and the queries about
//!   them. Pure. A new algorithm or solver is a file and a line in its table; an option a row of
//!   [`level::parameters::options`]; a query a file in [`level::queries`].
//! - [`render`]: answers as bytes. A new format is a file and a line in the tables of `render/answers.rs`.
//! - [`config`], [`telemetry`]: settings; logs and metrics. A new setting is a field of [`config::Settings`], a new
//!   metric one of [`telemetry::Metrics`].
//! - [`service`]: runs jobs and shares their values: cache, single flight, worker threads and admission to them.
//! - [`healthcheck`]: asks a running service whether it is alive.
//! - [`http`]: routes, parameters, problems, conditional requests, the accept loop. A new route is a row of
//!   [`http::ROUTES`] and a handler.
//!
//! A request takes one path. [`http`] reads the query string or the body into a recipe and a query. [`service`] looks
//! in its cache, joins a job for the same value, or runs a new one on a worker thread, where [`level`] makes the level
//! and [`render`] writes the answer. [`http`] sends the shared bytes.
//!
//! As a library, without a server:
//!
//! ```
//! use mazed::level::Level;
//! use mazed::level::queries::stats::stats;
//! use mazed::level::recipe::{Limits, Recipe};
//! use mazed::level::work::{Buffers, Cancel, JobContext};
//!
//! let pairs = [("algo", "dfs"), ("size", "21"), ("seed", "7")];
//! let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).expect("these pairs are a recipe");
//! let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
//! let level = Level::build(recipe, &mut context).expect("every seed has such a level");
//! let numbers = stats(&level, &mut context).expect("the job is not cancelled");
//! assert_eq!(numbers.open_tiles, 199);
//! ```

pub mod config;
pub mod healthcheck;
pub mod http;
pub mod level;
pub mod render;
pub mod service;
pub mod telemetry;

pub use http::serve;
