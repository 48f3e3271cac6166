#!/usr/bin/env bash
# Installs the C library with the commands of README.md, and tests it: with programs in C11 and C++17 under the address
# and undefined-behaviour sanitizers, on each kernel; in a CMake project, with the CMake package and with pkg-config; and
# by comparison with simdutf.
#
# Needs gcc, g++, clang, cmake, pkg-config, python3 and valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/capi
home=$out/home
prefix=$home/utflane
rm -rf "$home"
mkdir -p "$home"

echo "run the commands of README.md"
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' capi/README.md >"$home/convert.c"
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' capi/README.md >"$home/commands"
# The commands run with another HOME, but with the user's cargo.
ln -s "$PWD/capi" "$home/capi"
(
    cd "$home"
    export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_TARGET_DIR=$target HOME=$home
    bash -euo pipefail commands >commands.log 2>&1 || { cat commands.log; exit 1; }
    ./convert
)
capi/tests/headers.py check "$prefix/lib/libutflane.so"

strict=(-Wall -Wextra -Wpedantic -Werror -g -O1 "-I$prefix/include")
sanitized=(-fsanitize=address,undefined -fno-sanitize-recover=all)
shared=("-L$prefix/lib" -lutflane "-Wl,-rpath,$prefix/lib")
read -ra system <<<"$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --static --libs-only-l utflane | sed 's/-lutflane//')"

# The library itself is compiled without sanitizers. The guarded buffers of check.h detect its accesses beyond the end.
programs=(pairs streams results)
for name in "${programs[@]}"; do
    gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" "${sanitized[@]}" "capi/tests/$name.c" -o "$out/$name" "${shared[@]}"
    "$out/$name"
done
g++ -std=c++17 "${strict[@]}" "${sanitized[@]}" capi/tests/cplusplus.cpp -o "$out/cplusplus" "${shared[@]}"
"$out/cplusplus"
# clang checks the warnings of all programs. One program, which receives structs as results, also runs as compiled by clang.
for name in "${programs[@]}"; do clang -std=c11 -D_GNU_SOURCE "${strict[@]}" -fsyntax-only "capi/tests/$name.c"; done
clang -std=c11 -D_GNU_SOURCE "${strict[@]}" capi/tests/results.c -o "$out/results-clang" "${shared[@]}"
"$out/results-clang"
# The headers compile in other dialects of C and C++.
for dialect in c99 c11 c17; do
    printf '#include <utflane.h>\n#include <simdutf_c.h>\nint unused;\n' | gcc "-std=$dialect" "${strict[@]}" -fsyntax-only -x c -
done
for dialect in c++11 c++14 c++20; do
    printf '#include <utflane.h>\n#include <simdutf_c.h>\n' | g++ "-std=$dialect" "${strict[@]}" -fsyntax-only -x c++ -
done
# outputs.c tests the output of every function: on each kernel, and under valgrind on the kernels that valgrind supports.
capi/tests/headers.py outputs >"$out/outputs.h"
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" "-I$out" capi/tests/outputs.c -o "$out/outputs" "${shared[@]}"
"$out/outputs"
# The programs run on the other kernels of this processor.
for kernel in avx2 sse42 scalar; do
    for name in "${programs[@]}" outputs; do UTFLANE_KERNEL=$kernel "$out/$name"; done
    UTFLANE_KERNEL=$kernel valgrind -q --error-exitcode=9 "$out/outputs" valgrind
done

capi/tests/headers.py arguments >"$out/arguments.c"
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -Icapi/tests "$out/arguments.c" -o "$out/arguments" "${shared[@]}"
"$out/arguments"
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" capi/tests/allocations.c -o "$out/allocations" "$prefix/lib/libutflane.a" \
    "${system[@]}" -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign
"$out/allocations"
# The library must not need a C++ runtime.
readelf -d "$prefix/lib/libutflane.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/needs \1/p'
if readelf -d "$prefix/lib/libutflane.so" | grep -q 'NEEDED.*stdc++'; then exit 1; fi

echo "build a CMake project"
rm -rf "$out/cmake"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig cmake -S capi/tests/cmake -B "$out/cmake" "-DCMAKE_PREFIX_PATH=$prefix" >"$out/cmake.log"
cmake --build "$out/cmake" >>"$out/cmake.log"
(cd "$out/cmake" && LD_LIBRARY_PATH=$prefix/lib ctest --output-on-failure | tail -n 4)

echo "compare with simdutf"
simdutf=$(cargo metadata --locked --format-version 1 |
    python3 -c 'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "simdutf"))')
simdutf=$(dirname "$simdutf")/cpp
g++ -std=c++17 -O1 -c "$simdutf/simdutf.cpp" -o "$out/simdutf.o"
g++ -std=c++17 "${strict[@]}" -isystem "$simdutf" capi/tests/differential.cpp "$out/simdutf.o" -o "$out/differential" "${shared[@]}"
for kernel in "" sse42 scalar; do UTFLANE_KERNEL=$kernel "$out/differential" 300; done
