//! Computes the lengths of texts after repairs, and the number of repairs.
//!
//! 1. Validate and measure the text up to the first error, which is faster than a conversion.
//! 2. From the error on, convert segments into an output that is discarded, and add up their
//!    lengths and repairs. After a segment without repairs, continue with 1.

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
    /// The number of code units of the converted text (bytes for schemes).
    pub len: usize,
    /// The number of repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
}

/// Returns the number of code units of `B` (bytes for schemes) that `src` becomes with these
/// repairs, and the number of repairs, which is zero if and only if [`transcode`](crate::transcode)
/// succeeds.
///
/// Both numbers are exact for any text; [`len`](crate::len) is exact for well-formed text only. If
/// `B` has every character, well-formed text costs as much as its validation and
/// [`len`](crate::len). Other text costs as much as its conversion; the output is discarded.
///
/// ```
/// use utflane::{measure_lossy, Repair, Utf16, Utf8};
///
/// assert_eq!(measure_lossy::<Utf8, Utf16>(b"\xF0\x9F\x98!", Repair::REPLACE).len, 2);
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

/// Returns the maximum number of code units of `B` that `units` code units of `A` can become with
/// these repairs, or `None` if this number overflows `usize`. For schemes, both numbers are in
/// bytes, as in [`max_len`](crate::max_len).
///
/// ```
/// use utflane::{max_len_lossy, Repair, Utf16, Utf8};
///
/// // Each byte may become U+FFFD.
/// assert_eq!(max_len_lossy::<Utf8, Utf8>(10, Repair::REPLACE), Some(30));
/// assert_eq!(max_len_lossy::<Utf8, Utf16>(10, Repair::REPLACE), Some(10));
/// ```
#[must_use]
pub const fn max_len_lossy<A: Encoding, B: Encoding>(
    units: usize,
    repair: Repair,
) -> Option<usize> {
    let from_units = A::SCHEME.unit_size() / size_of::<A::Unit>();
    let to_units = B::SCHEME.unit_size() / size_of::<B::Unit>();
    // An incomplete code unit is one repair.
    let units = units.div_ceil(from_units);
    let max_per_unit = max_units_per_unit(A::SCHEME, B::SCHEME, repair);
    match units.checked_mul(max_per_unit) {
        Some(units) => units.checked_mul(to_units),
        None => None,
    }
}

/// Returns the maximum number of code units of `to` that a code unit of `from`, or an incomplete
/// code unit, becomes with these repairs.
pub(crate) const fn max_units_per_unit(from: Scheme, to: Scheme, repair: Repair) -> usize {
    let strict = max_expansion(from, to);
    let ill_formed = match repair.ill_formed {
        IllFormed::Replace(c) => units_of(c, to),
        IllFormed::Skip if !(from.has_surrogates() && to.has_surrogates()) => 0,
        // A byte that is read as Latin-1 becomes U+0080 to U+00FF, which is never longer than
        // U+FFFD.
        _ => units_of(char::REPLACEMENT_CHARACTER, to),
    };
    // `&#1114111;`, ten bytes, for one unit or more. Only Latin-1 and ASCII lack characters.
    let unmappable = match (repair.unmappable, to) {
        (Unmappable::NumericReference, Scheme::Latin1 | Scheme::Ascii) => 10,
        _ => 0,
    };
    let max = if strict > ill_formed { strict } else { ill_formed };
    if max > unmappable { max } else { unmappable }
}

/// Returns the number of code units of a character.
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
    /// Calls [`measure_lossy`] on this kernel.
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
    /// Returns the number of bytes of the scheme `to` that `src` becomes with these repairs, and
    /// the number of repairs: [`measure_lossy`] for encodings chosen at run time.
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

/// The functions that measure repaired text. Each pair of encodings has a constant of this type.
struct LossyMeasurement {
    conversion: LossyConversion,
    to: Scheme,
    /// The functions that validate and measure well-formed text, or `None` if the target lacks
    /// characters.
    clean: Option<(Validation, Measure)>,
}

impl LossyMeasurement {
    /// Returns the functions of a pair.
    const fn for_pair(from: Scheme, to: Scheme) -> Self {
        let clean = if to.largest() == char::MAX as u32 {
            // Unpaired surrogates are well-formed only if both schemes can represent them.
            let source = if to.has_surrogates() { from } else { from.without_surrogates() };
            Some((validation(source), pairs::len(from, to)))
        } else {
            None
        };
        Self { conversion: LossyConversion::for_pair(from, to), to, clean }
    }
}

/// The size of the discarded output of [`measure`], in bytes.
const SCRATCH_BYTES: usize = 4096;

/// Computes the result of [`measure_lossy`], with a length in units of `unit_size` bytes. The
/// length saturates. It is not in bytes, because on 32-bit machines 1.1 GB of text may have more
/// bytes in UTF-32 than `usize` can hold.
#[inline(never)]
fn measure(
    measurement: &LossyMeasurement,
    src: &[u8],
    repair: Repair,
    unit_size: usize,
    kernel: Kernel,
) -> RepairedLen {
    let LossyMeasurement { conversion, to, clean } = measurement;
    let units_per_code_unit = to.unit_size() / unit_size;
    let mut lossy = LossyRun::new(*conversion, repair.into());
    let mut scratch = [MaybeUninit::uninit(); SCRATCH_BYTES];
    let (mut read, mut measured, mut is_clean) = (0_usize, RepairedLen::default(), true);
    loop {
        if is_clean && let Some((validation, len)) = clean {
            let mut prefix = &src[read..];
            if let Err(valid_len) = validation.check(kernel, prefix) {
                // The end of the text that is known to be well-formed may split a character.
                let end = scalar::floor_boundary(validation.scheme, &prefix[..valid_len]);
                prefix = &prefix[..end];
            }
            read += prefix.len();
            let len = len(prefix, kernel);
            measured.len = measured.len.saturating_add(len.saturating_mul(units_per_code_unit));
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
