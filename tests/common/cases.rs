//! Cases of UTF-8 with literal expected results. They are checked by themselves, in other text at
//! every position about the boundaries of blocks, strictly, with repairs, and as streams byte by
//! byte.

use std::borrow::Cow;
use std::ops::Range;

use utflane::{ErrorKind, Repair, Utf8, Utf16, utf8};

use super::api::{self, Api, Validate, call, codecs};
use super::carriers::embedded;
use super::checks::check_everything;
use super::lossy::check_lossy_stream;
use super::lossy_api;
use super::oracle::Fault;
use super::positions::check_chunks;
use super::streams::{check_stream, check_validator};

/// A text, and its expected results.
pub struct Case {
    pub src: Vec<u8>,
    /// All its faults, with the check continued after each. Only the last may have an unknown
    /// length.
    pub wrong: Vec<Fault>,
    /// The repaired text.
    pub text: String,
}

/// A case. A fault at the end that more bytes might complete is given as [`cut`].
pub fn case(src: &[u8], wrong: impl Into<Vec<Fault>>, text: &str) -> Case {
    Case { src: src.to_vec(), wrong: wrong.into(), text: text.to_owned() }
}

/// `len` ill-formed bytes at `at`.
pub fn wrong(kind: ErrorKind, at: usize, len: usize) -> Fault {
    Fault { at, len: Some(len), kind }
}

/// An incomplete sequence at the end.
pub fn cut(at: usize) -> Fault {
    Fault { at, len: None, kind: ErrorKind::TooShort }
}

/// Each of these bytes is an error by itself.
pub fn each(kind: ErrorKind, bytes: Range<usize>) -> Vec<Fault> {
    bytes.map(|at| wrong(kind, at, 1)).collect()
}

/// An ill-formed lead byte with its continuation bytes: one error for it, and one for each of them.
pub fn lead_and_rest(kind: ErrorKind, bytes: Range<usize>) -> Vec<Fault> {
    let mut all = each(ErrorKind::TooLong, bytes.clone());
    all[0] = wrong(kind, bytes.start, 1);
    all
}

impl Case {
    /// Every check of the case by itself.
    pub fn check_alone(&self) {
        self.check_std();
        let Self { src, wrong, text } = self;
        let utf8 = &codecs()[0];
        for &api in Api::all() {
            let mut at = 0;
            for fault in wrong {
                let error = (utf8.validate)(api, &src[at..]).expect_err("it is wrong");
                let got = Fault::from_error(error, 1);
                assert_eq!(Fault { at: at + got.at, ..got }, *fault, "{api:?} of {src:02X?}");
                at = fault.at + fault.len.unwrap_or(0);
            }
            if wrong.last().is_none_or(|fault| fault.len.is_some()) {
                assert_eq!((utf8.validate)(api, &src[at..]), Ok(()), "{api:?} of {src:02X?}");
            }
            let bytewise = bytewise((utf8.validator)(api).as_mut(), src);
            let spans = |faults: &[Fault]| -> Vec<_> {
                faults.iter().map(|fault| (fault.at, fault.len)).collect()
            };
            assert_eq!(spans(&bytewise), spans(wrong), "byte by byte, {api:?} of {src:02X?}");
            self.check_repairs(api, src, text);
        }
        check_chunks(src);
        check_validator(utf8, src, &[1]);
        for to in ["Utf8", "Utf16", "Utf32", "Latin1"] {
            check_everything(api::named("Utf8", to), src);
            check_stream(api::named("Utf8", to), src, &[1], &[64]);
            check_stream(api::named("Utf8", to), src, &[1], &[0, 1, 2]);
            check_lossy_stream(lossy_api::named("Utf8", to), src, Repair::REPLACE, &[1], &[64]);
        }
    }

    /// Checks that the standard library gives the same results.
    fn check_std(&self) {
        let Self { src, wrong, text } = self;
        assert_eq!(&String::from_utf8_lossy(src), text, "std, of {src:02X?}");
        let mut at = 0;
        let mut found = Vec::new();
        while let Err(error) = std::str::from_utf8(&src[at..]) {
            at += error.valid_up_to();
            found.push((at, error.error_len()));
            let Some(len) = error.error_len() else { break };
            at += len;
        }
        let want: Vec<_> = wrong.iter().map(|fault| (fault.at, fault.len)).collect();
        assert_eq!(found, want, "std, of {src:02X?}");
        // Well-formed text may have U+FFFD too.
        let own = src.windows(3).filter(|&bytes| bytes == b"\xEF\xBF\xBD").count();
        assert_eq!(text.matches('\u{FFFD}').count(), wrong.len() + own, "U+FFFD, of {src:02X?}");
    }

    /// Repairs of `src`, in which the case is the only ill-formed input, into UTF-8 and UTF-16.
    fn check_repairs(&self, api: Api, src: &[u8], want: &str) {
        let text = match api {
            Api::Free => utf8::from_utf8_lossy(src),
            Api::On(kernel) => kernel.from_utf8_lossy(src),
        };
        assert_eq!(text, want, "{api:?} of {src:02X?}");
        let kept = matches!(text, Cow::Borrowed(_));
        assert_eq!(kept, self.wrong.is_empty(), "{api:?} of {src:02X?}");
        let wide = call!(api, transcode_lossy::<Utf8, Utf16>(src, Repair::REPLACE));
        assert!(wide.text.iter().copied().eq(want.encode_utf16()), "{api:?} of {src:02X?}");
        assert_eq!(wide.repairs, self.wrong.len(), "{api:?} of {src:02X?}");
    }

    /// The case in text of every kind, at these positions.
    pub fn check_embedded(&self, offsets: &[usize]) {
        let scheme = utflane::Scheme::Utf8;
        for width in 1..=4 {
            let rest = embedded(scheme, width, char::MAX, 0, b"");
            let after = str::from_utf8(&rest).expect("text");
            for &at in offsets {
                let front = embedded(scheme, width, char::MAX, at, b"");
                let front = &front[..at];
                let src = [front, &self.src, &rest[..]].concat();
                let before = str::from_utf8(front).expect("whole characters");
                self.check_in_text(at, &src, &[before, &self.text, after].concat());
            }
        }
    }

    /// The case at `at` in `src`; `want` is the repaired text.
    fn check_in_text(&self, at: usize, src: &[u8], want: &str) {
        // In a text that continues, a case is no longer cut, so the length is known.
        let first = self.wrong.first().map(|fault| Fault {
            at: at + fault.at,
            len: Some(fault.len.unwrap_or(self.src.len() - fault.at)),
            ..*fault
        });
        let utf8 = &codecs()[0];
        let mut units = vec![0; src.len()];
        for &api in Api::all() {
            let got = (utf8.validate)(api, src).err().map(|error| Fault::from_error(error, 1));
            assert_eq!(got, first, "{api:?} of {src:02X?}");
            let progress = call!(api, transcode_into::<Utf8, Utf16>(src, &mut units));
            assert_eq!(
                progress.read,
                first.map_or(src.len(), |fault| fault.at),
                "{api:?} of {src:02X?}"
            );
            let text = str::from_utf8(&src[..progress.read]).expect("well-formed");
            assert!(units[..progress.written].iter().copied().eq(text.encode_utf16()), "{api:?}");
            self.check_repairs(api, src, want);
        }
    }
}

/// All faults of a stream whose chunks are single bytes.
fn bytewise(validator: &mut dyn Validate, src: &[u8]) -> Vec<Fault> {
    let mut found = Vec::new();
    for byte in src.chunks(1) {
        let mut chunk = byte;
        while let Err(error) = validator.push(chunk) {
            found.push(Fault::from_stream_error(error, 1));
            chunk = &chunk[error.read()..];
        }
    }
    found.extend(validator.finish().err().map(|error| Fault::from_stream_error(error, 1)));
    found
}

/// The positions about the boundaries of vectors, blocks, and the segments that validators check
/// together.
pub fn offsets_at_boundaries() -> Vec<usize> {
    let near = |boundary: usize, around: usize| boundary - around..=boundary + 2;
    let mut all: Vec<usize> = (0..=68).collect();
    for boundary in [96, 128, 192, 256, 320, 512, 1024] {
        all.extend(near(boundary, 7));
    }
    all
}
