"""Random numbers by key, and the mathematics under them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scheduler_core.engine import maths, rng

CONFIDENCE = 0.001


@given(st.floats(1e-300, 1e300))
def test_log_agrees_with_the_library(x: float) -> None:
    assert maths.log(x) == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_taken_apart_exactly(x: float) -> None:
    assert maths.frexp(x) == math.frexp(x)
    assert math.copysign(1, maths.frexp(x)[0]) == math.copysign(1, x)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-2200, 2200))
def test_a_number_is_scaled_by_a_power_of_two_and_rounded_once(x: float, n: int) -> None:
    try:
        wanted = math.ldexp(x, n)
    except OverflowError:
        wanted = math.copysign(math.inf, x)
    found = maths.ldexp(x, n)
    assert (found, math.copysign(1, found)) == (wanted, math.copysign(1, wanted))


@given(st.floats(-700, 700))
def test_exp_agrees_with_the_library(x: float) -> None:
    assert maths.exp(x) == pytest.approx(math.exp(x), rel=1e-14)


@given(st.floats(1e-300, 1 - 1e-12))
def test_normal_quantile_agrees_with_scipy(p: float) -> None:
    assert maths.normal_quantile(p) == pytest.approx(float(stats.norm.ppf(p)), rel=1e-12, abs=1e-12)


def test_compiled_and_plain_mathematics_agree_to_the_last_bit() -> None:
    for x in np.geomspace(1e-9, 1e9, 400):
        assert maths.log(x) == maths.log.py_func(x)  # type: ignore[attr-defined]


def test_values_are_pinned() -> None:
    """Part of every outcome: these may never change."""
    assert [int(rng.bits(1, 2, 3, d)) for d in range(2)] == [14100619211913272001, 3506808064286907929]
    assert rng.below(7, rng.STREAM_PROBE, 5, 0, 1000) == 782


@pytest.mark.parametrize("axis", ["entity", "draw", "stream", "seed"])
def test_numbers_are_uniform_and_independent_along_every_part_of_the_key(axis: str) -> None:
    key = {"seed": 1, "stream": 2, "entity": 3, "draw": 4}
    values = np.array([rng.uniform(**{**key, axis: i}) for i in range(20_000)])
    assert stats.kstest(values, "uniform").pvalue > CONFIDENCE
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 4 / math.sqrt(len(values))


def test_exponential_and_normal_follow_their_laws() -> None:
    exponential = np.array([rng.exponential(5, 1, i, 0) for i in range(20_000)])
    normal = np.array([rng.normal(5, 1, i, 1) for i in range(20_000)])
    assert stats.kstest(exponential, "expon").pvalue > CONFIDENCE
    assert stats.kstest(normal, "norm").pvalue > CONFIDENCE


@given(st.integers(0, 2**53 - 1), st.integers(0, 10**9), st.integers(1, 2**31))
def test_below_stays_below(seed: int, entity: int, n: int) -> None:
    assert 0 <= rng.below(seed, 1, entity, 0, n) < n
