//! The expected results for CESU-8, Modified UTF-8 and WTF-8: the standard library's results for
//! UTF-16 and for single characters, combined as the definitions of these encodings require. A test
//! of its own compares the crates that implement them.

use utflane::{ErrorKind, Scheme};

use super::oracle::{self, Decoded, Fault, by_thresholds, code_units, count, cut, utf8_kind};

/// Returns true if unpaired surrogates are characters there.
pub fn has_surrogates(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be)
}

/// Writes a code unit of UTF-16 as if it were a character.
fn encode_unit(unit: u16, nul: bool, out: &mut Vec<u8>) {
    match char::from_u32(unit.into()) {
        Some('\0') if nul => out.extend([0xC0, 0x80]),
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // The bits of a character of the same length.
        None => {
            let c = char::from_u32(u32::from(unit) - 0x8000).expect("U+5800..U+5FFF");
            let at = out.len();
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            out[at] += 8;
        }
    }
}

/// Writes a character in CESU-8, or in Modified UTF-8.
pub fn encode_cesu8(c: char, nul: bool, out: &mut Vec<u8>) {
    for &mut unit in c.encode_utf16(&mut [0; 2]) {
        encode_unit(unit, nul, out);
    }
}

/// Writes an unpaired surrogate, in schemes that have them.
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

/// The code unit at the start of `src` and its bytes, if it is written as required.
fn unit(src: &[u8], nul: bool) -> Option<(u16, usize)> {
    let bits = |byte: &u8| u16::from(byte & 0x3F);
    let (unit, len) = match *src.first()? {
        byte @ ..0x80 => (byte.into(), 1),
        lead @ 0xC0..0xE0 => (u16::from(lead & 0x1F) << 6 | bits(src.get(1)?), 2),
        lead @ 0xE0..0xF0 => {
            (u16::from(lead & 0xF) << 12 | bits(src.get(1)?) << 6 | bits(src.get(2)?), 3)
        }
        _ => return None,
    };
    let mut again = Vec::new();
    encode_unit(unit, nul, &mut again);
    (again == src[..len]).then_some((unit, len))
}

/// The character at the start of `src` and its bytes, if there is one.
fn character(src: &[u8], nul: bool) -> Option<(char, usize)> {
    let (first, len) = unit(src, nul)?;
    let mut units = vec![first];
    let mut all = len;
    if (0xD800..0xDC00).contains(&first) {
        let (second, len) = unit(&src[len..], nul)?;
        units.push(second);
        all += len;
    }
    let decoded = char::decode_utf16(units).collect::<Result<Vec<_>, _>>().ok()?;
    (decoded.len() == 1).then(|| (decoded[0], all))
}

/// Returns true if `src` can be continued so that it becomes a character.
fn can_go_on(src: &[u8], nul: bool) -> bool {
    let ends: [&[u8]; 9] = [
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
    ends.iter().any(|end| {
        let whole = [src, end].concat();
        character(&whole, nul).is_some_and(|(_, len)| len == whole.len())
    })
}

pub fn decode_cesu8(src: &[u8], nul: bool) -> Decoded {
    let (mut points, mut at) = (Vec::new(), 0);
    while at < src.len() {
        let rest = &src[at..];
        if let Some((c, len)) = character(rest, nul) {
            points.push(c.into());
            at += len;
            continue;
        }
        let kind = match rest[0] {
            0 | 0xF0.. => ErrorKind::InvalidLeadByte,
            _ => utf8_kind(rest),
        };
        let len = if rest.len() < 6 && can_go_on(rest, nul) {
            None
        } else {
            // An unpaired surrogate is three bytes, whatever the other half begins with.
            Some(
                (2..=3.min(rest.len()))
                    .rev()
                    .find(|&len| can_go_on(&rest[..len], nul))
                    .unwrap_or(1),
            )
        };
        return Decoded { points, fault: Some(Fault { at, len, kind }) };
    }
    Decoded { points, fault: None }
}

pub fn decode_wtf8(src: &[u8]) -> Decoded {
    let (mut points, mut at) = (Vec::new(), 0);
    loop {
        let part = oracle::decode(Scheme::Utf8, &src[at..]);
        points.extend(part.points);
        let Some(fault) = part.fault else { return Decoded { points, fault: None } };
        at += fault.at;
        let fault = |len, kind| Some(Fault { at, len, kind });
        let high = |unit| (0xD800..0xDC00).contains(&unit);
        match (unit(&src[at..], false), &src[at..]) {
            (Some((first, 3)), rest) => match unit(&rest[3..], false) {
                Some((second @ 0xDC00..=0xDFFF, 3)) if high(first) => {
                    let _ = second;
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
                let wrong = part.fault.map(|wrong| Fault { at, ..wrong });
                return Decoded { points, fault: wrong };
            }
        }
    }
}

pub fn decode_wtf16(src: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, fragment) = src.as_chunks::<2>();
    let points = char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
        .map(|item| item.map_or_else(|unpaired| unpaired.unpaired_surrogate().into(), u32::from))
        .collect();
    Decoded { points, fault: cut(2 * pairs.len(), fragment) }
}

/// Counts low surrogates of pairs, by the bytes that identify them.
pub fn low_surrogates(src: &[u8]) -> usize {
    src.windows(2).filter(|pair| pair[0] == 0xED && (0xB0..=0xBF).contains(&pair[1])).count()
}

/// `len` in bytes by the arithmetic of its documentation, where CESU-8, Modified UTF-8, WTF-8 or
/// WTF-16 is one of the two.
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
    let known = (from, to);
    let (from, to) = (strict(from), strict(to));
    let bytes = |byte| src.iter().filter(|&&it| it == byte).count();
    let nuls = || code_units(from, src).filter(|&unit| unit == 0).count();
    Some(match (from, to) {
        (Cesu8 | Mutf8, Utf16Le | Utf16Be) => 2 * count(Utf8, src),
        (Cesu8, Utf8) => src.len() - 2 * low_surrogates(src),
        (Mutf8, Utf8) => (src.len() - 2 * low_surrogates(src)).saturating_sub(bytes(0xC0)),
        (Cesu8, Cesu8) | (Mutf8, Mutf8) => src.len(),
        (Cesu8, Mutf8) => src.len() + bytes(0),
        (Mutf8, Cesu8) => src.len() - bytes(0xC0),
        (Cesu8 | Mutf8, _) => count(from, src) * to.unit_size(),
        (_, Mutf8) => len(from, Cesu8, src)? + nuls(),
        (Utf8, Cesu8) => src.len() + 2 * src.iter().filter(|&&byte| byte >= 0xF0).count(),
        (Utf16Le | Utf16Be, Cesu8) => code_units(from, src)
            .map(|unit| match unit {
                0xD800..=0xDBFF => 2,
                0xDC00..=0xDFFF => 4,
                unit => by_thresholds(unit),
            })
            .sum(),
        (Utf32Le | Utf32Be, Cesu8) => {
            let six = |unit| if unit > 0xFFFF { 6 } else { by_thresholds(unit) };
            code_units(from, src).map(six).sum()
        }
        (Latin1 | Ascii, Cesu8) => oracle::len(from, Utf8, src),
        pair if pair == known => return None,
        _ => oracle::len(from, to, src),
    })
}

/// The code points of a text.
fn decode(scheme: Scheme, src: &[u8]) -> Vec<u32> {
    oracle::decode(scheme, src).points
}

/// Returns true if a text that continues after `src` may be a surrogate pair, of which the high
/// one is there.
pub fn is_incomplete_pair(scheme: Scheme, src: &[u8]) -> bool {
    let high = |unit: u16| (0xD800..0xDC00).contains(&unit);
    match (scheme, src) {
        (Scheme::Wtf8, [0xED, 0xA0..=0xAF, last] | [0xED, 0xA0..=0xAF, last, 0xED])
        | (Scheme::Wtf8, [0xED, 0xA0..=0xAF, last, 0xED, 0xB0..=0xBF]) => last & 0xC0 == 0x80,
        (Scheme::Wtf16Le, &[a, b] | &[a, b, _]) => high(u16::from_le_bytes([a, b])),
        (Scheme::Wtf16Be, &[a, b] | &[a, b, _]) => high(u16::from_be_bytes([a, b])),
        _ => false,
    }
}
