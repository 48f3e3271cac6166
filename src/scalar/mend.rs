//! Ill-formed sequences replaced within an encoding: what comes out is well-formed, so that a conversion can follow.

use core::mem::MaybeUninit;

use super::utf8::is_continuation;
use super::{Decode, Encode, wtf8};
use crate::Scheme;
use crate::encoding::view;
use crate::error::Flaw;
use crate::policy::IllFormed;

/// How the ill-formed sequences of a text are mended, for one target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mending {
    way: Way,
    /// What stands for a sequence of which nothing can be kept.
    replacement: Option<char>,
    /// The largest character of the target.
    largest: u32,
}

/// What of a sequence is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Nothing,
    Bytes,
    Looks,
}

/// How far mending came, in bytes, and why it stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mended {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) repairs: usize,
    pub(crate) end: End,
}

/// Why mending stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All has been read.
    Input,
    /// The next character, or what stands for it, doesn't fit.
    Output,
    /// What is left may go on behind the input.
    Open,
    /// There has been nothing to mend for so long that another way is better.
    Calm,
}

/// What begins a text that has more than is known of it.
enum Look {
    /// So many bytes look like this character.
    Like(u32, usize),
    /// It depends on what comes next.
    Open,
    Nothing,
}

impl Mending {
    /// That of a text from `from` for a target.
    pub(crate) fn new(from: Scheme, to: Scheme, ill_formed: IllFormed) -> Self {
        let bytes = from.unit_size() == 1;
        let (way, replacement) = match ill_formed {
            IllFormed::Replace(c) => (Way::Nothing, Some(c)),
            // Two lone surrogates would meet where something is left out between them, and be ill-formed as a pair.
            IllFormed::Skip if from.has_surrogates() && to.has_surrogates() => {
                (Way::Nothing, Some(char::REPLACEMENT_CHARACTER))
            }
            IllFormed::Skip => (Way::Nothing, None),
            IllFormed::Latin1 if bytes => (Way::Bytes, Some(char::REPLACEMENT_CHARACTER)),
            IllFormed::LookAlikeForTrustedInput if from == Scheme::Utf8 => {
                (Way::Looks, Some(char::REPLACEMENT_CHARACTER))
            }
            _ => (Way::Nothing, Some(char::REPLACEMENT_CHARACTER)),
        };
        let replacement = replacement.map(|c| held(c, to));
        Self { way, replacement, largest: to.largest() }
    }

    /// What stands for every sequence, nothing perhaps, if it is the same for all of them.
    pub(crate) fn uniform(&self) -> Option<Option<char>> {
        (self.way == Way::Nothing).then_some(self.replacement)
    }

    /// Whether what an ill-formed sequence becomes may depend on bytes behind it, which `src` begins with and doesn't have.
    pub(crate) fn waits(&self, src: &[u8]) -> bool {
        self.way == Way::Looks && matches!(look(src), Look::Open)
    }

    /// Puts what stands for the first `len` bytes of `src`; says how many bytes that takes. More of them may be taken for
    /// what they look like: the first number is how many are read.
    fn put<M: Encode>(
        &self,
        src: &[u8],
        len: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)> {
        let mut put = 0;
        match self.way {
            Way::Bytes => {
                for &byte in &src[..len] {
                    put += M::encode(self.in_target(byte.into()), &mut dst[put..])?;
                }
                return Some((len, put));
            }
            Way::Looks => {
                if let Look::Like(c, looks) = look(src) {
                    return Some((looks, M::encode(self.in_target(c), dst)?));
                }
            }
            Way::Nothing => {}
        }
        if let Some(c) = self.replacement {
            put = M::encode(c.into(), dst)?;
        }
        Some((len, put))
    }

    /// The character, or what stands for it where the target doesn't have it.
    fn in_target(&self, c: u32) -> u32 {
        if c <= self.largest { c } else { u32::from('?') }
    }
}

/// The character, or `?` where `to` doesn't have it.
pub(crate) fn held(c: char, to: Scheme) -> char {
    if u32::from(c) <= to.largest() { c } else { '?' }
}

/// Mends `src`, a text in `A`, into one in `M`, which has the same bytes for what is well-formed. `open` says that it may go on.
#[inline(never)]
pub(crate) fn mend<A: Decode, M: Encode>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mending: &Mending,
    open: bool,
) -> Mended {
    mend_by::<M>(A::decode, A::SCHEME, src, dst, mending, open)
}

/// [`mend`] of a text in `from`, of which `decode` reads a character.
#[inline(always)]
pub(crate) fn mend_by<M: Encode>(
    decode: impl Fn(&[u8]) -> Result<(u32, usize), Flaw>,
    from: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mending: &Mending,
    open: bool,
) -> Mended {
    let (mut read, mut written, mut repairs) = (0, 0, 0);
    let end = loop {
        let (rest, room) = (&src[read..], &mut dst[written..]);
        if rest.is_empty() {
            break End::Input;
        }
        match decode(rest) {
            Ok(_) | Err(_) if open && wtf8::is_half_pair(from, rest) => break End::Open,
            Ok((_, len)) => {
                let Some(room) = room.get_mut(..len) else { break End::Output };
                room.copy_from_slice(view::as_uninit(&rest[..len]));
                read += len;
                written += len;
            }
            Err(flaw) if open && (flaw.len == 0 || mending.waits(rest)) => break End::Open,
            Err(flaw) => {
                let len = if flaw.len == 0 { rest.len() } else { flaw.len.into() };
                let Some((len, put)) = mending.put::<M>(rest, len, room) else { break End::Output };
                read += len;
                written += put;
                repairs += 1;
            }
        }
    };
    Mended { read, written, repairs, end }
}

/// What `src`, which begins with an ill-formed sequence of UTF-8, looks like.
fn look(src: &[u8]) -> Look {
    // As many bytes as the lead byte asks for, and their bits; surrogates are asked for their second half.
    let Some(&lead) = src.first() else { return Look::Open };
    let count = match lead {
        0xC0..=0xC1 => 2,
        0xE0 | 0xED => 3,
        0xF0 => 4,
        _ => return Look::Nothing,
    };
    let c = match bits(src, count) {
        Ok(c) => c,
        Err(look) => return look,
    };
    match c {
        // Of three bytes, so in CESU-8.
        0xD800..=0xDBFF if lead == 0xED => match src.get(3) {
            None => Look::Open,
            Some(0xED) => match bits(&src[3..], 3) {
                Ok(low @ 0xDC00..=0xDFFF) => {
                    Look::Like(0x1_0000 + ((c - 0xD800) << 10) + (low - 0xDC00), 6)
                }
                Ok(_) => Look::Nothing,
                Err(look) => look,
            },
            Some(_) => Look::Nothing,
        },
        0xD800..=0xDFFF => Look::Nothing,
        _ => Look::Like(c, count),
    }
}

/// The bits of a lead byte and the bytes behind it, which must be continuation bytes.
fn bits(src: &[u8], count: usize) -> Result<u32, Look> {
    let known = &src[..count.min(src.len())];
    if !known[1..].iter().all(|&byte| is_continuation(byte)) {
        return Err(Look::Nothing);
    }
    if known.len() < count {
        return Err(Look::Open);
    }
    let lead = u32::from(known[0]) & (0x7F >> count);
    Ok(known[1..].iter().fold(lead, |bits, &byte| bits << 6 | u32::from(byte) & 0x3F))
}
