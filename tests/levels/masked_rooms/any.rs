//! The promises of room maps in random masks with random options.

use mazed::level::work::Buffers;
use proptest::prelude::*;

use crate::masked_rooms::masks::{Mask, is_on_border, largest_piece};
use crate::masked_rooms::request::{MaskedRequest, check_for_all_seeds};
use crate::planes::{plane, size};

/// A mask of random rectangles with random holes, reduced to its largest component; the border is inside or not.
fn any_mask() -> impl Strategy<Value = Mask> {
    let boxes = |largest: usize, most: usize| {
        prop::collection::vec((0..28_usize, 0..28_usize, 1..=largest, 1..=largest), 0..=most)
    };
    ((5..=30_usize, 5..=30_usize), boxes(14, 8), boxes(4, 8), any::<bool>()).prop_map(|(size, blobs, holes, border)| {
        let is_in = |boxes: &[(usize, usize, usize, usize)], x: usize, y: usize| {
            boxes.iter().any(|&(left, top, width, height)| x.wrapping_sub(left) < width && y.wrapping_sub(top) < height)
        };
        // one rectangle in the corner always lies within the mask
        let is_inside = |x: usize, y: usize| (x < 5 && y < 5 || is_in(&blobs, x, y)) && !is_in(&holes, x, y);
        let piece = largest_piece(&plane(size, is_inside));
        let inside = plane(size, |x, y| piece[y][x] || border && is_on_border(size, x, y));
        Mask::of_plane("random", &inside, 0)
    })
}

/// A request without its number of rooms, and that number as a percentage of the upper bound.
fn any_request() -> impl Strategy<Value = (MaskedRequest, u64)> {
    let area = prop_oneof![3 => 1..=6_u64, 1 => 1..=60_u64];
    let loops = prop_oneof![Just(0), Just(10_000), 0..=10_000_u64];
    // only half of all seeds, because the tests add to the seed
    (area, 1..=4_u64, 0..=9_000_u64, loops, 0..u64::MAX / 2, 0..=120_u64).prop_map(
        |(area, door, jitter, loops, seed, percent)| {
            (MaskedRequest { rooms: None, area, door, jitter, loops, seed }, percent)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_promise_holds_in_any_mask((mask, (request, percent)) in (any_mask(), any_request())) {
        let (width, height) = size(&mask.inside);
        let (tiles, whole) = (mask.tiles(), (width - 2) * (height - 2));
        prop_assume!(tiles > 0 && tiles < whole as u64);
        let rooms = Some((mask.bound(request.area, request.door) * percent / 100).max(1));
        let with_seed = |more| MaskedRequest { rooms, seed: request.seed + more, ..request.clone() };
        let requests: Vec<_> = (0..6).map(with_seed).collect();
        check_for_all_seeds(&requests, &mask, &mut Buffers::default());
    }
}
