//! The rooms and doors of a level as JSON. The same code counts the bytes and writes them: it emits all text into a
//! [`Sink`], which is a [`Count`] the first time and a [`Text`] the second.

use std::ops::Range;

use crate::level::grid::{Door, Plan, Room, Tile};
use crate::level::parameters::options::{FRACTION_UNIT, OptionId};
use crate::level::recipe::Recipe;

/// The fields `rooms` and `doors` of a room map. Nothing if the level is a maze, which has no plan.
pub(crate) struct Fields<'a>(pub(crate) Option<&'a Plan>);

impl Fields<'_> {
    /// The number of bytes of the fields.
    pub(crate) fn bytes(&self) -> u64 {
        let mut count = Count(0);
        self.emit(&mut count);
        count.0
    }

    /// Fills `out`, which has just the right length.
    pub(crate) fn write(&self, out: &mut [u8]) {
        self.emit(&mut Text { out, at: 0 });
    }

    fn emit(&self, sink: &mut impl Sink) {
        let Some(plan) = self.0 else { return };
        sink.text(r#","rooms":["#);
        emit_all(&plan.rooms, sink, emit_room);
        sink.text(r#","doors":["#);
        emit_all(&plan.doors, sink, emit_door);
    }
}

/// The least and the most bytes of the rooms and doors of a recipe. The least holds only if the level can be built.
///
/// - Least: each number has one digit.
/// - Most rooms: in a rectangle one for each cell of a maze of this size. In a mask one for every two tiles, because
///   each room but one needs a tile for a door.
/// - Most doors: one for each room but one, and `loops` of the other pairs of rooms with a shared wall. These pairs are
///   the edges of a planar graph, so there are less than three for each room in all, and less than two besides the
///   first doors.
pub(crate) fn bounds(recipe: &Recipe) -> Range<u64> {
    if !recipe.algorithm().options.contains(&OptionId::Rooms) {
        return 0..0;
    }
    let (columns, rows) = recipe.size().cells();
    let most_rooms = match recipe.mask() {
        None => columns as u64 * rows as u64,
        Some(_) => recipe.inside().div_ceil(2),
    };
    let rooms = recipe.options().get(OptionId::Rooms).min(most_rooms);
    let door = recipe.options().get(OptionId::DoorSize).min(recipe.size().area());
    let loops = (2 * rooms * recipe.options().get(OptionId::Loops)).div_ceil(FRACTION_UNIT);
    let bytes = |room: &str, tile: &str, door_without_tiles: &str, loops: u64| {
        let door = door * tile.len() as u64 + door_without_tiles.len() as u64;
        rooms * room.len() as u64 + (rooms.saturating_sub(1) + loops) * door
    };
    let least = bytes(r#"{"x":1,"y":1,"width":1,"height":1,"area":1},"#, "[1,1],", r#"{"tiles":],"rooms":[0,1]},"#, 0);
    let most = bytes(
        r#"{"x":16000,"y":16000,"width":16000,"height":16000,"area":256000000},"#,
        "[16000,16000],",
        r#"{"tiles":[],"rooms":[99999999,99999999]},"#,
        loops,
    );
    least..most + r#","rooms":[],"doors":[]"#.len() as u64
}

/// Emits the items of an array, with commas between them, and its closing bracket. The opening bracket was emitted
/// before.
fn emit_all<T, S: Sink>(items: impl IntoIterator<Item = T>, sink: &mut S, emit: impl Fn(T, &mut S)) {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            sink.text(",");
        }
        emit(item, sink);
    }
    sink.text("]");
}

fn emit_room(room: &Room, sink: &mut impl Sink) {
    let fields = [r#"{"x":"#, r#","y":"#, r#","width":"#, r#","height":"#, r#","area":"#];
    let values = [room.x.into(), room.y.into(), room.width.into(), room.height.into(), room.area];
    for (field, value) in fields.into_iter().zip(values) {
        sink.text(field);
        sink.number(value);
    }
    sink.text("}");
}

fn emit_door(door: &Door, sink: &mut impl Sink) {
    sink.text(r#"{"tiles":["#);
    emit_all(door.tiles(), sink, |Tile { x, y }, sink| emit_pair([x, y], sink));
    sink.text(r#","rooms":"#);
    emit_pair(door.rooms, sink);
    sink.text("}");
}

fn emit_pair([first, second]: [u32; 2], sink: &mut impl Sink) {
    sink.text("[");
    sink.number(first.into());
    sink.text(",");
    sink.number(second.into());
    sink.text("]");
}

/// Receives text piece by piece.
trait Sink {
    fn text(&mut self, text: &str);
    fn number(&mut self, value: u64);
}

/// Counts the bytes that it receives.
struct Count(u64);

impl Sink for Count {
    fn text(&mut self, text: &str) {
        self.0 += text.len() as u64;
    }

    fn number(&mut self, value: u64) {
        self.0 += digits(value) as u64;
    }
}

/// Writes the bytes that it receives to `out`, from index `at` on.
struct Text<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Sink for Text<'_> {
    fn text(&mut self, text: &str) {
        self.out[self.at..][..text.len()].copy_from_slice(text.as_bytes());
        self.at += text.len();
    }

    fn number(&mut self, mut value: u64) {
        let digits = digits(value);
        for digit in self.out[self.at..][..digits].iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
        }
        self.at += digits;
    }
}

fn digits(value: u64) -> usize {
    value.checked_ilog10().map_or(1, |log| log as usize + 1)
}
