//! Detects the encoding of a whole text that is read in chunks.

use utflane::{Ascii, Scheme, validate};

use crate::unicode::answer::{Confidence, Detection, Reason};
use crate::unicode::detection::{DECIDING_BYTES, Text};
use crate::unicode::likelihood::is_control;
use crate::unicode::survey::Survey;

/// The number of bytes of the sample before the first byte that is not plain ASCII. It is even, so
/// that the units of UTF-16 begin at even offsets of the sample too.
const CONTEXT_BYTES: usize = 1024;

/// Detects the encoding of a text that is read in chunks, which may end anywhere.
///
/// The first byte that is not plain ASCII, wherever it is, and the 64 KiB from this byte on decide
/// the encoding. The rest of the text is read for errors in UTF-8 and for parts in another
/// encoding. A detector needs 66 KiB of memory.
///
/// ```
/// use utflane::Scheme;
/// use utflane_charset::unicode::{Confidence, Detector};
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
    /// The first byte that is not plain ASCII, with text before and after it.
    sample: Vec<u8>,
    /// The byte offset at which the sample begins.
    sample_start: u64,
    /// The length in bytes of the complete sample. `None` while the text is plain ASCII.
    sample_target_len: Option<usize>,
    /// The detection of the complete sample, made when more bytes follow it.
    sample_detection: Option<Detection>,
    /// True while all bytes after the sample are ASCII.
    is_ascii_after: bool,
    /// True if the sample is not text. The rest is then not read.
    is_binary: bool,
}

impl Detector {
    /// Returns a detector at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        let (survey, sample) = (Survey::new(), Vec::new());
        Self {
            survey,
            sample,
            sample_start: 0,
            sample_target_len: None,
            sample_detection: None,
            is_ascii_after: true,
            is_binary: false,
        }
    }

    /// Reads the next bytes of the text.
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        if self.sample_target_len.is_none() {
            let plain = plain_len(chunk);
            let (before, after) = chunk.split_at(plain);
            self.sample
                .extend_from_slice(&before[before.len().saturating_sub(2 * CONTEXT_BYTES)..]);
            let end = self.survey.len() + plain as u64;
            let kept = self.sample.len().min(CONTEXT_BYTES);
            let kept = kept - usize::from((end - kept as u64) % 2 == 1);
            self.sample.drain(..self.sample.len() - kept);
            self.sample_start = end - kept as u64;
            rest = after;
            if !rest.is_empty() {
                self.sample_target_len = Some(self.sample.len() + DECIDING_BYTES);
            }
        }
        let missing_len = match self.sample_target_len {
            Some(target_len) => rest.len().min(target_len - self.sample.len()),
            None => 0,
        };
        let (for_sample, after) = rest.split_at(missing_len);
        self.sample.extend_from_slice(for_sample);
        self.survey.push(&chunk[..chunk.len() - after.len()]);
        if after.is_empty() {
            return;
        }
        if self.sample_detection.is_none() {
            let found = Text { src: &self.sample, may_continue: true }.detect();
            self.is_binary = found.is_binary(&self.survey);
            self.sample_detection = Some(found);
        }
        if self.is_binary {
            self.survey.count_unread(after.len());
            return;
        }
        self.survey.push(after);
        self.is_ascii_after = self.is_ascii_after && validate::<Ascii>(after).is_ok();
    }

    /// Returns the number of bytes that have been pushed.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.survey.len()
    }

    /// Returns true if no byte has been pushed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if the text so far is plain ASCII. Every encoding that is read byte by byte has
    /// these characters, so the encoding is not decided yet.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.sample_target_len.is_none()
    }

    /// Returns true if more text cannot change the encoding, except if a later part of the text is
    /// in another encoding.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.sample_target_len == Some(self.sample.len())
    }

    /// Returns the part of the text that decides the encoding: up to 1 KiB of plain ASCII, and 64
    /// KiB from the first byte that is not plain ASCII.
    #[must_use]
    pub fn sample(&self) -> &[u8] {
        &self.sample
    }

    /// Returns true if the text continues after the [sample](Self::sample).
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.sample_detection.is_some()
    }

    /// Returns the detection of the text so far. `whole` is true if the text has ended.
    #[must_use]
    pub fn detection(&self, whole: bool) -> Detection {
        let text = Text { src: &self.sample, may_continue: !whole };
        let mut found = self.sample_detection.unwrap_or_else(|| text.detect());
        // This happens if the sample is ASCII with control characters, such as terminal escape
        // sequences, and non-ASCII text follows.
        if found.reason == Reason::Ascii && !self.is_ascii_after {
            found.closest = Scheme::Utf8;
            found.reason = Reason::Utf8;
        }
        let found = match found.reason {
            Reason::Mark if found.scheme() != Some(Scheme::Utf8) => found,
            Reason::Utf8 | Reason::Mark if self.survey.ill_formed_utf8(whole).is_some() => {
                let reason =
                    if found.reason == Reason::Mark { Reason::Mark } else { Reason::DamagedUtf8 };
                Detection { reason, ..found.with_limited_confidence(Confidence::Likely) }
            }
            Reason::Utf8 | Reason::Mark if whole => found,
            Reason::Utf16
                if whole && self.survey.is_utf16(found.scheme() == Some(Scheme::Utf16Le)) =>
            {
                found
            }
            _ if whole && !self.is_cut() => found,
            _ => found.with_limited_confidence(Confidence::Likely),
        };
        let found = found.or_mixture(&self.survey, whole, &self.sample, self.sample_start);
        if whole || found.reason == Reason::Mark {
            found
        } else {
            found.with_limited_confidence(Confidence::Likely)
        }
    }
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the number of bytes at the start of `chunk` that are plain: ASCII, but no escape and no
/// control character that text does not have.
fn plain_len(chunk: &[u8]) -> usize {
    let ascii_len =
        validate::<Ascii>(chunk).map_or_else(|error| error.valid_up_to(), |()| chunk.len());
    let is_not_plain = |byte: &u8| is_control(*byte) || *byte == 0x1B;
    chunk[..ascii_len].iter().position(is_not_plain).unwrap_or(ascii_len)
}
