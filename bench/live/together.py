"""Row about the page that compares: four runs of 10,000 machines, linked, playing in headless Chromium."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from bench.browser import SIZE, browsing
from bench.live.server import Server, serving
from bench.measured import Measured

_SCHEDULERS = ("megha", "sparrow", "hawk", "eagle")
_SECONDS = 5
# Animation frames in which every map was shown an instant that it had not shown before.
_PLAY = """async (seconds) => {
  const { MapView } = await import("/static/js/draw/map/map.js");
  const show = MapView.prototype.show;
  const shown = new Map();
  MapView.prototype.show = function (picture) {
    shown.set(this, (shown.get(this) ?? 0) + 1);
    return show.call(this, picture);
  };
  let frames = 0;
  const began = performance.now();
  await new Promise((done) => {
    const step = (now) => { frames += 1; if (now - began < seconds * 1000) requestAnimationFrame(step); else done(); };
    requestAnimationFrame(step);
  });
  MapView.prototype.show = show;
  const spent = (performance.now() - began) / 1000;
  return [frames / spent, [...shown.values()].map((count) => count / spent)];
}"""


def linked_runs() -> Callable[[int], Measured]:
    """Animation frames a second while four recordings play side by side, and how often their maps changed."""

    def measure(repeats: int) -> Measured:
        with serving(workers=True) as server, browsing() as browser:
            page = browser.new_page(viewport=SIZE)
            page.goto(f"{server.url}/compare?runs={','.join(_computed(server, name) for name in _SCHEDULERS)}")
            page.locator("body[data-run-state=done]").wait_for(timeout=180_000)
            found = [page.evaluate(_PLAY, _SECONDS) for _ in range(min(repeats, 3))]
        pictures = min(min(maps, default=0.0) for _, maps in found)
        note = (
            f"four runs of 10,000 machines, 200,000 tasks each; the slowest map changed {pictures:.0f} times a second; "
            f"load average {os.getloadavg()[0]:.1f}"
        )
        return Measured(tuple(rate for rate, _ in found), note)

    return measure


def _computed(server: Server, scheduler: str) -> str:
    """Run the experiment to its end and return the run's id."""
    made = server.post("/api/v1/experiments", _experiment(scheduler))
    run = server.post(f"/api/v1/experiments/{made['id']}/runs", {"fresh": True}, made["owner_token"])
    server.wait_for(run["id"])
    return str(run["id"])


def _experiment(scheduler: str) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "topology": {"global_masters": 4, "clusters": [{"name": "lm", "repeat": 10, "machines": [{"count": 1_000}]}]},
        "workload": {
            "kind": "synthetic",
            "tasks": 200_000,
            "arrivals": {"kind": "poisson", "offered_load": 0.9},
            "tasks_per_job": {"kind": "constant", "value": 20},
            "duration_s": {"kind": "exponential", "mean": 20},
        },
        "scheduler": {"name": scheduler},
    }
