//! The labels of all encodings, and suggestions for an unknown label.
//!
//! Labels are compared without regard to case, hyphens, underscores, blanks and a leading `x-`. The
//! table has the labels of the Encoding Standard. It also has labels that are usual in iconv,
//! Python, Java and Windows, if they mean the same encoding there, or a subset that is decoded in
//! the same way.
//!
//! A label that means something else in another program is left out: `cp950` is not a label of Big5
//! here, and `iso-2022-jp-2` is not a label of ISO-2022-JP. These are the known differences from
//! other programs:
//!
//! * `latin1` and `ascii` are ISO-8859-1 and ASCII. In a browser they are windows-1252.
//! * `latin5`, `iso-8859-9`, `tis-620` and `iso-8859-11` have more characters than in other
//!   programs: as in the Encoding Standard, they are windows-1254 and windows-874.
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

/// The encodings that `encoding_rs` has and the library does not have: names and other labels.
const LEGACY: &[(&str, &[&str])] = &[
    ("ibm866", &["866", "cp866", "csibm866"]),
    (
        "iso-8859-2",
        &[
            "csisolatin2",
            "iso-ir-101",
            "iso8859-2",
            "iso88592",
            "iso_8859-2",
            "iso_8859-2:1987",
            "l2",
            "latin2",
            "8859_2",
            "cp28592",
        ],
    ),
    (
        "iso-8859-3",
        &[
            "csisolatin3",
            "iso-ir-109",
            "iso8859-3",
            "iso88593",
            "iso_8859-3",
            "iso_8859-3:1988",
            "l3",
            "latin3",
            "8859_3",
            "cp28593",
        ],
    ),
    (
        "iso-8859-4",
        &[
            "csisolatin4",
            "iso-ir-110",
            "iso8859-4",
            "iso88594",
            "iso_8859-4",
            "iso_8859-4:1988",
            "l4",
            "latin4",
            "8859_4",
            "cp28594",
        ],
    ),
    (
        "iso-8859-5",
        &[
            "csisolatincyrillic",
            "cyrillic",
            "iso-ir-144",
            "iso8859-5",
            "iso88595",
            "iso_8859-5",
            "iso_8859-5:1988",
            "8859_5",
            "cp28595",
        ],
    ),
    (
        "iso-8859-6",
        &[
            "arabic",
            "asmo-708",
            "csiso88596e",
            "csiso88596i",
            "csisolatinarabic",
            "ecma-114",
            "iso-8859-6-e",
            "iso-8859-6-i",
            "iso-ir-127",
            "iso8859-6",
            "iso88596",
            "iso_8859-6",
            "iso_8859-6:1987",
            "8859_6",
            "cp28596",
        ],
    ),
    (
        "iso-8859-7",
        &[
            "csisolatingreek",
            "ecma-118",
            "elot_928",
            "greek",
            "greek8",
            "iso-ir-126",
            "iso8859-7",
            "iso88597",
            "iso_8859-7",
            "iso_8859-7:1987",
            "sun_eu_greek",
            "8859_7",
            "cp28597",
        ],
    ),
    (
        "iso-8859-8",
        &[
            "csiso88598e",
            "csisolatinhebrew",
            "hebrew",
            "iso-8859-8-e",
            "iso-ir-138",
            "iso8859-8",
            "iso88598",
            "iso_8859-8",
            "iso_8859-8:1988",
            "visual",
            "8859_8",
            "cp28598",
        ],
    ),
    ("iso-8859-8-i", &["csiso88598i", "logical"]),
    (
        "iso-8859-10",
        &["csisolatin6", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6", "iso_8859-10"],
    ),
    ("iso-8859-13", &["iso8859-13", "iso885913", "iso_8859-13", "latin7", "l7", "cp28603"]),
    ("iso-8859-14", &["iso8859-14", "iso885914", "iso_8859-14", "latin8", "l8"]),
    (
        "iso-8859-15",
        &["csisolatin9", "iso8859-15", "iso885915", "iso_8859-15", "l9", "latin9", "cp28605"],
    ),
    ("iso-8859-16", &["latin10", "l10", "iso_8859-16", "iso8859-16"]),
    ("koi8-r", &["cskoi8r", "koi", "koi8", "koi8_r", "cp20866"]),
    ("koi8-u", &["koi8-ru", "cp21866"]),
    ("macintosh", &["csmacintosh", "mac", "x-mac-roman", "macroman", "cp10000"]),
    ("windows-874", &["dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "cp874"]),
    ("windows-1250", &["cp1250", "x-cp1250", "win1250", "ms-ee"]),
    ("windows-1251", &["cp1251", "x-cp1251", "win1251", "ms-cyrl"]),
    ("windows-1252", &["cp1252", "x-cp1252", "win1252", "ms-ansi"]),
    ("windows-1253", &["cp1253", "x-cp1253", "win1253", "ms-greek"]),
    (
        "windows-1254",
        &[
            "cp1254",
            "csisolatin5",
            "iso-8859-9",
            "iso-ir-148",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "l5",
            "latin5",
            "x-cp1254",
            "win1254",
            "ms-turk",
        ],
    ),
    ("windows-1255", &["cp1255", "x-cp1255", "win1255", "ms-hebr"]),
    ("windows-1256", &["cp1256", "x-cp1256", "win1256", "ms-arab"]),
    ("windows-1257", &["cp1257", "x-cp1257", "win1257", "winbaltrim"]),
    ("windows-1258", &["cp1258", "x-cp1258", "win1258"]),
    ("x-mac-cyrillic", &["x-mac-ukrainian"]),
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
    ("x-user-defined", &[]),
];

/// The encodings whose byte order is decided by the byte order mark at the start of the text: names
/// and other labels.
const BY_MARK: &[(&str, &[&str])] = &[("utf-16", &["csutf16"]), ("utf-32", &["csutf32"])];

/// Returns all encodings: the name of each encoding, and its other labels.
pub fn all() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let schemes =
        Scheme::ALL.iter().map(|scheme| (scheme.name(), scheme.labels().skip(1).collect()));
    let others = BY_MARK.iter().chain(LEGACY).map(|&(name, labels)| (name, labels.to_vec()));
    schemes.chain(others)
}

/// The names of all encodings. The keys are the normalized labels.
static NAMES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let entries = |(name, labels): (&'static str, Vec<&'static str>)| {
        labels.into_iter().chain([name]).map(move |label| (normalize(label), name))
    };
    all().flat_map(entries).collect()
});

/// Returns the name of the encoding that `label` means. The first call fills a map with all labels;
/// each later call looks up one key in this map.
///
/// ```
/// use utflane_charset::labels;
///
/// assert_eq!(labels::name("ISO_8859-1"), Some("latin1"));
/// assert_eq!(labels::name("ebcdic"), None);
/// ```
pub fn name(label: &str) -> Option<&'static str> {
    NAMES.get(&normalize(label)).copied()
}

/// Returns a name of `encoding_rs` in lower case.
pub(crate) fn to_lower_case(name: &'static str) -> &'static str {
    let schemes = Scheme::ALL.iter().map(|scheme| scheme.name());
    let mut names = LEGACY.iter().map(|entry| entry.0).chain(schemes);
    names.find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// Returns the names of the encodings that have a label similar to `label`: the most similar first,
/// and at most three.
pub fn close_to(label: &str) -> Vec<&'static str> {
    let wanted = normalize(label);
    let max_distance = (wanted.len() / 3).min(2);
    let distance = |label: &str| strsim::osa_distance(&normalize(label), &wanted);
    let mut close: Vec<(usize, &str)> = all()
        .filter_map(|(name, labels)| {
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
        for (name, labels) in all() {
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
        for (name, labels) in all() {
            for label in labels.iter().chain([&name]) {
                let Some(encoding) = Encoding::for_label(label.as_bytes()) else { continue };
                shared += 1;
                let standard_name = encoding.name().to_ascii_lowercase();
                match name {
                    "latin1" | "ascii" => assert_eq!(standard_name, "windows-1252", "{label}"),
                    "utf-16" => assert_eq!(standard_name, "utf-16le", "{label}"),
                    _ => assert_eq!(standard_name, name, "{label}"),
                }
            }
        }
        // The standard has 228 labels. Five are labels of encodings that it no longer decodes.
        assert!(shared > 210, "{shared}");
    }
}
