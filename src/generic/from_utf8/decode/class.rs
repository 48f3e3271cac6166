//! The class of a window: the characters that it may contain. Each step runs only the code for its
//! class.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, STEP, Window};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::step_input::{MemoryWindow, WINDOW_BYTES};
use crate::scalar;

/// The characters in a window and in the bytes that it looks back to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// ASCII only, with ASCII before it.
    Ascii,
    /// Characters of one and two bytes.
    Narrow,
    /// No four-byte characters.
    Middle,
    /// Any characters.
    Wide,
    /// The first half and the bytes that it looks back to are ASCII. The flag is true if the
    /// second half may contain four-byte characters.
    AsciiFirst(bool),
    /// The second half and the bytes that it looks back to are ASCII. The flag is true if the
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
        matches!(self, Self::Wide | Self::AsciiFirst(true) | Self::AsciiSecond(true))
    }
}

impl<V: Vector> Utf8Decoder<V> {
    /// Returns the class of a window.
    ///
    /// A part counts as ASCII only if ASCII is before it and no continuation byte is after it. Only
    /// a step that is decoded detects an incomplete character before it, or a continuation byte
    /// after it.
    #[inline(always)]
    pub(crate) fn class<const N: usize>(&self, step: MemoryWindow<'_, N>) -> Class {
        if V::LANES == STEP {
            let most = self.load(step, 0, LOOKBEHIND_BYTES).max(self.load(step, 0, 0));
            if !most.any_high() && step.is_ended() {
                return Class::Ascii;
            }
            return self.class_of(most);
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
        let most = first.max(second);
        // Test both halves at once, and each half only if they differ.
        let (high_first, high_second) = (first.any_high(), second.any_high());
        if !(high_first && high_second) {
            let wide = || most.any_from(self.token, 0xF0);
            let ended = step.is_ended();
            if !high_first && !high_second && ended {
                return Class::Ascii;
            }
            if N == WINDOW_BYTES && !high_second && ended {
                return Class::AsciiSecond(wide());
            }
            if N == WINDOW_BYTES
                && !high_first
                && !scalar::utf8::is_continuation(step.bytes[N / 2 + 1])
            {
                return Class::AsciiFirst(wide());
            }
        }
        self.class_of(most)
    }

    /// Returns the class of a window that is not all ASCII. The largest lane of `most` is its
    /// largest byte.
    #[inline(always)]
    fn class_of(&self, most: V) -> Class {
        if !most.any_from(self.token, 0xE0) {
            Class::Narrow
        } else if !most.any_from(self.token, 0xF0) {
            Class::Middle
        } else {
            Class::Wide
        }
    }

    /// Returns the window if one half of it is ASCII.
    #[inline(always)]
    pub(crate) fn half_ascii_window<'a, const N: usize>(
        &self,
        step: &'a [u8; N],
        class: Class,
    ) -> Option<&'a Window> {
        if class.is_mixed() { step.first_chunk() } else { None }
    }
}
