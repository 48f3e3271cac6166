//! `Decoder`: chunks that are cut anywhere.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::decoding::Decoding;
use crate::errors::{Handler, UnknownEncodingError};
use crate::input::{Data, string, work};
use crate::named::Named;
use crate::repairs::Repairing;
use utflane_charset::{Charset, Sink};

/// Bytes of the longest byte order mark.
const MAX_MARK: usize = 4;

/// Decodes a text in chunks that are cut anywhere.
#[pyclass(module = "utflane")]
pub(crate) struct Decoder {
    named: Named,
    handler: Handler,
    state: State,
    /// The number of repairs so far.
    #[pyo3(get)]
    repairs: u64,
}

/// The state of a stream.
enum State {
    /// The bytes before its encoding is known.
    Start(Vec<u8>),
    Decoding(Box<Decoding>),
}

impl State {
    /// The state before the first chunk.
    fn of(named: Named) -> Self {
        match named {
            Named::Known(charset) => Self::Decoding(Box::new(Decoding::new(charset))),
            _ => Self::Start(Vec::new()),
        }
    }
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding, errors = "strict"))]
    fn new(encoding: &str, errors: &str) -> PyResult<Self> {
        let (named, handler) = (Named::of(encoding)?, Handler::of_decoding(errors)?);
        if named == Named::Auto {
            return Err(UnknownEncodingError::new_err(
                "a Decoder needs the name of an encoding: detect(data, prefix=True) tells it",
            ));
        }
        Ok(Self { named, handler, state: State::of(named), repairs: 0 })
    }

    /// Decodes a chunk. `final` ends the text: the next chunk begins another one.
    #[pyo3(signature = (data, r#final = false))]
    fn decode<'py>(
        &mut self,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let py = data.py();
        let data = Data::of(data)?;
        let (mut decoding, chunk, mark) = match self.begin(&data, r#final) {
            Some(begun) => begun,
            None => return Ok(PyString::new(py, "")),
        };
        let chunk = chunk.as_deref().unwrap_or(&data);
        let mut repairing = Repairing::new(self.handler, false);
        let before = decoding.offset();
        let kept = decoding.kept().to_vec();
        let (sink, decoding) = work(py, chunk.len(), || {
            let mut sink = Sink::new(chunk.len());
            if mark > 0 {
                decoding.push(&chunk[..mark], false, &mut sink, &mut repairing);
                sink = Sink::new(chunk.len());
            }
            decoding.push(&chunk[mark..], r#final, &mut sink, &mut repairing);
            (sink, decoding)
        });
        self.repairs += repairing.count;
        let charset = decoding.charset();
        self.state = match repairing.error.is_some() || r#final {
            true => State::of(self.named),
            false => State::Decoding(decoding),
        };
        if let Some(flaw) = repairing.error {
            // The object has the bytes of the chunks before that belong to the sequence.
            let back = usize::try_from(before.saturating_sub(flaw.offset)).unwrap_or(0);
            let kept = &kept[kept.len() - back.min(kept.len())..];
            let object = PyBytes::new(py, &[kept, chunk].concat());
            let start = if back > 0 { 0 } else { (flaw.offset - before) as usize };
            return Err(flaw.error(&charset.to_string(), &object, start));
        }
        string(py, sink.bytes())
    }

    /// Forgets all chunks.
    fn reset(&mut self) {
        self.state = State::of(self.named);
        self.repairs = 0;
    }

    /// The encoding; of one that a byte order mark decides, the name before the first bytes.
    #[getter]
    fn encoding(&self) -> String {
        match (&self.state, self.named) {
            (State::Decoding(decoding), _) => decoding.charset().to_string(),
            (_, Named::Utf8Sig) => "utf-8-sig".into(),
            (_, Named::Known(charset)) => charset.to_string(),
            (_, Named::ByMark(by_mark)) => format!("{by_mark:?}").replace("Utf", "utf-"),
            (_, Named::Auto) => "auto".into(),
        }
    }

    /// The bytes of this text so far.
    #[getter]
    fn offset(&self) -> u64 {
        match &self.state {
            State::Start(bytes) => bytes.len() as u64,
            State::Decoding(decoding) => decoding.offset(),
        }
    }
}

impl Decoder {
    /// The decoding of a chunk, the chunk if it is not `data` alone, and the bytes of the mark in
    /// it. `None` if the encoding isn't yet known.
    fn begin(
        &mut self,
        data: &[u8],
        last: bool,
    ) -> Option<(Box<Decoding>, Option<Vec<u8>>, usize)> {
        match std::mem::replace(&mut self.state, State::Start(Vec::new())) {
            State::Decoding(decoding) => Some((decoding, None, 0)),
            State::Start(mut bytes) => {
                bytes.extend_from_slice(data);
                if bytes.len() < MAX_MARK && !last {
                    self.state = State::Start(bytes);
                    return None;
                }
                let (charset, mark): (Charset, usize) = self.named.resolve(&bytes)?;
                Some((Box::new(Decoding::new(charset)), Some(bytes), mark))
            }
        }
    }
}
