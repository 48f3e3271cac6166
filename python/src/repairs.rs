//! Repairs with their places: those of a whole text, kept small until Python asks for one.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use utflane::{Scheme, Utf8, count};

use crate::decoding::OnFlaw;
use crate::errors::{Flaw, Handler};
use utflane_charset::Sink;

/// A sequence of bytes that was ill-formed, and its replacement in the text.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Repair {
    /// The first byte of the sequence.
    #[pyo3(get)]
    start: u64,
    /// The byte after it.
    #[pyo3(get)]
    end: u64,
    /// The code point of the text at which the replacement stands.
    #[pyo3(get)]
    position: usize,
    /// The code points of the replacement.
    #[pyo3(get)]
    length: usize,
    /// The reason in words.
    #[pyo3(get)]
    kind: &'static str,
}

#[pymethods]
impl Repair {
    fn __repr__(&self) -> String {
        let Self { start, end, position, length, kind } = self;
        format!(
            "Repair(start={start}, end={end}, position={position}, length={length}, kind='{kind}')"
        )
    }
}

/// A repair, with offsets in bytes of the output.
pub(crate) struct Raw {
    flaw: Flaw,
    at: usize,
    len: usize,
}

/// Applies a handler to each flaw, and notes it.
pub(crate) struct Repairing {
    handler: Handler,
    /// The repairs.
    pub(crate) repairs: Vec<Raw>,
    /// The number of repairs.
    pub(crate) count: u64,
    /// Whether repairs are noted, and not only counted.
    noted: bool,
    /// The flaw that the handler leaves to the caller.
    pub(crate) error: Option<Flaw>,
}

impl Repairing {
    /// A handler before the first flaw. Repairs are `noted`, or only counted.
    pub(crate) fn new(handler: Handler, noted: bool) -> Self {
        Self { handler, repairs: Vec::new(), count: 0, noted, error: None }
    }
}

impl OnFlaw for Repairing {
    fn flaw(&mut self, flaw: Flaw, sequence: &[u8], sink: &mut Sink) -> bool {
        let Some(replacement) = self.handler.replacement(sequence) else {
            self.error = Some(flaw);
            return false;
        };
        if self.noted {
            self.repairs.push(Raw { flaw, at: sink.len(), len: replacement.len() });
        }
        self.count += 1;
        sink.push(&replacement);
        true
    }
}

/// The repairs of a text, in order.
#[pyclass(frozen, sequence, module = "utflane")]
pub(crate) struct Repairs(Vec<(Flaw, usize, usize)>);

impl Repairs {
    /// Counts the code points before each repair of `text`: UTF-8, in which surrogates have three
    /// bytes.
    pub(crate) fn of(raw: &[Raw], text: &[u8]) -> Self {
        let code_points = |bytes: &[u8]| match count::<Utf8>(bytes) {
            // Without surrogates, the lengths agree.
            count if utflane::is_valid::<Utf8>(bytes) => count,
            _ => Scheme::Wtf8.count(bytes),
        };
        let (mut done, mut position) = (0, 0);
        let placed = raw.iter().map(|&Raw { flaw, at, len }| {
            position += code_points(&text[done..at]);
            let length = code_points(&text[at..at + len]);
            let place = (flaw, position, length);
            (done, position) = (at + len, position + length);
            place
        });
        Self(placed.collect())
    }
}

#[pymethods]
impl Repairs {
    pub(crate) fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Repair> {
        let from_start = if index < 0 { index + self.0.len() as isize } else { index };
        let item = usize::try_from(from_start).ok().and_then(|index| self.0.get(index));
        let Some(&(flaw, position, length)) = item else {
            return Err(PyIndexError::new_err("repair index out of range"));
        };
        let (start, end) = (flaw.offset, flaw.offset + flaw.len as u64);
        Ok(Repair { start, end, position, length, kind: flaw.reason() })
    }

    fn __iter__(this: Py<Self>) -> RepairIterator {
        RepairIterator { repairs: this, next: 0 }
    }

    fn __repr__(&self) -> String {
        format!("<{} repairs>", self.0.len())
    }
}

/// An iterator of repairs.
#[pyclass(module = "utflane")]
pub(crate) struct RepairIterator {
    repairs: Py<Repairs>,
    next: isize,
}

#[pymethods]
impl RepairIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Repair> {
        let repair = self.repairs.get().__getitem__(self.next).ok()?;
        self.next += 1;
        Some(repair)
    }
}
