//! Checks of columns: each row has the result that it has alone, in every layout.

use std::fmt::Arguments;

use utflane::columns::{ByteColumn, Column, RowError, RowErrorKind, Texts};
use utflane::{Encoding, Kernel, Repair, Scheme, Unit};

use super::costly;

/// Encodings that columns are converted to: the same shape, wider, narrower, and one that has two
/// bytes for NUL.
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

/// The rows between `bounds`, of which those in `nulls` are null.
pub type Rows<'a> = Vec<Option<&'a [u8]>>;

/// The bytes of a bitmap whose first `shift` bits belong to nothing.
fn bitmap(rows: &[Option<&[u8]>], shift: usize) -> Vec<u8> {
    let mut bits = vec![0x55; (rows.len() + shift).div_ceil(8)];
    for (row, text) in rows.iter().enumerate() {
        let (at, bit) = ((row + shift) / 8, (row + shift) % 8);
        bits[at] = bits[at] & !(1 << bit) | u8::from(text.is_some()) << bit;
    }
    bits
}

/// The bits of `values`, as a bitmap of Arrow.
fn bits_of(values: impl Iterator<Item = bool>) -> Vec<u8> {
    let values: Vec<_> = values.collect();
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    values.chunks(8).map(byte).collect()
}

/// A way to pass a column: the kernel, the layout, and the bitmap of its nulls if it has one.
type Way = (Kernel, usize, Option<usize>);

/// Checks a column in all layouts, on every kernel: the rows between `bounds` of `values`. Row
/// `i` is null if `is_null(i)`. Where the share is small, a column has few of these ways, or
/// none.
pub fn check_columns(
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
    is_null: impl Fn(usize) -> bool,
) {
    // A function for each target, on each of 45 ways: a second in a plain run, and minutes where
    // each instruction is emulated or watched.
    let some = |ways: Vec<Way>| costly("ways to pass a column", ways.into_iter()).collect();
    check_ways(scheme, values, bounds, is_null, &TARGETS, some);
}

/// The part of [`check_columns`] that a number chooses: one way and one target.
pub fn check_column(
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
    is_null: impl Fn(usize) -> bool,
    number: usize,
) {
    let target = number % TARGETS.len();
    let one = |ways: Vec<Way>| vec![ways[number / TARGETS.len() % ways.len()]];
    check_ways(scheme, values, bounds, is_null, &TARGETS[target..=target], one);
}

/// Checks a column in the ways that `choose` takes, with conversions to `targets`.
fn check_ways(
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
    is_null: impl Fn(usize) -> bool,
    targets: &[Scheme],
    choose: impl FnOnce(Vec<Way>) -> Vec<Way>,
) {
    let rows: Rows<'_> = bounds
        .windows(2)
        .enumerate()
        .map(|(row, ends)| (!is_null(row)).then_some(&values[ends[0]..ends[1]]))
        .collect();
    let narrow: Vec<_> = bounds.iter().map(|&at| i32::try_from(at).expect("small")).collect();
    let wide: Vec<_> = bounds.iter().map(|&at| at as i64).collect();
    let buffers = [&b"another buffer"[..], values];
    let views: Vec<_> = bounds.windows(2).map(|ends| view(values, ends[0]..ends[1], 1)).collect();
    let nulls: Vec<_> = [0, 3].map(|shift| (bitmap(&rows, shift), shift)).into();
    let all = Expected { targets, ..Expected::new(scheme, &rows) };
    let without: Rows<'_> = bounds.windows(2).map(|ends| Some(&values[ends[0]..ends[1]])).collect();
    let all_present = Expected { targets, ..Expected::new(scheme, &without) };
    let columns = [
        ByteColumn::new(scheme, values, &narrow),
        ByteColumn::new(scheme, values, &wide),
        ByteColumn::of_views(scheme, &views, &buffers),
    ]
    .map(|column| column.expect("rows inside the values"));
    let mut ways: Vec<Way> = Kernel::available()
        .flat_map(|kernel| (0..columns.len()).map(move |layout| (kernel, layout)))
        .flat_map(|(kernel, layout)| [None, Some(0), Some(1)].map(|nulls| (kernel, layout, nulls)))
        .collect();
    // Columns begin at different ways: a share that has a factor in common with the number of ways
    // would leave out the same ones in every column.
    let first = (values.len() + rows.len()) % ways.len();
    ways.rotate_left(first);
    for (kernel, layout, bits) in choose(ways) {
        let (name, column) =
            (format!("{kernel}, layout {layout}"), columns[layout].with_kernel(kernel));
        let Some((bits, shift)) = bits.map(|bits| &nulls[bits]) else {
            all_present.check(&name, column);
            continue;
        };
        let column = column.with_nulls(bits, *shift).expect("a bit for each row");
        all.check(&format!("{name}, nulls from bit {shift}"), column);
    }
}

/// Checks the bitmap and the errors of a long column in all layouts, on every kernel; or in the one
/// layout on the one kernel that `number` chooses.
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

/// Layouts of a long column: offsets, wider ones, views, and views of rows that do not follow each
/// other.
const LAYOUTS: usize = 4;

/// [`check_validity`] in one layout.
fn check_validity_in(
    layout: usize,
    kernels: &[Kernel],
    scheme: Scheme,
    values: &[u8],
    bounds: &[usize],
) {
    let rows = bounds.windows(2).map(|ends| ends[0]..ends[1]);
    let rows: Vec<_> = rows.step_by(if layout == 3 { 2 } else { 1 }).collect();
    let (narrow, wide, views): (Vec<i32>, Vec<i64>, Vec<u128>);
    let buffers = [values];
    let column = match layout {
        0 => {
            narrow = bounds.iter().map(|&at| i32::try_from(at).expect("small")).collect();
            ByteColumn::new(scheme, values, &narrow)
        }
        1 => {
            wide = bounds.iter().map(|&at| at as i64).collect();
            ByteColumn::new(scheme, values, &wide)
        }
        _ => {
            views = rows.iter().map(|row| view(values, row.clone(), 0)).collect();
            ByteColumn::of_views(scheme, &views, &buffers)
        }
    };
    let column = column.expect("rows inside the values");
    let each = rows.iter().map(|row| scheme.validate(&values[row.clone()]).err());
    let errors: Vec<_> = each.enumerate().filter_map(|(row, error)| Some((row, error?))).collect();
    let mut valid = vec![true; rows.len()];
    errors.iter().for_each(|&(row, _)| valid[row] = false);
    let bits = bits_of(valid.into_iter());
    for &kernel in kernels {
        let column = column.with_kernel(kernel);
        let name = format!("{scheme}, {kernel}, layout {layout}");
        let found: Vec<_> =
            column.errors().map(|error| (error.row(), error.text().expect("a text"))).collect();
        assert_eq!(found, errors, "{name}");
        let mut bitmap = Vec::new();
        assert_eq!(column.validity(&mut bitmap), errors.len(), "{name}");
        assert_eq!(bitmap, bits, "{name}");
    }
}

/// The view of a row in buffer `buffer`.
pub fn view(values: &[u8], row: std::ops::Range<usize>, buffer: u32) -> u128 {
    let text = &values[row.clone()];
    let mut bytes = [0xC3; 16];
    bytes[..4].copy_from_slice(&u32::try_from(text.len()).expect("small").to_le_bytes());
    if text.len() <= 12 {
        // The bytes after the text belong to nobody.
        bytes[4..4 + text.len()].copy_from_slice(text);
    } else {
        bytes[4..8].copy_from_slice(&text[..4]);
        bytes[8..12].copy_from_slice(&buffer.to_le_bytes());
        bytes[12..].copy_from_slice(&u32::try_from(row.start).expect("small").to_le_bytes());
    }
    u128::from_le_bytes(bytes)
}

/// The results of each row alone.
pub struct Expected<'a> {
    scheme: Scheme,
    rows: &'a [Option<&'a [u8]>],
    errors: Vec<(usize, utflane::Error)>,
    /// The encodings that the rows are converted to.
    targets: &'a [Scheme],
}

impl<'a> Expected<'a> {
    /// The results of these rows.
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
    pub fn check(&self, name: &str, column: ByteColumn<'_>) {
        // Only a failure shows all rows.
        self.check_all(format_args!("{}, {name}: {:02X?}", self.scheme, self.rows), column);
    }

    fn check_all(&self, name: Arguments<'_>, column: ByteColumn<'_>) {
        let (scheme, rows) = (self.scheme, self.rows);
        assert_eq!(column.len(), rows.len(), "{name}");
        let found = |error: RowError| (error.row(), error.text().expect("an error of the text"));
        assert_eq!(column.validate().err().map(found), self.errors.first().copied(), "{name}");
        assert_eq!(column.is_valid(), self.errors.is_empty(), "{name}");
        assert_eq!(column.errors().map(found).collect::<Vec<_>>(), self.errors, "{name}");
        let mut bitmap = vec![0xAA; 3];
        assert_eq!(column.validity(&mut bitmap), self.errors.len(), "{name}");
        let well_formed = |row: &Option<&[u8]>| row.is_some_and(|row| scheme.is_valid(row));
        assert_eq!(bitmap, bits_of(rows.iter().map(well_formed)), "{name}");
        self.check_measures(name, column);
        for &to in self.targets {
            self.check_strict(name, column, to);
            self.check_lossy(name, column, to);
        }
    }

    /// Checks lengths and counts.
    fn check_measures(&self, name: Arguments<'_>, column: ByteColumn<'_>) {
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
        let missing = rows.iter().filter(|row| row.is_some() && !fits(row)).count();
        assert_eq!(column.fits_latin1(&mut bitmap), missing, "{name}");
        assert_eq!(bitmap, bits_of(rows.iter().map(fits)), "{name}");
    }

    /// Checks conversions that fail, and those to null.
    fn check_strict(&self, name: Arguments<'_>, column: ByteColumn<'_>, to: Scheme) {
        let each: Vec<_> =
            self.rows.iter().map(|row| row.map(|row| converted(self.scheme, row, to))).collect();
        let first = each.iter().position(|row| row.as_ref().is_some_and(Result::is_err));
        let result = column.transcode::<i32>(to);
        match first {
            Some(row) => {
                let error = result.expect_err("a row cannot be converted");
                let expected = each[row].clone().and_then(Result::err);
                assert_eq!((error.row(), error.text()), (row, expected), "{name} to {to}");
            }
            None => {
                let rows = each.iter().map(|row| row.clone().and_then(Result::ok));
                check_texts(name, &result.expect("every row is converted"), rows.collect());
            }
        }
        let rows = each.into_iter().map(|row| row.and_then(Result::ok)).collect();
        let result = column.transcode_or_null::<i64>(to).expect("small");
        assert_eq!(result.repairs, 0);
        check_texts(name, &result, rows);
    }

    /// Checks conversions with repairs.
    fn check_lossy(&self, name: Arguments<'_>, column: ByteColumn<'_>, to: Scheme) {
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
        let texts = column.transcode_lossy::<i64>(to, Repair::REPLACE, Some(&mut counts));
        let texts = texts.expect("small");
        assert_eq!(counts, repairs, "{name} to {to}");
        assert_eq!(texts.repairs, repairs.iter().sum(), "{name} to {to}");
        assert_eq!(column.transcode_lossy(to, Repair::REPLACE, None).as_ref(), Ok(&texts));
        check_texts(name, &texts, rows);
    }
}

/// A row alone in another encoding.
fn converted(from: Scheme, row: &[u8], to: Scheme) -> Result<Vec<u8>, utflane::Error> {
    let mut out = Vec::new();
    from.transcode_append(row, to, &mut out).map(|()| out)
}

/// Checks that a result has these rows and nothing else.
fn check_texts<O: utflane::columns::Offset>(
    name: Arguments<'_>,
    texts: &Texts<u8, O>,
    rows: Vec<Option<Vec<u8>>>,
) {
    assert_eq!((texts.len(), texts.is_empty()), (rows.len(), rows.is_empty()), "{name}");
    let mut values = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        assert_eq!(texts.get(row), text.as_deref(), "{name}, row {row}");
        assert_eq!(texts.offsets[row].to_size(), values.len(), "{name}, row {row}");
        values.extend(text.iter().flatten());
    }
    assert_eq!(texts.values, values, "{name}");
    assert_eq!(texts.offsets.last().map(|end| end.to_size()), Some(values.len()), "{name}");
    if let Some(bits) = &texts.validity {
        assert_eq!(*bits, bits_of(rows.iter().map(Option::is_some)), "{name}");
    }
    assert_eq!(texts.validity.is_none(), rows.iter().all(Option::is_some), "{name}");
    assert_eq!(texts.get(rows.len()), None);
    assert_eq!(texts.get(usize::MAX), None);
}

/// Checks that a typed column counts its units, as the one of its bytes counts bytes.
pub fn check_typed<E: Encoding>(values: &[E::Unit], bytes: &[u8], bounds: &[usize]) {
    let unit = size_of::<E::Unit>();
    let offsets: Vec<_> = bounds.iter().map(|&at| at as i64).collect();
    let in_bytes: Vec<_> = bounds.iter().map(|&at| (at * unit) as i64).collect();
    let typed = Column::<E>::new(values, &offsets).expect("rows inside the values");
    let scheme = ByteColumn::new(E::SCHEME, bytes, &in_bytes).expect("rows inside the values");
    let facts = |error: RowError, unit: usize| match error.kind() {
        RowErrorKind::Text(text) => {
            (error.row(), text.valid_up_to() * unit, text.error_len().map(|len| len * unit))
        }
        kind => panic!("{kind:?}"),
    };
    let expected = scheme.validate().map_err(|error| facts(error, 1));
    assert_eq!(typed.validate().map_err(|error| facts(error, unit)), expected);
    let all_facts = |errors: utflane::columns::Errors<'_>, unit| -> Vec<_> {
        errors.map(|error| facts(error, unit)).collect()
    };
    assert_eq!(all_facts(typed.errors(), unit), all_facts(scheme.errors(), 1));
    let (mut bits, mut expected) = (Vec::new(), Vec::new());
    assert_eq!(typed.validity(&mut bits), scheme.validity(&mut expected));
    assert_eq!(bits, expected);
    let texts = typed.transcode_or_null::<E, i32>().expect("small");
    let expected = scheme.transcode_or_null::<i32>(E::SCHEME).expect("small");
    assert_eq!(texts.validity, expected.validity);
    let scaled: Vec<_> = texts.offsets.iter().map(|&end| end * unit as i32).collect();
    assert_eq!(scaled, expected.offsets);
    assert_eq!(texts.values.len() * unit, expected.values.len());
    match (typed.transcode::<E, i32>(), scheme.transcode::<i32>(E::SCHEME)) {
        (Err(error), Err(expected)) => assert_eq!(facts(error, unit), facts(expected, 1)),
        (typed, scheme) => assert_eq!(typed.is_ok(), scheme.is_ok()),
    }
    let (mut lens, mut expected) = (Vec::new(), Vec::new());
    typed.utf16_lens(&mut lens);
    scheme.lens(Scheme::Utf16Le, &mut expected);
    assert!(lens.iter().map(|len| len * 2).eq(expected), "UTF-16 in units");
}

/// The bytes of units in memory.
pub fn bytes_of<U: Unit + Copy>(units: &[U], to_bytes: impl Fn(U) -> Vec<u8>) -> Vec<u8> {
    units.iter().flat_map(|&unit| to_bytes(unit)).collect()
}
