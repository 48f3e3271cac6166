//! An object store that decodes files from another encoding to UTF-8.
//!
//! DataFusion's readers of file formats get their bytes from an object store. So each reader can
//! read any encoding if its store decodes the files.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use futures::StreamExt;
use futures::stream::{self, BoxStream};

use super::decoder::{Decoder, Decoding};
use super::error::FileError;

/// A store that decodes files, and forwards all other operations to the inner store.
#[derive(Debug)]
struct DecodingStore {
    inner: Arc<dyn ObjectStore>,
    decoding: Decoding,
}

/// Returns a store that decodes the files of `inner`.
pub(super) fn decoding_store(
    inner: &Arc<dyn ObjectStore>,
    decoding: Decoding,
) -> Arc<dyn ObjectStore> {
    Arc::new(DecodingStore { inner: Arc::clone(inner), decoding })
}

impl fmt::Display for DecodingStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decoded from {}", self.inner, self.decoding.choice.name())
    }
}

/// Creates an error of this store.
fn store_error(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Generic { store: "decoding", source: source.into() }
}

#[async_trait]
impl ObjectStore for DecodingStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if options.range.is_some() {
            return Err(store_error("a part of a file in another encoding cannot be read"));
        }
        if options.head {
            return self.inner.get_opts(location, options).await;
        }
        let result = self.inner.get_opts(location, options).await?;
        let (meta, range, attributes) =
            (result.meta.clone(), result.range.clone(), result.attributes.clone());
        let text = decode(location.to_string(), self.decoding, read_chunks(result));
        Ok(GetResult { payload: GetResultPayload::Stream(text), meta, range, attributes })
    }

    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

/// The maximum number of bytes of a chunk.
const CHUNK_BYTES: u64 = 128 * 1024;

/// Returns the bytes of a file in chunks. A local file is read by the calling thread, as in
/// DataFusion's readers: `object_store` would read 8 KiB at a time, each time in another thread.
pub(super) fn read_chunks(result: GetResult) -> BoxStream<'static, Result<Bytes>> {
    let GetResultPayload::File(file, path) = result.payload else { return result.into_stream() };
    let len = result.range.end - result.range.start;
    let read = move |(mut file, bytes_left): (File, u64)| {
        let mut chunk = Vec::with_capacity(bytes_left.min(CHUNK_BYTES) as usize);
        match (&mut file).take(bytes_left.min(CHUNK_BYTES)).read_to_end(&mut chunk) {
            Ok(0) => None,
            Ok(read) => Some((Ok(chunk.into()), (file, bytes_left - read as u64))),
            Err(error) => {
                let path = path.display();
                Some((Err(store_error(format!("{path} cannot be read: {error}"))), (file, 0)))
            }
        }
    };
    let mut state = Some((file, len));
    let chunks = std::iter::from_fn(move || {
        let (chunk, next_state) = read(state.take()?)?;
        state = Some(next_state);
        Some(chunk)
    });
    stream::iter(chunks).boxed()
}

/// A file that is decoded while it arrives.
struct DecodedFile {
    location: String,
    decoder: Decoder,
    chunks: BoxStream<'static, Result<Bytes>>,
    /// The number of line feeds in the text so far.
    lines: u64,
    /// True if all chunks have arrived.
    ended: bool,
    /// True if an error was returned. Nothing is returned after it.
    failed: bool,
}

/// Returns the text of a file as a stream. The text before an error is returned before the error.
fn decode(
    location: String,
    decoding: Decoding,
    chunks: BoxStream<'static, Result<Bytes>>,
) -> BoxStream<'static, Result<Bytes>> {
    let decoder = Decoder::new(decoding);
    let file = DecodedFile { location, decoder, chunks, lines: 0, ended: false, failed: false };
    stream::unfold(file, |mut file| async { file.next_text().await.map(|text| (text, file)) })
        .boxed()
}

impl DecodedFile {
    /// Returns the next text; `None` at the end.
    async fn next_text(&mut self) -> Option<Result<Bytes>> {
        let error = loop {
            if self.failed {
                return None;
            }
            match self.decoder.next() {
                Some(Ok(text)) => {
                    self.lines += memchr::memchr_iter(b'\n', &text).count() as u64;
                    return Some(Ok(text));
                }
                Some(Err(failure)) => {
                    let (location, line) = (self.location.clone(), self.lines + 1);
                    break store_error(FileError { location, line, failure });
                }
                None if self.ended => return None,
                None => {}
            }
            match self.chunks.next().await {
                Some(Ok(chunk)) => self.decoder.feed(chunk),
                Some(Err(error)) => break error,
                None => {
                    self.decoder.end();
                    self.ended = true;
                }
            }
        };
        self.failed = true;
        Some(Err(error))
    }
}
