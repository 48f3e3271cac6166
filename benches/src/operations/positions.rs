//! Operations on positions in UTF-8, counts that are not lengths, construction of an index, chunks
//! of a text, and comparison of UTF-16 texts. A position is at the last character or line, so that
//! the function reads the whole text.

use std::hint::black_box;

use str_indices::{chars, lines_lf, utf16};
use utflane::utf8::{self, Lines};
use utflane::{Index, Kernel, LineEnds, Metric, Utf8, Utf16};

use super::{Operation, new_operation, peer};

/// Computes the argument of a function. The time of this computation is not measured.
type Argument = fn(&str) -> usize;

/// Returns the byte offset of the last character.
const LAST_OFFSET: Argument = |src| src.char_indices().next_back().map_or(0, |(offset, _)| offset);

/// Returns the index of the last character, in code points.
const LAST_CODE_POINT: Argument = |src| src.chars().count().saturating_sub(1);

/// Returns the index of the last character, in UTF-16 units.
const LAST_UTF16_UNIT: Argument = |src| src[..LAST_OFFSET(src)].encode_utf16().count();

/// Returns the number of the last line, from 0.
const LAST_LINE: Argument = |src| src.bytes().filter(|&byte| byte == b'\n').count();

/// An operation that converts a position: its name, its argument, the free function and the method
/// with their [`Metric`] or the method of [`Lines`], and the peers' functions.
macro_rules! lookup {
    ($name:literal, $argument:expr, $free:ident / $method:ident($metric:expr), $($peers:tt)*) => {
        lookup!($name, $argument, |src, n| utf8::$free(src, n, $metric),
            |kernel: Kernel, src, n| kernel.$method(src, n, $metric), $($peers)*)
    };
    ($name:literal, $argument:expr, Lines::$method:ident, $($peers:tt)*) => {
        lookup!($name, $argument, |src, n| Lines::new(src, LineEnds::Lf).$method(n),
            |kernel, src, n| Lines::with_kernel(kernel, src, LineEnds::Lf).$method(n), $($peers)*)
    };
    ($name:literal, $argument:expr, $free:expr, $on_kernel:expr,
        $($peer:literal: $call:expr),*) => {
        Operation {
            edit: Some(split_into_lines),
            ..new_operation::<Utf8>(
                $name,
                |case, times| {
                    let kernel = case.kernel;
                    case.call_with(times, $argument, |src: &str, &n| {
                        $on_kernel(black_box(kernel), src.as_bytes(), n).unwrap_or(usize::MAX)
                    })
                },
                |case, times| {
                    case.call_with(times, $argument, |src: &str, &n| {
                        $free(src.as_bytes(), n).unwrap_or(usize::MAX)
                    })
                },
            )
        }
        .against([$(super::Contender {
            name: $peer,
            run: |case, times| case.call_with(times, $argument, $call),
        }),*])
    };
}

/// Replaces one character in every 60 bytes or a few more with line feeds.
fn split_into_lines(bytes: &mut [u8]) {
    let mut start = 60;
    while start < bytes.len() {
        while !utf8::is_boundary(bytes, start) {
            start += 1;
        }
        let end = utf8::ceil_boundary(bytes, start + 1);
        bytes[start..end].fill(b'\n');
        start = end + 60;
    }
}

/// Returns the operations that convert positions.
pub(super) fn lookups() -> Vec<Operation> {
    vec![
        lookup!("position code-point>byte", LAST_CODE_POINT,
            offset_of / utf8_offset_of(Metric::CodePoints),
            "str_indices": |src: &str, &n| chars::to_byte_idx(src, n),
            "std": |src: &str, &n| src.char_indices().nth(n).map_or(src.len(), |(start, _)| start)),
        lookup!("position byte>code-point", LAST_OFFSET,
            index_of / utf8_index_of(Metric::CodePoints),
            "str_indices": |src: &str, &n| chars::from_byte_idx(src, n),
            "std": |src: &str, &n| src[..n].chars().count()),
        lookup!("position utf16>byte", LAST_UTF16_UNIT,
            offset_of / utf8_offset_of(Metric::Utf16),
            "str_indices": |src: &str, &n| utf16::to_byte_idx(src, n),
            "std": |src: &str, &n| std_utf16_to_byte(src, n)),
        lookup!("position byte>utf16", LAST_OFFSET,
            index_of / utf8_index_of(Metric::Utf16),
            "str_indices": |src: &str, &n| utf16::from_byte_idx(src, n),
            "std": |src: &str, &n| src[..n].encode_utf16().count()),
        lookup!("position line>byte", LAST_LINE,
            Lines::line_start,
            "str_indices": |src: &str, &n| lines_lf::to_byte_idx(src, n),
            "std": |src: &str, &n| std_line_start(src, n)),
        lookup!("position byte>line", LAST_OFFSET,
            Lines::line_of,
            "str_indices": |src: &str, &n| lines_lf::from_byte_idx(src, n),
            "std": |src: &str, &n| std_line_of(src, n)),
        position_of(),
        convert_positions(),
    ]
}

/// The number of positions that are converted with one call: one for each KiB of a text of 64 KiB.
const POSITION_COUNT: usize = 64;

/// Returns positions from the start to `last`, at equal distances.
fn equidistant_positions(last: usize) -> [usize; POSITION_COUNT] {
    std::array::from_fn(|i| i * last / (POSITION_COUNT - 1))
}

/// Returns the operation that converts many positions in one call. Some positions are inside of
/// characters.
fn convert_positions() -> Operation {
    new_operation::<Utf8>(
        "positions byte>utf16",
        |case, times| {
            let kernel = case.kernel;
            case.call_with(times, LAST_OFFSET, |src: &str, &last| {
                let (mut all, kernel) = (equidistant_positions(last), black_box(kernel));
                let (from, to) = (Metric::Bytes, Metric::Utf16);
                let done = kernel.utf8_convert_positions(src.as_bytes(), from, to, &mut all);
                done.map_or(usize::MAX, |()| all.iter().sum())
            })
        },
        |case, times| {
            case.call_with(times, LAST_OFFSET, |src: &str, &last| {
                let mut all = equidistant_positions(last);
                let (from, to) = (Metric::Bytes, Metric::Utf16);
                let done = utf8::convert_positions(src.as_bytes(), from, to, &mut all);
                done.map_or(usize::MAX, |()| all.iter().sum())
            })
        },
    )
    .against([super::Contender {
        name: "std",
        run: |case, times| {
            case.call_with(times, LAST_OFFSET, |src: &str, &last| {
                let (mut units, mut sum) = (0, 0);
                let mut chars = src.char_indices().peekable();
                for position in equidistant_positions(last) {
                    while let Some(&(offset, c)) = chars.peek()
                        && offset + c.len_utf8() <= position
                    {
                        units += c.len_utf16();
                        chars.next();
                    }
                    sum += units;
                }
                sum
            })
        },
    }])
}

/// Returns the counts that are not lengths.
pub(super) fn counts() -> Vec<Operation> {
    vec![
        new_operation::<Utf8>(
            "supplementary utf8",
            |case, times| {
                let kernel = case.kernel;
                case.compute(times, |src: &[u8]| black_box(kernel).utf8_count_supplementary(src))
            },
            |case, times| case.compute(times, utf8::count_supplementary),
        )
        .against([
            peer!(compute, "str_indices", |src: &str| utf16::count_surrogates(src)),
            peer!(compute, "std", |src: &[u8]| src.iter().filter(|&&byte| byte >= 0xF0).count()),
        ]),
        Operation {
            edit: Some(split_into_lines),
            ..new_operation::<Utf8>(
                "lines utf8",
                |case, times| {
                    let kernel = case.kernel;
                    case.compute(times, |src: &[u8]| {
                        Lines::with_kernel(black_box(kernel), src, LineEnds::Lf).count()
                    })
                },
                |case, times| {
                    case.compute(times, |src: &[u8]| Lines::new(src, LineEnds::Lf).count())
                },
            )
        }
        .against([
            peer!(compute, "str_indices", |src: &str| lines_lf::count_breaks(src) + 1),
            peer!(compute, "std", |src: &[u8]| src.iter().filter(|&&byte| byte == b'\n').count()
                + 1),
        ]),
    ]
}

/// Returns the operation that computes the line and the column in one call. The peer needs several
/// calls.
fn position_of() -> Operation {
    Operation {
        edit: Some(split_into_lines),
        ..new_operation::<Utf8>(
            "position byte>position",
            |case, times| {
                let kernel = case.kernel;
                case.call_with(times, LAST_OFFSET, |src: &str, &n| {
                    let lines = Lines::with_kernel(black_box(kernel), src.as_bytes(), LineEnds::Lf);
                    let position = lines.position_of(n, Metric::Utf16);
                    position.map_or(usize::MAX, |found| 1000 * found.line + found.column)
                })
            },
            |case, times| {
                case.call_with(times, LAST_OFFSET, |src: &str, &n| {
                    let lines = Lines::new(src.as_bytes(), LineEnds::Lf);
                    let position = lines.position_of(n, Metric::Utf16);
                    position.map_or(usize::MAX, |found| 1000 * found.line + found.column)
                })
            },
        )
    }
    .against([super::Contender {
        name: "str_indices",
        run: |case, times| {
            case.call_with(times, LAST_OFFSET, |src: &str, &n| {
                let line = lines_lf::from_byte_idx(src, n);
                let start = lines_lf::to_byte_idx(src, line);
                1000 * line + utf16::from_byte_idx(&src[start..], n - start)
            })
        },
    }])
}

/// Converts a UTF-16 index to a byte offset with std: adds the UTF-16 lengths of the characters.
fn std_utf16_to_byte(src: &str, n: usize) -> usize {
    let mut units = 0;
    for (offset, c) in src.char_indices() {
        units += c.len_utf16();
        if units > n {
            return offset;
        }
    }
    src.len()
}

/// Converts a byte offset to a line number with std: counts line feeds.
fn std_line_of(src: &str, offset: usize) -> usize {
    src.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count()
}

/// Converts a line number to the byte offset of its start with std: searches for line feeds.
fn std_line_start(src: &str, line: usize) -> usize {
    match line.checked_sub(1) {
        None => 0,
        Some(line_feed) => {
            src.match_indices('\n').nth(line_feed).map_or(src.len(), |(offset, _)| offset + 1)
        }
    }
}

/// Returns the operations that need no position.
pub(super) fn whole_texts() -> Vec<Operation> {
    vec![
        Operation {
            edit: Some(split_into_lines),
            ..new_operation::<Utf8>(
                "make index",
                |case, times| {
                    let kernel = case.kernel;
                    case.compute(times, |src: &[u8]| {
                        Index::with_kernel(black_box(kernel), src).len(Metric::Utf16)
                    })
                },
                |case, times| case.compute(times, |src: &[u8]| Index::new(src).len(Metric::Utf16)),
            )
        }
        .against([
            peer!(compute, "str_indices", |src: &str| {
                black_box((chars::count(src), lines_lf::count_breaks(src)));
                utf16::count(src)
            }),
            // A validation does less work than the construction of an index. It is the baseline for
            // the time. It returns the number of UTF-16 units, so that its result equals the other
            // results.
            super::Contender {
                name: "our-validate",
                run: |case, times| {
                    let kernel = case.kernel;
                    case.call_with(
                        times,
                        |src: &str| src.encode_utf16().count(),
                        |src: &str, &units| {
                            black_box(kernel).validate::<Utf8>(src.as_bytes()).map_or(0, |()| units)
                        },
                    )
                },
            },
        ]),
        chunks("chunks utf8", None),
        chunks("chunks many-errors utf8", Some(put_errors)),
        compare(),
    ]
}

/// Overwrites a byte in every 200 bytes by a byte that is always ill-formed.
fn put_errors(bytes: &mut [u8]) {
    bytes.iter_mut().skip(100).step_by(200).for_each(|byte| *byte = 0xFF);
}

/// Returns the operation that iterates over all chunks and adds the lengths of their valid parts.
fn chunks(name: &'static str, edit: Option<fn(&mut [u8])>) -> Operation {
    Operation {
        edit,
        ..new_operation::<Utf8>(
            name,
            |case, times| {
                let kernel = case.kernel;
                case.compute(times, |src: &[u8]| {
                    black_box(kernel).utf8_chunks(src).map(|chunk| chunk.valid.len()).sum()
                })
            },
            |case, times| {
                case.compute(times, |src: &[u8]| {
                    utf8::chunks(src).map(|chunk| chunk.valid.len()).sum()
                })
            },
        )
    }
    .against([peer!(compute, "std", |src: &[u8]| {
        src.utf8_chunks().map(|chunk| chunk.valid().len()).sum()
    })])
}

/// Returns the operation that compares a text with its copy.
fn compare() -> Operation {
    new_operation::<Utf16>(
        "compare utf16",
        |case, times| {
            let kernel = case.kernel;
            case.call_with(times, <[u16]>::to_vec, |a: &[u16], b| {
                black_box(kernel).utf16_compare(a, b) as usize
            })
        },
        |case, times| {
            case.call_with(times, <[u16]>::to_vec, |a: &[u16], b| {
                utflane::utf16::compare(a, b) as usize
            })
        },
    )
    .against([
        super::Contender {
            name: "std",
            run: |case, times| {
                case.call_with(times, <[u16]>::to_vec, |a: &[u16], b| {
                    let [a, b] = [a, b].map(|text| char::decode_utf16(text.iter().copied()));
                    a.map(Result::ok).cmp(b.map(Result::ok)) as usize
                })
            },
        },
        // This is another order, but equal texts are equal in both orders.
        super::Contender {
            name: "std-units",
            run: |case, times| {
                case.call_with(times, <[u16]>::to_vec, |a: &[u16], b| a.cmp(b.as_slice()) as usize)
            },
        },
    ])
}
