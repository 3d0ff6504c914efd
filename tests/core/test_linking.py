"""engine.held and engine.linking: what kernels are given by address, and what they call, computes as Python does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from scheduler_core.engine.held import Held
from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.engine.records import records

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

ROW = np.dtype([("count", "i8"), ("weight", "f8")])


class Shelf(NamedTuple):
    row: Any  # (rows,) ROW
    cell: Any  # (rows, columns) int64
    mark: Any  # (rows,) uint8


class Mixed(NamedTuple):
    cell: Any
    factor: int


@called
def weigh(shelf: Shelf, at: int) -> float:
    return shelf.row[at].weight * max(shelf.row[at].count, 1)


@inner
def enter(shelf: Shelf, at: int, amount: int) -> float:
    shelf.row[at].count += amount
    shelf.cell[at, 1] = shelf.cell.shape[1] * 100 + len(shelf.mark)
    for column in range(shelf.cell.shape[1]):
        shelf.cell[at, column] += amount
    shelf.mark[at] = 1
    return weigh(shelf, at)


@kernel
def fill(shelf: Shelf, other: Shelf, amount: int) -> float:
    total = 0.0
    for at in range(shelf.row.shape[0]):
        total += enter(shelf, at, amount) + enter(other, at, -amount)
    return total


@kernel
def scaled(mixed: Mixed) -> int:
    return mixed.cell[0] * mixed.factor


def shelf(rows: int) -> Shelf:
    made = Shelf(records(rows, ROW), np.arange(rows * 3, dtype=np.int64).reshape(rows, 3), np.zeros(rows, np.uint8))
    made.row["weight"] = np.linspace(0.1, 0.9, rows)
    return made


def test_a_kernel_changes_the_arrays_that_it_is_given_by_address() -> None:
    compiled, plain = (shelf(5), shelf(5)), (shelf(5), shelf(5))
    for amount in (1, 7):
        assert fill(*compiled, amount) == fill_in_python(*plain, amount)
    for ours, theirs in zip(compiled, plain, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)
    assert compiled[0].mark.sum() == 5
    assert all(isinstance(given, Held) for signature in fill.overloads for given in signature[:2])


def fill_in_python(one: Shelf, other: Shelf, amount: int) -> float:
    total = 0.0
    for at in range(len(one.row)):
        results = []
        for each, change in ((one, amount), (other, -amount)):
            each.row.count[at] += change
            each.cell[at, 1] = 300 + len(each.mark)
            each.cell[at] += change
            each.mark[at] = 1
            results.append(each.row.weight[at] * max(each.row.count[at], 1))
        total += results[0] + results[1]
    return total


def test_a_call_sees_the_arrays_of_its_own_tuple_not_of_the_one_before() -> None:
    small, large = shelf(2), shelf(9)
    assert fill(small, shelf(2), 1) != fill(large, shelf(9), 1)
    assert (small.row["count"] == 1).all()
    assert (large.row["count"] == 1).all()
    assert large.cell[0, 1] == 300 + 9 + 1


def test_a_tuple_that_has_more_than_arrays_comes_by_value() -> None:
    assert scaled(Mixed(np.array([6]), 7)) == 42
    assert scaled(Mixed(np.array([6]), 8)) == 48


def test_numbas_own_functions_can_call_an_inner_one() -> None:
    @numba.njit
    def twice(rows: Any) -> float:
        return 2 * doubled(rows)

    assert twice(np.array([1.5, 2.0])) == 14.0


@inner
def doubled(rows: Any) -> float:
    return 2 * summed(rows)


@inner
def summed(rows: Any) -> float:
    total = 0.0
    for at in range(rows.shape[0]):
        total += rows[at]
    return total
