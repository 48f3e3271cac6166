"""Shared code of the tests of the page: chooses files, reads the results that are shown, and saves files."""

import re
import time
import unittest

# The time in which the results for a small file must be shown, in seconds.
SMALL_FILE_SECONDS = 30


def find_utf8_errors(data):
    """Returns the offset, line, column and bytes of each ill-formed sequence of UTF-8.

    Lines and columns are counted from 1.
    """
    found, start, line, column = [], 0, 1, 1
    while True:
        try:
            data[start:].decode("utf-8")
            return found
        except UnicodeDecodeError as error:
            text = data[start : start + error.start].decode("utf-8")
            if "\n" in text:
                line, column = line + text.count("\n"), 1
                text = text[text.rindex("\n") + 1 :]
            column += len(text)
            ill_formed = data[start + error.start : start + error.end]
            found.append((start + error.start, line, column, ill_formed.hex(" ").upper()))
            start, column = start + error.end, column + 1


class Page(unittest.TestCase):
    """The page in a browser. Tests create files in `folder`. The browser saves files in `folder / "saved"`."""

    # These are set once, for all tests. `page` is the path of the page.
    page = browser = folder = recorder = None

    def setUp(self):
        self.browser.open(self.page.as_uri())
        self.addCleanup(self.assert_log_is_empty)

    def assert_log_is_empty(self):
        """Asserts that no script failed, and that the policy of the page blocked nothing."""
        self.assertEqual([entry["message"] for entry in self.browser.read_log("browser")], [])

    def create_file(self, name, data):
        """Creates a file. Returns its path."""
        path = self.folder / name
        path.write_bytes(data)
        return path

    def wait_for(self, expression, seconds=SMALL_FILE_SECONDS):
        """Waits until the value of an expression in the page is true. Returns the value."""
        deadline = time.monotonic() + seconds
        while not (value := self.browser.run(f"return {expression}")):
            page_text = self.browser.run("return document.body.innerText")
            self.assertLess(time.monotonic(), deadline, f"never true: {expression}; {page_text}")
            time.sleep(0.03)
        return value

    def text(self, identifier):
        return self.browser.run("return document.getElementById(arguments[0]).textContent", identifier)

    def is_shown(self, identifier):
        return self.browser.run("return document.getElementById(arguments[0]).checkVisibility()", identifier)

    def wait_until_done(self, seconds=SMALL_FILE_SECONDS):
        """Waits until the results or a problem are shown."""
        self.wait_for(
            "document.getElementById('status').textContent"
            " || document.getElementById('problem').textContent",
            seconds,
        )

    def choose(self, path, seconds=SMALL_FILE_SECONDS):
        """Opens a file with the file chooser, and waits for the results."""
        self.browser.type("#file", str(path))
        self.wait_until_done(seconds)

    def drop(self, path):
        """Drops a file on the page with the same events as drag and drop by a person."""
        x, y = self.browser.run(
            "const r = document.getElementById('drop').getBoundingClientRect(); return [r.x + 20, r.y + 20]"
        )
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.browser.send_devtools_command("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
        self.wait_until_done()

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
        self.wait_until_done()

    def save(self, target, mark=False, seconds=SMALL_FILE_SECONDS):
        """Saves the file in an encoding. Returns the saved bytes."""
        for old_file in (self.folder / "saved").iterdir():
            old_file.unlink(missing_ok=True)
        self.browser.run("document.getElementById('status').textContent = ''")
        self.browser.run("document.getElementById('target').value = arguments[0]", target)
        if self.browser.run("return document.getElementById('mark').checked") != mark:
            self.browser.click("#mark")
        self.browser.click("#save")
        self.wait_for("document.getElementById('status').textContent", seconds)
        self.assertEqual(self.text("problem"), "")
        size = int(self.browser.run("return document.getElementById('saved').dataset.bytes"))
        saved = self.folder / "saved" / self.browser.run("return document.getElementById('saved').download")
        deadline = time.monotonic() + seconds
        while True:
            if saved.exists() and saved.stat().st_size == size:
                return saved.read_bytes()
            self.assertLess(time.monotonic(), deadline, f"not saved: {saved}")
            time.sleep(0.05)

    def shown_errors(self):
        """Returns the offset, line, column and bytes of the errors that are shown."""
        if self.is_shown("more-errors"):
            self.browser.click("#more-errors")
        rows = self.browser.run(
            "return [...document.querySelectorAll('#error-list li')].map((item) => ["
            "item.querySelector('.offset').textContent, item.querySelector('strong').textContent,"
            "item.querySelector('.hex mark').textContent])"
        )
        found = []
        for offset, position, ill_formed in rows:
            pattern = r"line ([\d,]+), column ([\d,]+); byte ([\d,]+) \(0x([\dA-F]+)\)"
            numbers = re.fullmatch(pattern, f"{position}; {offset}")
            line, column, decimal = (int(numbers[group].replace(",", "")) for group in (1, 2, 3))
            self.assertEqual(int(numbers[4], 16), decimal)
            found.append((decimal, line, column, ill_formed))
        return found

    def shown_counts(self):
        """Returns the numbers of bytes, code points, UTF-16 code units and lines that are shown, as text."""
        return [self.text(f"count-{name}").replace(",", "") for name in ("bytes", "points", "units", "lines")]

    def expected_counts(self, data, text):
        """Returns the counts that the page should show for a file with the bytes `data` and the text `text`."""
        lines = text.count("\n") + (text != "" and not text.endswith("\n"))
        return [str(number) for number in (len(data), len(text), len(text.encode("utf-16-le")) // 2, lines)]
