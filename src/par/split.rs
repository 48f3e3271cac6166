//! The parts of a text, and the operations on them.
//!
//! A part begins where the text before it, if well-formed, ends with a whole character, and no
//! surrogate pair is split. So the first part with an error has the first error of the text, at the
//! same offset. The sequential function continues there, and returns the error.

use core::mem::MaybeUninit;
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

/// Parts for each thread. There are several, so a slow thread converts fewer.
const PARTS_PER_THREAD: usize = 4;

/// The fewest bytes of a part.
const PART_BYTES: usize = THRESHOLD / 4;

/// Returns the bytes of a part of a text of `len` bytes, if it is worth splitting.
#[inline]
pub(crate) fn part_bytes(len: usize) -> Option<usize> {
    if len < THRESHOLD {
        return None;
    }
    let threads = rayon::current_num_threads();
    (threads > 1).then(|| (len / (PARTS_PER_THREAD * threads)).max(PART_BYTES))
}

/// Splits a text into parts of about `size` bytes. None is empty, unless all is.
pub(super) fn parts(scheme: Scheme, src: &[u8], size: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::with_capacity(src.len() / size + 1);
    let mut start = 0;
    while src.len() - start > size {
        // A longer part, if a character is longer than `size`.
        let cut = (size..src.len() - start)
            .map(|len| scalar::floor_boundary(scheme, &src[start..start + len]))
            .find(|&cut| cut > 0);
        let Some(cut) = cut else { break };
        parts.push(start..start + cut);
        start += cut;
    }
    parts.push(start..src.len());
    parts
}

/// Validates parts. The error counts bytes.
pub(super) fn validate(validation: Validation, src: &[u8], size: usize) -> Result<(), Error> {
    let kernel = Kernel::active();
    let parts = parts(validation.scheme, src, size);
    let failed = Failed::default();
    parts.par_iter().enumerate().for_each(|(i, part)| {
        if failed.is_before(i) {
            return;
        }
        if validation.check(kernel, &src[part.clone()]).is_err() {
            failed.add(i);
        }
    });
    match parts.get(failed.first()) {
        None => Ok(()),
        Some(part) => {
            let rest = &src[part.start..];
            validation.run(kernel, rest).map_err(|error| error.after(part.start))
        }
    }
}

/// The first part with an error.
struct Failed(AtomicUsize);

impl Default for Failed {
    /// Returns the state without an error.
    fn default() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }
}

impl Failed {
    /// Returns true if a part before `part` has an error, so this part does not matter.
    fn is_before(&self, part: usize) -> bool {
        self.first() < part
    }

    /// Adds a part with an error.
    fn add(&self, part: usize) {
        self.0.fetch_min(part, Ordering::Relaxed);
    }

    fn first(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Measures parts, and returns the sum.
pub(super) fn measure(scheme: Scheme, measure: Measure, src: &[u8], size: usize) -> usize {
    let kernel = Kernel::active();
    parts(scheme, src, size)
        .into_par_iter()
        .map(|part| measure(&src[part], kernel))
        .reduce(|| 0, usize::saturating_add)
}

/// Appends the conversion of parts to a vector. The error counts bytes.
pub(super) fn append(
    to_vec: &ConversionToVec,
    len: Measure,
    src: &[u8],
    size: usize,
    out: VecMut<'_>,
) -> Result<(), Error> {
    match out {
        VecMut::U8(out) => append_units(to_vec, len, src, size, out),
        VecMut::U16(out) => append_units(to_vec, len, src, size, out),
        VecMut::U32(out) => append_units(to_vec, len, src, size, out),
    }
}

/// [`append`] for units of one size.
fn append_units<U: Unit>(
    to_vec: &ConversionToVec,
    len: Measure,
    src: &[u8],
    size: usize,
    out: &mut Vec<U>,
) -> Result<(), Error> {
    let kernel = Kernel::active();
    let conversion = to_vec.conversion();
    let parts = parts(conversion.from, src, size);
    let lens: Vec<usize> = parts
        .par_iter()
        .map(|part| match to_vec.fixed_len(part.len()) {
            Some(bytes) => bytes,
            None => len(&src[part.clone()], kernel).saturating_mul(conversion.to.unit_size()),
        })
        .collect();
    let all = lens.iter().fold(0, |all: usize, len| all.saturating_add(*len));
    out.reserve(all / size_of::<U>());
    let outputs = split_output(view::bytes_uninit_mut(out.spare_capacity_mut()), &lens);
    let failed = Failed::default();
    let reaches: Vec<Reach> = parts
        .par_iter()
        .zip(outputs)
        .enumerate()
        .map(|(i, (part, output))| {
            if failed.is_before(i) {
                return Reach { read: 0, written: 0 };
            }
            let reach = conversion.reach(kernel, &src[part.clone()], output);
            if reach.read < part.len() {
                failed.add(i);
            }
            reach
        })
        .collect();
    // Up to the first part that did not fill its output.
    let (mut read, mut written) = (0, 0);
    for ((part, len), reach) in parts.iter().zip(&lens).zip(&reaches) {
        read += reach.read;
        written += reach.written;
        if reach.read < part.len() || reach.written < *len {
            break;
        }
    }
    let filled = out.len() + written / size_of::<U>();
    // SAFETY: all parts before the last one that is counted have filled their outputs, which follow
    // each other in the spare capacity, and that one has initialised as much as it returned.
    unsafe { out.set_len(filled) };
    if read == src.len() {
        return Ok(());
    }
    // There is an error at this offset, which the sequential function reports.
    owned::append_bytes(kernel, to_vec, &src[read..], out).map_err(|error| error.after(read))
}

/// Splits `output` into slices of these lengths.
fn split_output<'a>(
    output: &'a mut [MaybeUninit<u8>],
    lens: &[usize],
) -> Vec<&'a mut [MaybeUninit<u8>]> {
    let mut rest = output;
    let outputs = lens.iter().map(|&len| {
        let (output, after) = core::mem::take(&mut rest).split_at_mut(len);
        rest = after;
        output
    });
    outputs.collect()
}

/// Builds an index.
pub(super) fn index(src: &[u8], size: usize) -> Index<'_> {
    let kernel = Kernel::active();
    let blocks = src.as_chunks::<CHECKPOINT_BYTES>().0;
    let mut counts = vec![Counts::default(); blocks.len()];
    let part = size.div_ceil(CHECKPOINT_BYTES);
    blocks
        .par_chunks(part)
        .zip(counts.par_chunks_mut(part))
        .for_each(|(blocks, counts)| count_blocks(kernel, blocks, counts));
    Index::with_counts(src, kernel, &counts)
}
