//! Ill-formed text repaired in its own encoding: the functions of the [pair table](super).

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{
    Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8,
};
use crate::encoding::view;
use crate::generic::repair::placeholders;
use crate::generic::repair::placeholders::{FILL, FILL_ROOM, Filled, Isolated};
use crate::generic::repair::utf8 as repair_utf8;
use crate::generic::repair::utf8::Piece;
use crate::scalar::repair::{End, RepairReach, RepairSpec, repair, repair_by};
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Little, UnitOrder};
use crate::{generic, scalar};

/// The functions that repair a scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairFns {
    /// Repairs with vectors if there are any; may stop before its output is full.
    pub(crate) fast: RepairWith,
    /// Repairs exactly as much as possible.
    pub(crate) exact: RepairExactly,
    /// Copies with placeholders of the same length, for conversions to UTF-16 and UTF-32. Does
    /// nothing without vectors.
    pub(crate) fill: Option<[Fill; 2]>,
    /// Converts ASCII with isolated bytes to UTF-16LE, UTF-16BE, UTF-32LE and UTF-32BE. Does
    /// nothing without vectors.
    pub(crate) isolated: Option<[ToUnits; 4]>,
    /// The scheme of the repaired text. Well-formed text has the same bytes in it.
    pub(crate) scheme: Scheme,
}

/// Repairs on a kernel. The last argument tells that the text may continue.
type RepairWith = fn(&[u8], &mut [MaybeUninit<u8>], &RepairSpec, bool, Kernel) -> RepairReach;
/// Repairs by the reference.
type RepairExactly = fn(&[u8], &mut [MaybeUninit<u8>], &RepairSpec, bool) -> RepairReach;

/// Copies with placeholders.
pub(crate) type Fill =
    fn(&[u8], &mut [MaybeUninit<u8>; FILL_ROOM], &mut Places, bool, Kernel) -> Filled;

/// The places of the placeholders: as many as a [`Fill`] returns.
pub(crate) type Places = [MaybeUninit<u16>; FILL];

/// Converts, with a unit for each ill-formed byte.
pub(crate) type ToUnits = fn(&[u8], &mut [MaybeUninit<u8>], [u8; 4], Kernel) -> Isolated;

/// The functions for a pair.
pub(crate) const fn repair_fns(from: Scheme, to: Scheme) -> RepairFns {
    match (from, to.has_surrogates()) {
        (Scheme::Wtf8, true) => return plain(wtf8, repair::<Wtf8, Wtf8>, from),
        (Scheme::Wtf8, false) => return plain(wtf8_without, exact_wtf8_without, Scheme::Utf8),
        (Scheme::Wtf16Le, true) => return plain(wtf16le, exact_wtf16le, from),
        (Scheme::Wtf16Be, true) => return plain(wtf16be, exact_wtf16be, from),
        _ => {}
    }
    let from = from.without_surrogates();
    match from {
        Scheme::Utf8 => RepairFns {
            fast: utf8,
            exact: repair::<Utf8, Utf8>,
            fill: Some([fill_utf16, fill_utf32]),
            isolated: Some([
                isolated_in_utf16le,
                isolated_in_utf16be,
                isolated_in_utf32le,
                isolated_in_utf32be,
            ]),
            scheme: from,
        },
        Scheme::Utf16Le => plain(utf16le, repair::<Utf16Le, Utf16Le>, from),
        Scheme::Utf16Be => plain(utf16be, repair::<Utf16Be, Utf16Be>, from),
        Scheme::Utf32Le => plain(utf32le, repair::<Utf32Le, Utf32Le>, from),
        Scheme::Utf32Be => plain(utf32be, repair::<Utf32Be, Utf32Be>, from),
        Scheme::Latin1 => plain(latin1, repair::<Latin1, Latin1>, from),
        // The replacement of a byte is rarely ASCII.
        Scheme::Ascii => plain(ascii, repair::<Ascii, Utf8>, Scheme::Utf8),
        Scheme::Cesu8 => plain(cesu8, repair::<Cesu8, Cesu8>, from),
        Scheme::Mutf8 => plain(mutf8, repair::<Mutf8, Mutf8>, from),
        Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be => unreachable!(),
    }
}

/// Functions without the two shortcuts to wider units.
const fn plain(fast: RepairWith, exact: RepairExactly, scheme: Scheme) -> RepairFns {
    RepairFns { fast, exact, fill: None, isolated: None, scheme }
}

/// Repairs UTF-8, with vectors where all sequences have the same replacement.
#[inline(never)]
fn utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    spec: &RepairSpec,
    may_continue: bool,
    kernel: Kernel,
) -> RepairReach {
    let Some(replacement) = spec.uniform() else {
        return repair::<Utf8, Utf8>(src, dst, spec, may_continue);
    };
    let mut bytes = [0; 4];
    let len = replacement.map_or(0, |c| c.encode_utf8(&mut bytes).len());
    let piece = Piece { bytes, len };
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => repair::<Utf8, Utf8>(src, dst, spec, may_continue),
        |V, token, src, dst| repair_utf8::repair::<V>(token, src, dst, piece, may_continue))
}

/// Copies UTF-8 with placeholders, for UTF-16 or UTF-32.
macro_rules! placeholders_put {
    ($(fn $name:ident: $PAIRS:literal;)*) => {$(
        #[inline(never)]
        fn $name(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>; FILL_ROOM],
            places: &mut Places,
            may_continue: bool,
            kernel: Kernel,
        ) -> Filled {
            dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
                scalar => Filled { read: 0, places: 0 },
                |V, token, src, dst|
                    placeholders::fill::<V, $PAIRS>(token, src, dst, places, may_continue))
        }
    )*};
}

placeholders_put! {
    fn fill_utf16: true;
    fn fill_utf32: false;
}

/// Converts ASCII with isolated bytes to wider units.
macro_rules! isolated_bytes {
    ($(fn $name:ident: $O:ident, $SIZE:literal;)*) => {$(
        #[inline(never)]
        fn $name(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            unit: [u8; 4],
            kernel: Kernel,
        ) -> Isolated {
            let mut bytes = [0; $SIZE];
            bytes.copy_from_slice(&unit[..$SIZE]);
            dispatch!(kernel,
                scalar => Isolated { read: 0, repairs: 0 },
                |V, token, src, dst| placeholders::isolated::<V, $O, $SIZE>(token, src, dst, bytes))
        }
    )*};
}

isolated_bytes! {
    fn isolated_in_utf16le: Little, 2;
    fn isolated_in_utf16be: Big, 2;
    fn isolated_in_utf32le: Little, 4;
    fn isolated_in_utf32be: Big, 4;
}

/// Copies UTF-16, and replaces unpaired surrogates by U+FFFD in the copy.
#[inline(never)]
fn utf16_copied(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    order: &'static UnitOrder,
    kernel: Kernel,
) -> RepairReach {
    let scheme = if order.big { Scheme::Utf16Be } else { Scheme::Utf16Le };
    // Whole units, without a high surrogate at the end that may be continued.
    let len = scalar::boundary(scheme, &src[..src.len().min(dst.len())]);
    dst[..len].copy_from_slice(view::as_uninit(&src[..len]));
    // SAFETY: all of it has just been copied there.
    let text = unsafe { view::init_mut(&mut dst[..len]) };
    let repairs = make_well_formed(text, order, kernel);
    let end = if len == src.len() { End::Input } else { End::Output };
    RepairReach { read: len, written: len, repairs, end }
}

/// Both byte orders of UTF-16, and the schemes without vector code.
macro_rules! repaired {
    ($(fn $name:ident: $A:ident, $M:ident $(, $order:expr)?;)*) => {$(
        fn $name(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            spec: &RepairSpec,
            may_continue: bool,
            kernel: Kernel,
        ) -> RepairReach {
            let _ = kernel;
            $(if spec.uniform() == Some(Some(char::REPLACEMENT_CHARACTER)) {
                let repaired = utf16_copied(src, dst, $order, kernel);
                if repaired.read > 0 {
                    return repaired;
                }
            })?
            repair::<$A, $M>(src, dst, spec, may_continue)
        }
    )*};
}

repaired! {
    fn utf16le: Utf16Le, Utf16Le, &LITTLE_UNITS;
    fn utf16be: Utf16Be, Utf16Be, &BIG_UNITS;
    fn utf32le: Utf32Le, Utf32Le;
    fn utf32be: Utf32Be, Utf32Be;
    fn latin1: Latin1, Latin1;
    fn ascii: Ascii, Utf8;
    fn cesu8: Cesu8, Cesu8;
    fn mutf8: Mutf8, Mutf8;
    fn wtf8: Wtf8, Wtf8;
}

/// Schemes that are decoded differently for some targets.
macro_rules! repaired_for {
    ($(fn $name:ident, fn $exact:ident: $from:ident for $to:ident, $M:ident;)*) => {$(
        fn $name(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            spec: &RepairSpec,
            may_continue: bool,
            _: Kernel,
        ) -> RepairReach {
            $exact(src, dst, spec, may_continue)
        }

        fn $exact(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            spec: &RepairSpec,
            may_continue: bool,
        ) -> RepairReach {
            let decode = |rest: &[u8]| scalar::decode_for(Scheme::$to, Scheme::$from, rest);
            repair_by::<$M>(decode, Scheme::$from, src, dst, spec, may_continue)
        }
    )*};
}

repaired_for! {
    fn wtf8_without, fn exact_wtf8_without: Wtf8 for Utf8, Utf8;
    fn wtf16le, fn exact_wtf16le: Wtf16Le for Wtf16Le, Utf16Le;
    fn wtf16be, fn exact_wtf16be: Wtf16Be for Wtf16Be, Utf16Be;
}

/// Returns the function that replaces each unpaired surrogate by U+FFFD, in UTF-16 of whole units,
/// and returns their number.
pub(crate) const fn make_well_formed_fn(scheme: Scheme) -> fn(&mut [u8], Kernel) -> usize {
    match scheme {
        Scheme::Utf16Le => make_utf16le_well_formed,
        Scheme::Utf16Be => make_utf16be_well_formed,
        _ => unreachable!(),
    }
}

/// Repairs UTF-16LE in place.
#[inline(never)]
fn make_utf16le_well_formed(text: &mut [u8], kernel: Kernel) -> usize {
    make_well_formed(text, &LITTLE_UNITS, kernel)
}

/// Repairs UTF-16BE in place.
#[inline(never)]
fn make_utf16be_well_formed(text: &mut [u8], kernel: Kernel) -> usize {
    make_well_formed(text, &BIG_UNITS, kernel)
}

/// Repairs UTF-16 in place, in an order that is a value, so that both share one function.
#[inline(never)]
fn make_well_formed(text: &mut [u8], order: &'static UnitOrder, kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(text.len()), wide if text.len() >= 2 * WIDE_BYTES,
        scalar => if order.big { Utf16Be::repair(text) } else { Utf16Le::repair(text) },
        |V, token, text, order| generic::repair::utf16::in_place::<V>(order, token, text))
}
