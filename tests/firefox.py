"""Drive a stock Firefox by WebDriver BiDi, and install Debian's package where tests may.

Playwright's own Firefox comes from no package registry. Its channel for a stock one needs a command that Firefox 153
lacks (`emulation.setMediaFeaturesOverride`).
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.support import PATIENCE_S, wait_until

PACKAGE = "firefox-esr"
MISSING = f"no Firefox on this machine: install the package `{PACKAGE}`, or name one in PLAYGROUND_TEST_FIREFOX"
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# Firefox reports what a content policy refuses to the page alone.
_REFUSALS = """() => addEventListener("securitypolicyviolation",
  event => console.error(`refused by ${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`))"""
_APPEARS = """(selector) => new Promise((done) => {
  const look = () => document.querySelector(selector) && (watch.disconnect(), done());
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true });
  look();
})"""


def executable() -> Path | None:
    """Return the Firefox to test with: the one that is named, or the machine's."""
    given = os.environ.get("PLAYGROUND_TEST_FIREFOX")
    found = given or shutil.which(PACKAGE) or shutil.which("firefox")
    return Path(found) if found and os.access(found, os.X_OK) else None


def install() -> None:
    """Install Debian's package, if this is root on a machine with apt."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", PACKAGE]):
        subprocess.run(["apt-get", *command], env=environment, stdout=subprocess.DEVNULL, check=False)


class Firefox:
    """One headless Firefox with one tab, and what it reported: errors of scripts, refusals, requests."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.version = str(self.send("session.new", capabilities={})["capabilities"]["browserVersion"])
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.send("script.addPreloadScript", functionDeclaration=_REFUSALS)
        # The tab that Firefox opens with: one opened beside it may be hidden, and a hidden tab paints no frames.
        self.tab = str(self.send("browsingContext.getTree")["contexts"][0]["context"])
        self.send("browsingContext.activate", context=self.tab)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Carry out a command of WebDriver BiDi and return its result. Raises RuntimeError where Firefox refuses it."""
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE_S))
            if message.get("id") == number:
                break
            self._note(message)
        if message["type"] == "error":
            raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
        return dict(message["result"])

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        if message.get("method") == "network.beforeRequestSent":
            self.requests.append(str(params["request"]["url"]))
        elif message.get("method") == "log.entryAdded" and params["level"] == "error":
            self.errors.append(str(params["text"]))

    def open(self, address: str, *, width: int = 1280, height: int = 800) -> None:
        """Open an address in the tab at this size, and wait until it is loaded."""
        self.resize(width, height)
        self.send("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        self.send("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def call(self, function: str, *given: str) -> Any:
        """Call a JavaScript function with texts in the page; return what it gives, or what its promise gives."""
        answer = self.send(
            "script.callFunction",
            functionDeclaration=f"async (...given) => JSON.stringify(await ({function})(...given) ?? null)",
            arguments=[{"type": "string", "value": each} for each in given],
            target={"context": self.tab},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait_for(self, selector: str) -> None:
        """Return once the page has an element for this selector."""
        self.call(_APPEARS, selector)

    def text(self, selector: str) -> str:
        return str(self.call("(selector) => document.querySelector(selector).textContent.trim()", selector))

    def click(self, selector: str) -> None:
        """Click the middle of an element as a mouse does."""
        where = "(selector) => { const one = document.querySelector(selector); one.scrollIntoView({ block: 'center' });"
        where += " const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"
        self.click_at(*self.call(where, selector))

    def click_at(self, x: float, y: float) -> None:
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": moves}
        self.send("input.performActions", context=self.tab, actions=[mouse])

    def picture(self) -> bytes:
        """Return what the tab shows, as a PNG."""
        shown = self.send("browsingContext.captureScreenshot", context=self.tab)
        return base64.b64decode(shown["data"])


@contextmanager
def running(folder: Path) -> Iterator[Firefox]:
    """Start the Firefox with a profile of its own in `folder`, and stop it afterwards."""
    program = executable()
    assert program is not None, MISSING
    profile, log = folder / "profile", folder / "firefox.log"
    profile.mkdir()
    command = [str(program), "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, env=os.environ | {"HOME": str(folder)}
        )
    try:
        found = wait_until(lambda: _LISTENS.search(log.read_text(errors="replace")), what=f"Firefox listens ({log})")
        with connect(f"{found[1]}/session", max_size=None, open_timeout=PATIENCE_S) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


if __name__ == "__main__":
    if executable() is None:
        install()
    if executable() is None:
        # Not an error: everything else is tested without it.
        print(MISSING, file=sys.stderr)
