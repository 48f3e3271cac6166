//! Conversions from UTF-16, UTF-32, Latin-1 and ASCII.

use encoding_rs::mem;
use utflane::{Ascii, Latin1, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le};

use super::{Contender, Operation, peer, transcode, with_simdutf};
#[cfg(feature = "simdutf")]
use crate::peers::cpp as simdutf;
use crate::peers::rust;

pub(super) fn from_utf16() -> Vec<Operation> {
    vec![
        // encoding_rs replaces ill-formed sequences, so it also validates.
        transcode::<Utf16, Utf8>("utf16>utf8")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf16_to_utf8),
                peer!(convert, "simdutf-errors", simdutf::convert_utf16_to_utf8_with_errors),
            ])
            .against([
                peer!(convert, "encoding_rs", mem::convert_utf16_to_utf8),
                peer!(convert, "std", rust::utf16_to_utf8),
            ]),
        transcode::<Utf16Le, Utf8>("utf16le>utf8").against(with_simdutf![
            peer!(convert, "simdutf", simdutf::convert_utf16le_to_utf8),
            peer!(convert, "simdutf-errors", simdutf::convert_utf16le_to_utf8_with_errors),
        ]),
        transcode::<Utf16Be, Utf8>("utf16be>utf8").against(with_simdutf![
            peer!(convert, "simdutf", simdutf::convert_utf16be_to_utf8),
            peer!(convert, "simdutf-errors", simdutf::convert_utf16be_to_utf8_with_errors),
        ]),
        transcode::<Utf16, Utf32>("utf16>utf32")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf16_to_utf32),
                peer!(convert, "simdutf-errors", simdutf::convert_utf16_to_utf32_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf16_to_utf32)]),
        transcode::<Utf16, Latin1>("utf16>latin1")
            .for_latin1()
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf16_to_latin1),
                peer!(convert, "simdutf-errors", simdutf::convert_utf16_to_latin1_with_errors),
            ])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_utf16_to_latin1),
                peer!(convert, "std", rust::utf16_to_latin1),
            ]),
        transcode::<Utf16Be, Utf32>("utf16be>utf32").against(with_simdutf![
            peer!(convert, "simdutf", simdutf::convert_utf16be_to_utf32),
            peer!(convert, "simdutf-errors", simdutf::convert_utf16be_to_utf32_with_errors),
        ]),
        transcode::<Utf16Be, Latin1>("utf16be>latin1").for_latin1().against(with_simdutf![
            peer!(convert, "simdutf", simdutf::convert_utf16be_to_latin1),
            peer!(convert, "simdutf-errors", simdutf::convert_utf16be_to_latin1_with_errors),
        ]),
        transcode::<Utf16, Ascii>("utf16>ascii").for_ascii().against([
            peer!(convert, "encoding_rs", rust::encoding_rs_utf16_to_ascii),
            peer!(convert, "std", rust::utf16_to_ascii),
        ]),
        transcode::<Utf16Le, Utf16Be>("utf16le>utf16be")
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_utf16le_to_utf16be)])
            .against([peer!(convert, "std", rust::utf16le_to_utf16be)]),
        transcode::<Utf16, Utf16>("utf16>utf16")
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_to_utf16)])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_to_utf16),
                peer!(convert, "std", rust::utf16_to_utf16),
            ]),
    ]
}

pub(super) fn from_utf32() -> Vec<Operation> {
    vec![
        transcode::<Utf32, Utf8>("utf32>utf8")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf32_to_utf8),
                peer!(convert, "simdutf-errors", simdutf::convert_utf32_to_utf8_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf32_to_utf8)]),
        transcode::<Utf32, Utf16>("utf32>utf16")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf32_to_utf16),
                peer!(convert, "simdutf-errors", simdutf::convert_utf32_to_utf16_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf32_to_utf16)]),
        transcode::<Utf32, Latin1>("utf32>latin1")
            .for_latin1()
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_utf32_to_latin1)])
            .against([peer!(convert, "std", rust::utf32_to_latin1)]),
        transcode::<Utf32, Utf16Be>("utf32>utf16be")
            .against(with_simdutf![
                peer!(convert, "simdutf", simdutf::convert_utf32_to_utf16be),
                peer!(convert, "simdutf-errors", simdutf::convert_utf32_to_utf16be_with_errors),
            ])
            .against([peer!(convert, "std", rust::utf32_to_utf16be)]),
        transcode::<Utf32, Ascii>("utf32>ascii")
            .for_ascii()
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_utf32_to_ascii)])
            .against([peer!(convert, "std", rust::utf32_to_ascii)]),
        transcode::<Utf32, Utf32>("utf32>utf32")
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_to_utf32)])
            .against([peer!(convert, "std", rust::utf32_to_utf32)]),
        transcode::<Utf32Le, Utf32Be>("utf32le>utf32be")
            .against(with_simdutf![peer!(convert, "simdutf+std", rust::simdutf_utf32le_to_utf32be)])
            .against([peer!(convert, "std", rust::utf32le_to_utf32be)]),
        // simdutf has no function that reads UTF-32 in the other byte order.
        transcode::<Utf32Be, Utf8>("utf32be>utf8").against([peer!(
            convert,
            "std",
            rust::utf32be_to_utf8
        )]),
        transcode::<Utf32Be, Utf16>("utf32be>utf16").against([peer!(
            convert,
            "std",
            rust::utf32be_to_utf16
        )]),
        transcode::<Utf32Be, Latin1>("utf32be>latin1").for_latin1().against([peer!(
            convert,
            "std",
            rust::utf32be_to_latin1
        )]),
        transcode::<Utf32Be, Ascii>("utf32be>ascii").for_ascii().against([peer!(
            convert,
            "std",
            rust::utf32be_to_ascii
        )]),
    ]
}

pub(super) fn from_latin1() -> Vec<Operation> {
    vec![
        transcode::<Latin1, Utf8>("latin1>utf8")
            .for_latin1()
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_latin1_to_utf8)])
            .against([
                peer!(convert, "encoding_rs", mem::convert_latin1_to_utf8),
                peer!(convert, "std", rust::latin1_to_utf8),
            ]),
        transcode::<Latin1, Utf16>("latin1>utf16")
            .for_latin1()
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_latin1_to_utf16)])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_latin1_to_utf16),
                peer!(convert, "std", rust::latin1_to_utf16),
            ]),
        transcode::<Latin1, Utf32>("latin1>utf32")
            .for_latin1()
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_latin1_to_utf32)])
            .against([peer!(convert, "std", rust::latin1_to_utf32)]),
        transcode::<Latin1, Utf16Be>("latin1>utf16be")
            .for_latin1()
            .against(with_simdutf![peer!(convert, "simdutf", simdutf::convert_latin1_to_utf16be)])
            .against([peer!(convert, "std", rust::latin1_to_utf16be)]),
        transcode::<Latin1, Utf32Be>("latin1>utf32be").for_latin1().against([peer!(
            convert,
            "std",
            rust::latin1_to_utf32be
        )]),
        transcode::<Latin1, Latin1>("latin1>latin1").for_latin1().against([peer!(
            convert,
            "std",
            rust::latin1_to_latin1
        )]),
        transcode::<Latin1, Ascii>("latin1>ascii").for_ascii().against(ascii_copies()),
    ]
}

pub(super) fn from_ascii() -> Vec<Operation> {
    vec![
        transcode::<Ascii, Utf8>("ascii>utf8").for_ascii().against(ascii_copies()),
        transcode::<Ascii, Ascii>("ascii>ascii").for_ascii().against(ascii_copies()),
        transcode::<Ascii, Latin1>("ascii>latin1").for_ascii().against(ascii_copies()),
        transcode::<Ascii, Utf16>("ascii>utf16")
            .for_ascii()
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_ascii_to_utf16)])
            .against([
                peer!(convert, "encoding_rs", rust::encoding_rs_ascii_to_utf16),
                peer!(convert, "std", rust::ascii_to_utf16),
            ]),
        transcode::<Ascii, Utf16Be>("ascii>utf16be")
            .for_ascii()
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_ascii_to_utf16be)])
            .against([peer!(convert, "std", rust::ascii_to_utf16be)]),
        transcode::<Ascii, Utf32>("ascii>utf32")
            .for_ascii()
            .against(with_simdutf![peer!(convert, "simdutf", rust::simdutf_ascii_to_utf32)])
            .against([peer!(convert, "std", rust::ascii_to_utf32)]),
        transcode::<Ascii, Utf32Be>("ascii>utf32be").for_ascii().against([peer!(
            convert,
            "std",
            rust::ascii_to_utf32be
        )]),
    ]
}

/// Returns the peers that validate and copy ASCII.
fn ascii_copies() -> Vec<Contender> {
    let simdutf_peers: &[Contender] =
        &with_simdutf![peer!(convert, "simdutf", rust::simdutf_to_ascii)];
    let rust = [
        peer!(convert, "encoding_rs", rust::encoding_rs_to_ascii),
        peer!(convert, "std", rust::utf8_to_ascii),
    ];
    [simdutf_peers, &rust].concat()
}
