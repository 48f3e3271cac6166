//! Conversions between UTF-8 and CESU-8, and between UTF-8 and Modified UTF-8, and the validation
//! of CESU-8 and Modified UTF-8.
//!
//! UTF-8 and these encodings differ only in supplementary characters and, for Modified UTF-8, in
//! NUL. Each such character is an *edit*:
//!
//! ```text
//!   UTF-8                                CESU-8
//!   11110uuu 10uuzzzz 10yyyyyy 10xxxxxx  ED 1010wwww 10zzzzyy  ED 1011yyyy 10xxxxxx
//!                                                    (first two y)      (last four y)
//!                                        with wwww = uuuuu - 1
//!   00 (Modified UTF-8 only)             C0 80
//! ```
//!
//! 1. Copy a whole block.
//! 2. Validate it by the [check of UTF-8](crate::generic::from_utf8::check). In a conversion from
//!    CESU-8, the errors that are surrogates or `0xC0 0x80` are the edits, and any other error ends
//!    the conversion. In a conversion into CESU-8, the edits are the lead bytes of four-byte
//!    characters, and NUL.
//! 3. If there are edits, make them in the order of the text, and copy the bytes between two edits
//!    again, to their final offset.
//! 4. Begin the next block at the end of the last complete character, so no edit depends on the
//!    block before it.
//! 5. After a block without edits, copy and validate pairs of blocks, until a pair has an edit or
//!    an error.
//!
//! A text or a tail that is shorter than a block is padded with ASCII. If the output of a block may
//! not fit, it is written to a bounce buffer first. The caller passes the rest of the text to the
//! scalar reference.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP, copy_short};
use crate::encoding::view;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::generic::from_utf8::error_tables::{OVERLONG_2, SURROGATE};
use crate::types::progress::Reach;

/// The number of bytes after a block that an edit, or a copy between two edits, may read.
const EDIT_LOOKAHEAD_BYTES: usize = COPY_STEP_BYTES;

/// The source bytes that are read to convert a block: the bytes before the block, the block, and
/// the bytes after it.
type Window = [u8; LOOKBEHIND_BYTES + STEP + EDIT_LOOKAHEAD_BYTES];

/// The part of the output that the conversion of a block may overwrite. Every byte may be a NUL,
/// which becomes two bytes, and a copy may write up to [`COPY_STEP_BYTES`] bytes too many.
type OutputBlock = [MaybeUninit<u8>; 2 * STEP + COPY_STEP_BYTES];

/// The byte that pads a text that is shorter than a window. It is the same character in all three
/// encodings.
const PADDING_BYTE: u8 = b'a';

/// The number of bytes that are copied at a time between two edits.
const COPY_STEP_BYTES: usize = 16;

/// Converts from CESU-8 to UTF-8 if `FROM_CESU8`, else from UTF-8 to CESU-8. If `modified`, the
/// encoding is Modified UTF-8 instead of CESU-8.
///
/// Stops at a character boundary, before a block that is ill-formed or whose output does not fit.
/// If `WRITE` is false, this function only validates, and `dst` is empty.
#[inline(always)]
pub(crate) fn convert<V: Vector, const FROM_CESU8: bool, const WRITE: bool>(
    modified: bool,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let editor = Editor::<V>::new(token, modified);
    let mut reach = Reach { read: 0, written: 0 };
    let mut unedited = false;
    while reach.read < src.len() {
        if unedited && let Some(window_start) = reach.read.checked_sub(LOOKBEHIND_BYTES) {
            let run_len = editor
                .copy_unedited_blocks::<WRITE>(&src[window_start..], &mut dst[reach.written..]);
            let written = if WRITE { run_len } else { 0 };
            reach = Reach { read: run_len, written }.after(reach.read, reach.written);
            if reach.read == src.len() {
                break;
            }
        }
        let rest = &src[reach.read..];
        let mut padded;
        let window =
            match reach.read.checked_sub(LOOKBEHIND_BYTES).and_then(|at| src[at..].first_chunk()) {
                Some(window) => window,
                None => {
                    padded = [PADDING_BYTE; size_of::<Window>()];
                    let text = &rest[..rest.len().min(STEP + EDIT_LOOKAHEAD_BYTES)];
                    copy_short(&mut padded[LOOKBEHIND_BYTES..LOOKBEHIND_BYTES + text.len()], text);
                    &padded
                }
            };
        let mut bounce = [MaybeUninit::uninit(); size_of::<OutputBlock>()];
        let (out, is_in_place) = match dst[reach.written..].first_chunk_mut() {
            Some(out) if WRITE => (out, true),
            _ => (&mut bounce, !WRITE),
        };
        let Some(Reach { read, written }) =
            editor.block::<FROM_CESU8, WRITE>(window, out, &mut unedited)
        else {
            break;
        };
        // The padding has been converted too, but is not part of the text.
        let excess = read.saturating_sub(rest.len());
        let step = Reach { read: read - excess, written: written - if WRITE { excess } else { 0 } };
        if !is_in_place {
            let out = dst.get_mut(reach.written..reach.written + step.written);
            let Some(out) = out else { break };
            copy_short(out, &bounce[..step.written]);
        }
        reach = step.after(reach.read, reach.written);
    }
    reach
}

/// The constants of a conversion, in registers.
struct Editor<V: Vector> {
    token: V::Token,
    checker: Utf8Checker<V>,
    /// The byte 0x00 in every lane for Modified UTF-8, or 0xFF, which is always ill-formed, for
    /// CESU-8. This is a vector to compare with instead of a mask, because LLVM would make a vector
    /// from a mask bit by bit.
    nul: V,
    /// The byte 0xC0, the lead byte of NUL, in every lane for Modified UTF-8, or 0xFF for CESU-8.
    nul_lead: V,
}

impl<V: Vector> Editor<V> {
    #[inline(always)]
    fn new(token: V::Token, modified: bool) -> Self {
        let [nul, nul_lead] = if modified { [0x00, 0xC0] } else { [0xFF; 2] };
        let (nul, nul_lead) = (V::splat(token, nul), V::splat(token, nul_lead));
        Self { token, checker: Utf8Checker::new(token), nul, nul_lead }
    }

    /// Converts the characters of a block, except an incomplete character at its end. Sets
    /// `unedited` to true if there are no edits, else to false. Returns `None` if the block is
    /// ill-formed.
    #[inline(always)]
    fn block<const FROM_CESU8: bool, const WRITE: bool>(
        &self,
        window: &Window,
        out: &mut OutputBlock,
        unedited: &mut bool,
    ) -> Option<Reach> {
        if WRITE {
            self.copy::<STEP>(&window[LOOKBEHIND_BYTES..], out);
        }
        let edits = self.edits::<FROM_CESU8>(window)?;
        let end = STEP - incomplete_suffix_len(&window[..LOOKBEHIND_BYTES + STEP]);
        *unedited = edits == 0;
        if *unedited {
            return Some(Reach { read: end, written: if WRITE { end } else { 0 } });
        }
        edit::<FROM_CESU8, WRITE>(&window[LOOKBEHIND_BYTES..], edits, end, out)
    }

    /// Copies pairs of blocks without edits. The last pair ends at the end of the text and may
    /// overlap the pair before it. Returns the number of bytes up to the end of the last complete
    /// character. `window` begins [`LOOKBEHIND_BYTES`] bytes before the first pair.
    #[inline(always)]
    fn copy_unedited_blocks<const WRITE: bool>(
        &self,
        window: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        const RUN_BYTES: usize = 2 * STEP;
        let len = window.len() - LOOKBEHIND_BYTES;
        let mut end = 0;
        while end < len {
            let at = if end < RUN_BYTES { end } else { end.min(len - RUN_BYTES) };
            let Some(bytes) = window[at..].first_chunk::<{ LOOKBEHIND_BYTES + RUN_BYTES }>() else {
                break;
            };
            if WRITE {
                let Some(out) = dst[at..].first_chunk_mut::<RUN_BYTES>() else { break };
                self.copy::<RUN_BYTES>(&bytes[LOOKBEHIND_BYTES..], out);
            }
            let load = |at, back| V::load(self.token, &bytes[LOOKBEHIND_BYTES - back..], at);
            let (mut largest, mut smallest) = (load(0, LOOKBEHIND_BYTES), load(0, 0));
            let mut k = 0;
            while k < RUN_BYTES {
                (largest, smallest) = (largest.max(load(k, 0)), smallest.min(load(k, 0)));
                k += V::LANES;
            }
            // A byte of 0xF0 or above ends the run, so the check for characters of at most three
            // bytes is enough.
            let four_byte = largest.saturating_sub(V::splat(self.token, 0xEF));
            let mut edits_or_errors = four_byte.or(self.nuls(smallest));
            if largest.any_high_bit() {
                let mut k = 0;
                while k < RUN_BYTES {
                    let errors = self.checker.errors_of_three(load(k, 0), load(k, 1), load(k, 2));
                    edits_or_errors = edits_or_errors.or(errors);
                    k += V::LANES;
                }
            }
            if edits_or_errors.any() {
                break;
            }
            end = at + RUN_BYTES;
        }
        end - incomplete_suffix_len(&window[..LOOKBEHIND_BYTES + end])
    }

    /// Copies `N` bytes.
    #[inline(always)]
    fn copy<const N: usize>(&self, from: &[u8], to: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < N {
            V::load(self.token, from, at).store_bytes(to, at);
            at += V::LANES;
        }
    }

    /// Loads the vector that begins `back` bytes before vector `k` of a block.
    #[inline(always)]
    fn load(&self, window: &Window, k: usize, back: usize) -> V {
        V::load(self.token, V::suffix(window, LOOKBEHIND_BYTES - back), k * V::LANES)
    }

    /// Validates a block and returns its edits: bit `i` is set if byte `i` is an edit. In a
    /// conversion into CESU-8, the edits are the lead bytes of four-byte characters, and NUL. In a
    /// conversion from CESU-8, the edits are the *second* bytes of surrogates and of `0xC0 0x80`,
    /// because the checker reports an error at these bytes.
    ///
    /// Returns `None` if the block is ill-formed. Unpaired surrogates are not detected.
    #[inline(always)]
    fn edits<const FROM_CESU8: bool>(&self, window: &Window) -> Option<u64> {
        let mut largest = self.load(window, 0, 0);
        let mut smallest = largest;
        let mut k = 1;
        while k < STEP / V::LANES {
            let bytes = self.load(window, k, 0);
            (largest, smallest) = (largest.max(bytes), smallest.min(bytes));
            k += 1;
        }
        let has_nul = self.nuls(smallest).any_high_bit();
        let has_four_byte = largest.any_at_least(self.token, 0xF0);
        if FROM_CESU8 && (has_nul || has_four_byte) {
            return None;
        }
        if !largest.any_high_bit() {
            return Some(if has_nul { self.four_byte_and_nul_bits(window) } else { 0 });
        }
        let mut errors = V::splat(self.token, 0);
        let mut k = 0;
        while k < STEP / V::LANES {
            errors = errors.or(self.errors(window, k, has_four_byte));
            k += 1;
        }
        if FROM_CESU8 && errors.any() {
            return self.allowed_errors(window);
        }
        if errors.any() {
            return None;
        }
        Some(if has_four_byte || has_nul { self.four_byte_and_nul_bits(window) } else { 0 })
    }

    /// Returns the errors of UTF-8 in a vector. `has_four_byte` is true if the block has a byte of
    /// 0xF0 or above. The bytes before the block end with a complete character, so they do not
    /// matter.
    #[inline(always)]
    fn errors(&self, window: &Window, k: usize, has_four_byte: bool) -> V {
        let load_back = |n| self.load(window, k, n);
        if has_four_byte {
            self.checker.errors(load_back(0), load_back(1), load_back(2), load_back(3))
        } else {
            self.checker.errors_of_three(load_back(0), load_back(1), load_back(2))
        }
    }

    /// For Modified UTF-8, returns 0xFF in the lanes that are NUL. For CESU-8, returns 0xFF in the
    /// lanes that are 0xFF, which are errors.
    #[inline(always)]
    fn nuls(&self, bytes: V) -> V {
        V::from_mask(bytes.equal(self.nul))
    }

    /// Returns a bit for each lead byte of a four-byte character and, for Modified UTF-8, each NUL.
    #[inline(always)]
    fn four_byte_and_nul_bits(&self, window: &Window) -> u64 {
        let mut masks = [V::splat(self.token, 0).high_bit_mask(); STEP / 16];
        let mut k = 0;
        while k < STEP / V::LANES {
            let bytes = self.load(window, k, 0);
            masks[k] =
                V::from_mask(bytes.at_least(self.token, 0xF0)).or(self.nuls(bytes)).high_bit_mask();
            k += 1;
        }
        V::bits(&masks[..STEP / V::LANES])
    }

    /// Returns a bit for each error of UTF-8, if every error is a surrogate or, for Modified UTF-8,
    /// `0xC0 0x80`. Otherwise returns `None`. Callers guarantee: no byte is 0xF0 or above.
    #[inline(always)]
    fn allowed_errors(&self, window: &Window) -> Option<u64> {
        let zero = V::splat(self.token, 0);
        let (mut errors, mut masks) = (zero, [zero.high_bit_mask(); STEP / 16]);
        let mut k = 0;
        while k < STEP / V::LANES {
            let found = self.errors(window, k, false);
            let surrogate = found.and(V::splat(self.token, SURROGATE));
            let lead = V::from_mask(self.load(window, k, 1).equal(self.nul_lead));
            let next = V::from_mask(self.load(window, k, 0).equal(V::splat(self.token, 0x80)));
            let allowed = surrogate.or(lead.and(next).and(V::splat(self.token, OVERLONG_2)));
            errors = errors.or(found.xor(allowed));
            masks[k] = allowed.equal(zero);
            k += 1;
        }
        if errors.any() { None } else { Some(!V::bits(&masks[..STEP / V::LANES])) }
    }
}

/// Returns the number of bytes at the end of `text` that begin a character and do not complete it.
#[inline(always)]
fn incomplete_suffix_len(text: &[u8]) -> usize {
    match text {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, _] => 2,
        [.., 0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}

/// Converts a block that contains edits, up to `end`. Returns `None` if it contains an unpaired
/// surrogate.
#[inline(always)]
fn edit<const FROM_CESU8: bool, const WRITE: bool>(
    text: &[u8],
    mut edits: u64,
    end: usize,
    out: &mut OutputBlock,
) -> Option<Reach> {
    let mut reach = Reach { read: 0, written: 0 };
    while edits != 0 {
        let at = edits.trailing_zeros() as usize - usize::from(FROM_CESU8);
        edits &= edits - 1;
        if at >= end {
            break;
        }
        // This is the low surrogate of the previous edit, which has already been converted.
        if at < reach.read {
            continue;
        }
        reach = copy_between::<WRITE>(text, reach.read..at, out, reach.written);
        let (converted, step) = edited::<FROM_CESU8>(text[at..].first_chunk()?)?;
        if WRITE {
            let out = out.get_mut(reach.written..reach.written + 8)?;
            out.copy_from_slice(view::as_uninit(&converted.to_le_bytes()));
        }
        let written = if WRITE { step.written } else { 0 };
        reach = Reach { read: step.read, written }.after(reach.read, reach.written);
    }
    // The last surrogate pair may end after the block.
    Some(copy_between::<WRITE>(text, reach.read..end.max(reach.read), out, reach.written))
}

/// Copies the bytes of `range`, which are between two edits, to `out[written..]`.
#[inline(always)]
fn copy_between<const WRITE: bool>(
    text: &[u8],
    range: Range<usize>,
    out: &mut OutputBlock,
    written: usize,
) -> Reach {
    if !WRITE {
        return Reach { read: range.end, written };
    }
    let mut at = range.start;
    while at < range.end {
        if let (Some(from), Some(to)) = (
            view::as_uninit(&text[at..]).first_chunk::<COPY_STEP_BYTES>(),
            out[written + at - range.start..].first_chunk_mut(),
        ) {
            *to = *from;
        }
        at += COPY_STEP_BYTES;
    }
    Reach { read: range.end, written: written + range.len() }
}

/// The bits of [`SURROGATE_PAIR_MASK`] in a surrogate pair of six bytes, with the first byte in the
/// lowest bits.
const SURROGATE_PAIR_BITS: u64 = 0x80_B0_ED_80_A0_ED;
/// The mask of the bits that are the same in all surrogate pairs.
const SURROGATE_PAIR_MASK: u64 = 0xC0_F0_FF_C0_F0_FF;

/// Converts the edit at the start of eight bytes. Returns the converted bytes, with the first byte
/// in the lowest bits, and the numbers of bytes read and written. Returns `None` if the edit is an
/// unpaired surrogate.
#[inline(always)]
fn edited<const FROM_CESU8: bool>(bytes: &[u8; 8]) -> Option<(u64, Reach)> {
    let bytes = u64::from_le_bytes(*bytes);
    let (converted, read, written) = if !FROM_CESU8 {
        match bytes as u8 {
            0 => (0x80C0, 1, 2),
            _ => (pair_of(bytes as u32), 4, 6),
        }
    } else if bytes & SURROGATE_PAIR_MASK == SURROGATE_PAIR_BITS {
        (four_of(bytes).into(), 6, 4)
    } else if bytes as u16 == 0x80C0 {
        (0, 2, 1)
    } else {
        return None;
    };
    Some((converted, Reach { read, written }))
}

/// Returns the six bytes of the surrogate pair for a four-byte character. In the argument and in
/// the result, the first byte is in the lowest bits.
///
/// Each of the three masks selects two groups of bits of the diagram in the module documentation,
/// which one shift moves together. One addition subtracts 1 from uuuuu and sets the bits that all
/// pairs have.
#[inline(always)]
fn pair_of(four: u32) -> u64 {
    let first = four << 10 & 0x3C_1C00 | four >> 4 & 0x3_0300;
    let first = first.wrapping_add(0xED80_A0ED - 0x100);
    let second = four >> 16 & 0x3F0F | 0x80B0;
    u64::from(first) | u64::from(second) << 32
}

/// Returns the four-byte character for a surrogate pair. This is the inverse of [`pair_of`].
#[inline(always)]
fn four_of(pair: u64) -> u32 {
    let (first, second) = ((pair as u32).wrapping_add(0x100), (pair >> 32) as u32);
    let upper = first >> 10 & 0xF07 | first << 4 & 0x30_3000;
    upper | second << 16 & 0x3F0F_0000 | 0x8080_80F0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_supplementary_character_is_converted_to_a_pair_and_back() {
        for c in '\u{10000}'..=char::MAX {
            let mut four = [0; 4];
            c.encode_utf8(&mut four);
            let four = u32::from_le_bytes(four);
            let mut pair = 0;
            for (k, &unit) in c.encode_utf16(&mut [0; 2]).iter().enumerate() {
                let unit = u64::from(unit);
                let bytes = 0xED | (0x80 | unit >> 6 & 0x3F) << 8 | (0x80 | unit & 0x3F) << 16;
                pair |= bytes << (24 * k);
            }
            assert_eq!(pair_of(four), pair, "{c:?}");
            assert_eq!(
                (pair & SURROGATE_PAIR_MASK, four_of(pair)),
                (SURROGATE_PAIR_BITS, four),
                "{c:?}"
            );
        }
    }
}
