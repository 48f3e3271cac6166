//! Removes all byte order marks from a stream of bytes: at the start, and inside, where files were
//! joined.

use std::io;

use memchr::memmem;

/// Removes the byte order marks of one encoding.
pub(crate) struct MarkFilter {
    mark: &'static [u8],
    /// The size of a code unit in bytes. A mark begins where a code unit begins.
    unit_size: usize,
    /// The number of bytes of the stream before `held`.
    passed_len: u64,
    /// The last bytes of the stream so far, which may be the beginning of a mark. They have not
    /// been passed on.
    held: Vec<u8>,
}

impl MarkFilter {
    /// Removes `mark`, which is not empty, from text in code units of `unit_size` bytes.
    pub(crate) fn new(mark: &'static [u8], unit_size: usize) -> Self {
        Self { mark, unit_size, passed_len: 0, held: Vec::new() }
    }

    /// Passes the text without marks to `write`.
    pub(crate) fn filter(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let joined;
        let mut rest = match self.held.is_empty() {
            true => bytes,
            false => {
                joined = [&self.held, bytes].concat();
                &joined
            }
        };
        let unit_size = self.unit_size as u64;
        while let Some(at) = memmem::find_iter(rest, self.mark)
            .find(|&at| (self.passed_len + at as u64).is_multiple_of(unit_size))
        {
            write(&rest[..at])?;
            let end = at + self.mark.len();
            self.passed_len += end as u64;
            rest = &rest[end..];
        }
        let could_begin = |&len: &usize| rest.ends_with(&self.mark[..len]);
        let held_len =
            (1..self.mark.len().min(rest.len() + 1)).rev().find(could_begin).unwrap_or(0);
        let (complete, held) = rest.split_at(rest.len() - held_len);
        write(complete)?;
        self.passed_len += complete.len() as u64;
        self.held = held.to_vec();
        Ok(())
    }

    /// Returns the bytes that are still held at the end of the text.
    pub(crate) fn held(&mut self) -> &[u8] {
        &self.held
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn marks_are_removed_from_chunks_of_any_length() {
        for (mark, unit_size, text, kept) in [
            (
                &b"\xEF\xBB\xBF"[..],
                1,
                &b"\xEF\xBB\xBFa\xEF\xBB\xBFb\xEF\xBB"[..],
                &b"ab\xEF\xBB"[..],
            ),
            (b"\xEF\xBB\xBF", 1, b"\xEF\xEF\xBB\xBF\xEF\xBB\xBF", b"\xEF"),
            (b"\xFF\xFE", 2, b"\xFF\xFEa\0\xFF\xFEb\0", b"a\0b\0"),
            // U+FF61 and U+00FE together contain the bytes of a mark, which is not one code unit.
            (b"\xFF\xFE", 2, b"a\xFF\xFE\0\xFF\xFE", b"a\xFF\xFE\0"),
            (b"\xFF\xFE\0\0", 4, b"a\0\0\0\xFF\xFE\0\0\xFF\xFE\0", b"a\0\0\0\xFF\xFE\0"),
        ] {
            for chunk in 1..=text.len() {
                let mut filter = MarkFilter::new(mark, unit_size);
                let mut out = Vec::new();
                for bytes in text.chunks(chunk) {
                    filter.filter(bytes, |kept| out.write_all(kept)).unwrap();
                }
                out.extend_from_slice(filter.held());
                assert_eq!(out, kept, "{text:X?} {chunk}");
            }
        }
    }
}
