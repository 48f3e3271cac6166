//! The common part of UTF-32 to UTF-8 and to UTF-16. The [`Target`] defines the rest.
//!
//! A unit is *narrow* if the target only narrows it: ASCII for UTF-8, a character of one unit for
//! UTF-16.
//!
//! 1. Convert steps of four vectors. The target narrows a step of narrow units, and encodes the
//!    others.
//! 2. After whole steps, convert a last step, or half of one, that ends with the text and overlaps,
//!    if it is narrow or the target can write it fast. Its first units are written again.
//! 3. Else convert two vectors at a time. The last ones end with the text and overlap.
//! 4. The reference continues after an error, and at the end of the output.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::generic::from_utf32::check::whole_units;
use crate::types::progress::Reach;

/// An encoding that UTF-32 is converted into: its constants, in registers.
pub(crate) trait Target<V: Lanes32> {
    /// Bytes of output of a narrow unit.
    const NARROW_OUTPUT_BYTES: usize;

    /// The output of two vectors.
    type Double: Double;

    /// Returns the token of the vectors.
    fn token(&self) -> V::Token;

    /// Returns true if all units are narrow. These are well-formed.
    fn are_narrow<const N: usize>(&self, units: [V; N]) -> bool;

    /// Writes narrow units to `out[at..]`.
    fn write_narrow(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize);

    /// Writes a step of narrow units to `out`.
    fn write_narrow_step(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]);

    /// Converts whole steps while `dst` has capacity for the output of one. The error is the
    /// progress before an ill-formed step.
    fn steps(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Reach, Reach>;

    /// Writes the last step of a text, which is not narrow. The output of its first `again` units
    /// is at the end of `dst[..written]`, and is written again. Returns the end of the output, or
    /// `None` if the target has no fast code for these units.
    #[inline(always)]
    fn write_last_step(
        &self,
        _units: [V; 4],
        _again: usize,
        _dst: &mut [MaybeUninit<u8>],
        _written: usize,
    ) -> Option<usize> {
        None
    }

    /// [`write_last_step`](Self::write_last_step) for the last two vectors of a text, which may be
    /// shorter than a step, or for its first two, with `again` and `written` 0.
    #[inline(always)]
    fn write_last_two(
        &self,
        _units: [V; 2],
        _again: usize,
        _dst: &mut [MaybeUninit<u8>],
        _written: usize,
    ) -> Option<usize> {
        None
    }

    /// Returns the output of two vectors, or `None` if a unit is no character. The second vector
    /// begins `second` bytes after the first in the text.
    fn double(&self, units: [V; 2], second: usize) -> Option<Self::Double>;

    /// Converts the rest by the scalar reference: after an error, or at the end of the output. All
    /// units before `reach.read` have been converted.
    fn resume(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach;
}

/// The output of two vectors.
pub(crate) trait Double {
    /// Returns the number of bytes of the characters in the first `input` bytes, if the vectors do
    /// not overlap.
    fn bytes_of(&self, input: usize) -> usize;

    /// Writes the output, and no byte beyond the end of `dst`. Returns the number of bytes, or
    /// `None` if it does not fit.
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;
}

/// Converts `src`, of at least 64 bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    target: &impl Target<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    if V::SHORT_PATHS && text.len() < 4 * V::LANES {
        return four(target, src, dst);
    }
    match target.steps(text, dst) {
        Ok(reach) => convert_tail(target, src, dst, reach),
        Err(reach) => target.resume(src, dst, reach),
    }
}

/// [`convert`] for 32 to 64 bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes32>(
    target: &impl Target<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if V::LANES >= 32 {
        return convert_two(target, src, dst);
    }
    four(target, src, dst)
}

/// [`convert`] for one or two vectors, which may overlap.
#[inline(always)]
pub(crate) fn convert_two<V: Lanes32, T: Target<V>>(
    target: &T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let last = text.len() - V::LANES;
    let units = [V::load(target.token(), text, 0), V::load(target.token(), text, last)];
    let narrow = |input: usize| input / 4 * T::NARROW_OUTPUT_BYTES;
    if target.are_narrow(units)
        && let Some(out) = dst.get_mut(..narrow(text.len()))
    {
        target.write_narrow(units[0], out, 0);
        target.write_narrow(units[1], out, narrow(last));
        return Reach { read: text.len(), written: narrow(text.len()) };
    }
    if let Some(double) = target.double(units, last)
        && let Some(written) = double.write_exactly(dst)
    {
        return Reach { read: text.len(), written };
    }
    target.resume(src, dst, Reach { read: 0, written: 0 })
}

/// Converts a text of two to four vectors.
#[inline(always)]
fn four<V: Lanes32, T: Target<V>>(target: &T, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    let last = text.len() - V::LANES;
    let offsets = [0, V::LANES, last - V::LANES, last];
    // No `map`: it may become a function without the vectors' features, in which each load is a
    // call.
    let units = [
        V::load(target.token(), text, offsets[0]),
        V::load(target.token(), text, offsets[1]),
        V::load(target.token(), text, offsets[2]),
        V::load(target.token(), text, offsets[3]),
    ];
    let narrow = |input: usize| input / 4 * T::NARROW_OUTPUT_BYTES;
    if target.are_narrow(units)
        && let Some(out) = dst.get_mut(..narrow(text.len()))
    {
        let mut k = 0;
        while k < 4 {
            target.write_narrow(units[k], out, narrow(offsets[k]));
            k += 1;
        }
        return Reach { read: text.len(), written: narrow(text.len()) };
    }
    let [first, second, third, fourth] = units;
    let again = (4 * V::LANES - text.len()) / 4;
    if let Some(written) = target.write_last_two([first, second], 0, dst, 0)
        && let Some(written) = target.write_last_two([third, fourth], again, dst, written)
    {
        return Reach { read: text.len(), written };
    }
    doubles(target, src, dst, Reach { read: 0, written: 0 })
}

/// Returns the vectors of a step.
#[inline(always)]
pub(super) fn load_four<V: Lanes32>(token: V::Token, step: &[u8]) -> [V; 4] {
    [
        V::load(token, step, 0),
        V::load(token, step, V::LANES),
        V::load(token, step, 2 * V::LANES),
        V::load(token, step, 3 * V::LANES),
    ]
}

/// Converts the rest after `reach`, less than a step, of a text of at least a step.
#[inline(always)]
fn convert_tail<V: Lanes32, T: Target<V>>(
    target: &T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    let text = whole_units(src);
    let last = text.len() - 4 * V::LANES;
    if reach.read == text.len() {
        return reach;
    }
    if let Some(written) = last_two(target, text, dst, reach) {
        return Reach { read: text.len(), written };
    }
    if reach.read >= last {
        let units = load_four::<V>(target.token(), &text[last..]);
        let again = (reach.read - last) / 4;
        if target.are_narrow(units) {
            let base = reach.written - again * T::NARROW_OUTPUT_BYTES;
            if let Some(out) = dst.get_mut(base..base + T::NARROW_OUTPUT_BYTES * V::LANES) {
                target.write_narrow_step(units, out);
                return Reach {
                    read: text.len(),
                    written: base + T::NARROW_OUTPUT_BYTES * V::LANES,
                };
            }
        }
        if let Some(written) = target.write_last_step(units, again, dst, reach.written) {
            return Reach { read: text.len(), written };
        }
    }
    doubles(target, src, dst, reach)
}

/// Converts the last two vectors, if nothing before them is left. Returns the end of the output.
/// Not for masked stores, by which the last step is as fast.
#[inline(always)]
fn last_two<V: Lanes32, T: Target<V>>(
    target: &T,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<usize> {
    let start = text.len() - 2 * V::LANES;
    if V::Masked::PRESENT || reach.read < start {
        return None;
    }
    let again = (reach.read - start) / 4;
    let units =
        [V::load(target.token(), text, start), V::load(target.token(), text, start + V::LANES)];
    if !target.are_narrow(units) {
        return target.write_last_two(units, again, dst, reach.written);
    }
    let (base, vector) =
        (reach.written - again * T::NARROW_OUTPUT_BYTES, V::LANES / 4 * T::NARROW_OUTPUT_BYTES);
    let out = dst.get_mut(base..base + 2 * vector)?;
    target.write_narrow(units[0], out, 0);
    target.write_narrow(units[1], out, vector);
    Some(base + 2 * vector)
}

/// Converts two vectors at a time. The last ones end with the text and overlap.
#[inline(always)]
fn doubles<V: Lanes32>(
    target: &impl Target<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - 2 * V::LANES);
        let units =
            [V::load(target.token(), text, start), V::load(target.token(), text, start + V::LANES)];
        let Some(double) = target.double(units, V::LANES) else {
            return target.resume(src, dst, reach);
        };
        // The bytes before `reach.written` that come from these vectors are written again.
        let base = reach.written - double.bytes_of(reach.read - start);
        let Some(len) = double.write_exactly(&mut dst[base..]) else {
            return target.resume(src, dst, reach);
        };
        reach = Reach { read: start + 2 * V::LANES, written: base + len };
    }
    reach
}
