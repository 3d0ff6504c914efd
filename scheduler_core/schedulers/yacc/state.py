"""Yacc-D's arrays: queues at the workers, what is published of them, and what schedulers keep back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.probing.central import CENTRAL_RULES, CENTRAL_WORKER

# Kinds of events. MORE: what a worker was doing, it goes on with.
MORE, TASK_END, TO_WORKER, BOUNCE, PUBLISH = range(1, 6)

# What the loop is in the middle of, a task at a time: the tasks of a job, or those that were kept back.
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
        ("cap", "i8"),  # thousandths of its own estimate that a task may be kept waiting by others
        ("news", "i8"),  # number of the latest publication
        ("asleep", "i8"),  # 1 while nothing is published because nobody has anything to do
        ("turn", "i8"),  # numbers the schedulers that send, one after the other
        ("sender", "i8"),  # the job whose scheduler that is
        ("phase", "i8"),
        ("at", "i8"),  # the next task
        ("end", "i8"),
        ("left", "i8"),  # tasks that are still to be tried in this phase
        ("first_held", "i8"),  # tasks that schedulers keep back, linked in the order of coming
        ("last_held", "i8"),
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
        ("own_ns", "i8"),  # what the scheduler that has its turn has added since
        ("turn", "i8"),  # whose turn that was
        ("length", "i4"),
        ("rate", "i4"),  # the part of the worker that is taken
        ("own", "i4"),
        ("own_rate", "i4"),
    ]
)
"""What all schedulers know of a worker since the latest publication, and what one of them has sent there itself."""
PROGRESS = np.dtype([("left", "i4"), ("news", "i4")])
"""What workers know of a job where it has changed since a publication: its tasks that had not ended then."""


class YaccState(NamedTuple):
    """See probing.state.Probing and probing.central.Central; every task counts as one that is placed by its wait."""

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
    progress: Records  # (J,) PROGRESS
