//! Depth-first search, also called the recursive backtracker: walk to a random unvisited neighbour as long as there is
//! one, else back up.
//!
//! The walk is one long chain of dependent steps, so what counts is how soon the next cell is known: four bytes around the
//! cell give a mask, the mask and a roll give the step from a table. Backing up takes the step from a stack and waits for
//! no cell's byte.

use super::super::grid::Direction;
use super::super::layout::Layout;
use super::super::recipe::Recipe;
use super::super::rng::Rng;
use super::super::work::{Halt, Stopped, Work};
use super::cells::{Cells, SHIFT};
use super::{Algorithm, Failure, Sides};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "dfs",
    aliases: &["recursive_backtracker"],
    summary: "a random walk that backs up where it is stuck: randomised depth-first search",
    character: "long winding corridors, few and short dead ends, a long way from any place to any other",
    source: "Robert Tarjan, Depth-first search and linear graph algorithms, 1972; as a maze: Jamis Buck, Mazes for \
             Programmers, 2015",
    revision: 1,
    sides: Sides::Odd,
    options: &[],
    work_bytes: |recipe| recipe.size().area(),
    generate,
};

/// A cell not yet visited: a bit for each direction from which it may be entered. A visited one and the border have none.
const UNVISITED: u8 = 0b1111;

/// Rolls that give one, two, three or four ways an equal share each.
const ROLL: usize = 12;

fn generate(recipe: &Recipe, work: &mut Work) -> Result<Layout, Failure> {
    let mut cells = Cells::fill(&mut work.scratch.board, recipe.size().cells(), UNVISITED, 0);
    let rng = recipe.streams().stream(0, 0);
    walk(&mut cells, &mut work.scratch.trail, rng, work.halt)?;
    Ok(cells.tree())
}

/// Visits every cell from the first on. `trail` is the stack: the directions of the steps that led here.
fn walk(cells: &mut Cells, trail: &mut Vec<u8>, mut rng: Rng, halt: Halt) -> Result<(), Stopped> {
    let (steps, choices) = (cells.steps(), choices());
    // the step of each choice, so that the next cell waits for one table only
    let strides = choices.map(|direction| steps[usize::from(direction & 3)]);
    if trail.len() < cells.count() {
        trail.resize(cells.count(), 0);
    }
    let mut index = cells.first();
    cells.bytes[index] = (Direction::Up as u8) << SHIFT;
    let mut depth = 0;
    let mut rolls = rng.digits::<{ ROLL as u64 }, 16>();
    let mut unvisited = cells.count() - 1;
    while unvisited > 0 {
        if unvisited.is_multiple_of(4096) {
            halt.check()?;
        }
        if unvisited.is_multiple_of(16) {
            rolls = rng.digits::<{ ROLL as u64 }, 16>();
        }
        let mut mask = open_ways(cells.bytes, index, steps);
        while mask == 0 {
            depth -= 1;
            index = index.wrapping_sub(steps[usize::from(trail[depth] & 3)]);
            mask = open_ways(cells.bytes, index, steps);
        }
        let choice = mask << 4 | rolls[unvisited % 16] as usize;
        let direction = choices[choice];
        trail[depth] = direction;
        depth += 1;
        index = index.wrapping_add(strides[choice]);
        // the way back, which is the direction of the parent
        cells.bytes[index] = (direction & 3 ^ 2) << SHIFT;
        unvisited -= 1;
    }
    Ok(())
}

/// A bit for each direction in which there is an unvisited cell.
#[inline]
fn open_ways(bytes: &[u8], index: usize, steps: [usize; 4]) -> usize {
    let ways = (0..4).map(|i| bytes[index.wrapping_add(steps[i])] & 1 << i);
    usize::from(ways.fold(0, |mask, way| mask | way))
}

/// For each mask and roll one of the mask's directions, at `mask << 4 | roll`.
fn choices() -> [u8; 256] {
    let mut choices = [0; 256];
    for mask in 1..16_usize {
        for roll in 0..ROLL {
            let nth = roll % mask.count_ones() as usize;
            let mut ways = (0..4_u8).filter(|i| mask >> i & 1 == 1);
            choices[mask << 4 | roll] = ways.nth(nth).unwrap_or(0);
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::super::super::Level;
    use super::super::super::recipe::Limits;
    use super::super::super::work::Scratch;
    use super::*;

    #[test]
    fn each_way_has_an_equal_share_of_the_rolls() {
        let choices = choices();
        for mask in 1..16_usize {
            let ways = mask.count_ones() as usize;
            for way in (0..4).filter(|way| mask >> way & 1 == 1) {
                let rolls = (0..ROLL).filter(|roll| choices[mask << 4 | roll] == way).count();
                assert_eq!(rolls, ROLL / ways, "{way} of {mask:#b}");
            }
        }
    }

    #[test]
    fn a_large_level_needs_no_large_stack() {
        let build = || {
            let pairs = [("algo", "recursive_backtracker"), ("size", "1001"), ("seed", "7")];
            let recipe = Recipe::from_pairs(&pairs, Limits { max_side: 1001 }).unwrap();
            let mut work = Work { scratch: &mut Scratch::default(), halt: Halt::never() };
            Level::build(recipe, &mut work).unwrap()
        };
        let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(build).unwrap();
        assert!(thread.join().unwrap().parents().is_some());
    }
}
