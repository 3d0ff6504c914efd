"""Still pictures of signature runs, as SVG for both themes.

A picture shows what the view shows, and below it the number of waiting tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT = 240, 126
_TOP, _BASE = 84, 122
_BINS = 60
_FIRST, _SECOND, _LINE = "#448ae1", "#cb6c16", "#8b95a3"
_COLORS = (_FIRST, _SECOND, "#2b9f77", "#ba64b3", "#8b95a3")

Ints = npt.NDArray[np.int64]


def still(view: str, run: Any, neighbor: Any) -> str:
    """Return the picture of a run by its view; the dashed curve is how many tasks wait under the neighbor."""
    until = max(until_of(run), 1)
    draw: Callable[[Any, int], Iterable[str]] = _DRAWN.get(view, _machines)
    curve = waiting(run, until)
    other = waiting(neighbor, until)
    most = max(curve.max(initial=0), other.max(initial=0), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        *draw(run, until),
        f'<path d="{_curve(curve, most)}V{_BASE}H0Z" fill="{_LINE}" fill-opacity=".45"/>',
        f'<path d="{_curve(other, most)}" fill="none" stroke="{_LINE}" stroke-width="1.5" stroke-dasharray="3 3"/>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def until_of(run: Any) -> int:
    return int(run.tasks["end_ns"].max(initial=0))


def waiting(run: Any, until: int) -> Ints:
    """Return how many tasks have arrived and not started at the middle of each bin."""
    tasks = run.tasks
    at = (np.arange(_BINS) + 0.5) * until / _BINS
    start = np.where(tasks["first_start_ns"] < 0, np.iinfo(np.int64).max, tasks["first_start_ns"])
    arrived = np.searchsorted(np.sort(tasks["arrival_ns"]), at, "right")
    return np.asarray(arrived - np.searchsorted(np.sort(start), at, "right"), np.int64)


def _curve(values: Ints, most: int) -> str:
    points = (
        f"{(place + 0.5) * WIDTH / _BINS:.0f} {_BASE - (_BASE - _TOP - 6) * value / most:.1f}"
        for place, value in enumerate(values)
    )
    return "M0 " + str(_BASE) + "L" + "L".join(points)


def kinds_of(run: Any) -> Ints:
    """Return which tasks are of the second kind: of another queue, else of jobs with three times longer tasks."""
    tasks = run.tasks
    if tasks["queue"].max(initial=0) > 0:
        return np.asarray(tasks["queue"] > 0, np.int64)
    mean = np.asarray(run.jobs["mean_ns"])
    return np.asarray((mean > 3 * np.median(mean))[np.searchsorted(run.jobs["job"], tasks["job"])], np.int64)


def _machines(run: Any, until: int) -> Iterable[str]:
    """Return a row a machine, of some twenty: when it ran tasks, and of which kind."""
    tasks, kinds = run.tasks, kinds_of(run)
    ran = tasks["end_ns"] >= 0
    last = int(tasks["machine"].max(initial=0))
    chosen = np.unique(np.linspace(0, last, 20).astype(np.int64))
    step = (_TOP - 4) / len(chosen)
    for kind, color in ((0, _FIRST), (1, _SECOND)):
        bars = []
        for row, machine in enumerate(chosen):
            mine = np.flatnonzero(ran & (tasks["machine"] == machine) & (kinds == kind))
            for left, right in _spans(tasks["last_start_ns"][mine], tasks["end_ns"][mine], until):
                bars.append(f"M{left:.1f} {2 + row * step:.1f}H{right:.1f}")
        if bars:
            yield f'<path d="{"".join(bars)}" stroke="{color}" stroke-width="{step * 0.7:.1f}"/>'


def _spans(start: Any, end: Any, until: int) -> Iterable[tuple[float, float]]:
    """Yield periods as x coordinates; touching ones are joined."""
    open_from, open_to = -1.0, -1.0
    for one in np.argsort(start, kind="stable"):
        left, right = float(start[one]) * WIDTH / until, float(end[one]) * WIDTH / until
        if left <= open_to + 0.4:
            open_to = max(open_to, right)
            continue
        if open_to >= 0:
            yield open_from, open_to
        open_from, open_to = left, right
    if open_to >= 0:
        yield open_from, open_to


def _jobs(run: Any, until: int) -> Iterable[str]:
    """Return a row a job: a thin line while it waits for its first start, a bar until its last end."""
    tasks, jobs, kinds = run.tasks, run.jobs, kinds_of(run)
    shown = np.unique(np.linspace(0, len(jobs) - 1, 26).astype(np.int64))
    step = (_TOP - 4) / len(shown)
    for row, job in enumerate(shown):
        mine = tasks["job"] == jobs["job"][job]
        begun = tasks["first_start_ns"][mine]
        if not len(begun) or begun.min() < 0:
            continue
        y = 3 + row * step
        came, began, ended = (
            float(at) * WIDTH / until for at in (jobs["arrival_ns"][job], begun.min(), tasks["end_ns"][mine].max())
        )
        color = _SECOND if kinds[mine].any() else _FIRST
        yield f'<path d="M{came:.1f} {y:.1f}H{began:.1f}" stroke="{_LINE}" stroke-width="1"/>'
        yield f'<path d="M{began:.1f} {y:.1f}H{ended:.1f}" stroke="{color}" stroke-width="{step * 0.65:.1f}"/>'


def running_by_job(run: Any, until: int) -> list[Ints]:
    """Return how many tasks run at the bounds of bins: of the largest jobs one by one, and of all others together."""
    tasks = run.tasks
    at = (np.arange(_BINS + 1)) * until / _BINS
    largest = np.asarray(run.jobs["job"])[np.argsort(-np.asarray(run.jobs["tasks"]), kind="stable")][:4]
    groups = [tasks["job"] == job for job in largest] + [~np.isin(tasks["job"], largest)]
    return [
        np.searchsorted(np.sort(tasks["last_start_ns"][mine]), at, "right")
        - np.searchsorted(np.sort(tasks["end_ns"][mine]), at, "right")
        for mine in groups
    ]


def _shares(run: Any, until: int) -> Iterable[str]:
    """Yield running tasks over time as layers, of the largest jobs singly and of all others together."""
    counts = running_by_job(run, until)
    most = max(int(np.sum(counts, axis=0).max(initial=0)), 1)
    below = np.zeros(_BINS + 1)
    for count, color in zip(counts, _COLORS, strict=True):
        above = below + count
        there = [
            f"{place * WIDTH / _BINS:.0f} {_TOP - 4 - (_TOP - 8) * value / most:.1f}"
            for place, value in enumerate(above)
        ]
        back = [
            f"{place * WIDTH / _BINS:.0f} {_TOP - 4 - (_TOP - 8) * below[place] / most:.1f}"
            for place in range(_BINS, -1, -1)
        ]
        yield f'<path d="M{"L".join(there + back)}Z" fill="{color}" fill-opacity=".85"/>'
        below = above


def _flow(run: Any, until: int) -> Iterable[str]:
    """Yield some tasks on the left, in order of arrival, machines on the right, and lines between."""
    tasks, kinds = run.tasks, kinds_of(run)
    ran = np.flatnonzero(tasks["machine"] >= 0)
    shown = ran[np.unique(np.linspace(0, len(ran) - 1, 44).astype(np.int64))]
    last = max(int(tasks["machine"].max(initial=0)), 1)
    for place, task in enumerate(shown):
        left = 4 + (_TOP - 10) * place / max(len(shown) - 1, 1)
        right = 4 + (_TOP - 10) * int(tasks["machine"][task]) / last
        color = _SECOND if kinds[task] else _FIRST
        yield (
            f'<path d="M14 {left:.1f}C120 {left:.1f} 120 {right:.1f} 226 {right:.1f}" fill="none" stroke="{color}" '
            f'stroke-opacity=".8"/><circle cx="10" cy="{left:.1f}" r="1.6" fill="{color}"/>'
        )
    yield f'<path d="M230 2V{_TOP - 6}" stroke="{_LINE}" stroke-width="5"/>'


def _stages(run: Any, until: int) -> Iterable[str]:
    """Yield the stages with work as boxes, fuller with more operations."""
    stages = run.summary.get("pipeline", {}).get("stages", {})
    done = [one["operations"] for one in stages.values()] or [1]
    step = WIDTH / len(done)
    for place, amount in enumerate(done):
        tall = 6 + 62 * np.log1p(amount) / np.log1p(max(done))
        x = place * step + 3
        yield f'<rect x="{x:.1f}" y="8" width="{step - 6:.1f}" height="68" fill="none" stroke="{_LINE}"/>'
        yield f'<rect x="{x:.1f}" y="{76 - tall:.1f}" width="{step - 6:.1f}" height="{tall:.1f}" fill="{_FIRST}"/>'


_DRAWN: dict[str, Callable[[Any, int], Iterable[str]]] = {
    "gantt": _jobs,
    "given": _jobs,
    "shares": _shares,
    "turns": _shares,
    "flow": _flow,
    "stages": _stages,
}
