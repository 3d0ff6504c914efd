"""Numbers about waits, counted again from a recording: percentiles, captions, where and how long tasks wait."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.recording.track import numbers
from tests.recorded import Instant, Recorded

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}
FLOOR_NS = 1e3
PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")
PLACES = (
    "in queues of schedulers",
    "while the scheduler decides about them",
    "for a message",
    "in queues at machines",
)
_COLUMNS = ("framework", "processing", "communication", "worker")
_SPANS, _MOST_QUEUES, _FINE = 60, 12, 16


def either(form: Callable[[float], str], value: float) -> tuple[str, ...]:
    """A value as the page may write it: sums in another order end in another last digit."""
    return tuple(dict.fromkeys(form(value * (1 + by)) for by in (0, -1e-9, 1e-9)))


def percentile(edges: Any, bins: Any, share: float) -> float | None:
    """The wait below which a share of the tasks lies, by nearest rank, within its bin on a logarithmic scale."""
    tasks = int(bins.sum())
    if not tasks:
        return None
    rank = max(1, math.ceil(share * tasks))
    upto = np.cumsum(bins)
    place = int(np.searchsorted(upto, rank))
    low, high = _bounds(edges, place)
    part = (rank - (int(upto[place]) - int(bins[place]))) / int(bins[place])
    return low * (high / low) ** part if low > 0 else 0.0


def _bounds(edges: Any, place: int) -> tuple[float, float]:
    if place < len(edges) - 1:
        return float(edges[place]), float(edges[place + 1])
    ratio = edges[-1] / edges[-2] if len(edges) > 1 and edges[-2] > 0 else 2
    return float(edges[-1]), float(edges[-1] * ratio)


def within(now: Instant, limit_ns: float) -> float:
    """The share of tasks in the bins that end by a wait."""
    ends = np.array([max(FLOOR_NS, _bounds(now.edges, place)[1]) for place in range(len(now.edges))])
    filled = np.flatnonzero(now.bins)
    if not len(filled):
        return 0.0
    kept = (ends <= limit_ns * 1.0001) & (np.arange(len(ends)) >= filled[0])
    if max(FLOOR_NS, _bounds(now.edges, int(filled[0]))[0]) > limit_ns * 1.0001:
        return 0.0
    return float(now.bins[kept].sum() / now.bins.sum())


def round_wait(now: Instant) -> float:
    """The least of 1 ms, 10 ms, … within which half of the tasks started."""
    ns = 1e6
    while ns < 1e13 and within(now, ns) < 0.5:
        ns *= 10
    return ns


class Group(NamedTuple):
    """How many tasks of a group are in each part of their wait, on average over each span."""

    kind: str
    name: str
    tasks: int
    parts: Any


class Over(NamedTuple):
    """`of`: "track" or "density"."""

    of: str
    span_ns: float
    until_ns: float
    groups: list[Group]


def over(recorded: Recorded) -> Over | None:
    """Where tasks wait over the run's time, from each task's own times; from a density where there are none."""
    if recorded.track is not None and recorded.meta.get("work") and not recorded.track["left_out"]:
        return _of_track(recorded.track, recorded.meta["queues"])
    if recorded.density is None:
        return None
    found = recorded.density
    shape = (len(PARTS), found["spans"])
    groups = [
        Group(one["kind"], one["name"], 0, numbers(one["parts"]).reshape(shape) / _FINE) for one in found["waits"]
    ]
    return Over("density", found["span_ns"], found["spans"] * found["span_ns"], groups)


def _of_track(track: Any, queues: Any) -> Over:
    tasks, unit = track["tasks"], track["unit_ns"]
    until = max(1.0, track["until_ns"] / unit)
    borders = np.arange(_SPANS + 1) * until / _SPANS
    begin = numbers(tasks["arrival"]).astype(float)
    queue = np.frombuffer(tasks["queue"], np.uint8)
    spent = []
    for name in _COLUMNS:
        length = numbers(tasks[name]).astype(float)
        # How long each task has been in this part by each border.
        spent.append(np.array([np.clip(border - begin, 0, length) for border in borders]))
        begin = begin + length
    groups = [("all", "", np.ones(len(begin), bool))]
    if 1 < len(queues) <= _MOST_QUEUES:
        groups += [("queue", one["name"], queue == number) for number, one in enumerate(queues)]
    if tasks.get("long"):
        long = np.frombuffer(tasks["long"], np.uint8)
        groups += [("class", name, long == number) for number, name in enumerate(("short", "long"))]
    told = [
        Group(kind, name, int(has.sum()), np.array([np.diff(by[:, has].sum(axis=1)) for by in spent]) * _SPANS / until)
        for kind, name, has in groups
    ]
    return Over("track", until * unit / _SPANS, until * unit, told)


def rows_of(summary: Any) -> list[dict[str, Any]]:
    """The mean wait of each group of the summary, in its parts."""
    groups = (summary.get("waits") or {}).get("groups") or []
    found = []
    for one in groups:
        parts = [one["parts_s"][part] for part in PARTS]
        total = sum(parts)
        shares = [part / total if total > 0 else 0.0 for part in parts]
        found.append({**one, "mean_s": total / one["tasks"], "shares": shares})
    return found


def curve_ends(rows: Iterable[dict[str, Any]]) -> tuple[float, float] | None:
    """The ends of the axis under the curves of groups, in seconds; None with fewer than two groups."""
    several = [row for row in rows if row["kind"] != "all" and row["curve_s"]]
    if len(several) < 2:
        return None
    seconds = [wait for row in several for _, wait in row["curve_s"]]
    high = max(*seconds, 1e-3)
    return max(high / 1e5, min([*(one for one in seconds if one > 0), high / 10])), high
