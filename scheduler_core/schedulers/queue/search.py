"""Choose the next task to place, and handle a task that finds no machine."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.queue.choosing import choose
from scheduler_core.schedulers.queue.gangs import find_together
from scheduler_core.schedulers.queue.lists import next_group, take_first
from scheduler_core.schedulers.queue.racks import is_gang, note_rule
from scheduler_core.schedulers.queue.reasons import NO_RACK, NO_ROOM
from scheduler_core.schedulers.queue.state import DECIDED, IDLE, QueueState


@inner
def search_turn(w: World, s: QueueState) -> None:
    """Decide about one group: choose for its oldest task or note that it has no room; rest after the last."""
    rules = s.rules[0]
    g = next_group(w, s)
    if g != NOBODY and is_gang(s, g):
        if not find_together(w, s, s.group[g].band):
            return
        rules.gang = s.group[g].band
        rules.task = s.group[g].head
        take_turn(s, g)
    elif g != NOBODY:
        note_rule(w, s, g)
        m = choose(w, s, g, s.group[g].head)
        if m == NOBODY:
            _fail(w, s, g)
            return
        take_turn(s, g)
        rules.task = take_first(w, s, g)
        rules.machine = m
    else:
        rules.task = NOBODY
    rules.phase = IDLE
    if g == NOBODY and rules.spent_ns == 0.0:
        return
    rules.busy = 1
    rules.last_ns = int(rules.spent_ns)
    rules.spent_ns = 0.0
    schedule(w, w.control[0].now_ns + rules.last_ns, DECIDED, rules.task, 0)


@inner
def take_turn(s: QueueState, g: int) -> None:
    """Count the turn of a group's queue: others of its priority come first."""
    rules = s.rules[0]
    s.line[s.group[g].line].turn = rules.turn + 1
    rules.turn += 1


@inner
def _fail(w: World, s: QueueState, g: int) -> None:
    """Mark a group as having no room until some task frees it."""
    it, watched = s.group[g], w.control[0].watched_task
    it.failed = 1
    it.seen = s.rules[0].freed
    s.rules[0].in_vain += 1
    if it.told == 0:
        it.told = NO_ROOM if s.rules[0].rule == 0 else NO_RACK
        waits = watched >= 0 and w.task[watched].kind == g and w.task[watched].state == TASK_WAITING
        told = watched if waits else it.head
        decide(w, told, NOBODY, it.told, NOBODY, NOBODY, it.waiting, 0)
