//! Makes the first inputs of every fuzz target: `seeds FOLDER` writes `FOLDER/TARGET/NUMBER`.
//!
//! In every scheme, texts of all widths and of lengths about the blocks of the kernels, and every
//! sequence that its syntax distinguishes, at the borders of blocks. Before each stand the bytes
//! that a target reads as its choices, with the scheme's own where it chooses one.

use std::io::Result;
use std::path::Path;
use std::{env, fs};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane::mojibake::{Misread, apply};
use utflane_fuzz::HEADS;
use utflane_fuzz::common::api::{codecs, pairs};
use utflane_fuzz::common::carriers::{embedded, sequences};
use utflane_fuzz::common::detect::MARKS;
use utflane_fuzz::common::oracle::encode;
use utflane_fuzz::common::text::{chat, collection};

/// Sequences of each scheme.
const SEQUENCES: usize = 16;

/// Code units before a sequence: about the borders of vectors and blocks.
const OFFSETS: [usize; 12] = [0, 1, 13, 15, 16, 29, 31, 32, 61, 63, 64, 127];

/// The last character of a scheme.
fn last(scheme: Scheme) -> char {
    match scheme {
        Scheme::Ascii => '\x7F',
        Scheme::Latin1 => 'ÿ',
        _ => char::MAX,
    }
}

/// Inputs in a scheme.
fn inputs(scheme: Scheme, rng: &mut StdRng) -> Vec<Vec<u8>> {
    let (last, unit) = (last(scheme), scheme.unit_size());
    let mut all = Vec::new();
    for width in 1..=last.len_utf8() {
        let text = embedded(scheme, width, last, 192, b"");
        all.extend([7, 40, 70, 192].map(|units| text[..units * unit].to_vec()));
    }
    let sequences = sequences(scheme);
    for i in 0..SEQUENCES.min(sequences.len()) {
        let sequence = &sequences[i * sequences.len() / SEQUENCES.min(sequences.len())];
        let width = rng.random_range(1..=last.len_utf8());
        let at = OFFSETS[rng.random_range(0..OFFSETS.len())];
        let text = embedded(scheme, width, last, at, sequence);
        // Most texts end soon after it.
        let after = [0, 1, 9, 40, 192][rng.random_range(0..5)];
        let end = text.len().min(at * unit + sequence.len() + after * unit);
        all.push(text[..end].to_vec());
    }
    all
}

/// Inputs of no scheme: marks, sequences of older definitions, texts of several scripts, damaged
/// ones.
fn others() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = MARKS.iter().map(|(mark, _)| [*mark, b"a\0b\0"].concat()).collect();
    for sequence in [&b"\xFC\x84\x80\x80\x80\x80"[..], b"\xFB\xBF\xBF\xBF\xBF", b"\xF7\xBF\xBF\xBF"]
    {
        all.push([b"plain ", sequence, "größer".as_bytes()].concat());
        all.push(sequence[..sequence.len() - 1].to_vec());
    }
    all.extend(Scheme::ALL.iter().flat_map(|scheme| scheme.labels()).map(|label| label.into()));
    let texts = collection(300).into_iter().map(|(_, text)| text).chain([chat(9, 200)]);
    for (i, text) in texts.enumerate() {
        let scheme = Scheme::ALL[i % Scheme::ALL.len()];
        let mut bytes = Vec::new();
        for c in text.chars() {
            // Characters that a small scheme lacks are left out.
            let _ = encode(scheme, c, &mut bytes);
        }
        let misread = [Misread::Latin1, Misread::Windows1252][i % 2];
        all.extend([bytes, apply(&text, misread).into_bytes(), text.into_bytes()]);
    }
    all
}

/// The byte that chooses a scheme among the target's schemes.
fn number(target: &str, scheme: Scheme, rng: &mut StdRng) -> u8 {
    let all: Vec<Scheme> = match target {
        "transcode" | "streams" | "lossy" => pairs().iter().map(|pair| pair.from.scheme).collect(),
        "validate" => codecs().iter().map(|codec| codec.scheme).collect(),
        "io" | "columns" | "par" => Scheme::ALL.to_vec(),
        _ => return rng.random(),
    };
    let indices: Vec<usize> = (0..all.len()).filter(|&i| all[i] == scheme).collect();
    match indices.len() {
        // WTF-16 in the other byte order is a scheme without a type.
        0 => rng.random(),
        many => u8::try_from(indices[rng.random_range(0..many)]).expect("fewer than 256"),
    }
}

fn main() -> Result<()> {
    let folder = env::args_os().nth(1).expect("a folder");
    for (target, head) in HEADS {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder)?;
        let mut rng = StdRng::seed_from_u64(8);
        let mut all = Vec::new();
        for &scheme in Scheme::ALL {
            for input in inputs(scheme, &mut rng) {
                all.push((number(target, scheme, &mut rng), input));
            }
        }
        all.extend(others().into_iter().map(|input| (rng.random(), input)));
        for (i, (number, input)) in all.iter().enumerate() {
            let mut seed: Vec<u8> = (0..head).map(|_| rng.random()).collect();
            seed.splice(..head.min(1), (head > 0).then_some(*number));
            seed.extend(input);
            fs::write(folder.join(format!("seed-{i:04}")), seed)?;
        }
        println!("{target}: {} seeds", all.len());
    }
    Ok(())
}
