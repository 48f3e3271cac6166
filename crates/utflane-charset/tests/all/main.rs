//! Tests the first step of detection, which finds Unicode encodings, and the repair of double
//! encoding, on generated and on real texts: `cargo test -p utflane-charset --test all mojibake::`
//! runs one module.

#![allow(unreachable_pub, reason = "fuzz targets compile the checks too")]

mod detect;
mod detect_mixed;
mod detect_model;
mod detect_numbers;
mod double_encoding;
mod mojibake;

/// Checks that the fuzz targets use too.
#[path = "../checks"]
mod checks {
    pub mod detect;
    pub mod mojibake;
}

/// The part of the library's test code that these tests use.
#[allow(dead_code, reason = "the library's tests use more of it")]
#[path = "../../../../tests/common"]
mod common {
    pub mod cesu8_wtf8;
    pub mod corpus;
    pub mod marks;
    pub mod oracle;
    pub mod sampling;
    pub mod text;

    pub use sampling::{sampled, sampled_if_slow, sampling_interval, say};

    /// Replaces the measurement of the machine, which runs the checks of the library.
    mod calibration {
        pub(super) fn sampling_interval(_: f64) -> usize {
            super::sampling::DEFAULT_SAMPLING_INTERVAL
        }
    }
}
