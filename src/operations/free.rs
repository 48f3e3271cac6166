//! The operations as free functions, on the active kernel. Validation answers a few bytes itself.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::types::Unicode;
use crate::encoding::types::{Encoding, Utf8};
use crate::encoding::view;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::owned;
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
/// The first ill-formed sequence. For UTF-8, it is the one that [`core::str::from_utf8`] reports.
/// Latin-1, and WTF-16 in memory, are always well-formed. In CESU-8 and Modified UTF-8, an unpaired
/// surrogate and a four-byte character are ill-formed. In WTF-8, a surrogate pair is ill-formed, as
/// one error of six bytes.
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
        Err(known) => validation.locate_in_units(bytes, known, size_of::<E::Unit>()),
    }
}

/// Returns true if `src` is well-formed, and nothing about an error.
///
/// As [`validate`], and faster for texts of about a hundred bytes, because nothing is kept for the
/// search of an error.
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

/// Splits `src` before an incomplete sequence at its end: returns the text before it, and the start
/// of that sequence, which more input may complete. The second part is empty if there is none.
///
/// It is the part that a `Validator` keeps for the next chunk: for callers that keep it themselves,
/// at the start of their next buffer. If `src` has no other error, the first part is well-formed.
/// A sequence that no input can complete, such as `E0 80`, stays in the first part, which then has
/// that error; so does the first of two starts, as in `C3 C3`.
///
/// The second part has at most three bytes in UTF-8, one unit in UTF-16 and none in UTF-32. In
/// schemes an incomplete code unit belongs to it. In CESU-8, Modified UTF-8 and WTF-8 it has up to
/// five bytes, and in WTF-8 and WTF-16 it may be a high surrogate, which is well-formed where the
/// text ends. O(1).
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
/// One pass, without a length pass. A result of more than a few KiB keeps at most a quarter of
/// spare capacity.
///
/// # Errors
///
/// The first ill-formed sequence or unmappable character. The text converted before it is dropped;
/// [`transcode_append`] keeps it.
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
    owned::transcode::<A, B>(None, src)
}

/// Converts as much of `src` from `A` to `B` as fits into `dst`.
///
/// Returns how far it came and why it stopped: see [`Progress`]. On an error, the text before it
/// has been converted and counted. [`max_len`](crate::max_len) returns a size that is always
/// enough, [`len`] the exact one for well-formed text. `dst[written..]` is unspecified.
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
pub fn transcode_into<A: Encoding, B: Encoding>(src: &[A::Unit], dst: &mut [B::Unit]) -> Progress {
    // SAFETY: the kernels write only initialised values.
    let dst = unsafe { view::uninit_mut(dst) };
    transcode_into_uninit::<A, B>(src, dst)
}

/// Like [`transcode_into`], for an uninitialised output. On return, `dst[..written]` is
/// initialised.
///
/// ```
/// use utflane::{transcode_into_uninit, Latin1, Utf16};
///
/// let mut units: Vec<u16> = Vec::with_capacity(16);
/// let progress = transcode_into_uninit::<Latin1, Utf16>(b"caf\xE9", units.spare_capacity_mut());
/// // SAFETY: that many units have been initialised.
/// unsafe { units.set_len(progress.written) };
/// assert_eq!(units, [0x63, 0x61, 0x66, 0xE9]);
/// ```
#[cfg(feature = "transcode")]
#[inline(always)]
pub fn transcode_into_uninit<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    dst: &mut [MaybeUninit<B::Unit>],
) -> Progress {
    let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
    let (bytes, output) = (view::bytes(src), view::bytes_uninit_mut(dst));
    conversion.run(
        Kernel::active(),
        bytes,
        output,
        const { Units::for_types::<A::Unit, B::Unit>() },
    )
}

/// Converts `src` from `A` to `B` and appends the result to `out`, in one pass.
///
/// # Errors
///
/// The first ill-formed sequence or unmappable character. The text before it has been converted and
/// appended.
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
    owned::transcode_append::<A, B>(None, src, out)
}

/// Returns the number of code units of `B` (bytes for schemes) that `src` becomes. Does not
/// validate.
///
/// Exact for well-formed text without unmappable characters. For any other text it is the same
/// arithmetic on every kernel, and no promise about a size:
///
/// * From UTF-8, code points are the bytes that are not `10xxxxxx`; a byte `F0..=FF` is one UTF-16
///   unit more.
/// * From UTF-16, a unit is 1, 2 or 3 bytes of UTF-8, and a surrogate 2. Code points are the units
///   that are not low surrogates.
/// * From UTF-32, a unit counts by its size.
/// * From CESU-8 and Modified UTF-8, each byte that is not `10xxxxxx` is a UTF-16 unit. `ED`
///   followed by `B0..=BF` is a low surrogate: no code point, and two bytes less in UTF-8. In
///   Modified UTF-8, `C0` is NUL, a byte less.
/// * To CESU-8 and Modified UTF-8, a surrogate of UTF-16 is 2 bytes if it is high and 4 if it is
///   low, so a pair is 6. A byte `F0..=FF` of UTF-8 is two bytes more. In Modified UTF-8, a NUL is
///   one byte more.
/// * Between WTF-8 and WTF-16, an unpaired surrogate is 3 bytes or one unit. In all other pairs
///   they count as UTF-8 and UTF-16.
///
/// A fragment of a unit at the end of a scheme counts nothing. The result saturates. One pass.
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

/// Returns the number of code points in `src`. Does not validate: [`len`] defines the result for
/// ill-formed text. One pass.
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

/// Converts a `&str` into an encoding that holds every character. Never fails, and does not
/// validate.
///
/// [`try_from_str`] converts into Latin-1 and ASCII, which do not hold every character.
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

/// Converts a `&str` into any encoding, without validation.
///
/// # Errors
///
/// The first unmappable character.
///
/// ```
/// use utflane::{try_from_str, Latin1};
///
/// assert_eq!(try_from_str::<Latin1>("café")?, b"caf\xE9");
/// assert_eq!(try_from_str::<Latin1>("naïve €").unwrap_err().valid_up_to(), 7);
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[inline]
pub fn try_from_str<B: Encoding>(src: &str) -> Result<B::Owned, Error> {
    owned::try_from_str::<B>(None, src)
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
pub fn from_str_into<B: Encoding>(src: &str, dst: &mut [B::Unit]) -> Progress {
    // SAFETY: the kernels write only initialised values.
    let dst = unsafe { view::uninit_mut(dst) };
    from_str_into_uninit::<B>(src, dst)
}

/// Like [`from_str_into`], for an uninitialised output. On return, `dst[..written]` is initialised.
///
/// ```
/// use std::mem::MaybeUninit;
/// use utflane::{from_str_into_uninit, Utf32};
///
/// let mut dst = [MaybeUninit::uninit(); 4];
/// assert_eq!(from_str_into_uninit::<Utf32>("añ", &mut dst).written, 2);
/// ```
#[cfg(feature = "transcode")]
#[inline]
pub fn from_str_into_uninit<B: Encoding>(src: &str, dst: &mut [MaybeUninit<B::Unit>]) -> Progress {
    Kernel::active().from_str_into_uninit::<B>(src, dst)
}

/// Converts a `&str` and appends the result to `out`: [`transcode_append`] without validation.
///
/// # Errors
///
/// The first unmappable character. The text before it has been appended. Unicode encodings have
/// every character, so that they never fail.
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
    owned::from_str_append::<B>(None, src, out)
}

/// Returns the number of code units of `B` (bytes for schemes) that a `&str` becomes. Exact if `B`
/// has all its characters.
///
/// ```
/// assert_eq!(utflane::from_str_len::<utflane::Utf16>("a😀"), 3);
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn from_str_len<B: Encoding>(src: &str) -> usize {
    len::<Utf8, B>(src.as_bytes())
}
