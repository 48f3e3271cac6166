//! Byte order marks: marks are found at the start of every text, and input that ends inside a mark
//! is recognised.

use crate::common::marks::{MARKS, check_marks, marked};
use crate::common::{sampled, sampled_if_slow};
use utflane::bom::{self, MARK, Probe};
use utflane::{
    Ascii, Encoding, Latin1, Scheme, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le,
    from_str, transcode,
};

/// The bytes of which marks consist, and one byte that is in no mark.
const BYTES: [u8; 7] = [0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, b'a'];

/// Returns every text of `len` bytes that consists of [`BYTES`].
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
        for src in sampled("texts", texts(len)) {
            check_marks(&src);
        }
    }
}

/// The answers `Mark` and `NoMark` stay right, whatever bytes follow. `probe` returns `More` only
/// if the bytes that follow decide.
#[test]
fn probes_agree_with_every_continuation() {
    let continuations: Vec<_> = texts(4).collect();
    for len in 0..=4 {
        for src in sampled_if_slow("beginnings", texts(len)) {
            let answers = continuations.iter().map(|more| marked(&[&src[..], more].concat()));
            let answers: Vec<_> = answers.collect();
            let all_equal = answers.iter().all(|answer| *answer == answers[0]);
            let probe = match answers[0] {
                _ if !all_equal => Probe::More,
                Some(scheme) => Probe::Mark(scheme),
                None => Probe::NoMark,
            };
            assert_eq!(bom::probe(&src), probe, "{src:02x?}");
        }
    }
}

#[test]
fn marks_are_u_feff_in_each_encoding() {
    for (mark, scheme) in MARKS {
        assert_eq!(scheme.byte_order_mark(), mark);
        let mut out = Vec::new();
        let text = MARK.to_string();
        Scheme::Utf8
            .transcode_append(text.as_bytes(), scheme, &mut out)
            .expect("these encodings have U+FEFF");
        assert_eq!(out, mark);
    }
    assert_eq!(Scheme::Latin1.byte_order_mark(), b"");
    assert_eq!(Scheme::Ascii.byte_order_mark(), b"");
}

/// Checks that a mark is written before a text, that conversions keep the mark, and that only one
/// mark is stripped.
fn check_writing_and_stripping<E: Encoding>()
where
    E::Owned: AsRef<[E::Unit]>,
{
    let text = transcode::<Utf8, E>(b"Hi").expect("ASCII");
    let (mut once, mut twice) = (E::Owned::default(), E::Owned::default());
    bom::append::<E>(&mut once);
    bom::append::<E>(&mut twice);
    bom::append::<E>(&mut twice);
    for out in [&mut once, &mut twice] {
        utflane::from_str_append::<E>("Hi", out).expect("ASCII");
    }
    let (once, twice) = (once.as_ref(), twice.as_ref());
    // If the encoding cannot encode U+FEFF, no mark is written.
    let marked = transcode::<Utf8, E>("\u{FEFF}Hi".as_bytes());
    assert_eq!(once, marked.as_ref().unwrap_or(&text).as_ref());
    assert_eq!(bom::strip::<E>(once), text.as_ref());
    assert_eq!(bom::strip::<E>(twice), once);
    assert_eq!(bom::strip::<E>(text.as_ref()), text.as_ref());
    assert!(bom::strip::<E>(&[]).is_empty());
}

#[test]
fn encodings_write_and_strip_their_marks() {
    check_writing_and_stripping::<Utf8>();
    check_writing_and_stripping::<Utf16>();
    check_writing_and_stripping::<Utf32>();
    check_writing_and_stripping::<Utf16Le>();
    check_writing_and_stripping::<Utf16Be>();
    check_writing_and_stripping::<Utf32Le>();
    check_writing_and_stripping::<Utf32Be>();
    check_writing_and_stripping::<Latin1>();
    check_writing_and_stripping::<Ascii>();
    assert_eq!(from_str::<Utf16>("\u{FEFF}Hi")[0], 0xFEFF);
}
