//! File formats of DataFusion for files in any encoding: CSV and JSON lines.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{
    GetExt, Result, Statistics, internal_err, not_impl_err, plan_datafusion_err, plan_err,
};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{
    FileOpener, FileScanConfig, FileScanConfigBuilder, FileSinkConfig, FileSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::object_store::{ObjectMeta, ObjectStore};
use datafusion::physical_expr::{LexRequirement, PhysicalExpr};
use datafusion::physical_plan::filter_pushdown::FilterPushdownPropagation;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::projection::ProjectionExprs;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan};

use super::decoder::Decoding;
use super::store::decoding_store;
use crate::encoding::{EncodingChoice, OnError};

/// A factory of file formats that adds the options `encoding` and `on_error` to another format.
///
/// Without these options, it creates the wrapped format unchanged, which reads UTF-8 without a byte
/// order mark.
/// [`register_files`](super::register_files) adds the options to the formats CSV and JSON.
#[derive(Debug)]
pub struct EncodedFormatFactory {
    inner: Arc<dyn FileFormatFactory>,
}

impl EncodedFormatFactory {
    /// Adds the options to the formats of `inner`. They must be text formats whose files are read
    /// from start to end.
    #[must_use]
    pub fn new(inner: Arc<dyn FileFormatFactory>) -> Self {
        Self { inner }
    }
}

impl GetExt for EncodedFormatFactory {
    fn get_ext(&self) -> String {
        self.inner.get_ext()
    }
}

impl FileFormatFactory for EncodedFormatFactory {
    fn create(
        &self,
        state: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        let mut options = options.clone();
        let mut take = |name: &str| {
            let prefixed = format!("format.{name}");
            options.remove(&prefixed).or_else(|| options.remove(name))
        };
        let (encoding, on_error) = (take("encoding"), take("on_error"));
        let inner = self.inner.create(state, &options)?;
        let Some(encoding) = encoding else {
            return match on_error {
                Some(_) => plan_err!("the option 'on_error' needs the option 'encoding'"),
                None => Ok(inner),
            };
        };
        if inner.compression_type().is_some_and(|kind| kind.is_compressed()) {
            return plan_err!("files with the option 'encoding' must not be compressed");
        }
        let choice = EncodingChoice::from_label(&encoding)
            .map_err(|error| plan_datafusion_err!("{error}"))?;
        let on_error = match on_error.as_deref().map(OnError::from_name).transpose() {
            Ok(Some(OnError::Null)) => {
                return plan_err!(
                    "for CSV and JSON tables, 'on_error' cannot be 'null'; use 'error' or the name \
                     of a repair"
                );
            }
            Ok(on_error) => on_error.unwrap_or(OnError::Error),
            Err(error) => return plan_err!("{error}"),
        };
        Ok(Arc::new(EncodedFormat { inner, decoding: Decoding { choice, on_error } }))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        self.inner.default()
    }
}

/// A file format whose files are decoded from an encoding.
#[derive(Debug)]
struct EncodedFormat {
    inner: Arc<dyn FileFormat>,
    decoding: Decoding,
}

#[async_trait]
impl FileFormat for EncodedFormat {
    fn get_ext(&self) -> String {
        self.inner.get_ext()
    }

    fn get_ext_with_compression(&self, kind: &FileCompressionType) -> Result<String> {
        self.inner.get_ext_with_compression(kind)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.inner.compression_type()
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.inner.infer_schema(state, &decoding_store(store, self.decoding), objects).await
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        self.inner.infer_stats(state, &decoding_store(store, self.decoding), schema, object).await
    }

    /// Returns the plan of the inner format. The inner format is given the unwrapped file source.
    /// The file source in its plan is then wrapped again.
    async fn create_physical_plan(
        &self,
        state: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(encoded) = config.file_source().downcast_ref::<EncodedSource>() else {
            return internal_err!("the file source is not an EncodedSource");
        };
        let source = Arc::clone(&encoded.inner);
        let config = FileScanConfigBuilder::from(config).with_source(source).build();
        let plan = self.inner.create_physical_plan(state, config).await?;
        let config = plan
            .downcast_ref::<DataSourceExec>()
            .and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>());
        let Some(config) = config else { return internal_err!("the plan is not a scan of files") };
        let source = EncodedSource::wrap(Arc::clone(config.file_source()), self.decoding);
        let config = FileScanConfigBuilder::from(config.clone()).with_source(source).build();
        Ok(DataSourceExec::from_data_source(config))
    }

    async fn create_writer_physical_plan(
        &self,
        _input: Arc<dyn ExecutionPlan>,
        _state: &dyn Session,
        _config: FileSinkConfig,
        _order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        not_impl_err!("files are written in UTF-8: leave out the option 'encoding'")
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        EncodedSource::wrap(self.inner.file_source(schema), self.decoding)
    }
}

/// A file source whose files are decoded from an encoding.
struct EncodedSource {
    inner: Arc<dyn FileSource>,
    decoding: Decoding,
}

impl EncodedSource {
    /// Wraps a file source, so that its files are decoded.
    fn wrap(inner: Arc<dyn FileSource>, decoding: Decoding) -> Arc<dyn FileSource> {
        Arc::new(Self { inner, decoding })
    }
}

impl FileSource for EncodedSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        self.inner.create_file_opener(decoding_store(&store, self.decoding), config, partition)
    }

    fn table_schema(&self) -> &TableSchema {
        self.inner.table_schema()
    }

    fn with_batch_size(&self, rows: usize) -> Arc<dyn FileSource> {
        Self::wrap(self.inner.with_batch_size(rows), self.decoding)
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.inner.filter()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        self.inner.projection()
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        self.inner.metrics()
    }

    fn file_type(&self) -> &str {
        self.inner.file_type()
    }

    fn fmt_extra(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_extra(kind, f)?;
        match kind {
            DisplayFormatType::TreeRender => Ok(()),
            _ => write!(f, ", encoding={}", self.decoding.choice.name()),
        }
    }

    /// Returns false: an offset in the bytes of a file is not an offset in its text.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let pushed = self.inner.try_pushdown_filters(filters, config)?;
        let updated_node = pushed.updated_node.map(|inner| Self::wrap(inner, self.decoding));
        Ok(FilterPushdownPropagation { filters: pushed.filters, updated_node })
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let pushed = self.inner.try_pushdown_projection(projection)?;
        Ok(pushed.map(|inner| Self::wrap(inner, self.decoding)))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.inner.apply_expressions(f)
    }
}
