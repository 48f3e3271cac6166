//! Views: 16 bytes for each row, as in Arrow. A view holds a short text itself, or the location of
//! a longer text.

/// The length in bytes of the longest text that a view holds itself.
pub(crate) const INLINE_MAX_BYTES: usize = 12;

/// The number of views in a batch.
pub(crate) const BATCH_VIEWS: usize = 512;

/// Returns the parts of a view of a longer text: the length, the buffer and the offset.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each part has 32 bits")]
pub(crate) const fn view_parts(view: u128) -> (usize, usize, usize) {
    (view as u32 as usize, (view >> 64) as u32 as usize, (view >> 96) as u32 as usize)
}

/// A list of the long texts of a batch of views, and facts about the short texts.
pub(crate) struct Views {
    /// The number of long texts. In the next three arrays, the elements from this index on are
    /// unspecified.
    pub(crate) rows: usize,
    /// The lengths of the long texts, in bytes.
    pub(crate) lens: [u32; BATCH_VIEWS],
    /// The locations of the long texts: the buffer in the low 32 bits, and the offset in the high
    /// 32 bits.
    pub(crate) locations: [u64; BATCH_VIEWS],
    /// The row numbers of the long texts in the batch.
    pub(crate) numbers: [u16; BATCH_VIEWS],
    /// The bits of all views of the batch.
    pub(crate) bits: [ViewBits; BATCH_VIEWS / 64],
    /// True if all short texts are ASCII.
    pub(crate) is_ascii: bool,
}

/// One bit for each of 64 views.
#[derive(Clone, Copy, Default)]
pub(crate) struct ViewBits {
    /// A bit is set if the short text of its view may be ill-formed. Kernels may set the bits of a
    /// whole group of views.
    pub(crate) suspects: u64,
    /// A bit is set if its view is the view of a long text.
    pub(crate) long: u64,
}

impl Views {
    /// Returns the state before the first view.
    pub(crate) fn new() -> Self {
        let bits = [ViewBits::default(); BATCH_VIEWS / 64];
        let (lens, locations, numbers) = ([0; BATCH_VIEWS], [0; BATCH_VIEWS], [0; BATCH_VIEWS]);
        Self { rows: 0, lens, locations, numbers, bits, is_ascii: true }
    }

    /// Lists the views of long texts, which have a bit in `bits`.
    #[inline(never)]
    pub(crate) fn list(&mut self, views: &[u128]) {
        self.rows = 0;
        let (words, rest) = views.as_chunks();
        for (index, views) in words.iter().enumerate() {
            self.list_64(index, views);
        }
        if !rest.is_empty() {
            let mut last = [0; 64];
            last[..rest.len()].copy_from_slice(rest);
            self.list_64(words.len(), &last);
        }
    }

    /// Lists the views of long texts among `views`, whose bits are at `index` in `bits`.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "less than BATCH_VIEWS")]
    fn list_64(&mut self, index: usize, views: &[u128; 64]) {
        let (first, mut long) = (self.rows, self.bits[index].long);
        if long == u64::MAX {
            views.iter().for_each(|&view| self.add(view));
            let numbers = &mut self.numbers[first..self.rows];
            for (bit, number) in numbers.iter_mut().enumerate() {
                *number = (64 * index + bit) as u16;
            }
            return;
        }
        while long != 0 {
            let bit = long.trailing_zeros() as usize;
            self.numbers[self.rows % BATCH_VIEWS] = (64 * index + bit) as u16;
            self.add(views[bit]);
            long &= long - 1;
        }
    }

    /// Adds a view of a long text to the list, except its row number.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "parts of a view")]
    fn add(&mut self, view: u128) {
        // In bounds, because a batch has at most `BATCH_VIEWS` long texts.
        let row = self.rows % BATCH_VIEWS;
        self.lens[row] = view as u32;
        self.locations[row] = (view >> 64) as u64;
        self.rows += 1;
    }
}
