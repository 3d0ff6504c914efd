"""Handle faults, drains and changes: machines, Local Masters, Global Masters, shares, parameters."""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    CHANGED,
    FAIL_GLOBAL_MASTER,
    FAIL_LOCAL_MASTER,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    RECOVER_GLOBAL_MASTER,
    RECOVER_LOCAL_MASTER,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    go_on,
)
from scheduler_core.engine.jit import called, field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, fits, has_ended, stop_task
from scheduler_core.schedulers.federated.megha.paper.messages import RETURNED, charge_message, launch, tell, wake
from scheduler_core.schedulers.federated.megha.paper.residents import leave_machine
from scheduler_core.schedulers.federated.megha.paper.softness import tell_relaxed
from scheduler_core.schedulers.federated.megha.paper.state import CAME_IN, FREED, SETTING, WENT_OUT, MeghaState
from scheduler_core.schedulers.federated.megha.paper.updates import forget_view, record_change
from scheduler_core.schedulers.federated.megha.paper.view import owner_of
from scheduler_core.schedulers.federated.megha.shared.reasons import RELAUNCHED, RETURNED_TO_QUEUE

_take_over = field_copier(SETTING.names or ())


@called
def on_incident(w: World, s: MeghaState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        came = CAME_IN if step == MACHINE_IN else WENT_OUT
        record_change(w, s, w.machine[number].cluster, number, NOBODY, came)
    elif step == LOSE_ON:
        task = first_running(w, s, number)
        if task == NOBODY:
            go_on(w)
        else:
            lose(w, s, w.machine[number].cluster, task)
    elif step == LOSE_TASK:
        lose(w, s, w.machine[w.task[number].machine].cluster, number)
    elif step == CHANGED:
        _change(w, s, number)


@inner
def _change(w: World, s: MeghaState, number: int) -> None:
    """Apply a master's failure or recovery, or a change of a share or of the parameters."""
    row, now_ns = w.incident[number], w.control[0].now_ns
    what, first = row.what, row.first
    if what == FAIL_LOCAL_MASTER:
        s.lm[first].down_until_ns = max(s.lm[first].down_until_ns, now_ns + s.rules[0].standby_ns)
    elif what == RECOVER_LOCAL_MASTER:
        s.lm[first].down_until_ns = min(s.lm[first].down_until_ns, now_ns)
    elif what == FAIL_GLOBAL_MASTER:
        if s.gm[first].down == 0:
            s.gm[first].down = 1
            forget_view(w, s, first)
    elif what == RECOVER_GLOBAL_MASTER:
        s.gm[first].down = 0
        wake(w, s, first)
    elif what == SET_SHARE:
        s.queue[first].share = row.x / SHARE_UNIT
        for gm in range(s.gm.shape[0]):
            s.gm[gm].weighed = 0
    elif what == SET_PARAMS:
        _take_over(s.rules[0], s.setting[row.x])


@inner
def first_running(w: World, s: MeghaState, machine: int) -> int:
    """Return a task of the machine that has not ended yet. Of one that has, the news is on its way."""
    task: int = s.place[machine].first_task
    while task != NOBODY and has_ended(w, task):
        task = s.resident[task].next
    return task


@inner
def lose(w: World, s: MeghaState, cluster: int, task: int) -> None:
    """Lose a task whose machine failed: the LM launches it again in its cluster, or returns it to its GM.

    Source: Megha, Section IV-D.
    """
    row, now_ns = w.task[task], w.control[0].now_ns
    lm, failed, gm = s.lm[cluster], row.machine, owner_of(w, s, task)
    stop_task(w, task, now_ns)
    leave_machine(w, s, task)
    record_change(w, s, cluster, failed, task, FREED)
    lost_ns = max(now_ns - row.last_start_ns, 0)
    early_ns = row.last_start_ns - s.rules[0].delay_ns - now_ns
    if row.attempts == 0 and early_ns > 0:
        # The LM paid for the launch in advance, and it had not left yet: that time is the LM's work, no message's.
        row.communication_ns += early_ns
        row.processing_ns -= early_ns
    row.since_ns = now_ns
    machine = NOBODY if lm.down_until_ns > now_ns else another_machine(w, s, cluster, gm, s.kind[row.kind].relaxed)
    if machine == NOBODY:
        decide(w, task, failed, RETURNED_TO_QUEUE, NOBODY, gm, lost_ns, 0)
        tell(w, s, cluster, task, RETURNED, max(now_ns, lm.down_until_ns))
        return
    start_ns = now_ns + s.rules[0].delay_ns
    charge_message(w, s, task, start_ns)
    launch(w, s, cluster, task, machine, start_ns)
    s.rules[0].relaunches += 1
    decide(w, task, machine, RELAUNCHED, failed, gm, lost_ns, 0)
    if s.rules[0].soft != 0:
        tell_relaxed(w, s, task)


@inner
def another_machine(w: World, s: MeghaState, cluster: int, gm: int, demand: int) -> int:
    """Return the cluster's first machine that really holds the demand, in the GM's own partition if possible."""
    asks = w.asks[demand]
    other = NOBODY
    for machine in range(s.lm[cluster].first, s.lm[cluster].end):
        if (w.machine[machine].offers & asks) == asks and fits(w, machine, demand):
            if s.place[machine].owner == gm:
                return machine
            if other == NOBODY:
                other = machine
    return other


@called
def watch_for_an_end(w: World, s: MeghaState) -> None:
    """Detect that waiting tasks can never start: no message or event remains, and every view is exact."""
    control = w.control[0]
    if control.tasks_running + s.rules[0].asked + control.incidents_left > 0 or control.next_job < w.job.shape[0]:
        return
    for gm in range(s.gm.shape[0]):
        me = s.gm[gm]
        if me.down == 1:
            continue
        if me.fresh + me.hopes + me.step_pending > 0:
            return
        for cluster in range(s.lm.shape[0]):
            seen = s.seen_cluster[gm, cluster]
            if seen.lost == 1 or seen.version != s.lm[cluster].version:
                return
    control.stuck = 1
