//! Properties of random texts: every check on random sequences of segments, and the relations
//! between operations.

use crate::common::carriers::sequences;
use crate::common::checks::{
    check_capacities, check_count, check_len, check_transcode, check_validate,
};
use crate::common::oracle::encode;
use crate::common::pairs::{Pair, pairs};
use crate::common::sampling_interval;
use crate::common::streams::{check_stream, check_validator};
use proptest::collection::vec;
use proptest::prelude::*;
use utflane::{Kernel, Utf8, Utf16, Utf16Be, Utf32, transcode};

/// Returns the configuration for `case_count` cases, divided by the sampling interval, but at least
/// 16. Proptest writes no regression files next to the sources.
fn proptest_config(case_count: u32) -> ProptestConfig {
    let case_count = (case_count / u32::try_from(sampling_interval()).unwrap_or(u32::MAX)).max(16);
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
    (0..pairs().len(), vec(segment(), 0..8), 0..8).prop_map(|(pair_index, segments, roll)| {
        let keeps_unmappable = roll == 0;
        let pair = &pairs()[pair_index];
        let (scheme, unit) = (pair.from.scheme, pair.from.element_bytes);
        let sequences = sequences(scheme);
        let (mut src, mut scratch) = (Vec::new(), Vec::new());
        for segment in segments {
            match segment {
                Segment::Run(chars) => {
                    for c in chars {
                        scratch.clear();
                        let is_kept = encode(pair.to.scheme, c, &mut scratch) || keeps_unmappable;
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
    fn random_texts_convert((pair, src) in text()) {
        check_validate(pair.from, &src);
        check_transcode(pair, &src);
    }

    #[test]
    fn lengths_of_any_bytes(pair_index in 0..pairs().len(), mut src in vec(any::<u8>(), 0..300)) {
        let pair = &pairs()[pair_index];
        src.truncate(src.len() / pair.from.element_bytes * pair.from.element_bytes);
        check_len(pair, &src);
        check_count(pair.from, &src);
    }

    #[test]
    fn random_texts_in_streams(
        (pair, src) in text(),
        mut chunk_lens in vec(0..150usize, 1..6),
        mut capacities in vec(0..150usize, 1..6),
    ) {
        chunk_lens.push(1);
        capacities.push(4);
        check_stream(pair, &src, &chunk_lens, &capacities);
        check_validator(pair.from, &src, &chunk_lens);
    }

    /// Converts a text from UTF-8 through three other encodings, and back.
    #[test]
    fn round_trips(text in "\\PC{0,200}") {
        for kernel in Kernel::available() {
            let units = kernel.transcode::<Utf8, Utf16>(text.as_bytes()).expect("well-formed");
            let bytes = kernel.transcode::<Utf16, Utf16Be>(&units).expect("well-formed");
            let code_points = kernel.transcode::<Utf16Be, Utf32>(&bytes).expect("well-formed");
            let back = kernel.transcode::<Utf32, Utf8>(&code_points).expect("well-formed");
            prop_assert_eq!(&back, &text);
            prop_assert_eq!(kernel.count::<Utf8>(text.as_bytes()), code_points.len());
            prop_assert_eq!(kernel.count::<Utf16>(&units), code_points.len());
        }
        let code_points: Vec<u32> = transcode::<Utf8, Utf32>(text.as_bytes()).expect("well-formed");
        prop_assert!(code_points.into_iter().eq(text.chars().map(u32::from)));
    }
}

proptest! {
    #![proptest_config(proptest_config(400))]

    #[test]
    fn random_texts_in_short_outputs((pair, src) in text()) {
        check_capacities(pair, &src);
    }
}

/// Code pages: any bytes of any page, which become characters of one to three bytes in UTF-8.
#[cfg(feature = "code-pages")]
mod code_pages {
    use super::proptest_config;
    use crate::code_pages::stream;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use utflane::code_page::CodePage;
    use utflane::{ByteTranscoder, Kernel, Repair, Scheme, Unicode};
    use utflane::{Utf8, Utf16Be, Utf16Le, Utf32Le};

    /// Generates a page on a kernel, and bytes: runs of ASCII, of one row of 16 non-ASCII bytes, of
    /// non-ASCII bytes, and of any bytes.
    fn text() -> impl Strategy<Value = (CodePage, Vec<u8>)> {
        let run = prop_oneof![
            3 => vec(b' '..=b'~', 1..90),
            3 => (8..16_u8).prop_flat_map(|row| vec(16 * row..=16 * row + 15, 1..40)),
            2 => vec(0x80..=0xFF_u8, 1..40),
            1 => vec(any::<u8>(), 1..20),
        ];
        let pages = CodePage::all().count();
        let kernels = Kernel::available().count();
        (0..pages, 0..kernels, vec(run, 0..8)).prop_map(|(page, kernel, runs)| {
            let page = CodePage::all().nth(page).expect("fewer than all pages");
            let kernel = Kernel::available().nth(kernel).expect("fewer than all kernels");
            (page.with_kernel(kernel), runs.concat())
        })
    }

    /// Checks that assigned bytes are the same after decoding and encoding, and all lengths.
    fn check_round_trip<E: Unicode>(page: &CodePage, bytes: &[u8]) -> Result<(), TestCaseError> {
        let assigned: Vec<_> =
            bytes.iter().copied().filter(|&byte| page.character(byte).is_some()).collect();
        let decoded = page.decode::<E>(&assigned).expect("all bytes are assigned");
        prop_assert_eq!(page.decoded_len::<E>(&assigned), decoded.as_ref().len());
        prop_assert_eq!(page.encode::<E>(decoded.as_ref()).expect("of the page"), assigned);
        let repaired = page.decode_lossy::<E>(bytes, Repair::REPLACE);
        prop_assert_eq!(page.decoded_len::<E>(bytes), repaired.text.as_ref().len());
        Ok(())
    }

    proptest! {
        #![proptest_config(proptest_config(4000))]

        #[test]
        fn round_trips((page, bytes) in text()) {
            check_round_trip::<Utf8>(&page, &bytes)?;
            check_round_trip::<Utf16Le>(&page, &bytes)?;
            check_round_trip::<Utf16Be>(&page, &bytes)?;
            check_round_trip::<Utf32Le>(&page, &bytes)?;
        }

        /// Chunks become the same text as the whole, in both directions.
        #[test]
        fn chunks_are_like_the_whole(
            (page, bytes) in text(),
            chunk_len in 1..150_usize,
            capacity in 8..150_usize,
        ) {
            let whole = page.decode_lossy::<Utf8>(&bytes, Repair::REPLACE).text.into_bytes();
            let decoder = ByteTranscoder::decoding(&page, Scheme::Utf8);
            let decoder = decoder.with_policy(Repair::REPLACE);
            prop_assert_eq!(&stream(decoder, &bytes, chunk_len, capacity), &whole);
            let encoded = page.encode_lossy::<Utf8>(&whole, Repair::REPLACE).text;
            let encoder = ByteTranscoder::encoding(Scheme::Utf8, &page);
            let encoder = encoder.with_policy(Repair::REPLACE);
            prop_assert_eq!(stream(encoder, &whole, chunk_len, capacity), encoded);
        }

        /// A text in which one byte was overwritten stops where it does on the scalar kernel.
        #[test]
        fn kernels_stop_alike(
            (page, bytes) in text(),
            at in any::<prop::sample::Index>(),
            byte in 0x80..=0xFF_u8,
        ) {
            let mut src = page.decode_lossy::<Utf8>(&bytes, Repair::REPLACE).text.into_bytes();
            if !src.is_empty() {
                let at = at.index(src.len());
                src[at] = byte;
            }
            let scalar = page.with_kernel(Kernel::SCALAR);
            let (mut dst, mut expected) = (vec![0; src.len()], vec![0; src.len()]);
            let progress = page.encode_into::<Utf8>(&src, &mut dst);
            prop_assert_eq!(progress, scalar.encode_into::<Utf8>(&src, &mut expected));
            prop_assert_eq!(&dst[..progress.written], &expected[..progress.written]);
        }
    }
}
