//! Sequences hidden in text: ill-formed and well-formed ones in carriers of 192 units of 1-, 2-, 3-
//! and 4-byte characters, at positions that walk over all 64 residues, with both ends crossing
//! every boundary of a block.
//!
//! By itself, a sequence meets only the code for short texts; here it meets every lane and every
//! boundary of every kernel.

use crate::common::api::{Pair, codecs, named, pairs};
use crate::common::carriers::{CARRIER, embedded, last_common, sequences, widths};
use crate::common::checks::{check_into, check_transcode, check_validate};
use crate::common::shared;

/// Every sequence in every carrier at every `step`th position. The positions of one sequence begin
/// where those of the last one ended, so together they are all positions.
fn for_each_offset(pair: &Pair, step: usize, check: fn(&Pair, &[u8])) {
    let (scheme, last) = (pair.from.scheme, last_common(pair));
    let sequences = sequences(scheme);
    let mut walk = 0;
    for sequence in shared("sequences", sequences.iter()) {
        for width in widths(last) {
            walk = (walk + 1) % step;
            for at in (walk..=CARRIER).step_by(step) {
                check(pair, &embedded(scheme, width, last, at, sequence));
            }
        }
    }
}

#[test]
fn validated_at_every_third_offset() {
    for codec in codecs() {
        let identity = named(codec.name, codec.name);
        for_each_offset(identity, 3, |pair, src| check_validate(pair.from, src));
    }
}

#[test]
#[ignore = "long: validated at every offset"]
fn validated_at_every_offset() {
    for codec in codecs() {
        let identity = named(codec.name, codec.name);
        for_each_offset(identity, 1, |pair, src| check_validate(pair.from, src));
    }
}

#[test]
fn utf8_to_utf16_at_every_third_offset() {
    for to in ["Utf16Le", "Utf16Be"] {
        for_each_offset(named("Utf8", to), 3, check_into);
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
