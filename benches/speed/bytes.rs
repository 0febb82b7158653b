//! The writer of the grid, compared with `serde_json` and with a plain copy, in GB/s. The three take turns, so that
//! other work on the machine affects them alike. Each fills a buffer that held the same answer before.

use std::hint::black_box;

use mazed::level::grid::Tile;
use mazed::level::parameters::Parameters;
use mazed::level::queries::Query;
use mazed::level::queries::solution::SolutionQuery;
use mazed::level::work::JobContext;
use mazed::render::{RenderOptions, Rendering, json};

use super::clock::{median_ns, time};
use super::levels::{build, recipe};
use super::{Wanted, report};

const SUBJECTS: [&str; 3] = ["json", "serde_json", "memcpy"];

/// Measures all three, on the answer for a level with its grid as numbers and without a path.
pub(super) fn all(wanted: &Wanted, context: &mut JobContext) {
    if !SUBJECTS.iter().any(|subject| wanted.subject(subject)) {
        return;
    }
    let (query, options) = view(&[("solver", "none")]);
    let rendering = Rendering { query: &query, options, limit: u64::MAX };
    for &side in &wanted.sides {
        let level = build(recipe("kruskal", side, 7), context);
        let tile = |x, y| u8::from(!level.grid().is_open(Tile { x, y }));
        let matrix: Vec<Vec<_>> = (0..side).map(|y| (0..side).map(|x| tile(x, y)).collect()).collect();
        let mut body = Vec::new();
        if json::level::write_into(&mut body, &rendering, &level, context).is_err() {
            continue;
        }
        let (mut array, mut copy) = (Vec::new(), Vec::new());
        // one run may take hardly longer than to read the clock, so many are timed at once
        let runs = (1 << 20) / body.len() as u32 + 1;
        let ns = median_ns(|| {
            let ours = time(|| {
                for _ in 0..runs {
                    let _ = black_box(json::level::write_into(&mut body, &rendering, black_box(&level), context));
                }
            });
            let serde = time(|| {
                for _ in 0..runs {
                    array.clear();
                    let _ = black_box(serde_json::to_writer(&mut array, black_box(&matrix)));
                }
            });
            let plain = time(|| {
                for _ in 0..runs {
                    copy.clear();
                    copy.extend_from_slice(black_box(&body));
                    black_box(&copy);
                }
            });
            [ours / runs, serde / runs, plain / runs]
        });
        let bytes = [body.len(), array.len(), copy.len()];
        for ((subject, ns), bytes) in
            SUBJECTS.iter().zip(ns).zip(bytes).filter(|((subject, _), _)| wanted.subject(subject))
        {
            report(subject, side, f64::from(bytes as u32) / ns);
        }
    }
}

/// The query and the render options of a request.
pub(super) fn view(pairs: &[(&str, &str)]) -> (SolutionQuery, RenderOptions) {
    let mut params = Parameters::bare(pairs);
    let query = SolutionQuery::read(&mut params);
    match query.zip(RenderOptions::read(&mut params, json::level::FORMAT.parameters)) {
        Some(view) => view,
        None => panic!("{pairs:?} is no query"),
    }
}
