//! Uses every operation, so the library adds as much code as it can add to a program.

fn main() {
    utflane_code_size::keep_every_operation();
}
