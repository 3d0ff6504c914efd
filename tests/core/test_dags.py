"""What holds for every scheduler of jobs that are graphs, and that bad graphs are told clearly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, Simulation, build_cluster, build_workload, explain, simulate
from scheduler_core.engine.records import TASK_UNSCHEDULABLE
from tests.core.dag_experiments import DAG_SCHEDULERS, dag_experiments, experiment, has_graphs, stage, stage_spans
from tests.core.experiments import by_loop
from tests.core.test_invariants import finished, over_commitment
from tests.tiers import examples

each_scheduler = pytest.mark.parametrize("scheduler", by_loop(DAG_SCHEDULERS, also=["carbyne"]))
NS = 10**9


@each_scheduler
@examples(15)
@given(data=st.data())
def test_parents_end_before_children_start(scheduler: str, data: st.DataObject) -> None:
    simulation = finished(data.draw(dag_experiments(scheduler).filter(has_graphs)))
    stages, start, end = stage_spans(simulation)
    rows = stages.table
    for number, row in enumerate(rows):
        for parent in stages.parents[row.first_parent : row.first_parent + row.parents]:
            assert start[number] < 0 or 0 <= end[parent] <= start[number]


@each_scheduler
@examples(15)
@given(data=st.data())
def test_no_machine_is_over_committed_and_no_task_is_lost(scheduler: str, data: st.DataObject) -> None:
    simulation = finished(data.draw(dag_experiments(scheduler)))
    assert simulation.result is not None
    assert over_commitment(simulation) <= 0
    tasks, world = simulation.result.tasks, simulation.world
    hopeless = world.task["state"] == TASK_UNSCHEDULABLE
    assert ((tasks["end_ns"] >= 0) == ~hopeless).all()
    assert (tasks["attempts"] == ~hopeless).all()
    ran = (tasks["end_ns"] - tasks["last_start_ns"])[~hopeless]
    assert (ran == world.task["duration_ns"][~hopeless]).all()
    assert (world.free == world.capacity).all()
    assert (simulation.state.held == 0).all()
    assert simulation.state.rules[0].unfinished == 0


@each_scheduler
@examples(15)
@given(data=st.data())
def test_nothing_that_fits_is_left_waiting(scheduler: str, data: st.DataObject) -> None:
    """After each instant's decision no open task fits anywhere: seen at every frame, each of them after an instant."""
    made = data.draw(dag_experiments(scheduler, waits=False))
    simulation = Simulation(made, frames=9)
    for _ in simulation.run():
        world, state = simulation.world, simulation.state
        if state.rules[0].pending or not world.control[0].events:
            continue
        for row in state.stage[(state.stage["waits_for"] == 0) & (state.stage["started"] < state.stage["tasks"])]:
            arrived = world.job["arrival_ns"][row.job] <= simulation.now_ns
            if arrived and not row.hopeless:
                assert not (world.free >= world.demand[row.demand]).all(axis=1).any()


@each_scheduler
@examples(15)
@given(data=st.data(), slice_events=st.integers(1, 9), frames=st.integers(0, 20))
def test_one_outcome_for_every_slicing(scheduler: str, data: st.DataObject, slice_events: int, frames: int) -> None:
    made = data.draw(dag_experiments(scheduler))
    whole, parts = simulate(made).summary, Simulation(made, frames=frames, slice_events=slice_events)
    for _ in parts.run():
        pass
    assert parts.result is not None
    for part in ("outcome_digest", "counters", "fairness"):
        assert parts.result.summary[part] == whole[part]


@each_scheduler
def test_decisions_keep_their_distance(scheduler: str) -> None:
    """Ten arrivals in a second are one decision with an interval of a second, and the next is a second later."""
    jobs = [{"arrival_s": 0.1 * i, "stages": [stage("a", 1, 0.05, cpus=1)]} for i in range(10)]
    made = experiment(scheduler, jobs, [{"count": 20, "cpus": 1}], params={"interval_s": 1})
    starts = simulate(made).tasks["first_start_ns"]
    assert starts.tolist() == [0] + [NS] * 9
    at_once = simulate(experiment(scheduler, jobs, [{"count": 20, "cpus": 1}]))
    assert (at_once.tasks["first_start_ns"] == at_once.tasks["arrival_ns"]).all()


@each_scheduler
def test_what_waits_for_an_impossible_stage_is_given_up_and_the_rest_runs(scheduler: str) -> None:
    stages = [stage("big", 1, 1, cpus=9), stage("after", 2, 1, "big", cpus=1), stage("free", 1, 1, cpus=1)]
    made = experiment(scheduler, [{"arrival_s": 0, "stages": stages}], [{"count": 2, "cpus": 1}])
    summary = simulate(made).summary
    assert summary["tasks"] == {"total": 4, "completed": 1, "unfinished": 0, "unschedulable": 3}
    assert summary["jobs"] == {"total": 1, "completed": 0}
    told = explain(made, 0)["decisions"][-1]
    assert told["reason"] == "unschedulable"
    assert "enough CPUs" in told["arguments"]["cause"]
    tasks = [explain(made, task) for task in range(4)]
    assert [task["state"] for task in tasks].count("unschedulable") == 3
    causes = [task["decisions"][-1]["arguments"].get("cause", "") for task in tasks]
    assert any("stage that the task depends on" in cause for cause in causes)


@each_scheduler
def test_faults_of_masters_and_soft_constraints_are_refused_by_name(scheduler: str) -> None:
    jobs = [{"arrival_s": 0, "stages": [stage("a", 1, 1, cpus=1)]}]
    made = experiment(
        scheduler,
        jobs,
        [{"count": 1, "cpus": 1}],
        constraints={
            "catalogue": "custom",
            "custom": [{"name": "ssd", "machine_share": 1}],
            "soft": [{"name": "ssd", "slowdown": 2}],
        },
        events=[{"at_s": 1, "kind": "fail", "target": {"global_master": 0}}],
    )
    with pytest.raises(ExperimentError) as refused:
        simulate(made)
    assert {problem.path for problem in refused.value.problems} == {"constraints.soft", "events[0]"}


@pytest.mark.parametrize(
    ("stages", "path", "says"),
    [
        ([stage("a", 1, 1, "b", cpus=1), stage("b", 1, 1, "a", cpus=1)], "stages", "a circle: 'a' after 'b' after 'a'"),
        ([stage("a", 1, 1, "z", cpus=1)], "stages[0].after[0]", "no stage of this job is called 'z'"),
        ([stage("a", 1, 1)], "stages[0].demand", "asks for no resource"),
        ([stage("a", 1, 1, cpus=-1)], "stages[0].demand.cpus", "-1"),
        ([stage("a", 0, 1, cpus=1)], "stages[0].tasks", "0"),
    ],
)  # fmt: skip
def test_bad_graphs_are_told_by_path(stages: list[dict[str, Any]], path: str, says: str) -> None:
    with pytest.raises(ExperimentError) as refused:
        experiment("drf", [{"arrival_s": 0, "stages": stages}], [{"count": 1, "cpus": 1}])
    assert [problem.path for problem in refused.value.problems] == [f"workload.jobs[0].{path}"]
    assert says in refused.value.problems[0].message


@pytest.mark.parametrize("shape", ["chain", "map_reduce", "layered"])
def test_drawn_graphs_have_their_shape_and_repeat_by_seed(shape: str) -> None:
    def workload(seed: int) -> Any:
        data = experiment("drf", [{"arrival_s": 0, "durations_s": [1]}], [{"count": 8, "cpus": 4}]).to_dict()
        data["workload"] = {
            "kind": "dag",
            "shape": shape,
            "jobs": 200,
            "arrivals": {"kind": "poisson", "offered_load": 0.5},
            "stages": {"kind": "lognormal", "median": 8, "sigma": 0.6},
            "tasks_per_stage": {"kind": "exponential", "mean": 4},
            "duration_s": {"kind": "exponential", "mean": 3},
            "demands": [{"demand": {"cpus": 1}}, {"demand": {"cpus": 2, "memory_gb": 0}, "weight": 3}],
        }
        made = Experiment.parse(data | {"seed": seed})
        return build_workload(made, build_cluster(made))

    first = workload(1)
    assert first.source_digest == workload(1).source_digest != workload(2).source_digest
    rows, parents = first.stages.table, first.stages.parents
    of_job = np.bincount(rows.job)
    assert (np.repeat(np.arange(len(rows)), rows.parents) > parents).all()
    assert (rows.job[np.repeat(np.arange(len(rows)), rows.parents)] == rows.job[parents]).all()
    assert rows.tasks.sum() == len(first.tasks)
    assert 7 <= np.median(of_job) <= 9 if shape != "map_reduce" else (of_job == 2).all()
    assert rows.parents.max() == (2 if shape == "layered" else 1)
    assert 0.7 < (first.tasks["demand"][rows.first_task] == 1).mean() < 0.8


def test_too_many_drawn_tasks_are_refused_before_they_are_drawn() -> None:
    data = experiment("drf", [{"arrival_s": 0, "durations_s": [1]}], [{"count": 1}]).to_dict()
    data["workload"] = {
        "kind": "dag",
        "jobs": 1_000_000,
        "arrivals": {"kind": "at_once"},
        "stages": {"kind": "constant", "value": 50},
        "duration_s": {"kind": "constant", "value": 1},
    }
    with pytest.raises(ExperimentError, match="tasks in one workload"):
        simulate(Experiment.parse(data))
