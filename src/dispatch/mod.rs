//! The choice of the function that runs: the kernels, and the pair table.

pub(crate) mod active;
#[cfg(feature = "code-pages")]
pub(crate) mod code_page;
mod constructors;
pub(crate) mod function;
pub(crate) mod kernel;
pub(crate) mod pairs;
pub(crate) mod run;
