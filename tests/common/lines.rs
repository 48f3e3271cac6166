//! Checks of the functions that count and find lines, with each kind of `LineEnds`. The oracle
//! searches for line ends byte by byte.

use utflane::utf8::{self, Lines};
use utflane::{Index, Kernel, LineEnds, Metric, Position};

const METRICS: [Metric; 3] = [Metric::Bytes, Metric::CodePoints, Metric::Utf16];

/// Returns three byte offsets for each line: the start of the line, and the start and the end of
/// its line end.
fn find_lines(src: &[u8], ends: LineEnds) -> Vec<[usize; 3]> {
    let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
    while at < src.len() {
        let len = match (ends, src[at], src.get(at + 1)) {
            (LineEnds::Lsp, b'\r', Some(b'\n')) => 2,
            (_, b'\n', _) | (LineEnds::Lsp, b'\r', _) => 1,
            _ => 0,
        };
        if len > 0 {
            lines.push([start, at, at + len]);
            start = at + len;
        }
        at += len.max(1);
    }
    lines.push([start, src.len(), src.len()]);
    lines
}

/// Returns the position of a byte offset.
fn position(src: &[u8], lines: &[[usize; 3]], offset: usize, metric: Metric) -> Position {
    let line = lines.partition_point(|line| line[0] <= offset) - 1;
    let [start, end, _] = lines[line];
    let text = &src[start..utf8::floor_boundary(src, offset.min(end))];
    Position { line, column: utf8::index_of(text, text.len(), metric).expect("the end") }
}

/// Checks every function about lines in `src`, at the offsets for which `is_tested` returns true.
pub fn check_lines(src: &[u8], is_tested: impl Fn(usize) -> bool) {
    for ends in [LineEnds::Lf, LineEnds::Lsp] {
        let lines = find_lines(src, ends);
        for kernel in Kernel::available() {
            let without_index = Lines::with_kernel(kernel, src, ends);
            let index = Index::with_kernel(kernel, src).with_line_ends(ends);
            let context = || format!("{ends:?} on {kernel} of {src:02X?}");
            assert_eq!(
                (without_index.count(), index.lines()),
                (lines.len(), lines.len()),
                "{}",
                context()
            );
            for offset in (0..=src.len()).filter(|&at| is_tested(at)) {
                for metric in METRICS {
                    let want = Some(position(src, &lines, offset, metric));
                    assert_eq!(
                        without_index.position_of(offset, metric),
                        want,
                        "{offset}, {}",
                        context()
                    );
                    assert_eq!(index.position_of(offset, metric), want, "{offset}, {}", context());
                }
                let line = Some(position(src, &lines, offset, Metric::Bytes).line);
                assert_eq!((without_index.line_of(offset), index.line_of(offset)), (line, line));
            }
            for (line, &[start, end, _]) in lines.iter().enumerate() {
                if !is_tested(start) {
                    continue;
                }
                let found = (without_index.line_start(line), index.line_start(line));
                assert_eq!(found, (Some(start), Some(start)), "line {line}, {}", context());
                for (column, metric) in [0, 1, end - start, end - start + 1, usize::MAX]
                    .iter()
                    .flat_map(|&column| METRICS.map(|metric| (column, metric)))
                {
                    let at = Position { line, column };
                    let text = &src[start..end];
                    let want = start + utf8::offset_of(text, column, metric).unwrap_or(text.len());
                    assert_eq!(
                        without_index.offset_at(at, metric),
                        Some(want),
                        "{at:?}, {}",
                        context()
                    );
                    assert_eq!(index.offset_at(at, metric), Some(want), "{at:?}, {}", context());
                }
            }
            let (offset, line) = (src.len() + 1, lines.len());
            assert_eq!((without_index.line_of(offset), index.line_of(offset)), (None, None));
            assert_eq!((without_index.line_start(line), index.line_start(line)), (None, None));
            let after_end = Position { line, column: 0 };
            for metric in METRICS {
                assert_eq!(without_index.position_of(offset, metric), None);
                assert_eq!(without_index.offset_at(after_end, metric), None);
                assert_eq!(index.offset_at(after_end, metric), None);
            }
        }
    }
}
