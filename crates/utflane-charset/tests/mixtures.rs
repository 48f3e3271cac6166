//! Files whose parts are in different encodings, as appending makes them: none is read in one
//! encoding in silence.

use encoding_rs::Encoding;
use utflane::Scheme;
use utflane::detect::Confidence;
use utflane_charset::{Charset, Detector, Found, LegacyDecoder, Sink, detect_text};

/// Lines in a language, with an encoding from before Unicode.
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

const UNICODE: [Scheme; 5] =
    [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % limit
    }

    /// Some lines in a language. At least two have characters that the encodings do not share.
    fn text(&mut self, lines: &[&str]) -> String {
        let count = [2, 3, 5, 20, 100][self.below(5)];
        let text: String = (0..count).map(|_| lines[self.below(lines.len())]).collect();
        if self.below(3) == 0 { text.replace('\n', "\r\n") } else { text }
    }

    /// A part in an encoding of Unicode, or in the language's other one; with its encoding.
    fn part(&mut self, unicode: bool) -> (Charset, Vec<u8>) {
        let (label, lines) = LANGUAGES[self.below(LANGUAGES.len())];
        let text = self.text(lines);
        if !unicode {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            return (Charset::Legacy(encoding), encoding.encode(&text).0.into_owned());
        }
        let scheme = UNICODE[self.below(UNICODE.len())];
        let mark = if self.below(3) == 0 { "\u{FEFF}" } else { "" };
        (Charset::Scheme(scheme), encoded(scheme, &format!("{mark}{text}")))
    }

    /// Two parts in different encodings, of which UTF-8 is one if the other is not Unicode.
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

fn encoded(scheme: Scheme, text: &str) -> Vec<u8> {
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

/// Returns true if the text is read without an error in the encoding that was found.
fn is_read(found: &Found, text: &[u8]) -> bool {
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
fn no_mixture_is_read_in_silence() {
    let mut numbers = Numbers(51);
    let (mut named, total) = (0, 10_000);
    for _ in 0..total {
        let parts = numbers.mixture();
        let text = [&parts[0].1[..], &parts[1].1].concat();
        let found = detect_text(&text, true);
        let names = [0, 1].map(|i| parts[i].0.name());
        assert!(!is_read(&found, &text), "{names:?}: {found}: {text:02X?}");
        named += u32::from(found.mixture.is_some_and(|found| {
            let of = |charset: Charset| charset.scheme();
            (found.first, found.second) == (of(parts[0].0), of(parts[1].0))
                && found.boundary == parts[0].1.len() as u64
        }));
    }
    // For most, the answer has both encodings and the offset. The others are rejected, or an error
    // in UTF-8.
    assert!(named > total * 8 / 10, "{named} of {total}");
}

/// Text that comes in chunks has the answer of the whole text, however long its parts are: they are
/// passed in steps that the chunks cut elsewhere.
#[test]
fn chunks_do_not_matter() {
    let mut numbers = Numbers(53);
    let mut mixed = 0;
    for i in 0..300 {
        let parts = numbers.mixture();
        let [first, second] = [0, 1].map(|i: usize| parts[i].1.repeat([1, 20][numbers.below(2)]));
        let text = [first, second].concat();
        let size = [1, 63, 1_000, 5_001, 65_536][i % 5];
        let mut detector = Detector::default();
        text.chunks(size).for_each(|chunk| detector.push(chunk));
        let (whole, found) = (detect_text(&text, true), detector.found(true));
        assert!(!is_read(&found, &text), "by {size}: {found}");
        // A few errors at the end of much UTF-8 are no mixture if the end is not in the sample.
        if found.mixture.is_some() {
            assert_eq!(found.mixture, whole.mixture, "by {size}");
            mixed += 1;
        }
    }
    assert!(mixed > 250, "{mixed} of 300");
}

/// A line in bytes between lines of UTF-16 is found, at any offset of a chunk.
#[test]
fn a_line_in_bytes_within_utf16_is_found() {
    let english = "The quick brown fox jumps over the lazy dog.\r\n".repeat(200);
    let russian = "Съешь ещё этих мягких французских булок, да выпей чаю.\r\n".repeat(200);
    // Of even lengths, so that the units after them are whole.
    let lines = [
        "2024-05-01 12:00:00 ERROR disk full on sda1, see its log\r\n",
        "Сегодня был дождь, я забыл зонт и ждал автобус.\r\n",
    ];
    for text in [english, russian] {
        for line in lines {
            assert_eq!(line.len() % 2, 0);
            for scheme in [Scheme::Utf16Le, Scheme::Utf16Be] {
                let part = encoded(scheme, &text);
                let text = [&part, line.as_bytes(), &part].concat();
                for size in [1, 1_000, 65_536] {
                    let mut detector = Detector::default();
                    text.chunks(size).for_each(|chunk| detector.push(chunk));
                    let found = detector.found(true);
                    let mixture = found.mixture.expect("a mixture");
                    assert_eq!(mixture.boundary, part.len() as u64, "by {size}: {found}");
                }
            }
        }
    }
}

/// UTF-16 after bytes of an odd number is found, however much of it there is.
#[test]
fn much_utf16_after_an_odd_number_of_bytes_is_found() {
    for len in [101, 999] {
        for lines in [10, 1_000, 10_000] {
            let text = "the lines of some of the files\r\n".repeat(lines);
            let text = [vec![b'a'; len], encoded(Scheme::Utf16Le, &text)].concat();
            let mut detector = Detector::default();
            text.chunks(65_536).for_each(|chunk| detector.push(chunk));
            let found = detector.found(true);
            assert!(found.mixture.is_some(), "{len} {lines}: {found}");
        }
    }
}

/// Data that is no text is none after ASCII either.
#[test]
fn binary_data_after_ascii_is_no_mixture() {
    let binary: Vec<u8> = (0..=255).collect();
    let text = [b"plain ascii line\n".repeat(8_000), binary.repeat(400)].concat();
    let found = detect_text(&text, true);
    assert_eq!((found.charset, found.mixture), (None, None), "{found}");
}

/// UTF-16 with an unpaired surrogate is not certain, at any offset of a chunk.
#[test]
fn an_unpaired_surrogate_in_much_utf16_is_seen() {
    let line = encoded(Scheme::Utf16Le, "some lines of plain text\n");
    for surrogate in [[0x00, 0xD8], [0x41, 0xDC]] {
        let part = line.repeat(4_000);
        let whole = [&part[..], &part].concat();
        let damaged = [&part[..], &surrogate, &part].concat();
        for (text, is_certain) in [(whole, true), (damaged, false)] {
            let mut detector = Detector::default();
            text.chunks(65_536).for_each(|chunk| detector.push(chunk));
            let found = detector.found(true);
            assert_eq!(found.name(), "utf-16le", "{found}");
            assert_eq!(found.confidence == Confidence::Certain, is_certain, "{found}");
        }
    }
}

/// ISO-2022-JP beside Latin-1, as in files of mail.
#[test]
fn escapes_beside_latin1_are_a_mixture() {
    let found = detect_text(b"caf\xE9 cr\xE8me\n\x1B$B$3$s\x1B(B\n", true);
    assert_eq!(found.mixture.map(|mixture| mixture.boundary), Some(11), "{found}");
}

/// Each part alone is read, whole and in chunks.
#[test]
fn no_part_is_taken_for_a_mixture() {
    let mut numbers = Numbers(52);
    for i in 0..2_000 {
        let (charset, text) = numbers.part(i % 3 > 0);
        let found = detect_text(&text, true);
        assert!(found.mixture.is_none() && is_read(&found, &text), "{charset}: {found}");
        let mut detector = Detector::default();
        text.chunks(1 + numbers.below(300)).for_each(|chunk| detector.push(chunk));
        assert_eq!(detector.found(true).charset, found.charset, "{charset}: {found}");
    }
}
