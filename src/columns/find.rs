//! Finds the ill-formed rows of a column in one pass over its values.
//!
//! 1. Rows that follow each other form one text. Validate a block of rows with one call.
//! 2. In a well-formed block, a row is ill-formed only if a bound splits a character: test the byte
//!    after each bound. Skip this for ASCII.
//! 3. If a bound splits a character, validate the row before the bound and the row after the bound,
//!    each as a text of its own.
//! 4. If the block has an error, treat the rows before the error like a well-formed block. Then
//!    validate a few rows one by one, because errors come in groups.

use core::ops::{ControlFlow, Range};

use crate::columns::rows::RowBounds;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
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

    /// Returns true if one of the bounds between the rows of `range` splits a character of `text`.
    #[inline(always)]
    fn splits_at_any(
        self,
        text: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        kernel: Kernel,
    ) -> bool {
        // No test is needed for the first bound, which is the start of the block. The last bound is
        // the end of the rows, where the text may continue.
        let mut between = range.start + 1..range.end + 1;
        match self {
            Self::Nothing => false,
            Self::Continuation => bounds.any_continuation(text, between, kernel),
            test => between.any(|row| test.splits_at(text, bounds.bound(row))),
        }
    }
}

/// Returns the index of the first bound that splits a character, among the bounds between the rows
/// of `range` and the bound at their end. `conversion` has converted these rows as one text.
pub(crate) fn first_split(
    conversion: Conversion,
    values: &[u8],
    bounds: &impl RowBounds,
    range: Range<usize>,
    kernel: Kernel,
) -> Option<usize> {
    let Conversion { from, to, .. } = conversion;
    let test =
        SplitTest::for_scheme(if to.has_surrogates() { from } else { from.without_surrogates() });
    let text = values;
    if !test.splits_at_any(text, bounds, range.clone(), kernel) {
        return None;
    }
    (range.start + 1..=range.end).find(|&row| test.splits_at(text, bounds.bound(row)))
}

/// Returns true if the length of each row of `range` is a multiple of the unit size of the scheme.
#[inline(always)]
pub(crate) fn has_whole_units(
    scheme: Scheme,
    bounds: &impl RowBounds,
    range: Range<usize>,
) -> bool {
    let (unit, start) = (scheme.unit_size(), bounds.bound(range.start));
    // The unit size is a power of two, so the offsets can be or-ed and tested once.
    unit == 1 || range.fold(0, |bits, row| bits | (bounds.bound(row) - start)).is_multiple_of(unit)
}

impl Search {
    /// Returns true if a text is well-formed.
    #[inline]
    pub(crate) fn is_well_formed(&self, text: &[u8]) -> bool {
        text.is_empty() || self.validation.check(self.kernel, text).is_ok()
    }

    /// Calls `found` with each ill-formed row of `range`. The rows follow each other in `values`.
    #[inline(never)]
    pub(crate) fn search_blocks(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let mut first = range.start;
        while first < range.end {
            let limit = bounds.bound(first).saturating_add(FIND_BLOCK_BYTES);
            let within = bounds.rows_within(first, limit).max(first + 1);
            let end = within.min(range.end);
            first = self.search_block(values, bounds, first..end, found)?;
        }
        ControlFlow::Continue(())
    }

    /// Finds the ill-formed rows of a block, up to its end, or up to a few rows after an error.
    /// Returns the row after these.
    #[inline(always)]
    fn search_block(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<(), usize> {
        let (start, end) = (bounds.bound(range.start), bounds.bound(range.end));
        let text = &values[start..end];
        let mut ascii_len = 0;
        if self.is_ascii_transparent() {
            match check_ascii(text, self.kernel) {
                Ok(()) => return ControlFlow::Continue(range.end),
                Err(len) => ascii_len = len,
            }
        }
        if !has_whole_units(self.validation.scheme, bounds, range.clone()) {
            self.validate_one_by_one(values, bounds, range.clone(), found)?;
            return ControlFlow::Continue(range.end);
        }
        let Err(error) = self.validation.run(self.kernel, &text[ascii_len..]) else {
            self.search_split_rows(values, bounds, range.clone(), end, found)?;
            return ControlFlow::Continue(range.end);
        };
        let at = start + ascii_len + error.valid_up_to();
        let bad = bounds.rows_within(range.start, at).min(range.end - 1);
        self.search_split_rows(values, bounds, range.start..bad, at, found)?;
        let one_by_one_end = bounds
            .rows_within(bad, at.saturating_add(AFTER_ERROR_BYTES))
            .max(bad + 1)
            .min(range.end);
        self.validate_one_by_one(values, bounds, bad..one_by_one_end, found)?;
        ControlFlow::Continue(one_by_one_end)
    }

    /// Returns true if ASCII text is well-formed, and a byte below 0x80 always is an ASCII
    /// character.
    fn is_ascii_transparent(&self) -> bool {
        matches!(self.validation.scheme, Scheme::Utf8 | Scheme::Wtf8 | Scheme::Cesu8)
    }

    /// Finds the rows that are ill-formed because a bound splits a character. The text is
    /// well-formed up to `end`, and the last row ends at `end` or before it.
    #[inline(always)]
    fn search_split_rows(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        end: usize,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let test = SplitTest::for_scheme(self.validation.scheme);
        let text = &values[..end];
        if !test.splits_at_any(text, bounds, range.clone(), self.kernel) {
            return ControlFlow::Continue(());
        }
        self.validate_split_rows(values, bounds, range, &|at| test.splits_at(text, at), found)
    }

    /// Validates the rows next to bounds that split characters.
    #[cold]
    #[inline(never)]
    fn validate_split_rows(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        splits_at: &dyn Fn(usize) -> bool,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        for row in range {
            let (start, end) = (bounds.bound(row), bounds.bound(row + 1));
            if (splits_at(start) || splits_at(end)) && !self.is_well_formed(&values[start..end]) {
                found(row)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Validates rows one by one.
    #[inline(never)]
    fn validate_one_by_one(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        for row in range {
            if !self.is_well_formed(&values[bounds.row(row)]) {
                found(row)?;
            }
        }
        ControlFlow::Continue(())
    }
}
