#!/usr/bin/env bash
# Tests the C library as it is installed: by C11 and C++17 programs of gcc and clang, under the address and
# undefined-behaviour sanitizers, on each kernel; from CMake and pkg-config; by the commands of README.md; and against
# simdutf. `capi/test.sh --write` renews include/utflane.h instead.
#
# Needs cbindgen, gcc, g++, clang with its runtime libraries, cmake, pkg-config, python3, valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/capi
prefix=$out/prefix
mkdir -p "$out"

# Its warnings are about the types that it is told to leave out.
(cd capi && cbindgen --config cbindgen.toml --crate utflane-capi --output "$out/utflane.h" 2>"$out/cbindgen.log") ||
    { cat "$out/cbindgen.log"; exit 1; }
if [ "${1:-}" = --write ]; then
    cp "$out/utflane.h" capi/include/utflane.h
    exit
fi
diff -u capi/include/utflane.h "$out/utflane.h" ||
    { echo "include/utflane.h is not what cbindgen writes: run capi/test.sh --write"; exit 1; }
rm -rf "$prefix"
capi/install.sh "$prefix" >"$out/install.log" 2>&1 || { tail -n 40 "$out/install.log"; exit 1; }
python3 capi/generate.py

strict=(-Wall -Wextra -Wpedantic -Werror -g -O1 "-I$prefix/include")
sanitized=(-fsanitize=address,undefined -fno-sanitize-recover=all)
shared=("-L$prefix/lib" -lutflane "-Wl,-rpath,$prefix/lib")
read -ra system <<<"$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --static --libs-only-l utflane | sed 's/-lutflane//')"

# The library's own code is not sanitized: its accesses are checked by pages at the ends of all memory (check.h).
for compiler in gcc clang; do
    for name in pairs streams results simdutf part_seams; do
        "$compiler" -std=c11 -D_GNU_SOURCE "${strict[@]}" "${sanitized[@]}" "capi/tests/$name.c" -o "$out/$name" "${shared[@]}"
        "$out/$name"
    done
    "${compiler/gcc/g}++" --version >/dev/null 2>&1 && plus=${compiler/gcc/g}++ || plus=$compiler++
    "$plus" -std=c++17 "${strict[@]}" "${sanitized[@]}" capi/tests/cplusplus.cpp -o "$out/cplusplus" "${shared[@]}"
    "$out/cplusplus"
done
# The headers in other dialects.
for dialect in c99 c11 c17; do
    printf '#include <utflane.h>\n#include <simdutf_c.h>\nint unused;\n' | gcc "-std=$dialect" "${strict[@]}" -fsyntax-only -x c -
done
for dialect in c++11 c++14 c++20; do
    printf '#include <utflane.h>\n#include <simdutf_c.h>\n' | g++ "-std=$dialect" "${strict[@]}" -fsyntax-only -x c++ -
done
# What every function writes: by itself on each kernel, and under valgrind on those that it runs.
python3 capi/tests/outputs.py "$prefix/include/utflane.h" "$prefix/include/simdutf_c.h" >"$out/outputs.h"
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" "-I$out" capi/tests/outputs.c -o "$out/outputs" "${shared[@]}"
for kernel in "" avx2 sse42 scalar; do UTFLANE_KERNEL=$kernel "$out/outputs"; done
for kernel in avx2 sse42 scalar; do
    UTFLANE_KERNEL=$kernel valgrind -q --error-exitcode=9 "$out/outputs" valgrind
done
# On the other kernels of this processor.
for kernel in avx2 sse42 scalar; do
    for name in pairs streams simdutf part_seams; do UTFLANE_KERNEL=$kernel "$out/$name"; done
done

python3 capi/tests/arguments.py >"$out/arguments.c"
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -Icapi/tests "$out/arguments.c" -o "$out/arguments" "${shared[@]}"
"$out/arguments"
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" capi/tests/allocations.c -o "$out/allocations" "$prefix/lib/libutflane.a" \
    "${system[@]}" -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign
"$out/allocations"
# No C++ runtime is needed, and no symbols but ours are exported.
readelf -d "$prefix/lib/libutflane.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/needs \1/p'
if readelf -d "$prefix/lib/libutflane.so" | grep -q 'NEEDED.*stdc++'; then exit 1; fi
if nm -D --defined-only "$prefix/lib/libutflane.so" | awk '{ print $3 }' | grep -vE '^(utflane|simdutf)_'; then
    echo "these symbols are exported besides"
    exit 1
fi

echo "a project of CMake"
rm -rf "$out/cmake"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig cmake -S capi/tests/cmake -B "$out/cmake" "-DCMAKE_PREFIX_PATH=$prefix" >"$out/cmake.log"
cmake --build "$out/cmake" >>"$out/cmake.log"
(cd "$out/cmake" && LD_LIBRARY_PATH=$prefix/lib ctest --output-on-failure | tail -n 4)

echo "the commands of README.md"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' capi/README.md >"$scratch/convert.c"
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' capi/README.md >"$scratch/commands"
# In a copy of the tree, with a home of its own; what cargo needs is that of the user.
git ls-files -z | tar --null -T - -c | tar -x -C "$scratch"
(
    cd "$scratch"
    export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_TARGET_DIR=$target HOME=$scratch
    bash -euo pipefail commands >commands.log 2>&1 || { cat commands.log; exit 1; }
    ./convert
)

echo "simdutf"
simdutf=$(cargo metadata --locked --format-version 1 |
    python3 -c 'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "simdutf"))')
simdutf=$(dirname "$simdutf")/cpp
g++ -std=c++17 -O1 -c "$simdutf/simdutf.cpp" -o "$out/simdutf.o"
g++ -std=c++17 "${strict[@]}" -isystem "$simdutf" capi/tests/differential.cpp "$out/simdutf.o" -o "$out/differential" "${shared[@]}"
for kernel in "" sse42 scalar; do UTFLANE_KERNEL=$kernel "$out/differential" 300; done
