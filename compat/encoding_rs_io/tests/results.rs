//! Compares the results with encoding_rs_io 0.1.8: the text and the errors.

use std::io::{self, ErrorKind, Read};

use encoding_rs::Encoding;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// How a stream is read.
#[derive(Clone, Debug)]
struct Case {
    src: Vec<u8>,
    encoding: Option<&'static Encoding>,
    utf8_passthru: bool,
    strip_bom: bool,
    bom_override: bool,
    bom_sniffing: bool,
    /// The size of the buffer between the readers.
    buffer_len: usize,
    /// The sizes of the caller's buffers, in a cycle.
    read_lens: Vec<usize>,
    /// The largest number of bytes that a call of the inner reader returns, in a cycle. A call with
    /// 0 fails.
    chunk_lens: Vec<usize>,
    error: ErrorKind,
}

impl Case {
    /// A case with the default configuration, read in one piece.
    fn new(src: &[u8]) -> Self {
        Self {
            src: src.to_vec(),
            encoding: None,
            utf8_passthru: false,
            strip_bom: false,
            bom_override: false,
            bom_sniffing: true,
            buffer_len: 8192,
            read_lens: vec![100_000],
            chunk_lens: vec![usize::MAX],
            error: ErrorKind::Interrupted,
        }
    }

    fn decoding(encoding: &'static Encoding, src: &[u8]) -> Self {
        Self { encoding: Some(encoding), ..Self::new(src) }
    }

    /// Checks that both packages return `expected`.
    #[track_caller]
    fn returns(&self, expected: &[u8]) {
        assert_eq!(check(self), expected, "{self:?}");
    }
}

/// Returns chunks of a stream, and errors.
struct Chunks<'a> {
    src: &'a [u8],
    lens: std::iter::Cycle<std::slice::Iter<'a, usize>>,
    error: ErrorKind,
}

impl Read for Chunks<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        match *self.lens.next().unwrap() {
            0 if !self.src.is_empty() => Err(self.error.into()),
            len => {
                let len = dst.len().min(len);
                self.src.read(&mut dst[..len])
            }
        }
    }
}

/// The results of all calls.
#[derive(Debug, Default, PartialEq)]
struct Results {
    text: Vec<u8>,
    errors: Vec<ErrorKind>,
    /// The length of the text before each error.
    error_offsets: Vec<usize>,
}

/// Defines `read_all`, which reads a stream with a package.
macro_rules! define_read_all {
    ($package:ident) => {
        pub(super) fn read_all(case: &Case) -> Results {
            let mut builder = $package::DecodeReaderBytesBuilder::new();
            builder
                .encoding(case.encoding)
                .utf8_passthru(case.utf8_passthru)
                .strip_bom(case.strip_bom)
                .bom_override(case.bom_override)
                .bom_sniffing(case.bom_sniffing);
            let lens = case.chunk_lens.iter().cycle();
            let inner = Chunks { src: &case.src, lens, error: case.error };
            let reader = builder.build_with_buffer(inner, vec![0xFF; case.buffer_len]);
            collect(reader.unwrap(), &case.read_lens)
        }
    };
}

mod ours {
    use super::*;
    define_read_all!(encoding_rs_io);
}

mod theirs {
    use super::*;
    define_read_all!(real);
}

/// Reads to the end, and once more.
fn collect(mut reader: impl Read, read_lens: &[usize]) -> Results {
    let mut results = Results::default();
    let mut ends = 0;
    for &len in read_lens.iter().cycle() {
        let mut dst = vec![0xEE; len];
        match reader.read(&mut dst) {
            Ok(0) if len == 0 => {}
            Ok(0) if ends == 1 => break,
            Ok(0) => ends += 1,
            Ok(read) => {
                assert_eq!(ends, 0, "bytes after the end");
                results.text.extend_from_slice(&dst[..read]);
            }
            Err(error) => {
                results.errors.push(error.kind());
                results.error_offsets.push(results.text.len());
            }
        }
    }
    results
}

/// Checks that the results are the same, except that before an error, there may be more of the
/// text: encoding_rs keeps a character that follows an ill-formed sequence. Returns the text.
#[track_caller]
fn check(case: &Case) -> Vec<u8> {
    let (ours, mut theirs) = (ours::read_all(case), theirs::read_all(case));
    if case.read_lens.iter().any(|&len| len < 4) {
        complete(&mut theirs.text, &ours.text);
    }
    assert_eq!((&ours.text, &ours.errors), (&theirs.text, &theirs.errors), "{case:02X?}");
    assert!(ours.error_offsets >= theirs.error_offsets, "{case:02X?}");
    ours.text
}

/// Appends the end of the text, which encoding_rs_io 0.1.8 loses if only the end of the stream
/// decides it, and the caller's buffer is too small for it.
fn complete(theirs: &mut Vec<u8>, ours: &[u8]) {
    if let Some(lost) = ours.strip_prefix(&theirs[..])
        && lost.len() <= "\u{FFFD}\u{FFFD}".len()
    {
        theirs.extend(lost);
    }
}

/// All encodings of the Encoding Standard.
fn encodings() -> impl Iterator<Item = &'static Encoding> {
    const LABELS: &str = "utf-8 utf-16le utf-16be big5 euc-jp euc-kr gb18030 gbk ibm866 \
        iso-2022-jp iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 \
        iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u \
        macintosh replacement shift_jis windows-874 windows-1250 windows-1251 windows-1252 \
        windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 \
        x-mac-cyrillic x-user-defined";
    LABELS.split_ascii_whitespace().map(|label| Encoding::for_label(label.as_bytes()).unwrap())
}

#[test]
fn literal_texts_are_decoded() {
    use encoding_rs::{GB18030, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1253};
    Case::new(b"").returns(b"");
    Case::new(b"a\xFFb").returns(b"a\xFFb");
    Case::new(b"\xFF\xFEa\0=\xD8\0\xDE").returns("a😀".as_bytes());
    Case::new(b"\xFE\xFF\0a\xDE\0\0b").returns("a\u{FFFD}b".as_bytes());
    Case::new(b"\xEF\xBB\xBFa\xE2\x82\xFF").returns("a\u{FFFD}\u{FFFD}".as_bytes());
    Case::decoding(UTF_8, b"\xED\xA0\x80").returns("\u{FFFD}\u{FFFD}\u{FFFD}".as_bytes());
    Case::decoding(UTF_16LE, b"a\0b").returns("a\u{FFFD}".as_bytes());
    Case::decoding(UTF_16BE, b"\xFF\xFE\0a").returns("\u{FFFE}a".as_bytes());
    Case::decoding(WINDOWS_1251, b"\xC4\xE0\x98").returns("Да\u{98}".as_bytes());
    Case::decoding(WINDOWS_1253, b"\xD2\xE1").returns("\u{FFFD}α".as_bytes());
    Case::decoding(SHIFT_JIS, b"\x84\x47\x84").returns("Ж\u{FFFD}".as_bytes());
    Case::decoding(GB18030, b"\x84\x31\x95\x33a").returns("\u{FEFF}a".as_bytes());
}

#[test]
fn marks_are_recognised_and_removed() {
    use encoding_rs::{UTF_8, UTF_16LE, WINDOWS_1252};
    // A stream of two bytes has no mark.
    Case::new(b"\xFF\xFE").returns(b"\xFF\xFE");
    Case::new(b"\xFF\xFEa").returns("\u{FFFD}".as_bytes());
    Case::new(b"\xEF\xBB\xBF").returns(b"");
    Case::decoding(UTF_16LE, b"\xFF\xFE").returns(b"");
    let two_marks = Case::new(b"\xFF\xFE\xFF\xFEa\0");
    two_marks.returns("\u{FEFF}a".as_bytes());
    Case { strip_bom: true, ..two_marks }.returns(b"a");
    let unchanged = Case { bom_sniffing: false, ..Case::new(b"\xFF\xFEa\0") };
    unchanged.returns(b"\xFF\xFEa\0");
    Case { strip_bom: true, ..unchanged }.returns(b"a\0");
    let passthru = Case { utf8_passthru: true, ..Case::new(b"\xEF\xBB\xBFa\xFF") };
    passthru.returns(b"\xEF\xBB\xBFa\xFF");
    Case { strip_bom: true, ..passthru.clone() }.returns(b"a\xFF");
    let given = Case { encoding: Some(WINDOWS_1252), ..passthru };
    given.returns("ï»¿aÿ".as_bytes());
    Case { bom_override: true, ..given.clone() }.returns("ï»¿aÿ".as_bytes());
    Case { bom_override: true, utf8_passthru: false, ..given }.returns("a\u{FFFD}".as_bytes());
    let overridden = Case { bom_override: true, ..Case::decoding(UTF_8, b"\xFE\xFF\0a") };
    overridden.returns(b"a");
}

/// Of single-byte encodings, every byte is compared.
#[test]
fn every_encoding_has_the_same_characters() {
    let mut src: Vec<u8> = (0..=255).collect();
    src.extend((0x80..=0xFF).flat_map(|lead| (0x30..=0xFF).flat_map(move |trail| [lead, trail])));
    for encoding in encodings() {
        check(&Case::decoding(encoding, &src));
    }
}

/// Calls `f` with all sequences of at most `len_max` of `parts`.
fn for_sequences(parts: &[&[u8]], len_max: u32, mut f: impl FnMut(&[u8])) {
    for len in 0..=len_max {
        for number in 0..parts.len().pow(len) {
            let index = |at| number / parts.len().pow(at) % parts.len();
            f(&(0..len).flat_map(|at| parts[index(at)]).copied().collect::<Vec<_>>());
        }
    }
}

#[test]
fn ill_formed_sequences_have_the_same_number_of_replacements() {
    let bytes: [&[u8]; 16] = [
        b"a", b"\x80", b"\x8F", b"\x90", b"\x9F", b"\xA0", b"\xBF", b"\xC1", b"\xC2", b"\xE0",
        b"\xE2", b"\xED", b"\xF0", b"\xF1", b"\xF4", b"\xFF",
    ];
    for_sequences(&bytes, 4, |src| {
        check(&Case::decoding(encoding_rs::UTF_8, src));
    });
    // Units of both byte orders, and bytes, which cut the text inside a unit.
    let units: [&[u8]; 9] = [
        b"a\0",
        b"\0a",
        b"\0\xD8",
        b"\xDB\xFF",
        b"\0\xDC",
        b"\xDF\xFF",
        b"\xFE\xFF",
        b"a",
        b"\xD8",
    ];
    for_sequences(&units, 5, |src| {
        for encoding in [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE] {
            check(&Case::decoding(encoding, src));
        }
    });
}

/// A hard error in the first three bytes loses no bytes. encoding_rs_io 0.1.8 loses them.
#[test]
fn an_error_before_the_mark_loses_nothing() {
    let mut case = Case::new(b"\xFF\xFEa\0");
    (case.chunk_lens, case.error) = (vec![1, 0, 8], ErrorKind::WouldBlock);
    let [ours, theirs] = [ours::read_all(&case), theirs::read_all(&case)];
    assert_eq!((&ours.text[..], ours.error_offsets), (&b"a"[..], vec![0]));
    assert_eq!((&theirs.text[..], theirs.error_offsets), (&b"\xFEa\0"[..], vec![0]));
}

/// A final U+FFFD is complete in small buffers. encoding_rs_io 0.1.8 returns its first byte only.
#[test]
fn a_final_replacement_is_complete() {
    let case = Case { read_lens: vec![1], ..Case::decoding(encoding_rs::UTF_8, b"a\xE2") };
    assert_eq!(ours::read_all(&case).text, "a\u{FFFD}".as_bytes());
    assert_eq!(theirs::read_all(&case).text, b"a\xEF");
}

#[test]
fn small_buffers_are_refused() {
    let build = |len| {
        let builder = encoding_rs_io::DecodeReaderBytesBuilder::default();
        builder.build_with_buffer(&b""[..], vec![0; len]).map(drop).map_err(|error| error.kind())
    };
    assert_eq!(build(3), Err(ErrorKind::Other));
    assert_eq!(build(4), Ok(()));
}

/// The types implement the same traits of the standard library.
#[test]
fn auto_traits_are_the_same() {
    use std::panic::{RefUnwindSafe, UnwindSafe};
    fn has_traits<T: std::fmt::Debug + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>() {}
    has_traits::<encoding_rs_io::DecodeReaderBytes<&[u8], Vec<u8>>>();
    has_traits::<real::DecodeReaderBytes<&[u8], Vec<u8>>>();
    has_traits::<encoding_rs_io::DecodeReaderBytesBuilder>();
    has_traits::<real::DecodeReaderBytesBuilder>();
}

/// Returns a random case.
fn random_case(rng: &mut StdRng) -> Case {
    let parts: [&[u8]; 20] = [
        b"a",
        b"text of ASCII ",
        b"w\0i\0d\0e\0",
        b"\0w\0i\0d\0e",
        "é".as_bytes(),
        "語".as_bytes(),
        "😀".as_bytes(),
        b"\xFF\xFE",
        b"\xFE\xFF",
        b"\xEF\xBB\xBF",
        b"\xE2\x82",
        b"\xF0\x9F",
        b"\xFF",
        b"\x80",
        b"=\xD8\0\xDE",
        b"\xD8=\xDE\0",
        b"\0\xD8",
        b"\xDC\0",
        b"\x1B$B",
        b"\x84\x31\x95\x33",
    ];
    let encodings: Vec<_> = encodings().collect();
    let mut case = Case::new(match rng.random_range(0..5) {
        0 => b"\xFF\xFE",
        1 => b"\xFE\xFF",
        2 => b"\xEF\xBB\xBF",
        _ => b"",
    });
    for _ in 0..rng.random_range(0..12) {
        let part = parts[rng.random_range(0..parts.len())];
        case.src.extend(part.repeat(1 << (rng.random_range(0..64_u32)).saturating_sub(58)));
    }
    case.encoding = match rng.random_range(0..4) {
        0 => Some(encodings[rng.random_range(0..encodings.len())]),
        1 => Some(encodings[rng.random_range(0..3)]),
        _ => None,
    };
    case.utf8_passthru = rng.random();
    case.strip_bom = rng.random();
    case.bom_override = rng.random();
    case.bom_sniffing = rng.random_range(0..4) > 0;
    case.buffer_len = rng.random_range(4..9) << (4 * rng.random_range(0..3));
    let mut lens = |min: usize| {
        let max = [3, 10, 40, 5000][rng.random_range(0..4)];
        (0..rng.random_range(1..5)).map(|_| rng.random_range(min..=max)).collect::<Vec<usize>>()
    };
    (case.read_lens, case.chunk_lens) = (lens(0), lens(0));
    case.read_lens.push(1);
    case.chunk_lens.push(1);
    case
}

#[test]
fn random_streams_have_the_same_results() {
    let mut rng = StdRng::seed_from_u64(57);
    for _ in 0..100_000 {
        check(&random_case(&mut rng));
    }
}

/// Errors of other kinds, after the first three bytes.
#[test]
fn other_errors_are_returned() {
    let mut rng = StdRng::seed_from_u64(58);
    for _ in 0..20_000 {
        let mut case = random_case(&mut rng);
        case.error = ErrorKind::WouldBlock;
        case.chunk_lens.insert(0, 3);
        check(&case);
    }
}
