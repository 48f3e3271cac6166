//! The generated texts have the shapes that they promise.

use crate::common::text;

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
