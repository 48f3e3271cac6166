//! Tests of the methods of `Scheme`, which choose the encodings at run time: their results equal
//! the results of the generic functions and the results of the oracle.

use crate::common::api::Api;
use crate::common::carriers::{sample, sequences};
use crate::common::checks::GuardedOutput;
use crate::common::lossy::{encode_or_question_mark, repairs};
use crate::common::oracle::{Outcome, count, expect, len};
use crate::common::pairs::{Pair, pairs};
use crate::common::sampled;
use utflane::{IllFormed, Repair, RepairedLen, Scheme, Unmappable};

/// Returns some of the texts in the source encoding of a pair: well-formed texts, and texts with a
/// short sequence in the middle that may be ill-formed or unmappable.
#[track_caller]
fn sampled_texts(pair: &Pair) -> Vec<Vec<u8>> {
    let sequences = sequences(pair.from.scheme).iter().step_by(7);
    let texts = [(0, 0, None), (1, 1, None), (150, 2, None)].into_iter();
    let texts = texts.chain(sequences.map(|sequence| (40, 3, Some(sequence))));
    let make_text = |(chars, seed, sequence): (_, _, Option<&Vec<u8>>)| {
        let mut text = sample(pair, chars, seed);
        if let Some(sequence) = sequence {
            text.extend_from_slice(sequence);
            text.extend(sample(pair, 5, 4));
        }
        text
    };
    sampled("texts", texts).map(make_text).collect()
}

#[test]
fn conversions_by_scheme_match_the_oracle() {
    for pair in pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        for src in &sampled_texts(pair) {
            let expected = expect(from, to, src);
            assert_eq!(from.count(src), count(from, src), "{pair} of {src:02X?}");
            assert_eq!(from.len(src, to), len(from, to, src), "{pair} of {src:02X?}");
            let max_len = from.max_len(src.len(), to).expect("the text is short");
            let typed_max_len = pair
                .max_len(src.len() / pair.from.element_bytes)
                .map(|units| units * pair.to.element_bytes);
            assert_eq!(Some(max_len), typed_max_len, "{pair}, {} bytes", src.len());
            let exact = expected.out.len();
            for capacity in [exact + 70, exact, exact / 2, exact.saturating_sub(1), 0] {
                let mut output = GuardedOutput::new(capacity);
                let got = Outcome::from_progress(from.transcode_into(src, to, output.dst()), 1, 1);
                assert_eq!(got, expected.within(capacity), "{pair} into {capacity} of {src:02X?}");
                assert!(output.dst()[..got.written] == expected.out[..got.written]);
                assert!(output.is_intact(), "{pair} into {capacity} of {src:02X?}");
            }
        }
        assert_eq!(
            from.max_len(usize::MAX, to).is_some(),
            pair.max_len(usize::MAX / pair.from.element_bytes)
                .is_some_and(|units| units.checked_mul(pair.to.element_bytes).is_some()),
            "{pair}"
        );
    }
}

#[test]
fn repairs_by_scheme_match_repairs_by_type() {
    for pair in pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        for src in &sampled_texts(pair) {
            for repair in repairs() {
                let (want, count) = pair.lossy(Api::Free, src, repair);
                assert_eq!(
                    from.measure_lossy(src, to, repair).len,
                    want.len(),
                    "{pair} of {src:02X?}"
                );
                let RepairedLen { len, repairs } = from.measure_lossy(src, to, repair);
                assert_eq!((len, repairs), (want.len(), count), "{pair} of {src:02X?}");
                for capacity in [
                    want.len() + 72,
                    want.len(),
                    want.len() / 2 / pair.to.element_bytes * pair.to.element_bytes,
                ] {
                    let mut output = GuardedOutput::new(capacity);
                    let got = from.transcode_lossy_into(src, to, repair, output.dst());
                    let mut typed = GuardedOutput::new(capacity);
                    let progress = pair.lossy_into(Api::Free, src, repair, typed.dst());
                    assert_eq!(
                        (got.read, got.written, got.repairs, got.stop),
                        (
                            progress.read * pair.from.element_bytes,
                            progress.written * pair.to.element_bytes,
                            progress.repairs,
                            progress.stop
                        ),
                        "{pair}, {repair:?}, into {capacity} of {src:02X?}",
                    );
                    assert!(output.dst()[..got.written] == want[..got.written]);
                    assert!(
                        output.is_intact(),
                        "{pair}, {repair:?}, into {capacity} of {src:02X?}"
                    );
                    assert!(capacity < want.len() || got.repairs == count, "{pair} of {src:02X?}");
                }
            }
        }
    }
}

/// `max_len_lossy` is no larger than necessary. For each code unit it is the maximum of three
/// lengths: the strict `max_len`, the replacement of an ill-formed unit, and a numeric reference.
#[test]
fn max_len_lossy_is_the_smallest_upper_bound() {
    let has_surrogates =
        |scheme| matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be);
    let replacements = [None, Some('\0'), Some('?'), Some('é'), Some('€'), Some('😀')];
    let policies = replacements.map(|c| [(c, Unmappable::Skip), (c, Unmappable::NumericReference)]);
    for pair in pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        // The number of units of the Rust type in a code unit of the encoding.
        let units_per_code_unit = from.unit_size() / pair.from.element_bytes;
        let strict_max_len =
            pair.max_len(units_per_code_unit).expect("one code unit") * pair.to.element_bytes;
        for &(c, unmappable) in policies.as_flattened() {
            let ill_formed = c.map_or(IllFormed::Skip, IllFormed::Replace);
            let repair = Repair::SKIP.on_ill_formed(ill_formed).on_unmappable(unmappable);
            let replacement_len = match c {
                Some(c) => encode_or_question_mark(to, c).len(),
                // Here even a skipped sequence becomes U+FFFD, so that two unpaired surrogates
                // cannot become adjacent.
                None if has_surrogates(from) && has_surrogates(to) => {
                    encode_or_question_mark(to, '\u{FFFD}').len()
                }
                None => 0,
            };
            let reference_len = match (unmappable, to) {
                (Unmappable::NumericReference, Scheme::Latin1 | Scheme::Ascii) => 10,
                _ => 0,
            };
            let max_len = strict_max_len.max(replacement_len).max(reference_len);
            for units in [0usize, 1, 2, 3, 4, 7, 100] {
                let got = pair.max_len_lossy(units, repair).map(|len| len * pair.to.element_bytes);
                let want = units.div_ceil(units_per_code_unit) * max_len;
                assert_eq!(got, Some(want), "{pair}, {repair:?}, {units}");
            }
        }
    }
}
