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

use crate::columns::rows::AdjacentRows;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::dispatch::pairs::row_bounds::any_continuation;
use crate::dispatch::pairs::table::Conversion;
use crate::dispatch::pairs::validation::Validation;
use crate::encoding::scheme::Scheme;
use crate::scalar::utf8::is_continuation;
use crate::types::position::LOOKUP_MAX_BYTES;

/// The number of bytes of a block. A block of this size is still in the L1 cache when its bounds
/// are tested.
const FIND_BLOCK_BYTES: usize = LOOKUP_MAX_BYTES;

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

    /// Returns true if one of `bounds` splits a character of `text`, which begins at the first of
    /// them.
    #[inline(always)]
    fn splits_at_any(self, text: &[u8], bounds: &[i32], kernel: Kernel) -> bool {
        match self {
            Self::Nothing => false,
            Self::Continuation => any_continuation(text, bounds, kernel),
            test => offsets(bounds).any(|at| test.splits_at(text, at)),
        }
    }
}

/// Returns the offsets of these bounds in a text that begins at the first of them.
fn offsets(bounds: &[i32]) -> impl Iterator<Item = usize> {
    bounds.iter().map(|bound| (bound - bounds[0]).cast_unsigned() as usize)
}

/// Returns the number of whole rows before the first of `bounds` that splits a character of `text`,
/// which begins at the first of them. `conversion` has converted these rows as one text.
pub(crate) fn rows_before_split(
    conversion: Conversion,
    text: &[u8],
    bounds: &[i32],
    kernel: Kernel,
) -> usize {
    let Conversion { from, to, .. } = conversion;
    let test =
        SplitTest::for_scheme(if to.has_surrogates() { from } else { from.without_surrogates() });
    let rows = bounds.len() - 1;
    if !test.splits_at_any(text, bounds, kernel) {
        return rows;
    }
    offsets(bounds).skip(1).position(|at| test.splits_at(text, at)).unwrap_or(rows)
}

/// Returns true if the length of each row between `bounds` is a multiple of the unit size of the
/// scheme.
#[inline(always)]
pub(crate) fn has_whole_units(scheme: Scheme, bounds: &[i32]) -> bool {
    let unit = scheme.unit_size();
    // The unit size is a power of two, so the offsets can be or-ed and tested once.
    unit == 1 || offsets(bounds).fold(0, |bits, at| bits | at).is_multiple_of(unit)
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
        let mut buffer = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let end = rows.block_end(first..range.end, FIND_BLOCK_BYTES);
            first = self.search_block(rows, first..end, &mut buffer, found)?;
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
        buffer: &mut Vec<i32>,
        found: &mut impl Found,
    ) -> ControlFlow<(), usize> {
        let text = rows.text(range.clone());
        let mut ascii_len = 0;
        if self.is_ascii_transparent() {
            match check_ascii(text, self.kernel) {
                Ok(()) => return ControlFlow::Continue(range.end),
                Err(len) => ascii_len = len,
            }
        }
        if range.len() == 1 {
            self.validate_one_by_one(rows, range.clone(), found)?;
            return ControlFlow::Continue(range.end);
        }
        let bounds = rows.block_bounds(range.clone(), buffer);
        if !has_whole_units(self.validation.scheme, bounds) {
            self.validate_one_by_one(rows, range.clone(), found)?;
            return ControlFlow::Continue(range.end);
        }
        let Err(error) = self.validation.run(self.kernel, &text[ascii_len..]) else {
            self.search_split_rows(text, bounds, range.start, found)?;
            return ControlFlow::Continue(range.end);
        };
        let valid_len = ascii_len + error.valid_up_to();
        let at = rows.bound(range.start) + valid_len;
        let ill_formed = rows.rows_within(range.clone(), at).min(range.end - 1);
        let bounds = &bounds[..=ill_formed - range.start];
        self.search_split_rows(&text[..valid_len], bounds, range.start, found)?;
        let limit = at.saturating_add(AFTER_ERROR_BYTES);
        let one_by_one_end = rows.rows_within(ill_formed..range.end, limit).max(ill_formed + 1);
        self.validate_one_by_one(rows, ill_formed..one_by_one_end, found)?;
        ControlFlow::Continue(one_by_one_end)
    }

    /// Returns true if ASCII text is well-formed, and a byte below 0x80 always is an ASCII
    /// character.
    fn is_ascii_transparent(&self) -> bool {
        matches!(self.validation.scheme, Scheme::Utf8 | Scheme::Wtf8 | Scheme::Cesu8)
    }

    /// Finds the rows between `bounds` that are ill-formed because a bound splits a character.
    /// `text` is well-formed and begins at the first bound, which is the start of row `first`.
    #[inline(always)]
    fn search_split_rows(
        &self,
        text: &[u8],
        bounds: &[i32],
        first: usize,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let test = SplitTest::for_scheme(self.validation.scheme);
        if !test.splits_at_any(text, bounds, self.kernel) {
            return ControlFlow::Continue(());
        }
        self.validate_split_rows(text, bounds, first, test, found)
    }

    /// Validates the rows next to bounds that split characters: see
    /// [`search_split_rows`](Self::search_split_rows).
    #[cold]
    #[inline(never)]
    fn validate_split_rows(
        &self,
        text: &[u8],
        bounds: &[i32],
        first: usize,
        test: SplitTest,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        for (row, (start, end)) in offsets(bounds).zip(offsets(bounds).skip(1)).enumerate() {
            if (test.splits_at(text, start) || test.splits_at(text, end))
                && !self.is_well_formed(&text[start..end])
            {
                found(first + row)?;
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
