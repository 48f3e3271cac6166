//! Calls of functions with one text or with a list of texts: each function accepts both.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};

use crate::arrow::Column;
use crate::errors::with_index;
use crate::input::{DETACH_MIN_BYTES, Data, Text};

/// The maximum number of items in a batch.
const BATCH_ITEMS: usize = 4096;
/// A batch with at least this number of bytes gets no more items.
const BATCH_BYTES: usize = 1 << 24;

/// An argument with a length in bytes.
pub(crate) trait ByteLen {
    /// Returns the length in bytes.
    fn byte_len(&self) -> usize;
}

impl ByteLen for Data {
    fn byte_len(&self) -> usize {
        self.len()
    }
}

impl ByteLen for Text {
    fn byte_len(&self) -> usize {
        self.bytes().len()
    }
}

/// A function that Python calls, in three parts: `prepare_input`, `compute` and `make_result`. Only
/// `compute` runs without the interpreter's lock.
pub(crate) trait Function: Sync {
    /// The prepared argument.
    type Input: ByteLen + Send + Sync;
    /// The result of `compute`.
    type Output: Send;

    /// Returns the result for `object`, if it can be computed in less time than an input can be
    /// prepared.
    fn try_fast<'py>(&self, _object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(None)
    }

    /// Converts a Python argument to an input.
    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Self::Input>;

    /// Computes the output. This function does not use the interpreter.
    fn compute(&self, input: &Self::Input) -> Self::Output;

    /// Makes a Python object from the output for `object`.
    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        input: &Self::Input,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>>;

    /// Returns the result for one argument, or a list of results for a list or a tuple. A missing
    /// value (`None`, NaN, `pandas.NA`) in a list stays unchanged. An exception for an item of a
    /// list has the attribute `index`.
    fn call<'py>(&self, argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = argument.py();
        let items: Vec<Bound<'py, PyAny>> = if let Ok(list) = argument.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = argument.cast::<PyTuple>() {
            tuple.iter().collect()
        } else {
            if let Some(result) = self.try_fast(argument)? {
                return Ok(result);
            }
            let input = self.prepare_input(argument)?;
            let output = match input.byte_len() {
                ..DETACH_MIN_BYTES => self.compute(&input),
                _ => py.detach(|| self.compute(&input)),
            };
            return self.make_result(argument, &input, output);
        };
        let mut results = Vec::with_capacity(items.len());
        while results.len() < items.len() {
            let first_index = results.len();
            self.call_batch(py, first_index, &items[first_index..], &mut results)?;
        }
        Ok(PyList::new(py, results)?.into_any())
    }

    /// Appends the results for a batch of items from the start of `items`. The first of `items` has
    /// the index `first_index` in the whole list.
    fn call_batch<'py>(
        &self,
        py: Python<'py>,
        first_index: usize,
        items: &[Bound<'py, PyAny>],
        results: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        // Each input has the index of its result. Until the output is computed, `results` has the
        // item at this index.
        let mut inputs = Vec::new();
        let mut bytes = 0;
        for (index_in_batch, item) in items.iter().take(BATCH_ITEMS).enumerate() {
            let mut add_item = || {
                if item.is_none() {
                    return Ok(item.clone());
                }
                if let Some(result) = self.try_fast(item)? {
                    return Ok(result);
                }
                match self.prepare_input(item) {
                    Ok(input) => {
                        bytes += input.byte_len();
                        inputs.push((results.len(), input));
                    }
                    Err(_) if is_missing(item) => {}
                    Err(error) => return Err(error),
                }
                Ok(item.clone())
            };
            let result =
                add_item().map_err(|error| with_index(py, error, first_index + index_in_batch))?;
            results.push(result);
            if bytes >= BATCH_BYTES {
                break;
            }
        }
        let compute_all = || -> Vec<Self::Output> {
            inputs.iter().map(|(_, input)| self.compute(input)).collect()
        };
        // A full batch always releases the lock, so that other threads can run.
        let detaches = bytes >= DETACH_MIN_BYTES || items.len() >= BATCH_ITEMS;
        let outputs = if detaches { py.detach(compute_all) } else { compute_all() };
        for ((index, input), output) in inputs.iter().zip(outputs) {
            results[*index] = self
                .make_result(&items[index - first_index], input, output)
                .map_err(|error| with_index(py, error, *index))?;
        }
        Ok(())
    }
}

/// Returns true if an item is a value that pandas uses for a missing text: NaN, `NA` or `NaT`.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    let is_nan = || item.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
    let is_pandas_na = || {
        let kind = item.get_type();
        let module = kind.module().ok()?.to_string();
        let name = kind.name().ok()?.to_string();
        Some(module.starts_with("pandas.") && matches!(&*name, "NAType" | "NaTType"))
    };
    is_nan() || is_pandas_na().unwrap_or(false)
}

/// Returns the Arrow column that an argument exports; see [`Column::from_object`].
pub(crate) fn import_column(
    argument: &Bound<'_, PyAny>,
    accepts_binary: bool,
) -> PyResult<Option<Column>> {
    // Frequent types without Arrow columns are tested first, because this is fast.
    if argument.is_instance_of::<PyString>()
        || argument.is_instance_of::<PyBytes>()
        || argument.is_instance_of::<PyList>()
    {
        return Ok(None);
    }
    Column::from_object(argument, accepts_binary)
}
