//! Conversions and validations that combine two functions, segment by segment.
//!
//! In some texts, most characters are the same as in another scheme, and some are *exceptions*:
//! unpaired surrogates in WTF-8 and WTF-16, and supplementary characters (and NUL) in CESU-8
//! (Modified UTF-8). The text between two exceptions is validated and converted by the functions of
//! UTF-8 and UTF-16, and the exceptions by the scalar reference.

#[cfg(feature = "count")]
use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
#[cfg(feature = "count")]
use crate::encoding::view::Uninit;
use crate::generic::from_utf8::check::locate;
use crate::scalar;
#[cfg(feature = "count")]
use crate::types::progress::Reach;

/// The number of characters after an exception that are examined one by one, because the next
/// exception may follow soon.
const CHARS_AFTER_EXCEPTION: usize = 8;

/// Returns the number of characters after `c` that are examined one by one, if `characters_left`
/// were left with `c`. `scheme` is CESU-8, Modified UTF-8, WTF-8 or WTF-16.
#[inline]
fn characters_left_after(c: u32, scheme: Scheme, characters_left: usize) -> usize {
    let is_exception = match scheme {
        Scheme::Cesu8 => c > 0xFFFF,
        Scheme::Mutf8 => c == 0 || c > 0xFFFF,
        _ => matches!(c, 0xD800..=0xDFFF),
    };
    if is_exception { CHARS_AFTER_EXCEPTION } else { characters_left - 1 }
}

/// Validates text in `scheme`. `check` validates a start of the text as UTF-8. It returns the
/// start, which has no exceptions except surrogates and the NUL of Modified UTF-8, and the result
/// of the check.
pub(crate) fn check_with_exceptions<'a>(
    src: &'a [u8],
    scheme: Scheme,
    check: impl Fn(&'a [u8]) -> (&'a [u8], Result<(), usize>),
) -> Result<(), usize> {
    let mut at = 0;
    while at < src.len() {
        let (start, checked) = check(&src[at..]);
        at += match checked.or_else(|known_len| locate(start, known_len)) {
            Ok(()) => start.len(),
            Err(error) => error.valid_up_to(),
        };
        let mut characters_left = CHARS_AFTER_EXCEPTION;
        while characters_left > 0 && at < src.len() {
            let Ok((c, len)) = scalar::decode(scheme, &src[at..]) else { return Err(at) };
            at += len;
            characters_left = characters_left_after(c, scheme, characters_left);
        }
    }
    Ok(())
}

/// Converts by `strict`, which stops before an exception. If `strict` stops, the scalar reference
/// converts characters, until [`CHARS_AFTER_EXCEPTION`] characters in a row are no exceptions.
#[cfg(feature = "count")]
pub(crate) fn convert_with_exceptions(
    src: &[u8],
    dst: &mut Uninit,
    (from, to): (Scheme, Scheme),
    strict: impl Fn(&[u8], &mut Uninit) -> Reach,
) -> Reach {
    let scheme = if matches!(to, Scheme::Cesu8 | Scheme::Mutf8) { to } else { from };
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let step = strict(&src[reach.read..], &mut dst[reach.written..]);
        reach = step.after(reach.read, reach.written);
        let mut characters_left = CHARS_AFTER_EXCEPTION;
        while characters_left > 0 {
            let rest = &src[reach.read..];
            if rest.is_empty() {
                return reach;
            }
            let Ok((c, len)) = scalar::decode(from, rest) else { return reach };
            let Some(written) = scalar::encode(to, c, &mut dst[reach.written..]) else {
                return reach;
            };
            reach = Reach { read: len, written }.after(reach.read, reach.written);
            characters_left = characters_left_after(c, scheme, characters_left);
        }
    }
}

/// Returns the start of `src`, of at most `max` bytes, up to a boundary.
#[cfg(feature = "count")]
pub(crate) fn first_segment(src: &[u8], scheme: Scheme, max: usize) -> &[u8] {
    match src.get(..max) {
        Some(segment) => &segment[..scalar::floor_boundary(scheme, segment)],
        None => src,
    }
}

/// The maximum number of source bytes that are converted at a time in two steps. It is small,
/// because the buffer must stay in the cache, and because the scalar reference converts a segment
/// again if the conversion stops inside the segment.
#[cfg(feature = "count")]
pub(crate) const SEGMENT_MAX_BYTES: usize = 960;

/// Converts each segment of text in the scheme `from`: by `first_step` into a buffer, and by
/// `second_step` from the buffer to `dst`. `first_step` returns the number of bytes read, and the
/// text in the buffer. `convert_last` converts the segment in which a step stops. It is given the
/// reach of the second step.
#[cfg(feature = "count")]
pub(crate) fn convert_in_two_steps(
    (src, dst): (&[u8], &mut Uninit),
    from: Scheme,
    first_step: impl for<'a> Fn(&[u8], &'a mut Uninit) -> (usize, &'a [u8]),
    second_step: impl Fn(&[u8], &mut Uninit) -> Reach,
    convert_last: impl Fn(&[u8], &mut Uninit, Reach) -> Reach,
) -> Reach {
    // A source byte becomes at most two bytes of UTF-8 or UTF-16, or four bytes of UTF-32.
    let mut buffer = [MaybeUninit::uninit(); 4 * SEGMENT_MAX_BYTES];
    let mut reach = Reach { read: 0, written: 0 };
    // The first segment is smaller, because texts with many repairs stop often.
    let mut segment_max = 128;
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // Convert little more than fits into `out`: six source bytes become at least one byte. The
        // segment has more than one character, because the boundary may leave out the last one.
        let needed = out.len().saturating_mul(6).saturating_add(64);
        let segment = first_segment(rest, from, segment_max.min(needed));
        let (read, intermediate) = first_step(segment, &mut buffer);
        let second = second_step(intermediate, out);
        if read < segment.len() || second.read < intermediate.len() {
            return convert_last(segment, out, second).after(reach.read, reach.written);
        }
        reach = Reach { read, ..second }.after(reach.read, reach.written);
        if reach.read == src.len() {
            return reach;
        }
        segment_max = SEGMENT_MAX_BYTES.min(2 * segment_max);
    }
}

/// Measures potentially ill-formed UTF-16 by `measure`, up to an unpaired surrogate that `check`
/// finds. From there on, `measure_by_reference` measures one segment.
#[cfg(feature = "count")]
pub(crate) fn measure_with_exceptions(
    src: &[u8],
    scheme: Scheme,
    check: impl Fn(&[u8]) -> Result<(), usize>,
    measure: impl Fn(&[u8]) -> usize,
    measure_by_reference: impl Fn(&[u8]) -> usize,
) -> usize {
    const REFERENCE_SEGMENT_BYTES: usize = 256;
    let (mut offset, mut sum) = (0, 0);
    loop {
        let rest = &src[offset..];
        let Err(known_len) = check(rest) else { return sum + measure(rest) };
        // The check may stop between the two units of a surrogate pair.
        let (well_formed, rest) = rest.split_at(scalar::floor_boundary(scheme, &rest[..known_len]));
        let segment = first_segment(rest, scheme, REFERENCE_SEGMENT_BYTES);
        sum += measure(well_formed) + measure_by_reference(segment);
        offset += well_formed.len() + segment.len();
        if offset == src.len() {
            return sum;
        }
    }
}
