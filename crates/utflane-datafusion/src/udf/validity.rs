//! Validates values as UTF-8, and converts them to text. An ill-formed value is repaired, becomes
//! null, or is an error.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, new_null_array};
use datafusion::arrow::buffer::BooleanBuffer;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Documentation, Expr, lit};
use utflane::Repair;
use utflane_arrow::{OnFailure, error_fields, errors, is_valid, to_utf8};

use super::function::scalar_udf;
use super::unary::{Unary, build_documentation};
use crate::kinds::{Input, is_text, text_type};

/// `is_valid_utf8(value)`: see [`is_valid_utf8`](super::is_valid_utf8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IsValidUtf8;

/// `make_valid_utf8(value)`: see [`make_valid_utf8`](super::make_valid_utf8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MakeValidUtf8;

/// `validate_utf8(value)`: see [`validate_utf8`](super::validate_utf8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValidateUtf8;

/// `try_validate_utf8(value)`: see [`try_validate_utf8`](super::try_validate_utf8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TryValidateUtf8;

/// `utf8_error(value)`: see [`utf8_error`](super::utf8_error).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Utf8Error;

scalar_udf!(unary: IsValidUtf8, MakeValidUtf8, ValidateUtf8, TryValidateUtf8, Utf8Error);

/// The name and the description of the argument of these functions.
const VALUE_ARGUMENT: (&str, &str) = ("value", "Binary, text, or a dictionary of either.");

impl Unary for IsValidUtf8 {
    const NAME: &'static str = "is_valid_utf8";
    const INPUT: Input = Input::Bytes;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "is_valid_utf8(value)",
                "Returns true if a value is well-formed UTF-8.",
                VALUE_ARGUMENT,
                r"```sql
> SELECT is_valid_utf8(x'636166C3A9') AS whole, is_valid_utf8(x'636166C3') AS cut;
+-------+-------+
| whole | cut   |
+-------+-------+
| true  | false |
+-------+-------+
```",
                &["validate_utf8", "utf8_error"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(_data_type: &DataType) -> DataType {
        DataType::Boolean
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        Ok(Arc::new(match is_text(array.data_type()) {
            true => BooleanArray::new(BooleanBuffer::new_set(array.len()), array.logical_nulls()),
            false => is_valid(array)?,
        }))
    }

    fn simplify_call(argument: &Expr, context: &SimplifyContext) -> Result<Option<Expr>> {
        let is_true = is_text(&context.get_data_type(argument)?) && !context.nullable(argument)?;
        Ok(is_true.then(|| lit(true)))
    }
}

/// Returns the argument if it is text: the result is then equal to the argument.
fn simplify_to_argument(argument: &Expr, context: &SimplifyContext) -> Result<Option<Expr>> {
    Ok(is_text(&context.get_data_type(argument)?).then(|| argument.clone()))
}

/// Converts an array to text. Does not copy the values if all of them are well-formed.
fn convert_to_text(
    array: &ArrayRef,
    on_failure: OnFailure,
) -> Result<ArrayRef, utflane_arrow::Error> {
    if is_text(array.data_type()) { Ok(Arc::clone(array)) } else { to_utf8(array, on_failure) }
}

impl Unary for MakeValidUtf8 {
    const NAME: &'static str = "make_valid_utf8";
    const INPUT: Input = Input::Bytes;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "make_valid_utf8(value)",
                "Returns a value as text, with U+FFFD instead of each ill-formed sequence. \
                 decode_text offers other repairs.",
                VALUE_ARGUMENT,
                r"```sql
> SELECT make_valid_utf8(x'636166E9') AS repaired;
+----------+
| repaired |
+----------+
| caf�     |
+----------+
```",
                &["decode_text", "validate_utf8", "try_validate_utf8"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(data_type: &DataType) -> DataType {
        text_type(data_type)
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        convert_to_text(array, OnFailure::Repair(Repair::REPLACE))
    }

    fn simplify_call(argument: &Expr, context: &SimplifyContext) -> Result<Option<Expr>> {
        simplify_to_argument(argument, context)
    }
}

impl Unary for ValidateUtf8 {
    const NAME: &'static str = "validate_utf8";
    const INPUT: Input = Input::Bytes;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "validate_utf8(value)",
                "Returns a value as text. The query fails at the first value that is not \
                 well-formed UTF-8. The message names the row in the batch and the offset in the \
                 value.",
                VALUE_ARGUMENT,
                r"```sql
> SELECT validate_utf8(x'636166C3A9') AS text;
+------+
| text |
+------+
| café |
+------+
```",
                &["try_validate_utf8", "make_valid_utf8", "utf8_error"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(data_type: &DataType) -> DataType {
        text_type(data_type)
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        convert_to_text(array, OnFailure::Error)
    }

    fn simplify_call(argument: &Expr, context: &SimplifyContext) -> Result<Option<Expr>> {
        simplify_to_argument(argument, context)
    }
}

impl Unary for TryValidateUtf8 {
    const NAME: &'static str = "try_validate_utf8";
    const INPUT: Input = Input::Bytes;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "try_validate_utf8(value)",
                "Returns a value as text, or NULL if it is not well-formed UTF-8.",
                VALUE_ARGUMENT,
                r"```sql
> SELECT try_validate_utf8(x'636166C3A9') AS text, try_validate_utf8(x'636166E9') AS none;
+------+------+
| text | none |
+------+------+
| café |      |
+------+------+
```",
                &["validate_utf8", "make_valid_utf8", "is_valid_utf8"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(data_type: &DataType) -> DataType {
        text_type(data_type)
    }

    fn is_nullable(argument: &Field) -> bool {
        argument.is_nullable() || !is_text(argument.data_type())
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        convert_to_text(array, OnFailure::Null)
    }

    fn simplify_call(argument: &Expr, context: &SimplifyContext) -> Result<Option<Expr>> {
        simplify_to_argument(argument, context)
    }
}

impl Unary for Utf8Error {
    const NAME: &'static str = "utf8_error";
    const INPUT: Input = Input::Bytes;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "utf8_error(value)",
                "Returns the first error of a value, or NULL if the value is well-formed UTF-8. \
                 The error is a struct of `offset`, the number of bytes before the ill-formed \
                 sequence, `length`, the length of the sequence in bytes, and `kind`, one of: \
                 invalid lead byte, sequence too short, stray continuation byte, overlong \
                 sequence, unpaired surrogate, value too large.",
                VALUE_ARGUMENT,
                r"```sql
> SELECT utf8_error(x'636166C0AF') AS error, utf8_error(x'636166C0AF')['offset'] AS place;
+-------------------------------------------------+-------+
| error                                           | place |
+-------------------------------------------------+-------+
| {offset: 3, length: 1, kind: overlong sequence} | 3     |
+-------------------------------------------------+-------+
```",
                &["is_valid_utf8", "validate_utf8"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(_data_type: &DataType) -> DataType {
        DataType::Struct(error_fields())
    }

    fn is_nullable(_argument: &Field) -> bool {
        true
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        if is_text(array.data_type()) {
            return Ok(new_null_array(&Self::result_type(array.data_type()), array.len()));
        }
        Ok(Arc::new(errors(array)?))
    }
}
