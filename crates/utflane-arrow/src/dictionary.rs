//! Dictionaries: values are looked at once, and count where a row refers to them.

use arrow_array::{AnyDictionaryArray, Array};
use utflane::Scheme;
use utflane::columns::RowError;

use crate::column;
use crate::error::Error;

/// The value that each row refers to; `None` where the row is null.
pub(crate) fn rows(dictionary: &dyn AnyDictionaryArray) -> impl Iterator<Item = Option<usize>> {
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
pub(crate) fn check(dictionary: &dyn AnyDictionaryArray, scheme: Scheme) -> Result<(), Error> {
    let values = dictionary.values();
    let errors: Vec<_> = column::with(values, scheme, |column| column.errors().collect())?;
    first(dictionary, &errors)
}

/// Returns the error of the first row that refers to a value with one.
pub(crate) fn first(dictionary: &dyn AnyDictionaryArray, errors: &[RowError]) -> Result<(), Error> {
    if errors.is_empty() {
        return Ok(());
    }
    for (row, value) in rows(dictionary).enumerate() {
        if let Some(value) = value
            && let Ok(at) = errors.binary_search_by_key(&value, RowError::row)
        {
            return Err(Error::Row(errors[at].in_row(row)));
        }
    }
    Ok(())
}
