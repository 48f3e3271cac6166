//! Checks of columns: in every layout, the result for each row equals the result for the same bytes
//! outside a column.

use std::fmt::Arguments;

use utflane::columns::{Column, RowError, RowErrorKind, Texts};
use utflane::{Encoding, Kernel, Repair, Scheme, Unit, Utf16, Utf16Be};

use super::sampled_if_slow;

/// The encodings that columns are converted to. They have wider and narrower units than UTF-8, lack
/// characters, or have two bytes for NUL.
const TARGETS: [Scheme; 10] = [
    Scheme::Utf8,
    Scheme::Utf16Le,
    Scheme::Utf16Be,
    Scheme::Utf32Le,
    Scheme::Latin1,
    Scheme::Ascii,
    Scheme::Cesu8,
    Scheme::Mutf8,
    Scheme::Wtf8,
    Scheme::Wtf16Be,
];

/// The rows of a column; `None` is a null.
pub type Rows<'a> = Vec<Option<&'a [u8]>>;

/// Returns a validity bitmap of the rows, in which the first `shift` bits are unused.
fn validity_bitmap(rows: &[Option<&[u8]>], shift: usize) -> Vec<u8> {
    let mut bits = vec![0x55; (rows.len() + shift).div_ceil(8)];
    for (row, text) in rows.iter().enumerate() {
        let (at, bit) = ((row + shift) / 8, (row + shift) % 8);
        bits[at] = bits[at] & !(1 << bit) | u8::from(text.is_some()) << bit;
    }
    bits
}

/// Packs `values` into an Arrow bitmap.
fn pack_bits(values: impl Iterator<Item = bool>) -> Vec<u8> {
    let values: Vec<_> = values.collect();
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    values.chunks(8).map(byte).collect()
}

/// A form of a column: the kernel, the index of the layout, and the index of the validity bitmap,
/// or `None` if the column has no nulls.
type Variant = (Kernel, usize, Option<usize>);

/// Checks a column on every kernel, in all layouts, and with and without nulls. The rows are the
/// parts of `values` between neighbouring `bounds`, and row `i` is null if `is_null(i)`. If only a
/// small share of the tests is run, only a few of these variants and targets are checked, or none.
pub fn check_columns(
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
    is_null: impl Fn(usize) -> bool,
) {
    // Several functions for each target, with each of 45 variants, take a second in a plain run,
    // but minutes in an emulator or under valgrind.
    let choose = |variants: Vec<Variant>| {
        sampled_if_slow("variants of a column", variants.into_iter()).collect()
    };
    let targets: Vec<_> = sampled_if_slow("targets of a column", TARGETS.into_iter()).collect();
    check_variants(scheme, values, bounds, is_null, &targets, choose);
}

/// Like [`check_columns`], for the one variant and the one target that `number` selects.
pub fn check_column(
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
    is_null: impl Fn(usize) -> bool,
    number: usize,
) {
    let target = number % TARGETS.len();
    let choose = |variants: Vec<Variant>| vec![variants[number / TARGETS.len() % variants.len()]];
    check_variants(scheme, values, bounds, is_null, &TARGETS[target..=target], choose);
}

/// Checks the variants of a column that `choose` returns, with conversions to `targets`.
fn check_variants(
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
    is_null: impl Fn(usize) -> bool,
    targets: &[Scheme],
    choose: impl FnOnce(Vec<Variant>) -> Vec<Variant>,
) {
    let rows: Rows<'_> = bounds
        .windows(2)
        .enumerate()
        .map(|(row, ends)| (!is_null(row)).then_some(&values[ends[0]..ends[1]]))
        .collect();
    let offsets32: Vec<_> = bounds.iter().map(|&at| i32::try_from(at).expect("small")).collect();
    let offsets64: Vec<_> = bounds.iter().map(|&at| at as i64).collect();
    let buffers = [&b"another buffer"[..], values];
    let views: Vec<_> = bounds.windows(2).map(|ends| view(values, ends[0]..ends[1], 1)).collect();
    let bitmaps: Vec<_> = [0, 3].map(|shift| (validity_bitmap(&rows, shift), shift)).into();
    let with_nulls = Expected { targets, ..Expected::new(scheme, &rows) };
    let rows_without_nulls: Rows<'_> =
        bounds.windows(2).map(|ends| Some(&values[ends[0]..ends[1]])).collect();
    let without_nulls = Expected { targets, ..Expected::new(scheme, &rows_without_nulls) };
    let columns = [
        Column::new(scheme, values, &offsets32),
        Column::new(scheme, values, &offsets64),
        Column::of_views(scheme, &views, &buffers),
    ]
    .map(|column| column.expect("rows inside the values"));
    let mut variants: Vec<Variant> = Kernel::available()
        .flat_map(|kernel| (0..columns.len()).map(move |layout| (kernel, layout)))
        .flat_map(|(kernel, layout)| {
            [None, Some(0), Some(1)].map(|bitmap| (kernel, layout, bitmap))
        })
        .collect();
    // Each column begins at a different variant. Otherwise a sampling interval that has a factor in
    // common with the number of variants would leave out the same variants in every column.
    let first = (values.len() + rows.len()) % variants.len();
    variants.rotate_left(first);
    for (kernel, layout, bitmap) in choose(variants) {
        let (name, column) =
            (format!("{kernel}, layout {layout}"), columns[layout].with_kernel(kernel));
        let Some((bitmap, shift)) = bitmap.map(|index| &bitmaps[index]) else {
            without_nulls.check(&name, column);
            continue;
        };
        let column = column.with_nulls(bitmap, *shift).expect("a bit for each row");
        with_nulls.check(&format!("{name}, nulls from bit {shift}"), column);
    }
}

/// Checks the validity bitmap and the errors of a long column in all layouts on every kernel. If
/// `number` is given, it selects one layout and one kernel.
pub fn check_validity(scheme: Scheme, values: &[u8], bounds: &[usize], number: Option<usize>) {
    let kernels: Vec<_> = Kernel::available().collect();
    match number {
        Some(number) => {
            let kernel = kernels[number / LAYOUTS % kernels.len()];
            check_validity_in(number % LAYOUTS, &[kernel], scheme, values, bounds);
        }
        None => (0..LAYOUTS)
            .for_each(|layout| check_validity_in(layout, &kernels, scheme, values, bounds)),
    }
}

/// The number of layouts of a long column: 32-bit offsets, 64-bit offsets, views of all rows, and
/// views of every second row.
const LAYOUTS: usize = 4;

/// Checks the validity bitmap and the errors of a long column in one layout, on these kernels.
fn check_validity_in(
    layout: usize,
    kernels: &[Kernel],
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
) {
    let rows = bounds.windows(2).map(|ends| ends[0]..ends[1]);
    let rows: Vec<_> = rows.step_by(if layout == 3 { 2 } else { 1 }).collect();
    let (offsets32, offsets64, views): (Vec<i32>, Vec<i64>, Vec<u128>);
    let buffers = [values];
    let column = match layout {
        0 => {
            offsets32 = bounds.iter().map(|&at| i32::try_from(at).expect("small")).collect();
            Column::new(scheme, values, &offsets32)
        }
        1 => {
            offsets64 = bounds.iter().map(|&at| at as i64).collect();
            Column::new(scheme, values, &offsets64)
        }
        _ => {
            views = rows.iter().map(|row| view(values, row.clone(), 0)).collect();
            Column::of_views(scheme, &views, &buffers)
        }
    };
    let column = column.expect("rows inside the values");
    let row_errors = rows.iter().map(|row| scheme.validate(&values[row.clone()]).err());
    let errors: Vec<_> =
        row_errors.enumerate().filter_map(|(row, error)| Some((row, error?))).collect();
    let mut valid = vec![true; rows.len()];
    errors.iter().for_each(|&(row, _)| valid[row] = false);
    let want_bitmap = pack_bits(valid.into_iter());
    for &kernel in kernels {
        let column = column.with_kernel(kernel);
        let name = format!("{scheme}, {kernel}, layout {layout}");
        let found: Vec<_> =
            column.errors().map(|error| (error.row, error.text().expect("a text error"))).collect();
        assert_eq!(found, errors, "{name}");
        let mut bitmap = Vec::new();
        assert_eq!(column.validity(&mut bitmap), errors.len(), "{name}");
        assert_eq!(bitmap, want_bitmap, "{name}");
    }
}

/// Returns the view of the bytes `row` in `values`, which are the content of the buffer with index
/// `buffer`.
pub fn view(values: &[u8], row: std::ops::Range<usize>, buffer: u32) -> u128 {
    let text = &values[row.clone()];
    let mut bytes = [0xC3; 16];
    bytes[..4].copy_from_slice(&u32::try_from(text.len()).expect("small").to_le_bytes());
    if text.len() <= 12 {
        // The unused bytes after a short text keep the value 0xC3, which the library must ignore.
        bytes[4..4 + text.len()].copy_from_slice(text);
    } else {
        bytes[4..8].copy_from_slice(&text[..4]);
        bytes[8..12].copy_from_slice(&buffer.to_le_bytes());
        bytes[12..].copy_from_slice(&u32::try_from(row.start).expect("small").to_le_bytes());
    }
    u128::from_le_bytes(bytes)
}

/// The expected results of a column.
pub struct Expected<'a> {
    scheme: Scheme,
    rows: &'a [Option<&'a [u8]>],
    /// The ill-formed rows and their errors.
    errors: Vec<(usize, utflane::Error)>,
    /// The encodings that the rows are converted to.
    targets: &'a [Scheme],
}

impl<'a> Expected<'a> {
    /// Validates each row alone.
    pub fn new(scheme: Scheme, rows: &'a [Option<&'a [u8]>]) -> Self {
        let mut errors = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let Some(row) = row else { continue };
            let error = scheme.validate(row).err();
            if scheme == Scheme::Utf8 {
                let std = std::str::from_utf8(row).err();
                assert_eq!(
                    error.map(|error| (error.valid_up_to(), error.error_len())),
                    std.map(|error| (error.valid_up_to(), error.error_len()))
                );
            }
            errors.extend(error.map(|error| (number, error)));
        }
        Self { scheme, rows, errors, targets: &TARGETS }
    }

    /// Checks every function of a column.
    pub fn check(&self, name: &str, column: Column<'_, Scheme>) {
        // `format_args` formats the rows only if an assertion fails.
        self.check_all(format_args!("{}, {name}: {:02X?}", self.scheme, self.rows), column);
    }

    fn check_all(&self, name: Arguments<'_>, column: Column<'_, Scheme>) {
        let (scheme, rows) = (self.scheme, self.rows);
        assert_eq!(column.rows(), rows.len(), "{name}");
        let found = |error: RowError| (error.row, error.text().expect("a text error"));
        assert_eq!(column.validate().err().map(found), self.errors.first().copied(), "{name}");
        assert_eq!(column.errors().map(found).collect::<Vec<_>>(), self.errors, "{name}");
        let mut bitmap = vec![0xAA; 3];
        assert_eq!(column.validity(&mut bitmap), self.errors.len(), "{name}");
        let well_formed = |row: &Option<&[u8]>| row.is_some_and(|row| scheme.is_valid(row));
        assert_eq!(bitmap, pack_bits(rows.iter().map(well_formed)), "{name}");
        self.check_measures(name, column);
        for &to in self.targets {
            self.check_strict(name, column, to);
            self.check_lossy(name, column, to);
        }
    }

    /// Checks counts, lengths and `fits_latin1`.
    fn check_measures(&self, name: Arguments<'_>, column: Column<'_, Scheme>) {
        let (scheme, rows) = (self.scheme, self.rows);
        let each = |measure: &dyn Fn(&[u8]) -> usize| -> Vec<_> {
            rows.iter().map(|row| row.map_or(0, measure)).collect()
        };
        let mut out = vec![7];
        column.counts(&mut out);
        assert_eq!(out, each(&|row| scheme.count(row)), "{name}");
        for &to in self.targets {
            column.lens(to, &mut out);
            assert_eq!(out, each(&|row| scheme.len(row, to)), "{name} to {to}");
        }
        let mut bitmap = vec![0xAA; 3];
        let fits = |row: &Option<&[u8]>| {
            row.is_some_and(|row| converted(scheme, row, Scheme::Latin1).is_ok())
        };
        let unfit = rows.iter().filter(|row| row.is_some() && !fits(row)).count();
        assert_eq!(column.fits_latin1(&mut bitmap), unfit, "{name}");
        assert_eq!(bitmap, pack_bits(rows.iter().map(fits)), "{name}");
    }

    /// Checks conversions that fail at the first error, and conversions that turn ill-formed rows
    /// into nulls.
    fn check_strict(&self, name: Arguments<'_>, column: Column<'_, Scheme>, to: Scheme) {
        let each: Vec<_> =
            self.rows.iter().map(|row| row.map(|row| converted(self.scheme, row, to))).collect();
        let first = each.iter().position(|row| row.as_ref().is_some_and(Result::is_err));
        let result = column.transcode::<i32, _>(to);
        match first {
            Some(row) => {
                let error = result.expect_err("a row cannot be converted");
                let expected = each[row].clone().and_then(Result::err);
                assert_eq!((error.row, error.text()), (row, expected), "{name} to {to}");
            }
            None => {
                let rows = each.iter().map(|row| row.clone().and_then(Result::ok));
                check_texts(name, &result.expect("every row is converted"), rows.collect());
            }
        }
        let rows = each.into_iter().map(|row| row.and_then(Result::ok)).collect();
        let result = column.transcode_or_null::<i64, _>(to).expect("small");
        assert_eq!(result.repairs, 0);
        check_texts(name, &result, rows);
    }

    /// Checks conversions with repairs.
    fn check_lossy(&self, name: Arguments<'_>, column: Column<'_, Scheme>, to: Scheme) {
        let mut repairs = Vec::new();
        let rows = self.rows.iter().map(|row| {
            let mut out = Vec::new();
            let count = row.map_or(0, |row| {
                self.scheme.transcode_lossy_append(row, to, Repair::REPLACE, &mut out)
            });
            repairs.push(count);
            row.map(|_| out)
        });
        let rows = rows.collect();
        let mut counts = vec![1];
        let texts = column.transcode_lossy::<i64, _>(to, Repair::REPLACE, Some(&mut counts));
        let texts = texts.expect("small");
        assert_eq!(counts, repairs, "{name} to {to}");
        assert_eq!(texts.repairs, repairs.iter().sum(), "{name} to {to}");
        assert_eq!(column.transcode_lossy(to, Repair::REPLACE, None).as_ref(), Ok(&texts));
        check_texts(name, &texts, rows);
    }
}

/// Converts one row.
fn converted(from: Scheme, row: &[u8], to: Scheme) -> Result<Vec<u8>, utflane::Error> {
    let mut out = Vec::new();
    from.transcode_append(row, to, &mut out).map(|()| out)
}

/// Checks that the result of a conversion has exactly these rows.
fn check_texts<O: utflane::columns::Offset>(
    name: Arguments<'_>,
    texts: &Texts<u8, O>,
    rows: Vec<Option<Vec<u8>>>,
) {
    assert_eq!(texts.rows(), rows.len(), "{name}");
    let mut values = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        assert_eq!(texts.get(row), text.as_deref(), "{name}, row {row}");
        assert_eq!(texts.offsets[row].to_size(), values.len(), "{name}, row {row}");
        values.extend(text.iter().flatten());
    }
    assert_eq!(texts.values, values, "{name}");
    assert_eq!(texts.offsets.last().map(|end| end.to_size()), Some(values.len()), "{name}");
    if let Some(bits) = &texts.validity {
        assert_eq!(*bits, pack_bits(rows.iter().map(Option::is_some)), "{name}");
    }
    assert_eq!(texts.validity.is_none(), rows.iter().all(Option::is_some), "{name}");
    assert_eq!(texts.get(rows.len()), None);
    assert_eq!(texts.get(usize::MAX), None);
}

/// Checks that a column whose encoding is a type gives the same results as a column of the same
/// bytes whose encoding is a `Scheme`. The first column counts in units, and the second in bytes.
pub fn check_typed<E: Encoding>(values: &[E::Unit], bytes: &[u8], bounds: &[usize]) {
    let unit = size_of::<E::Unit>();
    let offsets: Vec<_> = bounds.iter().map(|&at| at as i64).collect();
    let byte_offsets: Vec<_> = bounds.iter().map(|&at| (at * unit) as i64).collect();
    let typed = Column::new(E::default(), values, &offsets).expect("rows inside the values");
    let byte_column = Column::new(E::SCHEME, bytes, &byte_offsets).expect("rows inside the values");
    let facts = |error: RowError, unit: usize| match error.kind {
        RowErrorKind::Text(text) => {
            (error.row, text.valid_up_to() * unit, text.error_len().map(|len| len * unit))
        }
        kind => panic!("{kind:?}"),
    };
    let expected = byte_column.validate().map_err(|error| facts(error, 1));
    assert_eq!(typed.validate().map_err(|error| facts(error, unit)), expected);
    let all_facts = |errors: utflane::columns::Errors<'_>, unit| -> Vec<_> {
        errors.map(|error| facts(error, unit)).collect()
    };
    assert_eq!(all_facts(typed.errors(), unit), all_facts(byte_column.errors(), 1));
    let (mut bits, mut expected) = (Vec::new(), Vec::new());
    assert_eq!(typed.validity(&mut bits), byte_column.validity(&mut expected));
    assert_eq!(bits, expected);
    let texts = typed.transcode_or_null::<i32, _>(E::default()).expect("small");
    let expected = byte_column.transcode_or_null::<i32, _>(E::SCHEME).expect("small");
    // One encoding of the pair is a type, and the other is a value.
    let repair = Repair::REPLACE;
    assert_eq!(typed.transcode_or_null(E::SCHEME).as_ref(), Ok(&expected));
    assert_eq!(byte_column.transcode_or_null(E::default()).as_ref(), Ok(&texts));
    assert_eq!(
        typed.transcode_lossy::<i64, _>(Scheme::Utf16Be, repair, None),
        byte_column.transcode_lossy::<i64, _>(Utf16Be, repair, None)
    );
    assert_eq!(texts.validity, expected.validity);
    let scaled: Vec<_> = texts.offsets.iter().map(|&end| end * unit as i32).collect();
    assert_eq!(scaled, expected.offsets);
    assert_eq!(texts.values.len() * unit, expected.values.len());
    match (typed.transcode::<i32, _>(E::default()), byte_column.transcode::<i32, _>(E::SCHEME)) {
        (Err(error), Err(expected)) => assert_eq!(facts(error, unit), facts(expected, 1)),
        (typed, byte_column) => assert_eq!(typed.is_ok(), byte_column.is_ok()),
    }
    let (mut lens, mut expected) = (Vec::new(), Vec::new());
    typed.lens(Utf16, &mut lens);
    byte_column.lens(Utf16, &mut expected);
    assert_eq!(lens, expected);
    typed.lens(Scheme::Utf16Le, &mut expected);
    assert!(lens.iter().map(|len| len * 2).eq(expected.iter().copied()));
    byte_column.lens(Scheme::Utf16Le, &mut expected);
    assert!(lens.iter().map(|len| len * 2).eq(expected), "lengths in UTF-16");
}

/// Converts units to bytes with `to_bytes`.
pub fn bytes_of<U: Unit + Copy>(units: &[U], to_bytes: impl Fn(U) -> Vec<u8>) -> Vec<u8> {
    units.iter().flat_map(|&unit| to_bytes(unit)).collect()
}
