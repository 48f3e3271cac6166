//! The pair table: which function serves a pair of schemes.
//!
//! Each function here is compiled once, in this crate, for one operation, family and byte order; the verbs pick one
//! while they are compiled (an inline `const`), so a program links what it names and nothing else. Native forms are
//! schemes already (see the module above), so the 81 pairs are 49 here, and fewer families:
//!
//! * the same scheme on both sides: validate what fits, copy it ([`same`]);
//! * UTF-8 to UTF-16: the vector kernels;
//! * the rest: the scalar reference.

use core::mem::MaybeUninit;

use crate::error::{Error, ErrorKind, Flaw};
use crate::kernel::dispatch;
use crate::progress::{Progress, Stop};
use crate::scalar::{self, Decode};
use crate::tables::{Big, Little, Order};
use crate::{Ascii, Encoding, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, generic};

/// Converts bytes of one scheme into bytes of another; progress in bytes.
pub(crate) type Transcode = fn(Kernel, &[u8], &mut [MaybeUninit<u8>]) -> Progress;
/// Validates bytes of one scheme; positions in bytes.
pub(crate) type Validate = fn(Kernel, &[u8]) -> Result<(), Error>;
/// Measures bytes of one scheme; the answer is in code units or code points.
pub(crate) type Measure = fn(Kernel, &[u8]) -> usize;

/// Names the type of a scheme in an expression.
macro_rules! with_type {
    ($scheme:expr, $A:ident => $body:expr) => {
        match $scheme {
            Scheme::Utf8 => {
                type $A = Utf8;
                $body
            }
            Scheme::Utf16Le => {
                type $A = Utf16Le;
                $body
            }
            Scheme::Utf16Be => {
                type $A = Utf16Be;
                $body
            }
            Scheme::Utf32Le => {
                type $A = Utf32Le;
                $body
            }
            Scheme::Utf32Be => {
                type $A = Utf32Be;
                $body
            }
            Scheme::Latin1 => {
                type $A = Latin1;
                $body
            }
            Scheme::Ascii => {
                type $A = Ascii;
                $body
            }
        }
    };
}

/// The function that validates a scheme.
pub(crate) const fn validate(scheme: Scheme) -> Validate {
    match scheme {
        Scheme::Utf8 => validate_utf8,
        Scheme::Ascii => validate_ascii,
        Scheme::Latin1 => |_, _| Ok(()),
        Scheme::Utf16Le => |_, src| scalar::validate::<Utf16Le>(src),
        Scheme::Utf16Be => |_, src| scalar::validate::<Utf16Be>(src),
        Scheme::Utf32Le => |_, src| scalar::validate::<Utf32Le>(src),
        Scheme::Utf32Be => |_, src| scalar::validate::<Utf32Be>(src),
    }
}

/// The function that converts from one scheme to another.
pub(crate) const fn transcode(from: Scheme, to: Scheme) -> Transcode {
    match (from, to) {
        (Scheme::Utf8, Scheme::Utf16Le) => utf8_to_utf16::<Little, true>,
        (Scheme::Utf8, Scheme::Utf16Be) => utf8_to_utf16::<Big, true>,
        _ => with_type!(from, A => transcode_from::<A>(to)),
    }
}

/// The function that converts from `A` without vector code.
const fn transcode_from<A: Decode>(to: Scheme) -> Transcode {
    if A::SCHEME as u8 == to as u8 {
        return same::<A>;
    }
    with_type!(to, B => |_, src, dst| scalar::transcode::<A, B>(src, dst))
}

/// The function that converts text known to be UTF-8.
pub(crate) const fn transcode_str(to: Scheme) -> Transcode {
    match to {
        Scheme::Utf16Le => utf8_to_utf16::<Little, false>,
        Scheme::Utf16Be => utf8_to_utf16::<Big, false>,
        _ => transcode(Scheme::Utf8, to),
    }
}

/// The function that counts code points.
pub(crate) const fn count(scheme: Scheme) -> Measure {
    with_type!(scheme, A => |_, src| <A as Decode>::count(src))
}

/// The function that says how many code units of `to` a text becomes.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Measure {
    with_type!(from, A => len_from::<A>(to))
}

/// The function that says how many code units of `to` a text in `A` becomes.
const fn len_from<A: Decode>(to: Scheme) -> Measure {
    with_type!(to, B => |_, src| scalar::len::<A>(B::SCHEME, src))
}

fn validate_ascii(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
    let valid = dispatch!(kernel,
        scalar => src.iter().position(|byte| !byte.is_ascii()).unwrap_or(src.len()),
        |V, token| generic::ascii::valid_up_to::<V>(token, src));
    match valid == src.len() {
        true => Ok(()),
        false => {
            Err(Error::new(Scheme::Ascii, valid, Flaw::ill_formed(ErrorKind::TooLarge, 1)))
        }
    }
}

pub(crate) fn validate_utf8(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
    dispatch!(kernel,
        scalar => scalar::utf8::validate(src),
        |V, token| generic::utf8::validate::<V>(token, src))
}

/// `CHECK` is false for text known to be UTF-8.
fn utf8_to_utf16<O: Order, const CHECK: bool>(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    dispatch!(kernel,
        scalar => scalar::transcode::<Utf8, O::Utf16>(src, dst),
        |V, token| generic::utf8_to_utf16::convert::<V, O, CHECK>(token, src, dst))
}

/// Validates and copies: the longest valid text that fits.
fn same<A: Decode>(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let fits = src.len().min(dst.len());
    let valid = match validate(A::SCHEME)(kernel, &src[..fits]) {
        Ok(()) => fits,
        Err(error) => error.valid_up_to(),
    };
    dst[..valid].write_copy_of_slice(&src[..valid]);
    // What stopped it may look different where more of the input can be seen.
    let stop = match src.get(valid..) {
        None | Some([]) => Stop::Done,
        Some(rest) => match A::decode(rest) {
            Ok(_) => Stop::OutputFull,
            Err(flaw) => Stop::Error(Error::new(A::SCHEME, valid, flaw)),
        },
    };
    Progress { read: valid, written: valid, stop }
}
