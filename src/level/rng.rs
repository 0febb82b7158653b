//! The one pinned generator of random numbers, and the seeds that drive it.
//!
//! The raw stream is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), which
//! is fixed by its paper. All that turns it into decisions is written here, because the distributions of the rand
//! crates may change between their versions: what a seed gives must not.
//!
//! A recipe does not own one stream but a family of them, one for each purpose and index (a row, a block), so that
//! parts of a level can be made apart from each other, in any order or at once, and still come out the same.

use std::fmt;

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a level is drawn from: an integer, or any other text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Seed {
    /// From -2^63 to 2^64 - 1; a negative one draws the same level as its two's complement.
    Integer(i128),
    /// 1 to 64 Unicode characters that are no integer, taken exactly.
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
                    "an integer seed lies between {} and {}; put a letter in front to use it as text",
                    i64::MIN,
                    u64::MAX
                )),
            };
        }
        if text.is_empty() {
            return Err("is empty; give an integer or a text, or leave seed out to have one drawn".into());
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

    /// 64 bits that stand for the seed: an integer as its two's complement, a text by its FNV-1a hash, set apart from
    /// the integers by one more step of the same hash.
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

/// The 64-bit FNV-1a hash of `text`: fixed for ever, for keys that must be the same in every build.
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
    /// The streams that `seed` gives to `label` (an algorithm's name) at a shape; change either and all streams change.
    pub fn new(seed: &Seed, label: &str, shape: u64) -> Self {
        let key = mix(seed.bits().wrapping_add(GOLDEN));
        let key = mix(key ^ hash_text(label));
        Self { key: mix(key ^ mix(shape.wrapping_add(GOLDEN))) }
    }

    /// One stream: `purpose` tells apart what the numbers are for, `index` the part of the level.
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

    /// One word by itself, for numbers that are wanted rarely and in no order; apart from all streams.
    pub fn word(self, purpose: u8, index: u64) -> u64 {
        debug_assert!(index < 1 << 56, "the index shares a word with the purpose");
        mix(mix(self.key ^ mix(u64::from(purpose) << 56 | index)))
    }
}

/// A stream of random numbers, with the few kinds of draw that levels need.
#[derive(Debug, Clone)]
pub struct Rng {
    source: Xoshiro256PlusPlus,
}

impl Rng {
    /// 64 fair coins.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.source.next_u64()
    }

    /// A uniform integer below `n`, which must not be 0: the high half of a 32 by 32 bit product, redrawn where the low
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

    /// `COUNT` uniform integers below `N` from one word: its first digits to base `N`, taken as a fraction
    /// (Brackett-Rozinsky
    /// and Lemire, "Batched ranged random integer generation", 2024). Exact, as in [`Rng::below`]. Where so many do not
    /// fit a word, it does not compile.
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
mod tests {
    use super::*;

    fn rng() -> Rng {
        Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0)
    }

    #[test]
    fn the_stream_is_pinned() {
        // computed apart from this code, from the published definitions; a change here changes every level of every
        // seed
        let mut rng = rng();
        let words = [rng.word(), rng.word(), rng.word()];
        assert_eq!(words, [1_353_251_400_364_505_561, 921_686_979_627_832_270, 11_844_460_850_779_978_226]);
        assert_eq!(hash_text("foobar"), 0x8594_4171_f739_67e8, "the published test vector of FNV-1a");
    }

    #[test]
    fn seeds_are_read_as_integers_or_taken_as_text() {
        for (text, canonical) in [
            ("7", "7"),
            ("007", "7"),
            ("-0", "0"),
            ("-1", "-1"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9007199254740993", "9007199254740993"),
            ("level-1", "level-1"),
            ("+5", "+5"),
            (" 7", " 7"),
            ("--1", "--1"),
            ("-", "-"),
            ("1.0", "1.0"),
            ("미로", "미로"),
        ] {
            assert_eq!(Seed::parse(text).unwrap().to_string(), canonical, "{text}");
        }
        let long = "x".repeat(65);
        for bad in
            ["", "18446744073709551616", "-9223372036854775809", &"9".repeat(64), &long, "a\nb", "\u{7f}", "\u{85}"]
        {
            assert!(Seed::parse(bad).is_err(), "{bad:?}");
        }
        assert!(Seed::parse(&"미".repeat(64)).is_ok(), "characters are counted, not bytes");
    }

    #[test]
    fn all_64_bits_of_a_seed_count() {
        let first = |text: &str| Streams::new(&Seed::parse(text).unwrap(), "test", 0).stream(0, 0).word();
        assert_ne!(first("1"), first("4294967297"));
        assert_ne!(first("abc"), first("xyz"));
        assert_eq!(first("-1"), first("18446744073709551615"), "two's complement");
        assert_eq!(first("0"), first("-0"));
    }

    #[test]
    fn streams_differ_by_each_part_of_their_name() {
        let seed = Seed::Integer(7);
        let words = [
            Streams::new(&seed, "a", 0).stream(0, 0).word(),
            Streams::new(&seed, "b", 0).stream(0, 0).word(),
            Streams::new(&seed, "a", 1).stream(0, 0).word(),
            Streams::new(&seed, "a", 0).stream(1, 0).word(),
            Streams::new(&seed, "a", 0).stream(0, 1).word(),
        ];
        for (i, a) in words.iter().enumerate() {
            assert!(words[i + 1..].iter().all(|b| a != b), "{words:?}");
        }
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = rng();
        for n in [1, 2, 3, 5, 6, 7, 100] {
            let mut counts = vec![0u32; n as usize];
            for _ in 0..n * 2_000 {
                counts[rng.below(n) as usize] += 1;
            }
            // each count is binomial with mean 2,000 and deviation below 45
            assert!(counts.iter().all(|&count| (1_750..2_250).contains(&count)), "{n}: {counts:?}");
        }
    }

    #[test]
    fn digits_are_uniform_and_independent_of_the_one_before() {
        let mut rng = rng();
        let mut counts = [[0_u32; 12]; 12];
        let mut last = 0;
        for digit in (0..144 * 2_000 / 16).flat_map(|_| rng.digits::<12, 16>()) {
            counts[last][digit as usize] += 1;
            last = digit as usize;
        }
        // as in `below_is_uniform`
        assert!(counts.iter().flatten().all(|count| (1_750..2_250).contains(count)), "{counts:?}");
    }

    #[test]
    fn digits_are_those_of_the_word_as_a_fraction() {
        let (mut words, mut digits) = (rng(), rng());
        for _ in 0..100 {
            let number = (u128::from(words.word()) * 10_u128.pow(16)) >> 64;
            let digits = digits.digits::<100, 8>().into_iter();
            assert_eq!(digits.fold(0, |number, digit| number * 100 + u128::from(digit)), number);
        }
    }

    #[test]
    fn digits_of_words_in_the_remainder_are_redrawn() {
        // a quarter of all words, so that 1,000 draws meet hundreds of them
        const N: u64 = 3 << 61;
        let (mut words, mut digits) = (rng(), rng());
        for _ in 0..1_000 {
            let word = loop {
                let word = words.word();
                if word.wrapping_mul(N) >= N.wrapping_neg() % N {
                    break word;
                }
            };
            assert_eq!(digits.digits::<N, 1>(), [((u128::from(word) * u128::from(N)) >> 64) as u64]);
        }
    }

    #[test]
    fn shuffle_reaches_every_order_alike() {
        let mut rng = rng();
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (840..1_160).contains(count)), "{counts:?}");
    }
}
