//! Checks of the functions that convert between offsets, indexes, lines and columns, that find
//! boundaries and chunks, and that compare by code points. The oracle uses the standard library to
//! find characters, and computes the rest by the formulas in the documentation.

use std::cmp::Ordering;

use utflane::utf8::{self, Lines};
use utflane::{Index, LineEnds, Metric, Position, PositionsError, utf16};

use super::api::Api;

const METRICS: [Metric; 3] = [Metric::Bytes, Metric::CodePoints, Metric::Utf16];

/// The expected values at every byte offset of a text, including its end.
struct Oracle {
    /// True at each offset that is a boundary.
    is_boundary: Vec<bool>,
    /// For each metric in `METRICS`, the count before each offset.
    counts_before: [Vec<usize>; 3],
    /// The index of the line at each offset.
    lines: Vec<usize>,
    /// The byte offset at which each line starts.
    line_starts: Vec<usize>,
}

impl Oracle {
    fn new(src: &[u8]) -> Self {
        let mut is_boundary = vec![false; src.len() + 1];
        let mut at = 0;
        for chunk in src.utf8_chunks() {
            for (i, _) in chunk.valid().char_indices() {
                is_boundary[at + i] = true;
            }
            at += chunk.valid().len();
            is_boundary[at] = true;
            at += chunk.invalid().len();
        }
        is_boundary[src.len()] = true;
        let running_sums = |weight: &dyn Fn(u8) -> usize| -> Vec<usize> {
            let mut sum = 0;
            let sums = src.iter().map(|&byte| {
                sum += weight(byte);
                sum
            });
            std::iter::once(0).chain(sums).collect()
        };
        let code_points = |byte: u8| usize::from(byte & 0xC0 != 0x80);
        let utf16_units = |byte: u8| code_points(byte) + usize::from(byte >= 0xF0);
        let counts_before =
            [running_sums(&|_| 1), running_sums(&code_points), running_sums(&utf16_units)];
        let lines = running_sums(&|byte| usize::from(byte == b'\n'));
        let line_ends = (0..src.len()).filter(|&at| src[at] == b'\n').map(|at| at + 1);
        let line_starts = std::iter::once(0).chain(line_ends).collect();
        Self { is_boundary, counts_before, lines, line_starts }
    }

    fn len(&self) -> usize {
        self.is_boundary.len() - 1
    }

    fn floor(&self, offset: usize) -> usize {
        let mut offsets = (0..=offset.min(self.len())).rev();
        offsets.find(|&at| self.is_boundary[at]).expect("the start is a boundary")
    }

    fn ceil(&self, offset: usize) -> usize {
        let mut offsets = offset.min(self.len())..;
        offsets.find(|&at| self.is_boundary[at]).expect("the end is a boundary")
    }

    /// Returns the count of the metric before each offset.
    fn counts_before(&self, metric: Metric) -> &[usize] {
        let index = METRICS.iter().position(|&other| other == metric).expect("a listed metric");
        &self.counts_before[index]
    }

    /// Returns the offset of the character that contains unit `n` of the metric.
    fn offset_of_index(&self, n: usize, metric: Metric) -> Option<usize> {
        let counts = self.counts_before(metric);
        let last = counts.partition_point(|&count| count <= n) - 1;
        (n <= counts[self.len()]).then(|| self.floor(last))
    }

    /// Returns the index of the character at `offset`, in the metric.
    fn index_of(&self, offset: usize, metric: Metric) -> Option<usize> {
        (offset <= self.len()).then(|| self.counts_before(metric)[self.floor(offset)])
    }

    /// Returns the line and the column of the character at `offset`.
    fn position_of(&self, offset: usize, metric: Metric) -> Option<Position> {
        let line = *self.lines.get(offset)?;
        let line_start = self.counts_before(metric)[self.line_starts[line]];
        Some(Position { line, column: self.index_of(offset, metric)? - line_start })
    }

    /// Returns the offset of a line and a column.
    fn offset_of_position(&self, position: Position, metric: Metric) -> Option<usize> {
        let start = *self.line_starts.get(position.line)?;
        let end = self.line_starts.get(position.line + 1).map_or(self.len(), |next| next - 1);
        let n = self.counts_before(metric)[start].saturating_add(position.column);
        Some(self.offset_of_index(n, metric).map_or(end, |offset| offset.min(end)))
    }
}

/// The provider of a function: the crate, a kernel or an index.
enum Provider<'a> {
    Api(Api),
    Index(Index<'a>),
}

/// Calls a function of the provider: the free function, or the method of a kernel or of an index.
macro_rules! call_provider {
    ($provider:expr, $src:expr, $function:ident / $method:ident($($arg:expr),*)) => {
        match $provider {
            Provider::Api(Api::Free) => utf8::$function($src, $($arg),*),
            Provider::Api(Api::On(kernel)) => kernel.$method($src, $($arg),*),
            Provider::Index(index) => index.$function($($arg),*),
        }
    };
}

/// Calls a function about lines of the provider: the method of `Lines` or of an index.
macro_rules! call_lines {
    ($provider:expr, $src:expr, $method:ident($($arg:expr),*)) => {
        match $provider {
            Provider::Api(Api::Free) => Lines::new($src, LineEnds::Lf).$method($($arg),*),
            Provider::Api(Api::On(kernel)) => {
                Lines::with_kernel(*kernel, $src, LineEnds::Lf).$method($($arg),*)
            }
            Provider::Index(index) => index.$method($($arg),*),
        }
    };
}

/// Returns `usize::MAX` and numbers from 0 to `last + 2`: all numbers below 200, all within 70 of
/// `last`, and one in 1021 of the others. If `last` is below 20,000, also the numbers near
/// multiples of 1024; if it is below 2000, also the numbers near multiples of 64.
fn tested_numbers(last: usize) -> impl Iterator<Item = usize> {
    let is_sampled_by_block = |at: usize| at % 64 < 2 || at % 64 > 61 || at % 31 == 7;
    let is_sampled_by_kilobyte = |at: usize| at % 1024 < 4 || at % 1024 > 1020 || at % 331 == 7;
    let numbers = (0..=last + 2).filter(move |&at| {
        at < 200
            || at + 70 > last
            || (is_sampled_by_block(at) && last < 2000)
            || (is_sampled_by_kilobyte(at) && last < 20_000)
            || at % 1021 == 5
    });
    numbers.chain([usize::MAX])
}

/// Checks every function about positions in `src`, and the chunks of `src`.
pub fn check_positions(src: &[u8]) {
    let oracle = Oracle::new(src);
    let mut providers: Vec<_> = Api::all().iter().map(|&api| Provider::Api(api)).collect();
    for &api in Api::all() {
        let index = match api {
            Api::Free => Index::new(src),
            Api::On(kernel) => Index::with_kernel(kernel, src),
        };
        for metric in METRICS {
            assert_eq!(index.len(metric), oracle.counts_before(metric)[src.len()], "{metric:?}");
        }
        assert_eq!(index.lines(), oracle.line_starts.len());
        assert_eq!(index.text(), src);
        // The index has 6 bytes for each block of 1 KiB, and three more numbers for every 32nd
        // block.
        let blocks = src.len() / 1024;
        assert_eq!(index.size(), 6 * blocks + 3 * size_of::<usize>() * (blocks / 32), "{blocks}");
        providers.push(Provider::Index(index));
    }
    let [offsets, lines] =
        [src.len(), oracle.line_starts.len()].map(|last| tested_numbers(last).collect::<Vec<_>>());
    let indices = METRICS.map(|metric| {
        let last = oracle.counts_before(metric)[src.len()];
        (metric, tested_numbers(last).collect::<Vec<_>>())
    });
    for provider in &providers {
        let context = || match provider {
            Provider::Api(api) => format!("{api:?} of {src:02X?}"),
            Provider::Index(index) => format!("{index:?} of {src:02X?}"),
        };
        for &offset in &offsets {
            let got = call_lines!(provider, src, line_of(offset));
            assert_eq!(got, oracle.lines.get(offset).copied(), "line_of {offset}, {}", context());
            for metric in METRICS {
                let got = call_provider!(provider, src, index_of / utf8_index_of(offset, metric));
                let want = oracle.index_of(offset, metric);
                assert_eq!(got, want, "index_of {offset} {metric:?}, {}", context());
                let got = call_lines!(provider, src, position_of(offset, metric));
                let want = oracle.position_of(offset, metric);
                assert_eq!(got, want, "position_of {offset} {metric:?}, {}", context());
                let Some(Position { line, column }) = want else { continue };
                for column in [column, column + 1, column + 70, usize::MAX] {
                    let at = Position { line, column };
                    let got = call_lines!(provider, src, offset_at(at, metric));
                    let want = oracle.offset_of_position(at, metric);
                    assert_eq!(got, want, "offset_at {at:?} {metric:?}, {}", context());
                }
            }
        }
        for &(metric, ref indices) in &indices {
            for &n in indices {
                let got = call_provider!(provider, src, offset_of / utf8_offset_of(n, metric));
                let want = oracle.offset_of_index(n, metric);
                assert_eq!(got, want, "offset_of {n} {metric:?}, {}", context());
            }
        }
        for &line in &lines {
            let got = call_lines!(provider, src, line_start(line));
            assert_eq!(
                got,
                oracle.line_starts.get(line).copied(),
                "line_start {line}, {}",
                context()
            );
        }
    }
    for offset in offsets {
        let is_boundary = oracle.is_boundary.get(offset).copied().unwrap_or(false);
        assert_eq!(utf8::is_boundary(src, offset), is_boundary, "{offset} of {src:02X?}");
        let (floor, ceil) = (oracle.floor(offset), oracle.ceil(offset));
        assert_eq!(utf8::floor_boundary(src, offset), floor, "{offset} of {src:02X?}");
        assert_eq!(utf8::ceil_boundary(src, offset), ceil, "{offset} of {src:02X?}");
    }
    check_chunks(src);
    check_position_lists(src, &oracle);
}

/// Checks `convert_positions` with dense and with sparse lists of positions. The lists contain
/// equal positions and positions inside characters.
fn check_position_lists(src: &[u8], oracle: &Oracle) {
    for (from, to) in METRICS.iter().flat_map(|&from| METRICS.map(|to| (from, to))) {
        let end = oracle.counts_before(from)[src.len()];
        let convert = |n| {
            oracle.index_of(
                oracle.offset_of_index(n, from).expect("the position is inside the text"),
                to,
            )
        };
        let all: Vec<(usize, usize)> = tested_numbers(end)
            .filter(|&n| n <= end)
            .flat_map(|n| std::iter::repeat_n(n, 1 + usize::from(n % 5 == 3)))
            .map(|n| (n, convert(n).expect("the position is inside the text")))
            .collect();
        for step in [1, 3, 40, 700] {
            for skip in [0, 1] {
                let sparse: Vec<_> =
                    all.iter().copied().skip(skip * step / 2).step_by(step).collect();
                check_conversion(src, from, to, end, &sparse);
            }
        }
        check_conversion(src, from, to, end, &all[all.len() - 1..]);
        check_conversion(src, from, to, end, &[]);
    }
}

/// Checks the conversion of one list of positions: `cases` are the positions in the metric `from`
/// and in the metric `to`. Also checks the errors for positions after `end`, the end of the text,
/// and for unsorted positions.
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
        assert!(got == want, "{got:?} instead of {want:?} from {before:?}, {}", context());
        // The last positions are after the end of the text.
        for (beyond, count) in [(end + 1, 1), (end + 7, 3), (usize::MAX, 1)] {
            let mut wrong = before.clone();
            wrong.extend(std::iter::repeat_n(beyond, count));
            let mut got = wrong.clone();
            let error = PositionsError::AfterEnd { index: before.len() };
            assert_eq!(convert(&mut got), Err(error), "{}", context());
            assert_eq!(got, wrong, "{}", context());
        }
        // The positions are not sorted. This error takes precedence over `AfterEnd`.
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

/// Checks that `utf8::chunks` returns the same chunks as the standard library.
pub fn check_chunks(src: &[u8]) {
    for &api in Api::all() {
        let mut chunks = match api {
            Api::Free => utf8::chunks(src),
            Api::On(kernel) => kernel.utf8_chunks(src),
        };
        for want in src.utf8_chunks() {
            let got = chunks.next().expect("another chunk");
            assert_eq!(got.valid, want.valid(), "{api:?} of {src:02X?}");
            assert_eq!(got.invalid, want.invalid(), "{api:?} of {src:02X?}");
        }
        assert_eq!(chunks.next(), None, "{api:?} of {src:02X?}");
    }
}

/// Checks every function about positions in UTF-16.
pub fn check_utf16_positions(src: &[u16]) {
    let mut is_boundary = vec![false; src.len() + 1];
    let mut at = 0;
    for c in char::decode_utf16(src.iter().copied()) {
        is_boundary[at] = true;
        at += c.map_or(1, char::len_utf16);
    }
    is_boundary[src.len()] = true;
    let mut counts_before = vec![0];
    for unit in src {
        let is_counted = unit & 0xFC00 != 0xDC00;
        counts_before.push(counts_before[counts_before.len() - 1] + usize::from(is_counted));
    }
    let floor = |offset: usize| {
        (0..=offset).rev().find(|&at| is_boundary[at]).expect("the start is a boundary")
    };
    let ceil =
        |offset: usize| (offset..).find(|&at| is_boundary[at]).expect("the end is a boundary");
    for &api in Api::all() {
        for offset in tested_numbers(src.len()) {
            let want = (offset <= src.len()).then(|| counts_before[floor(offset)]);
            let got = match api {
                Api::Free => utf16::index_of(src, offset),
                Api::On(kernel) => kernel.utf16_index_of(src, offset),
            };
            assert_eq!(got, want, "index_of {offset}, {api:?} of {src:04X?}");
        }
        let code_point_count = counts_before[src.len()];
        for n in tested_numbers(code_point_count) {
            let last = counts_before.partition_point(|&count| count <= n) - 1;
            let got = match api {
                Api::Free => utf16::offset_of(src, n),
                Api::On(kernel) => kernel.utf16_offset_of(src, n),
            };
            let want = (n <= code_point_count).then_some(last);
            assert_eq!(got, want, "offset_of {n}, {api:?} of {src:04X?}");
        }
    }
    for offset in tested_numbers(src.len()) {
        let clamped = offset.min(src.len());
        let want = is_boundary.get(offset).copied().unwrap_or(false);
        assert_eq!(utf16::is_boundary(src, offset), want, "{offset} of {src:04X?}");
        assert_eq!(utf16::floor_boundary(src, offset), floor(clamped), "{offset} of {src:04X?}");
        assert_eq!(utf16::ceil_boundary(src, offset), ceil(clamped), "{offset} of {src:04X?}");
    }
}

/// Returns the code points of UTF-16. An unpaired surrogate is a code point, too.
fn code_points(src: &[u16]) -> impl Iterator<Item = u32> {
    char::decode_utf16(src.iter().copied())
        .map(|c| c.map_or_else(|error| error.unpaired_surrogate().into(), u32::from))
}

/// Checks the comparison of two UTF-16 texts, in both orders.
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
