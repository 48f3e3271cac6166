//! The replacements of ill-formed sequences, for every policy.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar::convert::encode_inlined;
use crate::scalar::utf8::is_continuation;
use crate::types::policy::IllFormed;

/// The repair of the ill-formed sequences of a text, for one target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairSpec {
    kept: Kept,
    /// The replacement for a sequence of which nothing is kept, if there is one.
    replacement: Option<char>,
    /// The sequences that share a replacement.
    joined: Joined,
    /// The target.
    to: Scheme,
}

/// The ill-formed sequences that share a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    /// No sequences: each has its own replacement.
    Never,
    /// The sequences of a surrogate written as three bytes of UTF-8, or of its first two bytes.
    Surrogates,
    /// All sequences that follow each other.
    Runs,
}

/// The part of an ill-formed sequence that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Nothing: it is replaced, or skipped.
    Nothing,
    /// Each byte, as a character of Latin-1.
    Bytes,
    /// The character that it looks like.
    LookAlike,
}

/// The character that an ill-formed sequence looks like.
enum LookAlike {
    /// This character, and the number of bytes that look like it.
    Like(u32, usize),
    /// The result depends on bytes after the end.
    Undecided,
    /// No character.
    Nothing,
}

impl RepairSpec {
    /// Returns the repair of text in `from` for the target `to`.
    pub(crate) fn new(from: Scheme, to: Scheme, ill_formed: IllFormed) -> Self {
        let bytes = from.unit_size() == 1;
        let (kept, replacement) = match ill_formed {
            IllFormed::Replace(c) => (Kept::Nothing, Some(c)),
            // Skipping the bytes between two unpaired surrogates would make them a pair, which is
            // ill-formed.
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
        Self { kept, replacement, joined, to }
    }

    /// Returns the replacement, if sequences may share it. They are then replaced one at a time.
    #[inline]
    pub(crate) fn shared(&self) -> Option<char> {
        if self.joined == Joined::Never { None } else { self.replacement }
    }

    /// Returns true if all sequences that follow each other share their replacement.
    pub(crate) fn joins_runs(&self) -> bool {
        self.joined == Joined::Runs
    }

    /// Returns the number of bytes at the start of `src` that one replacement stands for, if the
    /// sequence there has `len` bytes.
    pub(crate) fn extent(&self, src: &[u8], len: usize) -> usize {
        match *src {
            [0xED, 0xA0..=0xBF, ref rest @ ..] if self.joined == Joined::Surrogates => {
                2 + usize::from(rest.first().is_some_and(|&byte| is_continuation(byte)))
            }
            _ => len,
        }
    }

    /// Returns the replacement of every sequence, possibly nothing, if it is the same for all
    /// sequences.
    pub(crate) fn uniform(&self) -> Option<Option<char>> {
        (self.kept == Kept::Nothing).then_some(self.replacement)
    }

    /// Returns true if the repair of the sequence at the start of `src` may depend on bytes after
    /// the end of `src`.
    pub(crate) fn waits(&self, src: &[u8]) -> bool {
        match self.kept {
            Kept::LookAlike => matches!(look_alike(src), LookAlike::Undecided),
            // The last byte of a surrogate may follow.
            _ => self.joined == Joined::Surrogates && matches!(src, [0xED, 0xA0..=0xBF]),
        }
    }

    /// Writes the repair of the first `len` bytes of `src`. Returns the number of bytes read and
    /// written, or `None` if it does not fit. More than `len` bytes are read if they look like one
    /// character.
    pub(crate) fn write(
        &self,
        src: &[u8],
        len: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)> {
        let mut encode = |c: u32, put: usize| {
            let c = if c <= self.to.largest() { c } else { u32::from('?') };
            encode_inlined(self.to, c, &mut dst[put..])
        };
        match self.kept {
            Kept::Bytes => {
                let mut put = 0;
                for &byte in &src[..len] {
                    put += encode(byte.into(), put)?;
                }
                return Some((len, put));
            }
            Kept::LookAlike => {
                if let LookAlike::Like(c, len) = look_alike(src) {
                    return Some((len, encode(c, 0)?));
                }
            }
            Kept::Nothing => {}
        }
        let put = match self.replacement {
            Some(c) => encode(c.into(), 0)?,
            None => 0,
        };
        Some((len, put))
    }
}

/// Returns the character, or `?` if `to` cannot represent it.
pub(crate) fn held(c: char, to: Scheme) -> char {
    if u32::from(c) <= to.largest() { c } else { '?' }
}

/// Returns the character that the front of `src`, an ill-formed sequence of UTF-8, looks like.
fn look_alike(src: &[u8]) -> LookAlike {
    // Takes as many bytes as the lead byte requires. A low surrogate must follow a high surrogate.
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

/// Returns the bits of a lead byte and the bytes after it, which must be continuation bytes.
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
