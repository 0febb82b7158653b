//! The rooms of a map, and the shortest paths in a room.
//!
//! In a rectangle a shortest path has as many steps as rows and columns lie between its ends. In other rooms a
//! breadth-first search finds it, which ends with the path.

use crate::level::Level;
use crate::level::grid::{Direction, Door, Grid, Plan, Room, Size, Tile};
use crate::level::search::tile_map::{NO_STEPS, TileMap, UNMET};
use crate::level::work::{Cancel, Cancelled, JobContext, recycled};

/// Most bytes of the labels of a level and of the queue of the searches.
pub(super) const fn label_bytes(size: Size) -> u64 {
    4 * TileMap::<i32>::len(size) as u64 + 4 * size.area()
}

/// The rooms, the doors, and the shortest paths in a room.
pub(super) struct RoomMap<'a> {
    pub(super) plan: &'a Plan,
    /// If a room is no rectangle.
    labels: Option<Labels<'a>>,
    pub(super) cancel: Cancel<'a>,
}

impl<'a> RoomMap<'a> {
    pub(super) fn of(level: &Level, plan: &'a Plan, context: &'a mut JobContext) -> Result<Self, Cancelled> {
        let (buffers, cancel) = (&mut *context.buffers, context.cancel);
        let labels = if plan.rooms.iter().all(is_rectangle) {
            None
        } else {
            Some(Labels::of(level.grid(), plan, &mut buffers.steps, &mut buffers.indices, cancel)?)
        };
        Ok(Self { plan, labels, cancel })
    }

    /// Whether a tile lies in a room.
    pub(super) fn is_in(&self, tile: Tile, room: u32) -> bool {
        let Room { x, y, width, height, .. } = self.plan.rooms[room as usize];
        let in_box = tile.x.wrapping_sub(x) < width && tile.y.wrapping_sub(y) < height;
        in_box && self.labels.as_ref().is_none_or(|labels| labels.is_in(tile, room))
    }

    /// The direction from a door to one of its rooms.
    pub(super) fn towards(&self, door: &Door, room: u32) -> Direction {
        let back = if door.along == Direction::Right { Direction::Up } else { Direction::Left };
        if self.is_in(door.first.step(back), room) { back } else { back.back() }
    }

    /// The steps of a shortest path between two tiles of a room.
    pub(super) fn steps(&mut self, from: Tile, to: Tile, room: u32) -> Result<u64, Cancelled> {
        match &mut self.labels {
            Some(labels) if !is_rectangle(&self.plan.rooms[room as usize]) => {
                labels.steps(from, to, room.cast_signed(), self.cancel)
            }
            _ => Ok(from.distance(to)),
        }
    }
}

fn is_rectangle(room: &Room) -> bool {
    room.area == u64::from(room.width) * u64::from(room.height)
}

/// A map with the number of its room for each tile, and the queue of the searches. Doors are walls here, so no search
/// leaves its room.
struct Labels<'a> {
    map: TileMap<'a, i32>,
    queue: &'a mut [u32],
    /// Tiles visited since the last check for cancellation.
    visited: usize,
}

/// Tiles that searches visit between two checks for cancellation.
const BLOCK: usize = 4096;

impl<'a> Labels<'a> {
    fn of(
        grid: &Grid,
        plan: &Plan,
        map: &'a mut Vec<i32>,
        queue: &'a mut Vec<u32>,
        cancel: Cancel,
    ) -> Result<Self, Cancelled> {
        let map = TileMap::unpack(grid, map);
        for tile in plan.doors.iter().flat_map(Door::tiles).chain(grid.openings.into_iter().flatten()) {
            map.tiles[map.index(tile) as usize] = NO_STEPS;
        }
        let largest = plan.rooms.iter().map(|room| room.area).max().unwrap_or(0);
        let mut labels = Self { map, queue: recycled(queue, largest as usize), visited: 0 };
        for (room, number) in plan.rooms.iter().zip(0..) {
            // rooms are numbered in the order of their first tiles, so this one has the first tile without a number
            let row = labels.map.index(Tile { x: room.x, y: room.y }) as usize;
            let first = labels.map.tiles[row..][..room.width as usize].iter().position(|label| *label == UNMET);
            if let Some(first) = first {
                labels.search((row + first) as u32, None, [UNMET, number], cancel)?;
            }
        }
        Ok(labels)
    }

    fn is_in(&self, tile: Tile, room: u32) -> bool {
        self.map.tiles[self.map.index(tile) as usize] == room.cast_signed()
    }

    /// The steps of a shortest path between two tiles of a room.
    fn steps(&mut self, from: Tile, to: Tile, room: i32, cancel: Cancel) -> Result<u64, Cancelled> {
        let [from, to] = [from, to].map(|tile| self.map.index(tile));
        let (steps, reached) = self.search(from, Some(to), [room, NO_STEPS], cancel)?;
        for index in &self.queue[..reached] {
            self.map.tiles[*index as usize] = room;
        }
        Ok(steps)
    }

    /// Searches the tiles that have the first label, all of them or up to the tile `to`, and gives them the second.
    /// Returns the steps to the last tile, and how many tiles it reached: these stand in the queue.
    fn search(
        &mut self,
        from: u32,
        to: Option<u32>,
        [before, after]: [i32; 2],
        cancel: Cancel,
    ) -> Result<(u64, usize), Cancelled> {
        let steps = self.map.steps();
        self.map.tiles[from as usize] = after;
        self.queue[0] = from;
        let (mut head, mut tail, mut rounds) = (0, 1, 0);
        while to != Some(from) && head < tail {
            if self.visited >= BLOCK {
                cancel.check()?;
                self.visited = 0;
            }
            self.visited += tail - head;
            rounds += 1;
            let round = head..tail;
            head = tail;
            for i in round {
                for next in steps.map(|step| self.queue[i].wrapping_add(step)) {
                    if self.map.tiles[next as usize] == before {
                        self.map.tiles[next as usize] = after;
                        self.queue[tail] = next;
                        tail += 1;
                        if to == Some(next) {
                            return Ok((rounds, tail));
                        }
                    }
                }
            }
        }
        Ok((rounds, tail))
    }
}
