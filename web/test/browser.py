"""Drives a headless Chromium with chromedriver, over WebDriver, for the tests of the page."""

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

# The timeout of a command of the driver, in seconds.
COMMAND_SECONDS = 60
# The time in which the browser must start, even on a slow machine, in seconds.
START_SECONDS = 60

# The key that WebDriver uses for the identifier of an element.
ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf"

ARGUMENTS = [
    "--headless=new",
    "--window-size=1000,900",
    # Chromium needs these options to run as root, in a container with a small /dev/shm.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # The browser itself must not send requests.
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


class BrowserError(Exception):
    """An error that the driver returns, or a driver that does not start."""


class Browser:
    """A browser that ends with its `with` block."""

    def __init__(self, downloads, proxy_port):
        """Sets the directory in which files are saved, and the port of a proxy for all connections."""
        self.downloads = downloads
        self.proxy_port = proxy_port

    def __enter__(self):
        driver = shutil.which("chromedriver")
        if not driver:
            raise BrowserError("chromedriver is not installed (Debian: chromium-driver)")
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        try:
            self.session = ""
            self.driver_url = self._wait_for_driver_url()
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

    def _wait_for_driver_url(self):
        """Returns the URL of the driver. The driver prints the port that it has chosen."""
        for line in self.process.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                return f"http://127.0.0.1:{found[1]}"
        raise BrowserError("chromedriver did not start")

    def _new_session(self):
        """Starts a browser. Returns the identifier of its session."""
        proxy_arguments = [f"--proxy-server=http://127.0.0.1:{self.proxy_port}", "--proxy-bypass-list=<-loopback>"]
        options = {"args": ARGUMENTS + proxy_arguments, "prefs": {"download.default_directory": str(self.downloads)}}
        capabilities = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
        }
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                session = self._send("POST", None, {"capabilities": {"alwaysMatch": capabilities}})
                return session["sessionId"]
            except BrowserError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(1)

    def _send(self, method, path, body=None):
        """Sends a command to the session. If `path` is `None`, creates a session. Returns the value of the response."""
        url = f"{self.driver_url}/session" + ("" if path is None else f"/{self.session}{path}")
        data = None if body is None else json.dumps(body).encode()
        # Without a proxy, because the driver is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with opener.open(request, timeout=COMMAND_SECONDS) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"]) from None

    def open(self, url):
        self._send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a script in the page as the body of a function. Returns the value of the function."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs a script that ends by calling its last argument with a value. Returns the value."""
        return self._send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def find_element(self, selector):
        """Returns the identifier of the first element that matches a CSS selector."""
        found = self._send("POST", "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT_KEY]

    def click(self, selector):
        self._send("POST", f"/element/{self.find_element(selector)}/click", {})

    def type(self, selector, text):
        """Types text into an element. In a file input, the text is the path of the file to choose."""
        self._send("POST", f"/element/{self.find_element(selector)}/value", {"text": text})

    def press_keys(self, *keys):
        """Presses keys in the element that has the focus."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def send_devtools_command(self, command, **parameters):
        """Sends a command of the DevTools protocol."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def read_log(self, kind):
        """Returns the entries that a log got since the last call."""
        return self._send("POST", "/se/log", {"type": kind})

    def read_requests(self):
        """Returns the URLs of all requests since the performance log was last read."""
        messages = (json.loads(entry["message"])["message"] for entry in self.read_log("performance"))
        sent = (message["params"] for message in messages if message["method"] == "Network.requestWillBeSent")
        return [parameters["request"]["url"] for parameters in sent]
