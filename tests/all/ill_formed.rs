//! Ill-formed sequences at every offset of a vector, a block, a group of blocks and their seams:
//! each kind of them, in each class of text, inside the text and at its end, on every kernel.
//!
//! A text is generated once, and a sequence is written over a part of it. So the oracle decodes
//! only a window around the sequence: the rest of the text is known.

use std::borrow::Cow;
use std::ops::Range;

use utflane::{Kernel, Repair, Scheme, Utf8, Validator};

use crate::common::api::{Api, Codec, Pair, codecs, named};
use crate::common::carriers::{embedded_in, last_common, sample_chars, widths};
use crate::common::checks::GuardedOutput;
use crate::common::costly;
use crate::common::lossy::held;
use crate::common::lossy_api;
use crate::common::oracle::{Ending, Expected, Fault, Outcome, decode, encode_all, expect};

/// Texts, and their first error: its offset and its length, `None` if the text ends inside a
/// sequence.
const EXAMPLES: [(&[u8], usize, Option<usize>); 15] = [
    // A continuation byte without a lead byte, and one too many.
    (b"ab\x80cd", 2, Some(1)),
    (b"\xC3\xA9\xA9", 2, Some(1)),
    // Overlong: "/" and U+007F in two bytes, U+07FF in three, U+FFFF in four.
    (b"\xC0\xAF", 0, Some(1)),
    (b"\xC1\xBF", 0, Some(1)),
    (b"\xE0\x9F\xBF", 0, Some(1)),
    (b"\xF0\x8F\xBF\xBF", 0, Some(1)),
    // A surrogate; U+110000; bytes that no text has.
    (b"\xED\xA0\x80", 0, Some(1)),
    (b"\xF4\x90\x80\x80", 0, Some(1)),
    (b"a\xF5\x80\x80\x80", 1, Some(1)),
    (b"a\xFF", 1, Some(1)),
    // Cut short by ASCII, by a lead byte, and by the end.
    (b"\xE2\x82x", 0, Some(2)),
    (b"\xF0\x9F\x98\xC3\xA9", 0, Some(3)),
    (b"\xC3", 0, None),
    (b"x\xE2\x82", 1, None),
    (b"xy\xF0\x9F\x98", 2, None),
];

#[test]
fn examples_alone_and_after_ascii() {
    let utf8 = &codecs()[0];
    for (src, at, len) in EXAMPLES {
        for before in [0, 1, 15, 31, 60, 64, 511, 575, 1087, 1600, 3000] {
            let text = [&vec![b'x'; before], src].concat();
            let error = std::str::from_utf8(&text).expect_err("ill-formed");
            assert_eq!((error.valid_up_to(), error.error_len()), (before + at, len), "{src:02X?}");
            for &api in Api::all() {
                let error = (utf8.validate)(api, &text).expect_err("ill-formed");
                let got = (error.valid_up_to(), error.error_len());
                assert_eq!(got, (before + at, len), "{api:?}, {before} before {src:02X?}");
            }
        }
    }
}

/// Ill-formed sequences of UTF-8: each kind of them, with the first and the last value of the kind.
/// Those that are incomplete are followed by ASCII or by a lead byte.
const UTF8: &[&[u8]] = &[
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
    // Cut short.
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
    // Cut short, if this is the end; otherwise what follows decides.
    b"\xC3",
    b"\xE2",
    b"\xE2\x82",
    b"\xF0",
    b"\xF0\x9F",
    b"\xF0\x9F\x98",
];

/// Sequences that are ill-formed in CESU-8, Modified UTF-8 or WTF-8: unpaired surrogates, pairs
/// where none may be, characters of four bytes, and NUL.
const SURROGATES_IN_UTF8: &[&[u8]] = &[
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
const UTF16: &[&[u16]] = &[
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
const UTF32: &[&[u32]] =
    &[&[0xD800], &[0xDFFF], &[0x11_0000], &[0x0100_0078], &[0x8000_0000], &[u32::MAX]];

/// The ill-formed sequences of an encoding.
fn ill_formed(scheme: Scheme) -> Vec<Vec<u8>> {
    fn bytes<U: Copy, const N: usize>(all: &[&[U]], of: fn(U) -> [u8; N]) -> Vec<Vec<u8>> {
        all.iter().map(|units| units.iter().flat_map(|&unit| of(unit)).collect()).collect()
    }
    match scheme {
        Scheme::Utf8 => bytes(UTF8, |byte| [byte]),
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            bytes(&[UTF8, SURROGATES_IN_UTF8].concat(), |byte| [byte])
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => bytes(UTF16, u16::to_le_bytes),
        Scheme::Utf16Be | Scheme::Wtf16Be => bytes(UTF16, u16::to_be_bytes),
        Scheme::Utf32Le => bytes(UTF32, u32::to_le_bytes),
        Scheme::Utf32Be => bytes(UTF32, u32::to_be_bytes),
        _ => vec![vec![0x80], vec![0xFF]],
    }
}

/// A text, over parts of which sequences are written.
struct Carrier {
    scheme: Scheme,
    text: Vec<u8>,
    /// For each offset, the last boundary at or before it.
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

    /// The first boundary at or after `at`, or the end.
    fn boundary_from(&self, at: usize) -> usize {
        (at..self.text.len()).find(|&at| self.starts[at] == at).unwrap_or(self.text.len())
    }

    /// Calls `check` with the first `len` bytes, in which `sequence` stands at every offset of
    /// `offsets`. What the sequence leaves of the characters at its ends becomes ASCII. All errors
    /// are in the window that `check` is told, which begins and ends at boundaries.
    ///
    /// The text also ends with the sequence, and a few bytes after it: at all offsets if the end
    /// cuts the sequence, and else at the first ones, for the code of short texts.
    fn with(
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
        // A character that the end would cut becomes ASCII.
        let whole = self.starts[len];
        let tail = self.text[whole..len].to_vec();
        fill(&mut self.text[whole..len]);
        let is_cut = decode(self.scheme, sequence).fault.is_some_and(|fault| fault.len.is_none());
        let last = (len + 1).saturating_sub(sequence.len()).min(offsets.end);
        for at in (offsets.start..last).step_by(ascii.len()) {
            let end = at + sequence.len();
            let (from, to) = (self.starts[at], self.boundary_from(end).min(len));
            let kept = self.text[from..to].to_vec();
            fill(&mut self.text[from..at]);
            fill(&mut self.text[end..to]);
            self.text[at..end].copy_from_slice(sequence);
            let mut check_up_to = |len: usize| {
                // Enough for whatever a sequence may be the start of.
                let window = from..self.boundary_from((to + 16).min(len)).min(len);
                check(&self.text[..len], window);
            };
            check_up_to(len);
            if is_cut || at - offsets.start < SHORT_BYTES {
                check_up_to(end);
            }
            if at - offsets.start < SHORT_BYTES {
                check_up_to(self.starts[(to + at % 70).min(len)]);
            }
            self.text[from..to].copy_from_slice(&kept);
        }
        self.text[whole..len].copy_from_slice(&tail);
    }
}

/// Bytes of a text for which there is code that no longer one reaches.
const SHORT_BYTES: usize = 140;

/// Texts of `units` code units in the classes: characters of one length, ASCII with a character of
/// one length here and there, and all of them mixed.
fn classes(scheme: Scheme, last: char, units: usize) -> Vec<Carrier> {
    let dense = |width| embedded_in(units, scheme, width, last, units, &[]);
    let sparse = |width| {
        let one = embedded_in(width, Scheme::Utf8, width, last, width, &[]);
        let one = String::from_utf8(one).expect("a character");
        let text = ["x".repeat(149), one].concat().repeat(units.div_ceil(150));
        encode_all(scheme, text.chars().take(units))
    };
    let mixed = encode_all(scheme, sample_chars(last, units, 51));
    let texts = widths(last).map(dense).chain(widths(last).skip(1).map(sparse)).chain([mixed]);
    texts.map(|text| Carrier::new(scheme, text)).collect()
}

/// The encodings, each once.
fn each_scheme() -> impl Iterator<Item = &'static Codec> {
    let all = codecs();
    all.iter()
        .enumerate()
        .filter(|(i, codec)| all[..*i].iter().all(|c| c.scheme != codec.scheme))
        .map(|(_, codec)| codec)
}

/// The fault of `src`, all of which is well-formed except for a window.
fn fault(scheme: Scheme, src: &[u8], window: &Range<usize>) -> Option<Fault> {
    let fault = decode(scheme, &src[window.clone()]).fault?;
    Some(Fault { at: window.start + fault.at, ..fault })
}

/// Each kind in texts of each class, on every kernel. For a number that rises with each of them,
/// `lengths` returns lengths in bytes, and the first offsets.
fn check_validation(codec: &Codec, most: usize, lengths: impl Fn(usize) -> [(usize, usize); 3]) {
    let (scheme, unit) = (codec.scheme, codec.scheme.unit_size());
    let last = last_common(named(codec.name, codec.name));
    let mut turn = 0;
    for mut class in classes(scheme, last, most / unit) {
        for sequence in costly("kinds", ill_formed(scheme).iter()) {
            turn += 1;
            for (len, first) in lengths(turn) {
                let [len, first] = [len, first].map(|bytes| bytes / unit * unit);
                class.with(sequence, first..len, len, |src, window| {
                    let want = fault(scheme, src, &window);
                    for &api in Api::all() {
                        let got = (codec.validate)(api, src).err();
                        let got = got.map(|error| Fault::from_error(error, codec.unit));
                        assert_eq!(got, want, "{} {api:?}, {window:?} of {src:02X?}", codec.name);
                    }
                });
            }
        }
    }
}

/// Texts of whole blocks, and others. Validation in groups of 512 bytes begins at three groups;
/// below, the errors of 512 bytes are tested together.
#[test]
fn every_kind_of_utf8_at_every_offset_is_found() {
    check_validation(&codecs()[0], 1536 + 576, |turn| {
        let long = 1537 + 61 * turn % 512;
        let short = 256 + 64 * (turn % 13) + [0, 1, turn % 64, 2][turn % 4];
        [(1536 + 64 * (turn % 9), 0), (long, long - 600), (short, 0)]
    });
}

#[test]
fn every_kind_at_every_offset_is_found() {
    for codec in each_scheme().filter(|codec| codec.name != "Utf8") {
        check_validation(codec, 800, |turn| {
            let long = 400 + 61 * turn % 400;
            [(512 + 64 * (turn % 4), 0), (long, long - 200), (150, 0)]
        });
    }
}

/// The functions that find errors of UTF-8 besides what they return: summaries, the question
/// whether a text fits Latin-1, and validators of streams. These also get long chunks, which are
/// checked in groups of blocks, before and after the start of a sequence.
#[test]
fn every_kind_of_utf8_is_found_by_summaries_and_streams() {
    for mut class in classes(Scheme::Utf8, char::MAX, 1800) {
        for sequence in costly("kinds", UTF8.iter()) {
            class.with(sequence, 0..720, 720, |src, window| {
                let want = fault(Scheme::Utf8, src, &window);
                for kernel in Kernel::available() {
                    let got =
                        kernel.utf8_summary(src).error().map(|error| Fault::from_error(error, 1));
                    assert_eq!(got, want, "summary, {kernel}, {window:?} of {src:02X?}");
                    let fits = kernel.utf8_fits_latin1(src);
                    assert!(!fits || want.is_none(), "{kernel}, {window:?} of {src:02X?}");
                    check_stream(kernel, src, window.end - 1, want);
                }
            });
            for offsets in [0..70, 1600..1670] {
                class.with(sequence, offsets, 1800, |src, window| {
                    let want = fault(Scheme::Utf8, src, &window);
                    for cut in [1, window.start + sequence.len() / 2] {
                        let cut = cut.min(src.len());
                        Kernel::available().for_each(|kernel| check_stream(kernel, src, cut, want));
                    }
                });
            }
        }
    }
}

/// Asserts that a validator of a stream finds a fault, in two chunks.
fn check_stream(kernel: Kernel, src: &[u8], cut: usize, want: Option<Fault>) {
    let mut stream = Validator::<Utf8>::with_kernel(kernel);
    let (first, second) = src.split_at(cut);
    let result = stream.push(first).and_then(|()| stream.push(second));
    let got = result.and_then(|()| stream.finish()).err();
    let got = got.map(|error| (error.offset() as usize, error.error_len()));
    let want = want.map(|fault| (fault.at, fault.len));
    assert_eq!(got, want, "validator, {kernel}, cut at {cut} of {src:02X?}");
}

/// The result of the conversion of a carrier, in which a window has been changed.
struct Patched<'a> {
    /// The conversion of the carrier as it was.
    base: &'a Expected,
    /// The conversion of the window.
    part: &'a [u8],
    /// What ends it, in the whole text.
    fault: Option<Fault>,
    window: Range<usize>,
    /// Bytes read without a fault.
    len: usize,
}

impl Patched<'_> {
    /// Bytes of the conversion of `read` bytes of the carrier.
    fn written(&self, read: usize) -> usize {
        let ends = &self.base.ends;
        ends[ends.partition_point(|end| end.0 < read)].1
    }

    /// The parts of the output.
    fn parts(&self) -> [&[u8]; 3] {
        let front = &self.base.out[..self.written(self.window.start)];
        let back = self.written(self.window.end)..self.written(self.len);
        let back = if self.fault.is_none() { &self.base.out[back] } else { &[] };
        [front, self.part, back]
    }
}

/// Asserts that `transcode_into` returns what is expected, on every kernel.
fn check_into(pair: &Pair, src: &[u8], want: &Patched<'_>, output: &mut GuardedOutput) {
    let parts = want.parts();
    let written = parts.iter().map(|part| part.len()).sum();
    let outcome = Outcome {
        read: want.fault.map_or(src.len(), |fault| fault.at),
        written,
        stop: want.fault.map_or(Ending::Done, Ending::Fault),
    };
    for &api in Api::all() {
        output.reset(output.len());
        let progress = (pair.transcode_into)(api, src, output.dst());
        let got = Outcome::from_progress(progress, pair.from.unit, pair.to.unit);
        let context = || format!("{pair}, {api:?}, {:?} of {src:02X?}", want.window);
        assert_eq!(got, outcome, "{}", context());
        let mut dst = &output.dst()[..written];
        for part in parts {
            let same;
            (same, dst) = dst.split_at(part.len());
            assert!(same == part, "{}: {same:02X?} instead of {part:02X?}", context());
        }
    }
}

/// Every kind at every offset in the conversion of texts of `units` code units.
fn check_pair(pair: &Pair, units: usize) {
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    for mut class in classes(from, last_common(pair), units) {
        let base = expect(from, to, &class.text);
        assert_eq!(base.fault, None, "the target has every character");
        let mut output = GuardedOutput::new(base.out.len() + 160);
        let len = class.text.len();
        for sequence in costly("kinds", ill_formed(from).iter()) {
            class.with(sequence, 0..len, len, |src, window| {
                let part = expect(from, to, &src[window.clone()]);
                let fault = part.fault.map(|f| Fault { at: window.start + f.at, ..f });
                let part = &part.out;
                let want = Patched { base: &base, part, fault, window, len: src.len() };
                check_into(pair, src, &want, &mut output);
            });
        }
    }
}

/// Copies and edits test the errors of 512 bytes together, other conversions those of 64.
#[test]
fn every_kind_of_utf8_at_every_offset_stops_conversions() {
    for to in each_scheme() {
        let is_copy = matches!(to.name, "Utf8" | "Cesu8" | "Mutf8");
        for &units in if is_copy { &[576, 331][..] } else { &[192] } {
            check_pair(named("Utf8", to.name), units);
        }
    }
}

/// The conversions of wider units and of CESU-8 that have algorithms of their own.
#[test]
fn every_kind_at_every_offset_stops_conversions() {
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
        check_pair(named(from, to), 150);
    }
}

/// Repairs: in text that begins with many errors, so it is repaired by vectors, and in other
/// text.
#[test]
fn every_kind_of_utf8_at_every_offset_is_repaired() {
    let dense: Vec<u8> = b"\xFFabc\xE2\x82de\x80".repeat(20);
    for (to, is_dense, units) in [("Utf8", true, 330), ("Utf8", false, 150), ("Utf16", true, 150)] {
        let pair = lossy_api::named("Utf8", to);
        let front = if is_dense { &dense[..] } else { &[] };
        let encode = |src: &[u8]| {
            let text: Cow<'_, str> = String::from_utf8_lossy(src);
            let mut out = Vec::new();
            text.chars().for_each(|c| out.extend(held(pair.to.scheme, c)));
            let repairs = src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            (out, repairs)
        };
        let before = encode(front);
        for class in classes(Scheme::Utf8, char::MAX, units) {
            let base = expect(Scheme::Utf8, pair.to.scheme, &class.text);
            let starts = class.starts.iter().map(|at| at + front.len());
            let mut class = Carrier {
                text: [front, &class.text].concat(),
                starts: std::iter::repeat_n(0, front.len()).chain(starts).collect(),
                ..class
            };
            let len = class.text.len();
            for sequence in costly("kinds", UTF8.iter()) {
                class.with(sequence, front.len()..len, len, |src, window| {
                    let (part, repairs) = encode(&src[window.clone()]);
                    let want = Patched {
                        base: &base,
                        part: &part,
                        fault: None,
                        window: window.start - front.len()..window.end - front.len(),
                        len: src.len() - front.len(),
                    };
                    let want = [&before.0[..], &want.parts().concat()].concat();
                    for &api in Api::all() {
                        let (text, count) = (pair.lossy)(api, src, Repair::REPLACE);
                        let context = || format!("{pair}, {api:?}, {window:?} of {src:02X?}");
                        assert!(text == want, "{}: {text:02X?}, not {want:02X?}", context());
                        assert_eq!(count, before.1 + repairs, "{}", context());
                    }
                });
            }
        }
    }
}
