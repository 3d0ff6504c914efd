"""Admission: jobs with unsatisfiable constraints drop the soft ones; waiting tasks count as demand."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.pace import lacks
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.probing.eagle.order import scarcity
from scheduler_core.schedulers.probing.phoenix.reasons import NEGOTIATED, RELAXED
from scheduler_core.schedulers.probing.phoenix.state import PhoenixState


@inner
def admit(w: World, s: PhoenixState, job: int) -> None:
    """Negotiate for each group of a job; tasks of short ones are demand until they are handed out.

    Source: Phoenix, Section I (admission control by negotiation).
    """
    told = False
    for number in range(s.first_group[job], s.first_group[job + 1]):
        group = s.group[number]
        able, tasks = s.eligible[group.able], group.end - group.next
        if _negotiates(s, number):
            group.able = s.relaxed[group.able]
            s.rules[0].negotiated += tasks
            if not told:
                dropped, told = able.asks & s.rules[0].soft, True
                decide(w, s.order[group.next], NOBODY, NEGOTIATED, NOBODY, NOBODY, dropped, able.machines)
        if group.long == 0:
            count_waiting(s, s.eligible[group.able].asks, tasks)


@inner
def _negotiates(s: PhoenixState, number: int) -> bool:
    """Return whether a group gives up soft constraints: no worker offers all, or one is scarce under load."""
    rules, able = s.rules[0], s.eligible[s.group[number].able]
    soft = able.asks & rules.soft
    if soft == 0:
        return False
    scarce: bool = able.machines == 0 or (rules.on == 1 and scarcity(s, soft) > rules.negotiate_ratio)
    return scarce


@inner
def count_waiting(s: PhoenixState, asks: int, tasks: int) -> None:
    """Change the number of waiting tasks for each constraint of a job."""
    if asks == 0:
        return
    for c in range(s.constraint.shape[0]):
        if asks >> c & 1:
            s.constraint[c].demand += tasks


@inner
def handed(w: World, s: PhoenixState, probe: int, worker: int) -> None:
    """Remove a handed-out task from the demand, and slow it by what the worker lacks."""
    it = s.probe[probe]
    if s.group[it.group].long == 0:
        count_waiting(s, s.eligible[s.group[it.group].able].asks, -1)
    if s.rules[0].soft == 0:
        return
    lacking, factor, row = lacks(w, it.task, worker), 1.0, w.task[it.task]
    if lacking == 0:
        row.duration_ns = row.own_ns  # the task may have run on a machine that lacked something
        return
    for c in range(s.slowdown.shape[0]):
        if lacking >> c & 1:
            factor *= s.slowdown[c]
    row.duration_ns = np.int64(np.floor(row.own_ns * factor + 0.5))
    decide(w, it.task, worker, RELAXED, NOBODY, NOBODY, lacking, row.duration_ns)
