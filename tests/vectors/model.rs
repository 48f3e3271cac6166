//! Access to the lanes of byte arrays, test inputs, and the loops that compare an operation with
//! its model.

use core::any::type_name;
use core::cell::Cell;
use core::fmt::Debug;
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::Range;
use std::vec::Vec;
use std::{env, vec};

use crate::arch::vector::Vector;
use crate::encoding::view;

/// The bytes of the largest vector. A smaller vector uses the first bytes.
pub(super) type Bytes = [u8; 64];

/// A lane of 8, 16 or 32 bits.
pub(super) trait Lane: Copy + PartialEq + Debug + Default + 'static {
    /// The size of the lane in bytes.
    const SIZE: usize;

    /// The values at which the result of some operation changes.
    const EDGES: &'static [Self];

    /// Returns lane `i` of a vector.
    fn get(bytes: &[u8], i: usize) -> Self;

    /// Sets lane `i` of a vector to this value.
    fn set(self, bytes: &mut [u8], i: usize);

    /// Returns a lane with the lowest bits of `bits`.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! lane {
    ($lane:ty, $size:literal, [$($edge:literal)*]) => {
        impl Lane for $lane {
            const SIZE: usize = $size;
            const EDGES: &'static [Self] = &[$($edge),*];

            fn get(bytes: &[u8], i: usize) -> Self {
                Self::from_le_bytes(*bytes[$size * i..].first_chunk().expect("lane `i` exists"))
            }

            fn set(self, bytes: &mut [u8], i: usize) {
                bytes[$size * i..$size * (i + 1)].copy_from_slice(&self.to_le_bytes());
            }

            fn from_bits(bits: u64) -> Self {
                bits as $lane
            }
        }
    };
}

lane!(u8, 1, [
    0x00 0x01 0x0A 0x0F 0x10 0x3F 0x40 0x7F 0x80 0x81 0x8F 0x90 0x9F 0xA0 0xBF 0xC0 0xC1 0xC2 0xDF
    0xE0 0xED 0xEF 0xF0 0xF4 0xF5 0xF8 0xFE 0xFF
]);
lane!(u16, 2, [
    0x0000 0x0001 0x007F 0x0080 0x00FF 0x0100 0x07FF 0x0800 0x7F00 0x7FFF 0x8000 0x8001 0xD7FF
    0xD800 0xDBFF 0xDC00 0xDFFF 0xE000 0xFF00 0xFFFE 0xFFFF
]);
lane!(u32, 4, [
    0x0000_0000 0x0000_0001 0x0000_007F 0x0000_0080 0x0000_00FF 0x0000_0100 0x0000_07FF 0x0000_0800
    0x0000_7FFF 0x0000_8000 0x0000_D7FF 0x0000_D800 0x0000_DBFF 0x0000_DC00 0x0000_DFFF 0x0000_E000
    0x0000_FFFF 0x0001_0000 0x0001_0001 0x000F_FFFF 0x0010_FFFF 0x0011_0000 0x7FFF_FFFF 0x8000_0000
    0x8000_0001 0xFFFF_0000 0xFFFF_FFFE 0xFFFF_FFFF
]);

/// A small generator of pseudo-random numbers (xorshift64*). Every generator gives the same
/// numbers.
pub(super) struct Random(Cell<u64>);

impl Random {
    pub(super) fn new() -> Self {
        Self(Cell::new(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns 64 pseudo-random bits.
    pub(super) fn bits(&self) -> u64 {
        let mut bits = self.0.get();
        bits ^= bits >> 12;
        bits ^= bits << 25;
        bits ^= bits >> 27;
        self.0.set(bits);
        bits.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `end`.
    pub(super) fn below(&self, end: usize) -> usize {
        (self.bits() >> 33) as usize % end
    }

    /// Returns a random element of `list`.
    pub(super) fn one_of<T: Copy>(&self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Returns 64 bytes of lanes: random values, edges, or a mixture of both.
    pub(super) fn vector<T: Lane>(&self) -> Bytes {
        let mut bytes = [0; 64];
        let mixture = self.below(3);
        for i in 0..64 / T::SIZE {
            let is_edge = mixture == 0 || mixture == 1 && self.below(2) == 0;
            let lane =
                if is_edge { self.one_of(T::EDGES) } else { T::from_bits(self.bits() >> 16) };
            lane.set(&mut bytes, i);
        }
        bytes
    }
}

/// Returns the number of random inputs of each operation. For emulated processors, which are slow,
/// the environment variable `UTFLANE_TEST_SHARE=N` divides this number by N.
pub(super) fn round_count() -> usize {
    let divisor = env::var("UTFLANE_TEST_SHARE").ok().and_then(|share| share.parse().ok());
    (3000 / divisor.unwrap_or(1).max(1)).max(100)
}

/// Returns the inputs of an operation that takes one vector: each edge in each lane, with all other
/// bits zero or all other bits one, and random vectors.
pub(super) fn inputs<T: Lane>(lanes: usize) -> Vec<Bytes> {
    let mut inputs = Vec::new();
    for fill in [0x00, 0xFF] {
        for &edge in T::EDGES {
            for i in 0..lanes {
                let mut bytes = [fill; 64];
                edge.set(&mut bytes, i);
                inputs.push(bytes);
            }
        }
    }
    let random = Random::new();
    for _ in 0..round_count() {
        inputs.push(random.vector::<T>());
    }
    inputs
}

/// Returns the inputs of an operation that takes two vectors: all pairs of edges, each pair in one
/// lane, and random vectors.
pub(super) fn input_pairs<T: Lane>(lanes: usize) -> Vec<[Bytes; 2]> {
    let mut inputs = Vec::new();
    let random = Random::new();
    for &first in T::EDGES {
        for &second in T::EDGES {
            let i = random.below(lanes);
            for fill in [0x00, 0xFF] {
                let (mut a, mut b) = ([fill; 64], [fill; 64]);
                first.set(&mut a, i);
                second.set(&mut b, i);
                inputs.push([a, b]);
            }
        }
    }
    for _ in 0..round_count() {
        inputs.push([random.vector::<T>(), random.vector::<T>()]);
    }
    inputs
}

/// Loads a vector of these bytes. The compiler can't know their values.
#[inline(always)]
pub(super) fn load<V: Vector>(token: V::Token, bytes: &[u8]) -> V {
    V::load(token, black_box(bytes), 0)
}

/// Returns the bytes of a vector, with zeros after them up to 64 bytes.
#[inline(always)]
pub(super) fn bytes_of<V: Vector>(vector: V) -> Bytes {
    let mut bytes = [0; 64];
    bytes[..V::LANES].copy_from_slice(&output_after(V::LANES, |dst| vector.store_bytes(dst, 0)));
    bytes
}

/// Returns the 16 bytes of eight 16-bit lanes.
#[inline(always)]
pub(super) fn bytes_of_units<V: Vector>(units: V::Units) -> Vec<u8> {
    output_after(16, |dst| V::store(units, dst, 0))
}

/// Returns all 16-bit lanes of `wide`, as many as a vector has bytes.
#[inline(always)]
pub(super) fn units_of_wide<V: Vector>(wide: V::Wide) -> Vec<u16> {
    let mut bytes = Vec::new();
    for group in 0..V::LANES / 8 {
        bytes.extend_from_slice(&bytes_of_units::<V>(V::group(wide, group)));
    }
    units(&bytes)
}

/// Returns bytes as 16-bit lanes.
pub(super) fn units(bytes: &[u8]) -> Vec<u16> {
    (0..bytes.len() / 2).map(|i| u16::get(bytes, i)).collect()
}

/// Returns the bytes of units, low byte first, or high byte first if `big`.
pub(super) fn encode_units(units: &[u16], big: bool) -> Vec<u8> {
    let order = |&unit: &u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    units.iter().flat_map(order).collect()
}

/// Returns the byte that index `at` of an output has before a store.
fn guard_byte(at: usize) -> u8 {
    (at as u8).wrapping_mul(37) ^ 0x5A
}

/// Returns the bytes at these indices of an output before a store.
pub(super) fn guards(indices: Range<usize>) -> Vec<u8> {
    indices.map(guard_byte).collect()
}

/// Returns an output of `len` bytes, filled with [`guard_byte`]s, after `store` has written to it.
#[inline(always)]
pub(super) fn output_after(len: usize, store: impl FnOnce(&mut [MaybeUninit<u8>])) -> Vec<u8> {
    let mut dst = guards(0..len);
    // SAFETY: `store` writes only bytes of lanes, which are all initialised.
    store(unsafe { view::uninit_mut(&mut dst) });
    black_box(dst)
}

/// Checks that lane `i` of the result of `operation` is `model` of lane `i` of its input.
#[inline(always)]
pub(super) fn check_unary<V: Vector, T: Lane>(
    token: V::Token,
    name: &str,
    operation: impl Fn(V) -> V,
    model: impl Fn(T) -> T,
) {
    let lanes = V::LANES / T::SIZE;
    for bytes in &inputs::<T>(lanes) {
        let got = bytes_of(operation(load(token, bytes)));
        let mut want = [0; 64];
        for i in 0..lanes {
            model(T::get(bytes, i)).set(&mut want, i);
        }
        assert_same::<V>(name, &got, &want, &[bytes]);
    }
}

/// Like [`check_unary`], for an operation that takes two vectors.
#[inline(always)]
pub(super) fn check_binary<V: Vector, T: Lane>(
    token: V::Token,
    name: &str,
    operation: impl Fn(V, V) -> V,
    model: impl Fn(T, T) -> T,
) {
    let lanes = V::LANES / T::SIZE;
    for [a, b] in &input_pairs::<T>(lanes) {
        let got = bytes_of(operation(load(token, a), load(token, b)));
        let mut want = [0; 64];
        for i in 0..lanes {
            model(T::get(a, i), T::get(b, i)).set(&mut want, i);
        }
        assert_same::<V>(name, &got, &want, &[a, b]);
    }
}

/// Asserts that `got` equals `want`. A failure shows the name of the operation and `inputs`.
#[track_caller]
pub(super) fn assert_same<V>(name: &str, got: &[u8], want: &[u8], inputs: &[&Bytes]) {
    if got != want {
        fail(type_name::<V>(), name, got, want, inputs);
    }
}

/// Not generic, so that the message is compiled once.
#[track_caller]
fn fail(vector: &str, name: &str, got: &[u8], want: &[u8], inputs: &[&Bytes]) -> ! {
    panic!("{vector} {name}\n   got {got:02x?}\n  want {want:02x?}\ninputs {inputs:02x?}")
}

/// Returns a lane of a mask: all bits are set if `is_set`, else none.
pub(super) fn mask_lane<T: Lane>(is_set: bool) -> T {
    T::from_bits(if is_set { u64::MAX } else { 0 })
}

/// The `slack` of a store that overwrites no bytes after its own.
pub(super) const NO_SLACK: usize = 0;

/// Checks a store that writes `want` at unit `at`; a unit has `size` bytes. The store may overwrite
/// `slack` bytes after `want`, and must not change any other byte of `dst`. The output is just long
/// enough, or longer.
#[inline(always)]
pub(super) fn check_store<V>(
    name: &str,
    size: usize,
    want: &[u8],
    slack: usize,
    store: impl Fn(&mut [MaybeUninit<u8>], usize),
) {
    for (at, extra) in [(0, 0), (1, 0), (0, 9), (3, 70)] {
        let (start, end) = (size * at, size * at + want.len() + slack);
        let got = output_after(end + extra, |dst| store(dst, at));
        let mut expected = guards(0..end + extra);
        expected[start..start + want.len()].copy_from_slice(want);
        expected[start + want.len()..end].copy_from_slice(&got[start + want.len()..end]);
        assert_same::<V>(name, &got, &expected, &[]);
    }
}

/// The `masked` of a store that panics if `dst` is too short.
pub(super) const UNMASKED: bool = false;

/// Checks a store of `want` if `dst` is too short. A `masked` store writes as many bytes as fit,
/// and any other store panics.
#[inline(always)]
pub(super) fn check_end<V>(
    name: &str,
    size: usize,
    want: &[u8],
    masked: bool,
    store: impl Fn(&mut [MaybeUninit<u8>], usize),
) {
    if masked {
        for len in 0..size + want.len() {
            let got = output_after(len, |dst| store(dst, 1));
            let mut expected = guards(0..len);
            let written = len.saturating_sub(size).min(want.len());
            expected[len.min(size)..][..written].copy_from_slice(&want[..written]);
            assert_same::<V>(name, &got, &expected, &[]);
        }
        return;
    }
    for (len, at) in [(size + want.len() - 1, 1), (want.len(), 1), (0, 0), (want.len(), 1 << 20)] {
        let mut dst = vec![MaybeUninit::uninit(); len];
        assert!(
            panics(|| store(&mut dst, at)),
            "{} {name}: {len} bytes, at unit {at}",
            type_name::<V>()
        );
    }
}

/// Returns true if `act` panics.
#[cfg(panic = "unwind")]
pub(super) fn panics(act: impl FnOnce()) -> bool {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(act)).is_err()
}

/// Returns true: without unwinding, a panic can't be observed.
#[cfg(not(panic = "unwind"))]
pub(super) fn panics(_: impl FnOnce()) -> bool {
    true
}
