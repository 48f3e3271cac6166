//! The sizes of the buffers of readers and writers, as the wrapped reader or writer sees them.

use std::io::{self, Read, Write};

use utflane::Scheme;
use utflane::io::{Reader, Writer};

/// Buffers begin small, so that a short text does not cost a large allocation, and grow to their
/// capacity if there is more to read or to write.
#[test]
fn buffers_grow() {
    /// A reader that fills each buffer, and records its length.
    struct RecordBufferLengths(Vec<usize>);
    impl Read for RecordBufferLengths {
        fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
            self.0.push(dst.len());
            dst.fill(b'a');
            Ok(dst.len())
        }
    }

    for (scheme, sizes) in [
        (Scheme::Utf8, [4 << 10, 16 << 10, 64 << 10, 64 << 10]),
        (Scheme::Latin1, [4 << 10, 16 << 10, 64 << 10, 64 << 10]),
    ] {
        let mut reader = Reader::new(RecordBufferLengths(Vec::new()), scheme);
        let mut read_len = 0;
        while reader.get_ref().0.len() < 4 {
            read_len += reader.next_str().expect("no error").map_or(0, str::len);
        }
        assert_eq!(reader.get_ref().0, sizes, "{scheme:?}");
        assert!(read_len >= sizes[..3].iter().sum(), "{scheme:?}");
    }
    let mut reader = Reader::new(RecordBufferLengths(Vec::new()), Scheme::Utf8).with_capacity(5000);
    for _ in 0..4 {
        assert!(reader.next_str().expect("no error").is_some());
    }
    assert_eq!(reader.get_ref().0, [4096, 5000, 5000, 5000]);

    // The wrapped writer gets no bytes before the buffer has reached its capacity.
    let mut writer = Writer::new(Vec::new(), Scheme::Utf16Le);
    writer.write_all("a".repeat(32 << 10).as_bytes()).expect("no error");
    assert_eq!(writer.get_ref().len(), 0);
    writer.write_all(b"b").expect("no error");
    assert_eq!(writer.get_ref().len(), 64 << 10);
    assert_eq!(writer.into_inner().expect("no error").len(), (64 << 10) + 2);
}
