//! Views: 16 bytes for each row, which hold a short row itself, or the offset of a longer one.

/// The longest text that is in a view itself.
pub(crate) const INLINE_MAX_BYTES: usize = 12;

/// Views of a batch.
pub(crate) const BATCH_VIEWS: usize = 512;

/// Returns the parts of a view of a longer text: its length, buffer and offset.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each part has 32 bits")]
pub(crate) const fn view_parts(view: u128) -> (usize, usize, usize) {
    (view as u32 as usize, (view >> 64) as u32 as usize, (view >> 96) as u32 as usize)
}

/// Views of long rows among other views, and facts about the short rows.
pub(crate) struct Views {
    /// The number of long texts, and their lengths, locations and row numbers. The elements after
    /// them are unspecified. The lower half of a location is the buffer, the upper half the offset.
    pub(crate) rows: usize,
    pub(crate) lens: [u32; BATCH_VIEWS],
    pub(crate) locations: [u64; BATCH_VIEWS],
    pub(crate) numbers: [u16; BATCH_VIEWS],
    pub(crate) bits: [ViewBits; BATCH_VIEWS / 64],
    /// True if all short texts are ASCII.
    pub(crate) is_ascii: bool,
}

/// Bits of 64 views.
#[derive(Clone, Copy, Default)]
pub(crate) struct ViewBits {
    /// Views whose short texts may be ill-formed. The bits of a whole group are set.
    pub(crate) suspects: u64,
    /// Views of long texts.
    pub(crate) long: u64,
}

impl Views {
    /// Returns the state before the first view.
    pub(crate) fn new() -> Self {
        let bits = [ViewBits::default(); BATCH_VIEWS / 64];
        let (lens, locations, numbers) = ([0; BATCH_VIEWS], [0; BATCH_VIEWS], [0; BATCH_VIEWS]);
        Self { rows: 0, lens, locations, numbers, bits, is_ascii: true }
    }

    /// Lists the views of long texts, by their bits.
    #[inline(never)]
    pub(crate) fn list(&mut self, views: &[u128]) {
        self.rows = 0;
        let (words, rest) = views.as_chunks();
        for (at, word) in words.iter().enumerate() {
            self.list_word(at, word);
        }
        if !rest.is_empty() {
            let mut last = [0; 64];
            last[..rest.len()].copy_from_slice(rest);
            self.list_word(words.len(), &last);
        }
    }

    /// Lists the views of long texts among 64 views.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "less than BATCH_VIEWS")]
    fn list_word(&mut self, at: usize, views: &[u128; 64]) {
        let (first, mut long) = (self.rows, self.bits[at].long);
        if long == u64::MAX {
            views.iter().for_each(|&view| self.add(view));
            let numbers = &mut self.numbers[first..self.rows];
            for (bit, number) in numbers.iter_mut().enumerate() {
                *number = (64 * at + bit) as u16;
            }
            return;
        }
        while long != 0 {
            let bit = long.trailing_zeros() as usize;
            self.numbers[self.rows % BATCH_VIEWS] = (64 * at + bit) as u16;
            self.add(views[bit]);
            long &= long - 1;
        }
    }

    /// Adds a view of a long text to the list, except its row number.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "parts of a view")]
    fn add(&mut self, view: u128) {
        // In bounds: there are no more long views than views.
        let row = self.rows % BATCH_VIEWS;
        self.lens[row] = view as u32;
        self.locations[row] = (view >> 64) as u64;
        self.rows += 1;
    }
}
