"""Solve an expression with OR-tools' CP-SAT: deterministic, and the best solution found at the limit.

Immediate starts get places in partitions (machines that no expression distinguishes). Later starts only need room in
their set of machines in each slice: they are planned again before they take place, so exact places would have no
meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from ortools.sat.python import cp_model

from scheduler_core.schedulers.spacetime.expression import Barrier, Expression, Max, Min, NCk, Scale, Sum, UpTo, most
from scheduler_core.schedulers.spacetime.space import Chosen, Space

Ints = npt.NDArray[np.int64]
_total = cp_model.LinearExpr.sum
_weighted = cp_model.LinearExpr.weighted_sum
_LARGEST = 1 << 40
"""Amounts are rounded to multiples of a unit when what there is in all would be more units than this."""
_OBJECTIVE = 10**15
_A_LITTLE = 10_000
"""Preferences among answers that are worth the same count at most this part of a value."""


@dataclass
class _Built:
    """A model under construction.

    `uses` has, for each leaf: it, its counts, and in which partitions they are; `taken` whether it is used, for those
    that take all or nothing.
    """

    space: Space
    model: cp_model.CpModel = field(default_factory=cp_model.CpModel)
    uses: list[tuple[NCk, list[Any], list[int]]] = field(default_factory=list)
    taken: list[tuple[NCk, Any]] = field(default_factory=list)


def solve(
    expression: Expression, space: Space, *, seed: int, limit: float, hint: Chosen | None = None
) -> Chosen | None:
    """Choose what is worth most; None when nothing was found within the limit, in the solver's deterministic units."""
    built = _Built(space)
    value = _worth(built, expression, None)
    _supply(built)
    built.model.maximize(_with_tastes(built, value, max(1, _OBJECTIVE // max(1, most(expression)))))
    if hint is not None:
        _hint(built, hint)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.random_seed = seed & 0x3FFFFFFF
    parameters.max_deterministic_time = limit
    # Looking for symmetries and failed literals took most of the limit and changed no answer.
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
    status = solver.solve(built.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    counts = [(leaf, _by_partition(solver, counts, places, space)) for leaf, counts, places in built.uses]
    return Chosen(
        int(solver.value(value)),
        [(leaf, taken) for leaf, taken in counts if taken.any()],
        limited=status != cp_model.OPTIMAL,
    )


def _sum_of(pairs: list[tuple[Any, int]]) -> Any:
    return _weighted([one for one, _ in pairs], [factor for _, factor in pairs])


def _with_tastes(built: _Built, value: Any, weight: int) -> Any:
    """Return value times weight, slightly less for starts now on machines that several sets have."""
    contested = built.space.member.sum(axis=0).tolist()
    parts = len(built.space.member) * _A_LITTLE
    pairs = [
        (count, weight * leaf.value * (contested[p] - 1) // parts)
        for leaf, counts, places in built.uses
        for count, p in zip(counts, places, strict=True)
        if p >= 0 and contested[p] > 1
    ]
    return weight * value - _sum_of(pairs)


def _by_partition(solver: cp_model.CpSolver, counts: list[Any], places: list[int], space: Space) -> Ints:
    """Return the counts of a leaf by partition; of a later start, in all."""
    values = [int(solver.value(count)) for count in counts]
    if places == [-1]:
        return np.array(values, np.int64)
    taken = np.zeros(space.member.shape[1], np.int64)
    taken[places] = values
    return taken


# -- operators -------------------------------------------------------------------------------------------------------


def _worth(built: _Built, expression: Expression, on: Any) -> Any:
    """Return an expression's value as a linear term of variables; `on` is the variable that allows a value, or None."""
    model = built.model
    if isinstance(expression, NCk):
        return _leaf(built, expression, on)
    if isinstance(expression, UpTo):
        worth = [_leaf(built, leaf, on) for leaf in expression.children]
        own = [count for _, counts, _ in built.uses[len(built.uses) - len(worth) :] for count in counts]
        model.add(_total(own) <= expression.count)
        return _total(worth)
    if isinstance(expression, Scale):
        return expression.factor * _worth(built, expression.child, on)
    if isinstance(expression, Sum):
        return _total([_worth(built, child, on) for child in expression.children])
    if isinstance(expression, Max):
        chosen = [model.new_bool_var("") for _ in expression.children]
        model.add(_total(chosen) <= (1 if on is None else on))
        return _total([_worth(built, child, one) for child, one in zip(expression.children, chosen, strict=True)])
    taken = model.new_bool_var("")
    if on is not None:
        model.add_implication(taken, on)
    if isinstance(expression, Barrier):
        model.add(_worth(built, expression.child, taken) >= expression.least * taken)
        return expression.least * taken
    assert isinstance(expression, Min)
    least = model.new_int_var(0, most(expression), "")
    for child in expression.children:
        model.add(least <= _worth(built, child, taken))
    return least


def _leaf(built: _Built, leaf: NCk, on: Any) -> Any:
    """Add the count variables of a leaf (one per partition with room now, or one later); return its value."""
    model, space = built.model, built.space
    if leaf.start > 0:
        bound = min(leaf.count, int(space.fits_later[leaf.group, leaf.machines, leaf.start]))
        places, bounds = [-1], [bound]
    else:
        room = np.where(space.member[leaf.machines], space.fits[leaf.group], 0)
        places = np.flatnonzero(room).tolist()
        bounds = [min(leaf.count, int(room[p])) for p in places]
    counts = [model.new_int_var(0, bound, "") for bound in bounds]
    built.uses.append((leaf, counts, places))
    total = _total(counts)
    if leaf.linear:
        if on is not None:
            model.add(total <= leaf.count * on)
        elif counts:
            model.add(total <= leaf.count)
        return leaf.value * total
    taken = model.new_bool_var("") if on is None else on
    built.taken.append((leaf, taken))
    model.add(total == leaf.count * taken)
    return leaf.value * leaf.count * taken


# -- supply ----------------------------------------------------------------------------------------------------------


def _supply(built: _Built) -> None:
    """Limit each partition to what is free now, and each set to what it will have in each slice."""
    space, model = built.space, built.model
    demand, free = _in_units(space)
    now = _now_by_partition(built)
    for p, users in enumerate(now):
        for r in range(demand.shape[1]):
            asked = [(count, int(demand[leaf.group, r])) for leaf, count in users if demand[leaf.group, r]]
            if asked:
                model.add(_sum_of(asked) <= int(free[0, p, r]))
        _one_by_one(built, p, users)
    if not any(leaf.start for leaf, _, _ in built.uses):
        return
    inside = _inside(space.member)
    later = [(leaf, counts[0]) for leaf, counts, places in built.uses if leaf.start and counts]
    for k, member in enumerate(space.member):
        partitions = np.flatnonzero(member).tolist()
        planned = [(leaf, count) for leaf, count in later if inside[leaf.machines, k]]
        if planned:
            running = [use for p in partitions for use in now[p]]
            _slices(model, demand, free[:, partitions].sum(axis=1), running, planned)


def _one_by_one(built: _Built, p: int, users: list[tuple[NCk, Any]]) -> None:
    """Limit the tasks of a partition to what its machines hold, for each demand that may be the smallest."""
    demand, fits = built.space.demand, built.space.fits
    for small in np.unique(demand[[leaf.group for leaf, _ in users]], axis=0) if users else ():
        larger = [(leaf, count) for leaf, count in users if (demand[leaf.group] >= small).all()]
        room = next(int(fits[leaf.group, p]) for leaf, _ in larger if (demand[leaf.group] == small).all())
        if sum(min(leaf.count, room) for leaf, _ in larger) > room:
            built.model.add(_total([count for _, count in larger]) <= room)


def _slices(model: cp_model.CpModel, demand: Ints, free: Ints, running: list[Any], planned: list[Any]) -> None:
    """Return the supply of one set, `free` (S, R): what starts now and what starts later inside it."""
    for t in range(1, free.shape[0]):
        here = [use for use in running if t < use[0].length]
        there = [use for use in planned if use[0].start <= t < use[0].start + use[0].length]
        if not there:
            continue
        for r in range(demand.shape[1]):
            asked = [(count, int(demand[leaf.group, r])) for leaf, count in here + there if demand[leaf.group, r]]
            if asked:
                model.add(_sum_of(asked) <= int(free[t, r]))


def _now_by_partition(built: _Built) -> list[list[tuple[NCk, Any]]]:
    now: list[list[tuple[NCk, Any]]] = [[] for _ in range(built.space.member.shape[1])]
    for leaf, counts, places in built.uses:
        for count, p in zip(counts, places, strict=True):
            if p >= 0:
                now[p].append((leaf, count))
    return now


def _inside(member: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which set lies inside which: (K, K), of the first in the second."""
    return np.array([[not (one & ~other).any() for other in member] for one in member], np.bool_)


def _in_units(space: Space) -> tuple[Ints, Ints]:
    """Return demands and free amounts in small units: exact by a common divisor, or rounded cautiously."""
    demand, free = space.demand.copy(), np.maximum(space.free, 0)
    for r in range(demand.shape[1]):
        unit = max(1, int(np.gcd.reduce(demand[:, r], initial=0)))
        unit *= max(1, -(-int(free[:, :, r].sum(axis=1).max(initial=0)) // unit // _LARGEST))
        demand[:, r] = -(-demand[:, r] // unit)
        free[:, :, r] //= unit
    return demand, free


def _hint(built: _Built, hint: Chosen) -> None:
    """Give the solver a known feasible solution as a hint."""
    known = {id(leaf): taken for leaf, taken in hint.counts}
    for leaf, counts, places in built.uses:
        taken = known.get(id(leaf))
        for count, p in zip(counts, places, strict=True):
            built.model.add_hint(count, 0 if taken is None else int(taken[max(p, 0)]))
    for variable, used in {taken.index: (taken, id(leaf) in known) for leaf, taken in built.taken}.values():
        built.model.add_hint(variable, used)
