//! Measures the installed library through C, beside the Rust functions and beside simdutf's C API.
//!
//! `cargo run --release --example measure -- LIBUTFLANE LIBSIMDUTF TEXT...`: the shared libraries,
//! and files of UTF-8. `measure.sh` builds both and calls it. All contenders of a cell run in turn,
//! in many rounds; a cell is the median of its rounds. Prints Markdown.

use std::env;
use std::ffi::c_void;
use std::hint::black_box;
use std::time::Instant;

use libloading::Library;
use utflane::{Kernel, Utf8, Utf16, transcode_into, validate};
use utflane_capi::encodings::{UTFLANE_UTF8, UTFLANE_UTF16BE, UTFLANE_UTF16LE, utflane_encoding};
use utflane_capi::results::{utflane_result, utflane_validation};
use utflane_capi::simdutf::types::simdutf_result;

/// UTF-16 in the machine's byte order.
const NATIVE: utflane_encoding =
    if cfg!(target_endian = "little") { UTFLANE_UTF16LE } else { UTFLANE_UTF16BE };
/// Rounds of a cell.
const ROUNDS: usize = 301;
/// Bytes of a text, about.
const SIZES: [usize; 7] = [0, 3, 8, 16, 32, 64, LARGE];
const LARGE: usize = 1 << 16;

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

/// A part of a text in UTF-8 and UTF-16.
type Sample = (Vec<u8>, Vec<u16>);
/// A call on a sample with this output.
type Call = Box<dyn Fn(&Sample, &mut Sample) -> usize>;

/// Returns a function of a library by its name.
///
/// # Safety
///
/// The function has this type.
unsafe fn function<T: Copy>(library: &Library, name: &str) -> T {
    // SAFETY: the caller's promise.
    *unsafe { library.get::<T>(name.as_bytes()) }.expect("the library has the function")
}

/// Returns the median nanoseconds of each call, over samples of one length.
fn measure(calls: &[Call], samples: &[Sample], output: &mut Sample) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(ROUNDS); calls.len()];
    for _ in 0..ROUNDS {
        for (call, times) in calls.iter().zip(&mut times) {
            let began = Instant::now();
            for sample in samples {
                black_box(call(black_box(sample), output));
            }
            times.push(began.elapsed().as_secs_f64() * 1e9 / samples.len() as f64);
        }
    }
    let median = |times: &mut Vec<f64>| *times.select_nth_unstable_by(ROUNDS / 2, f64::total_cmp).1;
    times.iter_mut().map(median).collect()
}

/// Returns samples of a text that are `size` bytes long, or up to three shorter, at varying
/// characters. A large sample is the start of the text.
fn samples(text: &str, size: usize) -> Vec<Sample> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let sample = |call: usize| {
        let from = if size == LARGE { 0 } else { starts[call * 7919 % (starts.len() - size - 1)] };
        let end = (from + size - (call % 4).min(size)).min(text.len());
        let to = (end..).find(|at| text.is_char_boundary(*at)).expect("a text ends at a boundary");
        (text.as_bytes()[from..to].to_vec(), text[from..to].encode_utf16().collect())
    };
    (0..if size == LARGE { 1 } else { 1000 }).map(sample).collect()
}

/// Returns the calls of each operation: Rust, utflane.h, simdutf_c.h of each library.
fn operations(ours: &Library, theirs: &Library) -> [(&'static str, Vec<Call>); 3] {
    // SAFETY: the type is as in utflane.h.
    let call: Validate = unsafe { function(ours, "utflane_validate") };
    let mut validations: Vec<Call> = vec![
        Box::new(|(src, _), _| validate::<Utf8>(src).is_ok().into()),
        Box::new(move |(src, _), _| {
            // SAFETY: the pointer and the length are a `Vec`'s.
            unsafe { call(UTFLANE_UTF8, src.as_ptr().cast(), src.len()) }.valid_up_to
        }),
    ];
    // SAFETY: the type is as in utflane.h.
    let call: Convert = unsafe { function(ours, "utflane_convert") };
    let convert = move |from, to, src: *const c_void, length, dst: *mut c_void, capacity| {
        // SAFETY: the pointers and lengths are `Vec`s'.
        unsafe { call(from, to, src, length, dst, capacity) }.written
    };
    let mut to_utf16: Vec<Call> = vec![
        Box::new(|(src, _), (_, dst)| transcode_into::<Utf8, Utf16>(src, dst).written),
        Box::new(move |(src, _), (_, dst)| {
            let (output, capacity) = (dst.as_mut_ptr().cast(), size_of_val(&dst[..]));
            convert(UTFLANE_UTF8, NATIVE, src.as_ptr().cast(), src.len(), output, capacity)
        }),
    ];
    let mut to_utf8: Vec<Call> = vec![
        Box::new(|(_, src), (dst, _)| transcode_into::<Utf16, Utf8>(src, dst).written),
        Box::new(move |(_, src), (dst, _)| {
            let (text, length) = (src.as_ptr().cast(), size_of_val(&src[..]));
            convert(NATIVE, UTFLANE_UTF8, text, length, dst.as_mut_ptr().cast(), dst.len())
        }),
    ];
    for library in [ours, theirs] {
        let name = "simdutf_validate_utf8_with_errors";
        // SAFETY: the type is as in simdutf_c.h.
        let call: TheirValidate = unsafe { function(library, name) };
        validations.push(Box::new(move |(src, _), _| {
            // SAFETY: the pointer and the length are a `Vec`'s.
            unsafe { call(src.as_ptr().cast(), src.len()) }.count
        }));
        let name = "simdutf_convert_utf8_to_utf16_with_errors";
        // SAFETY: the type is as in simdutf_c.h.
        let call: TheirConvert = unsafe { function(library, name) };
        to_utf16.push(Box::new(move |(src, _), (_, dst)| {
            // SAFETY: no text has more units than bytes.
            unsafe { call(src.as_ptr().cast(), src.len(), dst.as_mut_ptr().cast()) }.count
        }));
        let name = "simdutf_convert_utf16_to_utf8_with_errors";
        // SAFETY: the type is as in simdutf_c.h.
        let call: TheirConvert = unsafe { function(library, name) };
        to_utf8.push(Box::new(move |(_, src), (dst, _)| {
            // SAFETY: no unit has more than three bytes.
            unsafe { call(src.as_ptr().cast(), src.len(), dst.as_mut_ptr().cast()) }.count
        }));
    }
    [("validate UTF-8", validations), ("UTF-8 to UTF-16", to_utf16), ("UTF-16 to UTF-8", to_utf8)]
}

fn main() {
    let mut arguments = env::args().skip(1);
    let mut library = || {
        let path = arguments.next().expect("the path of a library");
        // SAFETY: libutflane has no constructors; simdutf's only prepare its tables.
        unsafe { Library::new(path) }.expect("a shared library")
    };
    let (ours, theirs) = (library(), library());
    let texts: Vec<String> = arguments.collect();
    println!("Nanoseconds of a call, on the kernel {}.\n", Kernel::active());
    println!("| operation | text | bytes | Rust | `utflane.h` | `simdutf_c.h` here | simdutf's |");
    println!("|---|---|---|---|---|---|---|");
    let mut output = (vec![0; 3 * LARGE], vec![0; LARGE]);
    for (operation, calls) in &operations(&ours, &theirs) {
        for path in &texts {
            let text = std::fs::read_to_string(path).expect("a file of UTF-8");
            let name = path.rsplit('/').next().unwrap_or_default().split(['.', '-']).next();
            for size in SIZES {
                let times = measure(calls, &samples(&text, size), &mut output);
                let times: Vec<_> = times.iter().map(|time| format!("{time:.1}")).collect();
                let name = name.unwrap_or("text");
                println!("| {operation} | {name} | {size} | {} |", times.join(" | "));
            }
        }
    }
}
