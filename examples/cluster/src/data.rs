//! Generates the rows: a column of text in which one row in 1,000 is ill-formed, and a column of
//! text in mixed encodings. Each row depends only on the seed and on its number, so that a test can
//! generate it again.

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

/// One row in this number of rows is ill-formed.
pub const ROWS_PER_ILL_FORMED: u64 = 1_000;

/// The minimum number of words of a row.
const MIN_WORDS: usize = 4;

/// The minimum number of words of a row in Latin-1. Of rows with at least 4, 8 and 12 words, 1 in
/// 270, 1 in 2,900 and 1 in 20,000 are detected as another encoding.
const MIN_LATIN1_WORDS: usize = 12;

/// The number of rows in a batch that is written with one call.
const BATCH_ROWS: u64 = 8_192;

/// Words of western languages. All of their characters are in Latin-1.
const WESTERN_WORDS: [&[&str]; 3] = [
    &["river", "stone", "the", "a", "window", "of", "light", "seven", "and", "harbour", "quiet"],
    &["größer", "Straße", "und", "über", "der", "Fluß", "schön", "Äpfel", "für", "Brücke", "die"],
    &["été", "la", "forêt", "où", "déjà", "garçon", "le", "théâtre", "à", "naïve", "maître"],
];

/// Words of other languages, and of English with emoji.
const OTHER_WORDS: [&[&str]; 4] = [
    &["река", "окно", "и", "семь", "тихий", "город", "свет", "под", "камень", "мост"],
    &["ποτάμι", "και", "φως", "η", "πόλη", "παράθυρο", "επτά", "πέτρα", "γέφυρα"],
    &["川", "窓の", "光", "七つ", "静かな", "港", "石", "町", "橋を", "渡る"],
    &["🌉", "bridge", "🪨", "stone", "😀", "light", "🌊", "river"],
];

/// Sequences that are ill-formed between any two characters: a byte that UTF-8 never uses, an
/// overlong slash, a surrogate, a single continuation byte, and an incomplete character.
const ILL_FORMED: [&[u8]; 5] = [b"\xFF", b"\xC0\xAF", b"\xED\xA0\x80", b"\x80", b"\xF0\x9F\x98"];

/// The encodings of the column `mixed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// UTF-8, in six rows of ten.
    Utf8,
    /// Latin-1, in two rows of ten. These rows are longer, because a detector takes a few short
    /// rows for encodings of other alphabets of Latin letters.
    Latin1,
    /// UTF-16LE, in one row of ten.
    Utf16Le,
    /// UTF-16BE, in one row of ten.
    Utf16Be,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// UTF-8, which is ill-formed in one row of [`ROWS_PER_ILL_FORMED`].
    pub text: Vec<u8>,
    /// The encoding of `mixed`.
    pub encoding: Encoding,
    /// Text in `encoding`.
    pub mixed: Vec<u8>,
}

/// The random number generator SplitMix64 by Steele, Lea and Flood. Its numbers do not depend on
/// the version of a crate.
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

/// A table of random rows. It is the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// The number of rows in all files together.
    pub rows: u64,
    /// The number of files. Each has about the same number of rows.
    pub files: u64,
    /// The seed of all rows.
    pub seed: u64,
}

impl Table {
    /// Returns the schema of the columns `id`, `text` and `mixed`.
    pub fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("id", DataType::Int64, false),
            Field::new("text", DataType::Binary, false),
            Field::new("mixed", DataType::Binary, false),
        ]))
    }

    /// Returns true if the text of a row is ill-formed: one row in each block of
    /// [`ROWS_PER_ILL_FORMED`] rows.
    pub fn is_ill_formed(&self, id: u64) -> bool {
        let block = id / ROWS_PER_ILL_FORMED;
        Numbers::new(self.seed, 1, block).next() % ROWS_PER_ILL_FORMED == id % ROWS_PER_ILL_FORMED
    }

    /// Returns the number of rows with ill-formed text.
    pub fn count_ill_formed(&self) -> u64 {
        let last_block = self.rows / ROWS_PER_ILL_FORMED * ROWS_PER_ILL_FORMED;
        let in_last_block = (last_block..self.rows).filter(|&id| self.is_ill_formed(id)).count();
        self.rows / ROWS_PER_ILL_FORMED + in_last_block as u64
    }

    /// Generates the row with this number.
    pub fn row(&self, id: u64) -> Row {
        let mut numbers = Numbers::new(self.seed, 2, id);
        let mut text = random_words(&mut numbers, false, MIN_WORDS).into_bytes();
        if self.is_ill_formed(id) {
            insert_ill_formed(&mut numbers, &mut text);
        }
        let encoding = match numbers.below(10) {
            0..6 => Encoding::Utf8,
            6..8 => Encoding::Latin1,
            8 => Encoding::Utf16Le,
            _ => Encoding::Utf16Be,
        };
        let source = match encoding {
            Encoding::Latin1 => random_words(&mut numbers, true, MIN_LATIN1_WORDS),
            _ => random_words(&mut numbers, false, MIN_WORDS),
        };
        let mixed = match encoding {
            Encoding::Utf8 => source.into_bytes(),
            Encoding::Latin1 => source.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
            Encoding::Utf16Le => source.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => source.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        Row { text, encoding, mixed }
    }

    /// Returns the range of the row numbers in a file.
    fn row_ids(&self, file: u64) -> std::ops::Range<u64> {
        let first_id =
            |file: u64| (u128::from(self.rows) * u128::from(file) / u128::from(self.files)) as u64;
        first_id(file)..first_id(file + 1)
    }

    /// Writes the table into a folder, on all processors, and returns the size of the files in
    /// bytes. If the folder already has this table, the files are kept. If it has another table,
    /// returns an error.
    pub fn write(&self, folder: &Path) -> Result<u64> {
        ensure!(
            self.files > 0 && self.files <= self.rows.max(1),
            "the number of files must be at least 1 and at most the number of rows"
        );
        let label_path = folder.join("_table");
        let label = format!("rows {}, files {}, seed {}\n", self.rows, self.files, self.seed);
        match fs::read_to_string(&label_path) {
            Ok(found) if found == label => return self.total_bytes(folder),
            Ok(found) => bail!("{} has another table: {found}", folder.display()),
            Err(_) => fs::create_dir_all(folder)?,
        }
        let next_file = AtomicU64::new(0);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let write_files = || -> Result<()> {
                loop {
                    let file = next_file.fetch_add(1, Ordering::Relaxed);
                    if file >= self.files {
                        return Ok(());
                    }
                    self.write_file(&self.path(folder, file), self.row_ids(file))?;
                }
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(write_files)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a thread panicked"))
        })?;
        // The label is written last, so that an incomplete folder is written again.
        fs::write(label_path, label)?;
        self.total_bytes(folder)
    }

    fn path(&self, folder: &Path, file: u64) -> PathBuf {
        folder.join(format!("part-{file:04}.parquet"))
    }

    fn total_bytes(&self, folder: &Path) -> Result<u64> {
        (0..self.files).map(|file| Ok(fs::metadata(self.path(folder, file))?.len())).sum()
    }

    fn write_file(&self, path: &Path, ids: std::ops::Range<u64>) -> Result<()> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            // Hardly any two rows have the same value, so the writer would abandon a dictionary.
            .set_dictionary_enabled(false)
            .build();
        let mut writer = ArrowWriter::try_new(file, Self::schema(), Some(properties))?;
        let mut first = ids.start;
        while first < ids.end {
            let end = ids.end.min(first + BATCH_ROWS);
            writer.write(&self.generate_batch(first..end)?)?;
            first = end;
        }
        writer.close()?;
        Ok(())
    }

    fn generate_batch(&self, ids: std::ops::Range<u64>) -> Result<RecordBatch> {
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

/// Returns random words of one language: at least `min_words`, and at most seven more. If
/// `only_western` is set, all characters are in Latin-1.
fn random_words(numbers: &mut Numbers, only_western: bool, min_words: usize) -> String {
    let language_count = WESTERN_WORDS.len() + if only_western { 0 } else { OTHER_WORDS.len() };
    let language = numbers.below(language_count);
    let words =
        WESTERN_WORDS.get(language).unwrap_or_else(|| &OTHER_WORDS[language - WESTERN_WORDS.len()]);
    let count = min_words + numbers.below(8);
    let mut text = String::new();
    for _ in 0..count {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(words[numbers.below(words.len())]);
    }
    text
}

/// Inserts ill-formed bytes at a random boundary of a text.
fn insert_ill_formed(numbers: &mut Numbers, text: &mut Vec<u8>) {
    let mut offset = numbers.below(text.len() + 1);
    while text.get(offset).is_some_and(|byte| byte & 0xC0 == 0x80) {
        offset += 1;
    }
    text.splice(offset..offset, ILL_FORMED[numbers.below(ILL_FORMED.len())].iter().copied());
}
