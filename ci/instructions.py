#!/usr/bin/env python3
"""Counts the instructions that each operation takes on each kernel, and compares them with benches/instructions.csv.

    ci/instructions.py              fails if a figure grew too much
    ci/instructions.py --write      updates the file: use it only for growth that has a reason, or to record an improvement
    ci/instructions.py --aarch64    counts in an emulator, on texts of 4 KiB, and compares with benches/instructions-aarch64.csv;
                                    run `. ci/env-targets.sh` first

A figure is a number of instructions per byte of input, the mean over the texts. It is measured on whole texts of 16 KiB, on 1,000
pieces of 120 bytes and of 24 bytes, and on the pieces of 24 bytes with the free functions, which choose a kernel. The counts are
exact and the same in every run: the count of a warm-up is subtracted from the count of a warm-up and one run, and the texts are made from a
fixed seed. benches/src/bin/instructions.rs lists the operations. In the target folder, instructions-cells.csv has the results for
each text and size, and instructions.csv the new figures. Only kernels that valgrind can run are counted (version 3.19 lacks
AVX-512).

The last column for aarch64 is not compared. It has the number of stack accesses per 64 bytes of input. A few tenths are caused by
registers that a function saves for its caller. From 1 on, an inner loop spills a register.

The exit status is 1 if a figure grew too much with the compiler that the file names. With another compiler, growth is only
reported.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
# The allowed growth in percent. 5 % for whole texts on vector kernels is one more instruction in a
# loop of 20. 10 % for all other figures: a few moves at the start of a function are more than 5 % of
# the instructions for a short text, and the scalar kernel need not be fast.
MAX_GROWTH, MAX_GROWTH_OTHER = 5, 10
COLUMNS = ["whole texts", "120 B", "24 B", "free 24 B"]
# Counts instructions and stack accesses in qemu's log. Each instruction has a line in the log, with its address after the first
# slash and the function at the end. A call begins at the first instruction of the function `measured`. The first input file has the
# last six digits of the address of each instruction that accesses the stack. Six digits are enough for a small program.
READ_LOG = """
NR == FNR { stack[$1]; next }
{ address = substr($0, index($0, "/") + 1, 16) }
$NF ~ /instructions8measured/ && (entry == "" || address == entry) {
    entry = address
    if (calls++) print count "\\t" accesses
    count = accesses = 0
}
$NF ~ /instructions8finished/ && calls == 2 { print count "\\t" accesses; calls = 0 }
{ count++ }
substr(address, 11) in stack && substr(address, 1, 10) == substr(entry, 1, 10) { accesses++ }
"""


def build(*options):
    # Without default features, because the other libraries, one of them in C++, are not measured.
    command = ["cargo", "build", "--quiet", "--locked", "--release", "-p", "utflane-bench", "--no-default-features", "--bin", "instructions"]
    subprocess.run([*command, *options], cwd=ROOT, check=True)


def count_in_callgrind(folder):
    """Returns the cells that the program prints, and the instruction count of each call. A cell is an operation on a kernel and a text, whole or in pieces. The program calls `measured` twice for each cell."""
    build()
    # Callgrind makes one dump for each call of `measured`. The two patterns must differ, or callgrind ignores the first option.
    command = ["valgrind", "-q", "--tool=callgrind", "--toggle-collect=*::measured*", "--dump-after=instructions::measured*"]
    command += [f"--callgrind-out-file={folder}/out", TARGET / "release" / "instructions"]
    cells = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    dumps = sorted(folder.glob("out.*"), key=lambda dump: int(dump.suffix[1:]))
    return cells, [re.search(r"^totals: (\d+)", dump.read_text(), re.M).groups() for dump in dumps]


def count_emulated(folder):
    """Returns the cells like `count_in_callgrind`, on aarch64, and the instruction count and the stack accesses of each call."""
    build("--target", "aarch64-unknown-linux-gnu")
    program = TARGET / "aarch64-unknown-linux-gnu" / "release" / "instructions"
    listing = subprocess.check_output(["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", program], text=True)
    stack_accesses = re.findall(r"^\s*([0-9a-f]+):.*\[(?:sp|x29)", listing, re.M)
    (folder / "stack").write_text("".join(f"{address:0>6}"[-6:] + "\n" for address in stack_accesses) or sys.exit("no instruction accesses the stack"))
    os.mkfifo(folder / "log")
    reader = subprocess.Popen(["awk", READ_LOG, folder / "stack", folder / "log"], stdout=subprocess.PIPE, text=True)
    command = ["qemu-aarch64", "-singlestep", "-d", "exec,nochain", "-D", folder / "log", program, "4096", "neon"]
    cells = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return cells, [line.split("\t") for line in reader.communicate()[0].splitlines()]


def compute_figures(cells, counts):
    """Returns the means over the texts of each size, for each kernel and operation. Also writes the file of the cells."""
    cells = [cell.split("\t") for cell in cells.splitlines()]
    if not cells or len(counts) != 2 * len(cells):
        sys.exit(f"there are {len(counts)} counts for {len(cells)} cells, but two per cell were expected")
    sums, details = {}, []
    for (kernel, operation, text, size), first, second in zip(cells, counts[::2], counts[1::2]):
        values = [(int(warm_up_and_run) - int(warm_up)) / int(size) for warm_up, warm_up_and_run in zip(first, second)]
        if values[0] <= 0:
            sys.exit(f"no instructions: {kernel}, {operation}, {text}")
        details.append(f"{kernel},{operation},{text},{values[0]:.3f}" + "".join(f",{64 * value:.1f}" for value in values[1:]))
        piece = re.search(r" by ([0-9,]+ B)$", text)
        column = "free " * kernel.startswith("free ") + (piece[1].replace(",", "") if piece else "whole texts")
        row = sums.setdefault((kernel.removeprefix("free "), operation), {})
        row.setdefault(column, []).append(values[0])
        for value in values[1:]:
            row.setdefault("stack accesses per 64 bytes", []).append(64 * value)
    (TARGET / f"instructions{VARIANT}-cells.csv").write_text("\n".join(details) + "\n")
    return {key: {column: sum(values) / len(values) for column, values in row.items()} for key, row in sums.items()}


def format_figures(compiler, figures):
    columns = [column for column in COLUMNS if any(column in row for row in figures.values())]
    text = f"# {compiler}\nkernel,operation,{','.join(columns)}" + ",stack accesses per 64 bytes" * bool(VARIANT) + "\n"
    for key, row in figures.items():
        shown = [f"{row[column]:.3f}" if column in row else "" for column in columns]
        text += ",".join([*key, *shown, *(f"{value:.1f}" for column, value in row.items() if column.startswith("stack"))]) + "\n"
    return text


def parse_figures(text):
    """Returns the compiler that a file names, and the figures that are compared, by kernel, operation and column."""
    compiler, header, *rows = text.splitlines()
    columns = header.split(",")[2:]
    rows = [row.split(",") for row in rows]
    return compiler, {
        (kernel, operation, column): float(figure)
        for kernel, operation, *figures in rows
        for column, figure in zip(columns, figures)
        if figure and not column.startswith("stack")
    }


def main():
    # With flags, the code would differ as if another compiler had made it. `UTFLANE_KERNEL` would change the kernel of the free functions.
    for name in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "UTFLANE_KERNEL"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        figures = compute_figures(*(count_emulated if VARIANT else count_in_callgrind)(Path(folder)))
    new_text = format_figures(subprocess.check_output([os.environ.get("RUSTC", "rustc"), "-V"], text=True).strip(), figures)
    (TARGET / f"instructions{VARIANT}.csv").write_text(new_text)
    file = ROOT / f"benches/instructions{VARIANT}.csv"
    (old_compiler, old), (compiler, new) = parse_figures(file.read_text()), parse_figures(new_text)
    grown = 0
    for key in [key for key in new if key in old]:
        percent = 100 * (new[key] / old[key] - 1)
        limit = MAX_GROWTH if key[2] == "whole texts" and key[0] != "scalar" else MAX_GROWTH_OTHER
        grown += percent > limit
        if abs(percent) > limit:
            print(f"{'GREW' if percent > 0 else 'shrank':6} {percent:+8.1f} %  {', '.join(key):44} {old[key]:9.3f} -> {new[key]:9.3f}")
    print(f"{len(new)} figures, {len(new.keys() - old.keys())} of them new, {len(old.keys() - new.keys())} missing; {grown} grew too much; {compiler[2:]}")
    if "--write" in sys.argv:
        file.write_text(new_text)
    elif compiler != old_compiler:
        print(f"the file has figures of {old_compiler[2:]}, so growth is not a failure")
    elif grown:
        sys.exit(1)


if not set(sys.argv[1:]) <= {"--aarch64", "--write"}:
    sys.exit(__doc__)
VARIANT = "-aarch64" if "--aarch64" in sys.argv else ""
main()
