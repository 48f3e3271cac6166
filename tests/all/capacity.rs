//! Conversions into outputs of every capacity: every kernel reports the same progress, and writes
//! no byte outside the output.

use crate::common::carriers::{embedded, last_common_char, sample, sequences, widths};
use crate::common::checks::check_capacities;
use crate::common::oracle::{encode, encode_all};
use crate::common::pairs::{pair_named, pairs};
use crate::common::sampled;

#[test]
fn every_capacity_for_mixed_text() {
    for pair in pairs() {
        for seed in sampled("texts", 0..3) {
            check_capacities(pair, &sample(pair, 150, seed as u64));
        }
    }
}

#[test]
fn every_capacity_for_each_kind_of_text() {
    for pair in pairs() {
        let last_char = last_common_char(pair);
        for width in sampled("carriers", widths(last_char)) {
            check_capacities(pair, &embedded(pair.from.scheme, width, last_char, 192, b""));
        }
    }
}

/// An error is reported even when the output is full, but only after the whole text in front of the
/// error has been written.
#[test]
fn every_capacity_before_an_error() {
    for pair in pairs() {
        let (scheme, last_char) = (pair.from.scheme, last_common_char(pair));
        let sequences = sequences(scheme);
        for (i, sequence) in sampled("sequences", sequences.iter().step_by(19).enumerate()) {
            let width = 1 + i % last_char.len_utf8();
            check_capacities(pair, &embedded(scheme, width, last_char, 61 + i * 5 % 8, sequence));
        }
    }
}

/// A character that the target lacks is an error even when the output is full.
#[test]
fn every_capacity_before_an_unmappable_character() {
    for pair in pairs() {
        let last_char = last_common_char(pair);
        let Some(c) = char::from_u32(u32::from(last_char) + 1) else { continue };
        let mut unmappable = Vec::new();
        if encode(pair.from.scheme, c, &mut unmappable) {
            for offset in sampled("offsets", 60..70) {
                check_capacities(
                    pair,
                    &embedded(pair.from.scheme, 1, last_char, offset, &unmappable),
                );
            }
        }
    }
}

/// A four-byte character at every offset around a step boundary, with every capacity. The output
/// may end between the surrogates of a pair whose four UTF-8 bytes lie in two steps.
#[test]
fn every_capacity_for_surrogate_pairs_across_steps() {
    for target in ["Utf16", "Utf16Le", "Utf16Be"] {
        let pair = pair_named("Utf8", target);
        for front_len in sampled("offsets", 56..72) {
            let text = "a".repeat(front_len) + "😀€é😀" + &"b".repeat(70);
            check_capacities(pair, text.as_bytes());
        }
    }
}

/// Outputs whose size in bytes is not a multiple of the size of a code unit.
#[test]
fn outputs_that_end_inside_a_unit() {
    for target in ["Utf16Le", "Utf16Be", "Utf32Le", "Utf32Be"] {
        for pair in pairs().iter().filter(|pair| pair.to.name == target) {
            let text = encode_all(pair.from.scheme, "0123456789".chars().cycle().take(80));
            check_capacities(pair, &text);
        }
    }
}
