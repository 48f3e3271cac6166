//! Outputs of every size: the same progress on every kernel, and not a byte outside.

use crate::common::api::{named, pairs};
use crate::common::carriers::{embedded, last_common, sample, sequences, widths};
use crate::common::checks::check_capacities;
use crate::common::oracle::{encode, encode_all};
use crate::common::shared;

#[test]
fn every_capacity_for_mixed_text() {
    for pair in pairs() {
        for seed in shared("texts", 0..3) {
            check_capacities(pair, &sample(pair, 150, seed as u64));
        }
    }
}

#[test]
fn every_capacity_for_each_kind_of_text() {
    for pair in pairs() {
        let last = last_common(pair);
        for width in shared("carriers", widths(last)) {
            check_capacities(pair, &embedded(pair.from.scheme, width, last, 192, b""));
        }
    }
}

/// The error is reported even when the output is full, and not before the text before it is
/// written.
#[test]
fn every_capacity_before_an_error() {
    for pair in pairs() {
        let (scheme, last) = (pair.from.scheme, last_common(pair));
        let sequences = sequences(scheme);
        for (i, sequence) in shared("sequences", sequences.iter().step_by(19).enumerate()) {
            let width = 1 + i % last.len_utf8();
            check_capacities(pair, &embedded(scheme, width, last, 61 + i * 5 % 8, sequence));
        }
    }
}

/// Characters that the target lacks are errors even when the output is full.
#[test]
fn every_capacity_before_an_unmappable_character() {
    for pair in pairs() {
        let last = last_common(pair);
        let Some(c) = char::from_u32(u32::from(last) + 1) else { continue };
        let mut unmappable = Vec::new();
        if encode(pair.from.scheme, c, &mut unmappable) {
            for at in shared("offsets", 60..70) {
                check_capacities(pair, &embedded(pair.from.scheme, 1, last, at, &unmappable));
            }
        }
    }
}

/// Every position of a four-byte character around the boundaries of a step, at every capacity: the
/// output may end between the surrogates of a pair whose bytes lie in two steps.
#[test]
fn every_capacity_for_pairs_across_steps() {
    for to in ["Utf16", "Utf16Le", "Utf16Be"] {
        let pair = named("Utf8", to);
        for before in shared("offsets", 56..72) {
            let text = "a".repeat(before) + "😀€é😀" + &"b".repeat(70);
            check_capacities(pair, text.as_bytes());
        }
    }
}

/// Outputs that are no whole number of units of a scheme.
#[test]
fn odd_outputs_of_schemes() {
    for to in ["Utf16Le", "Utf16Be", "Utf32Le", "Utf32Be"] {
        for pair in pairs().iter().filter(|pair| pair.to.name == to) {
            let text = encode_all(pair.from.scheme, "0123456789".chars().cycle().take(80));
            check_capacities(pair, &text);
        }
    }
}
