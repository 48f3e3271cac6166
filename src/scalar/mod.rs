//! The reference: plain safe Rust, one character at a time, to be read beside RFC 3629 and chapter 3.9 of the Unicode
//! Standard. It is a kernel like the others, and the only code that words an [`Error`].
//!
//! An encoding is two functions: the first character of some bytes ([`Decode`]), and the bytes of a character
//! ([`Encode`]). Every pair follows from them.

#![forbid(unsafe_code)]

mod bytes;
mod utf16;
mod utf32;
pub(crate) mod utf8;

use core::mem::MaybeUninit;

use crate::Encoding;
use crate::error::{Error, ErrorKind, Flaw};
use crate::progress::{Progress, Stop};

/// Reading a scheme.
pub(crate) trait Decode: Encoding {
    /// The scalar value of the first character of `src`, and the bytes that it takes; or what is wrong with it.
    /// `src` is not empty.
    fn decode(src: &[u8]) -> Result<(u32, usize), Flaw>;

    /// Code points in `src`, without validating: bytes or units that can't be the later part of a character.
    fn count(src: &[u8]) -> usize;

    /// UTF-8 bytes that the text becomes, without validating.
    fn utf8_len(src: &[u8]) -> usize;

    /// UTF-16 code units that the text becomes, without validating.
    fn utf16_len(src: &[u8]) -> usize;
}

/// Writing a scheme.
pub(crate) trait Encode: Encoding {
    /// Writes the scalar value `c` to the front of `dst`; says how many bytes that took.
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Result<usize, Refusal>;
}

/// Why a character was not written. The order is that of the contract: unmappable even when the output is full.
pub(crate) enum Refusal {
    /// The target encoding doesn't have it.
    Unmappable,
    /// It doesn't fit.
    Full,
}

/// Writes `bytes` to the front of `dst` if they fit.
#[inline]
fn put<const N: usize>(bytes: [u8; N], dst: &mut [MaybeUninit<u8>]) -> Result<usize, Refusal> {
    let dst = dst.first_chunk_mut::<N>().ok_or(Refusal::Full)?;
    for (to, byte) in dst.iter_mut().zip(bytes) {
        to.write(byte);
    }
    Ok(N)
}

/// The first place in `src` that is not well-formed.
pub(crate) fn validate<A: Decode>(src: &[u8]) -> Result<(), Error> {
    let mut read = 0;
    while read < src.len() {
        match A::decode(&src[read..]) {
            Ok((_, len)) => read += len,
            Err(flaw) => return Err(Error::new(A::SCHEME, read, flaw)),
        }
    }
    Ok(())
}

/// Converts from `A` to `B`, as far as possible.
pub(crate) fn transcode<A: Decode, B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let (mut read, mut written) = (0, 0);
    // ASCII comes in runs: words of it are looked for behind it only.
    let mut ascii = true;
    let stop = loop {
        if ascii {
            let run = ascii_run::<A, B>(&src[read..], &mut dst[written..]);
            read += run;
            written += run * B::SCHEME.unit_size();
        }
        if read == src.len() {
            break Stop::Done;
        }
        let (c, len) = match A::decode(&src[read..]) {
            Ok(character) => character,
            Err(flaw) => break Stop::Error(Error::new(A::SCHEME, read, flaw)),
        };
        ascii = c < 0x80;
        match B::encode(c, &mut dst[written..]) {
            Ok(put) => {
                read += len;
                written += put;
            }
            Err(Refusal::Unmappable) => {
                break Stop::Error(Error::new(A::SCHEME, read, unmappable(len)));
            }
            Err(Refusal::Full) => break Stop::OutputFull,
        }
    };
    Progress { read, written, stop }
}

/// The progress of a conversion from `A` to `B` in which characters keep their bytes, when it has come to `read`: what
/// stops it there.
pub(crate) fn copied<A: Decode, B: Encode>(src: &[u8], read: usize) -> Progress {
    let stop = match src.get(read..) {
        None | Some([]) => Stop::Done,
        Some(rest) => match A::decode(rest) {
            Err(flaw) => Stop::Error(Error::new(A::SCHEME, read, flaw)),
            Ok((c, len)) => match B::encode(c, &mut []) {
                Err(Refusal::Unmappable) => {
                    Stop::Error(Error::new(A::SCHEME, read, unmappable(len)))
                }
                _ => Stop::OutputFull,
            },
        },
    };
    Progress { read, written: read, stop }
}

/// Converts words of eight ASCII bytes at the front of `src`, as long as `dst` has room; says how many bytes.
#[inline(always)]
fn ascii_run<A: Decode, B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    const NON_ASCII: u64 = 0x8080_8080_8080_8080;
    if const { A::SCHEME.unit_size() != 1 } {
        return 0;
    }
    let size = const { B::SCHEME.unit_size() };
    let mut run = 0;
    while let (Some(word), Some(room)) =
        (src[run..].first_chunk::<8>(), dst.get_mut(run * size..(run + 8) * size))
    {
        if u64::from_ne_bytes(*word) & NON_ASCII != 0 {
            break;
        }
        for (&byte, unit) in word.iter().zip(room.chunks_exact_mut(size)) {
            let _ = B::encode(u32::from(byte), unit);
        }
        run += 8;
    }
    run
}

/// A character of `len` bytes that the target doesn't have.
pub(crate) fn unmappable(len: usize) -> Flaw {
    #[expect(clippy::cast_possible_truncation, reason = "a character has at most four bytes")]
    Flaw::ill_formed(ErrorKind::Unmappable, len as u8)
}
