"""Chromium, Chromium with a slowed processor, and Firefox, driven in the same way."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from bench.browser import SIZE, browsing
from tests import firefox

CHROMIUM, SLOW, FIREFOX = "Chromium", "Chromium, slowed 4 times", "Firefox"
_RATE = 4
_KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Home": "\ue011", "Shift": "\ue008"}
_PATIENCE_MS = 180_000


class Browser(Protocol):
    """One page of a browser."""

    def preload(self, function: str) -> None:
        """Call a JavaScript function in each page from now on, before the page's own scripts."""

    def open(self, address: str) -> None:
        """Open an address, and wait until it is loaded."""

    def call(self, function: str, *texts: str) -> Any:
        """Call a JavaScript function in the page; return what it gives, or what its promise gives."""

    def wait_for(self, selector: str) -> None:
        """Wait until the page has an element."""

    def click(self, selector: str) -> None:
        """Click an element."""

    def press(self, *keys: str) -> None:
        """Press keys together."""


def names() -> list[str]:
    """Return the browsers of this machine."""
    return [CHROMIUM, SLOW, *([FIREFOX] if firefox.executable() else [])]


@contextmanager
def opened(name: str) -> Iterator[Browser]:
    """Start a browser by its name; it ends afterwards."""
    if name == FIREFOX:
        with tempfile.TemporaryDirectory(prefix="bench-firefox-") as folder, firefox.running(Path(folder)) as browser:
            yield _Firefox(browser)
        return
    with browsing() as browser:
        yield _Chromium(browser.new_page(viewport=SIZE), _RATE if name == SLOW else 1)


class _Chromium:
    def __init__(self, page: Any, rate: int) -> None:
        self._page = page
        page.set_default_timeout(_PATIENCE_MS)
        if rate == 1:
            return
        self._devtools = page.context.new_cdp_session(page)
        self._slow = {"rate": rate}
        self._devtools.send("Emulation.setCPUThrottlingRate", self._slow)
        # Threads of the page are asked, too. Whether they are slowed is measured: a Chromium may refuse it.
        self._devtools.on("Target.attachedToTarget", self._slow_thread)
        with suppress(Exception):
            wanted = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
            self._devtools.send("Target.setAutoAttach", wanted)

    def _slow_thread(self, event: dict[str, Any]) -> None:
        asked = {"id": 1, "method": "Emulation.setCPUThrottlingRate", "params": self._slow}
        with suppress(Exception):
            message = {"sessionId": event["sessionId"], "message": json.dumps(asked)}
            self._devtools.send("Target.sendMessageToTarget", message)

    def preload(self, function: str) -> None:
        self._page.add_init_script(f"({function})()")

    def open(self, address: str) -> None:
        self._page.goto(address)

    def call(self, function: str, *texts: str) -> Any:
        return self._page.evaluate(f"(texts) => ({function})(...texts)", list(texts))

    def wait_for(self, selector: str) -> None:
        self._page.locator(selector).first.wait_for(state="attached")

    def click(self, selector: str) -> None:
        self._page.locator(selector).first.click()

    def press(self, *keys: str) -> None:
        self._page.keyboard.press("+".join(keys))


class _Firefox:
    def __init__(self, browser: firefox.Firefox) -> None:
        self._browser = browser
        self.call, self.wait_for, self.click = browser.call, browser.wait_for, browser.click

    def preload(self, function: str) -> None:
        self._browser.send("script.addPreloadScript", functionDeclaration=function)

    def open(self, address: str) -> None:
        self._browser.open(address, **SIZE)

    def press(self, *keys: str) -> None:
        down = [{"type": "keyDown", "value": _KEYS[key]} for key in keys]
        up = [{"type": "keyUp", "value": _KEYS[key]} for key in reversed(keys)]
        actions = [{"type": "key", "id": "keyboard", "actions": [*down, *up]}]
        self._browser.send("input.performActions", context=self._browser.tab, actions=actions)
