//! An error costs its prefix and at most a KiB of work: nothing further after it is read, and
//! nothing is written there.
//!
//! The test needs no clock: the text continues for megabytes in memory whose pages the system
//! creates when they are first touched. Only the last page may be touched, since some functions
//! begin with a look at the last byte.

use crate::common::api::{Api, Pair, codecs, named, pairs};
use crate::common::carriers::{embedded, last_common, widths};
use crate::common::oracle::{encode, expect};
use crate::common::pages::Pages;
use crate::common::{say, shared};
use utflane::{ByteValidator, Scheme, Stop, utf8};

/// Bytes after an error that may be read.
const MARGIN: usize = 1024;

/// The first segment of an owned conversion, in bytes. Where surrogates may be halves of a pair, it
/// begins with a look at the last six bytes of the segment.
const STRETCH: usize = 2048;

/// Bytes of a text.
const TEXT: usize = 4 << 20;

/// An ill-formed sequence in a scheme; `None` if the scheme has none.
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

/// Returns true if both encodings may have unpaired surrogates.
fn have_surrogates(pair: &Pair) -> bool {
    [pair.from.scheme, pair.to.scheme]
        .iter()
        .all(|scheme| matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be))
}

/// Text before an error: short and long, of each width of characters.
fn prefixes(pair: &Pair) -> Vec<Vec<u8>> {
    let last = last_common(pair);
    let mut prefixes = vec![Vec::new()];
    for width in widths(last) {
        for units in [5, 100, 3000, 40_000] {
            let mut text = embedded(pair.from.scheme, width, last, 192, b"");
            text = text.repeat(1 + units / 192);
            text.truncate(units * pair.from.scheme.unit_size());
            // Without an incomplete character at its end.
            let whole = expect(pair.from.scheme, pair.from.scheme, &text).out.len();
            text.truncate(whole);
            prefixes.push(text);
        }
    }
    prefixes
}

/// Memory for a text and for its conversion.
struct Memory {
    src: Pages,
    dst: Pages,
}

impl Memory {
    /// `None` if the system doesn't report which pages have been touched.
    fn new() -> Option<Self> {
        if !Pages::work() {
            say(
                "error_cost: skipped, since this system doesn't tell which pages have been touched",
            );
            return None;
        }
        Some(Self { src: Pages::new(TEXT), dst: Pages::new(4 * TEXT) })
    }

    /// [`check_within`](Self::check_within) the usual margin.
    fn check(
        &mut self,
        name: &dyn std::fmt::Display,
        prefix: &[u8],
        fault: &[u8],
        f: impl FnMut(Api, &[u8], &mut [u8]) -> bool,
    ) {
        self.check_within(MARGIN, name, prefix, fault, f);
    }

    /// Runs `f` on a text with `fault` after `prefix`, with the margin before an untouched page.
    /// The margin is filled with more of the end of `prefix`, as some kernels look for errors when
    /// ASCII begins. `f` returns whether it met an error. Nothing further may be read; nor written,
    /// even if each byte becomes four.
    fn check_within(
        &mut self,
        margin: usize,
        name: &dyn std::fmt::Display,
        prefix: &[u8],
        fault: &[u8],
        mut f: impl FnMut(Api, &[u8], &mut [u8]) -> bool,
    ) {
        let after = prefix.len() + fault.len();
        let end = (after + margin).next_multiple_of(self.src.page());
        let start = end - after - margin;
        let most = (4 * (after + margin)).next_multiple_of(self.dst.page());
        for &api in Api::all() {
            self.src.forget();
            self.dst.forget();
            self.src.bytes()[start..][..prefix.len()].copy_from_slice(prefix);
            self.src.bytes()[start + prefix.len()..][..fault.len()].copy_from_slice(fault);
            if let Some(more) = prefix.last_chunk::<{ MARGIN }>() {
                self.src.bytes()[end - margin..][..MARGIN].copy_from_slice(more);
            }
            let found = f(api, &self.src.bytes()[start..], self.dst.bytes());
            let context = || format!("{name}, {api:?}, {fault:02X?} after {} bytes", prefix.len());
            assert!(found, "{}: no error", context());
            assert_eq!(self.src.touched_up_to(), end, "{}: read too far", context());
            assert!(self.dst.touched_up_to() <= most, "{}: written too far", context());
        }
    }
}

#[test]
fn of_validations() {
    let Some(mut memory) = Memory::new() else { return };
    for codec in codecs() {
        let Some(fault) = ill_formed(codec.scheme) else { continue };
        for prefix in shared("prefixes", prefixes(named(codec.name, codec.name)).iter()) {
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
fn of_questions_about_utf8() {
    let Some(mut memory) = Memory::new() else { return };
    let fault = ill_formed(Scheme::Utf8).expect("there is one");
    for prefix in shared("prefixes", prefixes(named("Utf8", "Utf8")).iter()) {
        memory.check(&"summary", prefix, fault, |api, src, _| match api {
            Api::Free => utf8::summary(src).error().is_some(),
            Api::On(kernel) => kernel.utf8_summary(src).error().is_some(),
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
fn of_conversions() {
    let Some(mut memory) = Memory::new() else { return };
    for pair in pairs() {
        let mut unmappable = Vec::new();
        let has = |c| encode(pair.from.scheme, c, &mut unmappable);
        let exists = char::from_u32(u32::from(last_common(pair)) + 1).is_some_and(has);
        let unmappable = exists.then_some(&unmappable[..]);
        for fault in ill_formed(pair.from.scheme).into_iter().chain(unmappable) {
            for prefix in shared("prefixes", prefixes(pair).iter()) {
                memory.check(&format!("{pair}, into"), prefix, fault, |api, src, dst| {
                    let progress = (pair.transcode_into)(api, src, dst);
                    matches!(progress.stop, Stop::Error(_))
                });
                let margin = if have_surrogates(pair) { STRETCH } else { MARGIN };
                memory.check_within(
                    margin,
                    &format!("{pair}, owned"),
                    prefix,
                    fault,
                    |api, src, _| (pair.transcode_capacity)(api, src).is_err(),
                );
                memory.check_within(
                    margin,
                    &format!("{pair}, append"),
                    prefix,
                    fault,
                    |api, src, _| (pair.transcode_append)(api, src, &mut Vec::new()).is_err(),
                );
            }
        }
    }
}
