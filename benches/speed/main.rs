//! Measures generators, solvers and the writer: `cargo bench --bench speed -- [SIDE ...] [SUBJECT ...]` (tile sides,
//! default 41 401 2001 4001; subjects as printed, default all).
//!
//! Prints one line per subject and side, `subject ours side median`: nanoseconds per cell (an odd-odd tile); for
//! `solve_near` nanoseconds in all, for `verify` nanoseconds a step, for rooms in masks (`masks` stands for all of
//! them) milliseconds a level, and for the three subjects that only move bytes GB/s. Buffers are recycled from run to
//! run. The service recycles its working buffers too, but it keeps levels and bodies in its cache.
#![expect(clippy::print_stdout, reason = "a benchmark reports on the terminal")]
#![expect(clippy::panic, reason = "a benchmark that cannot build its level has nothing to go on with")]

mod bytes;
mod clock;
mod levels;
mod masks;

use mazed::level::work::{Buffers, Cancel, JobContext};

/// What to measure.
struct Wanted {
    sides: Vec<u32>,
    subjects: Vec<String>,
}

impl Wanted {
    fn read(arguments: impl Iterator<Item = String>) -> Self {
        let (mut sides, mut subjects) = (vec![], vec![]);
        for argument in arguments.filter(|argument| !argument.starts_with('-')) {
            match argument.parse() {
                Ok(side) => sides.push(side),
                Err(_) => subjects.push(argument),
            }
        }
        if sides.is_empty() {
            sides = vec![41, 401, 2001, 4001];
        }
        Self { sides, subjects }
    }

    fn subject(&self, name: &str) -> bool {
        self.subjects.is_empty() || self.subjects.iter().any(|subject| subject == name)
    }
}

fn main() {
    // `cargo test --all-targets` starts it too, without the flag that `cargo bench` adds
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let wanted = Wanted::read(std::env::args().skip(1));
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    levels::generators(&wanted, &mut context);
    levels::solvers(&wanted, &mut context);
    levels::near(&wanted, &mut context);
    levels::trees(&wanted, &mut context);
    levels::verifier(&wanted, &mut context);
    levels::whole(&wanted, &mut context);
    masks::all(&wanted, &mut context);
    bytes::all(&wanted, &mut context);
}

fn report(subject: &str, side: u32, figure: f64) {
    println!("{subject} ours {side} {figure:.4}");
}
