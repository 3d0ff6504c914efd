"""The arrays of the space-time schedulers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

# Kinds of events. CYCLE goes after all others of its instant, arrivals included.
TASK_END = 1
CYCLE = 65

# How far a cycle has come: none, the kernel asks Python, the answer takes effect row by row.
IDLE, ASKED, ANSWERED = range(3)
NEXT_ROUND, NEXT_CYCLE = 1, 2

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("interval_ns", "i8"),  # cycles are at its multiples
        ("room", "i8"),  # events that one step may schedule
        ("soft", "i8"),  # mask of the constraints that a task may do without
        ("quantum_ns", "i8"),  # length of a slice of the plan
        ("slices", "i8"),  # slices in which something may start: 1 without a plan
        ("most_groups", "i8"),
        ("by_share", "i8"),  # 1 where the shares of queues are the weights of their jobs
        ("together", "i8"),  # 1 where the tasks of a group start at once or not at all
        ("limit", "f8"),  # of one solve, in the solver's deterministic units
        ("largest_wave", "f8"),
        ("fallback_value", "f8"),
        ("half_ns", "f8"),  # 0 where time is no part of a value
        ("aging_ns", "f8"),  # 0 where waiting is no part of a value
        ("deadline_value", "f8"),
        ("phase", "i8"),
        ("pending", "i8"),  # 1 while an event for a cycle exists
        ("last_ns", "i8"),  # of the last cycle, -1 before the first
        ("rows", "i8"),  # of the answer
        ("at", "i8"),  # number of rows that have taken effect
        ("again", "i8"),  # NEXT_ROUND, NEXT_CYCLE or 0: whether more may start although nothing has happened
        ("open", "i8"),  # groups that have tasks to start
        ("unfinished", "i8"),
        ("cycles", "i8"),
        ("solves", "i8"),
        ("limits", "i8"),
        ("planned", "i8"),
        ("put_off", "i8"),
        ("scattered", "i8"),
        ("relaxed", "i8"),
        ("late", "i8"),
        ("value", "f8"),  # of the last answer
        ("later", "i8"),  # groups that the last answer plans for later
    ]
)
GROUP = np.dtype(
    [
        ("job", "i4"),
        ("gang", "i4"),  # 1: its job is a gang
        ("first", "i4"),  # its first task, a place in `task_order`
        ("tasks", "i4"),
        ("started", "i4"),
        ("ended", "i4"),
        ("waits_for", "i4"),  # groups before it that have not ended
        ("parents", "i4"),
        ("demand", "i4"),
        ("relaxed", "i4"),  # its class of demand without what is soft
        ("first_child", "i4"),
        ("children", "i4"),
        ("hopeless", "i4"),
        ("open", "i4"),  # 1 while it has tasks that may start
        ("told", "i4"),  # the last recorded reason for its waiting
        ("seen", "i8"),  # the last cycle that considered it
        ("duration_ns", "i8"),  # of its longest task
        ("x", "i8"),  # what belongs to `told`
        ("y", "i8"),
    ]
)
"""Tasks of one job that are alike and wait for the same: what one leaf of an expression asks machines for."""
SPACE_JOB = np.dtype(
    [
        ("first_group", "i4"),
        ("groups", "i4"),
        ("left", "i4"),  # tasks that have not ended and may start
        ("tasks", "i4"),
        ("weight", "f8"),
        ("deadline_ns", "i8"),  # NEVER for none
    ]
)
ANSWER = np.dtype([("group", "i4"), ("machine", "i4"), ("count", "i4"), ("reason", "i4"), ("x", "i8"), ("y", "i8")])
"""`count` tasks of a group start on a machine; or, on none, why its tasks wait."""


class SpaceState(NamedTuple):
    """The arrays of a space-time scheduler: T tasks, G groups, J jobs, C constraints."""

    rules: Records  # (1,) RULES
    group: Records  # (G,) GROUP
    child: npt.NDArray[np.int32]  # children of all groups
    task_order: npt.NDArray[np.int32]  # (T,) tasks, group after group
    group_of: npt.NDArray[np.int32]  # (T,)
    job: Records  # (J,) SPACE_JOB
    slowdown: npt.NDArray[np.float64]  # (C,) factor on the run time without each constraint
    answer: Records  # ANSWER
    share: npt.NDArray[np.float64]  # (Q,) shares of the queues
    given: npt.NDArray[np.int64]  # resources that some machine has, one layer each
