#!/usr/bin/env bash
# Fuzzes for hours: `ci/fuzz.sh HOURS [TARGET...]`, all targets if none is named; HOURS may be a
# fraction.
#
# As many targets at once as `JOBS` says, one for each processor if it doesn't; the time is shared
# among them. Corpora grow in target/fuzz-corpus from run to run, are made small in the end, and can
# be deleted. Inputs that fail are kept in target/fuzz-findings, and the target continues; to see
# one again, give its file to the program of the target:
#
#     target/fuzz/x86_64-unknown-linux-gnu/release/TARGET target/fuzz-findings/TARGET-crash-...
#
# Where a finding names a kernel, as in guess-sse42-crash-..., that is the one to set in
# `UTFLANE_KERNEL`: what has no methods of `Kernel` runs on each kernel in turn, all else on every
# kernel always.
set -euo pipefail
cd "$(dirname "$0")/.."
. ci/env-fuzz.sh

hours=${1:?"ci/fuzz.sh HOURS [TARGET...]"}
shift
mapfile -t targets < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else fuzz_targets; fi)
jobs=${JOBS:-$(nproc)}
seconds=$(awk -v hours="$hours" -v jobs="$jobs" -v targets="${#targets[@]}" \
    'BEGIN { print int(hours * 3600 * (jobs < targets ? jobs / targets : 1)) }')

build_fuzz_targets
mkdir -p target/fuzz-findings target/fuzz-log

# One target, for its share of the time. Where it fails it begins anew, but not for ever.
turn() {
    local name=$1 end=$((SECONDS + seconds)) corpus=target/fuzz-corpus/$1 log=target/fuzz-log/$1 found=0 small
    : >"$log"
    while [ $SECONDS -lt $end ] && [ $found -lt 20 ]; do
        fuzz "$name" $((end - SECONDS)) "$corpus" "target/fuzz-findings/$name" >>"$log" 2>&1 || found=$((found + 1))
    done
    # Inputs that find nothing new beside the others are left out.
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

# In turns: the next begins when one of those that run has ended.
failed=0
for name in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || failed=1; done
    turn "$name" &
done
while [ "$(jobs -rp | wc -l)" -gt 0 ]; do wait -n || failed=1; done
find target/fuzz-findings -type f
exit $failed
