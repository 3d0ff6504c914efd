"""Build stages from the rows of a trace whose tasks depend on each other.

An edge names its parent by a number that the format gives to tasks within a job. Edges that lead nowhere, to the task
itself or in a circle drop out and count as dropped; the tasks stay.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError
from scheduler_core.limits import Limits
from scheduler_core.workload.stages import Ints, RawStages

if TYPE_CHECKING:
    from scheduler_core.workload.readers.table import Rows

Whole = NDArray[np.integer[Any]]
EDGES_PER_TASK = 4
"""Largest number of edges per task of the limit; workflows of the archives have fewer than two."""
NOT_THERE = "an edge to a task that is not there"
TO_ITSELF = "an edge from a task to itself"
IN_A_CIRCLE = "an edge of a job whose tasks wait in a circle"
_FEW = 64


class Waits(NamedTuple):
    """Edges: each one's child (a place among some rows), parent (a number within the job), and row in the file."""

    child: Whole
    parent: Ints
    row: Whole


def waits_of(rows: Rows, good: NDArray[np.bool_], row: Ints, parent: Ints) -> Waits:
    """Take the edges of the remaining rows; `row` is each edge's row in the block."""
    kept = good[row]
    row = row[kept]
    return Waits((np.cumsum(good) - 1)[row], parent[kept], row + rows.first)


def refuse_too_many(edges: int, limits: Limits) -> None:
    """Raise TraceError for more edges than the limit of tasks allows."""
    most = EDGES_PER_TASK * limits.tasks
    if edges > most:
        raise TraceError(
            [
                Problem(
                    "",
                    f"has {edges:,} edges between tasks",
                    f"at most {most:,}: {EDGES_PER_TASK} for each task of the limit 'tasks'",
                    "take a part of the trace",
                )
            ]
        )


@dataclass
class Edges:
    """Edges under way, 16 bytes each: rows and children are below 2^31, since a row has some bytes."""

    limits: Limits
    total: int = 0
    parts: list[Waits] = field(default_factory=list)

    def add(self, waits: Waits, rows_before: int) -> None:
        """Add edges of a block; raises TraceError past the limit."""
        self.total += len(waits.child)
        refuse_too_many(self.total, self.limits)
        if len(waits.child):
            child, row = (waits.child + rows_before).astype(np.int32), waits.row.astype(np.int32)
            self.parts.append(Waits(child, waits.parent, row))

    def taken(self) -> Waits:
        """Put the parts together and forget them."""
        waits = Waits(*(np.concatenate(columns) for columns in zip(*self.parts, strict=True)))
        self.parts.clear()
        return waits


@dataclass(frozen=True)
class Arranged:
    """Rows in the order of job and stage, their stages, and the dropped edges.

    The stages are None without edges; their `tasks` count rows. Of each kind of dropped edge there are the number
    and the first one's row.
    """

    order: Ints
    stages: RawStages | None
    dropped: tuple[tuple[str, int, int], ...]
    of_row: Whole
    """Number of each row's stage, in the new order."""


def arranged(job: Ints, stage: Ints, kind: Ints | None, edges: Edges) -> Arranged:
    """Put rows in order: those of one job, one number in it and one kind of demand are a stage."""
    by = (job, stage) if kind is None else (job, stage, kind)
    order = _order(*by)
    starts = np.ones(len(order), np.bool_)
    starts[1:] = False
    for column in by:
        put = column[order]
        starts[1:] |= put[1:] != put[:-1]
    first = order[starts]
    of_row = np.empty(len(order), np.int32)
    of_row[order] = np.cumsum(starts, dtype=np.int32) - 1
    del order, put, starts
    number, in_job = stage[first].astype(np.int64), _ranks(job[first])
    del first, stage, by
    waits = edges.taken()
    child, parent, row, dropped = _resolved(in_job, number, of_row[waits.child].astype(np.int64), waits, edges.limits)
    del waits, number
    level = waves(len(in_job), child, parent)
    if bool((level < 0).any()):
        circular = np.zeros(int(in_job[-1]) + 1, np.bool_)
        circular[in_job[level < 0]] = True
        bad = circular[in_job[child]]
        dropped.append((IN_A_CIRCLE, int(bad.sum()), int(row[bad].min())))
        level[circular[in_job]] = 0
        child, parent = child[~bad], parent[~bad]
    del row
    if not len(child):
        order = np.argsort(job, kind="stable")
        return Arranged(order, None, tuple(dropped), of_row[order])
    place = np.empty(len(in_job), np.int32)
    place[_order(in_job, level)] = np.arange(len(in_job), dtype=np.int32)
    del level
    of_job = np.bincount(in_job)
    before = (np.cumsum(of_job) - of_job).astype(np.int32)[in_job]  # the stages before those of its job, of each stage
    wanted = _order(place[child], place[parent])
    parents = (place - before)[parent][wanted].astype(np.int64)
    del in_job, parent, wanted, before
    parents_of = np.bincount(place[child], minlength=len(place)).astype(np.int64)
    rows_of = place[of_row]
    del child, place, of_row
    order = np.argsort(rows_of, kind="stable")
    stages = RawStages(of_job.astype(np.int64), np.bincount(rows_of).astype(np.int64), parents_of, parents)
    return Arranged(order, stages, tuple(dropped), rows_of[order])


def _order(*columns: Whole) -> Ints:
    """Sort by columns, the first one first; one key of all of them where it fits, which takes half of the time."""
    lows = [int(column.min(initial=0)) for column in columns]
    spans = [int(column.max(initial=0)) - low + 1 for column, low in zip(columns, lows, strict=True)]
    if math.prod(spans) >= 2**62:
        return np.lexsort(columns[::-1])
    key = columns[0].astype(np.int64)
    key -= lows[0]
    for column, low, span in zip(columns[1:], lows[1:], spans[1:], strict=True):
        key *= span
        key += column
        key -= low
    return np.argsort(key, kind="stable")


def _ranks(ordered: Ints) -> Whole:
    """Assign numbers to the distinct values of a column, in order."""
    ranks = np.zeros(len(ordered), np.int32)
    np.cumsum(ordered[1:] != ordered[:-1], out=ranks[1:])
    return ranks


def _resolved(
    in_job: Whole, number: Ints, child: Ints, waits: Waits, limits: Limits
) -> tuple[Ints, Ints, Whole, list[tuple[str, int, int]]]:
    """Find the stages that edges lead from: child, parent and row of each one once, and the dropped ones."""
    left, found = _found(in_job, number, in_job[child], waits.parent)
    dropped = []
    if bool((missing := found == 0).any()):
        dropped.append((NOT_THERE, int(missing.sum()), int(waits.row[missing].min())))
    # A number that several stages share stands for all of them.
    refuse_too_many(int(found.sum()), limits)
    parent, row = left, waits.row
    if bool((found != 1).any()):
        each = np.repeat(np.arange(len(found)), found)
        parent = ranges(left, found)
        child, row = child[each], row[each]
    del left, found
    if bool((own := (in_job[child] == in_job[parent]) & (number[child] == number[parent])).any()):
        dropped.append((TO_ITSELF, int(own.sum()), int(row[own].min())))
        child, parent, row = child[~own], parent[~own], row[~own]
    key = child * len(number) + parent
    if bool((key[1:] <= key[:-1]).any()):
        once = np.unique(key, return_index=True)[1]
        child, parent, row = child[once], parent[once], row[once]
    return child, parent, row, dropped


def _found(in_job: Whole, number: Ints, job: Whole, wanted: Ints) -> tuple[Ints, Ints]:
    """Find the stages of a number in a job, `in_job` and `number` in order: the first one and how many."""
    low, span = int(number.min()), int(number.max()) - int(number.min()) + 1
    if span * (int(in_job[-1]) + 1) < 2**62:
        at, there = np.clip(wanted, low, low + span - 1) - low, (wanted >= low) & (wanted < low + span)
        key = in_job.astype(np.int64)
        key *= span
        key += number
        key -= low
    else:
        ids, rank = np.unique(number, return_inverse=True)
        at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
        span, there, key = len(ids), ids[at] == wanted, in_job.astype(np.int64) * len(ids) + rank.reshape(-1)
    wanted = job.astype(np.int64) * span + at
    left = np.searchsorted(key, wanted)
    return left, np.where(there, np.searchsorted(key, wanted, side="right") - left, 0)


def waves(nodes: int, child: Ints, parent: Ints) -> Whole:
    """Return the level of each node: the most edges on a path to it, -1 in or behind a circle."""
    left = np.bincount(child, minlength=nodes).astype(np.int32)
    count = np.bincount(parent, minlength=nodes).astype(np.int32)
    first = np.cumsum(count) - count
    children = child[np.argsort(parent, kind="stable")].astype(np.int32)
    level, number = np.full(nodes, -1, np.int32), 0
    ready = np.flatnonzero(left == 0)
    while len(ready):
        level[ready] = number
        number += 1
        if len(ready) > _FEW:
            met, times = np.unique(children[ranges(first[ready], count[ready])], return_counts=True)
            left[met] -= times
            ready = met[left[met] == 0]
        else:  # long chains: a step in arrays costs more than a few nodes one by one
            found = []
            for node in ready.tolist():
                for each in children[first[node] : first[node] + count[node]].tolist():
                    left[each] -= 1
                    if not left[each]:
                        found.append(each)
            ready = np.array(found, np.int64)
    return level


def ranges(first: Ints, count: Whole) -> Ints:
    """Return all numbers of ranges, one range after the other."""
    begin = first - (np.cumsum(count) - count)
    numbers: Ints = np.repeat(begin, count) + np.arange(int(count.sum()), dtype=np.int64)
    return numbers


def depths(stages: RawStages) -> Ints:
    """Return the level of each stage in its job, from 0: the most edges on a path to it."""
    first = np.repeat(np.cumsum(stages.of_job) - stages.of_job, stages.of_job)
    child = np.repeat(np.arange(len(stages.tasks)), stages.parents_of)
    return waves(len(stages.tasks), child, stages.parents + first[child]).astype(np.int64)
