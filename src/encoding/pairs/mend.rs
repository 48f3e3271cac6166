//! Ill-formed text mended, in its own encoding: the functions of the [pair table](super).

use core::mem::MaybeUninit;

use super::view;
use crate::generic::utf8_fill::{self, FILL, FILL_ROOM, Filled, Lone};
use crate::generic::utf8_mend::{self, Piece};
use crate::kernel::{dispatch, dispatch_long};
use crate::scalar::mend::{End, Mended, Mending, mend, mend_by};
use crate::tables::{Big, Little};
use crate::{
    Ascii, Cesu8, Kernel, Latin1, Mutf8, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8,
};
use crate::{scalar, utf16};

/// How a scheme is mended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mender {
    /// With vectors if there are any; may stop before its output is full.
    pub(crate) fast: Mend,
    /// Exactly as far as possible.
    pub(crate) exact: MendExactly,
    /// With placeholders of the same length, for conversions to UTF-16 and to UTF-32. Nothing without vectors.
    pub(crate) fill: Option<[Fill; 2]>,
    /// Those conversions of ASCII with single bytes that are not, to UTF-16LE, UTF-16BE, UTF-32LE and UTF-32BE. Nothing without
    /// vectors.
    pub(crate) lone: Option<[ToUnits; 4]>,
    /// What the mended text is in: what is well-formed has the same bytes.
    pub(crate) scheme: Scheme,
}

/// Mends on a kernel. The last argument says that the text may go on.
type Mend = fn(Kernel, &[u8], &mut [MaybeUninit<u8>], &Mending, bool) -> Mended;
/// Mends by the reference.
type MendExactly = fn(&[u8], &mut [MaybeUninit<u8>], &Mending, bool) -> Mended;

/// Copies with placeholders.
pub(crate) type Fill =
    fn(Kernel, &[u8], &mut [MaybeUninit<u8>; FILL_ROOM], &mut Places, bool) -> Filled;

/// Where the placeholders are: as many as a [`Fill`] says that there are.
pub(crate) type Places = [MaybeUninit<u16>; FILL];

/// Converts, with a unit for each byte that is wrong.
pub(crate) type ToUnits = fn(Kernel, &[u8], &mut [MaybeUninit<u8>], [u8; 4]) -> Lone;

/// That of a pair.
pub(crate) const fn mender(from: Scheme, to: Scheme) -> Mender {
    match (from, to.has_surrogates()) {
        (Scheme::Wtf8, true) => return plain(wtf8, mend::<Wtf8, Wtf8>, from),
        (Scheme::Wtf8, false) => return plain(wtf8_without, exact_wtf8_without, Scheme::Utf8),
        (Scheme::Wtf16Le, true) => return plain(wtf16le, exact_wtf16le, from),
        (Scheme::Wtf16Be, true) => return plain(wtf16be, exact_wtf16be, from),
        _ => {}
    }
    let from = from.without_surrogates();
    match from {
        Scheme::Utf8 => Mender {
            fast: utf8,
            exact: mend::<Utf8, Utf8>,
            fill: Some([fill_utf16, fill_utf32]),
            lone: Some([lone_utf16le, lone_utf16be, lone_utf32le, lone_utf32be]),
            scheme: from,
        },
        Scheme::Utf16Le => plain(utf16le, mend::<Utf16Le, Utf16Le>, from),
        Scheme::Utf16Be => plain(utf16be, mend::<Utf16Be, Utf16Be>, from),
        Scheme::Utf32Le => plain(utf32le, mend::<Utf32Le, Utf32Le>, from),
        Scheme::Utf32Be => plain(utf32be, mend::<Utf32Be, Utf32Be>, from),
        Scheme::Latin1 => plain(latin1, mend::<Latin1, Latin1>, from),
        // What replaces a byte is rarely ASCII.
        Scheme::Ascii => plain(ascii, mend::<Ascii, Utf8>, Scheme::Utf8),
        Scheme::Cesu8 => plain(cesu8, mend::<Cesu8, Cesu8>, from),
        Scheme::Mutf8 => plain(mutf8, mend::<Mutf8, Mutf8>, from),
        Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be => unreachable!(),
    }
}

/// A mender without ways of its own to wider units.
const fn plain(fast: Mend, exact: MendExactly, scheme: Scheme) -> Mender {
    Mender { fast, exact, fill: None, lone: None, scheme }
}

/// UTF-8, with vectors where every sequence becomes the same.
#[inline(never)]
fn utf8(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mending: &Mending,
    open: bool,
) -> Mended {
    let Some(replacement) = mending.uniform() else {
        return mend::<Utf8, Utf8>(src, dst, mending, open);
    };
    let mut bytes = [0; 4];
    let len = replacement.map_or(0, |c| c.encode_utf8(&mut bytes).len());
    let piece = Piece { bytes, len };
    dispatch_long!(kernel, src.len(),
        scalar => mend::<Utf8, Utf8>(src, dst, mending, open),
        |V, token, src, dst| utf8_mend::mend::<V>(token, src, dst, piece, open))
}

/// UTF-8 on its way to UTF-16 or UTF-32, with placeholders.
macro_rules! fills {
    ($($name:ident: $PAIRS:literal;)*) => {$(
        #[inline(never)]
        fn $name(
            kernel: Kernel,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>; FILL_ROOM],
            places: &mut Places,
            open: bool,
        ) -> Filled {
            dispatch_long!(kernel, src.len(),
                scalar => Filled { read: 0, places: 0 },
                |V, token, src, dst|
                    utf8_fill::fill::<V, $PAIRS>(token, src, dst, places, open))
        }
    )*};
}

fills! {
    fill_utf16: true;
    fill_utf32: false;
}

/// ASCII with single bytes that are not on its way to wider units.
macro_rules! lones {
    ($($name:ident: $O:ident, $SIZE:literal;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], unit: [u8; 4]) -> Lone {
            let mut bytes = [0; $SIZE];
            bytes.copy_from_slice(&unit[..$SIZE]);
            dispatch!(kernel,
                scalar => Lone { read: 0, repairs: 0 },
                |V, token, src, dst| utf8_fill::lone::<V, $O, $SIZE>(token, src, dst, bytes))
        }
    )*};
}

lones! {
    lone_utf16le: Little, 2;
    lone_utf16be: Big, 2;
    lone_utf32le: Little, 4;
    lone_utf32be: Big, 4;
}

/// UTF-16 in the machine's byte order with U+FFFD: copied, and then repaired there.
#[inline(never)]
fn utf16_native(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Mended {
    // Whole units, and no half of a pair at the end that may go on.
    let len = scalar::boundary(Scheme::UTF16, &src[..src.len().min(dst.len())]);
    dst[..len].copy_from_slice(view::as_uninit(&src[..len]));
    // SAFETY: all of it has just been copied there.
    let text = unsafe { view::init_mut(&mut dst[..len]) };
    let repairs = utf16::make_well_formed_on(kernel, text);
    let end = if len == src.len() { End::Input } else { End::Output };
    Mended { read: len, written: len, repairs, end }
}

/// Both byte orders of UTF-16, of which one is that of the machine, and what has no vectors.
macro_rules! menders {
    ($($name:ident: $A:ident, $M:ident, $native:expr;)*) => {$(
        fn $name(
            kernel: Kernel,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            mending: &Mending,
            open: bool,
        ) -> Mended {
            if $native
                && mending.uniform() == Some(Some(char::REPLACEMENT_CHARACTER))
            {
                let mended = utf16_native(kernel, src, dst);
                if mended.read > 0 {
                    return mended;
                }
            }
            mend::<$A, $M>(src, dst, mending, open)
        }
    )*};
}

menders! {
    utf16le: Utf16Le, Utf16Le, cfg!(target_endian = "little");
    utf16be: Utf16Be, Utf16Be, cfg!(target_endian = "big");
    utf32le: Utf32Le, Utf32Le, false;
    utf32be: Utf32Be, Utf32Be, false;
    latin1: Latin1, Latin1, false;
    ascii: Ascii, Utf8, false;
    cesu8: Cesu8, Cesu8, false;
    mutf8: Mutf8, Mutf8, false;
    wtf8: Wtf8, Wtf8, false;
}

/// Schemes that are read for a kind of target.
macro_rules! read_for {
    ($($name:ident $exact:ident: $from:ident for $to:ident, $M:ident;)*) => {$(
        fn $name(
            _: Kernel,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            mending: &Mending,
            open: bool,
        ) -> Mended {
            $exact(src, dst, mending, open)
        }

        fn $exact(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            mending: &Mending,
            open: bool,
        ) -> Mended {
            let decode = |rest: &[u8]| scalar::decode_for(Scheme::$to, Scheme::$from, rest);
            mend_by::<$M>(decode, Scheme::$from, src, dst, mending, open)
        }
    )*};
}

read_for! {
    wtf8_without exact_wtf8_without: Wtf8 for Utf8, Utf8;
    wtf16le exact_wtf16le: Wtf16Le for Wtf16Le, Utf16Le;
    wtf16be exact_wtf16be: Wtf16Be for Wtf16Be, Utf16Be;
}
