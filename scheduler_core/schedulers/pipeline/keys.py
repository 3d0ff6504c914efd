"""Sort keys of T2 and J3: one key for each task or job, smallest first. A policy is one function and one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng
from scheduler_core.engine.records import Ints

_SHARE_UNIT = 1_000_000_000


@dataclass(frozen=True)
class Work:
    """What keys are made of. `parents_of` and `parents` are each node's, all in topological order of their jobs.

    `node_of` and `job_of` are of each task; `slowness` is the mean over machines of how much longer tasks run there.
    """

    seed: int
    job_of: Ints
    queue_of_job: Ints
    share: npt.NDArray[np.float64]
    duration_ns: Ints
    node_of: Ints
    job_of_node: Ints
    first_parent: Ints
    parents_of: Ints
    parents: Ints
    slowness: float
    transfer_ns: int
    arrival_ns: Ints
    """Of each job."""
    priority: Ints | None = None
    """Of each task, larger goes first; None where the experiment has no priorities, and queues go by their shares."""


def _submitted(work: Work) -> Ints:
    return np.zeros(len(work.duration_ns), np.int64)


def _own_submission(work: Work) -> Ints:
    """Return when each task would become eligible if no task waited."""
    key: Ints = (work.arrival_ns[work.job_of_node] + _earliest(work))[work.node_of]
    return key


def _earliest(work: Work) -> Ints:
    """Return the earliest start of each node in ns after its job's arrival, by the longest tasks of its parents."""
    longest = np.zeros(len(work.job_of_node), np.int64)
    np.maximum.at(longest, work.node_of, work.duration_ns)
    start, own = [0] * len(longest), longest.tolist()
    first, count, parents = work.first_parent.tolist(), work.parents_of.tolist(), work.parents.tolist()
    for node in range(len(start)):
        of = parents[first[node] : first[node] + count[node]]
        start[node] = max((start[parent] + own[parent] for parent in of), default=0)
    return np.array(start, np.int64)


def _remaining(work: Work) -> Ints:
    return work.duration_ns


def _by_priority(work: Work) -> Ints:
    if work.priority is not None:
        return -work.priority
    key: Ints = -np.round(work.share[work.queue_of_job][work.job_of] * _SHARE_UNIT).astype(np.int64)
    return key


def _drawn_once(work: Work) -> Ints:
    """Return a key each, for where jobs are sorted and cannot be shuffled together."""
    drawn = [int(rng.bits(work.seed, rng.STREAM_TIE, task, 0)) >> 2 for task in range(len(work.duration_ns))]
    return np.array(drawn, np.int64)


def _critical_path(work: Work) -> Ints:
    return -ranks(work, 1.0, 0)[work.node_of]


def _heft(work: Work) -> Ints:
    return -ranks(work, work.slowness, work.transfer_ns)[work.node_of]


def ranks(work: Work, slowness: float, transfer_ns: int) -> Ints:
    """Return the upward rank of each node in ns: its longest task plus the largest child's rank with transfer."""
    longest = np.zeros(len(work.job_of_node), np.int64)
    np.maximum.at(longest, work.node_of, work.duration_ns)
    own = np.round(longest * slowness).astype(np.int64).tolist()
    below = [0] * len(own)
    first, count, parents = work.first_parent.tolist(), work.parents_of.tolist(), work.parents.tolist()
    for node in range(len(own) - 1, -1, -1):
        own[node] += below[node]
        for parent in parents[first[node] : first[node] + count[node]]:
            below[parent] = max(below[parent], transfer_ns + own[node])
    return np.array(own, np.int64)


def _arrival(work: Work) -> Ints:
    return np.arange(len(work.queue_of_job), dtype=np.int64)


def _priority_of_job(work: Work) -> Ints:
    """Order jobs by the highest priority of their tasks, or by the share of their queue."""
    if work.priority is not None:
        highest = np.zeros(len(work.queue_of_job), np.int64)
        np.maximum.at(highest, work.job_of, work.priority)
        return -highest
    key: Ints = -np.round(work.share[work.queue_of_job] * _SHARE_UNIT).astype(np.int64)
    return key


def _work_of_job(work: Work) -> Ints:
    total: Any = np.zeros(len(work.queue_of_job), np.int64)
    np.add.at(total, work.job_of, work.duration_ns)
    return np.asarray(total)


T2_KEYS: dict[str, Callable[[Work], Ints]] = {
    "none": _submitted,
    "fifo": _submitted,
    "ready": _submitted,  # the loop writes when the task joins its line
    "submission": _own_submission,
    "srtf": _remaining,
    "random": _drawn_once,
    "priority": _by_priority,
    "critical_path": _critical_path,
    "heft": _heft,
}
J3_KEYS: dict[str, Callable[[Work], Ints]] = {
    "none": lambda work: np.zeros(len(work.queue_of_job), np.int64),
    "fifo": _arrival,
    "priority": _priority_of_job,
    "shortest": _work_of_job,
    "fair": lambda work: np.zeros(len(work.queue_of_job), np.int64),
    "drf": lambda work: np.zeros(len(work.queue_of_job), np.int64),
}
