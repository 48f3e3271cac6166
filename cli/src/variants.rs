//! Variants of characters that a target encoding lacks.
//!
//! Tables of East Asian encodings disagree about a dozen characters: one table maps a byte sequence
//! to `〜`, and another table maps the same sequence to `～`. Also, the Encoding Standard decodes
//! characters of HKSCS and JIS X 0212 that it does not encode.

use std::collections::HashMap;
use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_JP};
use utflane::Scheme;

use utflane_charset::{Charset, Legacy};

/// Pairs of characters that different tables use for the same byte sequence.
const VARIANTS: &[(char, char)] = &[
    ('\u{301C}', '\u{FF5E}'), // wave dash, fullwidth tilde
    ('\u{2014}', '\u{2015}'), // em dash, horizontal bar
    ('\u{2016}', '\u{2225}'), // double vertical line, parallel to
    ('\u{2212}', '\u{FF0D}'), // minus sign, fullwidth hyphen-minus
    ('\u{A2}', '\u{FFE0}'),   // cent sign, fullwidth cent sign
    ('\u{A3}', '\u{FFE1}'),   // pound sign, fullwidth pound sign
    ('\u{AC}', '\u{FFE2}'),   // not sign, fullwidth not sign
    ('\u{AF}', '\u{FFE3}'),   // macron, fullwidth macron
    ('\u{A6}', '\u{FFE4}'),   // broken bar, fullwidth broken bar
    ('\u{A5}', '\u{FFE5}'),   // yen sign, fullwidth yen sign
    ('\u{20A9}', '\u{FFE6}'), // won sign, fullwidth won sign
    ('\u{203E}', '\u{FFE3}'), // overline, fullwidth macron
    ('\u{223C}', '\u{301C}'), // tilde operator, wave dash, in EUC-KR
];

/// The variants in one target encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variants {
    to: Charset,
    /// Each character that the target lacks, with its variant that the target has.
    variants: Vec<(char, char)>,
}

impl Variants {
    /// Finds the variants for the target encoding `to`.
    pub(crate) fn new(to: Charset) -> Self {
        let both_directions = VARIANTS.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let variants =
            both_directions.filter(|&(missing, variant)| !is_in(missing, to) && is_in(variant, to));
        Self { to, variants: variants.collect() }
    }

    /// Returns the variant of the unmappable character `c`.
    pub(crate) fn variant(&self, c: char) -> Option<char> {
        self.variants.iter().find(|&&(missing, _)| missing == c).map(|&(_, variant)| variant)
    }

    /// Returns the bytes that decoders of the target decode as `c`, a character that its encoders
    /// can't encode.
    pub(crate) fn bytes(&self, c: char) -> Option<Vec<u8>> {
        static HKSCS: LazyLock<HashMap<char, Vec<u8>>> = LazyLock::new(|| {
            let leads =
                (0x87..=0xFE).flat_map(|lead| (0x40..=0xFE).map(move |trail| vec![lead, trail]));
            characters_without_encoder(Legacy::MultiByte(BIG5), leads)
        });
        static JIS_X_0212: LazyLock<HashMap<char, Vec<u8>>> = LazyLock::new(|| {
            let rows =
                (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| vec![0x8F, row, cell]));
            characters_without_encoder(Legacy::MultiByte(EUC_JP), rows)
        });
        match self.to {
            Charset::Legacy(Legacy::MultiByte(encoding)) if encoding == BIG5 => {
                HKSCS.get(&c).cloned()
            }
            Charset::Legacy(Legacy::MultiByte(encoding)) if encoding == EUC_JP => {
                JIS_X_0212.get(&c).cloned()
            }
            _ => None,
        }
    }
}

/// Returns the characters that an encoding decodes from `sequences` but can't encode, each with its
/// sequence.
fn characters_without_encoder(
    encoding: Legacy,
    sequences: impl Iterator<Item = Vec<u8>>,
) -> HashMap<char, Vec<u8>> {
    let mut found = HashMap::new();
    for bytes in sequences {
        let text = encoding.decode(&bytes);
        let mut chars = text.chars();
        if let (Some(c), None) = (chars.next(), chars.next())
            && c != char::REPLACEMENT_CHARACTER
            && !encoding.has(c)
        {
            found.entry(c).or_insert(bytes);
        }
    }
    found
}

/// Returns true if `charset` has the character `c`.
pub(crate) fn is_in(c: char, charset: Charset) -> bool {
    match charset {
        Charset::Scheme(scheme) => {
            let text = c.encode_utf8(&mut [0; 4]).to_owned();
            let progress = Scheme::Utf8.transcode_into(text.as_bytes(), scheme, &mut [0; 8]);
            progress.read == text.len()
        }
        Charset::Legacy(encoding) => encoding.has(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_in_the_target() {
        for (label, text, want) in [
            ("shift_jis", "〜—‖¢£¬", "～―∥￠￡￢"),
            ("euc-jp", "〜—‖¢£¬", "～―∥￠￡￢"),
            ("gbk", "～", ""),
        ] {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let variants = Variants::new(Charset::Legacy(Legacy::MultiByte(encoding)));
            let found: String = text.chars().filter_map(|c| variants.variant(c)).collect();
            assert_eq!(found, want, "{label}");
        }
    }

    #[test]
    fn characters_without_encoder_have_bytes() {
        let big5 = Variants::new(Charset::Legacy(Legacy::MultiByte(BIG5)));
        assert_eq!(big5.bytes('嘢'), Some(vec![0x9D, 0xCF]));
        assert_eq!(big5.bytes('中'), None);
        let euc_jp = Variants::new(Charset::Legacy(Legacy::MultiByte(EUC_JP)));
        let bytes = euc_jp.bytes('丂').unwrap();
        assert_eq!(EUC_JP.decode(&bytes).0, "丂");
        assert_eq!(euc_jp.bytes('亜'), None);
    }
}
