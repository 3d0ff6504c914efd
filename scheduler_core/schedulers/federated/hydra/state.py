"""Hydra's arrays: a resource manager with its queue for each sub-cluster, and the policy in force."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

# Kinds of events: ends come before nodes receive tasks, and policies before the events that act on them.
TASK_END, LOOK, PUSH, ASK, ASK_AGAIN = range(1, 6)

# What the loop is in the middle of, a task or a machine at a time.
IDLE, ASKING, GIVING, RESENDING = range(4)

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
        ("joined", "i8"),  # see heartbeats.state.HEARTBEAT_RULES
        ("delay_ns", "i8"),
        ("room", "i8"),  # events that one step may schedule
        ("pushing", "i8"),  # policies under way
        ("phase", "i8"),
        ("sub", "i8"),  # the sub-cluster that the loop is in the middle of
        ("machine", "i8"),
        ("task", "i8"),
        ("end", "i8"),
        ("job", "i8"),
        ("spare", "i8"),  # of the job, tasks that the policy sees room for at home
        ("policy_at_ns", "i8"),  # when the generator made the policy in force
        ("policies", "i8"),
        ("at_home", "i8"),
        ("spilled", "i8"),
        ("resent", "i8"),
        ("node_beats", "i8"),
    ]
)
HYDRA_JOB = np.dtype([("home", "i4"), ("began_ns", "i8")])


class HydraState(NamedTuple):
    """The arrays of Hydra: S sub-clusters, D demand classes, M machines, T tasks, J jobs."""

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) SETTING
    sub: Records  # (S,) SUB
    kind: Records  # (S, D) KIND
    present: npt.NDArray[np.int32]  # (S, D): the classes in each queue
    task: Records  # (T,) NODE_TASK
    job: Records  # (J,) HYDRA_JOB
    resident: npt.NDArray[np.int32]  # (M,): the last task given to each machine
    bits: npt.NDArray[np.uint64]  # (2, words): machines that hold the smallest demand; those worth a look
    lent: Ints  # (1, R): Hydra stops no task for others
    room: Ints  # (S, R) scratch
