//! What names a level: an algorithm, a size, a seed, options, start and exit. A [`Recipe`] that exists is valid.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::algorithms::{ALGORITHMS, Algorithm, FIXED_BYTES, Sides};
use super::grid::{Size, Tile};
use super::options::{OPTIONS, Options};
use super::parameters::{Fault, Parameters, integer};
use super::rng::{Seed, Streams};

/// The shortest side of a level in tiles: one open tile between two walls.
pub const MIN_SIDE: u32 = 3;

/// The longest side that any limit may allow, in tiles: the numbers of all tiles and of all edges between cells fit 32
/// bits.
pub const MAX_SIDE: u32 = 16_001;

/// The side of a level where none is asked for and the limits allow it, in tiles.
pub const DEFAULT_SIDE: u32 = 41;

/// The parameters that every recipe has, beside its algorithm's options.
pub const PARAMETERS: [&str; 7] = ["algo", "size", "width", "height", "seed", "start", "exit"];

/// What a recipe may ask for at the most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest side in tiles.
    pub max_side: u32,
}

impl Limits {
    /// The side of a level where none is asked for, in tiles; odd, so that every algorithm takes it.
    pub const fn default_side(self) -> u32 {
        let largest_odd = (self.max_side - 1) | 1;
        if largest_odd < DEFAULT_SIDE { largest_odd } else { DEFAULT_SIDE }
    }
}

/// Names one level. Two equal recipes name the same level, on any machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    algorithm: &'static Algorithm,
    size: Size,
    seed: Seed,
    options: Options,
    start: Tile,
    exit: Tile,
    /// Known by the rest; made once, for it takes as long as a small level.
    streams: Streams,
}

impl Recipe {
    /// Reads a recipe, leaving the parameters that are none of its own to other readers. `drawn` is the seed where none
    /// is given. `None` where there is a fault, which `given` then holds.
    pub fn read(given: &mut Parameters, limits: Limits, drawn: impl FnOnce() -> u64) -> Option<Self> {
        let algorithm = given.value_or("algo", &ALGORITHMS[0], Algorithm::named);
        let size = read_size(given, algorithm.map_or(Sides::Any, |algorithm| algorithm.sides), limits);
        let seed =
            if given.has("seed") { given.value("seed", Seed::parse) } else { Some(Seed::Integer(drawn().into())) };
        let options = read_options(given, algorithm, size);
        let mut end = |name, corner: fn(Size) -> Tile| {
            if !given.has(name) {
                return size.map(corner);
            }
            // where size or algorithm are at fault themselves, what holds for all of them is still checked
            let largest = Size { width: u32::MAX, height: u32::MAX };
            let sides = algorithm.map_or(Sides::Any, |algorithm| algorithm.sides);
            given.value(name, |text| check_end(read_tile(text)?, size.unwrap_or(largest), sides))
        };
        let start = end("start", |_| first_corner());
        let exit = end("exit", last_corner);
        let (algorithm, size, seed) = (algorithm?, size?, seed?);
        let shape = u64::from(size.width) << 32 | u64::from(size.height);
        let streams = Streams::new(&seed, algorithm.name, shape);
        Some(Self { algorithm, size, seed, options: options?, start: start?, exit: exit?, streams })
    }

    /// The recipe of these pairs of names and values, with sides up to `limits`; a seed must be among them.
    ///
    /// # Errors
    /// Every fault there is.
    pub fn from_pairs(pairs: &[(&str, &str)], limits: Limits) -> Result<Self, Vec<Fault>> {
        let mut given = Parameters::new(pairs.iter().map(|&(name, value)| (name.into(), Ok(value.into()))).collect());
        if !given.has("seed") {
            given.fault("seed", "is missing");
        }
        let recipe = Self::read(&mut given, limits, || 0);
        given.finish(recipe, || PARAMETERS.to_vec())
    }

    /// The algorithm.
    pub const fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// The sides of the level.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The seed.
    pub const fn seed(&self) -> &Seed {
        &self.seed
    }

    /// A value for each option that the algorithm takes.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Where a player starts; open in every level that is built.
    pub const fn start(&self) -> Tile {
        self.start
    }

    /// Where the level ends; open in every level that is built.
    pub const fn exit(&self) -> Tile {
        self.exit
    }

    /// The random numbers of this recipe: a function of the seed, the algorithm and the sides.
    pub const fn streams(&self) -> Streams {
        self.streams
    }

    /// Most bytes that making the level takes, the level included.
    pub fn work_bytes(&self) -> u64 {
        (self.algorithm.work_bytes)(self) + FIXED_BYTES
    }
}

/// Writes the canonical query: the shortest one that names this recipe, in a fixed order, percent-encoded. Algorithm,
/// size and seed always, the rest where it is not the default.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { width, height } = self.size;
        write!(f, "algo={}", self.algorithm.name)?;
        if width == height {
            write!(f, "&size={width}")?;
        } else {
            write!(f, "&width={width}&height={height}")?;
        }
        match &self.seed {
            Seed::Integer(value) => write!(f, "&seed={value}")?,
            Seed::Text(text) => write!(f, "&seed={}", utf8_percent_encode(text, ENCODED))?,
        }
        if self.start != first_corner() {
            write!(f, "&start={},{}", self.start.x, self.start.y)?;
        }
        if self.exit != last_corner(self.size) {
            write!(f, "&exit={},{}", self.exit.x, self.exit.y)?;
        }
        for row in self.algorithm.options.iter().map(|option| option.row()) {
            let value = self.options.get(row.option);
            if value != (row.default)(self.size, &self.options) {
                write!(f, "&{}={}", row.name, row.kind.format(value))?;
            }
        }
        Ok(())
    }
}

/// What a query value must not hold as it is: all but the characters that no reader treats specially.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The start where none is given.
const fn first_corner() -> Tile {
    Tile { x: 1, y: 1 }
}

/// The exit where none is given.
const fn last_corner(size: Size) -> Tile {
    Tile { x: size.width - 2, y: size.height - 2 }
}

/// The sides, from `size` or from `width` and `height`.
fn read_size(given: &mut Parameters, sides: Sides, limits: Limits) -> Option<Size> {
    let mut side = |name: &str| given.value(name, |text| parse_side(text, sides, limits));
    let (size, width, height) = (side("size"), side("width"), side("height"));
    match (given.has("size"), given.has("width"), given.has("height")) {
        (true, false, false) => size.map(|side| Size { width: side, height: side }),
        (false, true, true) => Some(Size { width: width?, height: height? }),
        (false, false, false) => Some(Size { width: limits.default_side(), height: limits.default_side() }),
        (false, true, false) => given.accept("height", Err("is missing; width and height go together".into())),
        (false, false, true) => given.accept("width", Err("is missing; width and height go together".into())),
        (true, _, _) => given.accept("size", Err("is given beside width or height; give one or the other".into())),
    }
}

fn parse_side(text: &str, sides: Sides, limits: Limits) -> Result<u32, String> {
    let side = integer(text, MIN_SIDE.into()..=limits.max_side.into())? as u32;
    if sides == Sides::Odd && side.is_multiple_of(2) {
        let above = if side < limits.max_side { format!(" or {}", side + 1) } else { String::new() };
        return Err(format!("must be odd for a maze: take {}{above}", side - 1));
    }
    Ok(side)
}

/// The value of each option that the algorithm takes. Where the algorithm or the size is at fault, the values given are
/// still checked by themselves.
fn read_options(given: &mut Parameters, algorithm: Option<&Algorithm>, size: Option<Size>) -> Option<Options> {
    let mut options = Options::default();
    let mut complete = size.is_some();
    for row in &OPTIONS {
        let taken = algorithm.is_none_or(|algorithm| algorithm.options.contains(&row.option));
        if !taken {
            if given.take(row.name) {
                let takers = ALGORITHMS.iter().filter(|other| other.options.contains(&row.option));
                let takers: Vec<_> = takers.map(|other| other.name).collect();
                let name = algorithm.map_or("", |algorithm| algorithm.name);
                given.fault(row.name, format!("is no option of {name}; it belongs to {}", takers.join(", ")));
            }
        } else if given.has(row.name) {
            match given.value(row.name, |text| row.kind.parse(text)) {
                Some(value) => options.set(row.option, value),
                None => complete = false,
            }
        } else if let Some(size) = size
            && complete
        {
            options.set(row.option, (row.default)(size, &options));
        }
    }
    complete.then_some(options)
}

fn read_tile(text: &str) -> Result<Tile, String> {
    let coordinate = |part: &str| integer(part, 0..=u32::MAX.into()).ok().map(|value| value as u32);
    text.split_once(',')
        .and_then(|(x, y)| Some(Tile { x: coordinate(x)?, y: coordinate(y)? }))
        .ok_or_else(|| "must be the column and row of an open tile, for example 1,1".into())
}

/// Refuses the tiles that are a wall in every level of this size.
fn check_end(tile: Tile, size: Size, sides: Sides) -> Result<Tile, String> {
    let Tile { x, y } = tile;
    let (last_x, last_y) = (size.width - 2, size.height - 2);
    if !(1..=last_x).contains(&x) || !(1..=last_y).contains(&y) {
        return Err(format!("[{x},{y}] is not inside the border: take x from 1 to {last_x} and y from 1 to {last_y}"));
    }
    if sides == Sides::Odd && x % 2 == 0 && y % 2 == 0 {
        return Err(format!(
            "[{x},{y}] is a wall in every maze; x and y are odd where a cell is, as in [{},{}]",
            x - 1,
            y - 1
        ));
    }
    Ok(tile)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { max_side: 4001 };

    fn recipe(pairs: &[(&str, &str)]) -> Result<Recipe, Vec<Fault>> {
        Recipe::from_pairs(&[pairs, &[("seed", "7")]].concat(), LIMITS)
    }

    fn faulty(pairs: &[(&str, &str)]) -> Vec<String> {
        recipe(pairs).unwrap_err().into_iter().map(|fault| fault.parameter).collect()
    }

    #[test]
    fn the_default_is_a_kruskal_maze_of_41() {
        let recipe = recipe(&[]).unwrap();
        assert_eq!(recipe.algorithm().name, "kruskal");
        assert_eq!(recipe.size(), Size { width: 41, height: 41 });
        assert_eq!((recipe.start(), recipe.exit()), (Tile { x: 1, y: 1 }, Tile { x: 39, y: 39 }));
    }

    #[test]
    fn the_default_side_is_odd_and_within_the_limit() {
        for (max_side, side) in [(3, 3), (4, 3), (40, 39), (41, 41), (42, 41), (4001, 41)] {
            assert_eq!(Limits { max_side }.default_side(), side);
            assert!(Recipe::from_pairs(&[("seed", "7")], Limits { max_side }).is_ok());
        }
    }

    #[test]
    fn the_canonical_query_is_the_shortest() {
        for (pairs, query) in [
            (
                &[
                    ("algo", "bsp"),
                    ("width", "20"),
                    ("height", "30"),
                    ("jitter", "0.90"),
                    ("exit", "3,3"),
                    ("rooms", "008"),
                ][..],
                "algo=bsp&width=20&height=30&seed=7&exit=3,3&rooms=8&jitter=0.9",
            ),
            (&[("algo", "binary-tree"), ("size", "005"), ("start", "3,3")], "algo=binary_tree&size=5&seed=7&start=3,3"),
            (
                &[("algo", "recursive-backtracker"), ("size", "41"), ("start", "1,1"), ("exit", "39,39")],
                "algo=dfs&size=41&seed=7",
            ),
            (&[("algo", "bsp"), ("jitter", "0.20"), ("rooms", "21"), ("door_size", "1")], "algo=bsp&size=41&seed=7"),
        ] {
            assert_eq!(recipe(pairs).unwrap().to_string(), query);
        }
        let text = Recipe::from_pairs(&[("seed", "a b&c=미")], LIMITS).unwrap().to_string();
        assert_eq!(text, "algo=kruskal&size=41&seed=a%20b%26c%3D%EB%AF%B8");
    }

    #[test]
    fn every_fault_is_named_at_once() {
        assert_eq!(
            faulty(&[("size", "4"), ("algo", "x"), ("jitter", "2"), ("start", "1;1")]),
            ["algo", "jitter", "start"]
        );
        assert_eq!(
            faulty(&[("size", "4"), ("rooms", "2"), ("start", "x"), ("what", "")]),
            ["size", "rooms", "start", "what"]
        );
        assert_eq!(faulty(&[("width", "5")]), ["height"]);
        assert_eq!(faulty(&[("height", "5")]), ["width"]);
        assert_eq!(faulty(&[("size", "5"), ("width", "5")]), ["size"]);
        assert_eq!(faulty(&[("start", "0,1"), ("exit", "40,39")]), ["start", "exit"]);
        assert_eq!(faulty(&[("start", "2,2"), ("exit", "1,4294967297")]), ["start", "exit"]);
        assert_eq!(faulty(&[("size", "40"), ("start", "0,0"), ("exit", "2,2")]), ["size", "start", "exit"]);
        assert_eq!(faulty(&[("algo", "x"), ("start", "0,0"), ("exit", "2,2")]), ["algo", "start"]);
    }

    #[test]
    fn an_even_size_is_told_its_odd_neighbours() {
        let message = |size: &'static str| recipe(&[("size", size)]).unwrap_err().remove(0).message;
        assert_eq!(message("4"), "must be odd for a maze: take 3 or 5");
        assert!(message("4002").contains("3 to 4001"));
        assert!(recipe(&[("algo", "bsp"), ("size", "4")]).is_ok());
    }
}
