//! Prints the measurement of this machine's speed. The tests use it to compute the share of the
//! long sets that fits into a budget of seconds.

use crate::common::calibration::measure;
use crate::common::say;

/// CI uses the printed time to scale the shares of the tests in the emulated PC.
#[test]
#[ignore = "a measurement, not a test"]
fn microseconds_of_this_machine() {
    say(&format!("calibration: {} us", measure().as_micros()));
}
