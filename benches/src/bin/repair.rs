//! Repairs NUL-terminated texts for `benches/repair.py`: reads texts from standard input, with a
//! NUL after each text, and writes the results with a NUL after each result. Prints how long the
//! repair took, in seconds, on standard error.

use std::env;
use std::io::{self, Read, Write};
use std::time::Instant;

use utflane_charset::mojibake::Options;

/// Returns the options of a mode. Modes have the same names as in the command `utflane repair`. The
/// suffix `+no-break-spaces` restores no-break spaces.
fn parse_options(mode: &str) -> Options {
    let (mode, options) = match mode.strip_suffix("+no-break-spaces") {
        Some(mode) => (mode, Options::new().no_break_spaces()),
        None => (mode, Options::new()),
    };
    match mode {
        "all" => options,
        "once" => options.once(),
        "runs" => options.runs().once(),
        "runs-all" => options.runs(),
        _ => panic!("unknown mode: {mode}"),
    }
}

fn main() -> io::Result<()> {
    let options = parse_options(&env::args().nth(1).unwrap_or_else(|| "all".to_owned()));
    let mut input = String::new();
    io::stdin().lock().read_to_string(&mut input)?;
    let start = Instant::now();
    let results: Vec<_> =
        input.split_terminator('\0').map(|text| options.undo(text).text).collect();
    let seconds = start.elapsed().as_secs_f64();
    let mut output = io::BufWriter::new(io::stdout().lock());
    for result in results {
        output.write_all(result.as_bytes())?;
        output.write_all(b"\0")?;
    }
    output.flush()?;
    eprintln!("{seconds}");
    Ok(())
}
