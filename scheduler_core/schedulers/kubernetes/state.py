"""The arrays of the scheduler `kubernetes`: its queues, and the model of the cluster (kube.model)."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records
from scheduler_core.kube.model import SCORES, Model

# Kinds of events. DECIDE goes after all others of its instant, arrivals included.
TASK_END = 1
GONE = 2
DECIDE = 65

# What the loop is in the middle of.
IDLE, STOPPING, STANDING = range(3)

# Where a pod is: `where` of QUEUED, and the rows of `queue`.
NOWHERE, ACTIVE, BACKOFF, UNSCHEDULABLE_PODS = range(4)

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("decision_ns", "f8"),  # time of a decision, and of each node that it examines or scores
        ("filter_ns", "f8"),
        ("score_ns", "f8"),
        ("preempts", "i8"),
        ("grace_ns", "i8"),  # from a preemption until its victims are gone
        ("first_backoff_ns", "i8"),
        ("most_backoff_ns", "i8"),
        ("weight", "i8", (SCORES,)),  # what the settings of the model are to be
        ("strategy", "i8"),
        ("percentage", "i8"),
        ("phase", "i8"),
        ("at", "i8"),  # how far the current phase is, and its end
        ("end", "i8"),
        ("task", "i8"),  # of the current preemption, and its node
        ("machine", "i8"),
        ("victims", "i8"),
        ("pending", "i8"),  # 1 while a decision is scheduled
        ("free_at_ns", "i8"),  # until then the scheduler is busy with the last one
        ("last_ns", "i8"),  # what the last decision took
        ("waiting", "i8", (4,)),  # pods in each queue, by `where`
        ("watching", "i8"),  # unschedulable pods that a new pod elsewhere may help
        ("order", "i8"),
        ("released", "i8"),  # number of times that a node got room
        ("decisions", "i8"),
        ("in_vain", "i8"),
        ("looked", "i8"),
        ("scored", "i8"),
        ("preemptions", "i8"),
        ("nominations", "i8"),
        ("requeued", "i8"),
        ("lost", "i8"),
    ]
)

QUEUED = np.dtype(
    [
        ("stamp_ns", "i8"),  # when the pod came, or failed last
        ("ready_ns", "i8"),  # end of its back-off
        ("order", "i8"),
        ("where", "i4"),
        ("spot", "i4"),  # in its queue
        ("attempts", "i4"),
        ("rejected", "i4"),  # by which filter plugins, bits
        ("level", "i4"),  # of its priority, the lowest 0
        ("told", "i4"),
    ]
)
"""A pod as the scheduling queue sees it."""

MEMO = np.dtype([("seen", "i8"), ("failed", "i4"), ("rejected", "i4")])
"""The last search for a class: `failed` 1 if no node was feasible when `released` was `seen`."""


class Own(NamedTuple):
    """P pods, which are the tasks; N nodes, which are the machines; C classes, L levels of priority.

    Includes the fields of engine.pace.Pace.
    """

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) RULES
    queued: Records  # (P,) QUEUED
    queue: npt.NDArray[np.int32]  # (4, P): heaps of active and backing-off pods, a list of unschedulable ones
    memo: Records  # (C,) MEMO
    freed: npt.NDArray[np.int32]  # (N,): the nodes of the latest releases, a ring
    running: npt.NDArray[np.int64]  # (L,): pods of each level on nodes
    names: npt.NDArray[np.uint8]  # the names of the resources, a JSON list in UTF-8
    pace: Records
    paced: Records
    replica: npt.NDArray[np.int32]
    beside: npt.NDArray[np.int32]
    discord: npt.NDArray[np.float64]
    slowdown: npt.NDArray[np.float64]


KubernetesState: Any = namedtuple("KubernetesState", Own._fields + Model._fields)  # type: ignore[misc]
"""All arrays in one tuple: those of Own, then those of the model."""


def parts(state: Any) -> tuple[Own, Model]:
    """Return the two halves of the state; they share its arrays."""
    count = len(Own._fields)
    return Own._make(state[:count]), Model._make(state[count:])
