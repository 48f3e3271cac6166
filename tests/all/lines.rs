//! Lines by `LineEnds`: literal cases; line ends at every offset around the boundaries of words,
//! blocks and checkpoints; and a comparison with `lines_crlf` of str_indices, which ends lines as
//! editors do.

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::utf8::Lines;
use utflane::{Index, LineEnds, Metric, Position};

use crate::common::lines::check_lines;
use crate::common::{sampled, sampled_if_slow};

const LSP: LineEnds = LineEnds::Lsp;

#[test]
fn starts_of_lines() {
    let starts = |src: &str, ends| -> Vec<_> {
        let lines = Lines::new(src.as_bytes(), ends);
        (0..lines.count()).filter_map(|line| lines.line_start(line)).collect()
    };
    for (text, lf, lsp) in [
        ("", &[0][..], &[0][..]),
        ("a", &[0], &[0]),
        ("a\n", &[0, 2], &[0, 2]),
        ("a\r", &[0], &[0, 2]),
        ("a\r\n", &[0, 3], &[0, 3]),
        ("\r\r\n\n", &[0, 3, 4], &[0, 1, 3, 4]),
        ("\n\r", &[0, 1], &[0, 1, 2]),
        ("a\rb\nc\r\nd", &[0, 4, 7], &[0, 2, 4, 7]),
        ("π\u{2028}\u{85}\u{B}\u{C}", &[0], &[0]),
    ] {
        assert_eq!(
            (&starts(text, LineEnds::Lf)[..], &starts(text, LSP)[..]),
            (lf, lsp),
            "{text:?}"
        );
    }
}

#[test]
fn no_position_is_inside_a_line_end() {
    let src = b"ab\r\ncd\r\r\n";
    let (lines, index) = (Lines::new(src, LSP), Index::new(src).with_line_ends(LSP));
    let end_of = |line| Position { line, column: 99 };
    for (line, end) in [(0, 2), (1, 6), (2, 7), (3, 9)] {
        assert_eq!(lines.offset_at(end_of(line), Metric::Utf16), Some(end));
        assert_eq!(index.offset_at(end_of(line), Metric::Utf16), Some(end));
    }
    let positions =
        [(0, 0), (0, 1), (0, 2), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 0), (3, 0)];
    for (offset, (line, column)) in positions.into_iter().enumerate() {
        let position = Some(Position { line, column });
        assert_eq!(lines.position_of(offset, Metric::Utf16), position, "{offset}");
        assert_eq!(index.position_of(offset, Metric::Utf16), position, "{offset}");
        assert_eq!(lines.line_of(offset), Some(line), "{offset}");
    }
    assert_eq!(lines.offset_at(Position { line: 4, column: 0 }, Metric::Utf16), None);
    // If only line feeds end lines, as by default, a position may be after the `\r`.
    let lines = Lines::new(src, LineEnds::Lf);
    assert_eq!(lines.offset_at(end_of(0), Metric::Utf16), Some(3));
}

/// Line ends of each kind at each offset near multiples of 64, 512 and 1,024 bytes.
#[test]
fn line_ends_at_boundaries() {
    for boundary in [0_usize, 64, 128, 512, 1024, 32 * 1024, 33 * 1024] {
        for end_offset in sampled("offsets", boundary.saturating_sub(3)..boundary + 3) {
            for ends in ["\r\n", "\n", "\r", "\r\r\n", "\n\r\n"] {
                for back_chars in [0, 1, 70] {
                    let mut src = "é".repeat(end_offset / 2) + &"x".repeat(end_offset % 2) + ends;
                    src += &"\u{20AC}".repeat(back_chars);
                    let is_near =
                        |offset: usize| offset.abs_diff(end_offset) < 6 || offset % 4093 == 1;
                    check_lines(src.as_bytes(), is_near);
                }
            }
        }
    }
}

/// Texts of 34 KiB with many line ends. They have checkpoints of two levels, some of them inside
/// `\r\n`.
#[test]
fn many_lines() {
    let mut rng = StdRng::seed_from_u64(51);
    for ends in [&["\r\n"][..], &["\r"], &["\n", "\r", "\r\n", "\r\r\n", "é", ""]] {
        let mut src = String::new();
        while src.len() < 34 << 10 {
            src.push_str(ends[rng.random_range(0..ends.len())]);
            src.extend((0..rng.random_range(0..3)).map(|_| 'π'));
        }
        check_lines(src.as_bytes(), |offset| (offset + 2) % 1024 < 4 || offset % 4093 == 5);
    }
}

#[test]
fn all_short_texts() {
    const BYTES: [u8; 5] = [b'\r', b'\n', b'a', 0xC3, 0xA9];
    for len in 0..=5 {
        for number in sampled_if_slow("texts", 0..BYTES.len().pow(len)) {
            let src: Vec<_> =
                (0..len).map(|index| BYTES[number / BYTES.len().pow(index) % 5]).collect();
            check_lines(&src, |_| true);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: sampled_if_slow("cases", 0..ProptestConfig::default().cases).count() as u32,
        ..Default::default()
    })]

    #[test]
    fn lines_equal_those_of_str_indices(text in "(\\PC{0,40}[\\r\\n]{0,3}){0,12}") {
        use str_indices::lines_crlf;
        let lines = Lines::new(text.as_bytes(), LSP);
        prop_assert_eq!(lines.count(), lines_crlf::count_breaks(&text) + 1);
        for offset in 0..=text.len() {
            prop_assert_eq!(lines.line_of(offset), Some(lines_crlf::from_byte_idx(&text, offset)));
        }
        for line in 0..lines.count() {
            prop_assert_eq!(lines.line_start(line), Some(lines_crlf::to_byte_idx(&text, line)));
        }
        check_lines(text.as_bytes(), |offset| offset % 7 == 0);
    }
}
