//! The class of a window: which characters it may contain, so that each step runs the least code.

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
    /// other half may contain four-byte characters.
    AsciiFirst(bool),
    /// The second half and the bytes that it looks back to are ASCII. The flag is the same.
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
    /// The class of a window.
    ///
    /// A part counts as ASCII only with ASCII before it, since a character that it cuts off is
    /// detected only by a step that looks back to it, and with no continuation byte after it, which
    /// would be detected only when it is decoded.
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
        // Test both at once, and then each only where they differ.
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

    /// The class of bytes that are not all ASCII and of which none is larger than all of `most`.
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

    /// The window, if one half of it is ASCII and worth separate code.
    #[inline(always)]
    pub(crate) fn half_ascii_window<'a, const N: usize>(
        &self,
        step: &'a [u8; N],
        class: Class,
    ) -> Option<&'a Window> {
        if class.is_mixed() { step.first_chunk() } else { None }
    }
}
