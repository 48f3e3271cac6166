//! The rows: text in which one row of 1,000 is damaged, and text in mixed encodings. Each row is
//! made from the seed and its number alone, so a test can make it again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use datafusion::arrow::array::{ArrayRef, BinaryBuilder, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::properties::WriterProperties;

/// One row of so many is damaged.
pub const ROWS_PER_DAMAGE: u64 = 1_000;

/// The fewest words of a row.
const FEWEST_WORDS: usize = 4;

/// The fewest words of a row in Latin-1. Of rows with 4, 8 and 12 words or more, 1 in 270, 1 in
/// 2,900 and 1 in 20,000 are detected as another encoding.
const FEWEST_WORDS_OF_LATIN1: usize = 12;

/// Rows of a batch that is written at once.
const BATCH_ROWS: u64 = 8_192;

/// Words of western languages, all of them in Latin-1, and words of other languages.
const WESTERN: [&[&str]; 3] = [
    &["river", "stone", "the", "a", "window", "of", "light", "seven", "and", "harbour", "quiet"],
    &["größer", "Straße", "und", "über", "der", "Fluß", "schön", "Äpfel", "für", "Brücke", "die"],
    &["été", "la", "forêt", "où", "déjà", "garçon", "le", "théâtre", "à", "naïve", "maître"],
];
const OTHER: [&[&str]; 4] = [
    &["река", "окно", "и", "семь", "тихий", "город", "свет", "под", "камень", "мост"],
    &["ποτάμι", "και", "φως", "η", "πόλη", "παράθυρο", "επτά", "πέτρα", "γέφυρα"],
    &["川", "窓の", "光", "七つ", "静かな", "港", "石", "町", "橋を", "渡る"],
    &["🌉", "bridge", "🪨", "stone", "😀", "light", "🌊", "river"],
];

/// Bytes that are ill-formed wherever they stand between two characters: a byte that UTF-8 has not,
/// an overlong slash, a surrogate, a continuation alone, a character that is cut.
const DAMAGE: [&[u8]; 5] = [b"\xFF", b"\xC0\xAF", b"\xED\xA0\x80", b"\x80", b"\xF0\x9F\x98"];

/// The encodings of the column `mixed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// Six rows of ten.
    Utf8,
    /// Western text in one byte for each character, two rows of ten. These rows are longer: of
    /// short ones, a detector takes a few for other alphabets of Latin letters.
    Latin1,
    /// One row of ten.
    Utf16Le,
    /// One row of ten.
    Utf16Be,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// UTF-8, damaged in one row of [`ROWS_PER_DAMAGE`].
    pub text: Vec<u8>,
    /// The encoding of `mixed`.
    pub encoding: Encoding,
    /// Text in that encoding.
    pub mixed: Vec<u8>,
}

/// SplitMix64 by Steele, Lea and Flood. Its numbers stay the same in all versions of all crates.
struct Numbers(u64);

impl Numbers {
    fn new(seed: u64, stream: u64, number: u64) -> Self {
        let mut numbers = Self(seed);
        numbers.0 = numbers.next() ^ stream.wrapping_mul(0xD134_2543_DE82_EF95);
        numbers.0 = numbers.next() ^ number;
        numbers
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// A table that is the same wherever it is made: so many rows from a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Rows in all files together.
    pub rows: u64,
    /// Files, each with about the same number of rows.
    pub files: u64,
    /// The seed of all rows.
    pub seed: u64,
}

impl Table {
    /// The columns: `id`, `text`, `mixed`.
    pub fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("id", DataType::Int64, false),
            Field::new("text", DataType::Binary, false),
            Field::new("mixed", DataType::Binary, false),
        ]))
    }

    /// Returns true for damaged rows: one in each [`ROWS_PER_DAMAGE`] rows.
    pub fn is_damaged(&self, id: u64) -> bool {
        let block = id / ROWS_PER_DAMAGE;
        Numbers::new(self.seed, 1, block).next() % ROWS_PER_DAMAGE == id % ROWS_PER_DAMAGE
    }

    /// The number of damaged rows.
    pub fn damaged(&self) -> u64 {
        let last = self.rows / ROWS_PER_DAMAGE * ROWS_PER_DAMAGE;
        let in_last = (last..self.rows).filter(|&id| self.is_damaged(id)).count();
        self.rows / ROWS_PER_DAMAGE + in_last as u64
    }

    /// The row with this number.
    pub fn row(&self, id: u64) -> Row {
        let mut numbers = Numbers::new(self.seed, 2, id);
        let mut text = words(&mut numbers, false, FEWEST_WORDS).into_bytes();
        if self.is_damaged(id) {
            damage(&mut numbers, &mut text);
        }
        let encoding = match numbers.below(10) {
            0..6 => Encoding::Utf8,
            6..8 => Encoding::Latin1,
            8 => Encoding::Utf16Le,
            _ => Encoding::Utf16Be,
        };
        let source = match encoding {
            Encoding::Latin1 => words(&mut numbers, true, FEWEST_WORDS_OF_LATIN1),
            _ => words(&mut numbers, false, FEWEST_WORDS),
        };
        let mixed = match encoding {
            Encoding::Utf8 => source.into_bytes(),
            Encoding::Latin1 => source.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
            Encoding::Utf16Le => source.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => source.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        Row { text, encoding, mixed }
    }

    /// The numbers of the rows of a file.
    fn ids(&self, file: u64) -> std::ops::Range<u64> {
        let first =
            |file: u64| (u128::from(self.rows) * u128::from(file) / u128::from(self.files)) as u64;
        first(file)..first(file + 1)
    }

    /// Writes the table into a folder, on all processors, and returns the number of bytes. A table
    /// that lies there already is left as it is; another one is an error.
    pub fn write(&self, folder: &Path) -> Result<u64> {
        ensure!(self.files > 0 && self.files <= self.rows.max(1), "more files than rows, or none");
        let label = folder.join("_table");
        let name = format!("rows {}, files {}, seed {}\n", self.rows, self.files, self.seed);
        match fs::read_to_string(&label) {
            Ok(found) if found == name => return self.bytes(folder),
            Ok(found) => bail!("{} has another table: {found}", folder.display()),
            Err(_) => fs::create_dir_all(folder)?,
        }
        let next = AtomicU64::new(0);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let work = || -> Result<()> {
                loop {
                    let file = next.fetch_add(1, Ordering::Relaxed);
                    if file >= self.files {
                        return Ok(());
                    }
                    self.write_file(&self.path(folder, file), self.ids(file))?;
                }
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a thread panicked"))
        })?;
        // At the end, so that a folder without it is written again.
        fs::write(label, name)?;
        self.bytes(folder)
    }

    fn path(&self, folder: &Path, file: u64) -> PathBuf {
        folder.join(format!("part-{file:04}.parquet"))
    }

    fn bytes(&self, folder: &Path) -> Result<u64> {
        (0..self.files).map(|file| Ok(fs::metadata(self.path(folder, file))?.len())).sum()
    }

    fn write_file(&self, path: &Path, ids: std::ops::Range<u64>) -> Result<()> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            // The values of a row are its own: a dictionary would be given up later.
            .set_dictionary_enabled(false)
            .build();
        let mut writer = ArrowWriter::try_new(file, Self::schema(), Some(properties))?;
        let mut first = ids.start;
        while first < ids.end {
            let end = ids.end.min(first + BATCH_ROWS);
            writer.write(&self.batch(first..end)?)?;
            first = end;
        }
        writer.close()?;
        Ok(())
    }

    fn batch(&self, ids: std::ops::Range<u64>) -> Result<RecordBatch> {
        let (mut text, mut mixed) = (BinaryBuilder::new(), BinaryBuilder::new());
        for id in ids.clone() {
            let row = self.row(id);
            text.append_value(row.text);
            mixed.append_value(row.mixed);
        }
        let ids: Int64Array = ids.map(|id| id as i64).collect();
        let columns: Vec<ArrayRef> =
            vec![Arc::new(ids), Arc::new(text.finish()), Arc::new(mixed.finish())];
        Ok(RecordBatch::try_new(Self::schema(), columns)?)
    }
}

/// Words of one language: `fewest` of them, or up to seven more.
fn words(numbers: &mut Numbers, western: bool, fewest: usize) -> String {
    let languages = WESTERN.len() + if western { 0 } else { OTHER.len() };
    let language = numbers.below(languages);
    let words = WESTERN.get(language).unwrap_or_else(|| &OTHER[language - WESTERN.len()]);
    let count = fewest + numbers.below(8);
    let mut text = String::new();
    for _ in 0..count {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(words[numbers.below(words.len())]);
    }
    text
}

/// Puts ill-formed bytes between two characters.
fn damage(numbers: &mut Numbers, text: &mut Vec<u8>) {
    let mut at = numbers.below(text.len() + 1);
    while text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at += 1;
    }
    text.splice(at..at, DAMAGE[numbers.below(DAMAGE.len())].iter().copied());
}
