//! Error handlers in Python: the handlers that a program registered, and Python's own handlers that
//! are written as such.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use utflane_charset::Sink;

use crate::decoding::{Ended, Next, OnIllFormed, Part};
use crate::encoding::{Encoding, Segments, Unmappable};
use crate::errors::{IllFormed, encode_error, registered};
use crate::input::Text;
use crate::repairs::{Notes, code_points};

/// A handler of `decode`, and its last answer.
struct Decoding<'a, 'py> {
    handler: Bound<'py, PyAny>,
    encoding: &'a str,
    /// The data.
    object: Bound<'py, PyBytes>,
    /// The bytes of the stream before it, if they are known.
    before: Option<u64>,
    /// The exception, which is the same object in every call.
    error: Option<Bound<'py, PyAny>>,
    notes: &'a mut Option<Notes>,
    repairs: u64,
    result: PyResult<()>,
}

/// Returns the items of a handler's result, and the position in an object of `len` items.
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
    /// Writes the replacement of an ill-formed sequence. Returns the next byte, and true if the
    /// data has been replaced.
    fn replace(&mut self, sequence: IllFormed, sink: &mut Sink) -> PyResult<(usize, bool)> {
        let expected = "decoding error handler must return (str, int) tuple";
        let end = sequence.start + sequence.len;
        let error = match &self.error {
            Some(error) => {
                error.setattr("start", sequence.start)?;
                error.setattr("end", end)?;
                error.setattr("reason", sequence.reason())?;
                sequence.describe(error, self.before)?;
                error
            }
            None => {
                let error = sequence.error(self.encoding, &self.object, self.before);
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
            let end = if position > sequence.start { position } else { end };
            notes.note((sequence.start, end), sequence.reason(), at, sink);
        }
        Ok((position, is_other))
    }
}

impl OnIllFormed for Decoding<'_, '_> {
    fn handle(&mut self, sequence: IllFormed, _: &[u8], sink: &mut Sink) -> Next {
        match self.replace(sequence, sink) {
            Ok((position, false)) if position == sequence.start + sequence.len => Next::After,
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
                // If the data has been replaced, the bytes before differ from the decoded ones.
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
    segments: &mut Segments<'_>,
    errors: &str,
    sink: &mut Sink,
) -> PyResult<()> {
    let handler = registered(object.py(), errors)?;
    let expected = "encoding error handler must return (str/bytes, int) tuple";
    let (bytes, name) = (segments.bytes(), encoding.charset.name());
    let len = usize::try_from(code_points(bytes)).unwrap_or(usize::MAX);
    let mut exception: Option<Bound<'_, PyAny>> = None;
    // The next character: its byte, and its position.
    let (mut at, mut position) = (0, 0);
    while let Err(Unmappable { at: bad, kind }) = encoding.run(segments, at, sink) {
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

/// Returns the byte and the position of the character at `position`, counted from another
/// character's.
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
