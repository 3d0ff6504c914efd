"""Megha's arrays under the rules of its authors' second public program, which supports constraints."""

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
        ("fewest", "i8"),  # 1: the suitable machine with the fewest properties, 0: any of them
        ("notes", "i8"),  # rows of `note` in use
        ("rounds", "i8"),  # heartbeats sent so far
        ("repartitions", "i8"),
        ("refused_internal", "i8"),
        ("refused_external", "i8"),
        ("heartbeats", "i8"),
        ("matches", "i8"),
        ("failed_matches", "i8"),
        ("preemptions", "i8"),  # these four stay 0: the program has neither fairness, faults nor soft constraints
        ("preemption_attempts", "i8"),
        ("relaunches", "i8"),
        ("relaxed", "i8"),
    ]
)
GLOBAL_MASTER = np.dtype([("first", "i4"), ("last", "i4"), ("waiting", "i4"), ("draws", "i8")])
LOCAL_MASTER = np.dtype([("first_note", "i4"), ("last_note", "i4"), ("sent_up_to", "i4")])
NEWS = np.dtype([("heard", "i4"), ("sent_from", "i4")])
"""For a GM and an LM: the last note that a message has carried, and the one before those of the last heartbeat."""
NOTE = np.dtype([("machine", "i4"), ("gm", "i4"), ("freed", "i4"), ("next", "i4")])
"""A machine became busy or free by a task of a GM, which is not told; `next` is the next note of its LM."""
PLACE = np.dtype(
    [
        ("partition", "i4"),
        ("owner", "i4"),
        ("borrower", "i4"),
        ("loans", "i4"),
        ("word", "i4"),
        ("bit", "i4"),
        ("task", "i4"),  # the task that holds the machine, or held it last
        ("properties", "i4"),
    ]
)


class AwareState(NamedTuple):
    """G Global Masters, L Local Masters, P = L * G partitions, W words of machines, M machines, R resources, T tasks.

    `free` has a set of free machines for each GM as it sees them, and last the truth. Each partition begins a word.
    A GM's queue is one list of tasks, linked by `next` and `previous` of the tasks.
    """

    rules: Records  # (1,) RULES
    gm: Records  # (G,) GLOBAL_MASTER
    lm: Records  # (L,) LOCAL_MASTER
    news: Records  # (G, L) NEWS
    note: Records  # (2 T + 1,) NOTE
    place: Records  # (M,) PLACE
    partition: Records  # (P,) PARTITION
    free: npt.NDArray[np.uint64]  # (G + 1, W)
    free_count: npt.NDArray[np.int32]  # (G, P)
    offer: npt.NDArray[np.uint64]  # (constraints, W): machines that offer each
    size: npt.NDArray[np.uint64]  # (sizes, W): machines that could hold each vector of resources
    size_of: npt.NDArray[np.int32]  # (demand classes + 1,): row of `size`
    lent: Ints  # (M, R) resources held by tasks of other GMs than the owner
