//! Uses no operation: the code that every program has.

fn main() {
    std::hint::black_box(&[] as &[usize]);
}
