//! Output that grows: a buffer whose room is initialised once.

/// The least room that is offered.
const ROOM: usize = 64;

/// Bytes written so far, and room after them.
pub(crate) struct Sink {
    buffer: Vec<u8>,
    len: usize,
}

impl Sink {
    /// An empty output with room for `room` bytes.
    pub(crate) fn new(room: usize) -> Self {
        Self { buffer: vec![0; room + ROOM], len: 0 }
    }

    /// The bytes that are written.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The room for more, of 64 bytes at least.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        if self.buffer.len() - self.len < ROOM {
            self.grow();
        }
        &mut self.buffer[self.len..]
    }

    /// Makes room for half as much more.
    pub(crate) fn grow(&mut self) {
        let more = self.buffer.len() / 2 + ROOM;
        self.buffer.resize(self.buffer.len() + more, 0);
    }

    /// Counts bytes of the room as written.
    pub(crate) fn advance(&mut self, written: usize) {
        self.len += written;
    }

    /// Appends `bytes`.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        while self.buffer.len() - self.len < bytes.len() {
            self.grow();
        }
        self.buffer[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// The bytes that are written.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}
