//! Columns of more bytes than fit 32 bits. Where the result has more than 2 GiB, the error names
//! the row, without memory for the result; views that name the same bytes make such columns. Rows
//! on both sides of 2 and of 4 GiB have the results of the same rows at the start of their values:
//! the values before them are zeros that nobody wrote, which take no memory. The program has no
//! other tests, so its memory is theirs:
//! `cargo test --features columns --test columns_overflow -- --ignored`.

#![cfg(target_pointer_width = "64")]

use utflane::columns::{Column, RowErrorKind};
use utflane::{Encoding, IllFormed, Kernel, Latin1, Repair, Unit, Utf8, Utf16, Utf32, Wtf8};

/// Bytes of a row.
const ROW: usize = 1 << 20;

/// The most units that an `i32` counts.
const MOST: usize = 0x7FFF_FFFF;

/// A view of the row in buffer 0.
const VIEW: u128 = ROW as u128;

/// Returns the rows and the error of a conversion of rows of `bytes`, each of which has so many
/// units.
fn check<E: Encoding<Unit = u8>, B: Encoding>(bytes: &[u8], units: usize, repair: Repair) {
    let buffers = [bytes];
    // The first row that ends after 2^31 - 1 units; a null and an empty row are before it.
    let full = MOST / units;
    let views = vec![VIEW; full + 5];
    let mut nulls = vec![0xFF; views.len() / 8 + 1];
    nulls[0] = 0b1111_1110;
    let mut views = views;
    views[1] = 0;
    let bad = full + 2;
    let column = Column::<E>::of_views(&views, &buffers).expect("rows inside");
    let column = column.with_nulls(&nulls, 0).expect("a bit for each");
    let error = column.transcode_lossy::<B, i32>(repair, None).expect_err("too long");
    assert_eq!((error.row(), error.kind()), (bad, RowErrorKind::OffsetOverflow));
    #[cfg(feature = "rayon")]
    {
        let result = column.with_threads().transcode_lossy::<B, i32>(repair, None);
        assert_eq!(result.expect_err("too long"), error);
    }
    if Column::<E>::of_views(&views[..1], &buffers).expect("inside").transcode::<B, i64>().is_err()
    {
        let error = column.transcode::<B, i32>().expect_err("ill-formed");
        assert_eq!(error.row(), 2, "an ill-formed row before it");
        let texts = column.transcode_or_null::<B, i32>().expect("all are null");
        assert!(texts.values.is_empty());
        return;
    }
    for error in [
        column.transcode::<B, i32>().expect_err("too long"),
        column.transcode_or_null::<B, i32>().expect_err("too long"),
    ] {
        assert_eq!((error.row(), error.kind()), (bad, RowErrorKind::OffsetOverflow));
    }
}

/// The most memory that the process had, in bytes, if the system tells.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? << 10)
}

#[test]
#[ignore = "converts 30 GiB: CI runs it on the machine itself"]
fn results_above_2_gib_name_the_row_and_are_not_held() {
    check::<Utf8, Utf8>(&vec![b'a'; ROW], ROW, Repair::REPLACE);
    check::<Utf8, Utf16>("é".repeat(ROW / 2).as_bytes(), ROW / 2, Repair::REPLACE);
    check::<Latin1, Utf8>(&vec![0xE9; ROW], 2 * ROW, Repair::REPLACE);
    check::<Latin1, Wtf8>(&vec![0xE9; ROW], 2 * ROW, Repair::REPLACE);
    // Each byte becomes U+FFFD.
    check::<Utf8, Utf8>(&vec![0xFF; ROW], 3 * ROW, Repair::REPLACE);
    let nothing = Repair::REPLACE.on_ill_formed(IllFormed::Replace('?'));
    check::<Utf8, Utf16>(&vec![0xFF; ROW], ROW, nothing);
    if let Some(peak) = peak() {
        assert!(peak < 512 << 20, "{peak} bytes of memory");
    }
}

#[test]
#[ignore = "converts 30 GiB: CI runs it on the machine itself"]
fn an_ill_formed_row_before_the_overflow_is_the_error() {
    let (sound, damaged) = (vec![b'a'; ROW], vec![0xFF; ROW]);
    let buffers = [&sound[..], &damaged[..]];
    let mut views = vec![VIEW; 2100];
    views[2000] |= 1 << 64;
    let column = Column::<Utf8>::of_views(&views, &buffers).expect("rows inside");
    let error = column.transcode::<Utf8, i32>().expect_err("a row is ill-formed");
    assert_eq!((error.row(), error.text().map(|text| text.valid_up_to())), (2000, Some(0)));
    views.swap(2000, 2099);
    let column = Column::<Utf8>::of_views(&views, &buffers).expect("rows inside");
    let error = column.transcode::<Utf8, i32>().expect_err("too long");
    assert_eq!((error.row(), error.kind()), (2047, RowErrorKind::OffsetOverflow));
}

/// The bytes that 32 bits count.
const FOUR_GIB: usize = 1 << 32;

/// Units of text before and after an offset.
const AROUND: usize = 1500;

/// So many units of text, with characters of every length and ill-formed sequences.
fn text() -> Vec<u8> {
    let mut text = "漢字, é and 😀: ".repeat(2 * AROUND / 20 + 1).into_bytes();
    (text[AROUND - 500], text[AROUND + 500]) = (0xFF, 0xFF);
    text.truncate(2 * AROUND);
    text
}

/// The bounds of rows in a text of `len` units, before which `skipped` others are: of one or of a
/// few units, short and long in turn, and rows that look-ups of many bounds at once don't take.
fn bounds(len: usize, skipped: usize) -> impl Iterator<Item = Vec<usize>> {
    let steps: [&[usize]; 5] = [&[1], &[3], &[7, 13, 0], &[1, 1, 1, 1, 1, 1, 1, 270], &[40]];
    steps.into_iter().map(move |steps| {
        let mut at = skipped;
        let ends = steps.iter().cycle().map_while(|step| {
            at += step;
            (at <= skipped + len).then_some(at)
        });
        std::iter::once(skipped).chain(ends).collect()
    })
}

/// Checks that two columns have the same rows, on every kernel.
fn check_same<E: Encoding>(far: Column<'_, E>, near: Column<'_, E>) {
    assert_eq!(far.len(), near.len());
    for kernel in Kernel::available() {
        let (far, near) = (far.with_kernel(kernel), near.with_kernel(kernel));
        assert_eq!(far.validate(), near.validate(), "{kernel}");
        let errors: Vec<_> = near.errors().collect();
        assert!(!errors.is_empty() && errors.len() < near.len());
        assert_eq!(far.errors().collect::<Vec<_>>(), errors, "{kernel}");
        let measures = |column: Column<'_, E>| {
            let (mut bits, mut fits) = (Vec::new(), Vec::new());
            let (mut counts, mut lens) = (Vec::new(), Vec::new());
            let bad = (column.validity(&mut bits), column.fits_latin1(&mut fits));
            column.counts(&mut counts);
            column.utf16_lens(&mut lens);
            (bad, bits, fits, counts, lens)
        };
        assert_eq!(measures(far), measures(near), "{kernel}");
        let or_null = |column: Column<'_, E>| column.transcode_or_null::<Utf16, i32>();
        assert_eq!(or_null(far), or_null(near), "{kernel}");
        let lossy =
            |column: Column<'_, E>| column.transcode_lossy::<Utf8, i64>(Repair::REPLACE, None);
        assert_eq!(lossy(far), lossy(near), "{kernel}");
        assert_eq!(far.transcode::<Utf8, i32>(), near.transcode::<Utf8, i32>(), "{kernel}");
    }
}

/// The view of these bytes of buffer 1.
fn view((start, end): (usize, usize)) -> u128 {
    assert!(end - start > 12, "in a buffer");
    (start as u128) << 96 | 1 << 64 | (end - start) as u128
}

/// Zeros, and this text after the first `skipped` of them.
fn zeros_and<U: Unit>(skipped: usize, text: &[U]) -> Vec<U> {
    let mut values = vec![U::default(); skipped + text.len()];
    values[skipped..].copy_from_slice(text);
    values
}

/// Offsets of either type, minus a start.
fn offsets<O: TryFrom<usize>>(bounds: &[usize], start: usize) -> Vec<O> {
    let offset = |&at: &usize| O::try_from(at - start).ok().expect("an offset");
    bounds.iter().map(offset).collect()
}

#[test]
#[ignore = "reserves 4 GiB: CI runs it on the machine itself"]
fn rows_on_both_sides_of_4_gib() {
    let text = text();
    for offset in [FOUR_GIB / 2, FOUR_GIB] {
        let skipped = offset - AROUND;
        let values = zeros_and(skipped, &text);
        for bounds in bounds(text.len(), skipped) {
            let (far, near) = (offsets::<i64>(&bounds, 0), offsets::<i64>(&bounds, skipped));
            let far = Column::<Utf8>::new(&values, &far).expect("inside");
            check_same(far, Column::new(&text, &near).expect("inside"));
        }
    }
    // The last offset is the largest `i32`.
    let skipped = MOST - text.len();
    let values = zeros_and(skipped, &text);
    for bounds in bounds(text.len(), skipped) {
        let (far, near) = (offsets::<i32>(&bounds, 0), offsets::<i32>(&bounds, skipped));
        let far = Column::<Utf8>::new(&values, &far).expect("inside");
        check_same(far, Column::new(&text, &near).expect("inside"));
    }
}

#[test]
#[ignore = "reserves 8 GiB: CI runs it on the machine itself"]
fn rows_of_wide_units_on_both_sides_of_4_gib() {
    let mut text: Vec<_> = "漢é 😀".repeat(AROUND / 4).encode_utf16().collect();
    text[AROUND / 2] = 0xDC00;
    let skipped = MOST - text.len();
    let values = zeros_and(skipped, &text);
    for bounds in bounds(text.len(), skipped) {
        let (far, near) = (offsets::<i32>(&bounds, 0), offsets::<i32>(&bounds, skipped));
        let far = Column::<Utf16>::new(&values, &far).expect("inside");
        check_same(far, Column::new(&text, &near).expect("inside"));
    }
    let mut text: Vec<_> = "漢é 😀".repeat(AROUND / 2).chars().map(u32::from).collect();
    text[AROUND / 2] = 0xD800;
    let skipped = FOUR_GIB / 4 - AROUND;
    let values = zeros_and(skipped, &text);
    for bounds in bounds(text.len(), skipped) {
        let (far, near) = (offsets::<i32>(&bounds, 0), offsets::<i32>(&bounds, skipped));
        let far = Column::<Utf32>::new(&values, &far).expect("inside");
        check_same(far, Column::new(&text, &near).expect("inside"));
    }
}

#[test]
#[ignore = "reads 4 GiB a few times: CI runs it on the machine itself"]
fn rows_before_and_after_4_gib() {
    let text = text();
    let (skipped, row) = (FOUR_GIB - AROUND, 613);
    let values = zeros_and(skipped, &text);
    let check = |column: Column<'_, Utf8>, row: &dyn Fn(usize) -> std::ops::Range<usize>| {
        // Those before are zeros.
        let first = (0..column.len()).position(|number| row(number).end > skipped);
        let rows = first.expect("rows with text")..column.len();
        let is_bad = |&number: &usize| std::str::from_utf8(&values[row(number)]).is_err();
        let bad: Vec<_> = rows.filter(is_bad).collect();
        assert!(!bad.is_empty());
        let mut bits = Vec::new();
        for kernel in Kernel::available() {
            assert_eq!(column.with_kernel(kernel).validity(&mut bits), bad.len(), "{kernel}");
            let zeros = (0..column.len()).filter(|row| bits[row / 8] >> (row % 8) & 1 == 0);
            assert!(zeros.eq(bad.iter().copied()), "{kernel}");
        }
        assert!(column.errors().map(|error| error.row()).eq(bad.iter().copied()));
        #[cfg(feature = "rayon")]
        {
            let mut parts = Vec::new();
            let found = column.with_threads().validity(&mut parts);
            assert_eq!((found, parts), (bad.len(), bits));
        }
    };
    let rows = values.len() / row;
    let column = Column::<Utf8>::fixed(&values, row, rows).expect("inside");
    check(column, &|number| number * row..(number + 1) * row);
    // One row of nearly 4 GiB, and short ones.
    let mut offsets = vec![0];
    offsets.extend((0..=AROUND as i64).map(|row| skipped as i64 + 2 * row));
    let column = Column::<Utf8>::new(&values, &offsets).expect("inside");
    check(column, &|number| offsets[number] as usize..offsets[number + 1] as usize);
    // The same row in a view, between others.
    let ends = [0, 20, skipped + 900, skipped + 920, skipped + AROUND];
    let views: Vec<_> = ends.windows(2).map(|ends| view((ends[0], ends[1]))).collect();
    let buffers = [&b""[..], &values];
    let column = Column::<Utf8>::of_views(&views, &buffers).expect("inside");
    check(column, &|number| ends[number]..ends[number + 1]);
}

#[test]
#[ignore = "reserves 4 GiB: CI runs it on the machine itself"]
fn views_on_both_sides_of_4_gib() {
    let text = text();
    for offset in [FOUR_GIB / 2, FOUR_GIB] {
        let skipped = offset - AROUND;
        let far = zeros_and(skipped, &text);
        let (far_buffers, near_buffers) = ([&b"another"[..], &far], [&b"another"[..], &text]);
        // No row begins after the largest offset, and one ends there or after it.
        for (len, gap) in [(13, 0), (20, 0), (150, 0), (13, 1), (20, 5), (700, 0)] {
            let ends = (0..).map(|row| row * (len + gap)).map(|at| (at, at + len));
            let last = if offset == FOUR_GIB { AROUND } else { 2 * AROUND - len };
            let ends: Vec<_> = ends.take_while(|&(start, _)| start < last).collect();
            let mut near: Vec<_> = ends.iter().copied().map(view).collect();
            for _ in 0..2 {
                let far: Vec<_> =
                    near.iter().map(|view| view + ((skipped as u128) << 96)).collect();
                let far = Column::<Utf8>::of_views(&far, &far_buffers).expect("inside");
                check_same(far, Column::of_views(&near, &near_buffers).expect("inside"));
                near.reverse();
            }
        }
    }
    // The end of a row, modulo 2^32, is the start of the next.
    let mut values = zeros_and(FOUR_GIB - AROUND, &text);
    values[30] = 0xFF;
    let buffers = [&b""[..], &values];
    let rows = [(FOUR_GIB - 40, FOUR_GIB - 20), (FOUR_GIB - 20, FOUR_GIB + 20), (20, 40), (40, 60)];
    let views = rows.map(view);
    let bad: Vec<_> = (0..4)
        .filter(|&row| std::str::from_utf8(&values[rows[row].0..rows[row].1]).is_err())
        .collect();
    for kernel in Kernel::available() {
        let column =
            Column::<Utf8>::of_views(&views, &buffers).expect("inside").with_kernel(kernel);
        assert_eq!(column.errors().map(|error| error.row()).collect::<Vec<_>>(), bad, "{kernel}");
    }
    let outside = [view((FOUR_GIB - 20, FOUR_GIB + AROUND + 1))];
    let error = Column::<Utf8>::of_views(&outside, &buffers).expect_err("outside");
    assert_eq!((error.row(), error.kind()), (0, RowErrorKind::OutsideValues));
}
