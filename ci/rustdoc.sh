#!/usr/bin/env bash
# A wrapper of rustdoc for `cargo test` (set `RUSTDOC` to it): generates the documentation before it
# tests the examples in the documentation. A warning is an error. `cargo doc` would check all
# dependencies once more, and the dependencies of DataFusion take minutes.

set -euo pipefail

arguments=()
has_tests=
skip_next=
for argument; do
    if [ "$skip_next" ]; then
        skip_next=
    elif [ "$argument" = --test ]; then
        has_tests=yes
    elif [ "$argument" = --test-run-directory ]; then
        skip_next=yes
    else
        arguments+=("$argument")
    fi
done
if [ "$has_tests" ]; then rustdoc "${arguments[@]}" -D warnings --out-dir "${CARGO_TARGET_DIR:?}/doc"; fi
exec rustdoc "$@"
