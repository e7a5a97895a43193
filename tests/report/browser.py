"""Chromium for tests, in a process of its own, controlled over two pipes.

Chromium reads messages of its debugging protocol from file descriptor 3 and writes them to 4, separated by
zero bytes, so no driver package, port or server is needed.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TIMEOUT = 120
"""The maximum time in seconds without a message from the browser."""
SCROLLED = "({element}).scrollIntoView({{block: 'center', behavior: 'instant'}})"
CLICKED = "(r => [r.left + r.width / 2, r.top + r.height / 2])(({element}).getClientRects()[0])"
"""The middle of the first rectangle of an element, in JavaScript."""
_KEYS = {"Tab": ("Tab", 9, ""), "Enter": ("Enter", 13, "\r"), "Space": (" ", 32, " ")}
_FLAGS = (
    "--headless=new",
    "--no-sandbox",  # test machines run as root, where Chromium's own sandbox cannot start
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--remote-debugging-pipe",
)


def chromium() -> str:
    """Return the path of the browser, which `tools/system.sh` installs."""
    found = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))),
        "",
    )
    assert found, "Chromium is not installed; run tools/system.sh"
    return found


class Page:
    """One tab, with its network requests and its errors and console messages."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to = to_browser
        self._from = os.fdopen(from_browser, "rb", buffering=0)
        self._unread = b""
        self._calls = 0
        self._session = ""
        self._loads = 0
        self.requests: list[str] = []
        self.messages: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        """Close the pipes, which ends the browser."""
        os.close(self._to)
        self._from.close()

    def open(self, url: str, *, width: int = 1440, height: int = 1000) -> None:
        """Load a page in a window of this size and wait until it is loaded."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self._call("Page.navigate", url=url)
        while self._message().get("method") != "Page.loadEventFired":
            pass

    def theme(self, scheme: str, media: str = "") -> None:
        """Set the colour scheme and the medium, and turn off animations."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self._call("Emulation.setEmulatedMedia", media=media, features=features)

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression on this page."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def resolved(self, expression: str) -> Any:
        """Return the value of a promise on this page."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def run(self, script: str) -> None:
        """Run a script in the page, even if its content security policy forbids scripts."""
        self.value(f"{script}; 0")

    def clear(self) -> None:
        """Clear the requests and messages so far."""
        self.requests.clear()
        self.messages.clear()

    def click(self, element: str) -> None:
        """Click the middle of the element that an expression names."""
        self.value(SCROLLED.format(element=element))
        x, y = self.value(CLICKED.format(element=element))
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press and release a key: `Tab`, `Enter`, `Space` or a letter."""
        name, code, text = _KEYS.get(key, (key, 0, key))
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        for event in (down, {"type": "keyUp"}):
            self._call("Input.dispatchKeyEvent", key=name, code=key, windowsVirtualKeyCode=code, **event)

    def follow(self) -> None:
        """Press Enter on a link and wait until the other page is loaded."""
        before = self._loads
        self.press("Enter")
        while self._loads == before:
            self._message()

    def tab(self) -> None:
        """Press the Tab key."""
        self.press("Tab")

    def point(self, x: float, y: float) -> None:
        """Move the pointer."""
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """Write the page as a PNG."""
        shot = self._call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self) -> bytes:
        """Return the page printed as a PDF, in the paper size of its style sheet."""
        printed = self._call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(printed["data"])

    def _call(self, method: str, **params: object) -> dict[str, Any]:
        self._calls += 1
        message: dict[str, object] = {"id": self._calls, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self._calls:
            pass
        assert "error" not in answer, f"{method}: {answer['error']}"
        result: dict[str, Any] = answer["result"]
        return result

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            assert select.select([self._from], [], [], TIMEOUT)[0], "the browser does not answer"
            read = self._from.read(1 << 20)
            assert read, "the browser ended"
            self._unread += read
        line, self._unread = self._unread.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loads += 1
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Log.entryAdded":
                self.messages.append(params["entry"]["text"])
            case "Runtime.exceptionThrown" | "Runtime.consoleAPICalled":
                self.messages.append(json.dumps(params))


@contextmanager
def browser_page() -> Iterator[Page]:
    """Start Chromium with a profile of its own, yield a tab, and end it."""
    to_browser, from_us = os.pipe()[::-1], os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [chromium(), *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        script = f'exec "$@" 3<&{to_browser[1]} 4>&{from_us[1]}'
        process = subprocess.Popen(
            ["bash", "-c", script, "bash", *command],
            pass_fds=(to_browser[1], from_us[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser[1])
        os.close(from_us[1])
        page = Page(to_browser[0], from_us[0])
        try:
            yield page
        finally:
            page.close()
            process.terminate()
            process.wait(timeout=30)
