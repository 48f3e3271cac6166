//! Exhaustive sets: scalar values, three-byte strings, surrogate pairs.
//!
//! These sets are the largest, so each test checks only its own subject, with code of its own, and
//! without allocation where possible. Tests with `#[ignore]` run with `--ignored`; other tests
//! always run a part of the same sets.

use crate::common::carriers::{CLASS_BOUNDARY_BYTES, embedded, last_common_char};
use crate::common::checks::check_into;
use crate::common::oracle::{encode, encode_all};
use crate::common::pairs::{pair_named, pairs};
use crate::common::sampled;
use utflane::{
    ErrorKind, Kernel, Latin1, Progress, Scheme, Stop, Utf8, Utf16, Utf16Be, Utf32, count,
    len as converted_len, utf8,
};

/// Returns every scalar value from `first` on.
fn scalar_values(first: char) -> impl Iterator<Item = char> {
    first..=char::MAX
}

/// Every scalar value through every pair whose encodings have it, packed into texts of 8192
/// characters.
#[test]
fn every_scalar_value_through_every_pair() {
    let all: Vec<char> = scalar_values('\0').collect();
    for pair in pairs() {
        let last_char = last_common_char(pair);
        let all = &all[..all.partition_point(|&c| c <= last_char)];
        for text in sampled("texts of scalar values", all.chunks(8192)) {
            check_into(pair, &encode_all(pair.from.scheme, text.iter().copied()));
        }
    }
}

/// Every scalar value by itself and before ASCII, from UTF-8 to UTF-16 and to Latin-1.
#[test]
fn every_scalar_value_alone() {
    let kernels: Vec<_> = Kernel::available().collect();
    for c in sampled("scalar values", scalar_values('\0')) {
        let (mut bytes, mut units) = ([b'.'; 80], [0; 2]);
        let len = c.encode_utf8(&mut bytes).len();
        let want = c.encode_utf16(&mut units);
        let (encoded, want_counts) = (&bytes[..len], (1, want.len(), c <= 'ÿ'));
        let summary = utf8::summary(encoded);
        let got = (summary.code_points, summary.utf16_units, summary.fits_latin1);
        assert_eq!((summary.error, got), (None, want_counts), "{c:?}");
        let (code_points, units) = (count::<Utf8>(encoded), converted_len::<Utf8, Utf16>(encoded));
        assert_eq!((code_points, units, utf8::fits_latin1(encoded)), want_counts, "{c:?}");
        for kernel in &kernels {
            let mut dst = [0u16; 80];
            let progress = kernel.transcode_into::<Utf8, Utf16>(&bytes[..len], &mut dst);
            let complete = Progress { read: len, written: want.len(), stop: Stop::Done };
            assert_eq!((progress, &dst[..want.len()]), (complete, &*want), "{kernel} {c:?}");
            let progress = kernel.transcode_into::<Utf8, Utf16>(&bytes, &mut dst);
            assert_eq!((progress.read, &dst[..want.len()]), (80, &*want), "{kernel} {c:?}");
            assert_eq!(kernel.validate::<Utf8>(&bytes), Ok(()), "{kernel} {c:?}");
            let error = kernel.transcode::<Utf8, Latin1>(&bytes[..len]).err();
            let unmappable =
                error.map(|error| (error.kind(), error.valid_up_to(), error.error_len()));
            let want = (c > 'ÿ').then_some((ErrorKind::Unmappable, 0, Some(len)));
            assert_eq!(unmappable, want, "{kernel} {c:?}");
        }
    }
}

/// Every scalar value by itself through every pair, even if the target lacks it.
#[test]
#[ignore = "long: every scalar value alone through every pair"]
fn every_scalar_value_alone_through_every_pair() {
    for pair in pairs() {
        let mut src = Vec::new();
        for c in sampled("scalar values", scalar_values('\0')) {
            src.clear();
            if encode(pair.from.scheme, c, &mut src) {
                check_into(pair, &src);
            }
        }
    }
}

/// Every scalar value in the middle of carriers of each width, at changing offsets.
#[test]
#[ignore = "long: every scalar value in each carrier"]
fn every_scalar_value_in_each_carrier() {
    for pair in
        [pair_named("Utf8", "Utf16"), pair_named("Utf16", "Utf8"), pair_named("Utf32", "Utf8")]
    {
        let mut sequence = Vec::new();
        for (i, c) in sampled("scalar values", scalar_values('\0').enumerate()) {
            sequence.clear();
            encode(pair.from.scheme, c, &mut sequence);
            let src = embedded(pair.from.scheme, 1 + i % 4, char::MAX, 56 + i / 4 % 72, &sequence);
            check_into(pair, &src);
        }
    }
}

/// Returns the result of std's validation of `src`: the offset and the length of an error.
fn validate_with_std(src: &[u8]) -> Result<(), (usize, Option<usize>)> {
    core::str::from_utf8(src).map(drop).map_err(|error| (error.valid_up_to(), error.error_len()))
}

/// One text of characters of each width. A check writes a string over a part of a text, and then
/// restores the text.
struct Carriers {
    texts: [Vec<u8>; 4],
    kernels: Vec<Kernel>,
}

impl Carriers {
    fn new() -> Self {
        let text = |width| embedded(Scheme::Utf8, width, char::MAX, 192, b"");
        Self { texts: [text(1), text(2), text(3), text(4)], kernels: Kernel::available().collect() }
    }

    /// Writes `string` at `offset` over a part of the text with index `carrier`, where it may cut
    /// characters. Validates this text, and converts it to UTF-16 and to UTF-16BE.
    fn check(&mut self, carrier: usize, offset: usize, string: &[u8]) {
        let text = &mut self.texts[carrier];
        let mut original = [0; 4];
        let original = &mut original[..string.len()];
        original.copy_from_slice(&text[offset..][..string.len()]);
        text[offset..][..string.len()].copy_from_slice(string);
        let want = validate_with_std(text);
        let valid = want.map_or_else(|error| error.0, |()| text.len());
        for kernel in &self.kernels {
            let got = kernel.validate::<Utf8>(text).map_err(|e| (e.valid_up_to(), e.error_len()));
            assert_eq!(got, want, "{kernel}: {string:02X?} at {offset} in {text:02X?}");
            let (mut units, mut bytes) = ([0u16; 192], [0u8; 384]);
            let progress = kernel.transcode_into::<Utf8, Utf16>(text, &mut units);
            assert_eq!(progress.read, valid, "{kernel}: {string:02X?} at {offset} in {text:02X?}");
            let out =
                core::str::from_utf8(&text[..valid]).expect("valid up to here").encode_utf16();
            let is_same = units[..progress.written].iter().copied().eq(out);
            assert!(is_same, "{kernel}: {string:02X?} at {offset} in {text:02X?}");
            // UTF-16BE is converted on only one kernel for each offset.
            if *kernel == self.kernels[offset % self.kernels.len()] {
                let big = kernel.transcode_into::<Utf8, Utf16Be>(text, &mut bytes);
                assert_eq!((big.read, big.written), (valid, 2 * progress.written), "{kernel}");
                let big_units = bytes.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair));
                assert!(
                    big_units.take(progress.written).eq(units[..progress.written].iter().copied())
                );
            }
        }
        text[offset..][..string.len()].copy_from_slice(original);
    }

    /// Validates `string` by itself, and converts it to UTF-32.
    fn check_alone(&self, string: &[u8]) {
        let want = validate_with_std(string);
        for kernel in &self.kernels {
            let got = kernel.validate::<Utf8>(string).map_err(|e| (e.valid_up_to(), e.error_len()));
            assert_eq!(got, want, "{kernel}: {string:02X?}");
        }
        let got = utflane::validate::<Utf8>(string);
        assert_eq!(got.map_err(|e| (e.valid_up_to(), e.error_len())), want, "{string:02X?}");
        let valid = want.map_or_else(|error| error.0, |()| string.len());
        let mut dst = [0; 4];
        let progress = self.kernels[0].transcode_into::<Utf8, Utf32>(string, &mut dst);
        let chars = core::str::from_utf8(&string[..valid]).expect("valid up to here").chars();
        assert!(dst[..progress.written].iter().copied().eq(chars.map(u32::from)), "{string:02X?}");
    }
}

/// Returns the lower three bytes of `number`, the most significant byte first.
fn three_byte_string(number: usize) -> [u8; 3] {
    [(number >> 16) as u8, (number >> 8) as u8, number as u8]
}

/// All 2^24 three-byte strings, each by itself and in one carrier. The carrier and the offset
/// change from string to string.
#[test]
#[ignore = "long: all 2^24 strings of three bytes"]
fn all_strings_of_three_bytes() {
    let mut carriers = Carriers::new();
    for i in sampled("strings of three bytes", 0..1 << 24) {
        let string = three_byte_string(i);
        carriers.check_alone(&string);
        carriers.check(i % 4, 56 + i / 4 % 75, &string);
    }
}

/// Every eleventh string of [`all_strings_of_three_bytes`].
#[test]
fn one_in_11_strings_of_three_bytes() {
    let mut carriers = Carriers::new();
    for (turn, i) in sampled("strings of three bytes", (0..1 << 24).step_by(11).enumerate()) {
        let string = three_byte_string(i);
        carriers.check_alone(&string);
        carriers.check(turn % 4, 56 + turn / 4 % 75, &string);
    }
}

/// One in 90 of the 2^32 four-byte strings: all pairs of bytes, each followed by all 729 pairs of
/// [`CLASS_BOUNDARY_BYTES`].
#[test]
#[ignore = "long: one in 90 of the 2^32 strings of four bytes"]
fn one_in_90_strings_of_four_bytes() {
    check_four_byte_strings(0..=255);
}

/// The strings of [`one_in_90_strings_of_four_bytes`] that begin with a boundary byte of at least
/// 0xE0. Such bytes include the lead bytes of four-byte characters.
#[test]
fn strings_of_four_bytes_that_begin_with_boundary_bytes() {
    check_four_byte_strings(CLASS_BOUNDARY_BYTES.into_iter().filter(|&byte| byte >= 0xE0));
}

fn check_four_byte_strings(first_bytes: impl Iterator<Item = u8>) {
    let mut carriers = Carriers::new();
    let after = CLASS_BOUNDARY_BYTES
        .iter()
        .flat_map(|&c| CLASS_BOUNDARY_BYTES.iter().map(move |&d| (c, d)));
    let all = first_bytes.flat_map(|a| (0..=255).map(move |b| (a, b)));
    let all = all.flat_map(|(a, b)| after.clone().map(move |(c, d)| [a, b, c, d]));
    for (i, string) in sampled("strings of four bytes", all.enumerate()) {
        // Every string is checked by itself, which costs little. One in seven is also checked in a
        // carrier; together, these reach every carrier and offset.
        carriers.check_alone(&string);
        if i % 7 == 0 {
            carriers.check(i % 4, 56 + i / 28 % 75, &string);
        }
    }
}

/// All 2^22 pairs of two surrogates, high or low, by themselves and in a text at changing offsets,
/// converted to UTF-8 and UTF-32.
#[test]
#[ignore = "long: all 2^22 pairs of surrogates"]
fn all_pairs_of_surrogates() {
    check_pairs_of_surrogates(1);
}

/// Every 17th pair of [`all_pairs_of_surrogates`].
#[test]
fn one_in_17_pairs_of_surrogates() {
    check_pairs_of_surrogates(17);
}

fn check_pairs_of_surrogates(step: usize) {
    let kernels: Vec<_> = Kernel::available().collect();
    let mut units: Vec<u16> = (0..96).map(|i| [0x61, 0x3B1, 0x20AC][i % 3] + i as u16).collect();
    for (turn, i) in sampled("pairs of surrogates", (0..1 << 22).step_by(step).enumerate()) {
        let pair = [0xD800 + (i >> 11) as u16, 0xD800 + (i & 0x7FF) as u16];
        let offset = 20 + turn % 70;
        let original = [units[offset], units[offset + 1]];
        units[offset..offset + 2].copy_from_slice(&pair);
        for src in [&pair[..], &units] {
            let offset = if src.len() == 2 { 0 } else { offset };
            let first = char::decode_utf16(pair).next().expect("two units");
            // A high surrogate and a low surrogate are one character; otherwise the first unit is
            // unpaired.
            let (read, want) = match first {
                Ok(_) => (src.len(), None),
                Err(_) => (offset, Some((offset, Some(1)))),
            };
            let want_chars =
                || char::decode_utf16(src[..read].iter().copied()).map(|c| c.expect("well-formed"));
            for kernel in &kernels {
                let got = kernel.validate::<Utf16>(src).err();
                let got = got.map(|error| (error.valid_up_to(), error.error_len()));
                assert_eq!(got, want, "{kernel}: {pair:04X?} at {offset}");
                let (mut bytes, mut codes) = ([0; 300], [0; 100]);
                let progress = kernel.transcode_into::<Utf16, Utf8>(src, &mut bytes);
                assert_eq!(progress.read, read, "{kernel}: {pair:04X?} at {offset}");
                let text = core::str::from_utf8(&bytes[..progress.written]).expect("UTF-8");
                assert!(text.chars().eq(want_chars()), "{kernel}: {pair:04X?} at {offset}");
                let progress = kernel.transcode_into::<Utf16, Utf32>(src, &mut codes);
                let codes = codes[..progress.written].iter().copied();
                assert!(codes.eq(want_chars().map(u32::from)), "{kernel}: {pair:04X?} at {offset}");
            }
        }
        units[offset..offset + 2].copy_from_slice(&original);
    }
}
