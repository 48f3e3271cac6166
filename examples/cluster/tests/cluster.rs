//! A small cluster of real processes, compared with plain DataFusion in one process and with std.

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
use utflane_cluster::data::{Encoding, ROWS_PER_DAMAGE, Row, Table};
use utflane_cluster::queries;
use utflane_cluster::scheduler::EXECUTOR_TIMEOUT;

/// The longest time of a test. Each takes a few seconds where the machine is idle.
const LIMIT: Duration = Duration::from_secs(180);

/// The longest time until the loss of an executor is known: a few times as long as a silent one is
/// waited for, because the machine may be busy.
const ENOUGH_TO_GIVE_UP: Duration = Duration::from_secs(3 * EXECUTOR_TIMEOUT);

const PROGRAM: &str = env!("CARGO_BIN_EXE_utflane-cluster");

fn cluster(executors: usize, executors_without_functions: usize) -> Cluster {
    let options = ClusterOptions {
        executors,
        executors_without_functions,
        cores: 1,
        executor_timeout: EXECUTOR_TIMEOUT,
        limit: LIMIT.as_secs(),
    };
    Cluster::start(Path::new(PROGRAM), &options).unwrap()
}

/// Runs a test on threads with a stack for unoptimised code, for a limited time.
fn within_limit(test: impl Future<Output = ()> + Send + 'static) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.enable_all().thread_stack_size(32 << 20).build().unwrap();
    runtime
        .block_on(async { tokio::time::timeout(LIMIT, tokio::spawn(test)).await })
        .expect("the test took too long")
        .unwrap();
}

fn written(table: Table) -> TempDir {
    let folder = TempDir::new().unwrap();
    assert!(table.write(folder.path()).unwrap() > 0);
    folder
}

async fn remote(cluster: &Cluster, partitions: usize, folder: &TempDir) -> SessionContext {
    let session = queries::remote(cluster.scheduler_port(), partitions).await.unwrap();
    queries::register_table(&session, folder.path()).await.unwrap();
    session
}

fn printed(answer: &[RecordBatch]) -> String {
    pretty_format_batches(answer).unwrap().to_string()
}

/// The rows that std finds ill-formed.
fn bad_rows(table: Table) -> Vec<(u64, Vec<u8>)> {
    let rows = (0..table.rows).map(|id| (id, table.row(id).text));
    rows.filter(|(_, text)| std::str::from_utf8(text).is_err()).collect()
}

/// The cells of a column of text, whatever its type.
fn texts(answer: &[RecordBatch], column: &str) -> Vec<String> {
    let cells = |batch: &RecordBatch| {
        let array = cast(batch.column_by_name(column).unwrap(), &DataType::Utf8).unwrap();
        let cells = array.as_string::<i32>().iter();
        cells.map(|cell| cell.unwrap().to_owned()).collect::<Vec<_>>()
    };
    answer.iter().flat_map(cells).collect()
}

fn numbers(answer: &[RecordBatch], column: &str) -> Vec<u64> {
    let cells = |batch: &RecordBatch| integers(batch.column_by_name(column).unwrap());
    answer.iter().flat_map(cells).collect()
}

fn integers(array: &dyn Array) -> Vec<u64> {
    let array = cast(array, &DataType::Int64).unwrap();
    array.as_primitive::<Int64Type>().values().iter().map(|&number| number as u64).collect()
}

#[test]
fn answers_are_those_of_one_process_and_of_std() {
    within_limit(async {
        let table = Table { rows: 40_500, files: 8, seed: 7 };
        let folder = written(table);
        let mut cluster = cluster(2, 0);
        let session = remote(&cluster, 8, &folder).await;
        let local = queries::local(8).unwrap();
        queries::register_table(&local, folder.path()).await.unwrap();
        let mut answers = Vec::new();
        for query in queries::all() {
            let answer = queries::ask(&session, &query.sql).await.unwrap();
            let in_one_process = queries::ask(&local, &query.sql).await.unwrap();
            assert_eq!(printed(&answer), printed(&in_one_process), "{}", query.sql);
            answers.push(answer);
        }

        let bad = bad_rows(table);
        assert!(bad.len() >= 40);
        assert_eq!(numbers(&answers[0], "all_rows"), [table.rows]);
        assert_eq!(numbers(&answers[0], "bad"), [bad.len() as u64]);
        check_errors(&answers[1], &bad);
        assert_eq!(numbers(&answers[2], "id"), ids(&bad));
        let repaired = bad.iter().map(|(_, text)| String::from_utf8_lossy(text).into_owned());
        assert_eq!(texts(&answers[2], "repaired"), repaired.collect::<Vec<_>>());
        check_encodings(table, &answers[3]);

        let usage = cluster.usage().unwrap();
        for executor in 0..2 {
            let tasks = cluster.tasks(executor);
            assert!(!tasks.is_empty(), "executor {executor} did nothing");
            assert!(tasks.iter().all(|task| task.error.is_none()), "{tasks:?}");
            assert!(usage[executor + 1].scanned > 0);
        }
        // Partial results went to the other executor, or to the client.
        assert!(usage.iter().any(|usage| usage.sent > 0));
    });
}

fn ids(bad: &[(u64, Vec<u8>)]) -> Vec<u64> {
    bad.iter().map(|(id, _)| *id).collect()
}

/// Compares the rows of an answer, and the offsets of their errors, with std's.
fn check_errors(answer: &[RecordBatch], bad: &[(u64, Vec<u8>)]) {
    assert_eq!(numbers(answer, "id"), ids(bad));
    let offsets = |batch: &RecordBatch| {
        let errors = batch.column_by_name("error").unwrap().as_struct();
        assert_eq!(errors.null_count(), 0);
        integers(errors.column_by_name("offset").unwrap())
    };
    let found: Vec<_> = answer.iter().flat_map(offsets).collect();
    let offset = |text: &[u8]| std::str::from_utf8(text).unwrap_err().valid_up_to() as u64;
    assert_eq!(found, bad.iter().map(|(_, text)| offset(text)).collect::<Vec<_>>());
}

/// The answer of a detector is a guess. It must be right in 999 of 1,000 of these texts.
fn check_encodings(table: Table, answer: &[RecordBatch]) {
    let mut truth = BTreeMap::<&str, u64>::new();
    for id in 0..table.rows {
        let Row { encoding, mixed, .. } = table.row(id);
        let name = match encoding {
            Encoding::Utf8 | Encoding::Latin1 if mixed.is_ascii() => "ascii",
            Encoding::Utf8 => "utf-8",
            Encoding::Latin1 => "latin1",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
        };
        *truth.entry(name).or_default() += 1;
    }
    let names = texts(answer, "encoding");
    let counts = numbers(answer, "number");
    assert_eq!(counts.iter().sum::<u64>(), table.rows);
    let found: BTreeMap<_, _> = names.iter().map(String::as_str).zip(counts).collect();
    for (name, count) in truth {
        let found = found.get(name).copied().unwrap_or(0);
        assert!(found.abs_diff(count) * 1_000 <= count, "{name}: {found} rows, truly {count}");
    }
}

#[test]
fn a_killed_executor_changes_no_answer() {
    within_limit(async {
        let table = Table { rows: 96_000, files: 24, seed: 3 };
        let folder = written(table);
        let mut cluster = cluster(2, 0);
        let session = remote(&cluster, 24, &folder).await;
        let sql = queries::all()[1].sql.clone();
        let asked = tokio::spawn({
            let (session, sql) = (session.clone(), sql.clone());
            async move { queries::ask(&session, &sql).await }
        });
        while cluster.tasks(1).is_empty() {
            assert!(!asked.is_finished(), "the first executor did everything");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        cluster.kill(1).unwrap();
        let killed = Instant::now();
        // In the middle: parts of the table have not been read yet.
        let tasks = cluster.tasks(0).len() + cluster.tasks(1).len();
        assert!(tasks < 24, "{tasks} tasks of 24 were done before the kill");

        let bad = bad_rows(table);
        check_errors(&asked.await.unwrap().unwrap(), &bad);
        let answered = killed.elapsed();
        // The results of the second executor were lost: the first one has read the whole table.
        assert!(cluster.tasks(0).len() > 24, "{:?}", cluster.tasks(0));
        // One executor is left, and answers.
        let (lost, asked) = (cluster.tasks(1).len(), Instant::now());
        check_errors(&queries::ask(&session, &sql).await.unwrap(), &bad);
        // The loss has cost no more than a few times the work that was done again.
        let enough = ENOUGH_TO_GIVE_UP + 2 * asked.elapsed();
        assert!(answered < enough, "{answered:?} of {enough:?}");
        assert_eq!(cluster.tasks(1).len(), lost);
        assert_eq!(cluster.usage().unwrap()[2].tasks, lost);
    });
}

#[test]
fn a_busy_executor_is_not_given_up() {
    within_limit(async {
        let folder = written(Table { rows: 40_000, files: 1, seed: 5 });
        let mut cluster = cluster(1, 0);
        let session = remote(&cluster, 1, &folder).await;
        // A task that takes longer than a silent executor may.
        let enough = Duration::from_secs(2 * EXECUTOR_TIMEOUT);
        let (mut rows, mut tasks) = (64, None);
        loop {
            let (start, before) = (Instant::now(), cluster.usage().unwrap()[1]);
            let sql = format!(
                "SELECT count(*) AS number FROM texts AS a, texts AS b
                 WHERE a.id < {rows} AND (a.id * b.id) % 7 < 7"
            );
            let answer = queries::ask(&session, &sql).await.unwrap();
            assert_eq!(numbers(&answer, "number"), [40_000 * rows]);
            // None of them is done again.
            let done = cluster.usage().unwrap()[1].since(before).tasks;
            assert_eq!(done, *tasks.get_or_insert(done));
            if start.elapsed() > enough {
                break;
            }
            rows *= 2;
        }
        assert!(cluster.tasks(0).iter().all(|task| task.error.is_none()));
    });
}

#[test]
fn an_executor_without_the_functions_says_so() {
    within_limit(async {
        let folder = written(Table { rows: 100, files: 1, seed: 1 });
        let cluster = cluster(0, 1);
        let session = remote(&cluster, 1, &folder).await;
        let error = queries::ask(&session, &queries::all()[0].sql).await.unwrap_err().to_string();
        assert!(error.contains("not provided for scalar function is_valid_utf8"), "{error}");
        // Queries without functions of utflane still work.
        let sql = "SELECT count(*) AS all_rows FROM texts WHERE id >= 0";
        assert_eq!(numbers(&queries::ask(&session, sql).await.unwrap(), "all_rows"), [100]);
    });
}

#[test]
fn rows_are_damaged_as_told_and_made_again() {
    let table = Table { rows: 5_700, files: 3, seed: 11 };
    let bad = bad_rows(table);
    assert_eq!(bad.len() as u64, table.damaged());
    assert!(bad.iter().all(|(id, _)| table.is_damaged(*id)));
    // One in each thousand.
    let blocks: Vec<_> = bad.iter().map(|(id, _)| id / ROWS_PER_DAMAGE).collect();
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
fn a_folder_with_another_table_is_left_alone() {
    let table = Table { rows: 1_000, files: 2, seed: 1 };
    let folder = written(table);
    let bytes = table.write(folder.path()).unwrap();
    assert_eq!(table.write(folder.path()).unwrap(), bytes);
    let error = Table { seed: 2, ..table }.write(folder.path()).unwrap_err().to_string();
    assert!(error.contains("has another table: rows 1000, files 2, seed 1"), "{error}");
    assert!(Table { files: 0, ..table }.write(folder.path()).is_err());
    let none = Table { rows: 0, files: 1, seed: 1 };
    assert_eq!(none.damaged(), 0);
    written(none);
}

/// A command that is ended with this value.
struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(arguments: &[&str], input: Stdio) -> Run {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    Run(command.spawn().unwrap())
}

#[test]
fn the_command_does_all() {
    let rows = ["--rows", "3000", "--files", "4", "--partitions", "4"];
    for executors in ["2", "0"] {
        let arguments = [&["--limit", "120", "run", "--executors", executors][..], &rows].concat();
        let mut run = command(&arguments, Stdio::null());
        let mut output = String::new();
        run.0.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        assert!(run.0.wait().unwrap().success(), "{output}");
        assert!(output.starts_with("3000 rows, 3 of them damaged, in 4 files"), "{output}");
        assert!(output.contains("| 3000     | 3   |"), "{output}");
        assert!(output.contains("\n| utf-16le "), "{output}");
        assert_eq!(output.contains("\nexecutor 2: "), executors == "2", "{output}");
    }
    let mut run = command(&["run", "--executors", "1", "--kill"], Stdio::null());
    assert!(!run.0.wait().unwrap().success());
}

/// A cluster that would run queries for a long time, with its temporary folders in `folder`.
struct Endless {
    run: Run,
    port: u16,
    processes: Vec<u32>,
}

fn endless(folder: &Path) -> Endless {
    let mut command = Command::new(PROGRAM);
    let table = ["--rows", "1000", "--files", "1", "--repeat", "1000000"];
    command.args(["--limit", "120", "run"]).args(table).env("TMPDIR", folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut run = Run(command.spawn().unwrap());
    let mut output = run.0.stdout.take().unwrap();
    let mut lines = BufReader::new(&mut output).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("a scheduler on port")).unwrap();
    let port = line.split(' ').find_map(|word| word.parse().ok()).unwrap();
    let (_, processes) = line.trim_end_matches(']').split_once('[').unwrap();
    let processes: Vec<_> = processes.split(", ").map(|id| id.parse().unwrap()).collect();
    assert_eq!(processes.len(), 3);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    // Until it is ended, it writes.
    thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    Endless { run, port, processes }
}

/// Waits until none of the processes runs, and the port is free.
fn wait_for_end(port: u16, processes: &[u32]) {
    let end = Instant::now() + Duration::from_secs(30);
    while processes.iter().any(|&id| runs(id)) || TcpStream::connect(("127.0.0.1", port)).is_ok() {
        assert!(Instant::now() < end, "processes still run: {processes:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn processes_end_with_the_one_that_started_them() {
    let folder = TempDir::new().unwrap();
    let mut endless = endless(folder.path());
    // Without a chance to end the others.
    endless.run.0.kill().unwrap();
    endless.run.0.wait().unwrap();
    wait_for_end(endless.port, &endless.processes);
}

#[test]
#[cfg(unix)]
fn an_interrupted_command_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let mut endless = endless(folder.path());
    let id = endless.run.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(!endless.run.0.wait().unwrap().success());
    wait_for_end(endless.port, &endless.processes);
    let left: Vec<_> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Returns true if Linux lists a process as running. A process that has ended is listed until its
/// parent waits for it.
fn runs(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

#[test]
fn a_process_ends_at_its_limit() {
    let start = Instant::now();
    let mut scheduler = command(&["--limit", "1", "scheduler"], Stdio::piped());
    // Its input stays open, so it doesn't end for that.
    let _input = scheduler.0.stdin.take().unwrap();
    let mut message = String::new();
    scheduler.0.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(!scheduler.0.wait().unwrap().success());
    assert!(message.contains("ended after 1 s, as --limit says"), "{message}");
    assert!(start.elapsed() < LIMIT);
}
