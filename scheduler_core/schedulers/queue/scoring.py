"""Score a machine with room for a task: a weighted sum of parts between 0 and 100; higher is better."""

from __future__ import annotations

import math

from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import inner
from scheduler_core.engine.pace import IN_ITS_RACK, LOCAL, Pace, nearness
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.queue.state import QueueState

FULL = 100.0


@inner
def score(w: World, s: QueueState, p: Pace, t: int, demand: int, m: int) -> float:
    """Return the score of a machine that has room for a task of a demand."""
    rules, found = s.rules[0], 0.0
    if rules.chance > 0.0:
        found += rules.chance * FULL * rng.uniform(w.control[0].seed, rng.STREAM_CHANCE, t, m)
    if rules.least + rules.most + rules.balanced + rules.stranded > 0.0:
        found += _by_use(w, s, demand, m)
    if rules.pvm > 0.0:
        found += rules.pvm * (FULL - _pvm(w, s, demand, m))
    if rules.near > 0.0:
        near = nearness(w, p.replica, t, m)
        if near == LOCAL:
            found += rules.near * FULL
        elif near == IN_ITS_RACK:
            found += rules.near * FULL / 2
    if rules.apart > 0.0:
        found += rules.apart * FULL / (1 + _siblings(w, s, t, m))
    if rules.soft > 0.0:
        found += rules.soft * FULL * _offered(w, p, demand, m)
    return found


@inner
def tenths(s: QueueState) -> int:
    """Return the score of the machine that was chosen in tenths of a point, where the best possible is 100 points."""
    rules = s.rules[0]
    weights = rules.chance + rules.least + rules.most + rules.balanced + rules.stranded + rules.pvm
    weights += rules.near + rules.apart + rules.soft
    return int(rules.best * 10.0 / weights) if weights > 0.0 else 0


@inner
def _by_use(w: World, s: QueueState, demand: int, m: int) -> float:
    """Return the part of the score by what would be left of the machine's resources, as fractions."""
    rules, kinds, total, squares, low = s.rules[0], 0, 0.0, 0.0, 1.0
    for r in range(w.free.shape[1]):
        if w.capacity[m, r] > 0:
            left = (w.free[m, r] - w.demand[demand, r]) / w.capacity[m, r]
            kinds += 1
            total += left
            squares += left * left
            low = min(low, left)
    mean = total / kinds if kinds > 0 else 1.0
    found = rules.least * mean + rules.most * (1.0 - mean) + rules.stranded * (1.0 - (mean - low))
    if rules.balanced > 0.0:
        spread = max(squares / kinds - mean * mean, 0.0) if kinds > 0 else 0.0
        found += rules.balanced * (1.0 - math.sqrt(spread))
    return float(FULL * found)


@inner
def _pvm(w: World, s: QueueState, demand: int, m: int) -> float:
    """Return the growth of the machine's cost by the task, relative to its full cost: base ** (part in use)."""
    log_base, kinds, more = s.rules[0].log_base, 0, 0.0
    for r in range(w.free.shape[1]):
        if w.capacity[m, r] > 0:
            used = 1.0 - w.free[m, r] / w.capacity[m, r]
            kinds += 1
            more += maths.exp(log_base * (used + w.demand[demand, r] / w.capacity[m, r])) - maths.exp(log_base * used)
    return float(FULL * more / (kinds * (maths.exp(log_base) - 1.0))) if kinds > 0 else 0.0


@inner
def _siblings(w: World, s: QueueState, t: int, m: int) -> int:
    """Return how many tasks of its job run on the machine."""
    count, at = 0, s.host[m].head
    while at != NOBODY:
        if w.task[at].job == w.task[t].job:
            count += 1
        at = w.task[at].next
    return count


@inner
def _offered(w: World, p: Pace, demand: int, m: int) -> float:
    """Return which part of the soft constraints that it asks for the machine offers."""
    wished, met = w.asks[demand] & p.pace[0].soft_mask, 0
    if wished == 0:
        return 1.0
    there, asked, left = wished & w.machine[m].offers, 0, wished
    while left != 0:
        left &= left - 1
        asked += 1
    while there != 0:
        there &= there - 1
        met += 1
    return met / asked
