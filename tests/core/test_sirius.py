"""Sirius' formula (7), strict priorities, utilities as triples, and waiting for a better machine; worked on paper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, RunResult, Simulation, simulate
from scheduler_core.engine.records import TASK_RUNNING, TASK_WAITING
from tests.core.test_flow_policies import GPU, ONE
from tests.core.test_flow_schedulers import experiment, starts, state_after

NO_DATA = {"rack_cost": 0.0, "core_cost": 0.0, "load_cost": 0.0}
GPU_AND_PLAIN = [{"count": 1, "cpus": 1, "memory_gb": 1, "attributes": {"gpu": True}},
                 {"count": 1, "cpus": 1, "memory_gb": 1}]  # fmt: skip


def ends(found: RunResult) -> list[float]:
    return (found.tasks["end_ns"] / 1e9).tolist()


# Priorities


def test_figure_5_of_sirius_by_priorities() -> None:
    """Three tasks for one machine. The paper's 1 is its highest priority; here the largest number is."""
    jobs = [{"durations_s": [1.0], "priority": priority} for priority in (1, 4, 5)]
    assert starts(simulate(experiment("sirius-priority", jobs, ONE))) == [2, 1, 0]


@pytest.mark.parametrize("scheduler", ["sirius-priority", "kubernetes-papers", "borg-like"])
def test_tasks_of_one_job_run_by_their_own_priorities(scheduler: str) -> None:
    params = {"solver_time": "none"} if scheduler == "sirius-priority" else {"decision_time": "none"}
    body = experiment("sirius-priority", [{"durations_s": [1.0] * 4, "priorities": [1, 7, 0, 2]}], ONE).to_dict()
    body["scheduler"] = {"name": scheduler, "params": params}
    assert starts(simulate(Experiment.parse(body))) == [2, 0, 3, 1]


@pytest.mark.parametrize("scheduler", ["sirius-priority", "kubernetes-papers", "borg-like"])
def test_a_tasks_priority_goes_before_its_classs_queue_and_the_share(scheduler: str) -> None:
    """The queue of the larger share has the lower priority; one job of it has a priority of its own."""
    queues = [{"name": "a", "share": 0.9, "priority": 1}, {"name": "b", "share": 0.1, "priority": 2}]
    jobs = [{"durations_s": [1.0], "queue": "a"}, {"durations_s": [1.0], "queue": "b"},
            {"durations_s": [1.0], "queue": "a", "priority": 3}]  # fmt: skip
    body = experiment("sirius-priority", jobs, ONE, queues=queues).to_dict()
    params = {"solver_time": "none"} if scheduler == "sirius-priority" else {"decision_time": "none"}
    body["scheduler"] = {"name": scheduler, "params": params}
    assert starts(simulate(Experiment.parse(body))) == [2, 1, 0]


def test_classes_of_drawn_jobs_have_priorities() -> None:
    """Batches fill 4 CPUs for ever; queries of the class with a priority start at once by stopping them."""
    batch = {"name": "batch", "weight": 1, "duration_s": {"kind": "constant", "value": 50}}
    query = {"name": "query", "weight": 1, "duration_s": {"kind": "constant", "value": 1}, "priority": 10}
    work = {"kind": "synthetic", "jobs": 60, "arrivals": {"kind": "regular", "rate_per_s": 0.5},
            "tasks_per_job": {"kind": "constant", "value": 1}, "duration_s": {"kind": "constant", "value": 1},
            "classes": [batch, query], "demand": {"cpus": 1}}  # fmt: skip
    made = Experiment.parse({"schema_version": 1, "seed": 3, "network": {"message_delay_s": 0},
                             "topology": {"clusters": [{"machines": [{"count": 4, "cpus": 1, "memory_gb": 1}]}]},
                             "workload": work,
                             "scheduler": {"name": "kubernetes-papers",
                                           "params": {"decision_time": "none"}}})  # fmt: skip
    simulation = Simulation(made, frames=0)
    for _ in simulation.run():
        pass
    found, queries = simulation.result, simulation.world.task["duration_ns"] < 2_000_000_000
    assert found is not None
    wait_s = (found.tasks["first_start_ns"] - found.tasks["arrival_ns"]) / 1e9
    assert 10 < queries.sum() < 50
    assert wait_s[queries].max() == 0
    assert wait_s[~queries].max() > 50


@pytest.mark.parametrize(("priority", "stopped"), [(100, 1), (119, 1), (120, 0), (199, 0)])
def test_borgs_production_is_a_priority_where_there_are_priorities(priority: int, stopped: int) -> None:
    jobs = [{"durations_s": [10.0], "priority": priority}, {"durations_s": [1.0], "arrival_s": 4, "priority": 200}]
    body = experiment("sirius-priority", jobs, ONE).to_dict()
    body["scheduler"] = {"name": "borg-like", "params": {"decision_time": "none"}}
    found = simulate(Experiment.parse(body))
    assert found.summary["counters"]["preemptions"] == stopped
    assert starts(found) == [0, 4 if stopped else 10]


def test_a_scheduler_without_priorities_says_that_it_ignores_them() -> None:
    simulation = Simulation(experiment("quincy", [{"durations_s": [1.0], "priority": 1}], ONE), frames=0)
    simulation.prepare()
    assert simulation.notes[-1] == "Quincy ignores the priorities of this experiment."


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"durations_s": [1.0], "priority": 1, "priorities": [1]}, "has both"),
        ({"durations_s": [1.0, 1.0], "priorities": [1]}, "has 1 `priorities` and 2 `durations_s`"),
        ({"durations_s": [1.0], "priority": -1}, "is -1, which is out of bounds"),
    ],
)
def test_odd_priorities_are_refused(job: dict[str, Any], said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        experiment("sirius-priority", [job], ONE)


# Strict


@pytest.mark.parametrize(("strict", "ended"), [(True, [17, 7]), (False, [10, 13])])
def test_strict_priority_is_strict_below_a_hundredth(strict: bool, ended: list[float]) -> None:
    """Shares of 0.495 and 0.5: as weights they differ by 50, and stopping a task costs 100."""
    queues = [{"name": "low", "share": 0.495}, {"name": "high", "share": 0.5}]
    jobs = [{"durations_s": [10.0], "queue": "low"}, {"durations_s": [3.0], "queue": "high", "arrival_s": 4}]
    found = simulate(experiment("sirius-priority", jobs, ONE, queues=queues, params={"strict": strict}))
    assert ends(found) == ended


@pytest.mark.parametrize(("strict", "first"), [(True, [0, 11, 10]), (False, [0, 10, 11])])
def test_no_wait_outweighs_a_strict_priority(strict: bool, first: list[float]) -> None:
    jobs = [{"durations_s": [10.0], "priority": 9}, {"durations_s": [1.0], "priority": 4, "arrival_s": 0.5},
            {"durations_s": [1.0], "priority": 5, "arrival_s": 9.5}]  # fmt: skip
    params = {"strict": strict, "wait_cost": 5000.0, "stay_cost": 1e6}
    assert starts(simulate(experiment("sirius-priority", jobs, ONE, params=params))) == first


def test_under_strict_priority_nobody_waits_for_a_task_of_less() -> None:
    """A plain check after every quarter of a second: equal machines, tasks of six priorities."""
    random = np.random.default_rng(5)
    jobs = [{"durations_s": random.uniform(0.5, 6, int(random.integers(1, 5))).round(2).tolist(),
             "arrival_s": at / 3 + 0.01, "priority": int(random.integers(0, 6))} for at in range(60)]  # fmt: skip
    made = experiment("sirius-priority", jobs, [{"count": 5, "cpus": 2, "memory_gb": 1}], params={"load_cost": 3.0})
    priority = np.repeat([job["priority"] for job in jobs], [len(job["durations_s"]) for job in jobs])
    simulation = Simulation(made, frames=0)
    simulation.prepare()
    compared = 0
    for step in range(100):
        simulation.advance_to(step * 250_000_000)
        task, job = simulation.world.task, simulation.world.job
        here = job["arrival_ns"][task["job"]] <= simulation.now_ns
        waiting = here & (task["state"] == TASK_WAITING)
        running = task["state"] == TASK_RUNNING
        if waiting.any():
            assert running.sum() == 10
            assert priority[waiting].max() <= priority[running].min()
            compared += int(priority[waiting].max() < priority[running].max())
    assert compared > 20


# Fair shares and priorities together


def test_of_each_jobs_share_the_tasks_of_the_highest_priority_run() -> None:
    """Figure 3's jobs: two of three tasks and two of four run, by bounds; which two, priorities say."""
    jobs = [{"durations_s": [5.0] * 3, "priorities": [1, 3, 2]}, {"durations_s": [5.0] * 4, "priorities": [4, 1, 2, 3]}]
    made = experiment("sirius-mixed", jobs, [{"count": 4, "cpus": 1, "memory_gb": 1}],
                      params=NO_DATA | {"fair": True, "priority_cost": 100.0})  # fmt: skip
    simulation, _ = state_after(made, 1)
    assert np.flatnonzero(simulation.world.task["state"] == TASK_RUNNING).tolist() == [1, 2, 3, 6]


def test_resources_in_use_are_weighed_not_tasks() -> None:
    """Of 4 CPUs and 16 GB a large task takes 0.375 in the mean, a small one 0.156: three small ones go beside."""
    small = {"cpus": 1, "memory_gb": 1}
    jobs = [{"durations_s": [99.0], "arrival_s": at, "demand": small if at else {"cpus": 1, "memory_gb": 8}}
            for at in range(5)]  # fmt: skip
    params = {"load_cost": 0.0, "resource_cost": 1.0}
    found = simulate(experiment("sirius-priority", jobs, [{"count": 2, "cpus": 4, "memory_gb": 16}], params=params))
    first = found.tasks["machine"][0]
    assert (found.tasks["machine"] == first).tolist() == [True, False, False, False, True]


@pytest.mark.parametrize(
    ("weights", "second"),
    [
        ({"cpu_cost": 1.0}, 1),
        ({"memory_cost": 1.0}, 0),
        ({"cpu_cost": 1.0, "memory_cost": 2.0}, 0),
        ({"cpu_cost": 2.0, "memory_cost": 1.0}, 1),
        ({"other_cost": 1.0, "cpu_cost": 0.01}, 0),
    ],
)
def test_each_resource_has_a_weight_of_its_own(weights: dict[str, float], second: int) -> None:
    """Formula (7): machine 0 is half full by CPUs, machine 1 by memory and disk; a small task goes by the weights."""
    demand = [
        {"cpus": 4, "memory_gb": 1},
        {"cpus": 1, "memory_gb": 8, "resources": {"disk": 8}},
        {"cpus": 1, "memory_gb": 1},
    ]
    jobs = [{"durations_s": [99.0], "arrival_s": at, "demand": one} for at, one in enumerate(demand)]
    machines = [{"count": 2, "cpus": 8, "memory_gb": 16, "resources": {"disk": 16}}]
    params = {"load_cost": 0.0, "resource_cost": 0.0} | weights
    found = simulate(experiment("sirius-priority", jobs, machines, params=params))
    first, other, small = (int(machine) for machine in found.tasks["machine"])
    assert first != other
    assert small == (first, other)[second]


# Utilities


def placed(jobs: list[dict[str, Any]], machines: list[dict[str, Any]], utilities: list[Any], **more: Any) -> list[int]:
    params = NO_DATA | {"utilities": utilities} | more.pop("params", {})
    found = simulate(experiment("sirius-placement", jobs, machines, params=params, **more))
    return [int(machine) for machine in found.tasks["machine"]]


def test_figure_4_of_sirius_as_a_triple() -> None:
    """T1 on a machine with a GPU is worth 1; the task asks for nothing itself."""
    for machines in (GPU_AND_PLAIN, GPU_AND_PLAIN[::-1]):
        at = machines.index(GPU_AND_PLAIN[0])
        assert placed([{"durations_s": [1.0]}], machines, [{"constraint": "gpu", "utility": 1}], constraints=GPU) == [
            at
        ]


def test_triples_are_of_queues_and_machines_and_add_up() -> None:
    """Six machines in three racks. Rack 2 is worth 2 to b, the GPU in rack 1 is worth 3 to all: b has 2 or 3."""
    machines = [{"count": 3, "cpus": 1, "memory_gb": 1}, {"count": 1, "cpus": 1, "memory_gb": 1, "attributes": {
        "gpu": True}}, {"count": 2, "cpus": 1, "memory_gb": 1}]  # fmt: skip
    queues = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]
    triples = [{"queue": "b", "rack": 2, "utility": 2}, {"constraint": "gpu", "utility": 3}]
    jobs = [{"durations_s": [1.0], "queue": name} for name in ("b", "b", "a")]
    more = {"racks": 3, "queues": queues, "constraints": GPU, "params": {"leave_cost": None}}
    # 3 to a and 2 + 2 to b is the most that can be gathered.
    found = placed(jobs, machines, triples, **more)
    assert found[2] == 3
    assert sorted(found[:2]) == [4, 5]
    # Worth 5 to b if that machine is in the rack, too: then b has it.
    triples[0]["rack"] = 1
    assert placed(jobs[1:], machines, triples, **more)[0] == 3


@pytest.mark.parametrize(
    ("triple", "said"),
    [
        ({"queue": "nobody", "utility": 1}, "no queue is called 'nobody'"),
        ({"constraint": "gpu", "utility": 1}, "no constraint is called 'gpu'"),
        ({"rack": 1, "utility": 1}, "there is no rack 1"),
        ({"cluster": "west", "utility": 1}, "no cluster is called 'west'"),
    ],
)
def test_a_triple_of_what_there_is_not_is_refused(triple: dict[str, Any], said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        placed([{"durations_s": [1.0]}], ONE, [triple])


# Waiting for a better machine


@pytest.mark.parametrize(
    ("leave_cost", "wait_cost", "start", "end"),
    [
        (None, 0.0, 0, 30),  # no task waits for which there is a slot: it takes three times as long without a GPU
        (0.5, 0.0, 10, 20),  # the plain machine costs 1 more than the one with a GPU, to wait 0.5
        (0.5, 0.11, 5, 35),  # after 4.5 s to wait costs more; it is looked at each second
        (0.5, 0.04, 10, 20),  # after 12.5 s
        (2.0, 0.0, 0, 30),
    ],
)
def test_a_task_waits_for_a_better_machine_by_what_waiting_costs(
    leave_cost: float | None, wait_cost: float, start: float, end: float
) -> None:
    jobs = [{"durations_s": [10.0], "constraints": ["gpu"]}, {"durations_s": [10.0], "constraints": ["gpu"]}]
    params = NO_DATA | {"leave_cost": leave_cost, "wait_cost": wait_cost}
    found = simulate(experiment("sirius-placement", jobs, GPU_AND_PLAIN, params=params, constraints=GPU))
    assert sorted(starts(found)) == [0, start]
    assert sorted(ends(found)) == [10, end]


def test_a_task_that_is_the_same_everywhere_waits_for_nothing() -> None:
    jobs = [{"durations_s": [10.0]}] * 2
    found = simulate(experiment("sirius-placement", jobs, GPU_AND_PLAIN, params=NO_DATA, constraints=GPU))
    assert starts(found) == [0, 0]


def test_a_task_gives_up_on_a_machine_that_never_comes_back() -> None:
    """At a cost of 0.11 for each second, from 0.5 on: after 5 s it takes the machine without a GPU."""
    failing = {"kind": "fail", "at_s": 0, "target": {"machine": 0}}
    jobs = [{"durations_s": [10.0], "constraints": ["gpu"], "arrival_s": 1}]
    params = NO_DATA | {"wait_cost": 0.11}
    made = experiment("sirius-placement", jobs, GPU_AND_PLAIN, params=params, constraints=GPU, events=[failing])
    assert starts(simulate(made)) == [6]


def test_a_task_waits_for_its_data_as_long_as_that_is_cheaper() -> None:
    """One of twelve machines has room; its data are elsewhere, in other racks: 2 to run there, 1 to wait."""
    jobs = [{"durations_s": [4.0] * 11}, {"durations_s": [1.0], "arrival_s": 1}]
    machines = [{"count": 12, "cpus": 1, "memory_gb": 1}]
    data, patient = {"unsized_data": True}, {"leave_cost": 1.0, "wait_cost": 0.0}
    waits = simulate(experiment("quincy", jobs, machines, racks=12, params=data | patient))
    plain = simulate(experiment("quincy", jobs, machines, racks=12, params=data))
    assert plain.tasks["first_start_ns"].max() == 1_000_000_000
    assert waits.summary["counters"]["remote"] == 0
    assert waits.tasks["first_start_ns"].max() == 4_000_000_000
