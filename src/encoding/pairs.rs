//! The pair table: which function serves a pair of schemes.
//!
//! Each function here is compiled once, in this crate, for one operation, family and byte order; the verbs pick one
//! while they are compiled (an inline `const`), so a program links what it names and nothing else. Native forms are
//! schemes already (see the module above), so the 81 pairs are 49 here, and fewer families:
//!
//! * from UTF-8, here;
//! * from [UTF-16](utf16), [UTF-32](utf32), [Latin-1 and ASCII](latin1);
//! * from and into [UTF-32BE](swapped), by way of UTF-32LE.
//!
//! None of them is scalar but on the scalar kernel: the reference stands beside each vector function.

mod latin1;
mod swapped;
mod utf16;
mod utf32;

use core::mem::MaybeUninit;

use super::view;
use crate::error::{Error, ErrorKind, Flaw};
use crate::generic::decode;
use crate::kernel::{dispatch, dispatch_long, dispatch_short};
use crate::progress::{Progress, Reach, Stop, Units};
use crate::scalar::{self, Decode};
use crate::short;
use crate::tables::{BIG, ByteOrder, LITTLE};
use crate::{Ascii, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, generic};

/// Converts bytes of one scheme into bytes of another, as far as possible.
type Transcode = fn(Kernel, &[u8], &mut [MaybeUninit<u8>]) -> Reach;
/// Validates bytes of one scheme; positions in bytes.
pub(crate) type Validate = fn(Kernel, &[u8]) -> Result<(), Error>;
/// Says whether bytes of one scheme are well-formed; if not, how many are known to be, but for a sequence that goes on
/// there. An answer in registers, where an [`Error`] would need memory.
pub(crate) type Check = fn(Kernel, &[u8]) -> Result<(), usize>;
/// The error behind what a [`Check`] knows to be well-formed.
pub(crate) type Locate = fn(&[u8], usize) -> Result<(), Error>;
/// Measures bytes of one scheme; the answer is in code units or code points.
pub(crate) type Measure = fn(Kernel, &[u8]) -> usize;

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
    #[cfg(feature = "alloc")]
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
        let short = match self.from {
            _ if src.is_empty() => Some(0),
            Scheme::Utf32Le => short::utf32::only(src, self.to, dst),
            _ => None,
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

/// What serves one scheme as a source.
struct Row {
    validate: Validate,
    check: (Check, Locate),
    count: Measure,
    utf8_len: Measure,
    utf16_len: Measure,
}

/// A source scheme as a module of functions without type parameters. That is what keeps them from being compiled again in
/// every crate that uses them: a generic function would be, and a small one too if it were not `#[inline(never)]`.
macro_rules! rows {
    ($($row:ident: $A:ident, $validate:expr;)*) => {$(
        #[doc = concat!("From `", stringify!($A), "`.")]
        mod $row {
            use super::*;

            #[inline(never)]
            fn validate(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
                $validate(kernel, src)
            }

            #[inline(never)]
            fn check(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
                validate(kernel, src).map_err(|error| error.valid_up_to())
            }

            #[cold]
            #[inline(never)]
            fn locate(src: &[u8], known: usize) -> Result<(), Error> {
                scalar::validate::<$A>(&src[known..]).map_err(|error| error.behind(known))
            }

            #[inline(never)]
            fn count(_: Kernel, src: &[u8]) -> usize {
                $A::count(src)
            }

            #[inline(never)]
            fn utf8_len(_: Kernel, src: &[u8]) -> usize {
                $A::utf8_len(src)
            }

            #[inline(never)]
            fn utf16_len(_: Kernel, src: &[u8]) -> usize {
                $A::utf16_len(src)
            }

            pub(super) const ROW: Row = Row {
                validate,
                check: (check, locate),
                count,
                utf8_len,
                utf16_len,
            };
        }
    )*};
}

rows! {
    from_utf8: Utf8, validate_utf8;
    from_utf16le: Utf16Le, utf16::validate_le;
    from_utf16be: Utf16Be, utf16::validate_be;
    from_utf32le: Utf32Le, utf32::validate_le;
    from_utf32be: Utf32Be, utf32::validate_be;
    from_latin1: Latin1, |_, _| Ok(());
    from_ascii: Ascii, validate_ascii;
}

/// The row of a scheme.
const fn row(from: Scheme) -> Row {
    match from {
        Scheme::Utf8 => from_utf8::ROW,
        Scheme::Utf16Le => from_utf16le::ROW,
        Scheme::Utf16Be => from_utf16be::ROW,
        Scheme::Utf32Le => from_utf32le::ROW,
        Scheme::Utf32Be => from_utf32be::ROW,
        Scheme::Latin1 => from_latin1::ROW,
        Scheme::Ascii => from_ascii::ROW,
    }
}

/// The function that validates a scheme.
pub(crate) const fn validate(scheme: Scheme) -> Validate {
    row(scheme).validate
}

/// The functions that validate a scheme in two parts.
pub(crate) const fn check(scheme: Scheme) -> (Check, Locate) {
    match scheme {
        Scheme::Utf8 => (check_utf8, generic::utf8::locate),
        Scheme::Ascii => (check_ascii, row(scheme).check.1),
        Scheme::Utf16Le => (utf16::check_le, row(scheme).check.1),
        Scheme::Utf16Be => (utf16::check_be, row(scheme).check.1),
        Scheme::Utf32Le => (utf32::check_le, row(scheme).check.1),
        Scheme::Utf32Be => (utf32::check_be, row(scheme).check.1),
        _ => row(scheme).check,
    }
}

/// The way from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Conversion {
    let transcode: Transcode = match (from, to) {
        (Scheme::Utf8, Scheme::Utf16Le) => utf8_to_utf16le,
        (Scheme::Utf8, Scheme::Utf16Be) => utf8_to_utf16be,
        (Scheme::Utf8, Scheme::Utf32Le) => utf8_to_utf32le,
        (Scheme::Utf8, Scheme::Utf32Be) => swapped::from_utf8,
        (Scheme::Utf8, Scheme::Latin1) => utf8_to_latin1,
        (Scheme::Utf8, Scheme::Utf8) => utf8_to_utf8,
        (Scheme::Utf8, Scheme::Ascii) => utf8_to_ascii,
        (Scheme::Utf16Le, _) => utf16::to(true, to),
        (Scheme::Utf16Be, _) => utf16::to(false, to),
        (Scheme::Utf32Le, _) => utf32::to(true, to),
        (Scheme::Utf32Be, _) => utf32::to(false, to),
        (Scheme::Latin1, Scheme::Ascii) => latin1_to_ascii,
        (Scheme::Ascii, Scheme::Ascii) => ascii_to_ascii,
        (Scheme::Ascii, Scheme::Utf8) => ascii_to_utf8,
        (Scheme::Ascii, Scheme::Latin1) => ascii_to_latin1,
        (Scheme::Latin1, _) => latin1::from_latin1(to),
        (Scheme::Ascii, Scheme::Utf16Le) => latin1::ascii_to_utf16le,
        (Scheme::Ascii, Scheme::Utf16Be) => latin1::ascii_to_utf16be,
        (Scheme::Ascii, Scheme::Utf32Le) => latin1::ascii_to_utf32le,
        (Scheme::Ascii, Scheme::Utf32Be) => swapped::from_ascii,
    };
    Conversion { transcode, from, to }
}

/// The way from text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Conversion {
    let transcode: Transcode = match to {
        Scheme::Utf16Le => str_to_utf16le,
        Scheme::Utf16Be => str_to_utf16be,
        Scheme::Utf32Le => str_to_utf32le,
        Scheme::Utf32Be => swapped::from_str,
        Scheme::Utf8 => str_to_utf8,
        _ => return transcode(Scheme::Utf8, to),
    };
    Conversion { transcode, from: Scheme::Utf8, to }
}

/// The function that counts code points.
pub(crate) const fn count(scheme: Scheme) -> Measure {
    match scheme {
        Scheme::Utf8 => count_utf8,
        Scheme::Utf16Le => utf16::count_le,
        Scheme::Utf16Be => utf16::count_be,
        _ => row(scheme).count,
    }
}

/// The function that says how many code units of `to` a text becomes. Targets with one unit a character count code
/// points.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Measure {
    match (from, to) {
        (Scheme::Utf16Le, Scheme::Utf8) => utf16::utf8_len_of_le,
        (Scheme::Utf16Be, Scheme::Utf8) => utf16::utf8_len_of_be,
        (Scheme::Latin1, Scheme::Utf8) => latin1::utf8_len,
        (Scheme::Utf32Le, Scheme::Utf8) => utf32::utf8_len_of_le,
        (Scheme::Utf32Be, Scheme::Utf8) => swapped::utf8_len,
        (Scheme::Utf32Le, Scheme::Utf16Le | Scheme::Utf16Be) => utf32::utf16_len_of_le,
        (Scheme::Utf32Be, Scheme::Utf16Le | Scheme::Utf16Be) => swapped::utf16_len,
        (_, Scheme::Utf8) => row(from).utf8_len,
        (Scheme::Utf8, Scheme::Utf16Le | Scheme::Utf16Be) => utf16_len_of_utf8,
        (_, Scheme::Utf16Le | Scheme::Utf16Be) => row(from).utf16_len,
        (_, Scheme::Utf32Le | Scheme::Utf32Be | Scheme::Latin1 | Scheme::Ascii) => count(from),
    }
}

#[inline(never)]
fn check_ascii(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    // Compared in there, so that what chooses only jumps.
    dispatch_long!(kernel, src.len(),
    scalar => src.iter().position(|byte| !byte.is_ascii()).map_or(Ok(()), Err),
    |V, token| {
        let valid = generic::ascii::valid_up_to::<V>(token, src);
        if valid == src.len() { Ok(()) } else { Err(valid) }
    })
}

fn validate_ascii(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
    let flaw = Flaw::ill_formed(ErrorKind::TooLarge, 1);
    check_ascii(kernel, src).map_err(|valid| Error::new(Scheme::Ascii, valid, flaw))
}

#[inline(never)]
fn check_utf8(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    dispatch_long!(kernel, src.len(),
        scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
        |V, token| generic::utf8::check::<V>(token, src))
}

fn validate_utf8(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
    check_utf8(kernel, src).or_else(|known| generic::utf8::locate(src, known))
}

/// Conversions by decoding UTF-8. Each is three functions, by the length of the input, so that the short ones have no
/// more to set up than they need. In brackets a parameter that both byte orders share them by, and what the reference is.
macro_rules! decoded {
    ($($name:ident $tiny:ident: $family:ident $([$order:ident])? $({$CHECK:literal})?, $scalar:expr;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?) -> Reach {
            if src.len() > decode::SHORT {
                return dispatch_long!(kernel, src.len(),
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::$family::convert::<V $(, $CHECK)?>($($order,)? token, src, dst));
            }
            dispatch!(kernel,
                scalar => $scalar(src, dst $(, $order)?),
                |V, token, src, dst|
                    generic::$family::convert_short::<V $(, $CHECK)?>($($order,)? token, src, dst))
        }

        #[inline(never)]
        fn $tiny(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?) -> Reach {
            dispatch_short!(kernel,
                scalar => $scalar(src, dst $(, $order)?),
                |V, token, src, dst|
                    generic::$family::convert_tiny::<V $(, $CHECK)?>($($order,)? token, src, dst))
        }
    )*};
}

// `true` where the input is checked, `false` for text known to be UTF-8.
decoded! {
    utf8_to_utf16 utf8_to_utf16_tiny: utf8_to_utf16 [order] {true}, scalar_to_utf16;
    utf8_to_utf32 utf8_to_utf32_tiny: utf8_to_utf32 {true}, scalar::transcode::<Utf8, Utf32Le>;
    str_to_utf16 str_to_utf16_tiny: utf8_to_utf16 [order] {false}, scalar_to_utf16;
    str_to_utf32 str_to_utf32_tiny: utf8_to_utf32 {false}, scalar::transcode::<Utf8, Utf32Le>;
    utf8_to_latin1_any utf8_to_latin1_tiny: utf8_to_latin1, scalar::transcode::<Utf8, Latin1>;
}

fn scalar_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u8>], order: &ByteOrder) -> Reach {
    if order.big {
        scalar::transcode::<Utf8, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf8, Utf16Le>(src, dst)
    }
}

/// The ways in, by length. They only choose, and jump.
macro_rules! ways_in {
    ($($name:ident: $B:ident, $convert:ident $tiny:ident $(($order:expr))?;)*) => {
        $(
            #[inline(never)]
            fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                if src.len() >= decode::TINY {
                    $convert(kernel, src, dst $(, $order)?)
                } else if src.len() >= 8 {
                    $tiny(kernel, src, dst $(, $order)?)
                } else {
                    less_than_a_word::$name(kernel, src, dst)
                }
            }
        )*

        /// Less than a word: ASCII or a character, without vectors, and anything else with them.
        mod less_than_a_word {
            use super::*;

            $(
                #[inline(never)]
                pub(super) fn $name(
                    kernel: Kernel,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>],
                ) -> Reach {
                    if kernel != Kernel::SCALAR
                        && let Some(reach) = generic::tiny::convert::<$B>(src, dst)
                    {
                        return reach;
                    }
                    $tiny(kernel, src, dst $(, $order)?)
                }
            )*
        }
    };
}

ways_in! {
    utf8_to_utf16le: Utf16Le, utf8_to_utf16 utf8_to_utf16_tiny (&LITTLE);
    utf8_to_utf16be: Utf16Be, utf8_to_utf16 utf8_to_utf16_tiny (&BIG);
    utf8_to_utf32le: Utf32Le, utf8_to_utf32 utf8_to_utf32_tiny;
    str_to_utf16le: Utf16Le, str_to_utf16 str_to_utf16_tiny (&LITTLE);
    str_to_utf16be: Utf16Be, str_to_utf16 str_to_utf16_tiny (&BIG);
    str_to_utf32le: Utf32Le, str_to_utf32 str_to_utf32_tiny;
    utf8_to_latin1: Latin1, utf8_to_latin1_any utf8_to_latin1_tiny;
}

#[inline(never)]
fn utf8_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = generic::copy::short_utf8(src, dst)
    {
        return reach;
    }
    dispatch_long!(kernel, src.len().min(dst.len()),
        scalar => scalar::utf8::copy(src, dst),
        |V, token, src, dst| generic::utf8_to_utf8::convert::<V>(token, src, dst))
}

/// Copies text known to be UTF-8: the characters that fit.
#[inline(never)]
fn str_to_utf8(_: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let fits = src.len().min(dst.len());
    // A character that the end of the output would cut is left out.
    let read = if fits < src.len() { scalar::utf8::character_start(src, fits) } else { fits };
    dst[..read].copy_from_slice(view::as_uninit(&src[..read]));
    Reach { read, written: read }
}

/// Into ASCII or out of it: bytes are copied as long as they are ASCII.
macro_rules! ascii_copies {
    ($($name:ident: $A:ident => $B:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if kernel != Kernel::SCALAR
                && let Some(reach) = generic::copy::short_ascii(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let read = generic::copy::ascii::<V>(token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

ascii_copies! {
    utf8_to_ascii: Utf8 => Ascii;
    latin1_to_ascii: Latin1 => Ascii;
    ascii_to_ascii: Ascii => Ascii;
    ascii_to_utf8: Ascii => Utf8;
    ascii_to_latin1: Ascii => Latin1;
}

fn count_utf8(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len(),
        scalar => Utf8::count(src),
        |V, token| generic::count::code_points::<V>(token, src))
}

fn utf16_len_of_utf8(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len(),
        scalar => Utf8::utf16_len(src),
        |V, token| generic::count::utf16_units::<V>(token, src))
}
