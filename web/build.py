#!/usr/bin/env python3
"""Builds the page: one HTML file that works from `file://`, with the module, the worker and the style in it.

    python3 web/build.py        writes target/web/utflane.html

Needs Rust with its target for WebAssembly: `rustup target add wasm32-unknown-unknown`. Where RUSTC_BOOTSTRAP is set,
the standard library is compiled from its sources instead. CARGO_TARGET_DIR is used if it is set.
"""

import base64
import gzip
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
TARGET = "wasm32-unknown-unknown"
# The largest page. Most of it is the module.
LIMIT = 500_000

# The parts of the page and its worker, in this order.
PAGE = ["elements.js", "visible.js", "encodings.js", "hex.js", "results.js", "jobs.js", "main.js"]
WORKER = ["module.js", "worker.js"]


def has_target(rustc):
    """True if the standard library is installed for WebAssembly."""
    folder = subprocess.check_output([rustc, "--print", "target-libdir", "--target", TARGET], text=True).strip()
    return any(Path(folder).glob("libstd-*.rlib"))


def build_module(folder):
    """Compiles the module, with vectors, which are a property of the build there. Returns its bytes."""
    command = ["cargo", "build", "--locked", "--release", "--target", TARGET]
    if not has_target(os.environ.get("RUSTC", "rustc")):
        if "RUSTC_BOOTSTRAP" not in os.environ:
            sys.exit(f"Rust has no target for WebAssembly here: rustup target add {TARGET}")
        # Without backtraces, which the page could not print.
        command += ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features="]
    environment = {name: value for name, value in os.environ.items() if not name.endswith("RUSTFLAGS")}
    # The page names no folder of this machine.
    flags = ["-Ctarget-feature=+simd128", f"--remap-path-prefix={ROOT}=."]
    environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
    environment["CARGO_TARGET_DIR"] = str(folder)
    if subprocess.run(command, cwd=WEB, env=environment).returncode:
        sys.exit(1)
    return (folder / TARGET / "release/utflane_web.wasm").read_bytes()


def joined(names):
    """The scripts, each without its first comment and other lines that are comments only."""
    lines = []
    for name in names:
        text = (WEB / "page" / name).read_text()
        lines += (line for line in text.splitlines() if not re.match(r"\s*//|\s*$", line))
    text = "\n".join(lines) + "\n"
    # It would end the element that the text is in.
    assert "</" not in text and "<!--" not in text
    return '"use strict";\n' + text


def source(text):
    """An inline text as a source of a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def main():
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    module = build_module(target / "web/cargo")
    packed = gzip.compress(module, 9, mtime=0)
    script = joined(PAGE)
    style = "\n".join(line.strip() for line in (WEB / "page/style.css").read_text().splitlines())
    # No connection, and no image, font, frame, form or script from outside the file.
    policy = [
        "default-src 'none'",
        f"script-src {source(script)} 'wasm-unsafe-eval'",
        f"style-src {source(style)}",
        "worker-src blob:",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    parts = {
        "policy": "; ".join(policy),
        "style": style,
        "version": version,
        "worker": joined(WORKER),
        "module": base64.b64encode(packed).decode(),
        "script": script,
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda part: parts[part[1]], (WEB / "page/page.html").read_text())
    file = target / "web/utflane.html"
    file.write_text(page)
    length = file.stat().st_size
    print(f"{file}: {length:,} bytes; the module: {len(module):,}, gzip {len(packed):,}")
    if length > LIMIT:
        sys.exit(f"The page has more than {LIMIT:,} bytes.")


if __name__ == "__main__":
    main()
