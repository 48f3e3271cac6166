#!/usr/bin/env python3
"""Builds the page: one HTML file that works from `file://`, which includes the module, the worker and the style.

    python3 web/build.py        writes target/web/utflane.html

The build needs Rust's target for WebAssembly: `rustup target add wasm32-unknown-unknown`. If the target is not
installed and RUSTC_BOOTSTRAP is set, the standard library is compiled from its sources instead. If CARGO_TARGET_DIR is
set, the page is written there.
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
# The maximum size of the page, in bytes.
MAX_PAGE_BYTES = 700_000

# The scripts of the page and of its worker, in the order in which they are joined.
PAGE_SCRIPTS = ["elements.js", "visible.js", "encodings.js", "hex.js", "results.js", "jobs.js", "main.js"]
WORKER_SCRIPTS = ["module.js", "worker.js"]


def has_target(rustc):
    """Returns true if the standard library is installed for WebAssembly."""
    folder = subprocess.check_output([rustc, "--print", "target-libdir", "--target", TARGET], text=True).strip()
    return any(Path(folder).glob("libstd-*.rlib"))


def build_module(folder):
    """Compiles the module with SIMD, which WebAssembly selects at compile time. Returns its bytes."""
    command = ["cargo", "build", "--locked", "--release", "--target", TARGET]
    if not has_target(os.environ.get("RUSTC", "rustc")):
        if "RUSTC_BOOTSTRAP" not in os.environ:
            sys.exit(f"Rust has no target for WebAssembly here: rustup target add {TARGET}")
        # Leaves out backtraces, which the page could not print.
        command += ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features="]
    environment = {name: value for name, value in os.environ.items() if not name.endswith("RUSTFLAGS")}
    # Keeps paths of this machine out of the module.
    flags = ["-Ctarget-feature=+simd128", f"--remap-path-prefix={ROOT}=."]
    environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
    environment["CARGO_TARGET_DIR"] = str(folder)
    if subprocess.run(command, cwd=WEB, env=environment).returncode:
        sys.exit(1)
    return (folder / TARGET / "release/utflane_web.wasm").read_bytes()


def join_scripts(names):
    """Returns the scripts as one script, without empty lines and lines that are only a comment."""
    lines = []
    for name in names:
        text = (WEB / "page" / name).read_text()
        lines += (line for line in text.splitlines() if not re.match(r"\s*//|\s*$", line))
    text = "\n".join(lines) + "\n"
    # These strings would end or change the HTML element that contains the script.
    assert "</" not in text and "<!--" not in text
    return '"use strict";\n' + text


def hash_source(text):
    """Returns the source expression by which a Content-Security-Policy allows an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def main():
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    module = build_module(target / "web/cargo")
    compressed = gzip.compress(module, 9, mtime=0)
    script = join_scripts(PAGE_SCRIPTS)
    style = "\n".join(line.strip() for line in (WEB / "page/style.css").read_text().splitlines())
    # Forbids connections, and images, fonts, frames, forms and scripts from outside the file.
    policy = [
        "default-src 'none'",
        f"script-src {hash_source(script)} 'wasm-unsafe-eval'",
        f"style-src {hash_source(style)}",
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
        "worker": join_scripts(WORKER_SCRIPTS),
        "module": base64.b64encode(compressed).decode(),
        "script": script,
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], (WEB / "page/page.html").read_text())
    file = target / "web/utflane.html"
    file.write_text(page)
    size = file.stat().st_size
    print(f"{file}: {size:,} bytes; the module: {len(module):,}, gzip {len(compressed):,}")
    if size > MAX_PAGE_BYTES:
        sys.exit(f"The page has more than {MAX_PAGE_BYTES:,} bytes.")


if __name__ == "__main__":
    main()
