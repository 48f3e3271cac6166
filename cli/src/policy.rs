//! What a conversion does about what is ill-formed, or not in the target encoding: stop, or put something there.
//!
//! Most of it the library does by a policy of its own. A replacement of several characters is put here: the library stops,
//! the text is written, and it goes on behind the sequence.

use utflane::{ByteTranscoder, ErrorKind, IllFormed, Progress, Repair, Scheme, Stop, StreamError};

use crate::args::{Convert, OnInvalid, OnUnmappable};

/// What stands for a sequence or a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// This text, which may be empty; `?` for each of its characters that the target doesn't have.
    Text(String),
    /// Each byte as the character of its number; U+FFFD for units of more than a byte.
    Latin1,
    /// A numeric character reference.
    Reference,
}

/// What a conversion does. `None` stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) invalid: Option<Remedy>,
    pub(crate) unmappable: Option<Remedy>,
}

impl Policy {
    /// What the options say, or what is wrong with them.
    pub(crate) fn of(arguments: &Convert) -> Result<Self, &'static str> {
        let Convert { on_invalid, on_unmappable, replacement, omit, .. } = arguments;
        if *omit {
            let nothing = || Some(Remedy::Text(String::new()));
            return Ok(Self { invalid: nothing(), unmappable: nothing() });
        }
        let replaces = *on_invalid == OnInvalid::Replace || *on_unmappable == OnUnmappable::Replace;
        if replacement.is_some() && !replaces {
            return Err("it needs --on-invalid replace, --on-unmappable replace, or both");
        }
        let text = replacement.clone().unwrap_or(char::REPLACEMENT_CHARACTER.into());
        let invalid = match on_invalid {
            OnInvalid::Stop => None,
            OnInvalid::Replace => Some(Remedy::Text(text.clone())),
            OnInvalid::Skip => Some(Remedy::Text(String::new())),
            OnInvalid::Latin1 => Some(Remedy::Latin1),
        };
        let unmappable = match on_unmappable {
            OnUnmappable::Stop => None,
            OnUnmappable::Replace => Some(Remedy::Text(text)),
            OnUnmappable::Skip => Some(Remedy::Text(String::new())),
            OnUnmappable::NumericReference => Some(Remedy::Reference),
        };
        Ok(Self { invalid, unmappable })
    }

    /// As much of it as the library does.
    fn of_library(&self) -> utflane::Policy {
        let mut policy = utflane::Policy::STOP;
        policy = match &self.invalid {
            Some(Remedy::Text(text)) => match one(text) {
                Some(Some(c)) => policy.on_ill_formed(IllFormed::Replace(c)),
                Some(None) => policy.on_ill_formed(IllFormed::Skip),
                None => policy,
            },
            Some(_) => policy.on_ill_formed(IllFormed::Latin1),
            None => policy,
        };
        match &self.unmappable {
            Some(Remedy::Text(text)) => match one(text) {
                Some(Some(c)) => policy.on_unmappable(utflane::Unmappable::Replace(c)),
                Some(None) => policy.on_unmappable(utflane::Unmappable::Skip),
                None => policy,
            },
            Some(_) => policy.on_unmappable(utflane::Unmappable::NumericReference),
            None => policy,
        }
    }
}

/// The only character of a text that has no more than one.
pub(crate) fn one(text: &str) -> Option<Option<char>> {
    let mut chars = text.chars();
    let first = chars.next();
    chars.next().is_none().then_some(first)
}

/// A text that is longer than the library's replacements, as bytes in the target.
fn long_text(remedy: Option<&Remedy>, to: Scheme) -> Option<Vec<u8>> {
    let Some(Remedy::Text(text)) = remedy else { return None };
    if one(text).is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    let marks = Repair::REPLACE.on_unmappable(utflane::Unmappable::Replace('?'));
    Scheme::Utf8.transcode_lossy_append(text.as_bytes(), to, marks, &mut bytes);
    Some(bytes)
}

/// A stream between two schemes that obeys a policy.
pub(crate) struct Converter {
    transcoder: ByteTranscoder,
    /// Texts for what the library stops at.
    invalid: Option<Vec<u8>>,
    unmappable: Option<Vec<u8>>,
    /// The rest of a text that has not found room.
    owed: Vec<u8>,
    /// Repairs by such texts.
    repairs: u64,
}

impl Converter {
    pub(crate) fn new(from: Scheme, to: Scheme, policy: &Policy) -> Self {
        Self {
            transcoder: ByteTranscoder::new(from, to).with_policy(policy.of_library()),
            invalid: long_text(policy.invalid.as_ref(), to),
            unmappable: long_text(policy.unmappable.as_ref(), to),
            owed: Vec::new(),
            repairs: 0,
        }
    }

    /// Repairs made so far.
    pub(crate) fn repairs(&self) -> u64 {
        self.transcoder.repairs() + self.repairs
    }

    /// Converts the next chunk: as [`ByteTranscoder::push`], but that an error is one to stop at.
    pub(crate) fn push(&mut self, chunk: &[u8], room: &mut [u8]) -> Progress<StreamError> {
        let (mut read, mut written) = (0, self.pay(room));
        while self.owed.is_empty() {
            let progress = self.transcoder.push(&chunk[read..], &mut room[written..]);
            read += progress.read;
            written += progress.written;
            if !self.mends(progress.stop) {
                return Progress { read, written, stop: progress.stop };
            }
            written += self.pay(&mut room[written..]);
        }
        Progress { read, written, stop: Stop::OutputFull }
    }

    /// Ends the stream: as [`ByteTranscoder::finish`], to be called again if the output is full.
    pub(crate) fn finish(&mut self, room: &mut [u8]) -> Progress<StreamError> {
        let mut written = self.pay(room);
        while self.owed.is_empty() {
            let progress = self.transcoder.finish(&mut room[written..]);
            written += progress.written;
            if !self.mends(progress.stop) {
                return Progress { written, ..progress };
            }
            written += self.pay(&mut room[written..]);
        }
        Progress { read: 0, written, stop: Stop::OutputFull }
    }

    /// Whether there is a text for what it stopped at, which is then owed.
    fn mends(&mut self, stop: Stop<StreamError>) -> bool {
        let Stop::Error(error) = stop else { return false };
        let text = match error.kind() {
            ErrorKind::Unmappable => &self.unmappable,
            _ => &self.invalid,
        };
        let Some(text) = text else { return false };
        self.owed.extend_from_slice(text);
        self.repairs += 1;
        true
    }

    /// Writes what is owed, as far as there is room; says how much that is.
    fn pay(&mut self, room: &mut [u8]) -> usize {
        let len = self.owed.len().min(room.len());
        room[..len].copy_from_slice(&self.owed[..len]);
        self.owed.drain(..len);
        len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that find room for a byte at a time, or for a chunk.
    #[test]
    fn a_long_text_may_be_cut_anywhere() {
        let text = || Some(Remedy::Text("<€>".into()));
        let policy = Policy { invalid: text(), unmappable: text() };
        for room in 1..20 {
            let mut converter = Converter::new(Scheme::Utf8, Scheme::Latin1, &policy);
            let (mut room, mut out) = (vec![0; room], Vec::new());
            for mut chunk in [&b"a\xFF\xE2"[..], b"\x82", b"b\xC3\xA9\xE2\x82\xAC", b"c\xF0\x9F"] {
                loop {
                    let Progress { read, written, stop } = converter.push(chunk, &mut room);
                    out.extend_from_slice(&room[..written]);
                    chunk = &chunk[read..];
                    if stop == Stop::Done {
                        break;
                    }
                    assert_eq!(stop, Stop::OutputFull);
                }
            }
            loop {
                let Progress { written, stop, .. } = converter.finish(&mut room);
                out.extend_from_slice(&room[..written]);
                if stop == Stop::Done {
                    break;
                }
            }
            assert_eq!(out, b"a<?><?>b\xE9<?>c<?>");
            assert_eq!(converter.repairs(), 4);
        }
    }
}
