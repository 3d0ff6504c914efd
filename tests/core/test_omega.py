"""Omega against examples worked out on paper, closed forms for conflicts and waiting, and faults."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from scheduler_core import Experiment, ExperimentError, RunResult, Simulation, explain, inspect, simulate
from scheduler_core.engine.records import TASK_UNSCHEDULABLE
from scheduler_core.schedulers.shared_state.omega.reasons import CHANGED, CONFLICT
from tests.core.experiments import experiments
from tests.core.test_invariants import finished

BY_KEY = {"split": "key", "placement": "first"}


def cell(params: dict[str, Any], jobs: list[dict[str, Any]], machines: int, cpus: int = 1, **more: Any) -> Experiment:
    """Machines that are alike, and messages of 10 ms; a decision about one batch task takes 105 ms by default."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": more.pop("seed", 1),
            "network": {"message_delay_s": more.pop("delay_s", 0.01)},
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": cpus}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0} | job for job in jobs]},
            "scheduler": {"name": "omega", "params": params},
            **more,
        }
    )


def starts(found: RunResult) -> list[float]:
    return [round(ns / 1e9, 9) for ns in found.tasks["first_start_ns"].tolist()]


ONE = {"durations_s": [1.0]}


def test_schedulers_that_want_the_same_machine_get_it_one_after_the_other() -> None:
    """Four at once, all want the first free machine: each commit refuses all but one of them, 3 + 2 + 1 times.

    Decision 0.105, commit 0.01, launch 0.01, while the reply comes: a round of 0.125 s.
    """
    found = simulate(cell(BY_KEY | {"schedulers": 4}, [ONE] * 4, 9))
    assert starts(found) == [0.125, 0.25, 0.375, 0.5]
    assert found.tasks["machine"].tolist() == [0, 1, 2, 3]
    counters = found.summary["counters"]
    assert (counters["transactions"], counters["conflicts"], counters["refused_claims"]) == (10, 6, 6)
    assert counters["commits"] == counters["jobs_scheduled"] == 4
    last = found.tasks[3]
    assert last["processing_ns"] == 4 * 105_000_000
    assert last["communication_ns"] == 4 * 20_000_000


@pytest.mark.parametrize("conflicts", ["fine", "coarse"])
@pytest.mark.parametrize("commit", ["incremental", "all_or_nothing"])
def test_one_scheduler_has_no_conflicts(conflicts: str, commit: str) -> None:
    params = {"schedulers": 1, "conflicts": conflicts, "commit": commit}
    jobs = [{"arrival_s": 0.1 * i, "durations_s": [0.5, 1.0, 0.7]} for i in range(40)]
    counters = simulate(cell(params, jobs, 3, cpus=2)).summary["counters"]
    assert counters["conflicts"] == counters["refused_claims"] == counters["retried_tasks"] == 0
    assert counters["jobs_scheduled"] == 40


@pytest.mark.parametrize(("schedulers", "machines"), [(2, 5), (8, 20), (16, 8)])
def test_first_conflicts_are_those_of_throwing_balls(schedulers: int, machines: int) -> None:
    """N schedulers claim one of M machines each, at random and at once: N - M (1 - (1 - 1/M)^N) of them are refused."""
    rounds = 400
    jobs = [{"arrival_s": 1000 * i, "durations_s": [1.0]} for i in range(rounds) for _ in range(schedulers)]
    simulation = finished(cell({"schedulers": schedulers, "split": "key"}, jobs, machines))
    rows = simulation.decisions()
    first = rows[(rows["reason"] == CONFLICT) & (rows["t_ns"] % 10**12 == 115_000_000)]
    refused = np.bincount(first["t_ns"] // 10**12, minlength=rounds)
    expected = schedulers - machines * (1 - (1 - 1 / machines) ** schedulers)
    assert abs(refused.mean() - expected) <= 4.5 * refused.std(ddof=1) / math.sqrt(rounds)


def test_coarse_detection_refuses_what_would_have_fit() -> None:
    jobs = [ONE, ONE]
    assert starts(simulate(cell(BY_KEY, jobs, 1, cpus=2))) == [0.125, 0.125]
    simulation = finished(cell(BY_KEY | {"conflicts": "coarse"}, jobs, 1, cpus=2))
    assert simulation.result is not None
    assert starts(simulation.result) == [0.125, 0.25]
    row = simulation.decisions()[simulation.decisions()["reason"] == CHANGED][0]
    assert (row["task"], row["machine"], row["to"], row["x"]) == (1, 0, 1, 0)


A_AND_B = [{"durations_s": [1.0]}, {"durations_s": [1.0, 1.0]}]
"""For two schedulers and two machines: the first commits machine 0 at 0.115, the other's claims come at 0.12."""


def test_an_incremental_commit_takes_what_it_can() -> None:
    """Refused on machine 0, the second task finds no room until 1.135, when the end of the first job is known."""
    found = simulate(cell(BY_KEY, A_AND_B, 2))
    assert starts(found) == [0.125, 1.26, 0.13]
    counters = found.summary["counters"]
    assert (counters["refused_claims"], counters["retried_tasks"], counters["commits"]) == (1, 1, 3)
    assert counters["vain_decisions"] == 1


def test_all_or_nothing_gives_back_what_it_had_got() -> None:
    """After the conflict machine 1 is free, but not both: the job waits until 1.135 and decides for 0.11 s."""
    made = cell(BY_KEY | {"commit": "all_or_nothing"}, A_AND_B, 2)
    found = simulate(made)
    assert starts(found) == [0.125, 1.265, 1.265]
    counters = found.summary["counters"]
    assert (counters["refused_claims"], counters["retried_tasks"], counters["commits"]) == (1, 2, 2)
    told = [one["reason"] for one in explain(made, 2)["decisions"]]
    assert told == ["rolled_back", "incomplete", "committed"]
    last = explain(made, 1, 0.5)["decisions"][-1]
    assert (last["reason"], last["arguments"]) == ("incomplete", {"to": "1", "x": "1", "y": "2"})


def test_a_job_larger_than_the_cell_goes_in_parts_when_nothing_else_runs() -> None:
    found = simulate(cell({"commit": "all_or_nothing"}, [{"durations_s": [1.0] * 5}], 2))
    assert found.summary["tasks"]["completed"] == 5
    assert len(set(starts(found))) == 3


def test_a_gang_is_committed_whole_whatever_the_rule_for_others() -> None:
    """As under all or nothing above. The job of three is no gang: two of its tasks start, and the third after them."""
    gang = A_AND_B[1] | {"gang": True}
    made = cell(BY_KEY | {"commit": "incremental"}, [A_AND_B[0], gang], 2)
    assert starts(simulate(made)) == [0.125, 1.265, 1.265]
    assert [one["reason"] for one in explain(made, 2)["decisions"]] == ["rolled_back", "incomplete", "committed"]
    three = simulate(cell({"schedulers": 1}, [{"durations_s": [1.0] * 3}], 2))
    assert len(set(starts(three))) == 2


def test_a_gang_larger_than_the_cell_never_starts_in_parts() -> None:
    jobs = [{"durations_s": [1.0] * 3, "gang": True}, ONE]
    found = simulate(cell({"commit": "all_or_nothing"}, jobs, 2))
    assert found.summary["tasks"] == {"total": 4, "completed": 1, "unfinished": 0, "unschedulable": 3}


def test_one_of_a_gang_that_loses_its_machine_is_committed_alone() -> None:
    """The other machine is busy until 2.125: the lost task starts on its own when it is back at 1.5."""
    events = [{"at_s": 1, "kind": "fail", "target": {"machine": 0}, "duration_s": 0.5}]
    made = cell({"placement": "first"}, [{"durations_s": [2.0, 2.0], "gang": True}], 2).to_dict()
    found = simulate(Experiment.parse(made | {"events": events}))
    assert found.tasks["attempts"].tolist() == [2, 1]
    assert found.summary["tasks"]["completed"] == 2


def test_a_slow_service_scheduler_does_not_hold_up_batch_jobs() -> None:
    jobs = [{"durations_s": [500.0]}, {"arrival_s": 1, "durations_s": [1.0]}]
    slow = {"service_job_s": 30, "placement": "first"}
    assert starts(simulate(cell(slow, jobs, 4))) == [30.025, 1.125]
    alone = simulate(cell(slow | {"schedulers": 1}, jobs, 4))
    assert starts(alone) == [30.025, 30.15]
    assert alone.tasks["framework_queuing_ns"].tolist() == [0, 29_025_000_000]


def test_the_longer_a_decision_takes_the_more_conflicts_it_meets() -> None:
    """As the paper varies it: the service scheduler's time for a job, with batch jobs going on beside it."""
    jobs = [{"arrival_s": 0.5 * i, "durations_s": [20.0] * 4} for i in range(200)]
    jobs += [{"arrival_s": 10 * i + 0.25, "durations_s": [300.0] * 10} for i in range(10)]
    fractions = []
    for seconds in (0.1, 0.8, 3.0):
        made = cell({"service_job_s": seconds}, jobs, 300)
        counters = simulate(made).summary["counters"]
        fractions.append(counters["conflicts"] / counters["jobs_scheduled"])
    assert fractions[0] < fractions[1] < fractions[2]


def test_busyness_is_the_time_spent_on_decisions() -> None:
    """Ten jobs of two tasks, 0.11 s each; the first 1.1 s are spent on nothing else."""
    made = cell({"schedulers": 1}, [{"durations_s": [50.0, 50.0]}] * 10 + [ONE | {"arrival_s": 11}], 20, delay_s=0)
    assert inspect(made, 1.0)["scheduler"]["schedulers"][0]["busy"] == pytest.approx(1)
    assert inspect(made, 11.0)["scheduler"]["schedulers"][0]["busy"] == pytest.approx(0.1)


def test_a_scheduler_is_an_md1_queue() -> None:
    """Poisson jobs of one task and room for all: the wait for the scheduler is rho s / (2 (1 - rho))."""
    load, service_s = 0.7, 0.105
    waits = []
    for seed in range(1, 11):
        found = simulate(
            Experiment.parse(
                {
                    "schema_version": 1,
                    "seed": seed,
                    "network": {"message_delay_s": 0},
                    "warmup_s": 100,
                    "topology": {"clusters": [{"name": "c", "machines": [{"count": 200, "cpus": 1}]}]},
                    "workload": {
                        "kind": "synthetic",
                        "jobs": 30_000,
                        "tasks_per_job": {"kind": "constant", "value": 1},
                        "arrivals": {"kind": "poisson", "rate_per_s": load / service_s},
                        "duration_s": {"kind": "constant", "value": 1},
                        "demand": {"cpus": 1},
                    },
                    "scheduler": {"name": "omega", "params": {"schedulers": 1}},
                }
            )
        ).summary
        assert found["counters"]["vain_decisions"] == 0
        waits.append(found["delay_components_s"]["framework_queuing"]["mean"])
    width = 4.781 * statistics.stdev(waits) / math.sqrt(len(waits))
    expected = load * service_s / (2 * (1 - load))
    assert width < 0.08 * expected
    assert abs(statistics.mean(waits) - expected) <= width


def test_a_failed_machine_is_a_conflict_too_and_loses_what_it_ran() -> None:
    """The first job runs on machine 0 from 0.125; the second is being decided on when that machine fails at 1.05."""
    event = {"at_s": 1.05, "kind": "fail", "target": {"machine": 0}, "duration_s": 10}
    made = cell(
        {"placement": "first"},
        [{"durations_s": [2.0]}, {"arrival_s": 1, "durations_s": [1.0]}],
        2,
        cpus=2,
        events=[event],
    )
    found = simulate(made)
    told = explain(made, 1)["decisions"]
    assert told[0]["reason"] == "conflict"
    assert told[0]["arguments"] == {"machine": "0", "taken": "the machine had failed", "to": "0"}
    assert found.tasks["machine"].tolist() == [1, 1]
    assert found.tasks["lost_ns"].tolist() == [925_000_000, 0]
    assert found.tasks["attempts"].tolist() == [2, 1]


def test_events_set_what_commits_are_held_against() -> None:
    event = {"at_s": 0.05, "kind": "set", "target": {"scheduler": True}, "value": {"conflicts": "coarse"}}
    assert starts(simulate(cell(BY_KEY, [ONE, ONE], 1, cpus=2, events=[event]))) == [0.125, 0.25]
    fixed = event | {"value": {"schedulers": 3}}
    with pytest.raises(ExperimentError, match=r"events\[0\]"):
        cell(BY_KEY, [ONE], 1, events=[fixed])


def test_what_omega_does_not_honor_is_refused_by_name() -> None:
    event = {"at_s": 1, "kind": "fail", "target": {"global_master": 0}}
    with pytest.raises(ExperimentError, match=r"events\[0\].*'omega'"):
        simulate(cell({}, [ONE], 1, events=[event]))


@given(experiment=experiments("omega"))
def test_counters_agree_with_the_decisions(experiment: Experiment) -> None:
    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    reasons, counters = simulation.decisions()["reason"], simulation.result.summary["counters"]
    assert counters["refused_claims"] == int(np.isin(reasons, (CONFLICT, CHANGED)).sum())
    assert counters["conflicts"] <= counters["refused_claims"] <= counters["retried_tasks"]
    tasks = simulation.world.task["state"] != TASK_UNSCHEDULABLE
    assert counters["jobs_scheduled"] == len(np.unique(simulation.world.task["job"][tasks]))
