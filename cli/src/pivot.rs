//! Conversions whose source or target is an encoding from before Unicode. The text is converted
//! through UTF-8, segment by segment.
//!
//! Lines and columns are counted in the UTF-8 text. [`legacy`](crate::legacy) decodes these
//! encodings, and finds the offset of a character in the file.

use std::io::{self, BufWriter, Write};

use encoding_rs::ISO_2022_JP;
use utflane::{ByteTranscoder, IllFormed, Scheme, Stop, StreamError, utf8};

use crate::conversion::{Converted, OUTPUT_BYTES};
use crate::finding::{Finding, FindingKind};
use crate::legacy::{End, LegacyText};
use crate::output::{Failure, Output, ignore_closed_pipe};
use crate::policy::{self, AdjacentSequences, BYTE_ORDER_MARK, Policy, Substitute};
use crate::text::Text;
use utflane_charset::{Charset, EncodeStop, Legacy, LegacyEncoder, Sequence};

/// A source of text in UTF-8.
trait Source {
    /// An ill-formed sequence.
    type Sequence;

    /// Writes the next segment to `text`, and returns its length.
    fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<Self::Sequence>)>;

    /// Moves past a segment.
    fn pass(&mut self, segment: &str);

    /// Returns the bytes of `sequence`. The segment before it has been passed.
    fn bytes_of(&self, sequence: &Self::Sequence) -> &[u8];

    /// Returns the size of a code unit in bytes.
    fn unit_size(&self) -> usize {
        1
    }

    /// Returns true if the text is UTF-8.
    fn is_utf8(&self) -> bool {
        false
    }

    /// Moves past `sequence`, as one column.
    fn pass_ill_formed(&mut self, sequence: Self::Sequence);

    /// Returns the number of repairs that the source has made itself.
    fn repairs(&self) -> u64 {
        0
    }

    /// Returns the finding for `sequence`. The segment before it has been passed.
    fn locate_ill_formed(&mut self, sequence: Self::Sequence) -> io::Result<Finding>;

    /// Returns the finding for the unmappable character at offset `at` of `segment`.
    fn locate_unmappable(&mut self, segment: &str, at: usize) -> io::Result<Finding>;
}

/// Converts from one of the library's encodings.
pub(crate) fn convert_from_scheme(
    text: Text,
    from: Scheme,
    to: Charset,
    policy: &Policy,
    output: &mut Output,
) -> Result<Converted, Failure> {
    let offset = text.input.offset();
    let mut transcoder = ByteTranscoder::new(from, Scheme::Utf8);
    if let Some(ill_formed) = library_repair(policy, to) {
        transcoder = transcoder.with_policy(utflane::Policy::STOP.on_ill_formed(ill_formed));
    }
    let source = SchemeSource { text, from, transcoder, unconverted_len: 0, offset };
    convert_text(source, Target::new(to), policy, output)
}

/// Returns the repair that the library can make while it converts to UTF-8. With this repair,
/// segments don't end at ill-formed sequences.
///
/// Returns `None` if the conversion may stop at an unmappable character. Its offset is computed
/// from the lengths of the segments, so these must not have repairs.
fn library_repair(policy: &Policy, to: Charset) -> Option<IllFormed> {
    let (Some(Substitute::Text(text)), Some(_)) = (&policy.invalid, &policy.unmappable) else {
        return None;
    };
    match policy::single_char(text)? {
        None => Some(IllFormed::Skip),
        Some(c) => {
            let is_mappable =
                Target::new(to).write(text, &mut io::sink()).is_ok_and(|at| at.is_none());
            Some(IllFormed::Replace(if is_mappable { c } else { '?' }))
        }
    }
}

/// Converts from an encoding from before Unicode.
pub(crate) fn convert_from_legacy(
    text: LegacyText,
    to: Charset,
    policy: &Policy,
    output: &mut Output,
) -> Result<Converted, Failure> {
    // Only the Unicode encodings have a byte order mark.
    let is_unicode = matches!(to, Charset::Scheme(to) if !to.byte_order_mark().is_empty());
    let may_stop_at_unmappable = !is_unicode && policy.unmappable.is_none();
    let text = if may_stop_at_unmappable { text.locating_characters() } else { text };
    convert_text(text, Target::new(to), policy, output)
}

/// Converts up to the first error, or to the end.
fn convert_text<S: Source>(
    mut source: S,
    mut target: Target,
    policy: &Policy,
    output: &mut Output,
) -> Result<Converted, Failure> {
    // The output is buffered, because segments may be as short as the text between two repairs.
    let output = &mut BufWriter::with_capacity(OUTPUT_BYTES, output);
    let mut text = vec![0; OUTPUT_BYTES];
    let mut repairs = 0;
    let mut adjacent = AdjacentSequences::default();
    let finding = loop {
        let (len, end) = source.next(&mut text).map_err(Failure::Reading)?;
        if len > 0 {
            adjacent.end();
        }
        let segment =
            utf8::from_utf8(&text[..len]).map_err(io::Error::other).map_err(Failure::Reading)?;
        let written = target.write_repaired(segment, policy, output);
        let WriteResult { stop, repairs: more } = written.map_err(Failure::Writing)?;
        repairs += more;
        if let Some(at) = stop {
            ignore_closed_pipe(target.finish(output)).map_err(Failure::Writing)?;
            break Some(source.locate_unmappable(segment, at).map_err(Failure::Reading)?);
        }
        source.pass(segment);
        match (end, &policy.invalid) {
            (End::More, _) => output.flush().map_err(Failure::Writing)?,
            (End::Last, _) => {
                target.finish(output).map_err(Failure::Writing)?;
                break None;
            }
            (End::IllFormed(sequence), substitute) => {
                let bytes = source.bytes_of(&sequence);
                let shares_substitute = match substitute {
                    Some(Substitute::Shared(shared)) => {
                        adjacent.add(*shared, bytes, source.is_utf8())
                    }
                    _ => false,
                };
                if !shares_substitute {
                    let Some(text) = policy.text_for_bytes(bytes, source.unit_size()) else {
                        ignore_closed_pipe(target.finish(output)).map_err(Failure::Writing)?;
                        break Some(source.locate_ill_formed(sequence).map_err(Failure::Reading)?);
                    };
                    target.write_substitute(&text, output).map_err(Failure::Writing)?;
                    repairs += 1;
                }
                source.pass_ill_formed(sequence);
            }
        }
    };
    Ok(Converted { finding, repairs: repairs + source.repairs() })
}

/// Text in one of the library's encodings. Each character has only one form in such an encoding, so
/// offsets can be computed from lengths.
struct SchemeSource {
    text: Text,
    from: Scheme,
    transcoder: ByteTranscoder,
    /// The number of bytes of the last chunk that are not yet converted.
    unconverted_len: usize,
    /// The offset of the next segment in the file.
    offset: u64,
}

impl SchemeSource {
    /// Returns the length of `text` in the file's encoding, in bytes.
    fn encoded_len(&self, text: &str) -> usize {
        Scheme::Utf8.len(text.as_bytes(), self.from)
    }
}

impl Source for SchemeSource {
    type Sequence = StreamError;

    fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<StreamError>)> {
        let chunk = match self.unconverted_len {
            0 => self.text.next_chunk()?,
            len => {
                let kept = self.text.input.kept();
                &kept[kept.len() - len..]
            }
        };
        let (progress, end) = match chunk.is_empty() {
            true => (self.transcoder.finish(text), End::Last),
            false => (self.transcoder.push(chunk, text), End::More),
        };
        self.unconverted_len = chunk.len() - progress.read;
        let end = match progress.stop {
            Stop::Error(error) => End::IllFormed(error),
            // The replacements for bytes that were carried from the last chunk may fill the buffer.
            // The next segment has the remaining text.
            Stop::OutputFull => End::More,
            Stop::Done => end,
        };
        Ok((progress.written, end))
    }

    fn pass(&mut self, segment: &str) {
        self.offset += self.encoded_len(segment) as u64;
    }

    fn bytes_of(&self, error: &StreamError) -> &[u8] {
        self.text.offending(*error)
    }

    fn unit_size(&self) -> usize {
        self.from.unit_size()
    }

    fn is_utf8(&self) -> bool {
        self.from == Scheme::Utf8
    }

    fn pass_ill_formed(&mut self, error: StreamError) {
        self.offset += self.text.offending(error).len() as u64;
    }

    fn repairs(&self) -> u64 {
        self.transcoder.repairs()
    }

    fn locate_ill_formed(&mut self, error: StreamError) -> io::Result<Finding> {
        self.text.locate(error)
    }

    fn locate_unmappable(&mut self, segment: &str, at: usize) -> io::Result<Finding> {
        let (before, rest) = segment.split_at(at);
        let character = rest.chars().next().map_or("", |c| &rest[..c.len_utf8()]);
        self.text.count_to(self.offset + self.encoded_len(before) as u64);
        self.text.finding(FindingKind::Unmappable, self.encoded_len(character))
    }
}

impl Source for LegacyText {
    type Sequence = Sequence;

    fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<Sequence>)> {
        LegacyText::next(self, text)
    }

    fn pass(&mut self, segment: &str) {
        LegacyText::pass(self, segment);
    }

    fn bytes_of(&self, sequence: &Sequence) -> &[u8] {
        self.offending(*sequence)
    }

    fn pass_ill_formed(&mut self, _: Sequence) {
        LegacyText::pass_ill_formed(self);
    }

    fn locate_ill_formed(&mut self, sequence: Sequence) -> io::Result<Finding> {
        LegacyText::locate_ill_formed(self, sequence)
    }

    fn locate_unmappable(&mut self, segment: &str, at: usize) -> io::Result<Finding> {
        Ok(LegacyText::locate_unmappable(self, segment, at))
    }
}

/// The encoding that text in UTF-8 is converted to.
enum Target {
    /// An encoding of the library, with a buffer for the output.
    Scheme(Scheme, Vec<u8>),
    Legacy(LegacyTarget),
}

/// The encoder of an encoding from before Unicode, with a buffer for its output.
struct LegacyTarget {
    encoder: LegacyEncoder,
    buffer: Vec<u8>,
    /// True if [`TO_ASCII`] must still be written, unless another escape sequence follows.
    holds_escape: bool,
}

/// The escape sequence that the encoder of ISO-2022-JP writes before an unmappable character.
/// Decoders report an error at two escape sequences without text between them.
const TO_ASCII: &[u8] = b"\x1B(B";

impl LegacyTarget {
    /// Encodes the beginning of `text`. Returns the number of bytes read, and the unmappable
    /// character at their end if there is one.
    fn write(
        &mut self,
        text: &str,
        last: bool,
        output: &mut impl Write,
    ) -> io::Result<(usize, Option<char>)> {
        let Self { encoder, buffer, holds_escape } = self;
        let progress = encoder.push(text, buffer, last);
        let mut bytes = &buffer[..progress.written];
        if *holds_escape && (last || !bytes.is_empty()) {
            if !bytes.starts_with(&TO_ASCII[..1]) {
                output.write_all(TO_ASCII)?;
            }
            *holds_escape = false;
        }
        let EncodeStop::Unmappable(c) = progress.stop else {
            output.write_all(bytes)?;
            return Ok((progress.read, None));
        };
        if let Some(before) = bytes.strip_suffix(TO_ASCII)
            && encoder.encoding() == Legacy::MultiByte(ISO_2022_JP)
        {
            bytes = before;
            *holds_escape = true;
        }
        output.write_all(bytes)?;
        Ok((progress.read, Some(c)))
    }
}

impl Target {
    fn new(to: Charset) -> Self {
        let buffer = vec![0; OUTPUT_BYTES];
        match to {
            Charset::Scheme(scheme) => Self::Scheme(scheme, buffer),
            Charset::Legacy(encoding) => {
                let encoder = LegacyEncoder::new(encoding);
                Self::Legacy(LegacyTarget { encoder, buffer, holds_escape: false })
            }
        }
    }

    /// Writes `text`, with substitutes for unmappable characters, as far as the policy allows.
    fn write_repaired(
        &mut self,
        text: &str,
        policy: &Policy,
        output: &mut impl Write,
    ) -> io::Result<WriteResult> {
        let (mut at, mut repairs) = (0, 0);
        if policy.strips_marks && matches!(self, Self::Legacy(_)) {
            // If the target has U+FEFF, the encoder does not report it as unmappable, so it is
            // removed here.
            while let Some(before) = text[at..].find(BYTE_ORDER_MARK) {
                let policy = Policy { strips_marks: false, ..policy.clone() };
                let part = self.write_repaired(&text[at..at + before], &policy, output)?;
                repairs += part.repairs;
                if let Some(stop) = part.stop {
                    return Ok(WriteResult { stop: Some(at + stop), repairs });
                }
                at += before + BYTE_ORDER_MARK.len_utf8();
            }
        }
        while let Some(Unmappable { before, c }) = self.write(&text[at..], output)? {
            if let Some(bytes) = policy.variants.as_ref().and_then(|variants| variants.bytes(c)) {
                output.write_all(&bytes)?;
            } else {
                match policy.text_for(c) {
                    None => return Ok(WriteResult { stop: Some(at + before), repairs }),
                    Some(text) => self.write_substitute(&text, output)?,
                }
            }
            at += before + c.len_utf8();
            repairs += 1;
        }
        Ok(WriteResult { stop: None, repairs })
    }

    /// Writes the substitute `text`, with `?` for each unmappable character.
    fn write_substitute(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        let mut rest = text;
        while let Some(Unmappable { before, c }) = self.write(rest, output)? {
            self.write("?", output)?;
            rest = &rest[before + c.len_utf8()..];
        }
        Ok(())
    }

    /// Writes `text` up to the first unmappable character, and returns this character.
    fn write(&mut self, text: &str, output: &mut impl Write) -> io::Result<Option<Unmappable>> {
        let mut read = 0;
        while read < text.len() {
            let rest = &text[read..];
            match self {
                Self::Scheme(Scheme::Utf8, _) => {
                    output.write_all(rest.as_bytes())?;
                    return Ok(None);
                }
                Self::Scheme(to, buffer) => {
                    let progress = Scheme::Utf8.transcode_into(rest.as_bytes(), *to, buffer);
                    output.write_all(&buffer[..progress.written])?;
                    read += progress.read;
                    if let Stop::Error(_) = progress.stop {
                        let c = text[read..].chars().next().unwrap_or_default();
                        return Ok(Some(Unmappable { before: read, c }));
                    }
                }
                Self::Legacy(target) => {
                    let (passed, unmappable) = target.write(rest, false, output)?;
                    read += passed;
                    if let Some(c) = unmappable {
                        return Ok(Some(Unmappable { before: read - c.len_utf8(), c }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Writes the final bytes that some encodings need, and flushes the output.
    fn finish(&mut self, output: &mut impl Write) -> io::Result<()> {
        if let Self::Legacy(target) = self {
            target.write("", true, output)?;
        }
        output.flush()
    }
}

/// An unmappable character of a text.
struct Unmappable {
    /// The number of bytes of the text before the character.
    before: usize,
    c: char,
}

/// The result of writing a text.
struct WriteResult {
    /// The offset at which the conversion stops, if it does.
    stop: Option<usize>,
    repairs: u64,
}
