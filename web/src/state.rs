//! The state of the module between two calls from JavaScript. The module processes one file at a
//! time.

use utflane_charset::Charset;

use crate::analysis::Analysis;
use crate::conversion::Conversion;
use crate::detection::{self, Detection};
use crate::double_encoding::UndoRound;
use crate::encoding;

/// The input and the output buffer, and the tasks in progress.
#[derive(Default)]
pub(crate) struct State {
    /// The input buffer, which JavaScript writes before a call.
    pub(crate) input: Vec<u8>,
    /// The output buffer, which JavaScript reads after a call.
    pub(crate) output: Vec<u8>,
    /// The first bytes of the file, which may be a byte order mark.
    head: Vec<u8>,
    detection: Option<Detection>,
    analysis: Option<Analysis>,
    conversion: Option<Conversion>,
}

/// The length of the longest byte order mark, in bytes.
const MAX_MARK_BYTES: usize = 4;

impl State {
    /// Keeps the input: the first bytes of the file, which may be a byte order mark.
    pub(crate) fn set_head(&mut self, len: usize) {
        self.head = self.input[..len.min(MAX_MARK_BYTES)].to_vec();
    }

    /// Writes the names of all encodings to the output.
    pub(crate) fn list_encodings(&mut self) {
        self.output = detection::encoding_names().into_bytes();
    }

    /// Starts the detection of the encoding of the file.
    pub(crate) fn start_detection(&mut self) {
        self.detection = Some(Detection::new());
    }

    /// Reads the input as the next chunk of the file.
    pub(crate) fn push_detection(&mut self, len: usize) {
        if let Some(detection) = &mut self.detection {
            detection.push(&self.input[..len]);
        }
    }

    /// Ends the detection. The output is the result, as JSON.
    pub(crate) fn finish_detection(&mut self) {
        self.output = self.detection.take().map_or(String::new(), Detection::finish).into_bytes();
    }

    /// Returns the words of the input, or one empty word if the input is not UTF-8.
    fn words(&self, len: usize) -> Vec<String> {
        let words = core::str::from_utf8(&self.input[..len]).unwrap_or_default();
        words.split(' ').map(Into::into).collect()
    }

    /// Returns the length of the byte order mark of this encoding if the file begins with it, else
    /// 0.
    fn mark_len(&self, source: Charset) -> usize {
        let mark = source.mark();
        if self.head.starts_with(mark) { mark.len() } else { 0 }
    }

    /// Starts an analysis. The input is the encoding, and the rounds of double encoding to undo.
    /// Returns the length of the byte order mark, in bytes; the first chunk begins after it.
    /// Returns `None` if the input is not understood.
    pub(crate) fn start_analysis(&mut self, len: usize) -> Option<usize> {
        let words = self.words(len);
        let [label, rounds] = words.as_slice() else { return None };
        let source = encoding::source_from_label(label, &self.head)?;
        let mark_len = self.mark_len(source);
        let rounds = UndoRound::from_letters(rounds)?;
        self.analysis = Some(Analysis::new(source, mark_len as u64, rounds));
        Some(mark_len)
    }

    /// Analyses the input as the next chunk of the file.
    pub(crate) fn push_analysis(&mut self, len: usize) {
        if let Some(analysis) = &mut self.analysis {
            analysis.push(&self.input[..len]);
        }
    }

    /// Ends the analysis. The output is the result, as JSON.
    pub(crate) fn finish_analysis(&mut self) {
        self.output = self.analysis.take().map_or(String::new(), Analysis::finish).into_bytes();
    }

    /// Starts a conversion. The input is the encoding, the target encoding, `mark` (write a byte
    /// order mark) or `plain`, and the rounds of double encoding to undo. Returns the same as
    /// [`start_analysis`](Self::start_analysis).
    pub(crate) fn start_conversion(&mut self, len: usize) -> Option<usize> {
        let words = self.words(len);
        let [label, target, mark, rounds] = words.as_slice() else { return None };
        let writes_mark = match &**mark {
            "mark" => true,
            "plain" => false,
            _ => return None,
        };
        let source = encoding::source_from_label(label, &self.head)?;
        let rounds = UndoRound::from_letters(rounds)?;
        self.conversion = Some(Conversion::new(source, target, writes_mark, rounds)?);
        Some(self.mark_len(source))
    }

    /// Converts the input as the next chunk of the file. The output is the next part of the result.
    pub(crate) fn push_conversion(&mut self, len: usize) {
        self.output.clear();
        if let Some(conversion) = &mut self.conversion {
            conversion.push(&self.input[..len], &mut self.output);
        }
    }

    /// Ends the conversion. The output is the last part of the result.
    pub(crate) fn finish_conversion(&mut self) {
        self.output.clear();
        if let Some(conversion) = &mut self.conversion {
            conversion.finish(&mut self.output);
        }
    }

    /// Writes the numbers of repairs of the conversion to the output, as JSON.
    pub(crate) fn report_conversion(&mut self) {
        let report = self.conversion.take().map(|conversion| conversion.report());
        self.output = report.unwrap_or_default().into_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a state that has the first bytes of a file, and an input.
    fn with_input(head: &[u8], input: &str) -> State {
        let mut state = State { input: head.to_vec(), ..State::default() };
        state.set_head(head.len());
        state.input = input.as_bytes().to_vec();
        state
    }

    #[test]
    fn the_byte_order_mark_belongs_to_the_encoding() {
        for (head, words, mark) in [
            (&b"\xEF\xBB\xBFHi"[..], "utf-8 ", 3),
            (b"\xEF\xBB\xBFHi", "utf-16le ", 0),
            (b"\xFF\xFE", "utf-16le LW", 2),
            (b"\xFF\xFE\0\0", "utf-32le ", 4),
            (b"\xFF", "utf-16le ", 0),
            (b"\xFF\xFEa\0", "utf-16 ", 2),
            (b"\0\0\xFE\xFF\0\0\0a", "utf-32 ", 4),
            (b"\xEF\xBB\xBFHi", "KOI8-R ", 0),
            (b"", "latin1 ", 0),
        ] {
            let mut state = with_input(head, words);
            assert_eq!(state.start_analysis(words.len()), Some(mark), "{head:X?} {words}");
        }
    }

    #[test]
    fn malformed_input_is_refused() {
        for words in ["", "utf-8", "auto ", "uft-8 ", "utf-8 X", "utf-8 L more", "\u{E9} "] {
            assert_eq!(with_input(b"", words).start_analysis(words.len()), None, "{words}");
        }
        for words in [
            "utf-8 utf-16le plain",
            "utf-8 koi8-r plain ",
            "utf-8 utf-8 mark Q",
            "utf-8 utf-8 marked ",
            "utf-8 utf-8  ",
        ] {
            assert_eq!(with_input(b"", words).start_conversion(words.len()), None, "{words}");
        }
    }

    #[test]
    fn a_conversion_reads_the_input_and_writes_the_output() {
        let words = "utf-8 utf-16be mark L";
        let mut state = with_input(b"", words);
        assert_eq!(state.start_conversion(words.len()), Some(0));
        state.input = "f\u{C3}\u{B6}".as_bytes().to_vec();
        state.push_conversion(state.input.len());
        let mut saved = state.output.clone();
        state.finish_conversion();
        saved.extend_from_slice(&state.output);
        assert_eq!(saved, b"\xFE\xFF\0f\0\xF6");
        state.report_conversion();
        assert_eq!(state.output, br#"{"illFormed":0,"unmappable":0}"#);
    }

    #[test]
    fn calls_without_a_start_have_no_output() {
        let mut state = with_input(b"", "abc");
        state.push_detection(3);
        state.push_analysis(3);
        state.push_conversion(3);
        state.finish_detection();
        assert_eq!(state.output, b"");
        state.finish_analysis();
        state.finish_conversion();
        state.report_conversion();
        assert_eq!(state.output, b"");
    }
}
