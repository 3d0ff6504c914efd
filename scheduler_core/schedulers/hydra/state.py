"""Hydra's arrays: a resource manager for each sub-cluster, with its queue, and the policy that everybody acts on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

# Kinds of events: ends are known before nodes are given anything, and policies come before what acts on them.
TASK_END, LOOK, PUSH, ASK, ASK_AGAIN, BEAT = range(1, 7)

# What the loop is in the middle of, a task or a machine at a time.
IDLE, ASKING, GIVING, RESENDING, STRIKING = range(5)

SETTINGS = [
    ("by_policy", "i8"),  # of homes
    ("proxy", "i8"),
    ("policy_ns", "i8"),
    ("resend_ns", "i8"),
    ("node_ns", "i8"),
    ("manager_ns", "i8"),
    ("start_ns", "i8"),
]
SETTING = np.dtype(SETTINGS)
"""What events may set."""
HOME, POLICY, SPILL = range(3)

RULES = np.dtype(
    [
        *SETTINGS,
        ("delay_ns", "i8"),
        ("room", "i8"),  # events that one step may schedule
        ("pushing", "i8"),  # policies under way
        ("joined", "i8"),  # tasks that have joined a queue: who joined first goes first
        ("phase", "i8"),
        ("sub", "i8"),  # the sub-cluster that the loop is in the middle of
        ("machine", "i8"),
        ("task", "i8"),
        ("end", "i8"),
        ("job", "i8"),
        ("spare", "i8"),  # of the job, tasks that the policy sees room for at home
        ("striking", "i8"),
        ("policy_at_ns", "i8"),  # when the policy in force was made
        ("policies", "i8"),
        ("at_home", "i8"),
        ("spilled", "i8"),
        ("resent", "i8"),
        ("node_beats", "i8"),
    ]
)
SUB = np.dtype(
    [
        ("first", "i4"),  # its machines
        ("end", "i4"),
        ("waiting", "i4"),  # tasks in its queue
        ("kinds", "i4"),  # classes of demand in its queue
        ("next_ns", "i8"),  # when the next node reports that may be given something, NEVER if there is none
        ("saw", "i8"),  # how many of the smallest tasks the policy generator saw room for
        ("known", "i8"),  # the same in the policy in force, less what waited
        ("asked_by", "i4"),  # the last job that asked here
        ("spent", "i4"),  # of `known`, what has been resent here since
    ]
)
KIND = np.dtype([("first", "i4"), ("last", "i4"), ("place", "i4"), ("able", "i4")])
"""Tasks of one demand class in one queue, in order of joining; `able` machines in service could hold one."""
HYDRA_TASK = np.dtype([("sub", "i4"), ("beside", "i4"), ("before", "i4"), ("order", "i8")])
"""Whose queue it is in; the next and the one before on its machine; its place in the order of joining."""
HYDRA_JOB = np.dtype([("home", "i4"), ("began_ns", "i8")])


class HydraState(NamedTuple):
    """S sub-clusters, D demand classes, M machines, T tasks, J jobs."""

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) SETTING
    sub: Records  # (S,) SUB
    kind: Records  # (S, D) KIND
    present: npt.NDArray[np.int32]  # (S, D): the classes in each queue
    task: Records  # (T,) HYDRA_TASK
    job: Records  # (J,) HYDRA_JOB
    resident: npt.NDArray[np.int32]  # (M,): the last task given to each machine
    bits: npt.NDArray[np.uint64]  # (2, words): machines that hold the smallest demand; those worth a look
    room: Ints  # (S, R) scratch
