"""Sparrow's modes against queueing theory, exact counts on runs small enough to think through, and clear outcomes."""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, Simulation, describe, explain, simulate
from scheduler_core.constraints import machine_offers, task_asks
from scheduler_core.workload import build_workload
from tests.core.test_queueing import erlang_c_wait, queue_of
from tests.core.test_sparrow_oracle import each_mode, loaded
from tests.tiers import wide

SEEDS = range(1, 11)
STUDENT_999 = 4.781
"""Quantile of Student's t for a two-sided confidence of 99.9 % and ten independent runs."""


def waits_of(params: dict[str, Any], machines: int, load: float, jobs: int, cpus: int = 1) -> tuple[float, float]:
    """Mean wait over seeds in units of the mean service time, and half the width of its 99.9 % confidence interval."""
    waits = []
    for seed in SEEDS:
        data = queue_of({"name": "sparrow", "params": params}, machines, load, seed).to_dict()
        data["workload"] |= {"jobs": jobs, "arrivals": {"kind": "poisson", "rate_per_s": machines * cpus * load}}
        data["topology"]["clusters"][0]["machines"][0]["cpus"] = cpus
        data["warmup_s"] = min(200.0, 0.1 * jobs / (machines * cpus * load))
        waits.append(simulate(Experiment.parse(data)).summary["allocation_delay_s"]["mean"])
    return statistics.mean(waits), STUDENT_999 * statistics.stdev(waits) / math.sqrt(len(waits))


@wide
@pytest.mark.parametrize("sampling", ["batch", "per_task"])
@pytest.mark.slow
def test_random_placement_is_an_mm1_queue_a_worker(sampling: str) -> None:
    params = {"sampling": sampling, "probe_ratio": 1, "late_binding": False}
    mean, width = waits_of(params, 50, 0.7, 200_000)
    assert width < 0.03 * mean
    assert abs(mean - erlang_c_wait(1, 0.7)) <= width


@wide
@pytest.mark.parametrize("late_binding", [True, pytest.param(False, marks=wide)])
@pytest.mark.slow
def test_a_worker_of_four_slots_is_an_mm4_queue(late_binding: bool) -> None:
    mean, width = waits_of({"probe_ratio": 1, "late_binding": late_binding}, 1, 0.8, 200_000, cpus=4)
    assert width < 0.08 * mean
    assert abs(mean - erlang_c_wait(4, 0.8)) <= width


@wide
@pytest.mark.parametrize("choices", [2, pytest.param(3, marks=wide)])
@pytest.mark.slow
def test_the_shortest_of_a_few_queues_waits_as_mean_field_theory_says(choices: int) -> None:
    """Without late binding a single task joins the shortest of d queues (Mitzenmacher; Vvedenskaya et al., 1996).

    The formula is for infinitely many workers; 500 of them are off by a share of about one in 500.
    """
    load = 0.8
    time = math.fsum(load ** ((choices**i - choices) / (choices - 1)) for i in range(1, 12))
    mean, width = waits_of({"probe_ratio": choices, "late_binding": False}, 500, load, 300_000)
    assert width < 0.03 * mean
    assert abs(mean - (time - 1)) <= width + 0.01 * time


# -- counts -----------------------------------------------------------------------------------------------------------


def few(params: dict[str, Any], workers: int, jobs: list[dict[str, Any]], cpus: int = 1, **more: Any) -> Experiment:
    """Workers that are alike, and jobs that are written down."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": workers, "cpus": cpus}]}]},
            "workload": {"kind": "inline", "jobs": jobs},
            "network": {"message_delay_s": 0.01},
            "scheduler": {"name": "sparrow", "params": params},
            **more,
        }
    )


TWO_JOBS = [{"arrival_s": 0, "durations_s": [1.0, 1.0]}, {"arrival_s": 0.5, "durations_s": [2.0, 2.0]}]
"""On two workers with four probes a job: two for each worker."""


def test_counts_with_late_binding_are_exact() -> None:
    """Each probe is sent, asks and is answered; half of them in vain. The run ends before the last two are answered."""
    counters = simulate(few({}, 2, TWO_JOBS)).summary["counters"]
    assert (counters["probes"], counters["noops"], counters["cancelled"]) == (8, 2, 0)
    assert counters["messages"] == 8 + 2 * 6 + 2


def test_counts_with_cancellation_are_exact() -> None:
    """What has not asked when the tasks are out is called back: two probes a job, each by one message."""
    counters = simulate(few({"cancellation": True}, 2, TWO_JOBS)).summary["counters"]
    assert (counters["probes"], counters["noops"], counters["cancelled"]) == (8, 0, 4)
    assert counters["messages"] == 8 + 4 + 2 * 4


def test_counts_without_late_binding_are_exact() -> None:
    """Each probe is sent and answered, each task sent."""
    counters = simulate(few({"late_binding": False}, 2, TWO_JOBS)).summary["counters"]
    assert (counters["probes"], counters["noops"], counters["cancelled"]) == (8, 0, 0)
    assert counters["messages"] == 2 * 8 + 4


def test_without_late_binding_a_job_spreads_over_its_workers() -> None:
    """Ten workers, ten tasks, two probes for each worker: nobody gets two tasks while another has none."""
    tasks = simulate(few({"late_binding": False}, 10, [{"arrival_s": 0, "durations_s": [1.0] * 10}])).tasks
    assert sorted(tasks["machine"].tolist()) == list(range(10))
    assert (tasks["first_start_ns"] == 30_000_000).all()


def test_a_machine_runs_as_many_tasks_at_once_as_it_holds() -> None:
    for late_binding in (True, False):
        one_job = [{"arrival_s": 0, "durations_s": [1.0] * 6}]
        tasks = simulate(few({"late_binding": late_binding}, 1, one_job, cpus=4)).tasks
        first, second = 30_000_000, 1_050_000_000 if late_binding else 1_030_000_000
        assert sorted(tasks["first_start_ns"].tolist()) == [first] * 4 + [second] * 2


def test_a_probe_ratio_is_rounded_up_for_each_task() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1.0] * 4}]
    probes = [
        simulate(few({"sampling": sampling, "probe_ratio": 1.25}, 20, jobs)).summary["counters"]["probes"]
        for sampling in ("batch", "per_task")
    ]
    assert probes == [5, 8]


def test_the_public_profile_sets_the_modes_itself() -> None:
    def outcome(**params: Any) -> str:
        digest: str = simulate(loaded({"profile": "public-simulator", **params})).summary["outcome_digest"]
        return digest

    assert outcome() == outcome(sampling="per_task", late_binding=False, cancellation=True)


def test_modes_are_named_when_they_are_wrong() -> None:
    with pytest.raises(ExperimentError, match=r"scheduler\.params\.sampling"):
        few({"sampling": "some"}, 1, TWO_JOBS)
    with pytest.raises(ExperimentError, match=r"scheduler\.params\.late_binding"):
        few({"late_binding": "perhaps"}, 1, TWO_JOBS)


# -- constraints ------------------------------------------------------------------------------------------------------

NEEDS = {"catalogue": "custom", "custom": [{"name": n, "machine_share": s} for n, s in (("gpu", 0.5), ("moon", 0.0))]}


@each_mode
def test_only_eligible_workers_are_sampled(mode: dict[str, Any]) -> None:
    """Tasks of one job with different constraints: each runs where it may, or is given up with a reason."""
    data = loaded(mode, constraints={"catalogue": "megha-21", "task_share": 0.8}).to_dict()
    for cluster in data["topology"]["clusters"]:
        cluster["constraint_mix"] = "google-a"
    experiment = Experiment.parse(data)
    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    tasks = simulation.result.tasks
    offers = machine_offers(experiment, simulation.cluster)
    asks = task_asks(experiment, build_workload(experiment, simulation.cluster))
    possible = ((offers[None, :] & asks[:, None]) == asks[:, None]).any(axis=1)
    assert (tasks["attempts"] == possible).all()
    assert ((offers[tasks["machine"]] & asks) == asks)[possible].all()
    counts = simulation.result.summary["tasks"]
    assert counts["unfinished"] == 0
    assert counts["unschedulable"] == int((~possible).sum()) > 0


@pytest.mark.parametrize("profile", ["paper", "public-simulator"])
def test_what_no_machine_offers_ends_unschedulable_and_says_why(profile: str) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1.0, 1.0], "constraints": [name]} for name in ("gpu", "moon")]
    data = few({"profile": profile}, 20, jobs, constraints=NEEDS).to_dict()
    data["topology"]["clusters"][0]["constraint_mix"] = "custom"
    experiment = Experiment.parse(data)
    assert simulate(experiment).summary["tasks"] == {
        "total": 4,
        "completed": 2,
        "unfinished": 0,
        "unschedulable": 2,
    }
    told = explain(experiment, 3)
    assert told["state"] == "unschedulable"
    assert told["decisions"][-1]["reason"] == "unschedulable"
    assert "no machine offers moon" in told["decisions"][-1]["sentence"]
    assert "constraints" in told["decisions"][-1]["edits"]


def test_nothing_schedulable_is_an_outcome_too() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1.0] * 3, "demand": {"cpus": 2}}]
    summary = simulate(few({}, 3, jobs)).summary
    assert summary["tasks"]["unschedulable"] == 3
    assert summary["counters"]["probes"] == summary["counters"]["messages"] == 0


def test_what_sparrow_does_not_honor_is_refused_by_name() -> None:
    """Parameters do not change during its runs, and the public simulator knows of no faults."""
    change = {"at_s": 1, "kind": "set", "target": {"scheduler": True}, "value": {"probe_ratio": 3}}
    fault = {"at_s": 1, "kind": "fail", "target": {"machine": 0}, "duration_s": 1}
    for mode, event in (({}, change), ({"profile": "public-simulator"}, fault)):
        with pytest.raises(ExperimentError, match=r"events\[0\].*'sparrow'"):
            simulate(few(mode, 3, TWO_JOBS, events=[event]))


# -- one outcome ------------------------------------------------------------------------------------------------------


@each_mode
def test_slices_and_a_snapshot_under_load_change_nothing(mode: dict[str, Any]) -> None:
    experiment = loaded(mode)
    whole = simulate(experiment).summary
    first = Simulation(experiment, frames=0, slice_events=7)
    first.advance_to(20_000_000_000)
    assert 0 < first.progress < 1
    second = Simulation(experiment, frames=0, slice_events=1000)
    second.restore(first.snapshot())
    for _ in second.run():
        pass
    assert second.result is not None
    assert second.result.summary["outcome_digest"] == whole["outcome_digest"]
    assert second.result.summary["counters"] == whole["counters"]


@wide
def test_every_mode_is_the_same_without_the_compiler() -> None:
    code = (
        "from tests.core.test_sparrow_oracle import MODES, loaded\n"
        "from scheduler_core import simulate\n"
        "stop = {'when': 'tasks', 'tasks': 300}\n"
        "for mode in MODES: print(simulate(loaded(mode, stop=stop)).summary['outcome_digest'])"
    )
    digests = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": setting},
            cwd=Path(__file__).resolve().parents[2],
        ).stdout.split()
        for setting in ("0", "1")
    ]
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == len(digests[0]) == 6


def test_the_layer_of_queues_says_what_a_byte_stands_for() -> None:
    """Four waiting probes are told as four; the map tells up to thirty-two apart."""
    experiment = few({"late_binding": False, "probe_ratio": 1}, 1, [{"arrival_s": 0, "durations_s": [1.0] * 5}])
    layer = next(layer for layer in describe(experiment)["layers"] if layer["name"] == "queue")
    simulation = Simulation(experiment, frames=0)
    simulation.advance_to(500_000_000)
    shown = np.zeros(1, np.uint8)
    simulation._protocol.paint(simulation.world, simulation.state, 1, np.zeros(1, np.int32), shown)
    assert (layer["unit"], round(int(shown[0]) / 255 * layer["full"])) == ("waiting", 4)
