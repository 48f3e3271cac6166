//! Weighs the evidence about a text that is not Unicode: the code pages by their languages, the
//! multi-byte encodings by their structure, and the encoding that the text declares.

use std::borrow::Cow;

use encoding_rs::Encoding;
use utflane::Scheme;
use utflane::code_page::{CodePage, ISO_8859_1};

use crate::charset::Charset;
use crate::language::{self, Candidate, Examination};
use crate::legacy::{Legacy, WESTERN};
use crate::structure::{self, Structure};

/// The probability from which an answer is likely.
pub(crate) const LIKELY: f32 = 0.97;
/// The number of bits that a declaration is worth.
const DECLARED_BITS: f32 = 14.0;
/// The least probability of an answer that the text declares.
const DECLARED_PROBABILITY: f32 = 0.98;
/// The maximum number of bits by which a candidate may be dearer than the best one to be listed.
const LISTED_BITS: f32 = 24.0;
/// The maximum number of other candidates that are listed.
const LISTED_MAX: usize = 3;
/// The number of characters of a multi-byte encoding that are enough for more than a guess.
const CHARACTERS_MIN: usize = 6;
/// The number of different ones among them that are enough.
const DIFFERENT_MIN: usize = 4;

/// The number of bits by which random bytes must be dearer than the best candidate for more than a
/// guess.
const NOISE_BITS: f32 = 8.0;
/// The control characters that texts have.
const SPACES: [u8; 6] = *b"\t\n\x0C\r\x1A\x1B";
/// The control characters that texts in EBCDIC have.
const EBCDIC_SPACES: [u8; 6] = *b"\x05\x05\x0C\x0D\x15\x25";

/// The number of bits that a language costs that the caller does not expect.
const UNEXPECTED_BITS: f32 = 12.0;

/// What is known of a text besides its bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context<'a> {
    /// The encoding that the text declares.
    pub(crate) declared: Option<Charset>,
    /// The languages that the caller expects; any language if there are none.
    pub(crate) languages: &'a [&'static str],
    /// The end of the text, if it is not examined as a whole.
    pub(crate) end: &'a [u8],
}

/// The best candidate for a text that is not Unicode.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The encoding; `None` if it can't be converted.
    pub(crate) charset: Option<Charset>,
    pub(crate) name: &'static str,
    /// The language, as a code of ISO 639.
    pub(crate) language: Option<&'static str>,
    /// The estimated probability that the answer is right.
    pub(crate) probability: f32,
    /// True if the text declares this encoding.
    pub(crate) is_declared: bool,
    /// The encoding that the text declares, if it is another one.
    pub(crate) contradicted: Option<Charset>,
    /// True if the text has more than one word as evidence.
    pub(crate) has_evidence: bool,
    /// The cost of a non-ASCII byte in bits.
    pub(crate) bits_per_byte: f32,
    /// Other candidates that decode the text differently, the best one first.
    pub(crate) others: Vec<Charset>,
    /// True if the start or the end of the text is likely in another encoding.
    pub(crate) is_mixed: bool,
    features: [f32; 2],
}

/// A candidate of any kind.
#[derive(Clone, Copy)]
enum Evidence<'a> {
    Page(&'a Candidate),
    /// A structure, with the cost in bits of the encoding itself.
    Structure(&'a Structure, f32),
}

impl Evidence<'_> {
    fn bits(&self) -> f32 {
        match self {
            Self::Page(candidate) => candidate.bits,
            Self::Structure(structure, prior) => structure.net_bits() as f32 + prior,
        }
    }

    fn language(&self) -> Option<&'static str> {
        match self {
            Self::Page(candidate) => Some(candidate.language),
            Self::Structure(structure, _) => structure.language,
        }
    }

    /// Returns the number of non-ASCII bytes of the candidate, and true if they are enough evidence
    /// for more than a guess.
    fn amount(&self, pages: &Examination, text: &[u8]) -> (usize, bool) {
        let (bytes, noise_bits, is_enough) = match self {
            Self::Page(page) => {
                let is_enough = pages.has_different_words
                    && pages.has_different_letters(page)
                    && !is_unbroken(page, text);
                (pages.bytes, pages.noise_bits, is_enough)
            }
            Self::Structure(structure, _) => {
                let is_enough = structure.characters >= CHARACTERS_MIN
                    && structure.different >= DIFFERENT_MIN
                    && structure.errors == 0;
                let noise_bits = 8 * structure.bytes - 4 * structure.ascii_bytes;
                (structure.bytes, noise_bits as f32, is_enough)
            }
        };
        let has_controls = match self {
            Self::Page(page) if page.page.group() == "EBCDIC" => {
                has_controls(text, 0x40, EBCDIC_SPACES)
            }
            _ => has_controls(text, 0x20, SPACES),
        };
        (bytes, is_enough && self.bits() + NOISE_BITS < noise_bits && !has_controls)
    }

    fn charset(&self) -> Option<Charset> {
        match self {
            Self::Page(candidate) => Some(charset_of(candidate)),
            Self::Structure(structure, _) => {
                let encoding = Encoding::for_label_no_replacement(structure.encoding.as_bytes())?;
                Some(Charset::Legacy(Legacy::from_encoding(encoding)))
            }
        }
    }
}

impl Context<'_> {
    /// Returns this without the declaration of a Unicode encoding, which is wrong if the bytes are
    /// not text in it.
    fn without_unicode(self) -> Self {
        let is_other = |declared: &Charset| declared.scheme().is_none_or(|s| s == Scheme::Latin1);
        Self { declared: self.declared.filter(is_other), ..self }
    }
}

/// Returns the code page of an encoding.
fn page_of(charset: Charset) -> Option<&'static CodePage> {
    match charset {
        Charset::Legacy(legacy) => legacy.page(),
        Charset::Scheme(_) => None,
    }
}

/// Returns the encoding of a candidate.
fn charset_of(candidate: &Candidate) -> Charset {
    match *candidate.page == ISO_8859_1 {
        true => Charset::Scheme(Scheme::Latin1),
        false => Charset::Legacy(Legacy::Page(candidate.page)),
    }
}

/// Returns the cost in bits of a multi-byte encoding itself.
fn prior_bits(structure: &Structure) -> f32 {
    match structure.encoding {
        "johab" | "euc-tw" => 8.0,
        _ => 2.0,
    }
}

/// The number of bytes of ASCII that are searched for escape sequences and shifts.
const ASCII_MAX_BYTES: usize = 4096;
/// The cost in bits of a byte in EBCDIC below which ASCII is text in EBCDIC.
const EBCDIC_BITS: f32 = 5.5;
/// The cost in bits of a non-ASCII byte below which a part of a text is plausible in an encoding.
const PLAUSIBLE_BITS: f32 = 7.0;

/// Returns the best candidate for a text that is ASCII; `None` if it is just that.
pub(crate) fn weigh_ascii(text: &[u8]) -> Option<Answer> {
    let text = &text[..text.len().min(ASCII_MAX_BYTES)];
    let is_shifted = text
        .windows(2)
        .any(|bytes| matches!(bytes, [0x1B, b'$' | b'('] | b"~{" | [b'+', b'0'..=b'z']));
    let structures = if is_shifted { structure::examine(text, None) } else { Vec::new() };
    match structures.first() {
        Some(best) => {
            let has_evidence = best.characters >= 2;
            Some(Answer::new(&Evidence::Structure(best, 0.0), 0.99, has_evidence))
        }
        None => weigh_ebcdic(text),
    }
}

/// Returns the best code page of EBCDIC for bytes that are not text in another encoding. Returns
/// `None` if they are not text in EBCDIC.
pub(crate) fn weigh_ebcdic(text: &[u8]) -> Option<Answer> {
    if !language::is_like_ebcdic(text) {
        return None;
    }
    let pages = language::examine(text, None);
    let best = pages.candidates.iter().find(|best| best.page.group() == "EBCDIC")?;
    let bits = best.bits + 4.0 * text.len() as f32;
    let is_text = bits < EBCDIC_BITS * text.len() as f32;
    is_text.then(|| Answer::new(&Evidence::Page(best), 0.9, false).with_line_feeds(text))
}

/// Returns true if the bytes of a part of a text are plausible in an encoding: it is no part in
/// another encoding.
pub(crate) fn is_plausible(part: &[u8], charset: Charset) -> bool {
    let pages = language::examine(part, page_of(charset));
    let structures = structure::examine(part, None);
    let pages_found = pages.candidates.iter().map(|page| (Evidence::Page(page), pages.bytes));
    let structures = structures.iter().filter(|structure| structure.characters > 0);
    let structures =
        structures.map(|structure| (Evidence::Structure(structure, 0.0), structure.bytes));
    let mut found = pages_found.chain(structures);
    let found = found.find(|(evidence, _)| is_same(evidence, charset));
    found.is_some_and(|(evidence, bytes)| evidence.bits() < PLAUSIBLE_BITS * bytes as f32)
}

/// Returns the best candidate for a text with non-ASCII bytes, if there is a candidate.
pub(crate) fn weigh(text: &[u8], context: Context) -> Option<Answer> {
    if text.is_ascii() {
        return weigh_ascii(text);
    }
    let context = context.without_unicode();
    let pages = language::examine(text, context.declared.and_then(page_of));
    // The last character may begin in the last word.
    let read = &text[..text.len().min(pages.read + 2)];
    let structures = structure::examine(read, pages.start);
    let found = rank(&pages, &structures, context);
    let ((bits, best), others) = found.split_first()?;
    let different = || others.iter().filter(|other| !decode_equally(text, &pages, best, &other.1));
    let margin = different().next().map_or(f32::MAX, |second| second.0 - bits);
    let listed = different().take_while(|other| other.0 - bits < LISTED_BITS);
    let (bytes, has_evidence) = best.amount(&pages, text);
    let is_declared = context.declared.is_some_and(|declared| is_same(best, declared));
    let is_free = !has_evidence && !is_declared && context.languages.is_empty();
    // One word is too little for a less usual name of the same text.
    let best = if is_free { usual_instead(text, &pages, best, others) } else { best };
    // Repeated words are evidence once.
    let share = pages.different_share;
    let probability = probability(margin * share, (bytes as f32 * share) as usize, has_evidence);
    let probability = probability.max(if is_declared { DECLARED_PROBABILITY } else { 0.0 });
    let answer = Answer {
        is_declared,
        contradicted: context.declared.filter(|_| !is_declared),
        others: listed.filter_map(|other| other.1.charset()).take(LISTED_MAX).collect(),
        bits_per_byte: best.bits() / bytes.max(1) as f32,
        features: [margin, bytes as f32],
        ..Answer::new(best, probability, has_evidence)
    };
    let is_likely = has_evidence && probability >= LIKELY && !is_declared;
    let other = if is_likely { find_other_part(text, context.end, best, &pages) } else { None };
    let answer = match other {
        Some(other) => {
            let others = [other].into_iter().chain(answer.others);
            Answer { is_mixed: true, others: others.take(LISTED_MAX).collect(), ..answer }
        }
        None => answer,
    };
    Some(answer.with_line_feeds(text))
}

/// The maximum number of bytes of the start and the end of a text that are compared.
const PART_BYTES: usize = 768;
/// The number of non-ASCII bytes that are enough for a part.
const PART_OTHER_BYTES: usize = 160;
/// A part of a text is examined if a non-ASCII byte costs at least this many bits.
const DEAR_BITS: f32 = 6.5;
/// The number of bits by which a non-ASCII byte of this part must be dearer than one of the other
/// part, and all of them together.
const MORE_BITS: f32 = 2.0;
const MORE_SUM_BITS: f32 = 32.0;

/// Returns the number of bytes of a part at the start of `bytes`.
fn part_len<'a>(bytes: impl Iterator<Item = &'a u8>) -> usize {
    let mut others = 0;
    let is_in_part = |byte: &&u8| {
        others += usize::from(!byte.is_ascii());
        others <= PART_OTHER_BYTES
    };
    bytes.take(PART_BYTES).take_while(is_in_part).count()
}

/// Returns the encoding of the start or the end of a text, if this part is likely in another
/// encoding than `best`, the best candidate. `end` is the end of the text if it is not in `text`.
fn find_other_part(
    text: &[u8],
    end: &[u8],
    best: &Evidence,
    pages: &Examination,
) -> Option<Charset> {
    let is_read = end.is_empty() && text.len() <= pages.read + PART_OTHER_BYTES;
    let end = if end.is_ascii() { text } else { end };
    let costs = match best {
        Evidence::Page(candidate) => {
            let start = end.len().saturating_sub(PART_BYTES);
            candidate.costs_of_ends(pages, if is_read { &[] } else { &end[start..] })
        }
        Evidence::Structure(structure, _) => {
            parts(text, end)?.map(|part| structure::cost_of(structure.encoding, part))
        }
    };
    let bits = costs.map(|(bits, bytes)| bits / bytes.max(1) as f32);
    let dear = usize::from(bits[1] > bits[0]);
    let more = bits[dear] - bits[1 - dear];
    let sum = more * costs[dear].1 as f32;
    if bits[dear] < DEAR_BITS || more < MORE_BITS || sum < MORE_SUM_BITS {
        return None;
    }
    let part = parts(text, end)?[dear];
    let charset = best.charset()?;
    let is_likely = |answer: &Answer| answer.has_evidence && answer.probability >= LIKELY;
    // The first byte may be the second one of a character.
    let starts = [part, part.get(1..)?].into_iter();
    let answers = starts.map(|part| weigh(part, Context::default()).filter(is_likely));
    let other = answers.flatten().next()?.charset?;
    (decode(charset, part) != decode(other, part)).then_some(other)
}

/// Returns the start of `text`, from the first non-ASCII byte on, and the end of `end`, up to the
/// last one.
fn parts<'a>(text: &'a [u8], end: &'a [u8]) -> Option<[&'a [u8]; 2]> {
    let is_other = |byte: &u8| !byte.is_ascii();
    let (first, last) = (text.iter().position(is_other)?, end.iter().rposition(is_other)?);
    let is_whole = end.as_ptr() == text.as_ptr();
    let max = if is_whole { (last - first) / 2 } else { PART_BYTES };
    let (start, end) = (&text[first..], &end[..=last]);
    let start = &start[..part_len(start.iter().take(max))];
    let end = &end[end.len() - part_len(end.iter().rev().take(max))..];
    // The first bytes may be the end of a character or of a word.
    let end = &end[end.iter().position(|&byte| byte < b'0').map_or(0, |at| at + 1)..];
    Some([start, end])
}

/// Returns windows-1252 or Latin-1 instead of `best` if it has the same text.
fn usual_instead<'a>(
    text: &[u8],
    pages: &Examination,
    best: &'a Evidence<'a>,
    others: &'a [(f32, Evidence<'a>)],
) -> &'a Evidence<'a> {
    let is_usual = |(_, other): &&(f32, Evidence)| {
        is_western(other) && !is_western(best) && decode_equally(text, pages, best, other)
    };
    others.iter().find(is_usual).map_or(best, |(_, usual)| usual)
}

/// Returns all candidates with their costs in bits, the cheapest first.
fn rank<'a>(
    pages: &'a Examination,
    structures: &'a [Structure],
    context: Context,
) -> Vec<(f32, Evidence<'a>)> {
    let structures = structures.iter().filter(|structure| structure.characters > 0);
    let structures = structures.map(|structure| {
        Evidence::Structure(structure, prior_bits(structure) + pages.foreign_bits)
    });
    let all = pages.candidates.iter().map(Evidence::Page).chain(structures);
    let bits = |evidence: &Evidence| {
        let is_declared = context.declared.is_some_and(|declared| is_same(evidence, declared));
        let is_expected = context.languages.is_empty()
            || evidence.language().is_some_and(|code| context.languages.contains(&code));
        evidence.bits() - if is_declared { DECLARED_BITS } else { 0.0 }
            + if is_expected { 0.0 } else { UNEXPECTED_BITS }
    };
    let mut found: Vec<_> = all.map(|evidence| (bits(&evidence), evidence)).collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found
}

impl Answer {
    fn new(best: &Evidence, probability: f32, has_evidence: bool) -> Self {
        let name = match best {
            Evidence::Page(page) => charset_of(page).name(),
            Evidence::Structure(structure, _) => structure.encoding,
        };
        Self {
            charset: best.charset(),
            name,
            language: best.language(),
            probability,
            is_declared: false,
            contradicted: None,
            has_evidence,
            bits_per_byte: 0.0,
            others: Vec::new(),
            is_mixed: false,
            features: [0.0; 2],
        }
    }
}

impl Answer {
    /// Returns true if there is evidence for this answer, or if it is an encoding of the Encoding
    /// Standard or Latin-1.
    pub(crate) fn is_usual(&self) -> bool {
        let page = self.charset.and_then(page_of);
        self.has_evidence || page.is_none_or(CodePage::is_in_encoding_standard)
    }

    /// Returns true for a multi-byte encoding.
    pub(crate) fn is_multi_byte(&self) -> bool {
        matches!(self.charset, Some(Charset::Legacy(Legacy::MultiByte(_))))
    }

    /// Returns this answer for a text in EBCDIC whose lines end by NEL and not by LF, as in z/OS:
    /// the variant of the page in which NEL is a line feed.
    fn with_line_feeds(self, text: &[u8]) -> Self {
        let page = self.charset.and_then(page_of).filter(|page| page.group() == "EBCDIC");
        let ends_by_nel = text.contains(&0x15) && !text.contains(&0x25);
        let variant = page
            .filter(|_| ends_by_nel)
            .and_then(|page| CodePage::by_label(&format!("{}-lf", page.name())));
        match variant {
            Some(page) => {
                let charset = Some(Charset::Legacy(Legacy::Page(page)));
                Self { charset, name: page.name(), ..self }
            }
            None => self,
        }
    }
}

/// Returns true if fewer than one byte in 64 is a space or a line end, as in data that is not text.
/// Thai is written without spaces.
fn is_unbroken(page: &Candidate, text: &[u8]) -> bool {
    let [a, b, c, d] = match page.page.group() {
        "EBCDIC" => *b"\x40\x15\x25\x25",
        _ => *b" \t\r\n",
    };
    // Without branches, the compiler makes vectors of this.
    let is_space = |byte| (byte == a) | (byte == b) | (byte == c) | (byte == d);
    let mut count = 0;
    let mut has_spaces = text.chunks(1024).map(|part| {
        count += language::count_bytes(part, is_space);
        count >= text.len() / 64
    });
    page.language != "th" && !has_spaces.any(|has_spaces| has_spaces)
}

/// Returns true if one byte in a hundred is a control character that texts do not have: a byte less
/// than `end` that is not in `spaces`.
fn has_controls(text: &[u8], end: u8, spaces: [u8; 6]) -> bool {
    let sample = &text[..text.len().min(4096)];
    let is_control =
        |byte| spaces.iter().fold(byte < end, |is_control, &space| is_control & (byte != space));
    language::count_bytes(sample, is_control) * 100 >= sample.len().max(1)
}

/// Returns true if a candidate is the declared encoding, or one that has its characters.
fn is_same(evidence: &Evidence, declared: Charset) -> bool {
    let Some(charset) = evidence.charset() else { return false };
    let in_browsers = |charset: Charset| match charset {
        Charset::Legacy(legacy) => Charset::Legacy(legacy.as_in_browsers()),
        Charset::Scheme(Scheme::Latin1) => Charset::Legacy(WESTERN),
        _ => charset,
    };
    charset == declared || in_browsers(charset) == in_browsers(declared)
}

/// Returns true if a candidate is windows-1252 or Latin-1.
fn is_western(evidence: &Evidence) -> bool {
    let western = [Charset::Legacy(WESTERN), Charset::Scheme(Scheme::Latin1)];
    evidence.charset().is_some_and(|charset| western.contains(&charset))
}

/// The number of bits by which the costs of two multi-byte encodings may differ for the same
/// characters.
const EQUAL_BITS: f32 = 2.0;

/// Decodes a text from an encoding from before Unicode.
fn decode(charset: Charset, text: &[u8]) -> Cow<'_, str> {
    match charset {
        Charset::Legacy(legacy) => legacy.decode(text),
        Charset::Scheme(_) => WESTERN.decode(text),
    }
}

/// Returns true if two candidates decode the text to the same characters.
fn decode_equally(text: &[u8], pages: &Examination, one: &Evidence, other: &Evidence) -> bool {
    match (one, other) {
        (Evidence::Page(one), Evidence::Page(other)) => pages.are_equal(one, other),
        // Two sets may have the same letters of Greek and Russian.
        (Evidence::Structure(..), Evidence::Structure(..)) => {
            if (one.bits() - other.bits()).abs() > EQUAL_BITS {
                return false;
            }
            let [one, other] = [one, other].map(|of| of.charset().map(|of| decode(of, text)));
            one.is_some() && one == other
        }
        _ => false,
    }
}

/// Returns the probability that an answer is right. The second candidate costs `margin` bits more,
/// and `bytes` non-ASCII bytes are evidence. The coefficients are those of a logistic regression,
/// which `benches/detection/compare.py --fit` prints. A difference in bits has a probability too,
/// which is less for few bytes.
fn probability(margin: f32, bytes: usize, has_evidence: bool) -> f32 {
    let margin = margin.clamp(0.0, 400.0);
    let logit = 0.25 + 1.45 * margin.ln_1p() - 0.5 * (bytes.max(1) as f32).ln()
        + if has_evidence { 2.3 } else { 0.0 };
    (1.0 / (1.0 + (-logit).exp())).min(1.0 / (1.0 + (-margin).exp2()))
}

/// Returns the features of the best candidate: see `benches/detection/compare.py`.
pub fn features(text: &[u8]) -> Option<(&'static str, [f32; 2], bool)> {
    weigh(text, Context::default())
        .map(|answer| (answer.name, answer.features, answer.has_evidence))
}
