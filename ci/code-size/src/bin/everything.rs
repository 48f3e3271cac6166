//! Uses every operation: the most code that a program has.

fn main() {
    utflane_code_size::every_verb();
}
