//! Compares the speed of utflane, std, encoding_rs and simdutf8 in about a minute.
//!
//! ```text
//! cargo bench                 measures all rows
//! cargo bench -- russian      measures the rows with this word in their names
//! cargo bench -- --test       only checks that all libraries give the same results
//! ```
//!
//! It measures in the same way as `cargo bench -p utflane-bench --bench compare`. That program has
//! more operations, texts and sizes. It also measures simdutf, which needs a C++ compiler.

#![allow(dead_code, unreachable_pub, reason = "other programs use more of the shared modules")]

use std::process::ExitCode;
use std::time::Duration;

use encoding_rs::mem;
use utflane::{Kernel, Latin1, Utf8, Utf16};

#[path = "src/rounds/mod.rs"]
mod rounds;
#[path = "../tests/common/text.rs"]
mod text;

use rounds::case::{Case, Contender, FAILED, capacity, peer, written};
use rounds::disturbance::DisturbanceDetector;
use rounds::{Settings, agree, compare};

/// The names of the generated texts: one is mostly ASCII, in the other nearly every character has
/// two bytes.
const TEXT_NAMES: [&str; 2] = ["french", "russian"];

/// The length of the texts, in bytes of UTF-8.
const TEXT_BYTES: usize = 64 << 10;

/// The other libraries, in the order of their columns.
const PEERS: [&str; 3] = ["std", "encoding_rs", "simdutf8"];

/// With these settings, all rows together take about three seconds on a quiet machine.
const SETTINGS: Settings =
    Settings { rounds: 101, sample: Duration::from_micros(400), patience: 5 };

/// An operation, and our call and the calls of other libraries that perform it.
struct Operation {
    name: &'static str,
    /// Returns the text in the source encoding of the operation, as bytes.
    encode: fn(&str) -> Vec<u8>,
    /// True if the operation can be measured only on texts whose characters are in Latin-1.
    needs_latin1: bool,
    /// Returns the maximum number of bytes of output for a number of bytes of input.
    capacity: fn(usize) -> usize,
    ours: Contender,
    peers: Vec<Contender>,
}

fn main() -> ExitCode {
    // cargo passes `--bench` by itself.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let is_test = args.iter().any(|arg| arg == "--test");
    let filters: Vec<_> = args.into_iter().filter(|arg| arg != "--test").collect();
    match run(is_test, &filters) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("throughput: {error}");
            ExitCode::from(2)
        }
    }
}

/// Checks the rows that the filters select, and measures them.
fn run(is_test: bool, filters: &[String]) -> Result<(), String> {
    if Kernel::override_rejected() {
        return Err("UTFLANE_KERNEL does not name a kernel that this processor can run".to_owned());
    }
    if let Some(option) = filters.iter().find(|filter| filter.starts_with('-')) {
        return Err(format!("unknown option {option}; usage: cargo bench -- [--test] [FILTER...]"));
    }
    let detector = DisturbanceDetector::new();
    if !is_test {
        print_header();
    }
    let mut disturbed = false;
    for operation in operations() {
        for script in TEXT_NAMES {
            let (name, text) = text_for(&operation, script);
            let row = format!("{:16} {name:21}", operation.name);
            if !filters.is_empty() && !filters.iter().any(|filter| row.contains(filter)) {
                continue;
            }
            let source = (operation.encode)(&text);
            let mut case = Case::new(Kernel::active(), &source, (operation.capacity)(source.len()));
            agree(operation.ours.run, &operation.peers, &mut case)
                .map_err(|error| format!("{row}: {error}"))?;
            if is_test {
                println!("{row} all results agree");
                continue;
            }
            let (figures, quiet) = measure(&operation, &mut case, &detector);
            println!("{row}{figures}{}", if quiet { "" } else { " *" });
            disturbed |= !quiet;
        }
    }
    if disturbed {
        println!("* measured while other programs used the same core");
    }
    Ok(())
}

/// Prints an explanation of the figures, and the names of the columns.
fn print_header() {
    println!(
        "utflane {} (kernel {}) and other libraries, GB/s of input: medians of {} rounds\n\
         in which all libraries take turns, on texts of {} KiB.\n\
         ratio: speed of utflane / speed of the fastest other library.\n",
        env!("CARGO_PKG_VERSION"),
        Kernel::active(),
        SETTINGS.rounds,
        TEXT_BYTES >> 10,
    );
    print!("{:16} {:21} {:>8}", "operation", "text", "utflane");
    PEERS.iter().for_each(|peer| print!(" {peer:>11}"));
    println!(" {:>7}", "ratio");
}

/// Returns the speed of each library and the ratio, in columns, and true if the core was
/// undisturbed.
fn measure(
    operation: &Operation,
    case: &mut Case,
    detector: &DisturbanceDetector,
) -> (String, bool) {
    let mut contenders = vec![operation.ours];
    contenders.extend(&operation.peers);
    let outcome = compare(&contenders, case, SETTINGS, detector, &mut Case::shuffle);
    let speed = |index: usize| case.bytes() as f64 / outcome.times[index];
    let mut line = format!(" {:8.2}", speed(0));
    for name in PEERS {
        line += &match contenders.iter().position(|contender| contender.name == name) {
            Some(index) => format!(" {:11.2}", speed(index)),
            None => format!(" {:>11}", "-"),
        };
    }
    let ratio = outcome.ratios[1..].iter().copied().fold(f64::INFINITY, f64::min);
    (line + &format!(" {ratio:7.2}"), detector.is_undisturbed(outcome.loop_time))
}

/// Returns the name and the content of a text that the operation can convert.
fn text_for(operation: &Operation, script: &str) -> (String, String) {
    let known_script = text::SCRIPTS.iter().find(|known| known.name == script);
    let text = text::uniform(
        known_script.expect("`SCRIPTS` has the scripts of `TEXT_NAMES`"),
        1,
        TEXT_BYTES,
    );
    if !operation.needs_latin1 || text.chars().all(|c| c <= '\u{FF}') {
        return (script.to_owned(), text);
    }
    let text = text.chars().map(|c| if c <= '\u{FF}' { c } else { 'é' }).collect();
    (format!("{script} (as latin-1)"), text)
}

/// Returns the operations in the order of their rows.
fn operations() -> [Operation; 5] {
    [
        Operation {
            name: "validate UTF-8",
            encode: |text| text.as_bytes().to_vec(),
            needs_latin1: false,
            capacity: |_| 0,
            ours: peer!(check, "utflane", |src: &[u8]| utflane::validate::<Utf8>(src).is_ok()),
            peers: vec![
                peer!(check, "std", |src: &[u8]| std::str::from_utf8(src).is_ok()),
                peer!(check, "encoding_rs", |src: &[u8]| {
                    encoding_rs::Encoding::utf8_valid_up_to(src) == src.len()
                }),
                peer!(check, "simdutf8", |src: &[u8]| simdutf8::basic::from_utf8(src).is_ok()),
            ],
        },
        Operation {
            name: "UTF-8 to UTF-16",
            encode: |text| text.as_bytes().to_vec(),
            needs_latin1: false,
            capacity: capacity::<Utf8, Utf16>,
            ours: peer!(convert, "utflane", |src: &[u8], dst: &mut [u16]| {
                written(utflane::transcode_into::<Utf8, Utf16>(src, dst))
            }),
            peers: vec![
                peer!(convert, "std", |src: &[u8], dst: &mut [u16]| {
                    let Ok(text) = std::str::from_utf8(src) else { return FAILED };
                    write_units(dst, text.encode_utf16().map(Some))
                }),
                peer!(convert, "encoding_rs", |src: &[u8], dst: &mut [u16]| {
                    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(FAILED)
                }),
            ],
        },
        Operation {
            name: "UTF-16 to UTF-8",
            encode: |text| text.encode_utf16().flat_map(u16::to_ne_bytes).collect(),
            needs_latin1: false,
            capacity: capacity::<Utf16, Utf8>,
            ours: peer!(convert, "utflane", |src: &[u16], dst: &mut [u8]| {
                written(utflane::transcode_into::<Utf16, Utf8>(src, dst))
            }),
            peers: vec![
                peer!(convert, "std", |src: &[u16], dst: &mut [u8]| {
                    write_utf8(dst, char::decode_utf16(src.iter().copied()).map(Result::ok))
                }),
                // encoding_rs replaces ill-formed sequences, so it also has to find them.
                peer!(convert, "encoding_rs", mem::convert_utf16_to_utf8),
            ],
        },
        Operation {
            name: "UTF-8 to Latin-1",
            encode: |text| text.as_bytes().to_vec(),
            needs_latin1: true,
            capacity: capacity::<Utf8, Latin1>,
            ours: peer!(convert, "utflane", |src: &[u8], dst: &mut [u8]| {
                written(utflane::transcode_into::<Utf8, Latin1>(src, dst))
            }),
            peers: vec![
                peer!(convert, "std", |src: &[u8], dst: &mut [u8]| {
                    let Ok(text) = std::str::from_utf8(src) else { return FAILED };
                    write_units(dst, text.chars().map(|c| u8::try_from(c).ok()))
                }),
                peer!(convert, "encoding_rs", |src: &[u8], dst: &mut [u8]| {
                    match mem::is_utf8_latin1(src) {
                        true => mem::convert_utf8_to_latin1_lossy(src, dst),
                        false => FAILED,
                    }
                }),
            ],
        },
        Operation {
            name: "Latin-1 to UTF-8",
            encode: |text| text.chars().filter_map(|c| u8::try_from(c).ok()).collect(),
            needs_latin1: true,
            capacity: capacity::<Latin1, Utf8>,
            ours: peer!(convert, "utflane", |src: &[u8], dst: &mut [u8]| {
                written(utflane::transcode_into::<Latin1, Utf8>(src, dst))
            }),
            peers: vec![
                peer!(convert, "std", |src: &[u8], dst: &mut [u8]| {
                    write_utf8(dst, src.iter().map(|&byte| Some(char::from(byte))))
                }),
                peer!(convert, "encoding_rs", mem::convert_latin1_to_utf8),
            ],
        },
    ]
}

/// Writes units one by one. Returns their number, or `FAILED` if an item is `None`.
fn write_units<T>(dst: &mut [T], units: impl Iterator<Item = Option<T>>) -> usize {
    let mut written = 0;
    for (unit, slot) in units.zip(dst) {
        let Some(unit) = unit else { return FAILED };
        *slot = unit;
        written += 1;
    }
    written
}

/// Writes characters as UTF-8. Returns the number of bytes, or `FAILED` if an item is `None`.
fn write_utf8(dst: &mut [u8], chars: impl Iterator<Item = Option<char>>) -> usize {
    let mut written = 0;
    for c in chars {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf8(&mut dst[written..]).len();
    }
    written
}
