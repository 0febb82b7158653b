use super::*;

fn demand(width: u32, height: u32, area: u64, side: u64) -> RectangleDemand {
    RectangleDemand { inside: [width, height], area, side }
}

/// The reference implementation: tries each cut recursively, without table, symmetry or shapes.
fn oracle(width: u64, height: u64, area: u64, side: u64) -> u64 {
    if width < side || height < side || width * height < area {
        return 0;
    }
    let split = |length: u64, most: &dyn Fn(u64) -> u64| {
        let lengths = (1..length.saturating_sub(1)).map(|first| (most(first), most(length - 1 - first)));
        lengths.filter(|&(a, b)| a > 0 && b > 0).map(|(a, b)| a + b).max().unwrap_or(0)
    };
    let across = split(width, &|width| oracle(width, height, area, side));
    let down = split(height, &|height| oracle(width, height, area, side));
    across.max(down).max(1)
}

#[test]
fn the_table_has_what_the_reference_finds() {
    for (width, height) in (1..=9).flat_map(|width| (1..=9).map(move |height| (width, height))) {
        for (area, side) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (9, 1), (10, 3), (1, 2), (1, 4)] {
            let most = demand(width, height, area, side).most();
            assert_eq!(most, oracle(width.into(), height.into(), area, side), "{width}x{height} {area} {side}");
        }
    }
}

#[test]
fn the_known_largest_counts() {
    for (inside, area, counts) in [
        (39, 1, [400, 169, 100]),
        (39, 4, [174, 169, 100]),
        (39, 9, [100, 100, 100]),
        (39, 16, [64, 64, 64]),
        (39, 25, [43, 43, 43]),
        (19, 1, [100, 36, 25]),
        (19, 4, [43, 36, 25]),
        (19, 9, [25, 25, 25]),
        (19, 16, [16, 16, 16]),
        (19, 25, [10, 10, 10]),
    ] {
        for (side, most) in (1..).zip(counts) {
            assert_eq!(demand(inside, inside, area, side).most(), most, "{inside}: area {area}, side {side}");
        }
    }
}

#[test]
fn the_formula_never_gives_more_than_the_table() {
    let mut short = 0;
    for (width, height) in (1..=24).flat_map(|width| (1..=24).map(move |height| (width, height))) {
        for (area, side) in (1..=26).flat_map(|area| (1..=4).map(move |side| (area, side))) {
            let demand = demand(width, height, area, side);
            let (grid, table) = (demand.most_in_grid(), demand.most());
            assert!(grid <= table, "{demand:?}: {grid} > {table}");
            assert_eq!(grid == 0, table == 0, "{demand:?}");
            short += u32::from(grid < table);
        }
    }
    assert!(short > 1_000, "the table finds more in {short} cases only");
}

#[test]
fn the_least_length_grows_with_the_rooms_and_shrinks_with_the_width() {
    for demand in [demand(60, 50, 9, 1), demand(60, 50, 20, 2), demand(60, 50, 7, 1)] {
        for capacity in [Capacity::Grid(demand.shapes()), Capacity::Table(vec![], Table::new(demand))] {
            let least = |across, rooms| capacity.least_length(across, rooms).unwrap_or(u64::MAX);
            for (across, rooms) in (1..50).flat_map(|across| (1..40).map(move |rooms| (across, rooms))) {
                assert!(least(across, rooms) <= least(across, rooms + 1));
                assert!(least(across + 1, rooms) <= least(across, rooms));
            }
        }
    }
}

#[test]
fn huge_demands_take_no_time() {
    let huge = (1 << 53) - 1;
    assert_eq!(demand(3999, 3999, huge, 1).most(), 0);
    assert_eq!(demand(3999, 3999, 1, huge).most(), 0);
    assert!(Capacity::of(demand(3999, 3999, huge, huge), huge).is_none());
    assert!(Capacity::of(demand(39, 39, huge, 1), 1).is_none());
    assert!(Capacity::of(demand(3999, 1, 1, 1), huge).is_none());
}
