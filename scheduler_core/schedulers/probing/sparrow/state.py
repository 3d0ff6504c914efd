"""Sparrow's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.probing.state import COMMON_RULES

# What an event of the public simulator's rules is about: one kind, as equal times go in the order of scheduling.
PROBED, ENDS, FREED = range(3)

RULES = np.dtype(
    [
        *COMMON_RULES,
        ("late", "i8"),  # 1 with late binding
        ("cancelled", "i8"),
    ]
)
WORKER = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("taken", "i4")])


class SparrowState(NamedTuple):
    """The arrays of Sparrow: M workers, D demand classes, J jobs, G groups, T tasks that can run."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER: a queue of probes, without late binding of tasks
    probe: Records  # (capacity,) PROBE_RECORD, free ones linked
    link: Records  # (capacity,) LINK: probes of one group; (1,) where nobody needs to find them
    group: Records  # (G,) GROUP
    first_group: npt.NDArray[np.int32]  # (J + 1,)
    order: npt.NDArray[np.int32]  # (T,) tasks, group after group
    eligible: Records  # (D and more,) ELIGIBLE of each demand; then of the needed demands within one rack
    listed: npt.NDArray[np.int32]  # machines of the classes that have a list
    sampled_for: npt.NDArray[np.int32]  # (M,) the last group that sampled the worker, plus one
    keys: Ints  # scratch: answers as (length, place) in one number
    answered: npt.NDArray[np.int32]  # scratch: the probe of each place
