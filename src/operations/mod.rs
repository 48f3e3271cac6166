//! The operations: as free functions, as methods of a kernel, and for schemes chosen at run time.

pub(crate) mod free;
mod kernel;
mod scheme;
