//! Finds the ill-formed rows of a column in one pass over its values.
//!
//! 1. Rows that follow each other are one text. Validate a block of them at once.
//! 2. In a well-formed block, a row is ill-formed only if a bound splits a character: test the byte
//!    after each bound. Skip this for ASCII.
//! 3. If a bound splits a character, validate the rows on both sides of it alone.
//! 4. If the block has an error, validate the rows before it in this way, and a few rows after it
//!    one by one, because errors come in groups.

use core::ops::{ControlFlow, Range};

use crate::columns::rows::RowBounds;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::dispatch::pairs::table::Conversion;
use crate::dispatch::pairs::validation::Validation;
use crate::encoding::scheme::Scheme;
use crate::scalar::utf8::is_continuation;
use crate::types::position::LOOKUP_MAX_BYTES;

/// Bytes of a block, which stays in the nearest cache between its validation and the test of its
/// bounds.
const FIND_BLOCK_BYTES: usize = LOOKUP_MAX_BYTES;

/// Bytes after an error in which rows are validated one by one.
const AFTER_ERROR_BYTES: usize = 64;

/// A search for ill-formed rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) kernel: Kernel,
    pub(crate) validation: Validation,
}

/// Receives the ill-formed rows, in order.
pub(crate) trait Found: FnMut(usize) -> ControlFlow<()> {}

impl<F: FnMut(usize) -> ControlFlow<()>> Found for F {}

/// The test for bounds that split a character, by the character after the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitTest {
    /// No bound does: each unit is a character.
    Nothing,
    /// A bound before a continuation byte.
    Continuation,
    /// A bound before a continuation byte, or between two surrogates of three bytes.
    ContinuationOrPair,
    /// A bound before a low surrogate. The value is the offset of the high byte in the unit.
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

    /// Returns true if a bound before byte `at` splits a character of well-formed text. Returns
    /// false at the end.
    #[inline(always)]
    fn is_at(self, text: &[u8], at: usize) -> bool {
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
    fn is_at_any(
        self,
        text: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        kernel: Kernel,
    ) -> bool {
        // The first bound is the start of the text, and the last is its end.
        let mut between = range.start + 1..range.end + 1;
        match self {
            Self::Nothing => false,
            Self::Continuation => bounds.any_continuation(text, between, kernel),
            cut => between.any(|row| cut.is_at(text, bounds.bound(row))),
        }
    }
}

/// Returns the first bound between the rows of `range`, or at their end, that splits a character of
/// a text that `conversion` has converted as a whole.
pub(crate) fn first_split(
    conversion: Conversion,
    values: &[u8],
    bounds: &impl RowBounds,
    range: Range<usize>,
    kernel: Kernel,
) -> Option<usize> {
    let Conversion { from, to, .. } = conversion;
    let cut =
        SplitTest::for_scheme(if to.has_surrogates() { from } else { from.without_surrogates() });
    let text = values;
    if !cut.is_at_any(text, bounds, range.clone(), kernel) {
        return None;
    }
    (range.start + 1..=range.end).find(|&row| cut.is_at(text, bounds.bound(row)))
}

/// Returns true if each row of `range` has whole units of the scheme.
#[inline(always)]
pub(crate) fn has_whole_units(
    scheme: Scheme,
    bounds: &impl RowBounds,
    range: Range<usize>,
) -> bool {
    let (unit, start) = (scheme.unit_size(), bounds.bound(range.start));
    unit == 1 || range.fold(0, |rest, row| rest | (bounds.bound(row) - start)).is_multiple_of(unit)
}

impl Search {
    /// Returns true if a text is well-formed.
    #[inline]
    pub(crate) fn is_well_formed(&self, text: &[u8]) -> bool {
        text.is_empty() || self.validation.check(self.kernel, text).is_ok()
    }

    /// Calls `found` with each ill-formed row of `range`. The rows follow each other in `values`.
    #[inline(never)]
    pub(crate) fn run_blocks(
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
            first = self.run_block(values, bounds, first..end, found)?;
        }
        ControlFlow::Continue(())
    }

    /// Finds the ill-formed rows of a block, up to the end or a few rows after an error. Returns
    /// the next row.
    #[inline(always)]
    fn run_block(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        found: &mut impl Found,
    ) -> ControlFlow<(), usize> {
        let (start, end) = (bounds.bound(range.start), bounds.bound(range.end));
        let text = &values[start..end];
        let mut ascii = 0;
        if self.is_ascii_transparent() {
            match check_ascii(text, self.kernel) {
                Ok(()) => return ControlFlow::Continue(range.end),
                Err(known) => ascii = known,
            }
        }
        if !has_whole_units(self.validation.scheme, bounds, range.clone()) {
            self.run_singly(values, bounds, range.clone(), found)?;
            return ControlFlow::Continue(range.end);
        }
        let Err(error) = self.validation.run(self.kernel, &text[ascii..]) else {
            self.run_split(values, bounds, range.clone(), end, found)?;
            return ControlFlow::Continue(range.end);
        };
        let at = start + ascii + error.valid_up_to();
        let bad = bounds.rows_within(range.start, at).min(range.end - 1);
        self.run_split(values, bounds, range.start..bad, at, found)?;
        let near = bounds
            .rows_within(bad, at.saturating_add(AFTER_ERROR_BYTES))
            .max(bad + 1)
            .min(range.end);
        self.run_singly(values, bounds, bad..near, found)?;
        ControlFlow::Continue(near)
    }

    /// Returns true if ASCII is well-formed, and a byte of ASCII is always a character.
    fn is_ascii_transparent(&self) -> bool {
        matches!(self.validation.scheme, Scheme::Utf8 | Scheme::Wtf8 | Scheme::Cesu8)
    }

    /// Finds the rows whose bounds split characters, in text that is well-formed up to `end`. The
    /// last row ends by `end`.
    #[inline(always)]
    fn run_split(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        end: usize,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        let cut = SplitTest::for_scheme(self.validation.scheme);
        let text = &values[..end];
        if !cut.is_at_any(text, bounds, range.clone(), self.kernel) {
            return ControlFlow::Continue(());
        }
        self.run_suspects(values, bounds, range, &|at| cut.is_at(text, at), found)
    }

    /// Validates the rows next to bounds that split characters.
    #[cold]
    #[inline(never)]
    fn run_suspects(
        &self,
        values: &[u8],
        bounds: &impl RowBounds,
        range: Range<usize>,
        is_cut: &dyn Fn(usize) -> bool,
        found: &mut impl Found,
    ) -> ControlFlow<()> {
        for row in range {
            let (start, end) = (bounds.bound(row), bounds.bound(row + 1));
            if (is_cut(start) || is_cut(end)) && !self.is_well_formed(&values[start..end]) {
                found(row)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Validates rows one by one.
    #[inline(never)]
    fn run_singly(
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
