#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(
    vectors = "none",
    allow(
        dead_code,
        unused_imports,
        unused_variables,
        reason = "without a vector kernel nobody calls the vector algorithms; they are compiled all the same, to stay right"
    )
)]
//! Validates and transcodes Unicode text with SIMD kernels chosen at run time.
//!
//! A few verbs, any encodings: name the encodings as types, and the verb does the rest. Errors are exact, outputs are
//! never overrun, and every kernel gives the same result on every input.
//!
//! ```
//! use utflane::{transcode, validate, Latin1, Utf16, Utf8};
//!
//! let units: Vec<u16> = transcode::<Utf8, Utf16>(b"na\xC3\xAFve")?;
//! assert_eq!(String::from_utf16(&units).unwrap(), "naïve");
//!
//! let text: String = transcode::<Latin1, Utf8>(b"na\xEFve")?;
//! assert_eq!(text, "naïve");
//!
//! let error = validate::<Utf8>(b"na\xEFve").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (2, Some(1)));
//! # Ok::<(), utflane::Error>(())
//! ```
//!
//! | verb | gives |
//! |---|---|
//! | [`validate::<E>`](validate) | `Ok`, or the exact error |
//! | [`transcode::<A, B>`](transcode) | a new `String` or `Vec` |
//! | [`transcode_into::<A, B>`](transcode_into), [`_uninit`](transcode_into_uninit) | as much as fits into a slice |
//! | [`transcode_append::<A, B>`](transcode_append) | appends to a `String` or `Vec` |
//! | [`len::<A, B>`](len), [`count::<E>`](count), [`max_len::<A, B>`](max_len) | output units, code points, worst case |
//! | [`from_str::<B>`](from_str) and its sisters | conversions from `&str`, which need no validation |
//! | [`utf8::to_chars`] and its sisters | a `Vec<char>` |
//! | [`utf32::as_chars`] and its sisters | UTF-32 seen as `char`s, and back |
//! | [`utf8::summary`], [`utf8::fits_latin1`] | what decides how to store or convert a text, in one pass |
//! | [`utf8::offset_of`], [`utf8::index_of`], [`utf8::position_of`], [`utf8::offset_at`] | byte offsets from and to code points, UTF-16 units, lines and columns |
//! | [`Index`] | the same for many questions to one text |
//! | [`utf8::floor_boundary`], [`utf8::ceil_boundary`] | where a text can be cut, from any place in it |
//! | [`utf8::chunks`] | the valid and invalid runs of a text |
//! | [`utf8::legacy::decode`], [`utf8::legacy::sequences`] and sisters | UTF-8 of up to six bytes, as RFC 2279 had it: decoded; found in damaged text |
//! | [`utf16::offset_of`], [`utf16::index_of`], [`utf16::compare`] | places in UTF-16, its order by code points |
//! | [`transcode_lossy::<A, B>`](transcode_lossy) and sisters, [`utf8::lossy`] | the same with repairs of what is wrong, which never fail |
//! | [`Repair`], [`Policy`] | what becomes of what is ill-formed, or not in the target |
//! | [`utf16::make_well_formed`], [`utf16::to_well_formed`] and sisters | ill-formed UTF-16 repaired with U+FFFD |
//! | [`bom::detect`], [`bom::strip`] and sisters | byte order marks |
//! | [`detect::detect`], [`detect::detect_prefix`] | the scheme that a text is in, if nobody says |
//! | [`mojibake::undo`], [`mojibake::undo_all`] and sisters | UTF-8 that was taken for Latin-1 or windows-1252, undone |
//! | [`cesu8::from_str`], [`mutf8::to_str`] and sisters | strings from and to CESU-8 and Modified UTF-8, copied only if that changes them |
//! | [`wtf8::to_str`], [`wtf8::append`] and sisters | WTF-8 as strings, and joined |
//! | [`Validator`], [`Transcoder`] | the same for streams cut anywhere |
//! | [`Scheme`] | the same for an encoding chosen at run time |
//! | `io::Reader`, `io::Writer`, `io::read_to_string` | texts in any encoding from and to `std::io`, with the feature `std` |
//!
//! # Encodings
//!
//! | type | code unit | what it is |
//! |---|---|---|
//! | [`Utf8`], [`Utf16`], [`Utf32`] | `u8`, `u16`, `u32` | code units in memory, in the machine's byte order |
//! | [`Utf16Le`], [`Utf16Be`], [`Utf32Le`], [`Utf32Be`] | `u8` | bytes as in files and on wires, at any alignment |
//! | [`Latin1`], [`Ascii`] | `u8` | the first 256 and 128 code points |
//! | [`Cesu8`], [`Mutf8`] | `u8` | UTF-8 of UTF-16's code units; Java's, with NUL as `C0 80` |
//! | [`Wtf8`], [`Wtf16`] | `u8`, `u16` | UTF-8 and UTF-16 that may have lone surrogates |
//!
//! Every pair of them converts. Lone surrogates are kept from and to [`Wtf8`] and [`Wtf16`] only; in any other conversion they
//! are ill-formed, as [`ErrorKind::Surrogate`].
//!
//! # Positions and lengths
//!
//! Everything is counted in code units of its text: bytes for UTF-8, its relatives, Latin-1, ASCII and the schemes (UTF-16LE
//! and the like), 16-bit units for UTF-16 and WTF-16, 32-bit units for UTF-32. A conversion goes as far as possible: at each
//! position, in this order, the end of the input is [`Stop::Done`]; an ill-formed, truncated or unmappable character is
//! [`Stop::Error`], even when the output is full; a character that doesn't fit is [`Stop::OutputFull`]. Characters are
//! never split. What lies behind `written` in an output is unspecified and may have been overwritten.
//!
//! Places are counted from zero, in what a [`Metric`] names. They are defined for ill-formed text too, by the
//! [boundaries](utf8::is_boundary) and the counts that any bytes have.
//!
//! # The same everywhere
//!
//! Whatever the bytes are, every function gives the same result on every kernel and every processor: the same output, the same
//! error at the same place and of the same kind, and the same partial progress where it stops. The scalar kernel defines
//! what that is, and for UTF-8 it is what the standard library says. It holds for ill-formed text too, for counts, lengths and
//! places in it, and for outputs of any size. A stream gives what the whole text gives, however it is cut; only the
//! [kind](StreamError::kind) of an error may be another one, where a cut hides what would have decided it. Nothing panics,
//! whatever a text has in it; a difference is a mistake, and in `SECURITY.md` of the repository stands what else is promised.
//!
//! # Features
//!
//! * `std` (default): detection of the processor at run time, the environment variable `UTFLANE_KERNEL`, and the module `io`.
//!   Implies `alloc`.
//! * `avx512` (default): the kernel for AVX-512 (VBMI2: Ice Lake, Zen 4 and newer), 65 KiB of a program that uses every pair.
//! * `alloc`: owned results, and [`Index`].
//! * Without features: validation and conversion into slices, with the best kernel that the target's features allow
//!   when the program is compiled.
//! * `cpuid`: detection of the processor at run time without `std`, on x86 and x86-64, where it is asked itself. Only for
//!   environments that save vector registers when they switch between programs or serve interrupts. The processor says
//!   whether such registers are switched on; that whoever interrupts the program leaves them alone, it can't say. Programs
//!   of operating systems may rely on it; kernels and firmware mostly may not. With `std` it changes nothing.
//!
//! # Cost
//!
//! One pass over the input, no allocation except for owned results. An error costs its prefix and at most a KiB of work
//! more. Lengths and counts are one pass and never validate.

#[cfg(feature = "alloc")]
extern crate alloc;

mod arch;
pub mod bom;
#[cfg(feature = "alloc")]
pub mod cesu8;
pub mod detect;
mod encoding;
mod error;
mod generic;
#[cfg(feature = "alloc")]
mod index;
#[cfg(feature = "std")]
pub mod io;
mod kernel;
mod lossy;
pub mod mojibake;
#[cfg(feature = "alloc")]
pub mod mutf8;
#[cfg(feature = "alloc")]
mod owned;
mod places;
mod policy;
mod progress;
#[cfg(feature = "alloc")]
mod relatives;
mod scalar;
mod short;
mod stream;
mod tables;
pub mod utf16;
pub mod utf32;
pub mod utf8;
pub mod wtf8;

use core::mem::MaybeUninit;

use encoding::{pairs, view};
use progress::Units;

pub use encoding::{
    Ascii, Cesu8, Encoding, Latin1, Mutf8, Scheme, Unicode, Unit, UnknownLabel, Utf8, Utf16,
    Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le, Wtf8, Wtf16, max_len,
};
pub use error::{Error, ErrorKind, StreamError};
#[cfg(feature = "alloc")]
pub use index::Index;
pub use kernel::Kernel;
pub use lossy::{
    LossyProgress, len_lossy, max_len_lossy, transcode_lossy_into, transcode_lossy_into_uninit,
};
#[cfg(feature = "alloc")]
pub use lossy::{Repaired, transcode_lossy, transcode_lossy_append};
pub use places::{Metric, Position};
pub use policy::{IllFormed, Policy, Repair, Unmappable};
pub use progress::{Progress, Stop};
pub use stream::{ByteTranscoder, ByteValidator, Transcoder, Validator};

/// Says whether `src` is well-formed, or where it first isn't.
///
/// # Errors
///
/// The first place that is not well-formed, exactly: for UTF-8 it is that of [`core::str::from_utf8`]. Latin-1 has none, and
/// WTF-16 in memory. In CESU-8 and Modified UTF-8, half of a pair of surrogates is ill-formed, and a character of four bytes; in
/// WTF-8, a pair of surrogates is, as one error of six bytes.
///
/// ```
/// use utflane::{validate, Ascii, Utf16Le, Utf8};
///
/// assert_eq!(validate::<Utf8>("Ångström".as_bytes()), Ok(()));
/// assert_eq!(validate::<Ascii>(b"plain"), Ok(()));
/// // A scheme is bytes of any alignment; here half a code unit is left over.
/// let error = validate::<Utf16Le>(b"a\0b\0c").unwrap_err();
/// assert_eq!(error.valid_up_to(), 4);
/// assert!(error.is_incomplete());
/// ```
#[inline]
pub fn validate<E: Encoding>(src: &[E::Unit]) -> Result<(), Error> {
    let bytes = view::bytes(src);
    let well_formed = match const { E::SCHEME } {
        Scheme::Utf8 => short::is_ascii_16(bytes) || short::is_character(bytes),
        Scheme::Ascii => short::is_ascii_64(bytes),
        Scheme::Utf16Le => short::utf16::is_well_formed::<false>(bytes),
        Scheme::Utf16Be => short::utf16::is_well_formed::<true>(bytes),
        Scheme::Utf32Le => short::utf32::is_well_formed(bytes),
        _ => false,
    };
    if well_formed {
        return Ok(());
    }
    Kernel::active().validate::<E>(src)
}

/// Converts `src` from `A` to `B` into a new `String` (UTF-8, ASCII) or `Vec` of units.
///
/// One pass, without measuring the length first. Of a result longer than a few KiB at most a quarter is spare capacity.
///
/// # Errors
///
/// The first place that is ill-formed, or that `B` doesn't have; what was converted before is dropped.
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
#[cfg(feature = "alloc")]
#[inline]
pub fn transcode<A: Encoding, B: Encoding>(src: &[A::Unit]) -> Result<B::Owned, Error> {
    owned::transcode::<A, B>(None, src)
}

/// Converts as much of `src` from `A` to `B` as fits into `dst`.
///
/// Says how far it came and why it stopped: see [`Progress`]. On an error, everything in front of it has been converted
/// and counted. [`max_len`] gives a size that is always enough, [`len`] the exact one for well-formed text.
///
/// ```
/// use utflane::{transcode_into, Stop, Utf16Le, Utf8};
///
/// let mut dst = [0; 64];
/// let progress = transcode_into::<Utf8, Utf16Le>("Tschüß!".as_bytes(), &mut dst);
/// assert_eq!(progress.stop, Stop::Done);
/// assert_eq!(&dst[..progress.written], b"T\0s\0c\0h\0\xFC\0\xDF\0!\0");
/// ```
#[inline(always)]
pub fn transcode_into<A: Encoding, B: Encoding>(src: &[A::Unit], dst: &mut [B::Unit]) -> Progress {
    // SAFETY: only values are written.
    let dst = unsafe { view::uninit_mut(dst) };
    transcode_into_uninit::<A, B>(src, dst)
}

/// [`transcode_into`] for an output that need not be initialised. Afterwards `dst[..written]` is.
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
#[inline(always)]
pub fn transcode_into_uninit<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    dst: &mut [MaybeUninit<B::Unit>],
) -> Progress {
    let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
    let (bytes, room) = (view::bytes(src), view::bytes_uninit_mut(dst));
    conversion.run_active(bytes, room, const { Units::of::<A::Unit, B::Unit>() })
}

/// Converts `src` from `A` to `B` and appends the result to `out`, in one pass.
///
/// # Errors
///
/// The first place that is ill-formed, or that `B` doesn't have; what stands in front of it has been appended.
///
/// ```
/// use utflane::{transcode_append, Latin1, Utf8};
///
/// let mut text = String::from("¿Qué? ");
/// transcode_append::<Latin1, Utf8>(b"\xA1Ol\xE9!", &mut text)?;
/// assert_eq!(text, "¿Qué? ¡Olé!");
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn transcode_append<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    out: &mut B::Owned,
) -> Result<(), Error> {
    owned::transcode_append::<A, B>(None, src, out)
}

/// Code units of `B` (bytes for schemes) that `src` becomes, without validating it.
///
/// Exact for text that is well-formed and that `B` has. For any other text it is the same arithmetic on every kernel,
/// and no promise about a size: UTF-8 code points are the bytes that are not `10xxxxxx`, a byte `F0..=FF` is one UTF-16
/// unit more; a UTF-16 unit is 1, 2 or 3 UTF-8 bytes and a surrogate 2, and code points are the units that are not low
/// surrogates; UTF-32 units count by their size. Half units at the end of a scheme count nothing. The result saturates.
///
/// Of CESU-8 and Modified UTF-8, each byte that is not `10xxxxxx` is a UTF-16 unit; `ED` with `B0..=BF` behind it is the second
/// half of a pair, so no code point, and two bytes less in UTF-8; in Modified UTF-8 `C0` is NUL, a byte less. Into them, a
/// surrogate of UTF-16 is 2 bytes if it is high and 4 if it is low, 6 as a pair; a byte `F0..=FF` of UTF-8 is two bytes more; into
/// Modified UTF-8 a NUL is one more. Among WTF-8 and WTF-16 a lone surrogate counts as what it is, 3 bytes or a unit; for all
/// other pairs they count as UTF-8 and UTF-16 do.
///
/// ```
/// use utflane::{len, Utf16, Utf32Le, Utf8};
///
/// assert_eq!(len::<Utf8, Utf16>("a😀".as_bytes()), 3);
/// assert_eq!(len::<Utf8, Utf32Le>("a😀".as_bytes()), 8); // bytes
/// ```
#[must_use]
#[inline]
pub fn len<A: Encoding, B: Encoding>(src: &[A::Unit]) -> usize {
    let bytes = view::bytes(src);
    let short = match const { (A::SCHEME, B::SCHEME) } {
        (Scheme::Utf8, Scheme::Utf16Le | Scheme::Utf16Be) => short::utf16_units(bytes),
        (Scheme::Utf8, Scheme::Utf32Le | Scheme::Utf32Be | Scheme::Latin1 | Scheme::Ascii) => {
            short::continuations(bytes).map(|surplus| bytes.len() - surplus)
        }
        (Scheme::Utf16Le | Scheme::Utf16Be, Scheme::Utf8) => {
            short::utf16::only_unit(bytes, A::SCHEME).map(short::utf16::utf8_len_of_unit)
        }
        (
            Scheme::Utf16Le | Scheme::Utf16Be,
            Scheme::Utf32Le | Scheme::Utf32Be | Scheme::Latin1 | Scheme::Ascii,
        ) => short::utf16::only_unit(bytes, A::SCHEME).map(short::utf16::count_of_unit),
        (Scheme::Latin1, Scheme::Utf8) => short::latin1::high(bytes).map(|high| bytes.len() + high),
        (Scheme::Latin1, Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8)
        | (Scheme::Ascii, Scheme::Mutf8) => None,
        (Scheme::Latin1 | Scheme::Ascii, _) => Some(bytes.len()),
        (Scheme::Utf32Le, Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be) => {
            short::utf32::len(bytes, B::SCHEME)
        }
        _ => None,
    };
    match short {
        Some(units) => units.saturating_mul(const { B::SCHEME.unit_size() / size_of::<B::Unit>() }),
        None => Kernel::active().len::<A, B>(src),
    }
}

/// Code points in `src`, without validating it: see [`len`] for what that means in ill-formed text.
///
/// ```
/// use utflane::{count, Utf16, Utf8};
///
/// assert_eq!(count::<Utf8>("añ😀".as_bytes()), 3);
/// assert_eq!(count::<Utf16>(&[0x61, 0xF1, 0xD83D, 0xDE00]), 3);
/// ```
#[must_use]
#[inline]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    let bytes = view::bytes(src);
    let short = match const { E::SCHEME } {
        Scheme::Utf8 => short::continuations(bytes).map(|surplus| bytes.len() - surplus),
        Scheme::Utf16Le | Scheme::Utf16Be => {
            short::utf16::only_unit(bytes, E::SCHEME).map(short::utf16::count_of_unit)
        }
        Scheme::Latin1 | Scheme::Ascii => Some(bytes.len()),
        _ => None,
    };
    match short {
        Some(code_points) => code_points,
        None => Kernel::active().count::<E>(src),
    }
}

/// Converts a `&str` into an encoding that holds every character. Can't fail, and validates nothing.
///
/// For Latin-1 and ASCII, which don't hold every character, there is [`try_from_str`].
///
/// ```
/// use utflane::{from_str, Utf16};
///
/// assert_eq!(from_str::<Utf16>("π≈3"), [0x3C0, 0x2248, 0x33]);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn from_str<B: Unicode>(src: &str) -> B::Owned {
    owned::from_str::<B>(None, src)
}

/// Converts a `&str` into any encoding.
///
/// # Errors
///
/// The first character that `B` doesn't have.
///
/// ```
/// use utflane::{try_from_str, Latin1};
///
/// assert_eq!(try_from_str::<Latin1>("café")?, b"caf\xE9");
/// assert_eq!(try_from_str::<Latin1>("naïve €").unwrap_err().valid_up_to(), 7);
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(feature = "alloc")]
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
#[inline]
pub fn from_str_into<B: Encoding>(src: &str, dst: &mut [B::Unit]) -> Progress {
    // SAFETY: only values are written.
    let dst = unsafe { view::uninit_mut(dst) };
    from_str_into_uninit::<B>(src, dst)
}

/// [`from_str_into`] for an output that need not be initialised. Afterwards `dst[..written]` is.
///
/// ```
/// use std::mem::MaybeUninit;
/// use utflane::{from_str_into_uninit, Utf32};
///
/// let mut dst = [MaybeUninit::uninit(); 4];
/// assert_eq!(from_str_into_uninit::<Utf32>("añ", &mut dst).written, 2);
/// ```
#[inline]
pub fn from_str_into_uninit<B: Encoding>(src: &str, dst: &mut [MaybeUninit<B::Unit>]) -> Progress {
    if let Some(written) = short::from_str(src, B::SCHEME, view::bytes_uninit_mut(dst)) {
        let written = written / size_of::<B::Unit>();
        return Progress { read: src.len(), written, stop: Stop::Done };
    }
    Kernel::active().from_str_into_uninit::<B>(src, dst)
}

/// Converts a `&str` and appends the result to `out`: [`transcode_append`] without validation.
///
/// # Errors
///
/// The first character that `B` doesn't have; what stands in front of it has been appended. Unicode encodings have all.
///
/// ```
/// use utflane::{from_str_append, Utf16};
///
/// let mut units = vec![0xFEFF];
/// from_str_append::<Utf16>("Δ", &mut units)?;
/// assert_eq!(units, [0xFEFF, 0x394]);
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn from_str_append<B: Encoding>(src: &str, out: &mut B::Owned) -> Result<(), Error> {
    owned::from_str_append::<B>(None, src, out)
}

/// Code units of `B` (bytes for schemes) that a `&str` becomes. Exact if `B` has all its characters.
///
/// ```
/// assert_eq!(utflane::from_str_len::<utflane::Utf16>("a😀"), 3);
/// ```
#[must_use]
#[inline]
pub fn from_str_len<B: Encoding>(src: &str) -> usize {
    len::<Utf8, B>(src.as_bytes())
}

/// The examples of the README, run as tests.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
