"""The score plugins of kube-scheduler, each 0 to 100 for each feasible node, and their weighted sum.

Source: the plugins of kubernetes/kubernetes, pkg/scheduler/framework/plugins.
"""

from __future__ import annotations

import math

from scheduler_core.engine import maths
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY
from scheduler_core.kube.model import (
    AFFINITY,
    BALANCED,
    FIT,
    IMAGES,
    LEAST_ALLOCATED,
    MAX_NODE_SCORE,
    MOST_ALLOCATED,
    POD_AFFINITY,
    REQUESTED_TO_CAPACITY,
    SCORES,
    SPREAD,
    TAINTS,
    Model,
)


@called
def score_nodes(m: Model, c: int, found: int) -> None:
    """Score the nodes `feasible[:found]` for a pod of a class: `points` (plugin, node) and `total` (node,)."""
    weight = m.settings[0].weight
    if weight[TAINTS] != 0:
        _by_row(m, TAINTS, m.taint_raw, m.klass[c].taints, found)
        _normalize(m, TAINTS, found, True)
    if weight[AFFINITY] != 0:
        _by_row(m, AFFINITY, m.affinity_raw, m.klass[c].prefer, found)
        _normalize(m, AFFINITY, found, False)
    if weight[IMAGES] != 0:
        _by_row(m, IMAGES, m.image_raw, m.klass[c].images, found)
    if weight[SPREAD] != 0:
        _spread(m, c, found)
    if weight[POD_AFFINITY] != 0:
        _company(m, c, found)
    if weight[FIT] != 0 or weight[BALANCED] != 0:
        _by_resources(m, c, found)
    for i in range(found):
        m.total[i] = 0
    for plugin in range(SCORES):
        if weight[plugin] != 0:
            _add_up(m, plugin, weight[plugin], found)


@inner
def _add_up(m: Model, plugin: int, weight: int, found: int) -> None:
    for i in range(found):
        m.total[i] += weight * m.points[plugin, i]


@inner
def _by_resources(m: Model, c: int, found: int) -> None:
    """NodeResourcesFit and NodeResourcesBalancedAllocation, from the cache where nothing has changed since."""
    asks, row = requests_any(m, c), m.klass[c].cached
    for i in range(found):
        n = m.feasible[i]
        if row != NOBODY and m.cached[row, n].version == m.node[n].version:
            m.points[FIT, i] = m.cached[row, n].fit
            m.points[BALANCED, i] = m.cached[row, n].balance if asks else 0
        else:
            m.points[FIT, i] = fit_score(m, c, n)
            m.points[BALANCED, i] = balance_score(m, c, n) if asks else 0


@inner
def _by_row(m: Model, plugin: int, rows, row: int, found: int) -> None:  # type: ignore[no-untyped-def]
    if row == NOBODY:
        _fill(m, plugin, found, 0)
        return
    for i in range(found):
        m.points[plugin, i] = rows[row, m.feasible[i]]


@inner
def _fill(m: Model, plugin: int, found: int, points: int) -> None:
    for i in range(found):
        m.points[plugin, i] = points


@inner
def _normalize(m: Model, plugin: int, found: int, reverse: bool) -> None:
    """Scale the points of a plugin so that the most become 100, or with `reverse` 0."""
    top = 0
    for i in range(found):
        top = max(top, m.points[plugin, i])
    if top == 0:
        _fill(m, plugin, found, MAX_NODE_SCORE if reverse else 0)
        return
    for i in range(found):
        scaled = MAX_NODE_SCORE * m.points[plugin, i] // top
        m.points[plugin, i] = MAX_NODE_SCORE - scaled if reverse else scaled


@inner
def normalize(m: Model, found: int, reverse: bool) -> None:
    """Scale the points of the first plugin as the default normalization does."""
    _normalize(m, TAINTS, found, reverse)


@inner
def requests_any(m: Model, c: int) -> bool:
    """Return whether a class requests any of the resources that balance counts."""
    for r in range(m.request.shape[1]):
        if m.resource[1, r] != 0 and m.request[c, r] > 0:
            return True
    return False


@inner
def fit_score(m: Model, c: int, n: int) -> int:
    """NodeResourcesFit: LeastAllocated, MostAllocated or RequestedToCapacityRatio."""
    strategy, total, weights = m.settings[0].strategy, 0, 0
    for r in range(m.capacity.shape[1]):
        weight, capacity = m.resource[0, r], m.capacity[n, r]
        if weight == 0 or capacity == 0 or (m.resource[2, r] == 1 and m.request[c, r] == 0):
            continue
        asked = m.scored[n, r] + m.scoring[c, r]
        if strategy == LEAST_ALLOCATED:
            points = 0 if asked > capacity else (capacity - asked) * MAX_NODE_SCORE // capacity
        elif strategy == MOST_ALLOCATED:
            points = min(asked, capacity) * MAX_NODE_SCORE // capacity
        else:
            points = broken_line(m, 100 if asked > capacity else asked * 100 // capacity, 10)
            if points <= 0:
                continue
        total += points * weight
        weights += weight
    if weights == 0:
        return 0
    if strategy != REQUESTED_TO_CAPACITY:
        return int(total // weights)
    return math.floor(total / weights + 0.5)


@inner
def broken_line(m: Model, x: int, factor: int) -> int:
    """Return the value of the shape's broken line at a utilization, its scores multiplied by a factor."""
    points = m.settings[0].shape_points
    for k in range(points):
        if x <= m.shape[k, 0]:
            if k == 0:
                return int(m.shape[0, 1] * factor)
            x0, y0, y1 = m.shape[k - 1, 0], m.shape[k - 1, 1] * factor, m.shape[k, 1] * factor
            rise, run = (y1 - y0) * (x - x0), m.shape[k, 0] - x0
            # Go's division rounds towards zero.
            return int(y0 + (rise // run if rise >= 0 else -(-rise // run)))
    return int(m.shape[points - 1, 1] * factor)


@inner
def balance_score(m: Model, c: int, n: int) -> int:
    """NodeResourcesBalancedAllocation: 100 minus the standard deviation of the used fractions, in percent."""
    kinds, total, first, second = 0, 0.0, 0.0, 0.0
    for r in range(m.capacity.shape[1]):
        if _balances(m, c, n, r):
            part = _part(m, c, n, r)
            total += part
            kinds += 1
            if kinds == 1:
                first = part
            else:
                second = part
    deviation = 0.0
    if kinds == 2:
        deviation = abs((first - second) / 2.0)
    elif kinds > 2:
        mean, squares = total / kinds, 0.0
        for r in range(m.capacity.shape[1]):
            if _balances(m, c, n, r):
                part = _part(m, c, n, r)
                squares += (part - mean) * (part - mean)
        deviation = math.sqrt(squares / kinds)
    return int((1.0 - deviation) * MAX_NODE_SCORE)


@inner
def _balances(m: Model, c: int, n: int, r: int) -> bool:
    return bool(m.resource[1, r] != 0 and m.capacity[n, r] != 0 and (m.resource[2, r] == 0 or m.request[c, r] != 0))


@inner
def _part(m: Model, c: int, n: int, r: int) -> float:
    return float(min(1.0, (m.used[n, r] + m.request[c, r]) / m.capacity[n, r]))


@inner
def _spread(m: Model, c: int, found: int) -> None:
    """PodTopologySpread, the constraints with ScheduleAnyway."""
    it = m.klass[c]
    if it.first_soft == it.end_soft:
        _fill(m, SPREAD, found, 0)
        return
    _weigh_domains(m, c, found)
    low, top = NEVER, 0
    for i in range(found):
        n = m.feasible[i]
        m.points[SPREAD, i] = -1
        if it.all_keys == 1 and _lacks_key(m, c, n):
            continue
        summed = 0.0
        for k in range(it.first_soft, it.end_soft):
            constraint = m.spread[k]
            if m.domain[constraint.key, n] >= 0:
                counter = m.counter[constraint.counter]
                there = m.tally[counter.first + m.domain[counter.key, n]]
                summed += there * m.log_weight[k - it.first_soft] + (constraint.max_skew - 1)
        m.points[SPREAD, i] = math.floor(summed + 0.5)
        low, top = min(low, m.points[SPREAD, i]), max(top, m.points[SPREAD, i])
    for i in range(found):
        raw = m.points[SPREAD, i]
        if raw < 0:
            m.points[SPREAD, i] = 0
        elif top == 0:
            m.points[SPREAD, i] = MAX_NODE_SCORE
        else:
            m.points[SPREAD, i] = MAX_NODE_SCORE * (top + low - raw) // top


@inner
def _lacks_key(m: Model, c: int, n: int) -> bool:
    for k in range(m.klass[c].first_soft, m.klass[c].end_soft):
        if m.domain[m.spread[k].key, n] < 0:
            return True
    return False


@inner
def _weigh_domains(m: Model, c: int, found: int) -> None:
    """Weigh each soft constraint by its domains among the nodes that are scored: ln(domains + 2)."""
    it = m.klass[c]
    for k in range(it.first_soft, it.end_soft):
        constraint = m.spread[k]
        size, without = 0, 0
        for i in range(found):
            n = m.feasible[i]
            if it.all_keys == 1 and _lacks_key(m, c, n):
                continue
            d = m.domain[constraint.key, n]
            if constraint.by_host == 1:
                size += 1
            elif d < 0:
                without = 1  # all nodes without the label count as one domain
            elif m.seen[d] == 0:
                m.seen[d] = 1
                size += 1
        for i in range(found):
            d = m.domain[constraint.key, m.feasible[i]]
            if d >= 0:
                m.seen[d] = 0
        m.log_weight[k - it.first_soft] = maths.log(float(size + without + 2))


@inner
def company_of(m: Model, c: int, n: int) -> int:
    """Return the raw score of a node by the preferences about pods."""
    it, settings = m.klass[c], m.settings[0]
    if settings.ignore_preferred == 1 and it.prefers_pods == 0:
        return 0
    found = _weighted(m, it.first_own, it.end_own, n) + _weighted(m, it.first_liked, it.end_liked, n)
    return int(found + settings.hard_weight * _weighted(m, it.first_hard, it.end_hard, n))


@inner
def _weighted(m: Model, first: int, end: int, n: int) -> int:
    found = 0
    for k in range(first, end):
        counter = m.counter[m.reading[k].counter]
        d = m.domain[counter.key, n]
        if d >= 0:
            found += m.reading[k].weight * m.tally[counter.first + d]
    return int(found)


@inner
def _company(m: Model, c: int, found: int) -> None:
    """InterPodAffinity: the preferences of the pod, and those of the pods that exist about it."""
    it = m.klass[c]
    if it.first_own == it.end_own and it.first_liked == it.end_liked and it.first_hard == it.end_hard:
        _fill(m, POD_AFFINITY, found, 0)
        return
    low, top = NEVER, -NEVER
    for i in range(found):
        raw = company_of(m, c, m.feasible[i])
        m.points[POD_AFFINITY, i] = raw
        low, top = min(low, raw), max(top, raw)
    for i in range(found):
        part = 0.0
        if top > low:
            part = float(MAX_NODE_SCORE) * (float(m.points[POD_AFFINITY, i] - low) / float(top - low))
        m.points[POD_AFFINITY, i] = int(part)


@inner
def collects_company(m: Model, c: int) -> bool:
    """Return whether InterPodAffinity takes part in the score: a preference about pods meets a pod."""
    it, settings = m.klass[c], m.settings[0]
    if settings.ignore_preferred == 1 and it.prefers_pods == 0:
        return False
    for k in range(it.first_own, it.end_own):
        if m.counter[m.reading[k].counter].total != 0:
            return True
    for k in range(it.first_liked, it.end_liked):
        if m.counter[m.reading[k].counter].total != 0:
            return True
    if settings.hard_weight != 0:
        for k in range(it.first_hard, it.end_hard):
            if m.counter[m.reading[k].counter].total != 0:
                return True
    return False
