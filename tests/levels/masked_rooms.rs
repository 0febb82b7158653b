//! Rooms in masks.

mod any;
mod map;
mod masks;
mod promises;
mod request;

/// The side of the masks.
const SIDE: usize = 41;

/// Seeds for which a request that can be built is built.
const SEEDS: u64 = 200;

/// Seeds for which a request that is refused is tried; a refusal takes far longer than a level.
const REFUSED_SEEDS: usize = 3;

/// Seeds for which the number of rooms that a refusal names is built.
const NAMED_SEEDS: usize = 8;

const AREAS: [u64; 4] = [1, 4, 9, 25];
const DOORS: [u64; 3] = [1, 2, 3];
const JITTERS: [u64; 3] = [0, 2_000, 9_000];
const LOOPS: [u64; 3] = [0, 5_000, 10_000];
