_utflane() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="utflane"
                ;;
            utflane,check)
                cmd="utflane__subcmd__check"
                ;;
            utflane,convert)
                cmd="utflane__subcmd__convert"
                ;;
            utflane,count)
                cmd="utflane__subcmd__count"
                ;;
            utflane,detect)
                cmd="utflane__subcmd__detect"
                ;;
            utflane,encodings)
                cmd="utflane__subcmd__encodings"
                ;;
            utflane,help)
                cmd="utflane__subcmd__help"
                ;;
            utflane,kernels)
                cmd="utflane__subcmd__kernels"
                ;;
            utflane,repair)
                cmd="utflane__subcmd__repair"
                ;;
            utflane__subcmd__help,check)
                cmd="utflane__subcmd__help__subcmd__check"
                ;;
            utflane__subcmd__help,convert)
                cmd="utflane__subcmd__help__subcmd__convert"
                ;;
            utflane__subcmd__help,count)
                cmd="utflane__subcmd__help__subcmd__count"
                ;;
            utflane__subcmd__help,detect)
                cmd="utflane__subcmd__help__subcmd__detect"
                ;;
            utflane__subcmd__help,encodings)
                cmd="utflane__subcmd__help__subcmd__encodings"
                ;;
            utflane__subcmd__help,help)
                cmd="utflane__subcmd__help__subcmd__help"
                ;;
            utflane__subcmd__help,kernels)
                cmd="utflane__subcmd__help__subcmd__kernels"
                ;;
            utflane__subcmd__help,repair)
                cmd="utflane__subcmd__help__subcmd__repair"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        utflane)
            opts="-q -h -V --quiet --help --version check convert count detect repair encodings kernels help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__check)
            opts="-e -a -l -j -0 -z -r -g -q -h --encoding --all --list --json --no-bom --mojibake --excerpt --jobs --null --languages --decompress --recursive --hidden --no-ignore --glob --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --encoding)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                --all)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -a)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mojibake)
                    COMPREPLY=($(compgen -W "all once runs runs-all latin1 windows-1252" -- "${cur}"))
                    return 0
                    ;;
                --excerpt)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --languages)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__convert)
            opts="-f -t -c -o -i -O -j -n -z -r -g -q -h --from --guess --languages --to --skip-valid --bom --eol --on-invalid --on-unmappable --translit --variants --replacement --excerpt --output --in-place --output-dir --backup --jobs --dry-run --decompress --recursive --hidden --no-ignore --glob --keep-partial --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                --languages)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                --bom)
                    COMPREPLY=($(compgen -W "strip strip-all keep add" -- "${cur}"))
                    return 0
                    ;;
                --eol)
                    COMPREPLY=($(compgen -W "lf crlf" -- "${cur}"))
                    return 0
                    ;;
                --on-invalid)
                    COMPREPLY=($(compgen -W "stop replace skip latin1 replace-as-java replace-runs" -- "${cur}"))
                    return 0
                    ;;
                --on-unmappable)
                    COMPREPLY=($(compgen -W "stop replace skip ncr escape" -- "${cur}"))
                    return 0
                    ;;
                --replacement)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --excerpt)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --backup)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__count)
            opts="-e -j -0 -z -r -g -q -h --encoding --json --jobs --null --languages --decompress --recursive --hidden --no-ignore --glob --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --encoding)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-16le utf-16be utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be utf-16 utf-32 gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 iso-8859-8-i windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u koi8-t kz-1048 ptcp154 tis-620 hp-roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 ibm866 cp869 ibm874 cp1125 macintosh x-mac-ce x-mac-greek x-mac-cyrillic x-mac-turkish x-mac-croatian x-mac-romanian x-mac-icelandic cp037 cp273 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp871 cp875 cp1026 cp1047 cp1140 cp1141 cp1142 cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 x-user-defined" -- "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --languages)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__detect)
            opts="-j -0 -z -r -g -q -h --json --jobs --null --languages --decompress --recursive --hidden --no-ignore --glob --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --languages)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__encodings)
            opts="-q -h --json --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help)
            opts="check convert count detect repair encodings kernels help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__check)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__convert)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__count)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__detect)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__encodings)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__kernels)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__help__subcmd__repair)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__kernels)
            opts="-q -h --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utflane__subcmd__repair)
            opts="-m -n -l -0 -o -i -O -j -z -r -g -q -h --mode --no-break-spaces --dry-run --list --null --output --in-place --output-dir --backup --jobs --decompress --recursive --hidden --no-ignore --glob --quiet --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --mode)
                    COMPREPLY=($(compgen -W "all once runs runs-all latin1 windows-1252" -- "${cur}"))
                    return 0
                    ;;
                -m)
                    COMPREPLY=($(compgen -W "all once runs runs-all latin1 windows-1252" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --backup)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _utflane -o nosort -o bashdefault -o default utflane
else
    complete -F _utflane -o bashdefault -o default utflane
fi
