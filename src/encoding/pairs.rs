//! The pair table: which function serves a pair of schemes.
//!
//! Each function here is compiled once, in this crate, for one operation, family and byte order; the verbs pick one
//! while they are compiled (an inline `const`), so a program links what it names and nothing else. Native forms are
//! schemes already (see the module above), so the 169 pairs are 144 here, and fewer families:
//!
//! * from [UTF-8](utf8), [UTF-16](utf16), [UTF-32](utf32), [Latin-1 and ASCII](latin1);
//! * from and into [UTF-32BE](swapped), by way of UTF-32LE;
//! * from and into [CESU-8 and Modified UTF-8](relatives), by way of UTF-8 and UTF-16;
//! * between the schemes that have [lone surrogates](wobbly), by way of those that don't. With any other scheme, their
//!   functions are those of UTF-8 and UTF-16, which stop in front of a lone surrogate.
//!
//! None of them is scalar but on the scalar kernel: the reference stands beside each vector function.

mod latin1;
mod mend;
mod relatives;
mod swapped;
mod utf16;
mod utf32;
mod utf8;
mod wobbly;

use core::mem::MaybeUninit;

pub(crate) use self::mend::{Fill, Mender, ToUnits, mender};
#[cfg(feature = "alloc")]
pub(crate) use self::relatives::alike;
use super::view;
use crate::error::Error;
use crate::progress::{Progress, Reach, Stop, Units};
use crate::scalar;
use crate::short;
use crate::{
    Ascii, Cesu8, Kernel, Latin1, Mutf8, Scheme, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, generic,
};

/// Converts bytes of one scheme into bytes of another, as far as possible.
type Transcode = fn(Kernel, &[u8], &mut [MaybeUninit<u8>]) -> Reach;
/// Says whether bytes of one scheme are well-formed; if not, how many are known to be, but for a sequence that goes on
/// there. An answer in registers, where an [`Error`] would need memory.
type Check = fn(Kernel, &[u8]) -> Result<(), usize>;
/// The error behind what a [`Check`] knows to be well-formed.
type Locate = fn(&[u8], usize) -> Result<(), Error>;
/// Measures bytes of one scheme; the answer is in code units or code points.
pub(crate) type Measure = fn(Kernel, &[u8]) -> usize;

/// The validation of one scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Validation {
    check: Check,
    locate: Locate,
    pub(crate) scheme: Scheme,
}

impl Validation {
    /// Says whether `src` is well-formed, or where it first isn't, in bytes.
    #[inline]
    pub(crate) fn run(self, kernel: Kernel, src: &[u8]) -> Result<(), Error> {
        (self.check)(kernel, src).or_else(|known| (self.locate)(src, known))
    }

    /// Says whether `src` is well-formed, or how many bytes are known to be, but for a sequence that goes on there.
    #[inline]
    pub(crate) fn check(self, kernel: Kernel, src: &[u8]) -> Result<(), usize> {
        (self.check)(kernel, src)
    }
}

/// The way from one scheme to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    transcode: Transcode,
    pub(crate) from: Scheme,
    pub(crate) to: Scheme,
}

impl Conversion {
    /// Converts as much of `src` as possible; says how far it came.
    #[inline]
    pub(crate) fn reach(self, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        (self.transcode)(kernel, src, dst)
    }

    /// Why it stopped at `read`.
    #[inline]
    pub(crate) fn stop(self, src: &[u8], read: usize) -> Stop {
        if read == src.len() { Stop::Done } else { scalar::stop(self.from, self.to, src, read) }
    }

    /// The progress, in units, of a conversion that came so far. What comes before is put together as a [`Reach`]: of two
    /// ways that meet with a `Progress` each, both would go through memory.
    #[inline]
    pub(crate) fn progress(self, src: &[u8], reach: Reach, units: Units) -> Progress {
        if reach.read < src.len() {
            return stopped(src, reach, Ends { from: self.from, to: self.to, units });
        }
        Progress { read: src.len(), written: reach.written, stop: Stop::Done }.in_units(units)
    }

    /// Converts as much of `src` as possible; progress in units.
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

impl Conversion {
    /// [`run`](Self::run) on the active kernel, for which a copy need not ask.
    #[inline(always)]
    pub(crate) fn run_active(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        units: Units,
    ) -> Progress {
        if let (Scheme::Latin1, Scheme::Latin1) = (self.from, self.to) {
            return short::latin1::copied(view::as_uninit(src), dst);
        }
        let short = if src.is_empty() {
            Some(0)
        } else if units.are_native(self.from, self.to) {
            short::native(self.from, self.to, src, dst)
        } else {
            None
        };
        let reach = match short {
            Some(written) => Reach { read: src.len(), written },
            None => self.reach(Kernel::active(), src, dst),
        };
        self.progress(src, reach, units)
    }
}

/// What a conversion goes from and to.
#[derive(Clone, Copy)]
struct Ends {
    from: Scheme,
    to: Scheme,
    units: Units,
}

/// A conversion that stopped early. By itself, since it is in no hurry and the shims are many.
#[cold]
#[inline(never)]
fn stopped(src: &[u8], reach: Reach, ends: Ends) -> Progress {
    let Reach { read, written } = reach;
    let stop = scalar::stop(ends.from, ends.to, src, read);
    Progress { read, written, stop }.in_units(ends.units)
}

/// The error behind what a check knows to be well-formed, by the reference. Functions without type parameters, as all
/// here: that is what keeps them from being compiled again in every crate that uses them. A generic function would be, and
/// a small one too if it were not `#[inline(never)]`.
macro_rules! located {
    ($($name:ident: $A:ident;)*) => {$(
        #[cold]
        #[inline(never)]
        fn $name(src: &[u8], known: usize) -> Result<(), Error> {
            scalar::validate::<$A>(&src[known..]).map_err(|error| error.behind(known))
        }
    )*};
}

located! {
    locate_utf16le: Utf16Le;
    locate_utf16be: Utf16Be;
    locate_utf32le: Utf32Le;
    locate_utf32be: Utf32Be;
    locate_latin1: Latin1;
    locate_ascii: Ascii;
    locate_cesu8: Cesu8;
    locate_mutf8: Mutf8;
    locate_wtf8: Wtf8;
}

/// Half a unit at the end, which is all that can be wrong with potentially ill-formed UTF-16.
#[cold]
#[inline(never)]
fn locate_wtf16(src: &[u8], known: usize) -> Result<(), Error> {
    match scalar::stop(Scheme::WTF16, Scheme::WTF16, src, known) {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    }
}

/// The functions that validate a scheme.
pub(crate) const fn validation(scheme: Scheme) -> Validation {
    let (check, locate): (Check, Locate) = match scheme {
        Scheme::Utf8 => (utf8::check, generic::utf8::locate),
        Scheme::Utf16Le => (utf16::check_le, locate_utf16le),
        Scheme::Utf16Be => (utf16::check_be, locate_utf16be),
        Scheme::Utf32Le => (utf32::check_le, locate_utf32le),
        Scheme::Utf32Be => (utf32::check_be, locate_utf32be),
        Scheme::Latin1 => (latin1::check, locate_latin1),
        Scheme::Ascii => (latin1::check_ascii, locate_ascii),
        Scheme::Cesu8 => (relatives::check_cesu8, locate_cesu8),
        Scheme::Mutf8 => (relatives::check_mutf8, locate_mutf8),
        Scheme::Wtf8 => (wobbly::check_wtf8, locate_wtf8),
        Scheme::Wtf16Le | Scheme::Wtf16Be => (wobbly::check_wtf16, locate_wtf16),
    };
    Validation { check, locate, scheme }
}

/// The way from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Conversion {
    let transcode = if from.has_surrogates() && to.has_surrogates() {
        wobbly::way(from, to)
    } else {
        way(from.without_surrogates(), to.without_surrogates())
    };
    Conversion { transcode, from, to }
}

/// The function that goes it, between schemes without lone surrogates.
const fn way(from: Scheme, to: Scheme) -> Transcode {
    match (from, to) {
        (Scheme::Cesu8 | Scheme::Mutf8, _) | (_, Scheme::Cesu8 | Scheme::Mutf8) => {
            relatives::way(from, to)
        }
        (Scheme::Utf8, _) => utf8::to(to),
        (Scheme::Utf16Le, _) => utf16::to(true, to),
        (Scheme::Utf16Be, _) => utf16::to(false, to),
        (Scheme::Utf32Le, _) => utf32::to(true, to),
        (Scheme::Utf32Be, _) => utf32::to(false, to),
        (Scheme::Latin1, _) => latin1::from_latin1(to),
        (Scheme::Ascii, _) => latin1::from_ascii(to),
        (Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be, _) => unreachable!(),
    }
}

/// The way from text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Conversion {
    match utf8::from_str(to.without_surrogates()) {
        Some(transcode) => Conversion { transcode, from: Scheme::Utf8, to },
        None => transcode(Scheme::Utf8, to),
    }
}

/// The function that counts code points.
pub(crate) const fn count(scheme: Scheme) -> Measure {
    match scheme {
        Scheme::Utf8 | Scheme::Wtf8 => utf8::count,
        Scheme::Utf16Le => utf16::count_le,
        Scheme::Utf16Be => utf16::count_be,
        Scheme::Cesu8 | Scheme::Mutf8 => relatives::count,
        Scheme::Wtf16Le => wobbly::count_le,
        Scheme::Wtf16Be => wobbly::count_be,
        _ => units(scheme),
    }
}

/// The function that says how many code units of `to` a text becomes. Targets with one unit a character count code
/// points.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Measure {
    if from.has_surrogates() && to.has_surrogates() {
        return match (from, to) {
            (Scheme::Wtf16Le, Scheme::Wtf8) => wobbly::wtf8_len_of_le,
            (Scheme::Wtf16Be, Scheme::Wtf8) => wobbly::wtf8_len_of_be,
            (Scheme::Wtf8, Scheme::Wtf16Le | Scheme::Wtf16Be) => utf8::utf16_len,
            _ => units(from),
        };
    }
    match (from.without_surrogates(), to.without_surrogates()) {
        (Scheme::Utf16Le, Scheme::Utf8) => utf16::utf8_len_of_le,
        (Scheme::Utf16Be, Scheme::Utf8) => utf16::utf8_len_of_be,
        (Scheme::Utf32Le, Scheme::Utf8) => utf32::utf8_len_of_le,
        (Scheme::Utf32Be, Scheme::Utf8) => swapped::utf8_len,
        (Scheme::Latin1, Scheme::Utf8 | Scheme::Cesu8) => latin1::utf8_len,
        (Scheme::Utf8, Scheme::Utf16Le | Scheme::Utf16Be) => utf8::utf16_len,
        (Scheme::Utf32Le, Scheme::Utf16Le | Scheme::Utf16Be) => utf32::utf16_len_of_le,
        (Scheme::Utf32Be, Scheme::Utf16Le | Scheme::Utf16Be) => swapped::utf16_len,
        // Each unit of UTF-16 is a lead byte.
        (Scheme::Cesu8 | Scheme::Mutf8, Scheme::Utf16Le | Scheme::Utf16Be) => utf8::count,
        (Scheme::Cesu8, Scheme::Cesu8) | (Scheme::Mutf8, Scheme::Mutf8) => units(from),
        (
            from @ (Scheme::Cesu8 | Scheme::Mutf8),
            to @ (Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8),
        )
        | (from, to @ (Scheme::Cesu8 | Scheme::Mutf8)) => relatives::len(from, to),
        (from, Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be) => units(from),
        (from, _) => count(from),
    }
}

/// The function that counts code units.
const fn units(scheme: Scheme) -> Measure {
    match scheme.unit_size() {
        1 => |_, src| src.len(),
        2 => |_, src| src.len() / 2,
        _ => |_, src| src.len() / 4,
    }
}
