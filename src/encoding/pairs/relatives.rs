//! CESU-8 and Modified UTF-8: the functions of the [pair table](super).
//!
//! From and into UTF-16 there is vector code: these are UTF-16's code units in other bytes. From and into UTF-8, and to
//! validate, there is too: as UTF-8 up to the first difference, and from there on by editing what is copied.
//!
//! All other conversions are two. Where a text has nothing in it that UTF-8 writes differently, the conversion is that of UTF-8,
//! and a look at the side which is a relative says how far that was right. What follows there goes by way of UTF-16, in pieces
//! that stay in the cache; so does what vectors leave of the others.

mod lengths;

use core::cell::Cell;
use core::mem::MaybeUninit;

pub(super) use self::lengths::{count, len};
use super::{Check, Transcode, utf8, utf16, view};
use crate::generic::cesu8_to_utf16::Relative;
use crate::generic::decode;
use crate::generic::plain::LEAST;
use crate::kernel::dispatch_long;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{BIG, ByteOrder, LITTLE};
use crate::{Kernel, Scheme, generic};

/// Bytes that are converted as UTF-8 at a time.
const PLAIN: usize = 8192;

/// Bytes that go by way of UTF-16 at a time. Less than a KiB, since where something is wrong in them, they are left to the
/// reference.
const MIXED: usize = 960;

/// Bytes of a text between UTF-16 and a relative that is converted as UTF-8 first.
const SHORT: usize = 512;

/// Most pieces that go by way of UTF-16 before UTF-8 is tried again.
const PATIENCE: usize = 16;

/// The way from one scheme to another, of which one is a relative of UTF-8.
struct Route {
    from: Scheme,
    to: Scheme,
    /// The conversion of UTF-8 in place of the relative.
    plain: Transcode,
    /// Into UTF-16 of the machine's byte order, and out of it.
    units: Transcode,
    target: Transcode,
}

impl Route {
    const fn new(from: Scheme, to: Scheme) -> Self {
        Self {
            from,
            to,
            plain: super::way(from.base(), to.base()),
            units: super::way(from, Scheme::UTF16),
            target: super::way(Scheme::UTF16, to),
        }
    }

    /// The relative, or that of two which differs by NUL as well.
    const fn relative(&self) -> Scheme {
        match (self.from, self.to) {
            (Scheme::Mutf8, _) | (_, Scheme::Mutf8) => Scheme::Mutf8,
            _ => Scheme::Cesu8,
        }
    }
}

/// Whether it is one of these two.
const fn is_relative(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Cesu8 | Scheme::Mutf8)
}

/// Conversions by way of others.
macro_rules! ways {
    ($($name:ident: $A:ident => $B:ident;)*) => {
        $(
            #[inline(never)]
            fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                const ROUTE: Route = Route::new(Scheme::$A, Scheme::$B);
                convert(kernel, src, dst, &ROUTE)
            }
        )*

        /// The way from or to a relative.
        pub(super) const fn way(from: Scheme, to: Scheme) -> Transcode {
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
                _ => unreachable!(),
            }
        }
    };
}

ways! {
    cesu8_to_utf32le: Cesu8 => Utf32Le;
    cesu8_to_utf32be: Cesu8 => Utf32Be;
    cesu8_to_latin1: Cesu8 => Latin1;
    cesu8_to_ascii: Cesu8 => Ascii;
    cesu8_to_cesu8: Cesu8 => Cesu8;
    cesu8_to_mutf8: Cesu8 => Mutf8;
    mutf8_to_utf32le: Mutf8 => Utf32Le;
    mutf8_to_utf32be: Mutf8 => Utf32Be;
    mutf8_to_latin1: Mutf8 => Latin1;
    mutf8_to_ascii: Mutf8 => Ascii;
    mutf8_to_cesu8: Mutf8 => Cesu8;
    mutf8_to_mutf8: Mutf8 => Mutf8;
    utf32le_to_cesu8: Utf32Le => Cesu8;
    utf32le_to_mutf8: Utf32Le => Mutf8;
    utf32be_to_cesu8: Utf32Be => Cesu8;
    utf32be_to_mutf8: Utf32Be => Mutf8;
    latin1_to_cesu8: Latin1 => Cesu8;
    latin1_to_mutf8: Latin1 => Mutf8;
    ascii_to_cesu8: Ascii => Cesu8;
    ascii_to_mutf8: Ascii => Mutf8;
}

/// How many pieces go by way of UTF-16 before UTF-8 is tried again: more, the less came of trying.
struct Patience {
    left: usize,
    next: usize,
}

/// Converts by way of UTF-8 and UTF-16.
#[inline(never)]
fn convert(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], route: &Route) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(route.from, route.to, src, dst);
    }
    in_pieces(kernel, src, dst, route, 0)
}

/// Conversions between UTF-8 and a relative. Most texts have nothing in them that makes a difference.
macro_rules! copies {
    ($($name:ident: $A:ident => $B:ident, $copy:ident $blocks:ident $FROM:literal;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            const ROUTE: Route = Route::new(Scheme::$A, Scheme::$B);
            let mut start = Reach { read: 0, written: 0 };
            let fits = src.len().min(dst.len());
            if fits >= LEAST && !differs_soon::<$FROM>(src) {
                start = $copy(kernel, &src[..fits], dst);
                if start.read == src.len() {
                    return start;
                }
            }
            edited(kernel, src, dst, &ROUTE, $blocks, start)
        }
    )*};
}

copies! {
    utf8_to_cesu8: Utf8 => Cesu8, copy_plain_with_nul into_cesu8 false;
    utf8_to_mutf8: Utf8 => Mutf8, copy_plain_but_nul into_mutf8 false;
    cesu8_to_utf8: Cesu8 => Utf8, copy_plain_with_nul from_cesu8 true;
    mutf8_to_utf8: Mutf8 => Utf8, copy_plain_but_nul from_mutf8 true;
}

/// Whether the text begins with a difference, perhaps behind a byte order mark.
#[inline]
fn differs_soon<const FROM: bool>(src: &[u8]) -> bool {
    [0, 3].iter().any(|&at| generic::utf8_edit::begins::<FROM>(&src[at..]))
}

/// Goes on with such a conversion where there may be differences.
#[inline(never)]
fn edited(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    route: &Route,
    blocks: Transcode,
    mut start: Reach,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(route.from, route.to, src, dst);
    }
    if src.len() < LEAST && alike(kernel, src, route.relative()) == src.len() {
        start = (route.plain)(kernel, src, dst);
    } else if src.len() - start.read > FEW {
        let (rest, room) = (&src[start.read..], &mut dst[start.written..]);
        start = blocks(kernel, rest, room).behind(start.read, start.written);
    }
    if start.read == src.len() {
        return start;
    }
    in_pieces(kernel, &src[start.read..], &mut dst[start.written..], route, 0)
        .behind(start.read, start.written)
}

/// How many bytes of UTF-8, of at least [`LEAST`], a relative has the same, or a few hundred less: the first function copies
/// them, the second only validates.
macro_rules! plain {
    ($($copy:ident $check:ident $NUL:literal;)*) => {$(
        #[inline(never)]
        fn $copy(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            let read = dispatch_long!(kernel, src.len(),
                scalar => 0,
                |V, token, src, dst| generic::plain::copy::<V, $NUL, true>(token, src, dst));
            Reach { read, written: read }
        }

        #[inline(never)]
        fn $check(kernel: Kernel, src: &[u8]) -> usize {
            dispatch_long!(kernel, src.len(),
                scalar => 0,
                |V, token| generic::plain::copy::<V, $NUL, false>(token, src, &mut []))
        }
    )*};
}

plain! {
    copy_plain_with_nul check_plain_with_nul false;
    copy_plain_but_nul check_plain_but_nul true;
}

/// Conversions from UTF-8 and into it, and validations: as many blocks as there are, but for anything ill-formed.
macro_rules! edited {
    ($($name:ident: $cesu8:ident $mutf8:ident $FROM:literal $WRITE:literal;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool) -> Reach {
            dispatch_long!(kernel, src.len(),
                scalar => Reach { read: 0, written: 0 },
                |V, token, src, dst|
                    generic::utf8_edit::convert::<V, $FROM, $WRITE>(nul, token, src, dst))
        }

        fn $cesu8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            $name(kernel, src, dst, false)
        }

        fn $mutf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            $name(kernel, src, dst, true)
        }
    )*};
}

edited! {
    blocks_into: into_cesu8 into_mutf8 false true;
    blocks_from: from_cesu8 from_mutf8 true true;
    check_blocks: check_blocks_of_cesu8 check_blocks_of_mutf8 true false;
}

/// Converts by way of UTF-16, so many pieces before UTF-8 is tried.
fn in_pieces(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    route: &Route,
    pieces: usize,
) -> Reach {
    let mut patience = Patience { left: pieces, next: 1 };
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        if patience.left == 0 {
            let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
            let step = plain(kernel, rest, room, route);
            reach = step.behind(reach.read, reach.written);
            patience.next = if step.read < MIXED { PATIENCE.min(2 * patience.next) } else { 1 };
            patience.left = patience.next;
        }
        if reach.read == src.len() {
            return reach;
        }
        let rest = &src[reach.read..];
        // Not much more than there is room for: of four bytes comes at least one.
        let most = MIXED.min((dst.len() - reach.written).saturating_mul(4).saturating_add(64));
        let piece = match rest.get(..most) {
            Some(piece) => &piece[..scalar::boundary(route.from, piece)],
            None => rest,
        };
        let step = mixed(kernel, piece, &mut dst[reach.written..], route);
        reach = step.behind(reach.read, reach.written);
        if step.read < piece.len() || reach.read == src.len() {
            return reach;
        }
        patience.left -= 1;
    }
}

/// Converts as UTF-8, up to the first character that is written differently, or that stops a conversion.
fn plain(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], route: &Route) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    while reach.read < src.len() {
        let rest = &src[reach.read..];
        let piece = &rest[..rest.len().min(PLAIN)];
        let room = &mut dst[reach.written..];
        let mut step = (route.plain)(kernel, piece, room);
        // Of the two texts, the one that is taken for UTF-8.
        let source = is_relative(route.from);
        let text = if source {
            &piece[..step.read]
        } else {
            // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
            unsafe { view::init_mut(&mut room[..step.written]) }
        };
        let alike = alike(kernel, text, route.relative());
        if alike < text.len() {
            let other = |scheme: Scheme| {
                super::len(Scheme::Utf8, scheme)(kernel, &text[..alike]) * scheme.unit_size()
            };
            step = match source {
                true => Reach { read: alike, written: other(route.to.base()) },
                false => Reach { read: other(route.from), written: alike },
            };
        }
        reach = step.behind(reach.read, reach.written);
        if step.read < piece.len() && !is_cut(piece, rest, step.read) {
            break;
        }
    }
    reach
}

/// Whether a piece of a text has been read but for a character that its end may have cut: where that is can't be looked at
/// before all in front of it is known to be well-formed.
fn is_cut(piece: &[u8], text: &[u8], read: usize) -> bool {
    piece.len() < text.len() && piece.len().saturating_sub(read) < 4
}

/// Converts a piece by way of UTF-16, or as much of it as the reference does.
fn mixed(kernel: Kernel, piece: &[u8], dst: &mut [MaybeUninit<u8>], route: &Route) -> Reach {
    // A byte or four of them are at most a unit or two.
    let mut buffer = [MaybeUninit::uninit(); 2 * MIXED];
    let units = (route.units)(kernel, piece, &mut buffer);
    if units.read == piece.len() {
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..units.written]) };
        let target = (route.target)(kernel, text, dst);
        if target.read == units.written {
            return Reach { read: piece.len(), written: target.written };
        }
    }
    scalar::convert(route.from, route.to, piece, dst)
}

/// Bytes in front of what UTF-8 and a relative write differently, as [`generic::plain`] says. All of `src` is well-formed UTF-8.
#[inline]
pub(crate) fn alike(kernel: Kernel, src: &[u8], relative: Scheme) -> usize {
    match relative {
        Scheme::Mutf8 => alike_but_nul(kernel, src),
        _ => alike_with_nul(kernel, src),
    }
}

#[inline(never)]
fn alike_with_nul(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len(),
        scalar => src.iter().position(|&byte| byte >= 0xF0).unwrap_or(src.len()),
        |V, token| generic::plain::up_to::<V, false>(token, src))
}

/// The same where NUL is a difference too.
#[inline(never)]
fn alike_but_nul(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len(),
        scalar => src.iter().position(|&byte| byte >= 0xF0 || byte == 0).unwrap_or(src.len()),
        |V, token| generic::plain::up_to::<V, true>(token, src))
}

/// Conversions into UTF-16.
macro_rules! units {
    ($($name:ident: $A:ident => $order:ident $check:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            let units = Units { from: Scheme::$A, order: &$order, check: utf16::$check };
            to_units(kernel, src, dst, units)
        }
    )*};
}

units! {
    cesu8_to_utf16le: Cesu8 => LITTLE check_le;
    cesu8_to_utf16be: Cesu8 => BIG check_be;
    mutf8_to_utf16le: Mutf8 => LITTLE check_le;
    mutf8_to_utf16be: Mutf8 => BIG check_be;
}

/// A conversion into UTF-16, and what validates that.
#[derive(Clone, Copy)]
struct Units {
    from: Scheme,
    order: &'static ByteOrder,
    check: Check,
}

/// Converts into UTF-16, and validates pieces in which there are surrogates.
#[inline(never)]
fn to_units(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], units: Units) -> Reach {
    let Units { from, order, check } = units;
    let to = if order.big { Scheme::Utf16Be } else { Scheme::Utf16Le };
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    if src.len() <= SHORT
        && let Some(reach) = plain_to_units(kernel, src, dst, units)
    {
        return reach;
    }
    if src.len() <= decode::SHORT {
        return scalar::convert(from, to, src, dst);
    }
    let surrogates = Cell::new(false);
    let relative = Relative { order, nul: matches!(from, Scheme::Mutf8), surrogates: &surrogates };
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
        // What is too short for vectors is put to what stands in front of it.
        let piece = if rest.len() < 2 * PLAIN { rest } else { &rest[..PLAIN] };
        surrogates.set(false);
        let mut step = decoded(kernel, piece, room, relative);
        if surrogates.get() {
            // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
            let units = unsafe { view::init_mut(&mut room[..step.written]) };
            let whole = scalar::boundary(to, units);
            if is_cut(piece, rest, step.read) && whole < units.len() {
                // The end has cut a pair.
                step = Reach { read: step.read - 3, written: whole };
            }
            if check(kernel, &units[..step.written]).is_err() {
                step = scalar::convert(from, to, piece, room);
            }
        }
        reach = step.behind(reach.read, reach.written);
        if step.read < piece.len() && !is_cut(piece, rest, step.read + 3) {
            return reach;
        }
        if reach.read == src.len() {
            return reach;
        }
    }
}

/// Converts a short text into UTF-16 as UTF-8, if that makes no difference.
fn plain_to_units(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    units: Units,
) -> Option<Reach> {
    let Units { from, order, .. } = units;
    let strict = if order.big { utf8::utf8_to_utf16be } else { utf8::utf8_to_utf16le };
    if alike(kernel, src, from) < src.len() {
        return None;
    }
    Some(strict(kernel, src, dst)).filter(|reach| reach.read == src.len())
}

/// Converts into UTF-16 whose surrogates are as they come.
#[inline(never)]
fn decoded(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    relative: Relative<'_>,
) -> Reach {
    dispatch_long!(kernel, src.len(),
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| generic::cesu8_to_utf16::convert::<V>(relative, token, src, dst))
}

/// Conversions from UTF-16.
macro_rules! from_units {
    ($($little:ident $big:ident: $B:ident;)*) => {$(
        #[inline(never)]
        fn $little(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            from_units(kernel, src, dst, Scheme::$B)
        }

        /// By way of the other byte order.
        #[inline(never)]
        fn $big(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            const ROUTE: Route = Route {
                from: Scheme::Utf16Be,
                to: Scheme::$B,
                plain: utf16::be_to_utf8,
                units: utf16::be_to_le,
                target: $little,
            };
            if kernel == Kernel::SCALAR {
                return scalar::convert(ROUTE.from, ROUTE.to, src, dst);
            }
            in_pieces(kernel, src, dst, &ROUTE, usize::MAX)
        }
    )*};
}

from_units! {
    utf16le_to_cesu8 utf16be_to_cesu8: Cesu8;
    utf16le_to_mutf8 utf16be_to_mutf8: Mutf8;
}

/// Converts from UTF-16LE.
#[inline(never)]
fn from_units(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], to: Scheme) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(Scheme::Utf16Le, to, src, dst);
    }
    let nul = matches!(to, Scheme::Mutf8);
    let mut reach = Reach { read: 0, written: 0 };
    // The ends of a short text cost more than another look at it.
    if src.len() <= SHORT && src.first_chunk().is_some_and(|&unit| !is_half(unit)) {
        let Reach { read, written } = utf16::le_to_utf8(kernel, src, dst);
        // SAFETY: that many bytes have been written.
        let text = unsafe { view::init_mut(&mut dst[..written]) };
        if read == src.len() && alike(kernel, text, to) == written {
            return Reach { read, written };
        }
    }
    loop {
        let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
        let step = encoded(kernel, rest, room, nul);
        reach = step.behind(reach.read, reach.written);
        let rest = &src[reach.read..];
        if rest.len() < 2 {
            return reach;
        }
        // Too little for a vector, or too little room; or something that vectors leave out.
        let piece = match rest.get(..FEW) {
            Some(piece) => &piece[..scalar::boundary(Scheme::Utf16Le, piece)],
            // Half a unit is for nobody.
            None => &rest[..rest.len() - rest.len() % 2],
        };
        let room = &mut dst[reach.written..];
        let step = match padded(kernel, piece, room, nul) {
            Some(written) => Reach { read: piece.len(), written },
            None => scalar::convert(Scheme::Utf16Le, to, piece, room),
        };
        reach = step.behind(reach.read, reach.written);
        if step.read < piece.len() {
            return reach;
        }
    }
}

/// Whether a unit of UTF-16LE is a surrogate.
fn is_half(unit: [u8; 2]) -> bool {
    unit[1] & 0xF8 == 0xD8
}

/// Bytes that are converted with something behind them: whole steps on every kernel.
const FEW: usize = 128;

/// Converts a few units of UTF-16LE, with ASCII behind them to make a step of them. `None` if the step leaves anything out, or
/// doesn't fit.
fn padded(kernel: Kernel, piece: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool) -> Option<usize> {
    let mut text = [0; FEW];
    text.as_chunks_mut::<2>().0.fill([b'a', 0]);
    text[..piece.len()].copy_from_slice(piece);
    let mut buffer = [MaybeUninit::uninit(); 3 * FEW];
    let step = encoded(kernel, &text, &mut buffer, nul);
    if step.read < FEW {
        return None;
    }
    let written = step.written - (FEW - piece.len()) / 2;
    dst.get_mut(..written)?.copy_from_slice(&buffer[..written]);
    Some(written)
}

/// Converts whole steps from UTF-16LE.
#[inline(never)]
fn encoded(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool) -> Reach {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| generic::utf16_to_cesu8::convert::<V>(nul, token, src, dst))
}

/// Validation of a relative.
macro_rules! checks {
    ($($name:ident: $A:ident, $plain:ident $blocks:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
            let mut at = 0;
            if src.len() >= LEAST && !differs_soon::<true>(src) {
                at = $plain(kernel, src);
                if at == src.len() {
                    return Ok(());
                }
            }
            check(kernel, src, Scheme::$A, $blocks, at)
        }
    )*};
}

checks! {
    check_cesu8: Cesu8, check_plain_with_nul check_blocks_of_cesu8;
    check_mutf8: Mutf8, check_plain_but_nul check_blocks_of_mutf8;
}

/// Validates from `at` on: as UTF-8 where there is no difference, and where there is one in whole blocks, or by decoding into
/// UTF-16.
#[inline(never)]
fn check(
    kernel: Kernel,
    src: &[u8],
    scheme: Scheme,
    blocks: Transcode,
    mut at: usize,
) -> Result<(), usize> {
    let units = super::way(scheme, Scheme::UTF16);
    let mut patience = Patience { left: 0, next: 1 };
    if src.len() - at > FEW {
        at += blocks(kernel, &src[at..], &mut []).read;
    }
    while at < src.len() {
        if patience.left == 0 {
            let tried = plain_up_to(kernel, &src[at..], scheme);
            at += tried;
            patience.next = if tried < MIXED { PATIENCE.min(2 * patience.next) } else { 1 };
            patience.left = patience.next;
        }
        let rest = &src[at..];
        let piece = match rest.get(..MIXED) {
            Some(piece) => &piece[..scalar::boundary(scheme, piece)],
            None => rest,
        };
        let mut buffer = [MaybeUninit::uninit(); 2 * MIXED];
        let read = units(kernel, piece, &mut buffer).read;
        if read < piece.len() {
            return Err(at + read);
        }
        at += read;
        patience.left -= 1;
    }
    Ok(())
}

/// Bytes of UTF-8 without any difference.
fn plain_up_to(kernel: Kernel, src: &[u8], scheme: Scheme) -> usize {
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let piece = &rest[..rest.len().min(PLAIN)];
        let valid = match utf8::check(kernel, piece) {
            Ok(()) => piece.len(),
            Err(known) => generic::utf8::locate(piece, known)
                .map_or_else(|error| error.valid_up_to(), |()| piece.len()),
        };
        let alike = alike(kernel, &piece[..valid], scheme);
        at += alike;
        if alike < piece.len() && !is_cut(piece, rest, alike) {
            break;
        }
    }
    at
}
