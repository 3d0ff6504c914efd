"""Queues of eligible tasks: a heap for each demand class, or a bag where the order is drawn again each time."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Records, World
from scheduler_core.schedulers.pipeline.clock import lap
from scheduler_core.schedulers.pipeline.codes import COUNT_SHARES, J3, NONE
from scheduler_core.schedulers.pipeline.state import PipelineState


@inner
def join(w: World, s: PipelineState, task: int) -> None:
    """Add an eligible task to its line; open a line that was empty."""
    it, rules = s.task[task], s.rules[0]
    line = s.line[it.line]
    if rules.by_time == 1:
        it.second_key = w.control[0].now_ns
    if line.live_at == NOBODY:
        line.live_at = rules.lines
        s.live[rules.lines] = it.line
        rules.lines += 1
        line.shut = 0
        line.only = NOBODY
    if rules.bags == 1:
        entry = s.entry[line.first + line.count]
        entry.first_key, entry.second_key, entry.task = it.first_key, it.second_key, task
    else:
        _rise(s.entry, line.first, line.count, it.first_key, it.second_key, task)
    line.count += 1
    rules.eligible += 1
    rules.looked_at += line.able


@inner
def _before(a: Records, first_key: int, second_key: int, task: int) -> bool:
    """Return whether an entry goes before the keys and task given."""
    if a.first_key != first_key:
        return bool(a.first_key < first_key)
    if a.second_key != second_key:
        return bool(a.second_key < second_key)
    return bool(a.task < task)


@called
def _rise(entry: Records, first: int, hole: int, first_key: int, second_key: int, task: int) -> None:
    while hole > 0:
        parent = (hole - 1) >> 1
        above = entry[first + parent]
        if _before(above, first_key, second_key, task):
            break
        here = entry[first + hole]
        here.first_key, here.second_key, here.task = above.first_key, above.second_key, above.task
        hole = parent
    here = entry[first + hole]
    here.first_key, here.second_key, here.task = first_key, second_key, task


@called
def _drop(entry: Records, first: int, count: int, hole: int) -> None:
    """Take one of `count` entries away, the one at place `hole`."""
    last = entry[first + count - 1]
    first_key, second_key, task = last.first_key, last.second_key, last.task
    if hole == count - 1:
        return
    while True:
        child = 2 * hole + 1
        if child >= count - 1:
            break
        below = entry[first + child]
        if child + 1 < count - 1:
            right = entry[first + child + 1]
            if _before(right, below.first_key, below.second_key, below.task):
                child += 1
                below = right
        if not _before(below, first_key, second_key, task):
            break
        here = entry[first + hole]
        here.first_key, here.second_key, here.task = below.first_key, below.second_key, below.task
        hole = child
    _rise(entry, first, hole, first_key, second_key, task)


@inner
def leave(s: PipelineState, number: int, place: int, task: int) -> None:
    """Remove a task from its line, at `place` unless others have joined since."""
    line, rules = s.line[number], s.rules[0]
    while s.entry[line.first + place].task != task:
        place = (place + 1) % line.count
    if rules.bags == 1:
        last, gone = s.entry[line.first + line.count - 1], s.entry[line.first + place]
        gone.first_key, gone.second_key, gone.task = last.first_key, last.second_key, last.task
    else:
        _drop(s.entry, line.first, line.count, place)
    line.count -= 1
    rules.eligible -= 1
    rules.looked_at -= line.able
    if line.count == 0:
        rules.lines -= 1
        moved = s.live[rules.lines]
        s.live[line.live_at] = moved
        s.line[moved].live_at = line.live_at
        line.live_at = NOBODY


@inner
def first_line(w: World, s: PipelineState) -> tuple[int, int]:
    """Return (line, place in it) of the first task of all open lines; NOBODY without one."""
    rules = s.rules[0]
    owed = 0.0
    if rules.fair != NONE:
        owed = _least_owed(s)
        lap(s, J3)
    if rules.bags == 1:
        return _drawn(w, s, owed)
    best = NOBODY
    for at in range(rules.lines):
        number = s.live[at]
        line = s.line[number]
        if line.shut == 1 or (rules.fair != NONE and load_of(s, line.queue) > owed):
            continue
        if best == NOBODY:
            best = number
            continue
        head, other = s.entry[s.line[best].first], s.entry[line.first]
        if _before(other, head.first_key, head.second_key, head.task):
            best = number
    return best, 0


@inner
def load_of(s: PipelineState, queue: int) -> float:
    """Return how much a queue has for its share: running tasks, or its dominant share."""
    share = max(s.queue[queue].share, 1e-9)
    if s.rules[0].fair != COUNT_SHARES:
        return float(s.queue[queue].running / share)
    most = 0.0
    for r in range(s.total.shape[0]):
        if s.total[r] > 0:
            most = max(most, s.queue_held[queue, r] / s.total[r])
    return float(most / share)


@inner
def _least_owed(s: PipelineState) -> float:
    """Return the least load of the queues that have a task in a line that is not shut."""
    least = -1.0
    for at in range(s.rules[0].lines):
        line = s.line[s.live[at]]
        if line.shut == 0 and (least < 0.0 or load_of(s, line.queue) < least):
            least = load_of(s, line.queue)
    return least


@inner
def _drawn(w: World, s: PipelineState, owed: float) -> tuple[int, int]:
    """Return a task drawn among all that are in lines that are not shut."""
    rules, total = s.rules[0], 0
    for at in range(rules.lines):
        line = s.line[s.live[at]]
        if line.shut == 0 and (rules.fair == NONE or load_of(s, line.queue) <= owed):
            total += line.count
    if total == 0:
        return NOBODY, 0
    drawn = rng.below(w.control[0].seed, rng.STREAM_TIE, rules.iterations, rules.draws, total)
    rules.draws += 1
    for at in range(rules.lines):
        number = s.live[at]
        line = s.line[number]
        if line.shut == 1 or (rules.fair != NONE and load_of(s, line.queue) > owed):
            continue
        if drawn < line.count:
            return number, drawn
        drawn -= line.count
    return NOBODY, 0


@inner
def open_lines(w: World, s: PipelineState, machine: int) -> None:
    """Open lines with tasks that fit on a machine with new room, with it as the only candidate."""
    offers, cluster = w.machine[machine].offers, w.machine[machine].cluster
    for at in range(s.rules[0].lines):
        line = s.line[s.live[at]]
        if line.shut == 0 and line.only == NOBODY:
            continue
        if machine == s.rules[0].held_machine and s.live[at] != s.rules[0].held_line:
            continue
        asks = w.asks[line.demand]
        able = (offers & asks) == asks and (s.allowed[line.queue, cluster] == 1 or cluster == s.rules[0].provider)
        for r in range(w.free.shape[1]):
            able = able and w.free[machine, r] >= w.demand[line.demand, r]
        if not able:
            continue
        line.only = machine if line.shut == 1 or line.only == machine else NOBODY
        line.shut = 0


@called
def open_lines_again(w: World, s: PipelineState, machine: int) -> None:
    """Open lines like `open_lines`, for rare events: not inlined, to keep compilation short."""
    open_lines(w, s, machine)


@called
def queue_again(w: World, s: PipelineState, task: int) -> None:
    """Add a task that ran to its line like `join`."""
    join(w, s, task)


@inner
def sort_again(w: World, s: PipelineState, queue: int, key: int) -> None:
    """Sort the tasks of a queue again after a change of its share."""
    by_share = s.rules[0].by_share
    for task in range(s.task.shape[0]):
        if w.job[w.task[task].job].queue == queue:
            if by_share & 1 == 1:
                s.task[task].second_key = key
            if by_share & 2 == 2:
                s.task[task].first_key = key
    rebuild(s)


@called
def rebuild(s: PipelineState) -> None:
    """Sort every line again after a change of the tasks' keys."""
    for at in range(s.rules[0].lines):
        line = s.line[s.live[at]]
        for place in range(line.count):
            task = s.entry[line.first + place].task
            it = s.task[task]
            _rise(s.entry, line.first, place, it.first_key, it.second_key, task)
