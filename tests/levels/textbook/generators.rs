//! The algorithms as their textbooks have them, and variants of them.

use mazed::level::rng::Rng;

/// Cells in columns and rows, numbered row by row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Board {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Board {
    const fn cells(self) -> usize {
        self.columns * self.rows
    }

    /// The pairs of neighbouring cells, the smaller number first.
    pub(super) fn edges(self) -> Vec<(usize, usize)> {
        let beside = |cell: usize| (!(cell + 1).is_multiple_of(self.columns)).then_some((cell, cell + 1));
        let below = |cell: usize| (cell + self.columns < self.cells()).then_some((cell, cell + self.columns));
        (0..self.cells()).flat_map(|cell| [beside(cell), below(cell)]).flatten().collect()
    }

    /// The neighbours of a cell: above, to the right, below, to the left.
    fn neighbours(self, cell: usize) -> Vec<usize> {
        let (x, y) = (cell % self.columns, cell / self.columns);
        let above = (y > 0).then(|| cell - self.columns);
        let right = (x + 1 < self.columns).then_some(cell + 1);
        let below = (y + 1 < self.rows).then_some(cell + self.columns);
        let left = (x > 0).then(|| cell - 1);
        [above, right, below, left].into_iter().flatten().collect()
    }

    /// A maze with passages between these pairs of cells: a bit for each of [`Board::edges`].
    fn maze(self, passages: &[(usize, usize)]) -> u32 {
        let is_open = |(a, b): (usize, usize)| passages.contains(&(a, b)) || passages.contains(&(b, a));
        self.edges().into_iter().zip(0..).map(|(edge, bit)| u32::from(is_open(edge)) << bit).sum()
    }
}

/// Makes one maze.
pub(super) type Generator = fn(Board, &mut Rng) -> u32;

/// The textbook form of each algorithm, with the option that its recipe has beside the name.
pub(super) const TEXTBOOK: &[(&str, Generator)] = &[
    ("kruskal", kruskal),
    ("binary_tree", binary_tree),
    ("dfs", |board, rng| dfs(board, 0, rng)),
    ("prim", |board, rng| prim(board, Equal::Newest, rng)),
    ("sidewinder", sidewinder),
    ("eller", |board, rng| eller(board, Kept::Random, rng)),
    ("wilson", wilson),
    ("aldous_broder", aldous_broder),
    ("hunt_and_kill", |board, rng| hunt_and_kill(board, 0, rng)),
    ("growing_tree", |board, rng| growing_tree(board, 50, rng)),
    ("growing_tree&mix=0", |board, rng| growing_tree(board, 0, rng)),
    ("growing_tree&mix=1", |board, rng| growing_tree(board, 100, rng)),
    ("recursive_division", recursive_division),
    ("prim_simplified", prim_simplified),
];

/// What an algorithm must not be taken for, on boards as small as these.
pub(super) const VARIANTS: &[(&str, &str, Generator)] = &[
    ("dfs", "a walk from a random cell", |board, rng| dfs(board, one_of(board.cells(), rng), rng)),
    ("hunt_and_kill", "a hunt from a random cell", |board, rng| hunt_and_kill(board, one_of(board.cells(), rng), rng)),
    ("prim", "all edges equal, the newest first", |board, rng| prim(board, Equal::All, rng)),
    ("eller", "keeping the last cell open", |board, rng| eller(board, Kept::Last, rng)),
    ("prim_simplified", "growing_tree with random picks", |board, rng| growing_tree(board, 0, rng)),
    ("growing_tree&mix=0", "the frontier-cell method", prim_simplified),
    ("growing_tree", "three newest picks of five", |board, rng| growing_tree(board, 60, rng)),
    ("kruskal", "equal chances", wilson),
];

/// A number below `count`.
fn one_of(count: usize, rng: &mut Rng) -> usize {
    rng.below(count as u32) as usize
}

/// One of these.
fn pick<T: Copy>(items: &[T], rng: &mut Rng) -> T {
    items[one_of(items.len(), rng)]
}

/// All edges in random order; one that joins two parts becomes a passage.
fn kruskal(board: Board, rng: &mut Rng) -> u32 {
    let (mut edges, mut passages) = (board.edges(), vec![]);
    let mut parts: Vec<_> = (0..board.cells()).collect();
    rng.shuffle(&mut edges);
    for (a, b) in edges {
        let (kept, lost) = (parts[a], parts[b]);
        if kept != lost {
            parts.iter_mut().filter(|part| **part == lost).for_each(|part| *part = kept);
            passages.push((a, b));
        }
    }
    board.maze(&passages)
}

/// Each cell opens to the right or downwards.
fn binary_tree(board: Board, rng: &mut Rng) -> u32 {
    let onwards = |cell| board.neighbours(cell).into_iter().filter(move |other| *other > cell).collect::<Vec<_>>();
    let passages: Vec<_> = (0..board.cells() - 1).map(|cell| (cell, pick(&onwards(cell), rng))).collect();
    board.maze(&passages)
}

/// Walks to random unvisited cells and backs up where there are none.
fn dfs(board: Board, first: usize, rng: &mut Rng) -> u32 {
    let (mut visited, mut trail, mut passages) = (vec![first], vec![first], vec![]);
    while let Some(&cell) = trail.last() {
        let mut next = board.neighbours(cell);
        next.retain(|cell| !visited.contains(cell));
        if next.is_empty() {
            trail.pop();
        } else {
            let next = pick(&next, rng);
            passages.push((cell, next));
            visited.push(next);
            trail.push(next);
        }
    }
    board.maze(&passages)
}

/// Which of several edges is taken.
#[derive(Clone, Copy, PartialEq)]
enum Equal {
    /// Of those with the least weight the newest.
    Newest,
    /// The newest of all.
    All,
}

/// Takes the edge with the least weight that leaves the tree, with weights from 0 to 99.
fn prim(board: Board, equal: Equal, rng: &mut Rng) -> u32 {
    let (mut visited, mut edges, mut passages) = (vec![0], vec![], vec![]);
    let mut cell = 0;
    loop {
        for next in board.neighbours(cell) {
            if !visited.contains(&next) {
                let weight = if equal == Equal::All { 0 } else { rng.below(100) };
                edges.push((weight, cell, next));
            }
        }
        edges.retain(|(.., next)| !visited.contains(next));
        // the last of several with the least weight: the newest
        let Some(&(_, from, next)) = edges.iter().rev().min_by_key(|(weight, ..)| *weight) else { break };
        passages.push((from, next));
        visited.push(next);
        cell = next;
    }
    board.maze(&passages)
}

/// Divides each row but the first into runs by coins; each run opens upwards from a random cell.
fn sidewinder(board: Board, rng: &mut Rng) -> u32 {
    let (mut run, mut passages) = (vec![], vec![]);
    for cell in 0..board.cells() {
        let (is_first_row, is_last_column) = (cell < board.columns, (cell + 1).is_multiple_of(board.columns));
        run.push(cell);
        if !is_last_column && (is_first_row || rng.below(2) == 0) {
            passages.push((cell, cell + 1));
        } else {
            if !is_first_row {
                let up = pick(&run, rng);
                passages.push((up, up - board.columns));
            }
            run.clear();
        }
    }
    board.maze(&passages)
}

/// Which cell stays open of a set of Eller's that would be shut.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Random,
    Last,
}

/// Joins random neighbours in each row, and opens random cells downwards, at least one of each set.
fn eller(board: Board, kept: Kept, rng: &mut Rng) -> u32 {
    let mut passages = vec![];
    // the set of each cell of the row
    let mut sets: Vec<_> = (0..board.columns).collect();
    for y in 0..board.rows {
        let (first, is_last_row) = (y * board.columns, y + 1 == board.rows);
        for x in 0..board.columns - 1 {
            let (left, right) = (sets[x], sets[x + 1]);
            if left != right && (is_last_row || rng.below(2) == 0) {
                sets.iter_mut().filter(|set| **set == right).for_each(|set| *set = left);
                passages.push((first + x, first + x + 1));
            }
        }
        if is_last_row {
            break;
        }
        let mut below = vec![None; board.columns];
        for set in 0..board.columns * board.rows {
            let members: Vec<_> = (0..board.columns).filter(|x| sets[*x] == set).collect();
            let mut open: Vec<_> = members.iter().copied().filter(|_| rng.below(2) == 0).collect();
            if let (true, Some(last)) = (open.is_empty(), members.last()) {
                open.push(if kept == Kept::Last { *last } else { pick(&members, rng) });
            }
            for x in open {
                below[x] = Some(set);
                passages.push((first + x, first + x + board.columns));
            }
        }
        // a cell below a shut one begins a set of its own, whose number no other set has
        let unused: Vec<_> = (0..).filter(|set| !below.contains(&Some(*set))).take(board.columns).collect();
        sets = below.iter().zip(unused).map(|(set, unused)| set.unwrap_or(unused)).collect();
    }
    board.maze(&passages)
}

/// Walks at random from each cell until the walk meets the tree, without the loops of the walk.
fn wilson(board: Board, rng: &mut Rng) -> u32 {
    let (mut in_tree, mut passages) = (vec![0], vec![]);
    for start in 1..board.cells() {
        let mut walk = vec![start];
        while !in_tree.contains(&walk[walk.len() - 1]) {
            let next = pick(&board.neighbours(walk[walk.len() - 1]), rng);
            match walk.iter().position(|cell| *cell == next) {
                Some(before) => walk.truncate(before + 1),
                None => walk.push(next),
            }
        }
        passages.extend(walk.windows(2).map(|pair| (pair[0], pair[1])));
        in_tree.extend(walk);
    }
    board.maze(&passages)
}

/// Walks at random; the step to a new cell becomes a passage.
fn aldous_broder(board: Board, rng: &mut Rng) -> u32 {
    let mut cell = one_of(board.cells(), rng);
    let (mut visited, mut passages) = (vec![cell], vec![]);
    while visited.len() < board.cells() {
        let next = pick(&board.neighbours(cell), rng);
        if !visited.contains(&next) {
            visited.push(next);
            passages.push((cell, next));
        }
        cell = next;
    }
    board.maze(&passages)
}

/// Walks to random unvisited cells; where there are none, joins the first unvisited cell that touches a visited one to
/// such a cell and walks on from there.
fn hunt_and_kill(board: Board, first: usize, rng: &mut Rng) -> u32 {
    let (mut visited, mut passages, mut cell) = (vec![first], vec![], first);
    while visited.len() < board.cells() {
        let by_visit = |cell: usize, wanted: bool| {
            let neighbours = board.neighbours(cell).into_iter();
            neighbours.filter(|other| visited.contains(other) == wanted).collect::<Vec<_>>()
        };
        let onwards = by_visit(cell, false);
        let (from, next) = if onwards.is_empty() {
            let hunted = |cell: &usize| !visited.contains(cell) && !by_visit(*cell, true).is_empty();
            let next = (0..board.cells()).find(hunted).unwrap();
            (pick(&by_visit(next, true), rng), next)
        } else {
            (cell, pick(&onwards, rng))
        };
        passages.push((from, next));
        visited.push(next);
        cell = next;
    }
    board.maze(&passages)
}

/// Picks an active cell, in so many of a hundred cases the newest, else a random one, and joins a random unvisited
/// neighbour to it.
fn growing_tree(board: Board, newest: u32, rng: &mut Rng) -> u32 {
    let (mut visited, mut active, mut passages) = (vec![0], vec![0], vec![]);
    while !active.is_empty() {
        let is_newest = rng.below(100) < newest;
        let at = if is_newest { active.len() - 1 } else { one_of(active.len(), rng) };
        let mut next = board.neighbours(active[at]);
        next.retain(|cell| !visited.contains(cell));
        if next.is_empty() {
            active.remove(at);
        } else {
            let next = pick(&next, rng);
            passages.push((active[at], next));
            visited.push(next);
            active.push(next);
        }
    }
    board.maze(&passages)
}

/// Builds a wall with one gap across the longer side of a region, then in both of its parts.
fn recursive_division(board: Board, rng: &mut Rng) -> u32 {
    let mut passages = board.edges();
    let mut regions = vec![(0, 0, board.columns, board.rows)];
    while let Some((x, y, width, height)) = regions.pop() {
        if width == 1 || height == 1 {
            continue;
        }
        let cell = |x: usize, y: usize| y * board.columns + x;
        if width > height || width == height && rng.below(2) == 0 {
            let before = 1 + one_of(width - 1, rng);
            let gap = one_of(height, rng);
            let wall = (0..height).filter(|at| *at != gap).map(|at| cell(x + before - 1, y + at));
            let wall: Vec<_> = wall.map(|cell| (cell, cell + 1)).collect();
            passages.retain(|passage| !wall.contains(passage));
            regions.extend([(x, y, before, height), (x + before, y, width - before, height)]);
        } else {
            let before = 1 + one_of(height - 1, rng);
            let gap = one_of(width, rng);
            let wall = (0..width).filter(|at| *at != gap).map(|at| cell(x + at, y + before - 1));
            let wall: Vec<_> = wall.map(|cell| (cell, cell + board.columns)).collect();
            passages.retain(|passage| !wall.contains(passage));
            regions.extend([(x, y, width, before), (x, y + before, width, height - before)]);
        }
    }
    board.maze(&passages)
}

/// Takes a random cell that touches the tree, and joins it to a random neighbour in the tree.
fn prim_simplified(board: Board, rng: &mut Rng) -> u32 {
    let (mut visited, mut passages) = (vec![0], vec![]);
    loop {
        let frontier = (0..board.cells()).filter(|cell| !visited.contains(cell));
        let touches = |cell: &usize| board.neighbours(*cell).iter().any(|other| visited.contains(other));
        let frontier: Vec<_> = frontier.filter(touches).collect();
        if frontier.is_empty() {
            break;
        }
        let next = pick(&frontier, rng);
        let mut inside = board.neighbours(next);
        inside.retain(|cell| visited.contains(cell));
        passages.push((pick(&inside, rng), next));
        visited.push(next);
    }
    board.maze(&passages)
}
