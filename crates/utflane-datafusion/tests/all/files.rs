//! Tests files in different encodings: lines that `read_text` returns, and CSV and JSON tables.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::memory_pool::{GreedyMemoryPool, MemoryPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;
use tempfile::TempDir;
use utflane_datafusion::{FileError, register_all, register_files};

fn context_with_batch_size(batch_size: usize) -> SessionContext {
    let config = SessionConfig::new()
        .with_batch_size(batch_size)
        .with_target_partitions(3)
        .with_repartition_file_min_size(1);
    let mut context = SessionContext::new_with_config(config);
    register_all(&mut context).expect("the registry accepts the functions");
    register_files(&context).expect("the session has the formats CSV and JSON");
    // Registering twice changes nothing.
    register_files(&context).expect("the session has the formats CSV and JSON");
    context
}

/// Creates a temporary folder with the given files.
fn create_folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("the file can be written");
    }
    folder
}

fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Runs a query and returns its rows. Each cell is converted to text.
async fn query_rows(context: &SessionContext, query: &str) -> Result<Vec<Vec<Option<String>>>> {
    let mut rows = Vec::new();
    for batch in context.sql(query).await?.collect().await? {
        let columns = batch.columns().iter();
        let columns: Vec<_> = columns
            .map(|column| cast(column, &DataType::Utf8).expect("each type can be cast to text"))
            .collect();
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(|column| column.as_string::<i32>());
            let cell = |column: &datafusion::arrow::array::StringArray| {
                column.is_valid(row).then(|| column.value(row).to_owned())
            };
            rows.push(cells.map(cell).collect());
        }
    }
    Ok(rows)
}

/// Returns the lines of a file that `read_text` returns, and checks that they are the same for each
/// batch size.
async fn read_lines(path: &Path, arguments: &str) -> Result<Vec<Option<String>>> {
    let query = format!("SELECT line, text FROM read_text('{}'{arguments})", path.display());
    let mut first = None;
    for batch_size in [1, 2, 3, 8192] {
        let rows = query_rows(&context_with_batch_size(batch_size), &query).await?;
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(row[0], Some((index + 1).to_string()), "line numbers");
        }
        let lines: Vec<_> = rows.into_iter().map(|mut row| row.remove(1)).collect();
        assert_eq!(*first.get_or_insert_with(|| lines.clone()), lines);
    }
    Ok(first.unwrap_or_default())
}

fn non_null_lines(lines: &[&str]) -> Vec<Option<String>> {
    lines.iter().map(|&line| Some(line.to_owned())).collect()
}

/// Returns the `FileError` inside an error of DataFusion.
fn file_error(error: &DataFusionError) -> &FileError {
    FileError::find(error).unwrap_or_else(|| panic!("{error}"))
}

#[tokio::test]
async fn lines_of_files_in_many_encodings() -> Result<()> {
    let text = "größer\nnaïve €\r\n\n“last”";
    let expected = non_null_lines(&["größer", "naïve €", "", "“last”"]);
    let marked = utf16le(&format!("\u{FEFF}{text}"));
    let western = encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let folder = create_folder(&[
        ("marked.txt", &marked),
        ("unmarked.txt", &marked[2..]),
        ("western.txt", &western),
        ("mainframe.txt", &utflane::code_page::CP1140_LF.encode_str("größer\nnaïve €\n").unwrap()),
        ("utf8.txt", text.as_bytes()),
        ("line-feed-at-end.txt", format!("{text}\n").as_bytes()),
        ("carriage-return-at-end.txt", b"one\r\ntwo\r"),
    ]);
    let file = |name| folder.path().join(name);
    assert_eq!(read_lines(&file("marked.txt"), ", 'utf-16le'").await?, expected);
    assert_eq!(read_lines(&file("unmarked.txt"), ", 'utf-16le'").await?, expected);
    // The byte order mark decides the encoding.
    assert_eq!(read_lines(&file("marked.txt"), "").await?, expected);
    assert_eq!(read_lines(&file("marked.txt"), ", 'windows-1252', 'null'").await?, expected);
    assert_eq!(read_lines(&file("western.txt"), ", 'windows-1252'").await?, expected);
    assert_eq!(read_lines(&file("mainframe.txt"), ", 'cp1140-lf'").await?, expected[..2]);
    assert_eq!(read_lines(&file("utf8.txt"), "").await?, expected);
    assert_eq!(read_lines(&file("line-feed-at-end.txt"), "").await?, expected);
    assert_eq!(
        read_lines(&file("carriage-return-at-end.txt"), "").await?,
        non_null_lines(&["one", "two\r"])
    );
    for name in ["marked.txt", "unmarked.txt", "western.txt", "utf8.txt"] {
        assert_eq!(read_lines(&file(name), ", 'auto'").await?, expected, "{name}");
    }
    Ok(())
}

/// With `auto`, a file whose parts are in different encodings is an error for every reader,
/// whatever `on_error` is. Legacy text after a long run of ASCII is not another part.
#[tokio::test]
async fn files_with_parts_in_different_encodings_are_errors() -> Result<()> {
    let text = "name,count\ngrößer,1\n";
    let utf16_end = utf16le("angehängt,2\r\n");
    // ASCII first, and Latin-1 at the end.
    let latin1_at_end = [&b"plain,1\n".repeat(20_000)[..], b"caf\xE9 cr\xE8me,2\n"].concat();
    let folder = create_folder(&[
        ("mixed.csv", &[text.as_bytes(), &utf16_end].concat()),
        ("late.csv", &latin1_at_end),
    ]);
    let path = folder.path().join("mixed.csv");
    let expected_message = "line 3: mixed: utf-8 up to byte 22, then utf-16le";
    for on_error in ["error", "null", "replace"] {
        let error = read_lines(&path, &format!(", 'auto', '{on_error}'")).await.unwrap_err();
        let error = file_error(&error);
        assert!(error.to_string().ends_with(expected_message), "{error}");
        assert_eq!((error.line(), error.offset()), (3, Some(22)));
    }
    let options = "'format.encoding' 'auto', 'format.on_error' 'replace'";
    let error =
        create_table(&context_with_batch_size(8192), &path, "CSV", options).await.unwrap_err();
    assert!(file_error(&error).to_string().ends_with(expected_message), "{error}");
    let lines = read_lines(&folder.path().join("late.csv"), ", 'auto'").await?;
    assert_eq!((lines.len(), lines.last()), (20_001, Some(&Some("café crème,2".to_owned()))));
    Ok(())
}

#[tokio::test]
async fn ill_formed_lines_are_errors_null_or_repaired() -> Result<()> {
    let folder = create_folder(&[
        ("bad.txt", b"one\ntw\xFFo \xFE\nthree\n\xE2\x82"),
        ("utf16.txt", &[&utf16le("one\n")[..], b"\0\xDC", &utf16le("two\nthree"), b"x"].concat()),
    ]);
    let file = folder.path().join("bad.txt");
    let repaired = non_null_lines(&["one", "tw\u{FFFD}o \u{FFFD}", "three", "\u{FFFD}"]);
    assert_eq!(read_lines(&file, ", 'utf-8', 'replace'").await?, repaired);
    let mut nulls = non_null_lines(&["one", "", "three", ""]);
    (nulls[1], nulls[3]) = (None, None);
    assert_eq!(read_lines(&file, ", 'utf-8', 'null'").await?, nulls);
    assert_eq!(
        read_lines(&file, ", 'utf-8', 'skip'").await?,
        non_null_lines(&["one", "two ", "three"])
    );
    let error = read_lines(&file, "").await.unwrap_err();
    let error = file_error(&error);
    assert_eq!((error.line(), error.offset()), (2, Some(6)));
    assert!(error.location().ends_with("bad.txt"));
    assert!(
        error
            .to_string()
            .ends_with("bad.txt, line 2: invalid utf-8 sequence at byte 6 of the file")
    );

    let file = folder.path().join("utf16.txt");
    let error = read_lines(&file, ", 'utf-16le'").await.unwrap_err();
    assert_eq!((file_error(&error).line(), file_error(&error).offset()), (2, Some(8)));
    let mut nulls = non_null_lines(&["one", "", ""]);
    (nulls[1], nulls[2]) = (None, None);
    assert_eq!(read_lines(&file, ", 'utf-16le', 'null'").await?, nulls);
    let repaired = non_null_lines(&["one", "\u{FFFD}two", "three\u{FFFD}"]);
    assert_eq!(read_lines(&file, ", 'utf-16le', 'replace'").await?, repaired);
    Ok(())
}

/// The lines before an error are returned before the error.
#[tokio::test]
async fn lines_before_an_error_are_not_lost() -> Result<()> {
    let mut file = b"line\n".repeat(5000);
    file.extend(b"b\xFFd\nmore\n");
    let folder = create_folder(&[("bad.txt", &file)]);
    let query =
        format!("SELECT text FROM read_text('{}')", folder.path().join("bad.txt").display());
    let mut stream = context_with_batch_size(1000).sql(&query).await?.execute_stream().await?;
    let (mut count, mut error) = (0, None);
    while let Some(batch) = stream.next().await {
        match batch {
            Ok(batch) => {
                assert!(batch.num_rows() <= 1000 && error.is_none());
                count += batch.num_rows();
            }
            Err(found) => error = Some(found),
        }
    }
    assert_eq!(count, 5000);
    assert_eq!(file_error(&error.expect("the query fails")).line(), 5001);
    Ok(())
}

#[tokio::test]
async fn characters_and_lines_split_across_chunks() -> Result<()> {
    // The files are longer than the chunks in which they are read, and the lines have different
    // lengths.
    let text: String = (0..20_000)
        .map(|line| format!("{line} größer 漢字😀 {}\n", "é".repeat(line % 17)))
        .collect();
    let expected: Vec<_> = text.lines().map(|line| Some(line.to_owned())).collect();
    let shift_jis: String = text.replace(['é', '😀', 'ö', 'ß'], "い");
    let folder = create_folder(&[
        ("utf8.txt", text.as_bytes()),
        ("utf16.txt", &utf16le(&text)),
        ("sjis.txt", &encoding_rs::SHIFT_JIS.encode(&shift_jis).0),
    ]);
    let query = |name: &str, encoding: &str| {
        let path = folder.path().join(name);
        format!("SELECT text FROM read_text('{}', '{encoding}')", path.display())
    };
    let context = context_with_batch_size(777);
    let first_column =
        |rows: Vec<Vec<Option<String>>>| -> Vec<_> { rows.into_iter().flatten().collect() };
    assert!(first_column(query_rows(&context, &query("utf8.txt", "utf-8")).await?) == expected);
    assert!(first_column(query_rows(&context, &query("utf16.txt", "utf-16le")).await?) == expected);
    assert!(first_column(query_rows(&context, &query("utf16.txt", "auto")).await?) == expected);
    let expected: Vec<_> = shift_jis.lines().map(|line| Some(line.to_owned())).collect();
    assert!(first_column(query_rows(&context, &query("sjis.txt", "shift_jis")).await?) == expected);
    assert!(first_column(query_rows(&context, &query("sjis.txt", "auto")).await?) == expected);
    Ok(())
}

#[tokio::test]
async fn several_files_empty_files_and_missing_files() -> Result<()> {
    let folder = create_folder(&[
        ("a.txt", b"1\n2"),
        ("b.txt", b""),
        ("c.txt", b"3\n"),
        ("d.txt", b"\n"),
        ("e.csv", b"no"),
        ("zeros.bin", &[0; 100]),
    ]);
    let context = context_with_batch_size(8192);
    let select_all = |pattern: &str| {
        format!(
            "SELECT path, line, text FROM read_text('{}/{pattern}') ORDER BY path, line",
            folder.path().display()
        )
    };
    let found = query_rows(&context, &select_all("*.txt")).await?;
    let found: Vec<_> = found
        .iter()
        .map(|row| {
            let path = row[0]
                .as_deref()
                .expect("the path is not null")
                .rsplit('/')
                .next()
                .expect("a path has a name");
            (
                path,
                row[1].as_deref().expect("the line is not null"),
                row[2].as_deref().expect("the text is not null"),
            )
        })
        .collect();
    assert_eq!(
        found,
        [("a.txt", "1", "1"), ("a.txt", "2", "2"), ("c.txt", "1", "3"), ("d.txt", "1", "")]
    );
    assert_eq!(query_rows(&context, &select_all("b.txt")).await?.len(), 0);
    // Queries that do not select all columns, and a query with a limit.
    let query = format!("SELECT count(*) FROM read_text('{}/*.txt')", folder.path().display());
    assert_eq!(query_rows(&context, &query).await?, [[Some("4".into())]]);
    let query = format!("SELECT text FROM read_text('{}/*.txt') LIMIT 2", folder.path().display());
    assert_eq!(query_rows(&context, &query).await?.len(), 2);

    let error = query_rows(&context, &select_all("missing.txt")).await.unwrap_err();
    assert!(error.to_string().contains("missing.txt"), "{error}");
    let error = query_rows(&context, &select_all("*.none")).await.unwrap_err();
    assert!(error.to_string().contains("no file is at"), "{error}");
    let query = format!("SELECT * FROM read_text('{}/zeros.bin', 'auto')", folder.path().display());
    let error = query_rows(&context, &query).await.unwrap_err();
    assert!(file_error(&error).to_string().contains("no encoding is likely"));
    Ok(())
}

#[tokio::test]
async fn lines_longer_than_the_limit_are_errors() -> Result<()> {
    let long = "é".repeat(250_000);
    let text = format!("one\n{long}\r\nthree\n{long}x");
    for file in [text.as_bytes(), &utf16le(&format!("\u{FEFF}{text}"))[..]] {
        let folder = create_folder(&[("a.txt", file)]);
        let path = folder.path().join("a.txt");
        let expected = non_null_lines(&["one", &long, "three", &format!("{long}x")]);
        assert_eq!(read_lines(&path, "").await?, expected);
        assert_eq!(read_lines(&path, ", 'utf-8', 'error', 500001").await?, expected);
        for (longest, line) in [(500_000, 4), (499_999, 2), (3, 2), (2, 1)] {
            let arguments = format!(", 'utf-8', 'error', {longest}");
            let error = read_lines(&path, &arguments).await.expect_err("a line is too long");
            let error = file_error(&error);
            assert_eq!((error.line(), error.offset()), (line, None), "{longest}");
            assert!(error.location().ends_with("a.txt"));
            let message = format!("line {line}: the line has more than {longest} bytes");
            assert!(error.to_string().contains(&message), "{error}");
        }
    }
    // The limit does not apply to lines that become null.
    let folder = create_folder(&[("a.txt", &[b"a\n\xFF", long.as_bytes(), b"\nb"].concat()[..])]);
    let found = read_lines(&folder.path().join("a.txt"), ", 'utf-8', 'null', 9").await?;
    assert_eq!(found, [Some("a".to_owned()), None, Some("b".to_owned())]);
    Ok(())
}

#[tokio::test]
async fn memory_of_lines_is_reserved() -> Result<()> {
    let folder =
        create_folder(&[("a.txt", &[b"one\n", &b"x".repeat(6 << 20)[..], b"\n"].concat()[..])]);
    let path = folder.path().join("a.txt");
    let with_pool_bytes = |pool_bytes| async move {
        let pool = Arc::new(GreedyMemoryPool::new(pool_bytes));
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::clone(&pool) as _);
        let runtime = runtime.build_arc().expect("the runtime can be built");
        let context = SessionContext::new_with_config_rt(SessionConfig::new(), runtime);
        register_files(&context).expect("the session has the formats CSV and JSON");
        (context, pool)
    };
    let query = format!("SELECT text FROM read_text('{}')", path.display());
    let (context, pool) = with_pool_bytes(64 << 20).await;
    let longest = query_rows(&context, &query).await?.pop().and_then(|mut row| row.pop().flatten());
    assert_eq!(longest.map(|text| text.len()), Some(6 << 20));
    assert_eq!(pool.reserved(), 0, "all memory is given back to the pool");
    let (context, pool) = with_pool_bytes(3 << 20).await;
    let error = query_rows(&context, &query).await.expect_err("the pool is too small");
    assert!(matches!(error.find_root(), DataFusionError::ResourcesExhausted(_)), "{error}");
    let message = error.to_string();
    assert!(message.contains("a.txt, line 2: the line needs more memory"), "{message}");
    assert_eq!(pool.reserved(), 0, "all memory is given back to the pool");
    Ok(())
}

/// If a file without a line feed is larger than the memory, it is read only up to the maximum
/// length of a line.
#[tokio::test]
async fn a_huge_file_without_line_feed_is_an_error() {
    let folder = create_folder(&[]);
    let path = folder.path().join("sparse.txt");
    let file = std::fs::File::create(&path).expect("the file can be created");
    file.set_len(20 << 30).expect("the file system has sparse files");
    let error =
        read_lines(&path, ", 'latin1', 'error', 1000000").await.expect_err("a line is too long");
    assert_eq!(file_error(&error).line(), 1);
}

#[tokio::test]
async fn wrong_arguments_of_read_text_are_errors() {
    const MAX_LINE_BYTES_MESSAGE: &str =
        "read_text: the argument longest_line must be a number of bytes from 1 to 2147483647";
    let context = context_with_batch_size(8192);
    for (arguments, message) in [
        ("", "read_text takes a path"),
        ("1", "read_text takes a path"),
        ("'a', 'b', 'c', 4, 5", "read_text takes a path"),
        ("'a', 4", "read_text takes a path"),
        ("'a', 'utf-8', 'error', 'd'", MAX_LINE_BYTES_MESSAGE),
        ("'a', 'utf-8', 'error', 0", MAX_LINE_BYTES_MESSAGE),
        ("'a', 'utf-8', 'error', -1", MAX_LINE_BYTES_MESSAGE),
        ("'a', 'utf-8', 'error', 1.5", MAX_LINE_BYTES_MESSAGE),
        ("'a', 'utf-8', 'error', 2147483648", MAX_LINE_BYTES_MESSAGE),
        (
            "'a.txt', 'ebcdic'",
            "read_text: 'ebcdic' is not a known encoding; the known encodings are utf-8",
        ),
        (
            "'a.txt', 'utf-8', 'ignore'",
            "read_text: unknown on_error 'ignore'; the known values are error",
        ),
    ] {
        let query = format!("SELECT * FROM read_text({arguments})");
        let error = context.sql(&query).await.map(drop).expect_err(&query).to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Creates the table `t` from a file of the given format, with the given options.
async fn create_table(
    context: &SessionContext,
    path: &Path,
    format: &str,
    options: &str,
) -> Result<()> {
    let query = format!(
        "CREATE EXTERNAL TABLE t STORED AS {format} LOCATION '{}' OPTIONS ({options})",
        path.display()
    );
    context.sql(&query).await.map(drop)
}

#[tokio::test]
async fn csv_files_in_many_encodings() -> Result<()> {
    let text = "name,count,note\nÅsa,1,\"a \"\"b\"\", c\"\nGrüße €,22,\n";
    let marked = utf16le(&format!("\u{FEFF}{text}"));
    let folder = create_folder(&[
        ("marked.csv", &marked),
        ("unmarked.csv", &marked[2..]),
        ("western.csv", &encoding_rs::WINDOWS_1252.encode(text).0),
    ]);
    for (name, encoding) in [
        ("marked.csv", "utf-16le"),
        ("marked.csv", "utf-8"),
        ("marked.csv", "auto"),
        ("unmarked.csv", "UTF-16LE"),
        ("western.csv", "windows-1252"),
        ("western.csv", "auto"),
    ] {
        let context = context_with_batch_size(1);
        let options = format!("'format.encoding' '{encoding}', 'format.has_header' 'true'");
        create_table(&context, &folder.path().join(name), "CSV", &options).await?;
        let found =
            query_rows(&context, "SELECT note, name, count + 1 FROM t ORDER BY count").await?;
        let expected = [
            [Some("a \"b\", c".to_owned()), Some("Åsa".into()), Some("2".into())],
            [None, Some("Grüße €".into()), Some("23".into())],
        ];
        assert_eq!(found, expected, "{name} {encoding}");
        assert_eq!(query_rows(&context, "SELECT name FROM t WHERE count > 1").await?.len(), 1);
        let plan = query_rows(&context, "EXPLAIN SELECT name FROM t").await?;
        assert!(format!("{plan:?}").contains("encoding="), "{plan:?}");
    }
    Ok(())
}

#[tokio::test]
async fn ill_formed_csv_is_an_error_or_repaired() -> Result<()> {
    let folder = create_folder(&[("bad.csv", b"name,count\none,1\ntw\xFFo,2\nthree,3\n")]);
    let file = folder.path().join("bad.csv");
    let header = "'format.has_header' 'true'";
    let repairing = context_with_batch_size(8192);
    let options = format!("{header}, 'format.encoding' 'utf-8', 'format.on_error' 'replace'");
    create_table(&repairing, &file, "CSV", &options).await?;
    let names = query_rows(&repairing, "SELECT name FROM t ORDER BY count").await?;
    assert_eq!(
        names,
        [["one"], ["tw\u{FFFD}o"], ["three"]].map(|row| row.map(|name| Some(name.into())))
    );

    // The statement names the columns, so the file is not read before the query.
    let strict = context_with_batch_size(8192);
    let query = format!(
        "CREATE EXTERNAL TABLE t (name VARCHAR, count INT) STORED AS CSV LOCATION '{}'
         OPTIONS ({header}, 'format.encoding' 'utf-8')",
        file.display()
    );
    strict.sql(&query).await?;
    let error = query_rows(&strict, "SELECT * FROM t").await.unwrap_err();
    let error = file_error(&error);
    assert_eq!((error.line(), error.offset()), (3, Some(19)));
    let options = format!("{header}, 'format.encoding' 'utf-8'");
    let error =
        create_table(&context_with_batch_size(8192), &file, "CSV", &options).await.unwrap_err();
    assert_eq!(file_error(&error).line(), 3);
    Ok(())
}

/// DataFusion splits large files into byte ranges, which are not ranges of the decoded text.
#[tokio::test]
async fn each_large_csv_file_is_read_once() -> Result<()> {
    let text: String = (0..50_000).map(|row| format!("{row},größer {row}\n")).collect();
    let folder = create_folder(&[("a.csv", &utf16le(&text)), ("b.csv", &utf16le(&text))]);
    let context = context_with_batch_size(1000);
    let options = "'format.encoding' 'utf-16le', 'format.has_header' 'false'";
    create_table(&context, &folder.path().join(""), "CSV", options).await?;
    let found =
        query_rows(&context, "SELECT count(*), sum(column_1), min(column_2) FROM t").await?;
    let sum = (0..50_000_u64).sum::<u64>() * 2;
    assert_eq!(found[0], [Some("100000".into()), Some(sum.to_string()), Some("größer 0".into())]);
    Ok(())
}

#[tokio::test]
async fn json_and_wrong_options() -> Result<()> {
    let folder = create_folder(&[
        ("a.json", &utf16le("{\"name\": \"größer\"}\n{\"name\": \"漢字\"}\n")),
        ("a.csv", b"a\n1\n"),
        ("empty.csv", b""),
    ]);
    let json = context_with_batch_size(8192);
    create_table(&json, &folder.path().join("a.json"), "JSON", "'format.encoding' 'utf-16le'")
        .await?;
    let names = query_rows(&json, "SELECT name FROM t").await?;
    assert_eq!(names, [[Some("größer".into())], [Some("漢字".into())]]);

    let csv = folder.path().join("a.csv");
    for (options, message) in [
        ("'format.encoding' 'ebcdic'", "'ebcdic' is not a known encoding"),
        ("'format.encoding' 'latin1', 'format.on_error' 'ignore'", "unknown on_error 'ignore'"),
        (
            "'format.encoding' 'latin1', 'format.on_error' 'null'",
            "for CSV and JSON tables, 'on_error' cannot be 'null'",
        ),
        ("'format.on_error' 'replace'", "needs the option 'encoding'"),
        ("'format.encoding' 'latin1', 'format.compression' 'gzip'", "compressed"),
    ] {
        let error = create_table(&context_with_batch_size(8192), &csv, "CSV", options)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    }
    // Without the options, files are read and written as UTF-8.
    let plain = context_with_batch_size(8192);
    create_table(&plain, &csv, "CSV", "'format.has_header' 'true'").await?;
    assert_eq!(query_rows(&plain, "SELECT a FROM t").await?, [[Some("1".into())]]);
    let target = folder.path().join("out.csv");
    let copy = |options: &str| format!("COPY t TO '{}' STORED AS CSV {options}", target.display());
    plain.sql(&copy("")).await?.collect().await?;
    assert_eq!(std::fs::read(&target)?, b"a\n1\n");
    let written = plain.sql(&copy("OPTIONS ('format.encoding' 'latin1')")).await;
    let error = match written {
        Ok(frame) => frame.collect().await.map(drop).unwrap_err(),
        Err(error) => error,
    };
    assert!(error.to_string().contains("files are written in UTF-8"), "{error}");
    let empty = context_with_batch_size(8192);
    let query = format!(
        "CREATE EXTERNAL TABLE t (a INT) STORED AS CSV LOCATION '{}'
         OPTIONS ('format.encoding' 'auto')",
        folder.path().join("empty.csv").display()
    );
    empty.sql(&query).await?;
    assert_eq!(query_rows(&empty, "SELECT * FROM t").await?.len(), 0);
    Ok(())
}

#[tokio::test]
async fn names_and_types_of_the_columns_of_read_text() -> Result<()> {
    let folder = create_folder(&[("a.txt", b"1\n2\n")]);
    let query = format!("SELECT * FROM read_text('{}/a.txt')", folder.path().display());
    let batches: Vec<RecordBatch> =
        context_with_batch_size(8192).sql(&query).await?.collect().await?;
    let schema = batches[0].schema();
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["path", "line", "text"]);
    assert_eq!(batches[0].column(1).as_primitive::<Int64Type>().values(), &[1, 2]);
    assert_eq!(*batches[0].column(2).data_type(), DataType::Utf8);
    Ok(())
}
