//! One argument, or a list of them: every function takes both.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

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

    /// Whether the result for `object` is certainly the object itself, seen without much work.
    fn is_same(&self, _object: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(false)
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

    /// The result for one argument, or a list of the results for a list or a tuple, in which `None`
    /// stays `None`. An error of a list has the `index` of the item.
    fn call<'py>(&self, argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = argument.py();
        let items: Vec<Bound<'py, PyAny>> = if let Ok(list) = argument.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = argument.cast::<PyTuple>() {
            tuple.iter().collect()
        } else {
            if self.is_same(argument)? {
                return Ok(argument.clone());
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
        let mut inputs = Vec::with_capacity(items.len().min(BATCH));
        let mut bytes = 0;
        for (at, item) in items.iter().take(BATCH).enumerate() {
            let input = || match item.is_none() || self.is_same(item)? {
                true => Ok(None),
                false => self.input(item).map(Some),
            };
            let input = input().map_err(|error| indexed(py, error, index + at))?;
            bytes += input.as_ref().map_or(0, Weight::weight);
            inputs.push(input);
            if bytes >= BATCH_BYTES {
                break;
            }
        }
        let work = || -> Vec<Option<Self::Output>> {
            inputs.iter().map(|input| input.as_ref().map(|input| self.work(input))).collect()
        };
        let outputs = if bytes < LONG { work() } else { py.detach(work) };
        for (at, ((item, input), output)) in items.iter().zip(&inputs).zip(outputs).enumerate() {
            results.push(match (input, output) {
                (Some(input), Some(output)) => self
                    .result(item, input, output)
                    .map_err(|error| indexed(py, error, index + at))?,
                _ => item.clone(),
            });
        }
        Ok(())
    }
}

/// The column of an argument that is one of Arrow; see [`Column::of`].
pub(crate) fn column(argument: &Bound<'_, PyAny>, binary: bool) -> PyResult<Option<Column>> {
    // Those of which there are many calls.
    if argument.is_instance_of::<PyString>()
        || argument.is_instance_of::<PyBytes>()
        || argument.is_instance_of::<PyList>()
    {
        return Ok(None);
    }
    Column::of(argument, binary)
}
