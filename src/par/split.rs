//! Splits a text into parts, and runs the operations on the parts.
//!
//! A part begins at a boundary: if the text before the part is well-formed, it ends with a whole
//! character, and no surrogate pair is split. So the first error of the text is in the first part
//! that has an error, where a sequential run would find it. To return the error, the sequential
//! function runs from the start of this part (validation), or from the end of the converted text
//! (conversion).

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::dispatch::function::Measure;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::validation::Validation;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::{Unit, VecMut};
use crate::encoding::view;
use crate::index::{Index, count_blocks};
use crate::owned::{self, ConversionToVec};
use crate::par::THRESHOLD;
use crate::scalar;
use crate::types::counts::{CHECKPOINT_BYTES, Counts};
use crate::types::error::Error;
use crate::types::progress::Reach;

/// The number of parts for each thread. There are several, so that a slow thread converts fewer
/// parts.
const PARTS_PER_THREAD: usize = 4;

/// The minimum size of a part, in bytes.
const MIN_PART_BYTES: usize = THRESHOLD / 4;

/// Returns the size of each part of a text of `len` bytes, in bytes. Returns `None` if the text is
/// not worth splitting.
#[inline]
pub(crate) fn part_bytes(len: usize) -> Option<usize> {
    if len < THRESHOLD {
        return None;
    }
    let threads = rayon::current_num_threads();
    (threads > 1).then(|| (len / (PARTS_PER_THREAD * threads)).max(MIN_PART_BYTES))
}

/// Splits a text into parts of about `part_size` bytes. No part is empty, unless the text is empty.
pub(super) fn split_text(scheme: Scheme, src: &[u8], part_size: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::with_capacity(src.len() / part_size + 1);
    let mut start = 0;
    while src.len() - start > part_size {
        // If the first character is longer than `part_size`, so is the part.
        let part_len = (part_size..src.len() - start)
            .map(|len| scalar::floor_boundary(scheme, &src[start..start + len]))
            .find(|&part_len| part_len > 0);
        let Some(part_len) = part_len else { break };
        parts.push(start..start + part_len);
        start += part_len;
    }
    parts.push(start..src.len());
    parts
}

/// Validates the parts of a text. The offset of the error is in bytes.
pub(super) fn validate(validation: Validation, src: &[u8], part_size: usize) -> Result<(), Error> {
    let kernel = Kernel::active();
    let parts = split_text(validation.scheme, src, part_size);
    let is_ill_formed = |part: &Range<usize>| validation.check(kernel, &src[part.clone()]).is_err();
    match parts.par_iter().find_first(|part| is_ill_formed(part)) {
        None => Ok(()),
        Some(part) => {
            let rest = &src[part.start..];
            validation.run(kernel, rest).map_err(|error| error.after(part.start))
        }
    }
}

/// Measures the parts of a text, and returns the sum.
pub(super) fn measure(scheme: Scheme, measure: Measure, src: &[u8], part_size: usize) -> usize {
    let kernel = Kernel::active();
    split_text(scheme, src, part_size)
        .into_par_iter()
        .map(|part| measure(&src[part], kernel))
        .reduce(|| 0, usize::saturating_add)
}

/// Converts the parts of a text, and appends them to a vector. The offset of the error is in bytes.
pub(super) fn append(
    to_vec: &ConversionToVec,
    len: Measure,
    src: &[u8],
    part_size: usize,
    out: VecMut<'_>,
) -> Result<(), Error> {
    match out {
        VecMut::U8(out) => append_units(to_vec, len, src, part_size, out),
        VecMut::U16(out) => append_units(to_vec, len, src, part_size, out),
        VecMut::U32(out) => append_units(to_vec, len, src, part_size, out),
    }
}

/// Like [`append`], for units of one size.
fn append_units<U: Unit>(
    to_vec: &ConversionToVec,
    len: Measure,
    src: &[u8],
    part_size: usize,
    out: &mut Vec<U>,
) -> Result<(), Error> {
    let kernel = Kernel::active();
    let conversion = to_vec.conversion;
    let parts = split_text(conversion.from, src, part_size);
    let lens: Vec<usize> = parts
        .par_iter()
        .map(|part| match to_vec.growth.fixed_len(part.len()) {
            Some(bytes) => bytes,
            None => len(&src[part.clone()], kernel).saturating_mul(conversion.to.unit_size()),
        })
        .collect();
    let total = lens.iter().fold(0, |sum: usize, len| sum.saturating_add(*len));
    out.reserve(total / size_of::<U>());
    let mut rest = view::bytes_uninit_mut(out.spare_capacity_mut());
    let outputs: Vec<_> =
        lens.iter().map(|&len| rest.split_off_mut(..len).unwrap_or_default()).collect();
    // The index of the first part with an error. Later parts need not be converted.
    let first_failure = AtomicUsize::new(usize::MAX);
    let reaches: Vec<Reach> = parts
        .par_iter()
        .zip(outputs)
        .enumerate()
        .map(|(i, (part, output))| {
            if first_failure.load(Ordering::Relaxed) < i {
                return Reach { read: 0, written: 0 };
            }
            let reach = conversion.reach(kernel, &src[part.clone()], output);
            if reach.read < part.len() {
                first_failure.fetch_min(i, Ordering::Relaxed);
            }
            reach
        })
        .collect();
    // Add the parts up to and including the first part that was not read to its end, or did not
    // fill its output.
    let (mut read, mut written) = (0, 0);
    for ((part, len), reach) in parts.iter().zip(&lens).zip(&reaches) {
        read += reach.read;
        written += reach.written;
        if reach.read < part.len() || reach.written < *len {
            break;
        }
    }
    let filled = out.len() + written / size_of::<U>();
    // SAFETY: the outputs follow each other in the spare capacity. Of the parts that `written`
    // counts, all but the last have filled their outputs, and the last has initialised
    // `reach.written` bytes.
    unsafe { out.set_len(filled) };
    if read == src.len() {
        return Ok(());
    }
    // The text has an error at or after offset `read`. The sequential function reports it.
    owned::append_bytes(kernel, to_vec, &src[read..], out).map_err(|error| error.after(read))
}

/// Creates an index, with blocks counted on several threads.
pub(super) fn index(src: &[u8], part_size: usize) -> Index<'_> {
    let kernel = Kernel::active();
    let blocks = src.as_chunks::<CHECKPOINT_BYTES>().0;
    let mut counts = vec![Counts::default(); blocks.len()];
    let part_blocks = part_size.div_ceil(CHECKPOINT_BYTES);
    blocks
        .par_chunks(part_blocks)
        .zip(counts.par_chunks_mut(part_blocks))
        .for_each(|(blocks, counts)| count_blocks(kernel, blocks, counts));
    Index::with_counts(src, kernel, counts)
}
