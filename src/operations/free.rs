//! The operations as free functions, on the active kernel. Short texts of the simplest kinds are
//! validated here, without a call of the kernel.

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
#[cfg(feature = "transcode")]
use crate::encoding::output::Output;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
#[cfg(feature = "alloc")]
use crate::encoding::types::Unicode;
use crate::encoding::view;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::owned::{self, ConversionToVec};
use crate::scalar::boundary::incomplete_suffix_len;
use crate::swar::{utf16, utf32, words};
use crate::types::error::Error;
use crate::types::progress::{Progress, Units};

/// Validates `src`.
///
/// It is one pass, without allocation. A call that fails has read the text before the error and at
/// most a KiB more.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence. For UTF-8, this is the error that
/// [`core::str::from_utf8`] reports. Latin-1, and WTF-16 in memory, are always well-formed. In
/// CESU-8 and Modified UTF-8, an unpaired surrogate and a four-byte character are ill-formed. In
/// WTF-8, a surrogate pair is ill-formed, as one error of six bytes.
///
/// ```
/// use utflane::{validate, Ascii, Utf16Le, Utf8};
///
/// assert_eq!(validate::<Utf8>("Ångström".as_bytes()), Ok(()));
/// assert_eq!(validate::<Ascii>(b"plain"), Ok(()));
/// // A scheme is bytes of any alignment; here, an incomplete code unit remains.
/// let error = validate::<Utf16Le>(b"a\0b\0c").unwrap_err();
/// assert_eq!(error.valid_up_to(), 4);
/// assert!(error.is_incomplete());
/// ```
#[inline]
pub fn validate<E: Encoding>(src: &[E::Unit]) -> Result<(), Error> {
    let bytes = view::bytes(src);
    // Texts of a line or less often are ASCII, or have no surrogates.
    let is_well_formed = match const { E::SCHEME } {
        Scheme::Utf8 => words::is_ascii_16(bytes),
        Scheme::Ascii => words::is_ascii_64(bytes),
        Scheme::Utf16Le => utf16::has_no_surrogate::<false>(bytes),
        Scheme::Utf16Be => utf16::has_no_surrogate::<true>(bytes),
        Scheme::Utf32Le => utf32::are_characters(bytes),
        _ => false,
    };
    if is_well_formed {
        return Ok(());
    }
    let validation = const { validation(E::SCHEME) };
    match validation.check_on_active(bytes) {
        Ok(()) => Ok(()),
        Err(valid_len) => validation.locate_in_units(bytes, valid_len, size_of::<E::Unit>()),
    }
}

/// Returns true if `src` is well-formed. It does not locate the error.
///
/// Like [`validate`], but faster for texts of about a hundred bytes, because it keeps no
/// information with which to locate an error.
///
/// ```
/// use utflane::{is_valid, Utf16, Utf8};
///
/// assert!(is_valid::<Utf8>("Ångström".as_bytes()));
/// assert!(!is_valid::<Utf16>(&[0x61, 0xD800]));
/// ```
#[must_use]
#[inline]
pub fn is_valid<E: Encoding>(src: &[E::Unit]) -> bool {
    let bytes = view::bytes(src);
    // Only the smallest code for short texts is compiled into callers a second time.
    let is_ascii = match const { E::SCHEME } {
        Scheme::Utf8 | Scheme::Ascii => words::is_ascii_16(bytes),
        _ => false,
    };
    is_ascii || const { validation(E::SCHEME) }.check_on_active(bytes).is_ok()
}

/// Splits `src` before an incomplete sequence at its end. Returns the text before the sequence, and
/// the sequence, which more input may complete. The second part is empty if there is no such
/// sequence.
///
/// The second part is the part that a `Validator` keeps for the next chunk. Callers without a
/// `Validator` can copy it to the start of their next buffer. If `src` has no other error, the
/// first part is well-formed. A sequence that no input can complete, such as `0xE0 0x80`, stays in
/// the first part, which is then ill-formed. The first of two lead bytes, as in `0xC3 0xC3`, stays
/// there too.
///
/// The second part has at most three bytes in UTF-8, one unit in UTF-16 and none in UTF-32. For
/// schemes, an incomplete code unit belongs to the second part. In CESU-8, Modified UTF-8 and
/// WTF-8, the second part has up to five bytes. In WTF-8 and WTF-16, it may be a high surrogate,
/// which is well-formed at the end of a text. The function takes constant time.
///
/// ```
/// use utflane::{Utf8, Utf16, split_incomplete};
///
/// let (text, rest) = split_incomplete::<Utf8>(b"caf\xC3");
/// assert_eq!((text, rest), (&b"caf"[..], &b"\xC3"[..]));
/// assert_eq!(split_incomplete::<Utf16>(&[0x61, 0xD83D]).1, [0xD83D]);
/// assert!(split_incomplete::<Utf8>(b"caf\xC3!").1.is_empty()); // ill-formed, not incomplete
/// ```
#[must_use]
#[inline]
pub fn split_incomplete<E: Encoding>(src: &[E::Unit]) -> (&[E::Unit], &[E::Unit]) {
    let rest =
        (const { incomplete_suffix_len(E::SCHEME) })(view::bytes(src)) / size_of::<E::Unit>();
    src.split_at(src.len() - rest)
}

/// Converts `src` from `A` to `B` into a new `String` (UTF-8, ASCII) or `Vec` of units.
///
/// It is one pass; the length is not computed first. If the result has more than a few KiB, its
/// spare capacity is at most a quarter of its length.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence or unmappable character. The text converted
/// before it is dropped; [`transcode_append`] keeps it.
///
/// ```
/// use utflane::{transcode, ErrorKind, Latin1, Utf16, Utf16Be, Utf8};
///
/// let bytes: Vec<u8> = transcode::<Utf16, Utf16Be>(&[0x48, 0x69])?;
/// assert_eq!(bytes, b"\0H\0i");
///
/// let error = transcode::<Utf8, Latin1>("100 €".as_bytes()).unwrap_err();
/// assert_eq!((error.kind(), error.valid_up_to()), (ErrorKind::Unmappable, 4));
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[inline]
pub fn transcode<A: Encoding, B: Encoding>(src: &[A::Unit]) -> Result<B::Owned, Error> {
    let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
    owned::to_new::<B>(None, to_vec, view::bytes(src))
}

/// Converts as much of `src` from `A` to `B` as fits into `dst`.
///
/// Returns how far the conversion got and why it stopped: see [`Progress`]. On an error, the text
/// before it has been converted and counted. [`max_len`](crate::max_len) returns a size that is
/// always enough, and [`len`] the exact size for well-formed text. `dst[written..]` is unspecified.
///
/// `dst` may be uninitialised (see [`Output`]); then `dst[..written]` is initialised on return.
///
/// ```
/// use utflane::{transcode_into, Stop, Utf16Le, Utf8};
///
/// let mut dst = [0; 64];
/// let progress = transcode_into::<Utf8, Utf16Le>("Tschüß!".as_bytes(), &mut dst);
/// assert_eq!(progress.stop, Stop::Done);
/// assert_eq!(&dst[..progress.written], b"T\0s\0c\0h\0\xFC\0\xDF\0!\0");
/// ```
#[cfg(feature = "transcode")]
#[inline(always)]
pub fn transcode_into<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    dst: &mut (impl Output<B::Unit> + ?Sized),
) -> Progress {
    let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
    // SAFETY: the kernels write only initialised values.
    let output = view::bytes_uninit_mut(unsafe { dst.uninit_mut() });
    let units = const { Units::for_types::<A::Unit, B::Unit>() };
    conversion.run(Kernel::active(), view::bytes(src), output, units)
}

/// Converts `src` from `A` to `B` and appends the result to `out`, in one pass.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence or unmappable character. The text before it
/// has been converted and appended.
///
/// ```
/// use utflane::{transcode_append, Latin1, Utf8};
///
/// let mut text = String::from("¿Qué? ");
/// transcode_append::<Latin1, Utf8>(b"\xA1Ol\xE9!", &mut text)?;
/// assert_eq!(text, "¿Qué? ¡Olé!");
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[inline]
pub fn transcode_append<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    out: &mut B::Owned,
) -> Result<(), Error> {
    let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
    owned::append_to::<B>(None, to_vec, view::bytes(src), out)
}

/// Returns the number of code units of `B` (bytes for schemes) that `src` becomes. It does not
/// validate.
///
/// The result is exact for well-formed text without unmappable characters. For any other text,
/// every kernel computes the same number, by these rules, but it need not be the size of an output:
///
/// * From UTF-8, each byte that is not `10xxxxxx` counts as a code point; a byte `0xF0..=0xFF`
///   counts as one UTF-16 unit more.
/// * From UTF-16, a unit counts as 1, 2 or 3 bytes of UTF-8, and a surrogate as 2 bytes. Each unit
///   that is not a low surrogate counts as a code point.
/// * From UTF-32, the value of a unit determines how much it counts.
/// * From CESU-8 and Modified UTF-8, each byte that is not `10xxxxxx` counts as a UTF-16 unit.
///   `0xED` followed by `0xB0..=0xBF` counts as a low surrogate: as no code point, and as two bytes
///   less in UTF-8. In Modified UTF-8, `0xC0` counts as NUL, one byte less.
/// * To CESU-8 and Modified UTF-8, a high surrogate of UTF-16 counts as 2 bytes and a low surrogate
///   as 4, so a pair counts as 6. A byte `0xF0..=0xFF` of UTF-8 counts as two bytes more. In
///   Modified UTF-8, a NUL counts as one byte more.
/// * Between WTF-8 and WTF-16, an unpaired surrogate counts as 3 bytes or one unit. In all other
///   pairs, WTF-8 counts as UTF-8, and WTF-16 as UTF-16.
///
/// An incomplete code unit at the end of a scheme counts as nothing. The result saturates. The
/// function reads the text once.
///
/// ```
/// use utflane::{len, Utf16, Utf32Le, Utf8};
///
/// assert_eq!(len::<Utf8, Utf16>("a😀".as_bytes()), 3);
/// assert_eq!(len::<Utf8, Utf32Le>("a😀".as_bytes()), 8); // bytes
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn len<A: Encoding, B: Encoding>(src: &[A::Unit]) -> usize {
    Kernel::active().len::<A, B>(src)
}

/// Returns the number of code points in `src`. It does not validate: [`len`] defines the result for
/// ill-formed text. The function reads the text once.
///
/// ```
/// use utflane::{count, Utf16, Utf8};
///
/// assert_eq!(count::<Utf8>("añ😀".as_bytes()), 3);
/// assert_eq!(count::<Utf16>(&[0x61, 0xF1, 0xD83D, 0xDE00]), 3);
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    Kernel::active().count::<E>(src)
}

/// Converts a `&str` into an encoding that holds every character. It never fails, and does not
/// validate.
///
/// [`from_str_append`] also converts into Latin-1 and ASCII, which do not have every character.
///
/// ```
/// use utflane::{from_str, Utf16};
///
/// assert_eq!(from_str::<Utf16>("π≈3"), [0x3C0, 0x2248, 0x33]);
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[must_use]
#[inline]
pub fn from_str<B: Unicode>(src: &str) -> B::Owned {
    owned::from_str::<B>(None, src)
}

/// Converts as much of a `&str` as fits into `dst`: [`transcode_into`] without validation.
///
/// ```
/// use utflane::{from_str_into, Stop, Utf16};
///
/// let mut dst = [0; 3];
/// let progress = from_str_into::<Utf16>("ab😀", &mut dst);
/// assert_eq!((progress.read, progress.written, progress.stop), (2, 2, Stop::OutputFull));
/// ```
#[cfg(feature = "transcode")]
#[inline]
pub fn from_str_into<B: Encoding>(
    src: &str,
    dst: &mut (impl Output<B::Unit> + ?Sized),
) -> Progress {
    Kernel::active().from_str_into::<B>(src, dst)
}

/// Converts a `&str` and appends the result to `out`: [`transcode_append`] without validation.
///
/// # Errors
///
/// Returns an error for the first unmappable character. The text before the character has been
/// appended. A conversion to a Unicode encoding never fails, because it has every character.
///
/// ```
/// use utflane::{from_str_append, Utf16};
///
/// let mut units = vec![0xFEFF];
/// from_str_append::<Utf16>("Δ", &mut units)?;
/// assert_eq!(units, [0xFEFF, 0x394]);
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[inline]
pub fn from_str_append<B: Encoding>(src: &str, out: &mut B::Owned) -> Result<(), Error> {
    let to_vec = const { &ConversionToVec::of_str::<B>() };
    owned::append_to::<B>(None, to_vec, src.as_bytes(), out)
}
