"""Split wait time into its components for all tasks, each queue and each class, and measure idle capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scheduler_core.metrics import Finished

PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")
MOST_QUEUES = 12
_SLICES = 8192
"""Number of slices of the run at whose ends free capacity is known; between them it is assumed to change evenly."""
_CURVE = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100)

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def wait_groups(run: Finished) -> dict[str, Any]:
    """Return a group for all tasks, each queue where there are several, and short and long jobs where they differ."""
    tasks = run.tasks
    counted = np.asarray((tasks["arrival_ns"] >= run.warmup_ns) & (tasks["first_start_ns"] >= 0))
    # Whole columns once: rows of a table lie far apart.
    columns = {name: np.ascontiguousarray(tasks[f"{name}_ns"]) for name in (*PARTS, "first_start", "arrival")}
    columns["wait"] = columns["first_start"] - columns["arrival"]
    free_ns = _free_ns(run)
    groups = [("all", "", counted), *_queues(run, counted), *_classes(run, counted)]
    return {"groups": [_group(columns, kind, name, mine, free_ns) for kind, name, mine in groups if mine.any()]}


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


def _group(
    columns: dict[str, Ints], kind: str, name: str, mine: Mask, free_ns: npt.NDArray[np.float64] | None
) -> dict[str, Any]:
    rows = slice(None) if mine.all() else np.flatnonzero(mine)
    waited = columns["wait"][rows]
    total = int(waited.sum())
    places = np.maximum(np.ceil(np.array(_CURVE) / 100 * len(waited)).astype(np.int64), 1) - 1
    ordered = np.partition(waited, np.unique(places))
    free = None if free_ns is None or total == 0 else round(float(free_ns[rows].sum()) / total, 6)
    return {
        "kind": kind,
        "name": name,
        "tasks": len(waited),
        "parts_s": {part: int(columns[part][rows].sum()) / 1e9 for part in PARTS},
        "free": free,
        "curve_s": [[percent / 100, int(ordered[place]) / 1e9] for percent, place in zip(_CURVE, places, strict=True)],
    }


def _free_ns(run: Finished) -> npt.NDArray[np.float64] | None:
    """Return each task's wait, weighted by the part of the scarcest resource without use meanwhile."""
    tasks = run.tasks
    whole = run.capacity.sum(axis=0).astype(np.float64)
    ran = np.flatnonzero((tasks["end_ns"] >= 0) | run.running)
    used = run.demand[ran].sum(axis=0) / np.maximum(whole, 1)
    scarce = int(np.argmax(used))
    if not len(ran) or whole[scarce] <= 0:
        return None
    end = np.where(run.running[ran], run.now_ns, tasks["end_ns"][ran])
    start = np.minimum(tasks["last_start_ns"][ran], end)  # a launch may be on its way when the run ends
    width = max(int(end.max(initial=0)), int(run.now_ns)) // _SLICES + 1
    level = _level(start // width, run.demand[ran, scarce])
    level -= _level(end // width, run.demand[ran, scarce])
    busy = np.clip((level + np.concatenate([[0.0], level[:-1]])) / 2 / whole[scarce], 0, 1)
    gone = np.concatenate([[0.0], np.cumsum((1 - busy) * width)])  # the integral of what is free, by slice
    arrival = np.minimum(tasks["arrival_ns"], run.now_ns)  # later ones had not come when the run ended
    until = np.where(tasks["first_start_ns"] < 0, arrival, np.minimum(tasks["first_start_ns"], run.now_ns))
    return _at(gone, busy, width, until) - _at(gone, busy, width, arrival)


def _level(place: Ints, amount: Ints) -> npt.NDArray[np.float64]:
    """Return how much has come by the end of each slice."""
    return np.cumsum(np.bincount(place, amount.astype(np.float64), _SLICES + 1))


def _at(
    gone: npt.NDArray[np.float64], busy: npt.NDArray[np.float64], width: int, t_ns: Ints
) -> npt.NDArray[np.float64]:
    """Return the integral up to each instant."""
    place = t_ns // width
    return np.asarray(gone[place] + (1 - busy[place]) * (t_ns - place * width))
