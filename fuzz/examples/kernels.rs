//! Prints the name of each kernel that can run on this processor, one per line, for the variable
//! `UTFLANE_KERNEL` of the fuzz targets: `UTFLANE_KERNEL=NAME TARGET`.

use utflane::Kernel;

fn main() {
    for kernel in Kernel::available() {
        println!("{kernel}");
    }
}
