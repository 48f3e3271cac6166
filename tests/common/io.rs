//! Checks of the readers and writers of `utflane::io`, compared with the standard library. The
//! inner readers and writers behave as badly as the traits allow.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::io::{Decoded, Reader, Writer, read_text, read_to_string, stream_error};
use utflane::{IllFormed, Policy, Scheme, Unmappable};

use super::marks::marked;
use super::oracle::{self, Fault};

/// The behaviour of an inner reader or writer.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// The maximum number of bytes that one call transfers. If it is negative, each call draws a
    /// random limit from 1 to its absolute value.
    pub most: isize,
    /// On average, one call in `interrupts` is interrupted; with 0, no call is.
    pub interrupts: u32,
    /// On average, one call in `fails` fails; with 0, no call does.
    pub fails: u32,
    /// The seed of the random choices.
    pub seed: u64,
}

impl Manners {
    /// Each call transfers as many bytes as possible, and no call fails.
    pub const GOOD: Self = Self { most: isize::MAX, interrupts: 0, fails: 0, seed: 0 };

    /// Each call transfers one byte, and no call fails.
    pub const SLOW: Self = Self { most: 1, ..Self::GOOD };

    /// Each call transfers a random number of bytes up to `most`; some calls are interrupted, and
    /// some fail.
    pub const fn bad(most: isize, seed: u64) -> Self {
        Self { most: -most, interrupts: 4, fails: 5, seed }
    }
}

/// The message of the errors that [`Rough`] returns.
const INJECTED_FAILURE: &str = "injected failure";

/// A reader or writer that behaves as [`Manners`] says; it is tested as the inner reader or writer.
pub struct Rough<T> {
    pub inner: T,
    /// The number of calls that have failed so far.
    pub failed: usize,
    manners: Manners,
    rng: StdRng,
}

impl<T> Rough<T> {
    pub fn new(inner: T, manners: Manners) -> Self {
        Self { inner, failed: 0, manners, rng: StdRng::seed_from_u64(manners.seed) }
    }

    /// Returns how many of `len` bytes the current call transfers, or the error that it returns.
    fn transfer_len(&mut self, len: usize) -> io::Result<usize> {
        let Manners { most, interrupts, fails, .. } = self.manners;
        if interrupts > 0 && self.rng.random_range(0..interrupts) == 0 {
            return Err(ErrorKind::Interrupted.into());
        }
        if fails > 0 && self.rng.random_range(0..fails) == 0 {
            self.failed += 1;
            return Err(io::Error::new(ErrorKind::ConnectionReset, INJECTED_FAILURE));
        }
        let limit = most.unsigned_abs();
        Ok(len.min(if most < 0 { self.rng.random_range(1..=limit) } else { limit }))
    }
}

impl<R: Read> Read for Rough<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = self.transfer_len(dst.len())?;
        self.inner.read(&mut dst[..len])
    }
}

impl Write for Rough<Vec<u8>> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        let len = self.transfer_len(src.len())?;
        self.inner.write(&src[..len])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An item that a reader returns: text or an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Text(String),
    /// An ill-formed sequence: its byte offset in the stream, and its length in bytes. The length
    /// is `None` if the sequence is incomplete.
    IllFormed(u64, Option<usize>),
}

/// Returns the first bytes of a text, for messages.
fn start_of(src: &[u8]) -> &[u8] {
    &src[..src.len().min(200)]
}

/// Asserts that two values are equal. The message shows only the start of the difference.
fn assert_same<T: std::fmt::Debug + PartialEq>(got: &T, want: &T, context: &str) {
    if got != want {
        let (got, want) = (format!("{got:?}"), format!("{want:?}"));
        let common_len = got.bytes().zip(want.bytes()).take_while(|(a, b)| a == b).count();
        panic!(
            "{context}: differs at {common_len}: {:.100?}, not {:.100?}",
            got.get(common_len..),
            want.get(common_len..)
        );
    }
}

/// Returns the items that a reader of `src` returns, after a byte order mark of `mark_len` bytes.
fn items(scheme: Scheme, src: &[u8], mark_len: usize) -> Vec<Item> {
    let (mut items, mut at) = (Vec::new(), mark_len);
    loop {
        let decoded = oracle::decode_for(scheme, Scheme::Utf8, &src[at..]);
        if !decoded.points.is_empty() {
            items.push(Item::Text(decoded.chars().collect()));
        }
        let Some(Fault { at: valid, len, .. }) = decoded.fault else { return items };
        items.push(Item::IllFormed((at + valid) as u64, len));
        let Some(len) = len else { return items };
        at += valid + len;
    }
}

/// Returns true if an item is an ill-formed sequence.
fn is_ill_formed(item: &Item) -> bool {
    matches!(item, Item::IllFormed(..))
}

/// Repairs all errors in `items`, the items of `src`, by the policy `how`. Returns the text and the
/// number of repairs.
fn repaired(scheme: Scheme, src: &[u8], items: &[Item], how: IllFormed) -> (String, u64) {
    let (mut text, mut repairs) = (String::new(), 0);
    // The end of the last sequence that was replaced.
    let mut replaced_end = None;
    for item in items {
        match item {
            Item::Text(part) => text.push_str(part),
            Item::IllFormed(at, len) => {
                let at = usize::try_from(*at).expect("tests are short");
                let end = len.map_or(src.len(), |len| at + len);
                if replaced_end == Some(at) && how == IllFormed::ReplaceRuns {
                    replaced_end = Some(end);
                    continue;
                }
                if how == IllFormed::ReplaceAsJava && scheme == Scheme::Utf8 {
                    if replaced_end.is_some_and(|replaced_end| at < replaced_end) {
                        continue;
                    }
                    replaced_end = Some(match src[at..] {
                        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => at + 3,
                        [0xED, 0xA0..=0xBF, ..] => at + 2,
                        _ => end,
                    });
                } else {
                    replaced_end = Some(end);
                }
                repairs += 1;
                match how {
                    IllFormed::Replace(c) => text.push(c),
                    IllFormed::Skip => {}
                    IllFormed::Latin1 if scheme.unit_size() == 1 => {
                        text.extend(src[at..end].iter().map(|&byte| char::from(byte)));
                    }
                    _ => text.push(char::REPLACEMENT_CHARACTER),
                }
            }
        }
    }
    (text, repairs)
}

/// A method to take text from a reader.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    NextStr,
    /// `fill_str`, after which a random number of the available characters is consumed.
    FillStr,
    /// `fill_buf`, after which a random number of the available bytes is consumed.
    FillBuf,
    /// `read` into an output of this capacity, in bytes.
    Read(usize),
    ReadToEnd,
    ReadToString,
    ReadLine,
    ReadUntil,
}

/// All methods to take text from a reader.
pub const WAYS: [Way; 10] = [
    Way::NextStr,
    Way::FillStr,
    Way::FillBuf,
    Way::Read(1),
    Way::Read(7),
    Way::Read(100_000),
    Way::ReadToEnd,
    Way::ReadToString,
    Way::ReadLine,
    Way::ReadUntil,
];

/// Takes some text from the reader and appends it to `out`. If the method returns text before an
/// error, that text is appended too. Returns false at the end of the text.
fn take<R: Read>(
    way: Way,
    reader: &mut Reader<R>,
    rng: &mut StdRng,
    out: &mut Vec<u8>,
) -> io::Result<bool> {
    let before = out.len();
    match way {
        Way::NextStr => match reader.next_str()? {
            Some(text) => {
                assert!(!text.is_empty());
                // A `&str` that is not UTF-8 would be a bug in the library.
                assert_eq!(std::str::from_utf8(text.as_bytes()), Ok(text));
                out.extend_from_slice(text.as_bytes());
            }
            None => return Ok(false),
        },
        Way::FillStr => {
            let text = reader.fill_str()?;
            assert_eq!(std::str::from_utf8(text.as_bytes()), Ok(text));
            let mut end = text.len().min(rng.random_range(1..300));
            while !text.is_char_boundary(end) {
                end += 1;
            }
            out.extend_from_slice(&text.as_bytes()[..end]);
            reader.consume(end);
        }
        Way::FillBuf => {
            let available = reader.fill_buf()?;
            let end = available.len().min(rng.random_range(1..50));
            out.extend_from_slice(&available[..end]);
            // The buffer may begin inside a character, but it ends after a whole character.
            let first_char = available.iter().position(|byte| !(0x80..0xC0).contains(byte));
            let whole = &available[first_char.unwrap_or(available.len())..];
            assert!(std::str::from_utf8(whole).is_ok(), "{whole:02x?}");
            let begins_inside = first_char.is_some_and(|first_char| first_char > 0);
            if begins_inside {
                let kind = reader.fill_str().expect_err("inside a character").kind();
                assert_eq!(kind, ErrorKind::InvalidInput);
            }
            reader.consume(end);
        }
        Way::Read(capacity) => {
            let mut dst = vec![0; capacity];
            let read = reader.read(&mut dst)?;
            out.extend_from_slice(&dst[..read]);
        }
        Way::ReadToEnd => {
            let result = reader.read_to_end(out);
            assert_eq!(result?, out.len() - before);
            return Ok(false);
        }
        Way::ReadToString => {
            // The method must append to the existing text.
            let mut text = String::from("before");
            let result = reader.read_to_string(&mut text);
            let text = text.strip_prefix("before").expect("the existing text is kept");
            out.extend_from_slice(text.as_bytes());
            assert_eq!(result?, text.len());
            return Ok(false);
        }
        Way::ReadLine => {
            let mut line = String::new();
            let result = reader.read_line(&mut line);
            out.extend_from_slice(line.as_bytes());
            result?;
        }
        Way::ReadUntil => {
            reader.read_until(b' ', out)?;
        }
    }
    Ok(out.len() > before)
}

/// Reads until the reader reports the end, and returns all its items. Asserts that each failure of
/// the inner reader is reported once.
fn drain(way: Way, reader: &mut Reader<Rough<&[u8]>>) -> Vec<Item> {
    let (mut items, mut text) = (Vec::new(), Vec::new());
    let mut failed = reader.get_ref().failed;
    let mut rng = StdRng::seed_from_u64(1);
    let push_text = |text: &mut Vec<u8>, items: &mut Vec<Item>| {
        let whole =
            String::from_utf8(std::mem::take(text)).expect("errors are not inside characters");
        if !whole.is_empty() {
            items.push(Item::Text(whole));
        }
    };
    loop {
        match take(way, reader, &mut rng, &mut text) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => match stream_error(&error) {
                Some(text_error) => {
                    assert_eq!((error.kind(), text_error.read()), (ErrorKind::InvalidData, 0));
                    push_text(&mut text, &mut items);
                    items.push(Item::IllFormed(text_error.offset(), text_error.error_len()));
                }
                // The reader must return the inner reader's error unchanged.
                None => {
                    assert_eq!(error.to_string(), INJECTED_FAILURE);
                    failed += 1;
                }
            },
        }
    }
    assert_eq!(reader.get_ref().failed, failed);
    push_text(&mut text, &mut items);
    items
}

/// A function that creates the reader under test from an inner reader.
pub type Make<'m> = &'m dyn for<'a> Fn(Rough<&'a [u8]>) -> Reader<Rough<&'a [u8]>>;

/// Reads `src` with each method in `ways`, and compares the items with the oracle's. `capacity` is
/// the reader's capacity in bytes.
pub fn check_reader(scheme: Scheme, src: &[u8], capacity: usize, manners: Manners, ways: &[Way]) {
    check_marked(scheme, src, 0, capacity, manners, ways, &|inner| Reader::new(inner, scheme));
}

/// Like [`check_reader`], with a reader that `make` creates. `src` begins with a byte order mark of
/// `mark_len` bytes.
pub fn check_marked(
    scheme: Scheme,
    src: &[u8],
    mark_len: usize,
    capacity: usize,
    manners: Manners,
    ways: &[Way],
    make: Make<'_>,
) {
    let want = items(scheme, src, mark_len);
    for &way in ways {
        let context =
            || format!("{scheme}, {way:?}, {capacity}, {manners:?}, of {:02x?}", start_of(src));
        let mut reader = make(Rough::new(src, manners)).with_capacity(capacity);
        let got = drain(way, &mut reader);
        assert_same(&got, &want, &context());
        assert_eq!(reader.scheme(), Some(scheme), "{}", context());
        assert_eq!((reader.has_mark(), reader.repairs()), (mark_len > 0, 0), "{}", context());
        assert!(drain(way, &mut reader).is_empty(), "{}: text after the end", context());
    }
}

/// Policies for ill-formed sequences.
pub const REPAIRS: [IllFormed; 7] = [
    IllFormed::REPLACE,
    IllFormed::Replace('?'),
    IllFormed::Replace('\u{1F4A5}'),
    IllFormed::Skip,
    IllFormed::Latin1,
    IllFormed::ReplaceAsJava,
    IllFormed::ReplaceRuns,
];

/// Reads `src` with each method in `ways`, each with one of the policies in [`REPAIRS`], and
/// compares the text and the number of repairs with the oracle's.
pub fn check_repairs(scheme: Scheme, src: &[u8], capacity: usize, manners: Manners, ways: &[Way]) {
    let items = items(scheme, src, 0);
    for (i, &way) in ways.iter().enumerate() {
        let how = REPAIRS[i % REPAIRS.len()];
        let (want, repairs) = repaired(scheme, src, &items, how);
        let context = || {
            format!(
                "{scheme}, {how:?}, {way:?}, {capacity}, {manners:?}, of {:02x?}",
                start_of(src)
            )
        };
        let mut reader = Reader::new(Rough::new(src, manners), scheme)
            .with_policy(Policy::STOP.on_ill_formed(how))
            .with_capacity(capacity);
        let got = drain(way, &mut reader);
        let want = if want.is_empty() { vec![] } else { vec![Item::Text(want)] };
        assert_same(&got, &want, &context());
        assert_eq!(reader.repairs(), repairs, "{}", context());
        assert!(drain(way, &mut reader).is_empty(), "{}: text after the end", context());
    }
}

/// The expected results of a writer.
struct Written {
    /// The bytes that the writer writes.
    out: Vec<u8>,
    /// The errors that it returns.
    errors: Vec<Item>,
}

/// Returns the expected results of a writer of `src` that continues after every error.
fn written(scheme: Scheme, src: &[u8], with_mark: bool) -> Written {
    let mut out = if with_mark { scheme.byte_order_mark().to_vec() } else { Vec::new() };
    let (mut errors, mut at) = (Vec::new(), 0);
    while at < src.len() {
        let part = oracle::expect(Scheme::Utf8, scheme, &src[at..]);
        at += part.ends[part.ends.len() - 1].0;
        out.extend(part.out);
        let Some(Fault { len, .. }) = part.fault else { break };
        errors.push(Item::IllFormed(at as u64, len));
        at += len.unwrap_or(src.len());
    }
    Written { out, errors }
}

/// Writes `src` in chunks whose lengths in bytes are `chunk_lens`, used in a cycle, and continues
/// after every error. Compares the bytes and the errors with the oracle's.
pub fn check_writer(
    scheme: Scheme,
    src: &[u8],
    capacity: usize,
    manners: Manners,
    chunk_lens: &[usize],
) {
    for (with_mark, use_write_all) in [(false, false), (true, false), (true, true)] {
        // An error of `write_all` tells how many bytes were taken only if it is an error in the
        // text. So the inner writer must not fail here.
        let manners = if use_write_all { Manners { fails: 0, ..manners } } else { manners };
        let context = || {
            format!(
                "{scheme}, {use_write_all}, {capacity}, {manners:?}, {chunk_lens:?}, of {:02x?}",
                start_of(src)
            )
        };
        let want = written(scheme, src, with_mark);
        let mut writer =
            Writer::new(Rough::new(Vec::new(), manners), scheme).with_capacity(capacity);
        if with_mark {
            writer = writer.with_mark();
        }
        let (mut errors, mut failed, mut start) = (Vec::new(), 0, 0);
        let mut chunk_lens = chunk_lens.iter().copied().cycle();
        while start < src.len() {
            let end = src.len().min(start + chunk_lens.next().expect("the cycle is endless"));
            let mut chunk = &src[start..end];
            while !chunk.is_empty() {
                assert_eq!(writer.taken(), (end - chunk.len()) as u64, "{}", context());
                let result = if use_write_all {
                    writer.write_all(chunk).map(|()| chunk.len())
                } else {
                    writer.write(chunk)
                };
                let taken = result.unwrap_or_else(|error| {
                    let taken = stream_error(&error).map_or(0, |text_error| text_error.read());
                    failed += record_error(&error, &mut errors);
                    if taken == 0 && stream_error(&error).is_none() {
                        assert!(!use_write_all, "{}", context());
                    }
                    taken
                });
                chunk = &chunk[taken..];
            }
            start = end;
            if end % 3 == 0
                && let Err(error) = writer.flush()
            {
                failed += record_error(&error, &mut errors);
            }
        }
        let inner = loop {
            match writer.into_inner() {
                Ok(inner) => break inner,
                Err(error) => {
                    failed += record_error(&error.error, &mut errors);
                    writer = error.writer;
                }
            }
        };
        assert_same(&inner.inner, &want.out, &context());
        assert_eq!((errors, inner.failed), (want.errors, failed), "{}", context());
    }
}

/// Appends an error in the text to `errors`, and returns 0. Any other error must come from the
/// inner writer; then returns 1.
fn record_error(error: &io::Error, errors: &mut Vec<Item>) -> usize {
    match stream_error(error) {
        Some(error) => {
            errors.push(Item::IllFormed(error.offset(), error.error_len()));
            0
        }
        None => {
            assert_eq!(error.to_string(), INJECTED_FAILURE);
            1
        }
    }
}

/// Writes `src` with each of the policies in [`REPAIRS`], each together with one of three policies
/// for unmappable characters. The lengths of chunks in bytes are `chunk_lens`, used in a cycle.
pub fn check_written_repairs(scheme: Scheme, src: &[u8], manners: Manners, chunk_lens: &[usize]) {
    let unmappables = [Unmappable::Replace('!'), Unmappable::Skip, Unmappable::NumericReference];
    for (how, unmappable) in REPAIRS.into_iter().zip(unmappables.into_iter().cycle()) {
        let (mut want, mut repairs) = (Vec::new(), 0);
        let items = items(Scheme::Utf8, src, 0);
        for items in items.chunk_by(|a, b| is_ill_formed(a) && is_ill_formed(b)) {
            if let [Item::Text(text)] = items {
                for c in text.chars() {
                    if !oracle::encode(scheme, c, &mut want) {
                        repairs += 1;
                        match unmappable {
                            Unmappable::Replace(_) => want.push(b'!'),
                            Unmappable::Skip => {}
                            _ => want.extend(format!("&#{};", u32::from(c)).into_bytes()),
                        }
                    }
                }
            } else {
                let (text, count) = repaired(Scheme::Utf8, src, items, how);
                repairs += count;
                for c in text.chars() {
                    if !oracle::encode(scheme, c, &mut want) {
                        want.push(b'?');
                    }
                }
            }
        }
        let policy = Policy::STOP.on_ill_formed(how).on_unmappable(unmappable);
        let context = || {
            format!("{scheme}, {policy:?}, {manners:?}, {chunk_lens:?}, of {:02x?}", start_of(src))
        };
        let mut writer = Writer::new(Rough::new(Vec::new(), manners), scheme)
            .with_policy(policy)
            .with_capacity(64);
        let (mut start, mut chunk_lens) = (0, chunk_lens.iter().copied().cycle());
        while start < src.len() {
            let end = src.len().min(start + chunk_lens.next().expect("the cycle is endless"));
            writer.write_all(&src[start..end]).expect("all errors are repaired");
            start = end;
        }
        writer.finish().expect("all errors are repaired");
        assert_eq!(writer.repairs(), repairs, "{}", context());
        let got = writer.into_inner().expect("all text is written").inner;
        assert_same(&got, &want, &context());
    }
}

/// Reads `src` as a whole: in the encoding of its byte order mark, or else in `unmarked`.
pub fn check_whole(unmarked: Scheme, src: &[u8], manners: Manners) {
    let scheme = marked(src).unwrap_or(unmarked);
    let mark_len = marked(src).map_or(0, |scheme| scheme.byte_order_mark().len());
    let context = || format!("{unmarked:?}, {scheme}, {manners:?}, of {:02x?}", start_of(src));
    let items = items(scheme, src, mark_len);
    let first_error = items.iter().find(|item| is_ill_formed(item));
    let inner = || Rough::new(src, Manners { fails: 0, ..manners });
    for how in REPAIRS {
        let (text, repairs) = repaired(scheme, src, &items, how);
        let policy = Policy::STOP.on_ill_formed(how);
        let got = read_text(inner(), unmarked, policy).expect("all errors are repaired");
        let want = Decoded { text, scheme, has_mark: mark_len > 0, repairs };
        assert_same(&got, &want, &context());
    }
    let mut strict = vec![read_text(inner(), unmarked, Policy::STOP).map(|decoded| decoded.text)];
    if unmarked == Scheme::Utf8 {
        strict.push(read_to_string(inner()));
    }
    for got in strict {
        match got {
            Ok(text) => {
                let want = if text.is_empty() { vec![] } else { vec![Item::Text(text)] };
                assert_same(&want, &items, &context());
            }
            Err(error) => {
                let error = stream_error(&error).expect("the error is in the text");
                let got = Item::IllFormed(error.offset(), error.error_len());
                assert_eq!(Some(&got), first_error, "{}", context());
            }
        }
    }
}
