//! `validate`: the first error of a text.

use pyo3::prelude::*;

use crate::decoding::ill_formed_from_error;
use crate::errors::{IllFormed, UnknownEncodingError};
use crate::input::Data;
use crate::many::{Function, column};
use crate::named::Named;
use utflane_charset::{Charset, LegacyDecoder, Sink};

/// The first ill-formed sequence of a text.
#[pyclass(frozen, eq, hash, get_all, module = "utflane")]
#[derive(PartialEq, Hash)]
pub(crate) struct Invalid {
    /// The byte at which the sequence begins: all before it is well-formed.
    position: usize,
    /// Its bytes.
    length: usize,
    /// The reason in words.
    kind: String,
    /// True if the end of the text cuts the sequence, so that more bytes may complete it.
    incomplete: bool,
    /// The encoding that the text was compared with.
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

/// The validation of texts.
struct Validate(Named);

impl Function for Validate {
    type Input = Data;
    type Output = Option<(IllFormed, Charset)>;

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::of(object)
    }

    fn work(&self, input: &Data) -> Self::Output {
        self.first(input)
    }

    fn result<'py>(
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
    /// The first ill-formed sequence of a text, and the encoding that it was compared with.
    fn first(&self, text: &[u8]) -> Option<(IllFormed, Charset)> {
        let (charset, _) = self.0.resolve(text)?;
        find_ill_formed(charset, text).map(|sequence| (sequence, charset))
    }
}

/// The first ill-formed sequence of a text.
fn find_ill_formed(charset: Charset, text: &[u8]) -> Option<IllFormed> {
    match charset {
        Charset::Scheme(scheme) => {
            Some(ill_formed_from_error(scheme.validate(text).err()?, text.len()))
        }
        Charset::Legacy(encoding) => {
            let (mut decoder, mut first) = (LegacyDecoder::new(encoding), None);
            let segments = text.chunks(SEGMENT_BYTES).map(|segment| (segment, false));
            for (segment, incomplete) in segments.chain([(&b""[..], true)]) {
                let mut sink = Sink::new(SEGMENT_BYTES);
                let result = decoder.decode(segment, incomplete, &mut sink, |sequence, _, _| {
                    let start = usize::try_from(sequence.offset).unwrap_or(usize::MAX);
                    let kind = "ill-formed sequence";
                    first = Some(IllFormed { start, len: sequence.len, kind, incomplete });
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

/// Bytes of a text that are decoded at once, where that is the only way to validate it.
const SEGMENT_BYTES: usize = 1 << 14;

/// Validates a text, or each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, encoding = "utf-8"))]
pub(crate) fn validate<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::of(encoding)?;
    if named == Named::Auto {
        return Err(UnknownEncodingError::new_err("validate needs the name of an encoding"));
    }
    let validate = Validate(named);
    match column(data, true)? {
        Some(column) => {
            column.test(data.py(), |row| validate.first(row).is_none())?.object(data.py())
        }
        None => validate.call(data),
    }
}
