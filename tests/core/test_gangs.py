"""Gangs and rules on racks under schedulers of one queue: worked out on paper, and by a slow plain version."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scheduler_core import (
    SCHEDULERS,
    Experiment,
    ExperimentError,
    Simulation,
    build_cluster,
    build_workload,
    explain,
    simulate,
)
from scheduler_core.constraints import rack_rules
from scheduler_core.constraints.racks import AFFINITY
from scheduler_core.engine.records import TASK_WAITING
from scheduler_core.experiment import unsupported
from tests.core.experiments import experiments
from tests.core.oracles_queue import PlainQueue
from tests.core.test_queue_schedulers import NAMES, experiment, machines_of, starts
from tests.tiers import all_but_wide, examples

each_scheduler = pytest.mark.parametrize("scheduler", all_but_wide(NAMES, ["kubernetes-papers"]))
FOUR = [{"count": 4, "cpus": 1}]


def gang(tasks: int, seconds: float = 4, **more: Any) -> dict[str, Any]:
    return {"durations_s": [seconds] * tasks, "gang": True} | more


def ruled(kind: str, jobs: list[dict[str, Any]], racks: int, machines: int, cpus: int = 1, **more: Any) -> Experiment:
    """All jobs have one rule; the machines are in so many racks."""
    custom = [{"name": "a", "machine_share": 1}]
    rules = {"catalogue": "custom", "custom": custom, "racks": [{"kind": kind, "share": 1}]}
    name = more.pop("scheduler", "kubernetes-papers")
    return experiment(name, jobs, [{"count": machines, "cpus": cpus}], racks, constraints=rules, **more)


@pytest.mark.parametrize(("patience", "expected"), [
    (None, [0, 0, 9, 9, 9, 9, 2, 4]),  # both who come later go first; the second of them ends at 9
    (0, [0, 0, 6, 6, 6, 6, 10, 10]),  # nobody goes first: room gathers until 6
    (1.5, [0, 0, 7, 7, 7, 7, 2, 11]),  # at 2 it has waited 1 s, at 4 longer than its patience: until 7
])  # fmt: skip
def test_a_gang_starts_whole_and_holds_up_others_after_its_patience(
    patience: float | None, expected: list[float]
) -> None:
    """Four slots: two tasks until 3 and 6, a gang of four at 1, then tasks of 5 s at 2 and at 4."""
    late = [{"durations_s": [5.0], "arrival_s": at} for at in (2, 4)]
    jobs = [{"durations_s": [3.0, 6.0]}, gang(4, arrival_s=1), *late]
    made = experiment("kubernetes-papers", jobs, FOUR, params={"gang_wait_s": patience})
    found = simulate(made)
    assert starts(found) == expected
    assert found.summary["counters"]["gangs"] == 1
    told = explain(made, 2)["decisions"]
    assert (told[0]["reason"], told[0]["arguments"]) == ("not_together", {"x": "4", "y": "2"})
    assert (told[-1]["reason"], told[-1]["arguments"]["x"]) == ("together", "4")


@each_scheduler
def test_two_gangs_that_need_more_than_half_each_do_not_lock_each_other_out(scheduler: str) -> None:
    jobs = [gang(3), gang(3), {"durations_s": [4.0]}]
    params = {"overtake": True} if scheduler == "fifo" else {}
    assert starts(simulate(experiment(scheduler, jobs, FOUR, params=params))) == [0, 0, 0, 4, 4, 4, 0]


def test_a_gang_that_the_datacenter_cannot_hold_never_waits() -> None:
    made = experiment("kubernetes-papers", [gang(5), {"durations_s": [1.0]}], FOUR, params={"gang_wait_s": 0})
    found = simulate(made)
    assert found.summary["tasks"] == {"total": 6, "completed": 1, "unfinished": 0, "unschedulable": 5}
    assert starts(found)[5] == 0
    assert "gang" in explain(made, 0)["decisions"][0]["arguments"]["cause"]


def test_a_gang_that_waits_for_machines_holds_nobody_up_on_idle_ones() -> None:
    """A machine is out until 20. The gang of four cannot start; the other job's tasks run one batch after the other."""
    events = [{"at_s": 0, "kind": "fail", "target": {"machine": 0}, "duration_s": 20}]
    jobs = [gang(4), {"durations_s": [2.0, 2.0]}, {"durations_s": [3.0], "arrival_s": 1}]
    found = simulate(experiment("kubernetes-papers", jobs, FOUR, events=events, params={"gang_wait_s": 0}))
    assert starts(found)[:4] == [20, 20, 20, 20]
    assert starts(found)[4:] == [0, 2, 4]


def test_one_of_a_gang_that_loses_its_machine_starts_again_alone() -> None:
    events = [{"at_s": 1, "kind": "fail", "target": {"machine": 3}, "duration_s": 1}]
    found = simulate(experiment("kubernetes-papers", [gang(4)], FOUR, events=events))
    assert (found.tasks["last_start_ns"] / 1e9).tolist() == [0, 0, 0, 2]
    assert found.tasks["attempts"].tolist() == [1, 1, 1, 2]


def test_a_machine_that_fails_while_a_gang_is_decided_sends_the_whole_gang_back() -> None:
    """Four decisions of 1 s; a machine is out from 2 to 5: too late at 4, and in vain until it is back."""
    events = [{"at_s": 2, "kind": "fail", "target": {"machine": 3}, "duration_s": 3}]
    params = {"decision_time": "modelled", "decision_us": 1e6, "filter_ns": 0, "score_ns": 0}
    found = simulate(experiment("kubernetes-papers", [gang(4)], FOUR, events=events, params=params))
    assert found.summary["counters"]["late"] == 1
    assert len(set(starts(found))) == 1
    assert starts(found)[0] == 12  # in vain from 4 to 8, and four seconds more


def test_affinity_keeps_a_job_in_the_rack_of_its_first_task() -> None:
    """Two racks of two slots: three tasks of one job run in one of them, the third after the first has ended."""
    found = simulate(ruled("affinity", [{"durations_s": [2.0, 3.0, 1.0]}], 2, 4))
    assert starts(found) == [0, 0, 2]
    assert {machine // 2 for machine in machines_of(found)} == {machines_of(found)[0] // 2}


def test_affinity_passes_over_racks_that_could_not_hold_all_of_the_job() -> None:
    """Swarm would take the empty large machine of rack 0, but only rack 1 has one with what the second job needs."""
    rules = {
        "catalogue": "custom",
        "custom": [{"name": "a", "attribute": "a", "comparison": "==", "value": True}],
        "racks": [{"kind": "affinity", "share": 1}],
    }
    machines: list[dict[str, Any]] = [{"cpus": 8}, {"cpus": 2, "attributes": {"a": True}}]
    jobs: list[dict[str, Any]] = [{"durations_s": [1.0, 1.0], "constraints": ["a"]}, {"durations_s": [1.0, 1.0]}]
    found = simulate(experiment("swarm", jobs, machines, 2, constraints=rules))
    assert machines_of(found) == [1, 1, 0, 0]


def test_spread_gives_no_rack_a_second_task_before_all_have_one() -> None:
    """Three racks of one machine; another job holds rack 0 until 5, so the fourth task waits for the third."""
    jobs = [{"durations_s": [5.0]}, {"durations_s": [9.0] * 4}]
    made = ruled("spread", jobs, 3, 3, cpus=2, params={"slots": 1})
    found = simulate(made)
    assert starts(found) == [0, 0, 0, 5, 9]
    assert sorted(machines_of(found)[1:4]) == [0, 1, 2]
    assert explain(made, 3)["decisions"][0]["reason"] == "no_rack"


def test_spread_does_not_wait_for_a_rack_that_is_out_of_service() -> None:
    events = [{"at_s": 0, "kind": "drain", "target": {"rack": 0}}]
    found = simulate(ruled("spread", [{"durations_s": [5.0] * 4}], 3, 3, cpus=2, events=events))
    assert starts(found) == [0, 0, 0, 0]
    assert sorted(machines_of(found)) == [1, 1, 2, 2]


def test_a_gang_in_one_rack_takes_the_one_that_has_room_for_all() -> None:
    """Two racks of four slots; one task in each but two in one: only one rack has room for three."""
    jobs = [{"durations_s": [9.0] * 3, "constraints": []}, gang(3, arrival_s=1)]
    made = ruled("affinity", jobs, 2, 2, cpus=4, scheduler="swarm")
    found = simulate(made)
    first, mates = machines_of(found)[0], machines_of(found)[3:]
    assert mates == [1 - first] * 3
    assert starts(found)[3:] == [1, 1, 1]


def test_schedulers_that_know_no_gangs_refuse_them_by_name() -> None:
    data = experiment("kubernetes-papers", [gang(2)], FOUR).to_dict()
    for spec in SCHEDULERS:
        made = Experiment.parse(data | {"scheduler": {"name": spec.name, "params": {}}})
        paths = [problem.path for problem in unsupported(made, spec.honors(made))]
        knows = spec.name in NAMES or spec.family == "spacetime" or spec.name in ("omega", "slurm")
        assert paths == ([] if knows else ["workload.jobs[0].gang"]), spec.name


def test_classes_of_drawn_jobs_are_gangs() -> None:
    classes = [{"name": "one", "weight": 1}, {"name": "all", "weight": 1, "gang": True}]
    work = {
        "kind": "synthetic",
        "jobs": 40,
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "constant", "value": 3},
        "duration_s": {"kind": "exponential", "mean": 1},
        "classes": classes,
    }
    found = simulate(Experiment.parse(experiment("swarm", [gang(1)], FOUR).to_dict() | {"workload": work}))
    first = found.tasks["first_start_ns"].reshape(-1, 3)
    together = (first.min(axis=1) == first.max(axis=1)).sum()
    assert 10 < found.summary["counters"]["gangs"] <= together < 40


@examples(150)
@given(data=st.data())
def test_the_plain_version_starts_every_task_when_and_where_it_does(data: st.DataObject) -> None:
    made = data.draw(experiments("swarm", bands=True)).to_dict()
    for job in made["workload"]["jobs"]:
        job["durations_s"] = [max(seconds, 0.25) for seconds in job["durations_s"]]
    for group in made["topology"]["clusters"]:
        group["racks"] = 1 if sum(one["count"] for one in group["machines"]) < 2 else data.draw(st.integers(1, 2))
    made["constraints"].pop("soft", None)
    made["network"] = {"message_delay_s": 0}
    given_params = made["scheduler"]["params"]
    made["scheduler"]["params"] = {
        "decision_time": "none",
        "slots": given_params["slots"],
        "gang_wait_s": given_params["gang_wait_s"],
    }
    it = Experiment.parse(made)
    found, plain = simulate(it), PlainQueue(it)
    began = [None if ns < 0 else int(ns) for ns in found.tasks["first_start_ns"]]
    assert began == plain.start
    assert [
        None if ns is None else int(m) for ns, m in zip(began, found.tasks["machine"], strict=True)
    ] == plain.machine


@each_scheduler
@examples(30)
@given(data=st.data())
def test_gangs_start_together_and_racks_are_kept(scheduler: str, data: st.DataObject) -> None:
    """Where nothing fails and nobody is stopped: one first start for all of a gang, one rack under affinity."""
    made = data.draw(experiments(scheduler, bands=True)).to_dict()
    made["scheduler"]["params"] |= {"preemption": False} if "preemption" in made["scheduler"]["params"] else {}
    it = Experiment.parse(made)
    simulation = Simulation(it, frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    tasks, world, state = simulation.result.tasks, simulation.world, simulation.state
    assert (world.free == world.capacity).all()
    assert (world.task["state"] != 1).all()  # all that can ever run has run
    work = build_workload(it, build_cluster(it))
    rules = rack_rules(it, work.jobs)
    started = 0
    for job, row in enumerate(work.jobs):
        mine = slice(int(row["first_task"]), int(row["first_task"] + row["tasks"]))
        if work.gang is not None and work.gang[job] and row["tasks"] > 1:
            assert len(set(tasks["first_start_ns"][mine].tolist())) == 1
            started += int(tasks["first_start_ns"][mine][0] >= 0)
        if rules[job] == AFFINITY:
            ran = tasks["machine"][mine][tasks["first_start_ns"][mine] >= 0]
            assert len(set(world.machine["rack"][ran].tolist())) <= 1
    assert int(state.rules["gangs"][0]) == started
    assert int(state.rules["gangs_left"][0]) == int(state.band["gang"].sum())


@pytest.mark.parametrize("scheduler", ["omega", "alsched", "tetrisched"])
@examples(25)
@given(data=st.data())
def test_gangs_of_other_families_start_whole(scheduler: str, data: st.DataObject) -> None:
    """All of a gang's tasks start first at one instant. What can run has run: gangs of alike tasks never get stuck."""
    made = data.draw(experiments(scheduler)).to_dict()
    for job in made["workload"]["jobs"]:
        job["gang"] = data.draw(st.booleans())
    it = Experiment.parse(made)
    simulation = Simulation(it, frames=0)
    try:
        for _ in simulation.run():
            pass
    except ExperimentError:
        assume(scheduler == "omega")  # the others refuse gangs whose tasks are not alike
        raise
    assert simulation.result is not None
    tasks, world = simulation.result.tasks, simulation.world
    gang = build_workload(it, build_cluster(it)).gang
    for number, row in enumerate(world.job):
        mine = slice(int(row["first_task"]), int(row["first_task"] + row["tasks"]))
        whole = gang is not None and gang[number] == 1 and row["tasks"] > 1
        if whole:
            assert len(set(tasks["first_start_ns"][mine].tolist())) == 1
        if not whole or len(set(world.task["demand"][mine].tolist())) == 1:
            assert (world.task["state"][mine] != TASK_WAITING).all()
    assert (world.free == world.capacity).all()
