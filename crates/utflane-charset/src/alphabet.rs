//! Distinguishes the encodings of Latin alphabets: western, central European and Turkish.
//!
//! They have the same bytes for different letters. Each language uses few letters beyond ASCII, and
//! some of them much more often than others. So each candidate encoding has a cost in bits: the
//! rarity of its letters in the language that fits best. The cheapest candidate wins. The
//! frequencies come from the first halves of Debian's manual pages; `benches/detection/compare.py
//! --letters` prints them. A character where no text has it, such as `¿` within a word, costs more
//! than any letter.

use std::sync::LazyLock;

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
/// The cost of a character between neighbours with which no text has it.
const MISPLACED: u32 = 12;
/// The cost of a letter up to which it is usual, on average over the letters of a text.
const USUAL: u32 = 5;
/// The bits by which another encoding must be cheaper if `chardetng` returns windows-1252.
const UNNAMED: u32 = 2;

/// Letters beyond ASCII from which a western text may be clear.
const CLEAR_LETTERS: u32 = 24;
/// The cost of a letter in bits up to which a text is clear, on average over its letters.
const CLEAR_COST: u32 = 4;
/// The smallest cost difference to the second candidate for a clear answer.
const CLEAR_MARGIN: u32 = 16;
/// Letters after which the rest of a clear text is not looked at.
const ENOUGH_LETTERS: u32 = 256;

/// The cheapest candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) encoding: &'static Encoding,
    /// The additional cost of the second candidate in bits; `u32::MAX` if no other candidate
    /// differs.
    pub(crate) margin: u32,
    /// The encoding of the second candidate.
    pub(crate) second: &'static Encoding,
    /// True if a language that uses the encoding has these letters.
    pub(crate) is_usual: bool,
}

/// Returns the encoding of `text`, if `named` is one of the compared encodings. `named` is the
/// answer of `chardetng`; it decides between candidates of about the same cost.
pub(crate) fn read(text: &[u8], named: &'static Encoding) -> Option<Reading> {
    if ALPHABETS.iter().all(|alphabet| alphabet.encoding != named) {
        return None;
    }
    Some(compared(&ALPHABETS.each_ref().map(|alphabet| Letters::of(alphabet, text)), named))
}

/// Compares the candidate encodings of a text. The first one is western.
fn compared(readings: &[Letters; 4], named: &'static Encoding) -> Reading {
    let cost = |letters: &Letters| {
        let encoding = letters.alphabet.encoding;
        let unnamed = u32::from(encoding != WINDOWS_1252 && named == WINDOWS_1252) * UNNAMED;
        letters.cost(SIGN) + unnamed
    };
    let costs = readings.each_ref().map(cost);
    let encodings = readings.each_ref().map(|letters| letters.alphabet.encoding);
    // If costs are equal, windows-1252 wins, and then the named encoding.
    let rank = |i: usize| (costs[i], encodings[i] != WINDOWS_1252, encodings[i] != named);
    let best = (0..readings.len()).min_by_key(|&i| rank(i)).unwrap_or(0);
    let others = (0..readings.len()).filter(|&i| !readings[i].are_those_of(&readings[best]));
    let second = others.min_by_key(|&i| costs[i]);
    Reading {
        encoding: encodings[best],
        margin: second.map_or(u32::MAX, |second| costs[second] - costs[best]),
        second: encodings[second.unwrap_or(best)],
        is_usual: readings[best].are_usual(),
    }
}

/// Returns true if the letters of `text`, decoded as windows-1252, are a western language's.
pub(crate) fn is_western(text: &[u8]) -> bool {
    Letters::of(&ALPHABETS[0], text).are_usual()
}

/// Returns true if the letters of `text` are so many and so frequent in a western language that no
/// other opinion is needed.
pub(crate) fn is_clearly_western(text: &[u8]) -> bool {
    let mut left = ENOUGH_LETTERS;
    let end = text.iter().position(|byte| {
        left -= u32::from(!byte.is_ascii());
        left == 0
    });
    // With the byte after the last letter.
    let text = &text[..end.map_or(text.len(), |end| text.len().min(end + 2))];
    let readings = ALPHABETS.each_ref().map(|alphabet| Letters::of(alphabet, text));
    let western = &readings[0];
    let count = western.sum(|_, is_letter, count, _| if is_letter { count } else { 0 });
    if count < CLEAR_LETTERS || western.cost(0) > count.saturating_mul(CLEAR_COST) {
        return false;
    }
    let reading = compared(&readings, WINDOWS_1252);
    reading.encoding == WINDOWS_1252 && reading.margin >= CLEAR_MARGIN
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'ª' | 'µ' | 'º')
}

/// Returns true if a character beyond ASCII is a sign that stands alone: no letter, and no mark
/// such as a quotation mark or a dash, of which several may follow each other.
fn is_sign(c: char) -> bool {
    !(c.is_ascii() || is_letter(c) || "\u{A0}\u{AD}·´«»‘’‚“”„‹›–—…".contains(c))
}

/// The kind of a character: its bits.
#[derive(Clone, Copy)]
struct Kind(u8);

impl Kind {
    const LETTER: u8 = 1;
    const CAPITAL: u8 = 2;
    const SMALL: u8 = 4;
    const SIGN: u8 = 8;
    const ASCII: u8 = 16;

    fn of(c: char) -> Self {
        let bits = [is_letter(c), c.is_uppercase(), c.is_lowercase(), is_sign(c), c.is_ascii()];
        Self(bits.iter().rev().fold(0, |kind, &bit| kind << 1 | u8::from(bit)))
    }

    fn is(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    /// Returns true if no text has this between `before` and `after`: a sign within a word, after a
    /// letter beyond ASCII or beside another sign, or a capital letter after a small one.
    fn is_misplaced(self, before: Self, after: Self) -> bool {
        if self.is(Self::LETTER) {
            return self.is(Self::CAPITAL) && before.is(Self::SMALL);
        }
        let is_in_word =
            before.is(Self::LETTER) && (after.is(Self::LETTER) || !before.is(Self::ASCII));
        self.is(Self::SIGN) && (is_in_word || before.is(Self::SIGN) || after.is(Self::SIGN))
    }
}

/// An encoding by its bytes.
struct Alphabet {
    encoding: &'static Encoding,
    characters: [char; 256],
    kinds: [Kind; 256],
    /// For each of its languages the costs of letters and of control characters, and 0 for signs.
    costs: Vec<[u8; 256]>,
}

/// The encodings that are compared.
static ALPHABETS: LazyLock<[Alphabet; 4]> =
    LazyLock::new(|| [WINDOWS_1252, WINDOWS_1250, ISO_8859_2, WINDOWS_1254].map(Alphabet::new));

impl Alphabet {
    fn new(encoding: &'static Encoding) -> Self {
        let bytes: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        let (all, _) = encoding.decode_without_bom_handling(&bytes);
        let mut characters = ['\0'; 256];
        for (character, c) in characters.iter_mut().zip(all.chars()) {
            *character = c;
        }
        let languages = LANGUAGES.iter().filter(|language| language.encodings.contains(&encoding));
        let costs = languages.map(|language| {
            characters.map(|c| match c {
                '\u{80}'..='\u{9F}' | '\u{FFFD}' => RARE as u8,
                _ if is_letter(c) => language.bits(c) as u8,
                _ => 0,
            })
        });
        let costs = costs.collect();
        Self { encoding, characters, kinds: characters.map(Kind::of), costs }
    }

    /// Returns true if a byte has the cost of a sign: letters have costs above zero.
    fn is_sign(&self, byte: usize) -> bool {
        self.costs.first().is_none_or(|costs| costs[byte] == 0)
    }
}

/// The bytes beyond ASCII of a text as characters of an alphabet: how often each occurs, and how
/// often it is misplaced.
struct Letters {
    alphabet: &'static Alphabet,
    /// The occurring characters, in order: each with its counts between usual and unusual
    /// neighbours.
    counts: Vec<(u8, u32, u32)>,
}

impl Letters {
    fn of(alphabet: &'static Alphabet, text: &[u8]) -> Self {
        let mut counts = [[0_u32; 2]; 128];
        for (i, &byte) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let beside =
                |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(b' ');
            let [before, after] = [i.checked_sub(1), i.checked_add(1)].map(beside);
            let [before, kind, after] =
                [before, byte, after].map(|byte| alphabet.kinds[usize::from(byte)]);
            let is_misplaced = kind.is_misplaced(before, after);
            counts[usize::from(byte - 0x80)][usize::from(is_misplaced)] += 1;
        }
        let occurring = (0x80..=0xFF).zip(counts).filter(|(_, count)| count != &[0, 0]);
        Self { alphabet, counts: occurring.map(|(byte, [fine, bad])| (byte, fine, bad)).collect() }
    }

    /// Returns true if they are the same characters, in place and not, as those of another
    /// alphabet.
    fn are_those_of(&self, other: &Self) -> bool {
        let character = |letters: &Self, byte: u8| letters.alphabet.characters[usize::from(byte)];
        self.counts == other.counts
            && self.counts.iter().all(|&(byte, ..)| character(self, byte) == character(other, byte))
    }

    /// Returns true if they are the letters of a language.
    fn are_usual(&self) -> bool {
        self.cost(0)
            <= self.sum(|_, is_letter, count, misplaced| {
                let counted = if is_letter { count.saturating_add(misplaced) } else { misplaced };
                counted.saturating_mul(USUAL)
            })
    }

    /// The sum over the bytes of a hash of their index, their kind (letter or not), and their
    /// counts.
    fn sum(&self, each: impl Fn(usize, bool, u32, u32) -> u32) -> u32 {
        self.counts.iter().fold(0, |sum: u32, &(byte, count, misplaced)| {
            let byte = usize::from(byte);
            let is_letter = self.alphabet.kinds[byte].is(Kind::LETTER);
            sum.saturating_add(each(byte, is_letter, count, misplaced))
        })
    }

    /// Their cost in the language that fits best, where a sign costs `sign`.
    fn cost(&self, sign: u32) -> u32 {
        let costs = self.alphabet.costs.iter().map(|costs| {
            self.sum(|byte, _, count, misplaced| {
                let each = if self.alphabet.is_sign(byte) { sign } else { costs[byte].into() };
                count.saturating_mul(each).saturating_add(misplaced.saturating_mul(MISPLACED))
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
    fn many_usual_letters_are_clear() {
        for &(sentence, encoding) in SENTENCES {
            let bytes = encoding.encode(sentence).0.repeat(10);
            assert_eq!(is_clearly_western(&bytes), encoding == WINDOWS_1252, "{sentence}");
            // The text after enough letters is not examined.
            let more = [&bytes.repeat(20)[..], &[0xD0; 1000]].concat();
            assert_eq!(is_clearly_western(&more), encoding == WINDOWS_1252, "{sentence}");
        }
        let (few, ..) = WINDOWS_1252.encode("L’élève a déjà mangé.");
        assert!(!is_clearly_western(&few));
        assert!(!is_clearly_western(b"plain"));
    }

    #[test]
    fn other_alphabets_are_never_clear() {
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
