//! Functions about positions in UTF-8, each about the last character or line, so that all of the
//! text is read; the runs of a text; indexes; and the order of UTF-16.

use std::hint::black_box;

use str_indices::{chars, lines_lf, utf16};
use utflane::{Index, Metric, Utf8, Utf16, utf8};

use super::{Operation, peer, row};

/// Computes the argument of a function before it is timed.
type About = fn(&str) -> usize;

/// The last character.
const LAST: About = |src| src.char_indices().next_back().map_or(0, |(at, _)| at);
/// Its number.
const LAST_CODE_POINT: About = |src| src.chars().count().saturating_sub(1);
/// The number of its first unit.
const LAST_UNIT: About = |src| src[..LAST(src)].encode_utf16().count();
/// The last line.
const LAST_LINE: About = |src| src.bytes().filter(|&byte| byte == b'\n').count();

/// A function as a row: the free function and the method, and how a number and a [`Metric`] are
/// passed to them.
macro_rules! question {
    ($name:literal, $about:expr, $free:ident / $method:ident($($metric:expr)?),
        $($peer:literal: $call:expr),*) => {
        Operation {
            edit: Some(into_lines),
            ..row::<Utf8>(
                $name,
                |case, times| {
                    let kernel = case.kernel;
                    case.ask(times, $about, |src: &str, &n| {
                        let kernel = black_box(kernel);
                        kernel.$method(src.as_bytes(), n, $($metric)?).unwrap_or(usize::MAX)
                    })
                },
                |case, times| {
                    case.ask(times, $about, |src: &str, &n| {
                        utf8::$free(src.as_bytes(), n, $($metric)?).unwrap_or(usize::MAX)
                    })
                },
            )
        }
        .against([$(super::Contender {
            name: $peer,
            run: |case, times| case.ask(times, $about, $call),
        }),*])
    };
}

/// Replaces a character by a line feed, every 60 bytes or a little more.
fn into_lines(bytes: &mut [u8]) {
    let mut at = 60;
    while at < bytes.len() {
        while !utf8::is_boundary(bytes, at) {
            at += 1;
        }
        let end = utf8::ceil_boundary(bytes, at + 1);
        bytes[at..end].fill(b'\n');
        at = end + 60;
    }
}

/// The functions that `str_indices` has too.
pub(super) fn questions() -> Vec<Operation> {
    vec![
        question!("place code-point>byte", LAST_CODE_POINT,
            offset_of / utf8_offset_of(Metric::CodePoints),
            "str_indices": |src: &str, &n| chars::to_byte_idx(src, n),
            "std": |src: &str, &n| src.char_indices().nth(n).map_or(src.len(), |(at, _)| at)),
        question!("place byte>code-point", LAST,
            index_of / utf8_index_of(Metric::CodePoints),
            "str_indices": |src: &str, &n| chars::from_byte_idx(src, n),
            "std": |src: &str, &n| src[..n].chars().count()),
        question!("place utf16>byte", LAST_UNIT,
            offset_of / utf8_offset_of(Metric::Utf16),
            "str_indices": |src: &str, &n| utf16::to_byte_idx(src, n),
            "std": |src: &str, &n| std_utf16_to_byte(src, n)),
        question!("place byte>utf16", LAST,
            index_of / utf8_index_of(Metric::Utf16),
            "str_indices": |src: &str, &n| utf16::from_byte_idx(src, n),
            "std": |src: &str, &n| src[..n].encode_utf16().count()),
        question!("place line>byte", LAST_LINE,
            line_start / utf8_line_start(),
            "str_indices": |src: &str, &n| lines_lf::to_byte_idx(src, n),
            "std": |src: &str, &n| std_line_start(src, n)),
        question!("place byte>line", LAST,
            line_of / utf8_line_of(),
            "str_indices": |src: &str, &n| lines_lf::from_byte_idx(src, n),
            "std": |src: &str, &n| std_line(src, n)),
        position(),
        many_positions(),
    ]
}

/// Positions that are converted at once: one for each KiB of 64 KiB.
const POSITIONS: usize = 64;

/// Positions from the start to `last`, at equal distances.
fn spread(last: usize) -> [usize; POSITIONS] {
    std::array::from_fn(|i| i * last / (POSITIONS - 1))
}

/// Many positions in one call, some of them inside characters.
fn many_positions() -> Operation {
    row::<Utf8>(
        "places byte>utf16",
        |case, times| {
            let kernel = case.kernel;
            case.ask(times, LAST, |src: &str, &last| {
                let (mut all, kernel) = (spread(last), black_box(kernel));
                let (from, to) = (Metric::Bytes, Metric::Utf16);
                let done = kernel.utf8_convert_positions(src.as_bytes(), from, to, &mut all);
                done.map_or(usize::MAX, |()| all.iter().sum())
            })
        },
        |case, times| {
            case.ask(times, LAST, |src: &str, &last| {
                let mut all = spread(last);
                let (from, to) = (Metric::Bytes, Metric::Utf16);
                let done = utf8::convert_positions(src.as_bytes(), from, to, &mut all);
                done.map_or(usize::MAX, |()| all.iter().sum())
            })
        },
    )
    .against([super::Contender {
        name: "std",
        run: |case, times| {
            case.ask(times, LAST, |src: &str, &last| {
                let (mut units, mut sum) = (0, 0);
                let mut chars = src.char_indices().peekable();
                for position in spread(last) {
                    while let Some(&(at, c)) = chars.peek()
                        && at + c.len_utf8() <= position
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

/// Counts that are not lengths.
pub(super) fn counts() -> Vec<Operation> {
    vec![
        row::<Utf8>(
            "supplementary utf8",
            |case, times| {
                let kernel = case.kernel;
                case.count(times, |src: &[u8]| black_box(kernel).utf8_count_supplementary(src))
            },
            |case, times| case.count(times, utf8::count_supplementary),
        )
        .against([
            peer!(count, "str_indices", |src: &str| utf16::count_surrogates(src)),
            peer!(count, "std", |src: &[u8]| src.iter().filter(|&&byte| byte >= 0xF0).count()),
        ]),
        row::<Utf16>(
            "supplementary utf16",
            |case, times| {
                let kernel = case.kernel;
                case.count(times, |src: &[u16]| black_box(kernel).utf16_count_supplementary(src))
            },
            |case, times| case.count(times, utflane::utf16::count_supplementary),
        )
        .against([peer!(count, "std", |src: &[u16]| {
            src.iter().filter(|&unit| (0xDC00..=0xDFFF).contains(unit)).count()
        })]),
        Operation {
            edit: Some(into_lines),
            ..row::<Utf8>(
                "lines utf8",
                |case, times| {
                    let kernel = case.kernel;
                    case.count(times, |src: &[u8]| black_box(kernel).utf8_count_lines(src))
                },
                |case, times| case.count(times, utf8::count_lines),
            )
        }
        .against([
            peer!(count, "str_indices", |src: &str| lines_lf::count_breaks(src) + 1),
            peer!(count, "std", |src: &[u8]| src.iter().filter(|&&byte| byte == b'\n').count() + 1),
        ]),
    ]
}

/// Line and column in one call; for the peers, in as many as it takes.
fn position() -> Operation {
    Operation {
        edit: Some(into_lines),
        ..row::<Utf8>(
            "place byte>position",
            |case, times| {
                let kernel = case.kernel;
                case.ask(times, LAST, |src: &str, &n| {
                    let at = black_box(kernel).utf8_position_of(src.as_bytes(), n, Metric::Utf16);
                    at.map_or(usize::MAX, |at| 1000 * at.line + at.column)
                })
            },
            |case, times| {
                case.ask(times, LAST, |src: &str, &n| {
                    let at = utf8::position_of(src.as_bytes(), n, Metric::Utf16);
                    at.map_or(usize::MAX, |at| 1000 * at.line + at.column)
                })
            },
        )
    }
    .against([super::Contender {
        name: "str_indices",
        run: |case, times| {
            case.ask(times, LAST, |src: &str, &n| {
                let line = lines_lf::from_byte_idx(src, n);
                let start = lines_lf::to_byte_idx(src, line);
                1000 * line + utf16::from_byte_idx(&src[start..], n - start)
            })
        },
    }])
}

/// std: the sum of lengths in UTF-16.
fn std_utf16_to_byte(src: &str, n: usize) -> usize {
    let mut units = 0;
    for (at, c) in src.char_indices() {
        units += c.len_utf16();
        if units > n {
            return at;
        }
    }
    src.len()
}

/// std: a count of line feeds.
fn std_line(src: &str, at: usize) -> usize {
    src.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count()
}

/// std: a search for line feeds.
fn std_line_start(src: &str, line: usize) -> usize {
    match line.checked_sub(1) {
        None => 0,
        Some(before) => src.match_indices('\n').nth(before).map_or(src.len(), |(at, _)| at + 1),
    }
}

/// The functions on a whole text.
pub(super) fn whole_texts() -> Vec<Operation> {
    vec![
        Operation {
            edit: Some(into_lines),
            ..row::<Utf8>(
                "make index",
                |case, times| {
                    let kernel = case.kernel;
                    case.count(times, |src: &[u8]| {
                        Index::with_kernel(black_box(kernel), src).len(Metric::Utf16)
                    })
                },
                |case, times| case.count(times, |src: &[u8]| Index::new(src).len(Metric::Utf16)),
            )
        }
        .against([
            peer!(count, "str_indices", |src: &str| {
                black_box((chars::count(src), lines_lf::count_breaks(src)));
                utf16::count(src)
            }),
            // Not the same work: the baseline for the time of an index. Its result is made equal.
            super::Contender {
                name: "our-validate",
                run: |case, times| {
                    let kernel = case.kernel;
                    case.ask(
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
        chunks("chunks spoilt utf8", Some(with_errors)),
        compare(),
    ]
}

/// Puts in a byte that is always ill-formed, every 200 bytes.
fn with_errors(bytes: &mut [u8]) {
    bytes.iter_mut().skip(100).step_by(200).for_each(|byte| *byte = 0xFF);
}

/// All runs, with the sum of their lengths.
fn chunks(name: &'static str, edit: Option<fn(&mut [u8])>) -> Operation {
    Operation {
        edit,
        ..row::<Utf8>(
            name,
            |case, times| {
                let kernel = case.kernel;
                case.count(times, |src: &[u8]| {
                    black_box(kernel).utf8_chunks(src).map(|chunk| chunk.valid().len()).sum()
                })
            },
            |case, times| {
                case.count(times, |src: &[u8]| {
                    utf8::chunks(src).map(|chunk| chunk.valid().len()).sum()
                })
            },
        )
    }
    .against([peer!(count, "std", |src: &[u8]| {
        src.utf8_chunks().map(|chunk| chunk.valid().len()).sum()
    })])
}

/// A text with its copy.
fn compare() -> Operation {
    row::<Utf16>(
        "compare utf16",
        |case, times| {
            let kernel = case.kernel;
            case.ask(times, <[u16]>::to_vec, |a: &[u16], b| {
                black_box(kernel).utf16_compare(a, b) as usize
            })
        },
        |case, times| {
            case.ask(times, <[u16]>::to_vec, |a: &[u16], b| utflane::utf16::compare(a, b) as usize)
        },
    )
    .against([
        super::Contender {
            name: "std",
            run: |case, times| {
                case.ask(times, <[u16]>::to_vec, |a: &[u16], b| {
                    let [a, b] = [a, b].map(|text| char::decode_utf16(text.iter().copied()));
                    a.map(Result::ok).cmp(b.map(Result::ok)) as usize
                })
            },
        },
        // Another order, but equal texts are equal in it too.
        super::Contender {
            name: "std-units",
            run: |case, times| {
                case.ask(times, <[u16]>::to_vec, |a: &[u16], b| a.cmp(b.as_slice()) as usize)
            },
        },
    ])
}
