//! The peers of code pages: encoding_rs, and the C library's iconv.

/// encoding_rs, without replacements.
pub mod encoding_rs {
    use encoding_rs::{DecoderResult, EncoderResult, Encoding};

    use crate::peers::FAILED;

    /// Decodes into UTF-16; returns the units written.
    pub fn decode_to_utf16(page: &'static Encoding, src: &[u8], dst: &mut [u16]) -> usize {
        let mut decoder = page.new_decoder_without_bom_handling();
        match decoder.decode_to_utf16_without_replacement(src, dst, true) {
            (DecoderResult::InputEmpty, _, written) => written,
            _ => FAILED,
        }
    }

    /// Decodes into UTF-8; returns the bytes written.
    pub fn decode_to_utf8(page: &'static Encoding, src: &[u8], dst: &mut [u8]) -> usize {
        let mut decoder = page.new_decoder_without_bom_handling();
        match decoder.decode_to_utf8_without_replacement(src, dst, true) {
            (DecoderResult::InputEmpty, _, written) => written,
            _ => FAILED,
        }
    }

    /// Encodes UTF-16; returns the bytes written.
    pub fn encode_utf16(page: &'static Encoding, src: &[u16], dst: &mut [u8]) -> usize {
        let mut encoder = page.new_encoder();
        match encoder.encode_from_utf16_without_replacement(src, dst, true) {
            (EncoderResult::InputEmpty, _, written) => written,
            _ => FAILED,
        }
    }

    /// Encodes UTF-8; returns the bytes written.
    pub fn encode_utf8(page: &'static Encoding, src: &str, dst: &mut [u8]) -> usize {
        let mut encoder = page.new_encoder();
        match encoder.encode_from_utf8_without_replacement(src, dst, true) {
            (EncoderResult::InputEmpty, _, written) => written,
            _ => FAILED,
        }
    }
}

/// The C library's iconv. A descriptor is opened once for each pair.
#[cfg(unix)]
pub mod iconv {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::ffi::{CStr, c_char, c_int, c_void};

    use crate::peers::FAILED;

    unsafe extern "C" {
        fn iconv_open(to: *const c_char, from: *const c_char) -> *mut c_void;
        fn iconv(
            descriptor: *mut c_void,
            src: *mut *mut c_char,
            src_left: *mut usize,
            dst: *mut *mut c_char,
            dst_left: *mut usize,
        ) -> usize;
    }

    thread_local! {
        static OPEN: RefCell<HashMap<[*const c_char; 2], *mut c_void>> = RefCell::default();
    }

    /// Converts all of `src`; returns the bytes written.
    fn convert(from: &'static CStr, to: &'static CStr, src: &[u8], dst: &mut [u8]) -> usize {
        let key = [from.as_ptr(), to.as_ptr()];
        let descriptor = OPEN.with_borrow_mut(|open| {
            // SAFETY: both are strings that end by NUL.
            *open.entry(key).or_insert_with(|| unsafe { iconv_open(to.as_ptr(), from.as_ptr()) })
        });
        assert_ne!(descriptor as c_int, -1, "iconv lacks {from:?} or {to:?}");
        let (mut src_left, mut dst_left) = (src.len(), dst.len());
        let mut input = src.as_ptr().cast_mut().cast();
        let mut output = dst.as_mut_ptr().cast();
        // SAFETY: the lengths are those of the slices; iconv does not write to its input.
        let result =
            unsafe { iconv(descriptor, &mut input, &mut src_left, &mut output, &mut dst_left) };
        if result == 0 { dst.len() - dst_left } else { FAILED }
    }

    /// Decodes into UTF-16; returns the units written.
    pub fn decode_to_utf16(page: &'static CStr, src: &[u8], dst: &mut [u16]) -> usize {
        match convert(page, c"UTF-16LE", src, bytemuck::cast_slice_mut(dst)) {
            FAILED => FAILED,
            bytes => bytes / 2,
        }
    }

    /// Decodes into UTF-8; returns the bytes written.
    pub fn decode_to_utf8(page: &'static CStr, src: &[u8], dst: &mut [u8]) -> usize {
        convert(page, c"UTF-8", src, dst)
    }

    /// Encodes UTF-16; returns the bytes written.
    pub fn encode_utf16(page: &'static CStr, src: &[u16], dst: &mut [u8]) -> usize {
        convert(c"UTF-16LE", page, bytemuck::cast_slice(src), dst)
    }

    /// Encodes UTF-8; returns the bytes written.
    pub fn encode_utf8(page: &'static CStr, src: &str, dst: &mut [u8]) -> usize {
        convert(c"UTF-8", page, src.as_bytes(), dst)
    }
}
