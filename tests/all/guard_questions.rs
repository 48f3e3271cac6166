//! The functions that only read a text, and those without a kernel in their name, on texts that
//! begin and end at the boundaries of memory: every number of bytes up to 320. The latter run in
//! processes of their own, in which `UTFLANE_KERNEL` names each kernel.

use std::hint::black_box;
use std::process::Command;

use crate::common::api::{Api, units_mut};
use crate::common::carriers::{EDGES, sample_chars};
use crate::common::checks::check_utf8;
use crate::common::guard::Guarded;
use crate::common::{say, shared};
use crate::kernels::can_start_again;
use utflane::mojibake::{self, Misread};
use utflane::utf8::legacy;
use utflane::{Index, Kernel, Metric, Policy, Position, Repair, Scheme};
use utflane::{bom, cesu8, detect, io, mutf8, utf8, utf16, utf32, wtf8};

const METRICS: [Metric; 3] = [Metric::Bytes, Metric::CodePoints, Metric::Utf16];

/// Texts of `len` bytes, of which any number may be taken: whole characters up to several limits,
/// lines of them, ill-formed bytes, double encoding, CESU-8, Modified UTF-8, WTF-8 and the older
/// definition, UTF-16.
fn sources(len: usize) -> Vec<Vec<u8>> {
    let text = |last, seed| sample_chars(last, len, seed).into_iter().collect::<String>();
    let twice = mojibake::apply(&text('\u{FFFF}', 9), Misread::Windows1252);
    let mut all: Vec<Vec<u8>> = ['\u{7F}', '\u{FF}', '\u{7FF}', char::MAX]
        .map(|last| text(last, 3).replace('0', "\n").into_bytes())
        .into();
    all.push((0..len).map(|i| EDGES[i * i % 53 % EDGES.len()]).collect());
    all.push(twice.into_bytes());
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

/// Counts, summaries, characters, and the Latin-1 check, of every length up to 700 bytes. Texts
/// that fit into Latin-1 are read to their end.
#[test]
fn questions_about_utf8_stay_inside() {
    let mut memory = Guarded::new(4096);
    for last in ['\u{7F}', '\u{FF}', '\u{7FF}', char::MAX] {
        let text: String = sample_chars(last, 700, 3).into_iter().collect();
        for len in shared("lengths", 0..=700) {
            for at_end in [true, false] {
                check_utf8(memory.holding(&text.as_bytes()[..len], at_end));
            }
        }
    }
}

/// The functions about positions that read most: on the whole text, on its middle, and on a line.
fn positions(api: Api, src: &[u8]) -> Vec<Option<usize>> {
    let index = match api {
        Api::Free => Index::new(src),
        Api::On(kernel) => Index::with_kernel(kernel, src),
    };
    let mut answers = vec![Some(index.lines())];
    for metric in METRICS {
        let all = index.len(metric);
        for n in [0, all / 2, all.saturating_sub(1), all, all + 1] {
            answers.push(index.offset_of(n, metric));
            answers.push(match api {
                Api::Free => utf8::offset_of(src, n, metric),
                Api::On(kernel) => kernel.utf8_offset_of(src, n, metric),
            });
        }
        for offset in [0, src.len() / 2, src.len().saturating_sub(1), src.len()] {
            answers.push(index.index_of(offset, metric));
            let (found, position) = match api {
                Api::Free => {
                    (utf8::index_of(src, offset, metric), utf8::position_of(src, offset, metric))
                }
                Api::On(kernel) => (
                    kernel.utf8_index_of(src, offset, metric),
                    kernel.utf8_position_of(src, offset, metric),
                ),
            };
            answers.extend([found, position.map(|at| at.line), position.map(|at| at.column)]);
            assert_eq!(index.position_of(offset, metric), position);
            let Some(Position { line, .. }) = position else { continue };
            let at = Position { line, column: usize::MAX };
            answers.push(index.offset_at(at, metric));
            answers.push(match api {
                Api::Free => utf8::offset_at(src, at, metric),
                Api::On(kernel) => kernel.utf8_offset_at(src, at, metric),
            });
        }
    }
    for line in [0, 1, index.lines() - 1, index.lines()] {
        answers.push(index.line_start(line));
        answers.push(match api {
            Api::Free => utf8::line_start(src, line),
            Api::On(kernel) => kernel.utf8_line_start(src, line),
        });
    }
    for offset in [0, src.len() / 2, src.len()] {
        answers.push(index.line_of(offset));
        answers.push(match api {
            Api::Free => utf8::line_of(src, offset),
            Api::On(kernel) => kernel.utf8_line_of(src, offset),
        });
        answers.push(Some(utf8::floor_boundary(src, offset)));
        answers.push(Some(utf8::ceil_boundary(src, offset)));
        answers.push(Some(usize::from(utf8::is_boundary(src, offset))));
    }
    let (chunks, text) = match api {
        Api::Free => (utf8::chunks(src), utf8::from_utf8_lossy(src)),
        Api::On(kernel) => (kernel.utf8_chunks(src), kernel.from_utf8_lossy(src)),
    };
    answers.extend([Some(chunks.count()), Some(text.len())]);
    answers
}

#[test]
fn positions_chunks_and_indexes_stay_inside() {
    let mut memory = Guarded::new(4096);
    for source in sources(320) {
        for len in shared("lengths", 0..=source.len()) {
            let src = &source[..len];
            let want = positions(Api::On(Kernel::SCALAR), src);
            for at_end in [true, false] {
                let part = memory.holding(src, at_end);
                for &api in Api::all() {
                    assert_eq!(positions(api, part), want, "{api:?} of {src:02X?}");
                }
            }
        }
    }
}

/// UTF-16: repairs, positions, comparison, the Latin-1 check; and UTF-32 as characters. Both texts
/// at a boundary.
#[test]
fn questions_about_units_stay_inside() {
    let (mut memory, mut other) = (Guarded::new(4096), Guarded::new(4096));
    for source in sources(320) {
        for len in shared("lengths", 0..=source.len() / 2) {
            for at_end in [true, false] {
                let src = &source[..2 * len];
                let a = units_mut::<u16>(memory.holding(src, at_end));
                let b = units_mut::<u16>(other.holding(src, at_end));
                let fixed = utf16::to_well_formed(a).into_owned();
                for &api in Api::all() {
                    let Api::On(kernel) = api else { continue };
                    let all = kernel.utf16_index_of(a, len).expect("inside");
                    assert!(kernel.utf16_offset_of(a, all).is_some(), "{kernel}");
                    assert!(kernel.utf16_compare(a, b).is_eq(), "{kernel}");
                    assert_eq!(kernel.utf16_fits_latin1(a), a.iter().all(|&unit| unit < 0x100));
                    assert_eq!(kernel.utf16_fits_ascii(a), a.iter().all(|&unit| unit < 0x80));
                    assert!(*kernel.utf16_to_well_formed(a) == fixed, "{kernel}");
                    assert_eq!(kernel.utf16_well_formed_into(a, b).written, len);
                    assert!(*b == fixed, "{kernel}");
                    kernel.utf16_make_well_formed(b);
                    b.copy_from_slice(a);
                    kernel.utf16_make_well_formed(b);
                    assert!(*b == fixed, "{kernel}");
                    b.copy_from_slice(a);
                }
            }
        }
        for len in shared("lengths", 0..=source.len() / 4) {
            for at_end in [true, false] {
                let units = units_mut::<u32>(memory.holding(&source[..4 * len], at_end));
                for unit in units.iter_mut() {
                    *unit &= 0xFFFF;
                }
                for kernel in Kernel::available() {
                    let want = units.iter().all(|&unit| char::from_u32(unit).is_some());
                    assert_eq!(kernel.utf32_as_chars(units).is_ok(), want, "{kernel}");
                }
                seen(utf32::as_chars_mut(units).is_ok());
            }
        }
    }
}

/// Keeps the compiler from dropping a computed value that nothing uses.
fn seen<T>(value: T) {
    let _ = black_box(value);
}

/// The functions that choose the active kernel themselves.
fn ask_everything(src: &[u8]) {
    seen((detect::detect(src), detect::detect_prefix(src)));
    seen((bom::detect(src), bom::split(src), bom::probe(src)));
    seen(bom::strip::<utflane::Utf8>(src));
    seen((legacy::decode(src), legacy::first(src)));
    seen((legacy::values(src).count(), legacy::sequences(src).count()));
    seen((cesu8::to_str(src), cesu8::to_str_lossy(src)));
    seen((mutf8::to_str(src), mutf8::to_str_lossy(src)));
    seen((wtf8::to_str(src), wtf8::to_str_lossy(src)));
    if utflane::validate::<utflane::Wtf8>(src).is_ok() {
        let mut text = wtf8::concat([src, src]);
        wtf8::append(&mut text, src);
        seen(text);
    }
    seen((utf8::from_utf8(src), utf8::to_chars(src), utf8::into_string_lossy(src.to_vec())));
    seen(io::read_to_string(src).is_ok());
    for scheme in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Wtf8, Scheme::Cesu8] {
        seen(io::read_text(src, scheme, Policy::from(Repair::REPLACE)).is_ok());
    }
    if let Ok(text) = str::from_utf8(src) {
        seen((cesu8::from_str(text), mutf8::from_str(text), utf8::str_to_chars(text)));
        seen((mojibake::detect(text), mojibake::undo(text), mojibake::undo_runs(text)));
        seen(mojibake::undo_all(text));
        seen(mojibake::Options::new().runs().no_break_spaces().undo(text));
        for misread in [Misread::Latin1, Misread::Windows1252] {
            seen((mojibake::revert(text, misread), mojibake::apply(text, misread)));
        }
    }
}

/// Repairs at run time, of every pair of schemes, and into an output at a boundary.
fn ask_schemes(src: &[u8], output: &mut Guarded, at_end: bool) {
    for (i, &from) in Scheme::ALL.iter().enumerate() {
        seen((from.validate(src).is_ok(), from.count(src)));
        for &to in Scheme::ALL.iter().skip((i + src.len()) % 3).step_by(3) {
            seen(from.len(src, to));
            let size = from.len_lossy(src, to, Repair::REPLACE);
            let mut out = Vec::new();
            from.transcode_lossy_append(src, to, Repair::REPLACE, &mut out);
            assert_eq!(out.len(), size, "{from} to {to} of {src:02X?}");
            let dst = output.part_of(size, at_end);
            let progress = from.transcode_lossy_into(src, to, Repair::REPLACE, dst);
            assert_eq!((progress.read, &*dst), (src.len(), &out[..]), "{from} to {to}");
            seen(from.transcode_into(src, to, dst));
        }
    }
}

/// In a process of its own for each kernel; run by itself, on the active one.
#[test]
fn functions_without_a_kernel_stay_inside() {
    let (mut memory, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for source in sources(320) {
        for len in shared("lengths", 0..=source.len()) {
            for at_end in [true, false] {
                let src = memory.holding(&source[..len], at_end);
                ask_everything(src);
                ask_schemes(src, &mut output, at_end);
            }
        }
    }
}

#[test]
fn functions_without_a_kernel_stay_inside_on_every_kernel() {
    if !can_start_again() {
        say("functions without a kernel stay inside: only on the active one here");
        return;
    }
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::active()) {
        let mut child = Command::new(std::env::current_exe().expect("this program"));
        child.args(["--exact", "guard_questions::functions_without_a_kernel_stay_inside"]);
        child.env("UTFLANE_KERNEL", kernel.name());
        let output = child.output().expect("this program starts again");
        assert!(output.status.success(), "{kernel}: {output:?}");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("1 passed"),
            "{kernel}: {output:?}"
        );
    }
}
