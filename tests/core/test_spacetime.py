"""Alsched and TetriSched: examples worked out by hand, what holds for graphs, limits, and one outcome everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, Simulation, explain, simulate
from tests.core.dag_experiments import dag_experiments, experiment, stage
from tests.core.experiments import by_loop
from tests.core.test_determinism import loaded
from tests.core.test_invariants import finished, over_commitment
from tests.tiers import examples, wide

each_scheduler = pytest.mark.parametrize("scheduler", ["tetrisched", "alsched"])


def preferring(scheduler: str, gpu_busy_s: float, params: dict[str, Any] | None = None) -> Experiment:
    """Two machines, one with a GPU, which a first job holds for a while; a second job runs 10 s on it, 30 s elsewhere.

    Both arrive at 0, the second one a little later; cycles and slices of one second.
    """
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"machines": [{"attributes": {"gpu": True}}, {}]}]},
            "constraints": {
                "catalogue": "custom",
                "soft": [{"name": "gpu", "slowdown": 3}],
                "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
            },
            "network": {"message_delay_s": 0},
            "workload": {
                "kind": "inline",
                "jobs": [
                    {"arrival_s": 0, "durations_s": [gpu_busy_s], "constraints": ["gpu"]},
                    {"arrival_s": 0.5, "durations_s": [10], "constraints": ["gpu"]},
                ],
            },
            "scheduler": {"name": scheduler, "params": timing(scheduler) | (params or {})},
        }
    )


def timing(scheduler: str) -> dict[str, Any]:
    """Cycles of one second and, with a plan, slices of one second."""
    return {"interval_s": 1} | ({"quantum_s": 1, "plan_ahead_s": 20} if scheduler == "tetrisched" else {})


def starts(made: Experiment) -> list[tuple[float, int]]:
    """When each task starts, and where."""
    tasks = simulate(made).tasks
    return [
        (float(ns) / 1e9, int(machine)) for ns, machine in zip(tasks["first_start_ns"], tasks["machine"], strict=True)
    ]


def test_planning_ahead_waits_for_a_machine_that_is_soon_free() -> None:
    """The GPU is free at 3: done at 13 instead of at 31. Alsched does not look ahead and starts elsewhere at once."""
    assert starts(preferring("tetrisched", 3)) == [(0, 0), (3, 0)]
    assert starts(preferring("alsched", 3)) == [(0, 0), (1, 1)]
    made = {name: simulate(preferring(name, 3)).summary for name in ("tetrisched", "alsched")}
    assert made["tetrisched"]["makespan_s"] == 13
    assert made["alsched"]["makespan_s"] == 31
    assert made["tetrisched"]["counters"]["relaxed"] == 0
    assert made["alsched"]["counters"]["relaxed"] == 1


def test_a_soft_wish_yields_when_waiting_takes_longer() -> None:
    """Busy until 60, which is beyond the window; and busy until 22, within a longer one: 32 is later than 31."""
    assert starts(preferring("tetrisched", 60)) == [(0, 0), (1, 1)]
    assert starts(preferring("tetrisched", 22, {"plan_ahead_s": 40})) == [(0, 0), (1, 1)]
    assert starts(preferring("tetrisched", 20, {"plan_ahead_s": 40})) == [(0, 0), (20, 0)]


def test_a_task_that_is_planned_for_later_says_when() -> None:
    told = explain(preferring("tetrisched", 3), 1, 2.0)["decisions"][-1]
    assert told["reason"] == "planned"
    assert told["arguments"]["x_s"] == "2 s"


def test_deadlines_go_before_value_by_time() -> None:
    """One machine: the long job has to start at once to end in time, the short one has more time than it needs."""
    jobs = [{"arrival_s": 0, "durations_s": [10]}, {"arrival_s": 0, "durations_s": [2]}]

    def run(**params: Any) -> Any:
        return simulate(experiment("tetrisched", jobs, [{"count": 1}], params=timing("tetrisched") | params))

    plain, strict = run(), run(deadline_slack=1.2)
    assert (plain.tasks["first_start_ns"] / 1e9).tolist() == [2, 0]
    # Only the first can be helped: 10 s of 12, or 2 s of 2.4. In time a task of either is worth ten times as much.
    assert strict.summary["counters"]["late"] == 0
    assert (strict.tasks["first_start_ns"] / 1e9).tolist() == [2, 0]
    assert run(deadline_slack=1).summary["counters"]["late"] == 1


@each_scheduler
def test_tasks_that_start_together_wait_for_one_another(scheduler: str) -> None:
    """Three machines, one busy until 5: a job of three tasks starts then, or two tasks of it at once."""
    jobs = [{"arrival_s": 0, "durations_s": [5]}, {"arrival_s": 0.5, "durations_s": [4, 4, 4]}]

    def run(tasks: str) -> list[float]:
        made = experiment(scheduler, jobs, [{"count": 3}], params=timing(scheduler) | {"tasks": tasks})
        return [start for start, _ in starts(made)]

    assert run("together") == [0, 5, 5, 5]
    assert run("linear") == [0, 1, 1, 5]


@each_scheduler
def test_a_gang_starts_together_among_jobs_that_do_not(scheduler: str) -> None:
    """Two machines, one busy until 5: the gang waits for both, the third job starts a task at once and one at 5.

    A gang of three has no room in this datacenter and does not run in waves; one of unlike tasks is refused.
    """
    first = {"arrival_s": 0, "durations_s": [5.0]}

    def run(*jobs: dict[str, Any]) -> Any:
        params = timing(scheduler) | {"interval_s": 1}
        return simulate(experiment(scheduler, [first, *jobs], [{"count": 2, "cpus": 1}], params=params))

    gang = {"arrival_s": 1, "durations_s": [2.0, 2.0], "gang": True}
    assert [ns / 1e9 for ns in run(gang).tasks["first_start_ns"].tolist()] == [0, 5, 5]
    both = run(gang, {"arrival_s": 1, "durations_s": [4.0, 4.0]}).tasks
    assert len(set(both["first_start_ns"][1:3].tolist())) == 1
    assert both["first_start_ns"][3] == 1e9
    assert run(gang | {"durations_s": [2.0] * 3}).summary["tasks"]["unschedulable"] == 3


@each_scheduler
def test_more_tasks_than_machines_run_in_waves(scheduler: str) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [2.0] * 7}]
    params = timing(scheduler) | {"tasks": "together"}
    made = experiment(scheduler, jobs, [{"count": 4}], params=params)
    assert [start for start, _ in starts(made)] == [0, 0, 0, 0, 2, 2, 2]
    half = experiment(scheduler, jobs, [{"count": 4}], params=params | {"largest_wave": 0.5})
    # Two at once; the next wave finds the other two machines still free in the next cycle.
    assert [start for start, _ in starts(half)] == [0, 0, 1, 1, 2, 2, 3]


@each_scheduler
def test_queues_weigh_by_their_shares(scheduler: str) -> None:
    jobs = [{"arrival_s": 0, "queue": queue, "durations_s": [5.0]} for queue in ("a", "b")]
    queues = [{"name": "a", "share": 0.2}, {"name": "b", "share": 0.8}]

    def first(weights: str) -> int:
        made = experiment(
            scheduler, jobs, [{"count": 1}], params=timing(scheduler) | {"weights": weights}, queues=queues
        )
        return int(np.argmin(simulate(made).tasks["first_start_ns"]))

    assert first("equal") == 0
    assert first("queue_share") == 1


@each_scheduler
def test_groups_beyond_the_bound_are_put_off_and_say_so(scheduler: str) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [5.0]} for _ in range(4)]
    made = experiment(scheduler, jobs, [{"count": 1}], params=timing(scheduler) | {"groups_per_cycle": 2})
    summary = simulate(made).summary
    assert summary["tasks"]["completed"] == 4
    # At 0 one starts, a second round considers two of the other three; at 5 s the second round considers all.
    assert summary["counters"]["put_off"] == 1
    told = explain(made, 3, 1.0)["decisions"][-1]
    assert told["reason"] == "put_off"
    assert told["arguments"]["x"] == "2"


@each_scheduler
def test_further_rounds_of_an_instant_leave_no_machine_idle(scheduler: str) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [9.0]} for _ in range(5)]
    made = experiment(scheduler, jobs, [{"count": 5}], params=timing(scheduler) | {"groups_per_cycle": 2})
    assert [start for start, _ in starts(made)] == [0] * 5
    assert simulate(made).summary["counters"]["cycles"] == 1


@each_scheduler
def test_free_amounts_on_too_many_machines_hold_nothing(scheduler: str) -> None:
    """Two machines of 3 CPUs hold, in sum, three tasks of 2; one by one two of them."""
    jobs = [
        {"arrival_s": 0, "durations_s": [5.0] * 2, "demand": {"cpus": 2}},
        {"arrival_s": 0, "durations_s": [5.0] * 3, "demand": {"cpus": 1}},
    ]
    made = finished(experiment(scheduler, jobs, [{"count": 2, "cpus": 3}], params=timing(scheduler)))
    assert over_commitment(made) <= 0
    assert made.result is not None
    assert made.result.summary["tasks"]["completed"] == 5


@each_scheduler
@examples(30)
@given(data=st.data())
def test_graphs_start_in_order_and_wholly(scheduler: str, data: st.DataObject) -> None:
    simulation = finished(data.draw(dag_experiments(scheduler)))
    assert simulation.result is not None
    assert over_commitment(simulation) <= 0
    state, world, tasks = simulation.state, simulation.world, simulation.result.tasks
    start, end = tasks["first_start_ns"][state.task_order], tasks["end_ns"][state.task_order]
    first = state.group["first"].astype(np.int64)
    opened, over = np.minimum.reduceat(start, first), np.maximum.reduceat(end, first)
    for parent, row in enumerate(state.group):
        for child in state.child[row.first_child : row.first_child + row.children]:
            assert opened[child] < 0 or 0 <= over[parent] <= opened[child]
    assert (world.free == world.capacity).all()
    assert ((tasks["end_ns"] >= 0) == (world.task["state"] != 5)).all()
    assert state.rules[0].unfinished == 0


@each_scheduler
def test_a_graph_whose_tasks_ask_for_different_things_keeps_its_order(scheduler: str) -> None:
    """Constraints are drawn task by task, so a stage becomes several groups, and its children wait for all of them."""
    stages = [stage("a", 8, 1, cpus=1), stage("b", 8, 1, "a", cpus=1)]
    made = experiment(
        scheduler,
        [{"arrival_s": 0, "stages": stages}],
        [{"count": 8}],
        params=timing(scheduler),
        constraints={
            "catalogue": "custom",
            "custom": [{"name": "x", "machine_share": 0.5}],
            "task_share": 0.5,
            "soft": [{"name": "x", "slowdown": 2}],
        },
        topology={"clusters": [{"machines": [{"count": 8}], "constraint_mix": "custom"}]},
    )
    tasks = simulate(made).tasks
    assert (tasks["end_ns"] > 0).all()
    assert tasks["first_start_ns"][8:].min() >= tasks["end_ns"][:8].max()


@each_scheduler
def test_a_solver_that_comes_to_its_limit_loses_nothing(scheduler: str) -> None:
    data = loaded(scheduler)
    data["scheduler"]["params"] = {"solver_limit": 1e-9, "interval_s": 1}
    summary = simulate(Experiment.parse(data)).summary
    assert summary["tasks"]["completed"] == summary["tasks"]["total"]
    assert summary["counters"]["solver_limits"] > 0


@wide
@pytest.mark.parametrize("scheduler", by_loop(["tetrisched", "alsched"]))
@pytest.mark.slow
def test_one_outcome_for_every_slicing_and_every_hash_seed(scheduler: str) -> None:
    data = loaded(scheduler)
    data["workload"]["jobs"] = 60
    data["scheduler"]["params"] = {"interval_s": 0.5, "solver_limit": 0.01}
    data["constraints"] = {"catalogue": "megha-21", "soft": [{"name": "c03", "slowdown": 2}]}
    data["topology"]["clusters"][0]["constraint_mix"] = "google-a"
    whole = simulate(Experiment.parse(data)).summary
    sliced = Simulation(Experiment.parse(data), frames=11, slice_events=3)
    for _ in sliced.run():
        pass
    assert sliced.result is not None
    assert sliced.result.summary["outcome_digest"] == whole["outcome_digest"]
    assert sliced.result.summary["counters"] == whole["counters"]
    code = f"from scheduler_core import *; print(simulate(Experiment.parse({data!r})).summary['outcome_digest'])"
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == whole["outcome_digest"]


@wide
@pytest.mark.slow
def test_nothing_imports_the_solver_until_a_run_needs_it() -> None:
    code = (
        "import sys, scheduler_core\n"
        "from scheduler_core import Experiment, simulate, scheduler_by_name\n"
        "data = {'schema_version': 1, 'topology': {'clusters': [{'machines': [{}]}]}, 'scheduler': {'name': 'drf'},\n"
        "        'workload': {'kind': 'inline', 'jobs': [{'arrival_s': 0, 'durations_s': [1]}]}}\n"
        "simulate(Experiment.parse(data))\n"
        "Experiment.parse(data | {'scheduler': {'name': 'tetrisched'}})\n"
        "print('ortools' in sys.modules)\n"
        "scheduler_by_name('tetrisched').load()\n"
        "print('ortools' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"quantum_s": 10, "plan_ahead_s": 5}, "1 to 64 slices"),
        ({"quantum_s": 1, "plan_ahead_s": 65}, "1 to 64 slices"),
        ({"solver_limit": 0}, "above 0"),
        ({"groups_per_cycle": 0}, "at least 1"),
    ],
)
def test_plans_that_cannot_be_are_told_at_their_field(params: dict[str, Any], words: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        experiment("tetrisched", [{"arrival_s": 0, "durations_s": [1]}], [{}], params=params)
    assert caught.value.problems[0].path.startswith("scheduler.params")
    assert words in str(caught.value)


@each_scheduler
def test_what_a_machine_loses_starts_again_and_a_plan_leaves_machines_that_are_out_alone(scheduler: str) -> None:
    """One task of 4 s on each of two machines; the first fails after 1 s for 10 s, so its task follows the other."""
    events = [{"at_s": 1, "kind": "fail", "target": {"machine": 0}, "duration_s": 10}]
    jobs = [{"arrival_s": 0, "durations_s": [4, 4]}]
    tasks = simulate(experiment(scheduler, jobs, [{}, {}], events=events, params={"interval_s": 0.5})).tasks
    assert sorted(tasks["attempts"].tolist()) == [1, 2]
    lost, kept = (int(np.flatnonzero(tasks["attempts"] == n)[0]) for n in (2, 1))
    assert tasks["machine"][lost] == tasks["machine"][kept] == 1
    assert tasks["lost_ns"][lost] == pytest.approx(1e9, abs=1e7)
    assert tasks["last_start_ns"][lost] >= tasks["end_ns"][kept]


def test_shares_that_change_weigh_jobs_from_the_next_cycle_on() -> None:
    """Two jobs of two queues want the one machine; at first the share of the second is less, then it is more."""
    queues = [{"name": "a", "share": 0.6}, {"name": "b", "share": 0.4}]
    jobs = [{"arrival_s": 0, "durations_s": [2], "queue": "a"}] + [
        {"arrival_s": 0.1, "durations_s": [2], "queue": name} for name in ("a", "b")
    ]

    def order(events: list[dict[str, Any]]) -> list[int]:
        params = {"interval_s": 0.5, "weights": "queue_share"}
        found = simulate(experiment("alsched", jobs, [{}], queues=queues, events=events, params=params)).tasks
        return found["first_start_ns"].argsort().tolist()

    assert order([]) == [0, 1, 2]
    assert order([{"at_s": 1, "kind": "set", "target": {"queue": "b"}, "value": {"share": 0.95}}]) == [0, 2, 1]


def test_who_waits_for_a_machine_that_is_out_holds_up_nobody_else() -> None:
    """A cycle looks at one group; the first one asks for two CPUs, which only the failed machine had."""
    made = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"machines": [{"cpus": 2}, {"cpus": 1}]}]},
            "network": {"message_delay_s": 0},
            "workload": {
                "kind": "inline",
                "jobs": [{"arrival_s": 1, "durations_s": [1], "demand": {"cpus": cpus}} for cpus in (2, 1, 1)],
            },
            "scheduler": {"name": "tetrisched", "params": timing("tetrisched") | {"groups_per_cycle": 1}},
            "events": [{"at_s": 0, "kind": "fail", "target": {"machine": 0}}],
        }
    )
    run = simulate(made)
    assert run.tasks["machine"].tolist() == [-1, 1, 1]
    assert (run.tasks["end_ns"][1:] > 0).all()
