//! UTF-16 to UTF-8. A code unit becomes one, two or three bytes, by its value alone: also a surrogate, which is half of
//! four bytes. So a step needs to know nothing about the characters before it, and has no length but its own.
//!
//! Three bytes are computed for every unit at once, and rows of a table write those of them that are needed: of eight
//! units at a time where no unit takes three, of four otherwise.
//!
//! ```text
//!   0xxxxxxx                     byte 0: the unit
//!   yyy yyxxxxxx                 byte 0: 10xxxxxx   byte 1: 110yyyyy
//!   zzzzyyyy yyxxxxxx            byte 0: 10xxxxxx   byte 1: 10yyyyyy   byte 2: 1110zzzz
//!   110110yy yyzzzzww (high)     byte 0: 10uuzzzz   byte 1: 11110uuu   with 40 added: uuuuu = yyyy + 1
//!   110111yy yyxxxxxx (low)      byte 0: 10xxxxxx   byte 1: 10wwyyyy
//! ```
//!
//! A step is two vectors. Its class decides what is computed: ASCII, narrow (nothing from 800 on), nothing below 800, or
//! anything. Each unit that a step takes is known to be half of a pair or none: for the last one the unit behind is looked
//! at. In [CESU-8](super::utf16_to_cesu8) a surrogate is a unit like any other. What is left behind whole steps are single vectors, of which the last one ends with the input and writes again what
//! it sees again. Only at the end of an output that has no room to spare do they go through a bounce buffer.

mod apart;

use core::mem::MaybeUninit;

use super::utf16_check::{boundary, is_ended, whole_units};
use super::words;
use crate::Utf8;
#[cfg(doc)]
use crate::arch::Vector;
use crate::arch::lanes16::Lanes16;
use crate::arch::window::copy_short;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{Big, Order};

/// Bytes of output that the largest vector may touch: three for each unit, and as many as a store is wider.
pub(super) const BOUNCE: usize = 128;

/// Converts `src`, in the byte order `O`, into `dst`. Of less than 32 bytes only vectors of 16 are made.
#[inline(always)]
pub(crate) fn convert<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    if V::LANES == 16 && text.len() < 16 {
        return short::<V, O>(token, src, dst);
    }
    if V::is_within(text.len(), 2 * V::LANES)
        && let Some(reach) = ascii_ends::<V, O>(token, text, dst)
    {
        return reach;
    }
    let encoder = Encoder::<V>::new(token);
    if V::APART && !O::BIG {
        return apart::convert(&encoder, src, dst);
    }
    // Text that doesn't begin with ASCII is not asked for more. Elsewhere it isn't worth the code.
    let run =
        if V::MASKED && is_ascii::<O>(text) { encoder.ascii_front::<O>(text, dst) } else { 0 };
    if 2 * run == text.len() {
        return Reach { read: 2 * run, written: run };
    }
    let Lane { reach, wrong } =
        fast_lane::<V, O, false>(&encoder, &text[2 * run..], &mut dst[run..]);
    let reach = reach.behind(2 * run, run);
    if wrong {
        resume::<O>(src, dst, reach)
    } else {
        match ends::<V, O, false>(&encoder, whole_units(src), dst, reach) {
            Ok(reach) => reach,
            Err(reach) => resume::<O>(src, dst, reach),
        }
    }
}

/// [`convert`] of at most a vector, where stores are [masked](Vector::MASKED).
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_whole<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::new(token);
    // Behind the end are zeros, which are characters of one byte.
    let units = V::load_first(token, text).ordered16::<O>();
    let start = Reach { read: 0, written: 0 };
    let written = match encoder.put_plain(units, (0, 0), text.len(), dst) {
        Plain::Put(written) => Some(written),
        Plain::Full => None,
        // With nothing behind, half of a pair in the last lane doesn't show.
        Plain::Other if text.len() == V::LANES && !is_ended(O::units(), text, text.len()) => None,
        Plain::Other => Single::of::<false>(&encoder, units, units.shifted::<2>()).and_then(
            #[inline(always)]
            |single| single.put_exactly(text.len(), dst),
        ),
    };
    match written {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<O>(src, dst, start),
    }
}

/// [`convert`] of big-endian text of less than a vector or a few, without blocks.
#[inline(always)]
pub(crate) fn convert_big<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if src.len() < 16 {
        return short::<V, Big>(token, src, dst);
    }
    let start = Reach { read: 0, written: 0 };
    match ends::<V, Big, false>(&Encoder::new(token), whole_units(src), dst, start) {
        Ok(reach) => reach,
        Err(reach) => resume::<Big>(src, dst, reach),
    }
}

/// Whether the first four units are ASCII.
#[inline(always)]
fn is_ascii<O: Order>(text: &[u8]) -> bool {
    let first = text.first_chunk().map_or(u64::MAX, |units| u64::from_le_bytes(*units));
    (if O::BIG { first.swap_bytes() } else { first }) & 0xFF80_FF80_FF80_FF80 == 0
}

/// Converts a text of one vector or two that is ASCII and fits, by two vectors that overlap.
#[inline(always)]
fn ascii_ends<V: Lanes16, O: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let last = text.len() - V::LANES;
    let room = dst.get_mut(..text.len() / 2)?;
    let units =
        [V::load(token, text, 0).ordered16::<O>(), V::load(token, text, last).ordered16::<O>()];
    if units[0].or(units[1]).and(V::splat16(token, 0xFF80)).any() {
        return None;
    }
    units[0].store_narrowed(room, 0);
    units[1].store_narrowed(room, last / 2);
    Some(Reach { read: text.len(), written: text.len() / 2 })
}

/// How far the fast lane came.
pub(super) struct Lane {
    pub(super) reach: Reach,
    /// Whether the next step has something wrong in it, or NUL where that is not a byte.
    pub(super) wrong: bool,
}

/// Converts whole steps, as long as there are any and `dst` has room for what may come of them. `CESU8` is that.
#[inline(always)]
pub(super) fn fast_lane<V: Lanes16, O: Order, const CESU8: bool>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Lane {
    let step = 2 * V::LANES;
    let (mut at, mut to) = (0, 0);
    let mut wrong = false;
    while let Some(window) = text.get(at..at + step) {
        let units = [encoder.load::<O>(window, 0), encoder.load::<O>(window, V::LANES)];
        let all = units[0].or(units[1]);
        if CESU8 && encoder.has_nul(units) {
            wrong = true;
            break;
        }
        if !all.and(encoder.above_ascii).any() {
            let Some(room) = dst.get_mut(to..to + V::LANES) else { break };
            V::narrow(units[0], units[1]).store_bytes(room, 0);
            at += step;
            to += V::LANES;
            let run = encoder.ascii_run::<O, CESU8>(&text[at..], &mut dst[to..]);
            at += 2 * run;
            to += run;
            continue;
        }
        let Some(room) = dst.get_mut(to..to + 2 * V::ROOM) else { break };
        if !all.and(encoder.top).any() {
            to += encoder.narrow(units, room);
        } else {
            let (below, surrogates) = encoder.tops(units);
            let surrogate = surrogates[0].or(surrogates[1]).any();
            if CESU8 && surrogate && !encoder.are_pairs::<O>(text, at, units) {
                wrong = true;
                break;
            }
            if !CESU8 && surrogate {
                let Some(written) = encoder.pairs::<O>(text, at, units, below, surrogates, room)
                else {
                    wrong = true;
                    break;
                };
                to += written;
            } else if !below[0].or(below[1]).any() {
                encoder.threes(units[0], room, 0);
                encoder.threes(units[1], room, 3 * V::LANES / 2);
                to += 3 * V::LANES;
            } else {
                let first = encoder.wide(units[0], below[0], &mut room[..V::ROOM]);
                to += first + encoder.wide(units[1], below[1], &mut room[first..first + V::ROOM]);
            }
        }
        at += step;
    }
    Lane { reach: Reach { read: at, written: to }, wrong }
}

/// The constants of a conversion.
pub(super) struct Encoder<V: Lanes16> {
    pub(super) token: V::Token,
    zero: V,
    /// The bits that ASCII has not.
    above_ascii: V,
    /// The bits that nothing below 800 has, and that tell surrogates.
    pub(super) top: V,
    /// What these bits are in a surrogate.
    surrogate: V,
    low6: V,
    mid6: V,
    /// The tags of bytes 0 and 1 where both are continuation bytes.
    continued: V,
    /// Whether NUL is not a byte, but two.
    long_nul: bool,
}

impl<V: Lanes16> Encoder<V> {
    #[inline(always)]
    pub(super) fn new(token: V::Token) -> Self {
        Self {
            token,
            zero: V::splat(token, 0),
            above_ascii: V::splat16(token, 0xFF80),
            top: V::splat16(token, 0xF800),
            surrogate: V::splat16(token, 0xD800),
            low6: V::splat16(token, 0x003F),
            mid6: V::splat16(token, 0x3F00),
            continued: V::splat16(token, 0x8080),
            long_nul: false,
        }
    }

    /// The same for text in which NUL is two bytes, if `long`.
    #[inline(always)]
    pub(super) fn with_nul(token: V::Token, long: bool) -> Self {
        Self { long_nul: long, ..Self::new(token) }
    }

    /// Whether there is a NUL that is two bytes.
    #[inline(always)]
    fn has_nul(&self, units: [V; 2]) -> bool {
        self.long_nul && units[0].equal16(self.zero).or(units[1].equal16(self.zero)).any()
    }

    /// The units at `at`, in the order of the machine.
    #[inline(always)]
    fn load<O: Order>(&self, text: &[u8], at: usize) -> V {
        V::load(self.token, text, at).ordered16::<O>()
    }

    /// Two vectors from `at` on.
    #[inline(always)]
    fn two<O: Order>(&self, text: &[u8], at: usize) -> [V; 2] {
        [self.load::<O>(text, at), self.load::<O>(text, at + V::LANES)]
    }

    /// Every lane is `unit`.
    #[inline(always)]
    fn splat(&self, unit: u16) -> V {
        V::splat16(self.token, unit)
    }

    /// Which units are below 800, and which are surrogates.
    #[inline(always)]
    pub(super) fn tops(&self, units: [V; 2]) -> ([V; 2], [V; 2]) {
        let tops = [units[0].and(self.top), units[1].and(self.top)];
        let below = [tops[0].equal16(self.zero), tops[1].equal16(self.zero)];
        (below, [tops[0].equal16(self.surrogate), tops[1].equal16(self.surrogate)])
    }

    /// Writes the ASCII that a text begins with, if there is room: all of it, or whole blocks. Says how many units.
    #[inline(always)]
    fn ascii_front<O: Order>(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let run = self.ascii_run::<O, false>(text, dst);
        let (step, rest) = (2 * V::LANES, text.len() - 2 * run);
        let Some(room) = dst.get_mut(..text.len() / 2) else { return run };
        // At most two steps, of which the last ends with the text and may overlap.
        if text.len() < step || rest > 2 * step {
            return run;
        }
        let last = text.len() - step;
        let places = [if rest > step { 2 * run } else { last }, last];
        let steps = [self.two::<O>(text, places[0]), self.two::<O>(text, places[1])];
        let all = steps[0][0].or(steps[0][1]).or(steps[1][0].or(steps[1][1]));
        if all.and(self.above_ascii).any() {
            return run;
        }
        for k in 0..2 {
            let room = &mut room[places[k] / 2..places[k] / 2 + V::LANES];
            V::narrow(steps[k][0], steps[k][1]).store_bytes(room, 0);
        }
        text.len() / 2
    }

    /// Writes a run of ASCII; says how many units.
    #[inline(always)]
    fn ascii_run<O: Order, const CESU8: bool>(
        &self,
        text: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let mut run = 0;
        // Bytes in the order of the text: a test of the high bits of all of them, in one go.
        while let (Some(window), Some(room)) =
            (text.get(2 * run..2 * run + 4 * V::LANES), dst.get_mut(run..run + 2 * V::LANES))
        {
            let units = [
                self.load::<O>(window, 0),
                self.load::<O>(window, V::LANES),
                self.load::<O>(window, 2 * V::LANES),
                self.load::<O>(window, 3 * V::LANES),
            ];
            let all = units[0].or(units[1]).or(units[2].or(units[3]));
            if all.and(self.above_ascii).any() {
                break;
            }
            let bytes = [V::narrow(units[0], units[1]), V::narrow(units[2], units[3])];
            if CESU8
                && self.long_nul
                && V::splat(self.token, 1).saturating_sub(bytes[0].min(bytes[1])).any()
            {
                break;
            }
            bytes[0].store_bytes(room, 0);
            bytes[1].store_bytes(room, V::LANES);
            run += 2 * V::LANES;
        }
        run
    }

    /// Writes units below 800; says how many bytes.
    #[inline(always)]
    pub(super) fn narrow(&self, units: [V; 2], room: &mut [MaybeUninit<u8>]) -> usize {
        let (first, second) = (self.narrow_bytes(units[0]), self.narrow_bytes(units[1]));
        V::put_narrow([first.0, second.0], [first.1, second.1], room)
    }

    /// Bytes 0 and 1 of units below 800, and which of these take both.
    #[inline(always)]
    fn narrow_bytes(&self, units: V) -> (V, V) {
        let twos = units.above16(self.splat(0x7F));
        let low = units.and(self.low6);
        let high = units.shl16::<2>().and(self.splat(0x1F00));
        (twos.select(low.or(high).or(self.splat(0xC080)), units), twos)
    }

    /// Writes the first `input` bytes of a vector, if no unit in it is half of a pair, with [masked](Vector::MASKED) stores. The first
    /// `done` bytes have become the last ones of `dst[..written]`, and are written again.
    #[inline(always)]
    fn put_plain(
        &self,
        units: V,
        (done, written): (usize, usize),
        input: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Plain {
        if !units.and(self.above_ascii).any() {
            let base = written - done / 2;
            let Some(room) = dst.get_mut(base..base + input / 2) else { return Plain::Full };
            units.store_narrowed(room, 0);
            return Plain::Put(base + input / 2);
        }
        let top = units.and(self.top);
        if top.any() {
            return self.put_threes(units, top, (done, written), input, dst);
        }
        let (bytes, two) = self.narrow_bytes(units);
        let twos = V::bits16(two, self.zero);
        let base = written - done / 2 - (twos & V::first_bits(done / 2)).count_ones() as usize;
        let end = base + input / 2 + twos.count_ones() as usize;
        let Some(room) = dst.get_mut(base..end) else { return Plain::Full };
        V::put_narrow_exactly(bytes, two, room);
        Plain::Put(end)
    }

    /// The rest of [`put_plain`](Self::put_plain): of units with these upper bits.
    #[inline(always)]
    fn put_threes(
        &self,
        units: V,
        top: V,
        (done, written): (usize, usize),
        input: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Plain {
        if top.equal16(self.surrogate).any() {
            return Plain::Other;
        }
        let below = top.equal16(self.zero);
        let single = Single {
            bytes: self.bytes(units, below),
            lead: self.lead(units),
            more: self.more(units, below),
        };
        let base = written - single.bytes_of(done);
        match single.put_exactly(input, &mut dst[base..]) {
            Some(len) => Plain::Put(base + len),
            None => Plain::Full,
        }
    }

    /// Bytes 0 and 1 of each unit, both as continuation bytes.
    #[inline(always)]
    fn continuations(&self, units: V) -> V {
        let low = units.and(self.low6);
        let middle = units.shl16::<2>().and(self.mid6);
        low.or(middle).or(self.continued)
    }

    /// Byte 2 of each unit.
    #[inline(always)]
    fn lead(&self, units: V) -> V {
        units.shr16::<12>().or(self.splat(0xE0))
    }

    /// Writes units that all take three bytes.
    #[inline(always)]
    pub(super) fn threes(&self, units: V, room: &mut [MaybeUninit<u8>], at: usize) {
        V::put_threes(self.continuations(units), self.lead(units), room, at);
    }

    /// Writes units without surrogates; says how many bytes. `below` are those below 800.
    #[inline(always)]
    pub(super) fn wide(&self, units: V, below: V, room: &mut [MaybeUninit<u8>]) -> usize {
        let bits = self.more(units, below);
        V::put_wide(self.bytes(units, below), self.lead(units), bits, room)
    }

    /// Bytes 0 and 1 of units without surrogates. `below` are those below 800.
    #[inline(always)]
    fn bytes(&self, units: V, below: V) -> V {
        let ascii = units.and(self.above_ascii).equal16(self.zero);
        let two = below.and(self.splat(0x4000));
        ascii.select(units, self.continuations(units).or(two))
    }

    /// Two bits for each unit: whether it takes more than one byte, and more than two. `below` are those that take at most
    /// two.
    #[inline(always)]
    fn more(&self, units: V, below: V) -> u64 {
        let ascii = units.and(self.above_ascii).equal16(self.zero);
        !self.splat(0x00FF).select(ascii, below).bits8() & (u64::MAX >> (64 - V::LANES))
    }

    /// [`wide`](Self::wide) of a step at `at` with surrogates; `None` if one of them is alone.
    #[inline(always)]
    fn pairs<O: Order>(
        &self,
        text: &[u8],
        at: usize,
        units: [V; 2],
        below: [V; 2],
        surrogates: [V; 2],
        room: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let halves = self.step_halves::<O>(text, at, units);
        if halves[0].wrong.or(halves[1].wrong).any()
            || !is_ended(O::units(), text, at + 2 * V::LANES)
        {
            return None;
        }
        // No loop: where it takes many instructions, the compiler would leave it one, and all that it needs in memory.
        let [first, second] = halves;
        let to = self.pairs_of(units[0], below[0], surrogates[0], &first, room);
        Some(to + self.pairs_of(units[1], below[1], surrogates[1], &second, &mut room[to..]))
    }

    /// The halves of pairs in a step at `at`.
    #[inline(always)]
    fn step_halves<O: Order>(&self, text: &[u8], at: usize, units: [V; 2]) -> [Halves<V>; 2] {
        let first = self.before::<O>(text, at, units[0]);
        let second = self.load::<O>(text, at + V::LANES - 2);
        [self.halves(units[0], first), self.halves(units[1], second)]
    }

    /// Whether no surrogate of a step at `at` is alone.
    #[inline(always)]
    fn are_pairs<O: Order>(&self, text: &[u8], at: usize, units: [V; 2]) -> bool {
        let [first, second] = self.step_halves::<O>(text, at, units);
        !first.wrong.or(second.wrong).any() && is_ended(O::units(), text, at + 2 * V::LANES)
    }

    /// [`wide`](Self::wide) of units with surrogates.
    #[inline(always)]
    fn pairs_of(
        &self,
        units: V,
        below: V,
        surrogates: V,
        halves: &Halves<V>,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        let bytes = self.with_pairs(self.bytes(units, below), units, surrogates, halves);
        let more = self.more(units, below.or(surrogates));
        V::put_wide(bytes, self.lead(units), more, &mut room[..V::ROOM])
    }

    /// The units in front of each of `units`, those at `at` in `text`.
    #[inline(always)]
    fn before<O: Order>(&self, text: &[u8], at: usize, units: V) -> V {
        match at {
            0 => units.shifted::<2>(),
            _ => self.load::<O>(text, at - 2),
        }
    }

    /// Which units are halves of pairs. `before` are those in front.
    #[inline(always)]
    fn halves(&self, units: V, before: V) -> Halves<V> {
        let (mask, low) = (self.splat(0xFC00), self.splat(0xDC00));
        let low = units.and(mask).equal16(low);
        let behind_high = before.and(mask).equal16(self.surrogate);
        Halves { low, before, wrong: low.xor(behind_high) }
    }

    /// [`bytes`](Self::bytes) with those of surrogates.
    #[inline(always)]
    fn with_pairs(&self, bytes: V, units: V, surrogates: V, halves: &Halves<V>) -> V {
        // For a low surrogate, bits 4 and 5 of byte 1 come from the unit in front.
        let from_high = halves.before.shl16::<12>().and(self.splat(0x3000));
        let low = bytes.and(self.splat(0xCFFF)).or(from_high);
        let plus = units.and(self.splat(0x03FF)).add16(self.splat(0x40));
        let high = plus.and(self.splat(0x0700)).or(self.splat(0xF080));
        let high = high.or(plus.shr16::<2>().and(self.low6));
        surrogates.select(halves.low.select(low, high), bytes)
    }
}

/// The halves of pairs in a vector.
struct Halves<V> {
    /// The low surrogates.
    low: V,
    /// The unit in front of each.
    before: V,
    /// Low surrogates without a high one in front, and what stands behind a high one and is none.
    wrong: V,
}

/// Converts single vectors, of which the last one ends with the text. The error is how far it came.
#[inline(always)]
pub(super) fn ends<V: Lanes16, O: Order, const CESU8: bool>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Result<Reach, Reach> {
    while reach.read < text.len() {
        reach = single::<V, O, CESU8>(encoder, text, dst, reach).ok_or(reach)?;
    }
    Ok(reach)
}

/// Converts a single vector, or what is left of the last one. `None` if there is something wrong in it, or no room.
#[inline(always)]
fn single<V: Lanes16, O: Order, const CESU8: bool>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<Reach> {
    let start = reach.read.min(text.len() - V::LANES);
    if V::MASKED && !CESU8 {
        let units = encoder.load::<O>(text, start);
        match encoder.put_plain(units, (reach.read - start, reach.written), V::LANES, dst) {
            Plain::Put(written) => return Some(Reach { read: start + V::LANES, written }),
            Plain::Full => return None,
            Plain::Other => {}
        }
    }
    let single = Single::inside::<O, CESU8>(encoder, text, start)?;
    // What has been written before is written again.
    let base = reach.written - single.bytes_of(reach.read - start);
    let len = single.put_exactly(V::LANES, &mut dst[base..])?;
    Some(Reach { read: start + V::LANES, written: base + len })
}

/// Converts less than a vector.
#[inline(always)]
fn short<V: Lanes16, O: Order>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::new(token);
    // Behind the end are zeros, which are characters of one byte.
    let units = V::of_words(token, words::padded16(text)).ordered16::<O>();
    let before = units.shifted::<2>();
    let start = Reach { read: 0, written: 0 };
    let Some(single) = Single::of::<false>(&encoder, units, before) else {
        return resume::<O>(src, dst, start);
    };
    match single.put_exactly(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<O>(src, dst, start),
    }
}

/// What came of a vector that might be written in a simpler way.
enum Plain {
    /// Written to this end.
    Put(usize),
    /// It doesn't fit.
    Full,
    /// There is half of a pair in it.
    Other,
}

/// What is written of a single vector.
struct Single<V> {
    bytes: V,
    lead: V,
    more: u64,
}

impl<V: Lanes16> Single<V> {
    /// The vector at `start` in `text`. `None` if a surrogate in it is alone.
    #[inline(always)]
    fn inside<O: Order, const CESU8: bool>(
        encoder: &Encoder<V>,
        text: &[u8],
        start: usize,
    ) -> Option<Self> {
        let units = encoder.load::<O>(text, start);
        let single = Self::of::<CESU8>(encoder, units, encoder.before::<O>(text, start, units));
        if is_ended(O::units(), text, start + V::LANES) { single } else { None }
    }

    /// `None` if a surrogate is alone, as far as `units` and those before them show.
    #[inline(always)]
    fn of<const CESU8: bool>(encoder: &Encoder<V>, units: V, before: V) -> Option<Self> {
        let top = units.and(encoder.top);
        let (below, surrogates) = (top.equal16(encoder.zero), top.equal16(encoder.surrogate));
        let halves = encoder.halves(units, before);
        if halves.wrong.any() {
            return None;
        }
        let bytes = encoder.bytes(units, below);
        if CESU8 {
            if encoder.has_nul([units, units]) {
                return None;
            }
            let more = encoder.more(units, below);
            return Some(Self { bytes, lead: encoder.lead(units), more });
        }
        Some(Self {
            bytes: encoder.with_pairs(bytes, units, surrogates, &halves),
            lead: encoder.lead(units),
            more: encoder.more(units, below.or(surrogates)),
        })
    }

    /// Bytes of the first units, those that take so many bytes of input.
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        input / 2 + (self.more & V::first_bits(input)).count_ones() as usize
    }

    /// Writes what becomes of the first `input` bytes, and not a byte beyond the end of the output; says how many. `None` if it
    /// doesn't fit.
    #[inline(always)]
    fn put_exactly(&self, input: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = self.bytes_of(input);
        if V::MASKED {
            V::put_wide(self.bytes, self.lead, self.more, dst.get_mut(..len)?);
            return Some(len);
        }
        let last = self.bytes_of(V::LANES - V::PUT / 2);
        if let Some(room) = dst.get_mut(..last + V::PUT) {
            V::put_wide(self.bytes, self.lead, self.more, room);
            return Some(len);
        }
        let mut bounce = [MaybeUninit::uninit(); BOUNCE];
        V::put_wide(self.bytes, self.lead, self.more, &mut bounce);
        copy_short(dst.get_mut(..len)?, &bounce[..len]);
        Some(len)
    }
}

/// Leaves the rest to the scalar reference, when everything in front of it has been converted: an error, or the end of the
/// output.
#[inline(never)]
fn resume<O: Order>(src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
    // Back to the first half of a pair, if the second one is next: it has become two bytes.
    let read = boundary(O::units(), src, reach.read);
    let written = reach.written - (reach.read - read);
    scalar::transcode::<O::Utf16, Utf8>(&src[read..], &mut dst[written..]).behind(read, written)
}
