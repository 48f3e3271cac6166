# Builds and runs fuzz targets as `cargo fuzz` does, without installing it. To be sourced.

# shellcheck shell=bash

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
    local target
    for target in fuzz/fuzz_targets/*.rs; do basename "$target" .rs; done
}

# The kernels that a target is run on, a line each. An empty line: once, since it asks each kernel
# itself, or UTFLANE_KERNEL names one for all.
kernels_of() {
    case $1:${UTFLANE_KERNEL:-} in
    strings: | legacy: | guess: | io: | par:) "$FUZZ_PROGRAMS/examples/kernels" ;;
    *) echo "${UTFLANE_KERNEL:-}" ;;
    esac
}

# Fuzzes: `fuzz TARGET SECONDS CORPUS FINDINGS`. New inputs go into CORPUS, failing ones to
# FINDINGS-*. Targets whose verbs have no methods of `Kernel` share the time among all kernels.
fuzz() {
    local kernel kernels seconds
    mkdir -p "$3"
    mapfile -t kernels < <(kernels_of "$1")
    # Rounded up: 0 would be for ever.
    seconds=$((($2 > 0 ? $2 - 1 : 0) / ${#kernels[@]} + 1))
    for kernel in "${kernels[@]}"; do
        # Whatever depends on more text, the targets make of a short one by repeating it. The books that -entropic=1 keeps
        # of rare features take more than half of the time of an input with thousands of them.
        UTFLANE_KERNEL=$kernel timeout $((seconds + 120)) "$FUZZ_PROGRAMS/$1" -max_total_time="$seconds" -max_len=1024 -entropic=0 \
            -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$4-${kernel:+$kernel-}" \
            "$3" "target/ci/seeds/$1" || return
    done
}
