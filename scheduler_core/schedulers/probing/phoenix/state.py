"""Phoenix's arrays: Eagle's, and those of the monitor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.events import KIND_JOB_ARRIVAL
from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.probing.eagle.state import EAGLE_RULES

TICK = KIND_JOB_ARRIVAL + 1
"""The monitor looks after everything else of its instant."""
MILLION = 1_000_000

RULES = np.dtype(
    [
        *EAGLE_RULES,
        ("interval_ns", "i8"),
        ("first_ns", "i8"),  # the monitor's first look; the others come whole intervals later
        ("ticking", "i8"),  # 1 while an event for its next look exists
        ("load_limit", "i8"),  # in millionths, as all loads and ratios
        ("wait_limit_s", "f8"),
        ("memory", "i8"),
        ("base_order", "i8"),  # of queues where no constraint decides
        ("on", "i8"),  # 1 while the load is above its limit
        ("scarcest_first", "i8"),  # workers that last served in that order
        ("soft", "i8"),  # mask of the soft constraints
        ("negotiate_ratio", "i8"),
        ("switches", "i8"),
        ("negotiated", "i8"),
    ]
)
SAMPLE = np.dtype(
    [
        ("arrivals", "i8"),
        ("last_ns", "i8"),
        ("gap_s", "f8"),  # mean time between arrivals
        ("served", "i8"),
        ("service_s", "f8"),  # mean, and mean of the squares
        ("square_s2", "f8"),
    ]
)
"""What has come to a worker's queue, and for how long each kept it busy."""
CONSTRAINT = np.dtype([("demand", "i8"), ("supply", "i8"), ("axis", "i8")])
"""Tasks of short jobs without a worker that ask for it; workers that offer it; which of AXES it is about, or -1."""


class PhoenixState(NamedTuple):
    """The arrays of Phoenix: those of eagle.state.EagleState, and the monitor's."""

    rules: Records  # (1,) RULES
    worker: Records
    probe: Records
    entry: Records
    link: Records
    group: Records
    first_group: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    eligible: Records
    listed: npt.NDArray[np.int32]
    sampled_for: npt.NDArray[np.int32]
    wait_ns: Ints
    who: npt.NDArray[np.int32]
    chosen: npt.NDArray[np.int32]
    bit: npt.NDArray[np.int32]
    flip: npt.NDArray[np.int32]
    ratio: Ints  # (C,) as of the monitor's last look, or fixed
    constraint: Records  # (C,) CONSTRAINT
    sample: Records  # (M,) SAMPLE
    total: Ints  # (resources,) capacity of all machines
    relaxed: npt.NDArray[np.int32]  # (rows of `eligible`,) the row of each without what is soft
    slowdown: npt.NDArray[np.float64]  # (C,) factor on the time of a task without a soft constraint
