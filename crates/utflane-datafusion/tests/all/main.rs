//! All tests are in one test program, so that DataFusion is linked only once.

mod examples;
mod files;
mod plans;
mod random;
mod sql;
