//! The public functions that convert with repairs.

use core::convert::Infallible;
use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "alloc")]
use crate::encoding::buffer::Buffer;
use crate::encoding::output::Output;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
#[cfg(feature = "alloc")]
use crate::encoding::unit::VecMut;
use crate::encoding::view;
use crate::lossy::plan::{LossyConversion, LossyRun, StrictConversion};
#[cfg(feature = "alloc")]
use crate::owned::{self, LossyConversionToVec};
use crate::types::policy::Repair;
use crate::types::progress::{Reach, Stop, Units};
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
    /// The converted text, which is always well-formed.
    pub text: T,
    /// The number of repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
}

/// How far a conversion with repairs got: [`Progress`](crate::Progress) without errors.
#[must_use = "a conversion may stop early: look at `stop`"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LossyProgress {
    /// The number of code units of the input that have been converted or repaired.
    pub read: usize,
    /// The number of code units of the output that have been written.
    pub written: usize,
    /// The number of repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
    /// [`Stop::Done`] or [`Stop::OutputFull`].
    pub stop: Stop<Infallible>,
}

/// Converts `src` from `A` to `B` into a new `String` (UTF-8, ASCII) or `Vec` of units, with
/// repairs.
///
/// The conversion never fails. The result is always well-formed. With [`Repair::REPLACE`],
/// ill-formed UTF-8 becomes one U+FFFD for each maximal subpart, as in [`String::from_utf8_lossy`]
/// and the decoders of the WHATWG Encoding Standard.
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
    convert_to_new::<A, B>(None, src, repair)
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
    let to_vec = const { &LossyConversionToVec::of_pair::<A, B>() };
    owned::append_lossy_to::<B>(None, to_vec, repair, view::bytes(src), out)
}

/// Converts as much of `src` from `A` to `B` as fits into `dst`, with repairs.
///
/// The conversion goes as far as possible. Neither a character nor a replacement is split.
/// [`measure_lossy`](crate::measure_lossy) returns the exact size of the whole result, and
/// [`max_len_lossy`](crate::max_len_lossy) a size that is always enough. Lengths are in code units
/// (bytes for schemes). `dst[written..]` is unspecified. `dst` may be uninitialised: see
/// [`Output`].
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
    dst: &mut (impl Output<B::Unit> + ?Sized),
) -> LossyProgress {
    Kernel::active().transcode_lossy_into::<A, B>(src, repair, dst)
}

impl Kernel {
    /// Calls [`transcode_lossy`] on this kernel.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode_lossy<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
    ) -> Repaired<B::Owned> {
        convert_to_new::<A, B>(Some(self), src, repair)
    }

    /// Calls [`transcode_lossy_append`] on this kernel.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode_lossy_append<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
        out: &mut B::Owned,
    ) -> usize {
        let to_vec = const { &LossyConversionToVec::of_pair::<A, B>() };
        owned::append_lossy_to::<B>(Some(self), to_vec, repair, view::bytes(src), out)
    }

    /// Calls [`transcode_lossy_into`] on this kernel.
    #[inline]
    pub fn transcode_lossy_into<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
        dst: &mut (impl Output<B::Unit> + ?Sized),
    ) -> LossyProgress {
        let conversion = const { &LossyConversion::for_pair(A::SCHEME, B::SCHEME) };
        // SAFETY: the kernels write only initialised values.
        let output = view::bytes_uninit_mut(unsafe { dst.uninit_mut() });
        let units = const { Units::for_types::<A::Unit, B::Unit>() };
        convert_into(conversion, view::bytes(src), repair, output, self).in_units(units)
    }
}

impl Scheme {
    /// Converts `src` to the scheme `to` with repairs and appends the result to `out`. Returns the
    /// number of repairs: [`transcode_lossy_append`] for encodings chosen at run time.
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
            &LossyConversionToVec::for_pair(self, to, 1),
            repair,
            src,
            VecMut::U8(out),
        )
    }

    /// Converts as much of `src` to the scheme `to` as fits into `dst`, with repairs:
    /// [`transcode_lossy_into`] for encodings chosen at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme, Stop};
    ///
    /// let mut dst = [0; 3];
    /// let (from, to) = (Scheme::Ascii, Scheme::Latin1);
    /// let progress = from.transcode_lossy_into(b"a\xFF", to, Repair::REPLACE, &mut dst);
    /// assert_eq!((&dst[..progress.written], progress.stop), (&b"a?"[..], Stop::Done));
    /// ```
    #[inline]
    pub fn transcode_lossy_into(
        self,
        src: &[u8],
        to: Self,
        repair: Repair,
        dst: &mut (impl Output<u8> + ?Sized),
    ) -> LossyProgress {
        // SAFETY: the kernels write only initialised values.
        self.convert_lossy_into(src, to, repair, unsafe { dst.uninit_mut() })
    }

    /// Implements [`transcode_lossy_into`](Self::transcode_lossy_into). This function is not
    /// generic, so it is compiled once.
    fn convert_lossy_into(
        self,
        src: &[u8],
        to: Self,
        repair: Repair,
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyProgress {
        convert_into(&LossyConversion::for_pair(self, to), src, repair, dst, Kernel::active())
    }
}

impl LossyProgress {
    /// Converts this progress from bytes to units.
    #[inline]
    pub(crate) const fn in_units(self, units: Units) -> Self {
        let (read, written) = units.of_bytes(self.read, self.written);
        Self { read, written, ..self }
    }
}

/// Implements [`transcode_lossy_into`], with lengths in bytes. Well-formed text needs only
/// the strict conversion.
#[inline]
pub(crate) fn convert_into<C: StrictConversion>(
    conversion: &C,
    src: &[u8],
    repair: Repair,
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> LossyProgress {
    let reach = if src.is_empty() {
        Reach { read: 0, written: 0 }
    } else {
        conversion.reach(kernel, src, dst)
    };
    if reach.read < src.len() {
        return into_from(conversion, src, repair, dst, reach, kernel);
    }
    LossyProgress { read: reach.read, written: reach.written, repairs: 0, stop: Stop::Done }
}

/// Continues with repairs from `reach`, where the strict conversion stopped.
#[cold]
#[inline(never)]
fn into_from<C: StrictConversion>(
    conversion: &C,
    src: &[u8],
    repair: Repair,
    dst: &mut [MaybeUninit<u8>],
    Reach { read, written }: Reach,
    kernel: Kernel,
) -> LossyProgress {
    let mut run = LossyRun::new(*conversion, repair.into());
    let reach = run.run_after(kernel, &src[read..], &mut dst[written..], false, Some(read));
    let total = reach.after(read, written);
    // Repairs never fail, so the output is full if not all has been read.
    let stop = if total.read < src.len() { Stop::OutputFull } else { Stop::Done };
    LossyProgress { read: total.read, written: total.written, repairs: total.repairs, stop }
}

/// Implements [`transcode_lossy`] on `kernel`, or on the active kernel if it is `None`.
#[cfg(feature = "alloc")]
#[inline]
fn convert_to_new<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    repair: Repair,
) -> Repaired<B::Owned> {
    let to_vec = const { &LossyConversionToVec::of_pair::<A, B>() };
    let src = view::bytes(src);
    if let Some(units) = owned::new_short(kernel, &to_vec.strict, src) {
        // SAFETY: a `String` is made only of bytes that were converted to UTF-8.
        return Repaired { text: unsafe { B::Owned::of_units(units) }, repairs: 0 };
    }
    let mut text = B::Owned::default();
    let repairs = owned::append_lossy_to::<B>(kernel, to_vec, repair, src, &mut text);
    Repaired { text, repairs }
}
