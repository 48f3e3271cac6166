# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_utflane_global_optspecs
    string join \n q/quiet h/help V/version
end

function __fish_utflane_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_utflane_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_utflane_using_subcommand
    set -l cmd (__fish_utflane_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c utflane -n "__fish_utflane_needs_command" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_needs_command" -s V -l version -d 'Print version'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "check" -d 'Check whether files are well-formed'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "convert" -d 'Convert files from one encoding to another'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "count" -d 'Count bytes, code points, UTF-16 units and lines'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "detect" -d 'Detect the encoding of each file'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "repair" -d 'Undo double encoding in a UTF-8 file: `fÃ¶rste` becomes `förste`'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "encodings" -d 'List the encodings: the name of each, and its other labels'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "kernels" -d 'List the kernels: whether each is available here, and which is active'
complete -c utflane -n "__fish_utflane_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c utflane -n "__fish_utflane_using_subcommand check" -s e -l encoding -d 'Encoding of the files; `auto` detects that of each' -r
complete -c utflane -n "__fish_utflane_using_subcommand check" -s a -l all -d 'Report every ill-formed sequence, not only the first of each file' -r
complete -c utflane -n "__fish_utflane_using_subcommand check" -l excerpt -d 'Show the line below each message, with carets under the place' -r -f -a "auto\t'If the messages go to a terminal'
always\t'Always'
never\t'Never'"
complete -c utflane -n "__fish_utflane_using_subcommand check" -s j -l jobs -d 'Number of files to read at once [default: the number of processors]' -r
complete -c utflane -n "__fish_utflane_using_subcommand check" -s l -l list -d 'Print only the names of the invalid files, one a line; with -0 a NUL after each'
complete -c utflane -n "__fish_utflane_using_subcommand check" -l json -d 'Print one JSON object a line'
complete -c utflane -n "__fish_utflane_using_subcommand check" -s 0 -l null -d 'Print file names as they are, with a NUL after each'
complete -c utflane -n "__fish_utflane_using_subcommand check" -s z -l decompress -d 'Read files in gzip, xz and zstd as the text in them, and others as they are'
complete -c utflane -n "__fish_utflane_using_subcommand check" -s r -l recursive -d 'Read all files in directories, in the order of their names'
complete -c utflane -n "__fish_utflane_using_subcommand check" -l hidden -d 'With -r, read hidden files and directories as well'
complete -c utflane -n "__fish_utflane_using_subcommand check" -l no-ignore -d 'With -r, read what .gitignore and .ignore files name as well'
complete -c utflane -n "__fish_utflane_using_subcommand check" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s f -l from -d 'Encoding to convert from; `auto` detects it' -r
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s t -l to -d 'Encoding to convert to' -r
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l bom -d 'Treatment of a byte order mark' -r -f -a "strip\t'Remove a mark at the start'
keep\t'Treat a mark as any other character'
add\t'Begin the output with one mark, whether the file does or not'"
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l on-invalid -d 'Treatment of a sequence that is ill-formed in the source encoding' -r -f -a "stop\t'Stop the conversion'
replace\t'Write U+FFFD, or the text of --replacement; `?` if the target encoding does not have it'
skip\t'Omit the sequence. This joins the text on both sides: `<scr\\xFFipt>` becomes a tag that a check before the conversion did not see. Between WTF-8 and WTF-16, write U+FFFD if surrogates would join to a pair'
latin1\t'Write each byte as the Latin-1 character of that number; U+FFFD in UTF-16 and UTF-32'
replace-as-java\t'Write U+FFFD as often as Java does: once for a surrogate in three bytes of UTF-8, and otherwise as replace'
replace-runs\t'Write one U+FFFD for all sequences that follow each other'"
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l on-unmappable -d 'Treatment of a character that the target encoding does not have' -r -f -a "stop\t'Stop the conversion'
replace\t'Write U+FFFD, or the text of --replacement; `?` if the target encoding does not have it'
skip\t'Omit the character. This joins the text on both sides, as above'
ncr\t'Write a numeric character reference as in HTML: `&#8364;` for the euro sign. References in the file stay as they are'"
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l replacement -d 'Text that `replace` writes; it may be empty (\'\') [default: U+FFFD]' -r
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l excerpt -d 'Show the line below each message, with carets under the place' -r -f -a "auto\t'If the messages go to a terminal'
always\t'Always'
never\t'Never'"
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s o -l output -d 'Write to OUT instead of standard output' -r -F
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s O -l output-dir -d 'Write each FILE to a file of the same name in the directory DIR, which must exist' -r -F
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l guess -d 'With `-f auto`, take the best candidate even if it is not likely'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l translit -d 'Approximate characters that the target encoding does not have, as iconv\'s //TRANSLIT does'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s c -d 'Omit ill-formed sequences and unmappable characters, as iconv does'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s i -l in-place -d 'Replace each FILE by its conversion'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s z -l decompress -d 'Read files in gzip, xz and zstd as the text in them, and others as they are'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -l keep-partial -d 'If the conversion stops, keep in OUT the text before that place'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_using_subcommand count" -s e -l encoding -d 'Encoding of the files; `auto` detects that of each' -r
complete -c utflane -n "__fish_utflane_using_subcommand count" -s j -l jobs -d 'Number of files to read at once [default: the number of processors]' -r
complete -c utflane -n "__fish_utflane_using_subcommand count" -l json -d 'Print one JSON object a line, without a total'
complete -c utflane -n "__fish_utflane_using_subcommand count" -s 0 -l null -d 'Print file names as they are, with a NUL after each'
complete -c utflane -n "__fish_utflane_using_subcommand count" -s z -l decompress -d 'Read files in gzip, xz and zstd as the text in them, and others as they are'
complete -c utflane -n "__fish_utflane_using_subcommand count" -s r -l recursive -d 'Read all files in directories, in the order of their names'
complete -c utflane -n "__fish_utflane_using_subcommand count" -l hidden -d 'With -r, read hidden files and directories as well'
complete -c utflane -n "__fish_utflane_using_subcommand count" -l no-ignore -d 'With -r, read what .gitignore and .ignore files name as well'
complete -c utflane -n "__fish_utflane_using_subcommand count" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand count" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -s j -l jobs -d 'Number of files to read at once [default: the number of processors]' -r
complete -c utflane -n "__fish_utflane_using_subcommand detect" -l json -d 'Print one JSON object a line'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -s 0 -l null -d 'Print file names as they are, with a NUL after each'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -s z -l decompress -d 'Read files in gzip, xz and zstd as the text in them, and others as they are'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -s r -l recursive -d 'Read all files in directories, in the order of their names'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -l hidden -d 'With -r, read hidden files and directories as well'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -l no-ignore -d 'With -r, read what .gitignore and .ignore files name as well'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand detect" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_using_subcommand repair" -s m -l mode -d 'Damage to undo' -r -f -a "all\t'Every round, if all characters beyond ASCII are part of the damage and that is no coincidence'
once\t'The same, but one round only'
runs\t'One round in each damaged place of a mixed text, such as a log of several programs'
runs-all\t'Every round in each damaged place, at most 16'
latin1\t'One round by Latin-1, however unlikely; fails if the text is not that'
windows-1252\t'One round by windows-1252, however unlikely; fails if the text is not that'"
complete -c utflane -n "__fish_utflane_using_subcommand repair" -s o -l output -d 'Write to OUT instead of standard output' -r -F
complete -c utflane -n "__fish_utflane_using_subcommand repair" -l no-break-spaces -d 'Take blanks for no-break spaces where the damage needs them: `Ã la` becomes `à la`'
complete -c utflane -n "__fish_utflane_using_subcommand repair" -s z -l decompress -d 'Read a file in gzip, xz or zstd as the text in it, and another as it is'
complete -c utflane -n "__fish_utflane_using_subcommand repair" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand repair" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_using_subcommand encodings" -l json -d 'Print one JSON object a line, with the members name and labels'
complete -c utflane -n "__fish_utflane_using_subcommand encodings" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand encodings" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utflane -n "__fish_utflane_using_subcommand kernels" -s q -l quiet -d 'Print no progress bar and no notes on standard error; errors are still printed'
complete -c utflane -n "__fish_utflane_using_subcommand kernels" -s h -l help -d 'Print help'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "check" -d 'Check whether files are well-formed'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "convert" -d 'Convert files from one encoding to another'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "count" -d 'Count bytes, code points, UTF-16 units and lines'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "detect" -d 'Detect the encoding of each file'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "repair" -d 'Undo double encoding in a UTF-8 file: `fÃ¶rste` becomes `förste`'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "encodings" -d 'List the encodings: the name of each, and its other labels'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "kernels" -d 'List the kernels: whether each is available here, and which is active'
complete -c utflane -n "__fish_utflane_using_subcommand help; and not __fish_seen_subcommand_from check convert count detect repair encodings kernels help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
