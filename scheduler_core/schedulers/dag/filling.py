"""Share capacity that the plans left over, as DRF would without altruism.

A job that is not altruistic gets its tasks. When an altruistic job would be next, the room for its task is set aside,
and no job may use it until all tasks have been considered. Then this room becomes free again: it is the leftover
capacity. So a job that gives nothing away gets the same as under DRF, and without altruistic jobs the result is DRF.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import hold, release
from scheduler_core.schedulers.dag.beside import machine_for
from scheduler_core.schedulers.dag.ordered import drop_first, key_of, sink
from scheduler_core.schedulers.dag.sharing import fits_nowhere, next_stage, no_room, start_shared
from scheduler_core.schedulers.dag.state import DagState
from scheduler_core.schedulers.dag.tree import next_fit, update_room


@inner
def fill_turn(w: World, s: DagState, order: int) -> bool:
    """Start a task of the job that is first in order, or set its room aside; False when nothing fits any more."""
    rules = s.rules[0]
    if rules.ordered == 0 or rules.failed_open == rules.open_classes:
        return False
    job = s.order[0]
    key = key_of(s, job, order)
    if key > s.key[job]:
        s.key[job] = key
        sink(s, 0)
        return True
    due = next_stage(w, s, job) if s.job[job].altruistic == 1 else NOBODY
    stage = due if due != NOBODY else _next_stage(s, job)
    if stage == NOBODY:
        drop_first(s)
        return True
    aside = s.job[job].altruistic == 1 and due == NOBODY
    if aside:
        machine = next_fit(w, s, s.stage[stage].demand, 0)
    else:
        machine = machine_for(w, s, stage, due != NOBODY and rules.packs == 1)
    if machine == NOBODY and rules.asides > 0:
        fits_nowhere(s, stage)  # the leftover tells what it still waits for
    elif machine == NOBODY:
        no_room(w, s, stage)
    elif aside:
        _set_aside(w, s, stage, machine)
    else:
        start_shared(w, s, job, stage, machine, order, key)
    return True


@inner
def give_back(w: World, s: DagState) -> None:
    """Free the room set aside."""
    rules = s.rules[0]
    if rules.asides == 0:
        return
    for at in range(rules.asides):
        stage, machine = s.aside[at, 0], s.aside[at, 1]
        s.stage[stage].aside = 0
        release(w, machine, s.stage[stage].demand)
        update_room(w, s, machine)
        _count_held(s, stage, -1)
    rules.asides = 0
    rules.tries += 1
    rules.failed_open = 0


@inner
def _set_aside(w: World, s: DagState, stage: int, machine: int) -> None:
    rules = s.rules[0]
    s.aside[rules.asides, 0] = stage
    s.aside[rules.asides, 1] = machine
    rules.asides += 1
    s.stage[stage].aside += 1
    hold(w, machine, s.stage[stage].demand)
    update_room(w, s, machine)
    _count_held(s, stage, 1)


@inner
def _count_held(s: DagState, stage: int, sign: int) -> None:
    """Count room set aside in the shares as if the task ran (1), or undo it (-1)."""
    job = s.stage[stage].job
    for r in range(s.held.shape[1]):
        s.held[job, r] += sign * s.asked[stage, r]
        s.queue_held[s.job[job].queue, r] += sign * s.asked[stage, r]


@inner
def _next_stage(s: DagState, job: int) -> int:
    """Return the first open stage with a task neither running nor set aside, not known to fit nowhere."""
    stage: int = s.job[job].first_open
    while stage != NOBODY:
        row = s.stage[stage]
        if s.failed[row.demand] != s.rules[0].tries and row.started + row.aside < row.tasks:
            return stage
        stage = row.next_open
    return NOBODY
