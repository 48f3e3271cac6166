//! Validates and converts one character at a time, and determines why a conversion stopped.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::encoding::types::{
    Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8,
};
use crate::scalar::code::{Decode, Encode};
use crate::scalar::{utf8, wtf8};
use crate::swar::units::widen_bytes;
use crate::swar::words::{HIGH_BITS, HIGH_BITS_128};
use crate::types::error::{DecodeError, Error, ErrorKind};
use crate::types::progress::{Reach, Stop};

/// Validates `src`. Returns the error of the first ill-formed sequence.
pub(crate) fn validate<A: Decode>(src: &[u8]) -> Result<(), Error> {
    let mut read = 0;
    while read < src.len() {
        match A::decode(&src[read..]) {
            Ok((_, len)) => read += len,
            Err(error) => return Err(Error::new(A::SCHEME, read, error)),
        }
    }
    Ok(())
}

/// The number of consecutive ASCII characters after which the conversion of ASCII by words is
/// tried.
const ASCII_RUN_CHARS: usize = 4;

/// Converts from `A` to `B`, as far as possible.
pub(crate) fn transcode<A: Decode, B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let (mut read, mut written) = (0, 0);
    // ASCII characters occur in runs, so words are tried only after a few of them.
    let mut ascii_chars = ASCII_RUN_CHARS;
    loop {
        if const { has_ascii_runs(A::SCHEME, B::SCHEME) } && ascii_chars == ASCII_RUN_CHARS {
            let run = ascii_run::<A, B>(&src[read..], &mut dst[written..]);
            read += run;
            written += run / A::SCHEME.unit_size() * B::SCHEME.unit_size();
            ascii_chars = 0;
        }
        if read == src.len() {
            break;
        }
        let Ok((c, len)) = A::decode(&src[read..]) else { break };
        let Some(encoded_len) = B::encode(c, &mut dst[written..]) else { break };
        ascii_chars = if c < 0x80 { ascii_chars + 1 } else { 0 };
        read += len;
        written += encoded_len;
    }
    Reach { read, written }
}

/// Continues a conversion after `reach`, where vector code has stopped: before an error, or at the
/// end of the output.
#[cfg(feature = "count")]
#[inline(never)]
pub(crate) fn resume<A: Decode, B: Encode>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    Reach { read, written }: Reach,
) -> Reach {
    transcode::<A, B>(&src[read..], &mut dst[written..]).after(read, written)
}

/// Returns the reason why a conversion stopped at `read`.
#[cold]
#[inline(never)]
pub(crate) fn stop(from: Scheme, to: Scheme, src: &[u8], read: usize) -> Stop {
    let rest = &src[read..];
    if rest.is_empty() {
        return Stop::Done;
    }
    let error = match decode_for(to, from, rest) {
        Err(error) => error,
        Ok((c, len)) if c > to.largest() => unmappable(len),
        Ok(_) => return Stop::OutputFull,
    };
    Stop::Error(Error::new(from, read, error))
}

/// Calls [`Decode::decode`] for a scheme chosen at run time.
pub(crate) fn decode(from: Scheme, src: &[u8]) -> Result<(u32, usize), DecodeError> {
    match from {
        Scheme::Utf8 => Utf8::decode(src),
        Scheme::Utf16Le => Utf16Le::decode(src),
        Scheme::Utf16Be => Utf16Be::decode(src),
        Scheme::Utf32Le => Utf32Le::decode(src),
        Scheme::Utf32Be => Utf32Be::decode(src),
        Scheme::Latin1 => Latin1::decode(src),
        Scheme::Ascii => Ascii::decode(src),
        Scheme::Cesu8 => Cesu8::decode(src),
        Scheme::Mutf8 => Mutf8::decode(src),
        Scheme::Wtf8 => Wtf8::decode(src),
        Scheme::Wtf16Le | Scheme::Wtf16Be => wtf8::decode_units(from, src),
    }
}

/// Like [`decode`], for a conversion to `to`. Unpaired surrogates are ill-formed if `to` does not
/// allow them.
pub(crate) fn decode_for(
    to: Scheme,
    from: Scheme,
    src: &[u8],
) -> Result<(u32, usize), DecodeError> {
    let decoded = decode(from, src);
    match decoded {
        Ok((0xD800..=0xDFFF, len)) if !to.has_surrogates() => {
            // As in UTF-16, later input may complete the pair. In WTF-8, the pair is ill-formed
            // too, so no input makes the surrogate well-formed.
            Err(match len {
                2 if wtf8::is_incomplete_pair(from, src) => {
                    DecodeError::incomplete(ErrorKind::Surrogate)
                }
                #[expect(clippy::cast_possible_truncation, reason = "two or three bytes")]
                len => DecodeError::ill_formed(ErrorKind::Surrogate, len as u8),
            })
        }
        decoded => decoded,
    }
}

/// Calls [`Encode::encode`] for a scheme chosen at run time, which must be able to represent `c`.
pub(crate) fn encode(to: Scheme, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 | Scheme::Wtf8 => Utf8::encode(c, dst),
        Scheme::Utf16Le | Scheme::Wtf16Le => Utf16Le::encode(c, dst),
        Scheme::Utf16Be | Scheme::Wtf16Be => Utf16Be::encode(c, dst),
        Scheme::Utf32Le => Utf32Le::encode(c, dst),
        Scheme::Utf32Be => Utf32Be::encode(c, dst),
        Scheme::Latin1 => Latin1::encode(c, dst),
        Scheme::Ascii => Ascii::encode(c, dst),
        Scheme::Cesu8 => Cesu8::encode(c, dst),
        Scheme::Mutf8 => Mutf8::encode(c, dst),
    }
}

/// Like [`encode`], but the code for the usual encodings is inlined.
#[inline(always)]
pub(crate) fn encode_inlined(to: Scheme, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 => utf8::encode(c, dst),
        Scheme::Utf16Le => Utf16Le::encode(c, dst),
        _ => encode(to, c, dst),
    }
}

/// Like [`transcode`], between schemes chosen at run time. Rare pairs share this code.
pub(crate) fn convert(from: Scheme, to: Scheme, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let Ok((c, len)) = decode_for(to, from, &src[read..]) else { break };
        let Some(encoded_len) = encode(to, c, &mut dst[written..]) else { break };
        read += len;
        written += encoded_len;
    }
    Reach { read, written }
}

/// Returns the last boundary in `src`, a part of a longer text. If `src` is well-formed at its end,
/// this is the end of the last complete character. It is at most three bytes before the end of
/// `src`, or six if `src` ends with a high surrogate.
pub(crate) fn floor_boundary(from: Scheme, src: &[u8]) -> usize {
    if matches!(from, Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8) {
        let start = utf8::character_start(src, src.len().saturating_sub(1));
        return match (&src[..start], &src[start..]) {
            // There are more continuation bytes than a character has, so one is ill-formed, and no
            // sequence continues after it. A character that began before `start` may end before
            // `start`.
            (_, [0x80..=0xBF, ..]) => src.len(),
            // A surrogate pair is not split, because WTF-8 rejects a pair only if both halves are
            // present.
            ([before @ .., 0xED, 0xA0..=0xAF, _], _) if from != Scheme::Utf8 => before.len(),
            _ => start,
        };
    }
    let whole_len = src.len() - src.len() % from.unit_size();
    let last_unit =
        |read: fn([u8; 2]) -> u16| src[..whole_len].last_chunk().map_or(0, |&unit| read(unit));
    let is_high_surrogate = |unit: u16| unit & 0xFC00 == 0xD800;
    match from {
        Scheme::Utf16Le | Scheme::Wtf16Le => {
            whole_len - 2 * usize::from(is_high_surrogate(last_unit(u16::from_le_bytes)))
        }
        Scheme::Utf16Be | Scheme::Wtf16Be => {
            whole_len - 2 * usize::from(is_high_surrogate(last_unit(u16::from_be_bytes)))
        }
        _ => whole_len,
    }
}

/// Returns true if the conversion of ASCII by words is tried: only for pairs in which its speed is
/// worth the code. Modified UTF-8 is excluded, because its NUL has two bytes.
const fn has_ascii_runs(from: Scheme, to: Scheme) -> bool {
    if matches!(from, Scheme::Mutf8) || matches!(to, Scheme::Mutf8) {
        return false;
    }
    from.unit_size() == 1 || from.unit_size() == 2 && to.unit_size() == 1
}

/// Converts the ASCII prefix of `src` by words, while `dst` has capacity for a whole word. Returns
/// the number of bytes read. Units after the prefix may be written too, as scratch.
#[inline(always)]
fn ascii_run<A: Decode, B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    if const { A::SCHEME.unit_size() == 1 } {
        return ascii_run_of_bytes(src, B::SCHEME, dst);
    }
    if const { matches!(A::SCHEME.without_surrogates(), Scheme::Utf16Be) } {
        ascii_run_of_units::<1>(src, dst)
    } else {
        ascii_run_of_units::<0>(src, dst)
    }
}

/// Like [`ascii_run`], for UTF-16 to a scheme with units of one byte. Byte `LOW` of a unit is its
/// low byte.
#[inline(always)]
fn ascii_run_of_units<const LOW: usize>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    // The bits of eight units that are zero in ASCII.
    let non_ascii_bits = const { u128::MAX / 0xFFFF * [0xFF80, 0x80FF][LOW] };
    // Most calls for text in other scripts return here.
    let is_ascii = |&unit: &[u8; 2]| u16::from_le_bytes(unit) & non_ascii_bits as u16 == 0;
    if !src.first_chunk::<2>().is_some_and(is_ascii) {
        return 0;
    }
    let mut run = 0;
    while let (Some(units), Some(out)) =
        (src[run..].first_chunk::<16>(), dst.get_mut(run / 2..run / 2 + 8))
    {
        for (unit, out) in units.as_chunks::<2>().0.iter().zip(out) {
            out.write(unit[LOW]);
        }
        let non_ascii = u128::from_le_bytes(*units) & non_ascii_bits;
        if non_ascii != 0 {
            return run + non_ascii.trailing_zeros() as usize / 16 * 2;
        }
        run += 16;
    }
    if let (Some(units), Some(out)) =
        (src[run..].first_chunk::<8>(), dst.get_mut(run / 2..run / 2 + 4))
    {
        for (unit, out) in units.as_chunks::<2>().0.iter().zip(out) {
            out.write(unit[LOW]);
        }
        let non_ascii = u64::from_le_bytes(*units) & non_ascii_bits as u64;
        run += non_ascii.trailing_zeros() as usize / 16 * 2;
    }
    run
}

/// Like [`ascii_run`], for text in a scheme with units of one byte.
#[inline(always)]
fn ascii_run_of_bytes(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> usize {
    // Most calls for text in other scripts return here.
    if !src.first().is_some_and(u8::is_ascii) {
        return 0;
    }
    let size = to.unit_size();
    let mut run = 0;
    while let (Some(word), Some(out)) =
        (src[run..].first_chunk::<16>(), dst.get_mut(size * run..size * (run + 16)))
    {
        widen_bytes(word, to, out, 0);
        let non_ascii = u128::from_le_bytes(*word) & HIGH_BITS_128;
        if non_ascii != 0 {
            return run + non_ascii.trailing_zeros() as usize / 8;
        }
        run += 16;
    }
    if let (Some(word), Some(out)) =
        (src[run..].first_chunk::<8>(), dst.get_mut(size * run..size * (run + 8)))
    {
        widen_bytes(word, to, out, 0);
        run += (u64::from_le_bytes(*word) & HIGH_BITS).trailing_zeros() as usize / 8;
    }
    run
}

/// Returns the error of a character of `len` bytes that the target cannot represent.
pub(crate) fn unmappable(len: usize) -> DecodeError {
    #[expect(clippy::cast_possible_truncation, reason = "a character has at most four bytes")]
    DecodeError::ill_formed(ErrorKind::Unmappable, len as u8)
}
