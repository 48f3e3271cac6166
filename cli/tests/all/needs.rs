//! Tests that an option is refused if it would have no effect because another option is missing.

use std::path::Path;

use crate::common::run;

#[test]
fn an_option_without_effect_is_refused() {
    for (command, option, needs) in [
        ("convert -f latin1 -t utf-8 --guess", "--guess", "-f auto"),
        ("convert -f latin1 -t utf-8 --languages cs", "--languages", "-f auto"),
        ("convert -f latin1 -t ascii --skip-valid", "--skip-valid", "-t utf-8"),
        ("convert -f utf-8 -t utf-8 --skip-valid", "--skip-valid", "-f other than utf-8"),
        ("convert -f auto -t utf-8 --backup .bak", "--backup", "--in-place (-i)"),
        ("convert -f auto -t utf-8 -O . --backup .bak", "--backup", "--in-place (-i)"),
        ("convert -f auto -t utf-8 --keep-partial", "--keep-partial", "--output or --output-dir"),
        ("convert -f auto -t utf-8 -g *.txt", "--glob (-g)", "--recursive (-r)"),
        ("check --mojibake -e latin1", "--mojibake", "-e utf-8 or -e auto"),
        ("check --no-bom -e latin1", "--no-bom", "an encoding of Unicode, or -e auto"),
        ("check --no-bom -e cp037", "--no-bom", "an encoding of Unicode, or -e auto"),
        ("check --languages cs", "--languages", "-e auto"),
        ("check --hidden", "--hidden", "--recursive (-r)"),
        ("count --languages cs", "--languages", "-e auto"),
        ("count --no-ignore", "--no-ignore", "--recursive (-r)"),
        ("detect --hidden", "--hidden", "--recursive (-r)"),
        ("repair -0", "--null (-0)", "--list"),
        ("repair --backup .bak", "--backup", "--in-place (-i)"),
        ("repair -g *.txt", "--glob (-g)", "--recursive (-r)"),
        (
            "repair --no-break-spaces --mode latin1",
            "--no-break-spaces",
            "--mode all, once, runs or runs-all",
        ),
    ] {
        let refused = run(Path::new("."), command.split(' '));
        refused.assert(2, "", &format!("utflane: {option}: it needs {needs}\n"));
    }
}

/// The parser names both options that contradict each other.
#[test]
fn options_that_contradict_each_other_are_refused() {
    for (command, options) in [
        ("check --json -0", ["--json", "--null"]),
        ("count --json -0", ["--json", "--null"]),
        ("detect --json -0", ["--json", "--null"]),
        ("check --json --excerpt always", ["--json", "--excerpt"]),
        ("check --list --all", ["--list", "--all"]),
        ("convert -f auto -t utf-8 -i --keep-partial", ["--in-place", "--keep-partial"]),
        ("convert -f auto -t utf-8 -i -z", ["--in-place", "--decompress"]),
        ("convert -f auto -t utf-8 -c --replacement x", ["-c", "--replacement"]),
        ("repair -n -i", ["--dry-run", "--in-place"]),
    ] {
        let refused = run(Path::new("."), command.split(' '));
        assert_eq!(refused.status, Some(2), "{command}");
        for option in options {
            assert!(refused.err.contains(option), "{command}: {}", refused.err);
        }
    }
}

/// The same options with what they need.
#[test]
fn options_with_effect_are_accepted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("a.txt"), "text\n").unwrap();
    for command in [
        "convert -f auto -t utf-8 --guess --languages cs a.txt",
        "convert -f latin1 -t utf-8 --skip-valid a.txt",
        "convert -f auto -t utf-8 --skip-valid a.txt",
        "convert -q -r -f auto -t utf-8 -i --backup .bak --hidden --no-ignore -g *.txt",
        "check --no-bom --mojibake -e auto --languages cs a.txt",
        "check --no-bom -e utf-16be -g none -r",
        "repair -l0 a.txt",
        "repair -q --no-break-spaces --mode runs a.txt",
    ] {
        assert_eq!(run(path, command.split(' ')).status, Some(0), "{command}");
    }
}
