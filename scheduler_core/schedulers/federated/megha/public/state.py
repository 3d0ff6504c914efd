"""Megha's arrays under the rules of its authors' public simulator."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("heartbeat_ns", "i8"),
        ("delay_s", "f8"),  # the same two and the clock as floating point numbers: see shared.order
        ("heartbeat_s", "f8"),
        ("now_s", "f8"),
        ("others_word", "i8"),  # first word of others' partitions in `open`
        ("repartitions", "i8"),
        ("refused_internal", "i8"),
        ("refused_external", "i8"),
        ("heartbeats", "i8"),
        ("matches", "i8"),
        ("failed_matches", "i8"),
        ("preemptions", "i8"),  # these three stay 0: the public simulator has neither fairness nor faults
        ("preemption_attempts", "i8"),
        ("relaunches", "i8"),
        ("relaxed", "i8"),
    ]
)
GLOBAL_MASTER = np.dtype(
    [
        ("first_job", "i4"),  # its queue of jobs
        ("last_job", "i4"),
        ("jobs", "i4"),
        ("touched", "i4"),  # jobs of the queue whose key has fallen since the last sorting
        ("ended_first", "i4"),  # tasks that ended and that it has not heard of
        ("dirty", "i4"),
        ("own_open", "i4"),  # own partitions in which it sees a free machine
        ("others_open", "i4"),
        ("draws", "i8"),
    ]
)
QUEUED_JOB = np.dtype(
    [
        ("gm", "i4"),
        ("next", "i4"),
        ("previous", "i4"),
        ("open", "i4"),  # the key: tasks that its GM does not know to have ended
        ("left", "i4"),  # tasks to match
        ("from_task", "i4"),  # the matching starts at this task
        ("queued", "i4"),
        ("touched", "i4"),
        ("arrival_s", "f8"),
    ]
)
PLACE = np.dtype(
    [
        ("partition", "i4"),
        ("owner", "i4"),
        ("borrower", "i4"),
        ("loans", "i4"),
        ("word", "i4"),
        ("bit", "i4"),
        ("task", "i4"),
    ]
)  # the task that holds the machine, or held it last


class PublicState(NamedTuple):
    """The arrays: G Global Masters, P partitions, W words of machines, M machines, R resources, J jobs, T tasks.

    `free` holds the set of free machines that each GM believes, and in its last row the true set. Each partition starts
    at a new word. A GM's view differs from the truth only in the words of its `dirty`, so an update copies these words.
    """

    rules: Records  # (1,) RULES
    gm: Records  # (G,) GLOBAL_MASTER
    job: Records  # (J,) QUEUED_JOB
    place: Records  # (M,) PLACE
    partition: Records  # (P,) PARTITION
    word_partition: npt.NDArray[np.int32]  # (W,)
    free: npt.NDArray[np.uint64]  # (G + 1, W)
    free_count: npt.NDArray[np.int32]  # (G, P)
    open: npt.NDArray[np.uint64]  # (G, words): own partitions with a free machine by cluster, then others' by number
    dirty: npt.NDArray[np.int32]  # (G, W) words that may differ from the truth
    is_dirty: npt.NDArray[np.uint8]  # (G, W)
    unmatched: npt.NDArray[np.uint64]  # (1, words): tasks to match
    fits_anywhere: npt.NDArray[np.uint8]  # (demand classes + 1,) whether every machine could hold the demand
    lent: Ints  # (M, R) resources held by tasks of other GMs than the owner
