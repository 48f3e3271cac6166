//! The numbers that name encodings in C.

use core::ffi::c_char;

use utflane::Scheme;
use utflane::code_page::CodePage;

use crate::memory;

/// The number of an encoding.
pub type utflane_encoding = u32;

pub const UTFLANE_NO_ENCODING: u32 = 0;
pub const UTFLANE_UTF8: u32 = 1;
pub const UTFLANE_UTF16LE: u32 = 2;
pub const UTFLANE_UTF16BE: u32 = 3;
pub const UTFLANE_UTF32LE: u32 = 4;
pub const UTFLANE_UTF32BE: u32 = 5;
pub const UTFLANE_LATIN1: u32 = 6;
pub const UTFLANE_ASCII: u32 = 7;
pub const UTFLANE_CESU8: u32 = 8;
pub const UTFLANE_MUTF8: u32 = 9;
pub const UTFLANE_WTF8: u32 = 10;
pub const UTFLANE_WTF16LE: u32 = 11;
pub const UTFLANE_WTF16BE: u32 = 12;
/// The number of the first code page. The others follow, in the order of [`CodePage::ALL`].
pub const UTFLANE_FIRST_CODE_PAGE: u32 = 256;

#[cfg(target_endian = "big")]
pub(crate) use utflane::Utf16Be as NativeUtf16;
/// UTF-16 in the machine's byte order.
#[cfg(target_endian = "little")]
pub(crate) use utflane::Utf16Le as NativeUtf16;
/// The number of UTF-16 in the machine's byte order.
pub const NATIVE_UTF16: utflane_encoding =
    if cfg!(target_endian = "little") { UTFLANE_UTF16LE } else { UTFLANE_UTF16BE };

/// The encodings. The entry of number `n` has index `n - 1`.
const ENCODINGS: [Scheme; 12] = {
    use Scheme::*;
    [Utf8, Utf16Le, Utf16Be, Utf32Le, Utf32Be, Latin1, Ascii, Cesu8, Mutf8, Wtf8, Wtf16Le, Wtf16Be]
};

/// The names of the encodings as C strings, in the order of [`ENCODINGS`], and then those of
/// the code pages.
static NAMES: [[u8; 24]; ENCODINGS.len() + CodePage::ALL.len()] = {
    let mut names = [[0; 24]; ENCODINGS.len() + CodePage::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = memory::c_string(match index.checked_sub(ENCODINGS.len()) {
            Some(page) => CodePage::ALL[page].name(),
            None => ENCODINGS[index].name(),
        });
        index += 1;
    }
    names
};

/// Returns the code page that has the number `encoding`.
pub(crate) fn page(encoding: utflane_encoding) -> Option<&'static CodePage> {
    CodePage::ALL.get(encoding.checked_sub(UTFLANE_FIRST_CODE_PAGE)? as usize).copied()
}

/// Returns the encoding that has the number `encoding`.
pub(crate) fn scheme(encoding: utflane_encoding) -> Option<Scheme> {
    let at = (encoding as usize).checked_sub(1)?;
    ENCODINGS.get(at).copied()
}

/// Returns the number of an encoding.
pub(crate) fn number(scheme: Scheme) -> utflane_encoding {
    let index = ENCODINGS.iter().position(|other| *other == scheme);
    index.map_or(UTFLANE_NO_ENCODING, |index| index as u32 + 1)
}

/// Returns the name of an encoding, or "none".
#[unsafe(no_mangle)]
pub extern "C" fn utflane_encoding_name(encoding: utflane_encoding) -> *const c_char {
    let index = match encoding.checked_sub(UTFLANE_FIRST_CODE_PAGE) {
        Some(page) => Some(ENCODINGS.len() + page as usize),
        None => scheme(encoding).and(encoding.checked_sub(1)).map(|index| index as usize),
    };
    let name = index.and_then(|index| NAMES.get(index));
    name.map_or(c"none".as_ptr(), |name| name.as_ptr().cast())
}

/// Returns the number of the encoding that a label names, or UTFLANE_NO_ENCODING.
pub(crate) fn number_of_label(label: &str) -> utflane_encoding {
    if let Ok(scheme) = Scheme::from_label(label) {
        return number(scheme);
    }
    let page = CodePage::by_label(label);
    let index = page.and_then(|page| CodePage::all().position(|other| other == page));
    index.map_or(UTFLANE_NO_ENCODING, |index| UTFLANE_FIRST_CODE_PAGE + index as u32)
}

/// Returns the encoding that a label names, or UTFLANE_NO_ENCODING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_encoding_from_label(
    label: *const c_char,
    length: usize,
) -> utflane_encoding {
    // SAFETY: the caller meets the header's requirements for pointers.
    let label = unsafe { memory::source(label, length) };
    let label = label.and_then(|label| core::str::from_utf8(label).ok());
    label.map_or(UTFLANE_NO_ENCODING, number_of_label)
}
