"""Split wait time into its components for all tasks, each queue and each class, and measure idle capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel
from scheduler_core.metrics.percentiles import Ordered

if TYPE_CHECKING:
    from scheduler_core.metrics import Finished

PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")
MOST_QUEUES = 12
_SLICES = 8192
"""Number of slices of the run at whose ends free capacity is known; between them it is assumed to change evenly."""
CURVE = (1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 100.0)
"""Percentiles of the curve of wait times."""

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def wait_groups(run: Finished) -> dict[str, Any]:
    """Return a group for all tasks, each queue where there are several, and short and long jobs where they differ."""
    if run.waited is None:
        return {"groups": []}
    counted, free_ns = run.counted_starts, _free_ns(run)
    totals = {part: ordered.total for part, ordered in run.delay_parts.items()}
    groups = [_group("all", "", run.waited, totals, _free(run.waited, free_ns, counted))]
    some = [*_queues(run, counted), *_classes(run, counted)]
    waits_ns = run.tasks["first_start_ns"] - run.tasks["arrival_ns"] if some else None
    for kind, name, mine in some:
        if waits_ns is not None and mine.any():
            waited = Ordered(waits_ns[mine], CURVE)
            groups.append(_group(kind, name, waited, _totals(run, mine), _free(waited, free_ns, mine)))
    run.tasks.forget(*(f"{part}_ns" for part in PARTS))  # later metrics do not read them: 32 bytes a task
    return {"groups": groups}


def _queues(run: Finished, counted: Mask) -> list[tuple[str, str, Mask]]:
    if len(run.queues) < 2 or len(run.queues) > MOST_QUEUES:
        return []
    queue = run.tasks["queue"]
    return [("queue", name, counted & (queue == number)) for number, name in enumerate(run.queues)]


def _classes(run: Finished, counted: Mask) -> list[tuple[str, str, Mask]]:
    """Return short and long jobs by the scheduler's cutoff, if there are both."""
    if run.short_cutoff_ns is None:
        return []
    short_job = np.asarray(run.jobs["mean_ns"]) <= run.short_cutoff_ns
    short = np.repeat(short_job, run.jobs["tasks"])
    if short.all() or not short.any():
        return []
    return [("class", "short", counted & short), ("class", "long", counted & ~short)]


def _group(kind: str, name: str, waited: Ordered, totals: dict[str, int], free: float | None) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name,
        "tasks": len(waited),
        "parts_s": {part: totals[part] / 1e9 for part in PARTS},
        "free": free,
        "curve_s": [[percent / 100, waited.at(percent) / 1e9] for percent in CURVE],
    }


def _free(waited: Ordered, free_ns: Floats | None, mine: Mask) -> float | None:
    """Return which fraction of the scarcest resource was free while some tasks waited."""
    if free_ns is None or waited.total == 0:
        return None
    rows = free_ns if len(waited) == len(mine) else free_ns[mine]
    return round(float(rows.sum()) / waited.total, 6)


@kernel
def _add_parts(mine, parts, high, low) -> None:  # type: ignore[no-untyped-def]
    """Add the parts of some tasks' delays: the upper bits and the lower 32, so that no sum overflows."""
    for i in range(len(mine)):
        if mine[i]:
            for p in range(len(high)):
                high[p] += parts[p][i] >> 32
                low[p] += parts[p][i] & 0xFFFFFFFF


def _totals(run: Finished, mine: Mask) -> dict[str, int]:
    """Return the exact sum of each part of the delays of some tasks, in ns."""
    high, low = np.zeros(len(PARTS), np.int64), np.zeros(len(PARTS), np.int64)
    _add_parts(mine, tuple(run.tasks[f"{part}_ns"] for part in PARTS), high, low)
    return {part: (int(high[p]) << 32) + int(low[p]) for p, part in enumerate(PARTS)}


@kernel
def _add_levels(start, end, running, now_ns, width, kind, amount, level) -> None:  # type: ignore[no-untyped-def]
    """Add each task's amount to the slice of its start, and take it away in that of its end; both are whole numbers."""
    for i in range(len(kind)):
        if end[i] >= 0 or running[i]:
            until = now_ns if running[i] else end[i]
            # A launch may be on its way when the run ends.
            level[min(start[i], until) // width] += amount[kind[i]]
            level[until // width] -= amount[kind[i]]


@kernel
def _free_between(arrival, first_start, now_ns, width, gone, busy, free_ns) -> None:  # type: ignore[no-untyped-def]
    """Write the integral of what was free between each task's arrival and its first start, both at most now."""
    for i in range(len(arrival)):
        since = min(arrival[i], now_ns)  # later ones had not come when the run ended
        until = since if first_start[i] < 0 else min(first_start[i], now_ns)
        place = until // width
        up_to = gone[place] + (1 - busy[place]) * (until - place * width)
        place = since // width
        free_ns[i] = up_to - (gone[place] + (1 - busy[place]) * (since - place * width))


def _free_ns(run: Finished) -> Floats | None:
    """Return each task's wait, weighted by the part of the scarcest resource without use meanwhile."""
    tasks, running = run.tasks, run.running
    whole = run.capacity.sum(axis=0).astype(np.float64)
    ran = run.have_ended | running
    used = np.bincount(run.kind[ran], minlength=len(run.demands)) @ run.demands / np.maximum(whole, 1)
    scarce = int(np.argmax(used))
    if not ran.any() or whole[scarce] <= 0:
        return None
    latest = max(int(tasks["end_ns"].max()), int(run.now_ns) if running.any() else 0, 0)
    width = max(latest, int(run.now_ns)) // _SLICES + 1
    level, amount = np.zeros(_SLICES + 1, np.int64), np.ascontiguousarray(run.demands[:, scarce])
    _add_levels(tasks["last_start_ns"], tasks["end_ns"], running, run.now_ns, width, run.kind, amount, level)
    held = np.cumsum(level).astype(np.float64)
    busy = np.clip((held + np.concatenate([[0.0], held[:-1]])) / 2 / whole[scarce], 0, 1)
    gone = np.concatenate([[0.0], np.cumsum((1 - busy) * width)])  # the integral of what is free, by slice
    free_ns = np.empty(len(tasks))
    _free_between(tasks["arrival_ns"], tasks["first_start_ns"], run.now_ns, width, gone, busy, free_ns)
    return free_ns
