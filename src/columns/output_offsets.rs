//! How the ends of rows in the result of a conversion are told from those in the source.

use crate::dispatch::function::CountsBefore;
use crate::dispatch::pairs::prefix;
use crate::encoding::scheme::Scheme;
use crate::owned::ConversionToVec;
use crate::types::position::Metric;

/// Where the rows of a block end in the result.
#[derive(Clone, Copy)]
pub(crate) enum OutputOffsets {
    /// As many bytes for each unit of the source.
    Fixed,
    /// As many bytes for each unit of the source, where the whole block has as many units in the
    /// result: what differs makes each text longer, or each shorter.
    SameUnits,
    /// After a count of the bytes of the source.
    Counted(CountsBefore),
    /// Among the bytes of the result, which is UTF-8, after so many of these units.
    Found(Metric),
    /// Not known but by a conversion of each row.
    Unknown,
}

impl OutputOffsets {
    /// Returns the ends of a conversion.
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
