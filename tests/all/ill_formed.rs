//! Ill-formed sequences at every offset of vectors, blocks and groups of blocks, and across their
//! boundaries: each kind of sequence, in each class of text, inside the text and at its end, on
//! every kernel.
//!
//! Each text is generated once, and a sequence is written over a part of it. The oracle decodes
//! only a window around the sequence, because its result for the rest of the text is known.

use std::borrow::Cow;
use std::ops::Range;

use utflane::{Kernel, Repair, Scheme, Utf8, Validator};

use crate::common::api::{Api, Codec, codec_named, codecs};
use crate::common::carriers::{embedded_in, last_common_char, sample_chars, widths};
use crate::common::checks::GuardedOutput;
use crate::common::lossy::encode_or_question_mark;
use crate::common::oracle::{Ending, Expected, Fault, Outcome, decode, encode_all, expect};
use crate::common::pairs::{Pair, pair_named};
use crate::common::sampled_if_slow;

/// Texts, each with the offset and the length of its first error. The length is `None` if the text
/// ends inside a sequence.
const EXAMPLES: [(&[u8], usize, Option<usize>); 15] = [
    // A continuation byte after ASCII, and one after a complete character.
    (b"ab\x80cd", 2, Some(1)),
    (b"\xC3\xA9\xA9", 2, Some(1)),
    // Overlong: "/" and U+007F in two bytes, U+07FF in three, U+FFFF in four.
    (b"\xC0\xAF", 0, Some(1)),
    (b"\xC1\xBF", 0, Some(1)),
    (b"\xE0\x9F\xBF", 0, Some(1)),
    (b"\xF0\x8F\xBF\xBF", 0, Some(1)),
    // A surrogate; U+110000; bytes that never occur in UTF-8.
    (b"\xED\xA0\x80", 0, Some(1)),
    (b"\xF4\x90\x80\x80", 0, Some(1)),
    (b"a\xF5\x80\x80\x80", 1, Some(1)),
    (b"a\xFF", 1, Some(1)),
    // Incomplete before ASCII, before a lead byte, and at the end of the text.
    (b"\xE2\x82x", 0, Some(2)),
    (b"\xF0\x9F\x98\xC3\xA9", 0, Some(3)),
    (b"\xC3", 0, None),
    (b"x\xE2\x82", 1, None),
    (b"xy\xF0\x9F\x98", 2, None),
];

#[test]
fn examples_alone_and_after_ascii() {
    let utf8 = codec_named("Utf8");
    for (src, offset, error_len) in EXAMPLES {
        for front_len in [0, 1, 15, 31, 60, 64, 511, 575, 1087, 1600, 3000] {
            let text = [&vec![b'x'; front_len], src].concat();
            let error = std::str::from_utf8(&text).expect_err("ill-formed");
            assert_eq!(
                (error.valid_up_to(), error.error_len()),
                (front_len + offset, error_len),
                "{src:02X?}"
            );
            for &api in Api::all() {
                let error = (utf8.validate)(api, &text).expect_err("ill-formed");
                let got = (error.valid_up_to(), error.error_len());
                assert_eq!(
                    got,
                    (front_len + offset, error_len),
                    "{api:?}, {front_len} ASCII bytes before (hex) {src:02X?}"
                );
            }
        }
    }
}

/// Each kind of ill-formed sequence of UTF-8, with the first and the last value of the kind.
/// Incomplete sequences are followed by ASCII, by a lead byte, or by nothing.
const UTF8_SEQUENCES: &[&[u8]] = &[
    // Stray continuation bytes.
    b"\x80",
    b"\xBF",
    b"\xC3\xA9\x80",
    b"\xE2\x82\xAC\xBF",
    b"\xF0\x9F\x98\x80\x80",
    // Overlong.
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    // Surrogates.
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    // Too large.
    b"\xF4\x90\x80\x80",
    b"\xF4\xBF\xBF\xBF",
    // Invalid lead bytes.
    b"\xC0",
    b"\xC1",
    b"\xF5\x80\x80\x80",
    b"\xF5",
    b"\xF8\x88\x80\x80\x80",
    b"\xFF",
    // Incomplete, before ASCII or a lead byte.
    b"\xC3x",
    b"\xC3\xC3\xA9",
    b"\xE2x",
    b"\xE2\xE2\x82\xAC",
    b"\xE2\x82x",
    b"\xE2\x82\xC3\xA9",
    b"\xF0x",
    b"\xF0\xF0\x9F\x98\x80",
    b"\xF0\x9Fx",
    b"\xF0\x9F\xE2\x82\xAC",
    b"\xF0\x9F\x98x",
    b"\xF0\x9F\x98\xC3\xA9",
    // Incomplete at the end of the text. Elsewhere, the bytes after the sequence determine whether
    // it is ill-formed.
    b"\xC3",
    b"\xE2",
    b"\xE2\x82",
    b"\xF0",
    b"\xF0\x9F",
    b"\xF0\x9F\x98",
];

/// Sequences that are ill-formed in one of these encodings:
///
/// * unpaired surrogates, in CESU-8 and Modified UTF-8;
/// * surrogate pairs, in WTF-8;
/// * four-byte characters, in CESU-8 and Modified UTF-8;
/// * NUL, in Modified UTF-8.
const SURROGATE_SEQUENCES: &[&[u8]] = &[
    b"\xED\xA0\xBD",
    b"\xED\xB8\x80",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xED\xA0\xBDx",
    b"\xED\xA0\xBD\xED\xA0\xBD",
    b"\xED\xA0\xBD\xED\x9F\xBF",
    b"\xED\xA0\xBD\xEE\x80\x80",
    b"\xED\xA0\xBD\xED\xB8x",
    b"\xED\xA0\xBD\xED\xB8",
    b"\xED\xA0\xBD\xED",
    b"\xED\xA0",
    b"\xED",
    b"\xF0\x9F\x98\x80",
    b"\0",
];

/// Ill-formed sequences of UTF-16.
const UTF16_SEQUENCES: &[&[u16]] = &[
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
    &[0xD83D, 0x78],
    &[0xD83D, 0xD83D],
    &[0xD83D, 0xDBFF, 0xDC00],
    &[0xD83D, 0xE000],
    &[0xDE00, 0xD83D],
    &[0xD83D, 0xDE00, 0xDE00],
];

/// Ill-formed sequences of UTF-32.
const UTF32_SEQUENCES: &[&[u32]] =
    &[&[0xD800], &[0xDFFF], &[0x11_0000], &[0x0100_0078], &[0x8000_0000], &[u32::MAX]];

/// Returns the ill-formed sequences of an encoding.
fn ill_formed_sequences(scheme: Scheme) -> Vec<Vec<u8>> {
    fn to_bytes<U: Copy, const N: usize>(
        sequences: &[&[U]],
        unit_bytes: fn(U) -> [u8; N],
    ) -> Vec<Vec<u8>> {
        sequences
            .iter()
            .map(|units| units.iter().flat_map(|&unit| unit_bytes(unit)).collect())
            .collect()
    }
    match scheme {
        Scheme::Utf8 => to_bytes(UTF8_SEQUENCES, |byte| [byte]),
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            to_bytes(&[UTF8_SEQUENCES, SURROGATE_SEQUENCES].concat(), |byte| [byte])
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => to_bytes(UTF16_SEQUENCES, u16::to_le_bytes),
        Scheme::Utf16Be | Scheme::Wtf16Be => to_bytes(UTF16_SEQUENCES, u16::to_be_bytes),
        Scheme::Utf32Le => to_bytes(UTF32_SEQUENCES, u32::to_le_bytes),
        Scheme::Utf32Be => to_bytes(UTF32_SEQUENCES, u32::to_be_bytes),
        _ => vec![vec![0x80], vec![0xFF]],
    }
}

/// A text in which a check writes sequences over parts of the text.
struct Carrier {
    scheme: Scheme,
    text: Vec<u8>,
    /// For each offset, the last character boundary at or before the offset.
    starts: Vec<usize>,
}

impl Carrier {
    fn new(scheme: Scheme, text: Vec<u8>) -> Self {
        let ends = expect(scheme, scheme, &text).ends;
        let mut starts = Vec::with_capacity(text.len() + 1);
        for pair in ends.windows(2) {
            starts.extend((pair[0].0..pair[1].0).map(|_| pair[0].0));
        }
        starts.push(text.len());
        Self { scheme, text, starts }
    }

    /// Returns the first character boundary at or after `offset`, or the end of the text.
    fn boundary_from(&self, offset: usize) -> usize {
        (offset..self.text.len())
            .find(|&offset| self.starts[offset] == offset)
            .unwrap_or(self.text.len())
    }

    /// Calls `check` with the first `len` bytes of the text, with `sequence` at every offset of
    /// `offsets`. A character that the sequence overwrites only in part becomes ASCII. The second
    /// argument of `check` is a window that begins and ends at character boundaries and contains
    /// all errors.
    ///
    /// Calls `check` also with shorter texts, which end with the sequence, or a few bytes after it.
    /// At the first `SHORT_BYTES` offsets, these texts test the code for short texts. At later
    /// offsets, a text ends with the sequence only if the sequence is incomplete.
    fn for_each_offset(
        &mut self,
        sequence: &[u8],
        offsets: Range<usize>,
        len: usize,
        mut check: impl FnMut(&[u8], Range<usize>),
    ) {
        let ascii = encode_all(self.scheme, ['x']);
        let fill = |part: &mut [u8]| {
            part.chunks_exact_mut(ascii.len()).for_each(|x| x.copy_from_slice(&ascii));
        };
        // A character that the end of the text would cut becomes ASCII.
        let whole_end = self.starts[len];
        let tail = self.text[whole_end..len].to_vec();
        fill(&mut self.text[whole_end..len]);
        let is_incomplete =
            decode(self.scheme, sequence).fault.is_some_and(|fault| fault.len.is_none());
        let offsets_end = (len + 1).saturating_sub(sequence.len()).min(offsets.end);
        let tested_offsets = (offsets.start..offsets_end).step_by(ascii.len());
        for offset in sampled_if_slow("offsets", tested_offsets) {
            let end = offset + sequence.len();
            let (patch_start, patch_end) = (self.starts[offset], self.boundary_from(end).min(len));
            let original = self.text[patch_start..patch_end].to_vec();
            fill(&mut self.text[patch_start..offset]);
            fill(&mut self.text[end..patch_end]);
            self.text[offset..end].copy_from_slice(sequence);
            let mut check_up_to = |len: usize| {
                // The window has enough bytes to complete any character that starts in the
                // sequence.
                let window = patch_start..self.boundary_from((patch_end + 16).min(len)).min(len);
                check(&self.text[..len], window);
            };
            check_up_to(len);
            if is_incomplete || offset - offsets.start < SHORT_BYTES {
                check_up_to(end);
            }
            if offset - offsets.start < SHORT_BYTES {
                check_up_to(self.starts[(patch_end + offset % 70).min(len)]);
            }
            self.text[patch_start..patch_end].copy_from_slice(&original);
        }
        self.text[whole_end..len].copy_from_slice(&tail);
    }
}

/// The maximum length, in bytes, of the texts that special code for short texts handles.
const SHORT_BYTES: usize = 140;

/// Returns a text of `units` code units for each class: characters of one length, ASCII with a few
/// characters of one length, and characters of all lengths.
fn classes(scheme: Scheme, last_char: char, units: usize) -> Vec<Carrier> {
    let dense = |width| embedded_in(units, scheme, width, last_char, units, &[]);
    let sparse = |width| {
        let character = embedded_in(width, Scheme::Utf8, width, last_char, width, &[]);
        let character = String::from_utf8(character).expect("a character");
        let text = ["x".repeat(149), character].concat().repeat(units.div_ceil(150));
        encode_all(scheme, text.chars().take(units))
    };
    let mixed = encode_all(scheme, sample_chars(last_char, units, 51));
    let texts =
        widths(last_char).map(dense).chain(widths(last_char).skip(1).map(sparse)).chain([mixed]);
    texts.map(|text| Carrier::new(scheme, text)).collect()
}

/// Returns one `Codec` for each scheme.
fn each_scheme() -> impl Iterator<Item = &'static Codec> {
    let all = codecs();
    all.iter()
        .enumerate()
        .filter(|(i, codec)| all[..*i].iter().all(|c| c.scheme != codec.scheme))
        .map(|(_, codec)| codec)
}

/// Returns the first fault of `src`, which is well-formed outside the window.
fn find_fault(scheme: Scheme, src: &[u8], window: &Range<usize>) -> Option<Fault> {
    let fault = decode(scheme, &src[window.clone()]).fault?;
    Some(Fault { at: window.start + fault.at, ..fault })
}

/// Checks the validation of each kind of sequence in texts of each class, on every kernel.
/// `lengths(n)`, for sequence `n` in the order of the test, returns three pairs: the length of the
/// text, and the first offset at which the sequence is placed. Both are in bytes.
fn check_validation(codec: &Codec, max_len: usize, lengths: impl Fn(usize) -> [(usize, usize); 3]) {
    let (scheme, unit) = (codec.scheme, codec.scheme.unit_size());
    let last_char = last_common_char(pair_named(codec.name, codec.name));
    let mut sequence_index = 0;
    for mut carrier in classes(scheme, last_char, max_len / unit) {
        for sequence in sampled_if_slow("kinds", ill_formed_sequences(scheme).iter()) {
            sequence_index += 1;
            for (len, first_offset) in lengths(sequence_index) {
                let [len, first_offset] = [len, first_offset].map(|bytes| bytes / unit * unit);
                carrier.for_each_offset(sequence, first_offset..len, len, |src, window| {
                    let want = find_fault(scheme, src, &window);
                    for &api in Api::all() {
                        let got = (codec.validate)(api, src).err();
                        let got = got.map(|error| Fault::from_error(error, codec.element_bytes));
                        assert_eq!(got, want, "{} {api:?}, {window:?} of {src:02X?}", codec.name);
                    }
                });
            }
        }
    }
}

/// Texts of whole blocks, and texts of other lengths. Texts of at least three groups of 512 bytes
/// are validated in groups, whose blocks are checked together. In shorter texts, each block is
/// checked alone, and error flags are accumulated over 512 bytes and tested once.
#[test]
fn every_kind_of_utf8_error_is_found_at_every_offset() {
    check_validation(codec_named("Utf8"), 1536 + 576, |sequence_index| {
        let long = 1537 + 61 * sequence_index % 512;
        let short =
            256 + 64 * (sequence_index % 13) + [0, 1, sequence_index % 64, 2][sequence_index % 4];
        [(1536 + 64 * (sequence_index % 9), 0), (long, long - 600), (short, 0)]
    });
}

#[test]
fn every_kind_of_error_is_found_at_every_offset() {
    for codec in each_scheme().filter(|codec| codec.name != "Utf8") {
        check_validation(codec, 800, |sequence_index| {
            let long = 400 + 61 * sequence_index % 400;
            [(512 + 64 * (sequence_index % 4), 0), (long, long - 200), (150, 0)]
        });
    }
}

/// Other functions that find errors in UTF-8: summaries, the check for Latin-1, and stream
/// validators. Stream validators also get long chunks, which are checked in groups of blocks. A
/// chunk ends after one byte, or inside the sequence.
#[test]
fn every_kind_of_utf8_error_is_found_by_summaries_and_streams() {
    for mut carrier in classes(Scheme::Utf8, char::MAX, 1800) {
        for sequence in sampled_if_slow("kinds", UTF8_SEQUENCES.iter()) {
            carrier.for_each_offset(sequence, 0..720, 720, |src, window| {
                let want = find_fault(Scheme::Utf8, src, &window);
                for kernel in Kernel::available() {
                    let got =
                        kernel.utf8_summary(src).error.map(|error| Fault::from_error(error, 1));
                    assert_eq!(got, want, "summary, {kernel}, {window:?} of {src:02X?}");
                    let fits = kernel.utf8_fits_latin1(src);
                    assert!(!fits || want.is_none(), "{kernel}, {window:?} of {src:02X?}");
                    check_stream(kernel, src, window.end - 1, want);
                }
            });
            for offsets in [0..70, 1600..1670] {
                carrier.for_each_offset(sequence, offsets, 1800, |src, window| {
                    let want = find_fault(Scheme::Utf8, src, &window);
                    for cut in [1, window.start + sequence.len() / 2] {
                        let cut = cut.min(src.len());
                        Kernel::available().for_each(|kernel| check_stream(kernel, src, cut, want));
                    }
                });
            }
        }
    }
}

/// Asserts that a stream validator, which gets `src` in two chunks, finds the expected fault.
fn check_stream(kernel: Kernel, src: &[u8], cut: usize, want: Option<Fault>) {
    let mut stream = Validator::<Utf8>::with_kernel(kernel);
    let (first, second) = src.split_at(cut);
    let result = stream.push(first).and_then(|()| stream.push(second));
    let got = result.and_then(|()| stream.finish()).err();
    let got = got.map(|error| (error.offset() as usize, error.error_len()));
    let want = want.map(|fault| (fault.at, fault.len));
    assert_eq!(got, want, "validator, {kernel}, cut at {cut} of {src:02X?}");
}

/// The expected conversion of a carrier in which a window has been changed.
struct Patched<'a> {
    /// The conversion of the unchanged carrier.
    base: &'a Expected,
    /// The conversion of the window.
    window_out: &'a [u8],
    /// The fault that ends the conversion, with its offset in the whole text.
    fault: Option<Fault>,
    window: Range<usize>,
    /// The number of bytes that are read if there is no fault.
    len: usize,
}

impl Patched<'_> {
    /// Returns the number of bytes that the conversion of the first `read` bytes of the carrier
    /// writes.
    fn written(&self, read: usize) -> usize {
        let ends = &self.base.ends;
        ends[ends.partition_point(|end| end.0 < read)].1
    }

    /// Returns the parts of the expected output: before, in and after the window.
    fn parts(&self) -> [&[u8]; 3] {
        let front = &self.base.out[..self.written(self.window.start)];
        let back = self.written(self.window.end)..self.written(self.len);
        let back = if self.fault.is_none() { &self.base.out[back] } else { &[] };
        [front, self.window_out, back]
    }
}

/// Asserts that `transcode_into` has the expected result on every kernel.
fn check_conversion(pair: &Pair, src: &[u8], want: &Patched<'_>, output: &mut GuardedOutput) {
    let parts = want.parts();
    let written = parts.iter().map(|part| part.len()).sum();
    let outcome = Outcome {
        read: want.fault.map_or(src.len(), |fault| fault.at),
        written,
        stop: want.fault.map_or(Ending::Done, Ending::Fault),
    };
    for &api in Api::all() {
        output.reset(output.len());
        let progress = pair.transcode_into(api, src, output.dst());
        let got = Outcome::from_progress(progress, pair.from.element_bytes, pair.to.element_bytes);
        let context = || format!("{pair}, {api:?}, {:?} of {src:02X?}", want.window);
        assert_eq!(got, outcome, "{}", context());
        let mut rest = &output.dst()[..written];
        for part in parts {
            let got_part;
            (got_part, rest) = rest.split_at(part.len());
            assert!(got_part == part, "{}: {got_part:02X?} instead of {part:02X?}", context());
        }
    }
}

/// Checks the conversion of texts of `units` code units, with each kind of sequence at every
/// offset.
fn check_pair(pair: &Pair, units: usize) {
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    for mut carrier in classes(from, last_common_char(pair), units) {
        let base = expect(from, to, &carrier.text);
        assert_eq!(base.fault, None, "the target cannot represent a character of the carrier");
        let mut output = GuardedOutput::new(base.out.len() + 160);
        let len = carrier.text.len();
        for sequence in sampled_if_slow("kinds", ill_formed_sequences(from).iter()) {
            carrier.for_each_offset(sequence, 0..len, len, |src, window| {
                let part = expect(from, to, &src[window.clone()]);
                let fault = part.fault.map(|f| Fault { at: window.start + f.at, ..f });
                let window_out = &part.out;
                let want = Patched { base: &base, window_out, fault, window, len: src.len() };
                check_conversion(pair, src, &want, &mut output);
            });
        }
    }
}

/// Conversions to UTF-8, CESU-8 and Modified UTF-8 accumulate error flags over 512 bytes and test
/// them once. Other conversions test them every 64 bytes.
#[test]
fn every_kind_of_utf8_error_at_every_offset_stops_conversions() {
    for to in each_scheme() {
        let is_utf8_like = matches!(to.name, "Utf8" | "Cesu8" | "Mutf8");
        for &units in if is_utf8_like { &[576, 331][..] } else { &[192] } {
            check_pair(pair_named("Utf8", to.name), units);
        }
    }
}

/// The conversions of wider units and of CESU-8 that have algorithms of their own.
#[test]
fn every_kind_of_error_at_every_offset_stops_conversions() {
    for (from, to) in [
        ("Utf16", "Utf8"),
        ("Utf16Be", "Utf8"),
        ("Utf16", "Utf32"),
        ("Utf16", "Latin1"),
        ("Utf16", "Cesu8"),
        ("Utf32", "Utf8"),
        ("Utf32Be", "Utf8"),
        ("Utf32", "Utf16"),
        ("Cesu8", "Utf16"),
        ("Cesu8", "Utf8"),
        ("Mutf8", "Utf8"),
    ] {
        check_pair(pair_named(from, to), 150);
    }
}

/// Repairs of two kinds of text: with many errors at the start, which the vector code repairs, and
/// without them.
#[test]
fn every_kind_of_utf8_error_at_every_offset_is_repaired() {
    let dense: Vec<u8> = b"\xFFabc\xE2\x82de\x80".repeat(20);
    for (to, is_dense, units) in [("Utf8", true, 330), ("Utf8", false, 150), ("Utf16", true, 150)] {
        let pair = pair_named("Utf8", to);
        let front = if is_dense { &dense[..] } else { &[] };
        let repair = |src: &[u8]| {
            let text: Cow<'_, str> = String::from_utf8_lossy(src);
            let mut out = Vec::new();
            text.chars().for_each(|c| out.extend(encode_or_question_mark(pair.to.scheme, c)));
            let repairs = src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            (out, repairs)
        };
        let front_result = repair(front);
        for class in classes(Scheme::Utf8, char::MAX, units) {
            let base = expect(Scheme::Utf8, pair.to.scheme, &class.text);
            let starts = class.starts.iter().map(|at| at + front.len());
            let mut class = Carrier {
                text: [front, &class.text].concat(),
                starts: std::iter::repeat_n(0, front.len()).chain(starts).collect(),
                ..class
            };
            let len = class.text.len();
            for sequence in sampled_if_slow("kinds", UTF8_SEQUENCES.iter()) {
                class.for_each_offset(sequence, front.len()..len, len, |src, window| {
                    let (part, repairs) = repair(&src[window.clone()]);
                    let want = Patched {
                        base: &base,
                        window_out: &part,
                        fault: None,
                        window: window.start - front.len()..window.end - front.len(),
                        len: src.len() - front.len(),
                    };
                    let want = [&front_result.0[..], &want.parts().concat()].concat();
                    for &api in Api::all() {
                        let (text, count) = pair.lossy(api, src, Repair::REPLACE);
                        let context = || format!("{pair}, {api:?}, {window:?} of {src:02X?}");
                        assert!(text == want, "{}: {text:02X?}, not {want:02X?}", context());
                        assert_eq!(count, front_result.1 + repairs, "{}", context());
                    }
                });
            }
        }
    }
}
