# The steps of .ci/run, to be sourced: one function each, run under `set -euo pipefail` in the root
# of the project.

# shellcheck shell=bash

HOST=$(rustc -vV | sed -n 's/^host: //p')

# Seconds of processor time for the tests of the library in each step (UTFLANE_TEST_SECONDS, see
# tests/common). Each test program measures the machine, or the emulator, and runs as large a share
# of the long sets as fits. Every set runs one member at least, whatever that takes.
TEST_SECONDS=50
ASAN_SECONDS=40
NEON_SECONDS=50
I686_SECONDS=30
S390X_SECONDS=50
WASM_SECONDS=30
# The share of the tests that run under valgrind: one in this many.
INITIALISED_SHARE=611
# Tests in the release profile: ThinLTO and optimised dependencies take longer than they save.
RELEASE=(--release '--config=profile.release.lto="off"'
    '--config=profile.release.package.proptest.opt-level=0'
    '--config=profile.release.package.regex-syntax.opt-level=0')
# Tests that are compiled, and hardly run.
QUICK=('--config=profile.test.opt-level=0' '--config=profile.test.debug=false')
# Seconds for each fuzz target, or more until its first inputs are all tried. For hours: fuzz/run.sh.
FUZZ_SECONDS=4

# Prints that a check is skipped, here and in the summary.
skipped() {
    echo "SKIPPED: $*" | tee -a target/ci/skipped
}

# Prints that a step did less than all, here and in the summary.
shortened() {
    echo "SHORTENED: $*" | tee -a target/ci/skipped
}

# Installs the missing ones of these Debian packages; one step at a time. `need +arm64 ...` also
# adds a foreign architecture.
need() (
    exec 9>target/ci/apt.lock
    flock 9
    local package missing=()
    if [ "${1#+}" != "$1" ]; then
        dpkg --print-foreign-architectures | grep -qx "${1#+}" || dpkg --add-architecture "${1#+}"
        shift
    fi
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then return; fi
    echo "installing ${missing[*]}"
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >target/ci/apt.log 2>&1 9>&- ||
        { tail -n 30 target/ci/apt.log; return 1; }
)

# The kernels that this processor can't do without, for UTFLANE_REQUIRE_KERNELS.
required_kernels() {
    local kernels=scalar avx2=avx2 avx512=avx512 feature
    case $HOST in
    x86_64-*)
        if grep -qw sse4_2 /proc/cpuinfo; then kernels=sse42,$kernels; else skipped "sse42: not on this processor" >&2; fi
        for feature in avx2 bmi1 bmi2 abm popcnt; do
            grep -qw "$feature" /proc/cpuinfo || avx2=
        done
        if [ "$avx2" ]; then kernels=avx2,$kernels; else skipped "avx2: not on this processor" >&2; fi
        for feature in avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi avx512_vbmi2; do
            grep -qw "$feature" /proc/cpuinfo || avx512=
        done
        if [ "$avx2$avx512" = avx2avx512 ]; then
            kernels=avx512,$kernels
        else
            skipped "avx512: not on this processor; the step avx512 tests it in an emulated PC" >&2
        fi
        ;;
    aarch64-*) kernels=neon,$kernels ;;
    esac
    echo "$kernels"
}

# The best kernel of this processor: AVX-512 has a separate one for Zen 4.
best_kernel() {
    local kernels
    kernels=$(required_kernels)
    kernels=${kernels%%,*}
    if [ "$kernels" = avx512 ] && grep -q '^vendor_id[^:]*: AuthenticAMD$' /proc/cpuinfo &&
        grep -q '^cpu family[^:]*: 25$' /proc/cpuinfo; then
        kernels=avx512x2
    fi
    echo "$kernels"
}

# The real texts, if they exist next to the project.
use_corpus() {
    if [ -z "${UTFLANE_CORPUS:-}" ] && [ -d ../shared/corpus ]; then
        UTFLANE_CORPUS=$(cd ../shared/corpus && pwd)
        export UTFLANE_CORPUS
    fi
    [ "${UTFLANE_CORPUS:-}" ] || skipped "real texts: no ../shared/corpus, and UTFLANE_CORPUS is not set"
}

step_tools() {
    # Everything needs a linker and nm; the peer of the measurements and the fuzzer need C++.
    need gcc g++ binutils libc6-dev
    rustc --version
    cargo --version
    cargo fmt --version
    cargo clippy --version
}

step_format() {
    cargo fmt --all --check
    local manifest
    for manifest in fuzz/Cargo.toml ci/no-std/Cargo.toml ci/code-size/Cargo.toml \
        web/Cargo.toml compat/simdutf8/Cargo.toml capi/Cargo.toml \
        python/Cargo.toml crates/utflane-arrow/Cargo.toml crates/utflane-datafusion/Cargo.toml \
        crates/utflane-datafusion/benches/Cargo.toml examples/cluster/Cargo.toml; do
        [ ! -f "$manifest" ] || cargo fmt --manifest-path "$manifest" --check
    done
}

step_tree() {
    need python3
    ci/check-tree.sh
}

step_dependencies() {
    need python3
    local manifest
    for manifest in Cargo.toml capi/Cargo.toml compat/simdutf8/Cargo.toml crates/utflane-arrow/Cargo.toml \
        crates/utflane-datafusion/Cargo.toml fuzz/Cargo.toml python/Cargo.toml web/Cargo.toml; do
        cargo metadata --locked --format-version 1 --manifest-path "$manifest" | ci/dependencies.py
    done
}

step_clippy() {
    cargo clippy --locked --workspace --all-targets --features utflane/columns,utflane/code-pages -- -D warnings
    cargo clippy --locked -p utflane --no-default-features -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features alloc -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features cpuid -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features stream -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features wide -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features count -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features transcode -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features columns -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features code-pages -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features std --lib --tests -- -D warnings
    cargo clippy --locked -p utflane --features rayon --lib --test par -- -D warnings
    cargo clippy --locked -p utflane --features columns,rayon --lib --test par -- -D warnings
    skipped "a build with the oldest Rust: only one is here; clippy's incompatible_msrv holds rust-version $(
        sed -n 's/^rust-version = //p' Cargo.toml
    )"
}

step_docs() {
    # In a separate folder, like other steps: cargo would wait for steps that run at the same time.
    local CARGO_TARGET_DIR=$CARGO_TARGET_DIR/docs
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --workspace --features utflane/columns,utflane/code-pages,utflane/rayon
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps -p utflane --features columns,code-pages,rayon --document-private-items
}

step_api() {
    # The list is the API of this target.
    if [ "$HOST" != x86_64-unknown-linux-gnu ]; then
        skipped "the list of the public API: not for $HOST"
        return
    fi
    need python3
    ci/api.py
}

step_no_std() {
    local CARGO_TARGET_DIR=$CARGO_TARGET_DIR/no-std
    case $HOST in
    x86_64-*) ci/no-std.sh "$(best_kernel)" ;;
    *) ci/no-std.sh ;;
    esac
    # The tests that the features allow; tests use std themselves.
    cargo test "${QUICK[@]}" --locked -p utflane --no-default-features --features alloc,transcode --lib
}

step_code_size() {
    ci/thin-callers.sh
    case $HOST in
    x86_64-*) ci/code-size.sh ;;
    *) skipped "code size: the limit is one for the kernels of x86-64, this is $HOST" ;;
    esac
}

step_test() {
    local kernels
    kernels=$(required_kernels)
    use_corpus
    echo "required kernels: $kernels"
    UTFLANE_TEST_SECONDS=$TEST_SECONDS UTFLANE_REQUIRE_KERNELS=$kernels \
        timeout 1500 cargo test --locked --features utflane/columns,utflane/code-pages,utflane/rayon
    # The small programs that the documentation names were built with the tests; each asserts its results.
    local example
    for example in examples/*.rs; do
        example=$(basename "$example" .rs)
        echo "$example"
        timeout 300 "$CARGO_TARGET_DIR/debug/examples/$example"
    done
    # Results of more than 2 GiB, which are not held.
    timeout 300 cargo test --locked --features utflane/columns,utflane/code-pages,utflane/rayon --test columns_overflow -- --ignored
}

# The bytes that the library writes into a caller's memory, checked by valgrind: the tests
# `initialised`, on the kernels that valgrind supports. capi/test.sh does the same for the C
# library, python/tests/test_memory.py for the Python package.
step_initialised() {
    case $HOST in
    x86_64-*) ;;
    *)
        skipped "uninitialised memory by valgrind: its requests are written for x86-64, this is $HOST"
        return
        ;;
    esac
    if ! need valgrind; then
        skipped "uninitialised memory by valgrind: valgrind can't be installed"
        return
    fi
    local program
    program=$(cargo test --locked --features utflane/columns,utflane/code-pages,utflane/rayon --test all --no-run \
        --message-format json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
    UTFLANE_REQUIRE_VALGRIND=1 UTFLANE_TEST_SHARE=$INITIALISED_SHARE \
        timeout 1200 valgrind -q --error-exitcode=9 "$program" initialised::
    skipped "uninitialised memory by valgrind on avx512: valgrind has none of it; its results are compared over two contents of memory"
}

step_package() {
    local version
    rm -rf target/package
    # Cargo's own check is off. It would compile the command against the packed library from a
    # temporary registry, and cache these sources for good: the next run would take this library.
    # The tests of the unpacked crates check more and leave nothing.
    cargo package --locked --no-verify --workspace --exclude utflane-bench
    version=$(cargo pkgid -p utflane | sed 's/.*[#@]//')
    # Outside the clone, or cargo would take the clone for its workspace.
    # Not local: the trap runs when the function has gone.
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    tar -xf "target/package/utflane-$version.crate" -C "$folder"
    tar -xf "target/package/utflane-charset-$version.crate" -C "$folder"
    tar -xf "target/package/utflane-cli-$version.crate" -C "$folder"
    # The times in a package are all the same: an older build would be taken for one of these files.
    find "$folder" -type f -exec touch {} +
    # Compiling all targets of a package shows missing files; that the tests pass is seen in the
    # step test. One test of the command reads files of its package.
    printf '[patch.crates-io.%s]\npath = "%s"\n' >"$folder/config.toml" \
        utflane "$folder/utflane-$version" utflane-charset "$folder/utflane-charset-$version"
    (cd "$folder/utflane-$version" && cargo check --locked --all-targets)
    (cd "$folder/utflane-charset-$version" && cargo check --all-targets --config "$folder/config.toml")
    (cd "$folder/utflane-cli-$version" && cargo check --all-targets --config "$folder/config.toml" &&
        timeout 600 cargo test "${QUICK[@]}" --config "$folder/config.toml" --bins -- shipped:: | tee "$folder/read" &&
        grep -q '^test result: ok. [1-9]' "$folder/read")
}

step_asan() {
    case $HOST in
    x86_64-unknown-linux-gnu | aarch64-unknown-linux-gnu) ;;
    *)
        skipped "AddressSanitizer: not for $HOST"
        return
        ;;
    esac
    # The flag is unstable, the runtime comes with every stable compiler. `--target` keeps it off
    # the build scripts.
    UTFLANE_TEST_SECONDS=$ASAN_SECONDS UTFLANE_REQUIRE_KERNELS=$(required_kernels) \
        RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=$CARGO_TARGET_DIR/asan \
        timeout 1500 cargo test --locked --target "$HOST" -p utflane --features columns,code-pages --lib --test all
}

step_fuzz() {
    if [ ! -f fuzz/Cargo.toml ]; then
        skipped "fuzzing: there are no targets yet"
        return
    fi
    if [ "$HOST" != x86_64-unknown-linux-gnu ]; then
        skipped "fuzzing: not tried on $HOST"
        return
    fi
    . fuzz/run.sh
    # For a few seconds, compiling more quickly is worth more than running faster.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_DEBUG=false build_fuzz_targets
    local name
    for name in $(fuzz_targets); do
        echo "$name, for $FUZZ_SECONDS s"
        fuzz "$name" "$FUZZ_SECONDS" "target/ci/fuzz/$name" "target/ci/fuzz/$name" >"target/ci/fuzz-$name.log" 2>&1 ||
            { tail -n 60 "target/ci/fuzz-$name.log"; return 1; }
        grep '^stat::number_of_executed_units' "target/ci/fuzz-$name.log"
    done
}

step_bench() {
    # Everything must run and every peer must agree; the figures mean nothing here.
    # In the profile of the measurements: their C++ peer is compiled once.
    timeout 900 cargo test --locked --release -p utflane-bench
    timeout 600 cargo bench --locked -p utflane-bench --bench compare -- --quick
    timeout 300 cargo bench --locked -p utflane --bench throughput -- --test
}

step_instructions() {
    # The file has the figures of this architecture's kernels.
    if [ "$HOST" != x86_64-unknown-linux-gnu ]; then
        skipped "counting instructions: not on $HOST"
        return
    fi
    if ! need valgrind; then
        skipped "counting instructions: valgrind can't be installed"
        return
    fi
    # Fails if an operation takes more instructions than benches/instructions.csv records, with the
    # compiler named there.
    timeout 600 ci/instructions.py
}

step_neon() {
    . ci/env-aarch64.sh
    local debian
    debian=$(dpkg --print-architecture 2>/dev/null || true)
    if [ "$debian" != amd64 ]; then
        skipped "emulated NEON: set up for Debian on amd64 only, this is '${debian:-not Debian}'"
        return
    fi
    # shellcheck disable=SC2086
    need +arm64 $AARCH64_PACKAGES
    qemu-aarch64 --version | head -n 1
    UTFLANE_TEST_SECONDS=$NEON_SECONDS UTFLANE_REQUIRE_KERNELS=neon,scalar \
        timeout 1500 cargo test "${RELEASE[@]}" --locked --target aarch64-unknown-linux-gnu -p utflane --features columns,code-pages --lib --test all
}

# Tests the library on a target for which the standard library is compiled too: `test_with_std
# TARGET SECONDS KERNELS`.
test_with_std() {
    echo "required kernels: $3"
    UTFLANE_TEST_SECONDS=$2 UTFLANE_REQUIRE_KERNELS=$3 \
        timeout 1500 cargo test "${RELEASE[@]}" --locked -Zbuild-std=std,panic_abort,test --target "$1" \
        -p utflane --features columns,code-pages --lib --test all
}

# Succeeds if Debian's compilers for other machines are available; otherwise prints a line.
is_debian_amd64() {
    [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] && return
    skipped "$1: set up for Debian on amd64 only"
    return 1
}

step_i686() {
    is_debian_amd64 "i686" || return 0
    . ci/env-buildstd.sh
    # shellcheck disable=SC2086
    need $BUILDSTD_PACKAGES $I686_PACKAGES
    test_with_std i686-unknown-linux-gnu $I686_SECONDS "$(required_kernels)"
}

step_s390x() {
    is_debian_amd64 "big-endian s390x" || return 0
    . ci/env-buildstd.sh
    # shellcheck disable=SC2086
    need $BUILDSTD_PACKAGES $S390X_PACKAGES
    qemu-s390x --version | head -n 1
    test_with_std s390x-unknown-linux-gnu $S390X_SECONDS scalar
}

step_wasm() {
    is_debian_amd64 "WebAssembly" || return 0
    . ci/env-buildstd.sh
    # shellcheck disable=SC2086
    need $BUILDSTD_PACKAGES $WASM_PACKAGES
    if [ ! -x "$CARGO_TARGET_WASM32_WASIP1_LINKER" ]; then
        skipped "WebAssembly: no rust-lld here; it comes with compilers from rustup"
        return
    fi
    echo "in node $(node --version)"
    test_with_std wasm32-wasip1 $WASM_SECONDS simd128,scalar
    skipped "WebAssembly: guard pages, untouched pages, UTFLANE_KERNEL (there are no pages and no second process)"
}

# The page: its logic on this machine, and the whole in a browser.
step_page() {
    cargo clippy --locked --manifest-path web/Cargo.toml --all-targets -- -D warnings
    timeout 600 cargo test --locked --manifest-path web/Cargo.toml
    is_debian_amd64 "the page" || return 0
    . ci/env-buildstd.sh
    # shellcheck disable=SC2086
    need python3 $BUILDSTD_PACKAGES $PAGE_PACKAGES
    if [ ! -x "$CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER" ]; then
        skipped "the page: no rust-lld here; it comes with compilers from rustup"
        return
    fi
    timeout 900 python3 web/build.py
    chromium --version
    PYTHONDONTWRITEBYTECODE=1 timeout 600 python3 web/test/test_page.py "$CARGO_TARGET_DIR/web/utflane.html"
}

# The crate for Apache Arrow, without debug information, and with a sanitizer where it runs. One
# build is checked, documented and run, as for DataFusion.
step_arrow() {
    local manifest=crates/utflane-arrow/Cargo.toml CARGO_TARGET_DIR=$CARGO_TARGET_DIR/arrow target=()
    export CARGO_PROFILE_DEV_DEBUG=false
    export RUSTC_WORKSPACE_WRAPPER=clippy-driver RUSTFLAGS="-D warnings" RUSTDOC=$PWD/ci/rustdoc.sh
    case $HOST in
    x86_64-unknown-linux-gnu | aarch64-unknown-linux-gnu)
        export RUSTC_BOOTSTRAP=1 RUSTFLAGS="$RUSTFLAGS -Zsanitizer=address" RUSTDOCFLAGS=-Zsanitizer=address
        target=(--target "$HOST")
        ;;
    *) skipped "AddressSanitizer for Arrow: not for $HOST" ;;
    esac
    cargo build --locked --manifest-path "$manifest" "${target[@]}" --all-targets
    timeout 1200 cargo test --locked --manifest-path "$manifest" "${target[@]}"
}

# The crate for DataFusion, and the cluster that uses it: most of the time is the compilation of
# DataFusion, without debug information. One build is checked, documented and run: clippy is the
# compiler of these packages, and ci/rustdoc.sh makes the documentation from the build of the tests.
# `cargo clippy` and `cargo doc` would compile DataFusion once more, for its metadata. All packages
# are always named together: alone, each has DataFusion with fewer features, and so another one.
#
# It is left out where the last run was of the same sources, as ci/datafusion.checked records; not
# with FULL=1.
step_datafusion() {
    local sources=(crates examples/cluster src/columns api.txt) now
    now=$(git ls-files -s "${sources[@]}" | sha256sum)
    if [ -z "${FULL:-}" ] && git diff --quiet -- "${sources[@]}" && [ "$now" = "$(cat ci/datafusion.checked)" ]; then
        shortened "DataFusion and the cluster: nothing in ${sources[*]} has changed since they were tested; FULL=1 tests them"
        return
    fi
    local manifest=crates/utflane-datafusion/Cargo.toml CARGO_TARGET_DIR=$CARGO_TARGET_DIR/engine
    export CARGO_PROFILE_DEV_DEBUG=false
    export RUSTC_WORKSPACE_WRAPPER=clippy-driver RUSTFLAGS="-D warnings" RUSTDOC=$PWD/ci/rustdoc.sh
    cargo build --locked --manifest-path "$manifest" --workspace --all-targets
    # The tests of the cluster start a few processes on loopback, which end with them.
    timeout 1800 cargo test --locked --manifest-path "$manifest" --workspace
    # It was built with the tests.
    timeout 300 "$CARGO_TARGET_DIR/debug/examples/damaged_rows"
    echo "$now" >target/ci/datafusion.checked
    cmp -s target/ci/datafusion.checked ci/datafusion.checked || echo "to leave this step out from now on: cp target/ci/datafusion.checked ci"
}

# The drop-in for simdutf8: its own tests, and the tests of programs that use it.
step_dropin() {
    need python3
    local manifest=compat/simdutf8/Cargo.toml features
    for features in "" public_imp std std,public_imp,aarch64_neon,hints,aarch64_neon_prefetch; do
        cargo clippy --locked --manifest-path "$manifest" --all-targets --no-default-features --features "$features" -- -D warnings
    done
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --manifest-path "$manifest" --features public_imp
    timeout 600 cargo test --locked --manifest-path "$manifest" --features public_imp
    timeout 900 compat/simdutf8/programs/test.sh
}

# The most bytes of the wheel.
WHEEL_BYTES=1500000

# The Python package: built as a wheel like pip does, and tested as installed, and compared with the
# packages that it replaces.
step_python() {
    local home=$CARGO_TARGET_DIR/python wheel size
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        skipped "the Python package: no Python 3.10 or newer"
        return
    fi
    python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
    cargo clippy --locked --manifest-path python/Cargo.toml --all-targets -- -D warnings
    export PIP_CACHE_DIR=$home/pip PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
    rm -rf "$home/wheels" "$home/fresh"
    python3 -m venv "$home/build"
    "$home/build/bin/pip" install --quiet 'maturin>=1.9,<2'
    # The wheel is built from the source distribution, so a file that is missing there is an error.
    "$home/build/bin/maturin" sdist --manifest-path python/Cargo.toml --out "$home/wheels"
    PATH=$home/build/bin:$PATH MATURIN_PEP517_ARGS=--locked timeout 900 \
        "$home/build/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$home/wheels" \
        "$home"/wheels/utflane-*.tar.gz
    wheel=$(echo "$home"/wheels/utflane-*-abi3-*.whl)
    size=$(stat -c %s "$wheel")
    echo "$(basename "$wheel"): $size bytes"
    [ "$size" -le "$WHEEL_BYTES" ] || { echo "the wheel is larger than $WHEEL_BYTES bytes"; return 1; }
    python3 -m venv "$home/fresh"
    "$home/fresh/bin/pip" install --quiet "$wheel" -r python/tests/requirements.txt
    timeout 600 "$home/fresh/bin/python" -m pytest -q -p no:cacheprovider python/tests
    "$home/fresh/bin/mypy" --strict --cache-dir "$home/mypy" -p utflane
    MYPYPATH=python/tests "$home/fresh/bin/mypy" --strict --cache-dir "$home/mypy" python/tests
    # The stubs have the items of the compiled module.
    (cd "$home" && fresh/bin/python -m mypy.stubtest utflane._utflane)
}

# Compiles the library without std for a target that runs nothing, and checks the vectors that the
# build script chose: `without_std check|build TARGET VECTORS`.
without_std() {
    local messages
    messages=$(cargo "$1" --locked -Zbuild-std=core,alloc --target "$2" --message-format=json \
        -p utflane --no-default-features --features alloc,cpuid,transcode)
    grep '"build-script-executed"' <<<"$messages" | grep -qF "vectors=\\\"$3\\\"" ||
        { echo "$2: not the vectors '$3'"; return 1; }
    echo "$2: vectors '$3'"
}

step_bare() {
    is_debian_amd64 "targets without std" || return 0
    . ci/env-buildstd.sh
    # shellcheck disable=SC2086
    need $BUILDSTD_PACKAGES
    # No vector registers in the calling convention, where some errors appear only in code generation;
    # no vectors switched on; big-endian.
    without_std build x86_64-unknown-none none
    without_std check wasm32-unknown-unknown none
    without_std check aarch64_be-unknown-linux-gnu none
}

# The code for Windows is compiled, not run: there is no Windows here.
step_windows() {
    is_debian_amd64 "Windows" || return 0
    . ci/env-buildstd.sh
    # shellcheck disable=SC2086
    need $BUILDSTD_PACKAGES $WINDOWS_PACKAGES
    cargo check --locked -Zbuild-std=std,panic_abort --target x86_64-pc-windows-gnu -p utflane
    skipped "Windows: its tests are not run; \`OsStr\` from and to WTF-8 is compiled"
}

# The tests of the emulated PC, by module: tests that reach every boundary of every kernel. The
# number before a module is the share of the long sets: one in so many inputs runs if the machine
# below does the calibration of the tests in CALIBRATED microseconds; if it takes longer, fewer in
# proportion. The PC takes about 140 times as long as the machine, and its clock is wrong.
AVX512_TESTS=(1:kernels:: 6101:initialised:: 151:guard_pages:: 201:guard_questions:: 201:simdutf_bugs::
    151:surrogates:: 75:utf32:: 45:capacity:: 901:count:: 901:validate:: 1501:embedded::)
CALIBRATED=6000

# The tests with their shares on this machine: `scaled PROGRAM SHARE:FILTER...`.
scaled() {
    local program=$1 microseconds
    shift
    microseconds=$("$program" calibration --ignored 2>&1 | sed -n 's/^calibration: \([0-9]*\) us$/\1/p')
    echo "calibration: ${microseconds:?} us, shares for $CALIBRATED us" >&2
    printf '%s\n' "$@" | awk -F: -v OFS=: -v by="$microseconds" -v from="$CALIBRATED" '
        $1 > 1 && by > from { $1 = int($1 * by / from); $1 += 1 - $1 % 2 }
        { print }'
}

# A test program for the emulated PC: `bochs_program --lib`, `bochs_program --test all`. It has a
# target directory of its own: `--target` keeps the flags off the build scripts, but not out of the
# fingerprints.
bochs_program() {
    CARGO_TARGET_DIR=$CARGO_TARGET_DIR/bochs/target RUSTFLAGS="-C target-feature=+crt-static --cfg utflane_bochs" \
        timeout 900 cargo test "${RELEASE[@]}" --locked --target "$HOST" -p utflane "$@" --no-run --message-format json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}

step_avx512() {
    if [ "$HOST" != x86_64-unknown-linux-gnu ] || [ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ]; then
        skipped "emulated AVX-512: set up for Debian on amd64 only, this is $HOST"
        return
    fi
    need bochs bochsbios vgabios isolinux syslinux-common xorriso cpio binutils
    local folder=$CARGO_TARGET_DIR/bochs program cpu kernels tests
    # It installs a package too.
    flock target/ci/apt.lock ci/bochs/setup.sh "$folder"
    case $(required_kernels 2>/dev/null) in
    avx512,*)
        skipped "emulated AVX-512, but for the choice of kernels: all tests ran on this processor's own"
        program=$(bochs_program --test all)
        tests=${AVX512_TESTS[0]}
        ;;
    *)
        program=$(bochs_program --lib)
        UTFLANE_REQUIRE_KERNELS=avx512,avx2,sse42,scalar \
            ci/bochs/boot.sh "$folder" tigerlake 900 "$program" 61:arch::tests::
        program=$(bochs_program --test all)
        tests=$(scaled "$program" "${AVX512_TESTS[@]}")
        ;;
    esac
    echo "$tests"
    # shellcheck disable=SC2086
    UTFLANE_REQUIRE_KERNELS=avx512,avx2,sse42,scalar ci/bochs/boot.sh "$folder" tigerlake 1800 "$program" $tests
    # The choice on processors with less: none without VBMI2 may choose AVX-512.
    for cpu in corei7_skylake_x:avx2 corei5_lynnfield_750:sse42 core2_penryn_t9600:scalar; do
        kernels=${cpu#*:}
        echo "$cpu"
        UTFLANE_REQUIRE_KERNELS=$kernels ci/bochs/boot.sh "$folder" "${cpu%:*}" 120 "$program" "${AVX512_TESTS[0]}" |
            tee target/ci/avx512-ladder
        grep -q "kernels: .*; active: $kernels\$" target/ci/avx512-ladder || {
            echo "the active kernel there is not $kernels"
            return 1
        }
    done
}

step_capi() {
    cargo clippy --locked --manifest-path capi/Cargo.toml --all-targets -- -D warnings
    is_debian_amd64 "the C library" || return 0
    need binutils clang cmake g++ gcc libc6-dev make pkg-config python3 valgrind
    timeout 900 capi/test.sh
}
