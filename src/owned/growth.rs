//! Computes the maximum length of the output of a conversion, and the capacity that it probably
//! needs.

use crate::encoding::scheme::{Scheme, max_expansion};

/// The length of the first segment of a long text, in bytes. Its ratio of output to input is the
/// estimate for the rest.
pub(super) const FIRST_SEGMENT_BYTES: usize = 2048;

/// Input of at most this many bytes gets capacity for the worst case at once.
const AT_ONCE_BYTES: usize = 2 * FIRST_SEGMENT_BYTES;

/// The growth of the text in a conversion between two schemes.
#[derive(Clone, Copy)]
pub(crate) struct Growth {
    /// The binary logarithm of the size of a code unit of the input in bytes.
    unit_log2: u32,
    /// The maximum number of bytes that a code unit of the input becomes.
    pub(crate) max_bytes_per_unit: usize,
    /// True if every code unit becomes exactly `max_bytes_per_unit` bytes in a conversion of the
    /// whole text.
    pub(crate) fixed: bool,
}

impl Growth {
    /// Returns the growth of a pair.
    pub(super) const fn for_pair(from: Scheme, to: Scheme) -> Self {
        use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8};
        let fixed = match (from.without_surrogates(), to.without_surrogates()) {
            // Supplementary characters and NUL have other lengths in the other encodings.
            (Cesu8, Cesu8) | (Mutf8, Mutf8) => true,
            (Cesu8 | Mutf8, _) | (_, Cesu8 | Mutf8) => false,
            (Latin1, Utf8) | (Utf8, Latin1) => false,
            (Utf8, Utf8 | Ascii) | (Latin1 | Ascii, _) => true,
            (Utf8, _) | (_, Utf8) => false,
            // UTF-16 or UTF-32 to Latin-1 or ASCII: each mappable character is one unit. Between
            // UTF-16 and UTF-32, the length depends on the text.
            (_, Latin1 | Ascii) => true,
            (from, to) => from.unit_size() == to.unit_size(),
        };
        let max_bytes_per_unit = max_expansion(from, to) * to.unit_size();
        Self { unit_log2: from.unit_size().trailing_zeros(), max_bytes_per_unit, fixed }
    }

    /// Returns the growth of a code page that is decoded into a Unicode scheme. Its characters are
    /// below U+10000.
    #[cfg(feature = "code-pages")]
    pub(crate) const fn of_decoded_page(to: Scheme) -> Self {
        let unit_size = to.unit_size();
        let max_bytes_per_unit = if unit_size == 1 { 3 } else { unit_size };
        Self { unit_log2: 0, max_bytes_per_unit, fixed: unit_size > 1 }
    }

    /// Returns the growth of a Unicode scheme that is encoded as a code page.
    #[cfg(feature = "code-pages")]
    pub(crate) const fn of_encoded_page(from: Scheme) -> Self {
        let unit_size = from.unit_size();
        Self { unit_log2: unit_size.trailing_zeros(), max_bytes_per_unit: 1, fixed: unit_size > 1 }
    }

    /// Returns the maximum number of bytes that `bytes` bytes of input become.
    #[inline]
    pub(crate) fn worst(self, bytes: usize) -> usize {
        (bytes >> self.unit_log2).saturating_mul(self.max_bytes_per_unit)
    }

    /// Returns the number of bytes that `bytes` bytes of input become if all of them are converted.
    /// `None` if this depends on the text.
    #[cfg(feature = "rayon")]
    pub(crate) fn fixed_len(self, bytes: usize) -> Option<usize> {
        self.fixed.then(|| self.worst(bytes))
    }

    /// Returns true if the capacity for `bytes` bytes of input needs no estimate.
    #[inline]
    pub(super) fn is_known(self, bytes: usize) -> bool {
        self.fixed || bytes <= AT_ONCE_BYTES
    }

    /// Returns the number of bytes of output to reserve for the remaining `rest` bytes of input,
    /// given that `read` bytes became `written` bytes.
    #[inline]
    pub(super) fn capacity(self, rest: usize, read: usize, written: usize) -> usize {
        if self.is_known(rest) {
            return self.worst(rest);
        }
        if read == 0 {
            return self.worst(FIRST_SEGMENT_BYTES);
        }
        // The minimum is large enough for the next step to convert some text.
        likely(rest, written, read).clamp(self.worst(64), self.worst(rest))
    }
}

/// Returns a sixteenth more than the number of bytes that `rest` bytes become, estimated from the
/// ratio so far. The products need more than 64 bits for gigabytes.
fn likely(rest: usize, written: usize, read: usize) -> usize {
    let bytes = (rest as u128 * written as u128 / read as u128).saturating_mul(17) / 16;
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacity_for_gigabytes() {
        assert_eq!(likely(1600, 10, 10), 1700);
        #[cfg(target_pointer_width = "64")]
        assert_eq!(likely(6_300_000_000, 6_300_000_000, 3_150_000_000), 13_387_500_000);
        assert_eq!(likely(usize::MAX, usize::MAX, 1), usize::MAX);
    }

    #[test]
    fn capacity_by_length() {
        let growth = Growth::for_pair(Scheme::Utf8, Scheme::Utf16Le);
        // A short text gets capacity for ASCII, which becomes two bytes each.
        assert_eq!(growth.capacity(4096, 0, 0), 8192);
        // A long one gets it for its first segment, and then by the ratio of that segment.
        assert_eq!(growth.capacity(4097, 0, 0), 4096);
        assert_eq!(growth.capacity(16_000, 2048, 2048), 17_000);
        assert_eq!(growth.capacity(16_000, 2048, 4096), 32_000);
        // If a repair has skipped all of that segment, there is capacity for some text.
        assert_eq!(growth.capacity(16_000, 2048, 0), 128);
    }

    #[test]
    fn sizes_that_depend_on_the_text_are_not_fixed() {
        use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Wtf8};
        for (from, to) in [
            (Cesu8, Mutf8),
            (Mutf8, Cesu8),
            (Latin1, Cesu8),
            (Ascii, Mutf8),
            (Utf8, Cesu8),
            (Latin1, Wtf8),
            (Wtf8, Latin1),
        ] {
            assert!(!Growth::for_pair(from, to).fixed, "{from} to {to}");
        }
        assert!(Growth::for_pair(Mutf8, Mutf8).fixed && Growth::for_pair(Ascii, Utf8).fixed);
        assert!(Growth::for_pair(Wtf8, Wtf8).fixed && Growth::for_pair(Ascii, Wtf8).fixed);
    }
}
