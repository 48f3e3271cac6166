//! Tests of `utflane check` with `--all`, `--json` and `--excerpt`, of `count --json`, and of the
//! output for several files.

use std::fs;
use std::process::Stdio;
use std::time::Duration;
use std::{io, thread};

use crate::common::{Run, feed, run, utflane};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// Parses each line of an output as JSON.
fn parse_objects(out: &[u8]) -> Vec<Value> {
    out.split_inclusive(|&byte| byte == b'\n')
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn every_error_is_found() {
    let text = b"ok\xFF\n\xE2\x82 \xED\xA0\x80\n\xF0\x9F";
    let want = "\
-:1:3: byte 2: invalid lead byte (FF)
-:2:1: byte 4: sequence too short (E2 82)
-:2:3: byte 7: unpaired surrogate (ED)
-:2:4: byte 8: stray continuation byte (A0)
-:2:5: byte 9: stray continuation byte (80)
-:3:1: byte 11: sequence too short (F0 9F)
";
    feed(&mut utflane(["check", "-q", "--all", "-"]), text).assert(1, want, "");
    let first = want.split_inclusive('\n').next().unwrap();
    feed(&mut utflane(["check", "-q", "-"]), text).assert(1, first, "");
    feed(&mut utflane(["check", "-qa", "-e", "ascii", "-"]), "é".as_bytes()).assert(
        1,
        "-:1:1: byte 0: value too large (C3)\n-:1:2: byte 1: value too large (A9)\n",
        "",
    );
}

/// The errors in a text of many chunks equal the errors that the standard library finds.
#[test]
fn errors_in_a_long_text_equal_those_of_std() {
    let mut random = StdRng::seed_from_u64(1);
    let mut text = Vec::new();
    while text.len() < 400_000 {
        text.extend_from_slice("Größe, € 5, 😀\n".repeat(random.random_range(0..90)).as_bytes());
        let ill_formed: [&[u8]; 5] =
            [b"\xFF", b"\xE2\x82", b"\xF0\x9F\x98", b"\x80\x80", b"\xF4\x90"];
        text.extend_from_slice(ill_formed[random.random_range(0..5)]);
    }
    let (mut want, mut line, mut column, mut offset) = (Vec::new(), 1, 1, 0);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        offset += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            want.push((line, column, offset, chunk.invalid().to_vec()));
            column += 1;
        }
        offset += chunk.invalid().len();
    }
    let run = feed(&mut utflane(["check", "--all", "--json", "-"]), &text);
    let found = parse_objects(&run.out).into_iter().map(|finding| {
        let number = |member: &str| finding[member].as_u64().unwrap() as usize;
        let bytes = finding["bytes"].as_array().unwrap().iter();
        let bytes = bytes.map(|byte| byte.as_u64().unwrap() as u8).collect();
        (number("line"), number("column"), number("offset"), bytes)
    });
    assert!(found.eq(want), "{:?}", run.status);
    assert_eq!((run.status, run.err.as_str()), (Some(1), ""));
}

#[test]
fn json_output_has_one_object_a_line() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a \"b\""), b"x\n\xC3").unwrap();
    let run = run(directory.path(), ["check", "--json", "a \"b\"", "none"]);
    let finding = json!({
        "file": "a \"b\"", "line": 2, "column": 1, "offset": 2, "kind": "too-short",
        "message": "sequence too short", "bytes": [0xC3],
    });
    let missing = json!({ "file": "none", "error": "No such file or directory" });
    assert_eq!(parse_objects(&run.out), [finding, missing.clone()]);
    assert_eq!(
        (run.status, run.err.as_str()),
        (Some(2), "utflane: none: No such file or directory\n")
    );

    let run = crate::common::run(directory.path(), ["count", "--json", "none", "a \"b\""]);
    let counts =
        json!({ "file": "a \"b\"", "bytes": 3, "code_points": 3, "utf16_units": 3, "lines": 1 });
    assert_eq!(parse_objects(&run.out), [missing, counts]);
}

/// An excerpt shows the line of a finding, and carets under the offending bytes.
#[test]
fn an_excerpt_shows_the_line_of_the_finding() {
    let assert_excerpt = |bytes: &[u8], want: &str| {
        let mut command = utflane(["check", "-a", "--excerpt", "always", "-"]);
        feed(&mut command, bytes).assert(1, want, "");
    };
    assert_excerpt(b"caf\xC3", "-:1:4: byte 3: sequence too short (C3)\n  caf\\xC3\n     ^^^^\n");
    assert_excerpt(
        b"one\n\tt\xC3wo\x1B\r\nthree",
        "-:2:3: byte 6: sequence too short (C3)\n      t\\xC3wo\\u{1b}\n       ^^^^\n",
    );
    let mut command = utflane(["convert", "-f", "utf-8", "-t", "ascii", "--excerpt", "always"]);
    let want =
        "-:1:4: byte 3: character not in the target encoding (E6 BC A2)\n  abc漢x\n     ^^\n";
    feed(&mut command, "abc漢x".as_bytes()).assert(1, "abc", want);
    // The finding is far into the file, near the end of a chunk.
    for prefix_len in (65_500..65_560).chain(131_060..131_080) {
        let mut text = b"0123456789abcde\n".repeat(prefix_len / 16);
        text.extend_from_slice("é".repeat(prefix_len % 16).as_bytes());
        text.extend_from_slice(b"\xFFafter\nnext");
        let column = prefix_len % 16;
        let want = format!("  {}\\xFFafter\n  {}^^^^\n", "é".repeat(column), " ".repeat(column));
        let run = feed(&mut utflane(["check", "--excerpt=always", "-"]), &text);
        assert_eq!(run.text().split_once('\n').unwrap().1, want, "{prefix_len}");
    }
}

/// Nobody reads a million lines, so `--all` has a limit. With `--json`, the default is no limit.
#[test]
fn findings_beyond_the_limit_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad"), b"\xFF\n".repeat(2500)).unwrap();
    fs::write(directory.path().join("few"), b"\xFF\n".repeat(1000)).unwrap();
    let check_all = |option: &str, more_options: &[&str]| {
        let found =
            run(directory.path(), [&["check", "-q", option], more_options, &["bad"]].concat());
        assert_eq!((found.status, found.err.as_str()), (Some(1), ""));
        found.text().lines().map(String::from).collect::<Vec<_>>()
    };
    for (option, reported) in [("--all", 1000), ("-a", 1000), ("--all=7", 7), ("-a=2499", 2499)] {
        let lines = check_all(option, &[]);
        assert_eq!(lines.len(), reported + 1, "{option}");
        let last = format!("bad:{reported}:1: byte {}: ", 2 * (reported - 1));
        assert!(lines[reported - 1].starts_with(&last), "{}", lines[reported - 1]);
        assert_eq!(lines[reported], format!("bad: and {} more", 2500 - reported));
    }
    assert_eq!(check_all("--all=7", &["--excerpt=always"]).len(), 7 * 3 + 1);
    assert_eq!(check_all("--all=0", &[]).len(), 2500);
    assert_eq!(check_all("--all=2500", &[]).len(), 2500);
    assert_eq!(check_all("--all=7", &["-0"])[7], "bad\0 and 2493 more");
    assert_eq!(run(directory.path(), ["check", "-a", "few"]).text().lines().count(), 1000);

    assert_eq!(check_all("--all", &["--json"]).len(), 2500);
    let limited = run(directory.path(), ["check", "--json", "--all=3", "bad"]);
    let objects = parse_objects(&limited.out);
    assert_eq!((objects.len(), &objects[3]), (4, &json!({ "file": "bad", "more": 2497 })));
}

/// However dense the findings are, an excerpt shows a part of the text, in which the bytes that
/// the standard library finds ill-formed are escaped.
#[test]
fn excerpts_of_dense_findings_show_enough_text() {
    let text =
        [b"\xFFa".repeat(2000), "e\u{301}\u{302}".as_bytes().repeat(300), vec![0xFF]].concat();
    let mut whole = String::new();
    for chunk in text.utf8_chunks() {
        whole.push_str(chunk.valid());
        whole.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    let arguments = ["check", "--all=0", "--excerpt=always", "-"];
    let found = feed(&mut utflane(arguments), &text);
    let lines: Vec<&str> = found.text().lines().collect();
    assert_eq!(lines.len(), 2001 * 3);
    for lines in lines.chunks(3) {
        let shown = lines[1].trim_matches(|c| c == ' ' || c == '…');
        assert!(whole.contains(shown) && shown.chars().count() > 40, "{shown}");
        assert_eq!(lines[2].trim_start(), "^^^^");
    }
}

/// Several files are read at the same time. Their findings and errors are reported in the order of
/// the arguments.
#[test]
fn files_are_reported_in_the_order_of_the_arguments() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..40).map(|number| format!("file{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        // Some files are long, some are missing, and some have more findings than the buffer can
        // hold until it is their turn.
        match number % 5 {
            0 => {
                fs::write(directory.path().join(name), b"text\n\xFF".repeat(number * 1000))
                    .unwrap();
            }
            1 => {}
            2 => fs::write(directory.path().join(name), b"\x80".repeat(5000)).unwrap(),
            _ => fs::write(directory.path().join(name), format!("{number}\n")).unwrap(),
        }
    }
    let mut results = Vec::new();
    for jobs in ["1", "2", "7", "100"] {
        let run_all = |arguments: &[&str]| {
            let arguments = arguments.iter().copied().chain(["--jobs", jobs]);
            run(directory.path(), arguments.chain(names.iter().map(String::as_str)))
        };
        results.push(
            [
                &["check", "-q"][..],
                &["check", "-qa"],
                &["count"],
                &["count", "--json"],
                &["detect"],
            ]
            .map(run_all),
        );
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    let [first, all, count, ..] = &results[0];
    assert_eq!((first.status, first.text().lines().count()), (Some(2), 15));
    assert_eq!((all.status, all.err.lines().count()), (Some(2), 8));
    assert!(
        all.text().lines().map(|line| line.split(':').next().unwrap()).is_sorted_by_key(|name| {
            name.strip_prefix("file").unwrap().parse::<u32>().unwrap()
        })
    );
    assert_eq!((count.status, count.text().lines().count()), (Some(2), 34));
}

#[test]
fn closing_the_pipe_ends_all_threads() {
    let directory = tempfile::tempdir().unwrap();
    // The findings of each file are longer than its buffer.
    fs::write(directory.path().join("bad"), b"\xFF".repeat(1 << 14)).unwrap();
    let mut command = utflane(["check", "--all=0", "--jobs", "4"].iter().chain(&["bad"; 16]));
    command.current_dir(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 10]).unwrap();
    drop(child.stdout.take());
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(1));
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("the command did not end");
}

/// Only the first argument that names standard input gets its bytes.
#[test]
fn standard_input_is_read_only_once() {
    for _ in 0..20 {
        let mut command = utflane(["count", "--json", "-", "-"]);
        let byte_counts = |run: Run| {
            parse_objects(&run.out).iter().map(|object| object["bytes"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(byte_counts(feed(&mut command, b"abc")), [json!(3), json!(0)]);
    }
}
