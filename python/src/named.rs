//! Encodings by their names.

use std::ffi::CStr;
use std::fmt;

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

    /// The encoding of a text in chunks, the bytes of its mark in `data`, and the state after them:
    /// 0 at the start, and then which mark was there. `None` if the encoding is not yet known.
    pub(crate) fn begin(self, data: &[u8], state: u8, last: bool) -> Option<(Charset, usize, u8)> {
        let mark: &[u8] = match self {
            Self::Auto => return None,
            Self::Known(charset) => return Some((charset, 0, state)),
            Self::Utf8Sig => b"\xEF\xBB\xBF",
            Self::ByMark(ByMark::Utf16) => b"\xFF\xFE",
            Self::ByMark(ByMark::Utf32) => b"\xFF\xFE\0\0",
        };
        if state == 0 {
            // Less than a mark may be one.
            let is_open = match self {
                Self::Utf8Sig => mark.starts_with(data),
                _ => true,
            };
            if data.len() < mark.len() && is_open && !last {
                return None;
            }
            let (charset, len) = self.resolve(data)?;
            return Some((charset, len, 1 + u8::from(charset.mark() != mark)));
        }
        let scheme = match (self, state) {
            (Self::ByMark(ByMark::Utf16), 1) => Scheme::Utf16Le,
            (Self::ByMark(ByMark::Utf16), _) => Scheme::Utf16Be,
            (Self::ByMark(ByMark::Utf32), 1) => Scheme::Utf32Le,
            (Self::ByMark(ByMark::Utf32), _) => Scheme::Utf32Be,
            _ => Scheme::Utf8,
        };
        Some((Charset::Scheme(scheme), 0, state))
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::ByMark(ByMark::Utf16) => f.write_str("utf-16"),
            Self::ByMark(ByMark::Utf32) => f.write_str("utf-32"),
            Self::Utf8Sig => f.write_str("utf-8-sig"),
            Self::Known(charset) => charset.fmt(f),
        }
    }
}

/// Returns the name of an encoding that Python reads and writes at least as fast.
pub(crate) fn python_name(charset: Charset) -> Option<&'static CStr> {
    Some(match charset.scheme()? {
        Scheme::Utf8 => c"utf-8",
        Scheme::Utf16Le => c"utf-16-le",
        Scheme::Utf16Be => c"utf-16-be",
        Scheme::Utf32Le => c"utf-32-le",
        Scheme::Utf32Be => c"utf-32-be",
        Scheme::Latin1 => c"latin-1",
        Scheme::Ascii => c"ascii",
        _ => return None,
    })
}

/// The target encoding of a text, and true if the result begins with a byte order mark.
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
    Ok(Named::of(label)?.to_string())
}

/// Returns all encodings: the name of each, and its labels.
#[pyfunction]
pub(crate) fn encodings() -> Vec<(&'static str, Vec<&'static str>)> {
    labels::all().collect()
}
