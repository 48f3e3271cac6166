#!/usr/bin/env bash
# Fuzzes for hours, as `cargo fuzz` does, but cargo-fuzz need not be installed:
# `fuzz/run.sh HOURS [TARGET...]`. HOURS may be a fraction. Without TARGET, all targets run. If another
# script sources this file, it only defines functions.
#
# `JOBS` is the number of targets that run at the same time, by default the number of processors. All
# targets get the same share of the time. Corpora grow in target/fuzz-corpus from run to run. After each
# run they are minimised. They can be deleted. Inputs that fail are kept in target/fuzz-findings, and the
# target continues. To reproduce a failure, pass the file to the program of the target:
#
#     target/fuzz/x86_64-unknown-linux-gnu/release/TARGET target/fuzz-findings/TARGET-crash-...
#
# If the name of the file contains a kernel, as in guess-sse42-crash-..., set `UTFLANE_KERNEL` to this
# kernel: functions that are not methods of `Kernel` run on one kernel at a time. All other functions
# run on every kernel in each run.

HOST=$(rustc -vV | sed -n 's/^host: //p')
# A separate folder, because everything is compiled with other flags.
FUZZ_FOLDER=${CARGO_TARGET_DIR:-target}/fuzz
FUZZ_PROGRAMS=$FUZZ_FOLDER/$HOST/release

# Builds the targets, and generates their initial inputs, `target/ci/seeds/TARGET/*`.
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

# Prints the names of all targets.
fuzz_targets() {
    basename -s .rs fuzz/fuzz_targets/*.rs
}

# Fuzzes a target: `fuzz TARGET SECONDS CORPUS FINDINGS`. New inputs are written to the folder CORPUS,
# failing inputs to FINDINGS-*. Targets whose operations are not methods of `Kernel` run on each kernel
# for an equal share of the time.
fuzz() {
    local kernels=("${UTFLANE_KERNEL:-}") kernel seconds
    case $1:${UTFLANE_KERNEL:-} in
    strings: | legacy: | guess: | io: | par:) mapfile -t kernels < <("$FUZZ_PROGRAMS/examples/kernels") ;;
    esac
    mkdir -p "$3"
    # The time is rounded up, because 0 would mean no limit.
    seconds=$((($2 > 0 ? $2 - 1 : 0) / ${#kernels[@]} + 1))
    for kernel in "${kernels[@]}"; do
        # Short inputs suffice, because the targets repeat them where longer text matters. With -entropic=1, the fuzzer
        # keeps statistics of rare features, which take more than half of the time if an input has thousands of features.
        UTFLANE_KERNEL=$kernel timeout $((seconds + 400)) "$FUZZ_PROGRAMS/$1" -max_total_time="$seconds" -max_len=1024 -entropic=0 \
            -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$4-${kernel:+$kernel-}" \
            "$3" "target/ci/seeds/$1" || return
    done
}

# Fuzzes one target for its share of the time. After a failure it starts again, up to 20 times.
fuzz_for_share() {
    local name=$1 end=$((SECONDS + seconds)) corpus=target/fuzz-corpus/$1 log=target/fuzz-log/$1 found=0 minimised
    : >"$log"
    while [ $SECONDS -lt $end ] && [ $found -lt 20 ]; do
        fuzz "$name" $((end - SECONDS)) "$corpus" "target/fuzz-findings/$name" >>"$log" 2>&1 || found=$((found + 1))
    done
    # Minimises the corpus: inputs that cover nothing new are removed.
    minimised=$(mktemp -d)
    if "$FUZZ_PROGRAMS/$name" -merge=1 "$minimised" "$corpus" >>"$log" 2>&1; then
        rm -rf "$corpus"
        cp -r "$minimised" "$corpus"
    fi
    rm -rf "$minimised"
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

# Runs $jobs targets at the same time. The next target begins when a running target has ended.
failed=0
for name in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || failed=1; done
    fuzz_for_share "$name" &
done
while [ "$(jobs -rp | wc -l)" -gt 0 ]; do wait -n || failed=1; done
find target/fuzz-findings -type f
exit $failed
