"""A backfill pass: plan the jobs that wait around each other's reservations, and start those planned for now.

Source: Slurm's documentation, Scheduling Configuration Guide and slurm.conf; EASY and conservative backfill.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.slurm.launching import launch
from scheduler_core.schedulers.slurm.reasons import BACKFILLED, PLANNED
from scheduler_core.schedulers.slurm.room import add_claim, fit_from, place_from
from scheduler_core.schedulers.slurm.state import BACKFILL, EASY, HELD, IDLE, PLANNING, SlurmState
from scheduler_core.schedulers.slurm.waiting import speaker, take

_LATER_NS = 1_000_000_000
"""A job beyond its limit is expected to end one resolution from now, and not before a second from now."""


@inner
def plan_later(w: World, s: SlurmState, at_ns: int) -> None:
    """Schedule a backfill pass, unless one is scheduled."""
    if s.rules[0].planned == 0:
        s.rules[0].planned = 1
        schedule(w, max(at_ns, w.control[0].now_ns), BACKFILL, 0, 0)


@called
def begin_plan(w: World, s: SlurmState) -> None:
    """Begin a backfill pass: claim for each running task what it holds until its job's limit."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    rules.phase, rules.at = PLANNING, rules.head
    rules.last_plan_ns = now_ns
    rules.claims = rules.sorted = rules.tested = rules.reserved = rules.overrun = 0
    rules.passes += 1
    for m in range(len(w.machine)):
        s.first[m] = NOBODY
        s.blocked[m] = 0
    for k in range(rules.active):
        _claim_running(w, s, s.running[k])
    for c in range(rules.claims):
        s.order[c] = c
    _sort_claims(s)


@inner
def _claim_running(w: World, s: SlurmState, u: int) -> None:
    """Claim what a job's running tasks hold until its limit, or a little longer if it is beyond its limit."""
    rules, it, now_ns = s.rules[0], s.unit[u], w.control[0].now_ns
    for t in range(it.first, it.first + it.tasks):
        row = w.task[t]
        if row.state != TASK_RUNNING:
            continue
        end_ns = row.last_start_ns - rules.delay_ns + it.limit_ns
        if end_ns <= now_ns:
            end_ns = now_ns + max(rules.resolution_ns, _LATER_NS)
            rules.overrun = 1
            rules.overruns += 1
        c = rules.claims - 1
        if c >= 0 and s.claim[c].unit == u and s.claim[c].machine == row.machine and s.claim[c].end_ns == end_ns:
            if s.claim[c].demand == row.demand:
                s.claim[c].count += 1
                continue
        add_claim(s, u, row.machine, row.demand, HELD, now_ns, end_ns)


@called
def plan_turn(w: World, s: SlurmState) -> None:
    """Test one job, or finish the pass."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    if rules.at == rules.tail or rules.tested >= rules.most_tests:
        rules.phase = IDLE
        if rules.overrun == 1 and rules.tail > rules.head:
            plan_later(w, s, now_ns + max(rules.interval_ns, rules.resolution_ns, _LATER_NS))
        return
    u, before = s.pending[rules.at], rules.claims
    it = s.unit[u]
    rules.tested += 1
    start_ns = _earliest(w, s, u, rules.backfill == EASY and rules.reserved > 0)
    it.planned_ns = start_ns
    if start_ns == now_ns:
        take(s, rules.at)
        for c in range(before, rules.claims):
            s.claim[c].what = HELD
            s.claim[c].end_ns = now_ns + it.limit_ns
        launch(w, s, u, BACKFILLED, PLANNING)
    elif start_ns != NOBODY:
        rules.reserved += 1
        rules.reservations += 1
        if it.told != PLANNED:
            it.told = PLANNED
            decide(w, speaker(w, s, u), NOBODY, PLANNED, NOBODY, NOBODY, it.waiting, start_ns - now_ns)
    rules.at += 1
    _sort_claims(s)


@called
def _earliest(w: World, s: SlurmState, u: int, now_only: bool) -> int:
    """Claim room for a job as early as possible and return its start, in ns; NOBODY, and no claim, if there is none.

    A job may start now or when a claim ends, up to `window_ns` from now. `cap` counts the tasks of the first class of
    demand that each machine could take; between two claims' ends it can only shrink, so it is a bound.
    """
    rules, it, now_ns, need = s.rules[0], s.unit[u], w.control[0].now_ns, 0
    rules.looked += 1
    demand = w.task[speaker(w, s, u)].demand
    for t in range(it.first, it.first + it.tasks):
        if w.task[t].state == TASK_WAITING and w.task[t].demand == demand:
            need += 1
    total = _count(w, s, u, demand, now_ns)
    if total >= need and place_from(w, s, u, now_ns):
        return int(now_ns)
    if now_only:
        return NOBODY
    for k in range(rules.sorted):
        end_ns, m = s.claim[s.order[k]].end_ns, s.claim[s.order[k]].machine
        if end_ns <= now_ns:
            continue
        if end_ns > now_ns + rules.window_ns:
            break
        total -= s.cap[m]
        s.cap[m] = fit_from(w, s, u, m, demand, end_ns)
        total += s.cap[m]
        if k + 1 < rules.sorted and s.claim[s.order[k + 1]].end_ns == end_ns:
            continue
        if total >= need:
            if place_from(w, s, u, end_ns):
                return int(end_ns)
            total = _count(w, s, u, demand, end_ns)
    return NOBODY


@inner
def _count(w: World, s: SlurmState, u: int, demand: int, start_ns: int) -> int:
    """Count the tasks of a class that fit on all machines from a time on, and note them in `cap`."""
    total = 0
    for m in range(len(w.machine)):
        s.cap[m] = fit_from(w, s, u, m, demand, start_ns)
        total += s.cap[m]
    return total


@called
def _sort_claims(s: SlurmState) -> None:
    """Sort claims by their end: the new ones behind `sorted` (merge sort), then all."""
    rules = s.rules[0]
    for c in range(rules.sorted, rules.claims):
        s.order[c] = c
    low, count = rules.sorted, rules.claims - rules.sorted
    width = 1
    while width < count:
        for k in range(0, count, 2 * width):
            _merge(s, low + k, low + min(k + width, count), low + min(k + 2 * width, count))
        width *= 2
    _merge(s, 0, low, rules.claims)
    rules.sorted = rules.claims


@inner
def _merge(s: SlurmState, low: int, middle: int, high: int) -> None:
    """Merge two sorted runs of `order`."""
    if middle >= high or middle == low or _end(s, middle - 1) <= _end(s, middle):
        return
    for k in range(low, middle):
        s.spare[k - low] = s.order[k]
    i, j, k, left = 0, middle, low, middle - low
    while i < left:
        if j < high and _end(s, j) < s.claim[s.spare[i]].end_ns:
            s.order[k] = s.order[j]
            j += 1
        else:
            s.order[k] = s.spare[i]
            i += 1
        k += 1


@inner
def _end(s: SlurmState, k: int) -> int:
    return int(s.claim[s.order[k]].end_ns)
