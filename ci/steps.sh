# The steps of .ci/run, which sources this file. Each step is a function, and runs under `set -euo
# pipefail` in the root of the project.

# shellcheck shell=bash disable=SC2086

HOST=$(rustc -vV | sed -n 's/^host: //p')

# The processor time in seconds for the tests of the library in other steps than `test`
# (UTFLANE_TEST_SECONDS, see tests/common). Each test program measures the speed of the machine or the
# emulator, and runs the share of the large sets of inputs that fits into this time. At least one input
# of each call of `sampled` in the source runs, even if this takes longer.
ASAN_SECONDS=25
NEON_SECONDS=40
I686_SECONDS=25
S390X_SECONDS=40
WASM_SECONDS=30
# In the step `test`, and under valgrind, a test runs every Nth input of its large sets. This is N.
TEST_INTERVAL=301
INITIALISED_INTERVAL=611
# The options for tests in the release profile. ThinLTO, level 3 and optimised dependencies of the tests
# would take more time to compile than they save.
RELEASE=(--release '--config=profile.release.lto="off"' '--config=profile.release.opt-level=2'
    '--config=profile.release.codegen-units=256' '--config=profile.release.package.proptest.opt-level=0'
    '--config=profile.release.package.regex-syntax.opt-level=0')
# The option that also compiles the standard library.
WITH_STD=-Zbuild-std=std,panic_abort,test
# The options that choose the tests of the library alone.
TESTS=(--locked -p utflane --features columns,code-pages)
# The options for tests that are compiled and run only briefly.
QUICK=('--config=profile.test.opt-level=0' '--config=profile.test.debug=false')
# The option for programs that are not run.
WITHOUT_DEBUG=('--config=profile.dev.debug=false')
# The time in seconds for each fuzz target. It runs longer if its initial inputs need more time.
# fuzz/run.sh runs the targets for hours.
FUZZ_SECONDS=4

# The sources of the library, of which the packages around it are built.
LIBRARY="Cargo.toml .cargo build.rs data src"
# All that the tests of the library are built of and run with.
TESTED="$LIBRARY Cargo.lock tests docs/code-pages.md docs/replacements.md ci/env-targets.sh ci/wasi-runner.mjs"
# The packages in crates/, without the tests of utflane-charset, which the step `test` runs.
CRATES="crates :!crates/utflane-charset/tests"
CHARSET="crates/utflane-charset :!crates/utflane-charset/tests"
# The steps that are skipped if these sources have not changed since they passed. Most of the time of
# `datafusion` and `programs` goes into the compilation of other packages, so their lists have only those
# parts of the library whose results they show.
declare -A SOURCES=(
    [s390x]=$TESTED [i686]=$TESTED [wasm]=$TESTED [avx512]="$TESTED ci/bochs"
    [arrow]="$CRATES $LIBRARY ci/rustdoc.sh" [page]="web $CHARSET $LIBRARY ci/env-targets.sh"
    [python]="python $CHARSET $LIBRARY"
    [datafusion]="$CRATES .cargo examples/cluster benches/programs/damaged_csv data src/code_page src/columns api.txt ci/rustdoc.sh"
    [programs]="compat benches/programs/simdutf8 src/bom.rs .cargo data src/code_page src/io src/lossy src/stream src/utf8 api.txt"
)

# Prints that a check is skipped, here and in the summary.
skipped() {
    echo "SKIPPED: $*" | tee -a target/ci/skipped
}

# Runs a step, except if it has passed with the same sources and the same script, on a processor with
# the same kernels or more. ci/checked/STEP has their hash, the host and the kernels. FULL=1 always runs it.
run_unless_unchanged() {
    local hash="" changes="" kernels old=()
    if [ -n "${SOURCES[$1]:-}" ]; then
        changes=$(git status --porcelain -unormal -- ${SOURCES[$1]})
        # Of this script, the step and all lines that steps share.
        hash=$({ git ls-files -s ${SOURCES[$1]}; sed "/^step_$1()/,/^}/b; /^step_/,/^}/d; /^ *#/d" ci/steps.sh; } | sha256sum)
        hash=${hash%% *}
        kernels=$(required_kernels)
        [ ! -f "ci/checked/$1" ] || read -ra old <"ci/checked/$1"
        if [ "${old[*]::2}" = "$hash $HOST" ] && [[ ${old[2]} == *"$kernels" ]]; then
            if [ -z "${FULL:-}$changes" ]; then
                echo "UNCHANGED: $1: nothing in ${SOURCES[$1]} has changed since it passed; FULL=1 runs it" |
                    tee -a target/ci/skipped
                return
            fi
            hash=
        fi
    fi
    "step_$1"
    # Uncommitted changes are not in the hash.
    [ -n "$changes" ] || [ -z "$hash" ] ||
        echo "to skip this step until its sources change: echo $hash $HOST $kernels >ci/checked/$1"
}

# Installs those of the given Debian packages that are missing. A lock lets one step at a time install.
# It fetches the lists of packages once in a run. `need +arm64 ...` also adds a foreign architecture.
need() (
    exec 9>target/ci/apt.lock
    flock 9
    local package missing=()
    if [ "${1#+}" != "$1" ]; then
        if ! dpkg --print-foreign-architectures | grep -qx "${1#+}"; then
            dpkg --add-architecture "${1#+}"
            rm -f target/ci/apt-lists
        fi
        shift
    fi
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then return; fi
    echo "installing ${missing[*]}"
    if [ ! -f target/ci/apt-lists ]; then
        apt-get update -qq
        touch target/ci/apt-lists
    fi
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >target/ci/apt.log 2>&1 9>&- ||
        { tail -n 30 target/ci/apt.log; return 1; }
)

# Succeeds if this processor has all of these features.
has_features() {
    local feature
    for feature; do grep -qw "$feature" /proc/cpuinfo || return 1; done
}

# Prints the kernels that the library must find on this processor, for UTFLANE_REQUIRE_KERNELS.
required_kernels() {
    local kernels=scalar avx2=(avx2 bmi1 bmi2 abm popcnt)
    case $HOST in
    x86_64-*)
        ! has_features sse4_2 || kernels=sse42,$kernels
        ! has_features "${avx2[@]}" || kernels=avx2,$kernels
        ! has_features "${avx2[@]}" avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi avx512_vbmi2 ||
            kernels=avx512,$kernels
        ;;
    aarch64-*) kernels=neon,$kernels ;;
    esac
    echo "$kernels"
}

# Prints the best kernel of this processor. Zen 4 has a separate kernel for AVX-512.
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

# Sets UTFLANE_CORPUS to the folder of real texts, if the folder exists next to the project.
use_corpus() {
    if [ -z "${UTFLANE_CORPUS:-}" ] && [ -d ../shared/corpus ]; then
        UTFLANE_CORPUS=$(cd ../shared/corpus && pwd)
        export UTFLANE_CORPUS
    fi
    [ "${UTFLANE_CORPUS:-}" ] || skipped "real texts: no ../shared/corpus, and UTFLANE_CORPUS is not set"
}

step_tools() {
    # All steps need a linker and nm. The benchmarks, which compile simdutf, and the fuzzer need C++.
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
        web/Cargo.toml compat/*/Cargo.toml capi/Cargo.toml \
        python/Cargo.toml crates/utflane-arrow/Cargo.toml crates/utflane-datafusion/Cargo.toml \
        crates/utflane-datafusion/benches/Cargo.toml examples/cluster/Cargo.toml \
        benches/programs/*/Cargo.toml; do
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
    for manifest in Cargo.toml capi/Cargo.toml compat/*/Cargo.toml crates/utflane-arrow/Cargo.toml \
        crates/utflane-datafusion/Cargo.toml fuzz/Cargo.toml python/Cargo.toml web/Cargo.toml; do
        cargo metadata --locked --format-version 1 --manifest-path "$manifest" | ci/dependencies.py
    done
}

# Checks the lints of all packages that are published, with options for cargo: `lint_workspace [OPTION...]`.
lint_workspace() {
    cargo clippy --locked --workspace --exclude utflane-bench --all-targets \
        --features utflane/columns,utflane/code-pages "$@" -- -D warnings
}

# Lints and documents. Both in the same folder, so that the dependencies are checked once.
step_lint() {
    lint_workspace
    local features
    for features in "" alloc cpuid stream wide count transcode columns code-pages; do
        cargo clippy --locked -p utflane --no-default-features --features "$features" -- -D warnings
    done
    cargo clippy --locked -p utflane-cli -- -D warnings
    cargo clippy --locked -p utflane --no-default-features --features std --lib --tests -- -D warnings
    cargo clippy --locked -p utflane --features rayon --lib --test par -- -D warnings
    cargo clippy --locked -p utflane --features columns,rayon --lib --test par -- -D warnings
    skipped "a build with the oldest supported Rust: only one Rust is installed; clippy's incompatible_msrv checks rust-version $(
        sed -n 's/^rust-version = //p' Cargo.toml
    )"
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --workspace --exclude utflane-bench --features utflane/columns,utflane/code-pages,utflane/rayon
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps -p utflane --features columns,code-pages,rayon --document-private-items
}

step_api() {
    # The list in api.txt is the API on x86-64 Linux.
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
    # The unit tests that these features allow. The tests themselves use std.
    local features
    for features in alloc,transcode std; do
        cargo test "${QUICK[@]}" --locked -p utflane --no-default-features --features "$features" --lib
    done
}

step_code_size() {
    ci/thin-callers.sh
    case $HOST in
    x86_64-*) ci/code-size.sh ;;
    *) skipped "code size: the limits are for the kernels of x86-64, this is $HOST" ;;
    esac
}

step_test() {
    local kernels kernel
    kernels=$(required_kernels)
    for kernel in sse42 avx2 avx512; do
        [[ $HOST != x86_64-* || ,$kernels, == *,$kernel,* ]] ||
            skipped "$kernel: not on this processor; the step avx512 tests all kernels in an emulated PC"
    done
    use_corpus
    echo "required kernels: $kernels"
    UTFLANE_TEST_SHARE=$TEST_INTERVAL UTFLANE_REQUIRE_KERNELS=$kernels \
        timeout 1500 cargo test --locked --features utflane/columns,utflane/code-pages,utflane/rayon
    # Comparisons with other programs, which do not run with large intervals.
    local program modules=(replacements:: class_files:: code_pages_elsewhere:: texts::)
    program=$(test_program)
    require_tests "$program" "${modules[@]}"
    "$program" "${modules[@]}"
    for program in java javac python3 iconv; do
        command -v "$program" >/dev/null || skipped "comparisons with $program: not on this machine"
    done
    # The examples were built with the tests. Each example asserts its results.
    local example
    for example in examples/*.rs; do
        echo "$example"
        timeout 300 "$CARGO_TARGET_DIR/debug/${example%.rs}"
    done
    # Tests columns of more than 2 GiB. They take little memory, because their pages are never written.
    timeout 300 cargo test --locked --features utflane/columns,utflane/code-pages,utflane/rayon --test columns_overflow -- --ignored
}

# Reads messages of cargo, and prints the path of the test program `all`.
path_of_all() {
    grep -F "\"src_path\":\"$PWD/tests/all/main.rs\"" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}

# Fails if a module has no test, which a test program would count as passed: `require_tests PROGRAM
# MODULE...`.
require_tests() {
    local module
    for module in "${@:2}"; do
        [ "$("$1" --list "$module" | grep -c ': test$')" -gt 0 ] || { echo "no test in $module"; return 1; }
    done
}

# Prints the path of the test program `all` that the step `test` has built.
test_program() {
    cargo test --locked --features utflane/columns,utflane/code-pages,utflane/rayon --test all --no-run --message-format json |
        path_of_all
}

# Tests the library for a target: `test_library TARGET SECONDS KERNELS [OPTION...]`, with options for
# cargo. The library is optimised, the program `all` is not: it compiles in a quarter of the time.
test_library() {
    echo "required kernels: $3"
    export UTFLANE_TEST_SECONDS=$2 UTFLANE_REQUIRE_KERNELS=$3
    local options=(--target "$1" "${TESTS[@]}" "${@:4}") program runner=${1^^}
    timeout 1500 cargo test "${options[@]}" --lib
    program=$(timeout 900 cargo rustc "${options[@]}" --test all --message-format json-render-diagnostics -- \
        -Copt-level=0 -Cdebug-assertions=no | path_of_all)
    runner=CARGO_TARGET_${runner//-/_}_RUNNER
    timeout 1500 ${!runner:-} "${program:?}"
}

# Checks with valgrind that the library initialises the bytes that it returns in a caller's memory. Runs
# the tests `initialised`, on the kernels that valgrind supports. capi/test.sh does the same for the C
# library, python/tests/test_memory.py for the Python package.
step_initialised() {
    if [ "${HOST%%-*}" != x86_64 ]; then
        skipped "uninitialised memory under valgrind: the tests' requests to valgrind are written for x86-64, this is $HOST"
        return
    fi
    need valgrind
    local program
    program=$(test_program)
    require_tests "$program" initialised::
    UTFLANE_REQUIRE_VALGRIND=1 UTFLANE_TEST_SHARE=$INITIALISED_INTERVAL \
        timeout 1200 valgrind -q --error-exitcode=9 "$program" initialised::
    skipped "uninitialised memory under valgrind on avx512: valgrind doesn't support AVX-512; other tests convert into two outputs with different contents, and compare the results"
}

step_package() {
    local version name listed missing
    rm -rf target/package
    # Cargo's own check is off. It would compile the command against the packed library from a
    # temporary registry and cache these sources permanently, so that the next run would use this old
    # library. The checks below leave nothing in the cache.
    cargo package --locked --no-verify --workspace --exclude utflane-bench
    version=$(cargo pkgid -p utflane | sed 's/.*[#@]//')
    # The folder is outside the clone, because cargo would use the workspace of the clone.
    # The variable is not local, because the trap runs after the function has returned.
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    for name in utflane utflane-charset utflane-cli; do
        tar -xf "target/package/$name-$version.crate" -C "$folder"
    done
    # Each file that the compiler has read for any target is in a package, and each manual page and
    # completion. Packages don't have the benchmarks and most tests of utflane-charset.
    listed=$(lint_workspace --message-format=json-render-diagnostics |
        sed -n 's/.*"filenames":\["\([^"]*\)\/lib\([^"]*\)\.rmeta".*/\1\/\2.d/p' |
        xargs sed -n 's/^\([^/].*\):$/\1/p' | xargs realpath -s --relative-to=. | sort -u |
        grep -vE '^(benches|crates/utflane-charset/tests/(all|checks))/')
    [ "$(wc -l <<<"$listed")" -ge 400 ] || { echo "only these files: $listed"; return 1; }
    missing=$({ echo "$listed"; git ls-files cli/man cli/completions; } |
        sed "s,^,$folder/utflane-$version/,; s,/utflane-$version/cli/,/utflane-cli-$version/,
            s,/utflane-$version/crates/utflane-charset/,/utflane-charset-$version/," |
        while read -r file; do [ -f "$file" ] || echo "$file"; done)
    [ -z "$missing" ] || { echo "not packed:"; echo "$missing"; return 1; }
    # The packages compile, with the files that their build scripts read. All files of a package
    # have the same modification time, so that cargo would take an older build for up to date.
    find "$folder" -type f -exec touch {} +
    (cd "$folder/utflane-$version" && cargo check --locked)
    local patches=(--config "patch.crates-io.utflane.path = '$folder/utflane-$version'"
        --config "patch.crates-io.utflane-charset.path = '$folder/utflane-charset-$version'")
    for name in utflane-charset utflane-cli; do (cd "$folder/$name-$version" && cargo check "${patches[@]}"); done
}

step_asan() {
    case $HOST in
    x86_64-unknown-linux-gnu | aarch64-unknown-linux-gnu) ;;
    *)
        skipped "AddressSanitizer: not for $HOST"
        return
        ;;
    esac
    # The flag is unstable, but every stable compiler comes with the runtime. With `--target`, build
    # scripts are compiled without the flag.
    export RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=$CARGO_TARGET_DIR/asan
    test_library "$HOST" $ASAN_SECONDS "$(required_kernels)" --profile test
}

step_fuzz() {
    if [ "$HOST" != x86_64-unknown-linux-gnu ]; then
        skipped "fuzzing: not tried on $HOST"
        return
    fi
    . fuzz/run.sh
    # For a few seconds of fuzzing, a faster compilation is worth more than faster code. Level 0 is too slow.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_DEBUG=false build_fuzz_targets
    # A quarter of the initial inputs: with all of them, most targets have no time left to change inputs.
    find target/ci/seeds -type f -print0 | sort -z | awk -v RS='\0' -v ORS='\0' 'NR % 4' | xargs -0 rm
    local name
    for name in $(fuzz_targets); do
        echo "$name, for $FUZZ_SECONDS s"
        fuzz "$name" "$FUZZ_SECONDS" "target/ci/fuzz/$name" "target/ci/fuzz/$name" >"target/ci/fuzz-$name.log" 2>&1 ||
            { tail -n 60 "target/ci/fuzz-$name.log"; return 1; }
        grep '^stat::number_of_executed_units' "target/ci/fuzz-$name.log"
    done
}

step_bench() {
    # All benchmarks must run, and all libraries must give the same results. The measured times are
    # ignored, so only the libraries that convert much text are optimised. All commands use the same
    # settings, so that simdutf is compiled once.
    local package settings=("${RELEASE[@]}" --config=profile.release.opt-level=0)
    for package in utflane utflane-charset encoding_rs chardetng simdutf8; do
        settings+=("--config=profile.release.package.$package.opt-level=2")
    done
    cargo clippy "${settings[@]}" --locked -p utflane-bench --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc "${settings[@]}" --locked --no-deps -p utflane-bench
    timeout 900 cargo test "${settings[@]}" --locked -p utflane-bench
    # Without --release, which `cargo bench` refuses.
    settings=("${settings[@]:1}")
    timeout 600 cargo bench "${settings[@]}" --locked -p utflane-bench --bench compare -- --quick
    # With both packages, the library is compiled with the same features as above.
    timeout 300 cargo bench "${settings[@]}" --locked -p utflane -p utflane-bench --bench throughput -- --test
}

step_instructions() {
    # benches/instructions.csv has the figures of the kernels for x86-64.
    if [ "$HOST" != x86_64-unknown-linux-gnu ]; then
        skipped "counting instructions: not on $HOST"
        return
    fi
    need valgrind
    # Fails if an operation takes more instructions than benches/instructions.csv records plus the growth
    # that ci/instructions.py allows, with the compiler named in that file.
    timeout 600 ci/instructions.py
}

# Ends the step, and prints that its check is skipped, if Debian's compilers for other machines are not
# available: `require_debian_amd64 CHECK`.
require_debian_amd64() {
    if [ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ]; then
        skipped "$1: set up for Debian on amd64 only"
        exit 0
    fi
}

# Ends the step in the same way if there is no linker for WebAssembly: `require_rust_lld CHECK`.
require_rust_lld() {
    if [ ! -x "$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld" ]; then
        skipped "$1: no rust-lld on this machine; it comes with compilers from rustup"
        exit 0
    fi
}

# Tests the library for another processor: `test_elsewhere CHECK PACKAGES TARGET SECONDS KERNELS
# [OPTION...]`, with the name of a list in ci/env-targets.sh and options for cargo.
test_elsewhere() {
    require_debian_amd64 "$1"
    . ci/env-targets.sh
    need ${!2} $COMPILER_PACKAGES
    test_library "${@:3}" "${RELEASE[@]}"
}

step_neon() {
    test_elsewhere "emulated NEON" AARCH64_PACKAGES aarch64-unknown-linux-gnu $NEON_SECONDS neon,scalar
    skipped "NEON, s390x: tests of UTFLANE_KERNEL, and the scalar kernel of functions without a kernel, because forks hang in the emulators"
}

step_i686() {
    test_elsewhere i686 I686_PACKAGES i686-unknown-linux-gnu $I686_SECONDS "$(required_kernels)"
}

step_s390x() {
    test_elsewhere "big-endian s390x" S390X_PACKAGES s390x-unknown-linux-gnu $S390X_SECONDS scalar $WITH_STD
}

step_wasm() {
    require_rust_lld WebAssembly
    test_elsewhere WebAssembly WASM_PACKAGES wasm32-wasip1 $WASM_SECONDS simd128,scalar $WITH_STD
    skipped "WebAssembly: tests of guard pages, untouched pages and UTFLANE_KERNEL, because WebAssembly has no memory pages of this kind and no second process"
}

# Tests the demo page: its logic on this machine, and the whole page in a browser.
step_page() {
    cargo clippy --locked --manifest-path web/Cargo.toml --all-targets -- -D warnings
    timeout 600 cargo test --locked --manifest-path web/Cargo.toml
    require_debian_amd64 "the page"
    require_rust_lld "the page"
    . ci/env-targets.sh
    need python3 $COMPILER_PACKAGES $PAGE_PACKAGES
    timeout 900 python3 web/build.py
    chromium --version
    PYTHONDONTWRITEBYTECODE=1 timeout 600 python3 web/test/test_page.py "$CARGO_TARGET_DIR/web/utflane.html"
}

# Tests the crate for Apache Arrow, without debug information, and with AddressSanitizer on hosts that
# support it. A single build is checked, documented and run, as in `step_datafusion`.
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
    cargo test --no-run --locked --manifest-path "$manifest" "${target[@]}" --all-targets
    timeout 1200 cargo test --locked --manifest-path "$manifest" "${target[@]}"
}

# Tests the crate for DataFusion, and the cluster that uses it. Most of the time goes into the
# compilation of DataFusion, which is built without debug information. A single build is checked,
# documented and run: clippy compiles these packages, and ci/rustdoc.sh generates the documentation from
# the build of the tests. `cargo clippy` and `cargo doc` would compile DataFusion once more, for its
# metadata. `cargo build` would compile it once more for the profile `dev`, because .cargo/config.toml
# has other settings for `rand` in tests. Every command names the whole workspace: a single package would use
# DataFusion with fewer features, and DataFusion would be compiled again.
step_datafusion() {
    local manifest=crates/utflane-datafusion/Cargo.toml CARGO_TARGET_DIR=$CARGO_TARGET_DIR/engine
    export CARGO_PROFILE_DEV_DEBUG=false
    export RUSTC_WORKSPACE_WRAPPER=clippy-driver RUSTFLAGS="-D warnings" RUSTDOC=$PWD/ci/rustdoc.sh
    cargo test --no-run --locked --manifest-path "$manifest" --workspace --all-targets
    # The tests of the cluster start a few processes on the loopback interface, which end with the tests.
    timeout 1800 cargo test --locked --manifest-path "$manifest" --workspace
    # The example was built with the tests.
    timeout 300 "$CARGO_TARGET_DIR/debug/examples/damaged_rows"
}

# Tests the drop-in replacements.
step_dropin() {
    need python3
    local manifest=compat/simdutf8/Cargo.toml features
    for features in "" public_imp std std,public_imp,aarch64_neon,armv7_neon,portable_public_imp,hints,aarch64_neon_prefetch; do
        cargo clippy --locked --manifest-path "$manifest" --all-targets --no-default-features --features "$features" -- -D warnings
    done
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --manifest-path "$manifest" --features public_imp
    timeout 600 cargo test --locked --manifest-path "$manifest" --features portable_public_imp
    manifest=compat/encoding_rs_io/Cargo.toml
    cargo clippy --locked --manifest-path "$manifest" --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --manifest-path "$manifest"
    timeout 600 cargo test --locked --manifest-path "$manifest"
    PYTHONDONTWRITEBYTECODE=1 benches/programs/run --help >target/ci/programs
}

# Runs the tests of programs that use the drop-in replacements, and compiles those that are measured.
step_programs() {
    need python3
    timeout 900 compat/simdutf8/programs/test.sh
    timeout 900 compat/encoding_rs_io/programs/test.sh
    # The step `datafusion` compiles benches/programs/damaged_csv.
    cargo clippy --locked --manifest-path benches/programs/simdutf8/Cargo.toml -- -D warnings
}

# The maximum size of the wheel in bytes.
MAX_WHEEL_BYTES=1500000

# Builds the Python package as a wheel in the way that pip does, tests the installed wheel, and compares
# it with the packages that it replaces.
step_python() {
    local home=$CARGO_TARGET_DIR/python wheel size
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        skipped "the Python package: no Python 3.10 or newer"
        exit 0
    fi
    python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
    cargo clippy --locked --manifest-path python/Cargo.toml --all-targets -- -D warnings
    export PIP_CACHE_DIR=$home/pip PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
    rm -rf "$home/wheels" "$home/fresh"
    python3 -m venv "$home/build"
    "$home/build/bin/pip" install --quiet 'maturin>=1.9,<2'
    # The wheel is built from the source distribution, so the build fails if a file is missing in it.
    "$home/build/bin/maturin" sdist --manifest-path python/Cargo.toml --out "$home/wheels"
    PATH=$home/build/bin:$PATH MATURIN_PEP517_ARGS=--locked timeout 900 \
        "$home/build/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$home/wheels" \
        "$home"/wheels/utflane-*.tar.gz
    wheel=$(echo "$home"/wheels/utflane-*-abi3-*.whl)
    size=$(stat -c %s "$wheel")
    echo "$(basename "$wheel"): $size bytes"
    [ "$size" -le "$MAX_WHEEL_BYTES" ] || { echo "the wheel is larger than $MAX_WHEEL_BYTES bytes"; return 1; }
    python3 -m venv "$home/fresh"
    "$home/fresh/bin/pip" install --quiet "$wheel" -r python/tests/requirements.txt
    timeout 600 "$home/fresh/bin/python" -m pytest -q -p no:cacheprovider python/tests
    "$home/fresh/bin/mypy" --strict --cache-dir "$home/mypy" -p utflane
    MYPYPATH=python/tests "$home/fresh/bin/mypy" --strict --cache-dir "$home/mypy" python/tests
    # Checks that the stubs match the compiled module.
    (cd "$home" && fresh/bin/python -m mypy.stubtest utflane._utflane)
}

# Compiles the library for a target without std and without vector registers, where some errors appear
# only in code generation. Checks the library for WebAssembly without vectors and for a big-endian
# processor with NEON, and which family of vector kernels the build script chooses for other targets.
step_bare() {
    require_debian_amd64 "targets without std"
    . ci/env-targets.sh
    need $COMPILER_PACKAGES
    local messages script target family arch features endian os out=$CARGO_TARGET_DIR/vector-family
    messages=$(cargo build "${WITHOUT_DEBUG[@]}" --locked -Zbuild-std=core,alloc --target x86_64-unknown-none \
        --message-format=json -p utflane --no-default-features --features alloc,cpuid,transcode)
    script=$(sed -n 's/.*"filenames":\["\([^"]*\/build\/utflane-[^"]*\)".*/\1/p' <<<"$messages")
    mkdir -p "$out"
    for target in wasm32-unknown-unknown aarch64_be-unknown-linux-gnu; do
        cargo check --locked -Zbuild-std=core,alloc --target "$target" -p utflane --no-default-features --features alloc,transcode
    done
    while read -r family arch features endian os; do
        OUT_DIR=$out CARGO_CFG_TARGET_ARCH=$arch CARGO_CFG_TARGET_FEATURE=$features CARGO_CFG_TARGET_ENDIAN=$endian \
            CARGO_CFG_TARGET_FAMILY=$os "$script" >"$out/output"
        grep -qxF "cargo::rustc-cfg=vectors=\"$family\"" "$out/output" ||
            { echo "$arch with '$features', $endian-endian, $os: expected the vectors '$family'"; return 1; }
        echo "$arch with '$features', $endian-endian, $os: vectors '$family'"
    done <<'END'
x86     x86_64  fxsr,sse,sse2 little unix
none    x86_64  fxsr          little none
x86     x86     fxsr          little unix
x86     x86     fxsr          little windows
none    x86     fxsr          little none
neon    aarch64 fp16,neon     little unix
none    aarch64 neon          big    unix
none    aarch64 fp16          little none
simd128 wasm32  simd128       little wasm
none    wasm32  bulk-memory   little wasm
none    riscv64 v             little unix
END
}

# Compiles the code for Windows. The code is not run, because this machine has no Windows.
step_windows() {
    require_debian_amd64 "Windows"
    . ci/env-targets.sh
    need $COMPILER_PACKAGES $WINDOWS_PACKAGES
    cargo check "${WITHOUT_DEBUG[@]}" --locked -Zbuild-std=std,panic_abort --target x86_64-pc-windows-gnu -p utflane
    skipped "Windows: tests are not run; the conversions between \`OsStr\` and WTF-8 are only compiled"
}

# The test modules that run in the emulated PC. Their tests reach every boundary of every kernel. Before
# a module is a number N: every Nth input of its large sets runs if the host takes
# CALIBRATION_MICROSECONDS for the calibration of the tests. On a slower host, N is proportionally larger.
# The PC takes about 140 times as long as the host, and its clock is wrong.
AVX512_TESTS=(1:kernels:: 9101:initialised:: 301:guard_pages:: 401:guard_questions:: 201:simdutf_bugs::
    301:surrogates:: 151:utf32:: 91:capacity:: 451:count:: 451:validate:: 601:embedded::)
CALIBRATION_MICROSECONDS=6000

# Prints the test modules with their numbers N for this host: `scale_intervals PROGRAM N:FILTER...`.
scale_intervals() {
    local program=$1 microseconds
    shift
    microseconds=$("$program" calibration --ignored 2>&1 | sed -n 's/^calibration: \([0-9]*\) us$/\1/p')
    echo "calibration: ${microseconds:?} us; the numbers N are for $CALIBRATION_MICROSECONDS us" >&2
    printf '%s\n' "$@" | awk -F: -v OFS=: -v measured="$microseconds" -v assumed="$CALIBRATION_MICROSECONDS" '
        $1 > 1 && measured > assumed { $1 = int($1 * measured / assumed); $1 += 1 - $1 % 2 }
        { print }'
}

# Builds a test program for the emulated PC, and prints its path: `build_bochs_program --lib` or
# `build_bochs_program --test all`. The program has a separate target directory: with `--target`, build
# scripts are compiled without the flags, but cargo's fingerprints of them still contain the flags.
build_bochs_program() {
    CARGO_TARGET_DIR=$CARGO_TARGET_DIR/bochs/target RUSTFLAGS="-C target-feature=+crt-static --cfg utflane_bochs" \
        timeout 900 cargo test "${RELEASE[@]}" --locked --target "$HOST" -p utflane "$@" --no-run --message-format json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}

step_avx512() {
    require_debian_amd64 "emulated AVX-512"
    need bochs bochsbios vgabios isolinux syslinux-common xorriso cpio binutils
    local folder=$CARGO_TARGET_DIR/bochs program cpu kernels tests
    # setup.sh uses apt-get, so it needs the same lock as `need`.
    flock target/ci/apt.lock ci/bochs/setup.sh "$folder"
    case $(required_kernels) in
    avx512,*)
        skipped "emulated AVX-512, except the choice of other kernels: the step test runs all tests on this processor"
        # No record for processors without AVX-512.
        hash=
        program=$(test_program)
        ;;
    *)
        program=$(build_bochs_program --lib)
        UTFLANE_REQUIRE_KERNELS=avx512,avx2,sse42,scalar \
            ci/bochs/boot.sh "$folder" tigerlake 900 "$program" 121:arch::tests::
        program=$(build_bochs_program --test all)
        tests=$(scale_intervals "$program" "${AVX512_TESTS[@]}")
        echo "$tests"
        UTFLANE_REQUIRE_KERNELS=avx512,avx2,sse42,scalar ci/bochs/boot.sh "$folder" tigerlake 1800 "$program" $tests
        ;;
    esac
    # Checks the choice of the kernel on processors with fewer features: without VBMI2, AVX-512 must not
    # be chosen.
    for cpu in corei7_skylake_x:avx2 corei5_lynnfield_750:sse42 core2_penryn_t9600:scalar; do
        kernels=${cpu#*:}
        echo "$cpu"
        UTFLANE_REQUIRE_KERNELS=$kernels ci/bochs/boot.sh "$folder" "${cpu%:*}" 300 "$program" "${AVX512_TESTS[0]}" |
            tee target/ci/avx512-ladder
        grep -q "kernels: .*; active: $kernels\$" target/ci/avx512-ladder || {
            echo "the active kernel on ${cpu%:*} is not $kernels"
            return 1
        }
    done
}

step_capi() {
    cargo clippy --locked --manifest-path capi/Cargo.toml --all-targets -- -D warnings
    require_debian_amd64 "the C library"
    need binutils clang cmake g++ gcc libc6-dev make pkg-config python3 valgrind
    timeout 900 capi/test.sh
}
