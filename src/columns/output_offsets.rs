//! Computes the ends of rows in the result from their ends in the source.

use crate::dispatch::pairs::columns::{CountsBefore, counts_before_fn};
use crate::encoding::scheme::Scheme;
use crate::owned::ConversionToVec;
use crate::types::position::Metric;

/// How the ends of the rows of a block in the result are computed.
#[derive(Clone, Copy)]
pub(crate) enum OutputOffsets {
    /// Each unit of the source becomes this number of bytes.
    Fixed(usize),
    /// The function counts the units of the result before each end, as a sum over the bytes of the
    /// source.
    Counted(CountsBefore),
    /// The number of units before each end, in this metric, is looked up in the result, which is
    /// UTF-8.
    Found(Metric),
    /// The ends can only be found by a conversion of each row.
    Unknown,
}

impl OutputOffsets {
    /// Returns how the ends are computed for a conversion.
    pub(crate) fn for_conversion(to_vec: &ConversionToVec) -> Self {
        use Scheme::{Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be, Wtf16Le};
        let (from, to) = (to_vec.conversion.from, to_vec.conversion.to);
        if to_vec.growth.fixed {
            return Self::Fixed(to_vec.growth.max_bytes_per_unit);
        }
        if let Some(counts_before) = counts_before_fn(from, to) {
            return Self::Counted(counts_before);
        }
        match (from, to) {
            (Utf16Le | Utf16Be | Wtf16Le | Wtf16Be, Utf8) | (Utf16Le | Utf16Be, Wtf8) => {
                Self::Found(Metric::Utf16)
            }
            (Utf32Le | Utf32Be, Utf8 | Wtf8) => Self::Found(Metric::CodePoints),
            _ => Self::Unknown,
        }
    }
}
