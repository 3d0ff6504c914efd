"""Rows about the map: 50,000 machines of which 5 % change at every frame, in headless Chromium without a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import CDPSession, Page, Route

from bench.browser import SIZE, browsing
from bench.measured import Measured

_ROOT = Path(__file__).resolve().parents[1]
_ADDRESS = "http://bench.invalid"
_WARM_S, _SECONDS = 1, 4
_SEEKS = 100
_TYPES = {".woff2": "font/woff2", ".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def drawing_map(
    what: Literal["frames", "main thread"], *, zoom: float = 1.0, pan: bool = False
) -> Callable[[int], Measured]:
    """Frames a second, or milliseconds of processor time a frame of the main thread (script, style, layout, paint)."""

    def measure(repeats: int) -> Measured:
        with _page() as (page, devtools):
            page.evaluate("([s, z, p]) => play(s, z, p)", [_WARM_S, zoom, pan])
            found = [_play(page, devtools, zoom, pan) for _ in range(min(repeats, 3))]
        rates = tuple(rate for rate, _, _ in found)
        costs = tuple(cost for _, cost, _ in found)
        drawn = found[0][2]
        note = (
            f"{min(rates):.1f} frames/s, at most {max(costs):.2f} ms a frame; "
            f"cells {drawn['factor']:.3g} x{', minimap' if drawn['minimap'] else ''}{', moving' if pan else ''}"
        )
        return Measured(rates if what == "frames" else costs, note)

    return measure


def scrubbing(what: Literal["frames", "seek"]) -> Callable[[int], Measured]:
    """Measure a million tasks' recording: frames a second of a drag, or the 95th percentile of a seek."""

    def measure(repeats: int) -> Measured:
        with _page() as (page, _):
            page.evaluate("() => seek(5)")
            if what == "frames":
                rates = tuple(page.evaluate("s => scrub(s)", 2 * _SECONDS) for _ in range(min(repeats, 3)))
                return Measured(rates, "50,000 machines, 600 frames with 5 % changed in each, all of it every 4 s")
            took = sorted(page.evaluate("n => seek(n)", _SEEKS))
        p95 = took[int(0.95 * len(took))]
        return Measured(
            (p95,),
            f"{_SEEKS} random instants until painted: median {took[len(took) // 2]:.0f} ms, at most {took[-1]:.0f} ms",
        )

    return measure


def _play(page: Page, devtools: CDPSession, zoom: float, pan: bool) -> tuple[float, float, dict[str, Any]]:
    before = _main_thread_s(devtools)
    drawn = page.evaluate("([s, z, p]) => play(s, z, p)", [_SECONDS, zoom, pan])
    spent = _main_thread_s(devtools) - before
    return drawn["rate"], 1000 * spent / (drawn["rate"] * _SECONDS), drawn


def _main_thread_s(devtools: CDPSession) -> float:
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


@contextmanager
def _page() -> Iterator[tuple[Page, CDPSession]]:
    with browsing() as browser:
        page = browser.new_page(viewport=SIZE)
        page.route(f"{_ADDRESS}/**", _serve)
        page.goto(f"{_ADDRESS}/bench/map.html")
        page.wait_for_function("window.ready")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield page, devtools


def _serve(route: Route) -> None:
    """Answer from the files of the project: no server takes part."""
    path = route.request.url.removeprefix(_ADDRESS)
    file = _ROOT / ("bench/page" if path.startswith("/bench/") else "static") / path.split("/", 2)[2]
    route.fulfill(body=file.read_bytes(), content_type=_TYPES[file.suffix])
