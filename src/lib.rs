//! Mazes and room maps for games, over HTTP: the same level from the same recipe, every time and everywhere.
//!
//! The map of the house, from the ground up; a module uses only those above it in this list:
//!
//! | module | what it is | a new … is |
//! | --- | --- | --- |
//! | [`level`] | recipes, the algorithms that turn them into levels, the solvers that walk these, and what can be told about them; pure | algorithm or solver: a file and a line in its table; option: a row in [`level::options`] |
//! | [`render`] | a level as bytes | form of grid or path: a row in its table and a writer |
//! | [`config`], [`telemetry`] | settings; logs and metrics | setting: a field of [`config::Settings`] |
//! | [`service`] | a recipe to shared bytes: cache, single flight, worker threads and admission to them | |
//! | [`healthcheck`] | asks a running service whether it is alive | |
//! | [`http`] | routes, queries, problems, caching headers, the accept loop | route: a row of [`http::ROUTES`] and a handler; question about a level: a file in `http/maze` that says what it reads and how it is answered |
//!
//! Follow one request: [`http`] reads the query into a recipe and a question; [`service`] looks into its cache, joins a
//! flight that is under way, or has [`level`] make the level and [`render`] write it on a worker thread; [`http`]
//! sends the shared bytes. One way, no back and forth.

pub mod config;
pub mod healthcheck;
pub mod http;
pub mod level;
pub mod render;
pub mod service;
pub mod telemetry;

pub use http::serve;
