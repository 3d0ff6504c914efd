"""Handle machines out of service: Eagle's rules, and a monitor that counts machines in service."""

from __future__ import annotations

from scheduler_core.engine.incidents import LOSE_TASK, MACHINE_IN, MACHINE_OUT
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.eagle import faults as eagle
from scheduler_core.schedulers.probing.phoenix.admission import count_waiting
from scheduler_core.schedulers.probing.phoenix.state import PhoenixState


@called
def on_incident(w: World, s: PhoenixState, step: int, number: int) -> None:
    """Process one step of an incident; a lost short task counts as demand again."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        _count_in(w, s, number, 1 if step == MACHINE_IN else -1)
    elif step == LOSE_TASK:
        group = s.group[w.task[number].kind]
        if group.long == 0:
            count_waiting(s, s.eligible[group.able].asks, 1)
    eagle.on_incident(w, s, step, number)


@inner
def _count_in(w: World, s: PhoenixState, worker: int, sign: int) -> None:
    """Count what a machine that came in (1) or went out (-1) offers and holds."""
    for c in range(s.constraint.shape[0]):
        if w.machine[worker].offers >> c & 1:
            s.constraint[c].supply += sign
    for r in range(s.total.shape[0]):
        s.total[r] += sign * w.capacity[worker, r]
