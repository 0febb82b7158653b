//! Tests of random numbers and seeds.

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
    for bad in ["", "18446744073709551616", "-9223372036854775809", &"9".repeat(64), &long, "a\nb", "\u{7f}", "\u{85}"]
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

/// Bounds for which a biased method is far from uniform.
const LARGE: [u32; 5] = [(1 << 31) - 1, 1 << 31, (1 << 31) + 1, 3 << 30, u32::MAX];

#[test]
fn below_rejects_the_words_in_the_remainder() {
    let (mut words, mut numbers) = (rng(), rng());
    for n in LARGE {
        // `below` must reject the words that are left over when each number has got equally many of the 2^32 words
        let remainder = (1_u64 << 32) % u64::from(n);
        let mut rejected = 0;
        for _ in 0..1_000 {
            let product = loop {
                let product = u64::from((words.word() >> 32) as u32) * u64::from(n);
                if product % (1 << 32) >= remainder {
                    break product;
                }
                rejected += 1;
            };
            assert_eq!(u64::from(numbers.below(n)), product >> 32, "{n}");
        }
        assert!(remainder < 1 << 29 || rejected > 100, "{n}: {rejected}");
    }
}

#[test]
fn below_is_uniform_for_large_bounds() {
    let mut rng = rng();
    for n in LARGE {
        let (mut thirds, mut residues) = ([0_u32; 3], [0_u32; 3]);
        for _ in 0..30_000 {
            let number = rng.below(n);
            thirds[(u64::from(number) * 3 / u64::from(n)) as usize] += 1;
            residues[number as usize % 3] += 1;
        }
        // each count is binomial with mean 10,000 and deviation 82
        let counts = thirds.iter().chain(&residues);
        assert!(counts.into_iter().all(|count| count.abs_diff(10_000) < 420), "{n}: {thirds:?} {residues:?}");
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
fn digits_of_words_in_the_remainder_are_rejected() {
    // with this bound a quarter of all words are rejected, so 1,000 draws meet hundreds of them
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
