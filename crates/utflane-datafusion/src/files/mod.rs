//! Reads files in any encoding: the lines of text files, and files in formats of DataFusion.

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

/// The formats whose files can be in any encoding: all text formats.
const FORMATS: [&str; 2] = ["csv", "json"];

/// Registers the table function `read_text` in a session, and adds the options `encoding` and
/// `on_error` to the formats CSV and JSON.
///
/// `read_text(path[, encoding[, on_error[, longest_line]]])` returns a row for each line of the
/// files that a path or a pattern names: `path`, `line` counted from 1, and `text` without the line
/// end. The default encoding is UTF-8. `on_error` has the same meaning as in `decode_text`; `null`
/// makes an ill-formed line null.
///
/// `CREATE EXTERNAL TABLE ... STORED AS CSV ... OPTIONS ('format.encoding' 'utf-16le')` creates a
/// table of files in this encoding. The option `'format.on_error'` can name a repair.
///
/// A byte order mark at the start of a file decides the encoding of the file, even if another
/// encoding is named, and is removed. `longest_line` is the maximum length of a line in bytes of
/// UTF-8; the default is 256 MiB. A longer line is an error that names the file and the line. It is
/// reported before the whole line is read. The memory of lines is reserved in the memory pool of
/// the session. If the pool is full, the error of the pool also names the file and the line.
///
/// `auto` is the likely encoding of each file. It is detected from 64 KiB, which begin at the first
/// byte that is not plain ASCII. The whole file is searched for a part in another encoding. Such a
/// part is an error that names both encodings and the offset, whatever `on_error` is. Files are
/// read in chunks, never as a whole. A line ends with a line feed; a carriage return before the
/// line feed belongs to the line end.
///
/// With `read_text`, everyone who can write queries can read all files that the process can read.
/// So this function is not part of [`register_all`](crate::register_all).
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
/// Returns an error if the session does not have the formats CSV and JSON.
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
