// This file is compiled twice: by build.rs, which writes the table of `assigned.rs`, and by the
// unit tests, which test every code point.

/// Returns false for a noncharacter, and for a code point that is unassigned or for private use.
/// Returns true for surrogates.
pub(crate) fn is_assigned(unit: u16) -> bool {
    let Some(c) = char::from_u32(unit.into()) else { return true };
    // What the standard library escapes besides these, although it is assigned.
    let is_exception = matches!(
        c,
        '\0'..='\u{FF}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}'
            | '\u{891}' | '\u{8E2}' | '\u{1680}' | '\u{180E}' | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{2064}' | '\u{2066}'..='\u{206F}'
            | '\u{3000}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
    );
    // `c` is tested after a space, because a combining mark at the start of a string would be
    // escaped.
    let mut buffer = [b' '; 5];
    let len = 1 + c.encode_utf8(&mut buffer[1..]).len();
    let after_space = std::str::from_utf8(&buffer[..len]).unwrap_or_default();
    is_exception || after_space.escape_debug().nth(1) != Some('\\')
}
