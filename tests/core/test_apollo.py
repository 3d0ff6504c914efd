"""Apollo against examples worked out on paper, slow versions of its matrix and its matching, and its books."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from scheduler_core import Experiment, RunResult, Simulation, explain, simulate
from scheduler_core.engine import rng
from scheduler_core.schedulers.probing.apollo.reasons import CHOSEN
from scheduler_core.schedulers.probing.apollo.state import FINEST, LEVELS
from tests.core.experiments import experiments
from tests.core.test_invariants import finished
from tests.tiers import examples, wide

PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"


def few(params: dict[str, Any], jobs: list[dict[str, Any]], machines: int = 1, cpus: int = 1) -> Experiment:
    """Servers that are alike, messages of 10 ms; matrices are published at 3, 6, 9 ... s."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "network": {"message_delay_s": 0.01},
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": cpus, "memory_gb": 16}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0} | job for job in jobs]},
            "scheduler": {"name": "apollo", "params": params},
        }
    )


def starts(found: RunResult) -> list[float]:
    return [round(ns / 1e9, 9) for ns in found.tasks["first_start_ns"].tolist()]


def one(arrival_s: float, duration_s: float, cpus: float = 1) -> dict[str, Any]:
    return {"arrival_s": arrival_s, "durations_s": [duration_s], "demand": {"cpus": cpus}}


def at(time_s: float, made: Experiment) -> Simulation:
    """A run up to a time, what happens then included."""
    return finished(Experiment.parse(made.to_dict() | {"stop": {"when": "at_s", "at_s": time_s}}))


@wide
def test_the_matrix_tells_when_tasks_of_each_size_could_start() -> None:
    """Of 8 CPUs 5 are taken until 20.01, 2 until 10.01, and one task of 4 waits: until 20.01, then half are free."""
    jobs = [one(0, 20, 5), one(0, 10, 2), one(1, 7, 4)]
    seen = at(6, few({}, jobs, cpus=8)).state.start_ns.reshape(LEVELS, LEVELS) / 1e9
    assert seen[:, 0].round(9).tolist() == [20.01] * 5 + [27.01]
    assert (seen == seen[:, :1]).all()  # nobody asks for memory
    before = at(6, few({}, jobs[:2], cpus=8)).state.start_ns.reshape(LEVELS, LEVELS)[:, 0] / 1e9
    assert before.round(9).tolist() == [3, 3, 3, 10.01, 20.01, 20.01]  # 1 CPU is free, 3, 8


def slow_matrix(simulation: Simulation, server: int) -> list[int]:
    """Work out a server's matrix from lists; for work whose estimates are right."""
    world, state = simulation.world, simulation.state
    now = int(world.control[0].now_ns)
    demand = world.demand[world.task["demand"]]
    estimate = state.group["estimate_ns"][world.task["kind"]]
    running = np.flatnonzero((world.task["state"] == 3) & (world.task["machine"] == server))
    ends = [(int(world.task["last_start_ns"][t] + estimate[t]), int(t)) for t in running]
    free, start, waiting = world.free[server].copy(), now, []
    probe = state.worker["first"][server]
    while probe >= 0:
        waiting.append(int(state.probe["task"][probe]))
        probe = state.probe["next"][probe]
    for task in [t for t in waiting if world.task["state"][t] == 1]:
        while (free < demand[task]).any():
            start, ended = min(ends)
            ends.remove((start, ended))
            free += demand[ended]
        free -= demand[task]
        ends.append((start + int(estimate[task]), task))
    sizes = [0, *(2**level / FINEST for level in range(LEVELS - 1))]
    found = []
    for cpus in sizes:
        for memory in sizes:
            wanted = world.capacity[server][:2] * np.array([cpus, memory])
            room, when, left = free[:2].astype(float), start, sorted(ends)
            while (room < wanted).any():
                when, ended = max(left[0][0], when), left.pop(0)[1]
                room += demand[ended][:2]
            found.append(when)
    return found


def test_matrices_are_those_of_plain_lists() -> None:
    rng_ = np.random.default_rng(4)
    jobs = [
        {
            "arrival_s": 0.37 * i,
            "durations_s": [float(rng_.integers(1, 40)) / 2] * int(rng_.integers(1, 8)),
            "demand": {"cpus": float(rng_.integers(1, 7)), "memory_gb": float(rng_.integers(0, 9))},
        }
        for i in range(60)
    ]
    simulation = at(21, few({"correction": False, "tokens": 4}, jobs, machines=7, cpus=8))
    assert simulation.state.worker["length"].max() > 3
    for server in range(7):
        published = np.maximum(simulation.state.start_ns[server], int(simulation.world.control[0].now_ns))
        assert published.tolist() == slow_matrix(simulation, server)


def test_no_task_and_place_would_rather_have_one_another() -> None:
    """Ten tasks come at once; what eight servers had published before differs by tasks of 5.5 to 50.5 s."""
    jobs = [one(0.1 * i, 5 * i + 0.5) for i in range(1, 11)]
    jobs.append({"arrival_s": 4, "durations_s": [2.0] * 10})
    made = few({"choices": 4}, jobs, machines=8)
    simulation = finished(made)
    waits = np.maximum(at(3, made).state.start_ns[:, -1] - 4 * 10**9, 0)
    rows = simulation.decisions()
    rows = rows[(rows["reason"] == CHOSEN) & (rows["task"] >= 10)]
    assert rows["task"].tolist() == list(range(10, 20))
    has = {int(r["task"]): (int(r["x"]), int(r["machine"])) for r in rows}
    wanted: dict[int, list[tuple[int, int, int]]] = {}
    for task in has:
        drawn: list[int] = []
        while len(drawn) < 4:
            server = rng.below(made.seed, rng.STREAM_PICK, task, (1 << 32) + len(wanted.get(task, [])), 8)
            wanted.setdefault(task, []).append((0, 0, 0))
            drawn += [server] if server not in drawn else []
        wanted[task] = sorted(
            (int(waits[m]) + place * 2 * 10**9, number, m) for number, m in enumerate(drawn) for place in range(10)
        )
    holder = {wait_and_server: task for task, wait_and_server in has.items()}
    assert len(holder) == 10

    def saving(task: int, number: int) -> int:
        return wanted[task][number + 1][0] - wanted[task][number][0]

    index = {task: [(w, m) for w, _, m in wanted[task]].index(has[task]) for task in has}
    assert max(index.values()) > 0
    for task in has:
        for number in range(index[task]):  # places that it would rather have
            wait, _, server = wanted[task][number]
            other = holder[wait, server]
            assert saving(other, index[other]) >= saving(task, number)


def test_tokens_let_a_job_in_and_its_other_tasks_fill_gaps() -> None:
    """One token: task 1 gets it at 1.02, behind the other job's; task 2 starts at 3.01, when nothing else is to do."""
    jobs = [{"durations_s": [1.0] * 3}, one(0.5, 1)]
    made = few({"tokens": 1}, jobs)
    found = simulate(made)
    assert starts(found) == [0.01, 2.01, 3.01, 1.01]
    counters = found.summary["counters"]
    assert (counters["regular"], counters["opportunistic"], counters["upgrades"], counters["filled"]) == (2, 2, 2, 1)
    assert [row["reason"] for row in explain(made, 1)["decisions"]] == ["opportunistic", "upgraded", "started"]
    assert [row["reason"] for row in explain(made, 2)["decisions"]] == ["opportunistic", "filled"]
    assert starts(simulate(few({"tokens": 20}, jobs))) == [0.01, 1.01, 2.01, 3.01]


LATE = [{"durations_s": [1.0, 19.0]}, one(3.2, 100), one(6.1, 10), one(9.5, 1)]


def test_a_task_that_was_promised_too_much_is_sent_to_a_second_server() -> None:
    """Servers are thought free at: 0 (100 s from 3.21 on), 1 (10.01, but runs until 19.01), 2 (10 s from 6.11 on).

    So the last task goes to server 1 to wait 0.51 s. At 15 that is 4.99 s late and thought to be so until 19.99;
    server 2 is free at 16.11.
    """
    made = few({"correct_s": 1}, LATE, machines=3)
    found = simulate(made)
    assert starts(found) == [0.01, 0.01, 3.21, 6.11, 16.11]
    assert found.tasks["machine"].tolist() == [0, 1, 0, 2, 2]
    told = explain(made, 4)["decisions"]
    assert [row["reason"] for row in told] == ["chosen", "duplicated", "started"]
    assert "would have waited for 10.5 s at machine 1 instead of the expected 510 ms" in told[1]["sentence"]
    counters = found.summary["counters"]
    assert (counters["duplicates"], counters["dropped"]) == (1, 1)
    for params in ({"correction": False}, {"correct_s": 10}):
        assert starts(simulate(few(params, LATE, machines=3)))[4] == 19.01


def test_suspected_servers_are_avoided_while_that_costs_less() -> None:
    """A suspected one costs (1 + 10) / 2 s, the k-th task behind others on another one k s."""
    params = {"suspected_percent": 50, "penalty_s": 10}
    found = simulate(few(params, [{"durations_s": [1.0] * 14}], machines=4))
    assert np.bincount(found.tasks["machine"]).tolist()[2:] != [0, 0]
    alone = simulate(few(params, [{"durations_s": [1.0] * 8}], machines=4))
    assert np.bincount(alone.tasks["machine"], minlength=4).tolist() == [4, 4, 0, 0]


def test_wrong_estimates_change_where_tasks_go() -> None:
    jobs = [{"arrival_s": 0.5 * i, "durations_s": [2.0 + i % 5] * 3} for i in range(60)]
    digests = {
        simulate(few({"estimate_error": error}, jobs, machines=20)).summary["outcome_digest"]
        for error in ("none", "uniform", "lognormal")
    }
    assert len(digests) == 3


def test_correction_makes_up_for_wrong_estimates_and_old_news() -> None:
    """The question of a preset: 22 s in the mean, 56 s without correction."""
    data = json.loads((PRESETS / "apollo-corrects.json").read_text())
    corrected = simulate(Experiment.parse(data)).summary["allocation_delay_s"]
    data["scheduler"]["params"]["correction"] = False
    alone = simulate(Experiment.parse(data)).summary["allocation_delay_s"]
    assert corrected["mean"] < 0.5 * alone["mean"]
    assert corrected["p99"] < 0.5 * alone["p99"]


@pytest.mark.parametrize("params", [{}, {"tokens": 1, "correct_s": 0, "publish_s": 0.1}], ids=["tokens", "one token"])
def test_one_server_ends_clearly(params: dict[str, Any]) -> None:
    jobs = [{"durations_s": [100.0] * 4}, one(0, 1, cpus=2)]
    found = simulate(few(params, jobs)).summary
    assert found["tasks"] == {"total": 5, "completed": 4, "unfinished": 0, "unschedulable": 1}
    assert found["counters"]["duplicates"] == 0


@examples(60)
@given(experiment=experiments("apollo"))
def test_nothing_is_left_in_any_book(experiment: Experiment) -> None:
    simulation = finished(experiment)
    assert simulation.result is not None
    state, tasks, counters = simulation.state, simulation.result.tasks, simulation.result.summary["counters"]
    ran = int((tasks["attempts"] > 0).sum())
    assert counters["regular"] + counters["opportunistic"] == ran
    assert counters["filled"] <= counters["opportunistic"]
    copies = int(state.worker["length"].sum())  # of tasks that ran elsewhere; others may be on their way
    assert counters["dropped"] + copies <= counters["duplicates"]
    assert state.rules[0].spare == state.server["spares"].sum() == state.job["used"].sum() == 0
    for column in ("running", "spare"):
        assert (state.server[column] == -1).all()
    assert (state.server["added_ns"] == 0).all()
    assert (state.job["first"] == -1).all()
