//! The kinds and positions of errors, compared with simdutf's, whose names and order of decisions
//! ours follow.
//!
//! std can't judge kinds; this is their oracle. All short strings, and random long ones made of the
//! bytes and units at which decisions change, run through every kernel.
#![cfg(feature = "simdutf")]

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use simdutf::ErrorCode;
use utflane::{Ascii, Encoding, Error, ErrorKind, Kernel, Utf8, Utf16, Utf16Be, Utf32};

/// Bytes on either side of every decision about UTF-8.
const BYTES: &[u8] = &[
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFF,
];

/// Units on either side of every decision about UTF-16, in either byte order.
const UNITS: &[u16] = &[
    0x0000, 0x0041, 0x00D8, 0x00DC, 0xD7FF, 0xD800, 0xD8D8, 0xD8DC, 0xDBFF, 0xDC00, 0xDCD8, 0xDFFF,
    0xE000, 0xFFFF,
];

/// Units on either side of every decision about UTF-32.
const WIDE: &[u32] = &[
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

/// The same verdict in one type.
type Verdict = Result<(), (ErrorKind, usize)>;

/// Our verdict.
fn ours<E: Encoding>(kernel: Kernel, src: &[E::Unit]) -> Verdict {
    kernel.validate::<E>(src).map_err(|error: Error| (error.kind(), error.valid_up_to()))
}

/// simdutf's verdict.
fn theirs(result: simdutf::Result) -> Verdict {
    let kind = match result.error {
        ErrorCode::Success => return Ok(()),
        ErrorCode::HeaderBits => ErrorKind::InvalidLeadByte,
        ErrorCode::TooShort => ErrorKind::TooShort,
        ErrorCode::TooLong => ErrorKind::TooLong,
        ErrorCode::OverLong => ErrorKind::Overlong,
        ErrorCode::TooLarge => ErrorKind::TooLarge,
        ErrorCode::Surrogate => ErrorKind::Surrogate,
        other => panic!("simdutf answers {other:?}"),
    };
    Err((kind, result.count))
}

/// Compares every kernel on a string of bytes, as UTF-8.
fn utf8(kernels: &[Kernel], src: &[u8]) {
    let want = theirs(simdutf::validate_utf8_with_errors(src));
    for &kernel in kernels {
        assert_eq!(ours::<Utf8>(kernel, src), want, "{kernel}: {src:02X?}");
    }
}

fn kernels() -> Vec<Kernel> {
    Kernel::available().collect()
}

/// Items of `pool`, and sometimes a run of the first two, which are well-formed by themselves.
fn random<T: Copy>(rng: &mut StdRng, pool: &[T], most: usize, out: &mut Vec<T>) {
    out.clear();
    let len = rng.random_range(0..=most);
    // From mostly ill-formed to nearly well-formed.
    let harm = rng.random_range(1..=100);
    while out.len() < len {
        if rng.random_range(0..100) < harm {
            out.push(pool[rng.random_range(0..pool.len())]);
        } else {
            let run = rng.random_range(1..=(len - out.len()).min(40));
            out.extend(std::iter::repeat_n(pool[rng.random_range(0..2)], run));
        }
    }
}

/// A random well-formed text with up to three bytes replaced, cut at both ends.
fn damaged(rng: &mut StdRng, most: usize) -> Vec<u8> {
    let mut text = String::new();
    let limit = [0x80, 0x800, 0x1_0000, 0x11_0000][rng.random_range(0..4)];
    let len = rng.random_range(1..=most);
    while text.len() < len {
        text.extend(char::from_u32(rng.random_range(0..limit)));
    }
    let mut bytes = text.into_bytes();
    for _ in 0..rng.random_range(0..=3) {
        let at = rng.random_range(0..bytes.len());
        bytes[at] = BYTES[rng.random_range(0..BYTES.len())];
    }
    bytes.truncate(bytes.len() - rng.random_range(0..bytes.len().min(4)));
    bytes.drain(..rng.random_range(0..bytes.len().min(3)));
    bytes
}

#[test]
fn utf8_all_of_up_to_three_bytes() {
    let kernels = kernels();
    for first in 0..=255 {
        utf8(&kernels, &[first]);
        for second in 0..=255 {
            utf8(&kernels, &[first, second]);
            for &third in BYTES {
                utf8(&kernels, &[first, second, third]);
            }
        }
    }
}

#[test]
fn utf8_all_decisions_of_four_and_five_bytes() {
    let kernels = kernels();
    for a in BYTES {
        for b in BYTES {
            for c in BYTES {
                for d in BYTES {
                    utf8(&kernels, &[*a, *b, *c, *d]);
                    // The same where a vector kernel is past its short paths.
                    let mut long = [0x41; 160];
                    long[126..130].copy_from_slice(&[*a, *b, *c, *d]);
                    utf8(&kernels, &long);
                }
            }
        }
    }
}

#[test]
fn utf8_random() {
    let kernels = kernels();
    let mut rng = StdRng::seed_from_u64(1);
    let pool = [&[0x41, 0x42], BYTES].concat();
    let mut src = Vec::new();
    for _ in 0..1_000_000 {
        random(&mut rng, &pool, 12, &mut src);
        utf8(&kernels, &src);
    }
    for _ in 0..300_000 {
        random(&mut rng, &pool, 300, &mut src);
        utf8(&kernels, &src);
        utf8(&kernels, &damaged(&mut rng, 400));
    }
}

#[test]
fn ascii_random() {
    let kernels = kernels();
    let mut rng = StdRng::seed_from_u64(2);
    let pool = [&[0x41, 0x7F], BYTES].concat();
    let mut src = Vec::new();
    for _ in 0..200_000 {
        random(&mut rng, &pool, 300, &mut src);
        let want = theirs(simdutf::validate_ascii_with_errors(&src));
        for &kernel in &kernels {
            assert_eq!(ours::<Ascii>(kernel, &src), want, "{kernel}: {src:02X?}");
        }
    }
}

/// Compares every kernel on units, in the machine's byte order and in big-endian.
fn utf16(kernels: &[Kernel], src: &[u16]) {
    let native = theirs(simdutf::validate_utf16_with_errors(src));
    let big = theirs(simdutf::validate_utf16be_with_errors(src));
    // A scheme's positions are in bytes.
    let big = big.map_err(|(kind, units)| (kind, 2 * units));
    for &kernel in kernels {
        assert_eq!(ours::<Utf16>(kernel, src), native, "{kernel}: {src:04X?}");
        let bytes = bytemuck::cast_slice(src);
        assert_eq!(ours::<Utf16Be>(kernel, bytes), big, "{kernel}: {bytes:02X?} as utf-16be");
    }
}

#[test]
fn utf16_short_and_random() {
    let kernels = kernels();
    for first in 0..=0xFFFF {
        utf16(&kernels, &[first]);
        for second in UNITS {
            utf16(&kernels, &[first, *second]);
        }
    }
    let mut rng = StdRng::seed_from_u64(3);
    let pool = [&[0x41, 0x4100], UNITS].concat();
    let mut src = Vec::new();
    for most in [6, 200] {
        for _ in 0..300_000 {
            random(&mut rng, &pool, most, &mut src);
            utf16(&kernels, &src);
        }
    }
}

#[test]
fn utf32_random() {
    let kernels = kernels();
    let mut rng = StdRng::seed_from_u64(4);
    let pool = [&[0x41, 0x1_F600], WIDE].concat();
    let mut src = Vec::new();
    for most in [4, 100] {
        for _ in 0..300_000 {
            random(&mut rng, &pool, most, &mut src);
            let want = theirs(simdutf::validate_utf32_with_errors(&src));
            for &kernel in &kernels {
                assert_eq!(ours::<Utf32>(kernel, &src), want, "{kernel}: {src:08X?}");
            }
        }
    }
}

/// For a conversion to Latin-1 the positions agree, and so do the kinds where the text itself is
/// ill-formed up to there.
#[test]
fn utf8_to_latin1_positions() {
    let kernels = kernels();
    let mut rng = StdRng::seed_from_u64(5);
    let pool = [&[0x41, 0x42], BYTES].concat();
    let mut src = Vec::new();
    for _ in 0..300_000 {
        random(&mut rng, &pool, 100, &mut src);
        let mut dst = vec![0; src.len()];
        // SAFETY: the output has a byte for each byte of the input, and no character becomes
        // longer.
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
