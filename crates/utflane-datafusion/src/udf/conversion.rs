//! Functions that take an encoding: their arguments, and the encoding of each row.

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
use utflane::detect;
use utflane_charset::{Charset, detect_text};

use crate::encoding::{Choice, NamedRepair, OnError};
use crate::error::{TextError, TextErrorKind};
use crate::kinds::Input;

/// A function of a value, an encoding, and perhaps the handling of failures.
pub(super) trait Conversion {
    /// The name.
    const NAME: &'static str;
    /// The values that it takes.
    const INPUT: Input;
    /// True if `auto` is an encoding.
    const DETECTS: bool;
    /// The repairs.
    type Repair: NamedRepair;

    /// Returns the function itself.
    fn function() -> Arc<ScalarUDF>;

    /// Returns the documentation.
    fn described() -> &'static Documentation;

    /// Returns the type of the result.
    fn result(kind: &DataType) -> DataType;

    /// Converts all rows. The result is of the type above.
    fn convert(
        array: &ArrayRef,
        encoding: Charset,
        on_error: OnError<Self::Repair>,
    ) -> Result<ArrayRef, TextErrorKind>;
}

/// Returns the encoding of a label.
fn choice<C: Conversion>(label: &str) -> Result<Choice, String> {
    match C::DETECTS {
        true => Choice::from_label(label),
        false => Choice::named(label),
    }
}

/// The types of the arguments, after coercion.
pub(super) fn coerced<C: Conversion>(kinds: &[DataType]) -> Result<Vec<DataType>> {
    let [value, names @ ..] = kinds else { return wrong_number::<C, _>(kinds.len()) };
    if !(1..=2).contains(&names.len()) {
        return wrong_number::<C, _>(kinds.len());
    }
    let mut all = vec![C::INPUT.coerced(C::NAME, value)?];
    for (kind, name) in names.iter().zip(["encoding", "on_error"]) {
        let is_text = match kind {
            DataType::Dictionary(_, value) => value.is_string(),
            kind => kind.is_string() || kind.is_null(),
        };
        if !is_text {
            return plan_err!("{name} of {} is text, not {kind}", C::NAME);
        }
        all.push(DataType::Utf8);
    }
    Ok(all)
}

/// The error of too few or too many arguments.
fn wrong_number<C: Conversion, T>(number: usize) -> Result<T> {
    plan_err!("{} takes a value, an encoding, and perhaps on_error; got {number}", C::NAME)
}

/// The field of the result. Constants are checked here, so that a wrong name is an error of the
/// plan.
pub(super) fn field<C: Conversion>(arguments: &ReturnFieldArgs<'_>) -> Result<FieldRef> {
    let [value, names @ ..] = arguments.arg_fields else { return wrong_number::<C, _>(0) };
    let constant = |at: usize| arguments.scalar_arguments.get(at).copied().flatten();
    let plan_error = |message| plan_datafusion_err!("{}: {message}", C::NAME);
    if let Some(Some(label)) = constant(1).and_then(ScalarValue::try_as_str) {
        choice::<C>(label).map_err(plan_error)?;
    }
    let mut on_error = OnError::<C::Repair>::Error;
    match constant(2).map(ScalarValue::try_as_str) {
        Some(Some(Some(name))) => on_error = OnError::from_name(name).map_err(plan_error)?,
        Some(_) => return plan_err!("{}: on_error is NULL", C::NAME),
        // Not a literal: perhaps a parameter of a prepared statement.
        None if names.len() > 1 => on_error = OnError::Null,
        None => {}
    }
    let is_nullable = value.is_nullable()
        || names.iter().any(|name| name.is_nullable())
        || on_error == OnError::Null;
    Ok(Arc::new(Field::new(C::NAME, C::result(value.data_type()), is_nullable)))
}

/// Calls the function. Scalars stay scalars.
pub(super) fn invoke<C: Conversion>(arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let rows = arguments.number_rows;
    let (value, encoding, on_error) = match &arguments.args[..] {
        [value, encoding] => (value, encoding, OnError::Error),
        [value, encoding, on_error] => (value, encoding, constant_on_error::<C>(on_error)?),
        all => return wrong_number::<C, _>(all.len()),
    };
    let error = |kind| TextError::new(C::NAME, kind);
    match (value, encoding) {
        (ColumnarValue::Scalar(value), ColumnarValue::Scalar(encoding)) => {
            let result = with_constant::<C>(&value.to_array()?, encoding, on_error)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result.map_err(error)?, 0)?))
        }
        (ColumnarValue::Array(array), ColumnarValue::Scalar(encoding)) => {
            let result = with_constant::<C>(array, encoding, on_error)?;
            Ok(ColumnarValue::Array(result.map_err(error)?))
        }
        (value, ColumnarValue::Array(labels)) => {
            let (array, labels) = (value.to_array(rows)?, as_string_array(labels)?);
            // Equal labels often follow each other.
            let last = RefCell::new(None);
            let chosen = |row| {
                let label = labels.is_valid(row).then(|| labels.value(row))?;
                let mut last = last.borrow_mut();
                match &*last {
                    Some((known, found)) if *known == label => Some(Ok(*found)),
                    _ => Some(choice::<C>(label).inspect(|&found| *last = Some((label, found)))),
                }
            };
            Ok(ColumnarValue::Array(each_row::<C>(&array, &chosen, on_error)?.map_err(error)?))
        }
    }
}

/// The handling of failures, which is the same for all rows.
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

/// The result of a call that fails in a row, or for a reason of DataFusion's.
type Rows = Result<Result<ArrayRef, TextErrorKind>>;

/// Converts all rows with one name of an encoding, which is looked up once.
fn with_constant<C: Conversion>(
    array: &ArrayRef,
    encoding: &ScalarValue,
    on_error: OnError<C::Repair>,
) -> Rows {
    let Some(label) = encoding.try_as_str().flatten() else {
        return Ok(Ok(new_null_array(&C::result(array.data_type()), array.len())));
    };
    match choice::<C>(label) {
        Ok(Choice::Named(encoding)) => Ok(C::convert(array, encoding, on_error)),
        Ok(Choice::Detected) => each_row::<C>(array, &|_| Some(Ok(Choice::Detected)), on_error),
        Err(message) => exec_err!("{}: {message}", C::NAME),
    }
}

/// How a row is read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reading {
    encoding: Charset,
    /// True if it begins with a byte order mark that is no part of the text.
    marked: bool,
}

/// The rows that are read alike.
struct Group {
    reading: Reading,
    rows: Vec<u64>,
}

/// Converts rows in different encodings: all rows of an encoding at once.
fn each_row<C: Conversion>(
    array: &ArrayRef,
    chosen: &dyn Fn(usize) -> Option<Result<Choice, String>>,
    on_error: OnError<C::Repair>,
) -> Rows {
    let (mut groups, mut failure) = (Vec::<Group>::new(), None);
    // The group of each row, from 1, and its index there. Group 0 is a null.
    let mut places = vec![(0, 0); array.len()];
    let rows = match utflane_arrow::rows(array) {
        Ok(rows) => rows,
        Err(error) => return Ok(Err(error.into())),
    };
    for (row, bytes) in rows.enumerate() {
        let (Some(bytes), Some(choice)) = (bytes, chosen(row)) else { continue };
        let reading = match reading_of_row(bytes, row, choice, on_error) {
            Ok(Some(reading)) => reading,
            Ok(None) => continue,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        let at = groups.iter().position(|group| group.reading == reading);
        let at = at.unwrap_or_else(|| {
            groups.push(Group { reading, rows: Vec::new() });
            groups.len() - 1
        });
        places[row] = (at + 1, groups[at].rows.len());
        groups[at].rows.push(row as u64);
    }
    let mut parts = vec![new_null_array(&C::result(array.data_type()), 1)];
    for group in groups {
        let indices = UInt64Array::from(group.rows);
        match C::convert(&take(array, &indices, None)?, group.reading.encoding, on_error) {
            Ok(part) if group.reading.marked => parts.push(without_mark(&part)?),
            Ok(part) => parts.push(part),
            Err(error) => {
                let row = error.row().map_or(0, |row| indices.value(row) as usize);
                // The first row of all groups.
                if failure.as_ref().and_then(TextErrorKind::row).is_none_or(|first| row < first) {
                    failure = Some(error.in_row(row));
                }
            }
        }
    }
    if let Some(failure) = failure {
        return Ok(Err(failure));
    }
    let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
    Ok(Ok(interleave(&parts, &places)?))
}

/// The texts without the character that each begins with, a byte order mark in UTF-8.
fn without_mark(texts: &ArrayRef) -> Result<ArrayRef> {
    let plain = cast(texts, &DataType::LargeUtf8)?;
    Ok(cast(&substring(&plain, '\u{FEFF}'.len_utf8() as i64, None)?, texts.data_type())?)
}

/// How a row is read; `None` if it becomes null.
fn reading_of_row<R>(
    bytes: &[u8],
    row: usize,
    choice: Result<Choice, String>,
    on_error: OnError<R>,
) -> Result<Option<Reading>, TextErrorKind> {
    let encoding = match choice {
        Ok(Choice::Named(encoding)) => encoding,
        Ok(Choice::Detected) => {
            let found = detect_text(bytes, true);
            match (found.charset, found.mixture, on_error) {
                (Some(encoding), ..) => {
                    return Ok(Some(Reading { encoding, marked: found.mark_len() > 0 }));
                }
                (None, _, OnError::Null) => return Ok(None),
                (None, Some(mixture), _) => return Err(TextErrorKind::Mixed { row, mixture }),
                (None, None, OnError::Error) => return Err(TextErrorKind::Binary { row }),
                (None, None, OnError::Repair(_)) => {
                    Charset::Scheme(detect::detect(bytes).closest())
                }
            }
        }
        Err(message) => return Err(TextErrorKind::Encoding { row, message }),
    };
    Ok(Some(Reading { encoding, marked: false }))
}

/// Writes constants by their usual names, so that equal calls are found to be equal.
pub(super) fn simplify<C: Conversion>(
    arguments: Vec<Expr>,
    _context: &SimplifyContext,
) -> Result<ExprSimplifyResult> {
    let plan_error = |message| plan_datafusion_err!("{}: {message}", C::NAME);
    let label = |expression: &Expr| match expression {
        Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
        _ => None,
    };
    let mut simpler = arguments.clone();
    if let Some(name) = arguments.get(1).and_then(label) {
        let usual = choice::<C>(&name).map_err(plan_error)?.name();
        if usual != name {
            simpler[1] = lit(usual);
        }
    }
    if let Some(name) = arguments.get(2).and_then(label) {
        let on_error = OnError::<C::Repair>::from_name(&name).map_err(plan_error)?;
        if on_error == OnError::Error {
            simpler.truncate(2);
        } else if on_error.name() != name {
            simpler[2] = lit(on_error.name());
        }
    }
    if simpler == arguments {
        return Ok(ExprSimplifyResult::Original(arguments));
    }
    Ok(ExprSimplifyResult::Simplified(C::function().call(simpler)))
}
