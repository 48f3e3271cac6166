//! The operations of [`Vector`] that write to `dst`.

use core::mem::MaybeUninit;
use core::ops::Range;
use std::vec::Vec;

use crate::arch::optional::Presence;
use crate::arch::tests::model::{
    Bytes, Lane, NO_SLACK, Random, UNMASKED, assert_same, check_end, check_store, encode_units,
    guards, load, output_after, round_count, units,
};
use crate::arch::tests::operations;
use crate::arch::vector::Vector;
use crate::tables::{BIG, Big, LITTLE, Little, Order, compress8};

/// Returns the bytes of units of `SIZE` bytes each.
fn concat_units<const SIZE: usize>(units: impl IntoIterator<Item = [u8; SIZE]>) -> Vec<u8> {
    units.into_iter().flatten().collect()
}

/// Returns the bytes of a 16-bit unit in byte order `O`.
fn encode_unit16<O: Order>(unit: u16) -> [u8; 2] {
    if O::BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

/// Returns the bytes of a 32-bit unit in byte order `O`.
fn encode_unit32<O: Order>(unit: u32) -> [u8; 4] {
    if O::BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

/// Returns bytes as 16-bit units.
fn widened_to_16_bits<O: Order>(lanes: &[u8]) -> Vec<u8> {
    concat_units(lanes.iter().map(|&byte| encode_unit16::<O>(byte.into())))
}

/// Returns bytes as 32-bit units.
fn widened_to_32_bits<O: Order>(lanes: &[u8]) -> Vec<u8> {
    concat_units(lanes.iter().map(|&byte| encode_unit32::<O>(byte.into())))
}

/// Returns 32-bit units whose low halves are the 16-bit units in `low`, and whose high halves are
/// those in `upper`, or zero. All units are in byte order `O`.
fn join_halves<O: Order>(low: &[u8], upper: Option<&[u8]>) -> Vec<u8> {
    let half = |bytes: &[u8]| {
        let bytes = [bytes[0], bytes[1]];
        u32::from(if O::BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let unit = |at: usize| {
        let upper = upper.map_or(0, |upper| half(&upper[at..]));
        encode_unit32::<O>(half(&low[at..]) | upper << 16)
    };
    concat_units((0..low.len()).step_by(2).map(unit))
}

/// Returns bytes as 16-bit units, shifted to the left.
fn shifted(lanes: &[u8], bits: i32) -> Vec<u8> {
    concat_units(lanes.iter().map(|&byte| (u16::from(byte) << bits).to_le_bytes()))
}

/// Returns the lanes with these indices.
fn lanes_at<T: Copy>(lanes: &[T], indices: &[usize]) -> Vec<T> {
    indices.iter().map(|&lane| lanes[lane]).collect()
}

/// Returns the characters at these indices as 32-bit units, from vectors of their bytes.
fn joined_at([low, high, upper]: [&Bytes; 3], indices: &[usize]) -> Vec<u8> {
    concat_units(indices.iter().map(|&lane| [low[lane], high[lane], upper[lane], 0]))
}

/// Checks a store of a whole vector or of eight units: the bytes, the offset, and an output that is
/// too short. A unit has `size` bytes.
#[inline(always)]
fn check_whole_store<V: Vector>(
    name: &str,
    size: usize,
    masked: bool,
    bytes: &Bytes,
    want: &[u8],
    store: impl Fn(&mut [MaybeUninit<u8>], usize),
) {
    check_store::<V>(name, size, want, NO_SLACK, &store);
    // Panics are slow, so one input of `random_inputs` must do.
    if bytes[0] == 0xFF {
        check_end::<V>(name, size, want, masked, store);
    }
}

/// Returns `count` random vectors. The first byte is 0xFF in the first vector only.
fn random_inputs(count: usize) -> Vec<Bytes> {
    let random = Random::new();
    let mut inputs: Vec<Bytes> = (0..count).map(|_| random.vector::<u8>()).collect();
    for (i, bytes) in inputs.iter_mut().enumerate() {
        bytes[0] = if i == 0 { 0xFF } else { bytes[0].min(0xFE) };
    }
    inputs
}

/// Checks the operations that store eight units or a vector in byte order `O`.
#[inline(always)]
fn check_stores_in_order<V: crate::arch::lanes16::Lanes16, O: Order>(token: V::Token) {
    for bytes in &random_inputs(round_count() / 4) {
        let vector: V = load(token, bytes);
        let lanes = &bytes[..V::LANES];
        let masked = V::Masked::PRESENT;
        let wide = widened_to_16_bits::<O>(lanes);
        check_whole_store::<V>("store_widened", 2, masked, bytes, &wide, |dst, at| {
            vector.store_widened::<O>(dst, at);
        });
        let wide = widened_to_32_bits::<O>(lanes);
        check_whole_store::<V>("store_widened_to_32_bits", 4, masked, bytes, &wide, |dst, at| {
            vector.store_widened_to_32_bits::<O>(dst, at);
        });
        // The halves of units are in the byte order too.
        let (low, upper) = (&lanes[..16], &lanes[V::LANES - 16..]);
        let (low_units, upper_units) =
            (vector.eight_lanes(0), vector.eight_lanes(V::LANES / 16 - 1));
        let wide = join_halves::<O>(low, None);
        check_whole_store::<V>("store_units_widened", 4, UNMASKED, bytes, &wide, |dst, at| {
            V::store_units_widened::<O>(low_units, dst, at);
        });
        let joined = join_halves::<O>(low, Some(upper));
        check_whole_store::<V>("store_joined", 4, UNMASKED, bytes, &joined, |dst, at| {
            V::store_joined::<O>(low_units, upper_units, dst, at);
        });
    }
}

/// Checks an operation that stores the kept lanes of vector `k`: `kept` are their bytes. The
/// operation must not write before the offset of its first lane, nor after the end that the output
/// would have if this vector and the vectors before it kept all lanes. If stores are masked, `dst`
/// may end with the last kept lane.
#[inline(always)]
fn check_kept_store<V: Vector>(
    name: &str,
    size: usize,
    keep: u64,
    k: usize,
    kept: &[u8],
    store: impl Fn(&mut [MaybeUninit<u8>]),
) {
    let keep_before = if k == 0 { 0 } else { keep & ((1 << (k * V::LANES)) - 1) };
    let start = size * keep_before.count_ones() as usize;
    let capacity = size * V::LANES * (k + 1);
    for len in [capacity, capacity + 33] {
        let got = output_after(len, &store);
        let mut want = guards(0..len);
        want[start..capacity].copy_from_slice(&got[start..capacity]);
        want[start..start + kept.len()].copy_from_slice(kept);
        assert_same::<V>(name, &got, &want, &[]);
    }
    if V::Masked::PRESENT {
        let got = output_after(start + kept.len(), &store);
        assert_same::<V>(name, &got[start..], kept, &[]);
    }
}

/// Returns a random choice of the lanes to keep of a step of 64 lanes: a bit for each lane of the
/// step, and the indices of the kept lanes in vector `k`.
fn random_kept_lanes<V: Vector>(random: &Random, k: usize) -> (u64, Vec<usize>) {
    random_kept(random, k * V::LANES..(k + 1) * V::LANES)
}

/// Returns the same for a vector that has these lanes of the step.
fn random_kept(random: &Random, lanes: Range<usize>) -> (u64, Vec<usize>) {
    let keep = match random.below(8) {
        0 => u64::MAX,
        1 => 0,
        2 => 1 << random.below(64),
        3 => random.bits() & random.bits(),
        _ => random.bits(),
    };
    let kept = (0..lanes.len()).filter(|lane| keep >> (lanes.start + lane) & 1 == 1);
    (keep, kept.collect())
}

operations! {
    fn stores_with_low_byte_first<V>(token) {
        check_stores_in_order::<V, Little>(token);
    }

    fn stores_with_high_byte_first<V>(token) {
        check_stores_in_order::<V, Big>(token);
    }

    fn store_and_store_bytes<V>(token) {
        for bytes in &random_inputs(round_count()) {
            let vector: V = load(token, bytes);
            let masked = V::Masked::PRESENT;
            check_whole_store::<V>("store_bytes", 1, masked, bytes, &bytes[..V::LANES], |dst, at| {
                vector.store_bytes(dst, at);
            });
            for group in 0..V::LANES / 16 {
                let eight = vector.eight_lanes(group);
                let want = &bytes[16 * group..16 * group + 16];
                check_whole_store::<V>("store", 2, UNMASKED, bytes, want, |dst, at| {
                    V::store(eight, dst, at);
                });
                check_whole_store::<V>("write_vector", 1, UNMASKED, bytes, want, |dst, at| {
                    V::write_vector(eight, dst, at);
                });
            }
        }
    }

    fn store_shifted<V>(token) {
        for bytes in &random_inputs(round_count() / 16) {
            let vector: V = load(token, bytes);
            for bits in 0..16 {
                let masked = V::Masked::PRESENT;
                let want = shifted(&bytes[..V::LANES], bits);
                check_whole_store::<V>("store_shifted", 2, masked, bytes, &want, |dst, at| {
                    vector.store_shifted(core::hint::black_box(bits), dst, at);
                });
            }
        }
    }

    fn store_compressed<V>(token) {
        let random = Random::new();
        for (round, bytes) in random_inputs(round_count()).iter().enumerate() {
            let vector: V = load(token, bytes);
            let group = random.below(V::LANES / 8);
            let row = &compress8(group % 2)[round % 256];
            let half = &bytes[16 * (group / 2)..][..16];
            let want = row.map(|from| if from < 16 { half[usize::from(from)] } else { 0 });
            check_whole_store::<V>("store_compressed", 1, UNMASKED, bytes, &want, |dst, at| {
                vector.store_compressed(group, row, dst, at);
            });
        }
    }

    fn store_kept<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let [low, middle, high] =
                core::array::from_fn(|_| random.vector::<u8>().map(|byte| byte & 0x1F));
            let wide = V::code_units(load(token, &low), load(token, &middle), load(token, &high));
            let lanes = crate::arch::tests::model::units_of_wide::<V>(wide);
            let k = round % (64 / V::LANES);
            let (keep, kept) = random_kept_lanes::<V>(&random, k);
            let kept = lanes_at(&lanes, &kept);
            let little = encode_units(&kept, false);
            check_kept_store::<V>("store_kept", 2, keep, k, &little, |dst| {
                V::store_kept(wide, keep, k, &LITTLE, dst);
            });
            let big = encode_units(&kept, true);
            check_kept_store::<V>("store_kept", 2, keep, k, &big, |dst| {
                V::store_kept(wide, keep, k, &BIG, dst);
            });
            let widened = join_halves::<Little>(&little, None);
            check_kept_store::<V>("store_kept_widened", 4, keep, k, &widened, |dst| {
                V::store_kept_widened(wide, keep, k, dst);
            });
        }
    }

    fn store_kept_joined<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let [low, high, upper] = core::array::from_fn(|_| random.vector::<u8>());
            let wide = load::<V>(token, &low).paired(load(token, &high));
            let uppers = load::<V>(token, &upper).paired(V::splat(token, 0));
            let k = round % (64 / V::LANES);
            let (keep, kept) = random_kept_lanes::<V>(&random, k);
            let joined = joined_at([&low, &high, &upper], &kept);
            check_kept_store::<V>("store_kept_joined", 4, keep, k, &joined, |dst| {
                V::store_kept_joined(wide, uppers, keep, k, dst);
            });
        }
    }

    fn store_kept_bytes<V>(token) {
        let random = Random::new();
        for round in 0..round_count() {
            let bytes = random.vector::<u8>();
            let k = round % (64 / V::LANES);
            let (keep, kept) = random_kept_lanes::<V>(&random, k);
            let want = lanes_at(&bytes, &kept);
            check_kept_store::<V>("store_kept_bytes", 1, keep, k, &want, |dst| {
                load::<V>(token, &bytes).store_kept_bytes(keep, k, dst);
            });
        }
    }

    fn eight_lanes_and_group<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let (low, high) = (random.vector::<u8>(), random.vector::<u8>());
            let wide = load::<V>(token, &low).paired(load(token, &high));
            for group in 0..V::LANES / 8 {
                let got = output_after(16, |dst| V::store(V::group(wide, group), dst, 0));
                for (i, unit) in units(&got).into_iter().enumerate() {
                    let lane = 8 * group + i;
                    assert_eq!(unit, u16::get(&[low[lane], high[lane]], 0));
                }
            }
        }
    }
}
