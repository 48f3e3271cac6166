//! All 2^32 strings of four bytes and all 2^32 pairs of UTF-16 units, validated and converted by
//! themselves and in the middle of a text.
//!
//! This takes long, so the 32 tests for each kernel are `#[ignore]`d, and only a small share always
//! runs. The 32 tests run in parallel, and each of them can be run by itself.
//!
//! ```text
//! cargo test --release -p utflane --test all exhaustive_long::avx2 -- --ignored
//! cargo test --release -p utflane --test all exhaustive_long::scalar::strings_begin_with_0xf \
//!     -- --ignored --exact
//! ```
//!
//! On one core of an AMD EPYC, the 2^33 cases take 30 to 50 minutes on a kernel with vectors, and
//! 100 minutes on the scalar kernel. The test that always runs has one batch of 256 cases in
//! 4111. It runs a share of these, like each long set (see [`sampled`]).
//!
//! The expected result is the standard library's result for the string and one character after it,
//! computed once for all uses of the string. In the middle of a text, only the offset is different,
//! because the text before the string ends with a complete character, and the text after it begins
//! with one.

use std::iter::StepBy;
use std::ops::Range;

use utflane::{Encoding, Error, ErrorKind, Kernel, Progress, Scheme, Stop, Unit, Utf8, Utf16};

use crate::common::api::units;
use crate::common::carriers::embedded_in;
use crate::common::oracle::utf8_kind;
use crate::common::{sampled, say};

/// The length of a [`Carrier`], the text around a string, in code units: two blocks of 64.
const CARRIER_UNITS: usize = 128;
/// The offsets of a string in a carrier: in the first block, and around its end. They are small
/// because the time for a string with an error grows with its offset.
const OFFSETS: Range<usize> = 1..71;

/// The offset, the length and the kind of an error.
type ErrorFields = (usize, Option<usize>, ErrorKind);

fn error_fields(error: Error) -> ErrorFields {
    (error.valid_up_to(), error.error_len(), error.kind())
}

/// The outcome of a conversion: the number of units read, the number of units written, and the
/// error that stopped it, if any.
type Outcome = (usize, usize, Option<ErrorFields>);

fn outcome(progress: Progress) -> Outcome {
    let stop = match progress.stop {
        Stop::Done => None,
        Stop::Error(error) => Some(error_fields(error)),
        Stop::OutputFull => panic!("the output is large enough"),
    };
    (progress.read, progress.written, stop)
}

/// A text with a hole for a string, and the conversion of the text around the hole.
struct Carrier<A, B> {
    text: Vec<A>,
    hole_offset: usize,
    /// The conversion of the text before the hole.
    front: Vec<B>,
    /// The conversion of the text after the hole.
    back: Vec<B>,
}

/// Returns carriers of characters of each width, with a hole of `hole_len` units at each offset.
/// `convert` is the standard library's conversion.
fn make_carriers<A: Unit, B>(
    scheme: Scheme,
    hole_len: usize,
    convert: impl Fn(&[A]) -> Vec<B>,
) -> Vec<Carrier<A, B>> {
    let filling = "....".chars().take(hole_len);
    let filling = crate::common::oracle::encode_all(scheme, filling);
    let all = OFFSETS.flat_map(|hole_offset| (1..=4).map(move |width| (hole_offset, width)));
    all.map(|(hole_offset, width)| {
        let text =
            units(&embedded_in(CARRIER_UNITS, scheme, width, char::MAX, hole_offset, &filling))
                .into_owned();
        let (front, back) =
            (convert(&text[..hole_offset]), convert(&text[hole_offset + hole_len..]));
        Carrier { text, hole_offset, front, back }
    })
    .collect()
}

/// Returns the index of the carrier, out of `carrier_count`, for the strings of a batch of 256.
/// Over many batches, all carriers occur, in an order that is unrelated to the bytes of the
/// strings.
fn carrier_index(batch: u32, carrier_count: usize) -> usize {
    (batch.wrapping_mul(0x9E37_79B1) >> 12) as usize % carrier_count
}

/// Returns the kernel with this name. If it cannot run here, prints a message.
fn find_kernel(name: &str) -> Option<Kernel> {
    let kernel = Kernel::by_name(name);
    if kernel.is_none() {
        say(&format!("exhaustive_long: no kernel {name} here"));
    }
    kernel
}

/// Checks batches of 256 four-byte strings that have the first three bytes in common.
fn check_strings(kernel: Kernel, batches: StepBy<Range<u32>>) {
    let to_utf16 = |text: &[u8]| str::from_utf8(text).expect("text").encode_utf16().collect();
    let mut carriers = make_carriers::<u8, u16>(Scheme::Utf8, 4, to_utf16);
    let carrier_count = carriers.len();
    for batch in sampled("batches of strings of four bytes", batches) {
        let carrier = &mut carriers[carrier_index(batch, carrier_count)];
        for last_byte in 0..=255 {
            let [_, a, b, c] = batch.to_be_bytes();
            check_bytes(kernel, [a, b, c, last_byte], carrier);
        }
    }
}

/// Validates and converts a string, by itself and in a carrier.
fn check_bytes(kernel: Kernel, string: [u8; 4], carrier: &mut Carrier<u8, u16>) {
    let [a, b, c, d] = string;
    let with_next = [a, b, c, d, b'.'];
    let error_with_next = str::from_utf8(&with_next).err();
    let valid_len = error_with_next.map_or(4, |error| error.valid_up_to());
    let kind = error_with_next.map(|_| utf8_kind(&with_next[valid_len..]));
    let (mut want, mut len) = ([0; 4], 0);
    for unit in str::from_utf8(&string[..valid_len]).expect("valid").encode_utf16() {
        want[len] = unit;
        len += 1;
    }

    let error_alone = str::from_utf8(&string).err();
    assert_eq!(
        error_alone.map(|error| error.valid_up_to()),
        error_with_next.map(|error| error.valid_up_to())
    );
    let error = error_alone.zip(kind).map(|(error, kind)| (valid_len, error.error_len(), kind));
    let got = kernel.validate::<Utf8>(&string).err().map(error_fields);
    assert_eq!(got, error, "{kernel}: {string:02X?}");
    let mut out = [0; 4];
    let got = outcome(kernel.transcode_into::<Utf8, Utf16>(&string, &mut out));
    assert_eq!(got, (valid_len, len, error), "{kernel}: {string:02X?}");
    assert_eq!(out[..len], want[..len], "{kernel}: {string:02X?}");

    let Carrier { text, hole_offset, front, back } = carrier;
    let offset = *hole_offset;
    text[offset..][..4].copy_from_slice(&string);
    let error = error_with_next
        .zip(kind)
        .map(|(error, kind)| (offset + valid_len, error.error_len(), kind));
    let got = kernel.validate::<Utf8>(text).err().map(error_fields);
    assert_eq!(got, error, "{kernel}: {string:02X?} at {offset} in {text:02X?}");
    let mut out = [0; CARRIER_UNITS + 4];
    let got = outcome(kernel.transcode_into::<Utf8, Utf16>(text, &mut out));
    let (read, back) =
        if error.is_some() { (offset + valid_len, &[][..]) } else { (text.len(), &back[..]) };
    let written = front.len() + len + back.len();
    assert_eq!(got, (read, written, error), "{kernel}: {string:02X?} at {offset} in {text:02X?}");
    let (first, rest) = out[..written].split_at(front.len());
    let is_same = first == front && rest[..len] == want[..len] && &rest[len..] == back;
    assert!(is_same, "{kernel}: {string:02X?} at {offset} in {text:02X?}: {out:04X?}");
}

/// Checks batches of 256 pairs of UTF-16 units that have the first 24 bits in common.
fn check_pairs(kernel: Kernel, batches: StepBy<Range<u32>>) {
    let to_utf8 = |text: &[u16]| String::from_utf16(text).expect("text").into_bytes();
    let mut carriers = make_carriers::<u16, u8>(<Utf16 as Encoding>::SCHEME, 2, to_utf8);
    let carrier_count = carriers.len();
    for batch in sampled("batches of pairs of UTF-16 units", batches) {
        let carrier = &mut carriers[carrier_index(batch, carrier_count)];
        for low_byte in 0..=255 {
            let pair = [(batch >> 8) as u16, (batch << 8) as u16 | low_byte];
            check_units(kernel, pair, carrier);
        }
    }
}

/// Validates and converts a pair of units, by itself and in a carrier.
fn check_units(kernel: Kernel, pair: [u16; 2], carrier: &mut Carrier<u16, u8>) {
    let (mut want, mut len, mut valid_len, mut unpaired) = ([0; 6], 0, 0, None);
    for c in char::decode_utf16(pair) {
        match c {
            Ok(c) => {
                len += c.encode_utf8(&mut want[len..]).len();
                valid_len += c.len_utf16();
            }
            Err(error) => {
                unpaired = Some(error.unpaired_surrogate());
                break;
            }
        }
    }

    let is_incomplete = unpaired.is_some_and(|unit| valid_len == 1 && unit < 0xDC00);
    let error = unpaired.map(|_| (valid_len, (!is_incomplete).then_some(1), ErrorKind::Surrogate));
    let got = kernel.validate::<Utf16>(&pair).err().map(error_fields);
    assert_eq!(got, error, "{kernel}: {pair:04X?}");
    let mut out = [0; 6];
    let got = outcome(kernel.transcode_into::<Utf16, Utf8>(&pair, &mut out));
    assert_eq!(got, (valid_len, len, error), "{kernel}: {pair:04X?}");
    assert_eq!(out[..len], want[..len], "{kernel}: {pair:04X?}");

    let Carrier { text, hole_offset, front, back } = carrier;
    let offset = *hole_offset;
    text[offset..][..2].copy_from_slice(&pair);
    let error = unpaired.map(|_| (offset + valid_len, Some(1), ErrorKind::Surrogate));
    let got = kernel.validate::<Utf16>(text).err().map(error_fields);
    assert_eq!(got, error, "{kernel}: {pair:04X?} at {offset} in {text:04X?}");
    let mut out = [0; 3 * (CARRIER_UNITS + 2)];
    let got = outcome(kernel.transcode_into::<Utf16, Utf8>(text, &mut out));
    let (read, back) =
        if error.is_some() { (offset + valid_len, &[][..]) } else { (text.len(), &back[..]) };
    let written = front.len() + len + back.len();
    assert_eq!(got, (read, written, error), "{kernel}: {pair:04X?} at {offset} in {text:04X?}");
    let (first, rest) = out[..written].split_at(front.len());
    let is_same = first == front && rest[..len] == want[..len] && &rest[len..] == back;
    assert!(is_same, "{kernel}: {pair:04X?} at {offset} in {text:04X?}: {out:02X?}");
}

/// Checks all strings or pairs that begin with the four bits `first_bits`.
fn check_sixteenth(name: &str, check: fn(Kernel, StepBy<Range<u32>>), first_bits: u32) {
    if let Some(kernel) = find_kernel(name) {
        check(kernel, (first_bits << 20..(first_bits + 1) << 20).step_by(1));
    }
}

/// Declares the tests of a kernel: sixteen tests of strings and sixteen of pairs, which can run in
/// parallel, and a test of a small share of both.
macro_rules! test_kernel {
    ($kernel:ident: $($strings:ident $pairs:ident $part:literal)*) => {
        mod $kernel {
            use super::{check_pairs, check_sixteenth, check_strings, find_kernel};

            $(
                #[test]
                #[ignore = "long: a sixteenth of the 2^32 strings of four bytes"]
                fn $strings() {
                    check_sixteenth(stringify!($kernel), check_strings, $part);
                }

                #[test]
                #[ignore = "long: a sixteenth of the 2^32 pairs of UTF-16 units"]
                fn $pairs() {
                    check_sixteenth(stringify!($kernel), check_pairs, $part);
                }
            )*

            #[test]
            fn one_in_4111_strings_and_pairs() {
                if let Some(kernel) = find_kernel(stringify!($kernel)) {
                    check_strings(kernel, (0..1 << 24).step_by(4111));
                    check_pairs(kernel, (0..1 << 24).step_by(4111));
                }
            }
        }
    };
}

/// Declares the tests of each kernel.
macro_rules! test_kernels {
    ($($kernel:ident)*) => {$(
        test_kernel!($kernel:
            strings_begin_with_0x0 pairs_begin_with_0x0 0x0
            strings_begin_with_0x1 pairs_begin_with_0x1 0x1
            strings_begin_with_0x2 pairs_begin_with_0x2 0x2
            strings_begin_with_0x3 pairs_begin_with_0x3 0x3
            strings_begin_with_0x4 pairs_begin_with_0x4 0x4
            strings_begin_with_0x5 pairs_begin_with_0x5 0x5
            strings_begin_with_0x6 pairs_begin_with_0x6 0x6
            strings_begin_with_0x7 pairs_begin_with_0x7 0x7
            strings_begin_with_0x8 pairs_begin_with_0x8 0x8
            strings_begin_with_0x9 pairs_begin_with_0x9 0x9
            strings_begin_with_0xa pairs_begin_with_0xa 0xA
            strings_begin_with_0xb pairs_begin_with_0xb 0xB
            strings_begin_with_0xc pairs_begin_with_0xc 0xC
            strings_begin_with_0xd pairs_begin_with_0xd 0xD
            strings_begin_with_0xe pairs_begin_with_0xe 0xE
            strings_begin_with_0xf pairs_begin_with_0xf 0xF
        );
    )*};
}

test_kernels!(avx512 avx512x2 avx2 sse42 neon simd128 scalar);
