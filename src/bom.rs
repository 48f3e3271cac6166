//! Byte order marks: the character U+FEFF at the start of a text, whose bytes show the encoding.
//!
//! | encoding | mark |
//! |---|---|
//! | UTF-8 | `EF BB BF` |
//! | UTF-16LE, UTF-16BE | `FF FE`, `FE FF` |
//! | UTF-32LE, UTF-32BE | `FF FE 00 00`, `00 00 FE FF` |
//! | Latin-1, ASCII | none |
//!
//! CESU-8, Modified UTF-8 and WTF-8 have the mark of UTF-8, and WTF-16 has the mark of UTF-16. The
//! mark does not distinguish these encodings, so the result for them is UTF-8 or UTF-16.
//!
//! The operations treat a mark like any other character, and keep it in every encoding that has
//! U+FEFF. This module finds the mark ([`detect`], [`split`], [`probe`]), removes it ([`strip`])
//! and writes it ([`append`], [`Scheme::byte_order_mark`]).
//!
//! `FF FE 00 00` could also be the mark of UTF-16LE and a text that begins with U+0000. Real texts
//! do not begin with U+0000, so this module takes these bytes for the mark of UTF-32LE, as most
//! readers do. (The crate `utflane-charset` examines the bytes after the mark.) If the encoding is
//! known to be UTF-16LE, call `strip::<Utf16Le>`.
//!
//! ```
//! use utflane::{Scheme, Utf8, bom};
//!
//! let (scheme, text) = bom::split(b"\xFE\xFF\0H\0i");
//! assert_eq!((scheme, text), (Some(Scheme::Utf16Be), &b"\0H\0i"[..]));
//! assert_eq!(bom::strip::<Utf8>(b"\xEF\xBB\xBFHi"), b"Hi");
//! ```

use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::view;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::operations::free::from_str_append;

/// The byte order mark as a character. After the start of a text, U+FEFF is a zero width no-break
/// space.
pub const MARK: char = '\u{FEFF}';

/// The schemes that have a mark. A longer mark stands before a shorter one that it begins with.
const MARKED: [Scheme; 5] =
    [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be];

impl Scheme {
    /// Returns the byte order mark: U+FEFF in this scheme. The result is empty for Latin-1 and
    /// ASCII, which lack this character. CESU-8, Modified UTF-8 and WTF-8 have the mark of UTF-8,
    /// and WTF-16 has the mark of UTF-16.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Le.byte_order_mark(), b"\xFF\xFE");
    ///
    /// // Left out, for a scheme that is chosen at run time:
    /// let (scheme, src) = (Scheme::Utf8, &b"\xEF\xBB\xBFHi"[..]);
    /// assert_eq!(src.strip_prefix(scheme.byte_order_mark()).unwrap_or(src), b"Hi");
    /// ```
    #[must_use]
    pub const fn byte_order_mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 | Self::Cesu8 | Self::Mutf8 | Self::Wtf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le | Self::Wtf16Le => b"\xFF\xFE",
            Self::Utf16Be | Self::Wtf16Be => b"\xFE\xFF",
            Self::Utf32Le => b"\xFF\xFE\0\0",
            Self::Utf32Be => b"\0\0\xFE\xFF",
            Self::Latin1 | Self::Ascii => b"",
        }
    }
}

/// Returns the scheme whose byte order mark `src` begins with. If two marks match, this is the
/// scheme with the longer mark. Reads at most four bytes.
///
/// ```
/// use utflane::{Scheme, bom};
///
/// assert_eq!(bom::detect(b"\xFF\xFEH\0i\0"), Some(Scheme::Utf16Le));
/// assert_eq!(bom::detect(b"\xFF\xFE\0\0H\0\0\0"), Some(Scheme::Utf32Le));
/// assert_eq!(bom::detect(b"Hi"), None);
/// ```
#[must_use]
pub fn detect(src: &[u8]) -> Option<Scheme> {
    MARKED.into_iter().find(|scheme| src.starts_with(scheme.byte_order_mark()))
}

/// Returns the result of [`detect`], and the text after the mark. Without a mark, the text is
/// `src`.
///
/// ```
/// use utflane::{Scheme, bom};
///
/// assert_eq!(bom::split(b"\xEF\xBB\xBFHi"), (Some(Scheme::Utf8), &b"Hi"[..]));
/// assert_eq!(bom::split(b"Hi"), (None, &b"Hi"[..]));
/// ```
#[must_use]
pub fn split(src: &[u8]) -> (Option<Scheme>, &[u8]) {
    let scheme = detect(src);
    let len = scheme.map_or(0, |scheme| scheme.byte_order_mark().len());
    (scheme, &src[len..])
}

/// The result of [`probe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// The text begins with the mark of this scheme.
    Mark(Scheme),
    /// The text does not begin with a mark.
    NoMark,
    /// The text could be the start of a mark, or a mark that is the start of a longer one. Call
    /// [`probe`] again with more of the text: four bytes are enough. At the end of the text, call
    /// [`detect`].
    More,
}

/// Like [`detect`], for the start of a text, such as the first chunk of a stream.
///
/// ```
/// use utflane::{Scheme, bom::{self, Probe}};
///
/// assert_eq!(bom::probe(b"\xEF\xBB"), Probe::More);
/// assert_eq!(bom::probe(b"\xEF\xBB\xBF"), Probe::Mark(Scheme::Utf8));
/// // UTF-16LE, or half of the mark of UTF-32LE.
/// assert_eq!(bom::probe(b"\xFF\xFE"), Probe::More);
/// assert_eq!(bom::probe(b"\xFF\xFEH"), Probe::Mark(Scheme::Utf16Le));
/// assert_eq!(bom::probe(b"H"), Probe::NoMark);
/// ```
#[must_use]
pub fn probe(src: &[u8]) -> Probe {
    let may_become = |scheme: &Scheme| {
        let mark = scheme.byte_order_mark();
        src.len() < mark.len() && mark.starts_with(src)
    };
    if MARKED.iter().any(may_become) {
        return Probe::More;
    }
    detect(src).map_or(Probe::NoMark, Probe::Mark)
}

/// Returns `src` without the byte order mark of `E` at its start. If a second mark follows, it is a
/// character of the text, and remains.
///
/// Marks of other encodings remain. [`split`] finds the mark of any encoding.
///
/// ```
/// use utflane::{Latin1, Utf16, bom};
///
/// assert_eq!(bom::strip::<Utf16>(&[0xFEFF, 0x48, 0x69]), [0x48, 0x69]);
/// assert_eq!(bom::strip::<Latin1>(b"\xFF\xFE"), b"\xFF\xFE"); // ÿþ
/// ```
#[must_use]
#[inline]
pub fn strip<E: Encoding>(src: &[E::Unit]) -> &[E::Unit] {
    let mark = const { E::SCHEME.byte_order_mark() };
    if view::bytes(src).starts_with(mark) { &src[mark.len() / size_of::<E::Unit>()..] } else { src }
}

/// Appends the byte order mark of `E` to `out`. Appends nothing for Latin-1 and ASCII, which do not
/// have a mark.
///
/// ```
/// use utflane::{Utf16Le, bom, from_str_append};
///
/// let mut file = Vec::new();
/// bom::append::<Utf16Le>(&mut file);
/// from_str_append::<Utf16Le>("Hi", &mut file)?;
/// assert_eq!(file, b"\xFF\xFEH\0i\0");
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[inline]
pub fn append<E: Encoding>(out: &mut E::Owned) {
    if const { !E::SCHEME.byte_order_mark().is_empty() } {
        let appended = from_str_append::<E>(MARK.encode_utf8(&mut [0; 3]), out);
        debug_assert!(appended.is_ok(), "a Unicode encoding has every character");
    }
}
