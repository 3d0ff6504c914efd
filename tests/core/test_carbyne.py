"""Altruism: what it may not do to anybody, and that none of it is DRF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, Simulation, keep_rules, simulate
from scheduler_core.engine.sources import package_folder
from scheduler_core.metrics.dags import fair_shares, improvement, job_fairness
from tests.core.dag_experiments import dag_experiments, experiment, graphs, stage
from tests.tiers import examples, wide

NS = 10**9

PRESETS = package_folder() / "presets"


def by_dominant_share(experiment: Experiment) -> bool:
    """Say whether jobs come in DRF's order; with `capacity` queues do."""
    return bool(experiment.scheduler.params["inter_job"] != "capacity")


@examples(60)
@given(data=st.data())
def test_without_altruism_it_is_drf(data: st.DataObject) -> None:
    made = data.draw(dag_experiments("carbyne", altruism=0.0, unsized_data=False).filter(by_dominant_share)).to_dict()
    params = {name: made["scheduler"]["params"][name] for name in ("interval_s", "weights")}
    drf = Experiment.parse(made | {"scheduler": {"name": "drf", "params": params}})
    carbyne = Experiment.parse(made)
    assert simulate(carbyne).summary["outcome_digest"] == simulate(drf).summary["outcome_digest"]


@st.composite
def offline(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Jobs that are all there from the beginning, their tasks of one length, none larger than a job's share."""
    return [{"arrival_s": 0, "stages": draw(graphs(durations=(1.0,)))} for _ in range(draw(st.integers(1, 4)))]


@examples(60)
@given(jobs=offline(), packer=st.sampled_from(["tetris", "dagps"]))
def test_theorem_3_1_offline_altruism_makes_no_job_end_later(jobs: list[dict[str, Any]], packer: str) -> None:
    """A job ends no later than when it is packed by itself into its share of the pool, which is its first plan.

    With tasks of one length all that is given up is back when it is needed; that is what the theorem rests on.
    """
    made = experiment(
        "carbyne",
        jobs,
        [{"count": len(jobs), "cpus": 4, "memory_gb": 4}],
        pooled=True,
        params={"packer": packer, "inter_job": "equal"},
    )
    first = Simulation(made, frames=0)
    first.advance_to(0)
    alone_ns = first.state.job["finish_ns"].copy()
    assert (simulate(made).jobs["end_ns"] <= alone_ns).all()


@given(stages=graphs(durations=(1.0,)))
def test_a_job_that_is_alone_ends_by_its_plan(stages: list[dict[str, Any]]) -> None:
    """With tasks of one length; the next test shows why not with others."""
    made = experiment(
        "carbyne", [{"arrival_s": 0, "stages": stages}], [{"count": 2, "cpus": 4, "memory_gb": 4}], pooled=True
    )
    first = Simulation(made, frames=0)
    first.advance_to(0)
    planned_ns = int(first.state.job["finish_ns"][0])
    assert simulate(made).jobs["end_ns"][0] <= planned_ns


def test_a_task_on_leftover_may_be_in_the_way_of_its_own_job() -> None:
    """A pool of 4 CPUs. By the plan b's first runs from 0 to 3 s, a from 1 to 2, c from 2 to 6, b's second from 3 to 6.

    At 0 s nothing else has to start, but a and then b's second fit on what is left over. That one is not stopped when c
    needs a third CPU at 2 s, so c runs from 3 to 7 s. No task may wait that fits, so no order helps.
    """
    stages = [stage("a", 1, 1, cpus=2), stage("b", 2, 3, cpus=1), stage("c", 1, 4, cpus=3)]
    made = experiment("carbyne", [{"arrival_s": 0, "stages": stages}], [{"count": 1, "cpus": 4}], pooled=True)
    first = Simulation(made, frames=0)
    first.advance_to(0)
    assert first.state.job["finish_ns"][0] == 6 * NS
    tasks = simulate(made).tasks
    assert list(tasks["last_start_ns"]) == [0, 0, 0, 3 * NS]
    assert tasks["end_ns"].max() == 7 * NS


@examples(60)
@given(data=st.data())
def test_hardly_any_altruism_is_drf_too(data: st.DataObject) -> None:
    """The rules for everybody stay DRF's as long as no job volunteers: there is no step at 0."""
    rules = {"selfish": "drf", "drawn": "decision", "unsized_data": False}
    made = data.draw(dag_experiments("carbyne", altruism=1e-12, **rules).filter(by_dominant_share)).to_dict()
    params = {name: made["scheduler"]["params"][name] for name in ("interval_s", "weights")}
    drf = Experiment.parse(made | {"scheduler": {"name": "drf", "params": params}})
    assert simulate(Experiment.parse(made)).summary["outcome_digest"] == simulate(drf).summary["outcome_digest"]


def hundred_graphs(scheduler: str, **params: Any) -> Experiment:
    """Draw a hundred jobs that are all there at once, on twenty machines."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": 3,
            "topology": {"clusters": [{"machines": [{"count": 20, "cpus": 8, "memory_gb": 32}]}]},
            "workload": {
                "kind": "dag",
                "jobs": 100,
                "arrivals": {"kind": "at_once"},
                "stages": {"kind": "lognormal", "median": 6, "sigma": 0.6, "max": 30},
                "tasks_per_stage": {"kind": "lognormal", "median": 6, "sigma": 1, "max": 200},
                "duration_s": {"kind": "lognormal", "median": 10, "sigma": 0.8},
                "demands": [{"demand": {"cpus": 1, "memory_gb": 2}}, {"demand": {"cpus": 2, "memory_gb": 12}}],
            },
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def test_own_shares_for_selfish_jobs_have_a_step_at_0() -> None:
    """The rule of 0.1.0: with any altruism selfish jobs stop at their share, and what is left goes to short jobs."""
    drf = simulate(hundred_graphs("drf"))
    none, step = (simulate(hundred_graphs("carbyne", altruism=1e-12, selfish=rule)) for rule in ("drf", "own_share"))
    assert none.summary["outcome_digest"] == drf.summary["outcome_digest"]
    assert step.summary["outcome_digest"] != drf.summary["outcome_digest"]


def test_altruism_is_drawn_at_every_decision() -> None:
    """Two jobs of forty tasks one at a time: each is altruistic in about every other decision, and not in the same."""
    jobs = [{"arrival_s": 0, "stages": [stage("a", 40, 1, cpus=1)]}] * 2
    run = Simulation(experiment("carbyne", jobs, [{"count": 1, "cpus": 2}], params={"altruism": 0.5}), frames=0)
    seen = []
    for second in range(30):
        run.advance_to(second * NS)
        seen.append(tuple(run.state.job["altruistic"].tolist()))
    first, second = zip(*seen, strict=True)
    assert 8 <= sum(first) <= 22
    assert 8 <= sum(second) <= 22
    assert first != second


def two_users(**params: Any) -> Experiment:
    """The DRF paper's example: 9 CPUs and 18 GB; A's tasks take 1 CPU and 4 GB, B's 3 CPUs and 1 GB."""
    jobs = [
        {"arrival_s": 0, "stages": [stage("a", 12, 1, cpus=1, memory_gb=4)]},
        {"arrival_s": 0, "stages": [stage("b", 8, 1, cpus=3, memory_gb=1)]},
    ]
    return experiment("carbyne", jobs, [{"count": 1, "cpus": 9, "memory_gb": 18}], pooled=True, params=params)


def own_amounts(made: Experiment) -> Any:
    """What plans may use at the first decision, (jobs, resources), and what the datacenter has."""
    run = Simulation(made, frames=0)
    run.advance_to(0)
    job, level = run.state.job, run.state.rules[0].level
    if run.state.rules[0].by_vector:
        part = level * job["weight"] / np.maximum((run.state.left / run.state.total).max(axis=1), 1e-12)
        return np.minimum(part, 1.0)[:, None] * run.state.left, run.state.total
    return (level * job["weight"])[:, None] * run.state.total, run.state.total


def test_shares_are_drfs_vector_and_fit_the_cluster_together() -> None:
    """A has 3 CPUs and 12 GB, B 6 and 2, as in the DRF paper: all CPUs. Two thirds of everything each are 12 CPUs."""
    amounts, total = own_amounts(two_users())
    milli = amounts / total * [9, 18]
    assert milli.tolist() == [pytest.approx([3, 12], abs=1e-4), pytest.approx([6, 2], abs=1e-4)]
    every, total = own_amounts(two_users(planned_share="every_resource"))
    assert (every.sum(axis=0) / total).tolist() == pytest.approx([4 / 3, 4 / 3], abs=1e-4)


@examples(60)
@given(data=st.data())
def test_shares_fit_the_cluster_together(data: st.DataObject) -> None:
    rules = {"inter_job": "drf", "planned_share": "drf_vector", "weights": "equal"}
    made = data.draw(dag_experiments("carbyne", **rules)).to_dict()
    for job in made["workload"]["jobs"]:
        job["arrival_s"] = 0
        for stage_of_it in job.get("stages") or ():
            stage_of_it["duration_s"] = 1  # one that takes no time is done, and its work is gone, at the first look
        if job.get("durations_s"):
            job["durations_s"] = [1] * len(job["durations_s"])
    amounts, total = own_amounts(Experiment.parse(made))
    assert (amounts.sum(axis=0) <= total * (1 + 1e-6)).all()


def test_jobs_that_can_give_up_nothing_leave_nothing() -> None:
    """Both users need all of their shares in each of four rounds: three tasks of A, two of B.

    With two thirds of each resource as a share A would have 3 CPUs too many, and B 10 GB.
    """
    assert simulate(two_users()).summary["graphs"]["leftover"]["mean"] == 0.0
    assert simulate(two_users(planned_share="every_resource")).summary["graphs"]["leftover"]["p50"] > 0.4


def test_what_no_task_asks_for_is_not_left_over() -> None:
    """Two jobs of CPUs alone, each with half of four, which both use: no memory is given up."""
    jobs = [{"arrival_s": 0, "stages": [stage("a", 8, 1, cpus=1)]}] * 2
    made = experiment(
        "carbyne", jobs, [{"count": 1, "cpus": 4, "memory_gb": 64}], pooled=True, params={"inter_job": "equal"}
    )
    found = simulate(made).summary["graphs"]["leftover"]
    assert found["mean"] == 0.0
    assert "memory_gb" not in found["by_resource"]


def test_what_must_start_goes_where_it_packs_best() -> None:
    """Machine 0 has 3 of its 4 CPUs free, machine 1 all: `small` is aligned best with 1 (1/4 times 4/4, not 3/4).

    Then both have 3 free, and `large` goes to the first. First-fit has both on 0.
    """
    jobs = [
        {"arrival_s": 0, "stages": [stage("long", 1, 100, cpus=1)]},
        {"arrival_s": 1, "stages": [stage("small", 1, 1, cpus=1), stage("large", 1, 1, cpus=2)]},
    ]
    packing, first = (
        simulate(experiment("carbyne", jobs, [{"count": 2, "cpus": 4}], params={"placement": placement}))
        for placement in ("packing", "first_fit")
    )
    assert packing.tasks["machine"].tolist() == [0, 1, 0]
    assert first.tasks["machine"].tolist() == [0, 0, 0]


def test_more_altruism_makes_more_jobs_altruistic_and_none_selfish() -> None:
    """Where each job draws once."""
    jobs = [{"arrival_s": 0, "durations_s": [1]}] * 400

    def altruistic(part: float) -> Any:
        params = {"altruism": part, "drawn": "job"}
        made = Simulation(experiment("carbyne", jobs, [{"count": 1}], params=params, seed=7), frames=0)
        made.prepare()
        return made.state.job["altruistic"]

    some, more = altruistic(0.3), altruistic(0.8)
    assert (more >= some).all()
    assert 0.2 < some.mean() < 0.4
    assert altruistic(1.0).all()
    assert not altruistic(0.0).any()


def test_altruism_helps_short_jobs_on_machines() -> None:
    """A hundred drawn jobs at once: a job completes earlier than under DRF in the mean, some far earlier."""
    drf, carbyne = (simulate(hundred_graphs(name)) for name in ("drf", "carbyne"))
    factor = improvement(drf.jobs, carbyne.jobs)
    assert factor["mean"] > 1.05
    assert factor["p95"] > 1.5 > factor["p50"] > 0.9
    assert (
        drf.summary["graphs"]["fairness_of_jobs"]["jain_mean"]
        > carbyne.summary["graphs"]["fairness_of_jobs"]["jain_mean"]
    )


def test_fairness_of_jobs_by_hand() -> None:
    """First minute: one job has half of everything, the other, there for 30 s of it, a quarter; then it is alone."""
    tasks = np.array([(0, 90 * NS), (30 * NS, 60 * NS)], [("last_start_ns", "i8"), ("end_ns", "i8")])
    jobs = np.array([(0, 90 * NS, 1), (30 * NS, 60 * NS, 1)], [("arrival_ns", "i8"), ("end_ns", "i8"), ("tasks", "i8")])
    found = job_fairness(tasks, jobs, np.array([0.5, 0.25]))
    both = 0.75**2 / (2 * (0.25 + 0.0625))
    assert found == {
        "jain_mean": pytest.approx((both + 1) / 2),
        "jain_min": pytest.approx(both),
        "jain_max": 1.0,
        "window_s": 60.0,
    }


def test_improvement_pairs_jobs() -> None:
    def done(*seconds: float) -> Any:
        return np.array([(0, round(s * NS)) for s in seconds], [("arrival_ns", "i8"), ("end_ns", "i8")])

    found = improvement(done(4, 3, 1, 9), done(2, 3, 2, 10))
    assert found == {
        "mean": pytest.approx((2 + 1 + 0.5 + 0.9) / 4),
        "p50": 0.9,
        "p75": 1.0,
        "p95": 2.0,
        "slowed": 0.5,
        "below_0.8": 0.25,
    }


def test_slowdown_against_a_fair_share_by_hand() -> None:
    """A pool of 4 CPUs. From 0 s a job of eight tasks of 1 s, from 1 s one of two, a CPU each, first come first.

    The first runs 4 tasks until 1 s and 4 until 2 s; the second waits for 2 s and ends at 3 s. There were one job,
    two, and one: shares of (1 + 1/2) / 2 and (1/2 + 1) / 2. Alone on three quarters of 4 CPUs the first takes
    8 / 3 s, the second its critical path of 1 s, as its 2 s of work over 3 CPUs are less.
    """
    jobs = [{"arrival_s": at, "stages": [stage("s", tasks, 1, cpus=1)]} for at, tasks in ((0, 8), (1, 2))]
    made = experiment("cpm", jobs, [{"count": 1, "cpus": 4}], pooled=True)
    found = simulate(made).summary["graphs"]["fair_share_slowdown"]
    first, second = 2 / (8 / 3), 2 / 1
    assert found == {
        "mean": pytest.approx((first + second) / 2),
        "p50": pytest.approx(first),
        "p75": pytest.approx(second),
        "p95": pytest.approx(second),
        "above_1.1": 0.5,
    }


def test_fair_shares_count_who_is_there() -> None:
    jobs = np.array(
        [(0, 4 * NS), (1 * NS, 2 * NS), (3 * NS, -1), (5 * NS, 5 * NS)], [("arrival_ns", "i8"), ("end_ns", "i8")]
    )
    assert fair_shares(jobs)[[0, 1, 3]] == pytest.approx([(1 + 0.5 + 1 + 0.5) / 4, 0.5, 1])


FORMER = {"drawn": "job", "selfish": "own_share", "planned_share": "every_resource", "placement": "first_fit"}
STORED = json.loads((Path(__file__).parent / "data" / "carbyne_0_1_0.json").read_text())


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["name"])
def test_an_experiment_of_0_1_0_runs_to_its_old_outcome(stored: dict[str, Any]) -> None:
    """The digests are of the version before the rules changed, at commit cfc9d22."""
    kept = keep_rules(stored["experiment"], "0.1.0")
    assert {name: kept["scheduler"]["params"][name] for name in FORMER} == FORMER
    assert simulate(Experiment.parse(kept)).summary["outcome_digest"] == stored["outcome_digest"]


def test_todays_rules_have_other_outcomes() -> None:
    same = [
        stored["name"]
        for stored in STORED
        if simulate(Experiment.parse(stored["experiment"])).summary["outcome_digest"] == stored["outcome_digest"]
    ]
    assert same == ["figure 2", "figure 2, packing", "graphs, {'altruism': 0.001}"]


@wide
def test_a_little_altruism_costs_next_to_nothing() -> None:
    """Jobs drawn as altruistic do not go before selfish ones with smaller shares: that cost 28 % of the full gain."""
    workload = json.loads((PRESETS / "tpc-ds.json").read_text())["workload"]
    workload |= {"jobs": 60, "arrivals": {"kind": "at_once"}}

    def completion_s(seed: int, altruism: float) -> float:
        experiment = {
            "schema_version": 1,
            "seed": seed,
            "topology": {"clusters": [{"machines": [{"count": 20, "cpus": 20, "memory_gb": 128}]}]},
            "workload": workload,
            "scheduler": {"name": "carbyne", "params": {"altruism": altruism}},
        }
        return float(simulate(Experiment.parse(experiment)).summary["job_completion_s"]["mean"])

    seeds = (1, 2, 3, 4)
    never, little, always = (sum(completion_s(seed, p) for seed in seeds) / len(seeds) for p in (0, 0.02, 1))
    assert never - always > 300
    assert abs(never - little) <= 0.05 * (never - always)


def with_data(altruism: float, **params: Any) -> Experiment:
    """Two jobs on four machines in two racks: three tasks of a first stage with data, then one task without."""
    stages = [stage("a", 3, 4, cpus=1), stage("b", 1, 2, "a", cpus=1)]
    made = experiment(
        "carbyne",
        [{"arrival_s": 0, "stages": stages}, {"arrival_s": 0, "stages": stages}],
        [{"count": 4, "cpus": 2}],
        params={"altruism": altruism, "rack_factor": 1.25, "remote_factor": 1.5, "unsized_data": True, **params},
    ).to_dict()
    made["topology"]["clusters"][0]["racks"] = 2
    return Experiment.parse(made)


@pytest.mark.parametrize("altruism", [0, 1])
@pytest.mark.parametrize("leftover", ["srtf", "packing"])
def test_tasks_start_near_their_data_and_run_as_long_as_the_distance_says(altruism: float, leftover: str) -> None:
    run = Simulation(with_data(altruism, leftover=leftover), frames=0)
    for _ in run.run():
        pass
    assert run.result is not None
    tasks, holders, rack = run.result.tasks, run.state.replica, run.world.machine["rack"]
    distances = []
    for number, row in enumerate(tasks):
        own_ns = int(run.world.task["own_ns"][number])
        at, near = int(row["machine"]), {int(one) for one in holders[number] if one >= 0}
        distance = 0 if at in near or not near else 1 if any(rack[one] == rack[at] for one in near) else 2
        assert row["end_ns"] - row["last_start_ns"] == round(own_ns * (1.0, 1.25, 1.5)[distance])
        distances += [distance] if near else []
    counters = run.result.summary["counters"]
    assert len(distances) == 6
    assert [counters[name] for name in ("on_node", "in_rack", "remote")] == [distances.count(n) for n in range(3)]
    assert counters["on_node"] >= 4, "each task has three machines of four"


def test_without_data_their_factors_change_nothing() -> None:
    plain, other = (with_data(1.0, unsized_data=False, **params) for params in ({}, {"rack_factor": 9}))
    assert simulate(plain).summary["outcome_digest"] == simulate(other).summary["outcome_digest"]
