//! The two sources: a recipe makes its level, and a batch measures several candidates of a pick.

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::parameters::MASK;
use crate::level::parameters::options::OptionId;
use crate::level::queries::pick::{Batch, Candidate};
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::service::job::{Key, Levels, Source, Weigh};

const MEBIBYTE: u64 = 1 << 20;

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

    fn too_large(&self, bytes: u64, max_bytes: u64) -> ParameterError {
        // each room takes a hundred bytes, a tile a few
        let rooms = self.blueprint().options.get(OptionId::Rooms);
        let (parameter, remedy) = match self.mask() {
            None if rooms > self.size().area() / 64 => (OptionId::Rooms.row().name, "take fewer rooms"),
            None => ("size", "take a smaller size"),
            Some(_) => (MASK, "send a smaller mask"),
        };
        let message = format!(
            "takes up to {} MiB of memory with this query, where {} MiB are allowed (three quarters of \
             MAZED_WORK_BYTES on the server); {remedy}",
            bytes.div_ceil(MEBIBYTE),
            max_bytes / MEBIBYTE
        );
        ParameterError::new(parameter, message)
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

    fn too_large(&self, bytes: u64, max_bytes: u64) -> ParameterError {
        self.recipe().too_large(bytes, max_bytes)
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
