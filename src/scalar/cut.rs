//! The end of a chunk: the character that it cuts.

use crate::encoding::scheme::Scheme;
use crate::scalar::convert::decode;
use crate::scalar::utf8::{begins, is_continuation};
use crate::scalar::wtf8::half_pair;

/// Returns the number of bytes at the end of `src` that begin a character, or a pair of surrogates,
/// and don't complete it. They may be ill-formed in another way.
#[inline]
pub(crate) fn cut_off(scheme: Scheme, src: &[u8]) -> usize {
    match scheme {
        Scheme::Latin1 | Scheme::Ascii => 0,
        Scheme::Utf8 => of_utf8(src),
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            of_utf8(src).max(half_pair(Scheme::Wtf8, src))
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => (src.len() % 2).max(half_pair(Scheme::Wtf16Le, src)),
        Scheme::Utf16Be | Scheme::Wtf16Be => (src.len() % 2).max(half_pair(Scheme::Wtf16Be, src)),
        Scheme::Utf32Le | Scheme::Utf32Be => src.len() % 4,
    }
}

/// [`cut_off`] of UTF-8: a lead byte among the last three bytes that asks for more than follow.
#[inline]
fn of_utf8(src: &[u8]) -> usize {
    match *src {
        [.., 0..=0x7F] => 0,
        [.., 0xC2..=0xFF] => 1,
        [.., 0xE0..=0xFF, last] if is_continuation(last) => 2,
        [.., 0xF0..=0xFF, b1, last] if is_continuation(b1) && is_continuation(last) => 3,
        _ => 0,
    }
}

/// Whether all of `tail`, which a chunk has [cut off](cut_off), may continue as one character.
#[inline]
pub(crate) fn may_continue(scheme: Scheme, tail: &[u8]) -> bool {
    if scheme == Scheme::Utf8 {
        return begins(tail);
    }
    scheme.has_surrogates() && half_pair(scheme, tail) == tail.len()
        || decode(scheme, tail).is_err_and(|flaw| flaw.len == 0)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    /// A chunk that ends anywhere in a text leaves out the bytes after the last character that the
    /// standard library finds.
    #[test]
    fn as_the_standard_library() {
        let text = "aé漢😀\u{7FF}\u{FFFF}\u{10FFFF}b".repeat(3);
        for end in 0..=text.len() {
            let chunk = &text.as_bytes()[..end];
            let valid = match std::str::from_utf8(chunk) {
                Ok(_) => end,
                Err(error) => error.valid_up_to(),
            };
            let cut = cut_off(Scheme::Utf8, chunk);
            assert_eq!(end - cut, valid, "{end}");
            assert!(cut == 0 || may_continue(Scheme::Utf8, &chunk[valid..]), "{end}");
        }
    }
}
