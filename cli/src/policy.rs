//! What a conversion does at an ill-formed sequence or an unmappable character: it stops, or writes
//! a substitute.
//!
//! The library has policies for most substitutes. For a substitute of several characters, and for
//! an approximation, the library stops, this module writes the text, and the library continues
//! after the sequence.

use std::borrow::Cow;

use utflane::code_page::CodePage;
use utflane::{ByteTranscoder, ErrorKind, IllFormed, Progress, Repair, Scheme, Stop, StreamError};

use crate::approximation::{self, RecentBytes};
use crate::args::{Bom, Convert, OnUnmappable};
use crate::values::{InvalidWord, OnInvalid};
use crate::variants::{self, Variants};
use utflane_charset::{Charset, numeric_reference};

/// A substitute for a sequence or a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Substitute {
    /// This text, which may be empty. Each unmappable character of the text becomes `?`.
    Text(String),
    /// The Latin-1 character of each byte, or U+FFFD if code units are larger than a byte.
    Latin1,
    /// The character of each byte in a code page, or U+FFFD if code units are larger
    /// than a byte. Holds the text for each of the 256 bytes: the character, or its substitute if
    /// the target lacks the character. `None` stops the conversion.
    CodePage(Vec<Option<String>>),
    /// A numeric character reference.
    Reference,
    /// An escape as in C.
    Escape,
    /// One U+FFFD for several ill-formed sequences.
    Shared(Shared),
}

/// The ill-formed sequences that share a substitute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shared {
    /// Sequences that Java decodes as one sequence.
    AsJava,
    /// All adjacent sequences.
    Runs,
}

/// The substitutes of a conversion. `None` stops the conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) invalid: Option<Substitute>,
    pub(crate) unmappable: Option<Substitute>,
    /// True if an unmappable character becomes its approximation, if it has one.
    pub(crate) approximates: bool,
    /// True if unmappable byte order marks are omitted.
    pub(crate) strips_marks: bool,
    /// The target's variants of unmappable characters.
    pub(crate) variants: Option<Variants>,
}

impl Policy {
    /// Returns the policy that the options select.
    pub(crate) fn from_arguments(arguments: &Convert) -> Self {
        let Convert { on_invalid, on_unmappable, replacement, omit, translit, .. } = arguments;
        let common = Self {
            approximates: *translit,
            strips_marks: arguments.bom == Some(Bom::StripAll),
            variants: (*translit || arguments.variants)
                .then(|| Variants::new(arguments.to.charset)),
            ..Self::default()
        };
        if *omit {
            let empty = || Some(Substitute::Text(String::new()));
            return Self { invalid: empty(), unmappable: empty(), ..common };
        }
        let text = replacement.clone().unwrap_or(char::REPLACEMENT_CHARACTER.into());
        let invalid = match on_invalid {
            OnInvalid::CodePage(_) => None, // below
            OnInvalid::Word(word) => match word {
                InvalidWord::Stop => None,
                InvalidWord::Replace => Some(Substitute::Text(text.clone())),
                InvalidWord::Skip => Some(Substitute::Text(String::new())),
                InvalidWord::Latin1 => Some(Substitute::Latin1),
                InvalidWord::ReplaceAsJava => Some(Substitute::Shared(Shared::AsJava)),
                InvalidWord::ReplaceRuns => Some(Substitute::Shared(Shared::Runs)),
            },
        };
        let unmappable = match on_unmappable {
            OnUnmappable::Stop => None,
            OnUnmappable::Replace => Some(Substitute::Text(text)),
            OnUnmappable::Skip => Some(Substitute::Text(String::new())),
            OnUnmappable::NumericReference => Some(Substitute::Reference),
            OnUnmappable::Escape => Some(Substitute::Escape),
        };
        let mut policy = Self { invalid, unmappable, ..common };
        if let OnInvalid::CodePage(page) = on_invalid {
            let texts =
                (0..=0xFF).map(|byte| policy.text_of_byte(page, byte, arguments.to.charset));
            policy.invalid = Some(Substitute::CodePage(texts.collect()));
        }
        policy
    }

    /// Returns the character of a byte in a code page, or U+FFFD. If the target lacks
    /// the character, returns the text for an unmappable character.
    fn text_of_byte(&self, page: &CodePage, byte: u8, to: Charset) -> Option<String> {
        let c = page.character(byte).unwrap_or(char::REPLACEMENT_CHARACTER);
        match variants::is_in(c, to) {
            true => Some(c.into()),
            false => self.text_for(c).map(Cow::into_owned),
        }
    }

    /// Returns the part of this policy that the library can follow.
    fn library_policy(&self) -> utflane::Policy {
        let mut policy = utflane::Policy::STOP;
        policy = match &self.invalid {
            Some(Substitute::Text(text)) => match single_char(text) {
                Some(Some(c)) => policy.on_ill_formed(IllFormed::Replace(c)),
                Some(None) => policy.on_ill_formed(IllFormed::Skip),
                None => policy,
            },
            Some(Substitute::Shared(Shared::AsJava)) => {
                policy.on_ill_formed(IllFormed::ReplaceAsJava)
            }
            Some(Substitute::Shared(Shared::Runs)) => policy.on_ill_formed(IllFormed::ReplaceRuns),
            Some(Substitute::Latin1) => policy.on_ill_formed(IllFormed::Latin1),
            _ => policy,
        };
        if self.chooses_by_character() {
            return policy;
        }
        match &self.unmappable {
            Some(Substitute::Text(text)) => match single_char(text) {
                Some(Some(c)) => policy.on_unmappable(utflane::Unmappable::Replace(c)),
                Some(None) => policy.on_unmappable(utflane::Unmappable::Skip),
                None => policy,
            },
            Some(Substitute::Reference) => {
                policy.on_unmappable(utflane::Unmappable::NumericReference)
            }
            _ => policy,
        }
    }

    /// Returns true if the substitute for an unmappable character depends on the character in a way
    /// that the library does not support.
    fn chooses_by_character(&self) -> bool {
        self.approximates
            || self.strips_marks
            || self.variants.is_some()
            || self.unmappable == Some(Substitute::Escape)
    }

    /// Returns true if ill-formed sequences may share a substitute, so that a text must not be
    /// split between them.
    pub(crate) fn shares_substitutes(&self) -> bool {
        matches!(self.invalid, Some(Substitute::Shared(_)))
    }

    /// Returns the text for the unmappable character `c`: its variant, its approximation, or the
    /// substitute. `None` stops the conversion.
    pub(crate) fn text_for(&self, c: char) -> Option<Cow<'_, str>> {
        if self.strips_marks && c == BYTE_ORDER_MARK {
            return Some("".into());
        }
        if let Some(variant) = self.variants.as_ref().and_then(|variants| variants.variant(c)) {
            return Some(variant.to_string().into());
        }
        let approximation = self.approximates.then(|| approximation::approximate(c)).flatten();
        match (approximation, &self.unmappable) {
            (Some(text), _) => Some(text.into()),
            (None, Some(Substitute::Text(text))) => Some(text.into()),
            (None, Some(Substitute::Escape)) => Some(match u32::from(c) {
                code @ ..0x1_0000 => format!("\\u{code:04x}").into(),
                code => format!("\\U{code:08x}").into(),
            }),
            (None, Some(_)) => Some(numeric_reference(c).into()),
            (None, None) => None,
        }
    }

    /// Returns the text for an ill-formed sequence of `bytes`, in code units of `unit_size` bytes.
    /// Assumes that the sequence does not share its substitute with another sequence. `None` stops
    /// the conversion.
    pub(crate) fn text_for_bytes(&self, bytes: &[u8], unit_size: usize) -> Option<Cow<'_, str>> {
        match self.invalid.as_ref()? {
            Substitute::Text(text) => Some(text.into()),
            Substitute::Shared(_) => Some("\u{FFFD}".into()),
            _ if unit_size > 1 => Some("\u{FFFD}".into()),
            Substitute::CodePage(texts) => {
                let texts = bytes.iter().map(|&byte| texts[usize::from(byte)].as_deref());
                texts.collect::<Option<String>>().map(Cow::from)
            }
            _ => Some(bytes.iter().copied().map(char::from).collect::<String>().into()),
        }
    }
}

/// The bytes of the adjacent ill-formed sequences that share the last substitute.
#[derive(Default)]
pub(crate) struct AdjacentSequences(Vec<u8>);

impl AdjacentSequences {
    /// Ends the adjacent sequences, because a character follows.
    pub(crate) fn end(&mut self) {
        self.0.clear();
    }

    /// Adds the bytes of the next sequence. Returns true if it shares the substitute of the
    /// sequences before it. `is_utf8` is true if the text is UTF-8.
    pub(crate) fn add(&mut self, shared: Shared, bytes: &[u8], is_utf8: bool) -> bool {
        let before = self.0.len();
        self.0.extend_from_slice(bytes);
        let shares_substitute = before > 0
            && match shared {
                Shared::Runs => true,
                Shared::AsJava => is_utf8 && is_java_surrogate(&self.0),
            };
        if !shares_substitute {
            self.0.drain(..before);
        }
        shares_substitute
    }
}

/// Returns true if the bytes are the three bytes of a surrogate in UTF-8, or the first two of these
/// bytes.
fn is_java_surrogate(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xA0..=0xBF] | [0xED, 0xA0..=0xBF, 0x80..=0xBF])
}

/// Returns the character of a text that has one, or `Some(None)` if the text is empty. Returns
/// `None` if the text has more than one character.
pub(crate) fn single_char(text: &str) -> Option<Option<char>> {
    let mut chars = text.chars();
    let first = chars.next();
    chars.next().is_none().then_some(first)
}

/// U+FEFF, which is a byte order mark at the start of a text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns a substitute in the target encoding, if it is a text of several characters. The library
/// has no such replacements.
fn encode_long_substitute(substitute: Option<&Substitute>, to: Scheme) -> Option<Vec<u8>> {
    let Some(Substitute::Text(text)) = substitute else { return None };
    if single_char(text).is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    encode(text, to, &mut bytes);
    Some(bytes)
}

/// Appends `text` in the target encoding, with `?` for each unmappable character.
fn encode(text: &str, to: Scheme, bytes: &mut Vec<u8>) {
    let repair = Repair::REPLACE.on_unmappable(utflane::Unmappable::Replace('?'));
    Scheme::Utf8.transcode_lossy_append(text.as_bytes(), to, repair, bytes);
}

/// Chooses the substitutes in a stream that depend on the unmappable character or on the ill-formed
/// bytes.
struct Choices {
    policy: Policy,
    from: Scheme,
    to: Scheme,
    recent: RecentBytes,
}

impl Choices {
    /// Appends the substitute for the character or the sequence of `error`, which ends in `chunk`.
    /// Returns false if there is no substitute.
    fn append(&self, error: StreamError, chunk: &[u8], bytes: &mut Vec<u8>) -> bool {
        let text = match error.kind() {
            ErrorKind::Unmappable => {
                self.recent.char_of(error, chunk).and_then(|c| self.policy.text_for(c))
            }
            _ => {
                let sequence = self.recent.bytes_of(error, chunk);
                self.policy.text_for_bytes(&sequence, self.from.unit_size())
            }
        };
        let Some(text) = text else { return false };
        match self.to {
            // These are the same bytes as below, without a call of the library for each text.
            Scheme::Latin1 | Scheme::Ascii if text.is_ascii() => {
                bytes.extend_from_slice(text.as_bytes());
            }
            to => encode(&text, to, bytes),
        }
        true
    }
}

/// A stream between two of the library's encodings that follows a policy.
pub(crate) struct Converter {
    transcoder: ByteTranscoder,
    /// The substitute for an ill-formed sequence at which the library stops, in the target
    /// encoding.
    invalid: Option<Vec<u8>>,
    /// The substitute for an unmappable character at which the library stops, in the target
    /// encoding.
    unmappable: Option<Vec<u8>>,
    /// True if the substitute for an unmappable character is from `choices`, not from `unmappable`.
    by_character: bool,
    /// True if the substitute for an ill-formed sequence is from `choices`, not from `invalid`.
    by_bytes: bool,
    choices: Option<Choices>,
    /// The rest of a substitute that didn't fit in the output.
    pending: Vec<u8>,
    /// The number of substitutes that this type has written. The library counts those that it
    /// writes.
    repairs: u64,
}

impl Converter {
    pub(crate) fn new(from: Scheme, to: Scheme, policy: &Policy) -> Self {
        let by_character = policy.chooses_by_character();
        let by_bytes = matches!(policy.invalid, Some(Substitute::CodePage(_)));
        let choices = || {
            let recent = RecentBytes::new(from);
            Choices { policy: policy.clone(), from, to, recent }
        };
        Self {
            transcoder: ByteTranscoder::new(from, to).with_policy(policy.library_policy()),
            invalid: encode_long_substitute(policy.invalid.as_ref(), to),
            unmappable: encode_long_substitute(policy.unmappable.as_ref(), to),
            by_character,
            by_bytes,
            choices: (by_character || by_bytes).then(choices),
            pending: Vec::new(),
            repairs: 0,
        }
    }

    /// Returns the number of repairs so far.
    pub(crate) fn repairs(&self) -> u64 {
        self.transcoder.repairs() + self.repairs
    }

    /// Converts the next chunk, like [`ByteTranscoder::push`]. At an error the conversion must
    /// stop.
    pub(crate) fn push(&mut self, chunk: &[u8], buffer: &mut [u8]) -> Progress<StreamError> {
        let progress = self.push_segments(chunk, buffer);
        if let Some(Choices { recent, .. }) = &mut self.choices {
            recent.pass(&chunk[..progress.read]);
        }
        progress
    }

    /// Converts the segments of the next chunk, and writes the substitutes between them.
    fn push_segments(&mut self, chunk: &[u8], buffer: &mut [u8]) -> Progress<StreamError> {
        let (mut read, mut written) = (0, self.write_pending(buffer));
        while self.pending.is_empty() {
            let progress = self.transcoder.push(&chunk[read..], &mut buffer[written..]);
            read += progress.read;
            written += progress.written;
            if !self.queue_substitute(progress.stop, chunk) {
                return Progress { read, written, stop: progress.stop };
            }
            written += self.write_pending(&mut buffer[written..]);
        }
        Progress { read, written, stop: Stop::OutputFull }
    }

    /// Ends the stream, like [`ByteTranscoder::finish`]. If the output is full, call it again.
    pub(crate) fn finish(&mut self, buffer: &mut [u8]) -> Progress<StreamError> {
        let mut written = self.write_pending(buffer);
        while self.pending.is_empty() {
            let progress = self.transcoder.finish(&mut buffer[written..]);
            written += progress.written;
            if !self.queue_substitute(progress.stop, &[]) {
                return Progress { written, ..progress };
            }
            written += self.write_pending(&mut buffer[written..]);
        }
        Progress { read: 0, written, stop: Stop::OutputFull }
    }

    /// Queues the substitute for the error in `chunk`. Returns false if there is no error or no
    /// substitute.
    fn queue_substitute(&mut self, stop: Stop<StreamError>, chunk: &[u8]) -> bool {
        let Stop::Error(error) = stop else { return false };
        let is_unmappable = error.kind() == ErrorKind::Unmappable;
        if let Some(choices) = &self.choices
            && (if is_unmappable { self.by_character } else { self.by_bytes })
        {
            let queued = choices.append(error, chunk, &mut self.pending);
            self.repairs += u64::from(queued);
            return queued;
        }
        let text = if is_unmappable { &self.unmappable } else { &self.invalid };
        let Some(text) = text else { return false };
        self.pending.extend_from_slice(text);
        self.repairs += 1;
        true
    }

    /// Writes pending bytes while `buffer` has capacity, and returns their number.
    fn write_pending(&mut self, buffer: &mut [u8]) -> usize {
        let len = self.pending.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.pending[..len]);
        self.pending.drain(..len);
        len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output has capacity for one byte, and up to several substitutes.
    #[test]
    fn a_long_text_is_written_with_any_capacity() {
        let text = || Some(Substitute::Text("<€>".into()));
        let policy = Policy { invalid: text(), unmappable: text(), ..Policy::default() };
        for capacity in 1..20 {
            let mut converter = Converter::new(Scheme::Utf8, Scheme::Latin1, &policy);
            let (mut buffer, mut out) = (vec![0; capacity], Vec::new());
            for mut chunk in [&b"a\xFF\xE2"[..], b"\x82", b"b\xC3\xA9\xE2\x82\xAC", b"c\xF0\x9F"] {
                loop {
                    let Progress { read, written, stop } = converter.push(chunk, &mut buffer);
                    out.extend_from_slice(&buffer[..written]);
                    chunk = &chunk[read..];
                    if stop == Stop::Done {
                        break;
                    }
                    assert_eq!(stop, Stop::OutputFull);
                }
            }
            loop {
                let Progress { written, stop, .. } = converter.finish(&mut buffer);
                out.extend_from_slice(&buffer[..written]);
                if stop == Stop::Done {
                    break;
                }
            }
            assert_eq!(out, b"a<?><?>b\xE9<?>c<?>");
            assert_eq!(converter.repairs(), 4);
        }
    }

    /// The bytes of a character may come in separate chunks, and the output may have capacity for
    /// only one byte of its substitute.
    #[test]
    fn a_split_character_is_approximated() {
        let text = "a€😀é\u{301}\u{E000}жb";
        let unmappable = Some(Substitute::Text("<?>".into()));
        let policy = Policy { unmappable, approximates: true, ..Policy::default() };
        for from in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf32Be, Scheme::Cesu8, Scheme::Mutf8] {
            let mut bytes = Vec::new();
            encode(text, from, &mut bytes);
            for (chunk_len, capacity) in (1..9).flat_map(|len| [(len, 1), (len, 7), (len, 99)]) {
                let mut converter = Converter::new(from, Scheme::Latin1, &policy);
                let (mut buffer, mut out) = (vec![0; capacity], Vec::new());
                for mut chunk in bytes.chunks(chunk_len).chain([&[][..]]) {
                    let ended = chunk.is_empty();
                    loop {
                        let Progress { read, written, stop } = match ended {
                            true => converter.finish(&mut buffer),
                            false => converter.push(chunk, &mut buffer),
                        };
                        out.extend_from_slice(&buffer[..written]);
                        chunk = &chunk[read..];
                        if stop == Stop::Done {
                            break;
                        }
                        assert_eq!(stop, Stop::OutputFull);
                    }
                }
                assert_eq!(out, b"aEURgrinning \xE9<?>zhb", "{from} {chunk_len} {capacity}");
                assert_eq!(converter.repairs(), 5);
            }
        }
    }
}
