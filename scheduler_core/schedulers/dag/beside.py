"""Start tasks near their data, under a scheduler that chooses the job and its stage first.

Tasks of first stages have copies of their data on three machines (engine.replicas). If such a machine has room, a
waiting task of the stage starts there; otherwise one starts in a rack of its data; otherwise the scheduler's own rule
chooses the machine. No task waits for its data.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.replicas import REPLICAS
from scheduler_core.schedulers.dag.fitting import best_fit
from scheduler_core.schedulers.dag.jobs import put_at
from scheduler_core.schedulers.dag.state import ANYWHERE, NODE, RACK, DagState
from scheduler_core.schedulers.dag.tree import may_hold, next_fit


@inner
def machine_for(w: World, s: DagState, stage: int, packs: bool) -> int:
    """Return the machine for the next task of a stage; NOBODY if none has room.

    A machine near the stage's data goes first, then the one with the best alignment if it `packs`, else the first.
    """
    machine = best_fit(w, s, stage) if packs else next_fit(w, s, s.stage[stage].demand, 0)
    if machine == NOBODY or s.rules[0].has_data == 0:
        return machine
    near = _near_data(w, s, stage)
    return machine if near == NOBODY else near


@called
def _near_data(w: World, s: DagState, stage: int) -> int:
    """Return a machine with room that has data of a waiting task of the stage, else one in a rack with such data."""
    row, in_rack = s.stage[stage], NOBODY
    for place in range(row.first + row.started, row.first + row.tasks):
        task = s.task_order[place]
        for r in range(REPLICAS):
            holder = s.replica[task, r]
            if holder == NOBODY:
                continue
            if may_hold(w, holder, row.demand):
                return int(holder)
            if in_rack == NOBODY:
                rack = w.machine[holder].rack
                machine = next_fit(w, s, row.demand, s.rack_first[rack])
                if machine != NOBODY and machine < s.rack_first[rack + 1]:
                    in_rack = machine
    return int(in_rack)


@called
def take_nearest(w: World, s: DagState, stage: int, machine: int) -> int:
    """Make the waiting task with the nearest data the stage's next one; the distance decides how long it runs.

    Return NODE, RACK or ANYWHERE; NOBODY if the tasks of the stage have no data.
    """
    row = s.stage[stage]
    if s.replica[s.task_order[row.first + row.started], 0] == NOBODY:
        return NOBODY
    best, nearness = row.first + row.started, ANYWHERE
    for place in range(row.first + row.started, row.first + row.tasks):
        near = _nearness(w, s, s.task_order[place], machine)
        if near < nearness:
            best, nearness = place, near
        if nearness == NODE:
            break
    task = s.task_order[best]
    put_at(w, s, task, row.first + row.started)
    _run_from(w, s, task, nearness)
    return nearness


@inner
def _nearness(w: World, s: DagState, task: int, machine: int) -> int:
    """Return how near a machine is to the data of a task: NODE, RACK or ANYWHERE."""
    found = ANYWHERE
    for r in range(REPLICAS):
        holder = s.replica[task, r]
        if holder == machine:
            return NODE
        if holder != NOBODY and w.machine[holder].rack == w.machine[machine].rack:
            found = RACK
    return found


@inner
def _run_from(w: World, s: DagState, task: int, nearness: int) -> None:
    """Set how long a task runs at this distance from its data, and count it."""
    rules, factor = s.rules[0], 1.0
    if nearness == NODE:
        rules.on_node += 1
    elif nearness == RACK:
        rules.in_rack += 1
        factor = rules.rack_factor
    else:
        rules.remote += 1
        factor = rules.remote_factor
    own_ns = w.task[task].own_ns
    w.task[task].duration_ns = np.int64(np.floor(own_ns * factor + 0.5)) if factor != 1.0 else own_ns
