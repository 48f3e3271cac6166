//! Answers many queries of positions in one text. It keeps counts at checkpoints, one for each KiB
//! of the text, so that a query reads at most a few KiB.
//!
//! A checkpoint has three 16-bit counts. They are relative to the last checkpoint with absolute
//! counts: every 32nd checkpoint has them. The checkpoints take 6 bytes for each 1,024 bytes of
//! text, and 24 more for each 32,768 bytes: less than 0.7 %. A text of less than a KiB has no
//! checkpoints, and its index allocates no memory.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::types::counts::{CHECKPOINT_BYTES, Counts};
use crate::types::position::{LineEnds, Metric, Position};
use crate::utf8::boundary::floor_boundary;
use crate::utf8::position::{end_of, find_code_point, find_utf16_unit, measure, newlines};
use crate::{generic, scalar};

/// The number of checkpoints in a group. The first checkpoint of a group has absolute counts. An
/// ill-formed byte may count as two units; even then, the relative counts fit into 16 bits.
const GROUP_CHECKPOINTS: usize = 32;
const _: () = assert!(2 * CHECKPOINT_BYTES * (GROUP_CHECKPOINTS - 1) <= u16::MAX as usize);

/// Selects one of the counts.
#[derive(Clone, Copy)]
enum CountKind {
    CodePoints,
    Utf16Units,
    Lines,
}

impl<N: Copy> Counts<N> {
    /// Returns one of the counts.
    #[inline]
    fn get(&self, count: CountKind) -> N {
        match count {
            CountKind::CodePoints => self.code_points,
            CountKind::Utf16Units => self.utf16_units,
            CountKind::Lines => self.lines,
        }
    }
}

impl Counts<usize> {
    /// Adds the counts of a block.
    #[inline]
    fn add(&mut self, block: Counts<u16>) {
        self.code_points += usize::from(block.code_points);
        self.utf16_units += usize::from(block.utf16_units);
        self.lines += usize::from(block.lines);
    }

    /// Returns the difference from `base`, which is the start of the same group. So it fits into 16
    /// bits.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "each count of a group is below 65,536")]
    fn relative_to(&self, base: &Self) -> Counts<u16> {
        Counts {
            code_points: (self.code_points - base.code_points) as u16,
            utf16_units: (self.utf16_units - base.utf16_units) as u16,
            lines: (self.lines - base.lines) as u16,
        }
    }
}

/// An index of a text in UTF-8, for many queries of positions. Its methods have the names and the
/// results of the functions of [`utf8`](crate::utf8) and of [`Lines`](crate::utf8::Lines), on
/// ill-formed text too.
///
/// Construction reads the text once, and takes about as long as two or three counts of code points.
/// The index takes at most 1 % of the memory
/// of the text. A query costs a binary search of the checkpoints, and reads up to 1 KiB of the text
/// at most four times. The cost does not depend on the position or on the length of the lines.
///
/// The text is borrowed, so it cannot change while the index exists. To own both, or to edit the
/// text, index segments of the text, or use the functions of [`utf8`](crate::utf8) and
/// [`Lines`](crate::utf8::Lines) directly: they read megabytes in much less than a millisecond.
///
/// ```
/// use utflane::{Index, Metric, Position};
///
/// let text = "fn π() {}\n// 😀\n".repeat(10_000);
/// let index = Index::new(text.as_bytes());
/// assert_eq!(index.len(Metric::Utf16), 160_000);
/// assert_eq!(index.lines(), 20_001);
///
/// let offset = index.offset_of(80_000, Metric::Utf16).unwrap();
/// assert_eq!(offset, 95_000);
/// let position = index.position_of(offset, Metric::Utf16).unwrap();
/// assert_eq!(position, Position { line: 10_000, column: 0 });
/// assert!(index.size() * 100 < text.len());
/// ```
#[derive(Clone)]
pub struct Index<'a> {
    src: &'a [u8],
    kernel: Kernel,
    /// The absolute counts at each checkpoint that begins a group, except for checkpoint 0.
    groups: Box<[Counts<usize>]>,
    /// The counts at each checkpoint except for checkpoint 0, relative to the start of its group.
    blocks: Box<[Counts<u16>]>,
    /// The counts of the whole text.
    total: Counts<usize>,
    /// The rule for line ends.
    ends: LineEnds,
}

impl<'a> Index<'a> {
    /// Creates an index of `src`, which need not be well-formed.
    #[must_use]
    pub fn new(src: &'a [u8]) -> Self {
        Self::with_kernel(Kernel::active(), src)
    }

    /// Creates an index with a kernel, which queries use too.
    #[must_use]
    pub fn with_kernel(kernel: Kernel, src: &'a [u8]) -> Self {
        let blocks = src.as_chunks::<CHECKPOINT_BYTES>().0;
        let mut counts = vec![Counts::default(); blocks.len()];
        count_blocks(kernel, blocks, &mut counts);
        Self::with_counts(src, kernel, counts)
    }

    /// Creates an index from the counts of each whole block.
    pub(crate) fn with_counts(src: &'a [u8], kernel: Kernel, mut blocks: Vec<Counts<u16>>) -> Self {
        let mut groups = Vec::with_capacity(blocks.len() / GROUP_CHECKPOINTS);
        let (mut total, mut base) = (Counts::default(), Counts::default());
        for (block_index, block) in blocks.iter_mut().enumerate() {
            total.add(*block);
            // The checkpoint after the last block of a group belongs to the next group.
            if (block_index + 1).is_multiple_of(GROUP_CHECKPOINTS) {
                groups.push(total);
                base = total;
            }
            *block = total.relative_to(&base);
        }
        let rest = src.as_chunks::<CHECKPOINT_BYTES>().1;
        total.code_points += measure(rest, Metric::CodePoints, kernel);
        total.utf16_units += measure(rest, Metric::Utf16, kernel);
        total.lines += newlines(rest, kernel);
        let (groups, blocks) = (groups.into_boxed_slice(), blocks.into_boxed_slice());
        Self { src, kernel, groups, blocks, total, ends: LineEnds::Lf }
    }

    /// Returns the same index with another rule for line ends. The methods for lines and positions
    /// then have the results of [`utf8::Lines`](crate::utf8::Lines). This reads the text once more.
    ///
    /// ```
    /// use utflane::{Index, LineEnds, Metric, Position};
    ///
    /// let index = Index::new(b"ab\r\ncd\ref").with_line_ends(LineEnds::Lsp);
    /// assert_eq!(index.lines(), 3);
    /// let end = index.offset_at(Position { line: 0, column: 99 }, Metric::Utf16);
    /// assert_eq!(end, Some(2)); // before the `\r\n`
    /// ```
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a group has less than 65,536 bytes")]
    pub fn with_line_ends(mut self, ends: LineEnds) -> Self {
        self.ends = ends;
        let (mut lines, mut base) = (0, 0);
        for (block_index, block) in self.blocks.iter_mut().enumerate() {
            let end = CHECKPOINT_BYTES * (block_index + 1);
            let start = ends.floor(self.src, end - CHECKPOINT_BYTES);
            lines += ends.count(&self.src[start..ends.floor(self.src, end)], self.kernel);
            if (block_index + 1).is_multiple_of(GROUP_CHECKPOINTS) {
                self.groups[block_index / GROUP_CHECKPOINTS].lines = lines;
                base = lines;
            }
            block.lines = (lines - base) as u16;
        }
        let rest_start = ends.floor(self.src, CHECKPOINT_BYTES * self.blocks.len());
        self.total.lines = lines + ends.count(&self.src[rest_start..], self.kernel);
        self
    }

    /// Returns the text.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &'a [u8] {
        self.src
    }

    /// Returns the number of bytes of memory that the checkpoints use.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of_val(&*self.groups) + size_of_val(&*self.blocks)
    }

    /// Returns the length of the text in `metric`.
    #[must_use]
    #[inline]
    pub fn len(&self, metric: Metric) -> usize {
        match metric {
            Metric::Bytes => self.src.len(),
            Metric::CodePoints => self.total.code_points,
            Metric::Utf16 => self.total.utf16_units,
        }
    }

    /// Returns the number of lines: the number of line ends plus one. Line ends are line feeds,
    /// unless [`with_line_ends`](Self::with_line_ends) has set another rule.
    #[must_use]
    #[inline]
    pub fn lines(&self) -> usize {
        self.total.lines + 1
    }

    /// Returns the same as [`utf8::offset_of`](crate::utf8::offset_of).
    #[must_use]
    pub fn offset_of(&self, n: usize, metric: Metric) -> Option<usize> {
        if n > self.len(metric) {
            return None;
        }
        match metric {
            Metric::Bytes => Some(floor_boundary(self.src, n)),
            Metric::CodePoints => self.find(n, CountKind::CodePoints, find_code_point),
            Metric::Utf16 => self.find(n, CountKind::Utf16Units, find_utf16_unit),
        }
    }

    /// Returns the same as [`utf8::index_of`](crate::utf8::index_of).
    #[must_use]
    pub fn index_of(&self, offset: usize, metric: Metric) -> Option<usize> {
        (offset <= self.src.len()).then(|| self.index_inside(offset, metric))
    }

    /// Returns the same as [`index_of`](Self::index_of), for an offset that is at most the length
    /// of the text.
    fn index_inside(&self, offset: usize, metric: Metric) -> usize {
        let end = floor_boundary(self.src, offset);
        let count = match metric {
            Metric::Bytes => return end,
            Metric::CodePoints => CountKind::CodePoints,
            Metric::Utf16 => CountKind::Utf16Units,
        };
        let part = &self.src[end / CHECKPOINT_BYTES * CHECKPOINT_BYTES..end];
        self.count_before(end / CHECKPOINT_BYTES, count) + measure(part, metric, self.kernel)
    }

    /// Returns the same as [`utf8::Lines::line_of`](crate::utf8::Lines::line_of).
    #[must_use]
    pub fn line_of(&self, offset: usize) -> Option<usize> {
        if offset > self.src.len() {
            return None;
        }
        let offset = self.ends.floor(self.src, offset);
        let part = &self.src[offset / CHECKPOINT_BYTES * CHECKPOINT_BYTES..offset];
        Some(
            self.count_before(offset / CHECKPOINT_BYTES, CountKind::Lines)
                + self.ends.count(part, self.kernel),
        )
    }

    /// Returns the same as [`utf8::Lines::line_start`](crate::utf8::Lines::line_start).
    #[must_use]
    pub fn line_start(&self, line: usize) -> Option<usize> {
        let Some(end_index) = line.checked_sub(1) else { return Some(0) };
        if end_index >= self.total.lines {
            return None;
        }
        let find = |src: &[u8], n, kernel| self.ends.find(src, n, kernel);
        self.find(end_index, CountKind::Lines, find).map(|line_end| line_end + 1)
    }

    /// Returns the same as [`utf8::Lines::position_of`](crate::utf8::Lines::position_of).
    #[must_use]
    pub fn position_of(&self, offset: usize, metric: Metric) -> Option<Position> {
        if offset > self.src.len() {
            return None;
        }
        let offset = self.ends.floor(self.src, offset);
        let block = offset / CHECKPOINT_BYTES * CHECKPOINT_BYTES;
        let part = &self.src[block..offset];
        let line_ends = self.ends.count(part, self.kernel);
        let line = self.count_before(offset / CHECKPOINT_BYTES, CountKind::Lines) + line_ends;
        if line_ends > 0 {
            // The line begins in the same block.
            let start = self.ends.last_line_start(part, line_ends, self.kernel);
            let start = block + start;
            let part = &self.src[start..floor_boundary(self.src, offset)];
            return Some(Position { line, column: measure(part, metric, self.kernel) });
        }
        let start_index = self.index_inside(self.line_start(line)?, metric);
        Some(Position { line, column: self.index_inside(offset, metric) - start_index })
    }

    /// Returns the same as [`utf8::Lines::offset_at`](crate::utf8::Lines::offset_at).
    #[must_use]
    pub fn offset_at(&self, position: Position, metric: Metric) -> Option<usize> {
        let start = self.line_start(position.line)?;
        let next = self.line_start(position.line + 1);
        let end = next.map_or(self.src.len(), |next| self.ends.len_without_end(&self.src[..next]));
        let n = self.index_inside(start, metric).saturating_add(position.column);
        Some(self.offset_of(n, metric).map_or(end, |offset| offset.min(end)))
    }

    /// Returns the absolute count at a checkpoint.
    #[inline]
    fn count_before(&self, checkpoint: usize, count: CountKind) -> usize {
        let Some(block) = checkpoint.checked_sub(1) else { return 0 };
        let group = match (checkpoint / GROUP_CHECKPOINTS).checked_sub(1) {
            Some(group) => self.groups[group].get(count),
            None => 0,
        };
        group + usize::from(self.blocks[block].get(count))
    }

    /// Returns the last checkpoint whose absolute count is at most `n`.
    #[inline]
    fn find_checkpoint(&self, n: usize, count: CountKind) -> usize {
        let group = self.groups.partition_point(|group| group.get(count) <= n);
        let base = group.checked_sub(1).map_or(0, |group| self.groups[group].get(count));
        // Checkpoint `k` is `blocks[k - 1]`, so this slice has the checkpoints of the group except
        // for its first, which is checkpoint `GROUP_CHECKPOINTS * group`.
        let first_block = GROUP_CHECKPOINTS * group;
        let blocks =
            &self.blocks[first_block..self.blocks.len().min(first_block + GROUP_CHECKPOINTS - 1)];
        first_block + blocks.partition_point(|block| base + usize::from(block.get(count)) <= n)
    }

    /// Returns the offset of code point, UTF-16 unit or line end `n`, as `count` selects, or the
    /// end of the text if it has exactly `n`.
    #[inline]
    fn find(
        &self,
        n: usize,
        count: CountKind,
        find_in_block: impl FnOnce(&[u8], usize, Kernel) -> Result<usize, usize>,
    ) -> Option<usize> {
        let checkpoint = self.find_checkpoint(n, count);
        let start = CHECKPOINT_BYTES * checkpoint;
        let block = &self.src[start..self.src.len().min(start + CHECKPOINT_BYTES)];
        let n_in_block = n - self.count_before(checkpoint, count);
        end_of(block, n_in_block, find_in_block(block, n_in_block, self.kernel))
            .map(|offset| start + offset)
    }
}

impl fmt::Debug for Index<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("kernel", &self.kernel)
            .field("bytes", &self.src.len())
            .field("total", &self.total)
            .field("checkpoints", &self.blocks.len())
            .finish()
    }
}

/// Counts the code points, UTF-16 units and line feeds of each block.
#[inline(never)]
pub(crate) fn count_blocks(
    kernel: Kernel,
    blocks: &[[u8; CHECKPOINT_BYTES]],
    counts: &mut [Counts<u16>],
) {
    dispatch!(kernel, wide if blocks.as_flattened().len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::count_blocks(blocks, counts),
        |V, token, blocks, counts| generic::count::index::count_blocks::<V>(token, blocks, counts));
}
