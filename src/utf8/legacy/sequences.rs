//! Finds, in any bytes, the sequences that have a value in a looser definition of UTF-8.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use crate::utf8::chunks::{Chunks, chunks};
use crate::utf8::legacy::bits::{SURROGATES, decode_sequence, shortest_len};

/// Returns the sequences in `src` that are not UTF-8 today, but have a value in a looser
/// definition. The sequences are in the order of the text.
///
/// `src` may be any bytes. Well-formed text is skipped. In ill-formed text, a sequence is a lead
/// byte 0xC0..=0xFD and as many continuation bytes as this lead byte requires. The [`Form`] of a
/// sequence says whether the sequence was valid in the [older definition](super), or whether only
/// decoders without checks accept it. A high and a low surrogate of three bytes each are one
/// sequence. Incomplete sequences, stray continuation bytes, 0xFE and 0xFF are omitted.
/// [`utf8::chunks`](super::super::chunks()) finds all ill-formed sequences.
///
/// The results help to find out why a text is ill-formed. Do not use them to decode the text: this
/// would accept sequences that strict decoders reject for safety.
///
/// Reads the text once. UTF-8 is skipped at the speed of [`validate`](crate::validate). Does not
/// allocate.
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let text = b"caf\xC3\xA9 \xFC\x84\x80\x80\x80\x80, \xF4\x90\x80\x80; \
///     \xC0\x80, \xED\xA0\xBD\xED\xB8\x80; \xFF";
/// let found: Vec<_> = sequences(text).map(|found| (found.form, found.value)).collect();
/// assert_eq!(
///     found,
///     [
///         (Form::SixBytes, 0x400_0000),
///         (Form::FourBytes, 0x11_0000),
///         (Form::Overlong, 0), // Java's NUL
///         (Form::SurrogatePair, 0x1F600), // CESU-8
///     ]
/// );
/// assert_eq!(sequences(text).filter(|found| found.form.is_legacy()).count(), 2);
/// ```
#[inline]
pub fn sequences(src: &[u8]) -> Sequences<'_> {
    Sequences { src, chunks: chunks(src), chunk_start: 0, sequence_end: 0 }
}

/// The iterator of [`sequences`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Sequences<'a> {
    src: &'a [u8],
    /// The remaining chunks of the text. A sequence covers several chunks, because the invalid part
    /// of a chunk is at most a maximal subpart.
    chunks: Chunks<'a>,
    /// The offset of the next chunk.
    chunk_start: usize,
    /// The end of the previous sequence.
    sequence_end: usize,
}

impl Iterator for Sequences<'_> {
    type Item = Sequence;

    fn next(&mut self) -> Option<Sequence> {
        loop {
            let chunk = self.chunks.next()?;
            let start = self.chunk_start + chunk.valid.len();
            self.chunk_start = start + chunk.invalid.len();
            if start < self.sequence_end {
                continue;
            }
            if let Some(found) = Sequence::starting_at(self.src, start) {
                self.sequence_end = found.range.end;
                return Some(found);
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // The shortest sequence has two bytes.
        (0, Some((self.src.len() - self.chunk_start.max(self.sequence_end)) / 2))
    }
}

impl FusedIterator for Sequences<'_> {}

/// A sequence that is not UTF-8 today, but has a value in a looser definition. [`sequences`]
/// returns such sequences.
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let found = sequences(b"a\xF8\x88\x80\x80\x80").next().unwrap();
/// assert_eq!((found.range, found.value, found.form), (1..6, 0x20_0000, Form::FiveBytes));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Sequence {
    /// The range of the sequence in the text, in bytes. A sequence has 2 to 6 bytes.
    pub range: Range<usize>,
    /// The value of the sequence, which is at most [`MAX`](super::MAX). The value of a surrogate
    /// pair is the supplementary character.
    pub value: u32,
    /// The form of the sequence.
    pub form: Form,
}

impl Sequence {
    /// Returns the sequence that begins at `start`, at which `src` is ill-formed. Returns `None` if
    /// the bytes have no value in any definition.
    fn starting_at(src: &[u8], start: usize) -> Option<Self> {
        let (value, len) = decode_sequence(&src[start..])?;
        let form = Form::classify(value, len);
        if form == Form::Surrogate
            && let Some((second, 3)) = decode_sequence(&src[start + len..])
            && let (0xD800..=0xDBFF, 0xDC00..=0xDFFF) = (value, second)
        {
            let value = 0x1_0000 + ((value & 0x3FF) << 10 | second & 0x3FF);
            return Some(Self { range: start..start + 6, value, form: Form::SurrogatePair });
        }
        Some(Self { range: start..start + len, value, form })
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of value {:#X} from index {}", self.form, self.value, self.range.start)
    }
}

/// The form of a [`Sequence`].
///
/// ```
/// use utflane::utf8::legacy::{Form, sequences};
///
/// let form = |bytes| sequences(bytes).next().map(|found| found.form);
/// assert_eq!(form(b"\xF4\x90\x80\x80"), Some(Form::FourBytes));
/// assert_eq!(form(b"\xF4\x8F\xBF\xBF"), None); // U+10FFFF
/// assert_eq!(form(b"\xF8\x80\x80\x80\x80"), Some(Form::Overlong));
/// assert_eq!(form(b"\xED\xA0\x80"), Some(Form::Surrogate));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Four bytes whose value is above U+10FFFF: `F4 90 80 80` to `F7 BF BF BF` in hexadecimal,
    /// with the values 0x110000..=0x1FFFFF. The sequence is valid in RFC 2279.
    FourBytes,
    /// Five bytes: `F8 88 80 80 80` to `FB BF BF BF BF` in hexadecimal, with the values
    /// 0x200000..=0x3FFFFFF. The sequence is valid in RFC 2279.
    FiveBytes,
    /// Six bytes: `FC 84 80 80 80 80` to `FD BF BF BF BF BF` in hexadecimal, with the values
    /// 0x4000000..=0x7FFFFFFF. The sequence is valid in RFC 2279.
    SixBytes,
    /// A sequence of any length with more bytes than its value needs. It is invalid in RFC 2279
    /// too. 0xC0 0x80 is the NUL of Java's Modified UTF-8. Overlong surrogates also have this form.
    Overlong,
    /// An unpaired surrogate: `ED A0 80` to `ED BF BF` in hexadecimal. The sequence is valid in
    /// WTF-8, and may come from JavaScript or Windows.
    Surrogate,
    /// A high and a low surrogate of three bytes each. In CESU-8, they are a character above
    /// U+FFFF.
    SurrogatePair,
}

impl Form {
    /// Returns the form of an ill-formed sequence of `len` bytes with this value.
    fn classify(value: u32, len: usize) -> Self {
        if len > shortest_len(value) {
            return Self::Overlong;
        }
        match len {
            4 => Self::FourBytes,
            5 => Self::FiveBytes,
            6 => Self::SixBytes,
            _ => {
                debug_assert!(
                    SURROGATES.contains(&value),
                    "other sequences of two or three bytes are well-formed"
                );
                Self::Surrogate
            }
        }
    }

    /// Returns true if sequences of this form are valid in the [older definition](super), so that
    /// [`decode`](super::decode) accepts them.
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
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FourBytes => "four-byte sequence above U+10FFFF",
            Self::FiveBytes => "five-byte sequence",
            Self::SixBytes => "six-byte sequence",
            Self::Overlong => "overlong sequence",
            Self::Surrogate => "surrogate",
            Self::SurrogatePair => "surrogate pair",
        })
    }
}
