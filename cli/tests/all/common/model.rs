//! A model of `utflane convert` with repairs. The standard library or `encoding_rs` splits a text
//! into items, and the model writes each item separately.

use std::fs;
use std::path::Path;

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use crate::common::{
    ENCODINGS, Run, assert_same_bytes, encode, encode_units, feed, run, unit_as_utf8, utflane,
};

/// A character, or the bytes of a sequence that is not a character.
#[derive(Clone, Debug)]
enum Item {
    Char(char),
    IllFormed(Vec<u8>),
    /// An unpaired surrogate that the encoding allows, and its bytes.
    Surrogate(u16, Vec<u8>),
}

/// Returns the items of a text.
fn items(from: &str, bytes: &[u8]) -> Vec<Item> {
    match from {
        "utf-8" => bytes
            .utf8_chunks()
            .flat_map(|chunk| {
                let ill_formed =
                    (!chunk.invalid().is_empty()).then(|| Item::IllFormed(chunk.invalid().into()));
                chunk.valid().chars().map(Item::Char).chain(ill_formed).collect::<Vec<_>>()
            })
            .collect(),
        "ascii" => {
            bytes
                .iter()
                .map(|&byte| {
                    if byte < 0x80 { Item::Char(byte.into()) } else { Item::IllFormed(vec![byte]) }
                })
                .collect()
        }
        "utf-16le" => {
            let (units, rest) = bytes.as_chunks::<2>();
            let mut items: Vec<Item> =
                char::decode_utf16(units.iter().copied().map(u16::from_le_bytes))
                    .map(|c| match c {
                        Ok(c) => Item::Char(c),
                        Err(error) => {
                            Item::IllFormed(error.unpaired_surrogate().to_le_bytes().into())
                        }
                    })
                    .collect();
            if !rest.is_empty() {
                // An incomplete code unit at the end is part of the same sequence as a high
                // surrogate before it.
                match items.last_mut() {
                    Some(Item::IllFormed(unit)) if unit[1] & 0xFC == 0xD8 => unit.extend(rest),
                    _ => items.push(Item::IllFormed(rest.into())),
                }
            }
            items
        }
        "utf-32be" => {
            let (units, rest) = bytes.as_chunks::<4>();
            let item = |unit: &[u8; 4]| match char::from_u32(u32::from_be_bytes(*unit)) {
                Some(c) => Item::Char(c),
                None => Item::IllFormed(unit.to_vec()),
            };
            let rest = (!rest.is_empty()).then(|| Item::IllFormed(rest.into()));
            units.iter().map(item).chain(rest).collect()
        }
        "cesu-8" | "mutf-8" | "wtf-8" => cesu8_and_wtf8_items(from, bytes),
        "wtf-16le" => items("utf-16le", bytes)
            .into_iter()
            .flat_map(|item| match item {
                Item::IllFormed(bytes) if bytes.len() > 1 => {
                    let unit = u16::from_le_bytes([bytes[0], bytes[1]]);
                    let fragment = (bytes.len() == 3).then(|| Item::IllFormed(vec![bytes[2]]));
                    [Item::Surrogate(unit, bytes[..2].into())].into_iter().chain(fragment).collect()
                }
                item => vec![item],
            })
            .collect(),
        _ => legacy_items(from, bytes),
    }
}

/// Returns the UTF-16 code unit that the first one to three bytes of `bytes` encode, and the number
/// of these bytes.
fn decode_unit(from: &str, bytes: &[u8]) -> Option<(u16, usize)> {
    let len = match *bytes.first()? {
        0x80.. if bytes.starts_with(b"\xC0\x80") && from == "mutf-8" => return Some((0, 2)),
        0 if from == "mutf-8" => return None,
        ..0x80 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => return None,
    };
    let bytes = bytes.get(..len)?;
    let lead_mask = if len == 1 { 0x7F } else { 0x7F >> len };
    let first = u16::from(bytes[0] & lead_mask);
    let unit = bytes[1..].iter().fold(first, |unit, byte| unit << 6 | u16::from(byte & 0x3F));
    // Only the shortest form is well-formed.
    unit_as_utf8(unit).eq(bytes.iter().copied()).then_some((unit, len))
}

/// Returns the items of a text in CESU-8, Modified UTF-8 or WTF-8, decoded code unit by code unit.
fn cesu8_and_wtf8_items(from: &str, mut bytes: &[u8]) -> Vec<Item> {
    let is_high = |unit| (0xD800..0xDC00).contains(&unit);
    let is_low = |unit| (0xDC00..0xE000).contains(&unit);
    let mut items = Vec::new();
    while !bytes.is_empty() {
        let first = decode_unit(from, bytes);
        let second = first.and_then(|(_, len)| decode_unit(from, &bytes[len..]));
        let (item, len) = match (first, second) {
            (Some((high, 3)), Some((low, 3))) if is_high(high) && is_low(low) => {
                let c = char::decode_utf16([high, low]).next().unwrap().unwrap();
                let ill_formed = from == "wtf-8";
                (if ill_formed { Item::IllFormed(bytes[..6].into()) } else { Item::Char(c) }, 6)
            }
            (Some((unit, 3)), _) if from == "wtf-8" && (is_high(unit) || is_low(unit)) => {
                (Item::Surrogate(unit, bytes[..3].into()), 3)
            }
            (Some((unit, len)), _) if !is_high(unit) && !is_low(unit) => {
                (Item::Char(char::from_u32(unit.into()).unwrap()), len)
            }
            _ => four_byte_or_ill_formed_item(from, bytes),
        };
        items.push(item);
        bytes = &bytes[len..];
    }
    items
}

/// Returns the item at the start of `bytes` and its length in bytes. `bytes` do not begin with the
/// encoding of a UTF-16 code unit that stands alone or in a pair, so the item is a four-byte
/// character in WTF-8 or an ill-formed sequence.
fn four_byte_or_ill_formed_item(from: &str, bytes: &[u8]) -> (Item, usize) {
    let is_wtf8 = from == "wtf-8";
    let is_high = bytes[0] == 0xED && bytes.get(1).is_some_and(|byte| (0xA0..=0xAF).contains(byte));
    let is_surrogate =
        bytes[0] == 0xED && bytes.get(1).is_some_and(|byte| (0xA0..=0xBF).contains(byte));
    let is_continuation = |index: usize| bytes.get(index).is_some_and(|byte| byte & 0xC0 == 0x80);
    let len = match bytes[0] {
        _ if is_wtf8 && is_surrogate => 2,
        _ if is_high && !is_continuation(2) => 2,
        // At the end of the text, an incomplete low surrogate is part of the same sequence.
        _ if is_high && bytes.len() < 6 && decode_unit(from, &bytes[3..]).is_none() => {
            match bytes[3..] {
                [] | [0xED] | [0xED, 0xB0..=0xBF] => bytes.len(),
                _ => 3,
            }
        }
        _ if is_high => 3,
        0xF0.. if !is_wtf8 => 1,
        0 | 0xC0 => 1,
        _ => {
            let chunk = bytes[..bytes.len().min(4)].utf8_chunks().next().unwrap();
            if let Some(c) = chunk.valid().chars().next() {
                return (Item::Char(c), c.len_utf8());
            }
            chunk.invalid().len()
        }
    };
    (Item::IllFormed(bytes[..len].into()), len)
}

fn legacy_items(from: &str, bytes: &[u8]) -> Vec<Item> {
    let mut decoder = encoding(from).new_decoder_without_bom_handling();
    let mut text = vec![0; 4 * bytes.len() + 64];
    let (mut items, mut read) = (Vec::new(), 0);
    loop {
        let (result, newly_read, written) =
            decoder.decode_to_utf8_without_replacement(&bytes[read..], &mut text, true);
        read += newly_read;
        items.extend(str::from_utf8(&text[..written]).unwrap().chars().map(Item::Char));
        let DecoderResult::Malformed(len, after) = result else { return items };
        let end = read - usize::from(after);
        items.push(Item::IllFormed(bytes[end - usize::from(len)..end].into()));
    }
}

pub fn encoding(label: &str) -> &'static Encoding {
    Encoding::for_label(label.as_bytes()).unwrap()
}

/// An encoder that refuses unmappable characters.
enum Writer {
    /// The encoding, its last character, and the characters that are not encoded yet. Encoding each
    /// of them separately takes long.
    Std(&'static str, char, String),
    Legacy(encoding_rs::Encoder),
}

impl Writer {
    fn new(to: &'static str) -> Self {
        let last_char = match to {
            "ascii" => '\x7F',
            "latin1" => '\u{FF}',
            _ => char::MAX,
        };
        match ENCODINGS.iter().any(|(name, _)| *name == to) {
            true => Self::Std(to, last_char, String::new()),
            false => Self::Legacy(encoding(to).new_encoder()),
        }
    }

    /// Writes a character, or returns false if the target encoding lacks the character.
    fn put(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Std(_, last_char, _) if c > *last_char => return false,
            Self::Std(_, _, text) => text.push(c),
            Self::Legacy(encoder) if c.is_ascii() && encoder.encoding().is_ascii_compatible() => {
                out.push(c as u8);
            }
            Self::Legacy(encoder) => {
                let (mut buffer, mut utf8) = ([0; 32], [0; 4]);
                let text = c.encode_utf8(&mut utf8);
                let (result, _, written) =
                    encoder.encode_from_utf8_without_replacement(text, &mut buffer, false);
                out.extend_from_slice(&buffer[..written]);
                return !matches!(result, EncoderResult::Unmappable(_));
            }
        }
        true
    }

    /// Writes an unpaired surrogate, or returns false if the target encoding does not allow it.
    fn put_surrogate(&mut self, unit: u16, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Std(to @ ("wtf-8" | "wtf-16le" | "wtf-16be"), _, text) => {
                out.extend(encode(to, text));
                text.clear();
                out.extend(encode_units(to, &[unit]));
                true
            }
            _ => false,
        }
    }

    /// Writes `text`, with `?` for unmappable characters.
    fn put_text(&mut self, text: &str, out: &mut Vec<u8>) {
        for c in text.chars() {
            if !self.put(c, out) {
                assert!(self.put('?', out));
            }
        }
    }

    fn finish(self, out: &mut Vec<u8>) {
        let mut encoder = match self {
            Self::Std(to, _, text) => return out.extend(encode(to, &text)),
            Self::Legacy(encoder) => encoder,
        };
        let mut buffer = [0; 32];
        let written = encoder.encode_from_utf8_without_replacement("", &mut buffer, true).2;
        out.extend_from_slice(&buffer[..written]);
        // The command writes only the second of two escape sequences without text between them.
        if encoder.encoding() == encoding_rs::ISO_2022_JP {
            let mut rest = std::mem::take(out).into_iter().peekable();
            while let Some(byte) = rest.next() {
                out.push(byte);
                if out.ends_with(b"\x1B(B") && rest.peek() == Some(&0x1B) {
                    out.truncate(out.len() - 3);
                }
            }
        }
    }
}

/// The values of `--on-invalid`, except code pages.
const ON_INVALID: [&str; 6] =
    ["stop", "replace", "skip", "latin1", "replace-as-java", "replace-runs"];

/// Returns true if the ill-formed sequence `sequence` shares the replacement of the adjacent
/// ill-formed sequences before it. `previous_bytes` are the bytes of these sequences.
fn shares_replacement(
    on_invalid: &str,
    from: &str,
    previous_bytes: &[u8],
    sequence: &[u8],
) -> bool {
    match on_invalid {
        "replace-runs" => !previous_bytes.is_empty(),
        "replace-as-java" if from == "utf-8" => match [previous_bytes, sequence].concat()[..] {
            [0xED, 0xA0..=0xBF] => previous_bytes.len() == 1,
            [0xED, 0xA0..=0xBF, 0x80..=0xBF] => previous_bytes.len() == 2,
            _ => false,
        },
        _ => false,
    }
}

/// The options of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub invalid: &'static str,
    pub unmappable: &'static str,
    pub replacement: Option<&'static str>,
}

impl Options {
    pub fn arguments(self) -> Vec<&'static str> {
        let mut arguments = vec!["--on-invalid", self.invalid, "--on-unmappable", self.unmappable];
        arguments.extend(self.replacement.iter().flat_map(|text| ["--replacement", text]));
        arguments
    }

    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for invalid in ON_INVALID {
            for unmappable in ["stop", "replace", "skip", "ncr"] {
                all.push(Self { invalid, unmappable, replacement: None });
                if invalid == "replace" || unmappable == "replace" {
                    for text in ["", "-", "é", "<bad>", "[漢é😀]"] {
                        all.push(Self { invalid, unmappable, replacement: Some(text) });
                    }
                }
            }
        }
        all
    }
}

/// The output of a conversion, the number of repairs, and the line and the column where the
/// conversion stops.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    out: Vec<u8>,
    repairs: usize,
    stop: Option<(usize, usize)>,
}

/// Joins a high surrogate and an incomplete code unit at the end of a UTF-16 text. The target
/// cannot encode the surrogate, so both form one ill-formed sequence.
fn join_incomplete_pair(items: &mut Vec<Item>) {
    let ends_inside_pair = match items[..] {
        [.., Item::Surrogate(0xD800..=0xDBFF, ref high), Item::IllFormed(ref incomplete)] => {
            high.len() == 2 && incomplete.len() == 1
        }
        _ => false,
    };
    if ends_inside_pair
        && let (Some(Item::IllFormed(incomplete)), Some(Item::Surrogate(_, high))) =
            (items.pop(), items.last_mut())
    {
        high.extend(incomplete);
    }
}

/// Returns the outcome that the model expects.
fn expected_outcome(from: &str, to: &'static str, bytes: &[u8], options: Options) -> Outcome {
    let replacement = options.replacement.unwrap_or("\u{FFFD}");
    let has_wide_units = from.contains("-16") || from.contains("-32");
    let (mut out, mut repairs, mut position, mut stop) = (Vec::new(), 0, (1, 1), None);
    let mut writer = Writer::new(to);
    // Between encodings that allow unpaired surrogates, ill-formed sequences are never omitted: the
    // surrogates around a sequence could form a pair.
    let surrogates_could_join = [from, to].iter().all(|name| name.starts_with("wtf-"));
    let mut items = items(from, bytes);
    if !surrogates_could_join {
        join_incomplete_pair(&mut items);
    }
    let mut previous_bytes = Vec::new();
    for item in items {
        match &item {
            Item::Surrogate(unit, _) if writer.put_surrogate(*unit, &mut out) => {
                previous_bytes.clear();
            }
            Item::Char(c) => {
                previous_bytes.clear();
                if !writer.put(*c, &mut out) {
                    match options.unmappable {
                        "replace" => writer.put_text(replacement, &mut out),
                        "skip" => {}
                        "ncr" => writer.put_text(&format!("&#{};", u32::from(*c)), &mut out),
                        _ => stop = Some(position),
                    }
                    repairs += 1;
                }
            }
            Item::IllFormed(sequence) | Item::Surrogate(_, sequence)
                if shares_replacement(options.invalid, from, &previous_bytes, sequence) =>
            {
                previous_bytes.extend(sequence);
            }
            Item::IllFormed(sequence) | Item::Surrogate(_, sequence) => {
                previous_bytes.clone_from(sequence);
                let latin1 = || -> String { sequence.iter().copied().map(char::from).collect() };
                match options.invalid {
                    "skip" if surrogates_could_join => writer.put_text("\u{FFFD}", &mut out),
                    "replace" if surrogates_could_join && replacement.is_empty() => {
                        writer.put_text("\u{FFFD}", &mut out);
                    }
                    "replace" => writer.put_text(replacement, &mut out),
                    "skip" => {}
                    "replace-as-java" | "replace-runs" => writer.put_text("\u{FFFD}", &mut out),
                    "latin1" if has_wide_units => writer.put_text("\u{FFFD}", &mut out),
                    "latin1" => writer.put_text(&latin1(), &mut out),
                    _ => stop = Some(position),
                }
                repairs += 1;
            }
        }
        if stop.is_some() {
            repairs -= 1;
            break;
        }
        match item {
            Item::Char('\n') => position = (position.0 + 1, 1),
            _ => position.1 += 1,
        }
    }
    writer.finish(&mut out);
    Outcome { out, repairs, stop }
}

/// Returns the outcome of a run of the command.
#[track_caller]
fn read_outcome(run: Run, name: &str) -> Outcome {
    let (mut repairs, mut stop) = (0, None);
    for line in run.err.lines() {
        if let Some(rest) = line.strip_prefix(&format!("utflane: {name}: ")) {
            // Advice depends on the detector, so the model does not predict it.
            if rest.starts_with("looks like ") || rest.starts_with("begins with ") {
                continue;
            }
            let (count, words) = rest.split_once(' ').unwrap();
            repairs = count.parse().unwrap();
            assert_eq!(words, if repairs == 1 { "repair" } else { "repairs" });
        } else {
            let place = line.strip_prefix(name).unwrap_or_else(|| panic!("{name}: {}", run.err));
            let mut parts = place.split(':').skip(1);
            let mut number = || parts.next().unwrap().parse().unwrap();
            stop = Some((number(), number()));
        }
    }
    assert_eq!(run.status, Some(i32::from(stop.is_some())), "{}", run.err);
    Outcome { out: run.out, repairs, stop }
}

#[track_caller]
fn assert_same(got: &Outcome, want: &Outcome, what: &str) {
    assert_same_bytes(&got.out, &want.out, what);
    assert_eq!((got.repairs, got.stop), (want.repairs, want.stop), "{what}");
}

/// Where the command reads a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Pipe,
    File,
}

/// Converts `bytes` from each of the `inputs`, and compares the results with the model.
#[track_caller]
pub fn check_conversion(
    directory: &Path,
    (from, to): (&str, &'static str),
    bytes: &[u8],
    options: Options,
    inputs: &[Input],
) {
    let mut arguments = vec!["convert", "-f", from, "-t", to];
    arguments.extend(options.arguments());
    let want = expected_outcome(from, to, bytes, options);
    let what = format!("{from} to {to}, {options:?}");
    if inputs.contains(&Input::Pipe) {
        let piped = read_outcome(feed(&mut utflane(&arguments), bytes), "-");
        assert_same(&piped, &want, &format!("{what}, a pipe"));
    }
    if !inputs.contains(&Input::File) {
        return;
    }
    fs::write(directory.join("in"), bytes).unwrap();
    arguments.push("in");
    assert_same(&read_outcome(run(directory, &arguments), "in"), &want, &format!("{what}, a file"));
}
