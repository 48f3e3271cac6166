//! Repeats a call on a text and measures the time.
//!
//! A contender is a function that repeats its call a number of times and returns the time of all
//! calls. Each contender has its own copy of the loop, with the call inlined, so that no indirect
//! call is timed. Inputs and outputs pass through `black_box`, so that nothing is optimised away.
//! The calls run on the parts of a case: the whole text, or short excerpts of it.

use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use utflane::{Encoding, Kernel, Progress, Stop, max_len};

use super::buffer::Buffer;

/// The result of a conversion that found an error. No text has this length.
pub const FAILED: usize = usize::MAX;

/// Before the timed calls, the call runs on the last parts of a case: at most this many.
const WARM_UP_PARTS: usize = 100;

/// The outcome of a number of repetitions.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The result of the last call: the number of written bytes, a count, or a truth value (1 is
    /// true).
    pub result: usize,
    /// The time of all calls.
    pub elapsed: Duration,
}

/// Repeats a call on a case. The `usize` is the number of repetitions.
pub type Run = fn(&mut Case, usize) -> Sample;

/// A library's call in a comparison.
#[derive(Clone, Copy)]
pub struct Contender {
    /// The name in the table.
    pub name: &'static str,
    /// The function that repeats the call.
    pub run: Run,
}

/// A text in the encoding that an operation reads, and the output for its result.
pub struct Case {
    pub(crate) kernel: Kernel,
    pub(crate) source: Buffer,
    pub(crate) target: Buffer,
    /// The maximum length of a result in bytes; 0 if the operation only reads.
    pub(crate) capacity: usize,
    /// The inputs of the calls: byte ranges of the source.
    pub(crate) parts: Vec<Range<usize>>,
}

/// The type in which an operation reads the bytes of its input.
pub(crate) trait View {
    /// Views bytes as this type.
    fn view(bytes: &[u8]) -> &Self;
}

impl<T: Pod> View for [T] {
    fn view(bytes: &[u8]) -> &Self {
        bytemuck::cast_slice(bytes)
    }
}

impl View for str {
    fn view(bytes: &[u8]) -> &Self {
        std::str::from_utf8(bytes).expect("the source was made from a String")
    }
}

impl Case {
    /// Makes the case of a text from its bytes, and an output with capacity for the longest result.
    #[must_use]
    pub fn new(kernel: Kernel, source: &[u8], capacity: usize) -> Self {
        // memcpy uses the same output.
        let target = Buffer::output(capacity.max(source.len()));
        // The only part is the whole text.
        let parts = std::iter::once(0..source.len()).collect();
        Self { kernel, source: Buffer::input(source), target, capacity, parts }
    }

    /// Returns the written bytes of the output for a result, or `None` if the result is [`FAILED`].
    #[must_use]
    pub fn written(&self, result: usize) -> Option<&[u8]> {
        self.target.bytes().get(..if self.capacity > 0 { result } else { 0 })
    }

    /// Returns the length of the input in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.source.bytes().len()
    }

    /// Wipes the output, so that the next result can't come from the previous call.
    pub fn wipe(&mut self) {
        self.target.bytes_mut().fill(0xAA);
    }

    /// Returns the inputs of the calls of one repetition.
    #[must_use]
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// Sets the inputs of the calls to other parts of the text. The case must have capacity for the
    /// result of each part.
    pub fn set_parts(&mut self, parts: Vec<Range<usize>>) {
        self.parts = parts;
    }

    /// Changes the order of the calls.
    pub fn shuffle(&mut self, rng: &mut StdRng) {
        self.parts.shuffle(rng);
    }

    /// Moves the output to [another address](Buffer::relocate).
    pub fn relocate(&mut self, rng: &mut StdRng) {
        self.target.relocate(rng);
    }

    /// Times a conversion. Some calls before the timed calls warm caches and predictors, which
    /// still hold the state of another contender.
    #[inline(always)]
    pub(crate) fn convert<S: View + ?Sized, T: Pod>(
        &mut self,
        times: usize,
        f: impl Fn(&S, &mut [T]) -> usize,
    ) -> Sample {
        let bytes = self.source.bytes();
        let parts: Vec<&S> = self.parts.iter().map(|part| S::view(&bytes[part.clone()])).collect();
        let dst = bytemuck::cast_slice_mut(&mut self.target.bytes_mut()[..self.capacity]);
        let mut result = 0;
        for src in &parts[parts.len().saturating_sub(WARM_UP_PARTS)..] {
            result = f(black_box(src), black_box(&mut *dst));
        }
        let start = Instant::now();
        for _ in 0..times {
            for src in &parts {
                result = black_box(f(black_box(src), black_box(&mut *dst)));
            }
        }
        let elapsed = start.elapsed();
        // The contenders may have different types of units: in bytes, their results can be
        // compared.
        Sample { result: result.saturating_mul(size_of::<T>()), elapsed }
    }

    /// Times a call that changes its input in place. From the second call on, the input does not
    /// change any more.
    #[inline(always)]
    pub(crate) fn change<T: Pod>(&mut self, times: usize, f: impl Fn(&mut [T]) -> usize) -> Sample {
        let parts = self.parts.clone();
        let bytes = self.source.bytes_mut();
        let mut result = 0;
        let mut call = |part: &Range<usize>| {
            let text = bytemuck::cast_slice_mut(&mut bytes[part.clone()]);
            result = black_box(f(black_box(text)));
        };
        parts[parts.len().saturating_sub(WARM_UP_PARTS)..].iter().for_each(&mut call);
        let start = Instant::now();
        for _ in 0..times {
            parts.iter().for_each(&mut call);
        }
        Sample { elapsed: start.elapsed(), result }
    }

    /// Times a call that only reads, and returns a number.
    #[inline(always)]
    pub(crate) fn compute<S: View + ?Sized>(
        &mut self,
        times: usize,
        f: impl Fn(&S) -> usize,
    ) -> Sample {
        self.convert(times, |src: &S, _: &mut [u8]| f(src))
    }

    /// Times a call that only reads, with an argument for each part. The arguments are computed
    /// before the time is measured.
    #[inline(always)]
    pub(crate) fn call_with<S: View + ?Sized, A>(
        &mut self,
        times: usize,
        argument_of: impl Fn(&S) -> A,
        f: impl Fn(&S, &A) -> usize,
    ) -> Sample {
        let bytes = self.source.bytes();
        let parts: Vec<(&S, A)> = self
            .parts
            .iter()
            .map(|part| S::view(&bytes[part.clone()]))
            .map(|src| (src, argument_of(src)))
            .collect();
        let mut result = 0;
        for (src, argument) in &parts[parts.len().saturating_sub(WARM_UP_PARTS)..] {
            result = f(black_box(src), black_box(argument));
        }
        let start = Instant::now();
        for _ in 0..times {
            for (src, argument) in &parts {
                result = black_box(f(black_box(src), black_box(argument)));
            }
        }
        Sample { elapsed: start.elapsed(), result }
    }

    /// Times a predicate.
    #[inline(always)]
    pub(crate) fn check<S: View + ?Sized>(
        &mut self,
        times: usize,
        f: impl Fn(&S) -> bool,
    ) -> Sample {
        self.compute(times, |src: &S| usize::from(f(src)))
    }
}

/// Returns the number of units that a conversion wrote, or [`FAILED`] if it did not reach the end.
#[inline(always)]
pub(crate) fn written(progress: Progress) -> usize {
    if progress.stop == Stop::Done { progress.written } else { FAILED }
}

/// Returns the maximum number of bytes in `B` for a number of bytes in `A`.
pub(crate) fn capacity<A: Encoding, B: Encoding>(bytes: usize) -> usize {
    let units = max_len::<A, B>(bytes / size_of::<A::Unit>());
    units.expect("a text in memory has a maximum length") * size_of::<B::Unit>()
}

/// A peer: the method of [`Case`] that times its call (`convert`, `compute`, `check`, ...), its
/// name, and the call.
macro_rules! peer {
    ($method:ident, $name:literal, $call:expr) => {
        $crate::rounds::case::Contender {
            name: $name,
            run: |case, times| case.$method(times, $call),
        }
    };
    // The peer also has a function that uses only SSE4.2. It is called if our kernel is `sse42`.
    ($method:ident, $name:literal, $call:expr, sse42: $sse42_call:expr) => {
        $crate::rounds::case::Contender {
            name: $name,
            run: |case, times| match case.kernel.name() {
                "sse42" => case.$method(times, $sse42_call),
                _ => case.$method(times, $call),
            },
        }
    };
}
pub(crate) use peer;
