//! The operations of [`Lanes16`].

use core::hint::black_box;
use std::vec::Vec;

#[cfg(doc)]
use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
use crate::arch::tests::model::{
    Bytes, Lane, NO_SLACK, Random, UNMASKED, assert_same, bytes_of, check_binary, check_end,
    check_store, check_unary, guards, input_pairs, load, mask_lane, output_after, round_count,
    units,
};
use crate::arch::tests::operations;
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Little};

/// Returns a random vector of 16-bit lanes, each of which is 0xFFFF or 0.
fn random_mask16(random: &Random) -> Bytes {
    let mut bytes = random.vector::<u16>();
    for i in 0..32 {
        mask_lane::<u16>(u16::get(&bytes, i) & 1 == 1).set(&mut bytes, i);
    }
    bytes
}

/// Returns the lanes of a mask as bits: lane `i` is bit `i`.
fn bits_of_mask(bytes: &[u8]) -> u64 {
    units(bytes).into_iter().enumerate().map(|(i, lane)| u64::from(lane & 1) << i).sum()
}

/// Returns the lowest bits of bytes: the bit of byte `i` is bit `i`.
fn lowest_bits(bytes: &[u8]) -> u64 {
    bytes.iter().enumerate().map(|(i, byte)| u64::from(byte & 1) << i).sum()
}

/// Returns every second byte of two vectors, from byte `start`.
fn every_second(first: &[u8], second: &[u8], start: usize) -> Vec<u8> {
    first.iter().chain(second).skip(start).step_by(2).copied().collect()
}

/// Returns the bytes of two vectors in turn.
#[cfg(feature = "code-pages")]
fn interleaved_bytes(low: &Bytes, high: &Bytes) -> Vec<u8> {
    low.iter().zip(high).flat_map(|(&low, &high)| [low, high]).collect()
}

/// Returns a random vector of 16-bit lanes below 0x100.
fn random_narrow_lanes(random: &Random) -> Bytes {
    let mut bytes = random.vector::<u8>();
    for lane in bytes.chunks_exact_mut(2) {
        lane[1] = 0;
    }
    bytes
}

macro_rules! shifts {
    ($V:ident, $token:ident: $($by:literal)*) => {$(
        check_unary::<$V, u16>($token, "shl16", |a| a.shl16::<$by>(), |a| a << $by);
        check_unary::<$V, u16>($token, "shr16", |a| a.shr16::<$by>(), |a| a >> $by);
    )*};
}

operations! {
    fn splat16<V>(token) {
        for unit in 0..=u16::MAX {
            let got = bytes_of(V::splat16(token, black_box(unit)));
            assert!(
                units(&got[..V::LANES]).iter().all(|&lane| lane == unit),
                "{unit:#x}: {got:02x?}"
            );
        }
    }

    fn arithmetic_of_16_bits<V>(token) {
        let name = "swap_bytes16_if_big";
        check_unary::<V, u16>(token, name, V::swap_bytes16_if_big::<Little>, |a| a);
        check_unary::<V, u16>(token, name, V::swap_bytes16_if_big::<Big>, u16::swap_bytes);
        check_binary::<V, u16>(token, "add16", V::add16, u16::wrapping_add);
        check_binary::<V, u16>(token, "sub16", V::sub16, u16::wrapping_sub);
        check_binary::<V, u16>(token, "equal16", V::equal16, |a, b| mask_lane(a == b));
        check_binary::<V, u16>(token, "above16_signed", V::above16_signed, |a, b| {
            mask_lane(a.cast_signed() > b.cast_signed())
        });
        check_binary::<V, u16>(token, "min16_signed", V::min16_signed, |a, b| {
            a.cast_signed().min(b.cast_signed()).cast_unsigned()
        });
        shifts!(V, token: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }

    fn marked16<V>(token) {
        let random = Random::new();
        for [a, b] in &input_pairs::<u16>(V::LANES / 2) {
            let mask = random.one_of(&[0xFFFF, 0xF800, 0xFC00, 0xFF80, 0x0000]);
            let value = mask & u16::get(b, 0);
            let is_marked =
                |lanes: &Bytes| units(&lanes[..V::LANES]).iter().any(|lane| lane & mask == value);
            let (masks, values) = (V::splat16(token, black_box(mask)), V::splat16(token, value));
            let [first, second] =
                [a, b].map(|lanes| load::<V>(token, lanes).marked16(masks, values));
            assert_eq!(
                first.any_marked16(),
                is_marked(a),
                "mask {mask:#x}, value {value:#x}: {a:02x?}"
            );
            let either = first.either_marked16(second).any_marked16();
            assert_eq!(
                either,
                is_marked(a) || is_marked(b),
                "mask {mask:#x}, value {value:#x}: {a:02x?} {b:02x?}"
            );
        }
        // One marked lane, in one of the two vectors.
        for i in 0..V::LANES / 2 {
            let (none, mut one) = ([0; 64], [0; 64]);
            0xD801_u16.set(&mut one, i);
            let (masks, values) = (V::splat16(token, 0xF800), V::splat16(token, 0xD800));
            let [none, one] =
                [none, one].map(|lanes| load::<V>(token, &lanes).marked16(masks, values));
            assert!(one.any_marked16() && !none.either_marked16(none).any_marked16());
            assert!(
                one.either_marked16(none).any_marked16()
                    && none.either_marked16(one).any_marked16()
            );
        }
    }

    fn any_without16<V>(token) {
        let random = Random::new();
        for [a, b] in &input_pairs::<u16>(V::LANES / 2) {
            let mask = random.one_of(&[0xFFFF, 0xF800, 0x00F8, 0xFF80, u16::get(b, 0)]);
            let want = units(&a[..V::LANES]).iter().any(|lane| lane & mask == 0);
            let masks = V::splat16(token, black_box(mask));
            assert_eq!(load::<V>(token, a).any_without16(masks), want, "mask {mask:#x}: {a:02x?}");
        }
        // One lane without any of the bits.
        for i in 0..V::LANES / 2 {
            let (every, mut one) = ([0xFF; 64], [0xFF; 64]);
            0x07FF_u16.set(&mut one, i);
            let masks = V::splat16(token, black_box(0xF800));
            assert!(!load::<V>(token, &every).any_without16(masks));
            assert!(load::<V>(token, &one).any_without16(masks));
        }
    }

    fn select<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let which = random.vector::<u8>().map(|byte| mask_lane::<u8>(byte & 1 == 1));
            let (yes, no) = (random.vector::<u8>(), random.vector::<u8>());
            let got = load::<V>(token, &which).select(load(token, &yes), load(token, &no));
            let mut want = [0; 64];
            for i in 0..V::LANES {
                want[i] = if which[i] == 0xFF { yes[i] } else { no[i] };
            }
            assert_same::<V>("select", &bytes_of(got), &want, &[&which, &yes, &no]);
        }
    }

    fn picked<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let bytes = random.vector::<u8>();
            let row =
                random.vector::<u8>().map(|from| if from < 0x80 { from & 0x0F } else { from });
            let got = load::<V>(token, &bytes).picked(load(token, &row));
            let mut want = [0; 64];
            for i in 0..V::LANES {
                if row[i] < 16 {
                    want[i] = bytes[i / 16 * 16 + usize::from(row[i])];
                }
            }
            assert_same::<V>("picked", &bytes_of(got), &want, &[&bytes, &row]);
        }
    }

    #[cfg(feature = "code-pages")]
    fn interleaved<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let (low, high) = (random.vector::<u8>(), random.vector::<u8>());
            let got = load::<V>(token, &low).interleaved(load(token, &high));
            let want = interleaved_bytes(&low, &high);
            for (half, got) in got.into_iter().enumerate() {
                let want = &want[half * V::LANES..][..V::LANES];
                assert_same::<V>("interleaved", &bytes_of(got)[..V::LANES], want, &[&low, &high]);
            }
        }
    }

    fn packed8<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let (first, second) = (random.vector::<u16>(), random.vector::<u16>());
            for order in [&LITTLE_UNITS, &BIG_UNITS] {
                for (row, byte) in [
                    (&order.upper, usize::from(!order.big)),
                    (&order.lower, usize::from(order.big)),
                ] {
                    let got =
                        V::packed8(load(token, &first), load(token, &second), V::row8(token, row));
                    let want = every_second(&first[..V::LANES], &second[..V::LANES], byte);
                    assert_same::<V>(
                        "packed8",
                        &bytes_of(got)[..V::LANES],
                        &want,
                        &[&first, &second],
                    );
                }
            }
        }
    }

    fn narrow<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let (first, second) = (random_narrow_lanes(&random), random_narrow_lanes(&random));
            let (a, b): (V, V) = (load(token, &first), load(token, &second));
            let want = every_second(&first[..V::LANES], &second[..V::LANES], 0);
            assert_same::<V>(
                "narrow",
                &bytes_of(V::narrow(a, b))[..V::LANES],
                &want,
                &[&first, &second],
            );
            let want = &want[..V::LANES / 2];
            check_store::<V>("store_narrowed", 1, want, NO_SLACK, |dst, at| {
                a.store_narrowed(dst, at);
            });
            if round == 0 {
                let masked = V::Masked::PRESENT;
                check_end::<V>("store_narrowed", 1, want, masked, |dst, at| {
                    a.store_narrowed(dst, at);
                });
            }
        }
    }

    fn store_widened16_to_32_bits<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let bytes = random.vector::<u16>();
            for order in [&LITTLE_UNITS, &BIG_UNITS] {
                let rows = order.wider.map(|row| load::<V>(token, &row));
                let vector: V = load(token, &bytes);
                let mut want = Vec::new();
                for unit in units(&bytes[..V::LANES]) {
                    let unit = if order.big { unit.swap_bytes() } else { unit };
                    want.extend(u32::from(unit).to_le_bytes());
                }
                check_store::<V>("store_widened16_to_32_bits", 4, &want, NO_SLACK, |dst, at| {
                    vector.store_widened16_to_32_bits(rows, dst, at);
                });
                if round == 0 {
                    check_end::<V>("store_widened16_to_32_bits", 4, &want, UNMASKED, |dst, at| {
                        vector.store_widened16_to_32_bits(rows, dst, at);
                    });
                }
            }
        }
    }

    fn bits_of_lanes<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let (first, second) = (random_mask16(&random), random_mask16(&random));
            let got = V::bits16(load(token, &first), load(token, &second));
            let want = bits_of_mask(&first[..V::LANES])
                | bits_of_mask(&second[..V::LANES]) << (V::LANES / 2);
            assert_eq!(got, want, "bits16 {first:02x?} {second:02x?}");
            let bytes = random.vector::<u8>().map(|byte| mask_lane::<u8>(byte & 1 == 1));
            let want = lowest_bits(&bytes[..V::LANES]);
            assert_eq!(load::<V>(token, &bytes).bits8(), want, "bits8 {bytes:02x?}");
        }
    }

    fn write_three_byte<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let (bytes, lead) = (random.vector::<u8>(), random.vector::<u8>());
            let mut want = Vec::new();
            for i in 0..V::LANES / 2 {
                want.extend([lead[2 * i], bytes[2 * i + 1], bytes[2 * i]]);
            }
            let (b, l): (V, V) = (load(token, &bytes), load(token, &lead));
            check_store::<V>("write_three_byte", 1, &want, 4, |dst, at| {
                V::write_three_byte(b, l, dst, at);
            });
        }
    }

    fn write_up_to_two_bytes<V>(token) {
        if V::Masked::PRESENT {
            // `write_masked_below_0x800` tests the operation that these instruction sets have
            // instead.
            return;
        }
        let random = Random::new();
        for _ in 0..round_count() {
            let bytes = [random.vector::<u8>(), random.vector::<u8>()];
            let two_byte = [random_mask16(&random), random_mask16(&random)];
            let mut want = Vec::new();
            for (bytes, two_byte) in bytes.iter().zip(&two_byte) {
                for i in 0..V::LANES / 2 {
                    want.extend((two_byte[2 * i] != 0).then_some(bytes[2 * i + 1]));
                    want.push(bytes[2 * i]);
                }
            }
            let load = |vectors: [Bytes; 2]| vectors.map(|bytes| load::<V>(token, &bytes));
            check_written(&want, 2 * V::LANES, |dst| {
                V::write_up_to_two_bytes(load(bytes), load(two_byte), dst)
            });
        }
    }

    fn write_up_to_three_bytes<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let (bytes, lead) = (random.vector::<u8>(), random.vector::<u8>());
            let mut length_bits = 0;
            let mut want = Vec::new();
            let (min_extra, max_extra) = random.one_of(&[(2, 2), (0, 1), (0, 2)]);
            for i in 0..V::LANES / 2 {
                let extra_bytes = min_extra + random.below(1 + max_extra - min_extra);
                length_bits |= [0, 1, 3][extra_bytes] << (2 * i);
                let three_bytes = [lead[2 * i], bytes[2 * i + 1], bytes[2 * i]];
                want.extend(&three_bytes[2 - extra_bytes..]);
            }
            let (b, l): (V, V) = (load(token, &bytes), load(token, &lead));
            check_written(&want, 2 * V::LANES, |dst| {
                V::write_up_to_three_bytes(b, l, black_box(length_bits), dst)
            });
            if V::Masked::PRESENT {
                // If `dst` has exactly the length of the output, nothing after it is written.
                let mut len = 0;
                let got = output_after(want.len(), |dst| {
                    len = V::write_up_to_three_bytes(b, l, length_bits, dst);
                });
                assert_eq!((len, got), (want.len(), want));
            }
        }
    }
}

/// Checks that `write` writes `want` to the front of `dst`, changes at most the first `capacity`
/// bytes of `dst`, and returns the number of bytes written. `dst` has `capacity` bytes or more.
#[inline(always)]
pub(super) fn check_written(
    want: &[u8],
    capacity: usize,
    write: impl Fn(&mut [core::mem::MaybeUninit<u8>]) -> usize,
) {
    for extra in [0, 40] {
        let mut len = 0;
        // `write` gets only the first `capacity` bytes of the output, so it must not change the
        // others.
        let got = output_after(capacity + extra, |dst| len = write(&mut dst[..capacity]));
        assert_eq!(len, want.len());
        assert_eq!(got[..len], *want);
        let guard_bytes = guards(capacity..capacity + extra);
        assert_eq!(got[capacity..], guard_bytes);
        if extra > 0 {
            let got = output_after(capacity + extra, |dst| len = write(dst));
            assert_eq!((len, &got[..len], &got[capacity..]), (want.len(), want, &guard_bytes[..]));
        }
    }
}
