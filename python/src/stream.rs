//! `Decoder`: chunks that are cut anywhere; and the same for codecs, which keep the state.

use pyo3::prelude::*;
use pyo3::types::PyString;
use utflane_charset::{Charset, Sink};

use crate::charmap;
use crate::decode::Errors;
use crate::decoding::{Part, complete, shift};
use crate::errors::UnknownEncodingError;
use crate::input::{Data, string, well_formed, work};
use crate::named::{Named, python_name};
use crate::repairs::Repairing;

/// The text of the beginning of some data.
struct Beginning<'py> {
    text: Bound<'py, PyString>,
    /// The bytes that were decoded.
    read: usize,
    /// The state after them: the shift of ISO-2022-JP, or the result of [`Named::begin`].
    state: u8,
    charset: Option<Charset>,
    repairs: u64,
}

/// Decodes `data`, before which a decoder is in `state`. Unless it is the `last` of the text, a
/// sequence that its end cuts is left.
fn beginning<'py>(
    py: Python<'py>,
    named: Named,
    state: u8,
    data: &Data,
    errors: &Errors,
    last: bool,
) -> PyResult<Beginning<'py>> {
    let Some((charset, from, begun)) = named.begin(data, state, last) else {
        let text = PyString::new(py, "");
        return Ok(Beginning { text, read: 0, state, charset: None, repairs: 0 });
    };
    let is_known = matches!(named, Named::Known(_));
    let part = Part::new(charset, from, if is_known { state } else { 0 }, last);
    if let (Charset::Scheme(scheme), Some(_)) = (charset, python_name(charset)) {
        let rest = &data[from..];
        let rest = if last { rest } else { complete(scheme, rest) };
        if work(py, rest.len(), || scheme.is_valid(rest)) {
            let (text, read) = (well_formed(py, charset, rest)?, from + rest.len());
            return Ok(Beginning { text, read, state: begun, charset: Some(charset), repairs: 0 });
        }
    }
    if let Some(encoding) = charmap::by_table(charset)
        && let Some(text) = charmap::decoded(encoding, &data.object(py)?)?
    {
        let read = data.len();
        return Ok(Beginning { text, read, state, charset: Some(charset), repairs: 0 });
    }
    let (sink, repairing, read) = work(py, data.len(), || {
        let mut repairing = Repairing::new(errors.handler, None);
        let mut sink = Sink::new(data.len());
        let read = part.decode(data, &mut sink, &mut repairing);
        (sink, repairing, read)
    });
    let finished = errors.finished(part, sink, repairing, data, py)?;
    let read = read.unwrap_or(finished.read);
    let state = match is_known {
        true => shift(charset, state, data.get(..read).unwrap_or(data)),
        false => begun,
    };
    let text = string(py, finished.sink.bytes())?;
    Ok(Beginning { text, read, state, charset: Some(charset), repairs: finished.repairs })
}

/// Decodes the beginning of a text, for codecs: the text, the bytes that were decoded, and the
/// state after them. `before` is the number of bytes before it, if that is known.
#[pyfunction]
pub(crate) fn decode_prefix<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
    last: bool,
    state: u8,
    before: Option<u64>,
) -> PyResult<(Bound<'py, PyString>, usize, u8)> {
    let named = Named::of(encoding)?;
    if named == Named::Auto {
        return Err(UnknownEncodingError::new_err("a codec needs the name of an encoding"));
    }
    let errors = Errors { before, ..Errors::of(errors) };
    let found = beginning(data.py(), named, state, &Data::of(data)?, &errors, last)?;
    Ok((found.text, found.read, found.state))
}

/// Decodes a text in chunks that are cut anywhere.
#[pyclass(module = "utflane")]
pub(crate) struct Decoder {
    named: Named,
    errors: Errors,
    state: u8,
    charset: Option<Charset>,
    /// The bytes of an incomplete sequence, or bytes that may be a byte order mark.
    pending: Vec<u8>,
    /// The number of repairs so far.
    #[pyo3(get)]
    repairs: u64,
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding, errors = "strict"))]
    fn new(py: Python<'_>, encoding: &str, errors: &str) -> PyResult<Self> {
        let (named, name) = (Named::of(encoding)?, errors);
        let errors = Errors::of(name);
        errors.handler.checked(py, name)?;
        if named == Named::Auto {
            return Err(UnknownEncodingError::new_err(
                "a Decoder needs the name of an encoding: detect(data, prefix=True) returns it",
            ));
        }
        Ok(Self { named, errors, state: 0, charset: None, pending: Vec::new(), repairs: 0 })
    }

    /// Decodes a chunk. `final` ends the text: the next chunk begins another one. After an error,
    /// the state is that before the chunk.
    #[pyo3(signature = (data, r#final = false))]
    fn decode<'py>(
        &mut self,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let py = data.py();
        let data = Data::of(data)?;
        let data = match self.pending.is_empty() {
            true => data,
            false => Data::new(py, &[&self.pending[..], &data].concat()),
        };
        let found = beginning(py, self.named, self.state, &data, &self.errors, r#final)?;
        self.repairs += found.repairs;
        if r#final {
            self.restart();
        } else {
            (self.state, self.charset) = (found.state, self.charset.or(found.charset));
            self.pending = data.get(found.read..).unwrap_or_default().to_vec();
            self.errors.before = self.errors.before.map(|before| before + found.read as u64);
        }
        Ok(found.text)
    }

    /// Forgets all chunks.
    fn reset(&mut self) {
        self.restart();
        self.repairs = 0;
    }

    /// The encoding; of one that a byte order mark decides, the name before the first bytes.
    #[getter]
    fn encoding(&self) -> String {
        match (self.charset, self.named) {
            (Some(charset), _) | (None, Named::Known(charset)) => charset.to_string(),
            (None, named) => named.to_string(),
        }
    }

    /// The bytes of this text so far.
    #[getter]
    fn offset(&self) -> u64 {
        self.errors.before.unwrap_or(0) + self.pending.len() as u64
    }
}

impl Decoder {
    /// Begins another text.
    fn restart(&mut self) {
        (self.state, self.charset, self.errors.before) = (0, None, Some(0));
        self.pending.clear();
    }
}
