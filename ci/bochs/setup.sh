#!/usr/bin/env bash
# Puts into a folder what an emulated PC needs: Debian's kernel for virtual machines as `vmlinuz`,
# and the process that it starts as `init`. The packages must be there: those that ci/steps.sh names
# for this.
#
#     ci/bochs/setup.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

if [ ! -e "$folder/vmlinuz" ]; then
    package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    # Unpacked, not installed: nothing here is to boot from it.
    (
        cd "$folder"
        apt-get -o APT::Sandbox::User=root download -qq "$package"
        dpkg -x "$package"_*.deb package
        cp package/boot/vmlinuz-* vmlinuz
        rm -rf package "$package"_*.deb
    )
fi
RUSTFLAGS="-C target-feature=+crt-static" cargo build --quiet --locked --release --target x86_64-unknown-linux-gnu \
    --manifest-path "$here/init/Cargo.toml" --target-dir "$folder/target"
cp "$folder/target/x86_64-unknown-linux-gnu/release/init" "$folder/init"
