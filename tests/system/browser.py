"""Debian's chromium without a window, driven over the WebDriver protocol. Python's standard library is all it needs."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

# As root there is no sandbox. Nothing but what a page asks for shall be asked for, and no name outside is found.
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


def missing():
    """What is not installed, or nothing."""
    return " and ".join(name for name in ("chromium", "chromedriver") if not shutil.which(name))


class Browser:
    def __init__(self):
        self.session = ""
        self.folder = tempfile.mkdtemp(prefix="ppdnmf_browser_")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, start_new_session=True,
                                       env={**os.environ, "HOME": self.folder, "TMPDIR": self.folder})
        self.port = self.find_port()
        self.session = "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": [*OPTIONS, f"--user-data-dir={self.folder}/data"]},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})["sessionId"]

    def find_port(self):
        said = ""
        for line in self.driver.stdout:
            said += line
            if found := re.search(r"started successfully on port (\d+)", line):
                return int(found.group(1))
        self.close()
        raise AssertionError(f"chromedriver did not start:\n{said}")

    def close(self):
        if self.session:
            try:
                self.ask("DELETE", "")
            except (OSError, AssertionError):
                pass
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)  # and whatever is left of the browser
        except ProcessLookupError:
            pass
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, what=None):
        body = None if method != "POST" else json.dumps(what or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.session}{path}", body, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise AssertionError(problem.read().decode(errors="replace")) from None

    def visit(self, address):
        self.ask("POST", "/url", {"url": address})

    def value(self, expression):
        """What the page's own script would get for it."""
        return self.ask("POST", "/execute/sync", {"script": f"return {expression};", "args": []})

    def devtools(self, command, **more):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": more})

    def resize(self, width, height):
        """Of what a page has to draw on: a window has a least width."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        """Of the whole page, as high as it is."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def console(self):
        """What came on the console since the last call: level and message."""
        return [(entry["level"], entry["message"]) for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """The addresses that were asked for since the last call, in whatever way."""
        addresses = []
        for entry in self.ask("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
            elif message["method"] in ("Network.webSocketCreated", "Network.webTransportCreated"):
                addresses.append(message["params"]["url"])
        return addresses
