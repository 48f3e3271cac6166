//! CESU-8 and Modified UTF-8, the two *relatives* of UTF-8.

pub(crate) mod compatible_prefix;
pub(crate) mod edit;
pub(crate) mod edit_runs;
pub(crate) mod from_utf16;
pub(crate) mod to_utf16;
