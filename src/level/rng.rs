//! The only random number generator of the levels, which never changes, and the seeds that start it.
//!
//! The raw stream is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), which
//! its paper fixes. The distributions are written here, because those of the rand crates may change from version to
//! version, and a seed must give the same level for ever.
//!
//! A recipe has not one stream but a family of streams, one for each purpose and index (a row, a block). So parts of a
//! level can be made independently, in any order or in parallel, with the same result.

use std::fmt;

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The seed of a level: an integer, or any other text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Seed {
    /// From -2^63 to 2^64 - 1; a negative seed gives the same level as its two's complement.
    Integer(i128),
    /// 1 to 64 Unicode characters that are not an integer, taken exactly.
    Text(Box<str>),
}

impl Seed {
    /// The most characters of a text seed.
    pub const MAX_CHARS: usize = 64;

    /// Reads a seed from text that is already percent-decoded.
    ///
    /// # Errors
    /// Says what is wrong and what would be right: empty, an integer out of range, too long, or with a control
    /// character.
    pub fn parse(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return match text.parse::<i128>() {
                Ok(value) if (-(1 << 63)..1 << 64).contains(&value) => Ok(Self::Integer(value)),
                _ => Err(format!(
                    "is an integer outside the range from {} to {}; put a letter in front to use it as text",
                    i64::MIN,
                    u64::MAX
                )),
            };
        }
        if text.is_empty() {
            return Err("is empty; give an integer or a text, or leave seed out for a random one".into());
        }
        if text.chars().count() > Self::MAX_CHARS {
            return Err(format!(
                "has {} characters; a text seed has at most {}",
                text.chars().count(),
                Self::MAX_CHARS
            ));
        }
        if text.chars().any(char::is_control) {
            return Err("has a control character; use printable characters only".into());
        }
        Ok(Self::Text(text.into()))
    }

    /// The seed in 64 bits. An integer gives its two's complement. A text gives the FNV-1a hash of its bytes and one
    /// more byte, 0xff, with which no UTF-8 text ends.
    fn bits(&self) -> u64 {
        match self {
            Self::Integer(value) => (*value & i128::from(u64::MAX)).cast_unsigned() as u64,
            Self::Text(text) => fnv1a(fnv1a(FNV_OFFSET, text.as_bytes()), &[0xff]),
        }
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a with 64 bits (Fowler, Noll and Vo): continues the hash `state` over `bytes`.
fn fnv1a(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The 64-bit FNV-1a hash of `text`: fixed for ever, for keys that must be equal in every build.
pub fn hash_text(text: &str) -> u64 {
    fnv1a(FNV_OFFSET, text.as_bytes())
}

/// The finalizer of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
const fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The golden ratio in 64 bits, the step of splitmix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The family of streams of one recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streams {
    key: u64,
}

impl Streams {
    /// The streams of a seed, a label (the name of an algorithm) and a shape (width and height in one number). If one
    /// of the three differs, all streams differ.
    pub fn new(seed: &Seed, label: &str, shape: u64) -> Self {
        let key = mix(seed.bits().wrapping_add(GOLDEN));
        let key = mix(key ^ hash_text(label));
        Self { key: mix(key ^ mix(shape.wrapping_add(GOLDEN))) }
    }

    /// One stream: `purpose` says what the numbers are for, `index` says for which part of the level.
    pub fn stream(self, purpose: u8, index: u64) -> Rng {
        debug_assert!(index < 1 << 56, "the index shares a word with the purpose");
        let mut state = self.key ^ mix(u64::from(purpose) << 56 | index);
        let mut bytes = [0; 32];
        for word in bytes.chunks_exact_mut(8) {
            state = state.wrapping_add(GOLDEN);
            word.copy_from_slice(&mix(state).to_le_bytes());
        }
        Rng { source: Xoshiro256PlusPlus::from_seed(bytes) }
    }

    /// One random word without a stream, for numbers that are needed rarely and in no fixed order. It is independent of
    /// all streams.
    pub fn word(self, purpose: u8, index: u64) -> u64 {
        debug_assert!(index < 1 << 56, "the index shares a word with the purpose");
        mix(mix(self.key ^ mix(u64::from(purpose) << 56 | index)))
    }
}

/// A stream of random numbers, with the few distributions that levels need.
#[derive(Debug, Clone)]
pub struct Rng {
    source: Xoshiro256PlusPlus,
}

impl Rng {
    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.source.next_u64()
    }

    /// A uniform integer below `n`, which must not be 0: the high half of a 32 by 32 bit product, rejected if the low
    /// half falls into the remainder (Lemire, "Fast random integer generation in an interval", 2019). Exact.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let mut product = (self.word() >> 32) * u64::from(n);
        if (product as u32) < n {
            let remainder = n.wrapping_neg() % n;
            while (product as u32) < remainder {
                product = (self.word() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// `COUNT` uniform integers below `N` from one word. The word is read as the fraction `word / 2^64`; the integers
    /// are its first digits to base `N` (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation",
    /// 2024). Exact, like [`Rng::below`]. The call does not compile if one word cannot hold `COUNT` digits.
    #[inline]
    pub fn digits<const N: u64, const COUNT: usize>(&mut self) -> [u64; COUNT] {
        let batches = const { N.pow(COUNT as u32) };
        let remainder = const { N.pow(COUNT as u32).wrapping_neg() % N.pow(COUNT as u32) };
        let mut fraction = self.word();
        while fraction.wrapping_mul(batches) < remainder {
            fraction = self.word();
        }
        [(); COUNT].map(|()| {
            let product = u128::from(fraction) * u128::from(N);
            fraction = product as u64;
            (product >> 64) as u64
        })
    }

    /// Puts `items` into a uniformly random order (Fisher and Yates, in Durstenfeld's form); at most 2^32 - 1 of them.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests;
