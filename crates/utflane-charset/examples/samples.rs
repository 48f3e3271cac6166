//! Detects the encodings of samples, for `benches/detection/compare.py`. The only argument is a
//! file of samples, each with its length in four bytes before it. Prints a line for each sample:
//! the encoding, the confidence, the probability, the language, the nanoseconds that the detection
//! took, and the figures from which the probability is computed.

use std::time::Instant;

use utflane_charset::{detect_text, features};

fn main() {
    let path = std::env::args().nth(1).expect("the name of a file");
    let data = std::fs::read(path).expect("a readable file");
    let mut rest = &data[..];
    detect_text(b"\xE9", true);
    while let Some((len, after)) = rest.split_first_chunk::<4>() {
        let (text, after) = after.split_at(u32::from_le_bytes(*len) as usize);
        rest = after;
        let start = Instant::now();
        let found = detect_text(text, true);
        let nanoseconds = start.elapsed().as_nanos();
        let (name, confidence) = (found.name(), found.confidence);
        let language = found.language.unwrap_or("-");
        print!("{name}\t{confidence}\t{:.4}\t{language}\t{nanoseconds}", found.probability);
        let others: Vec<_> = found.others.iter().map(|other| other.name()).collect();
        print!("\t{}\t{:?}", others.join(" "), features(text));
        println!();
    }
}
