//! Implements DataFusion's trait `ScalarUDFImpl` for the functions.

/// Implements `ScalarUDFImpl` for the types. `$shape` is the module with their common code: `unary`
/// or `conversion`.
macro_rules! scalar_udf {
    ($shape:ident: $($type:ident),*) => {$(
        impl datafusion::logical_expr::ScalarUDFImpl for $type {
            fn name(&self) -> &str {
                Self::NAME
            }

            fn signature(&self) -> &datafusion::logical_expr::Signature {
                &$crate::udf::SIGNATURE
            }

            fn coerce_types(
                &self,
                arg_types: &[datafusion::arrow::datatypes::DataType],
            ) -> datafusion::common::Result<Vec<datafusion::arrow::datatypes::DataType>> {
                $crate::udf::$shape::coerce_types::<Self>(arg_types)
            }

            fn return_type(
                &self,
                arg_types: &[datafusion::arrow::datatypes::DataType],
            ) -> datafusion::common::Result<datafusion::arrow::datatypes::DataType> {
                let arg_types = $crate::udf::$shape::coerce_types::<Self>(arg_types)?;
                Ok(Self::result_type(&arg_types[0]))
            }

            fn return_field_from_args(
                &self,
                arguments: datafusion::logical_expr::ReturnFieldArgs<'_>,
            ) -> datafusion::common::Result<datafusion::arrow::datatypes::FieldRef> {
                $crate::udf::$shape::return_field::<Self>(&arguments)
            }

            fn invoke_with_args(
                &self,
                arguments: datafusion::logical_expr::ScalarFunctionArgs,
            ) -> datafusion::common::Result<datafusion::logical_expr::ColumnarValue> {
                $crate::udf::$shape::invoke::<Self>(arguments)
            }

            fn simplify(
                &self,
                arguments: Vec<datafusion::logical_expr::Expr>,
                context: &datafusion::logical_expr::simplify::SimplifyContext,
            ) -> datafusion::common::Result<
                datafusion::logical_expr::simplify::ExprSimplifyResult,
            > {
                $crate::udf::$shape::simplify::<Self>(arguments, context)
            }

            fn is_strict(&self) -> bool {
                true
            }

            fn documentation(&self) -> Option<&datafusion::logical_expr::Documentation> {
                Some(Self::sql_documentation())
            }
        }
    )*};
}
pub(super) use scalar_udf;
