"""Faults, drains, changes and constraints in the family of graphs: nothing is lost, nothing starts too early."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, Simulation, explain, simulate
from scheduler_core.engine.incidents import held
from scheduler_core.engine.records import TASK_UNSCHEDULABLE
from tests.core.dag_experiments import DAG_SCHEDULERS, dag_experiments, experiment, has_graphs, stage, stage_spans
from tests.core.experiments import by_loop, constrain, events
from tests.core.test_invariants import finished, over_commitment
from tests.tiers import examples

each_scheduler = pytest.mark.parametrize("scheduler", by_loop(DAG_SCHEDULERS, also=["carbyne"]))


@st.composite
def troubled(draw: st.DrawFn, scheduler: str) -> Experiment:
    """Graphs on machines that fail, drain and lack what some jobs ask for."""
    data = draw(dag_experiments(scheduler, pooled=False)).to_dict()
    data["topology"]["clusters"][0]["racks"] = draw(st.integers(1, 2))
    if draw(st.booleans()):
        constrain(data, draw)
    able = events(data).filter(lambda event: not {"local_master", "global_master"} & set(event["target"]))
    data["events"] = draw(st.lists(able, min_size=1, max_size=4))
    return Experiment.parse(data)


@each_scheduler
@examples(25)
@given(data=st.data())
def test_whatever_fails_no_task_is_lost_or_runs_twice(scheduler: str, data: st.DataObject) -> None:
    simulation = finished(data.draw(troubled(scheduler)))
    assert simulation.result is not None
    tasks, world, state = simulation.result.tasks, simulation.world, simulation.state
    out = world.machine["outage"] != 0
    assert over_commitment(simulation) <= 0
    assert (world.machine["running"] == 0).all()
    assert (held(world) == 0).all()
    assert (state.held == 0).all()
    assert (state.queue_held == 0).all()
    assert (state.in_service == world.capacity[~out].sum(axis=0)).all()
    done, hopeless = tasks["end_ns"] >= 0, world.task["state"] == TASK_UNSCHEDULABLE
    assert (tasks["end_ns"] - tasks["last_start_ns"] == world.task["duration_ns"])[done].all()
    assert (tasks["attempts"][done] >= 1).all()
    assert int(np.maximum(tasks["attempts"] - 1, 0).sum()) <= simulation.result.summary["counters"]["lost"]
    parts = sum(tasks[f"{p}_ns"] for p in ("framework_queuing", "processing", "communication", "worker_queuing"))
    begun = tasks["first_start_ns"] >= 0
    assert (parts == tasks["first_start_ns"] - tasks["arrival_ns"])[begun].all()
    asks = world.asks[world.task["demand"]]
    assert ((world.machine["offers"][tasks["machine"]] & asks) == asks)[done].all()
    for task in np.flatnonzero(~done & ~hopeless):
        row = state.stage[state.stage_of[task]]
        able = (world.capacity >= world.demand[row.demand]).all(axis=1)
        able &= (world.machine["offers"] & world.asks[row.demand]) == world.asks[row.demand]
        assert row.waits_for > 0 or out[able].all()


@each_scheduler
@examples(15)
@given(data=st.data())
def test_with_faults_parents_end_before_children_start(scheduler: str, data: st.DataObject) -> None:
    simulation = finished(data.draw(troubled(scheduler).filter(has_graphs)))
    stages, start, end = stage_spans(simulation)
    for number, row in enumerate(stages.table):
        for parent in stages.parents[row.first_parent : row.first_parent + row.parents]:
            assert start[number] < 0 or 0 <= end[parent] <= start[number]


@each_scheduler
@examples(15)
@given(data=st.data(), stop=st.integers(1, 60))
def test_a_run_with_faults_is_restored_and_sliced_to_the_same_end(
    scheduler: str, data: st.DataObject, stop: int
) -> None:
    made = data.draw(troubled(scheduler))
    whole = simulate(made).summary
    first = Simulation(made, frames=5, slice_events=stop)
    next(first.run(), None)
    second = Simulation(Experiment.parse(made.to_dict()), frames=0, slice_events=3)
    second.restore(first.snapshot())
    for _ in second.run():
        pass
    assert second.result is not None
    for part in ("outcome_digest", "counters", "tasks"):
        assert second.result.summary[part] == whole[part]


# -- by hand ------------------------------------------------------------------------------------------------------


def two_machines(scheduler: str, events: list[dict[str, Any]], **parts: Any) -> Experiment:
    """Two tasks of 4 s, then one of 1 s that waits for both, on two machines of a CPU each."""
    stages = [stage("a", 2, 4, cpus=1), stage("b", 1, 1, "a", cpus=1)]
    jobs = [{"arrival_s": 0, "stages": stages}]
    return experiment(scheduler, jobs, [{"count": 2, "cpus": 1}], events=events, **parts)


def ends_s(made: Experiment) -> list[float]:
    return [float(ns) / 1e9 for ns in simulate(made).tasks["end_ns"]]


@each_scheduler
def test_a_task_that_is_lost_runs_again_and_holds_its_stage_up(scheduler: str) -> None:
    """Machine 0 fails at 3 s and never comes back: its task starts anew on machine 1 at 4 s; b goes from 8 to 9 s."""
    made = two_machines(scheduler, [{"at_s": 3, "kind": "fail", "target": {"machine": 0}}])
    assert sorted(ends_s(made)) == [4, 8, 9]
    result = simulate(made)
    assert result.tasks["lost_ns"].max() == 3 * 10**9
    assert result.summary["counters"]["lost"] == 1
    lost = int(result.tasks["attempts"].argmax())
    told = [d["arguments"] for d in explain(made, lost)["decisions"] if d["reason"] == "lost"]
    assert told == [{"loss": "machine 0 failed", "x_s": "3 s"}]


@each_scheduler
def test_a_drained_machine_ends_what_it_runs_and_takes_nothing_new(scheduler: str) -> None:
    made = two_machines(scheduler, [{"at_s": 1, "kind": "drain", "target": {"machine": 0}}])
    assert ends_s(made) == [4, 4, 5]
    assert simulate(made).tasks["machine"][2] == 1


@each_scheduler
def test_a_machine_that_comes_back_is_used_at_once(scheduler: str) -> None:
    """Both fail at 1 s; one is back at 2 s, the other at 3 s: 6 and 7 s, then b."""
    events = [
        {"at_s": 1, "kind": "fail", "target": {"rack": 0}},
        {"at_s": 2, "kind": "recover", "target": {"machine": 0}},
        {"at_s": 3, "kind": "recover", "target": {"machine": 1}},
    ]
    assert sorted(ends_s(two_machines(scheduler, events))) == [6, 7, 8]


@each_scheduler
def test_who_waits_for_machines_that_are_out_is_told_so(scheduler: str) -> None:
    made = two_machines(scheduler, [{"at_s": 5, "kind": "drain", "target": {"rack": 0}}])
    stages = [stage("a", 1, 1, cpus=1)]
    data = made.to_dict()
    data["workload"]["jobs"].append({"arrival_s": 6, "stages": stages})
    told = explain(Experiment.parse(data), 3)["decisions"]
    if scheduler not in ("tetris", "tetris-fair"):  # those do not look for a machine for a task
        assert told[-1]["reason"] == "no_room"
        assert told[-1]["arguments"]["x"] == "1"
        assert "out of service" in told[-1]["arguments"]["lack"]


def test_carbyne_plans_anew_for_the_machines_that_are_left() -> None:
    """Its plan ends at 5 s. At 3 s one of two machines fails, and with it 3 s of work: the other task ends at 4, the
    lost one runs until 8 on the machine that is left, b until 9."""
    made = two_machines("carbyne", [{"at_s": 3, "kind": "fail", "target": {"machine": 0}}])
    simulation = Simulation(made, frames=0)
    planned = []
    for at_s in (0, 3):
        simulation.advance_to(at_s * 10**9)
        planned.append((simulation.state.job["finish_ns"][0] / 1e9, int(simulation.state.rules[0].plans)))
    assert planned == [(5, 1), (9, 2)]
    assert max(ends_s(made)) == 9


def test_a_rack_that_fails_stops_what_waits_for_its_data_only_as_long() -> None:
    """Delay scheduling under faults: a job does not wait longer for a machine that is out than for a busy one."""
    jobs = [{"arrival_s": 0, "stages": [stage("s", 4, 2, cpus=1)]}]
    data = experiment(
        "delay-schedule",
        jobs,
        [{"count": 12, "cpus": 1}],
        params={"wait_s": 3, "rack_wait_s": 2, "rack_factor": 1, "remote_factor": 1},
    ).to_dict()
    data["topology"]["clusters"][0]["racks"] = 3
    data["events"] = [{"at_s": 0, "kind": "fail", "target": {"rack": rack}} for rack in (0, 1)]
    result = simulate(Experiment.parse(data))
    assert (result.tasks["end_ns"] >= 0).all()
    assert (result.tasks["machine"] >= 8).all()
    assert result.tasks["first_start_ns"].max() <= 5 * 10**9


def test_a_change_of_shares_moves_what_starts_next() -> None:
    """Two queues, 0.5 each; from 1.5 s on a counts 0.9: of four tasks a second, two, then at 2 s three or four."""
    jobs = [{"arrival_s": 0, "queue": queue, "stages": [stage("s", 40, 1, cpus=1)]} for queue in "ab"]
    parts = {
        "queues": [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}],
        "events": [
            {"at_s": 1.5, "kind": "set", "target": {"queue": "a"}, "value": {"share": 0.9}},
            {"at_s": 1.5, "kind": "set", "target": {"queue": "b"}, "value": {"share": 0.3}},
        ],
    }
    for scheduler in ("wdrf", "capacity"):
        tasks = simulate(experiment(scheduler, jobs, [{"count": 4, "cpus": 1}], **parts)).tasks
        of_a = [int((tasks["job"][tasks["first_start_ns"] == s * 10**9] == 0).sum()) for s in range(4)]
        assert of_a == [2, 2, 3, 3]


def test_parameters_change_during_a_run() -> None:
    """From 0.5 s on decisions are 3 s apart: what ends at 1 s is followed at 3 s."""
    jobs = [{"arrival_s": 0, "stages": [stage("s", 2, 1, cpus=1)]}]
    made = experiment(
        "drf",
        jobs,
        [{"count": 1, "cpus": 1}],
        events=[{"at_s": 0.5, "kind": "set", "target": {"scheduler": True}, "value": {"interval_s": 3}}],
    )
    # The change itself is looked at in a decision, at 3 s: three after the one at 0.
    assert ends_s(made) == [1, 4]


def test_what_happens_to_machines_is_nothing_to_a_pool() -> None:
    with pytest.raises(ExperimentError, match="a pool has no machines"):
        two_machines("drf", [{"at_s": 3, "kind": "fail", "target": {"machine": 1}}], pooled=True)


def test_tasks_of_one_stage_with_different_constraints_go_where_they_may() -> None:
    data = experiment("drf", [{"arrival_s": 0, "durations_s": [1]}], [{"count": 20, "cpus": 2}]).to_dict()
    data["topology"]["clusters"][0]["constraint_mix"] = "custom"
    data["constraints"] = {
        "catalogue": "custom",
        "custom": [{"name": n, "machine_share": 0.5} for n in "ab"],
        "asks": {"unit": "task", "probabilities": {"a": 0.4, "b": 0.4}},
    }
    data["workload"] = {
        "kind": "dag",
        "jobs": 30,
        "arrivals": {"kind": "at_once"},
        "tasks_per_stage": {"kind": "constant", "value": 5},
        "duration_s": {"kind": "exponential", "mean": 3},
    }
    simulation = finished(Experiment.parse(data))
    assert simulation.result is not None
    world, tasks = simulation.world, simulation.result.tasks
    asks = world.asks[world.task["demand"]]
    assert len(np.unique(asks)) == 4
    assert ((world.machine["offers"][tasks["machine"]] & asks) == asks).all()
    stages, start, end = stage_spans(simulation)
    mixed = np.array([len(np.unique(asks[stages.order[r.first_task : r.first_task + r.tasks]])) for r in stages.table])
    assert (mixed > 1).any()
    for number, row in enumerate(stages.table):
        for parent in stages.parents[row.first_parent : row.first_parent + row.parents]:
            assert 0 <= end[parent] <= start[number]
