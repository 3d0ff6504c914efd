"""Eagle on runs small enough to think through, and against queueing theory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, Simulation, simulate
from tests.core.test_hawk import NS, ended, small, starts
from tests.core.test_hybrid_oracle import loaded

ONE_PROBE = {"probe_ratio": 1, "min_probes": 1}
TWO_LONG = {"arrival_s": 0, "durations_s": [100.0, 100.0]}


def counted(run: Simulation) -> dict[str, int]:
    assert run.result is not None
    counters: dict[str, int] = run.result.summary["counters"]
    return counters


def test_workers_with_long_tasks_refuse_probes() -> None:
    """Three probes, two of them come back at 1.002, when the task has just been handed out: nothing is sent again."""
    jobs = [TWO_LONG, {"arrival_s": 1, "durations_s": [5.0]}]
    params = {"short_cutoff_s": 10, "long_partition_share": 0.66, "probe_ratio": 1, "min_probes": 3}
    run = ended(small(3, jobs, "eagle", **params))
    assert starts(run) == [(1, 0.001), (2, 0.001), (0, 1.003)]
    wanted = {"probes": 3, "refused": 2, "noops": 0, "fallbacks": 0, "behind_long": 0, "placed": 2}
    assert {name: counted(run)[name] for name in wanted} == wanted


def test_a_probe_stays_for_the_next_task_of_its_job() -> None:
    """Worker 0 alone takes short jobs. Its probe fetches one task after the other; those sent again are dropped."""
    jobs = [TWO_LONG, {"arrival_s": 1, "durations_s": [5.0, 5.0, 5.0]}]
    params = {"short_cutoff_s": 10, "long_partition_share": 0.66, "probe_ratio": 1, "min_probes": 3}
    run = ended(small(3, jobs, "eagle", **params))
    assert starts(run)[2:] == [(0, 1.003), (0, 6.005), (0, 11.007)]
    assert counted(run)["sticky"] == 2
    assert counted(run)["refused"] >= 2
    assert counted(run)["behind_long"] == 0
    rows = run.decisions()
    assert rows["reason"][rows["task"] == 4].tolist()[-1] == 5


def test_probes_that_do_not_stay_fetch_one_task_each() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [5.0, 5.0, 5.0]}]
    run = ended(small(2, jobs, "eagle", sticky=False, **ONE_PROBE))
    assert counted(run)["sticky"] == 0
    assert sorted(start for _, start in starts(run)) == [0.003, 0.003, 5.005]


SHORTER_ONES = [
    {"arrival_s": 0, "durations_s": [10.0]},
    {"arrival_s": 1, "durations_s": [4.0]},
    *({"arrival_s": 2 + n / 10, "durations_s": [1.0]} for n in range(25)),
]


@pytest.mark.parametrize(
    ("params", "before"), [({}, 20), ({"bypass_cap": 2}, 8), ({"bypass_cap": 0}, 0), ({"shortest_first": False}, 0)]
)
def test_shorter_jobs_go_past_a_longer_one_up_to_the_cap(params: dict[str, Any], before: int) -> None:
    """Jobs of 1 s may keep the one of 4 s waiting for 5 x 4 s: twenty of them go first, and then it."""
    run = ended(small(1, SHORTER_ONES, "eagle", short_cutoff_s=90, **ONE_PROBE, **params))
    times = [start for _, start in starts(run)]
    assert sum(start < times[1] for start in times) == 1 + before
    assert counted(run)["overtaking"] == before
    assert np.diff(sorted(times)).min() > 1


def test_a_long_task_at_the_head_goes_first() -> None:
    """Without workers for short jobs only, a refused probe has nowhere else to go, and waits behind both."""
    jobs = [
        {"arrival_s": 0, "durations_s": [30.0]},
        {"arrival_s": 0, "durations_s": [50.0]},
        {"arrival_s": 1, "durations_s": [1.0]},
    ]
    run = ended(small(1, jobs, "eagle", short_cutoff_s=10, long_partition_share=1, **ONE_PROBE))
    assert starts(run) == [(0, 0.001), (0, 30.001), (0, 80.003)]
    assert counted(run)["behind_long"] == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("error", ["none", "lognormal"])
def test_no_probe_ever_stands_behind_a_long_task(seed: int, error: str) -> None:
    data = loaded("eagle", "paper", estimate_error=error).to_dict() | {"seed": seed}
    data["workload"]["jobs"] = 600
    counters = simulate(Experiment.parse(data)).summary["counters"]
    assert counters["behind_long"] == 0
    assert counters["refused"] > counters["fallbacks"] > 100


def test_refusals_and_overtaking_flash_on_the_map() -> None:
    simulation = Simulation(loaded("eagle", "paper"), frames=100)
    kinds = {mark[1] for frame in simulation.run() for mark in frame.marks}
    assert kinds == {"refusal", "overtaking", "probe"}
    assert simulation.now_ns > NS
