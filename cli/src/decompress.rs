//! Compressed files as the text in them: gzip, xz and zstd, each told by its first bytes.
//!
//! A file may have several streams one after another, as `cat a.gz b.gz` makes them. Each is
//! checked by its own checksum, and one that is cut is an error.

use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The first bytes of a file in each format.
const GZIP: [u8; 2] = *b"\x1F\x8B";
const XZ: [u8; 6] = *b"\xFD7zXZ\0";
const ZSTD: [u8; 4] = *b"\x28\xB5\x2F\xFD";

/// The most memory that the reader of a file in xz may take, in KiB. `xz -9` asks for 64 MiB.
const MAX_MEMORY: u32 = 256 * 1024;

/// Returns a reader of the text in `source`, or of `source` as it is if it is not compressed.
pub(crate) fn decompressed(source: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut source = Source { back: Cursor::default(), rest: BufReader::new(source) };
    let first = source.peek(XZ.len())?;
    let is_zstd = first.starts_with(&ZSTD) || is_skippable(first);
    Ok(if first.starts_with(&GZIP) {
        Box::new(Named("gzip", MultiGzDecoder::new(source)))
    } else if first.starts_with(&XZ) {
        Box::new(Named("xz", XzReader::new_mem_limit(source, true, MAX_MEMORY)))
    } else if is_zstd {
        Box::new(Named("zstd", Frames::Between(source)))
    } else {
        Box::new(source)
    })
}

/// A decoder whose errors name the format.
struct Named<R>(&'static str, R);

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1.read(buffer).map_err(|error| {
            // An error of the system is none of the data.
            if error.raw_os_error().is_some() {
                return error;
            }
            let words = format!("the {} data is damaged or cut", self.0);
            io::Error::new(io::ErrorKind::InvalidData, words)
        })
    }
}

/// A source whose next bytes can be looked at.
struct Source<R> {
    /// Bytes that were looked at, and come first.
    back: Cursor<Vec<u8>>,
    rest: R,
}

impl<R: Read> Source<R> {
    /// Returns the next `count` bytes, or all if the source has less. They stay to be read.
    fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let mut bytes = Vec::with_capacity(count);
        self.take(count as u64).read_to_end(&mut bytes)?;
        let left = self.back.get_ref()[self.back.position() as usize..].iter();
        bytes.extend(left);
        self.back = Cursor::new(bytes);
        Ok(self.back.get_ref())
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.back.read(buffer)? {
            0 => self.rest.read(buffer),
            read => Ok(read),
        }
    }
}

/// A file in zstd: frames one after another.
enum Frames<R: Read> {
    Between(Source<R>),
    Inside(Box<StreamingDecoder<Source<R>, FrameDecoder>>),
    /// At the end, or after an error.
    Ended,
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            *self = match std::mem::replace(self, Self::Ended) {
                Self::Ended => return Ok(0),
                Self::Between(source) => Self::next(source)?,
                Self::Inside(mut decoder) => {
                    let read = decoder.read(buffer)?;
                    if read > 0 {
                        *self = Self::Inside(decoder);
                        return Ok(read);
                    }
                    let checksum = decoder.decoder.get_checksum_from_data();
                    if checksum.is_some() && checksum != decoder.decoder.get_calculated_checksum() {
                        return Err(io::ErrorKind::InvalidData.into());
                    }
                    Self::Between(decoder.into_inner())
                }
            };
        }
    }
}

impl<R: Read> Frames<R> {
    /// Begins the next frame that has text.
    fn next(mut source: Source<R>) -> io::Result<Self> {
        loop {
            let first = source.peek(8)?;
            if first.is_empty() {
                return Ok(Self::Ended);
            }
            if !is_skippable(first) {
                let decoder = StreamingDecoder::new(source).map_err(io::Error::other)?;
                return Ok(Self::Inside(Box::new(decoder)));
            }
            let length = first.last_chunk().map_or(0, |length| u32::from_le_bytes(*length));
            let whole = 8 + u64::from(length);
            if io::copy(&mut source.by_ref().take(whole), &mut io::sink())? < whole {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// Whether these bytes begin a frame of zstd that has no text.
fn is_skippable(first: &[u8]) -> bool {
    first.first_chunk().is_some_and(|magic| u32::from_le_bytes(*magic) & !0xF == 0x184D_2A50)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "grüße, grüße, grüße\n";
    /// [`TEXT`], compressed by the programs gzip 1.12, xz 5.4.1 and zstd 1.5.4.
    const GZIP_FILE: &[u8] =
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03K/:\xBC\xE7\xF0\xFCT\x1D\x85t4\x06\x17\0\
        \x1B\xDA<\x8F\x1A\0\0\0";
    const XZ_FILE: &[u8] =
        b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F\x02\0!\x01\x16\0\0\0t/\xE5\xA3\xE0\0\x19\
        \0\x11]\x003\x9C\x94\xA8h\x18\xFDt\xEB\xB1\x8B\x84,\xF0\x80\0\0\0\0\0\0b\x03\x87\x86\xB4C\
        \x85\0\0\x01-\x1A\xBE\x16\xCE\xFD\x1F\xB6\xF3}\x01\0\0\0\0\x04YZ";
    const ZSTD_FILE: &[u8] =
        b"(\xB5/\xFD\x04X\x85\0\0Pgr\xC3\xBC\xC3\x9Fe, \x0A\x01\0D\xCA\x11\xDFi \xC0";
    const FILES: [(&str, &[u8]); 3] = [("gzip", GZIP_FILE), ("xz", XZ_FILE), ("zstd", ZSTD_FILE)];

    /// All of the text in `bytes`, which come one at a time.
    fn text(bytes: &[u8]) -> io::Result<Vec<u8>> {
        struct Slow(Cursor<Vec<u8>>);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let len = buffer.len().min(1);
                self.0.read(&mut buffer[..len])
            }
        }
        let mut text = Vec::new();
        let source = Slow(Cursor::new(bytes.to_vec()));
        decompressed(Box::new(source))?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn streams_are_read_one_after_another() {
        for (format, file) in FILES {
            for times in 1..4 {
                let read = text(&file.repeat(times)).unwrap();
                assert_eq!(read, TEXT.repeat(times).as_bytes(), "{format}");
            }
        }
    }

    #[test]
    fn frames_without_text_are_skipped() {
        let skipped = b"\x5F\x2A\x4D\x18\x03\0\0\0abc";
        let file = [skipped, ZSTD_FILE, skipped, skipped, ZSTD_FILE, skipped].concat();
        assert_eq!(text(&file).unwrap(), TEXT.repeat(2).as_bytes());
        assert!(text(&file[..file.len() - 1]).is_err());
        assert_eq!(text(skipped).unwrap(), b"");
    }

    #[test]
    fn what_is_not_compressed_stays_as_it_is() {
        for file in [&b""[..], b"\x1F", b"(\xB5/", b"a text", "grüße".as_bytes(), &[0xFF; 100]] {
            assert_eq!(text(file).unwrap(), file);
        }
    }

    #[test]
    fn a_file_that_is_cut_is_an_error() {
        for (format, file) in FILES {
            for end in 6..file.len() {
                let error = text(&file[..end]).unwrap_err();
                let words = format!("the {format} data is damaged or cut");
                assert_eq!(error.to_string(), words, "{end} bytes");
            }
        }
    }

    /// A changed bit is found, unless it belongs to the head, and the text is the same.
    #[test]
    fn a_changed_bit_is_found() {
        for (format, file) in FILES {
            for bit in 6 * 8..file.len() * 8 {
                let mut changed = file.to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                if let Ok(read) = text(&changed) {
                    assert_eq!(read, TEXT.as_bytes(), "{format}, bit {bit}");
                }
            }
        }
    }
}
