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
        ("next_place", "i4"),  # number of the next task to join one of its queues
        ("step_pending", "i4"),
        ("fresh", "i4"),  # kinds of waiting tasks that have not failed on the present view
        ("asleep", "i4"),  # kinds that have: rows 0 .. asleep-1 of its sleepers
        ("gained", "i4"),  # machines that the view gained for one of them; more than there is room for: any may be
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
KIND = np.dtype(
    [
        ("demand", "i4"),
        ("queue", "i4"),
        ("first", "i4"),  # its waiting tasks, in order of joining
        ("last", "i4"),
        ("waiting", "i4"),
        ("state", "i4"),  # IDLE, FRESH, ASLEEP
        ("next", "i4"),  # among the fresh kinds of its queue
        ("previous", "i4"),
        ("row", "i4"),  # among the sleepers of its GM
        ("failed_task", "i4"),  # whose failures the next two count
        ("failures", "i4"),
        ("first_failure_ns", "i8"),
    ]
)
SLEEPER = np.dtype([("kind", "i4"), ("demand", "i4"), ("asks", "i8")])
CHANGE = np.dtype([("machine", "i4"), ("task", "i4"), ("freed", "i4")])
QUEUE = np.dtype([("owner", "i4"), ("served", "i4"), ("position", "i4"), ("first_fresh", "i4")])

# States of a kind: no task of it waits; some wait; some wait and the view holds no machine for them.
IDLE, FRESH, ASLEEP = range(3)


class MeghaState(NamedTuple):
    """G global masters, L clusters (local masters), P = L * G partitions, M machines, R resources, K kinds of tasks.

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
    kind: Records  # (K,) KIND: tasks of one queue, demand and set of constraints are alike
    sleeper: Records  # (G, K of the GM at most) SLEEPER
    gained: npt.NDArray[np.int32]  # (G, 64)
    offer: npt.NDArray[np.uint64]  # (constraints, words) the machines that offer each constraint, as bits
    lent: Ints  # (M, R) resources held by tasks of other GMs than the owner
