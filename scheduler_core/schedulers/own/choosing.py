"""Choose a machine for a task: those with room that the filter lets pass, and of these the one with the best score.

Of equal scores the machine with fewer tasks wins, then the one with the smaller number. A task that found no room is
tried only on machines that were freed since; of equal ones the one that was freed first wins. In a sample, the one that
was drawn first wins. A score that is undefined ranks last.
"""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import fits
from scheduler_core.schedulers.own.interpreting import answer, prepare
from scheduler_core.schedulers.own.reading import free, running, waiting
from scheduler_core.schedulers.own.state import FILTER, SAMPLE, SCORE, STALE, TRUTH, OwnState

REFUSED, UNDEFINED = -np.inf, -1e308
"""Marks of machines that a task may not use, and of those whose score is undefined."""
_TRIES = 64
_BITS = 20


@inner
def offers_all(w: World, s: OwnState, demand: int, m: int) -> bool:
    """Return whether a machine offers the constraints that a task cannot do without."""
    lacking: int = w.asks[demand] & ~w.machine[m].offers & ~s.pace[0].soft_mask
    return lacking == 0


@inner
def has_room(w: World, s: OwnState, demand: int, m: int) -> bool:
    """Return whether a machine could take a task, as the deciding scheduler sees it."""
    if free(w, s, m, 0) < 0 or not offers_all(w, s, demand, m):
        return False
    at_machine = s.rules[0].at_machine == 1
    for r in range(w.free.shape[1]):
        amount = w.capacity[m, r] if at_machine else free(w, s, m, r)
        if amount < w.demand[demand, r]:
            return False
    return True


@inner
def really_takes(w: World, s: OwnState, demand: int, m: int) -> bool:
    """Return whether a machine can start a task now, whatever anybody sees."""
    return w.machine[m].outage == 0 and offers_all(w, s, demand, m) and fits(w, m, demand)


@called
def choose(w: World, s: OwnState, k: int, t: int) -> int:
    """Return the machine for a task of a kind, NOBODY for none."""
    rules, kind = s.rules[0], s.kind[k]
    rules.decisions += 1
    rules.candidates = rules.refused = 0
    if rules.fallen == 0:
        prepare(w, s, FILTER, t, w.task[t].job)
        prepare(w, s, SCORE, t, w.task[t].job)
    if rules.news == SAMPLE:
        return _of_sample(w, s, t)
    machines, count = len(w.machine), len(w.machine)
    some = kind.failed == 1 and rules.restless == 0 and rules.news == TRUTH and rules.freed - kind.seen_freed < machines
    if some:
        count = rules.freed - kind.seen_freed
    elif kind.kept != NOBODY and rules.fallen == 0:
        return _kept(w, s, k, t)
    best, most, i = NOBODY, REFUSED, 0
    first_wins = s.hook[SCORE].there == 0 and rules.at_machine == 0
    while i < count and not (first_wins and best != NOBODY):
        m = s.freed_ring[(kind.seen_freed + i) % machines] if some else i
        mark = rank(w, s, t, kind.demand, m)
        if mark > most or (mark == most and best != NOBODY and _fuller(w, s, best, m)):
            best, most = m, mark
        i += 1
    rules.looked += i
    rules.steps += i
    rules.best = most
    if rules.fallen == 1:
        rules.by_fallback += 1
    return best


@inner
def _fuller(w: World, s: OwnState, m: int, other: int) -> bool:
    """Return whether more tasks run on a machine than on another one with the same score, which then wins."""
    return running(w, s, other) < running(w, s, m)


@called
def rank(w: World, s: OwnState, t: int, demand: int, m: int) -> float:
    """Return the score of a machine for a task, or REFUSED or UNDEFINED; filter and score are prepared."""
    rules = s.rules[0]
    if not has_room(w, s, demand, m):
        return REFUSED
    if rules.fallen == 1:
        rules.candidates += 1
        return _plain(w, s, m)
    j = w.task[t].job
    if s.hook[FILTER].there == 1:
        passes = answer(w, s, FILTER, t, j, m, NOBODY)
        if math.isnan(passes):
            rules.undefined_filter += 1
            passes = 0.0
        if passes == 0.0:
            rules.refused += 1
            return REFUSED
    rules.candidates += 1
    if s.hook[SCORE].there == 0:
        return _plain(w, s, m)
    mark = answer(w, s, SCORE, t, j, m, NOBODY)
    if math.isnan(mark):
        rules.undefined_score += 1
        return UNDEFINED
    return max(mark, UNDEFINED)


@inner
def _plain(w: World, s: OwnState, m: int) -> float:
    """Return the score of a machine without a policy: none, or that of the least full one where tasks wait there."""
    return -float(running(w, s, m) + waiting(s, m)) if s.rules[0].at_machine == 1 else 0.0


@inner
def _of_sample(w: World, s: OwnState, t: int) -> int:
    """Return the best of a few machines that are drawn and asked for their state."""
    rules, best, most, count = s.rules[0], NOBODY, REFUSED, 0
    demand = w.task[t].demand
    for i in range(rules.sample):
        m = _draw(w, s, t, demand, i, count)
        if m == NOBODY:
            break
        s.drawn[count] = m
        count += 1
        mark = rank(w, s, t, demand, m)
        if mark > most:
            best, most = m, mark
    w.control[0].messages += 2 * count
    rules.looked += count
    rules.steps += count
    rules.best = most
    return best


@inner
def _draw(w: World, s: OwnState, t: int, demand: int, number: int, count: int) -> int:
    """Return a machine in service that could hold the task and is not drawn yet, each as likely; NOBODY for none."""
    machines, seed, first = len(w.machine), w.control[0].seed, 0
    key = (int(s.rules[0].decisions) << _BITS) + number * _TRIES
    for i in range(_TRIES):
        first = rng.below(seed, rng.STREAM_SAMPLE, t, key + i, machines)
        if _could_hold(w, s, demand, first) and not _is_drawn(s, first, count):
            return first
    for step in range(machines):
        m: int = (first + step) % machines
        if _could_hold(w, s, demand, m) and not _is_drawn(s, m, count):
            return m
    return NOBODY


@inner
def _could_hold(w: World, s: OwnState, demand: int, m: int) -> bool:
    if w.free[m, 0] < 0 or not offers_all(w, s, demand, m):
        return False
    for r in range(w.free.shape[1]):
        if w.capacity[m, r] < w.demand[demand, r]:
            return False
    return True


@inner
def _is_drawn(s: OwnState, m: int, count: int) -> bool:
    for i in range(count):
        if s.drawn[i] == m:
            return True
    return False


@inner
def _kept(w: World, s: OwnState, k: int, t: int) -> int:
    """Return the best machine by the scores that are kept, after those of changed machines are computed again."""
    rules, tree, machines = s.rules[0], s.kind[k].kept, len(w.machine)
    view = rules.viewer if rules.news == STALE else 0
    since = s.changed[view] - s.kept[tree, 0]
    demand = s.kind[k].demand
    if since >= machines:
        for m in range(machines):
            _mark(w, s, tree, t, demand, m)
        for node in range(rules.leaves - 1, 0, -1):
            _decide_pair(w, s, tree, node)
        since = machines
    else:
        for i in range(s.kept[tree, 0], s.changed[view]):
            m = s.ring[view, i % machines]
            _mark(w, s, tree, t, demand, m)
            node = (rules.leaves + m) >> 1
            while node > 0:
                _decide_pair(w, s, tree, node)
                node >>= 1
    s.kept[tree, 0] = s.changed[view]
    rules.looked += since
    rules.steps += since
    best = s.winner[tree, 1]
    if best == NOBODY:
        return NOBODY
    rules.best = s.mark[tree, best]
    rules.candidates = s.kept[tree, 1]
    return int(best)


@inner
def _mark(w: World, s: OwnState, tree: int, t: int, demand: int, m: int) -> None:
    """Compute a machine's score again, and count the machines that the tasks may use."""
    was = s.mark[tree, m] > REFUSED
    s.mark[tree, m] = rank(w, s, t, demand, m)
    s.kept[tree, 1] += int(s.mark[tree, m] > REFUSED) - int(was)


@inner
def _decide_pair(w: World, s: OwnState, tree: int, node: int) -> None:
    """Let the better of two machines stand at a node of the tree."""
    leaves = s.rules[0].leaves
    one, other = _at(w, s, tree, 2 * node, leaves), _at(w, s, tree, 2 * node + 1, leaves)
    if one == NOBODY or other == NOBODY:
        s.winner[tree, node] = other if one == NOBODY else one
        return
    mine, others = s.mark[tree, one], s.mark[tree, other]
    plain = s.hook[SCORE].there == 0 and s.rules[0].at_machine == 0
    wins = mine > others or (mine == others and (plain or not _fuller(w, s, one, other)))
    s.winner[tree, node] = one if wins else other


@inner
def _at(w: World, s: OwnState, tree: int, node: int, leaves: int) -> int:
    """Return the machine that stands at a node, NOBODY for none that the tasks may use."""
    if node < leaves:
        return int(s.winner[tree, node])
    m = node - leaves
    return m if m < len(w.machine) and s.mark[tree, m] > REFUSED else NOBODY
