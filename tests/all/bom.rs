//! Byte order marks: the mark of each encoding, found before any text and split anywhere.

use crate::common::detect::{MARKS, check_marks, marked};
use crate::common::{costly, shared};
use utflane::bom::{self, MARK, Probe};
use utflane::{
    Ascii, Encoding, Latin1, Scheme, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le,
    from_str, try_from_str,
};

/// Bytes of marks, and one that is in none.
const BYTES: [u8; 7] = [0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, b'a'];

/// Every text of `len` of these bytes.
fn texts(len: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..BYTES.len().pow(len as u32)).map(move |number| {
        let digit =
            |digit_index: usize| BYTES[number / BYTES.len().pow(digit_index as u32) % BYTES.len()];
        (0..len).map(digit).collect()
    })
}

#[test]
fn marks_are_found_and_split_off() {
    for len in 0..=6 {
        for src in shared("texts", texts(len)) {
            check_marks(&src);
        }
    }
}

/// An answer never changes when more bytes come, and `More` is returned only where it could.
#[test]
fn probes_agree_with_what_follows() {
    for len in 0..=4 {
        for src in costly("beginnings", texts(len)) {
            let answers: Vec<_> =
                texts(4).map(|more| marked(&[&src[..], &more].concat())).collect();
            let same = answers.iter().all(|answer| *answer == answers[0]);
            let probe = match answers[0] {
                _ if !same => Probe::More,
                Some(scheme) => Probe::Mark(scheme),
                None => Probe::NoMark,
            };
            assert_eq!(bom::probe(&src), probe, "{src:02x?}");
        }
    }
}

#[test]
fn marks_are_the_character() {
    for (mark, scheme) in MARKS {
        assert_eq!(scheme.byte_order_mark(), mark);
        let mut out = Vec::new();
        let text = MARK.to_string();
        Scheme::Utf8.transcode_append(text.as_bytes(), scheme, &mut out).expect("has it");
        assert_eq!(out, mark);
    }
    assert_eq!(Scheme::Latin1.byte_order_mark(), b"");
    assert_eq!(Scheme::Ascii.byte_order_mark(), b"");
}

/// A mark is written before a text, kept by conversions, and stripped once.
fn written_and_stripped<E: Encoding>()
where
    E::Owned: AsRef<[E::Unit]>,
{
    let text = try_from_str::<E>("Hi").expect("ASCII");
    let (mut once, mut twice) = (E::Owned::default(), E::Owned::default());
    bom::append::<E>(&mut once);
    bom::append::<E>(&mut twice);
    bom::append::<E>(&mut twice);
    for out in [&mut once, &mut twice] {
        utflane::from_str_append::<E>("Hi", out).expect("ASCII");
    }
    let (once, twice) = (once.as_ref(), twice.as_ref());
    // Where U+FEFF can't be written, no mark is.
    let marked = try_from_str::<E>("\u{FEFF}Hi");
    assert_eq!(once, marked.as_ref().unwrap_or(&text).as_ref());
    assert_eq!(bom::strip::<E>(once), text.as_ref());
    assert_eq!(bom::strip::<E>(twice), once);
    assert_eq!(bom::strip::<E>(text.as_ref()), text.as_ref());
    assert!(bom::strip::<E>(&[]).is_empty());
}

#[test]
fn every_encoding_writes_and_strips() {
    written_and_stripped::<Utf8>();
    written_and_stripped::<Utf16>();
    written_and_stripped::<Utf32>();
    written_and_stripped::<Utf16Le>();
    written_and_stripped::<Utf16Be>();
    written_and_stripped::<Utf32Le>();
    written_and_stripped::<Utf32Be>();
    written_and_stripped::<Latin1>();
    written_and_stripped::<Ascii>();
    assert_eq!(from_str::<Utf16>("\u{FEFF}Hi")[0], 0xFEFF);
}
