//! One argument, or a list of them: every function takes both.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};

use crate::arrow::Column;
use crate::errors::indexed;
use crate::input::{Data, LONG, Text};

/// Items of a list that are worked on at once, and the bytes after which no more are added.
const BATCH: usize = 4096;
const BATCH_BYTES: usize = 1 << 24;

/// An argument whose bytes are known.
pub(crate) trait Weight {
    /// Its bytes.
    fn weight(&self) -> usize;
}

impl Weight for Data {
    fn weight(&self) -> usize {
        self.len()
    }
}

impl Weight for Text {
    fn weight(&self) -> usize {
        self.bytes().len()
    }
}

/// A function that Python calls, in three parts. Only `work` is done without the interpreter's
/// lock.
pub(crate) trait Function: Sync {
    /// The argument.
    type Input: Weight + Send + Sync;
    /// The result of the work.
    type Output: Send;

    /// The result for `object`, if it takes less work than an input.
    fn quick<'py>(&self, _object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(None)
    }

    /// Takes an argument from Python.
    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Self::Input>;

    /// Does the work.
    fn work(&self, input: &Self::Input) -> Self::Output;

    /// Makes a Python object of the result for `object`.
    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        input: &Self::Input,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>>;

    /// The result for one argument, or a list of the results for a list or a tuple. What is missing
    /// (`None`, NaN, `pandas.NA`) stays as it is. An error of a list has the `index` of the item.
    fn call<'py>(&self, argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = argument.py();
        let items: Vec<Bound<'py, PyAny>> = if let Ok(list) = argument.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = argument.cast::<PyTuple>() {
            tuple.iter().collect()
        } else {
            if let Some(result) = self.quick(argument)? {
                return Ok(result);
            }
            let input = self.input(argument)?;
            let output = match input.weight() {
                ..LONG => self.work(&input),
                _ => py.detach(|| self.work(&input)),
            };
            return self.result(argument, &input, output);
        };
        let mut results = Vec::with_capacity(items.len());
        while results.len() < items.len() {
            let index = results.len();
            self.batch(py, index, &items[index..], &mut results)?;
        }
        Ok(PyList::new(py, results)?.into_any())
    }

    /// Appends the results for the first of `items`; the first of all is item `index`.
    fn batch<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        items: &[Bound<'py, PyAny>],
        results: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        // The inputs, each with the index of its result, where the item is until then.
        let mut inputs = Vec::new();
        let mut bytes = 0;
        for (at, item) in items.iter().take(BATCH).enumerate() {
            let mut take = || {
                if item.is_none() {
                    return Ok(item.clone());
                }
                if let Some(result) = self.quick(item)? {
                    return Ok(result);
                }
                match self.input(item) {
                    Ok(input) => {
                        bytes += input.weight();
                        inputs.push((results.len(), input));
                    }
                    Err(_) if is_missing(item) => {}
                    Err(error) => return Err(error),
                }
                Ok(item.clone())
            };
            let result = take().map_err(|error| indexed(py, error, index + at))?;
            results.push(result);
            if bytes >= BATCH_BYTES {
                break;
            }
        }
        let work =
            || -> Vec<Self::Output> { inputs.iter().map(|(_, input)| self.work(input)).collect() };
        // After a whole batch, other threads have a turn in any case.
        let is_long = bytes >= LONG || items.len() >= BATCH;
        let outputs = if is_long { py.detach(work) } else { work() };
        for ((place, input), output) in inputs.iter().zip(outputs) {
            results[*place] = self
                .result(&items[place - index], input, output)
                .map_err(|error| indexed(py, error, *place))?;
        }
        Ok(())
    }
}

/// Returns true if an item is a value that pandas uses for a missing text.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    let is_nan = || item.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
    let is_of_pandas = || {
        let kind = item.get_type();
        let module = kind.module().ok()?.to_string();
        let name = kind.name().ok()?.to_string();
        Some(module.starts_with("pandas.") && matches!(&*name, "NAType" | "NaTType"))
    };
    is_nan() || is_of_pandas().unwrap_or(false)
}

/// The column of an argument that is one of Arrow; see [`Column::of`].
pub(crate) fn column(argument: &Bound<'_, PyAny>, binary: bool) -> PyResult<Option<Column>> {
    // Frequent types come first.
    if argument.is_instance_of::<PyString>()
        || argument.is_instance_of::<PyBytes>()
        || argument.is_instance_of::<PyList>()
    {
        return Ok(None);
    }
    Column::of(argument, binary)
}
