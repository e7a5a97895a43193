"""Firefox for tests, in a process of its own, controlled by the Marionette protocol over a local socket.

A message is its length, a colon and JSON. Marionette is part of Firefox, so no driver package is needed.
"""

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.report.browser import CLICKED, SCROLLED, TIMEOUT

# Firefox prints this line when it loads its own settings, which have no server here.
_OF_THE_BROWSER = "console.error: RSLoader:"
_KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " "}
_SETTINGS = {
    "marionette.port": 0,  # any free port; Firefox writes it into the profile
    "ui.prefersReducedMotion": 1,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "accessibility.tabfocus": 7,
    "devtools.console.stdout.content": True,
    "services.settings.server": "data:,",
    "network.proxy.type": 1,  # a proxy that does not exist: neither Firefox nor a page can leave the machine
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}
# Runs with the rights of the browser and collects the network requests and the errors of pages.
_WATCH = """
globalThis.watched = {requests: [], messages: []};
Services.obs.addObserver(subject => {
  const channel = subject.QueryInterface(Ci.nsIChannel);
  if (!channel.loadInfo.triggeringPrincipal.isSystemPrincipal) watched.requests.push(channel.URI.spec);
}, "http-on-modify-request");
Services.console.registerListener({observe: message => {
  if (message instanceof Ci.nsIScriptError && /^(file|data):/.test(message.sourceName))
    watched.messages.push(message.errorMessage);
}});
"""


class FirefoxPage:
    """One tab of Firefox, with its network requests and its errors and console messages."""

    def __init__(self, port: int, printed: list[str]) -> None:
        self._printed = printed
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self._unread = b""
        self._calls = 0
        self._message()  # Firefox sends a greeting first
        self._call("WebDriver:NewSession", capabilities={})
        self._call("WebDriver:SetTimeouts", script=1000 * TIMEOUT, pageLoad=1000 * TIMEOUT)
        self._privileged(_WATCH)

    def close(self) -> None:
        """End the browser."""
        self._call("Marionette:Quit", flags=["eForceQuit"])
        self._socket.close()

    @property
    def requests(self) -> list[str]:
        """Addresses that the browser requested from a network."""
        found: list[str] = self._privileged("return watched.requests")
        return found

    @property
    def messages(self) -> list[str]:
        """Errors and warnings about pages, and their console messages."""
        found: list[str] = self._privileged("return watched.messages")
        printed = [line for line in self._printed if line.startswith("console.")]
        return found + [line for line in printed if not line.startswith(_OF_THE_BROWSER)]

    def clear(self) -> None:
        """Clear the requests and messages so far."""
        self._privileged("watched.requests = []; watched.messages = []")
        self._printed.clear()

    def open(self, url: str, *, width: int = 1440, height: int = 1000) -> None:
        """Load a page in a window with this inner size and wait until it is loaded."""
        self._call("WebDriver:Navigate", url=url)
        frame = self.value("[outerWidth - innerWidth, outerHeight - innerHeight]")
        self._call("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])

    def theme(self, scheme: str) -> None:
        """Set the colour scheme."""
        name = "layout.css.prefers-color-scheme.content-override"
        self._privileged(f"Services.prefs.setIntPref({name!r}, {int(scheme == 'light')})")

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, or what it resolves to."""
        return self._call("WebDriver:ExecuteScript", script=f"return {expression}", args=[])["value"]

    resolved = value

    def run(self, script: str) -> None:
        """Run a script in the page, even if its content security policy forbids scripts."""
        self._call("WebDriver:ExecuteScript", script=script, args=[])

    def click(self, element: str) -> None:
        """Click the middle of the element that an expression names."""
        self.value(SCROLLED.format(element=element))
        self.point(*self.value(CLICKED.format(element=element)))
        self._act("pointer", {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def point(self, x: float, y: float) -> None:
        """Move the pointer."""
        self._act("pointer", {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0})

    def press(self, key: str) -> None:
        """Press and release a key: `Tab`, `Enter`, `Space` or a letter."""
        value = _KEYS.get(key, key)
        self._act("key", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def follow(self) -> None:
        """Press Enter on a link and wait until the other page is loaded."""
        before = self._call("WebDriver:GetCurrentURL")["value"]
        self.press("Enter")
        until = time.monotonic() + TIMEOUT
        while self._call("WebDriver:GetCurrentURL")["value"] == before:
            assert time.monotonic() < until, "the link leads nowhere"
        while self.value("document.readyState") != "complete":
            assert time.monotonic() < until, "the page does not load"

    def screenshot(self, path: Path) -> None:
        """Write what the window shows as a PNG."""
        shot = self._call("WebDriver:TakeScreenshot", full=False)
        path.write_bytes(base64.b64decode(shot["value"]))

    def _act(self, kind: str, *actions: dict[str, object]) -> None:
        self._call("WebDriver:PerformActions", actions=[{"type": kind, "id": kind, "actions": list(actions)}])

    def _privileged(self, script: str) -> Any:
        self._call("Marionette:SetContext", value="chrome")
        try:
            return self._call("WebDriver:ExecuteScript", script=script, args=[], sandbox="system")["value"]
        finally:
            self._call("Marionette:SetContext", value="content")

    def _call(self, command: str, **parameters: object) -> dict[str, Any]:
        self._calls += 1
        message = json.dumps([0, self._calls, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, number, error, result = self._message()
        assert number == self._calls
        assert not error, f"{command}: {error}"
        return result if isinstance(result, dict) else {"value": result}

    def _message(self) -> Any:
        while b":" not in self._unread:
            self._receive()
        length, _, self._unread = self._unread.partition(b":")
        while len(self._unread) < int(length):
            self._receive()
        message, self._unread = self._unread[: int(length)], self._unread[int(length) :]
        return json.loads(message)

    def _receive(self) -> None:
        read = self._socket.recv(1 << 20)
        assert read, "the browser ended"
        self._unread += read


@contextmanager
def firefox_page() -> Iterator[FirefoxPage]:
    """Start Firefox with a profile of its own, yield a tab, and end it."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    assert found, "Firefox is not installed; run tools/system.sh"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = "".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in _SETTINGS.items())
        (Path(profile) / "user.js").write_text(settings, encoding="utf-8")
        flags = ["--headless", "--no-remote", "--marionette", "-remote-allow-system-access"]
        command = [found, *flags, "--profile", profile, "about:blank"]
        printed: list[str] = []
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            port = _port(process)
            reader = threading.Thread(target=_keep_lines, args=[process.stdout, printed])
            reader.start()
            try:
                page = FirefoxPage(port, printed)
                yield page
                page.close()
            finally:
                process.terminate()
                reader.join()


def _port(process: "subprocess.Popen[str]") -> int:
    """Return the port that Firefox prints when it listens."""
    assert process.stdout
    ports = (line.partition("Listening on port ")[2] for line in process.stdout if "Marionette" in line)
    port = next(filter(None, ports), "")
    assert port, "Firefox does not start"
    return int(port)


def _keep_lines(stream: Iterable[str], lines: list[str]) -> None:
    for line in stream:
        lines += [line]
