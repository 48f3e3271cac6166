//! Properties of random texts: every check on random sequences of segments, and the relations
//! between operations.

use crate::common::api::{Pair, pairs};
use crate::common::carriers::sequences;
use crate::common::checks::{
    check_capacities, check_count, check_len, check_transcode, check_validate,
};
use crate::common::oracle::encode;
use crate::common::share_divisor;
use crate::common::streams::{check_stream, check_validator};
use proptest::collection::vec;
use proptest::prelude::*;
use utflane::{Kernel, Utf8, Utf16, Utf16Be, Utf32, transcode};

/// Returns the configuration for `case_count` cases, or for the requested share of them. It writes
/// no files next to the sources.
fn proptest_config(case_count: u32) -> ProptestConfig {
    let case_count = (case_count / u32::try_from(share_divisor()).unwrap_or(u32::MAX)).max(16);
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(case_count) }
}

/// A segment of text: a run of characters of one kind, an entry of the list of sequences, or random
/// bytes.
#[derive(Clone, Debug)]
enum Segment {
    Run(Vec<char>),
    Sequence(prop::sample::Index),
    Bytes(Vec<u8>),
}

/// Generates segments. Most are runs, because a conversion stops early if every segment has an
/// error.
fn segment() -> impl Strategy<Value = Segment> {
    let run = |from: char, to: char, len: usize| {
        vec(prop::char::range(from, to), 1..len).prop_map(Segment::Run)
    };
    prop_oneof![
        8 => run(' ', '~', 90),
        4 => run('\u{80}', 'ÿ', 20),
        4 => run('\u{100}', '\u{7FF}', 40),
        4 => run('\u{800}', '\u{D7FF}', 40),
        2 => run('\u{E000}', '\u{FFFF}', 10),
        4 => run('\u{10000}', char::MAX, 20),
        1 => any::<prop::sample::Index>().prop_map(Segment::Sequence),
        1 => vec(any::<u8>(), 1..8).prop_map(Segment::Bytes),
    ]
}

/// Generates a pair, and a text in its source encoding. In most texts, characters that the target
/// encoding lacks are omitted.
fn text() -> impl Strategy<Value = (&'static Pair, Vec<u8>)> {
    (0..pairs().len(), vec(segment(), 0..8), 0..8).prop_map(|(pair_index, segments, choice)| {
        let pair = &pairs()[pair_index];
        let (scheme, unit) = (pair.from.scheme, pair.from.unit);
        let sequences = sequences(scheme);
        let (mut src, mut scratch) = (Vec::new(), Vec::new());
        for segment in segments {
            match segment {
                Segment::Run(chars) => {
                    for c in chars {
                        scratch.clear();
                        let is_kept = encode(pair.to.scheme, c, &mut scratch) || choice == 0;
                        let _ = is_kept && encode(scheme, c, &mut src);
                    }
                }
                Segment::Sequence(index) => {
                    src.extend_from_slice(&sequences[index.index(sequences.len())]);
                }
                Segment::Bytes(bytes) => src.extend_from_slice(&bytes),
            }
        }
        src.truncate(src.len() / unit * unit);
        (pair, src)
    })
}

proptest! {
    #![proptest_config(proptest_config(4000))]

    #[test]
    fn texts_of_segments((pair, src) in text()) {
        check_validate(pair.from, &src);
        check_transcode(pair, &src);
    }

    #[test]
    fn lengths_of_any_bytes(pair_index in 0..pairs().len(), mut src in vec(any::<u8>(), 0..300)) {
        let pair = &pairs()[pair_index];
        src.truncate(src.len() / pair.from.unit * pair.from.unit);
        check_len(pair, &src);
        check_count(pair.from, &src);
    }

    #[test]
    fn streams_of_segments(
        (pair, src) in text(),
        mut chunk_lens in vec(0..150usize, 1..6),
        mut capacities in vec(0..150usize, 1..6),
    ) {
        chunk_lens.push(1);
        capacities.push(4);
        check_stream(pair, &src, &chunk_lens, &capacities);
        check_validator(pair.from, &src, &chunk_lens);
    }

    /// Converts a text through four encodings and back.
    #[test]
    fn round_trips(text in "\\PC{0,200}") {
        for kernel in Kernel::available() {
            let units = kernel.transcode::<Utf8, Utf16>(text.as_bytes()).expect("well-formed");
            let bytes = kernel.transcode::<Utf16, Utf16Be>(&units).expect("well-formed");
            let codes = kernel.transcode::<Utf16Be, Utf32>(&bytes).expect("well-formed");
            prop_assert_eq!(&kernel.transcode::<Utf32, Utf8>(&codes).expect("well-formed"), &text);
            prop_assert_eq!(kernel.count::<Utf8>(text.as_bytes()), codes.len());
            prop_assert_eq!(kernel.count::<Utf16>(&units), codes.len());
        }
        let codes: Vec<u32> = transcode::<Utf8, Utf32>(text.as_bytes()).expect("well-formed");
        prop_assert!(codes.into_iter().eq(text.chars().map(u32::from)));
    }
}

proptest! {
    #![proptest_config(proptest_config(400))]

    #[test]
    fn capacities_of_segments((pair, src) in text()) {
        check_capacities(pair, &src);
    }
}
