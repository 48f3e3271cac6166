//! Lists the kernels that can run here, a line each, for targets that have to be told one: `UTFLANE_KERNEL=NAME TARGET`.

use utflane::Kernel;

fn main() {
    for kernel in Kernel::available() {
        println!("{kernel}");
    }
}
