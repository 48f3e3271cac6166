//! The operations of [`Vector`] that load, compute and test lanes.

use core::hint::black_box;
use std::vec::Vec;

use crate::arch::tests::model::{
    Random, assert_same, bytes_of, bytes_of_units, check_binary, check_unary, input_pairs, inputs,
    load, mask_lane, panics, round_count, units_of_wide,
};
use crate::arch::tests::operations;
use crate::arch::vector::Vector;
use crate::tables::{Big, Little, Order, ShuffleRow, utf8_narrow, utf8_wide};

/// Returns the bits of a mask, and checks that the mask as a vector has the same bits.
#[inline(always)]
fn checked_bits<V: Vector>(name: &str, mask: V::Mask) -> u64 {
    let (lanes, bits) = (bytes_of(V::from_mask(mask)), V::bits(&[mask]));
    for (i, lane) in lanes[..V::LANES].iter().enumerate() {
        assert_eq!(*lane, if bits >> i & 1 == 1 { 0xFF } else { 0 }, "{name}, lane {i}");
    }
    assert!(V::LANES == 64 || bits >> V::LANES == 0, "{name}: {bits:#x}");
    bits
}

/// Returns a bit for each lane: bit `i` is set if `model(i)` is true.
fn bits_by_model(lanes: usize, model: impl Fn(usize) -> bool) -> u64 {
    (0..lanes).map(|i| u64::from(model(i)) << i).sum()
}

operations! {
    fn first_bits_and_half<V>(token) {
        assert!(64 % V::LANES == 0);
        for n in 0..=V::LANES {
            assert_eq!(u128::from(V::first_bits(n)), (1 << n) - 1);
        }
        let half = <V::Vector16 as Vector>::splat(V::token_of_16_bytes(token), black_box(7));
        assert_eq!(<V::Vector16 as Vector>::LANES, 16);
        assert_eq!(bytes_of(half)[..16], [7; 16]);
    }

    fn splat<V>(token) {
        for byte in 0..=255 {
            assert_eq!(
                bytes_of(V::splat(token, black_box(byte)))[..V::LANES],
                [byte; 64][..V::LANES]
            );
        }
    }

    fn load_at_any_offset<V>(token) {
        let bytes: Vec<u8> = (0..200_u8).map(|i| i.wrapping_mul(151)).collect();
        for from in 0..64 {
            let bytes = &black_box(&bytes)[from..];
            for at in 0..bytes.len() - V::LANES {
                let got = bytes_of(V::load(token, bytes, at));
                assert_eq!(got[..V::LANES], bytes[at..at + V::LANES]);
                let loaded_from_suffix = V::load(token, V::suffix(bytes, at), 0);
                assert_eq!(bytes_of(loaded_from_suffix), got);
            }
        }
        for len in 0..V::LANES + 3 {
            let bytes = &black_box(&bytes)[..len];
            let last = len.saturating_sub(V::LANES);
            for at in [0, last, last + 1, len, len + 1, 1 << 20, usize::MAX] {
                let fits = at <= len && len - at >= V::LANES;
                let load_panics = panics(|| {
                    V::load(token, bytes, at);
                });
                assert!(
                    !(fits && cfg!(panic = "unwind") && load_panics) && (fits || load_panics),
                    "{len} bytes, at {at}"
                );
                let suffix_panics = panics(|| {
                    V::suffix(bytes, at);
                });
                assert!(at <= len || suffix_panics, "{len} bytes, at {at}");
            }
        }
    }

    fn delay_loads<V>(token) {
        let bytes = [1, 2, 3];
        let same = V::splat(token, 1).delay_loads(&bytes);
        assert_eq!((same.as_ptr(), same.len()), (bytes.as_ptr(), bytes.len()));
    }

    fn from_words<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let words: [u64; 4] = core::array::from_fn(|_| random.bits());
            let mut want = [0; 64];
            for (to, word) in want[..V::LANES].chunks_exact_mut(8).zip(words) {
                to.copy_from_slice(&word.to_le_bytes());
            }
            assert_same::<V>("from_words", &bytes_of(V::from_words(token, words)), &want, &[]);
        }
    }

    fn shift_in_zeros<V>(token) {
        for bytes in &inputs::<u8>(V::LANES) {
            let vector: V = load(token, bytes);
            let shifted = [
                vector.shift_in_zeros::<1>(),
                vector.shift_in_zeros::<2>(),
                vector.shift_in_zeros::<3>(),
            ];
            for (i, shifted) in shifted.into_iter().enumerate() {
                let mut want = [0; 64];
                want[i + 1..V::LANES].copy_from_slice(&bytes[..V::LANES - i - 1]);
                assert_same::<V>("shift_in_zeros", &bytes_of(shifted), &want, &[bytes]);
            }
        }
    }

    fn shift_in_last<V>(token) {
        for [bytes, before] in &input_pairs::<u8>(V::LANES) {
            let (vector, earlier): (V, V) = (load(token, bytes), load(token, before));
            let shifted = [
                vector.shift_in_last::<1>(earlier),
                vector.shift_in_last::<2>(earlier),
                vector.shift_in_last::<3>(earlier),
            ];
            for (i, shifted) in shifted.into_iter().enumerate() {
                let mut want = [0; 64];
                want[..=i].copy_from_slice(&before[V::LANES - i - 1..V::LANES]);
                want[i + 1..V::LANES].copy_from_slice(&bytes[..V::LANES - i - 1]);
                assert_same::<V>("shift_in_last", &bytes_of(shifted), &want, &[bytes, before]);
            }
        }
    }

    fn lookup16<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let table = *random.vector::<u8>().first_chunk::<16>().expect("16 bytes");
            let index = random.vector::<u8>().map(|byte| byte & 0x0F);
            let got = load::<V>(token, &index).lookup16(V::table(token, black_box(&table)));
            let want = index.map(|index| table[usize::from(index)]);
            assert_same::<V>("lookup16", &bytes_of(got)[..V::LANES], &want[..V::LANES], &[&index]);
        }
    }

    #[cfg(feature = "code-pages")]
    fn lookup128<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let mut table = [0; 128];
            table[..64].copy_from_slice(&random.vector::<u8>());
            table[64..].copy_from_slice(&random.vector::<u8>());
            let index = random.vector::<u8>();
            let got = load::<V>(token, &index).lookup128(token, black_box(&table));
            let want = index.map(|index| table.get(usize::from(index)).copied().unwrap_or(0));
            assert_same::<V>("lookup128", &bytes_of(got)[..V::LANES], &want[..V::LANES], &[&index]);
        }
    }

    fn arithmetic_of_bytes<V>(token) {
        check_binary::<V, u8>(token, "and", V::and, |a, b| a & b);
        check_binary::<V, u8>(token, "or", V::or, |a, b| a | b);
        check_binary::<V, u8>(token, "xor", V::xor, |a, b| a ^ b);
        check_binary::<V, u8>(token, "add", V::add, u8::wrapping_add);
        check_binary::<V, u8>(token, "wrapping_sub", V::wrapping_sub, u8::wrapping_sub);
        check_binary::<V, u8>(token, "saturating_sub", V::saturating_sub, u8::saturating_sub);
        check_binary::<V, u8>(token, "min", V::min, u8::min);
        check_binary::<V, u8>(token, "max", V::max, u8::max);
        check_unary::<V, u8>(token, "high_nibble", V::high_nibble, |a| a >> 4);
    }

    fn masks_of_bytes<V>(token) {
        for [a, b] in &input_pairs::<u8>(V::LANES) {
            let got = checked_bits::<V>("equal", load::<V>(token, a).equal(load(token, b)));
            assert_eq!(got, bits_by_model(V::LANES, |i| a[i] == b[i]), "equal {a:02x?} {b:02x?}");
        }
        for a in &inputs::<u8>(V::LANES) {
            let vector: V = load(token, a);
            let got = checked_bits::<V>("high_bit_mask", vector.high_bit_mask());
            let only = bytes_of(vector.only(vector.high_bit_mask()));
            for (&byte, only) in a.iter().zip(only).take(V::LANES) {
                assert_eq!(only, if byte < 0x80 { 0 } else { byte }, "only");
            }
            assert_eq!(got, bits_by_model(V::LANES, |i| a[i] >= 0x80), "high {a:02x?}");
            let got = checked_bits::<V>("continuation", vector.continuation());
            let want = bits_by_model(V::LANES, |i| a[i] & 0xC0 == 0x80);
            assert_eq!(got, want, "continuation {a:02x?}");
        }
    }

    fn continuation_marks<V>(token) {
        for a in &inputs::<u8>(V::LANES) {
            let marks = bytes_of(load::<V>(token, a).continuation_marks(token));
            for i in 0..V::LANES {
                assert_eq!(marks[i] >= 0x80, a[i] & 0xC0 == 0x80, "lane {i} of {a:02x?}");
            }
        }
    }

    fn max_interleaved<V>(token) {
        for [a, b] in &input_pairs::<u8>(V::LANES) {
            let (first, second): (V, V) = (load(token, a), load(token, b));
            let results = [
                (1, first.max_interleaved::<1>(second)),
                (2, first.max_interleaved::<2>(second)),
                (4, first.max_interleaved::<4>(second)),
            ];
            for (turn_len, got) in results {
                let mut want = [0; 64];
                for (i, lane) in want[..V::LANES].iter_mut().enumerate() {
                    let part = i / 16 * 16;
                    let (turn, index_in_turn) = (i % 16 / turn_len, i % turn_len);
                    let from = if turn % 2 == 0 { a } else { b };
                    let at = part + turn / 2 * turn_len + index_in_turn;
                    *lane = from[at].max(from[at + 8]);
                }
                assert_same::<V>("max_interleaved", &bytes_of(got), &want, &[a, b]);
            }
        }
    }

    fn bits_of_several_masks<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let bytes: Vec<u8> = (0..64).map(|_| random.bits() as u8).collect();
            let mut masks = [V::splat(token, 0).high_bit_mask(); 4];
            for (k, bytes) in bytes.chunks_exact(V::LANES).enumerate() {
                masks[k] = load::<V>(token, bytes).high_bit_mask();
            }
            let want = bits_by_model(64, |i| bytes[i] >= 0x80);
            assert_eq!(V::bits(&masks[..64 / V::LANES]), want);
            if V::LANES < 64 {
                assert_eq!(V::bits(&masks[..32 / V::LANES]), want & u64::from(u32::MAX));
            }
        }
    }

    fn any_and_any_high<V>(token) {
        for a in &inputs::<u8>(V::LANES) {
            let (vector, lanes): (V, _) = (load(token, a), &a[..V::LANES]);
            assert_eq!(vector.any(), lanes.iter().any(|&lane| lane != 0), "any {a:02x?}");
            assert_eq!(
                vector.any_high_bit(),
                lanes.iter().any(|&lane| lane >= 0x80),
                "any_high_bit {a:02x?}"
            );
        }
        for bit in 0..8 {
            for i in 0..V::LANES {
                let mut bytes = [0; 64];
                bytes[i] = 1 << bit;
                assert!(load::<V>(token, &bytes).any(), "lane {i}, bit {bit}");
            }
        }
    }

    fn comparisons_with_a_least_value<V>(token) {
        for [a, b] in &input_pairs::<u8>(V::LANES) {
            let (vector, least): (V, _) = (load(token, a), black_box(b[0] | 0x80));
            let want = bits_by_model(V::LANES, |i| a[i] >= least);
            let got = vector.any_at_least(token, least);
            assert_eq!(got, want != 0, "any_at_least {least:#x}: {a:02x?}");
            let got = checked_bits::<V>("at_least", vector.at_least(token, least));
            assert_eq!(got, want, "at_least {least:#x}: {a:02x?}");
            // Any lanes, and lanes of 0 to 3, because lanes of 0 and 1 matter most.
            for values in [*b, b.map(|lane| lane & 3)] {
                let vector_of_values: V = load(token, &values);
                let marks = vector.mark_at_least(token, black_box(least));
                let got = bytes_of(vector_of_values.decrement_marked(token, marks));
                let mut want = values;
                for i in 0..V::LANES {
                    match (a[i] >= least, values[i] % 2) {
                        (true, 1) => want[i] -= 1,
                        // Any value except 0.
                        (true, _) if got[i] != 0 => want[i] = got[i],
                        (true, _) => want[i] = 1,
                        (false, _) => {}
                    }
                }
                want[V::LANES..].fill(0);
                assert_same::<V>("decrement_marked", &got, &want, &[a, &values]);
            }
        }
    }

    fn sum<V>(token) {
        let random = Random::new();
        for n in 0..=16 {
            for round in 0..round_count() / 16 {
                let mut vectors = Vec::new();
                let mut want = 0;
                for _ in 0..n {
                    let bytes = if round == 0 { [0xFF; 64] } else { random.vector::<u8>() };
                    want += bytes[..V::LANES].iter().map(|&byte| u32::from(byte)).sum::<u32>();
                    vectors.push(load::<V>(token, &bytes));
                }
                assert_eq!(V::sum(&vectors), want);
            }
        }
    }

    fn kept<V>(_token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let edges = [random.bits(), u64::MAX, 0, 1 << 63, 0xFF, 1 << 31, 1 << 32];
            let keep = random.one_of(&edges);
            let keep = black_box(keep & random.one_of(&[u64::MAX, random.bits()]));
            let count = keep.count_ones() as usize;
            assert_eq!(V::kept(keep), count);
            for size in [1, 2, 4] {
                assert_eq!(V::kept_units(keep, size), count);
            }
            for group in 0..8 {
                let before = keep & ((1 << (8 * group)) - 1);
                assert_eq!(V::kept_before(keep, group), before.count_ones() as usize);
            }
        }
    }

    fn compress<V>(token) {
        let random = Random::new();
        let check = |bytes: &[u8; 64], row: &ShuffleRow| {
            let units = load::<V>(token, bytes).eight_lanes(0);
            let got = bytes_of_units::<V>(V::compress(units, black_box(row)));
            let want = row.0.map(|from| if from < 16 { bytes[usize::from(from)] } else { 0 });
            assert_eq!(got, want, "row {:?} of {bytes:02x?}", row.0);
        };
        let rows = [Little::compress16(), Big::compress16(), utf8_narrow(), utf8_wide()];
        for row in rows.into_iter().flatten() {
            check(&random.vector::<u8>(), row);
        }
        for _ in 0..round_count() {
            let row = *random.vector::<u8>().first_chunk::<16>().expect("16 bytes");
            let row = row.map(|from| if from < 0x80 { from & 0x0F } else { from });
            check(&random.vector::<u8>(), &ShuffleRow(row));
        }
    }

    fn code_units<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let middle = random.vector::<u8>();
            let high = random.vector::<u8>().map(|byte| byte & 0x1F);
            let mut low = random.vector::<u8>();
            for (low, middle) in low.iter_mut().zip(middle) {
                *low &= if middle == 0 { 0x7F } else { 0x3F };
            }
            let [l, m, h] = [low, middle, high].map(|bytes| load::<V>(token, &bytes));
            let got = units_of_wide::<V>(V::code_units(l, m, h));
            for (i, got) in got.into_iter().enumerate() {
                assert_eq!(
                    got,
                    expected_code_unit(low[i], middle[i], high[i]),
                    "{:#x} {:#x} {:#x}",
                    low[i],
                    middle[i],
                    high[i]
                );
            }
        }
    }

    fn code_units_and_surrogates<V>(token) {
        let random = Random::new();
        for _ in 0..round_count() {
            let middle = random.vector::<u8>();
            let mut high = random.vector::<u8>().map(|byte| byte & 0x1F);
            let mut low = random.vector::<u8>();
            let (mut third, mut last) = ([0; 64], [0; 64]);
            for i in 0..64 {
                low[i] &= if middle[i] == 0 { 0x7F } else { 0x3F };
                // `high` is below 0x18, because a byte of 0xF8 or above is not a lead byte.
                if high[i] >= 0x18 {
                    high[i] &= 0x17;
                }
                if random.below(3) == 0 {
                    (last[i], high[i]) = (0xFF, 0);
                }
                third[i] = mask_lane(high[i] >= 0x10);
            }
            let [l, m, h, t, d] =
                [low, middle, high, third, last].map(|bytes| load::<V>(token, &bytes));
            let got = units_of_wide::<V>(V::code_units_and_surrogates(l, m, h, t, d));
            for (i, got) in got.into_iter().enumerate() {
                let mut want = expected_code_unit(low[i], middle[i], high[i]);
                if high[i] >= 0x10 {
                    want = (want >> 4).wrapping_add(0xD7C0);
                }
                if last[i] == 0xFF {
                    want |= 0xDC00;
                }
                assert_eq!(
                    got,
                    want,
                    "{:#x} {:#x} {:#x} {:#x}",
                    low[i],
                    middle[i],
                    high[i],
                    last[i]
                );
            }
        }
    }
}

/// Returns a lane of [`Vector::code_units`].
fn expected_code_unit(low: u8, middle: u8, high: u8) -> u16 {
    u16::from(low) | u16::from(middle & 0x3F) << 6 | u16::from(high) << 12
}
