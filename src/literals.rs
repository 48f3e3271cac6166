//! Literals in other encodings, computed by the compiler: `utf16!`, `utf16z!`, `latin1!` and
//! `code_page!`.
//!
//! A macro measures its text, and then converts it into an array of that length, both in constants.
//! The loops are simple: the compiler runs them once.

#[cfg(feature = "code-pages")]
use crate::code_page::CodePage;

/// Returns the character at byte `at` of a text, and the offset of the next character.
const fn decode(text: &str, at: usize) -> (u32, usize) {
    let bytes = text.as_bytes();
    let lead = bytes[at];
    let len = match lead {
        0..=0x7F => return (lead as u32, at + 1),
        0x80..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let mut c = lead as u32 & (0x7F >> len);
    let mut next = at + 1;
    while next < at + len {
        c = c << 6 | bytes[next] as u32 & 0x3F;
        next += 1;
    }
    (c, next)
}

/// Returns the number of UTF-16 code units of a text. For [`utf16!`](crate::utf16).
#[doc(hidden)]
#[must_use]
pub const fn utf16_len(text: &str) -> usize {
    let (mut at, mut len) = (0, 0);
    while at < text.len() {
        let (c, next) = decode(text, at);
        len += 1 + (c > 0xFFFF) as usize;
        at = next;
    }
    len
}

/// Returns a text in UTF-16, with zeros after it. For [`utf16!`](crate::utf16).
#[doc(hidden)]
#[must_use]
pub const fn utf16_units<const N: usize>(text: &str) -> [u16; N] {
    let mut units = [0; N];
    let (mut at, mut len) = (0, 0);
    while at < text.len() {
        let (c, next) = decode(text, at);
        if c > 0xFFFF {
            units[len] = 0xD7C0 + (c >> 10) as u16;
            units[len + 1] = 0xDC00 | (c & 0x3FF) as u16;
            len += 2;
        } else {
            units[len] = c as u16;
            len += 1;
        }
        at = next;
    }
    units
}

/// Returns a text in Latin-1, with zeros after it. For [`latin1!`](crate::latin1).
///
/// # Panics
///
/// If Latin-1 lacks a character. In a constant, this is an error of the compiler.
#[doc(hidden)]
#[must_use]
pub const fn latin1_bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut latin1 = [0; N];
    let (mut at, mut len) = (0, 0);
    while at < text.len() {
        let (c, next) = decode(text, at);
        if c > 0xFF {
            refuse(c);
        }
        latin1[len] = c as u8;
        len += 1;
        at = next;
    }
    latin1
}

/// Returns a text in a code page, with zeros after it. For [`code_page!`](crate::code_page!).
///
/// # Panics
///
/// If the page lacks a character. In a constant, this is an error of the compiler.
#[cfg(feature = "code-pages")]
#[doc(hidden)]
#[must_use]
pub const fn page_bytes<const N: usize>(page: &CodePage, text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let (mut at, mut len) = (0, 0);
    while at < text.len() {
        let (c, next) = decode(text, at);
        match page.page().encode(c) {
            Some(byte) => bytes[len] = byte,
            None => refuse(c),
        }
        len += 1;
        at = next;
    }
    bytes
}

/// Panics with a message that names a character that the encoding lacks.
const fn refuse(c: u32) -> ! {
    let mut message = *b"the encoding lacks U+000000";
    let (mut at, mut digits) = (message.len(), c);
    while digits > 0 {
        at -= 1;
        message[at] = b"0123456789ABCDEF"[digits as usize % 16];
        digits /= 16;
    }
    match core::str::from_utf8(&message) {
        Ok(message) => panic!("{}", message),
        Err(_) => unreachable!(),
    }
}

/// Returns the number of characters of a text. For [`latin1!`](crate::latin1) and `code_page!`.
#[doc(hidden)]
#[must_use]
pub const fn char_count(text: &str) -> usize {
    let (mut at, mut len) = (0, 0);
    while at < text.len() {
        (_, at) = decode(text, at);
        len += 1;
    }
    len
}

/// Returns a text without a NUL inside, for [`utf16z!`](crate::utf16z).
///
/// # Panics
///
/// If the text has a NUL. In a constant, this is an error of the compiler.
#[doc(hidden)]
#[must_use]
pub const fn without_nul(text: &str) -> &str {
    let mut at = 0;
    while at < text.len() {
        assert!(text.as_bytes()[at] != 0, "a text that ends by NUL has no NUL inside");
        at += 1;
    }
    text
}

/// A text in UTF-16 as a `[u16; N]`, in the byte order of the machine. The argument is a constant
/// `&str`, such as a literal or `concat!(...)`.
///
/// ```
/// const GREETING: [u16; 4] = utflane::utf16!("Hé😀");
/// assert_eq!(GREETING, [0x48, 0xE9, 0xD83D, 0xDE00]);
/// static NAMES: [&[u16]; 2] = [&utflane::utf16!("one"), &utflane::utf16!("two")];
/// assert_eq!(NAMES[1].len(), 3);
/// ```
#[macro_export]
macro_rules! utf16 {
    ($text:expr) => {
        const { $crate::literals::utf16_units::<{ $crate::literals::utf16_len($text) }>($text) }
    };
}

/// A text in UTF-16 with a NUL after it, as Windows' functions want it: a `[u16; N]`.
///
/// ```
/// let title = utflane::utf16z!("Hi");
/// assert_eq!(title, [0x48, 0x69, 0]);
/// ```
///
/// A NUL inside is an error of the compiler:
///
/// ```compile_fail
/// let _ = utflane::utf16z!("a\0b");
/// ```
#[macro_export]
macro_rules! utf16z {
    ($text:expr) => {
        const {
            let text = $crate::literals::without_nul($text);
            $crate::literals::utf16_units::<{ $crate::literals::utf16_len($text) + 1 }>(text)
        }
    };
}

/// A text in Latin-1 as a `[u8; N]`.
///
/// ```
/// assert_eq!(utflane::latin1!("café"), *b"caf\xE9");
/// ```
///
/// A character that Latin-1 lacks is an error of the compiler:
///
/// ```compile_fail
/// let _ = utflane::latin1!("5 €");
/// ```
#[macro_export]
macro_rules! latin1 {
    ($text:expr) => {
        const { $crate::literals::latin1_bytes::<{ $crate::literals::char_count($text) }>($text) }
    };
}

/// A text in a [`CodePage`](crate::code_page::CodePage) as a `[u8; N]`.
///
/// ```
/// use utflane::code_page::CP1047;
///
/// const HELLO: [u8; 6] = utflane::code_page!(CP1047, "Hello!");
/// assert_eq!(HELLO, *b"\xC8\x85\x93\x93\x96\x5A");
/// ```
///
/// A character that the page lacks is an error of the compiler:
///
/// ```compile_fail
/// let _ = utflane::code_page!(utflane::code_page::CP1047, "5 €");
/// ```
#[cfg(feature = "code-pages")]
#[macro_export]
macro_rules! code_page {
    ($page:expr, $text:expr) => {
        const {
            const LEN: usize = $crate::literals::char_count($text);
            $crate::literals::page_bytes::<LEN>(&$page, $text)
        }
    };
}
