//! Real texts, from the folder that `UTFLANE_CORPUS` names: every pair over whole files.

use crate::common::carriers::EDGES;
use crate::common::checks::{check_into, check_transcode, check_validate};
use crate::common::corpus;
use crate::common::face::{codecs, named, pairs};
use crate::common::oracle::encode;
use crate::common::shared;
use crate::common::streams::{check_stream, check_validator};
use crate::common::text;

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
        for pair in pairs().iter().filter(|pair| pair.from.name == "Utf8") {
            check_stream(pair, part, &[1, 3, 200, 64, 900], &[200, 16, 100]);
        }
    }
}

/// Real texts with one byte corrupted, at positions that walk over the whole file.
#[test]
fn real_texts_with_a_byte_corrupted() {
    for (_, mut bytes) in corpus::files().unwrap_or_default() {
        bytes.truncate(12_000);
        for (i, byte) in shared("places", EDGES.into_iter().cycle().take(200).enumerate()) {
            let at = i * 59 % bytes.len();
            let was = std::mem::replace(&mut bytes[at], byte);
            check_validate(&codecs()[0], &bytes);
            check_into(named("Utf8", "Utf16"), &bytes);
            bytes[at] = was;
        }
    }
}

/// The kinds of the blocks of 64 bytes decide the speed on pages, so the generated texts that stand
/// for pages must have the mixture that they promise.
#[test]
fn mixed_texts_change_their_kind_every_few_blocks() {
    let mut shares = Vec::new();
    for (name, text) in text::collection(80_000) {
        if !name.ends_with(" mixed") {
            continue;
        }
        let kinds: Vec<bool> = text.as_bytes().chunks(64).map(<[u8]>::is_ascii).collect();
        let others = kinds.iter().filter(|ascii| !**ascii).count();
        let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let every = kinds.len() as f64 / changes as f64;
        assert!((1.8..5.6).contains(&every), "{name}: a change every {every:.1} blocks");
        shares.push(others as f64 / kinds.len() as f64);
    }
    shares.sort_by(f64::total_cmp);
    let near = |share: &f64, want: &f64| (share - want).abs() < 0.08;
    assert!(shares.iter().zip(&[0.1, 0.3, 0.5, 0.7, 0.9]).all(|(a, b)| near(a, b)), "{shares:?}");
    assert_eq!(shares.len(), 5);
}
