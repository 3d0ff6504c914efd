"""The bands of the claims about public programs are those of the figures that are shipped. No trace is needed."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.claims import Claim, known_claims
from tests.core import published

NEAR = {"hawk": 0.10, "eagle": 0.05}
"""How near our median has to be to a single run."""
HYBRID = [
    (scheduler, trace, machines)
    for scheduler, sizes in {
        "hawk": (("YH1", 1_000), ("YH1", 4_000), ("GOOG", 10_000), ("FB", 10_000)),
        "eagle": (("YH1", 1_000), ("YH1", 4_000), ("GOOG", 10_000), ("FB", 10_000)),
        "pigeon": (("YH1", 4_000), ("GOOG", 10_000)),
        "sparrow": (("YH1", 4_000), ("GOOG", 10_000)),
    }.items()
    for trace, machines in sizes
]
MODES = {"phoenix": "phoenix", "eagle-c": "eagle-C", "hawk-c": "hawk-C", "sparrow-c": "sparrow-C"}


def bands(claim: Claim) -> dict[tuple[str, str], tuple[float | None, float | None]]:
    """Give the ends of each band of job delays by class of jobs and statistic."""
    found = {}
    for one in claim.measures:
        jobs, comma, statistic = one.name.partition(" jobs, ")
        if comma and "/" not in statistic:
            found[jobs.lower(), statistic] = (one.band.least, one.band.most)
    return found


def near(low: float, high: float) -> Any:
    return pytest.approx((max(low - 0.01, 0), high + 0.01), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(("scheduler", "trace", "machines"), HYBRID)
def test_bands_are_the_range_over_seeds_or_near_the_one_run(scheduler: str, trace: str, machines: int) -> None:
    told = bands(known_claims()[f"oracle-{scheduler}-{trace.lower()}-{machines}"])
    assert len(told) in (3, 9)
    seeds = published.figures("seeds").get(
        f"{trace}_{machines}_{'pigeon_fixh' if scheduler == 'pigeon' else scheduler}"
    )
    for (jobs, statistic), ends in told.items():
        if seeds is not None:
            known = seeds[jobs][statistic]
            assert ends == near(0.95 * known["low"], 1.05 * known["high"])
        else:
            one = published.figures("simulators")[f"e_{trace}_{machines}_{scheduler}_pypy"]["job_delay"][jobs]
            assert ends == near((1 - NEAR[scheduler]) * one[statistic], (1 + NEAR[scheduler]) * one[statistic])


@pytest.mark.parametrize("scheduler", MODES)
def test_bands_of_phoenix_and_its_kind_are_those_of_the_shipped_figures(scheduler: str) -> None:
    stays_within(f"oracle-{scheduler}-yh1-4000", MODES[scheduler])


def test_bands_of_hawk_c_on_the_second_trace_are_those_of_the_shipped_figures() -> None:
    stays_within("oracle-hawk-c-goog-10000", "hawk-C, GOOG, 10,000 workers")


def stays_within(claim: str, run: str) -> None:
    """Compare a claim's bands with the range over seeds of the program of Phoenix's authors."""
    told = bands(known_claims()[claim])
    assert len(told) == 9
    for (jobs, statistic), ends in told.items():
        known = published.figures("phoenix")[run][f"{jobs}_delay_s"][statistic]
        assert ends == near(0.9 * known["min"], 1.1 * known["max"])


@pytest.mark.parametrize(
    ("claim", "run", "widened"),
    [
        ("oracle-megha-constraints", "YH1_10000_G5L5_rand", 0.05),
        ("oracle-pigeon-constraints", "pigeonC_YH1_10000_cutoff90.58", 0.1),
    ],
)
def test_bands_with_constraints_are_those_of_the_shipped_figures(claim: str, run: str, widened: float) -> None:
    delays = published.figures("constraints")[run]["job_delay_s"]
    told = {one.name.rpartition(", ")[2]: one.band for one in known_claims()[claim].measures if "all jobs" in one.name}
    assert len(told) in (2, 4)
    for statistic, band in told.items():
        known = delays[statistic]
        ends = ((1 - widened) * known["low"], (1 + widened) * known["high"])
        assert (band.least, band.most) == pytest.approx(ends, rel=1e-4)
