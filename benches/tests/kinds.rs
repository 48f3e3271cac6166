//! Compares the kinds and offsets of errors with the errors of simdutf. This library follows
//! simdutf's kinds of errors and order of checks.
//!
//! The standard library reports no kinds, so simdutf is the reference here. The inputs are all
//! strings of one or two bytes, other short strings of the bytes and units at the limits that a
//! validator compares with, and random strings of these. They run through every kernel.
#![cfg(feature = "simdutf")]

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use simdutf::ErrorCode;
use utflane::{Ascii, Encoding, Error, ErrorKind, Kernel, Utf8, Utf16, Utf16Be, Utf32};

/// The bytes on both sides of every limit that a validator of UTF-8 compares with.
const UTF8_BYTES: &[u8] = &[
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFF,
];

/// The units on both sides of every limit that a validator of UTF-16 compares with, in both byte
/// orders.
const UTF16_UNITS: &[u16] = &[
    0x0000, 0x0041, 0x00D8, 0x00DC, 0xD7FF, 0xD800, 0xD8D8, 0xD8DC, 0xDBFF, 0xDC00, 0xDCD8, 0xDFFF,
    0xE000, 0xFFFF,
];

/// The units on both sides of every limit that a validator of UTF-32 compares with.
const UTF32_UNITS: &[u32] = &[
    0x0000,
    0x0041,
    0xD7FF,
    0xD800,
    0xDBFF,
    0xDC00,
    0xDFFF,
    0xE000,
    0xFFFF,
    0x1_0000,
    0x10_FFFF,
    0x11_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_D800,
    0xFFFF_FFFF,
];

/// The result of a validation, ours or simdutf's: on failure, the kind and the offset of the error.
type Verdict = Result<(), (ErrorKind, usize)>;

/// Returns our verdict.
fn our_verdict<E: Encoding>(kernel: Kernel, src: &[E::Unit]) -> Verdict {
    kernel.validate::<E>(src).map_err(|error: Error| (error.kind(), error.valid_up_to()))
}

/// Returns simdutf's verdict.
fn simdutf_verdict(result: simdutf::Result) -> Verdict {
    let kind = match result.error {
        ErrorCode::Success => return Ok(()),
        ErrorCode::HeaderBits => ErrorKind::InvalidLeadByte,
        ErrorCode::TooShort => ErrorKind::TooShort,
        ErrorCode::TooLong => ErrorKind::TooLong,
        ErrorCode::OverLong => ErrorKind::Overlong,
        ErrorCode::TooLarge => ErrorKind::TooLarge,
        ErrorCode::Surrogate => ErrorKind::Surrogate,
        other => panic!("simdutf returns {other:?}"),
    };
    Err((kind, result.count))
}

/// Compares every kernel's verdict with simdutf's, on bytes as UTF-8.
fn check_utf8(kernels: &[Kernel], src: &[u8]) {
    let want = simdutf_verdict(simdutf::validate_utf8_with_errors(src));
    for &kernel in kernels {
        assert_eq!(our_verdict::<Utf8>(kernel, src), want, "{kernel}: {src:02X?}");
    }
}

fn available_kernels() -> Vec<Kernel> {
    Kernel::available().collect()
}

/// Fills `out` with up to `max_len` random items of `pool`, and runs of its first or second item,
/// which are both well-formed.
fn fill_random<T: Copy>(rng: &mut StdRng, pool: &[T], max_len: usize, out: &mut Vec<T>) {
    out.clear();
    let len = rng.random_range(0..=max_len);
    // The texts range from mostly ill-formed to nearly well-formed.
    let pool_percent = rng.random_range(1..=100);
    while out.len() < len {
        if rng.random_range(0..100) < pool_percent {
            out.push(pool[rng.random_range(0..pool.len())]);
        } else {
            let run = rng.random_range(1..=(len - out.len()).min(40));
            out.extend(std::iter::repeat_n(pool[rng.random_range(0..2)], run));
        }
    }
}

/// Returns a random well-formed text in which up to three bytes are replaced and both ends are cut.
fn nearly_well_formed(rng: &mut StdRng, max_len: usize) -> Vec<u8> {
    let mut text = String::new();
    let limit = [0x80, 0x800, 0x1_0000, 0x11_0000][rng.random_range(0..4)];
    let len = rng.random_range(1..=max_len);
    while text.len() < len {
        text.extend(char::from_u32(rng.random_range(0..limit)));
    }
    let mut bytes = text.into_bytes();
    for _ in 0..rng.random_range(0..=3) {
        let offset = rng.random_range(0..bytes.len());
        bytes[offset] = UTF8_BYTES[rng.random_range(0..UTF8_BYTES.len())];
    }
    bytes.truncate(bytes.len() - rng.random_range(0..bytes.len().min(4)));
    bytes.drain(..rng.random_range(0..bytes.len().min(3)));
    bytes
}

#[test]
fn utf8_strings_of_two_bytes_and_a_limit_byte() {
    let kernels = available_kernels();
    for first in 0..=255 {
        check_utf8(&kernels, &[first]);
        for second in 0..=255 {
            check_utf8(&kernels, &[first, second]);
            for &third in UTF8_BYTES {
                check_utf8(&kernels, &[first, second, third]);
            }
        }
    }
}

#[test]
fn utf8_strings_of_four_limit_bytes() {
    let kernels = available_kernels();
    for a in UTF8_BYTES {
        for b in UTF8_BYTES {
            for c in UTF8_BYTES {
                for d in UTF8_BYTES {
                    check_utf8(&kernels, &[*a, *b, *c, *d]);
                    // The same bytes in a text that is too long for the short paths of vector
                    // kernels.
                    let mut long = [0x41; 160];
                    long[126..130].copy_from_slice(&[*a, *b, *c, *d]);
                    check_utf8(&kernels, &long);
                }
            }
        }
    }
}

#[test]
fn utf8_random_strings() {
    let kernels = available_kernels();
    let mut rng = StdRng::seed_from_u64(1);
    let pool = [&[0x41, 0x42], UTF8_BYTES].concat();
    let mut src = Vec::new();
    for _ in 0..1_000_000 {
        fill_random(&mut rng, &pool, 12, &mut src);
        check_utf8(&kernels, &src);
    }
    for _ in 0..300_000 {
        fill_random(&mut rng, &pool, 300, &mut src);
        check_utf8(&kernels, &src);
        check_utf8(&kernels, &nearly_well_formed(&mut rng, 400));
    }
}

#[test]
fn ascii_random_strings() {
    let kernels = available_kernels();
    let mut rng = StdRng::seed_from_u64(2);
    let pool = [&[0x41, 0x7F], UTF8_BYTES].concat();
    let mut src = Vec::new();
    for _ in 0..200_000 {
        fill_random(&mut rng, &pool, 300, &mut src);
        let want = simdutf_verdict(simdutf::validate_ascii_with_errors(&src));
        for &kernel in &kernels {
            assert_eq!(our_verdict::<Ascii>(kernel, &src), want, "{kernel}: {src:02X?}");
        }
    }
}

/// Compares every kernel's verdict with simdutf's, on units in the machine's byte order and as
/// big-endian bytes.
fn check_utf16(kernels: &[Kernel], src: &[u16]) {
    let native = simdutf_verdict(simdutf::validate_utf16_with_errors(src));
    let big = simdutf_verdict(simdutf::validate_utf16be_with_errors(src));
    // Our offsets in big-endian UTF-16 are in bytes.
    let big = big.map_err(|(kind, units)| (kind, 2 * units));
    for &kernel in kernels {
        assert_eq!(our_verdict::<Utf16>(kernel, src), native, "{kernel}: {src:04X?}");
        let bytes = bytemuck::cast_slice(src);
        assert_eq!(
            our_verdict::<Utf16Be>(kernel, bytes),
            big,
            "{kernel}: {bytes:02X?} as utf-16be"
        );
    }
}

#[test]
fn utf16_short_and_random_strings() {
    let kernels = available_kernels();
    for first in 0..=0xFFFF {
        check_utf16(&kernels, &[first]);
        for second in UTF16_UNITS {
            check_utf16(&kernels, &[first, *second]);
        }
    }
    let mut rng = StdRng::seed_from_u64(3);
    let pool = [&[0x41, 0x4100], UTF16_UNITS].concat();
    let mut src = Vec::new();
    for max_len in [6, 200] {
        for _ in 0..300_000 {
            fill_random(&mut rng, &pool, max_len, &mut src);
            check_utf16(&kernels, &src);
        }
    }
}

#[test]
fn utf32_random_strings() {
    let kernels = available_kernels();
    let mut rng = StdRng::seed_from_u64(4);
    let pool = [&[0x41, 0x1_F600], UTF32_UNITS].concat();
    let mut src = Vec::new();
    for max_len in [4, 100] {
        for _ in 0..300_000 {
            fill_random(&mut rng, &pool, max_len, &mut src);
            let want = simdutf_verdict(simdutf::validate_utf32_with_errors(&src));
            for &kernel in &kernels {
                assert_eq!(our_verdict::<Utf32>(kernel, &src), want, "{kernel}: {src:08X?}");
            }
        }
    }
}

/// Compares the offsets of errors in conversions from UTF-8 to Latin-1. Their kinds can differ.
#[test]
fn utf8_to_latin1_error_offsets() {
    let kernels = available_kernels();
    let mut rng = StdRng::seed_from_u64(5);
    let pool = [&[0x41, 0x42], UTF8_BYTES].concat();
    let mut src = Vec::new();
    for _ in 0..300_000 {
        fill_random(&mut rng, &pool, 100, &mut src);
        let mut dst = vec![0; src.len()];
        // SAFETY: the output is as long as the input, and no character is longer in Latin-1 than in
        // UTF-8.
        let result = unsafe {
            simdutf::convert_utf8_to_latin1_with_errors(src.as_ptr(), src.len(), dst.as_mut_ptr())
        };
        let want = match result.error {
            ErrorCode::Success => src.len(),
            _ => result.count,
        };
        for &kernel in &kernels {
            let progress = kernel.transcode_into::<Utf8, utflane::Latin1>(&src, &mut dst);
            assert_eq!(progress.read, want, "{kernel}: {src:02X?}");
        }
    }
}
