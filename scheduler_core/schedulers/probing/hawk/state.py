"""Hawk's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.probing.central import CENTRAL_RULES, CENTRAL_WORKER

RULES = np.dtype(
    [
        *CENTRAL_RULES,
        ("most_contacts", "i8"),
        ("placed", "i8"),
        ("contacts", "i8"),
        ("steals", "i8"),
        ("stolen", "i8"),
    ]
)
WORKER = np.dtype(
    [
        *CENTRAL_WORKER,
        ("draws", "i4"),  # random numbers that the worker has used
        ("looking", "i4"),  # 1 while it asks others for work
    ]
)
PROBE = np.dtype(
    [
        ("group", "i4"),
        ("next", "i4"),
        ("task", "i4"),
        ("ahead", "i4"),
        ("since_ns", "i8"),  # when it joined its queue; on its way to a thief: for how long it has waited
        ("frm", "i4"),  # whom it was stolen from
        ("unused", "i4"),
    ]
)


class HawkState(NamedTuple):
    """The arrays of Hawk, which extend shared.probing.state.Probing and probing.central.Central."""

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
