//! Decoding in chunks that may be cut anywhere: the class `Decoder`, and a function for codecs,
//! which keep the state themselves.

use pyo3::prelude::*;
use pyo3::types::PyString;
use utflane_charset::{Charset, Legacy, Sink};

use crate::decode::Errors;
use crate::decoding::{Part, next_shift_state, without_incomplete};
use crate::errors::UnknownEncodingError;
use crate::input::{Data, decode_well_formed, run_detached, to_python_string};
use crate::named::{Named, python_name};
use crate::repairs::Repairer;
use crate::through_utf16;

/// The result of decoding a chunk.
struct DecodedChunk<'py> {
    text: Bound<'py, PyString>,
    /// The number of bytes of the chunk that were decoded.
    read: usize,
    /// The state after these bytes. For a known encoding, it is the shift state of ISO-2022-JP.
    /// Otherwise, it is the state that [`Named::resolve_chunk`] returned.
    state: u8,
    /// The encoding, if it is known.
    charset: Option<Charset>,
    repair_count: u64,
}

/// Decodes the chunk `data`, before which a decoder is in `state`. Unless the chunk is the last one
/// of the text, an incomplete sequence at its end is not decoded.
fn decode_chunk<'py>(
    py: Python<'py>,
    named: Named,
    state: u8,
    data: &Data,
    errors: &Errors,
    is_last_chunk: bool,
) -> PyResult<DecodedChunk<'py>> {
    let Some((charset, mark_len, state_after_mark)) =
        named.resolve_chunk(data, state, is_last_chunk)
    else {
        let text = PyString::new(py, "");
        return Ok(DecodedChunk { text, read: 0, state, charset: None, repair_count: 0 });
    };
    let is_known = matches!(named, Named::Known(_));
    let part = Part::new(charset, mark_len, if is_known { state } else { 0 }, is_last_chunk);
    if let (Charset::Scheme(scheme), Some(_)) = (charset, python_name(charset)) {
        let input = &data[mark_len..];
        let input = if is_last_chunk { input } else { without_incomplete(scheme, input) };
        if run_detached(py, input.len(), || scheme.is_valid(input)) {
            return Ok(DecodedChunk {
                text: decode_well_formed(py, charset, input)?,
                read: mark_len + input.len(),
                state: state_after_mark,
                charset: Some(charset),
                repair_count: 0,
            });
        }
    }
    // Only a code page has whole characters in each chunk, and no state.
    if let Charset::Legacy(encoding @ Legacy::Page(_)) = charset
        && let Some(text) = through_utf16::decode(py, encoding, data)?
    {
        let read = data.len();
        return Ok(DecodedChunk { text, read, state, charset: Some(charset), repair_count: 0 });
    }
    let (sink, repairer, read) = run_detached(py, data.len(), || {
        let mut repairer = Repairer::new(errors.handler, None);
        let mut sink = Sink::new(data.len());
        let read = part.decode(data, &mut sink, &mut repairer);
        (sink, repairer, read)
    });
    let finished = errors.finish(part, sink, repairer, data, py)?;
    let read = read.unwrap_or(finished.read);
    let state = match is_known {
        true => next_shift_state(charset, state, data.get(..read).unwrap_or(data)),
        false => state_after_mark,
    };
    let text = to_python_string(py, finished.sink.bytes())?;
    Ok(DecodedChunk {
        text,
        read,
        state,
        charset: Some(charset),
        repair_count: finished.repair_count,
    })
}

/// Decodes a chunk of a text, for codecs. Returns the text of the chunk, the number of bytes that
/// were decoded, and the state after these bytes. `before` is the number of bytes of the stream
/// before the chunk, if it is known.
#[pyfunction]
pub(crate) fn decode_prefix<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
    last: bool,
    state: u8,
    before: Option<u64>,
) -> PyResult<(Bound<'py, PyString>, usize, u8)> {
    let named = Named::from_label(encoding)?;
    if named == Named::Auto {
        return Err(UnknownEncodingError::new_err("a codec needs the name of an encoding"));
    }
    let errors = Errors { stream_offset: before, ..Errors::from_name(errors) };
    let chunk = decode_chunk(data.py(), named, state, &Data::from_object(data)?, &errors, last)?;
    Ok((chunk.text, chunk.read, chunk.state))
}

/// Decodes a text in chunks that may be cut anywhere.
#[pyclass(module = "utflane")]
pub(crate) struct Decoder {
    named: Named,
    errors: Errors,
    /// The state after the last chunk; see [`DecodedChunk::state`].
    state: u8,
    charset: Option<Charset>,
    /// The bytes of an incomplete sequence, or bytes that may be a byte order mark.
    pending: Vec<u8>,
    /// The number of repairs since the creation or the last `reset`.
    #[pyo3(get)]
    repairs: u64,
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding, errors = "strict"))]
    fn new(py: Python<'_>, encoding: &str, errors: &str) -> PyResult<Self> {
        let (named, name) = (Named::from_label(encoding)?, errors);
        let errors = Errors::from_name(name);
        errors.handler.check_registered(py, name)?;
        if named == Named::Auto {
            return Err(UnknownEncodingError::new_err(
                "a Decoder needs the name of an encoding: detect(data, prefix=True) returns it",
            ));
        }
        Ok(Self { named, errors, state: 0, charset: None, pending: Vec::new(), repairs: 0 })
    }

    /// Decodes a chunk. If `final` is true, the text ends, and the next chunk begins another text.
    /// If the chunk has an error, the state of the decoder does not change.
    #[pyo3(signature = (data, r#final = false))]
    fn decode<'py>(
        &mut self,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let py = data.py();
        let data = Data::from_object(data)?;
        let data = match self.pending.is_empty() {
            true => data,
            false => Data::copy_from(py, &[&self.pending[..], &data].concat()),
        };
        let chunk = decode_chunk(py, self.named, self.state, &data, &self.errors, r#final)?;
        self.repairs += chunk.repair_count;
        if r#final {
            self.start_text();
        } else {
            (self.state, self.charset) = (chunk.state, self.charset.or(chunk.charset));
            self.pending = data.get(chunk.read..).unwrap_or_default().to_vec();
            self.errors.stream_offset =
                self.errors.stream_offset.map(|offset| offset + chunk.read as u64);
        }
        Ok(chunk.text)
    }

    /// Resets the decoder to the state after its creation.
    fn reset(&mut self) {
        self.start_text();
        self.repairs = 0;
    }

    /// The name of the encoding. Before a byte order mark has been read, this is the name that was
    /// passed to the decoder, such as `utf-16`.
    #[getter]
    fn encoding(&self) -> String {
        match (self.charset, self.named) {
            (Some(charset), _) | (None, Named::Known(charset)) => charset.to_string(),
            (None, named) => named.to_string(),
        }
    }

    /// The number of bytes of the current text that have been read.
    #[getter]
    fn offset(&self) -> u64 {
        self.errors.stream_offset.unwrap_or(0) + self.pending.len() as u64
    }
}

impl Decoder {
    /// Starts a new text.
    fn start_text(&mut self) {
        (self.state, self.charset, self.errors.stream_offset) = (0, None, Some(0));
        self.pending.clear();
    }
}
