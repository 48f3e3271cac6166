//! 16-bit lanes on AVX-512.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

#[cfg(feature = "code-pages")]
use crate::arch::avx512::permute::INTERLEAVING_INDICES;
use crate::arch::avx512::permute::{
    Index, WORDS_AFTER_PACKING, WORDS_FOR_INTERLEAVING, compress8, permute_two, permute_words,
};
use crate::arch::avx512::{
    Avx512, U8x64, quarter, write_16_bytes, write_32_bytes, write_64_bytes, write_up_to_64_bytes,
};
use crate::arch::lanes16::Lanes16;
use crate::arch::vector::Vector;
use crate::tables::{Lanes, Order};

/// Returns the indices that gather 64 bytes from the 16-bit lanes of two vectors: for each lane,
/// the low byte of the second vector, then the high and the low byte of the first vector. With
/// `SIZE` 4, an unused byte follows these three. `from` is the output offset of the first of the 64
/// bytes. The bytes of the second vector have the indices from 64 on.
const fn gather_indices<const SIZE: usize>(from: usize) -> Index<u8, 64> {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        let lane = (from + i) / SIZE % 32;
        index[i] = match (from + i) % SIZE {
            0 => 64 + 2 * lane as u8,
            1 => 2 * lane as u8 + 1,
            _ => 2 * lane as u8,
        };
        i += 1;
    }
    Index(index)
}

/// The indices of the first and of the second 64 bytes of the output, three bytes for each lane.
static GATHER_THREE: [Index<u8, 64>; 2] = [gather_indices::<3>(0), gather_indices::<3>(64)];
/// The same indices for four bytes for each lane.
static GATHER_FOUR: [Index<u8, 64>; 2] = [gather_indices::<4>(0), gather_indices::<4>(64)];

/// The indices of the lower bytes of the 16-bit lanes of two vectors.
static LOWER_BYTES: Index<u8, 64> = Index({
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        index[i] = 2 * i as u8;
        i += 1;
    }
    index
});

/// The lower bit of every two bits.
const EVEN_BITS: u64 = u64::MAX / 3;

/// Like [`write_32_bytes`], but drops the bytes after the end of `dst`, as [`write_up_to_64_bytes`]
/// does.
#[inline(always)]
fn write_up_to_32_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m256i) {
    if dst.len() >= at + 32 {
        write_32_bytes(dst, at, vector);
    } else if let Some(to @ [_, ..]) = dst.get_mut(at..) {
        let lanes = U8x64::first_bits(to.len()) as u32;
        // SAFETY: the mask has a lane for each byte of `to`, which has fewer than 32 bytes.
        unsafe { _mm256_mask_storeu_epi8(to.as_mut_ptr().cast(), lanes, vector) };
    }
}

/// For each of 32 16-bit lanes, two shifts within its group of four lanes (64 bits). They extract
/// the eight bits of the lane from bit 6 on, and its eight bits from bit 0 on.
static LEAD_AND_LAST: Index<u8, 64> = Index({
    let mut shifts = [0; 64];
    let mut i = 0;
    while i < 32 {
        shifts[2 * i] = i as u8 % 4 * 16 + 6;
        shifts[2 * i + 1] = i as u8 % 4 * 16;
        i += 1;
    }
    shifts
});

/// Implements
/// [`MaskedOps::write_below_0x800`](crate::arch::optional::MaskedOps::write_below_0x800).
#[inline(always)]
pub(super) fn write_below_0x800(units: U8x64, dst: &mut [MaybeUninit<u8>]) -> usize {
    // SAFETY: an `Index` has 64 bytes, aligned to 64; `units` was made from an `Avx512` token.
    let shifts = unsafe { _mm512_load_si512(LEAD_AND_LAST.0.as_ptr().cast()) };
    let splat16 = |unit: i16| op!(_mm512_set1_epi16(unit));
    let bytes = op!(_mm512_multishift_epi64_epi8(shifts, units.0));
    let is_two_byte = op!(_mm512_cmpgt_epi16_mask(units.0, splat16(0x7F)));
    // 110yyyyy 10xxxxxx.
    let tagged = op!(_mm512_and_si512(bytes, splat16(0x3F1F)));
    let tagged = op!(_mm512_or_si512(tagged, splat16(0x80C0_u16.cast_signed())));
    let bytes = op!(_mm512_mask_mov_epi16(bytes, is_two_byte, tagged));
    // The first byte of an ASCII unit is 0 or 1 and is dropped: `splat16(2)` compares first bytes
    // with 2. It compares second bytes with 0, so all of them are kept.
    let keep = op!(_mm512_cmpge_epu8_mask(bytes, splat16(2)));
    write_up_to_64_bytes(dst, 0, compress8(bytes, keep));
    32 + is_two_byte.count_ones() as usize
}

/// Moves bit `i` of `bits` to the position of the `i`-th set bit of `mask`, counted from 0. The
/// vector proves that the instruction may run.
#[inline(always)]
pub(super) fn spread(_: U8x64, bits: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        op!(_pdep_u64(bits, mask))
    }
    #[cfg(target_arch = "x86")]
    {
        let low = mask as u32;
        let (first, second) = (bits as u32, (bits >> low.count_ones()) as u32);
        let high = op!(_pdep_u32(second, (mask >> 32) as u32));
        u64::from(op!(_pdep_u32(first, low))) | u64::from(high) << 32
    }
}

impl Lanes16 for U8x64 {
    const STORE_BYTES: usize = 64;
    const WIDE_STORE_CAPACITY: usize = 128;

    #[inline(always)]
    fn splat16(_: Avx512, unit: u16) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm512_set1_epi16(unit.cast_signed()) })
    }

    #[inline(always)]
    fn swap_bytes16_if_big<O: Order>(self) -> Self {
        if O::BIG { Self(op!(_mm512_shldi_epi16::<8>(self.0, self.0))) } else { self }
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        Self(op!(_mm512_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        Self(op!(_mm512_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn shl16<const BY: i32>(self) -> Self {
        // The intrinsic for a constant count takes an unsigned constant, and `BY` is signed. The
        // compiler still sees that this count is constant.
        Self(op!(_mm512_sll_epi16(self.0, _mm_cvtsi32_si128(BY))))
    }

    #[inline(always)]
    fn shr16<const BY: i32>(self) -> Self {
        Self(op!(_mm512_srl_epi16(self.0, _mm_cvtsi32_si128(BY))))
    }

    #[inline(always)]
    fn equal16(self, other: Self) -> Self {
        Self(op!(_mm512_movm_epi16(_mm512_cmpeq_epi16_mask(self.0, other.0))))
    }

    #[inline(always)]
    fn above16_signed(self, other: Self) -> Self {
        Self(op!(_mm512_movm_epi16(_mm512_cmpgt_epi16_mask(self.0, other.0))))
    }

    #[inline(always)]
    fn min16_signed(self, other: Self) -> Self {
        Self(op!(_mm512_min_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn any_below16_signed(self, other: Self) -> bool {
        op!(_mm512_cmplt_epi16_mask(self.0, other.0) != 0)
    }

    // A lane is marked by the value 0, which it gets if its bits in `mask` equal `value`. A
    // comparison would give a mask, and Zen 5 executes only one such comparison per cycle.
    #[inline(always)]
    fn marked16(self, mask: Self, value: Self) -> Self {
        Self(op!(_mm512_xor_si512(_mm512_and_si512(self.0, mask.0), value.0)))
    }

    #[inline(always)]
    fn either_marked16(self, other: Self) -> Self {
        Self(op!(_mm512_min_epu16(self.0, other.0)))
    }

    #[inline(always)]
    fn any_marked16(self) -> bool {
        op!(_mm512_testn_epi16_mask(self.0, self.0) != 0)
    }

    #[inline(always)]
    fn any_without16(self, mask: Self) -> bool {
        op!(_mm512_testn_epi16_mask(self.0, mask.0) != 0)
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self(op!(_mm512_ternarylogic_epi32::<0xCA>(self.0, yes.0, no.0)))
    }

    #[inline(always)]
    fn picked(self, row: Self) -> Self {
        Self(op!(_mm512_shuffle_epi8(self.0, row.0)))
    }

    #[inline(always)]
    fn row8(_: Avx512, row: &'static Lanes) -> Self {
        // SAFETY: an `Index` has 64 bytes, aligned to 64; the token proves the features.
        let lower = unsafe { _mm512_load_si512(LOWER_BYTES.0.as_ptr().cast()) };
        Self(op!(_mm512_add_epi8(lower, _mm512_set1_epi8(row[0].cast_signed()))))
    }

    #[inline(always)]
    fn packed8(first: Self, second: Self, row: Self) -> Self {
        Self(op!(_mm512_permutex2var_epi8(first.0, row.0, second.0)))
    }

    #[inline(always)]
    fn narrow(first: Self, second: Self) -> Self {
        Self(permute_words(op!(_mm512_packus_epi16(first.0, second.0)), &WORDS_AFTER_PACKING))
    }

    #[inline(always)]
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_up_to_32_bytes(dst, at, op!(_mm512_cvtepi16_epi8(self.0)));
    }

    #[inline(always)]
    fn store_widened16_to_32_bits(
        self,
        rows: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        let units = Self(permute_words(self.0, &WORDS_FOR_INTERLEAVING));
        write_64_bytes(dst, 4 * unit_at, units.picked(rows[0]).0);
        write_64_bytes(dst, 4 * unit_at + 64, units.picked(rows[1]).0);
    }

    #[inline(always)]
    fn bits16(first: Self, second: Self) -> u64 {
        let high = u64::from(op!(_mm512_movepi16_mask(second.0)));
        u64::from(op!(_mm512_movepi16_mask(first.0))) | high << 32
    }

    #[inline(always)]
    fn bits8(self) -> u64 {
        op!(_mm512_movepi8_mask(self.0))
    }

    #[inline(always)]
    fn paired(self, high: Self) -> (Self, Self) {
        (self, high)
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn interleaved(self, high: Self) -> [Self; 2] {
        let first = permute_two(self.0, high.0, &INTERLEAVING_INDICES[0]);
        [Self(first), Self(permute_two(self.0, high.0, &INTERLEAVING_INDICES[1]))]
    }

    #[inline(always)]
    fn eight_lanes(self, group: usize) -> __m128i {
        quarter(self.0, group)
    }

    #[inline(always)]
    fn write_vector(units: __m128i, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, units);
    }

    #[inline(always)]
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_64_bytes(dst, at, permute_two(bytes.0, lead.0, &GATHER_THREE[0]));
        let last_bytes = permute_two(bytes.0, lead.0, &GATHER_THREE[1]);
        write_32_bytes(dst, at + 64, op!(_mm512_castsi512_si256(last_bytes)));
    }

    fn write_up_to_two_bytes(_: [Self; 2], _: [Self; 2], _: &mut [MaybeUninit<u8>]) -> usize {
        unreachable!("`MaskedOps::write_below_0x800` is called instead");
    }

    fn joined16(_: Self, _: Self) -> Self::Wide {
        unreachable!("`write_up_to_three_bytes` gathers the bytes instead");
    }

    #[inline(always)]
    fn write_up_to_three_bytes(
        bytes: Self,
        lead: Self,
        length_bits: u64,
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        // `length_bits` has two bits for each lane. Of the four bytes of a lane, the first is kept
        // if the upper bit is set, the second if the lower bit is set, the third always, and the
        // fourth never.
        const EVERY_FOURTH_BIT: u64 = u64::MAX / 15;
        let swapped = (length_bits & EVEN_BITS) << 1 | length_bits >> 1 & EVEN_BITS;
        let first_half = swapped & u64::from(u32::MAX);
        let keep = [
            spread(bytes, first_half, 3 * EVERY_FOURTH_BIT) | EVERY_FOURTH_BIT << 2,
            spread(bytes, swapped >> 32, 3 * EVERY_FOURTH_BIT) | EVERY_FOURTH_BIT << 2,
        ];
        write_up_to_64_bytes(
            dst,
            0,
            compress8(permute_two(bytes.0, lead.0, &GATHER_FOUR[0]), keep[0]),
        );
        let offset = 16 + first_half.count_ones() as usize;
        write_up_to_64_bytes(
            dst,
            offset,
            compress8(permute_two(bytes.0, lead.0, &GATHER_FOUR[1]), keep[1]),
        );
        32 + length_bits.count_ones() as usize
    }
}
