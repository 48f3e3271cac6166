//! Columns of short rows: bounds that are looked up many at once, and views that are validated
//! many at once.

use std::str;

use utflane::columns::{Column, RowErrorKind};
use utflane::{Ascii, Cesu8, Encoding, Kernel, Latin1, Utf8, Wtf8};

use crate::common::columns::view;
use crate::common::costly;

/// The rows that are ill-formed, and the check of them on every kernel.
fn check_rows<E: Encoding<Unit = u8>>(column: Column<'_, E>, bad: &[usize], what: &str) {
    for kernel in Kernel::available() {
        let column = column.with_kernel(kernel);
        let found: Vec<_> = column.errors().map(|error| error.row()).collect();
        assert_eq!(found, bad, "{kernel}, {what}");
        assert_eq!(
            column.validate().err().map(|error| error.row()),
            bad.first().copied(),
            "{kernel}"
        );
        let mut bitmap = Vec::new();
        assert_eq!(column.validity(&mut bitmap), bad.len(), "{kernel}, {what}");
        let zeros = (0..column.len()).filter(|row| bitmap[row / 8] >> (row % 8) & 1 == 0);
        assert_eq!(zeros.collect::<Vec<_>>(), bad, "{kernel}, {what}");
    }
}

/// Checks rows between bounds of well-formed text, with offsets of both types.
fn check_bounds(text: &str, bounds: &[usize]) {
    let values = text.as_bytes();
    let is_bad = |ends: &[usize]| str::from_utf8(&values[ends[0]..ends[1]]).is_err();
    let rows = bounds.windows(2).enumerate();
    let bad: Vec<_> = rows.filter(|(_, ends)| is_bad(ends)).map(|(row, _)| row).collect();
    let narrow: Vec<_> = bounds.iter().map(|&at| at as i32).collect();
    let wide: Vec<_> = bounds.iter().map(|&at| at as i64).collect();
    let column = Column::<Utf8>::new(values, &narrow).expect("inside");
    check_rows(column, &bad, "32 bits");
    let column = Column::<Utf8>::new(values, &wide).expect("inside");
    check_rows(column, &bad, "64 bits");
}

/// The starts of characters of a text, each after at least `step` bytes in turn.
fn starts(text: &str, first: usize, steps: &[usize]) -> Vec<usize> {
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

/// One bound that splits a character, at every number among those looked up at once.
#[test]
fn each_bound_of_many() {
    let text = "漢é字😀".repeat(60);
    // Windows of 256 and of 512 bytes, spans that are longer, and some of each.
    let steps: [&[usize]; 6] =
        [&[1], &[6], &[16, 31], &[40], &[1, 1, 1, 1, 1, 1, 1, 270], &[2, 9, 300, 1, 1, 1, 1, 1, 1]];
    for steps in steps {
        for first in [0, 3, 5] {
            let whole = starts(&text, first, steps);
            check_bounds(&text, &whole);
            for cut in costly("bounds of many", 0..whole.len() - 1) {
                let mut bounds = whole.clone();
                bounds[cut] += 1;
                check_bounds(&text, &bounds);
                // Few rows, the last of which ends with the values, or before.
                check_bounds(&text, &bounds[cut.saturating_sub(cut % 40)..]);
                check_bounds(&text, &bounds[..=cut + 1]);
            }
        }
    }
}

/// One character in ASCII, which one bound splits: no other byte leads to the right answer. Rows of
/// every kind, and spans of bounds that end with a window of 256 or 512 bytes, or soon after it.
#[test]
fn one_split_in_ascii() {
    let kinds = [vec![1], vec![2, 0], vec![7, 13, 0], vec![1, 1, 1, 1, 1, 1, 1, 270], vec![40]];
    let spans = (245..=255).map(|span| (8, span)).chain((490..=500).map(|span| (16, span)));
    let ends = spans.map(|(slots, span)| {
        let (near, after) = (vec![1; slots - 1], vec![1; 2 * slots]);
        [near, vec![span], after].concat()
    });
    for steps in kinds.into_iter().chain(ends) {
        let mut bounds = vec![0];
        bounds.extend(steps.iter().cycle().take(70).scan(1, |at, step| {
            *at += step;
            Some(*at)
        }));
        for cut in costly("one cut in ASCII", 1..bounds.len() - 1) {
            let mut text = vec![b'a'; bounds[bounds.len() - 1] + 1];
            text[bounds[cut] - 1..=bounds[cut]].copy_from_slice("é".as_bytes());
            check_bounds(str::from_utf8(&text).expect("text"), &bounds);
        }
    }
}

/// The same where a block of rows ends, and with empty rows at a cut.
#[test]
fn bounds_at_the_end_of_a_block() {
    let text = "漢字é".repeat(10_000);
    let whole = starts(&text, 0, &[1]);
    let block = whole.partition_point(|&at| at <= 32 * 1024);
    for cut in [1, block - 17, block - 16, block - 2, block - 1, block, block + 1, block + 15] {
        let mut bounds = whole.clone();
        bounds[cut] += 1;
        check_bounds(&text, &bounds);
        bounds.insert(cut, bounds[cut]);
        check_bounds(&text, &bounds);
    }
}

/// Rows of a width that split one character, or all.
#[test]
fn bounds_of_a_width() {
    let text = format!("a{}", "漢".repeat(3000));
    for width in [1, 2, 3, 4, 6, 9, 33, 100, 300] {
        let rows = text.len() / width;
        let values = text.as_bytes();
        let is_bad = |&row: &usize| str::from_utf8(&values[row * width..][..width]).is_err();
        let bad: Vec<_> = (0..rows).filter(is_bad).collect();
        let column = Column::<Utf8>::fixed(text.as_bytes(), width, rows).expect("inside");
        check_rows(column, &bad, "a width");
    }
    // One character in ASCII, which one of many bounds splits.
    for width in [2, 3, 30] {
        for cut in [1, 7, 8, 300, 510, 511, 512, 513, 514, 1023, 1024, 1025, 1199] {
            let mut text = vec![b'a'; 1200 * width];
            text[cut * width - 1..=cut * width].copy_from_slice("é".as_bytes());
            let column = Column::<Utf8>::fixed(&text, width, 1200).expect("inside");
            check_rows(column, &[cut - 1, cut], "a width");
        }
    }
    // The rows begin with characters, except for one in the middle.
    let text = format!("{}aé{}", "漢字".repeat(200), "漢字".repeat(200));
    let bad: Vec<_> =
        (0..400).filter(|row| str::from_utf8(&text.as_bytes()[row * 6..][..6]).is_err()).collect();
    check_rows(Column::<Utf8>::fixed(text.as_bytes(), 6, 400).expect("inside"), &bad, "a width");
}

/// The views of rows that are each between two others of a buffer.
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

/// Checks rows as views, which follow each other in a buffer or do not.
fn check_views<E: Encoding<Unit = u8>>(rows: &[Vec<u8>]) {
    let bad: Vec<_> = (0..rows.len()).filter(|&row| !E::SCHEME.is_valid(&rows[row])).collect();
    for gap in [0, 1] {
        let (views, values) = views_of(rows, gap, 1);
        let buffers = [&b"another"[..], &values];
        let column = Column::<E>::of_views(&views, &buffers).expect("inside");
        check_rows(column, &bad, &format!("{}, gaps of {gap}: {rows:02X?}", E::SCHEME));
    }
}

/// Sequences of every kind, at every offset of a short view, among others.
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
            for at in costly("offsets in views", 0..=len - sequence.len()) {
                let mut row = vec![b'a'; len];
                row[at..at + sequence.len()].copy_from_slice(sequence);
                for (number, others) in [(0, ""), (3, "é漢"), (16, "plain text, and long")] {
                    let mut rows = vec![others.as_bytes().to_vec(); 21];
                    rows[number] = row.clone();
                    // A text that would continue the one before.
                    rows[number + 1] = b"\xA9\x80".to_vec();
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

/// Long and short texts in every order, some ill-formed, in several batches.
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
    for number in [1, 2, 63, 64, 65, 511, 512, 513, 1300] {
        for kinds in [2, 4, 6, 8] {
            let rows: Vec<_> = (0..number)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let kind = (state >> 16) as usize % kinds;
                    // Lengths of which the lowest byte is that of a short text.
                    texts[kind].repeat(if kind == 5 { 9 - (state >> 30) as usize } else { 1 })
                })
                .collect();
            check_views::<Utf8>(&rows);
            let long: Vec<_> = rows.iter().filter(|row| row.len() > 12).cloned().collect();
            check_views::<Utf8>(&long);
            // The last is long, and ill-formed.
            let bad = texts[7].to_vec();
            check_views::<Utf8>(&[&rows[1..], &[bad]].concat());
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

/// Rows of several buffers, in turns and in runs.
#[test]
fn views_of_several_buffers() {
    let rows: Vec<_> =
        (0..1500).map(|row| "漢字 and more".repeat(1 + row % 2).into_bytes()).collect();
    for (run, bad) in [(1, 700), (3, 701), (400, 399), (512, 512), (800, 1499)] {
        let mut buffers = vec![Vec::new(); 3];
        let mut views = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let buffer = number / run % 3;
            let start = buffers[buffer].len();
            buffers[buffer].extend_from_slice(row);
            if number == bad {
                buffers[buffer][start + 1] = b'a';
            }
            views.push(view(&buffers[buffer], start..start + row.len(), buffer as u32));
        }
        let buffers: Vec<_> = buffers.iter().map(Vec::as_slice).collect();
        let column = Column::<Utf8>::of_views(&views, &buffers).expect("inside");
        check_rows(column, &[bad], "buffers");
        // The same in another order.
        let order: Vec<_> = (0..views.len()).map(|row| row * 7 % views.len()).collect();
        let mixed: Vec<_> = order.iter().map(|&row| views[row]).collect();
        let bad = order.iter().position(|&row| row == bad).expect("7 and 1500 have no divisor");
        let column = Column::<Utf8>::of_views(&mixed, &buffers).expect("inside");
        check_rows(column, &[bad], "buffers in another order");
    }
}

/// A view outside its buffer, anywhere among others that are inside.
#[test]
fn views_outside_among_many() {
    let long = |len: u128, buffer: u128, offset: u128| offset << 96 | buffer << 64 | len;
    let buffers = [&[b'a'; 100][..], &[b'a'; 300]];
    let wrong = [
        long(13, 0, 88),
        long(13, 2, 0),
        long(301, 1, 0),
        long(13, 1, 288),
        long(1 << 31, 1, 0),
        long(13, 1, 1 << 31),
        long(u128::from(u32::MAX), 1, 20),
        long(20, 1, u128::from(u32::MAX)),
    ];
    let inside = [long(13, 0, 87), long(300, 1, 0), long(0, 7, 1 << 31), long(12, 9, 400)];
    // In one buffer, in both, and only short texts.
    for kinds in [&[0, 2][..], &[1, 3], &[0, 1, 2, 3], &[2, 3]] {
        let views: Vec<_> = (0..1103).map(|row| inside[kinds[row % kinds.len()]]).collect();
        assert!(Column::<Utf8>::of_views(&views, &buffers).is_ok());
        for row in (0..1103).step_by(37).chain([511, 512, 1023, 1024, 1102]) {
            for wrong in wrong {
                let mut views = views.clone();
                views[row] = wrong;
                let error = Column::<Utf8>::of_views(&views, &buffers).unwrap_err();
                assert_eq!((error.row(), error.kind()), (row, RowErrorKind::OutsideValues));
            }
        }
    }
}
