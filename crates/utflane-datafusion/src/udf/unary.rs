//! The common code of the functions of one argument.

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
    /// The SQL name of the function.
    const NAME: &'static str;
    /// The values that the function accepts.
    const INPUT: Input;

    /// Returns the documentation of the SQL function.
    fn sql_documentation() -> &'static Documentation;

    /// Returns the type of the result for an argument of the type `data_type`.
    fn result_type(data_type: &DataType) -> DataType;

    /// Returns true if the result may be null.
    fn is_nullable(argument: &Field) -> bool {
        argument.is_nullable()
    }

    /// Returns the result for each row of the argument.
    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error>;

    /// Returns a simpler expression with the same results as a call, or `None` if there is none.
    fn simplify_call(_argument: &Expr, _context: &SimplifyContext) -> Result<Option<Expr>> {
        Ok(None)
    }
}

/// Returns the type of the argument after coercion.
pub(super) fn coerce_types<F: Unary>(arg_types: &[DataType]) -> Result<Vec<DataType>> {
    match arg_types {
        [data_type] => Ok(vec![F::INPUT.coerce(F::NAME, data_type)?]),
        _ => plan_err!("{} takes one argument, got {}", F::NAME, arg_types.len()),
    }
}

/// Returns the field of the result.
pub(super) fn return_field<F: Unary>(arguments: &ReturnFieldArgs<'_>) -> Result<FieldRef> {
    let [argument] = take_function_args(F::NAME, arguments.arg_fields)?;
    let result_type = F::result_type(argument.data_type());
    Ok(Arc::new(Field::new(F::NAME, result_type, F::is_nullable(argument))))
}

/// Calls the function. A scalar argument gives a scalar result.
pub(super) fn invoke<F: Unary>(arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let [argument] = take_function_args(F::NAME, arguments.args)?;
    let evaluate = |array| {
        F::evaluate(array).map_err(|error| TextError::new(F::NAME, TextErrorKind::from(error)))
    };
    Ok(match argument {
        ColumnarValue::Array(array) => ColumnarValue::Array(evaluate(&array)?),
        ColumnarValue::Scalar(scalar) => {
            let result = evaluate(&scalar.to_array()?)?;
            ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
        }
    })
}

/// Simplifies a call if the function has a simpler expression.
pub(super) fn simplify<F: Unary>(
    arguments: Vec<Expr>,
    context: &SimplifyContext,
) -> Result<ExprSimplifyResult> {
    if let [argument] = &arguments[..]
        && let Some(expression) = F::simplify_call(argument, context)?
    {
        return Ok(ExprSimplifyResult::Simplified(expression));
    }
    Ok(ExprSimplifyResult::Original(arguments))
}

/// Builds the documentation of a function of one argument. `argument` is its name and description.
pub(super) fn build_documentation(
    syntax: &str,
    description: &str,
    argument: (&str, &str),
    example: &str,
    related: &[&str],
) -> Documentation {
    let builder = Documentation::builder(SECTION, description, syntax)
        .with_argument(argument.0, argument.1)
        .with_sql_example(example);
    related.iter().fold(builder, |builder, &name| builder.with_related_udf(name)).build()
}
