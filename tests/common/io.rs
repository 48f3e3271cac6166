//! Readers and writers of `utflane::io` compared with the standard library, over inner ones that
//! behave as badly as the traits allow.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::detect::{Detection, detect, detect_prefix};
use utflane::io::{Decoded, Reader, Unmarked, Writer, read_text, read_to_string, stream_error};
use utflane::{IllFormed, Policy, Scheme, Unmappable};

use super::detect::marked;
use super::oracle::{self, Fault};

/// How an inner reader or writer behaves.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// The most bytes that it takes or gives at once; if negative, the number is drawn at random.
    pub most: isize,
    /// One call in `interrupts` is interrupted; none if 0.
    pub interrupts: u32,
    /// One call in `fails` fails; none if 0.
    pub fails: u32,
    pub seed: u64,
}

impl Manners {
    /// The best behaviour.
    pub const GOOD: Self = Self { most: isize::MAX, interrupts: 0, fails: 0, seed: 0 };

    /// Bytes one by one.
    pub const SLOW: Self = Self { most: 1, ..Self::GOOD };

    /// Every kind of failure.
    pub const fn bad(most: isize, seed: u64) -> Self {
        Self { most: -most, interrupts: 4, fails: 5, seed }
    }
}

/// An inner reader or writer.
pub struct Rough<T> {
    pub inner: T,
    /// The number of its failures.
    pub failed: usize,
    manners: Manners,
    rng: StdRng,
}

impl<T> Rough<T> {
    pub fn new(inner: T, manners: Manners) -> Self {
        Self { inner, failed: 0, manners, rng: StdRng::seed_from_u64(manners.seed) }
    }

    /// The number of bytes that this call transfers, if any.
    fn next(&mut self, len: usize) -> io::Result<usize> {
        let Manners { most, interrupts, fails, .. } = self.manners;
        if interrupts > 0 && self.rng.random_range(0..interrupts) == 0 {
            return Err(ErrorKind::Interrupted.into());
        }
        if fails > 0 && self.rng.random_range(0..fails) == 0 {
            self.failed += 1;
            return Err(io::Error::new(ErrorKind::ConnectionReset, "rough"));
        }
        let limit = most.unsigned_abs();
        Ok(len.min(if most < 0 { self.rng.random_range(1..=limit) } else { limit }))
    }
}

impl<R: Read> Read for Rough<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = self.next(dst.len())?;
        self.inner.read(&mut dst[..len])
    }
}

impl Write for Rough<Vec<u8>> {
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        let len = self.next(src.len())?;
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
    /// Its position in the stream, and its length if it is complete.
    Wrong(u64, Option<usize>),
}

/// The beginning of a text, for messages.
fn start_of(src: &[u8]) -> &[u8] {
    &src[..src.len().min(200)]
}

/// Asserts that two values are equal, without printing all of them.
fn same<T: std::fmt::Debug + PartialEq>(got: &T, want: &T, context: &str) {
    if got != want {
        let (got, want) = (format!("{got:?}"), format!("{want:?}"));
        let same = got.bytes().zip(want.bytes()).take_while(|(a, b)| a == b).count();
        panic!(
            "{context}: differs at {same}: {:.100?}, not {:.100?}",
            got.get(same..),
            want.get(same..)
        );
    }
}

/// The items of the text `src`, after a mark of `mark` bytes.
fn items(scheme: Scheme, src: &[u8], mark: usize) -> Vec<Item> {
    let (mut items, mut at) = (Vec::new(), mark);
    loop {
        let decoded = oracle::decode_for(scheme, Scheme::Utf8, &src[at..]);
        if !decoded.points.is_empty() {
            items.push(Item::Text(decoded.chars().collect()));
        }
        let Some(Fault { at: valid, len, .. }) = decoded.fault else { return items };
        items.push(Item::Wrong((at + valid) as u64, len));
        let Some(len) = len else { return items };
        at += valid + len;
    }
}

/// Returns true if an item is an ill-formed sequence.
fn is_wrong(item: &Item) -> bool {
    matches!(item, Item::Wrong(..))
}

/// The same text with all errors repaired in this way, and the number of repairs.
fn repaired(scheme: Scheme, src: &[u8], items: &[Item], how: IllFormed) -> (String, u64) {
    let (mut text, mut repairs) = (String::new(), 0);
    // The end of the last sequence that was replaced.
    let mut replaced = usize::MAX;
    for item in items {
        match item {
            Item::Text(part) => text.push_str(part),
            Item::Wrong(at, len) => {
                let at = usize::try_from(*at).expect("tests are short");
                let end = len.map_or(src.len(), |len| at + len);
                if at == replaced && how == IllFormed::ReplaceRuns {
                    replaced = end;
                    continue;
                }
                if how == IllFormed::ReplaceAsJava && scheme == Scheme::Utf8 {
                    if replaced != usize::MAX && at < replaced {
                        continue;
                    }
                    replaced = match src[at..] {
                        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => at + 3,
                        [0xED, 0xA0..=0xBF, ..] => at + 2,
                        _ => end,
                    };
                } else {
                    replaced = end;
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

/// The methods to take text from a reader.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    NextStr,
    /// Some of the available characters.
    FillStr,
    /// Some of the available bytes.
    FillBuf,
    /// Into an output of this number of bytes.
    Read(usize),
    ReadToEnd,
    ReadToString,
    ReadLine,
    ReadUntil,
}

/// All of them.
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

/// Takes some text, and appends it to `out`, also before an error. Returns false at the end.
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
                // A debug build finds ill-formed text here.
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
            let ready = reader.fill_buf()?;
            let end = ready.len().min(rng.random_range(1..50));
            out.extend_from_slice(&ready[..end]);
            // It ends with a whole character, wherever it begins.
            let begin = ready.iter().position(|byte| !(0x80..0xC0).contains(byte));
            let whole = &ready[begin.unwrap_or(ready.len())..];
            assert!(std::str::from_utf8(whole).is_ok(), "{whole:02x?}");
            let inside = begin.is_some_and(|begin| begin > 0);
            if inside {
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
            // After the existing text.
            let mut text = String::from("front");
            let result = reader.read_to_string(&mut text);
            let text = text.strip_prefix("front").expect("what was there");
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

/// Everything that a reader returns until it reports the end. Each failure of the inner one is
/// reported once.
fn drain(way: Way, reader: &mut Reader<Rough<&[u8]>>) -> Vec<Item> {
    let (mut items, mut text) = (Vec::new(), Vec::new());
    let mut failed = reader.get_ref().failed;
    let mut rng = StdRng::seed_from_u64(1);
    let close = |text: &mut Vec<u8>, items: &mut Vec<Item>| {
        let whole =
            String::from_utf8(std::mem::take(text)).expect("an error is between characters");
        if !whole.is_empty() {
            items.push(Item::Text(whole));
        }
    };
    loop {
        match take(way, reader, &mut rng, &mut text) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => match stream_error(&error) {
                Some(wrong) => {
                    assert_eq!((error.kind(), wrong.read()), (ErrorKind::InvalidData, 0));
                    close(&mut text, &mut items);
                    items.push(Item::Wrong(wrong.offset(), wrong.error_len()));
                }
                // As the inner reader made it.
                None => {
                    assert_eq!(error.to_string(), "rough");
                    failed += 1;
                }
            },
        }
    }
    assert_eq!(reader.get_ref().failed, failed);
    close(&mut text, &mut items);
    items
}

/// Makes a reader over any text.
pub type Make<'m> = &'m dyn for<'a> Fn(Rough<&'a [u8]>) -> Reader<Rough<&'a [u8]>>;

/// Reads `src`: everything that a reader returns, by each of some methods.
pub fn check_reader(scheme: Scheme, src: &[u8], capacity: usize, manners: Manners, ways: &[Way]) {
    check_marked(scheme, src, 0, capacity, manners, ways, &|inner| Reader::new(inner, scheme));
}

/// The same for readers made by `make`, of texts after a mark of `mark` bytes.
pub fn check_marked(
    scheme: Scheme,
    src: &[u8],
    mark: usize,
    capacity: usize,
    manners: Manners,
    ways: &[Way],
    make: Make<'_>,
) {
    let want = items(scheme, src, mark);
    for &way in ways {
        let context =
            || format!("{scheme}, {way:?}, {capacity}, {manners:?}, of {:02x?}", start_of(src));
        let mut reader = make(Rough::new(src, manners)).with_capacity(capacity);
        let got = drain(way, &mut reader);
        same(&got, &want, &context());
        assert_eq!(reader.scheme(), Some(scheme), "{}", context());
        assert_eq!((reader.has_mark(), reader.repairs()), (mark > 0, 0), "{}", context());
        assert!(drain(way, &mut reader).is_empty(), "{}: not the end", context());
    }
}

/// Ways to repair.
pub const REPAIRS: [IllFormed; 7] = [
    IllFormed::REPLACE,
    IllFormed::Replace('?'),
    IllFormed::Replace('\u{1F4A5}'),
    IllFormed::Skip,
    IllFormed::Latin1,
    IllFormed::ReplaceAsJava,
    IllFormed::ReplaceRuns,
];

/// Reads `src` with repairs.
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
        same(&got, &want, &context());
        assert_eq!(reader.repairs(), repairs, "{}", context());
        assert!(drain(way, &mut reader).is_empty(), "{}: not the end", context());
    }
}

/// The bytes that a writer makes of `src`, and the errors in it: positions, lengths, and whether
/// the end cuts the last one.
struct Written {
    out: Vec<u8>,
    wrong: Vec<Item>,
}

fn written(scheme: Scheme, src: &[u8], mark: bool) -> Written {
    let mut out = if mark { scheme.byte_order_mark().to_vec() } else { Vec::new() };
    let (mut wrong, mut at) = (Vec::new(), 0);
    while at < src.len() {
        let part = oracle::expect(Scheme::Utf8, scheme, &src[at..]);
        at += part.ends[part.ends.len() - 1].0;
        out.extend(part.out);
        let Some(Fault { len, .. }) = part.fault else { break };
        wrong.push(Item::Wrong(at as u64, len));
        at += len.unwrap_or(src.len());
    }
    Written { out, wrong }
}

/// Writes `src` in segments of these sizes, again and again, and continues after every error.
pub fn check_writer(scheme: Scheme, src: &[u8], capacity: usize, manners: Manners, cuts: &[usize]) {
    for (mark, all) in [(false, false), (true, false), (true, true)] {
        // The error of `write_all` contains the number of bytes taken only if it is an error of the
        // text.
        let manners = if all { Manners { fails: 0, ..manners } } else { manners };
        let context = || {
            format!("{scheme}, {all}, {capacity}, {manners:?}, {cuts:?}, of {:02x?}", start_of(src))
        };
        let want = written(scheme, src, mark);
        let mut writer =
            Writer::new(Rough::new(Vec::new(), manners), scheme).with_capacity(capacity);
        if mark {
            writer = writer.with_mark();
        }
        let (mut wrong, mut failed, mut start) = (Vec::new(), 0, 0);
        let mut cuts = cuts.iter().copied().cycle();
        while start < src.len() {
            let end = src.len().min(start + cuts.next().expect("endless"));
            let mut segment = &src[start..end];
            while !segment.is_empty() {
                assert_eq!(writer.taken(), (end - segment.len()) as u64, "{}", context());
                let result = if all {
                    writer.write_all(segment).map(|()| segment.len())
                } else {
                    writer.write(segment)
                };
                let taken = result.unwrap_or_else(|error| {
                    let taken = stream_error(&error).map_or(0, |wrong| wrong.read());
                    failed += tell(&error, &mut wrong);
                    if taken == 0 && stream_error(&error).is_none() {
                        assert!(!all, "{}", context());
                    }
                    taken
                });
                segment = &segment[taken..];
            }
            start = end;
            if end % 3 == 0
                && let Err(error) = writer.flush()
            {
                failed += tell(&error, &mut wrong);
            }
        }
        let inner = loop {
            match writer.into_inner() {
                Ok(inner) => break inner,
                Err(error) => {
                    failed += tell(error.error(), &mut wrong);
                    writer = error.into_writer();
                }
            }
        };
        same(&inner.inner, &want.out, &context());
        assert_eq!((wrong, inner.failed), (want.wrong, failed), "{}", context());
    }
}

/// Records an error of the text; any other must be the inner writer's, and is counted.
fn tell(error: &io::Error, wrong: &mut Vec<Item>) -> usize {
    match stream_error(error) {
        Some(error) => {
            wrong.push(Item::Wrong(error.offset(), error.error_len()));
            0
        }
        None => {
            assert_eq!(error.to_string(), "rough");
            1
        }
    }
}

/// Writes `src` with repairs, and with one of three replacements for characters that the scheme
/// doesn't have.
pub fn check_written_repairs(scheme: Scheme, src: &[u8], manners: Manners, cuts: &[usize]) {
    let unmappables = [Unmappable::Replace('!'), Unmappable::Skip, Unmappable::NumericReference];
    for (how, unmappable) in REPAIRS.into_iter().zip(unmappables.into_iter().cycle()) {
        let (mut want, mut repairs) = (Vec::new(), 0);
        let items = items(Scheme::Utf8, src, 0);
        for items in items.chunk_by(|a, b| is_wrong(a) && is_wrong(b)) {
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
                let (text, more) = repaired(Scheme::Utf8, src, items, how);
                repairs += more;
                for c in text.chars() {
                    if !oracle::encode(scheme, c, &mut want) {
                        want.push(b'?');
                    }
                }
            }
        }
        let policy = Policy::STOP.on_ill_formed(how).on_unmappable(unmappable);
        let context =
            || format!("{scheme}, {policy:?}, {manners:?}, {cuts:?}, of {:02x?}", start_of(src));
        let mut writer = Writer::new(Rough::new(Vec::new(), manners), scheme)
            .with_policy(policy)
            .with_capacity(64);
        let (mut start, mut cuts) = (0, cuts.iter().copied().cycle());
        while start < src.len() {
            let end = src.len().min(start + cuts.next().expect("endless"));
            writer.write_all(&src[start..end]).expect("everything is repaired");
            start = end;
        }
        writer.finish().expect("everything is repaired");
        assert_eq!(writer.repairs(), repairs, "{}", context());
        let got = writer.into_inner().expect("nothing is left").inner;
        same(&got, &want, &context());
    }
}

/// The detected scheme of a text, and the length of its mark.
fn taken_for(found: Detection) -> (Scheme, usize) {
    match found.closest() {
        Scheme::Ascii => (Scheme::Utf8, 0),
        scheme => (scheme, found.mark_len()),
    }
}

/// Reads `src` in the detected scheme: detected from as much of it as a buffer of at least 64 bytes
/// holds.
pub fn check_detected(src: &[u8], capacity: usize, manners: Manners, ways: &[Way]) {
    let found = match src.get(..capacity) {
        Some(beginning) => detect_prefix(beginning),
        None => detect(src),
    };
    if found.mixture().is_some() || detect(src).mixture().is_some() {
        return check_mixed(src, capacity, Manners { fails: 0, ..manners }, ways);
    }
    let (scheme, mark) = taken_for(found);
    let make: Make<'_> = &|inner| Reader::marked(inner, Unmarked::Detect);
    check_marked(scheme, src, mark, capacity, manners, ways, make);
}

/// Reads `src`, which may be in several encodings: whole characters up to an error that says so.
/// There is one at least where all of `src` fits into the buffer.
fn check_mixed(src: &[u8], capacity: usize, manners: Manners, ways: &[Way]) {
    for &way in ways {
        let context = || format!("{way:?}, {capacity}, {manners:?}, of {:02x?}", start_of(src));
        let inner = Rough::new(src, manners);
        let mut reader = Reader::marked(inner, Unmarked::Detect).with_capacity(capacity);
        let (mut rng, mut text) = (StdRng::seed_from_u64(1), Vec::new());
        let refused = loop {
            match take(way, &mut reader, &mut rng, &mut text) {
                Ok(true) => {}
                Ok(false) => break false,
                Err(error) if stream_error(&error).is_some() => {}
                Err(error) => break is_mixed(&error),
            }
        };
        assert!(refused || src.len() >= capacity, "{}", context());
        assert!(String::from_utf8(text).is_ok(), "{}", context());
    }
}

/// Returns true if an error says that a text is in several encodings.
fn is_mixed(error: &io::Error) -> bool {
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    error.to_string().starts_with("mixed: ")
}

/// Reads `src` as a whole: in the scheme that its mark names, or else in `unmarked`, or else in the
/// detected scheme.
pub fn check_whole(unmarked: Option<Scheme>, src: &[u8], manners: Manners) {
    let (scheme, mark) = match (unmarked, marked(src)) {
        (Some(_), Some(scheme)) => (scheme, scheme.byte_order_mark().len()),
        (Some(scheme), None) => (scheme, 0),
        (None, _) => taken_for(detect(src)),
    };
    let context = || format!("{unmarked:?}, {scheme}, {manners:?}, of {:02x?}", start_of(src));
    if unmarked.is_none() && detect(src).mixture().is_some() {
        for policy in
            [Policy::STOP].into_iter().chain(REPAIRS.map(|how| Policy::STOP.on_ill_formed(how)))
        {
            let inner = Rough::new(src, Manners { fails: 0, ..manners });
            let error = read_text(inner, Unmarked::Detect, policy).expect_err("mixed");
            assert!(is_mixed(&error), "{}", context());
        }
        return;
    }
    let items = items(scheme, src, mark);
    let wrong = items.iter().find(|item| matches!(item, Item::Wrong(..)));
    let unmarked = unmarked.map_or(Unmarked::Detect, Unmarked::Scheme);
    let inner = || Rough::new(src, Manners { fails: 0, ..manners });
    for how in REPAIRS {
        let (text, repairs) = repaired(scheme, src, &items, how);
        let policy = Policy::STOP.on_ill_formed(how);
        let got = read_text(inner(), unmarked, policy).expect("everything is repaired");
        let want = Decoded { text, scheme, has_mark: mark > 0, repairs };
        same(&got, &want, &context());
    }
    let mut strict = vec![read_text(inner(), unmarked, Policy::STOP).map(|decoded| decoded.text)];
    if unmarked == Unmarked::Scheme(Scheme::Utf8) {
        strict.push(read_to_string(inner()));
    }
    for got in strict {
        match got {
            Ok(text) => {
                let want = if text.is_empty() { vec![] } else { vec![Item::Text(text)] };
                same(&want, &items, &context());
            }
            Err(error) => {
                let error = stream_error(&error).expect("an error of the text");
                let got = Item::Wrong(error.offset(), error.error_len());
                assert_eq!(Some(&got), wrong, "{}", context());
            }
        }
    }
}
