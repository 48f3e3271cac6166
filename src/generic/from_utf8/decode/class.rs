//! Finds the class of a window: which characters it may contain. Each step runs only the code for
//! its class.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, STEP, Window};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::step_input::{MemoryWindow, WINDOW_BYTES};
use crate::scalar;

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
    /// ASCII in the first half and in the bytes that it looks back to. The flag is true if the
    /// second half may contain four-byte characters.
    AsciiFirst(bool),
    /// ASCII in the second half and in the bytes that it looks back to. The flag is true if the
    /// first half may contain four-byte characters.
    AsciiSecond(bool),
}

impl Class {
    /// Returns true if one half is ASCII.
    #[inline(always)]
    pub(crate) fn is_mixed(self) -> bool {
        matches!(self, Self::AsciiFirst(_) | Self::AsciiSecond(_))
    }

    /// Returns true if there may be four-byte characters.
    #[inline(always)]
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Self::UpToFourBytes | Self::AsciiFirst(true) | Self::AsciiSecond(true))
    }
}

impl<V: Vector> Utf8Decoder<V> {
    /// Returns the class of a window.
    ///
    /// A half, or the whole window, counts as ASCII only if the bytes before it are ASCII and no
    /// continuation byte follows it: an incomplete character before it, or a continuation byte
    /// after it, is detected only if the half is decoded.
    #[inline(always)]
    pub(crate) fn class<const N: usize>(&self, step: MemoryWindow<'_, N>) -> Class {
        if V::LANES == STEP {
            let largest = self.load(step, 0, LOOKBEHIND_BYTES).max(self.load(step, 0, 0));
            if !largest.any_high_bit() && step.is_ended() {
                return Class::Ascii;
            }
            return self.class_by_largest(largest);
        }
        let half = const { (N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES) / 2 / V::LANES };
        let (mut first, mut second) =
            (self.load(step, 0, LOOKBEHIND_BYTES), self.load(step, half, LOOKBEHIND_BYTES));
        let mut k = 0;
        while k < half {
            first = first.max(self.load(step, k, 0));
            second = second.max(self.load(step, half + k, 0));
            k += 1;
        }
        let largest = first.max(second);
        // If no half is ASCII, only the largest byte matters for the class.
        let (high_first, high_second) = (first.any_high_bit(), second.any_high_bit());
        if !(high_first && high_second) {
            let is_wide = || largest.any_at_least(self.token, 0xF0);
            let is_ended = step.is_ended();
            if !high_first && !high_second && is_ended {
                return Class::Ascii;
            }
            if N == WINDOW_BYTES && !high_second && is_ended {
                return Class::AsciiSecond(is_wide());
            }
            if N == WINDOW_BYTES
                && !high_first
                && !scalar::utf8::is_continuation(step.bytes[N / 2 + 1])
            {
                return Class::AsciiFirst(is_wide());
            }
        }
        self.class_by_largest(largest)
    }

    /// Returns the class of a window of which no half is ASCII. The largest lane of `largest` is
    /// the largest byte of the window.
    #[inline(always)]
    fn class_by_largest(&self, largest: V) -> Class {
        if !largest.any_at_least(self.token, 0xE0) {
            Class::UpToTwoBytes
        } else if !largest.any_at_least(self.token, 0xF0) {
            Class::UpToThreeBytes
        } else {
            Class::UpToFourBytes
        }
    }

    /// Returns the window `step` if `class` says that one half is ASCII.
    #[inline(always)]
    pub(crate) fn half_ascii_window<'a, const N: usize>(
        &self,
        step: &'a [u8; N],
        class: Class,
    ) -> Option<&'a Window> {
        if class.is_mixed() { step.first_chunk() } else { None }
    }
}
