//! A call on a text, repeated and timed.
//!
//! A call is given as a function that repeats it a number of times and returns the time that took.
//! The loop is compiled around each call, so nothing indirect is timed; inputs and outputs pass
//! through `black_box`, so nothing is optimised away. The calls run on the parts of a case: the
//! whole text, or a thousand short excerpts of it.

use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use utflane::{Encoding, Kernel, Progress, Stop, max_len};

use super::buffer::Buffer;

/// The result of a conversion that met an error. No text is that long.
pub const FAILED: usize = usize::MAX;

/// The number of a case's parts that are called before the timed ones.
const WARM_UP: usize = 100;

/// The outcome of a number of repetitions.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The result of the last call: bytes written, a count, or a verdict (1 is well-formed).
    pub result: usize,
    /// The time of all calls.
    pub elapsed: Duration,
}

/// Repeats a call on a case.
pub type Run = fn(&mut Case, usize) -> Sample;

/// One side of a comparison.
#[derive(Clone, Copy)]
pub struct Contender {
    /// As in the table.
    pub name: &'static str,
    /// Its call.
    pub run: Run,
}

/// A text as an operation reads it, and the output for its result.
pub struct Case {
    pub(crate) kernel: Kernel,
    pub(crate) source: Buffer,
    pub(crate) target: Buffer,
    /// The most bytes of a result; 0 if the operation only reads.
    pub(crate) capacity: usize,
    /// The inputs of the calls, in bytes of the source.
    pub(crate) parts: Vec<Range<usize>>,
}

/// The type in which an operation reads the bytes of its input.
pub(crate) trait View {
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
    /// The case of a text in bytes of its encoding, with capacity for the longest result.
    #[must_use]
    pub fn new(kernel: Kernel, source: &[u8], capacity: usize) -> Self {
        // The same output serves memcpy.
        let target = Buffer::output(capacity.max(source.len()));
        // One part, the whole.
        let parts = std::iter::once(0..source.len()).collect();
        Self { kernel, source: Buffer::input(source), target, capacity, parts }
    }

    /// Bytes of the output that a result stands for; `None` if it is a failure.
    #[must_use]
    pub fn written(&self, result: usize) -> Option<&[u8]> {
        self.target.bytes().get(..if self.capacity > 0 { result } else { 0 })
    }

    /// Bytes of input.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.source.bytes().len()
    }

    /// Wipes the output, so that the next result can't be the previous one's.
    pub fn wipe(&mut self) {
        self.target.bytes_mut().fill(0xAA);
    }

    /// The calls of one repetition.
    #[must_use]
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// Calls on other parts of the text, none longer than the case has capacity for.
    pub fn set_parts(&mut self, parts: Vec<Range<usize>>) {
        self.parts = parts;
    }

    /// Puts the calls into another order.
    pub fn shuffle(&mut self, rng: &mut StdRng) {
        self.parts.shuffle(rng);
    }

    /// Puts the output at [another address](Buffer::relocate).
    pub fn relocate(&mut self, rng: &mut StdRng) {
        self.target.relocate(rng);
    }

    /// Times a conversion. The calls before the timed ones warm caches and predictors after the
    /// last contender.
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
        for src in &parts[parts.len().saturating_sub(WARM_UP)..] {
            result = f(black_box(src), black_box(&mut *dst));
        }
        let start = Instant::now();
        for _ in 0..times {
            for src in &parts {
                result = black_box(f(black_box(src), black_box(&mut *dst)));
            }
        }
        let elapsed = start.elapsed();
        // A scheme's length is in bytes, a peer's perhaps in units: in bytes they can be compared.
        Sample { result: result.saturating_mul(size_of::<T>()), elapsed }
    }

    /// Times a call that changes its input in place, and leaves it unchanged from the second time
    /// on.
    #[inline(always)]
    pub(crate) fn change<T: Pod>(&mut self, times: usize, f: impl Fn(&mut [T]) -> usize) -> Sample {
        let parts = self.parts.clone();
        let bytes = self.source.bytes_mut();
        let mut result = 0;
        let mut call = |part: &Range<usize>| {
            let text = bytemuck::cast_slice_mut(&mut bytes[part.clone()]);
            result = black_box(f(black_box(text)));
        };
        parts[parts.len().saturating_sub(WARM_UP)..].iter().for_each(&mut call);
        let start = Instant::now();
        for _ in 0..times {
            parts.iter().for_each(&mut call);
        }
        Sample { elapsed: start.elapsed(), result }
    }

    /// Times a call that only reads.
    #[inline(always)]
    pub(crate) fn count<S: View + ?Sized>(
        &mut self,
        times: usize,
        f: impl Fn(&S) -> usize,
    ) -> Sample {
        self.convert(times, |src: &S, _: &mut [u8]| f(src))
    }

    /// Times a call that only reads, with an argument for each part that is computed before.
    #[inline(always)]
    pub(crate) fn ask<S: View + ?Sized, Q>(
        &mut self,
        times: usize,
        question: impl Fn(&S) -> Q,
        f: impl Fn(&S, &Q) -> usize,
    ) -> Sample {
        let bytes = self.source.bytes();
        let parts: Vec<(&S, Q)> = self
            .parts
            .iter()
            .map(|part| S::view(&bytes[part.clone()]))
            .map(|src| (src, question(src)))
            .collect();
        let mut result = 0;
        for (src, question) in &parts[parts.len().saturating_sub(WARM_UP)..] {
            result = f(black_box(src), black_box(question));
        }
        let start = Instant::now();
        for _ in 0..times {
            for (src, question) in &parts {
                result = black_box(f(black_box(src), black_box(question)));
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
        self.count(times, |src: &S| usize::from(f(src)))
    }
}

/// The number of units that a conversion wrote, if it reached the end.
#[inline(always)]
pub(crate) fn written(progress: Progress) -> usize {
    if progress.stop == Stop::Done { progress.written } else { FAILED }
}

/// The most bytes of `B` for a number of bytes of `A`.
pub(crate) fn capacity<A: Encoding, B: Encoding>(bytes: usize) -> usize {
    let units = max_len::<A, B>(bytes / size_of::<A::Unit>());
    units.expect("a text in memory") * size_of::<B::Unit>()
}

/// A peer: how its call is timed (`convert`, `count`, `check`), its name, and the call.
macro_rules! peer {
    ($how:ident, $name:literal, $call:expr) => {
        $crate::rounds::case::Contender { name: $name, run: |case, times| case.$how(times, $call) }
    };
    // A peer that has code for SSE4.2 alone is called by it where our kernel is `sse42`.
    ($how:ident, $name:literal, $call:expr, sse42: $narrow:expr) => {
        $crate::rounds::case::Contender {
            name: $name,
            run: |case, times| match case.kernel.name() {
                "sse42" => case.$how(times, $narrow),
                _ => case.$how(times, $call),
            },
        }
    };
}
pub(crate) use peer;
