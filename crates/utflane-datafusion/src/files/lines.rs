//! The table function `read_text`, which returns a row for each line of text files.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::object_store::path::Path;
use datafusion::object_store::{ObjectStore, ObjectStoreExt};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::stream;
use futures::{StreamExt, TryStreamExt};
use utflane::Scheme;
use utflane_charset::Charset;

use super::decoder::Decoding;
use super::store::read_chunks;
use super::text_file::{DEFAULT_MAX_LINE_BYTES, SCHEMA, TextFile};
use crate::encoding::{EncodingChoice, OnError};

/// The table function `read_text(path[, encoding[, on_error[, longest_line]]])`: see
/// [`register_files`](super::register_files).
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadText;

impl TableFunctionImpl for ReadText {
    fn call_with_args(
        &self,
        arguments: TableFunctionArgs<'_, '_>,
    ) -> Result<Arc<dyn TableProvider>> {
        let literal_text = |expression: &Expr| match expression {
            Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
            _ => None,
        };
        let (texts, max_line_bytes) = match arguments.exprs() {
            [texts @ .., number] if texts.len() == 3 => (texts, parse_max_line_bytes(number)?),
            texts => (texts, DEFAULT_MAX_LINE_BYTES),
        };
        let names: Option<Vec<_>> = texts.iter().map(literal_text).collect();
        let names = names.unwrap_or_default();
        let (path, names) = match &names[..] {
            [path, names @ ..] if names.len() <= 2 => (path, names),
            _ => {
                return plan_err!(
                    "read_text takes a path, and optionally an encoding, on_error and the maximum \
                     length of a line in bytes; the first three are text"
                );
            }
        };
        let error = |message| plan_datafusion_err!("read_text: {message}");
        let utf8 = EncodingChoice::Named(Charset::Scheme(Scheme::Utf8));
        let choice = names.first().map_or(Ok(utf8), |name| EncodingChoice::from_label(name));
        let on_error = names.get(1).map_or(Ok(OnError::Error), |name| OnError::from_name(name));
        let decoding =
            Decoding { choice: choice.map_err(error)?, on_error: on_error.map_err(error)? };
        Ok(Arc::new(TextTable { url: ListingTableUrl::parse(path)?, decoding, max_line_bytes }))
    }
}

/// Returns the maximum length of a line in bytes, from an argument. The offsets of a column are at
/// most 2^31 - 1.
fn parse_max_line_bytes(argument: &Expr) -> Result<usize> {
    let number = match argument {
        Expr::Literal(value, _) => match value.cast_to(&DataType::Int64) {
            Ok(ScalarValue::Int64(number)) if value.data_type().is_integer() => number,
            _ => None,
        },
        _ => None,
    };
    match number.and_then(|number| i32::try_from(number).ok()) {
        Some(number @ 1..) => Ok(number as usize),
        _ => plan_err!(
            "read_text: the argument longest_line must be a number of bytes from 1 to 2147483647"
        ),
    }
}

/// A table of the lines of all files that a URL names.
#[derive(Debug)]
struct TextTable {
    url: ListingTableUrl,
    decoding: Decoding,
    /// The maximum length of a line, in bytes.
    max_line_bytes: usize,
}

#[async_trait]
impl TableProvider for TextTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&SCHEMA)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let store_url = self.url.object_store();
        let store = state.runtime_env().object_store(&store_url)?;
        let files = self.url.list_all_files(state, &store, "").await?;
        let mut files: Vec<Path> = files.map_ok(|meta| meta.location).try_collect().await?;
        if files.is_empty() {
            return plan_err!("read_text: no file is at {}", self.url);
        }
        files.sort();
        let partitions = state.config().target_partitions().clamp(1, files.len());
        let files_per_partition = files.len().div_ceil(partitions);
        let partitions = files.chunks(files_per_partition).map(|files| {
            let files = files.iter().cloned().collect();
            let store = store_url.clone();
            let (decoding, max_line_bytes) = (self.decoding, self.max_line_bytes);
            let partition = Partition { store, files, decoding, max_line_bytes };
            Arc::new(partition) as Arc<dyn PartitionStream>
        });
        let partitions = partitions.collect();
        let schema = self.schema();
        let plan = StreamingTableExec::try_new(schema, partitions, projection, [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// A partition of a table: the lines of some of the files, one file after another.
struct Partition {
    store: ObjectStoreUrl,
    files: VecDeque<Path>,
    decoding: Decoding,
    /// The maximum length of a line, in bytes.
    max_line_bytes: usize,
}

impl fmt::Debug for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partition").field("files", &self.files).finish_non_exhaustive()
    }
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &SCHEMA
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let store = context.runtime_env().object_store(&self.store);
        let reader = store.map(|store| Reader {
            store,
            files: self.files.clone(),
            decoding: self.decoding,
            max_line_bytes: self.max_line_bytes,
            pool: Arc::clone(context.memory_pool()),
            batch_rows: context.session_config().batch_size().max(1),
            file: None,
            lines: None,
            error: None,
        });
        let batches = match reader {
            Ok(reader) => stream::try_unfold(reader, |mut reader| async {
                Ok(reader.next_batch().await?.map(|batch| (batch, reader)))
            })
            .boxed(),
            Err(error) => stream::once(async { Err(error) }).boxed(),
        };
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&SCHEMA), batches))
    }
}

/// Reads the lines of files in batches.
struct Reader {
    store: Arc<dyn ObjectStore>,
    files: VecDeque<Path>,
    decoding: Decoding,
    /// The maximum length of a line, in bytes.
    max_line_bytes: usize,
    /// The pool in which the memory of lines is reserved.
    pool: Arc<dyn MemoryPool>,
    /// The maximum number of rows of a batch.
    batch_rows: usize,
    file: Option<TextFile>,
    /// Lines that have been read, and are not returned yet.
    lines: Option<RecordBatch>,
    /// The error that follows these lines.
    error: Option<DataFusionError>,
}

impl Reader {
    /// Returns the next batch; `None` at the end. A batch has lines of one file.
    async fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(lines) = self.lines.take() {
                let rows = self.batch_rows.min(lines.num_rows());
                if rows < lines.num_rows() {
                    self.lines = Some(lines.slice(rows, lines.num_rows() - rows));
                }
                return Ok(Some(lines.slice(0, rows)));
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            let file = match &mut self.file {
                Some(file) => file,
                None => {
                    let Some(path) = self.files.pop_front() else { return Ok(None) };
                    let chunks = read_chunks(self.store.get(&path).await?);
                    let memory = MemoryConsumer::new("read_text").register(&self.pool);
                    self.file.insert(TextFile::new(
                        path,
                        self.decoding,
                        self.max_line_bytes,
                        memory,
                        chunks,
                    ))
                }
            };
            self.error = file.fill(self.batch_rows).await.err();
            self.lines = Some(file.take_batch()?).filter(|batch| batch.num_rows() > 0);
            if file.has_ended() {
                self.file = None;
            }
        }
    }
}
