//! Detection of encodings: texts of every script in every scheme, whole and truncated; guarantees
//! for any bytes; bytes that are not text.

use crate::checks::detect::check_detection;
use crate::common::marks::MARKS;
use crate::common::oracle::{encode, encode_all};
use crate::common::text::{SCRIPTS, chat, page, uniform};
use crate::common::{corpus, sampled, sampled_if_slow, sampling_interval};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane_charset::unicode::{Confidence, Detection, Reason, detect, detect_prefix};

/// Returns generated texts, and real texts if there are any, each with its name.
fn texts() -> Vec<(String, String)> {
    let mut texts = vec![("chat".to_owned(), chat(1, 20_000))];
    for (seed, script) in (0..).zip(SCRIPTS) {
        texts.push((script.name.to_owned(), uniform(script, seed, 20_000)));
        texts.push((format!("{} page", script.name), page(script, seed, 20_000)));
    }
    for (name, bytes) in corpus::files().unwrap_or_default() {
        let text = String::from_utf8(bytes).expect("UTF-8");
        texts.push((name, text.trim_start_matches('\u{FEFF}').to_owned()));
    }
    texts
}

/// The schemes in which these tests encode each text. The other schemes are for callers who know
/// that a text is in one of them.
const DETECTED: &[Scheme] = Scheme::ALL.split_at(7).0;

/// Encodes `text`, without the characters that `scheme` lacks. Returns `None` if the result is
/// ASCII, although `scheme` is UTF-8 or Latin-1.
fn encode_text(scheme: Scheme, text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for c in text.chars() {
        let _ = encode(scheme, c, &mut bytes);
    }
    let ambiguous = matches!(scheme, Scheme::Utf8 | Scheme::Latin1) && bytes.is_ascii();
    (!ambiguous).then_some(bytes)
}

/// Asserts that the detected scheme is `scheme`, for any reason.
fn check_scheme(name: &str, src: &[u8], found: Detection, scheme: Scheme, minimum: Confidence) {
    assert!(
        found.scheme() == Some(scheme) && found.confidence() >= minimum,
        "{name} in {scheme}: {found}: {:02x?}",
        &src[..src.len().min(64)]
    );
}

#[test]
fn texts_of_every_script_in_every_scheme() {
    for (name, text) in texts() {
        for &scheme in sampled_if_slow("schemes", DETECTED.iter()) {
            let Some(src) = encode_text(scheme, &text) else { continue };
            // Latin-1 is the last choice, so it is never certain. If Latin-1 lacks most characters
            // of a text, little of the text is left.
            let (scheme, minimum) = match scheme {
                Scheme::Latin1 if name.starts_with("french") => (scheme, Confidence::Likely),
                Scheme::Latin1 | Scheme::Ascii if src.len() < 200 => continue,
                Scheme::Latin1 => (scheme, Confidence::Guess),
                _ => (scheme, Confidence::Certain),
            };
            let (found, prefix_found) = (detect(&src), detect_prefix(&src));
            check_scheme(&name, &src, found, scheme, minimum);
            let reason = found.reason();
            match scheme {
                Scheme::Utf16Le | Scheme::Utf16Be => assert_eq!(reason, Reason::Utf16, "{name}"),
                Scheme::Utf32Le | Scheme::Utf32Be => assert_eq!(reason, Reason::Utf32, "{name}"),
                _ => {}
            }
            // If the text may continue, no answer is certain.
            check_scheme(&name, &src, prefix_found, scheme, minimum.min(Confidence::Likely));
            assert!(prefix_found.confidence() < Confidence::Certain, "{name}");
        }
    }
}

/// Chinese text in UTF-16 whose first bytes are also well-formed UTF-8.
#[test]
fn utf16_that_begins_like_utf8() {
    let text = "\u{9AD8}\u{7763}\u{6574}\u{5E74}\u{5275}\u{53BB}\u{72B6}\u{6E05}\u{610F}\u{8AAD}\
        \u{91CF}\u{6E08}\u{6700}\u{6BBA}\u{5316}\u{5B9F}\u{7D50}\u{3002}\n\n\u{4FA1}\u{8AB0}";
    let src = encode_text(Scheme::Utf16Le, text).expect("not ASCII");
    check_scheme("Chinese", &src, detect(&src), Scheme::Utf16Le, Confidence::Guess);
}

/// Segments of 32 characters, from all parts of the texts.
#[test]
fn segments_of_32_characters() {
    for (name, text) in texts() {
        let chars: Vec<char> = text.chars().collect();
        for segment in chars.chunks_exact(32).step_by(sampling_interval()) {
            let segment: String = segment.iter().collect();
            for &scheme in DETECTED {
                if !segment.chars().all(|c| encode(scheme, c, &mut Vec::new())) {
                    continue;
                }
                let Some(src) = encode_text(scheme, &segment) else { continue };
                check_scheme(&name, &src, detect(&src), scheme, Confidence::Guess);
            }
        }
    }
}

/// A prefix that ends at any byte is detected like the whole text, if the prefix is long enough.
#[test]
fn prefixes_that_end_anywhere() {
    for (name, text) in texts() {
        for &scheme in DETECTED {
            let Some(src) = encode_text(scheme, &text) else { continue };
            let first_non_ascii = src.iter().position(|&byte| byte >= 0x80);
            let min_len = match (scheme, first_non_ascii) {
                (Scheme::Utf8, Some(offset)) => offset + 1,
                (Scheme::Latin1, Some(offset)) => offset + 60,
                (Scheme::Ascii, _) => 1,
                _ => 32 * scheme.unit_size(),
            };
            let lens = (min_len..src.len().min(min_len + 150)).step_by(sampling_interval());
            for len in lens.chain([1023, 1025]) {
                if len < src.len()
                    && len >= min_len
                    && (scheme != Scheme::Latin1 || name == "french")
                {
                    let found = detect_prefix(&src[..len]);
                    check_scheme(&name, &src, found, scheme, Confidence::Guess);
                }
            }
        }
    }
}

#[test]
fn single_words() {
    // In UTF-16 and UTF-32, words are detected by their zero bytes or control characters.
    let words = [
        "a",
        "Hi",
        "text",
        "12",
        "\r\n",
        "é",
        "größer",
        "naïve café",
        "привет",
        "мир",
        "שלום",
        "سلام",
        "γειά",
    ];
    for word in words {
        for scheme in
            [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be]
        {
            let src = encode_all(scheme, word.chars());
            let scheme =
                if src.is_ascii() && scheme == Scheme::Utf8 { Scheme::Ascii } else { scheme };
            check_scheme(word, &src, detect(&src), scheme, Confidence::Guess);
        }
    }
    // Words in Latin-1 are not detected as any other encoding.
    let words = [
        "é",
        "été",
        "fête",
        "naïf",
        "Noël",
        "garçon",
        "Müller",
        "Größe",
        "Straße",
        "Übermut",
        "smørrebrød",
        "blåbær",
        "señor",
        "mañana",
        "¿Qué?",
        "¡Olé!",
        "não",
        "coração",
        "förste",
        "ÅÄÖ",
        "ÀÉÎÕÜ",
        "20 °C",
        "§ 12",
        "£5",
        "«oui»",
        "½ l",
        "x² + y³",
        "þing",
        "Ðað",
        "ÿ",
        "L'été dernier, à Nîmes",
        "äöüß",
    ];
    for word in words {
        let src = encode_all(Scheme::Latin1, word.chars());
        check_scheme(word, &src, detect(&src), Scheme::Latin1, Confidence::Guess);
    }
    let found = detect(b"Das ist \x84gro\xDF\x93, sagte er: 100 \x80");
    assert_eq!((found.scheme(), found.reason()), (None, Reason::Windows1252));
    assert_eq!((found.closest(), found.name()), (Scheme::Latin1, "windows-1252"));
}

#[test]
fn byte_order_marks() {
    for (name, text) in texts() {
        for &scheme in DETECTED {
            if scheme.byte_order_mark().is_empty() {
                continue;
            }
            let src = encode_all(scheme, "\u{FEFF}".chars().chain(text.chars().take(40)));
            for len in sampled_if_slow("beginnings", scheme.byte_order_mark().len()..src.len()) {
                // So few bytes could also be the beginning of the mark of UTF-32LE.
                let unclear = scheme == Scheme::Utf16Le && len < 4;
                let confidence = if unclear { Confidence::Likely } else { Confidence::Certain };
                let mut found = vec![(detect_prefix(&src[..len]), confidence)];
                if scheme != Scheme::Utf32Le || len % 4 == 0 {
                    // A text that ends inside a character is not well-formed.
                    let ill_formed = scheme.validate(&src[..len]).is_err();
                    let confidence =
                        if ill_formed { Confidence::Likely } else { Confidence::Certain };
                    let whole_found = detect(&src[..len]);
                    assert_eq!(whole_found.confidence(), confidence, "{name}: {whole_found}");
                    found.push((whole_found, confidence));
                }
                for (found, confidence) in found {
                    check_scheme(&name, &src, found, scheme, confidence);
                    assert_eq!(found.reason(), Reason::Mark);
                    assert_eq!(found.mark_len(), scheme.byte_order_mark().len());
                }
            }
        }
    }
    // UTF-16LE that begins with U+0000 is not UTF-32LE if it isn't well-formed UTF-32LE.
    assert_eq!(detect(b"\xFF\xFE\0\0a\0").scheme(), Some(Scheme::Utf16Le));
    assert_eq!(detect(b"\xFF\xFE\0\0a\0b\0").scheme(), Some(Scheme::Utf16Le));
    assert_eq!(detect(b"\xFF\xFE\0\0a\0\0\0").scheme(), Some(Scheme::Utf32Le));
    assert_eq!(detect(b"\xFF\xFE\0\0\xFF").scheme(), Some(Scheme::Utf32Le));
}

#[test]
fn an_empty_text_is_ascii() {
    assert_eq!(detect(b"").to_string(), "ascii (certain): there is nothing to read");
    assert_eq!(detect_prefix(b"").to_string(), "ascii (a guess): there is nothing to read");
}

/// The confidence in ASCII depends on the length of the text, which can exclude other schemes. The
/// confidence in UTF-8 depends on the number of continuation bytes.
#[test]
fn confidence_in_ascii_and_utf8() {
    for len in 1..200 {
        let src = vec![b'a'; len];
        let is_certain = len % 2 == 1 || len >= 64;
        let want = if is_certain { Confidence::Certain } else { Confidence::Likely };
        check_reason(&src, detect(&src), Reason::Ascii, want);
        check_reason(&src, detect_prefix(&src), Reason::Ascii, Confidence::Likely);
    }
    for (text, want) in [
        ("é", Confidence::Likely),
        ("aé é", Confidence::Likely),
        ("€", Confidence::Likely),
        ("é€", Confidence::Certain),
        ("ééé", Confidence::Certain),
        ("😀", Confidence::Certain),
    ] {
        check_reason(text.as_bytes(), detect(text.as_bytes()), Reason::Utf8, want);
    }
    // This text has only the first byte of a character beyond ASCII.
    check_reason(b"abc\xC3", detect_prefix(b"abc\xC3"), Reason::Utf8, Confidence::Guess);
}

/// Asserts the reason and the confidence of a detection.
fn check_reason(src: &[u8], found: Detection, reason: Reason, confidence: Confidence) {
    assert_eq!((found.reason(), found.confidence()), (reason, confidence), "{src:02X?}");
}

/// A text is detected as damaged UTF-8 if it has at least eight characters beyond ASCII for each
/// error, whether each error follows or precedes its characters.
#[test]
fn damaged_utf8_has_eight_characters_for_each_error() {
    for errors in [1, 2, 5, 9, 12, 30] {
        let early = ["é".repeat(8).as_bytes(), b" \xFF "].concat().repeat(errors);
        assert_eq!(detect(&early).reason(), Reason::DamagedUtf8, "{errors}");
        assert_ne!(detect(&early[2..]).reason(), Reason::DamagedUtf8, "{errors}");
        // Here each error precedes its characters.
        let late = [b" \xFF ", "é".repeat(8).as_bytes()].concat().repeat(errors);
        assert_eq!(detect(&late).reason(), Reason::DamagedUtf8, "{errors}");
        let late = &late[..late.len() - 2];
        assert_ne!(detect(late).reason(), Reason::DamagedUtf8, "{errors}");
    }
}

/// From the ninth error on, a text that has had fewer characters beyond ASCII than errors is not
/// detected as UTF-8, whatever follows.
#[test]
fn many_errors_at_the_start() {
    for (chars, errors, is_damaged) in
        [(0, 8, true), (0, 9, false), (8, 9, false), (9, 9, true), (9, 10, false), (10, 10, true)]
    {
        let rest = "é".repeat(8 * errors);
        let src =
            ["é".repeat(chars).as_bytes(), &b" \xFF".repeat(errors), rest.as_bytes()].concat();
        let found = detect(&src);
        assert_eq!(found.reason() == Reason::DamagedUtf8, is_damaged, "{chars} {errors}: {found}");
    }
}

/// A text that is shorter than a code unit is not detected as an encoding with such units, even if
/// more bytes may follow.
#[test]
fn texts_shorter_than_a_unit() {
    for byte in 0..=0xFF {
        for found in [detect(&[byte]), detect_prefix(&[byte])] {
            assert!(found.closest().unit_size() == 1, "{byte:02X}: {found}");
        }
        for src in [&[byte, 0][..], &[0, byte], &[byte, 0, 0], &[0, 0, byte], &[byte, 0x80, 0]] {
            for found in [detect(src), detect_prefix(src)] {
                assert!(found.closest().unit_size() <= 2, "{src:02X?}: {found}");
            }
        }
    }
}

/// Detection looks for the bytes that only windows-1252 has around the offset at which the text
/// stops being UTF-8, however large that offset is.
#[test]
fn windows_1252_after_much_ascii() {
    for len in [60, 500, 1000, 1500, 10_000] {
        let src = [&vec![b'a'; len][..], b" \x93so\x94 \x93so\x94"].concat();
        check_reason(&src, detect(&src), Reason::Windows1252, Confidence::Likely);
    }
}

/// The reasons for Latin-1, and the cases in which it is a guess.
#[test]
fn reasons_for_latin1() {
    use Confidence::{Guess, Likely};
    let text = b"gr\xF6\xDFer und k\xFChler als im S\xFCden von Fran\xE7ois";
    let append = |bytes: &[u8]| [&text[..], bytes].concat();
    for (src, reason, confidence) in [
        (text.to_vec(), Reason::Latin1, Likely),
        (append(b" \x93so\x94"), Reason::Windows1252, Likely),
        (append(b" \x80"), Reason::Windows1252, Likely),
        (append(b" \x9F"), Reason::Windows1252, Likely),
        (append(b" \xA0"), Reason::Latin1, Likely),
        // These bytes are undefined even in windows-1252.
        (append(b" \x81"), Reason::Windows1252, Guess),
        (append(b" \x9D"), Reason::Windows1252, Guess),
        // Control characters: alone, before a byte that is undefined in windows-1252, as less than
        // one byte in sixteen, and as one byte in sixteen.
        (append(b" \x01"), Reason::Latin1, Guess),
        (append(b" \x01\x81"), Reason::Windows1252, Guess),
        (
            [&b"\x01\x02"[..], b"\xE9bcdefghijklmnopqrstuvwxyzabcd\xE9"].concat(),
            Reason::Latin1,
            Guess,
        ),
        (
            [&b"\x01\x02"[..], b"\xE9bcdefghijklmnopqrstuvwxyzabc\xE9"].concat(),
            Reason::Binary,
            Guess,
        ),
    ] {
        check_reason(&src, detect(&src), reason, confidence);
    }
    // A character that only windows-1252 has, far into a long text.
    let late = [&b"f\xFCr ".repeat(400)[..], b"10 \x80 20"].concat();
    check_reason(&late, detect(&late), Reason::Windows1252, Likely);
    // A single word beyond ASCII may be a foreign name in another encoding, so the answer is a
    // guess.
    for (src, confidence) in [
        (&b"gr\xF6\xDFer"[..], Guess),
        (b"gr\xF6\xDFer und kleiner", Guess),
        (b"gr\xF6\xDFer und k\xFChler", Likely),
    ] {
        check_reason(src, detect(src), Reason::Latin1, confidence);
    }
    // Letters beyond ASCII in a row: with six or more, Latin-1 is a guess; with nine or more, the
    // text is in another encoding.
    for (letters, reason, confidence) in [
        (5, Reason::Latin1, Likely),
        (6, Reason::Latin1, Guess),
        (8, Reason::Latin1, Guess),
        (9, Reason::Legacy, Guess),
        (27, Reason::Legacy, Guess),
        (28, Reason::Legacy, Likely),
    ] {
        let src = [&b"k\xFChle "[..], &vec![0xE4; letters], b" und"].concat();
        check_reason(&src, detect(&src), reason, confidence);
    }
}

/// A name, a sentence, and the labels of legacy encodings that can encode the sentence. Generated
/// texts are not used here, because they have characters that hardly ever occur.
const LEGACY: &[(&str, &str, &[&str])] = &[
    (
        "russian",
        "Сегодня с самого утра идёт дождь. Я забыл зонт и полчаса ждал автобус, а он не пришёл.",
        &["koi8-r", "windows-1251", "iso-8859-5", "ibm866"],
    ),
    (
        "japanese",
        "今日は朝から雨が降っています。駅へ行く道で、傘を忘れたことに気がつきました。",
        &["shift_jis", "euc-jp"],
    ),
    ("chinese", "今天早上下雨了，我忘了带伞，在车站等了半个小时，可是车没有来。", &["gb18030"]),
    ("chinese", "今天早上下雨了，我忘了帶傘，在車站等了半個小時，可是車沒有來。", &["big5"]),
    (
        "korean",
        "오늘은 아침부터 비가 내립니다. 역으로 가는 길에 우산을 두고 온 것을 알았습니다.",
        &["euc-kr"],
    ),
    (
        "arabic",
        "المطر ينزل منذ الصباح. نسيت المظلة في البيت وانتظرت الحافلة نصف ساعة فلم تأت.",
        &["windows-1256"],
    ),
    (
        "hebrew",
        "יורד גשם מהבוקר. שכחתי את המטריה בבית וחיכיתי לאוטובוס חצי שעה.",
        &["windows-1255"],
    ),
    ("greek", "Βρέχει από το πρωί. Ξέχασα την ομπρέλα και περίμενα το λεωφορείο.", &["iso-8859-7"]),
    ("thai", "ฝนตกตั้งแต่เช้า ฉันลืมร่มไว้ที่บ้านและรอรถอยู่ครึ่งชั่วโมง", &["windows-874"]),
];

/// Two letters of an alphabet, or one two-byte character, are also a unit of UTF-16. Such a text is
/// not detected as UTF-16, and no answer is certain. From 50 bytes on, it is detected as a legacy
/// encoding, unless a quarter of the bytes or more are ASCII.
#[test]
fn legacy_encodings() {
    let real = corpus::files().unwrap_or_default();
    for &(name, sentence, labels) in LEGACY {
        let mut texts = vec![format!("{sentence}\n").repeat(2000 / sentence.chars().count() + 1)];
        for (_, bytes) in real.iter().filter(|file| file.0.to_lowercase().contains(name)) {
            texts.push(String::from_utf8(bytes.clone()).expect("UTF-8"));
        }
        for (label, text) in labels.iter().flat_map(|label| texts.iter().map(move |t| (label, t))) {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
            // The text with line feeds, which are not likely to form a unit of UTF-16 with a
            // neighbouring byte; without line feeds; and without any ASCII.
            let line = text.replace('\n', " ");
            for text in [text, &line, &line.replace(|c: char| c.is_ascii(), "")] {
                check_legacy(encoding, text);
            }
        }
    }
    let jis = b"\x1B$B%F%9%H\x1B(B";
    check_reason(jis, detect(jis), Reason::Legacy, Confidence::Likely);
    // The escape sequences are found even after much ASCII.
    let late = [&b"plain text\n".repeat(1_000)[..], jis].concat();
    check_reason(&late, detect(&late), Reason::Legacy, Confidence::Likely);
    let colours = b"\x1B[1mplain\x1B[0m text\n".repeat(1_000);
    assert_eq!(detect(&colours).scheme(), Some(Scheme::Ascii));
    assert_eq!(detect(b"\x1B[1mbold\x1B[0m $B").scheme(), Some(Scheme::Ascii));
}

/// Checks the detection of parts of `text` in an encoding from before Unicode.
fn check_legacy(encoding: &'static encoding_rs::Encoding, text: &str) {
    let chars: Vec<char> = text.chars().collect();
    for len in [20, 30, 50, 100, 300, 1000, 2000] {
        for start in (0..chars.len()).step_by(chars.len() / 25 + 1) {
            let mut src = Vec::new();
            for c in &chars[start..] {
                let mut buffer = [0; 4];
                let (bytes, _, lossy) = encoding.encode(c.encode_utf8(&mut buffer));
                if !lossy {
                    src.extend_from_slice(&bytes);
                }
                if src.len() >= len {
                    break;
                }
            }
            if src.is_ascii() {
                continue;
            }
            let non_ascii_bytes = src.iter().filter(|byte| !byte.is_ascii()).count();
            let found = detect(&src);
            let context = format!("{} of {len} bytes: {found}: {src:02X?}", encoding.name());
            assert!(found.closest() == Scheme::Latin1, "{context}");
            assert!(found.confidence() < Confidence::Certain, "{context}");
            if src.len() >= 50 && 4 * non_ascii_bytes > 3 * src.len() {
                assert!(found.reason() == Reason::Legacy, "{context}");
            }
        }
    }
}

/// CESU-8 is detected as CESU-8, and UTF-8 with unpaired surrogates as damaged UTF-8.
#[test]
fn surrogates_in_utf8() {
    let cesu8 = encode_all(Scheme::Cesu8, "Smile \u{1F600}, or don't".chars());
    for found in [detect(&cesu8), detect_prefix(&cesu8)] {
        check_reason(&cesu8, found, Reason::Cesu8, Confidence::Likely);
        assert_eq!(found.to_string(), "cesu-8 (likely): well-formed UTF-8 but for surrogate pairs");
    }
    // With an unpaired surrogate only, the text is not CESU-8.
    for (len, reason) in [(9, Reason::DamagedUtf8), (10, Reason::DamagedUtf8), (12, Reason::Cesu8)]
    {
        assert_eq!(detect_prefix(&cesu8[..len]).reason(), reason, "{len}");
    }
    check_reason(b"aqu\xED\xA0", detect_prefix(b"aqu\xED\xA0"), Reason::Latin1, Confidence::Guess);
    for (name, text) in texts() {
        let src = encode_all(Scheme::Cesu8, text.chars());
        if std::str::from_utf8(&src).is_err() {
            check_scheme(&name, &src, detect(&src), Scheme::Cesu8, Confidence::Likely);
        }
    }
    for (src, confidence) in [
        (&b"na\xC3\xAFve \xED\xA0\x80"[..], Confidence::Likely),
        (b"a \xED\xA0\x80 b \xED\xBF\xBF", Confidence::Likely),
        (b"\xED\xA0\x80", Confidence::Guess),
    ] {
        check_reason(src, detect(src), Reason::DamagedUtf8, confidence);
    }
}

/// A long text with one error is still detected as UTF-8, wherever the error is.
#[test]
fn damaged_utf8() {
    for (name, text) in texts() {
        let Some(src) = encode_text(Scheme::Utf8, &text) else { continue };
        let first_non_ascii = src.iter().position(|byte| !byte.is_ascii()).expect("not ASCII");
        let beyond_ascii = text.chars().filter(|c| !c.is_ascii()).count();
        for offset in [0, first_non_ascii, src.len() / 2, src.len() - 1] {
            let mut src = src.clone();
            src.insert(offset, 0xFF);
            // With few characters beyond ASCII, the text could be in any encoding.
            if beyond_ascii * 20 > src.len() {
                let found = detect(&src);
                check_scheme(&name, &src, found, Scheme::Utf8, Confidence::Likely);
                assert_eq!(found.reason(), Reason::DamagedUtf8);
            }
        }
    }
    assert_eq!(detect("föö\u{FF}".as_bytes()).scheme(), Some(Scheme::Utf8));
    // With an incomplete character at the end, UTF-8 is likely if there is more than one other
    // character beyond ASCII.
    let found = detect(b"f\xC3\xB6\xC3");
    check_reason(b"f\xC3\xB6\xC3", found, Reason::DamagedUtf8, Confidence::Guess);
    let found = detect(b"f\xC3\xB6\xC3\xB6\xE2\x82");
    check_scheme("incomplete", b"", found, Scheme::Utf8, Confidence::Likely);
}

/// Bytes with NULs and other control characters that are not UTF-16.
#[test]
fn lists_and_binary_data() {
    let mut rng = StdRng::seed_from_u64(3);
    for _ in sampled("lists", 0..2000) {
        // Words of at least two letters, each followed by a NUL.
        let mut list = Vec::new();
        for _ in 0..rng.random_range(2..40) {
            for _ in 0..rng.random_range(2..12) {
                list.push(rng.random_range(b'a'..=b'z'));
            }
            list.push(0);
        }
        // If the words are short, at least one byte in sixteen is a NUL, and the list is binary.
        let found = detect(&list);
        let nul_count = list.iter().filter(|&&byte| byte == 0).count();
        let is_binary = 16 * nul_count >= list.len();
        assert_eq!(found.closest(), Scheme::Ascii, "{found}: {list:02X?}");
        assert_eq!(found.scheme().is_none(), is_binary, "{found}: {list:02X?}");
    }
    // Random bytes could by chance have too few control characters, so the random bytes are the
    // same for every sampling interval.
    let mut rng = StdRng::seed_from_u64(4);
    for len in 1..300 {
        let zeros = vec![0; len];
        let found = detect(&zeros);
        assert_eq!((found.closest(), found.reason()), (Scheme::Ascii, Reason::Binary), "{len}");
        assert_eq!((found.scheme(), found.name()), (None, "binary"), "{len}");
        let counter: Vec<u8> = (1..=len as u16).flat_map(u16::to_le_bytes).collect();
        if (9..32).contains(&len) {
            let found = detect(&counter);
            assert_eq!((found.reason(), found.confidence()), (Reason::Binary, Confidence::Guess));
        }
        let random: Vec<u8> = (0..20 * len).map(|_| rng.random()).collect();
        let found = detect(&random);
        if len > 5 {
            // Only `Reason::Binary` can be likely, from 256 bytes on.
            let is_likely = found.reason() == Reason::Binary && random.len() >= 256;
            let want = if is_likely { Confidence::Likely } else { Confidence::Guess };
            assert_eq!(found.confidence(), want, "{len}: {found}");
        }
        if len > 100 {
            check_reason(b"", found, Reason::Binary, Confidence::Likely);
        }
    }
    // This test program, if it can be read.
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    for len in [256, 1000, 4096, 100_000] {
        if let Some(start) = program.get(..len) {
            let found = detect_prefix(start);
            check_reason(b"", found, Reason::Binary, Confidence::Likely);
        }
    }
}

/// Generates characters of every kind, including control characters that texts have.
fn any_char() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => prop::char::range(' ', '~'),
        1 => prop::sample::select(&['\t', '\n', '\r', '\x0C', '\x1B'][..]),
        2 => prop::char::range('\u{7F}', '\u{7FF}'),
        2 => prop::char::range('\u{800}', '\u{FFFF}'),
        1 => prop::char::range('\u{10000}', char::MAX),
    ]
}

/// Returns true if `src` is well-formed in any scheme with units wider than bytes.
fn is_wide(src: &[u8]) -> bool {
    let schemes = [Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];
    schemes.iter().any(|scheme| scheme.validate(src).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases((20_000 / sampling_interval() as u32).max(64))
    })]

    /// Well-formed UTF-8 without control characters is always detected as UTF-8, or ASCII.
    #[test]
    fn never_wrong_on_utf8(text in prop::collection::vec(any_char(), 1..80)) {
        let text: String = text.into_iter().collect();
        prop_assume!(utflane::bom::detect(text.as_bytes()).is_none());
        // This escape sequence switches from ASCII to another encoding.
        prop_assume!(!text.contains("\x1B$"));
        let scheme = if text.is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
        for found in [detect(text.as_bytes()), detect_prefix(text.as_bytes())] {
            prop_assert_eq!(found.scheme(), Some(scheme), "{}", found);
        }
        // A prefix that ends inside a character is also detected as UTF-8 or ASCII.
        let bytes = text.as_bytes();
        for len in 1..bytes.len() {
            let scheme = if bytes[..len].is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
            prop_assert_eq!(detect_prefix(&bytes[..len]).scheme(), Some(scheme));
        }
    }

    /// UTF-8 with control characters is detected as UTF-8 or ASCII too, if it is not well-formed in
    /// any other scheme.
    #[test]
    fn never_wrong_on_text_that_is_only_utf8(
        mut text in prop::collection::vec(any_char(), 1..60),
        controls in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::char::range('\0', '\x1F')),
            1..60,
        ),
    ) {
        for (index, control) in controls {
            text.insert(index.index(text.len() + 1), control);
        }
        let mut text: String = text.into_iter().collect();
        if is_wide(text.as_bytes()) {
            // One more byte makes the last unit incomplete.
            text.push('x');
        }
        let src = text.as_bytes();
        prop_assume!(utflane::bom::detect(src).is_none());
        prop_assert!(!is_wide(src));
        prop_assume!(!text.contains("\x1B$"));
        let scheme = if text.is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
        let found = detect(src);
        // Control characters can form units of UTF-16 by chance.
        prop_assume!(found.mixture().is_none());
        prop_assert_eq!(found.closest(), scheme);
        let is_control = |byte: &&u8| **byte < 0x20 && !b"\t\n\x0C\r\x1B".contains(byte);
        let controls = src.iter().filter(is_control).count();
        // Characters beyond ASCII are evidence of text, so more control characters are allowed.
        let one_in = match text.chars().filter(|c| !c.is_ascii()).count() {
            0 => 16,
            1 => 4,
            _ => 2,
        };
        let is_binary = controls > 0 && controls >= src.len().div_ceil(one_in);
        prop_assert_eq!(found.scheme(), (!is_binary).then_some(scheme), "{}", found);
    }

    /// Checks the guarantees that hold for any bytes.
    #[test]
    fn any_bytes(src in prop::collection::vec(any::<u8>(), 0..40), cut in 0..40_usize) {
        check_detection(&src, cut);
    }

    /// The guarantees also hold after a mark, and after a part of a mark.
    #[test]
    fn marks_before_any_bytes(
        mark in prop::sample::select(&MARKS[..]),
        len in 1..5_usize,
        rest in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let src = [&mark.0[..len.min(mark.0.len())], &rest].concat();
        check_detection(&src, len);
    }
}
