"""Gathers rows of tasks into jobs, whatever order they come in."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from scheduler_core.errors import Problem, TraceError
from scheduler_core.limits import Limits
from scheduler_core.workload.raw import Ints, RawWork

NONE = np.iinfo(np.int64).max
_COMPACT_ROWS = 1 << 21


@dataclass
class Tasks:
    """Rows of tasks: the job's number, its arrival, how long the row's tasks run, how many they are, thousandths of
    CPUs (-1: not said)."""

    limits: Limits
    parts: list[tuple[Ints, ...]] = field(default_factory=list)
    total: int = 0

    def add(self, job: Ints, arrival_ns: Ints, duration_ns: Ints, count: Ints | None = None,
            cpus: Ints | None = None, queue: Ints | None = None) -> None:
        """Add rows."""
        ones, none = np.ones(len(job), np.int64), np.full(len(job), -1, np.int64)
        self.total += len(job) if count is None else int(count.sum(dtype=np.float64))
        if (over := self.limits.exceeded("tasks", self.total, "")) is not None:
            raise TraceError([over])
        self.parts.append((job, arrival_ns, duration_ns, ones if count is None else count,
                           none if cpus is None else cpus, none if queue is None else queue))

    def work(self, notes: tuple[str, ...], queue_names: tuple[str, ...] = ()) -> RawWork:
        """Give the jobs in the order of their arrival (the earliest of their rows); raises TraceError."""
        if not self.total:
            skipped = "; ".join(notes)
            raise TraceError([Problem("", f"holds no task that can be run{': ' + skipped if skipped else ''}",
                                      "at least one")])
        columns = (np.concatenate(column) for column in zip(*self.parts, strict=True))
        job, arrival, duration, count, cpus, queue = columns
        self.parts.clear()
        order = np.argsort(job, kind="stable")
        job, arrival, duration, count = job[order], arrival[order], duration[order], count[order]
        first = np.flatnonzero(np.concatenate([[True], job[1:] != job[:-1]]))
        if (over := self.limits.exceeded("jobs", len(first), "")) is not None:
            raise TraceError([over])
        arrives = np.minimum.reduceat(arrival, first)
        tasks = np.add.reduceat(count, first)
        mean = np.add.reduceat(duration.astype(np.float64) * count, first) / tasks
        kinds, kind = np.unique(cpus[order], return_inverse=True)
        said = bool((kinds >= 0).any())
        raw = RawWork(
            arrives, tasks, mean.astype(np.int64), np.repeat(duration, count), queue_names=queue_names,
            queue=queue[order][first] if queue_names else None,
            demands=tuple({"cpus": int(amount) if amount >= 0 else 1000} for amount in kinds) if said else (),
            demand=np.repeat(kind.reshape(-1).astype(np.int64), count) if said else None, notes=notes,
        )
        from scheduler_core.workload.raw import sorted_by_arrival

        return sorted_by_arrival(raw, arrives)[0]


@dataclass
class Lives:
    """What is known of each task from its events: key, submission, last start, end and first row."""

    key: Ints
    submit: Ints
    start: Ints
    end: Ints
    row: Ints

    def merged(self) -> Lives:
        """Make one of all that is known of a task: the first submission, the last start, the last end."""
        order = np.argsort(self.key)
        key = self.key[order]
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        return Lives(
            key[first],
            np.minimum.reduceat(self.submit[order], first), np.maximum.reduceat(self.start[order], first),
            np.maximum.reduceat(self.end[order], first), np.minimum.reduceat(self.row[order], first),
        )


class Events:
    """Events of tasks, merged as they come so that memory grows with tasks and not with events."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.parts: list[Lives] = []
        self.waiting = 0

    def add(self, lives: Lives) -> None:
        """Add a block."""
        self.parts.append(lives)
        self.waiting += len(lives.key)
        if self.waiting > _COMPACT_ROWS:
            merged = self.merged()
            if (over := self.limits.exceeded("tasks", len(merged.key), "")) is not None:
                raise TraceError([over])
            self.parts, self.waiting = [merged], 0

    def merged(self) -> Lives:
        """Give one row a task."""
        if not self.parts:
            return Lives(*(np.empty(0, np.int64) for _ in fields(Lives)))
        columns = (np.concatenate([getattr(part, one.name) for part in self.parts]) for one in fields(Lives))
        lives = Lives(*columns)
        return lives.merged() if len(lives.key) else lives
