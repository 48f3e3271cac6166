//! The expected results for CESU-8, Modified UTF-8 and WTF-8: the standard library's results for
//! UTF-16 and for single characters, combined as the definitions of these encodings require. Other
//! tests compare utflane with crates that implement these encodings.

use utflane::{ErrorKind, Scheme};

use super::oracle::{
    self, Decoded, Fault, by_thresholds, code_units, count, incomplete_unit, utf8_kind,
};

/// Returns true if unpaired surrogates are well-formed in the encoding.
pub fn has_surrogates(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be)
}

/// Appends a UTF-16 code unit to `out`, encoded as if it were a character. If `is_mutf8`, NUL
/// becomes two bytes, as in Modified UTF-8.
fn encode_unit(unit: u16, is_mutf8: bool, out: &mut Vec<u8>) {
    match char::from_u32(unit.into()) {
        Some('\0') if is_mutf8 => out.extend([0xC0, 0x80]),
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // A surrogate minus 0x8000 is a character that also has three bytes. Then 0x8000 is added
        // again: it is 8 in the lead byte.
        None => {
            let c = char::from_u32(u32::from(unit) - 0x8000).expect("U+5800..U+5FFF");
            let at = out.len();
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            out[at] += 8;
        }
    }
}

/// Appends a character to `out`, in CESU-8 or, if `is_mutf8`, in Modified UTF-8.
pub fn encode_cesu8(c: char, is_mutf8: bool, out: &mut Vec<u8>) {
    for &mut unit in c.encode_utf16(&mut [0; 2]) {
        encode_unit(unit, is_mutf8, out);
    }
}

/// Appends an unpaired surrogate to `out`. Returns false if the encoding has no surrogates.
pub fn encode_surrogate(scheme: Scheme, point: u32, out: &mut Vec<u8>) -> bool {
    let unit = u16::try_from(point).expect("a surrogate");
    match scheme {
        Scheme::Wtf8 => encode_unit(unit, false, out),
        Scheme::Wtf16Le => out.extend(unit.to_le_bytes()),
        Scheme::Wtf16Be => out.extend(unit.to_be_bytes()),
        _ => return false,
    }
    true
}

/// Returns the UTF-16 code unit at the start of `src` and the number of its bytes, if its encoding
/// is well-formed.
fn decode_unit(src: &[u8], is_mutf8: bool) -> Option<(u16, usize)> {
    let bits = |byte: &u8| u16::from(byte & 0x3F);
    let (unit, len) = match *src.first()? {
        byte @ ..0x80 => (byte.into(), 1),
        lead @ 0xC0..0xE0 => (u16::from(lead & 0x1F) << 6 | bits(src.get(1)?), 2),
        lead @ 0xE0..0xF0 => {
            (u16::from(lead & 0xF) << 12 | bits(src.get(1)?) << 6 | bits(src.get(2)?), 3)
        }
        _ => return None,
    };
    let mut encoded = Vec::new();
    encode_unit(unit, is_mutf8, &mut encoded);
    (encoded == src[..len]).then_some((unit, len))
}

/// Returns the character at the start of `src` and the number of its bytes, if `src` begins with a
/// well-formed character.
fn decode_character(src: &[u8], is_mutf8: bool) -> Option<(char, usize)> {
    let (first, len) = decode_unit(src, is_mutf8)?;
    let mut units = vec![first];
    let mut total_len = len;
    if (0xD800..0xDC00).contains(&first) {
        let (second, len) = decode_unit(&src[len..], is_mutf8)?;
        units.push(second);
        total_len += len;
    }
    let decoded = char::decode_utf16(units).collect::<Result<Vec<_>, _>>().ok()?;
    (decoded.len() == 1).then(|| (decoded[0], total_len))
}

/// Returns true if more bytes could complete `src` to one character.
fn is_incomplete_character(src: &[u8], is_mutf8: bool) -> bool {
    let endings: [&[u8]; 9] = [
        b"\x80",
        b"\xA0",
        b"\x80\x80",
        b"\xA0\x80",
        b"\xED\xB0\x80",
        b"\xB0\x80",
        b"\x80\xED\xB0\x80",
        b"\xA0\x80\xED\xB0\x80",
        b"\x80\xED\xB0\x80",
    ];
    endings.iter().any(|ending| {
        let whole = [src, ending].concat();
        decode_character(&whole, is_mutf8).is_some_and(|(_, len)| len == whole.len())
    })
}

/// Decodes CESU-8 or, if `is_mutf8`, Modified UTF-8.
pub fn decode_cesu8(src: &[u8], is_mutf8: bool) -> Decoded {
    let (mut points, mut at) = (Vec::new(), 0);
    while at < src.len() {
        let rest = &src[at..];
        if let Some((c, len)) = decode_character(rest, is_mutf8) {
            points.push(c.into());
            at += len;
            continue;
        }
        let kind = match rest[0] {
            0 | 0xF0.. => ErrorKind::InvalidLeadByte,
            _ => utf8_kind(rest),
        };
        let len = if rest.len() < 6 && is_incomplete_character(rest, is_mutf8) {
            None
        } else {
            // An unpaired surrogate is an error of three bytes, even if the bytes after it could
            // begin the other surrogate.
            Some(
                (2..=3.min(rest.len()))
                    .rev()
                    .find(|&len| is_incomplete_character(&rest[..len], is_mutf8))
                    .unwrap_or(1),
            )
        };
        return Decoded { points, fault: Some(Fault { at, len, kind }) };
    }
    Decoded { points, fault: None }
}

/// Decodes WTF-8.
pub fn decode_wtf8(src: &[u8]) -> Decoded {
    let (mut points, mut at) = (Vec::new(), 0);
    loop {
        let part = oracle::decode(Scheme::Utf8, &src[at..]);
        points.extend(part.points);
        let Some(fault) = part.fault else { return Decoded { points, fault: None } };
        at += fault.at;
        let fault = |len, kind| Some(Fault { at, len, kind });
        let is_high = |unit| (0xD800..0xDC00).contains(&unit);
        match (decode_unit(&src[at..], false), &src[at..]) {
            (Some((first, 3)), rest) => match decode_unit(&rest[3..], false) {
                Some((0xDC00..=0xDFFF, 3)) if is_high(first) => {
                    return Decoded { points, fault: fault(Some(6), ErrorKind::Surrogate) };
                }
                _ => {
                    points.push(first.into());
                    at += 3;
                }
            },
            (_, [0xED, 0xA0..=0xBF]) => {
                return Decoded { points, fault: fault(None, ErrorKind::TooShort) };
            }
            (_, [0xED, 0xA0..=0xBF, ..]) => {
                return Decoded { points, fault: fault(Some(2), ErrorKind::TooShort) };
            }
            _ => {
                let fault = part.fault.map(|fault| Fault { at, ..fault });
                return Decoded { points, fault };
            }
        }
    }
}

/// Decodes potentially ill-formed UTF-16. `from_bytes` gives the byte order.
pub fn decode_wtf16(src: &[u8], from_bytes: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, fragment) = src.as_chunks::<2>();
    let points = char::decode_utf16(pairs.iter().map(|&pair| from_bytes(pair)))
        .map(|item| item.map_or_else(|unpaired| unpaired.unpaired_surrogate().into(), u32::from))
        .collect();
    Decoded { points, fault: incomplete_unit(2 * pairs.len(), fragment) }
}

/// Counts the three-byte low surrogates in any bytes, by the first two bytes of each.
pub fn low_surrogates(src: &[u8]) -> usize {
    src.windows(2).filter(|pair| pair[0] == 0xED && (0xB0..=0xBF).contains(&pair[1])).count()
}

/// Returns the result of `utflane::len` in bytes, by the formulas in its documentation, if `from`
/// or `to` is CESU-8, Modified UTF-8, WTF-8 or WTF-16. Returns `None` for other pairs.
pub fn len(from: Scheme, to: Scheme, src: &[u8]) -> Option<usize> {
    use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8};
    if has_surrogates(from) && has_surrogates(to) {
        let points = decode(from, src);
        return Some(match (from, to) {
            (Wtf8, Wtf8) => src.len(),
            (Wtf8, _) => oracle::len(Utf8, Utf16Le, src),
            (_, Wtf8) => points.iter().map(|&point| by_thresholds(point)).sum(),
            _ => src.len() / 2 * 2,
        });
    }
    let strict = |scheme| match scheme {
        Wtf8 => Utf8,
        Scheme::Wtf16Le => Utf16Le,
        Scheme::Wtf16Be => Utf16Be,
        scheme => scheme,
    };
    let original = (from, to);
    let (from, to) = (strict(from), strict(to));
    let count_byte = |wanted| src.iter().filter(|&&byte| byte == wanted).count();
    let count_nuls = || code_units(from, src).filter(|&unit| unit == 0).count();
    Some(match (from, to) {
        (Cesu8 | Mutf8, Utf16Le | Utf16Be) => 2 * count(Utf8, src),
        (Cesu8, Utf8) => src.len() - 2 * low_surrogates(src),
        (Mutf8, Utf8) => (src.len() - 2 * low_surrogates(src)).saturating_sub(count_byte(0xC0)),
        (Cesu8, Cesu8) | (Mutf8, Mutf8) => src.len(),
        (Cesu8, Mutf8) => src.len() + count_byte(0),
        (Mutf8, Cesu8) => src.len() - count_byte(0xC0),
        (Cesu8 | Mutf8, _) => count(from, src) * to.unit_size(),
        (_, Mutf8) => len(from, Cesu8, src)? + count_nuls(),
        (Utf8, Cesu8) => src.len() + 2 * src.iter().filter(|&&byte| byte >= 0xF0).count(),
        (Utf16Le | Utf16Be, Cesu8) => code_units(from, src)
            .map(|unit| match unit {
                0xD800..=0xDBFF => 2,
                0xDC00..=0xDFFF => 4,
                unit => by_thresholds(unit),
            })
            .sum(),
        (Utf32Le | Utf32Be, Cesu8) => {
            let unit_len = |unit| if unit > 0xFFFF { 6 } else { by_thresholds(unit) };
            code_units(from, src).map(unit_len).sum()
        }
        (Latin1 | Ascii, Cesu8) => oracle::len(from, Utf8, src),
        pair if pair == original => return None,
        _ => oracle::len(from, to, src),
    })
}

/// Returns the code points before the first error of a text.
fn decode(scheme: Scheme, src: &[u8]) -> Vec<u32> {
    oracle::decode(scheme, src).points
}

/// Returns true if `src` is the start of a possible surrogate pair: it has the whole high
/// surrogate, and not the whole low surrogate.
pub fn is_incomplete_pair(scheme: Scheme, src: &[u8]) -> bool {
    let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
    match (scheme, src) {
        (Scheme::Wtf8, [0xED, 0xA0..=0xAF, last] | [0xED, 0xA0..=0xAF, last, 0xED])
        | (Scheme::Wtf8, [0xED, 0xA0..=0xAF, last, 0xED, 0xB0..=0xBF]) => last & 0xC0 == 0x80,
        (Scheme::Wtf16Le, &[a, b] | &[a, b, _]) => is_high(u16::from_le_bytes([a, b])),
        (Scheme::Wtf16Be, &[a, b] | &[a, b, _]) => is_high(u16::from_be_bytes([a, b])),
        _ => false,
    }
}
