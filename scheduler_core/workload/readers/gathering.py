"""Gather rows of tasks, in any order, into jobs.

A row costs 24 bytes and what more its format says of it; arrays are dropped as soon as the next is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.errors import Problem, TraceError
from scheduler_core.experiment.fields import LONGEST_S
from scheduler_core.limits import Limits
from scheduler_core.workload.raw import Asked, Ints, LeftOut, RawWork, sorted_by_arrival
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.graphs import Arranged, Edges, Waits, arranged
from scheduler_core.workload.readers.table import Skipped

if TYPE_CHECKING:
    from scheduler_core.workload.readers.table import Table
    from scheduler_core.workload.stages import RawStages

NONE = np.iinfo(np.int64).max
LATEST_S = 9_000_000_000.0
"""Times up to here, dates for one, are read; what is later than LONGEST_S is counted from the first arrival."""
_FEWEST_ROWS = 1 << 18
_LIVES = ("key", "submit", "start", "end", "row")
_NOT_SAID = {"cpus": 1000}
_SMALL = ("job", "count", "kind", "stage")
_32_BITS = np.iinfo(np.int32)


@dataclass
class Tasks:
    """Rows of tasks: the job's number, its arrival, the run time of the row's tasks, and optional fields."""

    limits: Limits
    total: int = 0
    rows: int = 0
    edges: Edges = field(init=False)
    columns: dict[str, list[Ints]] = field(default_factory=dict)
    kinds: dict[tuple[int, ...], int] = field(default_factory=dict)
    resources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Begin with no edges."""
        self.edges = Edges(self.limits)

    def add(
        self,
        job: Ints,
        arrival_ns: Ints,
        duration_ns: Ints,
        *,
        count: Ints | None = None,
        demand: Mapping[str, Ints] | None = None,
        queue: Ints | None = None,
        asks: Ints | None = None,
        stage: Ints | None = None,
        waits: Waits | None = None,
    ) -> None:
        """Add rows that have the same columns. Raise TraceError past the limit.

        Columns: number of tasks, thousandths of each resource (-1: not given), queue (-1: none), bits of constraints,
        number of the stage in its job, edges.
        """
        self.total += len(job) if count is None else int(count.sum(dtype=np.float64))
        if (over := self.limits.exceeded("tasks", self.total, "")) is not None:
            raise TraceError([over])
        given = {
            "job": job,
            "arrival": arrival_ns,
            "duration": duration_ns,
            "count": count,
            "queue": queue,
            "asks": asks,
            "kind": self._kind(demand) if demand else None,
            "stage": stage,
        }
        if waits is not None:
            self.edges.add(waits, self.rows)
        self.rows += len(job)
        for name, column in given.items():
            if column is not None:
                self.columns.setdefault(name, []).append(_narrow(column) if name in _SMALL else column)

    def _kind(self, demand: Mapping[str, Ints]) -> Ints:
        """Assign numbers to the distinct demands."""
        self.resources = tuple(demand)
        if len(demand) == 1:  # the same ten times as fast
            values, of_row = np.unique(next(iter(demand.values())), return_inverse=True)
            kinds = values.reshape(-1, 1)
        else:
            kinds, of_row = np.unique(np.stack(list(demand.values()), axis=1), axis=0, return_inverse=True)
        numbers = [self.kinds.setdefault(tuple(kind), len(self.kinds)) for kind in kinds.tolist()]
        of_kind: Ints = np.array(numbers, np.int64)
        return of_kind[of_row.reshape(-1)]

    def work(
        self,
        notes: tuple[str, ...],
        queue_names: tuple[str, ...] = (),
        *,
        table: Table | None = None,
        left_out: tuple[LeftOut, ...] = (),
        asked: tuple[Asked, ...] = (),
    ) -> RawWork:
        """Return the jobs in the order of their arrival (the earliest of their rows). Raises TraceError.

        `table` is the source of the rows: it knows the skipped rows and the lines of rows.
        """
        if table is not None:
            notes, left_out = (*notes, *table.skipped.notes), (*left_out, *table.skipped.left_out)
        if not self.total:
            reasons = "; ".join(notes)
            raise TraceError(
                [Problem("", f"holds no task that can be run{': ' + reasons if reasons else ''}", "at least one")]
            )
        graph = self._graph()
        if graph is not None and table is not None:
            dropped = _dropped(graph, table.line_of)
            notes, left_out = (*notes, *_kept(graph), *dropped.notes), (*left_out, *dropped.left_out)
        job = self._taken("job")
        order = _by_job(job) if graph is None else graph.order
        job = job if order is None else job[order]
        first = np.flatnonzero(np.concatenate([[True], job[1:] != job[:-1]]))
        del job
        if (over := self.limits.exceeded("jobs", len(first), "")) is not None:
            raise TraceError([over])
        arrival, shifted = _from_the_first(np.minimum.reduceat(self._taken("arrival", order), first))
        count = self._taken("count", order) if "count" in self.columns else None
        if count is not None and int(count.max()) == 1:
            count = None
        ends = np.append(first, self.total)
        tasks = np.diff(ends) if count is None else np.add.reduceat(count, first, dtype=np.int64)
        duration = self._taken("duration", order)
        work = duration.astype(np.float64)
        mean = np.add.reduceat(work if count is None else work * count, first) / tasks
        del work
        said = any(amount >= 0 for kind in self.kinds for amount in kind)
        raw = RawWork(
            arrival,
            tasks.astype(np.int64),
            mean.astype(np.int64),
            _repeated(duration, count),
            queue_names=queue_names,
            queue=self._taken("queue", order)[first].astype(np.int64) if queue_names else None,
            demands=tuple(self._demand(kind) for kind in self.kinds) if said else (),
            demand=_repeated(self._taken("kind", order), count).astype(np.int64) if said else None,
            notes=(*notes, *shifted),
            left_out=left_out,
            asked=asked,
            asks=_repeated(self._taken("asks", order), count) if asked else None,
            stages=None if graph is None else _stages(graph, count),
        )
        del order, graph, duration, count
        return sorted_by_arrival(raw, arrival)[0]

    def _graph(self) -> Arranged | None:
        """Return the order of rows by their dependencies, or None without any."""
        if not self.edges.total:
            self.columns.pop("stage", None)
            return None
        for name in ("job", "kind"):
            if name in self.columns:
                self.columns[name] = [self._taken(name)]
        kind = self.columns.get("kind")
        return arranged(self.columns["job"][0], self._taken("stage"), kind[0] if kind else None, self.edges)

    def _taken(self, name: str, order: Ints | None = None) -> Ints:
        """Put a column together and forget its parts."""
        parts = self.columns.pop(name)
        column = parts[0] if len(parts) == 1 else np.concatenate(parts)
        del parts
        return column if order is None else column[order]

    def _demand(self, kind: tuple[int, ...]) -> dict[str, int]:
        pairs = zip(self.resources, kind, strict=True)
        return {name: amount if amount >= 0 else _NOT_SAID.get(name, 0) for name, amount in pairs}


def _narrow(column: Ints) -> Ints:
    """Return a column in 32 bits if its numbers fit, which halves the memory in most traces."""
    fits = _32_BITS.min <= column.min(initial=0) and column.max(initial=0) <= _32_BITS.max
    return column.astype(np.int32) if fits else column


def _by_job(job: Ints) -> Ints | None:
    """Return the order that puts rows of one job together; None if they already are."""
    return None if bool((job[1:] >= job[:-1]).all()) else np.argsort(job, kind="stable")


def _kept(graph: Arranged) -> tuple[str, ...]:
    if graph.stages is None:
        return ()
    edges, stages = len(graph.stages.parents), len(graph.stages.tasks)
    return (f"Jobs are graphs: {edges:,} edges say which of {stages:,} stages wait for which.",)


def _dropped(graph: Arranged, line_of: Callable[[int], int]) -> Skipped:
    """Return the dropped edges, counted by kind, with the line of the first of each kind."""
    dropped = Skipped("edges dropped")
    for kind, count, row in graph.dropped:
        dropped.add(kind, count, line_of(row))
    return dropped


def _stages(graph: Arranged, count: Ints | None) -> RawStages | None:
    """Return the stages with their tasks counted."""
    if graph.stages is None or count is None:
        return graph.stages
    return replace(graph.stages, tasks=np.bincount(graph.of_row, count).astype(np.int64))


def _repeated(column: Ints, count: Ints | None) -> Ints:
    return column if count is None else np.repeat(column, count)


def _from_the_first(arrival_ns: Ints) -> tuple[Ints, tuple[str, ...]]:
    """Count dates, which are too late to be seconds of a run, from the first arrival; raises TraceError."""
    first, last = int(arrival_ns.min()), int(arrival_ns.max())
    if last <= LONGEST_S * NS:
        return arrival_ns, ()
    if last - first > LONGEST_S * NS:
        raise TraceError(
            [
                Problem(
                    "",
                    f"spans {(last - first) / NS:,.0f} s",
                    f"at most {LONGEST_S:,.0f} s",
                    "check if the times are in another unit",
                )
            ]
        )
    return arrival_ns - first, (f"Times count from the first arrival, which the file has at {first / NS:,.3f} s.",)


@dataclass
class Lives:
    """Known fields of each task from its events: key, submission, last start, end and first row."""

    key: Ints
    submit: Ints
    start: Ints
    end: Ints
    row: Ints

    def merged(self) -> Lives:
        """Merge all events of a task into one: the first submission, the last start, the last end."""
        order = np.argsort(self.key)
        key = self.key[order]
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        return Lives(
            key[first],
            np.minimum.reduceat(self.submit[order], first),
            np.maximum.reduceat(self.start[order], first),
            np.maximum.reduceat(self.end[order], first),
            np.minimum.reduceat(self.row[order], first),
        )


def _no_lives() -> Lives:
    return Lives(*(np.empty(0, np.int64) for _ in range(5)))


@dataclass
class Events:
    """Events of tasks, merged as they come, in order of the keys: memory grows with tasks and not with events."""

    limits: Limits
    known: Lives = field(default_factory=_no_lives)
    waiting: list[Lives] = field(default_factory=list)
    rows: int = 0

    def add(self, lives: Lives) -> None:
        """Add a block; raises TraceError past the limit."""
        self.waiting.append(lives)
        self.rows += len(lives.key)
        # Each merge goes over all known jobs, so blocks wait until they are a fair part of them.
        if self.rows > max(_FEWEST_ROWS, len(self.known.key) // 8):
            self.merge()

    def merge(self) -> Lives:
        """Return one row per task. Raises TraceError above the limit."""
        new = _merged(self.waiting)
        self.rows = 0
        known = self.known
        at = np.searchsorted(known.key, new.key)
        met = np.zeros(len(at), np.bool_)
        inside = at < len(known.key)
        met[inside] = known.key[at[inside]] == new.key[inside]
        there, fresh = at[met], ~met
        known.submit[there] = np.minimum(known.submit[there], new.submit[met])
        for name in ("start", "end"):
            column = getattr(known, name)
            column[there] = np.maximum(column[there], getattr(new, name)[met])
        if fresh.any():
            for name in _LIVES:
                setattr(known, name, np.insert(getattr(known, name), at[fresh], getattr(new, name)[fresh]))
        if (over := self.limits.exceeded("tasks", len(known.key), "")) is not None:
            raise TraceError([over])
        return known


def _merged(parts: list[Lives]) -> Lives:
    """Make one of blocks, which are forgotten: one row per task."""
    if not parts:
        return _no_lives()
    columns = [np.concatenate([getattr(part, name) for part in parts]) for name in _LIVES]
    parts.clear()
    lives = Lives(*columns)
    return lives.merged() if len(lives.key) else lives
