"""Schedulers of one queue: scores, strategies, order, preemption and times of decisions, worked out on paper."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, RunResult, RunView, Simulation, explain, scheduler_by_name, simulate
from scheduler_core.experiment import unsupported
from scheduler_core.recording.track import numbers
from scheduler_core.schedulers.queue.protocol import _step, _wanted
from tests.core.experiments import LOOPS, experiments
from tests.tiers import all_but_wide, examples

PROJECT = Path(__file__).resolve().parents[2]
NAMES = next(names for names in LOOPS.values() if "kubernetes-papers" in names)
"""Those of this event loop. `own` has a queue as well, and `kubernetes` too, but each has a loop of its own."""
each_scheduler = pytest.mark.parametrize("scheduler", NAMES)
UNWEIGHED = dict.fromkeys(("least_allocated", "balanced", "locality", "spread", "affinity"), 0.0)
TWO = [{"name": "low", "share": 0.2}, {"name": "high", "share": 0.8}]


def experiment(
    scheduler: str, jobs: list[dict[str, Any]], machines: list[dict[str, Any]], racks: int = 1, **more: Any
) -> Experiment:
    """Decisions and messages take no time unless told."""
    params = {"decision_time": "none"} | more.pop("params", {})
    demand = {"cpus": 1, "memory_gb": 0}
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": more.pop("seed", 1),
            "network": {"message_delay_s": 0},
            "topology": {"clusters": [{"name": "c", "racks": racks, "machines": machines}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "demand": demand} | job for job in jobs]},
            "scheduler": {"name": scheduler, "params": params},
            **more,
        }
    )


def job(cpus: float, memory_gb: float = 0, seconds: float = 9, **more: Any) -> dict[str, Any]:
    return {"durations_s": [seconds], "demand": {"cpus": cpus, "memory_gb": memory_gb}} | more


def starts(found: RunResult) -> list[float]:
    return [float(ns) / 1e9 for ns in found.tasks["first_start_ns"]]


def machines_of(found: RunResult) -> list[int]:
    return [int(machine) for machine in found.tasks["machine"]]


def last_score(made: Experiment) -> tuple[int, int]:
    """The machine of the last task, and its score in tenths of a point as its sentence tells it."""
    simulation = Simulation(made, frames=0)
    for _ in simulation.run():
        pass
    rows = simulation.decisions()
    row = rows[rows["task"] == rows["task"].max()][-1]
    return int(row["machine"]), int(row["y"])


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), min_size=1, max_size=40), st.integers(1, 5))
@examples(30)
def test_fifo_starts_tasks_as_the_recursion_for_equal_servers_does(work: list[tuple[int, int]], servers: int) -> None:
    """Kiefer and Wolfowitz: in order of arrival, each task takes the server that is free first."""
    work.sort(key=lambda each: each[0])
    jobs = [job(1, arrival_s=arrival / 4, seconds=quarters / 4) for arrival, quarters in work]
    free, expected = [0] * servers, []
    for arrival, quarters in work:
        free.sort()
        expected.append(max(arrival, free[0]) / 4)
        free[0] = max(arrival, free[0]) + quarters
    assert starts(simulate(experiment("fifo", jobs, [{"count": servers, "cpus": 1}]))) == expected


@pytest.mark.parametrize(("overtake", "start"), [(False, 10.0), (True, 0.0)])
def test_fifo_s_head_holds_up_a_small_task_unless_tasks_may_overtake(overtake: bool, start: float) -> None:
    jobs = [job(3, seconds=10), job(3, seconds=10), job(1)]
    made = experiment("fifo", jobs, [{"count": 1, "cpus": 4}], params={"overtake": overtake})
    assert starts(simulate(made)) == [0.0, 10.0, start]
    if not overtake:
        why = explain(made, 2, 5)
        assert "Task 1 is at the head of the queue" in str(why)


def test_chance_takes_each_machine_with_room_equally_often_and_none_without() -> None:
    jobs = [job(4), *(job(1, seconds=0.5, arrival_s=1 + i) for i in range(900))]
    jobs[0]["durations_s"] = [2000]
    found = simulate(experiment("random-queue", jobs, [{"count": 4, "cpus": 4}]))
    full, rest = machines_of(found)[0], machines_of(found)[1:]
    often = np.bincount(rest, minlength=4)
    assert often[full] == 0
    assert np.delete(often, full).min() > 250


@each_scheduler
def test_who_finds_no_room_does_not_hold_up_who_does(scheduler: str) -> None:
    """Two machines of 2: a task of 1 runs, one of 2 takes the other, the next of 2 waits, the last of 1 does not."""
    jobs = [job(1, seconds=5), job(2, seconds=9), job(2), job(1, seconds=1)]
    params = {"swarm": {"strategy": "binpack"}, "fifo": {"overtake": True}}.get(scheduler, {})
    assert starts(simulate(experiment(scheduler, jobs, [{"count": 2, "cpus": 2}], params=params))) == [0, 0, 5, 0]


def test_swarm_spreads_or_packs_by_what_is_in_use_of_all_resources() -> None:
    """Machines of 4 and 8 CPUs: after a task of 2 each the first is in use by a half, the second by a quarter."""
    jobs = [job(2, arrival_s=0), job(2, arrival_s=1), job(2, arrival_s=2), job(2, arrival_s=3)]
    machines = [{"cpus": 4, "memory_gb": 0}, {"cpus": 8, "memory_gb": 0}]

    def by(strategy: str) -> list[int]:
        return machines_of(simulate(experiment("swarm", jobs, machines, params={"strategy": strategy})))

    # What would be left: 1/2 or 3/4; 1/2 or 1/2, where the first has fewer tasks; 0 or 1/2; 0 or 1/4.
    assert by("spread") == [1, 0, 1, 1]
    # In use it would be 1/2 or 1/4; 1 or 1/4; then only the second has room.
    assert by("binpack") == [0, 0, 1, 1]


def test_swarm_takes_a_full_machine_with_what_is_wished_before_an_empty_one_without() -> None:
    wish: dict[str, Any] = {
        "constraints": {
            "catalogue": "custom",
            "soft": [{"name": "gpu", "slowdown": 3}],
            "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
        }
    }
    jobs = [job(1, seconds=10, constraints=["gpu"]) for _ in range(4)]
    made = experiment("swarm", jobs, [{"count": 2, "cpus": 4}, {"cpus": 3, "attributes": {"gpu": True}}], **wish)
    found = simulate(made)
    assert machines_of(found) == [2, 2, 2, 0]
    assert (found.tasks["end_ns"] / 1e9).tolist() == [10, 10, 10, 30]
    assert found.summary["counters"]["relaxed"] == 1
    assert "lacks 1 of the task's soft constraints" in explain(made, 3)["decisions"][1]["sentence"]


@pytest.mark.parametrize(("weights", "machine", "tenths"), [
    # Machines of 4 CPUs and 8 GB, 8 CPUs and 8 GB; the task takes 2 CPUs and 1 GB.
    ({"least_allocated": 1}, 1, 1000 * (6 / 8 + 7 / 8) / 2),
    ({"balanced": 1}, 1, 1000 * (1 - (7 / 8 - 6 / 8) / 2)),
    ({"least_allocated": 1, "balanced": 2}, 1, 1000 * ((6 / 8 + 7 / 8) / 2 + 2 * (1 - (7 / 8 - 6 / 8) / 2)) / 3),
    ({"spread": 3}, 0, 1000),
    ({"affinity": 2}, 0, 1000),
])  # fmt: skip
def test_kubernetes_takes_the_weighted_mean_of_parts(weights: dict[str, float], machine: int, tenths: float) -> None:
    machines = [{"cpus": 4, "memory_gb": 8}, {"cpus": 8, "memory_gb": 8}]
    made = experiment("kubernetes-papers", [job(2, 1)], machines, params=UNWEIGHED | weights)
    assert last_score(made) == (machine, int(tenths))


def test_choices_have_the_score_of_every_machine_with_room_as_the_kernel_counted_it() -> None:
    """Machine 0 is full, 1 has 3 CPUs free and 2 has 1: after a task of 1 CPU a half and nothing would be left."""
    jobs = [job(4), job(1, arrival_s=1), job(3, arrival_s=2), job(1, arrival_s=3)]
    machines = [{"count": 3, "cpus": 4, "memory_gb": 0}]
    simulation = Simulation(experiment("kubernetes-papers", jobs, machines, params=UNWEIGHED | {"least_allocated": 1}))
    for _ in simulation.run():
        pass
    rows = simulation.decisions()
    choices = RunView(simulation).track()["choices"]
    assert choices["count"] == len(rows) == 4
    last = numbers(choices["scores"], 2).reshape(4, 3)[-1]
    (full,) = np.flatnonzero(last == 0)
    assert sorted(last[last > 0].tolist()) == [1, 1 + 10 * 50]
    assert int(rows[-1]["machine"]) == int(last.argmax()) != full
    assert int(rows[-1]["y"]) == 500
    (part,) = choices["parts"]
    assert part["label"] == "free room"
    points = numbers(part["tenths"], 2).reshape(4, 3)[-1]
    assert (points[last > 0] == last[last > 0] - 1).all()


def test_kubernetes_keeps_tasks_of_one_job_apart() -> None:
    """Two of the first job run on machine 0 and 1, so to a third one machine 2 is worth 100, the others 50."""
    jobs = [{"durations_s": [9, 9, 9, 9]}]
    made = experiment("kubernetes-papers", jobs, [{"count": 3, "cpus": 4}], params=UNWEIGHED | {"spread": 1})
    found = simulate(made)
    assert sorted(machines_of(found)[:3]) == [0, 1, 2]
    assert last_score(made)[1] == 500


def test_kubernetes_goes_where_the_data_are_if_they_count() -> None:
    jobs = [job(1, seconds=1, arrival_s=10 * i) for i in range(40)]
    machines = [{"count": 12, "cpus": 4}]
    near = simulate(
        experiment("kubernetes-papers", jobs, machines, 4, params=UNWEIGHED | {"locality": 1, "unsized_data": True})
    ).summary
    assert (near["counters"]["local"], near["counters"]["remote"]) == (40, 0)
    far = simulate(experiment("kubernetes-papers", jobs, machines, 4, params=UNWEIGHED | {"input_gb": 1})).summary
    assert far["counters"]["local"] < 25
    assert far["counters"]["read_core_mb"] > 0


@pytest.mark.parametrize(("machines", "percentage", "wanted"), [
    (50, 0, 50), (100, 0, 100), (125, 0, 100), (1000, 0, 420), (5000, 0, 500), (6000, 0, 300), (20_000, 0, 1000),
    (1000, 30, 300), (1000, 1, 100), (1000, 100, 1000),
])  # fmt: skip
def test_kubernetes_stops_looking_by_its_formula(machines: int, percentage: float, wanted: int) -> None:
    assert _wanted({"percentage": percentage}, machines) == wanted


def test_kubernetes_goes_on_looking_where_it_stopped() -> None:
    """With 1,000 machines 420 are enough: the second decision begins at machine 420, the third goes round."""
    jobs = [job(1, arrival_s=i) for i in range(3)]
    made = experiment("kubernetes-papers", jobs, [{"count": 1000, "cpus": 1}], params=UNWEIGHED)
    found = simulate(made)
    assert machines_of(found) == [0, 420, 840]
    assert found.summary["counters"]["machines_looked_at"] == 420 + 420 + 421  # machine 0 is full


@pytest.mark.parametrize(("strategy", "machine"), [("best-fit", 0), ("hybrid", 1), ("e-pvm", 2)])
def test_borgs_strategies(strategy: str, machine: int) -> None:
    """A task of 2 CPUs and 2 GB on machines of (3, 8), (6, 6), (8, 16).

    Left would be (1/3, 3/4), (2/3, 2/3), (3/4, 7/8). Least is left on the first, none is stranded on the second; on
    the third the cost grows least, 3^(1/4) + 3^(1/8) - 2 = 0.46, of 3^(1/3) + 3^(1/3) - 2 = 0.88 on the second.
    """
    machines = [{"cpus": 3, "memory_gb": 8}, {"cpus": 6, "memory_gb": 6}, {"cpus": 8, "memory_gb": 16}]
    found, _ = last_score(experiment("borg-like", [job(2, 2)], machines, params={"strategy": strategy}))
    assert found == machine


@pytest.mark.parametrize("machines", [1, 2, 3, 7, 10, 60, 1000, 5040])
def test_borg_looks_at_every_machine_once(machines: int) -> None:
    step = _step(machines)
    assert sorted(i * step % machines for i in range(machines)) == list(range(machines))


def test_borg_serves_queues_of_one_share_in_turns_and_larger_shares_first() -> None:
    """One slot, a second each: of `a` and `b` in turns, but all of `top` before them once they are there."""
    queues = [{"name": "a", "share": 0.2}, {"name": "b", "share": 0.2}, {"name": "top", "share": 0.4}]
    jobs: list[dict[str, Any]] = [
        {"durations_s": [1.0] * 3, "queue": "a"},
        {"durations_s": [1.0] * 3, "queue": "b"},
        {"durations_s": [1.0] * 2, "queue": "top", "arrival_s": 1.5},
    ]
    made = experiment("borg-like", jobs, [{"cpus": 1}], queues=queues, params={"preemption": False})
    assert starts(simulate(made)) == [0, 4, 6, 1, 5, 7, 2, 3]
    fifo = experiment("kubernetes-papers", jobs, [{"cpus": 1}], queues=queues, params={"preemption": False})
    assert starts(simulate(fifo)) == [0, 1, 4, 5, 6, 7, 2, 3]


def test_victims_are_those_of_least_priority_who_do_not_fit_beside_the_newcomer() -> None:
    """Machine of 4: tasks of 2 (middle), 1 (low, first), 1 (low, later). The newcomer takes 1: the later one goes."""
    queues = [{"name": "low", "share": 0.1}, {"name": "middle", "share": 0.3}, {"name": "high", "share": 0.6}]
    jobs = [
        job(2, queue="middle"),
        job(1, queue="low"),
        job(1, queue="low", arrival_s=1),
        job(1, queue="high", arrival_s=2, seconds=3),
    ]
    made = experiment("kubernetes-papers", jobs, [{"cpus": 4}], queues=queues)
    found = simulate(made)
    assert found.tasks["attempts"].tolist() == [1, 1, 2, 1]
    assert starts(found)[3] == 2
    assert (found.tasks["lost_ns"] / 1e9).tolist() == [0, 0, 1, 0]
    assert (found.tasks["last_start_ns"] / 1e9).tolist()[2] == 5
    assert found.summary["counters"]["preemptions"] == 1
    assert "task of queue high" in explain(made, 2)["decisions"][1]["sentence"]


@pytest.mark.parametrize(("cpus", "machine"), [
    (1, 0),  # of machine 0 a low one goes; of machine 1 a middle one would
    (3, 1),  # machine 0 has only 2: a middle one has to go
])  # fmt: skip
def test_that_machine_is_taken_whose_first_victim_has_least_priority(cpus: int, machine: int) -> None:
    queues = [{"name": "low", "share": 0.1}, {"name": "middle", "share": 0.3}, {"name": "high", "share": 0.6}]
    jobs = [job(2, queue="low"), job(3, queue="middle"), job(cpus, queue="high", arrival_s=1)]
    machines = [{"cpus": 2}, {"cpus": 3}]
    found = simulate(experiment("kubernetes-papers", jobs, machines, queues=queues))
    assert machines_of(found)[2] == machine
    assert [int(i) for i in np.flatnonzero(found.tasks["attempts"] > 1)] == [machine]


def test_production_never_makes_way_whatever_comes() -> None:
    queues = [{"name": "batch", "share": 0.1}, {"name": "web", "share": 0.4}, {"name": "top", "share": 0.5}]
    jobs = [
        job(1, queue="batch"),
        job(1, queue="web"),
        job(1, queue="top", arrival_s=1),
        job(1, queue="top", arrival_s=2),
    ]
    for production, attempts in ((0.4, [2, 1, 1, 1]), (0.5, [2, 2, 1, 1])):
        params = {"production": production}
        made = experiment("borg-like", jobs, [{"count": 2, "cpus": 1}], queues=queues, params=params)
        assert simulate(made).tasks["attempts"].tolist() == attempts


def test_slots_count_among_what_a_victim_gives_back() -> None:
    jobs = [job(1, queue="low"), job(1, queue="low"), job(1, queue="high", arrival_s=1)]
    found = simulate(experiment("kubernetes-papers", jobs, [{"cpus": 8}], queues=TWO, params={"slots": 2}))
    assert found.tasks["attempts"].tolist() == [1, 2, 1]


def test_decisions_take_their_time_one_after_another() -> None:
    """1 ms each, 10 ms a machine looked at, 100 ms one scored; two machines of one slot, messages take a second.

    The first: 1 + 20 + 200. The second has one machine left: 1 + 20 + 100. The third finds none, 1 + 20, and again
    when the first has ended: at 1.221 + 5, which is known at 7.221; only its machine is looked at: 1 + 10 + 100.
    """
    params = {"decision_time": "modelled", "decision_us": 1e3, "filter_ns": 1e7, "score_ns": 1e8}
    made = experiment(
        "swarm", [{"durations_s": [5.0] * 3}], [{"count": 2, "cpus": 1}], params=params, network={"message_delay_s": 1}
    )
    found = simulate(made)
    assert starts(found) == [1.221, 1.342, 8.332]
    assert (found.tasks["processing_ns"] / 1e6).tolist() == [221, 121, 111]
    counters = found.summary["counters"]
    assert (counters["decisions"], counters["in_vain"]) == (4, 1)
    assert (counters["machines_looked_at"], counters["machines_scored"]) == (7, 4)


def test_a_machine_that_fails_while_it_is_chosen_is_not_used() -> None:
    made = experiment(
        "swarm",
        [job(1)],
        [{"cpus": 8, "memory_gb": 0}, {"cpus": 2, "memory_gb": 0}],
        params={"decision_time": "modelled", "decision_us": 1e6},
        events=[{"at_s": 0.5, "kind": "fail", "target": {"machine": 0}}],
    )
    found = simulate(made)
    assert machines_of(found) == [1]
    assert found.summary["counters"]["late"] == 1
    assert starts(found)[0] == pytest.approx(2, abs=1e-4)


@each_scheduler
def test_what_a_machine_loses_waits_in_its_old_place(scheduler: str) -> None:
    """The first task runs again before the third, which has waited since then."""
    made = experiment(
        scheduler,
        [{"durations_s": [10.0] * 3}],
        [{"count": 2, "cpus": 1}],
        events=[{"at_s": 4, "kind": "fail", "target": {"machine": 0}, "duration_s": 2}],
    )
    found = simulate(made)
    first = int(np.flatnonzero(found.tasks["attempts"] == 2)[0])
    assert (found.tasks["last_start_ns"] / 1e9).tolist()[first] == 6
    assert starts(found)[2] == 10
    assert found.summary["lost_work_s"] == 4


def test_a_change_of_shares_changes_who_makes_way() -> None:
    """`b` has more at first; from 2 on `a` has, so that the task of `c` stops the one of `b`."""
    queues = [{"name": "a", "share": 0.1}, {"name": "b", "share": 0.2}, {"name": "c", "share": 0.7}]
    jobs = [job(1, queue="a"), job(1, queue="b"), job(1, queue="c", arrival_s=3)]
    events = [{"at_s": 2, "kind": "set", "target": {"queue": "a"}, "value": {"share": 0.3}}]
    for scheduler in ("kubernetes-papers", "borg-like"):
        found = simulate(experiment(scheduler, jobs, [{"cpus": 2}], queues=queues, events=events))
        assert found.tasks["attempts"].tolist() == [1, 2, 1]
        before = simulate(experiment(scheduler, jobs, [{"cpus": 2}], queues=queues))
        assert before.tasks["attempts"].tolist() == [2, 1, 1]


def test_a_strategy_is_changed_while_the_run_goes_on() -> None:
    jobs = [job(1, arrival_s=i) for i in range(4)]
    events = [{"at_s": 1.5, "kind": "set", "target": {"scheduler": True}, "value": {"strategy": "binpack"}}]
    found = simulate(experiment("swarm", jobs, [{"count": 3, "cpus": 4}], events=events))
    assert machines_of(found) == [0, 1, 0, 0]


def test_an_input_far_away_makes_a_task_take_longer_and_is_told_in_the_counters() -> None:
    made = experiment(
        "random-queue",
        [{"durations_s": [1.0] * 200}],
        [{"count": 40, "cpus": 8}],
        racks=4,
        params={"input_gb": 2, "rack_gb_s": 1, "core_gb_s": 0.5},
    )
    simulation = Simulation(made, frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    tasks, pace = simulation.result.tasks, simulation.state
    rack = simulation.world.machine["rack"]
    for t in range(200):
        near = set(pace.replica[t].tolist())
        far = 0.0 if tasks["machine"][t] in near else 1.0 if rack[tasks["machine"][t]] in rack[list(near)] else 2.0
        took_s = (tasks["end_ns"][t] - tasks["last_start_ns"][t]) / 1e9
        assert took_s == pytest.approx(1 + far * pace.paced["input_gb"][t], abs=1e-6)
    read = simulation.result.summary["counters"]
    assert read["local"] + read["in_rack"] + read["remote"] == 200
    assert sum(read[f"read_{where}_mb"] for where in ("local", "rack", "core")) == pytest.approx(
        1e3 * float(pace.paced["input_gb"].sum()), rel=0.01
    )


@pytest.mark.parametrize("scheduler", all_but_wide(NAMES, ["kubernetes-papers"]))
def test_reading_and_disturbing_come_out_the_same_where_nothing_is_compiled(scheduler: str, tmp_path: Path) -> None:
    queues = [{"name": name, "share": share} for name, share in (("a", 0.1), ("b", 0.2), ("c", 0.7))]
    jobs = [{"arrival_s": i / 4, "durations_s": [1.7] * 3, "queue": "abc"[i % 3]} for i in range(40)]
    made = experiment(
        scheduler,
        jobs,
        [{"count": 6, "cpus": 3}],
        racks=2,
        queues=queues,
        params={"decision_time": "modelled", "input_gb": 0.3, "interference": 1},
    )
    (tmp_path / "it.json").write_text(json.dumps(made.to_dict()))
    code = (
        "from scheduler_core import Experiment, simulate; import json\n"
        "s = simulate(Experiment.from_file('it.json')).summary\n"
        "print(json.dumps([s['outcome_digest'], s['counters']]))"
    )
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(PROJECT)},
    )
    here = simulate(made).summary
    assert json.loads(told.stdout) == [here["outcome_digest"], here["counters"]]


def test_the_summary_tells_times_against_the_ideal_with_and_without_waiting() -> None:
    """Two slots without what four tasks of 2 s wish: each runs 8 s, so 1/4; two wait 8 s: the mean of 1/4 and 1/8."""
    made = experiment(
        "kubernetes-papers",
        [{"durations_s": [2.0] * 4, "constraints": ["a"]}],
        [{"count": 2, "cpus": 1}],
        constraints={
            "catalogue": "custom",
            "custom": [{"name": "a", "machine_share": 0}],
            "soft": [{"name": "a", "slowdown": 4}],
        },
        topology={"clusters": [{"machines": [{"count": 2, "cpus": 1}], "constraint_mix": "custom"}]},
    )
    found = simulate(made).summary["running"]
    assert found["snp"] == pytest.approx(1 / 4)
    assert found["snp_with_waiting"] == pytest.approx((1 / 4 * 1 / 8) ** 0.5)
    assert (found["run_s"]["mean"], found["wait_s"]["mean"], found["response_s"]["mean"]) == (8, 4, 12)
    assert "locality" not in found  # there are no data
    assert "read_gb" not in found


@each_scheduler
@examples(30)
@given(data=st.data(), stop=st.integers(1, 100))
def test_paces_lists_and_counts_come_out_even(scheduler: str, data: st.DataObject, stop: int) -> None:
    """With reading, interference, faults and changes: sliced as whole, and at the end nobody is anywhere."""
    made = data.draw(experiments(scheduler, incidents=True, bands=data.draw(st.booleans()))).to_dict()
    supports = scheduler_by_name(scheduler).supports
    made["events"] = [
        one for one in made["events"] if not unsupported(Experiment.parse(made | {"events": [one]}), supports)
    ]
    made["scheduler"]["params"] |= {"input_gb": 1, "interference": 1, "kinds": "queue"}
    whole = simulate(Experiment.parse(made)).summary
    simulation = Simulation(Experiment.parse(made), frames=3, slice_events=stop)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    for part in ("outcome_digest", "counters", "tasks"):
        assert simulation.result.summary[part] == whole[part]
    state, world, tasks = simulation.state, simulation.world, simulation.result.tasks
    done = tasks["end_ns"] >= 0
    assert (state.beside == 0).all()
    assert (state.line["running"] == 0).all()
    assert (state.host["head"] == -1).all()
    assert (world.task["duration_ns"][done] == (tasks["end_ns"] - tasks["last_start_ns"])[done]).all()
    assert int(state.group["waiting"].sum()) == int((world.task["state"] == 1).sum())
    stopped = int(tasks["attempts"][tasks["attempts"] > 0].sum()) - int((tasks["attempts"] > 0).sum())
    assert stopped <= whole["counters"].get("preemptions", 0) + int(state.rules[0].lost)
