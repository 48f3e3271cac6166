//! Real texts, from the folder that `UTFLANE_CORPUS` names: every pair over whole files.

use crate::common::api::{codecs, named, pairs};
use crate::common::carriers::EDGES;
use crate::common::checks::{check_into, check_transcode, check_validate};
use crate::common::corpus;
use crate::common::oracle::encode;
use crate::common::streams::{check_stream, check_validator};
use crate::common::{costly, shared};

#[test]
fn real_texts_through_every_pair() {
    for (name, bytes) in corpus::files().unwrap_or_default() {
        let text = std::str::from_utf8(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for pair in shared("pairs", pairs().iter()) {
            let mut src = Vec::new();
            // An encoding that lacks a character converts the text before it.
            let _ = text.chars().all(|c| encode(pair.from.scheme, c, &mut src));
            check_validate(pair.from, &src);
            check_transcode(pair, &src);
        }
    }
}

#[test]
fn real_texts_in_chunks() {
    for (_, bytes) in corpus::files().unwrap_or_default() {
        let part = &bytes[..bytes.len().min(20_000)];
        check_validator(&codecs()[0], part, &[1, 3, 200, 64, 4096]);
        for pair in costly("pairs", pairs().iter().filter(|pair| pair.from.name == "Utf8")) {
            check_stream(pair, part, &[1, 3, 200, 64, 900], &[200, 16, 100]);
        }
    }
}

/// Real texts with one byte corrupted, at positions that walk over the whole file.
#[test]
fn real_texts_with_a_byte_corrupted() {
    for (_, mut bytes) in corpus::files().unwrap_or_default() {
        bytes.truncate(12_000);
        for (i, byte) in shared("offsets", EDGES.into_iter().cycle().take(200).enumerate()) {
            let at = i * 59 % bytes.len();
            let was = std::mem::replace(&mut bytes[at], byte);
            check_validate(&codecs()[0], &bytes);
            check_into(named("Utf8", "Utf16"), &bytes);
            bytes[at] = was;
        }
    }
}
