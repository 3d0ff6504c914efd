"""The claims of Megha's paper on generated workloads (claims.py), as docs/development/agreement.md tells them.

Medians of five seeds. A claim that is missed is a strict expected failure with its figure; the costs stay as they are.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scheduler_core import Experiment, simulate
from scheduler_core.schedulers.federated.megha.costs import COSTS
from tests.core import claims
from tests.tiers import wide

pytestmark = wide

PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"
COUNTED = ("repartitions", "preemption_attempts", "preemptions")


def figures(experiment: Experiment) -> dict[str, float]:
    """The allocation delay's percentiles, the medians of its parts, and what was counted."""
    summary = simulate(experiment).summary
    tasks = summary["tasks"]
    # A task may ask for properties that no machine of a thousand has together.
    assert tasks["unfinished"] == 0
    assert tasks["unschedulable"] <= tasks["total"] // 1000
    parts = {name: part["p50"] for name, part in summary["delay_components_s"].items()}
    counted = {name: summary["counters"].get(name, 0) for name in COUNTED}
    return {**summary["allocation_delay_s"], **parts, **counted}


def medians(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.median([row[name] for row in rows])) for name in rows[0]}


def under(**misses: str) -> pytest.MarkDecorator:
    """Run a claim under each named set of costs; those that are known to miss it say why."""
    rows = [
        pytest.param(name, marks=pytest.mark.xfail(reason=misses[name], strict=True) if name in misses else ())
        for name in COSTS
    ]
    return pytest.mark.parametrize("costs", rows)


@functools.cache
def tail(scheduler: str, costs: str = "") -> list[dict[str, float]]:
    """Figures 3 and 4, a row for each seed."""
    return [
        figures(claims.experiment(claims.CLOUDERA, 10_000, scheduler=scheduler, seed=seed, costs=costs))
        for seed in claims.SEEDS
    ]


@functools.cache
def grid(machines: int, masters: int, clusters: int, costs: str, scheduler: str = "megha") -> dict[str, float]:
    """Figures 6 and 9."""
    return medians([
        figures(claims.experiment(
            claims.ALIBABA, machines, masters, clusters, scheduler=scheduler, constrained=True, seed=seed, costs=costs
        ))
        for seed in claims.SEEDS
    ])  # fmt: skip


@functools.cache
def shared(machines: int, rate_per_s: float) -> dict[str, float]:
    """Figures 10 and 11."""
    return medians([figures(claims.fair(machines, seed, rate_per_s)) for seed in claims.SEEDS])


@functools.cache
def interfered(sample: str) -> tuple[float, float]:
    """Figure 12: medians of the execution delay in seconds, without interference and with it."""
    rows = [
        [
            np.median(claims.execution_delay_s(claims.prototype(getattr(claims, sample), seed, strength)))
            for strength in (0.0, claims.SLOWDOWN)
        ]
        for seed in claims.SEEDS
    ]
    plain, late = np.median(rows, axis=0)
    return float(plain), float(late)


@under(messages="p99 of Sparrow over Megha's is 25.6: reading states holds up large jobs")
def test_f3_4_megha_has_no_tail_and_sparrow_has(costs: str) -> None:
    for megha, sparrow in zip(tail("megha", costs), tail("sparrow"), strict=True):
        assert sparrow["p50"] < megha["p50"]
        assert megha["max"] < 1.5
        assert 30 <= sparrow["max"] <= 300
    ratios = [a["p99"] / b["p99"] for a, b in zip(tail("sparrow"), tail("megha", costs), strict=True)]
    assert 30 <= np.median(ratios) <= 300


@under(writing="communication is 6 to 11 %, framework queuing 88 to 94 %: tasks wait while states are written")
def test_f7_messages_are_most_of_the_delay(costs: str) -> None:
    row = medians(tail("megha", costs))
    assert row["communication"] / row["p50"] >= 0.85
    assert 0.03 <= row["framework_queuing"] / row["p50"] <= 0.10
    assert row["processing"] / row["p50"] <= 0.05


@under(writing="9.6 ms")
def test_megha_decides_in_tens_of_milliseconds(costs: str) -> None:
    assert 0.010 <= medians(tail("megha", costs))["p50"] <= 0.100


@pytest.mark.parametrize("machines", claims.CENTRAL_SIZES)
@under()
def test_f6_one_master_of_each_is_far_slower(costs: str, machines: int) -> None:
    central = grid(machines, 10, 10, costs, "centralised")
    for masters, clusters in claims.CENTRAL_GRIDS:
        assert central["p50"] > 2 * grid(machines, masters, clusters, costs)["p50"]


@under(
    writing="1.45 ms, then 1.41 ms, and 1.45 ms at 50,000: only means grow, from 2.1 to 31.9 ms",
    messages="12.41 ms throughout",
)
def test_f8_delay_grows_with_the_datacenter(costs: str) -> None:
    delays = [
        medians([figures(claims.experiment(claims.LIGHT, machines, seed=seed, costs=costs)) for seed in claims.SEEDS])
        for machines in claims.SIZES
    ]
    ranks = np.argsort(np.argsort([row["p50"] for row in delays]))
    assert np.corrcoef(ranks, np.arange(len(delays)))[0, 1] >= 0.9


@under()
def test_f9_more_local_masters_decide_sooner(costs: str) -> None:
    delays = [grid(claims.GRID_MACHINES, 10, clusters, costs)["p50"] for clusters in claims.LOCAL_MASTERS]
    assert all(fewer > more for fewer, more in itertools.pairwise(delays))


@under(writing="1 to 10 Global Masters: the median stays at 13.3 ms")
def test_f9_more_global_masters_decide_sooner(costs: str) -> None:
    few = [grid(claims.GRID_MACHINES, masters, 10, costs)["p50"] for masters in claims.GLOBAL_MASTERS if masters <= 10]
    assert few[0] > few[-1]


@under(messages="12.45, 12.41 and 12.41 ms", vectors="it falls on: 12.8, 12.5 and 12.4 ms")
def test_f9_more_global_masters_than_local_ones_cost_a_little(costs: str) -> None:
    many = [grid(claims.GRID_MACHINES, masters, 10, costs)["p50"] for masters in claims.GLOBAL_MASTERS if masters >= 10]
    assert all(fewer < more for fewer, more in itertools.pairwise(many))
    assert many[-1] < 1.1 * many[0]


def falls(rate_per_s: float, names: Sequence[str]) -> bool:
    small, middle, large = (shared(machines, rate_per_s) for machines in claims.FAIR_SIZES)
    return all(small[name] > middle[name] > large[name] for name in names)


@pytest.mark.xfail(reason="at 500 machines the median is 0 preemptions and 0 attempts, as at 1,500: two of five seeds "
                   "have contention; the delay's median is 2.7, 1.5 and 1.5 ms", strict=True)  # fmt: skip
def test_f10_11_all_four_fall_as_written_down_before() -> None:
    assert falls(claims.FAIR_RATE, ("p50", *COUNTED))


def test_f10_11_all_four_fall_where_the_middle_size_is_contended() -> None:
    """A rate that was chosen after the miss above, so weaker evidence."""
    assert falls(claims.CROWDED_RATE, ("p50", "mean", *COUNTED))


def test_f10_11_nobody_is_preempted_without_contention() -> None:
    small, _, large = (shared(machines, claims.FAIR_RATE) for machines in claims.FAIR_SIZES)
    assert small["preemptions"] > 0
    assert large["preemptions"] == large["preemption_attempts"] == large["repartitions"] == 0


@pytest.mark.parametrize("sample", ["GOOGLE", "ALIBABA"])
def test_f12_the_prototype_is_slower_than_the_simulation(sample: str) -> None:
    plain, late = interfered(sample)
    assert late > plain


def test_f12_google_suffers_more_than_alibaba() -> None:
    assert interfered("GOOGLE")[1] > interfered("ALIBABA")[1]


@pytest.mark.parametrize(("sample", "paper_s"), [("GOOGLE", 3.32), ("ALIBABA", 2.15)])
@pytest.mark.xfail(reason="37.3 s and 8.6 s: in proportion to our stand-ins' durations, which may not be theirs",
                   strict=True)  # fmt: skip
def test_f12_delays_have_the_papers_size(sample: str, paper_s: float) -> None:
    assert 0.5 * paper_s <= interfered(sample)[1] <= 1.5 * paper_s


@pytest.mark.parametrize("preset", sorted(claims.presets()))
def test_presets_are_these_experiments(preset: str) -> None:
    ours = Experiment.from_file(PRESETS / f"{preset}.json")
    assert ours.digest() == claims.presets()[preset].digest()
    assert ours.question.endswith("?")
