//! Distinguishes the encodings of Latin alphabets: western, central European and Turkish.
//!
//! These encodings use the same bytes for different letters. Each language uses few non-ASCII
//! letters, and some of them much more often than others. So each candidate encoding has a cost in
//! bits: the sum of the costs of its letters in the language that fits best, where a rare letter
//! has a high cost. The cheapest candidate wins. The frequencies were counted in the first halves
//! of Debian's manual pages; `benches/detection/compare.py --letters` prints them. A character at a
//! position where text does not have it, such as `¿` within a word, costs more than any letter.

use std::sync::LazyLock;

use encoding_rs::{
    Encoding, ISO_8859_2, ISO_8859_2_INIT, WINDOWS_1250, WINDOWS_1250_INIT, WINDOWS_1252,
    WINDOWS_1252_INIT, WINDOWS_1254, WINDOWS_1254_INIT,
};

/// A language, with the frequencies of its letters.
struct Language {
    /// The encodings in which the language is written.
    encodings: &'static [&'static Encoding],
    /// The non-ASCII letters. After each letter, a digit is its cost in bits: the negative binary
    /// logarithm of its share of these letters.
    letters: &'static str,
}

impl Language {
    /// Returns the cost of a letter in bits.
    fn cost(&self, letter: char) -> u32 {
        let digit = self.letters.split(letter).nth(1).and_then(|after| after.chars().next());
        digit.and_then(|digit| digit.to_digit(10)).unwrap_or(RARE_BITS)
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

/// The cost in bits of a letter that is very rare in the language, and of a control character.
const RARE_BITS: u32 = 10;
/// The cost in bits of a character that is not a letter, such as a quotation mark.
const SIGN_BITS: u32 = 6;
/// The cost in bits of a misplaced character: text does not have it between such neighbours.
const MISPLACED_BITS: u32 = 12;
/// The maximum average cost in bits of the letters of a text that are usual in a language.
const USUAL_LETTER_BITS: u32 = 5;
/// The number of bits by which another encoding must be cheaper than windows-1252 if `chardetng`
/// returns windows-1252.
const UNNAMED_BITS: u32 = 2;

/// The minimum number of non-ASCII letters in a clearly western text.
const MIN_CLEAR_LETTERS: u32 = 24;
/// The maximum average cost in bits of the letters of a clearly western text.
const CLEAR_LETTER_BITS: u32 = 4;
/// The minimum difference in bits between the costs of windows-1252 and of the second candidate for
/// a clearly western text.
const CLEAR_MARGIN_BITS: u32 = 16;
/// The number of non-ASCII bytes after which the rest of a text is not examined to find out whether
/// it is clearly western.
const EXAMINED_NON_ASCII_BYTES: u32 = 256;

/// The result of comparing the candidate encodings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    /// The encoding of the cheapest candidate.
    pub(crate) encoding: &'static Encoding,
    /// The additional cost of the second candidate in bits; `u32::MAX` if all candidates decode the
    /// text in the same way.
    pub(crate) margin: u32,
    /// The encoding of the second candidate.
    pub(crate) second: &'static Encoding,
    /// True if the letters are usual in a language that uses the encoding.
    pub(crate) is_usual: bool,
}

/// Compares the encodings of Latin alphabets for `text`. Returns `None` if `named`, the answer of
/// `chardetng`, is not one of them. `named` decides between candidates of about the same cost.
pub(crate) fn compare_encodings(text: &[u8], named: &'static Encoding) -> Option<Comparison> {
    if ALPHABETS.iter().all(|alphabet| alphabet.encoding != named) {
        return None;
    }
    let candidates = ALPHABETS.each_ref().map(|alphabet| LetterCounts::new(alphabet, text));
    Some(compare_candidates(&candidates, named))
}

/// Compares the letters of a text in the candidate encodings.
fn compare_candidates(candidates: &[LetterCounts; 4], named: &'static Encoding) -> Comparison {
    let cost = |letters: &LetterCounts| {
        let encoding = letters.alphabet.encoding;
        let unnamed_cost =
            u32::from(encoding != WINDOWS_1252 && named == WINDOWS_1252) * UNNAMED_BITS;
        letters.cost(SIGN_BITS) + unnamed_cost
    };
    let costs = candidates.each_ref().map(cost);
    let encodings = candidates.each_ref().map(|letters| letters.alphabet.encoding);
    // If costs are equal, windows-1252 wins, and then the named encoding.
    let rank = |i: usize| (costs[i], encodings[i] != WINDOWS_1252, encodings[i] != named);
    let best = (0..candidates.len()).min_by_key(|&i| rank(i)).unwrap_or(0);
    let others =
        (0..candidates.len()).filter(|&i| !candidates[i].has_same_characters(&candidates[best]));
    let second = others.min_by_key(|&i| costs[i]);
    Comparison {
        encoding: encodings[best],
        margin: second.map_or(u32::MAX, |second| costs[second] - costs[best]),
        second: encodings[second.unwrap_or(best)],
        is_usual: candidates[best].are_usual(),
    }
}

/// Returns true if the letters of `text`, decoded as windows-1252, are usual in a western language.
pub(crate) fn is_western(text: &[u8]) -> bool {
    LetterCounts::new(&ALPHABETS[0], text).are_usual()
}

/// Returns true if `text` has so many letters, and letters that are so frequent in a western
/// language, that `chardetng` need not be asked.
pub(crate) fn is_clearly_western(text: &[u8]) -> bool {
    let mut bytes_left = EXAMINED_NON_ASCII_BYTES;
    let end = text.iter().position(|byte| {
        bytes_left -= u32::from(!byte.is_ascii());
        bytes_left == 0
    });
    // The byte after the last letter is included, because it may decide whether the letter is
    // misplaced.
    let text = &text[..end.map_or(text.len(), |end| text.len().min(end + 2))];
    let candidates = ALPHABETS.each_ref().map(|alphabet| LetterCounts::new(alphabet, text));
    let western = &candidates[0];
    let count = western.sum(|_, is_letter, count, _| if is_letter { count } else { 0 });
    if count < MIN_CLEAR_LETTERS || western.cost(0) > count.saturating_mul(CLEAR_LETTER_BITS) {
        return false;
    }
    let comparison = compare_candidates(&candidates, WINDOWS_1252);
    comparison.encoding == WINDOWS_1252 && comparison.margin >= CLEAR_MARGIN_BITS
}

/// Returns true for a letter. The ordinal indicators and the micro sign count as signs.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'ª' | 'µ' | 'º')
}

/// Returns true for a non-ASCII character that is neither a letter nor punctuation such as a
/// quotation mark or a dash. Such a sign stands alone, while punctuation may follow punctuation.
fn is_sign(c: char) -> bool {
    !(c.is_ascii() || is_letter(c) || "\u{A0}\u{AD}·´«»‘’‚“”„‹›–—…".contains(c))
}

/// The kind of a character: a set of the properties that the constants name.
#[derive(Clone, Copy)]
struct Kind(u8);

impl Kind {
    const LETTER: u8 = 1;
    const CAPITAL: u8 = 2;
    const SMALL: u8 = 4;
    const SIGN: u8 = 8;
    const ASCII: u8 = 16;

    fn from_char(c: char) -> Self {
        let bits = [is_letter(c), c.is_uppercase(), c.is_lowercase(), is_sign(c), c.is_ascii()];
        Self(bits.iter().rev().fold(0, |kind, &bit| kind << 1 | u8::from(bit)))
    }

    /// Returns true if the character has one of these properties.
    fn has_any(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    /// Returns true if text does not have this character between `before` and `after`. This is a
    /// sign within a word, after a non-ASCII letter or next to another sign, or a capital letter
    /// after a small letter.
    fn is_misplaced(self, before: Self, after: Self) -> bool {
        if self.has_any(Self::LETTER) {
            return self.has_any(Self::CAPITAL) && before.has_any(Self::SMALL);
        }
        let is_in_word = before.has_any(Self::LETTER)
            && (after.has_any(Self::LETTER) || !before.has_any(Self::ASCII));
        self.has_any(Self::SIGN)
            && (is_in_word || before.has_any(Self::SIGN) || after.has_any(Self::SIGN))
    }
}

/// An encoding: the properties of the character that each byte means.
struct Alphabet {
    encoding: &'static Encoding,
    characters: [char; 256],
    kinds: [Kind; 256],
    /// For each language that uses the encoding, the cost in bits of each letter and each control
    /// character. The cost of all other characters is 0 here.
    costs: Vec<[u8; 256]>,
}

/// The encodings that are compared.
static ALPHABETS: LazyLock<[Alphabet; 4]> =
    LazyLock::new(|| [WINDOWS_1252, WINDOWS_1250, ISO_8859_2, WINDOWS_1254].map(Alphabet::new));

impl Alphabet {
    fn new(encoding: &'static Encoding) -> Self {
        let bytes: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        let (decoded, _) = encoding.decode_without_bom_handling(&bytes);
        let mut characters = ['\0'; 256];
        for (character, c) in characters.iter_mut().zip(decoded.chars()) {
            *character = c;
        }
        let languages = LANGUAGES.iter().filter(|language| language.encodings.contains(&encoding));
        let costs = languages.map(|language| {
            characters.map(|c| match c {
                '\u{80}'..='\u{9F}' | '\u{FFFD}' => RARE_BITS as u8,
                _ if is_letter(c) => language.cost(c) as u8,
                _ => 0,
            })
        });
        let costs = costs.collect();
        Self { encoding, characters, kinds: characters.map(Kind::from_char), costs }
    }

    /// Returns true if a byte costs as much as a sign. In `costs`, letters and control characters
    /// are above 0.
    fn costs_like_sign(&self, byte: usize) -> bool {
        self.costs.first().is_none_or(|costs| costs[byte] == 0)
    }
}

/// The non-ASCII characters of a text in one encoding: how often each occurs, and how often it is
/// misplaced.
struct LetterCounts {
    alphabet: &'static Alphabet,
    /// The non-ASCII bytes that occur, in increasing order. Each has two counts: its occurrences
    /// between usual neighbours, and its occurrences where it is misplaced.
    counts: Vec<(u8, u32, u32)>,
}

impl LetterCounts {
    fn new(alphabet: &'static Alphabet, text: &[u8]) -> Self {
        let mut counts = [[0_u32; 2]; 128];
        for (i, &byte) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let byte_or_space = |index: Option<usize>| {
                index.and_then(|index| text.get(index)).copied().unwrap_or(b' ')
            };
            let [before, after] = [i.checked_sub(1), i.checked_add(1)].map(byte_or_space);
            let [before, kind, after] =
                [before, byte, after].map(|byte| alphabet.kinds[usize::from(byte)]);
            let is_misplaced = kind.is_misplaced(before, after);
            counts[usize::from(byte - 0x80)][usize::from(is_misplaced)] += 1;
        }
        let occurring = (0x80..=0xFF).zip(counts).filter(|(_, count)| count != &[0, 0]);
        Self {
            alphabet,
            counts: occurring.map(|(byte, [usual, misplaced])| (byte, usual, misplaced)).collect(),
        }
    }

    /// Returns true if the text has the same characters in `other`, with the same counts.
    fn has_same_characters(&self, other: &Self) -> bool {
        let character = |letters: &Self, byte: u8| letters.alphabet.characters[usize::from(byte)];
        self.counts == other.counts
            && self.counts.iter().all(|&(byte, ..)| character(self, byte) == character(other, byte))
    }

    /// Returns true if the letters are usual in one of the languages.
    fn are_usual(&self) -> bool {
        self.cost(0)
            <= self.sum(|_, is_letter, count, misplaced| {
                let counted = if is_letter { count.saturating_add(misplaced) } else { misplaced };
                counted.saturating_mul(USUAL_LETTER_BITS)
            })
    }

    /// Returns the sum of `number` over the bytes that occur. The arguments of `number` are the
    /// byte, true if the byte is a letter, and the two counts of the byte.
    fn sum(&self, number: impl Fn(usize, bool, u32, u32) -> u32) -> u32 {
        self.counts.iter().fold(0, |sum: u32, &(byte, count, misplaced)| {
            let byte = usize::from(byte);
            let is_letter = self.alphabet.kinds[byte].has_any(Kind::LETTER);
            sum.saturating_add(number(byte, is_letter, count, misplaced))
        })
    }

    /// Returns the cost of the characters in bits, in the language that fits best. A sign costs
    /// `sign_cost`.
    fn cost(&self, sign_cost: u32) -> u32 {
        let costs = self.alphabet.costs.iter().map(|costs| {
            self.sum(|byte, _, count, misplaced| {
                let cost = if self.alphabet.costs_like_sign(byte) {
                    sign_cost
                } else {
                    costs[byte].into()
                };
                count.saturating_mul(cost).saturating_add(misplaced.saturating_mul(MISPLACED_BITS))
            })
        });
        costs.min().unwrap_or(u32::MAX / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence in each language, and an encoding in which it is written.
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
    fn the_encoding_of_a_sentence_is_found_whatever_chardetng_names() {
        for &(sentence, encoding) in SENTENCES {
            let (bytes, _, unmappable) = encoding.encode(sentence);
            assert!(!unmappable, "{sentence}");
            for named in [WINDOWS_1252, WINDOWS_1250, ISO_8859_2, WINDOWS_1254] {
                let found = compare_encodings(&bytes, named).unwrap().encoding;
                // Some sentences have the same bytes in two encodings, so the texts are compared.
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
            let comparison = compare_encodings(&encoding.encode(text).0, encoding).unwrap();
            assert_eq!(comparison.encoding, encoding, "{text}");
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
            let comparison = compare_encodings(&bytes, WINDOWS_1252).unwrap();
            assert_eq!(comparison.encoding, WINDOWS_1252, "{text}");
        }
    }

    #[test]
    fn text_with_many_usual_letters_is_clearly_western() {
        for &(sentence, encoding) in SENTENCES {
            let bytes = encoding.encode(sentence).0.repeat(10);
            assert_eq!(is_clearly_western(&bytes), encoding == WINDOWS_1252, "{sentence}");
            // The text after enough letters is not examined.
            let longer = [&bytes.repeat(20)[..], &[0xD0; 1000]].concat();
            assert_eq!(is_clearly_western(&longer), encoding == WINDOWS_1252, "{sentence}");
        }
        let (short, ..) = WINDOWS_1252.encode("L’élève a déjà mangé.");
        assert!(!is_clearly_western(&short));
        assert!(!is_clearly_western(b"plain"));
    }

    #[test]
    fn text_of_other_alphabets_is_never_clearly_western() {
        for (text, encoding) in [
            ("Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė", encoding_rs::WINDOWS_1257),
            ("Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu", encoding_rs::WINDOWS_1257),
            ("Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu", encoding_rs::ISO_8859_13),
            ("Gojazni đačić s biciklom drži hmelj u džepu nošnje", WINDOWS_1250),
            ("Kŕdeľ šťastných ďatľov učí pri ústí Váhu mĺkveho koňa", WINDOWS_1250),
            ("Съешь ещё этих мягких французских булок", encoding_rs::WINDOWS_1251),
            ("Съешь ещё этих мягких французских булок", encoding_rs::KOI8_R),
            ("Η γρήγορη αλεπού πηδάει πάνω από το σκυλί", encoding_rs::WINDOWS_1253),
            ("הנסיך הקטן ישב על הכוכב שלו", encoding_rs::WINDOWS_1255),
            ("نص حكيم له سر قاطع وذو شأن عظيم", encoding_rs::WINDOWS_1256),
            ("เป็นมนุษย์สุดประเสริฐเลิศคุณค่า", encoding_rs::WINDOWS_874),
            ("いろはにほへと散りぬるを", encoding_rs::SHIFT_JIS),
            ("いろはにほへと散りぬるを", encoding_rs::EUC_JP),
            ("天地玄黄，宇宙洪荒。", encoding_rs::GBK),
            ("天地玄黃，宇宙洪荒。", encoding_rs::BIG5),
            ("모든 국민은 법 앞에 평등하다.", encoding_rs::EUC_KR),
        ] {
            let (bytes, _, unmappable) = encoding.encode(text);
            assert!(!unmappable, "{text}");
            for times in [1, 2, 10, 100] {
                assert!(!is_clearly_western(&bytes.repeat(times)), "{text} in {}", encoding.name());
            }
        }
    }

    #[test]
    fn other_alphabets_are_not_compared() {
        assert_eq!(compare_encodings(b"\xD0\xD2\xC9", encoding_rs::KOI8_R), None);
        assert_eq!(compare_encodings(b"\xE0\xEB", encoding_rs::WINDOWS_1257), None);
    }

    #[test]
    fn a_letter_that_is_the_same_in_all_encodings_has_no_second_candidate() {
        let comparison = compare_encodings(b"f\xFCr", WINDOWS_1252).unwrap();
        assert_eq!((comparison.encoding, comparison.margin), (WINDOWS_1252, u32::MAX));
    }

    #[test]
    fn a_long_text_does_not_overflow() {
        let comparison = compare_encodings(&[0xFF; 1 << 16], WINDOWS_1252).unwrap();
        assert!(comparison.margin < u32::MAX);
    }
}
