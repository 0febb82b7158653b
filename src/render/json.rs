//! A level as JSON. The bulk of an answer, grid and path, is written straight from the packed level into one body whose
//! size is known before; serde writes everything small.

pub mod distances;
pub(crate) mod grid;
pub(crate) mod path;
pub(crate) mod plan;
pub mod way;

use path::Path;
use plan::Fields;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::level::Level;
use crate::level::error::Error;
use crate::level::grid::{Direction, Tile};
use crate::level::parameters::options::{FRACTION_UNIT, OptionType};
use crate::level::recipe::Recipe;
use crate::level::solvers::Solution;
use crate::level::work::JobContext;
use crate::render::{Parts, PathForm, RenderOptions};

/// Counts the times that the bytes of an answer changed; part of every entity tag.
pub const REVISION: u32 = 1;

/// Writes what `view` shows of `level`, in at most `limit` bytes.
///
/// # Errors
/// Where the body would pass the limit, or the job is told to stop.
pub fn level(level: &Level, view: &RenderOptions, limit: u64, context: &mut JobContext) -> Result<Vec<u8>, Error> {
    let mut body = Vec::new();
    level_into(&mut body, level, view, limit, context)?;
    Ok(body)
}

/// Writes the same into `body`, whose former content is lost and whose memory is used again where there is enough of
/// it.
///
/// # Errors
/// As for [`level`].
pub fn level_into(
    body: &mut Vec<u8>,
    level: &Level,
    view: &RenderOptions,
    limit: u64,
    context: &mut JobContext,
) -> Result<(), Error> {
    let route = match view.solver {
        Some(solver) => Some((solver.name, (solver.solve)(level, level.start(), level.exit(), context)?)),
        None => None,
    };
    let size = level.grid().size();
    // each large part with the text that goes before it; the first text is the head without its closing brace
    let mut head = text(&Head(level));
    head.pop();
    head.push_str(grid::field(view.grid));
    let (mut middle, mut tail) = (String::new(), String::from("}"));
    let (mut moves, mut form): (&[Direction], _) = (&[], PathForm::None);
    match &route {
        Some((solver, Solution::Found(found))) => {
            (moves, form) = (found, view.path);
            middle = format!(r#","solution":{{"solver":"{solver}","length":{}{}"#, found.len(), path::field(form));
            tail.push('}');
        }
        Some((solver, Solution::Unreachable(reason))) => {
            let reason = text(reason);
            middle = format!(r#","solution":{{"solver":"{solver}","found":false,"reason":{reason}}}"#);
        }
        None => {}
    }
    let (plan, path) = (Fields(level.plan()), Path::new(form, size, level.start(), moves));
    let parts = Parts {
        grid: grid::bytes(view.grid, size, level.grid().outline.as_ref().map_or(0, |outline| outline.void.count())),
        plan: plan.bytes(),
        path: path.bytes(),
    };
    let bytes = (head.len() + middle.len() + tail.len()) as u64 + parts.total();
    if bytes > limit {
        return Err(Error::TooLarge(view.too_large(parts, bytes, limit)));
    }
    resize(body, bytes as usize);
    let rest = put(body, head.as_bytes());
    let (tiles, rest) = rest.split_at_mut(parts.grid as usize);
    grid::write(view.grid, level.grid(), tiles, context)?;
    let (rooms, rest) = rest.split_at_mut(parts.plan as usize);
    plan.write(rooms);
    let rest = put(rest, middle.as_bytes());
    let (steps, rest) = rest.split_at_mut(parts.path as usize);
    path.write(steps);
    put(rest, tail.as_bytes());
    Ok(())
}

/// Most bytes of a small answer, with what it takes to write it: of its tiles, there are no more than a few hundred.
pub const SMALL_ANSWER_BYTES: u64 = 32 << 10;

/// A small answer about `level`: the fields of an object, beside those that every answer begins with.
pub fn answer(level: &Level, fields: &impl Serialize) -> Vec<u8> {
    #[derive(Serialize)]
    struct Whole<'a, T: Serialize> {
        #[serde(flatten)]
        head: Head<'a>,
        #[serde(flatten)]
        fields: &'a T,
    }
    text(&Whole { head: Head(level), fields }).into_bytes()
}

/// The answer that tells some tiles of `level` for spawns.
pub fn spawns(level: &Level, tiles: &[Tile]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Spawns<'a> {
        spawns: &'a [Tile],
    }
    answer(level, &Spawns { spawns: tiles })
}

/// A small thing as JSON.
fn text(value: &(impl Serialize + ?Sized)) -> String {
    #[expect(clippy::expect_used, reason = "strings and numbers under fixed names always have a form as JSON")]
    serde_json::to_string(value).expect("it has a form as JSON")
}

/// Gives a buffer its length; what it holds then means nothing.
fn resize(body: &mut Vec<u8>, bytes: usize) {
    if body.capacity() < bytes {
        // fresh memory comes as zeros, nobody has to write them
        *body = vec![0; bytes];
    } else {
        body.resize(bytes, 0);
    }
}

/// Copies `bytes` to the front of `out` and gives what is left of it.
fn put<'a>(out: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (front, rest) = out.split_at_mut(bytes.len());
    front.copy_from_slice(bytes);
    rest
}

/// The fields that every answer about a level begins with: its recipe, defaults filled in.
struct Head<'a>(&'a Level);

impl Serialize for Head<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let recipe = self.0.recipe();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("algorithm", recipe.algorithm().name)?;
        map.serialize_entry("seed", &recipe.seed().to_string())?;
        map.serialize_entry("width", &recipe.size().width)?;
        map.serialize_entry("height", &recipe.size().height)?;
        map.serialize_entry("options", &OptionValues(recipe))?;
        map.serialize_entry("start", &self.0.start())?;
        map.serialize_entry("exit", &self.0.exit())?;
        map.end()
    }
}

/// The recipe's options as an object of numbers.
struct OptionValues<'a>(&'a Recipe);

impl Serialize for OptionValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = self.0.algorithm().options;
        let mut map = serializer.serialize_map(Some(options.len()))?;
        for row in options.iter().map(|option| option.row()) {
            map.serialize_entry(row.name, &option_value(row.kind, self.0.options().get(row.option)))?;
        }
        map.end()
    }
}

/// An option's value as a number.
pub fn option_value(kind: OptionType, value: u64) -> Value {
    match kind {
        OptionType::Fraction { .. } if !value.is_multiple_of(FRACTION_UNIT) => {
            // four decimal places survive the way through a double: the shortest text that gives it back is theirs
            (f64::from(value as u32) / f64::from(FRACTION_UNIT as u32)).into()
        }
        OptionType::Fraction { .. } => (value / FRACTION_UNIT).into(),
        OptionType::Count => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD as BASE64;

    use super::*;
    use crate::level::parameters::Parameters;
    use crate::level::recipe::Limits;
    use crate::level::work::{Buffers, Cancel};

    fn build(pairs: &[(&str, &str)]) -> Level {
        let recipe = Recipe::from_pairs(pairs, Limits::of_side(4001)).unwrap();
        Level::build(recipe, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
    }

    fn view(pairs: &[(&'static str, &'static str)]) -> RenderOptions {
        RenderOptions::read(&mut Parameters::bare(pairs)).unwrap()
    }

    fn body(level: &Level, view: &RenderOptions) -> Vec<u8> {
        let mut buffers = Buffers::default();
        super::level(level, view, u64::MAX, &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() }).unwrap()
    }

    fn json(level: &Level, pairs: &[(&'static str, &'static str)]) -> Value {
        serde_json::from_slice(&body(level, &view(pairs))).unwrap()
    }

    #[test]
    fn every_form_shows_the_same_tiles() {
        let widths = ["3", "5", "7", "9", "15", "17", "31", "33", "63", "65", "67", "127", "129", "131"];
        // both layouts of a grid
        for (algorithm, width) in ["binary_tree", "bsp"].into_iter().flat_map(|name| widths.map(|width| (name, width)))
        {
            let level = build(&[("algo", algorithm), ("width", width), ("height", "7"), ("seed", "7")]);
            let size = level.grid().size();
            let (matrix, rows, bits) =
                (json(&level, &[]), json(&level, &[("grid", "rows")]), json(&level, &[("grid", "bits")]));
            let packed = BASE64.decode(bits["bits"].as_str().unwrap()).unwrap();
            let row_bytes = size.width.div_ceil(8) as usize;
            assert_eq!(packed.len(), row_bytes * size.height as usize);
            for y in 0..size.height as usize {
                assert_eq!(matrix["grid"][y].as_array().unwrap().len(), size.width as usize);
                assert_eq!(rows["rows"][y].as_str().unwrap().len(), size.width as usize);
                for x in 0..row_bytes * 8 {
                    let wall = packed[y * row_bytes + x / 8] << (x % 8) & 0x80 != 0;
                    if x >= size.width as usize {
                        assert!(!wall, "padding is zero");
                        continue;
                    }
                    assert_eq!(wall, !level.grid().is_open(Tile { x: x as u32, y: y as u32 }));
                    assert_eq!(matrix["grid"][y][x], u8::from(wall));
                    assert_eq!(rows["rows"][y].as_str().unwrap().as_bytes()[x], if wall { b'#' } else { b'.' });
                }
            }
        }
    }

    #[test]
    fn a_buffer_that_held_anything_gives_the_same_body() {
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let mut buffer = vec![b'?'; 10_000];
        for size in ["41", "9", "201", "41"] {
            let level = build(&[("algo", "binary_tree"), ("size", size), ("seed", "7")]);
            let view = view(&[]);
            level_into(&mut buffer, &level, &view, u64::MAX, &mut context).unwrap();
            assert_eq!(buffer, body(&level, &view), "{size}");
        }
    }

    #[test]
    fn points_and_moves_tell_the_same_path() {
        let level = build(&[("algo", "binary_tree"), ("size", "201"), ("seed", "7")]);
        let (points, moves) = (json(&level, &[]), json(&level, &[("path", "moves")]));
        let mut tile = level.start();
        let letters = moves["solution"]["moves"].as_str().unwrap();
        assert_eq!(points["solution"]["length"], letters.len());
        assert_eq!(points["solution"]["path"][0], serde_json::to_value(tile).unwrap());
        for (i, letter) in letters.bytes().enumerate() {
            tile = tile.step(Direction::ALL.into_iter().find(|step| step.letter() == letter).unwrap());
            assert_eq!(points["solution"]["path"][i + 1], serde_json::to_value(tile).unwrap());
        }
        assert_eq!(tile, level.exit());
    }

    #[test]
    fn what_is_not_asked_for_is_left_out() {
        let level = build(&[("algo", "binary_tree"), ("size", "5"), ("seed", "a\"b")]);
        let keys = |pairs: &[_]| json(&level, pairs).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let head = ["algorithm", "seed", "width", "height", "options", "start", "exit"];
        assert_eq!(keys(&[("solver", "none"), ("grid", "none")]), head);
        let short = json(&level, &[("path", "none")]);
        assert_eq!(short["solution"].as_object().unwrap().keys().collect::<Vec<_>>(), ["solver", "length"]);
        assert_eq!(short["seed"], "a\"b");
    }

    #[test]
    fn a_plan_is_written_as_it_is_and_within_its_bounds() {
        for (size, rooms, door, loops) in [
            ("41", "21", "1", "0"),
            ("41", "21", "1", "1"),
            ("130", "1", "2", "1"),
            ("401", "1500", "2", "0.5"),
            ("3", "1", "1", "0"),
        ] {
            let pairs = [("size", size), ("rooms", rooms), ("door_size", door), ("loops", loops)];
            let level = build(&[&[("algo", "bsp"), ("seed", "7")], &pairs[..]].concat());
            let plan = level.plan().unwrap();
            let json = json(&level, &[("grid", "none"), ("solver", "none")]);
            assert_eq!(json["rooms"].as_array().unwrap().len(), plan.rooms.len());
            for (room, json) in plan.rooms.iter().zip(json["rooms"].as_array().unwrap()) {
                let expected = serde_json::json!({
                    "x": room.x, "y": room.y, "width": room.width, "height": room.height, "area": room.area
                });
                assert_eq!(*json, expected);
            }
            assert_eq!(json["doors"].as_array().unwrap().len(), plan.doors.len());
            for (door, json) in plan.doors.iter().zip(json["doors"].as_array().unwrap()) {
                let tiles: Vec<_> = door.tiles().collect();
                assert_eq!(*json, serde_json::json!({"tiles": tiles, "rooms": door.rooms}));
            }
            let bounds = plan::bounds(level.recipe());
            let bytes = Fields(level.plan()).bytes();
            assert!(bounds.start <= bytes && bytes <= bounds.end, "{bytes} in {bounds:?}");
        }
    }

    #[test]
    fn too_many_rooms_are_refused_before_they_are_made() {
        let pairs = [("algo", "bsp"), ("size", "4001"), ("seed", "7"), ("rooms", "1000000"), ("min_room_area", "1")];
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
        let fault = view(&[("grid", "none"), ("solver", "none")]).check(&recipe, 64 << 20).unwrap_err();
        assert_eq!(fault.parameter, "rooms");
    }

    #[test]
    fn a_body_past_the_limit_is_refused_and_one_at_it_is_not() {
        let level = build(&[("algo", "binary_tree"), ("size", "41"), ("seed", "7")]);
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        for (pairs, parameter) in [(&[][..], "grid"), (&[("grid", "none")], "path"), (&[("grid", "bits")], "path")] {
            let view = view(pairs);
            let bytes = body(&level, &view).len() as u64;
            assert!(super::level(&level, &view, bytes, &mut context).is_ok());
            let refused = super::level(&level, &view, bytes - 1, &mut context).unwrap_err();
            assert!(matches!(refused, Error::TooLarge(fault) if fault.parameter == parameter));
        }
    }
}
