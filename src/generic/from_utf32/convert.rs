//! The common part of the conversions from UTF-32 to UTF-8 and to UTF-16. The [`Target`] defines
//! what differs.
//!
//! A unit is *narrow* if the target only has to narrow it. For UTF-8 these are the ASCII
//! characters, for UTF-16 the characters of one unit.
//!
//! 1. Convert steps of four vectors. The target narrows a step that has only narrow units, and
//!    encodes the other steps.
//! 2. After the whole steps, convert a last step, or half a step, that ends with the text and
//!    overlaps the step before it, if its units are narrow or the target has fast code for it. The
//!    output of its first units is written again.
//! 3. Else convert two vectors at a time. The last two end with the text and may overlap the
//!    vectors before them.
//! 4. If there is an error, or if the output does not fit, the reference converts the rest.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::generic::from_utf32::check::whole_units;
use crate::generic::vectors;
use crate::types::progress::Reach;

/// An encoding that UTF-32 is converted into: its constants, in registers.
pub(crate) trait Target<V: Lanes32> {
    /// The number of output bytes of a narrow unit.
    const NARROW_OUTPUT_BYTES: usize;

    /// The output of two vectors.
    type Double: Double;

    /// Returns the token of the kernel's vectors.
    fn token(&self) -> V::Token;

    /// Returns true if all units are narrow. Narrow units are well-formed.
    fn are_narrow<const N: usize>(&self, units: [V; N]) -> bool;

    /// Writes narrow units to `out`, from byte `at` on.
    fn write_narrow(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize);

    /// Writes a step of narrow units to `out`.
    fn write_narrow_step(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]);

    /// Converts whole steps while `dst` has capacity for the longest output of a step. If a step is
    /// ill-formed, `Err` holds the progress before that step.
    fn convert_steps(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Reach, Reach>;

    /// Writes the last step of a text, which has a unit that is not narrow. The output of its first
    /// `repeated` units is at the end of `dst[..written]`, and is written again. Returns the end of
    /// the output, or `None` if the target has no fast code for these units.
    #[inline(always)]
    fn write_last_step(
        &self,
        _units: [V; 4],
        _repeated: usize,
        _dst: &mut [MaybeUninit<u8>],
        _written: usize,
    ) -> Option<usize> {
        None
    }

    /// Does the same as [`write_last_step`](Self::write_last_step) for the last two vectors of a
    /// text, which may be shorter than a step, or for the first two vectors, with `repeated` and
    /// `written` 0.
    #[inline(always)]
    fn write_last_two(
        &self,
        _units: [V; 2],
        _repeated: usize,
        _dst: &mut [MaybeUninit<u8>],
        _written: usize,
    ) -> Option<usize> {
        None
    }

    /// Returns the output of two vectors, or `None` if a unit is not a scalar value. In the text,
    /// the second vector begins `distance` bytes after the first.
    fn double(&self, units: [V; 2], distance: usize) -> Option<Self::Double>;

    /// Converts the rest with the scalar reference, after the vector code has found an error or too
    /// little capacity. All units before `reach.read` have been converted.
    fn resume(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach;
}

/// The output of two vectors.
pub(crate) trait Double {
    /// Returns the output length, in bytes, of the characters in the first `input` bytes of the two
    /// vectors. The vectors must not overlap in the text.
    fn bytes_of(&self, input: usize) -> usize;

    /// Writes the output, and nothing after the end of `dst`. Returns the length of the output in
    /// bytes, or `None` if it does not fit.
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;
}

/// Converts `src`, which has at least 64 bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    target: &impl Target<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    if V::SHORT_PATHS && text.len() < 4 * V::LANES {
        return convert_two_to_four(target, src, dst);
    }
    match target.convert_steps(text, dst) {
        Ok(reach) => convert_tail(target, src, dst, reach),
        Err(reach) => target.resume(src, dst, reach),
    }
}

/// Converts like [`convert`], for an input of 32 to 64 bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes32>(
    target: &impl Target<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if V::LANES >= 32 {
        return convert_two(target, src, dst);
    }
    convert_two_to_four(target, src, dst)
}

/// Converts like [`convert`], for an input that one or two vectors cover. They may overlap.
#[inline(always)]
pub(crate) fn convert_two<V: Lanes32, T: Target<V>>(
    target: &T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let last = text.len() - V::LANES;
    let units = [V::load(target.token(), text, 0), V::load(target.token(), text, last)];
    let narrow_len = |input: usize| input / 4 * T::NARROW_OUTPUT_BYTES;
    if target.are_narrow(units)
        && let Some(out) = dst.get_mut(..narrow_len(text.len()))
    {
        target.write_narrow(units[0], out, 0);
        target.write_narrow(units[1], out, narrow_len(last));
        return Reach { read: text.len(), written: narrow_len(text.len()) };
    }
    if let Some(double) = target.double(units, last)
        && let Some(written) = double.write_exactly(dst)
    {
        return Reach { read: text.len(), written };
    }
    target.resume(src, dst, Reach { read: 0, written: 0 })
}

/// Converts a text that is two to four vectors long.
#[inline(always)]
fn convert_two_to_four<V: Lanes32, T: Target<V>>(
    target: &T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let last = text.len() - V::LANES;
    let offsets = [0, V::LANES, last - V::LANES, last];
    // This does not use `map`, which may become a function without the vectors' target features. In
    // such a function, each load is a call.
    let units = [
        V::load(target.token(), text, offsets[0]),
        V::load(target.token(), text, offsets[1]),
        V::load(target.token(), text, offsets[2]),
        V::load(target.token(), text, offsets[3]),
    ];
    let narrow_len = |input: usize| input / 4 * T::NARROW_OUTPUT_BYTES;
    if target.are_narrow(units)
        && let Some(out) = dst.get_mut(..narrow_len(text.len()))
    {
        let mut k = 0;
        while k < 4 {
            target.write_narrow(units[k], out, narrow_len(offsets[k]));
            k += 1;
        }
        return Reach { read: text.len(), written: narrow_len(text.len()) };
    }
    let [first, second, third, fourth] = units;
    let repeated = (4 * V::LANES - text.len()) / 4;
    if let Some(written) = target.write_last_two([first, second], 0, dst, 0)
        && let Some(written) = target.write_last_two([third, fourth], repeated, dst, written)
    {
        return Reach { read: text.len(), written };
    }
    convert_in_twos(target, src, dst, Reach { read: 0, written: 0 })
}

/// Converts the rest after `reach`, which is less than a step. The text has at least a step.
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
    if let Some(written) = convert_last_two(target, text, dst, reach) {
        return Reach { read: text.len(), written };
    }
    if reach.read >= last {
        let units = vectors::load::<V, 4>(target.token(), text, last);
        let repeated = (reach.read - last) / 4;
        if target.are_narrow(units) {
            let base = reach.written - repeated * T::NARROW_OUTPUT_BYTES;
            if let Some(out) = dst.get_mut(base..base + T::NARROW_OUTPUT_BYTES * V::LANES) {
                target.write_narrow_step(units, out);
                return Reach {
                    read: text.len(),
                    written: base + T::NARROW_OUTPUT_BYTES * V::LANES,
                };
            }
        }
        if let Some(written) = target.write_last_step(units, repeated, dst, reach.written) {
            return Reach { read: text.len(), written };
        }
    }
    convert_in_twos(target, src, dst, reach)
}

/// Converts the last two vectors, if everything before them has been converted. Returns the end of
/// the output. Returns `None` for instruction sets with masked stores, where the code for the last
/// step is as fast.
#[inline(always)]
fn convert_last_two<V: Lanes32, T: Target<V>>(
    target: &T,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<usize> {
    let start = text.len() - 2 * V::LANES;
    if V::Masked::PRESENT || reach.read < start {
        return None;
    }
    let repeated = (reach.read - start) / 4;
    let units = vectors::load::<V, 2>(target.token(), text, start);
    if !target.are_narrow(units) {
        return target.write_last_two(units, repeated, dst, reach.written);
    }
    let (base, vector_output_len) =
        (reach.written - repeated * T::NARROW_OUTPUT_BYTES, V::LANES / 4 * T::NARROW_OUTPUT_BYTES);
    let out = dst.get_mut(base..base + 2 * vector_output_len)?;
    target.write_narrow(units[0], out, 0);
    target.write_narrow(units[1], out, vector_output_len);
    Some(base + 2 * vector_output_len)
}

/// Converts two vectors at a time. The last two end with the text and may overlap the vectors
/// before them.
#[inline(always)]
fn convert_in_twos<V: Lanes32, T: Target<V>>(
    target: &T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - 2 * V::LANES);
        let units = vectors::load::<V, 2>(target.token(), text, start);
        if target.are_narrow(units) {
            let narrow_len = |input: usize| input / 4 * T::NARROW_OUTPUT_BYTES;
            let base = reach.written - narrow_len(reach.read - start);
            let written = base + narrow_len(2 * V::LANES);
            if let Some(out) = dst.get_mut(base..written) {
                target.write_narrow(units[0], out, 0);
                target.write_narrow(units[1], out, narrow_len(V::LANES));
                reach = Reach { read: start + 2 * V::LANES, written };
                continue;
            }
        }
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
