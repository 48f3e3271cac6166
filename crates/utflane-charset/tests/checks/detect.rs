//! Checks of the detection of Unicode encodings, which must meet the guarantees that hold for any
//! bytes.

use utflane::Scheme;
use utflane_charset::unicode::{Confidence, Detection, Reason, detect, detect_prefix};

use crate::common::marks::marked;
use crate::common::oracle;

/// Returns true if a byte is a control character that does not occur in plain text.
fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B)
}

/// Returns true if `src` is well-formed by the oracle. If `continues`, `src` is the start of a
/// longer text, and may end with an incomplete sequence.
fn is_well_formed(scheme: Scheme, src: &[u8], continues: bool) -> bool {
    let fault = oracle::decode(scheme, src).fault;
    fault.is_none_or(|fault| continues && fault.len.is_none())
}

/// Checks the guarantees of detection, which hold for any bytes. `src` is detected as a whole text
/// and as a prefix; its first `prefix_len` bytes are also detected as a prefix.
pub fn check_detection(src: &[u8], prefix_len: usize) {
    check_guarantees(src, false, detect(src));
    let prefix = &src[..prefix_len.min(src.len())];
    for prefix in [src, prefix] {
        check_guarantees(prefix, true, detect_prefix(prefix));
    }
}

/// Checks the guarantees for one detection.
fn check_guarantees(src: &[u8], continues: bool, found: Detection) {
    let (scheme, reason) = (found.closest(), found.reason());
    let has_no_scheme =
        matches!(reason, Reason::Windows1252 | Reason::Legacy | Reason::Mixed | Reason::Binary);
    assert_eq!(found.scheme(), (!has_no_scheme).then_some(scheme));
    let context = format!("{found}, continues: {continues}, {src:02X?}");
    assert_eq!(reason == Reason::Mixed, found.mixture().is_some(), "{context}");
    if let Some(mixture) = found.mixture() {
        assert!(mixture.first != mixture.second, "{context}");
        assert!((1..src.len() as u64).contains(&mixture.boundary), "{context}");
        let is_plain = !src.iter().any(|&byte| is_control(byte) || byte == 0x1B);
        let is_utf8 = is_well_formed(Scheme::Utf8, src, continues) && marked(src).is_none();
        assert!(!(is_plain && is_utf8), "plain UTF-8 is detected as a mixture: {context}");
        return;
    }
    let mark = match marked(src) {
        // The text is UTF-16LE, and its first character after the mark is U+0000.
        Some(Scheme::Utf32Le)
            if !is_well_formed(Scheme::Utf32Le, src, continues)
                && is_well_formed(Scheme::Utf16Le, src, continues) =>
        {
            Some(Scheme::Utf16Le)
        }
        mark => mark,
    };
    assert_eq!(reason == Reason::Mark, mark.is_some(), "{context}");
    if let Some(mark) = mark {
        let certain = found.confidence() == Confidence::Certain;
        assert!(!certain || is_well_formed(mark, src, continues), "{context}");
        assert_eq!((scheme, found.mark_len()), (mark, mark.byte_order_mark().len()), "{context}");
        return;
    }
    assert_eq!(found.mark_len(), 0, "{context}");
    assert!(!continues || found.confidence() < Confidence::Certain, "{context}");
    if is_well_formed(Scheme::Utf8, src, continues) {
        let wide = [Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];
        let is_wide = wide.iter().any(|&scheme| is_well_formed(scheme, src, continues));
        let has_controls = src.iter().take(1024).any(|&byte| is_control(byte));
        let narrow = if src.is_ascii() { Scheme::Ascii } else { Scheme::Utf8 };
        if !has_controls || !is_wide {
            assert_eq!(scheme, narrow, "UTF-8 is detected as another encoding: {context}");
        }
        if !has_controls {
            // Escape sequences of ISO-2022-JP and similar encodings begin with ESC and `$`.
            let escapes = src.is_ascii() && src.windows(2).any(|bytes| bytes == b"\x1B$");
            assert!(!has_no_scheme || escapes && reason == Reason::Legacy, "{context}");
        }
        assert!(scheme == narrow || wide.contains(&scheme), "{context}");
    } else {
        assert!(scheme != Scheme::Ascii, "{context}");
    }
    // If the confidence is `Likely` or higher, the text is well-formed in the detected encoding.
    if found.confidence() >= Confidence::Likely && reason != Reason::DamagedUtf8 {
        assert!(is_well_formed(scheme, src, continues), "{context}");
    }
}
