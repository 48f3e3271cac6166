#!/usr/bin/env bash
# Builds the C library and installs it: the static and the shared library, the headers, a pkg-config file and a CMake
# package. Needs only Rust.
#
#     capi/install.sh PREFIX [CARGO OPTION...]
#     LIBDIR=lib64 capi/install.sh /usr/local
#
# LIBDIR is a folder in PREFIX (by default lib). If DESTDIR is set, the files are copied to DESTDIR/PREFIX, to make a
# package.

set -euo pipefail
if [ $# -eq 0 ] || [ "${1#-}" != "$1" ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
prefix=$1
shift
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
case ${DESTDIR:=} in /* | '') ;; *) DESTDIR=$PWD/$DESTDIR ;; esac
cd "$(dirname "$0")"
libdir=${LIBDIR:-lib}
root=$DESTDIR$prefix
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# The binary interface has the number MAJOR.MINOR: before 1.0, a new minor version may change the interface.
interface=${version%.*}

# $system has the system libraries that Rust's standard library needs. Programs that link the static library need them.
case $(uname) in
Darwin)
    shared=libutflane.$version.dylib links=("libutflane.$interface.dylib" libutflane.dylib) system="-lm"
    name="-Wl,-install_name,$prefix/$libdir/libutflane.$interface.dylib" built=libutflane_capi.dylib
    ;;
*)
    shared=libutflane.so.$version links=("libutflane.so.$interface" libutflane.so) system="-lgcc_s -lpthread -lm -ldl"
    name="-Wl,-soname,libutflane.so.$interface" built=libutflane_capi.so
    ;;
esac

target=$(cargo metadata --no-deps --format-version 1 | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
# Removes earlier builds, so that they are not installed if a cargo option makes cargo build in another folder.
rm -f "$target/release/libutflane_capi.a" "$target/release/$built"
cargo rustc --release --locked --lib --crate-type staticlib,cdylib "$@" -- -C "link-arg=$name"

install -d "$root/$libdir/pkgconfig" "$root/include" "$root/share/cmake/utflane"
install -m 644 include/utflane.h include/simdutf_c.h "$root/include"
install -m 644 cmake/*.cmake "$root/share/cmake/utflane"
install -m 644 "$target/release/libutflane_capi.a" "$root/$libdir/libutflane.a"
install -m 755 "$target/release/$built" "$root/$libdir/$shared"
for link in "${links[@]}"; do ln -sf "$shared" "$root/$libdir/$link"; done
cat >"$root/$libdir/pkgconfig/utflane.pc" <<PC
prefix=$prefix
libdir=\${prefix}/$libdir
includedir=\${prefix}/include

Name: utflane
Description: $(sed -n 's/^description = "\(.*\)"/\1/p' Cargo.toml)
Version: $version
Libs: -L\${libdir} -lutflane
Libs.private: $system
Cflags: -I\${includedir}
PC
