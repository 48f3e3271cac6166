//! Detects the encoding of a text in three ways: by the library; by `chardetng`, the detector of
//! Firefox, for encodings of the web that the library does not have; and by the frequencies of
//! letters, for encodings of Latin alphabets.

use std::borrow::Cow;
use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, WINDOWS_1252};
use utflane::Scheme;
use utflane::detect::{self, Confidence, Detection, Mixture, Reason, detect, detect_prefix};

use crate::alphabet::{self, Comparison};
use crate::charset::Charset;
use crate::declared::{self, HEAD_BYTES};
use crate::decoder::LegacyDecoder;
use crate::evidence;
use crate::legacy::{Legacy, WESTERN};
use crate::sink::Sink;

/// The minimum number of non-ASCII bytes with which `chardetng` distinguishes Latin-1 from other
/// alphabets with few non-ASCII letters, such as Baltic alphabets. With half as many bytes, it
/// gives a wrong encoding for 1 % of western texts.
const CHARDETNG_MIN_BYTES: usize = 32;

/// The number of bits by which the best candidate must be cheaper than the second candidate.
const CLEAR_MARGIN_BITS: u32 = 4;

/// The maximum number of bytes whose letters are examined. `chardetng` reads 12 MB/s, and its
/// answers for longer samples are not better.
const SAMPLE_BYTES: usize = 16 * 1024;

/// The number of bytes before the first non-ASCII byte that belong to the sample.
const CONTEXT_BYTES: usize = 64;

/// The reason for an answer of [`alphabet`].
const ALPHABET_REASON: &str = "its letters are as frequent as in languages written in it";
/// The reason for an answer of `chardetng`.
const CHARDETNG_REASON: &str = "its letters stand together as in languages written in it";

/// The reason for an answer of [`declared`].
const DECLARED_REASON: &str = "declared at the start of the text, and its bytes agree";

/// The reason for an answer of [`declared`] that the letters contradict.
const CONTRADICTED_REASON: &str =
    "declared at the start of the text, but its letters contradict that";

/// The answer of [`detect_text`].
#[derive(Debug, PartialEq)]
pub struct Found {
    /// The encoding; `None` if the file is not text, or has parts in different encodings.
    pub charset: Option<Charset>,
    /// The confidence of the answer.
    pub confidence: Confidence,
    /// The reason for the answer, as a text for users.
    pub reason: Cow<'static, str>,
    /// True if the file begins with a byte order mark.
    pub marked: bool,
    /// Other encodings that are possible, if the answer is a guess.
    pub others: Vec<Charset>,
    /// The first two parts of a file whose parts are in different encodings.
    pub mixture: Option<Mixture>,
}

impl Found {
    /// Returns the name of the encoding, or `mixed` or `binary`.
    pub fn name(&self) -> &'static str {
        match (self.charset, self.mixture) {
            (Some(charset), _) => charset.name(),
            (None, Some(_)) => "mixed",
            (None, None) => "binary",
        }
    }

    /// Returns the length in bytes of the byte order mark at the start, which is not part of the
    /// text.
    pub fn mark_len(&self) -> usize {
        match self.charset {
            Some(charset) if self.marked => charset.mark().len(),
            _ => 0,
        }
    }

    /// Returns all possible encodings, the most likely first.
    pub fn candidates(&self) -> impl Iterator<Item = Charset> {
        self.charset.into_iter().chain(self.others.iter().copied())
    }

    /// Returns the answer of the library alone.
    fn from_library(library: &Detection) -> Self {
        Self {
            charset: Charset::detected(library),
            confidence: library.confidence(),
            reason: match library.mixture() {
                Some(mixture) => mixture.to_string().into(),
                None => library.reason().description().into(),
            },
            marked: library.reason() == Reason::Mark,
            others: Vec::new(),
            mixture: library.mixture(),
        }
    }

    /// Returns the answer for a text. `library` is the answer of the library, and `head` is the
    /// start of the text, where it may declare its encoding. The letters of `text` are examined:
    /// the whole text or a part, which contains the end of the text if `whole`.
    fn new(library: &Detection, head: &[u8], text: &[u8], whole: bool) -> Self {
        match library.reason() {
            Reason::Latin1 | Reason::Windows1252 | Reason::Legacy => {
                let (text, whole) = sample(text, whole);
                let detected = Self::from_letters(library, text, whole).guess_if_unclear(text);
                match Self::from_declaration(library, head, text) {
                    Some(declared) => declared.guess_if_contradicted(detected, text),
                    None => detected,
                }
            }
            _ => Self::from_library(library),
        }
    }

    /// Returns the encoding that a text declares in `head`, if the bytes of `text` are well-formed
    /// in it.
    fn from_declaration(library: &Detection, head: &[u8], text: &[u8]) -> Option<Self> {
        let declared = declared::find_charset(head)?;
        let mut encoding = match declared {
            Charset::Legacy(encoding) => encoding,
            Charset::Scheme(Scheme::Latin1) => WESTERN,
            Charset::Scheme(_) => return None,
        };
        // In windows-1252 all bytes are characters, also the bytes of text in other encodings. So
        // this declaration is ignored if the library detected another legacy encoding.
        if encoding == WESTERN && library.reason() == Reason::Legacy {
            return None;
        }
        if !Self::is_text(encoding, text) {
            // As in browsers, a text that is declared as ISO-8859-9 may be windows-1254.
            encoding = encoding.as_in_browsers();
            if !Self::is_text(encoding, text) {
                return None;
            }
        }
        let is_latin1 = library.reason() == Reason::Latin1 && encoding == WESTERN;
        Some(Self {
            charset: Some(if is_latin1 { declared } else { Charset::Legacy(encoding) }),
            confidence: Confidence::Likely,
            reason: DECLARED_REASON.into(),
            ..Self::from_library(library)
        })
    }

    /// Returns true if the bytes of `text` are well-formed in an encoding, and are no control
    /// characters above ASCII. The text may end inside a character.
    fn is_text(encoding: Legacy, text: &[u8]) -> bool {
        let (mut decoder, mut sink) = (LegacyDecoder::new(encoding), Sink::new(text.len()));
        let is_control = |c: char| matches!(c, '\u{80}'..='\u{9F}');
        decoder.decode(text, false, &mut sink, |_, _, _| false).is_ok()
            && str::from_utf8(sink.bytes()).is_ok_and(|text| !text.contains(is_control))
    }

    /// Lowers the confidence of a declaration to a guess if it is contradicted by `detected`, the
    /// answer for the letters alone: if `detected` is more than a guess, and decodes `text`
    /// differently. In many encodings all bytes are characters, so only the letters show that a
    /// declaration is false.
    fn guess_if_contradicted(self, detected: Self, text: &[u8]) -> Self {
        let decode = |found: &Self| found.legacy().decode(text);
        if detected.confidence == Confidence::Guess || decode(&self) == decode(&detected) {
            return self;
        }
        let others = detected.charset.into_iter().collect();
        Self { confidence: Confidence::Guess, reason: CONTRADICTED_REASON.into(), others, ..self }
    }

    /// Lowers the confidence to a guess if `text` contains little evidence for the answer.
    fn guess_if_unclear(self, text: &[u8]) -> Self {
        // The escape sequences of ISO-2022-JP are evidence enough.
        let encoding = self.legacy();
        let is_clear =
            encoding == Legacy::MultiByte(ISO_2022_JP) || evidence::is_clear(encoding, text);
        if is_clear { self } else { Self { confidence: Confidence::Guess, ..self } }
    }

    /// Returns the encoding of this answer, which is not Unicode.
    fn legacy(&self) -> Legacy {
        match self.charset {
            Some(Charset::Legacy(encoding)) => encoding,
            _ => WESTERN,
        }
    }

    /// Returns the answer for the letters of a text that is not Unicode, without its declaration.
    /// `library` is the answer of the library.
    fn from_letters(library: &Detection, text: &[u8], whole: bool) -> Self {
        let is_western = library.reason() != Reason::Legacy;
        if is_western && alphabet::is_clearly_western(text) {
            return Self::from_library(library);
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(text, whole);
        let chardetng = detector.guess(None, Utf8Detection::Deny);
        let from_library = Self::from_library(library);
        match alphabet::compare_encodings(text, chardetng) {
            Some(comparison) if is_western && comparison.encoding == WINDOWS_1252 => {
                from_library.guess_if_close(&comparison)
            }
            Some(comparison) if comparison.encoding == WINDOWS_1252 => Self {
                charset: Some(Charset::Legacy(WESTERN)),
                confidence: Confidence::Guess,
                ..from_library
            },
            Some(comparison) => Self { reason: ALPHABET_REASON.into(), ..from_library }
                .with_encoding(comparison.encoding)
                .guess_if_close(&comparison),
            None if !is_western => {
                Self { reason: CHARDETNG_REASON.into(), ..from_library }.with_encoding(chardetng)
            }
            None => from_library.or_chardetng(text, chardetng),
        }
    }

    /// Chooses between this answer of the library, which is western, and the answer of `chardetng`,
    /// which is another alphabet.
    fn or_chardetng(self, text: &[u8], chardetng: &'static Encoding) -> Self {
        let non_ascii_bytes = text.iter().filter(|byte| !byte.is_ascii()).count();
        if non_ascii_bytes >= CHARDETNG_MIN_BYTES {
            return Self { reason: CHARDETNG_REASON.into(), ..self }.with_encoding(chardetng);
        }
        let confidence = Confidence::Guess;
        if alphabet::is_western(text) {
            let others = vec![Charset::Legacy(Legacy::from_encoding(chardetng))];
            return Self { confidence, others, ..self };
        }
        let others = self.charset.into_iter().collect();
        Self { reason: CHARDETNG_REASON.into(), confidence, others, ..self }
            .with_encoding(chardetng)
    }

    /// Replaces the encoding of this answer.
    fn with_encoding(self, encoding: &'static Encoding) -> Self {
        Self { charset: Some(Charset::Legacy(Legacy::from_encoding(encoding))), ..self }
    }

    /// Lowers the confidence to a guess if another candidate costs about as much, or if the letters
    /// are not usual in any language.
    fn guess_if_close(self, comparison: &Comparison) -> Self {
        if comparison.margin >= CLEAR_MARGIN_BITS && comparison.is_usual {
            return self;
        }
        let others = match comparison.margin {
            CLEAR_MARGIN_BITS.. => Vec::new(),
            _ => vec![Charset::Legacy(Legacy::from_encoding(comparison.second))],
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

/// Returns the part of a text whose letters are examined, and true if the part contains the end of
/// the text. `whole` is true if `text` contains it.
fn sample(text: &[u8], whole: bool) -> (&[u8], bool) {
    if text.len() <= SAMPLE_BYTES {
        return (text, whole);
    }
    let first_non_ascii = text.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    // The bytes before the first non-ASCII byte are ASCII, so the sample begins with a complete
    // character.
    let start = first_non_ascii.saturating_sub(CONTEXT_BYTES);
    let end = text.len().min(start + SAMPLE_BYTES);
    (&text[start..end], whole && end == text.len())
}

/// Detects the encoding of `text`, which is a whole text if `whole`, otherwise the start of a text.
pub fn detect_text(text: &[u8], whole: bool) -> Found {
    let library = if whole { detect(text) } else { detect_prefix(text) };
    Found::new(&library, text, text, whole)
}

/// Detects the encoding of a whole text that arrives in chunks. In addition to the encodings of
/// [`detect::Detector`], it detects the encodings that the library does not have.
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
        let head_len = chunk.len().min(HEAD_BYTES - self.head.len());
        self.head.extend_from_slice(&chunk[..head_len]);
    }

    /// Returns true if all bytes so far are plain ASCII, so that they mean the same text in all
    /// possible encodings.
    pub fn is_plain(&self) -> bool {
        self.library.is_plain()
    }

    /// Returns true if more text cannot change the encoding, unless a later part is in a different
    /// encoding.
    pub fn is_decided(&self) -> bool {
        self.library.is_decided()
    }

    /// Returns the number of bytes so far that decide the encoding: the length of the sample.
    pub fn deciding_len(&self) -> usize {
        self.library.sample().len()
    }

    /// Returns the number of bytes that have been pushed.
    pub fn len(&self) -> u64 {
        self.library.len()
    }

    /// Returns true if no byte has been pushed.
    pub fn is_empty(&self) -> bool {
        self.library.is_empty()
    }

    /// Returns the first two parts of the text so far if its parts are in different encodings.
    /// `whole` is true if the text is complete.
    pub fn mixture(&self, whole: bool) -> Option<Mixture> {
        self.library.detection(whole).mixture()
    }

    /// Returns the answer for the text so far. `whole` is true if the text is complete.
    pub fn found(&self, whole: bool) -> Found {
        let whole_sample = whole && !self.library.is_cut();
        Found::new(&self.library.detection(whole), &self.head, self.library.sample(), whole_sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_long_text_are_examined_at_any_offset() {
        let russian = "Съешь ещё этих мягких французских булок, да выпей чаю. ";
        let japanese = "いろはにほへと散りぬるを、わが世たれぞ常ならむ。";
        for (sentence, encoding) in [
            (russian, encoding_rs::WINDOWS_1251),
            (japanese, encoding_rs::SHIFT_JIS),
            (japanese, encoding_rs::EUC_JP),
        ] {
            let sentences = sentence.repeat(2000);
            let letters = encoding.encode(&sentences).0;
            for ascii_lines in [0, 100, 3 * SAMPLE_BYTES] {
                let text = [&b"# plain text\n".repeat(ascii_lines)[..], &letters].concat();
                let found = detect_text(&text, true);
                assert_eq!(found.legacy(), Legacy::from_encoding(encoding), "{found}");
                // A character that is incomplete at the end of the sample is not an error.
                let (sampled, whole) = sample(&text, true);
                assert!(!whole && sampled.len() == SAMPLE_BYTES);
            }
        }
        assert_eq!(sample(b"\x80", true), (&b"\x80"[..], true));
    }

    /// A declared encoding is the answer, but a guess if the letters belong to another encoding.
    #[test]
    fn a_declaration_is_likely_unless_the_letters_contradict_it() {
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
