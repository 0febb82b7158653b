//! Rooms in masks.

mod any;
mod map;
mod masks;
mod promises;
mod request;

/// The side of the masks.
const SIDE: usize = 41;

/// How many seeds are tried for a request that can be built.
const SEEDS: u64 = 200;

/// How many seeds are tried for a request that cannot be built; an error takes far longer than a level.
const FAILING_SEEDS: usize = 3;

/// How many seeds are tried for the number of rooms that an error names.
const NAMED_SEEDS: usize = 8;

const AREAS: [u64; 4] = [1, 4, 9, 25];
const DOORS: [u64; 3] = [1, 2, 3];
const JITTERS: [u64; 3] = [0, 2_000, 9_000];
const LOOPS: [u64; 3] = [0, 5_000, 10_000];
