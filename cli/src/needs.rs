//! Refuses an option that would have no effect because another option is missing. (The parser
//! refuses options that contradict each other.)

use utflane::Scheme;
use utflane_charset::{Charset, Source};

use crate::args::{Command, Expected, Mode, OnUnmappable, Recursion};
use crate::report::{self, Status};
use crate::values::{InvalidWord, OnInvalid};

const UTF8: Charset = Charset::Scheme(Scheme::Utf8);

/// What an option needs.
struct Need {
    option: &'static str,
    is_given: bool,
    /// The options without which this one has no effect.
    needs: &'static str,
    is_met: bool,
}

/// Reports the first option that would have no effect, and returns the exit status. Returns `None`
/// if every option has an effect.
pub(crate) fn refuse(command: &Command) -> Option<Status> {
    let needs = needs_of(command);
    let unmet = needs.into_iter().find(|need| need.is_given && !need.is_met)?;
    Some(report::failure(unmet.option, &format!("it needs {}", unmet.needs)))
}

fn need(option: &'static str, is_given: bool, needs: &'static str, is_met: bool) -> Need {
    Need { option, is_given, needs, is_met }
}

fn needs_of(command: &Command) -> Vec<Need> {
    match command {
        Command::Check(check) => {
            let source = check.encoding;
            let is_utf8 = [Source::Auto, Source::Known(UTF8)].contains(&source);
            let has_mark = match source {
                Source::Known(charset) => !charset.mark().is_empty(),
                Source::Auto | Source::ByMark(_) => true,
            };
            let unicode = "an encoding of Unicode, or -e auto";
            let mut needs = vec![
                need("--mojibake", check.mojibake.is_some(), "-e utf-8 or -e auto", is_utf8),
                need("--no-bom", check.no_bom, unicode, has_mark),
                languages(&check.several.expected, "-e auto", source),
            ];
            needs.extend(of_recursion(&check.several.recursion));
            needs
        }
        Command::Convert(convert) => {
            let (source, destination) = (convert.from, &convert.destination);
            let replaces = convert.on_invalid == OnInvalid::Word(InvalidWord::Replace)
                || convert.on_unmappable == OnUnmappable::Replace;
            let replace = "--on-invalid replace, --on-unmappable replace, or both";
            let (to_utf8, from_utf8) = (convert.to.charset == UTF8, source == Source::Known(UTF8));
            let keeps = destination.output.is_some() || destination.output_dir.is_some();
            let mut needs = vec![
                need("--guess", convert.guess, "-f auto", source == Source::Auto),
                languages(&convert.expected, "-f auto", source),
                need("--skip-valid", convert.skip_valid, "-t utf-8", to_utf8),
                need("--skip-valid", convert.skip_valid, "-f other than utf-8", !from_utf8),
                need("--replacement", convert.replacement.is_some(), replace, replaces),
                need(
                    "--backup",
                    destination.backup.is_some(),
                    "--in-place (-i)",
                    destination.in_place,
                ),
                need("--keep-partial", convert.keep_partial, "--output or --output-dir", keeps),
            ];
            needs.extend(of_recursion(&convert.recursion));
            needs
        }
        Command::Count(count) => {
            let mut needs = vec![languages(&count.several.expected, "-e auto", count.encoding)];
            needs.extend(of_recursion(&count.several.recursion));
            needs
        }
        Command::Detect(detect) => of_recursion(&detect.several.recursion).into(),
        Command::Repair(repair) => {
            let destination = &repair.destination;
            let examines = !matches!(repair.mode, Mode::Latin1 | Mode::Windows1252);
            let modes = "--mode all, once, runs or runs-all";
            let mut needs = vec![
                need("--no-break-spaces", repair.no_break_spaces, modes, examines),
                need("--null (-0)", repair.null, "--list", repair.list),
                need(
                    "--backup",
                    destination.backup.is_some(),
                    "--in-place (-i)",
                    destination.in_place,
                ),
            ];
            needs.extend(of_recursion(&repair.recursion));
            needs
        }
        Command::Encodings(_) | Command::Kernels => Vec::new(),
    }
}

fn languages(expected: &Expected, auto: &'static str, source: Source) -> Need {
    need("--languages", !expected.languages.is_empty(), auto, source == Source::Auto)
}

fn of_recursion(recursion: &Recursion) -> [Need; 3] {
    let Recursion { recursive, hidden, no_ignore, glob } = recursion;
    [("--hidden", *hidden), ("--no-ignore", *no_ignore), ("--glob (-g)", !glob.is_empty())]
        .map(|(option, is_given)| need(option, is_given, "--recursive (-r)", *recursive))
}
