//! A growing output buffer whose memory is initialised only once.

/// The minimum length of the result of [`Sink::spare`].
const MIN_SPARE_BYTES: usize = 64;

/// A buffer of the bytes written so far, followed by initialised spare capacity.
///
/// Decoders write into a slice. The spare capacity of a [`Vec`] would have to be filled with zeros
/// for each call of a decoder.
///
/// ```
/// use utflane_charset::Sink;
///
/// let mut sink = Sink::new(16);
/// sink.spare()[..2].copy_from_slice(b"ab");
/// sink.advance(2);
/// sink.push(b"c");
/// assert_eq!(sink.bytes(), b"abc");
/// assert_eq!(sink.into_vec(), b"abc");
/// ```
#[derive(Debug, Default)]
pub struct Sink {
    buffer: Vec<u8>,
    len: usize,
}

impl Sink {
    /// Creates an empty output with capacity for `capacity` bytes.
    pub fn new(capacity: usize) -> Self {
        Self { buffer: vec![0; capacity + MIN_SPARE_BYTES], len: 0 }
    }

    /// Returns the number of bytes written so far.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if no bytes have been written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the spare capacity, which has at least 64 bytes.
    pub fn spare(&mut self) -> &mut [u8] {
        if self.buffer.len() - self.len < MIN_SPARE_BYTES {
            self.grow();
        }
        &mut self.buffer[self.len..]
    }

    /// Grows the capacity by half.
    pub fn grow(&mut self) {
        let additional = self.buffer.len() / 2 + MIN_SPARE_BYTES;
        self.buffer.resize(self.buffer.len() + additional, 0);
    }

    /// Reserves capacity for `additional` bytes.
    pub fn reserve(&mut self, additional: usize) {
        let end = self.len + additional;
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
    }

    /// Adds the first `written` bytes of the spare capacity to the bytes written so far.
    ///
    /// # Panics
    ///
    /// Panics if the spare capacity is smaller than `written` bytes.
    pub fn advance(&mut self, written: usize) {
        self.len += written;
        assert!(self.len <= self.buffer.len(), "more bytes were written than the capacity");
    }

    /// Appends `bytes`.
    pub fn push(&mut self, bytes: &[u8]) {
        while self.buffer.len() - self.len < bytes.len() {
            self.grow();
        }
        self.buffer[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Removes all bytes after the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Removes the first `len` bytes.
    ///
    /// # Panics
    ///
    /// Panics if fewer than `len` bytes have been written.
    pub fn drain(&mut self, len: usize) {
        self.buffer.copy_within(len..self.len, 0);
        self.len -= len;
    }

    /// Returns the bytes written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Removes and returns all bytes. If they fill less than half of the buffer, they are copied
    /// and the buffer is kept, so that a small text allocates only memory of its own length.
    pub fn take(&mut self) -> Vec<u8> {
        if 2 * self.len >= self.buffer.len() {
            return std::mem::take(self).into_vec();
        }
        let taken = self.bytes().to_vec();
        self.len = 0;
        taken
    }

    /// Returns the bytes written so far as a vector.
    pub fn into_vec(mut self) -> Vec<u8> {
        self.buffer.truncate(self.len);
        self.buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_when_the_capacity_grows() {
        let (mut sink, mut expected) = (Sink::default(), Vec::new());
        assert!(sink.is_empty());
        for n in 0..1000_usize {
            let bytes = n.to_string().into_bytes();
            if n % 2 == 0 {
                sink.push(&bytes);
            } else {
                assert!(sink.spare().len() >= MIN_SPARE_BYTES);
                sink.spare()[..bytes.len()].copy_from_slice(&bytes);
                sink.advance(bytes.len());
            }
            expected.extend(bytes);
            if n % 100 == 99 {
                sink.drain(150);
                expected.drain(..150);
                sink.truncate(sink.len() - 1);
                expected.pop();
                sink.reserve(n);
                assert!(sink.spare().len() >= n);
            }
            assert_eq!((sink.bytes(), sink.len()), (&expected[..], expected.len()));
        }
        assert_eq!(sink.into_vec(), expected);
    }

    #[test]
    fn the_sink_is_empty_after_take() {
        for len in [0, 1, 50, 1000] {
            let mut sink = Sink::new(200);
            for byte in 0..3 {
                sink.push(&vec![byte; len]);
                assert_eq!(sink.take(), vec![byte; len]);
                assert!(sink.is_empty());
            }
        }
    }

    #[test]
    #[should_panic(expected = "more bytes were written")]
    fn advance_checks_the_capacity() {
        let mut sink = Sink::new(1);
        sink.advance(100);
    }
}
