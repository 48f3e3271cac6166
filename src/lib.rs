#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(
    not(all(feature = "transcode", feature = "count")),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        unused_macros,
        reason = "the operations use only a part of the code below them"
    )
)]
#![cfg_attr(
    vectors = "none",
    allow(
        dead_code,
        unused_imports,
        unused_variables,
        reason = "without a vector kernel, the vector algorithms are compiled only to be checked"
    )
)]
//! Validates and converts Unicode text with vector instructions (SIMD), chosen at run time.
//!
//! Encodings are types, and eight operations are generic over them. An error has the offset, the
//! length and the kind of the first ill-formed sequence. No function writes outside its output.
//! Every processor returns the same result for every input.
//!
//! ```
//! use utflane::{Latin1, Utf8, Utf16, transcode, validate};
//!
//! // Bytes in UTF-8 to UTF-16: validated and converted in one pass.
//! let units: Vec<u16> = transcode::<Utf8, Utf16>(b"na\xC3\xAFve")?;
//! assert_eq!(String::from_utf16(&units).unwrap(), "naïve");
//!
//! // Latin-1 to a `String`.
//! let text: String = transcode::<Latin1, Utf8>(b"na\xEFve")?;
//! assert_eq!(text, "naïve");
//!
//! // Errors are as in `core::str::from_utf8`, with the kind added.
//! let error = validate::<Utf8>(b"na\xEFve").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (2, Some(1)));
//! # Ok::<(), utflane::Error>(())
//! ```
//!
//! # The eight operations
//!
//! | operation | result |
//! |---|---|
//! | [`validate::<E>`](validate), [`is_valid::<E>`](is_valid) | `Ok`, or the first error; true if the text is well-formed |
//! | [`transcode::<A, B>`](transcode) | a new `String` or `Vec`; the first error |
//! | [`transcode_append::<A, B>`](transcode_append) | the same, appended to a `String` or `Vec` |
//! | [`transcode_into::<A, B>`](transcode_into) | as much as fits into a slice, which may be uninitialised |
//! | [`transcode_lossy::<A, B>`](transcode_lossy), [`_append`](transcode_lossy_append), [`_into`](transcode_lossy_into) | the text with repairs; never fails |
//! | [`from_str::<B>`](from_str), [`_append`](from_str_append), [`_into`](from_str_into) | conversions of a `&str`, without validation |
//! | [`len::<A, B>`](len), [`max_len::<A, B>`](max_len) | size of the output: exact for well-formed text; worst case |
//! | [`count::<E>`](count) | the number of code points |
//!
//! # Which function
//!
//! | you have | you want | function |
//! |---|---|---|
//! | bytes in UTF-8 | a `&str` or `String`, without a copy | [`utf8::from_utf8`], [`utf8::into_string`] |
//! | bytes that may be ill-formed | a `Cow<str>` with U+FFFD | [`utf8::from_utf8_lossy`] |
//! | chunks that may end inside a character | a stream | [`Transcoder`], [`Validator`] |
//! | a buffer that may end inside a character | the text before the incomplete sequence | [`split_incomplete`] |
//! | blocks of 64 bytes, in a parser | a validator in registers | [`blocks`] |
//! | many short texts in one buffer, with offsets or views | each row validated or converted | `columns` (feature `columns`) |
//! | a file or socket | a reader of UTF-8, a writer | `io::Reader`, `io::Writer`, `io::read_to_string` (feature `std`) |
//! | an encoding's name at run time | the operations | [`Scheme`] |
//! | text that may have a byte order mark | its encoding | [`bom::detect`]; the crate `utflane-charset` detects unknown encodings |
//! | UTF-8 | its lengths and largest character, in one pass | [`utf8::summary`], [`utf8::fits_latin1`] |
//! | a byte offset | a line and column, or an index | [`utf8::Lines`], [`utf8::index_of`]; [`Index`] for many of them |
//! | a line and column, or an index | a byte offset | [`utf8::Lines`], [`utf8::offset_of`] |
//! | megabytes, and several cores | the operations on several threads | `par::validate`, `par::transcode` (feature `rayon`) |
//! | many sorted positions | the same in another metric, in one pass | [`utf8::convert_positions`] |
//! | a text | the number of its lines, or of its characters above U+FFFF | [`utf8::Lines::count`], [`utf8::count_supplementary`] |
//! | any offset | a character boundary | [`utf8::floor_boundary`], [`utf8::ceil_boundary`] |
//! | any bytes | their valid and invalid runs | [`utf8::chunks`](utf8::chunks()) |
//! | UTF-8 or UTF-32 | `char`s | [`utf8::to_chars`]; [`utf32::as_chars`] without a copy |
//! | UTF-16 | unpaired surrogates replaced | [`utf16::make_well_formed`], [`utf16::to_well_formed`] |
//! | ill-formed text | its length after repairs, and their number | [`measure_lossy`] |
//! | UTF-16 | offsets, indexes, code point order | [`utf16::offset_of`], [`utf16::index_of`], [`utf16::compare`] |
//! | text that was encoded twice | the original | the crate `utflane-charset` |
//! | CESU-8, Modified UTF-8 or WTF-8 | a string, copied only if it changes | [`cesu8::to_str`], [`mutf8::to_str`], [`wtf8::to_str`] |
//! | text in windows-1252, KOI8-R, a page of DOS or Mac OS, EBCDIC | the operations | `code_page` (feature `code-pages`) |
//! | a literal | an array in UTF-16, Latin-1 or a code page, by the compiler | [`utf16!`], [`utf16z!`], [`latin1!`], `code_page!` (feature `code-pages`) |
//! | UTF-8 of up to six bytes (RFC 2279) | its values, or their offsets | [`utf8::legacy::decode`], [`utf8::legacy::sequences`] |
//!
//! [`Repair`] and [`Policy`] choose the replacement for ill-formed sequences and unmappable
//! characters. [`Kernel`] has every operation as a method, to run it on a kernel of your choice.
//!
//! # Encodings
//!
//! | type | code unit | meaning |
//! |---|---|---|
//! | [`Utf8`], [`Utf16`], [`Utf32`] | `u8`, `u16`, `u32` | code units in memory, in the machine's byte order |
//! | [`Utf16Le`], [`Utf16Be`], [`Utf32Le`], [`Utf32Be`] | `u8` | bytes as in files and network protocols, at any alignment |
//! | [`Latin1`], [`Ascii`] | `u8` | the first 256 and 128 code points |
//! | [`Cesu8`], [`Mutf8`] | `u8` | each UTF-16 code unit as in UTF-8; Java's variant, with NUL as `0xC0 0x80` |
//! | [`Wtf8`], [`Wtf16`] | `u8`, `u16` | UTF-8 and UTF-16 that may contain unpaired surrogates |
//! | [`Wtf16Le`], [`Wtf16Be`] | `u8` | the same UTF-16 as bytes, at any alignment |
//!
//! Every encoding converts to every encoding. WTF-8 and WTF-16 keep unpaired surrogates in
//! conversions between them. In any other conversion an unpaired surrogate is ill-formed
//! ([`ErrorKind::Surrogate`]).
//!
//! # Positions and lengths
//!
//! Offsets and lengths count the code units of the encoding's type: `u16` for [`Utf16`] and
//! [`Wtf16`], `u32` for [`Utf32`], and bytes for all others.
//!
//! A conversion goes as far as possible. At each position, in this order:
//!
//! 1. The input ended: [`Stop::Done`].
//! 2. The next character is ill-formed, incomplete or unmappable: [`Stop::Error`], even if the
//!    output is full.
//! 3. The next character does not fit: [`Stop::OutputFull`].
//!
//! A conversion never splits a character. The output after `written` is unspecified, and may have
//! been overwritten.
//!
//! Lines, columns and indexes count from zero, in a [`Metric`]. They are defined for ill-formed
//! text too, by [boundaries](utf8::is_boundary) and counts that are defined for any bytes.
//!
//! # The same everywhere
//!
//! A kernel is the set of functions for one instruction set. Every kernel returns the same output,
//! the same error (kind, offset and length) and the same partial progress. The scalar kernel
//! defines the result. For UTF-8 it is the standard library's result. This holds for ill-formed
//! text, for counts, lengths and positions, and for outputs of any size. A stream returns the
//! result of the whole text, wherever its chunks end. Only the [kind](StreamError::kind) of an
//! error may differ, if a later chunk has the bytes that determine the kind. No input causes a
//! panic. A difference is a bug. `SECURITY.md` in the repository lists all promises.
//!
//! # Features
//!
//! * `std` (default): detection of the processor at run time, the environment variable
//!   `UTFLANE_KERNEL`, and with `transcode` the module `io`. Implies `alloc`.
//! * `avx512` (default): the kernels for AVX-512 (VBMI2: Ice Lake, Zen 4 and newer). They add 130
//!   KiB to a program that uses every operation of every pair.
//! * `transcode` (default): conversions, repairs, readers and writers. Implies `count`.
//! * `code-pages`: single-byte encodings, in the module `code_page`: the pages of Windows, ISO
//!   8859, DOS, Mac OS and EBCDIC. Implies `transcode` and `alloc`.
//! * `columns`: many rows in one buffer, with offsets or views, validated and converted together.
//!   Implies `transcode` and `alloc`.
//! * `count`: lengths, counts, summaries, positions, [`Index`], valid and invalid runs.
//!   Implies `stream` and `wide`.
//! * `wide`: vector code that validates UTF-16 and UTF-32. Without it, the scalar reference does.
//! * `stream`: validation in chunks, [`Validator`], [`blocks`].
//! * `alloc`: owned results, and [`Index`].
//! * No features: validation of whole texts, with the best kernel that the target's features allow
//!   at compile time. Validation alone, also with `std`, builds in a sixth of the time. UTF-8 and
//!   ASCII have vector code. The other encodings have vector code only with `wide`, `count` or
//!   `transcode`.
//! * `rayon`: long texts on several threads, in the module `par`. Implies `std` and `transcode`.
//! * `cpuid`: detection at run time without `std`, on x86 and x86-64, with the instruction `CPUID`.
//!   Use it only in environments that save vector registers when they switch between programs or
//!   serve interrupts. The processor reports if such registers are enabled, but not if an interrupt
//!   preserves them. Programs under an operating system may rely on their preservation; operating
//!   system kernels and firmware mostly may not. With `std`, this feature changes nothing.
//!
//! # Cost
//!
//! An operation is one pass over the input. Only owned results allocate. A call that fails has read
//! the text before the error and at most a KiB more. Lengths and counts never validate.
//!
//! A debug build has only the scalar kernel, unoptimised. It compiles in a quarter of the time of a
//! release build. These lines in `Cargo.toml` give a debug build the vector kernels. The debug
//! build then takes as long to compile as a release build:
//!
//! ```toml
//! [profile.dev.package.utflane]
//! opt-level = 1
//! debug = false
//! debug-assertions = false
//! overflow-checks = false
//! ```

#[cfg(feature = "alloc")]
extern crate alloc;

mod arch;
pub mod bom;
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub mod cesu8;
#[cfg(all(feature = "alloc", feature = "transcode"))]
mod cesu8_mutf8;
#[cfg(feature = "code-pages")]
pub mod code_page;
#[cfg(feature = "columns")]
pub mod columns;
mod dispatch;
mod encoding;
mod generic;
#[cfg(all(feature = "alloc", feature = "count"))]
mod index;
#[cfg(all(feature = "std", feature = "transcode"))]
pub mod io;
#[doc(hidden)]
pub mod literals;
#[cfg(feature = "transcode")]
mod lossy;
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub mod mutf8;
mod operations;
#[cfg(all(feature = "alloc", feature = "transcode"))]
mod owned;
#[cfg(feature = "rayon")]
pub mod par;
mod scalar;
#[cfg(feature = "stream")]
mod stream;
mod swar;
mod tables;
mod types;
#[cfg(feature = "count")]
pub mod utf16;
pub mod utf32;
pub mod utf8;
#[cfg(feature = "transcode")]
pub mod wtf8;

pub use self::dispatch::kernel::Kernel;
#[cfg(feature = "transcode")]
pub use self::encoding::output::Output;
pub use self::encoding::scheme::{Scheme, UnknownLabel};
pub use self::encoding::types::{
    Ascii, Cesu8, Encoding, Latin1, Mutf8, Unicode, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be,
    Utf32Le, Wtf8, Wtf16, Wtf16Be, Wtf16Le, max_len,
};
pub use self::encoding::unit::Unit;
#[cfg(all(feature = "alloc", feature = "count"))]
pub use self::index::Index;
#[cfg(feature = "transcode")]
pub use self::lossy::lengths::{RepairedLen, max_len_lossy, measure_lossy};
#[cfg(feature = "transcode")]
pub use self::lossy::operations::{LossyProgress, transcode_lossy_into};
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::lossy::operations::{Repaired, transcode_lossy, transcode_lossy_append};
#[cfg(feature = "count")]
pub use self::operations::free::{count, len};
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::operations::free::{from_str, from_str_append, transcode, transcode_append};
#[cfg(feature = "transcode")]
pub use self::operations::free::{from_str_into, transcode_into};
pub use self::operations::free::{is_valid, split_incomplete, validate};
#[cfg(feature = "stream")]
pub use self::stream::blocks;
#[cfg(feature = "transcode")]
pub use self::stream::transcoder::{ByteTranscoder, Transcoder};
#[cfg(feature = "stream")]
pub use self::stream::validator::{ByteValidator, Validator};
#[cfg(feature = "alloc")]
pub use self::types::error::IntoError;
pub use self::types::error::{Error, ErrorKind, StreamError};
#[cfg(feature = "transcode")]
pub use self::types::policy::{IllFormed, Policy, Repair, Unmappable};
#[cfg(feature = "count")]
pub use self::types::position::{LineEnds, Metric, Position, PositionsError};
pub use self::types::progress::{Progress, Stop};

/// The examples of the README, run as tests.
#[cfg(all(doctest, feature = "alloc", feature = "transcode"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The example of the page on code pages, run as a test.
#[cfg(all(doctest, feature = "code-pages"))]
#[doc = include_str!("../docs/code-pages.md")]
struct CodePages;
