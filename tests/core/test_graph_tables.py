"""What a recording keeps of jobs that are graphs, and what the map shows of their resources."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, RecordingReader, RunView, Simulation, explain
from tests.core.dag_experiments import dag_experiments, experiment, figure_2, stage
from tests.tiers import examples


def recorded(made: Experiment) -> tuple[RecordingReader, Simulation]:
    simulation = Simulation(made, frames=5)
    for _ in simulation.run():
        pass
    file = io.BytesIO()
    RunView(simulation).write_recording(file)
    return RecordingReader(file), simulation


def rows(reader: RecordingReader, table: str) -> list[dict[str, Any]]:
    total, found = reader.graph_rows(table, 0, 10_000)
    assert total == found.num_rows
    listed: list[dict[str, Any]] = found.to_pylist()
    return listed


def test_the_tables_of_figure_2() -> None:
    reader, _ = recorded(figure_2("carbyne"))
    jobs, stages, placements = (rows(reader, table) for table in ("jobs", "stages", "placements"))
    assert [(job["first_stage"], job["stages"], job["tasks"], job["end_ns"]) for job in jobs] == [
        (0, 3, 6, 2_100_000_000),
        (3, 1, 2, 1_000_000_000),
    ]
    assert [(one["name"], one["parents"], one["first"]) for one in stages] == [
        ("s0", [], 0),
        ("s1", [], 2),
        ("s2", [0, 1], 5),
        ("only", [], 6),
    ]
    assert [one["demand"][0] for one in stages] == [40, 210, 100, 290]
    # One task of s1 and one of the second job started on what the first job gave up.
    left_over = next(reason["code"] for reason in reader.meta["reasons"] if reason["name"] == "left_over")
    assert [one["task"] for one in placements if one["reason"] == left_over] == [3, 7]
    assert reader.graph_rows("placements", 5, 2)[1].to_pylist() == placements[5:7]


def test_stages_with_slack_are_not_on_the_longest_path() -> None:
    diamond = [
        stage("a", 1, 1, cpus=1),
        stage("b", 1, 5, "a", cpus=1),
        stage("c", 1, 2, "a", cpus=1),
        stage("d", 1, 1, "b c", cpus=1),
    ]
    reader, _ = recorded(experiment("drf", [{"arrival_s": 0, "stages": diamond}], [{"count": 4, "cpus": 1}]))
    assert {one["name"]: one["critical"] for one in rows(reader, "stages")} == {
        "a": True,
        "b": True,
        "c": False,
        "d": True,
    }


@examples(40)
@given(made=st.sampled_from(["drf", "carbyne"]).flatmap(dag_experiments))
def test_every_task_is_in_its_stage_once_and_after_its_parents(made: Experiment) -> None:
    reader, simulation = recorded(made)
    jobs, stages, placements = (rows(reader, table) for table in ("jobs", "stages", "placements"))
    tasks = simulation.result.tasks if simulation.result else np.zeros(0)
    assert sorted(one["task"] for one in placements) == list(range(len(tasks)))
    for number, one in enumerate(stages):
        own = placements[one["first"] : one["first"] + one["tasks"]]
        job = jobs[one["job"]]
        assert job["first_stage"] <= number < job["first_stage"] + job["stages"]
        assert {int(tasks["job"][row["task"]]) for row in own} == {one["job"]}
        for row in own:
            assert row["end_ns"] == tasks["end_ns"][row["task"]]
        for parent in one["parents"]:
            before = stages[job["first_stage"] + parent]
            ends = [row["end_ns"] for row in placements[before["first"] : before["first"] + before["tasks"]]]
            assert all(row["start_ns"] >= max(ends) for row in own if row["start_ns"] >= 0)
    for number, job in enumerate(jobs):
        assert any(one["critical"] for one in stages if one["job"] == number), job


def test_recordings_of_other_schedulers_hold_no_graphs() -> None:
    reader, _ = recorded(experiment("megha", [{"arrival_s": 0, "durations_s": [1, 2]}], [{"count": 4}]))
    assert reader.meta["graphs"] is False
    with pytest.raises(KeyError):
        reader.graph_rows("jobs", 0, 1)


def test_the_map_has_a_layer_for_each_resource_that_machines_have() -> None:
    wants = stage("a", 2, 3, cpus=1) | {"demand": {"cpus": 1, "resources": {"disk": 30, "network": 5}}}
    machine = {"count": 2, "cpus": 2, "resources": {"disk": 100, "network": 10}}
    simulation = Simulation(experiment("drf", [{"arrival_s": 0, "stages": [wants]}], [machine]), frames=0)
    assert [layer["name"] for layer in simulation.meta()["layers"]] == [
        "load",
        "outage",
        "of_cpus",
        "of_disk",
        "of_network",
    ]
    assert dict(zip(simulation.meta()["resources"], simulation.meta()["capacity"], strict=True)) == {
        "cpus": 4,
        "memory_gb": 0,
        "disk": 200,
        "network": 20,
    }
    simulation.advance_to(1_000_000_000)
    painted = {}
    for number, layer in enumerate(simulation.layers):
        out = np.zeros(2, np.uint8)
        simulation._protocol.paint(simulation.world, simulation.state, number, np.arange(2, dtype=np.int32), out)
        painted[layer.name] = out.tolist()
    # Both tasks are on the first machine: 2 of 2 CPUs, 60 of 100, 10 of 10.
    assert painted == {
        "load": [255, 0],
        "outage": [0, 0],
        "of_cpus": [255, 0],
        "of_disk": [153, 0],
        "of_network": [255, 0],
    }


@pytest.mark.parametrize(("free", "sentence"), [
    ({"count": 2, "cpus": 4, "memory_gb": 2}, "no machine has enough free memory"),
    ({"count": 2, "cpus": 1, "memory_gb": 9}, "no machine has enough free CPUs"),
])  # fmt: skip
def test_what_no_machine_has_enough_of_is_named(free: dict[str, Any], sentence: str) -> None:
    jobs = [{"arrival_s": 0, "stages": [stage("a", 3, 5, cpus=1, memory_gb=2)]}]
    told = explain(experiment("drf", jobs, [free]), 2, 1.0)["decisions"][-1]
    assert (told["reason"], sentence in told["sentence"]) == ("no_room", True), told


def test_each_resource_may_be_free_on_another_machine() -> None:
    jobs = [
        {"arrival_s": 0, "stages": [stage("a", 2, 5, cpus=2, memory_gb=2)]},
        {"arrival_s": 0.5, "stages": [stage("b", 1, 1, cpus=2, memory_gb=2)]},
    ]
    machines = [{"count": 1, "cpus": 4, "memory_gb": 2}, {"count": 1, "cpus": 2, "memory_gb": 4}]
    told = explain(experiment("drf", jobs, machines), 2, 1.0)["decisions"][-1]
    assert "each resource is free somewhere, but no machine has enough of all" in told["sentence"]
