"""The master: allocation rounds, and handling of the frameworks' answers."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, fits, start_task
from scheduler_core.schedulers.offers.mesos.frameworks import line_up
from scheduler_core.schedulers.offers.mesos.reasons import ACCEPTED, RESCINDED
from scheduler_core.schedulers.offers.mesos.sharing import next_framework
from scheduler_core.schedulers.offers.mesos.state import (
    ALLOCATE,
    FILTER_OVER,
    IDLE,
    OFFERED,
    TASK_END,
    MesosState,
)

_QUIET = 16
"""After this number of unused offers, and four per framework, with no task running or to come, waiting tasks can "
"never start."""


@inner
def ask(w: World, s: MesosState) -> None:
    """Ask for a round of allocation, not before the interval is over."""
    rules = s.rules[0]
    if rules.pending == 0:
        rules.pending = 1
        schedule(w, max(w.control[0].now_ns, rules.latest_ns + rules.interval_ns), ALLOCATE, 0, 0)


@inner
def changed(w: World, s: MesosState, m: int) -> None:
    """Note that something was freed on a machine, so that declined resources may fit now."""
    s.rules[0].quiet = 0
    for f in range(len(s.framework)):
        s.filtered[f, m] = 0
    ask(w, s)


@inner
def allocate(w: World, s: MesosState) -> None:
    """Offer each machine with room to the framework that is next by fairness; one message tells each of its offers."""
    rules, machines, smallest = s.rules[0], len(s.offer), w.demand.shape[0] - 1
    rules.pending = 0
    rules.latest_ns = w.control[0].now_ns
    rules.rounds += 1
    _count_spare(w, s)
    first = rng.below(w.control[0].seed, rng.STREAM_VISIT, 0, rules.rounds, machines)
    for i in range(machines):
        m = (first + i) % machines
        if s.offer[m].to == NOBODY and w.machine[m].outage == 0 and fits(w, m, smallest) and _has_some(w, m):
            f = next_framework(w, s, m)
            if f != NOBODY:
                _offer(w, s, m, f)
    for f in range(len(s.framework)):
        if s.framework[f].fresh > 0:
            w.control[0].messages += 1
            schedule(w, w.control[0].now_ns + rules.delay_ns, OFFERED, f, s.framework[f].fresh)
            s.framework[f].fresh = 0


@inner
def _has_some(w: World, m: int) -> bool:
    """Return whether anything is free on a machine."""
    for r in range(w.free.shape[1]):
        if w.free[m, r] > 0:
            return True
    return False


@inner
def _count_spare(w: World, s: MesosState) -> None:
    """Count what is free and not under offer, over all machines in service."""
    for r in range(len(s.spare)):
        s.spare[r] = 0
    for m in range(len(s.offer)):
        if w.machine[m].outage == 0:
            for r in range(len(s.spare)):
                s.spare[r] += w.free[m, r] - (s.given[m, r] if s.offer[m].to != NOBODY else 0)


@inner
def _offer(w: World, s: MesosState, m: int, f: int) -> None:
    """Put everything that is free on a machine under offer to a framework."""
    rules, it = s.rules[0], s.framework[f]
    for r in range(len(s.spare)):
        s.given[m, r] = w.free[m, r]
        s.use[f, r] += w.free[m, r]
        s.spare[r] -= w.free[m, r]
    s.offer[m].to = f
    s.offer[m].next = NOBODY
    if it.first == NOBODY:
        it.first = m
    else:
        s.offer[it.last].next = m
    it.last = m
    it.fresh += 1
    rules.offered += 1
    rules.offers += 1


@inner
def answer_turn(w: World, s: MesosState) -> None:
    """Start one task of a framework's answer, or finish one machine, or finish the answer."""
    rules, f = s.rules[0], s.rules[0].who
    if rules.left == 0:
        _answered(w, s)
        return
    m = s.framework[f].first
    t = s.offer[m].first
    if t == NOBODY:
        _close(w, s, m, f)
        return
    s.offer[m].first = w.task[t].next
    if w.machine[m].outage == 0:
        _launch(w, s, t, m, f)
        return
    decide(w, t, m, RESCINDED, NOBODY, f, 0, 0)
    line_up(w, s, t)


@inner
def _close(w: World, s: MesosState, m: int, f: int) -> None:
    """Close an offer; what the framework left on the machine is filtered for a while."""
    rules, it = s.rules[0], s.framework[f]
    for r in range(len(s.spare)):
        s.use[f, r] -= s.given[m, r]
    it.first = s.offer[m].next
    if it.first == NOBODY:
        it.last = NOBODY
    s.offer[m].to = NOBODY
    rules.offered -= 1
    rules.left -= 1
    it.under_way -= 1
    if w.machine[m].outage != 0:
        rules.rescinded += 1
    else:
        s.filtered[f, m] = w.control[0].now_ns + rules.refuse_ns
        rules.declined += 1 if s.offer[m].last == NOBODY else 0


@inner
def _answered(w: World, s: MesosState) -> None:
    """Finish an answer: ask for a round for declined resources, and one for the end of filters."""
    rules, control = s.rules[0], w.control[0]
    rules.phase = IDLE
    rules.quiet = 0 if rules.used > 0 else rules.quiet + 1
    idle = control.tasks_running == 0 and control.next_job == len(w.job) and control.incidents_left == 0
    if idle and rules.quiet > _QUIET + 4 * len(s.framework):
        control.stuck = 1
    schedule(w, control.now_ns + rules.refuse_ns, FILTER_OVER, rules.who, 0)
    ask(w, s)


@inner
def _launch(w: World, s: MesosState, t: int, m: int, f: int) -> None:
    """Start an accepted task one message from now; its end is known one message later."""
    rules, row, now_ns = s.rules[0], w.task[t], w.control[0].now_ns
    if row.attempts == 0:
        waited_ns = now_ns - row.since_ns
        answer_ns = min(rules.delay_ns, waited_ns)
        deciding_ns = min(rules.decision_ns, waited_ns - answer_ns)
        row.processing_ns += deciding_ns
        row.framework_ns += waited_ns - answer_ns - deciding_ns
        row.communication_ns += answer_ns + rules.delay_ns
    w.control[0].messages += 1
    rules.used += 1
    decide(w, t, m, ACCEPTED, NOBODY, f, rules.batch, 0)
    row.end_ns = start_task(w, t, m, now_ns + rules.delay_ns)
    for r in range(len(s.spare)):
        s.use[f, r] += w.demand[row.demand, r]
    schedule(w, row.end_ns + rules.delay_ns, TASK_END, t, row.end_ns)
