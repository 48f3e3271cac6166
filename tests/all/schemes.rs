//! Schemes chosen at run time: their results equal those of their types, and the oracle's.

use crate::common::api::{self, Api};
use crate::common::carriers::{sample, sequences};
use crate::common::checks::GuardedOutput;
use crate::common::lossy::{held, repairs};
use crate::common::lossy_api;
use crate::common::oracle::{Outcome, count, expect, len};
use crate::common::shared;
use utflane::{IllFormed, Repair, RepairedLen, Scheme, Unmappable};

/// Texts of the first encoding of a pair: well-formed, with characters that only the first may
/// have, and ill-formed.
fn texts(pair: &api::Pair) -> Vec<Vec<u8>> {
    let sequences = sequences(pair.from.scheme);
    let mut texts = vec![Vec::new(), sample(pair, 1, 1), sample(pair, 150, 2)];
    for sequence in sequences.iter().step_by(7) {
        texts.push([&sample(pair, 40, 3)[..], sequence, &sample(pair, 5, 4)].concat());
    }
    texts
}

#[test]
fn conversions_of_schemes_are_those_of_the_oracle() {
    for pair in api::pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        for src in shared("texts", texts(pair).iter()) {
            let expected = expect(from, to, src);
            assert_eq!(from.count(src), count(from, src), "{pair} of {src:02X?}");
            assert_eq!(from.len(src, to), len(from, to, src), "{pair} of {src:02X?}");
            let most = from.max_len(src.len(), to).expect("short");
            let typed =
                (pair.max_len)(src.len() / pair.from.unit).map(|units| units * pair.to.unit);
            assert_eq!(Some(most), typed, "{pair}, {} bytes", src.len());
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
            (pair.max_len)(usize::MAX / pair.from.unit)
                .is_some_and(|units| units.checked_mul(pair.to.unit).is_some()),
            "{pair}"
        );
    }
}

#[test]
fn repairs_of_schemes_are_those_of_types() {
    for pair in lossy_api::pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        for src in shared("texts", texts(pair).iter()) {
            for repair in repairs() {
                let (want, count) = (pair.lossy)(Api::Free, src, repair);
                assert_eq!(from.len_lossy(src, to, repair), want.len(), "{pair} of {src:02X?}");
                let RepairedLen { len, repairs } = from.measure_lossy(src, to, repair);
                assert_eq!((len, repairs), (want.len(), count), "{pair} of {src:02X?}");
                for capacity in
                    [want.len() + 72, want.len(), want.len() / 2 / pair.to.unit * pair.to.unit]
                {
                    let mut output = GuardedOutput::new(capacity);
                    let got = from.transcode_lossy_into(src, to, repair, output.dst());
                    let mut typed = GuardedOutput::new(capacity);
                    let progress = (pair.lossy_into)(Api::Free, src, repair, typed.dst());
                    assert_eq!(
                        (got.read, got.written, got.repairs, got.stop),
                        (
                            progress.read * pair.from.unit,
                            progress.written * pair.to.unit,
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

/// No larger than necessary: the most bytes of a character of the target, or of the replacement of
/// an ill-formed unit.
#[test]
fn max_len_lossy_is_what_its_parts_need() {
    let has_surrogates =
        |scheme| matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be);
    let stand_ins = [None, Some('\0'), Some('?'), Some('é'), Some('€'), Some('😀')];
    let ways = stand_ins.map(|c| [(c, Unmappable::Skip), (c, Unmappable::NumericReference)]);
    for pair in lossy_api::pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        // Units of the pair in a code unit.
        let parts = from.unit_size() / pair.from.unit;
        let strict = (pair.max_len)(parts).expect("short") * pair.to.unit;
        for &(c, unmappable) in ways.as_flattened() {
            let ill_formed = c.map_or(IllFormed::Skip, IllFormed::Replace);
            let repair = Repair::SKIP.on_ill_formed(ill_formed).on_unmappable(unmappable);
            let stand_in = match c {
                Some(c) => held(to, c).len(),
                // Unpaired surrogates are no repairs there.
                None if has_surrogates(from) && has_surrogates(to) => held(to, '\u{FFFD}').len(),
                None => 0,
            };
            let reference = match (unmappable, to) {
                (Unmappable::NumericReference, Scheme::Latin1 | Scheme::Ascii) => 10,
                _ => 0,
            };
            let most = strict.max(stand_in).max(reference);
            for units in [0, 1, 2, 3, 4, 7, 100] {
                let got = (pair.max_len_lossy)(units, repair).map(|len| len * pair.to.unit);
                assert_eq!(got, Some(units.div_ceil(parts) * most), "{pair}, {repair:?}, {units}");
            }
        }
    }
}
