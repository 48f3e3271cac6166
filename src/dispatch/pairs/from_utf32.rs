//! The functions of the [pair table](super::table) that convert from UTF-32LE. For UTF-32BE,
//! [`through`](super::through) swaps the bytes and calls these functions.

use crate::arch::vector::Vector;
use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::count;
use crate::generic::from_utf32::copy::{ABOVE_ASCII, ABOVE_LATIN1, ToBytes, ToUtf32};
use crate::generic::from_utf32::to_utf8::ToUtf8;
use crate::generic::from_utf32::to_utf16::ToUtf16;
use crate::generic::from_utf32::{FromUtf32, singles};
use crate::scalar;
use crate::scalar::code::Encode;
use crate::tables::{BIG, Big, LITTLE, Little};
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf32le_to_utf8 = by_len::<Utf8, _>(src, dst, ToUtf8, kernel, convert);
    fn utf32le_to_utf16le = by_len::<Utf16Le, _>(src, dst, ToUtf16(&LITTLE), kernel, to_utf16);
    fn utf32le_to_utf16be = by_len::<Utf16Be, _>(src, dst, ToUtf16(&BIG), kernel, to_utf16);
    fn utf32le_to_utf32le = by_len::<Utf32Le, _>(src, dst, ToUtf32(Little), kernel, convert);
    fn utf32le_to_utf32be = by_len::<Utf32Be, _>(src, dst, ToUtf32(Big), kernel, convert);
    fn utf32le_to_latin1 = by_len::<Latin1, _>(src, dst, ToBytes(ABOVE_LATIN1), kernel, convert);
    fn utf32le_to_ascii = by_len::<Ascii, _>(src, dst, ToBytes(ABOVE_ASCII), kernel, convert);
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn utf8_len_of_utf32le = dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf32Le::utf8_len(src),
        |V, token| count::utf32::utf8_len::<V>(token, src));
    fn utf16_len_of_utf32le = dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf32Le::utf16_len(src),
        |V, token| count::utf32::utf16_len::<V>(token, src));
}

/// Converts by `convert_long`, or by a separate function for at most 64 and for less than 16 bytes.
/// If each input unit becomes one output unit, the text is first truncated to the capacity.
#[inline(always)]
fn by_len<B: Encode, T: FromUtf32>(
    mut src: &[u8],
    dst: &mut Uninit,
    target: T,
    kernel: Kernel,
    convert_long: impl Fn(&[u8], &mut Uninit, T, Kernel) -> Reach,
) -> Reach {
    if !matches!(B::SCHEME, Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be) {
        let capacity = (dst.len() / B::SCHEME.unit_size()).saturating_mul(4);
        src = &src[..src.len().min(capacity) & !3];
    }
    if src.len() > SHORT_UTF32_MAX_BYTES {
        convert_long(src, dst, target, kernel)
    } else if src.len() >= 16 {
        convert_short(src, dst, target, kernel)
    } else {
        less_than_four::<B>(src, dst)
    }
}

/// The maximum length, in bytes, of a text that is converted by separate functions, with smaller
/// vectors or fewer constants.
const SHORT_UTF32_MAX_BYTES: usize = 64;

/// Converts less than four units, by the scalar reference on every kernel.
#[inline(never)]
fn less_than_four<B: Encode>(src: &[u8], dst: &mut Uninit) -> Reach {
    scalar::transcode::<Utf32Le, B>(src, dst)
}

/// Converts 16 to 64 bytes.
#[inline(never)]
fn convert_short<T: FromUtf32>(src: &[u8], dst: &mut Uninit, target: T, kernel: Kernel) -> Reach {
    if T::NARROW_MAX_BYTES < SHORT_UTF32_MAX_BYTES && src.len() > T::NARROW_MAX_BYTES {
        return dispatch!(kernel,
            scalar => target.convert_by_reference(src, dst),
            |V, token, src, dst| target.convert_short::<V>(token, src, dst));
    }
    dispatch!(kernel.of_16_bytes(),
    scalar => target.convert_by_reference(src, dst),
    |V, token, src, dst| {
        let token = V::token_of_16_bytes(token);
        target.convert_narrow::<<V as Vector>::Vector16>(token, src, dst)
    })
}

/// Converts more than 64 bytes.
#[inline(never)]
fn convert<T: FromUtf32>(src: &[u8], dst: &mut Uninit, target: T, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= T::WIDE_MIN_BYTES,
        scalar => target.convert_by_reference(src, dst),
        |V, token, src, dst| target.convert::<V>(token, src, dst))
}

/// [`convert`] to UTF-16.
#[inline(never)]
fn to_utf16(src: &[u8], dst: &mut Uninit, target: ToUtf16, kernel: Kernel) -> Reach {
    if singles::are_rare(src) {
        return convert(src, dst, target, kernel);
    }
    alternate(src, dst, target, kernel)
}

/// [`to_utf16`] for a long text. This function saves registers, unlike the functions above.
#[inline(never)]
fn alternate(src: &[u8], dst: &mut Uninit, target: ToUtf16, kernel: Kernel) -> Reach {
    let any = |src: &[u8], dst: &mut Uninit| convert(src, dst, target, kernel);
    singles::alternate(src, dst, |src, dst| singles_to_utf16(src, dst, target, kernel), any)
}

/// [`to_utf16`] up to the first step with a character that becomes two units.
#[inline(never)]
fn singles_to_utf16(src: &[u8], dst: &mut Uninit, target: ToUtf16, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= 6 * WIDE_BYTES,
        // On the scalar kernel, `convert` calls the reference for each segment.
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| singles::convert::<V>(target.0, token, src, dst))
}
