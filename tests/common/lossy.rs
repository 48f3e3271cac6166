//! Checks of all conversions with repairs, character by character. The standard library defines
//! which sequences are ill-formed.

use std::collections::HashMap;
use std::sync::LazyLock;

use utflane::{ErrorKind, IllFormed, Policy, Repair, Scheme, Stop, Unmappable};

use super::api::Api;
use super::cesu8_wtf8::has_surrogates;
use super::checks::{filled_words, is_filled_with};
use super::oracle::{decode_for, encode};
use super::pairs::{Pair, Transcode};

/// The result for a part of the input: for one character, or for one error.
#[derive(Clone, Debug)]
pub struct Item {
    /// The number of bytes read.
    pub len: usize,
    /// The bytes written.
    pub out: Vec<u8>,
    /// True if the result counts as a repair.
    pub repair: bool,
    /// True if the input is an ill-formed sequence. If it is false and `repair` is true, the input
    /// is an unmappable character.
    pub ill_formed: bool,
}

/// Returns policies that repair everything: each kind, with replacements of every UTF-8 length.
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

/// Encodes `c`, or `?` if the encoding `to` lacks `c`.
pub fn encode_or_question_mark(to: Scheme, c: char) -> Vec<u8> {
    let mut out = Vec::new();
    if !encode(to, c, &mut out) {
        out.push(b'?');
    }
    out
}

/// Returns the results for all parts of `src`, repaired by `repair`.
pub fn items(pair: &Pair, src: &[u8], repair: Repair) -> Vec<Item> {
    let policy = Policy::from(repair);
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    let (mut items, mut at) = (Vec::new(), 0);
    while at < src.len() {
        let decoded = decode_for(from, to, &src[at..]);
        for point in decoded.points {
            let mut bytes = Vec::new();
            assert!(encode(from, point, &mut bytes), "the source encoding has its own characters");
            let mut out = Vec::new();
            let is_mappable = encode(to, point, &mut out);
            if !is_mappable {
                out = replace_unmappable(to, char::from_u32(point).expect("no surrogate"), policy);
            }
            items.push(Item { len: bytes.len(), out, repair: !is_mappable, ill_formed: false });
            at += bytes.len();
        }
        if let Some(fault) = decoded.fault {
            let rest = &src[at..];
            let fault_len = fault.len.unwrap_or(rest.len());
            let (len, out) = replace_ill_formed(from, to, rest, fault_len, policy);
            let continues_run = items.last().is_some_and(|item: &Item| item.ill_formed);
            if continues_run && policy == policy.on_ill_formed(IllFormed::ReplaceRuns) {
                items.push(Item { len, out: Vec::new(), repair: false, ill_formed: true });
            } else {
                items.push(Item { len, out, repair: true, ill_formed: true });
            }
            at += len;
        }
    }
    items
}

/// Returns the replacement of a character that the encoding `to` lacks.
fn replace_unmappable(to: Scheme, c: char, policy: Policy) -> Vec<u8> {
    let policies = [Unmappable::Skip, Unmappable::NumericReference];
    if policy == policy.on_unmappable(policies[0]) {
        return Vec::new();
    }
    if policy == policy.on_unmappable(policies[1]) {
        return format!("&#{};", u32::from(c)).into_bytes();
    }
    let all = ['\u{FFFD}', '¿', '€'];
    let replacement = all.iter().find(|&&c| policy == policy.on_unmappable(Unmappable::Replace(c)));
    encode_or_question_mark(to, *replacement.expect("`repairs` lists the policy"))
}

/// Replaces the ill-formed sequence of `len` bytes at the start of `rest`. Returns the number of
/// bytes that are replaced, which may exceed `len`, and the replacement.
fn replace_ill_formed(
    from: Scheme,
    to: Scheme,
    rest: &[u8],
    len: usize,
    policy: Policy,
) -> (usize, Vec<u8>) {
    let is = |ill_formed| policy == policy.on_ill_formed(ill_formed);
    if is(IllFormed::Skip) {
        // If the sequence between two surrogates were skipped, they could form a pair. So U+FFFD
        // replaces it.
        let needs_separator = has_surrogates(from) && has_surrogates(to);
        return (
            len,
            if needs_separator { encode_or_question_mark(to, '\u{FFFD}') } else { Vec::new() },
        );
    }
    if is(IllFormed::Latin1) && from.unit_size() == 1 {
        return (
            len,
            rest[..len].iter().flat_map(|&byte| encode_or_question_mark(to, byte.into())).collect(),
        );
    }
    if is(IllFormed::LookAlikeForTrustedInput)
        && from == Scheme::Utf8
        && let Some((c, look_alike_len)) = look_alike(rest)
    {
        return (look_alike_len, encode_or_question_mark(to, c));
    }
    if is(IllFormed::ReplaceAsJava) && from == Scheme::Utf8 {
        let len = match *rest {
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => 3,
            [0xED, 0xA0..=0xBF, ..] => 2,
            _ => len,
        };
        return (len, encode_or_question_mark(to, '\u{FFFD}'));
    }
    let all = ['?', 'é', '😀'];
    let replacement = all.iter().find(|&&c| is(IllFormed::Replace(c)));
    (len, encode_or_question_mark(to, *replacement.unwrap_or(&'\u{FFFD}')))
}

/// Encodes `c` in `bytes` bytes, even if this is an overlong form or `c` is a surrogate.
pub fn in_bytes(c: u32, bytes: usize) -> Vec<u8> {
    let lead = [0, 0, 0xC0, 0xE0, 0xF0][bytes] | (c >> (6 * (bytes - 1)));
    let mut out = vec![u8::try_from(lead).expect("`c` fits into the bytes")];
    out.extend((0..bytes - 1).rev().map(|k| 0x80 | (c >> (6 * k) & 0x3F) as u8));
    out
}

/// Returns the character that the ill-formed start of a text looks like, and the number of its
/// bytes. Searches in a list of all overlong forms, and decodes pairs of three-byte surrogates.
fn look_alike(src: &[u8]) -> Option<(char, usize)> {
    static OVERLONG: LazyLock<HashMap<Vec<u8>, char>> = LazyLock::new(|| {
        let chars_below = |end: u32| (0..end).filter_map(char::from_u32);
        let forms = |end, bytes| chars_below(end).map(move |c| (in_bytes(c.into(), bytes), c));
        forms(0x80, 2).chain(forms(0x800, 3)).chain(forms(0x1_0000, 4)).collect()
    });
    for len in 2..=4.min(src.len()) {
        if let Some(&c) = OVERLONG.get(&src[..len]) {
            return Some((c, len));
        }
    }
    let six_bytes = src.first_chunk::<6>()?;
    let surrogate = |bytes: &[u8]| match *bytes {
        [0xED, b1 @ 0xA0..=0xBF, b2 @ 0x80..=0xBF] => {
            Some(0xD000 | u16::from(b1 & 0x3F) << 6 | u16::from(b2 & 0x3F))
        }
        _ => None,
    };
    let pair = [surrogate(&six_bytes[..3])?, surrogate(&six_bytes[3..])?];
    String::from_utf16(&pair).ok()?.chars().next().map(|c| (c, 6))
}

/// Returns the whole output of `items`, and the number of repairs.
fn total(items: &[Item]) -> (Vec<u8>, usize) {
    let out = items.iter().flat_map(|item| item.out.iter().copied()).collect();
    (out, items.iter().filter(|item| item.repair).count())
}

/// Returns the expected results for an output of `capacity` bytes: the number of bytes read, the
/// number of bytes written, and the number of repairs.
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

/// The value of the bytes around an output.
const CANARY: u8 = 0xC5;
/// The number of canary bytes on each side of an output.
const CANARIES: usize = 64;

/// Checks every conversion of `src` with repairs. The capacities of the outputs are the length of
/// the whole result in bytes plus each number in `extra_bytes`, which may be negative.
pub fn check_lossy(pair: &Pair, src: &[u8], repair: Repair, extra_bytes: &[isize]) {
    let items = items(pair, src, repair);
    let (want, repairs) = total(&items);
    let context = |api| format!("{pair}, {api:?}, {repair:?} of {src:02X?}");
    let max_len =
        pair.max_len_lossy(src.len() / pair.from.element_bytes, repair).expect("no overflow");
    assert!(want.len() <= max_len * pair.to.element_bytes, "{}", context(Api::Free));
    for &api in Api::all() {
        let (got, count) = pair.lossy(api, src, repair);
        assert_eq!((&got, count), (&want, repairs), "{}", context(api));
        let before = super::oracle::encode_all(pair.to.scheme, ['a'; 3]);
        let mut out = before.clone();
        let count = pair.lossy_append(api, src, repair, &mut out);
        assert_eq!(count, repairs, "{}", context(api));
        assert!(out.strip_prefix(&before[..]) == Some(&want[..]), "append, {}", context(api));
        let measured = pair.measure_lossy(api, src, repair);
        assert_eq!(measured, (want.len(), repairs), "measure, {}", context(api));
        for &extra in extra_bytes {
            let capacity = want.len().saturating_add_signed(extra) / pair.to.element_bytes
                * pair.to.element_bytes;
            check_into(pair, api, src, repair, &items, capacity);
        }
    }
}

/// Checks the conversion of `src` into an output of `capacity` bytes. `items` are the expected
/// results.
fn check_into(pair: &Pair, api: Api, src: &[u8], repair: Repair, items: &[Item], capacity: usize) {
    let mut storage = filled_words(capacity + 2 * CANARIES, CANARY);
    // SAFETY: any bits are valid for `u64` and for `u8`.
    let storage = unsafe { storage.align_to_mut::<u8>() }.1;
    let progress = pair.lossy_into(api, src, repair, &mut storage[CANARIES..CANARIES + capacity]);
    let (read, written) =
        (progress.read * pair.from.element_bytes, progress.written * pair.to.element_bytes);
    let context = || format!("into {capacity}, {pair}, {api:?}, {repair:?} of {src:02X?}");
    assert_eq!((read, written, progress.repairs), within(items, capacity), "{}", context());
    let done = matches!(progress.stop, Stop::Done);
    assert_eq!(done, read == src.len(), "{}", context());
    let want = total(items).0;
    assert!(storage[CANARIES..CANARIES + written] == want[..written], "{}", context());
    for around in [&storage[..CANARIES], &storage[CANARIES + capacity..]] {
        assert!(is_filled_with(around, CANARY), "wrote outside, {}", context());
    }
}

/// Checks the operations of `Scheme` that repair, whose encodings are chosen at run time.
pub fn check_lossy_schemes(pair: &Pair, src: &[u8], repair: Repair) {
    let (from, to) = (pair.from.scheme, pair.to.scheme);
    let items = items(pair, src, repair);
    let (want, repairs) = total(&items);
    let context = || format!("{from} to {to}, {repair:?} of {src:02X?}");
    let mut out = b"before".to_vec();
    assert_eq!(from.transcode_lossy_append(src, to, repair, &mut out), repairs, "{}", context());
    assert!(out.strip_prefix(b"before") == Some(&want[..]), "{}", context());
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

/// Checks a stream with a policy that repairs everything. The lengths of chunks and the capacities
/// of outputs are `chunk_lens` and `capacities`, both in units and used in a cycle.
pub fn check_lossy_stream(
    pair: &Pair,
    src: &[u8],
    repair: Repair,
    chunk_lens: &[usize],
    capacities: &[usize],
) {
    let (want, repairs) = total(&items(pair, src, repair));
    for &api in Api::all() {
        let mut transcoder = pair.lossy_transcoder(api, repair.into());
        for round in 1..=2 {
            let got = transcode_stream(
                pair,
                transcoder.as_mut(),
                src,
                chunk_lens,
                capacities,
                &mut |stop| panic!("{pair}, {api:?}, {repair:?}: {stop:?}"),
            );
            let context = format!(
                "stream, {pair}, {api:?}, {repair:?}, {chunk_lens:?}, {capacities:?} \
                 of {src:02X?}"
            );
            assert!(got == want, "{context}: {got:02X?} instead of {want:02X?}");
            assert_eq!(transcoder.repairs(), round * repairs as u64, "{context}");
        }
    }
}

/// Checks two streams: one stops at ill-formed sequences and repairs unmappable characters, and the
/// other stops at unmappable characters and repairs ill-formed sequences.
pub fn check_stream_that_stops_at_one_kind(
    pair: &Pair,
    src: &[u8],
    repair: Repair,
    chunk_lens: &[usize],
) {
    let original_policy = Policy::from(repair);
    for stops_at_ill_formed in [true, false] {
        // A reported error is a maximal subpart, even if it looks like a character.
        let repair =
            if stops_at_ill_formed { repair.on_ill_formed(IllFormed::REPLACE) } else { repair };
        let all = items(pair, src, repair);
        let policy =
            if stops_at_ill_formed { unmappable_policy(repair) } else { ill_formed_policy(repair) };
        let stops = |item: &&Item| item.repair && item.ill_formed == stops_at_ill_formed;
        let kept: Vec<_> = all.iter().filter(|item| !stops(item)).cloned().collect();
        let (want, repairs) = total(&kept);
        for &api in Api::all() {
            let mut transcoder = pair.lossy_transcoder(api, policy);
            let mut errors = 0;
            let got =
                transcode_stream(pair, transcoder.as_mut(), src, chunk_lens, &[64], &mut |stop| {
                    let Stop::Error(error) = stop else { panic!("{stop:?}") };
                    let is_unmappable = error.kind() == ErrorKind::Unmappable;
                    assert_eq!(is_unmappable, !stops_at_ill_formed, "{pair}, {api:?}");
                    errors += 1;
                });
            let context = format!("{pair}, {api:?}, {policy:?} of {original_policy:?}, {src:02X?}");
            assert!(got == want, "{context}: {got:02X?} instead of {want:02X?}");
            assert_eq!(transcoder.repairs(), repairs as u64, "{context}");
            assert_eq!(errors, all.iter().filter(stops).count(), "{context}");
        }
    }
}

/// Returns a policy that repairs ill-formed sequences as `repair` does, and stops at unmappable
/// characters.
fn ill_formed_policy(repair: Repair) -> Policy {
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
    .find(|&policy| repair == repair.on_ill_formed(policy));
    Policy::STOP.on_ill_formed(found.expect("`repairs` lists the policy"))
}

/// Returns a policy that repairs unmappable characters as `repair` does, and stops at ill-formed
/// sequences.
fn unmappable_policy(repair: Repair) -> Policy {
    let found = [
        Unmappable::Replace('\u{FFFD}'),
        Unmappable::Replace('¿'),
        Unmappable::Replace('€'),
        Unmappable::Skip,
        Unmappable::NumericReference,
    ]
    .into_iter()
    .find(|&policy| repair == repair.on_unmappable(policy));
    Policy::STOP.on_unmappable(found.expect("`repairs` lists the policy"))
}

/// Transcodes `src` as a stream and returns its output. Passes errors to `on_error`, and continues
/// after them.
fn transcode_stream(
    pair: &Pair,
    transcoder: &mut dyn Transcode,
    src: &[u8],
    chunk_lens: &[usize],
    capacities: &[usize],
    on_error: &mut dyn FnMut(Stop<utflane::StreamError>),
) -> Vec<u8> {
    let mut storage = vec![0u32; 1024];
    // SAFETY: any bits are valid for `u32` and for `u8`.
    let storage = unsafe { storage.align_to_mut::<u8>() }.1;
    let (mut out, mut at) = (Vec::new(), 0);
    let (mut chunk_lens, mut capacities) = (chunk_lens.iter().cycle(), capacities.iter().cycle());
    while at < src.len() {
        let end = (at + chunk_lens.next().expect("the cycle is endless") * pair.from.element_bytes)
            .min(src.len());
        let mut enlarge = false;
        loop {
            let capacity = capacities.next().expect("the cycle is endless") * pair.to.element_bytes;
            let capacity = if enlarge { storage.len() } else { capacity.min(storage.len()) };
            let progress = transcoder.push(&src[at..end], &mut storage[..capacity]);
            let written = progress.written * pair.to.element_bytes;
            out.extend_from_slice(&storage[..written]);
            at += progress.read * pair.from.element_bytes;
            match progress.stop {
                Stop::Done => break,
                Stop::OutputFull => enlarge = written == 0,
                stop @ Stop::Error(_) => on_error(stop),
            }
        }
        assert_eq!(at, end, "done before the end of the chunk");
    }
    let mut capacity = 0;
    loop {
        let progress = transcoder.finish(&mut storage[..capacity]);
        out.extend_from_slice(&storage[..progress.written * pair.to.element_bytes]);
        match progress.stop {
            Stop::Done => return out,
            Stop::OutputFull => capacity = 64,
            // The bytes after this error may be another error.
            stop @ Stop::Error(_) => on_error(stop),
        }
    }
}
