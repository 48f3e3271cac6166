//! The public functions that convert with repairs.

use core::convert::Infallible;
use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "alloc")]
use crate::encoding::buffer::Buffer;
use crate::encoding::scheme::Scheme;
use crate::encoding::scheme::max_expansion;
use crate::encoding::types::Encoding;
#[cfg(feature = "alloc")]
use crate::encoding::unit::{VecMut, sealed::Unit as _};
use crate::encoding::view;
use crate::lossy::plan::{LossyConversion, LossyRun};
#[cfg(feature = "alloc")]
use crate::owned::{self, LossyConversionToVec};
use crate::types::policy::{IllFormed, Repair, Unmappable};
use crate::types::progress::{LossyReach, Reach, Stop, Units};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A converted text, and the number of repairs.
///
/// ```
/// use utflane::{transcode_lossy, Repair, Repaired, Utf16, Utf8};
///
/// let src = b"a\xE2\x82b\xFF";
/// let Repaired { text, repairs } = transcode_lossy::<Utf8, Utf16>(src, Repair::REPLACE);
/// assert_eq!(text, [0x61, 0xFFFD, 0x62, 0xFFFD]);
/// assert_eq!(repairs, 2);
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired<T> {
    /// The converted text. Always well-formed.
    pub text: T,
    /// Repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
}

/// How far a conversion with repairs came: [`Progress`](crate::Progress) without errors.
#[must_use = "a conversion may stop early: look at `stop`"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LossyProgress {
    /// Code units of the input that have been converted or repaired.
    pub read: usize,
    /// Code units of the output that have been written.
    pub written: usize,
    /// Repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
    /// [`Stop::Done`] or [`Stop::OutputFull`].
    pub stop: Stop<Infallible>,
}

/// Converts `src` from `A` to `B` into a new `String` (UTF-8, ASCII) or `Vec` of units, with
/// repairs.
///
/// Never fails. The result is always well-formed. With [`Repair::REPLACE`], ill-formed UTF-8
/// becomes one U+FFFD for each maximal subpart, as in [`String::from_utf8_lossy`] and the decoders
/// of the WHATWG Encoding Standard.
///
/// Well-formed text costs the same as in [`transcode`](crate::transcode).
///
/// ```
/// use utflane::{transcode_lossy, Latin1, Repair, Unmappable, Utf16Le, Utf8};
///
/// let repaired = transcode_lossy::<Utf16Le, Utf8>(b"a\0\0\xD8b\0", Repair::REPLACE);
/// assert_eq!((repaired.text.as_str(), repaired.repairs), ("a\u{FFFD}b", 1));
///
/// let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
/// let repaired = transcode_lossy::<Utf8, Latin1>("Käse, 奶酪".as_bytes(), repair);
/// assert_eq!(repaired.text, b"K\xE4se, &#22902;&#37226;");
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn transcode_lossy<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    repair: Repair,
) -> Repaired<B::Owned> {
    repaired::<A, B>(None, src, repair)
}

/// Converts `src` from `A` to `B` with repairs and appends the result to `out`. Returns the number
/// of repairs.
///
/// ```
/// use utflane::{transcode_lossy_append, Repair, Utf8};
///
/// let mut out = String::from("> ");
/// let repairs = transcode_lossy_append::<Utf8, Utf8>(b"b\xFFd", Repair::REPLACE, &mut out);
/// assert_eq!((out.as_str(), repairs), ("> b\u{FFFD}d", 1));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn transcode_lossy_append<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    repair: Repair,
    out: &mut B::Owned,
) -> usize {
    append::<A, B>(None, src, repair, out)
}

/// Converts as much of `src` from `A` to `B` as fits into `dst`, with repairs.
///
/// It goes as far as possible. Neither a character nor a replacement is split. [`len_lossy`]
/// returns the exact size of the whole result, [`max_len_lossy`] a size that is always enough.
/// Positions are in code units (bytes for schemes). `dst[written..]` is unspecified.
///
/// ```
/// use utflane::{transcode_lossy_into, Repair, Stop, Utf16, Utf8};
///
/// let mut dst = [0; 4];
/// let progress = transcode_lossy_into::<Utf8, Utf16>(b"ab\xFFcd", Repair::REPLACE, &mut dst);
/// assert_eq!((progress.read, progress.written, progress.repairs), (4, 4, 1));
/// assert_eq!(progress.stop, Stop::OutputFull);
/// ```
#[inline]
pub fn transcode_lossy_into<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    repair: Repair,
    dst: &mut [B::Unit],
) -> LossyProgress {
    Kernel::active().transcode_lossy_into::<A, B>(src, repair, dst)
}

/// [`transcode_lossy_into`] for an uninitialised output. On return, `dst[..written]` is
/// initialised.
///
/// ```
/// use std::mem::MaybeUninit;
/// use utflane::{transcode_lossy_into_uninit, Repair, Utf16, Utf8};
///
/// let mut dst = [MaybeUninit::uninit(); 8];
/// let progress = transcode_lossy_into_uninit::<Utf8, Utf16>(b"\xFF!", Repair::SKIP, &mut dst);
/// assert_eq!((progress.written, progress.repairs), (1, 1));
/// ```
#[inline]
pub fn transcode_lossy_into_uninit<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    repair: Repair,
    dst: &mut [MaybeUninit<B::Unit>],
) -> LossyProgress {
    Kernel::active().transcode_lossy_into_uninit::<A, B>(src, repair, dst)
}

/// Returns the number of code units of `B` (bytes for schemes) that `src` becomes with these
/// repairs.
///
/// Exact for any text; [`len`](crate::len) is exact for well-formed text only. It converts the text
/// and discards the output: one pass at the cost of a conversion.
///
/// ```
/// use utflane::{len_lossy, Repair, Utf16, Utf8};
///
/// assert_eq!(len_lossy::<Utf8, Utf16>(b"\xF0\x9F\x98!", Repair::REPLACE), 2);
/// assert_eq!(len_lossy::<Utf16, Utf8>(&[0xD800, 0x21], Repair::REPLACE), 4);
/// ```
#[must_use]
#[inline]
pub fn len_lossy<A: Encoding, B: Encoding>(src: &[A::Unit], repair: Repair) -> usize {
    Kernel::active().len_lossy::<A, B>(src, repair)
}

/// Returns the most code units of `B` that `units` code units of `A` can become with these repairs,
/// or `None` if that overflows `usize`. Schemes count bytes, as in [`max_len`](crate::max_len).
///
/// ```
/// use utflane::{max_len_lossy, Repair, Utf16, Utf8};
///
/// // Each byte may be U+FFFD.
/// assert_eq!(max_len_lossy::<Utf8, Utf8>(10, Repair::REPLACE), Some(30));
/// assert_eq!(max_len_lossy::<Utf8, Utf16>(10, Repair::REPLACE), Some(10));
/// ```
#[must_use]
pub const fn max_len_lossy<A: Encoding, B: Encoding>(
    units: usize,
    repair: Repair,
) -> Option<usize> {
    let from = A::SCHEME.unit_size() / size_of::<A::Unit>();
    let to = B::SCHEME.unit_size() / size_of::<B::Unit>();
    // A fragment of a unit is one repair.
    let units = units.div_ceil(from);
    let strict = max_expansion(A::SCHEME, B::SCHEME);
    let ill_formed = match repair.ill_formed {
        IllFormed::Replace(c) => units_of(c, B::SCHEME),
        IllFormed::Skip if !(A::SCHEME.has_surrogates() && B::SCHEME.has_surrogates()) => 0,
        // The larger of U+0080 to U+00FF (bytes read as Latin-1) and U+FFFD.
        _ => units_of(char::REPLACEMENT_CHARACTER, B::SCHEME),
    };
    // `&#1114111;`, ten bytes, for one unit or more. Only Latin-1 and ASCII lack characters.
    let unmappable = match (repair.unmappable, B::SCHEME) {
        (Unmappable::NumericReference, Scheme::Latin1 | Scheme::Ascii) => 10,
        _ => 0,
    };
    let most = if strict > ill_formed { strict } else { ill_formed };
    let most = if most > unmappable { most } else { unmappable };
    match units.checked_mul(most) {
        Some(units) => units.checked_mul(to),
        None => None,
    }
}

/// Returns the code units of a character or replacement.
const fn units_of(c: char, scheme: Scheme) -> usize {
    match scheme {
        Scheme::Utf8 | Scheme::Wtf8 => c.len_utf8(),
        Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => c.len_utf16(),
        Scheme::Mutf8 if c == '\0' => 2,
        Scheme::Cesu8 | Scheme::Mutf8 => match c.len_utf8() {
            4 => 6,
            len => len,
        },
        _ => 1,
    }
}

impl Kernel {
    /// [`transcode_lossy`] on this kernel.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode_lossy<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
    ) -> Repaired<B::Owned> {
        repaired::<A, B>(Some(self), src, repair)
    }

    /// [`transcode_lossy_append`] on this kernel.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode_lossy_append<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
        out: &mut B::Owned,
    ) -> usize {
        append::<A, B>(Some(self), src, repair, out)
    }

    /// [`transcode_lossy_into`] on this kernel.
    #[inline]
    pub fn transcode_lossy_into<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
        dst: &mut [B::Unit],
    ) -> LossyProgress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.transcode_lossy_into_uninit::<A, B>(src, repair, dst)
    }

    /// [`transcode_lossy_into_uninit`] on this kernel.
    #[inline]
    pub fn transcode_lossy_into_uninit<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> LossyProgress {
        let conversion = const { &LossyConversion::of(A::SCHEME, B::SCHEME) };
        let units = const { Units::of::<A::Unit, B::Unit>() };
        into(self, conversion, view::bytes(src), repair, view::bytes_uninit_mut(dst))
            .in_units(units)
    }

    /// [`len_lossy`] on this kernel.
    #[must_use]
    #[inline]
    pub fn len_lossy<A: Encoding, B: Encoding>(self, src: &[A::Unit], repair: Repair) -> usize {
        let conversion = const { &LossyConversion::of(A::SCHEME, B::SCHEME) };
        len(self, conversion, view::bytes(src), repair, size_of::<B::Unit>())
    }
}

impl Scheme {
    /// Converts `src` to the scheme `to` with repairs and appends the result to `out`. Returns the
    /// number of repairs: [`transcode_lossy_append`] at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme};
    ///
    /// let mut out = Vec::new();
    /// let (from, to) = (Scheme::Utf16Be, Scheme::Utf8);
    /// let repairs = from.transcode_lossy_append(b"\0a\xDC\0", to, Repair::REPLACE, &mut out);
    /// assert_eq!((&out[..], repairs), ("a\u{FFFD}".as_bytes(), 1));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn transcode_lossy_append(
        self,
        src: &[u8],
        to: Self,
        repair: Repair,
        out: &mut Vec<u8>,
    ) -> usize {
        owned::append_lossy(
            None,
            &LossyConversionToVec::of(self, to, 1, 1),
            repair,
            src,
            VecMut::U8(out),
        )
    }

    /// Converts as much of `src` to the scheme `to` as fits into `dst`, with repairs:
    /// [`transcode_lossy_into`] at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme, Stop};
    ///
    /// let mut dst = [0; 3];
    /// let (from, to) = (Scheme::Ascii, Scheme::Latin1);
    /// let progress = from.transcode_lossy_into(b"a\xFF", to, Repair::REPLACE, &mut dst);
    /// assert_eq!((&dst[..progress.written], progress.stop), (&b"a?"[..], Stop::Done));
    /// ```
    pub fn transcode_lossy_into(
        self,
        src: &[u8],
        to: Self,
        repair: Repair,
        dst: &mut [u8],
    ) -> LossyProgress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        into(Kernel::active(), &LossyConversion::of(self, to), src, repair, dst)
    }

    /// Returns the number of bytes of the scheme `to` that `src` becomes with these repairs:
    /// [`len_lossy`] at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme};
    ///
    /// assert_eq!(Scheme::Utf8.len_lossy(b"a\xFF", Scheme::Utf8, Repair::REPLACE), 4);
    /// ```
    #[must_use]
    pub fn len_lossy(self, src: &[u8], to: Self, repair: Repair) -> usize {
        len(Kernel::active(), &LossyConversion::of(self, to), src, repair, 1)
    }
}

impl LossyProgress {
    /// Converts this progress from bytes to units.
    #[inline]
    const fn in_units(self, units: Units) -> Self {
        let (read, written) = units.of_bytes(self.read, self.written);
        Self { read, written, ..self }
    }
}

/// [`transcode_lossy_into_uninit`] in bytes. Well-formed text runs through the strict conversion
/// only.
#[inline]
fn into(
    kernel: Kernel,
    conversion: &LossyConversion,
    src: &[u8],
    repair: Repair,
    dst: &mut [MaybeUninit<u8>],
) -> LossyProgress {
    let reach = if src.is_empty() {
        Reach { read: 0, written: 0 }
    } else {
        conversion.strict().reach(kernel, src, dst)
    };
    if reach.read < src.len() {
        return into_from(kernel, conversion, src, repair, dst, reach);
    }
    LossyProgress { read: reach.read, written: reach.written, repairs: 0, stop: Stop::Done }
}

/// Continues with repairs from `reach`, where the strict conversion stopped.
#[cold]
#[inline(never)]
fn into_from(
    kernel: Kernel,
    conversion: &LossyConversion,
    src: &[u8],
    repair: Repair,
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> LossyProgress {
    let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
    let LossyReach { read, written, repairs, .. } =
        LossyRun::new(*conversion, repair.into()).run_from(kernel, rest, room, false, true);
    // Repairs never fail, so the output is full.
    let stop = if read < rest.len() { Stop::OutputFull } else { Stop::Done };
    LossyProgress { read: reach.read + read, written: reach.written + written, repairs, stop }
}

/// Bytes of the discarded output of [`len`].
const SCRATCH: usize = 4096;

/// [`len_lossy`], in units of `unit_size` bytes. It saturates, and counts units: on 32-bit machines
/// the bytes of 1.1 GB in UTF-32 are more than a `usize` holds.
#[inline(never)]
fn len(
    kernel: Kernel,
    conversion: &LossyConversion,
    src: &[u8],
    repair: Repair,
    unit_size: usize,
) -> usize {
    let lossy = LossyRun::new(*conversion, repair.into());
    let mut scratch = [MaybeUninit::uninit(); SCRATCH];
    let (mut read, mut units) = (0_usize, 0_usize);
    while read < src.len() {
        let reach = lossy.run(kernel, &src[read..], &mut scratch, false);
        read += reach.read;
        units = units.saturating_add(reach.written / unit_size);
    }
    units
}

/// [`transcode_lossy`] on `kernel`; `None` is the active one.
#[cfg(feature = "alloc")]
#[inline]
fn repaired<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    repair: Repair,
) -> Repaired<B::Owned> {
    let to_vec = const { &LossyConversionToVec::of_pair::<A, B>() };
    let (units, repairs) = owned::new_lossy::<B::Unit>(kernel, to_vec, repair, view::bytes(src));
    // SAFETY: a `String` is made only of bytes that were converted to UTF-8.
    let text = unsafe { B::Owned::of_units(units) };
    Repaired { text, repairs }
}

/// [`transcode_lossy_append`] on `kernel`; `None` is the active one.
#[cfg(feature = "alloc")]
#[inline]
fn append<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    repair: Repair,
    out: &mut B::Owned,
) -> usize {
    let to_vec = const { &LossyConversionToVec::of_pair::<A, B>() };
    // SAFETY: only text converted to UTF-8 is appended to a `String`, and its length grows by whole
    // characters.
    let units = unsafe { out.units_mut() };
    owned::append_lossy(kernel, to_vec, repair, view::bytes(src), B::Unit::vec_mut(units))
}
