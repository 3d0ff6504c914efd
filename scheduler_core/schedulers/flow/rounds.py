"""A round: solve what has changed, then stop and start what the flow says, a task at a time."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, fits, start_task, stop_task
from scheduler_core.flow.arrays import IN_MOVED, Net
from scheduler_core.flow.edit import drop_arc, new_arc, set_arc, soil
from scheduler_core.flow.repair import INFEASIBLE, UNFINISHED, push, solve
from scheduler_core.schedulers.flow.graph import IN_ITS_RACK, LOCAL, MANY, nearness, net_of, set_width, task_cost, whole
from scheduler_core.schedulers.flow.reasons import ANYWHERE, IN_RACK, LEFT, MISFIT, MOVED, ON_DATA, STOPPED
from scheduler_core.schedulers.flow.state import (
    ASKED,
    IDLE,
    NODES_OF_MACHINES,
    PLACE,
    PLACING,
    ROUND,
    SOLVING,
    TASK_END,
    FlowState,
)

_PATIENCE, _LEAST = 16, 1_000_000

# What became of a task whose flow has moved.
_DONE, _LATER, _FULL = range(3)


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
        _bound_jobs(w, s)
    rules.phase = ASKED if rules.cold == 1 else SOLVING


@inner
def relax(s: FlowState) -> bool:
    """Let more of each job wait than its share leaves over, where bounds ask too much; False where none do."""
    rules, n = s.rules[0], net_of(s)
    if rules.fair == 0 or rules.relaxed == 1:
        return False
    rules.relaxed = 1
    rules.unfair += 1
    for j in range(rules.first_open, rules.adding):
        if s.job[j].node != NOBODY:
            arc = s.arc[s.job[j].arc]
            set_arc(n, s.job[j].arc, arc.low, MANY, s.half[arc.half].cost)
    return True


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
    rules, network = s.rules[0], s.network[0]
    count = network.moved_nodes
    if rules.at == 2 * count:
        _end_round(w, s)
        return True
    stopping, done = rules.at < count, _DONE
    v = s.moved[rules.at % count]
    t = s.task_of[v]
    if t != NOBODY and s.task[t].node == v and w.task[t].job < w.control[0].next_job:
        h = _onwards(net_of(s), v)
        if stopping:
            _stop_moved(w, s, t, h)
        elif w.task[t].state == TASK_WAITING and h >= 0:
            done = _start_moved(w, s, t, h)
            if done == _FULL:
                return False
    rules.at += 1
    if done == _LATER:
        s.moved[rules.kept] = v
        rules.kept += 1
    elif not stopping:
        s.node[v].listed &= ~IN_MOVED
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


@inner
def _onwards(n: Net, v: int) -> int:
    """The first half of a node over which something flows onwards, or -1. Of the cluster and racks they come first."""
    for h in range(n.node[v].first, n.node[v].first + n.node[v].count):
        if n.half[h].arc & 1 == 0 and n.half[h].back > 0:
            return h
    return -1


@inner
def _stop_moved(w: World, s: FlowState, t: int, h: int) -> None:
    """Stop a task that the flow takes off its machine. One whose end is known to its machine already goes on."""
    it, row, rules, now_ns = s.task[t], w.task[t], s.rules[0], w.control[0].now_ns
    if row.state != TASK_RUNNING or it.here == NOBODY or h < 0 or s.half[h].arc >> 1 == it.here:
        return
    if row.last_start_ns + row.duration_ns <= now_ns:
        return
    machine, worked_ns = row.machine, max(0, now_ns - row.last_start_ns)
    left, had_begun = s.half[h].to == s.job[row.job].node, now_ns >= row.last_start_ns
    stop_task(w, t, now_ns)
    row.since_ns = now_ns
    w.control[0].messages += 1
    drop_arc(net_of(s), it.here)
    it.here = NOBODY
    it.token += 1
    s.job[row.job].running -= 1
    rules.unplaced += 1
    if had_begun:
        rules.preemptions += 1
        if not left:
            rules.migrations += 1
    decide(w, t, machine, STOPPED if left else MOVED, NOBODY, NOBODY, rules.rounds, worked_ns)


@inner
def _start_moved(w: World, s: FlowState, t: int, h: int) -> int:
    """Start a waiting task where its unit flows. _LATER where it does not fit, _FULL when the arrays are too small."""
    rules, n, to = s.rules[0], net_of(s), s.half[h].to
    if to == s.job[w.task[t].job].node:
        if s.task[t].told != LEFT:
            decide(w, t, NOBODY, LEFT, NOBODY, NOBODY, rules.rounds, rules.unplaced)
            s.task[t].told = LEFT
        return _DONE
    over_cluster, over_rack, at = NOBODY, NOBODY, to
    if to == rules.cluster:
        over_cluster = _onwards(n, to)
        if over_cluster < 0:
            return _LATER
        at = s.half[over_cluster].to
    machine = NODES_OF_MACHINES - s.task_of[at]
    if machine >= len(s.machine):
        over_rack = _onwards(n, at)
        if over_rack < 0:
            return _LATER
        machine = NODES_OF_MACHINES - s.task_of[s.half[over_rack].to]
    if not fits(w, machine, w.task[t].demand):
        _does_not_fit(w, s, t, machine)
        return _LATER
    if over_rack == NOBODY:
        s.task[t].here = s.half[h].arc >> 1
    else:
        arc = new_arc(n, s.task[t].node, s.machine[machine].node, 0, 1, task_cost(w, s, t, machine))
        if arc < 0:
            return _FULL
        h = _onwards(n, s.task[t].node)
        _reroute(n, h)
        if over_cluster != NOBODY:
            _reroute(n, over_cluster)
        _reroute(n, over_rack)
        push(n, s.arc[arc].half, 1)
        s.task[t].here = arc
    _settle(s, t, machine, w)
    _launch(w, s, t, machine)
    return _DONE


@inner
def _reroute(n: Net, h: int) -> None:
    """Take one unit off a half that leads onwards."""
    push(n, n.half[h].mate, 1)
    soil(n, n.half[h].arc >> 1)


@inner
def _does_not_fit(w: World, s: FlowState, t: int, machine: int) -> None:
    """The flow counts slots; what runs there leaves less than the task needs: no more until something ends there."""
    s.rules[0].misfits += 1
    if s.task[t].told != MISFIT:
        decide(w, t, machine, MISFIT, NOBODY, NOBODY, 0, 0)
        s.task[t].told = MISFIT
    set_width(s, machine, w.machine[machine].running)


@inner
def _settle(s: FlowState, t: int, machine: int, w: World) -> None:
    """A running task keeps its way; without preemption it has no other."""
    n, rules, it = net_of(s), s.rules[0], s.task[t]
    if rules.preempts == 1:
        set_arc(n, it.here, 0, 1, task_cost(w, s, t, machine) - whole(rules.stay_cost))
        return
    node = s.node[it.node]
    i = node.count - 1
    while i >= 0:
        arc = s.half[node.first + i].arc >> 1
        if arc != it.here:
            drop_arc(n, arc)
        i -= 1


@inner
def _launch(w: World, s: FlowState, t: int, machine: int) -> None:
    """The task starts one message from now; its end is known one message later."""
    rules, row, now_ns, it = s.rules[0], w.task[t], w.control[0].now_ns, s.task[t]
    if row.attempts == 0:
        solving_ns = min(rules.last_solver_ns, now_ns - row.since_ns)  # none for one that only moves
        row.processing_ns += solving_ns
        row.framework_ns += now_ns - row.since_ns - solving_ns
        row.communication_ns += rules.delay_ns
    w.control[0].messages += 1
    reason = ANYWHERE
    if rules.reads == 1:
        near = nearness(w, s, t, machine)
        if near == LOCAL:
            reason = ON_DATA
            rules.local += 1
        elif near == IN_ITS_RACK:
            reason = IN_RACK
            rules.in_rack += 1
        else:
            rules.remote += 1
    decide(w, t, machine, reason, NOBODY, NOBODY, rules.rounds, 0)
    it.told = 0
    s.job[row.job].running += 1
    rules.unplaced -= 1
    end_ns = start_task(w, t, machine, now_ns + rules.delay_ns)
    row.end_ns = end_ns
    schedule(w, end_ns + rules.delay_ns, TASK_END, t, it.token)


@inner
def _bound_jobs(w: World, s: FlowState) -> None:
    """Sirius' fairness: of a job's N tasks exactly its max-min share of the slots runs, so N minus that do not.

    Water is filled in: each round of it gives every job that wants more the same.
    """
    n, left, wanting = net_of(s), 0, 0
    for m in range(len(s.machine)):
        left += s.machine[m].width
    for j in range(s.rules[0].first_open, s.rules[0].adding):
        s.job[j].share = 0
        if s.job[j].node != NOBODY:
            wanting += 1
    while left > 0 and wanting > 0:
        each, given = max(1, left // wanting), 0
        wanting = 0
        for j in range(s.rules[0].first_open, s.rules[0].adding):
            it = s.job[j]
            if it.node == NOBODY or it.share == it.here:
                continue
            more = min(each, it.here - it.share, left)
            it.share += more
            left -= more
            given += more
            if it.share < it.here:
                wanting += 1
        if given == 0:
            break
    for j in range(s.rules[0].first_open, s.rules[0].adding):
        it = s.job[j]
        if it.node == NOBODY:
            continue
        # Without preemption what runs goes on: of those that wait so many stay behind as the share does not hold.
        least = it.here - it.share
        most = least
        if s.rules[0].preempts == 0:
            least, most = min(least, it.here - it.running), MANY
        arc = s.arc[it.arc]
        if arc.low != least or arc.cap != most:
            set_arc(n, it.arc, least, most, s.half[arc.half].cost)

