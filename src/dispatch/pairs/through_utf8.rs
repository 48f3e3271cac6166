//! The conversions through UTF-8: from and into CESU-8 and Modified UTF-8, where the other encoding
//! isn't UTF-8.

use core::mem::MaybeUninit;

use crate::dispatch::function::Transcode;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::cesu8_mutf8::{
    cesu8_to_utf8, mutf8_to_utf8, utf8_to_cesu8, utf8_to_mutf8,
};
use crate::dispatch::pairs::from_latin1::{ascii_to_utf8, latin1_to_utf8, utf8_to_ascii};
use crate::dispatch::pairs::from_utf8::{
    utf8_to_latin1, utf8_to_utf16be, utf8_to_utf16le, utf8_to_utf32le,
};
use crate::dispatch::pairs::from_utf16::{utf16be_to_utf8, utf16le_to_utf8};
use crate::dispatch::pairs::from_utf32::utf32le_to_utf8;
use crate::dispatch::pairs::utf32be::{utf8_to_utf32be, utf32be_to_utf8};
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::scalar;
use crate::types::progress::Reach;

/// Bytes of the source that are converted at a time, in the cache. Less than a KiB, because a
/// segment that is not converted to its end is left to the reference.
const SEGMENT_BYTES: usize = 960;

/// Declares conversions, each with its two parts.
macro_rules! through_utf8 {
    ($(fn $name:ident: $A:ident $into:ident, $out_of:ident $B:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            convert(src, dst, (Scheme::$A, Scheme::$B), [$into, $out_of], kernel)
        }
    )*};
}

through_utf8! {
    fn cesu8_to_utf16le: Cesu8 cesu8_to_utf8, utf8_to_utf16le Utf16Le;
    fn cesu8_to_utf16be: Cesu8 cesu8_to_utf8, utf8_to_utf16be Utf16Be;
    fn cesu8_to_utf32le: Cesu8 cesu8_to_utf8, utf8_to_utf32le Utf32Le;
    fn cesu8_to_utf32be: Cesu8 cesu8_to_utf8, utf8_to_utf32be Utf32Be;
    fn cesu8_to_latin1: Cesu8 cesu8_to_utf8, utf8_to_latin1 Latin1;
    fn cesu8_to_ascii: Cesu8 cesu8_to_utf8, utf8_to_ascii Ascii;
    fn cesu8_to_cesu8: Cesu8 cesu8_to_utf8, utf8_to_cesu8 Cesu8;
    fn cesu8_to_mutf8: Cesu8 cesu8_to_utf8, utf8_to_mutf8 Mutf8;
    fn mutf8_to_utf16le: Mutf8 mutf8_to_utf8, utf8_to_utf16le Utf16Le;
    fn mutf8_to_utf16be: Mutf8 mutf8_to_utf8, utf8_to_utf16be Utf16Be;
    fn mutf8_to_utf32le: Mutf8 mutf8_to_utf8, utf8_to_utf32le Utf32Le;
    fn mutf8_to_utf32be: Mutf8 mutf8_to_utf8, utf8_to_utf32be Utf32Be;
    fn mutf8_to_latin1: Mutf8 mutf8_to_utf8, utf8_to_latin1 Latin1;
    fn mutf8_to_ascii: Mutf8 mutf8_to_utf8, utf8_to_ascii Ascii;
    fn mutf8_to_cesu8: Mutf8 mutf8_to_utf8, utf8_to_cesu8 Cesu8;
    fn mutf8_to_mutf8: Mutf8 mutf8_to_utf8, utf8_to_mutf8 Mutf8;
    fn utf16le_to_cesu8: Utf16Le utf16le_to_utf8, utf8_to_cesu8 Cesu8;
    fn utf16le_to_mutf8: Utf16Le utf16le_to_utf8, utf8_to_mutf8 Mutf8;
    fn utf16be_to_cesu8: Utf16Be utf16be_to_utf8, utf8_to_cesu8 Cesu8;
    fn utf16be_to_mutf8: Utf16Be utf16be_to_utf8, utf8_to_mutf8 Mutf8;
    fn utf32le_to_cesu8: Utf32Le utf32le_to_utf8, utf8_to_cesu8 Cesu8;
    fn utf32le_to_mutf8: Utf32Le utf32le_to_utf8, utf8_to_mutf8 Mutf8;
    fn utf32be_to_cesu8: Utf32Be utf32be_to_utf8, utf8_to_cesu8 Cesu8;
    fn utf32be_to_mutf8: Utf32Be utf32be_to_utf8, utf8_to_mutf8 Mutf8;
    fn latin1_to_cesu8: Latin1 latin1_to_utf8, utf8_to_cesu8 Cesu8;
    fn latin1_to_mutf8: Latin1 latin1_to_utf8, utf8_to_mutf8 Mutf8;
    fn ascii_to_cesu8: Ascii ascii_to_utf8, utf8_to_cesu8 Cesu8;
    fn ascii_to_mutf8: Ascii ascii_to_utf8, utf8_to_mutf8 Mutf8;
}

/// Converts into UTF-8, in a buffer, and out of it.
fn convert(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to): (Scheme, Scheme),
    [into_utf8, out_of_utf8]: [Transcode; 2],
    kernel: Kernel,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    // UTF-8 has at most two bytes for each one.
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_BYTES];
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
        // Not much more than there is room for: four bytes become at least one.
        let most = SEGMENT_BYTES.min(room.len().saturating_mul(4).saturating_add(64));
        let segment = match rest.get(..most) {
            Some(segment) => &segment[..scalar::boundary(from, segment)],
            None => rest,
        };
        let first = into_utf8(segment, &mut buffer, kernel);
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = out_of_utf8(text, room, kernel);
        if first.read < segment.len() || second.read < text.len() {
            // It contains the end of the whole conversion.
            return scalar::convert(from, to, segment, room).after(reach.read, reach.written);
        }
        reach = Reach { read: first.read, ..second }.after(reach.read, reach.written);
        if reach.read == src.len() {
            return reach;
        }
    }
}
