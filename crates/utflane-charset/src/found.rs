//! Detects the encoding of a text: by [`unicode`], if it is Unicode, ASCII or binary data; else by
//! what it declares, by the structure of multi-byte encodings, and by its language.

use std::borrow::Cow;
use std::fmt;

use utflane::Scheme;

use crate::charset::Charset;
use crate::declared::{self, HEAD_BYTES};
use crate::fusion::{self, Answer, Context, LIKELY};
use crate::language::{known_code, name_of_language};
use crate::legacy::WESTERN;
use crate::unicode::{self, Confidence, Detection, Mixture, Reason, detect, detect_prefix};

/// The maximum number of bytes that are examined for a language.
const SAMPLE_BYTES: usize = 64 * 1024;

/// The number of bytes before the first non-ASCII byte that belong to the sample.
const CONTEXT_BYTES: usize = 1024;

/// The number of bytes at the end of a long text that are compared with its start.
const END_BYTES: usize = 1024;

/// The cost in bits of a byte below which a text is hardly UTF-16 instead.
const PLAIN_BITS: f32 = 5.5;

/// The number of bytes of a part in UTF-8 that are examined.
const PART_BYTES: usize = 512;

/// The number of bytes below which a western text without evidence is not called a page of DOS, Mac
/// or EBCDIC: any byte is a letter in some of these.
const WORD_BYTES: usize = 12;

/// The reason for an answer that the text declares.
const DECLARED_REASON: &str = "declared by the text, and its bytes agree";

/// The answer of [`detect_text`].
#[derive(Debug, PartialEq)]
pub struct Found {
    /// The encoding; `None` if the file is not text, has parts in different encodings, or is in an
    /// encoding that can't be converted.
    pub charset: Option<Charset>,
    /// The language, as a code of ISO 639, such as `cs`; `None` if it is unknown.
    pub language: Option<&'static str>,
    /// The confidence of the answer.
    pub confidence: Confidence,
    /// The estimated probability that the answer is right.
    pub probability: f32,
    /// The reason for the answer, as a text for users.
    pub reason: Cow<'static, str>,
    /// True if the file begins with a byte order mark.
    pub marked: bool,
    /// Other encodings that are possible, if the answer is a guess.
    pub others: Vec<Charset>,
    /// The first two parts of a file whose parts are in different encodings.
    pub mixture: Option<Mixture>,
    /// The name of an encoding that can't be converted.
    unsupported: Option<&'static str>,
}

impl Found {
    /// Returns the name of the encoding, or `mixed` or `binary`.
    pub fn name(&self) -> &'static str {
        match (self.charset, self.unsupported, self.mixture) {
            (Some(charset), ..) => charset.name(),
            (None, Some(name), _) => name,
            (None, None, Some(_)) => "mixed",
            (None, None, None) => "binary",
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

    /// Decodes the text, without its byte order mark, with U+FFFD for each ill-formed sequence.
    /// Returns `None` if the text has no encoding that can be converted.
    ///
    /// ```
    /// use utflane_charset::detect_text;
    ///
    /// let text = b"\xFF\xFEH\0i\0";
    /// assert_eq!(detect_text(text, true).decode(text).as_deref(), Some("Hi"));
    /// assert_eq!(detect_text(&[0; 100], true).decode(&[0; 100]), None);
    /// ```
    pub fn decode<'a>(&self, text: &'a [u8]) -> Option<Cow<'a, str>> {
        Some(self.charset?.decode(text.get(self.mark_len()..)?))
    }

    /// Returns all possible encodings, the most likely first.
    pub fn candidates(&self) -> impl Iterator<Item = Charset> {
        self.charset.into_iter().chain(self.others.iter().copied())
    }

    /// Returns the answer of the first step alone.
    fn from_detection(detection: &Detection) -> Self {
        Self {
            charset: Charset::detected(detection),
            language: None,
            confidence: detection.confidence(),
            probability: match detection.confidence() {
                Confidence::Certain => 1.0,
                Confidence::Likely => 0.99,
                Confidence::Guess => 0.7,
            },
            reason: match detection.mixture() {
                Some(mixture) => mixture.to_string().into(),
                None => detection.reason().description().into(),
            },
            marked: detection.reason() == Reason::Mark,
            others: Vec::new(),
            mixture: detection.mixture(),
            unsupported: None,
        }
    }

    /// Returns the answer for a text. `detection` is the answer of the first step. `head` is the
    /// start of the text, where it may declare its encoding. `text` is the whole text or a part.
    /// `end` is the end of the text if it is not in the examined part.
    fn new(
        detection: &Detection,
        head: &[u8],
        text: &[u8],
        end: &[u8],
        languages: &[&'static str],
    ) -> Self {
        let text = sample(text);
        let answer = match detection.reason() {
            Reason::Latin1 | Reason::Windows1252 | Reason::Legacy => {
                let declared = declared::find_charset(head);
                fusion::weigh(text, Context { declared, languages, end })
            }
            Reason::Ascii => fusion::weigh_ascii(head).or_else(|| fusion::weigh_ascii(text)),
            Reason::Utf16 if detection.confidence() < Confidence::Certain => {
                let max_bits = match detection.confidence() {
                    Confidence::Guess => PLAIN_BITS + 2.0,
                    _ => PLAIN_BITS,
                };
                let is_likely = |answer: &Answer| {
                    answer.has_evidence
                        && answer.probability >= LIKELY
                        && answer.bits_per_byte < max_bits
                };
                fusion::weigh(text, Context::default()).filter(is_likely)
            }
            Reason::Binary => fusion::weigh_ebcdic(text),
            Reason::Mixed => Self::refute_mixture(detection, text),
            _ => None,
        };
        let first = Self::from_detection(detection);
        let is_western = matches!(detection.reason(), Reason::Latin1 | Reason::Windows1252);
        match answer {
            Some(answer) if is_western && text.len() < WORD_BYTES && !answer.is_usual() => {
                let confidence = Confidence::Guess;
                let others = answer.charset.into_iter().collect();
                Self { confidence, others, ..first }
            }
            Some(answer) => first.or_answer(answer),
            None => first,
        }
    }

    /// Returns the answer for a text in which the first step found a part in UTF-8, if the bytes of
    /// this part are also text in the encoding of the other part.
    fn refute_mixture(detection: &Detection, text: &[u8]) -> Option<Answer> {
        let mixture = detection.mixture()?;
        let boundary = usize::try_from(mixture.boundary).ok().filter(|&at| at <= text.len())?;
        let first = &text[..boundary];
        let part = match (mixture.first, mixture.second) {
            (Some(Scheme::Utf8), None) => first,
            (None, Some(Scheme::Utf8)) => {
                // The boundary may be inside of a character of a multi-byte encoding.
                let start = first.iter().rposition(|&byte| byte < b'0').map_or(0, |at| at + 1);
                &text[start..text.len().min(boundary + PART_BYTES)]
            }
            _ => return None,
        };
        let answer = fusion::weigh(text, Context::default())?;
        let has_evidence = answer.has_evidence || answer.is_multi_byte();
        let is_likely = has_evidence && answer.probability >= LIKELY;
        let charset = answer.charset.filter(|_| is_likely)?;
        fusion::is_plausible(part, charset).then_some(answer)
    }

    /// Returns `answer`, the answer for a text that is not Unicode. `self` is the answer of the
    /// first step.
    fn or_answer(self, answer: Answer) -> Self {
        let is_western = answer.charset == Some(Charset::Legacy(WESTERN))
            || answer.charset == Some(Charset::Scheme(Scheme::Latin1));
        let reason = match answer.language.and_then(name_of_language) {
            _ if answer.is_declared => DECLARED_REASON.into(),
            _ if answer.charset.is_none() => {
                format!("reads as text in {}, which can't be converted", answer.name).into()
            }
            _ if is_western && !answer.has_evidence => self.reason.clone(),
            Some(language) => format!("reads as text in {language}").into(),
            None => "has the structure of this encoding".into(),
        };
        let reason = match answer.contradicted {
            Some(declared) => format!("{reason}, although it declares {declared}").into(),
            None => reason,
        };
        let is_likely = answer.has_evidence
            && answer.contradicted.is_none()
            && answer.probability >= LIKELY
            && !answer.is_mixed
            || answer.is_declared;
        let others = match is_likely {
            true => Vec::new(),
            false => answer.contradicted.into_iter().chain(answer.others).collect(),
        };
        Self {
            charset: answer.charset,
            language: answer.language,
            confidence: if is_likely { Confidence::Likely } else { Confidence::Guess },
            probability: answer.probability,
            reason,
            others,
            mixture: None,
            unsupported: if answer.charset.is_none() { Some(answer.name) } else { None },
            ..self
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mixture.is_some() {
            let guess = if self.confidence == Confidence::Guess { " (a guess)" } else { "" };
            return write!(f, "{}{guess}: {}", self.name(), self.reason);
        }
        write!(f, "{} ({}): {}", self.name(), self.confidence, self.reason)?;
        for (i, charset) in self.others.iter().enumerate() {
            write!(f, "{} {charset}", if i == 0 { "; or" } else { "," })?;
        }
        Ok(())
    }
}

/// Returns the part of a text that is examined: from some bytes before the first non-ASCII byte on.
fn sample(text: &[u8]) -> &[u8] {
    let rest = match text.len() {
        ..=SAMPLE_BYTES => text,
        _ => {
            let error = utflane::validate::<utflane::Ascii>(text).err();
            let first = error.map_or(0, |error| error.valid_up_to());
            &text[first.saturating_sub(CONTEXT_BYTES)..]
        }
    };
    &rest[..rest.len().min(SAMPLE_BYTES)]
}

/// Detects the encoding of `text`, which is a whole text if `whole`, otherwise the start of a text.
pub fn detect_text(text: &[u8], whole: bool) -> Found {
    let detection = if whole { detect(text) } else { detect_prefix(text) };
    let end = if text.len() > SAMPLE_BYTES { &text[text.len() - END_BYTES..] } else { &[] };
    Found::new(&detection, text, text, end, &[])
}

/// Detects the encoding of a whole text that arrives in chunks, like [`detect_text`].
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
    unicode: unicode::Detector,
    /// The start of the text, which may declare the encoding.
    head: Vec<u8>,
    /// The end of the text so far.
    end: Vec<u8>,
    /// The languages that the caller expects.
    languages: Vec<&'static str>,
}

impl Detector {
    /// Returns a detector for a text that is probably in one of these languages: codes of ISO 639,
    /// such as `cs`. An encoding in another language is the answer only if it is far more likely.
    /// If there are no codes, any language is expected.
    ///
    /// # Errors
    ///
    /// The first code that is not known.
    ///
    /// ```
    /// use utflane_charset::Detector;
    ///
    /// let mut detector = Detector::with_languages(&["pl", "cs"])?;
    /// detector.push(b"Ja\xBC\xF1");
    /// assert_eq!(detector.found(true).name(), "iso-8859-2");
    /// assert_eq!(Detector::with_languages(&["xx"]).unwrap_err(), "xx");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn with_languages<'a>(codes: &[&'a str]) -> Result<Self, &'a str> {
        let codes = codes.iter().map(|&code| known_code(code).ok_or(code));
        Ok(Self { languages: codes.collect::<Result<_, _>>()?, ..Self::default() })
    }

    /// Reads the next bytes of the text.
    pub fn push(&mut self, chunk: &[u8]) {
        self.unicode.push(chunk);
        let head_len = chunk.len().min(HEAD_BYTES - self.head.len());
        self.head.extend_from_slice(&chunk[..head_len]);
        let end = &chunk[chunk.len().saturating_sub(END_BYTES)..];
        self.end.drain(..(self.end.len() + end.len()).saturating_sub(END_BYTES));
        self.end.extend_from_slice(end);
    }

    /// Returns true if all bytes so far are plain ASCII, so that they mean the same text in all
    /// possible encodings.
    pub fn is_plain(&self) -> bool {
        self.unicode.is_plain()
    }

    /// Returns true if more text cannot change the encoding, unless a later part is in a different
    /// encoding.
    pub fn is_decided(&self) -> bool {
        self.unicode.is_decided()
    }

    /// Returns the number of bytes so far that decide the encoding: the length of the sample.
    pub fn deciding_len(&self) -> usize {
        self.unicode.sample().len()
    }

    /// Returns the number of bytes that have been pushed.
    pub fn len(&self) -> u64 {
        self.unicode.len()
    }

    /// Returns true if no byte has been pushed.
    pub fn is_empty(&self) -> bool {
        self.unicode.is_empty()
    }

    /// Returns the first two parts of the text so far if its parts are in different encodings.
    /// `whole` is true if the text is complete.
    pub fn mixture(&self, whole: bool) -> Option<Mixture> {
        self.unicode.detection(whole).mixture()
    }

    /// Returns the answer for the text so far. `whole` is true if the text is complete.
    pub fn found(&self, whole: bool) -> Found {
        Found::new(
            &self.unicode.detection(whole),
            &self.head,
            self.unicode.sample(),
            if self.unicode.is_cut() { &self.end } else { &[] },
            &self.languages,
        )
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;
    use crate::legacy::Legacy;

    #[test]
    fn a_long_text_is_examined_at_any_offset() {
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
                let expected = Charset::Legacy(Legacy::from_encoding(encoding));
                assert_eq!(found.charset, Some(expected), "{found}");
                assert_eq!(found.confidence, Confidence::Likely, "{found}");
                assert_eq!(sample(&text).len(), SAMPLE_BYTES);
            }
        }
        assert_eq!(sample(b"\x80"), b"\x80");
    }

    /// A declared encoding is the answer, unless the bytes are clearly text in another one.
    #[test]
    fn a_declaration_is_likely_unless_the_bytes_contradict_it() {
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
            ("windows-1250", "Ahoj, kůň", encoding_rs::WINDOWS_1250, true),
        ] {
            let head = format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n");
            let text = [head.as_bytes(), &encoding.encode(text).0].concat();
            let found = detect_text(&text, true);
            assert_eq!(found.confidence == Confidence::Likely, is_true, "{label}: {found}");
            let expected = if is_true { label } else { encoding.name() };
            let expected = Encoding::for_label(expected.as_bytes()).map(Encoding::name);
            let is_expected = |name| found.name().eq_ignore_ascii_case(name);
            assert!(expected.is_some_and(is_expected), "{label}: {found}");
            if !is_true {
                let declared = found.others.first().map(|charset| charset.name());
                let label = label.replace("ISO-8859-1", "latin1").to_lowercase();
                assert_eq!(declared, Some(&*label), "{found}");
            }
        }
    }
}
