//! Functions that only read a text, and functions that are not methods of a kernel, on texts of
//! every length up to 320 bytes that begin or end next to an inaccessible page. The functions that
//! are not methods of a kernel run in one process for each kernel, which `UTFLANE_KERNEL` names.

use std::hint::black_box;
use std::process::Command;

use crate::common::api::{Api, units_mut};
use crate::common::carriers::{CLASS_BOUNDARY_BYTES, sample_chars};
use crate::common::checks::check_utf8;
use crate::common::guard::Guarded;
use crate::common::{sampled, say};
use crate::kernels::can_start_itself;
use utflane::utf8::{self, Lines, legacy};
use utflane::{Index, Kernel, LineEnds, Metric, Policy, Position, Repair, Scheme};
use utflane::{bom, cesu8, io, mutf8, utf16, utf32, wtf8};

const METRICS: [Metric; 3] = [Metric::Bytes, Metric::CodePoints, Metric::Utf16];

/// Returns texts of at most `len` bytes, of which the tests use prefixes of every length: lines of
/// characters up to several limits; ill-formed bytes; a mixture of CESU-8, Modified UTF-8,
/// WTF-8 and the older definition of UTF-8; UTF-16.
fn sources(len: usize) -> Vec<Vec<u8>> {
    let text = |last_char, seed| sample_chars(last_char, len, seed).into_iter().collect::<String>();
    let mut all: Vec<Vec<u8>> = ['\u{7F}', '\u{FF}', '\u{7FF}', char::MAX]
        .map(|last_char| text(last_char, 3).replace('0', "\n").into_bytes())
        .into();
    all.push(
        (0..len).map(|i| CLASS_BOUNDARY_BYTES[i * i % 53 % CLASS_BOUNDARY_BYTES.len()]).collect(),
    );
    all.push(
        b"a\xED\xA0\xBD\xED\xB8\x80\xED\xA0\x80\xC0\x80\xF8\x88\x80\x80\x80\xFD\xBF"
            .repeat(len / 8),
    );
    all.push(text(char::MAX, 4).encode_utf16().flat_map(u16::to_le_bytes).collect());
    for text in &mut all {
        text.truncate(len);
    }
    all
}

/// Counts, summaries, characters and the check for Latin-1, of every length up to 700 bytes. The
/// check for Latin-1 reads the texts that fit into Latin-1 to their end.
#[test]
fn functions_on_utf8_stay_inside() {
    let mut memory = Guarded::new(4096);
    for last_char in ['\u{7F}', '\u{FF}', '\u{7FF}', char::MAX] {
        let text: String = sample_chars(last_char, 700, 3).into_iter().collect();
        for len in sampled("lengths", 0..=700) {
            for at_end in [true, false] {
                check_utf8(memory.holding(&text.as_bytes()[..len], at_end));
            }
        }
    }
}

/// Calls the functions about positions, and returns their results. The arguments are chosen so that
/// the functions read the whole text, half of it, and a line.
fn call_position_functions(api: Api, src: &[u8]) -> Vec<Option<usize>> {
    let (index, lines) = match api {
        Api::Free => (Index::new(src), Lines::new(src, LineEnds::Lf)),
        Api::On(kernel) => {
            (Index::with_kernel(kernel, src), Lines::with_kernel(kernel, src, LineEnds::Lf))
        }
    };
    let mut results = vec![Some(index.lines())];
    for metric in METRICS {
        let len = index.len(metric);
        for n in [0, len / 2, len.saturating_sub(1), len, len + 1] {
            results.push(index.offset_of(n, metric));
            results.push(match api {
                Api::Free => utf8::offset_of(src, n, metric),
                Api::On(kernel) => kernel.utf8_offset_of(src, n, metric),
            });
        }
        for offset in [0, src.len() / 2, src.len().saturating_sub(1), src.len()] {
            results.push(index.index_of(offset, metric));
            let found = match api {
                Api::Free => utf8::index_of(src, offset, metric),
                Api::On(kernel) => kernel.utf8_index_of(src, offset, metric),
            };
            let position = lines.position_of(offset, metric);
            results.extend([
                found,
                position.map(|position| position.line),
                position.map(|position| position.column),
            ]);
            assert_eq!(index.position_of(offset, metric), position);
            let Some(Position { line, .. }) = position else { continue };
            let line_end = Position { line, column: usize::MAX };
            results.push(index.offset_at(line_end, metric));
            results.push(lines.offset_at(line_end, metric));
        }
    }
    for line in [0, 1, index.lines() - 1, index.lines()] {
        results.push(index.line_start(line));
        results.push(lines.line_start(line));
    }
    for offset in [0, src.len() / 2, src.len()] {
        results.push(index.line_of(offset));
        results.push(lines.line_of(offset));
        results.push(Some(utf8::floor_boundary(src, offset)));
        results.push(Some(utf8::ceil_boundary(src, offset)));
        results.push(Some(usize::from(utf8::is_boundary(src, offset))));
    }
    let (chunks, text) = match api {
        Api::Free => (utf8::chunks(src), utf8::from_utf8_lossy(src)),
        Api::On(kernel) => (kernel.utf8_chunks(src), kernel.from_utf8_lossy(src)),
    };
    results.extend([Some(chunks.count()), Some(text.len())]);
    results
}

#[test]
fn positions_chunks_and_indexes_stay_inside() {
    let mut memory = Guarded::new(4096);
    for source in sources(320) {
        for len in sampled("lengths", 0..=source.len()) {
            let src = &source[..len];
            let want = call_position_functions(Api::On(Kernel::SCALAR), src);
            for at_end in [true, false] {
                let part = memory.holding(src, at_end);
                for &api in Api::all() {
                    assert_eq!(call_position_functions(api, part), want, "{api:?} of {src:02X?}");
                }
            }
        }
    }
}

/// UTF-16: repairs, positions, comparison, the checks for Latin-1 and ASCII; and UTF-32 as
/// characters. All texts are next to an inaccessible page.
#[test]
fn functions_on_utf16_and_utf32_stay_inside() {
    let (mut memory, mut other) = (Guarded::new(4096), Guarded::new(4096));
    for source in sources(320) {
        for len in sampled("lengths", 0..=source.len() / 2) {
            for at_end in [true, false] {
                let src = &source[..2 * len];
                let text = units_mut::<u16>(memory.holding(src, at_end));
                let copy = units_mut::<u16>(other.holding(src, at_end));
                let well_formed = utf16::to_well_formed(text).into_owned();
                for &api in Api::all() {
                    let Api::On(kernel) = api else { continue };
                    let code_points =
                        kernel.utf16_index_of(text, len).expect("an offset in the text");
                    assert!(kernel.utf16_offset_of(text, code_points).is_some(), "{kernel}");
                    assert!(kernel.utf16_compare(text, copy).is_eq(), "{kernel}");
                    assert_eq!(
                        kernel.utf16_fits_latin1(text),
                        text.iter().all(|&unit| unit < 0x100)
                    );
                    assert_eq!(kernel.utf16_fits_ascii(text), text.iter().all(|&unit| unit < 0x80));
                    assert_eq!(kernel.utf16_well_formed_into(text, copy).written, len);
                    assert!(*copy == well_formed, "{kernel}");
                    kernel.utf16_make_well_formed(copy);
                    copy.copy_from_slice(text);
                    kernel.utf16_make_well_formed(copy);
                    assert!(*copy == well_formed, "{kernel}");
                    copy.copy_from_slice(text);
                }
            }
        }
        for len in sampled("lengths", 0..=source.len() / 4) {
            for at_end in [true, false] {
                let units = units_mut::<u32>(memory.holding(&source[..4 * len], at_end));
                for unit in units.iter_mut() {
                    *unit &= 0xFFFF;
                }
                for kernel in Kernel::available() {
                    let want = units.iter().all(|&unit| char::from_u32(unit).is_some());
                    assert_eq!(kernel.is_valid::<utflane::Utf32>(units), want, "{kernel}");
                }
                keep(utf32::as_chars_mut(units).is_ok());
            }
        }
    }
}

/// Keeps the compiler from dropping a computed value that nothing uses.
fn keep<T>(value: T) {
    let _ = black_box(value);
}

/// Calls the functions that always run on the active kernel.
fn call_functions(src: &[u8]) {
    keep((bom::detect(src), bom::split(src), bom::probe(src)));
    keep(bom::strip::<utflane::Utf8>(src));
    keep((legacy::decode(src), legacy::first(src)));
    keep((legacy::values(src).count(), legacy::sequences(src).count()));
    keep((cesu8::to_str(src), cesu8::to_str_lossy(src)));
    keep((mutf8::to_str(src), mutf8::to_str_lossy(src)));
    keep((wtf8::to_str(src), wtf8::to_str_lossy(src)));
    if utflane::validate::<utflane::Wtf8>(src).is_ok() {
        let mut text = src.to_vec();
        wtf8::append(&mut text, src);
        keep(text);
    }
    keep((utf8::from_utf8(src), utf8::to_chars(src), utf8::into_string_lossy(src.to_vec())));
    keep(io::read_to_string(src).is_ok());
    for scheme in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Wtf8, Scheme::Cesu8] {
        keep(io::read_text(src, scheme, Policy::from(Repair::REPLACE)).is_ok());
    }
    if let Ok(text) = str::from_utf8(src) {
        keep((cesu8::from_str(text), mutf8::from_str(text), utf8::str_to_chars(text)));
    }
}

/// Calls the methods of `Scheme` for pairs of schemes, with an output next to an inaccessible page.
fn call_scheme_methods(src: &[u8], output: &mut Guarded, at_end: bool) {
    for (i, &from) in Scheme::ALL.iter().enumerate() {
        keep((from.validate(src).is_ok(), from.count(src)));
        for &to in Scheme::ALL.iter().skip((i + src.len()) % 3).step_by(3) {
            keep(from.len(src, to));
            let want_len = from.measure_lossy(src, to, Repair::REPLACE).len;
            let mut out = Vec::new();
            from.transcode_lossy_append(src, to, Repair::REPLACE, &mut out);
            assert_eq!(out.len(), want_len, "{from} to {to} of {src:02X?}");
            let dst = output.part_of(want_len, at_end);
            let progress = from.transcode_lossy_into(src, to, Repair::REPLACE, dst);
            assert_eq!((progress.read, &*dst), (src.len(), &out[..]), "{from} to {to}");
            keep(from.transcode_into(src, to, dst));
        }
    }
}

/// Runs on the active kernel. The next test starts this test in a process of its own for each other
/// kernel.
#[test]
fn functions_without_a_kernel_stay_inside() {
    let (mut memory, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for source in sources(320) {
        for len in sampled("lengths", 0..=source.len()) {
            for at_end in [true, false] {
                let src = memory.holding(&source[..len], at_end);
                call_functions(src);
                call_scheme_methods(src, &mut output, at_end);
            }
        }
    }
}

#[test]
fn functions_without_a_kernel_stay_inside_on_every_kernel() {
    if !can_start_itself() {
        say("functions without a kernel stay inside: tested only on the active kernel");
        return;
    }
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::active()) {
        let mut child = Command::new(std::env::current_exe().expect("the path of this program"));
        child.args(["--exact", "guard_questions::functions_without_a_kernel_stay_inside"]);
        child.env("UTFLANE_KERNEL", kernel.name());
        let output = child.output().expect("this program can start itself");
        assert!(output.status.success(), "{kernel}: {output:?}");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("1 passed"),
            "{kernel}: {output:?}"
        );
    }
}
