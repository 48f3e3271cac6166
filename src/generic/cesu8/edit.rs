//! UTF-8 to CESU-8 and Modified UTF-8 (the *relatives* of UTF-8), back to UTF-8, and validation of
//! the relatives.
//!
//! The two sides differ only in supplementary characters and, for Modified UTF-8, in NUL. Each such
//! character is an *edit*:
//!
//! ```text
//!   UTF-8                                CESU-8
//!   11110uuu 10uuzzzz 10yyyyyy 10xxxxxx  ED 1010wwww 10zzzzyy  ED 1011yyyy 10xxxxxx
//!                                                    (first two y)      (last four y)
//!                                        with wwww = uuuuu - 1
//!   00 (Modified UTF-8 only)             C0 80
//! ```
//!
//! This is the [validation of UTF-8](crate::generic::from_utf8::check) that also stores the bytes
//! it has loaded. A block of 64 bytes is copied whole. If it contains edits, they are made in the
//! order of the text, and the bytes between two edits are copied again, to their final place.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::arch::window::{BACK, STEP, copy_short};
use crate::encoding::view;
use crate::generic::cesu8::compatible_prefix::character_start;
pub(crate) use crate::generic::cesu8::edit_runs::begins_soon;
use crate::generic::cesu8::edit_runs::{begins, dense, put, put_run};
use crate::generic::copy;
use crate::generic::from_utf8::check::{OVERLONG_2, SURROGATE, Utf8Checker};
use crate::types::progress::Reach;

/// Bytes after a block that an edit, or the copy of the bytes between two edits, may read.
const LOOKAHEAD: usize = 32;

/// Bytes of the source that a step reads: those it looks back to, the block, and the bytes after
/// it.
const WINDOW: usize = BACK + STEP + LOOKAHEAD;

/// Bytes of output that a step may touch: the converted block, in which every byte may be a NUL
/// that becomes two bytes, and the excess of a copy.
const ROOM: usize = 3 * STEP;

/// The byte around a text that is shorter than a window: one that is the same on both sides.
const PADDING: u8 = b'a';

/// Bytes that one copy between edits takes.
const COPY_PIECE_BYTES: usize = 16;

/// Bytes of two blocks, which the runs test together for edits.
const BLOCK_PAIR_BYTES: usize = 2 * STEP;

/// Converts from a relative if `FROM`, else into one; the relative is Modified UTF-8 if `nul`, else
/// CESU-8.
///
/// Stops between characters: in the block that is ill-formed or has too little room. Without
/// `WRITE` it only validates, and `dst` is empty.
#[inline(always)]
pub(crate) fn convert<V: Vector, const FROM: bool, const WRITE: bool>(
    nul: bool,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    V::Half: Lanes32,
{
    // Bytes to compare with, not masks: the compiler keeps a mask that depends on a `bool` as bits,
    // and makes vectors of them bit by bit.
    let [byte, lead] = if nul { [0x00, 0xC0] } else { [0xFF; 2] };
    let (byte, lead) = (V::splat(token, byte), V::splat(token, lead));
    let editor = Editor::<V> { token, checker: Utf8Checker::new(token), nul: byte, lead };
    let mut place = Place { read: 0, written: 0, done: 0 };
    let mut next = Next::Ascii;
    let mut copy = [0; WINDOW];
    loop {
        let at = place.read + place.done;
        // `dense` does not look at the bytes before `at`. It may start only at the boundary of a
        // character: an error in a character that the last block has cut shows in the next block.
        if (at == 0 && begins_soon::<FROM>(src)
            || next == Next::Edits && begins::<FROM>(&src[at..]))
            && character_start(src, at) == at
        {
            let (text, room) = (&src[at..], &mut dst[place.written..]);
            let run = dense::<V::Half, FROM, WRITE>(V::half(token), nul, text, room);
            if run.read > 0 {
                let Reach { read, written } = run.after(at, place.written);
                (place, next) = (Place { read, written, done: 0 }, Next::Edits);
                continue;
            }
        }
        if next != Next::Edits && place.done == 0 {
            if next == Next::Ascii {
                let (rest, room) = (&src[place.read..], &mut dst[place.written..]);
                place = place.after::<WRITE>(editor.ascii_run::<WRITE>(rest, room));
            }
            if let Some(back) = place.read.checked_sub(BACK) {
                let (ahead, room) = (&src[back..], &mut dst[place.written..]);
                place = place.after::<WRITE>(editor.plain_run::<WRITE>(ahead, room));
            }
        }
        let window = match place.read.checked_sub(BACK) {
            Some(back) => src[back..].first_chunk(),
            None => first(src, &mut copy),
        };
        let Some(window) = window else { break };
        if WRITE && dst.len() - place.written < ROOM {
            break;
        }
        let Some((to, expected)) = editor.block::<FROM, WRITE>(window, dst, place, next) else {
            break;
        };
        (place, next) = (to, expected);
    }
    let reach = Reach { read: place.read + place.done, written: place.written };
    editor.rest::<FROM, WRITE>(src, dst, to_character(src, reach), next)
}

/// The first window: zeros, which are ASCII, stand before the input.
#[inline(always)]
fn first<'a>(src: &[u8], copy: &'a mut [u8; WINDOW]) -> Option<&'a [u8; WINDOW]> {
    copy[BACK..].copy_from_slice(src.first_chunk::<{ WINDOW - BACK }>()?);
    Some(copy)
}

/// Moves `reach` back to the start of a character that a block has cut; its first bytes have been
/// copied.
fn to_character(src: &[u8], reach: Reach) -> Reach {
    let read = character_start(src, reach.read);
    // A validation writes nothing.
    Reach { read, written: reach.written.saturating_sub(reach.read - read) }
}

/// The progress of a conversion.
#[derive(Clone, Copy)]
struct Place {
    /// Bytes of the whole blocks that have been read.
    read: usize,
    /// Bytes that have been written.
    written: usize,
    /// Bytes of the next block that have already been converted.
    done: usize,
}

impl Place {
    /// The place after `run` more bytes, which have been copied.
    #[inline(always)]
    fn after<const WRITE: bool>(self, run: usize) -> Self {
        let written = self.written + if WRITE { run } else { 0 };
        Self { read: self.read + run, written, ..self }
    }
}

/// The kind of block that is expected next: the kind of the last one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A block of ASCII without edits.
    Ascii,
    /// A block without edits.
    Plain,
    /// A block with edits.
    Edits,
}

/// The result of the check of a block.
struct Found {
    /// Bit `i` marks an edit at byte `i`. Into a relative: the lead bytes of four-byte characters,
    /// and NUL. From a relative: the *second* bytes of surrogates and of `C0 80`, since there the
    /// checker finds them.
    edits: u64,
    /// The kind of block to expect next.
    next: Next,
}

/// The constants of a conversion, in registers.
struct Editor<V: Vector> {
    token: V::Token,
    checker: Utf8Checker<V>,
    /// For Modified UTF-8, the byte 00. For CESU-8, a byte that is ill-formed.
    nul: V,
    /// The same for the first byte of `C0 80`.
    lead: V,
}

impl<V: Vector> Editor<V>
where
    V::Half: Lanes32,
{
    /// Converts a block, for which `dst` has room. Returns `None` if the block contains ill-formed
    /// input.
    #[inline(always)]
    fn block<const FROM: bool, const WRITE: bool>(
        &self,
        window: &[u8; WINDOW],
        dst: &mut [MaybeUninit<u8>],
        place: Place,
        next: Next,
    ) -> Option<(Place, Next)> {
        if WRITE {
            let from = window[BACK + place.done..].first_chunk()?;
            copy::block::<V, (), STEP>(self.token, from, dst[place.written..].first_chunk_mut()?);
        }
        let found = self.look::<FROM>(window, next)?;
        if found.edits == 0 {
            let written = place.written + if WRITE { STEP - place.done } else { 0 };
            return Some((Place { read: place.read + STEP, written, done: 0 }, found.next));
        }
        let to =
            edit::<V::Half, FROM, WRITE>(V::half(self.token), window, found.edits, dst, place)?;
        Some((to, Next::Edits))
    }

    /// Converts the rest of `src`, from the boundary of a character on: the text that is shorter
    /// than a window, and that for which `dst` has little room. Stops as [`convert`] does.
    ///
    /// Each block is a copy that is filled up with ASCII, and goes through a bounce buffer.
    #[inline(always)]
    fn rest<const FROM: bool, const WRITE: bool>(
        &self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        mut reach: Reach,
        mut next: Next,
    ) -> Reach {
        while reach.read < src.len() {
            let rest = &src[reach.read..];
            let text = &rest[..rest.len().min(STEP + LOOKAHEAD)];
            // The text before has ended with a character: ASCII can stand for it.
            let mut window = [PADDING; WINDOW];
            copy_short(&mut window[BACK..BACK + text.len()], text);
            let mut bounce = [MaybeUninit::uninit(); ROOM];
            let room = if WRITE { &mut bounce[..] } else { &mut [] };
            let place = Place { read: 0, written: 0, done: 0 };
            let Some((to, expected)) = self.block::<FROM, WRITE>(&window, room, place, next) else {
                break;
            };
            next = expected;
            // The padding has been written as it is, and is taken back; a validation has written
            // nothing.
            let read = to.read + to.done;
            let excess = read.saturating_sub(text.len());
            let written = to.written.saturating_sub(excess);
            let step = to_character(text, Reach { read: read - excess, written });
            if WRITE {
                let room = dst.get_mut(reach.written..reach.written + step.written);
                let Some(room) = room else { break };
                copy_short(room, &bounce[..step.written]);
            }
            reach = step.after(reach.read, reach.written);
        }
        reach
    }

    /// Vector `k` of a block, loaded `back` bytes earlier.
    #[inline(always)]
    fn load(&self, window: &[u8; WINDOW], k: usize, back: usize) -> V {
        V::load(self.token, V::place(window, BACK - back), k * V::LANES)
    }

    /// Copies pairs of blocks that are ASCII and contain no edit (no NUL, for Modified UTF-8).
    /// Returns the number of bytes.
    #[inline(always)]
    fn ascii_run<const WRITE: bool>(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut at = 0;
        while let Some(from) = src[at..].first_chunk::<BLOCK_PAIR_BYTES>() {
            let mut most = V::load(self.token, from, 0);
            let mut least = most;
            let mut k = V::LANES;
            while k < BLOCK_PAIR_BYTES {
                let bytes = V::load(self.token, from, k);
                (most, least) = (most.or(bytes), least.min(bytes));
                k += V::LANES;
            }
            if WRITE {
                let Some(to) = dst[at..].first_chunk_mut() else { break };
                copy::block::<V, (), BLOCK_PAIR_BYTES>(self.token, from, to);
            }
            if most.or(self.nuls(least)).any_high() {
                break;
            }
            at += BLOCK_PAIR_BYTES;
        }
        at
    }

    /// FF in the lanes that are NUL, for Modified UTF-8; for CESU-8 in those that are FF, which is
    /// no edit but an error.
    #[inline(always)]
    fn nuls(&self, bytes: V) -> V {
        V::of_mask(bytes.equal(self.nul))
    }

    /// Copies pairs of blocks that contain no edit, up to a pair whose second block is ASCII.
    /// Returns the number of bytes. `ahead` begins [`BACK`] bytes before the first byte to copy.
    #[inline(always)]
    fn plain_run<const WRITE: bool>(&self, ahead: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut at = 0;
        while let Some(from) = ahead[at..].first_chunk::<{ BACK + BLOCK_PAIR_BYTES }>() {
            if WRITE {
                let (Some(from), Some(to)) =
                    (from[BACK..].first_chunk(), dst[at..].first_chunk_mut())
                else {
                    break;
                };
                copy::block::<V, (), BLOCK_PAIR_BYTES>(self.token, from, to);
            }
            let mut wrong = V::splat(self.token, 0);
            let (mut most, mut least) = (wrong, V::splat(self.token, 0xFF));
            let mut last = wrong;
            let mut k = 0;
            while k < BLOCK_PAIR_BYTES {
                let c0 = V::load(self.token, &from[BACK..], k);
                let (c1, c2) =
                    (V::load(self.token, &from[2..], k), V::load(self.token, &from[1..], k));
                // A byte from F0 on stops the run below, so the check needs none of their errors.
                wrong = wrong.or(self.checker.errors_of_three(c0, c1, c2));
                most = most.max(c0);
                least = least.min(c0);
                last = if k < STEP { last } else { last.or(c0) };
                k += V::LANES;
            }
            let special = most.saturating_sub(V::splat(self.token, 0xEF)).or(self.nuls(least));
            if wrong.or(special).any() {
                break;
            }
            at += BLOCK_PAIR_BYTES;
            if !last.any_high() {
                break;
            }
        }
        at
    }

    /// Checks a block and finds its edits. Returns `None` if single bytes and their neighbours show
    /// that the block is ill-formed.
    #[inline(always)]
    fn look<const FROM: bool>(&self, window: &[u8; WINDOW], next: Next) -> Option<Found> {
        let mut most = self.load(window, 0, 0);
        let mut least = most;
        let mut k = 1;
        while k < STEP / V::LANES {
            let bytes = self.load(window, k, 0);
            (most, least) = (most.max(bytes), least.min(bytes));
            k += 1;
        }
        let nul = self.nuls(least).any_high();
        if FROM && nul {
            return None;
        }
        if !most.max(self.load(window, 0, BACK)).any_high() {
            let edits = if nul { self.four_byte_and_nuls(window) } else { 0 };
            return Some(Found { edits, next: if nul { Next::Edits } else { Next::Ascii } });
        }
        let four = most.any_from(self.token, 0xF0);
        if FROM {
            return if four { None } else { self.look_at_relative(window, next) };
        }
        let mut errors = V::splat(self.token, 0);
        let mut k = 0;
        while k < STEP / V::LANES {
            let (back0, back1) = (self.load(window, k, 0), self.load(window, k, 1));
            let (back2, back3) = (self.load(window, k, 2), self.load(window, k, 3));
            errors = errors.or(self.checker.errors(back0, back1, back2, back3));
            k += 1;
        }
        if errors.any() {
            return None;
        }
        if !four && !nul {
            return Some(Found { edits: 0, next: Next::Plain });
        }
        Some(Found { edits: self.four_byte_and_nuls(window), next: Next::Edits })
    }

    /// The lead bytes of four-byte characters, and for Modified UTF-8 NUL, as bits.
    #[inline(always)]
    fn four_byte_and_nuls(&self, window: &[u8; WINDOW]) -> u64 {
        let mut masks = [V::splat(self.token, 0).high(); STEP / 16];
        let mut k = 0;
        while k < STEP / V::LANES {
            let bytes = self.load(window, k, 0);
            masks[k] = V::of_mask(bytes.at_least(self.token, 0xF0)).or(self.nuls(bytes)).high();
            k += 1;
        }
        V::bits(&masks[..STEP / V::LANES])
    }

    /// [`look`](Self::look) at a relative whose block has no byte from F0 on.
    #[inline(always)]
    fn look_at_relative(&self, window: &[u8; WINDOW], next: Next) -> Option<Found> {
        // Where edits are expected, the quick test for none of them would be wasted.
        if next != Next::Edits {
            let mut errors = V::splat(self.token, 0);
            let mut k = 0;
            while k < STEP / V::LANES {
                errors = errors.or(self.errors(window, k));
                k += 1;
            }
            if !errors.any() {
                return Some(Found { edits: 0, next: Next::Plain });
            }
        }
        let zero = V::splat(self.token, 0);
        let (mut errors, mut masks) = (zero, [zero.high(); STEP / 16]);
        let mut k = 0;
        while k < STEP / V::LANES {
            let found = self.errors(window, k);
            let allowed = self.allowed(window, k, found);
            errors = errors.or(found.xor(allowed));
            masks[k] = allowed.equal(zero);
            k += 1;
        }
        if errors.any() {
            return None;
        }
        let edits = !V::bits(&masks[..STEP / V::LANES]);
        Some(Found { edits, next: if edits == 0 { Next::Plain } else { Next::Edits } })
    }

    /// The errors of UTF-8 in a vector without bytes from F0 on.
    #[inline(always)]
    fn errors(&self, window: &[u8; WINDOW], k: usize) -> V {
        let (back0, back1) = (self.load(window, k, 0), self.load(window, k, 1));
        self.checker.errors_of_three(back0, back1, self.load(window, k, 2))
    }

    /// The errors in `found` that a relative allows: surrogates and, for Modified UTF-8, `C0 80`.
    /// No byte is FF here.
    #[inline(always)]
    fn allowed(&self, window: &[u8; WINDOW], k: usize, found: V) -> V {
        let surrogate = found.and(V::splat(self.token, SURROGATE));
        let lead = V::of_mask(self.load(window, k, 1).equal(self.lead));
        let next = V::of_mask(self.load(window, k, 0).equal(V::splat(self.token, 0x80)));
        surrogate.or(lead.and(next).and(V::splat(self.token, OVERLONG_2)))
    }
}

/// Converts a block that contains edits. Returns `None` if it contains an unpaired surrogate.
#[inline(always)]
fn edit<H: Lanes32, const FROM: bool, const WRITE: bool>(
    token: H::Token,
    window: &[u8; WINDOW],
    edits: u64,
    dst: &mut [MaybeUninit<u8>],
    place: Place,
) -> Option<Place> {
    let Place { read, mut written, mut done } = place;
    let mut rest = edits;
    if FROM && rest & 1 == 1 {
        // This is the second byte of a character that begins before the block. Unless that
        // character was converted with the last block, its first byte was copied.
        rest &= rest - 1;
        if done == 0 {
            written -= usize::from(WRITE);
            let (size, len) = put::<FROM, WRITE>(&window[BACK - 1..], dst, written)?;
            (done, written) = (size - 1, written + len);
        }
    }
    while rest != 0 {
        let bit = rest.trailing_zeros() as usize;
        let at = bit - usize::from(FROM);
        if at < done {
            rest &= rest - 1;
            continue;
        }
        if WRITE {
            copy_between(window, done..at, dst, written);
            written += at - done;
        }
        // A character that the end of the block cuts begins the next block.
        if at + if FROM { 6 } else { 4 } > STEP && at > 0 {
            return Some(Place { read: read + at, written, done: 0 });
        }
        let text = &window[BACK + at..];
        let run = run::<FROM>(rest >> bit, at);
        let (size, len) = put_run::<H, FROM, WRITE>(token, text, run, dst, written);
        (done, written) = (at + size, written + len);
        if size == 0 {
            let (size, len) = put::<FROM, WRITE>(text, dst, written)?;
            (done, written) = (at + size, written + len);
        }
        rest &= u64::MAX.checked_shl((done + usize::from(FROM)) as u32).unwrap_or(0);
    }
    if done < STEP {
        if WRITE {
            copy_between(window, done..STEP, dst, written);
            written += STEP - done;
        }
        done = STEP;
    }
    Some(Place { read: read + STEP, written, done: done - STEP })
}

/// An upper bound for the number of characters to edit that follow each other at the front of
/// `edits`, which stand at `at` in a block. Four-byte characters are counted only if they end in
/// the block.
#[inline(always)]
fn run<const FROM: bool>(edits: u64, at: usize) -> usize {
    const FOUR_BYTE: u64 = 0x1111_1111_1111_1111;
    const SURROGATES: u64 = 0o111_111_111_111_111_111_111;
    if FROM {
        (!edits & SURROGATES | 1 << 63).trailing_zeros() as usize / 6
    } else {
        ((!edits & FOUR_BYTE | 1 << 63).trailing_zeros() as usize / 4).min((STEP - at) / 4)
    }
}

/// Copies the bytes between two edits.
#[inline(always)]
fn copy_between(
    window: &[u8; WINDOW],
    range: core::ops::Range<usize>,
    dst: &mut [MaybeUninit<u8>],
    written: usize,
) {
    let mut at = range.start;
    while at < range.end {
        if let (Some(from), Some(to)) = (
            view::as_uninit(&window[BACK + at..]).first_chunk::<COPY_PIECE_BYTES>(),
            dst[written + at - range.start..].first_chunk_mut(),
        ) {
            *to = *from;
        }
        at += COPY_PIECE_BYTES;
    }
}
