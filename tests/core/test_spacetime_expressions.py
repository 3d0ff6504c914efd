"""The operators of utility expressions, each on a space small enough to see the best choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core.schedulers.spacetime.expression import (
    Barrier,
    Expression,
    Max,
    Min,
    NCk,
    Scale,
    Sum,
    UpTo,
    leaves,
    most,
)
from scheduler_core.schedulers.spacetime.solver import solve
from scheduler_core.schedulers.spacetime.space import Chosen, Space

# Two machines of 1 CPU (set 0: both, set 1: the first, set 2: the second), for three groups of tasks of 1 CPU each.
MEMBER = np.array([[True, True], [True, False], [False, True]])


def space(*free: list[int], demand: int = 1) -> Space:
    """What is free on both machines in each slice."""
    amounts = np.array(free, np.int64)[:, :, None]
    fits = amounts[:, :, 0] // demand
    return Space(
        MEMBER,
        amounts,
        np.full((3, 1), demand, np.int64),
        np.repeat(fits[:1], 3, axis=0),
        np.repeat((MEMBER @ fits.T)[None], 3, axis=0),
    )


def answer(expression: Expression, there: Space, **options: Any) -> Chosen:
    found = solve(expression, there, **({"seed": 1, "limit": 1.0} | options))
    assert found is not None
    assert not found.limited
    return found


def taken(found: Chosen) -> list[tuple[int, int, list[int]]]:
    return sorted((leaf.group, leaf.start, counts.tolist()) for leaf, counts in found.counts)


def test_nck_gives_all_or_nothing() -> None:
    assert answer(NCk(0, 0, 2, 5), space([1, 1])).value == 10
    assert answer(NCk(0, 0, 2, 5), space([1, 0])).value == 0
    assert answer(NCk(0, 0, 2, 5, linear=True), space([1, 0])).value == 5


def test_sum_gives_each_what_fits_and_max_only_the_best() -> None:
    both = (NCk(0, 1, 1, 5), NCk(1, 2, 1, 7))
    assert answer(Sum(both), space([1, 1])).value == 12
    assert taken(answer(Max(both), space([1, 1]))) == [(1, 0, [0, 1])]


def test_min_is_worth_the_least_of_all_and_needs_all() -> None:
    both = (NCk(0, 1, 1, 5), NCk(1, 2, 1, 7))
    assert answer(Min(both), space([1, 1])).value == 5
    assert answer(Min(both), space([1, 0])).value == 0
    # Beside it, one machine is worth more.
    assert taken(answer(Sum((Max((Min(both), NCk(0, 1, 1, 6))),)), space([1, 1]))) == [(0, 0, [1, 0])]


def test_scale_multiplies_and_barrier_cuts_off() -> None:
    one = NCk(0, 0, 2, 5, linear=True)
    assert answer(Scale(one, 3), space([1, 1])).value == 30
    assert answer(Barrier(one, 10), space([1, 1])).value == 10
    assert answer(Barrier(one, 10), space([1, 0])).value == 0
    assert answer(Barrier(one, 5), space([1, 1])).value == 5


def test_up_to_counts_its_leaves_together() -> None:
    two = (NCk(0, 1, 2, 5, linear=True), NCk(0, 2, 2, 3, linear=True))
    assert answer(UpTo(two, 2), space([2, 2])).value == 10
    assert answer(UpTo(two, 3), space([2, 2])).value == 13


def test_what_starts_now_holds_its_machine_in_the_slices_that_it_takes() -> None:
    now = NCk(0, 1, 1, 5, length=2)
    assert answer(Sum((now, NCk(1, 1, 1, 4, start=1))), space([1, 0], [1, 0], [1, 0])).value == 5
    assert answer(Sum((now, NCk(1, 1, 1, 4, start=2))), space([1, 0], [1, 0], [1, 0])).value == 9


def test_a_start_anywhere_leaves_the_machine_that_another_will_need() -> None:
    """Group 1 can use machine 0 alone, one slice later: group 0 takes machine 1 although both are free to it."""
    plan = Sum((NCk(0, 0, 1, 5, length=3), NCk(1, 1, 1, 5, start=1)))
    assert taken(answer(plan, space([1, 1], [1, 1], [1, 1]))) == [(0, 0, [0, 1]), (1, 1, [1])]


def test_among_equals_the_machines_that_fewer_could_use_are_taken() -> None:
    several = Space(
        np.array([[True, True], [True, False]]),
        np.ones((1, 2, 1), np.int64),
        np.ones((2, 1), np.int64),
        np.ones((2, 2), np.int64),
        np.ones((2, 2, 1), np.int64) * 2,
    )
    assert taken(answer(NCk(0, 0, 1, 1), several)) == [(0, 0, [0, 1])]


def test_large_amounts_are_counted_in_units() -> None:
    huge = 1 << 58
    assert answer(NCk(0, 0, 2, 1), space([huge, huge], demand=huge)).value == 2
    assert answer(NCk(0, 0, 2, 1, linear=True), space([huge, huge - 1], demand=huge)).value == 1


def test_a_limit_gives_the_best_until_then_or_nothing() -> None:
    many = Sum(tuple(Max(tuple(NCk(i % 3, k, 1, 1 + (7 * i + k) % 11) for k in range(3))) for i in range(200)))
    there = space([90, 60])
    assert solve(many, there, seed=1, limit=1e-9) is None
    one, other = (solve(many, there, seed=3, limit=0.05) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.limited
    assert (one.value, taken(one)) == (other.value, taken(other))
    assert 0 < one.value <= most(many)


@pytest.mark.parametrize(
    "expression",
    [
        Sum((NCk(0, 0, 2, 5), Max((NCk(1, 1, 1, 7), NCk(1, 2, 1, 9))))),
        Min((NCk(0, 1, 1, 5), NCk(1, 2, 1, 7))),
        Scale(Barrier(NCk(0, 0, 2, 5), 10), 2),
        UpTo((NCk(0, 1, 2, 5, linear=True), NCk(0, 2, 2, 3, linear=True)), 3),
    ],
)
def test_nothing_is_worth_more_than_the_most(expression: Expression) -> None:
    assert answer(expression, space([9, 9])).value <= most(expression)
    assert all(leaf.count > 0 for leaf in leaves(expression))
