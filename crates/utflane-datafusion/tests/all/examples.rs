//! The example of each function's documentation has the result that stands under it.

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::FunctionRegistry;
use datafusion::prelude::SessionContext;
use utflane_datafusion::{register_all, udf};

#[tokio::test]
async fn documented_examples() {
    let mut context = SessionContext::new();
    register_all(&mut context).expect("a registry");
    let mut names = Vec::new();
    for function in udf::all() {
        let name = function.name().to_owned();
        let documentation = function.documentation().unwrap_or_else(|| panic!("{name}"));
        assert!(documentation.syntax_example.starts_with(&format!("{name}(")));
        assert!(documentation.arguments.as_ref().is_some_and(|arguments| !arguments.is_empty()));
        let example = documentation.sql_example.as_deref().expect("an example");
        let example = example.trim_start_matches("```sql\n> ").trim_end_matches("\n```");
        let (query, expected) = example.split_once(";\n").expect("a query and its result");
        assert!(query.contains(&format!("{name}(")));
        let batches = context.sql(query).await.expect("a plan").collect().await.expect("rows");
        let result = pretty_format_batches(&batches).expect("a table").to_string();
        assert_eq!(result, expected, "{name}");
        names.push(name);
    }
    // The examples that the documentation names exist.
    for function in udf::all() {
        for related in function.documentation().unwrap().related_udfs.iter().flatten() {
            let is_ours = names.contains(related);
            assert!(is_ours || context.udf(related).is_ok(), "{related}");
        }
    }
    assert_eq!(names.len(), 10);
}
