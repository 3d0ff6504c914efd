"""A round: solve the changed network; once the solver's time has passed, the answer takes effect (`placing`)."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.flow.edit import set_arc
from scheduler_core.flow.repair import INFEASIBLE, UNFINISHED, solve
from scheduler_core.flow.scaling import LEFT_OVER, scale
from scheduler_core.schedulers.flow.costs import unscheduled_cost
from scheduler_core.schedulers.flow.graph import net_of
from scheduler_core.schedulers.flow.placing import place_next
from scheduler_core.schedulers.flow.shares import begin_telling, bound_jobs, relax
from scheduler_core.schedulers.flow.state import ASKED, IDLE, LATER, PLACE, PLACING, ROUND, SOLVING, FlowState

_PATIENCE, _LEAST = 16, 1_000_000
_AGAIN_NS = 1_000_000_000
"""After so long tasks that wait for a better machine are looked at again."""


@inner
def ask_round(w: World, s: FlowState) -> None:
    """Ask for a round at the end of this instant, or when the interval is over."""
    rules = s.rules[0]
    if rules.pending == 1:
        return
    rules.pending = 1
    at_ns = w.control[0].now_ns
    if rules.last_ns >= 0:
        at_ns = max(at_ns, rules.last_ns + rules.interval_ns)
    schedule(w, at_ns, ROUND, 0, 0)


@inner
def begin_round(w: World, s: FlowState) -> None:
    """Set bounds so that the graph matches the world, and begin to solve the flow.

    Source: Sirius, Section 3.1.
    """
    rules = s.rules[0]
    rules.last_ns = w.control[0].now_ns
    rules.rounds += 1
    rules.last_scanned = s.network[0].scanned
    rules.relaxed = 0
    if rules.fair == 1 or rules.waits == 1:
        while rules.first_open < rules.adding and s.job[rules.first_open].node == NOBODY:
            rules.first_open += 1
    if rules.waits == 1 and rules.wait_cost > 0.0:
        _grow_impatient(w, s)
    if rules.fair == 1:
        bound_jobs(w, s)
    rules.phase = ASKED if rules.cold == 1 else SOLVING


@inner
def _grow_impatient(w: World, s: FlowState) -> None:
    """Raise the cost of waiting for each job, and again in a second if that may move a task."""
    rules, n, growing = s.rules[0], net_of(s), 0
    for j in range(rules.first_open, rules.adding):
        it = s.job[j]
        if it.node == NOBODY:
            continue
        arc, cost = s.arc[it.arc], unscheduled_cost(w, s, j)
        if s.half[arc.half].cost != cost:
            set_arc(n, it.arc, arc.low, arc.cap, cost)
        waited_s = (w.control[0].now_ns - w.job[j].arrival_ns) / 1e9
        if it.here > it.running and rules.leave_cost + rules.wait_cost * waited_s <= rules.most_cost:
            growing = 1
    if growing == 1 and rules.later == 0:
        rules.later = 1
        schedule(w, w.control[0].now_ns + _AGAIN_NS, LATER, 0, 0)


@inner
def look_later(w: World, s: FlowState) -> None:
    """Look again, after a second, at tasks that wait for a better machine."""
    s.rules[0].later = 0
    if s.rules[0].waits == 1 and s.rules[0].unplaced > 0:
        ask_round(w, s)


@inner
def solve_turn(w: World, s: FlowState) -> None:
    """Repair the flow; what takes too long is asked of the reference.

    Source: Sirius, Section 3.2, equations 8 to 10.
    """
    n = net_of(s)
    budget = _PATIENCE * n.network[0].live_arcs + _LEAST
    found = scale(n) if s.rules[0].scaling == 1 else LEFT_OVER
    if found == LEFT_OVER:
        found = solve(n, budget)
    if found == UNFINISHED:
        s.rules[0].phase = ASKED
        return
    if found == INFEASIBLE and relax(s):
        return
    s.rules[0].stuck = 1 if found == INFEASIBLE else 0
    s.rules[0].infeasible += s.rules[0].stuck
    scanned = s.network[0].scanned - s.rules[0].last_scanned
    solved(w, s, scanned, int(s.rules[0].per_scan_ns * scanned))


@inner
def solved(w: World, s: FlowState, scanned: int, spent_ns: int) -> None:
    """Schedule the effect of the solver's answer for when its time is over."""
    rules = s.rules[0]
    rules.last_scanned = scanned
    rules.last_solver_ns = spent_ns
    rules.solver_ns += rules.last_solver_ns
    rules.flow_cost = s.network[0].cost
    rules.phase = IDLE
    if rules.fair == 1 and (rules.relaxed == 1 or rules.short_jobs > 0):
        begin_telling(s)
    schedule(w, w.control[0].now_ns + rules.last_solver_ns, PLACE, 0, 0)


@inner
def begin_placing(w: World, s: FlowState) -> None:
    """Begin to carry out the answer: first stops, then starts."""
    rules = s.rules[0]
    rules.phase = PLACING
    rules.at = 0
    rules.kept = 0


@inner
def place_turn(w: World, s: FlowState) -> bool:
    """Place one task whose flow has moved; False, with nothing changed, if the arrays are too small."""
    if s.rules[0].at < 2 * s.network[0].moved_nodes:
        return place_next(w, s)
    _end_round(w, s)
    return True


@inner
def _end_round(w: World, s: FlowState) -> None:
    rules = s.rules[0]
    s.network[0].moved_nodes = rules.kept
    rules.phase = IDLE
    rules.pending = 0
    changed = (s.network[0].dirty > 0 or s.network[0].uneven > 0) and rules.stuck == 0
    if changed or rules.adding < w.control[0].next_job:
        ask_round(w, s)
