//! UTF-8 test cases with literal expected results. Each case is checked by itself and inside other
//! text at every offset near the boundaries of blocks: strictly, with repairs, and as a stream
//! whose chunks are single bytes.

use std::borrow::Cow;
use std::ops::Range;

use utflane::{ErrorKind, Repair, Utf8, Utf16, utf8};

use super::api::{Api, Validate, call, codec_named};
use super::carriers::embedded;
use super::checks::check_everything;
use super::lossy::check_lossy_stream;
use super::oracle::Fault;
use super::pairs::pair_named;
use super::positions::check_chunks;
use super::streams::{check_stream, check_validator};

/// The length of each chunk of a stream, in code units.
const BYTE_BY_BYTE: &[usize] = &[1];
/// The capacity of each output of a stream, in code units.
const LONG_OUTPUTS: &[usize] = &[64];
/// The capacities of the outputs of a stream, in code units, in a cycle. They are often too small.
const SHORT_OUTPUTS: &[usize] = &[0, 1, 2];

/// A text, and its expected results.
pub struct Case {
    pub src: Vec<u8>,
    /// All faults that are found if validation continues after each fault. Only the last fault may
    /// have an unknown length.
    pub faults: Vec<Fault>,
    /// The text after repairs.
    pub repaired: String,
}

/// Creates a case. If the text ends with an incomplete sequence, its fault is [`incomplete`].
pub fn case(src: &[u8], faults: impl Into<Vec<Fault>>, repaired: &str) -> Case {
    Case { src: src.to_vec(), faults: faults.into(), repaired: repaired.to_owned() }
}

/// Returns the fault of an ill-formed sequence of `len` bytes at offset `at`.
pub fn ill_formed(kind: ErrorKind, at: usize, len: usize) -> Fault {
    Fault { at, len: Some(len), kind }
}

/// Returns the fault of an incomplete sequence from offset `at` to the end of the text.
pub fn incomplete(at: usize) -> Fault {
    Fault { at, len: None, kind: ErrorKind::TooShort }
}

/// Returns one fault of this kind for each byte in the range.
pub fn each_byte(kind: ErrorKind, range: Range<usize>) -> Vec<Fault> {
    range.map(|at| ill_formed(kind, at, 1)).collect()
}

/// Returns the faults of an ill-formed lead byte and of the continuation bytes after it: a fault of
/// kind `kind` for the lead byte, and a fault of kind `TooLong` for each continuation byte.
pub fn lead_and_each_byte_after(kind: ErrorKind, range: Range<usize>) -> Vec<Fault> {
    let mut all = each_byte(ErrorKind::TooLong, range.clone());
    all[0] = ill_formed(kind, range.start, 1);
    all
}

impl Case {
    /// Runs every check on the case by itself.
    pub fn check_alone(&self) {
        self.check_std();
        let Self { src, faults, repaired } = self;
        let utf8 = codec_named("Utf8");
        for &api in Api::all() {
            let mut at = 0;
            for fault in faults {
                let error = (utf8.validate)(api, &src[at..]).expect_err("ill-formed");
                let got = Fault::from_error(error, 1);
                assert_eq!(
                    Fault { at: at + got.at, ..got },
                    *fault,
                    "{api:?}, source (hex) {src:02X?}"
                );
                at = fault.at + fault.len.unwrap_or(0);
            }
            if faults.last().is_none_or(|fault| fault.len.is_some()) {
                assert_eq!(
                    (utf8.validate)(api, &src[at..]),
                    Ok(()),
                    "{api:?}, source (hex) {src:02X?}"
                );
            }
            let stream_faults = validate_byte_by_byte((utf8.validator)(api).as_mut(), src);
            let spans = |faults: &[Fault]| -> Vec<_> {
                faults.iter().map(|fault| (fault.at, fault.len)).collect()
            };
            assert_eq!(
                spans(&stream_faults),
                spans(faults),
                "byte by byte, {api:?}, source (hex) {src:02X?}"
            );
            self.check_repairs(api, src, repaired);
        }
        check_chunks(src);
        check_validator(utf8, src, BYTE_BY_BYTE);
        for to in ["Utf8", "Utf16", "Utf32", "Latin1"] {
            check_everything(pair_named("Utf8", to), src);
            check_stream(pair_named("Utf8", to), src, BYTE_BY_BYTE, LONG_OUTPUTS);
            check_stream(pair_named("Utf8", to), src, BYTE_BY_BYTE, SHORT_OUTPUTS);
            check_lossy_stream(
                pair_named("Utf8", to),
                src,
                Repair::REPLACE,
                BYTE_BY_BYTE,
                LONG_OUTPUTS,
            );
        }
    }

    /// Checks that the standard library gives the same results.
    fn check_std(&self) {
        let Self { src, faults, repaired } = self;
        assert_eq!(&String::from_utf8_lossy(src), repaired, "std, source (hex) {src:02X?}");
        let mut at = 0;
        let mut found = Vec::new();
        while let Err(error) = std::str::from_utf8(&src[at..]) {
            at += error.valid_up_to();
            found.push((at, error.error_len()));
            let Some(len) = error.error_len() else { break };
            at += len;
        }
        let want: Vec<_> = faults.iter().map(|fault| (fault.at, fault.len)).collect();
        assert_eq!(found, want, "std, source (hex) {src:02X?}");
        // The source may contain U+FFFD itself.
        let in_src = src.windows(3).filter(|&bytes| bytes == b"\xEF\xBF\xBD").count();
        let in_repaired = repaired.matches('\u{FFFD}').count();
        assert_eq!(
            in_repaired,
            faults.len() + in_src,
            "the number of U+FFFD, source (hex) {src:02X?}"
        );
    }

    /// Checks conversions of `src` with repairs into UTF-8 and UTF-16. The case is the only
    /// ill-formed part of `src`, and `want` is the repaired text.
    fn check_repairs(&self, api: Api, src: &[u8], want: &str) {
        let text = match api {
            Api::Free => utf8::from_utf8_lossy(src),
            Api::On(kernel) => kernel.from_utf8_lossy(src),
        };
        assert_eq!(text, want, "{api:?}, source (hex) {src:02X?}");
        let is_borrowed = matches!(text, Cow::Borrowed(_));
        assert_eq!(is_borrowed, self.faults.is_empty(), "{api:?}, source (hex) {src:02X?}");
        let utf16 = call!(api, transcode_lossy::<Utf8, Utf16>(src, Repair::REPLACE));
        assert!(
            utf16.text.iter().copied().eq(want.encode_utf16()),
            "{api:?}, source (hex) {src:02X?}"
        );
        assert_eq!(utf16.repairs, self.faults.len(), "{api:?}, source (hex) {src:02X?}");
    }

    /// Checks the case at these offsets in texts of one-, two-, three- and four-byte characters.
    pub fn check_embedded(&self, offsets: &[usize]) {
        let scheme = utflane::Scheme::Utf8;
        // The carrier texts, without a sequence in them.
        let carrier = |width, at| embedded(scheme, width, char::MAX, at, b"");
        for width in 1..=4 {
            let after = carrier(width, 0);
            let after = str::from_utf8(&after).expect("well-formed");
            for &at in offsets {
                let before = carrier(width, at);
                let before = str::from_utf8(&before[..at]).expect("whole characters");
                let src = [before.as_bytes(), &self.src, after.as_bytes()].concat();
                self.check_in_text(at, &src, &[before, &self.repaired, after].concat());
            }
        }
    }

    /// Checks `src`, which contains the case at offset `at`; `want` is the repaired text.
    fn check_in_text(&self, at: usize, src: &[u8], want: &str) {
        // More text follows the case, so no sequence of the case is incomplete, and the length of
        // each fault is known.
        let first_fault = self.faults.first().map(|fault| Fault {
            at: at + fault.at,
            len: Some(fault.len.unwrap_or(self.src.len() - fault.at)),
            ..*fault
        });
        let utf8 = codec_named("Utf8");
        let mut units = vec![0; src.len()];
        for &api in Api::all() {
            let got = (utf8.validate)(api, src).err().map(|error| Fault::from_error(error, 1));
            assert_eq!(got, first_fault, "{api:?}, source (hex) {src:02X?}");
            let progress = call!(api, transcode_into::<Utf8, Utf16>(src, &mut units));
            assert_eq!(
                progress.read,
                first_fault.map_or(src.len(), |fault| fault.at),
                "{api:?}, source (hex) {src:02X?}"
            );
            let text = str::from_utf8(&src[..progress.read]).expect("well-formed");
            assert!(units[..progress.written].iter().copied().eq(text.encode_utf16()), "{api:?}");
            self.check_repairs(api, src, want);
        }
    }
}

/// Validates `src` as a stream whose chunks are single bytes. Returns all faults.
fn validate_byte_by_byte(validator: &mut dyn Validate, src: &[u8]) -> Vec<Fault> {
    let mut found = Vec::new();
    for byte in src.chunks(1) {
        let mut chunk = byte;
        while let Err(error) = validator.push(chunk) {
            found.push(Fault::from_stream_error(error, 1));
            chunk = &chunk[error.read()..];
        }
    }
    found.extend(validator.finish().err().map(|error| Fault::from_stream_error(error, 1)));
    found
}

/// Returns the offsets near the boundaries of vectors, of blocks, and of the groups of blocks that
/// validation checks together.
pub fn offsets_near_boundaries() -> Vec<usize> {
    // A sequence that begins at most 7 bytes before a boundary may end after it.
    const BYTES_BEFORE: usize = 7;
    const BYTES_AFTER: usize = 2;
    /// All offsets in the first block of 64 bytes and a few bytes after it.
    const ALL_UP_TO: usize = 68;
    let mut all: Vec<usize> = (0..=ALL_UP_TO).collect();
    for boundary in [96, 128, 192, 256, 320, 512, 1024] {
        all.extend(boundary - BYTES_BEFORE..=boundary + BYTES_AFTER);
    }
    all
}
