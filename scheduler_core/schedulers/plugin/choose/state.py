"""The arrays of a scheduler that is one function, and what the function sees of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler_core.engine.records import Ints, Records
from scheduler_core.schedulers.shared.lines.mechanics import LINED_RULES

IDLE, ASKED, ANSWERED = range(3)

RULES = np.dtype(
    [
        *LINED_RULES,
        ("look_ahead", "i8"),
        ("left", "i8"),  # questions that this round may still spend on tasks that get no machine
        ("before", "i8"),  # the waiting task that the next one to ask for follows; NOBODY for the first
        ("stage", "i8"),  # IDLE, ASKED or ANSWERED
        ("asked", "i8"),  # the task of the question
        ("answer", "i8"),  # the machine; NOBODY for none
        ("able", "i8"),  # machines of the question
        ("questions", "i8"),
        ("declined", "i8"),
        ("waiting_here", "i8"),
        ("cpus_at", "i8"),  # columns of the resources; -1 where there is none
        ("memory_at", "i8"),
        ("gpus_at", "i8"),
    ]
)

MACHINE_SEEN = np.dtype(
    [
        ("number", "i8"),
        ("cluster", "i8"),
        ("rack", "i8"),
        ("cpus", "f8"),
        ("memory_gb", "f8"),
        ("gpus", "f8"),
        ("free_cpus", "f8"),
        ("free_memory_gb", "f8"),
        ("free_gpus", "f8"),
        ("tasks", "i8"),
        ("running", "i8"),
        ("waiting", "i8"),
        ("has_room", "?"),
        ("draw", "f8"),
    ],
    align=True,
)
"""What `choose` sees of a machine. Free amounts are what all tasks that were sent there leave."""

TASK_SEEN = np.dtype(
    [
        ("number", "i8"),
        ("job", "i8"),
        ("job_tasks", "i8"),
        ("queue", "i8"),
        ("attempts", "i8"),
        ("cpus", "f8"),
        ("memory_gb", "f8"),
        ("gpus", "f8"),
        ("wait_s", "f8"),
        ("duration_s", "f8"),
        ("draw", "f8"),
    ],
    align=True,
)
"""What `choose` sees of a task. Only an oracle knows `duration_s`."""


class ChooseState(NamedTuple):
    """See schedulers.shared.lines.mechanics.Lined. M machines; line M holds tasks that no machine in service could run.

    Line M + 1 holds the tasks that wait at the scheduler, in order of arrival.
    """

    rules: Records  # (1,) RULES
    line: Records  # (M + 2,) engine.lines.LINE
    promised: Ints  # (M, resources): what the tasks that were sent to each machine need
    tasks: Ints  # (M,): how many they are
    seen: Records  # (M,) MACHINE_SEEN: the machines of the question first
    task: Records  # (1,) TASK_SEEN: the task of the question
    knobs: np.ndarray[tuple[int], np.dtype[np.float64]]  # the function's own parameters, in their order
