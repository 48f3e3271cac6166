//! Detection of a text that comes in chunks, by all of it.

use alloc::vec::Vec;

use crate::detect::answer::{Confidence, Detection, Reason};
use crate::detect::detection::{DECIDING_BYTES, Text};
use crate::detect::likelihood::is_control;
use crate::detect::survey::Survey;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Ascii;
use crate::operations::free::validate;

/// Bytes of the sample before its first remarkable byte. Even, so that UTF-16 keeps its parity.
const CONTEXT_BYTES: usize = 1024;

/// Detects the encoding of a text that comes in chunks, which may end anywhere.
///
/// The first byte that is not plain ASCII decides, with the 64 KiB after it, wherever it stands.
/// All of the rest is read for errors in UTF-8 and for parts in another encoding. It needs 66 KiB
/// of memory.
///
/// ```
/// use utflane::Scheme;
/// use utflane::detect::{Confidence, Detector};
///
/// let mut detector = Detector::new();
/// for _ in 0..10_000 {
///     detector.push(b"plain ASCII\n");
/// }
/// detector.push("café crème\n".as_bytes());
/// assert_eq!(detector.detection(true).scheme(), Some(Scheme::Utf8));
///
/// // Another file is appended.
/// detector.push(b"m\0o\0r\0e\0\n\0");
/// let found = detector.detection(true);
/// assert_eq!(found.to_string(), "mixed: utf-8 up to byte 120013, then utf-16le");
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    survey: Survey,
    /// The text around its first remarkable byte.
    sample: Vec<u8>,
    /// The length of the sample once it is full; `None` while the text is plain ASCII.
    full: Option<usize>,
    /// The detection of the sample, once bytes follow it.
    cut: Option<Detection>,
    /// True while all bytes after the sample are ASCII.
    is_ascii_after: bool,
    /// True if the sample is no text: then the rest is not read.
    is_binary: bool,
}

impl Detector {
    /// Returns a detector at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        let (survey, sample) = (Survey::new(), Vec::new());
        Self { survey, sample, full: None, cut: None, is_ascii_after: true, is_binary: false }
    }

    /// Reads the next bytes of the text.
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        if self.full.is_none() {
            let plain = plain_len(chunk);
            let (before, after) = chunk.split_at(plain);
            self.sample
                .extend_from_slice(&before[before.len().saturating_sub(2 * CONTEXT_BYTES)..]);
            let end = self.survey.len() + plain as u64;
            let kept = self.sample.len().min(CONTEXT_BYTES);
            let kept = kept - usize::from((end - kept as u64) % 2 == 1);
            self.sample.drain(..self.sample.len() - kept);
            rest = after;
            if !rest.is_empty() {
                self.full = Some(self.sample.len() + DECIDING_BYTES);
            }
        }
        let now = match self.full {
            Some(full) => rest.len().min(full - self.sample.len()),
            None => 0,
        };
        let (now, after) = rest.split_at(now);
        self.sample.extend_from_slice(now);
        self.survey.push(&chunk[..chunk.len() - after.len()]);
        if after.is_empty() {
            return;
        }
        if self.cut.is_none() {
            let found = Text { src: &self.sample, may_continue: true }.detect();
            self.is_binary = found.is_binary(&self.survey);
            self.cut = Some(found);
        }
        if self.is_binary {
            self.survey.skip(after.len());
            return;
        }
        self.survey.push(after);
        self.is_ascii_after = self.is_ascii_after && validate::<Ascii>(after).is_ok();
    }

    /// Returns the number of bytes so far.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.survey.len()
    }

    /// Returns true if no byte has come.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if the text so far is plain ASCII, which all encodings have that are read byte
    /// by byte: no byte decides yet.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.full.is_none()
    }

    /// Returns true if more text would not change the encoding, except for parts in another one.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.full == Some(self.sample.len())
    }

    /// Returns the part of the text that decides: up to 1 KiB of ASCII and 64 KiB from the first
    /// byte on that is something else.
    #[must_use]
    pub fn sample(&self) -> &[u8] {
        &self.sample
    }

    /// Returns true if the text continues after the [sample](Self::sample).
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Returns the detection of the text so far, which is the whole text if `whole`.
    #[must_use]
    pub fn detection(&self, whole: bool) -> Detection {
        let text = Text { src: &self.sample, may_continue: !whole };
        let mut found = self.cut.unwrap_or_else(|| text.detect());
        // The sample is a text in ASCII with control characters, such as colours of a terminal.
        if found.reason == Reason::Ascii && !self.is_ascii_after {
            found.closest = Scheme::Utf8;
            found.reason = Reason::Utf8;
        }
        let found = match found.reason {
            Reason::Mark if found.scheme() != Some(Scheme::Utf8) => found,
            Reason::Utf8 | Reason::Mark if self.survey.ill_formed_utf8(whole).is_some() => {
                let reason =
                    if found.reason == Reason::Mark { Reason::Mark } else { Reason::DamagedUtf8 };
                Detection { reason, ..found.at_most(Confidence::Likely) }
            }
            Reason::Utf8 | Reason::Mark if whole => found,
            Reason::Utf16
                if whole && self.survey.is_utf16(found.scheme() == Some(Scheme::Utf16Le)) =>
            {
                found
            }
            _ if whole && !self.is_cut() => found,
            _ => found.at_most(Confidence::Likely),
        };
        let found = found.or_mixed(&self.survey, whole);
        if whole || found.reason == Reason::Mark {
            found
        } else {
            found.at_most(Confidence::Likely)
        }
    }
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the number of bytes at the start of `chunk` that are ASCII, and no control characters
/// but white space.
fn plain_len(chunk: &[u8]) -> usize {
    let ascii = validate::<Ascii>(chunk).map_or_else(|error| error.valid_up_to(), |()| chunk.len());
    let is_remarkable = |byte: &u8| is_control(*byte) || *byte == 0x1B;
    chunk[..ascii].iter().position(is_remarkable).unwrap_or(ascii)
}
