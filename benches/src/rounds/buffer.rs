//! Inputs and outputs at known offsets in a page, so that the allocator's choices don't change the
//! speed of a run.

use rand::RngExt;
use rand::rngs::StdRng;

/// The size of a page in bytes. Some processors compare only the low bits of addresses: they
/// confuse a load with an earlier store if the distance of their addresses is a multiple of this
/// size.
const PAGE_BYTES: usize = 4096;

/// The size of a cache line in bytes. The addresses of an output differ by multiples of it.
const LINE_BYTES: usize = 64;

/// Bytes that begin at a chosen offset in a page. They can be viewed as units of any size.
pub struct Buffer {
    storage: Vec<u8>,
    /// The offset of the first byte in `storage`.
    start: usize,
    /// The number of bytes.
    len: usize,
}

impl Buffer {
    /// Copies `bytes` into a buffer for input. The copy begins 64 bytes after the start of a page.
    #[must_use]
    pub fn input(bytes: &[u8]) -> Self {
        let mut buffer = Self::new(bytes.len(), LINE_BYTES);
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }

    /// Makes a buffer of `len` bytes for output. It begins in the second half of a page, far from
    /// the offset of the input in its page.
    #[must_use]
    pub fn output(len: usize) -> Self {
        Self::new(len, PAGE_BYTES / 2 + LINE_BYTES)
    }

    fn new(len: usize, offset: usize) -> Self {
        // The bytes are not zero, so that the memory is allocated before anything is timed.
        let storage = vec![0xAA; len + 2 * PAGE_BYTES];
        let start = storage.as_ptr().align_offset(PAGE_BYTES) + offset;
        Self { storage, start, len }
    }

    /// Moves an output to another cache line. Its offset in a page still differs from the offset of
    /// the input by at least a quarter of a page.
    ///
    /// At some addresses, each call waits for the stores of the call before it, as if a load of the
    /// function's constants depended on these stores. The address changes from round to round, so
    /// that few rounds have such an address, and the median does not depend on them.
    pub fn relocate(&mut self, rng: &mut StdRng) {
        let page_start = self.storage.as_ptr().align_offset(PAGE_BYTES);
        let lines = PAGE_BYTES / 4 / LINE_BYTES..PAGE_BYTES * 3 / 4 / LINE_BYTES;
        self.start = page_start + LINE_BYTES + LINE_BYTES * rng.random_range(lines);
    }

    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.len]
    }

    /// Returns the bytes, for writing.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..self.start + self.len]
    }
}
