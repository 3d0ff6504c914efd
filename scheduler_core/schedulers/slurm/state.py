"""The arrays of the scheduler `slurm`: jobs, the order in which they wait, and what is planned on each machine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

# Kinds of events. DECIDE and BACKFILL go after all others of their instant, arrivals included.
TASK_END = 1
CALCULATE = 2
FULL = 3
READY = 4
DECIDE = 65
BACKFILL = 66

# What the loop is in the middle of.
IDLE, IN_ORDER, PLANNING, LAUNCHING = range(4)

# How backfill plans: not at all, for the first job that does not fit, for each job.
NONE, EASY, CONSERVATIVE = range(3)

# What of a job another one waits for, and the conditions of one that waits for a job to fail, which none does.
ENDED, BEGAN = range(2)
NEVER = 1 << 30

# What a claim on a machine is.
HELD, RESERVED = range(2)

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("room", "i8"),
        ("weight_age", "f8"),
        ("weight_fair", "f8"),
        ("weight_size", "f8"),
        ("weight_partition", "f8"),
        ("weight_qos", "f8"),
        ("max_age_ns", "f8"),
        ("half_life_ns", "f8"),
        ("period_ns", "i8"),  # between two calculations of all priorities
        ("favor_small", "i8"),
        ("fair_tree", "i8"),
        ("backfill", "i8"),
        ("interval_ns", "i8"),
        ("window_ns", "i8"),
        ("resolution_ns", "i8"),
        ("most_tests", "i8"),
        ("depth", "i8"),  # jobs that the pass after an event tries
        ("every_ns", "i8"),  # between two full passes
        ("exclusive", "i8"),  # 1: a job has its machines for itself
        ("per_machine", "i8"),  # the most tasks of a job on one machine
        ("phase", "i8"),
        ("back", "i8"),  # the phase after LAUNCHING
        ("at", "i8"),  # the place in `pending` that the pass has reached
        ("unit", "i8"),  # the job that is being launched, its next task, its tasks, and the reason
        ("task", "i8"),
        ("launched", "i8"),
        ("reason", "i8"),
        ("placed", "i8"),  # tasks of the last job that found room
        ("pending", "i8"),  # 1 while a pass in order is scheduled
        ("planned", "i8"),  # 1 while a backfill pass is scheduled
        ("left", "i8"),  # jobs that this pass in order may still try
        ("full_ns", "i8"),  # when the next full pass comes, -1 for none
        ("cut", "i8"),  # the first job that the last pass in order did not try, -1 for none
        ("ticking", "i8"),  # 1 while a calculation of priorities is scheduled
        ("last_plan_ns", "i8"),
        ("last_tick_ns", "i8"),
        ("head", "i8"),  # jobs that wait are pending[head:tail]
        ("tail", "i8"),
        ("active", "i8"),  # jobs with running tasks
        ("claims", "i8"),
        ("sorted", "i8"),
        ("tested", "i8"),  # in this backfill pass
        ("reserved", "i8"),
        ("overrun", "i8"),  # 1: a running job was beyond its limit
        ("looked", "i8"),
        ("passes", "i8"),
        ("cuts", "i8"),
        ("in_order", "i8"),
        ("backfilled", "i8"),
        ("reservations", "i8"),
        ("overruns", "i8"),
        ("lost", "i8"),
    ]
)

UNIT = np.dtype(
    [
        ("job", "i4"),
        ("first", "i4"),  # its tasks follow one another
        ("tasks", "i4"),
        ("waiting", "i4"),
        ("running", "i4"),
        ("spot", "i4"),  # its place among those with running tasks
        ("partition", "i4"),
        ("account", "i4"),
        ("tier", "i4"),
        ("told", "i4"),
        ("needs", "i4"),  # conditions on other jobs that are not met
        ("begun", "i4"),  # 1: it has started once
        ("ready_ns", "i8"),  # since when it waits for room
        ("limit_ns", "i8"),
        ("planned_ns", "i8"),  # start that the last backfill pass planned, -1 for none
        ("priority", "i8"),
        ("size_large", "f8"),  # factors between 0 and 1
        ("size_small", "f8"),
        ("partition_factor", "f8"),
        ("qos_factor", "f8"),
    ]
)
"""Tasks that start together: a job, or one task of a job that is an array."""

ACCOUNT = np.dtype(
    [
        ("share", "f8"),
        ("usage", "f8"),  # CPU seconds, decayed, up to the last calculation
        ("fresh", "f8"),  # CPU seconds since then
        ("held", "f8"),  # CPUs of running tasks, in thousandths
        ("since_ns", "i8"),
        ("factor", "f8"),
    ]
)

LINK = np.dtype([("unit", "i4"), ("what", "i4"), ("delay_ns", "i8")])
"""A job that waits for the end or the start of another one; -1, -2, ... for the first, second, ... group."""

GROUP = np.dtype([("left", "i4")])
"""Jobs of which all have to end, or to start, such as those of an array: how many have not."""

CLAIM = np.dtype(
    [
        ("machine", "i4"),
        ("demand", "i4"),
        ("count", "i4"),  # tasks
        ("unit", "i4"),
        ("next", "i4"),  # on the same machine
        ("what", "i4"),
        ("start_ns", "i8"),
        ("end_ns", "i8"),
    ]
)
"""Room that tasks of a job hold until their limit, or that a plan reserves for them."""


class SlurmState(NamedTuple):
    """U units, T tasks, M machines, J jobs, G groups, A accounts, P sets of machines of partitions, R resources."""

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) RULES
    unit: Records  # (U,) UNIT
    account: Records  # (A,) ACCOUNT
    pending: npt.NDArray[np.int32]  # (U + 1,): those that wait, in order
    running: npt.NDArray[np.int32]  # (U,): those with running tasks
    spare: npt.NDArray[np.int32]  # (max(U, T),): for sorting
    claim: Records  # (T + 1,) CLAIM
    order: npt.NDArray[np.int32]  # (T + 1,): claims by end
    first: npt.NDArray[np.int32]  # (M,): first claim of each machine
    cap: npt.NDArray[np.int64]  # (M,): how many tasks of the job in question fit there
    allowed: npt.NDArray[np.uint8]  # (P, M)
    blocked: npt.NDArray[np.uint8]  # (M,): 1 for machines of a partition whose first job waits
    failed: npt.NDArray[np.uint8]  # (P,)
    total: npt.NDArray[np.int64]  # (R,): capacity of all machines
    amount: npt.NDArray[np.int64]  # (R,): of one machine at one time
    link: Records  # LINK: by the job or group that is waited for; at its end, then at its start by their delay
    link_first: npt.NDArray[np.int64]  # (J + G + 1,)
    group: Records  # (max(G, 1),) GROUP
    unbegun: npt.NDArray[np.int32]  # (J,): units of each job that have not started
    began_ns: npt.NDArray[np.int64]  # (J + G,): when the last of them did
    cpu: npt.NDArray[np.int64]  # (1,): which resource is billed
