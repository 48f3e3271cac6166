//! The policies in which several ill-formed sequences share a replacement, compared with the tables
//! of the documentation and with Java.

use crate::common::api::Api;
use crate::common::lossy::{check_lossy, check_lossy_schemes, check_lossy_stream};
use crate::common::pairs::{pair_named, pairs};
use crate::common::sampled_if_slow;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    IllFormed, Kernel, Repair, Transcoder, Utf8, Utf16, Utf16Be, Utf32, transcode_lossy,
};

/// Repairs `src` as UTF-8 on every kernel, and returns the text, which must be the same on all of
/// them.
fn repair_utf8(src: &[u8], ill_formed: IllFormed) -> String {
    let repair = Repair::REPLACE.on_ill_formed(ill_formed);
    let want = transcode_lossy::<Utf8, Utf8>(src, repair);
    let units: Vec<u16> = want.text.encode_utf16().collect();
    for kernel in Kernel::available() {
        let got = kernel.transcode_lossy::<Utf8, Utf8>(src, repair);
        assert_eq!(got, want, "{kernel:?}, {ill_formed:?} of {src:02X?}");
        let utf16 = kernel.transcode_lossy::<Utf8, Utf16>(src, repair);
        assert_eq!((utf16.text, utf16.repairs), (units.clone(), want.repairs), "{src:02X?}");
    }
    want.text
}

/// Returns the bytes that a cell of a table has in backticks, such as `E2 82`.
fn parse_bytes(cell: &str) -> Vec<u8> {
    let quoted = cell.split('`').nth(1).expect("bytes in backticks");
    quoted.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("a byte")).collect()
}

/// Checks the table with this header in `text`. The lines of `text` begin with `margin`. Returns
/// the number of rows of the table.
fn check_table(text: &str, margin: &str, header: &str) -> usize {
    let lines = text.lines().map(|line| line.trim_start().strip_prefix(margin).unwrap_or(""));
    let rows = lines.skip_while(|line| *line != header).skip(2).take_while(|line| !line.is_empty());
    let policies = [IllFormed::REPLACE, IllFormed::ReplaceAsJava, IllFormed::ReplaceRuns];
    let mut row_count = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let src = parse_bytes(cells[0]);
        assert_eq!(cells.len(), 1 + policies.len(), "{row}");
        for (cell, policy) in cells[1..].iter().zip(policies) {
            assert_eq!(repair_utf8(&src, policy), cell.trim_matches('`'), "{policy:?}, {row}");
        }
        row_count += 1;
    }
    row_count
}

#[test]
fn tables_of_the_documentation() {
    let header = "| hexadecimal bytes | `REPLACE` | `ReplaceAsJava` | `ReplaceRuns` |";
    assert_eq!(check_table(include_str!("../../src/types/policy.rs"), "/// ", header), 5);
    assert_eq!(check_table(include_str!("../../docs/replacements.md"), "", header), 20);
}

/// The texts to which Java 17 decoded 3,040 sequences of bytes.
#[test]
fn table_of_java() {
    let table = include_str!("../java/replacements.txt");
    assert_eq!(table.lines().count(), 3040);
    for (src, want) in table.lines().map(parse_line) {
        assert_eq!(repair_utf8(&src, IllFormed::ReplaceAsJava), want, "{src:02X?}");
    }
    // Sequences with ASCII between them are decoded independently of each other, also by Java.
    let lines: Vec<_> = table.lines().map(parse_line).collect();
    for lines in lines.chunks(50) {
        let src = lines.iter().flat_map(|(src, _)| [&src[..], b"-"].concat()).collect::<Vec<_>>();
        let want: String = lines.iter().flat_map(|(_, text)| [text, "-"]).collect();
        assert_eq!(repair_utf8(&src, IllFormed::ReplaceAsJava), want, "{src:02X?}");
    }
}

/// Returns the bytes and the text of a line of the table. The line has the code points of the text.
fn parse_line(line: &str) -> (Vec<u8>, String) {
    let (src, text) = line.split_once(' ').expect("bytes and a text");
    let hex = |digits| u32::from_str_radix(digits, 16).expect("hexadecimal digits");
    let pairs = src.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).expect("ASCII"));
    let src = pairs.map(|pair| u8::try_from(hex(pair)).expect("two digits")).collect();
    (src, text.split(' ').map(|point| char::from_u32(hex(point)).expect("no surrogate")).collect())
}

/// Random bytes are decoded by the Java of this machine, which also makes the table again.
#[cfg(not(target_family = "wasm"))]
#[test]
fn java_of_this_machine() {
    use std::fmt::Write as _;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use crate::common::{is_slow, say};

    if is_slow() {
        return say("policy of Java: compared only with its table, because tests are slow here");
    }
    // Cargo may start a program that was compiled for the same sources in another folder.
    let root = std::env::var("CARGO_MANIFEST_DIR")
        .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    let mut command = Command::new("java");
    command.args([&format!("{root}/tests/java/Replacements.java"), "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            return say(&format!("policy of Java: compared only with its table, no java: {error}"));
        }
    };
    let mut rng = StdRng::seed_from_u64(21);
    let pool = b"A\x80\x9F\xA0\xBF\xC2\xE0\xE1\xED\xED\xED\xEF\xF0\xF1\xF4\xF5";
    let mut lines = String::new();
    for _ in 0..20_000 {
        for _ in 0..rng.random_range(1..30) {
            let byte = pool[rng.random_range(0..pool.len())];
            write!(lines, "{byte:02X}").expect("writing to a String does not fail");
        }
        lines.push('\n');
    }
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("the output of java");
    writer.join().expect("no panic").expect("java reads all lines");
    assert!(output.status.success(), "java failed");
    let output = str::from_utf8(&output.stdout).expect("UTF-8");
    let lines = output.strip_prefix(include_str!("../java/replacements.txt"));
    let lines = lines.expect("java makes the same table");
    assert_eq!(lines.lines().count(), 20_000);
    for (src, want) in lines.lines().map(parse_line) {
        assert_eq!(repair_utf8(&src, IllFormed::ReplaceAsJava), want, "{src:02X?}");
    }
}

/// Short texts with runs of ill-formed sequences, split at every offset, into outputs of several
/// sizes: the result equals the result for the whole text.
#[test]
fn runs_are_split_anywhere() {
    let repair = |policy| Repair::REPLACE.on_ill_formed(policy);
    let texts: [&[u8]; 6] = [
        b"\xED\xA0\x80\xED\xA0",
        b"a\xED\xA0\xBD\xED\xB8\x80\xED",
        b"\xFF\xFF\xE2\x82\xE2\x82\xACb\xF0\x9F",
        b"a\xC3\xC3\xC3\xA9\xED\x9F\xED\xA0\xA0\xA0",
        b"\xF0\x9F\x98\xED\xED\xA0\xED\xA0b\xED\xA0b",
        b"\xED\xBF\xBF\xED\xBF\xBF\xED\xBF",
    ];
    for name in ["Utf8", "Utf16", "Utf32Be", "Latin1", "Cesu8", "Wtf8", "Wtf16"] {
        let pair = pair_named("Utf8", name);
        for (src, policy) in texts.iter().flat_map(|src| {
            [IllFormed::ReplaceAsJava, IllFormed::ReplaceRuns].map(|policy| (src, policy))
        }) {
            check_lossy(pair, src, repair(policy), &[0, -1, -2, -3, -4, -5, -6, -7, -8, 9]);
            check_lossy_schemes(pair, src, repair(policy));
            for first_len in 1..src.len() {
                let all_capacities = [&[64][..], &[1, 0, 2], &[3, 4]];
                for capacities in sampled_if_slow("capacities", all_capacities.into_iter()) {
                    check_lossy_stream(pair, src, repair(policy), &[first_len, 1, 2], capacities);
                    check_lossy_stream(pair, src, repair(policy), &[1, first_len], capacities);
                }
            }
        }
    }
}

/// A run as long as many chunks, buffers and blocks is one replacement, in every encoding that can
/// be ill-formed.
#[test]
fn long_runs() {
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::ReplaceRuns);
    for len in [1, 2, 15, 16, 63, 64, 500, 3000, 20_000] {
        for &api in Api::all() {
            let utf8 = pair_named("Utf8", "Utf8");
            let src = [&b"ab"[..], &b"\xFF\x80\xED\xA0".repeat(len), b"cd"].concat();
            let (text, repairs) = utf8.lossy(api, &src, repair);
            assert_eq!((&text[..], repairs), ("ab\u{FFFD}cd".as_bytes(), 1), "{api:?}");
            assert_eq!(utf8.measure_lossy(api, &src, repair), (7, 1), "{api:?}");
        }
        let low = transcode_lossy::<Utf16, Utf8>(&[0xDE00].repeat(len), repair);
        assert_eq!((low.text.as_str(), low.repairs), ("\u{FFFD}", 1));
        let high = transcode_lossy::<Utf16Be, Utf8>(&b"\xD8\x3D".repeat(len), repair);
        assert_eq!((high.text.as_str(), high.repairs), ("\u{FFFD}", 1));
        let large = transcode_lossy::<Utf32, Utf16>(&[0x11_0000].repeat(len), repair);
        assert_eq!((large.text, large.repairs), (vec![0xFFFD], 1));
        let mut stream = Transcoder::<Utf8, Utf8>::new().with_policy(repair);
        let mut dst = [0; 8];
        for round in 1..=2 {
            let mut written = 0;
            for _ in 0..len {
                written += stream.push(b"\xE2\x82", &mut dst[written..]).written;
            }
            written += stream.finish(&mut dst[written..]).written;
            assert_eq!((&dst[..written], stream.repairs()), ("\u{FFFD}".as_bytes(), round));
        }
    }
}

/// Java's rule applies only to UTF-8. From every other encoding, its policy has the same result as
/// `Repair::REPLACE`.
#[test]
fn policy_of_java_from_other_encodings() {
    let mut rng = StdRng::seed_from_u64(22);
    let java = Repair::REPLACE.on_ill_formed(IllFormed::ReplaceAsJava);
    for pair in pairs().iter().filter(|pair| pair.from.name != "Utf8") {
        for _ in 0..20 {
            let len = rng.random_range(0..40) * pair.from.scheme.unit_size();
            let pool = [0xED, 0xA0, 0x80, 0xD8, 0xDC, 0, 0x41];
            let src: Vec<u8> = (0..len).map(|_| pool[rng.random_range(0..pool.len())]).collect();
            let want = pair.lossy(Api::Free, &src, Repair::REPLACE);
            assert_eq!(pair.lossy(Api::Free, &src, java), want, "{pair} of {src:02X?}");
        }
    }
}
