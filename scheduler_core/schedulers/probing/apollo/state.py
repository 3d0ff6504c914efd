"""Apollo's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.probing.state import COMMON_RULES

# Kinds of events. MORE: what a server was doing, it goes on with.
MORE, TASK_END, TO_SERVER, PUBLISH, MATCH_AGAIN = range(1, 6)
# What a job tells a server about a task: one kind of event, so that messages of one instant arrive in order.
REGULAR, SPARE, UPGRADE = range(3)
WHAT_BITS = 2

# What the loop is in the middle of.
IDLE, MATCHING, CORRECTING = range(3)

BATCH = 16
"""Tasks that are matched together, and that one step sends."""

DEEP = 64
"""Number of tasks of a queue that are placed one by one for a matrix; the others count with the average of these."""

LEVELS = 6
FINEST = 16
"""Sizes that a matrix tells apart on each axis: nothing, a 16th of the server, an 8th, a quarter, a half, all of it."""

RULES = np.dtype(
    [
        *COMMON_RULES,
        ("publish_ns", "i8"),
        ("choices", "i8"),
        ("tokens", "i8"),
        ("penalty_ns", "i8"),
        ("correct_ns", "i8"),  # NEVER without correction
        ("phase", "i8"),
        ("job", "i8"),
        ("at", "i8"),  # the next task, or machine
        ("end", "i8"),
        ("lookups", "i8"),
        ("promised", "i8"),  # servers in `promises`
        ("spare", "i8"),  # opportunistic tasks that wait at servers
        ("regular", "i8"),
        ("opportunistic", "i8"),
        ("filled", "i8"),
        ("upgrades", "i8"),
        ("second_choices", "i8"),
        ("duplicates", "i8"),
        ("dropped", "i8"),
    ]
)
WORKER = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("unused", "i4")])
SERVER = np.dtype(
    [
        ("running", "i4"),  # tasks that run here, linked
        ("spare", "i4"),  # opportunistic tasks that wait here, linked
        ("spares", "i4"),  # how many
        ("draws", "i4"),  # random numbers that the server has used
        ("changed", "i4"),  # 1 if its matrix is not what it was
        ("late", "i4"),  # the first task of its queue that will wait much longer than expected, or NOBODY
        ("success", "f8"),  # probability
        ("added_ns", "i8"),  # what this job has sent there since it began
        ("next_ns", "i8"),  # expected end of the next of the running tasks
    ]
)
APOLLO_TASK = np.dtype(
    [
        ("server", "i4"),  # where it waits, opportunistic
        ("next", "i4"),  # among those that wait at its server without a token, later among those that run there
        ("previous", "i4"),
        ("token", "i2"),  # 1 with a token
        ("waits", "i2"),  # 1 while it waits at its server without one
        ("sent", "i2"),  # number of servers that received it
        ("came", "i2"),  # to how many it has come
        ("live", "i4"),  # copies that are on their way or wait in a queue
        ("unused", "i4"),
        ("expected_ns", "i8"),  # the wait that its job expected at the server when it sent it
        ("starts_ns", "i8"),  # its expected start there, as of now
    ]
)
APOLLO_JOB = np.dtype([("used", "i4"), ("first", "i4"), ("last", "i4")])
"""Tokens in use; its tasks without one, linked by the tasks' `next` and `previous`."""
PLACE = np.dtype([("task", "i4"), ("found", "i4"), ("best", "i4"), ("choice", "i4"), ("saving_ns", "i8")])
"""A task of a batch: how many servers were drawn for it, its best one, which of those drawn it is matched to, or
NOBODY, and what it saves there against its next best."""


class ApolloState(NamedTuple):
    """The arrays of Apollo, which extend shared.probing.state.Probing.

    M servers, R resources, T tasks, J jobs, C choices.
    """

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER: a queue of regular tasks
    probe: Records  # (capacity,) PROBE_RECORD: each carries a regular task
    link: Records
    group: Records
    order: npt.NDArray[np.int32]
    eligible: Records
    listed: npt.NDArray[np.int32]
    sampled_for: npt.NDArray[np.int32]  # (M,) the last look-up that drew the server
    server: Records  # (M,) SERVER
    start_ns: Ints  # (M, LEVELS * LEVELS): by CPUs and memory, when a task could start; as published
    room: Ints  # (R,) scratch: what is free later
    ends_ns: Ints  # (T,) scratch: ends at one server, in order
    ends: npt.NDArray[np.int32]  # (T,) scratch: the tasks that end then
    task: Records  # (T,) APOLLO_TASK
    job: Records  # (J,) APOLLO_JOB
    place: Records  # (BATCH,) PLACE: the tasks in the current matching
    drawn: npt.NDArray[np.int32]  # (BATCH, C): servers drawn for each
    slot: npt.NDArray[np.int32]  # (BATCH, C): how many of the batch the task would stand behind there
    waits_ns: Ints  # (BATCH, C): the expected wait there
    cost_ns: Ints  # (BATCH, C): what that makes it cost
    promises: npt.NDArray[np.int32]  # (M,): servers to which this job has sent something
