//! `fix_mojibake` undoes double encoding; `explain` returns the changes.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use utflane::mojibake::{self, Misread, Options};
use utflane::{Utf8, count, utf8, validate};

use crate::arrow::{Column, NO_UTF8, Row, Values};
use crate::input::{Text, string};
use crate::many::{Function, Weight, column};
use crate::whole::{self, Fixed, Whole};
use crate::wide;

/// The damage to undo.
#[derive(Clone, Copy)]
enum Mode {
    Undo(Options),
    Revert(Misread),
}

impl Mode {
    /// The mode that the command calls `name`.
    fn of(name: &str, no_break_spaces: bool) -> PyResult<Self> {
        let options = match name {
            "all" => Options::new(),
            "once" => Options::new().once(),
            "runs" => Options::new().runs().once(),
            "runs-all" => Options::new().runs(),
            "latin1" | "windows-1252" if no_break_spaces => {
                let message = "no_break_spaces is not for the modes latin1 and windows-1252";
                return Err(PyValueError::new_err(message));
            }
            "latin1" => return Ok(Self::Revert(Misread::Latin1)),
            "windows-1252" => return Ok(Self::Revert(Misread::Windows1252)),
            _ => {
                let modes = "all, once, runs, runs-all, latin1, windows-1252";
                return Err(PyValueError::new_err(format!(
                    "unknown mode '{name}'; one of {modes}"
                )));
            }
        };
        Ok(Self::Undo(if no_break_spaces { options.no_break_spaces() } else { options }))
    }

    /// The text without the damage, and the rounds that were undone.
    fn undone(self, text: &str) -> (Cow<'_, str>, usize) {
        match self {
            Self::Undo(options) => {
                let undone = options.undo(text);
                (undone.text, undone.rounds)
            }
            Self::Revert(misread) if !text.is_ascii() => match mojibake::revert(text, misread) {
                Some(reverted) => (reverted.into(), 1),
                None => (text.into(), 0),
            },
            Self::Revert(_) => (text.into(), 0),
        }
    }

    /// The new text, if it is another one, and the rounds that were undone. Surrogates are never
    /// part of damage.
    fn fixed(self, text: &Text) -> Option<(Vec<u8>, usize)> {
        match text {
            Text::Plain(text) => {
                let (undone, rounds) = self.undone(text);
                (rounds > 0).then(|| (undone.into_owned().into_bytes(), rounds))
            }
            // As a whole, a text with one is not damaged.
            Text::Surrogates(bytes) if self.is_of_runs() => {
                let (mut fixed, mut most) = (Vec::with_capacity(bytes.len()), 0);
                let mut rest = &bytes[..];
                while !rest.is_empty() {
                    let valid = validate::<Utf8>(rest)
                        .map_or_else(|error| error.valid_up_to(), |()| rest.len());
                    let (segment, after) = rest.split_at(valid);
                    let (undone, rounds) = self.undone(str::from_utf8(segment).unwrap_or_default());
                    fixed.extend_from_slice(undone.as_bytes());
                    most = most.max(rounds);
                    let (surrogate, after) = after.split_at(after.len().min(3));
                    fixed.extend_from_slice(surrogate);
                    rest = after;
                }
                (most > 0).then_some((fixed, most))
            }
            Text::Surrogates(_) => None,
        }
    }

    /// The options, if [`Whole`] supports them: no runs, and no restored no-break spaces.
    fn whole(self) -> Option<Options> {
        let all = Options::new();
        match self {
            Self::Undo(options) if [all, all.once()].contains(&options) => Some(options),
            _ => None,
        }
    }

    /// Returns true if damaged runs are undone each by itself.
    fn is_of_runs(self) -> bool {
        matches!(self, Self::Undo(options) if options == options.runs())
    }
}

/// The repair of texts.
struct Fix(Mode);

impl Function for Fix {
    type Input = Given;
    type Output = Option<Fixed>;

    fn quick<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
        if !matches!(self.0, Mode::Undo(_)) || self.0.is_of_runs() {
            return Ok(None);
        }
        if wide::len(text) >= wide::LONG {
            return Ok(whole::is_undamaged(text)?.then(|| object.clone()));
        }
        let Some(options) = self.0.whole() else { return Ok(None) };
        let fixed = whole::fixed(text, options)?;
        Ok(Some(fixed.map_or_else(|| object.clone(), Bound::into_any)))
    }

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Given> {
        if let (Some(_), Ok(text)) = (self.0.whole(), object.cast::<PyString>())
            && let Some(whole) = Whole::of(text)?
        {
            return Ok(Given::Whole(whole));
        }
        Text::of(object).map(Given::Text)
    }

    fn work(&self, given: &Given) -> Self::Output {
        match given {
            Given::Text(text) => self.0.fixed(text).map(|(fixed, _)| Fixed::Text(fixed)),
            Given::Whole(whole) => whole.undone(self.0.whole()?),
        }
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        given: &Given,
        fixed: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        match fixed {
            Some(Fixed::Text(text)) => Ok(string(object.py(), &text)?.into_any()),
            Some(Fixed::Given) => Ok(string(object.py(), given.bytes())?.into_any()),
            None => Ok(object.clone()),
        }
    }
}

/// A text to repair.
enum Given {
    Text(Text),
    Whole(Whole),
}

impl Given {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.bytes(),
            Self::Whole(whole) => whole.bytes(),
        }
    }
}

impl Weight for Given {
    fn weight(&self) -> usize {
        self.bytes().len()
    }
}

impl Fix {
    /// The column with its texts repaired; the object itself if none was damaged.
    fn column<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        column: &Column,
    ) -> PyResult<Bound<'py, PyAny>> {
        let map = |row: &[u8]| {
            let text = utf8::from_utf8(row).map_err(|_| NO_UTF8)?;
            let (undone, rounds) = self.0.undone(text);
            Ok(match rounds {
                0 => Row::Same,
                _ => Row::Value(undone.into_owned().into_bytes()),
            })
        };
        let error = |_: &[u8], reason: &'static str| PyValueError::new_err(reason);
        let mapped = column.map(object.py(), Values::Text, map, error)?;
        match mapped.is_changed {
            true => mapped.object(object.py()),
            false => Ok(object.clone()),
        }
    }
}

/// Undoes double encoding in a text, or in each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (text, mode = "all", *, no_break_spaces = false))]
pub(crate) fn fix_mojibake<'py>(
    text: &Bound<'py, PyAny>,
    mode: &str,
    no_break_spaces: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let fix = Fix(Mode::of(mode, no_break_spaces)?);
    match column(text, false)? {
        Some(column) => fix.column(text, &column),
        None => fix.call(text),
    }
}

/// A damaged part of a text.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Change {
    /// The first code point of the part.
    #[pyo3(get)]
    start: usize,
    /// The code point after it.
    #[pyo3(get)]
    end: usize,
    /// The part.
    #[pyo3(get)]
    before: Py<PyString>,
    /// The same part, repaired.
    #[pyo3(get)]
    after: Py<PyString>,
}

#[pymethods]
impl Change {
    #[new]
    fn new(start: usize, end: usize, before: Py<PyString>, after: Py<PyString>) -> Self {
        Self { start, end, before, after }
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (usize, usize, Py<PyString>, Py<PyString>) {
        (self.start, self.end, self.before.clone_ref(py), self.after.clone_ref(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (start, end) = (self.start, self.end);
        let [before, after] = [&self.before, &self.after].map(|text| text.bind(py).repr());
        Ok(format!("Change(start={start}, end={end}, before={}, after={})", before?, after?))
    }
}

/// The result of `explain`.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Explanation {
    /// The repaired text.
    #[pyo3(get)]
    text: Py<PyString>,
    /// The rounds of double encoding that were undone.
    #[pyo3(get)]
    rounds: usize,
    /// The damaged parts, in order.
    #[pyo3(get)]
    changes: Vec<Py<Change>>,
}

#[pymethods]
impl Explanation {
    #[new]
    fn new(text: Py<PyString>, rounds: usize, changes: Vec<Py<Change>>) -> Self {
        Self { text, rounds, changes }
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<PyString>, usize, Vec<Py<Change>>) {
        let changes = self.changes.iter().map(|change| change.clone_ref(py)).collect();
        (self.text.clone_ref(py), self.rounds, changes)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (rounds, changes) = (self.rounds, self.changes.len());
        let text = self.text.bind(py).repr()?;
        Ok(format!("Explanation(text={text}, rounds={rounds}, changes={changes})"))
    }
}

/// The explanation of repairs.
struct Explain {
    mode: Mode,
    no_break_spaces: bool,
}

/// A repaired text, the rounds, and the ranges of bytes that differ: before and after.
type Explained = (Vec<u8>, usize, Vec<[(usize, usize); 2]>);

impl Function for Explain {
    type Input = Text;
    type Output = Option<Explained>;

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Text> {
        Text::of(object)
    }

    fn work(&self, text: &Text) -> Self::Output {
        let (fixed, rounds) = self.mode.fixed(text)?;
        let places = places(text.bytes(), &fixed, self.no_break_spaces);
        Some((fixed, rounds, places))
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        text: &Text,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let Some((fixed, rounds, places)) = output else {
            let text = object.clone().cast_into::<PyString>()?.unbind();
            let explanation = Explanation { text, rounds: 0, changes: Vec::new() };
            return Ok(Bound::new(py, explanation)?.into_any());
        };
        let bytes = text.bytes();
        let (mut done, mut position) = (0, 0);
        let mut changes = Vec::with_capacity(places.len());
        for [before, after] in places {
            let start = position + code_points(&bytes[done..before.0]);
            let end = start + code_points(&bytes[before.0..before.1]);
            (done, position) = (before.1, end);
            changes.push(Py::new(
                py,
                Change {
                    start,
                    end,
                    before: string(py, &bytes[before.0..before.1])?.unbind(),
                    after: string(py, &fixed[after.0..after.1])?.unbind(),
                },
            )?);
        }
        let text = string(py, &fixed)?.unbind();
        Ok(Bound::new(py, Explanation { text, rounds, changes })?.into_any())
    }
}

/// The code points of a text in which surrogates have three bytes.
fn code_points(bytes: &[u8]) -> usize {
    match validate::<Utf8>(bytes) {
        Ok(()) => count::<Utf8>(bytes),
        Err(_) => bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count(),
    }
}

/// The parts of a text that differ from the repaired one.
///
/// Repair changes no ASCII and makes none, except for blanks where they may stand for no-break
/// spaces. It never removes all of a run of other characters. So both texts have the same runs of
/// ASCII, and a run between them in the one is a run in the other.
fn places(before: &[u8], after: &[u8], blanks: bool) -> Vec<[(usize, usize); 2]> {
    let is_other = move |byte: &u8| !byte.is_ascii() || blanks && *byte == b' ';
    let run = |text: &[u8], at: usize| {
        let start = text[at..].iter().position(is_other).map_or(text.len(), |more| at + more);
        let len = text[start..].iter().position(|byte| !is_other(byte));
        (start, len.map_or(text.len(), |len| start + len))
    };
    let mut places = Vec::new();
    let (mut in_before, mut in_after) = (0, 0);
    while in_before < before.len() || in_after < after.len() {
        let (old, new) = (run(before, in_before), run(after, in_after));
        (in_before, in_after) = (old.1, new.1);
        let (one, two) = (&before[old.0..old.1], &after[new.0..new.1]);
        if one != two {
            let (start, end) = common(one, two);
            places.push([(old.0 + start, old.1 - end), (new.0 + start, new.1 - end)]);
        }
    }
    places
}

/// The bytes of the whole characters that two texts have in common, at the start and at the end.
fn common(one: &[u8], two: &[u8]) -> (usize, usize) {
    let is_start = |text: &[u8], at: usize| text.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let shorter = one.len().min(two.len());
    let mut start = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    while !(is_start(one, start) && is_start(two, start)) {
        start -= 1;
    }
    let ends = one.iter().rev().zip(two.iter().rev());
    let mut end = ends.take(shorter - start).take_while(|(a, b)| a == b).count();
    while !(is_start(one, one.len() - end) && is_start(two, two.len() - end)) {
        end -= 1;
    }
    (start, end)
}

/// Returns the changes that `fix_mojibake` would make in a text, or in each text of a list.
#[pyfunction]
#[pyo3(signature = (text, mode = "all", *, no_break_spaces = false))]
pub(crate) fn explain<'py>(
    text: &Bound<'py, PyAny>,
    mode: &str,
    no_break_spaces: bool,
) -> PyResult<Bound<'py, PyAny>> {
    Explain { mode: Mode::of(mode, no_break_spaces)?, no_break_spaces }.call(text)
}
