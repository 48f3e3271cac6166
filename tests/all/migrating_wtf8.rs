//! docs/migrating.md, the crate wtf8: each function beside the one that replaces it, and each
//! difference that the page tells.

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
fn texts_are_those_of_the_crate() {
    for units in TEXTS {
        let there = Wtf8Buf::from_ill_formed_utf16(units);
        let here = transcode::<Wtf16, Wtf8>(units).expect("any units");
        assert_eq!(here.len(), there.len());
        let back = transcode::<Wtf8, Wtf16>(&here).expect("well-formed");
        assert!(there.to_ill_formed_utf16().eq(back.iter().copied()));
        assert!(wtf8::code_points(&here).eq(there.code_points().map(|point| point.to_u32())));
        assert_eq!(wtf8::to_str(&here).ok(), there.as_str());
        assert_eq!(utf8::into_string(here.clone()).ok(), there.clone().into_string().ok());
        assert_eq!(wtf8::to_str_lossy(&here), there.to_string_lossy());
        assert_eq!(wtf8::into_string_lossy(here.clone()), there.clone().into_string_lossy());
        for second in TEXTS {
            let (mut there, mut here) = (there.clone(), here.clone());
            there.push_wtf8(&Wtf8Buf::from_ill_formed_utf16(second));
            wtf8::append(&mut here, &transcode::<Wtf16, Wtf8>(second).expect("any units"));
            assert!(wtf8::code_points(&here).eq(there.code_points().map(|point| point.to_u32())));
        }
    }
    // A string is WTF-8 as it is.
    assert_eq!(Wtf8Buf::from_str("é😀").as_str(), wtf8::to_str("é😀".as_bytes()).ok());
}

/// There, a cut inside a code point is a panic; here it is found before.
#[cfg(panic = "unwind")]
#[test]
fn boundaries_are_found() {
    let units = [0x61, 0xD83D, 0xE9];
    let there = Wtf8Buf::from_ill_formed_utf16(&units);
    let here = transcode::<Wtf16, Wtf8>(&units).expect("any units");
    for at in 0..=here.len() {
        let there = std::panic::AssertUnwindSafe(&there);
        let cut = std::panic::catch_unwind(|| there.slice_to(at).len());
        assert_eq!(cut.is_ok(), wtf8::is_boundary(&here, at), "{at}");
        let floor = wtf8::floor_boundary(&here, at);
        assert_eq!(there.slice_to(floor).len(), floor, "{at}");
    }
}

/// Here, bytes may be anything, so functions return errors, where the crate has a type that only
/// its own functions make. A code point is a `u32`.
#[test]
fn bytes_may_be_ill_formed() {
    let error = wtf8::to_str(b"a\xED\xA0\x80").unwrap_err();
    let seen = (error.kind(), error.valid_up_to(), error.error_len());
    assert_eq!(seen, (ErrorKind::Surrogate, 1, Some(3)));
    let pair = b"\xED\xA0\xBD\xED\xB8\x80";
    assert!(utflane::validate::<Wtf8>(pair).is_err());
    assert!(wtf8::code_points(pair).eq([0xFFFD]));
    assert!(CodePoint::from_u32(0x11_0000).is_none());
    assert!(wtf8::push(&mut Vec::new(), 0x11_0000).is_err());
    // Both ends.
    assert!(wtf8::code_points("aé".as_bytes()).rev().eq([0xE9, 0x61]));
}
