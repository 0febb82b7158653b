//! What holds for every level, algorithm, solver and query, checked against reference implementations that know nothing
//! of how the program works.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod distances;
mod effort;
mod fixtures;
mod masked_rooms;
mod oracle;
mod paths;
mod perfect;
mod planes;
mod prices;
mod rooms;
mod shapes;
mod stats;
mod textbook;
mod textures;
mod uniform;
mod verify;
