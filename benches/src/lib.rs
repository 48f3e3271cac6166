//! The side-by-side measurement: utflane and its peers on the same texts, in the same run.
//!
//! An operation is a row of data ([`operations`]): our call, and one call for each peer that offers
//! the same function. [`measure`] checks that all of them give the same result on a text and then
//! times them in turns, in [`rounds`], so that a brief slowdown of the machine affects all of them
//! alike; rounds in which another program shared the core are repeated ([`rounds::pace`]). A cell
//! of the [`report`] is the median of paired ratios. [`latency`] does the same with batches of
//! calls on short excerpts, [`plot`] draws charts. `benches/compare.rs` is the program. It writes
//! [`results`] to a file for each processor, and `bin/report.rs` makes a [`document`] of all of
//! them. `bin/instructions.rs` is the program whose instructions `ci/instructions.py` counts.

pub mod args;
pub mod changes;
pub mod document;
pub mod environment;
pub mod fresh;
pub mod latency;
pub mod measure;
pub mod operations;
pub mod peers;
pub mod plot;
pub mod report;
pub mod results;
pub mod rounds;
pub mod texts;
