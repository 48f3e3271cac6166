//! `fix_mojibake` undoes double encoding, and `explain` returns the changes.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use utflane::{Utf8, count, utf8, validate};
use utflane_charset::mojibake::{self, Misread, Options};

use crate::arrow::{Column, NOT_UTF8, NewRow, Values};
use crate::input::{Text, to_python_string};
use crate::many::{ByteLen, Function, import_column};
use crate::whole::{self, Fixed, WholeText};
use crate::wide;

/// The kind of double encoding to undo.
#[derive(Clone, Copy)]
enum Mode {
    /// Undoes likely double encoding.
    Undo(Options),
    /// Undoes one round of UTF-8 decoded with this encoding, even if double encoding is unlikely.
    UndoAs(Misread),
}

impl Mode {
    /// Returns the mode with this name. The modes of `utflane repair` have the same names.
    fn from_name(name: &str, no_break_spaces: bool) -> PyResult<Self> {
        let options = match name {
            "all" => Options::new(),
            "once" => Options::new().once(),
            "runs" => Options::new().runs().once(),
            "runs-all" => Options::new().runs(),
            "latin1" | "windows-1252" if no_break_spaces => {
                let message =
                    "no_break_spaces cannot be combined with the modes latin1 and windows-1252";
                return Err(PyValueError::new_err(message));
            }
            "latin1" => return Ok(Self::UndoAs(Misread::Latin1)),
            "windows-1252" => return Ok(Self::UndoAs(Misread::Windows1252)),
            _ => {
                let modes = "all, once, runs, runs-all, latin1, windows-1252";
                return Err(PyValueError::new_err(format!(
                    "unknown mode '{name}'; expected one of {modes}"
                )));
            }
        };
        Ok(Self::Undo(if no_break_spaces { options.no_break_spaces() } else { options }))
    }

    /// Undoes double encoding in `text`. Returns the result, and the number of rounds of double
    /// encoding that were undone.
    fn undo_str(self, text: &str) -> (Cow<'_, str>, usize) {
        match self {
            Self::Undo(options) => {
                let undone = options.undo(text);
                (undone.text, undone.rounds)
            }
            Self::UndoAs(misread) if !text.is_ascii() => match mojibake::revert(text, misread) {
                Some(reverted) => (reverted.into(), 1),
                None => (text.into(), 0),
            },
            Self::UndoAs(_) => (text.into(), 0),
        }
    }

    /// Does the same as [`undo_str`](Self::undo_str), for a text that may contain surrogates.
    /// Returns the bytes of the result and the number of rounds, or `None` if nothing changes.
    /// Surrogates are never part of double encoding.
    fn undo_text(self, text: &Text) -> Option<(Vec<u8>, usize)> {
        match text {
            Text::Utf8(text) => {
                let (undone, rounds) = self.undo_str(text);
                (rounds > 0).then(|| (undone.into_owned().into_bytes(), rounds))
            }
            Text::WithSurrogates(bytes) if self.undoes_runs() => {
                let (mut fixed, mut max_rounds) = (Vec::with_capacity(bytes.len()), 0);
                let mut rest = &bytes[..];
                while !rest.is_empty() {
                    let valid_len = validate::<Utf8>(rest)
                        .map_or_else(|error| error.valid_up_to(), |()| rest.len());
                    let (segment, after) = rest.split_at(valid_len);
                    let (undone, rounds) =
                        self.undo_str(utf8::from_utf8(segment).unwrap_or_default());
                    fixed.extend_from_slice(undone.as_bytes());
                    max_rounds = max_rounds.max(rounds);
                    let (surrogate, after) = after.split_at(after.len().min(3));
                    fixed.extend_from_slice(surrogate);
                    rest = after;
                }
                (max_rounds > 0).then_some((fixed, max_rounds))
            }
            // The other modes repair only a text that is double-encoded as a whole. A text with
            // surrogates never is.
            Text::WithSurrogates(_) => None,
        }
    }

    /// Returns the options if [`WholeText`] supports them. It supports neither runs nor the
    /// restoration of no-break spaces.
    fn options_for_whole_text(self) -> Option<Options> {
        let default = Options::new();
        match self {
            Self::Undo(options) if [default, default.once()].contains(&options) => Some(options),
            _ => None,
        }
    }

    /// Returns true if each double-encoded run of a text is undone separately.
    fn undoes_runs(self) -> bool {
        matches!(self, Self::Undo(options) if options == options.runs())
    }
}

/// The arguments of `fix_mojibake`.
struct Fix(Mode);

impl Function for Fix {
    type Input = FixInput;
    type Output = Option<Fixed>;

    fn try_fast<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
        if !matches!(self.0, Mode::Undo(_)) || self.0.undoes_runs() {
            return Ok(None);
        }
        if wide::count_code_points(text) >= wide::LONG_CODE_POINTS {
            return Ok(whole::is_not_double_encoded(text)?.then(|| object.clone()));
        }
        let Some(options) = self.0.options_for_whole_text() else { return Ok(None) };
        let fixed = whole::fix_short(text, options)?;
        Ok(Some(fixed.map_or_else(|| object.clone(), Bound::into_any)))
    }

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<FixInput> {
        if let (Some(_), Ok(text)) = (self.0.options_for_whole_text(), object.cast::<PyString>())
            && let Some(whole) = WholeText::from_string(text)?
        {
            return Ok(FixInput::WholeText(whole));
        }
        Text::from_object(object).map(FixInput::Text)
    }

    fn compute(&self, input: &FixInput) -> Self::Output {
        match input {
            FixInput::Text(text) => self.0.undo_text(text).map(|(fixed, _)| Fixed::Text(fixed)),
            FixInput::WholeText(whole) => whole.undo(self.0.options_for_whole_text()?),
        }
    }

    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        input: &FixInput,
        fixed: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        match fixed {
            Some(Fixed::Text(text)) => Ok(to_python_string(object.py(), &text)?.into_any()),
            Some(Fixed::UnchangedBytes) => {
                Ok(to_python_string(object.py(), input.bytes())?.into_any())
            }
            None => Ok(object.clone()),
        }
    }
}

/// A text to repair.
enum FixInput {
    Text(Text),
    /// A long text that is probably double-encoded as a whole.
    WholeText(WholeText),
}

impl FixInput {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.bytes(),
            Self::WholeText(whole) => whole.bytes(),
        }
    }
}

impl ByteLen for FixInput {
    fn byte_len(&self) -> usize {
        self.bytes().len()
    }
}

impl Fix {
    /// Repairs each row of a column. Returns `object` itself if no row changes.
    fn fix_column<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        column: &Column,
    ) -> PyResult<Bound<'py, PyAny>> {
        let map = |row: &[u8]| {
            let text = utf8::from_utf8(row).map_err(|_| NOT_UTF8)?;
            let (undone, rounds) = self.0.undo_str(text);
            Ok(match rounds {
                0 => NewRow::Unchanged,
                _ => NewRow::Value(undone.into_owned().into_bytes()),
            })
        };
        let error = |_: &[u8], reason: &'static str| PyValueError::new_err(reason);
        let new_column = column.map(object.py(), Values::Text, map, error)?;
        match new_column.is_changed {
            true => new_column.into_object(object.py()),
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
    let fix = Fix(Mode::from_name(mode, no_break_spaces)?);
    match import_column(text, false)? {
        Some(column) => fix.fix_column(text, &column),
        None => fix.call(text),
    }
}

/// A double-encoded part of a text.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Change {
    /// The start of the part in the text, in code points.
    #[pyo3(get)]
    start: usize,
    /// The end of the part in the text, in code points.
    #[pyo3(get)]
    end: usize,
    /// The part before the repair.
    #[pyo3(get)]
    before: Py<PyString>,
    /// The part after the repair.
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
    /// The number of rounds of double encoding that were undone.
    #[pyo3(get)]
    rounds: usize,
    /// The double-encoded parts, in order.
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

/// The arguments of `explain`.
struct Explain {
    mode: Mode,
    no_break_spaces: bool,
}

/// A repaired text, the number of rounds, and the parts that differ: the byte range of each part in
/// the text before the repair, and its byte range after the repair.
type Explained = (Vec<u8>, usize, Vec<[(usize, usize); 2]>);

impl Function for Explain {
    type Input = Text;
    type Output = Option<Explained>;

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Text> {
        Text::from_object(object)
    }

    fn compute(&self, text: &Text) -> Self::Output {
        let (fixed, rounds) = self.mode.undo_text(text)?;
        let ranges = changed_ranges(text.bytes(), &fixed, self.no_break_spaces);
        Some((fixed, rounds, ranges))
    }

    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        text: &Text,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let Some((fixed, rounds, ranges)) = output else {
            let text = object.clone().cast_into::<PyString>()?.unbind();
            let explanation = Explanation { text, rounds: 0, changes: Vec::new() };
            return Ok(Bound::new(py, explanation)?.into_any());
        };
        let bytes = text.bytes();
        let (mut previous_end, mut position) = (0, 0);
        let mut changes = Vec::with_capacity(ranges.len());
        for [before, after] in ranges {
            let start = position + count_code_points(&bytes[previous_end..before.0]);
            let end = start + count_code_points(&bytes[before.0..before.1]);
            (previous_end, position) = (before.1, end);
            changes.push(Py::new(
                py,
                Change {
                    start,
                    end,
                    before: to_python_string(py, &bytes[before.0..before.1])?.unbind(),
                    after: to_python_string(py, &fixed[after.0..after.1])?.unbind(),
                },
            )?);
        }
        let text = to_python_string(py, &fixed)?.unbind();
        Ok(Bound::new(py, Explanation { text, rounds, changes })?.into_any())
    }
}

/// Returns the number of code points of a text in UTF-8 in which surrogates have three bytes.
fn count_code_points(bytes: &[u8]) -> usize {
    match validate::<Utf8>(bytes) {
        Ok(()) => count::<Utf8>(bytes),
        Err(_) => bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count(),
    }
}

/// Returns the parts of a text that differ from the repaired text, as byte ranges in both texts.
///
/// A repair changes only non-ASCII characters, and spaces if `restores_spaces`, because spaces may
/// stand for no-break spaces. It adds no other characters, and never removes a whole run of
/// characters that it may change. So both texts have the same runs of unchanged characters, and the
/// same number of other runs between them.
fn changed_ranges(before: &[u8], after: &[u8], restores_spaces: bool) -> Vec<[(usize, usize); 2]> {
    let may_change = move |byte: &u8| !byte.is_ascii() || restores_spaces && *byte == b' ';
    let next_run = |text: &[u8], offset: usize| {
        let start =
            text[offset..].iter().position(may_change).map_or(text.len(), |len| offset + len);
        let len = text[start..].iter().position(|byte| !may_change(byte));
        (start, len.map_or(text.len(), |len| start + len))
    };
    let mut ranges = Vec::new();
    let (mut before_offset, mut after_offset) = (0, 0);
    while before_offset < before.len() || after_offset < after.len() {
        let (old, new) = (next_run(before, before_offset), next_run(after, after_offset));
        (before_offset, after_offset) = (old.1, new.1);
        let (old_run, new_run) = (&before[old.0..old.1], &after[new.0..new.1]);
        if old_run != new_run {
            let (prefix_len, suffix_len) = common_affix_lens(old_run, new_run);
            ranges.push([
                (old.0 + prefix_len, old.1 - suffix_len),
                (new.0 + prefix_len, new.1 - suffix_len),
            ]);
        }
    }
    ranges
}

/// Returns the lengths in bytes of the longest common prefix and the longest common suffix of two
/// texts. The prefix and the suffix consist of whole characters and do not overlap.
fn common_affix_lens(one: &[u8], two: &[u8]) -> (usize, usize) {
    let is_boundary =
        |text: &[u8], offset: usize| text.get(offset).is_none_or(|byte| byte & 0xC0 != 0x80);
    let shorter_len = one.len().min(two.len());
    let mut prefix_len = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    while !(is_boundary(one, prefix_len) && is_boundary(two, prefix_len)) {
        prefix_len -= 1;
    }
    let reversed = one.iter().rev().zip(two.iter().rev());
    let mut suffix_len =
        reversed.take(shorter_len - prefix_len).take_while(|(a, b)| a == b).count();
    while !(is_boundary(one, one.len() - suffix_len) && is_boundary(two, two.len() - suffix_len)) {
        suffix_len -= 1;
    }
    (prefix_len, suffix_len)
}

/// Returns the changes that `fix_mojibake` would make in a text, or in each text of a list.
#[pyfunction]
#[pyo3(signature = (text, mode = "all", *, no_break_spaces = false))]
pub(crate) fn explain<'py>(
    text: &Bound<'py, PyAny>,
    mode: &str,
    no_break_spaces: bool,
) -> PyResult<Bound<'py, PyAny>> {
    Explain { mode: Mode::from_name(mode, no_break_spaces)?, no_break_spaces }.call(text)
}
