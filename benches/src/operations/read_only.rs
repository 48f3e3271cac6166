//! Functions that only read: validation, counts of code points, lengths in another encoding.

use std::hint::black_box;

use encoding_rs::mem;
use utflane::{Ascii, Latin1, Utf8, Utf16, Utf16Be, Utf32, Utf32Be};

use super::{Operation, count, len, new_operation, peer, validate, with_simdutf};
#[cfg(feature = "simdutf")]
use crate::peers::cpp as simdutf;
use crate::peers::{FAILED, rust, sse42};

pub(super) fn validations() -> Vec<Operation> {
    vec![
        validate::<Utf8>("validate utf8")
            .runs_by_default()
            .against(with_simdutf![
                peer!(check, "simdutf", simdutf::validate_utf8),
                peer!(check, "simdutf-errors", simdutf::validate_utf8_with_errors),
            ])
            .against([
                peer!(
                    check,
                    "simdutf8",
                    |src: &[u8]| simdutf8::basic::from_utf8(src).is_ok(),
                    sse42: sse42::simdutf8
                ),
                peer!(
                    check,
                    "simdutf8-compat",
                    |src: &[u8]| simdutf8::compat::from_utf8(src).is_ok(),
                    sse42: sse42::simdutf8_compat
                ),
                // encoding_rs calls simdutf8, which chooses AVX2 at run time. For our kernel
                // `sse42`, simdutf8's function for SSE4.2 is called directly.
                peer!(
                    check,
                    "encoding_rs",
                    rust::encoding_rs_is_utf8,
                    sse42: sse42::simdutf8_compat
                ),
                peer!(check, "std", |src: &[u8]| std::str::from_utf8(src).is_ok()),
            ]),
        validate::<Ascii>("validate ascii")
            .runs_by_default()
            .for_ascii()
            .against(with_simdutf![
                peer!(check, "simdutf", simdutf::validate_ascii),
                peer!(check, "simdutf-errors", simdutf::validate_ascii_with_errors),
            ])
            .against([
                peer!(check, "encoding_rs", mem::is_ascii),
                peer!(check, "std", <[u8]>::is_ascii),
            ]),
        validate::<Utf16>("validate utf16")
            .against(with_simdutf![
                peer!(check, "simdutf", simdutf::validate_utf16),
                peer!(check, "simdutf-errors", simdutf::validate_utf16_with_errors),
            ])
            .against([
                peer!(check, "encoding_rs", rust::encoding_rs_is_utf16),
                peer!(check, "std", rust::is_utf16),
            ]),
        validate::<Utf16Be>("validate utf16be")
            .against(with_simdutf![
                peer!(check, "simdutf", simdutf::validate_utf16be),
                peer!(check, "simdutf-errors", simdutf::validate_utf16be_with_errors),
            ])
            .against([peer!(check, "std", rust::is_utf16be)]),
        validate::<Utf32>("validate utf32")
            .against(with_simdutf![
                peer!(check, "simdutf", simdutf::validate_utf32),
                peer!(check, "simdutf-errors", simdutf::validate_utf32_with_errors),
            ])
            .against([peer!(check, "std", rust::is_utf32)]),
        validate::<Utf32Be>("validate utf32be").against([peer!(check, "std", rust::is_utf32be)]),
    ]
}

/// Returns the operations that compute the results of [`utflane::utf8::summary`], and the
/// operations that test whether a text is Latin-1 or ASCII.
pub(super) fn summaries() -> Vec<Operation> {
    vec![
        new_operation::<Utf8>(
            "summary utf8",
            |case, times| {
                let kernel = case.kernel;
                case.compute(times, |src: &[u8]| {
                    let summary = black_box(kernel).utf8_summary(src);
                    let counts = summary.code_points + summary.utf16_units;
                    if summary.error.is_none() { counts } else { FAILED }
                })
            },
            |case, times| {
                case.compute(times, |src: &[u8]| {
                    let summary = utflane::utf8::summary(src);
                    let counts = summary.code_points + summary.utf16_units;
                    if summary.error.is_none() { counts } else { FAILED }
                })
            },
        )
        .against(with_simdutf![peer!(compute, "simdutf", rust::simdutf_summary)])
        .against([peer!(compute, "simdutf8+std", |src: &[u8]| {
            simdutf8::basic::from_utf8(src)
                .map_or(FAILED, |text| text.chars().count() + text.encode_utf16().count())
        })]),
        new_operation::<Utf8>(
            "latin1? utf8",
            |case, times| {
                let kernel = case.kernel;
                case.check(times, |src: &[u8]| black_box(kernel).utf8_fits_latin1(src))
            },
            |case, times| case.check(times, utflane::utf8::fits_latin1),
        )
        .for_latin1()
        .against([
            peer!(check, "encoding_rs", mem::is_utf8_latin1),
            peer!(check, "std", |src: &[u8]| {
                std::str::from_utf8(src).is_ok_and(|text| text.chars().all(|c| c <= '\u{FF}'))
            }),
        ]),
        new_operation::<Utf16>(
            "latin1? utf16",
            |case, times| {
                let kernel = case.kernel;
                case.check(times, |src: &[u16]| black_box(kernel).utf16_fits_latin1(src))
            },
            |case, times| case.check(times, utflane::utf16::fits_latin1),
        )
        .for_latin1()
        .against([
            peer!(check, "encoding_rs", mem::is_utf16_latin1),
            peer!(check, "std", |src: &[u16]| src.iter().all(|&unit| unit <= 0xFF)),
        ]),
        new_operation::<Utf16>(
            "ascii? utf16",
            |case, times| {
                let kernel = case.kernel;
                case.check(times, |src: &[u16]| black_box(kernel).utf16_fits_ascii(src))
            },
            |case, times| case.check(times, utflane::utf16::fits_ascii),
        )
        .for_ascii()
        .against([
            peer!(check, "encoding_rs", mem::is_basic_latin),
            peer!(check, "std", |src: &[u16]| src.iter().all(|&unit| unit <= 0x7F)),
        ]),
    ]
}

pub(super) fn counts() -> Vec<Operation> {
    vec![
        count::<Utf8>("count utf8")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::count_utf8)])
            .against([peer!(compute, "std", |src: &str| src.chars().count())]),
        count::<Utf16>("count utf16")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::count_utf16)])
            .against([peer!(compute, "std", |src: &[u16]| {
                char::decode_utf16(src.iter().copied()).count()
            })]),
    ]
}

pub(super) fn lengths() -> Vec<Operation> {
    vec![
        len::<Utf8, Utf16>("len utf8>utf16")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::utf16_length_from_utf8)])
            .against([peer!(compute, "std", |src: &str| src.encode_utf16().count())]),
        len::<Utf8, Utf32>("len utf8>utf32")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::utf32_length_from_utf8)])
            .against([peer!(compute, "std", |src: &str| src.chars().count())]),
        len::<Utf8, Latin1>("len utf8>latin1")
            .for_latin1()
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::latin1_length_from_utf8)])
            .against([peer!(compute, "std", |src: &str| src.chars().count())]),
        len::<Utf16, Utf8>("len utf16>utf8")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::utf8_length_from_utf16)])
            .against([peer!(compute, "std", rust::utf8_len_of_utf16)]),
        len::<Utf16, Utf32>("len utf16>utf32").against(with_simdutf![peer!(
            compute,
            "simdutf",
            simdutf::utf32_length_from_utf16
        )]),
        len::<Utf32, Utf8>("len utf32>utf8")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::utf8_length_from_utf32)])
            .against([peer!(compute, "std", rust::utf8_len_of_utf32)]),
        len::<Utf32, Utf16>("len utf32>utf16")
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::utf16_length_from_utf32)])
            .against([peer!(compute, "std", rust::utf16_len_of_utf32)]),
        len::<Utf32Be, Utf8>("len utf32be>utf8").against([peer!(
            compute,
            "std",
            rust::utf8_len_of_utf32be
        )]),
        len::<Utf32Be, Utf16>("len utf32be>utf16").against([peer!(
            compute,
            "std",
            rust::utf16_len_of_utf32be
        )]),
        len::<Latin1, Utf8>("len latin1>utf8")
            .for_latin1()
            .against(with_simdutf![peer!(compute, "simdutf", simdutf::utf8_length_from_latin1)])
            .against([peer!(compute, "std", |src: &[u8]| {
                src.len() + src.iter().filter(|&&byte| byte >= 0x80).count()
            })]),
    ]
}
