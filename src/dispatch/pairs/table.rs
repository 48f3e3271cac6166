//! The pair table: the functions for each pair of schemes.
//!
//! Each function is compiled once, in this crate. The public operations choose a function at
//! compile time (by an inline `const`), so a program links only the functions that it uses. An
//! encoding form in memory has the scheme of the machine's byte order, so the 225 pairs of
//! encodings are 144 pairs of schemes. The functions form a few families:
//!
//! * from [UTF-8](super::from_utf8), [UTF-16](super::from_utf16), [UTF-32](super::from_utf32),
//!   [Latin-1 and ASCII](super::from_latin1);
//! * between [CESU-8, Modified UTF-8](super::cesu8_mutf8) and UTF-8;
//! * between CESU-8, Modified UTF-8 and the schemes other than UTF-8, and most conversions from and
//!   to UTF-32BE, [in two steps](super::through);
//! * between the schemes that may have [unpaired surrogates](super::wtf8), by the functions of
//!   UTF-8 and UTF-16 for the text between unpaired surrogates. In a pair with any other scheme,
//!   these functions convert alone, and stop before an unpaired surrogate.
//!
//! Each function has vector code, and next to it the scalar reference, which runs only on the
//! scalar kernel.

use core::mem::MaybeUninit;

use crate::dispatch::function::{Measure, Transcode};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::{
    cesu8_mutf8, cesu8_mutf8_len, from_latin1, from_utf8, from_utf16, from_utf32, through, wtf8,
};
use crate::encoding::scheme::Scheme;
use crate::scalar;
use crate::types::progress::{Progress, Reach, Stop, Units};

/// The conversion from one scheme to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    transcode: Transcode,
    pub(crate) from: Scheme,
    pub(crate) to: Scheme,
}

impl Conversion {
    /// Converts as much of `src` as possible.
    #[inline]
    pub(crate) fn reach(self, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        (self.transcode)(src, dst, kernel)
    }

    /// Returns the reason why a conversion stopped at byte `read` of `src`.
    #[inline]
    pub(crate) fn stop(self, src: &[u8], read: usize) -> Stop {
        if read == src.len() { Stop::Done } else { scalar::stop(self.from, self.to, src, read) }
    }

    /// Returns the progress, in units, of a conversion that stopped at `reach`. The argument is a
    /// [`Reach`], because two branches that each return a `Progress` would both go through memory.
    #[inline]
    pub(crate) fn progress(self, src: &[u8], reach: Reach, units: Units) -> Progress {
        if reach.read < src.len() {
            return stopped_progress(
                src,
                reach,
                PairAndUnits { from: self.from, to: self.to, units },
            );
        }
        let (read, written) = units.of_bytes(src.len(), reach.written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts as much of `src` as possible, and returns progress in units.
    #[inline]
    pub(crate) fn run(
        self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        units: Units,
    ) -> Progress {
        let reach = match src.is_empty() {
            true => Reach { read: 0, written: 0 },
            false => self.reach(kernel, src, dst),
        };
        self.progress(src, reach, units)
    }
}

/// The pair of schemes of a conversion, and the units of its progress.
#[derive(Clone, Copy)]
struct PairAndUnits {
    from: Scheme,
    to: Scheme,
    units: Units,
}

/// Returns the progress of a conversion that stopped early. This function is outlined, because it
/// is rarely called, and many inlined functions contain the call.
#[cold]
#[inline(never)]
fn stopped_progress(src: &[u8], reach: Reach, pair: PairAndUnits) -> Progress {
    let Reach { read, written } = reach;
    let stop = scalar::stop(pair.from, pair.to, src, read);
    Progress { read, written, stop }.in_units(pair.units)
}

/// Returns the conversion from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Conversion {
    Conversion { transcode: conversion_fn(from, to), from, to }
}

/// Returns the conversion from text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Conversion {
    let transcode = match to.without_surrogates() {
        Scheme::Utf8 => from_utf8::str_to_utf8,
        Scheme::Utf16Le => from_utf8::str_to_utf16le,
        Scheme::Utf16Be => from_utf8::str_to_utf16be,
        Scheme::Utf32Le => from_utf8::str_to_utf32le,
        Scheme::Utf32Be => through::str_to_utf32be,
        _ => conversion_fn(Scheme::Utf8, to),
    };
    Conversion { transcode, from: Scheme::Utf8, to }
}

/// Returns the function that converts from one scheme to another.
const fn conversion_fn(from: Scheme, to: Scheme) -> Transcode {
    use Scheme::{
        Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be,
        Wtf16Le,
    };
    match (from, to) {
        (Utf8, Utf8) => from_utf8::utf8_to_utf8,
        (Utf8, Utf16Le) => from_utf8::utf8_to_utf16le,
        (Utf8, Utf16Be) => from_utf8::utf8_to_utf16be,
        (Utf8, Utf32Le) => from_utf8::utf8_to_utf32le,
        (Utf8, Utf32Be) => through::utf8_to_utf32be,
        (Utf8, Latin1) => from_utf8::utf8_to_latin1,
        (Utf8, Ascii) => from_latin1::utf8_to_ascii,
        (Utf8, Cesu8) => cesu8_mutf8::utf8_to_cesu8,
        (Utf8, Mutf8) => cesu8_mutf8::utf8_to_mutf8,
        (Utf16Le, Utf8) => from_utf16::utf16le_to_utf8,
        (Utf16Le, Utf16Le) => from_utf16::utf16le_to_utf16le,
        (Utf16Le, Utf16Be) => from_utf16::utf16le_to_utf16be,
        (Utf16Le, Utf32Le) => from_utf16::utf16le_to_utf32le,
        (Utf16Le, Utf32Be) => through::utf16le_to_utf32be,
        (Utf16Le, Latin1) => from_utf16::utf16le_to_latin1,
        (Utf16Le, Ascii) => from_utf16::utf16le_to_ascii,
        (Utf16Le, Cesu8) => through::utf16le_to_cesu8,
        (Utf16Le, Mutf8) => through::utf16le_to_mutf8,
        (Utf16Be, Utf8) => from_utf16::utf16be_to_utf8,
        (Utf16Be, Utf16Le) => from_utf16::utf16be_to_utf16le,
        (Utf16Be, Utf16Be) => from_utf16::utf16be_to_utf16be,
        (Utf16Be, Utf32Le) => from_utf16::utf16be_to_utf32le,
        (Utf16Be, Utf32Be) => through::utf16be_to_utf32be,
        (Utf16Be, Latin1) => from_utf16::utf16be_to_latin1,
        (Utf16Be, Ascii) => from_utf16::utf16be_to_ascii,
        (Utf16Be, Cesu8) => through::utf16be_to_cesu8,
        (Utf16Be, Mutf8) => through::utf16be_to_mutf8,
        (Utf32Le, Utf8) => from_utf32::utf32le_to_utf8,
        (Utf32Le, Utf16Le) => from_utf32::utf32le_to_utf16le,
        (Utf32Le, Utf16Be) => from_utf32::utf32le_to_utf16be,
        (Utf32Le, Utf32Le) => from_utf32::utf32le_to_utf32le,
        (Utf32Le, Utf32Be) => from_utf32::utf32le_to_utf32be,
        (Utf32Le, Latin1) => from_utf32::utf32le_to_latin1,
        (Utf32Le, Ascii) => from_utf32::utf32le_to_ascii,
        (Utf32Le, Cesu8) => through::utf32le_to_cesu8,
        (Utf32Le, Mutf8) => through::utf32le_to_mutf8,
        (Utf32Be, Utf8) => through::utf32be_to_utf8,
        (Utf32Be, Utf16Le) => through::utf32be_to_utf16le,
        (Utf32Be, Utf16Be) => through::utf32be_to_utf16be,
        (Utf32Be, Utf32Le) => through::utf32be_to_utf32le,
        (Utf32Be, Utf32Be) => through::utf32be_to_utf32be,
        (Utf32Be, Latin1) => through::utf32be_to_latin1,
        (Utf32Be, Ascii) => through::utf32be_to_ascii,
        (Utf32Be, Cesu8) => through::utf32be_to_cesu8,
        (Utf32Be, Mutf8) => through::utf32be_to_mutf8,
        (Latin1, Utf8) => from_latin1::latin1_to_utf8,
        (Latin1, Utf16Le) => from_latin1::latin1_to_utf16le,
        (Latin1, Utf16Be) => from_latin1::latin1_to_utf16be,
        (Latin1, Utf32Le) => from_latin1::latin1_to_utf32le,
        (Latin1, Utf32Be) => from_latin1::latin1_to_utf32be,
        (Latin1, Latin1) => from_latin1::latin1_to_latin1,
        (Latin1, Ascii) => from_latin1::latin1_to_ascii,
        (Latin1, Cesu8) => through::latin1_to_cesu8,
        (Latin1, Mutf8) => through::latin1_to_mutf8,
        (Ascii, Utf8) => from_latin1::ascii_to_utf8,
        (Ascii, Utf16Le) => from_latin1::ascii_to_utf16le,
        (Ascii, Utf16Be) => from_latin1::ascii_to_utf16be,
        (Ascii, Utf32Le) => from_latin1::ascii_to_utf32le,
        (Ascii, Utf32Be) => from_latin1::ascii_to_utf32be,
        (Ascii, Latin1) => from_latin1::ascii_to_latin1,
        (Ascii, Ascii) => from_latin1::ascii_to_ascii,
        (Ascii, Cesu8) => through::ascii_to_cesu8,
        (Ascii, Mutf8) => through::ascii_to_mutf8,
        (Cesu8, Utf8) => cesu8_mutf8::cesu8_to_utf8,
        (Cesu8, Utf16Le) => through::cesu8_to_utf16le,
        (Cesu8, Utf16Be) => through::cesu8_to_utf16be,
        (Cesu8, Utf32Le) => through::cesu8_to_utf32le,
        (Cesu8, Utf32Be) => through::cesu8_to_utf32be,
        (Cesu8, Latin1) => through::cesu8_to_latin1,
        (Cesu8, Ascii) => through::cesu8_to_ascii,
        (Cesu8, Cesu8) => through::cesu8_to_cesu8,
        (Cesu8, Mutf8) => through::cesu8_to_mutf8,
        (Mutf8, Utf8) => cesu8_mutf8::mutf8_to_utf8,
        (Mutf8, Utf16Le) => through::mutf8_to_utf16le,
        (Mutf8, Utf16Be) => through::mutf8_to_utf16be,
        (Mutf8, Utf32Le) => through::mutf8_to_utf32le,
        (Mutf8, Utf32Be) => through::mutf8_to_utf32be,
        (Mutf8, Latin1) => through::mutf8_to_latin1,
        (Mutf8, Ascii) => through::mutf8_to_ascii,
        (Mutf8, Cesu8) => through::mutf8_to_cesu8,
        (Mutf8, Mutf8) => through::mutf8_to_mutf8,
        (Wtf8, Wtf8) => wtf8::wtf8_to_wtf8,
        (Wtf8, Wtf16Le) => wtf8::wtf8_to_wtf16le,
        (Wtf8, Wtf16Be) => wtf8::wtf8_to_wtf16be,
        (Wtf16Le, Wtf8) => wtf8::wtf16le_to_wtf8,
        (Wtf16Le, Wtf16Le) => wtf8::wtf16le_to_wtf16le,
        (Wtf16Le, Wtf16Be) => wtf8::wtf16le_to_wtf16be,
        (Wtf16Be, Wtf8) => wtf8::wtf16be_to_wtf8,
        (Wtf16Be, Wtf16Le) => wtf8::wtf16be_to_wtf16le,
        (Wtf16Be, Wtf16Be) => wtf8::wtf16be_to_wtf16be,
        // In all other pairs, an unpaired surrogate is ill-formed.
        _ => conversion_fn(from.without_surrogates(), to.without_surrogates()),
    }
}

/// Returns the function that counts code points.
pub(crate) const fn count(scheme: Scheme) -> Measure {
    match scheme {
        Scheme::Utf8 | Scheme::Wtf8 => from_utf8::count_utf8,
        Scheme::Utf16Le => from_utf16::count_utf16le,
        Scheme::Utf16Be => from_utf16::count_utf16be,
        Scheme::Cesu8 | Scheme::Mutf8 => cesu8_mutf8_len::count,
        Scheme::Wtf16Le => wtf8::count_wtf16le,
        Scheme::Wtf16Be => wtf8::count_wtf16be,
        _ => unit_count_fn(scheme),
    }
}

/// Returns the function that measures the length of a text in `to`, in code units. For targets with
/// one unit for each character, the function counts code points.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Measure {
    use Scheme::{
        Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be,
        Wtf16Le,
    };
    match (from, to) {
        (Wtf16Le, Wtf8) => return wtf8::wtf8_len_of_wtf16le,
        (Wtf16Be, Wtf8) => return wtf8::wtf8_len_of_wtf16be,
        _ => {}
    }
    match (from.without_surrogates(), to.without_surrogates()) {
        (Utf8, Utf16Le | Utf16Be) => from_utf8::utf16_len_of_utf8,
        (Utf8, Cesu8) => cesu8_mutf8_len::cesu8_len_of_utf8,
        (Utf8, Mutf8) => cesu8_mutf8_len::mutf8_len_of_utf8,
        (Utf16Le, Utf8) => from_utf16::utf8_len_of_utf16le,
        (Utf16Le, Cesu8) => cesu8_mutf8_len::cesu8_len_of_utf16le,
        (Utf16Le, Mutf8) => cesu8_mutf8_len::mutf8_len_of_utf16le,
        (Utf16Be, Utf8) => from_utf16::utf8_len_of_utf16be,
        (Utf16Be, Cesu8) => cesu8_mutf8_len::cesu8_len_of_utf16be,
        (Utf16Be, Mutf8) => cesu8_mutf8_len::mutf8_len_of_utf16be,
        (Utf32Le, Utf8) => from_utf32::utf8_len_of_utf32le,
        (Utf32Le, Utf16Le | Utf16Be) => from_utf32::utf16_len_of_utf32le,
        (Utf32Le, Cesu8) => cesu8_mutf8_len::cesu8_len_of_utf32le,
        (Utf32Le, Mutf8) => cesu8_mutf8_len::mutf8_len_of_utf32le,
        (Utf32Be, Utf8) => through::utf8_len_of_utf32be,
        (Utf32Be, Utf16Le | Utf16Be) => through::utf16_len_of_utf32be,
        (Utf32Be, Cesu8) => cesu8_mutf8_len::cesu8_len_of_utf32be,
        (Utf32Be, Mutf8) => cesu8_mutf8_len::mutf8_len_of_utf32be,
        (Latin1, Utf8 | Cesu8) => from_latin1::utf8_len_of_latin1,
        (Latin1, Mutf8) => cesu8_mutf8_len::mutf8_len_of_latin1,
        (Ascii | Cesu8, Mutf8) => cesu8_mutf8_len::mutf8_len_of_ascii_or_cesu8,
        (Cesu8, Utf8) => cesu8_mutf8_len::utf8_len_of_cesu8,
        (Mutf8, Utf8) => cesu8_mutf8_len::utf8_len_of_mutf8,
        (Mutf8, Cesu8) => cesu8_mutf8_len::cesu8_len_of_mutf8,
        // Each UTF-16 code unit has one lead byte.
        (Cesu8 | Mutf8, Utf16Le | Utf16Be) => from_utf8::count_utf8,
        (from, Utf8 | Utf16Le | Utf16Be | Cesu8 | Mutf8) => unit_count_fn(from),
        (from, _) => count(from),
    }
}

/// Returns the function that counts code units.
const fn unit_count_fn(scheme: Scheme) -> Measure {
    match scheme.unit_size() {
        1 => |src, _| src.len(),
        2 => |src, _| src.len() / 2,
        _ => |src, _| src.len() / 4,
    }
}
