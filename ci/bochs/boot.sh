#!/usr/bin/env bash
# Boots an emulated PC in Bochs, runs a test program in the PC, once for each filter, and
# prints the output of the PC. The exit status is the status of the last run that failed, or 97 if the
# PC did not run all filters, or 96 if a filter selects no test.
#
#     ci/bochs/boot.sh FOLDER CPU SECONDS PROGRAM SHARE:FILTER...
#
# FOLDER is a folder that setup.sh has filled. CPU is a model that Bochs knows (`bochs-bin --help
# cpu`); `tigerlake` has AVX-512 with VBMI2. SECONDS limits the time of all starts of the PC together.
# FILTER is a part of the names of the tests to run. SHARE is UTFLANE_TEST_SHARE for these tests: one
# in SHARE inputs of the large sets runs. Other variables UTFLANE_*, PROPTEST_* and RUST_* are passed
# on. The tests take about 140 times as long as on the host, and the boot takes 12 to 16 seconds. The
# PC's clock is wrong.
#
# Sometimes the emulator hangs. If the PC has printed nothing for SILENT seconds, several times as
# long as any test takes, it is started again with the filters that have not ended, at most twice, and
# a message is printed. A test that never ends hangs each time, so it fails.
set -euo pipefail
SILENT=300
folder=$1 cpu=$2 seconds=$3 program=$4
shift 4

# Without this check, a filter that matches no test would count as passed.
for argument; do
    if [ "$("$program" --list "${argument#*:}" | grep -c ': test$')" -eq 0 ]; then
        echo "bochs: no test has '${argument#*:}' in its name"
        exit 96
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/root/{dev,proc,sys,tmp} "$work/iso"

# The root file system: the first process, the program, and the list of tests.
install -m 755 "$(dirname "$0")/init.sh" "$work/root/init"
cp "$folder/busybox" "$work/root/busybox"
mknod "$work/root/dev/console" c 5 1
strip -o "$work/root/tests" "$program"
# The shared libraries of a program that is not static.
{ ldd "$program" 2>/dev/null || true; } | sed -nE 's|^[^/]*(/[^ ]+) .*|\1|p' | while read -r library; do
    install -D "$library" "$work/root$library"
done
export RUST_TEST_THREADS=1 UTFLANE_EMULATED_PC=1
export -p | sed -nE 's/^declare -x ((UTFLANE|PROPTEST|RUST)_)/export \1/p' >"$work/root/environment"
# The bootable disk, still without its root file system. `clearcpuid` hides features from the kernel:
# 515 and 516 are PKU and OSPKE, 321 and 323 are XSAVEC and XSAVES. Bochs reports wrong sizes for them
# in CPUID, so that the kernel would not enable AVX. 580 is FSRM, which Bochs reports without ERMS, so
# that memmove fails. The other options shorten the boot.
cp "$folder/vmlinuz" "$work/iso/vmlinuz"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/iso/"
cat >"$work/iso/isolinux.cfg" <<END
SERIAL 0 115200
DEFAULT linux
PROMPT 0
TIMEOUT 1
LABEL linux
  KERNEL vmlinuz
  APPEND initrd=initrd console=ttyS0,115200 quiet loglevel=2 panic=-1 clearcpuid=515,516,321,323,580 mitigations=off nokaslr tsc=reliable no_timer_check 8250.nr_uarts=1 random.trust_cpu=on cryptomgr.notests=1 initcall_blacklist=load_system_certificate_list,cubictcp_register,init_kprobe_trace,init_evm
END

cat >"$work/bochsrc" <<END
config_interface: textconfig
display_library: rfb, options="timeout=0"
megs: 512
cpu: model=$cpu, count=1, ips=20000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path=$work/disk.iso, status=inserted
boot: cdrom
sound: driver=dummy
speaker: enabled=0
clock: sync=none
com1: enabled=1, mode=file, dev=$work/serial
log: $work/log
panic: action=fatal
error: action=ignore
info: action=ignore
debug: action=ignore
END
# Debian's Bochs starts in its debugger, which needs the command to continue.
printf 'c\nq\n' >"$work/debugger"

# Makes the disk with the given filters, and runs the PC until it turns itself off, prints nothing for
# SILENT seconds, or its time is over.
run_pc() {
    local pid size=0 last_output longest=0
    printf '%s\n' "$@" | sed 's/:/ /' >"$work/root/runs"
    (cd "$work/root" && find . | cpio --quiet -o -H newc) >"$work/iso/initrd"
    xorriso -as mkisofs -quiet -o "$work/disk.iso" -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
        -boot-info-table "$work/iso" 2>/dev/null
    : >"$work/serial"
    timeout -k 5 "$((end - SECONDS))" bochs-bin -q -f "$work/bochsrc" -rc "$work/debugger" </dev/null >"$work/screen" 2>&1 &
    pid=$!
    silent=0 last_output=$SECONDS
    while kill -0 "$pid" 2>/dev/null; do
        sleep 1
        if [ "$(stat -c %s "$work/serial")" -ne "$size" ]; then
            size=$(stat -c %s "$work/serial")
            last_output=$SECONDS
        elif [ $((SECONDS - last_output)) -gt "$longest" ]; then
            longest=$((SECONDS - last_output))
            if [ "$longest" -ge "$SILENT" ]; then
                silent=1
                kill "$pid"
                break
            fi
        fi
    done
    wait "$pid" || true
    tr -d '\r' <"$work/serial" | grep -v -e '^ISOLINUX' -e 'reboot: Power down' >"$work/lines" || true
    cat "$work/lines"
    status=$(sed -n 's/^exit status of all: //p' "$work/lines" | tail -n 1)
    echo "bochs: the longest time without a line was $longest s"
}

end=$((SECONDS + seconds)) failed=0
for attempt in 1 2 3; do
    run_pc "$@"
    if grep -q '^=== .* failed with ' "$work/lines"; then failed=1; fi
    # If no time is left, no further attempt starts: timeout(1) sets no limit for 0 seconds.
    if [ "$silent" -eq 0 ] || [ "$attempt" -eq 3 ] || [ "$SECONDS" -ge "$end" ]; then break; fi
    # The last filter that began has not ended, so the next attempt begins with it.
    began=$(grep -c '^=== .* of the large sets$' "$work/lines" || true)
    if [ "$began" -gt 1 ]; then shift $((began - 1)); fi
    echo "bochs: the PC hung for $SILENT s after the lines above; it is started again, from $1 on"
done
if [ -z "$status" ]; then
    echo "bochs: the PC hung, or did not run all filters within $seconds s"
    tail -n 5 "$work/log"
    exit 97
fi
if [ "$status" -eq 0 ]; then status=$failed; fi
exit "$status"
