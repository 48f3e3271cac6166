//! The labels of all encodings, and suggestions for an unknown label.
//!
//! Labels are compared without regard to case, hyphens, underscores, blanks and a leading `x-`, and
//! those of code pages without regard to all punctuation. The labels are those of the Encoding
//! Standard, and labels that are usual in iconv, Python, Java and Windows, if they mean the same
//! encoding there, or a subset that is decoded in the same way.
//!
//! A label that means something else in another program is left out: `cp950` is not a label of Big5
//! here, and `iso-2022-jp-2` is not a label of ISO-2022-JP. These are the known differences from
//! other programs:
//!
//! * `latin1` and `ascii` are ISO-8859-1 and ASCII. In a browser they are windows-1252. `latin5`,
//!   `iso-8859-9`, `tis-620` and `iso-8859-11` are the encodings of these names too. In a browser
//!   they are windows-1254 and windows-874.
//! * `gb2312`, `euc-kr` and `shift_jis` are the supersets that web pages use: GBK, windows-949 and
//!   windows-31J.
//! * A few signs are decoded as in Windows or in a later edition of the encoding: `～` in
//!   `shift_jis`
//!   and `euc-jp`, `·` in `gb2312`, and some signs in `big5` and `gb18030`. `koi8-u` has `Ў`, like
//!   `koi8-ru`. `macintosh` has the increment sign where glibc has the letter delta.
//! * `ucs-4` is big-endian, as in glibc.

use std::collections::HashMap;
use std::sync::LazyLock;

use utflane::Scheme;
use utflane::code_page::{CodePage, ISO_8859_1};

/// The multi-byte encodings, which `encoding_rs` converts: names and other labels.
const MULTI_BYTE: &[(&str, &[&str])] = &[
    (
        "gbk",
        &[
            "chinese",
            "csgb2312",
            "csiso58gb231280",
            "gb2312",
            "gb_2312",
            "gb_2312-80",
            "iso-ir-58",
            "x-gbk",
            "cp936",
            "ms936",
            "windows-936",
            "euc-cn",
        ],
    ),
    ("gb18030", &["cp54936"]),
    ("big5", &["big5-hkscs", "cn-big5", "csbig5", "x-x-big5"]),
    ("euc-jp", &["cseucpkdfmtjapanese", "x-euc-jp", "ujis"]),
    ("iso-2022-jp", &["csiso2022jp"]),
    (
        "shift_jis",
        &[
            "csshiftjis",
            "ms932",
            "ms_kanji",
            "shift-jis",
            "sjis",
            "windows-31j",
            "x-sjis",
            "cp932",
            "windows-932",
            "cswindows31j",
        ],
    ),
    (
        "euc-kr",
        &[
            "cseuckr",
            "csksc56011987",
            "iso-ir-149",
            "korean",
            "ks_c_5601-1987",
            "ks_c_5601-1989",
            "ksc5601",
            "ksc_5601",
            "windows-949",
            "cp949",
            "ms949",
            "uhc",
        ],
    ),
];

/// The encodings whose byte order is decided by the byte order mark at the start of the text: names
/// and other labels.
const BY_MARK: &[(&str, &[&str])] = &[("utf-16", &["csutf16"]), ("utf-32", &["csutf32"])];

/// An encoding with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The group of the encoding: `Unicode`, `East Asian`, or the
    /// [group](utflane::code_page::CodePage::group) of a code page.
    pub group: &'static str,
    /// The name of the encoding, which is a label.
    pub name: &'static str,
    /// The other labels.
    pub labels: Vec<&'static str>,
}

/// Returns all encodings, group by group: those of the library, multi-byte encodings, and code
/// pages. The variants `NAME-strict` and `NAME-lf` of code pages are left out.
///
/// ```
/// use utflane_charset::labels;
///
/// let koi8 = labels::all().find(|encoding| encoding.name == "koi8-r").unwrap();
/// assert_eq!(koi8.group, "Unix");
/// assert!(koi8.labels.contains(&"cskoi8r"));
/// ```
pub fn all() -> impl Iterator<Item = Labels> {
    let pages = CodePage::all().filter(|page| is_listed(page)).map(|page| {
        // A few labels of the Encoding Standard mean an encoding of the library here.
        let labels = page.labels().iter().copied().skip(1);
        let labels = labels.filter(|label| name(label) == Some(page.name()));
        Labels { group: page.group(), name: page.name(), labels: labels.collect() }
    });
    without_pages().chain(pages)
}

/// Returns true for a page that is neither ISO-8859-1, which is an encoding of the library, nor a
/// variant.
fn is_listed(page: &CodePage) -> bool {
    let is_variant = ["-strict", "-lf"].iter().any(|suffix| page.name().ends_with(suffix));
    !is_variant && *page != ISO_8859_1
}

/// Returns the encodings that are not code pages.
fn without_pages() -> impl Iterator<Item = Labels> {
    let schemes =
        Scheme::ALL.iter().map(|scheme| (scheme.name(), scheme.labels().skip(1).collect()));
    let in_table = |&(name, labels): &(&'static str, &[&'static str])| (name, labels.to_vec());
    let schemes = schemes.chain(BY_MARK.iter().map(in_table)).map(|entry| ("Unicode", entry));
    let multi_byte = MULTI_BYTE.iter().map(in_table).map(|entry| ("East Asian", entry));
    let all = schemes.chain(multi_byte);
    all.map(|(group, (name, labels))| Labels { group, name, labels })
}

/// The names of the encodings that are not code pages. The keys are the normalized labels.
static NAMES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let entries = |Labels { name, labels, .. }: Labels| {
        labels.into_iter().chain([name]).map(move |label| (normalize(label), name))
    };
    without_pages().flat_map(entries).collect()
});

/// Returns the name of the encoding that `label` means. The first call fills a map with all labels
/// that are not those of code pages; each later call looks up one key in this map, and compares the
/// labels of code pages.
///
/// ```
/// use utflane_charset::labels;
///
/// assert_eq!(labels::name("ISO_8859-1"), Some("latin1"));
/// assert_eq!(labels::name("IBM037"), Some("cp037"));
/// assert_eq!(labels::name("ebcdic"), None);
/// ```
pub fn name(label: &str) -> Option<&'static str> {
    let normalized = normalize(label);
    NAMES.get(&normalized).copied().or_else(|| {
        let page = CodePage::by_label(label).or_else(|| CodePage::by_label(&normalized))?;
        // The labels of ASCII are labels of windows-1252 in the Encoding Standard.
        Some(match page.name() {
            _ if *page == ISO_8859_1 => Scheme::Latin1.name(),
            "windows-1252" if normalized.starts_with("ansi") && normalized.contains("1968") => {
                Scheme::Ascii.name()
            }
            name => name,
        })
    })
}

/// Returns a name of `encoding_rs` in lower case.
pub(crate) fn to_lower_case(name: &'static str) -> &'static str {
    let names = without_pages().map(|encoding| encoding.name);
    names.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// Returns the names of the encodings that have a label similar to `label`: the most similar first,
/// and at most three.
pub fn close_to(label: &str) -> Vec<&'static str> {
    let wanted = normalize(label);
    let max_distance = (wanted.len() / 3).min(2);
    let distance = |label: &str| strsim::osa_distance(&normalize(label), &wanted);
    let mut close: Vec<(usize, &str)> = all()
        .filter_map(|Labels { name, labels, .. }| {
            let nearest =
                labels.iter().map(|label| distance(label)).chain([distance(name)]).min()?;
            (nearest <= max_distance).then_some((nearest, name))
        })
        .collect();
    close.sort_by_key(|entry| entry.0);
    close.into_iter().map(|entry| entry.1).take(3).collect()
}

/// Returns the label in lower case, without the characters that are not compared.
fn normalize(label: &str) -> String {
    let label = label.trim().to_ascii_lowercase();
    let label = label.strip_prefix("x-").or(label.strip_prefix("x_")).unwrap_or(&label);
    label.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect()
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;

    /// No two encodings share a label.
    #[test]
    fn a_label_means_one_encoding() {
        let mut seen = HashMap::new();
        for Labels { name, labels, .. } in all() {
            for label in labels.iter().chain([&name]) {
                let other = seen.insert(normalize(label), name);
                assert!(other.is_none_or(|other| other == name), "{label}: {name} and {other:?}");
            }
        }
    }

    /// The Encoding Standard has no other meaning for a label, except for the labels of ISO-8859-1,
    /// ASCII and UTF-16.
    #[test]
    fn labels_mean_the_same_as_in_the_encoding_standard() {
        let mut shared = 0;
        for Labels { name, labels, .. } in all() {
            for label in labels.iter().chain([&name]) {
                let Some(encoding) = Encoding::for_label(label.as_bytes()) else { continue };
                shared += 1;
                let standard_name = encoding.name().to_ascii_lowercase();
                match name {
                    "latin1" | "ascii" => assert_eq!(standard_name, "windows-1252", "{label}"),
                    "utf-16" => assert_eq!(standard_name, "utf-16le", "{label}"),
                    "iso-8859-9" => assert_eq!(standard_name, "windows-1254", "{label}"),
                    "iso-8859-11" | "tis-620" => {
                        assert_eq!(standard_name, "windows-874", "{label}");
                    }
                    _ => assert_eq!(standard_name, name, "{label}"),
                }
            }
        }
        // The standard has 228 labels. Those of code pages are listed without punctuation here.
        assert!(shared > 140, "{shared}");
    }
}
