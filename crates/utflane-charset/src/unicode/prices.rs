//! The cost in bits of a text that is read as bytes, as UTF-16 or as UTF-32, or first as one of
//! these and then as another.
//!
//! 1. There is a [`Path`] for each encoding without a change. For changes, there is a path for each
//!    encoding after the change, and for each remainder of the offsets at which its units begin:
//!    [`Prices`].
//! 2. Each byte adds its cost to the paths that read bytes. A byte that ends a unit of UTF-16 or
//!    UTF-32 adds the cost of the unit to the paths that read such units.
//! 3. After each byte, a path is replaced by a change from the cheapest path of another encoding,
//!    if the change costs less. So each path is the cheapest way to end in its encoding (the
//!    Viterbi algorithm).
//! 4. At the end, the text has a change of encoding if the cheapest path has a change, and if the
//!    text on both sides is plausible: [`Prices::mixture`].

use utflane::Scheme;

use crate::unicode::answer::Mixture;
use crate::unicode::likelihood::{self, Bits, Unit};
use crate::unicode::runs::{Byte, ILL_FORMED_COST};

/// The cost of a change of encoding after a line feed, where files are joined.
const CHANGE_AFTER_LINE_COST: Bits = 14;
/// The cost of a change of encoding elsewhere.
const ENCODING_CHANGE_COST: Bits = 20;
/// The cost of a change back to the first encoding. A list that is separated by NULs has short
/// segments that look like UTF-16.
const CHANGE_BACK_COST: Bits = 44;
/// The minimum gain of a change to UTF-16 whose units look like UTF-16 in the other byte order,
/// shifted by one byte. The gain is counted against a text that is in this other encoding from the
/// start.
const TWIN_MIN_GAIN: Bits = 40;
/// The minimum gain of a change. A smaller gain may be chance.
const MIN_GAIN: Bits = 4;
/// The gain from which a change needs no other evidence.
const CLEAR_GAIN: Bits = 50;

/// The cost of the first NUL byte in a text that is read as bytes.
const FIRST_NUL_COST: Bits = 14;
/// The cost of a later NUL byte, which may separate names.
const LATER_NUL_COST: Bits = 8;
/// The cost of a NUL byte that follows another NUL byte.
const CONSECUTIVE_NUL_COST: Bits = 6;
/// The cost of an unpaired surrogate.
const UNPAIRED_COST: Bits = 90;
/// The maximum cost of an unpaired surrogate, including the cost of the unit.
const UNPAIRED_MAX_COST: Bits = UNPAIRED_COST + 30;
/// The cost of an incomplete unit at the end of a text.
const INCOMPLETE_UNIT_COST: Bits = 12;

/// Bytes are skipped without pricing only if the cheapest encoding costs less than every other
/// encoding by at least this many bits. The value is less than [`CHANGE_BACK_COST`]: otherwise the
/// encoding after a change could never lead.
const LEAD_MIN_BITS: Bits = 40;
/// The number of bytes after a change in which the change costs hardly more than no change, because
/// little text follows it.
const RECENT_CHANGE_BYTES: u64 = 64;

/// The units in which a part of a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bytes,
    Le16,
    Be16,
    Le32,
    Be32,
}

/// A way to read the text so far, with at most one change and one change back.
#[derive(Clone, Copy, Debug)]
struct Path {
    bits: Bits,
    /// The script of the last letter in UTF-16 or UTF-32.
    script: u8,
    /// True if the last unit of UTF-16 is a high surrogate.
    is_high: bool,
    /// The number of unpaired surrogates.
    unpaired: u64,
    /// The first change: its byte offset, and the units before and after it.
    change: Option<(u64, Kind, Kind)>,
    /// True if the path has changed back to the first encoding.
    has_returned: bool,
    /// True if the text after the change has a byte order mark of UTF-16.
    is_marked: bool,
    /// The number of units of UTF-16 and UTF-32 so far.
    units: u64,
    /// The number of units that are evidence for the encoding: in UTF-16 characters of Latin-1 and
    /// byte order marks, in UTF-32 all units that occur in text.
    evident_units: u64,
    /// The number of units that do not occur in text.
    implausible_units: u64,
    /// The number of bytes that were read as bytes so far.
    bytes: u64,
    /// The number of NUL bytes.
    nuls: u64,
    /// The number of other control characters that text does not have.
    controls: u64,
    /// The number of bytes that are ill-formed in UTF-8. In skipped text, each ill-formed sequence
    /// counts as one byte.
    ill_formed: u64,
    /// The number of bytes that belong to the start of a sequence of UTF-8, but precede the change
    /// to [`Kind::Bytes`].
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
        evident_units: 0,
        implausible_units: 0,
        bytes: 0,
        nuls: 0,
        controls: 0,
        ill_formed: 0,
        open: 0,
    };
    /// The cost of a path that is not in use.
    const UNUSED_COST: Bits = 1 << 28;

    /// Adds a unit of UTF-16.
    fn add_unit(&mut self, unit: u16) {
        let found = Unit::classify(unit, &mut self.script);
        self.bits += if unit == 0xFEFF { 0 } else { found.bits };
        self.is_marked |= unit == 0xFEFF && self.change.is_some();
        if self.is_high != (unit & 0xFC00 == 0xDC00) {
            self.bits += UNPAIRED_COST;
            self.unpaired += 1;
        }
        self.is_high = unit & 0xFC00 == 0xD800;
        self.units += 1;
        self.evident_units += u64::from(found.is_latin || unit == 0xFEFF);
        self.implausible_units += u64::from(!found.is_text);
    }

    /// Adds a unit of UTF-32.
    fn add_wide_unit(&mut self, unit: u32) {
        let (bits, is_text) = match u16::try_from(unit) {
            Ok(0xD800..=0xDFFF) => (UNPAIRED_COST, false),
            Ok(unit) => {
                let found = Unit::classify(unit, &mut self.script);
                (found.bits, found.is_text)
            }
            // Supplementary characters in planes 1 to 3.
            Err(_) if unit < 0x4_0000 => (20, true),
            Err(_) => (UNPAIRED_COST, false),
        };
        self.bits += bits;
        self.units += 1;
        self.evident_units += u64::from(is_text);
        self.implausible_units += u64::from(!is_text);
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
                (0, _) => FIRST_NUL_COST,
                (_, false) => LATER_NUL_COST,
                (_, true) => CONSECUTIVE_NUL_COST,
            };
            self.nuls += 1;
        }
        self.bits += byte.bits;
        self.controls += u64::from(byte.is_control);
    }
}

/// The number of states of a path: one state for bytes; for UTF-16LE and for UTF-16BE, one state
/// for each parity of the offsets of the units; for UTF-32LE and for UTF-32BE, one state for each
/// remainder of the offsets modulo four.
const STATES: usize = 13;
/// The states of encodings whose first unit begins at offset 0, in the order of [`ALL_KINDS`].
const STATES_FROM_START: [usize; 5] = [0, 1, 2, 5, 6];
const ALL_KINDS: [Kind; 5] = [Kind::Bytes, Kind::Le16, Kind::Be16, Kind::Le32, Kind::Be32];

/// Returns the states in which a unit ends at the byte offset `at`, in the order of [`ALL_KINDS`].
fn states_at(at: u64) -> [usize; 5] {
    let [parity, quarter] = [2, 4].map(|size| 2 * (at % size) as usize);
    [0, 1 + parity, 2 + parity, 5 + quarter, 6 + quarter]
}

/// The costs of the text so far.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// The paths without a change, in the order of [`ALL_KINDS`].
    unchanged: [Path; 5],
    /// The paths with changes, one for each state.
    changed: [Path; STATES],
    /// The number of bytes before the first byte that is priced.
    skipped: u64,
}

impl Prices {
    /// Returns the costs after `skipped` bytes, which have `ill_formed` ill-formed sequences of
    /// UTF-8.
    pub(super) fn new(skipped: u64, ill_formed: u64) -> Self {
        let unused = Path { bits: Path::UNUSED_COST, ..Path::START };
        let rare = Path { bits: likelihood::RARE_UTF16_COST, ..Path::START };
        let wide = if skipped == 0 || ill_formed > 0 { rare } else { unused };
        let bytes = Path { bytes: skipped, ill_formed, ..Path::START };
        Self { unchanged: [bytes, wide, wide, wide, wide], changed: [unused; STATES], skipped }
    }

    /// Adds the byte at the byte offset `at`. `last` holds the last four bytes up to this byte. The
    /// last `open` bytes are an incomplete character of UTF-8, whose cost is not added yet.
    pub(super) fn push(&mut self, at: u64, last: [u8; 4], in_utf8: Byte, open: u8) {
        self.unchanged[0].add_byte(in_utf8);
        self.changed[0].add_byte(in_utf8);
        let end = at + 1;
        let states = states_at(end);
        if end >= 2 {
            let two = [last[2], last[3]];
            for (kind, unit) in [(1, u16::from_le_bytes(two)), (2, u16::from_be_bytes(two))] {
                self.add_to_state(kind, states[kind], |path| path.add_unit(unit));
            }
        }
        if end >= 4 {
            for (kind, unit) in [(3, u32::from_le_bytes(last)), (4, u32::from_be_bytes(last))] {
                self.add_to_state(kind, states[kind], |path| path.add_wide_unit(unit));
            }
        }
        self.apply_changes(end, last, open);
    }

    /// Returns true if the text so far is well-formed in UTF-16LE if `is_little`, else in UTF-16BE.
    pub(super) fn is_utf16(&self, is_little: bool) -> bool {
        let path = &self.unchanged[if is_little { 1 } else { 2 }];
        self.skipped == 0 && path.unpaired == 0 && !path.is_high
    }

    /// Calls `add` with the paths that are in `state` and whose units are `kind`.
    fn add_to_state(&mut self, kind: usize, state: usize, add: impl Fn(&mut Path)) {
        if STATES_FROM_START[kind] == state {
            add(&mut self.unchanged[kind]);
        }
        if self.changed[state].bits < Path::UNUSED_COST {
            add(&mut self.changed[state]);
        }
    }

    /// Replaces each path that costs more than a change to its encoding at the byte offset `at`.
    /// `last` holds the four bytes before `at`. The last `open` of them are an incomplete character
    /// of UTF-8, whose cost is not added yet.
    fn apply_changes(&mut self, at: u64, last: [u8; 4], open: u8) {
        let states = states_at(at);
        // The two cheapest paths from which to change, in different encodings. The second path is
        // used for a change to the encoding of the first path.
        let mut best = [(Path::UNUSED_COST, 0); 2];
        for (kind, &state) in states.iter().enumerate() {
            let is_line = match kind {
                0 => last[3] == b'\n',
                1 => last[2..] == [b'\n', 0],
                2 => last[2..] == [0, b'\n'],
                3 => last == [b'\n', 0, 0, 0],
                _ => last == [0, 0, 0, b'\n'],
            };
            let cost = if is_line { CHANGE_AFTER_LINE_COST } else { ENCODING_CHANGE_COST };
            if STATES_FROM_START[kind] != state {
                continue;
            }
            let open_cost = if kind == 0 { Bits::from(open) * ILL_FORMED_COST } else { 0 };
            let source = (self.unchanged[kind].bits + cost + open_cost, kind);
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
                let change = Some((at, ALL_KINDS[from], ALL_KINDS[kind]));
                let open = if kind == 0 { open } else { 0 };
                self.changed[state] =
                    Path { bits, script: 0, is_high: false, change, open, ..path };
            }
        }
        for from in states {
            let path = self.changed[from];
            let bits = path.bits + CHANGE_BACK_COST;
            let Some((_, first, _)) = path.change else { continue };
            let kind = ALL_KINDS.iter().position(|kind| *kind == first).unwrap_or(0);
            let to = states[kind];
            if !path.has_returned && to != from && bits < self.changed[to].bits {
                let has_returned = true;
                self.changed[to] = Path { bits, script: 0, is_high: false, has_returned, ..path };
            }
        }
    }

    /// Returns the encoding that costs far less than all other encodings at the byte offset `at`,
    /// if there is such an encoding. UTF-16LE, and UTF-16BE one byte further, count as one
    /// encoding, because their bytes look alike.
    pub(super) fn find_leader(&self, at: u64) -> Option<Leader> {
        let [here, next] = [at, at + 1].map(states_at);
        Leader::ALL.into_iter().find(|leader| {
            let own_states = leader.states(here, next);
            let unchanged = self.unchanged.iter().zip(STATES_FROM_START);
            let changed = self.changed.iter().zip(0..STATES);
            let (mut own_bits, mut other_bits) = (Path::UNUSED_COST, Path::UNUSED_COST);
            for (path, state) in unchanged.chain(changed) {
                let is_own = own_states.contains(&state);
                if is_own && path.is_high {
                    return false;
                }
                // A recent change in another encoding is ignored: it costs hardly more than no
                // change, because little text follows it.
                if is_own
                    || path.change.is_none_or(|(offset, ..)| offset + RECENT_CHANGE_BYTES < at)
                {
                    let bits = if is_own { &mut own_bits } else { &mut other_bits };
                    *bits = path.bits.min(*bits);
                }
            }
            other_bits.saturating_sub(own_bits) >= LEAD_MIN_BITS
        })
    }

    /// Skips a segment without pricing it, because it is ordinary text in the leading encoding. The
    /// segment begins at the byte offset `at` and ends with the bytes `last`.
    pub(super) fn skip_plain(&mut self, at: u64, segment: PlainSegment, last: [u8; 4]) {
        let [here, next] = [at, at + 1].map(states_at);
        let own_states = segment.leader.states(here, next);
        let other_cost = 8 * segment.len as Bits;
        let add_counts = |path: &mut Path| match segment.leader {
            Leader::Bytes => {
                path.bytes += segment.len;
                path.ill_formed += segment.ill_formed;
            }
            Leader::Le | Leader::Be => {
                path.units += segment.len / 2;
                path.evident_units += segment.evident_units;
            }
            Leader::Le32 | Leader::Be32 => {
                path.units += segment.len / 4;
                path.evident_units += segment.evident_units;
            }
        };
        for (path, state) in self.unchanged.iter_mut().zip(STATES_FROM_START) {
            if own_states.contains(&state) { add_counts(path) } else { path.bits += other_cost }
        }
        for (state, path) in self.changed.iter_mut().enumerate() {
            if own_states.contains(&state) {
                add_counts(path);
            } else {
                path.bits = Path::UNUSED_COST;
            }
        }
        self.apply_changes(at + segment.len, last, 0);
        self.subtract_minimum();
    }

    /// Subtracts the cost of the cheapest path from the costs of all paths, which keeps them small.
    pub(super) fn subtract_minimum(&mut self) {
        let all_paths = self.unchanged.iter().chain(&self.changed);
        let minimum = all_paths.map(|path| path.bits).min().unwrap_or(0);
        for path in self.unchanged.iter_mut().chain(&mut self.changed) {
            path.bits = (path.bits - minimum).min(Path::UNUSED_COST);
        }
    }

    /// Returns the parts of a text of `len` bytes, if the cheapest path has a change and the parts
    /// are plausible. `whole` is true if the text ends here. `family` is the family of the encoding
    /// that was detected for the whole text.
    pub(super) fn mixture(&self, len: u64, whole: bool, family: Family) -> Option<Mixture> {
        let ends = states_at(len);
        let final_cost = |path: &Path, state: usize| {
            path.bits + if whole && !ends.contains(&state) { INCOMPLETE_UNIT_COST } else { 0 }
        };
        // If the first bytes were not priced, the whole text is not UTF-16 or UTF-32, unless these
        // were detected.
        let possible = if self.skipped > 0 && family != Family::Wide { 1 } else { ALL_KINDS.len() };
        let unchanged = self.unchanged.iter().zip(STATES_FROM_START).take(possible);
        let unchanged_bits = unchanged.map(|(path, state)| final_cost(path, state)).min()?;
        let changed = self.changed.iter().enumerate();
        let (bits, state, path) = changed
            .map(|(state, path)| (final_cost(path, state), state, path))
            .min_by_key(|(bits, ..)| *bits)?;
        let gain = unchanged_bits.checked_sub(bits).filter(|gain| *gain >= MIN_GAIN)?;
        let (boundary, from, to) = path.change?;
        // The cost of the whole text as UTF-16 in the other byte order.
        let twin_bits = match state {
            3 => self.unchanged[2].bits,
            4 => self.unchanged[1].bits,
            _ => Path::UNUSED_COST,
        };
        // If the first part is UTF-16 or UTF-32, each unit may add a little gain by chance.
        let by_chance = if from == Kind::Bytes { 0 } else { (path.units / 64) as Bits };
        if !path.is_marked && twin_bits.saturating_sub(bits) < TWIN_MIN_GAIN + by_chance {
            return None;
        }
        // A byte order mark alone does not count as a part.
        let mark_len = match from {
            Kind::Bytes => 0,
            Kind::Le16 | Kind::Be16 => 2,
            Kind::Le32 | Kind::Be32 => 4,
        };
        let is_like_utf8 = 4 * path.ill_formed <= path.bytes;
        // UTF-16 in every language has spaces or line feeds, and text that is read as bytes hardly
        // ever has NUL bytes.
        let has_units = path.evident_units > 0 && 64 * path.evident_units >= path.units;
        let is_wide = family == Family::Wide;
        // Unpaired surrogates are errors, and not evidence for another encoding. So the gain must
        // be larger than the cost of the first two.
        let first = ALL_KINDS.iter().zip(&self.unchanged).find(|(kind, _)| **kind == from);
        let unpaired_cost =
            first.map_or(0, |(_, path)| UNPAIRED_MAX_COST * path.unpaired.min(2) as Bits);
        let is_plausible = match (from, to) {
            _ if gain <= unpaired_cost && !path.is_marked => false,
            _ if family == Family::Legacy && self.unchanged[0].nuls > 0 => {
                has_units || gain >= CLEAR_GAIN
            }
            (Kind::Bytes, _) => has_units,
            (_, Kind::Bytes) => (is_wide || has_units) && (is_like_utf8 || gain >= CLEAR_GAIN),
            _ => 4 * path.evident_units >= path.units || is_wide && gain >= CLEAR_GAIN,
        };
        // Control characters are counted only from the first priced byte on.
        let priced = if from == Kind::Bytes { path.bytes - self.skipped } else { path.bytes };
        let is_text = 16 * (path.controls + path.nuls) <= priced
            && 32 * (path.implausible_units + path.unpaired) <= path.units;
        let scheme = |kind| match kind {
            Kind::Bytes => (path.ill_formed == 0).then_some(Scheme::Utf8),
            Kind::Le16 => Some(Scheme::Utf16Le),
            Kind::Be16 => Some(Scheme::Utf16Be),
            Kind::Le32 => Some(Scheme::Utf32Le),
            Kind::Be32 => Some(Scheme::Utf32Be),
        };
        let mixture = Mixture { first: scheme(from), boundary, second: scheme(to) };
        (is_text && is_plausible && boundary > mark_len).then_some(mixture)
    }
}

/// The family of the encoding that was detected for a whole text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// UTF-16 or UTF-32.
    Wide,
    /// A legacy encoding, in which text hardly ever has NUL bytes.
    Legacy,
    /// UTF-8, ASCII, or binary data.
    Other,
}

/// The encoding that is cheaper than all others by [`LEAD_MIN_BITS`]. UTF-16LE from this offset on,
/// and UTF-16BE from the next byte on, count as one encoding, because their bytes look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leader {
    Bytes,
    /// UTF-16 with the low byte of each unit first.
    Le,
    /// UTF-16 with the high byte of each unit first.
    Be,
    Le32,
    Be32,
}

impl Leader {
    const ALL: [Self; 5] = [Self::Bytes, Self::Le, Self::Be, Self::Le32, Self::Be32];

    /// Returns the states of this encoding. `here` has the states in which a unit ends at this
    /// offset, and `next` those in which a unit ends one byte later.
    fn states(self, here: [usize; 5], next: [usize; 5]) -> [usize; 2] {
        match self {
            Self::Bytes => [0, 0],
            Self::Le => [here[1], next[2]],
            Self::Be => [here[2], next[1]],
            Self::Le32 => [here[3]; 2],
            Self::Be32 => [here[4]; 2],
        }
    }
}

/// A segment that is ordinary text in the leading encoding.
#[derive(Clone, Copy)]
pub(super) struct PlainSegment {
    pub(super) leader: Leader,
    /// The number of bytes.
    pub(super) len: u64,
    /// The number of sequences that are ill-formed in UTF-8, if the leader is [`Leader::Bytes`],
    /// else 0.
    pub(super) ill_formed: u64,
    /// The number of units that are evidence for the leader, as in [`Path`]: 0 if it is
    /// [`Leader::Bytes`].
    pub(super) evident_units: u64,
}
