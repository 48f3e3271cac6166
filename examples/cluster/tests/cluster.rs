//! Tests a small cluster of processes. Its answers are compared with the answers of plain
//! DataFusion in one process and with std.

use std::collections::BTreeMap;
use std::future::Future;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;
use tempfile::TempDir;
use utflane_cluster::cluster::{Cluster, ClusterOptions};
use utflane_cluster::data::{Encoding, ROWS_PER_ILL_FORMED, Row, Table};
use utflane_cluster::queries;
use utflane_cluster::scheduler::EXECUTOR_TIMEOUT;

/// The maximum time of a test. On an idle machine, each test takes a few seconds.
const LIMIT: Duration = Duration::from_secs(180);

/// The maximum time until the scheduler removes a lost executor. It is a few times the timeout,
/// because the machine may be busy.
const MAX_REMOVAL_TIME: Duration = Duration::from_secs(3 * EXECUTOR_TIMEOUT);

const PROGRAM: &str = env!("CARGO_BIN_EXE_utflane-cluster");

fn start_cluster(executors: usize, executors_without_functions: usize) -> Cluster {
    let options = ClusterOptions {
        executors,
        executors_without_functions,
        cores: 1,
        executor_timeout: EXECUTOR_TIMEOUT,
        limit: LIMIT.as_secs(),
    };
    Cluster::start(Path::new(PROGRAM), &options).unwrap()
}

/// Runs a test for a limited time, on threads with enough stack for unoptimised code.
fn within_limit(test: impl Future<Output = ()> + Send + 'static) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.enable_all().thread_stack_size(32 << 20).build().unwrap();
    runtime
        .block_on(async { tokio::time::timeout(LIMIT, tokio::spawn(test)).await })
        .expect("the test took too long")
        .unwrap();
}

fn write_table(table: Table) -> TempDir {
    let folder = TempDir::new().unwrap();
    assert!(table.write(folder.path()).unwrap() > 0);
    folder
}

async fn connect(cluster: &Cluster, partitions: usize, folder: &TempDir) -> SessionContext {
    let session = queries::connect_to_cluster(cluster.scheduler_port(), partitions).await.unwrap();
    queries::register_table(&session, folder.path()).await.unwrap();
    session
}

fn format_answer(answer: &[RecordBatch]) -> String {
    pretty_format_batches(answer).unwrap().to_string()
}

/// Returns the numbers and texts of the rows whose text std rejects as ill-formed.
fn ill_formed_rows(table: Table) -> Vec<(u64, Vec<u8>)> {
    let rows = (0..table.rows).map(|id| (id, table.row(id).text));
    rows.filter(|(_, text)| std::str::from_utf8(text).is_err()).collect()
}

/// Returns the cells of a text column of any type.
fn text_cells(answer: &[RecordBatch], column: &str) -> Vec<String> {
    let cells = |batch: &RecordBatch| {
        let array = cast(batch.column_by_name(column).unwrap(), &DataType::Utf8).unwrap();
        let cells = array.as_string::<i32>().iter();
        cells.map(|cell| cell.unwrap().to_owned()).collect::<Vec<_>>()
    };
    answer.iter().flat_map(cells).collect()
}

fn number_cells(answer: &[RecordBatch], column: &str) -> Vec<u64> {
    let cells = |batch: &RecordBatch| to_integers(batch.column_by_name(column).unwrap());
    answer.iter().flat_map(cells).collect()
}

fn to_integers(array: &dyn Array) -> Vec<u64> {
    let array = cast(array, &DataType::Int64).unwrap();
    array.as_primitive::<Int64Type>().values().iter().map(|&number| number as u64).collect()
}

#[test]
fn answers_equal_those_of_one_process_and_of_std() {
    within_limit(async {
        let table = Table { rows: 40_500, files: 8, seed: 7 };
        let folder = write_table(table);
        let mut cluster = start_cluster(2, 0);
        let session = connect(&cluster, 8, &folder).await;
        let local = queries::local_session(8).unwrap();
        queries::register_table(&local, folder.path()).await.unwrap();
        let mut answers = Vec::new();
        for query in queries::default_queries() {
            let answer = queries::run_query(&session, &query.sql).await.unwrap();
            let in_one_process = queries::run_query(&local, &query.sql).await.unwrap();
            assert_eq!(format_answer(&answer), format_answer(&in_one_process), "{}", query.sql);
            answers.push(answer);
        }

        let ill_formed = ill_formed_rows(table);
        assert!(ill_formed.len() >= 40);
        assert_eq!(number_cells(&answers[0], "all_rows"), [table.rows]);
        assert_eq!(number_cells(&answers[0], "ill_formed"), [ill_formed.len() as u64]);
        check_errors(&answers[1], &ill_formed);
        assert_eq!(number_cells(&answers[2], "id"), row_ids(&ill_formed));
        let repaired =
            ill_formed.iter().map(|(_, text)| String::from_utf8_lossy(text).into_owned());
        assert_eq!(text_cells(&answers[2], "repaired"), repaired.collect::<Vec<_>>());
        check_encodings(table, &answers[3]);

        let usage = cluster.usage().unwrap();
        for executor in 0..2 {
            let tasks = cluster.finished_tasks(executor);
            assert!(!tasks.is_empty(), "executor {executor} did nothing");
            assert!(tasks.iter().all(|task| task.error.is_none()), "{tasks:?}");
            assert!(usage[executor + 1].scanned_bytes > 0);
        }
        // Partial results went to the other executor, or to the client.
        assert!(usage.iter().any(|usage| usage.sent_bytes > 0));
    });
}

fn row_ids(rows: &[(u64, Vec<u8>)]) -> Vec<u64> {
    rows.iter().map(|(id, _)| *id).collect()
}

/// Checks that an answer has exactly the rows `expected`, and that the offsets of their errors
/// equal std's offsets.
fn check_errors(answer: &[RecordBatch], expected: &[(u64, Vec<u8>)]) {
    assert_eq!(number_cells(answer, "id"), row_ids(expected));
    let offsets = |batch: &RecordBatch| {
        let errors = batch.column_by_name("error").unwrap().as_struct();
        assert_eq!(errors.null_count(), 0);
        to_integers(errors.column_by_name("offset").unwrap())
    };
    let found: Vec<_> = answer.iter().flat_map(offsets).collect();
    let offset = |text: &[u8]| std::str::from_utf8(text).unwrap_err().valid_up_to() as u64;
    assert_eq!(found, expected.iter().map(|(_, text)| offset(text)).collect::<Vec<_>>());
}

/// Checks the detected encodings. A detector guesses, but it must be right for 999 of 1,000 of
/// these texts.
fn check_encodings(table: Table, answer: &[RecordBatch]) {
    let mut expected = BTreeMap::<&str, u64>::new();
    for id in 0..table.rows {
        let Row { encoding, mixed, .. } = table.row(id);
        let name = match encoding {
            Encoding::Utf8 | Encoding::Latin1 if mixed.is_ascii() => "ascii",
            Encoding::Utf8 => "utf-8",
            Encoding::Latin1 => "latin1",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
        };
        *expected.entry(name).or_default() += 1;
    }
    let names = text_cells(answer, "encoding");
    let counts = number_cells(answer, "number");
    assert_eq!(counts.iter().sum::<u64>(), table.rows);
    let found: BTreeMap<_, _> = names.iter().map(String::as_str).zip(counts).collect();
    for (name, count) in expected {
        let found = found.get(name).copied().unwrap_or(0);
        assert!(found.abs_diff(count) * 1_000 <= count, "{name}: {found} rows instead of {count}");
    }
}

#[test]
fn a_killed_executor_does_not_change_the_answer() {
    within_limit(async {
        let table = Table { rows: 96_000, files: 24, seed: 3 };
        let folder = write_table(table);
        let mut cluster = start_cluster(2, 0);
        let session = connect(&cluster, 24, &folder).await;
        let sql = queries::default_queries()[1].sql.clone();
        let asked = tokio::spawn({
            let (session, sql) = (session.clone(), sql.clone());
            async move { queries::run_query(&session, &sql).await }
        });
        while cluster.finished_tasks(1).is_empty() {
            assert!(!asked.is_finished(), "the first executor ran all tasks");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        cluster.kill(1).unwrap();
        let killed = Instant::now();
        // The query is not finished: parts of the table have not been read yet.
        let tasks = cluster.finished_tasks(0).len() + cluster.finished_tasks(1).len();
        assert!(tasks < 24, "{tasks} of 24 tasks were finished before the kill");

        let ill_formed = ill_formed_rows(table);
        check_errors(&asked.await.unwrap().unwrap(), &ill_formed);
        let answered = killed.elapsed();
        // The results of the second executor were lost, so the first executor has read the whole
        // table.
        assert!(cluster.finished_tasks(0).len() > 24, "{:?}", cluster.finished_tasks(0));
        // The remaining executor still answers queries.
        let (lost, asked) = (cluster.finished_tasks(1).len(), Instant::now());
        check_errors(&queries::run_query(&session, &sql).await.unwrap(), &ill_formed);
        // The loss has delayed the answer by at most the timeout and twice the time of a whole
        // query.
        let enough = MAX_REMOVAL_TIME + 2 * asked.elapsed();
        assert!(answered < enough, "{answered:?} of {enough:?}");
        assert_eq!(cluster.finished_tasks(1).len(), lost);
        assert_eq!(cluster.usage().unwrap()[2].task_count, lost);
    });
}

#[test]
fn a_busy_executor_is_not_removed() {
    within_limit(async {
        let folder = write_table(Table { rows: 40_000, files: 1, seed: 5 });
        let mut cluster = start_cluster(1, 0);
        let session = connect(&cluster, 1, &folder).await;
        // A task must take longer than a silent executor may.
        let enough = Duration::from_secs(2 * EXECUTOR_TIMEOUT);
        let (mut rows, mut task_count) = (64, None);
        loop {
            let (start, before) = (Instant::now(), cluster.usage().unwrap()[1]);
            let sql = format!(
                "SELECT count(*) AS number FROM texts AS a, texts AS b
                 WHERE a.id < {rows} AND (a.id * b.id) % 7 < 7"
            );
            let answer = queries::run_query(&session, &sql).await.unwrap();
            assert_eq!(number_cells(&answer, "number"), [40_000 * rows]);
            // No task ran twice.
            let finished = cluster.usage().unwrap()[1].since(before).task_count;
            assert_eq!(finished, *task_count.get_or_insert(finished));
            if start.elapsed() > enough {
                break;
            }
            rows *= 2;
        }
        assert!(cluster.finished_tasks(0).iter().all(|task| task.error.is_none()));
    });
}

#[test]
fn an_executor_without_the_functions_reports_the_reason() {
    within_limit(async {
        let folder = write_table(Table { rows: 100, files: 1, seed: 1 });
        let cluster = start_cluster(0, 1);
        let session = connect(&cluster, 1, &folder).await;
        let error = queries::run_query(&session, &queries::default_queries()[0].sql)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("not provided for scalar function is_valid_utf8"), "{error}");
        // Queries without functions of utflane still work.
        let sql = "SELECT count(*) AS all_rows FROM texts WHERE id >= 0";
        assert_eq!(
            number_cells(&queries::run_query(&session, sql).await.unwrap(), "all_rows"),
            [100]
        );
    });
}

#[test]
fn ill_formed_rows_are_as_documented_and_reproducible() {
    let table = Table { rows: 5_700, files: 3, seed: 11 };
    let ill_formed = ill_formed_rows(table);
    assert_eq!(ill_formed.len() as u64, table.count_ill_formed());
    assert!(ill_formed.iter().all(|(id, _)| table.is_ill_formed(*id)));
    // Each block of a thousand rows has one ill-formed row.
    let blocks: Vec<_> = ill_formed.iter().map(|(id, _)| id / ROWS_PER_ILL_FORMED).collect();
    assert_eq!(blocks[..5], [0, 1, 2, 3, 4]);
    for id in (0..table.rows).step_by(7) {
        let row = table.row(id);
        assert_eq!(row, table.row(id));
        assert_ne!(row, Table { seed: 12, ..table }.row(id));
        let pairs = || row.mixed.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        match row.encoding {
            Encoding::Utf8 => assert!(std::str::from_utf8(&row.mixed).is_ok()),
            Encoding::Latin1 => assert!(!row.mixed.contains(&b'?')),
            Encoding::Utf16Le => {
                let units: Vec<_> = pairs().map(u16::from_le_bytes).collect();
                assert!(String::from_utf16(&units).is_ok());
            }
            Encoding::Utf16Be => {
                let units: Vec<_> = pairs().map(u16::from_be_bytes).collect();
                assert!(String::from_utf16(&units).is_ok());
            }
        }
    }
}

#[test]
fn a_folder_with_another_table_is_not_changed() {
    let table = Table { rows: 1_000, files: 2, seed: 1 };
    let folder = write_table(table);
    let bytes = table.write(folder.path()).unwrap();
    assert_eq!(table.write(folder.path()).unwrap(), bytes);
    let error = Table { seed: 2, ..table }.write(folder.path()).unwrap_err().to_string();
    assert!(error.contains("has another table: rows 1000, files 2, seed 1"), "{error}");
    assert!(Table { files: 0, ..table }.write(folder.path()).is_err());
    let none = Table { rows: 0, files: 1, seed: 1 };
    assert_eq!(none.count_ill_formed(), 0);
    write_table(none);
}

/// A running command, which is killed when this value is dropped.
struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_command(arguments: &[&str], input: Stdio) -> Run {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    Run(command.spawn().unwrap())
}

#[test]
fn run_prints_all_answers() {
    let rows = ["--rows", "3000", "--files", "4", "--partitions", "4"];
    for executors in ["2", "0"] {
        let arguments = [&["--limit", "120", "run", "--executors", executors][..], &rows].concat();
        let mut run = start_command(&arguments, Stdio::null());
        let mut output = String::new();
        run.0.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        assert!(run.0.wait().unwrap().success(), "{output}");
        assert!(output.starts_with("3000 rows, 3 of them ill-formed, in 4 files"), "{output}");
        assert!(output.contains("| 3000     | 3          |"), "{output}");
        assert!(output.contains("\n| utf-16le "), "{output}");
        assert_eq!(output.contains("\nexecutor 2: "), executors == "2", "{output}");
    }
    let mut run = start_command(&["run", "--executors", "1", "--kill"], Stdio::null());
    assert!(!run.0.wait().unwrap().success());
}

/// A cluster that runs queries until it is ended.
struct EndlessCluster {
    run: Run,
    port: u16,
    process_ids: Vec<u32>,
}

/// Starts an endless cluster with its temporary folders in `folder`.
fn start_endless_cluster(folder: &Path) -> EndlessCluster {
    let mut command = Command::new(PROGRAM);
    let table = ["--rows", "1000", "--files", "1", "--repeat", "1000000"];
    command.args(["--limit", "120", "run"]).args(table).env("TMPDIR", folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut run = Run(command.spawn().unwrap());
    let mut output = run.0.stdout.take().unwrap();
    let mut lines = BufReader::new(&mut output).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("a scheduler on port")).unwrap();
    let port = line.split(' ').find_map(|word| word.parse().ok()).unwrap();
    let (_, process_ids) = line.trim_end_matches(']').split_once('[').unwrap();
    let process_ids: Vec<_> = process_ids.split(", ").map(|id| id.parse().unwrap()).collect();
    assert_eq!(process_ids.len(), 3);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    // The cluster writes until it is ended, so its output must be read.
    thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    EndlessCluster { run, port, process_ids }
}

/// Waits until none of the processes is running, and the port is free.
fn wait_for_end(port: u16, process_ids: &[u32]) {
    let end = Instant::now() + Duration::from_secs(30);
    while process_ids.iter().any(|&id| is_running(id))
        || TcpStream::connect(("127.0.0.1", port)).is_ok()
    {
        assert!(Instant::now() < end, "processes still run: {process_ids:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn processes_end_when_their_parent_is_killed() {
    let folder = TempDir::new().unwrap();
    let mut cluster = start_endless_cluster(folder.path());
    // The killed process cannot end its children.
    cluster.run.0.kill().unwrap();
    cluster.run.0.wait().unwrap();
    wait_for_end(cluster.port, &cluster.process_ids);
}

#[test]
#[cfg(unix)]
fn an_interrupted_command_leaves_no_files() {
    let folder = TempDir::new().unwrap();
    let mut cluster = start_endless_cluster(folder.path());
    let id = cluster.run.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(!cluster.run.0.wait().unwrap().success());
    wait_for_end(cluster.port, &cluster.process_ids);
    let left: Vec<_> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Returns true if a process is running, according to Linux's /proc. A process that has ended is
/// listed in /proc, but not as running, until its parent waits for it.
fn is_running(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

#[test]
fn a_process_ends_at_its_limit() {
    let start = Instant::now();
    let mut scheduler = start_command(&["--limit", "1", "scheduler"], Stdio::piped());
    // The input stays open, so the process doesn't end because its input has ended.
    let _input = scheduler.0.stdin.take().unwrap();
    let mut message = String::new();
    scheduler.0.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(!scheduler.0.wait().unwrap().success());
    assert!(message.contains("ended after 1 s, the time that --limit sets"), "{message}");
    assert!(start.elapsed() < LIMIT);
}
