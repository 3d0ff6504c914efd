"""Whatever fails, drains or changes: no task is lost, and everything is given back; of those beside Megha."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, Simulation, scheduler_by_name, simulate
from scheduler_core.engine.incidents import held
from scheduler_core.engine.records import TASK_UNSCHEDULABLE, TASK_WAITING
from scheduler_core.schedulers.probing.pigeon.state import LOW
from scheduler_core.world.reasons import HANDED_BACK
from tests.core.experiments import LOOPS, experiments
from tests.core.test_invariants import finished, over_commitment
from tests.tiers import all_but_wide, examples, sampled

# Of each loop the first scheduler. Those of graphs, and pipelines, which may give tasks up, have tests of their own.
HERE = [
    name
    for name in (*LOOPS, "as-recorded")
    if "machine_faults" in scheduler_by_name(name).supports
    and scheduler_by_name(name).family not in ("dag", "pipeline")
    and name not in ("megha", "centralised")
]
each_scheduler = pytest.mark.parametrize("scheduler", HERE)


def test_machines_may_fail_under_every_scheduler() -> None:
    """Shares of queues may change under all but kube-scheduler, which knows no shares."""
    assert all("machine_faults" in spec.supports for spec in SCHEDULERS)
    assert {spec.name for spec in SCHEDULERS if "share_changes" not in spec.supports} == {"kubernetes"}


@pytest.mark.slow
@each_scheduler
@given(data=st.data())
def test_faults_lose_no_task_and_give_everything_back(scheduler: str, data: st.DataObject) -> None:
    """What is left at the end waits for machines all of which are out; no task is held or runs twice."""
    simulation = finished(data.draw(experiments(scheduler, incidents=True)))
    assert simulation.result is not None
    tasks, world = simulation.result.tasks, simulation.world
    control, out = world.control[0], world.machine["outage"] != 0
    assert over_commitment(simulation) <= 0
    assert (world.machine["running"] == 0).all()
    if control.tasks_done + control.tasks_unschedulable < control.tasks_wanted:
        # No event is left, so nothing is held by what is under way.
        assert (held(world) == 0).all()
        assert (world.free[~out] == world.capacity[~out]).all()
    assert (world.free[out] < 0).all()
    assert (tasks["lost_ns"] >= 0).all()
    done, hopeless = tasks["end_ns"] >= 0, world.task["state"] == TASK_UNSCHEDULABLE
    assert (tasks["end_ns"] - tasks["last_start_ns"] == world.task["duration_ns"])[done].all()
    blocked = []
    for task in np.flatnonzero(~done & ~hopeless):
        if scheduler == "slurm":
            blocked.append(job_lacks_machines(simulation, task, out))
            continue
        able = able_machines(simulation, task)
        if scheduler == "pigeon" and world.task["kind"][task] == LOW:
            able &= simulation.state.worker["reserved"] == 0  # long tasks wait for the others, come what may
        blocked.append(bool(out[able].all()))
    params = simulation.experiment.scheduler.params
    tested = 0 if params.get("backfill") == "none" else params.get("bf_max_job_test", len(blocked))
    if params.get("overtake", True) and tested >= len(blocked):
        assert all(blocked)
    else:  # the first of the queue waits for such a machine, and the others wait behind it
        assert not blocked or any(blocked)


def able_machines(simulation: Simulation, task: int) -> Any:
    """Return which machines hold the task when empty and in service, (machines,)."""
    world, kind = simulation.world, simulation.world.task["demand"][task]
    offered = (world.machine["offers"] & world.asks[kind]) == world.asks[kind]
    return (world.capacity >= world.demand[kind]).all(axis=1) & offered


def job_lacks_machines(simulation: Simulation, task: int, out: Any) -> bool:
    """Return whether the waiting tasks of a job, which start together, have too little room on machines in service."""
    world = simulation.world
    together = np.flatnonzero((world.task["kind"] == world.task["kind"][task]) & (world.task["state"] == TASK_WAITING))
    most = simulation.experiment.scheduler.params["tasks_per_machine"] or len(together)
    for kind in np.unique(world.task["demand"][together]):
        alike = together[world.task["demand"][together] == kind]
        wanted = world.demand[kind]
        held_by = (world.capacity[:, wanted > 0] // wanted[wanted > 0]).min(axis=1, initial=most)
        if held_by[able_machines(simulation, alike[0]) & ~out].sum() < len(alike):
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", sampled(HERE, 3))
@given(data=st.data())
def test_nothing_starts_on_a_machine_that_is_out(scheduler: str, data: st.DataObject) -> None:
    experiment = data.draw(experiments(scheduler, incidents=True))
    simulation = Simulation(experiment, frames=0)
    simulation.prepare()
    started = simulation.world.task["attempts"].copy()
    out = simulation.world.machine["outage"] != 0
    while simulation.step():
        task = simulation.world.task
        fresh = np.flatnonzero(task["attempts"] > started)
        assert not (out & (simulation.world.machine["outage"] != 0))[task["machine"][fresh]].any()
        started, out = task["attempts"].copy(), simulation.world.machine["outage"] != 0


@pytest.mark.parametrize("scheduler", all_but_wide(HERE, ["sparrow", "kubernetes", "mesos"]))
@given(data=st.data())
def test_with_faults_too_the_parts_of_the_delay_add_up(scheduler: str, data: st.DataObject) -> None:
    tasks = simulate(data.draw(experiments(scheduler, incidents=True))).tasks
    started = tasks[tasks["first_start_ns"] >= 0]
    names = [f"{part}_ns" for part in ("framework_queuing", "processing", "communication", "worker_queuing")]
    assert (sum(started[name] for name in names) == started["first_start_ns"] - started["arrival_ns"]).all()
    assert all((started[name] >= 0).all() for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", sampled(HERE, 2))
@examples(30)
@given(data=st.data(), stop=st.integers(1, 200))
def test_a_run_with_faults_is_restored_and_sliced_to_the_same_end(
    scheduler: str, data: st.DataObject, stop: int
) -> None:
    experiment = data.draw(experiments(scheduler, incidents=True))
    whole = simulate(experiment).summary
    first = Simulation(experiment, frames=5, slice_events=stop)
    next(first.run(), None)
    second = Simulation(Experiment.parse(experiment.to_dict()), frames=0, slice_events=7)
    second.restore(first.snapshot())
    for _ in second.run():
        pass
    assert second.result is not None
    for part in ("outcome_digest", "counters", "tasks"):
        assert second.result.summary[part] == whole[part]


def two_machines(scheduler: str, jobs: list[dict[str, Any]], events: list[dict[str, Any]]) -> Any:
    """The tasks of a run on two machines of one CPU, where messages take no time."""
    data = {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 1}]}]},
        "network": {"message_delay_s": 0},
        "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": scheduler, "params": {"choices": 64} if scheduler == "template" else {}},
        "events": events,
    }
    return simulate(Experiment.parse(data)).tasks


AT_MACHINES = [name for name in HERE if HANDED_BACK in {one.code for one in scheduler_by_name(name).reasons}]
with_queues = pytest.mark.parametrize("scheduler", AT_MACHINES)
"""Schedulers whose tasks wait at machines, or at masters of groups of them, worked by hand below."""
BOTH_BUSY = [{"arrival_s": 0, "durations_s": [10]}, {"arrival_s": 3.2, "durations_s": [10]}]


@with_queues
def test_a_lost_task_starts_again_when_the_other_machine_is_free(scheduler: str) -> None:
    """Machine 0 fails at 4 s for good: its task loses its work, and starts on machine 1 after the other task."""
    tasks = two_machines(scheduler, BOTH_BUSY, [{"at_s": 4, "kind": "fail", "target": {"machine": 0}}])
    lost, kept = (int(np.flatnonzero(tasks["attempts"] == n)[0]) for n in (2, 1))
    assert (tasks["machine"] == 1).all()
    assert (tasks["lost_ns"][lost], tasks["lost_ns"][kept]) == (4 * 10**9 - tasks["arrival_ns"][lost], 0)
    assert tasks["last_start_ns"][lost] == tasks["end_ns"][kept] == tasks["arrival_ns"][kept] + 10 * 10**9
    assert tasks["first_start_ns"][lost] == tasks["arrival_ns"][lost]


@with_queues
def test_a_draining_machine_finishes_what_runs_and_starts_nothing_new(scheduler: str) -> None:
    """Machine 0 drains from 4 s on: both tasks end undisturbed, and what comes at 5 s runs on machine 1 alone."""
    jobs = [*BOTH_BUSY, {"arrival_s": 5, "durations_s": [1, 1]}]
    tasks = two_machines(scheduler, jobs, [{"at_s": 4, "kind": "drain", "target": {"machine": 0}}])
    assert tasks["attempts"].tolist() == [1, 1, 1, 1]
    assert tasks["end_ns"][:2].tolist() == [10_000_000_000, 13_200_000_000]
    assert tasks["machine"][2:].tolist() == [1, 1]
    free_ns = tasks["end_ns"][:2][tasks["machine"][:2] == 1][0]
    assert sorted(tasks["last_start_ns"][2:].tolist()) == [free_ns, free_ns + 10**9]


@with_queues
def test_a_queue_is_handed_back_and_a_machine_that_returns_is_used_again(scheduler: str) -> None:
    """What waits at machine 0 as it fails at 4 s goes to machine 1; back at 12 s, machine 0 runs what comes at 13 s."""
    jobs = [*BOTH_BUSY, {"arrival_s": 1, "durations_s": [1, 1]}, {"arrival_s": 13, "durations_s": [1, 1, 1, 1]}]
    fails = {"at_s": 4, "kind": "fail", "target": {"machine": 0}, "duration_s": 8}
    tasks = two_machines(scheduler, jobs, [fails])
    assert (tasks["end_ns"] > 0).all()
    assert int(tasks["attempts"].sum()) == 9
    between = (tasks["last_start_ns"] >= 4 * 10**9) & (tasks["last_start_ns"] < 12 * 10**9)
    assert (tasks["machine"][between] == 1).all()
    assert ((tasks["machine"] == 0) & (tasks["last_start_ns"] >= 12 * 10**9)).any()


def test_nobody_waits_for_the_place_that_a_task_left_on_a_draining_machine() -> None:
    """Quincy moves a task off a machine that drains; another's flow led to that place, for good."""
    groups = [[(1, 2), (4, 1)], [(3, 2), (4, 2)], [(3, 4)]]
    many = (1.5, [2.5] * 6, 8)
    jobs = [(1.0, [2.5] * 5, 1), (2.0, [0.25], 2), many, (1.5, [1.0, 0.5, 0.001, 0.25, 2.5, 2.5], 8)]
    jobs += [(0.5, [1.0] * 6, 1), many, many]
    experiment = {
        "topology": {
            "clusters": [
                {
                    "name": f"c{number}",
                    "machines": [{"count": count, "cpus": cpus, "memory_gb": 2.0} for count, cpus in machines],
                }
                for number, machines in enumerate(groups)
            ]
        },
        "network": {"message_delay_s": 0.25},
        "workload": {
            "kind": "inline",
            "jobs": [
                {"arrival_s": at, "durations_s": durations, "demand": {"cpus": cpus, "memory_gb": 0}}
                for at, durations, cpus in jobs
            ],
        },
        "scheduler": {
            "name": "quincy",
            "params": {"preemption": True, "solver": "scaling", "slots": 1, "stay_cost": 1.0, "run_cost": 0.0}
            | {"input_gb": 0.0, "rack_cost": 0.0, "core_cost": 2.0, "wait_cost": 0.5, "interference": 0.0},
        },
        "events": [{"at_s": 0.75, "kind": "drain", "target": {"rack": 1}}],
    }
    tasks = simulate(Experiment.parse({"schema_version": 1, "seed": 2, **experiment})).tasks
    assert (tasks["end_ns"][np.isin(tasks["job"], [0, 1, 6])] > 0).all()


def test_probes_that_waited_for_a_machine_to_come_in_are_called_back_like_others() -> None:
    """Sparrow parks them while no machine is in service; once they were not linked, and a stale link made a circle."""
    experiment = {
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [{"count": 1}]}]},
        "workload": {"kind": "inline", "jobs": [{"arrival_s": 1, "durations_s": [1.0]}]},
        "scheduler": {"name": "sparrow", "params": {"cancellation": True, "probe_ratio": 3}},
        "events": [{"at_s": 0.5, "kind": "fail", "target": {"machine": 0}, "duration_s": 1.5}],
    }
    counters = simulate(Experiment.parse(experiment)).summary["counters"]
    assert (counters["probes"], counters["cancelled"], counters["noops"]) == (3, 2, 0)
