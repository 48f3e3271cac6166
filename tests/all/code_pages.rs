//! Code pages: their tables, and their conversions on every kernel.

use std::time::Instant;

use encoding_rs::Encoding as Standard;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::code_page::{
    CP037, CP437, CP864, CP875, CP1047, CodePage, IBM866, ISO_8859_1, ISO_8859_3, KOI8_R,
    MACINTOSH, TIS_620, WINDOWS_1251, WINDOWS_1252, WINDOWS_1252_STRICT, WINDOWS_1255, X_MAC_GREEK,
};
use utflane::{
    ByteTranscoder, Cesu8, ErrorKind, IllFormed, Kernel, Policy, Repair, Scheme, Stop, Unicode,
    Unmappable, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Wtf16,
};

use crate::common::{sampled, sampled_if_slow};

/// Pages of every kind: ASCII and not, with and without unassigned bytes, of one and of many
/// windows.
const PAGES: [&CodePage; 10] = [
    &WINDOWS_1251,
    &WINDOWS_1252,
    &WINDOWS_1255,
    &ISO_8859_3,
    &KOI8_R,
    &CP437,
    &CP864,
    &X_MAC_GREEK,
    &CP037,
    &CP875,
];

#[test]
fn known_texts() {
    for (page, bytes, text) in [
        (&WINDOWS_1251, &b"\xCF\xF0\xE8\xE2\xE5\xF2, \x96"[..], "Привет, –"),
        (&WINDOWS_1252, b"5 \x80 \x93caf\xE9\x94", "5 € “café”"),
        (&KOI8_R, b"\xF0\xD2\xC9\xD7\xC5\xD4 \x80", "Привет ─"),
        (&IBM866, b"\x8F\xE0\xA8\xA2\xA5\xE2 \xC9", "Привет ╔"),
        (&CP437, b"\xE3 \xF7 3 \xDB", "π ≈ 3 █"),
        (&MACINTOSH, b"d\x8Ej\x88 \xDE\xF0", "déjà ﬁ\u{F8FF}"),
        (&CP037, b"\xC8\x85\x93\x93\x96\x6B\x40\xF1", "Hello, 1"),
        (&CP1047, b"\xAD\x81\xBD\x15", "[a]\u{85}"),
        (&CP864, b"\x25\xC7", "٪ﺍ"),
        (&TIS_620, b"\xA1\xD2", "กา"),
        (&WINDOWS_1255, b"\xE9\xC7\xCD", "יַֽ"),
    ] {
        assert_eq!(page.decode::<Utf8>(bytes).as_deref(), Ok(text), "{page}");
        assert_eq!(page.encode_str(text).as_deref(), Ok(bytes), "{page}");
    }
}

#[test]
fn labels_name_one_page_each() {
    for (label, name) in [
        ("windows-1251", "windows-1251"),
        ("CP1251", "windows-1251"),
        ("x-cp1251", "windows-1251"),
        ("IBM 037", "cp037"),
        ("cp37", "cp037"),
        ("ebcdic-cp-us", "cp037"),
        ("437", "cp437"),
        ("ISO_8859-1:1987", "iso-8859-1"),
        ("latin9", "iso-8859-15"),
        ("koi8-r", "koi8-r"),
        ("mac-cyrillic", "x-mac-cyrillic"),
        ("csISOLatinHebrew", "iso-8859-8"),
        ("cp28592", "iso-8859-2"),
        ("cp20866", "koi8-r"),
        ("cp20273", "cp273"),
        ("windows-1251-strict", "windows-1251-strict"),
        ("cp1047_lf", "cp1047-lf"),
    ] {
        assert_eq!(CodePage::by_label(label).map(CodePage::name), Some(name), "{label}");
    }
    for label in ["", "utf-8", "cp", "windows-1259", "windows-1251-strict-strict"] {
        assert!(CodePage::by_label(label).is_none(), "{label}");
    }
    assert!(CodePage::by_label(&"x".repeat(10_000)).is_none());
    let mut all: Vec<_> = CodePage::all().flat_map(CodePage::labels).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "a label of two pages");
    for page in CodePage::all() {
        assert_eq!(CodePage::by_label(page.name()), Some(page));
        assert!(page.labels().iter().all(|label| CodePage::by_label(label) == Some(page)));
    }
}

#[test]
fn the_documentation_lists_every_page_and_its_labels() {
    let documentation = include_str!("../../docs/code-pages.md");
    let (_, documentation) = documentation.split_once("## All pages").expect("the tables");
    for page in CodePage::all() {
        let is_variant = ["-strict", "-lf"].iter().any(|suffix| page.name().ends_with(suffix));
        let start = format!("| {} | ", page.name());
        let rows = documentation.lines().filter(|line| line.starts_with(&start));
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows.len(), usize::from(!is_variant), "{page}");
        for label in page.labels().iter().skip(1) {
            assert!(rows.iter().all(|row| row.contains(&format!("`{label}`"))), "{page}: {label}");
        }
    }
}

#[test]
fn user_defined_bytes_are_private_characters() {
    let page = CodePage::by_label("x-user-defined").unwrap();
    for byte in 0..=255_u8 {
        let expected = if byte < 0x80 { u32::from(byte) } else { 0xF700 + u32::from(byte) };
        assert_eq!(page.character(byte).map(u32::from), Some(expected));
    }
}

/// Every byte and every character of the pages of the Encoding Standard, by encoding_rs.
#[test]
fn the_pages_of_the_encoding_standard_are_exact() {
    let pages: Vec<_> = CodePage::all().filter(|page| page.is_in_encoding_standard()).collect();
    assert_eq!(pages.len(), 28);
    for page in sampled_if_slow("pages of the standard", pages.into_iter()) {
        let standard = Standard::for_label_no_replacement(page.name().as_bytes()).expect("a name");
        assert_eq!(standard.name().to_ascii_lowercase(), page.name());
        for byte in 0..=255 {
            let bytes = [byte];
            let (text, failed) = standard.decode_without_bom_handling(&bytes);
            let expected = if failed { None } else { text.chars().next() };
            assert_eq!(page.character(byte), expected, "{page} {byte:#04X}");
        }
        for c in '\0'..='\u{FFFF}' {
            let text = c.to_string();
            let (bytes, _, failed) = standard.encode(&text);
            let expected = if failed { None } else { bytes.first().copied() };
            assert_eq!(page.byte(c), expected, "{page} {c:?}");
        }
    }
}

#[test]
fn bytes_and_characters_are_inverse() {
    for page in sampled_if_slow("pages", CodePage::all()) {
        let mut bytes = 0;
        for c in '\0'..='\u{FFFF}' {
            if let Some(byte) = page.byte(c) {
                assert_eq!(page.character(byte), Some(c), "{page}");
                bytes += 1;
            }
        }
        assert_eq!(bytes, (0..=255).filter(|&byte| page.character(byte).is_some()).count());
        let mut supplementary = sampled_if_slow("characters", '\u{10000}'..=char::MAX);
        assert!(supplementary.all(|c| page.byte(c).is_none()), "{page}");
        let ascii = (0..0x80).all(|byte| page.character(byte) == Some(char::from(byte)));
        assert_eq!(page.is_ascii_compatible(), ascii, "{page}");
        assert!(page.byte('?').is_some(), "{page}");
    }
}

#[test]
fn variants() {
    let strict: Vec<_> = CodePage::all().filter_map(CodePage::strict).collect();
    assert_eq!(strict.len(), 9);
    for page in strict {
        let base = CodePage::by_label(page.name().strip_suffix("-strict").unwrap()).unwrap();
        for byte in 0..=255 {
            match (base.character(byte), page.character(byte)) {
                (Some(c), None) => assert_eq!(u32::from(c), byte.into()),
                (one, other) => assert_eq!(one, other),
            }
        }
        assert!(!page.is_in_encoding_standard());
    }
    for base in CodePage::all().filter(|page| page.group() == "EBCDIC") {
        let Some(page) = base.with_line_feeds() else {
            assert!(base.name().ends_with("-lf"));
            continue;
        };
        assert_eq!((base.character(0x15), base.character(0x25)), (Some('\u{85}'), Some('\n')));
        assert_eq!((page.character(0x15), page.character(0x25)), (Some('\n'), Some('\u{85}')));
        assert_eq!(page.encode_str("a\n").unwrap()[1], 0x15);
    }
    assert!(KOI8_R.strict().is_none() && KOI8_R.with_line_feeds().is_none());
}

/// Bytes that are mostly assigned: runs of ASCII, of letters, and of any bytes.
fn sample(page: &CodePage, len: usize, random: &mut StdRng, with_unassigned: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(len);
    while bytes.len() < len {
        let (low, high) = [(0x20, 0x7E), (0xC0, 0xFF), (0, 0xFF)][random.random_range(0..3)];
        for _ in 0..random.random_range(1..40) {
            let byte = random.random_range(low..=high);
            if with_unassigned || page.character(byte).is_some() {
                bytes.push(byte);
            }
        }
    }
    bytes.truncate(len);
    bytes
}

/// Returns the characters of `bytes` before the first unassigned byte.
fn characters(page: &CodePage, bytes: &[u8]) -> Vec<char> {
    bytes.iter().map_while(|&byte| page.character(byte)).collect()
}

/// A Unicode encoding, in which a character is a number of units.
trait Units: Unicode {
    fn units(c: char) -> Vec<Self::Unit>;
}

macro_rules! units {
    ($($encoding:ident $unit:ty, |$c:ident| $units:expr;)*) => {$(
        impl Units for $encoding {
            fn units($c: char) -> Vec<$unit> {
                $units
            }
        }
    )*};
}

units! {
    Utf8 u8, |c| c.to_string().into_bytes();
    Cesu8 u8, |c| c.to_string().into_bytes();
    Utf16 u16, |c| vec![c as u16];
    Wtf16 u16, |c| vec![c as u16];
    Utf16Le u8, |c| (c as u16).to_le_bytes().to_vec();
    Utf16Be u8, |c| (c as u16).to_be_bytes().to_vec();
    Utf32 u32, |c| vec![c.into()];
    Utf32Be u8, |c| u32::from(c).to_be_bytes().to_vec();
}

/// Checks the conversions of `bytes` into an encoding, and of the result back, at a capacity.
fn check_pair<E: Units>(page: &CodePage, bytes: &[u8], capacity: usize) {
    let characters = characters(page, bytes);
    // Decode.
    let mut expected = Vec::new();
    let mut read = 0;
    for &c in &characters {
        let units = E::units(c);
        if expected.len() + units.len() > capacity {
            break;
        }
        expected.extend(units);
        read += 1;
    }
    let mut dst = vec![E::Unit::default(); capacity];
    let progress = page.decode_into::<E>(bytes, &mut dst);
    assert_eq!((progress.read, &dst[..progress.written]), (read, &expected[..]), "{page}");
    match progress.stop {
        Stop::Done => assert_eq!(read, bytes.len()),
        Stop::OutputFull => assert!(read < characters.len()),
        Stop::Error(error) => {
            assert_eq!((error.valid_up_to(), error.error_len()), (characters.len(), Some(1)));
            assert_eq!((read, error.kind()), (characters.len(), ErrorKind::Unassigned));
        }
    }
    // Encode.
    let text: Vec<_> = characters.iter().flat_map(|&c| E::units(c)).collect();
    let mut dst = vec![0; capacity];
    let progress = page.encode_into::<E>(&text, &mut dst);
    let written = characters.len().min(capacity);
    assert_eq!(&dst[..progress.written], &bytes[..written], "{page}");
    let read: usize = characters[..written].iter().map(|&c| E::units(c).len()).sum();
    assert_eq!(progress.read, read);
    assert_eq!(progress.stop == Stop::Done, written == characters.len());
    // Owned, and lengths.
    let assigned = &bytes[..characters.len()];
    let decoded = page.decode::<E>(assigned).expect("all bytes are assigned");
    assert_eq!(decoded.as_ref(), &text[..]);
    assert_eq!(page.decoded_len::<E>(assigned), text.len());
    let repaired = page.decode_lossy::<E>(bytes, Repair::REPLACE);
    assert_eq!(page.decoded_len::<E>(bytes), repaired.text.as_ref().len());
    assert_eq!(page.encode::<E>(&text).as_deref(), Ok(assigned));
}

/// [`check_pair`] for all encodings.
fn check(page: &CodePage, bytes: &[u8], capacity: usize) {
    check_pair::<Utf8>(page, bytes, capacity);
    check_pair::<Utf16>(page, bytes, capacity);
    check_pair::<Utf16Le>(page, bytes, capacity);
    check_pair::<Utf16Be>(page, bytes, capacity);
    check_pair::<Utf32>(page, bytes, capacity);
    check_pair::<Utf32Be>(page, bytes, capacity);
    check_pair::<Cesu8>(page, bytes, capacity);
    check_pair::<Wtf16>(page, bytes, capacity);
    let first = bytes.iter().position(|&byte| page.character(byte).is_none());
    assert_eq!(page.validate(bytes).err().map(|error| error.valid_up_to()), first);
}

/// Returns the pages on every kernel.
fn on_every_kernel(pages: &[&'static CodePage]) -> impl Iterator<Item = CodePage> {
    pages.iter().flat_map(|page| Kernel::available().map(|kernel| page.with_kernel(kernel)))
}

#[test]
fn every_length_and_capacity() {
    let sets = (0..200).flat_map(|len| [0, 1, 2, 3].map(|part| (len, part)));
    for (len, part) in sampled("code page lengths", sets) {
        let mut random = StdRng::seed_from_u64(len as u64);
        for page in on_every_kernel(&PAGES) {
            let bytes = sample(&page, len, &mut random, part == 1);
            let capacity = [3 * len, 4 * len, len, random.random_range(0..=2 * len)][part];
            check(&page, &bytes, capacity);
        }
    }
}

#[test]
fn longer_than_a_segment() {
    let mut random = StdRng::seed_from_u64(1);
    for page in sampled_if_slow("pages", on_every_kernel(&PAGES)) {
        for len in [511, 512, 513, 1500, 5000] {
            let bytes = sample(&page, len, &mut random, false);
            check(&page, &bytes, 4 * len);
            check(&page, &bytes, len + len / 2);
        }
    }
}

#[test]
fn every_page_on_every_kernel() {
    let mut random = StdRng::seed_from_u64(2);
    for page in sampled_if_slow("pages on kernels", CodePage::all()) {
        for kernel in Kernel::available() {
            let page = page.with_kernel(kernel);
            let all: Vec<_> = (0..=255).filter(|&byte| page.character(byte).is_some()).collect();
            check(&page, &all, 4 * all.len());
            let bytes = sample(&page, 300, &mut random, true);
            check(&page, &bytes, 1200);
        }
    }
}

/// An unassigned byte or an unmappable character at every offset of a vector.
#[test]
fn errors_at_every_offset() {
    for page in on_every_kernel(&[&WINDOWS_1255, &ISO_8859_3, &CP875]) {
        let unassigned = (0..=255).find(|&byte| page.character(byte).is_none()).expect("one");
        let letter = page.byte('a').expect("ASCII");
        let far = (0..=255).find(|&byte| page.character(byte) > Some('\u{100}')).expect("one");
        for filler in [letter, far] {
            for at in sampled_if_slow("offsets", 0..150) {
                let mut bytes = vec![filler; 150];
                bytes[at] = unassigned;
                check(&page, &bytes, 600);
                // The same place in text: characters that the page lacks, and surrogates.
                let c = page.character(filler).expect("assigned");
                for wrong in [0x600, 0x4E00, 0xD800, 0xDC00, 0x7F0] {
                    let mut units = vec![c as u16; 150];
                    units[at] = wrong;
                    let error = page.encode::<Utf16>(&units).expect_err("an error");
                    let kind = match wrong {
                        0xD800 | 0xDC00 => ErrorKind::Surrogate,
                        _ => ErrorKind::Unmappable,
                    };
                    assert_eq!((error.valid_up_to(), error.kind()), (at, kind), "{page}");
                    let error = page.encode::<Wtf16>(&units).expect_err("an error");
                    assert_eq!((error.valid_up_to(), error.kind()), (at, kind), "{page}");
                }
            }
        }
    }
}

/// Pages that are like Latin-1 convert text without other characters by its conversions.
#[test]
fn one_character_beyond_latin1() {
    for page in on_every_kernel(&[&WINDOWS_1252, &WINDOWS_1252_STRICT, &ISO_8859_1]) {
        for filler in [b'a', 0xA0] {
            for at in sampled_if_slow("offsets", 0..200) {
                let mut bytes = vec![filler; 200];
                for other in sampled_if_slow("other bytes", [0x80, 0x9F].into_iter()) {
                    bytes[at] = other;
                    check(&page, &bytes, 800);
                }
                let mut text = vec![u16::from(filler); 200];
                for other in ['\u{80}', '\u{81}', '\u{9F}', '€'] {
                    text[at] = other as u16;
                    let expected = page.byte(other).ok_or(at);
                    let encoded = page.encode::<Utf16>(&text);
                    let encoded = encoded.map(|bytes| bytes[at]).map_err(|e| e.valid_up_to());
                    assert_eq!(encoded, expected, "{page}");
                }
            }
        }
    }
}

/// A conversion begins anew after each repair, and must not read the whole rest.
#[test]
fn many_repairs_take_linear_time() {
    let time = |count| {
        let text = "é\u{80}".repeat(count);
        let encode = |_| {
            let start = Instant::now();
            let repaired = WINDOWS_1252.encode_lossy::<Utf8>(text.as_bytes(), Repair::REPLACE);
            assert_eq!(repaired.repairs, count);
            start.elapsed()
        };
        (0..5).map(encode).min().expect("five times")
    };
    // Another program may disturb a measurement. Quadratic time would be 64 times as long.
    assert!((0..5).any(|_| time(80_000) < 30 * time(10_000)));
}

#[test]
fn ill_formed_text_is_an_exact_error() {
    for (text, at, len, kind) in [
        (&b"ab\xFF"[..], 2, Some(1), ErrorKind::InvalidLeadByte),
        (b"\xD0\x94\xD0", 2, None, ErrorKind::TooShort),
        (b"\xD0\x94\xF0\x9F\x98\x80", 2, Some(4), ErrorKind::Unmappable),
        (b"\xED\xA0\x80", 0, Some(1), ErrorKind::Surrogate),
    ] {
        let error = WINDOWS_1251.encode::<Utf8>(text).expect_err("an error");
        assert_eq!((error.valid_up_to(), error.error_len(), error.kind()), (at, len, kind));
        let mut out = b"x".to_vec();
        assert_eq!(WINDOWS_1251.encode_append::<Utf8>(text, &mut out), Err(error));
        assert_eq!(out.len(), 1 + String::from_utf8_lossy(&text[..at]).chars().count());
    }
}

#[test]
fn repairs() {
    let decode = |ill_formed| {
        let repair = Repair::REPLACE.on_ill_formed(ill_formed);
        let repaired = WINDOWS_1255.decode_lossy::<Utf8>(b"a\xD9\xDA\xE0\xFF", repair);
        (repaired.text, repaired.repairs)
    };
    assert_eq!(decode(IllFormed::REPLACE), ("a\u{FFFD}\u{FFFD}א\u{FFFD}".into(), 3));
    assert_eq!(decode(IllFormed::Skip), ("aא".into(), 3));
    assert_eq!(decode(IllFormed::Replace('_')), ("a__א_".into(), 3));
    assert_eq!(decode(IllFormed::Latin1), ("aÙÚאÿ".into(), 3));
    assert_eq!(decode(IllFormed::ReplaceRuns), ("a\u{FFFD}א\u{FFFD}".into(), 2));

    let encode = |repair: Repair| {
        let repaired = CP037.encode_lossy::<Utf8>("é\u{1F600}".as_bytes(), repair);
        (CP037.decode::<Utf8>(&repaired.text).unwrap(), repaired.repairs)
    };
    assert_eq!(encode(Repair::REPLACE), ("é?".into(), 1));
    assert_eq!(encode(Repair::SKIP), ("é".into(), 1));
    let references = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    assert_eq!(encode(references), ("é&#128512;".into(), 1));
    assert_eq!(encode(Repair::REPLACE.on_unmappable(Unmappable::Replace('ü'))), ("éü".into(), 1));
    assert_eq!(encode(Repair::REPLACE.on_unmappable(Unmappable::Replace('€'))), ("é?".into(), 1));

    let repaired = WINDOWS_1252.encode_lossy::<Utf8>(b"a\xE9\xFFb", Repair::REPLACE);
    assert_eq!((&repaired.text[..], repaired.repairs), (&b"a??b"[..], 2));
    let latin1 = Repair::REPLACE.on_ill_formed(IllFormed::Latin1);
    let repaired = WINDOWS_1252.encode_lossy::<Utf8>(b"a\xE9\xFFb", latin1);
    assert_eq!((&repaired.text[..], repaired.repairs), (&b"a\xE9\xFFb"[..], 2));
    let mut out = Vec::new();
    assert_eq!(WINDOWS_1252.encode_lossy_append::<Utf16>(&[0xD800], Repair::REPLACE, &mut out), 1);
    assert_eq!(out, b"?");
}

/// An output that is full, before text in which the last of six bytes may be incomplete. It was an
/// endless loop; the fuzz target found it.
#[test]
fn surrogate_pairs_after_a_full_output() {
    let pairs = b"\xED\xA0\x80\xED\xB0\x80".repeat(20);
    for page in on_every_kernel(&PAGES) {
        let progress = page.encode_into::<Cesu8>(&pairs, &mut [0; 0]);
        assert_eq!((progress.read, progress.written), (0, 0));
        let Stop::Error(error) = progress.stop else { panic!("no error") };
        assert_eq!((error.kind(), error.error_len()), (ErrorKind::Unmappable, Some(6)));
        let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
        let repaired = page.encode_lossy::<Cesu8>(&pairs, repair);
        assert_eq!((repaired.text.len(), repaired.repairs), (20 * "&#65536;".len(), 20));
    }
}

/// Repairs into every capacity do the same as into enough.
#[test]
fn repairs_in_small_outputs() {
    let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    let text = "aé\u{1F600}π€".as_bytes();
    let whole = WINDOWS_1252.encode_lossy::<Utf8>(text, repair);
    for capacity in 10..40 {
        let (mut out, mut read, mut repairs) = (Vec::new(), 0, 0);
        while read < text.len() {
            let mut dst = vec![0; capacity];
            let progress = WINDOWS_1252.encode_lossy_into::<Utf8>(&text[read..], repair, &mut dst);
            assert!(progress.written > 0);
            read += progress.read;
            repairs += progress.repairs;
            out.extend(&dst[..progress.written]);
        }
        assert_eq!((out, repairs), (whole.text.clone(), whole.repairs));
    }
    let mut dst = [0; 3];
    let progress = WINDOWS_1255.decode_lossy_into::<Utf8>(b"\xFF\xFFa", Repair::REPLACE, &mut dst);
    assert_eq!((progress.read, progress.written, progress.repairs), (1, 3, 1));
}

/// Converts a stream in chunks of `size` bytes into an output of `capacity` bytes.
pub(crate) fn stream(
    mut transcoder: ByteTranscoder,
    text: &[u8],
    size: usize,
    capacity: usize,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut dst = vec![0; capacity];
    for mut chunk in text.chunks(size) {
        while !chunk.is_empty() {
            let progress = transcoder.push(chunk, &mut dst);
            out.extend(&dst[..progress.written]);
            chunk = &chunk[progress.read..];
            assert!(!matches!(progress.stop, Stop::Error(_)));
        }
    }
    loop {
        let progress = transcoder.finish(&mut dst);
        out.extend(&dst[..progress.written]);
        if progress.stop != Stop::OutputFull {
            return out;
        }
    }
}

#[test]
fn streams_may_be_cut_anywhere() {
    let mut random = StdRng::seed_from_u64(3);
    for page in on_every_kernel(&PAGES) {
        let bytes = sample(&page, 200, &mut random, true);
        for scheme in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le] {
            let whole = match scheme {
                Scheme::Utf8 => page.decode_lossy::<Utf8>(&bytes, Repair::REPLACE).text.into(),
                Scheme::Utf16Le => page.decode_lossy::<Utf16Le>(&bytes, Repair::REPLACE).text,
                Scheme::Utf16Be => page.decode_lossy::<Utf16Be>(&bytes, Repair::REPLACE).text,
                _ => page.decode_lossy::<utflane::Utf32Le>(&bytes, Repair::REPLACE).text,
            };
            for size in [1, 2, 3, 7, 64, 200] {
                let decoder = ByteTranscoder::decoding(&page, scheme).with_policy(Repair::REPLACE);
                assert_eq!(stream(decoder, &bytes, size, 16), whole, "{page} {scheme}");
                let encoder = ByteTranscoder::encoding(scheme, &page).with_policy(Repair::REPLACE);
                let expected = bytes.iter().map(|&byte| match page.character(byte) {
                    Some(_) => byte,
                    None => page.byte('?').expect("ASCII"),
                });
                let expected: Vec<_> = expected.collect();
                assert_eq!(stream(encoder, &whole, size, 5), expected, "{page} {scheme}");
            }
        }
    }
}

#[test]
fn errors_of_streams() {
    let mut dst = [0; 16];
    let mut decoder = ByteTranscoder::decoding(&WINDOWS_1255, Scheme::Utf8);
    assert_eq!(decoder.push(b"ab", &mut dst).stop, Stop::Done);
    let progress = decoder.push(b"c\xFFd", &mut dst);
    let Stop::Error(error) = progress.stop else { panic!("no error") };
    assert_eq!((error.offset(), error.read(), progress.read, progress.written), (3, 2, 2, 1));
    assert_eq!(error.kind(), ErrorKind::Unassigned);
    assert_eq!(decoder.push(b"d", &mut dst).written, 1);

    let mut encoder = ByteTranscoder::encoding(Scheme::Utf8, &WINDOWS_1251);
    assert_eq!(encoder.push(b"a\xE2\x82", &mut dst).written, 1);
    assert_eq!(encoder.push(b"\xAC", &mut dst).written, 1);
    assert_eq!(dst[0], 0x88);
    let Stop::Error(error) = encoder.push("π".as_bytes(), &mut dst).stop else { panic!() };
    assert_eq!((error.offset(), error.kind()), (4, ErrorKind::Unmappable));
    assert_eq!(encoder.push(b"\xD0", &mut dst).stop, Stop::Done);
    let Stop::Error(error) = encoder.finish(&mut dst).stop else { panic!("no error") };
    assert!(error.is_incomplete());

    let stop_at_unmappable = Policy::STOP.on_ill_formed(IllFormed::REPLACE);
    let encoder = ByteTranscoder::encoding(Scheme::Utf8, &WINDOWS_1251);
    let mut encoder = encoder.with_policy(stop_at_unmappable);
    let progress = encoder.push("\u{FFFD}".as_bytes(), &mut dst);
    assert!(matches!(progress.stop, Stop::Error(_)));
    assert_eq!((encoder.push(b"\xFFa", &mut dst).written, encoder.repairs()), (2, 1));
}

#[test]
#[should_panic(expected = "Unicode encodings only")]
fn a_page_is_not_converted_to_latin1() {
    let _ = ByteTranscoder::decoding(&CP437, Scheme::Latin1);
}

/// Inputs and outputs next to inaccessible pages.
#[cfg(unix)]
#[test]
fn conversions_stay_inside() {
    use crate::common::guard::Guarded;

    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    let mut random = StdRng::seed_from_u64(4);
    for page in on_every_kernel(&PAGES) {
        for len in sampled_if_slow("lengths", (0..200).step_by(3)) {
            let bytes = sample(&page, len, &mut random, len % 5 == 0);
            let text = page.decode_lossy::<Utf8>(&bytes, Repair::REPLACE).text;
            let needed = text.len();
            for capacity in [needed, needed / 2, needed + 40] {
                let src = input.last(bytes.len());
                src.copy_from_slice(&bytes);
                let _ = page.decode_into::<Utf8>(src, output.last(capacity));
                let _ = page.decode_into::<Utf16Le>(src, output.last(2 * capacity));
                let _ = page.decode_into::<Utf8>(src, output.first(capacity));
                let _ = page.decode_lossy_into::<Utf8>(src, Repair::REPLACE, output.last(capacity));
                let _ = page.validate(src);
                let src = input.last(text.len());
                src.copy_from_slice(text.as_bytes());
                let _ = page.encode_into::<Utf8>(src, output.last(capacity / 2));
                let _ = page.encode_into::<Utf8>(src, output.first(capacity));
                let units: Vec<_> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let src = input.last(units.len());
                src.copy_from_slice(&units);
                let _ = page.encode_into::<Utf16Le>(src, output.last(capacity / 2));
                let _ = page.encode_into::<Utf16Le>(src, output.last(capacity));
            }
        }
    }
}

/// What is reported as written is initialised, and the output is not read.
#[test]
fn outputs_are_initialised() {
    use crate::common::outputs::{Output, check_output};

    let mut random = StdRng::seed_from_u64(5);
    for page in on_every_kernel(&PAGES) {
        for len in (0..200).step_by(7) {
            let bytes = sample(&page, len, &mut random, len % 2 == 0);
            let text = page.decode_lossy::<Utf8>(&bytes, Repair::REPLACE).text;
            for capacity in [text.len() / 2, text.len(), text.len() + 130] {
                check_output(page, Output::Uninitialised, capacity, |dst| {
                    page.decode_into::<Utf8>(&bytes, dst).written
                });
                check_output(page, Output::Uninitialised, 2 * capacity, |dst| {
                    page.decode_into::<Utf16Le>(&bytes, dst).written
                });
                check_output(page, Output::Uninitialised, capacity, |dst| {
                    page.encode_into::<Utf8>(text.as_bytes(), dst).written
                });
            }
        }
    }
}

/// The section of docs/migrating.md about code pages, compared with encoding_rs.
#[test]
fn encoding_rs_has_the_same_lossy_texts() {
    assert_eq!(CP437.decode::<Utf8>(b"\xFB\xAC").as_deref(), Ok("√¼"));
    assert_eq!(CP437.encode_str("π≈3").as_deref(), Ok(&b"\xE3\xF73"[..]));
    assert_eq!(CP437.encode_str("5 €").unwrap_err().valid_up_to(), 2);
    let references = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    assert_eq!(CP437.encode_lossy::<Utf8>("5 €".as_bytes(), references).text, b"5 &#8364;");

    let text: String = ('\0'..='\u{2FFF}').chain(['\u{FB01}', '\u{1F600}', char::MAX]).collect();
    let bytes: Vec<u8> = (0..=255).collect();
    for page in CodePage::all().filter(|page| page.is_in_encoding_standard()) {
        let standard = Standard::for_label(page.name().as_bytes()).expect("a name");
        let decoded = page.decode_lossy::<Utf8>(&bytes, Repair::REPLACE);
        assert_eq!(decoded.text, standard.decode_without_bom_handling(&bytes).0, "{page}");
        let encoded = page.encode_lossy::<Utf8>(text.as_bytes(), references);
        assert_eq!(encoded.text, *standard.encode(&text).0, "{page}");
    }
}
