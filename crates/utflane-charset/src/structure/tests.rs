//! Tests of the structure of East Asian encodings: literal texts first, then samples of prose.

use super::*;

/// Returns the encoding that is most plausible.
fn best(text: &[u8]) -> Option<Structure> {
    examine(text, None).into_iter().next()
}

/// The same greeting or a few words in each encoding.
#[test]
fn a_few_words_are_recognised() {
    for (text, encoding, characters) in [
        // こんにちは世界
        (&b"\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD\x90\xA2\x8AE"[..], "shift_jis", 7),
        (b"\xA4\xB3\xA4\xF3\xA4\xCB\xA4\xC1\xA4\xCF\xC0\xA4\xB3\xA6", "euc-jp", 7),
        (b"\x1B$B$3$s$K$A$O@$3&\x1B(B", "iso-2022-jp", 7),
        // 안녕하세요, 세계
        (b"\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4, \xBC\xBC\xB0\xE8", "euc-kr", 7),
        (b"\x1B$)C\x0E>H3gGO<<?d\x0F, \x0E<<0h\x0F", "iso-2022-kr", 7),
        (b"\xB4\x65\x91\x77\xD0\x61\xAD\x41\xB6\x61, \xAD\x41\x89\x81", "johab", 7),
        // 你好，世界
        (b"\xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7", "gbk", 5),
        (b"~{Dc:C#,J@=g~}", "hz", 5),
        (b"\x1B$)A\x0EDc:C#,J@=g\x0F", "iso-2022-cn", 5),
        (b"\xA7A\xA6n\xA1A\xA5@\xAC\xC9", "big5", 5),
        (b"\xC9\xA3\xC7\xEF\xA1\xA2\xC5\xE0\xD2\xCC", "euc-tw", 5),
        (b"Gr+APwA3w-e, Stra+AN8-e", "utf-7", 3),
    ] {
        let found = best(text).unwrap_or_else(|| panic!("{encoding}"));
        assert_eq!((found.encoding, found.characters), (encoding, characters), "{found:?}");
        assert_eq!((found.errors, found.valid_up_to, found.is_cut), (0, text.len(), false));
    }
}

/// Texts that must not be taken for one of the encodings of 7 bits.
#[test]
fn ordinary_ascii_is_in_none() {
    for text in [
        &b""[..],
        b"1 + 1 = 2, C++, a+b, x+yz, +491234567, +86 10 1234 5678, me+tag@example.org",
        b"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC+Yk3/0x+Pq8sd9fkLwz+Jt7A== me@example.org",
        b"diff: +all -none +and -or +foo +bar +Alo +AOk",
        b"echo ~{a,b,c} ~ ~~; ~/bin; f(){ g ~{; }",
        b"\x1B[1mbold\x1B[0m and \x1B(0lqqk\x1B(B, \x1B(B\x1B[m",
        b"\x0E\x0F",
    ] {
        assert_eq!(examine(text, None), [], "{}", text.escape_ascii());
    }
}

/// The variants of an encoding that need other decoders have names of their own.
#[test]
fn variants_have_their_own_names() {
    for (text, encoding) in [
        // An ideograph of JIS X 0212, of GB 2312, and of JIS X 0213.
        (&b"\x1B$(D0-\x1B(B \x1B$B$H\x1B(B"[..], "iso-2022-jp-1"),
        (b"\x1B$B8l\x1B$ADc\x1B(B", "iso-2022-jp-2"),
        (b"\x1B$(Q$3$s\x1B(B", "iso-2022-jp-2004"),
        (b"\x1B$(O$3$s\x1B(B", "iso-2022-jp-3"),
        (b"\x1B(I1234\x1B(B", "iso-2022-jp"),
        (b"\x1B$)AEbDc\x0EDc:C\x0F \x1B$*H\x1BN!!", "iso-2022-cn"),
        // 你好 and an emoji.
        (b"\xC4\xE3\xBA\xC3\x94\x39\xFC\x36", "gb18030"),
    ] {
        let found = best(text).unwrap_or_else(|| panic!("{encoding}"));
        assert_eq!((found.encoding, found.errors), (encoding, 0), "{found:?}");
    }
    // A shift to a set that no sequence has selected.
    let shifted = best(b"\x1B$)A\x0EDc:C\x0F \x1BN!!").unwrap();
    assert_eq!((shifted.errors, shifted.valid_up_to), (1, 11), "{shifted:?}");
    // Two languages are no encoding.
    assert_eq!(best(b"\x1B$B$3$s\x1B(B\x1B$)C\x0E>H3g\x0F"), None);
}

/// Errors are counted, and a text with too many is not in the encoding.
#[test]
fn errors_are_counted_and_a_cut_is_none() {
    let greeting = b"\xA4\xB3\xA4\xF3\xA4\xCB\xA4\xC1\xA4\xCF\xC0\xA4\xB3\xA6".repeat(10);
    let euc_jp = |text: &[u8]| {
        examine(text, None).into_iter().find(|structure| structure.encoding == "euc-jp")
    };
    let cut = euc_jp(&greeting[..13]).unwrap();
    assert_eq!((cut.errors, cut.is_cut, cut.valid_up_to, cut.characters), (0, true, 12, 6));
    let with_error = [&greeting[..14], b"\xFFz", &greeting].concat();
    let found = euc_jp(&with_error).unwrap();
    assert_eq!((found.errors, found.valid_up_to, found.characters), (1, 14, 77));
    assert_eq!(euc_jp(&[&b"\xFF \xFF "[..], &greeting].concat()), None);
    // An unassigned cell.
    assert_eq!(euc_jp(b"\xA4\xB3\xA9\xA1").unwrap().errors, 1);
}

/// The cost covers the bytes of characters, and ASCII among them is subtracted from it.
#[test]
fn costs_are_of_the_characters() {
    // ソ is 0x83 0x5C in Shift_JIS.
    let found = best(b"abc \x83\x5C\x83\x5C def").unwrap();
    assert_eq!((found.encoding, found.language), ("shift_jis", Some("ja")));
    assert_eq!((found.characters, found.bytes, found.ascii_bytes), (2, 4, 2));
    assert_eq!(found.net_bits(), i64::from(found.bits) - 8);
    let kana = best(b"\xA4\xB3\xA4\xF3\xA4\xCB\xA4\xC1\xA4\xCF").unwrap();
    assert!((20..50).contains(&kana.bits), "{kana:?}");
    // The same bytes as half-width katakana cost more.
    let narrow = examine(b"\xA4\xB3\xA4\xF3\xA4\xCB\xA4\xC1\xA4\xCF", None);
    let narrow = narrow.iter().find(|structure| structure.encoding == "shift_jis");
    assert!(narrow.is_none_or(|narrow| narrow.net_bits() > 2 * kana.net_bits()), "{narrow:?}");
}

/// Returns `text` in an encoding of the Encoding Standard.
fn encode(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let (bytes, _, has_unmappable) = encoding.encode(text);
    assert!(!has_unmappable, "{text}");
    bytes.into_owned()
}

/// Returns a Korean text in Johab: five bits each for the initial, the vowel and the final.
fn encode_johab(text: &str) -> Vec<u8> {
    const VOWELS: [u16; 21] =
        [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29];
    let encode = |c: char| match c {
        '가'..='힣' => {
            let syllable = c as u16 - '가' as u16;
            let (initial, vowel, end) = (syllable / 588, syllable / 28 % 21, syllable % 28);
            let end = end + if end < 17 { 1 } else { 2 };
            let code = 0x8000 | (initial + 2) << 10 | VOWELS[usize::from(vowel)] << 5 | end;
            code.to_be_bytes().to_vec()
        }
        _ => vec![u8::try_from(c).unwrap()],
    };
    text.chars().flat_map(encode).collect()
}

/// Returns a text in which `shift_out` and `shift_in` are around each run of characters of two
/// bytes, without their high bits.
fn encode_shifted(text: &str, label: &str, [before, shift_out, shift_in]: [&str; 3]) -> Vec<u8> {
    let mut shifted = before.as_bytes().to_vec();
    for run in encode(text, label).chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        let shifts = if run[0].is_ascii() { ["", ""] } else { [shift_out, shift_in] };
        shifted.extend(shifts[0].bytes());
        shifted.extend(run.iter().map(|byte| byte & 0x7F));
        shifted.extend(shifts[1].bytes());
    }
    shifted
}

/// Returns a text in UTF-7.
fn encode_utf_7(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = Vec::new();
    for run in text.chars().collect::<Vec<_>>().chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        if run[0].is_ascii() {
            encoded.extend(run.iter().map(|&c| c as u8));
            continue;
        }
        let run: String = run.iter().collect();
        let bits = run.encode_utf16().flat_map(|unit| (0..16).rev().map(move |i| unit >> i & 1));
        let bits: Vec<u16> = bits.collect();
        encoded.push(b'+');
        for digit in bits.chunks(6) {
            let value = digit.iter().fold(0, |value, bit| value << 1 | bit) << (6 - digit.len());
            encoded.push(DIGITS[usize::from(value)]);
        }
        encoded.push(b'-');
    }
    encoded
}

/// Returns the share of the parts of `text` with `size` bytes, but for a character, whose most
/// plausible encoding is `encoding`.
fn share_of_right(
    text: &str,
    encoding: &str,
    encode: &dyn Fn(&str) -> Vec<u8>,
    size: usize,
) -> f64 {
    let offsets: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
    let (mut parts, mut right) = (0, 0);
    for (i, &start) in offsets.iter().enumerate().step_by(1 + size / 50) {
        let fits = |&end: &usize| encode(&text[start..end]).len() <= size;
        let len = offsets[i..].partition_point(fits);
        let Some(&end) = offsets[i..].get(len) else { break };
        let part = encode(&text[start..end]);
        parts += 1;
        right += usize::from(best(&part).is_some_and(|found| found.encoding == encoding));
    }
    assert!(parts >= 2, "{parts} parts of {size} bytes in {encoding}");
    right as f64 / parts as f64
}

/// All parts of 50 bytes or more are recognised, and at least these shares of those of 8 and 20.
#[test]
fn prose_is_recognised() {
    let hz = ["", "~{", "~}"];
    let [iso_2022_kr, iso_2022_cn] = ["\x1B$)C", "\x1B$)A"].map(|before| [before, "\x0E", "\x0F"]);
    type Encode = Box<dyn Fn(&str) -> Vec<u8>>;
    let by_label = |label: &'static str| -> Encode { Box::new(move |text| encode(text, label)) };
    let shifted = |label: &'static str, shifts: [&'static str; 3]| -> Encode {
        Box::new(move |text| encode_shifted(text, label, shifts))
    };
    let [japanese, korean] = [prose::JAPANESE, prose::KOREAN];
    let [simplified, traditional] = [prose::SIMPLIFIED, prose::TRADITIONAL];
    for (encoding, text, encode, floors) in [
        ("shift_jis", japanese, by_label("shift_jis"), [0.99, 1.0]),
        ("euc-jp", japanese, by_label("euc-jp"), [0.99, 1.0]),
        ("iso-2022-jp", japanese, by_label("iso-2022-jp"), [0.99, 1.0]),
        ("euc-kr", korean, by_label("euc-kr"), [0.99, 1.0]),
        ("johab", korean, Box::new(encode_johab), [0.99, 1.0]),
        ("iso-2022-kr", korean, shifted("euc-kr", iso_2022_kr), [0.99, 1.0]),
        ("gbk", simplified, by_label("gbk"), [0.99, 1.0]),
        ("iso-2022-cn", simplified, shifted("gbk", iso_2022_cn), [0.99, 1.0]),
        ("hz", simplified, shifted("gbk", hz), [0.97, 0.99]),
        ("big5", traditional, by_label("big5"), [0.99, 1.0]),
        ("utf-7", traditional, Box::new(encode_utf_7), [0.0, 1.0]),
        ("utf-7", korean, Box::new(encode_utf_7), [0.0, 1.0]),
    ] {
        for (size, floor) in
            [8, 20, 50, 200, 1000].into_iter().zip(floors.into_iter().chain([1.0; 3]))
        {
            let share = share_of_right(text, encoding, &encode, size);
            assert!(share >= floor, "{encoding}: {share:.4} of {size} bytes");
        }
    }
}

/// Every pair of bytes is a character exactly if it is one in the Encoding Standard, but for these
/// numbers of pairs that are characters only here, or only there.
#[test]
fn pairs_are_those_of_the_encoding_standard() {
    for (encoding, expected) in [
        // Unassigned after 0xFC4B, and private use.
        ("shift_jis", [177, 1870]),
        ("euc-jp", [2, 0]),
        // Unassigned after 0xC652.
        ("euc-kr", [66, 0]),
        // Private use.
        ("gbk", [0, 2021]),
        // Unassigned between characters of Hong Kong, and pictures of control characters.
        ("big5", [217, 33]),
    ] {
        let standard = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap();
        let mut readers = double_byte::ENCODINGS.iter();
        let reader = readers.find(|reader| reader.name() == encoding).unwrap();
        let mut only = [0, 0];
        for first in 0x81..=0xFF_u8 {
            for second in (0x21..=0xFF_u8).filter(|&second| second != 0x80) {
                let pair = [first, second];
                let here = reader.read(&pair).is_some_and(|read| read.errors == 0 && !read.is_cut);
                let there = !standard.decode_without_bom_handling(&pair).1;
                only[0] += u32::from(here && !there);
                only[1] += u32::from(there && !here);
            }
        }
        assert_eq!(only, expected, "{encoding}");
    }
}
