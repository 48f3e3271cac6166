//! The operations of [`Vector`] that write to `dst`.

use core::mem::MaybeUninit;
use std::vec::Vec;

use crate::arch::optional::Presence;
use crate::arch::tests::model::{
    Bytes, Lane, Random, assert_same, check_end, check_store, guard, load, rounds, stored, units,
};
use crate::arch::tests::operations;
use crate::arch::vector::Vector;
use crate::tables::{BIG, Big, LITTLE, Little, Order, compress8};

/// Returns the number of units of `SIZE` bytes, in order.
fn to_bytes<const SIZE: usize>(units: impl IntoIterator<Item = [u8; SIZE]>) -> Vec<u8> {
    units.into_iter().flatten().collect()
}

/// Returns a number as a two-byte unit, in order `O`.
fn unit16<O: Order>(unit: u16) -> [u8; 2] {
    if O::BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

/// The same as a four-byte unit.
fn unit32<O: Order>(unit: u32) -> [u8; 4] {
    if O::BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

/// The store of a whole vector or of eight units: its bytes, its offset and its end.
#[inline(always)]
fn whole<V: Vector>(
    name: &str,
    size: usize,
    masked: bool,
    bytes: &Bytes,
    want: &[u8],
    store: impl Fn(&mut [MaybeUninit<u8>], usize),
) {
    check_store::<V>(name, size, want, 0, &store);
    // Panics are slow.
    if bytes[0] == 0xFF {
        check_end::<V>(name, size, want, masked, store);
    }
}

/// Random vectors. The first lane is FF only in the first of them.
fn inputs(n: usize) -> Vec<Bytes> {
    let random = Random::new();
    let mut inputs: Vec<Bytes> = (0..n).map(|_| random.vector::<u8>()).collect();
    for (i, bytes) in inputs.iter_mut().enumerate() {
        bytes[0] = if i == 0 { 0xFF } else { bytes[0].min(0xFE) };
    }
    inputs
}

/// The operations that store eight units or a vector, in one byte order.
#[inline(always)]
fn in_order<V: crate::arch::lanes16::Lanes16, O: Order>(token: V::Token) {
    for bytes in &inputs(rounds() / 4) {
        let vector: V = load(token, bytes);
        let lanes = &bytes[..V::LANES];
        let masked = V::Masked::PRESENT;
        let wide = to_bytes(lanes.iter().map(|&byte| unit16::<O>(byte.into())));
        whole::<V>("store_widened", 2, masked, bytes, &wide, |dst, at| {
            vector.store_widened::<O>(dst, at);
        });
        let wide = to_bytes(lanes.iter().map(|&byte| unit32::<O>(byte.into())));
        whole::<V>("store_widened_twice", 4, masked, bytes, &wide, |dst, at| {
            vector.store_widened_twice::<O>(dst, at);
        });
        // The halves of units come in the byte order.
        let value = |half: [u8; 2]| {
            u32::from(if O::BIG { u16::from_be_bytes(half) } else { u16::from_le_bytes(half) })
        };
        let (low, upper) = (&lanes[..16], &lanes[V::LANES - 16..]);
        let (low_units, upper_units) = (vector.eight(0), vector.eight(V::LANES / 16 - 1));
        let values = |half: &[u8]| -> Vec<u32> {
            half.chunks_exact(2).map(|half| value([half[0], half[1]])).collect()
        };
        let wide = to_bytes(values(low).into_iter().map(unit32::<O>));
        whole::<V>("store_units_widened", 4, false, bytes, &wide, |dst, at| {
            V::store_units_widened::<O>(low_units, dst, at);
        });
        let joined = values(low).into_iter().zip(values(upper));
        let joined = to_bytes(joined.map(|(low, upper)| unit32::<O>(low | upper << 16)));
        whole::<V>("store_joined", 4, false, bytes, &joined, |dst, at| {
            V::store_joined::<O>(low_units, upper_units, dst, at);
        });
    }
}

/// An operation that keeps some lanes writes nothing before the offset of its first lane, nor after
/// a unit for each lane of this vector and of those before. Where stores are masked, `dst` may
/// end with the last lane.
#[inline(always)]
fn keeps<V: Vector>(
    name: &str,
    size: usize,
    keep: u64,
    k: usize,
    kept: &[u8],
    store: impl Fn(&mut [MaybeUninit<u8>]),
) {
    let before = if k == 0 { 0 } else { keep & ((1 << (k * V::LANES)) - 1) };
    let start = size * before.count_ones() as usize;
    let most = size * V::LANES * (k + 1);
    for len in [most, most + 33] {
        let got = stored(len, &store);
        let mut want: Vec<u8> = (0..len).map(guard).collect();
        want[start..most].copy_from_slice(&got[start..most]);
        want[start..start + kept.len()].copy_from_slice(kept);
        assert_same::<V>(name, &got, &want, &[]);
    }
    if V::Masked::PRESENT {
        let got = stored(start + kept.len(), &store);
        assert_same::<V>(name, &got[start..], kept, &[]);
    }
}

/// Returns a vector for each of 64 lanes, which of all lanes are kept, and those of the vector `k`.
fn kept_lanes<V: Vector>(random: &Random, k: usize) -> (u64, Vec<usize>) {
    let keep = match random.below(8) {
        0 => u64::MAX,
        1 => 0,
        2 => 1 << random.below(64),
        3 => random.bits() & random.bits(),
        _ => random.bits(),
    };
    let kept = (0..V::LANES).filter(|lane| keep >> (k * V::LANES + lane) & 1 == 1);
    (keep, kept.collect())
}

operations! {
    fn stores_in_little_order<V>(token) {
        in_order::<V, Little>(token);
    }

    fn stores_in_big_order<V>(token) {
        in_order::<V, Big>(token);
    }

    fn store_and_store_bytes<V>(token) {
        for bytes in &inputs(rounds()) {
            let vector: V = load(token, bytes);
            let masked = V::Masked::PRESENT;
            whole::<V>("store_bytes", 1, masked, bytes, &bytes[..V::LANES], |dst, at| {
                vector.store_bytes(dst, at);
            });
            for group in 0..V::LANES / 16 {
                let eight = vector.eight(group);
                let want = &bytes[16 * group..16 * group + 16];
                whole::<V>("store", 2, false, bytes, want, |dst, at| V::store(eight, dst, at));
                whole::<V>("write_vector", 1, false, bytes, want, |dst, at| {
                    V::write_vector(eight, dst, at);
                });
            }
            let mut over: Vec<u8> = (0..V::LANES + 9).map(guard).collect();
            let mut want = over.clone();
            vector.store_over(&mut over, 5);
            want[5..5 + V::LANES].copy_from_slice(&bytes[..V::LANES]);
            assert_same::<V>("store_over", &over, &want, &[bytes]);
        }
    }

    fn store_shifted<V>(token) {
        for bytes in &inputs(rounds() / 16) {
            let vector: V = load(token, bytes);
            for bits in 0..16 {
                let lanes =
                    bytes[..V::LANES].iter().map(|&byte| (u16::from(byte) << bits).to_le_bytes());
                let masked = V::Masked::PRESENT;
                whole::<V>("store_shifted", 2, masked, bytes, &to_bytes(lanes), |dst, at| {
                    vector.store_shifted(core::hint::black_box(bits), dst, at);
                });
            }
        }
    }

    fn store_compressed<V>(token) {
        let random = Random::new();
        for (round, bytes) in inputs(rounds()).iter().enumerate() {
            let vector: V = load(token, bytes);
            let group = random.below(V::LANES / 8);
            let row = &compress8(group % 2)[round % 256];
            let half = &bytes[16 * (group / 2)..][..16];
            let want = row.map(|from| if from < 16 { half[usize::from(from)] } else { 0 });
            whole::<V>("store_compressed", 1, false, bytes, &want, |dst, at| {
                vector.store_compressed(group, row, dst, at);
            });
        }
    }

    fn store_kept<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let [low, middle, high] =
                core::array::from_fn(|_| random.vector::<u8>().map(|byte| byte & 0x1F));
            let wide = V::code_units(load(token, &low), load(token, &middle), load(token, &high));
            let lanes = crate::arch::tests::model::units_of_wide::<V>(wide);
            let k = round % (64 / V::LANES);
            let (keep, kept) = kept_lanes::<V>(&random, k);
            let little = to_bytes(kept.iter().map(|&lane| lanes[lane].to_le_bytes()));
            keeps::<V>("store_kept", 2, keep, k, &little, |dst| {
                V::store_kept(wide, keep, k, &LITTLE, dst);
            });
            let big = to_bytes(kept.iter().map(|&lane| lanes[lane].to_be_bytes()));
            keeps::<V>("store_kept", 2, keep, k, &big, |dst| {
                V::store_kept(wide, keep, k, &BIG, dst);
            });
            let widened = to_bytes(kept.iter().map(|&lane| u32::from(lanes[lane]).to_le_bytes()));
            keeps::<V>("store_kept_widened", 4, keep, k, &widened, |dst| {
                V::store_kept_widened(wide, keep, k, dst);
            });
        }
    }

    fn store_kept_joined<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let [low, high, upper] = core::array::from_fn(|_| random.vector::<u8>());
            let wide = load::<V>(token, &low).paired(load(token, &high));
            let uppers = load::<V>(token, &upper).paired(V::splat(token, 0));
            let k = round % (64 / V::LANES);
            let (keep, kept) = kept_lanes::<V>(&random, k);
            let joined = to_bytes(kept.iter().map(|&lane| [low[lane], high[lane], upper[lane], 0]));
            keeps::<V>("store_kept_joined", 4, keep, k, &joined, |dst| {
                V::store_kept_joined(wide, uppers, keep, k, dst);
            });
        }
    }

    fn store_kept_bytes<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let bytes = random.vector::<u8>();
            let k = round % (64 / V::LANES);
            let (keep, kept) = kept_lanes::<V>(&random, k);
            let want: Vec<u8> = kept.iter().map(|&lane| bytes[lane]).collect();
            keeps::<V>("store_kept_bytes", 1, keep, k, &want, |dst| {
                load::<V>(token, &bytes).store_kept_bytes(keep, k, dst);
            });
        }
    }

    fn eight_and_group<V>(token) {
        let random = Random::new();
        for _ in 0..rounds() {
            let (low, high) = (random.vector::<u8>(), random.vector::<u8>());
            let wide = load::<V>(token, &low).paired(load(token, &high));
            for group in 0..V::LANES / 8 {
                let got = stored(16, |dst| V::store(V::group(wide, group), dst, 0));
                for (i, unit) in units(&got).into_iter().enumerate() {
                    let lane = 8 * group + i;
                    assert_eq!(unit, u16::get(&[low[lane], high[lane]], 0));
                }
            }
        }
    }
}
