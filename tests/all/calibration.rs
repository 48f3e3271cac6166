//! The measurement that converts a budget of seconds into a share of the long sets.

use crate::common::calibration::measure;
use crate::common::say;

/// Prints the measurement. CI scales the shares of the emulated PC with it.
#[test]
#[ignore = "a measurement"]
fn microseconds_of_this_machine() {
    say(&format!("calibration: {} us", measure().as_micros()));
}
