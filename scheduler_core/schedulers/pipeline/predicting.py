"""R4's prediction: reserve the machine that will have room first for a waiting task that found none.

One machine at a time is reserved, for one queue of similar tasks: the first queue that found no room. The ends of
running tasks are known exactly here. Copies by T9 are assumed not to end.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.pipeline.admitting import count
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.codes import R4
from scheduler_core.schedulers.pipeline.lines import open_lines_again
from scheduler_core.schedulers.pipeline.reasons import KEPT_FOR
from scheduler_core.schedulers.pipeline.state import PipelineState


@called
def keep_machine(w: World, s: PipelineState, number: int, task: int) -> None:
    """Keep the machine for a line that is predicted to have room for its tasks first, if that is soon enough."""
    rules, line, now_ns = s.rules[0], s.line[number], w.control[0].now_ns
    best, first_ns = NOBODY, now_ns + rules.r4_ns + 1
    asks = w.asks[line.demand]
    for machine in range(w.free.shape[0]):
        it = w.machine[machine]
        if it.outage != 0 or it.cluster == rules.provider or (it.offers & asks) != asks:
            continue
        if s.allowed[line.queue, it.cluster] == 0:
            continue
        room_ns = _room_ns(w, s, machine, line.demand, first_ns)
        if room_ns < first_ns:
            best, first_ns = machine, room_ns
    if best != NOBODY:
        rules.held_machine = best
        rules.held_line = number
        update_room(w, s, best)
        decide(w, task, best, KEPT_FOR, NOBODY, NOBODY, max(first_ns - now_ns, 0), 0)


@called
def _room_ns(w: World, s: PipelineState, machine: int, demand: int, before_ns: int) -> int:
    """Return when a machine will have room for a demand, as its tasks end; NEVER if not before `before_ns`."""
    for r in range(s.freed.shape[0]):
        s.freed[r] = w.free[machine, r]
    after_ns, looks = -1, 0
    while True:
        next_ns, task = NEVER, s.first_on[machine]
        while task != NOBODY:
            row = w.task[task]
            end_ns = row.last_start_ns + row.duration_ns
            if after_ns < end_ns < next_ns:
                next_ns = end_ns
            looks += 1
            task = row.next
        if next_ns >= before_ns:
            count(s, R4, 0, looks)
            return NEVER
        _free_at(w, s, machine, next_ns)
        enough = True
        for r in range(s.freed.shape[0]):
            enough = enough and s.freed[r] >= w.demand[demand, r]
        if enough:
            count(s, R4, 0, looks)
            return next_ns
        after_ns = next_ns


@inner
def _free_at(w: World, s: PipelineState, machine: int, end_ns: int) -> None:
    """Add what tasks of a machine that end at a time will free."""
    task = s.first_on[machine]
    while task != NOBODY:
        row = w.task[task]
        if row.last_start_ns + row.duration_ns == end_ns:
            for r in range(s.freed.shape[0]):
                s.freed[r] += w.demand[row.demand, r]
        task = row.next


@called
def let_go(w: World, s: PipelineState) -> None:
    """Release the kept machine."""
    rules, machine = s.rules[0], s.rules[0].held_machine
    rules.held_machine = rules.held_line = NOBODY
    update_room(w, s, machine)
    if w.machine[machine].outage == 0:
        open_lines_again(w, s, machine)


@inner
def look_again(w: World, s: PipelineState) -> None:
    """Release, before an iteration, a machine kept for an empty line, or one that is out of service."""
    rules = s.rules[0]
    if rules.held_machine != NOBODY:
        empty = s.line[rules.held_line].count == 0
        if empty or w.machine[rules.held_machine].outage != 0:
            let_go(w, s)
