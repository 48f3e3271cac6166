#!/usr/bin/env bash
# Fuzzes for hours, as `cargo fuzz` does, without installing it: `fuzz/run.sh HOURS [TARGET...]`, all
# targets if none is named; HOURS may be a fraction. Sourced, it only has the functions.
#
# As many targets at once as `JOBS` says, one for each processor if it doesn't; the time is shared
# among them. Corpora grow in target/fuzz-corpus from run to run, are made small in the end, and can
# be deleted. Inputs that fail are kept in target/fuzz-findings, and the target continues; to see
# one again, give its file to the program of the target:
#
#     target/fuzz/x86_64-unknown-linux-gnu/release/TARGET target/fuzz-findings/TARGET-crash-...
#
# Where a finding names a kernel, as in guess-sse42-crash-..., that is the one to set in
# `UTFLANE_KERNEL`: functions that are not methods of `Kernel` run on each kernel in turn, all
# others on every kernel always.

HOST=$(rustc -vV | sed -n 's/^host: //p')
# An own folder, for all of it is compiled with other flags.
FUZZ_FOLDER=${CARGO_TARGET_DIR:-target}/fuzz
FUZZ_PROGRAMS=$FUZZ_FOLDER/$HOST/release

# Builds the targets, and makes their first inputs: `target/ci/seeds/TARGET/*`.
build_fuzz_targets() {
    local flags="--cfg fuzzing -Zsanitizer=address -Clto=off -Cdebug-assertions -Cpasses=sancov-module" option
    for option in level=4 inline-8bit-counters pc-table trace-compares; do
        flags+=" -Cllvm-args=-sanitizer-coverage-$option"
    done
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=$flags CARGO_TARGET_DIR="$FUZZ_FOLDER" \
        timeout 900 cargo build --locked --release --target "$HOST" --manifest-path fuzz/Cargo.toml --bins --examples
    rm -rf target/ci/seeds
    "$FUZZ_PROGRAMS/examples/seeds" target/ci/seeds
}

# All targets.
fuzz_targets() {
    basename -s .rs fuzz/fuzz_targets/*.rs
}

# Fuzzes: `fuzz TARGET SECONDS CORPUS FINDINGS`. New inputs go into CORPUS, failing ones to
# FINDINGS-*. Targets whose operations have no methods of `Kernel` share the time among all kernels.
fuzz() {
    local kernels=("${UTFLANE_KERNEL:-}") kernel seconds
    case $1:${UTFLANE_KERNEL:-} in
    strings: | legacy: | guess: | io: | par:) mapfile -t kernels < <("$FUZZ_PROGRAMS/examples/kernels") ;;
    esac
    mkdir -p "$3"
    # Rounded up: 0 would be for ever.
    seconds=$((($2 > 0 ? $2 - 1 : 0) / ${#kernels[@]} + 1))
    for kernel in "${kernels[@]}"; do
        # Whatever depends on more text, the targets make of a short one by repeating it. The books that -entropic=1 keeps
        # of rare features take more than half of the time of an input with thousands of them.
        UTFLANE_KERNEL=$kernel timeout $((seconds + 400)) "$FUZZ_PROGRAMS/$1" -max_total_time="$seconds" -max_len=1024 -entropic=0 \
            -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$4-${kernel:+$kernel-}" \
            "$3" "target/ci/seeds/$1" || return
    done
}

# One target, for its share of the time. Where it fails it begins anew, but not for ever.
turn() {
    local name=$1 end=$((SECONDS + seconds)) corpus=target/fuzz-corpus/$1 log=target/fuzz-log/$1 found=0 small
    : >"$log"
    while [ $SECONDS -lt $end ] && [ $found -lt 20 ]; do
        fuzz "$name" $((end - SECONDS)) "$corpus" "target/fuzz-findings/$name" >>"$log" 2>&1 || found=$((found + 1))
    done
    # Inputs that find nothing new are left out.
    small=$(mktemp -d)
    if "$FUZZ_PROGRAMS/$name" -merge=1 "$small" "$corpus" >>"$log" 2>&1; then
        rm -rf "$corpus"
        cp -r "$small" "$corpus"
    fi
    rm -rf "$small"
    awk -v name="$name" -v found="$found" -v kept="$(find "$corpus" -type f | wc -l)" -v seconds="$seconds" '
        /^stat::number_of_executed_units/ { sum += $2 }
        END { printf "%-10s %6d s %12d executions, %6d inputs kept, %d findings\n", name, seconds, sum, kept, found }' "$log"
    [ $found -eq 0 ]
}

if [ "$0" != "${BASH_SOURCE[0]}" ]; then return; fi

set -euo pipefail
cd "$(dirname "$0")/.."
hours=${1:?"fuzz/run.sh HOURS [TARGET...]"}
targets=("${@:2}")
if [ $# -eq 1 ]; then mapfile -t targets < <(fuzz_targets); fi
jobs=${JOBS:-$(nproc)}
seconds=$(awk -v hours="$hours" -v jobs="$jobs" -v targets="${#targets[@]}" \
    'BEGIN { print int(hours * 3600 * (jobs < targets ? jobs / targets : 1)) }')
build_fuzz_targets
mkdir -p target/fuzz-findings target/fuzz-log

# In turns: the next target begins when a running one has ended.
failed=0
for name in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || failed=1; done
    turn "$name" &
done
while [ "$(jobs -rp | wc -l)" -gt 0 ]; do wait -n || failed=1; done
find target/fuzz-findings -type f
exit $failed
