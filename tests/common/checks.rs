//! The checks: each takes one input, runs operations on every kernel and through the free
//! functions, and compares the results with the oracle.

use std::mem::MaybeUninit;

use utflane::utf8::{self, Lines};
use utflane::{Encoding, LineEnds, Progress, Utf8, Utf16};

use super::api::{Api, Codec, units};
use super::oracle::{self, Expected, Fault, Outcome, count, decode, expect};
use super::pairs::Pair;
use super::repair::check_utf16;
use super::sampled_if_slow;

/// The canary: the value of the bytes around an output, and of the bytes in it before they are
/// written.
const CANARY: u8 = 0xC5;
/// The number of canary bytes before an output.
const CANARIES_BEFORE: usize = 64;
/// The number of canary bytes after an output: more than twice the widest store of any kernel.
const CANARIES_AFTER: usize = 192;
/// The capacity of a large output beyond the length of the result, in bytes. The last stores of a
/// kernel may write there.
const SPARE_BYTES: usize = 160;

/// Returns words with at least `len` bytes, which are all `byte`. It has no loop, since a loop is
/// slow in tests that are compiled without optimisation.
pub fn filled_words(len: usize, byte: u8) -> Vec<u64> {
    let mut words = vec![0; len.div_ceil(8)];
    // SAFETY: any bits are valid for `u64` and for `u8`.
    unsafe { words.align_to_mut::<u8>() }.1.fill(byte);
    words
}

/// Returns true if all bytes are `byte`. Compares them with their neighbours, without a loop.
pub fn is_filled_with(bytes: &[u8], byte: u8) -> bool {
    bytes.first().is_none_or(|&first| first == byte && bytes[1..] == bytes[..bytes.len() - 1])
}

/// An output between canary bytes, which can be used again.
pub struct GuardedOutput {
    storage: Vec<u64>,
    /// The length of the output, in bytes.
    len: usize,
}

impl GuardedOutput {
    pub fn new(len: usize) -> Self {
        Self { storage: filled_words(CANARIES_BEFORE + len + CANARIES_AFTER, CANARY), len }
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: any bits are valid for `u64` and for `u8`.
        unsafe { self.storage.align_to_mut::<u8>() }.1
    }

    /// Returns the length of the output, in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the output.
    pub fn dst(&mut self) -> &mut [u8] {
        let len = self.len;
        &mut self.bytes()[CANARIES_BEFORE..][..len]
    }

    /// Returns the output as `MaybeUninit` bytes; the memory is initialised.
    fn dst_uninit(&mut self) -> &mut [MaybeUninit<u8>] {
        let dst = self.dst();
        // SAFETY: the library promises to write only initialised bytes, so the output stays
        // initialised. Other tests check this promise. Any byte is a valid `u8`.
        unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<u8>]) }
    }

    /// Returns true if all bytes around the output are canaries.
    pub fn is_intact(&mut self) -> bool {
        let len = self.len;
        let bytes = self.bytes();
        let (before, rest) = bytes.split_at(CANARIES_BEFORE);
        is_filled_with(before, CANARY) && is_filled_with(&rest[len..], CANARY)
    }

    /// Fills the output with canaries, and sets its length to `len` bytes. `len` must not exceed
    /// the length that was passed to `new`.
    pub fn reset(&mut self, len: usize) {
        self.dst().fill(CANARY);
        self.len = len;
    }
}

/// Checks the operations that only UTF-8 has: `utf8::summary`, `utf8::fits_latin1`,
/// `utf8::count_supplementary`, `utf8::Lines::count`, and the conversions to characters; and
/// also `count` and the length in UTF-16. For ill-formed text, the counts follow the formulas in
/// their documentation.
pub fn check_utf8(src: &[u8]) {
    let want = oracle::summary(src);
    let code_points = count(Utf8::SCHEME, src);
    let utf16_units = oracle::len(Utf8::SCHEME, Utf16::SCHEME, src) / 2;
    let count_bytes =
        |is_counted: fn(u8) -> bool| src.iter().filter(|&&byte| is_counted(byte)).count();
    let supplementary = count_bytes(|byte| byte >= 0xF0);
    let lines = count_bytes(|byte| byte == b'\n') + 1;
    if let Ok(text) = std::str::from_utf8(src) {
        let chars = text.chars().filter(|&c| c > '\u{FFFF}');
        assert_eq!(supplementary, chars.count(), "the formula is wrong for {text:?}");
        assert_eq!(lines, text.split('\n').count(), "the formula is wrong for {text:?}");
    }
    for &api in Api::all() {
        let (summary, fits_latin1, counts, utf8_counts) = match api {
            Api::Free => (
                utf8::summary(src),
                utf8::fits_latin1(src),
                (utflane::count::<Utf8>(src), utflane::len::<Utf8, Utf16>(src)),
                (utf8::count_supplementary(src), Lines::new(src, LineEnds::Lf).count()),
            ),
            Api::On(kernel) => (
                kernel.utf8_summary(src),
                kernel.utf8_fits_latin1(src),
                (kernel.count::<Utf8>(src), kernel.len::<Utf8, Utf16>(src)),
                (
                    kernel.utf8_count_supplementary(src),
                    Lines::with_kernel(kernel, src, LineEnds::Lf).count(),
                ),
            ),
        };
        let got = oracle::Summary {
            fault: summary.error.map(|error| Fault::from_error(error, 1)),
            valid_up_to: summary.valid_up_to,
            code_points: summary.code_points,
            utf16_units: summary.utf16_units,
            is_ascii: summary.is_ascii,
            fits_latin1: summary.fits_latin1,
        };
        assert_eq!(got, want, "summary, {api:?} of {src:02X?}");
        assert_eq!(fits_latin1, want.fits_latin1, "fits_latin1, {api:?} of {src:02X?}");
        assert_eq!(counts, (code_points, utf16_units), "count and len, {api:?} of {src:02X?}");
        let context = || format!("count_supplementary and Lines::count, {api:?} of {src:02X?}");
        assert_eq!(utf8_counts, (supplementary, lines), "{}", context());
    }
    check_chars(src);
}

/// Calls a function of the module `utf8`, or the corresponding method of a kernel.
macro_rules! utf8_call {
    ($api:expr, $function:ident / $method:ident($($arg:expr),*)) => {
        match $api {
            Api::Free => utf8::$function($($arg),*),
            Api::On(kernel) => kernel.$method($($arg),*),
        }
    };
}

/// Checks the functions that decode UTF-8 to `char`. If `src` is well-formed, also checks the
/// function that takes a `&str`.
fn check_chars(src: &[u8]) {
    let fault = decode(Utf8::SCHEME, src).fault;
    let want: Vec<char> =
        src.utf8_chunks().next().map_or_else(Vec::new, |chunk| chunk.valid().chars().collect());
    for &api in Api::all() {
        let got = utf8_call!(api, to_chars / utf8_to_chars(src))
            .map_err(|error| Fault::from_error(error, 1));
        assert_eq!(got.as_ref().err(), fault.as_ref(), "to_chars, {api:?} of {src:02X?}");
        assert!(got.is_err() || got == Ok(want.clone()), "to_chars, {api:?} of {src:02X?}");
        if let Ok(text) = std::str::from_utf8(src) {
            let got = utf8_call!(api, str_to_chars / str_to_chars(text));
            assert!(got == want, "{api:?} of {text:?}");
        }
    }
}

/// Asserts that a conversion into `output` has the expected outcome and wrote the expected bytes.
fn check_output(output: &mut GuardedOutput, got: Outcome, expected: &Expected) {
    assert_eq!(
        got,
        expected.within(output.len),
        "into {} bytes of {:02X?}",
        output.len,
        expected.out
    );
    assert!(output.dst()[..got.written] == expected.out[..got.written] && output.is_intact());
}

/// Checks `validate`, `is_valid`, `count` and `split_incomplete`. For UTF-8 it also runs
/// [`check_utf8`], and for UTF-16 [`check_utf16`] and [`check_utf16_supplementary`].
pub fn check_validate(codec: &Codec, src: &[u8]) {
    let fault = decode(codec.scheme, src).fault;
    for &api in Api::all() {
        let got = (codec.validate)(api, src)
            .err()
            .map(|error| Fault::from_error(error, codec.element_bytes));
        assert_eq!(got, fault, "validate::<{}> {api:?} of {src:02X?}", codec.name);
        let valid = (codec.is_valid)(api, src);
        assert_eq!(valid, fault.is_none(), "is_valid::<{}> {api:?} of {src:02X?}", codec.name);
    }
    check_count(codec, src);
    if codec.name == "Utf8" {
        check_utf8(src);
    }
    if codec.name == "Utf16" {
        check_utf16(&units(src));
        check_utf16_supplementary(&units(src));
    }
    check_split(codec, src);
}

/// Checks the number of supplementary code points, which is the number of units minus the number of
/// code points, also for ill-formed text.
pub fn check_utf16_supplementary(src: &[u16]) {
    let want = src.iter().filter(|&unit| (0xDC00..=0xDFFF).contains(unit)).count();
    if let Ok(text) = String::from_utf16(src) {
        let chars = text.chars().filter(|&c| c > '\u{FFFF}');
        assert_eq!(want, chars.count(), "the formula is wrong for {text:?}");
    }
    for &api in Api::all() {
        let got = match api {
            Api::Free => src.len() - utflane::count::<Utf16>(src),
            Api::On(kernel) => src.len() - kernel.count::<Utf16>(src),
        };
        assert_eq!(got, want, "supplementary code points, {api:?} of {src:04X?}");
    }
}

/// Checks `split_incomplete`, also for ill-formed text. The length of the incomplete suffix must
/// equal [`oracle::incomplete`], and the text before the suffix must have an error only if the
/// whole text has an error that is not incomplete.
pub fn check_split(codec: &Codec, src: &[u8]) {
    let suffix_len = oracle::incomplete(codec.scheme, src);
    let text = &src[..src.len() - suffix_len];
    let want = (text.len(), suffix_len);
    assert_eq!((codec.split_incomplete)(src), want, "{} of {src:02X?}", codec.name);
    let text_error = (codec.validate)(Api::Free, text).err();
    let whole_error = (codec.validate)(Api::Free, src).err();
    let complete_error = whole_error.filter(|error| !error.is_incomplete());
    let offset = |error: utflane::Error| error.valid_up_to();
    assert_eq!(text_error.map(offset), complete_error.map(offset), "{} of {src:02X?}", codec.name);
    // If the suffix is cut off, an ill-formed sequence that ends at the cut may look incomplete.
    let is_incomplete = text_error.is_some_and(|error| error.is_incomplete());
    assert!(!is_incomplete || suffix_len > 0, "{} of {src:02X?}", codec.name);
}

/// Checks `count`, also for ill-formed text.
pub fn check_count(codec: &Codec, src: &[u8]) {
    let want = count(codec.scheme, src);
    for &api in Api::all() {
        let got = (codec.count)(api, src);
        assert_eq!(got, want, "count::<{}> {api:?} of {src:02X?}", codec.name);
    }
}

/// Checks `len`, also for ill-formed text.
pub fn check_len(pair: &Pair, src: &[u8]) {
    let want = oracle::len(pair.from.scheme, pair.to.scheme, src) / pair.to.element_bytes;
    for &api in Api::all() {
        let got = pair.len(api, src);
        assert_eq!(got, want, "len, {pair}, {api:?} of {src:02X?}");
    }
}

/// Asserts that a conversion into `output` has the expected outcome and wrote the expected bytes,
/// and nothing around them. `name` is the name of the operation.
fn assert_converted(
    name: &str,
    pair: &Pair,
    api: Api,
    src: &[u8],
    progress: Progress,
    expected: &Expected,
    output: &mut GuardedOutput,
) {
    let (capacity, written) = (output.len, progress.written * pair.to.element_bytes);
    let got = Outcome::from_progress(progress, pair.from.element_bytes, pair.to.element_bytes);
    let want = expected.within(capacity);
    assert_eq!(got, want, "{name}, {pair}, {api:?}, into {capacity} bytes, of {src:02X?}");
    assert!(
        output.dst()[..written] == expected.out[..written],
        "{name}, {pair}, {api:?}, into {capacity} bytes, of {src:02X?}: {:02X?} instead of \
         {:02X?}",
        &output.dst()[..written],
        &expected.out[..written],
    );
    assert!(
        output.is_intact(),
        "{name}, {pair}, {api:?}, into {capacity} bytes, of {src:02X?}: wrote outside the output",
    );
}

/// Checks `transcode_into` with an output of exactly the right capacity and with a larger output.
/// This part of [`check_transcode`] is fast enough for the largest sets of inputs.
pub fn check_into(pair: &Pair, src: &[u8]) {
    let expected = expect(pair.from.scheme, pair.to.scheme, src);
    let exact_len = expected.out.len();
    let mut output = GuardedOutput::new(exact_len + SPARE_BYTES);
    for &api in Api::all() {
        for capacity in [exact_len + SPARE_BYTES, exact_len] {
            output.reset(capacity);
            let progress = pair.transcode_into(api, src, output.dst());
            assert_converted("transcode_into", pair, api, src, progress, &expected, &mut output);
        }
    }
}

/// Checks every form of `transcode`, and `len` and `max_len`. If `src` is well-formed UTF-8, also
/// checks the operations that take a `&str`.
pub fn check_transcode(pair: &Pair, src: &[u8]) {
    let (from, to) = (pair.from, pair.to);
    let expected = expect(from.scheme, to.scheme, src);
    let exact_len = expected.out.len();
    let max_len =
        pair.max_len(src.len() / from.element_bytes).expect("no overflow") * to.element_bytes;
    assert!(max_len >= exact_len, "max_len, {pair}, of {src:02X?}");
    check_into(pair, src);
    check_len(pair, src);
    if (from.name, to.name) == ("Utf8", "Latin1") {
        check_utf8(src);
    }
    let mut output = GuardedOutput::new(max_len.max(exact_len + SPARE_BYTES));
    for &api in Api::all() {
        for capacity in [max_len, exact_len + SPARE_BYTES, exact_len] {
            output.reset(capacity);
            let progress = pair.transcode_into_uninit(api, src, output.dst_uninit());
            let name = "transcode_into, uninitialised";
            assert_converted(name, pair, api, src, progress, &expected, &mut output);
        }
        if expected.fault.is_none() {
            let len = pair.len(api, src) * to.element_bytes;
            assert_eq!(len, exact_len, "len, {pair}, {api:?}, of {src:02X?}");
        }
        let owned =
            pair.transcode(api, src).map_err(|error| Fault::from_error(error, from.element_bytes));
        let want = expected.fault.map_or(Ok(&expected.out), Err);
        assert_eq!(
            owned.as_ref().map_err(|&fault| fault),
            want,
            "transcode, {pair}, {api:?}, of {src:02X?}"
        );
        let mut out = oracle::encode_all(to.scheme, "before: ".chars());
        let want = [&out[..], &expected.out].concat();
        let result = pair.transcode_append(api, src, &mut out);
        let fault = result.err().map(|error| Fault::from_error(error, from.element_bytes));
        assert_eq!(fault, expected.fault, "transcode_append, {pair}, {api:?}, of {src:02X?}");
        assert!(out == want, "transcode_append, {pair}, {api:?}, of {src:02X?}: {out:02X?}");
    }
    if let ("Utf8", Ok(text)) = (from.name, std::str::from_utf8(src)) {
        check_str(pair, text, &expected);
    }
}

/// Checks the operations that convert a `&str` to the target encoding of `pair`.
fn check_str(pair: &Pair, src: &str, expected: &Expected) {
    let (to, bytes) = (pair.to, src.as_bytes());
    let exact_len = expected.out.len();
    let mut output = GuardedOutput::new(exact_len + SPARE_BYTES);
    for &api in Api::all() {
        for capacity in [
            exact_len + SPARE_BYTES,
            exact_len,
            exact_len / to.element_bytes / 2 * to.element_bytes,
        ] {
            output.reset(capacity);
            let progress = (to.from_str_into)(api, src, output.dst());
            assert_converted("from_str_into", pair, api, bytes, progress, expected, &mut output);
            output.reset(capacity);
            let progress = (to.from_str_into_uninit)(api, src, output.dst_uninit());
            let name = "from_str_into, uninitialised";
            assert_converted(name, pair, api, bytes, progress, expected, &mut output);
        }
        if let Some(from_str) = to.from_str {
            assert_eq!(from_str(api, src), expected.out, "from_str, {pair}, {api:?} of {src:?}");
        }
        let mut out = oracle::encode_all(to.scheme, "before: ".chars());
        let want = [&out[..], &expected.out].concat();
        let result = (to.from_str_append)(api, src, &mut out);
        let fault = result.err().map(|error| Fault::from_error(error, 1));
        assert_eq!(fault, expected.fault, "from_str_append, {pair}, {api:?} of {src:?}");
        assert!(out == want, "from_str_append, {pair}, {api:?} of {src:?}: {out:02X?}");
    }
}

/// Runs [`check_capacities_up_to`] for every capacity up to two units more than needed.
pub fn check_capacities(pair: &Pair, src: &[u8]) {
    check_capacities_up_to(pair, src, 2);
}

/// Checks `transcode_into` with every capacity from 0 to `extra_units` more than needed. If `src`
/// is well-formed UTF-8, also checks `from_str_into`.
pub fn check_capacities_up_to(pair: &Pair, src: &[u8], extra_units: usize) {
    let expected = expect(pair.from.scheme, pair.to.scheme, src);
    let text = std::str::from_utf8(src).ok().filter(|_| pair.from.name == "Utf8");
    let units = expected.out.len() / pair.to.element_bytes;
    let mut output = GuardedOutput::new((units + extra_units) * pair.to.element_bytes);
    for &api in Api::all() {
        for capacity in sampled_if_slow("capacities", (0..=units + extra_units).rev()) {
            output.reset(capacity * pair.to.element_bytes);
            let progress = pair.transcode_into(api, src, output.dst());
            assert_converted("transcode_into", pair, api, src, progress, &expected, &mut output);
            if let Some(text) = text {
                output.reset(capacity * pair.to.element_bytes);
                let progress = (pair.to.from_str_into)(api, text, output.dst());
                assert_converted("from_str_into", pair, api, src, progress, &expected, &mut output);
            }
        }
    }
}

/// Checks the operations of `Scheme`, whose encodings are chosen at run time, with outputs of
/// several capacities.
pub fn check_schemes(pair: &Pair, src: &[u8]) {
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    let expected = expect(from, to, src);
    let (want, fault) = (&expected.out, expected.fault);
    let context = || format!("{from} to {to}, of {src:02X?}");
    let found = from.validate(src).map_err(|error| Fault::from_error(error, 1)).err();
    assert_eq!(found, decode(from, src).fault, "{}", context());
    assert_eq!(from.is_valid(src), found.is_none(), "{}", context());
    assert_eq!(from.count(src), count(from, src), "{}", context());
    let suffix_len = oracle::incomplete(from, src);
    assert_eq!(from.split_incomplete(src), src.split_at(src.len() - suffix_len), "{}", context());
    assert_eq!(from.len(src, to), oracle::len(from, to, src), "{}", context());
    let max_len = from.max_len(src.len(), to).expect("no overflow");
    assert!(max_len >= want.len(), "{}", context());
    let mut out = b"before".to_vec();
    let got = from.transcode_append(src, to, &mut out).map_err(|error| Fault::from_error(error, 1));
    assert_eq!(got.err(), fault, "{}", context());
    assert!(out.strip_prefix(b"before") == Some(&want[..]), "{}: {out:02X?}", context());
    let mut output = GuardedOutput::new(want.len() + SPARE_BYTES);
    for capacity in
        [want.len() + SPARE_BYTES, want.len(), want.len().saturating_sub(1), want.len() / 2]
    {
        output.reset(capacity);
        let got = Outcome::from_progress(from.transcode_into(src, to, output.dst()), 1, 1);
        check_output(&mut output, got, &expected);
    }
}

/// Runs [`check_validate`], [`check_transcode`] and [`check_capacities`].
pub fn check_everything(pair: &Pair, src: &[u8]) {
    check_validate(pair.from, src);
    check_transcode(pair, src);
    check_capacities(pair, src);
}
