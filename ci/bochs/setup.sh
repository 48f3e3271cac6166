#!/usr/bin/env bash
# Puts the files that an emulated PC needs into a folder: Debian's kernel for virtual machines as
# `vmlinuz`, and `busybox`. The packages that `step_avx512` of ci/steps.sh names must be installed.
#
#     ci/bochs/setup.sh FOLDER
set -euo pipefail
mkdir -p "$1"
cd "$1"

if [ ! -e vmlinuz ] || [ ! -e busybox ]; then
    kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    # The packages are unpacked and not installed, because this machine must not boot from the kernel.
    apt-get -o APT::Sandbox::User=root download -qq "$kernel" busybox-static
    for package in *.deb; do dpkg -x "$package" package; done
    cp package/boot/vmlinuz-* vmlinuz
    cp "$(find package -name busybox -type f -path '*bin/*')" busybox
    rm -rf package ./*.deb
fi
