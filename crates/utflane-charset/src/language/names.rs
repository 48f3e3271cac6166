//! The names of languages.

/// The names of languages by their codes.
const NAMES: [(&str, &str); 57] = [
    ("af", "Afrikaans"),
    ("ar", "Arabic"),
    ("be", "Belarusian"),
    ("bg", "Bulgarian"),
    ("br", "Breton"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fo", "Faroese"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gd", "Scottish Gaelic"),
    ("gl", "Galician"),
    ("he", "Hebrew"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("kk", "Kazakh"),
    ("ko", "Korean"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("mn", "Mongolian"),
    ("mt", "Maltese"),
    ("nb", "Norwegian"),
    ("nl", "Dutch"),
    ("nn", "Norwegian"),
    ("oc", "Occitan"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sq", "Albanian"),
    ("sr", "Serbian"),
    ("sv", "Swedish"),
    ("tg", "Tajik"),
    ("th", "Thai"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("vi", "Vietnamese"),
    ("zh", "Chinese"),
    ("zh-cn", "Chinese"),
    ("zh-tw", "Chinese"),
];

/// Returns the codes of all languages that are detected, by ISO 639.
///
/// ```
/// assert!(utflane_charset::language_codes().contains(&"cs"));
/// ```
pub fn language_codes() -> Vec<&'static str> {
    NAMES.iter().map(|&(code, _)| code).collect()
}

/// Returns the code of a language that is known, in any case: `CS` is `cs`, and `no` is `nb`.
pub(crate) fn known_code(code: &str) -> Option<&'static str> {
    let code = if code.eq_ignore_ascii_case("no") { "nb" } else { code };
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(code)).map(|(known, _)| *known)
}

/// Returns the English name of a language.
///
/// ```
/// assert_eq!(utflane_charset::name_of_language("cs"), Some("Czech"));
/// ```
pub fn name_of_language(code: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}
