//! The pair table: the functions for each pair of schemes.
//!
//! Each function is compiled once, in this crate. The public operations choose a function at
//! compile time (by an inline `const`), so a program links only the functions that it uses. An
//! encoding form in memory has the scheme of the machine's byte order, so the 225 pairs of
//! encodings are 144 pairs of schemes.
//!
//! Some pairs have no function of their own. CESU-8, Modified UTF-8 and UTF-32BE are converted [in
//! two steps](super::through). Between WTF-8 and WTF-16, the functions of UTF-8 and UTF-16 convert
//! the text, and the reference converts unpaired surrogates, which are [exceptions].
//!
//! Each function has vector code, and next to it the scalar reference, which runs only on the
//! scalar kernel.

use crate::dispatch::function::{Measure, Transcode};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::through::swap_utf32;
use crate::dispatch::pairs::{exceptions, from_latin1, from_utf8, from_utf16, from_utf32, through};
use crate::encoding::scheme::Scheme;
use crate::encoding::view::Uninit;
use crate::scalar;
use crate::types::progress::{Progress, Reach, Stop, Units};

/// The conversion from one scheme to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    route: Route,
    pub(crate) from: Scheme,
    pub(crate) to: Scheme,
}

/// The functions that convert.
#[derive(Clone, Copy, Debug)]
enum Route {
    /// The function converts the text.
    Direct(Transcode),
    /// The function converts the text between [exceptions], and the scalar reference converts the
    /// exceptions.
    Exceptions(Transcode),
    /// The functions convert the text in two steps, [through] another scheme.
    Through([Transcode; 2]),
}

impl Conversion {
    /// Converts as much of `src` as possible.
    #[inline]
    pub(crate) fn reach(self, kernel: Kernel, src: &[u8], dst: &mut Uninit) -> Reach {
        let pair = (self.from, self.to);
        match self.route {
            Route::Direct(transcode) => transcode(src, dst, kernel),
            Route::Exceptions(strict) => exceptions::convert(src, dst, pair, strict, kernel),
            Route::Through(steps) => through::convert(src, dst, pair, steps, kernel),
        }
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
            return stopped_progress(src, reach, (self.from, self.to, units));
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
        dst: &mut Uninit,
        units: Units,
    ) -> Progress {
        let reach = match src.is_empty() {
            true => Reach { read: 0, written: 0 },
            false => self.reach(kernel, src, dst),
        };
        self.progress(src, reach, units)
    }
}

/// Returns the progress of a conversion that stopped early. This function is outlined, because it
/// is rarely called, and many inlined functions contain the call.
#[cold]
#[inline(never)]
fn stopped_progress(
    src: &[u8],
    Reach { read, written }: Reach,
    (from, to, units): (Scheme, Scheme, Units),
) -> Progress {
    Progress { read, written, stop: scalar::stop(from, to, src, read) }.in_units(units)
}

/// Returns the conversion from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Conversion {
    // In a pair with any other scheme, an unpaired surrogate is ill-formed.
    let route = match conversion_fn(from.without_surrogates(), to.without_surrogates()) {
        Some(strict) if from.has_surrogates() && to.has_surrogates() => Route::Exceptions(strict),
        Some(transcode) => Route::Direct(transcode),
        None => Route::Through(steps(from.without_surrogates(), to.without_surrogates())),
    };
    Conversion { route, from, to }
}

/// Returns the conversion from text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Conversion {
    let route = match to.without_surrogates() {
        Scheme::Utf8 => Route::Direct(from_utf8::str_to_utf8),
        Scheme::Utf16Le => Route::Direct(from_utf8::str_to_utf16le),
        Scheme::Utf16Be => Route::Direct(from_utf8::str_to_utf16be),
        Scheme::Utf32Le => Route::Direct(from_utf8::str_to_utf32le),
        Scheme::Utf32Be => Route::Through([from_utf8::str_to_utf32le, swap_utf32]),
        _ => transcode(Scheme::Utf8, to).route,
    };
    Conversion { route, from: Scheme::Utf8, to }
}

/// Returns the two steps of a conversion for which there is no function.
const fn steps(from: Scheme, to: Scheme) -> [Transcode; 2] {
    let (first, second) = match (from, to) {
        (_, Scheme::Cesu8 | Scheme::Mutf8) | (Scheme::Cesu8 | Scheme::Mutf8, _) => {
            (conversion_fn(from, Scheme::Utf8), conversion_fn(Scheme::Utf8, to))
        }
        (Scheme::Utf32Be, _) => (Some(swap_utf32 as Transcode), conversion_fn(Scheme::Utf32Le, to)),
        _ => (conversion_fn(from, Scheme::Utf32Le), Some(swap_utf32 as Transcode)),
    };
    match (first, second) {
        (Some(first), Some(second)) => [first, second],
        _ => unreachable!(),
    }
}

/// Returns the function that converts from one scheme to another, if there is one. The schemes have
/// no unpaired surrogates.
const fn conversion_fn(from: Scheme, to: Scheme) -> Option<Transcode> {
    use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    Some(match (from, to) {
        (Utf8, Utf8) => from_utf8::utf8_to_utf8,
        (Utf8, Utf16Le) => from_utf8::utf8_to_utf16le,
        (Utf8, Utf16Be) => from_utf8::utf8_to_utf16be,
        (Utf8, Utf32Le) => from_utf8::utf8_to_utf32le,
        (Utf8, Utf32Be) => through::utf8_to_utf32be,
        (Utf8, Latin1) => from_utf8::utf8_to_latin1,
        (Utf8, Cesu8) => exceptions::utf8_to_cesu8,
        (Utf8, Mutf8) => exceptions::utf8_to_mutf8,
        (Cesu8, Utf8) => exceptions::cesu8_to_utf8,
        (Mutf8, Utf8) => exceptions::mutf8_to_utf8,
        (Utf16Le, Utf8) => from_utf16::utf16le_to_utf8,
        (Utf16Le, Utf16Le) => from_utf16::utf16le_to_utf16le,
        (Utf16Le, Utf16Be) => from_utf16::utf16le_to_utf16be,
        (Utf16Le, Utf32Le) => from_utf16::utf16le_to_utf32le,
        (Utf16Le, Latin1) => from_utf16::utf16le_to_latin1,
        (Utf16Le, Ascii) => from_utf16::utf16le_to_ascii,
        (Utf16Be, Utf8) => from_utf16::utf16be_to_utf8,
        (Utf16Be, Utf16Le) => from_utf16::utf16be_to_utf16le,
        (Utf16Be, Utf16Be) => from_utf16::utf16be_to_utf16be,
        (Utf16Be, Utf32Le) => from_utf16::utf16be_to_utf32le,
        (Utf16Be, Latin1) => from_utf16::utf16be_to_latin1,
        (Utf16Be, Ascii) => from_utf16::utf16be_to_ascii,
        (Utf32Le, Utf8) => from_utf32::utf32le_to_utf8,
        (Utf32Le, Utf16Le) => from_utf32::utf32le_to_utf16le,
        (Utf32Le, Utf16Be) => from_utf32::utf32le_to_utf16be,
        (Utf32Le, Utf32Le) => from_utf32::utf32le_to_utf32le,
        (Utf32Le, Utf32Be) => from_utf32::utf32le_to_utf32be,
        (Utf32Le, Latin1) => from_utf32::utf32le_to_latin1,
        (Utf32Le, Ascii) => from_utf32::utf32le_to_ascii,
        (Utf32Be, Utf8) => through::utf32be_to_utf8,
        (Latin1, Utf8) => from_latin1::latin1_to_utf8,
        (Latin1, Utf16Le) => from_latin1::latin1_to_utf16le,
        (Latin1, Utf16Be) => from_latin1::latin1_to_utf16be,
        (Latin1, Utf32Le) => from_latin1::latin1_to_utf32le,
        (Latin1, Utf32Be) => from_latin1::latin1_to_utf32be,
        (Latin1, Latin1) => from_latin1::latin1_to_latin1,
        (Ascii, Utf16Le) => from_latin1::ascii_to_utf16le,
        (Ascii, Utf16Be) => from_latin1::ascii_to_utf16be,
        (Ascii, Utf32Le) => from_latin1::ascii_to_utf32le,
        (Ascii, Utf32Be) => from_latin1::ascii_to_utf32be,
        (Utf8 | Latin1 | Ascii, Ascii) | (Ascii, Utf8 | Latin1) => from_latin1::copy_ascii,
        _ => return None,
    })
}

/// Returns the function that counts code points.
pub(crate) const fn count(scheme: Scheme) -> Measure {
    match scheme {
        Scheme::Utf8 | Scheme::Wtf8 => from_utf8::count_utf8,
        Scheme::Utf16Le => from_utf16::count_utf16le,
        Scheme::Utf16Be => from_utf16::count_utf16be,
        Scheme::Cesu8 | Scheme::Mutf8 => exceptions::count_cesu8,
        Scheme::Wtf16Le => exceptions::count_wtf16le,
        Scheme::Wtf16Be => exceptions::count_wtf16be,
        _ => unit_count_fn(scheme),
    }
}

/// Returns the function that measures the length of a text in `to`, in code units. For targets with
/// one unit for each character, the function counts code points.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Measure {
    use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    match (from, to) {
        (Scheme::Wtf16Le, Scheme::Wtf8) => return exceptions::wtf8_len_of_wtf16le,
        (Scheme::Wtf16Be, Scheme::Wtf8) => return exceptions::wtf8_len_of_wtf16be,
        _ => {}
    }
    match (from.without_surrogates(), to.without_surrogates()) {
        (Utf8, Utf16Le | Utf16Be) => from_utf8::utf16_len_of_utf8,
        (Utf8, Cesu8) => exceptions::cesu8_len_of_utf8,
        (Utf8, Mutf8) => exceptions::mutf8_len_of_utf8,
        (Utf16Le, Utf8) => from_utf16::utf8_len_of_utf16le,
        (Utf16Le, Cesu8) => exceptions::cesu8_len_of_utf16le,
        (Utf16Le, Mutf8) => exceptions::mutf8_len_of_utf16le,
        (Utf16Be, Utf8) => from_utf16::utf8_len_of_utf16be,
        (Utf16Be, Cesu8) => exceptions::cesu8_len_of_utf16be,
        (Utf16Be, Mutf8) => exceptions::mutf8_len_of_utf16be,
        (Utf32Le, Utf8) => from_utf32::utf8_len_of_utf32le,
        (Utf32Le, Utf16Le | Utf16Be) => from_utf32::utf16_len_of_utf32le,
        (Utf32Le, Cesu8) => exceptions::cesu8_len_of_utf32le,
        (Utf32Le, Mutf8) => exceptions::mutf8_len_of_utf32le,
        (Utf32Be, Utf8) => through::utf8_len_of_utf32be,
        (Utf32Be, Utf16Le | Utf16Be) => through::utf16_len_of_utf32be,
        (Utf32Be, Cesu8) => exceptions::cesu8_len_of_utf32be,
        (Utf32Be, Mutf8) => exceptions::mutf8_len_of_utf32be,
        (Latin1, Utf8 | Cesu8) => from_latin1::utf8_len_of_latin1,
        (Latin1, Mutf8) => exceptions::mutf8_len_of_latin1,
        (Ascii | Cesu8, Mutf8) => exceptions::mutf8_len_of_ascii_or_cesu8,
        (Cesu8, Utf8) => exceptions::utf8_len_of_cesu8,
        (Mutf8, Utf8) => exceptions::utf8_len_of_mutf8,
        (Mutf8, Cesu8) => exceptions::cesu8_len_of_mutf8,
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
