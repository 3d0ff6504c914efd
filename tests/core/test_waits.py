"""Where waiting time goes: parts add up to the waits, and what was free meanwhile is found by hand."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, simulate


def groups(**changes: Any) -> dict[str, Any]:
    data = {
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [{"count": 2}]}]},
        "queues": [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}],
        "workload": {
            "kind": "inline",
            "jobs": [
                {"arrival_s": 0, "queue": "a", "durations_s": [4, 4, 4]},
                {"arrival_s": 1, "queue": "b", "durations_s": [4]},
            ],
        },
        "network": {"message_delay_s": 0},
        "scheduler": {"name": "random-queue", "params": {"decision_time": "none"}},
    }
    summary = simulate(Experiment.parse(data | changes)).summary
    return {one["name"]: one for one in summary["waits"]["groups"]}


def test_waits_are_told_by_queue_and_add_up() -> None:
    found = groups()
    assert set(found) == {"", "a", "b"}
    waited = {name: sum(one["parts_s"].values()) for name, one in found.items()}
    assert waited == pytest.approx({"": 7.0, "a": 4.0, "b": 3.0}, abs=1e-6)
    assert [one["tasks"] for one in found.values()] == [4, 3, 1]
    assert found["a"]["curve_s"][-1] == [1.0, pytest.approx(4.0)]
    assert found["a"]["free"] == pytest.approx(0, abs=0.001)  # both machines are busy all the while


def test_half_is_free_while_tasks_wait_for_the_machine_that_they_ask_for() -> None:
    jobs = [
        {"arrival_s": 0, "durations_s": [4], "constraints": ["x"]},
        {"arrival_s": 0, "durations_s": [4], "constraints": ["x"]},
    ]
    found = groups(
        topology={
            "clusters": [{"machines": [{"count": 1, "attributes": {"x": 1}}, {"count": 1}], "constraint_mix": "custom"}]
        },
        constraints={
            "catalogue": "custom",
            "custom": [{"name": "x", "attribute": "x", "comparison": "==", "value": 1}],
        },
        workload={"kind": "inline", "jobs": jobs},
        queues=[],
    )
    assert list(found) == [""]
    assert found[""]["free"] == pytest.approx(0.5, abs=0.001)


def test_a_run_that_stops_early_tells_of_what_has_started() -> None:
    found = groups(stop={"when": "at_s", "at_s": 0.5})
    assert {name: one["tasks"] for name, one in found.items()} == {"": 2, "a": 2}


def test_short_and_long_jobs_are_told_apart_by_the_cutoff() -> None:
    found = groups(
        queues=[], scheduler={"name": "sparrow-c", "params": {"short_cutoff_s": 4}}, workload={
            "kind": "inline",
            "jobs": [{"arrival_s": 0, "durations_s": [1, 1]}, {"arrival_s": 0, "durations_s": [9]}],
        },
    )  # fmt: skip
    assert {name: one["tasks"] for name, one in found.items()} == {"": 3, "short": 2, "long": 1}
