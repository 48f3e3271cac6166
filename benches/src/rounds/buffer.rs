//! Inputs and outputs at known offsets in a page, so that the allocator's choices don't change the
//! speed of a run.

use rand::RngExt;
use rand::rngs::StdRng;

/// A page: the distance at which loads and stores are confused by processors that compare only the
/// low address bits.
const PAGE: usize = 4096;

/// A cache line: the distance between two addresses of an output.
const LINE: usize = 64;

/// Bytes that begin at a chosen offset in a page, seen as units of any size.
pub struct Buffer {
    storage: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// A copy of `bytes`, for input: it begins 64 bytes into a page.
    #[must_use]
    pub fn input(bytes: &[u8]) -> Self {
        let mut buffer = Self::new(bytes.len(), LINE);
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }

    /// `len` bytes for output. They begin in the other half of a page, away from the start of the
    /// input.
    #[must_use]
    pub fn output(len: usize) -> Self {
        Self::new(len, PAGE / 2 + LINE)
    }

    fn new(len: usize, offset: usize) -> Self {
        // Not zero, so that the pages exist before anything is timed.
        let storage = vec![0xAA; len + 2 * PAGE];
        let start = storage.as_ptr().align_offset(PAGE) + offset;
        Self { storage, start, len }
    }

    /// Puts an output at another cache line, still a quarter of a page or more away from the start
    /// of the input.
    ///
    /// At some addresses each call waits for the stores of the one before, as if a load of the
    /// function's constants depended on them. The address changes from round to round, so the
    /// median is the median of usual addresses.
    pub fn relocate(&mut self, rng: &mut StdRng) {
        let page = self.storage.as_ptr().align_offset(PAGE);
        let lines = PAGE / 4 / LINE..PAGE * 3 / 4 / LINE;
        self.start = page + LINE + LINE * rng.random_range(lines);
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.len]
    }

    /// The bytes, to write.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..self.start + self.len]
    }
}
