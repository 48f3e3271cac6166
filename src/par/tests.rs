//! Every split of short texts, for every pair of schemes: the result is the same as of the
//! sequential functions. The program in `tests/par.rs` tests long texts.

use super::split;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::VecMut;
use crate::index::Index;
use crate::owned::ConversionToVec;
use crate::types::position::Metric;

/// Segments of text in a scheme: characters of every length, and ill-formed sequences, those that
/// look like others where they are cut among them.
fn segments(scheme: Scheme) -> Vec<Vec<u8>> {
    let mut segments = Vec::new();
    for text in ["a", "b\n", "é", "漢", "\u{FFFD}", "😀", "\0"] {
        let mut segment = Vec::new();
        if Scheme::Utf8.transcode_append(text.as_bytes(), scheme, &mut segment).is_ok() {
            segments.push(segment);
        }
    }
    let wrong: &[&[u8]] = match scheme.unit_size() {
        1 => &[
            b"\xFF",
            b"\x80",
            b"\xC3",
            b"\xE6\xBC",
            b"\xF0\x9F\x98",
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xED\xA0\xBD\xED",
            b"\x80\x80\x80\x80\x80\x80\x80",
            b"\xC0\x80",
        ],
        2 => &[b"\x3D\xD8", b"\xD8\x3D", b"\0\xDE", b"\xDE\0", b"\x3D\xD8\x3D\xD8\0\xDE"],
        _ => &[b"\0\xD8\0\0", b"\0\0\xD8\0", b"\xFF\xFF\xFF\xFF"],
    };
    segments.extend(wrong.iter().map(|segment| segment.to_vec()));
    segments
}

/// Texts of such segments: well-formed, with one error, and with many.
fn sources(scheme: Scheme) -> Vec<Vec<u8>> {
    let segments = segments(scheme);
    let well_formed: Vec<_> =
        segments.iter().filter(|segment| scheme.validate(segment).is_ok()).cloned().collect();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    let mut text = |segments: &[Vec<u8>], count: usize| -> Vec<u8> {
        (0..count).flat_map(|_| segments[random(segments.len())].clone()).collect()
    };
    let mut sources = vec![Vec::new(), text(&well_formed, 1)];
    for count in [3, 12, 40] {
        sources.push(text(&well_formed, count));
        sources.push(text(&segments, count));
    }
    for wrong in &segments {
        sources.push([text(&well_formed, 9), wrong.clone(), text(&well_formed, 9)].concat());
        sources.push([text(&well_formed, 9), wrong.clone()].concat());
    }
    // A fragment of a unit at the end.
    if scheme.unit_size() > 1 {
        let mut cut = text(&well_formed, 9);
        cut.pop();
        sources.push(cut);
    }
    sources
}

/// Sizes of parts: every one that is shorter than the text, or some.
fn sizes(len: usize, step: usize) -> impl Iterator<Item = usize> {
    (1..len + 2).step_by(step)
}

#[test]
fn parts_are_the_text() {
    for &scheme in Scheme::ALL {
        for src in sources(scheme) {
            for size in sizes(src.len(), 1) {
                let parts = split::parts(scheme, &src, size);
                let mut end = 0;
                for part in &parts {
                    assert_eq!(part.start, end);
                    assert!(!part.is_empty() || src.is_empty());
                    // Parts of a well-formed text are well-formed.
                    let is_valid = scheme.validate(&src).is_err() || {
                        scheme.validate(&src[part.clone()]).is_ok()
                    };
                    assert!(is_valid, "{scheme}, {part:?} of {src:X?}");
                    end = part.end;
                }
                assert_eq!(end, src.len());
            }
        }
    }
}

#[test]
fn validations() {
    for &scheme in Scheme::ALL {
        for src in sources(scheme) {
            let want = scheme.validate(&src);
            for size in sizes(src.len(), 1) {
                let got = split::validate(validation(scheme), &src, size);
                assert_eq!(got, want, "{scheme}, {size} of {src:X?}");
            }
        }
    }
}

#[test]
fn measures() {
    let kernel = Kernel::active();
    for &from in Scheme::ALL {
        for src in sources(from) {
            for size in sizes(src.len(), 3) {
                let want = pairs::count(from)(&src, kernel);
                let got = split::measure(from, pairs::count(from), &src, size);
                assert_eq!(got, want, "{from}, {size} of {src:X?}");
                for &to in Scheme::ALL {
                    let want = pairs::len(from, to)(&src, kernel);
                    let got = split::measure(from, pairs::len(from, to), &src, size);
                    assert_eq!(got, want, "{from} to {to}, {size} of {src:X?}");
                }
            }
        }
    }
}

#[test]
fn conversions() {
    for (i, (&from, &to)) in
        Scheme::ALL.iter().flat_map(|from| Scheme::ALL.iter().map(move |to| (from, to))).enumerate()
    {
        let to_vec = ConversionToVec::new(pairs::transcode(from, to), 1);
        for src in sources(from) {
            let mut want = b"before".to_vec();
            let result = from.transcode_append(&src, to, &mut want);
            for size in sizes(src.len(), 5).map(|size| size + i % 5) {
                let mut got = b"before".to_vec();
                let len = pairs::len(from, to);
                let appended = split::append(&to_vec, len, &src, size, VecMut::U8(&mut got));
                assert_eq!(appended, result, "{from} to {to}, {size} of {src:X?}");
                assert!(got == want, "{from} to {to}, {size} of {src:X?}: {got:X?}, {want:X?}");
            }
        }
    }
}

#[test]
fn indexes() {
    let unit = "plain text\n, русский, 漢字 and 😀\r\n".as_bytes();
    for len in [0, 1, 1023, 1024, 1025, 40_000, 32 * 1024, 100_001] {
        let src: Vec<u8> = unit.iter().copied().cycle().take(len).collect();
        let want = Index::new(&src);
        for size in [1, 1024, 5000, 33_000, 200_000] {
            let got = split::index(&src, size);
            assert_eq!(got.size(), want.size());
            assert_eq!(format!("{got:?}"), format!("{want:?}"));
            for metric in [Metric::CodePoints, Metric::Utf16] {
                for n in (0..=len).step_by(509) {
                    assert_eq!(got.offset_of(n, metric), want.offset_of(n, metric));
                    assert_eq!(got.position_of(n, metric), want.position_of(n, metric));
                }
            }
        }
    }
}
