//! The operations that only some sets have.

use core::hint::black_box;
use core::iter;
use std::string::String;
use std::vec::Vec;

use crate::arch::optional::{DeinterleavedOps, FourByteOps, LookUpOps, MaskedOps, Presence};
use crate::arch::tests::lanes16::check_written;
use crate::arch::tests::model::{
    Bytes, Lane, Random, assert_same, bytes_of, each, each_pair, guard, load, mask, panics, rounds,
    stored, units,
};
use crate::arch::tests::operations;
use crate::arch::vector::Vector;
use crate::tables::{BIG, BIG_UNITS, ByteOrder, LITTLE, LITTLE_UNITS};

/// 16 four-byte characters, after `good` of which one byte is another.
fn four_byte_text(random: &Random, good: usize) -> Bytes {
    let mut bytes = [0; 64];
    for character in bytes.chunks_exact_mut(4) {
        let edges = [0x1_0000, 0x1_03FF, 0x1_0400, 0xF_FFFF, 0x10_0000, 0x10_FFFF];
        let point =
            random.one_of(&[0x1_0000 + random.below(0x10_0000) as u32, random.one_of(&edges)]);
        char::from_u32(point).expect("a character").encode_utf8(character);
    }
    if good < 16 {
        bytes[4 * good + random.below(4)] = random.one_of(u8::EDGES);
    }
    bytes
}

/// Four-byte characters before anything else.
fn four_byte_prefix(bytes: &Bytes) -> Vec<char> {
    let characters = bytes.chunks_exact(4).map_while(|bytes| {
        let mut characters = core::str::from_utf8(bytes).ok()?.chars();
        characters.next().filter(|c| c.len_utf8() == 4)
    });
    characters.collect()
}

/// 16 units whose kinds are those up to `kind`: ASCII, two bytes, three bytes, pairs.
fn utf16_text(random: &Random, kind: usize, len: usize) -> Vec<u16> {
    let mut text = Vec::new();
    while text.len() < len {
        let point = match random.below(kind + 1) {
            0 => random.below(0x80),
            1 => random.one_of(&[0x7F, 0x80, 0x7FF, random.below(0x800)]),
            2 => random.one_of(&[0x800, 0xD7FF, 0xE000, 0xFFFF, random.below(0xD800)]),
            _ => 0x1_0000 + random.one_of(&[0, 0x3FF, 0x400, 0xF_FFFF, random.below(0x10_0000)]),
        };
        let c = char::from_u32(point as u32).expect("a character");
        text.extend(c.encode_utf16(&mut [0; 2]).iter());
    }
    text.truncate(len);
    text
}

/// Units in UTF-8, each surrogate of a pair as two bytes, after and before others. `None` if one is
/// unpaired.
fn by_halves(before: Option<u16>, text: &[u16]) -> Option<Vec<u8>> {
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

/// Two vectors of units.
#[inline(always)]
fn two_vectors<V: Vector>(token: V::Token, text: &[u16]) -> [V; 2] {
    let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    [load(token, &bytes), load(token, &bytes[V::LANES..])]
}

operations! {
    fn continuation_but_fourth<V>(token) {
        let Some(ops) = V::FourByte::OPS else { return };
        each_pair::<u8>(V::LANES, |c0, c3| {
            let got = ops.continuation_but_fourth(token, load(token, c0), load(token, c3));
            let mut want = [0; 64];
            for i in 0..V::LANES {
                want[i] = mask(c0[i] & 0xC0 == 0x80 && c3[i] < 0xF0);
            }
            assert_same::<V>(
                "continuation_but_fourth",
                &bytes_of(V::from_mask(got)),
                &want,
                &[c0, c3],
            );
        });
    }

    fn four_byte_characters<V>(token) {
        let Some(ops) = V::FourByte::OPS else { return };
        let random = Random::new();
        for round in 0..4 * rounds() {
            let bytes = four_byte_text(&random, round % 17);
            let front = four_byte_prefix(&bytes);
            let text: String = front.iter().collect();
            for big in [false, true] {
                let order = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                let want: Vec<u8> = text.encode_utf16().flat_map(order).collect();
                let got = in_64(|dst| ops.to_utf16(token, black_box(&bytes), big, dst));
                assert_eq!((got.0, &got.1[..4 * got.0]), (front.len(), &want[..]), "{bytes:02x?}");
            }
            let want: Vec<u8> = front.iter().flat_map(|&c| u32::from(c).to_le_bytes()).collect();
            let got = in_64(|dst| ops.to_utf32(token, black_box(&bytes), dst));
            assert_eq!((got.0, &got.1[..4 * got.0]), (front.len(), &want[..]), "{bytes:02x?}");
        }
    }

    fn deinterleaved<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        each_pair::<u16>(V::LANES / 2, |a, b| {
            let text = [units(&a[..V::LANES]), units(&b[..V::LANES])].concat();
            let [low, high] = ops.deinterleaved([load(token, a), load(token, b)]);
            let want: Vec<[u8; 2]> = text.iter().map(|unit| unit.to_le_bytes()).collect();
            let got: Vec<[u8; 2]> =
                iter::zip(bytes_of(low), bytes_of(high)).map(|(l, h)| [l, h]).collect();
            assert_eq!(got[..V::LANES], want, "deinterleaved");
            assert_eq!(ops.largest(high), want.iter().map(|unit| unit[1]).max().unwrap_or(0));
            let surrogates = text.iter().any(|unit| unit & 0xF800 == 0xD800);
            assert_eq!(ops.have_surrogates([low, high]), surrogates, "{text:04x?}");
        });
    }

    fn write_deinterleaved<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        let random = Random::new();
        let most = 4 * V::LANES;
        for round in 0..4 * rounds() {
            let text = utf16_text(&random, round % 3, V::LANES);
            let want = by_halves(None, &text).expect("no surrogates");
            let units = ops.deinterleaved(two_vectors(token, &text));
            if round % 3 < 2 {
                check_written(&want, most, |dst| ops.write_below_800(units, dst));
            }
            check_written(&want, most, |dst| ops.write_characters(units, dst));
        }
        // Nothing but three-byte characters is a case of its own.
        for _ in 0..rounds() {
            let text: Vec<u16> =
                iter::repeat_with(|| random.one_of(&[0x800, 0xFFFF, 0xE000, 0x4E00, 0xD7FF]))
                    .take(V::LANES)
                    .collect();
            let units = ops.deinterleaved(two_vectors(token, &text));
            let want = by_halves(None, &text).expect("no surrogates");
            check_written(&want, most, |dst| ops.write_characters(units, dst));
        }
    }

    fn write_pairs<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        let random = Random::new();
        let most = 4 * V::LANES;
        for round in 0..8 * rounds() {
            let mut text = utf16_text(&random, 3, V::LANES + 1);
            if round % 4 == 0 {
                let at = random.below(text.len());
                text[at] = random.one_of(u16::EDGES);
            }
            let (before, text) = text.split_first().expect("units");
            let units = ops.deinterleaved(two_vectors(token, text));
            let last = before.to_le_bytes().map(|byte| V::splat(token, byte));
            match by_halves(Some(*before), text) {
                Some(want) => check_written(&want, most, |dst| {
                    ops.write_pairs(units, last, dst).expect("no unpaired surrogate")
                }),
                None => {
                    let got = stored(most + 9, |dst| {
                        assert_eq!(ops.write_pairs(units, last, dst), None, "{text:04x?}");
                    });
                    assert_eq!(got[most..], (most..most + 9).map(guard).collect::<Vec<u8>>());
                }
            }
        }
    }

    fn write_only_pairs<V>(token) {
        let Some(ops) = V::Deinterleaved::OPS else { return };
        let random = Random::new();
        for round in 0..8 * rounds() {
            let mut text = Vec::new();
            while text.len() < 32 {
                let point =
                    0x1_0000 + random.one_of(&[0, 0x3FF, 0x400, 0xF_FFFF, random.below(0x10_0000)]);
                let c = char::from_u32(point as u32).expect("a character");
                text.extend(c.encode_utf16(&mut [0; 2]).iter());
            }
            if let Some(unit) = text.get_mut(round % 40) {
                *unit = random.one_of(&[0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x41]);
            }
            let front = char::decode_utf16(text.iter().copied()).map_while(Result::ok);
            let front: String = front.take_while(|c| c.len_utf16() == 2).collect();
            let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let bytes: &Bytes = bytes.first_chunk().expect("64 bytes");
            let (pairs, got) = in_64(|dst| ops.write_only_pairs(token, black_box(bytes), dst));
            assert_eq!(
                (4 * pairs, &got[..4 * pairs]),
                (front.len(), front.as_bytes()),
                "{text:04x?}"
            );
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
            each::<u8>(V::LANES, |bytes| {
                let got = ops.looked_up(load(token, bytes), table);
                let want = bytes.map(|byte| table[usize::from(byte >> 2)]);
                assert_same::<V>(
                    "looked_up",
                    &bytes_of(got)[..V::LANES],
                    &want[..V::LANES],
                    &[bytes],
                );
            });
            let random = Random::new();
            for _ in 0..rounds() {
                let vectors: [Bytes; 4] = core::array::from_fn(|_| random.vector::<u32>());
                let lanes = vectors.map(|bytes| load::<V>(token, &bytes));
                let mut got = bytes_of(ops.by_leading_zeros(lanes, table))[..V::LANES].to_vec();
                let lanes =
                    vectors.iter().flat_map(|bytes| (0..V::LANES / 4).map(|i| u32::get(bytes, i)));
                let mut want: Vec<u8> =
                    lanes.map(|lane| table[lane.leading_zeros() as usize]).collect();
                got.sort_unstable();
                want.sort_unstable();
                assert_same::<V>("by_leading_zeros", &got, &want, &[]);
            }
        }
    }

    #[cfg(feature = "columns")]
    fn offsets<V>(token) {
        use crate::arch::optional::OffsetOps;

        let Some(ops) = V::Offsets::OPS else { return };
        let random = Random::new();
        let lanes = V::LANES / 4;
        let lanes_of = |vector: V| -> Vec<u32> {
            (0..lanes).map(|i| u32::get(&bytes_of(vector), i)).collect()
        };
        for _ in 0..rounds() {
            let wide: Vec<i64> = (0..lanes + 3).map(|_| random.bits().cast_signed()).collect();
            let narrow: Vec<i32> = wide.iter().map(|&place| place as i32).collect();
            let from = random.bits().cast_signed();
            let want: Vec<u32> = narrow[..lanes]
                .iter()
                .map(|place| place.wrapping_sub(from as i32).cast_unsigned())
                .collect();
            assert_eq!(lanes_of(ops.offsets32(token, black_box(&narrow), from as i32)), want);
            let mut want = want;
            let mut got = lanes_of(ops.offsets64(token, black_box(&wide), from));
            want.sort_unstable();
            got.sort_unstable();
            assert_eq!(got, want, "offsets64");
            let (bits, places) = (random.vector::<u8>(), random.vector::<u32>());
            let found = lanes_of(ops.bits_at(load(token, &bits), load(token, &places)));
            for (i, found) in found.into_iter().enumerate() {
                let place = u32::get(&places, i) as usize % (8 * V::LANES);
                let want = u32::from(bits[place / 8] >> (place % 8) & 1);
                assert_eq!(found & 1, want, "bits_at {place}");
            }
        }
        for len in 0..lanes {
            assert!(panics(|| {
                ops.offsets32(token, &std::vec![0; len], 0);
            }));
            assert!(panics(|| {
                ops.offsets64(token, &std::vec![0; len], 0);
            }));
        }
    }

    fn load_first<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let bytes: Vec<u8> = (0..100).map(guard).collect();
        for from in 0..30 {
            for len in 0..=70 {
                let part = &black_box(&bytes)[from..from + len];
                let mut want = [0; 64];
                let there = len.min(V::LANES);
                want[..there].copy_from_slice(&part[..there]);
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
            for more in [0, 1, 70] {
                let got = stored(n + more, |dst| ops.store_first(vector, black_box(n), dst));
                let mut want: Vec<u8> = (0..n + more).map(guard).collect();
                want[..n].copy_from_slice(&bytes[..n]);
                assert_same::<V>("store_first", &got, &want, &[&bytes]);
            }
            if n > 0 {
                let mut dst = std::vec![core::mem::MaybeUninit::uninit(); n - 1];
                assert!(panics(|| ops.store_first(vector, n, &mut dst)), "{n}");
            }
        }
    }

    #[cfg(avx512)]
    fn joined_after_lead<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        each_pair::<u8>(V::LANES, |lead, last| {
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
        });
    }

    fn store_widened_as<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        each::<u8>(V::LANES, |bytes| {
            for order in [&LITTLE, &BIG] {
                let got = stored(2 * V::LANES + 2, |dst| {
                    ops.store_widened_as(load(token, bytes), order, dst, 1);
                });
                let mut want: Vec<u8> = (0..2).map(guard).collect();
                let units = bytes[..V::LANES].iter().map(|&byte| byte.into());
                want.extend(units.flat_map(|unit| order_of(order, unit)));
                assert_same::<V>("store_widened_as", &got, &want, &[bytes]);
            }
        });
    }

    fn write_masked_below_800<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for round in 0..4 * rounds() {
            let text = utf16_text(&random, round % 2, V::LANES / 2);
            let want = by_halves(None, &text).expect("no surrogates");
            let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let len = random.one_of(&[want.len(), random.below(want.len() + 1)]);
            let mut count = 0;
            let got = stored(len, |dst| count = ops.write_below_800(load(token, &bytes), dst));
            assert_eq!((count, &got[..]), (want.len(), &want[..len]), "{text:04x?}");
        }
    }

    fn write_units<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for _ in 0..4 * rounds() {
            let text: Vec<_> = (0..V::LANES / 2).map(|_| character(&random, 0x1_0000)).collect();
            let bytes: Vec<u8> = text.iter().flat_map(|&c| (c as u16).to_le_bytes()).collect();
            let done = random.below(text.len());
            write_into_any_capacity(&random, &text[done..], |dst| {
                ops.write_units(load(token, &bytes), black_box(done), dst)
            });
        }
    }

    fn write_characters<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for _ in 0..4 * rounds() {
            let (text, bytes) = characters(&random, V::LANES / 4);
            let done = random.below(text.len());
            write_into_any_capacity(&random, &text[done..], |dst| {
                ops.write_characters(load(token, &bytes), black_box(done), dst)
            });
        }
    }

    fn write_utf16<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let random = Random::new();
        for _ in 0..4 * rounds() {
            let (text, bytes) = characters(&random, V::LANES / 4);
            for order in [&LITTLE, &BIG] {
                let units = text.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec());
                let want: Vec<u8> = units.flat_map(|unit| order_of(order, unit)).collect();
                let write = |dst: &mut [_]| ops.write_utf16(load(token, &bytes), order, dst);
                write_bytes_into_any_capacity(&random, &want, write);
            }
        }
    }

    fn write_code_points<V>(token) {
        let Some(ops) = V::Masked::OPS else { return };
        let (random, lanes) = (Random::new(), V::LANES / 2);
        for _ in 0..4 * rounds() {
            // The first unit is the one before.
            let mut text = utf16_text(&random, 3, lanes + 2).split_off(random.below(2));
            if random.below(3) == 0 {
                let at = random.below(text.len());
                text[at] = random.one_of(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41]);
            }
            text.truncate(lanes + 1);
            let (want, keep) = code_points(&text).unzip();
            let cut = text[0] & 0xFC00 == 0xD800;
            for order in [&LITTLE_UNITS, &BIG_UNITS] {
                let bytes: Vec<u8> =
                    text.iter().flat_map(|&unit| order.unit(unit).to_le_bytes()).collect();
                let (before, units) = (load(token, &bytes), load(token, &bytes[2..]));
                let mut kept = None;
                let got = stored(2 * V::LANES, |dst| {
                    kept = ops.write_code_points(units, before, order, black_box(cut), dst);
                });
                assert_eq!(kept, keep, "{text:04x?}");
                if let Some(want) = &want {
                    assert_eq!(&got[..want.len()], want, "{text:04x?}");
                }
            }
        }
    }
}

/// Returns the bytes of the characters that end at the units after the first one, in UTF-32, and
/// these units; `None` if a surrogate is not in a pair. The last unit may be a high surrogate.
fn code_points(text: &[u16]) -> Option<(Vec<u8>, u32)> {
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

/// Characters, and their bytes in UTF-32.
fn characters(random: &Random, n: usize) -> (Vec<char>, Vec<u8>) {
    let text: Vec<_> = (0..n).map(|_| character(random, 0x11_0000)).collect();
    let bytes = text.iter().flat_map(|&c| u32::from(c).to_le_bytes()).collect();
    (text, bytes)
}

/// Returns a character below `end`, of any length in UTF-8; NUL and the first and last of a length
/// often.
fn character(random: &Random, end: u32) -> char {
    let (least, most) =
        random.one_of(&[(0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)]);
    let c = random.one_of(&[least, most, least + random.below((most - least) as usize) as u32]);
    if c < end { char::from_u32(c).unwrap_or('\u{FFFD}') } else { 'x' }
}

/// An operation that writes `text` to the front of `dst`, as far as it goes, and returns the
/// number of bytes of all of it.
#[inline(always)]
fn write_into_any_capacity(
    random: &Random,
    text: &[char],
    write: impl Fn(&mut [core::mem::MaybeUninit<u8>]) -> usize,
) {
    write_bytes_into_any_capacity(
        random,
        text.iter().collect::<std::string::String>().as_bytes(),
        write,
    );
}

/// The same, of an operation that writes these bytes.
#[inline(always)]
fn write_bytes_into_any_capacity(
    random: &Random,
    want: &[u8],
    write: impl Fn(&mut [core::mem::MaybeUninit<u8>]) -> usize,
) {
    for len in [want.len(), random.below(want.len() + 1), random.below(64), 200] {
        let mut count = 0;
        let got = stored(len + 70, |dst| count = write(&mut dst[..len]));
        let there = len.min(want.len());
        assert_eq!((count, &got[..there]), (want.len(), &want[..there]), "{want:02x?}, {len}");
        let rest: Vec<u8> = (len..len + 70).map(guard).collect();
        assert_eq!(got[len..], rest, "{want:02x?}, {len}");
    }
}

/// Returns the bytes of a unit in a byte order.
fn order_of(order: &ByteOrder, unit: u16) -> [u8; 2] {
    if order.big { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

/// Returns the result of an operation that writes to `dst` of 64 bytes, and `dst`.
#[inline(always)]
fn in_64(word: impl FnOnce(&mut [core::mem::MaybeUninit<u8>; 64]) -> usize) -> (usize, Vec<u8>) {
    let mut count = 0;
    let dst = stored(64, |dst| count = word(dst.first_chunk_mut().expect("64 bytes")));
    (count, dst)
}
