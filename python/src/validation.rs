//! `validate`: the first error of a text.

use pyo3::prelude::*;

use crate::decoding::flaw_of;
use crate::errors::{Flaw, UnknownEncodingError};
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
    type Output = Option<(Flaw, Charset)>;

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
            Some((flaw, charset)) => {
                let Flaw { start: position, len: length, kind, incomplete } = flaw;
                let (kind, encoding) = (kind.into(), charset.to_string());
                let invalid = Invalid { position, length, kind, incomplete, encoding };
                Ok(Bound::new(py, invalid)?.into_any())
            }
        }
    }
}

impl Validate {
    /// The first flaw of a text, and the encoding that it was compared with.
    fn first(&self, text: &[u8]) -> Option<(Flaw, Charset)> {
        let (charset, _) = self.0.resolve(text)?;
        first_flaw(charset, text).map(|flaw| (flaw, charset))
    }
}

/// The first flaw of a text.
fn first_flaw(charset: Charset, text: &[u8]) -> Option<Flaw> {
    match charset {
        Charset::Scheme(scheme) => Some(flaw_of(scheme.validate(text).err()?, text.len())),
        Charset::Legacy(encoding) => {
            let (mut decoder, mut first) = (LegacyDecoder::new(encoding), None);
            let pieces = text.chunks(PIECE).map(|piece| (piece, false));
            for (piece, incomplete) in pieces.chain([(&b""[..], true)]) {
                let mut sink = Sink::new(PIECE);
                let result = decoder.decode(piece, incomplete, &mut sink, |sequence, _, _| {
                    let start = usize::try_from(sequence.offset).unwrap_or(usize::MAX);
                    let kind = "ill-formed sequence";
                    first = Some(Flaw { start, len: sequence.len, kind, incomplete });
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
const PIECE: usize = 1 << 14;

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
