//! Lengths of texts after their repairs, and the number of repairs.
//!
//! 1. Validate and measure the text up to the first error, which is faster than a conversion.
//! 2. From the error on, convert into a discarded output, which gives the length and the number of
//!    repairs, until a segment had no repairs. Continue with 1.

use core::mem::MaybeUninit;

use crate::dispatch::function::Measure;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::encoding::scheme::{Scheme, max_expansion};
use crate::encoding::types::Encoding;
use crate::encoding::view;
use crate::lossy::plan::{LossyConversion, LossyRun};
use crate::scalar;
use crate::types::policy::{IllFormed, Repair, Unmappable};

/// The length of a text after its repairs, and their number: see [`measure_lossy`].
///
/// ```
/// use utflane::{RepairedLen, Repair, Utf8, measure_lossy};
///
/// let RepairedLen { len, repairs } = measure_lossy::<Utf8, Utf8>(b"a\xFFb", Repair::REPLACE);
/// assert_eq!((len, repairs), (5, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RepairedLen {
    /// Code units of the converted text (bytes for schemes).
    pub len: usize,
    /// Repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
}

/// Returns the number of code units of `B` (bytes for schemes) that `src` becomes with these
/// repairs.
///
/// Exact for any text; [`len`](crate::len) is exact for well-formed text only. Where the text is
/// well-formed and `B` has every character, the cost is the cost of a validation and of
/// [`len`](crate::len); elsewhere of a conversion, whose output is discarded.
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

/// Returns the number of code units of `B` (bytes for schemes) that `src` becomes with these
/// repairs, and the number of repairs, which is zero if and only if [`transcode`](crate::transcode)
/// succeeds.
///
/// Both are exact for any text: the same as of [`len_lossy`] and of
/// [`transcode_lossy`](crate::transcode_lossy). It costs what [`len_lossy`] costs.
///
/// ```
/// use utflane::{measure_lossy, Repair, Utf16, Utf8};
///
/// let measured = measure_lossy::<Utf16, Utf8>(&[0xD800, 0x21], Repair::REPLACE);
/// assert_eq!((measured.len, measured.repairs), (4, 1));
/// let measured = measure_lossy::<Utf16, Utf8>(&[0xD83D, 0xDE00], Repair::REPLACE);
/// assert_eq!((measured.len, measured.repairs), (4, 0));
/// ```
#[must_use]
#[inline]
pub fn measure_lossy<A: Encoding, B: Encoding>(src: &[A::Unit], repair: Repair) -> RepairedLen {
    Kernel::active().measure_lossy::<A, B>(src, repair)
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
    let most = most_per_unit(A::SCHEME, B::SCHEME, repair);
    match units.checked_mul(most) {
        Some(units) => units.checked_mul(to),
        None => None,
    }
}

/// Returns the most code units of `to` that a code unit of `from`, or a fragment of one, becomes
/// with these repairs.
pub(crate) const fn most_per_unit(from: Scheme, to: Scheme, repair: Repair) -> usize {
    let strict = max_expansion(from, to);
    let ill_formed = match repair.ill_formed {
        IllFormed::Replace(c) => units_of(c, to),
        IllFormed::Skip if !(from.has_surrogates() && to.has_surrogates()) => 0,
        // The larger of U+0080 to U+00FF (bytes read as Latin-1) and U+FFFD.
        _ => units_of(char::REPLACEMENT_CHARACTER, to),
    };
    // `&#1114111;`, ten bytes, for one unit or more. Only Latin-1 and ASCII lack characters.
    let unmappable = match (repair.unmappable, to) {
        (Unmappable::NumericReference, Scheme::Latin1 | Scheme::Ascii) => 10,
        _ => 0,
    };
    let most = if strict > ill_formed { strict } else { ill_formed };
    if most > unmappable { most } else { unmappable }
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
    /// [`len_lossy`] on this kernel.
    #[must_use]
    #[inline]
    pub fn len_lossy<A: Encoding, B: Encoding>(self, src: &[A::Unit], repair: Repair) -> usize {
        self.measure_lossy::<A, B>(src, repair).len
    }

    /// [`measure_lossy`] on this kernel.
    #[must_use]
    #[inline]
    pub fn measure_lossy<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        repair: Repair,
    ) -> RepairedLen {
        let measurement = const { &LossyMeasurement::for_pair(A::SCHEME, B::SCHEME) };
        measure(measurement, view::bytes(src), repair, size_of::<B::Unit>(), self)
    }
}

impl Scheme {
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
        self.measure_lossy(src, to, repair).len
    }

    /// Returns the number of bytes of the scheme `to` that `src` becomes with these repairs, and
    /// the number of repairs: [`measure_lossy`] at run time.
    ///
    /// ```
    /// use utflane::{Repair, Scheme};
    ///
    /// let measured = Scheme::Utf8.measure_lossy(b"a\xFF", Scheme::Utf16Be, Repair::REPLACE);
    /// assert_eq!((measured.len, measured.repairs), (4, 1));
    /// ```
    #[must_use]
    pub fn measure_lossy(self, src: &[u8], to: Self, repair: Repair) -> RepairedLen {
        measure(&LossyMeasurement::for_pair(self, to), src, repair, 1, Kernel::active())
    }
}

/// The functions that measure the repaired text of a pair: a constant of each pair.
struct LossyMeasurement {
    conversion: LossyConversion,
    to: Scheme,
    /// The functions for well-formed text, or `None` if the target lacks characters.
    clean: Option<CleanMeasurement>,
}

/// The functions that find well-formed text and measure it.
#[derive(Clone, Copy)]
struct CleanMeasurement {
    validation: Validation,
    len: Measure,
}

impl LossyMeasurement {
    /// Returns the functions of a pair.
    const fn for_pair(from: Scheme, to: Scheme) -> Self {
        let clean = if to.largest() == char::MAX as u32 {
            // Only between schemes with unpaired surrogates are these well-formed.
            let source = if to.has_surrogates() { from } else { from.without_surrogates() };
            Some(CleanMeasurement { validation: validation(source), len: pairs::len(from, to) })
        } else {
            None
        };
        Self { conversion: LossyConversion::for_pair(from, to), to, clean }
    }
}

impl CleanMeasurement {
    /// Returns a number of bytes at the start of `src` that are well-formed, and their length.
    fn run(self, kernel: Kernel, src: &[u8]) -> (usize, usize) {
        let front = match self.validation.check(kernel, src) {
            Ok(()) => src,
            // The end of the text known to be well-formed may split a character.
            Err(known) => &src[..scalar::floor_boundary(self.validation.scheme, &src[..known])],
        };
        (front.len(), (self.len)(front, kernel))
    }
}

/// Bytes of the discarded output of [`measure`].
const SCRATCH: usize = 4096;

/// [`measure_lossy`], in units of `unit_size` bytes. The length saturates, and counts units: on
/// 32-bit machines the bytes of 1.1 GB in UTF-32 are more than a `usize` holds.
#[inline(never)]
fn measure(
    measurement: &LossyMeasurement,
    src: &[u8],
    repair: Repair,
    unit_size: usize,
    kernel: Kernel,
) -> RepairedLen {
    let LossyMeasurement { conversion, to, clean } = measurement;
    let each = to.unit_size() / unit_size;
    let mut lossy = LossyRun::new(*conversion, repair.into());
    let mut scratch = [MaybeUninit::uninit(); SCRATCH];
    let (mut read, mut measured, mut is_clean) = (0_usize, RepairedLen::default(), true);
    loop {
        if is_clean && let Some(clean) = clean {
            let (front, len) = clean.run(kernel, &src[read..]);
            read += front;
            measured.len = measured.len.saturating_add(len.saturating_mul(each));
        }
        if read == src.len() {
            return measured;
        }
        let reach = lossy.run(kernel, &src[read..], &mut scratch, false);
        read += reach.read;
        measured.len = measured.len.saturating_add(reach.written / unit_size);
        measured.repairs += reach.repairs;
        is_clean = reach.repairs == 0;
    }
}
