#!/usr/bin/env python3
"""Counts the instructions that each operation takes on each kernel, and compares them with benches/instructions.csv.

    ci/instructions.py              fails if a figure grew too much
    ci/instructions.py --write      renews the file: only for growth that has a reason, or to keep a gain
    ci/instructions.py --aarch64    in an emulator, after `. ci/env-aarch64.sh`: on texts of 4 KiB, beside benches/instructions-aarch64.csv

A figure is instructions per byte of input, the mean over the texts: of 64 KiB, of 1,000 pieces of 120 and of 24 bytes, and of
the pieces of 24 bytes by the free functions, which choose a kernel. The counts are exact, and the same in every run: two calls of
the operation less one (benches/src/bin/instructions.rs has the list), on texts that are made from a fixed seed.
instructions-cells.csv in the target folder has each text and size, instructions.csv the new figures. Only kernels that valgrind's
processor can run are counted (as of 3.19 no AVX-512).

The last column for aarch64 is not compared: how often the stack is read or written for 64 bytes of input. A few tenths are
registers that a function saves for its caller; from 1 on something is spilled in an inner loop.

Exit status 1: a figure grew too much, with the compiler that the file names. With another compiler, growth is only reported.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
# Percent. Whole texts on vector kernels: one instruction more in a loop of 20. All others: a few
# moves at a function's start are more than 5 % of a short text, and the scalar kernel is the
# reference, not the fast one.
GROWTH, GROWTH_OTHER = 5, 10
COLUMNS = ["whole texts", "120 B", "24 B", "free 24 B"]
# Each instruction makes a line in qemu's log, with its address after the first slash and the function at the end. The first one
# of `measured` is where a call begins. The first file has the last six digits, enough for a small program, of the addresses of
# instructions that reach into the stack.
READ_LOG = """
NR == FNR { stack[$1]; next }
{ place = substr($0, index($0, "/") + 1, 16) }
$NF ~ /instructions8measured/ && (entry == "" || place == entry) {
    entry = place
    if (calls++) print count "\\t" reached
    count = reached = 0
}
$NF ~ /instructions8finished/ && calls == 2 { print count "\\t" reached; calls = 0 }
{ count++ }
substr(place, 11) in stack && substr(place, 1, 10) == substr(entry, 1, 10) { reached++ }
"""


def build(*options):
    # The peers, one of them C++, have no part in this.
    command = ["cargo", "build", "--quiet", "--locked", "--release", "-p", "utflane-bench", "--no-default-features", "--bin", "instructions"]
    subprocess.run([*command, *options], cwd=ROOT, check=True)


def count_in_callgrind(folder):
    """The cells that the program prints, and the count of each of its calls, two a cell."""
    build()
    # One dump for each call of `measured`. The two patterns must not be the same: callgrind then forgets the first option.
    command = ["valgrind", "-q", "--tool=callgrind", "--toggle-collect=*::measured*", "--dump-after=instructions::measured*"]
    command += [f"--callgrind-out-file={folder}/out", TARGET / "release" / "instructions"]
    cells = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    dumps = sorted(folder.glob("out.*"), key=lambda dump: int(dump.suffix[1:]))
    return cells, [re.search(r"^totals: (\d+)", dump.read_text(), re.M).groups() for dump in dumps]


def count_emulated(folder):
    """The same on aarch64, and how often each call reaches into the stack."""
    build("--target", "aarch64-unknown-linux-gnu")
    program = TARGET / "aarch64-unknown-linux-gnu" / "release" / "instructions"
    listing = subprocess.check_output(["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", program], text=True)
    reaching = re.findall(r"^\s*([0-9a-f]+):.*\[(?:sp|x29)", listing, re.M)
    (folder / "stack").write_text("".join(f"{address:0>6}"[-6:] + "\n" for address in reaching) or sys.exit("nothing reaches into the stack"))
    os.mkfifo(folder / "log")
    reader = subprocess.Popen(["awk", READ_LOG, folder / "stack", folder / "log"], stdout=subprocess.PIPE, text=True)
    command = ["qemu-aarch64", "-singlestep", "-d", "exec,nochain", "-D", folder / "log", program, "4096", "neon"]
    cells = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return cells, [line.split("\t") for line in reader.communicate()[0].splitlines()]


def figures_of(cells, counts):
    """A line for each kernel and operation, with the means over the texts of each size; also writes the cells."""
    cells = [cell.split("\t") for cell in cells.splitlines()]
    if not cells or len(counts) != 2 * len(cells):
        sys.exit(f"there are {len(counts)} counts for {len(cells)} cells")
    sums, details = {}, []
    for (kernel, operation, text, size), first, second in zip(cells, counts[::2], counts[1::2]):
        values = [(int(two) - int(one)) / int(size) for one, two in zip(first, second)]
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


def text_of(compiler, figures):
    columns = [column for column in COLUMNS if any(column in row for row in figures.values())]
    text = f"# {compiler}\nkernel,operation,{','.join(columns)}" + ",stack accesses per 64 bytes" * bool(VARIANT) + "\n"
    for key, row in figures.items():
        shown = [f"{row[column]:.3f}" if column in row else "" for column in columns]
        text += ",".join([*key, *shown, *(f"{value:.1f}" for column, value in row.items() if column.startswith("stack"))]) + "\n"
    return text


def read(text):
    """The compared figures of a file, each by kernel, operation and column; and the compiler."""
    compiler, heads, *rows = text.splitlines()
    columns = heads.split(",")[2:]
    rows = [row.split(",") for row in rows]
    return compiler, {
        (kernel, operation, column): float(figure)
        for kernel, operation, *figures in rows
        for column, figure in zip(columns, figures)
        if figure and not column.startswith("stack")
    }


def main():
    # Flags would be another compiler, as it were.
    for name in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "UTFLANE_KERNEL"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        figures = figures_of(*(count_emulated if VARIANT else count_in_callgrind)(Path(folder)))
    new = text_of(subprocess.check_output([os.environ.get("RUSTC", "rustc"), "-V"], text=True).strip(), figures)
    (TARGET / f"instructions{VARIANT}.csv").write_text(new)
    file = ROOT / f"benches/instructions{VARIANT}.csv"
    (old_compiler, old), (compiler, now) = read(file.read_text()), read(new)
    grown = 0
    for key in [key for key in now if key in old]:
        percent = 100 * (now[key] / old[key] - 1)
        limit = GROWTH if key[2] == "whole texts" and key[0] != "scalar" else GROWTH_OTHER
        grown += percent > limit
        if abs(percent) > limit:
            print(f"{'GREW' if percent > 0 else 'shrank':6} {percent:+8.1f} %  {', '.join(key):44} {old[key]:9.3f} -> {now[key]:9.3f}")
    print(f"{len(now)} figures, {len(now.keys() - old.keys())} not in the file, {len(old.keys() - now.keys())} only there; {grown} grew too much; {compiler[2:]}")
    if "--write" in sys.argv:
        file.write_text(new)
    elif compiler != old_compiler:
        print(f"the figures are those of {old_compiler[2:]}, so growth is no failure")
    elif grown:
        sys.exit(1)


if not set(sys.argv[1:]) <= {"--aarch64", "--write"}:
    sys.exit(__doc__)
VARIANT = "-aarch64" if "--aarch64" in sys.argv else ""
main()
