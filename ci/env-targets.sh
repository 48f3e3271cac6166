# Source this file. After that, cargo compiles for other processors with Debian's own compiler, and runs
# their tests in emulators:
#
#     . ci/env-targets.sh
#     cargo test --release --target aarch64-unknown-linux-gnu -p utflane --lib --test all
#     cargo test --release --target s390x-unknown-linux-gnu -p utflane --lib --test all -Zbuild-std=std,panic_abort,test
#
# Debian has compiled standard libraries for arm64 and i386, built for exactly this compiler. For the
# other targets, cargo also compiles the standard library, from the sources that Debian provides.
#
# COMPILER_PACKAGES lists the compiler and the sources of its standard library, which arm64 and i386 do
# not need. The other lists add the packages for one target; `+i386` is a foreign architecture of dpkg. i686 does not use gcc-multilib, which conflicts with
# the compilers for other machines.

# shellcheck shell=bash disable=SC2034
COMPILER_PACKAGES="rustc-web rust-web-src"
AARCH64_PACKAGES="+arm64 libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
I686_PACKAGES="+i386 libstd-rust-web-dev:i386 gcc-i686-linux-gnu libc6-dev-i386-cross"
S390X_PACKAGES="gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"
WASM_PACKAGES="wasi-libc nodejs"
PAGE_PACKAGES="chromium chromium-driver fonts-dejavu-core"
# Only the tools that make import libraries are needed.
WINDOWS_PACKAGES="binutils-mingw-w64-x86-64"

export RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc
# A stable compiler builds its standard library only with this variable.
export RUSTC_BOOTSTRAP=1
# One folder for all these targets, separate from the folders of other compilers, because two compilers
# in one folder rebuild everything at every switch.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/targets"

# The emulator for arm64 is run without `-L`. With `-L`, programs would mix the C library of the cross
# compiler with the C library for arm64 that the package of the standard library installs, and every
# program would hang when it starts its first thread. The emulator for s390x needs `-L`: the C library
# of the cross compiler is the only one. In both, a fork of a program with threads sometimes hangs.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -E UTFLANE_NO_CHILDREN=1"
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER="qemu-s390x -E UTFLANE_NO_CHILDREN=1 -L /usr/s390x-linux-gnu"

# WebAssembly uses the linker that comes with every compiler from rustup, and Debian's C library for
# WASI, which lacks two functions for threads (the runner has stubs). Vectors are enabled here, because
# WebAssembly programs cannot detect them at run time.
CARGO_TARGET_WASM32_WASIP1_LINKER="$(env -u RUSTC rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld"
CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/wasi-runner.mjs"
WASI_LIBC=/usr/lib/wasm32-wasi
CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Ctarget-feature=+simd128 -Clink-self-contained=no -Clink-arg=--allow-undefined"
CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS+=" -Clink-arg=-L$WASI_LIBC -Lnative=$WASI_LIBC -Clink-arg=$WASI_LIBC/crt1-command.o"
export CARGO_TARGET_WASM32_WASIP1_LINKER CARGO_TARGET_WASM32_WASIP1_RUNNER CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS
# The demo page (web/) is built without a C library.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$CARGO_TARGET_WASM32_WASIP1_LINKER
