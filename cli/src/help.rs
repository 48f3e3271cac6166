//! The examples and exit statuses at the end of each help text.

pub(crate) const ALL: &str = "\
Encodings (ENC):
  utf-8, utf-16le, utf-16be, utf-32le, utf-32be, latin1, ascii
      A byte order mark is an ordinary character. latin1 is ISO-8859-1, not windows-1252.
  utf-16, utf-32
      The byte order mark gives the byte order; without one it is little-endian. Written
      little-endian, with a byte order mark.
  cesu-8, mutf-8
      UTF-16's code units in the form of UTF-8, as in some databases and in Java.
  wtf-8, wtf-16le, wtf-16be
      With unpaired surrogates, as in JavaScript and in file names of Windows. Conversions among
      these three lose nothing.
  windows-1252, koi8-r, iso-8859-2, cp437, macintosh, cp037, ...
      Code pages of Windows, ISO, DOS, Mac and EBCDIC.
  shift_jis, gbk, gb18030, big5, euc-jp, euc-kr, iso-2022-jp
      East Asian encodings.
  auto
      The encoding is detected.
`utflane encodings` lists all names, and those that `utflane detect` prints for encodings that can't
be converted.

Examples:
  utflane check *.txt
  utflane convert -f utf-8 -t utf-16le notes.txt -o notes.utf16
  utflane convert -f auto -t utf-8 old.txt -o new.txt
  utflane convert -f utf-8 -t utf-8 --on-invalid replace damaged.txt -o damaged.txt
  curl -s https://example.org/ | utflane count

Exit status: 0 all text is valid or converted, 1 some text is invalid or has no likely encoding, 2
wrong usage or a file can't be read or written. Each subcommand has its own --help with examples.
Set UTFLANE_KERNEL to a name from `utflane kernels` to choose the instruction set, and NO_COLOR to
turn off colours.";

pub(crate) const CHECK: &str = "\
Examples:
  utflane check README.md
  utflane check --all -e utf-16 *.utf16
  utflane check -e shift_jis page.html
  utflane check -e cesu-8 export.sql
  utflane check --json *.csv | jq -r .file
  utflane check -r src docs
  utflane check -rl0 docs | xargs -0 utflane detect
  utflane check -r --no-bom --mojibake src
  utflane check -r -g '*.md' -g '!vendor/**'
  find . -name '*.csv' -print0 | xargs -0 utflane check

Output of `printf 'caf\\303' | utflane check --excerpt always`:
  -:1:4: byte 3: sequence too short (C3)
    caf\\xC3
       ^^^^

Exit status: 0 all files are valid, 1 a file is invalid, has no likely encoding, or has a byte order
mark (--no-bom) or double encoding (--mojibake), 2 wrong usage or a file can't be read.";

pub(crate) const CONVERT: &str = "\
Examples:
  utflane convert -f utf-8 -t utf-16le notes.txt -o notes.utf16
  utflane convert -f latin1 -t utf-8 < old.txt > new.txt
  utflane convert -f utf-16be -t utf-8 --bom strip same.txt -o same.txt
  utflane convert -f shift_jis -t utf-8 page.html
  utflane convert -f cesu-8 -t utf-8 export.sql -o export.sql
  utflane convert -f auto -t utf-8 unknown.txt -o known.txt
  utflane convert -f utf-8 -t utf-8 --on-invalid replace damaged.txt -o damaged.txt
  utflane convert -f utf-8 -t iso-8859-2 --on-unmappable ncr page.html
  utflane convert -f utf-8 -t ascii --translit notes.txt
  utflane convert -f utf-8 -t utf-8 --on-invalid windows-1252 old-and-new.log -o new.log
  utflane convert -f windows-1252 -t utf-8 --skip-valid --in-place *.txt
  utflane convert -f auto -t utf-8 --output-dir converted *.csv
  utflane convert -r -f auto -t utf-8 --dry-run -i .
  utflane convert -r -f auto -t utf-8 -i --backup .bak -g '*.txt' docs
  utflane convert -f utf-8 -t utf-8 --eol lf --bom strip -i *.txt

Exit status: 0 converted, with or without repairs, 1 stopped at an ill-formed sequence or an
unmappable character, or no encoding is likely, 2 wrong usage or a file can't be read or written.
A binary file that -r skips is no failure.";

pub(crate) const COUNT: &str = "\
Examples:
  utflane count README.md
  utflane count -e utf-16le a.utf16 b.utf16
  utflane count -e auto *.txt
  utflane count --json *.txt

Exit status: 0 counted, 1 the encoding of a file is not likely, 2 wrong usage or a file can't be
read.";

pub(crate) const DETECT: &str = "\
Examples:
  utflane detect *.txt
  utflane detect --json unknown.csv

Output for a file in Latin-1, and for one with a byte order mark:
  a.txt: latin1 (likely): reads as text in German
  b.txt: utf-16le (certain): begins with its byte order mark

A guess lists the other possible encodings. Data with many control characters is `binary`.

Exit status: 0 an answer for every file, 2 wrong usage or a file can't be read.";

pub(crate) const REPAIR: &str = "\
Examples:
  utflane repair damaged.txt -o damaged.txt
  echo 'fÃ¶rste' | utflane repair
  utflane repair --mode runs mixed.log > clean.log
  utflane repair --dry-run -r texts
  utflane repair --in-place *.txt
  echo 'dÃ©jÃ vu, Ã la carte' | utflane repair --no-break-spaces

Exit status: 0 repaired, or nothing to repair, 1 not UTF-8, not double-encoded (with --mode latin1
or windows-1252), or double encoding found by --dry-run or --list, 2 wrong usage or a file can't be
read or written.";

pub(crate) const ENCODINGS: &str = "\
Examples:
  utflane encodings
  utflane encodings | grep -iw cp932
  utflane encodings --json | jq -r 'select(.group == \"EBCDIC\").name'

latin1 and ascii are ISO-8859-1 and ASCII, not windows-1252 as in a browser. East Asian labels mean
the supersets that web pages use: gb2312 is gbk, euc-kr is windows-949, shift_jis is windows-31j.
ucs-4 is big-endian, as in glibc.

The last group has the encodings that `utflane detect` names and that no command converts, such as
johab and utf-7. Convert them with iconv.

Variants of code pages are not listed: -strict and -lf. Bytes to which Microsoft assigns no
character are control characters in windows-1251 and ill-formed in windows-1251-strict;
windows-1250, 1252 to 1255, 1257, 1258 and 874 have the same variant. The line end of EBCDIC is NEL
(U+0085) in cp1047 and LF in cp1047-lf; every page of EBCDIC has such a variant.

Exit status: 0, or 2 if standard output can't be written.";

pub(crate) const KERNELS: &str = "\
Examples:
  utflane kernels
  UTFLANE_KERNEL=scalar utflane kernels

A kernel is the code for one instruction set, such as AVX2. `scalar` runs on every processor.

Exit status: 0, or 2 if UTFLANE_KERNEL names a kernel that can't be used.";
