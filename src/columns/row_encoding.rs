//! The encoding of rows: a type, or a value that is chosen at run time.

use core::fmt::Debug;

use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::unit::Unit;
use crate::owned::{ConversionToVec, LossyConversionToVec};

pub(crate) mod sealed {
    use crate::columns::row_encoding::RowEncoding;
    use crate::encoding::scheme::Scheme;
    use crate::encoding::types::Encoding;

    /// What an operation needs to know about a pair of encodings, such as the functions that
    /// convert. If both encodings are types, it is chosen at compile time, so that a program links
    /// only the functions of its pairs.
    pub trait Choice: Sized {
        /// Returns the choice for a pair of types.
        fn of_types<A: Encoding, B: Encoding>() -> Self;

        /// Returns the choice for a pair of values, whose units have these sizes in bytes.
        fn of_schemes(from: (Scheme, usize), to: (Scheme, usize)) -> Self;
    }

    /// The choices of functions by encodings.
    pub trait Functions: Copy {
        /// Returns the choice for this encoding and the encoding `to`.
        fn choose<C: Choice>(self, to: impl RowEncoding) -> C;

        /// Returns the choice for the type `A` and this encoding.
        fn choose_from_type<A: Encoding, C: Choice>(self) -> C;

        /// Returns the choice for a scheme of bytes and this encoding.
        fn choose_from_scheme<C: Choice>(self, from: Scheme) -> C;
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
    /// The unit in which texts are stored, and offsets and widths are counted. A [`Scheme`] has
    /// bytes.
    type Unit: Unit;

    /// Returns the encoding as a value.
    #[must_use]
    fn scheme(self) -> Scheme;
}

impl<E: Encoding> RowEncoding for E {
    type Unit = E::Unit;

    fn scheme(self) -> Scheme {
        E::SCHEME
    }
}

impl RowEncoding for Scheme {
    type Unit = u8;

    fn scheme(self) -> Scheme {
        self
    }
}

impl<E: Encoding> sealed::Functions for E {
    #[inline]
    fn choose<C: sealed::Choice>(self, to: impl RowEncoding) -> C {
        to.choose_from_type::<E, C>()
    }

    #[inline]
    fn choose_from_type<A: Encoding, C: sealed::Choice>(self) -> C {
        C::of_types::<A, E>()
    }

    #[inline]
    fn choose_from_scheme<C: sealed::Choice>(self, from: Scheme) -> C {
        C::of_schemes((from, 1), (E::SCHEME, size_of::<E::Unit>()))
    }
}

impl sealed::Functions for Scheme {
    #[inline]
    fn choose<C: sealed::Choice>(self, to: impl RowEncoding) -> C {
        to.choose_from_scheme(self)
    }

    #[inline]
    fn choose_from_type<A: Encoding, C: sealed::Choice>(self) -> C {
        C::of_schemes((A::SCHEME, size_of::<A::Unit>()), (self, 1))
    }

    #[inline]
    fn choose_from_scheme<C: sealed::Choice>(self, from: Scheme) -> C {
        C::of_schemes((from, 1), (self, 1))
    }
}

/// The validation of the source. The target does not matter.
impl sealed::Choice for Validation {
    #[inline]
    fn of_types<A: Encoding, B: Encoding>() -> Self {
        const { validation(A::SCHEME) }
    }

    fn of_schemes((from, _): (Scheme, usize), _: (Scheme, usize)) -> Self {
        validation(from)
    }
}

impl sealed::Choice for ConversionToVec {
    #[inline]
    fn of_types<A: Encoding, B: Encoding>() -> Self {
        const { Self::of_pair::<A, B>() }
    }

    fn of_schemes((from, unit_size): (Scheme, usize), (to, _): (Scheme, usize)) -> Self {
        Self::new(pairs::transcode(from, to), unit_size)
    }
}

impl sealed::Choice for LossyConversionToVec {
    #[inline]
    fn of_types<A: Encoding, B: Encoding>() -> Self {
        const { Self::of_pair::<A, B>() }
    }

    fn of_schemes((from, unit_size): (Scheme, usize), (to, _): (Scheme, usize)) -> Self {
        Self::for_pair(from, to, unit_size)
    }
}
