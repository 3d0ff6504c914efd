"""Mesos: offers, filters and fairness over a tree of frameworks, worked out on paper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, ExperimentError, Simulation, explain, simulate
from scheduler_core.engine.incidents import held
from scheduler_core.experiment import unsupported
from tests.core.experiments import experiments
from tests.core.oracles_mesos import PlainMesos
from tests.tiers import examples

CPU, GPU = {"cpus": 1, "memory_gb": 0}, {"cpus": 0, "gpus": 1}


def experiment(
    queues: list[dict[str, Any]], jobs: list[dict[str, Any]], machines: list[dict[str, Any]], **more: Any
) -> Experiment:
    """Messages and decisions take no time, and whatever changes is followed by a round, unless told."""
    params = {"interval_s": 0} | more.pop("params", {})
    return Experiment.parse(
        {
            "schema_version": 1,
            "network": {"message_delay_s": more.pop("delay_s", 0)},
            "topology": {"clusters": [{"name": "c", "machines": machines}]},
            "queues": queues,
            "workload": {"kind": "inline", "jobs": jobs},
            "scheduler": {"name": "mesos", "params": params},
            **more,
        }
    )


def job(queue: str, tasks: int, seconds: float = 9, at: float = 0, **demand: float) -> dict[str, Any]:
    return {
        "arrival_s": at,
        "queue": queue,
        "durations_s": [seconds] * tasks,
        "demand": {"cpus": 1, "memory_gb": 0} | demand,
    }


def starts(found: Any) -> list[float]:
    return [float(ns) / 1e9 for ns in found.tasks["first_start_ns"]]


def by_queue(found: Any, at_s: float) -> list[int]:
    """How many tasks of each queue run at an instant."""
    tasks = found.tasks
    runs = (tasks["first_start_ns"] <= at_s * 1e9) & (tasks["end_ns"] > at_s * 1e9) & (tasks["first_start_ns"] >= 0)
    counts: list[int] = np.bincount(tasks["queue"][runs], minlength=int(tasks["queue"].max()) + 1).tolist()
    return counts


TWO = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]


def test_offer_answer_and_launch_take_a_message_each_and_the_framework_its_time() -> None:
    """Offered at 0, known at 1, decided at 3, the answer comes at 4, the task starts at 5."""
    found = simulate(experiment(TWO[:1], [job("a", 1)], [{"cpus": 1}], delay_s=1, params={"decision_s": 2}))
    task = found.tasks[0]
    assert starts(found) == [5]
    assert [int(task[f"{part}_ns"]) / 1e9 for part in ("framework_queuing", "processing", "communication")] == [1, 2, 2]


def test_nobody_else_is_offered_what_a_framework_thinks_about() -> None:
    """`a` needs one of two machines and thinks for 10 s about both; `b`, a second later, starts when it has answered.

    That is pessimistic: what Omega's authors hold against offers.
    """
    machines = [{"count": 2, "cpus": 1}]
    jobs = [job("a", 1, 99), job("b", 1, at=1)]
    slow = simulate(experiment(TWO, jobs, machines, params={"decision_s": 10}))
    assert starts(slow) == [10, 20]
    assert starts(simulate(experiment(TWO, jobs, machines))) == [0, 1]


def test_each_machine_goes_to_the_framework_with_the_least_dominant_share() -> None:
    """Equal and unequal weights. On one machine, the DRF paper's example gives 4 and 1 tasks in place of 3 and 2."""
    machines = [{"cpus": 9, "memory_gb": 18}]
    jobs = [job("a", 9, memory_gb=4), job("b", 9, cpus=3, memory_gb=1)]
    whole = simulate(experiment(TWO, jobs, machines))
    assert by_queue(whole, 1) == [4, 1]  # one machine is one offer: `a` takes what it can, `b` gets the rest
    many = simulate(experiment(TWO, [job("a", 30), job("b", 30)], [{"count": 12, "cpus": 1}]))
    assert by_queue(many, 1) == [6, 6]
    unequal = [{"name": "a", "share": 0.25}, {"name": "b", "share": 0.75}]
    weighed = simulate(experiment(unequal, [job("a", 30), job("b", 30)], [{"count": 12, "cpus": 1}]))
    assert by_queue(weighed, 1) == [3, 9]


def test_a_declined_machine_comes_again_when_the_filter_is_over_or_something_ends_there() -> None:
    """`a` wants 3 CPUs, machine 0 has 2, machine 1 has 4 of which 2 are in use until 7: 0 is declined at 0, 5, 10."""
    machines: list[dict[str, Any]] = [{"cpus": 2}, {"cpus": 4}]
    pinned = {"constraints": {"catalogue": "custom", "custom": [
        {"name": "large", "attribute": "large", "comparison": "==", "value": True}]}}  # fmt: skip
    machines[1] |= {"attributes": {"large": True}}
    jobs = [job("b", 1, 7, cpus=2) | {"constraints": ["large"]}, job("a", 1, 5, at=1, cpus=3)]
    made = experiment(TWO, jobs, machines, **pinned)
    found = simulate(made)
    assert starts(found) == [0, 7]
    told = explain(made, 1)["decisions"]
    assert told[0]["reason"] == "declined"
    assert (told[-1]["reason"], told[-1]["machine"]) == ("accepted", 1)


TREE = [
    {"name": "one", "share": 0.5, "parent": "n1"},
    {"name": "cpu", "share": 0.25, "parent": "n2"},
    {"name": "gpu", "share": 0.25, "parent": "n2"},
]


@pytest.mark.parametrize(("tree", "expected"), [("naive", [10, 0, 10]), ("hdrf", [5, 5, 10])])
def test_hierarchical_drf_starves_nobody_where_naive_does(tree: str, expected: list[int]) -> None:
    """Starvation by complementary resources (SoCC 2013): ten machines with a CPU and ten with a GPU.

    `gpu`, alone in wanting GPUs, has all of them, so that its group's dominant share is 1 for the naive rule. Then
    `one` and the sibling `cpu` want CPUs: naively all go to `one`. H-DRF counts the group by what its other child has.
    """
    machines: list[dict[str, Any]] = [{"count": 10, "cpus": 1}, {"count": 10, "cpus": 0.001, "gpus": 1}]
    jobs = [
        job("gpu", 10, 100, cpus=0, gpus=1),
        job("one", 30, 100, at=1),
        job("cpu", 30, 100, at=1),
    ]
    found = simulate(experiment(TREE, jobs, machines, params={"hierarchy": tree}))
    assert by_queue(found, 50) == expected


def test_weights_hold_at_each_level_and_idle_shares_go_to_siblings_first() -> None:
    """Groups of weight 0.6 and 0.3; in the first 0.4 and 0.2. With one of its queues idle the group keeps its part."""
    queues = [
        {"name": "a", "share": 0.4, "parent": "x"},
        {"name": "b", "share": 0.2, "parent": "x"},
        {"name": "c", "share": 0.3, "parent": "y/z"},
    ]
    machines = [{"count": 18, "cpus": 1}]

    def shared(*names: str, **params: Any) -> list[int]:
        return by_queue(simulate(experiment(queues, [job(name, 40) for name in names], machines, params=params)), 1)

    assert shared("a", "b", "c") == [8, 4, 6]
    assert shared("b", "c") == [0, 12, 6]
    assert shared("b", "c", hierarchy="flat") == [0, 7, 11]  # 0.2 to 0.3


def test_a_share_that_changes_changes_the_weights_above_it() -> None:
    queues = [{"name": "a", "share": 0.3, "parent": "x"}, {"name": "b", "share": 0.3}]
    events = [{"at_s": 0, "kind": "set", "target": {"queue": "a"}, "value": {"share": 0.6}}]
    found = simulate(experiment(queues, [job("a", 40), job("b", 40)], [{"count": 9, "cpus": 1}], events=events))
    assert by_queue(found, 1) == [6, 3]


def test_an_offer_of_a_machine_that_fails_is_rescinded() -> None:
    events = [{"at_s": 1, "kind": "fail", "target": {"machine": 0}, "duration_s": 5}]
    made = experiment(TWO[:1], [job("a", 1)], [{"cpus": 1}], events=events, params={"decision_s": 2})
    found = simulate(made)
    assert starts(found) == [8]
    assert found.summary["counters"]["rescinded"] == 1
    assert "had gone out of service" in explain(made, 0)["decisions"][0]["sentence"]


def test_what_can_never_be_offered_a_machine_again_ends_the_run() -> None:
    """The only machine that is large enough fails for good: the others are declined until nothing else can come."""
    events = [{"at_s": 1, "kind": "fail", "target": {"machine": 1}}]
    jobs = [job("a", 1, cpus=2, at=2), job("b", 1)]
    found = simulate(experiment(TWO, jobs, [{"cpus": 1}, {"cpus": 2}], events=events))
    assert found.summary["tasks"]["unfinished"] == 1


def test_others_refuse_queues_in_groups_by_name() -> None:
    data = experiment(TREE, [job("one", 1)], [{"cpus": 1}]).to_dict()
    for spec in SCHEDULERS:
        made = Experiment.parse(data | {"scheduler": {"name": spec.name, "params": {}}})
        paths = [problem.path for problem in unsupported(made, spec.honors(made))]
        honors = spec.name in ("mesos", "drf", "wdrf", "capacity")
        assert paths == ([] if honors else ["queues[0].parent"]), spec.name
    with pytest.raises(ExperimentError, match="a name is empty"):
        experiment([TREE[0] | {"parent": "x//y"}], [job("one", 1)], [{"cpus": 1}])


@examples(150)
@given(data=st.data())
def test_the_plain_version_starts_every_task_when_and_where_it_does(data: st.DataObject) -> None:
    made = data.draw(experiments("mesos")).to_dict()
    for queue in made["queues"]:
        parent = data.draw(st.sampled_from([None, "x", "y", "x/z"]))
        queue |= {} if parent is None else {"parent": parent}
    it = Experiment.parse(made)
    found, plain = simulate(it), PlainMesos(it)
    began = [None if ns < 0 else int(ns) for ns in found.tasks["first_start_ns"]]
    assert began == plain.start
    machines = found.tasks["machine"].tolist()
    assert [None if ns is None else m for ns, m in zip(began, machines, strict=True)] == plain.machine


@examples(60)
@given(data=st.data(), stop=st.integers(1, 60))
def test_offers_and_use_come_out_even_whatever_happens(data: st.DataObject, stop: int) -> None:
    """With groups of queues, faults and changes: sliced as whole, and at the end nothing is held or under offer."""
    made = data.draw(experiments("mesos", incidents=True)).to_dict()
    for queue in made["queues"]:
        parent = data.draw(st.sampled_from([None, "x", "y", "x/z"]))
        queue |= {} if parent is None else {"parent": parent}
    whole = simulate(Experiment.parse(made)).summary
    simulation = Simulation(Experiment.parse(made), frames=3, slice_events=stop)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    for part in ("outcome_digest", "counters", "tasks"):
        assert simulation.result.summary[part] == whole[part]
    state, world = simulation.state, simulation.world
    assert (held(world) == 0).all()
    given = np.zeros_like(state.use)
    under_offer = np.flatnonzero(state.offer["to"] >= 0)
    np.add.at(given, state.offer["to"][under_offer], state.given[under_offer])
    assert (state.use == given).all()
    assert len(under_offer) == int(state.rules["offered"][0])
