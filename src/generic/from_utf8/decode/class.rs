//! Finds the class of a window: which characters it may contain. Each step runs only the code for
//! its class.

use crate::arch::vector::Vector;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::step_input::MemoryWindow;

/// Which characters may occur in a window and in the bytes that its step looks back to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Only ASCII, also before the window.
    Ascii,
    /// Only characters of one and two bytes.
    UpToTwoBytes,
    /// Only characters of one, two and three bytes.
    UpToThreeBytes,
    /// Any characters.
    UpToFourBytes,
}

impl<V: Vector> Utf8Decoder<V> {
    /// Returns the class of a window.
    ///
    /// A window counts as ASCII only if the bytes before it are ASCII and no continuation byte
    /// follows it: an incomplete character before it, or a continuation byte after it, is detected
    /// only if the window is decoded.
    #[inline(always)]
    pub(crate) fn class<const N: usize>(&self, step: MemoryWindow<'_, N>) -> Class {
        let largest = self.largest(step);
        if !largest.any_high_bit() && step.is_ended() {
            Class::Ascii
        } else if !largest.any_at_least(self.token, 0xE0) {
            Class::UpToTwoBytes
        } else if !largest.any_at_least(self.token, 0xF0) {
            Class::UpToThreeBytes
        } else {
            Class::UpToFourBytes
        }
    }
}
