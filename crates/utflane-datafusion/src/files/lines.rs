//! The table function `read_text`: a row for each line of text files.

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
use super::store::pieces;
use super::text_file::{LONGEST_LINE, SCHEMA, TextFile};
use crate::encoding::{Choice, OnError};

/// The table function `read_text(path[, encoding[, on_error[, longest_line]]])`: see
/// [`register_files`](super::register_files).
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadText;

impl TableFunctionImpl for ReadText {
    fn call_with_args(
        &self,
        arguments: TableFunctionArgs<'_, '_>,
    ) -> Result<Arc<dyn TableProvider>> {
        let text = |expression: &Expr| match expression {
            Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
            _ => None,
        };
        let (texts, longest) = match arguments.exprs() {
            [texts @ .., longest] if texts.len() == 3 => (texts, longest_line(longest)?),
            texts => (texts, LONGEST_LINE),
        };
        let names: Option<Vec<_>> = texts.iter().map(text).collect();
        let names = names.unwrap_or_default();
        let (path, names) = match &names[..] {
            [path, names @ ..] if names.len() <= 2 => (path, names),
            _ => {
                return plan_err!(
                    "read_text takes a path, and perhaps an encoding and on_error, as text, and \
                     the bytes of the longest line"
                );
            }
        };
        let error = |message| plan_datafusion_err!("read_text: {message}");
        let utf8 = Choice::Named(Charset::Scheme(Scheme::Utf8));
        let choice = names.first().map_or(Ok(utf8), |name| Choice::from_label(name));
        let on_error = names.get(1).map_or(Ok(OnError::Error), |name| OnError::from_name(name));
        let decoding =
            Decoding { choice: choice.map_err(error)?, on_error: on_error.map_err(error)? };
        Ok(Arc::new(TextTable { url: ListingTableUrl::parse(path)?, decoding, longest }))
    }
}

/// Returns the bytes of the longest line: a column counts up to 2^31 - 1.
fn longest_line(argument: &Expr) -> Result<usize> {
    let number = match argument {
        Expr::Literal(value, _) => match value.cast_to(&DataType::Int64) {
            Ok(ScalarValue::Int64(number)) if value.data_type().is_integer() => number,
            _ => None,
        },
        _ => None,
    };
    match number.and_then(|number| i32::try_from(number).ok()) {
        Some(longest @ 1..) => Ok(longest as usize),
        _ => plan_err!("read_text: the longest line is a number of bytes from 1 to 2147483647"),
    }
}

/// The lines of the files that a URL names.
#[derive(Debug)]
struct TextTable {
    url: ListingTableUrl,
    decoding: Decoding,
    longest: usize,
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
        let in_each = files.len().div_ceil(partitions);
        let partitions = files.chunks(in_each).map(|files| {
            let files = files.iter().cloned().collect();
            let (store, decoding, longest) = (store_url.clone(), self.decoding, self.longest);
            let lines = Lines { store, files, decoding, longest };
            Arc::new(lines) as Arc<dyn PartitionStream>
        });
        let partitions = partitions.collect();
        let schema = self.schema();
        let plan = StreamingTableExec::try_new(schema, partitions, projection, [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// The lines of some files, one after another.
struct Lines {
    store: ObjectStoreUrl,
    files: VecDeque<Path>,
    decoding: Decoding,
    longest: usize,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("files", &self.files).finish_non_exhaustive()
    }
}

impl PartitionStream for Lines {
    fn schema(&self) -> &SchemaRef {
        &SCHEMA
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let store = context.runtime_env().object_store(&self.store);
        let reader = store.map(|store| Reader {
            store,
            files: self.files.clone(),
            decoding: self.decoding,
            longest: self.longest,
            pool: Arc::clone(context.memory_pool()),
            rows: context.session_config().batch_size().max(1),
            file: None,
            ready: None,
            error: None,
        });
        let batches = match reader {
            Ok(reader) => stream::try_unfold(reader, |mut reader| async {
                Ok(reader.next().await?.map(|batch| (batch, reader)))
            })
            .boxed(),
            Err(error) => stream::once(async { Err(error) }).boxed(),
        };
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&SCHEMA), batches))
    }
}

/// Reads files in batches.
struct Reader {
    store: Arc<dyn ObjectStore>,
    files: VecDeque<Path>,
    decoding: Decoding,
    /// The most bytes of a line.
    longest: usize,
    /// Where the memory of lines is reserved.
    pool: Arc<dyn MemoryPool>,
    /// The most rows of a batch.
    rows: usize,
    file: Option<TextFile>,
    /// Lines that have been read.
    ready: Option<RecordBatch>,
    /// The error after them.
    error: Option<DataFusionError>,
}

impl Reader {
    /// Returns the next batch; `None` at the end. A batch has lines of one file.
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(ready) = self.ready.take() {
                let rows = self.rows.min(ready.num_rows());
                if rows < ready.num_rows() {
                    self.ready = Some(ready.slice(rows, ready.num_rows() - rows));
                }
                return Ok(Some(ready.slice(0, rows)));
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            let file = match &mut self.file {
                Some(file) => file,
                None => {
                    let Some(path) = self.files.pop_front() else { return Ok(None) };
                    let pieces = pieces(self.store.get(&path).await?);
                    let memory = MemoryConsumer::new("read_text").register(&self.pool);
                    self.file.insert(TextFile::new(
                        path,
                        self.decoding,
                        self.longest,
                        memory,
                        pieces,
                    ))
                }
            };
            self.error = file.fill(self.rows).await.err();
            self.ready = Some(file.take_batch()?).filter(|batch| batch.num_rows() > 0);
            if file.has_ended() {
                self.file = None;
            }
        }
    }
}
