"""The queue of a resource manager: tasks by demand class, each class in arrival order."""

from __future__ import annotations

from scheduler_core.engine.bits import flip_bit, has_bit, next_bit
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.lists import put_last, take_out
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.schedulers.shared.heartbeats.state import BEAT, Heartbeats

ABLE, HOPEFUL = range(2)


@inner
def join(w: World, s: Heartbeats, task: int, number: int) -> None:
    """Add the task to a sub-cluster's queue."""
    row, rules, sub = w.task[task], s.rules[0], s.sub[number]
    kind = s.kind[number, row.demand]
    rules.joined += 1
    s.task[task].order = rules.joined
    s.task[task].sub = number
    if row.attempts == 0:
        row.communication_ns += w.control[0].now_ns - row.since_ns
    row.since_ns = w.control[0].now_ns
    if kind.first == NOBODY:
        kind.place = sub.kinds
        s.present[number, sub.kinds] = row.demand
        sub.kinds += 1
    put_last(w.task, kind, task)
    sub.waiting += 1
    if row.previous == NOBODY:
        hope_again(s, number)
    ask_beat(w, s, number)


@inner
def leave(w: World, s: Heartbeats, task: int) -> None:
    """Remove the task from its queue."""
    number = s.task[task].sub
    sub, kind = s.sub[number], s.kind[number, w.task[task].demand]
    take_out(w.task, kind, task)
    sub.waiting -= 1
    s.task[task].sub = NOBODY
    if kind.first == NOBODY:
        sub.kinds -= 1
        moved = s.present[number, sub.kinds]
        s.present[number, kind.place] = moved
        s.kind[number, moved].place = kind.place


@inner
def first_fitting(w: World, s: Heartbeats, number: int, machine: int) -> int:
    """Return the first task of the queue that fits on the machine, or NOBODY."""
    found, first = NOBODY, NEVER
    for place in range(s.sub[number].kinds):
        demand = s.present[number, place]
        task = s.kind[number, demand].first
        if s.task[task].order < first and could_be_given(w, s, machine, demand):
            if (w.machine[machine].offers & w.asks[demand]) == w.asks[demand]:
                found, first = task, s.task[task].order
    return found


@inner
def could_be_given(w: World, s: Heartbeats, machine: int, demand: int) -> bool:
    """Return whether the machine's free resources, and those that are only lent, hold the demand."""
    lends = s.lent.shape[0] > 1
    for r in range(w.free.shape[1]):
        room = w.free[machine, r]
        if lends:
            room += s.lent[machine, r]
        if room < w.demand[demand, r]:
            return False
    return True


@inner
def keep_able(w: World, s: Heartbeats, machine: int) -> None:
    """Update whether the changed machine can hold the smallest demand, and mark it for the next assignment."""
    able = could_be_given(w, s, machine, w.demand.shape[0] - 1)
    for row in range(2):
        if able != has_bit(s.bits, row, machine >> 6, machine & 63):
            flip_bit(s.bits, row, machine >> 6, machine & 63)


@inner
def give_up(s: Heartbeats, machine: int) -> None:
    """Mark the machine as fitting no waiting task until one of them changes."""
    if has_bit(s.bits, HOPEFUL, machine >> 6, machine & 63):
        flip_bit(s.bits, HOPEFUL, machine >> 6, machine & 63)


@inner
def hope_again(s: Heartbeats, number: int) -> None:
    """Look again at every machine with room after tasks of another class have joined."""
    machine = s.sub[number].first - 1
    end = s.sub[number].end
    while True:
        machine = next_bit(s.bits, ABLE, 0, machine + 1, end)
        if machine == NOBODY:
            return
        if not has_bit(s.bits, HOPEFUL, machine >> 6, machine & 63):
            flip_bit(s.bits, HOPEFUL, machine >> 6, machine & 63)


@inner
def beat_of(s: Heartbeats, number: int, machine: int, at_ns: int) -> int:
    """Return the first time not before `at_ns` at which a node reports. Clocks are spread evenly over the period."""
    sub, period_ns = s.sub[number], s.rules[0].node_ns
    offset_ns = (machine - sub.first) * period_ns // (sub.end - sub.first)
    periods = max(0, (at_ns - offset_ns + period_ns - 1) // period_ns)
    beat: int = offset_ns + periods * period_ns
    return beat


@inner
def ask_beat(w: World, s: Heartbeats, number: int) -> None:
    """Schedule the heartbeat of the next node that could receive a task."""
    sub, rules, now_ns = s.sub[number], s.rules[0], w.control[0].now_ns
    if sub.waiting == 0:
        return
    machines = sub.end - sub.first
    start = sub.first + (now_ns % rules.node_ns * machines + rules.node_ns - 1) // rules.node_ns
    machine = next_bit(s.bits, HOPEFUL, 0, start, sub.end)
    if machine == NOBODY:
        machine = next_bit(s.bits, HOPEFUL, 0, sub.first, sub.end)
    if machine == NOBODY:
        return
    beat_ns = beat_of(s, number, machine, now_ns)
    if beat_ns < sub.next_ns:
        sub.next_ns = beat_ns
        schedule(w, beat_ns, BEAT, number, machine)


@inner
def enter_machine(s: Heartbeats, task: int, machine: int) -> None:
    """Add the task to the front of its machine's list."""
    first = s.resident[machine]
    s.task[task].beside = first
    s.task[task].before = NOBODY
    if first != NOBODY:
        s.task[first].before = task
    s.resident[machine] = task


@inner
def leave_machine(w: World, s: Heartbeats, task: int) -> None:
    """Remove the task from its machine's list."""
    it = s.task[task]
    if it.beside != NOBODY:
        s.task[it.beside].before = it.before
    if it.before != NOBODY:
        s.task[it.before].beside = it.beside
    else:
        s.resident[w.task[task].machine] = it.beside
