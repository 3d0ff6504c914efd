"""Pigeon against a slow version in plain Python, on runs small enough to think through, and against queueing theory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, Simulation, build_cluster, build_workload, describe, explain, simulate
from tests.core.experiments import PROFILES, experiments
from tests.core.oracles_pigeon import PigeonOracle
from tests.core.test_eagle import counted
from tests.core.test_hawk import ended, small, starts
from tests.core.test_hybrid_oracle import loaded
from tests.tiers import examples

each_profile = pytest.mark.parametrize("profile", PROFILES)


def agree(experiment: Experiment) -> dict[str, int]:
    """Compare a run with the oracle; what was counted."""
    cluster = build_cluster(experiment)
    oracle = PigeonOracle(experiment, cluster, build_workload(experiment, cluster))
    wanted = oracle.run()
    result = simulate(experiment)
    columns = ("first_start_ns", "end_ns", "machine")
    assert [tuple(int(row[c]) for c in columns) for row in result.tasks] == wanted
    counters: dict[str, int] = result.summary["counters"]
    assert {name: counters[name] for name in oracle.counts} == oracle.counts
    return counters


@each_profile
@examples(150)
@given(data=st.data())
def test_small_experiments_equal_plain_lists(profile: str, data: st.DataObject) -> None:
    agree(data.draw(experiments("pigeon", profile=profile)))


def crowd(profile: str, **params: Any) -> Experiment:
    data = loaded("hawk", "paper").to_dict()
    data["scheduler"] = {"name": "pigeon", "params": {"profile": profile, "short_cutoff_s": 10, **params}}
    return Experiment.parse(data)


@each_profile
@pytest.mark.parametrize("weight", [0, 3, 100_000])
def test_a_loaded_datacenter_agrees_too(profile: str, weight: int) -> None:
    counters = agree(crowd(profile, weight=weight, group_size=7, reserved_per_group=2, estimate_error="uniform"))
    assert min(counters[name] for name in ("direct", "on_reserved", "waited_high", "waited_low")) > 50


def test_a_job_is_spread_evenly_over_the_groups() -> None:
    """Three groups of four: eight tasks are two rounds and two more, so a group has two or three."""
    run = ended(small(12, [{"arrival_s": 0, "durations_s": [5.0] * 8}], "pigeon", group_size=4, reserved_per_group=0))
    assert {start for _, start in starts(run)} == {0.002}
    assert sorted(np.bincount([machine // 4 for machine, _ in starts(run)])) == [2, 3, 3]


def test_reserved_workers_run_short_tasks_only() -> None:
    """A group of three, worker 0 reserved: two long tasks run, one waits; one of two short ones waits for worker 0."""
    jobs = [{"arrival_s": 0, "durations_s": [50.0] * 3}, {"arrival_s": 1, "durations_s": [5.0] * 2}]
    run = ended(small(3, jobs, "pigeon", group_size=3, reserved_per_group=1, short_cutoff_s=10))
    assert starts(run) == [(1, 0.002), (2, 0.002), (1, 50.004), (0, 1.002), (0, 6.004)]
    wanted = {"direct": 3, "on_reserved": 2, "waited_high": 1, "waited_low": 1}
    assert {name: counted(run)[name] for name in wanted} == wanted


def test_the_map_shows_groups_long_tasks_and_what_waits_at_the_master() -> None:
    """The same jobs: at two seconds a long task and a short one wait at the master, for its three workers alike."""
    jobs = [{"arrival_s": 0, "durations_s": [50.0] * 3}, {"arrival_s": 1, "durations_s": [5.0] * 2}]
    simulation = Simulation(small(3, jobs, "pigeon", group_size=3, reserved_per_group=1, short_cutoff_s=10))
    simulation.advance_to(2_000_000_000)
    shown = {}
    for number, layer in enumerate(simulation.layers):
        out = np.zeros(3, np.uint8)
        simulation.spec.load().paint(simulation.world, simulation.state, number, np.arange(3), out)
        shown[layer.name] = out.tolist()
    assert shown.pop("outage") == [0, 0, 0]
    assert shown == {"load": [255] * 3, "at_master": [16] * 3, "long": [0, 32, 32], "reserved": [255, 0, 0]}
    assert describe(small(7, jobs, "pigeon", group_size=3))["groups"]["first"] == (0, 3)


@pytest.mark.parametrize(("weight", "before"), [(0, 1), (2, 3), (100, 6)])
def test_waiting_short_tasks_go_first_up_to_their_weight(weight: int, before: int) -> None:
    """A long task waits with six short ones: it goes when one more than `weight` of them have gone."""
    jobs = [
        {"arrival_s": 0, "durations_s": [9.0]},
        {"arrival_s": 1, "durations_s": [50.0]},
        {"arrival_s": 2, "durations_s": [1.0] * 6},
    ]
    run = ended(small(1, jobs, "pigeon", short_cutoff_s=10, weight=weight))
    times = [start for _, start in starts(run)]
    assert sum(start < times[1] for start in times[2:]) == before


def test_a_group_always_has_a_worker_for_long_tasks() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [50.0] * 2}]
    run = ended(small(2, jobs, "pigeon", short_cutoff_s=10, reserved_per_group=100))
    assert starts(run) == [(1, 0.002), (1, 50.004)]


def test_a_task_that_waits_says_in_which_queue_and_how_many_are_before_it() -> None:
    """One group of one worker: two long tasks, of which one runs, and three short ones that wait."""
    jobs = [{"arrival_s": 0, "durations_s": [50.0] * 2}, {"arrival_s": 1, "durations_s": [5.0] * 3}]
    made = small(1, jobs, "pigeon", short_cutoff_s=10)
    short, long = (explain(made, task, 2.0)["decisions"][-1] for task in (4, 1))
    assert (short["reason"], short["arguments"]) == ("in_short_queue", {"to": "0", "x": "2"})
    assert (long["reason"], long["arguments"]) == ("in_long_queue", {"to": "0", "x": "0", "y": "3"})
    assert not [one for one in explain(made, 0, 2.0)["decisions"] if one["reason"].startswith("in_")]


def test_reserved_workers_flash_when_they_are_used() -> None:
    simulation = Simulation(crowd("paper", group_size=7, reserved_per_group=2), frames=50)
    assert {mark[1] for frame in simulation.run() for mark in frame.marks} == {"reserved"}
