//! Repair within an encoding: replaces ill-formed sequences. The result is well-formed, so a
//! conversion can follow.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::scalar::code::{Decode, Encode};
use crate::scalar::utf8::is_continuation;
use crate::scalar::wtf8;
use crate::types::error::Flaw;
use crate::types::policy::IllFormed;

/// How the ill-formed sequences of a text are repaired, for one target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairSpec {
    kept: Kept,
    /// The replacement for a sequence of which nothing is kept, if there is one.
    replacement: Option<char>,
    /// The sequences that share a replacement.
    joined: Joined,
    /// The largest character of the target.
    largest: u32,
}

/// The ill-formed sequences that share a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    /// Each has its own.
    Never,
    /// Those of a surrogate in three bytes, or in its first two, in UTF-8.
    Surrogates,
    /// All that follow each other.
    Runs,
}

/// The part of an ill-formed sequence that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// No part: a replacement stands for it, or nothing.
    Nothing,
    /// Each byte, as a character of Latin-1.
    Bytes,
    /// The character that it looks like.
    LookAlike,
}

/// The progress of a repair, in bytes, and the reason why it stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairReach {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) repairs: usize,
    pub(crate) end: End,
}

/// The reason why a repair stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All input has been read.
    Input,
    /// The next character, or its replacement, does not fit.
    Output,
    /// The rest may continue after the input.
    Open,
    /// Many bytes needed no repair; other code is faster for such text.
    Calm,
}

/// The character that an ill-formed sequence looks like. The text may have more than is known of
/// it.
enum LookAlike {
    /// This character, and the number of bytes that look like it.
    Like(u32, usize),
    /// It depends on the bytes that follow.
    Undecided,
    /// No character.
    Nothing,
}

impl RepairSpec {
    /// The repair of text in `from` for the target `to`.
    pub(crate) fn new(from: Scheme, to: Scheme, ill_formed: IllFormed) -> Self {
        let bytes = from.unit_size() == 1;
        let (kept, replacement) = match ill_formed {
            IllFormed::Replace(c) => (Kept::Nothing, Some(c)),
            // If nothing stood between two unpaired surrogates, they would meet and form a pair,
            // which is ill-formed.
            IllFormed::Skip if from.has_surrogates() && to.has_surrogates() => {
                (Kept::Nothing, Some(char::REPLACEMENT_CHARACTER))
            }
            IllFormed::Skip => (Kept::Nothing, None),
            IllFormed::Latin1 if bytes => (Kept::Bytes, Some(char::REPLACEMENT_CHARACTER)),
            IllFormed::LookAlikeForTrustedInput if from == Scheme::Utf8 => {
                (Kept::LookAlike, Some(char::REPLACEMENT_CHARACTER))
            }
            _ => (Kept::Nothing, Some(char::REPLACEMENT_CHARACTER)),
        };
        let joined = match ill_formed {
            IllFormed::ReplaceAsJava if from == Scheme::Utf8 => Joined::Surrogates,
            IllFormed::ReplaceRuns => Joined::Runs,
            _ => Joined::Never,
        };
        let replacement = replacement.map(|c| held(c, to));
        Self { kept, replacement, joined, largest: to.largest() }
    }

    /// The replacement, if sequences may share it. They are then replaced one at a time.
    #[inline]
    pub(crate) fn shared(&self) -> Option<char> {
        if self.joined == Joined::Never { None } else { self.replacement }
    }

    /// True if all sequences that follow each other share their replacement.
    pub(crate) fn joins_runs(&self) -> bool {
        self.joined == Joined::Runs
    }

    /// The number of bytes at the front of `src` that one replacement stands for, if the sequence
    /// there has `len` bytes.
    pub(crate) fn extent(&self, src: &[u8], len: usize) -> usize {
        match *src {
            [0xED, 0xA0..=0xBF, ref rest @ ..] if self.joined == Joined::Surrogates => {
                2 + usize::from(rest.first().is_some_and(|&byte| is_continuation(byte)))
            }
            _ => len,
        }
    }

    /// The replacement of every sequence, possibly nothing, if it is the same for all sequences.
    pub(crate) fn uniform(&self) -> Option<Option<char>> {
        (self.kept == Kept::Nothing).then_some(self.replacement)
    }

    /// True if the repair of the sequence at the front of `src` may depend on bytes after the end
    /// of `src`.
    pub(crate) fn waits(&self, src: &[u8]) -> bool {
        match self.kept {
            Kept::LookAlike => matches!(look_alike(src), LookAlike::Undecided),
            // The last byte of a surrogate may follow.
            _ => self.joined == Joined::Surrogates && matches!(src, [0xED, 0xA0..=0xBF]),
        }
    }

    /// Writes the repair of the first `len` bytes of `src`. Returns the number of bytes read and
    /// written. More than `len` bytes are read if they look like one character.
    fn write_repair<M: Encode>(
        &self,
        src: &[u8],
        len: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)> {
        let mut written = 0;
        match self.kept {
            Kept::Bytes => {
                for &byte in &src[..len] {
                    written += M::encode(self.in_target(byte.into()), &mut dst[written..])?;
                }
                return Some((len, written));
            }
            Kept::LookAlike => {
                if let LookAlike::Like(c, len) = look_alike(src) {
                    return Some((len, M::encode(self.in_target(c), dst)?));
                }
            }
            Kept::Nothing => {}
        }
        if let Some(c) = self.replacement {
            written = M::encode(c.into(), dst)?;
        }
        Some((len, written))
    }

    /// The character, or `?` if the target cannot represent it.
    fn in_target(&self, c: u32) -> u32 {
        if c <= self.largest { c } else { u32::from('?') }
    }
}

/// The character, or `?` if `to` cannot represent it.
pub(crate) fn held(c: char, to: Scheme) -> char {
    if u32::from(c) <= to.largest() { c } else { '?' }
}

/// Repairs `src`, a text in `A`, to text in `M`, which has the same bytes for well-formed text.
/// With `may_continue`, more input may follow.
#[inline(never)]
pub(crate) fn repair<A: Decode, M: Encode>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    spec: &RepairSpec,
    may_continue: bool,
) -> RepairReach {
    repair_by::<M>(A::decode, A::SCHEME, src, dst, spec, may_continue)
}

/// [`repair`] of a text in `from`; `decode` decodes a character.
#[inline(always)]
pub(crate) fn repair_by<M: Encode>(
    decode: impl Fn(&[u8]) -> Result<(u32, usize), Flaw>,
    from: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    spec: &RepairSpec,
    may_continue: bool,
) -> RepairReach {
    let (mut read, mut written, mut repairs) = (0, 0, 0);
    let end = loop {
        let (rest, room) = (&src[read..], &mut dst[written..]);
        if rest.is_empty() {
            break End::Input;
        }
        match decode(rest) {
            Ok(_) | Err(_) if may_continue && wtf8::is_half_pair(from, rest) => break End::Open,
            Ok((_, len)) => {
                let Some(room) = room.get_mut(..len) else { break End::Output };
                room.copy_from_slice(view::as_uninit(&rest[..len]));
                read += len;
                written += len;
            }
            Err(flaw) if may_continue && (flaw.len == 0 || spec.waits(rest)) => break End::Open,
            Err(flaw) => {
                let len = if flaw.len == 0 { rest.len() } else { flaw.len.into() };
                let Some((len, more)) = spec.write_repair::<M>(rest, len, room) else {
                    break End::Output;
                };
                read += len;
                written += more;
                repairs += 1;
            }
        }
    };
    RepairReach { read, written, repairs, end }
}

/// The character that the front of `src`, an ill-formed sequence of UTF-8, looks like.
fn look_alike(src: &[u8]) -> LookAlike {
    // Takes as many bytes as the lead byte asks for. A high surrogate must be followed by a low
    // one.
    let Some(&lead) = src.first() else { return LookAlike::Undecided };
    let count = match lead {
        0xC0..=0xC1 => 2,
        0xE0 | 0xED => 3,
        0xF0 => 4,
        _ => return LookAlike::Nothing,
    };
    let c = match bits(src, count) {
        Ok(c) => c,
        Err(look) => return look,
    };
    match c {
        // A high surrogate of three bytes, as in CESU-8.
        0xD800..=0xDBFF if lead == 0xED => match src.get(3) {
            None => LookAlike::Undecided,
            Some(0xED) => match bits(&src[3..], 3) {
                Ok(low @ 0xDC00..=0xDFFF) => {
                    LookAlike::Like(0x1_0000 + ((c - 0xD800) << 10) + (low - 0xDC00), 6)
                }
                Ok(_) => LookAlike::Nothing,
                Err(look) => look,
            },
            Some(_) => LookAlike::Nothing,
        },
        0xD800..=0xDFFF => LookAlike::Nothing,
        _ => LookAlike::Like(c, count),
    }
}

/// The bits of a lead byte and the bytes after it, which must be continuation bytes.
fn bits(src: &[u8], count: usize) -> Result<u32, LookAlike> {
    let known = &src[..count.min(src.len())];
    if !known[1..].iter().all(|&byte| is_continuation(byte)) {
        return Err(LookAlike::Nothing);
    }
    if known.len() < count {
        return Err(LookAlike::Undecided);
    }
    let lead = u32::from(known[0]) & (0x7F >> count);
    Ok(known[1..].iter().fold(lead, |bits, &byte| bits << 6 | u32::from(byte) & 0x3F))
}
