//! A store whose files are read in another encoding, as UTF-8.
//!
//! DataFusion's readers of formats get their bytes from a store. So each of them reads any encoding
//! when its store decodes.

use std::fmt;
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

/// A store that decodes what is read, and is otherwise the one inside.
#[derive(Debug)]
struct DecodingStore {
    inner: Arc<dyn ObjectStore>,
    decoding: Decoding,
}

/// Returns a store that decodes what is read.
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
        let text = decoded(location.to_string(), self.decoding, result.into_stream());
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

/// A file that is decoded while it arrives.
struct Decoded {
    location: String,
    decoder: Decoder,
    pieces: BoxStream<'static, Result<Bytes>>,
    /// Lines of the text so far.
    lines: u64,
    /// The error after the text that was returned last.
    failure: Option<Error>,
    ended: bool,
}

/// The text of a file. Text before an error is returned first.
fn decoded(
    location: String,
    decoding: Decoding,
    pieces: BoxStream<'static, Result<Bytes>>,
) -> BoxStream<'static, Result<Bytes>> {
    let decoder = Decoder::new(decoding);
    let file = Decoded { location, decoder, pieces, lines: 0, failure: None, ended: false };
    stream::unfold(file, |mut file| async { file.next().await.map(|text| (text, file)) }).boxed()
}

impl Decoded {
    /// Returns the next text; `None` at the end.
    async fn next(&mut self) -> Option<Result<Bytes>> {
        loop {
            if let Some(failure) = self.failure.take() {
                self.ended = true;
                return Some(Err(failure));
            }
            if self.ended {
                return None;
            }
            match self.pieces.next().await {
                Some(Ok(piece)) => self.decoder.feed(&piece),
                Some(Err(error)) => {
                    self.failure = Some(error);
                    continue;
                }
                None => {
                    self.decoder.end();
                    self.ended = true;
                }
            }
            let mut text = Vec::new();
            let result = self.decoder.decode(&mut text);
            self.lines += text.iter().filter(|&&byte| byte == b'\n').count() as u64;
            if let Err(failure) = result {
                let location = self.location.clone();
                self.failure = Some(generic(FileError { location, line: self.lines + 1, failure }));
            }
            if !text.is_empty() {
                return Some(Ok(text.into()));
            }
        }
    }
}
