//! CESU-8 and Modified UTF-8 to UTF-16, by [position-parallel decoding](super::decode): that of UTF-8 without characters of
//! four bytes. What has three bytes is a code unit, also a surrogate.
//!
//! Whether surrogates are in pairs shows in the units as well as in the bytes. So it isn't looked at here; whoever calls is told
//! that there are any, and validates what has been written.

use core::cell::Cell;
use core::mem::MaybeUninit;

use super::decode::{self, Decoder, MIDDLE, NARROW, Span, Target, WIDE};
use super::utf8_to_utf16::Utf16;
use crate::arch::Vector;
use crate::progress::Reach;
use crate::scalar::{self, utf8};
use crate::tables::ByteOrder;
use crate::{Scheme, Utf8};

/// What is converted from and to.
#[derive(Clone, Copy)]
pub(crate) struct Relative<'a> {
    pub(crate) order: &'static ByteOrder,
    /// Whether NUL is `C0 80`.
    pub(crate) nul: bool,
    /// Set if there are surrogates.
    pub(crate) surrogates: &'a Cell<bool>,
}

/// Converts `src`, of more than [`SHORT`](decode::SHORT) bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    relative: Relative<'_>,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::<V, _, true>(relative, token, src, dst)
}

impl Relative<'_> {
    fn scheme(self) -> Scheme {
        if self.nul { Scheme::Mutf8 } else { Scheme::Cesu8 }
    }
}

impl<V: Vector> Target<V> for Relative<'_> {
    const SIZE: usize = 2;
    const RELATIVE: bool = true;

    #[inline(always)]
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64> {
        if LONGEST == NARROW {
            return decoder.ends_narrow::<S, true>(span);
        }
        // In front of windows the class has said these two.
        if S::VECTORS == 1
            && (self.lacks(decoder.token, decoder.load(span, 0, 0)) || decoder.has_fours(span))
        {
            return None;
        }
        if LONGEST == WIDE && S::VECTORS > 1 {
            return None;
        }
        let nul = decoder.splat(if self.nul { 0xFF } else { 0 });
        if decoder.check_relative::<S>(span, nul)? {
            self.surrogates.set(true);
        }
        Some(span.ends(decoder.token))
    }

    #[inline(always)]
    fn emit<S: Span<V>, const LONGEST: usize>(
        self,
        decoder: &Decoder<V>,
        span: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        let utf16 = Utf16(self.order);
        if LONGEST == NARROW {
            utf16.emit::<S, NARROW>(decoder, span, keep, room)
        } else {
            utf16.emit::<S, MIDDLE>(decoder, span, keep, room)
        }
    }

    #[inline(always)]
    fn lacks_any(self) -> bool {
        self.nul
    }

    #[inline(always)]
    fn lacks(self, token: V::Token, least: V) -> bool {
        // Nothing is smaller than 0.
        V::splat(token, self.nul.into()).saturating_sub(least).any()
    }

    #[inline(always)]
    fn widen(self, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        Utf16(self.order).widen(bytes, room, at);
    }

    #[inline(always)]
    fn is_swapped(self) -> bool {
        Target::<V>::is_swapped(Utf16(self.order))
    }

    #[inline(always)]
    fn widen_run(self, swapped: bool, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        Utf16(self.order).widen_run(swapped, bytes, room, at);
    }

    #[inline(always)]
    fn put(self, units: V::Units, room: &mut [MaybeUninit<u8>], at: usize) {
        Target::<V>::put(Utf16(self.order), units, room, at);
    }

    #[inline(always)]
    fn encode(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        Target::<V>::encode(Utf16(self.order), c, dst)
    }

    fn by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        let to = if self.order.big { Scheme::Utf16Be } else { Scheme::Utf16Le };
        scalar::convert(self.scheme(), to, src, dst)
    }

    fn unfinished(src: &[u8], read: usize) -> (usize, usize) {
        if read == 0 {
            return (0, 0);
        }
        let start = utf8::character_start(src, read - 1);
        let ended = !src.get(read).is_some_and(|&byte| utf8::is_continuation(byte));
        // Back to the first half of a pair, too.
        if let ([front @ .., 0xED, 0xA0..=0xAF, _], [0xED, ..]) = (&src[..start], &src[start..]) {
            return (front.len(), 1 + usize::from(ended));
        }
        match <Utf8 as scalar::Decode>::decode(&src[start..read]) {
            Ok(_) if ended => (read, 0),
            _ => (start, usize::from(ended)),
        }
    }

    fn units_of_fragment(_: &[u8], ended: bool) -> usize {
        usize::from(ended)
    }
}
