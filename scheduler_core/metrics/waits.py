"""Where waiting time goes: by its parts, for all tasks, each queue and each class, and how much was free meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scheduler_core.metrics import Finished

PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")
MOST_QUEUES = 12
MOST_TASKS = 1_000_000
"""With more tasks nothing is said of free capacity: that sorts every start and end."""
_CURVE = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100)

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def waits(run: Finished) -> dict[str, Any]:
    """Return a group for all tasks, each queue where there are several, and short and long jobs where they differ."""
    tasks = run.tasks
    counted = np.asarray((tasks["arrival_ns"] >= run.warmup_ns) & (tasks["first_start_ns"] >= 0))
    free_ns = _free_ns(run)
    groups = [("all", "", counted), *_queues(run, counted), *_classes(run, counted)]
    return {"groups": [_group(run, kind, name, mine, free_ns) for kind, name, mine in groups if mine.any()]}


def _queues(run: Finished, counted: Mask) -> list[tuple[str, str, Mask]]:
    if len(run.queues) < 2 or len(run.queues) > MOST_QUEUES:
        return []
    queue = run.tasks["queue"]
    return [("queue", name, counted & (queue == number)) for number, name in enumerate(run.queues)]


def _classes(run: Finished, counted: Mask) -> list[tuple[str, str, Mask]]:
    """Short and long jobs by the scheduler's cutoff, where there are both."""
    if run.short_cutoff_ns is None:
        return []
    short_job = np.asarray(run.jobs["mean_ns"]) <= run.short_cutoff_ns
    short = np.repeat(short_job, run.jobs["tasks"])
    if short.all() or not short.any():
        return []
    return [("class", "short", counted & short), ("class", "long", counted & ~short)]


def _group(run: Finished, kind: str, name: str, mine: Mask, free_ns: npt.NDArray[np.float64] | None) -> dict[str, Any]:
    tasks = run.tasks
    parts = {part: int(tasks[f"{part}_ns"][mine].sum()) / 1e9 for part in PARTS}
    waited = np.sort(tasks["first_start_ns"][mine] - tasks["arrival_ns"][mine])
    total = int(waited.sum())
    places = np.maximum(np.ceil(np.array(_CURVE) / 100 * len(waited)).astype(np.int64), 1) - 1
    free = None if free_ns is None or total == 0 else round(float(free_ns[mine].sum()) / total, 6)
    return {
        "kind": kind,
        "name": name,
        "tasks": len(waited),
        "parts_s": parts,
        "free": free,
        "curve_s": [[percent / 100, int(waited[place]) / 1e9] for percent, place in zip(_CURVE, places, strict=True)],
    }


def _free_ns(run: Finished) -> npt.NDArray[np.float64] | None:
    """For each task its wait weighted by the part of the scarcest resource that nobody used at the time."""
    tasks = run.tasks
    if len(tasks) > MOST_TASKS:
        return None
    whole = run.capacity.sum(axis=0).astype(np.float64)
    ran = np.flatnonzero((tasks["end_ns"] >= 0) | run.running)
    used = run.demand[ran].sum(axis=0) / np.maximum(whole, 1)
    scarce = int(np.argmax(used))
    if not len(ran) or whole[scarce] <= 0:
        return None
    start = tasks["last_start_ns"][ran]
    end = np.where(run.running[ran], run.now_ns, tasks["end_ns"][ran])
    at, step = np.concatenate([start, end]), np.concatenate([run.demand[ran, scarce], -run.demand[ran, scarce]])
    order = np.argsort(at, kind="stable")
    at = at[order].astype(np.float64)
    busy = np.cumsum(step[order]) / whole[scarce]
    # The integral of what is free, from 0 on; before the first start all is.
    gone = np.concatenate([[at[0]], at[0] + np.cumsum(np.diff(at) * (1 - np.clip(busy[:-1], 0, 1)))])
    knots, values = np.concatenate([[0.0], at]), np.concatenate([[0.0], gone])
    until = np.where(tasks["first_start_ns"] < 0, tasks["arrival_ns"], tasks["first_start_ns"])
    return np.asarray(np.interp(until, knots, values) - np.interp(tasks["arrival_ns"], knots, values))
