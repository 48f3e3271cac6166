
use builtin;
use str;

set edit:completion:arg-completer[utflane] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'utflane'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'utflane'= {
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand check 'Validate files'
            cand convert 'Convert files from one encoding to another'
            cand count 'Count bytes, code points, UTF-16 units and lines'
            cand detect 'Detect the encoding of each file'
            cand repair 'Undo double encoding in UTF-8 files: `fÃ¶rste` becomes `förste`'
            cand encodings 'List the encodings: the name of each, and its other labels'
            cand kernels 'List the kernels: which are available here, and which is active'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'utflane;check'= {
            cand -e 'Encoding of the files; `auto` detects it for each'
            cand --encoding 'Encoding of the files; `auto` detects it for each'
            cand -a 'Report every ill-formed sequence, not only the first of each file'
            cand --all 'Report every ill-formed sequence, not only the first of each file'
            cand --mojibake 'Report double encoding as well, such as `fÃ¶rste` for `förste`'
            cand --excerpt 'Show the line below each message, with carets under the sequence'
            cand -j 'Number of files to read at once [default: the number of processors]'
            cand --jobs 'Number of files to read at once [default: the number of processors]'
            cand --languages 'Languages in which the files probably are: codes of ISO 639, such as cs,pl'
            cand -g 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --glob 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand -l 'Print only the names of the invalid files, one a line; with -0 a NUL after each'
            cand --list 'Print only the names of the invalid files, one a line; with -0 a NUL after each'
            cand --json 'Print one JSON object a line'
            cand --no-bom 'Report byte order marks as well, at the start and inside, where files were joined'
            cand -0 'Print file names as they are, with a NUL after each'
            cand --null 'Print file names as they are, with a NUL after each'
            cand -z 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand --decompress 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand -r 'Read all files in directories, in the order of their names'
            cand --recursive 'Read all files in directories, in the order of their names'
            cand --hidden 'With -r, read hidden files and directories as well'
            cand --no-ignore 'With -r, also read the files that .gitignore and .ignore files name'
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utflane;convert'= {
            cand -f 'Encoding to convert from; `auto` detects it'
            cand --from 'Encoding to convert from; `auto` detects it'
            cand --languages 'Languages in which the files probably are: codes of ISO 639, such as cs,pl'
            cand -t 'Encoding to convert to'
            cand --to 'Encoding to convert to'
            cand --bom 'Treatment of a byte order mark'
            cand --eol 'Write all line ends as LF or as CR LF [default: keep them]'
            cand --on-invalid 'Treatment of a sequence that is ill-formed in the source encoding'
            cand --on-unmappable 'Treatment of a character that the target encoding does not have'
            cand --replacement 'Text that `replace` writes; it may be empty ('''') [default: U+FFFD]'
            cand --excerpt 'Show the line below each message, with carets under the sequence'
            cand -o 'Write to OUT instead of standard output'
            cand --output 'Write to OUT instead of standard output'
            cand -O 'Write each FILE to a file of the same name in the directory DIR, which must exist'
            cand --output-dir 'Write each FILE to a file of the same name in the directory DIR, which must exist'
            cand --backup 'With -i, keep the old file, under its name and SUFFIX, such as .bak'
            cand -j 'Number of files to convert at once [default: the number of processors]'
            cand --jobs 'Number of files to convert at once [default: the number of processors]'
            cand -g 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --glob 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --guess 'With `-f auto`, take the best candidate even if it is not likely'
            cand --skip-valid 'Read a file that is valid UTF-8 as UTF-8, not as the encoding of -f; needs -t utf-8'
            cand --translit 'Approximate characters that the target encoding does not have, as iconv''s //TRANSLIT does'
            cand --variants 'Replace a character that the target encoding lacks by its variant, as iconv''s cp932 does'
            cand -c 'Omit ill-formed sequences and unmappable characters, as iconv does'
            cand -i 'Replace each FILE by the result'
            cand --in-place 'Replace each FILE by the result'
            cand -n 'Write nothing: print what would happen to each file, and exit with the same status'
            cand --dry-run 'Write nothing: print what would happen to each file, and exit with the same status'
            cand -z 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand --decompress 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand -r 'Read all files in directories, in the order of their names'
            cand --recursive 'Read all files in directories, in the order of their names'
            cand --hidden 'With -r, read hidden files and directories as well'
            cand --no-ignore 'With -r, also read the files that .gitignore and .ignore files name'
            cand --keep-partial 'If the conversion stops, keep in OUT the text before the error'
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utflane;count'= {
            cand -e 'Encoding of the files; `auto` detects it for each'
            cand --encoding 'Encoding of the files; `auto` detects it for each'
            cand -j 'Number of files to read at once [default: the number of processors]'
            cand --jobs 'Number of files to read at once [default: the number of processors]'
            cand --languages 'Languages in which the files probably are: codes of ISO 639, such as cs,pl'
            cand -g 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --glob 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --json 'Print one JSON object a line, without a total'
            cand -0 'Print file names as they are, with a NUL after each'
            cand --null 'Print file names as they are, with a NUL after each'
            cand -z 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand --decompress 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand -r 'Read all files in directories, in the order of their names'
            cand --recursive 'Read all files in directories, in the order of their names'
            cand --hidden 'With -r, read hidden files and directories as well'
            cand --no-ignore 'With -r, also read the files that .gitignore and .ignore files name'
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utflane;detect'= {
            cand -j 'Number of files to read at once [default: the number of processors]'
            cand --jobs 'Number of files to read at once [default: the number of processors]'
            cand --languages 'Languages in which the files probably are: codes of ISO 639, such as cs,pl'
            cand -g 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --glob 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --json 'Print one JSON object a line'
            cand -0 'Print file names as they are, with a NUL after each'
            cand --null 'Print file names as they are, with a NUL after each'
            cand -z 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand --decompress 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand -r 'Read all files in directories, in the order of their names'
            cand --recursive 'Read all files in directories, in the order of their names'
            cand --hidden 'With -r, read hidden files and directories as well'
            cand --no-ignore 'With -r, also read the files that .gitignore and .ignore files name'
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utflane;repair'= {
            cand -m 'Damage to undo'
            cand --mode 'Damage to undo'
            cand -o 'Write to OUT instead of standard output'
            cand --output 'Write to OUT instead of standard output'
            cand -O 'Write each FILE to a file of the same name in the directory DIR, which must exist'
            cand --output-dir 'Write each FILE to a file of the same name in the directory DIR, which must exist'
            cand --backup 'With -i, keep the old file, under its name and SUFFIX, such as .bak'
            cand -j 'Number of files to convert at once [default: the number of processors]'
            cand --jobs 'Number of files to convert at once [default: the number of processors]'
            cand -g 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --glob 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out'
            cand --no-break-spaces 'Restore no-break spaces that became blanks: `Ã la` becomes `à la`'
            cand -n 'Write nothing: print the first double encoding of each file, and exit with 1 if there is one'
            cand --dry-run 'Write nothing: print the first double encoding of each file, and exit with 1 if there is one'
            cand -l 'Like --dry-run, but print only the names of the damaged files, one a line; with -0 a NUL after each'
            cand --list 'Like --dry-run, but print only the names of the damaged files, one a line; with -0 a NUL after each'
            cand -0 'With --list, print file names as they are, with a NUL after each'
            cand --null 'With --list, print file names as they are, with a NUL after each'
            cand -i 'Replace each FILE by the result'
            cand --in-place 'Replace each FILE by the result'
            cand -z 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand --decompress 'Decompress files in gzip, xz and zstd; read other files unchanged'
            cand -r 'Read all files in directories, in the order of their names'
            cand --recursive 'Read all files in directories, in the order of their names'
            cand --hidden 'With -r, read hidden files and directories as well'
            cand --no-ignore 'With -r, also read the files that .gitignore and .ignore files name'
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utflane;encodings'= {
            cand --json 'Print one JSON object a line, with the members group, name and labels'
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'utflane;kernels'= {
            cand -q 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand --quiet 'Print no progress bar and no notes on standard error; errors and warnings are still printed'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'utflane;help'= {
            cand check 'Validate files'
            cand convert 'Convert files from one encoding to another'
            cand count 'Count bytes, code points, UTF-16 units and lines'
            cand detect 'Detect the encoding of each file'
            cand repair 'Undo double encoding in UTF-8 files: `fÃ¶rste` becomes `förste`'
            cand encodings 'List the encodings: the name of each, and its other labels'
            cand kernels 'List the kernels: which are available here, and which is active'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'utflane;help;check'= {
        }
        &'utflane;help;convert'= {
        }
        &'utflane;help;count'= {
        }
        &'utflane;help;detect'= {
        }
        &'utflane;help;repair'= {
        }
        &'utflane;help;encodings'= {
        }
        &'utflane;help;kernels'= {
        }
        &'utflane;help;help'= {
        }
    ]
    $completions[$command]
}
