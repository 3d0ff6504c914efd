"""A round: solve what has changed; when the solver's time is over, the answer takes effect (`placing`)."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.flow.repair import INFEASIBLE, UNFINISHED, solve
from scheduler_core.schedulers.flow.graph import net_of
from scheduler_core.schedulers.flow.placing import place_next
from scheduler_core.schedulers.flow.shares import begin_telling, bound_jobs, relax
from scheduler_core.schedulers.flow.state import ASKED, IDLE, PLACE, PLACING, ROUND, SOLVING, FlowState

_PATIENCE, _LEAST = 16, 1_000_000


@inner
def ask_round(w: World, s: FlowState) -> None:
    """Something has changed: there is a round at the end of this instant, or when the interval is over."""
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
    """The graph is as the world is: bounds are set, and the flow is to be found."""
    rules = s.rules[0]
    rules.last_ns = w.control[0].now_ns
    rules.rounds += 1
    rules.last_scanned = s.network[0].scanned
    rules.relaxed = 0
    if rules.fair == 1:
        while rules.first_open < rules.adding and s.job[rules.first_open].node == NOBODY:
            rules.first_open += 1
        bound_jobs(w, s)
    rules.phase = ASKED if rules.cold == 1 else SOLVING


@inner
def solve_turn(w: World, s: FlowState) -> None:
    """Repair the flow; what takes too long is asked of the reference."""
    n = net_of(s)
    found = solve(n, _PATIENCE * n.network[0].live_arcs + _LEAST)
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
    """The answer is there; it takes effect when the solver's time is over."""
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
    """First what is to stop, then what is to start."""
    rules = s.rules[0]
    rules.phase = PLACING
    rules.at = 0
    rules.kept = 0


@inner
def place_turn(w: World, s: FlowState) -> bool:
    """One task whose flow has moved. False, with nothing changed, when the arrays are too small."""
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
