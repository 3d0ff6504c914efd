"""Eagle's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.probing.central import CENTRAL_RULES, CENTRAL_WORKER

RULES = np.dtype(
    [
        *CENTRAL_RULES,
        ("rounds", "i8"),
        ("sticks", "i8"),  # 1 with sticky batch probing
        ("shortest", "i8"),  # 1 where the shortest remaining job goes first
        ("cap", "i8"),  # thousandths of its own estimate that a probe may be kept waiting by others
        ("flips", "i8"),  # so many changes the bitmap has had: its version
        ("placed", "i8"),
        ("refused", "i8"),
        ("fallbacks", "i8"),
        ("sticky", "i8"),
        ("overtaking", "i8"),
        ("dropped", "i8"),
        ("behind_long", "i8"),
    ]
)
WORKER = np.dtype(
    [
        *CENTRAL_WORKER,
        ("seen", "i4"),  # version of the bitmap that the worker has a copy of
        ("flip", "i4"),  # the latest change of its own bit
    ]
)
PROBE = np.dtype(
    [
        ("group", "i4"),
        ("next", "i4"),
        ("task", "i4"),
        ("ahead", "i4"),
        ("since_ns", "i8"),
        ("bypassed_ns", "i8"),  # estimates of the tasks that went past it
        ("turn", "i4"),  # how often it was refused; of a long task, the version that came with it
        ("sticky", "i4"),  # 1 when it has fetched a task before
    ]
)
FLIP = np.dtype([("before", "i4"), ("busy", "i4")])
"""A change of one bit of the bitmap of workers with long tasks. All copies are prefixes of one list of changes."""


class EagleState(NamedTuple):
    """See scheduler_core.schedulers.probing.state.Probing and probing.central.Central."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER
    probe: Records  # (capacity,) PROBE: probes and long tasks
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
    flip: Records  # (2 x long tasks + 1,) FLIP
