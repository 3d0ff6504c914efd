"""Lists of waiting and running tasks by group and machine, and of room freed since a group's last check.

If a task of a group found no room, the group is checked again only after something has been freed, and only on the
machines where that happened: all others can only have less room. So the length of the queue hardly affects how long a
run takes.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.queue.state import QueueState


@inner
def line_up(w: World, s: QueueState, t: int) -> None:
    """Add a waiting task behind the older ones of its group."""
    g = w.task[t].kind
    it = s.group[g]
    it.waiting += 1
    if it.waiting == 1:
        it.head = t
        it.tail = t
        w.task[t].next = NOBODY
        it.spot = s.rules[0].open
        s.open_group[it.spot] = g
        s.rules[0].open += 1
        return
    if t > it.tail:
        w.task[it.tail].next = t
        w.task[t].next = NOBODY
        it.tail = t
        return
    before, after = NOBODY, it.head
    while after < t:
        before, after = after, w.task[after].next
    w.task[t].next = after
    if before == NOBODY:
        it.head = t
    else:
        w.task[before].next = t


@inner
def take_first(w: World, s: QueueState, g: int) -> int:
    """Return the oldest waiting task of a group, which waits no more."""
    it, rules = s.group[g], s.rules[0]
    t = it.head
    it.head = w.task[t].next
    it.waiting -= 1
    it.told = 0
    if it.waiting == 0:
        it.tail = NOBODY
        rules.open -= 1
        last = s.open_group[rules.open]
        s.open_group[it.spot] = last
        s.group[last].spot = it.spot
    return int(t)


@inner
def rank_of(w: World, s: QueueState, t: int) -> float:
    """Return a task's priority, or its queue's share where the experiment has none."""
    return float(s.line[s.group[w.task[t].kind].line].rank)


@inner
def settle(w: World, s: QueueState, t: int, m: int) -> None:
    """Add a task to its machine, behind those whose priority is at least its own."""
    host, before = s.host[m], s.host[m].tail
    if s.rules[0].by_priority == 1:
        mine = rank_of(w, s, t)
        while before != NOBODY and rank_of(w, s, before) < mine:
            before = w.task[before].previous
    after = host.head if before == NOBODY else w.task[before].next
    w.task[t].previous = before
    w.task[t].next = after
    if before == NOBODY:
        host.head = t
    else:
        w.task[before].next = t
    if after == NOBODY:
        host.tail = t
    else:
        w.task[after].previous = t
    s.line[s.group[w.task[t].kind].line].running += 1


@inner
def leave(w: World, s: QueueState, t: int, m: int) -> None:
    """Remove a task from its machine, and note that something is free there."""
    host, before, after = s.host[m], w.task[t].previous, w.task[t].next
    if before == NOBODY:
        host.head = after
    else:
        w.task[before].next = after
    if after == NOBODY:
        host.tail = before
    else:
        w.task[after].previous = before
    s.line[s.group[w.task[t].kind].line].running -= 1
    note_freed(s, m)


@inner
def note_freed(s: QueueState, m: int) -> None:
    """Note that something has become free on a machine."""
    rules = s.rules[0]
    s.freed[rules.freed % len(s.freed)] = m
    rules.freed += 1


@inner
def look_by_rule(s: QueueState) -> None:
    """Look again at jobs with a rule on racks after machines went out or came in."""
    for k in range(s.rules[0].open):
        g = s.open_group[k]
        if s.group[g].band != NOBODY:
            s.group[g].failed = 0


@inner
def look_everywhere(s: QueueState) -> None:
    """Look again for all tasks that found no room, because the rules have changed."""
    for k in range(s.rules[0].open):
        s.group[s.open_group[k]].failed = 0


@inner
def next_group(w: World, s: QueueState) -> int:
    """Return the group whose oldest task is to be decided on, or NOBODY: of those that could find room."""
    rules, best = s.rules[0], NOBODY
    if rules.strict == 1:
        return _head(s)
    limit = _holding_up(w, s) if rules.gangs_left > 0 and rules.gang_wait_ns >= 0 else NOBODY
    for k in range(rules.open):
        g = s.open_group[k]
        it = s.group[g]
        if it.failed == 1 and it.seen == rules.freed:
            continue
        if limit != NOBODY and g != limit and not _before(s, g, limit):
            continue
        if best == NOBODY or _before(s, g, best):
            best = g
    return best


@inner
def _head(s: QueueState) -> int:
    """Return the group at the head of the queue, or NOBODY if it found no room and nothing has become free since."""
    head = NOBODY
    for k in range(s.rules[0].open):
        g = s.open_group[k]
        if head == NOBODY or _before(s, g, head):
            head = g
    if head != NOBODY and s.group[head].failed == 1 and s.group[head].seen == s.rules[0].freed:
        return NOBODY
    return head


@inner
def _holding_up(w: World, s: QueueState) -> int:
    """Return the first group of a gang that has waited long enough to hold up what is behind it, or NOBODY.

    Only while something runs: what finds no room on idle machines waits for machines, not for room.
    """
    first, control = NOBODY, w.control[0]
    if control.tasks_running == 0:
        return first
    for k in range(s.rules[0].open):
        g = s.open_group[k]
        b = s.group[g].band
        if s.group[g].failed == 0 or b == NOBODY or s.band[b].gang == 0:
            continue
        waited_ns = control.now_ns - w.job[s.band[b].job].arrival_ns
        if waited_ns >= s.rules[0].gang_wait_ns and (first == NOBODY or _before(s, g, first)):
            first = g
    return first


@inner
def _before(s: QueueState, one: int, other: int) -> bool:
    """Return whether a group's task goes before another's."""
    a, b = s.group[one], s.group[other]
    if s.rules[0].by_priority == 1:
        mine, yours = s.line[a.line], s.line[b.line]
        if mine.rank != yours.rank:
            return bool(mine.rank > yours.rank)
        if s.rules[0].in_turns == 1 and mine.turn != yours.turn:
            return bool(mine.turn < yours.turn)
    return bool(a.head < b.head)
