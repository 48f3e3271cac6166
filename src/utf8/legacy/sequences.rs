//! Sequences that have a value by looser definitions than today's, found in any bytes.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use crate::utf8::chunks::{Chunks, chunks};
use crate::utf8::legacy::bits::{SURROGATES, complete, shortest};

/// Returns the sequences in `src` that are not UTF-8 today and have a value by a looser definition,
/// from start to end.
///
/// `src` may be any bytes. Well-formed text is skipped. In ill-formed text, a sequence is a lead
/// byte `C0..=FD` and as many continuation bytes as it announces. Its [`Form`] says if the
/// [older definition](super) had it, or only a decoder without checks accepts it. A high and a low
/// surrogate, three bytes each, are one sequence. Truncated sequences, stray continuation bytes,
/// `FE` and `FF` are omitted. [`utf8::chunks`](super::super::chunks()) finds all ill-formed
/// sequences.
///
/// The results help to find the cause of damage. Do not decode by them: that would accept the
/// sequences that strict decoders reject for safety.
///
/// One pass, at the speed of [`validate`](crate::validate) where the text is UTF-8. No allocation.
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let text = b"caf\xC3\xA9 \xFC\x84\x80\x80\x80\x80, \xF4\x90\x80\x80; \
///     \xC0\x80, \xED\xA0\xBD\xED\xB8\x80; \xFF";
/// let found: Vec<_> = sequences(text).map(|found| (found.form(), found.value())).collect();
/// assert_eq!(
///     found,
///     [
///         (Form::SixBytes, 0x400_0000),
///         (Form::FourBytes, 0x11_0000),
///         (Form::Overlong, 0), // Java's NUL
///         (Form::SurrogatePair, 0x1F600), // CESU-8
///     ]
/// );
/// assert_eq!(sequences(text).filter(|found| found.form().is_legacy()).count(), 2);
/// ```
#[inline]
pub fn sequences(src: &[u8]) -> Sequences<'_> {
    Sequences { src, chunks: chunks(src), at: 0, after: 0 }
}

/// The iterator of [`sequences`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Sequences<'a> {
    src: &'a [u8],
    /// The runs of the text. A sequence covers several: a run contains no more than a maximal
    /// subpart.
    chunks: Chunks<'a>,
    /// The start of the next run.
    at: usize,
    /// The end of the previous sequence.
    after: usize,
}

impl Iterator for Sequences<'_> {
    type Item = Sequence;

    fn next(&mut self) -> Option<Sequence> {
        loop {
            let chunk = self.chunks.next()?;
            let at = self.at + chunk.valid().len();
            self.at = at + chunk.invalid().len();
            if at < self.after {
                continue;
            }
            if let Some(found) = Sequence::starting_at(self.src, at) {
                self.after = found.range().end;
                return Some(found);
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // The shortest sequence has two bytes.
        (0, Some((self.src.len() - self.at.max(self.after)) / 2))
    }
}

impl FusedIterator for Sequences<'_> {}

/// A sequence that is not UTF-8 today and has a value by a looser definition: an item of
/// [`sequences`].
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let found = sequences(b"a\xF8\x88\x80\x80\x80").next().unwrap();
/// assert_eq!((found.range(), found.value(), found.form()), (1..6, 0x20_0000, Form::FiveBytes));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    start: usize,
    len: u8,
    value: u32,
    form: Form,
}

impl Sequence {
    /// Returns the sequence that begins at `start`, where `src` is ill-formed.
    #[expect(clippy::cast_possible_truncation, reason = "at most six bytes")]
    fn starting_at(src: &[u8], start: usize) -> Option<Self> {
        let (value, len) = complete(&src[start..])?;
        let form = Form::classify(value, len);
        if form == Form::Surrogate
            && let Some((second, 3)) = complete(&src[start + len..])
            && let (0xD800..=0xDBFF, 0xDC00..=0xDFFF) = (value, second)
        {
            let value = 0x1_0000 + ((value & 0x3FF) << 10 | second & 0x3FF);
            return Some(Self { start, len: 6, value, form: Form::SurrogatePair });
        }
        Some(Self { start, len: len as u8, value, form })
    }

    /// Returns its range in bytes. It has 2 to 6 bytes.
    #[must_use]
    #[inline]
    pub const fn range(&self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }

    /// Returns its value: at most [`MAX`](super::MAX). For a surrogate pair it is the supplementary
    /// character.
    #[must_use]
    #[inline]
    pub const fn value(&self) -> u32 {
        self.value
    }

    /// Returns its form.
    #[must_use]
    #[inline]
    pub const fn form(&self) -> Form {
        self.form
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of value {:X} from index {}", self.form, self.value, self.start)
    }
}

/// The form of a [`Sequence`].
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let form = |bytes| sequences(bytes).next().map(|found| found.form());
/// assert_eq!(form(b"\xF4\x90\x80\x80"), Some(Form::FourBytes));
/// assert_eq!(form(b"\xF4\x8F\xBF\xBF"), None); // U+10FFFF
/// assert_eq!(form(b"\xF8\x80\x80\x80\x80"), Some(Form::Overlong));
/// assert_eq!(form(b"\xED\xA0\x80"), Some(Form::Surrogate));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Four bytes above U+10FFFF: `F4 90 80 80` to `F7 BF BF BF`, `110000..=1FFFFF`. Valid in RFC
    /// 2279.
    FourBytes,
    /// Five bytes, `F8 88 80 80 80` to `FB BF BF BF BF`, `200000..=3FFFFFF`. Valid in RFC 2279.
    FiveBytes,
    /// Six bytes, `FC 84 80 80 80 80` to `FD BF BF BF BF BF`, `4000000..=7FFFFFFF`. Valid in RFC
    /// 2279.
    SixBytes,
    /// More bytes than the value needs, of any length. Invalid in every definition; `C0 80` is the
    /// NUL of Java's Modified UTF-8. Overlong surrogates have this form.
    Overlong,
    /// An unpaired surrogate, `ED A0 80` to `ED BF BF`. Valid in WTF-8; JavaScript or Windows may
    /// be its origin.
    Surrogate,
    /// A high and a low surrogate, three bytes each: a character above U+FFFF in CESU-8.
    SurrogatePair,
}

impl Form {
    /// Returns the form of an ill-formed sequence with this value and number of bytes.
    fn classify(value: u32, len: usize) -> Self {
        if len > shortest(value) {
            return Self::Overlong;
        }
        match len {
            4 => Self::FourBytes,
            5 => Self::FiveBytes,
            6 => Self::SixBytes,
            _ => {
                debug_assert!(SURROGATES.contains(&value), "all else is well-formed");
                Self::Surrogate
            }
        }
    }

    /// Returns true if the [older definition](super) had it, so that [`decode`](super::decode)
    /// accepts it.
    ///
    /// ```
    /// use utflane::utf8::legacy::Form;
    ///
    /// assert!(Form::FiveBytes.is_legacy());
    /// assert!(!Form::Overlong.is_legacy());
    /// ```
    #[must_use]
    pub const fn is_legacy(self) -> bool {
        matches!(self, Self::FourBytes | Self::FiveBytes | Self::SixBytes)
    }

    /// Returns the form in words.
    ///
    /// ```
    /// use utflane::utf8::legacy::Form;
    ///
    /// assert_eq!(Form::SixBytes.description(), "six-byte sequence");
    /// ```
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::FourBytes => "four-byte sequence above U+10FFFF",
            Self::FiveBytes => "five-byte sequence",
            Self::SixBytes => "six-byte sequence",
            Self::Overlong => "overlong sequence",
            Self::Surrogate => "surrogate",
            Self::SurrogatePair => "surrogate pair",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}
