//! The Python package's module `utflane._utflane`: repair of double encoding, detection, decoding
//! with the position of each repair, positions. The rest of the package is in Python.
//!
//! Input is borrowed from immutable objects (`str`, `bytes`), and copied from any other. So nothing
//! changes while it is read, and long work needs no lock of the interpreter.

use pyo3::prelude::*;

mod arrow;
mod callback;
mod charmap;
mod decode;
mod decoding;
mod detection;
mod encode;
mod encoding;
mod errors;
mod index;
mod input;
mod many;
mod mojibake;
mod named;
mod repairs;
mod stream;
mod validation;
mod whole;
mod wide;

/// The compiled part of `utflane`.
#[pymodule]
mod _utflane {
    use std::sync::OnceLock;

    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::arrow::{ArrowArray, ArrowChunkedArray};
    #[pymodule_export]
    use crate::decode::{Decoded, decode};
    #[pymodule_export]
    use crate::detection::{Detection, Detector, detect};
    #[pymodule_export]
    use crate::encode::{encode, encode_lazily};
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::mojibake::{Change, Explanation, explain, fix_mojibake};
    #[pymodule_export]
    use crate::named::{encodings, lookup};
    #[pymodule_export]
    use crate::repairs::{Repair, Repairs};
    #[pymodule_export]
    use crate::stream::{Decoder, decode_prefix};
    #[pymodule_export]
    use crate::validation::{Invalid, validate};

    /// Types and exceptions belong to one interpreter of the process: another interpreter could
    /// catch none of its errors.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        static FIRST: OnceLock<i64> = OnceLock::new();
        let this = crate::wide::interpreter(module.py());
        if *FIRST.get_or_init(|| this) == this {
            return module.add("__version__", env!("CARGO_PKG_VERSION"));
        }
        let message = "utflane is imported by another interpreter of this process; \
            subinterpreters are not supported";
        Err(PyImportError::new_err(message))
    }
}
