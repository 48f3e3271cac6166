//! Dictionaries: each value is validated once, and its error is reported only if a row refers to
//! it.

use arrow_array::{AnyDictionaryArray, Array, ArrayRef};
use utflane::Scheme;
use utflane::columns::RowError;

use crate::arguments::OnFailure;
use crate::column;
use crate::error::Error;

/// Returns the index of the value that each row refers to; `None` if the row is null.
///
/// Without values, all rows are null.
pub(crate) fn value_indices(
    dictionary: &dyn AnyDictionaryArray,
) -> impl Iterator<Item = Option<usize>> {
    let keys = match dictionary.values().is_empty() {
        true => vec![0; dictionary.keys().len()],
        false => dictionary.normalized_keys(),
    };
    let nulls = dictionary.keys().nulls().cloned();
    let none = dictionary.values().is_empty();
    keys.into_iter().enumerate().map(move |(row, key)| {
        let is_null = none || nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then_some(key)
    })
}

/// Validates the values that rows refer to.
pub(crate) fn validate_values(
    dictionary: &dyn AnyDictionaryArray,
    scheme: Scheme,
) -> Result<(), Error> {
    let values = dictionary.values();
    let errors: Vec<_> = column::with_column(values, scheme, |column| column.errors().collect())?;
    check_rows(dictionary, &errors)
}

/// Returns the error of the first row that refers to an ill-formed value. `errors` are the errors
/// of the values, in order.
fn check_rows(dictionary: &dyn AnyDictionaryArray, errors: &[RowError]) -> Result<(), Error> {
    if errors.is_empty() {
        return Ok(());
    }
    for (row, value) in value_indices(dictionary).enumerate() {
        if let Some(value) = value
            && let Ok(at) = errors.binary_search_by_key(&value, |error| error.row)
        {
            return Err(Error::Row(RowError { row, ..errors[at] }));
        }
    }
    Ok(())
}

/// Converts the values of a dictionary. A value that cannot be converted is an error only if a
/// row refers to it.
pub(crate) fn convert(
    dictionary: &dyn AnyDictionaryArray,
    on_failure: OnFailure,
    convert: &dyn Fn(&dyn Array, OnFailure) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    let values = dictionary.values();
    let handling = if on_failure == OnFailure::Error { OnFailure::Null } else { on_failure };
    let converted = convert(values, handling)?;
    if on_failure == OnFailure::Error && converted.null_count() > values.null_count() {
        // A value that became null is reported with the first row that refers to it.
        let has_failed = |&at: &usize| converted.is_null(at) && values.is_valid(at);
        for (row, value) in value_indices(dictionary).enumerate() {
            if let Some(at) = value.filter(has_failed)
                && let Err(Error::Row(error)) = convert(&values.slice(at, 1), on_failure)
            {
                return Err(Error::Row(RowError { row, ..error }));
            }
        }
    }
    Ok(dictionary.with_values(converted))
}
