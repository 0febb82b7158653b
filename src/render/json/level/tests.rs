//! Tests of the answers about a level, each read back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use serde_json::Value;

use super::*;
use crate::level::grid::Tile;
use crate::level::parameters::Parameters;
use crate::level::queries::Query;
use crate::level::recipe::Limits;
use crate::level::work::{Buffers, Cancel};
use crate::render::options::RenderOptions;

fn build(pairs: &[(&str, &str)]) -> Level {
    let recipe = Recipe::from_pairs(pairs, Limits::of_side(4001)).unwrap();
    Level::build(recipe, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

fn view(pairs: &[(&'static str, &'static str)]) -> (SolutionQuery, RenderOptions) {
    let mut params = Parameters::bare(pairs);
    (SolutionQuery::read(&mut params).unwrap(), RenderOptions::read(&mut params, FORMAT.parameters).unwrap())
}

fn rendering(view: &(SolutionQuery, RenderOptions), limit: u64) -> Rendering<'_, SolutionQuery> {
    Rendering { query: &view.0, options: view.1, limit }
}

fn body(level: &Level, view: &(SolutionQuery, RenderOptions)) -> Vec<u8> {
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    (FORMAT.write)(&rendering(view, u64::MAX), level, &mut context).unwrap()
}

fn json(level: &Level, pairs: &[(&'static str, &'static str)]) -> Value {
    serde_json::from_slice(&body(level, &view(pairs))).unwrap()
}

#[test]
fn every_form_shows_the_same_tiles() {
    let widths = ["3", "5", "7", "9", "15", "17", "31", "33", "63", "65", "67", "127", "129", "131"];
    // both layouts of a grid
    for (algorithm, width) in ["binary_tree", "bsp"].into_iter().flat_map(|name| widths.map(|width| (name, width))) {
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
        write_into(&mut buffer, &rendering(&view, u64::MAX), &level, &mut context).unwrap();
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
fn fields_that_the_client_does_not_want_are_left_out() {
    let level = build(&[("algo", "binary_tree"), ("size", "5"), ("seed", "a\"b")]);
    let keys = |pairs: &[_]| json(&level, pairs).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let head = ["algorithm", "seed", "width", "height", "options", "start", "exit", "recipe"];
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
fn too_many_rooms_give_an_error_before_they_are_made() {
    let pairs = [("algo", "bsp"), ("size", "4001"), ("seed", "7"), ("rooms", "1000000"), ("min_room_area", "1")];
    let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
    let view = view(&[("grid", "none"), ("solver", "none")]);
    let error = check(&rendering(&view, 64 << 20), &recipe).unwrap_err();
    assert_eq!(error.parameter, "rooms");
}

#[test]
fn a_body_above_the_limit_is_an_error_and_one_at_the_limit_is_not() {
    let level = build(&[("algo", "binary_tree"), ("size", "41"), ("seed", "7")]);
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    for (pairs, parameter) in [(&[][..], "grid"), (&[("grid", "none")], "path"), (&[("grid", "bits")], "path")] {
        let view = view(pairs);
        let bytes = body(&level, &view).len() as u64;
        assert!((FORMAT.write)(&rendering(&view, bytes), &level, &mut context).is_ok());
        let error = (FORMAT.write)(&rendering(&view, bytes - 1), &level, &mut context).unwrap_err();
        assert!(matches!(error, Error::TooLarge(error) if error.parameter == parameter));
    }
}
