//! Code pages with a policy: the strict conversion runs first, and where it stops, one sequence is
//! replaced by the reference.

use core::mem::MaybeUninit;

use crate::code_page::conversion::PageConversion;
use crate::dispatch::kernel::Kernel;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::scalar;
use crate::scalar::repair::RepairSpec;
use crate::scalar::wtf8;
use crate::tables::code_pages::Page;
use crate::types::error::{DecodeError, Error, ErrorKind};
use crate::types::policy::{Policy, Unmappable};
use crate::types::progress::{LossyReach, Stop};

/// The direction of a conversion, and the Unicode scheme on the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    /// From the code page into this scheme.
    Decode(Scheme),
    /// From this scheme into the code page.
    Encode(Scheme),
}

impl Direction {
    /// Returns the conversion of well-formed and mappable text.
    #[inline]
    pub(crate) const fn conversion(self) -> PageConversion {
        match self {
            Self::Decode(to) => PageConversion::new(true, to),
            Self::Encode(from) => PageConversion::new(false, from),
        }
    }
}

/// A conversion of a code page, with its policy.
#[derive(Clone, Copy)]
pub(crate) struct PageRun {
    page: &'static Page,
    direction: Direction,
    /// The repair of ill-formed sequences; `None` stops at them. Its target is the scheme, or
    /// UTF-32LE if the target is the page.
    spec: Option<RepairSpec>,
    /// The replacement of unmappable characters; `None` stops at them.
    unmappable: Option<Unmappable>,
    /// True if the text converted so far ends with an ill-formed sequence that shares its
    /// replacement with the sequences after it.
    ends_ill_formed: bool,
}

/// The longest repair of one sequence in UTF-32LE: six bytes, each of which is kept.
const REPAIR_BYTES: usize = 24;

impl PageRun {
    /// Creates a conversion.
    pub(crate) fn new(page: &'static Page, direction: Direction, policy: Policy) -> Self {
        let spec = policy.ill_formed.map(|ill_formed| match direction {
            Direction::Decode(to) => RepairSpec::new(Scheme::Latin1, to, ill_formed),
            Direction::Encode(from) => RepairSpec::new(from, Scheme::Utf32Le, ill_formed),
        });
        Self { page, direction, spec, unmappable: policy.unmappable, ends_ill_formed: false }
    }

    /// Returns the same conversion with another policy.
    pub(crate) fn with_policy(self, policy: Policy) -> Self {
        Self::new(self.page, self.direction, policy)
    }

    /// Returns the scheme of the input, for errors. Of a code page it is Latin-1, which has units
    /// of one byte too.
    pub(crate) fn source(&self) -> Scheme {
        match self.direction {
            Direction::Decode(_) => Scheme::Latin1,
            Direction::Encode(from) => from,
        }
    }

    /// Ends the text. The next call begins another one.
    pub(crate) fn end_text(&mut self) {
        self.ends_ill_formed = false;
    }

    /// Converts as much of `src` as possible: the next part of the text. With `may_continue`, more
    /// input may follow, and an incomplete sequence at the end of `src` is left unread.
    #[inline(never)]
    pub(crate) fn run(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
    ) -> LossyReach {
        let mut total = LossyReach::NONE;
        loop {
            let (rest, out) = (&src[total.read..], &mut dst[total.written..]);
            let complete = wtf8::complete(self.source(), rest, may_continue);
            let reach = self.direction.conversion().reach(self.page, kernel, complete, out);
            total.add(reach.read, reach.written, 0);
            self.ends_ill_formed &= reach.read == 0;
            if let Some(stop) = self.replace(src, dst, may_continue, &mut total) {
                total.stop = stop;
                return total;
            }
        }
    }

    /// Returns the first character of `src`, which is not empty, and its number of bytes.
    fn decode(&self, src: &[u8]) -> Result<(u32, usize), DecodeError> {
        match self.direction {
            Direction::Decode(_) => match self.page.decode(src[0]) {
                Some(c) => Ok((c.into(), 1)),
                None => Err(DecodeError::ill_formed(ErrorKind::Unassigned, 1)),
            },
            // Like Latin-1, a code page has no surrogates.
            Direction::Encode(from) => scalar::decode_for(Scheme::Latin1, from, src),
        }
    }

    /// Returns true if the target lacks a character.
    fn lacks(&self, c: u32) -> bool {
        matches!(self.direction, Direction::Encode(_)) && self.page.encode(c).is_none()
    }

    /// Replaces the sequence or character at `total.read`, where the conversion stopped. Returns
    /// the reason if the conversion ends here.
    fn replace(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Option<Stop> {
        let (rest, out) = (&src[total.read..], &mut dst[total.written..]);
        if rest.is_empty() {
            return Some(Stop::Done);
        }
        let error = |error| Some(Stop::Error(Error::new(self.source(), total.read, error)));
        if may_continue && wtf8::is_incomplete_pair(self.source(), rest) {
            return Some(Stop::Error(wtf8::incomplete_end(self.source(), total.read)));
        }
        let decode_error = match self.decode(rest) {
            Ok((c, len)) if self.lacks(c) => {
                let Some(unmappable) = self.unmappable else {
                    return error(scalar::unmappable(len));
                };
                let Some(written) = self.write_unmappable(unmappable, c, out) else {
                    return Some(Stop::OutputFull);
                };
                self.ends_ill_formed = false;
                total.add(len, written, 1);
                return None;
            }
            Ok(_) => return Some(Stop::OutputFull),
            Err(decode_error) => decode_error,
        };
        let Some(spec) = self.spec else { return error(decode_error) };
        if may_continue && (decode_error.len == 0 || spec.waits(rest)) {
            return error(DecodeError::incomplete(decode_error.kind));
        }
        let len = if decode_error.len == 0 { rest.len() } else { decode_error.len.into() };
        let len = spec.extent(rest, len);
        if self.ends_ill_formed && spec.joins_runs() {
            total.add(len, 0, 0);
            return None;
        }
        let Some((len, written)) = self.write_repair(&spec, rest, len, out) else {
            return Some(Stop::OutputFull);
        };
        total.add(len, written, 1);
        self.ends_ill_formed = true;
        None
    }

    /// Writes the repair of the first `len` bytes of `src`. Returns the number of bytes read and
    /// written, or `None` if it does not fit.
    fn write_repair(
        &self,
        spec: &RepairSpec,
        src: &[u8],
        len: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)> {
        if let Direction::Decode(_) = self.direction {
            return spec.write(src, len, dst);
        }
        let mut repair = [MaybeUninit::uninit(); REPAIR_BYTES];
        let (read, bytes) = spec.write(src, len, &mut repair)?;
        // SAFETY: a repair has initialised as many bytes as it says that it has written.
        let bytes = unsafe { view::init_mut(&mut repair[..bytes]) };
        let characters = bytes.as_chunks().0.iter().map(|&unit| u32::from_le_bytes(unit));
        Some((read, self.write(characters, dst)?))
    }

    /// Writes the replacement of a character that the page lacks. Returns the number of bytes, or
    /// `None` if it does not fit.
    fn write_unmappable(
        &self,
        unmappable: Unmappable,
        c: u32,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        match unmappable {
            Unmappable::Replace(c) => self.write([c.into()], dst),
            Unmappable::Skip => Some(0),
            Unmappable::NumericReference => {
                let digits = c.checked_ilog10().map_or(1, |log| log + 1);
                let digits = (0..digits).rev().map(|at| u32::from(b'0') + c / 10_u32.pow(at) % 10);
                let reference = [b'&', b'#'].map(u32::from).into_iter().chain(digits);
                self.write(reference.chain([u32::from(b';')]), dst)
            }
        }
    }

    /// Writes characters in the page, or `?` for those that it lacks. Returns the number of bytes,
    /// or `None` if they do not fit.
    fn write(
        &self,
        characters: impl IntoIterator<Item = u32>,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut written = 0;
        for c in characters {
            let byte = self.page.encode(c).or_else(|| self.page.encode('?'.into()))?;
            dst.get_mut(written)?.write(byte);
            written += 1;
        }
        Some(written)
    }
}

impl core::fmt::Debug for PageRun {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PageRun")
            .field("page", &self.page.name)
            .field("direction", &self.direction)
            .finish_non_exhaustive()
    }
}
