"""Waits by constraint and by time of arrival, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core import Experiment, simulate
from scheduler_core.cli.report import report
from scheduler_core.metrics.constraint_waits import SPANS, constraint_waits

SECOND = 10**9
NAMES = ("disk", "net")


def told(seconds: list[tuple[float, float, int]]) -> dict[str, Any]:
    """Measure tasks, each (arrival, first start or -1, mask)."""
    arrival = np.array([round(a * SECOND) for a, _, _ in seconds])
    start = np.array([round(s * SECOND) if s >= 0 else -1 for _, s, _ in seconds])
    found = constraint_waits(arrival, start, np.array([asks for _, _, asks in seconds]), NAMES)
    assert found is not None
    return found


def test_a_task_counts_with_each_constraint_in_the_span_of_its_arrival() -> None:
    """Arrivals from 2 to 26 s: spans of a second and one nanosecond. The last task never starts."""
    found = told([(2, 3, 0), (2, 6, 0b01), (2.5, 4.5, 0b11), (10, 11, 0b10), (26, -1, 0b10)])
    assert (found["from_s"], round(found["every_s"], 6)) == (2, 1)
    free, disk, net = found["rows"]
    assert [row["constraint"] for row in found["rows"]] == [None, "disk", "net"]
    assert [(row["tasks"], row["started"], row["wait_s"]["mean"]) for row in found["rows"]] == [
        (1, 1, 1),
        (2, 2, 3),
        (3, 2, 1.5),
    ]
    assert disk["mean_s_by_span"][0] == 3
    assert set(disk["mean_s_by_span"][1:]) == {None}
    assert {place: value for place, value in enumerate(net["mean_s_by_span"]) if value is not None} == {0: 2, 7: 1}
    assert {place: value for place, value in enumerate(net["tasks_by_span"]) if value} == {0: 1, 7: 1, 23: 1}
    assert all(len(row["tasks_by_span"]) == len(row["mean_s_by_span"]) == SPANS for row in (free, disk, net))


def test_nothing_is_told_where_no_task_asks_for_anything() -> None:
    assert constraint_waits(np.array([0]), np.array([5]), np.array([0]), NAMES) is None


def test_a_run_with_constraints_tells_who_waited_for_its_machine() -> None:
    """Two machines, of which one has the disk: the second task that asks for it waits for the first one's second."""
    machines = [
        {"count": 1, "cpus": 1, "constraint_shares": {"disk": 1}},
        {"count": 1, "cpus": 1, "constraint_shares": {"disk": 0}},
    ]
    job = {"arrival_s": 0, "durations_s": [1], "constraints": ["disk"]}
    data: dict[str, Any] = {
        "schema_version": 1,
        "network": {"message_delay_s": 0},
        "topology": {"clusters": [{"name": "c", "machines": machines}]},
        "constraints": {"catalogue": "custom", "custom": [{"name": "disk", "machine_share": 0.5}]},
        "workload": {"kind": "inline", "jobs": [job, job, {"arrival_s": 0, "durations_s": [1]}]},
        "scheduler": {"name": "random-queue", "params": {}},
    }
    summary = simulate(Experiment.parse(data)).summary
    free, disk = summary["constraint_waits"]["rows"]
    assert (free["constraint"], free["tasks"], disk["constraint"], disk["tasks"]) == (None, 1, "disk", 2)
    assert 1 <= disk["wait_s"]["max"] < 1.1
    assert free["wait_s"]["max"] < 0.1
    page = report(summary).splitlines()
    head = next(place for place, line in enumerate(page) if line.startswith("waits by constraint"))
    assert [line.split()[:2] for line in page[head + 1 : head + 3]] == [["none", "1"], ["disk", "2"]]
    without = {name: part for name, part in data.items() if name != "constraints"}
    without["topology"] = {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 1}]}]}
    without["workload"] = {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]}
    assert "constraint_waits" not in simulate(Experiment.parse(without)).summary
