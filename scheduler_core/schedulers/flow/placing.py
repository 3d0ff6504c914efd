"""Carry out a round's solution: stop and start tasks as the flow says, one task at a time."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.pace import IN_ITS_RACK, LOCAL, lacks, nearness, on_end, on_start
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, fits, has_ended, start_task, stop_task
from scheduler_core.flow.arrays import IN_MOVED, Net
from scheduler_core.flow.edit import drop_arc, new_arc, set_arc, soil
from scheduler_core.flow.repair import push
from scheduler_core.schedulers.flow.costs import OLDEST_S, pace_of, running_cost, task_cost
from scheduler_core.schedulers.flow.graph import net_of, set_width, weigh_kinds, weigh_slots
from scheduler_core.schedulers.flow.reasons import ANYWHERE, IN_RACK, LEFT, MISFIT, MOVED, ON_DATA, RELAXED, STOPPED
from scheduler_core.schedulers.flow.state import NODES_OF_MACHINES, OLDER, TASK_END, FlowState

SECOND_NS = 1_000_000_000

# What became of a task whose flow has moved.
_DONE, _LATER, _FULL = range(3)


@inner
def place_next(w: World, s: FlowState) -> bool:
    """Place one task whose flow has moved; False, with nothing changed, if the arrays are too small."""
    rules, count = s.rules[0], s.network[0].moved_nodes
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
def _onwards(n: Net, v: int) -> int:
    """Return the first half by which flow leaves a node, or -1 (the cluster and racks list these first)."""
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
    if has_ended(w, t):
        return
    machine, worked_ns = row.machine, max(0, now_ns - row.last_start_ns)
    left, had_begun = s.half[h].to == s.job[row.job].node, now_ns >= row.last_start_ns
    stop_task(w, t, now_ns)
    left_machine(w, s, t, machine)
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
    if w.machine[machine].outage != 0:
        # The task vanished while the solver worked, or the machine's task moves away: no flow takes that place.
        set_width(w, s, machine, w.machine[machine].running)
        return _LATER
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
    _launch(w, s, t, machine)
    _settle(w, s, t, machine)
    return _DONE


@inner
def _reroute(n: Net, h: int) -> None:
    """Take one unit off a half that leads onwards."""
    push(n, n.half[h].mate, 1)
    soil(n, n.half[h].arc >> 1)


@inner
def _does_not_fit(w: World, s: FlowState, t: int, machine: int) -> None:
    """Close a machine whose slot lacks resources for a task, until something ends there."""
    s.rules[0].misfits += 1
    if s.task[t].told != MISFIT:
        decide(w, t, machine, MISFIT, NOBODY, NOBODY, 0, 0)
        s.task[t].told = MISFIT
    set_width(w, s, machine, w.machine[machine].running)


@inner
def _settle(w: World, s: FlowState, t: int, machine: int) -> None:
    """Keep a running task's arc to its machine; without preemption, drop all others."""
    n, rules, it = net_of(s), s.rules[0], s.task[t]
    if rules.preempts == 1:
        set_arc(n, it.here, 0, 1, running_cost(w, s, t, machine))
        if rules.run_cost > 0.0:
            schedule(w, w.task[t].last_start_ns + SECOND_NS, OLDER, t, it.token)
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
    """Start the task one message from now; its end is known one message later."""
    rules, row, now_ns, it = s.rules[0], w.task[t], w.control[0].now_ns, s.task[t]
    if row.attempts == 0:
        solving_ns = min(rules.last_solver_ns, now_ns - row.since_ns)  # none for one that only moves
        row.processing_ns += solving_ns
        row.framework_ns += now_ns - row.since_ns - solving_ns
        row.communication_ns += rules.delay_ns
    w.control[0].messages += 1
    reason = ANYWHERE
    if rules.reads == 1:
        near = nearness(w, s.replica, t, machine)
        if near == LOCAL:
            reason = ON_DATA
        elif near == IN_ITS_RACK:
            reason = IN_RACK
    on_start(w, pace_of(s), t, machine)
    if rules.soft != 0 and lacks(w, t, machine) != 0:
        decide(w, t, machine, RELAXED, NOBODY, NOBODY, lacks(w, t, machine), row.duration_ns)
    else:
        decide(w, t, machine, reason, NOBODY, NOBODY, rules.rounds, 0)
    it.told = 0
    s.job[row.job].running += 1
    rules.unplaced -= 1
    end_ns = start_task(w, t, machine, now_ns + rules.delay_ns)
    row.end_ns = end_ns
    if row.attempts == 1:
        s.machine[machine].launches += 1
    if rules.changing == 1:
        weigh_kinds(w, s, machine)
    if rules.random_cost > 0.0:
        weigh_slots(w, s, machine)
    schedule(w, end_ns + rules.delay_ns, TASK_END, t, it.token)


@inner
def left_machine(w: World, s: FlowState, t: int, machine: int) -> None:
    """Remove a task from its machine, and update the costs of the machine."""
    on_end(pace_of(s), t, machine)
    if s.rules[0].changing == 1:
        weigh_kinds(w, s, machine)


@inner
def grow_older(w: World, s: FlowState, t: int, token: int) -> None:
    """Raise the cost of stopping a task that has run for twice as long as before."""
    it, row = s.task[t], w.task[t]
    if it.token != token or row.state != TASK_RUNNING or it.here == NOBODY or s.rules[0].preempts == 0:
        return
    set_arc(net_of(s), it.here, 0, 1, running_cost(w, s, t, row.machine))
    ran_ns = w.control[0].now_ns - row.last_start_ns
    if ran_ns < OLDEST_S * SECOND_NS and 2 * ran_ns < row.duration_ns:
        schedule(w, row.last_start_ns + 2 * ran_ns, OLDER, t, token)
