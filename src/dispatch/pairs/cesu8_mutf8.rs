//! CESU-8 and Modified UTF-8: the functions of the [pair table](super).
//!
//! Vector code converts between these and UTF-16: they are UTF-16's code units in other bytes. It
//! also validates them, and converts between them and UTF-8: as UTF-8 up to the first difference,
//! and after that by editing the copy.
//!
//! All other conversions are two. Where UTF-8 writes the text in the same way, the conversion is
//! that of UTF-8, and a scan of the relative's side tells how far that was right. The rest goes
//! through UTF-16, in pieces that stay in the cache.

use core::cell::Cell;
use core::mem::MaybeUninit;

use crate::arch::window::copy_short;
use crate::dispatch::function::{Check, Transcode};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_utf8;
use crate::dispatch::pairs::check_wide;
use crate::dispatch::pairs::{from_utf8, from_utf16, standard};
use crate::dispatch::run::dispatch_long;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Cesu8, Mutf8};
use crate::encoding::view;
use crate::generic::cesu8::compatible_prefix::LEAST;
use crate::generic::cesu8::edit::begins_soon;
use crate::generic::cesu8::to_utf16::Relative;
use crate::generic::from_utf8::decode::sizes;
use crate::generic::{self, backoff};
use crate::scalar;
use crate::swar::words;
use crate::tables::{BIG, ByteOrder, LITTLE};
use crate::types::progress::Reach;

/// Bytes that are converted as UTF-8 at a time.
const PLAIN: usize = 8192;

/// Bytes that go through UTF-16 at a time. Less than a KiB, because a piece with an error is left
/// to the reference.
const MIXED: usize = 960;

/// Bytes of a text between UTF-16 and a relative that is converted as UTF-8 first.
const SHORT: usize = 512;

/// When UTF-8 is tried again, counted in pieces that go through UTF-16.
type Backoff = backoff::Backoff<16>;

/// A conversion between two schemes, one of which is a relative of UTF-8.
struct ByUtf16 {
    from: Scheme,
    to: Scheme,
    /// The conversion of UTF-8 in place of the relative.
    plain: Transcode,
    /// Into UTF-16 of the machine's byte order, and out of it.
    units: Transcode,
    target: Transcode,
}

impl ByUtf16 {
    const fn new(from: Scheme, to: Scheme) -> Self {
        Self {
            from,
            to,
            plain: standard::conversion_fn(from.base(), to.base()),
            units: conversion_fn(from, Scheme::UTF16),
            target: conversion_fn(Scheme::UTF16, to),
        }
    }

    /// The relative. Of two, the one in which NUL differs too.
    const fn relative(&self) -> Scheme {
        match (self.from, self.to) {
            (Scheme::Mutf8, _) | (_, Scheme::Mutf8) => Scheme::Mutf8,
            _ => Scheme::Cesu8,
        }
    }
}

/// Whether the scheme is CESU-8 or Modified UTF-8.
const fn is_relative(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Cesu8 | Scheme::Mutf8)
}

/// Conversions through UTF-8 and UTF-16.
macro_rules! through_others {
    ($(fn $name:ident: $A:ident => $B:ident;)*) => {
        $(
            #[inline(never)]
            fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
                const ROUTE: ByUtf16 = ByUtf16::new(Scheme::$A, Scheme::$B);
                convert(src, dst, &ROUTE, kernel)
            }
        )*

        /// The function that converts between two schemes without unpaired surrogates.
        pub(crate) const fn conversion_fn(from: Scheme, to: Scheme) -> Transcode {
            match (from, to) {
                $((Scheme::$A, Scheme::$B) => $name,)*
                (Scheme::Utf8, Scheme::Cesu8) => utf8_to_cesu8,
                (Scheme::Utf8, Scheme::Mutf8) => utf8_to_mutf8,
                (Scheme::Cesu8, Scheme::Utf8) => cesu8_to_utf8,
                (Scheme::Mutf8, Scheme::Utf8) => mutf8_to_utf8,
                (Scheme::Cesu8, Scheme::Utf16Le) => cesu8_to_utf16le,
                (Scheme::Cesu8, Scheme::Utf16Be) => cesu8_to_utf16be,
                (Scheme::Mutf8, Scheme::Utf16Le) => mutf8_to_utf16le,
                (Scheme::Mutf8, Scheme::Utf16Be) => mutf8_to_utf16be,
                (Scheme::Utf16Le, Scheme::Cesu8) => utf16le_to_cesu8,
                (Scheme::Utf16Le, Scheme::Mutf8) => utf16le_to_mutf8,
                (Scheme::Utf16Be, Scheme::Cesu8) => utf16be_to_cesu8,
                (Scheme::Utf16Be, Scheme::Mutf8) => utf16be_to_mutf8,
                _ => standard::conversion_fn(from, to),
            }
        }
    };
}

through_others! {
    fn cesu8_to_utf32le: Cesu8 => Utf32Le;
    fn cesu8_to_utf32be: Cesu8 => Utf32Be;
    fn cesu8_to_latin1: Cesu8 => Latin1;
    fn cesu8_to_ascii: Cesu8 => Ascii;
    fn cesu8_to_cesu8: Cesu8 => Cesu8;
    fn cesu8_to_mutf8: Cesu8 => Mutf8;
    fn mutf8_to_utf32le: Mutf8 => Utf32Le;
    fn mutf8_to_utf32be: Mutf8 => Utf32Be;
    fn mutf8_to_latin1: Mutf8 => Latin1;
    fn mutf8_to_ascii: Mutf8 => Ascii;
    fn mutf8_to_cesu8: Mutf8 => Cesu8;
    fn mutf8_to_mutf8: Mutf8 => Mutf8;
    fn utf32le_to_cesu8: Utf32Le => Cesu8;
    fn utf32le_to_mutf8: Utf32Le => Mutf8;
    fn utf32be_to_cesu8: Utf32Be => Cesu8;
    fn utf32be_to_mutf8: Utf32Be => Mutf8;
    fn latin1_to_cesu8: Latin1 => Cesu8;
    fn latin1_to_mutf8: Latin1 => Mutf8;
    fn ascii_to_cesu8: Ascii => Cesu8;
    fn ascii_to_mutf8: Ascii => Mutf8;
}

/// Converts through UTF-8 and UTF-16.
#[inline(never)]
fn convert(src: &[u8], dst: &mut [MaybeUninit<u8>], route: &ByUtf16, kernel: Kernel) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(route.from, route.to, src, dst);
    }
    in_pieces(src, dst, route, Backoff::START, kernel)
}

/// Conversions between UTF-8 and a relative. Most texts have no difference.
macro_rules! copied_until_different {
    ($(fn $name:ident: $A:ident => $B:ident,
        $is_plain:ident $copy:ident $blocks:ident $FROM:literal;)*) => {$(
        #[inline(never)]
        fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            let schemes = (Scheme::$A, Scheme::$B);
            let fits = src.len().min(dst.len());
            if fits < LEAST {
                return short(src, dst, schemes, $is_plain, $blocks, kernel);
            }
            let mut start = Reach { read: 0, written: 0 };
            if !begins_soon::<$FROM>(src) {
                start = $copy(&src[..fits], dst, kernel);
                if start.read == src.len() {
                    return start;
                }
            }
            edited(src, dst, schemes, $blocks, start, kernel)
        }
    )*};
}

copied_until_different! {
    fn utf8_to_cesu8: Utf8 => Cesu8, is_plain_with_nul copy_plain_with_nul into_cesu8 false;
    fn utf8_to_mutf8: Utf8 => Mutf8, is_plain_but_nul copy_plain_but_nul into_mutf8 false;
    fn cesu8_to_utf8: Cesu8 => Utf8, is_plain_with_nul copy_plain_with_nul from_cesu8 true;
    fn mutf8_to_utf8: Mutf8 => Utf8, is_plain_but_nul copy_plain_but_nul from_mutf8 true;
}

/// Such a conversion of a short text, or into a short output.
#[inline(never)]
fn short(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    schemes: (Scheme, Scheme),
    is_plain: fn(&[u8], Kernel) -> bool,
    blocks: Transcode,
    kernel: Kernel,
) -> Reach {
    let len = src.len();
    if len < LEAST && len <= dst.len() && is_plain(src, kernel) {
        copy_short(&mut dst[..len], view::as_uninit(src));
        return Reach { read: len, written: len };
    }
    edited(src, dst, schemes, blocks, Reach { read: 0, written: 0 }, kernel)
}

/// Continues such a conversion where there may be differences: in blocks, and from the first one
/// that is ill-formed or has too little room by the reference, which stops there.
#[inline(never)]
fn edited(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to): (Scheme, Scheme),
    blocks: Transcode,
    start: Reach,
    kernel: Kernel,
) -> Reach {
    let (rest, room) = (&src[start.read..], &mut dst[start.written..]);
    let reach = blocks(rest, room, kernel).after(start.read, start.written);
    if reach.read == src.len() {
        return reach;
    }
    let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
    scalar::convert(from, to, rest, room).after(reach.read, reach.written)
}

/// The number of bytes, of at least [`LEAST`], that UTF-8 and a relative have in common, or a few
/// hundred less. The first function copies them, the second only validates.
macro_rules! compatible_prefixes {
    ($(fn $copy:ident, fn $check:ident $NUL:literal;)*) => {$(
        #[inline(never)]
        fn $copy(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            let read = dispatch_long!(kernel, src.len(),
                scalar => 0,
                |V, token, src, dst|
                    generic::cesu8::compatible_prefix::copy::<V, $NUL, true>(token, src, dst));
            Reach { read, written: read }
        }

        #[inline(never)]
        fn $check(src: &[u8], kernel: Kernel) -> usize {
            dispatch_long!(kernel, src.len(),
                scalar => 0,
                |V, token|
                    generic::cesu8::compatible_prefix::copy::<V, $NUL, false>(token, src, &mut []))
        }
    )*};
}

compatible_prefixes! {
    fn copy_plain_with_nul, fn check_plain_with_nul false;
    fn copy_plain_but_nul, fn check_plain_but_nul true;
}

/// Conversions from and into UTF-8, and validations, by blocks up to the first ill-formed one.
macro_rules! edited_blocks {
    ($(fn $name:ident: fn $cesu8:ident, fn $mutf8:ident; $FROM:literal $WRITE:literal;)*) => {$(
        #[inline(never)]
        fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool, kernel: Kernel) -> Reach {
            dispatch_long!(kernel, src.len(),
                scalar => Reach { read: 0, written: 0 },
                |V, token, src, dst|
                    generic::cesu8::edit::convert::<V, $FROM, $WRITE>(nul, token, src, dst))
        }

        fn $cesu8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            $name(src, dst, false, kernel)
        }

        fn $mutf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            $name(src, dst, true, kernel)
        }
    )*};
}

edited_blocks! {
    fn blocks_into: fn into_cesu8, fn into_mutf8; false true;
    fn blocks_from: fn from_cesu8, fn from_mutf8; true true;
    fn check_blocks: fn check_blocks_of_cesu8, fn check_blocks_of_mutf8; true false;
}

/// Converts through UTF-16, and as UTF-8 when `backoff` says so.
fn in_pieces(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    route: &ByUtf16,
    mut backoff: Backoff,
    kernel: Kernel,
) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        if backoff.is_over() {
            let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
            let step = plain(rest, room, route, kernel);
            reach = step.after(reach.read, reach.written);
            backoff.tried(step.read >= MIXED);
        }
        if reach.read == src.len() {
            return reach;
        }
        let rest = &src[reach.read..];
        // Not much more than there is room for: four bytes become at least one.
        let most = MIXED.min((dst.len() - reach.written).saturating_mul(4).saturating_add(64));
        let piece = match rest.get(..most) {
            Some(piece) => &piece[..scalar::boundary(route.from, piece)],
            None => rest,
        };
        let step = mixed(piece, &mut dst[reach.written..], route, kernel);
        reach = step.after(reach.read, reach.written);
        if step.read < piece.len() || reach.read == src.len() {
            return reach;
        }
    }
}

/// Converts as UTF-8, up to the first character that is written differently or that stops a
/// conversion.
fn plain(src: &[u8], dst: &mut [MaybeUninit<u8>], route: &ByUtf16, kernel: Kernel) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    while reach.read < src.len() {
        let rest = &src[reach.read..];
        let piece = &rest[..rest.len().min(PLAIN)];
        let room = &mut dst[reach.written..];
        let mut step = (route.plain)(piece, room, kernel);
        // The text that is read as UTF-8.
        let source = is_relative(route.from);
        let text = if source {
            &piece[..step.read]
        } else {
            // SAFETY: a kernel function has initialised as many bytes as it says that it has
            // written.
            unsafe { view::init_mut(&mut room[..step.written]) }
        };
        let alike = alike(text, route.relative(), kernel);
        if alike < text.len() {
            let other = |scheme: Scheme| {
                standard::len_fn(Scheme::Utf8, scheme)(&text[..alike], kernel) * scheme.unit_size()
            };
            step = match source {
                true => Reach { read: alike, written: other(route.to.base()) },
                false => Reach { read: other(route.from), written: alike },
            };
        }
        reach = step.after(reach.read, reach.written);
        if step.read < piece.len() && !is_cut(piece, rest, step.read) {
            break;
        }
    }
    reach
}

/// Whether all of a piece has been read, except a character that its end may have cut. The place of
/// the cut can't be looked for before everything before it is known to be well-formed.
fn is_cut(piece: &[u8], text: &[u8], read: usize) -> bool {
    piece.len() < text.len() && piece.len().saturating_sub(read) < 4
}

/// Converts a piece through UTF-16, or as much of it as the reference does.
fn mixed(piece: &[u8], dst: &mut [MaybeUninit<u8>], route: &ByUtf16, kernel: Kernel) -> Reach {
    // One byte becomes at most one unit, and four bytes two.
    let mut buffer = [MaybeUninit::uninit(); 2 * MIXED];
    let units = (route.units)(piece, &mut buffer, kernel);
    if units.read == piece.len() {
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..units.written]) };
        let target = (route.target)(text, dst, kernel);
        if target.read == units.written {
            return Reach { read: piece.len(), written: target.written };
        }
    }
    scalar::convert(route.from, route.to, piece, dst)
}

/// The number of bytes before the first character that UTF-8 and a relative write differently. All
/// of `src` is well-formed UTF-8.
#[inline]
pub(crate) fn alike(src: &[u8], relative: Scheme, kernel: Kernel) -> usize {
    match relative {
        Scheme::Mutf8 => alike_but_nul(src, kernel),
        _ => alike_with_nul(src, kernel),
    }
}

/// The first function finds the first character that is written differently, without vectors if the
/// text is short. The second returns whether a text is UTF-8 without such a character.
macro_rules! alike_fns {
    ($(fn $alike:ident, fn $is_plain:ident $NUL:literal;)*) => {$(
        #[inline(never)]
        fn $alike(src: &[u8], kernel: Kernel) -> usize {
            if src.len() <= words::SHORT {
                return words::compatible_up_to::<$NUL>(src);
            }
            dispatch_long!(kernel, src.len(),
                scalar => generic::cesu8::compatible_prefix::by_words::<$NUL>(src),
                |V, token| generic::cesu8::compatible_prefix::up_to::<V, $NUL>(token, src))
        }

        #[inline(never)]
        fn $is_plain(src: &[u8], kernel: Kernel) -> bool {
            src.len() <= words::SHORT && words::is_compatible_ascii::<$NUL>(src)
                || $alike(src, kernel) == src.len() && check_utf8(src, kernel).is_ok()
        }
    )*};
}

alike_fns! {
    fn alike_with_nul, fn is_plain_with_nul false;
    fn alike_but_nul, fn is_plain_but_nul true;
}

/// Conversions into UTF-16.
macro_rules! into_utf16 {
    ($(fn $name:ident: $A:ident => $order:ident $check:ident;)*) => {$(
        #[inline(never)]
        fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            let units = Utf16Route { from: Scheme::$A, order: &$order, check: check_wide::$check };
            to_units(src, dst, units, kernel)
        }
    )*};
}

into_utf16! {
    fn cesu8_to_utf16le: Cesu8 => LITTLE check_utf16le;
    fn cesu8_to_utf16be: Cesu8 => BIG check_utf16be;
    fn mutf8_to_utf16le: Mutf8 => LITTLE check_utf16le;
    fn mutf8_to_utf16be: Mutf8 => BIG check_utf16be;
}

/// A conversion into UTF-16, and the validation of its output.
#[derive(Clone, Copy)]
struct Utf16Route {
    from: Scheme,
    order: &'static ByteOrder,
    check: Check,
}

/// Converts into UTF-16, and validates the pieces that have surrogates.
#[inline(never)]
fn to_units(src: &[u8], dst: &mut [MaybeUninit<u8>], units: Utf16Route, kernel: Kernel) -> Reach {
    let Utf16Route { from, order, check } = units;
    let to = if order.big { Scheme::Utf16Be } else { Scheme::Utf16Le };
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    if src.len() <= SHORT
        && let Some(reach) = plain_to_units(src, dst, units, kernel)
    {
        return reach;
    }
    if src.len() <= sizes::SHORT {
        return scalar::convert(from, to, src, dst);
    }
    let surrogates = Cell::new(false);
    let relative = Relative { order, nul: matches!(from, Scheme::Mutf8), surrogates: &surrogates };
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
        // A rest that is too short for vectors is added to the piece before it.
        let piece = if rest.len() < 2 * PLAIN { rest } else { &rest[..PLAIN] };
        surrogates.set(false);
        let mut step = decoded(piece, room, relative, kernel);
        if surrogates.get() {
            // SAFETY: a kernel function has initialised as many bytes as it says that it has
            // written.
            let units = unsafe { view::init_mut(&mut room[..step.written]) };
            let whole = scalar::boundary(to, units);
            if is_cut(piece, rest, step.read) && whole < units.len() {
                // The end has cut a pair.
                step = Reach { read: step.read - 3, written: whole };
            }
            if check(&units[..step.written], kernel).is_err() {
                step = scalar::convert(from, to, piece, room);
            }
        }
        reach = step.after(reach.read, reach.written);
        if step.read < piece.len() && !is_cut(piece, rest, step.read + 3) {
            return reach;
        }
        if reach.read == src.len() {
            return reach;
        }
    }
}

/// Converts a short text into UTF-16 as UTF-8, if it has no difference.
fn plain_to_units(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    units: Utf16Route,
    kernel: Kernel,
) -> Option<Reach> {
    let Utf16Route { from, order, .. } = units;
    let strict = if order.big { from_utf8::utf8_to_utf16be } else { from_utf8::utf8_to_utf16le };
    if alike(src, from, kernel) < src.len() {
        return None;
    }
    Some(strict(src, dst, kernel)).filter(|reach| reach.read == src.len())
}

/// Converts into UTF-16 without a test for unpaired surrogates.
#[inline(never)]
fn decoded(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    relative: Relative<'_>,
    kernel: Kernel,
) -> Reach {
    dispatch_long!(kernel, src.len(),
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| generic::cesu8::to_utf16::convert::<V>(relative, token, src, dst))
}

/// Conversions from UTF-16.
macro_rules! from_utf16 {
    ($(fn $little:ident, fn $big:ident: $B:ident;)*) => {$(
        #[inline(never)]
        fn $little(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            from_units(src, dst, Scheme::$B, kernel)
        }

        /// Through the other byte order.
        #[inline(never)]
        fn $big(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            const ROUTE: ByUtf16 = ByUtf16 {
                from: Scheme::Utf16Be,
                to: Scheme::$B,
                plain: from_utf16::utf16be_to_utf8,
                units: from_utf16::utf16be_to_utf16le,
                target: $little,
            };
            if kernel == Kernel::SCALAR {
                return scalar::convert(ROUTE.from, ROUTE.to, src, dst);
            }
            in_pieces(src, dst, &ROUTE, Backoff::NEVER, kernel)
        }
    )*};
}

from_utf16! {
    fn utf16le_to_cesu8, fn utf16be_to_cesu8: Cesu8;
    fn utf16le_to_mutf8, fn utf16be_to_mutf8: Mutf8;
}

/// Converts from UTF-16LE.
#[inline(never)]
fn from_units(src: &[u8], dst: &mut [MaybeUninit<u8>], to: Scheme, kernel: Kernel) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(Scheme::Utf16Le, to, src, dst);
    }
    let nul = matches!(to, Scheme::Mutf8);
    let mut reach = Reach { read: 0, written: 0 };
    // The ends of a short text cost more than a second scan.
    if src.len() <= SHORT && src.first_chunk().is_some_and(|&unit| !is_half(unit)) {
        let Reach { read, written } = from_utf16::utf16le_to_utf8(src, dst, kernel);
        // SAFETY: that many bytes have been written.
        let text = unsafe { view::init_mut(&mut dst[..written]) };
        if read == src.len() && alike(text, to, kernel) == written {
            return Reach { read, written };
        }
    }
    loop {
        let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
        let step = encoded(rest, room, nul, kernel);
        reach = step.after(reach.read, reach.written);
        let rest = &src[reach.read..];
        if rest.len() < 2 {
            return reach;
        }
        // Too little text or room for a vector, or a character that vectors leave out.
        let piece = match rest.get(..FEW) {
            Some(piece) => &piece[..scalar::boundary(Scheme::Utf16Le, piece)],
            // Half a unit is left.
            None => &rest[..rest.len() - rest.len() % 2],
        };
        let room = &mut dst[reach.written..];
        let step = match padded(piece, room, nul, kernel) {
            Some(written) => Reach { read: piece.len(), written },
            None => scalar::convert(Scheme::Utf16Le, to, piece, room),
        };
        reach = step.after(reach.read, reach.written);
        if step.read < piece.len() {
            return reach;
        }
    }
}

/// Whether a unit of UTF-16LE is a surrogate.
fn is_half(unit: [u8; 2]) -> bool {
    unit[1] & 0xF8 == 0xD8
}

/// Bytes of a piece that is padded to whole steps of every kernel.
const FEW: usize = 128;

/// Converts a few units of UTF-16LE, padded with ASCII to whole steps. `None` if the steps leave
/// anything out, or if the result doesn't fit.
fn padded(piece: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool, kernel: Kernel) -> Option<usize> {
    let mut text = [0; FEW];
    text.as_chunks_mut::<2>().0.fill([b'a', 0]);
    text[..piece.len()].copy_from_slice(piece);
    let mut buffer = [MaybeUninit::uninit(); 3 * FEW];
    let step = encoded(&text, &mut buffer, nul, kernel);
    if step.read < FEW {
        return None;
    }
    let written = step.written - (FEW - piece.len()) / 2;
    dst.get_mut(..written)?.copy_from_slice(&buffer[..written]);
    Some(written)
}

/// Converts whole steps from UTF-16LE.
#[inline(never)]
fn encoded(src: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool, kernel: Kernel) -> Reach {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| generic::cesu8::from_utf16::convert::<V>(nul, token, src, dst))
}

/// Validation of a relative.
macro_rules! validations {
    ($(fn $name:ident: $A:ident, $is_plain:ident $plain:ident $blocks:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            let mut at = 0;
            if src.len() < LEAST {
                if $is_plain(src, kernel) {
                    return Ok(());
                }
            } else if !begins_soon::<true>(src) {
                at = $plain(src, kernel);
                if at == src.len() {
                    return Ok(());
                }
            }
            at += $blocks(&src[at..], &mut [], kernel).read;
            if at == src.len() {
                return Ok(());
            }
            scalar::validate::<$A>(&src[at..]).map_err(|error| at + error.valid_up_to())
        }
    )*};
}

validations! {
    fn check_cesu8: Cesu8, is_plain_with_nul check_plain_with_nul check_blocks_of_cesu8;
    fn check_mutf8: Mutf8, is_plain_but_nul check_plain_but_nul check_blocks_of_mutf8;
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
