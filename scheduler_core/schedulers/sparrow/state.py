"""Sparrow's arrays, and the numbers that its events and probes carry."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, Ints, Records

# Kinds of events. MORE goes before all others of its instant: what a worker was doing, it goes on with.
MORE, TASK_END, ANSWER, ASK, LENGTH, TO_WORKER, PUBLIC = range(1, 8)
# What a scheduler tells a worker: one kind of event, so that messages of one instant arrive in the order of sending.
PROBE, CANCEL, TASK = range(3)
# What an event of the public simulator's rules is about: one kind, too, as equal times go in the order of scheduling.
ENDS, FREED, PROBED = range(3)
LANE_TO_WORKER, LANE_TO_SCHEDULER, LANE_ANSWER = range(3)

# What stands in a probe's `task` while it carries none.
WAITING, ASKED, CANCELLED, UNUSED = NOBODY, -2, -3, -4

AT_ONCE = 8
"""Most probes that one event serves; what is left is served by events of the same instant, so no buffer overflows."""

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("probes_per_1000_tasks", "i8"),
        ("public", "i8"),  # 1 under the rules of the public simulator
        ("late", "i8"),  # 1 with late binding
        ("cancels", "i8"),  # 1 when probes that nobody needs any more are called back
        ("free_probe", "i8"),  # first of the list of unused probes
        ("unused_probes", "i8"),
        ("room", "i8"),  # events and probes that one arrival may need
        ("probes", "i8"),
        ("noops", "i8"),
        ("cancelled", "i8"),
        ("waiting", "i8"),  # entries in the queues of all workers
    ]
)
WORKER = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("taken", "i4")])
PROBE_RECORD = np.dtype([("group", "i4"), ("next", "i4"), ("task", "i4"), ("ahead", "i4"), ("since_ns", "i8")])
GROUP = np.dtype(
    [
        ("next", "i4"),  # the next task to hand out, a place in `order`
        ("end", "i4"),
        ("demand", "i4"),
        ("able", "i4"),  # the row of `eligible` that its workers are drawn by
        ("first_probe", "i4"),  # linked: probes that have not asked yet; without late binding those that have answered
        ("last_probe", "i4"),
        ("unanswered", "i4"),
    ]
)
"""Tasks that are alike and share their probes: those of a job, or one alone where each task is sampled for itself."""
LINK = np.dtype([("next", "i4"), ("previous", "i4"), ("worker", "i4")])
ELIGIBLE = np.dtype([("machines", "i4"), ("first", "i4"), ("positions", "i4"), ("listed", "i4")])
"""How many machines could hold a demand; they are drawn from a list, or from a range until one is met: all, a rack."""


class SparrowState(NamedTuple):
    """M workers, D demand classes, J jobs, G groups, T tasks that can run."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER: a queue of probes, without late binding of tasks
    probe: Records  # (capacity,) PROBE_RECORD, free ones linked
    link: Records  # (capacity,) LINK: probes of one group; (1,) where nobody needs to find them
    group: Records  # (G,) GROUP
    first_group: npt.NDArray[np.int32]  # (J + 1,)
    order: npt.NDArray[np.int32]  # (T,) tasks, group after group
    eligible: Records  # (D and more,) ELIGIBLE of each demand; then of the demands within one rack that are needed
    listed: npt.NDArray[np.int32]  # machines of the classes that have a list
    sampled_for: npt.NDArray[np.int32]  # (M,) the last group that sampled the worker, plus one
    keys: Ints  # scratch: answers as (length, place) in one number
    answered: npt.NDArray[np.int32]  # scratch: the probe of each place
