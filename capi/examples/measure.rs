//! Compares calls of the installed C library with the Rust functions and with simdutf, called by
//! the C functions that the crate simdutf wraps around it.
//!
//! `cargo run --release --example measure -- LIBUTFLANE LIBSIMDUTF TEXT...` takes the paths of the
//! two shared libraries and of UTF-8 files. `measure.sh` builds the libraries and runs this
//! program. It prints a table in Markdown. In each round, all functions that are compared run one
//! after the other. A cell is the median of its rounds.

use std::env;
use std::ffi::c_void;
use std::hint::black_box;
use std::time::Instant;

use libloading::Library;
use utflane::{Kernel, Utf8, Utf16, transcode_into, validate};
use utflane_capi::encodings::{NATIVE_UTF16, UTFLANE_UTF8, utflane_encoding};
use utflane_capi::results::{utflane_result, utflane_validation};
use utflane_capi::simdutf::types::simdutf_result;

/// The number of rounds of each cell.
const ROUNDS: usize = 301;
/// The approximate lengths of the samples, in bytes.
const SIZES: [usize; 7] = [0, 3, 8, 16, 32, 64, LARGE_BYTES];
const LARGE_BYTES: usize = 1 << 16;

type Validate = unsafe extern "C" fn(utflane_encoding, *const c_void, usize) -> utflane_validation;
type Convert = unsafe extern "C" fn(
    utflane_encoding,
    utflane_encoding,
    *const c_void,
    usize,
    *mut c_void,
    usize,
) -> utflane_result;
type TheirValidate = unsafe extern "C" fn(*const c_void, usize) -> simdutf_result;
type TheirConvert = unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> simdutf_result;

/// A part of a text, in UTF-8 and in UTF-16.
type Sample = (Vec<u8>, Vec<u16>);
/// A function that processes a sample. It writes to the second argument, if it converts.
type Call = Box<dyn Fn(&Sample, &mut Sample) -> usize>;

/// Loads a function of a library.
macro_rules! load {
    ($library:expr, $name:literal) => {
        // SAFETY: the variable, to which the function is assigned, has the function's type in the
        // headers.
        *unsafe { $library.get($name.as_bytes()) }.expect("the library lacks a function")
    };
}

/// Returns the median time of each call in nanoseconds, over samples of one length.
fn measure(calls: &[Call], samples: &[Sample], output: &mut Sample) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(ROUNDS); calls.len()];
    for _ in 0..ROUNDS {
        for (call, times) in calls.iter().zip(&mut times) {
            let start = Instant::now();
            for sample in samples {
                black_box(call(black_box(sample), output));
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / samples.len() as f64);
        }
    }
    let median = |times: &mut Vec<f64>| *times.select_nth_unstable_by(ROUNDS / 2, f64::total_cmp).1;
    times.iter_mut().map(median).collect()
}

/// Returns samples of a text, each about `size` bytes long: up to three bytes shorter, and extended
/// to the next boundary. They begin at different characters. A sample of [`LARGE_BYTES`] begins at
/// the start of the text.
fn samples(text: &str, size: usize) -> Vec<Sample> {
    let is_large = size == LARGE_BYTES;
    let starts: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
    let sample = |index: usize| {
        let start = if is_large { 0 } else { starts[index * 7919 % (starts.len() - size - 1)] };
        let min_end = (start + size - (index % 4).min(size)).min(text.len());
        let end = (min_end..).find(|offset| text.is_char_boundary(*offset));
        let part = &text[start..end.expect("a text ends at a boundary")];
        (part.as_bytes().to_vec(), part.encode_utf16().collect())
    };
    (0..if is_large { 1 } else { 1000 }).map(sample).collect()
}

/// Returns the calls of each operation: Rust, `utflane.h`, and `simdutf_c.h` in each library.
fn operations(ours: &Library, theirs: &Library) -> [(&'static str, Vec<Call>); 3] {
    let call: Validate = load!(ours, "utflane_validate");
    let mut validations: Vec<Call> = vec![
        Box::new(|(src, _), _| validate::<Utf8>(src).is_ok().into()),
        Box::new(move |(src, _), _| {
            // SAFETY: the pointer and the length come from a `Vec`.
            unsafe { call(UTFLANE_UTF8, src.as_ptr().cast(), src.len()) }.valid_up_to
        }),
    ];
    let call: Convert = load!(ours, "utflane_convert");
    let convert = move |from, to, src: *const c_void, length, dst: *mut c_void, capacity| {
        // SAFETY: the pointers and lengths come from `Vec`s.
        unsafe { call(from, to, src, length, dst, capacity) }.written
    };
    let mut to_utf16: Vec<Call> = vec![
        Box::new(|(src, _), (_, dst)| transcode_into::<Utf8, Utf16>(src, dst).written),
        Box::new(move |(src, _), (_, dst)| {
            let (output, capacity) = (dst.as_mut_ptr().cast(), size_of_val(&dst[..]));
            convert(UTFLANE_UTF8, NATIVE_UTF16, src.as_ptr().cast(), src.len(), output, capacity)
        }),
    ];
    let mut to_utf8: Vec<Call> = vec![
        Box::new(|(_, src), (dst, _)| transcode_into::<Utf16, Utf8>(src, dst).written),
        Box::new(move |(_, src), (dst, _)| {
            let (text, length) = (src.as_ptr().cast(), size_of_val(&src[..]));
            convert(NATIVE_UTF16, UTFLANE_UTF8, text, length, dst.as_mut_ptr().cast(), dst.len())
        }),
    ];
    for library in [ours, theirs] {
        let call: TheirValidate = load!(library, "simdutf_validate_utf8_with_errors");
        validations.push(Box::new(move |(src, _), _| {
            // SAFETY: the pointer and the length come from a `Vec`.
            unsafe { call(src.as_ptr().cast(), src.len()) }.count
        }));
        let call: TheirConvert = load!(library, "simdutf_convert_utf8_to_utf16_with_errors");
        to_utf16.push(Box::new(move |(src, _), (_, dst)| {
            // SAFETY: no text has more UTF-16 units than UTF-8 bytes.
            unsafe { call(src.as_ptr().cast(), src.len(), dst.as_mut_ptr().cast()) }.count
        }));
        let call: TheirConvert = load!(library, "simdutf_convert_utf16_to_utf8_with_errors");
        to_utf8.push(Box::new(move |(_, src), (dst, _)| {
            // SAFETY: a UTF-16 unit becomes at most three UTF-8 bytes.
            unsafe { call(src.as_ptr().cast(), src.len(), dst.as_mut_ptr().cast()) }.count
        }));
    }
    [("validate UTF-8", validations), ("UTF-8 to UTF-16", to_utf16), ("UTF-16 to UTF-8", to_utf8)]
}

fn main() {
    let mut arguments = env::args().skip(1);
    let mut library = || {
        let path = arguments.next().expect("the first two arguments must be shared libraries");
        // SAFETY: libutflane has no constructors, and simdutf's constructors only prepare tables.
        unsafe { Library::new(path) }.expect("a shared library cannot be loaded")
    };
    let (ours, theirs) = (library(), library());
    let texts: Vec<String> = arguments.collect();
    println!("Nanoseconds for a call, on the kernel {}.\n", Kernel::active());
    println!("| operation | text | bytes | Rust | `utflane.h` | `simdutf_c.h` here | simdutf |");
    println!("|---|---|---|---|---|---|---|");
    let mut output = (vec![0; 3 * LARGE_BYTES], vec![0; LARGE_BYTES]);
    for (operation, calls) in &operations(&ours, &theirs) {
        for path in &texts {
            let text = std::fs::read_to_string(path).expect("a text cannot be read as UTF-8");
            let file_name = path.rsplit('/').next().unwrap_or_default();
            let name = file_name.split(['.', '-']).next().unwrap_or("text");
            for size in SIZES {
                let times = measure(calls, &samples(&text, size), &mut output);
                let times: Vec<_> = times.iter().map(|time| format!("{time:.1}")).collect();
                println!("| {operation} | {name} | {size} | {} |", times.join(" | "));
            }
        }
    }
}
