//! simdutf's search for a character.

use core::ffi::c_char;

use crate::memory;
use crate::simdutf::forms::char16_t;

/// Returns a pointer to the first `character` between `start` and `end`, or `end` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_find(
    start: *const c_char,
    end: *const c_char,
    character: c_char,
) -> *const c_char {
    let length = (end as usize).wrapping_sub(start as usize);
    // SAFETY: the caller meets the header's requirements for pointers.
    let text = unsafe { memory::source(start, length) };
    let found = text.and_then(|text| memchr::memchr(character.to_ne_bytes()[0], text));
    found.map_or(end, |index| start.wrapping_add(index))
}

/// Returns a pointer to the first `character` between `start` and `end`, or `end` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_find_utf16(
    start: *const char16_t,
    end: *const char16_t,
    character: char16_t,
) -> *const char16_t {
    let length = (end as usize).wrapping_sub(start as usize) / size_of::<char16_t>();
    // SAFETY: the caller meets the header's requirements for pointers.
    let text: Option<&[u8]> = unsafe { memory::source(start, length) };
    let found = text.and_then(|text| find_unit(text.as_chunks().0, character));
    found.map_or(end, |index| start.wrapping_add(index))
}

/// Returns the index of the first occurrence of `unit`. The loop over a block has no branch, so the
/// compiler vectorises it.
fn find_unit(units: &[[u8; 2]], unit: char16_t) -> Option<usize> {
    const BLOCK: usize = 32;
    let is_unit = |bytes: &[u8; 2]| *bytes == unit.to_ne_bytes();
    let has_unit = |block: &[[u8; 2]]| block.iter().fold(false, |any, found| any | is_unit(found));
    let before = units.chunks_exact(BLOCK).take_while(|block| !has_unit(block)).count() * BLOCK;
    units[before..].iter().position(is_unit).map(|index| before + index)
}
