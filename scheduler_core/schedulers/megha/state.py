"""Megha's own arrays: what each Global Master believes, and what each Local Master has told."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("heartbeat_ns", "i8"),
        ("match_ns", "i8"),
        ("scan_ps", "i8"),
        ("matching", "i8"),  # the GM in the middle of a series of free matches, or -1
        ("changes_full", "i8"),
        ("repartitions", "i8"),
        ("refused_internal", "i8"),
        ("refused_external", "i8"),
        ("heartbeats", "i8"),
        ("matches", "i8"),
        ("failed_matches", "i8"),
        ("others_word", "i8"),  # first word of others' partitions in the bits
        ("machines_word", "i8"),  # first word of the candidates
    ]
)

GLOBAL_MASTER = np.dtype(
    [
        ("busy_until_ns", "i8"),
        ("view_stamp", "i8"),  # grows when the view gained free resources anywhere
        ("next_place", "i4"),  # number of the next task to join one of its queues
        ("step_pending", "i4"),
        ("internal_candidates", "i4"),  # machines of its own partitions that look able to hold the smallest demand
        ("external_candidates", "i4"),
        ("internal_cursor", "i4"),  # cluster at which the next internal search begins
        ("external_cursor", "i4"),  # partition at which the next external search begins
        ("first_queue", "i4"),  # its queues are served[first_queue : first_queue + queues]
        ("queues", "i4"),
        ("queue_cursor", "i4"),
    ]
)

PLACE = np.dtype([("partition", "i4"), ("owner", "i4"), ("borrower", "i4"), ("loans", "i4")])
SEEN_PARTITION = np.dtype([("first", "i4"), ("end", "i4"), ("candidates", "i4"), ("cursor", "i4")])
SEEN_CLUSTER = np.dtype([("version", "i8"), ("asked_first", "i4")])
LOCAL_MASTER = np.dtype([("version", "i8"), ("oldest_needed", "i8")])
TASK_LIST = np.dtype([("first", "i4"), ("last", "i4")])
SIZE_CLASS = np.dtype(
    [
        ("waiting", "i8"),
        ("failed_at_stamp", "i8"),
        ("failed_task", "i4"),  # whose failures the next two count
        ("failures", "i4"),
        ("first_failure_ns", "i8"),
    ]
)
CHANGE = np.dtype([("machine", "i4"), ("task", "i4"), ("freed", "i4")])
QUEUE = np.dtype([("owner", "i4"), ("served", "i4")])


class MeghaState(NamedTuple):
    """G global masters, L clusters (local masters), P = L * G partitions, M machines, R resources, D demand classes.

    Partition cluster * G + owner holds consecutive machines. `bits` are three sets of each GM, one after the other:
    own partitions (by cluster) and others' partitions that have a candidate, then the candidates: machines that look
    able to hold the smallest demand. The rules tell where they begin.
    """

    rules: Records  # (1,) RULES
    gm: Records  # (G,) GLOBAL_MASTER
    lm: Records  # (L,) LOCAL_MASTER
    queue: Records  # (Q,) QUEUE: owner of each; `served` lists the queues of one GM after those of another
    place: Records  # (M,) PLACE: where a machine belongs, and who borrows of it
    believed: Ints  # (G, M, R) free resources as each GM believes
    bits: npt.NDArray[np.uint64]  # (G, words)
    seen_partition: Records  # (G, P) SEEN_PARTITION
    seen_cluster: Records  # (G, L) SEEN_CLUSTER
    change: Records  # (L, capacity) CHANGE: rings of what happened in each cluster, by version
    waiting: Records  # (Q, D) TASK_LIST: tasks in order of joining
    size_class: Records  # (G, D) SIZE_CLASS
    lent: Ints  # (M, R) resources held by tasks of other GMs than the owner
