//! Repairs in which ill-formed sequences share a replacement: one sequence at a time, by the
//! reference. The strict conversion converts all text between them.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar;
use crate::scalar::repair::RepairSpec;
use crate::scalar::wtf8;
use crate::types::progress::{LossyReach, Stop};

/// The text to repair.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) from: Scheme,
    pub(super) to: Scheme,
    pub(super) src: &'a [u8],
    /// Whether more input may follow.
    pub(super) may_continue: bool,
}

/// Replaces the ill-formed sequences from `total.read` on by `c`, until the text is well-formed
/// again. Returns the reason if the conversion ends here. `ends_ill_formed` tells whether such a
/// sequence precedes, and is updated.
///
/// A further sequence of a run needs no room. So a run is read as a whole, and no output that is
/// full cuts it.
#[cold]
#[inline(never)]
pub(super) fn replace(
    spec: &RepairSpec,
    c: char,
    input: Input<'_>,
    dst: &mut [MaybeUninit<u8>],
    ends_ill_formed: &mut bool,
    total: &mut LossyReach,
) -> Option<Stop> {
    let Input { from, to, src, may_continue } = input;
    while total.read < src.len() {
        let rest = &src[total.read..];
        let Err(flaw) = scalar::decode_for(to, from, rest) else { return None };
        let incomplete = flaw.len == 0;
        if may_continue && (incomplete || spec.waits(rest) || wtf8::is_half_pair(from, rest)) {
            return None;
        }
        let len = if incomplete { rest.len() } else { flaw.len.into() };
        let len = spec.extent(rest, len);
        if *ends_ill_formed && spec.joins_runs() {
            total.add(len, 0, 0);
            continue;
        }
        let Some(put) = scalar::encode_inlined(to, c.into(), &mut dst[total.written..]) else {
            return Some(Stop::OutputFull);
        };
        total.add(len, put, 1);
        *ends_ill_formed = true;
    }
    Some(Stop::Done)
}
