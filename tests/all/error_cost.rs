//! An error costs as much as the text before it, and at most 1 KiB more: an operation reads nothing
//! after that, and writes nothing for it.
//!
//! The tests need no clock. The text continues for megabytes in memory whose pages the system
//! creates when they are first touched, so the tests can find out which pages were touched. The
//! last page may be touched, because some functions first look at the last byte.

use crate::common::api::{Api, codecs};
use crate::common::carriers::{embedded, last_common_char, widths};
use crate::common::oracle::{encode, expect};
use crate::common::pages::Pages;
use crate::common::pairs::{Pair, pair_named, pairs};
use crate::common::{sampled, say};
use utflane::{ByteValidator, Scheme, Stop, utf8};

/// The number of bytes after an error that may be read.
const MARGIN_BYTES: usize = 1024;

/// The length of the first segment of an owned conversion, in bytes. If surrogates may be halves of
/// a pair, the conversion first looks at the last six bytes of the segment.
const SEGMENT_BYTES: usize = 2048;

/// The length of a text, in bytes.
const TEXT_BYTES: usize = 4 << 20;

/// Returns an ill-formed sequence of `scheme`; `None` if the scheme has no such sequence, or only
/// at the end of a text.
fn ill_formed(scheme: Scheme) -> Option<&'static [u8]> {
    Some(match scheme {
        Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => &[0xE2, 0x82, b'A'],
        Scheme::Utf16Le => &[0x00, 0xDC],
        Scheme::Utf16Be => &[0xDC, 0x00],
        Scheme::Utf32Le => &[0, 0xD8, 0, 0],
        Scheme::Utf32Be => &[0, 0, 0xD8, 0],
        Scheme::Ascii => &[0x80],
        _ => return None,
    })
}

/// Returns true if both encodings of the pair can encode unpaired surrogates.
fn have_surrogates(pair: &Pair) -> bool {
    [pair.from.scheme, pair.to.scheme]
        .iter()
        .all(|scheme| matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be))
}

/// A text to put before an error: the number of bytes that its characters have in UTF-8, and its
/// number of units. `None` is no text.
type Prefix = Option<(usize, usize)>;

/// Returns short and long texts of characters of each width.
fn prefixes(pair: &Pair) -> Vec<Prefix> {
    let mut prefixes = vec![None];
    for width in widths(last_common_char(pair)) {
        prefixes.extend([5, 100, 3000, 40_000].map(|unit_count| Some((width, unit_count))));
    }
    prefixes
}

/// Returns a prefix in the encoding from which `pair` converts.
fn prefix_text(pair: &Pair, prefix: Prefix) -> Vec<u8> {
    let Some((width, unit_count)) = prefix else { return Vec::new() };
    let carrier = embedded(pair.from.scheme, width, last_common_char(pair), 192, b"");
    let len = unit_count * pair.from.scheme.unit_size();
    // Without an incomplete character at the end.
    let rest = expect(pair.from.scheme, pair.from.scheme, &carrier[..len % carrier.len()]).out;
    [carrier.repeat(len / carrier.len()), rest].concat()
}

/// Memory for a text and for its conversion.
struct Memory {
    src: Pages,
    dst: Pages,
}

impl Memory {
    /// Returns `None` if the system does not report which pages have been touched.
    fn new() -> Option<Self> {
        if !Pages::work() {
            say(
                "error_cost: skipped, since this system doesn't tell which pages have been touched",
            );
            return None;
        }
        Some(Self { src: Pages::new(TEXT_BYTES), dst: Pages::new(4 * TEXT_BYTES) })
    }

    /// Calls [`check_within`](Self::check_within) with the usual margin.
    fn check(
        &mut self,
        name: &dyn std::fmt::Display,
        prefix: &[u8],
        fault: &[u8],
        operation: impl FnMut(Api, &[u8], &mut [u8]) -> bool,
    ) {
        self.check_within(MARGIN_BYTES, name, prefix, fault, operation);
    }

    /// Runs `operation` on a text of `prefix`, `fault` and `margin` more bytes, which end before an
    /// untouched page. The margin ends with the last bytes of a long `prefix`, because some kernels
    /// look for errors when ASCII begins. `operation` returns true if it met an error. It may read
    /// nothing after the margin, and may write at most four bytes for each byte up to there.
    fn check_within(
        &mut self,
        margin: usize,
        name: &dyn std::fmt::Display,
        prefix: &[u8],
        fault: &[u8],
        mut operation: impl FnMut(Api, &[u8], &mut [u8]) -> bool,
    ) {
        let fault_end = prefix.len() + fault.len();
        let end = (fault_end + margin).next_multiple_of(self.src.page());
        let start = end - fault_end - margin;
        let max_written = (4 * (fault_end + margin)).next_multiple_of(self.dst.page());
        for &api in Api::all() {
            self.src.forget();
            self.dst.forget();
            self.src.bytes()[start..][..prefix.len()].copy_from_slice(prefix);
            self.src.bytes()[start + prefix.len()..][..fault.len()].copy_from_slice(fault);
            if let Some(filling) = prefix.last_chunk::<{ MARGIN_BYTES }>() {
                self.src.bytes()[end - margin..][..MARGIN_BYTES].copy_from_slice(filling);
            }
            let found = operation(api, &self.src.bytes()[start..], self.dst.bytes());
            let context = || format!("{name}, {api:?}, {fault:02X?} after {} bytes", prefix.len());
            assert!(found, "{}: no error", context());
            assert_eq!(self.src.touched_up_to(), end, "{}: read too far", context());
            assert!(self.dst.touched_up_to() <= max_written, "{}: written too far", context());
        }
    }
}

#[test]
fn validations_stop_soon_after_an_error() {
    let Some(mut memory) = Memory::new() else { return };
    for codec in codecs() {
        let Some(fault) = ill_formed(codec.scheme) else { continue };
        // All prefixes: the longest one alone finds a segment that grows without a limit.
        let pair = pair_named(codec.name, codec.name);
        for prefix in prefixes(pair) {
            let prefix = &prefix_text(pair, prefix);
            memory.check(&codec.name, prefix, fault, |api, src, _| {
                (codec.validate)(api, src).is_err()
            });
            memory.check(&format!("{}, chunk", codec.name), prefix, fault, |api, src, _| {
                let mut validator = match api {
                    Api::Free => ByteValidator::new(codec.scheme),
                    Api::On(kernel) => ByteValidator::with_kernel(kernel, codec.scheme),
                };
                validator.push(src).is_err()
            });
        }
    }
}

#[test]
fn functions_on_utf8_stop_soon_after_an_error() {
    let Some(mut memory) = Memory::new() else { return };
    let fault = ill_formed(Scheme::Utf8).expect("UTF-8 has ill-formed sequences");
    let pair = pair_named("Utf8", "Utf8");
    for prefix in sampled("prefixes", prefixes(pair).into_iter()) {
        let prefix = &prefix_text(pair, prefix);
        memory.check(&"summary", prefix, fault, |api, src, _| match api {
            Api::Free => utf8::summary(src).error.is_some(),
            Api::On(kernel) => kernel.utf8_summary(src).error.is_some(),
        });
        memory.check(&"fits_latin1", prefix, fault, |api, src, _| match api {
            Api::Free => !utf8::fits_latin1(src),
            Api::On(kernel) => !kernel.utf8_fits_latin1(src),
        });
        memory.check(&"to_chars", prefix, fault, |api, src, _| match api {
            Api::Free => utf8::to_chars(src).is_err(),
            Api::On(kernel) => kernel.utf8_to_chars(src).is_err(),
        });
    }
}

#[test]
fn conversions_stop_soon_after_an_error() {
    let Some(mut memory) = Memory::new() else { return };
    for pair in pairs() {
        let mut unmappable = Vec::new();
        let is_encodable = |c| encode(pair.from.scheme, c, &mut unmappable);
        let has_unmappable =
            char::from_u32(u32::from(last_common_char(pair)) + 1).is_some_and(is_encodable);
        let unmappable = has_unmappable.then_some(&unmappable[..]);
        for fault in ill_formed(pair.from.scheme).into_iter().chain(unmappable) {
            for prefix in sampled("prefixes", prefixes(pair).into_iter()) {
                let prefix = &prefix_text(pair, prefix);
                memory.check(&format!("{pair}, into"), prefix, fault, |api, src, dst| {
                    let progress = pair.transcode_into(api, src, dst);
                    matches!(progress.stop, Stop::Error(_))
                });
                let margin = if have_surrogates(pair) { SEGMENT_BYTES } else { MARGIN_BYTES };
                memory.check_within(
                    margin,
                    &format!("{pair}, owned"),
                    prefix,
                    fault,
                    |api, src, _| pair.transcode_capacity(api, src).is_err(),
                );
                memory.check_within(
                    margin,
                    &format!("{pair}, append"),
                    prefix,
                    fault,
                    |api, src, _| pair.transcode_append(api, src, &mut Vec::new()).is_err(),
                );
            }
        }
    }
}
