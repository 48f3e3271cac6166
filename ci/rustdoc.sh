#!/usr/bin/env bash
# rustdoc for `cargo test` (as `RUSTDOC`): makes the documentation before it tests the examples in
# it. A warning is an error. `cargo doc` would check all dependencies once more, and DataFusion's
# take minutes.

set -euo pipefail

arguments=()
tests=
skip=
for argument; do
    if [ "$skip" ]; then
        skip=
    elif [ "$argument" = --test ]; then
        tests=yes
    elif [ "$argument" = --test-run-directory ]; then
        skip=yes
    else
        arguments+=("$argument")
    fi
done
if [ "$tests" ]; then rustdoc "${arguments[@]}" -D warnings --out-dir "${CARGO_TARGET_DIR:?}/doc"; fi
exec rustdoc "$@"
