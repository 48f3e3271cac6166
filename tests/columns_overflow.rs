//! Columns whose result has more than 2 GiB: an error that names the row, without memory for the
//! result. Views that name the same bytes make the columns. The program has no other tests, so that
//! its memory is theirs: `cargo test --features columns --test columns_overflow -- --ignored`.

use utflane::columns::{Column, RowErrorKind};
use utflane::{Encoding, IllFormed, Latin1, Repair, Utf8, Utf16, Wtf8};

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
        let result = utflane::par::columns::transcode_lossy::<E, B, i32>(&column, repair, None);
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
#[cfg(target_pointer_width = "64")]
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
#[cfg(target_pointer_width = "64")]
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
