//! Code shared by all tests and fuzz targets: the oracle, the checks, and texts to run them on.
//!
//! A check takes one input and asserts that every operation returns the oracle's result, on every
//! kernel of `Kernel::available()` and through the free functions. Tests, properties and fuzz
//! targets differ only in the source of their inputs. The oracle ([`oracle`]) is the standard
//! library; nothing in the oracle calls utflane.
//!
//! Checks handle texts of all encodings as bytes: [`api`] gives every encoding, and [`pairs`] every
//! pair of encodings, the same functions, so a check is compiled once and runs for all pairs.

#![allow(dead_code, reason = "no fuzz target uses everything")]
#![allow(unreachable_pub, reason = "several crates compile this module, and none uses all of it")]

pub mod api;
pub mod calibration;
pub mod carriers;
pub mod cases;
pub mod cesu8_wtf8;
pub mod checks;
#[cfg(feature = "columns")]
pub mod columns;
pub mod corpus;
#[cfg(unix)]
pub mod guard;
pub mod io;
pub mod legacy;
pub mod lines;
pub mod lossy;
pub mod marks;
pub mod oracle;
pub mod outputs;
#[cfg(target_os = "linux")]
pub mod pages;
pub mod pairs;
pub mod positions;
pub mod repair;
pub mod sampling;
pub mod streams;
pub mod strings;
pub mod text;

pub use sampling::{is_slow, sampled, sampled_if_slow, sampling_interval, say};
