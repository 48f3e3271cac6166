//! Detection of encodings: texts of every script in every scheme, whole and truncated; guarantees
//! for any bytes; bytes that are no text.

use crate::common::detect::{MARKS, check_detection, check_marks};
use crate::common::oracle::{encode, encode_all};
use crate::common::text::{SCRIPTS, chat, page, uniform};
use crate::common::{corpus, costly, share, shared};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane::detect::{Confidence, Detection, Reason, detect, detect_prefix};

/// Generated texts, and real ones where there are any.
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

/// The schemes that are detected. The others are for callers who know that they have them.
const DETECTED: &[Scheme] = Scheme::ALL.split_at(7).0;

/// The text in a scheme; characters that the scheme lacks are omitted. `None` if the rest is
/// another scheme too.
fn encoded(scheme: Scheme, text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for c in text.chars() {
        let _ = encode(scheme, c, &mut bytes);
    }
    let ambiguous = matches!(scheme, Scheme::Utf8 | Scheme::Latin1) && bytes.is_ascii();
    (!ambiguous).then_some(bytes)
}

/// Asserts the detected scheme, for any reason.
fn check(name: &str, src: &[u8], found: Detection, scheme: Scheme, least: Confidence) {
    assert!(
        found.scheme() == Some(scheme) && found.confidence() >= least,
        "{name} in {scheme}: {found}: {:02x?}",
        &src[..src.len().min(64)]
    );
}

#[test]
fn texts_of_every_script_in_every_scheme() {
    for (name, text) in texts() {
        for &scheme in costly("schemes", DETECTED.iter()) {
            let Some(src) = encoded(scheme, &text) else { continue };
            // Latin-1 is the last choice, so it is never certain; where it lacks most characters of
            // a text, little of the text is left.
            let (scheme, least) = match scheme {
                Scheme::Latin1 if name.starts_with("french") => (scheme, Confidence::Likely),
                Scheme::Latin1 | Scheme::Ascii if src.len() < 200 => continue,
                Scheme::Latin1 => (scheme, Confidence::Guess),
                _ => (scheme, Confidence::Certain),
            };
            let (found, of_prefix) = (detect(&src), detect_prefix(&src));
            check(&name, &src, found, scheme, least);
            let reason = found.reason();
            match scheme {
                Scheme::Utf16Le | Scheme::Utf16Be => assert_eq!(reason, Reason::Utf16, "{name}"),
                Scheme::Utf32Le | Scheme::Utf32Be => assert_eq!(reason, Reason::Utf32, "{name}"),
                _ => {}
            }
            // Of a text that continues nothing is certain.
            check(&name, &src, of_prefix, scheme, least.min(Confidence::Likely));
            assert!(of_prefix.confidence() < Confidence::Certain, "{name}");
        }
    }
}

/// Chinese text whose first characters are well-formed UTF-8 too.
#[test]
fn utf16_that_begins_like_utf8() {
    let text = "\u{9AD8}\u{7763}\u{6574}\u{5E74}\u{5275}\u{53BB}\u{72B6}\u{6E05}\u{610F}\u{8AAD}\
        \u{91CF}\u{6E08}\u{6700}\u{6BBA}\u{5316}\u{5B9F}\u{7D50}\u{3002}\n\n\u{4FA1}\u{8AB0}";
    let src = encoded(Scheme::Utf16Le, text).expect("not ASCII");
    check("Chinese", &src, detect(&src), Scheme::Utf16Le, Confidence::Guess);
}

/// Pieces of 32 characters, from every position of the texts.
#[test]
fn short_texts() {
    for (name, text) in texts() {
        let chars: Vec<char> = text.chars().collect();
        for segment in chars.chunks_exact(32).step_by(share()) {
            let segment: String = segment.iter().collect();
            for &scheme in DETECTED {
                if !segment.chars().all(|c| encode(scheme, c, &mut Vec::new())) {
                    continue;
                }
                let Some(src) = encoded(scheme, &segment) else { continue };
                check(&name, &src, detect(&src), scheme, Confidence::Guess);
            }
        }
    }
}

/// A beginning that is truncated anywhere is detected as the whole text is, once it is long enough.
#[test]
fn beginnings_cut_anywhere() {
    for (name, text) in texts() {
        for &scheme in DETECTED {
            let Some(src) = encoded(scheme, &text) else { continue };
            let beyond_ascii = src.iter().position(|&byte| byte >= 0x80);
            let least = match (scheme, beyond_ascii) {
                (Scheme::Utf8, Some(at)) => at + 1,
                (Scheme::Latin1, Some(at)) => at + 60,
                (Scheme::Ascii, _) => 1,
                _ => 32 * scheme.unit_size(),
            };
            for len in (least..src.len().min(least + 150)).step_by(share()).chain([1023, 1025]) {
                if len < src.len() && len >= least && (scheme != Scheme::Latin1 || name == "french")
                {
                    check(&name, &src, detect_prefix(&src[..len]), scheme, Confidence::Guess);
                }
            }
        }
    }
}

#[test]
fn words() {
    // In UTF-16 and UTF-32 they are detected by their zeros, or control characters.
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
            check(word, &src, detect(&src), scheme, Confidence::Guess);
        }
    }
    // In Latin-1 they are not taken for anything else.
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
        check(word, &src, detect(&src), Scheme::Latin1, Confidence::Guess);
    }
    let found = detect(b"Das ist \x84gro\xDF\x93, sagte er: 100 \x80");
    assert_eq!((found.scheme(), found.reason()), (None, Reason::Windows1252));
    assert_eq!((found.closest(), found.name()), (Scheme::Latin1, "windows-1252"));
}

#[test]
fn marks() {
    for (name, text) in texts() {
        for &scheme in DETECTED {
            if scheme.byte_order_mark().is_empty() {
                continue;
            }
            let src = encode_all(scheme, "\u{FEFF}".chars().chain(text.chars().take(100)));
            for len in costly("beginnings", scheme.byte_order_mark().len()..src.len()) {
                // Up to here, this could be the beginning of another mark.
                let open = scheme == Scheme::Utf16Le && len < 4;
                let least = if open { Confidence::Likely } else { Confidence::Certain };
                let mut found = vec![(detect_prefix(&src[..len]), least)];
                if scheme != Scheme::Utf32Le || len % 4 == 0 {
                    // A text that ends within a character is not well-formed.
                    let is_cut = scheme.validate(&src[..len]).is_err();
                    let least = if is_cut { Confidence::Likely } else { Confidence::Certain };
                    let whole = detect(&src[..len]);
                    assert_eq!(whole.confidence(), least, "{name}: {whole}");
                    found.push((whole, least));
                }
                for (found, least) in found {
                    check(&name, &src, found, scheme, least);
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
fn nothing() {
    assert_eq!(detect(b"").to_string(), "ascii (certain): there is nothing to read");
    assert_eq!(detect_prefix(b"").to_string(), "ascii (a guess): there is nothing to read");
}

/// The confidence of an answer: for ASCII by its length, which excludes other schemes; for UTF-8 by
/// its continuation bytes.
#[test]
fn confidence_in_ascii_and_utf8() {
    for len in 1..200 {
        let src = vec![b'a'; len];
        let sure = len % 2 == 1 || len >= 64;
        let want = if sure { Confidence::Certain } else { Confidence::Likely };
        check_found(&src, detect(&src), Reason::Ascii, want);
        check_found(&src, detect_prefix(&src), Reason::Ascii, Confidence::Likely);
    }
    for (text, want) in [
        ("é", Confidence::Likely),
        ("aé é", Confidence::Likely),
        ("€", Confidence::Likely),
        ("é€", Confidence::Certain),
        ("ééé", Confidence::Certain),
        ("😀", Confidence::Certain),
    ] {
        check_found(text.as_bytes(), detect(text.as_bytes()), Reason::Utf8, want);
    }
    // Only the first byte of a character.
    check_found(b"abc\xC3", detect_prefix(b"abc\xC3"), Reason::Utf8, Confidence::Guess);
}

/// Asserts the reason and the confidence of a detection.
fn check_found(src: &[u8], found: Detection, reason: Reason, confidence: Confidence) {
    assert_eq!((found.reason(), found.confidence()), (reason, confidence), "{src:02X?}");
}

/// UTF-8 is damaged if it has eight characters beyond ASCII for each error, whether many errors
/// come first or not.
#[test]
fn eight_characters_for_each_error() {
    for errors in [1, 2, 5, 9, 12, 30] {
        let early = ["é".repeat(8).as_bytes(), b" \xFF "].concat().repeat(errors);
        assert_eq!(detect(&early).reason(), Reason::DamagedUtf8, "{errors}");
        assert_ne!(detect(&early[2..]).reason(), Reason::DamagedUtf8, "{errors}");
        // The errors before the characters.
        let late = [b" \xFF ", "é".repeat(8).as_bytes()].concat().repeat(errors);
        assert_eq!(detect(&late).reason(), Reason::DamagedUtf8, "{errors}");
        let late = &late[..late.len() - 2];
        assert_ne!(detect(late).reason(), Reason::DamagedUtf8, "{errors}");
    }
}

/// From nine errors on, the characters beyond ASCII so far must be as many as the errors, or it is
/// not UTF-8, whatever follows.
#[test]
fn many_errors_early() {
    for (good, bad, is_damaged) in
        [(0, 8, true), (0, 9, false), (8, 9, false), (9, 9, true), (9, 10, false), (10, 10, true)]
    {
        let rest = "é".repeat(8 * bad);
        let src = ["é".repeat(good).as_bytes(), &b" \xFF".repeat(bad), rest.as_bytes()].concat();
        let found = detect(&src);
        assert_eq!(found.reason() == Reason::DamagedUtf8, is_damaged, "{good} {bad}: {found}");
    }
}

/// Bytes shorter than a unit are not detected as such units, though more may follow.
#[test]
fn less_than_a_unit() {
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

/// Bytes that only windows-1252 has are searched for around the position where the text is no
/// longer UTF-8, however far that is.
#[test]
fn reasons_after_much_text() {
    for len in [60, 500, 1000, 1500, 10_000] {
        let src = [&vec![b'a'; len][..], b" \x93so\x94 \x93so\x94"].concat();
        check_found(&src, detect(&src), Reason::Windows1252, Confidence::Likely);
    }
}

/// The reasons for Latin-1, and the cases in which it is a guess.
#[test]
fn reasons_for_latin1() {
    use Confidence::{Guess, Likely};
    let text = b"gr\xF6\xDFer und k\xFChler als im S\xFCden von Fran\xE7ois";
    let with = |bytes: &[u8]| [&text[..], bytes].concat();
    for (src, reason, confidence) in [
        (text.to_vec(), Reason::Latin1, Likely),
        (with(b" \x93so\x94"), Reason::Windows1252, Likely),
        (with(b" \x80"), Reason::Windows1252, Likely),
        (with(b" \x9F"), Reason::Windows1252, Likely),
        (with(b" \xA0"), Reason::Latin1, Likely),
        // Not even in windows-1252.
        (with(b" \x81"), Reason::Windows1252, Guess),
        (with(b" \x9D"), Reason::Windows1252, Guess),
        // Control characters, by themselves and with another unlikely one; and one in sixteen.
        (with(b" \x01"), Reason::Latin1, Guess),
        (with(b" \x01\x81"), Reason::Windows1252, Guess),
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
        check_found(&src, detect(&src), reason, confidence);
    }
    // A sign of windows-1252 anywhere in a long text.
    let far = [&b"f\xFCr ".repeat(400)[..], b"10 \x80 20"].concat();
    check_found(&far, detect(&far), Reason::Windows1252, Likely);
    // One word may be a name from elsewhere.
    for (src, confidence) in [
        (&b"gr\xF6\xDFer"[..], Guess),
        (b"gr\xF6\xDFer und kleiner", Guess),
        (b"gr\xF6\xDFer und k\xFChler", Likely),
    ] {
        check_found(src, detect(src), Reason::Latin1, confidence);
    }
    // Letters beyond ASCII in a row: from the sixth on, Latin-1 is a guess, and from the ninth on,
    // it is another encoding.
    for (letters, reason, confidence) in [
        (5, Reason::Latin1, Likely),
        (6, Reason::Latin1, Guess),
        (8, Reason::Latin1, Guess),
        (9, Reason::Legacy, Guess),
        (27, Reason::Legacy, Guess),
        (28, Reason::Legacy, Likely),
    ] {
        let src = [&b"k\xFChle "[..], &vec![0xE4; letters], b" und"].concat();
        check_found(&src, detect(&src), reason, confidence);
    }
}

/// Texts with the labels of other encodings that have them. The generated texts have characters
/// that hardly ever occur.
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

/// Two letters of an alphabet, or one character of two bytes, also are a unit of UTF-16. Such text
/// is not called UTF-16, nor anything else with certainty; from 50 bytes on it is called what it
/// is, unless most of it is ASCII.
#[test]
fn encodings_from_before_unicode() {
    let real = corpus::files().unwrap_or_default();
    for &(name, sentence, labels) in LEGACY {
        let mut texts = vec![format!("{sentence}\n").repeat(2000 / sentence.chars().count() + 1)];
        for (_, bytes) in real.iter().filter(|file| file.0.to_lowercase().contains(name)) {
            texts.push(String::from_utf8(bytes.clone()).expect("UTF-8"));
        }
        for (label, text) in labels.iter().flat_map(|label| texts.iter().map(move |t| (label, t))) {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
            // With line feeds and without, whose bytes are no unit of UTF-16 with their neighbours;
            // and letters alone.
            let line = text.replace('\n', " ");
            for text in [text, &line, &line.replace(|c: char| c.is_ascii(), "")] {
                check_legacy(encoding, text);
            }
        }
    }
    let jis = b"\x1B$B%F%9%H\x1B(B";
    check_found(jis, detect(jis), Reason::Legacy, Confidence::Likely);
    // However late its escapes come.
    let late = [&b"plain text\n".repeat(1_000)[..], jis].concat();
    check_found(&late, detect(&late), Reason::Legacy, Confidence::Likely);
    let colours = b"\x1B[1mplain\x1B[0m text\n".repeat(1_000);
    assert_eq!(detect(&colours).scheme(), Some(Scheme::Ascii));
    assert_eq!(detect(b"\x1B[1mbold\x1B[0m $B").scheme(), Some(Scheme::Ascii));
}

/// Checks the detection of parts of `text` in an encoding that the library does not have.
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
            let beyond_ascii = src.iter().filter(|byte| !byte.is_ascii()).count();
            let found = detect(&src);
            let context = format!("{} of {len} bytes: {found}: {src:02X?}", encoding.name());
            assert!(found.closest() == Scheme::Latin1, "{context}");
            assert!(found.confidence() < Confidence::Certain, "{context}");
            if src.len() >= 50 && 4 * beyond_ascii > 3 * src.len() {
                assert!(found.reason() == Reason::Legacy, "{context}");
            }
        }
    }
}

/// CESU-8 is named, and UTF-8 with unpaired surrogates is called damaged.
#[test]
fn surrogates_in_utf8() {
    let cesu8 = encode_all(Scheme::Cesu8, "Smile \u{1F600}, or don't".chars());
    for found in [detect(&cesu8), detect_prefix(&cesu8)] {
        check_found(&cesu8, found, Reason::Cesu8, Confidence::Likely);
        assert_eq!(found.to_string(), "cesu-8 (likely): well-formed UTF-8 but for surrogate pairs");
    }
    // An unpaired surrogate is none.
    for (len, reason) in [(9, Reason::DamagedUtf8), (10, Reason::DamagedUtf8), (12, Reason::Cesu8)]
    {
        assert_eq!(detect_prefix(&cesu8[..len]).reason(), reason, "{len}");
    }
    check_found(b"aqu\xED\xA0", detect_prefix(b"aqu\xED\xA0"), Reason::Latin1, Confidence::Guess);
    for (name, text) in texts() {
        let src = encode_all(Scheme::Cesu8, text.chars());
        if std::str::from_utf8(&src).is_err() {
            check(&name, &src, detect(&src), Scheme::Cesu8, Confidence::Likely);
        }
    }
    for (src, confidence) in [
        (&b"na\xC3\xAFve \xED\xA0\x80"[..], Confidence::Likely),
        (b"a \xED\xA0\x80 b \xED\xBF\xBF", Confidence::Likely),
        (b"\xED\xA0\x80", Confidence::Guess),
    ] {
        check_found(src, detect(src), Reason::DamagedUtf8, confidence);
    }
}

/// Long text with few errors is still UTF-8, wherever they are; Latin-1 is not UTF-8 with many
/// errors.
#[test]
fn damaged_utf8() {
    for (name, text) in texts() {
        let Some(src) = encoded(Scheme::Utf8, &text) else { continue };
        let first = src.iter().position(|byte| !byte.is_ascii()).expect("not ASCII");
        let beyond_ascii = text.chars().filter(|c| !c.is_ascii()).count();
        for at in [0, first, src.len() / 2, src.len() - 1] {
            let mut src = src.clone();
            src.insert(at, 0xFF);
            // In segments with few characters beyond ASCII, it could be anything.
            if beyond_ascii * 20 > src.len() {
                let found = detect(&src);
                check(&name, &src, found, Scheme::Utf8, Confidence::Likely);
                assert_eq!(found.reason(), Reason::DamagedUtf8);
            }
        }
    }
    assert_eq!(detect("föö\u{FF}".as_bytes()).scheme(), Some(Scheme::Utf8));
    // Cut at the end: likely, if there is more than one character.
    let found = detect(b"f\xC3\xB6\xC3");
    check_found(b"f\xC3\xB6\xC3", found, Reason::DamagedUtf8, Confidence::Guess);
    check("cut", b"", detect(b"f\xC3\xB6\xC3\xB6\xE2\x82"), Scheme::Utf8, Confidence::Likely);
}

/// Bytes with NULs and other control characters that are no UTF-16.
#[test]
fn lists_and_binary_data() {
    let mut rng = StdRng::seed_from_u64(3);
    for _ in shared("lists", 0..2000) {
        // Names of two letters and more, each followed by a NUL.
        let mut list = Vec::new();
        for _ in 0..rng.random_range(2..40) {
            for _ in 0..rng.random_range(2..12) {
                list.push(rng.random_range(b'a'..=b'z'));
            }
            list.push(0);
        }
        // The NULs of short names are more than one byte in sixteen.
        let found = detect(&list);
        let zeros = list.iter().filter(|&&byte| byte == 0).count();
        let binary = 16 * zeros >= list.len();
        assert_eq!(found.closest(), Scheme::Ascii, "{found}: {list:02X?}");
        assert_eq!(found.scheme().is_none(), binary, "{found}: {list:02X?}");
    }
    // Of random bytes few are control characters by chance, so a share has the same ones.
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
            // Binary is likely from 256 bytes on; nothing else ever is.
            let likely = found.reason() == Reason::Binary && random.len() >= 256;
            let want = if likely { Confidence::Likely } else { Confidence::Guess };
            assert_eq!(found.confidence(), want, "{len}: {found}");
        }
        if len > 100 {
            check_found(b"", found, Reason::Binary, Confidence::Likely);
        }
    }
    // This program, where it can be read.
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    for len in [256, 1000, 4096, 100_000] {
        if let Some(start) = program.get(..len) {
            let found = detect_prefix(start);
            check_found(b"", found, Reason::Binary, Confidence::Likely);
        }
    }
}

/// A character of every kind, control characters included.
fn any_char() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => prop::char::range(' ', '~'),
        1 => prop::sample::select(&['\t', '\n', '\r', '\x0C', '\x1B'][..]),
        2 => prop::char::range('\u{7F}', '\u{7FF}'),
        2 => prop::char::range('\u{800}', '\u{FFFF}'),
        1 => prop::char::range('\u{10000}', char::MAX),
    ]
}

/// Returns true if it is well-formed in any scheme with units wider than bytes.
fn is_wide(src: &[u8]) -> bool {
    let wide = [Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];
    wide.iter().any(|scheme| scheme.validate(src).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases((20_000 / share() as u32).max(64))
    })]

    /// Well-formed UTF-8 without control characters is always detected as UTF-8, or ASCII.
    #[test]
    fn never_wrong_on_utf8(text in prop::collection::vec(any_char(), 1..80)) {
        let text: String = text.into_iter().collect();
        prop_assume!(utflane::bom::detect(text.as_bytes()).is_none());
        // ASCII that switches to another encoding.
        prop_assume!(!text.contains("\x1B$"));
        let scheme = if text.is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
        for found in [detect(text.as_bytes()), detect_prefix(text.as_bytes())] {
            prop_assert_eq!(found.scheme(), Some(scheme), "{}", found);
        }
        // So is a beginning that ends inside a character.
        let bytes = text.as_bytes();
        for len in 1..bytes.len() {
            let scheme = if bytes[..len].is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
            prop_assert_eq!(detect_prefix(&bytes[..len]).scheme(), Some(scheme));
        }
    }

    /// With control characters too, if it is not well-formed in any other scheme.
    #[test]
    fn never_wrong_on_what_is_only_utf8(
        mut text in prop::collection::vec(any_char(), 1..60),
        controls in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::char::range('\0', '\x1F')),
            1..60,
        ),
    ) {
        for (at, control) in controls {
            text.insert(at.index(text.len() + 1), control);
        }
        let mut text: String = text.into_iter().collect();
        if is_wide(text.as_bytes()) {
            // An incomplete unit more.
            text.push('x');
        }
        let src = text.as_bytes();
        prop_assume!(utflane::bom::detect(src).is_none());
        prop_assert!(!is_wide(src));
        prop_assume!(!text.contains("\x1B$"));
        let scheme = if text.is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
        let found = detect(src);
        // Units of UTF-16 by chance, among control characters.
        prop_assume!(found.mixture().is_none());
        prop_assert_eq!(found.closest(), scheme);
        let is_control = |byte: &&u8| **byte < 0x20 && !b"\t\n\x0C\r\x1B".contains(byte);
        let controls = src.iter().filter(is_control).count();
        // Characters beyond ASCII are evidence of text, although there are control characters.
        let share = match text.chars().filter(|c| !c.is_ascii()).count() {
            0 => 16,
            1 => 4,
            _ => 2,
        };
        let binary = controls > 0 && controls >= src.len().div_ceil(share);
        prop_assert_eq!(found.scheme(), (!binary).then_some(scheme), "{}", found);
    }

    /// The guarantees for any bytes.
    #[test]
    fn any_bytes(src in prop::collection::vec(any::<u8>(), 0..40), cut in 0..40_usize) {
        check_detection(&src, cut);
    }

    /// They hold after a mark too, or after half of one.
    #[test]
    fn marks_before_anything(
        mark in prop::sample::select(&MARKS[..]),
        len in 1..5_usize,
        rest in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let src = [&mark.0[..len.min(mark.0.len())], &rest].concat();
        check_marks(&src);
        check_detection(&src, len);
    }
}
