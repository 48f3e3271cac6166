//! The operations of [`Lanes32`].

use core::hint::black_box;
use std::vec::Vec;

#[cfg(doc)]
use crate::arch::lanes32::Lanes32;
use crate::arch::tests::lanes16::check_written;
use crate::arch::tests::model::{
    Bytes, Lane, Random, assert_same, binary, bytes_of, check_end, check_store, guard, load, mask,
    rounds, stored, unary, units,
};
use crate::arch::tests::operations;
use crate::tables::{Big, Little, Order};

/// Returns the lanes of a vector.
fn lanes(bytes: &[u8]) -> Vec<u32> {
    (0..bytes.len() / 4).map(|i| u32::get(bytes, i)).collect()
}

/// Random lanes, with these bits at most.
fn lanes_of(random: &Random, bits: u32) -> Bytes {
    let mut bytes = random.vector::<u32>();
    for i in 0..16 {
        (u32::get(&bytes, i) & bits).set(&mut bytes, i);
    }
    bytes
}

/// Returns the lanes of several vectors of so many bytes.
fn all_lanes(vectors: &[Bytes], len: usize) -> Vec<u32> {
    vectors.iter().flat_map(|bytes| lanes(&bytes[..len])).collect()
}

/// Numbers in no order.
fn sorted<T: Ord>(numbers: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut numbers: Vec<T> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers
}

macro_rules! shifts {
    ($V:ident, $token:ident: $($by:literal)*) => {$(
        unary::<$V, u32>($token, "shl32", |a| a.shl32::<$by>(), |a| a << $by);
        unary::<$V, u32>($token, "shr32", |a| a.shr32::<$by>(), |a| a >> $by);
    )*};
}

operations! {
    fn splat32<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let unit = u32::EDGES.get(round).copied().unwrap_or(random.bits() as u32);
            let got = bytes_of(V::splat32(token, black_box(unit)));
            assert!(
                lanes(&got[..V::LANES]).iter().all(|&lane| lane == unit),
                "{unit:x} {got:02x?}"
            );
        }
    }

    fn arithmetic_of_32_bits<V>(token) {
        unary::<V, u32>(token, "ordered32", V::ordered32::<Little>, |a| a);
        unary::<V, u32>(token, "ordered32", V::ordered32::<Big>, u32::swap_bytes);
        binary::<V, u32>(token, "add32", V::add32, u32::wrapping_add);
        binary::<V, u32>(token, "max32", V::max32, u32::max);
        binary::<V, u32>(token, "equal32", V::equal32, |a, b| mask(a == b));
        binary::<V, u32>(token, "above32", V::above32, |a, b| {
            mask(a.cast_signed() > b.cast_signed())
        });
        binary::<V, u32>(token, "halves", V::halves, |low, high| low & 0xFFFF | high & 0xFFFF_0000);
        shifts!(V, token: 1 2 3 4 5 6 8 10 11 12 13 15 16 18 20 21 24 31);
    }

    #[cfg(feature = "columns")]
    fn bits32<V>(token) {
        crate::arch::tests::model::each::<u32>(V::LANES / 4, |bytes| {
            let want = (0..V::LANES / 4).map(|i| (u32::get(bytes, i) >> 31) << i).sum::<u32>();
            assert_eq!(load::<V>(token, bytes).bits32(), want, "{bytes:02x?}");
        });
    }

    fn load32<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let both = [random.vector::<u8>(), random.vector::<u8>()].concat();
            let at = round % 65;
            let from = &both[at..at + V::LANES];
            let little = bytes_of(V::load32::<Little>(token, black_box(&both), at));
            assert_eq!(little[..V::LANES], *from);
            let big = bytes_of(V::load32::<Big>(token, black_box(&both), at));
            let want: Vec<u32> = lanes(from).into_iter().map(u32::swap_bytes).collect();
            assert_eq!(lanes(&big[..V::LANES]), want);
        }
    }

    fn narrow_lanes<V>(token) {
        let random = Random::new();
        for _ in 0..rounds() {
            let vectors: [Bytes; 2] = core::array::from_fn(|_| lanes_of(&random, 0xFFFF));
            let [a, b] = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::narrow32(a, b));
            let want: Vec<u16> =
                all_lanes(&vectors, V::LANES).iter().map(|&lane| lane as u16).collect();
            assert_eq!(units(&got[..V::LANES]), want, "narrow32");
            let vectors: [Bytes; 4] = core::array::from_fn(|_| lanes_of(&random, 0xFF));
            let got = bytes_of(V::narrow_four(vectors.map(|bytes| load::<V>(token, &bytes))));
            let want: Vec<u8> =
                all_lanes(&vectors, V::LANES).iter().map(|&lane| lane as u8).collect();
            assert_same::<V>("narrow_four", &got[..V::LANES], &want, &[&vectors[0], &vectors[1]]);
        }
    }

    fn lanes_in_any_order<V>(token) {
        let random = Random::new();
        for _ in 0..rounds() {
            let vectors: [Bytes; 2] = core::array::from_fn(|_| lanes_of(&random, u32::MAX >> 1));
            let [a, b] = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::narrow_saturating(a, b));
            let want =
                all_lanes(&vectors, V::LANES).into_iter().map(|lane| lane.min(0x7FFF) as u16);
            assert_eq!(sorted(units(&got[..V::LANES])), sorted(want), "narrow_saturating");
            let vectors: [Bytes; 2] = core::array::from_fn(|_| lanes_of(&random, u32::MAX));
            let [a, b] = vectors.map(|bytes| load::<V>(token, &bytes));
            let got = bytes_of(V::uppers(a, b));
            let want = all_lanes(&vectors, V::LANES).into_iter().map(|lane| (lane >> 16) as u16);
            assert_eq!(sorted(units(&got[..V::LANES])), sorted(want), "uppers");
        }
    }

    fn store_quarter<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let bytes = lanes_of(&random, 0xFF);
            let want: Vec<u8> = lanes(&bytes[..V::LANES]).iter().map(|&lane| lane as u8).collect();
            let vector: V = load(token, &bytes);
            check_store::<V>("store_quarter", 1, &want, 0, |dst, at| {
                vector.store_quarter(dst, at);
            });
            if round == 0 {
                check_end::<V>("store_quarter", 1, &want, false, |dst, at| {
                    vector.store_quarter(dst, at);
                });
            }
        }
    }

    fn store_half<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let bytes = lanes_of(&random, 0xFFFF);
            for big in [false, true] {
                let mut want = Vec::new();
                for lane in lanes(&bytes[..V::LANES]) {
                    let lane = lane as u16;
                    want.extend(if big { lane.to_be_bytes() } else { lane.to_le_bytes() });
                }
                let (vector, order): (V, V) =
                    (load(token, &bytes), V::order16(token, black_box(big)));
                check_store::<V>("store_half", 1, &want, 0, |dst, at| {
                    vector.store_half(order, dst, at);
                });
                if round == 0 {
                    check_end::<V>("store_half", 1, &want, false, |dst, at| {
                        vector.store_half(order, dst, at);
                    });
                }
            }
        }
    }

    fn shuffled<V>(token) {
        let random = Random::new();
        for _ in 0..rounds() {
            let bytes = random.vector::<u8>();
            let order = random.vector::<u8>().map(|from| from & 0x0F);
            let got = load::<V>(token, &bytes).shuffled(load(token, &order));
            let mut want = [0; 64];
            for i in 0..V::LANES {
                want[i] = bytes[i / 16 * 16 + usize::from(order[i])];
            }
            assert_same::<V>("shuffled", &bytes_of(got), &want, &[&bytes, &order]);
            for big in [false, true] {
                let got = load::<V>(token, &bytes).shuffled(V::order16(token, big));
                let want = units(&bytes[..V::LANES]).into_iter();
                let want: Vec<u16> =
                    want.map(|unit| if big { unit.swap_bytes() } else { unit }).collect();
                assert_eq!(units(&bytes_of(got)[..V::LANES]), want, "order16 {big}");
            }
        }
    }

    fn write_four_byte<V>(token) {
        let random = Random::new();
        for _ in 0..rounds() {
            let bytes = random.vector::<u32>();
            let (mut more, mut four_byte) = (0, 0);
            let mut want = Vec::new();
            let most = random.below(4);
            for i in 0..V::LANES / 4 {
                let count = if random.below(4) == 0 { most } else { random.below(most + 1) };
                more |= [0b00, 0b01, 0b11, 0b10][count] << (2 * i);
                four_byte |= u64::from(count == 3) << (2 * i);
                want.extend(bytes[4 * i..=4 * i + count].iter().rev());
            }
            let vector: V = load(token, &bytes);
            check_written(&want, V::LANES, |dst| {
                vector.write_four_byte(black_box(more), four_byte, dst)
            });
        }
    }

    fn write_halves<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
            let bytes = random.vector::<u16>();
            let keep = if round < 32 { !(1 << round) } else { random.bits() };
            let keep = black_box(keep & V::first_bits(V::LANES / 2));
            let kept = (0..V::LANES / 2)
                .filter(|lane| keep >> lane & 1 == 1)
                .map(|lane| u16::get(&bytes, lane));
            let kept: Vec<u16> = kept.collect();
            let vector: V = load(token, &bytes);
            let little: Vec<u8> = kept.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            check_written(&little, V::LANES, |dst| {
                vector.write_halves(keep, Little::compress16(), dst)
            });
            let big: Vec<u8> = kept.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            check_written(&big, V::LANES, |dst| {
                vector.write_halves(keep, Big::compress16(), dst)
            });
        }
    }

    fn store_joined_kept<V>(token) {
        let random = Random::new();
        for round in 0..rounds() {
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
            let most = 2 * V::LANES;
            let got = stored(most + 9, |dst| V::store_joined_kept(l, u, keep, dst));
            assert_eq!(got[..want.len()], want);
            assert_eq!(got[most..], (most..most + 9).map(guard).collect::<Vec<u8>>());
            let got = stored(most, |dst| V::store_joined_kept(l, u, keep, dst));
            assert_eq!(got[..want.len()], want);
        }
    }
}
