//! The pair table: which function serves a pair of schemes.
//!
//! Each function is compiled once, in this crate, for one operation, family and byte order. The
//! verbs pick one while they are compiled (an inline `const`), so a program links only the
//! functions that it names. Forms in memory are schemes already, so the 225 pairs are 144 here, and
//! fewer families:
//!
//! * from [UTF-8](super::from_utf8), [UTF-16](super::from_utf16), [UTF-32](super::from_utf32),
//!   [Latin-1 and ASCII](super::from_latin1), all listed in [`standard`];
//! * from and into [UTF-32BE](super::utf32be), through UTF-32LE;
//! * from and into [CESU-8 and Modified UTF-8](super::cesu8_mutf8), through UTF-8 and UTF-16;
//! * between the schemes that may have [unpaired surrogates](super::wtf), through those that have
//!   none. With any other scheme, their functions are those of UTF-8 and UTF-16, which stop before
//!   an unpaired surrogate.
//!
//! No function is scalar except on the scalar kernel: the reference stands beside each vector
//! function.

use core::mem::MaybeUninit;

use crate::dispatch::function::{Measure, Transcode};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::{cesu8_mutf8, cesu8_mutf8_len, from_utf8, standard, wtf};
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

    /// The reason why a conversion stopped at `read`.
    #[inline]
    pub(crate) fn stop(self, src: &[u8], read: usize) -> Stop {
        if read == src.len() { Stop::Done } else { scalar::stop(self.from, self.to, src, read) }
    }

    /// The progress, in units, of a conversion that came so far. Its input is a [`Reach`]: two
    /// branches that each return a `Progress` would both go through memory.
    #[inline]
    pub(crate) fn progress(self, src: &[u8], reach: Reach, units: Units) -> Progress {
        if reach.read < src.len() {
            return stopped(src, reach, Ends { from: self.from, to: self.to, units });
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
        if src.is_empty() {
            return Progress { read: 0, written: 0, stop: Stop::Done };
        }
        self.progress(src, self.reach(kernel, src, dst), units)
    }
}

/// The schemes and units of a conversion.
#[derive(Clone, Copy)]
struct Ends {
    from: Scheme,
    to: Scheme,
    units: Units,
}

/// The progress of a conversion that stopped early. It is outlined, because it is rare and inline
/// shims are many.
#[cold]
#[inline(never)]
fn stopped(src: &[u8], reach: Reach, ends: Ends) -> Progress {
    let Reach { read, written } = reach;
    let stop = scalar::stop(ends.from, ends.to, src, read);
    Progress { read, written, stop }.in_units(ends.units)
}

/// The conversion from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Conversion {
    let transcode = if from.has_surrogates() && to.has_surrogates() {
        wtf::conversion_fn(from, to)
    } else {
        cesu8_mutf8::conversion_fn(from.without_surrogates(), to.without_surrogates())
    };
    Conversion { transcode, from, to }
}

/// The conversion from text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Conversion {
    match standard::str_conversion_fn(to.without_surrogates()) {
        Some(transcode) => Conversion { transcode, from: Scheme::Utf8, to },
        None => transcode(Scheme::Utf8, to),
    }
}

/// The function that counts code points.
pub(crate) const fn count(scheme: Scheme) -> Measure {
    match scheme {
        Scheme::Wtf8 => from_utf8::count_utf8,
        Scheme::Cesu8 | Scheme::Mutf8 => cesu8_mutf8_len::count,
        Scheme::Wtf16Le => wtf::count_wtf16le,
        Scheme::Wtf16Be => wtf::count_wtf16be,
        scheme => standard::count_fn(scheme),
    }
}

/// The function that returns the number of code units of `to` that a text becomes.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Measure {
    if from.has_surrogates() && to.has_surrogates() {
        return match (from, to) {
            (Scheme::Wtf16Le, Scheme::Wtf8) => wtf::wtf8_len_of_wtf16le,
            (Scheme::Wtf16Be, Scheme::Wtf8) => wtf::wtf8_len_of_wtf16be,
            (Scheme::Wtf8, Scheme::Wtf16Le | Scheme::Wtf16Be) => from_utf8::utf16_len_of_utf8,
            _ => standard::unit_count_fn(from),
        };
    }
    cesu8_mutf8_len::len_fn(from.without_surrogates(), to.without_surrogates())
}
