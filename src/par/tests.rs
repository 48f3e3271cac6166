//! Many splits of short texts, for every pair of schemes: the results must equal the results of the
//! sequential functions. The program in `tests/par.rs` tests long texts.

use super::split;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::VecMut;
use crate::owned::ConversionToVec;

/// Returns segments of text in a scheme: characters of every length, and ill-formed sequences. Some
/// of these look like other sequences if they are split.
fn segments(scheme: Scheme) -> Vec<Vec<u8>> {
    let mut segments = Vec::new();
    for text in ["a", "b\n", "é", "漢", "\u{FFFD}", "😀", "\0"] {
        let mut segment = Vec::new();
        if Scheme::Utf8.transcode_append(text.as_bytes(), scheme, &mut segment).is_ok() {
            segments.push(segment);
        }
    }
    let ill_formed: &[&[u8]] = match scheme.unit_size() {
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
    segments.extend(ill_formed.iter().map(|segment| segment.to_vec()));
    segments
}

/// Returns texts of such segments: well-formed texts, texts with one error, and texts with many
/// errors.
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
    for segment in &segments {
        sources.push([text(&well_formed, 9), segment.clone(), text(&well_formed, 9)].concat());
        sources.push([text(&well_formed, 9), segment.clone()].concat());
    }
    // Add a text with an incomplete code unit at the end.
    if scheme.unit_size() > 1 {
        let mut truncated = text(&well_formed, 9);
        truncated.pop();
        sources.push(truncated);
    }
    sources
}

/// Returns every `step`-th size of a part, from 1 to one more than the length of the text.
fn part_sizes(len: usize, step: usize) -> impl Iterator<Item = usize> {
    (1..len + 2).step_by(step)
}

#[test]
fn parts_cover_the_text() {
    for &scheme in Scheme::ALL {
        for src in sources(scheme) {
            for part_size in part_sizes(src.len(), 1) {
                let parts = split::split_text(scheme, &src, part_size);
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
fn validation_equals_sequential() {
    for &scheme in Scheme::ALL {
        for src in sources(scheme) {
            let want = scheme.validate(&src);
            for part_size in part_sizes(src.len(), 1) {
                let got = split::validate(validation(scheme), &src, part_size);
                assert_eq!(got, want, "{scheme}, {part_size} of {src:X?}");
            }
        }
    }
}

#[test]
fn measures_equal_sequential() {
    let kernel = Kernel::active();
    for &from in Scheme::ALL {
        for src in sources(from) {
            for part_size in part_sizes(src.len(), 3) {
                let want = pairs::count(from)(&src, kernel);
                let got = split::measure(from, pairs::count(from), &src, part_size);
                assert_eq!(got, want, "{from}, {part_size} of {src:X?}");
                for &to in Scheme::ALL {
                    let want = pairs::len(from, to)(&src, kernel);
                    let got = split::measure(from, pairs::len(from, to), &src, part_size);
                    assert_eq!(got, want, "{from} to {to}, {part_size} of {src:X?}");
                }
            }
        }
    }
}

#[test]
fn conversions_equal_sequential() {
    for (i, (&from, &to)) in
        Scheme::ALL.iter().flat_map(|from| Scheme::ALL.iter().map(move |to| (from, to))).enumerate()
    {
        let to_vec = ConversionToVec::new(pairs::transcode(from, to), 1);
        for src in sources(from) {
            let mut want = b"before".to_vec();
            let result = from.transcode_append(&src, to, &mut want);
            for part_size in part_sizes(src.len(), 5).map(|part_size| part_size + i % 5) {
                let mut got = b"before".to_vec();
                let len = pairs::len(from, to);
                let appended = split::append(&to_vec, len, &src, part_size, VecMut::U8(&mut got));
                assert_eq!(appended, result, "{from} to {to}, {part_size} of {src:X?}");
                assert!(
                    got == want,
                    "{from} to {to}, {part_size} of {src:X?}: {got:X?}, {want:X?}"
                );
            }
        }
    }
}
