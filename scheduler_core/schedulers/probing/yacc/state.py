"""Yacc-D's arrays: worker queues, their published state, and the tasks that schedulers keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.probing.central import CENTRAL_RULES, CENTRAL_WORKER

# Kinds of events. MORE: what a worker was doing, it goes on with.
MORE, TASK_END, TO_WORKER, BOUNCE, PUBLISH = range(1, 6)

# What the loop is in the middle of, a task at a time: the tasks of a job, or the tasks that schedulers kept back.
IDLE, PLACING, SENDING_AGAIN = range(3)

LEAST_WORK, LEAST_TASKS, ELDEST_JOB, FIRST_COME = range(4)

WORKER = np.dtype(CENTRAL_WORKER)
RULES = np.dtype(
    [
        *CENTRAL_RULES,
        ("bound", "i8"),
        ("period_ns", "i8"),
        ("choices", "i8"),
        ("order", "i8"),
        ("cap", "i8"),  # thousandths of its own estimate for which others may keep a task waiting
        ("news", "i8"),  # number of the latest publication
        ("sent_before", "i8"),  # tasks sent until the latest publication
        ("fruitless", "i8"),  # publications in a row without a task to send and without an arrival to come
        ("asleep", "i8"),  # 1 while nobody publishes because nobody has anything to do
        ("phase", "i8"),
        ("sender", "i8"),  # the scheduler that sends
        ("at", "i8"),  # the next task of the job; of those kept back the one before the next
        ("left", "i8"),  # tasks still to try
        ("misses", "i8"),  # consecutive tasks that found no room
        ("kept_back", "i8"),
        ("sent", "i8"),
        ("bounced", "i8"),
        ("held", "i8"),
        ("overtaking", "i8"),
        ("protected", "i8"),
        ("publications", "i8"),
    ]
)
PROBE = np.dtype(
    [
        ("group", "i4"),
        ("next", "i4"),
        ("task", "i4"),
        ("ahead", "i4"),
        ("since_ns", "i8"),
        ("bypassed_ns", "i8"),  # estimates of the tasks that went past it
    ]
)
NEWS = np.dtype(
    [
        ("wait_ns", "i8"),
        ("length", "i4"),
        ("rate", "i4"),  # the part of the worker in use
    ]
)
"""What all schedulers know of a worker since the latest publication."""
OWN = np.dtype([("ns", "i8"), ("news", "i4"), ("waiting", "i4"), ("rate", "i4"), ("unused", "i4")])
"""What one scheduler has sent to a worker since then: its cost, tasks that will wait, the part that others take."""
SENDER = np.dtype([("first", "i4"), ("last", "i4"), ("room", "i8")])
"""A scheduler: the tasks that it keeps back, linked in their order, and the room that it knows of: one for each
task that may wait somewhere, one for each part of a worker that is free."""
PROGRESS = np.dtype([("left", "i4"), ("news", "i4")])
"""What workers know of a job where it has changed since a publication: its tasks that had not ended then."""


class YaccState(NamedTuple):
    """The arrays of Yacc-D: those of Probing and Central; every task counts as one that is placed by its wait."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER
    probe: Records  # (capacity,) PROBE: each carries a task
    link: Records
    group: Records
    first_group: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    eligible: Records
    listed: npt.NDArray[np.int32]
    sampled_for: npt.NDArray[np.int32]
    wait_ns: Ints
    who: npt.NDArray[np.int32]
    chosen: npt.NDArray[np.int32]
    news: Records  # (M,) NEWS
    own: Records  # (S, M) OWN
    sender: Records  # (S,) SENDER
    progress: Records  # (J,) PROGRESS
