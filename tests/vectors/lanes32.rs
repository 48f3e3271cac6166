//! The operations of [`Lanes32`].

use core::hint::black_box;
use std::vec::Vec;

#[cfg(doc)]
use crate::arch::lanes32::Lanes32;
use crate::arch::tests::lanes16::check_written;
use crate::arch::tests::model::{
    Bytes, Lane, NO_SLACK, Random, UNMASKED, assert_same, bytes_of, check_binary, check_end,
    check_store, check_unary, encode_units, guards, load, mask_lane, output_after, round_count,
    units,
};
use crate::arch::tests::operations;
use crate::tables::{Big, Little, Order};

/// Returns bytes as 32-bit lanes.
fn to_lanes(bytes: &[u8]) -> Vec<u32> {
    (0..bytes.len() / 4).map(|i| u32::get(bytes, i)).collect()
}

/// Returns a vector of random lanes, in which only bits of `mask` are set.
fn random_lanes(random: &Random, mask: u32) -> Bytes {
    let mut bytes = random.vector::<u32>();
    for i in 0..16 {
        (u32::get(&bytes, i) & mask).set(&mut bytes, i);
    }
    bytes
}

/// Returns the lanes in the first `len` bytes of each vector.
fn lanes_of_all(vectors: &[Bytes], len: usize) -> Vec<u32> {
    vectors.iter().flat_map(|bytes| to_lanes(&bytes[..len])).collect()
}

/// Sorts numbers, to compare lanes in any order.
fn sort(mut numbers: Vec<u16>) -> Vec<u16> {
    numbers.sort_unstable();
    numbers
}

/// Returns each lane as a unit, which `unit` computes.
fn to_units(lanes: Vec<u32>, unit: fn(u32) -> u16) -> Vec<u16> {
    lanes.into_iter().map(unit).collect()
}

/// Returns the lowest byte of each lane.
fn low_bytes(lanes: &[u32]) -> Vec<u8> {
    lanes.iter().map(|&lane| lane as u8).collect()
}

/// Returns the 16-bit lanes whose bits in `keep` are set.
fn kept_units(bytes: &Bytes, keep: u64) -> Vec<u16> {
    (0..32).filter(|lane| keep >> lane & 1 == 1).map(|lane| u16::get(bytes, lane)).collect()
}

macro_rules! shifts {
    ($V:ident, $token:ident: $($by:literal)*) => {$(
        check_unary::<$V, u32>($token, "shl32", |a| a.shl32::<$by>(), |a| a << $by);
        check_unary::<$V, u32>($token, "shr32", |a| a.shr32::<$by>(), |a| a >> $by);
    )*};
}

operations! {
    fn splat32<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let unit = u32::EDGES.get(round).copied().unwrap_or(random.bits() as u32);
            let got = bytes_of(V::splat32(token, black_box(unit)));
            assert!(
                to_lanes(&got[..V::LANES]).iter().all(|&lane| lane == unit),
                "{unit:#x}: {got:02x?}"
            );
        }
    }

    fn arithmetic_of_32_bits<V>(token) {
        let name = "swap_bytes32_if_big";
        check_unary::<V, u32>(token, name, V::swap_bytes32_if_big::<Little>, |a| a);
        check_unary::<V, u32>(token, name, V::swap_bytes32_if_big::<Big>, u32::swap_bytes);
        check_binary::<V, u32>(token, "add32", V::add32, u32::wrapping_add);
        check_binary::<V, u32>(token, "max_u32", V::max_u32, u32::max);
        check_binary::<V, u32>(token, "equal32", V::equal32, |a, b| mask_lane(a == b));
        check_binary::<V, u32>(token, "greater_i32", V::greater_i32, |a, b| {
            mask_lane(a.cast_signed() > b.cast_signed())
        });
        check_binary::<V, u32>(token, "join_halves16", V::join_halves16, |low, high| {
            low & 0xFFFF | high & 0xFFFF_0000
        });
        shifts!(V, token: 1 2 3 4 5 6 8 10 11 12 13 15 16 18 20 21 24 31);
    }

    #[cfg(feature = "columns")]
    fn bits32<V>(token) {
        for bytes in &crate::arch::tests::model::inputs::<u32>(V::LANES / 4) {
            let want = (0..V::LANES / 4).map(|i| (u32::get(bytes, i) >> 31) << i).sum::<u32>();
            assert_eq!(load::<V>(token, bytes).bits32(), want, "{bytes:02x?}");
        }
    }

    fn load32<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let both = [random.vector::<u8>(), random.vector::<u8>()].concat();
            let at = round % 65;
            let loaded = &both[at..at + V::LANES];
            let little = bytes_of(V::load32::<Little>(token, black_box(&both), at));
            assert_eq!(little[..V::LANES], *loaded);
            let big = bytes_of(V::load32::<Big>(token, black_box(&both), at));
            let want: Vec<u32> = to_lanes(loaded).into_iter().map(u32::swap_bytes).collect();
            assert_eq!(to_lanes(&big[..V::LANES]), want);
        }
    }

    fn narrow32_and_narrow_four_to_bytes<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let vectors: [Bytes; 2] = core::array::from_fn(|_| random_lanes(&random, 0xFFFF));
            let [a, b] = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::narrow_to_u16(a, b));
            let want = to_units(lanes_of_all(&vectors, V::LANES), |lane| lane as u16);
            assert_eq!(units(&got[..V::LANES]), want, "narrow_to_u16");
            let vectors: [Bytes; 4] = core::array::from_fn(|_| random_lanes(&random, 0xFF));
            let loaded = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::narrow_four_to_bytes(loaded));
            let want = low_bytes(&lanes_of_all(&vectors, V::LANES));
            let inputs = [&vectors[0], &vectors[1]];
            assert_same::<V>("narrow_four_to_bytes", &got[..V::LANES], &want, &inputs);
        }
    }

    fn narrow32_signed_unordered_and_high_halves16<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let vectors: [Bytes; 2] =
                core::array::from_fn(|_| random_lanes(&random, u32::MAX >> 1));
            let [a, b] = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::narrow32_signed_unordered(a, b));
            let want = to_units(lanes_of_all(&vectors, V::LANES), |lane| lane.min(0x7FFF) as u16);
            assert_eq!(sort(units(&got[..V::LANES])), sort(want), "narrow32_signed_unordered");
            let vectors: [Bytes; 2] = core::array::from_fn(|_| random_lanes(&random, u32::MAX));
            let [a, b] = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::high_halves16(a, b));
            let want = to_units(lanes_of_all(&vectors, V::LANES), |lane| (lane >> 16) as u16);
            assert_eq!(sort(units(&got[..V::LANES])), sort(want), "high_halves16");
        }
    }

    fn store_low_bytes<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let bytes = random_lanes(&random, 0xFF);
            let want = low_bytes(&to_lanes(&bytes[..V::LANES]));
            let vector: V = load(token, &bytes);
            check_store::<V>("store_low_bytes", 1, &want, NO_SLACK, |dst, at| {
                vector.store_low_bytes(dst, at);
            });
            if round == 0 {
                check_end::<V>("store_low_bytes", 1, &want, UNMASKED, |dst, at| {
                    vector.store_low_bytes(dst, at);
                });
            }
        }
    }

    fn store_low_halves16<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let bytes = random_lanes(&random, 0xFFFF);
            for big in [false, true] {
                let mut want = Vec::new();
                for lane in to_lanes(&bytes[..V::LANES]) {
                    let lane = lane as u16;
                    want.extend(if big { lane.to_be_bytes() } else { lane.to_le_bytes() });
                }
                let (vector, pattern): (V, V) =
                    (load(token, &bytes), V::byte_order_pattern16(token, black_box(big)));
                check_store::<V>("store_low_halves16", 1, &want, NO_SLACK, |dst, at| {
                    vector.store_low_halves16(pattern, dst, at);
                });
                if round == 0 {
                    check_end::<V>("store_low_halves16", 1, &want, UNMASKED, |dst, at| {
                        vector.store_low_halves16(pattern, dst, at);
                    });
                }
            }
        }
    }

    fn shuffled<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let bytes = random.vector::<u8>();
            let pattern = random.vector::<u8>().map(|from| from & 0x0F);
            let got = load::<V>(token, &bytes).shuffled(load(token, &pattern));
            let mut want = [0; 64];
            for i in 0..V::LANES {
                want[i] = bytes[i / 16 * 16 + usize::from(pattern[i])];
            }
            assert_same::<V>("shuffled", &bytes_of(got), &want, &[&bytes, &pattern]);
            for big in [false, true] {
                let got = load::<V>(token, &bytes).shuffled(V::byte_order_pattern16(token, big));
                let want = encode_units(&units(&bytes[..V::LANES]), big);
                assert_eq!(bytes_of(got)[..V::LANES], want, "byte_order_pattern16, big: {big}");
            }
        }
    }

    fn write_up_to_four_bytes<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let bytes = random.vector::<u32>();
            let (mut length_bits, mut four_byte_characters) = (0, 0);
            let mut want = Vec::new();
            let max_extra = random.below(4);
            for i in 0..V::LANES / 4 {
                let extra_bytes =
                    if random.below(4) == 0 { max_extra } else { random.below(max_extra + 1) };
                length_bits |= [0b00, 0b01, 0b11, 0b10][extra_bytes] << (2 * i);
                four_byte_characters |= u64::from(extra_bytes == 3) << (2 * i);
                want.extend(bytes[4 * i..=4 * i + extra_bytes].iter().rev());
            }
            let vector: V = load(token, &bytes);
            check_written(&want, V::LANES, |dst| {
                vector.write_up_to_four_bytes(black_box(length_bits), four_byte_characters, dst)
            });
        }
    }

    fn write_halves16<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let bytes = random.vector::<u16>();
            let keep = if round < 32 { !(1 << round) } else { random.bits() };
            let keep = black_box(keep & V::first_bits(V::LANES / 2));
            let kept = kept_units(&bytes, keep);
            let vector: V = load(token, &bytes);
            check_written(&encode_units(&kept, false), V::LANES, |dst| {
                vector.write_halves16(keep, Little::compress16(), dst)
            });
            check_written(&encode_units(&kept, true), V::LANES, |dst| {
                vector.write_halves16(keep, Big::compress16(), dst)
            });
        }
    }

    fn store_joined_kept<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let (low, upper) = (random.vector::<u16>(), random.vector::<u16>());
            let keep = if round < 32 { !(1 << round) } else { random.bits() };
            let keep = black_box((keep & V::first_bits(V::LANES / 2)) as u32);
            let kept = (0..V::LANES / 2).filter(|lane| keep >> lane & 1 == 1);
            let mut want = Vec::new();
            for lane in kept {
                want.extend(u16::get(&low, lane).to_le_bytes());
                want.extend(u16::get(&upper, lane).to_le_bytes());
            }
            let (l, u): (V, V) = (load(token, &low), load(token, &upper));
            let capacity = 2 * V::LANES;
            let got = output_after(capacity + 9, |dst| V::store_joined_kept(l, u, keep, dst));
            assert_eq!(got[..want.len()], want);
            assert_eq!(got[capacity..], guards(capacity..capacity + 9));
            let got = output_after(capacity, |dst| V::store_joined_kept(l, u, keep, dst));
            assert_eq!(got[..want.len()], want);
        }
    }
}
