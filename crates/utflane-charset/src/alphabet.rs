//! Tells apart the encodings of alphabets of Latin letters: western, central European and Turkish.
//!
//! They have the same bytes for different letters. Each language uses few letters beyond ASCII, and
//! some of them much more often than others. So a reading costs as many bits as its letters are
//! rare in the language that fits best, and the cheapest reading wins. The frequencies are those of
//! the first halves of Debian's manual pages; `benches/detection/compare.py --letters` prints them.
//! A character where no text has it, such as `¿` within a word, costs more than any letter.

use encoding_rs::{
    Encoding, ISO_8859_2, ISO_8859_2_INIT, WINDOWS_1250, WINDOWS_1250_INIT, WINDOWS_1252,
    WINDOWS_1252_INIT, WINDOWS_1254, WINDOWS_1254_INIT,
};

/// A language.
struct Language {
    /// The encodings that it is written in.
    encodings: &'static [&'static Encoding],
    /// Letters beyond ASCII, each with its cost in bits: the logarithm of its share of them.
    letters: &'static str,
}

impl Language {
    /// The cost of a letter.
    fn bits(&self, letter: char) -> u32 {
        let digit = self.letters.split(letter).nth(1).and_then(|after| after.chars().next());
        digit.and_then(|digit| digit.to_digit(10)).unwrap_or(RARE)
    }
}

const WESTERN: &[&Encoding] = &[&WINDOWS_1252_INIT];
const CENTRAL: &[&Encoding] = &[&WINDOWS_1250_INIT, &ISO_8859_2_INIT];
const TURKISH: &[&Encoding] = &[&WINDOWS_1254_INIT];

static LANGUAGES: [Language; 15] = [
    // Danish, German, Spanish, Finnish, French
    Language { encodings: WESTERN, letters: "æ1å2ø2é6Å6Æ6Ø6" },
    Language { encodings: WESTERN, letters: "ü1ä2ö3Ü3ß4Ä6Ö8" },
    Language { encodings: WESTERN, letters: "ó1á2í3ú4é4ñ5Ó6Í8É8Ú9Ñ9" },
    Language { encodings: WESTERN, letters: "ä1ö3Ä6" },
    Language { encodings: WESTERN, letters: "é1è3à3ê5î6É6ç6â6ô7ù8" },
    // Italian, Norwegian, Dutch, Portuguese, Swedish
    Language { encodings: WESTERN, letters: "è1ù3ò3à3ì5é6È7" },
    Language { encodings: WESTERN, letters: "å1ø2Ø5Å5æ5é8" },
    Language { encodings: WESTERN, letters: "ë2ä2é2ï3ó3ü8á8" },
    Language {
        encodings: WESTERN, letters: "ã2ç3á3é3ó4í4ê4õ4ú5Ã6Ç7à7Ó7ü8Á8Ú8â8Õ9"
    },
    Language { encodings: WESTERN, letters: "ä1ö2å2Ä5Å7Ö8" },
    // Czech, Hungarian, Polish, Romanian, Turkish
    Language {
        encodings: CENTRAL, letters: "í2á3ř3é3ě4ý4ž4č4š4ů5Á6Ě7Ř7Í8Ž8Ú8ó9ú9"
    },
    Language { encodings: CENTRAL, letters: "á2é2ó3í3ö4ő4ü5Á5ú5É6ű6Ó7Ő7Í7Ö8" },
    Language { encodings: CENTRAL, letters: "ł2ą2ż3ś3ę3ó3ć4ń5ź7Ł8Ś8Ż8" },
    Language { encodings: CENTRAL, letters: "ă1ş2ţ3î3Ş5â5Ţ5Ă6Â7Î8" },
    Language { encodings: TURKISH, letters: "ı1ü3ç3ş3ğ3ö4İ5Ç6Ö7Ş9Ü9" },
];

/// The cost of a letter that the language has hardly ever, and of a control character.
const RARE: u32 = 10;
/// The cost of a sign that is no letter, such as a quotation mark.
const SIGN: u32 = 6;
/// The cost of a character in a place where no text has it.
const MISPLACED: u32 = 12;
/// The cost of a letter up to which it is usual, on average over the letters of a text.
const USUAL: u32 = 5;
/// What another encoding than windows-1252 has to save where `chardetng` names windows-1252.
const UNNAMED: u32 = 2;

/// The reading that wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) encoding: &'static Encoding,
    /// The bits that the second reading costs more; `u32::MAX` if there is none that differs.
    pub(crate) margin: u32,
    /// The encoding of the second reading.
    pub(crate) second: &'static Encoding,
}

/// Tells which encoding `text` is in, if `named` is one of those that are compared. `named` is the
/// opinion of `chardetng`; it decides between readings that cost about the same.
pub(crate) fn read(text: &[u8], named: &'static Encoding) -> Option<Reading> {
    let encodings = [WINDOWS_1252, WINDOWS_1250, ISO_8859_2, WINDOWS_1254];
    if !encodings.contains(&named) {
        return None;
    }
    let readings = encodings.map(|encoding| {
        let unnamed = u32::from(encoding != WINDOWS_1252 && named == WINDOWS_1252) * UNNAMED;
        let characters = Characters::new(encoding, text);
        (characters.cost(encoding, SIGN) + unnamed, encoding, characters)
    });
    // Of equal ones, windows-1252 wins, and then the named encoding.
    let rank = |encoding| (encoding != WINDOWS_1252, encoding != named);
    let best = readings.iter().min_by_key(|(cost, encoding, _)| (*cost, rank(*encoding)))?;
    let others = readings.iter().filter(|(_, _, characters)| *characters != best.2);
    let second = others.min_by_key(|(cost, ..)| *cost);
    Some(Reading {
        encoding: best.1,
        margin: second.map_or(u32::MAX, |second| second.0 - best.0),
        second: second.map_or(best.1, |second| second.1),
    })
}

/// Whether the letters of `text`, read as windows-1252, are those of a western language.
pub(crate) fn is_western(text: &[u8]) -> bool {
    let characters = Characters::new(WINDOWS_1252, text);
    let usual = characters.0.iter().fold(0, |sum: u32, &(c, count, misplaced)| {
        let counted = if is_letter(c) { count.saturating_add(misplaced) } else { misplaced };
        sum.saturating_add(counted.saturating_mul(USUAL))
    });
    characters.cost(WINDOWS_1252, 0) <= usual
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'ª' | 'µ' | 'º')
}

/// Whether a character beyond ASCII is a sign that stands alone: no letter, and no mark such as a
/// quotation mark or a dash, of which several may follow each other.
fn is_sign(c: char) -> bool {
    !(c.is_ascii() || is_letter(c) || "\u{A0}\u{AD}·´«»‘’‚“”„‹›–—…".contains(c))
}

/// Whether no text has `c` between `before` and `after`: a sign within a word, after a letter
/// beyond ASCII or beside another sign, or a capital letter after a small one.
fn is_misplaced(before: char, c: char, after: char) -> bool {
    if is_letter(c) {
        return c.is_uppercase() && before.is_lowercase();
    }
    let in_word = is_letter(before) && (is_letter(after) || !before.is_ascii());
    is_sign(c) && (in_word || is_sign(before) || is_sign(after))
}

/// The characters beyond ASCII of a text in some encoding, in the order of their bytes: how often
/// each occurs, and how often it is misplaced.
#[derive(PartialEq)]
struct Characters(Vec<(char, u32, u32)>);

impl Characters {
    fn new(encoding: &'static Encoding, text: &[u8]) -> Self {
        let bytes: Vec<u8> = (0..=0xFF).collect();
        let all: Vec<char> = encoding.decode_without_bom_handling(&bytes).0.chars().collect();
        let (mut counts, mut misplaced) = ([0_u32; 256], [0_u32; 256]);
        for (i, &byte) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let beside =
                |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(b' ');
            let [before, after] = [i.checked_sub(1), i.checked_add(1)].map(beside);
            let [before, c, after] = [before, byte, after].map(|byte| all[usize::from(byte)]);
            let count = if is_misplaced(before, c, after) { &mut misplaced } else { &mut counts };
            count[usize::from(byte)] += 1;
        }
        let occurring = all.into_iter().zip(counts).zip(misplaced);
        let occurring = occurring.map(|((c, count), misplaced)| (c, count, misplaced));
        Self(occurring.filter(|&(_, count, misplaced)| count > 0 || misplaced > 0).collect())
    }

    /// Their cost in the language that fits best, where a sign costs `sign`.
    fn cost(&self, encoding: &Encoding, sign: u32) -> u32 {
        let languages = LANGUAGES.iter().filter(|language| language.encodings.contains(&encoding));
        let costs = languages.map(|language| {
            self.0.iter().fold(0, |sum: u32, &(c, count, misplaced)| {
                let each = match c {
                    '\u{80}'..='\u{9F}' | '\u{FFFD}' => RARE,
                    _ if is_letter(c) => language.bits(c),
                    _ => sign,
                };
                let cost = count.saturating_mul(each);
                sum.saturating_add(cost).saturating_add(misplaced.saturating_mul(MISPLACED))
            })
        });
        costs.min().unwrap_or(u32::MAX / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence in each language, and the encoding that it is in.
    const SENTENCES: &[(&str, &Encoding)] = &[
        ("Blåbærgrød smager bedst på søndage, når æblerne er spist.", &WINDOWS_1252_INIT),
        ("Grüße aus München, wo die Bäume schön blühen.", &WINDOWS_1252_INIT),
        ("El niño comió después una canción de otoño.", &WINDOWS_1252_INIT),
        ("Sää on tänään hyvä, mutta yöllä sataa.", &WINDOWS_1252_INIT),
        ("L’élève a déjà mangé « la crêpe » à côté.", &WINDOWS_1252_INIT),
        ("Perché la città è già così più bella?", &WINDOWS_1252_INIT),
        ("Æ er på ei øy, så må vi gå nå.", &WINDOWS_1252_INIT),
        ("De reünie in België was één idee.", &WINDOWS_1252_INIT),
        ("A ação não é o coração da solução às três.", &WINDOWS_1252_INIT),
        ("Räksmörgås är gott på våren.", &WINDOWS_1252_INIT),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", &WINDOWS_1250_INIT),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", &ISO_8859_2_INIT),
        ("Árvíztűrő tükörfúrógép a hegyről jött.", &WINDOWS_1250_INIT),
        ("Zażółć gęślą jaźń, bo łódź płynie.", &WINDOWS_1250_INIT),
        ("Zażółć gęślą jaźń, bo łódź płynie.", &ISO_8859_2_INIT),
        ("Bătrânul a învăţat să vândă pâine şi brânză în piaţă.", &ISO_8859_2_INIT),
        ("Bugün hava çok güzel, ışık ve gölge değişiyor.", &WINDOWS_1254_INIT),
    ];

    #[test]
    fn a_sentence_is_read_in_its_own_encoding_whatever_is_named() {
        for &(sentence, encoding) in SENTENCES {
            let (bytes, _, unmappable) = encoding.encode(sentence);
            assert!(!unmappable, "{sentence}");
            for named in [WINDOWS_1252, WINDOWS_1250, ISO_8859_2, WINDOWS_1254] {
                let found = read(&bytes, named).unwrap().encoding;
                // Some of the sentences are the same in both.
                let (text, _) = found.decode_without_bom_handling(&bytes);
                assert_eq!(text, sentence, "{} instead of {}", found.name(), encoding.name());
            }
        }
    }

    #[test]
    fn a_sign_within_a_word_is_a_letter_in_another_encoding() {
        for (text, encoding) in [
            ("można przypisać", WINDOWS_1250),
            ("dodaje zawartość", ISO_8859_2),
            ("znaleźć w dokumencie", WINDOWS_1250),
        ] {
            let reading = read(&encoding.encode(text).0, encoding).unwrap();
            assert_eq!(reading.encoding, encoding, "{text}");
        }
    }

    #[test]
    fn text_of_other_alphabets_is_not_western() {
        for (text, encoding) in [
            ("ачає «b», «c», «d»", encoding_rs::WINDOWS_1251),
            ("קוק (חורף)", encoding_rs::WINDOWS_1255),
            ("enter 或 bottom。", encoding_rs::GBK),
            ("有關, 其 語意 與 作", encoding_rs::BIG5),
            ("볼리", encoding_rs::EUC_KR),
        ] {
            assert!(!is_western(&encoding.encode(text).0), "{text}");
        }
    }

    #[test]
    fn western_punctuation_stays_western() {
        for text in [
            "« Où ? » dit l’élève… « Là ! »",
            "“Déjà vu”, dit-il – «\u{A0}très bien\u{A0}».",
            "¿Qué? ¡Nada! El 1º y la 2ª, ½ €, 20 °C, § 3, l·l, © ACME®",
            "„Größe“: 5 µm × 3 µm ± 2 %",
        ] {
            let (bytes, ..) = WINDOWS_1252.encode(text);
            assert!(is_western(&bytes), "{text}");
            assert_eq!(read(&bytes, WINDOWS_1252).unwrap().encoding, WINDOWS_1252, "{text}");
        }
    }

    #[test]
    fn other_alphabets_are_not_compared() {
        assert_eq!(read(b"\xD0\xD2\xC9", encoding_rs::KOI8_R), None);
        assert_eq!(read(b"\xE0\xEB", encoding_rs::WINDOWS_1257), None);
    }

    #[test]
    fn a_letter_that_is_the_same_everywhere_has_no_second_reading() {
        let reading = read(b"f\xFCr", WINDOWS_1252).unwrap();
        assert_eq!((reading.encoding, reading.margin), (WINDOWS_1252, u32::MAX));
    }

    #[test]
    fn a_long_text_does_not_overflow() {
        let reading = read(&[0xFF; 1 << 16], WINDOWS_1252).unwrap();
        assert!(reading.margin < u32::MAX);
    }
}
