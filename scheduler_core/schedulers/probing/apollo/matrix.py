"""The wait-time matrix: the earliest start of a task of each size at a server, given its queue and running tasks.

A server publishes instants instead of waits, so that a publication means the same however old it is.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY, TASK_WAITING, World
from scheduler_core.schedulers.probing.apollo.state import CORRECTING, DEEP, FINEST, LEVELS, PUBLISH, ApolloState


@inner
def expected_ns(w: World, s: ApolloState, server: int, demand: int) -> int:
    """Return the wait for a demand by the last matrix plus what this job has sent there since, ns."""
    row = _level_for(w, server, demand, 0) * LEVELS
    if w.capacity.shape[1] > 1:
        row += _level_for(w, server, demand, 1)
    wait_ns: int = max(0, s.start_ns[server, row] - w.control[0].now_ns) + s.server[server].added_ns
    return wait_ns


@inner
def work_ns(w: World, s: ApolloState, server: int, task: int) -> int:
    """Return how long a task delays others at a server: its run time times its largest fraction, ns."""
    row, work = w.task[task], 1
    for r in range(w.capacity.shape[1]):
        if w.demand[row.demand, r] > 0:
            work = max(work, s.group[row.kind].estimate_ns // w.capacity[server, r] * w.demand[row.demand, r])
    return work


@inner
def _level_for(w: World, server: int, demand: int, axis: int) -> int:
    """Return the smallest size that holds the demand."""
    asked, capacity, level = w.demand[demand, axis] * FINEST, w.capacity[server, axis], 0
    if asked == 0:
        return 0
    while level < LEVELS - 1 and asked > capacity << level:
        level += 1
    return min(level + 1, LEVELS - 1)


@inner
def _level_in(w: World, s: ApolloState, server: int, axis: int) -> int:
    """Return the largest size that there is room for."""
    if axis >= w.capacity.shape[1]:
        return LEVELS - 1
    room, capacity, level = s.room[axis] * FINEST, w.capacity[server, axis], 0
    while level < LEVELS - 1 and room >= capacity << level:
        level += 1
    return level


@called
def publish(w: World, s: ApolloState) -> None:
    """Publish new matrices of servers with changes or with tasks that are late.

    Source: *Apollo: scalable and coordinated scheduling for cloud-scale computing* (wait-time matrix).
    """
    rules, now_ns = s.rules[0], w.control[0].now_ns
    for server in range(w.machine.shape[0]):
        if s.server[server].changed == 1 or s.server[server].next_ns <= now_ns:
            _work_out(w, s, server)
    if w.control[0].heap_size > 0 or w.control[0].next_job < w.job.shape[0]:
        schedule(w, now_ns + rules.publish_ns, PUBLISH, 0, 0)
    if rules.correct_ns != NEVER:
        rules.phase = CORRECTING
        rules.at = 0


@inner
def _work_out(w: World, s: ApolloState, server: int) -> None:
    """Go through what runs and waits at a server as estimates say it will go."""
    it, now_ns = s.server[server], w.control[0].now_ns
    it.changed = 0
    it.late = NOBODY
    for r in range(w.free.shape[1]):
        s.room[r] = w.free[server, r]
    end, task = 0, it.running
    while task != NOBODY:
        row = w.task[task]
        end_ns = row.last_start_ns + s.group[row.kind].estimate_ns
        if end_ns < now_ns:
            end_ns = 2 * now_ns - end_ns  # a task that is late is likely to be late by as much again
        _add_end(s, 0, end, end_ns, task)
        end += 1
        task = s.task[task].next
    it.next_ns = NEVER
    if end > 0:
        it.next_ns = s.ends_ns[0]
    head, end, start_ns = _queue_goes(w, s, server, end)
    _fill_matrix(w, s, server, head, end, start_ns)


@inner
def _queue_goes(w: World, s: ApolloState, server: int, end: int) -> tuple[int, int, int]:
    """Start one after the other of the queue: (the next of `ends`, how many there are, when the queue is through)."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    head, start_ns, looked, worked_ns = 0, now_ns, 0, 0
    probe = s.worker[server].first
    while probe != NOBODY and looked < DEEP:
        task = s.probe[probe].task
        probe = s.probe[probe].next
        looked += 1
        row, it = w.task[task], s.task[task]
        if row.state != TASK_WAITING:
            continue
        while not _holds(w, s, row.demand):
            start_ns = s.ends_ns[head]
            _leave(w, s, s.ends[head], 1)
            head += 1
        _leave(w, s, task, -1)
        it.starts_ns = start_ns
        if s.server[server].late == NOBODY and it.sent == 1 and rules.correct_ns != NEVER:
            if start_ns - row.since_ns > it.expected_ns + rules.correct_ns:
                s.server[server].late = task
        estimate_ns = s.group[row.kind].estimate_ns
        worked_ns += work_ns(w, s, server, task)
        _add_end(s, head, end, start_ns + estimate_ns, task)
        end += 1
    if probe != NOBODY:
        start_ns += worked_ns * (s.worker[server].length - looked) // looked
    return head, end, start_ns


@inner
def _holds(w: World, s: ApolloState, demand: int) -> bool:
    for r in range(w.free.shape[1]):
        if s.room[r] < w.demand[demand, r]:
            return False
    return True


@inner
def _leave(w: World, s: ApolloState, task: int, sign: int) -> None:
    """Free (1) or take (-1) the room of a task."""
    for r in range(w.free.shape[1]):
        s.room[r] += sign * w.demand[w.task[task].demand, r]


@inner
def _add_end(s: ApolloState, head: int, end: int, time_ns: int, task: int) -> None:
    """Put an end among those from `head` to `end`, which are in order."""
    place = end
    while place > head and s.ends_ns[place - 1] > time_ns:
        s.ends_ns[place], s.ends[place] = s.ends_ns[place - 1], s.ends[place - 1]
        place -= 1
    s.ends_ns[place], s.ends[place] = time_ns, task


@inner
def _fill_matrix(w: World, s: ApolloState, server: int, head: int, end: int, start_ns: int) -> None:
    """Fill a server's matrix: when each size could start, once the queue is through and enough has ended."""
    for size in range(LEVELS * LEVELS):
        s.start_ns[server, size] = -1
    while True:
        cpus, memory = _level_in(w, s, server, 0), _level_in(w, s, server, 1)
        for one in range(cpus + 1):
            for other in range(memory + 1):
                if s.start_ns[server, one * LEVELS + other] < 0:
                    s.start_ns[server, one * LEVELS + other] = start_ns
        if head == end:
            return
        start_ns = max(start_ns, s.ends_ns[head])
        _leave(w, s, s.ends[head], 1)
        head += 1
