//! The pair table and its functions: conversions by source encoding, checks, lengths and repairs.

pub(crate) mod check;
#[cfg(feature = "stream")]
pub(crate) mod chunk;
#[cfg(feature = "columns")]
pub(crate) mod columns;
pub(crate) mod validation;
cfg_if::cfg_if! {
    if #[cfg(feature = "count")] {
        pub(crate) mod exceptions;
        mod from_latin1;
        mod from_utf16;
        mod from_utf32;
        mod from_utf8;
        pub(crate) mod repair;
        pub(crate) mod table;
        pub(crate) mod through;
    }
}
