//! Runs the SQL example in the documentation of each function, and compares the result with the
//! documented result.

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::FunctionRegistry;
use datafusion::prelude::SessionContext;
use utflane_datafusion::{register_all, udf};

#[tokio::test]
async fn documented_examples_return_the_documented_results() {
    let mut context = SessionContext::new();
    register_all(&mut context).expect("the registry accepts the functions");
    let mut names = Vec::new();
    for function in udf::all() {
        let name = function.name().to_owned();
        let documentation = function.documentation().unwrap_or_else(|| panic!("{name}"));
        assert!(documentation.syntax_example.starts_with(&format!("{name}(")));
        assert!(documentation.arguments.as_ref().is_some_and(|arguments| !arguments.is_empty()));
        let example =
            documentation.sql_example.as_deref().expect("the documentation has an example");
        let example = example.trim_start_matches("```sql\n> ").trim_end_matches("\n```");
        let (query, expected) =
            example.split_once(";\n").expect("the example has a query and its result");
        assert!(query.contains(&format!("{name}(")));
        let batches = context.sql(query).await.expect("the query is planned");
        let batches = batches.collect().await.expect("the query runs");
        let result =
            pretty_format_batches(&batches).expect("the result can be printed").to_string();
        assert_eq!(result, expected, "{name}");
        names.push(name);
    }
    // Each related function that the documentation names exists.
    for function in udf::all() {
        for related in function.documentation().unwrap().related_udfs.iter().flatten() {
            let is_ours = names.contains(related);
            assert!(is_ours || context.udf(related).is_ok(), "{related}");
        }
    }
    assert_eq!(names.len(), 10);
}
