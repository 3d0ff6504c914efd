"""Queues in groups under schedulers of graphs: hierarchical DRF and capacities at each level, worked out on paper."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, explain, simulate
from tests.core.dag_experiments import dag_experiments, experiment
from tests.core.oracles_dags import PlainGroups
from tests.core.test_mesos import TREE, by_queue, job
from tests.tiers import examples


def run(scheduler: str, queues: list[dict[str, Any]], jobs: list[Any], machines: list[Any], **more: Any) -> Any:
    return simulate(experiment(scheduler, jobs, machines, queues=queues, **more))


@pytest.mark.parametrize(
    ("scheduler", "expected"), [("capacity", [10, 0, 10]), ("drf", [5, 5, 10]), ("wdrf", [5, 5, 10])]
)
def test_hierarchical_drf_starves_nobody_where_capacities_do(scheduler: str, expected: list[int]) -> None:
    """The starvation example of SoCC 2013, as under Mesos: ten machines with a CPU and ten with a GPU.

    `gpu`, alone in wanting GPUs, has all of them, so that its group has all of a resource. Level by level that leaves
    all CPUs to `one`. Hierarchical DRF counts the group by what its other child has.
    """
    machines: list[dict[str, Any]] = [{"count": 10, "cpus": 1}, {"count": 10, "cpus": 0.001, "gpus": 1}]
    jobs = [job("gpu", 10, 100, cpus=0, gpus=1), job("one", 30, 100, at=1), job("cpu", 30, 100, at=1)]
    assert by_queue(run(scheduler, TREE, jobs, machines), 50) == expected


@pytest.mark.parametrize("scheduler", ["drf", "capacity"])
def test_weights_hold_at_each_level_and_siblings_get_what_is_idle(scheduler: str) -> None:
    """Groups of weight 0.6 and 0.3; in the first 0.4 and 0.2. With one of its queues idle the group keeps its part."""
    queues = [
        {"name": "a", "share": 0.4, "parent": "x"},
        {"name": "b", "share": 0.2, "parent": "x"},
        {"name": "c", "share": 0.3, "parent": "y/z"},
    ]
    machines = [{"count": 18, "cpus": 1}]

    def shared(*names: str, flat: bool = False) -> list[int]:
        known = [{key: value for key, value in one.items() if key != "parent" or not flat} for one in queues]
        return by_queue(run(scheduler, known, [job(name, 40) for name in names], machines), 1)

    assert shared("a", "b", "c") == [8, 4, 6]
    assert shared("b", "c") == [0, 12, 6]
    assert shared("b", "c", flat=True) == ([0, 9, 9] if scheduler == "drf" else [0, 7, 11])


def test_in_a_queue_drf_serves_the_poorest_job_and_capacity_the_first() -> None:
    queues = [{"name": "a", "share": 0.5, "parent": "x"}]
    jobs = [job("a", 10), job("a", 10)]

    def first_of(scheduler: str) -> list[int]:
        found = run(scheduler, queues, jobs, [{"count": 6, "cpus": 1}]).tasks
        return [int((found["first_start_ns"][found["job"] == number] == 0).sum()) for number in (0, 1)]

    assert first_of("drf") == [3, 3]
    assert first_of("capacity") == [6, 0]


def test_a_share_that_changes_changes_the_weights_above_it_and_the_reason_says_the_levels() -> None:
    queues = [{"name": "a", "share": 0.3, "parent": "x"}, {"name": "b", "share": 0.3}]
    events = [{"at_s": 0, "kind": "set", "target": {"queue": "a"}, "value": {"share": 0.6}}]
    made = experiment("drf", [job("a", 40), job("b", 40)], [{"count": 9, "cpus": 1}], queues=queues, events=events)
    assert by_queue(simulate(made), 1) == [6, 3]
    assert "At each level of the queue hierarchy" in explain(made, 0)["decisions"][-1]["sentence"]


def test_strict_shares_are_refused_by_name() -> None:
    with pytest.raises(ExperimentError, match=r"scheduler\.params\.work_conserving.*disregard groups"):
        run("drf", TREE, [job("one", 1)], [{"cpus": 1}], params={"work_conserving": False})


@pytest.mark.parametrize("scheduler", ["drf", "wdrf", "capacity"])
@examples(40)
@given(data=st.data())
def test_the_plain_version_starts_every_task_when_and_where_it_does(scheduler: str, data: st.DataObject) -> None:
    made = data.draw(dag_experiments(scheduler)).to_dict()
    made["queues"] = [
        {"name": name, "share": share} | ({} if parent is None else {"parent": parent})
        for name, share in (("a", 0.4), ("b", 0.2), ("c", 0.3))
        # The first one stands in a group: without any group the rule is DRF over jobs, which has no levels.
        for parent in [data.draw(st.sampled_from(["x", "y", "x/z"] if name == "a" else [None, "x", "y", "x/z"]))]
    ]
    for one in made["workload"]["jobs"]:
        one["queue"] = data.draw(st.sampled_from(["a", "b", "c"]))
    it = Experiment.parse(made)
    plain, tasks = PlainGroups(it).run(), simulate(it).tasks
    found = [(plain.start_ns.get(task, -1), plain.machine.get(task, -1)) for task in range(len(tasks))]
    assert list(zip(tasks["first_start_ns"].tolist(), tasks["machine"].tolist(), strict=True)) == found
