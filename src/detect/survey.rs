//! A pass over all of a text that finds parts in different encodings.
//!
//! Two questions, each with a score that the text adds to byte by byte:
//!
//! * Does UTF-16 or UTF-32 begin or end somewhere? The text is priced as bytes, as UTF-16 and as
//!   UTF-32 in both byte orders, and as a change between these at any position, which costs bits
//!   too. The cheapest price wins. This is the Viterbi algorithm with a state for each encoding and
//!   each remainder of its first offset.
//! * Is there a run of well-formed UTF-8 that other encodings in bytes would not have by chance?
//!
//! Nothing is priced while the text is well-formed UTF-8 without NUL: a validation passes it.

use crate::detect::answer::Mixture;
use crate::detect::likelihood::{self, Bits, Unit};
use crate::detect::runs::{Byte, ILL_FORMED, RUN, Utf8Reader};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Utf8;
use crate::verbs::free::validate;

/// The cost of a change of encoding after a line feed, where files are joined.
const CHANGE_AFTER_LINE: Bits = 14;
/// The cost of a change of encoding elsewhere.
const CHANGE: Bits = 20;
/// The cost of a change back to the first encoding: a list separated by NULs has short parts like
/// UTF-16.
const CHANGE_BACK: Bits = 44;
/// What a change has to gain where its second part reads like UTF-16 of the other byte order, from
/// one byte further on.
const TWIN_GAIN: Bits = 40;
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
/// The cost of half a unit at the end of a text.
const HALF_UNIT: Bits = 12;

/// Bytes that are passed at once where they are plain.
const BLOCK_BYTES: usize = 64;
/// Bytes before the first remarkable one that are priced too.
const CONTEXT_BYTES: usize = 64;

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
    /// The script of the last letter in UTF-16, and whether the last unit is a high surrogate.
    script: u8,
    is_high: bool,
    /// Surrogates that are unpaired.
    unpaired: u32,
    /// The first change: its offset, and the encodings before and after it.
    change: Option<(u64, Kind, Kind)>,
    /// Whether the first encoding has returned after it, and whether a byte order mark has come.
    has_returned: bool,
    is_marked: bool,
    /// Units of UTF-16 and UTF-32 so far. How many of them show that they are units: Latin-1 in
    /// UTF-16, all that are text in UTF-32. How many are none that text has.
    units: u32,
    shown: u32,
    strange: u32,
    /// Bytes so far; how many are NUL, other control characters, and ill-formed in UTF-8.
    bytes: u32,
    nuls: u32,
    controls: u32,
    ill_formed: u32,
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
    };
    /// A price that no path has.
    const NEVER: Bits = 1 << 28;

    /// Adds a unit of UTF-16.
    fn add_unit(&mut self, unit: u16) {
        let found = Unit::of(unit, &mut self.script);
        self.bits += if unit == 0xFEFF { 0 } else { found.bits };
        self.is_marked |= unit == 0xFEFF && self.change.is_some();
        if self.is_high != (unit & 0xFC00 == 0xDC00) {
            self.bits += UNPAIRED;
            self.unpaired += 1;
        }
        self.is_high = unit & 0xFC00 == 0xD800;
        self.units += 1;
        self.shown += u32::from(found.is_latin || unit == 0xFEFF);
        self.strange += u32::from(!found.is_text);
    }

    /// Adds a unit of UTF-32.
    fn add_wide_unit(&mut self, unit: u32) {
        let (bits, is_text) = match u16::try_from(unit) {
            Ok(0xD800..=0xDFFF) => (UNPAIRED, false),
            Ok(unit) => {
                let found = Unit::of(unit, &mut self.script);
                (found.bits, found.is_text)
            }
            Err(_) if unit < 0x4_0000 => (20, true),
            Err(_) => (UNPAIRED, false),
        };
        self.bits += bits;
        self.units += 1;
        self.shown += u32::from(is_text);
        self.strange += u32::from(!is_text);
    }

    /// Adds a byte.
    fn add_byte(&mut self, byte: Byte) {
        self.bytes += 1;
        self.ill_formed += byte.ill_formed;
        if byte.is_nul {
            self.bits += match (self.nuls, byte.follows_nul) {
                (0, _) => NUL,
                (_, false) => LATER_NUL,
                (_, true) => NUL_AGAIN,
            };
            self.nuls += 1;
        }
        self.bits += byte.bits;
        self.controls += u32::from(byte.is_control);
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
struct Prices {
    /// Of paths without a change, in the order of [`KINDS`].
    unchanged: [Path; 5],
    /// Of paths with changes, by the state.
    changed: [Path; STATES],
}

impl Prices {
    /// Returns the prices at the start of a text, or after some UTF-8.
    fn new(is_start: bool) -> Self {
        let never = Path { bits: Path::NEVER, ..Path::START };
        let rare = Path { bits: likelihood::RARE_16, ..Path::START };
        let wide = if is_start { rare } else { never };
        Self { unchanged: [Path::START, wide, wide, wide, wide], changed: [never; STATES] }
    }

    /// Adds the byte at `at`, which is the last one of `last`. A character of UTF-8 of which `open`
    /// bytes have come is not yet priced.
    fn push(&mut self, at: u64, last: [u8; 4], in_utf8: Byte, open: u8) {
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
            let cost = if is_line { CHANGE_AFTER_LINE } else { CHANGE };
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
                self.changed[state] = Path { bits, script: 0, is_high: false, change, ..path };
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

    /// Adds a block that is plain in one encoding, so that all others are far dearer. `before` is
    /// the byte before it, and `last` are its last bytes.
    fn pass(&mut self, at: u64, block: Plain, before: u8, last: [u8; 4]) {
        let units = (BLOCK_BYTES / 2) as u32;
        let add = match block {
            Plain::Ascii => 5 * BLOCK_BYTES as Bits,
            Plain::Le | Plain::Be => 7 * units,
        };
        // UTF-16LE from an even offset on reads like UTF-16BE from an odd one.
        let [here, next] = [at, at + 1].map(states_at);
        let passing = match block {
            Plain::Ascii => [0, 0],
            Plain::Le => [here[1], next[2]],
            Plain::Be => [here[2], next[1]],
        };
        let pass = |path: &mut Path, state: usize| {
            path.bits += add;
            match block {
                Plain::Ascii => path.bytes += BLOCK_BYTES as u32,
                _ => {
                    path.units += units;
                    path.shown += units;
                    path.is_high = false;
                }
            }
            // The first unit of the second state began before the block.
            let is_begun = match block {
                Plain::Ascii => true,
                Plain::Le => before == 0,
                Plain::Be => before != 0,
            };
            if state == passing[1] && !is_begun {
                path.bits += UNPAIRED;
            }
        };
        for (path, state) in self.unchanged.iter_mut().zip(FROM_START) {
            if passing.contains(&state) { pass(path, state) } else { path.bits += 2 * add }
        }
        for (state, path) in self.changed.iter_mut().enumerate() {
            if passing.contains(&state) { pass(path, state) } else { path.bits = Path::NEVER }
        }
        self.change(at + BLOCK_BYTES as u64, last, 0);
        self.renew();
    }

    /// Subtracts the least price from all, so that they stay small.
    fn renew(&mut self) {
        let all = self.unchanged.iter().chain(&self.changed);
        let least = all.map(|path| path.bits).min().unwrap_or(0);
        for path in self.unchanged.iter_mut().chain(&mut self.changed) {
            path.bits = (path.bits - least).min(Path::NEVER);
        }
    }

    /// Returns the parts of a text of `len` bytes, if the cheapest price has some. `reading` is
    /// what the text as a whole is taken for.
    fn mixture(&self, len: u64, whole: bool, reading: Reading) -> Option<Mixture> {
        let ends = states_at(len);
        let price = |path: &Path, state: usize| {
            path.bits + if whole && !ends.contains(&state) { HALF_UNIT } else { 0 }
        };
        let unchanged = self.unchanged.iter().zip(FROM_START);
        let least = unchanged.map(|(path, state)| price(path, state)).min()?;
        let changed = self.changed.iter().enumerate();
        let (bits, state, path) = changed
            .map(|(state, path)| (price(path, state), state, path))
            .min_by_key(|(bits, ..)| *bits)?;
        let gain = least.checked_sub(bits).filter(|gain| *gain > 0)?;
        let twin = match state {
            3 => self.unchanged[2].bits,
            4 => self.unchanged[1].bits,
            _ => Path::NEVER,
        };
        if !path.is_marked && twin.saturating_sub(bits) < TWIN_GAIN + path.units / 64 {
            return None;
        }
        let (boundary, from, to) = path.change?;
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
        let damage = damage.map_or(0, |(_, path)| DAMAGE * path.unpaired.min(2));
        let is_plausible = match (from, to) {
            _ if gain <= damage && !path.is_marked => false,
            _ if reading == Reading::Legacy && self.unchanged[0].nuls > 0 => true,
            (Kind::Bytes, _) => has_units,
            (_, Kind::Bytes) => (is_wide || has_units) && (is_like_utf8 || gain >= CLEAR_GAIN),
            _ => 4 * path.shown >= path.units || is_wide && gain >= CLEAR_GAIN,
        };
        let is_text = 16 * (path.controls + path.nuls) <= path.bytes
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

/// An encoding in which a block is plain ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    Ascii,
    /// In UTF-16.
    Le,
    Be,
}

impl Plain {
    /// Returns the encoding in which a block is plain, if there is one.
    fn of(block: &[u8; BLOCK_BYTES]) -> Option<Self> {
        let is_plain = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        // Sums without early ends, so that the compiler vectorises them.
        let (mut plain, mut zeros) = ([0; 2], [0; 2]);
        for pair in block.as_chunks::<2>().0 {
            for i in 0..2 {
                plain[i] += u8::from(is_plain(pair[i]));
                zeros[i] += u8::from(pair[i] == 0);
            }
        }
        const UNITS: u8 = (BLOCK_BYTES / 2) as u8;
        match (plain, zeros) {
            ([UNITS, UNITS], _) => Some(Self::Ascii),
            ([UNITS, _], [_, UNITS]) => Some(Self::Le),
            ([_, UNITS], [UNITS, _]) => Some(Self::Be),
            _ => None,
        }
    }
}

/// A pass over a text in chunks that are cut anywhere.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// Bytes so far.
    len: u64,
    utf8: Utf8Reader,
    /// The prices, from the first remarkable byte on.
    prices: Option<Prices>,
    /// The last bytes while there are none.
    context: [u8; CONTEXT_BYTES],
    /// The last bytes that were priced.
    last: [u8; 4],
    /// The offset of the first escape sequence of ISO-2022-JP, KR or CN, and the bytes of one so
    /// far.
    escape: Option<u64>,
    escaped: u8,
    /// The offset of the first byte beyond ASCII.
    beyond_ascii: Option<u64>,
}

impl Survey {
    /// Returns a pass at the start of a text.
    pub(super) fn new() -> Self {
        Self {
            len: 0,
            utf8: Utf8Reader::START,
            prices: None,
            context: [0; CONTEXT_BYTES],
            last: [0; 4],
            escape: None,
            escaped: 0,
            beyond_ascii: None,
        }
    }

    /// Returns the number of bytes so far.
    #[cfg(feature = "alloc")]
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Returns the offset of the first byte that is ill-formed in UTF-8, if one has come. `whole`
    /// is true at the end of the text.
    #[cfg(feature = "alloc")]
    pub(super) fn ill_formed_utf8(&self, whole: bool) -> Option<u64> {
        let open = u64::from(self.utf8.len);
        self.utf8.first_ill_formed.or((whole && open > 0).then_some(self.len - open))
    }

    /// Returns true if the text so far is well-formed in UTF-16LE, or in UTF-16BE.
    #[cfg(feature = "alloc")]
    pub(super) fn is_utf16(&self, is_little: bool) -> bool {
        let is_well_formed = |prices: &Prices| {
            let path = &prices.unchanged[if is_little { 1 } else { 2 }];
            path.unpaired == 0 && !path.is_high
        };
        self.len.is_multiple_of(2) && self.prices.as_ref().is_some_and(is_well_formed)
    }

    /// Reads the next bytes of the text.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.find_escape(chunk);
        let mut rest = chunk;
        if self.prices.is_none() {
            rest = self.pass_utf8(chunk);
        }
        while !rest.is_empty() {
            rest = self.price(rest);
        }
    }

    /// Passes well-formed UTF-8 without NUL. Returns the rest of the chunk.
    fn pass_utf8<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        let mut rest = chunk;
        let is_wide = self.len == 0 && starts_as_utf16(chunk);
        while !is_wide && !rest.is_empty() && rest[0] != 0 && self.utf8.first_ill_formed.is_none() {
            // Byte by byte about characters beyond ASCII, while the run of UTF-8 is short.
            let bytes = [self.utf8.last_but_one, self.utf8.last, rest[0]];
            if self.utf8.len > 0 || !bytes.is_ascii() && self.utf8.run.legacy < 1000 {
                self.read_byte(rest[0]);
                rest = &rest[1..];
                continue;
            }
            let plain = match self.utf8.run.legacy < 1000 {
                true => rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()),
                false => validate::<Utf8>(rest).map_or_else(|e| e.valid_up_to(), |()| rest.len()),
            };
            let plain = &rest[..plain];
            let plain = &plain[..plain.iter().position(|&byte| byte == 0).unwrap_or(plain.len())];
            if plain.is_empty() {
                self.read_byte(rest[0]);
                rest = &rest[1..];
                continue;
            }
            self.pass_plain(plain);
            rest = &rest[plain.len()..];
        }
        if is_wide || !rest.is_empty() || self.utf8.first_ill_formed.is_some() {
            self.begin_prices();
        }
        rest
    }

    /// Reads a byte that is not priced.
    fn read_byte(&mut self, byte: u8) {
        if !byte.is_ascii() {
            self.beyond_ascii.get_or_insert(self.len);
        }
        self.utf8.push(self.len, byte);
        self.keep(&[byte]);
    }

    /// Passes whole characters of UTF-8 without NUL.
    fn pass_plain(&mut self, plain: &[u8]) {
        if let Some(&last) = plain.last() {
            let before = plain.len().checked_sub(2).map_or(self.utf8.last, |at| plain[at]);
            (self.utf8.last_but_one, self.utf8.last) = (before, last);
            self.keep(plain);
        }
    }

    /// Keeps the last bytes before the prices.
    fn keep(&mut self, bytes: &[u8]) {
        let new = &bytes[bytes.len().saturating_sub(CONTEXT_BYTES)..];
        self.context.copy_within(new.len().., 0);
        self.context[CONTEXT_BYTES - new.len()..].copy_from_slice(new);
        self.len += bytes.len() as u64;
    }

    /// Begins to price the text, from the kept bytes on.
    fn begin_prices(&mut self) {
        let kept = self.len.min(CONTEXT_BYTES as u64);
        let start = self.len - kept;
        let mut prices = Prices::new(start == 0);
        let mut utf8 = Utf8Reader::START;
        for (i, &byte) in self.context[CONTEXT_BYTES - kept as usize..].iter().enumerate() {
            let at = start + i as u64;
            let in_utf8 = utf8.push(at, byte);
            self.last = [self.last[1], self.last[2], self.last[3], byte];
            prices.push(at, self.last, in_utf8, utf8.len);
        }
        self.prices = Some(prices);
    }

    /// Prices the next block, or byte. Returns the rest.
    fn price<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        let Some(prices) = &mut self.prices else { return &[] };
        if self.utf8.len == 0
            && let Some((block, rest)) = chunk.split_first_chunk::<BLOCK_BYTES>()
            && let Some(plain) = Plain::of(block)
            // A change at the end of the block shows itself in the next one.
            && rest.first_chunk().and_then(Plain::of) == Some(plain)
        {
            let last = block.last_chunk().copied().unwrap_or_default();
            prices.pass(self.len, plain, self.last[3], last);
            self.last = last;
            (self.utf8.last_but_one, self.utf8.last) = (last[2], last[3]);
            self.len += BLOCK_BYTES as u64;
            return rest;
        }
        let (now, rest) = chunk.split_at(chunk.len().min(BLOCK_BYTES));
        for &byte in now {
            if !byte.is_ascii() {
                self.beyond_ascii.get_or_insert(self.len);
            }
            let in_utf8 = self.utf8.push(self.len, byte);
            self.last = [self.last[1], self.last[2], self.last[3], byte];
            prices.push(self.len, self.last, in_utf8, self.utf8.len);
            self.len += 1;
        }
        prices.renew();
        rest
    }

    /// Looks for the first escape sequence of ISO-2022.
    fn find_escape(&mut self, chunk: &[u8]) {
        if self.escape.is_some() || self.escaped == 0 && !chunk.contains(&0x1B) {
            return;
        }
        for (i, &byte) in chunk.iter().enumerate() {
            self.escaped = match (self.escaped, byte) {
                (_, 0x1B) => 1,
                (1, b'$') => 2,
                (2, b'@' | b'A' | b'B' | b'(' | b')') => {
                    self.escape = (self.len + i as u64).checked_sub(2);
                    return;
                }
                _ => 0,
            };
        }
    }

    /// Returns the parts of the text so far, if UTF-16 or UTF-32 begins or ends in it. `whole` is
    /// true at the end of the text; `reading` is what the text is taken for otherwise.
    pub(super) fn mixture(&self, whole: bool, reading: Reading) -> Option<Mixture> {
        self.prices.as_ref()?.mixture(self.len, whole, reading)
    }

    /// Returns the parts of a text that is read in an encoding from before Unicode, in Latin-1 or
    /// windows-1252 if `western`, if a part of it is in UTF-8.
    pub(super) fn utf8_part(&self, western: bool) -> Option<Mixture> {
        let first = self.utf8.first_ill_formed?;
        let (run, score, least) = match western {
            true => (self.utf8.best_western, self.utf8.best_western.western, RUN),
            false => {
                let chance = u64::BITS - self.utf8.ill_formed.leading_zeros();
                (self.utf8.best_legacy, self.utf8.best_legacy.legacy, RUN + chance)
            }
        };
        let utf8 = Some(Scheme::Utf8);
        (score >= least).then_some(match run.start < first {
            true => Mixture { first: utf8, boundary: first, second: None },
            false => Mixture { first: None, boundary: run.start, second: utf8 },
        })
    }

    /// Returns the parts of UTF-8 beyond ASCII with escape sequences of ISO-2022, if it has both.
    pub(super) fn escaped_part(&self) -> Option<Mixture> {
        let (escape, utf8) = (self.escape?, self.beyond_ascii?);
        Some(match escape < utf8 {
            true => Mixture { first: None, boundary: utf8, second: Some(Scheme::Utf8) },
            false => Mixture { first: Some(Scheme::Utf8), boundary: escape, second: None },
        })
    }
}

/// Returns true if a text begins with the byte order mark of UTF-16 or UTF-32, or as ASCII in them.
fn starts_as_utf16(text: &[u8]) -> bool {
    matches!(text, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, ..] | [_, 0, ..])
}
