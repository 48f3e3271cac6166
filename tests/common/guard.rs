//! Memory between two inaccessible pages: reading or writing one byte outside ends the test at
//! once.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::api::{Api, Pair};
use super::oracle::{Expected, Outcome};

/// Pages of memory with an inaccessible page before and after them.
pub struct Guarded {
    base: *mut u8,
    page: usize,
    /// Accessible bytes.
    len: usize,
}

impl Guarded {
    /// At least `least` accessible bytes.
    pub fn new(least: usize) -> Self {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a page size");
        let len = least.max(1).div_ceil(page) * page;
        let (flags, access) =
            (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: new memory, at an address that the system chooses.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), len + 2 * page, libc::PROT_NONE, flags, -1, 0)
        };
        assert_ne!(base, libc::MAP_FAILED, "mmap");
        let base = base.cast::<u8>();
        // SAFETY: inside the new mapping.
        let start = unsafe { base.add(page) };
        // SAFETY: the pages in the middle of the new mapping, to which nobody else has a pointer.
        let result = unsafe { libc::mprotect(start.cast(), len, access) };
        assert_eq!(result, 0, "mprotect");
        Self { base, page, len }
    }

    /// The accessible bytes.
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: inside the mapping.
        let start = unsafe { self.base.add(self.page) };
        // SAFETY: mapped for reading and writing, zeroed by the system, borrowed as `self` is.
        unsafe { std::slice::from_raw_parts_mut(start, self.len) }
    }

    /// `len` bytes that begin directly after the inaccessible page.
    pub fn first(&mut self, len: usize) -> &mut [u8] {
        self.part(0..len)
    }

    /// `len` bytes that end directly before the inaccessible page.
    pub fn last(&mut self, len: usize) -> &mut [u8] {
        let end = self.len;
        self.part(end - len..end)
    }

    /// `len` bytes at the end of the memory, or at its start.
    pub fn part_of(&mut self, len: usize, at_end: bool) -> &mut [u8] {
        if at_end { self.last(len) } else { self.first(len) }
    }

    /// A copy of `src` at the end of the memory, or at its start.
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
        // SAFETY: the whole mapping; no slice of it outlives `self`.
        let result = unsafe { libc::munmap(self.base.cast(), self.len + 2 * self.page) };
        assert_eq!(result, 0, "munmap");
    }
}

/// A conversion with input and output against both boundaries of their memory, in all four
/// combinations; `expected` is the conversion of the whole input.
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
            let from = input.holding(src, combination & 1 == 0);
            let dst = output.part_of(capacity, combination & 2 == 0);
            let check = |progress, dst: &[u8], form| {
                let got = Outcome::from_progress(progress, pair.from.unit, pair.to.unit);
                assert_eq!(got, want, "{form}, {pair}, {api:?} of {src:02X?}");
                assert_eq!(dst[..got.written], expected.out[..got.written], "{pair}, {api:?}");
            };
            let progress = (pair.transcode_into)(api, from, dst);
            check(progress, dst, "transcode_into");
            if combination % 3 == 0 {
                // SAFETY: the library promises to write values only, so the bytes stay
                // initialised.
                let uninit = unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<u8>]) };
                let progress = (pair.transcode_into_uninit)(api, from, uninit);
                check(progress, dst, "transcode_into_uninit");
            }
            // Lengths read the whole input, and never fail.
            let _ = (pair.len)(api, from);
        }
    }
}
