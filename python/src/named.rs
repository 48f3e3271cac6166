//! Encodings by their names.

use pyo3::prelude::*;
use utflane::{Scheme, Utf8, bom};

use crate::errors::UnknownEncodingError;
use utflane_charset::labels;
use utflane_charset::{ByMark, Charset, Source, Target};

/// The encoding of a text to be decoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Named {
    /// Detected.
    Auto,
    /// The byte order mark of the text decides.
    ByMark(ByMark),
    /// UTF-8, whose byte order mark is no part of the text.
    Utf8Sig,
    Known(Charset),
}

impl Named {
    /// The meaning of a label.
    pub(crate) fn of(label: &str) -> PyResult<Self> {
        if is_utf8_sig(label) {
            return Ok(Self::Utf8Sig);
        }
        match Source::from_label(label.strip_prefix("utflane-").unwrap_or(label)) {
            Ok(Source::Auto) => Ok(Self::Auto),
            Ok(Source::ByMark(by_mark)) => Ok(Self::ByMark(by_mark)),
            Ok(Source::Known(charset)) => Ok(Self::Known(charset)),
            Err(_) => Err(unknown(label)),
        }
    }

    /// The encoding of a text that begins with `beginning`, and the bytes of its mark. `None` if it
    /// has to be detected.
    pub(crate) fn resolve(self, beginning: &[u8]) -> Option<(Charset, usize)> {
        Some(match self {
            Self::Auto => return None,
            Self::Known(charset) => (charset, 0),
            Self::Utf8Sig => {
                let mark = beginning.len() - bom::strip::<Utf8>(beginning).len();
                (Charset::Scheme(Scheme::Utf8), mark)
            }
            Self::ByMark(by_mark) => {
                let scheme = by_mark.of(beginning);
                let mark = scheme.byte_order_mark();
                let len = if beginning.starts_with(mark) { mark.len() } else { 0 };
                (Charset::Scheme(scheme), len)
            }
        })
    }
}

/// The encoding of a text to be encoded, and whether it begins with a byte order mark.
pub(crate) fn target(label: &str) -> PyResult<(Charset, bool)> {
    if is_utf8_sig(label) {
        return Ok((Charset::Scheme(Scheme::Utf8), true));
    }
    let target = Target::from_label(label.strip_prefix("utflane-").unwrap_or(label));
    target.map(|target| (target.charset, target.marked)).map_err(|_| unknown(label))
}

fn is_utf8_sig(label: &str) -> bool {
    let label = label.strip_prefix("utflane-").unwrap_or(label).replace('_', "-");
    label.eq_ignore_ascii_case("utf-8-sig")
}

fn unknown(label: &str) -> PyErr {
    let close = labels::close_to(label);
    let close = match close.is_empty() {
        true => String::new(),
        false => format!("; close: {}", close.join(", ")),
    };
    UnknownEncodingError::new_err(format!("unknown encoding: {label}{close}"))
}

/// Returns the name of the encoding that `label` means.
#[pyfunction]
pub(crate) fn lookup(label: &str) -> PyResult<String> {
    Ok(match Named::of(label)? {
        Named::Auto => "auto".into(),
        Named::ByMark(ByMark::Utf16) => "utf-16".into(),
        Named::ByMark(ByMark::Utf32) => "utf-32".into(),
        Named::Utf8Sig => "utf-8-sig".into(),
        Named::Known(charset) => charset.to_string(),
    })
}

/// Returns all encodings: the name of each, and its labels.
#[pyfunction]
pub(crate) fn encodings() -> Vec<(&'static str, Vec<&'static str>)> {
    labels::all().collect()
}
