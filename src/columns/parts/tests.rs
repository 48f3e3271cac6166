//! Compares the functions on parts of short columns, in every layout, with the methods of
//! [`Column`]. The program in `tests/par.rs` tests long columns.

use super::*;
use crate::columns::measure::{Counts, Lens};
use crate::columns::row_encoding::sealed::Choice;
use crate::columns::{Column, latin1};
use crate::dispatch::pairs::validation::validation;
use crate::encoding::types::{Cesu8, Encoding, Latin1, Mutf8, Utf8, Utf16, Utf16Be};
use crate::owned::LossyConversionToVec;
use crate::types::policy::Repair;

/// A generator of random numbers (xorshift), which needs no dependency.
struct Random(u64);

impl Random {
    /// Returns a random number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

/// The offset in bits of the first row in the bitmap of nulls.
const NULLS_BIT_OFFSET: usize = 3;

/// Segments of text. The last three are ill-formed.
const SEGMENTS: [&[u8]; 9] = [
    b"a",
    b"bc",
    "é".as_bytes(),
    "ж".as_bytes(),
    "漢".as_bytes(),
    "😀".as_bytes(),
    b"\xFF",
    b"\xC3",
    b"\xED\xA0\x80",
];

/// Returns the bytes of `segments` random segments among the first `kinds` of [`SEGMENTS`].
fn random_values(random: &mut Random, segments: usize, kinds: usize) -> Vec<u8> {
    (0..segments).flat_map(|_| SEGMENTS[random.below(kinds)]).copied().collect()
}

/// Returns sorted random offsets of `rows` rows. No offset is larger than `unit_count`.
fn random_offsets(random: &mut Random, rows: usize, unit_count: usize) -> Vec<i32> {
    let mut offsets: Vec<_> = (0..=rows).map(|_| random.below(unit_count + 1) as i32).collect();
    offsets.sort_unstable();
    offsets
}

/// Checks that all functions on the parts of a column return what the methods of the column return.
fn check_column<E: Encoding>(column: &Column<'_, E>) {
    for rows_per_part in [1, 9] {
        let parts = split_rows(&column.job().rows, rows_per_part);
        assert!(parts.iter().all(|part| part.first % 8 == 0 && part.rows.len() > 0));
        let search = column.job().search(const { validation(E::SCHEME) });
        let found = check(&search, &parts);
        assert_eq!(found.map_err(|error| error.in_units(size_of::<E::Unit>())), column.validate());

        // The bitmap has old contents, which must be discarded.
        let (mut got, mut want) = (vec![1, 2], Vec::new());
        let ill_formed_rows =
            bitmap(&parts, &mut got, |rows, bits| errors::mark_valid_rows(&search, rows, bits));
        assert_eq!((ill_formed_rows, &got), (column.validity(&mut want), &want));
        let to_latin1 = &ConversionToVec::of_pair::<E, Latin1>();
        let rows_outside_latin1 = bitmap(&parts, &mut got, |rows, bits| {
            latin1::mark_fitting(&search, to_latin1, rows, bits)
        });
        assert_eq!((rows_outside_latin1, &got), (column.fits_latin1(&mut want), &want));

        // Here and below, the counts have old contents, which must be discarded.
        let (mut got, mut want) = (vec![7], Vec::new());
        let kernel = column.job().kernel();
        let measurement = Counts::of_types::<E, E>().0;
        measure(kernel, &column.job().rows, rows_per_part, measurement, &mut got);
        column.counts(&mut want);
        assert_eq!(got, want);
        check_conversion::<E, Utf8>(column, &parts);
        check_conversion::<E, Utf16>(column, &parts);
        check_conversion::<E, Mutf8>(column, &parts);
    }
}

/// Checks the lengths and the conversions of the parts of a column.
fn check_conversion<E: Encoding, B: Encoding>(column: &Column<'_, E>, parts: &[Part<'_>]) {
    let kernel = column.job().kernel();
    let (mut got, mut want) = (vec![7], Vec::new());
    measure(kernel, &column.job().rows, 9, Lens::of_types::<E, B>().0, &mut got);
    let to = B::default();
    column.lens(to, &mut want);
    assert_eq!(got, want);

    let to_vec = &ConversionToVec::of_pair::<E, B>();
    match convert::<B::Unit, i32>(kernel, to_vec, OnFailure::Error, None, parts) {
        Some(texts) => assert_eq!(texts, column.transcode::<i32, _>(to)),
        None => assert!(column.transcode::<i32, _>(to).is_err()),
    }
    let texts = convert::<B::Unit, i64>(kernel, to_vec, OnFailure::Null, None, parts);
    assert_eq!(texts, Some(column.transcode_or_null::<i64, _>(to)));

    let lossy = &LossyConversionToVec::of_pair::<E, B>();
    let on_failure = OnFailure::Repair(lossy, Repair::REPLACE);
    let texts = convert(kernel, &lossy.strict, on_failure, Some(&mut got), parts);
    let expected = column.transcode_lossy::<i32, _>(to, Repair::REPLACE, Some(&mut want));
    assert_eq!((texts, got), (Some(expected), want));
}

/// Checks a column in all layouts, with and without nulls.
fn check_layouts<E: Encoding<Unit = u8>>(random: &mut Random, values: &[u8], rows: usize) {
    let nulls: Vec<_> = (0..rows / 8 + 2).map(|_| random.below(256) as u8).collect();
    let offsets = random_offsets(random, rows, values.len());
    let offsets64: Vec<_> = offsets.iter().map(|&offset| i64::from(offset)).collect();
    // A view is the length in bits 0..32. If the text has at most 12 bytes, they follow. Otherwise
    // bits 64..96 are the index of the buffer, which is 0 here, and bits 96..128 are the offset in
    // the buffer. Bits 32..64 are a prefix of a long text; it is 0 here.
    let view = |bounds: &[i32]| {
        let (start, len) = (bounds[0] as usize, (bounds[1] - bounds[0]) as u128);
        let mut text = [0; 16];
        let prefix = values[start..].iter().take(12).take(len as usize);
        text.iter_mut().zip(prefix).for_each(|(to, from)| *to = *from);
        let inline = u128::from_le_bytes(text) << 32;
        len | if len <= 12 { inline } else { (start as u128) << 96 }
    };
    let views: Vec<_> = offsets.windows(2).map(view).collect();
    let buffers = [values];
    let columns = [
        Column::new(E::default(), values, &offsets),
        Column::new(E::default(), values, &offsets64),
        Column::fixed(E::default(), values, values.len() / rows.max(1), rows),
        Column::of_views(E::default(), &views, &buffers),
    ];
    for column in columns {
        let column = column.expect("all rows are inside the values");
        check_column(&column);
        check_column(
            &column
                .with_nulls(&nulls, NULLS_BIT_OFFSET)
                .expect("the bitmap has a bit for each row"),
        );
    }
}

#[test]
fn results_on_parts_equal_results_on_columns() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for rows in [1, 9, 41] {
        for kinds in [2, SEGMENTS.len()] {
            let values = random_values(&mut random, 3 * rows, kinds);
            check_layouts::<Utf8>(&mut random, &values, rows);
            check_layouts::<Cesu8>(&mut random, &values, rows);
            check_layouts::<Utf16Be>(&mut random, &values, rows);
            check_layouts::<Latin1>(&mut random, &values, rows);
            // In a column of 16-bit units, errors and lengths count units instead of bytes. The
            // units are below, among and above the surrogates.
            let units: Vec<_> = values.iter().map(|&byte| 0xD7F0 + u16::from(byte)).collect();
            let offsets = random_offsets(&mut random, rows, units.len());
            let column = Column::new(Utf16, &units, &offsets);
            check_column(&column.expect("all rows are inside the units"));
        }
    }
}

#[test]
fn offset_overflow_reports_the_row() {
    let rows = Rows::from_width(&[], 0, 3).expect("three empty rows are allowed");
    let parts = [Part { first: 16, rows }];
    // Only the offsets are examined, so no text of 2 GiB is needed.
    let offsets = vec![0, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001];
    let texts = Texts::<u8, i64> { offsets, ..Texts::default() };
    let joined = join_parts::<u8, i32>(&parts, &[(texts, Vec::new())]);
    assert_eq!(joined, Err(RowError { row: 17, kind: RowErrorKind::OffsetOverflow }));
}
