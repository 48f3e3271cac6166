//! Positions in UTF-16: conversions between code points and offsets, and boundaries. Comparison in
//! code point order.

use core::cmp::Ordering;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::run::dispatch;
use crate::encoding::types::{Encoding, Utf16};
use crate::encoding::view;
use crate::{generic, scalar};

/// Returns true if `unit` is a high surrogate.
#[inline]
fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

/// Returns true if `unit` is a low surrogate.
#[inline]
fn is_low(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// Returns the offset, in units, of code point `n` of a text, counted from zero. If the text has
/// exactly `n` code points, returns the length of `src`. If the text has fewer, returns `None`.
///
/// `src` need not be well-formed. Every unit that is not a low surrogate begins a code point, as in
/// [`count`](crate::count), and an unpaired low surrogate belongs to the code point before it.
///
/// ```
/// use utflane::utf16;
///
/// let text: Vec<u16> = "a😀!".encode_utf16().collect();
/// assert_eq!(utf16::offset_of(&text, 2), Some(3));
/// assert_eq!(utf16::offset_of(&text, 3), Some(4)); // the end
/// assert_eq!(utf16::offset_of(&text, 4), None);
/// ```
#[must_use]
#[inline]
pub fn offset_of(src: &[u16], n: usize) -> Option<usize> {
    Kernel::active().utf16_offset_of(src, n)
}

/// Returns the number of code points before an offset, or `None` if the offset is after the end. An
/// offset inside a surrogate pair counts as the start of the pair.
///
/// `src` need not be well-formed: see [`offset_of`].
///
/// ```
/// use utflane::utf16;
///
/// let text: Vec<u16> = "a😀!".encode_utf16().collect();
/// assert_eq!(utf16::index_of(&text, 3), Some(2));
/// assert_eq!(utf16::index_of(&text, 2), Some(1)); // inside the smile
/// assert_eq!(utf16::index_of(&text, 5), None);
/// ```
#[must_use]
#[inline]
pub fn index_of(src: &[u16], offset: usize) -> Option<usize> {
    Kernel::active().utf16_index_of(src, offset)
}

/// Returns true if a text can be split at `offset` without splitting a surrogate pair. Returns
/// `false` if `offset` is after the end.
///
/// ```
/// use utflane::utf16;
///
/// let text = [0xD83D, 0xDE00, 0xDE00]; // 😀, an unpaired surrogate
/// let boundaries = [0, 1, 2, 3, 4].map(|offset| utf16::is_boundary(&text, offset));
/// assert_eq!(boundaries, [true, false, true, true, false]);
/// ```
#[must_use]
#[inline]
pub fn is_boundary(src: &[u16], offset: usize) -> bool {
    match offset.checked_sub(1).map(|before| src.get(before..=offset)) {
        None => true,
        Some(Some(pair)) => !(is_high(pair[0]) && is_low(pair[1])),
        Some(None) => offset == src.len(),
    }
}

/// Returns the last [boundary](is_boundary) that is not after `offset`. If `offset` is after the
/// end, returns the end.
///
/// ```
/// let text = [0x61, 0xD83D, 0xDE00];
/// assert_eq!(utflane::utf16::floor_boundary(&text, 2), 1);
/// ```
#[must_use]
#[inline]
pub fn floor_boundary(src: &[u16], offset: usize) -> usize {
    let offset = offset.min(src.len());
    offset - usize::from(!is_boundary(src, offset))
}

/// Returns the first [boundary](is_boundary) that is not before `offset`. If `offset` is after the
/// end, returns the end.
///
/// ```
/// let text = [0x61, 0xD83D, 0xDE00];
/// assert_eq!(utflane::utf16::ceil_boundary(&text, 2), 3);
/// ```
#[must_use]
#[inline]
pub fn ceil_boundary(src: &[u16], offset: usize) -> usize {
    let offset = offset.min(src.len());
    offset + usize::from(!is_boundary(src, offset))
}

/// Compares two texts in code point order, which is the order of their bytes in UTF-8.
///
/// `a.cmp(b)` has a different order: surrogate pairs encode the greatest code points, but the units
/// U+E000..=U+FFFF are greater than surrogates. An unpaired surrogate counts as the code point with
/// its value. So any two texts have an order, and only equal texts compare as equal.
///
/// ```
/// use std::cmp::Ordering;
/// use utflane::utf16;
///
/// let [a, b] = ["ﬁ", "😀"].map(|text| text.encode_utf16().collect::<Vec<u16>>());
/// assert_eq!(utf16::compare(&a, &b), Ordering::Less);
/// assert_eq!("ﬁ".cmp("😀"), Ordering::Less);
/// assert_eq!(a.cmp(&b), Ordering::Greater);
/// ```
#[must_use]
#[inline]
pub fn compare(a: &[u16], b: &[u16]) -> Ordering {
    // Most texts differ in the first unit.
    if let (Some(first), Some(second)) = (a.first(), b.first())
        && first != second
    {
        return compare_at(a, b, 0);
    }
    Kernel::active().utf16_compare(a, b)
}

/// The functions of [`utf16`](mod@crate::utf16) for positions, on a kernel.
impl Kernel {
    /// Calls [`utf16::offset_of`](crate::utf16::offset_of) on this kernel.
    #[doc(hidden)]
    #[must_use]
    pub fn utf16_offset_of(self, src: &[u16], n: usize) -> Option<usize> {
        match find_code_point(view::bytes(src), n, self) {
            Ok(offset) => Some(offset / 2),
            Err(count) => (count == n).then_some(src.len()),
        }
    }

    /// Calls [`utf16::index_of`](crate::utf16::index_of) on this kernel.
    #[doc(hidden)]
    #[must_use]
    pub fn utf16_index_of(self, src: &[u16], offset: usize) -> Option<usize> {
        let prefix = || view::bytes(&src[..floor_boundary(src, offset)]);
        (offset <= src.len()).then(|| (const { pairs::count(Utf16::SCHEME) })(prefix(), self))
    }

    /// Calls [`utf16::compare`](crate::utf16::compare) on this kernel.
    #[doc(hidden)]
    #[must_use]
    pub fn utf16_compare(self, a: &[u16], b: &[u16]) -> Ordering {
        let len = a.len().min(b.len());
        compare_at(
            a,
            b,
            common_prefix_len(view::bytes(&a[..len]), view::bytes(&b[..len]), self) / 2,
        )
    }
}

/// Returns the order of two texts that are equal before `offset`. At `offset` they differ, or one
/// of them ends.
fn compare_at(a: &[u16], b: &[u16], offset: usize) -> Ordering {
    match (a.get(offset), b.get(offset)) {
        (Some(_), Some(_)) => rank_in_order(a, offset).cmp(&rank_in_order(b, offset)),
        _ => a.len().cmp(&b.len()),
    }
}

/// Returns a number for the unit at `offset`, the first unit at which two texts differ. The numbers
/// of the two texts compare in code point order: surrogates in pairs have greater numbers than all
/// other units. If the unit is the low surrogate of a pair, the other text has the same high
/// surrogate before `offset`, which is either unpaired or in a pair with a different low surrogate.
fn rank_in_order(text: &[u16], offset: usize) -> u32 {
    let unit = text[offset];
    let in_pair = is_high(unit) && text.get(offset + 1).is_some_and(|&next| is_low(next))
        || is_low(unit) && offset.checked_sub(1).is_some_and(|before| is_high(text[before]));
    u32::from(unit) | u32::from(in_pair) << 16
}

/// Returns the byte offset of code point `n`, or `Err` with the number of code points if there are
/// too few.
#[inline(never)]
fn find_code_point(src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::position::find_code_point_of_utf16(src, n),
        |V, token, src, n| generic::position::utf16::code_point::<V>(token, src, n))
}

/// Returns the length in bytes of the common prefix of two texts of equal length.
#[inline(never)]
fn common_prefix_len(a: &[u8], b: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(a.len()),
        scalar => scalar::position::common_prefix_len(a, b),
        |V, token, a, b| generic::position::utf8::common::<V>(token, a, b))
}
