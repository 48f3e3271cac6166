//! Checks the differences that docs/migrating.md lists, by running utflane and the other library.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::utf8::{self, Lines};
use utflane::{LineEnds, Metric, Utf8, Utf16, Validator, is_valid};

/// Returns random texts with frequent line ends and characters of all lengths. Every second text
/// also has ill-formed sequences.
fn random_texts() -> impl Iterator<Item = Vec<u8>> {
    let mut rng = StdRng::seed_from_u64(31);
    let parts: [&[u8]; 14] = [
        b"a",
        b"plain text ",
        "é".as_bytes(),
        "語".as_bytes(),
        "😀".as_bytes(),
        b"\n",
        b"\r\n",
        b"\r",
        b"\x80",
        b"\xC3",
        b"\xE2\x82",
        b"\xED\xA0\x80",
        b"\xF0\x9F",
        b"\xFF",
    ];
    (0..20_000).map(move |i| {
        let part_count = if i % 2 == 0 { 8 } else { parts.len() };
        let len = rng.random_range(0..40);
        (0..len).flat_map(|_| parts[rng.random_range(0..part_count)].iter().copied()).collect()
    })
}

#[test]
fn errors_and_messages_are_those_of_simdutf8() {
    for src in random_texts() {
        let ours = utf8::from_utf8(&src);
        let theirs = simdutf8::compat::from_utf8(&src);
        assert_eq!(ours.is_ok(), simdutf8::basic::from_utf8(&src).is_ok());
        assert_eq!(ours.is_ok(), is_valid::<Utf8>(&src));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
            (Err(ours), Err(theirs)) => {
                assert_eq!(ours.valid_up_to(), theirs.valid_up_to());
                assert_eq!(ours.error_len(), theirs.error_len());
                assert_eq!(ours.to_string(), theirs.to_string());
                assert_ne!(format!("{ours:?}"), format!("{theirs:?}"));
                assert_eq!(ours.to_std(&src), std::str::from_utf8(&src).err());
            }
            (ours, theirs) => panic!("utflane {ours:?}, simdutf8 {theirs:?}: {src:02X?}"),
        }
    }
}

/// When a stream has an error, `Validator::push` reports the error and its offset. simdutf8 only
/// reports at the end of the stream that it has an error.
#[test]
#[cfg(target_arch = "x86_64")]
fn push_reports_the_error_of_a_stream() {
    use simdutf8::basic::imp::Utf8Validator;
    use simdutf8::basic::imp::x86::sse42::Utf8ValidatorImp;

    let mut validator = Validator::<Utf8>::new();
    assert_eq!(validator.push(b"caf\xC3"), Ok(()));
    assert_eq!(validator.push(b"!").unwrap_err().offset(), 3);

    if utflane::Kernel::by_name("sse42").is_some() {
        // SAFETY: the `if` checks that the processor has SSE4.2.
        let mut validator = unsafe { Utf8ValidatorImp::new() };
        for chunk in [&b"caf\xC3"[..], b"!"] {
            // SAFETY: the processor has SSE4.2, as above.
            unsafe { validator.update(chunk) };
        }
        // SAFETY: the processor has SSE4.2, as above.
        let verdict = unsafe { validator.finalize() };
        assert!(verdict.is_err());
    }
}

#[test]
fn indices_and_offsets_are_those_of_str_indices() {
    use str_indices::{chars, lines_lf, utf16};
    for src in random_texts() {
        let Ok(text) = std::str::from_utf8(&src) else { continue };
        assert_eq!(utflane::count::<Utf8>(&src), chars::count(text));
        assert_eq!(utflane::len::<Utf8, Utf16>(&src), utf16::count(text));
        assert_eq!(utf8::count_supplementary(&src), utf16::count_surrogates(text));
        let lines = Lines::new(&src, LineEnds::Lf);
        assert_eq!(lines.count() - 1, lines_lf::count_breaks(text));
        for i in (0..src.len() + 2).step_by(3).chain([usize::MAX]) {
            let (offset_inside, end) = (i.min(src.len()), src.len());
            let index = |metric| utf8::index_of(&src, offset_inside, metric);
            let offset = |metric| utf8::offset_of(&src, i, metric).unwrap_or(end);
            assert_eq!(index(Metric::CodePoints), Some(chars::from_byte_idx(text, i)));
            assert_eq!(offset(Metric::CodePoints), chars::to_byte_idx(text, i));
            assert_eq!(index(Metric::Utf16), Some(utf16::from_byte_idx(text, i)));
            assert_eq!(offset(Metric::Utf16), utf16::to_byte_idx(text, i));
            assert_eq!(lines.line_of(offset_inside), Some(lines_lf::from_byte_idx(text, i)));
            let line_start = lines.line_start(i).unwrap_or(end);
            assert_eq!(line_start, lines_lf::to_byte_idx(text, i));
        }
    }
}

#[test]
fn only_a_line_feed_ends_a_line() {
    use str_indices::{lines, lines_crlf, lines_lf};
    let text = "one\rtwo\u{2028}three\r\nfour";
    assert_eq!(Lines::new(text.as_bytes(), LineEnds::Lf).count(), 2);
    assert_eq!(lines_lf::count_breaks(text), 1);
    assert_eq!(lines_crlf::count_breaks(text), 2);
    assert_eq!(lines::count_breaks(text), 3);
}

#[test]
fn texts_and_counts_are_those_of_bstr() {
    use bstr::ByteSlice;
    use utflane::{Repair, Utf32, measure_lossy};
    for src in random_texts() {
        assert_eq!(utf8::from_utf8_lossy(&src), src.to_str_lossy());
        let pairs = utf8::chunks(&src).map(|chunk| (chunk.valid, chunk.invalid));
        assert!(pairs.eq(src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid()))));
        match (utf8::from_utf8(&src), src.to_str()) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours, theirs);
                let offsets = src.char_indices().map(|(start, _, _)| start);
                for (n, offset) in offsets.enumerate() {
                    assert_eq!(utf8::offset_of(&src, n, Metric::CodePoints), Some(offset));
                }
            }
            (Err(ours), Err(theirs)) => {
                assert_eq!(ours.valid_up_to(), theirs.valid_up_to());
                assert_eq!(ours.error_len(), theirs.error_len());
            }
            (ours, theirs) => panic!("utflane {ours:?}, bstr {theirs:?}: {src:02X?}"),
        }
        let count = measure_lossy::<Utf8, Utf32>(&src, Repair::REPLACE).len;
        assert_eq!(count, src.chars().count());
        let line_count = src.lines().count() + usize::from(src.last().is_none_or(|&b| b == b'\n'));
        assert_eq!(Lines::new(&src, LineEnds::Lf).count(), line_count);
    }
}

/// A pair before an unpaired low surrogate stays a pair. widestring replaces its second half.
#[test]
fn a_pair_before_an_unpaired_surrogate_is_kept() {
    let src = [0xD83D, 0xDE00, 0xDC00];
    assert_eq!(*utflane::utf16::to_well_formed(&src), [0xD83D, 0xDE00, 0xFFFD]);
    let theirs = widestring::Utf16String::from_slice_lossy(&src);
    assert_eq!(theirs.as_slice(), [0xD83D, 0xFFFD, 0xFFFD]);
}

/// Returns random units, with pairs and unpaired surrogates.
fn random_units() -> impl Iterator<Item = Vec<u16>> {
    let mut rng = StdRng::seed_from_u64(32);
    (0..20_000).map(move |_| {
        let len = rng.random_range(0..40);
        (0..len)
            .map(|_| match rng.random_range(0..4) {
                0 => rng.random_range(0xD800..0xDC00),
                1 => rng.random_range(0xDC00..0xE000),
                2 => rng.random_range(0..0x80),
                _ => rng.random(),
            })
            .collect()
    })
}

#[test]
fn texts_and_errors_are_those_of_widestring_and_utf16_iter() {
    use utf16_iter::Utf16CharsEx;
    use utflane::{Repair, Utf32, measure_lossy, transcode, transcode_lossy, utf16, validate};
    use widestring::{U16Str, Utf16Str};
    for src in random_units() {
        let text = transcode_lossy::<Utf16, Utf8>(&src, Repair::REPLACE).text;
        assert_eq!(text, U16Str::from_slice(&src).to_string_lossy());
        assert_eq!(text, src.chars().collect::<String>());
        assert!(text.encode_utf16().eq(utf16::to_well_formed(&src).iter().copied()));
        let count = src.chars().count();
        assert_eq!(measure_lossy::<Utf16, Utf32>(&src, Repair::REPLACE).len, count);
        match (validate::<Utf16>(&src), Utf16Str::from_slice(&src)) {
            (Ok(()), Ok(theirs)) => {
                assert_eq!(transcode::<Utf16, Utf8>(&src), Ok(theirs.to_string()));
                assert_eq!(utflane::count::<Utf16>(&src), count);
                for (n, (offset, _)) in src.char_indices().enumerate() {
                    assert_eq!(utf16::offset_of(&src, n), Some(offset));
                }
            }
            (Err(ours), Err(theirs)) => {
                let valid = &src[..ours.valid_up_to()];
                assert_eq!(utflane::count::<Utf16>(valid), theirs.index());
            }
            (ours, theirs) => panic!("utflane {ours:?}, widestring {theirs:?}: {src:04X?}"),
        }
    }
}

#[cfg(feature = "simdutf")]
mod simdutf_crate {
    use super::*;
    use simdutf::ErrorCode;
    use utflane::{
        ErrorKind, Latin1, Repair, Stop, Utf16Be, Utf16Le, Wtf16Be, Wtf16Le, len, transcode,
        transcode_into, transcode_lossy, validate,
    };
    use utflane_charset::{Confidence, detect_text};

    /// At the end of a text, simdutf reports `TOO_SHORT` both for a sequence that more input could
    /// complete and for a sequence that no input can complete.
    #[test]
    fn too_short_does_not_tell_if_a_sequence_is_incomplete() {
        for (src, is_incomplete) in [(&b"\xE2\x82"[..], true), (b"\xC0", false), (b"\xF5", false)] {
            let theirs = simdutf::validate_utf8_with_errors(src);
            assert_eq!((theirs.error, theirs.count), (ErrorCode::TooShort, 0));
            let ours = validate::<Utf8>(src).unwrap_err();
            assert_eq!(ours.kind(), ErrorKind::TooShort);
            assert_eq!((ours.valid_up_to(), ours.is_incomplete()), (0, is_incomplete));
        }
    }

    /// Converts UTF-8 to UTF-16 with simdutf into `dst`, which is large enough. Returns the number
    /// of units written.
    fn convert_with_simdutf(src: &[u8], dst: &mut [u16]) -> usize {
        assert!(dst.len() >= src.len());
        // SAFETY: a byte of UTF-8 becomes at most one unit of UTF-16, and the `assert!` checks that
        // the output has capacity for one unit per byte.
        unsafe { simdutf::convert_utf8_to_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
    }

    #[test]
    fn simdutf_returns_zero_for_an_error_and_for_an_empty_text() {
        let mut dst = [0; 16];
        assert_eq!(
            (convert_with_simdutf(b"", &mut dst), convert_with_simdutf(b"caf\xFF", &mut dst)),
            (0, 0)
        );
        assert_eq!(transcode::<Utf8, Utf16>(b""), Ok(vec![]));
        assert!(transcode::<Utf8, Utf16>(b"caf\xFF").is_err());
        // `read` and `written` count the text before the error or, if the output is too short, the
        // text that fits into it.
        let progress = transcode_into::<Utf8, Utf16>(b"caf\xFF", &mut dst);
        assert_eq!((progress.read, progress.written), (3, 3));
        let progress = transcode_into::<Utf8, Utf16>("a😀".as_bytes(), &mut dst[..2]);
        assert_eq!((progress.read, progress.written, progress.stop), (1, 1, Stop::OutputFull));
    }

    #[test]
    fn conversion_to_latin1_distinguishes_ill_formed_from_unmappable() {
        let mut dst = [0; 16];
        for (src, kind) in [
            (&b"a\xE2A"[..], ErrorKind::TooShort),
            (b"a\xF0\x80\x80\x80", ErrorKind::Overlong),
            ("a€".as_bytes(), ErrorKind::Unmappable),
        ] {
            // SAFETY: the output has capacity for one byte per byte of `src`, which is enough.
            let theirs = unsafe {
                simdutf::convert_utf8_to_latin1_with_errors(
                    src.as_ptr(),
                    src.len(),
                    dst.as_mut_ptr(),
                )
            };
            assert_eq!((theirs.error, theirs.count), (ErrorCode::TooLarge, 1), "{src:02X?}");
            let ours = transcode::<Utf8, Latin1>(src).unwrap_err();
            assert_eq!((ours.kind(), ours.valid_up_to()), (kind, 1), "{src:02X?}");
        }
        let units = [0x61, 0xD800, 0x62];
        // SAFETY: the output has capacity for one byte per unit.
        let theirs = unsafe {
            simdutf::convert_utf16_to_latin1_with_errors(units.as_ptr(), 3, dst.as_mut_ptr())
        };
        assert_eq!((theirs.error, theirs.count), (ErrorCode::TooLarge, 1));
        let ours = transcode::<Utf16, Latin1>(&units).unwrap_err();
        assert_eq!((ours.kind(), ours.valid_up_to()), (ErrorKind::Surrogate, 1));
    }

    #[test]
    fn conversion_between_byte_orders_rejects_unpaired_surrogates() {
        let units = [0x61, 0xD800, 0x62];
        let mut swapped = [0; 3];
        // SAFETY: the output has capacity for the same number of units.
        unsafe { simdutf::change_endianness_utf16(units.as_ptr(), 3, swapped.as_mut_ptr()) };
        assert_eq!(swapped, units.map(u16::swap_bytes));
        let bytes = units.map(u16::to_le_bytes).concat();
        let error = transcode::<Utf16Le, Utf16Be>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.valid_up_to()), (ErrorKind::Surrogate, 2));
        let repaired = transcode_lossy::<Utf16Le, Utf16Be>(&bytes, Repair::REPLACE);
        assert_eq!(repaired.text, b"\0a\xFF\xFD\0b");
        let with_surrogate = transcode::<Wtf16Le, Wtf16Be>(&bytes);
        assert_eq!(with_surrogate.as_deref(), Ok(&b"\0a\xD8\0\0b"[..]));
    }

    #[test]
    fn detection_also_finds_latin1_and_big_endian_utf16() {
        let theirs = |src: &[u8]| simdutf::autodetect_single_encoding(src);
        let latin1 = b"caf\xE9 au lait, th\xE9, g\xE2teaux.";
        let even_len = latin1.len() / 2 * 2;
        assert_eq!(theirs(&latin1[..even_len]), simdutf::Encoding::UTF16_LE);
        assert_eq!(theirs(&latin1[..even_len - 1]), simdutf::Encoding::UNSPECIFIED);
        for src in [&latin1[..even_len], &latin1[..even_len - 1]] {
            assert_eq!(detect_text(src, true).name(), "latin1");
        }
        let big: Vec<u8> = "plain text".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_ne!(theirs(&big), simdutf::Encoding::UTF16_BE);
        let ours = detect_text(&big, true);
        assert_eq!(ours.name(), "utf-16be");
        assert!(ours.confidence != Confidence::Guess);
    }

    /// A UTF-16 text is ASCII if its UTF-8 has as many bytes as the UTF-16 has units.
    #[test]
    fn utf16_is_ascii_if_its_utf8_has_a_byte_per_unit() {
        let all_units: Vec<u16> = (0..=u16::MAX).collect();
        for unit in &all_units {
            let is_ascii = len::<Utf16, Utf8>(std::slice::from_ref(unit)) == 1;
            assert_eq!(is_ascii, *unit < 0x80);
            let bytes = unit.to_be_bytes();
            assert_eq!(len::<Utf16Be, Utf8>(&bytes) == bytes.len() / 2, is_ascii);
        }
    }
}
