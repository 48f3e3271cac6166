//! One test program, so that DataFusion is linked once.

mod examples;
mod files;
mod plans;
mod random;
mod sql;
