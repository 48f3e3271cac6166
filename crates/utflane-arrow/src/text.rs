//! Lengths of rows, detection of encodings, and repair of double encoding.

use std::borrow::Cow;

use arrow_array::builder::StringViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, Int64Array, OffsetSizeTrait, StringArray};
use arrow_schema::DataType;
use utflane::Scheme;
use utflane::columns::Column;
use utflane_charset::{Found, detect_text, mojibake};

use crate::column::{self, to_array_ref};
use crate::dictionary;
use crate::error::Error;
use crate::rows::rows;

/// Returns the number of code points of each row, as [`utflane::count`] counts them; null if the
/// row is null.
///
/// ```
/// use arrow_array::StringArray;
///
/// let lengths = utflane_arrow::char_lengths(&StringArray::from(vec!["naïve", "😀"]))?;
/// assert_eq!(lengths.values(), &[5, 1]);
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a type without text.
pub fn char_lengths(array: &dyn Array) -> Result<Int64Array, Error> {
    measure_rows(array, &|column, counts| column.counts(counts))
}

/// Returns the number of UTF-16 code units of each row, as JavaScript, Java and C# count them; null
/// if the row is null. For ill-formed rows, the number equals the result of [`utflane::len`].
///
/// ```
/// use arrow_array::StringArray;
///
/// let lengths = utflane_arrow::utf16_lengths(&StringArray::from(vec!["naïve", "😀"]))?;
/// assert_eq!(lengths.values(), &[5, 2]);
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a type without text.
pub fn utf16_lengths(array: &dyn Array) -> Result<Int64Array, Error> {
    measure_rows(array, &|column, lens| {
        column.lens(Scheme::Utf16Le, lens);
        lens.iter_mut().for_each(|len| *len /= 2);
    })
}

/// Returns the length of each row as `measure` computes it.
fn measure_rows(
    array: &dyn Array,
    measure: &dyn Fn(Column<'_, Scheme>, &mut Vec<usize>),
) -> Result<Int64Array, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let values = measure_rows(keyed.values(), measure)?;
        let indices = dictionary::value_indices(keyed);
        let value = |index: usize| values.is_valid(index).then(|| values.value(index));
        return Ok(indices.map(|index| index.and_then(value)).collect());
    }
    let mut lens = Vec::new();
    column::with_column(array, Scheme::Utf8, |column| measure(column, &mut lens))?;
    let lens = lens.into_iter().map(|len| len as i64).collect();
    Ok(Int64Array::new(lens, array.nulls().cloned()))
}

/// Returns the name of the likely encoding of each row, as [`utflane_charset::detect_text`] finds
/// it. Returns `mixed` if parts of the row are in different encodings, `binary` if the row is not
/// text, and null if the row is null. The encoding of a short row that is not Unicode is a guess.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let koi8_r = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2!"; // Привет, мир!
/// let array = BinaryArray::from(vec![&b"plain"[..], b"gr\xC3\xB6\xC3\x9Fer", koi8_r]);
/// let names = utflane_arrow::detect(&array)?;
/// assert_eq!(names.iter().flatten().collect::<Vec<_>>(), ["ascii", "utf-8", "koi8-r"]);
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a type without text.
pub fn detect(array: &dyn Array) -> Result<StringArray, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let values = detect(keyed.values())?;
        let indices = dictionary::value_indices(keyed);
        let value = |index: usize| values.is_valid(index).then(|| values.value(index));
        return Ok(indices.map(|index| index.and_then(value)).collect());
    }
    let name = |row| detect_text(row, true).name();
    Ok(rows(array)?.map(|row| row.map(name)).collect())
}

/// The number of bytes after which the sample of a column is complete.
const SAMPLE: usize = 1 << 16;

/// Returns the likely encoding of all rows together, detected from the first rows: from about 64
/// KiB.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let array = BinaryArray::from(vec![&b"caf\xE9"[..], b"na\xEFve", b"plain"]);
/// assert_eq!(utflane_arrow::detect_column(&array)?.name(), "latin1");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a type without text.
pub fn detect_column(array: &dyn Array) -> Result<Found, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        return detect_column(keyed.values());
    }
    let mut sample = Vec::new();
    for row in rows(array)?.flatten() {
        sample.extend(row);
        if sample.len() >= SAMPLE {
            break;
        }
    }
    // The sample consists of complete rows, so it is detected like a complete text.
    Ok(detect_text(&sample, true))
}

/// Undoes double encoding in each row of UTF-8, like [`mojibake::undo`]. The result has
/// the type of `array`. If no row changes, the values are not copied.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
///
/// let array = StringArray::from(vec!["fÃ¶rste", "smörgåsbord"]);
/// let fixed = utflane_arrow::fix_mojibake(&array)?;
/// assert_eq!(fixed.as_string::<i32>().value(0), "förste");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a type that is not UTF-8.
pub fn fix_mojibake(array: &dyn Array) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        return Ok(keyed.with_values(fix_mojibake(keyed.values())?));
    }
    match array.data_type() {
        DataType::Utf8 => Ok(fix_offset_array(array.as_string::<i32>())),
        DataType::LargeUtf8 => Ok(fix_offset_array(array.as_string::<i64>())),
        DataType::Utf8View => {
            let array = array.as_string_view();
            if array.iter().flatten().all(is_unchanged) {
                return Ok(to_array_ref(array.clone()));
            }
            let mut builder = StringViewBuilder::with_capacity(array.len());
            for row in array {
                builder.append_option(row.map(mojibake::undo));
            }
            Ok(to_array_ref(builder.finish()))
        }
        other => Err(Error::Type(other.clone())),
    }
}

/// Returns true if a text has no double encoding.
fn is_unchanged(text: &str) -> bool {
    matches!(mojibake::undo(text), Cow::Borrowed(_))
}

/// Implements [`fix_mojibake`] for values with offsets. A text can only become shorter, so the
/// offsets cannot overflow.
fn fix_offset_array<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> ArrayRef {
    if array.iter().flatten().all(is_unchanged) {
        return to_array_ref(array.clone());
    }
    let rows = array.iter().map(|row| row.map(mojibake::undo));
    to_array_ref(rows.collect::<GenericStringArray<O>>())
}
