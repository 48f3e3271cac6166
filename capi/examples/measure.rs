//! Measures the installed library through C, beside the Rust functions and beside simdutf's C API.
//!
//! `cargo run --release --example measure -- LIBUTFLANE [LIBSIMDUTF] [TEXT...]`: the shared
//! libraries, and files of UTF-8. `measure.sh` builds both and calls it. All contenders of a cell
//! run in turn, in many rounds; a cell is the median of its rounds. Prints Markdown.

use std::env;
use std::ffi::c_char;
use std::hint::black_box;
use std::time::Instant;

use libloading::Library;
use utflane::{Kernel, Utf8, Utf16, transcode_into, validate};
use utflane_capi::results::{utflane_result, utflane_validation};
use utflane_capi::simdutf::types::simdutf_result;

/// Calls in a round, at short lengths.
const CALLS: usize = 1000;
/// Rounds of a cell.
const ROUNDS: usize = 301;
/// Bytes of a text in the second table.
const LARGE: usize = 1 << 16;

type Validate = unsafe extern "C" fn(*const c_char, usize) -> utflane_validation;
type ToUtf16 = unsafe extern "C" fn(*const c_char, usize, *mut u16, usize) -> utflane_result;
type ToUtf8 = unsafe extern "C" fn(*const u16, usize, *mut c_char, usize) -> utflane_result;
type TheirValidate = unsafe extern "C" fn(*const c_char, usize) -> simdutf_result;
type TheirToUtf16 = unsafe extern "C" fn(*const c_char, usize, *mut u16) -> simdutf_result;
type TheirToUtf8 = unsafe extern "C" fn(*const u16, usize, *mut c_char) -> simdutf_result;

/// One contender of a cell: a name, and a call on one piece of the text.
type Contender<'a> = (&'static str, Box<dyn FnMut(&[u8], &[u16]) -> usize + 'a>);

/// Returns a function of a library by its name.
///
/// # Safety
///
/// The function has this type.
unsafe fn function<T: Copy>(library: &Library, name: &str) -> T {
    // SAFETY: the caller's promise.
    *unsafe { library.get::<T>(name.as_bytes()) }.expect("the library has the function")
}

/// Returns the median nanoseconds of a call for each contender, over pieces of one length.
fn measure(contenders: &mut [Contender<'_>], pieces: &[(&[u8], &[u16])]) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(ROUNDS); contenders.len()];
    for _ in 0..ROUNDS {
        for ((_, call), times) in contenders.iter_mut().zip(&mut times) {
            let began = Instant::now();
            for (bytes, units) in pieces {
                black_box(call(black_box(bytes), black_box(units)));
            }
            times.push(began.elapsed().as_secs_f64() * 1e9 / pieces.len() as f64);
        }
    }
    let median = |times: &mut Vec<f64>| *times.select_nth_unstable_by(ROUNDS / 2, f64::total_cmp).1;
    times.iter_mut().map(median).collect()
}

/// Pieces of a text that are `size` bytes long, or up to three shorter, at changing characters.
fn pieces(text: &str, size: usize) -> Vec<(Vec<u8>, Vec<u16>)> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let piece = |call: usize| {
        let from = starts[call * 7919 % (starts.len() - size - 1)];
        let to = (from + size - (call % 4).min(size)..).find(|at| text.is_char_boundary(*at));
        let piece = &text[from..to.expect("a text ends at a boundary")];
        (piece.as_bytes().to_vec(), piece.encode_utf16().collect())
    };
    (0..CALLS).map(piece).collect()
}

/// The operations, each with its contenders.
fn operations<'a>(
    ours: &'a Library,
    theirs: Option<&'a Library>,
) -> Vec<(&'a str, Vec<Contender<'a>>)> {
    let names = [("`simdutf_c.h` here", Some(ours)), ("simdutf's C API", theirs)];
    let simdutfs =
        names.iter().filter_map(|(name, library)| library.map(|library| (*name, library)));
    let mut validations: Vec<Contender<'a>> =
        vec![("Rust", Box::new(|src, _| validate::<Utf8>(src).is_ok().into()))];
    // SAFETY: the types are those of utflane.h.
    let call: Validate = unsafe { function(ours, "utflane_validate_utf8") };
    validations.push((
        "`utflane.h`",
        Box::new(move |src, _| {
            // SAFETY: the pointer and the length are those of a slice.
            unsafe { call(src.as_ptr().cast(), src.len()) }.valid_up_to
        }),
    ));
    let mut to_utf16: Vec<Contender<'a>> = Vec::new();
    let mut to_utf8: Vec<Contender<'a>> = Vec::new();
    let mut room = vec![0; LARGE];
    to_utf16.push((
        "Rust",
        Box::new(move |src, _| transcode_into::<Utf8, Utf16>(src, &mut room).written),
    ));
    let mut room = vec![0; 3 * LARGE];
    to_utf8.push((
        "Rust",
        Box::new(move |_, src| transcode_into::<Utf16, Utf8>(src, &mut room).written),
    ));
    // SAFETY: the types are those of utflane.h.
    let call: ToUtf16 = unsafe { function(ours, "utflane_convert_utf8_to_utf16") };
    let mut room = vec![0_u16; LARGE];
    to_utf16.push((
        "`utflane.h`",
        Box::new(move |src, _| {
            // SAFETY: the pointers and lengths are those of slices.
            unsafe { call(src.as_ptr().cast(), src.len(), room.as_mut_ptr(), room.len()) }.written
        }),
    ));
    // SAFETY: the types are those of utflane.h.
    let call: ToUtf8 = unsafe { function(ours, "utflane_convert_utf16_to_utf8") };
    let mut room = vec![0_u8; 3 * LARGE];
    to_utf8.push((
        "`utflane.h`",
        Box::new(move |_, src| {
            // SAFETY: the pointers and lengths are those of slices.
            unsafe { call(src.as_ptr(), src.len(), room.as_mut_ptr().cast(), room.len()) }.written
        }),
    ));
    for (name, library) in simdutfs {
        // SAFETY: the types are those of simdutf_c.h.
        let call: TheirValidate = unsafe { function(library, "simdutf_validate_utf8_with_errors") };
        validations.push((
            name,
            Box::new(move |src, _| {
                // SAFETY: the pointer and the length are those of a slice.
                unsafe { call(src.as_ptr().cast(), src.len()) }.count
            }),
        ));
        // SAFETY: the types are those of simdutf_c.h.
        let call: TheirToUtf16 =
            unsafe { function(library, "simdutf_convert_utf8_to_utf16_with_errors") };
        let mut room = vec![0_u16; LARGE];
        to_utf16.push((
            name,
            Box::new(move |src, _| {
                // SAFETY: no text has more units than bytes.
                unsafe { call(src.as_ptr().cast(), src.len(), room.as_mut_ptr()) }.count
            }),
        ));
        // SAFETY: the types are those of simdutf_c.h.
        let call: TheirToUtf8 =
            unsafe { function(library, "simdutf_convert_utf16_to_utf8_with_errors") };
        let mut room = vec![0_u8; 3 * LARGE];
        to_utf8.push((
            name,
            Box::new(move |_, src| {
                // SAFETY: no unit has more than three bytes.
                unsafe { call(src.as_ptr(), src.len(), room.as_mut_ptr().cast()) }.count
            }),
        ));
    }
    vec![
        ("validate UTF-8", validations),
        ("UTF-8 to UTF-16", to_utf16),
        ("UTF-16 to UTF-8", to_utf8),
    ]
}

/// Prints a row of a Markdown table.
fn row(cells: impl IntoIterator<Item = String>) {
    println!("| {} |", cells.into_iter().collect::<Vec<_>>().join(" | "));
}

fn main() {
    let mut arguments = env::args().skip(1);
    let ours = arguments.next().expect("the path of libutflane.so");
    // SAFETY: the library has no constructors.
    let ours = unsafe { Library::new(ours) }.expect("a shared library");
    let theirs = arguments.next();
    // SAFETY: the constructors of simdutf only prepare its tables.
    let theirs = theirs.map(|path| unsafe { Library::new(path) }.expect("a shared library"));
    let texts: Vec<(String, String)> = arguments
        .map(|path| {
            let name = path.rsplit('/').next().and_then(|name| name.split('.').next());
            let text = std::fs::read_to_string(&path).expect("a file of UTF-8");
            (name.unwrap_or("text").to_owned(), text)
        })
        .collect();

    println!("On the kernel {}.\n", Kernel::active());
    let mut operations = operations(&ours, theirs.as_ref());
    let header = |first: [&str; 3], contenders: &[Contender<'_>]| {
        row(first
            .into_iter()
            .map(str::to_owned)
            .chain(contenders.iter().map(|(name, _)| (*name).to_owned())));
        row(vec!["---".to_owned(); 3 + contenders.len()]);
    };
    println!("Nanoseconds of a call:\n");
    header(["operation", "text", "bytes"], &operations[0].1);
    for (operation, contenders) in &mut operations {
        for (name, text) in &texts {
            for size in [0, 3, 8, 16, 32, 64] {
                let owned = pieces(text, size);
                let pieces: Vec<_> =
                    owned.iter().map(|(bytes, units)| (&bytes[..], &units[..])).collect();
                let times = measure(contenders, &pieces);
                let first = [operation.to_string(), name.clone(), size.to_string()];
                row(first.into_iter().chain(times.iter().map(|time| format!("{time:.1}"))));
            }
        }
    }
    println!("\nGB of input per second, {LARGE} bytes of UTF-8:\n");
    header(["operation", "text", "bytes"], &operations[0].1);
    for (operation, contenders) in &mut operations {
        for (name, text) in &texts {
            let end = (0..=LARGE.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
            let text = &text[..end.unwrap_or(0)];
            let units: Vec<u16> = text.encode_utf16().collect();
            let input = if operation.starts_with("UTF-16") { 2 * units.len() } else { text.len() };
            let times = measure(contenders, &[(text.as_bytes(), &units)]);
            let first = [operation.to_string(), name.clone(), input.to_string()];
            row(first
                .into_iter()
                .chain(times.iter().map(|time| format!("{:.1}", input as f64 / time))));
        }
    }
}
