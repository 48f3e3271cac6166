//! The operations that only some instruction sets have.

use core::hint::black_box;
use std::vec::Vec;

use crate::arch::optional::{DeinterleavedOps, LookUpOps, MaskedOps, Presence};
use crate::arch::tests::lanes16::check_written;
use crate::arch::tests::model::{
    Bytes, Lane, Random, assert_same, bytes_of, encode_units, guards, input_pairs, inputs, load,
    output_after, panics, round_count, units,
};
use crate::arch::tests::operations;
use crate::arch::vector::Vector;
use crate::tables::{BIG, BIG_UNITS, LITTLE, LITTLE_UNITS};

/// Returns `len` units of random characters. `max_kind` is 0 for ASCII, 1 for characters of up to
/// two bytes in UTF-8, 2 for up to three bytes, and 3 for surrogate pairs too. The last pair may be
/// cut.
fn utf16_text(random: &Random, max_kind: usize, len: usize) -> Vec<u16> {
    let mut text = Vec::new();
    while text.len() < len {
        let point = match random.below(max_kind + 1) {
            0 => random.below(0x80),
            1 => random.one_of(&[0x7F, 0x80, 0x7FF, random.below(0x800)]),
            2 => random.one_of(&[0x800, 0xD7FF, 0xE000, 0xFFFF, random.below(0xD800)]),
            _ => 0x1_0000 + random.one_of(&[0, 0x3FF, 0x400, 0xF_FFFF, random.below(0x10_0000)]),
        };
        let c = char::from_u32(point as u32).expect("a scalar value");
        text.extend(c.encode_utf16(&mut [0; 2]).iter());
    }
    text.truncate(len);
    text
}

/// Converts units to UTF-8; each surrogate of a pair becomes two bytes. `before` is the unit before
/// the text. Returns `None` if a surrogate is unpaired; the last unit may be a high surrogate.
fn expected_utf8(before: Option<u16>, text: &[u16]) -> Option<Vec<u8>> {
    let is_high = |unit: u16| unit & 0xFC00 == 0xD800;
    let is_low = |unit: u16| unit & 0xFC00 == 0xDC00;
    let mut bytes = Vec::new();
    let mut last = before.unwrap_or(0);
    for &unit in text {
        if is_high(last) != is_low(unit) {
            return None;
        }
        let pair = if is_low(unit) { [last, unit] } else { [unit, 0xDC00] };
        let mut dst = [0; 4];
        let c = if is_low(unit) || is_high(unit) {
            char::decode_utf16(pair).next()?.ok()?
        } else {
            char::from_u32(unit.into())?
        };
        let encoded = c.encode_utf8(&mut dst).as_bytes();
        bytes.extend(match unit {
            _ if is_high(unit) => &encoded[..2],
            _ if is_low(unit) => &encoded[2..],
            _ => encoded,
        });
        last = unit;
    }
    Some(bytes)
}

/// Returns `len` units of characters that have three bytes in UTF-8.
fn three_byte_characters(random: &Random, len: usize) -> Vec<u16> {
    (0..len).map(|_| random.one_of(&[0x800, 0xFFFF, 0xE000, 0x4E00, 0xD7FF])).collect()
}

/// Loads two vectors of units.
#[inline(always)]
fn load_two<V: Vector>(token: V::Token, text: &[u16]) -> [V; 2] {
    let bytes = encode_units(text, false);
    [load(token, &bytes), load(token, &bytes[V::LANES..])]
}

/// Returns the low bytes and the high bytes of units.
fn low_and_high_bytes(units: &[u16]) -> (Vec<u8>, Vec<u8>) {
    units.iter().map(|unit| (unit.to_le_bytes()[0], unit.to_le_bytes()[1])).unzip()
}

/// Returns the bytes of a table that the leading zeros of all lanes of all vectors select, sorted.
fn sorted_by_leading_zeros(vectors: &[Bytes], lanes: usize, table: &[u8; 64]) -> Vec<u8> {
    let lanes = vectors.iter().flat_map(|bytes| (0..lanes).map(|i| u32::get(bytes, i)));
    let mut bytes: Vec<u8> = lanes.map(|lane| table[lane.leading_zeros() as usize]).collect();
    bytes.sort_unstable();
    bytes
}

operations! {
    fn deinterleaved<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        for [a, b] in &input_pairs::<u16>(V::LANES / 2) {
            let text = [units(&a[..V::LANES]), units(&b[..V::LANES])].concat();
            let [low, high] = ops.deinterleaved([load(token, a), load(token, b)]);
            let (low_bytes, high_bytes) = low_and_high_bytes(&text);
            assert_eq!(bytes_of(low)[..V::LANES], low_bytes, "deinterleaved");
            assert_eq!(bytes_of(high)[..V::LANES], high_bytes, "deinterleaved");
            assert_eq!(Some(&ops.largest(high)), high_bytes.iter().max());
            let surrogates = text.iter().any(|unit| unit & 0xF800 == 0xD800);
            assert_eq!(ops.have_surrogates([low, high]), surrogates, "{text:04x?}");
        }
    }

    fn write_deinterleaved<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        let random = Random::new();
        let capacity = 4 * V::LANES;
        for round in 0..4 * round_count() {
            let text = utf16_text(&random, round % 3, V::LANES);
            let want = expected_utf8(None, &text).expect("the text has no surrogates");
            let units = ops.deinterleaved(load_two(token, &text));
            if round % 3 < 2 {
                check_written(&want, capacity, |dst| ops.write_below_0x800(units, dst));
            }
            check_written(&want, capacity, |dst| ops.write_characters(units, dst));
        }
        // A text of only three-byte characters is a separate case.
        for _ in 0..round_count() {
            let text = three_byte_characters(&random, V::LANES);
            let units = ops.deinterleaved(load_two(token, &text));
            let want = expected_utf8(None, &text).expect("the text has no surrogates");
            check_written(&want, capacity, |dst| ops.write_characters(units, dst));
        }
    }

    fn write_pairs<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        let random = Random::new();
        let capacity = 4 * V::LANES;
        for round in 0..8 * round_count() {
            let mut text = utf16_text(&random, 3, V::LANES + 1);
            if round % 4 == 0 {
                let at = random.below(text.len());
                text[at] = random.one_of(u16::EDGES);
            }
            let (before, text) = text.split_first().expect("the text has units");
            let units = ops.deinterleaved(load_two(token, text));
            let previous = before.to_le_bytes().map(|byte| V::splat(token, byte));
            match expected_utf8(Some(*before), text) {
                Some(want) => check_written(&want, capacity, |dst| {
                    ops.write_pairs(units, previous, dst).expect("no unpaired surrogate")
                }),
                None => {
                    let got = output_after(capacity + 9, |dst| {
                        assert_eq!(ops.write_pairs(units, previous, dst), None, "{text:04x?}");
                    });
                    assert_eq!(got[capacity..], guards(capacity..capacity + 9));
                }
            }
        }
    }

    fn looked_up<V>(token) {
        let Some(ops) = V::LookUp::OPS else { return };
        static TABLES: [[u8; 64]; 2] = {
            let mut tables = [[0; 64]; 2];
            let mut i = 0;
            while i < 64 {
                (tables[0][i], tables[1][i]) = (3 * i as u8 + 1, (255 - i) as u8);
                i += 1;
            }
            tables
        };
        for table in &TABLES {
            for bytes in &inputs::<u8>(V::LANES) {
                let got = ops.looked_up(load(token, bytes), table);
                let want = bytes.map(|byte| table[usize::from(byte >> 2)]);
                assert_same::<V>(
                    "looked_up",
                    &bytes_of(got)[..V::LANES],
                    &want[..V::LANES],
                    &[bytes],
                );
            }
            let random = Random::new();
            for _ in 0..round_count() {
                let vectors: [Bytes; 4] = core::array::from_fn(|_| random.vector::<u32>());
                let lanes = vectors.map(|bytes| load::<V>(token, &bytes));
                let mut got = bytes_of(ops.by_leading_zeros(lanes, table))[..V::LANES].to_vec();
                got.sort_unstable();
                let want = sorted_by_leading_zeros(&vectors, V::LANES / 4, table);
                assert_same::<V>("by_leading_zeros", &got, &want, &[]);
            }
        }
    }

    fn load_first<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let bytes = guards(0..100);
        for from in 0..30 {
            for len in 0..=70 {
                let part = &black_box(&bytes)[from..from + len];
                let mut want = [0; 64];
                let loaded = len.min(V::LANES);
                want[..loaded].copy_from_slice(&part[..loaded]);
                assert_same::<V>(
                    "load_first",
                    &bytes_of(ops.load_first(token, part)),
                    &want,
                    &[],
                );
            }
        }
    }

    fn store_first<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let bytes = Random::new().vector::<u8>();
        for n in 0..=V::LANES {
            let vector: V = load(token, &bytes);
            for extra in [0, 1, 70] {
                let got = output_after(n + extra, |dst| ops.store_first(vector, black_box(n), dst));
                let mut want = guards(0..n + extra);
                want[..n].copy_from_slice(&bytes[..n]);
                assert_same::<V>("store_first", &got, &want, &[&bytes]);
            }
            if n > 0 {
                let mut dst = std::vec![core::mem::MaybeUninit::uninit(); n - 1];
                assert!(panics(|| ops.store_first(vector, n, &mut dst)), "{n} lanes");
            }
        }
    }

    #[cfg(avx512)]
    fn joined_after_lead<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        for [lead, last] in &input_pairs::<u8>(V::LANES) {
            let least = black_box(last[0]);
            let vectors = (load(token, lead), load(token, last));
            let got = ops.joined_after_lead(vectors.0, vectors.1, least).map(bytes_of);
            for (half, got) in got.into_iter().enumerate() {
                let mut want = Vec::new();
                for i in half * V::LANES / 2..(half + 1) * V::LANES / 2 {
                    want.extend((lead[i] >= least).then_some(lead[i]));
                    want.push(last[i]);
                }
                assert_same::<V>("joined_after_lead", &got[..want.len()], &want, &[lead, last]);
            }
        }
    }

    fn store_widened_as<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        for bytes in &inputs::<u8>(V::LANES) {
            for order in [&LITTLE, &BIG] {
                let got = output_after(2 * V::LANES + 2, |dst| {
                    ops.store_widened_as(load(token, bytes), order, dst, 1);
                });
                let mut want = guards(0..2);
                let units: Vec<u16> = bytes[..V::LANES].iter().map(|&byte| byte.into()).collect();
                want.extend_from_slice(&encode_units(&units, order.big));
                assert_same::<V>("store_widened_as", &got, &want, &[bytes]);
            }
        }
    }

    fn write_masked_below_0x800<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for round in 0..4 * round_count() {
            let text = utf16_text(&random, round % 2, V::LANES / 2);
            let want = expected_utf8(None, &text).expect("the text has no surrogates");
            let bytes = encode_units(&text, false);
            let len = random.one_of(&[want.len(), random.below(want.len() + 1)]);
            let mut count = 0;
            let got = output_after(len, |dst| {
                count = ops.write_below_0x800(load(token, &bytes), dst);
            });
            assert_eq!((count, &got[..]), (want.len(), &want[..len]), "{text:04x?}");
        }
    }

    fn write_units<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for _ in 0..4 * round_count() {
            let text = random_characters(&random, V::LANES / 2, 0x1_0000);
            let bytes = encode_units(&encode_utf16(&text), false);
            let done = random.below(text.len());
            check_characters_in_any_capacity(&random, &text[done..], |dst| {
                ops.write_units(load(token, &bytes), black_box(done), dst)
            });
        }
    }

    fn write_characters<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for _ in 0..4 * round_count() {
            let text = random_characters(&random, V::LANES / 4, 0x11_0000);
            let bytes = utf32_bytes(&text);
            let done = random.below(text.len());
            check_characters_in_any_capacity(&random, &text[done..], |dst| {
                ops.write_characters(load(token, &bytes), black_box(done), dst)
            });
        }
    }

    fn write_utf16<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for _ in 0..4 * round_count() {
            let text = random_characters(&random, V::LANES / 4, 0x11_0000);
            let bytes = utf32_bytes(&text);
            for order in [&LITTLE, &BIG] {
                let want = encode_units(&encode_utf16(&text), order.big);
                let write = |dst: &mut [_]| ops.write_utf16(load(token, &bytes), order, dst);
                check_bytes_in_any_capacity(&random, &want, write);
            }
        }
    }

    fn write_code_points<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let (random, lanes) = (Random::new(), V::LANES / 2);
        for _ in 0..4 * round_count() {
            // The first unit of `text` is the unit before the converted units.
            let mut text = utf16_text(&random, 3, lanes + 2).split_off(random.below(2));
            if random.below(3) == 0 {
                let at = random.below(text.len());
                text[at] = random.one_of(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41]);
            }
            text.truncate(lanes + 1);
            let (want, keep) = expected_code_points(&text).unzip();
            let after_high = text[0] & 0xFC00 == 0xD800;
            for order in [&LITTLE_UNITS, &BIG_UNITS] {
                let bytes = encode_units(&text, order.big);
                let (before, units) = (load(token, &bytes), load(token, &bytes[2..]));
                let mut kept = None;
                let got = output_after(2 * V::LANES, |dst| {
                    kept = ops.write_code_points(units, before, order, black_box(after_high), dst);
                });
                assert_eq!(kept, keep, "{text:04x?}");
                if let Some(want) = &want {
                    assert_eq!(&got[..want.len()], want, "{text:04x?}");
                }
            }
        }
    }
}

/// Decodes `text`, whose first unit precedes the converted units. Returns the UTF-32 bytes of the
/// characters that end after the first unit, and a bit for each unit that ends one of them. Returns
/// `None` if a surrogate is unpaired; the last unit may be a high surrogate.
fn expected_code_points(text: &[u16]) -> Option<(Vec<u8>, u32)> {
    let (mut bytes, mut keep) = (Vec::new(), 0);
    for (i, pair) in text.windows(2).enumerate() {
        let last = [pair[1]];
        let units = if pair[0] & 0xFC00 == 0xD800 { pair } else { &last };
        match char::decode_utf16(units.iter().copied()).next()? {
            Ok(c) => {
                keep |= 1 << i;
                bytes.extend(u32::from(c).to_le_bytes());
            }
            Err(unit) if units.len() == 1 && unit.unpaired_surrogate() < 0xDC00 => {}
            Err(_) => return None,
        }
    }
    Some((bytes, keep))
}

/// Returns `n` random characters below `end`.
fn random_characters(random: &Random, n: usize, end: u32) -> Vec<char> {
    (0..n).map(|_| random_character(random, end)).collect()
}

/// Returns the bytes of characters in UTF-32, low byte first.
fn utf32_bytes(text: &[char]) -> Vec<u8> {
    text.iter().flat_map(|&c| u32::from(c).to_le_bytes()).collect()
}

/// Returns characters as UTF-16.
fn encode_utf16(text: &[char]) -> Vec<u16> {
    text.iter().collect::<String>().encode_utf16().collect()
}

/// Returns a random character below `end`. All lengths in UTF-8 occur, and NUL and the first and
/// the last character of each length occur often.
fn random_character(random: &Random, end: u32) -> char {
    let (first, last) =
        random.one_of(&[(0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)]);
    let c = random.one_of(&[first, last, first + random.below((last - first) as usize) as u32]);
    if c < end { char::from_u32(c).unwrap_or('\u{FFFD}') } else { 'x' }
}

/// Checks that `write` writes as much of `text` in UTF-8 to the front of `dst` as fits, and returns
/// the length of the whole text in bytes.
#[inline(always)]
fn check_characters_in_any_capacity(
    random: &Random,
    text: &[char],
    write: impl Fn(&mut [core::mem::MaybeUninit<u8>]) -> usize,
) {
    check_bytes_in_any_capacity(random, text.iter().collect::<String>().as_bytes(), write);
}

/// Checks that `write` writes as much of `want` to the front of `dst` as fits, and returns the
/// length of `want`.
#[inline(always)]
fn check_bytes_in_any_capacity(
    random: &Random,
    want: &[u8],
    write: impl Fn(&mut [core::mem::MaybeUninit<u8>]) -> usize,
) {
    for capacity in [want.len(), random.below(want.len() + 1), random.below(64), 200] {
        let mut count = 0;
        let got = output_after(capacity + 70, |dst| count = write(&mut dst[..capacity]));
        let written = capacity.min(want.len());
        assert_eq!(
            (count, &got[..written]),
            (want.len(), &want[..written]),
            "{want:02x?}, {capacity}"
        );
        assert_eq!(got[capacity..], guards(capacity..capacity + 70), "{want:02x?}, {capacity}");
    }
}
