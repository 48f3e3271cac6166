//! Readers and writers, over inner readers and writers that behave as badly as the traits allow.
//! The text that is read or written equals the standard library's conversion of the whole text, and
//! no text is lost on an error.

use std::cell::{LazyCell, RefCell};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::rc::Rc;

use crate::common::carriers::{sample_chars, sequences};
use crate::common::io::{
    Manners, REPAIRS, Rough, WAYS, Way, check_marked, check_reader, check_repairs, check_writer,
    check_written_repairs,
};
use crate::common::oracle::encode_all;
use crate::common::{oracle, sampled, sampled_if_slow, text};
use utflane::bom;
use utflane::io::{
    Decoded, IntoInnerError, Reader, Writer, read_text, read_to_string, stream_error,
};
use utflane::{
    ByteTranscoder, ErrorKind as Kind, IllFormed, Policy, Repair, Scheme, Stop, StreamError,
};

/// Lengths of texts, in characters: shorter than a small buffer, around its capacity, and longer.
const TEXT_LENGTHS: [usize; 8] = [0, 1, 3, 63, 64, 65, 200, 700];

/// The behaviours of inner readers and writers in small tests.
const MANNERS: [Manners; 5] =
    [Manners::GOOD, Manners::SLOW, Manners::bad(3, 1), Manners::bad(20, 2), Manners::bad(100, 3)];

/// Returns a text of `chars` characters of the scheme. If `step` is not 0, there is an error about
/// every `step` bytes.
fn sample(scheme: Scheme, chars: usize, step: usize) -> Vec<u8> {
    let last_char = match scheme {
        Scheme::Ascii => '\x7F',
        Scheme::Latin1 => 'ÿ',
        _ => char::MAX,
    };
    let mut src = encode_all(scheme, sample_chars(last_char, chars, chars as u64));
    if step > 0 {
        let sequences = sequences(scheme);
        let unit = scheme.unit_size();
        let mut offset = 0;
        for sequence in sequences.iter().cycle().step_by(7) {
            offset += step.next_multiple_of(unit);
            if offset > src.len() {
                break;
            }
            src.splice(offset..offset, sequence.iter().copied());
            offset += sequence.len();
        }
    }
    src
}

/// Returns every text length with each of `steps`.
fn lengths_and_steps(steps: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    TEXT_LENGTHS.into_iter().flat_map(|len| steps.iter().map(move |&step| (len, step)))
}

#[test]
fn short_sequences_are_read() {
    for &scheme in Scheme::ALL {
        for (i, sequence) in sampled("sequences", sequences(scheme).iter().enumerate()) {
            let way = [WAYS[i % WAYS.len()]];
            check_reader(scheme, sequence, 64, MANNERS[i % MANNERS.len()], &way);
            check_reader(scheme, sequence, 64, Manners::SLOW, &way);
            check_repairs(scheme, sequence, 64, MANNERS[i % MANNERS.len()], &WAYS);
        }
    }
}

#[test]
fn texts_are_read_in_every_way() {
    for &scheme in Scheme::ALL {
        for (i, (len, step)) in sampled("texts", lengths_and_steps(&[0, 1, 20, 101]).enumerate()) {
            let src = sample(scheme, len, step);
            for manners in MANNERS {
                let capacity = [64, 65, 100, 1000][i % 4];
                check_reader(scheme, &src, capacity, manners, &WAYS);
                check_repairs(scheme, &src, capacity, manners, &WAYS);
            }
        }
    }
}

/// Texts that fill buffers of the default capacity several times.
#[test]
fn long_texts_are_read() {
    let page = text::page(&text::SCRIPTS[10], 5, 300_000);
    for &scheme in Scheme::ALL {
        let src = LazyCell::new(|| match scheme {
            Scheme::Ascii => "line\n".repeat(60_000).into_bytes(),
            Scheme::Latin1 => "lïné\n".chars().cycle().take(300_000).map(|c| c as u8).collect(),
            _ => encode_all(scheme, page.chars()),
        });
        let ways = [Way::NextStr, Way::FillStr, Way::Read(5000), Way::ReadToString, Way::ReadLine];
        let unlimited = Manners { most: isize::MAX, ..Manners::GOOD };
        let manners = [unlimited, Manners::bad(100_000, 4), Manners { interrupts: 2, ..unlimited }];
        let cases = manners.iter().flat_map(|&manners| ways.map(|way| (manners, way)));
        for (manners, way) in sampled("manners and ways", cases) {
            check_reader(scheme, &src, 64 * 1024, manners, &[way]);
        }
        for _ in sampled_if_slow("ill-formed texts", 0..1) {
            let mut ill_formed = src.clone();
            for offset in [0, 65_530, 65_534, 131_070, ill_formed.len() - 4] {
                ill_formed.splice(offset..offset, [0xFF, 0xD8, 0xD8, 0xFF]);
            }
            ill_formed.extend([0xF0, 0x9F, 0xD8]);
            let ways: Vec<_> = sampled_if_slow("ways", ways.into_iter()).collect();
            check_reader(scheme, &ill_formed, 64 * 1024, unlimited, &ways);
            check_repairs(scheme, &ill_formed, 64 * 1024, unlimited, &ways);
        }
    }
}

/// Repaired texts, errors and their messages equal the results of the standard library.
#[test]
fn repairs_and_errors_equal_those_of_std() {
    for sequence in sampled("sequences", sequences(Scheme::Utf8).iter()) {
        let src = [b"front ", &sequence[..], b" back"].concat();
        let mut text = String::new();
        let mut reader = Reader::new(&src[..], Scheme::Utf8).with_policy(Repair::REPLACE);
        reader.read_to_string(&mut text).expect("repaired");
        assert_eq!(text, String::from_utf8_lossy(&src));

        let mut text = String::new();
        let result = Reader::new(&src[..], Scheme::Utf8).read_to_string(&mut text);
        match std::str::from_utf8(&src) {
            Ok(valid) => assert_eq!((text.as_str(), result.expect("valid")), (valid, src.len())),
            Err(error) => {
                let io_error = result.expect_err("invalid");
                assert_eq!(io_error.to_string(), error.to_string());
                let text_error = stream_error(&io_error).expect("an error in the text");
                assert_eq!(text_error.offset(), error.valid_up_to() as u64);
                assert_eq!(text_error.error_len(), error.error_len());
                assert_eq!(text_error.kind(), oracle::utf8_kind(&src[error.valid_up_to()..]));
                assert_eq!(text.as_bytes(), &src[..error.valid_up_to()]);
            }
        }
    }
}

/// The policy for trusted input gives the same result for a stream as for the whole text.
#[test]
fn look_alikes_are_read() {
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::LookAlikeForTrustedInput);
    for sequence in sampled("sequences", sequences(Scheme::Utf8).iter()) {
        let src = [b"front ", &sequence[..], b" back \xC0\xAF\xED\xA0\xBD\xED\xB8"].concat();
        let mut want = Vec::new();
        let repairs =
            Scheme::Utf8.transcode_lossy_append(&src, Scheme::Utf8, repair, &mut want) as u64;
        for manners in MANNERS.into_iter().filter(|manners| manners.fails == 0) {
            let mut reader = Reader::new(Rough::new(&src[..], manners), Scheme::Utf8)
                .with_policy(repair)
                .with_capacity(64);
            let mut text = String::new();
            reader.read_to_string(&mut text).expect("repaired");
            assert_eq!((text.as_bytes(), reader.repairs()), (&want[..], repairs), "{src:02x?}");
        }
    }
}

#[test]
fn lines_equal_those_of_the_text() {
    let page = text::chat(7, 20_000) + "last, without an end\r\n\n" + &"long ".repeat(30_000) + "ü";
    let want: Vec<_> = page.lines().collect();
    for scheme in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Be] {
        let src = LazyCell::new(|| encode_all(scheme, page.chars()));
        let manners = [Manners::GOOD, Manners { most: -9, interrupts: 3, ..Manners::GOOD }];
        for manners in sampled_if_slow("manners of lines", manners.into_iter()) {
            let reader = Reader::new(Rough::new(&src[..], manners), scheme);
            let lines: Vec<_> = reader.lines().map(|line| line.expect("well-formed")).collect();
            assert_eq!(lines, want, "{scheme}");
        }
    }
}

/// The mark of every scheme, in chunks of any size, and texts that begin with a part of a mark.
#[test]
fn marks_are_found_in_chunks_of_any_size() {
    let bodies = ["", "a", "\0", "€uro", "Hi, Grüße", "\u{FEFF}twice"];
    for &scheme in Scheme::ALL {
        let mark = scheme.byte_order_mark();
        for body in bodies.into_iter().filter(|body| !mark.is_empty() || body.is_ascii()) {
            let src = [mark, &encode_all(scheme, body.chars())].concat();
            // UTF-16LE with a mark and U+0000 begins with the mark of UTF-32LE, which is then
            // detected.
            let (found, mark_len) = match bom::detect(&src) {
                Some(found) => (found, found.byte_order_mark().len()),
                None => (scheme, 0),
            };
            for manners in sampled_if_slow("manners", MANNERS.into_iter()) {
                check_marked(found, &src, mark_len, 64, manners, &WAYS, &|inner| {
                    Reader::marked(inner, scheme)
                });
                if mark_len > 0 {
                    check_marked(found, &src, mark_len, 64, manners, &WAYS, &|inner| {
                        Reader::marked(inner, Scheme::Latin1)
                    });
                }
                // The mark as a character of the text.
                check_reader(scheme, &src, 64, manners, &WAYS);
            }
        }
    }
    for src in
        [&b"\xEF"[..], b"\xEF\xBB", b"\xFF", b"\xFE", b"\0", b"\0\0", b"\0\0\xFE", b"\xEF\xBBa"]
    {
        for scheme in [Scheme::Utf8, Scheme::Latin1, Scheme::Utf16Be] {
            for manners in MANNERS {
                check_marked(scheme, src, 0, 64, manners, &WAYS, &|inner| {
                    Reader::marked(inner, scheme)
                });
            }
        }
    }
}

/// Not for WebAssembly, where these tests have no files.
#[test]
#[cfg(not(target_family = "wasm"))]
fn files_are_read() {
    use std::fs;

    let path = std::env::temp_dir().join(format!("utflane-io-{}.txt", std::process::id()));
    let page = text::page(&text::SCRIPTS[2], 3, 200_000);
    for &scheme in sampled_if_slow("schemes", Scheme::ALL[..5].iter()) {
        let src = [scheme.byte_order_mark(), &encode_all(scheme, page.chars())].concat();
        fs::write(&path, &src).expect("a temporary file");
        let open = || fs::File::open(&path).expect("a temporary file");
        let whole_text = read_to_string(open());
        let marked = read_text(open(), Scheme::Latin1, Policy::STOP);
        let mut text = String::new();
        let appended = Reader::marked(open(), Scheme::Utf8).read_to_string(&mut text);
        fs::remove_file(&path).expect("the temporary file can be removed");
        assert_eq!(whole_text.expect("well-formed"), page, "{scheme}");
        let want = Decoded { text: page.clone(), scheme, has_mark: true, repairs: 0 };
        assert_eq!(marked.expect("well-formed"), want);
        assert_eq!((appended.expect("well-formed"), text), (page.len(), page.clone()));
    }
}

#[test]
fn whole_texts_are_read() {
    let page = text::page(&text::SCRIPTS[0], 3, 200_000) + "€";
    for &scheme in sampled_if_slow("schemes", Scheme::ALL[..5].iter()) {
        let src = [scheme.byte_order_mark(), &encode_all(scheme, page.chars())].concat();
        assert_eq!(read_to_string(&src[..]).expect("well-formed"), page, "{scheme}");
        let got = read_text(&src[..], Scheme::Latin1, Repair::SKIP).expect("well-formed");
        assert_eq!(got, Decoded { text: page.clone(), scheme, has_mark: true, repairs: 0 });

        // The offsets of errors include the mark.
        let ill_formed = match scheme {
            Scheme::Utf8 => &b"\xFF"[..],
            Scheme::Utf16Le | Scheme::Utf32Le => &b"\0\xDC\0\0"[..scheme.unit_size()],
            Scheme::Utf16Be => b"\xDC\0",
            _ => b"\0\0\xDC\0",
        };
        let ill_formed = [&src, ill_formed, &encode_all(scheme, ['a'])].concat();
        let error = stream_error(&read_to_string(&ill_formed[..]).expect_err("ill-formed"));
        assert_eq!(error.expect("an error in the text").offset(), src.len() as u64);
        let got = read_text(&ill_formed[..], scheme, Repair::REPLACE).expect("repaired");
        assert!((got.text, got.repairs) == (page.clone() + "\u{FFFD}a", 1), "{scheme}");
    }
    let ill_formed = b"\xEF\xBB\xBFa\xFF";
    let got = read_text(&ill_formed[..], Scheme::Utf8, Repair::REPLACE).expect("repaired");
    let want =
        Decoded { text: "a\u{FFFD}".into(), scheme: Scheme::Utf8, has_mark: true, repairs: 1 };
    assert_eq!(got, want);
    let error = read_text(&b"\xFF\xFEa\0\0\xDC"[..], Scheme::Utf8, Policy::STOP);
    let error =
        stream_error(&error.expect_err("an unpaired surrogate")).expect("an error in the text");
    assert_eq!((error.offset(), error.kind()), (4, Kind::Surrogate));
    assert_eq!(read_to_string(&b"plain"[..]).expect("ASCII"), "plain");
    assert_eq!(read_to_string(io::empty()).expect("nothing"), "");
    assert_eq!(read_to_string(&b"\xEF\xBB\xBF"[..]).expect("a mark"), "");
    let slow = Rough::new(&b"caf\xC3\xA9"[..], Manners { interrupts: 2, ..Manners::SLOW });
    assert_eq!(read_to_string(slow).expect("only interruptions"), "café");
    let rough = Rough::new(&b"abc"[..], Manners { fails: 1, ..Manners::GOOD });
    assert_eq!(
        read_to_string(rough).expect_err("a failure of the inner reader").kind(),
        ErrorKind::ConnectionReset
    );
}

#[test]
fn whole_texts_are_repaired() {
    for &scheme in Scheme::ALL {
        for ill_formed in REPAIRS {
            let src = sample(scheme, 500, 30);
            let mut reader =
                Reader::new(&src[..], scheme).with_policy(Policy::STOP.on_ill_formed(ill_formed));
            let mut want = String::new();
            reader.read_to_string(&mut want).expect("repaired");
            let got = read_text(&src[..], scheme, Policy::STOP.on_ill_formed(ill_formed));
            let repairs = reader.repairs();
            let want = Decoded { text: want, scheme, has_mark: false, repairs };
            if bom::detect(&src).is_none() {
                assert_eq!(got.expect("repaired"), want, "{scheme}, {ill_formed:?}");
            }
        }
    }
}

/// A reader that returns one part after the other. An empty part is an end of the text, after which
/// the text grows.
struct Growing<'a>(Vec<&'a [u8]>);
impl Read for Growing<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        self.0.remove(0).read(dst)
    }
}

/// An inner reader whose text grows, and an inner reader and writer that report too many bytes.
#[test]
fn inner_readers_that_grow_or_report_too_much() {
    for scheme in [Scheme::Utf8, Scheme::Utf16Le] {
        let parts: Vec<&[u8]> = vec![b"a\0b\0", b"", b"c\0", b"\0", b"", b"", b"d\0", b"\xFF"];
        let mut reader = Reader::new(Growing(parts), scheme);
        let (mut text, mut offsets) = (String::new(), Vec::new());
        for _ in 0..10 {
            if let Err(error) = reader.read_to_string(&mut text) {
                offsets.push(stream_error(&error).expect("an error in the text").offset());
            }
        }
        let text: String = text.chars().filter(char::is_ascii_alphabetic).collect();
        let want: (&str, &[u64]) =
            if scheme == Scheme::Utf8 { ("abcd", &[9]) } else { ("abcd", &[6, 9]) };
        assert_eq!((text.as_str(), &offsets[..]), want, "{scheme}");
    }

    struct OverReporting;
    impl Read for OverReporting {
        fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
            Ok(dst.len() + 1)
        }
    }
    impl Write for OverReporting {
        fn write(&mut self, src: &[u8]) -> io::Result<usize> {
            Ok(src.len() + 1)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for &scheme in Scheme::ALL {
        let mut reader = Reader::marked(OverReporting, scheme);
        for _ in 0..3 {
            assert_eq!(reader.next_str().expect_err("too many bytes").kind(), ErrorKind::Other);
        }
        let mut writer = Writer::new(OverReporting, scheme);
        writer.write_all(b"ab").expect("into the buffer");
        assert_eq!(writer.flush().expect_err("too many bytes").kind(), ErrorKind::Other);
    }
}

/// Text that has been read is returned before a later error of the inner reader.
#[test]
fn text_is_returned_before_a_later_error() {
    struct Failing(&'static [u8]);
    impl Read for Failing {
        fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
            match self.0 {
                [] => Err(ErrorKind::ConnectionReset.into()),
                _ => self.0.read(dst),
            }
        }
    }
    for scheme in Scheme::ALL.iter().copied().filter(|scheme| scheme.unit_size() == 1) {
        let mut reader = Reader::new(Failing(b"abc"), scheme);
        assert_eq!(reader.next_str().expect("no error yet"), Some("abc"), "{scheme}");
        for _ in 0..2 {
            let error = reader.next_str().expect_err("the error of the inner reader");
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{scheme}");
        }
    }
}

/// To detect the scheme, a reader reads no more bytes than a mark may have.
#[test]
fn detection_of_marks_reads_few_bytes() {
    let (utf8, utf16, utf32) = (Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf32Le);
    for (src, scheme, read_len) in [
        (&b"abcdef"[..], Scheme::Latin1, 1),
        (b"\xEF\xBB\xBFabc", utf8, 3),
        (b"\xEF\xBBabc", Scheme::Latin1, 3),
        (b"\xEFabc", Scheme::Latin1, 2),
        (b"\xFE\xFFabc", Scheme::Utf16Be, 2),
        (b"\xFEabc", Scheme::Latin1, 2),
        (b"\xFF\xFEabc", utf16, 3),
        (b"\xFF\xFE\0abc", utf16, 4),
        (b"\xFF\xFE\0\0abc", utf32, 4),
        (b"\0\0\xFE\xFFabc", Scheme::Utf32Be, 4),
        (b"\0\0abc", Scheme::Latin1, 3),
    ] {
        let mut reader = Reader::marked(Rough::new(src, Manners::SLOW), Scheme::Latin1);
        assert_eq!(reader.find_scheme().expect("no error"), scheme, "{src:02X?}");
        assert_eq!(src.len() - reader.get_ref().inner.len(), read_len, "{src:02X?}");
    }
}

/// If a text continues after its end, the offsets of later errors count from its start, after a
/// mark and after text.
#[test]
fn offsets_after_an_end_count_from_the_start() {
    for front in [&b"\xFF\xFE"[..], b"\xFF\xFEG\0r\0"] {
        let parts: Vec<&[u8]> = vec![front, b"", b"a\0\0\xDC"];
        let want = front.len() + 2;
        let mut reader = Reader::marked(Growing(parts), Scheme::Latin1);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("the front");
        let error = reader.read_to_string(&mut text).expect_err("an unpaired surrogate");
        assert_eq!(stream_error(&error).expect("an error in the text").offset(), want as u64);
        assert!(text.ends_with('a'));
    }
}

/// `Debug` shows the number of bytes in a buffer.
#[test]
fn debug_output_of_readers_and_writers() {
    let mut reader = Reader::new(&b"ab\xE9"[..], Scheme::Latin1);
    assert_eq!(reader.fill_str().expect("text"), "abé");
    let shown = format!("{reader:?}");
    assert!(shown.contains("Some(Latin1)") && shown.contains("ready: 4,"), "{shown}");

    // Of six bytes, the inner writer takes one before it fails.
    let mut output = [0];
    let mut writer = Writer::new(&mut output[..], Scheme::Utf16Be);
    writer.write_all(b"abc").expect("into the buffer");
    writer.flush().expect_err("full");
    let shown = format!("{writer:?}");
    assert!(shown.contains("Utf16Be") && shown.contains("waiting: 5,"), "{shown}");
}

#[test]
fn empty_outputs_are_not_read_into() {
    let mut reader =
        Reader::new(Rough::new(&b"a"[..], Manners { fails: 1, ..Manners::GOOD }), Scheme::Utf8);
    assert_eq!(reader.read(&mut []).expect("no read"), 0);
    let mut reader = Reader::new(&b"ab"[..], Scheme::Latin1);
    assert_eq!(reader.fill_buf().expect("text"), b"ab");
    reader.consume(1000);
    assert_eq!(reader.fill_buf().expect("the end"), b"");
}

#[test]
fn short_sequences_are_written() {
    for &scheme in Scheme::ALL {
        for (i, sequence) in sampled("sequences", sequences(Scheme::Utf8).iter().enumerate()) {
            let manners = MANNERS[i % MANNERS.len()];
            check_writer(scheme, sequence, 64, manners, &[1]);
            check_writer(scheme, sequence, 64, manners, &[[2, 3, 100][i % 3]]);
            let src = [b"front", &sequence[..], "bäck€".as_bytes()].concat();
            check_writer(scheme, &src, 64, manners, &[[3, 6, 7, 100][i % 4]]);
            let manners = Manners { fails: 0, ..manners };
            check_written_repairs(scheme, &src, manners, &[[1, 3, 100][i % 3]]);
        }
    }
}

#[test]
fn texts_are_written_in_chunks_of_any_size() {
    for &scheme in Scheme::ALL {
        for (i, (len, step)) in sampled("texts", lengths_and_steps(&[0, 5, 60]).enumerate()) {
            let src = sample(Scheme::Utf8, len, step);
            for (k, chunk_lens) in [&[1][..], &[2, 0, 5], &[64, 1], &[5000]].into_iter().enumerate()
            {
                let capacity = [64, 67, 500, 64][(i + k) % 4];
                for manners in MANNERS {
                    check_writer(scheme, &src, capacity, manners, chunk_lens);
                    let manners = Manners { fails: 0, ..manners };
                    check_written_repairs(scheme, &src, manners, chunk_lens);
                }
            }
        }
    }
}

#[test]
fn long_texts_are_written() {
    let page = text::page(&text::SCRIPTS[3], 5, 300_000);
    for &scheme in &Scheme::ALL[..5] {
        let want = LazyCell::new(|| encode_all(scheme, page.chars()));
        let manners = [Manners::GOOD, Manners { interrupts: 2, ..Manners::GOOD }];
        for manners in sampled_if_slow("manners", manners.into_iter()) {
            let mut writer = Writer::new(Rough::new(Vec::new(), manners), scheme);
            for part in page.as_bytes().chunks(77_777) {
                writer.write_all(part).expect("UTF-8");
            }
            assert!(writer.into_inner().expect("complete").inner == *want, "{scheme}");
            // Copied from a reader by the standard library.
            let mut writer = Writer::new(Rough::new(Vec::new(), manners), scheme);
            let copied = io::copy(&mut Reader::new(&want[..], scheme), &mut writer).expect("UTF-8");
            assert_eq!(copied, page.len() as u64);
            assert!(writer.into_inner().expect("complete").inner == *want, "{scheme}");
        }
    }
}

/// A writer that shares the written bytes, and may panic on a write.
#[derive(Clone, Default)]
struct SharedWriter {
    written: Rc<RefCell<Vec<u8>>>,
    panics: bool,
}
impl Write for SharedWriter {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        self.written.borrow_mut().extend_from_slice(src);
        assert!(!self.panics, "the panic that the test asks for");
        Ok(src.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// After a panic of the inner writer, `Drop` does not write the bytes again.
#[test]
#[cfg(panic = "unwind")]
fn an_inner_writer_that_panics() {
    let file = SharedWriter { panics: true, ..SharedWriter::default() };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut writer = Writer::new(file.clone(), Scheme::Utf8);
        writer.write_all(b"once").expect("into the buffer");
        let _ = writer.flush();
    }));
    assert!(result.is_err());
    assert_eq!(*file.written.borrow(), b"once");
}

/// What a writer writes when it is flushed, dropped or finished.
#[test]
fn writers_that_are_flushed_dropped_or_finished() {
    let file = SharedWriter::default();
    let mut writer = Writer::new(file.clone(), Scheme::Utf16Be);
    writer.write_all(b"ab").expect("into the buffer");
    assert!(file.written.borrow().is_empty());
    writer.write_all(b"\xC3").expect("into the buffer");
    writer.flush().expect("no error");
    assert_eq!(*file.written.borrow(), b"\0a\0b");
    writer.write_all(b"\xA9\xE2").expect("into the buffer");
    drop(writer);
    assert_eq!(*file.written.borrow(), b"\0a\0b\0\xE9");

    let file = SharedWriter::default();
    let mut writer = Writer::new(file.clone(), Scheme::Utf8).with_policy(Repair::REPLACE);
    writer.write_all(b"a\xE2\x82").expect("into the buffer");
    drop(writer);
    assert_eq!(*file.written.borrow(), "a\u{FFFD}".as_bytes());

    let mut output = [0; 5];
    let mut writer = Writer::new(&mut output[..], Scheme::Utf16Le);
    writer.write_all(b"abc").expect("into the buffer");
    assert_eq!(writer.finish().expect_err("full").kind(), ErrorKind::WriteZero);
    drop(writer);
    assert_eq!(&output, b"a\0b\0c");

    // A mark without text, and an empty text without a mark.
    let mark = Writer::new(Vec::new(), Scheme::Utf32Be).with_mark().into_inner().expect("no text");
    assert_eq!(mark, Scheme::Utf32Be.byte_order_mark());
    assert_eq!(Writer::new(Vec::new(), Scheme::Utf8).into_inner().expect("no text"), b"");
    let mark = Writer::new(Vec::new(), Scheme::Latin1).with_mark().into_inner().expect("no text");
    assert_eq!(mark, b"");
}

/// A finished writer starts a new text, and continues to count offsets.
#[test]
fn a_writer_continues_after_its_end() {
    let mut writer = Writer::new(Vec::new(), Scheme::Utf16Le);
    writer.write_all(b"ab\xE2\x82").expect("an incomplete character");
    let error = writer.finish().expect_err("incomplete");
    let error: StreamError = stream_error(&error).expect("an error in the text");
    assert_eq!((error.offset(), error.kind()), (2, Kind::TooShort));
    writer.finish().expect("the error is reported only once");
    let error = writer.write_all(b"cd\x80e").expect_err("ill-formed");
    let error = stream_error(&error).expect("an error in the text");
    assert_eq!((error.offset(), error.read(), error.error_len()), (6, 3, Some(1)));
    assert_eq!(writer.taken(), 7);
    assert_eq!(writer.into_inner().expect("complete"), b"a\0b\0c\0d\0");
}

/// `?` converts a stream's error to an I/O error.
#[test]
fn stream_errors_convert_to_io_errors() {
    let convert = || -> io::Result<()> {
        let mut transcoder = ByteTranscoder::new(Scheme::Ascii, Scheme::Utf8);
        match transcoder.push(b"abc\xFF", &mut [0; 8]).stop {
            Stop::Error(error) => Err(error)?,
            _ => Ok(()),
        }
    };
    let error = convert().expect_err("not ASCII");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!(stream_error(&error).expect("an error in the text").offset(), 3);
    assert_eq!(stream_error(&io::Error::other("another error")), None);
}

/// The inner reader or writer can be borrowed, changed and taken back. A writer that cannot be
/// finished can be taken back from its error.
#[test]
fn inner_readers_and_writers_are_returned() {
    let mut reader = Reader::new(&b"a\nb"[..], Scheme::Utf8);
    assert_eq!(*reader.get_ref(), b"a\nb");
    *reader.get_mut() = b"c";
    assert_eq!(reader.next_str().expect("text"), Some("c"));
    assert!(reader.into_inner().is_empty());

    let mut writer = Writer::new(vec![1], Scheme::Utf16Be);
    assert_eq!(writer.scheme(), Scheme::Utf16Be);
    writer.write_all("é".as_bytes()).expect("memory");
    writer.flush().expect("memory");
    writer.get_mut().push(2);
    assert_eq!(*writer.get_ref(), [1, 0, 0xE9, 2]);
    writer.write_all(&"é".as_bytes()[..1]).expect("the beginning of a character");
    let error = writer.into_inner().expect_err("an incomplete character");
    assert_eq!(error.to_string(), error.error.to_string());
    assert!(format!("{error:?}").contains(&format!("{:?}", error.error)), "{error:?}");
    let text_error = stream_error(&error.error).expect("an error in the text");
    assert_eq!((text_error.offset(), text_error.is_incomplete()), (2, true));
    // Only the incomplete character is dropped.
    let writer = error.writer;
    assert_eq!(writer.into_inner().expect("the error is reported only once"), [1, 0, 0xE9, 2]);

    for into_error in [|error: IntoInnerError<Vec<u8>>| error.error, io::Error::from] {
        let mut writer = Writer::new(Vec::new(), Scheme::Utf16Be);
        writer.write_all(b"\xC3").expect("the beginning of a character");
        let error = into_error(writer.into_inner().expect_err("an incomplete character"));
        assert_eq!(stream_error(&error).map(|error| error.offset()), Some(0));
    }
}
