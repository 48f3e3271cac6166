//! The tables of languages and code pages, read from the file that `benches/detection/train.py`
//! writes.

use std::sync::LazyLock;

use utflane::code_page::CodePage;

/// The file, whose format is described in `train.py`.
static FILE: &[u8] = include_bytes!("tables.bin");

/// The tables, read at their first use: this takes a millisecond.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

/// Costs are counted in steps of a sixteenth of a bit.
pub(super) const STEPS_PER_BIT: u32 = 16;

/// The maximum number of languages.
pub(super) const LANGUAGES_MAX: usize = 64;

/// The kinds of characters that are no letters of a language.
pub(super) const SPACE: u8 = 0;
/// Symbols, before parts of frames.
pub(super) const SYMBOL: u8 = 8;
pub(super) const CONTROL: u8 = 10;
const FOREIGN_LATIN: u8 = 11;
const FOREIGN: u8 = 12;
const ASCII_LETTER: u8 = 13;
/// The first kind of letters: small Latin ones. Capitals, and letters without case, follow, and
/// then the same for other scripts.
const FIRST_LETTER: u8 = 14;

/// A character of the code pages.
#[derive(Clone, Copy)]
struct Character {
    code: u16,
    /// The letter in lower case, or 0.
    letter: u16,
    kind: u8,
    /// The cost of the character within its kind, in steps.
    steps: u8,
}

/// A language.
pub(super) struct Language {
    /// The code of ISO 639.
    pub(super) code: &'static str,
    /// The number of classes of characters.
    pub(super) classes: usize,
    /// The class of each character of the code pages, by its index.
    pub(super) class_of: Vec<u8>,
    /// The costs of each class, in steps.
    singles: &'static [u8],
    /// The costs of each pair of classes, in steps, by the first class.
    pub(super) pairs: &'static [u8],
    /// True if the alphabet is Latin.
    pub(super) is_latin: bool,
}

/// What a byte is in a code page.
#[derive(Clone, Copy)]
pub(super) struct Byte {
    /// The index of the character.
    pub(super) character: u16,
    /// The cost of the character within its kind, in steps.
    pub(super) steps: u8,
    /// 0 if it is no letter, 1 for a small letter, 2 for a capital, 3 for a letter without case.
    pub(super) case: u8,
}

/// A code page with the languages that are written in it.
pub(super) struct Page {
    pub(super) page: &'static CodePage,
    pub(super) bytes: Box<[Byte; 256]>,
    pub(super) is_ebcdic: bool,
    /// Indexes of languages.
    languages: &'static [u8],
}

/// A candidate: a code page and a language.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) page: u8,
    pub(super) language: u8,
    /// The cost of the candidate itself, in steps.
    pub(super) prior_steps: u16,
    /// True for cp037, and for pages of the language's own country without the sign of the euro.
    pub(super) is_typical: bool,
}

pub(super) struct Tables {
    pub(super) languages: Vec<Language>,
    pub(super) pages: Vec<Page>,
    /// The candidates of pages with ASCII, then those of EBCDIC.
    pub(super) pairs: [Vec<Pair>; 2],
    /// The cost of each pair of letters of ASCII, or of a space, in each Latin language, in steps.
    pub(super) ascii_pairs: Vec<[u8; LANGUAGES_MAX]>,
    /// The cost of each non-ASCII byte in each candidate with ASCII, in steps: a row for each byte.
    pub(super) byte_steps: Vec<u8>,
}

/// The cost of a byte to which a page assigns no character.
const UNASSIGNED_STEPS: u8 = 255;

/// Reads the file from its start.
struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, len: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn u16(&mut self) -> u16 {
        let bytes = self.take(2);
        u16::from_le_bytes([bytes[0], bytes[1]])
    }

    fn text(&mut self, len: usize) -> &'static str {
        str::from_utf8(self.take(len)).expect("names are ASCII").trim_end_matches('\0')
    }
}

impl Tables {
    fn read() -> Self {
        let mut reader = Reader(FILE);
        let mut characters: Vec<Character> = (0..reader.u16())
            .map(|_| Character {
                code: reader.u16(),
                letter: reader.u16(),
                kind: reader.u8(),
                steps: reader.u8(),
            })
            .collect();
        // Bytes without a character are the last one.
        let unassigned = characters.len() as u16;
        let steps = UNASSIGNED_STEPS;
        characters.push(Character { code: 0, letter: 0, kind: CONTROL, steps });
        let languages: Vec<_> =
            (0..reader.u8()).map(|_| read_language(&mut reader, &characters)).collect();
        let mut by_code = vec![unassigned; 0x1_0000];
        for (i, character) in characters[..usize::from(unassigned)].iter().enumerate() {
            by_code[usize::from(character.code)] = i as u16;
        }
        let mut pages = Vec::new();
        while !reader.0.is_empty() {
            let len = reader.u8().into();
            let name = reader.text(len);
            let len = reader.u8().into();
            let languages = reader.take(len);
            if let Some(page) = CodePage::all().find(|page| page.name().eq_ignore_ascii_case(name))
            {
                pages.push(Page::new(page, languages, &by_code, &characters));
            }
        }
        let pairs = [false, true].map(|is_ebcdic| find_pairs(&pages, &languages, is_ebcdic));
        let byte_steps = byte_steps(&pages, &languages, &pairs[0]);
        let ascii_pairs = ascii_pairs(&languages);
        Self { languages, pages, pairs, ascii_pairs, byte_steps }
    }
}

/// Returns the candidates of pages with ASCII, or of EBCDIC.
fn find_pairs(pages: &[Page], languages: &[Language], is_ebcdic: bool) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (index, page) in pages.iter().enumerate().filter(|(_, page)| page.is_ebcdic == is_ebcdic) {
        let name = page.page.name();
        let homes = HOMES.iter().find(|(home, _)| *home == name).map(|(_, codes)| *codes);
        let abroad_bits = match homes {
            Some(_) if is_ebcdic => EBCDIC_ABROAD_BITS,
            Some(_) => ABROAD_BITS,
            None => 0,
        };
        let own_bits = prior_bits(page.page);
        for &language in page.languages {
            let code = languages[usize::from(language)].code;
            let is_home = homes.is_some_and(|codes| codes.split(' ').any(|home| home == code));
            let bits = own_bits + if is_home { 0 } else { abroad_bits };
            let prior_steps = (bits * STEPS_PER_BIT) as u16;
            let is_typical = name == "cp037" || is_home && !name.starts_with("cp11");
            pairs.push(Pair { page: index as u8, language, prior_steps, is_typical });
        }
    }
    pairs
}

/// Returns the cost of each non-ASCII byte in each candidate, a row for each byte.
fn byte_steps(pages: &[Page], languages: &[Language], pairs: &[Pair]) -> Vec<u8> {
    let mut all = vec![0; 128 * pairs.len()];
    for (i, pair) in pairs.iter().enumerate() {
        let bytes = &pages[usize::from(pair.page)].bytes[0x80..];
        let language = &languages[usize::from(pair.language)];
        for (row, byte) in all.chunks_exact_mut(pairs.len()).zip(bytes) {
            row[i] = byte.single_steps(language);
        }
    }
    all
}

/// Returns the costs of pairs of ASCII letters. The first letters of a Latin alphabet are those of
/// ASCII.
fn ascii_pairs(languages: &[Language]) -> Vec<[u8; LANGUAGES_MAX]> {
    let class = |letter: usize| match letter {
        0 => usize::from(SPACE),
        _ => usize::from(FIRST_LETTER) + letter - 1,
    };
    let mut rows = vec![[0; LANGUAGES_MAX]; 27 * 27];
    for (i, row) in rows.iter_mut().enumerate() {
        for (language, steps) in languages.iter().zip(row) {
            if language.is_latin {
                *steps = language.pairs[class(i / 27) * language.classes + class(i % 27)];
            }
        }
    }
    rows
}

fn read_language(reader: &mut Reader, characters: &[Character]) -> Language {
    let code = reader.text(4);
    let letters: Vec<u16> = (0..reader.u8()).map(|_| reader.u16()).collect();
    let classes = usize::from(FIRST_LETTER) + letters.len();
    let (singles, pairs) = (reader.take(classes), reader.take(classes * classes));
    let is_latin = letters.first() == Some(&u16::from(b'a'));
    let class_of = characters.iter().map(|character| match character.kind {
        kind @ ..FIRST_LETTER => kind,
        // The letters are sorted.
        kind => match letters.binary_search(&character.letter) {
            Ok(class) => FIRST_LETTER + class as u8,
            Err(_) if character.letter < 0x80 => ASCII_LETTER,
            Err(_) if kind < FIRST_LETTER + 3 && is_latin => FOREIGN_LATIN,
            Err(_) => FOREIGN,
        },
    });
    Language { code, classes, class_of: class_of.collect(), singles, pairs, is_latin }
}

impl Byte {
    /// Returns the cost of the byte in a language without its neighbours.
    pub(super) fn single_steps(&self, language: &Language) -> u8 {
        const CAPITAL_STEPS: u32 = STEPS_PER_BIT / 2;
        let class = language.class_of[usize::from(self.character)];
        let single = language.singles[usize::from(class)];
        let capital = if self.case == 2 { CAPITAL_STEPS } else { 0 };
        (u32::from(single) + u32::from(self.steps) + capital).min(255) as u8
    }
}

impl Page {
    fn new(
        page: &'static CodePage,
        languages: &'static [u8],
        by_code: &[u16],
        characters: &[Character],
    ) -> Self {
        let unassigned = characters.len() - 1;
        let mut bytes = Box::new([Byte { character: 0, steps: 0, case: 0 }; 256]);
        for (value, byte) in (0..=255).zip(bytes.iter_mut()) {
            let code = page.character(value).map_or(unassigned, |c| by_code[c as usize].into());
            let character = characters[code];
            let case = match character.kind {
                FIRST_LETTER.. => (character.kind - FIRST_LETTER) % 3 + 1,
                _ => 0,
            };
            *byte = Byte { character: code as u16, steps: character.steps, case };
        }
        let is_ebcdic = page.group() == "EBCDIC";
        Self { page, bytes, is_ebcdic, languages }
    }
}

impl Page {
    /// Returns a number that two pages share if they have the same characters for some bytes.
    pub(super) fn signature(&self, bytes: &[u8]) -> u64 {
        bytes.iter().fold(0, |sum: u64, &byte| {
            let character = self.bytes[usize::from(byte)].character;
            (sum.rotate_left(23) ^ u64::from(character)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
    }
}

/// Returns the cost of a page in bits: how much rarer it is than windows-1252.
fn prior_bits(page: &CodePage) -> u32 {
    let by_group = match page.group() {
        "Windows" => 0,
        "ISO" | "Unix" => 1,
        "DOS" | "Mac" => 3,
        _ => 4,
    };
    let rare = match page.name() {
        "iso-8859-3" | "iso-8859-4" | "iso-8859-10" | "iso-8859-14" | "iso-8859-16" => 2,
        "cp864" => 27,
        "hp-roman8" => 4,
        "windows-1258" | "koi8-t" | "kz-1048" | "ptcp154" => 2,
        "cp437" | "cp850" | "cp852" | "ibm866" | "macintosh" | "cp037" | "cp500" => 0,
        "iso-8859-1" | "iso-8859-2" | "iso-8859-5" | "iso-8859-7" | "iso-8859-9" => 0,
        "koi8-r" | "koi8-u" => 0,
        _ if page.group() == "Windows" => 0,
        _ => 1,
    };
    match page.name() {
        "iso-8859-1" => 0,
        _ => by_group + rare,
    }
}

/// The languages for which pages were made, as far as others can be written in them too.
const HOMES: [(&str, &str); 55] = [
    ("iso-8859-2", "cs hr hu pl ro sk sl sq"),
    ("iso-8859-3", "eo mt"),
    ("iso-8859-4", "et lt lv"),
    ("iso-8859-9", "tr"),
    ("iso-8859-10", "da et fi fo is lt lv nb nn sv"),
    ("iso-8859-13", "et lt lv pl"),
    ("iso-8859-14", "br cy ga gd"),
    ("iso-8859-16", "ga hr hu pl ro sl sq"),
    ("windows-1250", "cs hr hu pl ro sk sl sq"),
    ("windows-1254", "tr"),
    ("windows-1256", "ar fa"),
    ("windows-1257", "et lt lv pl"),
    ("windows-1258", "vi"),
    ("koi8-r", "bg ru"),
    ("koi8-t", "tg"),
    ("koi8-u", "be uk"),
    ("cp1125", "uk"),
    ("kz-1048", "kk"),
    ("ptcp154", "kk mn"),
    ("cp720", "ar"),
    ("cp775", "et lt lv pl"),
    ("cp852", "cs hr hu pl ro sk sl sq"),
    ("cp857", "tr"),
    ("cp860", "pt"),
    ("cp861", "fo is"),
    ("cp863", "fr"),
    ("cp865", "da nb nn"),
    ("x-mac-ce", "cs et hu lt lv pl sk sl"),
    ("x-mac-turkish", "tr"),
    ("x-mac-croatian", "hr sl"),
    ("x-mac-romanian", "ro"),
    ("x-mac-icelandic", "fo is"),
    ("x-mac-greek", "el"),
    ("cp273", "de"),
    ("cp277", "da nb nn"),
    ("cp278", "fi sv"),
    ("cp280", "it"),
    ("cp284", "ca es eu gl"),
    ("cp285", "en ga gd"),
    ("cp297", "fr"),
    ("cp424", "he"),
    ("cp871", "fo is"),
    ("cp875", "el"),
    ("cp1026", "tr"),
    ("cp1141", "de"),
    ("cp1142", "da nb nn"),
    ("cp1143", "fi sv"),
    ("cp1144", "it"),
    ("cp1145", "ca es eu gl"),
    ("cp1146", "en ga gd"),
    ("cp1147", "fr"),
    ("cp1149", "fo is"),
    ("cp737", "el"),
    ("cp862", "he"),
    ("cp864", "ar"),
];

/// The cost in bits of a language in a page that was not made for it.
const ABROAD_BITS: u32 = 5;
/// Like [`ABROAD_BITS`], in the national pages of EBCDIC, which differ in signs.
const EBCDIC_ABROAD_BITS: u32 = 20;
