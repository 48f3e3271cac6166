//! `validate` returns the first error of a text.

use pyo3::prelude::*;

use crate::decoding::ill_formed_from_error;
use crate::errors::{IllFormed, UnknownEncodingError};
use crate::input::Data;
use crate::many::{Function, import_column};
use crate::named::Named;
use utflane_charset::{Charset, LegacyDecoder, Sink};

/// The first ill-formed sequence of a text.
#[pyclass(frozen, eq, hash, get_all, module = "utflane")]
#[derive(PartialEq, Hash)]
pub(crate) struct Invalid {
    /// The byte offset of the sequence. All bytes before the sequence are well-formed.
    position: usize,
    /// The length of the sequence, in bytes.
    length: usize,
    /// The reason in words.
    kind: String,
    /// True if the sequence is cut at the end of the text, so that more bytes may complete it.
    incomplete: bool,
    /// The name of the encoding for which the text was validated.
    encoding: String,
}

#[pymethods]
impl Invalid {
    #[new]
    fn new(
        position: usize,
        length: usize,
        kind: String,
        incomplete: bool,
        encoding: String,
    ) -> Self {
        Self { position, length, kind, incomplete, encoding }
    }

    fn __getnewargs__(&self) -> (usize, usize, &str, bool, &str) {
        (self.position, self.length, &self.kind, self.incomplete, &self.encoding)
    }

    fn __repr__(&self) -> String {
        let Self { position, length, kind, encoding, .. } = self;
        format!(
            "Invalid(position={position}, length={length}, kind='{kind}', encoding='{encoding}')"
        )
    }
}

/// The arguments of `validate`.
struct Validate(Named);

impl Function for Validate {
    type Input = Data;
    type Output = Option<(IllFormed, Charset)>;

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::from_object(object)
    }

    fn compute(&self, input: &Data) -> Self::Output {
        self.find_first(input)
    }

    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        _: &Data,
        found: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match found {
            None => Ok(py.None().into_bound(py)),
            Some((sequence, charset)) => {
                let IllFormed { start: position, len: length, kind, incomplete } = sequence;
                let (kind, encoding) = (kind.into(), charset.to_string());
                let invalid = Invalid { position, length, kind, incomplete, encoding };
                Ok(Bound::new(py, invalid)?.into_any())
            }
        }
    }
}

impl Validate {
    /// Returns the first ill-formed sequence of a text, and the encoding for which the text was
    /// validated.
    fn find_first(&self, text: &[u8]) -> Option<(IllFormed, Charset)> {
        let (charset, _) = self.0.resolve(text)?;
        find_ill_formed(charset, text).map(|sequence| (sequence, charset))
    }
}

/// Returns the first ill-formed sequence of a text.
fn find_ill_formed(charset: Charset, text: &[u8]) -> Option<IllFormed> {
    match charset {
        Charset::Scheme(scheme) => {
            Some(ill_formed_from_error(scheme.validate(text).err()?, text.len()))
        }
        Charset::Legacy(encoding) => {
            let (mut decoder, mut first) = (LegacyDecoder::new(encoding), None);
            let segments = text.chunks(SEGMENT_BYTES).map(|segment| (segment, false));
            for (segment, is_end) in segments.chain([(&b""[..], true)]) {
                let mut sink = Sink::new(SEGMENT_BYTES);
                let result = decoder.decode(segment, is_end, &mut sink, |sequence, _, _| {
                    let start = usize::try_from(sequence.offset).unwrap_or(usize::MAX);
                    let kind = "ill-formed sequence";
                    first = Some(IllFormed { start, len: sequence.len, kind, incomplete: is_end });
                    false
                });
                if result.is_err() {
                    break;
                }
            }
            first
        }
    }
}

/// The number of bytes that are decoded at once. A text in a legacy encoding can be validated only
/// by decoding it.
const SEGMENT_BYTES: usize = 1 << 14;

/// Validates a text, or each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, encoding = "utf-8"))]
pub(crate) fn validate<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::from_label(encoding)?;
    if named == Named::Auto {
        return Err(UnknownEncodingError::new_err("validate needs the name of an encoding"));
    }
    let validate = Validate(named);
    match import_column(data, true)? {
        Some(column) => {
            column.test(data.py(), |row| validate.find_first(row).is_none())?.into_object(data.py())
        }
        None => validate.call(data),
    }
}
