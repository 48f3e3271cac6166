//! Uses no operation, so the program has only the code that every program has.

fn main() {
    std::hint::black_box(&[] as &[usize]);
}
