//! A store whose files are read in another encoding, as UTF-8.
//!
//! DataFusion's readers of formats get their bytes from a store. So each of them reads any encoding
//! when its store decodes.

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

/// A store that decodes files, and otherwise forwards to the inner store.
#[derive(Debug)]
struct DecodingStore {
    inner: Arc<dyn ObjectStore>,
    decoding: Decoding,
}

/// Returns a store that decodes files.
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

/// An error of this store.
fn generic(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Generic { store: "decoding", source: source.into() }
}

#[async_trait]
impl ObjectStore for DecodingStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if options.range.is_some() {
            return Err(generic("a part of a file in another encoding cannot be read"));
        }
        if options.head {
            return self.inner.get_opts(location, options).await;
        }
        let result = self.inner.get_opts(location, options).await?;
        let (meta, range, attributes) =
            (result.meta.clone(), result.range.clone(), result.attributes.clone());
        let text = decoded(location.to_string(), self.decoding, pieces(result));
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

/// Bytes of a file that are read at once.
const PIECE: u64 = 128 * 1024;

/// The bytes of a file in pieces. A local file is read by the calling thread, as DataFusion's
/// readers do: `object_store` would read 8 KiB at a time, each by another thread.
pub(super) fn pieces(result: GetResult) -> BoxStream<'static, Result<Bytes>> {
    let GetResultPayload::File(file, path) = result.payload else { return result.into_stream() };
    let len = result.range.end - result.range.start;
    let read = move |(mut file, left): (File, u64)| {
        let mut piece = Vec::with_capacity(left.min(PIECE) as usize);
        match (&mut file).take(left.min(PIECE)).read_to_end(&mut piece) {
            Ok(0) => None,
            Ok(read) => Some((Ok(piece.into()), (file, left - read as u64))),
            Err(error) => {
                let path = path.display();
                Some((Err(generic(format!("{path} cannot be read: {error}"))), (file, 0)))
            }
        }
    };
    let mut state = Some((file, len));
    let all = std::iter::from_fn(move || {
        let (piece, next) = read(state.take()?)?;
        state = Some(next);
        Some(piece)
    });
    stream::iter(all).boxed()
}

/// A file that is decoded while it arrives.
struct Decoded {
    location: String,
    decoder: Decoder,
    pieces: BoxStream<'static, Result<Bytes>>,
    /// Line feeds of the text so far.
    lines: u64,
    /// True if all pieces have arrived.
    ended: bool,
    /// True if an error was returned, which is the end.
    failed: bool,
}

/// The text of a file. Text before an error is returned first.
fn decoded(
    location: String,
    decoding: Decoding,
    pieces: BoxStream<'static, Result<Bytes>>,
) -> BoxStream<'static, Result<Bytes>> {
    let decoder = Decoder::new(decoding);
    let file = Decoded { location, decoder, pieces, lines: 0, ended: false, failed: false };
    stream::unfold(file, |mut file| async { file.next().await.map(|text| (text, file)) }).boxed()
}

impl Decoded {
    /// Returns the next text; `None` at the end.
    async fn next(&mut self) -> Option<Result<Bytes>> {
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
                    break generic(FileError { location, line, failure });
                }
                None if self.ended => return None,
                None => {}
            }
            match self.pieces.next().await {
                Some(Ok(piece)) => self.decoder.feed(piece),
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
