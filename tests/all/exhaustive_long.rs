//! All 2^32 strings of four bytes, and all 2^32 pairs of UTF-16 units: by themselves, and in the
//! middle of a text; validated and converted.
//!
//! That takes long, so all but a small share is `#[ignore]`d: 32 tests for each kernel, which run
//! on as many processors as there are. Each of them can be run by itself.
//!
//! ```text
//! cargo test --release -p utflane --test all exhaustive_long::avx2 -- --ignored
//! cargo test --release -p utflane --test all exhaustive_long::scalar::strings_from_0xf \
//!     -- --ignored --exact
//! ```
//!
//! On one core of an AMD EPYC, the 2^33 cases of a kernel take 30 to 50 minutes with vectors, and
//! 100 without; the share that always runs is one in 4111 of them.
//!
//! The expected result is the standard library's verdict on the string and one character after it,
//! computed once for all uses of the string. In the middle of a text the verdict is the same,
//! moved: before the string a character has ended, after it one begins.

use std::iter::StepBy;
use std::ops::Range;

use utflane::{Encoding, Error, ErrorKind, Kernel, Progress, Scheme, Stop, Unit, Utf8, Utf16};

use crate::common::api::units;
use crate::common::carriers::embedded_in;
use crate::common::oracle::utf8_kind;
use crate::common::{say, shared};

/// Units of a carrier: two blocks of 64. An error costs its prefix, so it stands near the start: at
/// all positions of the first block, and about its end.
const CARRIER: usize = 128;
const OFFSETS: Range<usize> = 1..71;

/// An error: position, length, kind.
type Wrong = (usize, Option<usize>, ErrorKind);

fn wrong(error: Error) -> Wrong {
    (error.valid_up_to(), error.error_len(), error.kind())
}

/// The outcome of a conversion: units read, units written, and the error that stopped it, if any.
type Came = (usize, usize, Option<Wrong>);

fn came(progress: Progress) -> Came {
    let stop = match progress.stop {
        Stop::Done => None,
        Stop::Error(error) => Some(wrong(error)),
        Stop::OutputFull => panic!("there was room"),
    };
    (progress.read, progress.written, stop)
}

/// A text with a hole, and its conversion.
struct Carrier<A, B> {
    text: Vec<A>,
    at: usize,
    /// The conversion of the text before the hole, and of the text after it.
    before: Vec<B>,
    after: Vec<B>,
}

/// Carriers of each width, with a hole of `hole` units at each position. `convert` is the standard
/// library's conversion.
fn carriers<A: Unit, B>(
    scheme: Scheme,
    hole: usize,
    convert: impl Fn(&[A]) -> Vec<B>,
) -> Vec<Carrier<A, B>> {
    let filling = "....".chars().take(hole);
    let filling = crate::common::oracle::encode_all(scheme, filling);
    let all = OFFSETS.flat_map(|at| (1..=4).map(move |width| (at, width)));
    all.map(|(at, width)| {
        let text =
            units(&embedded_in(CARRIER, scheme, width, char::MAX, at, &filling)).into_owned();
        let (before, after) = (convert(&text[..at]), convert(&text[at + hole..]));
        Carrier { text, at, before, after }
    })
    .collect()
}

/// Returns which of `carriers` carriers takes the strings of a block of 256: all in turn, in an
/// order unrelated to any byte of the strings.
fn chosen(block: u32, carriers: usize) -> usize {
    (block.wrapping_mul(0x9E37_79B1) >> 12) as usize % carriers
}

/// The kernel with this name. If it doesn't run here, prints that.
fn kernel(name: &str) -> Option<Kernel> {
    let kernel = Kernel::by_name(name);
    if kernel.is_none() {
        say(&format!("exhaustive_long: no kernel {name} here"));
    }
    kernel
}

/// Blocks of 256 four-byte strings that begin alike.
fn four_bytes(kernel: Kernel, blocks: StepBy<Range<u32>>) {
    let utf16 = |text: &[u8]| str::from_utf8(text).expect("text").encode_utf16().collect();
    let mut carriers = carriers::<u8, u16>(Scheme::Utf8, 4, utf16);
    let count = carriers.len();
    for block in shared("blocks of strings of four bytes", blocks) {
        let carrier = &mut carriers[chosen(block, count)];
        for last in 0..=255 {
            let [_, a, b, c] = block.to_be_bytes();
            check_bytes(kernel, [a, b, c, last], carrier);
        }
    }
}

/// Validates and converts a string, by itself and in a carrier.
fn check_bytes(kernel: Kernel, string: [u8; 4], carrier: &mut Carrier<u8, u16>) {
    let [a, b, c, d] = string;
    let followed = [a, b, c, d, b'.'];
    let fault = str::from_utf8(&followed).err();
    let valid = fault.map_or(4, |error| error.valid_up_to());
    let kind = fault.map(|_| utf8_kind(&followed[valid..]));
    let (mut want, mut len) = ([0; 4], 0);
    for unit in str::from_utf8(&string[..valid]).expect("valid").encode_utf16() {
        want[len] = unit;
        len += 1;
    }

    let error = str::from_utf8(&string).err();
    assert_eq!(error.map(|error| error.valid_up_to()), fault.map(|error| error.valid_up_to()));
    let error = error.zip(kind).map(|(error, kind)| (valid, error.error_len(), kind));
    let got = kernel.validate::<Utf8>(&string).err().map(wrong);
    assert_eq!(got, error, "{kernel}: {string:02X?}");
    let mut out = [0; 4];
    let got = came(kernel.transcode_into::<Utf8, Utf16>(&string, &mut out));
    assert_eq!(got, (valid, len, error), "{kernel}: {string:02X?}");
    assert_eq!(out[..len], want[..len], "{kernel}: {string:02X?}");

    let Carrier { text, at, before, after } = carrier;
    let at = *at;
    text[at..][..4].copy_from_slice(&string);
    let error = fault.zip(kind).map(|(error, kind)| (at + valid, error.error_len(), kind));
    let got = kernel.validate::<Utf8>(text).err().map(wrong);
    assert_eq!(got, error, "{kernel}: {string:02X?} at {at} in {text:02X?}");
    let mut out = [0; CARRIER + 4];
    let got = came(kernel.transcode_into::<Utf8, Utf16>(text, &mut out));
    let (read, after) =
        if error.is_some() { (at + valid, &[][..]) } else { (text.len(), &after[..]) };
    let written = before.len() + len + after.len();
    assert_eq!(got, (read, written, error), "{kernel}: {string:02X?} at {at} in {text:02X?}");
    let (first, rest) = out[..written].split_at(before.len());
    let same = first == before && rest[..len] == want[..len] && &rest[len..] == after;
    assert!(same, "{kernel}: {string:02X?} at {at} in {text:02X?}: {out:04X?}");
}

/// Blocks of 256 pairs of UTF-16 units that begin alike.
fn two_units(kernel: Kernel, blocks: StepBy<Range<u32>>) {
    let utf8 = |text: &[u16]| String::from_utf16(text).expect("text").into_bytes();
    let mut carriers = carriers::<u16, u8>(<Utf16 as Encoding>::SCHEME, 2, utf8);
    let count = carriers.len();
    for block in shared("blocks of pairs of UTF-16 units", blocks) {
        let carrier = &mut carriers[chosen(block, count)];
        for last in 0..=255 {
            let pair = [(block >> 8) as u16, (block << 8) as u16 | last];
            check_units(kernel, pair, carrier);
        }
    }
}

/// Validates and converts two units, by themselves and in a carrier.
fn check_units(kernel: Kernel, pair: [u16; 2], carrier: &mut Carrier<u16, u8>) {
    let (mut want, mut len, mut valid, mut fault) = ([0; 6], 0, 0, None);
    for c in char::decode_utf16(pair) {
        match c {
            Ok(c) => {
                len += c.encode_utf8(&mut want[len..]).len();
                valid += c.len_utf16();
            }
            Err(unpaired) => {
                fault = Some(unpaired.unpaired_surrogate());
                break;
            }
        }
    }

    let at_end = fault.is_some_and(|unit| valid == 1 && unit < 0xDC00);
    let error = fault.map(|_| (valid, (!at_end).then_some(1), ErrorKind::Surrogate));
    let got = kernel.validate::<Utf16>(&pair).err().map(wrong);
    assert_eq!(got, error, "{kernel}: {pair:04X?}");
    let mut out = [0; 6];
    let got = came(kernel.transcode_into::<Utf16, Utf8>(&pair, &mut out));
    assert_eq!(got, (valid, len, error), "{kernel}: {pair:04X?}");
    assert_eq!(out[..len], want[..len], "{kernel}: {pair:04X?}");

    let Carrier { text, at, before, after } = carrier;
    let at = *at;
    text[at..][..2].copy_from_slice(&pair);
    let error = fault.map(|_| (at + valid, Some(1), ErrorKind::Surrogate));
    let got = kernel.validate::<Utf16>(text).err().map(wrong);
    assert_eq!(got, error, "{kernel}: {pair:04X?} at {at} in {text:04X?}");
    let mut out = [0; 3 * (CARRIER + 2)];
    let got = came(kernel.transcode_into::<Utf16, Utf8>(text, &mut out));
    let (read, after) =
        if error.is_some() { (at + valid, &[][..]) } else { (text.len(), &after[..]) };
    let written = before.len() + len + after.len();
    assert_eq!(got, (read, written, error), "{kernel}: {pair:04X?} at {at} in {text:04X?}");
    let (first, rest) = out[..written].split_at(before.len());
    let same = first == before && rest[..len] == want[..len] && &rest[len..] == after;
    assert!(same, "{kernel}: {pair:04X?} at {at} in {text:04X?}: {out:02X?}");
}

/// All strings or pairs of a kernel, or the sixteenth of them that begins with these four bits.
fn all(name: &str, check: fn(Kernel, StepBy<Range<u32>>), part: u32) {
    if let Some(kernel) = kernel(name) {
        check(kernel, (part << 20..(part + 1) << 20).step_by(1));
    }
}

/// The tests of a kernel: sixteen of strings and sixteen of pairs, for as many processors, and a
/// small share of them.
macro_rules! of_kernel {
    ($kernel:ident: $($strings:ident $pairs:ident $part:literal)*) => {
        mod $kernel {
            use super::{all, four_bytes, kernel, two_units};

            $(
                #[test]
                #[ignore = "long: a sixteenth of the 2^32 strings of four bytes"]
                fn $strings() {
                    all(stringify!($kernel), four_bytes, $part);
                }

                #[test]
                #[ignore = "long: a sixteenth of the 2^32 pairs of UTF-16 units"]
                fn $pairs() {
                    all(stringify!($kernel), two_units, $part);
                }
            )*

            #[test]
            fn one_in_4111_strings_and_pairs() {
                if let Some(kernel) = kernel(stringify!($kernel)) {
                    four_bytes(kernel, (0..1 << 24).step_by(4111));
                    two_units(kernel, (0..1 << 24).step_by(4111));
                }
            }
        }
    };
}

macro_rules! of_kernels {
    ($($kernel:ident)*) => {$(
        of_kernel!($kernel:
            strings_from_0x0 pairs_from_0x0 0x0 strings_from_0x1 pairs_from_0x1 0x1
            strings_from_0x2 pairs_from_0x2 0x2 strings_from_0x3 pairs_from_0x3 0x3
            strings_from_0x4 pairs_from_0x4 0x4 strings_from_0x5 pairs_from_0x5 0x5
            strings_from_0x6 pairs_from_0x6 0x6 strings_from_0x7 pairs_from_0x7 0x7
            strings_from_0x8 pairs_from_0x8 0x8 strings_from_0x9 pairs_from_0x9 0x9
            strings_from_0xa pairs_from_0xa 0xA strings_from_0xb pairs_from_0xb 0xB
            strings_from_0xc pairs_from_0xc 0xC strings_from_0xd pairs_from_0xd 0xD
            strings_from_0xe pairs_from_0xe 0xE strings_from_0xf pairs_from_0xf 0xF
        );
    )*};
}

of_kernels!(avx512 avx2 sse42 neon simd128 scalar);
