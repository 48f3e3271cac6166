"""Shared parts of the page's tests: files in, shown results, saved files."""

import re
import time
import unittest

# Seconds for a small file.
SECONDS = 30


def errors_of(data):
    """The offset, line, column and bytes of each ill-formed sequence of UTF-8, both counted from 1."""
    found, start, line, column = [], 0, 1, 1
    while True:
        try:
            data[start:].decode("utf-8")
            return found
        except UnicodeDecodeError as error:
            good = data[start : start + error.start].decode("utf-8")
            if "\n" in good:
                line, column = line + good.count("\n"), 1
                good = good[good.rindex("\n") + 1 :]
            column += len(good)
            bad = data[start + error.start : start + error.end]
            found.append((start + error.start, line, column, bad.hex(" ").upper()))
            start, column = start + error.end, column + 1


class Page(unittest.TestCase):
    """The page in a browser; files are made in a folder, and saved in another one inside of it."""

    # Set once, for all tests.
    page = browser = folder = recorder = None

    def setUp(self):
        self.browser.open(self.page.as_uri())
        self.addCleanup(self.nothing_was_wrong)

    def nothing_was_wrong(self):
        """No script failed, and nothing was refused by the policy of the page."""
        self.assertEqual([entry["message"] for entry in self.browser.log("browser")], [])

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def until(self, script, seconds=SECONDS):
        """Waits until a script returns something true, and returns that."""
        end = time.monotonic() + seconds
        while not (value := self.browser.run(f"return {script}")):
            page = self.browser.run("return document.body.innerText")
            self.assertLess(time.monotonic(), end, f"never: {script}; {page}")
            time.sleep(0.03)
        return value

    def text(self, identifier):
        return self.browser.run("return document.getElementById(arguments[0]).textContent", identifier)

    def shown(self, identifier):
        return self.browser.run("return document.getElementById(arguments[0]).checkVisibility()", identifier)

    def done(self, seconds=SECONDS):
        """Waits for the results or a problem."""
        self.until(
            "document.getElementById('status').textContent"
            " || document.getElementById('problem').textContent",
            seconds,
        )

    def choose(self, path, seconds=SECONDS):
        self.browser.type("#file", str(path))
        self.done(seconds)

    def drop(self, path):
        """Drops a file with the events that a person's drop has."""
        place = self.browser.run(
            "const r = document.getElementById('drop').getBoundingClientRect(); return [r.x + 20, r.y + 20]"
        )
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.browser.devtools("Input.dispatchDragEvent", type=kind, x=place[0], y=place[1], data=data)
        self.done()

    def select(self, identifier, value):
        self.browser.run(
            "const [id, value] = arguments; const select = document.getElementById(id); select.value = value;"
            "document.getElementById('status').textContent = '';"
            "select.dispatchEvent(new Event('change'))",
            identifier,
            value,
        )

    def read_as(self, label):
        self.select("read-as", label)
        self.done()

    def save(self, target, mark=False, seconds=SECONDS):
        """Saves the file in an encoding. Returns its bytes."""
        for old in (self.folder / "saved").iterdir():
            old.unlink(missing_ok=True)
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.run("document.getElementById('target').value = arguments[0]", target)
        if self.browser.run("return document.getElementById('mark').checked") != mark:
            self.browser.click("#mark")
        self.browser.click("#save")
        self.until("document.getElementById('status').textContent", seconds)
        self.assertEqual(self.text("problem"), "")
        length = int(self.browser.run("return document.getElementById('saved').dataset.bytes"))
        saved = self.folder / "saved" / self.browser.run("return document.getElementById('saved').download")
        end = time.monotonic() + seconds
        while True:
            if saved.exists() and saved.stat().st_size == length:
                return saved.read_bytes()
            self.assertLess(time.monotonic(), end, f"not saved: {saved}")
            time.sleep(0.05)

    def errors(self):
        """The offset, line, column and bytes of the errors that are shown."""
        if self.shown("more-errors"):
            self.browser.click("#more-errors")
        rows = self.browser.run(
            "return [...document.querySelectorAll('#error-list li')].map((item) => ["
            "item.querySelector('.offset').textContent, item.querySelector('strong').textContent,"
            "item.querySelector('.hex mark').textContent])"
        )
        found = []
        for offset, place, bad in rows:
            numbers = re.fullmatch(r"line ([\d,]+), column ([\d,]+); byte ([\d,]+) \(0x([\dA-F]+)\)", f"{place}; {offset}")
            line, column, decimal = (int(numbers[group].replace(",", "")) for group in (1, 2, 3))
            self.assertEqual(int(numbers[4], 16), decimal)
            found.append((decimal, line, column, bad))
        return found

    def counts(self):
        return [self.text(f"count-{name}").replace(",", "") for name in ("bytes", "points", "units", "lines")]

    def counts_of(self, data, text):
        lines = text.count("\n") + (text != "" and not text.endswith("\n"))
        return [str(number) for number in (len(data), len(text), len(text.encode("utf-16-le")) // 2, lines)]
