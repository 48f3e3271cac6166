//! Tests files whose parts are in different encodings, for example because one file was appended to
//! another. No such file may be decoded from a single encoding without an error.

use encoding_rs::Encoding;
use utflane::Scheme;
use utflane_charset::{
    Charset, Confidence, Detector, Found, Legacy, LegacyDecoder, Sink, detect_text,
};

/// Encodings from before Unicode, each with lines in a language that is written in it.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("windows-1252", &["angehängt und schön\n", "Protokoll für heute\n", "Grüße aus München\n"]),
    ("windows-1252", &["L’été dernier à Nîmes\n", "élève déjà vu, garçon\n"]),
    ("windows-1250", &["Příliš žluťoučký kůň úpěl\n", "Zapomněl jsem deštník\n"]),
    ("koi8-r", &["Сегодня с самого утра идёт дождь.\n", "Я забыл зонт и ждал автобус.\n"]),
    ("windows-1253", &["Βρέχει από το πρωί.\n", "Ξέχασα την ομπρέλα και περίμενα.\n"]),
    ("shift_jis", &["今日は朝から雨が降っています。\n", "駅へ行く道で、テスト、傘を忘れた。\n"]),
    ("gbk", &["今天早上下雨了，我忘了带伞，\n", "在车站等了半个小时，可是车没有来。\n"]),
    ("euc-kr", &["오늘은 아침부터 비가 내립니다.\n", "역으로 가는 길에 우산을 두고 왔다.\n"]),
];

/// The Unicode encodings of the parts.
const UNICODE: [Scheme; 5] =
    [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];

/// A generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    /// Returns a number less than `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % limit
    }

    /// Returns lines of a language as a text. At least two lines contain characters whose bytes
    /// differ between the encodings.
    fn text(&mut self, lines: &[&str]) -> String {
        let count = [2, 3, 5, 20, 100][self.below(5)];
        let text: String = (0..count).map(|_| lines[self.below(lines.len())]).collect();
        if self.below(3) == 0 { text.replace('\n', "\r\n") } else { text }
    }

    /// Returns the encoding and the bytes of a part: in a Unicode encoding if `unicode`, otherwise
    /// in the language's encoding from before Unicode.
    fn part(&mut self, unicode: bool) -> (Charset, Vec<u8>) {
        let (label, lines) = LANGUAGES[self.below(LANGUAGES.len())];
        let text = self.text(lines);
        if !unicode {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            return (
                Charset::Legacy(Legacy::from_encoding(encoding)),
                encoding.encode(&text).0.into_owned(),
            );
        }
        let scheme = UNICODE[self.below(UNICODE.len())];
        let mark = if self.below(3) == 0 { "\u{FEFF}" } else { "" };
        (Charset::Scheme(scheme), encode(scheme, &format!("{mark}{text}")))
    }

    /// Returns two parts in different encodings. If one part is not Unicode, the other part is
    /// UTF-8.
    fn mixture(&mut self) -> [(Charset, Vec<u8>); 2] {
        loop {
            let mut parts = match self.below(2) {
                0 => [self.part(true), self.part(true)],
                _ => [self.part(true), self.part(false)],
            };
            let utf8 = Charset::Scheme(Scheme::Utf8);
            if parts[0].0 == parts[1].0 || parts[1].0.scheme().is_none() && parts[0].0 != utf8 {
                continue;
            }
            if self.below(2) == 0 {
                parts.swap(0, 1);
            }
            return parts;
        }
    }
}

/// Encodes a text in a Unicode encoding.
fn encode(scheme: Scheme, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    match scheme {
        Scheme::Utf8 => bytes.extend_from_slice(text.as_bytes()),
        Scheme::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        Scheme::Utf16Be => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        Scheme::Utf32Le => bytes.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes())),
        _ => bytes.extend(text.chars().flat_map(|c| u32::from(c).to_be_bytes())),
    }
    bytes
}

/// Returns true if the text is well-formed in the encoding that was found.
fn is_well_formed(found: &Found, text: &[u8]) -> bool {
    match found.charset {
        None => false,
        Some(Charset::Scheme(scheme)) => scheme.is_valid(text),
        Some(Charset::Legacy(encoding)) => {
            let mut decoder = LegacyDecoder::new(encoding);
            decoder.decode(text, true, &mut Sink::default(), |_, _, _| false).is_ok()
        }
    }
}

#[test]
fn no_mixture_is_well_formed_in_the_encoding_found() {
    let mut random = Random(51);
    let (mut exact_answers, total) = (0, 4_000);
    for _ in 0..total {
        let parts = random.mixture();
        let text = [&parts[0].1[..], &parts[1].1].concat();
        let found = detect_text(&text, true);
        let names = [0, 1].map(|i| parts[i].0.name());
        assert!(!is_well_formed(&found, &text), "{names:?}: {found}: {text:02X?}");
        exact_answers += u32::from(found.mixture.is_some_and(|found| {
            (found.first, found.second) == (parts[0].0.scheme(), parts[1].0.scheme())
                && found.boundary == parts[0].1.len() as u64
        }));
    }
    // For most mixtures, the answer contains both encodings and the boundary. The other mixtures
    // are rejected, or have an error in UTF-8.
    assert!(exact_answers > total * 8 / 10, "{exact_answers} of {total}");
}

/// The answer for a text in chunks equals the answer for the whole text, whatever the length of its
/// parts. The detector reads a long part in steps, which chunks end at other offsets.
#[test]
fn the_answer_does_not_depend_on_chunks() {
    let mut random = Random(53);
    let mut mixed = 0;
    for i in 0..120 {
        let parts = random.mixture();
        let [first, second] = [0, 1].map(|i: usize| parts[i].1.repeat([1, 20][random.below(2)]));
        let text = [first, second].concat();
        let size = [1, 63, 1_000, 5_001, 65_536][i % 5];
        let mut detector = Detector::default();
        text.chunks(size).for_each(|chunk| detector.push(chunk));
        let (whole, found) = (detect_text(&text, true), detector.found(true));
        assert!(!is_well_formed(&found, &text), "by {size}: {found}");
        // A few errors at the end of a long UTF-8 text don't make it a mixture if the end is not in
        // the sample.
        if found.mixture.is_some() {
            assert_eq!(found.mixture, whole.mixture, "by {size}");
            mixed += 1;
        }
    }
    assert!(mixed > 100, "{mixed} of 120");
}

/// A line in UTF-8 between lines of UTF-16 is found, at any offset in a chunk.
#[test]
fn a_line_of_utf8_within_utf16_is_found() {
    let english = "The quick brown fox jumps over the lazy dog.\r\n".repeat(200);
    let russian = "Съешь ещё этих мягких французских булок, да выпей чаю.\r\n".repeat(200);
    // The lines have even lengths, so that the units after a line begin at even offsets.
    let lines = [
        "2024-05-01 12:00:00 ERROR disk full on sda1, see its log\r\n",
        "Сегодня был дождь, я забыл зонт и ждал автобус.\r\n",
    ];
    for text in [english, russian] {
        for line in lines {
            assert_eq!(line.len() % 2, 0);
            for scheme in [Scheme::Utf16Le, Scheme::Utf16Be] {
                let part = encode(scheme, &text);
                let text = [&part, line.as_bytes(), &part].concat();
                for size in [1, 1_000, 65_536] {
                    let mut detector = Detector::default();
                    text.chunks(size).for_each(|chunk| detector.push(chunk));
                    let found = detector.found(true);
                    let mixture = found.mixture.expect("the text is a mixture");
                    assert_eq!(mixture.boundary, part.len() as u64, "by {size}: {found}");
                }
            }
        }
    }
}

/// UTF-16 after an odd number of bytes is found, whatever its length.
#[test]
fn utf16_of_any_length_after_an_odd_number_of_bytes_is_found() {
    for len in [101, 999] {
        for lines in [10, 1_000, 10_000] {
            let text = "the lines of some of the files\r\n".repeat(lines);
            let text = [vec![b'a'; len], encode(Scheme::Utf16Le, &text)].concat();
            let mut detector = Detector::default();
            text.chunks(65_536).for_each(|chunk| detector.push(chunk));
            let found = detector.found(true);
            assert!(found.mixture.is_some(), "{len} {lines}: {found}");
        }
    }
}

/// Binary data after ASCII is not text in another encoding.
#[test]
fn binary_data_after_ascii_is_not_a_mixture() {
    let binary: Vec<u8> = (0..=255).collect();
    let text = [b"plain ascii line\n".repeat(8_000), binary.repeat(400)].concat();
    let found = detect_text(&text, true);
    assert_eq!((found.charset, found.mixture), (None, None), "{found}");
}

/// The answer for UTF-16 with an unpaired surrogate is not certain, wherever the surrogate is in a
/// chunk.
#[test]
fn utf16_with_an_unpaired_surrogate_is_not_certain() {
    let line = encode(Scheme::Utf16Le, "some lines of plain text\n");
    for surrogate in [[0x00, 0xD8], [0x41, 0xDC]] {
        let part = line.repeat(4_000);
        let well_formed = [&part[..], &part].concat();
        let ill_formed = [&part[..], &surrogate, &part].concat();
        for (text, is_certain) in [(well_formed, true), (ill_formed, false)] {
            let mut detector = Detector::default();
            text.chunks(65_536).for_each(|chunk| detector.push(chunk));
            let found = detector.found(true);
            assert_eq!(found.name(), "utf-16le", "{found}");
            assert_eq!(found.confidence == Confidence::Certain, is_certain, "{found}");
        }
    }
}

/// A text with ISO-2022-JP and Latin-1 is a mixture. Mailbox files contain such text.
#[test]
fn escape_sequences_after_latin1_are_a_mixture() {
    let found = detect_text(b"caf\xE9 cr\xE8me\n\x1B$B$3$s\x1B(B\n", true);
    assert_eq!(found.mixture.map(|mixture| mixture.boundary), Some(11), "{found}");
}

/// Each part alone is well-formed in the encoding found, as a whole and in chunks.
#[test]
fn no_single_part_is_detected_as_a_mixture() {
    let mut random = Random(52);
    for i in 0..2_000 {
        let (charset, text) = random.part(i % 3 > 0);
        let found = detect_text(&text, true);
        assert!(found.mixture.is_none() && is_well_formed(&found, &text), "{charset}: {found}");
        let mut detector = Detector::default();
        text.chunks(1 + random.below(300)).for_each(|chunk| detector.push(chunk));
        assert_eq!(detector.found(true).charset, found.charset, "{charset}: {found}");
    }
}

/// Two texts in different encodings from before Unicode are not likely in one of them.
#[test]
fn two_old_encodings_are_not_likely_one() {
    for (labels, line) in [
        (["windows-1251", "koi8-r"], LANGUAGES[3].1.concat()),
        (["koi8-r", "windows-1251"], LANGUAGES[3].1.concat()),
        (["windows-1251", "ibm866"], LANGUAGES[3].1.concat()),
        (["windows-1252", "macintosh"], LANGUAGES[0].1.concat()),
        (["macintosh", "windows-1252"], LANGUAGES[0].1.concat()),
        (["shift_jis", "euc-jp"], LANGUAGES[5].1.concat()),
        (["euc-jp", "shift_jis"], LANGUAGES[5].1.concat()),
    ] {
        for counts in [[2, 2], [20, 20], [10, 300], [300, 10], [5000, 5000]] {
            let part = |i: usize| {
                let encoding = Encoding::for_label(labels[i].as_bytes()).unwrap();
                encoding.encode(&line.repeat(counts[i])).0.into_owned()
            };
            let text = [part(0), part(1)].concat();
            let found = detect_text(&text, true);
            assert_eq!(found.confidence, Confidence::Guess, "{labels:?} {counts:?}: {found}");
            let mut detector = Detector::default();
            text.chunks(1000).for_each(|chunk| detector.push(chunk));
            let found = detector.found(true);
            assert_eq!(found.confidence, Confidence::Guess, "{labels:?} {counts:?}: {found}");
        }
    }
}

/// Han, Kana and Hangul in UTF-16 are skipped in segments. The end may be anywhere in a segment.
#[test]
fn another_encoding_after_long_utf16() {
    for (_, lines) in &LANGUAGES[5..] {
        let text: Vec<char> = lines.concat().chars().cycle().take(20_000).collect();
        for first in [Scheme::Utf16Le, Scheme::Utf16Be] {
            for len in (1000..1128).step_by(9).chain([20_000]) {
                let start = text[..len].iter().collect::<String>() + "\n";
                let start = encode(first, &start);
                assert_eq!(
                    detect_text(&start, true).charset,
                    Some(Charset::Scheme(first)),
                    "{len}"
                );
                for appended in [LANGUAGES[0].1, lines] {
                    let whole = [&start[..], appended.concat().repeat(2).as_bytes()].concat();
                    let found = detect_text(&whole, true);
                    let mixture = found.mixture.unwrap_or_else(|| panic!("{len}: {found}"));
                    assert_eq!(mixture.first, Some(first), "{len}: {found}");
                    assert_eq!(mixture.second, Some(Scheme::Utf8), "{len}: {found}");
                    assert_eq!(mixture.boundary, start.len() as u64, "{len}: {found}");
                }
            }
        }
    }
}

/// Greek and Arabic in the other byte order read as Hangul and Han, which are cheap, and spaces as
/// assigned characters. So the byte order must be compared throughout a long part.
#[test]
fn a_part_in_the_other_byte_order_is_found_without_line_feeds() {
    let other = |scheme| match scheme {
        Scheme::Utf16Le => Scheme::Utf16Be,
        _ => Scheme::Utf16Le,
    };
    for (around, inside) in [
        ("Βρέχει από το πρωί. ", "Ξέχασα την ομπρέλα και περίμενα. "),
        ("It has been raining since the morning. ", "Ξέχασα την ομπρέλα και περίμενα. "),
        ("لقد أمطرت منذ الصباح. ", "نسيت المظلة وانتظرت الحافلة. "),
    ] {
        for scheme in [Scheme::Utf16Le, Scheme::Utf16Be] {
            let before = encode(scheme, &around.repeat(60));
            let part = encode(other(scheme), &inside.repeat(40));
            let text = [&before[..], &part, &before].concat();
            let found = detect_text(&text, true);
            let mixture = found.mixture.expect("the byte order changes");
            assert_eq!((mixture.first, mixture.second), (Some(scheme), Some(other(scheme))));
            assert_eq!(mixture.boundary, before.len() as u64, "{inside} in {scheme}");
        }
    }
}
