//! Checks the section of docs/migrating.md about `encoding_rs::mem`: each function is compared with
//! its replacement in utflane, and each difference that the page describes is tested.

use encoding_rs::mem;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    Ascii, ErrorKind, Latin1, Repair, Stop, Unmappable, Utf8, Utf16, from_str_into, is_valid,
    transcode, transcode_into, transcode_lossy, transcode_lossy_into, utf8, utf16, validate,
};

use crate::common::sampled;

/// Returns random bytes, from ASCII to mostly ill-formed text.
fn random_bytes(rng: &mut StdRng) -> Vec<u8> {
    let fragments: &[&[u8]] = match rng.random_range(0..4) {
        0 => &[b"a", b"plain text, "],
        1 => &[b"a", "é".as_bytes(), b"text "],
        2 => &[b"a", "é".as_bytes(), "語".as_bytes(), "😀".as_bytes()],
        _ => &[b"a", "語".as_bytes(), b"\xFF", b"\xED\xA0\x80", b"\xF0\x9F\x98", b"\xC3"],
    };
    let count = rng.random_range(0..60);
    (0..count).flat_map(|_| fragments[rng.random_range(0..fragments.len())]).copied().collect()
}

/// Returns random code units, with surrogates or without.
fn random_units(rng: &mut StdRng) -> Vec<u16> {
    let pools: [&[u16]; 4] = [&[0x61], &[0x61, 0xE9], &[0x61, 0x8A9E], &[0x61, 0xD83D, 0xDE00]];
    let (pool, count) = (pools[rng.random_range(0..4)], rng.random_range(0..90));
    (0..count).map(|_| pool[rng.random_range(0..pool.len())]).collect()
}

/// Returns the length of the text before the error, or `len` if there is no error.
fn valid_len(result: Result<(), utflane::Error>, len: usize) -> usize {
    result.map_or_else(|error| error.valid_up_to(), |()| len)
}

#[test]
fn byte_functions_match_encoding_rs() {
    let mut rng = StdRng::seed_from_u64(0x8A9E);
    for _ in sampled("texts", 0..30_000) {
        let src = &random_bytes(&mut rng)[..];
        assert_eq!(is_valid::<Ascii>(src), mem::is_ascii(src));
        assert_eq!(utf8::fits_latin1(src), mem::is_utf8_latin1(src));
        let ascii = valid_len(validate::<Ascii>(src), src.len());
        assert_eq!(ascii, encoding_rs::Encoding::ascii_valid_up_to(src));
        let valid = valid_len(validate::<Utf8>(src), src.len());
        assert_eq!(valid, encoding_rs::Encoding::utf8_valid_up_to(src));
        let progress = transcode_into::<Utf8, Latin1>(src, &mut [0; 1000]);
        assert_eq!(progress.read, mem::utf8_latin1_up_to(src));

        // encoding_rs requires one unit more than the source has bytes.
        let (mut theirs, mut ours) = ([0; 1001], [0; 1000]);
        let written = mem::convert_utf8_to_utf16(src, &mut theirs);
        let progress = transcode_lossy_into::<Utf8, Utf16>(src, Repair::REPLACE, &mut ours);
        assert_eq!(ours[..progress.written], theirs[..written], "{src:02X?}");
        let written = mem::convert_utf8_to_utf16_without_replacement(src, &mut theirs);
        let progress = transcode_into::<Utf8, Utf16>(src, &mut ours);
        let done = (progress.stop == Stop::Done).then_some(progress.written);
        assert_eq!(done, written, "{src:02X?}");
        // utflane also reports the length of the text before the error.
        assert_eq!(progress.read, valid);

        mem::convert_latin1_to_utf16(src, &mut theirs);
        let progress = transcode_into::<Latin1, Utf16>(src, &mut ours);
        assert_eq!(ours[..progress.written], theirs[..src.len()]);
        let decoded = mem::decode_latin1(src);
        assert_eq!(transcode::<Latin1, Utf8>(src).as_deref(), Ok(&*decoded));

        if let Ok(text) = str::from_utf8(src) {
            assert_eq!(utf8::fits_latin1(src), mem::is_str_latin1(text));
            assert_eq!(transcode_into::<Utf8, Latin1>(src, &mut [0; 1000]).read, {
                mem::str_latin1_up_to(text)
            });
            let written = mem::convert_str_to_utf16(text, &mut theirs);
            let progress = from_str_into::<Utf16>(text, &mut ours);
            assert_eq!(ours[..progress.written], theirs[..written]);
            if mem::is_str_latin1(text) {
                let encoded = mem::encode_latin1_lossy(text);
                assert_eq!(transcode::<Utf8, Latin1>(src).as_deref(), Ok(&*encoded));
            }
        }
        let (mut theirs, mut ours) = ([0; 1000], [0; 1000]);
        let copied = mem::copy_ascii_to_ascii(src, &mut theirs);
        let progress = transcode_into::<Ascii, Ascii>(src, &mut ours);
        assert_eq!((progress.read, &ours[..copied]), (copied, &theirs[..copied]));
    }
}

#[test]
fn unit_functions_match_encoding_rs() {
    let mut rng = StdRng::seed_from_u64(0xD83D);
    for _ in sampled("texts", 0..30_000) {
        let src = &random_units(&mut rng)[..];
        assert_eq!(utf16::fits_ascii(src), mem::is_basic_latin(src));
        assert_eq!(utf16::fits_latin1(src), mem::is_utf16_latin1(src));
        assert_eq!(valid_len(validate::<Utf16>(src), src.len()), mem::utf16_valid_up_to(src));

        let (mut theirs, mut ours) = (src.to_vec(), src.to_vec());
        mem::ensure_utf16_validity(&mut theirs);
        let repairs = utf16::make_well_formed(&mut ours);
        assert_eq!(ours, theirs);
        assert_eq!(repairs == 0, ours == src);

        let (mut theirs, mut ours) = ([0xAA; 300], [0xAA; 300]);
        let written = mem::convert_utf16_to_utf8(src, &mut theirs);
        let progress = transcode_lossy_into::<Utf16, Utf8>(src, Repair::REPLACE, &mut ours);
        assert_eq!(ours[..progress.written], theirs[..written], "{src:04X?}");
        // `convert_utf16_to_utf8_partial` accepts an output of any size and writes as many whole
        // characters as fit, as utflane does. It does not modify the bytes after them; in utflane,
        // these bytes are unspecified.
        let capacity = rng.random_range(0..=written);
        let mut theirs = [0xAA; 300];
        let partial = mem::convert_utf16_to_utf8_partial(src, &mut theirs[..capacity]);
        let progress =
            transcode_lossy_into::<Utf16, Utf8>(src, Repair::REPLACE, &mut ours[..capacity]);
        assert_eq!((progress.read, progress.written), partial, "{capacity}, {src:04X?}");
        assert!(theirs[partial.1..].iter().all(|&byte| byte == 0xAA));

        let mut theirs = [0; 300];
        let copied = mem::copy_basic_latin_to_ascii(src, &mut theirs);
        let progress = transcode_into::<Utf16, Ascii>(src, &mut ours);
        assert_eq!((progress.read, &ours[..copied]), (copied, &theirs[..copied]));
        if utf16::fits_latin1(src) {
            mem::convert_utf16_to_latin1_lossy(src, &mut theirs);
            assert_eq!(transcode::<Utf16, Latin1>(src).as_deref(), Ok(&theirs[..src.len()]));
        }
    }
}

/// If an output is too small, encoding_rs panics, and utflane fills the output.
#[cfg(panic = "unwind")]
#[test]
fn outputs_may_have_any_size() {
    use std::panic::catch_unwind;

    for capacity in 0..=3 {
        assert!(
            catch_unwind(|| mem::convert_utf8_to_utf16(b"abc", &mut vec![0; capacity])).is_err()
        );
    }
    assert!(catch_unwind(|| mem::convert_str_to_utf16("abc", &mut [0; 2])).is_err());
    assert!(catch_unwind(|| mem::convert_utf16_to_utf8(&[0x61; 3], &mut [0; 8])).is_err());
    assert!(catch_unwind(|| mem::convert_latin1_to_utf8(b"abc", &mut [0; 5])).is_err());
    let mut dst = [0; 2];
    let progress = transcode_into::<Utf8, Utf16>(b"abc", &mut dst);
    assert_eq!((progress.read, progress.stop, dst), (2, Stop::OutputFull, [0x61, 0x62]));
}

/// For characters beyond Latin-1, encoding_rs panics if debug assertions are enabled; otherwise its
/// result is unspecified. utflane returns an error, or writes the replacement that the caller
/// chooses.
#[test]
fn characters_beyond_latin1_have_a_defined_result() {
    let text = "5 €";
    #[cfg(all(panic = "unwind", debug_assertions))]
    assert!(std::panic::catch_unwind(|| mem::encode_latin1_lossy(text)).is_err());
    let error = transcode::<Utf8, Latin1>(text.as_bytes()).unwrap_err();
    assert_eq!((error.kind(), error.valid_up_to()), (ErrorKind::Unmappable, 2));
    let repaired = transcode_lossy::<Utf8, Latin1>(text.as_bytes(), Repair::REPLACE);
    assert_eq!((&repaired.text[..], repaired.repairs), (&b"5 ?"[..], 1));
    let skip = Repair::REPLACE.on_unmappable(Unmappable::Skip);
    assert_eq!(transcode_lossy::<Utf8, Latin1>(text.as_bytes(), skip).text, b"5 ");
}
