
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'utflane' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'utflane'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'utflane' {
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Validate files')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert files from one encoding to another')
            [CompletionResult]::new('count', 'count', [CompletionResultType]::ParameterValue, 'Count bytes, code points, UTF-16 units and lines')
            [CompletionResult]::new('detect', 'detect', [CompletionResultType]::ParameterValue, 'Detect the encoding of each file')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Undo double encoding in UTF-8 files: `fÃ¶rste` becomes `förste`')
            [CompletionResult]::new('encodings', 'encodings', [CompletionResultType]::ParameterValue, 'List the encodings: the name of each, and its other labels')
            [CompletionResult]::new('kernels', 'kernels', [CompletionResultType]::ParameterValue, 'List the kernels: which are available here, and which is active')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'utflane;check' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Encoding of the files; `auto` detects it for each')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the files; `auto` detects it for each')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Report every ill-formed sequence, not only the first of each file')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Report every ill-formed sequence, not only the first of each file')
            [CompletionResult]::new('--mojibake', '--mojibake', [CompletionResultType]::ParameterName, 'Report double encoding as well, such as `fÃ¶rste` for `förste`')
            [CompletionResult]::new('--excerpt', '--excerpt', [CompletionResultType]::ParameterName, 'Show the line below each message, with carets under the sequence')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to read at once [default: the number of processors]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to read at once [default: the number of processors]')
            [CompletionResult]::new('--languages', '--languages', [CompletionResultType]::ParameterName, 'Languages in which the files probably are: codes of ISO 639, such as cs,pl')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print only the names of the invalid files, one a line; with -0 a NUL after each')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Print only the names of the invalid files, one a line; with -0 a NUL after each')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line')
            [CompletionResult]::new('--no-bom', '--no-bom', [CompletionResultType]::ParameterName, 'Report byte order marks as well, at the start and inside, where files were joined')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Print file names as they are, with a NUL after each')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Print file names as they are, with a NUL after each')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('--decompress', '--decompress', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'With -r, read hidden files and directories as well')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'With -r, also read the files that .gitignore and .ignore files name')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'utflane;convert' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Encoding to convert from; `auto` detects it')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Encoding to convert from; `auto` detects it')
            [CompletionResult]::new('--languages', '--languages', [CompletionResultType]::ParameterName, 'Languages in which the files probably are: codes of ISO 639, such as cs,pl')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Encoding to convert to')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Encoding to convert to')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'Treatment of a byte order mark')
            [CompletionResult]::new('--eol', '--eol', [CompletionResultType]::ParameterName, 'Write all line ends as LF or as CR LF [default: keep them]')
            [CompletionResult]::new('--on-invalid', '--on-invalid', [CompletionResultType]::ParameterName, 'Treatment of a sequence that is ill-formed in the source encoding')
            [CompletionResult]::new('--on-unmappable', '--on-unmappable', [CompletionResultType]::ParameterName, 'Treatment of a character that the target encoding does not have')
            [CompletionResult]::new('--replacement', '--replacement', [CompletionResultType]::ParameterName, 'Text that `replace` writes; it may be empty ('''') [default: U+FFFD]')
            [CompletionResult]::new('--excerpt', '--excerpt', [CompletionResultType]::ParameterName, 'Show the line below each message, with carets under the sequence')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to OUT instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to OUT instead of standard output')
            [CompletionResult]::new('-O', '-O ', [CompletionResultType]::ParameterName, 'Write each FILE to a file of the same name in the directory DIR, which must exist')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write each FILE to a file of the same name in the directory DIR, which must exist')
            [CompletionResult]::new('--backup', '--backup', [CompletionResultType]::ParameterName, 'With -i, keep the old file, under its name and SUFFIX, such as .bak')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to convert at once [default: the number of processors]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to convert at once [default: the number of processors]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--guess', '--guess', [CompletionResultType]::ParameterName, 'With `-f auto`, take the best candidate even if it is not likely')
            [CompletionResult]::new('--skip-valid', '--skip-valid', [CompletionResultType]::ParameterName, 'Read a file that is valid UTF-8 as UTF-8, not as the encoding of -f; needs -t utf-8')
            [CompletionResult]::new('--translit', '--translit', [CompletionResultType]::ParameterName, 'Approximate characters that the target encoding does not have, as iconv''s //TRANSLIT does')
            [CompletionResult]::new('--variants', '--variants', [CompletionResultType]::ParameterName, 'Replace a character that the target encoding lacks by its variant, as iconv''s cp932 does')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Omit ill-formed sequences and unmappable characters, as iconv does')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Replace each FILE by the result')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Replace each FILE by the result')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Write nothing: print what would happen to each file, and exit with the same status')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing: print what would happen to each file, and exit with the same status')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('--decompress', '--decompress', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'With -r, read hidden files and directories as well')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'With -r, also read the files that .gitignore and .ignore files name')
            [CompletionResult]::new('--keep-partial', '--keep-partial', [CompletionResultType]::ParameterName, 'If the conversion stops, keep in OUT the text before the error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'utflane;count' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Encoding of the files; `auto` detects it for each')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the files; `auto` detects it for each')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to read at once [default: the number of processors]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to read at once [default: the number of processors]')
            [CompletionResult]::new('--languages', '--languages', [CompletionResultType]::ParameterName, 'Languages in which the files probably are: codes of ISO 639, such as cs,pl')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line, without a total')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Print file names as they are, with a NUL after each')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Print file names as they are, with a NUL after each')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('--decompress', '--decompress', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'With -r, read hidden files and directories as well')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'With -r, also read the files that .gitignore and .ignore files name')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'utflane;detect' {
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to read at once [default: the number of processors]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to read at once [default: the number of processors]')
            [CompletionResult]::new('--languages', '--languages', [CompletionResultType]::ParameterName, 'Languages in which the files probably are: codes of ISO 639, such as cs,pl')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Print file names as they are, with a NUL after each')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Print file names as they are, with a NUL after each')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('--decompress', '--decompress', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'With -r, read hidden files and directories as well')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'With -r, also read the files that .gitignore and .ignore files name')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'utflane;repair' {
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'Damage to undo')
            [CompletionResult]::new('--mode', '--mode', [CompletionResultType]::ParameterName, 'Damage to undo')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to OUT instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to OUT instead of standard output')
            [CompletionResult]::new('-O', '-O ', [CompletionResultType]::ParameterName, 'Write each FILE to a file of the same name in the directory DIR, which must exist')
            [CompletionResult]::new('--output-dir', '--output-dir', [CompletionResultType]::ParameterName, 'Write each FILE to a file of the same name in the directory DIR, which must exist')
            [CompletionResult]::new('--backup', '--backup', [CompletionResultType]::ParameterName, 'With -i, keep the old file, under its name and SUFFIX, such as .bak')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to convert at once [default: the number of processors]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to convert at once [default: the number of processors]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'With -r, read only the files that match GLOB; with `!GLOB`, leave them out')
            [CompletionResult]::new('--no-break-spaces', '--no-break-spaces', [CompletionResultType]::ParameterName, 'Restore no-break spaces that became blanks: `Ã la` becomes `à la`')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Write nothing: print the first double encoding of each file, and exit with 1 if there is one')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing: print the first double encoding of each file, and exit with 1 if there is one')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Like --dry-run, but print only the names of the damaged files, one a line; with -0 a NUL after each')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Like --dry-run, but print only the names of the damaged files, one a line; with -0 a NUL after each')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'With --list, print file names as they are, with a NUL after each')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'With --list, print file names as they are, with a NUL after each')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Replace each FILE by the result')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Replace each FILE by the result')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('--decompress', '--decompress', [CompletionResultType]::ParameterName, 'Decompress files in gzip, xz and zstd; read other files unchanged')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read all files in directories, in the order of their names')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'With -r, read hidden files and directories as well')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'With -r, also read the files that .gitignore and .ignore files name')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'utflane;encodings' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line, with the members group, name and labels')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'utflane;kernels' {
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no progress bar and no notes on standard error; errors and warnings are still printed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'utflane;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Validate files')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert files from one encoding to another')
            [CompletionResult]::new('count', 'count', [CompletionResultType]::ParameterValue, 'Count bytes, code points, UTF-16 units and lines')
            [CompletionResult]::new('detect', 'detect', [CompletionResultType]::ParameterValue, 'Detect the encoding of each file')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Undo double encoding in UTF-8 files: `fÃ¶rste` becomes `förste`')
            [CompletionResult]::new('encodings', 'encodings', [CompletionResultType]::ParameterValue, 'List the encodings: the name of each, and its other labels')
            [CompletionResult]::new('kernels', 'kernels', [CompletionResultType]::ParameterValue, 'List the kernels: which are available here, and which is active')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'utflane;help;check' {
            break
        }
        'utflane;help;convert' {
            break
        }
        'utflane;help;count' {
            break
        }
        'utflane;help;detect' {
            break
        }
        'utflane;help;repair' {
            break
        }
        'utflane;help;encodings' {
            break
        }
        'utflane;help;kernels' {
            break
        }
        'utflane;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
