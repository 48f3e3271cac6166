//! Real texts from the folder that `UTFLANE_CORPUS` names: whole files are converted between every
//! pair of encodings.

use crate::common::api::codec_named;
use crate::common::carriers::CLASS_BOUNDARY_BYTES;
use crate::common::checks::{check_into, check_transcode, check_validate};
use crate::common::corpus;
use crate::common::oracle::encode;
use crate::common::pairs::{pair_named, pairs};
use crate::common::streams::{check_stream, check_validator};
use crate::common::{sampled, sampled_if_slow};

#[test]
fn real_texts_through_every_pair() {
    for (name, bytes) in corpus::files().unwrap_or_default() {
        let text = std::str::from_utf8(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for pair in sampled("pairs", pairs().iter()) {
            let mut src = Vec::new();
            // If the encoding lacks a character, `src` is the text before that character.
            let _ = text.chars().all(|c| encode(pair.from.scheme, c, &mut src));
            check_validate(pair.from, &src);
            check_transcode(pair, &src);
        }
    }
}

#[test]
fn real_texts_in_chunks() {
    for (_, bytes) in corpus::files().unwrap_or_default() {
        let beginning = &bytes[..bytes.len().min(20_000)];
        check_validator(codec_named("Utf8"), beginning, &[1, 3, 200, 64, 4096]);
        for pair in sampled_if_slow("pairs", pairs().iter().filter(|pair| pair.from.name == "Utf8"))
        {
            check_stream(pair, beginning, &[1, 3, 200, 64, 900], &[200, 16, 100]);
        }
    }
}

/// Real texts with one byte replaced, at offsets all over the text.
#[test]
fn real_texts_with_a_byte_corrupted() {
    for (_, mut bytes) in corpus::files().unwrap_or_default() {
        bytes.truncate(12_000);
        for (i, byte) in
            sampled("offsets", CLASS_BOUNDARY_BYTES.into_iter().cycle().take(200).enumerate())
        {
            let offset = i * 59 % bytes.len();
            let original = std::mem::replace(&mut bytes[offset], byte);
            check_validate(codec_named("Utf8"), &bytes);
            check_into(pair_named("Utf8", "Utf16"), &bytes);
            bytes[offset] = original;
        }
    }
}
