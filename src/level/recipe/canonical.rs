//! The canonical text of a recipe.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::level::algorithms::blueprint::inside;
use crate::level::grid::{Size, Tile};
use crate::level::recipe::recipe::{Endpoint, FARTHEST, Recipe, default_endpoints};
use crate::level::rng::Seed;

/// Writes the canonical query: the shortest query that names this recipe, in a fixed order, percent-encoded. It always
/// contains algorithm, size and seed, and any other parameter only if it differs from its default. A query cannot hold
/// a mask, so the digest of the mask follows after a `#`, which no query can contain.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { width, height } = self.size();
        write!(f, "algo={}", self.algorithm().name)?;
        if width == height {
            write!(f, "&size={width}")?;
        } else {
            write!(f, "&width={width}&height={height}")?;
        }
        match self.seed() {
            Seed::Integer(value) => write!(f, "&seed={value}")?,
            Seed::Text(text) => write!(f, "&seed={}", utf8_percent_encode(text, ENCODED))?,
        }
        let defaults = default_endpoints(self.size(), self.mask().map(|mask| &**mask)).map(Endpoint::At);
        for (name, endpoint, default) in [("start", self.start(), defaults[0]), ("exit", self.exit(), defaults[1])] {
            match endpoint {
                _ if endpoint == default => {}
                Endpoint::At(Tile { x, y }) => write!(f, "&{name}={x},{y}")?,
                Endpoint::Farthest => write!(f, "&{name}={FARTHEST}")?,
            }
        }
        if self.openings() {
            write!(f, "&openings=true")?;
        }
        let inside = inside(self.size(), self.mask().map(|mask| &**mask));
        for row in self.algorithm().options.iter().map(|option| option.row()) {
            let value = self.options().get(row.option);
            if value != row.default.of(&inside, self.options()) {
                write!(f, "&{}={}", row.name, row.kind.format(value))?;
            }
        }
        match self.mask() {
            Some(mask) => write!(f, "#{}", mask.digest()),
            None => Ok(()),
        }
    }
}

/// The characters of a query value that are percent-encoded: all except letters, digits and `-_.~`, which have no
/// special meaning in any URL.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
