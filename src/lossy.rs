//! The verbs that never fail: conversions that repair what is wrong, and say how often.

mod plan;

use core::convert::Infallible;
use core::mem::MaybeUninit;

use crate::encoding::{max_expansion, view};
#[cfg(feature = "alloc")]
use crate::owned::{Append, Buffer, LossyJob, Vec};
use crate::policy::{IllFormed, Repair, Unmappable};
use crate::progress::{Reach, Stop, Units};
use crate::{Encoding, Kernel, Scheme};

pub(crate) use plan::{Outcome, Plan, Route};

/// A text that has been repaired on the way, and how often.
///
/// ```
/// use utflane::{transcode_lossy, Repair, Repaired, Utf16, Utf8};
///
/// let Repaired { text, repairs } = transcode_lossy::<Utf8, Utf16>(b"a\xE2\x82b\xFF", Repair::REPLACE);
/// assert_eq!(text, [0x61, 0xFFFD, 0x62, 0xFFFD]);
/// assert_eq!(repairs, 2);
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired<T> {
    /// The text, well-formed.
    pub text: T,
    /// Repairs: ill-formed sequences and characters that the target doesn't have.
    pub repairs: usize,
}

/// How far a conversion with repairs came: as [`Progress`](crate::Progress), but that it can't stop with an error.
#[must_use = "a conversion may stop early: look at `stop`"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LossyProgress {
    /// Code units of the input that have been converted or repaired.
    pub read: usize,
    /// Code units of the output that have been written.
    pub written: usize,
    /// Repairs: ill-formed sequences and characters that the target doesn't have.
    pub repairs: usize,
    /// [`Stop::Done`] or [`Stop::OutputFull`].
    pub stop: Stop<Infallible>,
}

/// Converts `src` from `A` to `B` into a new `String` (UTF-8, ASCII) or `Vec` of units, and repairs what is wrong.
///
/// With [`Repair::REPLACE`] ill-formed UTF-8 becomes what [`String::from_utf8_lossy`] makes of it, and what the decoders of
/// the web make of it: one U+FFFD for each maximal subpart. The result is always well-formed. A text without errors costs what
/// [`transcode`](crate::transcode) costs.
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
    owned::<A, B>(None, src, repair)
}

/// Converts `src` from `A` to `B`, repairs what is wrong, and appends the result to `out`. Says how many repairs were made.
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

/// Converts as much of `src` from `A` to `B` as fits into `dst`, and repairs what is wrong.
///
/// It goes as far as possible; neither a character nor what stands for one is divided. [`len_lossy`] says how much room
/// everything takes, [`max_len_lossy`] how much is always enough.
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

/// [`transcode_lossy_into`] for an output that need not be initialised. Afterwards `dst[..written]` is.
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

/// Code units of `B` (bytes for schemes) that `src` becomes with these repairs: exact for any text, as [`len`](crate::len) is
/// for well-formed text only. Costs a conversion.
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

/// The most code units of `B` that `units` code units of `A` can become with these repairs, or `None` if that overflows
/// `usize`. Counted as in [`max_len`](crate::max_len).
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
    // What is left of a unit is one repair.
    let units = units.div_ceil(from);
    let strict = max_expansion(A::SCHEME, B::SCHEME);
    let ill_formed = match repair.ill_formed {
        IllFormed::Replace(c) => units_of(c, B::SCHEME),
        IllFormed::Skip if !(A::SCHEME.has_surrogates() && B::SCHEME.has_surrogates()) => 0,
        // Of U+0080 to U+00FF, and U+FFFD.
        _ => units_of(char::REPLACEMENT_CHARACTER, B::SCHEME),
    };
    // Of the target encodings that don't have everything: `&#1114111;` for a character of one unit, or of more.
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

/// Code units of a character, or of what stands for it.
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
        owned::<A, B>(Some(self), src, repair)
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
        // SAFETY: the kernels write only values.
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
        let route = const { &Route::of(A::SCHEME, B::SCHEME) };
        let units = const { Units::of::<A::Unit, B::Unit>() };
        into(self, route, view::bytes(src), repair, view::bytes_uninit_mut(dst)).in_units(units)
    }

    /// [`len_lossy`] on this kernel.
    #[must_use]
    #[inline]
    pub fn len_lossy<A: Encoding, B: Encoding>(self, src: &[A::Unit], repair: Repair) -> usize {
        let route = const { &Route::of(A::SCHEME, B::SCHEME) };
        len(self, route, view::bytes(src), repair) / size_of::<B::Unit>()
    }
}

impl Scheme {
    /// Converts `src` to the scheme `to`, repairs what is wrong, and appends the result to `out`; says how many repairs were
    /// made: [`transcode_lossy_append`] at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme};
    ///
    /// let mut out = Vec::new();
    /// let repairs = Scheme::Utf16Be.transcode_lossy_append(b"\0a\xDC\0", Scheme::Utf8, Repair::REPLACE, &mut out);
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
        u8::append_lossy(None, &LossyJob::of(self, to, 1), repair, src, out)
    }

    /// Converts as much of `src` to the scheme `to` as fits into `dst`, and repairs what is wrong: [`transcode_lossy_into`] at
    /// run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme, Stop};
    ///
    /// let mut dst = [0; 3];
    /// let progress = Scheme::Ascii.transcode_lossy_into(b"a\xFF", Scheme::Latin1, Repair::REPLACE, &mut dst);
    /// assert_eq!((&dst[..progress.written], progress.stop), (&b"a?"[..], Stop::Done));
    /// ```
    pub fn transcode_lossy_into(
        self,
        src: &[u8],
        to: Self,
        repair: Repair,
        dst: &mut [u8],
    ) -> LossyProgress {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        into(Kernel::active(), &Route::of(self, to), src, repair, dst)
    }

    /// Bytes of the scheme `to` that `src` becomes with these repairs: [`len_lossy`] at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme};
    ///
    /// assert_eq!(Scheme::Utf8.len_lossy(b"a\xFF", Scheme::Utf8, Repair::REPLACE), 4);
    /// ```
    #[must_use]
    pub fn len_lossy(self, src: &[u8], to: Self, repair: Repair) -> usize {
        len(Kernel::active(), &Route::of(self, to), src, repair)
    }
}

impl LossyProgress {
    /// The same progress, given in bytes, in units.
    #[inline]
    const fn in_units(self, units: Units) -> Self {
        let (read, written) = units.of_bytes(self.read, self.written);
        Self { read, written, ..self }
    }
}

/// [`transcode_lossy_into_uninit`] in bytes. What is well-formed goes the way of the strict conversion, and no other.
#[inline]
fn into(
    kernel: Kernel,
    route: &Route,
    src: &[u8],
    repair: Repair,
    dst: &mut [MaybeUninit<u8>],
) -> LossyProgress {
    let reach = if src.is_empty() {
        Reach { read: 0, written: 0 }
    } else {
        route.strict().reach(kernel, src, dst)
    };
    if reach.read < src.len() {
        return into_behind(kernel, route, src, repair, dst, reach);
    }
    LossyProgress { read: reach.read, written: reach.written, repairs: 0, stop: Stop::Done }
}

/// The same, from where the strict conversion has stopped.
#[cold]
#[inline(never)]
fn into_behind(
    kernel: Kernel,
    route: &Route,
    src: &[u8],
    repair: Repair,
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> LossyProgress {
    let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
    let Outcome { read, written, repairs, .. } =
        Plan::new(*route, repair.into()).run_from(kernel, rest, room, false, true);
    // There is no other reason to stop.
    let stop = if read < rest.len() { Stop::OutputFull } else { Stop::Done };
    LossyProgress { read: reach.read + read, written: reach.written + written, repairs, stop }
}

/// Bytes of output that are thrown away at once.
const SCRATCH: usize = 4096;

/// [`len_lossy`] in bytes.
#[inline(never)]
fn len(kernel: Kernel, route: &Route, src: &[u8], repair: Repair) -> usize {
    let plan = Plan::new(*route, repair.into());
    let mut scratch = [MaybeUninit::uninit(); SCRATCH];
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let outcome = plan.run(kernel, &src[read..], &mut scratch, false);
        read += outcome.read;
        written += outcome.written;
    }
    written
}

/// [`transcode_lossy`] on a kernel, or on the active one.
#[cfg(feature = "alloc")]
#[inline]
fn owned<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    repair: Repair,
) -> Repaired<B::Owned> {
    let job = const { &LossyJob::of(A::SCHEME, B::SCHEME, size_of::<A::Unit>()) };
    let (units, repairs) =
        crate::owned::new_lossy::<B::Unit>(kernel, job, repair, view::bytes(src));
    // SAFETY: only what has been converted to UTF-8 becomes a `String`.
    let text = unsafe { B::Owned::of_units(units) };
    Repaired { text, repairs }
}

/// [`transcode_lossy_append`] on a kernel, or on the active one.
#[cfg(feature = "alloc")]
#[inline]
fn append<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    repair: Repair,
    out: &mut B::Owned,
) -> usize {
    let job = const { &LossyJob::of(A::SCHEME, B::SCHEME, size_of::<A::Unit>()) };
    // SAFETY: what is appended to a `String` has been converted to UTF-8, and its length grows by whole characters only.
    let units = unsafe { out.units_mut() };
    B::Unit::append_lossy(kernel, job, repair, view::bytes(src), units)
}
