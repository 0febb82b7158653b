//! The pass over the whole level: it decides on the edges that the blocks could not decide on.

use crate::level::algorithms::disjoint_set::{SINGLE, find, union};
use crate::level::algorithms::kruskal::field::Field;
use crate::level::grid::Passages;
use crate::level::work::{Cancel, Cancelled, PendingEdge};

/// Runs Kruskal's algorithm on the candidates. `sets` is working memory, with a member for each rim position of each
/// block.
pub(crate) fn join_blocks(
    field: &Field,
    candidates: &mut [PendingEdge],
    sets: &mut [u32],
    passages: &mut Passages,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let by_tie = |a: &PendingEdge, b: &PendingEdge| field.tie(a.edge).cmp(&field.tie(b.edge));
    candidates.sort_unstable_by(|a, b| a.order.cmp(&b.order).then_with(|| by_tie(a, b)));
    sets.fill(SINGLE);
    for chunk in candidates.chunks(4096) {
        cancel.check()?;
        for candidate in chunk {
            let [a, b] = candidate.endpoints.map(|endpoint| find(sets, endpoint));
            if a.0 != b.0 {
                union(sets, a, b);
                let cell = candidate.edge as usize >> 1;
                let plane = if candidate.edge & 1 == 1 { &mut passages.south } else { &mut passages.east };
                plane.set(cell % field.columns, cell / field.columns);
            }
        }
    }
    Ok(())
}
