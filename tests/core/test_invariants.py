"""What holds for every scheduler on every experiment; each scheduler of the registry is swept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, Simulation, build_cluster, build_workload, scheduler_by_name, simulate
from scheduler_core.constraints import machine_offers, relaxed_factor, soft_mask, task_asks
from scheduler_core.engine.incidents import held
from scheduler_core.engine.records import TASK_UNSCHEDULABLE
from scheduler_core.schedulers.pipeline.reasons import COPY_GOES_ON, COPY_WON
from tests.core.experiments import LOOPS, SCHEDULER_NAMES, by_loop, experiments
from tests.tiers import examples, sampled

each_scheduler = pytest.mark.parametrize("scheduler", by_loop(SCHEDULER_NAMES))
each_loop = pytest.mark.parametrize("loop", LOOPS)
FEW, FEWER = 25, 15
"""Examples of each scheduler, and of each loop, in `make test-all`."""


def finished(experiment: Experiment, **options: Any) -> Simulation:
    """A run that has ended."""
    simulation = Simulation(experiment, frames=0, **options)
    for _ in simulation.run():
        pass
    return simulation


def over_commitment(simulation: Simulation) -> int:
    """The most that the tasks on any machine exceed its capacity by, at any instant, over all resources."""
    assert simulation.result is not None
    tasks = simulation.result.tasks
    demand = simulation.world.demand[simulation.world.task["demand"]]
    worst = 0
    for machine in range(len(simulation.world.machine)):
        on = np.flatnonzero((tasks["machine"] == machine) & (tasks["end_ns"] > tasks["last_start_ns"]))
        # An end frees before a start of the same instant takes.
        changes = sorted(
            [(int(tasks["end_ns"][i]), 0, i) for i in on] + [(int(tasks["last_start_ns"][i]), 1, i) for i in on]
        )
        used = np.zeros(demand.shape[1], np.int64)
        for _, starts, i in changes:
            used += demand[i] if starts else -demand[i]
            worst = max(worst, int((used - simulation.world.capacity[machine]).max()))
    return worst


def started_again(simulation: Simulation) -> int:
    """Starts beside the first one of each task: one makes up for every stop, but where a copy goes on instead.

    A copy counts as a start of its task. One that ends before the task's own launch has come takes that start back.
    """
    assert simulation.result is not None
    counters = simulation.result.summary["counters"]
    if simulation.spec.family != "pipeline":
        return int(counters.get("preemptions", 0))
    log = simulation.decisions()
    went_on, won = log["reason"] == COPY_GOES_ON, log["reason"] == COPY_WON
    stops_and_copies = sum(int(counters[name]) for name in ("preemptions", "migrations", "copies"))
    return stops_and_copies - int(went_on.sum()) - int(log["y"][won].sum())


FORGETTING = ("sparrow-c", "hawk-c", "eagle-c", "phoenix")


def every_task_that_a_machine_could_hold_runs_once_and_wholly(experiment: Experiment, simulation: Simulation) -> None:
    cluster = build_cluster(experiment)
    workload = build_workload(experiment, cluster)
    if simulation.spec.reads:
        workload = simulation.spec.reads(experiment, workload)
    assert simulation.result is not None
    tasks, summary = simulation.result.tasks, simulation.result.summary
    offers, asks = machine_offers(experiment, cluster), task_asks(experiment, workload)
    soft, slowdowns = soft_mask(experiment.constraints) if experiment.constraints else (0, np.ones(1))
    hard = asks & ~soft
    possible = np.array(
        [
            ((cluster.capacity >= workload.demands[d]).all(axis=1) & ((offers & a) == a)).any()
            for d, a in zip(workload.tasks["demand"], hard, strict=True)
        ]
    )
    assert ((tasks["attempts"] > 0) == possible).all()
    assert (tasks["lost_ns"][tasks["attempts"] <= 1] == 0).all()
    assert int(tasks["attempts"].sum()) == int(possible.sum()) + started_again(simulation)
    assert (tasks["first_start_ns"] <= tasks["last_start_ns"]).all()
    assert (tasks["last_start_ns"] <= tasks["end_ns"]).all()
    lacking = asks & ~offers[tasks["machine"]]
    wanted = [
        int(np.floor(ns * relaxed_factor(slowdowns, mask) + 0.5)) if mask else int(ns)
        for ns, mask in zip(workload.tasks["duration_ns"], lacking.tolist(), strict=True)
    ]
    ran = tasks["end_ns"] - tasks["last_start_ns"]
    params = experiment.scheduler.params
    farther = [params[name] for name in ("rack_factor", "remote_factor") if name in params]
    slower = [np.floor(np.array(wanted) * factor + 0.5) for factor in (1.0, *farther)]
    if params.get("input_gb") or params.get("interference"):  # tests/core/test_pace.py says by how much
        assert (ran >= np.array(wanted))[possible].all()
    elif params.get("t6") == "checkpoint" or params.get("t12_live") or params.get("t9") == "stragglers":
        assert ((ran <= np.array(wanted)) & (ran >= 0))[possible].all()  # test_pipeline_stages.py says by how much
    else:
        assert np.any([ran == one for one in slower], axis=0)[possible].all()
    assert (tasks["first_start_ns"] >= tasks["arrival_ns"])[possible].all()
    # The public program of Phoenix's authors forgets constraints after a job's first probes.
    if params.get("profile") != "public-simulator" or experiment.scheduler.name not in FORGETTING:
        assert ((offers[tasks["machine"]] & hard) == hard)[possible].all()
    assert ((simulation.world.task["state"] == TASK_UNSCHEDULABLE) == ~possible).all()
    assert summary["tasks"] == {
        "total": len(tasks),
        "completed": int(possible.sum()),
        "unfinished": 0,
        "unschedulable": int((~possible).sum()),
    }


def the_parts_of_the_allocation_delay_add_up(tasks: np.ndarray[Any, Any]) -> None:
    started = tasks[tasks["first_start_ns"] >= 0]
    parts = [started[f"{p}_ns"] for p in ("framework_queuing", "processing", "communication", "worker_queuing")]
    assert (sum(parts) == started["first_start_ns"] - started["arrival_ns"]).all()
    assert all((part >= 0).all() for part in parts)


def everything_comes_home(simulation: Simulation) -> None:
    """At the end nothing is held but by requests still in flight, and nothing is lent."""
    assert (simulation.world.machine["running"] == 0).all()
    if simulation.spec.name == "megha":
        assert (simulation.world.free == simulation.world.capacity).all()
        assert (simulation.state.lent == 0).all()
        assert (simulation.state.place["loans"] == 0).all()
        assert (simulation.state.place["borrower"] == -1).all()


@each_scheduler
@examples(FEW)
@given(data=st.data())
def test_every_run_keeps_the_laws(scheduler: str, data: st.DataObject) -> None:
    """No machine over-committed, no task lost or run twice, no part of a wait unaccounted for, time never back."""
    experiment = data.draw(experiments(scheduler))
    simulation = Simulation(experiment, frames=7)
    times = [frame.t_ns for frame in simulation.run()]
    assert simulation.result is not None
    assert over_commitment(simulation) <= 0
    every_task_that_a_machine_could_hold_runs_once_and_wholly(experiment, simulation)
    the_parts_of_the_allocation_delay_add_up(simulation.result.tasks)
    everything_comes_home(simulation)
    assert times == sorted(times)
    assert (np.diff(simulation.decisions()["t_ns"]) >= 0).all()


def of_loop(loop: str) -> st.SearchStrategy[Experiment]:
    """Experiments under any scheduler that shares an event loop."""
    return st.sampled_from(LOOPS[loop]).flatmap(experiments)


@each_loop
@examples(FEWER)
@given(data=st.data(), slice_events=st.integers(1, 40), frames=st.integers(0, 30))
def test_one_outcome_for_every_slicing(loop: str, data: st.DataObject, slice_events: int, frames: int) -> None:
    experiment = data.draw(of_loop(loop))
    whole = simulate(experiment).summary
    simulation = Simulation(experiment, frames=frames, slice_events=slice_events)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    sliced = simulation.result.summary
    for part in ("outcome_digest", "counters", "allocation_delay_s", "fairness", "experiment_digest"):
        assert sliced[part] == whole[part]


@pytest.mark.parametrize("loop", sampled(LOOPS, 2))
@examples(FEWER)
@given(data=st.data(), stop=st.integers(1, 200))
def test_a_run_restored_from_a_snapshot_ends_as_if_never_stopped(loop: str, data: st.DataObject, stop: int) -> None:
    experiment = data.draw(of_loop(loop))
    whole = simulate(experiment).summary
    first = Simulation(experiment, frames=0, slice_events=stop)

    class Enough(Exception):
        pass

    def after_one_slice(_: Simulation) -> None:
        raise Enough

    try:
        for _ in first.run(after_one_slice):
            pass
    except Enough:
        pass
    second = Simulation(Experiment.parse(experiment.to_dict()), frames=0)
    second.restore(first.snapshot())
    for _ in second.run():
        pass
    assert second.result is not None
    assert second.result.summary["outcome_digest"] == whole["outcome_digest"]
    assert second.result.summary["counters"] == whole["counters"]
    assert len(second.decisions()) == len(finished(experiment).decisions())


@given(experiment=experiments("megha", profile="paper", incidents=True))
def test_faults_lose_no_task_and_give_everything_back(experiment: Experiment) -> None:
    """Whatever fails, drains or changes: a task is done, or waits with a reason; what is withheld is told apart."""
    simulation = finished(experiment)
    assert simulation.result is not None
    tasks, world = simulation.result.tasks, simulation.world
    out = world.machine["outage"] != 0
    assert over_commitment(simulation) <= 0
    assert (world.machine["running"] == 0).all()
    assert (held(world) == 0).all()
    assert (world.free[~out] == world.capacity[~out]).all()
    assert (simulation.state.lent == 0).all()
    done, hopeless = tasks["end_ns"] >= 0, world.task["state"] == TASK_UNSCHEDULABLE
    durations = world.task["duration_ns"]
    assert (tasks["end_ns"] - tasks["last_start_ns"] == durations)[done].all()
    assert (tasks["lost_ns"] >= 0).all()
    down = simulation.state.gm["down"] == 1
    for task in np.flatnonzero(~done & ~hopeless):
        # What is left waits for a machine that is out, or in a queue whose GM is down.
        owner = simulation.state.queue["owner"][tasks["queue"][task]]
        wanted = world.demand[world.task["demand"][task]]
        asks = world.asks[world.task["demand"][task]]
        able = (world.capacity >= wanted).all(axis=1) & ((world.machine["offers"] & asks) == asks)
        assert down[owner] or out[able].all()


@given(experiment=experiments("megha", profile="paper", incidents=True), stop=st.integers(1, 200))
def test_a_run_with_faults_is_restored_and_sliced_to_the_same_end(experiment: Experiment, stop: int) -> None:
    whole = simulate(experiment).summary
    first = Simulation(experiment, frames=5, slice_events=stop)
    frames = first.run()
    next(frames, None)
    second = Simulation(Experiment.parse(experiment.to_dict()), frames=0, slice_events=7)
    second.restore(first.snapshot())
    for _ in second.run():
        pass
    assert second.result is not None
    for part in ("outcome_digest", "counters", "tasks"):
        assert second.result.summary[part] == whole[part]


QUICK = {
    "omega": {"job_s": 0, "task_s": 0},
    "mercury": {"heartbeat_s": 0.01},
    "hydra": {"manager_start_s": 0, "node_heartbeat_s": 0.01, "manager_heartbeat_s": 0.01},
}


@each_scheduler
def test_stop_rules_end_a_run(scheduler: str) -> None:
    data: dict[str, Any] = {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 1}]}]},
        "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1.0] * 10}]},
        "scheduler": {"name": scheduler},
    }
    if "interval_s" in scheduler_by_name(scheduler).params.model_fields:
        data["scheduler"]["params"] = {"interval_s": 0.01}
    data["scheduler"]["params"] = data["scheduler"].get("params", {}) | QUICK.get(scheduler, {})
    by_time = simulate(Experiment.parse(data | {"stop": {"when": "at_s", "at_s": 4.5}})).summary
    assert by_time["tasks"] == {"total": 10, "completed": 4, "unfinished": 6, "unschedulable": 0}
    assert by_time["jobs"] == {"total": 1, "completed": 0}
    by_count = simulate(Experiment.parse(data | {"stop": {"when": "tasks", "tasks": 7}})).summary
    assert by_count["tasks"]["completed"] == 7
