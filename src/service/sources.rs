//! The two sources: a recipe makes its level, and a batch measures several candidates of a pick.

use crate::level::Level;
use crate::level::error::Error;
use crate::level::queries::pick::{Batch, Candidate};
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::service::job::{Key, Levels, Priority, Source, Weigh};

impl Weigh for Level {
    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

impl Source for Recipe {
    type Output = Level;

    fn key(&self) -> Key {
        self.to_string().into()
    }

    fn algorithm(&self) -> &'static str {
        Self::algorithm(self).name
    }

    fn cost(&self) -> u64 {
        self.work_bytes()
    }

    fn priority(&self) -> Priority {
        if self.is_slow() { Priority::Slow { work: self.size().area() } } else { Priority::Normal }
    }

    fn levels(_: &Level) -> Levels {
        Levels { made: 1, refused: 0 }
    }

    fn build(self, context: &mut JobContext) -> Result<Level, Error> {
        Level::build(self, context)
    }
}

impl Weigh for Vec<Candidate> {
    fn bytes(&self) -> usize {
        // the errors of a level are a few hundred bytes
        self.iter().map(|level| size_of::<Candidate>() + if level.is_err() { 512 } else { 0 }).sum()
    }
}

impl Source for Batch {
    type Output = Vec<Candidate>;

    fn key(&self) -> Key {
        self.to_string().into()
    }

    fn algorithm(&self) -> &'static str {
        self.recipe().algorithm().name
    }

    fn cost(&self) -> u64 {
        self.work_bytes()
    }

    fn priority(&self) -> Priority {
        self.recipe().priority()
    }

    fn levels(output: &Vec<Candidate>) -> Levels {
        let refused = output.iter().filter(|candidate| candidate.is_err()).count();
        Levels { made: (output.len() - refused) as u64, refused: refused as u64 }
    }

    fn build(self, context: &mut JobContext) -> Result<Vec<Candidate>, Error> {
        self.measure(context)
    }
}

#[cfg(test)]
mod tests;
