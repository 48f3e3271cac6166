//! The operations, as data: the name, the source encoding, our call and the peers' calls of each
//! [`Operation`].
//!
//! A call is a [`Run`]: a function that repeats the call on a [`Case`], and returns its result and
//! the time of all repetitions.

mod cesu8_mutf8;
mod code_pages;
mod conversions;
mod from_utf8;
mod lossy;
mod owned;
mod positions;
mod read_only;
mod repairs;
mod streams;

use std::hint::black_box;
use std::ops::Range;

use bytemuck::Pod;
use utflane::code_page::CodePage;
use utflane::{Encoding, Kernel, Scheme};

pub use crate::rounds::case::{Case, Contender, Run, Sample};
use crate::rounds::case::{View, capacity, peer, written};
use crate::texts::Text;

/// The characters that an operation accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repertoire {
    All,
    Latin1,
    Ascii,
}

/// An operation, with our call and the calls of the peers.
pub struct Operation {
    /// The name in the table and in `--ops`.
    pub name: &'static str,
    /// True if the operation is measured by default, because most programs need it.
    pub default: bool,
    /// Our call: a method of the case's kernel.
    pub ours: Run,
    /// Our call: the free function, which uses the active kernel and has separate code for short
    /// input.
    pub free: Run,
    /// The peers' calls.
    pub peers: Vec<Contender>,
    /// The goal, which is not a peer: our call with UTF-8 instead of CESU-8, Modified UTF-8 or
    /// WTF-8, if this operation reads or writes one of these.
    pub goal: Option<Run>,
    /// The encoding of the input.
    source: Scheme,
    /// Returns the maximum number of bytes of output for a number of bytes of input. `None` if the
    /// operation writes no output.
    capacity: Option<fn(usize) -> usize>,
    /// The characters that the operation accepts.
    repertoire: Repertoire,
    /// The code page, if the operation reads or writes one. The texts then have only its
    /// characters.
    page: Option<&'static CodePage>,
    /// True if the input is in the code page, not in `source`.
    is_in_page: bool,
    /// The change of the bytes of a text before the measurement.
    edit: Option<fn(&mut [u8])>,
}

impl Operation {
    /// Marks an operation as measured by default.
    fn runs_by_default(self) -> Self {
        Self { default: true, ..self }
    }

    /// Marks an operation that accepts only Latin-1.
    fn for_latin1(self) -> Self {
        Self { repertoire: Repertoire::Latin1, ..self }
    }

    /// Marks an operation that accepts only ASCII.
    fn for_ascii(self) -> Self {
        Self { repertoire: Repertoire::Ascii, ..self }
    }

    /// Sets the goal: our operation for UTF-8. Its name is not used.
    fn with_goal(self, utf8: &Self) -> Self {
        Self { goal: Some(utf8.ours), ..self }
    }

    /// Returns our call on `kernel`: if it is the active kernel, the free function, as programs
    /// call it.
    #[must_use]
    pub fn ours_on(&self, kernel: Kernel) -> Run {
        if kernel == Kernel::active() { self.free } else { self.ours }
    }

    /// Adds peers.
    fn against(mut self, peers: impl IntoIterator<Item = Contender>) -> Self {
        self.peers.extend(peers);
        self
    }

    /// Returns the texts on which the operation is measured. Characters that the operation does not
    /// accept are replaced, or texts with such characters are left out.
    #[must_use]
    pub fn texts(&self, texts: &[Text]) -> Vec<Text> {
        if let Some(page) = self.page {
            return texts.iter().filter_map(|text| text.in_page(page)).collect();
        }
        match self.repertoire {
            Repertoire::All => texts.to_vec(),
            Repertoire::Latin1 => {
                texts.iter().map(|text| text.limited('\u{FF}', 'é', "as latin-1")).collect()
            }
            // If all their characters are replaced, texts become equal. So characters are replaced
            // only if no text is ASCII.
            Repertoire::Ascii if texts.iter().any(Text::is_ascii) => {
                texts.iter().filter(|text| text.is_ascii()).cloned().collect()
            }
            Repertoire::Ascii => {
                texts.iter().take(1).map(|text| text.limited('\u{7F}', 'x', "as ascii")).collect()
            }
        }
    }

    /// Returns the case that measures the operation on a text.
    #[must_use]
    pub fn case(&self, kernel: Kernel, text: &Text) -> Case {
        let mut bytes = self.encode(&text.content);
        if let Some(edit) = self.edit {
            edit(&mut bytes);
        }
        Case::new(kernel, &bytes, self.capacity.map_or(0, |capacity| capacity(bytes.len())))
    }

    /// Returns the text in the source encoding, as bytes.
    fn encode(&self, text: &str) -> Vec<u8> {
        match self.page {
            Some(page) if self.is_in_page => page.encode_str(text).expect("a text of the page"),
            _ => encode(text, self.source),
        }
    }

    /// Returns the size of a code unit of the source, in bytes.
    #[must_use]
    pub fn unit_size(&self) -> usize {
        self.source.unit_size()
    }

    /// Returns the byte offsets of the characters in a case of that text, and the end of the last
    /// character.
    #[must_use]
    pub fn boundaries(&self, text: &Text) -> Vec<usize> {
        let mut end = 0;
        let ends = text.content.chars().map(|c| {
            end += self.encode(c.encode_utf8(&mut [0; 4])).len();
            end
        });
        std::iter::once(0).chain(ends).collect()
    }

    /// Makes the case call the operation on excerpts of up to `longest` bytes. The output then has
    /// exactly the capacity for the longest result of such an excerpt.
    pub fn set_excerpts(&self, case: &mut Case, parts: Vec<Range<usize>>, longest: usize) {
        case.capacity = self.capacity.map_or(0, |capacity| capacity(longest));
        case.parts = parts;
    }
}

/// Encodes a text in a scheme.
fn encode(text: &str, scheme: Scheme) -> Vec<u8> {
    match scheme {
        Scheme::Cesu8 => cesu8::to_cesu8(text).into_owned(),
        Scheme::Mutf8 => cesu8::to_java_cesu8(text).into_owned(),
        Scheme::Utf16Le | Scheme::Wtf16Le => {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        Scheme::Utf16Be | Scheme::Wtf16Be => {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        }
        Scheme::Utf32Le => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        Scheme::Utf32Be => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        Scheme::Latin1 => {
            text.chars().map(|c| u8::try_from(c).expect("all characters are in Latin-1")).collect()
        }
        _ => text.as_bytes().to_vec(),
    }
}

/// Returns the operation with these two calls, without peers.
const fn new_operation<A: Encoding>(name: &'static str, ours: Run, free: Run) -> Operation {
    Operation {
        name,
        default: false,
        ours,
        free,
        peers: Vec::new(),
        goal: None,
        source: A::SCHEME,
        capacity: None,
        repertoire: Repertoire::All,
        page: None,
        is_in_page: false,
        edit: None,
    }
}

/// Returns the operation of a conversion, without peers.
fn transcode<A: Encoding<Unit: Pod>, B: Encoding<Unit: Pod>>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert(times, |src: &[A::Unit], dst: &mut [B::Unit]| {
            let progress = black_box(kernel).transcode_into::<A, B>(src, dst);
            written(progress)
        })
    };
    let free: Run = |case, times| {
        case.convert(times, |src: &[A::Unit], dst: &mut [B::Unit]| {
            written(utflane::transcode_into::<A, B>(src, dst))
        })
    };
    Operation { capacity: Some(capacity::<A, B>), ..new_operation::<A>(name, ours, free) }
}

/// Returns the operation of a conversion from `&str`, without peers.
fn from_str<B: Encoding<Unit: Pod>>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert(times, |src: &str, dst: &mut [B::Unit]| {
            let progress = black_box(kernel).from_str_into::<B>(src, dst);
            written(progress)
        })
    };
    let free: Run = |case, times| {
        case.convert(times, |src: &str, dst: &mut [B::Unit]| {
            written(utflane::from_str_into::<B>(src, dst))
        })
    };
    let capacity = Some(capacity::<utflane::Utf8, B> as fn(usize) -> usize);
    Operation { capacity, ..new_operation::<utflane::Utf8>(name, ours, free) }
}

/// Returns the operation of a validation, without peers.
fn validate<E: Encoding<Unit: Pod>>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.check(times, |src: &[E::Unit]| black_box(kernel).validate::<E>(src).is_ok())
    };
    let free: Run =
        |case, times| case.check(times, |src: &[E::Unit]| utflane::validate::<E>(src).is_ok());
    new_operation::<E>(name, ours, free)
}

/// Returns the operation that counts code points, without peers.
fn count<E: Encoding<Unit: Pod>>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.compute(times, |src: &[E::Unit]| black_box(kernel).count::<E>(src))
    };
    let free: Run = |case, times| case.compute(times, |src: &[E::Unit]| utflane::count::<E>(src));
    new_operation::<E>(name, ours, free)
}

/// Returns the operation that computes the length in another encoding, without peers.
fn len<A: Encoding<Unit: Pod>, B: Encoding>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.compute(times, |src: &[A::Unit]| black_box(kernel).len::<A, B>(src))
    };
    let free: Run = |case, times| case.compute(times, |src: &[A::Unit]| utflane::len::<A, B>(src));
    new_operation::<A>(name, ours, free)
}

/// Returns the contender that copies the input with memcpy. Its speed is the limit that the memory
/// sets. It is not a peer.
#[must_use]
pub fn memcpy() -> Contender {
    let run: Run = |case, times| {
        let capacity = std::mem::replace(&mut case.capacity, case.source.bytes().len());
        let sample = case.convert(times, |src: &[u8], dst: &mut [u8]| {
            dst.copy_from_slice(src);
            src.len()
        });
        case.capacity = capacity;
        sample
    };
    Contender { name: "memcpy", run }
}

/// Peers that exist only with the C++ library simdutf.
#[cfg(feature = "simdutf")]
macro_rules! with_simdutf {
    ($($peer:expr),* $(,)?) => { [$($peer),*] };
}
/// Peers that exist only with the C++ library simdutf.
#[cfg(not(feature = "simdutf"))]
macro_rules! with_simdutf {
    ($($peer:tt)*) => {
        []
    };
}
use with_simdutf;

/// Returns all operations, in the order of the report.
#[must_use]
pub fn all() -> Vec<Operation> {
    let mut all = read_only::validations();
    all.extend(from_utf8::from_bytes());
    all.extend(from_utf8::from_str());
    all.extend(conversions::from_utf16());
    all.extend(conversions::from_utf32());
    all.extend(conversions::from_latin1());
    all.extend(conversions::from_ascii());
    all.extend(cesu8_mutf8::validations());
    all.extend(cesu8_mutf8::conversions());
    all.extend(repairs::utf16_repairs());
    all.extend(lossy::conversions());
    all.extend(owned::from_utf8());
    all.extend(owned::into_utf8());
    all.extend(owned::from_latin1_and_ascii());
    all.extend(read_only::summaries());
    all.extend(read_only::counts());
    all.extend(positions::counts());
    all.extend(read_only::lengths());
    all.extend(streams::streams());
    all.extend(positions::lookups());
    all.extend(positions::whole_texts());
    all.extend(code_pages::code_pages());
    all
}

/// Returns the operations that a list selects, like `validate utf8,str>`. An exact name selects
/// that operation. Any other word selects all operations whose names begin with the word. `all`
/// selects all operations, and `None` the default operations.
///
/// # Errors
///
/// The error names the word with which no operation begins.
pub fn select(list: Option<&[String]>) -> Result<Vec<Operation>, String> {
    let mut operations = all();
    let Some(list) = list else {
        operations.retain(|operation| operation.default);
        return Ok(operations);
    };
    let mut wanted = vec![false; operations.len()];
    for word in list.iter().map(|word| word.trim()) {
        let exact = operations.iter().any(|operation| operation.name == word);
        let mut found = word == "all";
        for (operation, wanted) in operations.iter().zip(&mut wanted) {
            let matches = operation.name == word || !exact && operation.name.starts_with(word);
            *wanted |= word == "all" || matches;
            found |= matches;
        }
        if !found || word.is_empty() {
            return Err(format!("no operation begins with {word:?}; --list prints their names"));
        }
    }
    let mut wanted = wanted.into_iter();
    operations.retain(|_| wanted.next() == Some(true));
    Ok(operations)
}
