//! Memory that records which of its pages have been touched: the system creates them when they are
//! first read or written, and reports which exist.

/// Pages of zeros that have not been touched.
pub struct Pages {
    base: *mut u8,
    len: usize,
    page: usize,
}

impl Pages {
    /// At least `least` bytes.
    pub fn new(least: usize) -> Self {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a page size");
        let len = least.div_ceil(page) * page;
        let (flags, access) =
            (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: new memory, at an address that the system chooses.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0) };
        assert_ne!(base, libc::MAP_FAILED, "mmap");
        // SAFETY: the new mapping. If the system has no large pages, it returns an error, which is
        // harmless.
        unsafe { libc::madvise(base, len, libc::MADV_NOHUGEPAGE) };
        Self { base: base.cast(), len, page }
    }

    /// Bytes of a page.
    pub fn page(&self) -> usize {
        self.page
    }

    /// The bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: mapped for reading and writing, zeroed by the system, borrowed as `self` is.
        unsafe { std::slice::from_raw_parts_mut(self.base, self.len) }
    }

    /// Makes everything untouched again, and zero.
    pub fn forget(&mut self) {
        // SAFETY: the whole mapping, which nothing else borrows at the moment; its old contents are
        // not used again.
        let result = unsafe { libc::madvise(self.base.cast(), self.len, libc::MADV_DONTNEED) };
        assert_eq!(result, 0, "madvise");
    }

    /// The end of the last page that has been touched, not counting the very last one.
    pub fn touched_up_to(&self) -> usize {
        let mut resident = vec![0; self.len / self.page];
        // SAFETY: the whole mapping, and a byte for each of its pages.
        let result =
            unsafe { libc::mincore(self.base.cast(), self.len, resident.as_mut_ptr().cast()) };
        assert_eq!(result, 0, "mincore");
        resident.pop();
        let last = resident.iter().rposition(|&page: &u8| page & 1 != 0);
        last.map_or(0, |last| (last + 1) * self.page)
    }

    /// Returns true if the system reports touched pages correctly: some emulators report all pages.
    pub fn work() -> bool {
        let mut pages = Self::new(1 << 20);
        let page = pages.page;
        let none = pages.touched_up_to();
        let read = std::hint::black_box(pages.bytes())[3 * page];
        let one = pages.touched_up_to();
        pages.forget();
        (none, read, one, pages.touched_up_to()) == (0, 0, 4 * page, 0)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the whole mapping; no slice of it outlives `self`.
        let result = unsafe { libc::munmap(self.base.cast(), self.len) };
        assert_eq!(result, 0, "munmap");
    }
}
