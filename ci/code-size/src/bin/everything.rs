//! Every operation: what a program has at most.

fn main() {
    utflane_code_size::every_verb();
}
