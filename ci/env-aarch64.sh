# Source this file. After that, cargo cross-compiles with Debian's own compiler and runs the tests in an
# emulator:
#
#     . ci/env-aarch64.sh
#     timeout 900 cargo test --release --target aarch64-unknown-linux-gnu -p utflane --lib --test all
#
# AARCH64_PACKAGES lists the packages that must be installed. Debian's compiler is used because
# Debian's archive also has the standard library for arm64, built for exactly this compiler.
#
# The emulator is run without `-L`. With `-L`, programs would mix the C library of the cross compiler
# with the C library for arm64 that the package of the standard library installs, and every program
# would hang when it starts its first thread.

# shellcheck shell=bash disable=SC2034
AARCH64_PACKAGES="rustc-web libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

export RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc
# A separate folder, because two compilers in one folder rebuild everything at every switch.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/aarch64"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
