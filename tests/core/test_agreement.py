"""Megha under `public-simulator` against the program of its authors, over many seeds (tests/data/published).

The claims of the source `oracle` hold medians of five seeds of all programs against bands (test_statements.py).
Megha's delays on YH1 vary so much from seed to seed that twenty seeds are held against the program's median here.
Where runs of one program differ more than such a share from seed to seed, no median can be held to one of them; there
its run has to lie among ours. That decisions are the same given the same random numbers is in test_public_oracles.
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


@functools.cache
def one_of_ours(seed: int, scheduler: str, trace: str, machines: int, masters: int, clusters: int) -> dict[str, float]:
    """Job delays, as the public simulators count them, and counters. Times stay the file's, as they read them."""
    result = simulate(
        Experiment.parse(
            {
                "schema_version": 1,
                "seed": seed,
                "topology": {
                    "global_masters": masters,
                    "clusters": [{"name": "lm", "repeat": clusters, "machines": [{"count": machines // clusters}]}],
                },
                "workload": {
                    "kind": "trace",
                    "format": "sparrow",
                    "path": str(published.trace(trace)),
                    "time_origin": "file",
                },
                "scheduler": {"name": scheduler, "params": {"profile": "public-simulator"}},
            }
        )
    )
    jobs = result.jobs
    delay = np.sort(np.asarray(jobs["end_ns"] - jobs["arrival_ns"] - jobs["ideal_ns"]) / 1e9)
    ranks = {f"p{q}": float(delay[-(-q * len(delay) // 100) - 1]) for q in (50, 90, 99)}
    return {**ranks, "mean": float(delay.mean()), **result.summary["counters"]}


def median_interval(statistic: str, *setting: Any) -> tuple[float, float]:
    """Give the 96 % interval of the median over all seeds: of twenty of them, the 6th and the 15th in order."""
    values = sorted(one_of_ours(seed, *setting)[statistic] for seed in range(1, 21))
    return values[5], values[14]


def over_seeds(run: str) -> dict[str, Any]:
    """The public program's job delays over its seeds."""
    found: dict[str, Any] = published.figures("seeds")[run]["all"]
    return found


def one_run(run: str) -> dict[str, Any]:
    """One run of the public program."""
    found: dict[str, Any] = published.figures("simulators")[run]
    return found


@pytest.mark.parametrize("statistic", ["mean", "p90", "p99"])
def test_megha_s_median_over_seeds_may_be_that_of_the_public_program(statistic: str) -> None:
    """Five seeds say little here: their median mean is 105.8 s, that of twenty 99.0 s, the program's of four 99.1 s."""
    low, high = median_interval(statistic, "megha", "YH1_sub.tr", 4_000, 4, 25)
    assert low <= over_seeds("YH1_4000_megha_4x25")[statistic]["median"] <= high


def missed(figures: str) -> pytest.MarkDecorator:
    """A band around one run that our median misses, though that run lies among ours (see the test of ranges)."""
    return pytest.mark.xfail(strict=True, reason=f"one run of many that differ widely: {figures}")


def counted(run: str) -> dict[str, int]:
    """The public program's counts in one run, by our names."""
    theirs = one_run(run)["counters"]
    return {
        "inconsistencies_internal": theirs["internal_inconsistency_event"],
        "inconsistencies_external": theirs["external_inconsistency_event"],
        # It counts matches outside; a machine is lent when such a match is not refused.
        "repartitions": theirs["external_matching_logic_op"] - theirs["external_inconsistency_event"],
    }


@pytest.mark.parametrize("statistic", ["mean", "p99", pytest.param("p90", marks=missed("38,000 to 52,000 s"))])
def test_the_one_run_on_thousand_machines_may_be_the_median(statistic: str) -> None:
    """The program's own three seeds give means of 10,187, 11,704 and 15,979 s: one run says little of its median."""
    low, high = median_interval(statistic, "megha", "YH1_sub.tr", 1_000, 10, 10)
    assert low <= one_run("m_YH1_1000_10x10_pypy")["job_delay"]["all"][statistic] <= high


@pytest.mark.slow
@pytest.mark.parametrize(
    ("run", "setting", "seeds"),
    [
        ("m_YH1_4000_4x25_pypy", ("megha", "YH1_sub.tr", 4_000, 4, 25), 20),
        ("m_YH1_1000_10x10_pypy", ("megha", "YH1_sub.tr", 1_000, 10, 10), 20),
        ("m_GOOG_10000_4x25_pypy", ("megha", "GOOG_subtrace.tr", 10_000, 4, 25), 10),
    ],
)
def test_the_one_run_known_lies_among_ours(run: str, setting: tuple[Any, ...], seeds: int) -> None:
    rows = [one_of_ours(seed, *setting) for seed in range(1, seeds + 1)]
    delay = one_run(run)["job_delay"]["all"]
    wanted = {name: delay[name] for name in ("mean", "p50", "p90", "p99")} | counted(run)
    outside = {
        name: (min(row[name] for row in rows), value, max(row[name] for row in rows))
        for name, value in wanted.items()
        if not min(row[name] for row in rows) - 1e-5 <= value <= max(row[name] for row in rows) + 1e-5
    }
    assert not outside
