//! Tests how calls are planned: wrong arguments, simplification, types, nullability and names. Also
//! tests the errors of queries.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::Volatility;
use datafusion::prelude::{SessionContext, col, lit};
use utflane_datafusion::{TextError, TextErrorKind, expr_fn, register_all, udf};

fn context() -> SessionContext {
    let mut context = SessionContext::new();
    register_all(&mut context).expect("the registry accepts the functions");
    context
}

/// Plans a query that must fail, and returns the message of the error.
async fn plan_error(query: &str) -> String {
    let error = context().sql(query).await.map(drop).expect_err(query);
    assert!(!matches!(error.find_root(), DataFusionError::Internal(_)), "{error}");
    error.to_string()
}

/// Returns the optimised plan of a query, as text.
async fn optimized_plan(context: &SessionContext, query: &str) -> String {
    let frame = context.sql(query).await.expect(query);
    frame.into_optimized_plan().expect(query).to_string()
}

/// Runs a query that must fail, and returns the `TextError` inside the error of DataFusion.
async fn text_error(query: &str) -> TextError {
    let error = context().sql(query).await.expect(query).collect().await.expect_err(query);
    TextError::find(&error).unwrap_or_else(|| panic!("{error}")).clone()
}

#[tokio::test]
async fn wrong_names_fail_at_planning() {
    let error = plan_error("SELECT decode_text(x'61', 'ebcdic')").await;
    assert!(
        error.contains(
            "decode_text: 'ebcdic' is not a known encoding; the known encodings are utf-8, "
        ),
        "{error}"
    );
    assert!(error.contains("windows-1252") && error.contains("or auto"), "{error}");
    let error = plan_error("SELECT decode_text(x'61', 'utf-16')").await;
    assert!(error.contains("name utf-16le or utf-16be"), "{error}");
    let error = plan_error("SELECT encode_text('a', 'auto')").await;
    assert!(
        error.contains("'auto' is not a known encoding") && !error.contains("or auto"),
        "{error}"
    );
    let error = plan_error("SELECT decode_text(x'61', 'utf-8', 'ignore')").await;
    assert!(
        error.contains("unknown on_error 'ignore'; the known values are error, null, replace"),
        "{error}"
    );
    let error = plan_error("SELECT encode_text('a', 'latin1', 'replace-runs')").await;
    assert!(
        error.contains("the known values are error, null, replace, skip, numeric-reference"),
        "{error}"
    );
    let error = plan_error("SELECT decode_text(x'61', 'utf-8', NULL)").await;
    assert!(error.contains("on_error is NULL"), "{error}");
}

#[tokio::test]
async fn wrong_types_fail_at_planning() {
    let error = plan_error("SELECT is_valid_utf8(1)").await;
    assert!(error.contains("is_valid_utf8 takes binary or text, not Int64"), "{error}");
    let error = plan_error("SELECT utf16_length(x'61')").await;
    assert!(error.contains("utf16_length takes text, not Binary: make_valid_utf8"), "{error}");
    let error = plan_error("SELECT fix_mojibake(make_array('a'))").await;
    assert!(error.contains("fix_mojibake takes text"), "{error}");
    let error = plan_error("SELECT decode_text(x'61', 8)").await;
    assert!(
        error.contains("the argument encoding of decode_text must be text, not Int64"),
        "{error}"
    );
    for query in [
        "SELECT is_valid_utf8()",
        "SELECT is_valid_utf8(x'61', x'61')",
        "SELECT decode_text(x'61')",
        "SELECT decode_text(x'61', 'utf-8', 'null', 'null')",
    ] {
        let error = plan_error(query).await;
        assert!(error.contains("takes") || error.contains("argument"), "{query}: {error}");
    }
}

#[tokio::test]
async fn on_error_must_be_a_constant() {
    let query = "SELECT decode_text(b, 'utf-8', e)
                 FROM (VALUES (x'61', 'null'), (x'62', 'skip')) AS t(b, e)";
    let frame = context().sql(query).await.expect("the query is planned");
    let error = frame.collect().await.unwrap_err().to_string();
    assert!(error.contains("on_error is a column; it must be a constant"), "{error}");
    let query = "SELECT decode_text(b, $1, $2) FROM (VALUES (x'61'), (x'E9')) AS t(b)";
    let frame = context().sql(query).await.expect("the query is planned");
    let frame =
        frame.with_param_values(vec![scalar_text("utf-8"), scalar_text("replace")]).unwrap();
    assert_eq!(frame.collect().await.expect("the query runs")[0].num_rows(), 2);
}

fn scalar_text(text: &str) -> datafusion::common::ScalarValue {
    text.into()
}

#[tokio::test]
async fn calls_are_simplified() {
    let context = context();
    let table = "(VALUES ('a', x'61'), ('b', x'62')) AS t(s, b)";
    // If the argument is text, the call is replaced by the argument.
    let query = format!("SELECT make_valid_utf8(s), try_validate_utf8(s) FROM {table}");
    let plan = optimized_plan(&context, &query).await;
    let columns = "t.s AS make_valid_utf8(t.s), t.s AS try_validate_utf8(t.s)\n";
    assert!(plan.starts_with("Projection: t.s AS") && plan.contains(columns), "{plan}");
    let constant = optimized_plan(&context, "SELECT is_valid_utf8('a') AS c").await;
    assert!(constant.contains("Boolean(true)"), "{constant}");
    // Two equal calls become one call.
    let query = format!(
        "SELECT decode_text(b, 'UTF8', 'ERROR') AS a, decode_text(b, 'utf-8') AS c FROM {table}"
    );
    let plan = optimized_plan(&context, &query).await;
    assert_eq!(plan.matches("decode_text(").count(), 1, "{plan}");
    let batches = context.sql(&query).await.unwrap().collect().await.unwrap();
    assert_eq!(batches[0].column(0), batches[0].column(1));
}

#[test]
fn types_and_nullability() -> Result<()> {
    use datafusion::arrow::datatypes::{Field, Schema};
    use datafusion::common::DFSchema;
    use datafusion::logical_expr::ExprSchemable;
    let dictionary = |value| DataType::Dictionary(Box::new(DataType::Int8), Box::new(value));
    for (data_type, text_type, binary_type) in [
        (DataType::Binary, DataType::Utf8, DataType::Binary),
        (DataType::FixedSizeBinary(2), DataType::Utf8, DataType::Binary),
        (DataType::LargeBinary, DataType::LargeUtf8, DataType::LargeBinary),
        (DataType::BinaryView, DataType::Utf8View, DataType::BinaryView),
        (DataType::Utf8, DataType::Utf8, DataType::Binary),
        (DataType::LargeUtf8, DataType::LargeUtf8, DataType::LargeBinary),
        (DataType::Utf8View, DataType::Utf8View, DataType::BinaryView),
        (
            dictionary(DataType::LargeBinary),
            dictionary(DataType::LargeUtf8),
            dictionary(DataType::LargeBinary),
        ),
    ] {
        let is_text = data_type == text_type;
        let schema = Schema::new(vec![Field::new("c", data_type, false)]);
        let schema = DFSchema::try_from(schema)?;
        let type_and_nullability = |expression: datafusion::logical_expr::Expr| -> Result<_> {
            Ok((expression.get_type(&schema)?, expression.nullable(&schema)?))
        };
        assert_eq!(
            type_and_nullability(expr_fn::is_valid_utf8(col("c")))?,
            (DataType::Boolean, false)
        );
        assert_eq!(
            type_and_nullability(expr_fn::make_valid_utf8(col("c")))?,
            (text_type.clone(), false)
        );
        assert_eq!(
            type_and_nullability(expr_fn::validate_utf8(col("c")))?,
            (text_type.clone(), false)
        );
        assert_eq!(
            type_and_nullability(expr_fn::try_validate_utf8(col("c")))?,
            (text_type.clone(), !is_text)
        );
        let strict = expr_fn::decode_text(col("c"), lit("utf-16le"), None);
        assert_eq!(type_and_nullability(strict)?, (text_type.clone(), false));
        let null = expr_fn::decode_text(col("c"), lit("utf-16le"), Some(lit("null")));
        assert_eq!(type_and_nullability(null)?, (text_type.clone(), true));
        if is_text {
            let encoded = expr_fn::encode_text(col("c"), lit("utf-16le"), None);
            assert_eq!(type_and_nullability(encoded)?, (binary_type, false));
            assert_eq!(
                type_and_nullability(expr_fn::utf16_length(col("c")))?,
                (DataType::Int64, false)
            );
        }
        assert_eq!(
            type_and_nullability(expr_fn::detect_encoding(col("c")))?,
            (DataType::Utf8, false)
        );
        assert!(type_and_nullability(expr_fn::utf8_error(col("c")))?.1);
    }
    Ok(())
}

#[tokio::test]
async fn errors_name_the_function_the_row_and_the_offset() {
    let rows = "FROM (VALUES (x'61'), (NULL), (x'62FF'), (x'FF')) AS t(b)";
    let error = text_error(&format!("SELECT validate_utf8(b) {rows}")).await;
    assert_eq!((error.function(), error.row()), ("validate_utf8", Some(2)));
    assert_eq!(
        error.to_string(),
        "validate_utf8: row 2: invalid utf-8 sequence of 1 bytes from index 1"
    );
    let error = text_error(&format!("SELECT decode_text(b, 'ascii') {rows}")).await;
    assert!(matches!(error.kind(), TextErrorKind::Array(_)) && error.row() == Some(2));
    let error = text_error(
        "SELECT decode_text(b, 'windows-1253') FROM (VALUES (x'61'), (x'61D2')) AS t(b)",
    )
    .await;
    assert_eq!(error.to_string(), "decode_text: row 1: invalid windows-1253 sequence from index 1");
    let error =
        text_error("SELECT encode_text(s, 'windows-1252') FROM (VALUES ('a'), ('a漢')) AS t(s)")
            .await;
    assert_eq!(error.to_string(), "encode_text: row 1: U+6F22 at index 1 is not in windows-1252");
    let error =
        text_error("SELECT encode_text(s, 'cp037') FROM (VALUES ('a'), ('a漢')) AS t(s)").await;
    assert_eq!(error.to_string(), "encode_text: row 1: U+6F22 at index 1 is not in cp037");
    // The first ill-formed row is reported, whatever its encoding and the kind of error.
    let error = text_error(
        "SELECT decode_text(b, e) FROM (VALUES (x'61', 'utf-8'), (x'61', 'utf-16le'),
         (x'FF', 'utf-8'), (x'61', 'none')) AS t(b, e)",
    )
    .await;
    assert_eq!(error.row(), Some(1));
    let error = text_error(
        "SELECT decode_text(b, e) FROM (VALUES (x'61', 'utf-8'), (x'61', 'none')) AS t(b, e)",
    )
    .await;
    assert!(error.to_string().starts_with("decode_text: row 1: 'none' is not a known encoding"));
    let error = text_error("SELECT decode_text(x'0001020304050607', 'auto')").await;
    assert_eq!(error.kind(), &TextErrorKind::Binary { row: 0 });
    for on_error in ["", ", 'replace'", ", 'skip'"] {
        let query =
            format!("SELECT decode_text(x'6EC3AF76650A6100700070000A00', 'auto'{on_error})");
        let error = text_error(&query).await;
        assert!(matches!(error.kind(), TextErrorKind::Mixed { row: 0, .. }));
        assert_eq!(
            error.to_string(),
            "decode_text: row 0: mixed: utf-8 up to byte 6, then utf-16le"
        );
    }
    let other = DataFusionError::Execution("another".into());
    assert!(TextError::find(&other).is_none());
}

#[test]
fn functions_are_found_by_name() {
    let context = context();
    for function in udf::all() {
        let found = context.state().udf(function.name()).expect("the function is registered");
        assert_eq!(found.inner().name(), function.name());
        assert_eq!(function.signature().volatility, Volatility::Immutable);
        assert!(function.is_strict());
    }
    // The functions of DataFusion are unchanged.
    let (with_utflane, original) = (context.state(), SessionContext::new().state());
    for name in original.udfs() {
        assert_eq!(with_utflane.udf(&name).unwrap(), original.udf(&name).unwrap());
    }
}

#[tokio::test]
async fn expressions_for_data_frames() -> Result<()> {
    let context = context();
    let frame = context.sql("SELECT * FROM (VALUES (x'636166E9'), (x'61')) AS t(b)").await?;
    let frame = frame.filter(expr_fn::is_valid_utf8(col("b")).is_false())?.select(vec![
        expr_fn::decode_text(col("b"), lit("latin1"), None).alias("text"),
        expr_fn::encode_text(expr_fn::make_valid_utf8(col("b")), lit("utf-8"), Some(lit("null"))),
        expr_fn::try_validate_utf8(col("b")),
        expr_fn::validate_utf8(lit("a")),
        expr_fn::utf8_error(col("b")),
        expr_fn::detect_encoding(col("b")),
        expr_fn::utf16_length(expr_fn::fix_mojibake(lit("fÃ¶r"))),
    ])?;
    let batches = frame.collect().await?;
    let table = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
    assert!(table.contains("| café | 636166efbfbd"), "{table}");
    assert!(table.contains("| latin1 ") && table.trim_end().contains("| 3 "), "{table}");
    Ok(())
}
