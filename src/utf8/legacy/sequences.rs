//! Sequences that looser definitions than today's had a value for, found in any bytes.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use super::super::chunks::{Chunks, chunks};
use super::{SURROGATES, complete, shortest};

/// The sequences in `src` that are not UTF-8 today, and that a looser definition had a value for, from front to back.
///
/// `src` may be anything. What is well-formed is passed over; where it is not, a sequence is a lead byte `C0..=FD` and as
/// many continuation bytes as it announces. It is named by its [`Form`]: whether the [older definition](super) had it, or
/// only a decoder that checks nothing. A surrogate and its counterpart, of three bytes each, are one sequence. All else is
/// left out: what is cut short, stray continuation bytes, `FE` and `FF`. Where everything that is ill-formed is asked for, there
/// is [`utf8::chunks`](super::super::chunks()).
///
/// What it says is for people who look for the cause of damage. To decode by it would let in what strict decoders are there to
/// keep out.
///
/// One pass; at the speed of [`validate`](crate::validate) where the text is UTF-8. No allocation.
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let text = b"caf\xC3\xA9 \xFC\x84\x80\x80\x80\x80, \xF4\x90\x80\x80; \xC0\x80, \xED\xA0\xBD\xED\xB8\x80; \xFF";
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
    Sequences { src, chunks: chunks(src), at: 0, behind: 0 }
}

/// The iterator of [`sequences`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Sequences<'a> {
    src: &'a [u8],
    /// Its runs. A sequence is several of them: none is longer than what is well-formed so far.
    chunks: Chunks<'a>,
    /// Where the next run begins.
    at: usize,
    /// Where the sequence before ended.
    behind: usize,
}

impl Iterator for Sequences<'_> {
    type Item = Sequence;

    fn next(&mut self) -> Option<Sequence> {
        loop {
            let chunk = self.chunks.next()?;
            let at = self.at + chunk.valid().len();
            self.at = at + chunk.invalid().len();
            if at < self.behind {
                continue;
            }
            if let Some(found) = Sequence::at(self.src, at) {
                self.behind = found.range().end;
                return Some(found);
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // The shortest has two bytes.
        (0, Some((self.src.len() - self.at.max(self.behind)) / 2))
    }
}

impl FusedIterator for Sequences<'_> {}

/// A sequence that is not UTF-8 today, and had a value by a looser definition: an item of [`sequences`].
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
    /// The one that begins at `start`, where `src` is not well-formed.
    #[expect(clippy::cast_possible_truncation, reason = "at most six bytes")]
    fn at(src: &[u8], start: usize) -> Option<Self> {
        let (value, len) = complete(&src[start..])?;
        let form = Form::of(value, len);
        if form == Form::Surrogate
            && let Some((second, 3)) = complete(&src[start + len..])
            && let (0xD800..=0xDBFF, 0xDC00..=0xDFFF) = (value, second)
        {
            let value = 0x1_0000 + ((value & 0x3FF) << 10 | second & 0x3FF);
            return Some(Self { start, len: 6, value, form: Form::SurrogatePair });
        }
        Some(Self { start, len: len as u8, value, form })
    }

    /// Where it is, in bytes. 2 to 6 bytes long.
    #[must_use]
    #[inline]
    pub const fn range(&self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }

    /// What its bits say: at most [`MAX`](super::MAX). Of a surrogate pair it is the character.
    #[must_use]
    #[inline]
    pub const fn value(&self) -> u32 {
        self.value
    }

    /// What it is.
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

/// What a [`Sequence`] is.
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
    /// Four bytes above U+10FFFF: `F4 90 80 80` to `F7 BF BF BF`, `110000..=1FFFFF`. RFC 2279 had them.
    FourBytes,
    /// Five bytes, `F8 88 80 80 80` to `FB BF BF BF BF`, `200000..=3FFFFFF`. RFC 2279 had them.
    FiveBytes,
    /// Six bytes, `FC 84 80 80 80 80` to `FD BF BF BF BF BF`, `4000000..=7FFFFFFF`. RFC 2279 had them.
    SixBytes,
    /// More bytes than the value needs, of any length. No definition allows to decode it; `C0 80` is the NUL of Java's modified
    /// UTF-8. Surrogates that are overlong too are called this.
    Overlong,
    /// A surrogate, `ED A0 80` to `ED BF BF`, that is not one of a pair: WTF-8 has it, and JavaScript or Windows may have been
    /// its origin.
    Surrogate,
    /// A high surrogate and a low one, three bytes each: how CESU-8 encodes a character above U+FFFF.
    SurrogatePair,
}

impl Form {
    /// That of a sequence that is not well-formed, by the value and the number of its bytes.
    fn of(value: u32, len: usize) -> Self {
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

    /// Whether it was well-formed by the [older definition](super), so that [`decode`](super::decode) takes it.
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

    /// The form in words.
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
