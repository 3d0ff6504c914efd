"""Rows about drawn tasks: a recorded run of 400 machines in headless Chromium, and what tracks add to files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Route

from bench.browser import SIZE, browsing
from bench.measured import Measured
from scheduler_core import Experiment, RunView, Simulation

_ROOT = Path(__file__).resolve().parents[1]
_ADDRESS = "http://bench.invalid"
_SECONDS = 4
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".woff2": "font/woff2",
}


def experiment_of(scheduler: str, machines: int, tasks: int) -> Experiment:
    """Machines of four CPUs at 95 % load, one CPU a task, for three queues."""
    names = [("a", 0.5), ("b", 0.3), ("c", 0.2)]
    return Experiment.parse({
        "schema_version": 1, "seed": 1,
        "topology": {"global_masters": 3, "clusters": [
            {"name": "c", "repeat": 4, "racks": 4,
             "machines": [{"count": machines // 4, "cpus": 4, "memory_gb": 16}]}]},
        "queues": [{"name": name, "share": share, "global_master": at} for at, (name, share) in enumerate(names)],
        "workload": {"kind": "synthetic", "tasks": tasks, "arrivals": {"kind": "poisson", "offered_load": 0.95},
                     "tasks_per_job": {"kind": "lognormal", "median": 8, "sigma": 1, "max": 60},
                     "duration_s": {"kind": "lognormal", "median": 4, "sigma": 0.5, "max": 20},
                     "demand": {"cpus": 1, "memory_gb": 2}},
        "scheduler": {"name": scheduler},
    })  # fmt: skip


def _recorded(scheduler: str, machines: int, tasks: int) -> bytes:
    simulation = Simulation(experiment_of(scheduler, machines, tasks))
    for _ in simulation.run():
        pass
    target = io.BytesIO()
    RunView(simulation).write_recording(target)
    return target.getvalue()


def drawing_tasks(
    what: Literal["frames", "main thread"], scheduler: str, machines: int = 400, tasks: int = 12_000
) -> Callable[[int], Measured]:
    """Frames a second of a run that plays, or the main thread's milliseconds a frame (script, style, layout, paint)."""

    def measure(repeats: int) -> Measured:
        recording = _recorded(scheduler, machines, tasks)
        with browsing() as browser:
            page = browser.new_page(viewport=SIZE)
            page.route(f"{_ADDRESS}/**", lambda route: _serve(route, recording))
            page.goto(f"{_ADDRESS}/bench/tasks.html")
            page.wait_for_function("window.ready")
            devtools = page.context.new_cdp_session(page)
            devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.evaluate("() => play(1, true)")
            found = [_play(page, devtools) for _ in range(min(repeats, 3))]
        rates, costs = tuple(rate for rate, _ in found), tuple(cost for _, cost in found)
        note = f"{min(rates):.1f} frames/s, at most {max(costs):.2f} ms a frame"
        return Measured(rates if what == "frames" else costs, note)

    return measure


def _play(page: Any, devtools: Any) -> tuple[float, float]:
    before = _main_thread_s(devtools)
    drawn = page.evaluate("s => play(s, true)", _SECONDS)
    assert drawn["drawn"], "cells are too small for tasks"
    return drawn["rate"], 1000 * (_main_thread_s(devtools) - before) / (drawn["rate"] * _SECONDS)


def _main_thread_s(devtools: Any) -> float:
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def _serve(route: Route, recording: bytes) -> None:
    path = route.request.url.removeprefix(_ADDRESS)
    if path == "/bench/recording":
        route.fulfill(body=recording, content_type="application/zip")
        return
    file = _ROOT / ("bench/page" if path.startswith("/bench/") else "static") / path.split("/", 2)[2]
    route.fulfill(body=file.read_bytes(), content_type=_TYPES[file.suffix])


def track_in_recording(scheduler: str, machines: int = 400, tasks: int = 12_000) -> Callable[[int], Measured]:
    """Return the bytes of a recording over those without its track."""

    def measure(_: int) -> Measured:
        recording = _recorded(scheduler, machines, tasks)
        with zipfile.ZipFile(io.BytesIO(recording)) as archive:
            track = sum(each.compress_size for each in archive.infolist() if each.filename == "track.msgpack")
        return Measured(
            (len(recording) / (len(recording) - track),),
            f"{len(recording):,} bytes, {track:,} of them the track of {tasks:,} tasks",
        )

    return measure
