"""Start pods on their nodes, stop them, and let others wait for what that changes."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.pace import Pace, lacks, on_end, on_start
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import decide, start_task, stop_task
from scheduler_core.kube.counting import enter, leave
from scheduler_core.kube.model import Model
from scheduler_core.schedulers.kubernetes.queues import BY_POD_ADDED, BY_POD_GONE, ask, come, move_all
from scheduler_core.schedulers.kubernetes.reasons import ONLY, RELAXED, SCORED
from scheduler_core.schedulers.kubernetes.state import IDLE, TASK_END, Own
from scheduler_core.workload.clusters.standing import ENDLESS_NS


@inner
def pace_of(s: Own) -> Pace:
    """Return what tasks' times depend on, in the state."""
    return Pace(s.pace, s.paced, s.replica, s.beside, s.discord, s.slowdown)


@called
def start(w: World, s: Own, m: Model, t: int, n: int, tenths: int) -> None:
    """Bind a pod to a node: it starts after the decision and one message; its end is known one message later."""
    rules, row, now_ns, found = s.rules[0], w.task[t], w.control[0].now_ns, m.settings[0].found
    if row.attempts == 0:
        row.processing_ns += rules.last_ns
        row.framework_ns += now_ns - row.since_ns
        row.communication_ns += rules.delay_ns
    w.control[0].messages += 1
    if found > 1:
        decide(w, t, n, SCORED, NOBODY, NOBODY, found, tenths)
    else:
        decide(w, t, n, ONLY, NOBODY, NOBODY, found, 0)
    on_start(w, pace_of(s), t, n)
    if s.pace[0].soft == 1:
        lacking = lacks(w, t, n)
        if lacking != 0:
            decide(w, t, n, RELAXED, NOBODY, NOBODY, lacking, row.duration_ns)
    row.end_ns = start_task(w, t, n, now_ns + rules.last_ns + rules.delay_ns)
    m.pod[t].start_ns = row.last_start_ns
    enter(m, t, n)
    s.running[s.queued[t].level] += 1
    row.requested += 1
    schedule(w, row.end_ns + rules.delay_ns, TASK_END, t, row.requested)
    if rules.watching > 0:
        move_all(w, s, m, BY_POD_ADDED)


@inner
def stand_turn(w: World, s: Own, m: Model) -> None:
    """Put the next pod that runs at time 0 on its node; it ends unless it has no end."""
    rules, t = s.rules[0], s.rules[0].at
    if t == rules.end:
        rules.phase = IDLE
        return
    rules.at += 1
    row = w.task[t]
    enter(m, t, row.machine)
    s.running[s.queued[t].level] += 1
    if s.pace[0].disturbs == 1:
        s.beside[row.machine, s.paced[t].kind] += 1
    row.requested += 1
    if row.duration_ns < ENDLESS_NS:
        row.end_ns = row.last_start_ns + row.duration_ns
        schedule(w, row.end_ns + rules.delay_ns, TASK_END, t, row.requested)


@called
def go(w: World, s: Own, m: Model, t: int) -> None:
    """Take a pod from its node, and let pods that it may have kept out be tried again."""
    rules, n = s.rules[0], m.pod[t].node
    on_end(pace_of(s), t, n)
    leave(m, t)
    m.pod[t].start_ns = NEVER
    s.running[s.queued[t].level] -= 1
    s.freed[rules.released % len(s.freed)] = n
    rules.released += 1
    move_all(w, s, m, BY_POD_GONE)
    ask(w, s)


@called
def stop(w: World, s: Own, m: Model, t: int, reason: int, queue: int) -> None:
    """Stop a running pod now: its controller makes a new one, which waits."""
    row, now_ns = w.task[t], w.control[0].now_ns
    n, worked_ns = row.machine, max(0, now_ns - row.last_start_ns)
    early_ns = row.last_start_ns - s.rules[0].delay_ns - now_ns
    stop_task(w, t, now_ns)
    if row.attempts == 0 and early_ns > 0:
        # Binding paid for the whole decision, which is not over yet: what is left of it is no message's time.
        row.communication_ns += early_ns
        row.processing_ns -= early_ns
    row.since_ns = now_ns
    row.requested += 1
    decide(w, t, n, reason, NOBODY, queue, worked_ns, 0)
    come(w, s, m, t)
    go(w, s, m, t)
