"""PCSsampler's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.probing.state import COMMON_RULES, PROBE_RECORD

# Kinds of events. MORE: what a worker was doing, it goes on with.
MORE, TASK_END, TO_WORKER, TO_SCHEDULER = range(1, 5)
# What a scheduler tells a worker, and a worker a scheduler: one kind of event each.
PROBE, TRY, STAY = range(3)
ANSWER, TAKEN, BACK, ENDED, HANDED, LOST = range(6)
WHAT_BITS = 3

LOOKED_AT = 64
"""Number of workers with the latest reports that are checked for a task."""

RULES = np.dtype(
    [
        *COMMON_RULES,
        ("schedulers", "i8"),
        ("wanted", "i8"),  # probes for a task
        ("remember_ns", "i8"),
        ("ends_told", "i8"),
        ("rounds", "i8"),  # of probes, so far
        ("at", "i8"),  # the next task of the job that the scheduler places now
        ("end", "i8"),
        ("listed", "i8"),  # workers in the lists of all schedulers
        ("known", "i8"),
        ("sampled", "i8"),
        ("refused", "i8"),
    ]
)
WORKER = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("known_by", "i4")])
MESSAGE = np.dtype([*PROBE_RECORD.descr, ("length", "i4"), ("unused", "i4")])
"""A probe, a task or a reply: `ahead` of a task that is probed for, and the `length` of the queue, as told."""
ENTRY = np.dtype(
    [
        ("next", "i4"),  # the worker that reported before it, among those with room
        ("previous", "i4"),
        ("listed", "i4"),  # 1 while it is among those
        ("flying", "i4"),  # tasks sent there and not answered for
        ("told_ns", "i8"),
    ]
)
"""What a scheduler knows of a worker."""
SCHEDULER = np.dtype([("first", "i4"), ("last", "i4")])
SAMPLE = np.dtype([("best", "i4"), ("ahead", "i4"), ("unanswered", "i4"), ("probed", "i4")])
"""What has come of a task's probes."""


class PcsSamplerState(NamedTuple):
    """The arrays of PCSsampler, which extend shared.probing.state.Probing.

    M workers, N schedulers, R resources, T tasks.
    """

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER: a queue of tasks
    probe: Records  # (capacity,) MESSAGE, free ones linked
    told: Ints  # (capacity, R): free resources, as told
    link: Records
    group: Records
    order: npt.NDArray[np.int32]
    eligible: Records
    listed: npt.NDArray[np.int32]
    sampled_for: npt.NDArray[np.int32]  # (M,) the last round of probes that sampled the worker
    scheduler: Records  # (N,) SCHEDULER: workers with room, the last heard of first
    entry: Records  # (N, M) ENTRY
    room: Ints  # (N, M, R): what each scheduler believes to be free
    sample: Records  # (T,) SAMPLE
