//! The price in bits of a text as bytes, as UTF-16 and as UTF-32, and as a change between these.
//!
//! 1. There is a [`Path`] for each encoding without a change, and for each encoding after a change,
//!    by the remainder of the offset at which its units begin: [`Prices`].
//! 2. Each byte adds to the bytes, and each second or fourth byte to the units that it ends.
//! 3. After each byte, a path is replaced by a change from the cheapest other one, if that costs
//!    less. So each path is the cheapest way to end in its encoding (the Viterbi algorithm).
//! 4. At the end, the text has a change if the cheapest path has one, and if the text on both sides
//!    is plausible: [`Prices::mixture`].

use crate::detect::answer::Mixture;
use crate::detect::likelihood::{self, Bits, Unit};
use crate::detect::runs::{Byte, ILL_FORMED};
use crate::encoding::scheme::Scheme;

/// The cost of a change of encoding after a line feed, where files are joined.
const CHANGE_AFTER_LINE: Bits = 14;
/// The cost of a change of encoding elsewhere.
const ENCODING_CHANGE_BITS: Bits = 20;
/// The cost of a change back to the first encoding: a list separated by NULs has short parts like
/// UTF-16.
const CHANGE_BACK: Bits = 44;
/// What a change has to gain where its second part reads like UTF-16 of the other byte order, from
/// one byte further on.
const TWIN_GAIN: Bits = 40;
/// The least gain of a change: chance makes up for less.
const LEAST_GAIN: Bits = 4;
/// A gain from which a change needs no other evidence.
const CLEAR_GAIN: Bits = 50;

/// The cost of the first NUL in bytes, of each later one, which may separate names, and of one that
/// follows another.
const NUL: Bits = 14;
const LATER_NUL: Bits = 8;
const NUL_AGAIN: Bits = 6;
/// The cost of an unpaired surrogate.
const UNPAIRED: Bits = 90;
/// What an unpaired surrogate costs at most, with the bits of its unit.
const DAMAGE: Bits = UNPAIRED + 30;
/// The cost of an incomplete unit at the end of a text.
const HALF_UNIT: Bits = 12;

/// What the cheapest encoding costs less than all others, at least, where bytes are passed
/// unpriced. Less than [`CHANGE_BACK`]: otherwise the encoding after a change could never lead.
const LEAD: Bits = 40;
/// Bytes after which a change must have shown itself.
const FRESH_BYTES: u64 = 64;

/// How a part of a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bytes,
    Le16,
    Be16,
    Le32,
    Be32,
}

/// A way to read the text so far.
#[derive(Clone, Copy, Debug)]
struct Path {
    bits: Bits,
    /// The script of the last letter in UTF-16, and true if the last unit is a high surrogate.
    script: u8,
    is_high: bool,
    /// Surrogates that are unpaired.
    unpaired: u64,
    /// The first change: its offset, and the encodings before and after it.
    change: Option<(u64, Kind, Kind)>,
    /// True if the first encoding has returned after it.
    has_returned: bool,
    /// True if a byte order mark has come.
    is_marked: bool,
    /// Units of UTF-16 and UTF-32 so far. How many of them show that they are units: Latin-1 in
    /// UTF-16, all that are text in UTF-32. How many are none that text has.
    units: u64,
    shown: u64,
    strange: u64,
    /// Bytes so far; how many are NUL, other control characters, and ill-formed in UTF-8.
    bytes: u64,
    nuls: u64,
    controls: u64,
    ill_formed: u64,
    /// Bytes before the change to bytes that are the start of a sequence of UTF-8.
    open: u8,
}

impl Path {
    const START: Self = Self {
        bits: 0,
        script: 0,
        is_high: false,
        unpaired: 0,
        change: None,
        has_returned: false,
        is_marked: false,
        units: 0,
        shown: 0,
        strange: 0,
        bytes: 0,
        nuls: 0,
        controls: 0,
        ill_formed: 0,
        open: 0,
    };
    /// A price that no path has.
    const NEVER: Bits = 1 << 28;

    /// Adds a unit of UTF-16.
    fn add_unit(&mut self, unit: u16) {
        let found = Unit::classify(unit, &mut self.script);
        self.bits += if unit == 0xFEFF { 0 } else { found.bits };
        self.is_marked |= unit == 0xFEFF && self.change.is_some();
        if self.is_high != (unit & 0xFC00 == 0xDC00) {
            self.bits += UNPAIRED;
            self.unpaired += 1;
        }
        self.is_high = unit & 0xFC00 == 0xD800;
        self.units += 1;
        self.shown += u64::from(found.is_latin || unit == 0xFEFF);
        self.strange += u64::from(!found.is_text);
    }

    /// Adds a unit of UTF-32.
    fn add_wide_unit(&mut self, unit: u32) {
        let (bits, is_text) = match u16::try_from(unit) {
            Ok(0xD800..=0xDFFF) => (UNPAIRED, false),
            Ok(unit) => {
                let found = Unit::classify(unit, &mut self.script);
                (found.bits, found.is_text)
            }
            Err(_) if unit < 0x4_0000 => (20, true),
            Err(_) => (UNPAIRED, false),
        };
        self.bits += bits;
        self.units += 1;
        self.shown += u64::from(is_text);
        self.strange += u64::from(!is_text);
    }

    /// Adds a byte.
    fn add_byte(&mut self, byte: Byte) {
        self.bytes += 1;
        self.ill_formed += u64::from(byte.ill_formed.saturating_sub(u32::from(self.open)));
        if byte.bits > 0 {
            self.open = 0;
        }
        if byte.is_nul {
            self.bits += match (self.nuls, byte.follows_nul) {
                (0, _) => NUL,
                (_, false) => LATER_NUL,
                (_, true) => NUL_AGAIN,
            };
            self.nuls += 1;
        }
        self.bits += byte.bits;
        self.controls += u64::from(byte.is_control);
    }
}

/// The number of states: bytes; UTF-16LE and UTF-16BE for each parity of their first byte; UTF-32LE
/// and UTF-32BE for each remainder by four.
const STATES: usize = 13;
/// The states of encodings that begin at offset 0.
const FROM_START: [usize; 5] = [0, 1, 2, 5, 6];
const KINDS: [Kind; 5] = [Kind::Bytes, Kind::Le16, Kind::Be16, Kind::Le32, Kind::Be32];

/// Returns the states in which a unit ends at the offset `at`, in the order of [`KINDS`].
fn states_at(at: u64) -> [usize; 5] {
    let [parity, quarter] = [2, 4].map(|size| 2 * (at % size) as usize);
    [0, 1 + parity, 2 + parity, 5 + quarter, 6 + quarter]
}

/// The prices of the text so far.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// Of paths without a change, in the order of [`KINDS`].
    unchanged: [Path; 5],
    /// Of paths with changes, by the state.
    changed: [Path; STATES],
    /// Bytes of the text before the first one that is priced.
    skipped: u64,
}

impl Prices {
    /// Returns the prices after `skipped` bytes, of which `ill_formed` are ill-formed in UTF-8.
    pub(super) fn new(skipped: u64, ill_formed: u64) -> Self {
        let never = Path { bits: Path::NEVER, ..Path::START };
        let rare = Path { bits: likelihood::RARE_16, ..Path::START };
        let wide = if skipped == 0 || ill_formed > 0 { rare } else { never };
        let bytes = Path { bytes: skipped, ill_formed, ..Path::START };
        Self { unchanged: [bytes, wide, wide, wide, wide], changed: [never; STATES], skipped }
    }

    /// Adds the byte at `at`, which is the last one of `last`. A character of UTF-8 of which `open`
    /// bytes have come is not yet priced.
    pub(super) fn push(&mut self, at: u64, last: [u8; 4], in_utf8: Byte, open: u8) {
        self.unchanged[0].add_byte(in_utf8);
        self.changed[0].add_byte(in_utf8);
        let end = at + 1;
        let states = states_at(end);
        if end >= 2 {
            let two = [last[2], last[3]];
            for (kind, unit) in [(1, u16::from_le_bytes(two)), (2, u16::from_be_bytes(two))] {
                self.each(kind, states[kind], |path| path.add_unit(unit));
            }
        }
        if end >= 4 {
            for (kind, unit) in [(3, u32::from_le_bytes(last)), (4, u32::from_be_bytes(last))] {
                self.each(kind, states[kind], |path| path.add_wide_unit(unit));
            }
        }
        self.change(end, last, open);
    }

    /// Returns true if the text so far is well-formed in UTF-16LE, or in UTF-16BE.
    #[cfg(feature = "alloc")]
    pub(super) fn is_utf16(&self, is_little: bool) -> bool {
        let path = &self.unchanged[if is_little { 1 } else { 2 }];
        self.skipped == 0 && path.unpaired == 0 && !path.is_high
    }

    /// Adds to the paths of a state.
    fn each(&mut self, kind: usize, state: usize, add: impl Fn(&mut Path)) {
        if FROM_START[kind] == state {
            add(&mut self.unchanged[kind]);
        }
        if self.changed[state].bits < Path::NEVER {
            add(&mut self.changed[state]);
        }
    }

    /// Replaces each path that is dearer than a change to its encoding at `at`, after `last`, and
    /// `open` bytes of a character of UTF-8.
    fn change(&mut self, at: u64, last: [u8; 4], open: u8) {
        let states = states_at(at);
        // The cheapest source of a change, and the cheapest one of another encoding.
        let mut best = [(Path::NEVER, 0); 2];
        for (kind, &state) in states.iter().enumerate() {
            let is_line = match kind {
                0 => last[3] == b'\n',
                1 => last[2..] == [b'\n', 0],
                2 => last[2..] == [0, b'\n'],
                3 => last == [b'\n', 0, 0, 0],
                _ => last == [0, 0, 0, b'\n'],
            };
            let cost = if is_line { CHANGE_AFTER_LINE } else { ENCODING_CHANGE_BITS };
            if FROM_START[kind] != state {
                continue;
            }
            let open = if kind == 0 { Bits::from(open) * ILL_FORMED } else { 0 };
            let source = (self.unchanged[kind].bits + cost + open, kind);
            if source < best[0] {
                best = [source, best[0]];
            } else {
                best[1] = best[1].min(source);
            }
        }
        for (kind, &state) in states.iter().enumerate() {
            let (bits, from) = if best[0].1 == kind { best[1] } else { best[0] };
            if bits < self.changed[state].bits {
                let path = self.unchanged[from];
                let change = Some((at, KINDS[from], KINDS[kind]));
                let open = if kind == 0 { open } else { 0 };
                self.changed[state] =
                    Path { bits, script: 0, is_high: false, change, open, ..path };
            }
        }
        for from in states {
            let path = self.changed[from];
            let bits = path.bits + CHANGE_BACK;
            let Some((_, first, _)) = path.change else { continue };
            let kind = KINDS.iter().position(|kind| *kind == first).unwrap_or(0);
            let to = states[kind];
            if !path.has_returned && to != from && bits < self.changed[to].bits {
                let has_returned = true;
                self.changed[to] = Path { bits, script: 0, is_high: false, has_returned, ..path };
            }
        }
    }

    /// Returns the encoding that costs far less than all others at the offset `at`, if there is one
    /// of bytes or UTF-16. UTF-16 in one byte order is no other one than UTF-16 in the other byte
    /// order from a byte further on.
    pub(super) fn leader(&self, at: u64) -> Option<Leader> {
        let [here, next] = [at, at + 1].map(states_at);
        [Leader::Bytes, Leader::Le, Leader::Be].into_iter().find(|leader| {
            let own = leader.states(here, next);
            let unchanged = self.unchanged.iter().zip(FROM_START);
            let changed = self.changed.iter().zip(0..STATES);
            let (mut least, mut other) = (Path::NEVER, Path::NEVER);
            for (path, state) in unchanged.chain(changed) {
                let is_own = own.contains(&state);
                if is_own && path.is_high {
                    return false;
                }
                // A change that is as cheap as no change, because nothing has come after it.
                if is_own || path.change.is_none_or(|(offset, ..)| offset + FRESH_BYTES < at) {
                    let bits = if is_own { &mut least } else { &mut other };
                    *bits = path.bits.min(*bits);
                }
            }
            other.saturating_sub(least) >= LEAD
        })
    }

    /// Passes bytes that begin at `at` and end with `last`, unpriced, because they are plain in the
    /// encoding that leads.
    pub(super) fn pass(&mut self, at: u64, passed: Passed, last: [u8; 4]) {
        let [here, next] = [at, at + 1].map(states_at);
        let own = passed.leader.states(here, next);
        let add = 8 * passed.len as Bits;
        let pass = |path: &mut Path| match passed.leader {
            Leader::Bytes => {
                path.bytes += passed.len;
                path.ill_formed += passed.ill_formed;
            }
            Leader::Le | Leader::Be => {
                path.units += passed.len / 2;
                path.shown += passed.shown;
            }
        };
        for (path, state) in self.unchanged.iter_mut().zip(FROM_START) {
            if own.contains(&state) { pass(path) } else { path.bits += add }
        }
        for (state, path) in self.changed.iter_mut().enumerate() {
            if own.contains(&state) { pass(path) } else { path.bits = Path::NEVER }
        }
        self.change(at + passed.len, last, 0);
        self.renew();
    }

    /// Subtracts the least price from all prices, which keeps them small.
    pub(super) fn renew(&mut self) {
        let all = self.unchanged.iter().chain(&self.changed);
        let least = all.map(|path| path.bits).min().unwrap_or(0);
        for path in self.unchanged.iter_mut().chain(&mut self.changed) {
            path.bits = (path.bits - least).min(Path::NEVER);
        }
    }

    /// Returns the parts of a text of `len` bytes, if the cheapest price has some. `reading` is
    /// what the text as a whole is taken for.
    pub(super) fn mixture(&self, len: u64, whole: bool, reading: Reading) -> Option<Mixture> {
        let ends = states_at(len);
        let price = |path: &Path, state: usize| {
            path.bits + if whole && !ends.contains(&state) { HALF_UNIT } else { 0 }
        };
        // Bytes that are not priced are no part of UTF-16 that would be the whole text.
        let possible = if self.skipped > 0 && reading != Reading::Wide { 1 } else { KINDS.len() };
        let unchanged = self.unchanged.iter().zip(FROM_START).take(possible);
        let least = unchanged.map(|(path, state)| price(path, state)).min()?;
        let changed = self.changed.iter().enumerate();
        let (bits, state, path) = changed
            .map(|(state, path)| (price(path, state), state, path))
            .min_by_key(|(bits, ..)| *bits)?;
        let gain = least.checked_sub(bits).filter(|gain| *gain >= LEAST_GAIN)?;
        let (boundary, from, to) = path.change?;
        let twin = match state {
            3 => self.unchanged[2].bits,
            4 => self.unchanged[1].bits,
            _ => Path::NEVER,
        };
        // After UTF-16, chance makes up for a little in each unit.
        let by_chance = if from == Kind::Bytes { 0 } else { (path.units / 64) as Bits };
        if !path.is_marked && twin.saturating_sub(bits) < TWIN_GAIN + by_chance {
            return None;
        }
        // A byte order mark alone is no part.
        let mark = match from {
            Kind::Bytes => 0,
            Kind::Le16 | Kind::Be16 => 2,
            Kind::Le32 | Kind::Be32 => 4,
        };
        let is_like_utf8 = 4 * path.ill_formed <= path.bytes;
        // UTF-16 of every language has spaces or line feeds, and bytes hardly ever have NULs.
        let has_units = path.shown > 0 && 64 * path.shown >= path.units;
        let is_wide = reading == Reading::Wide;
        // An unpaired surrogate alone is damage, and no other encoding.
        let damage = KINDS.iter().zip(&self.unchanged).find(|(kind, _)| **kind == from);
        let damage = damage.map_or(0, |(_, path)| DAMAGE * path.unpaired.min(2) as Bits);
        let is_plausible = match (from, to) {
            _ if gain <= damage && !path.is_marked => false,
            _ if reading == Reading::Legacy && self.unchanged[0].nuls > 0 => {
                has_units || gain >= CLEAR_GAIN
            }
            (Kind::Bytes, _) => has_units,
            (_, Kind::Bytes) => (is_wide || has_units) && (is_like_utf8 || gain >= CLEAR_GAIN),
            _ => 4 * path.shown >= path.units || is_wide && gain >= CLEAR_GAIN,
        };
        // Control characters are counted from the first priced byte on.
        let priced = if from == Kind::Bytes { path.bytes - self.skipped } else { path.bytes };
        let is_text = 16 * (path.controls + path.nuls) <= priced
            && 32 * (path.strange + path.unpaired) <= path.units;
        let scheme = |kind| match kind {
            Kind::Bytes => (path.ill_formed == 0).then_some(Scheme::Utf8),
            Kind::Le16 => Some(Scheme::Utf16Le),
            Kind::Be16 => Some(Scheme::Utf16Be),
            Kind::Le32 => Some(Scheme::Utf32Le),
            Kind::Be32 => Some(Scheme::Utf32Be),
        };
        let mixture = Mixture { first: scheme(from), boundary, second: scheme(to) };
        (is_text && is_plausible && boundary > mark).then_some(mixture)
    }
}

/// What a text as a whole is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// UTF-16 or UTF-32.
    Wide,
    /// An encoding from before Unicode, in which text hardly ever has NULs.
    Legacy,
    Other,
}

/// The encoding that is cheapest by [`LEAD`]. UTF-16LE from here on and UTF-16BE from the next byte
/// on count as one, because their bytes look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leader {
    Bytes,
    /// UTF-16 whose low bytes come first.
    Le,
    Be,
}

impl Leader {
    /// Returns its states, of those in which a unit ends here and at the next byte.
    fn states(self, here: [usize; 5], next: [usize; 5]) -> [usize; 2] {
        match self {
            Self::Bytes => [0, 0],
            Self::Le => [here[1], next[2]],
            Self::Be => [here[2], next[1]],
        }
    }
}

/// Bytes that are plain in the encoding that leads.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    pub(super) leader: Leader,
    pub(super) len: u64,
    /// Bytes that are ill-formed in UTF-8, if the leader is [`Leader::Bytes`].
    pub(super) ill_formed: u64,
    /// Units of Latin-1, otherwise.
    pub(super) shown: u64,
}
