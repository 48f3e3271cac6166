//! Converts a stream in chunks that split characters: `cargo run --example stream`.

use utflane::{Stop, StreamError, Transcoder, Utf8, Utf16};

fn main() {
    // The chunks of a stream, as they may arrive from a socket. `ø` and `€` are split.
    let chunks = [&b"sm\xC3"[..], b"\xB8rrebr\xC3\xB8d, \xE2", b"\x82\xAC 5"];
    let units = convert(&chunks).expect("the stream is well-formed");
    let text = String::from_utf16(&units).expect("the output is always well-formed");
    println!("{text}");
    assert_eq!(text, "smørrebrød, € 5");

    // Offsets of errors count from the beginning of the stream.
    let error = convert(&[b"abc\xE2", b"\x82", b"x"]).unwrap_err();
    println!("{error}");
    assert_eq!(error.offset(), 3);

    // A stream that ends inside a character is ill-formed, too.
    assert_eq!(convert(&[b"abc\xE2"]).unwrap_err().offset(), 3);
}

/// Converts all chunks, through a small output buffer.
fn convert(chunks: &[&[u8]]) -> Result<Vec<u16>, StreamError> {
    let mut transcoder = Transcoder::<Utf8, Utf16>::new();
    let mut units = Vec::new();
    let mut dst = [0; 8];
    for &(mut chunk) in chunks {
        loop {
            let progress = transcoder.push(chunk, &mut dst);
            units.extend_from_slice(&dst[..progress.written]);
            chunk = &chunk[progress.read..];
            match progress.stop {
                Stop::Done => break,
                // The content of `dst` has been copied, so continue with the rest of the chunk.
                Stop::OutputFull => {}
                Stop::Error(error) => return Err(error),
            }
        }
    }
    match transcoder.finish(&mut dst).stop {
        Stop::Error(error) => Err(error),
        _ => Ok(units),
    }
}
