//! The checks of positions: offsets, indexes, lines and columns, boundaries, runs, and the order of
//! code points. The oracle is the standard library, which decides what a character is, and the
//! arithmetic that the documentation promises.

use std::cmp::Ordering;

use utflane::{Index, Metric, Position, PositionsError, utf8, utf16};

use super::api::Api;

const METRICS: [Metric; 3] = [Metric::Bytes, Metric::CodePoints, Metric::Utf16];

/// The known values at every offset of a text, its end included.
struct Oracle {
    boundary: Vec<bool>,
    /// The counts before the offset: by each metric, and lines.
    before: [Vec<usize>; 3],
    lines: Vec<usize>,
    /// The starts of lines.
    starts: Vec<usize>,
}

impl Oracle {
    fn new(src: &[u8]) -> Self {
        let mut boundary = vec![false; src.len() + 1];
        let mut at = 0;
        for chunk in src.utf8_chunks() {
            for (i, _) in chunk.valid().char_indices() {
                boundary[at + i] = true;
            }
            at += chunk.valid().len();
            boundary[at] = true;
            at += chunk.invalid().len();
        }
        boundary[src.len()] = true;
        let sums = |weight: &dyn Fn(u8) -> usize| -> Vec<usize> {
            let mut sum = 0;
            let rest = src.iter().map(|&byte| {
                sum += weight(byte);
                sum
            });
            std::iter::once(0).chain(rest).collect()
        };
        let lead = |byte: u8| usize::from(byte & 0xC0 != 0x80);
        let before =
            [sums(&|_| 1), sums(&lead), sums(&|byte| lead(byte) + usize::from(byte >= 0xF0))];
        let lines = sums(&|byte| usize::from(byte == b'\n'));
        let ends = (0..src.len()).filter(|&at| src[at] == b'\n').map(|at| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Self { boundary, before, lines, starts }
    }

    fn len(&self) -> usize {
        self.boundary.len() - 1
    }

    fn floor(&self, offset: usize) -> usize {
        (0..=offset.min(self.len())).rev().find(|&at| self.boundary[at]).expect("the begin")
    }

    fn ceil(&self, offset: usize) -> usize {
        (offset.min(self.len())..).find(|&at| self.boundary[at]).expect("the end")
    }

    fn before(&self, metric: Metric) -> &[usize] {
        &self.before[METRICS.iter().position(|&other| other == metric).expect("one of them")]
    }

    fn offset_of(&self, n: usize, metric: Metric) -> Option<usize> {
        let before = self.before(metric);
        let last = before.partition_point(|&count| count <= n) - 1;
        (n <= before[self.len()]).then(|| self.floor(last))
    }

    fn index_of(&self, offset: usize, metric: Metric) -> Option<usize> {
        (offset <= self.len()).then(|| self.before(metric)[self.floor(offset)])
    }

    fn position_of(&self, offset: usize, metric: Metric) -> Option<Position> {
        let line = *self.lines.get(offset)?;
        let start = self.before(metric)[self.starts[line]];
        Some(Position { line, column: self.index_of(offset, metric)? - start })
    }

    fn offset_at(&self, position: Position, metric: Metric) -> Option<usize> {
        let start = *self.starts.get(position.line)?;
        let end = self.starts.get(position.line + 1).map_or(self.len(), |next| next - 1);
        let n = self.before(metric)[start].saturating_add(position.column);
        Some(self.offset_of(n, metric).map_or(end, |offset| offset.min(end)))
    }
}

/// The provider of a function: the crate, a kernel or an index.
enum Asked<'a> {
    Api(Api),
    Index(Index<'a>),
}

/// Calls a function of the provider: the free function, the method of a kernel, or that of an
/// index.
macro_rules! ask {
    ($asked:expr, $src:expr, $function:ident / $method:ident($($arg:expr),*)) => {
        match $asked {
            Asked::Api(Api::Free) => utf8::$function($src, $($arg),*),
            Asked::Api(Api::On(kernel)) => kernel.$method($src, $($arg),*),
            Asked::Index(index) => index.$function($($arg),*),
        }
    };
}

/// Numbers up to `last` and a little beyond, all or those near boundaries of blocks and some
/// others; and the largest.
fn picked(last: usize) -> impl Iterator<Item = usize> {
    let near = |at: usize| at % 64 < 2 || at % 64 > 61 || at % 31 == 7;
    let far = |at: usize| at % 1024 < 4 || at % 1024 > 1020 || at % 331 == 7;
    let numbers = (0..=last + 2).filter(move |&at| {
        at < 200
            || at + 70 > last
            || (near(at) && last < 2000)
            || (far(at) && last < 20_000)
            || at % 1021 == 5
    });
    numbers.chain([usize::MAX])
}

/// Every function about positions in `src`.
pub fn check_positions(src: &[u8]) {
    let oracle = Oracle::new(src);
    let mut all: Vec<_> = Api::all().iter().map(|&api| Asked::Api(api)).collect();
    for &api in Api::all() {
        let index = match api {
            Api::Free => Index::new(src),
            Api::On(kernel) => Index::with_kernel(kernel, src),
        };
        for metric in METRICS {
            assert_eq!(index.len(metric), oracle.before(metric)[src.len()], "{metric:?}");
        }
        assert_eq!(index.lines(), oracle.starts.len());
        assert_eq!((index.text(), index.is_empty()), (src, src.is_empty()));
        // Checkpoints of 6 bytes for each KiB, and of three numbers for every 32nd.
        let blocks = src.len() / 1024;
        assert_eq!(index.size(), 6 * blocks + 3 * size_of::<usize>() * (blocks / 32), "{blocks}");
        all.push(Asked::Index(index));
    }
    for asked in &all {
        let who = || match asked {
            Asked::Api(api) => format!("{api:?} of {src:02X?}"),
            Asked::Index(index) => format!("{index:?} of {src:02X?}"),
        };
        for offset in picked(src.len()) {
            let got = ask!(asked, src, line_of / utf8_line_of(offset));
            assert_eq!(got, oracle.lines.get(offset).copied(), "line_of {offset}, {}", who());
            for metric in METRICS {
                let got = ask!(asked, src, index_of / utf8_index_of(offset, metric));
                let want = oracle.index_of(offset, metric);
                assert_eq!(got, want, "index_of {offset} {metric:?}, {}", who());
                let got = ask!(asked, src, position_of / utf8_position_of(offset, metric));
                let want = oracle.position_of(offset, metric);
                assert_eq!(got, want, "position_of {offset} {metric:?}, {}", who());
                let Some(Position { line, column }) = want else { continue };
                for column in [column, column + 1, column + 70, usize::MAX] {
                    let at = Position { line, column };
                    let got = ask!(asked, src, offset_at / utf8_offset_at(at, metric));
                    let want = oracle.offset_at(at, metric);
                    assert_eq!(got, want, "offset_at {at:?} {metric:?}, {}", who());
                }
            }
        }
        for metric in METRICS {
            for n in picked(oracle.before(metric)[src.len()]) {
                let got = ask!(asked, src, offset_of / utf8_offset_of(n, metric));
                let want = oracle.offset_of(n, metric);
                assert_eq!(got, want, "offset_of {n} {metric:?}, {}", who());
            }
        }
        for line in picked(oracle.starts.len()) {
            let got = ask!(asked, src, line_start / utf8_line_start(line));
            assert_eq!(got, oracle.starts.get(line).copied(), "line_start {line}, {}", who());
        }
    }
    for offset in picked(src.len()) {
        let boundary = oracle.boundary.get(offset).copied().unwrap_or(false);
        assert_eq!(utf8::is_boundary(src, offset), boundary, "{offset} of {src:02X?}");
        let (floor, ceil) = (oracle.floor(offset), oracle.ceil(offset));
        assert_eq!(utf8::floor_boundary(src, offset), floor, "{offset} of {src:02X?}");
        assert_eq!(utf8::ceil_boundary(src, offset), ceil, "{offset} of {src:02X?}");
    }
    check_chunks(src);
    check_conversions(src, &oracle);
}

/// Many positions at once: dense and sparse, equal ones, those inside characters, and the errors.
fn check_conversions(src: &[u8], oracle: &Oracle) {
    for (from, to) in METRICS.iter().flat_map(|&from| METRICS.map(|to| (from, to))) {
        let end = oracle.before(from)[src.len()];
        let want_of = |n| oracle.index_of(oracle.offset_of(n, from).expect("in the text"), to);
        let all: Vec<(usize, usize)> = picked(end)
            .filter(|&n| n <= end)
            .flat_map(|n| std::iter::repeat_n(n, 1 + usize::from(n % 5 == 3)))
            .map(|n| (n, want_of(n).expect("in the text")))
            .collect();
        for step in [1, 3, 40, 700] {
            for skip in [0, 1] {
                let some: Vec<_> =
                    all.iter().copied().skip(skip * step / 2).step_by(step).collect();
                check_conversion(src, from, to, end, &some);
            }
        }
        check_conversion(src, from, to, end, &all[all.len() - 1..]);
        check_conversion(src, from, to, end, &[]);
    }
}

/// Positions and what they become.
fn check_conversion(src: &[u8], from: Metric, to: Metric, end: usize, cases: &[(usize, usize)]) {
    let before: Vec<usize> = cases.iter().map(|&(n, _)| n).collect();
    let want: Vec<usize> = cases.iter().map(|&(_, n)| n).collect();
    for &api in Api::all() {
        let convert = |positions: &mut [usize]| match api {
            Api::Free => utf8::convert_positions(src, from, to, positions),
            Api::On(kernel) => kernel.utf8_convert_positions(src, from, to, positions),
        };
        let context = || format!("{from:?} to {to:?}, {api:?} of {src:02X?}");
        let mut got = before.clone();
        assert_eq!(convert(&mut got), Ok(()), "{}", context());
        assert!(got == want, "{got:?} and not {want:?} from {before:?}, {}", context());
        // After the end: all from some index on.
        for (beyond, count) in [(end + 1, 1), (end + 7, 3), (usize::MAX, 1)] {
            let mut wrong = before.clone();
            wrong.extend(std::iter::repeat_n(beyond, count));
            let mut got = wrong.clone();
            let error = PositionsError::AfterEnd { index: before.len() };
            assert_eq!(convert(&mut got), Err(error), "{}", context());
            assert_eq!(got, wrong, "{}", context());
        }
        // Not sorted, which is found first.
        if let Some(index) = before.iter().rposition(|&n| n > 0) {
            let mut wrong = before.clone();
            wrong.insert(index + 1, before[index] - 1);
            wrong.push(usize::MAX);
            let mut got = wrong.clone();
            let error = PositionsError::Unsorted { index: index + 1 };
            assert_eq!(convert(&mut got), Err(error), "{}", context());
            assert_eq!(got, wrong, "{}", context());
        }
    }
}

/// Valid and invalid runs.
pub fn check_chunks(src: &[u8]) {
    for &api in Api::all() {
        let mut chunks = match api {
            Api::Free => utf8::chunks(src),
            Api::On(kernel) => kernel.utf8_chunks(src),
        };
        for want in src.utf8_chunks() {
            let got = chunks.next().expect("another chunk");
            assert_eq!(got.valid(), want.valid(), "{api:?} of {src:02X?}");
            assert_eq!(got.invalid(), want.invalid(), "{api:?} of {src:02X?}");
        }
        assert_eq!(chunks.next(), None, "{api:?} of {src:02X?}");
    }
}

/// Every function about positions in UTF-16.
pub fn check_utf16_positions(src: &[u16]) {
    let mut boundary = vec![false; src.len() + 1];
    let mut at = 0;
    for c in char::decode_utf16(src.iter().copied()) {
        boundary[at] = true;
        at += c.map_or(1, char::len_utf16);
    }
    boundary[src.len()] = true;
    let mut before = vec![0];
    for unit in src {
        before.push(before[before.len() - 1] + usize::from(unit & 0xFC00 != 0xDC00));
    }
    let floor = |offset: usize| (0..=offset).rev().find(|&at| boundary[at]).expect("the begin");
    let ceil = |offset: usize| (offset..).find(|&at| boundary[at]).expect("the end");
    for &api in Api::all() {
        for offset in picked(src.len()) {
            let want = (offset <= src.len()).then(|| before[floor(offset)]);
            let got = match api {
                Api::Free => utf16::index_of(src, offset),
                Api::On(kernel) => kernel.utf16_index_of(src, offset),
            };
            assert_eq!(got, want, "index_of {offset}, {api:?} of {src:04X?}");
        }
        let all = before[src.len()];
        for n in picked(all) {
            let last = before.partition_point(|&count| count <= n) - 1;
            let got = match api {
                Api::Free => utf16::offset_of(src, n),
                Api::On(kernel) => kernel.utf16_offset_of(src, n),
            };
            assert_eq!(got, (n <= all).then_some(last), "offset_of {n}, {api:?} of {src:04X?}");
        }
    }
    for offset in picked(src.len()) {
        let inside = offset.min(src.len());
        let at = boundary.get(offset).copied().unwrap_or(false);
        assert_eq!(utf16::is_boundary(src, offset), at, "{offset} of {src:04X?}");
        assert_eq!(utf16::floor_boundary(src, offset), floor(inside), "{offset} of {src:04X?}");
        assert_eq!(utf16::ceil_boundary(src, offset), ceil(inside), "{offset} of {src:04X?}");
    }
}

/// The code points of UTF-16; an unpaired surrogate is the code point of its value.
fn code_points(src: &[u16]) -> impl Iterator<Item = u32> {
    char::decode_utf16(src.iter().copied())
        .map(|c| c.map_or_else(|error| error.unpaired_surrogate().into(), u32::from))
}

/// The order of two texts in UTF-16, both ways.
pub fn check_compare(a: &[u16], b: &[u16]) {
    let want = code_points(a).cmp(code_points(b));
    for &api in Api::all() {
        let order = |a: &[u16], b: &[u16]| -> Ordering {
            match api {
                Api::Free => utf16::compare(a, b),
                Api::On(kernel) => kernel.utf16_compare(a, b),
            }
        };
        assert_eq!(order(a, b), want, "{api:?} of {a:04X?} and {b:04X?}");
        assert_eq!(order(b, a), want.reverse(), "{api:?} of {b:04X?} and {a:04X?}");
    }
}
