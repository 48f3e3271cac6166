//! CESU-8 and Modified UTF-8 to UTF-16, by [position-parallel
//! decoding](crate::generic::from_utf8::decode).
//!
//! The relatives have no four-byte characters: each character of three bytes is a code unit,
//! possibly a surrogate.
//!
//! Whether the surrogates are paired shows in the units as well as in the bytes, so it is not
//! tested here. The caller learns that there are surrogates, and validates the units that have been
//! written.

use core::cell::Cell;
use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::decode;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::{MIDDLE, NARROW, WIDE};
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::generic::from_utf8::decode::target::Target;
use crate::generic::from_utf8::to_utf16::Utf16;
use crate::scalar;
use crate::scalar::utf8;
use crate::tables::ByteOrder;
use crate::types::progress::Reach;

/// The encodings to convert from and to.
#[derive(Clone, Copy)]
pub(crate) struct Relative<'a> {
    pub(crate) order: &'static ByteOrder,
    /// Whether NUL is `C0 80`.
    pub(crate) nul: bool,
    /// Set if there are surrogates.
    pub(crate) surrogates: &'a Cell<bool>,
}

/// Converts `src`, of more than [`SHORT`](decode::sizes::SHORT) bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    relative: Relative<'_>,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::convert_after::<V, _, true>(relative, token, src, dst, 0)
}

impl Relative<'_> {
    /// The encoding of the input.
    fn scheme(self) -> Scheme {
        if self.nul { Scheme::Mutf8 } else { Scheme::Cesu8 }
    }
}

impl<V: Vector> Target<V> for Relative<'_> {
    const SIZE: usize = 2;
    const RELATIVE: bool = true;

    #[inline(always)]
    fn ends<S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
    ) -> Option<u64> {
        if LONGEST == NARROW {
            return decoder.ends_narrow::<S, true>(input);
        }
        // For windows, `class` has tested these two already.
        if S::VECTORS == 1
            && (self.lacks(decoder.token, decoder.load(input, 0, 0))
                || decoder.has_four_byte(input))
        {
            return None;
        }
        if LONGEST == WIDE && S::VECTORS > 1 {
            return None;
        }
        let nul = decoder.splat(if self.nul { 0xFF } else { 0 });
        if decoder.check_relative::<S>(input, nul)? {
            self.surrogates.set(true);
        }
        Some(input.ends(decoder.token))
    }

    #[inline(always)]
    fn emit<S: StepInput<V>, const LONGEST: usize>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        let utf16 = Utf16(self.order);
        if LONGEST == NARROW {
            utf16.emit::<S, NARROW>(decoder, input, keep, room)
        } else {
            utf16.emit::<S, MIDDLE>(decoder, input, keep, room)
        }
    }

    #[inline(always)]
    fn lacks_any(self) -> bool {
        self.nul
    }

    #[inline(always)]
    fn lacks(self, token: V::Token, least: V) -> bool {
        // The smallest byte is 0.
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
        // Also go back to the high surrogate of a pair.
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
