//! Measures utflane and its peers, the libraries that it is compared with, side by side: on the
//! same texts, in the same run.
//!
//! An operation is a row of data ([`operations`]): our call, and one call for each peer that offers
//! the same function. [`measure`] checks that all calls return the same result for a text. It then
//! times the calls in turns, in [`rounds`], so that a brief slowdown of the machine affects all
//! calls in the same way. Rounds in which another program shared the core are repeated
//! ([`rounds::disturbance`]). A ratio in the [`report`] is the median of the rounds' ratios.
//! [`latency`] measures batches of calls on short excerpts, [`fresh`] measures text that is read
//! only once, and [`plot`] draws charts. `benches/compare.rs` is the program. It writes [`results`]
//! to a file for each processor, and `bin/report.rs` makes a [`document`] from all files of
//! results. `bin/instructions.rs` is the program whose instructions `ci/instructions.py` counts.

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

/// Runs the programs of docs/migrating.md.
#[cfg(doctest)]
#[doc = include_str!("../../docs/migrating.md")]
struct Migrating;
