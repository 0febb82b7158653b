//! Mazes and room maps for games, over HTTP: the same level from the same recipe, every time and everywhere.
//!
//! The modules, lowest first. Each one uses only itself and the modules listed before it:
//!
//! - [`level`]: recipes, the algorithms that turn recipes into levels, the solvers that find paths through levels, and
//!   the queries about levels. Pure. To add an algorithm or a solver, add a file and a line in its table. To add an
//!   option, add a row to [`level::parameters::options`]. To add a query, add a file in [`level::queries`].
//! - [`render`]: writes answers as bytes. To add a format, add a file and a line in the tables of `render/answers.rs`.
//! - [`config`], [`telemetry`]: settings; logs and metrics. A new setting is a field of [`config::Settings`], a new
//!   metric is a field of [`telemetry::Metrics`].
//! - [`service`]: runs jobs and shares their values: cache, single flight, worker threads and admission control.
//! - [`healthcheck`]: asks a running service whether it is alive.
//! - [`http`]: routes, parameters, problems, conditional requests, the accept loop. To add a route, add a row to
//!   [`http::ROUTES`] and a handler.
//!
//! Each request goes through the modules in this order. [`http`] reads the query string or the body into a recipe and a
//! query. [`service`] looks in its cache, joins a job for the same value, or runs a new job on a worker thread, where
//! [`level`] makes the level and [`render`] writes the answer. [`http`] sends the shared bytes.
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
