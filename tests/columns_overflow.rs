//! Tests of columns whose lengths in bytes do not fit into 32 bits.
//!
//! If the result of a conversion needs more than 2 GiB, the error must name the row, and the
//! conversion must not allocate the result. Many views of the same bytes make such a column.
//!
//! Rows before and after the offsets 2 GiB and 4 GiB must have the same results as the same rows at
//! the start of a column. The values before these rows are zeros that were never written, so they
//! take no memory.
//!
//! This program contains only these tests, so the tests can check the memory of the process:
//! `cargo test --features columns --test columns_overflow -- --ignored`.

#![cfg(target_pointer_width = "64")]

use utflane::columns::{Column, RowErrorKind};
use utflane::{Encoding, IllFormed, Kernel, Latin1, Repair, Unit, Utf8, Utf16, Utf32, Wtf8};

/// The length of a row, in bytes.
const ROW_BYTES: usize = 1 << 20;

/// The largest offset in an `i32` column.
const MAX_OFFSET: usize = 0x7FFF_FFFF;

/// A view of a row of `ROW_BYTES` bytes at the start of buffer 0.
const VIEW: u128 = ROW_BYTES as u128;

/// Checks that a conversion of many copies of the row `bytes` fails at the first row whose end
/// offset exceeds `MAX_OFFSET`. `units` is the length of one row after the conversion, in units.
fn check_overflow<E: Encoding<Unit = u8>, B: Encoding>(bytes: &[u8], units: usize, repair: Repair) {
    let buffers = [bytes];
    let fitting_rows = MAX_OFFSET / units;
    let mut views = vec![VIEW; fitting_rows + 5];
    // Row 0 is null and row 1 is empty, so the first row that overflows is two rows later.
    let mut validity = vec![0xFF; views.len() / 8 + 1];
    validity[0] = 0b1111_1110;
    views[1] = 0;
    let bad = fitting_rows + 2;
    let column = Column::of_views(E::default(), &views, &buffers).expect("rows inside the values");
    let column = column.with_nulls(&validity, 0).expect("a bit for each row");
    let error = column.transcode_lossy::<i32, _>(B::default(), repair, None).expect_err("too long");
    assert_eq!((error.row, error.kind), (bad, RowErrorKind::OffsetOverflow));
    #[cfg(feature = "rayon")]
    {
        let result = column.with_threads().transcode_lossy::<i32, _>(B::default(), repair, None);
        assert_eq!(result.expect_err("too long"), error);
    }
    if Column::of_views(E::default(), &views[..1], &buffers)
        .expect("rows inside the values")
        .transcode::<i64, _>(B::default())
        .is_err()
    {
        let error = column.transcode::<i32, _>(B::default()).expect_err("ill-formed");
        assert_eq!(error.row, 2, "an ill-formed row before the overflow");
        let texts =
            column.transcode_or_null::<i32, _>(B::default()).expect("all long rows become null");
        assert!(texts.values.is_empty());
        return;
    }
    for error in [
        column.transcode::<i32, _>(B::default()).expect_err("too long"),
        column.transcode_or_null::<i32, _>(B::default()).expect_err("too long"),
    ] {
        assert_eq!((error.row, error.kind), (bad, RowErrorKind::OffsetOverflow));
    }
}

/// Returns the peak memory of the process in bytes, if the system reports it.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? << 10)
}

#[test]
#[ignore = "converts 30 GiB: CI runs it on the machine itself"]
fn results_above_2_gib_are_errors_and_not_allocated() {
    check_overflow::<Utf8, Utf8>(&vec![b'a'; ROW_BYTES], ROW_BYTES, Repair::REPLACE);
    // The source is longer than 4 GiB.
    let text = "é".repeat(ROW_BYTES / 2);
    check_overflow::<Utf8, Utf16>(text.as_bytes(), ROW_BYTES / 2, Repair::REPLACE);
    check_overflow::<Latin1, Utf8>(&vec![0xE9; ROW_BYTES], 2 * ROW_BYTES, Repair::REPLACE);
    check_overflow::<Latin1, Wtf8>(&vec![0xE9; ROW_BYTES], 2 * ROW_BYTES, Repair::REPLACE);
    // Each ill-formed byte becomes U+FFFD or two units. There are few, because each takes long.
    let ill_formed = [&[b'a'; 1023][..], b"\xFF"].concat().repeat(ROW_BYTES / 1024);
    check_overflow::<Utf8, Utf8>(&ill_formed, ROW_BYTES / 1024 * 1026, Repair::REPLACE);
    let emoji = Repair::REPLACE.on_ill_formed(IllFormed::Replace('😀'));
    check_overflow::<Utf8, Utf16>(&ill_formed, ROW_BYTES / 1024 * 1025, emoji);
    if let Some(peak) = peak_memory() {
        assert!(peak < 512 << 20, "{peak} bytes of memory");
    }
}

#[test]
#[ignore = "converts 30 GiB: CI runs it on the machine itself"]
fn an_ill_formed_row_before_the_overflow_is_the_error() {
    let (well_formed, ill_formed) = (vec![b'a'; ROW_BYTES], vec![0xFF; ROW_BYTES]);
    let buffers = [&well_formed[..], &ill_formed[..]];
    let mut views = vec![VIEW; 2100];
    views[2000] |= 1 << 64;
    let column = Column::of_views(Utf8, &views, &buffers).expect("rows inside the values");
    let error = column.transcode::<i32, _>(Utf8).expect_err("a row is ill-formed");
    assert_eq!((error.row, error.text().map(|text| text.valid_up_to())), (2000, Some(0)));
    views.swap(2000, 2099);
    let column = Column::of_views(Utf8, &views, &buffers).expect("rows inside the values");
    let error = column.transcode::<i32, _>(Utf8).expect_err("too long");
    assert_eq!((error.row, error.kind), (2047, RowErrorKind::OffsetOverflow));
}

/// 4 GiB in bytes.
const FOUR_GIB: usize = 1 << 32;

/// The number of units of text on each side of an offset such as 4 GiB.
const HALF_TEXT_UNITS: usize = 1500;

/// Returns `2 * HALF_TEXT_UNITS` bytes of text, with characters of every length and two ill-formed
/// bytes.
fn sample_text() -> Vec<u8> {
    let mut text = "漢字, é and 😀: ".repeat(2 * HALF_TEXT_UNITS / 20 + 1).into_bytes();
    (text[HALF_TEXT_UNITS - 500], text[HALF_TEXT_UNITS + 500]) = (0xFF, 0xFF);
    text.truncate(2 * HALF_TEXT_UNITS);
    text
}

/// Returns several lists of bounds of rows, in a text of `len` units that begins at offset
/// `skipped`. The rows have one unit, three units, several lengths, mostly one unit, or 40 units.
/// With some of these lists the library looks up many bounds at once.
fn row_bounds(len: usize, skipped: usize) -> impl Iterator<Item = Vec<usize>> {
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

/// Checks that two columns with the same rows give the same results, on every kernel. `far` has
/// other values before the rows.
fn check_same<E: Encoding>(far: Column<'_, E>, near: Column<'_, E>) {
    assert_eq!(far.rows(), near.rows());
    for kernel in Kernel::available() {
        let (far, near) = (far.with_kernel(kernel), near.with_kernel(kernel));
        assert_eq!(far.validate(), near.validate(), "{kernel}");
        let errors: Vec<_> = near.errors().collect();
        assert!(!errors.is_empty() && errors.len() < near.rows());
        assert_eq!(far.errors().collect::<Vec<_>>(), errors, "{kernel}");
        let measures = |column: Column<'_, E>| {
            let (mut bits, mut fits) = (Vec::new(), Vec::new());
            let (mut counts, mut lens) = (Vec::new(), Vec::new());
            let bad = (column.validity(&mut bits), column.fits_latin1(&mut fits));
            column.counts(&mut counts);
            column.lens(Utf16, &mut lens);
            (bad, bits, fits, counts, lens)
        };
        assert_eq!(measures(far), measures(near), "{kernel}");
        let or_null = |column: Column<'_, E>| column.transcode_or_null::<i32, _>(Utf16);
        assert_eq!(or_null(far), or_null(near), "{kernel}");
        let lossy =
            |column: Column<'_, E>| column.transcode_lossy::<i64, _>(Utf8, Repair::REPLACE, None);
        assert_eq!(lossy(far), lossy(near), "{kernel}");
        assert_eq!(far.transcode::<i32, _>(Utf8), near.transcode::<i32, _>(Utf8), "{kernel}");
    }
}

/// Returns the view of the bytes from `start` to `end` in buffer 1.
fn view((start, end): (usize, usize)) -> u128 {
    assert!(end - start > 12, "shorter rows would be stored in the view");
    (start as u128) << 96 | 1 << 64 | (end - start) as u128
}

/// Returns `skipped` zero units, followed by the text.
fn text_after_zeros<U: Unit>(skipped: usize, text: &[U]) -> Vec<U> {
    let mut values = vec![U::default(); skipped + text.len()];
    values[skipped..].copy_from_slice(text);
    values
}

/// Returns the bounds minus `start`, as offsets of type `O`.
fn offsets<O: TryFrom<usize>>(bounds: &[usize], start: usize) -> Vec<O> {
    let offset = |&at: &usize| O::try_from(at - start).ok().expect("an offset of this type");
    bounds.iter().map(offset).collect()
}

#[test]
#[ignore = "reserves 4 GiB: CI runs it on the machine itself"]
fn rows_on_both_sides_of_4_gib() {
    let text = sample_text();
    for offset in [FOUR_GIB / 2, FOUR_GIB] {
        let skipped = offset - HALF_TEXT_UNITS;
        let values = text_after_zeros(skipped, &text);
        for bounds in row_bounds(text.len(), skipped) {
            let (far, near) = (offsets::<i64>(&bounds, 0), offsets::<i64>(&bounds, skipped));
            let far = Column::new(Utf8, &values, &far).expect("rows inside the values");
            check_same(far, Column::new(Utf8, &text, &near).expect("rows inside the values"));
        }
    }
    // The last offset is the largest `i32`.
    let skipped = MAX_OFFSET - text.len();
    let values = text_after_zeros(skipped, &text);
    for bounds in row_bounds(text.len(), skipped) {
        let (far, near) = (offsets::<i32>(&bounds, 0), offsets::<i32>(&bounds, skipped));
        let far = Column::new(Utf8, &values, &far).expect("rows inside the values");
        check_same(far, Column::new(Utf8, &text, &near).expect("rows inside the values"));
    }
}

#[test]
#[ignore = "reserves 8 GiB: CI runs it on the machine itself"]
fn rows_of_wide_units_on_both_sides_of_4_gib() {
    let mut text: Vec<_> = "漢é 😀".repeat(HALF_TEXT_UNITS / 4).encode_utf16().collect();
    text[HALF_TEXT_UNITS / 2] = 0xDC00;
    let skipped = MAX_OFFSET - text.len();
    let values = text_after_zeros(skipped, &text);
    for bounds in row_bounds(text.len(), skipped) {
        let (far, near) = (offsets::<i32>(&bounds, 0), offsets::<i32>(&bounds, skipped));
        let far = Column::new(Utf16, &values, &far).expect("rows inside the values");
        check_same(far, Column::new(Utf16, &text, &near).expect("rows inside the values"));
    }
    let mut text: Vec<_> = "漢é 😀".repeat(HALF_TEXT_UNITS / 2).chars().map(u32::from).collect();
    text[HALF_TEXT_UNITS / 2] = 0xD800;
    let skipped = FOUR_GIB / 4 - HALF_TEXT_UNITS;
    let values = text_after_zeros(skipped, &text);
    for bounds in row_bounds(text.len(), skipped) {
        let (far, near) = (offsets::<i32>(&bounds, 0), offsets::<i32>(&bounds, skipped));
        let far = Column::new(Utf32, &values, &far).expect("rows inside the values");
        check_same(far, Column::new(Utf32, &text, &near).expect("rows inside the values"));
    }
}

#[test]
#[ignore = "reads 4 GiB a few times: CI runs it on the machine itself"]
fn rows_before_and_after_4_gib() {
    let text = sample_text();
    let (skipped, width) = (FOUR_GIB - HALF_TEXT_UNITS, 613);
    let values = text_after_zeros(skipped, &text);
    let check = |column: Column<'_, Utf8>, row_range: &dyn Fn(usize) -> std::ops::Range<usize>| {
        // The rows before `first` are zeros, which are well-formed.
        let first = (0..column.rows()).position(|index| row_range(index).end > skipped);
        let rows = first.expect("rows with text")..column.rows();
        let is_bad = |&index: &usize| std::str::from_utf8(&values[row_range(index)]).is_err();
        let bad: Vec<_> = rows.filter(is_bad).collect();
        assert!(!bad.is_empty());
        let mut bits = Vec::new();
        for kernel in Kernel::available() {
            assert_eq!(column.with_kernel(kernel).validity(&mut bits), bad.len(), "{kernel}");
            let zeros = (0..column.rows()).filter(|row| bits[row / 8] >> (row % 8) & 1 == 0);
            assert!(zeros.eq(bad.iter().copied()), "{kernel}");
        }
        assert!(column.errors().map(|error| error.row).eq(bad.iter().copied()));
        #[cfg(feature = "rayon")]
        {
            let mut parallel_bits = Vec::new();
            let found = column.with_threads().validity(&mut parallel_bits);
            assert_eq!((found, parallel_bits), (bad.len(), bits));
        }
    };
    let rows = values.len() / width;
    let column = Column::fixed(Utf8, &values, width, rows).expect("rows inside the values");
    check(column, &|index| index * width..(index + 1) * width);
    // One row of nearly 4 GiB, and short rows after it.
    let mut offsets = vec![0];
    offsets.extend((0..=HALF_TEXT_UNITS as i64).map(|row| skipped as i64 + 2 * row));
    let column = Column::new(Utf8, &values, &offsets).expect("rows inside the values");
    check(column, &|index| offsets[index] as usize..offsets[index + 1] as usize);
    // A row of nearly 4 GiB in a view, between views of short rows.
    let ends = [0, 20, skipped + 900, skipped + 920, skipped + HALF_TEXT_UNITS];
    let views: Vec<_> = ends.windows(2).map(|ends| view((ends[0], ends[1]))).collect();
    let buffers = [&b""[..], &values];
    let column = Column::of_views(Utf8, &views, &buffers).expect("rows inside the values");
    check(column, &|index| ends[index]..ends[index + 1]);
}

#[test]
#[ignore = "reserves 4 GiB: CI runs it on the machine itself"]
fn views_on_both_sides_of_4_gib() {
    let text = sample_text();
    for offset in [FOUR_GIB / 2, FOUR_GIB] {
        let skipped = offset - HALF_TEXT_UNITS;
        let far = text_after_zeros(skipped, &text);
        let (far_buffers, near_buffers) = ([&b"another"[..], &far], [&b"another"[..], &text]);
        // No row begins after the largest 32-bit offset. The last row ends at this offset or after
        // it.
        for (len, gap) in [(13, 0), (20, 0), (150, 0), (13, 1), (20, 5), (700, 0)] {
            let ends = (0..).map(|row| row * (len + gap)).map(|at| (at, at + len));
            let last = if offset == FOUR_GIB { HALF_TEXT_UNITS } else { 2 * HALF_TEXT_UNITS - len };
            let ends: Vec<_> = ends.take_while(|&(start, _)| start < last).collect();
            let mut near: Vec<_> = ends.iter().copied().map(view).collect();
            for _ in 0..2 {
                let far: Vec<_> =
                    near.iter().map(|view| view + ((skipped as u128) << 96)).collect();
                let far =
                    Column::of_views(Utf8, &far, &far_buffers).expect("rows inside the values");
                check_same(
                    far,
                    Column::of_views(Utf8, &near, &near_buffers).expect("rows inside the values"),
                );
                near.reverse();
            }
        }
    }
    // The end of a row, modulo 2^32, is the start of the next.
    let mut values = text_after_zeros(FOUR_GIB - HALF_TEXT_UNITS, &text);
    values[30] = 0xFF;
    let buffers = [&b""[..], &values];
    let rows = [(FOUR_GIB - 40, FOUR_GIB - 20), (FOUR_GIB - 20, FOUR_GIB + 20), (20, 40), (40, 60)];
    let views = rows.map(view);
    let bad: Vec<_> = (0..4)
        .filter(|&row| std::str::from_utf8(&values[rows[row].0..rows[row].1]).is_err())
        .collect();
    for kernel in Kernel::available() {
        let column = Column::of_views(Utf8, &views, &buffers)
            .expect("rows inside the values")
            .with_kernel(kernel);
        assert_eq!(column.errors().map(|error| error.row).collect::<Vec<_>>(), bad, "{kernel}");
    }
    let outside = [view((FOUR_GIB - 20, FOUR_GIB + HALF_TEXT_UNITS + 1))];
    let error = Column::of_views(Utf8, &outside, &buffers).expect_err("a row outside its buffer");
    assert_eq!((error.row, error.kind), (0, RowErrorKind::OutsideValues));
}
