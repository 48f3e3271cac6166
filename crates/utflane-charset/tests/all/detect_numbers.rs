//! Tables of numbers, sound and images are not likely text; rows of emoji are.

use crate::common::oracle::encode_all;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane_charset::unicode::{Confidence, Reason, detect};

/// Returns `count` numbers of one kind, as programs and devices write them.
fn numbers(rng: &mut StdRng, count: usize) -> Vec<i32> {
    let mut below = |limit: i32| rng.random_range(0..limit);
    let (kind, step, limit) =
        (below(8), 1 + below(40), [100, 300, 1000, 20_000][below(4) as usize]);
    let mut last = below(limit);
    (0..count as i32)
        .map(|i| match kind {
            0 => step * i,
            1 | 2 => below(limit),
            // Sorted offsets, indexes of triangles, and chains of a table of clusters.
            3 => {
                last += 1 + below(step);
                last
            }
            4 => i / 3 + below(4),
            5 => {
                if i % step == step - 1 {
                    0xFFFF
                } else {
                    i + 3
                }
            }
            // Sound.
            6 => (f64::from(limit) * (f64::from(i) / f64::from(step)).sin()) as i32,
            _ => {
                last = last * 9 / 10 + below(limit) - limit / 2;
                last
            }
        })
        .collect()
}

/// Small numbers look like characters in UTF-16 and UTF-32.
#[test]
fn numbers_are_not_likely_text() {
    // The numbers are the same for every sampling interval.
    let mut rng = StdRng::seed_from_u64(5);
    for i in 0..2400 {
        let count = [40, 100, 300, 2000][i % 4];
        let numbers = numbers(&mut rng, count);
        let src: Vec<u8> = match i / 4 % 6 {
            0 => numbers.iter().flat_map(|&n| (n as u16).to_le_bytes()).collect(),
            1 => numbers.iter().flat_map(|&n| (n as u16).to_be_bytes()).collect(),
            2 => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
            3 => numbers.iter().flat_map(|n| n.to_be_bytes()).collect(),
            4 => numbers.iter().flat_map(|&n| i64::from(n).to_le_bytes()).collect(),
            // Opaque pixels of a gradient.
            _ => numbers.iter().flat_map(|&n| [n as u8, (n / 2) as u8, 200, 0xFF]).collect(),
        };
        if std::str::from_utf8(&src).is_ok_and(|text| !text.contains(char::is_control)) {
            continue;
        }
        let found = detect(&src);
        let is_wide = matches!(found.reason(), Reason::Utf16 | Reason::Utf32 | Reason::Mixed);
        let is_text = is_wide && found.confidence() > Confidence::Guess;
        assert!(!is_text, "{found}: {:02X?}", &src[..src.len().min(64)]);
    }
}

/// Each of these numbers is a letter in UTF-32BE, of Burmese or Chinese.
#[test]
fn floating_point_numbers_are_not_likely_text() {
    for seed in 0..50 {
        let mut rng = StdRng::seed_from_u64(seed);
        let numbers = (0..2000).map(|_| rng.random_range(9..17) as f32);
        let found = detect(&numbers.flat_map(f32::to_le_bytes).collect::<Vec<_>>());
        assert!(found.confidence() == Confidence::Guess || found.scheme().is_none(), "{found}");
    }
}

/// Rows of emoji have no spaces, and neither do numbers.
#[test]
fn rows_of_emoji() {
    let mut rng = StdRng::seed_from_u64(6);
    let emoji: String = (0..600).map(|_| rng.random_range('\u{1F300}'..='\u{1F6FF}')).collect();
    for scheme in [Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be] {
        let found = detect(&encode_all(scheme, emoji.chars()));
        assert_eq!(found.scheme(), Some(scheme));
        assert!(found.confidence() >= Confidence::Likely, "{found}");
    }
}
