#!/usr/bin/env bash
# Counts the instructions that each operation takes on each kernel, by running
# benches/src/bin/instructions.rs in callgrind, and compares them with benches/instructions.csv:
#
#     ci/instructions.sh            # compare: fails if a figure grew too much
#     ci/instructions.sh --write    # and renew the file; commit it together with the reason
#
# A figure is instructions per byte of input, the sum over the texts divided by their number: of
# texts of 64 KiB, of 1,000 pieces of 120 and of 24 bytes, and of the pieces of 24 bytes by the free
# functions, which choose a kernel. Texts of 64 KiB may grow by 5 % on vector kernels: one
# instruction more in a loop of 20. All others may grow by 10 %: a few moves at a function's start
# are more than 5 % of a short piece, and the scalar kernel is the reference, not the fast one. So
# the file is renewed only for growth that has a reason, or to keep a gain: gains never fail.
#
# To see which text has grown: target/instructions-cells.csv has the count of each text and size.
# Compare it with that of the commit before.
#
# With --aarch64 as the first argument it counts in an emulator, qemu-aarch64, which logs every
# instruction, and compares with benches/instructions-aarch64.csv; only texts of 4 KiB.
# ci/env-aarch64.sh says what must be installed. One more column, which is not compared: how often
# the stack is read or written for 64 bytes of input. A few tenths are registers that a function
# saves for its caller; from 1 on something is spilled in an inner loop.
#
# Exit status 1: a figure grew too much and the compiler is the one that the file names. With
# another compiler growth is only reported. Exit status 2: it could not be counted. The new figures
# are in target/instructions.csv (-aarch64.csv) either way.
#
# The counts are exact and the same in every run: two calls of the operation less one, on texts that
# are made from a fixed seed. The program has the list of operations. Only kernels that valgrind's
# processor can run are counted (as of 3.19 no AVX-512). It needs valgrind, and no network once
# cargo has its crates.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
GROWTH=5        # percent, of whole texts on vector kernels
GROWTH_OTHER=10 # percent
# Bytes of each text, where each instruction makes a line in a log.
EMULATED_BYTES=4096

# Ends with a reason.
give_up() {
    echo "instructions: $*" >&2
    exit 2
}

variant=
if [ "${1-}" = --aarch64 ]; then
    variant=-aarch64
    shift
fi
write=
case "$#:${1-}" in
0:) ;;
1:--write) write=yes ;;
*) give_up "what is ${*@Q}? usage: ci/instructions.sh [--aarch64] [--write]" ;;
esac
figures=benches/instructions$variant.csv
new=$target/instructions$variant.csv
all=$target/instructions$variant-cells.csv

# Flags would be another compiler, as it were. The peers, one of them C++, have no part in this.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS UTFLANE_KERNEL
dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT

# Builds the program, with options for cargo.
build() {
    cargo build --quiet --locked --release -p utflane-bench --no-default-features --bin instructions "$@" ||
        give_up "the program can't be built"
}

# Both of these write the cells to $dumps/cells, and the counts of each cell's two calls, between
# tabs, to $dumps/counts.
count_in_callgrind() {
    command -v valgrind >/dev/null || give_up "valgrind is missing (Debian: apt-get install valgrind); nothing was counted"
    build
    local call found
    # One dump for each call of `measured`. The two patterns must not be the same: callgrind then
    # forgets the first option.
    valgrind --tool=callgrind --toggle-collect='*::measured*' --dump-after='instructions::measured*' \
        --callgrind-out-file="$dumps/out" "$target/release/instructions" >"$dumps/cells" 2>"$dumps/log" ||
        { cat "$dumps/log" >&2; give_up "callgrind failed"; }
    found=$(find "$dumps" -name 'out.*' | wc -l)
    # In the order of the calls, two on a line.
    for call in $(seq "$found"); do
        sed -n 's/^totals: //p' "$dumps/out.$call"
    done | paste - - >"$dumps/counts"
}

count_emulated() {
    command -v qemu-aarch64 >/dev/null || give_up "qemu-aarch64 is missing (Debian: apt-get install qemu-user)"
    build --target aarch64-unknown-linux-gnu
    local program=$CARGO_TARGET_DIR/aarch64-unknown-linux-gnu/release/instructions
    # The places of instructions that reach into the stack: their last six digits, which are enough
    # for a small program.
    aarch64-linux-gnu-objdump -d --no-show-raw-insn "$program" |
        awk '/\[(sp|x29)/ { sub(":", "", $1); print substr("000000" $1, length($1) + 1) }' >"$dumps/stack"
    [ -s "$dumps/stack" ] || give_up "nothing in the program reaches into the stack: objdump said something else"
    mkfifo "$dumps/log"
    # Each instruction makes a line, with its place after the first slash and the function at the
    # end. The first one of `measured` is where a call begins.
    awk '
        NR == FNR { stack[$1]; next }
        { place = substr($0, index($0, "/") + 1, 16) }
        $NF ~ /instructions8measured/ && (entry == "" || place == entry) {
            entry = place
            if (calls++ % 2) { first = count; first_reached = reached; second = 1 }
            count = reached = 0
        }
        second && $NF ~ /instructions8finished/ { print first "\t" count "\t" first_reached "\t" reached; second = 0 }
        { count++ }
        substr(place, 11) in stack && substr(place, 1, 10) == substr(entry, 1, 10) { reached++ }
    ' "$dumps/stack" "$dumps/log" >"$dumps/counts" &
    qemu-aarch64 -singlestep -d exec,nochain -D "$dumps/log" "$program" "$EMULATED_BYTES" neon >"$dumps/cells" ||
        give_up "the emulator failed"
    wait
}

if [ "$variant" ]; then
    # shellcheck source=ci/env-aarch64.sh
    . ci/env-aarch64.sh
    count_emulated
else
    count_in_callgrind
fi
compiler=$("${RUSTC:-rustc}" -V)
cells=$(wc -l <"$dumps/cells")
if [ "$cells" -eq 0 ] || [ "$(grep -c '[0-9]' "$dumps/counts")" -ne "$cells" ]; then
    give_up "there are $(wc -l <"$dumps/counts") counts for $cells cells"
fi
{
    echo "# $compiler"
    echo "kernel,operation,text,instructions per byte${variant:+,stack accesses per 64 bytes}"
    paste "$dumps/cells" "$dumps/counts" | awk -F '\t' '{
        printf "%s,%s,%s,%.3f", $1, $2, $3, ($6 - $5) / $4
        printf (NF > 6 ? ",%.1f\n" : "\n"), ($8 - $7) * 64 / $4
    }'
} >"$all"
if awk -F , 'NR > 2 && $4 <= 0 { none = 1 } END { exit !none }' "$all"; then
    give_up "there are cells without instructions: $all"
fi

# Reads cells; writes a line for each kernel and operation, with the means over the texts of a size.
summarise() {
    awk -F , '
        NR == 1 { print; next }
        NR == 2 { stack = $5; next }
        {
            kernel = $1
            size = match($3, / by [0-9]+ B$/) ? substr($3, RSTART + 4) : "whole texts"
            if (sub(/^free /, "", kernel)) size = "free, " size
            gsub(/,/, "", size)
            key = kernel "," $2
            if (!(key in seen)) { seen[key]; keys[++n] = key }
            sizes[size]
            sum[key, size] += $4
            accesses[key] += $5
            texts[key, size]++
        }
        END {
            columns = split("whole texts,120 B,24 B,free 24 B", column, ",")
            printf "kernel,operation"
            for (c = 1; c <= columns; c++) if (column[c] in sizes) printf ",%s", column[c]
            print (stack ? "," stack : "")
            for (k = 1; k <= n; k++) {
                key = keys[k]
                printf "%s", key
                for (c = 1; c <= columns; c++) if (column[c] in sizes) {
                    count = texts[key, column[c]]
                    printf (count ? ",%.3f" : ","), count ? sum[key, column[c]] / count : 0
                }
                if (stack) printf ",%.1f", accesses[key] / texts[key, "whole texts"]
                print ""
            }
        }'
}
summarise <"$all" >"$new"

# The changes in percent; the last line is the number of figures that grew too much.
compare() {
    awk -F , -v vector="$GROWTH" -v other="$GROWTH_OTHER" '
        /^#/ { next }
        $1 == "kernel" { split("", column); for (i = 3; i <= NF; i++) column[i] = $i; next }
        {
            for (i = 3; i <= NF; i++) {
                if ($i == "" || column[i] ~ /^stack/) continue
                key = $1 ", " $2 ", " column[i]
                if (NR == FNR) { before[key] = $i; continue }
                if (!(key in before)) { fresh++; continue }
                growth = column[i] == "whole texts" && $1 != "scalar" ? vector : other
                percent = before[key] > 0 ? 100 * ($i / before[key] - 1) : 0
                mark = percent > 0 ? "GREW  " : "shrank"
                if (percent > growth || percent < -growth)
                    printf "%s %+8.1f %%  %-44s %9.3f -> %9.3f\n", mark, percent, key, before[key], $i
                if (percent > growth) grown++
                delete before[key]
            }
        }
        END {
            for (key in before) gone++
            if (fresh) printf "%d figures are not in the file\n", fresh
            if (gone) printf "%d figures of the file were not counted here\n", gone
            print grown + 0
        }' "$figures" "$new"
}

grown=0
if [ -f "$figures" ]; then
    changes=$(compare)
    grown=${changes##*$'\n'}
    sed '$d' <<<"$changes"
    before=$(sed -n '1s/^# //p' "$figures")
    echo "instructions: $cells cells in $(($(wc -l <"$new") - 2)) lines; $grown figures grew too much; $compiler"
else
    before=none
    echo "instructions: $cells cells; there is no $figures to compare with"
fi
if [ "$write" ]; then
    cp "$new" "$figures"
    echo "instructions: $figures renewed"
elif [ "$before" = none ]; then
    give_up "make it with --write"
elif [ "$before" != "$compiler" ]; then
    echo "instructions: the figures are those of $before, so growth is no failure"
elif [ "$grown" -gt 0 ]; then
    exit 1
fi
