"""The arrays of the single-queue schedulers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

# Kinds of events. DECIDE and DECIDED go after all others of their instant, arrivals included.
TASK_END = 1
DECIDE = 65
DECIDED = 66

# What the loop is in the middle of.
IDLE, SEARCHING, STOPPING, SORTING, LAUNCHING = range(5)

# The order in which a search goes through machines.
IN_ORDER, ROTATING, FROM_ANYWHERE = range(3)

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("decision_ns", "f8"),  # time of a decision, and of each machine that it checks or scores
        ("filter_ns", "f8"),
        ("score_ns", "f8"),
        ("by_priority", "i8"),  # 1: lines of larger ranks go first
        ("strict", "i8"),  # 1: no task overtakes the head of the queue
        ("in_turns", "i8"),  # 1: of those with equal ranks, in turns
        ("by_share", "i8"),  # 1: ranks are shares, as the experiment has no priorities
        ("queues", "i8"),
        ("preempts", "i8"),
        ("production", "f8"),  # the least rank of a line whose tasks nobody may preempt
        ("visits", "i8"),  # the order in which a search goes through machines
        ("wanted", "i8"),  # number of machines with room after which the search stops
        ("reason", "i8"),  # of a start
        ("least", "f8"),  # weights of a machine's score: each part is between 0 and 100
        ("most", "f8"),
        ("balanced", "f8"),
        ("pvm", "f8"),
        ("stranded", "f8"),
        ("near", "f8"),
        ("apart", "f8"),
        ("soft", "f8"),
        ("chance", "f8"),
        ("step", "i8"),  # shares no divisor with the number of machines
        ("log_base", "f8"),  # natural logarithm of the base of e-pvm's costs
        ("next_start", "i8"),
        ("phase", "i8"),
        ("at", "i8"),
        ("busy", "i8"),  # 1 while a decision is under way
        ("pending", "i8"),  # 1 while one is to begin at the end of this instant
        ("task", "i8"),  # the current decision: its task, its machine
        ("machine", "i8"),
        ("candidates", "i8"),  # how many machines had room for it
        ("best", "f8"),  # the score of the chosen machine
        ("victims", "i8"),
        ("spent_ns", "f8"),
        ("last_ns", "i8"),  # what the last decision took
        ("open", "i8"),  # groups with waiting tasks
        ("turn", "i8"),
        ("freed", "i8"),  # number of releases on all machines together
        ("decisions", "i8"),
        ("in_vain", "i8"),
        ("late", "i8"),
        ("looked", "i8"),
        ("scored", "i8"),
        ("preemptions", "i8"),
        ("lost", "i8"),
        ("gang_wait_ns", "i8"),  # so long others may pass a gang that finds no room; -1: for ever
        ("gangs_left", "i8"),  # gangs that have not started
        ("gangs", "i8"),  # and those that have
        ("gangs_in_vain", "i8"),
        ("gang", "i8"),  # the band that the decision treats as a whole, NOBODY for one task
        ("rule", "i8"),  # of the band of the task in the decision: constraints.racks
        ("rack", "i8"),  # the rack that the job is bound to, NOBODY for none
        ("fewest", "i8"),  # the fewest of its tasks in a rack that could hold one more
        ("tallied", "i8"),  # whose tasks `tally` counts: a job
    ]
)

GROUP = np.dtype(
    [
        ("queue", "i4"),
        ("line", "i4"),
        ("demand", "i4"),
        ("head", "i4"),  # of its waiting tasks, the oldest first
        ("tail", "i4"),
        ("waiting", "i4"),
        ("spot", "i4"),  # its place among the open groups
        ("failed", "i4"),  # 1: no machine had room for it after `seen` releases
        ("told", "i4"),
        ("band", "i4"),  # NOBODY unless its job is a gang or has a rule on racks
        ("seen", "i8"),
    ]
)
"""Waiting tasks that are alike: of one queue, with one demand and one priority, and of one job that has a band."""

BAND = np.dtype(
    [
        ("job", "i4"),
        ("first_group", "i4"),
        ("groups", "i4"),
        ("gang", "i4"),  # 1: its tasks start together, and have not started
        ("rule", "i4"),  # constraints.racks
        ("placed", "i4"),  # how many of a gang's tasks found room last
    ]
)
"""A job that is a gang or has a rule on racks: its groups, which follow one another."""

HOST = np.dtype([("head", "i4"), ("tail", "i4"), ("slots", "i4"), ("unused", "i4")])
"""A machine's running tasks, those of the largest rank first and of these the oldest."""

LINE = np.dtype([("rank", "f8"), ("turn", "i8"), ("running", "i8")])
"""Tasks of one queue and one priority: `rank` is the priority, the queue's share where the experiment has none."""


class QueueState(NamedTuple):
    """The arrays of a single-queue scheduler, including the fields of engine.pace.Pace; comments give the shapes.

    M machines, T tasks, Q queues, G groups, R resources, B bands.
    """

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) RULES
    group: Records  # (G,) GROUP
    open_group: npt.NDArray[np.int32]  # (G,): those with waiting tasks come first
    host: Records  # (M,) HOST
    line: Records  # (Q,) LINE, or one for each queue and priority
    freed: npt.NDArray[np.int32]  # (M,): the machines of the latest releases, a ring
    room: npt.NDArray[np.int64]  # (R + 1,): what a start would leave on a machine, slots last
    band: Records  # (B,) BAND, one row where there is none
    tally: npt.NDArray[np.int64]  # (racks,): tasks of the job `tallied` that run or have run there
    rack_able: npt.NDArray[np.uint8]  # (demand classes, racks): 1 where a machine could hold it; (1, 1) without rules
    pace: Records
    paced: Records
    replica: npt.NDArray[np.int32]
    beside: npt.NDArray[np.int32]
    discord: npt.NDArray[np.float64]
    slowdown: npt.NDArray[np.float64]
