"""A row about the editors: from a key on a bar or a knob until the page has drawn what the server answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.browser import SIZE, browsing
from bench.live.server import serving
from bench.measured import Measured
from scheduler_core import Experiment, constraint_preview, workload_preview

_EDITS, _WARM = 60, 5
_EXPERIMENT = {
    "schema_version": 1,
    "topology": {
        "global_masters": 4,
        "clusters": [
            {"name": "lm", "repeat": 8, "constraint_mix": "google-a", "machines": [{"count": 1_250, "cpus": 4}]}
        ],
    },
    "constraints": {"catalogue": "megha-21", "task_share": 0.5},
    "workload": {
        "kind": "synthetic",
        "tasks": 120_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "lognormal", "median": 20, "sigma": 1, "max": 400},
        "duration_s": {"kind": "lognormal", "median": 4, "sigma": 0.6, "max": 30},
    },
    "scheduler": {"name": "megha"},
}
_FIELDS = {
    "constraints": "[data-constraint=c05] .offer-bar-offer",
    "workload": ".editor .knob[data-path='workload.arrivals.offered_load'] input[type=range]",
}
# Notes when a key was pressed, and when the picture of the answer to it was on its way to the screen.
_NOTE = """() => {
  const editor = document.querySelector('.editor');
  window.edits = [];
  let pressed = null;
  document.addEventListener('keydown', (event) => { pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (pressed === null) return;
    const began = pressed;
    pressed = null;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.edits.push(performance.now() - began);
      port2.postMessage(0);
    });
  }).observe(editor, { attributes: true, attributeFilter: ['data-shown'] });
}"""


def editing() -> Callable[[int], Measured]:
    """Milliseconds that 95 of 100 edits of 10,000 machines' constraints or work take, input and browser included."""

    def measure(repeats: int) -> Measured:
        # What the web process only loads has to be compiled; here no worker does that for it.
        experiment = Experiment.parse(_EXPERIMENT)
        constraint_preview(experiment)
        workload_preview(experiment)
        with serving() as server, browsing() as browser:
            found = [{name: _edits(browser, server.url, name) for name in _FIELDS} for _ in range(min(repeats, 3))]
        parts = [
            f"{name} p50 {one[len(one) // 2]:.0f}, p95 {_p95(one):.0f}, most {one[-1]:.0f} ms"
            for name, one in found[0].items()
        ]
        return Measured(tuple(max(map(_p95, each.values())) for each in found), "10,000 machines; " + "; ".join(parts))

    return measure


def _p95(ordered: list[float]) -> float:
    return ordered[int(len(ordered) * 0.95)]


def _edits(browser: Any, address: str, name: str) -> list[float]:
    """Press a key many times, each when the picture of the one before is there; ascending milliseconds."""
    page = browser.new_page(viewport=SIZE)
    # Made by this browser, which may then change it.
    made = page.request.post(f"{address}/api/v1/experiments", data=_EXPERIMENT).json()
    page.goto(f"{address}/studio/{made['id']}")
    page.locator(f"[data-edit={name}]").click()
    page.wait_for_selector(".editor[data-shown]", timeout=120_000)
    page.evaluate(_NOTE)
    page.locator(_FIELDS[name]).focus()
    for number in range(_EDITS + _WARM):
        page.keyboard.press("ArrowRight" if number % 2 else "ArrowLeft")
        page.wait_for_function("n => window.edits.length > n", arg=number, timeout=30_000, polling=20)
    times = sorted(page.evaluate("() => window.edits")[_WARM:])
    page.close()
    return times
