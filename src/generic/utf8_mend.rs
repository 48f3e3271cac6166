//! UTF-8 mended: every ill-formed sequence replaced by the same few bytes, or by none.
//!
//! Maximal subparts as bits. A byte is *covered* if it goes on what begins in front of it: the second byte of a sequence is
//! if the lead byte allows it, the third if the second is, the fourth if the third is. Every other byte begins something,
//! and what it begins is good if as many bytes as the lead byte wants are covered. So all sequences of 64 bytes, good and
//! bad, are known from five words of bits, whatever there is of each; only what is copied between two bad ones depends on
//! the text. Whether a second byte is allowed is what the tables of the [check](super::utf8) say.

use core::mem::MaybeUninit;

use super::utf8::{Checker, WRONG_SECOND};
use crate::arch::Vector;
use crate::scalar::mend::{End, Mended};
use crate::scalar::{Decode, utf8::character_start};
use crate::{Utf8, encoding::view};

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Bytes that are readable from the beginning of a block on, so that what is copied from it may be copied in whole vectors.
const WINDOW: usize = 2 * BLOCK;

/// Room that a block takes, if each of its bytes becomes four, and what copies write beyond.
pub(crate) const ROOM: usize = 4 * BLOCK + BLOCK;

/// Well-formed bytes behind which it is for others to go on.
const CALM: usize = 16 * BLOCK;

/// What stands for each ill-formed sequence: the first `len` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) bytes: [u8; 4],
    pub(crate) len: usize,
}

/// The sequences of a block, a bit for each byte.
#[derive(Clone, Copy)]
struct Sequences {
    /// Where they begin.
    starts: u64,
    /// Where those begin that are ill-formed.
    bad: u64,
    /// Bytes of the block in front of a sequence that may go on behind it.
    whole: usize,
}

/// How far it came.
struct State<'a> {
    dst: &'a mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
    repairs: usize,
    /// Bytes since the last repair.
    calm: usize,
}

/// Mends `src` as long as there is [`ROOM`] in `dst`, and as long as there is something to mend. `open` says that `src` may go
/// on.
#[inline(always)]
pub(crate) fn mend<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    piece: Piece,
    open: bool,
) -> Mended {
    let (given, src) = (src.len(), if open { &src[..closed(src)] } else { src });
    let checker = Checker::<V>::new(token);
    let mut state = State { dst, read: 0, written: 0, repairs: 0, calm: 0 };
    let mut end = End::Input;
    while let Some(window) = src[state.read..].first_chunk::<WINDOW>() {
        if state.dst.len() - state.written < ROOM || state.calm >= CALM {
            end = if state.calm >= CALM { End::Calm } else { End::Output };
            break;
        }
        block::<V>(&checker, token, window, BLOCK, piece, &mut state);
    }
    if end == End::Input {
        end = rest::<V>(&checker, token, src, piece, &mut state);
    }
    if end == End::Input && src.len() < given {
        end = End::Open;
    }
    Mended { read: state.read, written: state.written, repairs: state.repairs, end }
}

/// Mends the end of `src`, of which less than [`WINDOW`] is left.
#[inline(always)]
fn rest<V: Vector>(
    checker: &Checker<V>,
    token: V::Token,
    src: &[u8],
    piece: Piece,
    state: &mut State<'_>,
) -> End {
    let from = state.read;
    let rest = &src[from..];
    let mut padded = [0; WINDOW + BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    while state.read < src.len() {
        if state.dst.len() - state.written < ROOM {
            return End::Output;
        }
        let at = state.read - from;
        let Some(window) = padded[at..].first_chunk::<WINDOW>() else { break };
        block::<V>(checker, token, window, rest.len() - at, piece, state);
    }
    End::Input
}

/// Bytes of `src` in front of a sequence that its end cuts.
fn closed(src: &[u8]) -> usize {
    let start = character_start(src, src.len().saturating_sub(1));
    match src.get(start..).filter(|last| !last.is_empty()).map(Utf8::decode) {
        Some(Err(flaw)) if flaw.len == 0 => start,
        _ => src.len(),
    }
}

/// Mends the block at the front of `window`, of which `len` bytes are text and the others zero.
#[inline(always)]
fn block<V: Vector>(
    checker: &Checker<V>,
    token: V::Token,
    window: &[u8; WINDOW],
    len: usize,
    piece: Piece,
    state: &mut State<'_>,
) {
    let sequences = Sequences::of::<V>(checker, token, window);
    // A sequence that the end of the text cuts doesn't go on: behind it there are zeros.
    let whole = sequences.whole.min(len);
    let (mut from, mut bad) = (0, sequences.bad & first(whole));
    state.repairs += bad.count_ones() as usize;
    state.calm = if bad == 0 { state.calm + whole } else { 0 };
    while bad != 0 {
        let at = bad.trailing_zeros() as usize;
        state.copy::<V>(token, window, from, at);
        state.put(piece);
        bad &= bad - 1;
        // Bits up to `at` out of the way; what stays is where the next one begins.
        from = (sequences.starts & !first(at) & !(1 << at)).trailing_zeros() as usize;
    }
    state.copy::<V>(token, window, from, whole);
    state.read += whole;
}

/// The lowest `n` bits, at most 64.
#[inline(always)]
fn first(n: usize) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

impl Sequences {
    #[inline(always)]
    fn of<V: Vector>(checker: &Checker<V>, token: V::Token, window: &[u8; WINDOW]) -> Self {
        let vector = |k: usize| V::load(token, window, k * V::LANES);
        let high = bits::<V>(|k| vector(k).high());
        if high == 0 {
            return Self { starts: u64::MAX, bad: 0, whole: BLOCK };
        }
        let continuation = bits::<V>(|k| vector(k).continuation());
        let three = bits::<V>(|k| vector(k).at_least(token, 0xE0));
        let four = bits::<V>(|k| vector(k).at_least(token, 0xF0));
        let zero = V::splat(token, 0);
        let allowed = bits::<V>(|k| {
            let back = if k == 0 {
                vector(0).shifted::<1>()
            } else {
                V::load(token, &window[V::LANES - 1..], (k - 1) * V::LANES)
            };
            checker.special(vector(k), back).and(V::splat(token, WRONG_SECOND)).equal(zero)
        });
        let lead = high & !continuation;
        let second = continuation & (lead << 1) & allowed;
        let third = continuation & (second << 1) & (three << 2);
        let fourth = continuation & (third << 1) & (four << 3);
        let starts = !(second | third | fourth);
        let good = !high
            | lead & !three & (second >> 1)
            | three & !four & (third >> 2)
            | four & (fourth >> 3);
        // What begins in the last three bytes may want more than there are.
        let last = lead & u64::MAX << 63 | three & u64::MAX << 62 | four & u64::MAX << 61;
        let cut = last & starts & !good;
        let whole = if cut == 0 { BLOCK } else { 63 - cut.leading_zeros() as usize };
        Self { starts, bad: starts & !good, whole }
    }
}

/// The masks of a block as bits.
#[inline(always)]
fn bits<V: Vector>(mask: impl Fn(usize) -> V::Mask) -> u64 {
    match V::LANES {
        64 => V::bits(&[mask(0)]),
        32 => V::bits(&[mask(0), mask(1)]),
        _ => V::bits(&[mask(0), mask(1), mask(2), mask(3)]),
    }
}

impl State<'_> {
    /// Copies bytes `from..to` of the window.
    #[inline(always)]
    fn copy<V: Vector>(
        &mut self,
        token: V::Token,
        window: &[u8; WINDOW],
        from: usize,
        to: usize,
    ) {
        let (src, room) = (&window[from..], &mut self.dst[self.written..]);
        let mut at = 0;
        loop {
            V::load(token, src, at).store_bytes(room, at);
            at += V::LANES;
            if from + at >= to {
                break;
            }
        }
        self.written += to - from;
    }

    /// Writes what stands for a sequence.
    #[inline(always)]
    fn put(&mut self, piece: Piece) {
        self.dst[self.written..][..4].copy_from_slice(view::as_uninit(&piece.bytes));
        self.written += piece.len;
    }
}
