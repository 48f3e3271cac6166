#!/usr/bin/env python3
"""Tests the page in a headless Chromium, with real files. Compares the results with Python's codecs.

    python3 web/test/test_page.py PAGE      PAGE is the file that web/build.py wrote

The tests need Chromium and its driver (Debian: chromium, chromium-driver).
"""

import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser
from page import Page, find_utf8_errors
from recorder import Recorder

# The time in which a large file must be processed, also on a slow machine, in seconds.
LARGE_SECONDS = 120

# The size of the large file, in bytes.
LARGE_BYTES = 100_000_000
# The maximum size of the memory of the module after a large file, in bytes.
MAX_MEMORY_BYTES = 24_000_000

# The labels of the target encodings, with the names of Python's codecs.
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
    def test_utf_16_without_a_byte_order_mark_is_detected_in_a_dropped_file(self):
        data = TEXT.encode("utf-16-le")
        self.drop(self.create_file("wide.txt", data))
        self.assertEqual(self.text("name"), "wide.txt")
        self.assertEqual(self.text("encoding"), "utf-16le")
        self.assertEqual(self.text("verdict"), "Well-formed utf-16le.")
        self.assertEqual(self.shown_counts(), self.expected_counts(data, TEXT))
        self.assertEqual(self.text("preview"), TEXT)
        self.assertEqual(self.save("utf-8"), TEXT.encode())

    def test_unicode_encodings_with_a_byte_order_mark_are_converted(self):
        for label, codec in TARGETS.items():
            if label == "latin1":
                continue
            with self.subTest(label):
                data = ("\uFEFF" + TEXT).encode(codec)
                self.choose(self.create_file("marked.txt", data))
                self.assertEqual(self.text("reason"), "begins with its byte order mark")
                self.assertEqual(self.shown_counts(), self.expected_counts(data, TEXT))
                for target, target_codec in TARGETS.items():
                    expected = TEXT.encode(target_codec, "replace")
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
                self.choose(self.create_file("western.txt", text.encode(codec)))
                self.assertEqual(self.text("encoding"), name)
                self.assertEqual(self.text("preview"), text)
                self.assertEqual(self.save("utf-8"), text.encode())

    def test_legacy_encodings_are_detected_and_decoded(self):
        for label, text in (
            ("windows-1251", "Привет, мир! Это старый текст.\n" * 40_000),
            ("shift_jis", "古いテキストファイルです。\n" * 60_000),
        ):
            with self.subTest(label):
                self.browser.open(self.page.as_uri())
                data = text.encode(label)
                self.choose(self.create_file("legacy.txt", data))
                self.assertEqual(self.text("encoding"), label)
                self.assertEqual(self.text("verdict"), f"Well-formed {label}.")
                self.assertEqual(self.shown_counts(), self.expected_counts(data, text))
                self.assertEqual(self.save("utf-16le"), text.encode("utf-16-le"))

    def test_errors_in_a_legacy_encoding_have_positions(self):
        line = "古いテキスト\n".encode("shift_jis")
        data = line + b"\x8C\xC3\xFF\x82\xA2\n" + line + b"\x82"
        self.choose(self.create_file("ill-formed.txt", data))
        self.read_as("shift_jis")
        self.assertEqual(self.text("verdict"), "Not well-formed shift_jis: 2 errors.")
        self.assertEqual(self.shown_errors(), [(15, 2, 2, "FF"), (32, 4, 1, "82")])
        self.assertEqual(self.save("utf-8"), data.decode("shift_jis", "replace").encode())

    def test_the_answer_has_the_words_of_the_command(self):
        """Compares the answer of the page with the output of `utflane detect` for the same files."""
        words = "Příliš žluťoučký kůň úpěl ďábelské ódy\n"
        mark = "\uFEFF".encode("utf-16-le")
        western = "två år på sjön, med små människor på en båt\n".encode("latin-1") * 9
        for data, line in (
            (b"", "ascii (certain): there is nothing to read"),
            (TEXT.encode(), "utf-8 (certain): well-formed UTF-8"),
            (TEXT.encode() * 40_000 + b"\xFF\n", "utf-8 (likely): UTF-8 with few errors"),
            (mark + TEXT.encode("utf-16-le"), "utf-16le (certain): begins with its byte order mark"),
            (bytes(5000), "binary (likely): many control characters: hardly text"),
            (b"plain\n" * 400_000 + western, "latin1 (likely): reads as text in Swedish"),
            (TEXT.encode() + words.encode("utf-16-le"), "mixed: utf-8 up to byte 64, then utf-16le"),
            (mark + TEXT.encode("utf-16-le") + words.encode(), "mixed: utf-16le up to byte 90, then utf-8"),
        ):
            with self.subTest(line):
                self.browser.open(self.page.as_uri())
                self.choose(self.create_file("any.txt", data))
                confidence = f" ({self.text('confidence')})" if self.is_shown("confidence") else ""
                self.assertEqual(f"{self.text('encoding')}{confidence}: {self.text('reason')}", line)

    def test_a_file_in_two_encodings_is_decoded_only_on_demand(self):
        first, second = "Protokoll für heute\nzeile zwei\n", "angehängt\r\n" * 3
        data = first.encode() + second.encode("utf-16-le")
        self.choose(self.create_file("mixed.txt", data))
        self.assertEqual(self.text("reason"), "utf-8 up to byte 32, then utf-16le")
        self.assertIn("Split the file where the encoding changes", self.text("advice"))
        for hidden in ("confidence", "verdict", "preview", "convert"):
            self.assertFalse(self.is_shown(hidden), hidden)
        # If the user selects an encoding, the file is decoded, and the errors are shown.
        self.read_as("utf-8")
        self.assertEqual(self.text("verdict"), "Not well-formed utf-8: 3 errors.")
        self.assertTrue(self.is_shown("convert"))

    def test_a_guess_is_marked_as_a_guess(self):
        self.choose(self.create_file("word.txt", "Plzeň\n".encode("cp1250")))
        self.assertEqual(self.text("confidence"), "a guess")
        self.assertIn("; or ", self.text("reason"))
        self.assertIn("unsure", self.text("advice"))

    def test_all_encodings_of_the_command_are_listed(self):
        self.choose(self.create_file("a.txt", b"a"))
        names = self.browser.run("return [...document.getElementById('read-as').options].map((option) => option.value)")
        self.assertEqual(names[0], "")
        self.assertEqual(len(names), len(set(names)))
        for name in ("utf-8", "utf-16", "wtf-8", "koi8-u", "iso-8859-16", "x-mac-cyrillic", "x-user-defined"):
            self.assertIn(name, names)
        self.read_as("utf-16")
        self.assertEqual(self.shown_errors(), [(0, 1, 1, "61")])

    def test_the_byte_order_mark_is_not_text_after_a_cancelled_job(self):
        self.choose(self.create_file("marked.txt", "\uFEFFå".encode()))
        # `cancel` ends the worker in the same way.
        self.browser.run("endWorker(new Error('ended'))")
        self.assertEqual(self.save("utf-8"), "å".encode())

    def test_the_end_of_a_large_file_decides_the_encoding(self):
        text = "plain\n" * 400_000 + "smörgåsbord på lördag\n" * 10
        self.choose(self.create_file("late.txt", text.encode("latin-1")))
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
                self.choose(self.create_file(name, data))
                self.assertEqual(self.text("problem"), "")
                self.assertEqual(self.text("encoding"), encoding)
                self.assertEqual(self.text("count-bytes"), f"{len(data):,}")
                if encoding == "ascii":
                    self.assertEqual(self.shown_counts(), self.expected_counts(data, data.decode()))
                    self.assertEqual(self.save("utf-16be"), data.decode().encode("utf-16-be"))
        self.choose(self.create_file("one", b"\xFF"))
        self.assertEqual(self.text("count-bytes"), "1")
        self.read_as("utf-8")
        self.assertEqual(self.shown_errors(), [(0, 1, 1, "FF")])

    def test_the_first_error_in_each_unicode_encoding_is_shown(self):
        self.choose(self.create_file("a.txt", "é1\n".encode()))
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
    def test_ill_formed_utf_8_is_shown_and_repaired(self):
        ill_formed = [b"\xFF", b"\xC3", b"\xE2\x82", b"\xF0\x9F\x98", b"\xED\xA0\x80", b"\xC0\x80", b"\x80"]
        data = b"".join(TEXT.encode() + f"{i} ".encode() + ill_formed[i % 7] + b"x" for i in range(30)) + b"\xF0\x9F"
        self.choose(self.create_file("ill-formed.txt", data))
        self.assertEqual(self.text("encoding"), "utf-8")
        expected = find_utf8_errors(data)
        self.assertEqual(self.shown_errors(), expected)
        self.assertEqual(self.text("errors-title"), f"{len(expected)} errors")
        self.assertEqual(self.shown_counts(), self.expected_counts(data, data.decode(errors="replace")))
        for target, codec in TARGETS.items():
            repaired = data.decode(errors="replace").encode(codec, "replace")
            self.assertEqual(self.save(target), repaired, target)
        unmappable = sum(character > "\xFF" for character in data.decode(errors="ignore"))
        note = f"{len(expected)} errors replaced, {unmappable} characters not in Latin-1."
        self.assertEqual(self.text("convert-note"), note)

    def test_an_error_is_shown_with_the_text_of_its_line(self):
        data = "før\nsmør \u202E\x1B".encode() + b"\xFF" + "brød <b>&\n".encode() + "æøå\n".encode() * 9
        self.choose(self.create_file("line.txt", data))
        around = self.browser.run("return document.querySelector('#error-list .text').textContent")
        self.assertEqual(around, "smør \\u{202E}\\u{1B}\\xFFbrød <b>&")

    def test_unpaired_surrogates_in_utf_16_are_errors(self):
        units = [ord("a"), 0xD800, ord("\n"), ord("b"), 0xDC00]
        data = b"\xFE\xFF" + b"".join(unit.to_bytes(2, "big") for unit in units) + b"\0"
        self.choose(self.create_file("surrogates.txt", data))
        self.assertEqual(self.shown_errors(), [(4, 1, 2, "D8 00"), (10, 2, 2, "DC 00"), (12, 2, 3, "00")])
        self.assertEqual(self.save("utf-8"), "a\uFFFD\nb\uFFFD\uFFFD".encode())

    def test_only_the_first_errors_are_shown(self):
        data = "é".encode() * 8000 + b"\xFF a" * 500
        self.choose(self.create_file("many.txt", data))
        self.assertEqual(self.text("errors-title"), "The first 100 of 500 errors")
        self.assertEqual(self.shown_errors(), find_utf8_errors(data)[:100])


class DoubleEncoding(Page):
    def double_encode(self, text, codec):
        """Encodes the text in UTF-8, and decodes the bytes from another encoding."""

        def decode_byte(byte):
            try:
                return bytes([byte]).decode(codec)
            except UnicodeDecodeError:
                # Python's windows-1252 has no character for five of the bytes.
                return chr(byte)

        return "".join(map(decode_byte, text.encode()))

    def test_all_rounds_are_undone(self):
        for codecs in (["latin-1"], ["cp1252"], ["cp1252", "cp1252"], ["latin-1", "cp1252", "cp1252"]):
            with self.subTest(codecs):
                self.browser.open(self.page.as_uri())
                text = "“Förste” rad, 100 €\n" * 3
                double_encoded = text
                for codec in codecs:
                    double_encoded = self.double_encode(double_encoded, codec)
                self.choose(self.create_file("double.txt", double_encoded.encode()))
                self.assertTrue(self.is_shown("double"))
                self.assertIn(["once", "twice", "3 times"][len(codecs) - 1], self.text("double-text"))
                self.assertIn(text.splitlines()[0], self.text("double-after"))
                self.assertEqual(self.save("utf-8"), text.encode())
                self.browser.click("#undo")
                self.assertEqual(self.save("utf-8"), double_encoded.encode())

    def test_double_encoding_in_parts_is_undone_on_demand(self):
        text = "Ändå är “Förste” rad.\n"
        data = text.encode() + self.double_encode(text, "cp1252").encode() + text.encode()
        self.choose(self.create_file("parts.txt", data))
        self.assertEqual(self.save("utf-8"), data)
        self.browser.click("#undo")
        self.assertEqual(self.save("utf-8"), 3 * text.encode())

    def test_parts_in_utf_8_are_decoded_on_demand(self):
        text = "Ändå är “Förste” rad i en fil.\n"
        data = text.encode("cp1252") * 20 + text.encode()
        self.choose(self.create_file("mixed.txt", data))
        self.assertEqual(self.text("encoding"), "mixed")
        self.read_as("windows-1252")
        self.assertIn("Parts of this file look like UTF-8", self.text("double-text"))
        self.browser.click("#undo")
        self.assertEqual(self.save("utf-8"), text.encode() * 21)


class Large(Page):
    def test_a_large_file_is_read_and_converted_in_chunks(self):
        line = "En rad med text, några tecken som kostar två bytes, och 日本語 😀.\n".encode()
        data = bytearray(line * (LARGE_BYTES // len(line) + 1))[:LARGE_BYTES]
        # A character across the boundary between two chunks, an error across another boundary, and errors at the end.
        data[(1 << 20) - 2 : (1 << 20) + 1] = b"\xE2\x82\xAC"
        data[(5 << 20) - 1 : (5 << 20) + 1] = b"\xF0\x9F"
        data[-3:] = b"\xFF\n\xC3"
        path = self.create_file("large.txt", bytes(data))
        self.watch_progress()
        self.choose(path, LARGE_SECONDS)
        self.assert_progress_moved()
        text = data.decode(errors="replace")
        self.assertEqual(self.shown_counts(), self.expected_counts(data, text))
        self.assertEqual(self.shown_errors(), find_utf8_errors(bytes(data)))
        memory = int(self.browser.run("return document.getElementById('results').dataset.memory"))
        self.assertLess(memory, MAX_MEMORY_BYTES)
        self.watch_progress()
        saved = self.save("utf-16le", seconds=LARGE_SECONDS)
        self.assert_progress_moved()
        self.assertTrue(saved == text.encode("utf-16-le"))
        print(f"large file: {memory:,} bytes of the module's memory")

    def watch_progress(self):
        self.browser.run(
            "const bar = document.getElementById('progress'); window.seen = [];"
            "new MutationObserver(() => {"
            "  if (document.getElementById('work').checkVisibility()) window.seen.push(bar.value);"
            "}).observe(bar, { attributes: true })"
        )

    def assert_progress_moved(self):
        seen = self.browser.run("return window.seen")
        self.assertGreaterEqual(len({value for value in seen if 0 < value < 1}), 3, seen)
        self.assertEqual(seen, sorted(seen))

    def test_a_large_file_can_be_cancelled(self):
        path = self.folder / "zeros.bin"
        with path.open("wb") as file:
            file.truncate(20 * LARGE_BYTES)
        self.addCleanup(path.unlink)
        self.browser.type("#file", str(path))
        self.wait_for("document.getElementById('work').checkVisibility()")
        self.browser.click("#cancel")
        self.wait_for("!document.getElementById('work').checkVisibility()")
        self.assertEqual(self.text("problem"), "")
        self.assertFalse(self.is_shown("results"))
        self.choose(self.create_file("after.txt", b"after"))
        self.assertEqual(self.text("encoding"), "ascii")


class Inputs(Page):
    def paste(self, text, kind):
        self.browser.run("document.getElementById('paste').open = true")
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.click(f"input[value={kind}]")
        self.browser.run("document.getElementById('pasted').value = arguments[0]", text)
        self.browser.click("#paste-form button")
        self.wait_until_done()

    def test_pasted_text_is_analysed(self):
        self.paste("fÃ¶rste", "text")
        self.assertEqual(self.text("encoding"), "utf-8")
        self.assertIn("förste", self.text("double-after"))
        self.browser.run("document.getElementById('pasted').value = 'a\\uD800b'")
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.click("#paste-form button")
        self.wait_until_done()
        self.assertEqual(self.shown_errors(), [(2, 1, 2, "00 D8")])

    def test_pasted_bytes_are_parsed(self):
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

    def test_names_and_text_of_files_are_not_parsed_as_html(self):
        text = "<img src=x onerror=\"document.title='owned'\">\u202E\u0000\n" * 3 + "æøå"
        self.choose(self.create_file("<b>a\u202Etxt.exe", text.encode() + b"\xFF"))
        self.assertEqual(self.text("name"), "<b>a\\u{202E}txt.exe")
        self.read_as("utf-8")
        self.assertEqual(self.text("preview").count("\\u{202E}\\u{0}\n"), 3)
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, #results b').length"), 0)
        self.assertNotEqual(self.browser.run("return document.title"), "owned")

    def test_a_deleted_file_is_a_problem_of_one_line(self):
        path = self.create_file("gone.txt", b"here")
        self.choose(path)
        path.unlink()
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.click("#save")
        self.wait_until_done()
        self.assertEqual(
            self.text("problem"),
            "The file can't be read: it was deleted or changed, is a folder, or reading it is not allowed.",
        )
        self.choose(self.create_file("again.txt", b"again"))
        self.assertEqual(self.text("problem"), "")
        self.assertEqual(self.text("name"), "again.txt")

    def test_a_module_that_cannot_be_loaded_is_a_problem_of_one_line(self):
        page = self.page.read_text()
        start = page.index('id="module">') + len('id="module">')
        # Removes the start of the module, so that it is not gzip.
        broken = self.create_file("broken.html", (page[:start] + page[start + 400 :]).encode())
        self.browser.open(broken.as_uri())
        self.choose(self.create_file("a.txt", b"a"))
        self.assertIn("This browser can't run the page: it needs WebAssembly with SIMD", self.text("problem"))
        self.assertNotIn("\n", self.text("problem"))

    def test_a_trap_in_the_module_is_a_problem_of_one_line(self):
        page = self.page.read_text()
        self.assertEqual(page.count('data.task](data)'), 1)
        trap = "exports.input(-1)"
        broken = self.create_file("trap.html", page.replace("data.task](data)", f"data.task](data, {trap})").encode())
        self.browser.open(broken.as_uri())
        self.choose(self.create_file("a.txt", b"a"))
        self.assertIn("The page failed on this file", self.text("problem"))

    def test_only_the_first_of_several_files_is_shown(self):
        paths = [self.create_file(name, b"a") for name in ("one.txt", "two.txt", "three.txt")]
        self.browser.run("document.getElementById('file').multiple = true")
        self.browser.type("#file", "\n".join(map(str, paths)))
        self.wait_until_done()
        self.assertEqual(self.text("name"), "one.txt")
        self.assertEqual(self.text("note"), "Only the first of 3 files is shown.")

    def test_a_dropped_folder_is_a_problem_of_one_line(self):
        (self.folder / "inner").mkdir()
        self.drop(self.folder / "inner")
        self.assertEqual(self.text("problem"), "This is a folder: choose a file in it.")

    def test_all_controls_can_be_reached_with_the_keyboard(self):
        self.choose(self.create_file("a.txt", b"a"))
        self.browser.run("document.activeElement.blur()")
        reached = []
        for _ in range(12):
            self.browser.press_keys("\uE004")
            script = "const e = document.activeElement; return e.id || e.textContent"
            reached.append(self.browser.run(script))
        for control in ("file", "Paste text or bytes", "read-as", "target", "mark", "save", "Other encodings"):
            self.assertIn(control, reached)
        unnamed = self.browser.run(
            "return [...document.querySelectorAll('input, select, textarea, progress')]"
            ".filter((e) => !e.labels.length).map((e) => e.id)"
        )
        self.assertEqual(unnamed, [])


class Privacy(Page):
    def test_the_page_sends_no_requests(self):
        self.browser.read_log("performance")
        self.browser.open(self.page.as_uri())
        self.choose(self.create_file("a.txt", TEXT.encode()))
        self.save("utf-16le")
        urls = self.browser.read_requests()
        self.assertIn(self.page.as_uri(), urls)
        self.assertEqual([url for url in urls if not url.startswith(("file:", "blob:", "data:"))], [])

    def test_connections_of_the_page_are_blocked(self):
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
        # The browser logs the attempts that it blocks.
        self.assertGreaterEqual(len(self.browser.read_log("browser")), len(attempts) - 1)
        self.assertEqual(self.recorder.requests_for("utflane.test"), [])

    def test_the_proxy_records_a_connection_of_another_page(self):
        plain = self.create_file("plain.html", b"<!doctype html><title>plain</title>")
        self.browser.open(plain.as_uri())
        script = "const [url, done] = arguments; fetch(url, { mode: 'no-cors' }).finally(() => done(0))"
        self.browser.run_async(script, "http://control.test/")
        self.assertEqual(len(self.recorder.requests_for("control.test")), 1)
        # The browser logs the error with which the proxy answered.
        self.assertEqual(len(self.browser.read_log("browser")), 1)

    def test_the_page_is_smaller_than_700_kb(self):
        self.assertLess(self.page.stat().st_size, 700_000)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_page.py PAGE [TEST...]")
    Page.page = Path(sys.argv.pop(1)).resolve()
    unittest.main()
