//! Exhaustive sets: scalar values, three-byte strings, surrogate pairs.
//!
//! The loops here are the largest, so they check only their own subject, by hand and without an
//! allocation where possible. Tests that are `#[ignore]`d run with `--ignored`; a stated part of
//! each always runs.

use crate::common::api::{named, pairs};
use crate::common::carriers::{EDGES, embedded, last_common};
use crate::common::checks::check_into;
use crate::common::oracle::{encode, encode_all};
use crate::common::shared;
use utflane::{
    ErrorKind, Kernel, Latin1, Progress, Scheme, Stop, Utf8, Utf16, Utf16Be, Utf32, count,
    len as len_of, utf8,
};

/// Every scalar value from `first` on.
fn scalar_values(first: char) -> impl Iterator<Item = char> {
    first..=char::MAX
}

/// Every scalar value through every pair whose encodings have it, packed into texts of 8192
/// characters.
#[test]
fn every_scalar_value_through_every_pair() {
    for pair in pairs() {
        let last = last_common(pair);
        let all: Vec<char> = ('\0'..=last).collect();
        for text in shared("texts of scalar values", all.chunks(8192)) {
            check_into(pair, &encode_all(pair.from.scheme, text.iter().copied()));
        }
    }
}

/// Every scalar value by itself and before ASCII, from UTF-8 to UTF-16 and to Latin-1.
#[test]
fn every_scalar_value_alone() {
    let kernels: Vec<_> = Kernel::available().collect();
    for c in shared("scalar values", scalar_values('\0')) {
        let (mut bytes, mut units) = ([b'.'; 80], [0; 2]);
        let len = c.encode_utf8(&mut bytes).len();
        let want = c.encode_utf16(&mut units);
        let (alone, counts) = (&bytes[..len], (1, want.len(), c <= 'ÿ'));
        let summary = utf8::summary(alone);
        let got = (summary.code_points(), summary.utf16_units(), summary.fits_latin1());
        assert_eq!((summary.error(), got), (None, counts), "{c:?}");
        let (code_points, units) = (count::<Utf8>(alone), len_of::<Utf8, Utf16>(alone));
        assert_eq!((code_points, units, utf8::fits_latin1(alone)), counts, "{c:?}");
        for kernel in &kernels {
            let mut dst = [0u16; 80];
            let progress = kernel.transcode_into::<Utf8, Utf16>(&bytes[..len], &mut dst);
            let all = Progress { read: len, written: want.len(), stop: Stop::Done };
            assert_eq!((progress, &dst[..want.len()]), (all, &*want), "{kernel} {c:?}");
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

/// Every scalar value through every pair, by itself, also where the target lacks it.
#[test]
#[ignore = "long: every scalar value alone through every pair"]
fn every_scalar_value_alone_through_every_pair() {
    for pair in pairs() {
        let mut src = Vec::new();
        for c in shared("scalar values", scalar_values('\0')) {
            src.clear();
            if encode(pair.from.scheme, c, &mut src) {
                check_into(pair, &src);
            }
        }
    }
}

/// Every scalar value in the middle of carriers of each width, at a position that walks.
#[test]
#[ignore = "long: every scalar value in each carrier"]
fn every_scalar_value_in_each_carrier() {
    for pair in [named("Utf8", "Utf16"), named("Utf16", "Utf8"), named("Utf32", "Utf8")] {
        let mut sequence = Vec::new();
        for (i, c) in shared("scalar values", scalar_values('\0').enumerate()) {
            sequence.clear();
            encode(pair.from.scheme, c, &mut sequence);
            let src = embedded(pair.from.scheme, 1 + i % 4, char::MAX, 56 + i / 4 % 72, &sequence);
            check_into(pair, &src);
        }
    }
}

/// std's verdict on `src`, in the library's types.
fn std_verdict(src: &[u8]) -> Result<(), (usize, Option<usize>)> {
    core::str::from_utf8(src).map(drop).map_err(|error| (error.valid_up_to(), error.error_len()))
}

/// Strings of bytes hidden in carriers: one buffer for each width, written and restored.
struct Carriers {
    texts: [Vec<u8>; 4],
    kernels: Vec<Kernel>,
}

impl Carriers {
    fn new() -> Self {
        let text = |width| embedded(Scheme::Utf8, width, char::MAX, 192, b"");
        Self { texts: [text(1), text(2), text(3), text(4)], kernels: Kernel::available().collect() }
    }

    /// Validates `string` in carrier number `width` after `at` bytes, which may cut the character
    /// there in two, and converts it to UTF-16 in the order of the machine and as UTF-16BE.
    fn check(&mut self, width: usize, at: usize, string: &[u8]) {
        let text = &mut self.texts[width];
        let mut was = [0; 4];
        let was = &mut was[..string.len()];
        was.copy_from_slice(&text[at..][..string.len()]);
        text[at..][..string.len()].copy_from_slice(string);
        let want = std_verdict(text);
        let valid = want.map_or_else(|error| error.0, |()| text.len());
        for kernel in &self.kernels {
            let got = kernel.validate::<Utf8>(text).map_err(|e| (e.valid_up_to(), e.error_len()));
            assert_eq!(got, want, "{kernel}: {string:02X?} at {at} in {text:02X?}");
            let (mut units, mut bytes) = ([0u16; 192], [0u8; 384]);
            let progress = kernel.transcode_into::<Utf8, Utf16>(text, &mut units);
            assert_eq!(progress.read, valid, "{kernel}: {string:02X?} at {at} in {text:02X?}");
            let out = core::str::from_utf8(&text[..valid]).expect("std says so").encode_utf16();
            let same = units[..progress.written].iter().copied().eq(out);
            assert!(same, "{kernel}: {string:02X?} at {at} in {text:02X?}");
            // Not the whole matrix again: only that the other order reads and writes as much.
            if *kernel == self.kernels[at % self.kernels.len()] {
                let big = kernel.transcode_into::<Utf8, Utf16Be>(text, &mut bytes);
                assert_eq!((big.read, big.written), (valid, 2 * progress.written), "{kernel}");
                let same = bytes.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair));
                assert!(same.take(progress.written).eq(units[..progress.written].iter().copied()));
            }
        }
        text[at..][..string.len()].copy_from_slice(was);
    }

    /// Validates `string` by itself, and converts it to UTF-32.
    fn check_alone(&self, string: &[u8]) {
        let want = std_verdict(string);
        for kernel in &self.kernels {
            let got = kernel.validate::<Utf8>(string).map_err(|e| (e.valid_up_to(), e.error_len()));
            assert_eq!(got, want, "{kernel}: {string:02X?}");
        }
        let got = utflane::validate::<Utf8>(string);
        assert_eq!(got.map_err(|e| (e.valid_up_to(), e.error_len())), want, "{string:02X?}");
        let valid = want.map_or_else(|error| error.0, |()| string.len());
        let mut dst = [0; 4];
        let progress = self.kernels[0].transcode_into::<Utf8, Utf32>(string, &mut dst);
        let chars = core::str::from_utf8(&string[..valid]).expect("std says so").chars();
        assert!(dst[..progress.written].iter().copied().eq(chars.map(u32::from)), "{string:02X?}");
    }
}

/// The three-byte string with that number.
fn three_bytes(i: usize) -> [u8; 3] {
    [(i >> 16) as u8, (i >> 8) as u8, i as u8]
}

/// All 2^24 three-byte strings: by themselves, and in one carrier each, whose width and position
/// walk.
#[test]
#[ignore = "long: all 2^24 strings of three bytes"]
fn all_strings_of_three_bytes() {
    let mut carriers = Carriers::new();
    for i in shared("strings of three bytes", 0..1 << 24) {
        let string = three_bytes(i);
        carriers.check_alone(&string);
        carriers.check(i % 4, 56 + i / 4 % 75, &string);
    }
}

/// One in 11 of [`all_strings_of_three_bytes`].
#[test]
fn one_in_11_strings_of_three_bytes() {
    let mut carriers = Carriers::new();
    for (n, i) in shared("strings of three bytes", (0..1 << 24).step_by(11).enumerate()) {
        let string = three_bytes(i);
        carriers.check_alone(&string);
        carriers.check(n % 4, 56 + n / 4 % 75, &string);
    }
}

/// Four-byte strings, a systematic share of 2^32: all 64 Ki beginnings of two bytes, each followed
/// by all 729 pairs of edge bytes, which is one in 90. By themselves, and in one carrier each.
#[test]
#[ignore = "long: one in 90 of the 2^32 strings of four bytes"]
fn one_in_90_strings_of_four_bytes() {
    four_bytes(0..=255);
}

/// As [`one_in_90_strings_of_four_bytes`], of those that begin with edge bytes, lead bytes of
/// four-byte characters among them.
#[test]
fn strings_of_four_bytes_that_begin_with_edge_bytes() {
    four_bytes(EDGES.into_iter().filter(|&byte| byte >= 0xE0));
}

fn four_bytes(firsts: impl Iterator<Item = u8>) {
    let mut carriers = Carriers::new();
    let after = EDGES.iter().flat_map(|&c| EDGES.iter().map(move |&d| (c, d)));
    let all = firsts.flat_map(|a| (0..=255).map(move |b| (a, b)));
    let all = all.flat_map(|(a, b)| after.clone().map(move |(c, d)| [a, b, c, d]));
    for (i, string) in shared("strings of four bytes", all.enumerate()) {
        // By itself always, since that costs little; in a carrier one in seven, and in the end
        // everywhere.
        carriers.check_alone(&string);
        if i % 7 == 0 {
            carriers.check(i % 4, 56 + i / 28 % 75, &string);
        }
    }
}

/// All 2^22 pairs of two surrogates, high or low, embedded at a position that walks: into UTF-8 and
/// UTF-32.
#[test]
#[ignore = "long: all 2^22 pairs of surrogates"]
fn all_pairs_of_surrogates() {
    surrogates(1);
}

/// One in 17 of [`all_pairs_of_surrogates`].
#[test]
fn one_in_17_pairs_of_surrogates() {
    surrogates(17);
}

fn surrogates(step: usize) {
    let kernels: Vec<_> = Kernel::available().collect();
    let mut units: Vec<u16> = (0..96).map(|i| [0x61, 0x3B1, 0x20AC][i % 3] + i as u16).collect();
    for (n, i) in shared("pairs of surrogates", (0..1 << 22).step_by(step).enumerate()) {
        let pair = [0xD800 + (i >> 11) as u16, 0xD800 + (i & 0x7FF) as u16];
        let at = 20 + n % 70;
        let was = [units[at], units[at + 1]];
        units[at..at + 2].copy_from_slice(&pair);
        for src in [&pair[..], &units] {
            let at = if src.len() == 2 { 0 } else { at };
            let first = char::decode_utf16(pair).next().expect("two units");
            // A low surrogate after a high surrogate is one character; else the first unit is
            // unpaired.
            let (read, want) = match first {
                Ok(_) => (src.len(), None),
                Err(_) => (at, Some((at, Some(1)))),
            };
            let out =
                || char::decode_utf16(src[..read].iter().copied()).map(|c| c.expect("well-formed"));
            for kernel in &kernels {
                let got = kernel.validate::<Utf16>(src).err();
                let got = got.map(|error| (error.valid_up_to(), error.error_len()));
                assert_eq!(got, want, "{kernel}: {pair:04X?} at {at}");
                let (mut bytes, mut codes) = ([0; 300], [0; 100]);
                let progress = kernel.transcode_into::<Utf16, Utf8>(src, &mut bytes);
                assert_eq!(progress.read, read, "{kernel}: {pair:04X?} at {at}");
                let text = core::str::from_utf8(&bytes[..progress.written]).expect("UTF-8");
                assert!(text.chars().eq(out()), "{kernel}: {pair:04X?} at {at}");
                let progress = kernel.transcode_into::<Utf16, Utf32>(src, &mut codes);
                let codes = codes[..progress.written].iter().copied();
                assert!(codes.eq(out().map(u32::from)), "{kernel}: {pair:04X?} at {at}");
            }
        }
        units[at..at + 2].copy_from_slice(&was);
    }
}
