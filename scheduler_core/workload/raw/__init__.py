"""The common form of workloads from every source, before the assignment of jobs to queues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scheduler_core.limits import Limits
from scheduler_core.workload.raw.columns import Columns
from scheduler_core.workload.raw.standing import RawStanding
from scheduler_core.workload.stages import RawStages, moved_rows

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class LeftOut:
    """Skipped rows (or tasks) of a source: what is wrong with them, how many, and the first one's line."""

    kind: str
    count: int
    first_line: int


@dataclass(frozen=True)
class Asked:
    """A constraint that tasks of a trace request: an attribute of machines, a comparison, and a value.

    `machine_share` is the share of the trace's machines that satisfy it; None if the trace does not say.
    """

    name: str
    attribute: str
    comparison: str
    value: str
    machine_share: float | None = None


@dataclass(frozen=True)
class RawWork:
    """Jobs in their source's order, tasks job by job. All arrays are int64; times are in ns.

    - `queue`: for each job an index into `queue_names`, -1 for none.
    - `demand`: for each task an index into `demands`, which map a resource to thousandths; None if not recorded.
    - `asks`: for each task the bits of its constraints in `asked`; None if the source records no constraints.
    - `stages`: the dependencies between tasks; None if there are none.
    - `priority`: of each task, -1 for none; None if the source records none.
    - `gang`: 1 for each job whose tasks must start together; None if there is no such job.
    - `started_ns`: when each task started where the work was recorded, -1 for none; None if the source does not say.
    - `standing`: which tasks run at time 0, and which have no known end; None if the source has no such tasks.
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
    left_out: tuple[LeftOut, ...] = ()
    asks: Ints | None = None
    asked: tuple[Asked, ...] = ()
    stages: RawStages | None = None
    priority: Ints | None = None
    gang: Ints | None = None
    standing: RawStanding | None = None
    started_ns: Ints | None = None


def in_arrival_order(raw: RawWork) -> RawWork:
    """Return the jobs sorted by arrival; jobs that arrive together keep the source's order."""
    arrival = raw.arrival_ns
    late = int((arrival[1:] < arrival[:-1]).sum())
    if not late:
        return raw
    note = f"Jobs were sorted by arrival: {late:,} arrived before the one above them."
    return replace(sorted_by_arrival(raw, arrival)[0], notes=(*raw.notes, note))


def sorted_by_arrival(raw: RawWork, of_job: Ints) -> tuple[RawWork, Ints]:
    """Return the jobs sorted stably by arrival, and a column of the jobs in the same order."""
    if not bool((raw.arrival_ns[1:] < raw.arrival_ns[:-1]).any()):
        return raw, of_job
    order = np.argsort(raw.arrival_ns, kind="stable")
    moved = moved_rows(raw.tasks, order)
    work = replace(
        raw,
        arrival_ns=raw.arrival_ns[order],
        tasks=raw.tasks[order],
        mean_ns=raw.mean_ns[order],
        duration_ns=raw.duration_ns[moved],
        queue=None if raw.queue is None else raw.queue[order],
        demand=None if raw.demand is None else raw.demand[moved],
        asks=None if raw.asks is None else raw.asks[moved],
        stages=None if raw.stages is None else raw.stages.in_order(order),
        priority=None if raw.priority is None else raw.priority[moved],
        gang=None if raw.gang is None else raw.gang[order],
        standing=None if raw.standing is None else raw.standing.moved(moved),
        started_ns=None if raw.started_ns is None else raw.started_ns[moved],
    )
    return work, of_job[order]


@dataclass(frozen=True)
class Beside:
    """Additional input of a reader: a mapping of columns, and further tables of the same trace."""

    columns: Columns | None = None
    constraints: Path | None = None
    machine_attributes: Path | None = None


@dataclass(frozen=True)
class TraceReader:
    """A format of trace files: how to recognize it by its first bytes (unpacked) and how to read it.

    `sniff_file` examines the file itself, for formats that the first bytes do not identify. `read_beside` reads with
    additional input; `beside` names which of it the format takes.
    """

    name: str
    label: str
    help: str
    suffixes: tuple[str, ...]
    has_queues: bool
    sniff: Callable[[bytes], bool]
    read: Callable[[Path, Limits], RawWork]
    sniff_file: Callable[[Path], bool] | None = None
    read_beside: Callable[[Path, Limits, Beside], RawWork] | None = None
    beside: tuple[str, ...] = ()
