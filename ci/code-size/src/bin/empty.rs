//! Names nothing: what every program has.

fn main() {
    std::hint::black_box(&[] as &[usize]);
}
