//! Conversions from UTF-8: from bytes, with validation, and from `&str`, without validation.

use encoding_rs::mem;
use utflane::{Ascii, Latin1, Utf8, Utf16, Utf16Be, Utf16Le, Utf32};

use super::{Operation, from_str as str_to, peer, transcode, with_simdutf};
#[cfg(feature = "simdutf")]
use crate::peers::cpp as simdutf;
use crate::peers::{rust, sse42};

/// Returns conversions from bytes. All peers also validate the bytes.
pub(super) fn from_bytes() -> Vec<Operation> {
    vec![
        transcode::<Utf8, Utf16>("utf8>utf16")
            .runs_by_default()
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf8_to_utf16),
                peer!(convert, "simdutf-errors", simdutf::convert_utf8_to_utf16_with_errors),
            ])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_utf8_to_utf16),
                peer!(convert, "std", rust::utf8_to_utf16),
            ]),
        transcode::<Utf8, Utf16Le>("utf8>utf16le")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf8_to_utf16le),
                peer!(convert, "simdutf-errors", simdutf::convert_utf8_to_utf16le_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf8_to_utf16le)]),
        transcode::<Utf8, Utf16Be>("utf8>utf16be")
            .runs_by_default()
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf8_to_utf16be),
                peer!(convert, "simdutf-errors", simdutf::convert_utf8_to_utf16be_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf8_to_utf16be)]),
        transcode::<Utf8, Utf32>("utf8>utf32")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf8_to_utf32),
                peer!(convert, "simdutf-errors", simdutf::convert_utf8_to_utf32_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf8_to_utf32)]),
        transcode::<Utf8, Latin1>("utf8>latin1")
            .for_latin1()
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf8_to_latin1),
                peer!(convert, "simdutf-errors", simdutf::convert_utf8_to_latin1_with_errors),
            ])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_utf8_to_latin1),
                peer!(convert, "std", rust::utf8_to_latin1),
            ]),
        transcode::<Utf8, Utf8>("utf8>utf8")
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_to_utf8)])
            .against([
                peer!(
                    convert,
                    "simdutf8",
                    rust::simdutf8_to_utf8,
                    sse42: sse42::simdutf8_to_utf8
                ),
                peer!(convert, "std", rust::utf8_to_utf8),
            ]),
        transcode::<Utf8, Ascii>("utf8>ascii")
            .for_ascii()
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_to_ascii)])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_to_ascii),
                peer!(convert, "std", rust::utf8_to_ascii),
            ]),
    ]
}

/// Returns conversions from `&str`. Peers may also trust their input.
pub(super) fn from_str() -> Vec<Operation> {
    vec![
        str_to::<Utf16>("str>utf16")
            .runs_by_default()
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_valid_utf8_to_utf16)])
            .against([
                peer!(convert, "encoding_rs", mem::convert_str_to_utf16),
                peer!(convert, "std", rust::str_to_utf16),
            ]),
        str_to::<Utf16Le>("str>utf16le")
            .against(with_simdutf![peer!(
                convert,
                "simdutf",
                simdutf::convert_valid_utf8_to_utf16le
            )])
            .against([peer!(convert, "std", rust::str_to_utf16le)]),
        str_to::<Utf16Be>("str>utf16be")
            .against(with_simdutf![peer!(
                convert,
                "simdutf",
                simdutf::convert_valid_utf8_to_utf16be
            )])
            .against([peer!(convert, "std", rust::str_to_utf16be)]),
        str_to::<Utf32>("str>utf32")
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_valid_utf8_to_utf32)])
            .against([peer!(convert, "std", rust::str_to_utf32)]),
        // Our function finds characters that aren't in Latin-1. Of the peers, only std finds them.
        str_to::<Latin1>("str>latin1")
            .for_latin1()
            .against(with_simdutf![peer!(
                convert,
                "simdutf",
                simdutf::convert_valid_utf8_to_latin1
            )])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_str_to_latin1),
                peer!(convert, "std", rust::str_to_latin1),
            ]),
    ]
}
