//! Compares two files of results, operation by operation: `report --compare BEFORE AFTER`.
//!
//! The compared figure is the ratio of our speed to the speed of the fastest peer, which ran in the
//! same rounds: a change of the machine's speed between two runs changes both speeds. To see the
//! noise, compare two runs of one version.

use std::fmt::Write as _;

use crate::results::{Results, Row, Run, SHORT, mean};

/// A quotient of ratios below this value is a loss. The first value is for texts, the second for
/// short excerpts.
const MIN_QUOTIENTS: [f64; 2] = [0.95, 0.90];

/// Returns a table of all operations and sizes that both files have, and the number of losses in
/// the table.
#[must_use]
pub fn table(before: &Results, after: &Results) -> (String, usize) {
    let mut table = String::new();
    let mut losses = 0;
    let sets = [
        ("texts", &before.speed, &after.speed),
        ("fresh", &before.fresh, &after.fresh),
        (SHORT, &before.short, &after.short),
    ];
    for (name, before, after) in sets {
        let (Some(before), Some(after)) = (before, after) else { continue };
        let pairs = matching_rows(before, after);
        if pairs.is_empty() {
            continue;
        }
        let min_quotient = MIN_QUOTIENTS[usize::from(name == SHORT)];
        let _ = writeln!(
            table,
            "{name}: our speed / the fastest peer's: before, after, and the quotient after / before"
        );
        for (old, new) in &pairs {
            let quotient = new.ratio / old.ratio;
            let mark = if quotient < min_quotient { "  LOSS" } else { "" };
            losses += usize::from(quotient < min_quotient);
            let Row { op, size, .. } = old;
            let ratios = format!("{:7.3} {:7.3} {quotient:7.3}", old.ratio, new.ratio);
            let _ = writeln!(table, "  {op:<28} {size:<6} {ratios}{mark}");
        }
        let all = mean(pairs.iter().map(|(old, new)| new.ratio / old.ratio));
        let _ = writeln!(table, "  {:<35} {all:23.3}", "geometric mean");
    }
    (table, losses)
}

/// Returns the pairs of rows that have the same operation and size.
fn matching_rows<'a>(before: &'a Run, after: &'a Run) -> Vec<(&'a Row, &'a Row)> {
    let matches = |old: &&Row, new: &&Row| old.op == new.op && old.size == new.size;
    let pair = |old| Some((old, after.rows.iter().find(|new| matches(&old, new))?));
    before.rows.iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::example;

    /// Returns the example with these ratios.
    fn example_with(speed: f64, short: f64) -> Results {
        let mut results = example();
        results.fresh = None;
        results.speed.as_mut().expect("the example has results").rows[0].ratio = speed;
        results.short.as_mut().expect("the example has results").rows[0].ratio = short;
        results
    }

    #[test]
    fn losses_are_counted_by_their_limits() {
        for (speed, short, losses) in
            [(2.0, 2.0, 0), (1.91, 1.81, 0), (1.89, 1.81, 1), (1.91, 1.79, 1), (1.0, 1.0, 2)]
        {
            let (table, counted) = table(&example_with(2.0, 2.0), &example_with(speed, short));
            assert_eq!(counted, losses, "{table}");
            assert_eq!(table.matches("LOSS").count(), losses, "{table}");
        }
    }

    #[test]
    fn rows_that_only_one_file_has_are_left_out() {
        let mut other = example_with(2.0, 2.0);
        other.speed.as_mut().expect("the example has results").rows[0].size = "1M".to_owned();
        let (table, losses) = table(&example_with(2.0, 2.0), &other);
        assert_eq!(losses, 0);
        assert!(!table.contains("texts:") && table.contains("short"), "{table}");
    }
}
