//! Recognises files of known binary formats by their first bytes.
//!
//! In UTF-16, UTF-32 and EBCDIC, text has the bytes of control characters, so a detector can't tell
//! it from binary data. And a detector is not sure of every file. Text does not begin with the
//! bytes listed here.

/// The number of bytes to examine.
pub(crate) const HEAD_BYTES: usize = 512;

/// Formats, each with an offset and the bytes there.
const FORMATS: &[(&str, usize, &[u8])] = &[
    ("a PNG image", 0, b"\x89PNG\r\n\x1A\n"),
    ("a JPEG image", 0, b"\xFF\xD8\xFF"),
    ("a GIF image", 0, b"GIF8"),
    ("a TIFF image", 0, b"II*\0"),
    ("a TIFF image", 0, b"MM\0*"),
    ("an icon", 0, b"\0\0\x01\0"),
    ("a RIFF file", 0, b"RIFF"),
    ("an MP4 file", 4, b"ftyp"),
    ("an Ogg file", 0, b"OggS"),
    ("a FLAC file", 0, b"fLaC"),
    ("an MP3 file", 0, b"ID3"),
    ("a ZIP archive", 0, b"PK\x03\x04"),
    ("a ZIP archive", 0, b"PK\x05\x06"),
    ("a gzip file", 0, b"\x1F\x8B\x08"),
    ("a bzip2 file", 4, b"1AY&SY"),
    ("an xz file", 0, b"\xFD7zXZ\0"),
    ("a zstd file", 0, b"\x28\xB5\x2F\xFD"),
    ("an LZ4 file", 0, b"\x04\x22\x4D\x18"),
    ("a 7z archive", 0, b"7z\xBC\xAF\x27\x1C"),
    ("a RAR archive", 0, b"Rar!\x1A\x07"),
    ("a compressed file", 0, b"\x1F\x9D"),
    ("a tar archive", 257, b"ustar"),
    ("an archive of ar", 0, b"!<arch>\n"),
    ("a catalogue of translations", 0, b"\xDE\x12\x04\x95"),
    ("a catalogue of translations", 0, b"\x95\x04\x12\xDE"),
    ("an ELF file", 0, b"\x7FELF"),
    ("a Mach-O file", 0, b"\xCE\xFA\xED\xFE"),
    ("a Mach-O file", 0, b"\xCF\xFA\xED\xFE"),
    ("a Java class or Mach-O file", 0, b"\xCA\xFE\xBA\xBE"),
    ("a WebAssembly module", 0, b"\0asm"),
    ("a PDF document", 0, b"%PDF-"),
    ("an Office document", 0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
    ("an SQLite database", 0, b"SQLite format 3\0"),
    ("a Git index", 0, b"DIRC\0\0\0"),
    ("a font", 0, b"wOFF"),
    ("a font", 0, b"wOF2"),
    ("a font", 0, b"OTTO\0"),
    ("a font", 0, b"\0\x01\0\0\0"),
];

/// Returns the format of a file that begins with `head`, at most [`HEAD_BYTES`] bytes, if it is a
/// known binary format.
pub(crate) fn find_format(head: &[u8]) -> Option<&'static str> {
    let matches = |&&(_, offset, bytes): &&(&str, usize, &[u8])| {
        head.get(offset..).is_some_and(|rest| rest.starts_with(bytes))
    };
    let format = FORMATS.iter().find(matches).map(|&(name, ..)| name);
    format.or_else(|| is_windows_program(head).then_some("a Windows program"))
}

/// Returns true if `head` begins with the header of DOS, which has the offset of the header of
/// Windows.
fn is_windows_program(head: &[u8]) -> bool {
    let offset = head.get(0x3C..0x40).filter(|_| head.starts_with(b"MZ"));
    let offset =
        offset.map(|at| at.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)));
    let header = offset.and_then(|offset| head.get(offset..));
    header.is_some_and(|header| header.starts_with(b"PE\0\0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_and_text_is_not() {
        let mut program = vec![0; 0x90];
        program[..2].copy_from_slice(b"MZ");
        program[0x3C] = 0x80;
        program[0x80..0x84].copy_from_slice(b"PE\0\0");
        assert_eq!(find_format(&program), Some("a Windows program"));
        program[0x3F] = 0x80;
        assert_eq!(find_format(&program), None);
        let mut archive = vec![b'a'; 512];
        archive[257..262].copy_from_slice(b"ustar");
        assert_eq!(find_format(&archive), Some("a tar archive"));
        for (head, format) in [
            (&b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR"[..], Some("a PNG image")),
            (b"\x7FELF\x02\x01\x01\0", Some("an ELF file")),
            (b"PK\x03\x04\x14\0", Some("a ZIP archive")),
            (b"\xFF\xFEw\0i\0d\0e\0", None),
            (b"P\0K\0", None),
            (b"\xC8\x85\x93\x93\x96\x25", None),
            (b"MZ", None),
            (b"", None),
        ] {
            assert_eq!(find_format(head), format, "{head:X?}");
        }
    }
}
