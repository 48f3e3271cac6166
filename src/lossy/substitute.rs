//! Replacements of unmappable characters.

use core::mem::MaybeUninit;

use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::scalar;
use crate::scalar::repair::or_question_mark;
use crate::types::policy::Unmappable;
use crate::types::progress::{LossyReach, Stop};

/// The number of mappable characters that are converted one by one after an unmappable character.
const ONE_BY_ONE_CHARS: usize = 8;

/// The replacement of an unmappable character. Only Latin-1 and ASCII lack characters, so a
/// replacement is one byte, nothing, or a reference in ASCII.
#[derive(Clone, Copy, Debug)]
pub(super) enum Substitute {
    /// A byte, which is a character of the target.
    Byte(u8),
    /// Nothing.
    Nothing,
    /// A decimal character reference: `&#1488;`.
    Reference,
}

impl Substitute {
    /// Returns the replacement of unmappable characters in the scheme `to`.
    pub(super) fn new(unmappable: Unmappable, to: Scheme) -> Self {
        match unmappable {
            #[expect(clippy::cast_possible_truncation, reason = "only Latin-1 and ASCII need it")]
            Unmappable::Replace(c) => Self::Byte(or_question_mark(c, to) as u32 as u8),
            Unmappable::Skip => Self::Nothing,
            Unmappable::NumericReference => Self::Reference,
        }
    }

    /// Converts characters one by one, until [`ONE_BY_ONE_CHARS`] consecutive characters were
    /// mappable, or a sequence is ill-formed. Returns [`Stop::OutputFull`] if a character or its
    /// replacement does not fit.
    pub(super) fn convert_one_by_one(
        self,
        conversion: Conversion,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        total: &mut LossyReach,
    ) -> Option<Stop> {
        let mut mappable_left = ONE_BY_ONE_CHARS;
        while mappable_left > 0 && total.read < src.len() {
            let decoded = scalar::decode_for(conversion.to, conversion.from, &src[total.read..]);
            let Ok((c, len)) = decoded else { break };
            let out = &mut dst[total.written..];
            let repairs = usize::from(c > conversion.to.largest());
            let written = if repairs == 0 { write(&[c as u8], out) } else { self.write(c, out) };
            let Some(written) = written else { return Some(Stop::OutputFull) };
            mappable_left = if repairs == 0 { mappable_left - 1 } else { ONE_BY_ONE_CHARS };
            total.add(len, written, repairs);
        }
        None
    }

    /// Writes the replacement of `c`. Returns its length in bytes, or `None` if it does not fit.
    fn write(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        match self {
            Self::Byte(byte) => write(&[byte], dst),
            Self::Nothing => Some(0),
            Self::Reference => {
                // At most seven digits, written from the last to the first.
                let mut text = *b"&#0000000;";
                let (mut start, mut rest) = (text.len() - 1, c);
                while rest > 0 {
                    start -= 1;
                    text[start] = b'0' + (rest % 10) as u8;
                    rest /= 10;
                }
                let digits = text.len() - start;
                text.copy_within(start.., 2);
                write(&text[..2 + digits], dst)
            }
        }
    }
}

/// Writes `bytes`. Returns their number, or `None` if they do not fit.
fn write(bytes: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    dst.get_mut(..bytes.len())?.copy_from_slice(view::as_uninit(bytes));
    Some(bytes.len())
}
