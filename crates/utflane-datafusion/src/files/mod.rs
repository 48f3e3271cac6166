//! Files in any encoding: lines of text, and formats of DataFusion.

mod decoder;
mod error;
mod format;
mod lines;
mod store;
mod text_file;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::prelude::SessionContext;

pub use error::FileError;
pub use format::EncodedFormatFactory;
pub use lines::ReadText;

/// The formats whose files can be in any encoding: all that are text.
const FORMATS: [&str; 2] = ["csv", "json"];

/// Gives a session the table function `read_text`, and the options `encoding` and `on_error` of the
/// formats CSV and JSON.
///
/// `read_text(path[, encoding[, on_error[, longest_line]]])` has a row for each line of the files
/// that a path or a pattern names: `path`, `line` counted from 1, and `text` without its line end.
/// The encoding is UTF-8 if none is named. `on_error` is as in `decode_text`; `null` is for the
/// line.
///
/// `CREATE EXTERNAL TABLE ... STORED AS CSV ... OPTIONS ('format.encoding' 'utf-16le')` has a table
/// of files in that encoding, with `'format.on_error'` for a repair.
///
/// A byte order mark at the start of a file decides its encoding, whatever is named, and is
/// removed. A line has at most `longest_line` bytes in UTF-8, or 256 MiB if no number is named: a
/// longer one is an error that names the file and the line, before it is read as a whole. The
/// memory of lines is reserved in the pool of the session; if it is full, the error is the pool's
/// and names them too.
///
/// `auto` is the likely encoding of each file, by the 64 KiB from the first byte on that is no
/// plain ASCII. All of the file is read for parts in another encoding: they are an error that names
/// both encodings and the offset, whatever `on_error` is. Files are read in chunks, never as a
/// whole. A line ends with a line feed, and a carriage return before it belongs to the end.
///
/// Who may write queries may read files with `read_text` that the process can read. So this is no
/// part of [`register_all`](crate::register_all).
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("names.csv");
/// std::fs::write(&file, b"\xFF\xFEn\0a\0m\0e\0\n\0A\0d\0\xE9\0l\0e\0\n\0")?;
///
/// let context = SessionContext::new();
/// utflane_datafusion::register_files(&context)?;
/// let query = format!("SELECT text FROM read_text('{}') WHERE line = 2", file.display());
/// let batches = context.sql(&query).await?.collect().await?;
/// let table = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
/// assert!(table.contains("| Adéle |"));
///
/// let create = format!(
///     "CREATE EXTERNAL TABLE names STORED AS CSV LOCATION '{}'
///      OPTIONS ('format.encoding' 'utf-16le', 'format.has_header' 'true')",
///     file.display()
/// );
/// context.sql(&create).await?;
/// assert_eq!(context.sql("SELECT name FROM names").await?.count().await?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A session that does not know the formats CSV and JSON.
pub fn register_files(context: &SessionContext) -> Result<()> {
    context.register_udtf("read_text", Arc::new(ReadText));
    let state = context.state_ref();
    for name in FORMATS {
        let inner = state.read().get_file_format_factory(name).ok_or_else(|| {
            datafusion::common::config_datafusion_err!("the session has no format {name}")
        })?;
        // Registering twice is harmless.
        if inner.downcast_ref::<EncodedFormatFactory>().is_none() {
            let factory = Arc::new(EncodedFormatFactory::new(inner));
            state.write().register_file_format(factory, true)?;
        }
    }
    Ok(())
}
