//! Calls of error handlers that are Python functions: handlers that a program registered, and the
//! handlers of Python that this package does not implement itself.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use utflane_charset::Sink;

use crate::decoding::{DecodeEnd, Next, OnIllFormed, Part};
use crate::encoding::{Segments, TextEncoder, UnmappableError};
use crate::errors::{IllFormed, encode_error, lookup_handler};
use crate::input::Text;
use crate::repairs::{RepairRecorder, count_code_points};

/// Calls a Python error handler for each ill-formed sequence.
struct HandlerCalls<'a, 'py> {
    handler: Bound<'py, PyAny>,
    encoding: &'a str,
    /// The data. A handler may exchange it.
    object: Bound<'py, PyBytes>,
    /// The byte offset of the data in the stream, if it is known.
    stream_offset: Option<u64>,
    /// The exception: the same object in every call.
    exception: Option<Bound<'py, PyAny>>,
    recorder: &'a mut Option<RepairRecorder>,
    repair_count: u64,
    /// The exception that ended the decoding, if there was one.
    result: PyResult<()>,
}

/// Returns the two items of the tuple that a handler returned: the replacement, and the position in
/// an object of `len` items at which the handler continues. If `returned` is another object, fails
/// with the message `expected`.
pub(crate) fn parse_result<'py>(
    returned: &Bound<'py, PyAny>,
    len: usize,
    expected: &'static str,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let type_error = || PyTypeError::new_err(expected);
    let tuple = returned.cast::<PyTuple>().map_err(|_| type_error())?;
    let [replacement, position] =
        tuple.iter().collect::<Vec<_>>().try_into().map_err(|_| type_error())?;
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

impl<'py> HandlerCalls<'_, 'py> {
    /// Calls the handler, and writes the replacement of an ill-formed sequence. Returns the byte
    /// offset at which the handler continues, and true if the handler exchanged the data.
    fn replace(&mut self, sequence: IllFormed, sink: &mut Sink) -> PyResult<(usize, bool)> {
        let expected = "decoding error handler must return (str, int) tuple";
        let end = sequence.start + sequence.len;
        let exception = match &self.exception {
            Some(exception) => {
                exception.setattr("start", sequence.start)?;
                exception.setattr("end", end)?;
                exception.setattr("reason", sequence.reason())?;
                sequence.set_attributes(exception, self.stream_offset)?;
                exception
            }
            None => {
                let error = sequence.to_exception(self.encoding, &self.object, self.stream_offset);
                self.exception.insert(
                    error.into_value(self.object.py()).into_bound(self.object.py()).into_any(),
                )
            }
        };
        let returned = self.handler.call1((exception,))?;
        // As in Python, a handler may exchange the data.
        let object = exception
            .getattr("object")?
            .cast_into::<PyBytes>()
            .map_err(|_| PyTypeError::new_err("exception attribute object must be bytes"))?;
        let is_exchanged = !object.is(&self.object);
        let (replacement, position) = parse_result(&returned, object.as_bytes().len(), expected)?;
        if !replacement.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(expected));
        }
        self.object = object;
        let replacement_start = sink.len();
        sink.push(Text::from_object(&replacement)?.bytes());
        self.repair_count += 1;
        if let Some(recorder) = self.recorder {
            let end = if position > sequence.start { position } else { end };
            recorder.record((sequence.start, end), sequence.reason(), replacement_start, sink);
        }
        Ok((position, is_exchanged))
    }
}

impl OnIllFormed for HandlerCalls<'_, '_> {
    fn handle(&mut self, sequence: IllFormed, _: &[u8], sink: &mut Sink) -> Next {
        match self.replace(sequence, sink) {
            Ok((position, false)) if position == sequence.start + sequence.len => {
                Next::AfterSequence
            }
            Ok((position, _)) => Next::At(position),
            Err(error) => {
                self.result = Err(error);
                Next::Stop
            }
        }
    }
}

/// Decodes a part of `object` with the handler that is registered as `errors`. Returns the number
/// of bytes that were read, and the number of repairs.
pub(crate) fn decode(
    mut part: Part,
    object: Bound<'_, PyBytes>,
    errors: &str,
    stream_offset: Option<u64>,
    sink: &mut Sink,
    recorder: &mut Option<RepairRecorder>,
) -> PyResult<(usize, u64)> {
    let handler = lookup_handler(object.py(), errors)?;
    let encoding = part.charset.name();
    let mut data = object.clone();
    let mut calls = HandlerCalls {
        handler,
        encoding,
        object,
        stream_offset,
        exception: None,
        recorder,
        repair_count: 0,
        result: Ok(()),
    };
    loop {
        match part.decode_some(data.as_bytes(), sink, &mut calls) {
            DecodeEnd::Complete(read) => return Ok((read, calls.repair_count)),
            DecodeEnd::ContinueAt(start) => {
                // If the handler exchanged the data, the bytes before `start` differ from the bytes
                // that were decoded, so the state of ISO-2022-JP cannot be computed from them.
                part = match data.is(&calls.object) {
                    true => part.restart_at(data.as_bytes(), start),
                    false => part.with_start(start),
                };
                data = calls.object.clone();
            }
            DecodeEnd::Stopped => {
                let repair_count = calls.repair_count;
                return calls.result.map(|()| (part.start, repair_count));
            }
        }
    }
}

/// Encodes a text with the handler that is registered as `errors`.
pub(crate) fn encode(
    encoder: &TextEncoder,
    object: &Bound<'_, PyString>,
    segments: &mut Segments<'_>,
    errors: &str,
    sink: &mut Sink,
) -> PyResult<()> {
    let handler = lookup_handler(object.py(), errors)?;
    let expected = "encoding error handler must return (str/bytes, int) tuple";
    let (bytes, name) = (segments.bytes(), encoder.charset.name());
    let len = usize::try_from(count_code_points(bytes)).unwrap_or(usize::MAX);
    let mut exception: Option<Bound<'_, PyAny>> = None;
    // The byte offset of the next character, and its position in code points.
    let (mut offset, mut position) = (0, 0);
    while let Err(UnmappableError { offset: start, kind }) =
        encoder.encode_from(segments, offset, sink)
    {
        let end = encoder.error_range(bytes, start).1;
        let start_position = position + count_code_points(&bytes[offset..start]);
        let end_position = start_position + count_code_points(&bytes[start..end]);
        let range = (start_position, end_position);
        let exception = match &exception {
            Some(exception) => {
                exception.setattr("start", start_position)?;
                exception.setattr("end", end_position)?;
                exception.setattr("reason", kind)?;
                exception.setattr("kind", kind)?;
                exception
            }
            None => {
                let error = encode_error(name, object, range, kind).into_value(object.py());
                exception.insert(error.into_bound(object.py()).into_any())
            }
        };
        let (replacement, next) = parse_result(&handler.call1((exception,))?, len, expected)?;
        let written = if let Ok(bytes) = replacement.cast::<PyBytes>() {
            encoder.write_bytes(bytes.as_bytes(), sink)
        } else if replacement.is_instance_of::<PyString>() {
            encoder.write_text(&Text::from_object(&replacement)?, sink)
        } else {
            return Err(PyTypeError::new_err(expected));
        };
        written.map_err(|_| encode_error(name, object, range, kind))?;
        (offset, position) = seek(bytes, (end, end_position), next as u64);
    }
    Ok(())
}

/// Returns the byte offset of the character at `position`, and `position` itself. The search begins
/// at the character at byte `offset` and position `start_position`.
fn seek(bytes: &[u8], (mut offset, start_position): (usize, u64), position: u64) -> (usize, u64) {
    let is_boundary = |offset: usize| bytes.get(offset).is_none_or(|byte| byte & 0xC0 != 0x80);
    for _ in start_position..position {
        offset += 1;
        while !is_boundary(offset) {
            offset += 1;
        }
    }
    for _ in position..start_position {
        offset -= 1;
        while !is_boundary(offset) {
            offset -= 1;
        }
    }
    (offset, position)
}
