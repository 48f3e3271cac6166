//! Code pages as strict conversions, which [`LossyRun`](super::plan::LossyRun) repairs.

use core::fmt;
use core::mem::MaybeUninit;

use crate::code_page::conversion::PageConversion;
use crate::dispatch::kernel::Kernel;
use crate::encoding::scheme::Scheme;
use crate::lossy::plan::StrictConversion;
use crate::scalar;
use crate::tables::code_pages::Page;
use crate::types::error::{DecodeError, ErrorKind};
use crate::types::progress::Reach;

/// The direction of a conversion, and the Unicode scheme on the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    /// From the code page into this scheme.
    Decode(Scheme),
    /// From this scheme into the code page.
    Encode(Scheme),
}

impl Direction {
    /// Returns the conversion of well-formed and mappable text.
    #[inline]
    pub(crate) const fn conversion(self) -> PageConversion {
        match self {
            Self::Decode(to) => PageConversion::new(true, to),
            Self::Encode(from) => PageConversion::new(false, from),
        }
    }
}

/// A code page and the direction of its conversion.
#[derive(Clone, Copy)]
pub(crate) struct DirectedPage {
    pub(crate) page: &'static Page,
    pub(crate) direction: Direction,
}

impl StrictConversion for DirectedPage {
    fn schemes(&self) -> (Scheme, Scheme) {
        match self.direction {
            Direction::Decode(to) => (Scheme::Latin1, to),
            Direction::Encode(from) => (from, Scheme::Utf32Le),
        }
    }

    fn reach(&self, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        self.direction.conversion().reach(self.page, kernel, src, dst)
    }

    fn decode(&self, src: &[u8]) -> Result<(u32, usize), DecodeError> {
        match self.direction {
            Direction::Decode(_) => match self.page.decode(src[0]) {
                Some(c) => Ok((c.into(), 1)),
                None => Err(DecodeError::ill_formed(ErrorKind::Unassigned, 1)),
            },
            // Like Latin-1, a code page has no surrogates.
            Direction::Encode(from) => scalar::decode_for(Scheme::Latin1, from, src),
        }
    }

    fn has(&self, c: u32) -> bool {
        matches!(self.direction, Direction::Decode(_)) || self.page.encode(c).is_some()
    }

    fn encode(&self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        match self.direction {
            Direction::Decode(to) => scalar::encode(to, c, dst),
            Direction::Encode(_) => {
                dst.first_mut()?.write(self.page.encode(c)?);
                Some(1)
            }
        }
    }
}

impl fmt::Debug for DirectedPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DirectedPage").field(&self.page.name).field(&self.direction).finish()
    }
}
