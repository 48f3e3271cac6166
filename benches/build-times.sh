#!/usr/bin/env bash
# Measures how long first builds take: of a program that depends on utflane, in several ways, and of the
# README's first command. Prints the processor time and the elapsed time in seconds, in the order of the
# README's table. The packages are fetched before. The profile lines are those of the README.
#
#     benches/build-times.sh            needs GNU time, and an otherwise idle machine
set -euo pipefail
cd "$(dirname "$0")/.."
# Settings that would change the builds.
unset CARGO_INCREMENTAL RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
unset ${!CARGO_BUILD_@} ${!CARGO_TARGET_@} ${!CARGO_PROFILE_@}
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints the times of a command that builds into an empty folder: `measure NAME COMMAND...`.
measure() {
    rm -rf "$folder/target"
    CARGO_TARGET_DIR=$folder/target /usr/bin/time -o "$folder/times" -f '%U %S %e' "${@:2}" >"$folder/output" 2>&1 ||
        { cat "$folder/output"; exit 1; }
    awk -v name="$1" '{ printf "%-52s %4.0f s of processor time, %3.0f s elapsed\n", name, $1 + $2, $3 }' "$folder/times"
}

# Measures the build of a program: `measure_program NAME DEPENDENCY MANIFEST CODE [OPTION...]`, with
# the dependency's options, the end of the manifest, and options for cargo.
measure_program() {
    mkdir -p "$folder/program/src"
    printf '[package]\nname = "program"\nedition = "2024"\n[dependencies]\nutflane = { path = "%s"%s }\n%s\n' \
        "$root" "$2" "$3" >"$folder/program/Cargo.toml"
    echo "fn main() { $4 }" >"$folder/program/src/main.rs"
    rm -f "$folder/program/Cargo.lock"
    cargo fetch --quiet --manifest-path "$folder/program/Cargo.toml"
    measure "$1" cargo build --manifest-path "$folder/program/Cargo.toml" "${@:5}"
}

profile=$(sed -n '/^\[profile.dev.package.utflane\]$/,/^```$/p' README.md | grep -v '^```')
validate='assert!(utflane::utf8::from_utf8(b"text").is_ok());'
convert='utflane::transcode::<utflane::Utf8, utflane::Utf16>(b"text").unwrap();'
only=', default-features = false, features ='
measure_program "debug" "" "" "$convert"
measure_program "debug, with the profile lines below" "" "$profile" "$convert"
measure_program "release" "" "" "$convert" --release
measure_program "release, validation alone" "$only [\"std\"]" "" "$validate" --release
measure_program "release, without AVX-512" "$only [\"std\", \"transcode\"]" "" "$convert" --release
cargo fetch --quiet --locked
measure "the first of the two commands above" \
    cargo run --locked -p utflane-cli -- convert -f utf-8 -t utf-16le README.md -o "$folder/readme.utf16"
