//! The encoding of rows: a type, or a value that is chosen at run time.

use core::fmt::Debug;

use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::unit::Unit;

pub(crate) mod sealed {
    use crate::encoding::scheme::Scheme;

    /// Says if the functions for an encoding can be chosen at compile time.
    pub trait Functions: Copy {
        /// The scheme, if the encoding is a type.
        const OF_TYPE: Option<Scheme>;
    }
}

/// An encoding of rows: a type such as [`Utf8`](crate::Utf8), or a [`Scheme`] that is chosen at run
/// time. This trait is sealed.
///
/// ```
/// use utflane::columns::Column;
/// use utflane::{Latin1, Scheme, Utf8};
///
/// let column = Column::new(Latin1, b"caf\xE9", &[0_i32, 4])?;
/// assert_eq!(column.transcode::<i32, _>(Utf8)?.values, "café".as_bytes());
/// let column = Column::new(Scheme::Latin1, b"caf\xE9", &[0_i32, 4])?;
/// assert_eq!(column.transcode::<i32, _>(Scheme::Utf8)?.values, "café".as_bytes());
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub trait RowEncoding: sealed::Functions + Debug {
    /// The unit in which texts are stored, and in which offsets and widths are counted. For a
    /// [`Scheme`], it is the byte.
    type Unit: Unit;

    /// Returns the encoding as a value.
    #[must_use]
    fn scheme(self) -> Scheme;
}

impl<E: Encoding> sealed::Functions for E {
    const OF_TYPE: Option<Scheme> = Some(E::SCHEME);
}

impl<E: Encoding> RowEncoding for E {
    type Unit = E::Unit;

    fn scheme(self) -> Scheme {
        E::SCHEME
    }
}

impl sealed::Functions for Scheme {
    const OF_TYPE: Option<Scheme> = None;
}

impl RowEncoding for Scheme {
    type Unit = u8;

    fn scheme(self) -> Scheme {
        self
    }
}

/// Returns the value of `$choice`, in which the names of row encodings stand for their schemes. If
/// all of these encodings are types, the value is computed at compile time, so that a program links
/// only the functions of its encodings.
macro_rules! choose {
    ($($encoding:ident: $type:ident),+ => $choice:expr) => {{
        let choice = const {
            match ($($type::OF_TYPE,)+) {
                ($(Some($encoding),)+) => Some($choice),
                _ => None,
            }
        };
        choice.unwrap_or_else(|| {
            $(let $encoding = $encoding.scheme();)+
            $choice
        })
    }};
}
pub(crate) use choose;
