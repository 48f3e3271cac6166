//! Conversions from and to the encodings of `encoding_rs`, by way of UTF-8, piece by piece.
//!
//! Lines and columns are those of the text in UTF-8. The offset of an ill-formed sequence is what the decoder says. That
//! of a character which the target doesn't have is looked for by decoding its piece once more, byte by byte.

use std::io::{self, BufWriter, Write};
use std::ops::Range;

use encoding_rs::{Decoder, DecoderResult, Encoder, EncoderResult, Encoding};
use utflane::{ByteTranscoder, IllFormed, Scheme, Stop, StreamError};

use crate::charset::Charset;
use crate::convert::{Converted, ROOM};
use crate::finding::{Finding, Flaw};
use crate::input::Input;
use crate::output::{Failure, Output, unless_closed};
use crate::place::{Place, Text};
use crate::policy::{self, Policy, Remedy};

/// Bytes of the longest sequence of any encoding, and some more that a decoder has looked at.
const LONGEST: usize = 16;

/// Bytes that are decoded at once; what they become has room, whatever the encoding.
const PIECE: usize = ROOM / 4 - LONGEST;

/// How a piece of text ended.
enum End<E> {
    /// There may be more.
    More,
    /// It was the last one.
    Last,
    /// Behind it stands something that is ill-formed.
    Wrong(E),
}

/// Where text in UTF-8 comes from.
trait Source {
    /// An ill-formed sequence.
    type Wrong;

    /// Writes the next piece to `text`; says how long it is.
    fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<Self::Wrong>)>;

    /// Lets a piece go by.
    fn pass(&mut self, piece: &str);

    /// What Latin-1 has for `wrong`, behind a piece that has passed.
    fn as_latin1(&self, wrong: &Self::Wrong) -> String;

    /// Lets `wrong` go by, as one column.
    fn pass_wrong(&mut self, wrong: Self::Wrong);

    /// Repairs of which nothing else has been told.
    fn repairs(&self) -> u64 {
        0
    }

    /// The finding that `wrong` is, behind a piece that has passed.
    fn wrong(&mut self, wrong: Self::Wrong) -> io::Result<Finding>;

    /// The finding that the character at `at` of `piece` is unmappable.
    fn unmappable(&mut self, piece: &str, at: usize) -> io::Result<Finding>;
}

/// Converts from one of the library's schemes.
pub(crate) fn pump_scheme(
    text: Text,
    from: Scheme,
    to: Charset,
    policy: &Policy,
    output: &mut Output,
) -> Result<Converted, Failure> {
    let offset = text.input.offset();
    let mut transcoder = ByteTranscoder::new(from, Scheme::Utf8);
    if let Some(ill_formed) = of_library(policy, to) {
        transcoder = transcoder.with_policy(utflane::Policy::STOP.on_ill_formed(ill_formed));
    }
    pump(Known { text, from, transcoder, left: 0, offset }, Target::new(to), policy, output)
}

/// What the library can do about ill-formed sequences on its way to UTF-8, so that pieces don't end there.
///
/// Nothing if there may be a character to stop at, which is looked for by the lengths of what has gone by.
fn of_library(policy: &Policy, to: Charset) -> Option<IllFormed> {
    let (Some(Remedy::Text(text)), Some(_)) = (&policy.invalid, &policy.unmappable) else {
        return None;
    };
    match policy::one(text)? {
        None => Some(IllFormed::Skip),
        Some(c) => {
            let is_there =
                Target::new(to).write(text, &mut io::sink()).is_ok_and(|at| at.is_none());
            Some(IllFormed::Replace(if is_there { c } else { '?' }))
        }
    }
}

/// Converts from another encoding.
pub(crate) fn pump_legacy(
    input: Input,
    from: &'static Encoding,
    to: Charset,
    policy: &Policy,
    output: &mut Output,
) -> Result<Converted, Failure> {
    pump(Legacy::new(input, from, to, policy), Target::new(to), policy, output)
}

/// Converts up to where it has to stop, or to the end.
fn pump<S: Source>(
    mut source: S,
    mut target: Target,
    policy: &Policy,
    output: &mut Output,
) -> Result<Converted, Failure> {
    // For pieces that end at each place where something is wrong.
    let output = &mut BufWriter::with_capacity(ROOM, output);
    let mut text = vec![0; ROOM];
    let mut repairs = 0;
    let finding = loop {
        let (len, end) = source.next(&mut text).map_err(Failure::Reading)?;
        let piece =
            str::from_utf8(&text[..len]).map_err(io::Error::other).map_err(Failure::Reading)?;
        let written = target.write_repaired(piece, policy, output);
        let Written { stop, repairs: more } = written.map_err(Failure::Writing)?;
        repairs += more;
        if let Some(at) = stop {
            unless_closed(target.end(output)).map_err(Failure::Writing)?;
            break Some(source.unmappable(piece, at).map_err(Failure::Reading)?);
        }
        source.pass(piece);
        match (end, &policy.invalid) {
            (End::More, _) => output.flush().map_err(Failure::Writing)?,
            (End::Last, _) => {
                target.end(output).map_err(Failure::Writing)?;
                break None;
            }
            (End::Wrong(wrong), None) => {
                unless_closed(target.end(output)).map_err(Failure::Writing)?;
                break Some(source.wrong(wrong).map_err(Failure::Reading)?);
            }
            (End::Wrong(wrong), Some(remedy)) => {
                let written = match remedy {
                    Remedy::Text(text) => target.put(text, output),
                    _ => target.put(&source.as_latin1(&wrong), output),
                };
                written.map_err(Failure::Writing)?;
                repairs += 1;
                source.pass_wrong(wrong);
            }
        }
    };
    Ok(Converted { finding, repairs: repairs + source.repairs() })
}

/// Text in one of the library's schemes. It has one way to write a character, so lengths tell offsets.
struct Known {
    text: Text,
    from: Scheme,
    transcoder: ByteTranscoder,
    /// Bytes of the last chunk that have not been converted.
    left: usize,
    /// Bytes of the file in front of the next piece.
    offset: u64,
}

impl Known {
    /// Bytes of `text` in the file.
    fn len(&self, text: &str) -> usize {
        Scheme::Utf8.len(text.as_bytes(), self.from)
    }
}

impl Source for Known {
    type Wrong = StreamError;

    fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<StreamError>)> {
        let chunk = match self.left {
            0 => self.text.next_chunk()?,
            left => {
                let kept = self.text.input.kept();
                &kept[kept.len() - left..]
            }
        };
        let (progress, end) = match chunk.is_empty() {
            true => (self.transcoder.finish(text), End::Last),
            false => (self.transcoder.push(chunk, text), End::More),
        };
        self.left = chunk.len() - progress.read;
        debug_assert!(progress.stop != Stop::OutputFull, "no character grows fourfold");
        let end = if let Stop::Error(error) = progress.stop { End::Wrong(error) } else { end };
        Ok((progress.written, end))
    }

    fn pass(&mut self, piece: &str) {
        self.offset += self.len(piece) as u64;
    }

    fn as_latin1(&self, error: &StreamError) -> String {
        match self.from.unit_size() {
            1 => self.text.offence(*error).iter().copied().map(char::from).collect(),
            _ => char::REPLACEMENT_CHARACTER.into(),
        }
    }

    fn pass_wrong(&mut self, error: StreamError) {
        self.offset += self.text.offence(error).len() as u64;
    }

    fn repairs(&self) -> u64 {
        self.transcoder.repairs()
    }

    fn wrong(&mut self, error: StreamError) -> io::Result<Finding> {
        self.text.locate(error)
    }

    fn unmappable(&mut self, piece: &str, at: usize) -> io::Result<Finding> {
        let (before, rest) = piece.split_at(at);
        let character = rest.chars().next().map_or("", |c| &rest[..c.len_utf8()]);
        self.text.count_to(self.offset + self.len(before) as u64);
        self.text.finding(Flaw::Unmappable, self.len(character))
    }
}

/// Text that `encoding_rs` decodes.
struct Legacy {
    input: Input,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// The decoder in front of the piece, where something may have to be looked for in that.
    before: Option<Decoder>,
    /// Bytes of the last chunk that have not been decoded.
    left: usize,
    /// Kept bytes in front of the piece.
    start: usize,
    /// The place behind all that has passed.
    place: Place,
}

impl Legacy {
    fn new(input: Input, encoding: &'static Encoding, to: Charset, policy: &Policy) -> Self {
        let has_all = matches!(to, Charset::Scheme(to) if !to.byte_order_mark().is_empty());
        let decoder = || encoding.new_decoder_without_bom_handling();
        let before = (!has_all && policy.unmappable.is_none()).then(decoder);
        let place = Place::default();
        Self { input, encoding, decoder: decoder(), before, left: 0, start: 0, place }
    }

    /// The finding at `len` kept bytes behind the first `at`.
    fn finding(&self, flaw: Flaw, at: usize, len: usize) -> Finding {
        let offset = self.input.offset() + at as u64;
        let offence = self.input.kept()[at..at + len].to_vec();
        Finding { place: self.place, offset, flaw, offence, excerpt: None }
    }

    /// Where in the kept bytes the sequence stands that was found just now.
    fn range_of_wrong(&self, (len, behind): (usize, usize)) -> Range<usize> {
        let end = self.input.kept().len() - self.left - behind;
        end - len..end
    }

    /// Where in the kept bytes the character `c` begins and ends, which is at `at` of the piece in UTF-8.
    fn range_of(&mut self, c: char, at: usize) -> Range<usize> {
        let piece = &self.input.kept()[self.start..self.input.kept().len() - self.left];
        let (mut start, mut written) = (None, 0);
        for (read, byte) in piece.iter().enumerate() {
            let Some(decoder) = &mut self.before else { break };
            let byte = std::slice::from_ref(byte);
            let step = decoder.decode_to_utf8_without_replacement(byte, &mut [0; 32], false).2;
            written += step;
            let end = self.start + read + 1;
            if written > at {
                // The first one of a piece may have begun in the piece before; so it is as long as it usually is.
                let start = start.unwrap_or_else(|| end.saturating_sub(self.usual_len(c)));
                return self.behind_escapes(start)..end;
            }
            if step > 0 {
                start = Some(end);
            }
        }
        debug_assert!(false, "the piece has this character");
        self.start..self.start
    }

    /// `start`, or behind the escape sequences there, which have three bytes.
    fn behind_escapes(&self, mut start: usize) -> usize {
        while self.encoding == encoding_rs::ISO_2022_JP && self.input.kept()[start] == b'\x1B' {
            start += 3;
        }
        start
    }

    /// Bytes that `c` has in this encoding, if there is no other way to write it.
    fn usual_len(&self, c: char) -> usize {
        if self.encoding == encoding_rs::ISO_2022_JP {
            return if c.is_ascii() { 1 } else { 2 }; // without escape sequences
        }
        self.encoding.encode(c.encode_utf8(&mut [0; 4])).0.len()
    }
}

impl Source for Legacy {
    /// The last bytes of what has been decoded: those of the sequence, and those behind it.
    type Wrong = (usize, usize);

    fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<Self::Wrong>)> {
        let mut last = false;
        if self.left == 0 {
            self.input.release(self.input.given().saturating_sub(LONGEST));
            self.left = self.input.fill()?.len();
            last = self.left == 0;
        }
        let kept = self.input.kept();
        self.start = kept.len() - self.left;
        let piece = &kept[self.start..][..self.left.min(PIECE)];
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(piece, text, last);
        self.left -= read;
        let end = match result {
            DecoderResult::Malformed(len, behind) => {
                End::Wrong((usize::from(len), usize::from(behind)))
            }
            DecoderResult::InputEmpty if last => End::Last,
            _ => End::More,
        };
        Ok((written, end))
    }

    fn pass(&mut self, piece: &str) {
        self.place.advance(Scheme::Utf8, piece.as_bytes());
        let kept = self.input.kept();
        if let Some(decoder) = &mut self.before {
            let piece = &kept[self.start..kept.len() - self.left];
            // As much as the other one has read, to no other end than to be where it is.
            let mut scratch = vec![0; 4 * (piece.len() + LONGEST)];
            let _ = decoder.decode_to_utf8_without_replacement(piece, &mut scratch, false);
        }
    }

    fn as_latin1(&self, &wrong: &Self::Wrong) -> String {
        self.input.kept()[self.range_of_wrong(wrong)].iter().copied().map(char::from).collect()
    }

    fn pass_wrong(&mut self, _: Self::Wrong) {
        self.place.column += 1;
    }

    fn wrong(&mut self, wrong: Self::Wrong) -> io::Result<Finding> {
        let range = self.range_of_wrong(wrong);
        Ok(self.finding(Flaw::Malformed(self.encoding), range.start, range.len()))
    }

    fn unmappable(&mut self, piece: &str, at: usize) -> io::Result<Finding> {
        self.place.advance(Scheme::Utf8, &piece.as_bytes()[..at]);
        let c = piece[at..].chars().next().unwrap_or_default();
        let range = self.range_of(c, at);
        Ok(self.finding(Flaw::Unmappable, range.start, range.len()))
    }
}

/// What text in UTF-8 is written as.
enum Target {
    Scheme(Scheme, Vec<u8>),
    Legacy(Encoder, Vec<u8>),
}

impl Target {
    fn new(to: Charset) -> Self {
        let room = vec![0; ROOM];
        match to {
            Charset::Scheme(scheme) => Self::Scheme(scheme, room),
            Charset::Legacy(encoding) => Self::Legacy(encoding.new_encoder(), room),
        }
    }

    /// Writes `text`, with something for each character that the target doesn't have, as far as the policy goes.
    fn write_repaired(
        &mut self,
        text: &str,
        policy: &Policy,
        output: &mut impl Write,
    ) -> io::Result<Written> {
        let (mut at, mut repairs) = (0, 0);
        while let Some(Unmappable { before, len, c }) = self.write(&text[at..], output)? {
            match &policy.unmappable {
                None => return Ok(Written { stop: Some(at + before), repairs }),
                Some(Remedy::Text(text)) => self.put(text, output)?,
                Some(_) => self.put(&format!("&#{};", u32::from(c)), output)?,
            }
            at += before + len;
            repairs += 1;
        }
        Ok(Written { stop: None, repairs })
    }

    /// Writes a text that is not one of the source: `?` for each character that the target doesn't have.
    fn put(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        let mut rest = text;
        while let Some(Unmappable { before, len, .. }) = self.write(rest, output)? {
            self.write("?", output)?;
            rest = &rest[before + len..];
        }
        Ok(())
    }

    /// Writes `text`, or as much as stands in front of the first character that the target doesn't have.
    fn write(&mut self, text: &str, output: &mut impl Write) -> io::Result<Option<Unmappable>> {
        let mut read = 0;
        while read < text.len() {
            let rest = &text[read..];
            match self {
                Self::Scheme(Scheme::Utf8, _) => {
                    output.write_all(rest.as_bytes())?;
                    return Ok(None);
                }
                Self::Scheme(to, room) => {
                    let progress = Scheme::Utf8.transcode_into(rest.as_bytes(), *to, room);
                    output.write_all(&room[..progress.written])?;
                    read += progress.read;
                    if let Stop::Error(_) = progress.stop {
                        let c = text[read..].chars().next().unwrap_or_default();
                        return Ok(Some(Unmappable { before: read, len: c.len_utf8(), c }));
                    }
                }
                Self::Legacy(encoder, room) => {
                    let (result, passed, written) =
                        encoder.encode_from_utf8_without_replacement(rest, room, false);
                    output.write_all(&room[..written])?;
                    read += passed;
                    if let EncoderResult::Unmappable(c) = result {
                        // Of some control characters ISO-2022-JP says that they were U+FFFD.
                        let len = text[..read].chars().next_back().map_or(0, char::len_utf8);
                        return Ok(Some(Unmappable { before: read - len, len, c }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Writes what some encodings have at the end, and all that waits.
    fn end(&mut self, output: &mut impl Write) -> io::Result<()> {
        if let Self::Legacy(encoder, room) = self {
            let (_, _, written) = encoder.encode_from_utf8_without_replacement("", room, true);
            output.write_all(&room[..written])?;
        }
        output.flush()
    }
}

/// A character of a text that the target doesn't have.
struct Unmappable {
    /// Bytes of the text in front of it.
    before: usize,
    len: usize,
    /// What the target calls it.
    c: char,
}

/// How much of a text was written.
struct Written {
    /// Where it has to stop.
    stop: Option<usize>,
    repairs: u64,
}
