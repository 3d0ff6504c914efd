"""The arrays of the replay: when and where tasks start, and those whose time has passed without room."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

# Kinds of events. START and TRY go after arrivals and ends of their instant.
TASK_END = 1
START = 65
TRY = 66

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("room", "i8"),
        ("on_arrival", "i8"),  # 1: tasks without a recorded start start when they arrive
        ("waiting", "i8"),  # tasks in `late`
        ("trying", "i8"),  # 1 while tasks in `late` are tried: at `at`, of which `kept` stay
        ("asked", "i8"),  # 1 while an event TRY is scheduled
        ("at", "i8"),
        ("kept", "i8"),
        ("on_time", "i8"),
        ("behind", "i8"),
        ("elsewhere", "i8"),
        ("not_recorded", "i8"),
        ("lost", "i8"),
    ]
)

PLAN = np.dtype([("start_ns", "i8"), ("machine", "i4"), ("told", "i4")])
"""The recorded start of a task, -1 for none, and its machine, -1 for an unknown one."""


class ReplayState(NamedTuple):
    """T tasks, D classes of demand."""

    rules: Records  # (1,) RULES
    plan: Records  # (T,) PLAN
    late: npt.NDArray[np.int32]  # (T + 1,): tasks whose time has passed, in the order of that
    full: npt.NDArray[np.uint8]  # (D,): 1 for a class that found no room since the tries began
