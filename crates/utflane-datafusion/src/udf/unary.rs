//! Functions of one argument.

use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs,
};

use super::SECTION;
use crate::error::{TextError, TextErrorKind};
use crate::kinds::Input;

/// A function of one argument.
pub(super) trait Unary {
    /// The name.
    const NAME: &'static str;
    /// The values that it takes.
    const INPUT: Input;

    /// Returns the documentation.
    fn described() -> &'static Documentation;

    /// Returns the type of the result for an argument of this type.
    fn result(kind: &DataType) -> DataType;

    /// Returns true if the result may be null.
    fn is_nullable(argument: &Field) -> bool {
        argument.is_nullable()
    }

    /// Calls the function.
    fn run(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error>;

    /// Returns an expression with the same results, if there is a simpler one.
    fn simpler(_argument: &Expr, _context: &SimplifyContext) -> Result<Option<Expr>> {
        Ok(None)
    }
}

/// The type of the argument, after coercion.
pub(super) fn coerced<F: Unary>(kinds: &[DataType]) -> Result<Vec<DataType>> {
    match kinds {
        [kind] => Ok(vec![F::INPUT.coerced(F::NAME, kind)?]),
        _ => plan_err!("{} takes one argument, got {}", F::NAME, kinds.len()),
    }
}

/// The field of the result.
pub(super) fn field<F: Unary>(arguments: &ReturnFieldArgs<'_>) -> Result<FieldRef> {
    let [argument] = take_function_args(F::NAME, arguments.arg_fields)?;
    let kind = F::result(argument.data_type());
    Ok(Arc::new(Field::new(F::NAME, kind, F::is_nullable(argument))))
}

/// Calls the function. A scalar stays one.
pub(super) fn invoke<F: Unary>(arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let [argument] = take_function_args(F::NAME, arguments.args)?;
    let run =
        |array| F::run(array).map_err(|error| TextError::new(F::NAME, TextErrorKind::from(error)));
    Ok(match argument {
        ColumnarValue::Array(array) => ColumnarValue::Array(run(&array)?),
        ColumnarValue::Scalar(scalar) => {
            let result = run(&scalar.to_array()?)?;
            ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
        }
    })
}

/// Simplifies a call.
pub(super) fn simplify<F: Unary>(
    arguments: Vec<Expr>,
    context: &SimplifyContext,
) -> Result<ExprSimplifyResult> {
    if let [argument] = &arguments[..]
        && let Some(expression) = F::simpler(argument, context)?
    {
        return Ok(ExprSimplifyResult::Simplified(expression));
    }
    Ok(ExprSimplifyResult::Original(arguments))
}

/// Returns the documentation of a function of one argument.
pub(super) fn documentation(
    syntax: &str,
    description: &str,
    argument: (&str, &str),
    example: &str,
    related: &[&str],
) -> Documentation {
    let documentation = Documentation::builder(SECTION, description, syntax)
        .with_argument(argument.0, argument.1)
        .with_sql_example(example);
    related.iter().fold(documentation, |all, &name| all.with_related_udf(name)).build()
}
