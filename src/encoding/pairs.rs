//! The pair table: which function serves a pair of schemes.
//!
//! Each function here is compiled once, in this crate, for one operation, family and byte order; the verbs pick one
//! while they are compiled (an inline `const`), so a program links what it names and nothing else. Native forms are
//! schemes already (see the module above), so the 81 pairs are 49 here, and fewer families:
//!
//! * the same scheme on both sides: validate what fits, copy it ([`same`]);
//! * from UTF-8, and [from UTF-16](utf16): the vector kernels;
//! * the rest: the scalar reference.

mod swapped;
mod utf16;

use core::mem::MaybeUninit;

use super::view;
use crate::error::{Error, ErrorKind, Flaw};
use crate::generic::decode;
use crate::kernel::dispatch;
use crate::progress::{Progress, Reach, Stop};
use crate::scalar::{self, Decode};
use crate::tables::{BIG, ByteOrder, LITTLE};
use crate::{
    Ascii, Encoding, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, generic,
};

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
#[cfg_attr(
    not(feature = "alloc"),
    expect(unreachable_pub, reason = "with `alloc`, part of a bound of public traits")
)]
pub struct Conversion {
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

    /// Converts as much of `src` as possible; progress in bytes.
    #[inline]
    pub(crate) fn run(self, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        if src.is_empty() {
            return Progress { read: 0, written: 0, stop: Stop::Done };
        }
        let Reach { read, written } = self.reach(kernel, src, dst);
        Progress { read, written, stop: self.stop(src, read) }
    }
}

/// What serves one scheme as a source.
struct Row {
    validate: Validate,
    check: (Check, Locate),
    count: Measure,
    utf8_len: Measure,
    utf16_len: Measure,
    /// By target, in the order of [`Scheme`].
    transcode: [Transcode; 7],
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

            targets! { $A:
                to_utf8: Utf8; to_utf16le: Utf16Le; to_utf16be: Utf16Be;
                to_utf32le: Utf32Le; to_utf32be: Utf32Be; to_latin1: Latin1; to_ascii: Ascii;
            }

            pub(super) const ROW: Row = Row {
                validate,
                check: (check, locate),
                count,
                utf8_len,
                utf16_len,
                transcode: [
                    to_utf8, to_utf16le, to_utf16be, to_utf32le, to_utf32be, to_latin1, to_ascii,
                ],
            };
        }
    )*};
}

/// The functions of a row: the same scheme again is a copy, anything else goes by the reference.
macro_rules! targets {
    ($A:ident: $($to:ident: $B:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $to(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if const { $A::SCHEME as u8 == $B::SCHEME as u8 } {
                same(validate, kernel, src, dst)
            } else {
                scalar::transcode::<$A, $B>(src, dst)
            }
        }
    )*};
}

rows! {
    from_utf8: Utf8, validate_utf8;
    from_utf16le: Utf16Le, utf16::validate_le;
    from_utf16be: Utf16Be, utf16::validate_be;
    from_utf32le: Utf32Le, |_, src| scalar::validate::<Utf32Le>(src);
    from_utf32be: Utf32Be, |_, src| scalar::validate::<Utf32Be>(src);
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
        _ => row(scheme).check,
    }
}

/// The way from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Conversion {
    let transcode: Transcode = match (from, to) {
        (Scheme::Utf8, Scheme::Utf16Le) => utf8_to_utf16le,
        (Scheme::Utf8, Scheme::Utf16Be) => utf8_to_utf16be,
        (Scheme::Utf8, Scheme::Utf32Le) => utf8_to_utf32le,
        (Scheme::Utf8, Scheme::Utf32Be) => utf8_to_utf32be,
        (Scheme::Utf8, Scheme::Latin1) => utf8_to_latin1,
        (Scheme::Utf8, Scheme::Utf8) => utf8_to_utf8,
        (Scheme::Utf8, Scheme::Ascii) => utf8_to_ascii,
        (Scheme::Utf16Le, _) => utf16::to(true, to),
        (Scheme::Utf16Be, _) => utf16::to(false, to),
        (Scheme::Latin1, Scheme::Ascii) => latin1_to_ascii,
        (Scheme::Ascii, Scheme::Ascii) => ascii_to_ascii,
        (Scheme::Ascii, Scheme::Utf8) => ascii_to_utf8,
        (Scheme::Ascii, Scheme::Latin1) => ascii_to_latin1,
        _ => row(from).transcode[to as usize],
    };
    Conversion { transcode, from, to }
}

/// Bytes of input from which on a conversion takes less time by a step of vector code than by the scalar reference.
pub(crate) const fn vectors_from(from: Scheme, to: Scheme) -> usize {
    match (from, to) {
        (Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be, _)
        | (Scheme::Ascii, Scheme::Utf8 | Scheme::Ascii | Scheme::Latin1)
        | (Scheme::Latin1, Scheme::Ascii) => 0,
        _ => 17,
    }
}

/// The way from text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Conversion {
    let transcode: Transcode = match to {
        Scheme::Utf16Le => str_to_utf16le,
        Scheme::Utf16Be => str_to_utf16be,
        Scheme::Utf32Le => str_to_utf32le,
        Scheme::Utf32Be => str_to_utf32be,
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
        (_, Scheme::Utf8) => row(from).utf8_len,
        (Scheme::Utf8, Scheme::Utf16Le | Scheme::Utf16Be) => utf16_len_of_utf8,
        (_, Scheme::Utf16Le | Scheme::Utf16Be) => row(from).utf16_len,
        (_, Scheme::Utf32Le | Scheme::Utf32Be | Scheme::Latin1 | Scheme::Ascii) => count(from),
    }
}

#[inline(never)]
fn check_ascii(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    let valid = dispatch!(kernel,
        scalar => src.iter().position(|byte| !byte.is_ascii()).unwrap_or(src.len()),
        |V, token| generic::ascii::valid_up_to::<V>(token, src));
    if valid == src.len() { Ok(()) } else { Err(valid) }
}

fn validate_ascii(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
    let flaw = Flaw::ill_formed(ErrorKind::TooLarge, 1);
    check_ascii(kernel, src).map_err(|valid| Error::new(Scheme::Ascii, valid, flaw))
}

#[inline(never)]
fn check_utf8(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    dispatch!(kernel,
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
                return dispatch!(kernel,
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::$family::convert::<V $(, $CHECK)?>($($order,)? token, src, dst));
            }
            if src.len() < decode::TINY {
                return $tiny(kernel, src, dst $(, $order)?);
            }
            dispatch!(kernel,
                scalar => $scalar(src, dst $(, $order)?),
                |V, token, src, dst|
                    generic::$family::convert_short::<V $(, $CHECK)?>($($order,)? token, src, dst))
        }

        #[inline(never)]
        fn $tiny(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?) -> Reach {
            dispatch!(kernel,
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

/// The ways in: the shortest text there is, less than a word of ASCII or a character, comes first of all.
macro_rules! ways_in {
    ($($name:ident: $B:ident, $convert:ident $tiny:ident $(($order:expr))?;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() >= 8 {
                return $convert(kernel, src, dst $(, $order)?);
            }
            if kernel != Kernel::SCALAR
                && let Some(reach) = generic::tiny::convert::<$B>(src, dst)
            {
                return reach;
            }
            $tiny(kernel, src, dst $(, $order)?)
        }
    )*};
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

/// Conversions into UTF-32 with the high byte first: into the other order, and the bytes of each unit exchanged.
macro_rules! into_utf32be {
    ($($name:ident: $A:ident $native:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if kernel == Kernel::SCALAR {
                return scalar::transcode::<$A, Utf32Be>(src, dst);
            }
            swapped::into_utf32be(kernel, src, dst, Scheme::$A, $native)
        }
    )*};
}

into_utf32be! {
    utf8_to_utf32be: Utf8 utf8_to_utf32le;
    str_to_utf32be: Utf8 str_to_utf32le;
}

/// Validates and copies: the longest valid text that fits.
fn same(validate: Validate, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let fits = src.len().min(dst.len());
    let valid = match validate(kernel, &src[..fits]) {
        Ok(()) => fits,
        Err(error) => error.valid_up_to(),
    };
    dst[..valid].copy_from_slice(view::as_uninit(&src[..valid]));
    Reach { read: valid, written: valid }
}

#[inline(never)]
fn utf8_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = generic::copy::short_utf8(src, dst)
    {
        return reach;
    }
    dispatch!(kernel,
        scalar => from_utf8::to_utf8(kernel, src, dst),
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
    ($($name:ident: $row:ident::$to:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if kernel != Kernel::SCALAR
                && let Some(reach) = generic::copy::short_ascii(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => $row::$to(kernel, src, dst),
                |V, token, src, dst| {
                    let read = generic::copy::ascii::<V>(token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

ascii_copies! {
    utf8_to_ascii: from_utf8::to_ascii;
    latin1_to_ascii: from_latin1::to_ascii;
    ascii_to_ascii: from_ascii::to_ascii;
    ascii_to_utf8: from_ascii::to_utf8;
    ascii_to_latin1: from_ascii::to_latin1;
}

fn count_utf8(kernel: Kernel, src: &[u8]) -> usize {
    dispatch!(kernel,
        scalar => Utf8::count(src),
        |V, token| generic::count::code_points::<V>(token, src))
}

fn utf16_len_of_utf8(kernel: Kernel, src: &[u8]) -> usize {
    dispatch!(kernel,
        scalar => Utf8::utf16_len(src),
        |V, token| generic::count::utf16_units::<V>(token, src))
}
