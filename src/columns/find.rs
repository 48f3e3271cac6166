//! Finds the ill-formed rows of a column in one pass over its values.
//!
//! 1. Rows that follow each other form one text. Validate a block of rows with one call.
//! 2. In a well-formed block, a row is ill-formed only if a bound splits a character: test the byte
//!    after each bound. Skip this for ASCII.
//! 3. If a bound splits a character, validate the row before the bound and the row after the bound,
//!    each as a text of its own.
//! 4. If the block has an error, treat the rows before the error like a well-formed block. Then
//!    validate a few rows one by one, because errors come in groups.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use crate::columns::offset::Offset;
use crate::columns::offset::sealed::Bounds;
use crate::columns::rows::AdjacentRows;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::dispatch::pairs::table::Conversion;
use crate::dispatch::pairs::validation::Validation;
use crate::encoding::scheme::Scheme;
use crate::scalar::utf8::is_continuation;

/// The number of bytes of a block. A block of this size is still in the L1 cache when its bounds
/// are tested.
const FIND_BLOCK_BYTES: usize = 32 * 1024;

/// The number of bytes after an error in which rows are validated one by one.
const AFTER_ERROR_BYTES: usize = 64;

/// A search for ill-formed rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) kernel: Kernel,
    pub(crate) validation: Validation,
}

/// A function that receives the ill-formed rows, in order, and can stop the search.
pub(crate) trait Found: FnMut(usize) -> ControlFlow<()> {}

impl<F: FnMut(usize) -> ControlFlow<()>> Found for F {}

/// How to test if a bound splits a character: by the bytes after the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitTest {
    /// No bound splits a character, because each unit is a character.
    Nothing,
    /// A bound splits a character if a continuation byte follows it.
    Continuation,
    /// A bound splits a character if a continuation byte follows it, or if it is between two
    /// surrogates of three bytes each.
    ContinuationOrPair,
    /// A bound splits a character if a low surrogate follows it. The value is the offset of the
    /// high byte in the unit.
    Pair(usize),
}

impl SplitTest {
    /// Returns the test for a scheme.
    const fn for_scheme(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Utf8 | Scheme::Wtf8 => Self::Continuation,
            Scheme::Cesu8 | Scheme::Mutf8 => Self::ContinuationOrPair,
            Scheme::Utf16Le => Self::Pair(1),
            Scheme::Utf16Be => Self::Pair(0),
            // In WTF-16, an unpaired surrogate is well-formed.
            Scheme::Wtf16Le
            | Scheme::Wtf16Be
            | Scheme::Utf32Le
            | Scheme::Utf32Be
            | Scheme::Latin1
            | Scheme::Ascii => Self::Nothing,
        }
    }

    /// Returns true if a bound at byte offset `at` of well-formed text splits a character. Returns
    /// false if `at` is the end of the text.
    #[inline(always)]
    fn splits_at(self, text: &[u8], at: usize) -> bool {
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        match self {
            Self::Nothing => false,
            Self::Continuation => is_continuation(byte(at)),
            Self::ContinuationOrPair => {
                is_continuation(byte(at)) || byte(at) == 0xED && byte(at + 1) >= 0xB0
            }
            Self::Pair(high) => byte(at + high) & 0xFC == 0xDC,
        }
    }

    /// Returns true if a bound of the rows of `range` splits a character of `text`, which begins
    /// with the first of these rows. `ends` provides memory for the bounds.
    #[inline(always)]
    fn splits_at_any(
        self,
        text: &[u8],
        rows: &AdjacentRows<'_>,
        range: Range<usize>,
        ends: &mut Vec<usize>,
    ) -> bool {
        let indexes = range.start..range.end + 1;
        match (self, rows.bounds) {
            (Self::Nothing, _) => false,
            // Units of a byte have these continuation bytes, so the offsets count bytes.
            (Self::Continuation, Bounds::Offsets32(offsets, _)) => {
                any_continuation(text, &offsets[indexes])
            }
            (Self::Continuation, Bounds::Offsets64(offsets, _)) => {
                any_continuation(text, &offsets[indexes])
            }
            _ => {
                rows.write_ends(range, ends);
                ends.iter().any(|&end| self.splits_at(text, end))
            }
        }
    }
}

/// Returns true if one of `offsets` is the offset of a continuation byte. The offsets are sorted,
/// and `text` begins at the first of them.
#[inline(never)]
fn any_continuation<O: Offset>(text: &[u8], offsets: &[O]) -> bool {
    // In a continuation byte, bit 7 is set and bit 6 is clear. No branch depends on the byte, and
    // only the bitwise or depends on the byte before. Values of 32 bits avoid partial register
    // writes.
    let mark_in_bit_7 = |byte: u8| u32::from(byte) & !(u32::from(byte) << 1);
    let Some(&origin) = offsets.first() else { return false };
    let after_origin = |offset: O| offset.to_size() - origin.to_size();
    let (mut ored, (groups, rest)) = (0, offsets.as_chunks::<8>());
    for eight in groups {
        let eight = eight.map(after_origin);
        match text.get(eight[0]..).and_then(<[u8]>::first_chunk::<256>) {
            // If rows are short, the index has eight bits and needs no bounds check.
            Some(window) if eight[7] - eight[0] < 256 => {
                for at in eight {
                    #[expect(clippy::cast_possible_truncation, reason = "less than 256")]
                    let at = (at - eight[0]) as u8;
                    ored |= mark_in_bit_7(window[usize::from(at)]);
                }
            }
            _ => {
                for at in eight {
                    ored |= text.get(at).map_or(0, |&byte| mark_in_bit_7(byte));
                }
            }
        }
    }
    for &offset in rest {
        ored |= text.get(after_origin(offset)).map_or(0, |&byte| mark_in_bit_7(byte));
    }
    ored & 0x80 != 0
}

/// Returns true if ASCII text is well-formed in `scheme`, and a byte below 0x80 always is that
/// ASCII character.
pub(crate) fn is_ascii_transparent(scheme: Scheme) -> bool {
    use Scheme::{Ascii, Cesu8, Latin1, Utf8, Wtf8};
    matches!(scheme, Utf8 | Latin1 | Ascii | Cesu8 | Wtf8)
}

/// Returns the number of rows of `range` before the first end of a row that splits a character of
/// `text`, which begins with these rows. `conversion` has converted them as one text. `ends`
/// provides memory for their ends.
pub(crate) fn rows_before_split(
    conversion: Conversion,
    text: &[u8],
    rows: &AdjacentRows<'_>,
    range: Range<usize>,
    ends: &mut Vec<usize>,
) -> usize {
    let Conversion { from, to, .. } = conversion;
    let test =
        SplitTest::for_scheme(if to.has_surrogates() { from } else { from.without_surrogates() });
    if !test.splits_at_any(text, rows, range.clone(), ends) {
        return range.len();
    }
    rows.write_ends(range, ends);
    ends.iter().position(|&end| test.splits_at(text, end)).unwrap_or(ends.len())
}

/// Returns true if the length of each row of `range` is a multiple of the unit size of the scheme.
/// `ends` provides memory for their ends.
#[inline(always)]
pub(crate) fn has_whole_units(
    scheme: Scheme,
    rows: &AdjacentRows<'_>,
    range: Range<usize>,
    ends: &mut Vec<usize>,
) -> bool {
    let unit = scheme.unit_size();
    if unit == 1 {
        return true;
    }
    rows.write_ends(range, ends);
    // The unit size is a power of two, so the ends can be or-ed and tested once.
    ends.iter().fold(0, |bits, end| bits | end).is_multiple_of(unit)
}

impl Search {
    /// Returns true if a text is well-formed.
    #[inline]
    pub(crate) fn is_well_formed(&self, text: &[u8]) -> bool {
        text.is_empty() || self.validation.check(self.kernel, text).is_ok()
    }

    /// Calls `found` with each ill-formed row of `range`.
    #[inline(never)]
    pub(crate) fn search_blocks(
        &self,
        rows: &AdjacentRows<'_>,
        range: Range<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let mut ends = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let end = rows.block_end(first..range.end, FIND_BLOCK_BYTES);
            first = self.search_block(rows, first..end, &mut ends, found)?;
        }
        ControlFlow::Continue(())
    }

    /// Finds the ill-formed rows of a block, up to its end, or up to a few rows after an error.
    /// Returns the row after these.
    #[inline(always)]
    fn search_block(
        &self,
        rows: &AdjacentRows<'_>,
        range: Range<usize>,
        ends: &mut Vec<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<(), usize> {
        let text = rows.text(range.clone());
        let mut ascii_len = 0;
        if is_ascii_transparent(self.validation.scheme) {
            match check_ascii(text, self.kernel) {
                Ok(()) => return ControlFlow::Continue(range.end),
                Err(len) => ascii_len = len,
            }
        }
        if range.len() == 1 {
            self.validate_one_by_one(rows, range.clone(), found)?;
            return ControlFlow::Continue(range.end);
        }
        if !has_whole_units(self.validation.scheme, rows, range.clone(), ends) {
            self.validate_one_by_one(rows, range.clone(), found)?;
            return ControlFlow::Continue(range.end);
        }
        let Err(error) = self.validation.run(self.kernel, &text[ascii_len..]) else {
            self.search_split_rows(text, rows, range.clone(), ends, found)?;
            return ControlFlow::Continue(range.end);
        };
        let valid_len = ascii_len + error.valid_up_to();
        let at = rows.bound(range.start) + valid_len;
        let ill_formed = rows.rows_within(range.clone(), at).min(range.end - 1);
        self.search_split_rows(&text[..valid_len], rows, range.start..ill_formed, ends, found)?;
        let limit = at.saturating_add(AFTER_ERROR_BYTES);
        let one_by_one_end = rows.rows_within(ill_formed..range.end, limit).max(ill_formed + 1);
        self.validate_one_by_one(rows, ill_formed..one_by_one_end, found)?;
        ControlFlow::Continue(one_by_one_end)
    }

    /// Finds the rows of `range` that are ill-formed because a bound splits a character. `text` is
    /// well-formed and begins with the first of these rows.
    #[inline(always)]
    fn search_split_rows(
        &self,
        text: &[u8],
        rows: &AdjacentRows<'_>,
        range: Range<usize>,
        ends: &mut Vec<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let test = SplitTest::for_scheme(self.validation.scheme);
        if !test.splits_at_any(text, rows, range.clone(), ends) {
            return ControlFlow::Continue(());
        }
        self.validate_split_rows(text, rows, range, test, found)
    }

    /// Validates the rows next to bounds that split characters: see
    /// [`search_split_rows`](Self::search_split_rows).
    #[cold]
    #[inline(never)]
    fn validate_split_rows(
        &self,
        text: &[u8],
        rows: &AdjacentRows<'_>,
        range: Range<usize>,
        test: SplitTest,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let origin = rows.bound(range.start);
        for row in range {
            let (start, end) = (rows.bound(row) - origin, rows.bound(row + 1) - origin);
            if (test.splits_at(text, start) || test.splits_at(text, end))
                && !self.is_well_formed(&text[start..end])
            {
                found(row)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Validates rows one by one.
    #[inline(never)]
    fn validate_one_by_one(
        &self,
        rows: &AdjacentRows<'_>,
        range: Range<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        for row in range {
            if !self.is_well_formed(rows.row(row)) {
                found(row)?;
            }
        }
        ControlFlow::Continue(())
    }
}
