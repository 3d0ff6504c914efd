"""The first minute, from an empty clone with empty caches: `python -m bench.first_minute`, a table on standard output.

    python -m bench.first_minute                 clone, install (from the package cache), start, open, change
    python -m bench.first_minute --venv .venv    the same with an environment that is there: nothing is installed

It measures the tree's last commit. Downloads are left out: run it twice, the first time fills the package cache.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.browser import SIZE, browsing
from bench.live.pages import _NOTE_MOVING

_PROJECT = Path(__file__).resolve().parents[1]
_LOAD = ".knob[data-path='workload.arrivals.offered_load'] input[type=range]"
_LONGEST_MS = 600_000
# Whether the map shows the run of another experiment than before the change, and the address names it.
_RUN_SHOWN = """before => document.body.dataset.pictureOf !== before[0]
  && location.pathname.split("/").at(-1) === document.body.dataset.pictureOf"""
#: Schedulers whose example runs are opened.
_OPENED = ("hawk", "quincy", "carbyne")
_STALE = """
import sys, django
django.setup()
from playground.gallery.shipping import to_ship
from playground.known.shipped import find_shipped
experiments = to_ship()
print(*(name for name in sys.argv[1:] if find_shipped(experiments[name].digest()) is None))
"""
_BEFORE = "() => [document.body.dataset.pictureOf, Number(document.body.dataset.preview ?? 0)]"


def main() -> None:
    """Measure and print each step as it is done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", type=Path, help="an environment that is there, in place of make setup")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-minute-") as folder:
        clone = Path(folder) / "clone"
        variables = {
            "PLAYGROUND_DATA_DIR": str(Path(folder) / "var"),
            "SCHEDULER_CORE_CACHE": str(Path(folder) / "cache"),
        }
        subprocess.run(["git", "clone", "-q", str(_PROJECT), str(clone)], check=True)
        _require_todays_recordings(clone, Path(folder))
        print("| step | seconds |\n|---|---|", flush=True)
        if options.venv:
            (clone / ".venv").symlink_to(options.venv.resolve())
            (clone / "staticfiles").mkdir(exist_ok=True)
        else:
            _timed("`make setup`, package cache filled", lambda: _made(clone, "setup", variables))
        _measure(clone, variables)


def _require_todays_recordings(clone: Path, folder: Path) -> None:
    """End where a recording that is opened here was made by other code: its run would be computed, and rows be void."""
    environment = os.environ | {
        "PYTHONPATH": str(clone),
        "DJANGO_SETTINGS_MODULE": "playground.settings",
        "PLAYGROUND_DATA_DIR": str(folder / "unused"),
        "SCHEDULER_CORE_CACHE": str(folder / "unused"),
    }
    asked = [sys.executable, "-c", _STALE, "studio", *(f"signature-{name}" for name in _OPENED)]
    stale = subprocess.run(asked, cwd=clone, env=environment, check=True, capture_output=True, text=True).stdout.split()
    if stale:
        raise SystemExit(
            f"Other code made the shipped recordings of {', '.join(stale)}. "
            "Run manage.py ship_recordings, commit its files, and measure again."
        )


def _timed(step: str, act: Any) -> None:
    started = time.monotonic()
    act()
    _say(step, time.monotonic() - started)


def _say(step: str, seconds: float) -> None:
    print(f"| {step} | {seconds:.2f} |", flush=True)


def _made(clone: Path, target: str, variables: dict[str, str]) -> None:
    environment = os.environ | variables
    subprocess.run(["make", "-s", target], cwd=clone, env=environment, check=True, stdout=subprocess.DEVNULL)


def _measure(clone: Path, variables: dict[str, str]) -> None:
    with _running(clone, variables) as (url, ready):
        _say("start to ready, first", ready)
        with browsing() as browser:
            _say("landing page: first moving picture", _moving(browser, url + "/"))
            _studio(browser, url)
    with _running(clone, variables) as (_, ready):
        _say("start to ready, second", ready)


@contextmanager
def _running(clone: Path, variables: dict[str, str]) -> Iterator[tuple[str, float]]:
    """Start the clone's playground; give its address and the seconds until it was ready."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PLAYGROUND_", "PYTHONPATH"))}
    started = time.monotonic()
    play = subprocess.Popen(
        [str(clone / ".venv" / "bin" / "python"), "manage.py", "play", "--port", str(port)],
        cwd=clone, env=kept | variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        while not _is_ready(url):
            if play.poll() is not None:
                raise SystemExit("the playground has ended")
            time.sleep(0.02)
        yield url, time.monotonic() - started
    finally:
        play.send_signal(signal.SIGTERM)
        play.wait(timeout=60)


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + "/readyz", timeout=20) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _moving(browser: Any, url: str) -> float:
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    page.add_init_script(f"({_NOTE_MOVING})()")
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.firstMoving", timeout=_LONGEST_MS)
    moving = page.evaluate("() => window.firstMoving")
    context.close()
    return float(moving) / 1e3


def _studio(browser: Any, url: str) -> None:
    """Open the studio as the first visitor, then change the load, then the scheduler, then the load ten times."""
    page = browser.new_context(viewport=SIZE).new_page()
    started = time.monotonic()
    page.goto(url + "/studio?level=play", wait_until="commit")  # Watch has no slider for the load
    page.wait_for_function("() => document.body?.classList.contains('has-picture')", timeout=_LONGEST_MS)
    _say("studio: first picture of a run, nothing compiled", time.monotonic() - started)
    _say_both("first change of its load, nothing compiled", _changed(page, lambda: _less(page)))
    for name in _OPENED:
        started = time.monotonic()
        page.goto(f"{url}/studio?signature={name}&level=play", wait_until="commit")
        page.wait_for_function("() => document.body?.classList.contains('has-picture')", timeout=_LONGEST_MS)
        _say(f"another scheduler for the first time, its own experiment: {name}", time.monotonic() - started)
    page.goto(url + "/studio?level=play", wait_until="commit")  # Watch has no slider for the load
    page.wait_for_function("() => document.body?.classList.contains('has-picture')", timeout=_LONGEST_MS)
    for name in ("sparrow", "drf"):
        page.locator(".scheduler-pick").click()
        _say_both(f"change to {name}, never run here", _changed(page, lambda name=name: _choose(page, name)))
    warm = [_changed(page, lambda: _less(page)) for _ in range(10)]
    slowest = max(answered for answered, _ in warm), max(shown for _, shown in warm)
    _say_both("change of the load, all compiled: slowest of ten, debounce included", slowest)


def _choose(page: Any, name: str) -> None:
    """Choose a scheduler, and wait until its example run moves over the map, or its own run, if that comes first."""
    before, started = page.evaluate(_BEFORE), time.monotonic()
    page.locator(f"[data-choose={name}]").click()
    example = f"document.querySelector('[data-meanwhile={name}] canvas.is-drawn')"
    page.wait_for_function(f"before => {example} || ({_RUN_SHOWN})(before)", arg=before, timeout=_LONGEST_MS)
    _say(f"change to {name}, never run here: its example run moves", time.monotonic() - started)


def _less(page: Any) -> None:
    page.locator(_LOAD).press("ArrowLeft")


def _say_both(step: str, seconds: tuple[float, float]) -> None:
    _say(f"{step}: preview or picture", seconds[0])
    _say(f"{step}: picture of its run", seconds[1])


def _changed(page: Any, act: Any) -> tuple[float, float]:
    """Change something; seconds until its preview or the first picture of its run, and until the latter."""
    before = page.evaluate(_BEFORE)
    started = time.monotonic()
    act()
    page.wait_for_function(f"before => Number(document.body.dataset.preview) > before[1] || ({_RUN_SHOWN})(before)",
        arg=before, timeout=_LONGEST_MS)  # fmt: skip
    answered = time.monotonic() - started
    page.wait_for_function(_RUN_SHOWN, arg=before, timeout=_LONGEST_MS)
    return answered, time.monotonic() - started


if __name__ == "__main__":
    main()
