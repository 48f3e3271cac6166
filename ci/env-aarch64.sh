# To be sourced. From here on cargo cross-compiles with Debian's own compiler and runs the tests in
# an emulator:
#
#     . ci/env-aarch64.sh
#     timeout 900 cargo test --release --target aarch64-unknown-linux-gnu -p utflane --lib --test all
#
# AARCH64_PACKAGES names the packages that this needs. Debian's compiler, because its archive also
# has the standard library for arm64, built for exactly that compiler.
#
# The emulator gets no `-L`: the C library of the cross compiler and the real one for arm64, which
# the standard library package brings along, are then mixed, and every program hangs where it starts
# its first thread.

# shellcheck shell=bash disable=SC2034
AARCH64_PACKAGES="rustc-web libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

export RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc
# Its own folder: two compilers in one rebuild everything at every switch.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/aarch64"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
