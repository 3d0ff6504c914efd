"""Hybrid schedulers under `public-simulator` against what the authors' own programs gave (tests/data/published).

Medians of five seeds of job delays: all, short and long. A figure agrees when it lies in the public program's range
over its seeds widened by 5 %, or within a share of its one run where there is only that; less than 0.01 s is no
difference.
What is missed is an expected failure with its figures.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, simulate
from tests.core import published
from tests.tiers import wide

pytestmark = wide
SEEDS = range(1, 6)
TRACES = {
    "YH1": ("YH1_sub.tr", 90.5811, 2),
    "GOOG": ("GOOG_subtrace.tr", 1129.532, 17),
    "FB": ("synthetic_FB_sub_2000jobs.tr", 76.5951, 2),
}
SIZES = (("YH1", 1_000), ("YH1", 4_000), ("GOOG", 10_000), ("FB", 10_000))
AT_LOAD = SIZES[1:3]
RUNS = {"hawk": SIZES, "eagle": SIZES, "pigeon": AT_LOAD}
STATISTICS = ("mean", "p90", "p99")
CLASSES = ("all", "short", "long")
NEAR = {"hawk": 0.10, "eagle": 0.05, "pigeon": 0.10}
"""How near our median has to be to a single run."""
COUNTED = {
    "hawk": {"stolen": "stolen_probes", "contacts": "steal_msgs"},
    "eagle": {"refused": "reassigned", "sticky": "sticky", "behind_long": "short_waited_for_big"},
}
"""Our counters, and the public program's."""


def params_of(scheduler: str, trace: str) -> dict[str, Any]:
    """The parameters of the public program's runs."""
    _, cutoff, short_only = TRACES[trace]
    if scheduler == "pigeon":
        return {"profile": "public-simulator", "short_cutoff_s": cutoff, "reserved_per_group": short_only}
    return {"profile": "public-simulator", "short_cutoff_s": cutoff, "long_partition_share": 1 - short_only / 100}


@functools.cache
def one_of_ours(seed: int, scheduler: str, trace: str, machines: int) -> dict[str, float]:
    """Job delays by class, and counters."""
    result = simulate(
        Experiment.parse(
            {
                "schema_version": 1,
                "seed": seed,
                "topology": {"clusters": [{"name": "c", "machines": [{"count": machines}]}]},
                "workload": {
                    "kind": "trace",
                    "format": "sparrow",
                    "path": str(published.trace(TRACES[trace][0])),
                    "time_origin": "file",
                },
                "scheduler": {"name": scheduler, "params": params_of(scheduler, trace)},
            }
        )
    )
    jobs, found = result.jobs, {}
    short = np.asarray(jobs["mean_ns"] <= TRACES[trace][1] * 1e9)
    for name, chosen in (("all", short | True), ("short", short), ("long", ~short)):
        delay = np.sort(np.asarray(jobs["end_ns"] - jobs["arrival_ns"] - jobs["ideal_ns"])[chosen] / 1e9)
        ranks = {f"p{q}": float(delay[-(-q * len(delay) // 100) - 1]) for q in (50, 90, 99)}
        found |= {f"{name} {statistic}": value for statistic, value in {**ranks, "mean": float(delay.mean())}.items()}
    return found | {name: float(value) for name, value in result.summary["counters"].items()}


def ours(figure: str, *setting: Any) -> float:
    """The median over seeds."""
    return float(np.median([one_of_ours(seed, *setting)[figure] for seed in SEEDS]))


def band(scheduler: str, trace: str, machines: int, name: str, statistic: str) -> tuple[float, float]:
    """From and to where a figure of ours agrees."""
    variant = "pigeon_fixh" if scheduler == "pigeon" else scheduler
    seeds = published.figures("seeds").get(f"{trace}_{machines}_{variant}")
    if seeds is not None:
        known = seeds[name][statistic]
        return 0.95 * known["low"] - 0.01, 1.05 * known["high"] + 0.01
    value = one_run(scheduler, trace, machines)["job_delay"][name][statistic]
    return (1 - NEAR[scheduler]) * value - 0.01, (1 + NEAR[scheduler]) * value + 0.01


def one_run(scheduler: str, trace: str, machines: int) -> dict[str, Any]:
    """One run of the public program."""
    return dict(published.figures("simulators")[f"e_{trace}_{machines}_{scheduler}_pypy"])


MISSED: dict[tuple[str, str, int, str, str], str] = {
    ("hawk", "FB", 10_000, "short", "p99"): "13.2 s, 10.0 to 22.9 s over seeds; theirs 15.0 s",
    ("eagle", "GOOG", 10_000, "long", "p90"): "4,749 s, 4,108 to 5,029 s over 11 seeds; theirs 4,038 to 4,392 s over 3",
}
"""Figures that miss their band: ours, and the band."""


def delays() -> list[Any]:
    """Every figure of every run, those that are missed as expected failures."""
    every = [
        (scheduler, *size, name, statistic)
        for scheduler in NEAR
        for size in RUNS[scheduler]
        for name in CLASSES
        for statistic in STATISTICS
    ]
    return [
        pytest.param(*one, marks=pytest.mark.xfail(strict=True, reason=MISSED[one])) if one in MISSED else one
        for one in every
    ]


@pytest.mark.parametrize(("scheduler", "trace", "machines", "name", "statistic"), delays())
def test_job_delays_agree(scheduler: str, trace: str, machines: int, name: str, statistic: str) -> None:
    low, high = band(scheduler, trace, machines, name, statistic)
    assert low <= ours(f"{name} {statistic}", scheduler, trace, machines) <= high


@pytest.mark.parametrize(("trace", "machines"), SIZES)
@pytest.mark.parametrize("scheduler", sorted(COUNTED))
def test_counts_agree(scheduler: str, trace: str, machines: int) -> None:
    theirs = one_run(scheduler, trace, machines)
    assert {name: ours(name, scheduler, trace, machines) for name in COUNTED[scheduler]} == {
        name: pytest.approx(theirs[their_name], rel=0.1) for name, their_name in COUNTED[scheduler].items()
    }
