//! Watches a text for parts in another encoding than the one that its start decides.

use crate::detect::answer::{Detection, Mixture};
use crate::detect::detection::Text;
use crate::detect::survey::Survey;

/// Searches a text for parts in another encoding, while the text is read. A watch keeps no text, so
/// it needs little memory. [`Detector`](crate::detect::Detector) also keeps the part of the text
/// that decides.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    survey: Survey,
    /// The detection for the start of the text, once [`decide`](Self::decide) has been called.
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

    /// Returns the detection for `start`, the text so far, and decides the encoding by it. `whole`
    /// is true if `start` is the whole text.
    pub(crate) fn decide(&mut self, start: &[u8], whole: bool) -> Detection {
        let found = Text { src: start, may_continue: !whole }.detect();
        self.start = Some(found);
        found.or_mixture(&self.survey, whole, start, 0)
    }

    /// Returns the parts of the text so far in different encodings, if the encoding is decided.
    /// `whole` is true at the end of the text.
    pub(crate) fn mixture(&self, whole: bool) -> Option<Mixture> {
        self.start?.or_mixture(&self.survey, whole, &[], 0).mixture
    }
}
