//! Finds encodings by their names.

use std::ffi::CStr;
use std::fmt;

use pyo3::prelude::*;
use utflane::{Scheme, Utf8, bom};

use crate::errors::UnknownEncodingError;
use utflane_charset::labels::{self, Labels};
use utflane_charset::{ByMark, Charset, Source, Target};

/// The encoding that a program names for a text to decode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Named {
    /// The encoding is detected.
    Auto,
    /// UTF-16 or UTF-32, in the byte order that the byte order mark of the text indicates.
    ByMark(ByMark),
    /// UTF-8. A byte order mark at the start is not part of the text.
    Utf8Sig,
    /// This encoding. A byte order mark at the start is part of the text.
    Known(Charset),
}

impl Named {
    /// Returns the encoding that a label means.
    pub(crate) fn from_label(label: &str) -> PyResult<Self> {
        if is_utf8_sig(label) {
            return Ok(Self::Utf8Sig);
        }
        match Source::from_label(label.strip_prefix("utflane-").unwrap_or(label)) {
            Ok(Source::Auto) => Ok(Self::Auto),
            Ok(Source::ByMark(by_mark)) => Ok(Self::ByMark(by_mark)),
            Ok(Source::Known(charset)) => Ok(Self::Known(charset)),
            Err(_) => Err(unknown_encoding(label)),
        }
    }

    /// Returns the encoding of a text that begins with `beginning`, and the length of its byte
    /// order mark in bytes. Returns `None` if the encoding must be detected.
    pub(crate) fn resolve(self, beginning: &[u8]) -> Option<(Charset, usize)> {
        Some(match self {
            Self::Auto => return None,
            Self::Known(charset) => (charset, 0),
            Self::Utf8Sig => {
                let mark_len = beginning.len() - bom::strip::<Utf8>(beginning).len();
                (Charset::Scheme(Scheme::Utf8), mark_len)
            }
            Self::ByMark(by_mark) => {
                let scheme = by_mark.of(beginning);
                let mark = scheme.byte_order_mark();
                let mark_len = if beginning.starts_with(mark) { mark.len() } else { 0 };
                (Charset::Scheme(scheme), mark_len)
            }
        })
    }

    /// Returns the encoding of a text that is decoded in chunks, the length in bytes of the byte
    /// order mark at the start of the chunk `data`, and the next state. Returns `None` if the
    /// encoding is not yet known.
    ///
    /// `state` is 0 at the start of the text. After that, 1 stands for UTF-8 or little-endian, and
    /// 2 for big-endian. For [`Named::Known`], the state stays unchanged.
    pub(crate) fn resolve_chunk(
        self,
        data: &[u8],
        state: u8,
        is_last_chunk: bool,
    ) -> Option<(Charset, usize, u8)> {
        let mark: &[u8] = match self {
            Self::Auto => return None,
            Self::Known(charset) => return Some((charset, 0, state)),
            Self::Utf8Sig => b"\xEF\xBB\xBF",
            Self::ByMark(ByMark::Utf16) => b"\xFF\xFE",
            Self::ByMark(ByMark::Utf32) => b"\xFF\xFE\0\0",
        };
        if state == 0 {
            // A chunk that is shorter than a byte order mark may be the start of a byte order mark.
            let may_be_mark = match self {
                Self::Utf8Sig => mark.starts_with(data),
                _ => true,
            };
            if data.len() < mark.len() && may_be_mark && !is_last_chunk {
                return None;
            }
            let (charset, mark_len) = self.resolve(data)?;
            return Some((charset, mark_len, 1 + u8::from(charset.mark() != mark)));
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

/// Returns the name that Python has for an encoding, if Python decodes and encodes at least as fast
/// as this package.
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

/// Returns the target encoding that a label means, and true if the result begins with a byte order
/// mark.
pub(crate) fn target_from_label(label: &str) -> PyResult<(Charset, bool)> {
    if is_utf8_sig(label) {
        return Ok((Charset::Scheme(Scheme::Utf8), true));
    }
    let target = Target::from_label(label.strip_prefix("utflane-").unwrap_or(label));
    target.map(|target| (target.charset, target.marked)).map_err(|_| unknown_encoding(label))
}

fn is_utf8_sig(label: &str) -> bool {
    let label = label.strip_prefix("utflane-").unwrap_or(label).replace('_', "-");
    label.eq_ignore_ascii_case("utf-8-sig")
}

fn unknown_encoding(label: &str) -> PyErr {
    let similar_labels = labels::close_to(label);
    let hint = match similar_labels.is_empty() {
        true => String::new(),
        false => format!("; similar names: {}", similar_labels.join(", ")),
    };
    UnknownEncodingError::new_err(format!("unknown encoding: {label}{hint}"))
}

/// Returns the name of the encoding that `label` means.
#[pyfunction]
pub(crate) fn lookup(label: &str) -> PyResult<String> {
    Ok(Named::from_label(label)?.to_string())
}

/// Returns the name and the labels of each encoding.
#[pyfunction]
pub(crate) fn encodings() -> Vec<(&'static str, Vec<&'static str>)> {
    labels::all().map(|Labels { name, labels, .. }| (name, labels)).collect()
}
