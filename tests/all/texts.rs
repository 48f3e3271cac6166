//! Tests that the generated texts have the properties that `common::text` documents.

use crate::common::{is_slow, say, text};

/// The speed on web pages depends on which 64-byte blocks are ASCII. So the mixed texts, which
/// imitate pages, must have the documented share of blocks that are not ASCII, and change between
/// ASCII and other blocks as often as documented.
#[test]
fn mixed_texts_alternate_ascii_and_other_blocks() {
    if is_slow() {
        return say("generated texts: not inspected, because tests are slow here");
    }
    let mut other_shares = Vec::new();
    for (name, text) in text::collection(80_000) {
        if !name.ends_with(" mixed") {
            continue;
        }
        let is_ascii_block: Vec<bool> = text.as_bytes().chunks(64).map(<[u8]>::is_ascii).collect();
        let other_blocks = is_ascii_block.iter().filter(|ascii| !**ascii).count();
        let changes = is_ascii_block.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let distance = is_ascii_block.len() as f64 / changes as f64;
        assert!((1.8..5.6).contains(&distance), "{name}: a change every {distance:.1} blocks");
        other_shares.push(other_blocks as f64 / is_ascii_block.len() as f64);
    }
    other_shares.sort_by(f64::total_cmp);
    let is_near = |share: &f64, want: &f64| (share - want).abs() < 0.08;
    let wanted = [0.1, 0.3, 0.5, 0.7, 0.9];
    assert!(
        other_shares.iter().zip(&wanted).all(|(share, want)| is_near(share, want)),
        "{other_shares:?}"
    );
    assert_eq!(other_shares.len(), 5);
}
