//! A text that is read in the encoding that its start decides.

use crate::detect::answer::{Detection, Mixture};
use crate::detect::detection::Text;
use crate::detect::survey::Survey;

/// Watches a text that is read for parts in another encoding. It keeps no text, so it costs
/// little memory: [`Detector`](crate::detect::Detector) keeps the part that decides.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    survey: Survey,
    /// The answer for the start, once it has been asked for.
    start: Option<Detection>,
}

impl Watch {
    /// Returns a watch at the start of a text.
    pub(crate) fn new() -> Self {
        Self { survey: Survey::new(), start: None }
    }

    /// Reads the next bytes of the text.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.survey.push(chunk);
    }

    /// Returns the detection of the text so far, `start`, and decides by it. It is the whole text
    /// if `whole`.
    pub(crate) fn decide(&mut self, start: &[u8], whole: bool) -> Detection {
        let found = Text { src: start, may_continue: !whole }.detect();
        self.start = Some(found);
        found.or_mixed(&self.survey, whole)
    }

    /// Returns the parts of the text so far in different encodings, once its encoding is decided.
    /// `whole` is true at the end of the text.
    pub(crate) fn mixture(&self, whole: bool) -> Option<Mixture> {
        self.start?.or_mixed(&self.survey, whole).mixture
    }
}
