//! Short sequences, ill-formed and well-formed, inside longer texts, the carriers: 192 code units
//! of 1-, 2-, 3- or 4-byte characters. The sequences are at offsets of every value modulo 64, so
//! both of their ends cross every block boundary.
//!
//! A sequence by itself tests only the code for short texts. Inside a carrier, it is in every lane
//! and at every boundary of every kernel.

use crate::common::api::codecs;
use crate::common::carriers::{CARRIER, embedded, last_common_char, sequences, widths};
use crate::common::checks::{check_into, check_transcode, check_validate};
use crate::common::pairs::{Pair, pair_named, pairs};
use crate::common::{sampled, sampled_if_slow};

/// Calls `check` with every sequence in every carrier, at every `step`th offset. The first offset
/// is different for successive carriers, so together the calls cover all offsets.
fn for_each_offset(pair: &Pair, step: usize, check: fn(&Pair, &[u8])) {
    let (scheme, last_char) = (pair.from.scheme, last_common_char(pair));
    let sequences = sequences(scheme);
    let mut first_offset = 0;
    for sequence in sampled("sequences", sequences.iter()) {
        for width in widths(last_char) {
            first_offset = (first_offset + 1) % step;
            let offsets = (first_offset..=CARRIER).step_by(step);
            for offset in sampled_if_slow("offsets", offsets) {
                check(pair, &embedded(scheme, width, last_char, offset, sequence));
            }
        }
    }
}

#[test]
fn validated_at_every_third_offset() {
    for codec in codecs() {
        let identity = pair_named(codec.name, codec.name);
        for_each_offset(identity, 3, |pair, src| check_validate(pair.from, src));
    }
}

#[test]
#[ignore = "long: validated at every offset"]
fn validated_at_every_offset() {
    for codec in codecs() {
        let identity = pair_named(codec.name, codec.name);
        for_each_offset(identity, 1, |pair, src| check_validate(pair.from, src));
    }
}

#[test]
fn utf8_to_utf16_at_every_third_offset() {
    for to in ["Utf16Le", "Utf16Be"] {
        for_each_offset(pair_named("Utf8", to), 3, check_into);
    }
}

#[test]
fn every_pair_at_every_31st_offset() {
    for pair in pairs() {
        for_each_offset(pair, 31, check_into);
    }
}

#[test]
fn every_operation_of_every_pair_at_every_191st_offset() {
    for pair in pairs() {
        for_each_offset(pair, 191, check_transcode);
    }
}

#[test]
#[ignore = "long: every pair at every offset"]
fn every_pair_at_every_offset() {
    for pair in pairs() {
        for_each_offset(pair, 1, check_into);
    }
}

#[test]
#[ignore = "long: every operation of every pair at every 7th offset"]
fn every_operation_of_every_pair_at_every_7th_offset() {
    for pair in pairs() {
        for_each_offset(pair, 7, check_transcode);
    }
}
