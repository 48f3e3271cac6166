//! Checks the section of docs/migrating.md about the crate wtf8: each function is compared with its
//! replacement in utflane, and each difference that the page describes is tested.

use ::wtf8::{CodePoint, Wtf8Buf};
use utflane::{ErrorKind, Wtf8, Wtf16, transcode, utf8, wtf8};

/// Code units with and without unpaired surrogates.
const TEXTS: [&[u16]; 6] = [
    &[],
    &[0x61, 0xE9, 0x8A9E],
    &[0xD83D, 0xDE00],
    &[0x61, 0xD83D],
    &[0xDE00, 0xD83D, 0x62],
    &[0xD83D, 0xD83D, 0xDE00, 0xDE00],
];

#[test]
fn texts_agree_with_the_crate() {
    for units in TEXTS {
        let theirs = Wtf8Buf::from_ill_formed_utf16(units);
        let ours = transcode::<Wtf16, Wtf8>(units).expect("WTF-16 can have any units");
        assert_eq!(ours.len(), theirs.len());
        let back = transcode::<Wtf8, Wtf16>(&ours).expect("well-formed");
        assert!(theirs.to_ill_formed_utf16().eq(back.iter().copied()));
        assert!(wtf8::code_points(&ours).eq(theirs.code_points().map(|point| point.to_u32())));
        assert_eq!(wtf8::to_str(&ours).ok(), theirs.as_str());
        assert_eq!(utf8::into_string(ours.clone()).ok(), theirs.clone().into_string().ok());
        assert_eq!(wtf8::to_str_lossy(&ours), theirs.to_string_lossy());
        assert_eq!(wtf8::into_string_lossy(ours.clone()), theirs.clone().into_string_lossy());
        for second in TEXTS {
            let (mut theirs, mut ours) = (theirs.clone(), ours.clone());
            theirs.push_wtf8(&Wtf8Buf::from_ill_formed_utf16(second));
            wtf8::append(
                &mut ours,
                &transcode::<Wtf16, Wtf8>(second).expect("WTF-16 can have any units"),
            );
            assert!(wtf8::code_points(&ours).eq(theirs.code_points().map(|point| point.to_u32())));
        }
    }
    // A `str` is WTF-8 without a conversion.
    assert_eq!(Wtf8Buf::from_str("é😀").as_str(), wtf8::to_str("é😀".as_bytes()).ok());
}

/// The crate panics if a slice ends inside a code point. With utflane, the caller finds the
/// boundary first.
#[cfg(panic = "unwind")]
#[test]
fn boundaries_are_found() {
    let units = [0x61, 0xD83D, 0xE9];
    let theirs = Wtf8Buf::from_ill_formed_utf16(&units);
    let ours = transcode::<Wtf16, Wtf8>(&units).expect("WTF-16 can have any units");
    for offset in 0..=ours.len() {
        let theirs = std::panic::AssertUnwindSafe(&theirs);
        let slice_len = std::panic::catch_unwind(|| theirs.slice_to(offset).len());
        assert_eq!(slice_len.is_ok(), wtf8::is_boundary(&ours, offset), "{offset}");
        let floor = wtf8::floor_boundary(&ours, offset);
        assert_eq!(theirs.slice_to(floor).len(), floor, "{offset}");
    }
}

/// In utflane, texts are any bytes, so functions return errors. The crate has a type that only its
/// own functions make. A code point of utflane is a `u32`.
#[test]
fn bytes_may_be_ill_formed() {
    let error = wtf8::to_str(b"a\xED\xA0\x80").unwrap_err();
    let got = (error.kind(), error.valid_up_to(), error.error_len());
    assert_eq!(got, (ErrorKind::Surrogate, 1, Some(3)));
    let pair = b"\xED\xA0\xBD\xED\xB8\x80";
    assert!(utflane::validate::<Wtf8>(pair).is_err());
    assert!(wtf8::code_points(pair).eq([0xFFFD]));
    assert!(CodePoint::from_u32(0x11_0000).is_none());
    assert!(wtf8::push(&mut Vec::new(), 0x11_0000).is_err());
    // Code points can be read from both ends.
    assert!(wtf8::code_points("aé".as_bytes()).rev().eq([0xE9, 0x61]));
}
