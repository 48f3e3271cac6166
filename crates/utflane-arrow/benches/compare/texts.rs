//! Rows of words of several scripts.

/// Bytes of a column.
const BYTES: usize = 1 << 20;

/// Bytes of a row, about.
pub(crate) const LENGTHS: [usize; 6] = [8, 16, 32, 64, 256, 1024];

/// The texts: a name, and words of each script.
pub(crate) const TEXTS: [(&str, &[&str]); 6] = [
    ("ascii", &["plain", " words ", "of", " English", ", ", "and ", "42 "]),
    ("french", &["été ", "déjà", " vu, ", "garçon", " où ", "plain ", "words "]),
    ("russian", &["слово ", "и", " дело", ", ", "правда ", "да ", "нет"]),
    ("chinese", &["漢字", "。", "中文", "數", "據列", "，", "一二三"]),
    ("emoji", &["😀", "🎉", "👍🏽", "🚀", "❤", "😂😂"]),
    ("mixed", &["emoji 😀", "漢字 ", "é", "слово ", "plain ", "🎉", "word, "]),
];

/// Rows of about `len` bytes each.
pub(crate) fn rows(words: &[&str], len: usize) -> Vec<String> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let (mut rows, mut total) = (Vec::new(), 0);
    while total < BYTES {
        let most = len * 3 / 4 + next() as usize % (len / 2 + 1);
        let mut row = String::new();
        while row.len() < most {
            for c in words[next() as usize % words.len()].chars() {
                if row.len() + c.len_utf8() <= most.max(c.len_utf8()) {
                    row.push(c);
                }
            }
            if most - row.len().min(most) < 4 {
                break;
            }
        }
        total += row.len().max(1);
        rows.push(row);
    }
    rows
}

/// The values and offsets of rows.
pub(crate) fn values_and_offsets(rows: &[String]) -> (Vec<u8>, Vec<i32>) {
    let mut end = 0;
    let ends = rows.iter().map(|row| {
        end += row.len() as i32;
        end
    });
    let offsets = std::iter::once(0).chain(ends).collect();
    (rows.concat().into_bytes(), offsets)
}

/// The values and offsets of rows of which one in 1,000 is damaged.
pub(crate) fn damaged(rows: &[String]) -> (Vec<u8>, Vec<i32>) {
    let (mut values, offsets) = values_and_offsets(rows);
    for row in (500..rows.len()).step_by(1000) {
        values[offsets[row] as usize] = 0xFF;
    }
    (values, offsets)
}
