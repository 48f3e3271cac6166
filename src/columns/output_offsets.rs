//! The computation of the ends of rows in the result from their ends in the source.

use crate::dispatch::function::CountsBefore;
use crate::dispatch::pairs::prefix;
use crate::encoding::scheme::Scheme;
use crate::owned::ConversionToVec;
use crate::types::position::Metric;

/// The computation of the ends of the rows of a block in the result.
#[derive(Clone, Copy)]
pub(crate) enum OutputOffsets {
    /// A fixed number of bytes for each unit of the source.
    Fixed,
    /// A fixed number of bytes for each unit of the source, if the whole block has the same number
    /// of units in the result. The characters that differ make every text longer, or every text
    /// shorter.
    SameUnits,
    /// A count of the bytes of the source before each end.
    Counted(CountsBefore),
    /// The position in the result, which is UTF-8, of the number of units before each end.
    Found(Metric),
    /// Only a conversion of each row gives its end.
    Unknown,
}

impl OutputOffsets {
    /// Returns the computation for a conversion.
    pub(crate) fn for_conversion(to_vec: &ConversionToVec) -> Self {
        use Scheme::{
            Cesu8, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be, Wtf16Le,
        };
        let (from, to) = (to_vec.conversion.from, to_vec.conversion.to);
        if to_vec.growth.fixed {
            return Self::Fixed;
        }
        if let Some(counts_before) = prefix::len(from, to) {
            return Self::Counted(counts_before);
        }
        match (from, to) {
            (Utf16Le | Utf16Be | Wtf16Le | Wtf16Be, Utf8) | (Utf16Le | Utf16Be, Wtf8) => {
                Self::Found(Metric::Utf16)
            }
            (Utf32Le | Utf32Be, Utf8 | Wtf8) => Self::Found(Metric::CodePoints),
            (from, to) => match (from.without_surrogates(), to.without_surrogates()) {
                (Utf8 | Mutf8, Cesu8) | (Utf8 | Cesu8, Mutf8) | (Cesu8 | Mutf8, Utf8) => {
                    Self::SameUnits
                }
                (Utf16Le | Utf16Be, Utf32Le | Utf32Be) | (Utf32Le | Utf32Be, Utf16Le | Utf16Be) => {
                    Self::SameUnits
                }
                _ => Self::Unknown,
            },
        }
    }
}
