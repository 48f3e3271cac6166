//! Checks of the operations that only UTF-16 has: all functions that repair it, and the functions
//! that test whether it fits into Latin-1 or ASCII.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use utflane::{Stop, utf16};

use super::api::Api;

/// The value of the units around an output. It is not a surrogate and not U+FFFD, so a repair that
/// writes outside the output changes it and is noticed.
const CANARY: u16 = 0xC5C5;

/// The number of canary units on each side of an output: more than the largest block of any kernel.
const CANARIES: usize = 80;

/// Returns a copy of `src` in which the standard library has replaced each unpaired surrogate, and
/// the number of replacements.
pub fn repaired(src: &[u16]) -> (Vec<u16>, usize) {
    let mut units = Vec::with_capacity(src.len());
    let mut repairs = 0;
    for c in char::decode_utf16(src.iter().copied()) {
        repairs += usize::from(c.is_err());
        units.extend_from_slice(c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf16(&mut [0; 2]));
    }
    (units, repairs)
}

/// Checks every function that repairs `src`, and the functions that test whether it fits into
/// Latin-1 or ASCII.
pub fn check_utf16(src: &[u16]) {
    let (want, repairs) = repaired(src);
    let fits = [0xFF, 0x7F].map(|last| src.iter().all(|&unit| unit <= last));
    let owned = utf16::to_well_formed(src);
    assert_eq!(matches!(owned, Cow::Borrowed(_)), repairs == 0, "{src:04X?}");
    assert_eq!(*owned, want, "to_well_formed of {src:04X?}");
    let mut output = vec![CANARY; src.len() + 2 * CANARIES];
    for &api in Api::all() {
        output.fill(CANARY);
        let dst = &mut output[CANARIES..][..src.len()];
        dst.copy_from_slice(src);
        let got = match api {
            Api::Free => utf16::make_well_formed(dst),
            Api::On(kernel) => kernel.utf16_make_well_formed(dst),
        };
        assert_eq!(got, repairs, "make_well_formed, {api:?} of {src:04X?}");
        assert_eq!(dst, want, "make_well_formed, {api:?} of {src:04X?}");
        let is_intact = |output: &[u16], len: usize| {
            output[..CANARIES].iter().chain(&output[CANARIES + len..]).all(|&unit| unit == CANARY)
        };
        assert!(
            is_intact(&output, src.len()),
            "make_well_formed, {api:?} of {src:04X?}: wrote outside"
        );

        // The functions for bytes, at an unaligned address, and with an incomplete unit at the end:
        // one byte that could be half of a surrogate.
        check_bytes(api, src, &want, repairs, (true, 1, Some(0xDC)));

        let got = match api {
            Api::Free => [utf16::fits_latin1(src), utf16::fits_ascii(src)],
            Api::On(kernel) => [kernel.utf16_fits_latin1(src), kernel.utf16_fits_ascii(src)],
        };
        assert_eq!(got, fits, "fits_latin1 and fits_ascii, {api:?} of {src:04X?}");

        let shorter = [1, 2, src.len() / 2].map(|less| src.len().saturating_sub(less));
        for capacity in [src.len() + CANARIES / 2, src.len()].into_iter().chain(shorter) {
            output.fill(CANARY);
            check_into(api, src, &want, &mut output[CANARIES..][..capacity]);
            assert!(
                is_intact(&output, capacity),
                "well_formed_into, {api:?} of {src:04X?}: wrote outside"
            );
        }
    }
}

/// Checks the functions that repair UTF-16 bytes in place. The bytes of `src` are big-endian if
/// `big`, they begin `offset` bytes after an aligned address, and they end with `half`, one byte of
/// an incomplete unit, if it is given. `want` is the expected result.
pub fn check_bytes(
    api: Api,
    src: &[u16],
    want: &[u16],
    repairs: usize,
    (big, offset, half): (bool, usize, Option<u8>),
) {
    let bytes_of = |units: &[u16]| -> Vec<u8> {
        let to_bytes = if big { u16::to_be_bytes } else { u16::to_le_bytes };
        units.iter().flat_map(|&unit| to_bytes(unit)).chain(half).collect()
    };
    let (text, want) = (bytes_of(src), bytes_of(want));
    let mut output = vec![CANARY as u8; text.len() + 4 * CANARIES];
    let start = CANARIES + output[CANARIES..].as_ptr().align_offset(16) + offset;
    let dst = &mut output[start..][..text.len()];
    dst.copy_from_slice(&text);
    let got = match (api, big) {
        (Api::Free, false) => utf16::make_well_formed_le(dst),
        (Api::Free, true) => utf16::make_well_formed_be(dst),
        (Api::On(kernel), false) => kernel.utf16_make_well_formed_le(dst),
        (Api::On(kernel), true) => kernel.utf16_make_well_formed_be(dst),
    };
    let context = || format!("{api:?}, big {big}, {offset}, {half:?} of {src:04X?}");
    assert_eq!(got, repairs, "{}", context());
    assert_eq!(dst, want, "{}", context());
    let mut outside = output[..start].iter().chain(&output[start + text.len()..]);
    assert!(outside.all(|&byte| byte == CANARY as u8), "{}: wrote outside", context());
}

/// Checks the two functions that write a repaired copy of `src` into an output as long as `dst`.
/// `want` is the whole repaired text.
pub fn check_into(api: Api, src: &[u16], want: &[u16], dst: &mut [u16]) {
    // The functions write as many units as fit, without splitting a surrogate pair.
    let mut len = src.len().min(dst.len());
    if len < src.len() && len > 0 && (0xD800..0xDC00).contains(&want[len - 1]) {
        len -= 1;
    }
    let stop = if len == src.len() { Stop::Done } else { Stop::OutputFull };
    let progress = match api {
        Api::Free => utf16::well_formed_into(src, dst),
        Api::On(kernel) => kernel.utf16_well_formed_into(src, dst),
    };
    let expected = (len, len, stop);
    let context = || format!("{api:?} into {} of {src:04X?}", dst.len());
    assert_eq!((progress.read, progress.written, progress.stop), expected, "{}", context());
    assert_eq!(dst[..len], want[..len], "{}", context());

    let mut output = vec![MaybeUninit::new(CANARY); dst.len()];
    let progress = match api {
        Api::Free => utf16::well_formed_into(src, &mut output[..]),
        Api::On(kernel) => kernel.utf16_well_formed_into(src, &mut output[..]),
    };
    assert_eq!((progress.read, progress.written, progress.stop), expected, "{}", context());
    // SAFETY: the units were initialised before the call, and the library writes only initialised
    // units.
    let units = output[..len].iter().map(|unit| unsafe { unit.assume_init() });
    assert!(units.eq(want[..len].iter().copied()), "{}", context());
}
