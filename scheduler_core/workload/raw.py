"""What every source of work hands over, before queues are assigned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scheduler_core.limits import Limits

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class RawWork:
    """Jobs in their source's order, tasks job by job; all arrays int64.

    `queue` holds an index into `queue_names` for each job, -1 for none. `demand` holds an index for each task into
    `demands`, whose entries map a resource to thousandths; None where the source does not say.
    """

    arrival_ns: Ints
    tasks: Ints
    mean_ns: Ints
    duration_ns: Ints
    queue_names: tuple[str, ...] = ()
    queue: Ints | None = None
    demands: tuple[dict[str, int], ...] = ()
    demand: Ints | None = None
    notes: tuple[str, ...] = ()


def in_arrival_order(raw: RawWork) -> RawWork:
    """Sort the jobs by arrival, those that arrive together in the source's order."""
    arrival = raw.arrival_ns
    if len(arrival) < 2 or bool((arrival[1:] >= arrival[:-1]).all()):
        return raw
    order = np.argsort(arrival, kind="stable")
    first = np.cumsum(raw.tasks) - raw.tasks
    tasks = raw.tasks[order]
    moved = np.repeat(first[order] - (np.cumsum(tasks) - tasks), tasks) + np.arange(int(tasks.sum()), dtype=np.int64)
    late = int((arrival[1:] < arrival[:-1]).sum())
    return RawWork(
        arrival_ns=arrival[order],
        tasks=tasks,
        mean_ns=raw.mean_ns[order],
        duration_ns=raw.duration_ns[moved],
        queue_names=raw.queue_names,
        queue=None if raw.queue is None else raw.queue[order],
        demands=raw.demands,
        demand=None if raw.demand is None else raw.demand[moved],
        notes=(*raw.notes, f"Jobs were sorted by arrival: {late:,} arrived before the one above them."),
    )


@dataclass(frozen=True)
class TraceReader:
    """A format of trace files: how to recognise it by its first bytes (unpacked) and how to read it."""

    name: str
    label: str
    help: str
    suffixes: tuple[str, ...]
    has_queues: bool
    sniff: Callable[[bytes], bool]
    read: Callable[[Path, Limits], RawWork]
