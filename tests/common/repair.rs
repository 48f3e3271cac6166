//! The checks particular to UTF-16: its repair in all forms, and the tests if it fits into Latin-1
//! or ASCII.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use utflane::{Stop, utf16};

use super::api::Api;

/// The unit around an output. It is no surrogate: a repair beyond the end would have to invent this
/// value to go unnoticed.
const CANARY: u16 = 0xC5C5;

/// Units around an output on either side: more than the widest block of any kernel.
const AROUND: usize = 80;

/// `src` with every unpaired surrogate replaced, as the standard library finds them, and their
/// number.
pub fn repaired(src: &[u16]) -> (Vec<u16>, usize) {
    let mut units = Vec::with_capacity(src.len());
    let mut repairs = 0;
    for c in char::decode_utf16(src.iter().copied()) {
        repairs += usize::from(c.is_err());
        units.extend_from_slice(c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf16(&mut [0; 2]));
    }
    (units, repairs)
}

/// Checks the repair of `src`, in every form, and the tests if it fits into Latin-1 or ASCII.
pub fn check_utf16(src: &[u16]) {
    let (want, repairs) = repaired(src);
    let fits = [0xFF, 0x7F].map(|last| src.iter().all(|&unit| unit <= last));
    let mut output = vec![CANARY; src.len() + 2 * AROUND];
    for &api in Api::all() {
        output.fill(CANARY);
        let dst = &mut output[AROUND..][..src.len()];
        dst.copy_from_slice(src);
        let got = match api {
            Api::Free => utf16::make_well_formed(dst),
            Api::On(kernel) => kernel.utf16_make_well_formed(dst),
        };
        assert_eq!(got, repairs, "make_well_formed, {api:?} of {src:04X?}");
        assert_eq!(dst, want, "make_well_formed, {api:?} of {src:04X?}");
        let intact = |output: &[u16], len: usize| {
            output[..AROUND].iter().chain(&output[AROUND + len..]).all(|&unit| unit == CANARY)
        };
        assert!(intact(&output, src.len()), "make_well_formed, {api:?} of {src:04X?}: outside");

        // The other form, without alignment, and with an incomplete unit at the end, as of a
        // surrogate.
        check_bytes(api, src, &want, repairs, (true, 1, Some(0xDC)));

        let owned = match api {
            Api::Free => utf16::to_well_formed(src),
            Api::On(kernel) => kernel.utf16_to_well_formed(src),
        };
        assert_eq!(matches!(owned, Cow::Borrowed(_)), repairs == 0, "{api:?} of {src:04X?}");
        assert_eq!(*owned, want, "to_well_formed, {api:?} of {src:04X?}");

        let got = match api {
            Api::Free => [utf16::fits_latin1(src), utf16::fits_ascii(src)],
            Api::On(kernel) => [kernel.utf16_fits_latin1(src), kernel.utf16_fits_ascii(src)],
        };
        assert_eq!(got, fits, "fits_latin1 and fits_ascii, {api:?} of {src:04X?}");

        let shorter = [1, 2, src.len() / 2].map(|less| src.len().saturating_sub(less));
        for capacity in [src.len() + AROUND / 2, src.len()].into_iter().chain(shorter) {
            output.fill(CANARY);
            check_into(api, src, &want, &mut output[AROUND..][..capacity]);
            assert!(intact(&output, capacity), "well_formed_into, {api:?} of {src:04X?}: outside");
        }
    }
}

/// Repair of `src` as bytes in place: with the high byte first if `big`, so many bytes after an
/// aligned offset, with the byte of an incomplete unit at the end if there is one. `want` is the
/// result.
pub fn check_bytes(
    api: Api,
    src: &[u16],
    want: &[u16],
    repairs: usize,
    (big, offset, half): (bool, usize, Option<u8>),
) {
    let bytes_of = |units: &[u16]| -> Vec<u8> {
        let order = if big { u16::to_be_bytes } else { u16::to_le_bytes };
        units.iter().flat_map(|&unit| order(unit)).chain(half).collect()
    };
    let (text, want) = (bytes_of(src), bytes_of(want));
    let mut output = vec![CANARY as u8; text.len() + 4 * AROUND];
    let start = AROUND + output[AROUND..].as_ptr().align_offset(16) + offset;
    let dst = &mut output[start..][..text.len()];
    dst.copy_from_slice(&text);
    let got = match (api, big) {
        (Api::Free, false) => utf16::make_well_formed_le(dst),
        (Api::Free, true) => utf16::make_well_formed_be(dst),
        (Api::On(kernel), false) => kernel.utf16_make_well_formed_le(dst),
        (Api::On(kernel), true) => kernel.utf16_make_well_formed_be(dst),
    };
    let what = || format!("{api:?}, big {big}, {offset}, {half:?} of {src:04X?}");
    assert_eq!(got, repairs, "{}", what());
    assert_eq!(dst, want, "{}", what());
    let mut outside = output[..start].iter().chain(&output[start + text.len()..]);
    assert!(outside.all(|&byte| byte == CANARY as u8), "{}: outside", what());
}

/// A repaired copy of `src` into `dst`, of any length, in both forms; `want` is the whole of it.
pub fn check_into(api: Api, src: &[u16], want: &[u16], dst: &mut [u16]) {
    // As many units as fit, without splitting a pair.
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
    let what = || format!("{api:?} into {} of {src:04X?}", dst.len());
    assert_eq!((progress.read, progress.written, progress.stop), expected, "{}", what());
    assert_eq!(dst[..len], want[..len], "{}", what());

    let mut output = vec![MaybeUninit::new(CANARY); dst.len()];
    let progress = match api {
        Api::Free => utf16::well_formed_into_uninit(src, &mut output),
        Api::On(kernel) => kernel.utf16_well_formed_into_uninit(src, &mut output),
    };
    assert_eq!((progress.read, progress.written, progress.stop), expected, "{}", what());
    // SAFETY: they were initialised before, and the library writes only values.
    let units = output[..len].iter().map(|unit| unsafe { unit.assume_init() });
    assert!(units.eq(want[..len].iter().copied()), "{}", what());
}
