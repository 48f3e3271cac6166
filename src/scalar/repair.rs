//! Writes what each policy puts in place of ill-formed sequences.

use crate::encoding::scheme::Scheme;
use crate::scalar::utf8::is_continuation;
use crate::types::policy::IllFormed;

/// Describes how the ill-formed sequences of a text are repaired, for one target encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairSpec {
    /// The part of a sequence that is kept.
    kept: Kept,
    /// The replacement for a sequence of which nothing is kept. `None` if such a sequence is
    /// skipped.
    replacement: Option<char>,
    /// The sequences that share a replacement.
    joined: Joined,
}

/// The ill-formed sequences that share a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    /// Each sequence has its own replacement.
    Never,
    /// In UTF-8, the bytes of a surrogate (three bytes, or its first two bytes) share one
    /// replacement.
    Surrogates,
    /// Consecutive sequences share one replacement.
    Runs,
}

/// The part of an ill-formed sequence that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Nothing is kept: the sequence is replaced or skipped.
    Nothing,
    /// Each byte is kept as a character of Latin-1.
    Bytes,
    /// The character that the sequence looks like is kept.
    LookAlike,
}

/// The result of a search for the character that an ill-formed sequence looks like.
enum LookAlike {
    /// `Like(c, len)`: the first `len` bytes look like the character `c`.
    Like(u32, usize),
    /// The result depends on bytes after the end.
    Undecided,
    /// The sequence looks like no character.
    Nothing,
}

impl RepairSpec {
    /// Returns the repair of text in the encoding `from` that is converted to `to`.
    pub(crate) fn new(from: Scheme, to: Scheme, ill_formed: IllFormed) -> Self {
        let has_byte_units = from.unit_size() == 1;
        let (kept, replacement) = match ill_formed {
            IllFormed::Replace(c) => (Kept::Nothing, Some(c)),
            // If the bytes between two unpaired surrogates were skipped, the surrogates would
            // become a pair: ill-formed in WTF-8, and another character in WTF-16.
            IllFormed::Skip if from.has_surrogates() && to.has_surrogates() => {
                (Kept::Nothing, Some(char::REPLACEMENT_CHARACTER))
            }
            IllFormed::Skip => (Kept::Nothing, None),
            IllFormed::Latin1 if has_byte_units => (Kept::Bytes, Some(char::REPLACEMENT_CHARACTER)),
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
        let or_question_mark = |c| if u32::from(c) <= to.largest() { c } else { '?' };
        Self { kept, replacement: replacement.map(or_question_mark), joined }
    }

    /// Returns the replacement if several sequences may get a single one. Then the caller cannot
    /// replace many sequences at once, but must examine each.
    #[inline]
    pub(crate) fn shared(&self) -> Option<char> {
        if self.joined == Joined::Never { None } else { self.replacement }
    }

    /// Returns true if consecutive sequences share one replacement.
    pub(crate) fn joins_runs(&self) -> bool {
        self.joined == Joined::Runs
    }

    /// Returns how many bytes at the start of `src` get one replacement. `len` is the length in
    /// bytes of the ill-formed sequence at the start.
    pub(crate) fn extent(&self, src: &[u8], len: usize) -> usize {
        match *src {
            [0xED, 0xA0..=0xBF, ref rest @ ..] if self.joined == Joined::Surrogates => {
                2 + usize::from(rest.first().is_some_and(|&byte| is_continuation(byte)))
            }
            _ => len,
        }
    }

    /// Returns the replacement if it is the same for all sequences. The inner `None` means that all
    /// sequences are skipped.
    pub(crate) fn uniform(&self) -> Option<Option<char>> {
        (self.kept == Kept::Nothing).then_some(self.replacement)
    }

    /// Returns true if the repair of the sequence at the start of `src` may depend on bytes after
    /// the end of `src`.
    pub(crate) fn waits(&self, src: &[u8]) -> bool {
        match self.kept {
            Kept::LookAlike => matches!(look_alike(src), LookAlike::Undecided),
            // The third byte of a surrogate may follow.
            _ => self.joined == Joined::Surrogates && matches!(src, [0xED, 0xA0..=0xBF]),
        }
    }

    /// Writes the repair of the first `len` bytes of `src`. `encode` writes a character, or `?` if
    /// the target lacks it, after a number of bytes. Returns the numbers of bytes read and written,
    /// or `None` if the repair does not fit. More than `len` bytes are read if they look like one
    /// character.
    pub(crate) fn write(
        &self,
        src: &[u8],
        len: usize,
        mut encode: impl FnMut(u32, usize) -> Option<usize>,
    ) -> Option<(usize, usize)> {
        match self.kept {
            Kept::Bytes => {
                let mut written = 0;
                for &byte in &src[..len] {
                    written += encode(byte.into(), written)?;
                }
                return Some((len, written));
            }
            Kept::LookAlike => {
                if let LookAlike::Like(c, len) = look_alike(src) {
                    return Some((len, encode(c, 0)?));
                }
            }
            Kept::Nothing => {}
        }
        let written = match self.replacement {
            Some(c) => encode(c.into(), 0)?,
            None => 0,
        };
        Some((len, written))
    }
}

/// Returns the character that the start of `src`, an ill-formed sequence of UTF-8, looks like.
fn look_alike(src: &[u8]) -> LookAlike {
    // Reads as many bytes as the lead byte requires. A high surrogate counts only if a low
    // surrogate follows.
    let Some(&lead) = src.first() else { return LookAlike::Undecided };
    let count = match lead {
        0xC0..=0xC1 => 2,
        0xE0 | 0xED => 3,
        0xF0 => 4,
        _ => return LookAlike::Nothing,
    };
    let c = match decode_bits(src, count) {
        Ok(c) => c,
        Err(look_alike) => return look_alike,
    };
    match c {
        // A high surrogate encoded as three bytes, as in CESU-8.
        0xD800..=0xDBFF if lead == 0xED => match src.get(3) {
            None => LookAlike::Undecided,
            Some(0xED) => match decode_bits(&src[3..], 3) {
                Ok(low @ 0xDC00..=0xDFFF) => {
                    LookAlike::Like(0x1_0000 + ((c - 0xD800) << 10) + (low - 0xDC00), 6)
                }
                Ok(_) => LookAlike::Nothing,
                Err(look_alike) => look_alike,
            },
            Some(_) => LookAlike::Nothing,
        },
        0xD800..=0xDFFF => LookAlike::Nothing,
        _ => LookAlike::Like(c, count),
    }
}

/// Returns the value that the first `count` bytes encode: a lead byte and continuation bytes.
/// Returns `Err` with the result of [`look_alike`] if they encode no value (`Nothing`), or if there
/// are fewer bytes (`Undecided`).
fn decode_bits(src: &[u8], count: usize) -> Result<u32, LookAlike> {
    let present = &src[..count.min(src.len())];
    if !present[1..].iter().all(|&byte| is_continuation(byte)) {
        return Err(LookAlike::Nothing);
    }
    if present.len() < count {
        return Err(LookAlike::Undecided);
    }
    let lead = u32::from(present[0]) & (0x7F >> count);
    Ok(present[1..].iter().fold(lead, |bits, &byte| bits << 6 | u32::from(byte) & 0x3F))
}
