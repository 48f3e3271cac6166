//! Memory between two inaccessible pages: a read or write outside by one byte ends the test process
//! at once.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::api::Api;
use super::oracle::{Expected, Outcome};
use super::pairs::Pair;

/// Pages of memory with an inaccessible page before and after them.
pub struct Guarded {
    base: *mut u8,
    /// The size of a page, in bytes.
    page_size: usize,
    /// The number of accessible bytes.
    len: usize,
}

impl Guarded {
    /// Maps memory with at least `min_len` accessible bytes.
    pub fn new(min_len: usize) -> Self {
        // SAFETY: `sysconf` has no preconditions; it only returns a number.
        let page_size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_size = usize::try_from(page_size).expect("a page size");
        let len = min_len.max(1).div_ceil(page_size) * page_size;
        let (flags, access) =
            (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: the system chooses the address of the new mapping, so no other memory is
        // affected.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), len + 2 * page_size, libc::PROT_NONE, flags, -1, 0)
        };
        assert_ne!(base, libc::MAP_FAILED, "mmap");
        let base = base.cast::<u8>();
        // SAFETY: the offset of one page is inside the new mapping.
        let start = unsafe { base.add(page_size) };
        // SAFETY: the pages are in the new mapping, and no other code has a pointer to them.
        let result = unsafe { libc::mprotect(start.cast(), len, access) };
        assert_eq!(result, 0, "mprotect");
        Self { base, page_size, len }
    }

    /// Returns the accessible bytes.
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the offset of one page is inside the mapping.
        let start = unsafe { self.base.add(self.page_size) };
        // SAFETY: `new` mapped these bytes for reading and writing, the system initialised them
        // with zeros, and the slice borrows `self` mutably.
        unsafe { std::slice::from_raw_parts_mut(start, self.len) }
    }

    /// Returns `len` bytes that begin directly after the first inaccessible page.
    pub fn first(&mut self, len: usize) -> &mut [u8] {
        self.part(0..len)
    }

    /// Returns `len` bytes that end directly before the last inaccessible page.
    pub fn last(&mut self, len: usize) -> &mut [u8] {
        let end = self.len;
        self.part(end - len..end)
    }

    /// Returns `len` bytes at the end of the accessible memory or, if not `at_end`, at its start.
    pub fn part_of(&mut self, len: usize, at_end: bool) -> &mut [u8] {
        if at_end { self.last(len) } else { self.first(len) }
    }

    /// Copies `src` to the end of the accessible memory or, if not `at_end`, to its start. Returns
    /// the copy.
    pub fn holding(&mut self, src: &[u8], at_end: bool) -> &mut [u8] {
        let part = self.part_of(src.len(), at_end);
        part.copy_from_slice(src);
        part
    }

    fn part(&mut self, range: Range<usize>) -> &mut [u8] {
        &mut self.bytes()[range]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and no slice of it outlives `self`.
        let result = unsafe { libc::munmap(self.base.cast(), self.len + 2 * self.page_size) };
        assert_eq!(result, 0, "munmap");
    }
}

/// Checks the conversion of `src` into an output of `capacity` bytes. Input and output are next to
/// the inaccessible page before or after their memory, in all four combinations. `expected` is the
/// result of the conversion into an unlimited output.
pub fn check_conversion(
    pair: &Pair,
    src: &[u8],
    expected: &Expected,
    (input, output): (&mut Guarded, &mut Guarded),
    capacity: usize,
) {
    let want = expected.within(capacity);
    for &api in Api::all() {
        for combination in 0..4 {
            let copy = input.holding(src, combination & 1 == 0);
            let dst = output.part_of(capacity, combination & 2 == 0);
            let check = |progress, dst: &[u8], name| {
                let got = Outcome::from_progress(
                    progress,
                    pair.from.element_bytes,
                    pair.to.element_bytes,
                );
                assert_eq!(got, want, "{name}, {pair}, {api:?} of {src:02X?}");
                assert_eq!(dst[..got.written], expected.out[..got.written], "{pair}, {api:?}");
            };
            let progress = pair.transcode_into(api, copy, dst);
            check(progress, dst, "transcode_into");
            if combination % 3 == 0 {
                // SAFETY: the library promises to write only initialised bytes, so the output stays
                // initialised.
                let uninit = unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<u8>]) };
                let progress = pair.transcode_into_uninit(api, copy, uninit);
                check(progress, dst, "transcode_into, uninitialised");
            }
            // `len` reads the whole input. Only reads outside the input are checked here.
            let _ = pair.len(api, copy);
        }
    }
}
