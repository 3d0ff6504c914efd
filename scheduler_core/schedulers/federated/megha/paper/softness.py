"""Soft constraints: a task may run on a machine that lacks them, and then runs longer.

A Global Master first looks for a machine that offers all constraints. Before it preempts any task, it looks for a
machine that lacks only soft constraints. The run time of the task is decided at its launch, by the constraints that
this machine lacks.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState
from scheduler_core.schedulers.federated.megha.shared.reasons import RELAXED


@inner
def _lacking(w: World, task: int, machine: int) -> int:
    """Return the mask of what the task asks for and the machine does not offer."""
    lacking: int = w.asks[w.task[task].demand] & ~w.machine[machine].offers
    return lacking


@inner
def set_pace(w: World, s: MeghaState, task: int, machine: int) -> None:
    """Set the task's run time on the machine, by the slowdowns of the constraints that it lacks."""
    lacking, factor = _lacking(w, task, machine), 1.0
    if lacking != 0:
        s.rules[0].relaxed += 1
        for c in range(s.slowdown.shape[0]):
            if lacking >> c & 1:
                factor *= s.slowdown[c]
    own_ns = w.task[task].own_ns
    w.task[task].duration_ns = np.int64(np.floor(own_ns * factor + 0.5)) if lacking != 0 else own_ns


@inner
def tell_relaxed(w: World, s: MeghaState, task: int) -> None:
    """Write down what the machine lacks on which the task was just launched, and how long it runs there."""
    row = w.task[task]
    lacking = _lacking(w, task, row.machine)
    if lacking != 0:
        decide(w, task, row.machine, RELAXED, NOBODY, NOBODY, lacking, row.duration_ns)
