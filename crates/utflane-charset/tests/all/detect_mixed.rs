//! Detection of texts whose parts are in different encodings, of UTF-8 with control characters, and
//! of texts in chunks.

use crate::common::oracle::encode_all;
use utflane::Scheme;
use utflane_charset::unicode::{Confidence, Detection, Detector, Reason, detect};

/// Texts whose parts are in different encodings, with the expected answer, and similar texts that
/// are in one encoding.
#[test]
fn parts_in_different_encodings() {
    for (src, want) in [
        (&b"na\xC3\xAFve\na\0p\0p\0\n\0"[..], "utf-8 up to byte 7, then utf-16le"),
        (b"plain\n\0a\0p\0p\0\xE9\0\n", "utf-8 up to byte 6, then utf-16be"),
        // In Chinese, the change of encoding gains only five bits.
        (
            b"xh\xC3\xA9llo\n\x2D\x4E\x87\x65\x84\x76\x00\x4E\x87\x65\x57\x5B\n\0\
            \x00\x4E\x87\x65\x57\x5B\n\0",
            "utf-8 up to byte 8, then utf-16le",
        ),
        (b"na\xC3\xAFve\n\xFF\xFEa\0p\0p\0\n\0", "utf-8 up to byte 7, then utf-16le"),
        (
            b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0appended, na\xC3\xAFve\n",
            "utf-16le up to byte 14, then utf-8",
        ),
        (b"\0n\0a\0\xEF\0v\0e\0\nappended, na\xC3\xAFve.\n", "utf-16be up to byte 12, then utf-8"),
        (
            b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0\xFE\xFF\0a\0p\0p\0e\0n\0d\0\n",
            "utf-16le up to byte 14, then utf-16be",
        ),
        (b"plain\na\0\0\0p\0\0\0p\0\0\0\n\0\0\0", "utf-8 up to byte 6, then utf-32le"),
        (b"na\xC3\xAFve, na\xEFve\n", "utf-8 up to byte 10, then a legacy encoding"),
        (b"na\xEFve, na\xC3\xAFve\n", "a legacy encoding up to byte 9, then utf-8"),
        (
            b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2!\n\
            \xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82, \xD0\xBC\xD0\xB8\xD1\x80!\n",
            "a legacy encoding up to byte 13, then utf-8",
        ),
        (b"na\xC3\xAFve \x1B$B%F%9%H\x1B(B\n", "utf-8 up to byte 7, then a legacy encoding"),
    ] {
        let found = detect(src);
        // Nine letters of UTF-8 beside another encoding are few.
        let guess = if src.starts_with(b"\xF0\xD2") { " (a guess)" } else { "" };
        assert_eq!(found.to_string(), format!("mixed{guess}: {want}"), "{src:02X?}");
        assert_eq!((found.scheme(), found.reason()), (None, Reason::Mixed));
        assert_eq!(found.confidence() == Confidence::Guess, !guess.is_empty());
    }
    for (src, want) in [
        // A list with separators, and quotation marks next to letters in Latin-1.
        ("größer\0kleiner\0a\0b\0é\0".as_bytes(), "utf-8"),
        (b"\xAB\xA0LIBERT\xC9\xA0\xBB, \xE9t\xE9\xA0\xBB", "latin1"),
        (b"ESSE \xE9 CARA QUEM \xC9\xBF, 5\xD7\xA335", "latin1"),
        // UTF-16 with unpaired surrogates, and with several scripts.
        (b"\xFF\xFEG\0r\0\xF6\0\xDF\0e\0a\0\0\xDC", "utf-16le"),
        (b"\xFF\xFEG\0r\0\xF6\0\xDF\0e\0a\0=\xDC", "utf-16le"),
        (b"\xFF\xFEG\0r\0\xF6\0\xDF\0e\0\x3D\xD8r\0 \0T\0a\0g\0", "utf-16le"),
        (b"\0p\0l\0a\0i\0n\0 \x04\x1F\x04\x40\x04\x38\0\n\x4E\x2D\x65\x87\0\n", "utf-16be"),
    ] {
        assert_eq!(detect(src).name(), want, "{src:02X?}");
    }
}

/// Ordinary UTF-32 is skipped in segments. The end may be anywhere in a segment.
#[test]
fn another_encoding_after_long_utf32() {
    let text: Vec<char> = "größer und länger, жук\n".chars().cycle().take(20_000).collect();
    let appended = "angehängt, жук\n".repeat(3);
    for first in [Scheme::Utf32Le, Scheme::Utf32Be] {
        for len in (990..1060).step_by(3).chain([16_400, 20_000]) {
            let start = encode_all(first, text[..len].iter().copied());
            let other = if first == Scheme::Utf32Le { Scheme::Utf32Be } else { Scheme::Utf32Le };
            for second in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, other] {
                let src = [&start[..], &encode_all(second, appended.chars())].concat();
                let found = detect(&src);
                let mixture = found.mixture().unwrap_or_else(|| panic!("{second}, {len}: {found}"));
                assert_eq!((mixture.first, mixture.second), (Some(first), Some(second)), "{len}");
                assert_eq!(mixture.boundary, start.len() as u64, "{second}");
            }
            assert_eq!(detect(&start).scheme(), Some(first), "{len}");
        }
    }
}

/// UTF-8 with control characters is detected as text: a chat, a protocol, records and a list.
#[test]
fn control_characters_in_utf8() {
    for text in [
        "\x02Grüße\x02 \x0304rot\x03 \x1Fünf\x1F\n",
        "8=FIX.4.2\x0135=D\x0155=Zürich\x0110=12\x01",
        "é\x1Fö\x1Eü\x1Fñ\x1E",
        "für.txt\0größe.txt\0",
    ] {
        let found = detect(text.as_bytes());
        assert_eq!(found.scheme(), Some(Scheme::Utf8), "{text:?}: {found}");
    }
}

/// Text in a single-byte encoding is not detected as UTF-16 with characters that no text has.
#[test]
fn unassigned_characters_exclude_utf16() {
    // This is "Příliš žluťoučký kůň" in windows-1250. Decoded as UTF-16BE, it would have U+ED6C and
    // U+209E.
    let czech = b"P\xF8\xEDli\x9A \x9Elu\x9Dou\xE8k\xFD k\xF9\xF2";
    let found = detect(czech);
    assert_eq!(found.closest(), Scheme::Latin1, "{found}");
    for c in ['\u{209E}', '\u{ED6C}', '\u{FFFE}', '\u{0E3E}', '\u{FDD0}'] {
        let src = encode_all(Scheme::Utf16Be, [c, '中', c]);
        assert_ne!(detect(&src).closest(), Scheme::Utf16Be, "{c:?}");
    }
}

/// A `Detector`, which takes chunks, gives the answer for the whole text, wherever the chunks end.
#[test]
fn chunks_that_end_anywhere() {
    let ascii = "plain ASCII\n".repeat(10_000);
    let coffee = "café".repeat(50_000);
    for (rest, name) in [
        (&b""[..], "ascii"),
        ("café crème".as_bytes(), "utf-8"),
        (b"caf\xE9 cr\xE8me", "latin1"),
        (coffee.as_bytes(), "utf-8"),
        (b"m\0o\0r\0e\0\n\0", "mixed"),
    ] {
        for ascii_len in [0, 1, 1023, 1025, 65_537, ascii.len()] {
            let src = [&ascii.as_bytes()[..ascii_len], rest].concat();
            if name == "mixed" && ascii_len <= 1 {
                continue;
            }
            for chunk_len in [7, 1000, 65_536, usize::MAX] {
                let mut detector = Detector::new();
                src.chunks(chunk_len).for_each(|chunk| detector.push(chunk));
                assert_eq!(detector.len(), src.len() as u64);
                assert_eq!(detector.is_plain(), rest.is_empty());
                assert!(detector.sample().len() <= 66 * 1024);
                let found = detector.detection(true);
                assert_eq!(
                    found,
                    detect(&src),
                    "{name} after {ascii_len}, in {chunk_len}: {found}"
                );
                assert!(
                    src.is_empty() || found.name() == name,
                    "{name} after {ascii_len}: {found}"
                );
                assert!(detector.detection(false).confidence() < Confidence::Certain);
            }
        }
    }
    // Control characters in ASCII, such as terminal escape sequences, do not decide the encoding of
    // the text after them.
    let with_escapes = "\x1B[31mplain\x1B[0m ASCII\n".repeat(10_000);
    for (rest, name, reason) in [
        (&b""[..], "ascii", Reason::Ascii),
        ("café".as_bytes(), "utf-8", Reason::Utf8),
        (b"caf\xE9 cr\xE8me", "utf-8", Reason::DamagedUtf8),
        (b"m\0o\0r\0e\0\n\0", "mixed", Reason::Mixed),
    ] {
        let src = [with_escapes.as_bytes(), rest].concat();
        for chunk_len in [1000, usize::MAX] {
            let mut detector = Detector::new();
            src.chunks(chunk_len).for_each(|chunk| detector.push(chunk));
            let found = detector.detection(true);
            assert_eq!((found.name(), found.reason()), (name, reason), "in {chunk_len}: {found}");
        }
    }
    // The answer takes the end of a long text into account.
    let damaged = [&"é".repeat(100_000).into_bytes()[..], b"\xFF\xFE\x80"].concat();
    let mut detector = Detector::new();
    detector.push(&damaged);
    let found = detector.detection(true);
    assert_eq!((found.reason(), found.confidence()), (Reason::DamagedUtf8, Confidence::Likely));
}

/// The parts of whole texts and of texts in chunks are found, wherever they begin.
#[test]
fn the_boundary_is_found_in_short_and_long_texts() {
    let encode_in = |scheme, text: &str| encode_all(scheme, text.chars());
    let log = "Protokoll für heute\n".repeat(20);
    let long = "größer\n".repeat(30_000);
    for (first, second, want) in [
        (
            b"na\xC3\xAFve\n".to_vec(),
            b"\xFF\xFEa\0p\0p\0e\0n\0d\0\n\0".to_vec(),
            "utf-8 up to byte 7, then utf-16le",
        ),
        (
            log.clone().into_bytes(),
            encode_in(Scheme::Utf16Be, "angehängt\r\n"),
            "utf-8 up to byte 420, then utf-16be",
        ),
        (
            [b"\xFF\xFE", &encode_in(Scheme::Utf16Le, &log)[..]].concat(),
            log.clone().into_bytes(),
            "utf-16le up to byte 802, then utf-8",
        ),
        (
            encode_in(Scheme::Utf16Be, &log),
            log.clone().into_bytes(),
            "utf-16be up to byte 800, then utf-8",
        ),
        // Each part is longer than the sample.
        (
            [b"\xEF\xBB\xBF", long.as_bytes()].concat(),
            encode_in(Scheme::Utf16Le, &long),
            "utf-8 up to byte 270003, then utf-16le",
        ),
        (
            b"gr\xF6\xDFer\n".to_vec(),
            b"na\xC3\xAFve, \xC3\xBCber\n".to_vec(),
            "a legacy encoding up to byte 9, then utf-8",
        ),
    ] {
        let src = [first, second].concat();
        let parts = |found: Detection| found.mixture().map(|mixture| mixture.to_string());
        assert_eq!(parts(detect(&src)).as_deref(), Some(want));
        for chunk_len in [7, 4096] {
            let mut detector = Detector::new();
            src.chunks(chunk_len).for_each(|chunk| detector.push(chunk));
            assert_eq!(parts(detector.detection(true)).as_deref(), Some(want), "in {chunk_len}");
        }
    }
}
