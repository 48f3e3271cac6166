//! Conversions with repairs: every form of them, against the standard library's definition of
//! ill-formed, character by character.

use std::collections::HashMap;
use std::sync::LazyLock;

use utflane::{ErrorKind, IllFormed, Policy, Repair, Scheme, Stop, Unmappable};

use super::api::{Api, Transcode};
use super::cesu8_wtf8::has_surrogates;
use super::lossy_api::LossyPair;
use super::oracle::{decode_for, encode};

/// The result for a part of the input: a character, or an error.
#[derive(Clone, Debug)]
pub struct Item {
    /// Bytes read.
    pub len: usize,
    /// Bytes written.
    pub out: Vec<u8>,
    /// True if it is a repair.
    pub repair: bool,
    /// True if it is an ill-formed sequence; otherwise a repair replaces a character that the
    /// target doesn't have.
    pub ill_formed: bool,
}

/// Ways to repair: each kind, with replacements of every size.
pub fn repairs() -> Vec<Repair> {
    use Unmappable::NumericReference;
    let repair = |ill_formed, unmappable| {
        Repair::REPLACE.on_ill_formed(ill_formed).on_unmappable(unmappable)
    };
    vec![
        Repair::REPLACE,
        Repair::SKIP,
        repair(IllFormed::Replace('?'), NumericReference),
        repair(IllFormed::Replace('é'), Unmappable::Replace('¿')),
        repair(IllFormed::Replace('😀'), Unmappable::Skip),
        repair(IllFormed::Latin1, NumericReference),
        repair(IllFormed::LookAlikeForTrustedInput, Unmappable::Replace('€')),
        repair(IllFormed::ReplaceAsJava, NumericReference),
        repair(IllFormed::ReplaceRuns, Unmappable::Replace('¿')),
    ]
}

/// `c`, or `?` where the encoding doesn't have it.
pub fn held(to: Scheme, c: char) -> Vec<u8> {
    let mut out = Vec::new();
    if !encode(to, c, &mut out) {
        out.push(b'?');
    }
    out
}

/// The parts of a text repaired by `repair`.
pub fn items(pair: &LossyPair, src: &[u8], repair: Repair) -> Vec<Item> {
    let policy = Policy::from(repair);
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    let (mut items, mut at) = (Vec::new(), 0);
    while at < src.len() {
        let decoded = decode_for(from, to, &src[at..]);
        for point in decoded.points {
            let mut bytes = Vec::new();
            assert!(encode(from, point, &mut bytes), "it was in there");
            let mut out = Vec::new();
            let known = encode(to, point, &mut out);
            if !known {
                out = unmapped(to, char::from_u32(point).expect("no surrogate"), policy);
            }
            items.push(Item { len: bytes.len(), out, repair: !known, ill_formed: false });
            at += bytes.len();
        }
        if let Some(fault) = decoded.fault {
            let rest = &src[at..];
            let (len, out) = wrong(from, to, rest, fault.len.unwrap_or(rest.len()), policy);
            let follows = items.last().is_some_and(|item: &Item| item.ill_formed);
            if follows && policy == policy.on_ill_formed(IllFormed::ReplaceRuns) {
                items.push(Item { len, out: Vec::new(), repair: false, ill_formed: true });
            } else {
                items.push(Item { len, out, repair: true, ill_formed: true });
            }
            at += len;
        }
    }
    items
}

/// The replacement of a character that `to` doesn't have.
fn unmapped(to: Scheme, c: char, policy: Policy) -> Vec<u8> {
    let policies = [Unmappable::Skip, Unmappable::NumericReference];
    if policy == policy.on_unmappable(policies[0]) {
        return Vec::new();
    }
    if policy == policy.on_unmappable(policies[1]) {
        return format!("&#{};", u32::from(c)).into_bytes();
    }
    let all = ['\u{FFFD}', '¿', '€'];
    let replacement = all.iter().find(|&&c| policy == policy.on_unmappable(Unmappable::Replace(c)));
    held(to, *replacement.expect("one of those in `repairs`"))
}

/// The replacement of the first `len` bytes of `rest`, which are ill-formed, and the number of
/// bytes that it replaces.
fn wrong(from: Scheme, to: Scheme, rest: &[u8], len: usize, policy: Policy) -> (usize, Vec<u8>) {
    let is = |ill_formed| policy == policy.on_ill_formed(ill_formed);
    if is(IllFormed::Skip) {
        // Surrogates that could form a pair are kept apart.
        let apart = has_surrogates(from) && has_surrogates(to);
        return (len, if apart { held(to, '\u{FFFD}') } else { Vec::new() });
    }
    if is(IllFormed::Latin1) && from.unit_size() == 1 {
        return (len, rest[..len].iter().flat_map(|&byte| held(to, byte.into())).collect());
    }
    if is(IllFormed::LookAlikeForTrustedInput)
        && from == Scheme::Utf8
        && let Some((c, looks)) = look_alike(rest)
    {
        return (looks, held(to, c));
    }
    if is(IllFormed::ReplaceAsJava) && from == Scheme::Utf8 {
        let len = match *rest {
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => 3,
            [0xED, 0xA0..=0xBF, ..] => 2,
            _ => len,
        };
        return (len, held(to, '\u{FFFD}'));
    }
    let all = ['?', 'é', '😀'];
    let replacement = all.iter().find(|&&c| is(IllFormed::Replace(c)));
    (len, held(to, *replacement.unwrap_or(&'\u{FFFD}')))
}

/// Writes `c` in `bytes` bytes, well-formed or not.
pub fn in_bytes(c: u32, bytes: usize) -> Vec<u8> {
    let lead = [0, 0, 0xC0, 0xE0, 0xF0][bytes] | (c >> (6 * (bytes - 1)));
    let mut out = vec![u8::try_from(lead).expect("it fits")];
    out.extend((0..bytes - 1).rev().map(|k| 0x80 | (c >> (6 * k) & 0x3F) as u8));
    out
}

/// The character that a text seems to begin with, and its bytes: the sequences listed one by one.
fn look_alike(src: &[u8]) -> Option<(char, usize)> {
    static OVERLONG: LazyLock<HashMap<Vec<u8>, char>> = LazyLock::new(|| {
        let chars = |end: u32| (0..end).filter_map(char::from_u32);
        let all = |end, bytes| chars(end).map(move |c| (in_bytes(c.into(), bytes), c));
        all(0x80, 2).chain(all(0x800, 3)).chain(all(0x1_0000, 4)).collect()
    });
    for len in 2..=4.min(src.len()) {
        if let Some(&c) = OVERLONG.get(&src[..len]) {
            return Some((c, len));
        }
    }
    let six = src.first_chunk::<6>()?;
    let half = |bytes: &[u8]| match *bytes {
        [0xED, b1 @ 0xA0..=0xBF, b2 @ 0x80..=0xBF] => {
            Some(0xD000 | u16::from(b1 & 0x3F) << 6 | u16::from(b2 & 0x3F))
        }
        _ => None,
    };
    let pair = [half(&six[..3])?, half(&six[3..])?];
    String::from_utf16(&pair).ok()?.chars().next().map(|c| (c, 6))
}

/// The total of `items`: bytes, and repairs.
fn total(items: &[Item]) -> (Vec<u8>, usize) {
    let out = items.iter().flat_map(|item| item.out.iter().copied()).collect();
    (out, items.iter().filter(|item| item.repair).count())
}

/// The part that fits into `capacity` bytes: bytes read and written, repairs.
fn within(items: &[Item], capacity: usize) -> (usize, usize, usize) {
    let (mut read, mut written, mut repairs) = (0, 0, 0);
    for item in items {
        if written + item.out.len() > capacity {
            break;
        }
        read += item.len;
        written += item.out.len();
        repairs += usize::from(item.repair);
    }
    (read, written, repairs)
}

/// The byte around an output, and the number of such bytes.
const CANARY: u8 = 0xC5;
const AROUND: usize = 64;

/// Every conversion of `src` with repairs, into outputs of these sizes: a positive size is the
/// number of bytes more than the whole result takes, a negative one the number of bytes less.
pub fn check_lossy(pair: &LossyPair, src: &[u8], repair: Repair, sizes: &[isize]) {
    let items = items(pair, src, repair);
    let (want, repairs) = total(&items);
    let context = |api| format!("{pair}, {api:?}, {repair:?} of {src:02X?}");
    let most = (pair.max_len_lossy)(src.len() / pair.from.unit, repair).expect("no overflow");
    assert!(want.len() <= most * pair.to.unit, "{}", context(Api::Free));
    for &api in Api::all() {
        let (got, count) = (pair.lossy)(api, src, repair);
        assert_eq!((&got, count), (&want, repairs), "{}", context(api));
        let before = super::oracle::encode_all(pair.to.scheme, ['a'; 3]);
        let mut out = before.clone();
        let count = (pair.lossy_append)(api, src, repair, &mut out);
        assert_eq!(count, repairs, "{}", context(api));
        assert!(out.strip_prefix(&before[..]) == Some(&want[..]), "append, {}", context(api));
        assert_eq!((pair.len_lossy)(api, src, repair), want.len(), "len, {}", context(api));
        let measured = (pair.measure_lossy)(api, src, repair);
        assert_eq!(measured, (want.len(), repairs), "measure, {}", context(api));
        for &size in sizes {
            let capacity = want.len().saturating_add_signed(size) / pair.to.unit * pair.to.unit;
            check_into(pair, api, src, repair, &items, capacity);
        }
    }
}

/// A conversion into `capacity` bytes.
fn check_into(
    pair: &LossyPair,
    api: Api,
    src: &[u8],
    repair: Repair,
    items: &[Item],
    capacity: usize,
) {
    let mut storage = vec![u32::from_ne_bytes([CANARY; 4]); (capacity + 2 * AROUND).div_ceil(4)];
    // SAFETY: units and bytes may have any bits.
    let storage = unsafe { storage.align_to_mut::<u8>() }.1;
    let progress = (pair.lossy_into)(api, src, repair, &mut storage[AROUND..AROUND + capacity]);
    let (read, written) = (progress.read * pair.from.unit, progress.written * pair.to.unit);
    let context = || format!("into {capacity}, {pair}, {api:?}, {repair:?} of {src:02X?}");
    assert_eq!((read, written, progress.repairs), within(items, capacity), "{}", context());
    let done = matches!(progress.stop, Stop::Done);
    assert_eq!(done, read == src.len(), "{}", context());
    let want = total(items).0;
    assert!(storage[AROUND..AROUND + written] == want[..written], "{}", context());
    let around = storage[..AROUND].iter().chain(&storage[AROUND + capacity..]);
    assert!(around.copied().all(|byte| byte == CANARY), "outside, {}", context());
}

/// The operations whose encodings are known at run time only.
pub fn check_lossy_schemes(pair: &LossyPair, src: &[u8], repair: Repair) {
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    let items = items(pair, src, repair);
    let (want, repairs) = total(&items);
    let context = || format!("{from} to {to}, {repair:?} of {src:02X?}");
    let mut out = b"before".to_vec();
    assert_eq!(from.transcode_lossy_append(src, to, repair, &mut out), repairs, "{}", context());
    assert!(out.strip_prefix(b"before") == Some(&want[..]), "{}", context());
    assert_eq!(from.len_lossy(src, to, repair), want.len(), "{}", context());
    let measured = from.measure_lossy(src, to, repair);
    assert_eq!((measured.len, measured.repairs), (want.len(), repairs), "{}", context());
    for capacity in [want.len() + 40, want.len(), want.len() / 2] {
        let mut dst = vec![CANARY; capacity];
        let progress = from.transcode_lossy_into(src, to, repair, &mut dst);
        let got = (progress.read, progress.written, progress.repairs);
        assert_eq!(got, within(&items, capacity), "into {capacity}, {}", context());
        assert!(dst[..got.1] == want[..got.1], "into {capacity}, {}", context());
    }
}

/// A stream with a policy that repairs everything: chunks of `cuts` units and outputs of
/// `capacities` units, again and again.
pub fn check_lossy_stream(
    pair: &LossyPair,
    src: &[u8],
    repair: Repair,
    cuts: &[usize],
    capacities: &[usize],
) {
    let (want, repairs) = total(&items(pair, src, repair));
    for &api in Api::all() {
        let mut transcoder = (pair.lossy_transcoder)(api, repair.into());
        for round in 1..=2 {
            let got = stream(pair, transcoder.as_mut(), src, cuts, capacities, &mut |stop| {
                panic!("{pair}, {api:?}, {repair:?}: {stop:?}")
            });
            let context = format!(
                "stream, {pair}, {api:?}, {repair:?}, cuts {cuts:?}, capacities {capacities:?} \
                 of {src:02X?}"
            );
            assert!(got == want, "{context}: {got:02X?} instead of {want:02X?}");
            assert_eq!(transcoder.repairs(), round * repairs as u64, "{context}");
        }
    }
}

/// A stream that stops at ill-formed sequences, or at unmappable characters, and repairs the other
/// kind.
pub fn check_half_strict_stream(pair: &LossyPair, src: &[u8], repair: Repair, cuts: &[usize]) {
    let whole = Policy::from(repair);
    for strict in [true, false] {
        // An error is a maximal subpart, even if it looks like a character.
        let repair = if strict { repair.on_ill_formed(IllFormed::REPLACE) } else { repair };
        let all = items(pair, src, repair);
        // The one of the two policies that is kept.
        let policy = if strict { unmappable_of(repair) } else { ill_formed_of(repair) };
        let stops = |item: &&Item| item.repair && item.ill_formed == strict;
        let kept: Vec<_> = all.iter().filter(|item| !stops(item)).cloned().collect();
        let (want, repairs) = total(&kept);
        for &api in Api::all() {
            let mut transcoder = (pair.lossy_transcoder)(api, policy);
            let mut errors = 0;
            let got = stream(pair, transcoder.as_mut(), src, cuts, &[64], &mut |stop| {
                let Stop::Error(error) = stop else { panic!("{stop:?}") };
                assert_eq!(error.kind() == ErrorKind::Unmappable, !strict, "{pair}, {api:?}");
                errors += 1;
            });
            let context = format!("{pair}, {api:?}, {policy:?} of {whole:?}, {src:02X?}");
            assert!(got == want, "{context}: {got:02X?} instead of {want:02X?}");
            assert_eq!(transcoder.repairs(), repairs as u64, "{context}");
            assert_eq!(errors, all.iter().filter(stops).count(), "{context}");
        }
    }
}

/// The part of a repair for ill-formed sequences, for streams that stop at other errors.
fn ill_formed_of(repair: Repair) -> Policy {
    let found = [
        IllFormed::REPLACE,
        IllFormed::Skip,
        IllFormed::Replace('?'),
        IllFormed::Replace('é'),
        IllFormed::Replace('😀'),
        IllFormed::Latin1,
        IllFormed::LookAlikeForTrustedInput,
        IllFormed::ReplaceAsJava,
        IllFormed::ReplaceRuns,
    ]
    .into_iter()
    .find(|&way| repair == repair.on_ill_formed(way));
    Policy::STOP.on_ill_formed(found.expect("one of those in `repairs`"))
}

/// The part for characters that the target doesn't have.
fn unmappable_of(repair: Repair) -> Policy {
    let found = [
        Unmappable::Replace('\u{FFFD}'),
        Unmappable::Replace('¿'),
        Unmappable::Replace('€'),
        Unmappable::Skip,
        Unmappable::NumericReference,
    ]
    .into_iter()
    .find(|&way| repair == repair.on_unmappable(way));
    Policy::STOP.on_unmappable(found.expect("one of those in `repairs`"))
}

/// The output of a stream. Errors are passed to `hear`, and the stream continues after them.
fn stream(
    pair: &LossyPair,
    transcoder: &mut dyn Transcode,
    src: &[u8],
    cuts: &[usize],
    capacities: &[usize],
    hear: &mut dyn FnMut(Stop<utflane::StreamError>),
) -> Vec<u8> {
    let mut storage = vec![0u32; 1024];
    // SAFETY: units and bytes may have any bits.
    let storage = unsafe { storage.align_to_mut::<u8>() }.1;
    let (mut out, mut at) = (Vec::new(), 0);
    let (mut cuts, mut capacities) = (cuts.iter().cycle(), capacities.iter().cycle());
    while at < src.len() {
        let end = (at + cuts.next().expect("endless") * pair.from.unit).min(src.len());
        let mut enlarge = false;
        loop {
            let capacity = capacities.next().expect("endless") * pair.to.unit;
            let capacity = if enlarge { storage.len() } else { capacity.min(storage.len()) };
            let progress = transcoder.push(&src[at..end], &mut storage[..capacity]);
            let written = progress.written * pair.to.unit;
            out.extend_from_slice(&storage[..written]);
            at += progress.read * pair.from.unit;
            match progress.stop {
                Stop::Done => break,
                Stop::OutputFull => enlarge = written == 0,
                stop @ Stop::Error(_) => hear(stop),
            }
        }
        assert_eq!(at, end, "done means read");
    }
    let mut capacity = 0;
    loop {
        let progress = transcoder.finish(&mut storage[..capacity]);
        out.extend_from_slice(&storage[..progress.written * pair.to.unit]);
        match progress.stop {
            Stop::Done => return out,
            Stop::OutputFull => capacity = 64,
            // The bytes after the error may be another one.
            stop @ Stop::Error(_) => hear(stop),
        }
    }
}
