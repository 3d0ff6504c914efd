"""Megha's arrays: what each Global Master believes, and what each Local Master has reported."""

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
        ("vector_ps", "i8"),  # for each machine of a partition that a search goes through
        ("request_ns", "i8"),  # what a message costs an LM, whatever its size
        ("send_ps", "i8"),  # and for each machine whose state it sends
        ("update_ns", "i8"),  # what a message costs a GM, whatever its size
        ("apply_ps", "i8"),  # and for each machine whose state it reads
        ("standby_ns", "i8"),
        ("fairness", "i8"),
        ("launch_first", "i8"),  # an LM launches before it writes its state for the answer
        ("to_the_end", "i8"),  # a task that found no machine goes to the end of its queue
        ("further", "i8"),  # after a refused preemption, a GM looks for further victims at once
        ("first_fit", "i8"),  # a search of a partition begins with its first machine
        ("books", "i8"),  # whether GMs count own use, because fairness is on or may come
        ("residents", "i8"),  # whether each machine has a list of its tasks: for preemption and faults of machines
        ("matching", "i8"),  # the GM in the middle of a series of free matches, or -1
        ("room", "i8"),  # events that one step may schedule
        ("asked", "i8"),  # requests under way
        ("preemptions", "i8"),
        ("preemption_attempts", "i8"),
        ("relaunches", "i8"),
        ("changes_full", "i8"),
        ("repartitions", "i8"),
        ("refused_internal", "i8"),
        ("refused_external", "i8"),
        ("heartbeats", "i8"),
        ("matches", "i8"),
        ("failed_matches", "i8"),
        ("soft", "i8"),  # mask of the constraints that tasks may do without, at a price
        ("relaxed", "i8"),  # launches on machines that lacked some of them
        ("others_word", "i8"),  # first word of others' partitions in the bits
        ("machines_word", "i8"),  # first word of the candidates
    ]
)

GLOBAL_MASTER = np.dtype(
    [
        ("busy_until_ns", "i8"),
        ("next_place", "i4"),  # number of the next task to join one of its queues at the end
        ("first_place", "i4"),  # number of the last one that joined one at its head
        ("step_pending", "i4"),
        ("fresh", "i4"),  # kinds of waiting tasks that have not failed on the present view
        ("asleep", "i4"),  # kinds that have: rows 0 .. asleep-1 of its sleepers
        ("hopes", "i4"),  # its view gained a machine for one of them, and it has not looked since
        ("gained", "i4"),  # machines that the view gained for one of them; more than there is room for: any may be
        ("internal_cursor", "i4"),  # cluster at which the next internal search begins
        ("external_cursor", "i4"),  # partition at which the next external search begins
        ("first_queue", "i4"),  # its queues: served[first_queue : first_queue + queues]
        ("queues", "i4"),
        ("queue_cursor", "i4"),
        ("victim_cursor", "i4"),  # machine at which the next search for victims begins
        ("weighed", "i4"),  # it has compared the queues' shares and nothing that matters to that has changed since
        ("keeps_books", "i4"),  # whether it keeps `held` and others' `use`: from the first need on
        ("down", "i4"),
        ("postponed", "i4"),  # it has read messages instead of matching: the next turn is the match's
    ]
)

PLACE = np.dtype(
    [
        ("partition", "i4"),
        ("owner", "i4"),
        ("borrower", "i4"),
        ("loans", "i4"),
        ("first_task", "i4"),
        ("last_task", "i4"),
    ]
)
SEEN_PARTITION = np.dtype([("first", "i4"), ("end", "i4"), ("candidates", "i4"), ("cursor", "i4")])
SEEN_CLUSTER = np.dtype([("version", "i8"), ("lost", "i4"), ("beat_waits", "i4")])
LOCAL_MASTER = np.dtype(
    [
        ("version", "i8"),
        ("oldest_needed", "i8"),
        ("busy_until_ns", "i8"),
        ("down_until_ns", "i8"),
        ("sent_ns", "i8"),
        ("beat_waits", "i4"),
        ("first", "i4"),
        ("end", "i4"),
    ]
)
KIND = np.dtype(
    [
        ("demand", "i4"),
        ("relaxed", "i4"),  # the class of demand without what is soft; the same one if nothing is
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
SLEEPER = np.dtype([("kind", "i4"), ("demand", "i4"), ("order", "i8"), ("asks", "i8")])
"""`order`: the position of its queue among its GM's, times 2**32, plus the place of its first task."""
CHANGE = np.dtype([("machine", "i4"), ("task", "i4"), ("what", "i4"), ("demand", "i4"), ("queue", "i4"), ("gm", "i4")])
"""Demand, queue and GM are the task's: whom a change does not concern need not look at it, far away in memory."""
QUEUE = np.dtype(
    [("owner", "i4"), ("served", "i4"), ("position", "i4"), ("first_fresh", "i4"), ("below", "i4"), ("share", "f8")]
)
RESIDENT = np.dtype([("next", "i4"), ("previous", "i4")])
SETTING = np.dtype(
    [
        (name, "i8")
        for name in (
            "heartbeat_ns",
            "match_ns",
            "scan_ps",
            "vector_ps",
            "request_ns",
            "send_ps",
            "update_ns",
            "apply_ps",
            "standby_ns",
            "fairness",
            "launch_first",
            "to_the_end",
            "further",
            "first_fit",
        )
    ]
)

MIDDLE = 1 << 30
"""The first place in a queue: half of the numbers are for tasks that go to its head."""

# States of a kind: no task of it waits; some wait; some wait and the view holds no machine for them.
IDLE, FRESH, ASLEEP = range(3)

# What a change in a cluster was: a task took resources or gave them back, a machine went out or came in again.
TOOK, FREED, WENT_OUT, CAME_IN = range(4)


class MeghaState(NamedTuple):
    """Megha's arrays; the comments give the shapes.

    G Global Masters, L clusters (Local Masters), P = L * G partitions, M machines, R resources, K kinds of tasks,
    Q queues, N tasks.

    Partition cluster * G + owner holds consecutive machines. `bits` holds three sets for each GM: its own partitions
    with a candidate (by cluster), others' partitions with a candidate, and the candidates themselves. A candidate is a
    machine that the GM believes can hold the smallest demand. `rules` holds the first word of each set.
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
    asking: npt.NDArray[np.uint64]  # (G * words, constraints) which sleepers of a GM ask for each constraint, by row
    gained: npt.NDArray[np.int32]  # (G, 64) machines that the view of each GM gained for one of its sleepers
    offer: npt.NDArray[np.uint64]  # (constraints, words) the machines that offer each constraint, as bits
    lent: Ints  # (M, R) resources held by tasks of other GMs than the owner
    resident: Records  # (N or 1,) RESIDENT: the tasks on each machine, the latest first
    use: Ints  # (G, Q, R) what each GM believes that each queue holds; of its own queues it knows, requests included
    held: Ints  # (G, M, Q, R) the same by machine, as told by LMs; (G, 1, Q, R) without fairness
    holding: npt.NDArray[np.uint64]  # (G * Q, words) on which machines each queue holds anything, by `held`
    whole: Ints  # (R,) capacity of the datacenter
    setting: Records  # (settings,) SETTING: what events of the experiment set
    slowdown: npt.NDArray[np.float64]  # (constraints,) factor on the run time without each; none if nothing is soft
