#!/usr/bin/env python3
"""The tests of the page in a headless Chromium, with real files. The oracle is Python's codecs.

    python3 web/test/test_page.py PAGE      PAGE is what web/build.py wrote

Needs chromium and its driver (Debian: chromium, chromium-driver).
"""

import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser
from page import Page, errors_of
from recorder import Recorder

# Seconds for a large file on a slow machine.
LARGE_SECONDS = 120

LARGE = 100_000_000
# Bytes of the module's memory after a large file.
MEMORY = 24_000_000

TARGETS = {
    "utf-8": "utf-8",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "utf-32le": "utf-32-le",
    "utf-32be": "utf-32-be",
    "latin1": "latin-1",
}

TEXT = "Smörgåsbord på lördag, 100 €\nПривет, 日本語 😀\n"


def setUpModule():
    Page.folder = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    (Page.folder / "saved").mkdir()
    Page.recorder = unittest.enterModuleContext(Recorder())
    Page.browser = unittest.enterModuleContext(Browser(Page.folder / "saved", Page.recorder.port))


class Encodings(Page):
    def test_utf_16_without_a_mark_is_detected_in_a_dropped_file(self):
        data = TEXT.encode("utf-16-le")
        self.drop(self.file("wide.txt", data))
        self.assertEqual(self.text("name"), "wide.txt")
        self.assertEqual(self.text("encoding"), "utf-16le")
        self.assertEqual(self.text("verdict"), "Well-formed utf-16le.")
        self.assertEqual(self.counts(), self.counts_of(data, TEXT))
        self.assertEqual(self.text("preview"), TEXT)
        self.assertEqual(self.save("utf-8"), TEXT.encode())

    def test_every_unicode_encoding_is_read_with_its_mark_and_written(self):
        for label, codec in TARGETS.items():
            if label == "latin1":
                continue
            with self.subTest(label):
                data = ("\uFEFF" + TEXT).encode(codec)
                self.choose(self.file("marked.txt", data))
                self.assertEqual(self.text("reason"), "begins with its byte order mark")
                self.assertEqual(self.counts(), self.counts_of(data, TEXT))
                for target, to in TARGETS.items():
                    expected = TEXT.encode(to, "replace")
                    self.assertEqual(self.save(target), expected, target)
                self.assertEqual(self.save("utf-16be", mark=True), ("\uFEFF" + TEXT).encode("utf-16-be"))
                self.browser.open(self.page.as_uri())

    def test_latin1_and_windows_1252_are_told_apart(self):
        for codec, name, text in (
            ("latin-1", "latin1", "Smörgåsbord på lördag\n"),
            ("cp1252", "windows-1252", "Priset är 100 € på lördag\n"),
        ):
            with self.subTest(name):
                self.browser.open(self.page.as_uri())
                self.choose(self.file("western.txt", text.encode(codec)))
                self.assertEqual(self.text("encoding"), name)
                self.assertEqual(self.text("preview"), text)
                self.assertEqual(self.save("utf-8"), text.encode())

    def test_an_encoding_from_before_unicode_is_named_and_decoded(self):
        for label, text in (
            ("windows-1251", "Привет, мир! Это старый текст.\n" * 40_000),
            ("shift_jis", "古いテキストファイルです。\n" * 60_000),
        ):
            with self.subTest(label):
                self.browser.open(self.page.as_uri())
                data = text.encode(label)
                self.choose(self.file("legacy.txt", data))
                self.assertEqual(self.text("encoding"), label)
                self.assertEqual(self.text("verdict"), f"Well-formed {label}.")
                self.assertEqual(self.counts(), self.counts_of(data, text))
                self.assertEqual(self.save("utf-16le"), text.encode("utf-16-le"))

    def test_errors_in_an_encoding_from_before_unicode_have_places(self):
        line = "古いテキスト\n".encode("shift_jis")
        data = line + b"\x8C\xC3\xFF\x82\xA2\n" + line + b"\x82"
        self.choose(self.file("damaged.txt", data))
        self.read_as("shift_jis")
        self.assertEqual(self.text("verdict"), "Not well-formed shift_jis: 2 errors.")
        self.assertEqual(self.errors(), [(15, 2, 2, "FF"), (32, 4, 1, "82")])
        self.assertEqual(self.save("utf-8"), data.decode("shift_jis", "replace").encode())

    def test_the_answer_is_the_line_of_the_command(self):
        """The output of `utflane detect` for the same files."""
        words = "Příliš žluťoučký kůň úpěl ďábelské ódy\n"
        mark = "\uFEFF".encode("utf-16-le")
        western = "två år på sjön, med små människor på en båt\n".encode("latin-1") * 9
        for data, line in (
            (b"", "ascii (certain): there is nothing to read"),
            (TEXT.encode(), "utf-8 (certain): well-formed UTF-8"),
            (TEXT.encode() * 40_000 + b"\xFF\n", "utf-8 (likely): UTF-8 with few errors"),
            (mark + TEXT.encode("utf-16-le"), "utf-16le (certain): begins with its byte order mark"),
            (bytes(5000), "binary (likely): many control characters: hardly text"),
            (b"plain\n" * 400_000 + western, "latin1 (likely): not UTF-8, and printable in Latin-1"),
            (TEXT.encode() + words.encode("utf-16-le"), "mixed: utf-8 up to byte 64, then utf-16le"),
            (mark + TEXT.encode("utf-16-le") + words.encode(), "mixed: utf-16le up to byte 90, then utf-8"),
        ):
            with self.subTest(line):
                self.browser.open(self.page.as_uri())
                self.choose(self.file("any.txt", data))
                confidence = f" ({self.text('confidence')})" if self.shown("confidence") else ""
                self.assertEqual(f"{self.text('encoding')}{confidence}: {self.text('reason')}", line)

    def test_a_file_in_two_encodings_is_read_in_none(self):
        first, second = "Protokoll für heute\nzeile zwei\n", "angehängt\r\n" * 3
        data = first.encode() + second.encode("utf-16-le")
        self.choose(self.file("mixed.txt", data))
        self.assertEqual(self.text("reason"), "utf-8 up to byte 32, then utf-16le")
        self.assertIn("Split the file there", self.text("advice"))
        for hidden in ("confidence", "verdict", "preview", "convert"):
            self.assertFalse(self.shown(hidden), hidden)
        # On demand, with its errors.
        self.read_as("utf-8")
        self.assertEqual(self.text("verdict"), "Not well-formed utf-8: 3 errors.")
        self.assertTrue(self.shown("convert"))

    def test_a_guess_says_so(self):
        self.choose(self.file("word.txt", "Hlavní město Plzeň\n".encode("cp1250")))
        self.assertEqual(self.text("confidence"), "a guess")
        self.assertIn("; or ", self.text("reason"))
        self.assertIn("unsure", self.text("advice"))

    def test_all_encodings_of_the_command_are_listed(self):
        self.choose(self.file("a.txt", b"a"))
        names = self.browser.run("return [...document.getElementById('read-as').options].map((option) => option.value)")
        self.assertEqual(names[0], "")
        self.assertEqual(len(names), len(set(names)))
        for name in ("utf-8", "utf-16", "wtf-8", "koi8-u", "iso-8859-16", "x-mac-cyrillic", "x-user-defined"):
            self.assertIn(name, names)
        self.read_as("utf-16")
        self.assertEqual(self.errors(), [(0, 1, 1, "61")])

    def test_the_mark_is_no_text_after_a_cancelled_reading(self):
        self.choose(self.file("marked.txt", "\uFEFFå".encode()))
        # As `cancel` does.
        self.browser.run("endWorker(new Error('ended'))")
        self.assertEqual(self.save("utf-8"), "å".encode())

    def test_ascii_at_the_beginning_of_a_large_file_is_not_the_answer(self):
        text = "plain\n" * 400_000 + "smörgåsbord på lördag\n" * 10
        self.choose(self.file("late.txt", text.encode("latin-1")))
        self.assertEqual(self.text("encoding"), "latin1")
        self.assertEqual(self.save("utf-8"), text.encode())

    def test_files_that_are_hardly_text(self):
        for name, data, encoding in (
            ("empty", b"", "ascii"),
            ("one.txt", b"a", "ascii"),
            ("binary", bytes(range(256)) * 20, "binary"),
            ("zeros", bytes(100_000), "binary"),
        ):
            with self.subTest(name):
                self.browser.open(self.page.as_uri())
                self.choose(self.file(name, data))
                self.assertEqual(self.text("problem"), "")
                self.assertEqual(self.text("encoding"), encoding)
                self.assertEqual(self.text("count-bytes"), f"{len(data):,}")
                if encoding == "ascii":
                    self.assertEqual(self.counts(), self.counts_of(data, data.decode()))
                    self.assertEqual(self.save("utf-16be"), data.decode().encode("utf-16-be"))
        self.choose(self.file("one", b"\xFF"))
        self.assertEqual(self.text("count-bytes"), "1")
        self.read_as("utf-8")
        self.assertEqual(self.errors(), [(0, 1, 1, "FF")])

    def test_the_evidence_names_the_encodings_that_are_possible(self):
        self.choose(self.file("a.txt", "é1\n".encode()))
        rows = self.browser.run(
            "return [...document.querySelectorAll('#candidates tr')]"
            ".map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        self.assertEqual(
            rows,
            [
                ["ascii", "no: an error at byte 0"],
                ["utf-8", "yes"],
                ["cesu-8", "yes"],
                ["utf-16le", "yes"],
                ["utf-16be", "yes"],
                ["utf-32le", "no: an error at byte 0"],
                ["utf-32be", "no: an error at byte 0"],
            ],
        )


class Errors(Page):
    def test_damaged_utf_8_is_shown_and_repaired(self):
        bad = [b"\xFF", b"\xC3", b"\xE2\x82", b"\xF0\x9F\x98", b"\xED\xA0\x80", b"\xC0\x80", b"\x80"]
        data = b"".join(TEXT.encode() + f"{i} ".encode() + bad[i % 7] + b"x" for i in range(30)) + b"\xF0\x9F"
        self.choose(self.file("damaged.txt", data))
        self.assertEqual(self.text("encoding"), "utf-8")
        expected = errors_of(data)
        self.assertEqual(self.errors(), expected)
        self.assertEqual(self.text("errors-title"), f"{len(expected)} errors")
        self.assertEqual(self.counts(), self.counts_of(data, data.decode(errors="replace")))
        for target, codec in TARGETS.items():
            repaired = data.decode(errors="replace").encode(codec, "replace")
            self.assertEqual(self.save(target), repaired, target)
        missing = sum(character > "\xFF" for character in data.decode(errors="ignore"))
        note = f"{len(expected)} errors replaced, {missing} characters not in Latin-1."
        self.assertEqual(self.text("convert-note"), note)

    def test_an_error_shows_its_line_with_escapes(self):
        data = "før\nsmør \u202E\x1B".encode() + b"\xFF" + "brød <b>&\n".encode() + "æøå\n".encode() * 9
        self.choose(self.file("line.txt", data))
        around = self.browser.run("return document.querySelector('#error-list .text').textContent")
        self.assertEqual(around, "smør \\u{202E}\\u{1B}\\xFFbrød <b>&")

    def test_unpaired_surrogates_of_utf_16(self):
        units = [ord("a"), 0xD800, ord("\n"), ord("b"), 0xDC00]
        data = b"\xFE\xFF" + b"".join(unit.to_bytes(2, "big") for unit in units) + b"\0"
        self.choose(self.file("surrogates.txt", data))
        self.assertEqual(self.errors(), [(4, 1, 2, "D8 00"), (10, 2, 2, "DC 00"), (12, 2, 3, "00")])
        self.assertEqual(self.save("utf-8"), "a\uFFFD\nb\uFFFD\uFFFD".encode())

    def test_only_the_first_errors_are_listed(self):
        data = "é".encode() * 8000 + b"\xFF a" * 500
        self.choose(self.file("many.txt", data))
        self.assertEqual(self.text("errors-title"), "The first 100 of 500 errors")
        self.assertEqual(self.errors(), errors_of(data)[:100])


class DoubleEncoding(Page):
    def once(self, text, codec):
        """The text, with its UTF-8 read in another encoding."""

        def character(byte):
            try:
                return bytes([byte]).decode(codec)
            except UnicodeDecodeError:
                # Five bytes have no character in Python's windows-1252.
                return chr(byte)

        return "".join(map(character, text.encode()))

    def test_all_rounds_are_undone(self):
        for codecs in (["latin-1"], ["cp1252"], ["cp1252", "cp1252"], ["latin-1", "cp1252", "cp1252"]):
            with self.subTest(codecs):
                self.browser.open(self.page.as_uri())
                text = "“Förste” rad, 100 €\n" * 3
                damaged = text
                for codec in codecs:
                    damaged = self.once(damaged, codec)
                self.choose(self.file("double.txt", damaged.encode()))
                self.assertTrue(self.shown("double"))
                self.assertIn(["once", "twice", "3 times"][len(codecs) - 1], self.text("double-text"))
                self.assertIn(text.splitlines()[0], self.text("double-after"))
                self.assertEqual(self.save("utf-8"), text.encode())
                self.browser.click("#undo")
                self.assertEqual(self.save("utf-8"), damaged.encode())

    def test_parts_are_undone_on_demand(self):
        text = "Ändå är “Förste” rad.\n"
        data = text.encode() + self.once(text, "cp1252").encode() + text.encode()
        self.choose(self.file("parts.txt", data))
        self.assertEqual(self.save("utf-8"), data)
        self.browser.click("#undo")
        self.assertEqual(self.save("utf-8"), 3 * text.encode())


    def test_parts_in_utf_8_are_read_as_such_on_demand(self):
        text = "Ändå är “Förste” rad i en fil.\n"
        data = text.encode("cp1252") * 20 + text.encode()
        self.choose(self.file("mixed.txt", data))
        self.assertEqual(self.text("encoding"), "mixed")
        self.read_as("windows-1252")
        self.assertIn("Parts of this file look like UTF-8", self.text("double-text"))
        self.browser.click("#undo")
        self.assertEqual(self.save("utf-8"), text.encode() * 21)


class Large(Page):
    def test_a_large_file_is_read_and_converted_in_chunks(self):
        line = "En rad med text, några tecken som kostar två bytes, och 日本語 😀.\n".encode()
        data = bytearray(line * (LARGE // len(line) + 1))[:LARGE]
        # A sequence across the boundary of two chunks, and errors next to it and at the end.
        data[(1 << 20) - 2 : (1 << 20) + 1] = b"\xE2\x82\xAC"
        data[(5 << 20) - 1 : (5 << 20) + 1] = b"\xF0\x9F"
        data[-3:] = b"\xFF\n\xC3"
        path = self.file("large.txt", bytes(data))
        self.watch_progress()
        self.choose(path, LARGE_SECONDS)
        self.progress_moved()
        text = data.decode(errors="replace")
        self.assertEqual(self.counts(), self.counts_of(data, text))
        self.assertEqual(self.errors(), errors_of(bytes(data)))
        memory = int(self.browser.run("return document.getElementById('results').dataset.memory"))
        self.assertLess(memory, MEMORY)
        self.watch_progress()
        saved = self.save("utf-16le", seconds=LARGE_SECONDS)
        self.progress_moved()
        self.assertTrue(saved == text.encode("utf-16-le"))
        print(f"large file: {memory:,} bytes of the module's memory")

    def watch_progress(self):
        self.browser.run(
            "const bar = document.getElementById('progress'); window.seen = [];"
            "new MutationObserver(() => {"
            "  if (document.getElementById('work').checkVisibility()) window.seen.push(bar.value);"
            "}).observe(bar, { attributes: true })"
        )

    def progress_moved(self):
        seen = self.browser.run("return window.seen")
        self.assertGreaterEqual(len({value for value in seen if 0 < value < 1}), 3, seen)
        self.assertEqual(seen, sorted(seen))

    def test_a_large_file_can_be_cancelled(self):
        path = self.folder / "zeros.bin"
        with path.open("wb") as file:
            file.truncate(20 * LARGE)
        self.addCleanup(path.unlink)
        self.browser.type("#file", str(path))
        self.until("document.getElementById('work').checkVisibility()")
        self.browser.click("#cancel")
        self.until("!document.getElementById('work').checkVisibility()")
        self.assertEqual(self.text("problem"), "")
        self.assertFalse(self.shown("results"))
        self.choose(self.file("after.txt", b"after"))
        self.assertEqual(self.text("encoding"), "ascii")


class Inputs(Page):
    def paste(self, text, kind):
        self.browser.run("document.getElementById('paste').open = true")
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.click(f"input[value={kind}]")
        self.browser.run("document.getElementById('pasted').value = arguments[0]", text)
        self.browser.click("#paste-form button")
        self.done()

    def test_pasted_text(self):
        self.paste("fÃ¶rste", "text")
        self.assertEqual(self.text("encoding"), "utf-8")
        self.assertIn("förste", self.text("double-after"))
        self.browser.run("document.getElementById('pasted').value = 'a\\uD800b'")
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.click("#paste-form button")
        self.done()
        self.assertEqual(self.errors(), [(2, 1, 2, "00 D8")])

    def test_pasted_bytes(self):
        for text in (
            "66 C3 B6 FF 0",
            "0x66, 0xc3, 0xb6, 0xff, 0x00",
            "\\x66\\xC3\\xB6\\xFF\\x00",
            "66c3b6ff00",
            "66:c3:b6:ff:00",
        ):
            with self.subTest(text):
                self.paste(text, "hex")
                self.assertEqual(self.text("head"), "66 C3 B6 FF 00")
        for text, problem in (
            ("66 C3 G6", "Not hex: “G” after 2 bytes."),
            ("66 C3B", "An odd number of hex digits: “C3B” after 1 byte."),
        ):
            self.paste(text, "hex")
            self.assertEqual(self.text("problem"), problem)

    def test_names_and_texts_are_never_markup(self):
        text = "<img src=x onerror=\"document.title='owned'\">\u202E\u0000\n" * 3 + "æøå"
        self.choose(self.file("<b>a\u202Etxt.exe", text.encode() + b"\xFF"))
        self.assertEqual(self.text("name"), "<b>a\\u{202E}txt.exe")
        self.read_as("utf-8")
        self.assertEqual(self.text("preview").count("\\u{202E}\\u{0}\n"), 3)
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, #results b').length"), 0)
        self.assertNotEqual(self.browser.run("return document.title"), "owned")

    def test_a_file_that_vanished_is_one_line(self):
        path = self.file("gone.txt", b"here")
        self.choose(path)
        path.unlink()
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.click("#save")
        self.done()
        self.assertEqual(
            self.text("problem"),
            "The file can't be read: it is gone, has changed, is a folder, or may not be read.",
        )
        self.choose(self.file("again.txt", b"again"))
        self.assertEqual(self.text("problem"), "")
        self.assertEqual(self.text("name"), "again.txt")

    def test_a_browser_without_the_module_is_one_line(self):
        page = self.page.read_text()
        start = page.index('id="module">') + len('id="module">')
        # The same base64 without the first bytes: no gzip.
        broken = self.file("broken.html", (page[:start] + page[start + 400 :]).encode())
        self.browser.open(broken.as_uri())
        self.choose(self.file("a.txt", b"a"))
        self.assertIn("This browser can't run the page: it needs WebAssembly with SIMD", self.text("problem"))
        self.assertNotIn("\n", self.text("problem"))

    def test_a_failure_of_the_module_is_one_line(self):
        page = self.page.read_text()
        self.assertEqual(page.count('data.task](data)'), 1)
        trap = "exports.input(-1)"
        broken = self.file("trap.html", page.replace("data.task](data)", f"data.task](data, {trap})").encode())
        self.browser.open(broken.as_uri())
        self.choose(self.file("a.txt", b"a"))
        self.assertIn("The page failed on this file", self.text("problem"))

    def test_several_files_are_told(self):
        paths = [self.file(name, b"a") for name in ("one.txt", "two.txt", "three.txt")]
        self.browser.run("document.getElementById('file').multiple = true")
        self.browser.type("#file", "\n".join(map(str, paths)))
        self.done()
        self.assertEqual(self.text("name"), "one.txt")
        self.assertEqual(self.text("note"), "Only the first file is shown; 2 others not.")

    def test_a_folder_is_one_line(self):
        (self.folder / "inner").mkdir()
        self.drop(self.folder / "inner")
        self.assertEqual(self.text("problem"), "This is a folder: choose a file in it.")

    def test_the_keyboard_is_enough(self):
        self.choose(self.file("a.txt", b"a"))
        self.browser.run("document.activeElement.blur()")
        reached = []
        for _ in range(12):
            self.browser.keys("\uE004")
            focus = "const e = document.activeElement; return e.id || e.textContent"
            reached.append(self.browser.run(focus))
        for control in ("file", "Paste text or bytes", "read-as", "target", "mark", "save", "Other encodings"):
            self.assertIn(control, reached)
        unnamed = self.browser.run(
            "return [...document.querySelectorAll('input, select, textarea, progress')]"
            ".filter((e) => !e.labels.length).map((e) => e.id)"
        )
        self.assertEqual(unnamed, [])


class Privacy(Page):
    def test_no_request_is_made(self):
        self.browser.log("performance")
        self.browser.open(self.page.as_uri())
        self.choose(self.file("a.txt", TEXT.encode()))
        self.save("utf-16le")
        urls = self.browser.requests()
        self.assertIn(self.page.as_uri(), urls)
        self.assertEqual([url for url in urls if not url.startswith(("file:", "blob:", "data:"))], [])

    def test_the_page_can_open_no_connection(self):
        attempts = {
            "fetch": "fetch(url).then(() => done('open'), () => done('refused'))",
            "image": "const i = new Image(); i.onload = () => done('open');"
            " i.onerror = () => done('refused'); i.src = url",
            "socket": "try { new WebSocket(url.replace('http', 'ws')).onerror = () => done('refused') }"
            " catch { done('refused') }",
            "beacon": "navigator.sendBeacon(url, 'x'); setTimeout(() => done('refused'), 500)",
            "worker": "const code = `fetch('${url}').then(() => postMessage('open'),"
            " () => postMessage('refused'))`; const w = new Worker(URL.createObjectURL(new Blob([code])));"
            " w.onmessage = (event) => done(event.data)",
            "form": "const f = document.createElement('form'); f.action = url; f.method = 'post';"
            " document.body.append(f); f.submit(); setTimeout(() => done('refused'), 500)",
        }
        for name, attempt in attempts.items():
            script = f"const [url, done] = arguments; {attempt}"
            self.assertEqual(self.browser.run_async(script, f"http://utflane.test/{name}"), "refused", name)
        # The browser reports each attempt.
        self.assertGreaterEqual(len(self.browser.log("browser")), len(attempts) - 1)
        self.assertEqual(self.recorder.requests_for("utflane.test"), [])

    def test_a_connection_of_another_page_is_recorded(self):
        plain = self.file("plain.html", b"<!doctype html><title>plain</title>")
        self.browser.open(plain.as_uri())
        script = "const [url, done] = arguments; fetch(url, { mode: 'no-cors' }).finally(() => done(0))"
        self.browser.run_async(script, "http://control.test/")
        self.assertEqual(len(self.recorder.requests_for("control.test")), 1)
        # It has the answer of the self.recorder.
        self.assertEqual(len(self.browser.log("browser")), 1)

    def test_the_page_is_small(self):
        self.assertLess(self.page.stat().st_size, 500_000)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_page.py PAGE [TEST...]")
    Page.page = Path(sys.argv.pop(1)).resolve()
    unittest.main()
