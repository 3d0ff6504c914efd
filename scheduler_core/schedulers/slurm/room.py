"""Find machines for all tasks of a job: now, or from a later time on, beside what others hold and reserve."""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import hold, release
from scheduler_core.schedulers.slurm.state import HELD, RESERVED, SlurmState


@inner
def may_use(w: World, s: SlurmState, u: int, m: int, demand: int) -> bool:
    """Return whether a machine belongs to the job's partition and offers what its tasks ask for."""
    if s.allowed[s.unit[u].partition, m] == 0:
        return False
    return bool((w.machine[m].offers & w.asks[demand]) == w.asks[demand])


@inner
def count_in(w: World, s: SlurmState, demand: int) -> int:
    """Return how many tasks of a class of demand the amounts in `amount` hold, at most those allowed on one machine."""
    most = s.rules[0].per_machine
    for r in range(len(s.amount)):
        if s.amount[r] < 0:
            return 0
        if w.demand[demand, r] > 0:
            most = min(most, s.amount[r] // w.demand[demand, r])
    return int(most)


@inner
def _now(w: World, s: SlurmState, u: int, m: int, demand: int) -> int:
    """Return how many tasks fit on a machine now."""
    if s.blocked[m] == 1 or not may_use(w, s, u, m, demand):
        return 0
    if s.rules[0].exclusive == 1 and w.machine[m].running > 0:
        return 0
    for r in range(len(s.amount)):
        s.amount[r] = w.free[m, r]
    return count_in(w, s, demand)


@called
def place_now(w: World, s: SlurmState, u: int) -> bool:
    """Give each waiting task of a job a machine (its `place`), the first ones with room; False if one finds none."""
    rules, it, left, m, demand, fit = s.rules[0], s.unit[u], 0, -1, NOBODY, 0
    rules.placed = 0
    if _hopeless(w, s, u):
        return False
    rules.looked += 1
    for t in range(it.first, it.first + it.tasks):
        row = w.task[t]
        if row.state != TASK_WAITING:
            continue
        if row.demand != demand:
            demand, m, left = row.demand, -1, 0
        while left == 0 and m + 1 < len(w.machine):
            m += 1
            left = _now(w, s, u, m, demand)
        if left == 0:
            break
        left -= 1
        row.place = m
        hold(w, m, demand)
        fit += 1
    rules.placed = fit
    whole: bool = fit == it.waiting
    back = fit
    for t in range(it.first, it.first + it.tasks):
        if back == 0:
            break
        if w.task[t].state == TASK_WAITING:
            release(w, w.task[t].place, w.task[t].demand)
            back -= 1
    return whole


@inner
def _hopeless(w: World, s: SlurmState, u: int) -> bool:
    """Return whether all machines together have too little for a job whose tasks ask for the same."""
    it = s.unit[u]
    demand = w.task[it.first].demand
    if w.task[it.first + it.tasks - 1].demand != demand:
        return False
    for r in range(len(s.total)):
        if s.total[r] - w.used[r] < it.waiting * w.demand[demand, r]:
            return True
    return False


@inner
def rounded_down(s: SlurmState, time_ns: int) -> int:
    """Return a time, rounded down to the resolution."""
    unit_ns = s.rules[0].resolution_ns
    return int(time_ns // unit_ns * unit_ns) if unit_ns > 0 else int(time_ns)


@inner
def rounded_up(s: SlurmState, time_ns: int) -> int:
    """Return a time, rounded up to the resolution."""
    unit_ns = s.rules[0].resolution_ns
    return int((time_ns + unit_ns - 1) // unit_ns * unit_ns) if unit_ns > 0 else int(time_ns)


@inner
def _at(w: World, s: SlurmState, u: int, m: int, demand: int, time_ns: int) -> int:
    """Return how many tasks of a job fit on a machine at a time, beside all claims."""
    for r in range(len(s.amount)):
        s.amount[r] = w.free[m, r]
    alone, c = s.rules[0].exclusive == 1, s.first[m]
    while c != NOBODY:
        it, many = s.claim[c], 0
        if it.what == HELD:
            if it.end_ns <= time_ns:
                many = it.count
            elif alone:
                return 0
        elif it.start_ns <= time_ns and time_ns < it.end_ns:
            if alone and it.unit != u:
                return 0
            many = -it.count
        if many != 0:
            for r in range(len(s.amount)):
                s.amount[r] += many * w.demand[it.demand, r]
        c = it.next
    return count_in(w, s, demand)


@called
def fit_from(w: World, s: SlurmState, u: int, m: int, demand: int, start_ns: int) -> int:
    """Return how many tasks of a job fit on a machine from a time on until the job's limit."""
    if not may_use(w, s, u, m, demand):
        return 0
    end_ns, c = rounded_up(s, start_ns + s.unit[u].limit_ns), s.first[m]
    most = _at(w, s, u, m, demand, start_ns)
    while c != NOBODY and most > 0:
        it = s.claim[c]
        if it.what == RESERVED and start_ns < it.start_ns and it.start_ns < end_ns:
            most = min(most, _at(w, s, u, m, demand, it.start_ns))
        c = it.next
    return most


@called
def place_from(w: World, s: SlurmState, u: int, start_ns: int) -> bool:
    """Reserve room for all waiting tasks of a job from a time on until its limit; False, and nothing, if some lack it.

    The tasks' `place` is set. The claims are the last ones of `claim`.
    """
    rules, it, before = s.rules[0], s.unit[u], s.rules[0].claims
    left, m, demand, fit = 0, -1, NOBODY, 0
    for t in range(it.first, it.first + it.tasks):
        row = w.task[t]
        if row.state != TASK_WAITING:
            continue
        if row.demand != demand:
            demand, m, left = row.demand, -1, 0
        if left == 0:
            while left == 0 and m + 1 < len(w.machine):
                m += 1
                left = fit_from(w, s, u, m, demand, start_ns)
            if left == 0:
                break
            add_claim(s, u, m, demand, RESERVED, rounded_down(s, start_ns), rounded_up(s, start_ns + it.limit_ns))
        else:
            s.claim[rules.claims - 1].count += 1
        left -= 1
        row.place = m
        fit += 1
    if fit == it.waiting:
        return True
    while rules.claims > before:
        rules.claims -= 1
        last = s.claim[rules.claims]
        s.first[last.machine] = last.next
    return False


@inner
def add_claim(s: SlurmState, u: int, m: int, demand: int, what: int, start_ns: int, end_ns: int) -> None:
    """Add a claim of one task on a machine."""
    c = s.rules[0].claims
    it = s.claim[c]
    it.machine = m
    it.demand = demand
    it.count = 1
    it.unit = u
    it.what = what
    it.start_ns = start_ns
    it.end_ns = end_ns
    it.next = s.first[m]
    s.first[m] = c
    s.rules[0].claims = c + 1
