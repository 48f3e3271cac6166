//! All tests of the library in one program: the code for each pair of encodings is compiled once,
//! and cargo links once. Each subject is a module: `cargo test --test all lossy::` runs one of
//! them.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32"))]
mod blocks;
mod bom;
mod calibration;
mod capacity;
mod cesu8_mutf8;
#[cfg(not(target_family = "wasm"))]
mod class_files;
#[cfg(feature = "code-pages")]
mod code_pages;
#[cfg(all(feature = "code-pages", target_os = "linux"))]
mod code_pages_elsewhere;
#[cfg(feature = "columns")]
mod columns;
mod corpus;
mod count;
mod embedded;
#[cfg(target_os = "linux")]
mod error_cost;
mod errors;
mod exhaustive;
mod exhaustive_long;
mod groups;
#[cfg(unix)]
mod guard_pages;
#[cfg(unix)]
mod guard_questions;
mod ill_formed;
mod initialised;
mod io;
mod io_buffers;
mod kernels;
mod latin1_ascii;
mod legacy;
mod lines;
mod literals;
mod lossy;
mod migrating_cesu8;
mod migrating_encoding_rs;
mod migrating_std;
mod migrating_wtf8;
mod one_unit;
mod owned;
mod positions;
mod properties;
mod repair;
mod replacements;
mod schemes;
#[cfg(feature = "columns")]
mod short_rows;
mod short_texts;
mod simdutf_bugs;
mod split_incomplete;
mod steps;
mod streams;
mod stress;
mod surrogates;
mod texts;
mod to_str;
mod transcode;
mod unicode_tables;
mod utf32;
mod validate;
mod whatwg;
mod wtf8;

// This module is outside this folder, because fuzz targets and benchmarks use it too.
#[path = "../common/mod.rs"]
mod common;
