//! The encodings as types, and their properties.
//!
//! A type determines the unit of a text in memory ([`Encoding::Unit`]) and the [`Scheme`] of its
//! bytes. An encoding form with wider units has the scheme of the machine's byte order, so the 15
//! encodings have twelve schemes, and all code below the public API works on bytes.
//! `dispatch::pairs` maps a pair of schemes to its function.

#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt::Debug;

#[cfg(feature = "alloc")]
use crate::encoding::buffer::Buffer;
use crate::encoding::scheme::{Scheme, max_expansion};
use crate::encoding::unit::{Unit, sealed};

/// A Unicode encoding, as a type that holds no data. This trait is sealed.
///
/// | type | code unit | what it is |
/// |---|---|---|
/// | [`Utf8`], [`Utf16`], [`Utf32`] | `u8`, `u16`, `u32` | encoding forms: code units in memory |
/// | [`Utf16Le`], [`Utf16Be`], [`Utf32Le`], [`Utf32Be`] | `u8` | encoding schemes: bytes of any alignment |
/// | [`Latin1`], [`Ascii`] | `u8` | the first 256 and 128 code points, one byte each |
/// | [`Cesu8`], [`Mutf8`] | `u8` | UTF-16 code units, each encoded as in UTF-8; in Java's variant, NUL is `0xC0 0x80` |
/// | [`Wtf8`], [`Wtf16`] | `u8`, `u16` | UTF-8 and UTF-16 that may contain unpaired surrogates |
/// | [`Wtf16Le`], [`Wtf16Be`] | `u8` | [`Wtf16`] as bytes of any alignment |
///
/// ```
/// use utflane::{Encoding, Scheme, Utf16Le, Utf8};
///
/// fn name<E: Encoding>() -> &'static str {
///     E::SCHEME.name()
/// }
/// assert_eq!((name::<Utf8>(), name::<Utf16Le>()), ("utf-8", "utf-16le"));
/// ```
pub trait Encoding: sealed::Sealed + Copy + Default + Eq + Debug + 'static {
    /// The type of a code unit. For encoding schemes, it is `u8`.
    type Unit: Unit;
    /// The type of an owned text: `String` for UTF-8 and ASCII, otherwise a `Vec` of units.
    #[cfg(feature = "alloc")]
    type Owned: Buffer<Unit = Self::Unit>;
    /// The scheme of the bytes of a text on this machine.
    const SCHEME: Scheme;
}

/// An encoding that can represent every Unicode scalar value, so that any `&str` can be converted
/// into it. This trait is sealed.
pub trait Unicode: Encoding {}

/// Declares the encoding types, one on each line.
macro_rules! encodings {
    ($($(#[$doc:meta])* $name:ident: $unit:ty, $owned:ty, $scheme:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl sealed::Sealed for $name {}

        impl Encoding for $name {
            type Unit = $unit;
            #[cfg(feature = "alloc")]
            type Owned = $owned;
            const SCHEME: Scheme = $scheme;
        }
    )*};
}

encodings! {
    /// UTF-8: bytes, one to four per character (RFC 3629).
    Utf8: u8, String, Scheme::Utf8;
    /// UTF-16 in memory: `u16` in the machine's byte order, one or two per character.
    Utf16: u16, Vec<u16>, Scheme::UTF16;
    /// UTF-32 in memory: `u32` in the machine's byte order, one per character.
    Utf32: u32, Vec<u32>, Scheme::UTF32;
    /// UTF-16LE: bytes, low byte first.
    Utf16Le: u8, Vec<u8>, Scheme::Utf16Le;
    /// UTF-16BE: bytes, high byte first.
    Utf16Be: u8, Vec<u8>, Scheme::Utf16Be;
    /// UTF-32LE: bytes, lowest byte first.
    Utf32Le: u8, Vec<u8>, Scheme::Utf32Le;
    /// UTF-32BE: bytes, highest byte first.
    Utf32Be: u8, Vec<u8>, Scheme::Utf32Be;
    /// ISO-8859-1: each byte is the code point with the same value. Every text is well-formed.
    Latin1: u8, Vec<u8>, Scheme::Latin1;
    /// US-ASCII: bytes `0x00..=0x7F`.
    Ascii: u8, String, Scheme::Ascii;
    /// CESU-8: bytes, one to three for each code unit of UTF-16, so that a supplementary character
    /// has six bytes (Unicode Technical Report 26). CESU-8 occurs in databases whose "UTF-8" is
    /// older than supplementary characters.
    ///
    /// Bytes `0xF0..=0xFF` never occur. A three-byte surrogate is well-formed only as part of a
    /// pair.
    Cesu8: u8, Vec<u8>, Scheme::Cesu8;
    /// Modified UTF-8, as in Java's class files, JNI and `DataInput`, and in Android's dex files:
    /// [`Cesu8`] with NUL as `0xC0 0x80`, so that no byte is 0.
    Mutf8: u8, Vec<u8>, Scheme::Mutf8;
    /// WTF-8: UTF-8 that may contain unpaired surrogates, three bytes each, but never a surrogate
    /// pair ([the WTF-8 encoding](https://simonsapin.github.io/wtf-8/)). It represents JavaScript's
    /// strings and Windows file names.
    ///
    /// Conversions between WTF-8 and [`Wtf16`], [`Wtf16Le`] and [`Wtf16Be`] lose nothing. In a
    /// conversion to any other encoding, an unpaired surrogate is ill-formed.
    Wtf8: u8, Vec<u8>, Scheme::Wtf8;
    /// Potentially ill-formed UTF-16, or WTF-16, in memory: any sequence of `u16` in the machine's
    /// byte order. As WTF-16, every text is well-formed.
    ///
    /// Conversions between WTF-16, [`Wtf8`], [`Wtf16Le`] and [`Wtf16Be`] lose nothing. In a
    /// conversion to any other encoding, an unpaired surrogate is ill-formed.
    Wtf16: u16, Vec<u16>, Scheme::WTF16;
    /// Potentially ill-formed UTF-16: bytes, low byte first. Any sequence of complete units is
    /// well-formed.
    ///
    /// This encoding is for code units in a known byte order that have not been validated, such as
    /// Windows file names on a disk. Conversions between this encoding, [`Wtf8`], [`Wtf16`] and
    /// [`Wtf16Be`] lose nothing.
    Wtf16Le: u8, Vec<u8>, Scheme::Wtf16Le;
    /// Potentially ill-formed UTF-16: bytes, high byte first. Any sequence of complete units is
    /// well-formed.
    ///
    /// A conversion from [`Wtf16`] or [`Wtf16Le`] accepts any units:
    ///
    /// ```
    /// use utflane::{Wtf16, Wtf16Be, transcode};
    ///
    /// assert_eq!(transcode::<Wtf16, Wtf16Be>(&[0x61, 0xD83D])?, b"\0a\xD8\x3D");
    /// # Ok::<(), utflane::Error>(())
    /// ```
    Wtf16Be: u8, Vec<u8>, Scheme::Wtf16Be;
}

impl Unicode for Utf8 {}
impl Unicode for Utf16 {}
impl Unicode for Utf32 {}
impl Unicode for Utf16Le {}
impl Unicode for Utf16Be {}
impl Unicode for Utf32Le {}
impl Unicode for Utf32Be {}
impl Unicode for Cesu8 {}
impl Unicode for Mutf8 {}
impl Unicode for Wtf8 {}
impl Unicode for Wtf16 {}
impl Unicode for Wtf16Le {}
impl Unicode for Wtf16Be {}

/// Returns the maximum number of code units of `B` that `units` code units of `A` can become, or
/// `None` if this number overflows `usize`.
///
/// Both numbers are lengths of slices, so they are in bytes for encoding schemes. An output of the
/// returned length always has enough capacity.
///
/// ```
/// use utflane::{max_len, Utf16, Utf16Le, Utf32, Utf8};
///
/// assert_eq!(max_len::<Utf16, Utf8>(10), Some(30));
/// assert_eq!(max_len::<Utf8, Utf16Le>(10), Some(20)); // bytes
/// const CAPACITY: usize = max_len::<Utf32, Utf16>(64).unwrap();
/// assert_eq!(CAPACITY, 128);
/// assert_eq!(max_len::<Utf32, Utf8>(usize::MAX), None);
/// ```
#[must_use]
pub const fn max_len<A: Encoding, B: Encoding>(units: usize) -> Option<usize> {
    let source_elements_per_unit = A::SCHEME.unit_size() / size_of::<A::Unit>();
    let target_elements_per_unit = B::SCHEME.unit_size() / size_of::<B::Unit>();
    (units / source_elements_per_unit)
        .checked_mul(max_expansion(A::SCHEME, B::SCHEME) * target_elements_per_unit)
}
