"""Start the tasks of a job one by one at one instant, and take them out when they end or are lost."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, start_task, stop_task
from scheduler_core.schedulers.slurm.priority import accrue, tick_later
from scheduler_core.schedulers.slurm.reasons import BACKFILLED, LOST
from scheduler_core.schedulers.slurm.state import DECIDE, LAUNCHING, TASK_END, SlurmState
from scheduler_core.schedulers.slurm.waiting import enter


@inner
def ask(w: World, s: SlurmState) -> None:
    """Ask for a pass in order at the end of this instant."""
    if s.rules[0].pending == 0:
        s.rules[0].pending = 1
        schedule(w, w.control[0].now_ns, DECIDE, 0, 0)


@inner
def launch(w: World, s: SlurmState, u: int, reason: int, back: int) -> None:
    """Begin to start all waiting tasks of a job on the machines in their `place`."""
    rules, it = s.rules[0], s.unit[u]
    rules.phase, rules.back, rules.unit, rules.task = LAUNCHING, back, u, it.first
    rules.launched, rules.reason = it.waiting, reason
    it.told = 0
    it.planned_ns = NOBODY
    if reason == BACKFILLED:
        rules.backfilled += 1
    else:
        rules.in_order += 1


@called
def launch_turn(w: World, s: SlurmState) -> bool:
    """Start one more task of the job, or return to the pass. Returns True if the job has no more tasks to start."""
    rules, it = s.rules[0], s.unit[s.rules[0].unit]
    t, end = rules.task, it.first + it.tasks
    while t < end and w.task[t].state != TASK_WAITING:
        t += 1
    rules.task = t + 1
    if t == end:
        rules.phase = rules.back
        tick_later(w, s)
        return True
    row, now_ns = w.task[t], w.control[0].now_ns
    if row.attempts == 0:
        row.framework_ns += now_ns - row.since_ns
        row.communication_ns += rules.delay_ns
    w.control[0].messages += 1
    decide(w, t, row.place, rules.reason, NOBODY, NOBODY, rules.launched, it.priority)
    row.end_ns = start_task(w, t, row.place, now_ns + rules.delay_ns)
    it.waiting -= 1
    run(w, s, t)
    row.requested += 1
    schedule(w, row.end_ns + rules.delay_ns, TASK_END, t, row.requested)
    return False


@inner
def run(w: World, s: SlurmState, t: int) -> None:
    """Count a task that runs from now on."""
    u = w.task[t].kind
    it = s.unit[u]
    it.running += 1
    if it.running == 1:
        it.spot = s.rules[0].active
        s.running[it.spot] = u
        s.rules[0].active += 1
    accrue(w, s, it.account, float(w.demand[w.task[t].demand, s.cpu[0]]))


@inner
def leave(w: World, s: SlurmState, t: int) -> None:
    """Count out a task that runs no more."""
    rules, it = s.rules[0], s.unit[w.task[t].kind]
    it.running -= 1
    if it.running == 0:
        rules.active -= 1
        last = s.running[rules.active]
        s.running[it.spot] = last
        s.unit[last].spot = it.spot
    accrue(w, s, it.account, -float(w.demand[w.task[t].demand, s.cpu[0]]))


@called
def lose(w: World, s: SlurmState, t: int) -> None:
    """Stop a task whose machine failed; it waits again."""
    row, now_ns = w.task[t], w.control[0].now_ns
    worked_ns, u = max(0, now_ns - row.last_start_ns), row.kind
    m = row.machine
    stop_task(w, t, now_ns)
    leave(w, s, t)
    row.since_ns = now_ns
    row.requested += 1
    s.rules[0].lost += 1
    decide(w, t, m, LOST, NOBODY, NOBODY, worked_ns, 0)
    s.unit[u].waiting += 1
    if s.unit[u].waiting == 1:
        enter(w, s, u)
