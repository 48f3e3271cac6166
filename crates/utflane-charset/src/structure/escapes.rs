//! Encodings of 7 bits whose escape sequences select a set of characters: ISO-2022-JP, ISO-2022-KR,
//! ISO-2022-CN, with their extensions, and HZ.

use super::costs::{OTHER_ASCII, RARE};
use super::double_byte::{DoubleByte, EUC_JP, EUC_KR, EUC_TW, GBK, NARROW_COST, class_of_ascii};
use super::forms::flat;
use super::tally::Tally;
use super::{Structure, find};

const ESC: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The sets that are selected: G0 by `SI`, G1 by `SO`, and for one character G2 by `ESC N` and G3
/// by `ESC O`.
const G0: usize = 0;
const G1: usize = 1;
const G2: usize = 2;
const G3: usize = 3;

/// The mean cost in bits of a character above which the pairs of HZ are ordinary ASCII.
const HZ_MAX_MEAN_BITS: usize = 13;

/// A set of characters.
#[derive(Clone, Copy)]
enum Set {
    /// ASCII, or a set that differs from ASCII in two characters.
    Ascii,
    /// One byte a character.
    Single,
    /// Two bytes a character, which with the high bits set are a character of this encoding.
    Double(&'static DoubleByte),
    /// Two bytes a character, all of them rare.
    Rare,
}

const JIS: Set = Set::Double(&EUC_JP);
const KS: Set = Set::Double(&EUC_KR);
const GB: Set = Set::Double(&GBK);
const CNS: Set = Set::Double(&EUC_TW);

/// The bytes after `ESC`, which set they select as G0 to G3, and the encoding that has them. The
/// encodings of one language extend each other in the order of their names.
static DESIGNATIONS: [(&[u8], usize, Set, &str); 23] = [
    (b"(B", G0, Set::Ascii, "iso-2022-jp"),
    (b"(J", G0, Set::Ascii, "iso-2022-jp"),
    (b"(I", G0, Set::Single, "iso-2022-jp"),
    (b"$@", G0, JIS, "iso-2022-jp"),
    (b"$B", G0, JIS, "iso-2022-jp"),
    (b"$(D", G0, Set::Rare, "iso-2022-jp-1"),
    (b"$A", G0, GB, "iso-2022-jp-2"),
    (b"$(C", G0, KS, "iso-2022-jp-2"),
    (b".A", G2, Set::Single, "iso-2022-jp-2"),
    (b".F", G2, Set::Single, "iso-2022-jp-2"),
    (b"$(Q", G0, JIS, "iso-2022-jp-2004"),
    (b"$(P", G0, Set::Rare, "iso-2022-jp-2004"),
    (b"$(O", G0, JIS, "iso-2022-jp-3"),
    (b"$)C", G1, KS, "iso-2022-kr"),
    (b"$)A", G1, GB, "iso-2022-cn"),
    (b"$)G", G1, CNS, "iso-2022-cn"),
    (b"$*H", G2, Set::Rare, "iso-2022-cn"),
    (b"$)E", G1, Set::Rare, "iso-2022-cn-ext"),
    (b"$+I", G3, Set::Rare, "iso-2022-cn-ext"),
    (b"$+J", G3, Set::Rare, "iso-2022-cn-ext"),
    (b"$+K", G3, Set::Rare, "iso-2022-cn-ext"),
    (b"$+L", G3, Set::Rare, "iso-2022-cn-ext"),
    (b"$+M", G3, Set::Rare, "iso-2022-cn-ext"),
];

/// The languages of the encodings that begin with these names.
const LANGUAGES: [(&str, &str); 3] =
    [("iso-2022-jp", "ja"), ("iso-2022-kr", "ko"), ("iso-2022-cn", "zh")];

/// Reads `text`, which is ASCII, as one of the encodings of ISO-2022. Returns `None` if it has no
/// character of one, too many errors, or sequences of two encodings.
pub(super) fn read_iso_2022(text: &[u8]) -> Option<Structure> {
    let first = find(text, |byte| byte == ESC)?;
    let mut reader = Iso2022 {
        tally: Tally::new("", None),
        sets: [Set::Ascii; 4],
        name: "",
        current: G0,
        before: OTHER_ASCII,
    };
    let mut at = first;
    while at < text.len() {
        at += reader.step(text, at)?;
    }
    let (_, language) = LANGUAGES.iter().find(|(name, _)| reader.name.starts_with(name))?;
    reader.tally.rename(reader.name, language);
    (reader.tally.characters() > 0).then(|| reader.tally.finish(text.len()))
}

/// The state of a reader of ISO-2022.
struct Iso2022 {
    tally: Tally,
    /// The sets G0 to G3.
    sets: [Set; 4],
    /// The name of the encoding; empty before the first escape sequence.
    name: &'static str,
    /// The set that bytes are in: G0 or G1.
    current: usize,
    /// The class of the character before.
    before: u8,
}

impl Iso2022 {
    /// Reads a character or an escape sequence at `at`, and returns its length; `None` if the text
    /// is in none of the encodings.
    fn step(&mut self, text: &[u8], at: usize) -> Option<usize> {
        match text[at] {
            ESC => return self.escape(text, at),
            SHIFT_OUT => self.current = G1,
            SHIFT_IN => self.current = G0,
            b'\n' if self.current == G1 => self.current = G0,
            _ => return self.character(text, at, self.sets[self.current]),
        }
        Some(1)
    }

    /// Reads an escape sequence.
    fn escape(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let sequence = &text[at + 1..];
        let designation = DESIGNATIONS.iter().find(|(bytes, ..)| sequence.starts_with(bytes));
        if let Some(&(bytes, into, set, name)) = designation {
            // Two languages have no encoding in common.
            if !self.name.is_empty() && self.name[..11] != name[..11] {
                return None;
            }
            self.name = self.name.max(name);
            self.sets[into] = set;
            return Some(1 + bytes.len());
        }
        let single_shift = match sequence.first() {
            Some(b'N') => self.sets[G2],
            Some(b'O') => self.sets[G3],
            _ => Set::Ascii,
        };
        match single_shift {
            Set::Single | Set::Double(_) | Set::Rare => {
                Some(2 + self.character(text, at + 2, single_shift)?)
            }
            Set::Ascii if DESIGNATIONS.iter().any(|(bytes, ..)| bytes.starts_with(sequence)) => {
                self.tally.cut(at);
                Some(text.len() - at)
            }
            Set::Ascii => self.tally.add_error(at).map(|()| 1),
        }
    }

    /// Reads a character of `set` at `at`.
    fn character(&mut self, text: &[u8], at: usize, set: Set) -> Option<usize> {
        let Some(&byte) = text.get(at) else {
            self.tally.cut(at);
            return Some(0);
        };
        // Control characters are the same in all sets.
        if matches!(set, Set::Ascii) || byte <= b' ' {
            self.before = class_of_ascii(byte);
            return Some(1);
        }
        let len = if matches!(set, Set::Single) { 1 } else { 2 };
        let Some(bytes) = text.get(at..at + len) else {
            self.tally.cut(at);
            return Some(1);
        };
        let character = match set {
            Set::Double(encoding) => encoding.pair(self.before, [bytes[0] | 0x80, bytes[1] | 0x80]),
            Set::Rare => Some(flat(RARE, 14)),
            Set::Ascii | Set::Single => Some(NARROW_COST),
        };
        let Some((class, steps)) = character else {
            return self.tally.add_error(at).map(|()| 1);
        };
        self.tally.add_character(bytes, steps);
        self.before = class;
        Some(len)
    }
}

/// Reads `text`, which is ASCII, as HZ. Returns `None` if it has no character, too many errors, or
/// if its characters are so rare that they are ordinary ASCII.
pub(super) fn read_hz(text: &[u8]) -> Option<Structure> {
    let mut tally = Tally::new("hz", Some("zh"));
    let (mut at, mut before, mut is_double) =
        (find(text, |byte| byte == b'~')?, OTHER_ASCII, false);
    while let Some(&byte) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (byte, next) {
            (b'~', None) => tally.cut(at),
            (b'~', Some(b'{')) if !is_double => (is_double, at) = (true, at + 1),
            (b'~', Some(b'}')) if is_double => (is_double, at) = (false, at + 1),
            (b'~', Some(b'~' | b'\n')) if !is_double => at += 1,
            (b'~', _) => tally.add_error(at)?,
            // A line ends the characters of two bytes.
            (b'\n', _) => is_double = false,
            _ if !is_double => before = class_of_ascii(byte),
            (_, None) => tally.cut(at),
            (_, Some(next)) => match GBK.pair(before, [byte | 0x80, next | 0x80]) {
                Some((class, steps)) => {
                    tally.add_character(&text[at..at + 2], steps);
                    (before, at) = (class, at + 1);
                }
                None => tally.add_error(at)?,
            },
        }
        at += 1;
    }
    let characters = tally.characters();
    let is_usual = tally.bits() as usize <= HZ_MAX_MEAN_BITS * characters;
    (characters > 0 && is_usual).then(|| tally.finish(text.len()))
}
