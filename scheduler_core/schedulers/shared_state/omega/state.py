"""Omega's arrays: the world is the shared state, with a sequence number for each machine; each scheduler has a copy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

# Kinds of events. What frees room goes before what takes it.
TASK_END, DECIDED, COMMIT, REPLY = range(1, 5)
LANE_COMMIT, LANE_REPLY = range(2)

# What the loop is in the middle of, a task at a time: it looks for machines in a copy, holds claims against the truth,
# starts claimed tasks or gives the claims back; or machines fail.
IDLE, CHOOSING, CLAIMING, SETTLING = range(4)

# Where a job is: nowhere (all its tasks have places), among those to try, among those that found too little room,
# or in its scheduler's hands.
AWAY, READY, STUCK, IN_HAND = range(4)

TIMES = [
    ("job_ns", "i8"),
    ("task_ns", "i8"),
    ("service_job_ns", "i8"),
    ("service_task_ns", "i8"),
    ("coarse", "i8"),
    ("whole", "i8"),  # 1: a scheduler commits all tasks of a job, or none
    ("spread", "i8"),  # 1: each search begins at a random machine
]
SETTING = np.dtype(TIMES)
"""What events may set."""
RULES = np.dtype(
    [
        *TIMES,
        ("delay_ns", "i8"),
        ("room", "i8"),  # events that one step may schedule
        ("freed", "i8"),  # how often room came back: ends of tasks, and machines that came in again
        ("phase", "i8"),
        ("who", "i8"),  # the scheduler whose transaction the loop is in the middle of
        ("task", "i8"),  # the next task of it, or of the machine that fails
        ("left", "i8"),
        ("transactions", "i8"),
        ("commits", "i8"),
        ("conflicts", "i8"),
        ("refused_claims", "i8"),
        ("retried_tasks", "i8"),
        ("jobs_scheduled", "i8"),
        ("vain_decisions", "i8"),
    ]
)
SCHEDULER = np.dtype(
    [
        ("job", "i4"),  # in hand, or NOBODY
        ("tasks", "i4"),  # of it that this transaction is about: the first ones that wait
        ("found", "i4"),  # with a machine in the copy
        ("refused", "i4"),
        ("batch", "i4"),  # 1: it takes batch jobs
        ("service", "i4"),  # 1: it takes service jobs
        ("alone", "i4"),  # 1: nothing ran in the datacenter at the time of the copy
        ("first_ready", "i4"),
        ("last_ready", "i4"),
        ("first_stuck", "i4"),
        ("last_stuck", "i4"),
        ("changed", "i4"),  # machines on which its copy differs from the truth, at most
        ("vain_demand", "i4"),  # what its copy had no machine for
        ("vain_freed", "i8"),  # and `freed` at that copy
        ("copied_ns", "i8"),  # time of the copy
        ("copied_freed", "i8"),
        ("busy_until_ns", "i8"),
        ("busy_ns", "i8"),
    ]
)
OMEGA_JOB = np.dtype(
    [
        ("scheduler", "i4"),
        ("service", "i4"),  # 1: a service job
        ("scheduled", "i4"),  # 1: all its tasks have had a place
        ("demand", "i4"),  # of all its tasks; NOBODY when they differ
        ("first", "i4"),  # its tasks that wait, linked by the tasks' `next` and `previous`
        ("last", "i4"),
        ("waiting", "i4"),
        ("state", "i4"),
        ("next", "i4"),  # in its scheduler's list
        ("previous", "i4"),
        ("gang", "i4"),  # 1: its tasks start together or not at all, and have not started
        ("tries", "i4"),  # transactions with conflicts
        ("draws", "i4"),  # transactions, for keyed random numbers
        ("told", "i4"),  # why it is stuck
        ("told_x", "i4"),
        ("told_y", "i4"),
        ("seen", "i8"),  # `freed` at the copy on which it found too little room
        ("since_ns", "i8"),  # when it joined the list
    ]
)
OMEGA_MACHINE = np.dtype(
    [
        ("sequence", "i8"),  # raised by every claim, and when the machine goes out or comes in
        ("first", "i4"),  # the tasks that it runs, linked by the tasks' `next` and `previous`
        ("last_task", "i4"),  # the latest claim here
        ("conflicts", "i4"),
    ]
)


class OmegaState(NamedTuple):
    """The arrays of Omega: N schedulers, M machines, R resources, J jobs, C constraints."""

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) SETTING
    scheduler: Records  # (N,) SCHEDULER
    job: Records  # (J,) OMEGA_JOB
    machine: Records  # (M,) OMEGA_MACHINE
    copied: Ints  # (N, M, R): free resources in each copy
    seen: Ints  # (N, M): sequence numbers in each copy
    stale: npt.NDArray[np.uint8]  # (N, M): 1 for a machine that is in `changed`
    changed: npt.NDArray[np.int32]  # (N, M): the machines to copy at the next transaction
    bits: npt.NDArray[np.uint64]  # (N, words): machines of each copy that can hold the smallest demand
    offer: npt.NDArray[np.uint64]  # (C, words): the machines that offer each constraint
