//! What is right for double encoding: byte by byte, by the index of the Encoding Standard and the standard library's UTF-8; and
//! what is promised of any text.

use std::borrow::Cow;

use utflane::mojibake::{Misread, apply, detect, revert, undo, undo_all, undo_runs};

pub const BOTH: [Misread; 2] = [Misread::Latin1, Misread::Windows1252];

/// Bytes `80..=9F` of windows-1252, as the index of the Encoding Standard has them.
pub const INDEX: [u32; 32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,
    0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
];

/// What a byte is taken for.
fn taken_for(byte: u8, misread: Misread) -> char {
    match (misread, byte) {
        (Misread::Windows1252, 0x80..=0x9F) => {
            char::from_u32(INDEX[usize::from(byte) - 0x80]).expect("a character")
        }
        _ => char::from(byte),
    }
}

/// The damage, byte by byte.
pub fn damaged(text: &str, misread: Misread) -> String {
    text.bytes().map(|byte| taken_for(byte, misread)).collect()
}

/// The byte that is taken for `c`.
fn byte_of(c: char, misread: Misread) -> Option<u8> {
    let special = INDEX.iter().position(|&point| point == u32::from(c));
    match (misread, special) {
        (Misread::Windows1252, Some(i)) => Some(0x80 + i as u8),
        (Misread::Windows1252, None) if ('\u{80}'..='\u{9F}').contains(&c) => None,
        _ => u8::try_from(c).ok(),
    }
}

/// The text that was damaged to this, if there is one.
fn reverted(text: &str, misread: Misread) -> Option<String> {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| byte_of(c, misread)).collect();
    String::from_utf8(bytes?).ok()
}

/// Everything that is promised of a text, whatever it is: damage and its exact inverse by the oracle; what is undone has been
/// made of the result, and is undone by every question alike.
pub fn check_mojibake(text: &str) {
    for misread in BOTH {
        let twice = damaged(text, misread);
        assert_eq!(apply(text, misread), twice, "{misread:?} of {text:?}");
        assert_eq!(revert(&twice, misread).as_deref(), Some(text), "{misread:?} of {text:?}");
        assert_eq!(revert(text, misread), reverted(text, misread), "{misread:?} of {text:?}");
        check_undone(&twice);
    }
    check_undone(text);
}

/// That what is undone is undone rightly.
fn check_undone(text: &str) {
    let found = detect(text);
    let once = undo(text);
    match found {
        Some(misread) => assert_eq!(Some(&*once), reverted(text, misread).as_deref(), "{text:?}"),
        None => assert!(matches!(once, Cow::Borrowed(same) if same == text), "{text:?}"),
    }
    // Where both would do, it is called Latin-1.
    if found == Some(Misread::Windows1252) {
        assert_eq!(reverted(text, Misread::Latin1), None, "{text:?}");
    }
    let all = undo_all(text);
    assert_eq!(undo(&all.text), all.text, "nothing is left to undo in {text:?}");
    let (mut step, mut rounds) = (text.to_owned(), 0);
    while detect(&step).is_some() {
        step = undo(&step).into_owned();
        rounds += 1;
    }
    assert_eq!((&*all.text, all.rounds), (&*step, rounds), "{text:?}");
    // Runs are changed by themselves, so doing it again finds at most what was damaged more than once.
    let mut runs = Cow::Borrowed(text);
    while let Cow::Owned(shorter) = undo_runs(&runs) {
        assert!(shorter.chars().count() < runs.chars().count(), "{text:?}");
        runs = Cow::Owned(shorter);
    }
    assert_eq!(undo_runs(text) == text, runs == text, "{text:?}");
}
