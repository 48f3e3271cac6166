//! The oracle: computes the expected results with the standard library.
//!
//! `core::str::from_utf8` decodes UTF-8, `char::decode_utf16` UTF-16, and `char::from_u32` UTF-32;
//! `char::encode_utf8` and `char::encode_utf16` encode characters. This module adds only what the
//! standard library does not provide: the kind of an error, incomplete units at the end of a text,
//! and the order in which the reasons to stop are checked. All offsets and lengths are in bytes.

use utflane::{Error, ErrorKind, Progress, Scheme, Stop, StreamError};

use super::cesu8_wtf8;

/// The first error in a text, as the tests record it: in bytes, while an [`Error`] of the library
/// counts units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte offset.
    pub at: usize,
    /// The length in bytes; `None` if the text ends inside the sequence.
    pub len: Option<usize>,
    pub kind: ErrorKind,
}

impl Fault {
    /// Converts an error of the library, which is counted in units of `unit_bytes` bytes.
    pub fn from_error(error: Error, unit_bytes: usize) -> Self {
        assert_eq!(error.is_incomplete(), error.error_len().is_none());
        let len = error.error_len().map(|len| len * unit_bytes);
        Self { at: error.valid_up_to() * unit_bytes, len, kind: error.kind() }
    }

    /// Converts an error of the library in a stream, counted in units of `unit_bytes` bytes.
    pub fn from_stream_error(error: StreamError, unit_bytes: usize) -> Self {
        assert_eq!(error.is_incomplete(), error.error_len().is_none());
        let len = error.error_len().map(|len| len * unit_bytes);
        let at = usize::try_from(error.offset()).expect("tests have short streams") * unit_bytes;
        Self { at, len, kind: error.kind() }
    }
}

/// A decoded text.
pub struct Decoded {
    /// The code points before the fault: characters, and unpaired surrogates if the encoding has
    /// them.
    pub points: Vec<u32>,
    pub fault: Option<Fault>,
}

impl Decoded {
    fn new(chars: impl IntoIterator<Item = char>, fault: Option<Fault>) -> Self {
        Self { points: chars.into_iter().map(u32::from).collect(), fault }
    }

    /// Returns the code points as characters. Panics if one is an unpaired surrogate.
    pub fn chars(&self) -> impl Iterator<Item = char> {
        self.points.iter().map(|&point| char::from_u32(point).expect("no surrogates"))
    }
}

/// Decodes a text that is to be converted to `to`. If `to` has no unpaired surrogates, an unpaired
/// surrogate in the text is a fault.
pub fn decode_for(scheme: Scheme, to: Scheme, src: &[u8]) -> Decoded {
    let strict = !cesu8_wtf8::has_surrogates(to);
    match scheme {
        Scheme::Wtf16Le if strict => return decode(Scheme::Utf16Le, src),
        Scheme::Wtf16Be if strict => return decode(Scheme::Utf16Be, src),
        _ => {}
    }
    let mut decoded = decode(scheme, src);
    let is_surrogate = |point| (0xD800..0xE000).contains(&point);
    if strict && let Some(first) = decoded.points.iter().position(|&point| is_surrogate(point)) {
        decoded.points.truncate(first);
        let at = decoded.points.iter().map(|&point| encoded_len(scheme, point)).sum();
        // No bytes after the surrogate can make it well-formed: a pair of three-byte surrogates is
        // ill-formed, too. So the fault is complete.
        decoded.fault = Some(Fault { at, len: Some(3), kind: ErrorKind::Surrogate });
    }
    decoded
}

/// Decodes a text.
pub fn decode(scheme: Scheme, src: &[u8]) -> Decoded {
    match scheme {
        Scheme::Cesu8 => cesu8_wtf8::decode_cesu8(src, false),
        Scheme::Mutf8 => cesu8_wtf8::decode_cesu8(src, true),
        Scheme::Wtf8 => cesu8_wtf8::decode_wtf8(src),
        Scheme::Wtf16Le => cesu8_wtf8::decode_wtf16(src, u16::from_le_bytes),
        Scheme::Wtf16Be => cesu8_wtf8::decode_wtf16(src, u16::from_be_bytes),
        Scheme::Utf8 => decode_utf8(src),
        Scheme::Utf16Le => decode_utf16(src, u16::from_le_bytes),
        Scheme::Utf16Be => decode_utf16(src, u16::from_be_bytes),
        Scheme::Utf32Le => decode_utf32(src, u32::from_le_bytes),
        Scheme::Utf32Be => decode_utf32(src, u32::from_be_bytes),
        Scheme::Latin1 => Decoded::new(src.iter().map(|&b| char::from(b)), None),
        Scheme::Ascii => {
            let end = src.iter().position(|&byte| byte > 0x7F);
            let chars = src[..end.unwrap_or(src.len())].iter().map(|&b| char::from(b));
            Decoded::new(chars, end.map(|at| Fault { at, len: Some(1), kind: ErrorKind::TooLarge }))
        }
        _ => unreachable!("an encoding that the oracle doesn't know"),
    }
}

fn decode_utf8(src: &[u8]) -> Decoded {
    match std::str::from_utf8(src) {
        Ok(text) => Decoded::new(text.chars(), None),
        Err(error) => {
            let (valid, rest) = src.split_at(error.valid_up_to());
            let chars = std::str::from_utf8(valid).expect("the valid part is UTF-8").chars();
            let fault = Fault { at: valid.len(), len: error.error_len(), kind: utf8_kind(rest) };
            Decoded::new(chars, Some(fault))
        }
    }
}

/// Returns the kind of the error at the start of `rest`, by simdutf's rules. The lead byte
/// determines the number of bytes. The sequence is too short if one of these bytes is missing or is
/// not a continuation byte. Otherwise the encoded value determines the kind.
pub fn utf8_kind(rest: &[u8]) -> ErrorKind {
    let lead = rest[0];
    let bytes = if lead & 0xE0 == 0xC0 {
        2
    } else if lead & 0xF0 == 0xE0 {
        3
    } else if lead & 0xF8 == 0xF0 {
        4
    } else if lead & 0xC0 == 0x80 {
        return ErrorKind::TooLong;
    } else {
        return ErrorKind::InvalidLeadByte;
    };
    let mut value = u32::from(lead & (0x7F >> bytes));
    for i in 1..bytes {
        match rest.get(i) {
            Some(byte) if byte & 0xC0 == 0x80 => value = value << 6 | u32::from(byte & 0x3F),
            _ => return ErrorKind::TooShort,
        }
    }
    if value < [0, 0, 0x80, 0x800, 0x1_0000][bytes] {
        ErrorKind::Overlong
    } else if bytes == 3 && (0xD800..0xE000).contains(&value) {
        ErrorKind::Surrogate
    } else {
        assert!(bytes == 4 && value > 0x10_FFFF, "{rest:02X?} is well-formed");
        ErrorKind::TooLarge
    }
}

fn decode_utf16(src: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, fragment) = src.as_chunks::<2>();
    let mut chars = Vec::with_capacity(pairs.len());
    let mut at = 0;
    for item in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        match item {
            Ok(c) => {
                chars.push(c);
                at += 2 * c.len_utf16();
            }
            Err(unpaired) => {
                let is_high = unpaired.unpaired_surrogate() < 0xDC00;
                let is_last = at / 2 + 1 == pairs.len();
                let len = if is_high && is_last { None } else { Some(2) };
                let fault = Fault { at, len, kind: ErrorKind::Surrogate };
                return Decoded::new(chars, Some(fault));
            }
        }
    }
    Decoded::new(chars, incomplete_unit(at, fragment))
}

fn decode_utf32(src: &[u8], unit: fn([u8; 4]) -> u32) -> Decoded {
    let (quads, fragment) = src.as_chunks::<4>();
    let mut chars = Vec::with_capacity(quads.len());
    for (i, &quad) in quads.iter().enumerate() {
        match char::from_u32(unit(quad)) {
            Some(c) => chars.push(c),
            None => {
                let kind = match unit(quad) {
                    ..0x11_0000 => ErrorKind::Surrogate,
                    _ => ErrorKind::TooLarge,
                };
                return Decoded::new(chars, Some(Fault { at: 4 * i, len: Some(4), kind }));
            }
        }
    }
    Decoded::new(chars, incomplete_unit(4 * quads.len(), fragment))
}

/// Returns the fault of an incomplete unit at the end of a text; `None` if `fragment`, the bytes of
/// that unit, is empty.
pub fn incomplete_unit(at: usize, fragment: &[u8]) -> Option<Fault> {
    let fault = Fault { at, len: None, kind: ErrorKind::TooShort };
    (!fragment.is_empty()).then_some(fault)
}

/// Returns the length in bytes of the incomplete sequence at the end of a text, which more input
/// could complete. In encodings with unpaired surrogates, a high surrogate at the end counts as
/// incomplete, because more input could complete it to a pair.
pub fn incomplete(scheme: Scheme, src: &[u8]) -> usize {
    // Only the last bytes of the text are decoded. A sequence whose start is missing is an error,
    // so after a few bytes the decoder finds the same sequences as in the whole text.
    const DECODED_BYTES: usize = 32;
    let mut rest = &src[src.len().saturating_sub(DECODED_BYTES) / 4 * 4..];
    let fault = loop {
        match decode(scheme, rest).fault {
            Some(Fault { at, len: Some(len), .. }) => rest = &rest[at + len..],
            fault => break fault,
        }
    };
    let incomplete_len = fault.map_or(0, |fault| rest.len() - fault.at);
    let whole = &rest[..rest.len() - incomplete_len];
    let surrogate_len = match scheme {
        Scheme::Wtf8 => 3,
        Scheme::Wtf16Le | Scheme::Wtf16Be => 2,
        _ => return incomplete_len,
    };
    let last = decode(scheme, whole).points.last().copied();
    let may_become_low_surrogate = match rest[whole.len()..] {
        [] | [0xED] | [0xED, 0xB0..=0xBF] => true,
        _ => scheme != Scheme::Wtf8,
    };
    let is_high = last.is_some_and(|point| (0xD800..=0xDBFF).contains(&point));
    incomplete_len + if is_high && may_become_low_surrogate { surrogate_len } else { 0 }
}

/// Appends a code point to `out`. Returns false if the encoding lacks the code point.
pub fn encode(scheme: Scheme, point: impl Into<u32>, out: &mut Vec<u8>) -> bool {
    let code = point.into();
    let Some(c) = char::from_u32(code) else {
        return cesu8_wtf8::encode_surrogate(scheme, code, out);
    };
    let mut units = [0; 2];
    match scheme {
        Scheme::Cesu8 | Scheme::Mutf8 => cesu8_wtf8::encode_cesu8(c, scheme == Scheme::Mutf8, out),
        Scheme::Wtf8 => return encode(Scheme::Utf8, c, out),
        Scheme::Wtf16Le => return encode(Scheme::Utf16Le, c, out),
        Scheme::Wtf16Be => return encode(Scheme::Utf16Be, c, out),
        Scheme::Utf8 => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Scheme::Utf16Le => {
            out.extend(c.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_le_bytes()));
        }
        Scheme::Utf16Be => {
            out.extend(c.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_be_bytes()));
        }
        Scheme::Utf32Le => out.extend_from_slice(&code.to_le_bytes()),
        Scheme::Utf32Be => out.extend_from_slice(&code.to_be_bytes()),
        Scheme::Latin1 | Scheme::Ascii => match u8::try_from(c) {
            Ok(byte) if scheme == Scheme::Latin1 || byte.is_ascii() => out.push(byte),
            _ => return false,
        },
        _ => unreachable!("an encoding that the oracle doesn't know"),
    }
    true
}

/// Encodes characters. Panics if the encoding lacks one of them.
pub fn encode_all(scheme: Scheme, chars: impl IntoIterator<Item = char>) -> Vec<u8> {
    let mut out = Vec::new();
    for c in chars {
        assert!(encode(scheme, c, &mut out), "{scheme} lacks {c:?}");
    }
    out
}

/// The number of bytes that a conversion reads, the number of bytes that it writes, and the reason
/// why it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub read: usize,
    pub written: usize,
    pub stop: Ending,
}

/// The reason why a conversion stops: [`Stop`] with offsets and lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Done,
    Full,
    Fault(Fault),
}

impl Outcome {
    /// Converts the library's progress. The units of the source have `from` bytes, the units of the
    /// target `to` bytes.
    pub fn from_progress(progress: Progress, from: usize, to: usize) -> Self {
        let stop = match progress.stop {
            Stop::Done => Ending::Done,
            Stop::OutputFull => Ending::Full,
            Stop::Error(error) => Ending::Fault(Fault::from_error(error, from)),
        };
        Self { read: progress.read * from, written: progress.written * to, stop }
    }
}

/// The expected results of a conversion.
pub struct Expected {
    /// The whole output.
    pub out: Vec<u8>,
    /// The numbers of bytes read and written at each position where the conversion may stop: at the
    /// start and after each character.
    pub ends: Vec<(usize, usize)>,
    /// The fault that stops the conversion, or `None` if it reaches the end of the input.
    pub fault: Option<Fault>,
}

/// Returns the expected results of the conversion of `src`.
pub fn expect(from: Scheme, to: Scheme, src: &[u8]) -> Expected {
    let decoded = decode_for(from, to, src);
    let mut out = Vec::with_capacity(2 * src.len());
    let mut ends = Vec::with_capacity(decoded.points.len() + 1);
    let mut read = 0;
    ends.push((0, 0));
    for point in decoded.points {
        let len = encoded_len(from, point);
        if !encode(to, point, &mut out) {
            let fault = Fault { at: read, len: Some(len), kind: ErrorKind::Unmappable };
            return Expected { out, ends, fault: Some(fault) };
        }
        read += len;
        ends.push((read, out.len()));
    }
    Expected { out, ends, fault: decoded.fault }
}

/// Returns the length of a code point in `scheme`, in bytes. The encoding must have the code point.
fn encoded_len(scheme: Scheme, point: u32) -> usize {
    let Some(c) = char::from_u32(point) else {
        return if scheme == Scheme::Wtf8 { 3 } else { 2 };
    };
    match scheme {
        Scheme::Utf8 | Scheme::Wtf8 => c.len_utf8(),
        Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => 2 * c.len_utf16(),
        Scheme::Utf32Le | Scheme::Utf32Be => 4,
        Scheme::Mutf8 if c == '\0' => 2,
        Scheme::Cesu8 | Scheme::Mutf8 => [0, 1, 2, 3, 6][c.len_utf8()],
        _ => 1,
    }
}

impl Expected {
    /// Returns the expected outcome of the conversion into an output of `capacity` bytes.
    pub fn within(&self, capacity: usize) -> Outcome {
        let fitting_ends = self.ends.partition_point(|&(_, written)| written <= capacity);
        let (read, written) = self.ends[fitting_ends - 1];
        let stop = match self.fault {
            _ if fitting_ends < self.ends.len() => Ending::Full,
            Some(fault) => Ending::Fault(fault),
            None => Ending::Done,
        };
        Outcome { read, written, stop }
    }
}

/// The expected result of `utflane::utf8::summary`.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    pub fault: Option<Fault>,
    pub valid_up_to: usize,
    pub code_points: usize,
    pub utf16_units: usize,
    pub is_ascii: bool,
    pub fits_latin1: bool,
}

/// Returns the expected summary of any bytes.
pub fn summary(src: &[u8]) -> Summary {
    let decoded = decode_utf8(src);
    let (chars, fault) = (decoded.chars().collect::<Vec<_>>(), decoded.fault);
    Summary {
        fault,
        valid_up_to: chars.iter().map(|c| c.len_utf8()).sum(),
        code_points: chars.len(),
        utf16_units: chars.iter().map(|c| c.len_utf16()).sum(),
        is_ascii: src.is_ascii(),
        fits_latin1: fault.is_none() && chars.iter().all(|&c| c <= '\u{FF}'),
    }
}

/// Counts the code points in any bytes, by the formulas in the documentation of `utflane::len`.
pub fn count(scheme: Scheme, src: &[u8]) -> usize {
    if cesu8_wtf8::has_surrogates(scheme) {
        // WTF-8 counts as UTF-8. In WTF-16 only an incomplete unit at the end is ill-formed.
        return match scheme {
            Scheme::Wtf8 => count(Scheme::Utf8, src),
            _ => decode(scheme, src).points.len(),
        };
    }
    if let Scheme::Cesu8 | Scheme::Mutf8 = scheme {
        return count(Scheme::Utf8, src) - cesu8_wtf8::low_surrogates(src);
    }
    code_units(scheme, src)
        .filter(|&unit| match scheme {
            Scheme::Utf8 => unit & 0xC0 != 0x80,
            Scheme::Utf16Le | Scheme::Utf16Be => !(0xDC00..=0xDFFF).contains(&unit),
            _ => true,
        })
        .count()
}

/// Returns the length of any bytes in the encoding `to`, in bytes, by the formulas in the
/// documentation of `utflane::len`.
pub fn len(from: Scheme, to: Scheme, src: &[u8]) -> usize {
    use Scheme::{Utf8, Utf16Be, Utf16Le};
    if let Some(len) = cesu8_wtf8::len(from, to, src) {
        return len;
    }
    let units: usize = match (from, to) {
        (Utf8, Utf8) => src.len(),
        (Utf8, Utf16Le | Utf16Be) => {
            count(from, src) + code_units(from, src).filter(|&unit| unit >= 0xF0).count()
        }
        (Utf16Le | Utf16Be, Utf8) => code_units(from, src)
            .map(|unit| match unit {
                0xD800..=0xDFFF => 2,
                unit => by_thresholds(unit),
            })
            .sum(),
        (Utf16Le | Utf16Be, Utf16Le | Utf16Be) => src.len() / 2,
        (Scheme::Ascii, Utf8) => src.len(),
        (_, Utf8) => code_units(from, src).map(by_thresholds).sum(),
        (_, Utf16Le | Utf16Be) => {
            code_units(from, src).map(|unit| if unit > 0xFFFF { 2 } else { 1 }).sum()
        }
        _ => count(from, src),
    };
    units * to.unit_size()
}

/// Returns the UTF-8 length of a value in bytes, which depends only on three thresholds.
pub fn by_thresholds(value: u32) -> usize {
    1 + usize::from(value > 0x7F) + usize::from(value > 0x7FF) + usize::from(value > 0xFFFF)
}

/// Returns the whole code units of a text, without an incomplete unit at the end.
pub fn code_units(scheme: Scheme, src: &[u8]) -> Box<dyn Iterator<Item = u32> + '_> {
    let (pairs, quads) = (src.as_chunks::<2>().0.iter(), src.as_chunks::<4>().0.iter());
    match scheme {
        Scheme::Utf16Le | Scheme::Wtf16Le => {
            Box::new(pairs.map(|&pair| u16::from_le_bytes(pair).into()))
        }
        Scheme::Utf16Be | Scheme::Wtf16Be => {
            Box::new(pairs.map(|&pair| u16::from_be_bytes(pair).into()))
        }
        Scheme::Utf32Le => Box::new(quads.map(|&quad| u32::from_le_bytes(quad))),
        Scheme::Utf32Be => Box::new(quads.map(|&quad| u32::from_be_bytes(quad))),
        _ => Box::new(src.iter().map(|&byte| byte.into())),
    }
}
