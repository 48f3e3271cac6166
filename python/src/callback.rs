//! Error handlers in Python: those that a program registered, and those of Python itself that are
//! written as such.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use utflane_charset::Sink;

use crate::decoding::{Ended, Next, OnFlaw, Part};
use crate::encoding::{Encoding, Pieces, Unmappable};
use crate::errors::{Flaw, encode_error, registered};
use crate::input::Text;
use crate::repairs::{Notes, code_points};

/// A handler of `decode`, and what it has answered.
struct Decoding<'a, 'py> {
    handler: Bound<'py, PyAny>,
    encoding: &'a str,
    /// The data.
    object: Bound<'py, PyBytes>,
    /// The bytes of the stream before it, if they are known.
    before: Option<u64>,
    /// The exception, which is that of every call.
    error: Option<Bound<'py, PyAny>>,
    notes: &'a mut Option<Notes>,
    repairs: u64,
    result: PyResult<()>,
}

/// Returns the items of what a handler returned, and the position in an object of `len` items.
pub(crate) fn answer<'py>(
    answer: &Bound<'py, PyAny>,
    len: usize,
    expected: &'static str,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let wrong = || PyTypeError::new_err(expected);
    let answer = answer.cast::<PyTuple>().map_err(|_| wrong())?;
    let [replacement, position] =
        answer.iter().collect::<Vec<_>>().try_into().map_err(|_| wrong())?;
    let position: isize = position.extract()?;
    let from_start = if position < 0 { position.saturating_add_unsigned(len) } else { position };
    match usize::try_from(from_start) {
        Ok(from_start) if from_start <= len => Ok((replacement, from_start)),
        _ => {
            let message = format!("position {from_start} from error handler out of bounds");
            Err(PyIndexError::new_err(message))
        }
    }
}

impl<'py> Decoding<'_, 'py> {
    /// Writes the replacement of a flaw. Returns the next byte, and whether the data is another.
    fn replace(&mut self, flaw: Flaw, sink: &mut Sink) -> PyResult<(usize, bool)> {
        let expected = "decoding error handler must return (str, int) tuple";
        let end = flaw.start + flaw.len;
        let error = match &self.error {
            Some(error) => {
                error.setattr("start", flaw.start)?;
                error.setattr("end", end)?;
                error.setattr("reason", flaw.reason())?;
                flaw.describe(error, self.before)?;
                error
            }
            None => {
                let error = flaw.error(self.encoding, &self.object, self.before);
                self.error.insert(
                    error.into_value(self.object.py()).into_bound(self.object.py()).into_any(),
                )
            }
        };
        let returned = self.handler.call1((error,))?;
        // As in Python, a handler may exchange the data.
        let object = error
            .getattr("object")?
            .cast_into::<PyBytes>()
            .map_err(|_| PyTypeError::new_err("exception attribute object must be bytes"))?;
        let is_other = !object.is(&self.object);
        let (replacement, position) = answer(&returned, object.as_bytes().len(), expected)?;
        if !replacement.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(expected));
        }
        self.object = object;
        let at = sink.len();
        sink.push(Text::of(&replacement)?.bytes());
        self.repairs += 1;
        if let Some(notes) = self.notes {
            let end = if position > flaw.start { position } else { end };
            notes.note((flaw.start, end), flaw.reason(), at, sink);
        }
        Ok((position, is_other))
    }
}

impl OnFlaw for Decoding<'_, '_> {
    fn flaw(&mut self, flaw: Flaw, _: &[u8], sink: &mut Sink) -> Next {
        match self.replace(flaw, sink) {
            Ok((position, false)) if position == flaw.start + flaw.len => Next::After,
            Ok((position, _)) => Next::From(position),
            Err(error) => {
                self.result = Err(error);
                Next::Stop
            }
        }
    }
}

/// Decodes a part of `object`, with the handler that is registered as `errors`. Returns the bytes
/// that were read, and the number of repairs.
pub(crate) fn decode(
    mut part: Part,
    object: Bound<'_, PyBytes>,
    errors: &str,
    before: Option<u64>,
    sink: &mut Sink,
    notes: &mut Option<Notes>,
) -> PyResult<(usize, u64)> {
    let handler = registered(object.py(), errors)?;
    let encoding = part.charset.name();
    let (error, result) = (None, Ok(()));
    let mut data = object.clone();
    let mut decoding =
        Decoding { handler, encoding, object, before, error, notes, repairs: 0, result };
    loop {
        match part.decode_some(data.as_bytes(), sink, &mut decoding) {
            Ended::Whole(read) => return Ok((read, decoding.repairs)),
            Ended::From(from) => {
                // Of other data, the bytes before are not those that were decoded.
                part = match data.is(&decoding.object) {
                    true => part.moved(data.as_bytes(), from),
                    false => part.at(from),
                };
                data = decoding.object.clone();
            }
            Ended::Stopped => {
                let repairs = decoding.repairs;
                return decoding.result.map(|()| (part.from, repairs));
            }
        }
    }
}

/// Encodes a text, with the handler that is registered as `errors`.
pub(crate) fn encode(
    encoding: &Encoding,
    object: &Bound<'_, PyString>,
    pieces: &mut Pieces<'_>,
    errors: &str,
    sink: &mut Sink,
) -> PyResult<()> {
    let handler = registered(object.py(), errors)?;
    let expected = "encoding error handler must return (str/bytes, int) tuple";
    let (bytes, name) = (pieces.bytes(), encoding.charset.name());
    let len = usize::try_from(code_points(bytes)).unwrap_or(usize::MAX);
    let mut exception: Option<Bound<'_, PyAny>> = None;
    // The next character: its byte, and its position.
    let (mut at, mut position) = (0, 0);
    while let Err(Unmappable { at: bad, kind }) = encoding.run(pieces, at, sink) {
        let end = encoding.extent(bytes, bad).1;
        let start_position = position + code_points(&bytes[at..bad]);
        let end_position = start_position + code_points(&bytes[bad..end]);
        let places = (start_position, end_position);
        let error = match &exception {
            Some(error) => {
                error.setattr("start", start_position)?;
                error.setattr("end", end_position)?;
                error.setattr("reason", kind)?;
                error.setattr("kind", kind)?;
                error
            }
            None => {
                let error = encode_error(name, object, places, kind).into_value(object.py());
                exception.insert(error.into_bound(object.py()).into_any())
            }
        };
        let (replacement, next) = answer(&handler.call1((error,))?, len, expected)?;
        let written = if let Ok(bytes) = replacement.cast::<PyBytes>() {
            encoding.write_bytes(bytes.as_bytes(), sink)
        } else if replacement.is_instance_of::<PyString>() {
            encoding.write_text(&Text::of(&replacement)?, sink)
        } else {
            return Err(PyTypeError::new_err(expected));
        };
        written.map_err(|_| encode_error(name, object, places, kind))?;
        (at, position) = moved(bytes, (end, end_position), next as u64);
    }
    Ok(())
}

/// Returns the byte and the position of the character at `position`, from those of another one.
fn moved(bytes: &[u8], (mut at, from): (usize, u64), position: u64) -> (usize, u64) {
    let is_start = |at: usize| bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    for _ in from..position {
        at += 1;
        while !is_start(at) {
            at += 1;
        }
    }
    for _ in position..from {
        at -= 1;
        while !is_start(at) {
            at -= 1;
        }
    }
    (at, position)
}
