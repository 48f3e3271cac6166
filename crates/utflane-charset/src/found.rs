//! Detection of a text's encoding: by the library, by `chardetng`, the detector of Firefox, for the
//! encodings of the web that the library doesn't have, and by the frequencies of letters, for
//! alphabets of Latin letters.

use std::borrow::Cow;
use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding, ISO_2022_JP, WINDOWS_1252};
use utflane::Scheme;
use utflane::detect::{self, Confidence, Detection, Mixture, Reason, detect, detect_prefix};

use crate::alphabet::{self, Reading};
use crate::charset::Charset;
use crate::declared::{self, HEAD_BYTES};
use crate::evidence;

/// The number of letters beyond ASCII from which `chardetng` distinguishes Latin-1 from alphabets
/// with as few of them, as Baltic languages have. With half as many, it names 1 % of western texts
/// wrongly.
const ENOUGH: usize = 32;

/// Bits by which the best candidate must be better than the second one.
const CLEAR: u32 = 4;

/// Bytes by which letters are judged. `chardetng` reads 12 MB/s, and judges longer texts no better.
const SAMPLE: usize = 16 * 1024;

/// Bytes before the first letter beyond ASCII that belong to the sample.
const CONTEXT: usize = 64;

/// The reason of an answer by [`alphabet`].
const LETTERS: &str = "its letters are as frequent as in languages written in it";
/// The reason of an answer by `chardetng`.
const OTHER: &str = "its letters stand together as in languages written in it";

/// The reason of an answer by [`declared`].
const DECLARED: &str = "declared at the start of the text, and its bytes agree";

/// The reason of an answer by [`declared`] that the letters contradict.
const CONTRADICTED: &str = "declared at the start of the text, but its letters contradict that";

/// The answer of [`detect_text`].
#[derive(Debug, PartialEq)]
pub struct Found {
    /// The encoding; `None` if the file is no text, or is in several encodings.
    pub charset: Option<Charset>,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// The reason in words.
    pub reason: Cow<'static, str>,
    /// True if the file begins with a byte order mark.
    pub marked: bool,
    /// Other encodings that are possible, if the answer is a guess.
    pub others: Vec<Charset>,
    /// The parts of a file in different encodings.
    pub mixture: Option<Mixture>,
}

impl Found {
    /// The name of the encoding, `mixed` or `binary`.
    pub fn name(&self) -> &'static str {
        match (self.charset, self.mixture) {
            (Some(charset), _) => charset.name(),
            (None, Some(_)) => "mixed",
            (None, None) => "binary",
        }
    }

    /// The bytes of the byte order mark that the text begins with: they are no part of the text.
    pub fn mark_len(&self) -> usize {
        match self.charset {
            Some(charset) if self.marked => charset.mark().len(),
            _ => 0,
        }
    }

    /// All possible encodings, the best one first.
    pub fn candidates(&self) -> impl Iterator<Item = Charset> {
        self.charset.into_iter().chain(self.others.iter().copied())
    }

    /// The answer of the library alone.
    fn of_library(found: &Detection) -> Self {
        Self {
            charset: Charset::detected(found),
            confidence: found.confidence(),
            reason: match found.mixture() {
                Some(mixture) => mixture.to_string().into(),
                None => found.reason().description().into(),
            },
            marked: found.reason() == Reason::Mark,
            others: Vec::new(),
            mixture: found.mixture(),
        }
    }

    /// The answer for a text that begins with `head` and is judged by `text`, of which the library
    /// says `library`.
    fn of(library: &Detection, head: &[u8], text: &[u8], whole: bool) -> Self {
        match library.reason() {
            Reason::Latin1 | Reason::Windows1252 | Reason::Legacy => {
                let (text, whole) = sample(text, whole);
                let ours = Self::of_bytes(library, text, whole).guess_if_unclear(text);
                match Self::of_declared(library, head, text) {
                    Some(declared) => declared.guess_if_contradicted(ours, text),
                    None => ours,
                }
            }
            _ => Self::of_library(library),
        }
    }

    /// The answer for a text that declares its encoding in `head`, if the bytes of `text` agree.
    fn of_declared(library: &Detection, head: &[u8], text: &[u8]) -> Option<Self> {
        let declared = declared::charset(head)?;
        let encoding = match declared {
            Charset::Legacy(encoding) => encoding,
            // As in browsers, text that is declared as Latin-1 may be windows-1252.
            Charset::Scheme(Scheme::Latin1) => WINDOWS_1252,
            Charset::Scheme(_) => return None,
        };
        // In western encodings all bytes are characters, also the bytes of text in other encodings.
        if encoding == WINDOWS_1252 && library.reason() == Reason::Legacy {
            return None;
        }
        let mut decoded = String::with_capacity(3 * text.len() + 16);
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let (result, _) = decoder.decode_to_string_without_replacement(text, &mut decoded, false);
        let is_control = |c: char| matches!(c, '\u{80}'..='\u{9F}');
        if matches!(result, DecoderResult::Malformed(..)) || decoded.contains(is_control) {
            return None;
        }
        let is_latin1 = library.reason() == Reason::Latin1 && encoding == WINDOWS_1252;
        Some(Self {
            charset: Some(if is_latin1 { declared } else { Charset::Legacy(encoding) }),
            confidence: Confidence::Likely,
            reason: DECLARED.into(),
            ..Self::of_library(library)
        })
    }

    /// Lowers the confidence of a declaration to a guess if `ours`, the answer for the bytes alone,
    /// is more than that and reads another text: all bytes are characters of many encodings, so a
    /// false declaration shows itself by letters alone.
    fn guess_if_contradicted(self, ours: Self, text: &[u8]) -> Self {
        let read = |found: &Self| match found.charset {
            Some(Charset::Legacy(encoding)) => encoding.decode_without_bom_handling(text).0,
            _ => WINDOWS_1252.decode_without_bom_handling(text).0,
        };
        if ours.confidence == Confidence::Guess || read(&self) == read(&ours) {
            return self;
        }
        let others = ours.charset.into_iter().collect();
        Self { confidence: Confidence::Guess, reason: CONTRADICTED.into(), others, ..self }
    }

    /// Lowers the confidence to a guess if `text` says little for the answer.
    fn guess_if_unclear(self, text: &[u8]) -> Self {
        let encoding = match self.charset {
            Some(Charset::Legacy(encoding)) => encoding,
            _ => WINDOWS_1252,
        };
        // The escape sequences of ISO-2022-JP are evidence enough.
        let is_clear = encoding == ISO_2022_JP || evidence::is_clear(encoding, text);
        if is_clear { self } else { Self { confidence: Confidence::Guess, ..self } }
    }

    /// Returns the answer for a text that is not Unicode; `library` is the library's answer.
    fn of_bytes(library: &Detection, text: &[u8], whole: bool) -> Self {
        let western = library.reason() != Reason::Legacy;
        if western && alphabet::is_clearly_western(text) {
            return Self::of_library(library);
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(text, whole);
        let theirs = detector.guess(None, Utf8Detection::Deny);
        let ours = Self::of_library(library);
        match alphabet::read(text, theirs) {
            Some(reading) if western && reading.encoding == WINDOWS_1252 => {
                ours.guess_if_close(&reading)
            }
            Some(reading) if reading.encoding == WINDOWS_1252 => Self {
                charset: Some(Charset::Legacy(WINDOWS_1252)),
                confidence: Confidence::Guess,
                ..ours
            },
            Some(reading) => Self { reason: LETTERS.into(), ..ours }
                .with(reading.encoding)
                .guess_if_close(&reading),
            None if !western => Self { reason: OTHER.into(), ..ours }.with(theirs),
            None => Self::of_letters(ours, text, theirs),
        }
    }

    /// The answer for a text that the library reads as western and `chardetng` in another alphabet.
    fn of_letters(ours: Self, text: &[u8], theirs: &'static Encoding) -> Self {
        let letters = text.iter().filter(|byte| !byte.is_ascii()).count();
        if letters >= ENOUGH {
            return Self { reason: OTHER.into(), ..ours }.with(theirs);
        }
        let confidence = Confidence::Guess;
        if alphabet::is_western(text) {
            let others = vec![Charset::Legacy(theirs)];
            return Self { confidence, others, ..ours };
        }
        let others = ours.charset.into_iter().collect();
        Self { reason: OTHER.into(), confidence, others, ..ours }.with(theirs)
    }

    /// This answer with another encoding.
    fn with(self, encoding: &'static Encoding) -> Self {
        Self { charset: Some(Charset::Legacy(encoding)), ..self }
    }

    /// Lowers the confidence to a guess if another candidate is about as good, or if no language
    /// has the letters.
    fn guess_if_close(self, reading: &Reading) -> Self {
        if reading.margin >= CLEAR && reading.is_usual {
            return self;
        }
        let others = match reading.margin {
            CLEAR.. => Vec::new(),
            _ => vec![Charset::Legacy(reading.second)],
        };
        Self { confidence: Confidence::Guess, others, ..self }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mixture.is_some() {
            return write!(f, "{}: {}", self.name(), self.reason);
        }
        write!(f, "{} ({}): {}", self.name(), self.confidence, self.reason)?;
        for (i, charset) in self.others.iter().enumerate() {
            write!(f, "{} {charset}", if i == 0 { "; or" } else { "," })?;
        }
        Ok(())
    }
}

/// The part of a text whose letters are examined, and true if it contains the text's end.
fn sample(text: &[u8], whole: bool) -> (&[u8], bool) {
    if text.len() <= SAMPLE {
        return (text, whole);
    }
    let first = text.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    // Before it is ASCII, so no character is cut there.
    let start = first.saturating_sub(CONTEXT);
    let end = text.len().min(start + SAMPLE);
    (&text[start..end], whole && end == text.len())
}

/// Detects the encoding of a text, or of one that begins so.
pub fn detect_text(text: &[u8], whole: bool) -> Found {
    let library = if whole { detect(text) } else { detect_prefix(text) };
    Found::of(&library, text, text, whole)
}

/// Detects the encoding of a text that comes in chunks, by all of it: [`detect::Detector`], and
/// encodings that the library does not have.
///
/// ```
/// use utflane_charset::Detector;
///
/// let mut detector = Detector::default();
/// for _ in 0..10_000 {
///     detector.push(b"plain ASCII\n");
/// }
/// detector.push(b"caf\xE9 cr\xE8me\n");
/// assert_eq!(detector.found(true).name(), "latin1");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Detector {
    library: detect::Detector,
    /// The start of the text, which may declare the encoding.
    head: Vec<u8>,
}

impl Detector {
    /// Reads the next bytes of the text.
    pub fn push(&mut self, chunk: &[u8]) {
        self.library.push(chunk);
        let more = chunk.len().min(HEAD_BYTES - self.head.len());
        self.head.extend_from_slice(&chunk[..more]);
    }

    /// Returns true if all bytes so far are plain ASCII, so that they are the same in all encodings
    /// that are possible.
    pub fn is_plain(&self) -> bool {
        self.library.is_plain()
    }

    /// Returns true if more text would not change the encoding, but show parts in another one.
    pub fn is_decided(&self) -> bool {
        self.library.is_decided()
    }

    /// Returns the number of deciding bytes so far: a little ASCII, and the bytes after it.
    pub fn deciding_len(&self) -> usize {
        self.library.sample().len()
    }

    /// Returns the number of bytes so far.
    pub fn len(&self) -> u64 {
        self.library.len()
    }

    /// Returns true if no byte has come.
    pub fn is_empty(&self) -> bool {
        self.library.is_empty()
    }

    /// Returns the parts of the text so far in different encodings.
    pub fn mixture(&self, whole: bool) -> Option<Mixture> {
        self.library.detection(whole).mixture()
    }

    /// Returns the answer for the text so far, which is the whole text if `whole`.
    pub fn found(&self, whole: bool) -> Found {
        let whole_sample = whole && !self.library.is_cut();
        Found::of(&self.library.detection(whole), &self.head, self.library.sample(), whole_sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_long_text_are_judged_wherever_they_are() {
        let russian = "Съешь ещё этих мягких французских булок, да выпей чаю. ";
        let japanese = "いろはにほへと散りぬるを、わが世たれぞ常ならむ。";
        for (sentence, encoding) in [
            (russian, encoding_rs::WINDOWS_1251),
            (japanese, encoding_rs::SHIFT_JIS),
            (japanese, encoding_rs::EUC_JP),
        ] {
            let sentences = sentence.repeat(2000);
            let letters = encoding.encode(&sentences).0;
            for ascii in [0, 100, 3 * SAMPLE] {
                let text = [&b"# plain text\n".repeat(ascii)[..], &letters].concat();
                let found = detect_text(&text, true);
                assert_eq!(found.charset, Some(Charset::Legacy(encoding)), "{found}");
                // A character that the end of the sample cuts is no error.
                let (sampled, whole) = sample(&text, true);
                assert!(!whole && sampled.len() == SAMPLE);
            }
        }
        assert_eq!(sample(b"\x80", true), (&b"\x80"[..], true));
    }

    /// A declared encoding is the answer, but a guess if the letters belong to another encoding.
    #[test]
    fn a_declaration_is_believed_unless_the_letters_contradict_it() {
        let russian = "Съешь ещё этих мягких французских булок, да выпей чаю. ";
        let czech = "Zapomněl jsem deštník a čekal na autobus. Přišel až večer. ";
        let turkish = "Bugün hava çok güzel, ışık ve gölge değişiyor. ";
        for (label, text, encoding, is_true) in [
            ("koi8-r", russian, encoding_rs::KOI8_R, true),
            ("koi8-r", russian, encoding_rs::WINDOWS_1251, false),
            ("windows-1251", russian, encoding_rs::KOI8_R, false),
            ("ISO-8859-1", turkish, encoding_rs::WINDOWS_1254, false),
            ("ISO-8859-2", czech, encoding_rs::ISO_8859_2, true),
            ("windows-1250", czech, encoding_rs::ISO_8859_2, false),
        ] {
            let head = format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n");
            let text = [head.as_bytes(), &encoding.encode(&text.repeat(20)).0].concat();
            let found = detect_text(&text, true);
            assert_eq!(found.confidence == Confidence::Likely, is_true, "{label}: {found}");
            let declared = Encoding::for_label(label.as_bytes()).map(Encoding::name);
            let is_declared = declared.is_some_and(|name| found.name().eq_ignore_ascii_case(name))
                || label == "ISO-8859-1" && found.name() == "latin1";
            assert!(is_declared, "{label}: {found}");
        }
    }
}
