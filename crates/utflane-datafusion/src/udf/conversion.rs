//! The common code of the functions that take an encoding: checks the arguments, and finds the
//! encoding of each row.

use std::cell::RefCell;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, UInt64Array, new_null_array};
use datafusion::arrow::compute::kernels::substring::substring;
use datafusion::arrow::compute::{cast, interleave, take};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::cast::as_string_array;
use datafusion::common::{Result, ScalarValue, exec_err, plan_datafusion_err, plan_err};
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, lit,
};
use utflane_charset::{Charset, detect_text};

use crate::encoding::{EncodingChoice, NamedRepair, OnError, closest_to_binary};
use crate::error::{TextError, TextErrorKind};
use crate::kinds::Input;

/// A function of a value, an encoding, and optionally the handling of failures (`on_error`).
pub(super) trait Conversion {
    /// The SQL name of the function.
    const NAME: &'static str;
    /// The values that the function accepts.
    const INPUT: Input;
    /// True if the function accepts `auto` as an encoding.
    const DETECTS: bool;
    /// The repairs that `on_error` can name.
    type Repair: NamedRepair;

    /// Returns the function, with which a call can be built.
    fn function() -> Arc<ScalarUDF>;

    /// Returns the documentation of the SQL function.
    fn sql_documentation() -> &'static Documentation;

    /// Returns the type of the result if the value has the type `data_type`.
    fn result_type(data_type: &DataType) -> DataType;

    /// Converts all rows. The result has the type [`result_type`](Self::result_type).
    fn convert(
        array: &ArrayRef,
        encoding: Charset,
        on_error: OnError<Self::Repair>,
    ) -> Result<ArrayRef, TextErrorKind>;
}

/// Returns the encoding that a label names, or an error message.
fn choice_from_label<C: Conversion>(label: &str) -> Result<EncodingChoice, String> {
    match C::DETECTS {
        true => EncodingChoice::from_label(label),
        false => EncodingChoice::named(label),
    }
}

/// Returns the types of the arguments after coercion.
pub(super) fn coerce_types<C: Conversion>(arg_types: &[DataType]) -> Result<Vec<DataType>> {
    let [value, names @ ..] = arg_types else {
        return wrong_argument_count::<C, _>(arg_types.len());
    };
    if !(1..=2).contains(&names.len()) {
        return wrong_argument_count::<C, _>(arg_types.len());
    }
    let mut coerced = vec![C::INPUT.coerce(C::NAME, value)?];
    for (data_type, name) in names.iter().zip(["encoding", "on_error"]) {
        let is_text = match data_type {
            DataType::Dictionary(_, value) => value.is_string(),
            _ => data_type.is_string() || data_type.is_null(),
        };
        if !is_text {
            return plan_err!("the argument {name} of {} must be text, not {data_type}", C::NAME);
        }
        coerced.push(DataType::Utf8);
    }
    Ok(coerced)
}

/// Returns the error for too few or too many arguments.
fn wrong_argument_count<C: Conversion, T>(count: usize) -> Result<T> {
    plan_err!("{} takes a value, an encoding, and perhaps on_error; got {count}", C::NAME)
}

/// Returns the field of the result. Checks the constants, so that a wrong name is an error of the
/// plan.
pub(super) fn return_field<C: Conversion>(arguments: &ReturnFieldArgs<'_>) -> Result<FieldRef> {
    let [value, names @ ..] = arguments.arg_fields else { return wrong_argument_count::<C, _>(0) };
    let constant = |index: usize| arguments.scalar_arguments.get(index).copied().flatten();
    let plan_error = |message| plan_datafusion_err!("{}: {message}", C::NAME);
    if let Some(Some(label)) = constant(1).and_then(ScalarValue::try_as_str) {
        choice_from_label::<C>(label).map_err(plan_error)?;
    }
    let mut on_error = OnError::<C::Repair>::Error;
    match constant(2).map(ScalarValue::try_as_str) {
        Some(Some(Some(name))) => on_error = OnError::from_name(name).map_err(plan_error)?,
        Some(_) => return plan_err!("{}: on_error is NULL", C::NAME),
        // The argument is not a literal. It may be a parameter of a prepared statement, so the
        // result may be null.
        None if names.len() > 1 => on_error = OnError::Null,
        None => {}
    }
    let is_nullable = value.is_nullable()
        || names.iter().any(|name| name.is_nullable())
        || on_error == OnError::Null;
    Ok(Arc::new(Field::new(C::NAME, C::result_type(value.data_type()), is_nullable)))
}

/// Calls the function. The result is a scalar if the value and the encoding are scalars.
pub(super) fn invoke<C: Conversion>(arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let rows = arguments.number_rows;
    let (value, encoding, on_error) = match &arguments.args[..] {
        [value, encoding] => (value, encoding, OnError::Error),
        [value, encoding, on_error] => (value, encoding, constant_on_error::<C>(on_error)?),
        arguments => return wrong_argument_count::<C, _>(arguments.len()),
    };
    let error = |kind| TextError::new(C::NAME, kind);
    match (value, encoding) {
        (ColumnarValue::Scalar(value), ColumnarValue::Scalar(encoding)) => {
            let result = convert_with_constant::<C>(&value.to_array()?, encoding, on_error)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result.map_err(error)?, 0)?))
        }
        (ColumnarValue::Array(array), ColumnarValue::Scalar(encoding)) => {
            let result = convert_with_constant::<C>(array, encoding, on_error)?;
            Ok(ColumnarValue::Array(result.map_err(error)?))
        }
        (value, ColumnarValue::Array(labels)) => {
            let (array, labels) = (value.to_array(rows)?, as_string_array(labels)?);
            // Keeps the last label and its encoding: adjacent rows often have equal labels.
            let last = RefCell::new(None);
            let choose = |row| {
                let label = labels.is_valid(row).then(|| labels.value(row))?;
                let mut last = last.borrow_mut();
                match &*last {
                    Some((last_label, choice)) if *last_label == label => Some(Ok(*choice)),
                    _ => Some(
                        choice_from_label::<C>(label)
                            .inspect(|&choice| *last = Some((label, choice))),
                    ),
                }
            };
            let result = convert_each_row::<C>(&array, &choose, on_error)?;
            Ok(ColumnarValue::Array(result.map_err(error)?))
        }
    }
}

/// Returns the handling of failures, which must be the same for all rows.
fn constant_on_error<C: Conversion>(value: &ColumnarValue) -> Result<OnError<C::Repair>> {
    let name = match value {
        ColumnarValue::Scalar(scalar) => scalar.try_as_str().flatten(),
        ColumnarValue::Array(_) => {
            return exec_err!("{}: on_error is a column; it must be a constant", C::NAME);
        }
    };
    match name.map(OnError::from_name) {
        Some(Ok(on_error)) => Ok(on_error),
        Some(Err(message)) => exec_err!("{}: {message}", C::NAME),
        None => exec_err!("{}: on_error is NULL", C::NAME),
    }
}

/// The result of a conversion. The outer error is an error of DataFusion, the inner error is an
/// error in a row.
type ConversionResult = Result<Result<ArrayRef, TextErrorKind>>;

/// Converts all rows with the encoding that one label names.
fn convert_with_constant<C: Conversion>(
    array: &ArrayRef,
    encoding: &ScalarValue,
    on_error: OnError<C::Repair>,
) -> ConversionResult {
    let Some(label) = encoding.try_as_str().flatten() else {
        return Ok(Ok(new_null_array(&C::result_type(array.data_type()), array.len())));
    };
    match choice_from_label::<C>(label) {
        Ok(EncodingChoice::Named(encoding)) => Ok(C::convert(array, encoding, on_error)),
        Ok(EncodingChoice::Detected) => {
            convert_each_row::<C>(array, &|_| Some(Ok(EncodingChoice::Detected)), on_error)
        }
        Err(message) => exec_err!("{}: {message}", C::NAME),
    }
}

/// The encoding of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RowEncoding {
    encoding: Charset,
    /// True if the row begins with a byte order mark that is not part of the text.
    has_mark: bool,
}

/// The rows that have the same encoding.
struct Group {
    row_encoding: RowEncoding,
    rows: Vec<u64>,
}

/// Converts rows in different encodings, and converts all rows of an encoding at once. `choose`
/// returns the encoding that is named for a row, or `None` if the row becomes null.
fn convert_each_row<C: Conversion>(
    array: &ArrayRef,
    choose: &dyn Fn(usize) -> Option<Result<EncodingChoice, String>>,
    on_error: OnError<C::Repair>,
) -> ConversionResult {
    let (mut groups, mut failure) = (Vec::<Group>::new(), None);
    // For each row, its group, counted from 1, and its index in the group. Group 0 is one null.
    let mut group_and_index = vec![(0, 0); array.len()];
    let rows = match utflane_arrow::rows(array) {
        Ok(rows) => rows,
        Err(error) => return Ok(Err(error.into())),
    };
    for (row, bytes) in rows.enumerate() {
        let (Some(bytes), Some(choice)) = (bytes, choose(row)) else { continue };
        let row_encoding = match find_row_encoding(bytes, row, choice, on_error) {
            Ok(Some(row_encoding)) => row_encoding,
            Ok(None) => continue,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        let group = groups.iter().position(|group| group.row_encoding == row_encoding);
        let group = group.unwrap_or_else(|| {
            groups.push(Group { row_encoding, rows: Vec::new() });
            groups.len() - 1
        });
        group_and_index[row] = (group + 1, groups[group].rows.len());
        groups[group].rows.push(row as u64);
    }
    let mut results = vec![new_null_array(&C::result_type(array.data_type()), 1)];
    for group in groups {
        let indices = UInt64Array::from(group.rows);
        match C::convert(&take(array, &indices, None)?, group.row_encoding.encoding, on_error) {
            Ok(result) if group.row_encoding.has_mark => results.push(remove_mark(&result)?),
            Ok(result) => results.push(result),
            Err(error) => {
                let row = error.row().map_or(0, |row| indices.value(row) as usize);
                // Keeps the error of the first row among all groups.
                if failure.as_ref().and_then(TextErrorKind::row).is_none_or(|first| row < first) {
                    failure = Some(error.in_row(row));
                }
            }
        }
    }
    if let Some(failure) = failure {
        return Ok(Err(failure));
    }
    let results: Vec<&dyn Array> = results.iter().map(AsRef::as_ref).collect();
    Ok(Ok(interleave(&results, &group_and_index)?))
}

/// Removes the byte order mark (U+FEFF) with which each text begins.
fn remove_mark(texts: &ArrayRef) -> Result<ArrayRef> {
    let large = cast(texts, &DataType::LargeUtf8)?;
    Ok(cast(&substring(&large, '\u{FEFF}'.len_utf8() as i64, None)?, texts.data_type())?)
}

/// Finds the encoding of a row. Returns `None` if the row becomes null.
fn find_row_encoding<R>(
    bytes: &[u8],
    row: usize,
    choice: Result<EncodingChoice, String>,
    on_error: OnError<R>,
) -> Result<Option<RowEncoding>, TextErrorKind> {
    let encoding = match choice {
        Ok(EncodingChoice::Named(encoding)) => encoding,
        Ok(EncodingChoice::Detected) => {
            let found = detect_text(bytes, true);
            match (found.charset, found.mixture, on_error) {
                (Some(encoding), ..) => {
                    return Ok(Some(RowEncoding { encoding, has_mark: found.mark_len() > 0 }));
                }
                (None, _, OnError::Null) => return Ok(None),
                (None, Some(mixture), _) => return Err(TextErrorKind::Mixed { row, mixture }),
                (None, None, OnError::Error) => return Err(TextErrorKind::Binary { row }),
                (None, None, OnError::Repair(_)) => closest_to_binary(bytes),
            }
        }
        Err(message) => return Err(TextErrorKind::Encoding { row, message }),
    };
    Ok(Some(RowEncoding { encoding, has_mark: false }))
}

/// Replaces constant names with their canonical names, so that equal calls compare equal.
pub(super) fn simplify<C: Conversion>(
    arguments: Vec<Expr>,
    _context: &SimplifyContext,
) -> Result<ExprSimplifyResult> {
    let plan_error = |message| plan_datafusion_err!("{}: {message}", C::NAME);
    let label = |expression: &Expr| match expression {
        Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
        _ => None,
    };
    let mut simplified = arguments.clone();
    if let Some(name) = arguments.get(1).and_then(label) {
        let canonical = choice_from_label::<C>(&name).map_err(plan_error)?.name();
        if canonical != name {
            simplified[1] = lit(canonical);
        }
    }
    if let Some(name) = arguments.get(2).and_then(label) {
        let on_error = OnError::<C::Repair>::from_name(&name).map_err(plan_error)?;
        if on_error == OnError::Error {
            simplified.truncate(2);
        } else if on_error.name() != name {
            simplified[2] = lit(on_error.name());
        }
    }
    if simplified == arguments {
        return Ok(ExprSimplifyResult::Original(arguments));
    }
    Ok(ExprSimplifyResult::Simplified(C::function().call(simplified)))
}
