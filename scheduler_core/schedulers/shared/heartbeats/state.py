"""The arrays of resource managers and their nodes."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

BEAT = 20
"""The event that a node reports, to a resource manager in whose queue something waits."""

HEARTBEAT_RULES = [
    ("node_ns", "i8"),  # how often a node reports
    ("joined", "i8"),  # tasks that have joined a queue: who joined first goes first
]
SUB = np.dtype(
    [
        ("first", "i4"),  # its machines
        ("end", "i4"),
        ("waiting", "i4"),  # tasks in its queue
        ("kinds", "i4"),  # classes of demand in its queue
        ("next_ns", "i8"),  # time of the next report of a node that may receive a task, NEVER without one
        ("saw", "i8"),  # the scheduler's own
        ("known", "i8"),
        ("asked_by", "i4"),
        ("spent", "i4"),
    ]
)
KIND = np.dtype([("first", "i4"), ("last", "i4"), ("place", "i4"), ("able", "i4")])
"""Tasks of one demand class in one queue, in order of joining; `able` machines in service could hold one."""
NODE_TASK = np.dtype([("sub", "i4"), ("beside", "i4"), ("before", "i4"), ("order", "i8")])
"""Whose queue it is in; the next and the one before on its machine; its place in the order of joining."""


class Heartbeats(Protocol):
    """S resource managers, D demand classes, M machines, R resources, T tasks."""

    @property
    def rules(self) -> Records:
        """(1,) HEARTBEAT_RULES and more."""

    @property
    def sub(self) -> Records:
        """(S,) SUB: resource managers."""

    @property
    def kind(self) -> Records:
        """(S, D) KIND."""

    @property
    def present(self) -> npt.NDArray[np.int32]:
        """(S, D): the classes in each queue."""

    @property
    def task(self) -> Records:
        """(T,) NODE_TASK."""

    @property
    def resident(self) -> npt.NDArray[np.int32]:
        """(M,): the last task given to each machine, of those that are listed."""

    @property
    def bits(self) -> npt.NDArray[np.uint64]:
        """(2, words): machines that can be given the smallest demand; those worth a look."""

    @property
    def lent(self) -> Ints:
        """(M, R) or (1, R): held by tasks that would be stopped for those that are given; none with one row."""
