//! The side-by-side measurement: utflane and its peers on the same texts, in the same run.
//!
//! An operation is a row of data ([`operations`]): our call, and one call for each peer that offers the same thing.
//! [`measure`] checks that all of them give the same result on a text and then times them in turns, so that whatever
//! slows the machine down for a moment slows down everyone; rounds in which the core was shared with a stranger are
//! repeated ([`pace`]). A cell of the [`report`] is the median of paired ratios. [`latency`] does the same with batches
//! of calls on short pieces, [`plot`] draws charts. `benches/compare.rs` is the program; `bin/instructions.rs` is what
//! `ci/instructions.sh` counts the instructions of.

pub mod args;
pub mod buffer;
pub mod environment;
pub mod latency;
pub mod measure;
pub mod operations;
pub mod pace;
pub mod peers;
pub mod plot;
pub mod report;
pub mod texts;
