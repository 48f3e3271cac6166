//! `utflane convert`: from one encoding to another, strictly, into a file that is replaced only by a whole result.

use std::io::{self, Write};
use std::path::Path;

use utflane::{ByteTranscoder, Stop, StreamError};

use crate::args::Convert;
use crate::input::CHUNK;
use crate::output::Output;
use crate::place::{Finding, Text};
use crate::report::{self, Status};

/// Room for what a chunk becomes at most: four bytes for each of Latin-1, and a character that the chunk before left.
const ROOM: usize = 4 * CHUNK + 4;

/// Which side of a conversion failed, so that the message names its file.
enum Failure {
    Reading(io::Error),
    Writing(io::Error),
}

/// Converts one file.
pub(crate) fn run(arguments: &Convert) -> Status {
    let place = arguments.output.as_deref().unwrap_or(Path::new("standard output"));
    match convert(arguments) {
        Ok(None) => Status::Fine,
        Ok(Some(finding)) => {
            // Nobody is left to tell if standard error is closed.
            let _ = finding.write(&arguments.file, &mut io::stderr());
            Status::Invalid
        }
        Err(Failure::Reading(error)) => report::trouble(&arguments.file, &error),
        Err(Failure::Writing(error)) => report::unwritable(place, &error, Status::Fine),
    }
}

/// Converts one file and puts its output into place; the finding, if it can't be converted to its end.
fn convert(arguments: &Convert) -> Result<Option<Finding>, Failure> {
    let mut text = Text::open(&arguments.file, arguments.from).map_err(Failure::Reading)?;
    let mut output = Output::create(arguments.output.as_deref()).map_err(Failure::Writing)?;
    let transcoder = ByteTranscoder::new(arguments.from, arguments.to);
    let Some(error) = pump(&mut text, transcoder, &mut output)? else {
        output.commit().map_err(Failure::Writing)?;
        return Ok(None);
    };
    let finding = text.locate(error).map_err(Failure::Reading)?;
    if arguments.keep_partial || !output.is_replacement() {
        unless_closed(output.commit()).map_err(Failure::Writing)?;
    }
    Ok(Some(finding))
}

/// Converts `text` up to its first error, or to its end.
fn pump(
    text: &mut Text,
    mut transcoder: ByteTranscoder,
    output: &mut Output,
) -> Result<Option<StreamError>, Failure> {
    let mut room = vec![0; ROOM];
    loop {
        let mut chunk = text.next_chunk().map_err(Failure::Reading)?;
        if chunk.is_empty() {
            return transcoder.finish(&mut room).complete().map(|_| None).or_else(|e| Ok(Some(e)));
        }
        while !chunk.is_empty() {
            let progress = transcoder.push(chunk, &mut room);
            let written = output.write_all(&room[..progress.written]);
            if let Stop::Error(error) = progress.stop {
                unless_closed(written).map_err(Failure::Writing)?;
                return Ok(Some(error));
            }
            written.map_err(Failure::Writing)?;
            chunk = &chunk[progress.read..];
        }
    }
}

/// Forgives a closed pipe: behind an error in the text, that error is what is left to be told.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
