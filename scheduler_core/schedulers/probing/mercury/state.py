"""Mercury's arrays: a central queue with nodes that report, and queues at the workers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.heartbeats.state import HEARTBEAT_RULES
from scheduler_core.schedulers.shared.probing.central import CENTRAL_RULES, CENTRAL_WORKER

# Kinds of events beside heartbeats.state.BEAT. MORE: what a worker was doing, it goes on with.
MORE, TASK_END, TO_WORKER, ASK, PLACE_AGAIN, PUBLISH, ASK_AGAIN = range(1, 8)

# What the loop is in the middle of, a task at a time.
IDLE, PLACING, ASKING, GIVING, SHEDDING = range(5)

WORKER = np.dtype(CENTRAL_WORKER)
RULES = np.dtype(
    [
        *CENTRAL_RULES,
        *HEARTBEAT_RULES,
        ("choices", "i8"),
        ("shed_ns", "i8"),  # NEVER without load shedding
        ("phase", "i8"),
        ("at", "i8"),  # a task or a machine
        ("end", "i8"),
        ("stopped", "i8"),  # tasks stopped for the current guaranteed one
        ("mean_ns", "i8"),  # of the published waits
        ("given", "i8"),
        ("queued", "i8"),
        ("queueable", "i8"),
        ("preemptions", "i8"),
        ("shed", "i8"),
        ("node_beats", "i8"),
    ]
)


class MercuryState(NamedTuple):
    """The arrays of Mercury: those of Probing, Central and heartbeats.state.Heartbeats."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER: a queue of queueable tasks, and the worker's estimated work
    probe: Records  # (capacity,) PROBE_RECORD: each carries a task
    link: Records
    group: Records  # `long` is 1 for guaranteed tasks
    first_group: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    eligible: Records
    listed: npt.NDArray[np.int32]
    sampled_for: npt.NDArray[np.int32]
    wait_ns: Ints
    who: npt.NDArray[np.int32]
    chosen: npt.NDArray[np.int32]
    sub: Records  # (1,) the central scheduler
    kind: Records
    present: npt.NDArray[np.int32]
    task: Records
    resident: npt.NDArray[np.int32]  # (M,): the queueable tasks that run on each machine
    bits: npt.NDArray[np.uint64]
    lent: Ints  # (M, R): what queueable tasks hold
    published_ns: Ints  # (M,): the latest published waits
