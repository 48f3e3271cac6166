//! Tests of columns with short rows. The library looks up the bounds of many rows at once, and
//! validates many views at once.

use std::fmt::Display;
use std::str;

use utflane::columns::{Column, RowErrorKind};
use utflane::{Ascii, Cesu8, Encoding, Kernel, Latin1, Utf8, Wtf8};

use crate::common::columns::view;
use crate::common::sampled_if_slow;

/// Checks on every kernel that exactly the rows in `bad` are ill-formed. `what` describes the
/// column in messages.
fn check_rows<E: Encoding<Unit = u8>>(column: Column<'_, E>, bad: &[usize], what: impl Display) {
    for kernel in Kernel::available() {
        let column = column.with_kernel(kernel);
        let found: Vec<_> = column.errors().map(|error| error.row).collect();
        assert_eq!(found, bad, "{kernel}, {what}");
        assert_eq!(
            column.validate().err().map(|error| error.row),
            bad.first().copied(),
            "{kernel}"
        );
        let mut bitmap = Vec::new();
        assert_eq!(column.validity(&mut bitmap), bad.len(), "{kernel}, {what}");
        let zeros = (0..column.rows()).filter(|row| bitmap[row / 8] >> (row % 8) & 1 == 0);
        assert_eq!(zeros.collect::<Vec<_>>(), bad, "{kernel}, {what}");
    }
}

/// Checks a column whose rows are the parts of `text` between neighbouring `bounds`, with 32-bit
/// and with 64-bit offsets. A bound inside a character makes the rows beside it ill-formed.
fn check_bounds(text: &str, bounds: &[usize]) {
    let values = text.as_bytes();
    let is_bad = |ends: &[usize]| str::from_utf8(&values[ends[0]..ends[1]]).is_err();
    let rows = bounds.windows(2).enumerate();
    let bad: Vec<_> = rows.filter(|(_, ends)| is_bad(ends)).map(|(row, _)| row).collect();
    let offsets32: Vec<_> = bounds.iter().map(|&at| at as i32).collect();
    let offsets64: Vec<_> = bounds.iter().map(|&at| at as i64).collect();
    let column = Column::new(Utf8, values, &offsets32).expect("rows inside the values");
    check_rows(column, &bad, "32-bit offsets");
    let column = Column::new(Utf8, values, &offsets64).expect("rows inside the values");
    check_rows(column, &bad, "64-bit offsets");
}

/// Returns offsets in `text` at which characters begin, from `first` to the end. The distances are
/// the numbers of bytes in `steps`, used in a cycle and rounded up to the next character.
fn character_starts(text: &str, first: usize, steps: &[usize]) -> Vec<usize> {
    let mut bounds = vec![first];
    for step in steps.iter().cycle() {
        let at = bounds[bounds.len() - 1] + step;
        if at >= text.len() {
            break;
        }
        bounds.push((at..).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len()));
    }
    if bounds[bounds.len() - 1] < text.len() {
        bounds.push(text.len());
    }
    bounds
}

/// One bound of many splits a character: each bound in turn, so that it has every index among the
/// bounds that the library looks up at once.
#[test]
fn one_bound_of_many_splits_a_character() {
    let text = "漢é字😀".repeat(60);
    // The library tests eight bounds at once if they span less than 256 bytes. With some of these
    // steps they do, with others they do not, and some columns have both.
    let steps: [&[usize]; 6] =
        [&[1], &[6], &[16, 31], &[40], &[1, 1, 1, 1, 1, 1, 1, 270], &[2, 9, 300, 1, 1, 1, 1, 1, 1]];
    for steps in steps {
        for first in [0, 3, 5] {
            let at_characters = character_starts(&text, first, steps);
            check_bounds(&text, &at_characters);
            for bad_bound in sampled_if_slow("bounds of many", 0..at_characters.len() - 1) {
                let mut bounds = at_characters.clone();
                bounds[bad_bound] += 1;
                check_bounds(&text, &bounds);
                // Fewer rows: the last row ends at the end of the values, or before it.
                check_bounds(&text, &bounds[bad_bound.saturating_sub(bad_bound % 40)..]);
                check_bounds(&text, &bounds[..=bad_bound + 1]);
            }
        }
    }
}

/// One bound splits the only non-ASCII character of a text, so a look-up of any other byte gives a
/// wrong result. Tests rows of several lengths, and eight bounds that span nearly 256 bytes, or
/// slightly more, at each offset of the group of eight that the library tests at once.
#[test]
fn one_bound_splits_the_only_non_ascii_character() {
    let row_lens = [vec![1], vec![2, 0], vec![7, 13, 0], vec![1, 1, 1, 1, 1, 1, 1, 270], vec![40]];
    let near_window_ends = (245..=258).flat_map(|span| (5..=8).map(move |before| (before, span)));
    let near_window_ends =
        near_window_ends.map(|(before, span)| [vec![1; before], vec![span], vec![1; 16]].concat());
    for steps in row_lens.into_iter().chain(near_window_ends) {
        let mut bounds = vec![0];
        bounds.extend(steps.iter().cycle().take(70).scan(1, |at, step| {
            *at += step;
            Some(*at)
        }));
        for bad_bound in sampled_if_slow("one split in ASCII", 1..bounds.len() - 1) {
            let mut text = vec![b'a'; bounds[bounds.len() - 1] + 1];
            text[bounds[bad_bound] - 1..=bounds[bad_bound]].copy_from_slice("é".as_bytes());
            check_bounds(str::from_utf8(&text).expect("whole characters"), &bounds);
        }
    }
}

/// One bound splits a character near the end of a block of rows; also with an empty row there.
#[test]
fn one_bound_splits_a_character_at_the_end_of_a_block() {
    let text = "漢字é".repeat(10_000);
    let at_characters = character_starts(&text, 0, &[1]);
    let block = at_characters.partition_point(|&at| at <= 32 * 1024);
    for bad_bound in [1, block - 17, block - 16, block - 2, block - 1, block, block + 1, block + 15]
    {
        for has_empty_row in sampled_if_slow("empty rows", [false, true].into_iter()) {
            let mut bounds = at_characters.clone();
            bounds[bad_bound] += 1;
            if has_empty_row {
                bounds.insert(bad_bound, bounds[bad_bound]);
            }
            check_bounds(&text, &bounds);
        }
    }
}

/// Rows of a fixed width: their bounds split many characters, or only one.
#[test]
fn fixed_width_rows_that_split_characters() {
    let text = format!("a{}", "漢".repeat(3000));
    for width in [1, 2, 3, 4, 6, 9, 33, 100, 300] {
        let rows = text.len() / width;
        let values = text.as_bytes();
        let is_bad = |&row: &usize| str::from_utf8(&values[row * width..][..width]).is_err();
        let bad: Vec<_> = (0..rows).filter(is_bad).collect();
        let column =
            Column::fixed(Utf8, text.as_bytes(), width, rows).expect("rows inside the values");
        check_rows(column, &bad, "fixed width");
    }
    // One bound of many splits the only character in ASCII text.
    for width in [2, 3, 30] {
        for bad_bound in [1, 7, 8, 300, 510, 511, 512, 513, 514, 1023, 1024, 1025, 1199] {
            let mut text = vec![b'a'; 1200 * width];
            text[bad_bound * width - 1..=bad_bound * width].copy_from_slice("é".as_bytes());
            let column = Column::fixed(Utf8, &text, width, 1200).expect("rows inside the values");
            check_rows(column, &[bad_bound - 1, bad_bound], "fixed width");
        }
    }
    // All rows begin at the start of a character, except for one row in the middle.
    let text = format!("{}aé{}", "漢字".repeat(200), "漢字".repeat(200));
    let bad: Vec<_> =
        (0..400).filter(|row| str::from_utf8(&text.as_bytes()[row * 6..][..6]).is_err()).collect();
    check_rows(
        Column::fixed(Utf8, text.as_bytes(), 6, 400).expect("rows inside the values"),
        &bad,
        "fixed width",
    );
}

/// Returns views of `rows`, and the content of the buffer that the views refer to, whose index is
/// `buffer`. Before each row the buffer has `gap` bytes that belong to no row.
fn views_of(rows: &[Vec<u8>], gap: usize, buffer: u32) -> (Vec<u128>, Vec<u8>) {
    let mut values = Vec::new();
    for row in rows {
        values.extend(std::iter::repeat_n(0x80, gap));
        values.extend_from_slice(row);
    }
    let mut at = 0;
    let views = rows.iter().map(|row| {
        at += gap + row.len();
        view(&values, at - row.len()..at, buffer)
    });
    let views = views.collect();
    (views, values)
}

/// Checks rows as views: directly after one another in a buffer, and with gaps between them.
fn check_views<E: Encoding<Unit = u8>>(rows: &[Vec<u8>]) {
    let bad: Vec<_> = (0..rows.len()).filter(|&row| !E::SCHEME.is_valid(&rows[row])).collect();
    for gap in [0, 1] {
        let (views, values) = views_of(rows, gap, 1);
        let buffers = [&b"another"[..], &values];
        let column =
            Column::of_views(E::default(), &views, &buffers).expect("rows inside the values");
        check_rows(column, &bad, format_args!("{}, gaps of {gap}: {rows:02X?}", E::SCHEME));
    }
}

/// Ill-formed and well-formed sequences at every offset of a short view, among other views.
#[test]
fn short_texts_in_views() {
    let sequences: [&[u8]; 16] = [
        b"",
        "é".as_bytes(),
        "漢".as_bytes(),
        "😀".as_bytes(),
        b"\x80",
        b"\xC3",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
        b"\xC0\x80",
        b"\xE0\x80\x80",
        b"\xED\xA0\xBD",
        b"\xF4\x90\x80\x80",
        b"\xFF",
        b"\xF0\x9F",
        b"\xE2",
        b"\xC3\xA9\x80",
    ];
    for sequence in sequences {
        for len in sequence.len()..=13 {
            for at in sampled_if_slow("offsets in views", 0..=len - sequence.len()) {
                let mut row = vec![b'a'; len];
                row[at..at + sequence.len()].copy_from_slice(sequence);
                for (index, other) in [(0, ""), (3, "é漢"), (16, "plain text, and long")] {
                    let mut rows = vec![other.as_bytes().to_vec(); 21];
                    rows[index] = row.clone();
                    // The next row consists of bytes that could continue the sequence.
                    rows[index + 1] = b"\xA9\x80".to_vec();
                    check_views::<Utf8>(&rows);
                    check_views::<Wtf8>(&rows);
                    check_views::<Ascii>(&rows);
                    check_views::<Cesu8>(&rows);
                    check_views::<Latin1>(&rows);
                }
            }
        }
    }
}

/// Long and short texts in random order, some of them ill-formed, in one batch and in several.
#[test]
fn short_and_long_texts_in_views() {
    let texts: [&[u8]; 8] = [
        b"short",
        "längerer Text".as_bytes(),
        "漢字漢字".as_bytes(),
        "漢字漢字漢字漢字".as_bytes(),
        b"",
        "a text of more than 256 bytes: ".as_bytes(),
        b"bad \xFF",
        b"cut in a longer text \xE2\x82",
    ];
    let mut state = 5_u32;
    for row_count in [1, 2, 63, 64, 65, 511, 512, 513, 1300] {
        for kinds in [2, 4, 6, 8] {
            let rows: Vec<_> = (0..row_count)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let kind = (state >> 16) as usize % kinds;
                    // Some lengths have a lowest byte that could be the length of a short text.
                    texts[kind].repeat(if kind == 5 { 9 - (state >> 30) as usize } else { 1 })
                })
                .collect();
            let long = rows.iter().filter(|row| row.len() > 12).cloned().collect();
            // The last text is long and ill-formed.
            let bad = texts[7].to_vec();
            let bad_end = [&rows[1..], &[bad]].concat();
            for rows in sampled_if_slow("rows", [rows, long, bad_end].into_iter()) {
                check_views::<Utf8>(&rows);
            }
        }
    }
    for len in [255, 256, 257, 260, 268, 269, 65_536, 65_540] {
        let mut rows = vec![vec![b'a'; len]; 5];
        rows[1] = b"a".to_vec();
        check_views::<Utf8>(&rows);
        rows[3][len - 1] = 0xFF;
        check_views::<Utf8>(&rows);
    }
}

/// Rows in three buffers: the buffer changes after each row, or after a run of rows.
#[test]
fn views_of_several_buffers() {
    let rows: Vec<_> =
        (0..1500).map(|row| "漢字 and more".repeat(1 + row % 2).into_bytes()).collect();
    for (run_rows, bad) in [(1, 700), (3, 701), (400, 399), (512, 512), (800, 1499)] {
        let mut buffers = vec![Vec::new(); 3];
        let mut views = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let buffer = index / run_rows % 3;
            let start = buffers[buffer].len();
            buffers[buffer].extend_from_slice(row);
            if index == bad {
                buffers[buffer][start + 1] = b'a';
            }
            views.push(view(&buffers[buffer], start..start + row.len(), buffer as u32));
        }
        let buffers: Vec<_> = buffers.iter().map(Vec::as_slice).collect();
        let column = Column::of_views(Utf8, &views, &buffers).expect("rows inside the values");
        check_rows(column, &[bad], "buffers");
        // The same views in another order.
        let order: Vec<_> = (0..views.len()).map(|row| row * 7 % views.len()).collect();
        let reordered: Vec<_> = order.iter().map(|&row| views[row]).collect();
        let bad = order.iter().position(|&row| row == bad).expect("7 and 1500 are coprime");
        let column = Column::of_views(Utf8, &reordered, &buffers).expect("rows inside the values");
        check_rows(column, &[bad], "buffers in another order");
    }
}

/// One view outside its buffer, at many indexes among views inside their buffers.
#[test]
fn one_view_of_many_is_outside_its_buffer() {
    let view = |len: u128, buffer: u128, offset: u128| offset << 96 | buffer << 64 | len;
    let buffers = [&[b'a'; 100][..], &[b'a'; 300]];
    let outside = [
        view(13, 0, 88),
        view(13, 2, 0),
        view(301, 1, 0),
        view(13, 1, 288),
        view(1 << 31, 1, 0),
        view(13, 1, 1 << 31),
        view(u128::from(u32::MAX), 1, 20),
        view(20, 1, u128::from(u32::MAX)),
    ];
    let inside = [view(13, 0, 87), view(300, 1, 0), view(0, 7, 1 << 31), view(12, 9, 400)];
    // Long and short texts of buffer 0, of buffer 1, of both buffers, and only short texts.
    for kinds in [&[0, 2][..], &[1, 3], &[0, 1, 2, 3], &[2, 3]] {
        let views: Vec<_> = (0..1103).map(|row| inside[kinds[row % kinds.len()]]).collect();
        assert!(Column::of_views(Utf8, &views, &buffers).is_ok());
        for row in (0..1103).step_by(37).chain([511, 512, 1023, 1024, 1102]) {
            for outside in outside {
                let mut views = views.clone();
                views[row] = outside;
                let error = Column::of_views(Utf8, &views, &buffers).unwrap_err();
                assert_eq!((error.row, error.kind), (row, RowErrorKind::OutsideValues));
            }
        }
    }
}
