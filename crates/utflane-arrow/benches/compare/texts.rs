//! Rows that are made of words in several scripts.

/// The minimum size of a column, in bytes.
const COLUMN_BYTES: usize = 1 << 20;

/// The approximate lengths of the rows, in bytes.
pub(crate) const ROW_LENGTHS: [usize; 6] = [8, 16, 32, 64, 256, 1024];

/// The name of each text, and the words that its rows are made of.
pub(crate) const TEXTS: [(&str, &[&str]); 6] = [
    ("ascii", &["plain", " words ", "of", " English", ", ", "and ", "42 "]),
    ("french", &["été ", "déjà", " vu, ", "garçon", " où ", "plain ", "words "]),
    ("russian", &["слово ", "и", " дело", ", ", "правда ", "да ", "нет"]),
    ("chinese", &["漢字", "。", "中文", "數", "據列", "，", "一二三"]),
    ("emoji", &["😀", "🎉", "👍🏽", "🚀", "❤", "😂😂"]),
    ("mixed", &["emoji 😀", "漢字 ", "é", "слово ", "plain ", "🎉", "word, "]),
];

/// Returns rows of about `len` bytes each, with at least [`COLUMN_BYTES`] bytes in total.
pub(crate) fn rows(words: &[&str], len: usize) -> Vec<String> {
    let mut state = 1_u32;
    let mut next_random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let (mut rows, mut total) = (Vec::new(), 0);
    while total < COLUMN_BYTES {
        let max_len = len * 3 / 4 + next_random() as usize % (len / 2 + 1);
        let mut row = String::new();
        while row.len() < max_len {
            for c in words[next_random() as usize % words.len()].chars() {
                if row.len() + c.len_utf8() <= max_len.max(c.len_utf8()) {
                    row.push(c);
                }
            }
            if max_len - row.len().min(max_len) < 4 {
                break;
            }
        }
        total += row.len().max(1);
        rows.push(row);
    }
    rows
}

/// Returns the rows as a column: the values and the offsets.
pub(crate) fn values_and_offsets(rows: &[String]) -> (Vec<u8>, Vec<i32>) {
    let mut end = 0;
    let ends = rows.iter().map(|row| {
        end += row.len() as i32;
        end
    });
    let offsets = std::iter::once(0).chain(ends).collect();
    (rows.concat().into_bytes(), offsets)
}

/// Returns the rows as values and offsets, after making one row in 1,000 ill-formed.
pub(crate) fn with_ill_formed_rows(rows: &[String]) -> (Vec<u8>, Vec<i32>) {
    let (mut values, offsets) = values_and_offsets(rows);
    for row in (500..rows.len()).step_by(1000) {
        values[offsets[row] as usize] = 0xFF;
    }
    (values, offsets)
}
