//! Small answers about a level as JSON: the head and a few fields.

use std::ops::Range;

use serde::Serialize;

use crate::level::error::Error;
use crate::level::grid::Tile;
use crate::level::queries::spawns::{SpawnsQuery, spawns};
use crate::level::queries::stats::{StatsQuery, stats};
use crate::level::queries::verify::{VerifyQuery, verify};
use crate::level::recipe::Recipe;
use crate::render::format::{Format, Rendering};
use crate::render::json::head::{Head, answer};
use crate::render::json::row;

/// Most bytes of a small answer and of the memory to write it. A small answer has a few hundred tiles at most.
const SMALL_ANSWER_BYTES: u64 = 32 << 10;

/// The answers of `/maze/stats`.
pub const STATS: Format<StatsQuery> = Format {
    name: row::NAME,
    media_type: row::MEDIA_TYPE,
    revision: row::REVISION,
    compressible: false,
    parameters: &[],
    check: None,
    work_bytes,
    answer_bytes,
    write: |_, level, context| Ok(answer(Head::of(level), &stats(level, context)?)),
};

/// The answers of `/maze/spawns`.
pub const SPAWNS: Format<SpawnsQuery> = Format {
    name: row::NAME,
    media_type: row::MEDIA_TYPE,
    revision: row::REVISION,
    compressible: false,
    parameters: &[],
    check: None,
    work_bytes,
    answer_bytes,
    write: |Rendering { query, .. }, level, context| {
        #[derive(Serialize)]
        struct Spawns {
            spawns: Vec<Tile>,
        }
        let spawns = spawns(level, query.count, query.kind, context)?;
        Ok::<_, Error>(answer(Head::of(level), &Spawns { spawns }))
    },
};

/// The answers of `/maze/verify`.
pub const VERIFICATION: Format<VerifyQuery> = Format {
    name: row::NAME,
    media_type: row::MEDIA_TYPE,
    revision: row::REVISION,
    compressible: false,
    parameters: &[],
    check: None,
    work_bytes,
    answer_bytes,
    write: |Rendering { query, .. }, level, context| Ok(answer(Head::of(level), &verify(level, &query.0, context)?)),
};

const fn work_bytes<Q>(_: &Rendering<Q>, _: &Recipe) -> u64 {
    SMALL_ANSWER_BYTES
}

const fn answer_bytes<Q>(_: &Rendering<Q>, _: &Recipe) -> Range<u64> {
    0..SMALL_ANSWER_BYTES
}
