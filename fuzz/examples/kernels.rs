//! Lists the kernels that can run here, a line each, for targets that need a kernel by name:
//! `UTFLANE_KERNEL=NAME TARGET`.

use utflane::Kernel;

fn main() {
    for kernel in Kernel::available() {
        println!("{kernel}");
    }
}
