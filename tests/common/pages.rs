//! Memory for which the system reports which pages have been touched. The system creates a page
//! when it is first read or written, and reports which pages exist.

/// Memory whose touched pages can be found. At first it is all zeros, and no page has been touched.
pub struct Pages {
    base: *mut u8,
    /// The length of the memory, in bytes.
    len: usize,
    /// The size of a page, in bytes.
    page_size: usize,
}

impl Pages {
    /// Maps memory of at least `min_len` bytes.
    pub fn new(min_len: usize) -> Self {
        // SAFETY: `sysconf` has no preconditions; it only returns a number.
        let page_size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_size = usize::try_from(page_size).expect("a page size");
        let len = min_len.div_ceil(page_size) * page_size;
        let (flags, access) =
            (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: the system chooses the address of the new mapping, so no other memory is
        // affected.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0) };
        assert_ne!(base, libc::MAP_FAILED, "mmap");
        // SAFETY: the range is the new mapping, and the advice changes no contents. If the system
        // has no large pages, it returns an error, which is harmless.
        unsafe { libc::madvise(base, len, libc::MADV_NOHUGEPAGE) };
        Self { base: base.cast(), len, page_size }
    }

    /// Returns the size of a page, in bytes.
    pub fn page(&self) -> usize {
        self.page_size
    }

    /// Returns the whole memory.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `new` mapped these bytes for reading and writing, the system initialised them
        // with zeros, and the slice borrows `self` mutably.
        unsafe { std::slice::from_raw_parts_mut(self.base, self.len) }
    }

    /// Sets all bytes to zero, and marks all pages as untouched.
    pub fn forget(&mut self) {
        // SAFETY: the range is the whole mapping, and `&mut self` proves that no slice of it
        // exists. The bytes become zeros, so they stay initialised.
        let result = unsafe { libc::madvise(self.base.cast(), self.len, libc::MADV_DONTNEED) };
        assert_eq!(result, 0, "madvise");
    }

    /// Returns the byte offset of the end of the last touched page. The last page of the memory is
    /// ignored.
    pub fn touched_up_to(&self) -> usize {
        let mut resident = vec![0; self.len / self.page_size];
        // SAFETY: the range is the whole mapping, and `resident` has one byte for each of its
        // pages.
        let result =
            unsafe { libc::mincore(self.base.cast(), self.len, resident.as_mut_ptr().cast()) };
        assert_eq!(result, 0, "mincore");
        resident.pop();
        let last = resident.iter().rposition(|&page: &u8| page & 1 != 0);
        last.map_or(0, |last| (last + 1) * self.page_size)
    }

    /// Returns true if the system reports touched pages correctly. Some emulators report all pages.
    pub fn work() -> bool {
        let mut pages = Self::new(1 << 20);
        let page_size = pages.page_size;
        let before_read = pages.touched_up_to();
        let byte = std::hint::black_box(pages.bytes())[3 * page_size];
        let after_read = pages.touched_up_to();
        pages.forget();
        let after_forget = pages.touched_up_to();
        (before_read, byte, after_read, after_forget) == (0, 0, 4 * page_size, 0)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and no slice of it outlives `self`.
        let result = unsafe { libc::munmap(self.base.cast(), self.len) };
        assert_eq!(result, 0, "munmap");
    }
}
