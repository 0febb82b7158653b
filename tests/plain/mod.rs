//! What several tests hold the code to: searches that are written for nothing but to be plain.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::HashMap;

use mazed::level::Level;
use mazed::level::algorithms::Algorithm;
use mazed::level::grid::{Direction, Tile};
use mazed::level::parameters::options::{OptionId, OptionSpec, OptionType};

/// The open tiles of a level, in row order.
pub(crate) fn open_tiles(level: &Level) -> Vec<Tile> {
    let size = level.grid().size();
    let tiles = (0..size.height).flat_map(|y| (0..size.width).map(move |x| Tile { x, y }));
    tiles.filter(|tile| level.grid().is_open(*tile)).collect()
}

/// Steps from `from` to every tile that can be reached: whole rounds of one step each, until none is new.
pub(crate) fn distances(level: &Level, from: Tile) -> HashMap<Tile, usize> {
    let mut known = HashMap::from([(from, 0)]);
    let mut round = vec![from];
    for steps in 1.. {
        let neighbours = round.iter().flat_map(|tile| Direction::ALL.map(|way| tile.step(way)));
        let new: Vec<_> = neighbours.filter(|tile| level.grid().is_open(*tile) && !known.contains_key(tile)).collect();
        if new.is_empty() {
            break;
        }
        round = new.into_iter().filter(|tile| known.insert(*tile, steps).is_none()).collect();
    }
    known
}

/// The fractions of an algorithm, `braid` aside: by turns at their defaults, their least and their most.
pub(crate) fn fractions(algorithm: &Algorithm, turn: u64) -> Vec<(&'static str, String)> {
    let rows = algorithm.options.iter().filter(|option| **option != OptionId::Braid).map(|option| option.row());
    let fractions = rows.filter(|row| matches!(row.kind, OptionType::Fraction { .. }));
    let value = |row: &OptionSpec| match (turn % 3, row.kind.bounds()) {
        (0, _) => None,
        (1, (least, _)) => Some(least),
        (_, (_, most)) => Some(most),
    };
    fractions.filter_map(|row| Some((row.name, row.kind.format(value(row)?)))).collect()
}
