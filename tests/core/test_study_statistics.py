"""Intervals against numbers worked by hand and against how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scheduler_core.studies.statistics import (
    UNDECIDED,
    bootstrap_interval,
    compare,
    interval,
    mean_interval,
    prediction_interval,
    quantile_interval,
)

#: Student's t at 0.975 with 4 and 9 degrees of freedom, as printed in tables.
T_4, T_9 = 2.776445, 2.262157


def test_a_mean_of_five_as_by_hand() -> None:
    # mean 6, squares of differences 16 + 4 + 0 + 4 + 16 = 40, variance 10, standard error sqrt(10 / 5)
    found = mean_interval([2.0, 4.0, 6.0, 8.0, 10.0])
    assert found.value == 6.0
    assert found.low == pytest.approx(6 - T_4 * math.sqrt(2), abs=1e-5)
    assert found.high == pytest.approx(6 + T_4 * math.sqrt(2), abs=1e-5)
    assert (found.n, found.coverage) == (5, 0.95)


def test_one_value_has_no_interval_and_equal_ones_have_none_of_width() -> None:
    assert (mean_interval([3.0]).low, mean_interval([3.0]).high) == (None, None)
    assert (mean_interval([3.0] * 4).low, mean_interval([3.0] * 4).high) == (3.0, 3.0)
    assert (bootstrap_interval([3.0] * 4).low, bootstrap_interval([3.0, 4.0]).low) == (3.0, None)


@pytest.mark.parametrize(
    ("n", "low", "high", "coverage"),
    # Tables of order statistics for a median: of 10 values the second and ninth cover it in 97.85 % of all samples.
    [(6, 1, 6, 0.96875), (8, 1, 8, 0.9921875), (10, 2, 9, 0.978515625), (20, 6, 15, 0.95861)],
)
def test_a_median_lies_between_two_of_the_values(n: int, low: int, high: int, coverage: float) -> None:
    values = [10.0 * rank for rank in range(n, 0, -1)]
    found = quantile_interval(values, 0.5)
    assert (found.low, found.high) == (10.0 * low, 10.0 * high)
    assert found.coverage == pytest.approx(coverage, abs=1e-5)
    assert found.value == 10.0 * (n + 1) / 2


def test_five_values_are_too_few_for_a_median() -> None:
    found = quantile_interval([1.0, 2.0, 3.0, 4.0, 5.0], 0.5)
    assert (found.value, found.low, found.high) == (3.0, None, None)


def test_order_statistics_of_other_quantiles_agree_with_the_beta_distribution() -> None:
    values = np.arange(1.0, 101.0)
    found = quantile_interval(values, 0.9)
    assert found.value == 90.0
    assert found.low is not None
    assert found.high is not None
    # The k-th of n uniform values is Beta(k, n + 1 - k): how often it misses 0.9 on its side.
    misses = stats.beta.sf(0.9, found.low, 101 - found.low), stats.beta.cdf(0.9, found.high, 101 - found.high)
    assert max(misses) <= 0.025
    assert found.coverage == pytest.approx(1 - sum(misses))


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(20261121)
    drawn = random.exponential(1.0, (2_000, 12))
    held = {"t": 0, "median": 0}
    for sample in drawn:
        for name, found, truth in (
            ("t", mean_interval(np.log(sample)), -0.5772156649),
            ("median", quantile_interval(sample, 0.5), math.log(2)),
        ):
            assert found.low is not None
            assert found.high is not None
            held[name] += found.low <= truth <= found.high
    assert held["median"] / 2_000 >= 0.955  # 96.1 % by order statistics
    assert held["t"] / 2_000 >= 0.91  # the values are skewed, so a little less than 95 %


def test_a_prediction_from_five_values_holds_the_sixth_in_95_of_100_cases() -> None:
    draws = np.random.default_rng(3).normal(7, 2, (4_000, 6))
    held = [low <= row[5] <= high for row in draws for low, high in [prediction_interval(row[:5])]]
    assert np.mean(held) == pytest.approx(0.95, abs=0.012)
    with pytest.raises(ValueError, match="at least two"):
        prediction_interval([1.0])


def test_the_bootstrap_draws_the_same_under_one_key_and_agrees_with_scipy() -> None:
    values = [1.0, 2.0, 2.5, 4.0, 8.0, 9.0]
    assert bootstrap_interval(values, key="a") == bootstrap_interval(values, key="a")
    assert bootstrap_interval(values, key="a") != bootstrap_interval(values, key="b")
    plain = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1))
    found = bootstrap_interval(values, key="a")
    assert found.low == pytest.approx(plain.confidence_interval.low, abs=0.15)
    assert found.high == pytest.approx(plain.confidence_interval.high, abs=0.15)


def test_pairs_by_seed_tell_apart_what_means_alone_do_not() -> None:
    # Seeds differ by far more than schedulers do, but the second is always one less.
    others = [10.0, 20.0, 30.0, 40.0, 50.0]
    these = [9.1, 18.9, 29.0, 39.1, 48.9]
    found = compare(these, others)
    # Differences -0.9 -1.1 -1.0 -0.9 -1.1: mean -1, standard deviation 0.1
    assert found.difference.value == pytest.approx(-1.0)
    assert found.difference.high == pytest.approx(-1 + T_4 * 0.1 / math.sqrt(5), abs=1e-5)
    assert found.verdict == "less"
    alone = mean_interval(these), mean_interval(others)
    assert alone[0].high is not None
    assert alone[1].low is not None
    assert alone[0].high > alone[1].low
    reverse = compare(others, these)
    assert (reverse.verdict, reverse.difference.low) == ("more", pytest.approx(-(found.difference.high or 0)))


@pytest.mark.parametrize(
    ("these", "others", "verdict"),
    [
        ([1.0, 3.0, 2.0], [2.0, 2.0, 2.0], UNDECIDED),
        ([1.0], [5.0], UNDECIDED),
        ([1.0, 2.0], [1.0, 2.0], "same"),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.1], UNDECIDED),
    ],
)
def test_what_is_not_distinguishable_yet_is_called_so(these: list[float], others: list[float], verdict: str) -> None:
    assert compare(these, others).verdict == verdict


def test_ratios_are_compared_by_their_logarithms() -> None:
    found = compare([2.0, 8.0], [1.0, 2.0])
    assert found.ratio is not None
    assert found.ratio.value == pytest.approx(math.sqrt(2 * 4))
    assert compare([0.0, 8.0], [1.0, 2.0]).ratio is None


def test_every_statistic_has_a_method() -> None:
    values = [float(value) for value in range(1, 11)]
    assert interval(values).high == pytest.approx(5.5 + T_9 * np.std(values, ddof=1) / math.sqrt(10), abs=1e-5)
    assert interval(values, "median").high == 9.0
    assert interval(values, "bootstrap", key="x") == bootstrap_interval(values, key="x")
