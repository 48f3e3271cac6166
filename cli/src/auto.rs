//! Finds the encoding of an input: the encoding that the user named, or the encoding that is
//! detected.

use std::io;

use utflane::Scheme;

use crate::binary;
use crate::input::{CHUNK, Input};
use crate::late::LateReader;
use crate::refusal::{Auto, Refusal};
use utflane_charset::{Charset, Confidence, Detector, Found, Source};

/// The length of the longest byte order mark, in bytes.
const MAX_MARK_BYTES: usize = 4;

/// The note about an input that is ASCII as far as it has been examined.
const UNDECIDED: &str =
    "ASCII so far, read as utf-8: the first bytes beyond ASCII decide the encoding";

/// The encoding of an input.
pub(crate) enum Resolved {
    Known(Charset),
    /// The detected encoding, and a note about its detection. The encoding is likely, or it is a
    /// guess and guesses are allowed, or it is UTF-8 because all text so far is ASCII.
    Detected(Charset, String),
    /// No encoding is likely.
    Refused(Refusal),
}

/// Returns the encoding of `input`. Afterwards `input` can still be read from its start. The
/// detector of `auto` has not read anything.
pub(crate) fn resolve(source: Source, auto: Auto, input: &mut Input) -> io::Result<Resolved> {
    let guess = auto.guess;
    let (found, is_undecided) = match source {
        Source::Known(charset) => return Ok(Resolved::Known(charset)),
        Source::ByMark(by_mark) => {
            let scheme = by_mark.of(input.peek(MAX_MARK_BYTES)?);
            return Ok(Resolved::Known(Charset::Scheme(scheme)));
        }
        Source::Auto => detect_before_reading(auto, input)?,
    };
    Ok(match (Refusal::from_found(&found, guess), found.charset) {
        (None, Some(charset)) if is_undecided => Resolved::Detected(charset, UNDECIDED.into()),
        (None, Some(charset)) => Resolved::Detected(charset, format!("detected as {found}")),
        (refusal, _) => {
            Resolved::Refused(refusal.unwrap_or(Refusal::NoText(found.reason.into_owned())))
        }
    })
}

/// Detects the encoding of an input without consuming it. If the input can be read twice, all of it
/// is examined. Otherwise only its beginning is examined, and detection continues while the rest is
/// read. Also returns true if the beginning does not decide the encoding. Such an input is read as
/// UTF-8.
fn detect_before_reading(mut auto: Auto, input: &mut Input) -> io::Result<(Found, bool)> {
    let unread = auto.clone();
    let detector = &mut auto.detector;
    if input.read_ahead(|chunk| detector.push(chunk))? {
        return Ok((detector.found(true), false));
    }
    let beginning = input.peek(CHUNK)?;
    let is_whole = beginning.len() < CHUNK;
    detector.push(beginning);
    let mut found = detector.found(is_whole);
    if is_whole {
        return Ok((found, false));
    }
    // An ASCII beginning is read as UTF-8: if text in another encoding follows, [`LateReader`]
    // converts it to UTF-8.
    let is_ascii = found.charset == Some(Charset::Scheme(Scheme::Ascii));
    // If only the last bytes of the beginning are not plain ASCII, they are too few to decide.
    let is_late = !detector.is_plain() && detector.deciding_len() < CHUNK / 2;
    let is_undecided = is_ascii || is_late;
    if is_undecided {
        found.charset = Some(Charset::Scheme(Scheme::Utf8));
        found.confidence = Confidence::Likely;
        found.mixture = None;
    }
    let notes = input.notes();
    if is_late {
        input.read_again_through(|source| Box::new(LateReader::new(source, unread, notes)));
    } else if Refusal::from_found(&found, auto.guess).is_none() {
        input.read_through(|source| Box::new(LateReader::new(source, auto, notes)));
    }
    Ok((found, is_undecided))
}

/// Returns the reason why an input that is in `source` is no text, without consuming it. Returns
/// `None` if it may be text. If it can be read only once, or if text in this encoding has the bytes
/// of control characters, only files of known formats are no text. NUL is no proof in UTF-8, which
/// proves itself.
pub(crate) fn find_binary(source: Source, input: &mut Input) -> io::Result<Option<String>> {
    let is_like_ascii = match source {
        Source::Known(Charset::Scheme(scheme)) => scheme.unit_size() == 1,
        Source::Known(Charset::Legacy(encoding)) => encoding.is_ascii_compatible(),
        Source::ByMark(_) => false,
        Source::Auto => return Ok(None),
    };
    let (mut detector, mut head, mut has_nul) = (Detector::default(), Vec::new(), false);
    let push = |chunk: &[u8]| {
        detector.push(chunk);
        head.extend_from_slice(&chunk[..chunk.len().min(binary::HEAD_BYTES - head.len())]);
        has_nul = has_nul || chunk.contains(&0);
    };
    let is_read = is_like_ascii && input.read_ahead(push)?;
    let head = if is_read { &head[..] } else { input.peek(binary::HEAD_BYTES)? };
    if let Some(format) = binary::find_format(head) {
        return Ok(Some(format!("begins like {format}")));
    }
    if !is_read {
        return Ok(None);
    }
    let has_nul = has_nul && source != Source::Known(Charset::Scheme(Scheme::Utf8));
    Ok(binary_reason(detector.found(true)).or(has_nul.then(|| "has NUL bytes".into())))
}

/// Returns the reason of an answer that the input is no text.
pub(crate) fn binary_reason(found: Found) -> Option<String> {
    (found.name() == "binary").then(|| found.reason.into_owned())
}

/// Reads the input to its end, and detects the encoding of the whole text.
pub(crate) fn detect_input(mut detector: Detector, input: &mut Input) -> io::Result<Found> {
    loop {
        let chunk = input.fill()?;
        if chunk.is_empty() {
            return Ok(detector.found(true));
        }
        detector.push(chunk);
        input.release(input.kept().len());
    }
}
