"""Pigeon's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

MORE, TASK_END, TO_MASTER, TO_DISTRIBUTOR, RETRY = range(1, 6)
LANE_TO_MASTER = 0
AT_ONCE = 8

# The two queues, and the two lists of workers with room, of a master; a task's class is the number of its queue.
HIGH, LOW = range(2)
GENERAL, RESERVED = range(2)

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("public", "i8"),
        ("weight", "i8"),
        ("room", "i8"),
        ("outages", "i8"),  # 1 where machines may go out of service, so that `holders` exists
        ("spreads", "i8"),  # number of draws of masters
        ("parked", "i8"),  # the first and the last task for which no machine is in service, NOBODY for none
        ("last_parked", "i8"),
        ("parks", "i8"),  # how many there are
        ("retries", "i8"),  # number of them that try again now
        ("direct", "i8"),
        ("on_reserved", "i8"),
        ("waited_high", "i8"),
        ("waited_low", "i8"),
        ("high_waiting", "i8"),
        ("low_waiting", "i8"),
    ]
)
WORKER = np.dtype([("master", "i4"), ("reserved", "i4"), ("listed", "i4"), ("next", "i4"), ("longs", "i4")])
LIST = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("unused", "i4")])
ABLE = np.dtype([("first", "i4"), ("masters", "i4"), ("in_service", "i4"), ("unused", "i4")])
"""The masters with a worker for a demand and class: a run of `able_master`; how many have one in service."""


class PigeonState(NamedTuple):
    """The arrays of Pigeon: M workers, G groups, D demand classes."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER
    queue: Records  # (G, 2) LIST of tasks: HIGH, LOW
    idle: Records  # (G, 2) LIST of workers with room: GENERAL, RESERVED; the oldest first
    turns: npt.NDArray[np.int64]  # (G,) short tasks taken from the queue since the last long one
    able: Records  # (D, 2) ABLE
    able_master: npt.NDArray[np.int32]
    drawn_for: npt.NDArray[np.int32]  # (G,) the last draw of masters that found this one
    chosen: npt.NDArray[np.int32]  # (G,) scratch: masters drawn for a job
    holders: npt.NDArray[np.int32]  # (D, 2, G) workers in service for a demand and class; (1, 1, 1) without outages
