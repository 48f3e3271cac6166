"""A headless Chromium by its chromedriver, over WebDriver, for the tests of the page."""

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

# Seconds for a command of the driver, and for the browser to start on a slow machine.
COMMAND_SECONDS = 60
START_SECONDS = 60

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

ARGUMENTS = [
    "--headless=new",
    "--window-size=1000,900",
    # For root in a container with a small /dev/shm.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # No requests of the browser's own.
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


class Problem(Exception):
    """An error that the driver returns."""


class Browser:
    """A browser, ended with the `with` block."""

    def __init__(self, downloads, proxy):
        """Files are saved in the folder `downloads`. `proxy` is the port of a proxy for all connections."""
        self.downloads = downloads
        self.proxy = proxy

    def __enter__(self):
        driver = shutil.which("chromedriver")
        if not driver:
            raise Problem("chromedriver is not installed (Debian: chromium-driver)")
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        try:
            self.session = ""
            self.address = self._address()
            self.session = self._new_session()
        except BaseException:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._send("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait(10)
            self.process.stdout.close()

    def _address(self):
        # The driver prints the port that it has chosen.
        for line in self.process.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                return f"http://127.0.0.1:{found[1]}"
        raise Problem("chromedriver did not start")

    def _new_session(self):
        proxy = [f"--proxy-server=http://127.0.0.1:{self.proxy}", "--proxy-bypass-list=<-loopback>"]
        options = {"args": ARGUMENTS + proxy, "prefs": {"download.default_directory": str(self.downloads)}}
        capabilities = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
        }
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                made = self._send("POST", None, {"capabilities": {"alwaysMatch": capabilities}})
                return made["sessionId"]
            except Problem:
                if time.monotonic() > end:
                    raise
                time.sleep(1)

    def _send(self, method, path, body=None):
        """Sends a command to the session; `None` as its path makes one. Returns the value of the answer."""
        url = f"{self.address}/session" + ("" if path is None else f"/{self.session}{path}")
        data = None if body is None else json.dumps(body).encode()
        # No proxy: the driver is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with opener.open(request, timeout=COMMAND_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Problem(json.load(error)["value"]["message"]) from None

    def open(self, url):
        self._send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a script in the page, as the body of a function. Returns its value."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs a script that calls its last argument with the value."""
        return self._send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def element(self, selector):
        found = self._send("POST", "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def click(self, selector):
        self._send("POST", f"/element/{self.element(selector)}/click", {})

    def type(self, selector, text):
        """Types into an element. Into an input for files, a path chooses that file."""
        self._send("POST", f"/element/{self.element(selector)}/value", {"text": text})

    def keys(self, *keys):
        """Presses keys, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def devtools(self, command, **parameters):
        """Sends a command of the DevTools protocol."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        """Returns the entries of a log since the last call."""
        return self._send("POST", "/se/log", {"type": kind})

    def requests(self):
        """Returns the addresses of all requests since the last look at the log of the performance."""
        messages = (json.loads(entry["message"])["message"] for entry in self.log("performance"))
        sent = (message["params"] for message in messages if message["method"] == "Network.requestWillBeSent")
        return [parameters["request"]["url"] for parameters in sent]
