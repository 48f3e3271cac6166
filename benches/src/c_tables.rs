//! The tables that `capi/measure.sh` prints, read for their chart.

use crate::plot::Group;

/// The columns that become bars, and their names in the chart.
const BARS: [(&str, &str); 3] = [
    ("`utflane.h`", "ours"),
    ("`simdutf_c.h` here", "ours by simdutf's names"),
    ("simdutf's C API", "simdutf"),
];

/// The rows of the table of speeds.
///
/// # Errors
///
/// Says which part of the table is missing.
pub fn groups(tables: &str) -> Result<Vec<Group>, String> {
    let speeds =
        tables.split("GB of input per second").nth(1).ok_or("there is no table of speeds")?;
    let mut rows = speeds.lines().filter(|line| line.starts_with('|')).map(cells);
    let header = rows.next().ok_or("the table of speeds is empty")?;
    let place = |column: &str| {
        let at = header.iter().position(|name| name == column);
        at.ok_or_else(|| format!("the table has no column {column}"))
    };
    rows.skip(1)
        .map(|row| {
            let bar = |&(column, name): &(&str, &str)| {
                let speed = row.get(place(column)?).and_then(|cell| cell.parse().ok());
                Ok((name.to_owned(), speed.ok_or_else(|| format!("no number: {row:?}"))?))
            };
            let bars = BARS.iter().map(bar).collect::<Result<_, String>>()?;
            let [operation, text, ..] = &row[..] else {
                return Err(format!("a short row: {row:?}"));
            };
            Ok(Group { label: format!("{operation}, {text}"), ascii: text == "Latin", bars })
        })
        .collect()
}

/// The cells of a row of a Markdown table.
fn cells(row: &str) -> Vec<String> {
    row.trim_matches(['|', ' ']).split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_speeds_is_read() {
        let table = "On the kernel avx2.\n\nGB of input per second, 65536 bytes:\n\n\
            | operation | text | bytes | `utflane.h` | `simdutf_c.h` here | simdutf's C API |\n\
            | --- | --- | --- | --- | --- | --- |\n\
            | validate UTF-8 | Latin | 65536 | 94.8 | 94.7 | 78.9 |\n";
        let groups = groups(table).expect("a table");
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].label, "validate UTF-8, Latin");
        let speeds: Vec<f64> = groups[0].bars.iter().map(|bar| bar.1).collect();
        assert_eq!(speeds, [94.8, 94.7, 78.9]);
        assert!(super::groups("no table").is_err());
    }
}
