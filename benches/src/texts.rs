//! The texts to measure on: the files `*.utf8.txt` of a folder, or generated texts. They can be cut
//! or repeated to a size.

use std::path::Path;
use std::{fmt, fs};

use utflane::code_page::CodePage;

#[allow(dead_code, unreachable_pub, reason = "shared with the tests, which use other parts of it")]
#[path = "../../tests/common/text.rs"]
mod generated;

/// The length of the generated texts, in bytes of UTF-8. It is about the length of the well-known
/// corpora: more than the first-level cache holds, and less than the second-level cache.
const GENERATED_BYTES: usize = 80_000;

/// The names of a few generated texts, one for each path through a kernel, for runs that measure
/// many operations and sizes per text.
pub const HANDFUL: &[&str] =
    &["english", "french", "russian", "chinese", "emoji", "chinese page", "russian page", "chat"];

/// A text with a name.
#[derive(Clone)]
pub struct Text {
    /// The name of the file without its extension, or the name in the generated collection.
    pub name: String,
    /// The contents of the text.
    pub content: String,
}

impl Text {
    /// Returns true if every byte is ASCII. Means exclude such texts, because they show nothing
    /// about a transcoder.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.content.is_ascii()
    }

    /// Returns the text with every character above `limit` replaced by `other`. If any was
    /// replaced, `suffix` is added to the name.
    #[must_use]
    pub fn limited(&self, limit: char, other: char, suffix: &str) -> Self {
        if self.content.chars().all(|c| c <= limit) {
            return self.clone();
        }
        let content = self.content.chars().map(|c| if c <= limit { c } else { other }).collect();
        Self { name: format!("{} ({suffix})", self.name), content }
    }

    /// Returns the text without the characters that a code page lacks, or `None` if the page is not
    /// one for this text: if it lacks a tenth of the characters that are not ASCII.
    #[must_use]
    pub fn in_page(&self, page: &CodePage) -> Option<Self> {
        let content: String = self.content.chars().filter(|&c| page.byte(c).is_some()).collect();
        let other = |text: &str| text.chars().filter(|c| !c.is_ascii()).count();
        let (all, kept) = (other(&self.content), other(&content));
        (10 * kept >= 9 * all).then(|| Self { name: self.name.clone(), content })
    }

    /// Returns the text in the given size: repeated, then cut at a character boundary.
    #[must_use]
    pub fn sized(&self, size: Size) -> Self {
        let Size::Bytes(bytes) = size else { return self.clone() };
        let mut content = self.content.repeat(bytes.div_ceil(self.content.len()));
        let end = (0..=bytes).rev().find(|&end| content.is_char_boundary(end)).unwrap_or(0);
        content.truncate(end);
        Self { name: self.name.clone(), content }
    }
}

/// The size at which a text is measured, in bytes of UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The text as it is.
    Whole,
    /// The text cut or repeated to this number of bytes, or to up to three bytes fewer, so that it
    /// ends at a character boundary.
    Bytes(usize),
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole => f.write_str("whole"),
            Self::Bytes(bytes) if bytes > 0 && bytes % (1 << 20) == 0 => {
                write!(f, "{}M", bytes >> 20)
            }
            Self::Bytes(bytes) if bytes > 0 && bytes % (1 << 10) == 0 => {
                write!(f, "{}K", bytes >> 10)
            }
            Self::Bytes(bytes) => write!(f, "{bytes}"),
        }
    }
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("whole") {
            return Ok(Self::Whole);
        }
        let (digits, factor) = match text.char_indices().last() {
            Some((digits_len, 'k' | 'K')) => (&text[..digits_len], 1 << 10),
            Some((digits_len, 'm' | 'M')) => (&text[..digits_len], 1 << 20),
            _ => (text, 1),
        };
        let bytes = digits.parse().ok().and_then(|number: usize| number.checked_mul(factor));
        // A size below the length of the longest character could leave an empty text.
        match bytes {
            Some(bytes) if (4..=1 << 30).contains(&bytes) => Ok(Self::Bytes(bytes)),
            _ => Err(format!(
                "{text:?} is not a size: expected 4 bytes to 1024M, like 256, 4k or 1M, or `whole`"
            )),
        }
    }
}

/// Returns the generated texts, which are the same in every run.
#[must_use]
pub fn generate() -> Vec<Text> {
    generate_with_len(GENERATED_BYTES)
}

/// Returns the texts that [`HANDFUL`] names, each about `bytes` bytes long.
#[must_use]
pub fn handful(bytes: usize) -> Vec<Text> {
    let mut texts = generate_with_len(bytes);
    texts.retain(|text| HANDFUL.contains(&text.name.as_str()));
    texts
}

/// Returns the generated texts, each about `bytes` bytes long.
fn generate_with_len(bytes: usize) -> Vec<Text> {
    let texts = generated::collection(bytes);
    texts.into_iter().map(|(name, content)| Text { name, content }).collect()
}

/// Returns the texts that a list like `english,Chin` selects. Each entry selects the text of
/// exactly this name or, if there is no such text, all texts whose names begin with the entry.
///
/// # Errors
///
/// Reports an entry that selects no text.
pub fn select(texts: Vec<Text>, list: &[String]) -> Result<Vec<Text>, String> {
    let mut selected: Vec<Text> = Vec::new();
    let words = list.iter().map(|word| word.trim());
    for word in words.flat_map(|word| if word == "handful" { HANDFUL.to_vec() } else { vec![word] })
    {
        let exact = texts.iter().any(|text| text.name == word);
        let is_selected = |text: &&Text| text.name == word || !exact && text.name.starts_with(word);
        let found: Vec<_> = texts.iter().filter(is_selected).collect();
        if found.is_empty() || word.is_empty() {
            let names: Vec<_> = texts.iter().map(|text| text.name.as_str()).collect();
            return Err(format!(
                "no text's name begins with {word:?}; the names are {}",
                names.join(", ")
            ));
        }
        for text in found {
            if selected.iter().all(|other| other.name != text.name) {
                selected.push(text.clone());
            }
        }
    }
    Ok(selected)
}

/// Returns the texts of a folder, sorted by name.
///
/// # Errors
///
/// Reports a file that can't be read, is empty or isn't UTF-8, or a folder without texts.
pub fn read(folder: &Path) -> Result<Vec<Text>, String> {
    let folder_shown = folder.display();
    let entries =
        fs::read_dir(folder).map_err(|error| format!("can't read {folder_shown}: {error}"))?;
    let mut texts = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("can't read {folder_shown}: {error}"))?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = file.strip_suffix(".utf8.txt") else { continue };
        let content = fs::read_to_string(&path)
            .map_err(|error| format!("can't read {}: {error}", path.display()))?;
        if content.is_empty() {
            return Err(format!("{} is empty", path.display()));
        }
        texts.push(Text { name: name.to_owned(), content });
    }
    if texts.is_empty() {
        return Err(format!("there is no *.utf8.txt in {folder_shown}"));
    }
    texts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(texts)
}
