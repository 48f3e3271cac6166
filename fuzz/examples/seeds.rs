//! Generates the initial inputs of every fuzz target: `seeds FOLDER` writes
//! `FOLDER/TARGET/seed-NUMBER`.
//!
//! Most inputs are in one encoding. They are texts with characters of each width, whose lengths are
//! near the block sizes of the kernels, and texts with a sequence that the syntax of the encoding
//! distinguishes, near the boundaries of blocks. Each input begins with the random bytes from which
//! a target takes its parameters. If a target chooses the encoding by the first byte, this byte
//! chooses the encoding of the input.

use std::io::Result;
use std::path::Path;
use std::{env, fs};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane_charset::mojibake::{Misread, apply};
use utflane_fuzz::PARAMETER_BYTES;
use utflane_fuzz::common::api::codecs;
use utflane_fuzz::common::carriers::{embedded, sequences};
use utflane_fuzz::common::marks::MARKS;
use utflane_fuzz::common::oracle::encode;
use utflane_fuzz::common::pairs::pairs;
use utflane_fuzz::common::text::{chat, collection};

/// The maximum number of sequences for each encoding.
const MAX_SEQUENCES: usize = 16;

/// The offsets of sequences in code units, near the boundaries of vectors and blocks.
const SEQUENCE_OFFSETS: [usize; 12] = [0, 1, 13, 15, 16, 29, 31, 32, 61, 63, 64, 127];

/// Returns the largest character of an encoding.
fn last_character(scheme: Scheme) -> char {
    match scheme {
        Scheme::Ascii => '\x7F',
        Scheme::Latin1 => 'ÿ',
        _ => char::MAX,
    }
}

/// Returns inputs in one encoding.
fn encoded_inputs(scheme: Scheme, rng: &mut StdRng) -> Vec<Vec<u8>> {
    let (last, unit_size) = (last_character(scheme), scheme.unit_size());
    let mut inputs = Vec::new();
    for width in 1..=last.len_utf8() {
        let text = embedded(scheme, width, last, 192, b"");
        inputs.extend([7, 40, 70, 192].map(|units| text[..units * unit_size].to_vec()));
    }
    let sequences = sequences(scheme);
    let count = MAX_SEQUENCES.min(sequences.len());
    for i in 0..count {
        let sequence = &sequences[i * sequences.len() / count];
        let width = rng.random_range(1..=last.len_utf8());
        let offset = SEQUENCE_OFFSETS[rng.random_range(0..SEQUENCE_OFFSETS.len())];
        let text = embedded(scheme, width, last, offset, sequence);
        // Most texts end soon after the sequence.
        let units_after = [0, 1, 9, 40, 192][rng.random_range(0..5)];
        let end = text.len().min(offset * unit_size + sequence.len() + units_after * unit_size);
        inputs.push(text[..end].to_vec());
    }
    inputs
}

/// Returns other inputs: byte order marks, sequences of older definitions of UTF-8, labels of
/// encodings, texts in several scripts, and double-encoded texts.
fn other_inputs() -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> =
        MARKS.iter().map(|(mark, _)| [*mark, b"a\0b\0"].concat()).collect();
    for sequence in [&b"\xFC\x84\x80\x80\x80\x80"[..], b"\xFB\xBF\xBF\xBF\xBF", b"\xF7\xBF\xBF\xBF"]
    {
        inputs.push([b"plain ", sequence, "größer".as_bytes()].concat());
        inputs.push(sequence[..sequence.len() - 1].to_vec());
    }
    inputs.extend(Scheme::ALL.iter().flat_map(|scheme| scheme.labels()).map(|label| label.into()));
    let texts = collection(300).into_iter().map(|(_, text)| text).chain([chat(9, 200)]);
    for (i, text) in texts.enumerate() {
        let scheme = Scheme::ALL[i % Scheme::ALL.len()];
        let mut bytes = Vec::new();
        for c in text.chars() {
            // Characters that the encoding lacks are left out.
            let _ = encode(scheme, c, &mut bytes);
        }
        let misread = [Misread::Latin1, Misread::Windows1252][i % 2];
        inputs.extend([bytes, apply(&text, misread).into_bytes(), text.into_bytes()]);
    }
    inputs
}

/// Returns the first byte of an input with which the target chooses `scheme`. It is a random byte
/// if the target does not choose an encoding by the first byte.
fn scheme_choice(target: &str, scheme: Scheme, rng: &mut StdRng) -> u8 {
    let schemes: Vec<Scheme> = match target {
        "transcode" | "streams" | "lossy" => pairs().iter().map(|pair| pair.from.scheme).collect(),
        "validate" => codecs().iter().map(|codec| codec.scheme).collect(),
        "io" | "columns" | "par" => Scheme::ALL.to_vec(),
        _ => return rng.random(),
    };
    let indices: Vec<usize> = (0..schemes.len()).filter(|&i| schemes[i] == scheme).collect();
    match indices.len() {
        // The target has no pair with this encoding.
        0 => rng.random(),
        count => u8::try_from(indices[rng.random_range(0..count)]).expect("fewer than 256"),
    }
}

fn main() -> Result<()> {
    let folder = env::args_os().nth(1).expect("usage: seeds FOLDER");
    for (target, parameter_len) in PARAMETER_BYTES {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder)?;
        let mut rng = StdRng::seed_from_u64(8);
        let mut inputs = Vec::new();
        for &scheme in Scheme::ALL {
            for input in encoded_inputs(scheme, &mut rng) {
                inputs.push((scheme_choice(target, scheme, &mut rng), input));
            }
        }
        inputs.extend(other_inputs().into_iter().map(|input| (rng.random(), input)));
        for (i, (first_byte, input)) in inputs.iter().enumerate() {
            let mut seed: Vec<u8> = (0..parameter_len).map(|_| rng.random()).collect();
            seed.splice(..parameter_len.min(1), (parameter_len > 0).then_some(*first_byte));
            seed.extend(input);
            fs::write(folder.join(format!("seed-{i:04}")), seed)?;
        }
        println!("{target}: {} seeds", inputs.len());
    }
    Ok(())
}
