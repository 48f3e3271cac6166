#!/usr/bin/env bash
# Builds, looks into and runs the program ci/no-std: it has its own panic handler, so a second one from std would not
# link, and no symbol of std or alloc may be in it.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/no-std

cargo build --locked --manifest-path ci/no-std/Cargo.toml --target-dir "$target"
program=$target/debug/utflane-no-std
symbols=$(nm -C "$program")
grep -q ' utflane::' <<<"$symbols" || { echo "no symbols of utflane: this looks at nothing"; exit 1; }
if grep -E '(^|[^A-Za-z0-9_])(std|alloc)::' <<<"$symbols"; then
    echo "these come from std or alloc"
    exit 1
fi
"$program"
echo "no_std: $(wc -l <<<"$symbols") symbols, none of std or alloc; the program runs"
