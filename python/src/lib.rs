//! The module `utflane._utflane` of the Python package: repair of double encoding, detection,
//! encoding, decoding with the position of each repair, and an index of positions. The rest of the
//! package is written in Python.
//!
//! Input is borrowed from immutable objects (`str`, `bytes`), and copied from all other objects. So
//! the input does not change while it is read, and long work does not need the interpreter's lock.

use pyo3::prelude::*;

mod arrow;
mod callback;
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
mod through_utf16;
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
    use crate::detection::{Detection, Detector, detect, language_name};
    #[pymodule_export]
    use crate::encode::{encode, encode_for_codec};
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

    /// Fails in a second interpreter of the process. Types and exceptions belong to the first
    /// interpreter, so another interpreter could not catch the exceptions of this module.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        static FIRST_INTERPRETER: OnceLock<i64> = OnceLock::new();
        let this_interpreter = crate::wide::interpreter_id(module.py());
        if *FIRST_INTERPRETER.get_or_init(|| this_interpreter) == this_interpreter {
            return module.add("__version__", env!("CARGO_PKG_VERSION"));
        }
        let message = "utflane is already imported by another interpreter of this process; \
            subinterpreters are not supported";
        Err(PyImportError::new_err(message))
    }
}
